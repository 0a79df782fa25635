//! Many messages in a serial mode: a message a lane; a lane whose message ends takes the next one.
//!
//! A lane is a register of its own where AES rounds have instructions, else one block of a room in memory.

use super::ecb::EcbPass;
use super::many::{Kind, Message, ROOM, xor};
use crate::Block;
use crate::cipher::{Cipher, Encrypt, Key, Wide};
use crate::isa::{Gain, InOut, Isa, Sink, Task, erase};

/// Messages that are encrypted block after block, a message a lane.
pub(super) struct Lanes<'a, 'm, C> {
    pub(super) cipher: &'a C,
    pub(super) kind: Kind,
    pub(super) messages: &'a mut [Message<'m>],
}

/// Most lanes: what the widest AES unit has in flight.
const LANES: usize = 32;

impl<C: Cipher> Lanes<'_, '_, C> {
    /// The index of the next message that is not empty, and its IV into the lane's block.
    #[inline(always)]
    fn next(&self, queue: &mut usize, block: &mut [u8]) -> Option<usize> {
        while let Some(message) = self.messages.get(*queue) {
            *queue += 1;
            if !message.data.is_empty() {
                block.copy_from_slice(message.iv);
                return Some(*queue - 1);
            }
        }
        None
    }
}

impl<C: Cipher> Task for Lanes<'_, '_, C> {
    type Out = ();
    const GAIN: Gain = C::GAIN;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        if C::interleaves::<S>() {
            return in_registers(isa, Same(self.cipher), self.kind, self.messages);
        }
        let size = C::Block::LEN;
        let mut room = [0; ROOM];
        // The message of each lane, and how far it is.
        let mut lanes = [(0, 0); LANES];
        let (mut active, mut queue) = (0, 0);
        let most = C::batch::<S>().min(LANES).min(ROOM / size);
        while active < most {
            let Some(message) = self.next(&mut queue, &mut room[size * active..][..size]) else {
                break;
            };
            (lanes[active], active) = ((message, 0), active + 1);
        }
        while active > 0 {
            if self.kind == Kind::Cbc {
                for (lane, &(message, at)) in lanes[..active].iter().enumerate() {
                    xor(
                        &mut room[size * lane..][..size],
                        &self.messages[message].data[at..at + size],
                    );
                }
            }
            let mut pass = EcbPass::<C::Block>::new(InOut::in_place(&mut room[..size * active]));
            self.cipher.many::<S, Encrypt, _>(isa, &mut pass, active);
            let mut lane = 0;
            while lane < active {
                let (message, at) = lanes[lane];
                let data = &mut self.messages[message].data;
                let len = size.min(data.len() - at);
                let block = &mut room[size * lane..][..size];
                if self.kind == Kind::Cbc {
                    data[at..at + size].copy_from_slice(block);
                } else {
                    xor(&mut block[..len], &data[at..at + len]);
                    data[at..at + len].copy_from_slice(&block[..len]);
                }
                lanes[lane].1 += len;
                let ended = lanes[lane].1 == data.len();
                if !ended {
                    lane += 1;
                } else if let Some(message) = self.next(&mut queue, block) {
                    lanes[lane] = (message, 0);
                    lane += 1;
                } else {
                    // The last lane takes the place of this one, and is looked at next.
                    active -= 1;
                    lanes[lane] = lanes[active];
                    room.copy_within(size * active..size * (active + 1), size * lane);
                }
            }
        }
        erase(&mut room);
    }
}

/// Messages whose blocks stay in registers: what hides the latency of AES rounds.
pub(super) const WIDE: usize = 8;

/// Messages that are encrypted block after block, each under a key of its own.
pub(super) struct Each<'a, 'm, C> {
    /// As many as messages, and one at least.
    pub(super) keys: &'a [&'a Key<C>],
    pub(super) kind: Kind,
    pub(super) messages: &'a mut [Message<'m>],
}

impl<C: Cipher> Task for Each<'_, '_, C> {
    type Out = ();
    const GAIN: Gain = C::GAIN;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        in_registers(isa, self.keys, self.kind, self.messages);
    }
}

