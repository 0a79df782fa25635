//! Output feedback (NIST SP 800-38A, section 6.4).

use super::chain::{Chained, Longer, store_only};
use super::{Chain, Granularity, Mode};
use crate::Block;
use crate::cipher::{Cipher, Direction, Encrypt, Wide, Work, encrypt_one};
use crate::isa::{InOut, Isa, Sink};

/// The output of the cipher is its next input, and is the keystream. Both directions are serial. An IV must not be used twice
/// with one key.
///
/// ```
/// use icefish::{Key, ciphers::Aes128, modes::Ofb};
/// let key = Key::<Aes128>::new(&[7; 16])?;
/// let mut data = [5; 20];
/// key.encrypt(Ofb, &[1; 16], &mut data)?;
/// key.decrypt(Ofb, &[1; 16], &mut data)?;
/// assert_eq!(data, [5; 20]);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ofb;

/// Whole blocks, in either direction.
struct Keystream<'a, 'io, B: Block> {
    chain: Chain<'a, B>,
    io: InOut<'io>,
}

impl<B: Block> Work<B> for Keystream<'_, '_, B> {
    type Out = ();
    #[inline(always)]
    fn call<C: Cipher<Block = B>, S: Isa>(self, isa: S, cipher: &C) {
        let Self { chain, mut io } = self;
        let zero = C::One::<S>::load(isa, B::zero().as_ref());
        let again = cipher.whiten(isa, zero);
        let mut state = cipher.whiten(isa, C::One::<S>::load(isa, chain.block().as_ref()));
        let next = chain.next_block();
        let len = B::LEN;
        while let Some((mut block, rest)) = io.split_at_checked(len) {
            let inner = cipher.middle(isa, state);
            state = cipher.finish(isa, inner, again);
            // Removes the key that the next block begins with. A separate last round for the output would delay the next block.
            state.xor(isa, again).store(isa, block.sink_xor_input(0, len, 0));
            io = rest;
        }
        if let Some(next) = next {
            cipher.whiten(isa, state).store(isa, Sink::new(next.as_mut()));
        }
    }
}

impl Chained for Ofb {
    #[inline(always)]
    fn longer<C: Cipher, D: Direction, S: Isa>(
        isa: S,
        cipher: &C,
        chain: Chain<'_, C::Block>,
        io: InOut<'_>,
    ) {
        cipher.held(isa, Keystream { chain, io });
    }
}

/// One block, inlined.
#[inline(always)]
fn one<C: Cipher, S: Isa>(isa: S, cipher: &C, chain: Chain<'_, C::Block>, mut io: InOut<'_>) {
    let before = C::One::<S>::load(isa, chain.block().as_ref());
    let pad = cipher.one::<S, Encrypt>(isa, before);
    store_only(isa, pad, io.sink_xor_input(0, C::Block::LEN, 0), pad, chain);
}

impl Mode for Ofb {
    #[inline]
    fn granularity(&self) -> Granularity {
        Granularity::Stream
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
            return one(isa, cipher, chain, io);
        }
        core::hint::cold_path();
        // The same in both directions.
        Longer::<_, Self, Encrypt>::new(cipher, chain, io).run::<S>(isa);
    }
    #[inline(always)]
    fn pad<C: Cipher, S: Isa>(&self, isa: S, cipher: &C, chain: Chain<'_, C::Block>) -> C::Block {
        let pad = encrypt_one(isa, cipher, chain.block());
        chain.set_block(pad);
        pad
    }
}
