//! XTS for storage (IEEE Std 1619-2018, section 5; NIST SP 800-38E).

mod batches;
mod few;
mod strips;

use crate::cipher::{
    Cipher, Decrypt, Direction, EcbPass, Encrypt, Key, Many, NewCipher, Way, Wide, With, Work,
    encrypt_one,
};
use crate::isa::{AesRounds, Backend, Extension, InOut, Isa, Task, times_x};
use crate::verdict::same;
use crate::{Block, Error};
use core::fmt;
use core::marker::PhantomData;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Number of data units whose unit numbers are encrypted in parallel.
const UNITS: usize = 32;

/// XTS for data units (sectors) of any length of at least 16 bytes. It has two keys. The ciphertext is as long as the data, and a
/// changed byte of it garbles one block. XTS keeps stored data confidential; it does not authenticate.
///
/// A data unit is identified by its number, a `u128`. Where a standard gives the tweak as 16 bytes, the number is
/// `u128::from_le_bytes` of them. Lengths that are not whole blocks use ciphertext stealing.
///
/// The cipher has blocks of 16 bytes, as in the standards, which define no field for others. There is no XTS of Threefish: for
/// sectors, Threefish has a tweak of its own ([`Key::encrypt_sector`]).
///
/// ```
/// use icefish::{ciphers::Aes128, storage::Xts};
/// let key: Vec<u8> = (0..32).collect();
/// let xts = Xts::<Aes128>::new(&key)?;
/// let mut sectors = [7; 4 * 512];
/// xts.encrypt_units(1000, 512, &mut sectors)?;
/// xts.decrypt_in_place(1001, &mut sectors[512..1024])?;
/// assert_eq!(sectors[512..1024], [7; 512]);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct Xts<C> {
    data: Key<C>,
    tweak: Key<C>,
}

impl<C: NewCipher<Block = [u8; 16]>> Xts<C> {
    /// Takes two keys in one slice, the data key first, on the best backend.
    ///
    /// Equal keys are refused, as FIPS 140-3 Implementation Guidance C.I requires: with them, XTS is open to a chosen-ciphertext
    /// attack. [`Xts::from_keys`] does not check.
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::EqualKeys`].
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::on(Backend::best(), key)
    }

    /// The same on the given backend.
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::EqualKeys`].
    pub fn on(backend: Backend, key: &[u8]) -> Result<Self, Error> {
        let mut made = Self::from_keys(Key::blank(backend), Key::blank(backend));
        made.set_key(key)?;
        // A clone and not a move: the original is dropped here, and so erased.
        Ok(made.clone())
    }

    /// Replaces both keys, on the same backend.
    ///
    /// # Errors
    /// As [`Xts::new`]: the keys are unchanged.
    pub fn set_key(&mut self, key: &[u8]) -> Result<(), Error> {
        if !key.len().is_multiple_of(2) || !C::has_keys_of(key.len() / 2) {
            return Err(Error::KeyLength { got: key.len(), need: 2 * C::KEY });
        }
        let (data, tweak) = key.split_at(key.len() / 2);
        if same(data, tweak) {
            return Err(Error::EqualKeys);
        }
        self.data.set_key(data)?;
        self.tweak.set_key(tweak)
    }
}

impl<C: Cipher<Block = [u8; 16]>> Xts<C> {
    /// The largest number of bytes of a data unit: 2^20 blocks (SP 800-38E, section 4).
    pub const MAX_UNIT: usize = 16 << 20;

    /// Takes a key for the data and one for the tweaks. They should differ.
    pub fn from_keys(data: Key<C>, tweak: Key<C>) -> Self {
        Self { data, tweak }
    }

    /// The backend that every call runs on.
    pub fn backend(&self) -> Backend {
        self.data.backend()
    }

    /// Encrypts one data unit.
    ///
    /// # Errors
    /// [`Error::TooShort`] for less than 16 bytes, [`Error::TooLong`] for more than [`Xts::MAX_UNIT`].
    #[inline]
    pub fn encrypt_in_place(&self, unit: u128, data: &mut [u8]) -> Result<(), Error> {
        let size = data.len();
        self.run::<Encrypt>(unit, size, InOut::in_place(data))
    }

    /// Decrypts one data unit.
    ///
    /// # Errors
    /// As [`Xts::encrypt_in_place`].
    #[inline]
    pub fn decrypt_in_place(&self, unit: u128, data: &mut [u8]) -> Result<(), Error> {
        let size = data.len();
        self.run::<Decrypt>(unit, size, InOut::in_place(data))
    }

