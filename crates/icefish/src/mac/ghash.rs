//! GHASH (NIST SP 800-38D, section 6.4) and POLYVAL (RFC 8452, section 3). GHASH is POLYVAL with the bytes of the key, of
//! every block and of the result reversed, and the reversed key multiplied by x (RFC 8452, appendix A).

mod group;
mod running;
mod sum;
#[cfg(test)]
mod tests;

pub(crate) use self::group::{Group, SoFar};
pub(crate) use self::running::Running;
use self::sum::{Sum, ordered};
use crate::block::padded;
use crate::isa::{Isa, Polynomials, Task};
use core::marker::PhantomData;

/// The largest number of powers of a key: that of [`full`] for the widest instruction set.
const MOST: usize = 40;

/// The number of powers for long messages: one for each block of a [`Group`] and of the vector left over from the group before
/// ([`SoFar`]), and two for an incomplete block and the block of lengths.
#[inline(always)]
fn full<S: Isa>() -> usize {
    (S::Poly::SUM + S::Poly::N + 2).next_multiple_of(S::Poly::N)
}

/// The powers of a key, the highest first. The last of the [`MOST`] places is H itself. Aligned for the widest loads.
#[repr(C, align(64))]
#[derive(Clone)]
pub(crate) struct Powers {
    bytes: [u8; 16 * MOST],
    /// For each power, the sum of its two halves, stored twice.
    sums: [u8; 16 * MOST],
    /// The number of powers.
    count: usize,
}

impl Drop for Powers {
    fn drop(&mut self) {
        let from = 16 * (MOST - self.count);
        crate::isa::erase(&mut self.bytes[from..]);
        crate::isa::erase(&mut self.sums[from..]);
    }
}

/// The byte order of blocks.
pub(crate) trait Order {
    /// Whether the bytes of a block are reversed when it is loaded.
    const REVERSED: bool;
}

/// POLYVAL's byte order, which is that of [`Powers`].
pub(crate) struct Polyval;
/// GHASH's byte order.
pub(crate) struct Ghash;

impl Order for Polyval {
    const REVERSED: bool = false;
}
impl Order for Ghash {
    const REVERSED: bool = true;
}

/// x times an element.
#[inline(always)]
fn times_x(element: u128) -> u128 {
    let out = ((element as i128) >> 127) as u128;
    (element << 1) ^ (out & (0xc2 << 120 | 1))
}

impl Powers {
    /// Room for powers.
    #[inline(always)]
    pub(crate) fn blank() -> Self {
        Self { bytes: [0; 16 * MOST], sums: [0; 16 * MOST], count: 0 }
    }

    /// Makes the powers of POLYVAL's key `h`, as many as `blocks` blocks need.
    #[inline(always)]
    pub(crate) fn polyval<S: Isa>(&mut self, isa: S, h: &[u8; 16], blocks: usize) {
        let n = S::Poly::N;
        // At least two: an incomplete block and the block of lengths may end a hash.
        self.count = blocks.clamp(2, full::<S>()).next_multiple_of(n);
        self.put::<S, _>(16 * (MOST - 1), S::PolyOne::first(isa, h));
        let mut done = 1;
        while done < self.count {
            if done < n {
                self.add::<S, S::PolyOne>(isa, done);
            } else {
                self.add::<S, S::Poly>(isa, done);
            }
            done *= 2;
        }
    }

    /// Multiplies the powers 1 to `done` by power `done`, which gives the next ones. Products of one call are independent, so the
    /// dependency chain to the highest power is short.
    #[inline(always)]
    fn add<S: Isa, P: Polynomials<S>>(&mut self, isa: S, done: usize) {
        let highest = 16 * (MOST - done);
        let step = P::splat(isa, self.bytes[highest..highest + 16].try_into().expect("a power"));
        for i in (0..done.min(self.count - done)).step_by(P::N) {
            let at = 16 * (MOST - P::N - i);
            let power = P::load(isa, &self.bytes[at..]);
            self.put::<S, P>(at - 16 * done, Sum::product(isa, power, step).reduced(isa));
        }
    }

    /// Writes powers, and the sums of their halves, from byte `at` on.
    #[inline(always)]
    fn put<S: Isa, P: Polynomials<S>>(&mut self, at: usize, power: P) {
        power.store(&mut self.bytes[at..at + 16 * P::N]);
        power.xor(power.swap_halves()).store(&mut self.sums[at..at + 16 * P::N]);
    }

