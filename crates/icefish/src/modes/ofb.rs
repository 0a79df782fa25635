//! Output feedback (NIST SP 800-38A, section 6.4).

use super::{Chain, Grain, Mode};
use crate::Block;
use crate::cipher::{Cipher, Direction, Wide, encrypt_one};
use crate::isa::{InOut, Isa, Sink};

/// The cipher's output is encrypted again and again: a keystream, serial both ways. The IV must not be
/// used twice with a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ofb;

impl Mode for Ofb {
    #[inline]
    fn grain(&self) -> Grain {
        Grain::Stream
    }
    #[inline(always)]
    fn blocks<C: Cipher, D: Direction, S: Isa>(
        &self,
        isa: S,
        cipher: &C,
        chain: &mut Chain<C::Block>,
        mut io: InOut<'_>,
    ) {
        let len = C::Block::LEN;
        let zero = C::One::<S>::load(isa, C::Block::zero().as_ref());
        let again = cipher.whiten(isa, zero);
        let mut state = cipher.whiten(isa, C::One::<S>::load(isa, chain.block.as_ref()));
        while let Some((mut block, rest)) = io.split_at_checked(len) {
            let inner = cipher.middle(isa, state);
            state = cipher.finish(isa, inner, again);
            // Without the key that the next block begins with: a last round of its own would be in the way of the next.
            let mut output = cipher.whiten(isa, state);
            output.store(isa, block.sink_xor_input(0, len, 0));
            if rest.is_empty() {
                output.store(isa, Sink::new(chain.block.as_mut()));
            }
            io = rest;
        }
    }
    #[inline(always)]
    fn pad<C: Cipher, S: Isa>(&self, isa: S, cipher: &C, chain: &mut Chain<C::Block>) -> C::Block {
        chain.block = encrypt_one(isa, cipher, &chain.block);
        chain.block
    }
}
