//! Many messages in a serial mode: each message has a lane. When it ends, the lane takes the next message.

use super::Message;
use crate::Block;
use crate::cipher::{Chaining, Chains, Cipher, Key, WIDE, Wide, encrypt_one, xor};
use crate::isa::{AesRounds, Extension, InOut, Isa, MOST, Sink, Streams, Task, erase};
use crate::modes::{cbc, cfb};
use core::marker::PhantomData;
use core::slice;

/// Feeds lanes with messages.
pub(crate) trait Feed<'a, B: Block> {
    /// Puts the whole blocks of the next message into `lane`. Returns false if there is no message.
    fn next(&mut self, streams: &mut Streams<'a, B>, lane: usize) -> bool;
    /// The bytes of the next message; empty if there is none.
    fn peek(&self) -> &[u8];
    /// Called when the message in `lane` has no whole blocks left. Puts its last, incomplete block into the lane if there is one;
    /// otherwise takes its result. Returns whether it put a block.
    fn rest(&mut self, streams: &mut Streams<'a, B>, lane: usize) -> bool;
    /// The message of lane `from` moves to lane `to`.
    fn take(&mut self, from: usize, to: usize);
    /// The number of the message in `lane`. `lane` is less than [`WIDE`].
    fn number(&self, lane: usize) -> usize;
}

/// A type that contains a cipher with its key.
pub(crate) trait Holds<C>: Sync {
    /// Its cipher.
    fn cipher(&self) -> &C;
}

impl<C: Cipher> Holds<C> for Key<C> {
    #[inline(always)]
    fn cipher(&self) -> &C {
        self.cipher()
    }
}

/// The keys of lanes. A cipher that delegates work is behind an indirect call, so that the code that feeds lanes is compiled once
/// for each block size.
pub(crate) trait LaneKeys<B: Block> {
    /// The largest number of lanes.
    fn lanes(&self) -> usize;
    /// Takes the chains of the messages with these numbers through the cipher ([`Cipher::chains`]).
    fn chains(&self, numbers: &[usize], streams: &mut Streams<'_, B>);
}

/// One key for all messages, or a key for each; at least one.
pub(crate) struct Under<'a, S, K, C, H> {
    isa: S,
    keys: &'a [&'a K],
    types: PhantomData<(&'a C, H)>,
}

impl<'a, S, K, C, H> Under<'a, S, K, C, H> {
    #[inline(always)]
    pub(crate) fn new(isa: S, keys: &'a [&'a K]) -> Self {
        Self { isa, keys, types: PhantomData }
    }
}

impl<S: Isa, K: Holds<C>, C: Cipher, H: Chaining> Under<'_, S, K, C, H> {
    #[inline(always)]
    fn chain(&self, ciphers: &[&C], streams: &mut Streams<'_, C::Block>) {
        if C::HANDS_ON && S::Aes::SLICED {
            self.isa.run(Chains::<C, H>::new(ciphers, streams));
        } else {
            C::chains::<S, H>(ciphers, self.isa, streams);
        }
    }
}

impl<S: Isa, K: Holds<C>, C: Cipher, H: Chaining> LaneKeys<C::Block> for Under<'_, S, K, C, H> {
    #[inline(always)]
    fn lanes(&self) -> usize {
        if self.keys.len() == 1 { C::lanes::<S>() } else { WIDE }
    }
    #[inline(always)]
    fn chains(&self, numbers: &[usize], streams: &mut Streams<'_, C::Block>) {
        if let [key] = self.keys {
            return self.chain(&[key.cipher()], streams);
        }
        let mut ciphers = [self.keys[0].cipher(); WIDE];
        for (cipher, number) in ciphers.iter_mut().zip(numbers) {
            *cipher = self.keys[*number].cipher();
        }
        self.chain(&ciphers[..numbers.len()], streams);
    }
}

/// A message of at least this many bytes does not begin while the blocks of other lanes fill the cache set of its first block.
/// Without that, 32 messages a multiple of a page apart took four times as long.
const LONG: usize = 1024;
/// The number of bytes by which the other lanes then get ahead: two cache lines, because the CPU fetches lines in pairs.
const AHEAD: usize = 128;

/// Runs the lanes until all messages are finished.
#[inline(always)]
pub(crate) fn run<'a, B: Block, K: LaneKeys<B> + ?Sized, F: Feed<'a, B>>(
    keys: &K,
    streams: &mut Streams<'a, B>,
    feed: &mut F,
) {
    let most = keys.lanes();
    let mut active = 0;
    loop {
        let (mut lane, mut window) = (0, usize::MAX);
        loop {
            if lane == active {
                if active == most {
                    break;
                }
                if LONG <= feed.peek().len() && streams.is_crowded(active, feed.peek()) {
                    window = AHEAD;
                    break;
                }
                if !feed.next(streams, lane) {
                    break;
                }
                active += 1;
            }
            if !streams.is_done(lane) {
                lane += 1;
            } else if !feed.rest(streams, lane) && !feed.next(streams, lane) {
                active -= 1;
                streams.take(active, lane);
                feed.take(active, lane);
            }
        }
        if active == 0 {
            return;
        }
        streams.open(active, most, window);
        let mut numbers = [0; WIDE];
        for (lane, number) in numbers.iter_mut().enumerate() {
            *number = feed.number(lane);
        }
        keys.chains(&numbers[..active.min(WIDE)], streams);
        streams.close();
    }
}

