//! Cipher block chaining with ciphertext stealing (addendum to NIST SP 800-38A, October 2010).

use super::{Cbc, Chain, Mode, Position};
use crate::cipher::{Cipher, Decrypt, Direction, Encrypt, Key, OneBlock, With, Work};
use crate::isa::{InOut, Isa};
use crate::{Block, Error};
use core::marker::PhantomData;
use core::str::FromStr;
use zeroize::Zeroize;

/// CBC for messages of any length of at least one block. The ciphertext is as long as the message: the last block is filled up
/// with ciphertext from the block before it (stealing). The variants differ in the order of the last two parts. The IV must be
/// unpredictable.
///
/// ```
/// use icefish::{Key, ciphers::Aes128, modes::CbcCs};
/// let key = Key::<Aes128>::new(b"chicken teriyaki")?;
/// let mut data = *b"I would like the ";
/// key.encrypt_stealing(CbcCs::Cs3, &[0; 16], &mut data)?;
/// assert_eq!(data[..2], [0xc6, 0x35]); // RFC 3962, appendix B
/// key.decrypt_stealing(CbcCs::Cs3, &[0; 16], &mut data)?;
/// assert_eq!(&data, b"I would like the ");
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CbcCs {
    /// The incomplete part comes before the last block. Whole blocks are plain CBC.
    Cs1,
    /// The incomplete part comes last. Whole blocks are plain CBC.
    Cs2,
    /// The last two parts are always exchanged: Kerberos 5 (RFC 3962), `fscrypt`.
    Cs3,
}

impl CbcCs {
    /// All variants, by name.
    pub const ALL: &[(&str, Self)] =
        &[("cbc-cs1", Self::Cs1), ("cbc-cs2", Self::Cs2), ("cbc-cs3", Self::Cs3)];
}

impl<C: Cipher> Key<C> {
    /// Encrypts a message of at least one block in place, in CBC with ciphertext stealing.
    ///
    /// # Errors
    /// [`Error::IvLength`]; [`Error::TooShort`] for less than one block.
    pub fn encrypt_stealing(
        &self,
        variant: CbcCs,
        iv: &[u8],
        data: &mut [u8],
    ) -> Result<(), Error> {
        self.steal::<Encrypt>(variant, iv, InOut::in_place(data))
    }

    /// Decrypts a message of at least one block in place, in CBC with ciphertext stealing.
    ///
    /// # Errors
    /// As [`Key::encrypt_stealing`].
    pub fn decrypt_stealing(
        &self,
        variant: CbcCs,
        iv: &[u8],
        data: &mut [u8],
    ) -> Result<(), Error> {
        self.steal::<Decrypt>(variant, iv, InOut::in_place(data))
    }

    /// [`Key::encrypt_stealing`] from `input` to `output`, which must have the same length.
    ///
    /// # Errors
    /// As [`Key::encrypt_stealing`]; [`Error::BufferLength`].
    pub fn encrypt_stealing_between(
        &self,
        variant: CbcCs,
        iv: &[u8],
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Error> {
        self.steal::<Encrypt>(variant, iv, InOut::between(input, output)?)
    }

    /// [`Key::decrypt_stealing`] from `input` to `output`, which must have the same length.
    ///
    /// # Errors
    /// As [`Key::encrypt_stealing`]; [`Error::BufferLength`].
    pub fn decrypt_stealing_between(
        &self,
        variant: CbcCs,
        iv: &[u8],
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Error> {
        self.steal::<Decrypt>(variant, iv, InOut::between(input, output)?)
    }

    fn steal<D: Direction>(&self, variant: CbcCs, iv: &[u8], io: InOut<'_>) -> Result<(), Error> {
        let block = C::Block::LEN;
        let mut position = Position::new(Cbc, iv)?;
        if io.len() < block {
            return Err(Error::TooShort { got: io.len(), least: block });
        }
        let whole = io.len().is_multiple_of(block);
        let swapped = variant == CbcCs::Cs3 || variant == CbcCs::Cs2 && !whole;
        // One block, and whole blocks that are not exchanged, are plain CBC.
        let steals = io.len() > block && (swapped || !whole);
        let (position, direction) = (&mut position, PhantomData::<D>);
        let message = StealingMessage { position, io, steals, swapped, direction };
        self.backend().run(With(self.cipher(), message));
        Ok(())
    }
}

impl FromStr for CbcCs {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.iter().find(|(n, _)| *n == name).map(|(_, cs)| *cs).ok_or(Error::UnknownMode)
    }
}

struct StealingMessage<'a, B: Block, D> {
    position: &'a mut Position<B>,
    io: InOut<'a>,
    steals: bool,
    swapped: bool,
    direction: PhantomData<D>,
}

