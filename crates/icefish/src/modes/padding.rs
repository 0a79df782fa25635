//! Padding: extends data of any length to whole blocks. It is removed in constant time.

use crate::Error;
use crate::verdict::disclose;
use core::str::FromStr;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, ConstantTimeGreater};

/// How the last block is filled.
///
/// ```
/// use icefish::modes::Padding;
/// assert_eq!(Padding::Pkcs7.padded_len(16, 16)?, 32); // at least one byte is added
/// assert_eq!(Padding::Zero.padded_len(16, 16)?, 16);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Padding {
    /// n bytes of value n, with n from 1 to the block length (RFC 5652, section 6.3). For blocks of at most 255 bytes.
    #[default]
    Pkcs7,
    /// Zeros, then the number of bytes added (ANSI X9.23). For blocks of at most 255 bytes.
    X923,
    /// A byte 0x80, then zeros (ISO/IEC 7816-4).
    Iso7816,
    /// Zeros, and none if the data is whole blocks. Removing it also removes zeros at the end of the data.
    Zero,
    /// No padding: the data must be whole blocks.
    None,
}

impl Padding {
    /// All paddings.
    pub const ALL: [Self; 5] = [Self::Pkcs7, Self::X923, Self::Iso7816, Self::Zero, Self::None];

    /// The name: `pkcs7`, `x923`, `iso7816`, `zero`, `none`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pkcs7 => "pkcs7",
            Self::X923 => "x923",
            Self::Iso7816 => "iso7816",
            Self::Zero => "zero",
            Self::None => "none",
        }
    }

    /// The length of `len` bytes of data with this padding, for blocks of `block` bytes.
    ///
    /// # Errors
    /// [`Error::PartialBlock`] if there is no padding and the data is not whole blocks; [`Error::PaddingBlock`];
    /// [`Error::TooLong`] if the length exceeds `usize`.
    #[inline]
    pub fn padded_len(self, len: usize, block: usize) -> Result<usize, Error> {
        self.fits(block)?;
        let least = match self {
            Self::None | Self::Zero if len.is_multiple_of(block) => return Ok(len),
            Self::None => return Err(Error::PartialBlock { got: len, block }),
            Self::Zero => Some(len),
            Self::Pkcs7 | Self::X923 | Self::Iso7816 => len.checked_add(1),
        };
        least.and_then(|least| least.checked_next_multiple_of(block)).ok_or_else(|| {
            let most = usize::MAX / block * block - usize::from(self != Self::Zero);
            Error::TooLong { most: most as u64 }
        })
    }

    /// Checks that this padding can fill a block of `block` bytes.
    #[inline(always)]
    pub(crate) fn fits(self, block: usize) -> Result<(), Error> {
        let most = match self {
            Self::Pkcs7 | Self::X923 => usize::from(u8::MAX),
            Self::Iso7816 | Self::Zero | Self::None => usize::from(u16::MAX),
        };
        if (1..=most).contains(&block) {
            return Ok(());
        }
        Err(Error::PaddingBlock { got: block, most })
    }

    /// Fills `block[data..]`, which is not empty. Not inlined: otherwise, with a padding known only at run time, a message
    /// without padding would pay for it.
    #[inline(never)]
    pub(crate) fn fill(self, block: &mut [u8], data: usize) {
        let added = (block.len() - data) as u8;
        block[data..].fill(if self == Self::Pkcs7 { added } else { 0 });
        match self {
            Self::X923 => block[block.len() - 1] = added,
            Self::Iso7816 => block[data] = 0x80,
            Self::Pkcs7 | Self::Zero | Self::None => {}
        }
    }

    /// The number of data bytes in the last block. Constant-time.
    ///
    /// # Errors
    /// [`Error::Padding`].
    #[inline(never)]
    pub(crate) fn data_len(self, block: &[u8]) -> Result<usize, Error> {
        let (valid, len) = match self {
            Self::Pkcs7 | Self::X923 => counted(block, self == Self::Pkcs7),
            Self::Iso7816 => marked(block),
            Self::Zero => (Choice::from(1), last_nonzero(block)),
            Self::None => (Choice::from(1), block.len() as u16),
        };
        if disclose(u64::from((!valid).unwrap_u8())) {
            Ok(usize::from(len))
        } else {
            Err(Error::Padding)
        }
    }
}