/// Messages in a mode whose encryption is serial.
pub(crate) struct MessageLanes<'a, 'm, C, H> {
    /// One key for all messages, or a key for each; at least one.
    keys: &'a [&'a Key<C>],
    messages: &'a mut [Message<'m>],
    /// The length of all messages, if it is the same.
    common: Option<usize>,
    chaining: PhantomData<H>,
}

impl<'a, 'm, C, H> MessageLanes<'a, 'm, C, H> {
    pub(crate) fn new(
        keys: &'a [&'a Key<C>],
        messages: &'a mut [Message<'m>],
        common: Option<usize>,
    ) -> Self {
        Self { keys, messages, common, chaining: PhantomData }
    }

    /// Whether all messages are so short that lanes, which have a fixed cost, are slower than [`short`]. Measured on Intel family
    /// 6 model 167. With AVX-512, 8 messages of 64 bytes take 105 ns in lanes, 105 ns one after the other and 55 ns by
    /// [`abreast`]. In lanes and by [`abreast`], 8 of 128 bytes take 135 and 105 ns, and 32 of 128 bytes 360 and 420 ns. With one
    /// block per register, 8 of 256 bytes take 265 and 200 ns.
    #[inline(always)]
    fn is_short<S: Isa>(&self) -> bool {
        let few = self.messages.len() <= WIDE;
        if self.keys.len() == 1
            && self.messages.len() >= WIDE
            && let Some(len) = self.common
        {
            let most = match (S::Aes::N, few) {
                (1, _) => 256,
                (_, true) => 128,
                (_, false) => 64,
            };
            return len <= most;
        }
        let most = if few { 64 } else { 32 };
        self.messages.iter().all(|message| message.data.len() <= most)
    }
}

/// One message by itself.
#[inline(always)]
fn alone<C: Cipher, S: Isa, H: Chaining>(isa: S, cipher: &C, message: &mut Message<'_>) {
    let mut chain = C::Block::take(message.iv);
    let whole = message.data.len() / C::Block::LEN * C::Block::LEN;
    let (whole, tail) = message.data.split_at_mut(whole);
    if H::BEFORE {
        cbc::encrypt(isa, cipher, &mut chain, InOut::in_place(whole));
    } else {
        cfb::encrypt(isa, cipher, &mut chain, InOut::in_place(whole));
    }
    if !tail.is_empty() {
        let mut keystream = encrypt_one(isa, cipher, &chain);
        xor(tail, keystream.as_ref());
        erase(keystream.as_mut());
    }
}

/// [`WIDE`] messages under one key, of `len` bytes each, which are whole blocks. Each chain is in a register of its own. The
/// cipher takes one block of each message at a time.
#[inline(always)]
fn abreast<C: Cipher, S: Isa, H: Chaining>(
    isa: S,
    cipher: &C,
    messages: &mut [Message<'_>; WIDE],
    len: usize,
) {
    let mut x = [C::One::<S>::load(isa, messages[0].iv); WIDE];
    for lane in 1..WIDE {
        x[lane] = C::One::<S>::load(isa, messages[lane].iv);
    }
    for at in (0..len).step_by(C::Block::LEN) {
        let mut data = x;
        for lane in 0..WIDE {
            let block = &messages[lane].data[at..at + C::Block::LEN];
            data[lane] = C::One::<S>::load(isa, block);
            if H::BEFORE {
                x[lane] = x[lane].xor(isa, data[lane]);
            }
        }
        x = cipher.side_by_side(isa, x);
        for lane in 0..WIDE {
            if !H::BEFORE {
                x[lane] = x[lane].xor(isa, data[lane]);
            }
            let mut block = x[lane];
            block.store(isa, Sink::new(&mut messages[lane].data[at..at + C::Block::LEN]));
        }
    }
}

/// The length of all messages, if it is the same. Each comparison is a branch: with AVX-512, a sum of comparisons is compiled to
/// a gather, which takes longer than the messages.
#[inline(always)]
fn common(messages: &[Message<'_>]) -> Option<usize> {
    let len = messages.first()?.data.len();
    for message in messages {
        if message.data.len() != len {
            return None;
        }
    }
    Some(len)
}

/// Short messages, by [`abreast`] where their number and length allow it. `all` is the length of all of them, if that is known.
#[inline(always)]
fn short<C: Cipher, S: Isa, H: Chaining>(
    isa: S,
    keys: &[&Key<C>],
    mut messages: &mut [Message<'_>],
    all: Option<usize>,
) {
    if let [key] = keys {
        let (groups, rest) = messages.as_chunks_mut::<WIDE>();
        for group in groups {
            if let Some(len) = all.or_else(|| common(group))
                && len.is_multiple_of(C::Block::LEN)
            {
                abreast::<C, S, H>(isa, key.cipher(), group, len);
            } else {
                for message in group {
                    alone::<C, S, H>(isa, key.cipher(), message);
                }
            }
        }
        messages = rest;
    }
    for (i, message) in messages.iter_mut().enumerate() {
        let key = if let [key] = keys { key } else { keys[i] };
        alone::<C, S, H>(isa, key.cipher(), message);
    }
}

impl<C: Cipher, H: Chaining> Task for MessageLanes<'_, '_, C, H> {
    type Out = ();
    const EXTENSION: Extension = C::EXTENSION;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        if C::is_short::<S>() && self.is_short::<S>() {
            return short::<C, S, H>(isa, self.keys, self.messages, self.common);
        }
        let (keys, messages) = (&Under::<S, _, C, H>::new(isa, self.keys), self.messages);
        if C::HANDS_ON && S::Aes::SLICED {
            isa.run(FedMessages::<_, H> { keys, messages, chaining: PhantomData });
        } else {
            fed::<_, H, _>(keys, messages);
        }
    }
}

/// Messages in lanes.
struct FedMessages<'a, 'm, B, H> {
    keys: &'a dyn LaneKeys<B>,
    messages: &'a mut [Message<'m>],
    chaining: PhantomData<H>,
}

impl<B: Block, H: Chaining> Task for FedMessages<'_, '_, B, H> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa>(self, _: S) {
        fed::<B, H, _>(self.keys, self.messages);
    }
}

