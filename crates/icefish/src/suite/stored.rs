//! Encryption that keeps the length of the data, by name: XTS for data units, CBC with ciphertext stealing for messages.

use super::key_has_len;
use crate::cipher::{Cipher, Key, NewCipher};
#[cfg(feature = "aes")]
use crate::ciphers::AnyAes;
#[cfg(feature = "threefish")]
use crate::ciphers::{Threefish256, Threefish512, Threefish1024};
use crate::isa::erase_stack;
use crate::modes::CbcCs;
use crate::storage::Xts;
use crate::{Backend, Block, Error};
use alloc::boxed::Box;
use core::fmt;

/// Every mode for data units by name.
pub static UNITS: &[UnitSuite] = &[
    #[cfg(feature = "aes")]
    UnitSuite::xts::<AnyAes>("aes-128-xts", "aes-128", 32),
    #[cfg(feature = "aes")]
    UnitSuite::xts::<AnyAes>("aes-192-xts", "aes-192", 48),
    #[cfg(feature = "aes")]
    UnitSuite::xts::<AnyAes>("aes-256-xts", "aes-256", 64),
];

/// A mode for data units as a value: its name, its lengths in bytes, and a constructor for keys.
///
/// ```
/// use icefish::{Backend, suite::Named};
/// let Named::Units(suite) = "aes-256-xts".parse()? else { unreachable!() };
/// let key: Vec<u8> = (0..64).collect();
/// let key = suite.key(Backend::best(), &key)?;
/// let mut sectors = [7; 4 * 512];
/// key.encrypt_units(1000, 512, &mut sectors)?;
/// key.decrypt_units(1000, 512, &mut sectors)?;
/// assert_eq!(sectors, [7; 4 * 512]);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct UnitSuite {
    /// Its name, such as `aes-256-xts`.
    pub name: &'static str,
    /// The name of its cipher.
    pub cipher: &'static str,
    /// Length of a key. For XTS, that of both keys together.
    pub key: usize,
    make: MakeUnits,
}

/// The constructor of a key of a mode for data units.
type MakeUnits = fn(&[u8], Backend) -> Result<Box<dyn ErasedUnits>, Error>;

impl UnitSuite {
    const fn xts<C: NewCipher<Block = [u8; 16]> + 'static>(
        name: &'static str,
        cipher: &'static str,
        key: usize,
    ) -> Self {
        let make = |key: &[u8], backend| {
            Xts::<C>::on(backend, key).map(|made| Box::new(made) as Box<dyn ErasedUnits>)
        };
        Self { name, cipher, key, make }
    }

    /// A key of this mode.
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::EqualKeys`].
    pub fn key(&self, backend: Backend, key: &[u8]) -> Result<AnyUnits, Error> {
        key_has_len(key, self.key)?;
        let made = (self.make)(key, backend);
        erase_stack();
        Ok(AnyUnits { suite: *self, key: made? })
    }
}

impl fmt::Debug for UnitSuite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The calls of [`Xts`] without its type.
trait ErasedUnits: Send + Sync {
    fn encrypt(&self, first: u128, size: usize, data: &mut [u8]) -> Result<(), Error>;
    fn decrypt(&self, first: u128, size: usize, data: &mut [u8]) -> Result<(), Error>;
}

impl<C: Cipher<Block = [u8; 16]>> ErasedUnits for Xts<C> {
    fn encrypt(&self, first: u128, size: usize, data: &mut [u8]) -> Result<(), Error> {
        self.encrypt_units(first, size, data)
    }
    fn decrypt(&self, first: u128, size: usize, data: &mut [u8]) -> Result<(), Error> {
        self.decrypt_units(first, size, data)
    }
}

/// A key of any mode for data units.
///
/// ```
/// use icefish::{Backend, suite::Named};
/// let Named::Units(suite) = "aes-128-xts".parse()? else { unreachable!() };
/// let key: [u8; 32] = std::array::from_fn(|i| i as u8); // two keys, which must differ
/// let (key, mut sectors) = (suite.key(Backend::best(), &key)?, [5; 1024]);
/// key.encrypt_units(7, 512, &mut sectors)?; // sectors 7 and 8
/// key.decrypt_units(7, 512, &mut sectors)?;
/// assert_eq!(sectors, [5; 1024]);
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct AnyUnits {
    suite: UnitSuite,
    key: Box<dyn ErasedUnits>,
}

impl AnyUnits {
    /// The mode that this is a key of.
    pub fn suite(&self) -> &UnitSuite {
        &self.suite
    }

    /// Encrypts, in place, consecutive data units of `size` bytes, numbered from `first` on. The last one may be shorter, down to
    /// 16 bytes.
    ///
    /// # Errors
    /// As [`Xts::encrypt_units`].
    pub fn encrypt_units(&self, first: u128, size: usize, data: &mut [u8]) -> Result<(), Error> {
        self.key.encrypt(first, size, data)
    }

    /// Decrypts the output of [`AnyUnits::encrypt_units`].
    ///
    /// # Errors
    /// As [`Xts::encrypt_units`].
    pub fn decrypt_units(&self, first: u128, size: usize, data: &mut [u8]) -> Result<(), Error> {
        self.key.decrypt(first, size, data)
    }
}

impl fmt::Debug for AnyUnits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyUnits").field(&self.suite).finish()
    }
}

