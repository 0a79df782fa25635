//! A message of the library as a transformation of a stream.

use super::{Way, partial};
use crate::Error;
use crate::pipeline::Transform;
use icefish::suite::AnyCrypter;

/// A message on its way through a cipher and a mode.
#[derive(Debug)]
pub struct Crypted<'k> {
    crypter: AnyCrypter<'k>,
    way: Way,
    taken: u64,
}

impl<'k> Crypted<'k> {
    /// `crypter` goes `way`.
    pub fn new(crypter: AnyCrypter<'k>, way: Way) -> Self {
        Self { crypter, way, taken: 0 }
    }
}

impl Transform for Crypted<'_> {
    fn output_len(&self, input: usize) -> usize {
        self.crypter.output_len(input)
    }

    fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Error> {
        self.taken += input.len() as u64;
        Ok(self.crypter.update(input, output)?)
    }

    fn finish(self, output: &mut [u8]) -> Result<usize, Error> {
        let (got, way) = (self.taken, self.way);
        self.crypter.finish(output).map_err(|e| match e {
            // The crypter knows of the last block only.
            icefish::Error::PartialBlock { block, .. } => partial(way, got, block),
            e => e.into(),
        })
    }
}
