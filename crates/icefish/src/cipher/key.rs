//! Keys: a cipher with its key schedule and its backend.

use super::{Cipher, Decrypt, Direction, Encrypt, NewCipher, OneBlock};
use crate::Error;
use crate::isa::{Backend, Extension, Isa, Task};
use core::fmt;
use core::marker::PhantomData;
use zeroize::ZeroizeOnDrop;

/// A tweak of `len` zeros. Evaluated at compile time, a length above that of the longest tweak does not compile.
pub(crate) const fn zero_tweak(len: usize) -> &'static [u8] {
    static ZEROS: [u8; 128] = [0; 128];
    assert!(len <= ZEROS.len(), "icefish takes ciphers with tweaks of at most 128 bytes");
    ZEROS.split_at(len).0
}

/// How a key is made: the backend that it runs on, and the tweak of its cipher, which is zero unless it is given. A [`Backend`]
/// alone is accepted in its place.
///
/// ```
/// use icefish::{Backend, Key, ciphers::Threefish256, modes::Ctr};
/// let tweak = [1; 16];
/// let key = Key::<Threefish256>::on(Backend::best().with_tweak(&tweak), &[7; 32])?;
/// let mut data = [5; 100];
/// key.encrypt(Ctr::BE, &[2; 32], &mut data)?;
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct KeyOptions<'t> {
    pub(crate) backend: Backend,
    tweak: Option<&'t [u8]>,
}

impl KeyOptions<'_> {
    /// The tweak for a cipher `C`.
    #[inline(always)]
    pub(crate) fn tweak<C: NewCipher>(&self) -> &[u8] {
        self.tweak.unwrap_or(const { zero_tweak(C::TWEAK) })
    }
}

impl From<Backend> for KeyOptions<'_> {
    #[inline(always)]
    fn from(backend: Backend) -> Self {
        Self { backend, tweak: None }
    }
}

impl Backend {
    /// This backend, and a tweak, for a key of a cipher that has one.
    #[must_use]
    pub fn with_tweak(self, tweak: &[u8]) -> KeyOptions<'_> {
        KeyOptions { backend: self, tweak: Some(tweak) }
    }
}

/// A cipher with its key schedule and the backend that it runs on. Messages borrow it.
///
/// Dropping it drops the cipher: all ciphers of this library then erase their key material. `Debug` shows none of it.
///
/// ```
/// use icefish::{Backend, Key, ciphers::Aes128, modes::Cbc};
/// let key = Key::<Aes128>::new(&[7; 16])?; // on the best backend
/// let same = Key::<Aes128>::on(Backend::by_name("scalar")?, &[7; 16])?;
/// let (mut one, mut other) = ([5; 32], [5; 32]);
/// key.encrypt(Cbc, &[1; 16], &mut one)?;
/// same.encrypt(Cbc, &[1; 16], &mut other)?;
/// assert_eq!(one, other);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct Key<C> {
    cipher: C,
    backend: Backend,
}

impl<C> Key<C> {
    /// Wraps a cipher that has its key schedule already.
    pub fn from_cipher(backend: Backend, cipher: C) -> Self {
        Self { cipher, backend }
    }

    /// The backend that every call with this key runs on.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The cipher.
    pub fn cipher(&self) -> &C {
        &self.cipher
    }

    /// The cipher, mutable: for example to change a tweak.
    pub fn cipher_mut(&mut self) -> &mut C {
        &mut self.cipher
    }
}

impl<C: NewCipher> Key<C> {
    /// A key on the best backend. If the cipher has a tweak, it is zero.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    #[inline]
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::on(Backend::best(), key)
    }

    /// A key on the given backend, with a tweak if there is one in `options`.
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::TweakLength`].
    #[inline]
    pub fn on<'t>(options: impl Into<KeyOptions<'t>>, key: &[u8]) -> Result<Self, Error> {
        let options = options.into();
        let tweak = options.tweak::<C>();
        Self::fits(key, tweak)?;
        let backend = options.backend;
        let made = Scheduled { key, tweak, cipher: PhantomData };
        Ok(Self { cipher: backend.run(made), backend })
    }

    /// Room for a key.
    pub(crate) fn blank(backend: Backend) -> Self {
        Self { cipher: C::blank(), backend }
    }

    /// Replaces the key, on the same backend; a tweak becomes zero.
    ///
    /// The schedule is made in its final place. A key that a constructor returns is moved, and every move may leave a copy of it
    /// on the stack. To avoid such copies, make a key from zeros, put it in its final place, and set the key there.
    ///
    /// ```
    /// use icefish::{Key, ciphers::Aes256};
    /// let mut key = Box::new(Key::<Aes256>::new(&[0; 32])?);
    /// key.set_key(&[7; 32])?;
    /// # Ok::<(), icefish::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::KeyLength`]: the key is unchanged.
    pub fn set_key(&mut self, key: &[u8]) -> Result<(), Error> {
        self.set(key, const { zero_tweak(C::TWEAK) })
    }

    /// Replaces the key and the tweak.
    #[inline]
    pub(crate) fn set(&mut self, key: &[u8], tweak: &[u8]) -> Result<(), Error> {
        Self::fits(key, tweak)?;
        self.backend.run(Schedule { cipher: &mut self.cipher, key, tweak });
        Ok(())
    }

    /// Refuses a key or a tweak of the wrong length.
    #[inline]
    pub(crate) fn fits(key: &[u8], tweak: &[u8]) -> Result<(), Error> {
        if !C::has_keys_of(key.len()) {
            return Err(Error::KeyLength { got: key.len(), need: C::nearest_key(key.len()) });
        }
        if tweak.len() != C::TWEAK {
            return Err(Error::TweakLength { got: tweak.len(), need: C::TWEAK });
        }
        Ok(())
    }
}

