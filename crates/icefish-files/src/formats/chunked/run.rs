//! Runs of chunks, to seal or to open.

use super::RUN;
use crate::{Error, ordered};
use icefish::storage::cobblestone::{CHUNK, SEALED_CHUNK, TAG};
use icefish::suite::{AnyChunkOpener, AnyChunkSealer};

/// One message, and which way it goes.
#[derive(Debug)]
pub(super) enum Chunks {
    Sealer(AnyChunkSealer),
    Opener(AnyChunkOpener),
}

/// Consecutive chunks, from number `first` on. `last`: they end with the last of the message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) first: u64,
    pub(super) last: bool,
}

impl Chunks {
    /// Length of a whole chunk before.
    pub(super) fn input(&self) -> usize {
        match self {
            Self::Sealer(_) => CHUNK,
            Self::Opener(_) => SEALED_CHUNK,
        }
    }

    /// Length of a whole chunk after.
    pub(super) fn output(&self) -> usize {
        match self {
            Self::Sealer(_) => SEALED_CHUNK,
            Self::Opener(_) => CHUNK,
        }
    }

    /// Takes a run to `output`, which has room for whole chunks; returns how many bytes of it may be used. If there is an error, they
    /// are the chunks before it.
    pub(super) fn take(
        &self,
        run: Run,
        input: &[u8],
        output: &mut [u8],
    ) -> (usize, Result<(), Error>) {
        let Run { first, last } = run;
        let full = input.len() / self.input();
        let tags = TAG * (full + usize::from(last));
        let (len, done) = match self {
            Self::Sealer(sealer) => {
                let len = input.len() + tags;
                (len, sealer.seal_between(first, last, input, &mut output[..len]))
            }
            Self::Opener(opener) => {
                // A last chunk that is shorter than its tag is refused before its length matters.
                let len = input.len().saturating_sub(tags);
                (len, opener.open_between(first, last, input, &mut output[..len]))
            }
        };
        match done {
            Ok(()) => (len, Ok(())),
            Err(e @ icefish::Error::ForgedChunk { number }) => {
                ((number - first) as usize * CHUNK, Err(e.into()))
            }
            // The end is missing: what is before is whole chunks.
            Err(e @ icefish::Error::Truncated) if full > 0 => {
                let whole = &input[..full * self.input()];
                match self.take(Run { first, last: false }, whole, output) {
                    (len, Ok(())) => (len, Err(e.into())),
                    failed => failed,
                }
            }
            Err(e) => (0, Err(e.into())),
        }
    }
}

impl ordered::Work for Chunks {
    type Piece = Run;

    fn room(&self) -> (usize, usize) {
        (RUN * self.input(), RUN * self.output())
    }

    fn take(&self, run: Run, input: &[u8], output: &mut [u8]) -> (usize, Result<(), Error>) {
        Self::take(self, run, input, output)
    }
}
