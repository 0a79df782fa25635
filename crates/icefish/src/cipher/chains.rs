//! Chains of blocks, several in parallel: how serial modes take many messages.

use super::{Cipher, Encrypt, Wide};
use crate::Block;
use crate::isa::{Extension, Isa, MOST, Row, Sink, Streams, Task, erase};
use core::marker::PhantomData;

/// How each block of a chain depends on the one before, as a type.
///
/// ```
/// use icefish::cipher::{CbcChain, Chaining, MacChain};
/// assert!(CbcChain::WRITES && !MacChain::WRITES);
/// ```
pub trait Chaining: Copy + Send + Sync + 'static {
    /// Whether the cipher's input is the data XORed with the output before (CBC). Otherwise its input is the output before, and
    /// the new output is XORed with the data (CFB).
    const BEFORE: bool;
    /// Whether each block is written back to where its data was. The last one becomes the chaining value in any case.
    const WRITES: bool;
}

/// Cipher block chaining (NIST SP 800-38A, section 6.2).
///
/// ```
/// use icefish::cipher::{Chaining, CbcChain};
/// assert!(CbcChain::BEFORE && CbcChain::WRITES);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CbcChain;

/// Cipher feedback (NIST SP 800-38A, section 6.3).
///
/// ```
/// use icefish::cipher::{Chaining, CfbChain};
/// assert!(!CfbChain::BEFORE && CfbChain::WRITES);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CfbChain;

/// CBC without output, as in CMAC (NIST SP 800-38B, section 6.2).
///
/// ```
/// use icefish::cipher::{Chaining, MacChain};
/// assert!(MacChain::BEFORE && !MacChain::WRITES);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MacChain;

impl Chaining for CbcChain {
    const BEFORE: bool = true;
    const WRITES: bool = true;
}
impl Chaining for CfbChain {
    const BEFORE: bool = false;
    const WRITES: bool = true;
}
impl Chaining for MacChain {
    const BEFORE: bool = true;
    const WRITES: bool = false;
}

/// Bytes of one block of each lane: the largest batch of any cipher on the widest backends.
const ROOM: usize = 4096;

/// The largest number of chains for [`by_batches`].
pub(crate) fn batch<C: Cipher, S: Isa>() -> usize {
    C::batch::<S>().min(MOST).min(ROOM / C::Block::LEN)
}

/// [`Cipher::chains`] under one key, by [`Cipher::in_place`]. The chaining values are in memory.
#[inline(always)]
pub(crate) fn by_batches<C: Cipher, S: Isa, H: Chaining>(
    cipher: &C,
    isa: S,
    streams: &mut Streams<'_, C::Block>,
) {
    let (size, count) = (C::Block::LEN, streams.count());
    let mut open = streams.blocks();
    let mut room = [0; ROOM];
    let blocks = &mut room[..size * count];
    for (lane, block) in blocks.chunks_exact_mut(size).enumerate() {
        block.copy_from_slice(open.block(Row::Chain, lane));
    }
    for at in (0..open.len()).step_by(size) {
        if H::BEFORE {
            for (lane, block) in blocks.chunks_exact_mut(size).enumerate() {
                xor(block, open.block(Row::Data(at), lane));
            }
        }
        cipher.in_place::<S, Encrypt>(isa, blocks);
        for (lane, block) in blocks.chunks_exact_mut(size).enumerate() {
            if !H::BEFORE {
                xor(block, open.block(Row::Data(at), lane));
            }
            if H::WRITES {
                open.block_mut(Row::Data(at), lane).copy_from_slice(block);
            }
        }
    }
    for (lane, block) in blocks.chunks_exact(size).enumerate() {
        open.block_mut(Row::Chain, lane).copy_from_slice(block);
    }
    erase(&mut room);
}

/// [`Cipher::chains`] as a call that is not inlined.
pub(crate) struct Chains<'c, 's, 'm, C: Cipher, H> {
    ciphers: &'c [&'c C],
    streams: &'s mut Streams<'m, C::Block>,
    chaining: PhantomData<H>,
}

impl<'c, 's, 'm, C: Cipher, H> Chains<'c, 's, 'm, C, H> {
    #[inline(always)]
    pub(crate) fn new(ciphers: &'c [&'c C], streams: &'s mut Streams<'m, C::Block>) -> Self {
        Self { ciphers, streams, chaining: PhantomData }
    }
}

impl<C: Cipher, H: Chaining> Task for Chains<'_, '_, '_, C, H> {
    type Out = ();
    const EXTENSION: Extension = C::EXTENSION;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        C::chains::<S, H>(self.ciphers, isa, self.streams);
    }
}

/// The number of chains of [`one_by_one`]: it hides the latency of AES rounds.
pub(crate) const WIDE: usize = 8;

/// [`Cipher::chains`] for up to [`WIDE`] chains under a key each. Each chain is in a register of its own, and the CPU overlaps
/// all of them.
#[inline(always)]
pub(crate) fn one_by_one<C: Cipher, S: Isa, H: Chaining>(
    ciphers: &[&C],
    isa: S,
    streams: &mut Streams<'_, C::Block>,
) {
    let mut open = streams.blocks();
    let mut own = [ciphers[0]; WIDE];
    own[..ciphers.len()].copy_from_slice(ciphers);
    let mut x = [C::One::<S>::load(isa, open.block(Row::Chain, 0)); WIDE];
    for lane in 1..WIDE {
        x[lane] = C::One::<S>::load(isa, open.block(Row::Chain, lane));
    }
    for at in (0..open.len()).step_by(C::Block::LEN) {
        for lane in 0..WIDE {
            let block = C::One::<S>::load(isa, open.block(Row::Data(at), lane));
            if H::BEFORE {
                x[lane] = own[lane].one::<S, Encrypt>(isa, x[lane].xor(isa, block));
            } else {
                x[lane] = own[lane].one::<S, Encrypt>(isa, x[lane]).xor(isa, block);
            }
        }
        for lane in 0..WIDE {
            if H::WRITES {
                // `store` consumes its value, so a copy is stored.
                let mut block = x[lane];
                block.store(isa, Sink::new(open.block_mut(Row::Data(at), lane)));
            }
        }
    }
    for lane in 0..WIDE {
        x[lane].store(isa, Sink::new(open.block_mut(Row::Chain, lane)));
    }
}

/// `data ^= with`, up to the shorter length.
#[inline(always)]
pub(crate) fn xor(data: &mut [u8], with: &[u8]) {
    for (d, w) in data.iter_mut().zip(with) {
        *d ^= w;
    }
}