    /// The powers from byte `at` on, and the sums of their halves.
    #[inline(always)]
    fn load<S: Isa, P: Polynomials<S>>(&self, isa: S, at: usize) -> (P, P) {
        let part = at..at + 16 * P::N;
        (P::load(isa, &self.bytes[part.clone()]), P::load(isa, &self.sums[part]))
    }

    /// Whether there are powers for `len` bytes and the block of lengths.
    #[inline(always)]
    pub(crate) fn takes(&self, len: usize) -> bool {
        len.div_ceil(16) < self.count
    }

    /// Power `n` in every lane of a vector, and the sum of its halves likewise.
    #[inline(always)]
    fn splat<S: Isa, P: Polynomials<S>>(&self, isa: S, n: usize) -> (P, P) {
        let at = 16 * (MOST - n);
        let one = |bytes: &[u8]| P::splat(isa, bytes[at..at + 16].try_into().expect("a power"));
        (one(&self.bytes), one(&self.sums))
    }

    /// Makes the powers of GHASH's key `h`.
    #[inline(always)]
    pub(crate) fn ghash<S: Isa>(&mut self, isa: S, h: &[u8; 16]) {
        self.polyval(isa, &times_x(u128::from_be_bytes(*h)).to_le_bytes(), MOST);
    }

    /// Hashes a group: the blocks that share one reduction, [`Polynomials::SUM`] / `PART`. `ORDERED` is that of [`Group::step`].
    #[inline(always)]
    pub(crate) fn group<S: Isa, O: Order, const PART: usize, const ORDERED: bool>(
        &self,
        isa: S,
        so_far: &mut SoFar,
        data: &[u8],
    ) {
        let mut group = Group::<S::Poly, PART>::new(isa);
        const { assert!(S::Poly::SUM / S::Poly::N <= 8) };
        // Further steps do nothing.
        macro_rules! steps {
            ($($step:literal)*) => {$(group.step::<S, O, ORDERED, $step>(isa, self, so_far, data);)*};
        }
        steps!(0 1 2 3 4 5 6 7 8);
    }

    /// The hash of `data`, padded with zeros: for the associated data of a message. Up to two blocks are hashed one after the
    /// other, inlined, because the CPU overlaps that with the encryption. A call would be slower.
    #[inline(always)]
    pub(crate) fn padded<S: Isa, O: Order>(&self, isa: S, data: &[u8]) -> [u8; 16] {
        if data.len() > 32 {
            return isa.run(Hash::<O>::padded(self, [0; 16], data));
        }
        let (power, halves) = self.load(isa, 16 * (MOST - 1));
        let mut sum = S::PolyOne::splat(isa, &[0; 16]);
        for block in data.chunks(16) {
            let block = ordered::<S, S::PolyOne, O>(isa, &padded(block).to_le_bytes());
            sum = Sum::product_with(isa, block.xor(sum), power, halves).reduced(isa);
        }
        sum.sum()
    }

    /// The hash after the blocks of `data`, followed by `last`.
    #[inline(always)]
    pub(crate) fn end<S: Isa, O: Order>(
        &self,
        isa: S,
        mut so_far: SoFar,
        mut data: &[u8],
        last: &Last,
    ) -> [u8; 16] {
        while data.len() + last.len() + so_far.len > 16 * self.count {
            self.group::<S, O, 1, true>(isa, &mut so_far, data);
            data = &data[16 * S::Poly::SUM..];
        }
        if data.len() + last.len() + so_far.len == 0 {
            return so_far.sum;
        }
        self.parts::<S, O>(isa, &so_far, data, last)
    }

