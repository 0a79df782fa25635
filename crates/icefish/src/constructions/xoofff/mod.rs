//! Xoofff (Daemen, Hoffert, Van Assche and Van Keer, "The design of Xoodoo and Xoofff", ToSC 2018-4, section 3): a
//! doubly-extendable cryptographic keyed function (deck function). Its input is a sequence of strings, its output any number of
//! bytes. Both are processed in parallel.
//!
//! - [`Xoofff`] is the key, [`History`] a sequence of strings, and [`Output`] the output for it.
//! - [`Sane`] and [`Sanse`] are sessions of authenticated encryption, with a nonce and without.
//! - [`Wbc`] is a wide block cipher: every byte of the ciphertext depends on every byte of the plaintext.
//!
//! ```
//! use icefish::constructions::xoofff::Xoofff;
//! let key = Xoofff::new(&[7; 32])?;
//! let mut history = key.history();
//! history.push(b"a string");
//! history.push(b"and another");
//! let mut output = history.output();
//! let mut bytes = [0; 100];
//! output.fill(&mut bytes);
//! output.seek(60);
//! let mut again = [0; 40];
//! output.fill(&mut again);
//! assert_eq!(again, bytes[60..]);
//! # Ok::<(), icefish::Error>(())
//! ```
//!
//! Constant-time on every backend.

mod compress;
mod expand;
mod pusher;
mod roll;
mod sane;
mod sanse;
#[cfg(feature = "parallel")]
mod threads;
mod wbc;

pub use expand::Output;
pub use pusher::Pusher;
pub(crate) use pusher::StringProgress;
pub use sane::Sane;
pub(crate) use sane::{ASSOCIATED, CIPHERTEXT};
pub use sanse::Sanse;
pub use wbc::Wbc;

use crate::permutations::xoodoo::rounds::CONSTANTS as ALL_CONSTANTS;
use crate::permutations::xoodoo::single::Best;
use crate::{Backend, Error};
use compress::{Compress, Permute};
use core::fmt;
use roll::{Compression, Window};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Length of a block in bytes.
const BLOCK: usize = 48;
/// All permutations of Xoofff are the last six rounds of Xoodoo.
const CONSTANTS: &[u32] = ALL_CONSTANTS.last_chunk::<6>().expect("twelve rounds");
/// The padding after a string of whole bytes: a 1 bit. Bits are counted from the lowest.
const PADDING: u8 = 1;

/// A key. Dropping it erases it; `Debug` does not show it.
///
/// ```
/// use icefish::constructions::xoofff::Xoofff;
/// let mut tag = [0; 16];
/// let mut history = Xoofff::new(&[7; 32])?.history();
/// history.push(b"a message");
/// history.output().fill(&mut tag);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct Xoofff {
    mask: [u8; BLOCK],
    place: RunsOn,
}

/// Where the work is done.
#[derive(Clone, Copy)]
struct RunsOn {
    backend: Backend,
    /// Whether the work is distributed over all cores.
    #[cfg(feature = "parallel")]
    threads: bool,
}

#[cfg(not(feature = "parallel"))]
impl RunsOn {
    /// The part of a string that threads do not take: all of it, without the feature `parallel`.
    fn compress<'s>(self, string: &'s [u8], _: &mut [u8; BLOCK], _: &mut Window) -> &'s [u8] {
        string
    }
}

impl Xoofff {
    /// Length of the shortest key in bytes: that of the claimed strength of Xoofff.
    pub const MIN_KEY: usize = 16;
    /// Length of the longest key in bytes.
    pub const MAX_KEY: usize = BLOCK - 1;

