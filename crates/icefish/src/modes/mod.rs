//! Raw modes of operation, paddings, and messages.
//!
//! Each mode has one source for every cipher, block size and instruction set. These modes do not authenticate. Which to choose:
//!
//! | need | choice |
//! |---|---|
//! | encryption that detects changes | [`aead::GcmSiv`](crate::aead::GcmSiv), or [`aead::Gcm`](crate::aead::Gcm) if a nonce is never repeated |
//! | sectors of a disk | [`storage::Xts`](crate::storage::Xts) |
//! | a keystream, for a protocol with a MAC | [`Ctr`] |
//! | an existing format or protocol | its mode: [`Cbc`], [`CbcCs`], [`Cfb`], [`Cfb8`], [`Ofb`], [`Pcbc`], [`Ige`] |
//! | single blocks | [`Ecb`], which shows equal blocks |
//!
//! A [`Mode`] defines what happens to whole blocks. [`Crypter`] adds messages of any length, padding and pieces. A parallel mode
//! is a [`Pass`](crate::cipher::Pass): the input of the cipher and the use of its output. A serial mode is a loop over single
//! blocks within one task.
//!
#![doc = include_str!("adding_a_mode.md")]

pub(crate) mod cbc;
pub(crate) mod cfb;
mod cfb8;
pub(crate) mod chain;
mod crypter;
mod ctr;
mod cts;
mod ecb;
mod ige;
mod independent;
mod ofb;
pub(crate) mod padding;
mod pcbc;
mod per_block;

pub use cbc::Cbc;
pub use cfb::Cfb;
pub use cfb8::Cfb8;
pub use chain::Chain;
pub(crate) use chain::Position;
#[cfg(feature = "alloc")]
pub(crate) use crypter::ended;
pub use crypter::{Crypter, Decryptor, Encryptor};
pub use ctr::Ctr;
pub use cts::CbcCs;
pub use ecb::Ecb;
pub use ige::Ige;
pub use independent::Blocks;
pub use ofb::Ofb;
pub use padding::Padding;
pub use pcbc::Pcbc;
pub use per_block::PerBlock;

use crate::Block;
use crate::cipher::{Cipher, Direction, Way, Wide};
use crate::isa::{InOut, Isa};

/// How finely a mode divides its data.
///
/// ```
/// use icefish::modes::{Cbc, Ctr, Granularity, Mode};
/// assert_eq!(Cbc.granularity(), Granularity::Block);
/// assert_eq!(Ctr::BE.granularity(), Granularity::Stream);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granularity {
    /// Whole blocks; other lengths need a padding.
    Block,
    /// Bytes, with a keystream that is made block by block.
    Stream,
    /// Bytes, each of which costs a call of the cipher.
    Byte,
}

/// What a piece in the middle of a message depends on, besides the key and the IV.
///
/// ```
/// use icefish::{cipher::Way, modes::{Cbc, DependsOn, Mode}};
/// assert_eq!(Cbc.depends_on(Way::Encrypt), None); // encryption is serial
/// assert_eq!(Cbc.depends_on(Way::Decrypt), Some(DependsOn::Ciphertext));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DependsOn {
    /// Nothing.
    Nothing,
    /// The number of blocks before it.
    Index,
    /// The ciphertext block before it.
    Ciphertext,
}

/// Work that needs the type of a mode. It is to a mode what a [`Task`](crate::isa::Task) is to an instruction set.
///
/// Implementations of [`ModeTask::call`] are `#[inline(always)]`; those that never see an instruction set may be calls.
///
/// ```
/// use icefish::modes::{Mode, ModeTask};
/// use icefish::suite::AnyMode;
///
/// /// The length of an IV for blocks of 16 bytes.
/// struct IvLen;
///
/// impl ModeTask for IvLen {
///     type Out = usize;
///     #[inline(always)]
///     fn call<M: Mode>(self, mode: &M) -> usize {
///         mode.iv_len(16)
///     }
/// }
///
/// let mode: AnyMode = "cbc".parse()?;
/// assert_eq!(mode.run(IvLen), 16);
/// # Ok::<(), icefish::Error>(())
/// ```
pub trait ModeTask {
    /// What the work returns.
    type Out;
    /// Does the work with the mode `M`.
    fn call<M: Mode>(self, mode: &M) -> Self::Out;
}

