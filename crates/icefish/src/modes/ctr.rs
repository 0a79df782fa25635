//! Counter mode (NIST SP 800-38A, section 6.5), with counters of all usual widths and byte orders.

use super::{Chain, DependsOn, Granularity, Mode, Position};
use crate::Block;
use crate::cipher::{
    self, Cipher, Counters, Direct, Direction, Encrypt, Pass, Source, Way, Wide, Xor,
};
use crate::isa::{Endian, Extension, InOut, Isa, Sink, Task, erase};
use core::marker::PhantomData;

/// Bytes of keystream that are made at once from a secret counter: the largest batch of AES and of Threefish.
const ROOM: usize = 1024;

/// Counter blocks are encrypted and XORed with the data. Both directions are parallel, and any byte can be reached directly. An
/// initial counter block must not be used twice with one key, and the counters of two messages must not overlap.
///
/// ```
/// use icefish::{Key, ciphers::Aes128, modes::Ctr};
/// let key = Key::<Aes128>::new(&[7; 16])?;
/// let mut data = *b"attack at dawn";
/// key.encrypt(Ctr::BE, &[1; 16], &mut data)?;
/// let mut end = [0; 4];
/// let mut message = key.decryptor(Ctr::BE, &[1; 16])?;
/// message.seek(10)?;
/// message.update(&data[10..], &mut end)?;
/// assert_eq!(&end, b"dawn");
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ctr {
    /// Width of the counter in bytes: 4, 8, or `u8::MAX` for the whole block. A byte, so that a message is a task of six words,
    /// which is passed in registers.
    width: u8,
    endian: Endian,
}

impl Default for Ctr {
    fn default() -> Self {
        Self::BE
    }
}

impl Ctr {
    /// The whole block is a big-endian counter: the default, and the form of OpenSSL.
    pub const BE: Self = Self { width: u8::MAX, endian: Endian::Big };
    /// The last 4 bytes are a big-endian counter, as in GCM.
    pub const BE32: Self = Self { width: 4, endian: Endian::Big };
    /// The last 8 bytes are a big-endian counter.
    pub const BE64: Self = Self { width: 8, endian: Endian::Big };
    /// The whole block is a little-endian counter.
    pub const LE: Self = Self { width: u8::MAX, endian: Endian::Little };
    /// The first 4 bytes are a little-endian counter, as in GCM-SIV.
    pub const LE32: Self = Self { width: 4, endian: Endian::Little };
    /// The first 8 bytes are a little-endian counter.
    pub const LE64: Self = Self { width: 8, endian: Endian::Little };

    /// Width of the counter in bytes.
    #[inline(always)]
    fn width(&self, block: usize) -> usize {
        usize::from(self.width).min(block)
    }

    /// The counter block `index` blocks after `first`, as a template and the low 64 bits of its counter. The template is nearly
    /// always `first` itself, which is then not copied. If there is a carry from the low 64 bits, it is made in `room`.
    #[inline(always)]
    pub(crate) fn counter<'a, B: Block>(
        &self,
        first: &'a B,
        index: u128,
        room: &'a mut B,
    ) -> (&'a B, u64) {
        let low = self.endian.low(first.as_ref());
        if self.width(B::LEN) == 4 {
            let count = (low as u32).wrapping_add(index as u32);
            return (first, low >> 32 << 32 | u64::from(count));
        }
        // A block of less than eight bytes has no place for the carry: it is dropped when `low` is written.
        let sum = u128::from(low) + u128::from(index as u64);
        let carry = (index >> 64) + (sum >> 64);
        if carry == 0 {
            return (first, sum as u64);
        }
        *room = *first;
        self.carry(room.as_mut(), carry);
        (room, sum as u64)
    }

    /// The whole counter block `index` blocks after `first`.
    #[inline(always)]
    pub(crate) fn block<B: Block>(&self, first: &B, index: u128) -> B {
        let mut room = B::zero();
        let (template, low) = self.counter(first, index, &mut room);
        let mut block = *template;
        self.endian.set_low(block.as_mut(), low);
        block
    }

    /// Adds `carry` to the counter above its low 64 bits. `self` is by value: a reference would keep the
    /// mode, and the task that has it, in memory.
    #[cold]
    fn carry(self, block: &mut [u8], mut carry: u128) {
        let len = block.len();
        for i in 8..self.width(len) {
            let byte = &mut block[if self.endian == Endian::Big { len - 1 - i } else { i }];
            carry += u128::from(*byte);
            *byte = carry as u8;
            carry >>= 8;
        }
    }

    /// The number of blocks from a counter with these low 64 bits until they, or the 4 bytes that count, wrap to zero. Instead of
    /// 2^64, it returns 2^64 - 1.
    #[inline(always)]
    pub(crate) fn until_wrap<B: Block>(&self, low: u64) -> u64 {
        let left =
            if self.width(B::LEN) == 4 { u64::from(u32::MAX - low as u32) } else { u64::MAX - low };
        left.saturating_add(1)
    }
}

