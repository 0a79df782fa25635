//! RustCrypto's `skein`, over its `threefish`.

use super::{Library, Operation, Setup, Work};
use skein::digest::{Digest, Output};
use skein::{Skein256_256, Skein512_512, Skein1024_1024};

pub(super) const LIBRARY: Library = Library {
    name: "rustcrypto",
    version: |_| "skein 0.2.0, threefish 0.6.0",
    make,
    ..Library::CRATE
};

fn make(operation: Operation, _: &Setup<'_>) -> Option<Box<dyn Work>> {
    match operation {
        Operation::Skein { bits: 256 } => {
            Some(Box::new(Hash::<Skein256_256>(Output::<Skein256_256>::default())))
        }
        Operation::Skein { bits: 512 } => {
            Some(Box::new(Hash::<Skein512_512>(Output::<Skein512_512>::default())))
        }
        Operation::Skein { bits: 1024 } => {
            Some(Box::new(Hash::<Skein1024_1024>(Output::<Skein1024_1024>::default())))
        }
        _ => None,
    }
}

struct Hash<D: Digest>(Output<D>);

impl<D: Digest> Work for Hash<D> {
    fn run(&mut self, buffer: &mut [u8]) {
        self.0 = D::digest(buffer);
    }

    fn tag(&self) -> &[u8] {
        &self.0
    }
}
