//! The traits of the crate `cipher` for this library's ciphers.

use super::{KeySize, Sizes};
use crate::Backend;
use crate::cipher::{Decrypt, Direction, EcbPass, Encrypt, Key, Many};
use crate::isa::{self, Extension, Isa, Task};
use cipher::array::Array;
use cipher::{
    BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOut, InOutBuf, KeyInit,
    KeySizeUser, ParBlocks, ParBlocksSizeUser,
};

impl<C: KeySize> KeySizeUser for Key<C> {
    type KeySize = C::KeySize;
}

/// A key on the best backend. If the cipher has a tweak, it is zero.
impl<C: KeySize> KeyInit for Key<C> {
    fn new(key: &cipher::Key<Self>) -> Self {
        Self::on(Backend::best(), key).expect("KeySize is the cipher's")
    }
}

impl<C: Sizes> BlockSizeUser for Key<C> {
    type BlockSize = C::BlockSize;
}

impl<C: Sizes> BlockCipherEncrypt for Key<C> {
    #[inline]
    fn encrypt_with_backend(&self, closure: impl BlockCipherEncClosure<BlockSize = C::BlockSize>) {
        self.backend().run(EncryptWith { cipher: self.cipher(), closure });
    }
}

impl<C: Sizes> BlockCipherDecrypt for Key<C> {
    #[inline]
    fn decrypt_with_backend(&self, closure: impl BlockCipherDecClosure<BlockSize = C::BlockSize>) {
        self.backend().run(DecryptWith { cipher: self.cipher(), closure });
    }
}

/// The closure of a mode, compiled for the backend.
struct EncryptWith<'a, C, F> {
    cipher: &'a C,
    closure: F,
}

impl<C: Sizes, F: BlockCipherEncClosure<BlockSize = C::BlockSize>> Task for EncryptWith<'_, C, F> {
    type Out = ();
    const EXTENSION: Extension = C::EXTENSION;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        self.closure.call(&On { cipher: self.cipher, isa });
    }
}

struct DecryptWith<'a, C, F> {
    cipher: &'a C,
    closure: F,
}

impl<C: Sizes, F: BlockCipherDecClosure<BlockSize = C::BlockSize>> Task for DecryptWith<'_, C, F> {
    type Out = ();
    const EXTENSION: Extension = C::EXTENSION;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        self.closure.call(&On { cipher: self.cipher, isa });
    }
}

/// A cipher on an instruction set.
struct On<'a, C, S> {
    cipher: &'a C,
    isa: S,
}

impl<C: Sizes, S: Isa> On<'_, C, S> {
    #[inline(always)]
    fn one<D: Direction>(&self, block: InOut<'_, '_, Array<u8, C::BlockSize>>) {
        self.cipher.block::<S, D>(self.isa, isa::InOut::from(block.into_buf()));
    }

    #[inline(always)]
    fn pass<D: Direction>(&self, blocks: InOutBuf<'_, '_, Array<u8, C::BlockSize>>) {
        let count = blocks.len();
        let mut pass = EcbPass::<C::Block>::new(isa::InOut::from(blocks));
        self.cipher.many::<S, D, _>(self.isa, &mut pass, count);
    }

    /// Fewer blocks than a batch, in a call that is not inlined.
    #[inline(always)]
    fn tail<D: Direction>(&self, blocks: InOutBuf<'_, '_, Array<u8, C::BlockSize>>) {
        let count = blocks.len();
        if count > 0 {
            let pass = EcbPass::<C::Block>::new(isa::InOut::from(blocks));
            self.isa.run(Many::<_, _, D>::new(self.cipher, pass, count));
        }
    }
}

impl<C: Sizes, S: Isa> BlockSizeUser for On<'_, C, S> {
    type BlockSize = C::BlockSize;
}

impl<C: Sizes, S: Isa> ParBlocksSizeUser for On<'_, C, S> {
    type ParBlocksSize = C::Batch;
}

impl<C: Sizes, S: Isa> BlockCipherEncBackend for On<'_, C, S> {
    #[inline(always)]
    fn encrypt_block(&self, block: InOut<'_, '_, cipher::Block<Self>>) {
        self.one::<Encrypt>(block);
    }
    #[inline(always)]
    fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.pass::<Encrypt>(blocks.into_buf());
    }
    #[inline(always)]
    fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, cipher::Block<Self>>) {
        self.tail::<Encrypt>(blocks);
    }
}

impl<C: Sizes, S: Isa> BlockCipherDecBackend for On<'_, C, S> {
    #[inline(always)]
    fn decrypt_block(&self, block: InOut<'_, '_, cipher::Block<Self>>) {
        self.one::<Decrypt>(block);
    }
    #[inline(always)]
    fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.pass::<Decrypt>(blocks.into_buf());
    }
    #[inline(always)]
    fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, cipher::Block<Self>>) {
        self.tail::<Decrypt>(blocks);
    }
}