    /// [`Powers::end`] where there are powers for all blocks: whole vectors, then the remaining blocks one by one.
    #[inline(always)]
    pub(crate) fn parts<S: Isa, O: Order>(
        &self,
        isa: S,
        so_far: &SoFar,
        data: &[u8],
        last: &Last,
    ) -> [u8; 16] {
        let from = 16 * MOST - data.len() - last.len();
        let step = 16 * S::Poly::N;
        let mut at = 0;
        let mut total = Sum::<S::PolyOne>::zero(isa);
        let mut before = S::PolyOne::first(isa, &so_far.sum);
        if data.len() >= step || so_far.len > 0 {
            at = data.len() / step * step;
            // The first vector depends on the blocks before, so its product is added last.
            let (x, done) = if so_far.len > 0 {
                (S::Poly::load(isa, &so_far.lanes), 0)
            } else {
                let sum = S::Poly::first(isa, &so_far.sum);
                (ordered::<S, S::Poly, O>(isa, data).xor(sum), step)
            };
            before = S::PolyOne::splat(isa, &[0; 16]);
            let others = self.vectors::<S, O>(isa, &data[done..at], from + done);
            let (power, sum) = self.load(isa, from + done - step);
            total = others.plus(Sum::product_with(isa, x, power, sum)).folded(isa);
        }
        while at < data.len() {
            total = total.add::<S, O>(isa, before, &data[at..at + 16], self, from + at);
            before = S::PolyOne::splat(isa, &[0; 16]);
            at += 16;
        }
        if let Some(part) = &last.part {
            total = total.add::<S, O>(isa, before, part, self, from + at);
            before = S::PolyOne::splat(isa, &[0; 16]);
        }
        if let Some(lengths) = last.lengths {
            let lengths = S::PolyOne::first(isa, &lengths.to_le_bytes());
            let (power, halves) = self.load(isa, 16 * (MOST - 1));
            total = total.plus(Sum::product_with(isa, lengths.xor(before), power, halves));
        }
        total.reduced(isa).sum()
    }

    /// The sum of the products of whole vectors with the powers from byte `from` on. Two vectors at a time: some
    /// CPUs add both products to the total in one instruction.
    #[inline(always)]
    fn vectors<S: Isa, O: Order>(&self, isa: S, data: &[u8], from: usize) -> Sum<S::Poly> {
        let mut total = Sum::<S::Poly>::zero(isa);
        let step = 16 * S::Poly::N;
        let part = from..from + data.len();
        let (mut data, mut powers, mut sums) = (data, &self.bytes[part.clone()], &self.sums[part]);
        while data.len() >= 2 * step {
            let rest = data.len() - 2 * step;
            let (x, power, sum) = (&data[rest..], &powers[rest..], &sums[rest..]);
            let one = Sum::of::<S, O>(isa, &x[step..], &power[step..], &sum[step..]);
            let next = Sum::of::<S, O>(isa, x, power, sum);
            total = total.plus(one.plus(next));
            (data, powers, sums) = (&data[..rest], &powers[..rest], &sums[..rest]);
        }
        if !data.is_empty() {
            total = total.plus(Sum::of::<S, O>(isa, data, powers, sums));
        }
        total
    }
}

/// The blocks that end a hash.
#[derive(Clone, Copy, Default)]
pub(crate) struct Last {
    /// The incomplete block at the end of the data, padded with zeros.
    part: Option<[u8; 16]>,
    lengths: Option<u128>,
}

impl Last {
    /// An incomplete block, which may be empty, and the block of lengths in the byte order of [`Powers`].
    #[inline(always)]
    pub(crate) fn new(part: &[u8], lengths: Option<u128>) -> Self {
        if part.is_empty() { Self { part: None, lengths } } else { Self::of(padded(part), lengths) }
    }

    /// An incomplete block that is padded already, as a little-endian number, and the block of lengths.
    #[inline(always)]
    pub(crate) fn of(part: u128, lengths: Option<u128>) -> Self {
        Self { part: Some(part.to_le_bytes()), lengths }
    }

    /// The length of these blocks in bytes.
    #[inline(always)]
    fn len(&self) -> usize {
        16 * (usize::from(self.part.is_some()) + usize::from(self.lengths.is_some()))
    }
}

/// Hashes whole blocks and the last ones, as a call that is not inlined. The result is the hash after them.
pub(crate) struct Hash<'a, O> {
    powers: &'a Powers,
    so_far: SoFar,
    data: &'a [u8],
    last: Last,
    order: PhantomData<O>,
}

impl<'a, O> Hash<'a, O> {
    #[inline(always)]
    pub(crate) fn new(powers: &'a Powers, so_far: SoFar, data: &'a [u8], last: Last) -> Self {
        Self { powers, so_far, data, last, order: PhantomData }
    }

    /// `data` of any length, padded with zeros.
    #[inline(always)]
    pub(crate) fn padded(powers: &'a Powers, sum: [u8; 16], data: &'a [u8]) -> Self {
        let (data, part) = data.split_at(data.len() / 16 * 16);
        Self::new(powers, SoFar::new(sum), data, Last::new(part, None))
    }
}

impl<O: Order> Task for Hash<'_, O> {
    type Out = [u8; 16];
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) -> [u8; 16] {
        self.powers.end::<S, O>(isa, self.so_far, self.data, &self.last)
    }
}