impl<C: Cipher> Key<C> {
    /// Encrypts one block in place.
    #[inline]
    pub fn encrypt_block(&self, block: &mut C::Block) {
        self.one_block::<Encrypt>(block);
    }

    /// How many blocks this cipher handles in parallel on this backend.
    pub fn batch(&self) -> usize {
        self.backend.run(Batch::<C>(PhantomData))
    }

    /// Decrypts one block in place.
    #[inline]
    pub fn decrypt_block(&self, block: &mut C::Block) {
        self.one_block::<Decrypt>(block);
    }

    #[inline(always)]
    fn one_block<D: Direction>(&self, block: &mut C::Block) {
        if !const { Backend::INLINES && OneBlock::<C, D>::SHORT } {
            return self.backend.run(OneBlock::<C, D>::new(&self.cipher, block));
        }
        // The block is read before any test, and is a value until it is written: blocks that wait for each other, in a loop, are then in
        // a register. The compiler may not move a read over the test whether threads have made the keys of decryption.
        let mut value = *block;
        if self.backend.inlined(OneBlock::<C, D>::new(&self.cipher, &mut value)).is_err() {
            // By bytes: the compiler would otherwise return the result in `value`, which then has an address.
            let called = self.called::<D>(value);
            value.as_mut().copy_from_slice(called.as_ref());
        }
        *block = value;
    }

    /// One block on a backend that is not inlined. The block is a value: blocks that wait for each other, in a loop, are then in a
    /// register. AES-128 takes 42 cycles there, and 51 with the block in memory (Zen 5).
    #[cold]
    #[inline(never)]
    fn called<D: Direction>(&self, mut block: C::Block) -> C::Block {
        self.backend.run(OneBlock::<C, D>::new(&self.cipher, &mut block));
        block
    }
}

impl<C: ZeroizeOnDrop> ZeroizeOnDrop for Key<C> {}

impl<C> fmt::Debug for Key<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").field("backend", &self.backend.name()).finish_non_exhaustive()
    }
}

/// [`NewCipher::schedule`], as a call if that is long, so that its code is there once.
#[inline(always)]
pub(crate) fn schedule<C: NewCipher, S: Isa>(isa: S, cipher: &mut C, key: &[u8], tweak: &[u8]) {
    if C::is_short::<S>() {
        cipher.schedule(isa, key, tweak);
    } else {
        isa.run(Schedule { cipher, key, tweak });
    }
}

struct Schedule<'a, C> {
    cipher: &'a mut C,
    key: &'a [u8],
    tweak: &'a [u8],
}

impl<C: NewCipher> Task for Schedule<'_, C> {
    type Out = ();
    const EXTENSION: Extension = C::EXTENSION;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        self.cipher.schedule(isa, self.key, self.tweak);
    }
}

/// Makes a new cipher and its schedule. The cipher is a local value that is returned, so that the compiler can build it in the
/// caller's place. A copy would leave the key on the stack, and would stall until the stores of the schedule are done.
struct Scheduled<'a, C> {
    key: &'a [u8],
    tweak: &'a [u8],
    cipher: PhantomData<C>,
}

impl<C: NewCipher> Task for Scheduled<'_, C> {
    type Out = C;
    const EXTENSION: Extension = C::EXTENSION;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) -> C {
        // Checked before the cipher exists: if `schedule` could panic, unwinding would drop the cipher, which would have to be in
        // memory for that.
        assert!(C::has_keys_of(self.key.len()) && self.tweak.len() == C::TWEAK, "checked before");
        let mut cipher = C::blank();
        schedule(isa, &mut cipher, self.key, self.tweak);
        cipher
    }
}

struct Batch<C>(PhantomData<C>);

impl<C: Cipher> Task for Batch<C> {
    type Out = usize;
    const EXTENSION: Extension = C::EXTENSION;
    #[inline(always)]
    fn call<S: Isa>(self, _: S) -> usize {
        C::batch::<S>()
    }
}
