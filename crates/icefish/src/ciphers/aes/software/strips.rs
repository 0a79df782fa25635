//! Strips of blocks, bit-sliced where there are enough of them.

use super::{Alone, AnyLength, Few, most_few};
use crate::cipher::{Counters, Direct, Direction, FEW, Part, ROOM, STRIP, Source, Strip, Strips};
use crate::isa::{AesRounds, InOut, Isa, Room, Sink, Task, aligned_frame, erase};
use core::marker::PhantomData;
use core::mem::ManuallyDrop;

/// Takes strips through the cipher, bit-sliced where there are enough blocks.
pub(super) struct SlicedStrips<'a, 'k, 's, D> {
    pub(super) cipher: &'a AnyLength<'k>,
    pub(super) strips: &'a mut (dyn Strips + 's),
    pub(super) direction: PhantomData<D>,
}

impl<D: Direction> Task for SlicedStrips<'_, '_, '_, D> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        if self.strips.longest() <= most_few::<S>() {
            return isa.run(Batches { isa, sliced: &[], of: self });
        }
        // Slicing a round key takes time, on the set `Scalar` about as long as half a round, so each is sliced once for all strips.
        // The sliced keys are not erased (SECURITY.md): erasing them would take about 70 ns a call with AVX-512 (Zen 4).
        let keys = self.cipher.keys::<D>();
        let mut sliced = ManuallyDrop::new(Room::<S::Aes, SLICED>::new());
        for (i, key) in keys.iter().enumerate() {
            sliced.push(if D::ENCRYPT {
                S::Aes::round_key::<true>(isa, key, i, keys.len())
            } else {
                S::Aes::round_key::<false>(isa, key, i, keys.len())
            });
        }
        isa.run(Batches { isa, sliced: sliced.all(), of: self });
    }
}

/// Bytes of the sliced round keys of AES-256 with AVX-512.
const SLICED: usize = 15 * ROOM;

/// Takes strips through the cipher. `sliced` is empty if no strip has more than a few blocks.
struct Batches<'b, 'a, 'k, 's, S: Isa, D> {
    isa: S,
    sliced: &'b [S::Aes],
    of: SlicedStrips<'a, 'k, 's, D>,
}

impl<S: Isa, D: Direction> Task for Batches<'_, '_, '_, '_, S, D> {
    type Out = ();
    #[inline(always)]
    fn call<T: Isa>(self, _: T) {
        aligned_frame::<S::Aes>();
        let Self { isa, sliced, of: SlicedStrips { cipher, strips, direction } } = self;
        while let Some(strip) = strips.next() {
            let (bytes, len) = match strip {
                Strip::Message(part) if part.at > 0 || part.direct.before.is_empty() => {
                    isa.run(Long { isa, sliced, part, first: &[], direction });
                    continue;
                }
                Strip::Message(part) => {
                    let (mut first, direct) = ([0; STRIP], &part.direct);
                    let first = &mut first[..long::<S>()];
                    let (before, rest) = first.split_at_mut(direct.before.len());
                    before.copy_from_slice(direct.before);
                    rest.copy_from_slice(&direct.io.input()[..rest.len()]);
                    isa.run(Long { isa, sliced, part, first, direction });
                    erase(first);
                    continue;
                }
                Strip::Buffer(bytes, len) => (bytes, len),
            };
            let mut at = 0;
            if !sliced.is_empty() {
                at = len - len % long::<S>();
                if at > 0 {
                    in_place::<S, D>(isa, sliced, &mut bytes[..at]);
                }
                // Where `S::AesFour` is bit-sliced too, it would slice the keys again: a batch takes less time.
                let few = if S::AesFour::SLICED { 16 } else { most_few::<S>() };
                while len - at > few {
                    at += last::<S, D>(isa, sliced, &mut bytes[at..], len - at);
                }
            }
            match bytes[at..len].as_chunks_mut::<16>().0 {
                [] => {}
                [block] => isa.run(Alone { cipher, io: InOut::in_place(block), direction }),
                few => {
                    let (mut room, blocks) = ([0; FEW], few.len());
                    room[..16 * blocks].copy_from_slice(few.as_flattened());
                    isa.run(Few { cipher, room: &mut room, blocks, direction });
                    few.as_flattened_mut().copy_from_slice(&room[..16 * blocks]);
                    erase(&mut room);
                }
            }
        }
    }
}

