//! Modes of operation, each written once, for every cipher, block size and instruction set.
//!
//! A [`Mode`] says what happens to whole blocks; [`Crypter`] adds messages of any length, padding and
//! arbitrary splits. Parallel modes are a [`Pass`](crate::cipher::Pass): what goes into the cipher and
//! what becomes of what comes out. Serial modes loop over single blocks inside one task.

pub(crate) mod cbc;
pub(crate) mod cfb;
mod cfb8;
mod crypter;
mod ctr;
mod cts;
mod ecb;
mod ige;
mod ofb;
pub(crate) mod padding;
mod pcbc;

pub use cbc::Cbc;
pub use cfb::Cfb;
pub use cfb8::Cfb8;
pub use crypter::{Crypter, Decryptor, Encryptor};
pub use ctr::Ctr;
pub use cts::CbcCs;
pub use ecb::Ecb;
pub use ige::Ige;
pub use ofb::Ofb;
pub use padding::Padding;
pub use pcbc::Pcbc;

use crate::cipher::{Cipher, Direction};
use crate::isa::{InOut, Isa};
use crate::{Block, Error};

/// What a mode carries from one block to the next.
///
/// `Debug` shows no block.
#[derive(Clone)]
pub struct Chain<B: Block> {
    /// The last ciphertext block, the last output block, or the initial counter block.
    pub block: B,
    /// How many blocks went before, for counter modes and for messages of whole blocks that come in pieces.
    pub index: u128,
}

impl<B: Block> core::fmt::Debug for Chain<B> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Chain").field("index", &self.index).finish_non_exhaustive()
    }
}

impl<B: Block> Drop for Chain<B> {
    fn drop(&mut self) {
        crate::isa::erase(self.block.as_mut());
    }
}

/// What the data of a mode may look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// Whole blocks: other lengths need a padding.
    Block,
    /// Any number of bytes, a keystream block at a time.
    Stream,
    /// Any number of bytes, each of which costs a block.
    Byte,
}

/// What a piece in the middle of a message has to know of what goes before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// Nothing.
    Nothing,
    /// How many blocks there are.
    Index,
    /// The last block of ciphertext.
    Ciphertext,
}

/// Work that wants the type of a mode: what [`Task`](crate::isa::Task) is for instruction sets.
///
/// Implementations of [`ModeTask::call`] are `#[inline(always)]`, or calls of their own.
pub trait ModeTask {
    /// What the work returns.
    type Out;
    /// Does the work with the mode `M`.
    fn call<M: Mode>(self, mode: &M) -> Self::Out;
}

/// A mode of operation of a block cipher.
pub trait Mode: Copy + Send + Sync {
    /// Runs `task` with the type of this mode, or of the mode that this one stands for.
    #[inline(always)]
    fn run<T: ModeTask>(&self, task: T) -> T::Out {
        task.call(self)
    }

    /// What its data may look like.
    fn grain(&self) -> Grain;

    /// Length of its initialization vector in bytes, for a cipher with blocks of `block` bytes.
    #[inline]
    fn iv_len(&self, block: usize) -> usize {
        block
    }

    /// How many blocks one message may have.
    #[inline]
    fn limit(&self, block: usize) -> u128 {
        let _ = block;
        u128::MAX
    }

    /// Takes whole blocks (bytes, with [`Grain::Byte`]) through the cipher and moves `chain` on.
    fn blocks<C: Cipher, D: Direction, S: Isa>(
        &self,
        isa: S,
        cipher: &C,
        chain: &mut Chain<C::Block>,
        io: InOut<'_>,
    );

    /// The keystream for a block of which only a part is there, [`Grain::Stream`] only.
    fn pad<C: Cipher, S: Isa>(&self, isa: S, cipher: &C, chain: &mut Chain<C::Block>) -> C::Block {
        let _ = (isa, cipher, chain);
        C::Block::zero()
    }

    /// Whether ciphertext bytes become the chain, [`Grain::Stream`] only.
    #[inline]
    fn feedback(&self) -> bool {
        false
    }

    /// What pieces of a message need to be taken side by side; `None` if each has to wait for the one
    /// before.
    #[inline]
    fn joint(&self, encrypt: bool) -> Option<Joint> {
        let _ = encrypt;
        None
    }

    /// Whether a message can be entered at any byte.
    #[inline]
    fn seekable(&self) -> bool {
        false
    }

    /// An initial chain from `iv`.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    #[inline(always)]
    fn start<B: Block>(&self, iv: &[u8]) -> Result<Chain<B>, Error> {
        let need = self.iv_len(B::LEN);
        if iv.len() != need {
            return Err(Error::IvLength { got: iv.len(), need });
        }
        if need == B::LEN {
            // The usual case is a copy of known length, which stays in registers.
            return Ok(Chain { block: B::take(iv), index: 0 });
        }
        let mut block = B::zero();
        block.as_mut()[..need].copy_from_slice(iv);
        Ok(Chain { block, index: 0 })
    }
}
