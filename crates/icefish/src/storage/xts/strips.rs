//! Two or more whole blocks, on instruction sets without AES instructions. A strip of the message is XORed with its tweaks, goes
//! through the cipher in place, and is XORed with the same tweaks again. On these sets the cipher is a call that works in memory,
//! so blocks cannot stay in registers.

use crate::cipher::{Cipher, Direction};
use crate::isa::{InOut, Isa, Lanes, Sink, Task, times_x};

/// Bytes of a strip. A strip fits in the L1 cache. AES bit-slices its round keys once a strip, which takes little time compared with
/// encrypting the strip.
const STRIP: usize = 16 * 1024;

/// The largest number of lanes of 64 bits in a vector.
const LANES: usize = 8;

/// Encrypts or decrypts whole blocks. `tweak` is the tweak of the first one. Returns the tweak of the block after the last one.
#[inline(always)]
pub(super) fn many<C: Cipher<Block = [u8; 16]>, D: Direction, S: Isa>(
    isa: S,
    cipher: &C,
    mut tweak: u128,
    mut io: InOut<'_>,
) -> u128 {
    while !io.is_empty() {
        let len = io.len().min(STRIP);
        let (mut strip, rest) = io.split_at(len);
        isa.run(XorTweaks { tweak, io: strip.reborrow() });
        cipher.in_place::<S, D>(isa, strip.output());
        tweak = isa.run(XorTweaks { tweak, io: InOut::in_place(strip.output()) });
        io = rest;
    }
    tweak
}

/// XORs whole blocks with their tweaks, of which `tweak` is the first. Returns the tweak of the block after the last one.
struct XorTweaks<'a> {
    tweak: u128,
    io: InOut<'a>,
}

impl Task for XorTweaks<'_> {
    type Out = u128;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) -> u128 {
        const { assert!(<S::U64 as Lanes<S, u64>>::N <= LANES) };
        let Self { mut tweak, mut io } = self;
        let mut room = [0; 16 * LANES];
        let tweaks = &mut room[..16 * S::U64::N];
        for to in tweaks.chunks_exact_mut(16) {
            to.copy_from_slice(&tweak.to_le_bytes());
            tweak = times_x(tweak);
        }
        let mut words = S::U64::gather::<2>(isa, tweaks);
        let end = io.len() - io.len() % tweaks.len();
        for at in (0..end).step_by(tweaks.len()) {
            S::U64::scatter(words, io.sink_xor_input(at, tweaks.len(), at));
            words = next::<S>(words);
        }
        S::U64::scatter(words, Sink::new(tweaks));
        let (few, after) = tweaks.split_at(io.len() - end);
        io.xor_bytes(end, few);
        u128::from_le_bytes(
            *after.first_chunk().expect("fewer blocks are left than there are lanes"),
        )
    }
}

/// The low and the high halves of tweaks times x^N, for N lanes.
#[inline(always)]
fn next<S: Isa>([low, high]: [S::U64; 2]) -> [S::U64; 2] {
    let n = S::U64::N as u32;
    let (carry, out) = (low.shr(64 - n), high.shr(64 - n));
    let reduced = out ^ out.shl(1).xor3(out.shl(2), out.shl(7));
    [low.shl(n) ^ reduced, high.shl(n) ^ carry]
}
