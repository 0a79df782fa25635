//! The hash of one string, with an output of any length.

use super::absorber::AbsorbProgress;
use super::colour;
use super::cyclist::{Hash, Squeeze};
use super::sponge::{SavedSponge, Sponge};
use crate::Backend;
use crate::isa::{Isa, Rows};
use crate::permutations::xoodoo::single::{Best, OnOneState};
use core::fmt;
use core::marker::PhantomData;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Fills `output` with the hash of `message`: 32 bytes are the digest of the NIST competition.
///
/// ```
/// use icefish::{Backend, constructions::xoodyak};
/// let mut digest = [0; 32];
/// xoodyak::hash(Backend::best(), b"abc", &mut digest);
/// ```
pub fn hash(backend: Backend, message: &[u8], output: &mut [u8]) {
    backend.run(Best(WholeHash { message, output }));
}

pub(super) struct WholeHash<'a> {
    pub(super) message: &'a [u8],
    pub(super) output: &'a mut [u8],
}

impl OnOneState for WholeHash<'_> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa, R: Rows<S, u32>>(self, isa: S) {
        let mut sponge = Sponge::<S, R, Hash>::open(isa, &SavedSponge::NEW);
        sponge.absorb(self.message, colour::ABSORB);
        sponge.squeeze(self.output, colour::SQUEEZE);
    }
}

/// The hash of a message in pieces.
///
/// ```
/// use icefish::{Backend, constructions::xoodyak::{Hasher, hash}};
/// let mut hasher = Hasher::new();
/// hasher.update(b"a");
/// hasher.update(b"bc");
/// let (mut digest, mut same) = ([0; 32], [0; 32]);
/// hasher.finish(&mut digest);
/// hash(Backend::best(), b"abc", &mut same);
/// assert_eq!(digest, same);
/// ```
#[derive(Clone)]
pub struct Hasher {
    state: SavedSponge,
    backend: Backend,
    pieces: AbsorbProgress<Hash>,
}

impl Hasher {
    /// An empty message, on the best backend.
    pub fn new() -> Self {
        Self::on(Backend::best())
    }

    /// An empty message, on the given backend.
    pub fn on(backend: Backend) -> Self {
        Self { state: SavedSponge::NEW, backend, pieces: AbsorbProgress::NEW }
    }

    /// The backend that it runs on.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// Adds the next bytes of the message.
    pub fn update(&mut self, piece: &[u8]) {
        self.pieces.update(&mut self.state, self.backend, piece);
    }

    /// Fills `output` with the hash of the message.
    pub fn finish(mut self, output: &mut [u8]) {
        self.squeeze(output);
    }

    /// The hash of the message as a stream of any length.
    pub fn output(mut self) -> Output {
        // Moves the state to the first block of output.
        self.squeeze(&mut []);
        Output { state: self.state.clone(), backend: self.backend, used: 0 }
    }

    /// Ends the message, and fills `output` with the beginning of its hash.
    fn squeeze(&mut self, output: &mut [u8]) {
        self.pieces.end(&mut self.state, self.backend);
        let (colour, mode) = (colour::SQUEEZE, PhantomData);
        self.backend.run(Best(Squeeze::<Hash> { state: &mut self.state, output, colour, mode }));
    }
}

impl Drop for Hasher {
    fn drop(&mut self) {
        self.state.bytes.zeroize();
    }
}

impl ZeroizeOnDrop for Hasher {}

impl fmt::Debug for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hasher").field("backend", &self.backend.name()).finish_non_exhaustive()
    }
}

impl Default for Hasher {
    fn default() -> Self {
        Self::new()
    }
}

/// The hash of a message in pieces. Together, the pieces are the output of [`hash()`].
///
/// ```
/// use icefish::constructions::xoodyak::Hasher;
/// let mut hasher = Hasher::new();
/// hasher.update(b"abc");
/// let (mut whole, mut pieces) = ([0; 100], [0; 100]);
/// hasher.clone().finish(&mut whole);
/// let mut output = hasher.output();
/// output.fill(&mut pieces[..33]);
/// output.fill(&mut pieces[33..]);
/// assert_eq!(pieces, whole);
/// ```
#[derive(Clone)]
pub struct Output {
    /// Its first 16 bytes are the current block of output.
    state: SavedSponge,
    backend: Backend,
    /// The number of bytes of that block that have been returned.
    used: usize,
}

impl Output {
    /// Fills `output` with the next bytes.
    pub fn fill(&mut self, output: &mut [u8]) {
        let (now, rest) = output.split_at_mut(output.len().min(16 - self.used));
        now.copy_from_slice(&self.state.bytes[self.used..self.used + now.len()]);
        self.used += now.len();
        if !rest.is_empty() {
            self.used = (rest.len() - 1) % 16 + 1;
            self.backend.run(Best(More { state: &mut self.state, output: rest }));
        }
    }
}

struct More<'a> {
    state: &'a mut SavedSponge,
    output: &'a mut [u8],
}

impl OnOneState for More<'_> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa, R: Rows<S, u32>>(self, isa: S) {
        let mut sponge = Sponge::<S, R, Hash>::open(isa, self.state);
        sponge.squeeze_on(self.output);
        sponge.close(self.state);
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.state.bytes.zeroize();
    }
}

impl ZeroizeOnDrop for Output {}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").field("backend", &self.backend.name()).finish_non_exhaustive()
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use crate::permutations::xoodoo::tests::{InRows, InWords};

    /// A CPU runs only one of them, and the published hashes are checked with that one.
    #[test]
    fn rows_and_words_give_the_same() {
        let message: std::vec::Vec<u8> = (0..200).collect();
        for backend in Backend::available() {
            for len in [0, 1, 15, 16, 17, 32, 33, 200] {
                let message = &message[..len];
                let (mut rows, mut words, mut best) = ([0; 40], [0; 40], [0; 40]);
                backend.run(InRows(WholeHash { message, output: &mut rows }));
                backend.run(InWords(WholeHash { message, output: &mut words }));
                hash(backend, message, &mut best);
                assert_eq!(rows, words, "{len} bytes on {backend}");
                assert_eq!(rows, best, "{len} bytes on {backend}");
            }
        }
    }
}
