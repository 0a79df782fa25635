//! Many messages in one call: their blocks share the registers.
//!
//! A parallel mode copies blocks of consecutive messages into a buffer of some KiB, takes the buffer through the cipher, and
//! copies the output back. Serial modes are in `lanes`.

use super::Message;
use super::lanes::MessageLanes;
use crate::cipher::{
    CbcChain, CfbChain, Chaining, Cipher, Decrypt, Direction, Encrypt, Key, With, Work, xor,
};
use crate::isa::{Isa, erase};
use crate::modes::{Ctr, Mode};
use crate::{Block, Error};

/// Bytes of the buffer: the largest batch of any cipher on the widest backends.
const ROOM: usize = 4096;

/// The mode.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ManyMode {
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
        self.side_by_side::<Encrypt>(ManyMode::Ecb, messages)
    }

    /// Decrypts messages in ECB mode, without padding.
    ///
    /// # Errors
    /// As [`Key::ecb_encrypt_many`].
    pub fn ecb_decrypt_many(&self, messages: &mut [Message<'_>]) -> Result<(), Error> {
        self.side_by_side::<Decrypt>(ManyMode::Ecb, messages)
    }

    /// Encrypts messages in CBC mode, without padding, as many in parallel as fill the registers.
    ///
    /// # Errors
    /// [`Error::PartialBlock`], [`Error::IvLength`]: nothing was encrypted.
    pub fn cbc_encrypt_many(&self, messages: &mut [Message<'_>]) -> Result<(), Error> {
        self.lanes::<CbcChain>(ManyMode::Cbc, messages)
    }

    /// Decrypts messages in CBC mode, without padding.
    ///
    /// # Errors
    /// As [`Key::cbc_encrypt_many`].
    pub fn cbc_decrypt_many(&self, messages: &mut [Message<'_>]) -> Result<(), Error> {
        self.side_by_side::<Decrypt>(ManyMode::Cbc, messages)
    }

    /// Encrypts messages in CFB mode, as many in parallel as fill the registers.
    ///
    /// # Errors
    /// [`Error::IvLength`]: nothing was encrypted.
    pub fn cfb_encrypt_many(&self, messages: &mut [Message<'_>]) -> Result<(), Error> {
        self.lanes::<CfbChain>(ManyMode::Cfb, messages)
    }

    /// Decrypts messages in CFB mode.
    ///
    /// # Errors
    /// As [`Key::cfb_encrypt_many`].
    pub fn cfb_decrypt_many(&self, messages: &mut [Message<'_>]) -> Result<(), Error> {
        self.side_by_side::<Encrypt>(ManyMode::Cfb, messages)
    }

    /// Encrypts messages that have a key each in CBC mode, without padding, as many in parallel as fill the registers. All run on
    /// the backend of the first key.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if the numbers of keys and messages differ, [`Error::PartialBlock`], [`Error::IvLength`]: nothing
    /// was encrypted.
    pub fn cbc_encrypt_each(keys: &[&Self], messages: &mut [Message<'_>]) -> Result<(), Error> {
        Self::each::<CbcChain>(keys, ManyMode::Cbc, messages)
    }

    /// Encrypts messages that have a key each in CFB mode, as many in parallel as fill the registers. All run on the backend of
    /// the first key.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if the numbers of keys and messages differ, [`Error::IvLength`]: nothing was encrypted.
    pub fn cfb_encrypt_each(keys: &[&Self], messages: &mut [Message<'_>]) -> Result<(), Error> {
        Self::each::<CfbChain>(keys, ManyMode::Cfb, messages)
    }

    /// Encrypts or decrypts messages in counter mode.
    ///
    /// # Errors
    /// [`Error::IvLength`], [`Error::CounterExhausted`]: nothing was encrypted.
    pub fn ctr_many(&self, mode: Ctr, messages: &mut [Message<'_>]) -> Result<(), Error> {
        self.side_by_side::<Encrypt>(ManyMode::Ctr(mode), messages)
    }

    /// Checks all messages before any of them is changed. Returns the length of all, if it is the same.
    fn check(kind: ManyMode, messages: &[Message<'_>]) -> Result<Option<usize>, Error> {
        let block = C::Block::LEN;
        let need = if kind == ManyMode::Ecb { 0 } else { block };
        let first = messages.first().map_or(0, |message| message.data.len());
        let mut same = true;
        for message in messages {
            let got = message.data.len();
            same &= got == first;
            if message.iv.len() != need {
                return Err(Error::IvLength { got: message.iv.len(), need });
            }
            if matches!(kind, ManyMode::Ecb | ManyMode::Cbc) && !got.is_multiple_of(block) {
                return Err(Error::PartialBlock { got, block });
            }
            if let ManyMode::Ctr(ctr) = kind
                && got.div_ceil(block) as u128 > ctr.limit(block)
            {
                return Err(Error::CounterExhausted);
            }
        }
        Ok(same.then_some(first))
    }

    fn side_by_side<D: Direction>(
        &self,
        kind: ManyMode,
        messages: &mut [Message<'_>],
    ) -> Result<(), Error> {
        Self::check(kind, messages)?;
        let encrypt = D::ENCRYPT;
        self.backend().run(With(self.cipher(), IndependentBlocks { kind, messages, encrypt }));
        Ok(())
    }

    fn lanes<H: Chaining>(
        &self,
        kind: ManyMode,
        messages: &mut [Message<'_>],
    ) -> Result<(), Error> {
        let common = Self::check(kind, messages)?;
        self.backend().run(MessageLanes::<_, H>::new(&[self], messages, common));
        Ok(())
    }

    fn each<H: Chaining>(
        keys: &[&Self],
        kind: ManyMode,
        messages: &mut [Message<'_>],
    ) -> Result<(), Error> {
        let common = Self::check(kind, messages)?;
        if keys.len() != messages.len() {
            return Err(Error::BufferLength { got: keys.len(), need: messages.len() });
        }
        if let Some(first) = keys.first() {
            first.backend().run(MessageLanes::<_, H>::new(keys, messages, common));
        }
        Ok(())
    }
}

/// A part of message `message` that is at `at` in the buffer.
#[derive(Clone, Copy)]
struct Stretch {
    message: usize,
    /// The position in the message and in the buffer, and the length, in bytes.
    from: usize,
    at: usize,
    len: usize,
}

/// Messages whose blocks are independent.
struct IndependentBlocks<'a, 'm> {
    kind: ManyMode,
    messages: &'a mut [Message<'m>],
    /// Whether the cipher encrypts.
    encrypt: bool,
}

/// The largest number of stretches in the buffer. Messages shorter than `ROOM / STRETCHES` bytes do not fill it.
const STRETCHES: usize = 128;

impl IndependentBlocks<'_, '_> {
    /// Writes the cipher's input for a stretch.
    #[inline(always)]
    fn fill<B: Block>(&self, stretch: Stretch, room: &mut [u8], before: &mut B) {
        let (size, message) = (B::LEN, &self.messages[stretch.message]);
        let (from, len) = (stretch.from, stretch.len);
        match self.kind {
            ManyMode::Ecb | ManyMode::Cbc => room.copy_from_slice(&message.data[from..from + len]),
            ManyMode::Cfb => {
                // The ciphertext one block earlier: the IV, or the last block of the buffer before. The last block of the message
                // may be incomplete.
                let (head, rest) = room.split_at_mut(size);
                head.copy_from_slice(if from == 0 { message.iv } else { before.as_ref() });
                rest.copy_from_slice(&message.data[from..from + rest.len()]);
                if from + len < message.data.len() {
                    *before = B::take(&message.data[from + len - size..]);
                }
            }
            ManyMode::Ctr(ctr) => {
                let first = B::take(message.iv);
                for (i, block) in room.chunks_exact_mut(size).enumerate() {
                    let counter = ctr.block(&first, (from / size + i) as u128);
                    block.copy_from_slice(counter.as_ref());
                }
            }
        }
    }

    /// Uses the cipher's output for a stretch.
    #[inline(always)]
    fn drain<B: Block>(&mut self, stretch: Stretch, room: &[u8], last: &mut B) {
        let size = B::LEN;
        let message = &mut self.messages[stretch.message];
        let data = &mut message.data[stretch.from..stretch.from + stretch.len];
        match self.kind {
            ManyMode::Ecb => data.copy_from_slice(room),
            ManyMode::Cfb | ManyMode::Ctr(_) => xor(data, room),
            ManyMode::Cbc => {
                // Each ciphertext block is kept until the next block is decrypted, because the plaintext overwrites it.
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

impl<B: Block> Work<B> for IndependentBlocks<'_, '_> {
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
