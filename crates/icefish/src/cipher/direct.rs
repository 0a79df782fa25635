//! Passes that a cipher can do by itself.

use super::Counters;
use crate::isa::InOut;

/// What a [`Pass`](super::Pass) does, if it does only this: it loads blocks or makes counter blocks for the cipher, and stores the
/// output, which may be XORed with bytes of the message. A cipher that is compiled separately from the pass then takes whole
/// batches by itself, without copies to and from a buffer.
///
/// ```
/// use icefish::cipher::{Direct, Source};
/// use icefish::isa::InOut;
///
/// /// CBC decryption.
/// fn cbc<'a>(message: &'a mut [u8], iv: &'a [u8; 16]) -> Direct<'a> {
///     let io = InOut::in_place(message);
///     Direct { io, before: iv, source: Source::Before(0), xor: Some(16) }
/// }
/// # cbc(&mut [0; 32], &[0; 16]);
/// ```
#[derive(Debug)]
pub struct Direct<'a> {
    /// The message.
    pub io: InOut<'a>,
    /// The IV, in place of a block before the message, if the distance in [`Direct::source`] or [`Direct::xor`] is the length of a
    /// block. Otherwise empty.
    pub before: &'a [u8],
    /// The input of the cipher.
    pub source: Source<'a>,
    /// `Some(d)`: byte `i` of the output is XORed with byte `i - d` of the input message. For `i < d`, that is byte `i` of
    /// [`Direct::before`]. `d` is 0 or the length of a block. `None`: the output is not XORed.
    pub xor: Option<usize>,
}

/// The input of the cipher in [`Direct`].
///
/// ```
/// use icefish::cipher::Source;
/// let same_place = Source::Before(0);
/// # let _ = same_place;
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// `Before(d)`: byte `i` of the input of the cipher is byte `i - d` of the input message. For `i < d`, that is byte `i` of
    /// [`Direct::before`]. `d` is 0 or the length of a block.
    Before(usize),
    /// Counter blocks: block `i` of these is for block `i` of the message.
    Counters(Counters<'a>),
}
