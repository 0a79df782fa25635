//! A message in pieces.

use super::ubi::{Kind, Ubi};
use super::{Output, Skein, split_bits};
use crate::Error;
use crate::isa::erase;
use crate::verdict::{Verifier, has_len};
use core::fmt;
use zeroize::ZeroizeOnDrop;

#[cfg(feature = "alloc")]
use super::tree::Levels;

/// A message in pieces. A clone continues on its own.
///
/// ```
/// use icefish::constructions::skein::Skein512;
/// let skein = Skein512::new(512);
/// let mut hasher = skein.hasher();
/// hasher.update(b"a");
/// hasher.update(b"bc");
/// let (mut digest, mut same) = ([0; 64], [0; 64]);
/// hasher.finish(&mut digest)?;
/// skein.hash(b"abc", &mut same)?;
/// assert_eq!(digest, same);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct Hasher<const W: usize, const B: usize> {
    pub(super) skein: Skein<W, B>,
    pub(super) message: Shape<W, B>,
}

/// What the message goes into.
#[derive(Clone)]
pub(super) enum Shape<const W: usize, const B: usize> {
    Chain(Ubi<W, B>),
    #[cfg(feature = "alloc")]
    Tree(Levels<W, B>),
}

impl<const W: usize, const B: usize> Shape<W, B> {
    fn new(skein: &Skein<W, B>) -> Self {
        #[cfg(feature = "alloc")]
        if let Some(tree) = skein.tree {
            return Self::Tree(Levels::new(tree));
        }
        Self::Chain(Ubi::new(&skein.chain, Kind::Message, 0, 0))
    }
}

impl<const W: usize, const B: usize> Hasher<W, B> {
    pub(super) fn new(skein: Skein<W, B>) -> Self {
        Self { message: Shape::new(&skein), skein }
    }

    /// The hash that it belongs to.
    pub fn skein(&self) -> &Skein<W, B> {
        &self.skein
    }

    /// Adds the next bytes of the message.
    pub fn update(&mut self, piece: &[u8]) {
        match &mut self.message {
            Shape::Chain(ubi) => ubi.update(self.skein.backend(), piece),
            #[cfg(feature = "alloc")]
            Shape::Tree(levels) => levels.update(&self.skein, piece),
        }
    }

    /// Begins another message with the same hash.
    pub fn reset(&mut self) {
        self.message = Shape::new(&self.skein);
    }

    /// Writes the digest of the message to `digest`.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if `digest` has not [`Skein::digest_len`] bytes: nothing was written.
    pub fn finish(self, digest: &mut [u8]) -> Result<(), Error> {
        self.finish_bits(&[], 0, digest)
    }

    /// Adds the first `bits` bits of `rest` as the end of the message, and writes its digest to `digest`. A byte begins with its
    /// highest bit.
    ///
    /// # Errors
    /// [`Error::BufferLength`] as [`Hasher::finish`]; [`Error::TooShort`] if `rest` has fewer bits.
    pub fn finish_bits(mut self, rest: &[u8], bits: usize, digest: &mut [u8]) -> Result<(), Error> {
        self.skein.check(digest)?;
        let (bytes, last) = split_bits(rest, bits)?;
        self.update(bytes);
        let chain = self.end(last);
        self.skein.write(chain, digest);
        Ok(())
    }

    /// Compares the digest of the message, a message authentication code, with `tag` in constant time.
    ///
    /// # Errors
    /// [`Error::Forged`] if they differ; [`Error::TagLength`] if `tag` has not [`Skein::digest_len`] bytes.
    pub fn verify(self, tag: &[u8]) -> Result<(), Error> {
        has_len(tag, self.skein.digest_len())?;
        let skein = self.skein.clone();
        let mut output = self.output();
        let (mut verifier, mut block) = (Verifier::new(), [0; B]);
        for (i, part) in tag.chunks(B).enumerate() {
            let expected = &mut block[..part.len()];
            output.fill(expected);
            if (i + 1) * B >= tag.len() {
                skein.trim(expected);
            }
            verifier.update(expected, part);
        }
        erase(&mut block);
        verifier.finish()
    }

    /// The digest of the message in pieces.
    pub fn output(mut self) -> Output<W, B> {
        Output::new(self.skein.place, self.end(None))
    }

    /// Adds the first `bits` bits of `rest` as the end of the message; the digest of the message in pieces.
    ///
    /// # Errors
    /// [`Error::TooShort`] if `rest` has fewer bits.
    pub fn output_bits(mut self, rest: &[u8], bits: usize) -> Result<Output<W, B>, Error> {
        let (bytes, last) = split_bits(rest, bits)?;
        self.update(bytes);
        Ok(Output::new(self.skein.place, self.end(last)))
    }

    /// The value of the chain at the end of the message. `last` is a byte with padding.
    fn end(&mut self, last: Option<u8>) -> [u64; W] {
        match &mut self.message {
            Shape::Chain(ubi) => ubi.finish(self.skein.backend(), last),
            #[cfg(feature = "alloc")]
            Shape::Tree(levels) => levels.finish(&self.skein, last),
        }
    }
}

impl<const W: usize, const B: usize> ZeroizeOnDrop for Hasher<W, B> {}

impl<const W: usize, const B: usize> fmt::Debug for Hasher<W, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Hasher").field(&self.skein).finish()
    }
}
