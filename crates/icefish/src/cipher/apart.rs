//! Modes and ciphers that are compiled apart: strips of blocks in memory, and a call for each.
//!
//! A mode that is compiled together with a cipher keeps its data in registers. Where a cipher takes a cycle a byte or more
//! that saves nothing, and code is as much as modes times ciphers. There, a mode works with [`Apart`]: it has the form of a
//! cipher, and behind it are two calls, which the mode does not know the cipher of.

use super::{Cipher, Cursor, Direction, Pass, Wide};
use crate::Block;
use crate::isa::{AesRounds, Endian, Gain, InOut, Isa, Lanes, Sink, Task, erase};
use crate::modes::EcbPass;
use core::marker::PhantomData;

/// Where a cipher is compiled together with modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fused {
    /// On every instruction set.
    Everywhere,
    /// On those with AES instructions.
    WithAes,
}

/// Whether the cipher `C` is compiled apart from modes on the instruction set `S`: a constant, so that of both forms only
/// one is compiled.
pub(crate) struct On<C, S>(PhantomData<(C, S)>);

impl<C: Cipher, S: Isa> On<C, S> {
    pub(crate) const APART: bool = matches!(C::FUSED, Fused::WithAes) && S::Aes::SLICED;
}

/// Bytes of a strip: as much as the widest of such ciphers takes at once.
pub(crate) const STRIP: usize = 1024;

/// Blocks on their way through a cipher, strip by strip.
pub trait Strips {
    /// Writes the input of the next strip to `room`, which has 1024 bytes; returns how many bytes of it are blocks: none
    /// after the last.
    fn enter(&mut self, room: &mut [u8]) -> usize;
    /// Takes what became of them.
    fn leave(&mut self, room: &[u8]);
}

/// A strip's place. Aligned: no load crosses a line of the cache.
#[repr(C, align(64))]
pub(crate) struct Room(pub(crate) [u8; STRIP]);

/// A cipher on an instruction set, behind calls that name neither.
pub(crate) trait Called<B>: Send + Sync {
    /// One block.
    fn one(&self, encrypt: bool, block: B) -> B;
    /// All strips.
    fn strips(&self, encrypt: bool, strips: &mut dyn Strips);
}

/// A cipher with the instruction set that it runs on.
pub(crate) struct Bound<'a, C, S>(pub(crate) &'a C, pub(crate) S);

impl<C, S: Copy> Copy for Bound<'_, C, S> {}
impl<C, S: Copy> Clone for Bound<'_, C, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: Cipher, S: Isa> Called<C::Block> for Bound<'_, C, S> {
    fn one(&self, encrypt: bool, block: C::Block) -> C::Block {
        if encrypt {
            self.0.alone::<S, super::Encrypt>(self.1, block)
        } else {
            self.0.alone::<S, super::Decrypt>(self.1, block)
        }
    }
    fn strips(&self, encrypt: bool, strips: &mut dyn Strips) {
        if encrypt {
            self.0.strips::<S, super::Encrypt>(self.1, strips);
        } else {
            self.0.strips::<S, super::Decrypt>(self.1, strips);
        }
    }
}

/// What modes see of a cipher that is compiled apart.
#[derive(Clone, Copy)]
pub(crate) struct Apart<'a, B>(&'a dyn Called<B>);

impl<'a, B: Block> Apart<'a, B> {
    #[inline(always)]
    pub(crate) fn new<C: Cipher<Block = B>, S: Isa>(bound: &'a Bound<'_, C, S>) -> Self {
        Self(bound)
    }
}

impl<B: Block> Cipher for Apart<'_, B> {
    type Block = B;
    const GAIN: Gain = Gain::Aes;
    type One<S: Isa> = Alone<B>;

    fn batch<S: Isa>() -> usize {
        STRIP / B::LEN
    }
    #[inline(always)]
    fn one<S: Isa, D: Direction>(&self, _: S, block: Alone<B>) -> Alone<B> {
        Alone(self.0.one(D::ENCRYPT, block.0))
    }
    #[inline(always)]
    fn many<S: Isa, D: Direction, P: Pass>(&self, isa: S, pass: &mut P, blocks: usize) {
        let cursor = Cursor::new::<P>(blocks);
        let (at, count, block) = (0, 0, PhantomData::<B>);
        self.0.strips(D::ENCRYPT, &mut Through { isa, pass, cursor, at, count, block });
    }
}

