//! Many messages in one call, by name.

use super::{AnyKey, AnyMode};
use crate::Error;
use crate::many::Message;
use crate::modes::{Granularity, Mode, Padding};

impl AnyKey {
    /// Encrypts messages without padding, in place. AES in CBC encrypts them side by side, in the registers of the backend. Other
    /// ciphers and modes encrypt them one after the other; [`many`](crate::many) has more for ciphers by type.
    ///
    /// ```
    /// use icefish::{Backend, many::Message, suite::Suite};
    /// let suite: Suite = "aes-256-cbc".parse()?;
    /// let key = suite.cipher.key(Backend::best(), &[7; 32], &[])?;
    /// let (mut one, mut two) = ([1; 32], [2; 48]);
    /// key.encrypt_many(suite.mode, &mut [
    ///     Message { iv: &[3; 16], data: &mut one },
    ///     Message { iv: &[4; 16], data: &mut two },
    /// ])?;
    /// # assert_ne!(one, [1; 32]);
    /// # Ok::<(), icefish::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::IvLength`], [`Error::PartialBlock`]: nothing was encrypted. [`Error::CounterExhausted`]: the messages before the
    /// one that is too long for its counter were.
    pub fn encrypt_many(&self, mode: AnyMode, messages: &mut [Message<'_>]) -> Result<(), Error> {
        self.check_many(mode, messages)?;
        if mode == AnyMode::Cbc
            && let Some(done) = self.key.cbc_encrypt_many(messages)
        {
            return done;
        }
        messages.iter_mut().try_for_each(|Message { iv, data }| {
            self.encrypt_in_place(mode, iv, Padding::None, data, data.len()).map(|_| ())
        })
    }

    /// Decrypts messages without padding, in place, one after the other.
    ///
    /// # Errors
    /// As [`AnyKey::encrypt_many`].
    pub fn decrypt_many(&self, mode: AnyMode, messages: &mut [Message<'_>]) -> Result<(), Error> {
        self.check_many(mode, messages)?;
        messages.iter_mut().try_for_each(|Message { iv, data }| {
            self.decrypt_in_place(mode, iv, Padding::None, data, data.len()).map(|_| ())
        })
    }

    /// Checks all messages before any of them is changed.
    fn check_many(&self, mode: AnyMode, messages: &[Message<'_>]) -> Result<(), Error> {
        let block = self.info.block;
        let need = mode.iv_len(block);
        for Message { iv, data } in messages {
            let got = data.len();
            if iv.len() != need {
                return Err(Error::IvLength { got: iv.len(), need });
            }
            if mode.granularity() == Granularity::Block && !got.is_multiple_of(block) {
                return Err(Error::PartialBlock { got, block });
            }
        }
        Ok(())
    }
}