/// [`Long`] for whole batches of a buffer.
#[inline(always)]
fn in_place<S: Isa, D: Direction>(isa: S, sliced: &[S::Aes], batches: &mut [u8]) {
    let (len, io) = (batches.len(), InOut::in_place(batches));
    let direct = Direct { io, before: &[], source: Source::Before(0), xor: None };
    let part = Part { direct, at: 0, len, backward: false };
    isa.run(Long { isa, sliced, part, first: &[], direction: PhantomData::<D> });
}

/// Bytes in a batch of [`Long`].
#[inline(always)]
pub(super) fn long<S: Isa>() -> usize {
    16 * S::Aes::LONG * S::Aes::N
}

/// Takes whole batches of a message or of a buffer through the cipher.
struct Long<'a, S: Isa, D> {
    isa: S,
    sliced: &'a [S::Aes],
    part: Part<'a>,
    /// The bytes that are one block before those of the first batch: the block before the message, and all blocks of the batch but
    /// the last. Empty if no byte before the message is needed.
    first: &'a [u8],
    direction: PhantomData<D>,
}

impl<S: Isa, D: Direction> Task for Long<'_, S, D> {
    type Out = ();
    #[inline(always)]
    fn call<T: Isa>(self, _: T) {
        aligned_frame::<S::Aes>();
        if S::Aes::LONG == 1 { self.batches::<1>() } else { self.batches::<2>() }
    }
}

impl<S: Isa, D: Direction> Long<'_, S, D> {
    #[inline(always)]
    fn batches<const R: usize>(self) {
        let Self { isa, sliced, part: Part { mut direct, at, len, backward }, first, .. } = self;
        let (size, batch) = (16 * S::Aes::N, long::<S>());
        for done in (0..len).step_by(batch) {
            let at = if backward { at + len - batch - done } else { at + done };
            let next = if backward { at.wrapping_sub(batch) } else { at + batch };
            direct.io.fetch(next, batch);
            let x = match direct.source {
                Source::Before(back) => {
                    let bytes = match at.checked_sub(back) {
                        Some(from) => &direct.io.input()[from..from + batch],
                        None => first,
                    };
                    let mut x = [S::Aes::load(isa, bytes); R];
                    for i in 1..R {
                        x[i] = S::Aes::load(isa, &bytes[size * i..]);
                    }
                    x
                }
                Source::Counters(Counters { template, endian, low }) => {
                    let template = template.try_into().expect("an AES block");
                    S::Aes::counter_batch::<R>(
                        isa,
                        template,
                        endian,
                        low.wrapping_add(at as u64 / 16),
                    )
                }
            };
            let x = if D::ENCRYPT {
                S::Aes::rounds::<true, R>(sliced, x)
            } else {
                S::Aes::rounds::<false, R>(sliced, x)
            };
            let mut sink = match direct.xor {
                None => direct.io.sink(at, batch),
                Some(back) => match at.checked_sub(back) {
                    Some(from) => direct.io.sink_xor_input(at, batch, from),
                    None => direct.io.sink(at, batch).xor(first),
                },
            };
            for i in (0..R).rev() {
                x[i].store(&mut sink, size * i);
            }
        }
    }
}

/// Takes `len` bytes of blocks through the cipher, but not more than one `S::Aes` has. Returns how many bytes it took.
/// It may overwrite the bytes after these.
#[inline(always)]
fn last<S: Isa, D: Direction>(isa: S, keys: &[S::Aes], bytes: &mut [u8], len: usize) -> usize {
    let (all, mut room) = (16 * S::Aes::N, [0; ROOM]);
    let (len, here) = (len.min(all), bytes.len() >= all);
    if !here {
        room[..len].copy_from_slice(&bytes[..len]);
    }
    let whole = if here { &mut bytes[..all] } else { &mut room[..all] };
    batch::<S, D>(isa, keys, whole);
    if !here {
        bytes[..len].copy_from_slice(&room[..len]);
        erase(&mut room);
    }
    len
}

/// Takes the states of one `S::Aes` in `bytes` through the cipher.
#[inline(always)]
fn batch<S: Isa, D: Direction>(isa: S, keys: &[S::Aes], bytes: &mut [u8]) {
    if S::Aes::LONG == 1 {
        return in_place::<S, D>(isa, keys, bytes);
    }
    let x = [S::Aes::load(isa, bytes)];
    let [x] = if D::ENCRYPT {
        S::Aes::rounds::<true, 1>(keys, x)
    } else {
        S::Aes::rounds::<false, 1>(keys, x)
    };
    x.store(&mut Sink::new(bytes), 0);
}
