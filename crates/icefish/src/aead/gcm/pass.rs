//! Counter mode and the hash of its ciphertext in one pass.

use crate::cipher::{self, Cipher, Counters, Pass, Wide, Xor};
use crate::isa::{Endian, Extension, InOut, Isa, Polynomials, Task, aligned_frame};
use crate::mac::ghash::{Ghash, Group, Hash, Last, Powers, SoFar};

/// Takes whole blocks through counter mode, and hashes their ciphertext in groups that fill the registers of both.
/// `PART` is that of [`Group`]: with 2, batches and groups are half as large.
pub(super) struct GcmPass<'a, 'b, const SEAL: bool, const PART: usize> {
    pub(super) io: InOut<'a>,
    pub(super) template: [u8; 16],
    pub(super) low: u64,
    pub(super) powers: &'b Powers,
    pub(super) so_far: &'b mut SoFar,
    /// How many bytes of `io` are hashed.
    pub(super) hashed: &'b mut usize,
}

impl<const SEAL: bool, const PART: usize> GcmPass<'_, '_, SEAL, PART> {
    /// Whether `count` blocks are a batch, and a batch is one group or several.
    #[inline(always)]
    fn is_whole<S: Isa, W: Wide<S>>(count: usize) -> bool {
        count == W::BLOCKS && W::BLOCKS.is_multiple_of(Group::<S::Poly, PART>::blocks::<S>())
    }

    /// Whether vectors of more than 16 bytes are spilled. The frame of the pass is then aligned, and the pass is a task of its own,
    /// so that short messages need no aligned frame where the compiler does not inline it.
    #[inline(always)]
    pub(super) fn spills_vectors<S: Isa>() -> bool {
        !SEAL && S::Poly::N == 2
    }

    /// Hashes the whole groups of ciphertext before byte `end`.
    #[inline(always)]
    fn hash<S: Isa>(&mut self, isa: S, end: usize) {
        let len = 16 * Group::<S::Poly, PART>::blocks::<S>();
        while *self.hashed + len <= end {
            let data = if SEAL { &*self.io.output() } else { self.io.input() };
            self.powers.group::<S, Ghash, PART, false>(isa, self.so_far, &data[*self.hashed..]);
            *self.hashed += len;
        }
    }
}

impl<const SEAL: bool, const PART: usize> Pass for GcmPass<'_, '_, SEAL, PART> {
    const BACKWARD: bool = false;
    const VECTORS: usize = 8 / PART;
    type Beside<S: Isa> = Group<S::Poly, PART>;
    /// Sealing with one state in a register takes up to 16 % longer with the steps in the order of the program (`avx512` on Zen 5).
    const MOVES_STEPS: bool = SEAL;

