//! ICE against Kwan's code and files of games, on every backend.

mod common;

use common::{backends, bytes, hex, rows};
use icefish::ciphers::Ice;
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
