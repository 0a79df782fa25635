//! Passes that a cipher can do by itself.

use super::Counters;
use crate::isa::InOut;

/// A [`Pass`](super::Pass) that only loads blocks or makes counter blocks, XORs and stores. A cipher that is not compiled together
/// with the pass does that by itself. This avoids the copies to and from a buffer.
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
    /// The output is XORed with the mode's input this many bytes before; `None`: with nothing.
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
    /// The input of the mode, this many bytes before the output.
    Before(usize),
    /// Counter blocks: block `i` of these is for block `i` of the message.
    Counters(Counters<'a>),
}
