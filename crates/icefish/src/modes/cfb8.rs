//! Cipher feedback with segments of a byte (NIST SP 800-38A, section 6.3, s = 8).

use super::{Chain, Granularity, Mode};
use crate::Block;
use crate::cipher::{Cipher, Direction, encrypt_one};
use crate::isa::{InOut, Isa};

/// A shift register of ciphertext bytes. Every byte costs one call of the cipher. For old protocols.
///
/// ```
/// use icefish::{Key, ciphers::Aes128, modes::Cfb8};
/// let key = Key::<Aes128>::new(&[7; 16])?;
/// let mut data = [5; 20];
/// key.encrypt(Cfb8, &[1; 16], &mut data)?;
/// key.decrypt(Cfb8, &[1; 16], &mut data)?;
/// assert_eq!(data, [5; 20]);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cfb8;

impl Mode for Cfb8 {
    #[inline]
    fn granularity(&self) -> Granularity {
        Granularity::Byte
    }
    #[inline(always)]
    fn blocks<C: Cipher, D: Direction, S: Isa>(
        &self,
        isa: S,
        cipher: &C,
        chain: Chain<'_, C::Block>,
        mut io: InOut<'_>,
    ) {
        let mut register = *chain.block();
        for at in 0..io.len() {
            let pad = encrypt_one(isa, cipher, &register).as_ref()[0];
            let input = io.input()[at];
            io.output()[at] = input ^ pad;
            let register = register.as_mut();
            register.copy_within(1.., 0);
            register[C::Block::LEN - 1] = if D::ENCRYPT { input ^ pad } else { input };
        }
        chain.set_block(register);
    }
}
