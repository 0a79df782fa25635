//! A message in pieces.

use super::super::pieces::{Pieces, Piecewise, Tagged};
use super::Aegis;
use crate::Error;
use crate::constructions::aegis::{AegisProgress, MAX_DATA, RATE, bits};
use crate::isa::{InOut, erase};
use zeroize::ZeroizeOnDrop;

/// The state of a message of [`Aegis`] in pieces.
///
/// ```
/// use icefish::aead::{Aegis128X2, AegisPieces, Piecewise, Sealer};
/// let key = Aegis128X2::new(&[7; 16])?;
/// let mut sealer: Sealer<AegisPieces<128, 2>> = key.sealer(&[1; 16])?;
/// sealer.update_in_place(&mut [5; 100])?;
/// let tag = sealer.finish();
/// # let _ = tag;
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct AegisPieces<'k, const BITS: usize, const DEGREE: usize> {
    aegis: &'k Aegis<BITS, DEGREE>,
    message: AegisMessage,
}

/// The message without its key, compiled once for all variants.
struct AegisMessage {
    progress: AegisProgress,
    /// The keystream of the incomplete step.
    pad: [u8; RATE],
    /// Bytes of associated data, and of data.
    lengths: [u64; 2],
}

impl<const BITS: usize, const DEGREE: usize> Piecewise for Aegis<BITS, DEGREE> {
    type Pieces<'k> = AegisPieces<'k, BITS, DEGREE>;

    fn begin(&self, nonce: &[u8]) -> Result<AegisPieces<'_, BITS, DEGREE>, Error> {
        let message = AegisMessage {
            progress: self.begun(self.with(nonce)?),
            pad: [0; RATE],
            lengths: [0; 2],
        };
        Ok(AegisPieces { aegis: self, message })
    }
}

impl AegisMessage {
    fn associated(&mut self, bytes: &[u8]) {
        self.lengths[0] += bytes.len() as u64;
        self.progress.absorb(bytes);
    }

    fn crypt(&mut self, io: InOut<'_>, seal: bool) {
        if io.is_empty() {
            return;
        }
        if self.lengths[1] == 0 {
            // The associated data ends here.
            self.progress.pad();
        }
        self.lengths[1] += io.len() as u64;
        let rate = self.progress.rate();
        let filled = self.progress.filled;
        let head = if filled == 0 { 0 } else { (rate - filled).min(io.len()) };
        let (head, rest) = io.split_at(head);
        self.crypt_part(head, seal);
        let steps = rest.len() / rate * rate;
        let (steps, tail) = rest.split_at(steps);
        if !steps.is_empty() {
            self.progress.go_on(&[], steps, seal);
        }
        if !tail.is_empty() {
            self.pad = [0; RATE];
            // The incomplete step is done on a copy, for its keystream. The copy is dropped: the data of the step is not
            // complete yet.
            let io = InOut::in_place(&mut self.pad[..rate]);
            self.progress.clone().go_on(&[], io, true);
            self.crypt_part(tail, seal);
        }
    }

    /// Data of the incomplete step.
    fn crypt_part(&mut self, mut io: InOut<'_>, seal: bool) {
        let from = self.progress.filled;
        let pad = &self.pad[from..from + io.len()];
        if seal {
            self.progress.put(io.input());
            io.xor_bytes(0, pad);
        } else {
            io.xor_bytes(0, pad);
            self.progress.put(io.output());
        }
    }
}

impl<const BITS: usize, const DEGREE: usize> Pieces for AegisPieces<'_, BITS, DEGREE> {
    fn max_associated(&self) -> u64 {
        MAX_DATA
    }
    fn max_data(&self) -> u64 {
        MAX_DATA
    }
    fn tag_len(&self) -> usize {
        self.aegis.tag_len
    }
    fn whole_tag_len(&self) -> usize {
        32
    }
    fn associated(&mut self, bytes: &[u8]) {
        self.message.associated(bytes);
    }
    fn seal(&mut self, io: InOut<'_>) {
        self.message.crypt(io, true);
    }
    fn open(&mut self, io: InOut<'_>) {
        self.message.crypt(io, false);
    }
    fn tag(&mut self, tag: &mut [u8]) {
        let short = self.aegis.tag_len == 16;
        let AegisMessage { progress, lengths, .. } = &mut self.message;
        tag.copy_from_slice(&progress.tag(bits(lengths[0], lengths[1]), short));
    }
}

impl<const BITS: usize, const DEGREE: usize> Tagged for AegisPieces<'_, BITS, DEGREE> {
    type Tag = [u8; 32];
}

impl Drop for AegisMessage {
    fn drop(&mut self) {
        erase(&mut self.pad);
    }
}

impl<const BITS: usize, const DEGREE: usize> ZeroizeOnDrop for AegisPieces<'_, BITS, DEGREE> {}