    /// Encrypts consecutive data units of `size` bytes, numbered from `first` on. The last one may be shorter, down to 16 bytes.
    ///
    /// # Errors
    /// As [`Xts::encrypt_in_place`], for `size` and for the last data unit.
    #[inline]
    pub fn encrypt_units(&self, first: u128, size: usize, data: &mut [u8]) -> Result<(), Error> {
        self.run::<Encrypt>(first, size, InOut::in_place(data))
    }

    /// Decrypts the output of [`Xts::encrypt_units`].
    ///
    /// # Errors
    /// As [`Xts::encrypt_units`].
    #[inline]
    pub fn decrypt_units(&self, first: u128, size: usize, data: &mut [u8]) -> Result<(), Error> {
        self.run::<Decrypt>(first, size, InOut::in_place(data))
    }

    /// [`Xts::encrypt_in_place`] from `input` to `output`, which must have the same length.
    ///
    /// # Errors
    /// As [`Xts::encrypt_in_place`]; [`Error::BufferLength`].
    #[inline]
    pub fn encrypt_between(
        &self,
        unit: u128,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Error> {
        self.encrypt_units_between(unit, input.len(), input, output)
    }

    /// [`Xts::decrypt_in_place`] from `input` to `output`, which must have the same length.
    ///
    /// # Errors
    /// As [`Xts::encrypt_between`].
    #[inline]
    pub fn decrypt_between(
        &self,
        unit: u128,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Error> {
        self.decrypt_units_between(unit, input.len(), input, output)
    }

    /// [`Xts::encrypt_units`] from `input` to `output`, which must have the same length.
    ///
    /// # Errors
    /// As [`Xts::encrypt_units`]; [`Error::BufferLength`].
    #[inline]
    pub fn encrypt_units_between(
        &self,
        first: u128,
        size: usize,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Error> {
        self.run::<Encrypt>(first, size, InOut::between(input, output)?)
    }

    /// [`Xts::decrypt_units`] from `input` to `output`, which must have the same length.
    ///
    /// # Errors
    /// As [`Xts::encrypt_units_between`].
    #[inline]
    pub fn decrypt_units_between(
        &self,
        first: u128,
        size: usize,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Error> {
        self.run::<Decrypt>(first, size, InOut::between(input, output)?)
    }

    #[inline]
    fn run<D: Direction>(&self, first: u128, size: usize, io: InOut<'_>) -> Result<(), Error> {
        if size < 16 {
            return Err(Error::TooShort { got: size, least: 16 });
        }
        if size > Self::MAX_UNIT {
            return Err(Error::TooLong { most: Self::MAX_UNIT as u64 });
        }
        if (1..16).contains(&(io.len() % size)) {
            return Err(Error::TooShort { got: io.len() % size, least: 16 });
        }
        if io.is_empty() {
            return Ok(());
        }
        let (xts, direction) = (self, PhantomData::<D>);
        if io.len() <= size {
            let number = [first as u64, (first >> 64) as u64];
            self.backend().run(DataUnit { xts, number, io, direction });
        } else {
            self.backend().run(DataUnits { xts, first, size, io, direction });
        }
        Ok(())
    }
}

impl<C: ZeroizeOnDrop> ZeroizeOnDrop for Xts<C> {}

impl<C> fmt::Debug for Xts<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Xts").field("data", &self.data).finish_non_exhaustive()
    }
}

/// One data unit. It is six words, which go in registers.
struct DataUnit<'a, C, D> {
    xts: &'a Xts<C>,
    /// The low and the high half.
    number: [u64; 2],
    io: InOut<'a>,
    direction: PhantomData<D>,
}

impl<C: Cipher<Block = [u8; 16]>, D: Direction> Task for DataUnit<'_, C, D> {
    type Out = ();
    const EXTENSION: Extension = C::EXTENSION;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let (data, tweak) = (self.xts.data.cipher(), self.xts.tweak.cipher());
        let number = u128::from(self.number[0]) | u128::from(self.number[1]) << 64;
        let tweak = encrypt_one(isa, tweak, &number.to_le_bytes());
        if C::is_short::<S>() && few::takes(&self.io) {
            few::blocks::<C, D, S>(isa, data, &tweak, self.io);
        } else {
            isa.run(With(data, Unit::<D> { tweak, io: self.io, direction: PhantomData }));
        }
    }
}

/// Consecutive data units.
struct DataUnits<'a, C, D> {
    xts: &'a Xts<C>,
    first: u128,
    size: usize,
    io: InOut<'a>,
    direction: PhantomData<D>,
}

