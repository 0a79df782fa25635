//! `icefast`: on one thread, and with its own choice of threads (32 KiB and more).

use super::{Direction, Library, Operation, Setup, Work};
use icefast::Ice;

pub(super) const LIBRARY: Library =
    Library { name: "icefast", version: |_| "2.0.1", make, ..Library::CRATE };

pub(super) const THREADED: Library =
    Library { name: "icefast auto", threads: true, make: make_threaded, ..LIBRARY };

fn make(operation: Operation, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    if let Operation::IceKeySetup { level } = operation {
        let key = setup.key.to_vec();
        return Some(Box::new(move |buffer: &mut [u8]| {
            let ice = Ice::new(usize::from(level), &key);
            match buffer.len() {
                8 => ice.encrypt_chunks::<1>(buffer),
                _ => ice.encrypt(buffer),
            }
        }));
    }
    let Operation::Ice { level, direction } = operation else {
        return None;
    };
    let ice = Box::new(Ice::new(usize::from(level), setup.key));
    Some(match direction {
        // One block skips the choice of a batch, as a caller with one block could.
        Direction::Encrypt => Box::new(move |buffer: &mut [u8]| match buffer.len() {
            8 => ice.encrypt_chunks::<1>(buffer),
            _ => ice.encrypt(buffer),
        }),
        Direction::Decrypt => Box::new(move |buffer: &mut [u8]| match buffer.len() {
            8 => ice.decrypt_chunks::<1>(buffer),
            _ => ice.decrypt(buffer),
        }),
    })
}

fn make_threaded(operation: Operation, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    let Operation::Ice { level, direction } = operation else {
        return None;
    };
    let ice = Box::new(Ice::new(usize::from(level), setup.key));
    Some(match direction {
        Direction::Encrypt => Box::new(move |buffer: &mut [u8]| ice.encrypt_auto(buffer)),
        Direction::Decrypt => Box::new(move |buffer: &mut [u8]| ice.decrypt_auto(buffer)),
    })
}
