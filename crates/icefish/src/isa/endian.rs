//! Which byte of a counter comes first.

/// Where a counter block has its least significant byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Endian {
    /// The last byte counts fastest.
    Big,
    /// The first byte counts fastest.
    Little,
}

impl Endian {
    /// The number in the eight bytes of `block` that count fastest; in all of them, if there are fewer.
    #[inline(always)]
    pub(crate) fn low(self, block: &[u8]) -> u64 {
        let (n, mut low) = (block.len().min(8), [0; 8]);
        match self {
            Self::Big => {
                low[8 - n..].copy_from_slice(&block[block.len() - n..]);
                u64::from_be_bytes(low)
            }
            Self::Little => {
                low[..n].copy_from_slice(&block[..n]);
                u64::from_le_bytes(low)
            }
        }
    }

    /// Makes `low` that number, less what of it has no place in a shorter block.
    #[inline(always)]
    pub(crate) fn set_low(self, block: &mut [u8], low: u64) {
        let (len, n) = (block.len(), block.len().min(8));
        match self {
            Self::Big => block[len - n..].copy_from_slice(&low.to_be_bytes()[8 - n..]),
            Self::Little => block[..n].copy_from_slice(&low.to_le_bytes()[..n]),
        }
    }
}
