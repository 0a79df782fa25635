//! A wide block cipher: blocks of any length, by four rounds of a Feistel network.

use super::{BLOCK, Xoofff};
use crate::Error;
use crate::verdict::release;
use core::fmt;
use zeroize::ZeroizeOnDrop;

/// Xoofff-WBC and Xoofff-WBC-AE ("Xoodoo cookbook", IACR ePrint 2018/767): a block cipher with a tweak, whose block is the whole
/// message. Any change of a ciphertext makes the whole plaintext random. The ciphertext is as long as the plaintext.
///
/// With 16 zero bytes at the end of the plaintext, this is authenticated encryption without a nonce: [`Wbc::seal`] and
/// [`Wbc::open`].
///
/// ```
/// use icefish::constructions::xoofff::{Wbc, Xoofff};
/// let wbc = Wbc::new(&Xoofff::new(&[7; 32])?);
/// let mut sector = [5; 512];
/// wbc.encipher(b"sector 17", &mut sector)?;
/// wbc.decipher(b"sector 17", &mut sector)?;
/// assert_eq!(sector, [5; 512]);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct Wbc {
    key: Xoofff,
}

/// The bit after a string says which half of the block the string is.
const LEFT: u8 = 0b10;
const RIGHT: u8 = 0b11;

impl Wbc {
    /// Length of the shortest block in bytes.
    pub const SHORTEST: usize = 2;
    /// The number of bytes by which a sealed message is longer than the message.
    pub const TAG: usize = 16;

    /// A wide block cipher with this key.
    pub fn new(key: &Xoofff) -> Self {
        Self { key: key.clone() }
    }

    /// Encrypts a block.
    ///
    /// # Errors
    /// [`Error::TooShort`] for less than [`Wbc::SHORTEST`] bytes.
    pub fn encipher(&self, tweak: &[u8], block: &mut [u8]) -> Result<(), Error> {
        let (left, right) = halves(block)?;
        self.outer(left, LEFT, right);
        self.inner(tweak, right, RIGHT, left);
        self.inner(tweak, left, LEFT, right);
        self.outer(right, RIGHT, left);
        Ok(())
    }

    /// Decrypts a block.
    ///
    /// # Errors
    /// [`Error::TooShort`] for less than [`Wbc::SHORTEST`] bytes.
    pub fn decipher(&self, tweak: &[u8], block: &mut [u8]) -> Result<(), Error> {
        let (left, right) = halves(block)?;
        self.outer(right, RIGHT, left);
        self.inner(tweak, left, LEFT, right);
        self.inner(tweak, right, RIGHT, left);
        self.outer(left, LEFT, right);
        Ok(())
    }

    /// [`Wbc::encipher`] from `input` to `output`, which must have the same length.
    ///
    /// # Errors
    /// As [`Wbc::encipher`]; [`Error::BufferLength`].
    pub fn encipher_between(
        &self,
        tweak: &[u8],
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Error> {
        has_room(output.len(), input.len())?;
        output.copy_from_slice(input);
        self.encipher(tweak, output)
    }

    /// [`Wbc::decipher`] from `input` to `output`, which must have the same length.
    ///
    /// # Errors
    /// As [`Wbc::decipher`]; [`Error::BufferLength`].
    pub fn decipher_between(
        &self,
        tweak: &[u8],
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Error> {
        has_room(output.len(), input.len())?;
        output.copy_from_slice(input);
        self.decipher(tweak, output)
    }

    /// [`Wbc::seal`] from `message` to `sealed`, which must be [`Wbc::TAG`] bytes longer.
    ///
    /// # Errors
    /// [`Error::BufferLength`].
    pub fn seal_between(
        &self,
        associated: &[u8],
        message: &[u8],
        sealed: &mut [u8],
    ) -> Result<(), Error> {
        has_room(sealed.len(), message.len().saturating_add(Self::TAG))?;
        sealed[..message.len()].copy_from_slice(message);
        self.seal(associated, sealed)
    }

    /// Encrypts a message. `buffer` is the message and [`Wbc::TAG`] further bytes of any value.
    ///
    /// # Errors
    /// [`Error::TooShort`] if `buffer` is shorter than these bytes.
    pub fn seal(&self, associated: &[u8], buffer: &mut [u8]) -> Result<(), Error> {
        redundancy(buffer)?.fill(0);
        self.encipher(associated, buffer)
    }

    /// Decrypts the output of [`Wbc::seal`] and returns the message, the first bytes of `buffer`.
    ///
    /// # Errors
    /// [`Error::Forged`]: `buffer` is zeros. [`Error::TooShort`] if it has less than [`Wbc::TAG`] bytes.
    pub fn open<'a>(&self, associated: &[u8], buffer: &'a mut [u8]) -> Result<&'a mut [u8], Error> {
        redundancy(buffer)?;
        self.decipher(associated, buffer)?;
        let mut found = [0; Self::TAG];
        found.copy_from_slice(redundancy(buffer)?);
        release(&found, &[0; Self::TAG], buffer)?;
        let message = buffer.len() - Self::TAG;
        Ok(&mut buffer[..message])
    }

    /// XORs the short function of one half into the first block of the other.
    fn outer(&self, from: &[u8], end: u8, to: &mut [u8]) {
        let mut history = self.key.history();
        history.push_with(from, end);
        let count = to.len().min(BLOCK);
        history.short_output().apply(&mut to[..count]);
    }

    /// XORs the function of the tweak and one half into the other.
    fn inner(&self, tweak: &[u8], from: &[u8], end: u8, to: &mut [u8]) {
        let mut history = self.key.history();
        history.push(tweak);
        history.push_with(from, end);
        history.output().apply(to);
    }
}

impl ZeroizeOnDrop for Wbc {}

impl fmt::Debug for Wbc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wbc").field("key", &self.key).finish()
    }
}

fn has_room(got: usize, need: usize) -> Result<(), Error> {
    if got == need { Ok(()) } else { Err(Error::BufferLength { got, need }) }
}

/// The zero bytes at the end of a sealed message.
fn redundancy(buffer: &mut [u8]) -> Result<&mut [u8], Error> {
    let got = buffer.len();
    let start = got.checked_sub(Wbc::TAG).ok_or(Error::TooShort { got, least: Wbc::TAG })?;
    Ok(&mut buffer[start..])
}

/// The two halves of a block. Those of a short block have about the same length. Otherwise the left half is whole blocks of
/// Xoofff, less one byte for its last bit and padding, and the right half with its last byte takes 2^n blocks.
fn halves(block: &mut [u8]) -> Result<(&mut [u8], &mut [u8]), Error> {
    if block.len() < Wbc::SHORTEST {
        return Err(Error::TooShort { got: block.len(), least: Wbc::SHORTEST });
    }
    let left = left_half(block.len());
    Ok(block.split_at_mut(left))
}

/// The function "split" of Farfalle-WBC in bytes: its unit is 8 bits, its blocks have 384.
fn left_half(len: usize) -> usize {
    if len < 2 * BLOCK - 1 {
        return len.div_ceil(2);
    }
    let blocks = (len + 1) / BLOCK + 1;
    let right = 1 << (blocks - 1).ilog2();
    (blocks - right) * BLOCK - 1
}
