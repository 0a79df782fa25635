//! What a hash depends on besides the message.

use super::initial::initial;
use super::ubi::{Kind, Ubi};
use crate::Backend;
#[cfg(feature = "alloc")]
use crate::Error;
use core::fmt;

/// What a hash depends on besides the message (section 3.5.1). [`Arguments::default`] is nothing but the message.
///
/// ```
/// use icefish::constructions::skein::{Arguments, Skein512};
/// let purpose = Some(&b"20081016 jane@example.org MyApp/Purpose"[..]);
/// let skein = Skein512::with(512, &Arguments { personalisation: purpose, ..Arguments::default() });
/// let mut digest = [0; 64];
/// skein.hash(b"a message", &mut digest)?;
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct Arguments<'a> {
    /// The key of a message authentication code, of any length; it should have at least 16 bytes that nobody can guess. If it
    /// is empty, there is no key.
    pub key: &'a [u8],
    /// What the hash is for: a string of any length, such as `20081016 jane@example.org MyApp/Purpose`.
    pub personalisation: Option<&'a [u8]>,
    /// The public key of a signature whose message is hashed.
    pub public_key: Option<&'a [u8]>,
    /// For deriving keys: the identifier of the derived key.
    pub key_identifier: Option<&'a [u8]>,
    /// A nonce, for hashing with a randomised result, or for keystreams.
    pub nonce: Option<&'a [u8]>,
    /// The shape of the tree, if the message is hashed as one.
    #[cfg(feature = "alloc")]
    pub tree: Option<Tree>,
}

impl fmt::Debug for Arguments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arguments").finish_non_exhaustive()
    }
}

/// The shape of a tree (section 3.5.6). The digest of every message depends on it, because it is in the configuration string.
///
/// ```
/// use icefish::constructions::skein::{Arguments, Skein512, Tree};
/// let tree = Tree::new(6, 6, 255)?; // leaves and nodes of 64 blocks
/// assert_eq!(tree, Tree::USUAL);
/// let skein = Skein512::with(512, &Arguments { tree: Some(tree), ..Arguments::default() });
/// let mut digest = [0; 64];
/// skein.hash(&[0; 100_000], &mut digest)?;
/// # Ok::<(), icefish::Error>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tree {
    pub(super) leaf: u8,
    pub(super) node: u8,
    pub(super) height: u8,
}

#[cfg(feature = "alloc")]
impl Tree {
    /// The tree of the hash `skein-512-tree`: leaves and nodes of 64 blocks, and as many levels as the message needs. A leaf of
    /// Skein-512 is 4 KiB, and nodes add a 63rd to the work.
    pub const USUAL: Self = Self { leaf: 6, node: 6, height: u8::MAX };

    /// A tree with leaves of 2^`leaf` blocks and nodes of 2^`node` results, at most `height` levels high. If a message
    /// needs more levels, the highest is one node of any length.
    ///
    /// # Errors
    /// [`Error::Tree`] if `leaf` or `node` is 0 or `height` is less than 2.
    pub const fn new(leaf: u8, node: u8, height: u8) -> Result<Self, Error> {
        if leaf == 0 || node == 0 || height < 2 {
            return Err(Error::Tree);
        }
        Ok(Self { leaf, node, height })
    }
}

impl Arguments<'_> {
    /// The value of the chain before the message: the arguments in the order of their types.
    pub(super) fn chain<const W: usize, const B: usize>(
        &self,
        backend: Backend,
        bits: u64,
    ) -> [u64; W] {
        let known = if self.is_plain() { initial(bits) } else { None };
        let mut chain = known.unwrap_or([0; W]);
        let mut add = |kind, string: &[u8]| Ubi::<W, B>::whole(backend, &mut chain, kind, string);
        if !self.key.is_empty() {
            add(Kind::Key, self.key);
        }
        if known.is_none() {
            add(Kind::Configuration, &self.configuration(bits));
        }
        for (kind, string) in [
            (Kind::Personalisation, self.personalisation),
            (Kind::PublicKey, self.public_key),
            (Kind::KeyIdentifier, self.key_identifier),
            (Kind::Nonce, self.nonce),
        ] {
            if let Some(string) = string {
                add(kind, string);
            }
        }
        chain
    }

    /// Whether the value of the chain after the configuration depends on nothing but the length of a digest.
    fn is_plain(&self) -> bool {
        #[cfg(feature = "alloc")]
        let tree = self.tree.is_some();
        #[cfg(not(feature = "alloc"))]
        let tree = false;
        self.key.is_empty() && !tree
    }

    /// The configuration string (section 3.5.2, table 7).
    fn configuration(&self, bits: u64) -> [u8; 32] {
        let mut string = [0; 32];
        string[..4].copy_from_slice(b"SHA3");
        string[4] = 1;
        string[8..16].copy_from_slice(&bits.to_le_bytes());
        #[cfg(feature = "alloc")]
        if let Some(tree) = self.tree {
            string[16..19].copy_from_slice(&[tree.leaf, tree.node, tree.height]);
        }
        string
    }
}
