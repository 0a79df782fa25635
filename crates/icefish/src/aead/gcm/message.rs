//! One message: the form that suits its length, and its tag.

use super::pass::{GcmPass, first_blocks};
use crate::Block;
use crate::block::{padded, put};
use crate::cipher::{Cipher, Encrypt, Many, Wide, With, Work, encrypt_one};
use crate::isa::{Endian, InOut, Isa, Polynomials, Sink, Task, whole_row};
use crate::mac::ghash::{Ghash, Hash, Last, Powers, SoFar};
use crate::modes::Ctr;

/// A message; the result is its whole tag.
pub(super) struct WholeMessage<'a, const SEAL: bool> {
    pub(super) powers: &'a Powers,
    pub(super) nonce: &'a [u8],
    pub(super) associated: &'a [u8],
    pub(super) io: InOut<'a>,
}

impl<const SEAL: bool> Work<[u8; 16]> for WholeMessage<'_, SEAL> {
    type Out = [u8; 16];
    #[inline(always)]
    fn call<C: Cipher<Block = [u8; 16]>, S: Isa>(self, isa: S, cipher: &C) -> [u8; 16] {
        if self.nonce.len() != 12 {
            return isa.run(With(cipher, HashedNonce(self)));
        }
        let Self { powers, nonce, associated, io } = self;
        let sum = powers.padded::<S, Ghash>(isa, associated);
        let first = counter_block(isa, powers, nonce);
        let (lengths, io) = (lengths(associated, io.len()), io.apart());
        let counted = FromCounterOne::<SEAL> { powers, first, sum, lengths, io };
        if C::is_short::<S>() && counted.io.len() == 16 {
            return counted.one_block(isa, cipher);
        }
        if !C::is_short::<S>() {
            return isa.run(With(cipher, Long::<SEAL, 1>(counted)));
        }
        if powers.takes(counted.io.len()) {
            here(isa, With(cipher, Brief(counted)))
        } else if S::Poly::N == 4 && counted.io.len() <= HALVES {
            here(isa, With(cipher, Long::<SEAL, 2>(counted)))
        } else {
            here(isa, With(cipher, Long::<SEAL, 1>(counted)))
        }
    }
}

/// Runs a task inlined. A call would store its arguments by words and load them by vectors; a short message would wait for that
/// stall. Unoptimised builds do call, because there every inlined part takes stack space of its own, megabytes in all.
#[inline(always)]
fn here<S: Isa, T: Task>(isa: S, task: T) -> T::Out {
    if cfg!(debug_assertions) { isa.run(task) } else { task.call(isa) }
}

/// The last block of the hash: the lengths in bits, of the associated data in the upper half.
#[inline(always)]
fn lengths(associated: &[u8], len: usize) -> u128 {
    u128::from((associated.len() as u64) << 3) << 64 | u128::from((len as u64) << 3)
}

/// The pre-counter block J0 (SP 800-38D, section 7.1, step 2).
#[inline(always)]
pub(super) fn counter_block<S: Isa>(isa: S, powers: &Powers, nonce: &[u8]) -> [u8; 16] {
    if nonce.len() == 12 {
        // By words, which the compiler joins in registers. A copy of 12 bytes would be loaded as a whole while its stores are
        // pending, and stall.
        let head = u64::from_le_bytes(<[u8; 8]>::take(nonce));
        let rest = u32::from_le_bytes(<[u8; 4]>::take(&nonce[8..]));
        return (u128::from(1u8) << 120 | u128::from(rest) << 64 | u128::from(head)).to_le_bytes();
    }
    let mut block = isa.run(Hash::<Ghash>::padded(powers, [0; 16], nonce));
    let bits = (8 * nonce.len() as u128).to_be_bytes();
    block = isa.run(Hash::<Ghash>::padded(powers, block, &bits));
    block.reverse();
    block
}

