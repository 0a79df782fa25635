//! ICE against Kwan's code and files of games, on every backend.

#![cfg(all(feature = "ice", feature = "alloc"))]

mod common;

use common::{Random, backends, bytes, hex, rows};
use icefish::ciphers::Ice;
use icefish::modes::{Cbc, Ctr, Ecb, Padding};
use icefish::suite::CipherInfo;
use icefish::{Error, Key};

fn info(level: usize) -> &'static CipherInfo {
    CipherInfo::by_name(&format!("ice-{level}")).unwrap()
}

#[test]
fn vectors_of_every_level() {
    let rows = rows("ice/ice_vectors.csv");
    let mut levels = std::collections::BTreeSet::new();
    for row in &rows {
        let level = row[0].parse().unwrap();
        if level > Ice::MAX_LEVEL {
            continue;
        }
        levels.insert(level);
        for backend in backends() {
            let key = info(level).key(&hex(&row[1]), &[], backend).unwrap();
            let mut block = hex(&row[2]);
            key.encrypt_blocks(&mut block).unwrap();
            assert_eq!(block, hex(&row[3]), "level {level} on {backend}");
            key.decrypt_blocks(&mut block).unwrap();
            assert_eq!(block, hex(&row[2]), "level {level} on {backend}");
        }
    }
    assert!(levels.len() > 3, "{levels:?}");
}

/// The cases that icefast and another crate test themselves with: texts, also of two blocks.
#[test]
fn cases_of_other_crates() {
    let rows = rows("ice/icefast.csv");
    assert_eq!(rows.len(), 8);
    for row in rows {
        let [level, key, plain, sealed] = &row[..] else { panic!("{row:?}") };
        for backend in backends() {
            let key = info(level.parse().unwrap()).key(&hex(key), &[], backend).unwrap();
            let mut text = plain.clone().into_bytes();
            key.encrypt_blocks(&mut text).unwrap();
            assert_eq!(text, hex(sealed), "{plain} at level {level} on {backend}");
            key.decrypt_blocks(&mut text).unwrap();
            assert_eq!(text, plain.as_bytes(), "{plain} at level {level} on {backend}");
        }
    }
}

/// ICE as the paper tells it, a bit at a time and without a table: for the levels that the vectors leave
/// out, and for schedules.
mod paper {
    const MODULI: [[u32; 4]; 4] =
        [[333, 313, 505, 369], [379, 375, 319, 391], [361, 445, 451, 397], [397, 425, 395, 505]];
    const OFFSETS: [[u32; 4]; 4] = [
        [0x83, 0x85, 0x9b, 0xcd],
        [0xcc, 0xa7, 0xad, 0x41],
        [0x4b, 0x2e, 0xd4, 0x33],
        [0xea, 0xcb, 0x2e, 0x04],
    ];
    const P: [u32; 32] = [
        0, 7, 10, 13, 19, 21, 24, 30, 3, 5, 8, 14, 16, 23, 26, 29, 2, 4, 9, 15, 17, 22, 27, 28, 1,
        6, 11, 12, 18, 20, 25, 31,
    ];
    const ROTATIONS: [[usize; 8]; 2] = [[0, 1, 2, 3, 2, 1, 3, 0], [1, 3, 2, 0, 3, 1, 0, 2]];

    fn product(a: u32, b: u32, modulus: u32) -> u32 {
        let mut long = (0..8).fold(0, |sum, i| if b >> i & 1 == 1 { sum ^ a << i } else { sum });
        for i in (8..16).rev() {
            if long >> i & 1 == 1 {
                long ^= modulus << (i - 8);
            }
        }
        long
    }

    fn substitute(s: usize, input: u32) -> u32 {
        let row = (input >> 8 & 2 | input & 1) as usize;
        let column = (input >> 1 & 0xff) ^ OFFSETS[s][row];
        (0..6).fold(column, |power, _| product(power, column, MODULI[s][row]))
    }

