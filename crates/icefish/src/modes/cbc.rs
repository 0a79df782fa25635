//! Cipher block chaining (NIST SP 800-38A, section 6.2).

use super::chain::{Chained, Longer, last_block, store_last, store_only, take_blocks};
use super::{Chain, DependsOn, Mode};
use crate::Block;
use crate::cipher::{
    self, Cipher, Decrypt, Direct, Direction, Encrypt, Pass, Source, Way, Wide, Work, Xor,
};
use crate::isa::{InOut, Isa, opaque};

/// Each plaintext block is XORed with the ciphertext block before it, and then encrypted. Encryption is serial,
/// decryption parallel. The IV must be unpredictable.
///
/// ```
/// use icefish::{Key, ciphers::Aes128, modes::Cbc};
/// let key = Key::<Aes128>::new(&[7; 16])?;
/// let mut data = [5; 32];
/// key.encrypt(Cbc, &[1; 16], &mut data)?;
/// key.decrypt(Cbc, &[1; 16], &mut data)?;
/// assert_eq!(data, [5; 32]);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cbc;

/// The largest batch, in blocks, for which [`CbcDecrypt`] copies the blocks before it one by one.
const FEW: usize = 4;

/// Decryption, from the last batch to the first. In place, the ciphertext block before a batch is thus not yet overwritten.
struct CbcDecrypt<'a, B> {
    io: InOut<'a>,
    iv: &'a B,
}

impl<B: Block> Pass for CbcDecrypt<'_, B> {
    const BACKWARD: bool = true;
    type Beside<S: Isa> = ();

    #[inline(always)]
    fn fetch(&self, at: usize, count: usize) {
        self.io.fetch(at * B::LEN, count * B::LEN);
    }
    #[inline(always)]
    fn enter<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize) -> W {
        cipher::load::<S, W, B>(isa, &self.io.input()[at * B::LEN..(at + count) * B::LEN])
    }
    #[inline(always)]
    fn reenter<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize, blocks: &mut W) {
        let bytes = &self.io.input()[at * B::LEN..(at + count) * B::LEN];
        cipher::reload::<S, W, B>(isa, bytes, blocks);
    }
    #[inline(always)]
    fn leave<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize, blocks: &mut W) {
        let len = count * B::LEN;
        if at > 0 {
            let before = Xor::Backward((at - 1) * B::LEN);
            return cipher::store::<S, W, B>(isa, blocks, &mut self.io, at * B::LEN, len, before);
        }
        let mut before = W::Bytes::zero();
        // Behind a barrier, if it stays in registers: the compiler would read more than the IV, with one load that waits for the
        // stores of what follows the IV.
        let iv = if W::BLOCKS <= FEW { opaque(self.iv) } else { self.iv };
        before.as_mut()[..B::LEN].copy_from_slice(iv.as_ref());
        let earlier = &self.io.input()[..len - B::LEN];
        if W::BLOCKS <= FEW {
            // Block by block, so that the compiler keeps the copy in registers. In memory, it would be read by one load that is
            // wider than the stores before it, and such a load waits for them. A larger batch would need too many registers.
            let copies = before.as_mut()[B::LEN..len].chunks_exact_mut(B::LEN);
            for (copy, block) in copies.zip(earlier.chunks_exact(B::LEN)) {
                copy.copy_from_slice(block);
            }
        } else {
            before.as_mut()[B::LEN..len].copy_from_slice(earlier);
        }
        blocks.settle(isa);
        let before = Xor::Bytes(before.as_ref());
        cipher::store::<S, W, B>(isa, blocks, &mut self.io, 0, len, before);
    }
    #[inline(always)]
    fn direct(&mut self) -> Option<Direct<'_>> {
        let before = self.iv.as_ref();
        let (io, source) = (self.io.reborrow(), Source::Before(0));
        Some(Direct { io, before, source, xor: Some(B::LEN) })
    }
}

/// Encrypts whole blocks without [`Cipher::held`], which would keep the round keys in registers: the caller also uses the cipher for
/// other work in the same function.
#[inline(always)]
pub(crate) fn encrypt<C: Cipher, S: Isa>(isa: S, cipher: &C, iv: &mut C::Block, io: InOut<'_>) {
    Encryption { before: *iv, next: Some(iv), io }.call(isa, cipher);
}