/// A run of at least `LONG` blocks for [`Cipher::counted`] begins at a counter that is a multiple of `BATCH`; the blocks before
/// it are taken by themselves. A batch in which the lowest byte of the counter wraps takes longer. AES-128 from counter 1 on,
/// without and with this rule: 64 KiB 4,830 and 4,650 cycles (Zen 5), 32 KiB 5,890 and 4,680 (Zen 4), but 16 KiB 1,330 and 1,420
/// (Zen 5).
const LONG: u64 = 2048;
/// See [`LONG`].
const BATCH: u64 = 64;

/// If [`Cipher::is_short`], this many blocks or fewer need no call: 64 bytes take 51 cycles with AES-128, and 72 with a call
/// (Zen 3, VAES at 256 bits).
const FEW: usize = 4;

/// At most `MOST` blocks in which the low 64 bits of the counter do not wrap.
pub(crate) struct CtrPass<'a, B, const MOST: usize = { usize::MAX }> {
    io: InOut<'a>,
    template: B,
    endian: Endian,
    low: u64,
    block: PhantomData<B>,
}

impl<'a, B> CtrPass<'a, B> {
    /// The same for at most [`FEW`] blocks.
    #[inline(always)]
    fn few(self) -> CtrPass<'a, B, FEW> {
        let Self { io, template, endian, low, block } = self;
        CtrPass { io, template, endian, low, block }
    }
}

impl<B: Block, const MOST: usize> Pass for CtrPass<'_, B, MOST> {
    const BACKWARD: bool = false;
    const VECTORS: usize = if MOST < 8 { MOST } else { 8 };
    const MOST: usize = MOST;
    type Beside<S: Isa> = ();

    #[inline(always)]
    fn fetch(&self, at: usize, count: usize) {
        self.io.fetch(at * B::LEN, count * B::LEN);
    }
    #[inline(always)]
    fn enter<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, _: usize) -> W {
        W::counters(isa, self.template.as_ref(), self.endian, self.low.wrapping_add(at as u64))
    }
    #[inline(always)]
    fn counters(&self, at: usize) -> Option<Counters<'_>> {
        let (template, endian) = (self.template.as_ref(), self.endian);
        Some(Counters { template, endian, low: self.low.wrapping_add(at as u64) })
    }
    #[inline(always)]
    fn leave<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize, blocks: &mut W) {
        let (at, len) = (at * B::LEN, count * B::LEN);
        cipher::store::<S, W, B>(isa, blocks, &mut self.io, at, len, Xor::Input(at));
    }
    #[inline(always)]
    fn direct(&mut self) -> Option<Direct<'_>> {
        let (template, endian, low) = (self.template.as_ref(), self.endian, self.low);
        let source = Source::Counters(Counters { template, endian, low });
        Some(Direct { io: self.io.reborrow(), before: &[], source, xor: Some(0) })
    }
}

/// Takes the first blocks of a long message through [`Cipher::counted`], and returns how many these were. A task of its own,
/// because its stack frame would make short messages slower.
struct Counted<'a, C: Cipher> {
    cipher: &'a C,
    ctr: Ctr,
    io: InOut<'a>,
    template: &'a C::Block,
    low: u64,
}

impl<C: Cipher> Task for Counted<'_, C> {
    type Out = usize;
    const EXTENSION: Extension = C::EXTENSION;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) -> usize {
        let Self { cipher, ctr, io, template, low } = self;
        let blocks = io.len() / C::Block::LEN;
        let counters = Counters { template: template.as_ref(), endian: ctr.endian, low };
        let mut pass = ctr.pass(io.apart(), template, low);
        cipher.counted(isa, counters, &mut pass, blocks)
    }
}

