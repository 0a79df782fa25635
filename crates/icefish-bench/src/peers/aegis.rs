//! `aegis`: libaegis in C, with AES-NI, VAES at both widths, or none of them.

use super::{Direction, Library, Operation, Setup, Work};
use aegis::aegis128l::Aegis128L;
use aegis::aegis128x2::Aegis128X2;
use aegis::aegis128x4::Aegis128X4;
use aegis::aegis256::Aegis256;
use aegis::aegis256x2::Aegis256X2;
use aegis::aegis256x4::Aegis256X4;

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
    let Operation::Aegis { bits, states, direction } = operation else { return None };
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
    Some(super::sealing(direction, move |way, buffer, tag| match way {
        Direction::Encrypt => *tag = seal(&key, &nonce, &associated, buffer),
        Direction::Decrypt => assert!(open(&key, &nonce, &associated, buffer, tag), "sealed here"),
    }))
}
