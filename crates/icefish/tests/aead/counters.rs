//! Counter modes of AES in long messages, where a table of counter blocks serves many batches.

use crate::common::backends;
use icefish::aead::{Aead, Gcm, Piecewise};
use icefish::cipher::NewCipher;
use icefish::ciphers::{Aes128, Aes192, Aes256};
use icefish::modes::Ctr;
use icefish::{Backend, Key};

/// The blocks that one byte of the counter tells apart: a table serves as many.
const PERIOD: usize = 256;

/// In one call, with a table, and block by block.
fn check<C: NewCipher<Block = [u8; 16]>>(backend: Backend, mode: Ctr, first: [u8; 16], len: usize) {
    let key: Vec<u8> = (0..C::KEY as u8).map(|i| i.wrapping_mul(37)).collect();
    let key = Key::<C>::on(backend, &key).unwrap();
    let mut all = vec![0; len];
    let mut pieces = all.clone();
    key.encrypt(mode, &first, &mut all).unwrap();
    let mut message = key.encryptor(mode, &first).unwrap();
    for piece in pieces.chunks_mut(16) {
        message.update_in_place(piece).unwrap();
    }
    let wrong = all.chunks(16).zip(pieces.chunks(16)).position(|(a, b)| a != b);
    assert_eq!(wrong, None, "{len} bytes, {mode:?} from {first:02x?} on {backend}");
}

/// Each row of the table is erased when it is read for the last time. The longest begin with blocks alone.
#[test]
fn every_length_of_the_last_period() {
    for backend in backends() {
        for from in [0, 1, 64, 200] {
            let mut first = [0; 16];
            first[15] = from;
            for batches in 0..=PERIOD / 8 {
                let len = 16 * (2 * PERIOD + 8 * batches);
                check::<Aes128>(backend, Ctr::BE, first, len);
                check::<Aes128>(backend, Ctr::BE, first, len + 16);
            }
            check::<Aes256>(backend, Ctr::BE, first, 16 * 4096);
            check::<Aes256>(backend, Ctr::BE, first, 16 * 4300);
        }
    }
}

#[test]
fn every_first_counter() {
    const LEN: usize = 16 * (5 * PERIOD + 77) + 5;
    for backend in backends() {
        let big = [Ctr::BE, Ctr::BE32, Ctr::BE64].map(|mode| (mode, true));
        let little = [Ctr::LE, Ctr::LE32, Ctr::LE64].map(|mode| (mode, false));
        for (mode, big) in big.into_iter().chain(little) {
            // The byte that counts wraps at each place of a batch; then carries into every other byte, within a period and after it.
            let mut lows: Vec<u64> = (0..64).map(|i| 0x0123_4567_89ab_cd00 + 5 * i).collect();
            for bit in [16, 24, 32, 40, 48, 56, 63] {
                lows.extend([100, 256, 700, 1024].map(|before| (1u64 << bit) - before));
            }
            lows.extend([100, 700, 1300].map(|before| 0u64.wrapping_sub(before)));
            for low in lows {
                let mut first = [0xa5; 16];
                first[8..].copy_from_slice(&low.to_be_bytes());
                if !big {
                    first.reverse();
                }
                check::<Aes128>(backend, mode, first, LEN);
            }
        }
        check::<Aes192>(backend, Ctr::BE, [0xfe; 16], LEN);
        check::<Aes256>(backend, Ctr::LE, [0xfe; 16], LEN);
    }
}

/// Seals `data` in pieces of these lengths, the last of which repeats. Returns the tag.
fn seal_in_pieces<C>(gcm: &Gcm<C>, mut data: &mut [u8], lengths: &[usize]) -> [u8; 16]
where
    C: NewCipher<Block = [u8; 16]>,
{
    let mut sealer = gcm.sealer(&[7; 12]).unwrap();
    let last = *lengths.last().unwrap();
    for len in lengths.iter().copied().chain(core::iter::repeat(last)) {
        if data.is_empty() {
            break;
        }
        let (piece, rest) = data.split_at_mut(len.min(data.len()));
        sealer.update_in_place(piece).unwrap();
        data = rest;
    }
    sealer.finish()
}

/// GCM in one call, and in two pieces of which the second is long, as in pieces that are too short for a table.
fn check_gcm<C: NewCipher<Block = [u8; 16]>>(backend: Backend, len: usize) {
    let key: Vec<u8> = (0..C::KEY as u8).map(|i| i.wrapping_mul(41)).collect();
    let gcm = Gcm::<C>::on(backend, &key).unwrap();
    let message: Vec<u8> = (0..len).map(|i| (i / 3 + i / 1000) as u8).collect();
    let mut expected = message.clone();
    let tag = seal_in_pieces(&gcm, &mut expected, &[1600]);
    let what = format!("{len} bytes on {backend}");

    let mut all = message.clone();
    assert_eq!(gcm.seal_in_place(&[7; 12], &[], &mut all).unwrap(), tag, "{what}");
    assert!(all == expected, "{what}");
    gcm.open_in_place(&[7; 12], &[], &mut all, &tag).unwrap();
    assert!(all == message, "{what}, back");

    let (first, mut room) = (16 * (len % 40), vec![0; len]);
    assert_eq!(seal_in_pieces(&gcm, &mut all, &[first, len]), tag, "{what}, after {first}");
    assert!(all == expected, "{what}, after {first}");
    let mut opener = gcm.opener(&[7; 12], &mut room).unwrap();
    opener.update(&expected[..first]).unwrap();
    opener.update(&expected[first..]).unwrap();
    assert!(opener.finish(&tag).unwrap() == message, "{what}, back after {first}");
}

#[test]
fn long_messages_of_gcm() {
    for backend in backends() {
        // The smallest numbers of blocks that have a table, with several states in a register and with one.
        for least in [4 * PERIOD, 16 * PERIOD] {
            for batches in 0..=PERIOD / 8 {
                let more = if batches % 2 == 0 { 0 } else { 16 + 5 };
                check_gcm::<Aes128>(backend, 16 * (least + 8 * batches - 1) + more);
            }
            check_gcm::<Aes192>(backend, 16 * (least + 3));
            check_gcm::<Aes256>(backend, 16 * (least + 3 * PERIOD + 77) + 9);
        }
    }
}
