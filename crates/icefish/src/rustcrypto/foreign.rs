//! This library's modes with ciphers of other crates.

use crate::Block;
use crate::cipher::{BlockCipher, Cipher, Cursor, Direction, Key, NewCipher, Pass, Wide};
use crate::isa::{Backend, Endian, Isa, Sink};
use cipher::array::{Array, ArraySize};
use cipher::typenum::Unsigned;
use cipher::{BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser, KeyInit};
use core::fmt;
use core::marker::PhantomData;

/// A cipher of another crate, for use with this library's modes: any `BlockCipherEncrypt` and `BlockCipherDecrypt` with blocks of
/// 1 to 512 bytes.
///
/// ```
/// use icefish::aead::{Aead, Eax};
/// use icefish::rustcrypto::Foreign;
/// let eax = Eax::<Foreign<aes::Aes192>>::new(&[7; 24])?;
/// let mut data = *b"attack at dawn";
/// let tag = eax.seal_in_place(&[1; 16], &[], &mut data)?;
/// # let ours = Eax::<icefish::ciphers::Aes192>::new(&[7; 24])?;
/// # ours.open_in_place(&[1; 16], &[], &mut data, &tag)?;
/// # Ok::<(), icefish::Error>(())
/// ```
///
/// The library's own work, such as counters, XORs and GHASH, runs on the backend of the [`Key`]. The cipher runs on the
/// instruction set that its crate chooses.
///
/// A cipher with longer blocks does not compile:
///
/// ```compile_fail,E0080
/// use cipher::consts::U1024;
/// use icefish::{Key, modes::Ecb, rustcrypto::Foreign};
/// struct Long;
/// impl cipher::BlockSizeUser for Long {
///     type BlockSize = U1024;
/// }
/// impl cipher::BlockCipherEncrypt for Long {
///     fn encrypt_with_backend(&self, _: impl cipher::BlockCipherEncClosure<BlockSize = U1024>) {}
/// }
/// impl cipher::BlockCipherDecrypt for Long {
///     fn decrypt_with_backend(&self, _: impl cipher::BlockCipherDecClosure<BlockSize = U1024>) {}
/// }
/// Key::foreign(Long).encryptor(Ecb, &[])?.in_place(&mut [0; 2048], 1024)?;
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct Foreign<C> {
    cipher: C,
}

impl<C> Foreign<C> {
    /// Wraps a cipher that has its key already.
    pub fn new(cipher: C) -> Self {
        Self { cipher }
    }
}

impl<C> Key<Foreign<C>> {
    /// A key on the best backend, from a cipher that has its key already.
    pub fn foreign(cipher: C) -> Self {
        Self::from_cipher(Backend::best(), Foreign::new(cipher))
    }
}

impl<C> fmt::Debug for Foreign<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Foreign")
    }
}

/// Bytes of a batch.
const BATCH: usize = 512;

/// The array of bytes that is a block of `C`.
///
/// ```
/// use icefish::rustcrypto::ForeignBlock;
/// let block: ForeignBlock<aes::Aes128> = [7; 16];
/// # let _ = block;
/// ```
pub type ForeignBlock<C> = <<C as BlockSizeUser>::BlockSize as ArraySize>::ArrayType<u8>;

impl<C> BlockCipher for Foreign<C>
where
    C: BlockCipherEncrypt + BlockCipherDecrypt + Send + Sync,
    ForeignBlock<C>: Block,
{
    type Block = ForeignBlock<C>;
    type One<S: Isa> = ForeignBlocks<ForeignBlock<C>, ForeignBlock<C>>;

    fn batch<S: Isa>() -> usize {
        BATCH / Self::BLOCK
    }

    #[inline(always)]
    fn one<S: Isa, D: Direction>(&self, _: S, mut block: Self::One<S>) -> Self::One<S> {
        self.run::<D>(block.bytes.as_mut());
        block
    }

    #[inline(always)]
    fn many<S: Isa, D: Direction, P: Pass>(&self, isa: S, pass: &mut P, blocks: usize) {
        let mut cursor = Cursor::<P>::new(blocks);
        while cursor.left() > 0 {
            let count = cursor.left().min(Self::batch::<S>());
            let Some(at) = cursor.take(count) else { break };
            let mut x: ForeignBlocks<ForeignBlock<C>, [u8; BATCH]> = pass.enter(isa, at, count);
            self.run::<D>(&mut x.bytes[..count * Self::BLOCK]);
            pass.leave(isa, at, count, &mut x);
        }
    }
}

