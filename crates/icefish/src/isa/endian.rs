//! Byte order of counters.

/// The byte order of the counter in a block.
///
/// ```
/// use icefish::{isa::Endian, modes::Ctr};
/// assert_ne!(Endian::Big, Endian::Little);
/// # let _ = Ctr::BE;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Endian {
    /// The last byte is the least significant.
    Big,
    /// The first byte is the least significant.
    Little,
}

impl Endian {
    /// The number in the eight least significant bytes of the counter; in all bytes of a shorter block.
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

    /// Sets these bytes to `low`, truncated for a shorter block.
    #[inline(always)]
    pub(crate) fn set_low(self, block: &mut [u8], low: u64) {
        let (len, n) = (block.len(), block.len().min(8));
        match self {
            Self::Big => block[len - n..].copy_from_slice(&low.to_be_bytes()[8 - n..]),
            Self::Little => block[..n].copy_from_slice(&low.to_le_bytes()[..n]),
        }
    }

    /// For a byte shuffle: moves a counter from the low eight bytes to its place in a block of 16; the other bytes are zero.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn order(self) -> &'static [u8; 16] {
        const Z: u8 = 0x80;
        const ORDER: [[u8; 16]; 2] = [
            [Z, Z, Z, Z, Z, Z, Z, Z, 7, 6, 5, 4, 3, 2, 1, 0],
            [0, 1, 2, 3, 4, 5, 6, 7, Z, Z, Z, Z, Z, Z, Z, Z],
        ];
        &ORDER[self as usize]
    }

    /// A mask of the bytes of a 16-byte block that are not the eight bytes of the counter.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn rest(self) -> &'static [u8; 16] {
        const FIRST: u128 = u64::MAX as u128;
        const REST: [[u8; 16]; 2] = [FIRST.to_le_bytes(), (FIRST << 64).to_le_bytes()];
        &REST[self as usize]
    }

    /// For additions byte by byte: what the counters of blocks of 16 bytes are above the first, if that byte does not wrap. More than
    /// are used, so that the address is a shift.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn steps(self) -> &'static [[u8; 16]; 32] {
        const STEPS: [[[u8; 16]; 32]; 2] = {
            let mut steps = [[[0; 16]; 32]; 2];
            let mut i = 0;
            while i < 32 {
                steps[Endian::Big as usize][i][15] = i as u8;
                steps[Endian::Little as usize][i][0] = i as u8;
                i += 1;
            }
            steps
        };
        &STEPS[self as usize]
    }
}
