//! The Cyclist interface: strings in, strings out, in any order.

use super::colour;
use super::sponge::{SavedSponge, Sponge};
use crate::isa::{InOut, Isa, Rows};
use crate::permutations::xoodoo::single::{Best, OnOneState};
use crate::{Backend, Error};
use core::fmt;
use core::marker::PhantomData;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A mode of Cyclist, as a type. Operations that a mode lacks do not compile.
///
/// ```
/// use icefish::constructions::xoodyak::{CyclistMode, Hash, Keyed};
/// assert!(Keyed::ABSORB > Hash::ABSORB);
/// ```
pub trait CyclistMode: Copy + Send + Sync + 'static {
    /// The number of bytes that are absorbed per permutation.
    const ABSORB: usize;
    /// The number of bytes that are squeezed per permutation.
    const SQUEEZE: usize;
    /// Whether there is a key.
    const KEYED: bool;
}

/// No key: [`Cyclist::absorb`] and [`Cyclist::squeeze`].
///
/// ```
/// use icefish::constructions::xoodyak::{Cyclist, Hash};
/// let (mut cyclist, mut digest) = (Cyclist::<Hash>::new(), [0; 32]);
/// cyclist.absorb(b"a message");
/// cyclist.squeeze(&mut digest);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Hash;

/// A key, and all operations.
///
/// ```
/// use icefish::constructions::xoodyak::{Cyclist, Keyed};
/// let (mut cyclist, mut tag) = (Cyclist::<Keyed>::new(&[7; 16])?, [0; 16]);
/// cyclist.absorb(b"a message");
/// cyclist.squeeze(&mut tag);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Keyed;

impl CyclistMode for Hash {
    const ABSORB: usize = 16;
    const SQUEEZE: usize = 16;
    const KEYED: bool = false;
}

impl CyclistMode for Keyed {
    const ABSORB: usize = 44;
    const SQUEEZE: usize = 24;
    const KEYED: bool = true;
}

/// A state of Cyclist. Each output depends on everything that was absorbed, encrypted and squeezed before, and on the boundaries
/// between the strings.
///
/// Dropping it erases the state; `Debug` shows none of it.
///
/// ```
/// use icefish::constructions::xoodyak::{Cyclist, Hash};
/// let (mut a, mut b) = (Cyclist::<Hash>::new(), Cyclist::<Hash>::new());
/// a.absorb(b"ab");
/// a.absorb(b"c");
/// b.absorb(b"abc");
/// let (mut x, mut y) = ([0; 32], [0; 32]);
/// a.squeeze(&mut x);
/// b.squeeze(&mut y);
/// assert_ne!(x, y);
/// ```
///
/// Operations that need a key do not exist without one:
///
/// ```compile_fail,E0599
/// use icefish::constructions::xoodyak::{Cyclist, Hash};
/// Cyclist::<Hash>::new().encrypt(&mut [0; 16]);
/// ```
#[derive(Clone)]
pub struct Cyclist<M> {
    pub(super) state: SavedSponge,
    pub(super) backend: Backend,
    mode: PhantomData<M>,
}

/// One end of a session: both ends do the same operations under one key.
///
/// ```
/// use icefish::constructions::xoodyak::Session;
/// let (mut alice, mut bob) = (Session::new(&[7; 16])?, Session::new(&[7; 16])?);
/// let mut data = *b"attack at dawn";
/// let (mut sent, mut expected) = ([0; 16], [0; 16]);
/// alice.encrypt(&mut data);
/// alice.squeeze(&mut sent);
/// bob.decrypt(&mut data);
/// bob.squeeze(&mut expected);
/// assert_eq!(&data, b"attack at dawn");
/// assert_eq!(sent, expected);
/// # Ok::<(), icefish::Error>(())
/// ```
pub type Session = Cyclist<Keyed>;

impl Cyclist<Hash> {
    /// An empty state on the best backend.
    #[expect(clippy::new_without_default, reason = "a state is not a value to fall back on")]
    pub fn new() -> Self {
        Self::on(Backend::best())
    }

    /// An empty state on the given backend.
    pub fn on(backend: Backend) -> Self {
        Self { state: SavedSponge::NEW, backend, mode: PhantomData }
    }
}

