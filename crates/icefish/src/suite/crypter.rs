//! A message in pieces, of any cipher and mode.

use super::erased::ErasedCrypter;
use crate::Error;
use alloc::boxed::Box;
use core::fmt;

/// A message in pieces, of any cipher and mode; see [`Crypter`](crate::modes::Crypter).
///
/// ```
/// use icefish::{Backend, modes::Padding, suite::Suite};
/// let suite: Suite = "aes-128-cbc".parse()?;
/// let key = suite.cipher.key(Backend::best(), &[7; 16], &[])?;
/// let (mut message, mut out) = (key.encryptor(suite.mode, &[1; 16], Padding::Pkcs7)?, [0; 32]);
/// let mut len = message.update(b"more than one block", &mut out)?;
/// len += message.finish(&mut out[len..])?;
/// assert_eq!(len, 32);
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct AnyCrypter<'k>(pub(super) Box<dyn ErasedCrypter + 'k>);

impl AnyCrypter<'_> {
    /// An upper bound on what [`AnyCrypter::update`] and [`AnyCrypter::finish`] write for `input` more bytes.
    pub fn output_len(&self, input: usize) -> usize {
        self.0.output_len(input)
    }

    /// Encrypts or decrypts the next bytes of the message. Returns the number of bytes written.
    ///
    /// # Errors
    /// As [`Crypter::update`](crate::modes::Crypter::update).
    pub fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Error> {
        self.0.update(input, output)
    }

    /// [`AnyCrypter::update`] in place: any length in stream modes, whole blocks in block modes.
    ///
    /// # Errors
    /// As [`Crypter::update_in_place`](crate::modes::Crypter::update_in_place).
    pub fn update_in_place(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.0.update_in_place(data)
    }

    /// Moves to byte `position` of the message. Only counter modes can.
    ///
    /// # Errors
    /// As [`Crypter::seek`](crate::modes::Crypter::seek).
    pub fn seek(&mut self, position: u128) -> Result<(), Error> {
        self.0.seek(position)
    }

    /// Ends the message: writes the pending bytes, and returns their number, at most one block.
    ///
    /// # Errors
    /// As [`Crypter::finish`](crate::modes::Crypter::finish).
    pub fn finish(self, output: &mut [u8]) -> Result<usize, Error> {
        self.0.finish(output)
    }
}

impl fmt::Debug for AnyCrypter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnyCrypter")
    }
}
