//! Counter blocks, of which neighbours share most of two rounds.
//!
//! Take 256 counter blocks that differ in the lowest byte of the counter only. After the first round, they differ in one column
//! only. Its value depends on that byte and on three other bytes, which change only once in 2^40 blocks. The second round takes
//! each column of its result from one byte of each column, so its result is the sum of two parts. One comes from the column that
//! differs: it is the same in every such 256 blocks. The other comes from the other columns: it is the same for all of the 256
//! blocks. So a table of 256 blocks and one XOR take the place of two rounds (D. J. Bernstein, P. Schwabe: New AES software speed
//! records, 2008, section 4.4; J. H. Park, D. H. Lee: FACE, TCHES 2018(3)).

use super::Aes;
use super::length::{Length, RoundKeys};
use super::states::States;
use crate::cipher::{Counters, Encrypt, Pass};
use crate::isa::{AesRounds, Endian, Isa, Room, forms};

/// Blocks in which one byte takes all its values.
const PERIOD: usize = 256;

/// The bit of the counter from which on it changes the column of that byte.
const COLUMN: u32 = 40;

/// The smallest number of blocks for which a pass uses the table. Each call makes the table, and erases it.
pub(super) fn least<S: Isa, P: Pass, const KEYS: usize>() -> usize {
    match (S::Aes::N, interleaves::<S, P>()) {
        _ if S::Aes::SLICED => usize::MAX,
        (4, false) => forms().aes_counting_512,
        // On a Zen 3, 8 KiB take 1,548 cycles with a table and 1,462 without one.
        (2, false) => 4 * PERIOD,
        (_, false) => 2 * PERIOD,
        (4, true) => forms().aes_counting_beside_512[usize::from(KEYS > 11)],
        // GCM with AES-128 on Intel family 6 model 167. Two states in a register: sealing and opening 64 KiB take 0.90 and 0.85 of the
        // time without a table, 8 KiB 0.99 and as long. One state: 32 KiB 0.93 and 1.01, 8 KiB 1.11 and 1.08.
        (1, true) => 16 * PERIOD,
        (_, true) => 4 * PERIOD,
    }
}

/// Whether a pass has work for [`Pass::beside`]. Its batches are then those of `many`, of eight registers.
const fn interleaves<S: Isa, P: Pass>() -> bool {
    size_of::<P::Beside<S>>() > 0
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
        let keys = self.encryption();
        match S::Aes::N {
            4 if !interleaves::<S, P>() => {
                keys.ordered().counting::<S, P, 16>(isa, counters, pass, blocks)
            }
            4 => keys.ordered().counting::<S, P, 8>(isa, counters, pass, blocks),
            _ => keys.counting::<S, P, 8>(isa, counters, pass, blocks),
        }
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
        let (batch, rounds) = (R * S::Aes::N, self.count() - 1);
        // Twice the blocks: on ARM, a state has an XOR that is pending.
        let table = &mut Room::<[S::Aes; R], { 2 * 16 * PERIOD }>::new();
        // `shift` is the difference between what the columns without that byte contribute now and in the first 256 blocks.
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
            let mut x = match pass.beside::<S, States<S::Aes, R>>(isa, at, batch, rounds) {
                Some(work) => keys.rounds_beside::<S, Encrypt, P, R>(isa, 2, x, pass, work),
                None => keys.ending_from::<S, Encrypt, S::Aes, R>(isa, 3, x),
            };
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