/// Every cipher with ciphertext stealing by name, in the order of [`super::CIPHERS`].
static STEALERS: &[Stealer] = &[
    #[cfg(feature = "aes")]
    Stealer::of::<AnyAes>("aes-128", 16),
    #[cfg(feature = "aes")]
    Stealer::of::<AnyAes>("aes-192", 24),
    #[cfg(feature = "aes")]
    Stealer::of::<AnyAes>("aes-256", 32),
    #[cfg(feature = "threefish")]
    Stealer::of::<Threefish256>("threefish-256", 32),
    #[cfg(feature = "threefish")]
    Stealer::of::<Threefish512>("threefish-512", 64),
    #[cfg(feature = "threefish")]
    Stealer::of::<Threefish1024>("threefish-1024", 128),
];

struct Stealer {
    cipher: &'static str,
    key: usize,
    block: usize,
    make: MakeStealing,
}

/// The constructor of a key for ciphertext stealing.
type MakeStealing = fn(&[u8], Backend) -> Result<Box<dyn ErasedStealing>, Error>;

impl Stealer {
    const fn of<C: NewCipher + 'static>(cipher: &'static str, key: usize) -> Self {
        let make = |key: &[u8], backend| {
            let mut made = Box::new(Key::<C>::blank(backend));
            made.set_key(key)?;
            Ok(made as Box<dyn ErasedStealing>)
        };
        Self { cipher, key, block: <C::Block as Block>::LEN, make }
    }
}

/// CBC with ciphertext stealing as a value: its cipher, its variant, its lengths in bytes, and a constructor for keys.
///
/// ```
/// use icefish::{Backend, suite::Named};
/// let Named::Stealing(suite) = "aes-128-cbc-cs3".parse()? else { unreachable!() };
/// let key = suite.key(Backend::best(), b"chicken teriyaki")?;
/// let mut data = *b"I would like the ";
/// key.encrypt_in_place(&[0; 16], &mut data)?;
/// assert_eq!(data[..2], [0xc6, 0x35]); // RFC 3962, appendix B
/// key.decrypt_in_place(&[0; 16], &mut data)?;
/// assert_eq!(&data, b"I would like the ");
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct StealingSuite {
    stealer: &'static Stealer,
    variant: CbcCs,
}

impl StealingSuite {
    /// All ciphers with all variants.
    pub fn all() -> impl Iterator<Item = Self> {
        STEALERS.iter().flat_map(|stealer| {
            CbcCs::ALL.iter().map(move |&(_, variant)| Self { stealer, variant })
        })
    }

    /// The name of its cipher.
    pub fn cipher(&self) -> &'static str {
        self.stealer.cipher
    }

    /// The variant.
    pub fn variant(&self) -> CbcCs {
        self.variant
    }

    /// Length of a key in bytes.
    pub fn key_len(&self) -> usize {
        self.stealer.key
    }

    /// Length of an IV, and of the shortest message, in bytes: one block.
    pub fn block_len(&self) -> usize {
        self.stealer.block
    }

    /// A key of this cipher and variant.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    pub fn key(&self, backend: Backend, key: &[u8]) -> Result<AnyStealing, Error> {
        key_has_len(key, self.stealer.key)?;
        let made = (self.stealer.make)(key, backend);
        erase_stack();
        Ok(AnyStealing { suite: *self, key: made? })
    }
}

impl fmt::Display for StealingSuite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = CbcCs::ALL.iter().find(|(_, variant)| *variant == self.variant);
        write!(f, "{}-{}", self.stealer.cipher, mode.map_or("", |(name, _)| name))
    }
}

impl fmt::Debug for StealingSuite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The calls with a [`CbcCs`] without the type of the key.
trait ErasedStealing: Send + Sync {
    fn encrypt(&self, variant: CbcCs, iv: &[u8], data: &mut [u8]) -> Result<(), Error>;
    fn decrypt(&self, variant: CbcCs, iv: &[u8], data: &mut [u8]) -> Result<(), Error>;
}

impl<C: Cipher> ErasedStealing for Key<C> {
    fn encrypt(&self, variant: CbcCs, iv: &[u8], data: &mut [u8]) -> Result<(), Error> {
        self.encrypt_stealing(variant, iv, data)
    }
    fn decrypt(&self, variant: CbcCs, iv: &[u8], data: &mut [u8]) -> Result<(), Error> {
        self.decrypt_stealing(variant, iv, data)
    }
}

/// A key of any cipher, for CBC with ciphertext stealing.
///
/// ```
/// use icefish::{Backend, suite::Named};
/// let Named::Stealing(suite) = "aes-128-cbc-cs3".parse()? else { unreachable!() };
/// let (key, mut data) = (suite.key(Backend::best(), &[7; 16])?, [5; 20]);
/// key.encrypt_in_place(&[1; 16], &mut data)?;
/// key.decrypt_in_place(&[1; 16], &mut data)?;
/// assert_eq!(data, [5; 20]);
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct AnyStealing {
    suite: StealingSuite,
    key: Box<dyn ErasedStealing>,
}

impl AnyStealing {
    /// The cipher and variant that this is a key of.
    pub fn suite(&self) -> &StealingSuite {
        &self.suite
    }

    /// Encrypts a message in place.
    ///
    /// # Errors
    /// As [`Key::encrypt_stealing`].
    pub fn encrypt_in_place(&self, iv: &[u8], data: &mut [u8]) -> Result<(), Error> {
        self.key.encrypt(self.suite.variant, iv, data)
    }

    /// Decrypts a message in place.
    ///
    /// # Errors
    /// As [`Key::encrypt_stealing`].
    pub fn decrypt_in_place(&self, iv: &[u8], data: &mut [u8]) -> Result<(), Error> {
        self.key.decrypt(self.suite.variant, iv, data)
    }
}

impl fmt::Debug for AnyStealing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyStealing").field(&self.suite).finish()
    }
}
