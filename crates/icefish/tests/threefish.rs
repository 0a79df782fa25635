//! Threefish against its submission, other libraries and counter-mode vectors, on every backend.

#![cfg(all(feature = "threefish", feature = "alloc"))]

use crate::common::{Random, backends, hex, rows};
use crate::spec;
use crate::spec::BlockCipher;
use icefish::ciphers::Threefish;
use icefish::modes::Padding;
use icefish::suite::{AnyKey, CipherInfo, Suite};
use icefish::{Backend, Error, Key};

fn check(variant: &str, row: &[String]) {
    let digits: String = variant
        .chars()
        .filter(char::is_ascii_digit)
        .take(if variant.contains("1024") { 4 } else { 3 })
        .collect();
    let info = CipherInfo::by_name(&format!("threefish-{digits}")).unwrap();
    let [key, tweak, plain, cipher] = [0, 1, 2, 3].map(|i| hex(&row[i]));
    for backend in backends() {
        let key = info.key(backend, &key, &tweak).unwrap();
        // Alone, each waiting for the one before, and at every place of a batch: batches have at most 32
        // blocks, and what is left of one is 1 to 31.
        chained(info, &key, &plain, &cipher);
        for count in (1..=33).chain([40, 47, 63, 65]) {
            let mut blocks = plain.repeat(count);
            key.encrypt_blocks(&mut blocks).unwrap();
            assert!(blocks == cipher.repeat(count), "{variant} x{count} on {backend}");
            key.decrypt_blocks(&mut blocks).unwrap();
            assert!(blocks == plain.repeat(count), "{variant} x{count} on {backend}");
        }
    }
}

/// The form for one block after the other, by the modes that use it: the first block of OFB, and of PCBC with
/// an IV of zeros.
fn chained(info: &CipherInfo, key: &AnyKey, plain: &[u8], cipher: &[u8]) {
    let mode = |name: &str| format!("{}-{name}", info.name).parse::<Suite>().unwrap().mode;
    let len = plain.len();
    let mut block = vec![0; len];
    key.encrypt_in_place(mode("ofb"), plain, Padding::None, &mut block, len).unwrap();
    assert_eq!(block, cipher, "OFB of {}", info.name);
    let (zero, mut block) = (vec![0; len], cipher.to_vec());
    key.decrypt_in_place(mode("pcbc"), &zero, Padding::None, &mut block, len).unwrap();
    assert_eq!(block, plain, "PCBC of {}", info.name);
}

#[test]
fn official_vectors() {
    let rows = rows("threefish/threefish_official.csv");
    assert!(rows.len() > 6);
    for row in rows {
        // A comment with a comma in quotes stands before the four hex fields.
        check(&row[0], &row[row.len() - 4..]);
    }
}

#[test]
fn random_vectors() {
    let rows = rows("threefish/threefish_random.csv");
    assert!(rows.len() > 100);
    for row in rows {
        check(&row[0], &row[1..]);
    }
}

#[test]
fn counter_mode_with_wraps_and_tails() {
    let rows = rows("threefish/threefish_ctr_be.csv");
    assert!(rows.len() > 30);
    for row in rows {
        let suite: Suite = format!("threefish-{}-ctr", &row[0][9..]).parse().unwrap();
        let [key, tweak, iv, plain, cipher] = [1, 2, 3, 4, 5].map(|i| hex(&row[i]));
        for backend in backends() {
            let key = suite.cipher.key(backend, &key, &tweak).unwrap();
            let mut data = plain.clone();
            let len = data.len();
            key.encrypt_in_place(suite.mode, &iv, Padding::None, &mut data, len).unwrap();
            assert!(data == cipher, "{} on {backend}", row[0]);
        }
    }
}

