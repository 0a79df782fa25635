//! CMAC of many messages: a message a lane.

use super::Cmac;
use super::lanes::{Keyring, WIDE};
use crate::cipher::{Cipher, Encrypt, Wide};
use crate::isa::{Gain, Isa, Sink, Task};
use crate::{Block, Error};
use core::marker::PhantomData;

impl<C: Cipher> Cmac<C> {
    /// The tags of messages, as many side by side as hide the latency of the cipher.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if there are not as many tags as messages.
    pub fn tag_many(&self, messages: &[&[u8]], tags: &mut [C::Block]) -> Result<(), Error> {
        if tags.len() != messages.len() {
            return Err(Error::BufferLength { got: tags.len(), need: messages.len() });
        }
        self.key().backend().run(Tags { keys: One(self), messages, tags, cipher: PhantomData });
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
            first.key().backend().run(Tags { keys, messages, tags, cipher: PhantomData });
        }
        Ok(())
    }
}

/// Keys with what CMAC derives from them.
trait Macs<'a, C: Cipher>: Keyring<'a, C> {
    fn mac(&self, message: usize) -> &'a Cmac<C>;
}

struct One<'a, C: Cipher>(&'a Cmac<C>);

impl<'a, C: Cipher> Keyring<'a, C> for One<'a, C> {
    #[inline(always)]
    fn of(&self, _: usize) -> &'a C {
        self.0.key().cipher()
    }
    #[inline(always)]
    fn encrypt<S: Isa>(&self, isa: S, lanes: &[&C; WIDE], blocks: &mut [C::One<S>; WIDE]) {
        super::lanes::Same(lanes[0]).encrypt(isa, lanes, blocks);
    }
}

impl<'a, C: Cipher> Macs<'a, C> for One<'a, C> {
    #[inline(always)]
    fn mac(&self, _: usize) -> &'a Cmac<C> {
        self.0
    }
}

impl<'a, C: Cipher> Keyring<'a, C> for &'a [&'a Cmac<C>] {
    #[inline(always)]
    fn of(&self, message: usize) -> &'a C {
        self[message].key().cipher()
    }
    #[inline(always)]
    fn encrypt<S: Isa>(&self, isa: S, lanes: &[&C; WIDE], blocks: &mut [C::One<S>; WIDE]) {
        for lane in 0..WIDE {
            blocks[lane] = lanes[lane].one::<S, Encrypt>(isa, blocks[lane]);
        }
    }
}

impl<'a, C: Cipher> Macs<'a, C> for &'a [&'a Cmac<C>] {
    #[inline(always)]
    fn mac(&self, message: usize) -> &'a Cmac<C> {
        self[message]
    }
}

struct Tags<'a, 't, C: Cipher, K> {
    keys: K,
    messages: &'t [&'t [u8]],
    tags: &'t mut [C::Block],
    cipher: PhantomData<&'a C>,
}

impl<'a, C: Cipher, K: Macs<'a, C>> Tags<'a, '_, C, K> {
    /// The last block of message `i`, whole or not, and its tag.
    #[inline(always)]
    fn end<S: Isa>(&mut self, isa: S, i: usize, chain: C::One<S>, last: &[u8]) {
        let mac = self.keys.mac(i);
        let (padded, subkey) = mac.last(last);
        let last = C::One::<S>::load(isa, padded.as_ref());
        let subkey = C::One::<S>::load(isa, subkey.as_ref());
        let x = chain.xor(isa, last).xor(isa, subkey);
        let mut tag = mac.key().cipher().one::<S, Encrypt>(isa, x);
        tag.store(isa, Sink::new(self.tags[i].as_mut()));
    }
}

impl<'a, C: Cipher, K: Macs<'a, C>> Task for Tags<'a, '_, C, K> {
    type Out = ();
    const GAIN: Gain = C::GAIN;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let mut job = self;
        let size = C::Block::LEN;
        if job.messages.is_empty() {
            return;
        }
        let zero = C::One::<S>::load(isa, C::Block::zero().as_ref());
        let mut ciphers = [job.keys.of(0); WIDE];
        let mut chains = [zero; WIDE];
        // The message of each lane, and what is left of it: more than a block.
        let mut lanes: [(usize, &[u8]); WIDE] = [(0, &[]); WIDE];
        let mut next = 0;
        loop {
            for lane in 0..WIDE {
                let (i, rest) = lanes[lane];
                if !rest.is_empty() && rest.len() <= size {
                    job.end(isa, i, chains[lane], rest);
                    lanes[lane].1 = &[];
                }
                while lanes[lane].1.is_empty() && next < job.messages.len() {
                    let message = job.messages[next];
                    if message.len() <= size {
                        job.end(isa, next, zero, message);
                    } else {
                        (lanes[lane], chains[lane]) = ((next, message), zero);
                        ciphers[lane] = job.keys.of(next);
                    }
                    next += 1;
                }
            }
            // Blocks that are not the last of any.
            let most = lanes.iter().map(|(_, rest)| rest.len()).filter(|&len| len > 0).min();
            let Some(shortest) = most else { return };
            let len = (shortest - 1) / size * size;
            let mut at = 0;
            while at < len {
                for lane in 0..WIDE {
                    if !lanes[lane].1.is_empty() {
                        let block = C::One::<S>::load(isa, &lanes[lane].1[at..at + size]);
                        chains[lane] = chains[lane].xor(isa, block);
                    }
                }
                job.keys.encrypt(isa, &ciphers, &mut chains);
                at += size;
            }
            for (_, rest) in &mut lanes {
                if !rest.is_empty() {
                    *rest = &rest[len..];
                }
            }
        }
    }
}