#[inline(always)]
fn fed<B: Block, H: Chaining, K: LaneKeys<B> + ?Sized>(keys: &K, messages: &mut [Message<'_>]) {
    let mut room = [B::zero(); MOST];
    let mut streams = Streams::new(&mut room);
    let (count, queue) = (messages.len(), messages.iter_mut());
    let mut messages = Messages {
        queue,
        count,
        numbers: [0; WIDE],
        tails: [const { None }; MOST],
        in_tail: [false; MOST],
        chaining: PhantomData::<H>,
    };
    run(keys, &mut streams, &mut messages);
    if !H::BEFORE {
        for tail in &mut room {
            erase(tail.as_mut());
        }
    }
}

struct Messages<'a, 'm, H> {
    queue: slice::IterMut<'a, Message<'m>>,
    /// The number of all messages.
    count: usize,
    /// The message of each lane.
    numbers: [usize; WIDE],
    /// For each lane: the last, incomplete block of its message, which only CFB has, and whether the lane works on it now.
    tails: [Option<&'a mut [u8]>; MOST],
    in_tail: [bool; MOST],
    chaining: PhantomData<H>,
}

impl<'a, B: Block, H: Chaining> Feed<'a, B> for Messages<'a, '_, H> {
    #[inline(always)]
    fn next(&mut self, streams: &mut Streams<'a, B>, lane: usize) -> bool {
        let i = self.count - self.queue.len();
        let Some(message) = self.queue.next() else { return false };
        let len = message.data.len() / B::LEN * B::LEN;
        // Reborrowed, not taken: the message keeps its data.
        let (whole, tail) = message.data.split_at_mut(len);
        *streams.chain(lane) = B::take(message.iv);
        streams.put(lane, whole);
        if !H::BEFORE {
            self.tails[lane] = if tail.is_empty() { None } else { Some(tail) };
            self.in_tail[lane] = false;
        }
        if lane < WIDE {
            self.numbers[lane] = i;
        }
        true
    }
    #[inline(always)]
    fn peek(&self) -> &[u8] {
        self.queue.as_slice().first().map_or(&[], |message| &*message.data)
    }
    #[inline(always)]
    fn rest(&mut self, streams: &mut Streams<'a, B>, lane: usize) -> bool {
        let Some(tail) = self.tails[lane].as_deref_mut() else { return false };
        if self.in_tail[lane] {
            tail.copy_from_slice(&streams.chain(lane).as_ref()[..tail.len()]);
            return false;
        }
        let mut block = B::zero();
        block.as_mut()[..tail.len()].copy_from_slice(tail);
        streams.put_tail(lane, block);
        self.in_tail[lane] = true;
        true
    }
    #[inline(always)]
    fn take(&mut self, from: usize, to: usize) {
        if !H::BEFORE {
            self.tails[to] = self.tails[from].take();
            self.in_tail[to] = self.in_tail[from];
        }
        if to < WIDE && from < WIDE {
            self.numbers[to] = self.numbers[from];
        }
    }
    #[inline(always)]
    fn number(&self, lane: usize) -> usize {
        self.numbers[lane]
    }
}