#[test]
fn wrong_lengths_are_errors() {
    let backend = Backend::best();
    for (name, block) in [("threefish-256", 32), ("threefish-512", 64), ("threefish-1024", 128)] {
        let info = CipherInfo::by_name(name).unwrap();
        for got in [0, 1, block - 1, block + 1, 2 * block] {
            let error = info.key(backend, &vec![0; got], &[0; 16]).unwrap_err();
            assert_eq!(error, Error::KeyLength { got, need: block });
            assert!(error.to_string().contains(&block.to_string()), "{error}");
        }
        for got in [1, 8, 15, 17, 24] {
            let error = info.key(backend, &vec![0; block], &vec![0; got]).unwrap_err();
            assert_eq!(error, Error::TweakLength { got, need: 16 });
        }
        let key = info.key(backend, &vec![0; block], &[0; 16]).unwrap();
        let got = block + 1;
        let error = key.encrypt_blocks(&mut vec![0; got]).unwrap_err();
        assert_eq!(error, Error::PartialBlock { got, block });
        let cbc = format!("{name}-cbc").parse::<Suite>().unwrap().mode;
        let short = &vec![0; block - 1];
        let error = key.encrypt_in_place(cbc, short, Padding::None, &mut vec![0; block], block);
        assert_eq!(error, Err(Error::IvLength { got: block - 1, need: block }));
    }
}

/// A tweak changed on a key is a key made with that tweak.
#[test]
fn tweaks_change_without_a_new_key() {
    fn check<const W: usize, const B: usize>() {
        let mut random = Random(3);
        for backend in backends() {
            let bytes = random.bytes(B);
            let tweak = |random: &mut Random| <[u8; 16]>::try_from(random.bytes(16)).unwrap();
            let first = tweak(&mut random);
            let mut key = Key::<Threefish<W, B>>::on(backend.with_tweak(&first), &bytes).unwrap();
            for _ in 0..5 {
                let next = tweak(&mut random);
                key.set_tweak(&next);
                let fresh = Key::<Threefish<W, B>>::on(backend.with_tweak(&next), &bytes).unwrap();
                let (mut a, mut b) = ([7; B], [7; B]);
                key.encrypt_block(&mut a);
                fresh.encrypt_block(&mut b);
                assert_eq!(a, b, "{B} bytes on {backend}");
                key.decrypt_block(&mut a);
                assert_eq!(a, [7; B], "{B} bytes on {backend}, back");
            }
        }
    }
    check::<4, 32>();
    check::<8, 64>();
    check::<16, 128>();
}

/// A sector is its blocks under their tweaks, each with a key of its own, from any block on.
#[test]
fn sectors_are_blocks_with_tweaks() {
    fn check<const W: usize, const B: usize>() {
        let mut random = Random(4);
        let (bytes, sector) = (random.bytes(B), random.word());
        let old = random.bytes(16);
        for first in [0, 5, u64::MAX - 3] {
            let plain = random.bytes(70 * B);
            let mut expected = plain.clone();
            for (i, block) in expected.chunks_exact_mut(B).enumerate() {
                let index = first.wrapping_add(i as u64);
                let tweak = [sector.to_le_bytes(), index.to_le_bytes()].concat();
                let cipher = spec::threefish::Threefish::new(&bytes, &tweak);
                block.copy_from_slice(&cipher.encrypt(block));
            }
            for backend in backends() {
                let key = Key::<Threefish<W, B>>::on(backend.with_tweak(&old), &bytes).unwrap();
                for count in (0..20).chain([31, 32, 33, 39, 40, 63, 70]) {
                    let mut data = plain[..count * B].to_vec();
                    key.encrypt_sector(sector, first, &mut data).unwrap();
                    assert!(data == expected[..count * B], "{B} bytes x{count} on {backend}");
                    key.decrypt_sector(sector, first, &mut data).unwrap();
                    assert!(data == plain[..count * B], "{B} bytes x{count} on {backend}, back");
                    let mut other = vec![0; data.len()];
                    key.encrypt_sector_between(sector, first, &data, &mut other).unwrap();
                    assert!(other == expected[..count * B], "{B} bytes x{count}, between");
                    key.decrypt_sector_between(sector, first, &other, &mut data).unwrap();
                    assert!(data == plain[..count * B], "{B} bytes x{count}, between, back");
                }
                let partial = key.encrypt_sector(sector, first, &mut [0; 64][..B / 2]);
                assert_eq!(partial, Err(Error::PartialBlock { got: B / 2, block: B }));
                let lengths = key.encrypt_sector_between(sector, first, &[0; B], &mut []);
                assert_eq!(lengths, Err(Error::BufferLength { got: 0, need: B }));
            }
        }
    }
    check::<4, 32>();
    check::<8, 64>();
    check::<16, 128>();
}