    /// Subkeys of three parts, in the order of the rounds.
    fn schedule(level: usize, key: &[u8]) -> Vec<[u32; 3]> {
        let parts = key.len() / 8;
        let rounds = if level == 0 { 8 } else { 16 * level };
        let mut subkeys = vec![[0; 3]; rounds];
        for (n, part) in key.chunks(8).enumerate() {
            let mut words: Vec<u32> =
                part.rchunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1])).collect();
            for (half, rotations) in ROTATIONS.iter().enumerate() {
                if level == 0 && half == 1 {
                    continue;
                }
                for (step, rotation) in rotations.iter().enumerate() {
                    let round = if half == 0 { 8 * n } else { 8 * (2 * parts - 1 - n) } + step;
                    for group in 0..15 {
                        for k in 0..4 {
                            let word = &mut words[(rotation + k) % 4];
                            let bit = *word & 1;
                            let part = &mut subkeys[round][group % 3];
                            *part = *part << 1 | bit;
                            *word = *word >> 1 | (bit ^ 1) << 15;
                        }
                    }
                }
            }
        }
        subkeys
    }

    fn f(half: u32, [left_key, right_key, salt]: [u32; 3]) -> u32 {
        let bit = |i: u32| half >> (i % 32) & 1;
        let pick = |at: &dyn Fn(u32) -> u32| (0..20).fold(0, |sum, i| sum | bit(at(i)) << i);
        let left = pick(&|i| if i < 10 { 16 + i } else { 14 + i });
        let right = pick(&|i| if i < 10 { i } else { i - 2 });
        let swap = salt & (left ^ right);
        let (left, right) = (left ^ swap ^ left_key, right ^ swap ^ right_key);
        let inputs = [left >> 10, left & 1023, right >> 10, right & 1023];
        let outputs = (0..4).fold(0, |sum, s| sum << 8 | substitute(s, inputs[s]));
        (0..32).fold(0, |sum, i| sum | (outputs >> i & 1) << P[i as usize])
    }

    pub(super) fn encrypt(level: usize, key: &[u8], block: u64) -> u64 {
        let (mut left, mut right) = ((block >> 32) as u32, block as u32);
        for subkey in schedule(level, key) {
            (left, right) = (right, left ^ f(right, subkey));
        }
        u64::from(right) << 32 | u64::from(left)
    }
}

#[test]
fn schedules_of_every_level() {
    let mut random = Random(18);
    for level in 0..=Ice::MAX_LEVEL {
        for _ in 0..4 {
            let key = random.bytes(Ice::key_len(level));
            let block: [u8; 8] = random.bytes(8).try_into().unwrap();
            let expected = paper::encrypt(level, &key, u64::from_be_bytes(block)).to_be_bytes();
            for backend in backends() {
                let ice = Ice::new(level, &key).unwrap();
                for cipher in [ice.clone(), ice.constant_time()] {
                    let key = Key::from_cipher(cipher, backend);
                    let mut data = block;
                    key.encrypt_block(&mut data);
                    assert_eq!(data, expected, "level {level} on {backend}");
                    key.decrypt_block(&mut data);
                    assert_eq!(data, block, "level {level} on {backend}");
                }
            }
        }
    }
}