/// The last byte is the number of bytes added; the others added are equal to it (`same`) or zero.
fn counted(block: &[u8], same: bool) -> (Choice, u16) {
    let len = block.len() as u8;
    let added = block[block.len() - 1];
    let mut valid = !added.ct_eq(&0) & !added.ct_gt(&len);
    let fill = if same { added } else { 0 };
    for (i, byte) in block[..block.len() - 1].iter().enumerate() {
        let is_data = !added.ct_gt(&(len - 1 - i as u8));
        valid &= is_data | byte.ct_eq(&fill);
    }
    (valid, len.wrapping_sub(added).into())
}

/// The last byte that is not zero is 0x80.
fn marked(block: &[u8]) -> (Choice, u16) {
    let end = last_nonzero(block);
    let mut marker = 0;
    for (i, byte) in block.iter().enumerate() {
        marker.conditional_assign(byte, (i as u16).ct_eq(&end.wrapping_sub(1)));
    }
    (marker.ct_eq(&0x80), end.wrapping_sub(1))
}

/// The number of bytes up to and with the last one that is not zero.
fn last_nonzero(block: &[u8]) -> u16 {
    let mut end = 0u16;
    for (i, byte) in block.iter().enumerate() {
        end.conditional_assign(&(i as u16 + 1), !byte.ct_eq(&0));
    }
    end
}

impl FromStr for Padding {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|p| p.name() == name).ok_or(Error::UnknownPadding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_comes_back() {
        for padding in Padding::ALL {
            for size in [8, 16, 32, 64, 128] {
                for data in 1..size {
                    let mut block = [0xa5; 128];
                    padding.fill(&mut block[..size], data);
                    if padding != Padding::None {
                        assert_eq!(padding.data_len(&block[..size]), Ok(data), "{padding:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn lengths_at_the_end_of_numbers() {
        for block in [1, 7, 8, 16, 128, 255] {
            for padding in Padding::ALL {
                // The longest data that has a padded length, and longer data.
                let end = usize::MAX / block * block;
                let most = match padding {
                    Padding::Zero | Padding::None => end,
                    _ => end - 1,
                };
                assert_eq!(padding.padded_len(most, block), Ok(end), "{padding:?} {block}");
                for len in most..usize::MAX {
                    let long = Err(Error::TooLong { most: most as u64 });
                    let partial = Err(Error::PartialBlock { got: len + 1, block });
                    let refused = if padding == Padding::None { partial } else { long };
                    assert_eq!(padding.padded_len(len + 1, block), refused, "{padding:?} {block}");
                }
            }
        }
        let refused = Err(Error::PaddingBlock { got: 256, most: 255 });
        assert_eq!(Padding::Pkcs7.padded_len(5, 256), refused);
        assert_eq!(Padding::X923.padded_len(5, 256), refused);
        assert_eq!(Padding::Iso7816.padded_len(5, 256), Ok(256));
        for padding in Padding::ALL {
            assert!(matches!(padding.padded_len(0, 0), Err(Error::PaddingBlock { got: 0, .. })));
        }
    }

    #[test]
    fn damage_is_found() {
        let pkcs7 = |b: &[u8]| Padding::Pkcs7.data_len(b);
        assert_eq!(pkcs7(&[1, 2, 3, 4, 5, 6, 7, 0]), Err(Error::Padding));
        assert_eq!(pkcs7(&[1, 2, 3, 4, 5, 6, 7, 9]), Err(Error::Padding));
        assert_eq!(pkcs7(&[1, 2, 3, 4, 5, 3, 2, 3]), Err(Error::Padding));
        assert_eq!(pkcs7(&[8; 8]), Ok(0));
        assert_eq!(pkcs7(&[2, 2, 2, 2, 2, 2, 2, 2]), Ok(6));
        assert_eq!(Padding::X923.data_len(&[1, 0, 0, 1, 0, 0, 0, 5]), Err(Error::Padding));
        assert_eq!(Padding::X923.data_len(&[1, 2, 3, 0, 0, 0, 0, 5]), Ok(3));
        assert_eq!(Padding::Iso7816.data_len(&[0; 8]), Err(Error::Padding));
        assert_eq!(Padding::Iso7816.data_len(&[1, 2, 3, 0x81, 0, 0, 0, 0]), Err(Error::Padding));
        assert_eq!(Padding::Zero.data_len(&[0; 8]), Ok(0));
    }
}