    /// A key of [`Xoofff::MIN_KEY`] to [`Xoofff::MAX_KEY`] bytes on the best backend.
    ///
    /// # Errors
    /// [`Error::WeakKey`], [`Error::TooLong`].
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::on(Backend::best(), key)
    }

    /// A key of [`Xoofff::MIN_KEY`] to [`Xoofff::MAX_KEY`] bytes on the given backend.
    ///
    /// # Errors
    /// [`Error::WeakKey`], [`Error::TooLong`].
    pub fn on(backend: Backend, key: &[u8]) -> Result<Self, Error> {
        if key.len() < Self::MIN_KEY {
            return Err(Error::WeakKey { got: key.len(), least: Self::MIN_KEY });
        }
        Self::with_weak_key(backend, key)
    }

    /// A key of at most [`Xoofff::MAX_KEY`] bytes, which may be empty: for test vectors, and for functions that are not secret.
    /// The strength of all constructions with it is at most the length of the key.
    ///
    /// # Errors
    /// [`Error::TooLong`].
    pub fn with_weak_key(backend: Backend, key: &[u8]) -> Result<Self, Error> {
        if key.len() > Self::MAX_KEY {
            return Err(Error::TooLong { most: Self::MAX_KEY as u64 });
        }
        let mut mask = [0; BLOCK];
        mask[..key.len()].copy_from_slice(key);
        mask[key.len()] = PADDING;
        backend.run(Best(Permute(&mut mask)));
        let place = RunsOn {
            backend,
            #[cfg(feature = "parallel")]
            threads: false,
        };
        Ok(Self { mask, place })
    }

    /// The same key. Everything built on it processes strings and outputs of 127 KiB or more on all cores, in the `rayon` pool
    /// that the call runs in.
    #[cfg(feature = "parallel")]
    #[must_use]
    pub fn on_all_cores(mut self) -> Self {
        self.place.threads = true;
        self
    }

    /// An empty sequence of strings.
    pub fn history(&self) -> History {
        History { sum: [0; BLOCK], mask: Window::of(&self.mask), place: self.place }
    }
}

impl Drop for Xoofff {
    fn drop(&mut self) {
        self.mask.zeroize();
    }
}

impl ZeroizeOnDrop for Xoofff {}

impl fmt::Debug for Xoofff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Xoofff")
            .field("backend", &self.place.backend.name())
            .finish_non_exhaustive()
    }
}

/// A sequence of strings under a key. Adding a string takes time for that string only. A copy is cheap, so that sequences with a
/// common beginning share its computation.
///
/// Dropping it erases the state.
///
/// ```
/// use icefish::constructions::xoofff::Xoofff;
/// let mut history = Xoofff::new(&[7; 32])?.history();
/// history.push(b"a common beginning");
/// let (mut one, mut other) = ([0; 16], [0; 16]);
/// history.clone().output().fill(&mut one);
/// history.push(b"another string");
/// history.output().fill(&mut other);
/// assert_ne!(one, other);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct History {
    sum: [u8; BLOCK],
    mask: Window,
    place: RunsOn,
}

impl History {
    /// Adds a string. [`History::pusher`] takes it in pieces.
    pub fn push(&mut self, string: &[u8]) {
        self.push_with(string, PADDING);
    }

    /// Adds a string and the bits of `end`, from the lowest on. Its highest 1 is the padding.
    fn push_with(&mut self, string: &[u8], end: u8) {
        let (sum, mask) = (&mut self.sum, &mut self.mask);
        let string = self.place.compress(string, sum, mask);
        self.place.backend.run(Compress { string, end, sum, mask });
        mask.roll::<Compression>();
    }

    /// The output for these strings, from its first byte on.
    pub fn output(&self) -> Output {
        let mut start = self.sum;
        self.place.backend.run(Best(Permute(&mut start)));
        let output = Output::new(&start, self.mask.state(), self.place);
        start.zeroize();
        output
    }

    /// The output of Xoofffie, which omits the permutation between strings and output. It is weaker, and meant for the outer
    /// rounds of the wide block cipher.
    pub fn short_output(&self) -> Output {
        Output::new(&self.sum, self.mask.state(), self.place)
    }
}

impl Drop for History {
    fn drop(&mut self) {
        self.sum.zeroize();
        self.mask.zeroize();
    }
}

impl ZeroizeOnDrop for History {}

impl fmt::Debug for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("History")
            .field("backend", &self.place.backend.name())
            .finish_non_exhaustive()
    }
}