/// Encryption of whole blocks. The plaintext of the following block is XORed in by the last step of the cipher. AES XORs it into
/// the last round key beforehand, so this XOR is not on the dependency chain from block to block. Without that, two blocks with
/// AES-128 would take 37 cycles instead of 40 if messages are independent, and 76 instead of 73 if each waits for the one before
/// (Intel family 6 model 167).
struct Encryption<'a, 'io, B> {
    before: B,
    /// Where the chaining value is written, if anything continues.
    next: Option<&'a mut B>,
    io: InOut<'io>,
}

impl<B: Block> Work<B> for Encryption<'_, '_, B> {
    type Out = ();
    #[inline(always)]
    fn call<C: Cipher<Block = B>, S: Isa>(self, isa: S, cipher: &C) {
        let Self { before, next, io } = self;
        let Some(mut parts) = io.parts(B::LEN) else { return };
        let chain = C::One::<S>::load(isa, before.as_ref());
        let plain = C::One::<S>::load(isa, parts.first());
        let mut inner = cipher.middle(isa, cipher.whiten(isa, plain).xor(isa, chain));
        while let Some((plain, block)) = parts.next_with_before() {
            let with = cipher.whiten(isa, C::One::<S>::load(isa, plain));
            let [state, mut output] = cipher.finish_twice(isa, inner, with);
            output.store(isa, block);
            inner = cipher.middle(isa, state);
        }
        let zero = C::One::<S>::load(isa, B::zero().as_ref());
        store_last(isa, cipher.finish(isa, inner, zero), parts.last(), next);
    }
}

impl Chained for Cbc {
    #[inline(always)]
    fn longer<C: Cipher, D: Direction, S: Isa>(
        isa: S,
        cipher: &C,
        chain: Chain<'_, C::Block>,
        io: InOut<'_>,
    ) {
        let before = *chain.block();
        if D::ENCRYPT {
            cipher.held(isa, Encryption { before, next: chain.next_block(), io });
        } else if let Some(last) = last_block(&io) {
            let blocks = io.len() / C::Block::LEN;
            take_blocks::<_, Decrypt, _, _>(isa, cipher, CbcDecrypt { io, iv: &before }, blocks);
            chain.set_block(last);
        }
    }
}

/// One block, inlined. A longer message would keep the round keys in registers first.
#[inline(always)]
fn encrypt_one<C: Cipher, S: Isa>(
    isa: S,
    cipher: &C,
    chain: Chain<'_, C::Block>,
    mut io: InOut<'_>,
) {
    let before = C::One::<S>::load(isa, chain.block().as_ref());
    let block = C::One::<S>::load(isa, io.input()).xor(isa, before);
    let block = cipher.one::<S, Encrypt>(isa, block);
    store_only(isa, block, io.sink(0, C::Block::LEN), block, chain);
}

/// The same, or the task of longer messages.
#[inline(always)]
fn decrypt_one<C: Cipher, S: Isa>(
    isa: S,
    cipher: &C,
    chain: Chain<'_, C::Block>,
    mut io: InOut<'_>,
) {
    let block = C::One::<S>::load(isa, io.input());
    let before = C::One::<S>::load(isa, chain.block().as_ref());
    if let Some(plain) = cipher.decrypt_xor_now(isa, block, before) {
        return store_only(isa, plain, io.sink(0, C::Block::LEN), block, chain);
    }
    core::hint::cold_path();
    Longer::<_, Cbc, Decrypt>::new(cipher, chain, io).run::<S>(isa);
}

impl Mode for Cbc {
    #[inline]
    fn depends_on(&self, way: Way) -> Option<DependsOn> {
        (way == Way::Decrypt).then_some(DependsOn::Ciphertext)
    }
    #[inline(always)]
    fn blocks<C: Cipher, D: Direction, S: Isa>(
        &self,
        isa: S,
        cipher: &C,
        chain: Chain<'_, C::Block>,
        io: InOut<'_>,
    ) {
        if C::takes_one::<S>() && io.len() == C::Block::LEN {
            return if D::ENCRYPT {
                encrypt_one(isa, cipher, chain, io)
            } else {
                decrypt_one(isa, cipher, chain, io)
            };
        }
        // The path of one block is then without a jump.
        core::hint::cold_path();
        Longer::<_, Self, D>::new(cipher, chain, io).run::<S>(isa);
    }
}