    /// Hashes a group of ciphertext: of this batch when opening, of an earlier one when sealing.
    #[inline(always)]
    fn beside<S: Isa, W: Wide<S>>(
        &mut self,
        isa: S,
        at: usize,
        count: usize,
        rounds: usize,
    ) -> Option<Group<S::Poly, PART>> {
        // With AES-NI, opening with AES-128 takes 5 % longer with the steps between the rounds, up to 256 bytes; with AES-192 and -256
        // it takes 4 to 8 % less time at all lengths (Zen 3). Sealing takes 7 to 12 % longer without them (Zen 4). ARM CPUs were not
        // measured.
        if cfg!(target_arch = "x86_64") && !SEAL && S::Poly::N == 1 && rounds < 12 {
            return None;
        }
        let end = 16 * if SEAL { at } else { at + count };
        let group = Group::<S::Poly, PART>::blocks::<S>();
        let fits = Group::<S::Poly, PART>::fits::<S>(Self::STEPS) && count == group;
        (fits && *self.hashed + 16 * group <= end).then(|| Group::new(isa))
    }
    #[inline(always)]
    fn step<S: Isa, const STEP: usize>(&mut self, isa: S, work: &mut Group<S::Poly, PART>) {
        let end = *self.hashed + 16 * Group::<S::Poly, PART>::blocks::<S>();
        let group = *self.hashed..end;
        let data = if SEAL { &self.io.output()[group] } else { &self.io.input()[group] };
        // With four polynomials in a vector the steps are ordered: the compiler would gather the multiplications at the end of the batch.
        // A Zen 5 starts one of these every two cycles. Sealing 8 KiB takes 1,300 cycles that way, and 1,195 in order (AES-256:
        // 1,600 and 1,380).
        if const { S::Poly::N == 4 } {
            work.step::<S, Ghash, true, STEP>(isa, self.powers, self.so_far, data);
        } else {
            work.step::<S, Ghash, false, STEP>(isa, self.powers, self.so_far, data);
        }
        if const { STEP + 1 == Self::STEPS } {
            *self.hashed = end;
        }
    }
    #[inline(always)]
    fn enter<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize) -> W {
        if Self::spills_vectors::<S>() {
            aligned_frame::<W>();
        }
        if !SEAL && *self.hashed < 16 * (at + count) && !Self::is_whole::<S, W>(count) {
            // In place, the ciphertext is overwritten by the end of the pass, so all that is left is hashed here: before the round
            // keys are loaded, because a call spills what is in vector registers.
            let data = &self.io.input()[*self.hashed..];
            let hash = Hash::<Ghash>::new(self.powers, *self.so_far, data, Last::default());
            *self.so_far = SoFar::new(isa.run(hash));
            *self.hashed = self.io.len();
        }
        W::counters(isa, &self.template, Endian::Big, self.low.wrapping_add(at as u64))
    }
    #[inline(always)]
    fn leave<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize, blocks: &mut W) {
        let (from, len) = (16 * at, 16 * count);
        if !SEAL && Self::is_whole::<S, W>(count) {
            self.hash(isa, from + len);
        }
        cipher::store::<S, W, [u8; 16]>(isa, blocks, &mut self.io, from, len, Xor::Input(from));
        // Only earlier batches: the stores of this one are still pending.
        if SEAL && Self::is_whole::<S, W>(W::BLOCKS) {
            self.hash(isa, from);
        }
    }
}

/// Takes the first blocks of a long message through [`Cipher::counted`], if that is faster, and hashes them. `low` is the low 64
/// bits of the first counter, and then of the next one. Returns the bytes after these blocks.
#[inline(always)]
pub(super) fn first_blocks<'a, C: Cipher<Block = [u8; 16]>, S: Isa, const SEAL: bool>(
    isa: S,
    cipher: &C,
    mut io: InOut<'a>,
    template: [u8; 16],
    low: &mut u64,
    powers: &Powers,
    so_far: &mut SoFar,
) -> InOut<'a> {
    let asks = C::asks_beside::<S>();
    if !asks || io.len() / 16 < C::counted_from::<S, GcmPass<'_, '_, SEAL, 1>>() {
        return io;
    }
    let (now, mut hashed) = (io.reborrow(), 0);
    let pass = GcmPass { io: now, template, low: *low, powers, so_far, hashed: &mut hashed };
    let done = isa.run(Counted::<_, SEAL> { cipher, pass });
    *low += done as u64;
    io.split_at(16 * done).1
}

/// A task of its own, because its stack frame would make short messages slower. Returns the number of blocks.
struct Counted<'a, 'b, C, const SEAL: bool> {
    cipher: &'a C,
    pass: GcmPass<'a, 'b, SEAL, 1>,
}

impl<C: Cipher<Block = [u8; 16]>, const SEAL: bool> Task for Counted<'_, '_, C, SEAL> {
    type Out = usize;
    const EXTENSION: Extension = C::EXTENSION;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) -> usize {
        let Self { cipher, mut pass } = self;
        let (template, low, blocks) = (pass.template, pass.low, pass.io.len() / 16);
        let counters = Counters { template: &template, endian: Endian::Big, low };
        let done = cipher.counted(isa, counters, &mut pass, blocks);
        pass.hash(isa, 16 * done);
        assert_eq!(
            *pass.hashed,
            16 * done,
            "batches of other lengths than Cipher::asks_beside promises"
        );
        done
    }
}
