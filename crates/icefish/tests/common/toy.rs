//! A cipher of another crate for any block, for tests: two passes of additions and rotations. No secret is safe in it.

use cipher::array::ArraySize;
use cipher::consts::U1;
use cipher::{
    Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOut, ParBlocksSizeUser,
};
use std::marker::PhantomData;

/// With blocks of `N` bytes.
pub(crate) struct Toy<N>(u8, PhantomData<fn() -> N>);

impl<N> Clone for Toy<N> {
    fn clone(&self) -> Self {
        Self::new(self.0)
    }
}

impl<N> Toy<N> {
    pub(crate) fn new(key: u8) -> Self {
        Self(key, PhantomData)
    }

    /// One block, as the definition of the cipher says it.
    pub(crate) fn encrypt(&self, block: &mut [u8]) {
        for _ in 0..2 {
            let mut before = self.0;
            for (i, byte) in block.iter_mut().enumerate() {
                *byte = byte.wrapping_add(before).wrapping_add(i as u8).rotate_left(3) ^ self.0;
                before = *byte;
            }
            block.reverse();
        }
    }

    /// The inverse.
    pub(crate) fn decrypt(&self, block: &mut [u8]) {
        for _ in 0..2 {
            block.reverse();
            let mut before = self.0;
            for (i, byte) in block.iter_mut().enumerate() {
                let after = *byte;
                let byte_before = (*byte ^ self.0).rotate_right(3);
                *byte = byte_before.wrapping_sub(before).wrapping_sub(i as u8);
                before = after;
            }
        }
    }
}

impl<N: ArraySize> BlockSizeUser for Toy<N> {
    type BlockSize = N;
}

impl<N: ArraySize> ParBlocksSizeUser for Toy<N> {
    type ParBlocksSize = U1;
}

impl<N: ArraySize> BlockCipherEncBackend for Toy<N> {
    fn encrypt_block(&self, mut block: InOut<'_, '_, Block<Self>>) {
        let mut bytes = block.clone_in();
        self.encrypt(&mut bytes);
        *block.get_out() = bytes;
    }
}

impl<N: ArraySize> BlockCipherDecBackend for Toy<N> {
    fn decrypt_block(&self, mut block: InOut<'_, '_, Block<Self>>) {
        let mut bytes = block.clone_in();
        self.decrypt(&mut bytes);
        *block.get_out() = bytes;
    }
}

impl<N: ArraySize> BlockCipherEncrypt for Toy<N> {
    fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = N>) {
        f.call(self);
    }
}

impl<N: ArraySize> BlockCipherDecrypt for Toy<N> {
    fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = N>) {
        f.call(self);
    }
}
