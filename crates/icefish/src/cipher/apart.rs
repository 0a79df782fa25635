//! A cipher behind an indirect call. Work that takes whole buffers of blocks through a cipher uses it, so that such work is
//! compiled once for each block size and not for each cipher.

use super::byte_blocks::ByteBlock;
use super::{BlockCipher, Cipher, Decrypt, Direction, Encrypt};
use crate::Block;
use crate::isa::{InOut, Isa, erase};

/// A cipher on an instruction set, behind a call whose type names neither.
pub(super) trait Called<B>: Send + Sync {
    /// Takes consecutive blocks through the cipher.
    fn in_place(&self, encrypt: bool, blocks: &mut [u8]);
}

/// A cipher with the instruction set that it runs on.
pub(super) struct CipherOnSet<'a, C, S>(pub(super) &'a C, pub(super) S);

impl<C: Cipher, S: Isa> Called<C::Block> for CipherOnSet<'_, C, S> {
    fn in_place(&self, encrypt: bool, blocks: &mut [u8]) {
        if encrypt {
            self.0.in_place::<S, Encrypt>(self.1, blocks);
        } else {
            self.0.in_place::<S, Decrypt>(self.1, blocks);
        }
    }
}

/// The cipher as such work sees it.
#[derive(Clone, Copy)]
pub(super) struct Apart<'a, B>(&'a dyn Called<B>);

impl<'a, B: Block> Apart<'a, B> {
    #[inline(always)]
    pub(super) fn new<C: Cipher<Block = B>, S: Isa>(bound: &'a CipherOnSet<'_, C, S>) -> Self {
        Self(bound)
    }
}

impl<B: Block> BlockCipher for Apart<'_, B> {
    type Block = B;
    type One<S: Isa> = ByteBlock<B>;

    #[inline(always)]
    fn one<S: Isa, D: Direction>(&self, _: S, mut block: ByteBlock<B>) -> ByteBlock<B> {
        self.0.in_place(D::ENCRYPT, block.0.as_mut());
        block
    }
    // One block at a time, as in the default: work for which that is too slow is compiled together with the cipher.
}

impl<B: Block> Cipher for Apart<'_, B> {
    const CALLED: bool = true;

    #[inline(always)]
    fn in_place<S: Isa, D: Direction>(&self, _: S, blocks: &mut [u8]) {
        self.0.in_place(D::ENCRYPT, blocks);
    }
    #[inline(always)]
    fn block<S: Isa, D: Direction>(&self, isa: S, mut io: InOut<'_>) {
        let mut block = B::take(io.input());
        self.in_place::<S, D>(isa, block.as_mut());
        io.output()[..B::LEN].copy_from_slice(block.as_ref());
        erase(block.as_mut());
    }
}
