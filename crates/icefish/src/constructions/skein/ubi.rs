//! Unique Block Iteration (section 3.4): processes a string into a chaining value.

use crate::Backend;
use crate::ciphers::threefish::fresh::{Chained, FIRST};
#[cfg(feature = "alloc")]
use crate::ciphers::threefish::word;
use crate::isa::{erase, opaque};

/// In the second word of a tweak: the block is the last of its string.
pub(super) const FINAL: u64 = 1 << 63;
/// In the second word of a tweak: the string has bits that are not a whole byte.
pub(super) const BIT_PAD: u64 = 1 << 55;

/// What a string is: the field of a tweak (section 3.5.1, table 5).
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Key = 0,
    Configuration = 4,
    Personalisation = 8,
    PublicKey = 12,
    KeyIdentifier = 16,
    Nonce = 20,
    Message = 48,
    Output = 63,
}

/// The second word of the tweak of the first block of a string, at a level of a tree or at level 0 without one.
pub(super) fn first(kind: Kind, level: u64) -> u64 {
    (kind as u64) << 56 | level << 48 | FIRST
}

/// The last byte of a string, of which only the `bits` highest are in it, with its padding.
pub(super) fn pad(byte: u8, bits: usize) -> u8 {
    let one = 0x80 >> bits;
    byte & !(one | (one - 1)) | one
}

/// A string in pieces. The last block waits for the end of the string.
#[derive(Clone)]
pub(super) struct Ubi<const W: usize, const B: usize> {
    chain: [u64; W],
    tweak: [u64; 2],
    block: [u8; B],
    len: usize,
}

impl<const W: usize, const B: usize> Ubi<W, B> {
    /// An empty string. `position` is where in the message it begins, if it is a part of one.
    pub(super) fn new(chain: &[u64; W], kind: Kind, level: u64, position: u64) -> Self {
        Self { chain: *chain, tweak: [position, first(kind, level)], block: [0; B], len: 0 }
    }

    /// Takes a whole string.
    pub(super) fn whole(backend: Backend, chain: &mut [u64; W], kind: Kind, string: &[u8]) {
        let mut ubi = Self::new(chain, kind, 0, 0);
        ubi.update(backend, string);
        *chain = ubi.finish(backend, None);
    }

    /// Adds bytes.
    pub(super) fn update(&mut self, backend: Backend, data: &[u8]) {
        let Self { chain, tweak, block, len } = self;
        let mut rest = data;
        if *len > 0 || data.len() <= B {
            let (now, after) = data.split_at(data.len().min(B - *len));
            block[*len..*len + now.len()].copy_from_slice(now);
            *len += now.len();
            if after.is_empty() {
                return;
            }
            backend.run(Chained { chain, tweak, step: B as u64, data: block });
            rest = after;
        }
        // At least one byte waits: it may be the last.
        let (blocks, rest) = rest.split_at((rest.len() - 1) / B * B);
        if !blocks.is_empty() {
            backend.run(Chained { chain, tweak, step: B as u64, data: blocks });
        }
        block[..rest.len()].copy_from_slice(rest);
        *len = rest.len();
    }

    /// The value of the chain at the end of the string. `last` is a byte with padding.
    pub(super) fn finish(&mut self, backend: Backend, last: Option<u8>) -> [u64; W] {
        if let Some(byte) = last {
            self.update(backend, &[byte]);
            self.tweak[1] |= BIT_PAD;
        }
        self.block[self.len..].fill(0);
        let Self { chain, tweak, block, len } = self;
        // A new word: of the old one, the compiler would store the byte with the flag, and a load of the word would wait for that.
        let tweak = &mut [tweak[0], tweak[1] | FINAL];
        backend.run(Chained { chain, tweak, step: *len as u64, data: block });
        // Word by word, as they were stored, for the same reason.
        chain.each_ref().map(|word| *opaque(word))
    }

    /// The words of a string of one block, which still waits.
    #[cfg(feature = "alloc")]
    pub(super) fn only(&self) -> [u64; W] {
        let mut words = [0; W];
        for i in 0..W {
            words[i] = word(&self.block, i);
        }
        words
    }
}

impl<const W: usize, const B: usize> Drop for Ubi<W, B> {
    fn drop(&mut self) {
        erase(&mut self.chain);
        erase(&mut self.block);
    }
}

/// Block `number` of the output that the value of a chain stands for (section 3.5.3).
pub(super) fn output<const W: usize, const B: usize>(
    backend: Backend,
    chain: &[u64; W],
    number: u64,
) -> [u8; B] {
    let mut chain = *chain;
    Ubi::<W, B>::whole(backend, &mut chain, Kind::Output, &number.to_le_bytes());
    let block = to_bytes(&chain);
    erase(&mut chain);
    block
}

/// The words as bytes.
pub(super) fn to_bytes<const W: usize, const B: usize>(words: &[u64; W]) -> [u8; B] {
    let mut bytes = [0; B];
    for (i, word) in words.iter().enumerate() {
        bytes[8 * i..8 * i + 8].copy_from_slice(&word.to_le_bytes());
    }
    bytes
}