/// A mode of operation of a block cipher.
///
/// ```
/// use icefish::{Error, Key, ciphers::Aes128, modes::{Cfb, Mode, Ofb}};
///
/// /// Encrypts in any mode, with an IV of ones.
/// fn encrypt<M: Mode>(key: &Key<Aes128>, mode: M, data: &mut [u8]) -> Result<(), Error> {
///     key.encrypt(mode, &[1; 16][..mode.iv_len(16)], data)
/// }
///
/// let key = Key::new(&[7; 16])?;
/// encrypt(&key, Cfb, &mut [5; 20])?;
/// encrypt(&key, Ofb, &mut [5; 20])?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub trait Mode: Copy + Send + Sync {
    /// Runs `task` with the type of this mode. A mode by name passes the mode that it names.
    #[inline(always)]
    fn run<T: ModeTask>(&self, task: T) -> T::Out {
        task.call(self)
    }

    /// The unit of its data.
    #[inline]
    fn granularity(&self) -> Granularity {
        Granularity::Block
    }

    /// Length of its IV in bytes, for a cipher with blocks of `block` bytes.
    #[inline]
    fn iv_len(&self, block: usize) -> usize {
        block
    }

    /// The largest number of blocks of a message.
    #[inline]
    fn limit(&self, block: usize) -> u128 {
        let _ = block;
        u128::MAX
    }

    /// Takes whole blocks (bytes, with [`Granularity::Byte`]) through the cipher and updates `chain`. The default is for modes of
    /// independent whole blocks, which implement [`Mode::enter`] instead. With [`Granularity::Block`], the caller updates the
    /// index of `chain`.
    #[inline(always)]
    fn blocks<C: Cipher, D: Direction, S: Isa>(
        &self,
        isa: S,
        cipher: &C,
        chain: Chain<'_, C::Block>,
        io: InOut<'_>,
    ) {
        independent::blocks::<Self, C, D, S>(*self, isa, cipher, chain, io);
    }

    /// The input of the cipher for some blocks, in a mode whose blocks are independent: [`Blocks`] has an example. A mode without
    /// [`Mode::blocks`] must implement it: otherwise, a call with the mode does not compile.
    ///
    /// Implementations of this and of [`Mode::leave`] are `#[inline(always)]`.
    #[inline(always)]
    fn enter<S: Isa, W: Wide<S>>(&self, isa: S, blocks: &Blocks<'_>) -> W {
        const { assert!(W::BLOCKS == 0, "a mode implements `blocks` or `enter`") };
        blocks.load(isa)
    }

    /// Takes the output of the cipher for those blocks, and writes that of the mode. The default writes it as it is.
    #[inline(always)]
    fn leave<S: Isa, W: Wide<S>>(&self, isa: S, output: W, blocks: &mut Blocks<'_>) {
        blocks.store(isa, output);
    }

    /// The keystream for an incomplete block. Only with [`Granularity::Stream`].
    fn pad<C: Cipher, S: Isa>(&self, isa: S, cipher: &C, chain: Chain<'_, C::Block>) -> C::Block {
        let _ = (isa, cipher, chain);
        C::Block::zero()
    }

    /// Whether ciphertext bytes become the chaining value. Only with [`Granularity::Stream`].
    #[inline]
    fn feedback(&self) -> bool {
        false
    }

    /// What a piece depends on if the pieces of a message can be processed in parallel; `None` if it depends on all pieces before
    /// it.
    #[inline]
    fn depends_on(&self, way: Way) -> Option<DependsOn> {
        let _ = way;
        None
    }

    /// Whether processing can begin at any byte of a message.
    #[inline]
    fn seekable(&self) -> bool {
        false
    }
}