/// A message with a nonce of 12 bytes. Its counter begins at 1, so it never wraps.
struct FromCounterOne<'a, const SEAL: bool> {
    powers: &'a Powers,
    /// The pre-counter block J0.
    first: [u8; 16],
    /// The hash of the associated data.
    sum: [u8; 16],
    lengths: u128,
    io: InOut<'a>,
}

impl<const SEAL: bool> FromCounterOne<'_, SEAL> {
    /// One block, entirely in registers.
    #[inline(always)]
    fn one_block<C: Cipher<Block = [u8; 16]>, S: Isa>(self, isa: S, cipher: &C) -> [u8; 16] {
        let Self { powers, first, sum, lengths, mut io } = self;
        // J0 ends in the counter 1, and the block after it in 2.
        let second = (u128::from_le_bytes(first) ^ 3 << 120).to_le_bytes();
        let blocks = [first, second].map(|block| C::One::<S>::load(isa, &block));
        let [mut mask, mut pad] = cipher.side_by_side(isa, blocks);
        let mut ciphertext = <[u8; 16]>::take(io.input());
        pad.store(isa, io.sink_xor_input(0, 16, 0));
        if SEAL {
            ciphertext = <[u8; 16]>::take(io.output());
        }
        let mut block = [0; 16];
        mask.store(isa, Sink::new(&mut block));
        let last = Last::new(&[], Some(lengths));
        let sum = powers.parts::<S, Ghash>(isa, &SoFar::new(sum), &ciphertext, &last);
        tag(isa, &sum, &block)
    }
}

/// The low 64 bits of the first counter.
#[inline(always)]
pub(super) fn low(first: &[u8; 16]) -> u64 {
    Endian::Big.low(first) + 1
}

/// Encrypts or decrypts the last, incomplete block. Returns what ends the hash: from registers, because loading the bytes again
/// would wait for their stores, which are narrower.
#[inline(always)]
fn last<C: Cipher<Block = [u8; 16]>, S: Isa, const SEAL: bool>(
    isa: S,
    cipher: &C,
    first: &[u8; 16],
    blocks: usize,
    mut part: InOut<'_>,
    lengths: u128,
) -> Last {
    if part.is_empty() {
        return Last::new(&[], Some(lengths));
    }
    let pad = encrypt_one(isa, cipher, &Ctr::BE32.block(first, 1 + blocks as u128));
    let (input, there) = (padded(part.input()), u128::MAX >> (128 - 8 * part.len()));
    let output = (input ^ u128::from_le_bytes(pad)) & there;
    put(output, part.output());
    Last::of(if SEAL { output } else { input }, Some(lengths))
}

/// The tag of a message whose hash is `sum`.
#[inline(always)]
pub(super) fn tag<S: Isa>(isa: S, sum: &[u8; 16], mask: &[u8; 16]) -> [u8; 16] {
    S::PolyOne::first(isa, sum).reverse_bytes().xor(S::PolyOne::first(isa, mask)).sum()
}

/// A message of at most as many blocks as there are powers: its hash is one sum.
struct Brief<'a, const SEAL: bool>(FromCounterOne<'a, SEAL>);

impl<const SEAL: bool> Work<[u8; 16]> for Brief<'_, SEAL> {
    type Out = [u8; 16];
    #[inline(always)]
    fn call<C: Cipher<Block = [u8; 16]>, S: Isa>(self, isa: S, cipher: &C) -> [u8; 16] {
        let FromCounterOne { powers, first, mut sum, lengths, io } = self.0;
        let blocks = io.len() / 16;
        let (mut io, tail) = io.split_at(16 * blocks);
        let last = self::last::<C, S, SEAL>(isa, cipher, &first, blocks, tail, lengths);
        if !SEAL {
            sum = powers.parts::<S, Ghash>(isa, &SoFar::new(sum), io.input(), &last);
        }
        let mut pass = Ctr::BE32.pass(io.reborrow(), &first, low(&first));
        cipher.many::<S, Encrypt, _>(isa, &mut pass, blocks);
        let mask = encrypt_one(isa, cipher, &first);
        if SEAL {
            sum = powers.parts::<S, Ghash>(isa, &SoFar::new(sum), io.output(), &last);
        }
        tag(isa, &sum, &mask)
    }
}