impl<C: Cipher<Block = [u8; 16]>, D: Direction> Task for DataUnits<'_, C, D> {
    type Out = ();
    const EXTENSION: Extension = C::EXTENSION;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let (data, tweak) = (self.xts.data.cipher(), self.xts.tweak.cipher());
        let (mut io, mut number) = (self.io, self.first);
        let mut starts = [[0; 16]; UNITS];
        while !io.is_empty() {
            let units = io.len().div_ceil(self.size).min(UNITS);
            for start in &mut starts[..units] {
                *start = number.to_le_bytes();
                number = number.wrapping_add(1);
            }
            let numbers = InOut::in_place(starts[..units].as_flattened_mut());
            let pass = EcbPass::<[u8; 16]>::new(numbers);
            isa.run(Many::<_, _, Encrypt>::new(tweak, pass, units));
            for &start in &starts[..units] {
                let (now, rest) = {
                    let mid = io.len().min(self.size);
                    io.split_at(mid)
                };
                let unit = Unit::<D> { tweak: start, io: now, direction: PhantomData };
                isa.run(With(data, unit));
                io = rest;
            }
        }
    }
}

/// One data unit of at least one block; `tweak` is the tweak of its first block.
struct Unit<'a, D> {
    tweak: [u8; 16],
    io: InOut<'a>,
    direction: PhantomData<D>,
}

impl<D: Direction> Work<[u8; 16]> for Unit<'_, D> {
    type Out = ();
    #[inline(always)]
    fn call<C: Cipher<Block = [u8; 16]>, S: Isa>(self, isa: S, cipher: &C) {
        let stolen = self.io.len() % 16;
        let whole = self.io.len() / 16 - usize::from(stolen > 0);
        let (mut io, last) = self.io.split_at(16 * whole);
        let mut tweak = u128::from_le_bytes(self.tweak);
        // Tweaks are kept for a power of two of blocks, which no batch may cross.
        let few = if C::is_short::<S>() { few::MOST } else { 1 };
        if whole > few && S::Aes::SLICED {
            tweak = strips::many::<C, D, S>(isa, cipher, tweak, io);
        } else if whole > few && C::batch::<S>().is_power_of_two() {
            let all = whole + usize::from(stolen > 0);
            // Room for two batches and no more, because it is cleared.
            let next = match C::batch::<S>() {
                0..=8 => batches::many::<C, D, S, 128>(isa, cipher, &self.tweak, all, io),
                9..=16 => batches::many::<C, D, S, 256>(isa, cipher, &self.tweak, all, io),
                17..=32 => batches::many::<C, D, S, 512>(isa, cipher, &self.tweak, all, io),
                _ => batches::many::<C, D, S, 1024>(isa, cipher, &self.tweak, all, io),
            };
            tweak = u128::from_le_bytes(next);
        } else {
            while !io.is_empty() {
                let (block, rest) = io.split_at(16);
                whitened::<C, D, S>(isa, cipher, tweak.to_le_bytes(), block);
                tweak = times_x(tweak);
                io = rest;
            }
        }
        if stolen > 0 {
            let next = times_x(tweak).to_le_bytes();
            steal::<C, D, S>(isa, cipher, tweak.to_le_bytes(), next, last);
        }
    }
}

/// The last whole block and the incomplete one (IEEE 1619, sections 5.3.2 and 5.4.2). Decryption uses their two tweaks in reverse
/// order.
#[inline(always)]
fn steal<C: Cipher<Block = [u8; 16]>, D: Direction, S: Isa>(
    isa: S,
    cipher: &C,
    tweak: [u8; 16],
    next: [u8; 16],
    mut io: InOut<'_>,
) {
    let (first, second) = if D::ENCRYPT { (tweak, next) } else { (next, tweak) };
    let mut block = <[u8; 16]>::take(io.input());
    whitened::<C, D, S>(isa, cipher, first, InOut::in_place(&mut block));
    let mut short = block;
    let part = io.len() - 16;
    block[..part].copy_from_slice(&io.input()[16..]);
    whitened::<C, D, S>(isa, cipher, second, InOut::in_place(&mut block));
    io.output()[..16].copy_from_slice(&block);
    io.output()[16..].copy_from_slice(&short[..part]);
    short.zeroize();
    block.zeroize();
}

/// One block, XORed with its tweak before and after the cipher.
#[inline(always)]
fn whitened<C: Cipher<Block = [u8; 16]>, D: Direction, S: Isa>(
    isa: S,
    cipher: &C,
    tweak: [u8; 16],
    mut io: InOut<'_>,
) {
    let tweak = C::One::<S>::load(isa, &tweak);
    let x = C::One::<S>::load(isa, io.input()).xor(isa, tweak);
    let mut x = match D::WAY {
        // Elsewhere, the cipher is a call.
        _ if !C::is_short::<S>() => cipher.one::<S, D>(isa, x).xor(isa, tweak),
        Way::Encrypt => cipher.finish(isa, cipher.middle(isa, cipher.whiten(isa, x)), tweak),
        Way::Decrypt => cipher.decrypt_xor(isa, x, tweak),
    };
    x.store(isa, io.sink(0, 16));
}
