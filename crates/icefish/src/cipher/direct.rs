//! Passes that a cipher can take without their help.

use super::Counters;
use crate::isa::InOut;

/// A [`Pass`](super::Pass) that does no more than load blocks, XOR and store them. A cipher that is not compiled together with the
/// pass does that by itself, and saves a copy to a buffer and one from it.
///
/// ```
/// use icefish::cipher::{Direct, Source};
/// use icefish::isa::InOut;
///
/// /// CBC decryption, from the second block on.
/// fn cbc<'a>(message: &'a mut [u8]) -> Direct<'a> {
///     Direct { io: InOut::in_place(message), source: Source::Before(0), xor: Some(16) }
/// }
/// # cbc(&mut [0; 32]);
/// ```
#[derive(Debug)]
pub struct Direct<'a> {
    /// The message.
    pub io: InOut<'a>,
    /// The input of the cipher.
    pub source: Source<'a>,
    /// What the output of the cipher is XORed with: the input of the mode so many bytes before the output of the mode.
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
    /// The input of the mode so many bytes before the output of the mode.
    Before(usize),
    /// Counter blocks. Those of the first block of the message are these.
    Counters(Counters<'a>),
}