/// Up to two full batches and a little more, by tables where they are faster and by planes alone: what a
/// block becomes does not depend on how many others there are.
#[test]
fn every_length() {
    let mut random = Random(7);
    let (key, iv) = (random.bytes(8), [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe, 0xfd]);
    for backend in backends() {
        let tables = Key::from_cipher(Ice::new(0, &key).unwrap(), backend);
        let planes = Key::from_cipher(Ice::new(0, &key).unwrap().constant_time(), backend);
        let blocks = 2 * planes.batch() + 2;
        let plain = random.bytes(8 * blocks);
        let (mut stream, mut ecb, mut cbc) = (plain.clone(), plain.clone(), plain.clone());
        for (i, counter) in (0..).zip(stream.chunks_exact_mut(8)) {
            let count = u64::from_be_bytes(iv).wrapping_add(i);
            let mut block = count.to_be_bytes();
            tables.encrypt_block(&mut block);
            counter.iter_mut().zip(block).for_each(|(byte, with)| *byte ^= with);
        }
        for i in 0..blocks {
            let block: &mut [u8; 8] = (&mut ecb[8 * i..8 * i + 8]).try_into().unwrap();
            tables.encrypt_block(block);
            let mut block: [u8; 8] = plain[8 * i..8 * i + 8].try_into().unwrap();
            tables.decrypt_block(&mut block);
            let before = if i == 0 { &iv[..] } else { &plain[8 * i - 8..8 * i] };
            block.iter_mut().zip(before).for_each(|(byte, with)| *byte ^= with);
            cbc[8 * i..8 * i + 8].copy_from_slice(&block);
        }
        for key in [&tables, &planes] {
            for len in 0..8 * (blocks - 1) + 2 {
                let mut data = plain[..len].to_vec();
                key.encryptor(Ctr::BE, &iv).unwrap().in_place(&mut data, len).unwrap();
                assert!(data == stream[..len], "CTR of {len} bytes on {backend}");
            }
            for len in (0..=8 * blocks).step_by(8) {
                let mut data = plain[..len].to_vec();
                let message = key.encryptor(Ecb, &[]).unwrap().padding(Padding::None);
                message.in_place(&mut data, len).unwrap();
                assert!(data == ecb[..len], "ECB of {len} bytes on {backend}");
                let message = key.decryptor(Ecb, &[]).unwrap().padding(Padding::None);
                message.in_place(&mut data, len).unwrap();
                assert!(data == plain[..len], "ECB back of {len} bytes on {backend}");
                let message = key.decryptor(Cbc, &iv).unwrap().padding(Padding::None);
                message.in_place(&mut data, len).unwrap();
                assert!(data == cbc[..len], "CBC back of {len} bytes on {backend}");
            }
        }
    }
}

#[test]
fn files_of_100_003_bytes() {
    let plain = bytes("ice/ecb_case/plain.bin");
    let whole = plain.len() / 8 * 8;
    for (level, key, file) in [
        (0, "45324e63556b4732", "level0_tf2key.bin"),
        (1, "45324e63556b4732", "level1.bin"),
        (2, "4353474f10360000840d000061030000", "level2.bin"),
    ] {
        let expected = bytes(&format!("ice/ecb_case/{file}"));
        for backend in backends() {
            let key = info(level).key(&hex(key), &[], backend).unwrap();
            let mut data = plain.clone();
            key.encrypt_blocks(&mut data[..whole]).unwrap();
            assert!(data == expected, "level {level} on {backend}");
            key.decrypt_blocks(&mut data[..whole]).unwrap();
            assert!(data == plain, "level {level} on {backend}");
        }
    }
}

#[test]
fn wrong_levels_and_keys() {
    assert_eq!(Ice::new(9, &[0; 72]).unwrap_err(), Error::Level { got: 9, most: 8 });
    for level in 0..=Ice::MAX_LEVEL {
        let need = 8 * level.max(1);
        assert!(Ice::new(level, &vec![0; need]).is_ok());
        for got in [0, need - 1, need + 1] {
            assert_eq!(Ice::new(level, &vec![0; got]).unwrap_err(), Error::KeyLength { got, need });
        }
    }
}

#[test]
fn debug_shows_no_key() {
    let key = Key::with_level(1, b"\xab\xab\xab\xab\xab\xab\xab\xab").unwrap();
    let shown = format!("{key:?} {:?}", key.cipher());
    assert!(!shown.contains("171") && !shown.to_lowercase().contains("ab, "), "{shown}");
}
