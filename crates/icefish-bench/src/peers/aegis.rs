//! `aegis`: libaegis in C, with AES-NI, VAES at both widths, or none of them.

use super::{Direction, Library, Operation, Setup, Work, tagged};
use aegis::aegis128l::{Aegis128L, Aegis128LMac};
use aegis::aegis128x2::{Aegis128X2, Aegis128X2Mac};
use aegis::aegis128x4::{Aegis128X4, Aegis128X4Mac};
use aegis::aegis256::{Aegis256, Aegis256Mac};
use aegis::aegis256x2::{Aegis256X2, Aegis256X2Mac};
use aegis::aegis256x4::{Aegis256X4, Aegis256X4Mac};

pub(super) const LIBRARY: Library = Library {
    name: "aegis",
    version: |_| "0.9.20",
    make,
    holds: |limit| limit.is_none(),
    ..Library::OF_C
};

/// Seals in place and returns the tag, and opens in place.
type Call<const N: usize> = (
    fn(&[u8; N], &[u8; N], &[u8], &mut [u8]) -> [u8; 32],
    fn(&[u8; N], &[u8; N], &[u8], &mut [u8], &[u8; 32]) -> bool,
);

fn make(operation: Operation, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    let (bits, states, direction) = match operation {
        Operation::Aegis { bits, states, direction } => (bits, states, direction),
        Operation::AegisMac { bits, states } => return mac(bits, states, setup),
        _ => return None,
    };
    match (bits, states) {
        (128, 1) => work::<16>(
            (
                |k, n, ad, data| Aegis128L::<32>::new(k, n).encrypt_in_place(data, ad),
                |k, n, ad, data, t| Aegis128L::new(k, n).decrypt_in_place(data, t, ad).is_ok(),
            ),
            direction,
            setup,
        ),
        (128, 2) => work::<16>(
            (
                |k, n, ad, data| Aegis128X2::<32>::new(k, n).encrypt_in_place(data, ad),
                |k, n, ad, data, t| Aegis128X2::new(k, n).decrypt_in_place(data, t, ad).is_ok(),
            ),
            direction,
            setup,
        ),
        (128, 4) => work::<16>(
            (
                |k, n, ad, data| Aegis128X4::<32>::new(k, n).encrypt_in_place(data, ad),
                |k, n, ad, data, t| Aegis128X4::new(k, n).decrypt_in_place(data, t, ad).is_ok(),
            ),
            direction,
            setup,
        ),
        (256, 1) => work::<32>(
            (
                |k, n, ad, data| Aegis256::<32>::new(k, n).encrypt_in_place(data, ad),
                |k, n, ad, data, t| Aegis256::new(k, n).decrypt_in_place(data, t, ad).is_ok(),
            ),
            direction,
            setup,
        ),
        (256, 2) => work::<32>(
            (
                |k, n, ad, data| Aegis256X2::<32>::new(k, n).encrypt_in_place(data, ad),
                |k, n, ad, data, t| Aegis256X2::new(k, n).decrypt_in_place(data, t, ad).is_ok(),
            ),
            direction,
            setup,
        ),
        (256, 4) => work::<32>(
            (
                |k, n, ad, data| Aegis256X4::<32>::new(k, n).encrypt_in_place(data, ad),
                |k, n, ad, data, t| Aegis256X4::new(k, n).decrypt_in_place(data, t, ad).is_ok(),
            ),
            direction,
            setup,
        ),
        _ => None,
    }
}

fn work<const N: usize>(
    (seal, open): Call<N>,
    direction: Direction,
    setup: &Setup<'_>,
) -> Option<Box<dyn Work>> {
    let (key, nonce) = (setup.key.try_into().ok()?, setup.iv.try_into().ok()?);
    let associated = setup.tweak.to_vec();
    Some(super::sealing(direction, move |sealed, buffer, tag| match sealed {
        None => *tag = seal(&key, &nonce, &associated, buffer),
        // This library opens in place only. icefish does the same beside it.
        Some(sealed) => {
            buffer.copy_from_slice(sealed);
            assert!(open(&key, &nonce, &associated, buffer, tag), "sealed here");
        }
    }))
}

/// The pair is ready: each message begins with a copy of it.
fn mac(bits: u16, states: u8, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    match (bits, states) {
        (128, 1) => tags(setup, Aegis128LMac::<32>::new_with_nonce, |mut pair, data| {
            pair.update(data);
            pair.finalize()
        }),
        (128, 2) => tags(setup, Aegis128X2Mac::<32>::new_with_nonce, |mut pair, data| {
            pair.update(data);
            pair.finalize()
        }),
        (128, 4) => tags(setup, Aegis128X4Mac::<32>::new_with_nonce, |mut pair, data| {
            pair.update(data);
            pair.finalize()
        }),
        (256, 1) => tags(setup, Aegis256Mac::<32>::new_with_nonce, |mut pair, data| {
            pair.update(data);
            pair.finalize()
        }),
        (256, 2) => tags(setup, Aegis256X2Mac::<32>::new_with_nonce, |mut pair, data| {
            pair.update(data);
            pair.finalize()
        }),
        (256, 4) => tags(setup, Aegis256X4Mac::<32>::new_with_nonce, |mut pair, data| {
            pair.update(data);
            pair.finalize()
        }),
        _ => None,
    }
}

fn tags<M: Clone + Send + 'static, const N: usize>(
    setup: &Setup<'_>,
    new: fn(&[u8; N], &[u8; N]) -> M,
    tag_of: fn(M, &[u8]) -> [u8; 32],
) -> Option<Box<dyn Work>> {
    let pair = new(setup.key.try_into().ok()?, setup.iv.try_into().ok()?);
    Some(tagged(move |buffer| tag_of(pair.clone(), buffer)))
}
