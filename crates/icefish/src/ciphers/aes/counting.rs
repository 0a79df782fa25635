//! Counter blocks, of which neighbours share most of two rounds.
//!
//! Of 256 consecutive counter blocks, only one byte differs. After the first round, these blocks differ in one column only, and its
//! value depends on that byte and on three bytes that count from 2^40 on. The second round takes each column of its result from one
//! byte of each column, so its result is a sum: of what depends on the byte that differs, the same in each 256 blocks, and of what
//! the other columns contribute, the same for all of the 256 blocks. So a table of 256 blocks and one XOR take the place of two
//! rounds (D. J. Bernstein, P. Schwabe: New AES software speed records, 2008, section 4.4; J. H. Park, D. H. Lee: FACE, TCHES
//! 2018(3)).

use super::length::{Length, RoundKeys};
use super::Aes;
use crate::cipher::{Counters, Cursor, Encrypt, Pass};
use crate::isa::{AesRounds, Endian, Isa, Room};

/// Registers in a batch.
const R: usize = 8;

/// Blocks in which one byte takes all its values.
const PERIOD: usize = 256;

/// The bit of the counter from which on it changes the column of that byte.
const COLUMN: u32 = 40;

/// The smallest number of blocks for which it is faster: the table is made, and erased, in each call. Zen 5, AES-128: with four
/// states in a register, 12 KiB take longer with a table, and 16 KiB 1,355 cycles instead of about 1,400; with one or two states, it is
/// faster from the second period on.
pub(super) const fn least(states: usize) -> usize {
    if states == 4 { 4 * PERIOD } else { 2 * PERIOD }
}

impl<const NK: usize, const KEYS: usize, L: Length> Aes<NK, KEYS, L> {
    /// As [`Cipher::counted`](crate::cipher::Cipher::counted): whole batches.
    #[inline(always)]
    pub(super) fn counting<S: Isa, P: Pass>(
        &self,
        isa: S,
        counters: Counters<'_>,
        pass: &mut P,
        blocks: usize,
    ) -> usize {
        let (keys, mut cursor) = (self.encryption(), Cursor::new::<P>(blocks));
        if S::Aes::N == 4 {
            keys.ordered().counting(isa, counters, pass, &mut cursor);
        } else {
            keys.counting(isa, counters, pass, &mut cursor);
        }
        blocks - cursor.left()
    }
}

impl<const KEYS: usize, L: Length, const ORDERED: bool> RoundKeys<'_, KEYS, L, ORDERED> {
    /// As [`Aes::counting`].
    #[inline(always)]
    fn counting<S: Isa, P: Pass>(
        self,
        isa: S,
        counters: Counters<'_>,
        pass: &mut P,
        cursor: &mut Cursor,
    ) {
        let Counters { template, endian, low: first } = counters;
        let template: &[u8; 16] = template.try_into().expect("an AES block");
        let blocks = R * S::Aes::N;
        // Twice the blocks: on ARM, a state has an XOR that is pending.
        let table = &mut Room::<[S::Aes; R], { 2 * 16 * PERIOD }>::new();
        // What columns without that byte contribute differs from what they do in the first block by `shift`.
        let [base] = self.start_of::<S, 1>(isa, template, endian, first & !0xff);
        let (mut upper, mut shift) = (first >> 8, base.xor(base));
        while let Some(at) = cursor.take(blocks) {
            let keys = self.again();
            let low = first.wrapping_add(at as u64);
            let period =
                (low & 0xff) as usize + blocks <= PERIOD && low >> COLUMN == first >> COLUMN;
            if period && low >> 8 != upper {
                upper = low >> 8;
                let [now] = keys.start_of::<S, 1>(isa, template, endian, low & !0xff);
                shift = now.xor(base);
            }
            let row = if period { table.get(at / blocks % (PERIOD / blocks)) } else { None };
            let mut x;
            if let Some(shared) = row {
                x = shared;
                for state in &mut x {
                    *state = state.xor(shift);
                }
            } else {
                x = keys.start_of::<S, R>(isa, template, endian, low);
                if at < PERIOD {
                    let mut row = x;
                    for state in &mut row {
                        *state = state.xor(shift);
                    }
                    // Of a batch in which that byte wraps, nobody reads the row: it wraps in the same batch of each period.
                    table.push(row);
                }
            }
            let mut x = keys.ending_from::<S, Encrypt, S::Aes, R>(isa, 3, x);
            pass.leave(isa, at, blocks, &mut x);
        }
    }

    /// The first two rounds of consecutive counter blocks.
    #[inline(always)]
    fn start_of<S: Isa, const R: usize>(
        self,
        isa: S,
        template: &[u8; 16],
        endian: Endian,
        low: u64,
    ) -> [S::Aes; R] {
        self.start(isa, S::Aes::counter_batch(isa, template, endian, low))
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::PERIOD;
    use crate::cipher::NewCipher;
    use crate::ciphers::{Aes128, Aes192, Aes256};
    use crate::modes::Ctr;
    use crate::{Backend, Key};

    /// In one call, with a table, and block by block.
    fn check<C: NewCipher<Block = [u8; 16]>>(backend: Backend, mode: Ctr, first: [u8; 16]) {
        let key: Vec<u8> = (0..C::KEY as u8).map(|i| i.wrapping_mul(37)).collect();
        let key = Key::<C>::on(backend, &key).unwrap();
        let mut all = vec![0; 16 * (5 * PERIOD + 77) + 5];
        let mut pieces = all.clone();
        key.encrypt(mode, &first, &mut all).unwrap();
        let mut message = key.encryptor(mode, &first).unwrap();
        for piece in pieces.chunks_mut(16) {
            message.update_in_place(piece).unwrap();
        }
        let wrong = all.chunks(16).zip(pieces.chunks(16)).position(|(a, b)| a != b);
        assert_eq!(wrong, None, "{mode:?} from {first:02x?} on {}", backend.name());
    }

    #[test]
    fn every_first_counter() {
        for backend in Backend::available() {
            let big = [Ctr::BE, Ctr::BE32, Ctr::BE64].map(|mode| (mode, true));
            let little = [Ctr::LE, Ctr::LE32, Ctr::LE64].map(|mode| (mode, false));
            for (mode, big) in big.into_iter().chain(little) {
                // The byte that counts wraps at each place of a batch; then carries into every other byte, within a period and after it.
                let mut lows: Vec<u64> = (0..64).map(|i| 0x0123_4567_89ab_cd00 + 5 * i).collect();
                for bit in [16, 24, 32, 40, 48, 56, 63] {
                    lows.extend([100, 256, 700, 1024].map(|before| (1u64 << bit) - before));
                }
                lows.extend([100, 700, 1300].map(|before| 0u64.wrapping_sub(before)));
                for low in lows {
                    let mut first = [0xa5; 16];
                    first[8..].copy_from_slice(&low.to_be_bytes());
                    if !big {
                        first.reverse();
                    }
                    check::<Aes128>(backend, mode, first);
                }
            }
            check::<Aes192>(backend, Ctr::BE, [0xfe; 16]);
            check::<Aes256>(backend, Ctr::LE, [0xfe; 16]);
        }
    }
}
