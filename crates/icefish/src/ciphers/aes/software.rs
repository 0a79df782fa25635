//! AES without AES instructions: one function for all lengths of keys, which modes call.

use crate::cipher::{Direction, Room, STRIP, Strips};
use crate::isa::{AesRounds, Isa, Sink, Task, erase};
use core::marker::PhantomData;

/// Round keys of the longest key.
const MOST: usize = 15;

/// One block.
pub(super) struct Alone<'k, D> {
    keys: &'k [[u8; 16]],
    block: [u8; 16],
    direction: PhantomData<D>,
}

impl<'k, D> Alone<'k, D> {
    #[inline(always)]
    pub(super) fn new(keys: &'k [[u8; 16]], block: [u8; 16]) -> Self {
        Self { keys, block, direction: PhantomData }
    }
}

impl<D: Direction> Task for Alone<'_, D> {
    type Out = [u8; 16];
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) -> [u8; 16] {
        let mut block = self.block;
        if let [first, inner @ .., last] = self.keys {
            let x = S::AesOne::splat(isa, &block).xor(S::AesOne::splat(isa, first));
            let last = S::AesOne::splat(isa, last);
            let x = if D::ENCRYPT {
                x.inner(isa, inner).last(last)
            } else {
                let mut x = x;
                for key in inner {
                    x = x.dec(S::AesOne::splat(isa, key));
                }
                x.dec_last(last)
            };
            x.store_one(&mut Sink::new(&mut block), 0);
        }
        block
    }
}

/// As many states as take about as long one by one as in a batch.
#[inline(always)]
fn least<A: AesRounds<S>, S: Isa>() -> usize {
    if A::N > 4 { 4 } else { 2 }
}

/// Blocks, bit-sliced.
pub(super) struct Sliced<'k, 's, D> {
    keys: &'k [[u8; 16]],
    strips: &'k mut (dyn Strips + 's),
    direction: PhantomData<D>,
}

impl<'k, 's, D: Direction> Sliced<'k, 's, D> {
    #[inline(always)]
    pub(super) fn new(keys: &'k [[u8; 16]], strips: &'k mut (dyn Strips + 's)) -> Self {
        Self { keys, strips, direction: PhantomData }
    }

    /// The round keys. Slicing one costs as much as half a round, so each is sliced once.
    #[inline(always)]
    fn slice<S: Isa>(&self, isa: S) -> [S::Aes; MOST] {
        let mut keys = [S::Aes::splat(isa, &[0; 16]); MOST];
        for (i, key) in self.keys.iter().enumerate() {
            keys[i] = if D::ENCRYPT {
                S::Aes::round_key::<true>(isa, key, i, self.keys.len())
            } else {
                S::Aes::round_key::<false>(isa, key, i, self.keys.len())
            };
        }
        keys
    }
}

/// `R` registers of states that lie in `bytes`.
#[inline(always)]
fn batch<S: Isa, D: Direction, const R: usize>(isa: S, keys: &[S::Aes], bytes: &mut [u8]) {
    let register = 16 * S::Aes::N;
    let mut x = [S::Aes::load(isa, bytes); R];
    for i in 1..R {
        x[i] = S::Aes::load(isa, &bytes[register * i..]);
    }
    let x = if D::ENCRYPT {
        S::Aes::rounds::<true, R>(keys, x)
    } else {
        S::Aes::rounds::<false, R>(keys, x)
    };
    for i in (0..R).rev() {
        x[i].store(&mut Sink::new(bytes), register * i);
    }
}

impl<D: Direction> Task for Sliced<'_, '_, D> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let mut room = Room([0; STRIP]);
        let (mut len, register) = (self.strips.enter(&mut room.0), 16 * S::Aes::N);
        let sliced = if len >= 16 * least::<S::Aes, S>() { Some(self.slice(isa)) } else { None };
        while len > 0 {
            let mut at = 0;
            if let Some(keys) = &sliced {
                let keys = &keys[..self.keys.len()];
                while len - at >= 2 * register {
                    batch::<S, D, 2>(isa, keys, &mut room.0[at..at + 2 * register]);
                    at += 2 * register;
                }
                // What is past the end of the last blocks is of no meaning.
                while at < len && len - at >= 16 * least::<S::Aes, S>() {
                    batch::<S, D, 1>(isa, keys, &mut room.0[at..at + register]);
                    at += register;
                }
            }
            while at < len {
                let block = &mut room.0[at..at + 16];
                let x = Alone::<D>::new(self.keys, block.try_into().expect("16 bytes"));
                block.copy_from_slice(&isa.run(x));
                at += 16;
            }
            self.strips.leave(&room.0);
            len = self.strips.enter(&mut room.0);
        }
        erase(&mut room.0);
    }
}
