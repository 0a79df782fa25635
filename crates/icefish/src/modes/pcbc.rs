//! Propagating cipher block chaining (Meyer and Matyas, "Cryptography: A New Dimension in Computer Data
//! Security", 1982; the mode of Kerberos 4).

use super::PerBlock;
use crate::cipher::Wide;
use crate::isa::Isa;

/// Each plaintext block is XORed with the previous plaintext and ciphertext. An error spreads to the end of the message, but
/// exchanged blocks are not detected. For old protocols. The IV must be unpredictable.
///
/// ```
/// use icefish::{Key, ciphers::Aes128, modes::Pcbc};
/// let key = Key::<Aes128>::new(&[7; 16])?;
/// let mut data = [5; 32];
/// key.encrypt(Pcbc, &[1; 16], &mut data)?;
/// key.decrypt(Pcbc, &[1; 16], &mut data)?;
/// assert_eq!(data, [5; 32]);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pcbc;

impl PerBlock for Pcbc {
    #[inline(always)]
    fn plaintext<S: Isa, W: Wide<S>>(isa: S, block: W, chain: W) -> W {
        block.xor(isa, chain)
    }
    #[inline(always)]
    fn next<S: Isa, W: Wide<S>>(isa: S, _: W, plaintext: W, ciphertext: W) -> W {
        plaintext.xor(isa, ciphertext)
    }
}
