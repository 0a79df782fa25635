//! Many messages in one call: their blocks share the registers.
//!
//! A mode that works on its blocks side by side copies blocks of whichever messages come next into a
//! room of some KiB, takes the room through the cipher, and copies out. What a serial mode does is in
//! `lanes`.

use super::Message;
use super::lanes::Lanes;
use crate::cipher::{
    CbcChain, CfbChain, Chaining, Cipher, Decrypt, Direction, Encrypt, Key, With, Work, xor,
};
use crate::isa::{Isa, erase};
use crate::modes::{Ctr, Mode};
use crate::{Block, Error};

/// Bytes of the room: as much as the widest backends take at once of any cipher.
const ROOM: usize = 4096;

/// What happens around the cipher.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ecb,
    Cbc,
    Cfb,
    Ctr(Ctr),
}

impl<C: Cipher> Key<C> {
    /// Encrypts messages in ECB mode, without padding.
    ///
    /// # Errors
    /// [`Error::PartialBlock`], [`Error::IvLength`] if a message has an IV: nothing was encrypted.
    pub fn ecb_encrypt_many(&self, messages: &mut [Message<'_>]) -> Result<(), Error> {
        self.side_by_side::<Encrypt>(Kind::Ecb, messages)
    }

    /// Decrypts messages in ECB mode, without padding.
    ///
    /// # Errors
    /// As [`Key::ecb_encrypt_many`].
    pub fn ecb_decrypt_many(&self, messages: &mut [Message<'_>]) -> Result<(), Error> {
        self.side_by_side::<Decrypt>(Kind::Ecb, messages)
    }

    /// Encrypts messages in CBC mode, without padding, as many side by side as fill the registers.
    ///
    /// # Errors
    /// [`Error::PartialBlock`], [`Error::IvLength`]: nothing was encrypted.
    pub fn cbc_encrypt_many(&self, messages: &mut [Message<'_>]) -> Result<(), Error> {
        self.lanes::<CbcChain>(Kind::Cbc, messages)
    }

    /// Decrypts messages in CBC mode, without padding.
    ///
    /// # Errors
    /// As [`Key::cbc_encrypt_many`].
    pub fn cbc_decrypt_many(&self, messages: &mut [Message<'_>]) -> Result<(), Error> {
        self.side_by_side::<Decrypt>(Kind::Cbc, messages)
    }

    /// Encrypts messages in CFB mode, as many side by side as fill the registers.
    ///
    /// # Errors
    /// [`Error::IvLength`]: nothing was encrypted.
    pub fn cfb_encrypt_many(&self, messages: &mut [Message<'_>]) -> Result<(), Error> {
        self.lanes::<CfbChain>(Kind::Cfb, messages)
    }

    /// Decrypts messages in CFB mode.
    ///
    /// # Errors
    /// As [`Key::cfb_encrypt_many`].
    pub fn cfb_decrypt_many(&self, messages: &mut [Message<'_>]) -> Result<(), Error> {
        self.side_by_side::<Encrypt>(Kind::Cfb, messages)
    }

    /// Encrypts messages in CBC mode, without padding, each under a key of its own, as many side by side
    /// as fill the registers. All run on the backend of the first key.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if there are not as many keys as messages, [`Error::PartialBlock`],
    /// [`Error::IvLength`]: nothing was encrypted.
    pub fn cbc_encrypt_each(keys: &[&Self], messages: &mut [Message<'_>]) -> Result<(), Error> {
        Self::each::<CbcChain>(keys, Kind::Cbc, messages)
    }

    /// Encrypts messages in CFB mode, each under a key of its own, as many side by side as fill the
    /// registers. All run on the backend of the first key.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if there are not as many keys as messages, [`Error::IvLength`]: nothing was
    /// encrypted.
    pub fn cfb_encrypt_each(keys: &[&Self], messages: &mut [Message<'_>]) -> Result<(), Error> {
        Self::each::<CfbChain>(keys, Kind::Cfb, messages)
    }

    /// Encrypts, or decrypts, messages in counter mode.
    ///
    /// # Errors
    /// [`Error::IvLength`], [`Error::CounterExhausted`]: nothing was encrypted.
    pub fn ctr_many(&self, mode: Ctr, messages: &mut [Message<'_>]) -> Result<(), Error> {
        self.side_by_side::<Encrypt>(Kind::Ctr(mode), messages)
    }

    /// Refuses messages before any of them is touched.
    fn check(kind: Kind, messages: &[Message<'_>]) -> Result<(), Error> {
        let block = C::Block::LEN;
        let need = if kind == Kind::Ecb { 0 } else { block };
        for message in messages {
            let got = message.data.len();
            if message.iv.len() != need {
                return Err(Error::IvLength { got: message.iv.len(), need });
            }
            if matches!(kind, Kind::Ecb | Kind::Cbc) && !got.is_multiple_of(block) {
                return Err(Error::PartialBlock { got, block });
            }
            if let Kind::Ctr(ctr) = kind
                && got.div_ceil(block) as u128 > ctr.limit(block)
            {
                return Err(Error::CounterExhausted);
            }
        }
        Ok(())
    }

    fn side_by_side<D: Direction>(
        &self,
        kind: Kind,
        messages: &mut [Message<'_>],
    ) -> Result<(), Error> {
        Self::check(kind, messages)?;
        let encrypt = D::ENCRYPT;
        self.backend().run(With(self.cipher(), SideBySide { kind, messages, encrypt }));
        Ok(())
    }

    fn lanes<H: Chaining>(&self, kind: Kind, messages: &mut [Message<'_>]) -> Result<(), Error> {
        Self::check(kind, messages)?;
        self.backend().run(Lanes::<_, H>::new(&[self], messages));
        Ok(())
    }

    fn each<H: Chaining>(
        keys: &[&Self],
        kind: Kind,
        messages: &mut [Message<'_>],
    ) -> Result<(), Error> {
        Self::check(kind, messages)?;
        if keys.len() != messages.len() {
            return Err(Error::BufferLength { got: keys.len(), need: messages.len() });
        }
        if let Some(first) = keys.first() {
            first.backend().run(Lanes::<_, H>::new(keys, messages));
        }
        Ok(())
    }
}

/// Blocks `from..` of message `message`, which lie at `at` in the room.
#[derive(Clone, Copy)]
struct Stretch {
    message: usize,
    /// In bytes, of the message and of the room.
    from: usize,
    at: usize,
    len: usize,
}

/// Messages whose blocks do not wait for each other.
struct SideBySide<'a, 'm> {
    kind: Kind,
    messages: &'a mut [Message<'m>],
    /// Which way the cipher runs.
    encrypt: bool,
}

/// Most stretches in a room: messages shorter than this part of it leave some of it empty.
const STRETCHES: usize = 128;

impl SideBySide<'_, '_> {
    /// What goes into the cipher for a stretch.
    #[inline(always)]
    fn fill<B: Block>(&self, stretch: Stretch, room: &mut [u8], before: &mut B) {
        let (size, message) = (B::LEN, &self.messages[stretch.message]);
        let (from, len) = (stretch.from, stretch.len);
        match self.kind {
            Kind::Ecb | Kind::Cbc => room.copy_from_slice(&message.data[from..from + len]),
            Kind::Cfb => {
                // The ciphertext one block earlier: the IV, or what the room before ended with. The
                // message's own last block may be short.
                let (head, rest) = room.split_at_mut(size);
                head.copy_from_slice(if from == 0 { message.iv } else { before.as_ref() });
                rest.copy_from_slice(&message.data[from..from + rest.len()]);
                if from + len < message.data.len() {
                    *before = B::take(&message.data[from + len - size..]);
                }
            }
            Kind::Ctr(ctr) => {
                let first = B::take(message.iv);
                for (i, block) in room.chunks_exact_mut(size).enumerate() {
                    let counter = ctr.block(&first, (from / size + i) as u128);
                    block.copy_from_slice(counter.as_ref());
                }
            }
        }
    }

    /// What becomes of what comes out.
    #[inline(always)]
    fn drain<B: Block>(&mut self, stretch: Stretch, room: &[u8], last: &mut B) {
        let size = B::LEN;
        let message = &mut self.messages[stretch.message];
        let data = &mut message.data[stretch.from..stretch.from + stretch.len];
        match self.kind {
            Kind::Ecb => data.copy_from_slice(room),
            Kind::Cfb | Kind::Ctr(_) => xor(data, room),
            Kind::Cbc => {
                // Ciphertext is overwritten block by block: each is kept until the next is done.
                if stretch.from == 0 {
                    *last = B::take(message.iv);
                }
                for (block, plain) in data.chunks_exact_mut(size).zip(room.chunks_exact(size)) {
                    let cipher_text = B::take(block);
                    block.copy_from_slice(plain);
                    xor(block, last.as_ref());
                    *last = cipher_text;
                }
            }
        }
    }
}

impl<B: Block> Work<B> for SideBySide<'_, '_> {
    type Out = ();
    const FUSED: bool = false;
    #[inline(always)]
    fn call<C: Cipher<Block = B>, S: Isa>(mut self, isa: S, cipher: &C) {
        let size = B::LEN;
        let mut room = [0; ROOM];
        let whole = ROOM / size * size;
        let mut stretches = [Stretch { message: 0, from: 0, at: 0, len: 0 }; STRETCHES];
        let (mut message, mut from) = (0, 0);
        let (mut last, mut before) = (B::zero(), B::zero());
        while message < self.messages.len() {
            let (mut count, mut at) = (0, 0);
            while message < self.messages.len() && count < STRETCHES && at < whole {
                let left = self.messages[message].data.len() - from;
                let len = left.min(whole - at);
                let stretch = Stretch { message, from, at, len };
                let blocks = len.next_multiple_of(size);
                if len > 0 {
                    self.fill(stretch, &mut room[at..at + blocks], &mut before);
                    (stretches[count], count) = (stretch, count + 1);
                }
                at += blocks;
                (message, from) =
                    if len == left { (message + 1, 0) } else { (message, from + len) };
            }
            if self.encrypt {
                cipher.in_place::<S, Encrypt>(isa, &mut room[..at]);
            } else {
                cipher.in_place::<S, Decrypt>(isa, &mut room[..at]);
            }
            for &stretch in &stretches[..count] {
                self.drain(stretch, &room[stretch.at..stretch.at + stretch.len], &mut last);
            }
        }
        erase(&mut room);
    }
}