/// Strips by [`Cipher::many`]: for a cipher that has nothing better.
pub(super) struct ByMany<'a, 's, C, D> {
    cipher: &'a C,
    strips: &'a mut (dyn Strips + 's),
    direction: PhantomData<D>,
}

impl<'a, 's, C, D> ByMany<'a, 's, C, D> {
    #[inline(always)]
    pub(super) fn new(cipher: &'a C, strips: &'a mut (dyn Strips + 's)) -> Self {
        Self { cipher, strips, direction: PhantomData }
    }
}

impl<C: Cipher, D: Direction> Task for ByMany<'_, '_, C, D> {
    type Out = ();
    const GAIN: Gain = C::GAIN;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let mut room = Room([0; STRIP]);
        loop {
            let len = self.strips.enter(&mut room.0);
            if len == 0 {
                return erase(&mut room.0);
            }
            let mut pass = EcbPass::<C::Block>::new(InOut::in_place(&mut room.0[..len]));
            self.cipher.many::<S, D, _>(isa, &mut pass, len / C::Block::LEN);
            self.strips.leave(&room.0);
        }
    }
}

/// A pass as strips: as many blocks as a strip has room for, in the order of the pass.
struct Through<'p, S, P, B> {
    isa: S,
    pass: &'p mut P,
    cursor: Cursor,
    /// The strip that is on its way, in blocks.
    at: usize,
    count: usize,
    block: PhantomData<B>,
}

impl<S: Isa, P: Pass, B: Block> Strips for Through<'_, S, P, B> {
    fn enter(&mut self, room: &mut [u8]) -> usize {
        let most = STRIP / B::LEN;
        self.count = self.cursor.left().min(most);
        let Some(at) = self.cursor.take(self.count) else { return 0 };
        self.at = at;
        if self.count > 0 {
            self.cursor.fetch(self.pass, most);
            let (pass, count, block) = (&mut *self.pass, self.count, self.block);
            self.isa.run(Enter { pass, at, count, room, block });
        }
        self.count * B::LEN
    }
    fn leave(&mut self, room: &[u8]) {
        let (pass, at, count, block) = (&mut *self.pass, self.at, self.count, self.block);
        self.isa.run(Leave { pass, at, count, room, block });
    }
}

/// What goes into a strip.
struct Enter<'a, P, B> {
    pass: &'a mut P,
    at: usize,
    count: usize,
    room: &'a mut [u8],
    block: PhantomData<B>,
}

impl<P: Pass, B: Block> Task for Enter<'_, P, B> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let Self { pass, at, count, room, .. } = self;
        let step = <Few<S::U64, B> as Wide<S>>::BLOCKS;
        for i in (0..count).step_by(step) {
            let mut blocks: Few<S::U64, B> = pass.enter(isa, at + i, step.min(count - i));
            blocks.store(isa, Sink::new(&mut room[i * B::LEN..(i + step) * B::LEN]));
        }
    }
}

/// What becomes of a strip.
struct Leave<'a, P, B> {
    pass: &'a mut P,
    at: usize,
    count: usize,
    room: &'a [u8],
    block: PhantomData<B>,
}

impl<P: Pass, B: Block> Task for Leave<'_, P, B> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let Self { pass, at, count, room, .. } = self;
        let step = <Few<S::U64, B> as Wide<S>>::BLOCKS;
        let steps = count.div_ceil(step);
        for i in 0..steps {
            let i = step * if P::BACKWARD { steps - 1 - i } else { i };
            let mut blocks =
                <Few<S::U64, B> as Wide<S>>::load(isa, &room[i * B::LEN..(i + step) * B::LEN]);
            pass.leave(isa, at + i, step.min(count - i), &mut blocks);
        }
    }
}