/// Blocks from the counter block `first` on, whose low 64 bits do not wrap. All messages but the shortest and the longest are one
/// such task, which has six words and is passed in registers.
struct Run<'a, C: Cipher> {
    cipher: &'a C,
    ctr: Ctr,
    first: &'a C::Block,
    io: InOut<'a>,
}

impl<C: Cipher> Task for Run<'_, C> {
    type Out = ();
    const EXTENSION: Extension = C::EXTENSION;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let Self { cipher, ctr, first, io } = self;
        let (blocks, low) = (io.len() / C::Block::LEN, ctr.endian.low(first.as_ref()));
        cipher.many::<S, Encrypt, _>(isa, &mut ctr.pass(io.apart(), first, low), blocks);
    }
}

/// Blocks of any number, from the counter `index` blocks after `first` on.
struct Runs<'a, C: Cipher> {
    cipher: &'a C,
    ctr: Ctr,
    first: &'a C::Block,
    index: u128,
    io: InOut<'a>,
}

impl<C: Cipher> Task for Runs<'_, C> {
    type Out = ();
    const EXTENSION: Extension = C::EXTENSION;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let Self { cipher, ctr, first, mut index, mut io } = self;
        while !io.is_empty() {
            let mut room = C::Block::zero();
            let (template, low) = ctr.counter(first, index, &mut room);
            let blocks = (io.len() / C::Block::LEN) as u64;
            let mut run = blocks.min(ctr.until_wrap::<C::Block>(low));
            let mut counted = run as usize >= C::counted_from::<S, CtrPass<'_, C::Block>>();
            if counted && run >= LONG {
                let ahead = low.wrapping_neg() % BATCH;
                if ahead > 0
                    && (run - ahead) as usize >= C::counted_from::<S, CtrPass<'_, C::Block>>()
                {
                    (run, counted) = (ahead, false);
                }
            }
            let (mut now, rest) = io.split_at(run as usize * C::Block::LEN);
            let mut done = 0;
            if counted {
                let io = now.reborrow();
                done = isa.run(Counted { cipher, ctr, io, template, low });
                (_, now) = now.split_at(done * C::Block::LEN);
            }
            if !now.is_empty() {
                let mut first = *template;
                ctr.endian.set_low(first.as_mut(), low.wrapping_add(done as u64));
                isa.run(Run { cipher, ctr, first: &first, io: now });
            }
            index = index.wrapping_add(u128::from(run));
            io = rest;
        }
    }
}

impl Ctr {
    /// The blocks of `io`, from the low 64 bits `low` of the counter, which must not wrap.
    #[inline(always)]
    pub(crate) fn pass<'a, B: Block>(
        &self,
        io: InOut<'a>,
        template: &B,
        low: u64,
    ) -> CtrPass<'a, B> {
        CtrPass { io, template: *template, endian: self.endian, low, block: PhantomData }
    }

    /// A whole message of any length, from the counter block `first` on.
    #[inline(always)]
    pub(crate) fn message<C: Cipher, S: Isa>(
        &self,
        isa: S,
        cipher: &C,
        first: C::Block,
        io: InOut<'_>,
    ) {
        let mut position = Position { block: first, index: 0 };
        let mid = io.len() / C::Block::LEN * C::Block::LEN;
        let (whole, mut tail) = io.split_at(mid);
        self.blocks::<C, Encrypt, S>(isa, cipher, Chain::piece(&mut position), whole);
        if !tail.is_empty() {
            let pad = self.pad(isa, cipher, Chain::piece(&mut position));
            let len = tail.len();
            tail.xor_bytes(0, &pad.as_ref()[..len]);
        }
    }

    /// A whole message of any length, from the counter block `index` blocks after `first`. The counter is a secret: no branch and
    /// no address depends on it, nor on the block at which it wraps. That takes longer than [`Ctr::message`].
    #[inline(always)]
    pub(crate) fn message_from_secret<C: Cipher, S: Isa>(
        &self,
        isa: S,
        cipher: &C,
        first: C::Block,
        mut index: u128,
        mut io: InOut<'_>,
    ) {
        let (size, mut room) = (C::Block::LEN, [0; ROOM]);
        while !io.is_empty() {
            let len = io.len().min(ROOM / size * size);
            let (mut now, rest) = io.split_at(len);
            let pads = &mut room[..len.next_multiple_of(size)];
            for block in pads.chunks_exact_mut(size) {
                block.copy_from_slice(first.as_ref());
                self.add(block, index);
                index = index.wrapping_add(1);
            }
            cipher.in_place::<S, Encrypt>(isa, pads);
            now.xor_bytes(0, &room[..len]);
            io = rest;
        }
        erase(&mut room);
    }

    /// Adds to the counter of a block in constant time.
    #[inline(always)]
    fn add(&self, block: &mut [u8], mut carry: u128) {
        let (len, width) = (block.len(), self.width(block.len()));
        let mut at = 0;
        while at + 8 <= width {
            let word = if self.endian == Endian::Big { len - 8 - at } else { at };
            let word = &mut block[word..word + 8];
            let before = <[u8; 8]>::take(word);
            let big = self.endian == Endian::Big;
            carry += u128::from(if big {
                u64::from_be_bytes(before)
            } else {
                u64::from_le_bytes(before)
            });
            let sum = carry as u64;
            word.copy_from_slice(&if big { sum.to_be_bytes() } else { sum.to_le_bytes() });
            carry >>= 64;
            at += 8;
        }
        for i in at..width {
            let byte = &mut block[if self.endian == Endian::Big { len - 1 - i } else { i }];
            carry = carry.wrapping_add(u128::from(*byte));
            *byte = carry as u8;
            carry >>= 8;
        }
    }

    /// The keystream of one block. Increments the counter.
    #[inline(always)]
    fn one<C: Cipher, S: Isa>(&self, isa: S, cipher: &C, chain: Chain<'_, C::Block>) -> C::One<S> {
        let mut room = C::Block::zero();
        let (first, index) = chain.counted(1);
        let (template, low) = self.counter(first, index, &mut room);
        let counter = C::One::<S>::counters(isa, template.as_ref(), self.endian, low);
        cipher.one::<S, Encrypt>(isa, counter)
    }
}

