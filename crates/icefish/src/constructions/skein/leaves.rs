//! Leaves of a tree that are hashed before the bytes in front of them have arrived: for programs that read a message at several
//! places at once.

use super::units::Units;
use super::{Hasher, Skein};
use crate::Error;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The results of leaves of a message ([`Skein::leaves`]). [`Hasher::append`] takes them in place of the bytes of those leaves.
///
/// ```
/// use icefish::constructions::skein::{Arguments, Leaves, Skein512, Tree};
/// let skein = Skein512::with(512, &Arguments { tree: Some(Tree::USUAL), ..Arguments::default() });
/// let message = [1; 4 * 4096];
/// // Two threads, each with half of the message.
/// let [first, second]: [Leaves; 2] = std::thread::scope(|scope| {
///     [0, 8192]
///         .map(|at| (at, &skein))
///         .map(|(at, skein)| scope.spawn(move || skein.leaves(at as u64, &message[at..at + 8192])))
///         .map(|thread| thread.join().expect("no panic").expect("whole leaves"))
/// });
/// let (mut hasher, mut digest, mut same) = (skein.hasher(), [0; 64], [0; 64]);
/// hasher.append(&first)?;
/// hasher.append(&second)?;
/// hasher.finish(&mut digest)?;
/// skein.hash(&message, &mut same)?;
/// assert_eq!(digest, same);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct Leaves {
    /// Where in the message they begin.
    pub(super) position: u64,
    /// The results, one after the other.
    pub(super) results: Vec<u8>,
}

impl<const W: usize, const B: usize> Skein<W, B> {
    /// Bytes of a leaf, if messages are trees and a leaf is not longer than memory.
    pub fn leaf_len(&self) -> Option<usize> {
        let blocks = u32::from(self.tree?.leaf);
        B.checked_shl(blocks).filter(|len| len >> blocks == B)
    }

    /// Hashes the leaves of a message that begin at its byte `position`, side by side in the lanes of the backend.
    ///
    /// ```
    /// use icefish::constructions::skein::{Arguments, Skein512, Tree};
    /// let arguments = Arguments { tree: Some(Tree::USUAL), ..Arguments::default() };
    /// let skein = Skein512::with(512, &arguments);
    /// let message = [1; 10_000];
    /// let second = skein.leaves(4096, &message[4096..8192])?;
    /// let mut hasher = skein.hasher();
    /// hasher.append(&skein.leaves(0, &message[..4096])?)?;
    /// hasher.append(&second)?;
    /// hasher.update(&message[8192..]);
    /// # let (mut digest, mut same) = ([0; 64], [0; 64]);
    /// # hasher.finish(&mut digest)?;
    /// # skein.hash(&message, &mut same)?;
    /// # assert_eq!(digest, same);
    /// # Ok::<(), icefish::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Leaves`] if messages are not trees, or if these are not whole leaves.
    pub fn leaves(&self, position: u64, data: &[u8]) -> Result<Leaves, Error> {
        let size = self.leaf_len().ok_or(Error::Leaves)?;
        if !data.len().is_multiple_of(size) || !position.is_multiple_of(size as u64) {
            return Err(Error::Leaves);
        }
        let mut results = vec![0; data.len() / size * B];
        let first = position / size as u64;
        Units { skein: self, first, level: 1, size, data }.run(&mut results);
        Ok(Leaves { position, results })
    }
}

impl<const W: usize, const B: usize> Hasher<W, B> {
    /// Adds the next bytes of the message, in the form of the results of their leaves, which must be of the same hash.
    ///
    /// # Errors
    /// [`Error::Leaves`] if messages are not trees, or if these leaves are not the next of the message: nothing was added.
    pub fn append(&mut self, leaves: &Leaves) -> Result<(), Error> {
        match &mut self.message {
            super::hasher::Shape::Tree(levels) => levels.append(&self.skein, leaves),
            super::hasher::Shape::Chain(_) => Err(Error::Leaves),
        }
    }
}

impl Drop for Leaves {
    fn drop(&mut self) {
        self.results.zeroize();
    }
}

impl ZeroizeOnDrop for Leaves {}

impl fmt::Debug for Leaves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Leaves").field("position", &self.position).finish_non_exhaustive()
    }
}
