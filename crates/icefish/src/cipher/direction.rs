//! Encryption and decryption, as types and as a value.

/// The direction of a cipher, as a type.
///
/// ```
/// use icefish::cipher::{Decrypt, Direction, Encrypt};
/// fn name<D: Direction>() -> &'static str {
///     if D::ENCRYPT { "encrypt" } else { "decrypt" }
/// }
/// assert_eq!([name::<Encrypt>(), name::<Decrypt>()], ["encrypt", "decrypt"]);
/// ```
pub trait Direction: Copy + Send + Sync + 'static {
    /// The same as a value.
    const WAY: Way;
    /// Whether this is encryption.
    const ENCRYPT: bool = matches!(Self::WAY, Way::Encrypt);
}

/// Plaintext to ciphertext.
///
/// ```
/// use icefish::{Key, cipher::Encrypt, ciphers::Aes128, modes::{Crypter, Ctr}};
/// let key = Key::<Aes128>::new(&[7; 16])?;
/// let message = Crypter::<_, _, Encrypt>::new(&key, Ctr::BE, &[1; 16])?; // as `key.encryptor`
/// # let _ = message;
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Encrypt;

/// Ciphertext to plaintext.
///
/// ```
/// use icefish::{Key, cipher::Decrypt, ciphers::Aes128, modes::{Crypter, Ctr}};
/// let key = Key::<Aes128>::new(&[7; 16])?;
/// let message = Crypter::<_, _, Decrypt>::new(&key, Ctr::BE, &[1; 16])?; // as `key.decryptor`
/// # let _ = message;
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Decrypt;

/// The direction of a cipher, as a value.
///
/// ```
/// use icefish::cipher::Way;
/// use icefish::modes::{Cbc, DependsOn, Mode};
/// assert_eq!(Cbc.depends_on(Way::Decrypt), Some(DependsOn::Ciphertext)); // any piece can be decrypted alone
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// Plaintext to ciphertext.
    Encrypt,
    /// Ciphertext to plaintext.
    Decrypt,
}

impl Direction for Encrypt {
    const WAY: Way = Way::Encrypt;
}
impl Direction for Decrypt {
    const WAY: Way = Way::Decrypt;
}
