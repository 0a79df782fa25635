//! CMAC of many messages: each message has a lane.

use super::Cmac;
use crate::cipher::{Cipher, MacChain};
use crate::isa::{AesRounds, Extension, Isa, MOST, Streams, Task, erase};
use crate::many::lanes::{self, Feed, Holds, LaneKeys, Under};
use crate::{Block, Error};

impl<C: Cipher> Cmac<C> {
    /// The tags of messages under this key, as many in parallel as hide the latency of the cipher.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if the numbers of tags and messages differ.
    pub fn tag_many(&self, messages: &[&[u8]], tags: &mut [C::Block]) -> Result<(), Error> {
        if tags.len() != messages.len() {
            return Err(Error::BufferLength { got: tags.len(), need: messages.len() });
        }
        self.key().backend().run(Tags { keys: &[self], messages, tags });
        Ok(())
    }

    /// The tags of messages that have a key each. All run on the backend of the first key.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if the numbers of tags, keys and messages differ.
    pub fn tag_each(
        keys: &[&Self],
        messages: &[&[u8]],
        tags: &mut [C::Block],
    ) -> Result<(), Error> {
        for got in [tags.len(), keys.len()] {
            if got != messages.len() {
                return Err(Error::BufferLength { got, need: messages.len() });
            }
        }
        if let Some(first) = keys.first() {
            first.key().backend().run(Tags { keys, messages, tags });
        }
        Ok(())
    }
}

struct Tags<'a, C: Cipher> {
    /// One key for all messages, or a key for each; at least one.
    keys: &'a [&'a Cmac<C>],
    messages: &'a [&'a [u8]],
    tags: &'a mut [C::Block],
}

impl<C: Cipher> Task for Tags<'_, C> {
    type Out = ();
    const EXTENSION: Extension = C::EXTENSION;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let Self { keys, messages, tags } = self;
        let (under, subkeys) = (&Under::<S, _, C, MacChain>::new(isa, keys), &LastBlockKeys(keys));
        if C::HANDS_ON && S::Aes::SLICED {
            let (keys, subkeys): (&dyn LaneKeys<_>, &dyn Lasts<_>) = (under, subkeys);
            isa.run(FedCmac { keys, subkeys, messages, tags });
        } else {
            FedCmac { keys: under, subkeys, messages, tags }.call(isa);
        }
    }
}

impl<C: Cipher> Holds<C> for Cmac<C> {
    #[inline(always)]
    fn cipher(&self) -> &C {
        self.key().cipher()
    }
}

/// Makes the last block of a message. Like [`LaneKeys`], it is behind an indirect call that does not name the cipher.
trait Lasts<B> {
    /// The last block of message `number`, padded and XORed with its subkey.
    fn last(&self, number: usize, last: &[u8]) -> B;
}

struct LastBlockKeys<'a, C: Cipher>(&'a [&'a Cmac<C>]);

impl<C: Cipher> Lasts<C::Block> for LastBlockKeys<'_, C> {
    #[inline(always)]
    fn last(&self, number: usize, last: &[u8]) -> C::Block {
        if let [mac] = self.0 { mac.last(last) } else { self.0[number].last(last) }
    }
}

/// Messages in lanes.
struct FedCmac<'a, B, K: ?Sized, L: ?Sized> {
    keys: &'a K,
    subkeys: &'a L,
    messages: &'a [&'a [u8]],
    tags: &'a mut [B],
}

impl<B: Block, K: LaneKeys<B> + ?Sized, L: Lasts<B> + ?Sized> Task for FedCmac<'_, B, K, L> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa>(self, _: S) {
        let mut room = [B::zero(); MOST];
        let mut streams = Streams::new(&mut room);
        let keys = self.keys;
        let mut macs = Macs { fed: self, queue: 0, lanes: [(0, None); MOST] };
        lanes::run(keys, &mut streams, &mut macs);
        streams.erase();
        for last in &mut room {
            erase(last.as_mut());
        }
    }
}

struct Macs<'a, B, K: ?Sized, L: ?Sized> {
    fed: FedCmac<'a, B, K, L>,
    /// The next message.
    queue: usize,
    /// The message of each lane, and its last block, whole or not, until the lane has taken it.
    lanes: [(usize, Option<&'a [u8]>); MOST],
}

impl<'a, B: Block, K: ?Sized, L: Lasts<B> + ?Sized> Feed<'a, B> for Macs<'a, B, K, L> {
    #[inline(always)]
    fn next(&mut self, streams: &mut Streams<'a, B>, lane: usize) -> bool {
        let Some(message) = self.fed.messages.get(self.queue) else { return false };
        let len = message.len().saturating_sub(1) / B::LEN * B::LEN;
        let (blocks, last) = message.split_at(len);
        *streams.chain(lane) = B::zero();
        streams.put_input(lane, blocks);
        self.lanes[lane] = (self.queue, Some(last));
        self.queue += 1;
        true
    }
    #[inline(always)]
    fn peek(&self) -> &[u8] {
        self.fed.messages.get(self.queue).map_or(&[], |message| message)
    }
    #[inline(always)]
    fn rest(&mut self, streams: &mut Streams<'a, B>, lane: usize) -> bool {
        let number = self.lanes[lane].0;
        let Some(last) = self.lanes[lane].1.take() else {
            self.fed.tags[number] = *streams.chain(lane);
            return false;
        };
        streams.put_tail(lane, self.fed.subkeys.last(number, last));
        true
    }
    #[inline(always)]
    fn take(&mut self, from: usize, to: usize) {
        self.lanes[to] = self.lanes[from];
    }
    #[inline(always)]
    fn number(&self, lane: usize) -> usize {
        self.lanes[lane].0
    }
}
