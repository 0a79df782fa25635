//! Electronic codebook (NIST SP 800-38A, section 6.1).

use super::{Chain, DependsOn, Mode};
use crate::Block;
use crate::cipher::{Cipher, Direction, EcbPass, Many, Way};
use crate::isa::{InOut, Isa};

/// Every block is encrypted by itself, so equal blocks stay equal. For single blocks and old file formats.
///
/// ```
/// use icefish::{Key, ciphers::Aes128, modes::Ecb};
/// let key = Key::<Aes128>::new(&[7; 16])?;
/// let mut data = [5; 32];
/// key.encrypt(Ecb, &[], &mut data)?;
/// key.decrypt(Ecb, &[], &mut data)?;
/// assert_eq!(data, [5; 32]);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ecb;

impl Mode for Ecb {
    fn depends_on(&self, _: Way) -> Option<DependsOn> {
        Some(DependsOn::Nothing)
    }
    #[inline]
    fn iv_len(&self, _: usize) -> usize {
        0
    }
    #[inline(always)]
    fn blocks<C: Cipher, D: Direction, S: Isa>(
        &self,
        isa: S,
        cipher: &C,
        _: Chain<'_, C::Block>,
        io: InOut<'_>,
    ) {
        if C::takes_one::<S>() && io.len() == C::Block::LEN {
            return cipher.block::<S, D>(isa, io);
        }
        // The path of one block is then without a taken branch.
        core::hint::cold_path();
        let blocks = io.len() / C::Block::LEN;
        let pass = EcbPass::<C::Block>::new(io);
        isa.run(Many::<_, _, D>::new(cipher, pass, blocks));
    }
}