impl<B: Block, D: Direction> Work<B> for StealingMessage<'_, B, D> {
    type Out = ();
    #[inline(always)]
    fn call<C: Cipher<Block = B>, S: Isa>(self, isa: S, cipher: &C) {
        let Self { position, io, steals, swapped, .. } = self;
        let block = B::LEN;
        let last = if steals { io.len() - (io.len() - 1) / block * block + block } else { 0 };
        let (whole, mut last) = {
            let mid = io.len() - last;
            io.split_at(mid)
        };
        Cbc.blocks::<C, D, S>(isa, cipher, Chain::piece(position), whole);
        if !steals {
            return;
        }
        if D::ENCRYPT {
            encrypt_last(isa, cipher, &position.block, &mut last, swapped);
        } else {
            decrypt_last(isa, cipher, &position.block, &mut last, swapped);
        }
    }
}

/// XORs `with` into the first bytes of the block, and encrypts it.
#[inline(always)]
fn xor_encrypt<C: Cipher, S: Isa>(isa: S, cipher: &C, block: &mut C::Block, with: &[u8]) {
    for (b, w) in block.as_mut().iter_mut().zip(with) {
        *b ^= w;
    }
    isa.run(OneBlock::<C, Encrypt>::new(cipher, block));
}

/// Encrypts the last part of the plaintext, which is longer than one block and at most two, after the ciphertext block `before`.
#[inline(always)]
fn encrypt_last<C: Cipher, S: Isa>(
    isa: S,
    cipher: &C,
    before: &C::Block,
    io: &mut InOut<'_>,
    swapped: bool,
) {
    let block = C::Block::LEN;
    let short = io.len() - block;
    let mut first = *before;
    xor_encrypt(isa, cipher, &mut first, &io.input()[..block]);
    let mut second = first;
    xor_encrypt(isa, cipher, &mut second, &io.input()[block..]);
    let (full, part) = (second.as_ref(), &first.as_ref()[..short]);
    let (left, right) = if swapped { (full, part) } else { (part, full) };
    io.output()[..left.len()].copy_from_slice(left);
    io.output()[left.len()..].copy_from_slice(right);
}

/// The reverse of [`encrypt_last`].
#[inline(always)]
fn decrypt_last<C: Cipher, S: Isa>(
    isa: S,
    cipher: &C,
    before: &C::Block,
    io: &mut InOut<'_>,
    swapped: bool,
) {
    let block = C::Block::LEN;
    let short = io.len() - block;
    let (full, part) = if swapped { (0, block) } else { (short, 0) };
    let mut second = C::Block::take(&io.input()[full..]);
    isa.run(OneBlock::<C, Decrypt>::new(cipher, &mut second));
    // The plaintext was padded with zeros, so the last bytes of `second` are the bytes that the ciphertext block before it lacks.
    let mut first = second;
    first.as_mut()[..short].copy_from_slice(&io.input()[part..part + short]);
    for (s, f) in second.as_mut()[..short].iter_mut().zip(first.as_ref()) {
        *s ^= f;
    }
    isa.run(OneBlock::<C, Decrypt>::new(cipher, &mut first));
    for (f, b) in first.as_mut().iter_mut().zip(before.as_ref()) {
        *f ^= b;
    }
    io.output()[..block].copy_from_slice(first.as_ref());
    io.output()[block..].copy_from_slice(&second.as_ref()[..short]);
    first.zeroize();
    second.zeroize();
}
