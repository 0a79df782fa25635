//! CMAC of many messages: a message a lane.

use super::Cmac;
use super::lanes::{self, Feed};
use crate::cipher::{Cipher, MacChain};
use crate::isa::{Gain, Isa, MOST, Streams, Task, erase};
use crate::{Block, Error};

impl<C: Cipher> Cmac<C> {
    /// The tags of messages, as many side by side as hide the latency of the cipher.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if there are not as many tags as messages.
    pub fn tag_many(&self, messages: &[&[u8]], tags: &mut [C::Block]) -> Result<(), Error> {
        if tags.len() != messages.len() {
            return Err(Error::BufferLength { got: tags.len(), need: messages.len() });
        }
        self.key().backend().run(Tags { keys: &[self], messages, tags });
        Ok(())
    }

    /// The tags of messages, each under a key of its own. All run on the backend of the first key.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if there are not as many tags, and as many keys, as messages.
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
    /// One key for all messages, or one for each; one at least.
    keys: &'a [&'a Cmac<C>],
    messages: &'a [&'a [u8]],
    tags: &'a mut [C::Block],
}

impl<C: Cipher> Task for Tags<'_, C> {
    type Out = ();
    const GAIN: Gain = C::GAIN;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let mut room = [C::Block::zero(); MOST];
        let mut streams = Streams::new(&mut room);
        let key = if let [mac] = self.keys { Some(mac.key().cipher()) } else { None };
        let mut macs = Macs { tags: self, queue: 0, lanes: [(0, None); MOST] };
        lanes::run::<C, S, MacChain, _>(isa, key, &mut streams, &mut macs);
        streams.erase();
        for last in &mut room {
            erase(last.as_mut());
        }
    }
}

struct Macs<'a, C: Cipher> {
    tags: Tags<'a, C>,
    /// The next message.
    queue: usize,
    /// The message of each lane, and its last block, whole or not, unless the lane has it.
    lanes: [(usize, Option<&'a [u8]>); MOST],
}

impl<'a, C: Cipher> Macs<'a, C> {
    #[inline(always)]
    fn mac(&self, lane: usize) -> &'a Cmac<C> {
        let keys = self.tags.keys;
        if let [mac] = keys { mac } else { keys[self.lanes[lane].0] }
    }
}

impl<'a, C: Cipher> Feed<'a, C> for Macs<'a, C> {
    #[inline(always)]
    fn next(&mut self, streams: &mut Streams<'a, C::Block>, lane: usize) -> bool {
        let Some(message) = self.tags.messages.get(self.queue) else { return false };
        let len = message.len().saturating_sub(1) / C::Block::LEN * C::Block::LEN;
        let (blocks, last) = message.split_at(len);
        *streams.chain(lane) = C::Block::zero();
        streams.put_input(lane, blocks);
        self.lanes[lane] = (self.queue, Some(last));
        self.queue += 1;
        true
    }
    #[inline(always)]
    fn peek(&self) -> &[u8] {
        self.tags.messages.get(self.queue).map_or(&[], |message| message)
    }
    #[inline(always)]
    fn rest(&mut self, streams: &mut Streams<'a, C::Block>, lane: usize) -> bool {
        let Some(last) = self.lanes[lane].1.take() else {
            self.tags.tags[self.lanes[lane].0] = *streams.chain(lane);
            return false;
        };
        streams.put_tail(lane, self.mac(lane).last(last));
        true
    }
    #[inline(always)]
    fn take(&mut self, from: usize, to: usize) {
        self.lanes[to] = self.lanes[from];
    }
    #[inline(always)]
    fn cipher(&self, lane: usize) -> &'a C {
        self.mac(lane).key().cipher()
    }
}
