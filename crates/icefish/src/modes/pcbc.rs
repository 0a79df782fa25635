//! Propagating cipher block chaining (Meyer and Matyas, "Cryptography: A New Dimension in Computer Data
//! Security", 1982; the mode of Kerberos 4).

use super::{Chain, Mode};
use crate::Block;
use crate::cipher::{Cipher, Direction, Wide};
use crate::isa::{InOut, Isa, Sink};

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

impl Mode for Pcbc {
    #[inline(always)]
    fn blocks<C: Cipher, D: Direction, S: Isa>(
        &self,
        isa: S,
        cipher: &C,
        chain: &mut Chain<C::Block>,
        mut io: InOut<'_>,
    ) {
        let mut before = C::One::<S>::load(isa, chain.block.as_ref());
        let len = C::Block::LEN;
        let mut at = 0;
        while at < io.len() {
            let input = C::One::<S>::load(isa, &io.input()[at..at + len]);
            // In decryption, the cipher's input does not depend on the previous block, so the CPU overlaps the blocks.
            let mut output = if D::ENCRYPT {
                cipher.one::<S, D>(isa, input.xor(isa, before))
            } else {
                cipher.one::<S, D>(isa, input).xor(isa, before)
            };
            before = input.xor(isa, output);
            output.store(isa, io.sink(at, len));
            at += len;
        }
        before.store(isa, Sink::new(chain.block.as_mut()));
    }
}