impl Cyclist<Keyed> {
    /// Length of the shortest key in bytes: that of the claimed strength of Xoodyak.
    pub const MIN_KEY: usize = 16;
    /// Length of the longest key in bytes, with its identifier.
    pub const MAX_KEY: usize = Keyed::ABSORB - 1;

    /// A state with a key on the best backend, without an identifier and a counter.
    ///
    /// # Errors
    /// [`Error::WeakKey`] if the key is shorter than [`Cyclist::MIN_KEY`], [`Error::TooLong`] if it is longer than
    /// [`Cyclist::MAX_KEY`].
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::on(Backend::best(), key, &[], &[])
    }

    /// A state with a key, an identifier of the key, and a counter, on the given backend. The identifier may be a nonce that is
    /// not repeated under one key. The counter is absorbed byte by byte, which limits what an attacker learns from power traces.
    ///
    /// # Errors
    /// [`Error::WeakKey`] if the key is shorter than [`Cyclist::MIN_KEY`], [`Error::TooLong`] if key and identifier together are
    /// longer than [`Cyclist::MAX_KEY`].
    pub fn on(
        backend: Backend,
        key: &[u8],
        identifier: &[u8],
        counter: &[u8],
    ) -> Result<Self, Error> {
        if key.len() < Self::MIN_KEY {
            return Err(Error::WeakKey { got: key.len(), least: Self::MIN_KEY });
        }
        Self::with_weak_key(backend, key, identifier, counter)
    }

    /// [`Session::on`] with a key of at least one byte. It is no safer than the length of the key: for test vectors.
    ///
    /// # Errors
    /// [`Error::WeakKey`] if the key is empty, [`Error::TooLong`] if key and identifier together are longer than
    /// [`Cyclist::MAX_KEY`].
    pub fn with_weak_key(
        backend: Backend,
        key: &[u8],
        identifier: &[u8],
        counter: &[u8],
    ) -> Result<Self, Error> {
        if key.is_empty() {
            return Err(Error::WeakKey { got: 0, least: 1 });
        }
        if key.len() > Self::MAX_KEY || identifier.len() > Self::MAX_KEY - key.len() {
            return Err(Error::TooLong { most: Self::MAX_KEY as u64 });
        }
        let mut state = SavedSponge::NEW;
        backend.run(Best(Start { state: &mut state, key, identifier, counter }));
        Ok(Self { state, backend, mode: PhantomData })
    }

    /// Encrypts `data` in place. The ciphertext has no tag: [`Cyclist::squeeze`] one. [`Cyclist::encryptor`] takes it in pieces.
    pub fn encrypt(&mut self, data: &mut [u8]) {
        self.crypt::<false>(InOut::in_place(data));
    }

    /// Decrypts `data` in place. It is not authenticated: do not use it before a tag has been verified. [`Cyclist::decryptor`]
    /// takes it in pieces.
    pub fn decrypt(&mut self, data: &mut [u8]) {
        self.crypt::<true>(InOut::in_place(data));
    }

    /// [`Cyclist::encrypt`] from one buffer to another.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if the lengths differ.
    pub fn encrypt_between(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), Error> {
        self.crypt::<false>(InOut::between(input, output)?);
        Ok(())
    }

    /// [`Cyclist::decrypt`] from one buffer to another.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if the lengths differ.
    pub fn decrypt_between(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), Error> {
        self.crypt::<true>(InOut::between(input, output)?);
        Ok(())
    }

    /// Fills `output` with bytes to be used as a key.
    pub fn squeeze_key(&mut self, output: &mut [u8]) {
        let colour = colour::SQUEEZE_KEY;
        self.backend.run(Best(Squeeze::<Keyed> {
            state: &mut self.state,
            output,
            colour,
            mode: PhantomData,
        }));
    }

    /// Makes it impossible to compute the earlier state from the present one.
    pub fn ratchet(&mut self) {
        self.backend.run(Best(Ratchet { state: &mut self.state }));
    }

    fn crypt<const DECRYPT: bool>(&mut self, io: InOut<'_>) {
        let (state, colour) = (&mut self.state, colour::CRYPT);
        self.backend.run(Best(Crypt::<DECRYPT> { state, io, colour }));
    }
}

impl<M: CyclistMode> Cyclist<M> {
    /// Absorbs a string. [`Cyclist::absorber`] takes it in pieces.
    pub fn absorb(&mut self, data: &[u8]) {
        let colour = colour::ABSORB;
        self.backend.run(Best(Absorb::<M> {
            state: &mut self.state,
            data,
            colour,
            mode: PhantomData,
        }));
    }