/// Registers of [`Few`].
const FEW: usize = 8;

/// A few blocks as they lie in memory.
#[derive(Clone, Copy)]
struct Few<V, B>([V; FEW], PhantomData<B>);

/// Words of which one in 1, 2, 4, 8 and 16 is set, and the others are zero.
static EVERY: [[u8; 256]; 5] = {
    let mut words = [[0; 256]; 5];
    let mut i = 0usize;
    while i < 5 * 256 {
        if (i % 256 / 8).is_multiple_of(1 << (i / 256)) {
            words[i / 256][i % 256] = 0xff;
        }
        i += 1;
    }
    words
};

impl<S: Isa, V: Lanes<S, u64>, B: Block> Wide<S> for Few<V, B> {
    const BLOCKS: usize = 8 * FEW * V::N / B::LEN;
    type Bytes = [u8; 512];

    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        assert!(<Self as Wide<S>>::BLOCKS > 0, "a block that is longer than the registers");
        let bytes = &bytes[..8 * FEW * V::N];
        let mut x = [V::load(isa, bytes); FEW];
        for (i, word) in x.iter_mut().enumerate() {
            *word = V::load(isa, &bytes[8 * V::N * i..]);
        }
        Self(x, PhantomData)
    }
    #[inline(always)]
    fn store(&mut self, _: S, mut sink: Sink<'_>) {
        for i in (0..FEW).rev() {
            self.0[i].put(sink.part(8 * V::N * i, 8 * V::N));
        }
    }
    #[inline(always)]
    fn counters(isa: S, template: &[u8], endian: Endian, low: u64) -> Self {
        let words = const { B::LEN / 8 };
        let counter = if endian == Endian::Big { words - 1 } else { 0 };
        let mut x = [V::splat(isa, 0); FEW];
        for (i, x) in x.iter_mut().enumerate() {
            let number = V::index(isa) + V::splat(isa, (V::N * i) as u64);
            let count = number.shr(const { (B::LEN / 8).ilog2() }) + V::splat(isa, low);
            for w in 0..words {
                // In this register, word `w` of a block is at lanes `from`, `from + words` and so on.
                let from = (words + w - V::N * i % words) % words;
                let mask = V::load(
                    isa,
                    &EVERY[const { (B::LEN / 8).ilog2() } as usize][8 * ((words - from) % words)..],
                );
                let word = if w == counter {
                    if endian == Endian::Big { count.swap_bytes() } else { count }
                } else {
                    V::splat(isa, u64::from_le_bytes(<[u8; 8]>::take(&template[8 * w..])))
                };
                *x = *x | (word & mask);
            }
        }
        Self(x, PhantomData)
    }
    #[inline(always)]
    fn xor(self, _: S, other: Self) -> Self {
        let mut x = self.0;
        for i in 0..FEW {
            x[i] = x[i] ^ other.0[i];
        }
        Self(x, PhantomData)
    }
}

/// One block.
#[derive(Clone, Copy)]
pub(crate) struct Alone<B>(B);

impl<S: Isa, B: Block> Wide<S> for Alone<B> {
    const BLOCKS: usize = 1;
    type Bytes = B;

    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        Self(B::take(bytes))
    }
    #[inline(always)]
    fn store(&mut self, _: S, mut sink: Sink<'_>) {
        for (i, word) in self.0.as_ref().as_chunks::<8>().0.iter().enumerate().rev() {
            sink.put(8 * i, *word);
        }
    }
    #[inline(always)]
    fn counters(_: S, template: &[u8], endian: Endian, low: u64) -> Self {
        let mut block = B::take(template);
        endian.set_low(block.as_mut(), low);
        Self(block)
    }
    #[inline(always)]
    fn xor(mut self, _: S, other: Self) -> Self {
        let others = other.0.as_ref().as_chunks::<8>().0;
        for (word, other) in self.0.as_mut().as_chunks_mut::<8>().0.iter_mut().zip(others) {
            *word = (u64::from_le_bytes(*word) ^ u64::from_le_bytes(*other)).to_le_bytes();
        }
        self
    }
}
