//! AES without AES instructions: one function for all lengths of keys, which modes call.

use crate::cipher::{Direction, Strips};
use crate::isa::{AesRounds, Isa, Sink, Task, erase};
use core::marker::PhantomData;

/// Round keys of the longest key.
const MOST: usize = 15;

/// One block.
pub(super) struct Alone<'k, D> {
    keys: &'k [[u8; 16]],
    block: &'k mut [u8; 16],
    direction: PhantomData<D>,
}

impl<'k, D> Alone<'k, D> {
    #[inline(always)]
    pub(super) fn new(keys: &'k [[u8; 16]], block: &'k mut [u8; 16]) -> Self {
        Self { keys, block, direction: PhantomData }
    }
}

impl<D: Direction> Task for Alone<'_, D> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        if let [first, inner @ .., last] = self.keys {
            let x = S::AesOne::splat(isa, self.block).xor(S::AesOne::splat(isa, first));
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
            x.store_one(&mut Sink::new(self.block), 0);
        }
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

impl<'k, 's, D> Sliced<'k, 's, D> {
    #[inline(always)]
    pub(super) fn new(keys: &'k [[u8; 16]], strips: &'k mut (dyn Strips + 's)) -> Self {
        Self { keys, strips, direction: PhantomData }
    }
}

/// The round keys. Slicing one costs as much as half a round, so each is sliced once.
#[inline(always)]
fn slice<S: Isa, D: Direction>(isa: S, keys: &[[u8; 16]]) -> [S::Aes; MOST] {
    let mut sliced = [S::Aes::splat(isa, &[0; 16]); MOST];
    for (i, key) in keys.iter().enumerate() {
        sliced[i] = if D::ENCRYPT {
            S::Aes::round_key::<true>(isa, key, i, keys.len())
        } else {
            S::Aes::round_key::<false>(isa, key, i, keys.len())
        };
    }
    sliced
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

/// Bytes of the widest register.
const REGISTER: usize = 512;

impl<D: Direction> Task for Sliced<'_, '_, D> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let (register, least) = (16 * S::Aes::N, 16 * least::<S::Aes, S>());
        let (mut bytes, mut len) = self.strips.next();
        // No strip is longer than the first.
        let sliced = if len >= least { Some(slice::<S, D>(isa, self.keys)) } else { None };
        while len > 0 {
            let mut at = 0;
            if let Some(keys) = &sliced {
                let keys = &keys[..self.keys.len()];
                while len - at >= 2 * register {
                    batch::<S, D, 2>(isa, keys, &mut bytes[at..at + 2 * register]);
                    at += 2 * register;
                }
                while at < len && len - at >= least {
                    at += last::<S, D>(isa, keys, &mut bytes[at..], len - at);
                }
            }
            for block in bytes[at..len].as_chunks_mut::<16>().0 {
                isa.run(Alone::<D>::new(self.keys, block));
            }
            (bytes, len) = self.strips.next();
        }
    }
}

/// Up to a register of blocks, `len` bytes; returns how many were done. What follows them is of no meaning, if there is
/// something.
#[inline(always)]
fn last<S: Isa, D: Direction>(isa: S, keys: &[S::Aes], bytes: &mut [u8], len: usize) -> usize {
    let (register, mut room) = (16 * S::Aes::N, [0; REGISTER]);
    let (len, here) = (len.min(register), bytes.len() >= register);
    if !here {
        room[..len].copy_from_slice(&bytes[..len]);
    }
    let whole = if here { &mut bytes[..register] } else { &mut room[..register] };
    batch::<S, D, 1>(isa, keys, whole);
    if !here {
        bytes[..len].copy_from_slice(&room[..len]);
        erase(&mut room);
    }
    len
}