impl<C> Cipher for Foreign<C>
where
    C: BlockCipherEncrypt + BlockCipherDecrypt + Send + Sync,
    ForeignBlock<C>: Block,
{
}

impl<C: BlockCipherEncrypt + BlockCipherDecrypt> Foreign<C> {
    /// Length of a block in bytes.
    const BLOCK: usize = {
        let block = C::BlockSize::USIZE;
        assert!(
            1 <= block && block <= BATCH,
            "icefish takes ciphers with blocks of 1 to 512 bytes"
        );
        block
    };

    /// Takes whole blocks through the cipher.
    #[inline]
    fn run<D: Direction>(&self, bytes: &mut [u8]) {
        debug_assert!(bytes.len().is_multiple_of(Self::BLOCK));
        let (blocks, _) = Array::<u8, C::BlockSize>::slice_as_chunks_mut(bytes);
        if D::ENCRYPT {
            self.cipher.encrypt_blocks(blocks);
        } else {
            self.cipher.decrypt_blocks(blocks);
        }
    }
}

impl<C> NewCipher for Foreign<C>
where
    C: BlockCipherEncrypt + BlockCipherDecrypt + KeyInit + Clone + Send + Sync,
    ForeignBlock<C>: Block,
{
    const KEY: usize = C::KeySize::USIZE;

    /// A cipher with a key of zeros.
    #[inline(always)]
    fn blank() -> Self {
        Self::new(C::new(&Default::default()))
    }

    #[inline(always)]
    fn schedule<S: Isa>(&mut self, _: S, key: &[u8], _: &[u8]) {
        self.cipher = C::new_from_slice(key).expect("a key of that length");
    }
}

/// Blocks of type `B` in memory, as many as fit in `M`.
#[derive(Clone, Copy)]
pub struct ForeignBlocks<B, M> {
    bytes: M,
    block: PhantomData<B>,
}

impl<S: Isa, B: Block, M: Block> Wide<S> for ForeignBlocks<B, M> {
    const BLOCKS: usize = M::LEN / B::LEN;
    type Bytes = M;

    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        let mut room = M::zero();
        let len = M::LEN / B::LEN * B::LEN;
        room.as_mut()[..len].copy_from_slice(&bytes[..len]);
        Self { bytes: room, block: PhantomData }
    }
    #[inline(always)]
    fn store(&mut self, _: S, mut sink: Sink<'_>) {
        let bytes = &self.bytes.as_ref()[..sink.len()];
        let (words, rest) = bytes.as_chunks::<8>();
        for (i, &byte) in rest.iter().enumerate().rev() {
            sink.put(8 * words.len() + i, [byte]);
        }
        for (i, &word) in words.iter().enumerate().rev() {
            sink.put(8 * i, word);
        }
    }
    #[inline(always)]
    fn counters(_: S, template: &[u8], endian: Endian, low: u64) -> Self {
        let mut bytes = M::zero();
        for (j, block) in (0u64..).zip(bytes.as_mut().chunks_exact_mut(B::LEN)) {
            block.copy_from_slice(&template[..B::LEN]);
            endian.set_low(block, low.wrapping_add(j));
        }
        Self { bytes, block: PhantomData }
    }
    #[inline(always)]
    fn xor(mut self, _: S, other: Self) -> Self {
        for (b, o) in self.bytes.as_mut().iter_mut().zip(other.bytes.as_ref()) {
            *b ^= o;
        }
        self
    }
}
