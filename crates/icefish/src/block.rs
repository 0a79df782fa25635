//! Blocks: arrays of bytes.

use core::fmt::Debug;
use zeroize::Zeroize;

/// A block of bytes: `[u8; N]`.
///
/// ```
/// use icefish::Block;
/// assert_eq!(<[u8; 16]>::LEN, 16);
/// assert_eq!(<[u8; 2]>::take(b"abc"), *b"ab");
/// ```
pub trait Block:
    Copy + Debug + AsRef<[u8]> + AsMut<[u8]> + Zeroize + Send + Sync + 'static
{
    /// Length in bytes.
    const LEN: usize;
    /// A block of zeros.
    fn zero() -> Self;
    /// The first [`Block::LEN`] bytes.
    ///
    /// # Panics
    /// If there are fewer.
    fn take(bytes: &[u8]) -> Self;
    /// These bytes as a block, if they are [`Block::LEN`].
    fn view(bytes: &[u8]) -> Option<&Self>;
}

impl<const N: usize> Block for [u8; N]
where
    [u8; N]: Zeroize,
{
    const LEN: usize = N;
    #[inline(always)]
    fn zero() -> Self {
        [0; N]
    }
    #[inline(always)]
    fn take(bytes: &[u8]) -> Self {
        let mut block = [0; N];
        block.copy_from_slice(&bytes[..N]);
        block
    }
    #[inline(always)]
    fn view(bytes: &[u8]) -> Option<&Self> {
        bytes.try_into().ok()
    }
}

/// At most 16 bytes and zeros after them, as a little-endian number.
///
/// By words that overlap, which stay in registers: a copy of a length that only the caller knows is a call of `memcpy`, whose
/// bytes are then loaded as a whole while their stores are pending.
///
/// # Panics
/// If there are more bytes.
#[inline(always)]
pub(crate) fn padded(bytes: &[u8]) -> u128 {
    let len = bytes.len();
    assert!(len <= 16, "more than a block");
    if len >= 8 {
        let (head, end) = (<[u8; 8]>::take(bytes), <[u8; 8]>::take(&bytes[len - 8..]));
        u128::from(u64::from_le_bytes(head))
            | u128::from(u64::from_le_bytes(end)) << (8 * (len - 8))
    } else if len >= 4 {
        let (head, end) = (<[u8; 4]>::take(bytes), <[u8; 4]>::take(&bytes[len - 4..]));
        u128::from(u32::from_le_bytes(head))
            | u128::from(u32::from_le_bytes(end)) << (8 * (len - 4))
    } else if len > 0 {
        let byte = |at: usize| u128::from(bytes[at]) << (8 * at);
        byte(0) | byte(len / 2) | byte(len - 1)
    } else {
        0
    }
}

/// Writes the first bytes of `number`, little-endian, as many as `bytes` has. By words that overlap, as [`padded`].
///
/// # Panics
/// If there is room for more than 16.
#[inline(always)]
pub(crate) fn put(number: u128, bytes: &mut [u8]) {
    let len = bytes.len();
    assert!(len <= 16, "more than a block");
    if len >= 8 {
        bytes[..8].copy_from_slice(&(number as u64).to_le_bytes());
        bytes[len - 8..].copy_from_slice(&((number >> (8 * (len - 8))) as u64).to_le_bytes());
    } else if len >= 4 {
        bytes[..4].copy_from_slice(&(number as u32).to_le_bytes());
        bytes[len - 4..].copy_from_slice(&((number >> (8 * (len - 4))) as u32).to_le_bytes());
    } else if len > 0 {
        let byte = |at: usize| (number >> (8 * at)) as u8;
        (bytes[0], bytes[len / 2], bytes[len - 1]) = (byte(0), byte(len / 2), byte(len - 1));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_length_is_put() {
        let number = u128::from_le_bytes(core::array::from_fn(|i| 0xf0 + i as u8));
        for len in 0..=16 {
            let mut bytes = [0; 17];
            super::put(number, &mut bytes[..len]);
            assert_eq!(bytes[..len], number.to_le_bytes()[..len], "{len} bytes");
            assert!(bytes[len..].iter().all(|&byte| byte == 0), "behind {len} bytes");
        }
    }

    #[test]
    fn every_length_is_padded() {
        let bytes: [u8; 16] = core::array::from_fn(|i| 0xf0 + i as u8);
        for len in 0..=16 {
            let mut block = [0; 16];
            block[..len].copy_from_slice(&bytes[..len]);
            assert_eq!(super::padded(&bytes[..len]).to_le_bytes(), block, "{len} bytes");
        }
    }
}
