//! Blocks: arrays of bytes.

use core::fmt::Debug;
use zeroize::Zeroize;

/// A block of bytes: `[u8; N]`.
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
}
