//! Chains in parallel, several in a register where an AES instruction takes several blocks.

use super::{Aes, Encrypt, Length};
use crate::cipher::Chaining;
use crate::isa::{AesRounds, Isa, Row, Streams};

impl<const NK: usize, const KEYS: usize, L: Length> Aes<NK, KEYS, L> {
    /// Chains in 2, 4 or 8 registers: the smallest of these numbers that holds all lanes.
    #[inline(always)]
    pub(super) fn packed<S: Isa, H: Chaining>(&self, isa: S, streams: &mut Streams<'_, [u8; 16]>) {
        let n = S::Aes::N;
        match streams.count() {
            count if count <= 2 * n => self.in_registers::<S, H, 2>(isa, streams),
            count if count <= 4 * n => self.in_registers::<S, H, 4>(isa, streams),
            _ => self.in_registers::<S, H, 8>(isa, streams),
        }
    }

    /// Chains in `R` registers: register `r` has the lanes `r`, `r + R` and so on. The XORs of the mode and of the first round key
    /// are merged into the last round key, off the dependency chain from block to block. The state between blocks is the input of
    /// the first round.
    #[inline(always)]
    fn in_registers<S: Isa, H: Chaining, const R: usize>(
        &self,
        isa: S,
        streams: &mut Streams<'_, [u8; 16]>,
    ) {
        let mut open = streams.blocks();
        let keys = self.encryption();
        let first = S::Aes::splat(isa, &self.encrypt[0]);
        let last: S::Aes = keys.last(isa);
        let mut x = [first; R];
        for r in 0..R {
            x[r] = first.xor(S::Aes::gather(isa, &open, Row::Chain, r, R));
            if H::BEFORE {
                x[r] = x[r].xor(S::Aes::gather(isa, &open, Row::Data(0), r, R));
            }
        }
        let mut at = 0;
        while at < open.len() {
            x = keys.middle::<S, Encrypt, S::Aes, R>(isa, x);
            // CBC merges the next block's data, CFB this block's. At the last block CBC has no next one, and merges this block's
            // data. After the loop that is XORed out again, or the output is loaded from where it was written.
            let next = if H::BEFORE && at + 16 < open.len() { at + 16 } else { at };
            for r in 0..R {
                let with = first.xor(S::Aes::gather(isa, &open, Row::Data(next), r, R));
                x[r] = x[r].enc_last(last.xor(with));
                // With CBC, all lanes read this block one turn ago, so it can be written here. (At the last block a lane without a
                // message may read an output: `with` cancels in what it writes.) That is up to 9 % faster than in a loop of its own
                // (AES-256, 32 messages, Zen 5).
                if H::WRITES && H::BEFORE {
                    x[r].xor(with).scatter(&mut open, Row::Data(at), r, R);
                }
            }
            // CFB reads and writes the same block. Lanes without a message are copies of the first: they read its block and
            // write it too. All lanes are read before any is written, or a copy would read an output.
            if H::WRITES && !H::BEFORE {
                for r in 0..R {
                    x[r].xor(first).scatter(&mut open, Row::Data(at), r, R);
                }
            }
            at += 16;
        }
        for r in 0..R {
            // The last outputs are computed again, or loaded: the loop has no registers left in which to keep them.
            let mut out = x[r].xor(first);
            if H::BEFORE {
                let data = S::Aes::gather(isa, &open, Row::Data(at - 16), r, R);
                out = if H::WRITES { data } else { out.xor(data) };
            }
            out.scatter(&mut open, Row::Chain, r, R);
        }
    }
}