    /// Fills `output` with output of the state.
    pub fn squeeze(&mut self, output: &mut [u8]) {
        let colour = colour::SQUEEZE;
        self.backend.run(Best(Squeeze::<M> {
            state: &mut self.state,
            output,
            colour,
            mode: PhantomData,
        }));
    }
}

impl<M> Drop for Cyclist<M> {
    fn drop(&mut self) {
        self.state.bytes.zeroize();
    }
}

impl<M> ZeroizeOnDrop for Cyclist<M> {}

impl<M> fmt::Debug for Cyclist<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cyclist").field("backend", &self.backend.name()).finish_non_exhaustive()
    }
}

/// AbsorbKey.
pub(crate) struct Start<'a> {
    pub(crate) state: &'a mut SavedSponge,
    pub(crate) key: &'a [u8],
    pub(crate) identifier: &'a [u8],
    pub(crate) counter: &'a [u8],
}

/// Absorbs a key with its identifier, at most 43 bytes together.
#[inline(always)]
pub(crate) fn absorb_key<S: Isa, R: Rows<S, u32>>(
    sponge: &mut Sponge<S, R, Keyed>,
    key: &[u8],
    identifier: &[u8],
) {
    let (middle, end) = (key.len(), key.len() + identifier.len());
    let mut block = [0; Keyed::ABSORB];
    block[..middle].copy_from_slice(key);
    block[middle..end].copy_from_slice(identifier);
    block[end] = identifier.len() as u8;
    sponge.absorb(&block[..end + 1], colour::KEY);
    block.zeroize();
}

impl OnOneState for Start<'_> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa, R: Rows<S, u32>>(self, isa: S) {
        let mut sponge = Sponge::<S, R, Keyed>::open(isa, self.state);
        absorb_key(&mut sponge, self.key, self.identifier);
        sponge.absorb_bytes(self.counter);
        sponge.close(self.state);
    }
}

/// AbsorbAny.
pub(super) struct Absorb<'a, M> {
    pub(super) state: &'a mut SavedSponge,
    pub(super) data: &'a [u8],
    pub(super) colour: u8,
    pub(super) mode: PhantomData<M>,
}

impl<M: CyclistMode> OnOneState for Absorb<'_, M> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa, R: Rows<S, u32>>(self, isa: S) {
        let mut sponge = Sponge::<S, R, M>::open(isa, self.state);
        sponge.absorb(self.data, self.colour);
        sponge.close(self.state);
    }
}

/// SqueezeAny.
pub(crate) struct Squeeze<'a, M> {
    pub(crate) state: &'a mut SavedSponge,
    pub(crate) output: &'a mut [u8],
    pub(crate) colour: u8,
    pub(crate) mode: PhantomData<M>,
}

impl<M: CyclistMode> OnOneState for Squeeze<'_, M> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa, R: Rows<S, u32>>(self, isa: S) {
        let mut sponge = Sponge::<S, R, M>::open(isa, self.state);
        sponge.squeeze(self.output, self.colour);
        sponge.close(self.state);
    }
}

struct Ratchet<'a> {
    state: &'a mut SavedSponge,
}

impl OnOneState for Ratchet<'_> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa, R: Rows<S, u32>>(self, isa: S) {
        let mut sponge = Sponge::<S, R, Keyed>::open(isa, self.state);
        let mut bytes = [0; 16];
        sponge.squeeze(&mut bytes, colour::RATCHET);
        sponge.absorb(&bytes, 0);
        bytes.zeroize();
        sponge.close(self.state);
    }
}

/// Crypt. The first block has the colour `colour`.
pub(super) struct Crypt<'a, const DECRYPT: bool> {
    pub(super) state: &'a mut SavedSponge,
    pub(super) io: InOut<'a>,
    pub(super) colour: u8,
}

impl<const DECRYPT: bool> OnOneState for Crypt<'_, DECRYPT> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa, R: Rows<S, u32>>(mut self, isa: S) {
        let mut sponge = Sponge::<S, R, Keyed>::open(isa, self.state);
        sponge.crypt::<DECRYPT>(&mut self.io, self.colour);
        sponge.close(self.state);
    }
}
