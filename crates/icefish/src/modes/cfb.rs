//! Cipher feedback with segments of a whole block (NIST SP 800-38A, section 6.3, s = b).

use super::chain::{Chained, Longer, last_block, store_last, store_only, take_blocks};
use super::{Chain, DependsOn, Granularity, Mode};
use crate::Block;
use crate::cipher::{
    self, Cipher, Direct, Direction, Encrypt, Pass, Source, Way, Wide, Work, Xor, encrypt_one,
};
use crate::isa::{InOut, Isa};

/// The previous ciphertext block is encrypted and XORed with the plaintext. Encryption is serial, decryption parallel. An IV must
/// not be used twice with one key.
///
/// Segments are a block here and a byte in [`Cfb8`](super::Cfb8). The standard allows every number of bits up to a block (CFB1,
/// CFB64); the others are left out.
///
/// ```
/// use icefish::{Key, ciphers::Aes128, modes::Cfb};
/// let key = Key::<Aes128>::new(&[7; 16])?;
/// let mut data = [5; 20];
/// key.encrypt(Cfb, &[1; 16], &mut data)?;
/// key.decrypt(Cfb, &[1; 16], &mut data)?;
/// assert_eq!(data, [5; 20]);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cfb;

/// Decryption, from the last batch to the first, as in [`super::Cbc`].
struct CfbDecrypt<'a, B> {
    io: InOut<'a>,
    iv: &'a B,
}

impl<B: Block> Pass for CfbDecrypt<'_, B> {
    const BACKWARD: bool = true;
    type Beside<S: Isa> = ();

    #[inline(always)]
    fn fetch(&self, at: usize, count: usize) {
        self.io.fetch(at * B::LEN, count * B::LEN);
    }
    #[inline(always)]
    fn enter<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize) -> W {
        if at > 0 {
            let from = (at - 1) * B::LEN;
            return cipher::load::<S, W, B>(isa, &self.io.input()[from..from + count * B::LEN]);
        }
        let mut before = W::Bytes::zero();
        let len = count * B::LEN;
        before.as_mut()[..B::LEN].copy_from_slice(self.iv.as_ref());
        before.as_mut()[B::LEN..len].copy_from_slice(&self.io.input()[..len - B::LEN]);
        cipher::load::<S, W, B>(isa, &before.as_ref()[..W::BLOCKS * B::LEN])
    }
    #[inline(always)]
    fn reenter<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize, blocks: &mut W) {
        if at == 0 {
            *blocks = self.enter(isa, at, count);
            return;
        }
        let from = (at - 1) * B::LEN;
        let bytes = &self.io.input()[from..from + count * B::LEN];
        cipher::reload::<S, W, B>(isa, bytes, blocks);
    }
    #[inline(always)]
    fn leave<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize, blocks: &mut W) {
        let (at, len) = (at * B::LEN, count * B::LEN);
        cipher::store::<S, W, B>(isa, blocks, &mut self.io, at, len, Xor::Backward(at));
    }
    #[inline(always)]
    fn direct(&mut self) -> Option<Direct<'_>> {
        let before = self.iv.as_ref();
        let (io, source) = (self.io.reborrow(), Source::Before(B::LEN));
        Some(Direct { io, before, source, xor: Some(0) })
    }
}

/// Encrypts whole blocks without [`Cipher::held`], which would keep the round keys in registers: the caller also uses the cipher for
/// other work in the same function.
#[inline(always)]
pub(crate) fn encrypt<C: Cipher, S: Isa>(isa: S, cipher: &C, iv: &mut C::Block, io: InOut<'_>) {
    Encryption { before: *iv, next: Some(iv), io }.call(isa, cipher);
}

/// The plaintext is whitened and XORed in by the last step of the cipher, so that the result is the state with which the next block
/// begins.
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
        let Self { before, next, mut io } = self;
        let mut state = cipher.whiten(isa, C::One::<S>::load(isa, before.as_ref()));
        while let Some((mut block, rest)) = io.split_at_checked(B::LEN) {
            let plain = C::One::<S>::load(isa, block.input());
            let inner = cipher.middle(isa, state);
            if rest.is_empty() {
                // No block waits for this state. The plaintext is XORed in after the cipher: if it was written just before, nothing but
                // this XOR waits for it.
                let zero = C::One::<S>::load(isa, B::zero().as_ref());
                let last = cipher.finish(isa, inner, zero).xor(isa, plain);
                return store_last(isa, last, block.sink(0, B::LEN), next);
            }
            state = cipher.finish(isa, inner, cipher.whiten(isa, plain));
            // Whitening twice cancels. A separate last round for the output would delay the next block.
            cipher.whiten(isa, state).store(isa, block.sink(0, B::LEN));
            io = rest;
        }
    }
}

impl Chained for Cfb {
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
            take_blocks::<_, Encrypt, _, _>(isa, cipher, CfbDecrypt { io, iv: &before }, blocks);
            chain.set_block(last);
        }
    }
}

/// One block, inlined.
#[inline(always)]
fn one<C: Cipher, D: Direction, S: Isa>(
    isa: S,
    cipher: &C,
    chain: Chain<'_, C::Block>,
    mut io: InOut<'_>,
) {
    let block = C::One::<S>::load(isa, io.input());
    let before = C::One::<S>::load(isa, chain.block().as_ref());
    let output = cipher.one::<S, Encrypt>(isa, before).xor(isa, block);
    let ciphertext = if D::ENCRYPT { output } else { block };
    store_only(isa, output, io.sink(0, C::Block::LEN), ciphertext, chain);
}

impl Mode for Cfb {
    #[inline]
    fn granularity(&self) -> Granularity {
        Granularity::Stream
    }
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
            return one::<C, D, S>(isa, cipher, chain, io);
        }
        core::hint::cold_path();
        Longer::<_, Self, D>::new(cipher, chain, io).run::<S>(isa);
    }
    #[inline(always)]
    fn pad<C: Cipher, S: Isa>(&self, isa: S, cipher: &C, chain: Chain<'_, C::Block>) -> C::Block {
        encrypt_one(isa, cipher, chain.block())
    }
    #[inline]
    fn feedback(&self) -> bool {
        true
    }
}
