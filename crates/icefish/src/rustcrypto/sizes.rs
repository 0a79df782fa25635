//! Lengths of blocks, batches and keys as types.

use crate::cipher::{Cipher, NewCipher};
use cipher::array::ArraySize;

/// Lengths of a cipher as types.
///
/// ```
/// use cipher::typenum::Unsigned;
/// use icefish::{ciphers::Aes128, rustcrypto::Sizes};
/// assert_eq!(<Aes128 as Sizes>::BlockSize::USIZE, 16);
/// ```
pub trait Sizes: Cipher {
    /// Length of a block in bytes.
    type BlockSize: ArraySize;
    /// The number of blocks that a mode of another crate provides at once. On some backends, a batch has more blocks.
    type Batch: ArraySize;
}

/// Length of a cipher's key in bytes as a type.
///
/// ```
/// use cipher::typenum::Unsigned;
/// use icefish::{ciphers::Aes256, rustcrypto::KeySize};
/// assert_eq!(<Aes256 as KeySize>::KeySize::USIZE, 32);
/// ```
pub trait KeySize: NewCipher + Sizes {
    /// Length of a key in bytes.
    type KeySize: ArraySize;
}

#[cfg(feature = "aes")]
mod aes {
    use super::{KeySize, Sizes};
    use crate::ciphers::{Aes128, Aes192, Aes256};
    use cipher::consts::{U16, U24, U32};

    impl Sizes for Aes128 {
        type BlockSize = U16;
        type Batch = U32;
    }
    impl Sizes for Aes192 {
        type BlockSize = U16;
        type Batch = U32;
    }
    impl Sizes for Aes256 {
        type BlockSize = U16;
        type Batch = U32;
    }

    impl KeySize for Aes128 {
        type KeySize = U16;
    }
    impl KeySize for Aes192 {
        type KeySize = U24;
    }
    impl KeySize for Aes256 {
        type KeySize = U32;
    }
}

#[cfg(feature = "threefish")]
mod threefish {
    use super::{KeySize, Sizes};
    use crate::ciphers::{Threefish256, Threefish512, Threefish1024};
    use cipher::consts::{U8, U16, U32, U64, U128};

    impl Sizes for Threefish256 {
        type BlockSize = U32;
        type Batch = U16;
    }
    impl Sizes for Threefish512 {
        type BlockSize = U64;
        type Batch = U8;
    }
    impl Sizes for Threefish1024 {
        type BlockSize = U128;
        type Batch = U8;
    }

    impl KeySize for Threefish256 {
        type KeySize = U32;
    }
    impl KeySize for Threefish512 {
        type KeySize = U64;
    }
    impl KeySize for Threefish1024 {
        type KeySize = U128;
    }
}

#[cfg(feature = "ice")]
mod ice {
    use super::Sizes;
    use crate::ciphers::Ice;
    use cipher::consts::{U8, U64};

    impl Sizes for Ice {
        type BlockSize = U8;
        type Batch = U64;
    }
}
