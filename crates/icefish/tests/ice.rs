//! ICE against Kwan's code and files of games, on every backend.

#![cfg(all(feature = "ice", feature = "alloc"))]

use crate::common::{Random, backends, bytes, hex, rows};
use crate::spec;
use crate::spec::BlockCipher;
use icefish::cipher::NewCipher;
use icefish::ciphers::Ice;
use icefish::mac::Cmac;
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
            let key = info(level).key(backend, &hex(&row[1]), &[]).unwrap();
            let mut block = hex(&row[2]);
            key.encrypt_blocks(&mut block).unwrap();
            assert_eq!(block, hex(&row[3]), "level {level} on {backend}");
            key.decrypt_blocks(&mut block).unwrap();
            assert_eq!(block, hex(&row[2]), "level {level} on {backend}");
        }
    }
    assert!(levels.len() > 3, "{levels:?}");
}

/// A key by its type has the level that its length says, in generic code too. Thin-ICE stays what it is.
#[test]
fn levels_by_the_length_of_the_key() {
    fn cmac<C: NewCipher>(key: &[u8], message: &[u8]) -> Result<C::Block, Error> {
        Ok(Cmac::<C>::new(key)?.tag(message))
    }
    let mut random = Random(8);
    for backend in backends() {
        let (mut key, start) = (Key::<Ice>::on(backend, &[0; 64]).unwrap(), random.bytes(8 * 70));
        for level in [1, 8, 2, 7, 1] {
            let bytes = random.bytes(8 * level);
            key.set_key(&bytes).unwrap();
            let same = info(level).key(backend, &bytes, &[]).unwrap();
            let (mut one, mut other) = (start.clone(), start.clone());
            key.encrypt(Ecb, &[], &mut one).unwrap();
            same.encrypt_blocks(&mut other).unwrap();
            assert!(one == other, "level {level} on {backend}");
        }
    }
    for (got, need) in [(0, 8), (7, 8), (9, 16), (63, 64), (65, 64), (72, 64)] {
        let refused = Error::KeyLength { got, need };
        assert_eq!(Key::<Ice>::new(&[7; 72][..got]).err(), Some(refused));
        assert_eq!(cmac::<Ice>(&[7; 72][..got], b"").err(), Some(refused));
    }
    let (key, message) = (random.bytes(16), random.bytes(100));
    let expected = spec::cmac::tag(&spec::ice::Ice::new(2, &key), &message);
    assert_eq!(cmac::<Ice>(&key, &message).unwrap()[..], expected);
    let mut thin = Key::with_level(0, &[7; 8]).unwrap();
    let again = Key::with_level(0, &[9; 8]).unwrap();
    thin.set_key(&[9; 8]).unwrap();
    let (mut one, mut other) = ([5; 8], [5; 8]);
    thin.encrypt_block(&mut one);
    again.encrypt_block(&mut other);
    assert_eq!(one, other);
    thin.set_key(&[9; 16]).unwrap();
    thin.encrypt_block(&mut other);
    assert_ne!(one, other);
}

/// The cases that icefast and another crate test themselves with: texts, also of two blocks.
#[test]
fn cases_of_other_crates() {
    let rows = rows("ice/icefast.csv");
    assert_eq!(rows.len(), 8);
    for row in rows {
        let [level, key, plain, sealed] = &row[..] else { panic!("{row:?}") };
        for backend in backends() {
            let key = info(level.parse().unwrap()).key(backend, &hex(key), &[]).unwrap();
            let mut text = plain.clone().into_bytes();
            key.encrypt_blocks(&mut text).unwrap();
            assert_eq!(text, hex(sealed), "{plain} at level {level} on {backend}");
            key.decrypt_blocks(&mut text).unwrap();
            assert_eq!(text, plain.as_bytes(), "{plain} at level {level} on {backend}");
        }
    }
}

/// Also of the levels that the vectors leave out.
#[test]
fn schedules_of_every_level() {
    let mut random = Random(18);
    for level in 0..=Ice::MAX_LEVEL {
        for _ in 0..4 {
            let key = random.bytes(Ice::key_len(level));
            let block: [u8; 8] = random.bytes(8).try_into().unwrap();
            let expected = spec::ice::Ice::new(level, &key).encrypt(&block);
            for backend in backends() {
                let ice = Ice::new(level, &key).unwrap();
                for cipher in [ice.clone(), ice.constant_time()] {
                    let key = Key::from_cipher(backend, cipher);
                    let mut data = block;
                    key.encrypt_block(&mut data);
                    assert_eq!(&data[..], expected, "level {level} on {backend}");
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
        let tables = Key::from_cipher(backend, Ice::new(0, &key).unwrap());
        let planes = Key::from_cipher(backend, Ice::new(0, &key).unwrap().constant_time());
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
            let key = info(level).key(backend, &hex(key), &[]).unwrap();
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
