//! One large buffer on all cores: for modes whose pieces are independent, and for sectors.
//!
//! The threads are those of the `rayon` pool that the call runs in.
//!
//! ```
//! use icefish::{Key, ciphers::Aes256, modes::Ctr, parallel};
//! let key = Key::<Aes256>::new(&[7; 32])?;
//! let mut data = vec![0; 1 << 20];
//! parallel::encrypt_in_place(&key, Ctr::BE, &[1; 16], &mut data)?;
//! parallel::decrypt_in_place(&key, Ctr::BE, &[1; 16], &mut data)?;
//! assert_eq!(data, vec![0; 1 << 20]);
//! # Ok::<(), icefish::Error>(())
//! ```

#[cfg(feature = "threefish")]
mod sector;

#[cfg(feature = "threefish")]
pub use sector::{decrypt_sector, encrypt_sector};

use crate::cipher::{Cipher, Decrypt, Direction, Encrypt, FROM_MEMORY, Key};
use crate::isa::{Extension, Isa, Task};
use crate::modes::{Crypter, DependsOn, Granularity, Mode, Padding, Position};
use crate::{Block, Error};
use alloc::vec::Vec;
use rayon::prelude::*;

/// The largest number of bytes in a piece, before it is rounded up, unless CBC or CFB decryption takes larger ones. It fits in the
/// second-level cache of a core.
const MOST: usize = 128 * 1024;

/// The number of bytes in each piece of `len` bytes, except for the last. All threads get the same number of pieces, unless the
/// pieces would be smaller than is worth a hand-over. A piece is whole batches, and whole cache lines, because 64 blocks of any
/// length fill cache lines.
fn piece_of<C: Cipher>(key: &Key<C>, len: usize) -> usize {
    let even = len.div_ceil(MOST).next_multiple_of(rayon::current_num_threads());
    let pieces = even.min(len / key.backend().run(HandOver(key.cipher()))).max(1);
    len.div_ceil(pieces).next_multiple_of(key.batch().next_multiple_of(64) * C::Block::LEN)
}

/// Reads [`Cipher::hand_over`].
struct HandOver<'a, C>(&'a C);

impl<C: Cipher> Task for HandOver<'_, C> {
    type Out = usize;
    const EXTENSION: Extension = C::EXTENSION;
    #[inline(always)]
    fn call<S: Isa>(self, _: S) -> usize {
        self.0.hand_over::<S>()
    }
}

/// Encrypts a message in place, without padding, in ECB or a counter mode.
///
/// # Errors
/// [`Error::Serial`] for other modes; [`Error::IvLength`], [`Error::PartialBlock`],
/// [`Error::CounterExhausted`].
pub fn encrypt_in_place<C: Cipher, M: Mode>(
    key: &Key<C>,
    mode: M,
    iv: &[u8],
    data: &mut [u8],
) -> Result<(), Error> {
    in_place::<C, M, Encrypt>(key, mode, iv, data)
}

/// Decrypts a message in place, without padding, in ECB, CBC, CFB or a counter mode.
///
/// # Errors
/// As [`encrypt_in_place`].
pub fn decrypt_in_place<C: Cipher, M: Mode>(
    key: &Key<C>,
    mode: M,
    iv: &[u8],
    data: &mut [u8],
) -> Result<(), Error> {
    in_place::<C, M, Decrypt>(key, mode, iv, data)
}

fn in_place<C: Cipher, M: Mode, D: Direction>(
    key: &Key<C>,
    mode: M,
    iv: &[u8],
    data: &mut [u8],
) -> Result<(), Error> {
    let (got, block) = (data.len(), C::Block::LEN);
    let needs = mode.depends_on(D::WAY).ok_or(Error::Serial)?;
    if mode.granularity() == Granularity::Block && !got.is_multiple_of(block) {
        return Err(Error::PartialBlock { got, block });
    }
    if got.div_ceil(block) as u128 > mode.limit(block) {
        return Err(Error::CounterExhausted);
    }
    // Refuses a wrong IV before anything is written.
    Position::<C::Block>::new(mode, iv)?;
    let mut len = piece_of(key, got);
    // Smaller pieces would be taken in batches for data that is in a cache. Of 32 MiB on two threads, CBC decryption would take 2.7
    // times as long (Zen 4).
    if needs == DependsOn::Ciphertext && got / rayon::current_num_threads() >= FROM_MEMORY {
        len = FROM_MEMORY.next_multiple_of(len);
    }
    let piece = |index: usize, iv: &[u8], data: &mut [u8]| {
        let mut crypter = Crypter::<C, M, D>::new(key, mode, iv)?.padding(Padding::None);
        if needs == DependsOn::Index {
            crypter.seek(index as u128 * len as u128)?;
        }
        crypter.update_in_place(data)
    };
    if got <= len {
        return piece(0, iv, data);
    }
    if needs != DependsOn::Ciphertext {
        let pieces = data.par_chunks_mut(len).enumerate();
        return pieces.try_for_each(|(index, data)| piece(index, iv, data));
    }
    // The ciphertext block before each piece, read before it is overwritten.
    let before =
        data.chunks(len).map(|data| C::Block::take(&data[data.len().max(block) - block..]));
    let mut ivs: Vec<C::Block> = Vec::with_capacity(got / len + 1);
    ivs.push(C::Block::take(iv));
    ivs.extend(before.take(got.saturating_sub(1) / len));
    let pieces = data.par_chunks_mut(len).zip(ivs.par_iter()).enumerate();
    pieces.try_for_each(|(index, (data, iv))| piece(index, iv.as_ref(), data))
}

#[cfg(all(test, feature = "aes", feature = "threefish", feature = "ice"))]
mod tests {
    use super::*;
    use crate::Backend;
    use crate::ciphers::{Aes128, Ice, Threefish1024};

    /// For two threads: the number of pieces of `len` bytes, and the number of bytes in each.
    fn pieces<C: Cipher>(key: &Key<C>, len: usize) -> (usize, usize) {
        let two = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
        let piece = two.install(|| piece_of(key, len));
        (len.div_ceil(piece), piece)
    }

    #[test]
    fn slow_ciphers_share_less() {
        for backend in Backend::available() {
            let thin = Key::from_cipher(backend, Ice::new(0, &[3; 8]).unwrap());
            let ice = Key::from_cipher(backend, Ice::new(2, &[3; 16]).unwrap());
            assert_eq!(pieces(&thin, 24_576).0, 1, "{backend}");
            assert_eq!(pieces(&ice, 24_576).0, 2, "{backend}");
            for len in [80_000, 160_000] {
                // In GF(2^8), 80,000 bytes take 20 µs.
                let one = len == 80_000 && backend.name() == "avx512_vaes";
                assert_eq!(pieces(&thin, len).0, 2 - usize::from(one), "{len} bytes on {backend}");
                assert_eq!(pieces(&ice, len).0, 2, "{len} bytes on {backend}");
            }
            let aes = Key::<Aes128>::on(backend, &[3; 16]).unwrap();
            assert_eq!(pieces(&aes, 80_000).0, 1, "{backend}");
            assert_eq!(pieces(&aes, 200_000).0, 2, "{backend}");
        }
    }

    #[test]
    fn pieces_are_even_and_fit_a_cache() {
        let key = Key::<Threefish1024>::new(&[3; 128]).unwrap();
        for len in [300_000, 1 << 20, 16 << 20] {
            let (count, piece) = pieces(&key, len);
            assert!(count % 2 == 0 && piece <= MOST + 8192, "{count} of {piece} bytes");
            assert!(piece % 8192 == 0 && piece > MOST / 2, "{count} of {piece} bytes");
        }
    }
}