/// Where a vector has four polynomials, messages of at most this many bytes are hashed in halves of a group
/// ([`Group`](crate::mac::ghash::Group)).
const HALVES: usize = 1280;

/// A message of any length. `PART` is that of [`GcmPass`].
struct Long<'a, const SEAL: bool, const PART: usize>(FromCounterOne<'a, SEAL>);

impl<const SEAL: bool, const PART: usize> Work<[u8; 16]> for Long<'_, SEAL, PART> {
    type Out = [u8; 16];
    #[inline(always)]
    fn call<C: Cipher<Block = [u8; 16]>, S: Isa>(self, isa: S, cipher: &C) -> [u8; 16] {
        let FromCounterOne { powers, first, mut sum, lengths, io } = self.0;
        let blocks = io.len() / 16;
        let (mut io, tail) = io.split_at(16 * blocks);
        let last = self::last::<C, S, SEAL>(isa, cipher, &first, blocks, tail, lengths);
        let mask = encrypt_one(isa, cipher, &first);
        let mut so_far = SoFar::new(sum);
        // Opening a message of less than a group: the whole hash is computed before the decryption.
        let early = !SEAL && blocks < S::Poly::SUM;
        if early {
            sum = isa.run(Hash::<Ghash>::new(powers, so_far, io.input(), last));
        }
        let (mut low, mut hashed) = (low(&first), if early { io.len() } else { 0 });
        if PART == 1 {
            io = first_blocks::<C, S, SEAL>(isa, cipher, io, first, &mut low, powers, &mut so_far);
        }
        let blocks = io.len() / 16;
        let pass = GcmPass::<SEAL, PART> {
            io: io.reborrow(),
            template: whole_row(first),
            low,
            powers,
            so_far: &mut so_far,
            hashed: &mut hashed,
        };
        let many = Many::<_, _, Encrypt>::new(cipher, pass, blocks);
        if C::is_short::<S>() && !GcmPass::<SEAL, PART>::spills_vectors::<S>() {
            here(isa, many)
        } else {
            isa.run(many)
        }
        let hash = Hash::<Ghash>::new(powers, so_far, &io.output()[hashed..], last);
        if !early {
            sum = if C::is_short::<S>() { here(isa, hash) } else { isa.run(hash) };
        }
        tag(isa, &sum, &mask)
    }
}

/// A message whose nonce is hashed. Its counter then begins at a secret value, so it uses the constant-time form of counter mode.
/// The hash is a separate pass.
struct HashedNonce<'a, const SEAL: bool>(WholeMessage<'a, SEAL>);

impl<const SEAL: bool> Work<[u8; 16]> for HashedNonce<'_, SEAL> {
    type Out = [u8; 16];
    const FUSED: bool = false;
    #[inline(always)]
    fn call<C: Cipher<Block = [u8; 16]>, S: Isa>(self, isa: S, cipher: &C) -> [u8; 16] {
        let WholeMessage { powers, nonce, associated, mut io } = self.0;
        let first = counter_block(isa, powers, nonce);
        let lengths = lengths(associated, io.len());
        let mut sum = isa.run(Hash::<Ghash>::padded(powers, [0; 16], associated));
        if !SEAL {
            sum = isa.run(Hash::<Ghash>::padded(powers, sum, io.input()));
        }
        Ctr::BE32.message_from_secret(isa, cipher, first, 1, io.reborrow());
        if SEAL {
            sum = isa.run(Hash::<Ghash>::padded(powers, sum, io.output()));
        }
        let last = Last::new(&[], Some(lengths));
        sum = isa.run(Hash::<Ghash>::new(powers, SoFar::new(sum), &[], last));
        tag(isa, &sum, &encrypt_one(isa, cipher, &first))
    }
}