/// The keys of messages.
pub(super) trait Keyring<'a, C: Cipher> {
    /// The cipher of that message.
    fn of(&self, message: usize) -> &'a C;
    /// Encrypts a block of each lane.
    fn encrypt<S: Isa>(&self, isa: S, lanes: &[&C; WIDE], blocks: &mut [C::One<S>; WIDE]);
}

/// One key for all messages.
pub(super) struct Same<'a, C>(pub(super) &'a C);

impl<'a, C: Cipher> Keyring<'a, C> for Same<'a, C> {
    #[inline(always)]
    fn of(&self, _: usize) -> &'a C {
        self.0
    }
    #[inline(always)]
    fn encrypt<S: Isa>(&self, isa: S, _: &[&C; WIDE], blocks: &mut [C::One<S>; WIDE]) {
        *blocks = self.0.side_by_side::<S, WIDE>(isa, *blocks);
    }
}

/// The CPU has the lanes in flight at once: none waits for another.
impl<'a, C: Cipher> Keyring<'a, C> for &'a [&'a Key<C>] {
    #[inline(always)]
    fn of(&self, message: usize) -> &'a C {
        self[message].cipher()
    }
    #[inline(always)]
    fn encrypt<S: Isa>(&self, isa: S, lanes: &[&C; WIDE], blocks: &mut [C::One<S>; WIDE]) {
        for lane in 0..WIDE {
            blocks[lane] = lanes[lane].one::<S, Encrypt>(isa, blocks[lane]);
        }
    }
}

#[inline(always)]
fn in_registers<'a, C: Cipher + 'a, S: Isa, K: Keyring<'a, C>>(
    isa: S,
    keys: K,
    kind: Kind,
    messages: &mut [Message<'_>],
) {
    if messages.is_empty() {
        return;
    }
    let mut ciphers = [keys.of(0); WIDE];
    let size = C::Block::LEN;
    let mut chains = [C::One::<S>::load(isa, C::Block::zero().as_ref()); WIDE];
    let mut rests: [&mut [u8]; WIDE] = Default::default();
    let mut queue = messages.iter_mut().enumerate().filter(|(_, m)| !m.data.is_empty());
    loop {
        for lane in 0..WIDE {
            if rests[lane].len() < size {
                short(isa, ciphers[lane], chains[lane], core::mem::take(&mut rests[lane]));
                if let Some((i, message)) = queue.next() {
                    ciphers[lane] = keys.of(i);
                    chains[lane] = C::One::<S>::load(isa, message.iv);
                    // Borrowed, not taken: the message keeps its data.
                    rests[lane] = &mut *message.data;
                }
            }
        }
        // A message that is shorter than a block has its turn above; so has an empty lane.
        let whole = rests.iter().map(|rest| rest.len()).filter(|&len| len >= size).min();
        let Some(shortest) = whole else {
            if rests.iter().all(|rest| rest.is_empty()) {
                return;
            }
            continue;
        };
        let len = shortest / size * size;
        let mut at = 0;
        while at < len {
            let mut x = chains;
            for lane in 0..WIDE {
                if kind == Kind::Cbc && rests[lane].len() >= size {
                    let plain = C::One::<S>::load(isa, &rests[lane][at..at + size]);
                    x[lane] = chains[lane].xor(isa, plain);
                }
            }
            chains = x;
            keys.encrypt(isa, &ciphers, &mut chains);
            for lane in 0..WIDE {
                if rests[lane].len() < size {
                    chains[lane] = x[lane];
                    continue;
                }
                if kind == Kind::Cfb {
                    let plain = C::One::<S>::load(isa, &rests[lane][at..at + size]);
                    chains[lane] = chains[lane].xor(isa, plain);
                }
                chains[lane].store(isa, Sink::new(&mut rests[lane][at..at + size]));
            }
            at += size;
        }
        for rest in &mut rests {
            if rest.len() >= size {
                *rest = &mut core::mem::take(rest)[len..];
            }
        }
    }
}

/// The last part of a block of a CFB message.
#[inline(always)]
fn short<C: Cipher, S: Isa>(isa: S, cipher: &C, chain: C::One<S>, rest: &mut [u8]) {
    if !rest.is_empty() {
        let mut pad = C::Block::zero();
        cipher.one::<S, Encrypt>(isa, chain).store(isa, Sink::new(pad.as_mut()));
        xor(rest, pad.as_ref());
    }
}
