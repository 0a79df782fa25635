//! Limits, which no buffer reaches.

use super::{Opener, Pieces, Piecewise, Progress, Sealer, Tagged};
use crate::Error;
use crate::aead::Gcm;
use crate::ciphers::Aes128;
use crate::isa::InOut;

const MOST: u64 = (1 << 36) - 32;
const MOST_ASSOCIATED: u64 = (1 << 61) - 1;

/// A message with the limits of GCM (SP 800-38D, section 5.2.1.1) that is its own ciphertext: the kernels of a mode would be
/// compiled once more for these tests.
struct Plain;

impl Pieces for Plain {
    fn max_associated(&self) -> u64 {
        MOST_ASSOCIATED
    }
    fn max_data(&self) -> u64 {
        MOST
    }
    fn tag_len(&self) -> usize {
        16
    }
    fn whole_tag_len(&self) -> usize {
        16
    }
    fn associated(&mut self, _: &[u8]) {}
    fn seal(&mut self, _: InOut<'_>) {}
    fn open(&mut self, _: InOut<'_>) {}
    fn tag(&mut self, tag: &mut [u8]) {
        tag.fill(0);
    }
}

impl Tagged for Plain {
    type Tag = [u8; 16];
}

#[test]
fn limits_of_gcm() {
    let gcm = Gcm::<Aes128>::new(&[7; 16]).unwrap();
    let pieces = gcm.begin(&[1; 12]).unwrap();
    assert_eq!((pieces.max_data(), pieces.max_associated()), (MOST, MOST_ASSOCIATED));
}

#[test]
fn limits_hold_over_all_pieces() {
    let begin = || Progress::new(Plain);
    let mut sealer = Sealer(Progress { data: MOST - 4, begun: true, ..begin() });
    let mut data = [9; 5];
    let too_long = Error::TooLong { most: MOST };
    assert_eq!(sealer.update_in_place(&mut data), Err(too_long));
    assert_eq!(sealer.update(&[9; 5], &mut data), Err(too_long));
    assert_eq!(data, [9; 5]);
    assert_eq!(sealer.update(&[9; 4], &mut data), Ok(4));
    assert_eq!(sealer.update(&[9; 1], &mut data), Err(too_long));

    let mut sealer = Sealer(Progress { associated: MOST_ASSOCIATED - 4, ..begin() });
    let too_long = Error::TooLong { most: MOST_ASSOCIATED };
    assert_eq!(sealer.associated(&[9; 5]), Err(too_long));
    assert_eq!(sealer.associated(&[9; 4]), Ok(()));
    assert_eq!(sealer.associated(&[9; 1]), Err(too_long));
}

#[test]
fn an_opener_past_the_limit_clears_its_room() {
    let mut room = [0xa5; 20];
    let mut opener = Opener::new(Plain, &mut room);
    opener.progress_mut().data = MOST - 8;
    opener.update(&[9; 8]).unwrap();
    let too_long = Error::TooLong { most: MOST };
    assert_eq!(opener.update(&[9; 1]), Err(too_long));
    assert_eq!(opener.update(&[]), Err(too_long));
    assert_eq!(opener.finish(&[0; 16]), Err(too_long));
    assert_eq!(room, [&[0; 8][..], &[0xa5; 12]].concat()[..]);
}