impl Mode for Ctr {
    #[inline]
    fn granularity(&self) -> Granularity {
        Granularity::Stream
    }
    #[inline]
    fn depends_on(&self, _: Way) -> Option<DependsOn> {
        Some(DependsOn::Index)
    }
    #[inline]
    fn seekable(&self) -> bool {
        true
    }
    #[inline]
    fn limit(&self, block: usize) -> u128 {
        // The usual widths without a shift of 128 bits, for the sake of short messages.
        match self.width(block) {
            4 => 1 << 32,
            8 => 1 << 64,
            16.. => u128::MAX,
            width => 1 << (8 * width),
        }
    }
    #[inline(always)]
    fn blocks<C: Cipher, D: Direction, S: Isa>(
        &self,
        isa: S,
        cipher: &C,
        chain: Chain<'_, C::Block>,
        mut io: InOut<'_>,
    ) {
        if C::takes_one::<S>() && io.len() == C::Block::LEN {
            let mut pad = self.one::<C, S>(isa, cipher, chain);
            return pad.store(isa, io.sink_xor_input(0, C::Block::LEN, 0));
        }
        let (cipher, ctr, blocks) = (cipher, *self, io.len() / C::Block::LEN);
        let (first, index) = chain.counted(blocks as u128);
        let mut room = C::Block::zero();
        let (template, low) = ctr.counter(first, index, &mut room);
        // A long message, or a counter that may wrap in its low four bytes.
        if blocks >= C::counted_from::<S, CtrPass<'_, C::Block>>().min(LONG as usize)
            || u64::from(low as u32) + blocks as u64 > u64::from(u32::MAX)
        {
            return isa.run(Runs { cipher, ctr, first, index, io });
        }
        if C::is_short::<S>() && (1..=FEW).contains(&blocks) {
            let mut pass = ctr.pass(io, template, low).few();
            return cipher.many::<S, Encrypt, _>(isa, &mut pass, blocks);
        }
        if index == 0 {
            return isa.run(Run { cipher, ctr, first, io });
        }
        let mut first = *template;
        ctr.endian.set_low(first.as_mut(), low);
        isa.run(Run { cipher, ctr, first: &first, io });
    }
    #[inline(always)]
    fn pad<C: Cipher, S: Isa>(&self, isa: S, cipher: &C, chain: Chain<'_, C::Block>) -> C::Block {
        let mut pad = C::Block::zero();
        if C::takes_one::<S>() {
            self.one::<C, S>(isa, cipher, chain).store(isa, Sink::new(pad.as_mut()));
            return pad;
        }
        self.blocks::<C, Encrypt, S>(isa, cipher, chain, InOut::in_place(pad.as_mut()));
        pad
    }
}
