//! Counter blocks, of which neighbours share most of two rounds.
//!
//! Of 256 consecutive counter blocks, only one byte differs. After the first round, these blocks differ in one column only, and its
//! value depends on that byte and on three bytes that count from 2^40 on. The second round takes each column of its result from one
//! byte of each column, so its result is a sum: of what depends on the byte that differs, the same in each 256 blocks, and of what
//! the other columns contribute, the same for all of the 256 blocks. So a table of 256 blocks and one XOR take the place of two
//! rounds (D. J. Bernstein, P. Schwabe: New AES software speed records, 2008, section 4.4; J. H. Park, D. H. Lee: FACE, TCHES
//! 2018(3)).

use super::Aes;
use super::length::{Length, RoundKeys};
use crate::cipher::{Counters, Encrypt, Pass};
use crate::isa::{AesRounds, Endian, Isa, Room};

/// Blocks in which one byte takes all its values.
const PERIOD: usize = 256;

/// The bit of the counter from which on it changes the column of that byte.
const COLUMN: u32 = 40;

/// The smallest number of blocks for which it is faster: each call makes the table, and erases it. Zen 5, four states in a register,
/// AES-128: 8 KiB take 697 cycles without a table.
pub(super) const LEAST: usize = 2 * PERIOD;

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
        let keys = self.encryption();
        if S::Aes::N == 4 {
            return keys.ordered().counting::<S, P, 16>(isa, counters, pass, blocks);
        }
        keys.counting::<S, P, 8>(isa, counters, pass, blocks)
    }
}

impl<const KEYS: usize, L: Length, const ORDERED: bool> RoundKeys<'_, KEYS, L, ORDERED> {
    /// As [`Aes::counting`], in batches of `R` registers.
    #[inline(always)]
    fn counting<S: Isa, P: Pass, const R: usize>(
        self,
        isa: S,
        counters: Counters<'_>,
        pass: &mut P,
        blocks: usize,
    ) -> usize {
        const { assert!(!P::BACKWARD) };
        let Counters { template, endian, low: first } = counters;
        let template: &[u8; 16] = template.try_into().expect("an AES block");
        let batch = R * S::Aes::N;
        // Twice the blocks: on ARM, a state has an XOR that is pending.
        let table = &mut Room::<[S::Aes; R], { 2 * 16 * PERIOD }>::new();
        // What columns without that byte contribute differs from what they do in the first block by `shift`.
        let [base] = self.start_of::<S, 1>(isa, template, endian, first & !0xff);
        let (mut upper, mut shift) = (first >> 8, base.xor(base));
        let mut at = 0;
        while at + batch <= blocks {
            let (keys, low) = (self.again(), first.wrapping_add(at as u64));
            let period =
                (low & 0xff) as usize + batch <= PERIOD && low >> COLUMN == first >> COLUMN;
            if period && low >> 8 != upper {
                upper = low >> 8;
                let [now] = keys.start_of::<S, 1>(isa, template, endian, low & !0xff);
                shift = now.xor(base);
            }
            let (i, again) = (at / batch % (PERIOD / batch), at + PERIOD + batch <= blocks);
            let row = if period { table.get(i) } else { None };
            let mut x = [shift; R];
            if let Some(row) = row {
                for i in 0..R {
                    x[i] = shift.xor(row[i]);
                }
            } else {
                // Eight at a time: the counters of more do not fit in the registers.
                for (i, eight) in x.as_chunks_mut::<8>().0.iter_mut().enumerate() {
                    let low = low.wrapping_add((8 * S::Aes::N * i) as u64);
                    *eight = keys.start_of::<S, 8>(isa, template, endian, low);
                }
                if at < PERIOD && again {
                    let mut row = x;
                    for state in &mut row {
                        *state = state.xor(shift);
                    }
                    // Of a batch in which that byte wraps, nobody reads the row: it wraps in the same batch of each period.
                    table.push(row);
                }
            }
            if !again {
                table.erase(i);
            }
            let mut x = keys.ending_from::<S, Encrypt, S::Aes, R>(isa, 3, x);
            pass.leave(isa, at, batch, &mut x);
            at += batch;
        }
        at
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
        check_len::<C>(backend, mode, first, 16 * (5 * PERIOD + 77) + 5);
    }

    fn check_len<C: NewCipher<Block = [u8; 16]>>(
        backend: Backend,
        mode: Ctr,
        first: [u8; 16],
        len: usize,
    ) {
        let key: Vec<u8> = (0..C::KEY as u8).map(|i| i.wrapping_mul(37)).collect();
        let key = Key::<C>::on(backend, &key).unwrap();
        let mut all = vec![0; len];
        let mut pieces = all.clone();
        key.encrypt(mode, &first, &mut all).unwrap();
        let mut message = key.encryptor(mode, &first).unwrap();
        for piece in pieces.chunks_mut(16) {
            message.update_in_place(piece).unwrap();
        }
        let wrong = all.chunks(16).zip(pieces.chunks(16)).position(|(a, b)| a != b);
        assert_eq!(wrong, None, "{len} bytes, {mode:?} from {first:02x?} on {}", backend.name());
    }

    /// Each row of the table is erased when it is read for the last time. The longest begin with blocks alone.
    #[test]
    fn every_length_of_the_last_period() {
        for backend in Backend::available() {
            for from in [0, 1, 64, 200] {
                let mut first = [0; 16];
                first[15] = from;
                for batches in 0..=PERIOD / 8 {
                    let len = 16 * (2 * PERIOD + 8 * batches);
                    check_len::<Aes128>(backend, Ctr::BE, first, len);
                    check_len::<Aes128>(backend, Ctr::BE, first, len + 16);
                }
                check_len::<Aes256>(backend, Ctr::BE, first, 16 * 4096);
                check_len::<Aes256>(backend, Ctr::BE, first, 16 * 4300);
            }
        }
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
