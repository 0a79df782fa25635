//! Encryption and decryption, as types.

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
    /// Whether this is encryption.
    const ENCRYPT: bool;
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

impl Direction for Encrypt {
    const ENCRYPT: bool = true;
}
impl Direction for Decrypt {
    const ENCRYPT: bool = false;
}
