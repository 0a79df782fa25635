//! Files of Source-engine games, against a file that the games' own tool agrees on.

use icefish::Backend;
use icefish::suite::AnyKey;
use icefish_files::formats::{Way, valve, valve_net};
use icefish_files::{Error, Input};
use std::path::{Path, PathBuf};

/// Folder, and level, file and key of each case: see the README there.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../icefish/tests/vectors/ice/ecb_case");
const CASES: [(usize, &str, &str); 3] = [
    (0, "level0_tf2key.bin", "45324e63556b4732"),
    (1, "level1.bin", "45324e63556b4732"),
    (2, "level2.bin", "4353474f10360000840d000061030000"),
];

fn path(name: &str) -> PathBuf {
    Path::new(FOLDER).join(name)
}

fn read(name: &str) -> Vec<u8> {
    std::fs::read(path(name)).expect("a test file")
}

fn key(level: usize, digits: &str, backend: Backend) -> AnyKey {
    valve::key(level, &hex::decode(digits).expect("hex"), backend).expect("a key")
}

#[test]
fn the_real_file() -> Result<(), Error> {
    let plain = read("plain.bin");
    for backend in Backend::available() {
        for (level, name, digits) in CASES {
            let key = key(level, digits, backend);
            let mut script = plain.clone();
            valve::crypt_in_place(&key, Way::Encrypt, &mut script)?;
            assert!(script == read(name), "{backend} {level}");
            valve::crypt_in_place(&key, Way::Decrypt, &mut script)?;
            assert!(script == plain, "{backend} {level}");

            let mut out = Vec::new();
            valve::crypt(
                &key,
                Way::Encrypt,
                Input::open(&path("plain.bin"))?,
                &mut out,
                &mut |_| {},
            )?;
            assert!(out == read(name), "{backend} {level}");
            out.clear();
            valve::crypt(&key, Way::Decrypt, Input::open(&path(name))?, &mut out, &mut |_| {})?;
            assert!(out == plain, "{backend} {level}");
        }
    }
    Ok(())
}

#[test]
fn every_tail_and_every_split() -> Result<(), Error> {
    use icefish_files::pipeline::Transform;
    let key = key(0, CASES[0].2, Backend::best());
    let plain = &read("plain.bin")[..70];
    for len in 0..plain.len() {
        let mut whole = plain[..len].to_vec();
        valve::crypt_in_place(&key, Way::Encrypt, &mut whole)?;
        assert_eq!(whole[len / 8 * 8..], plain[len / 8 * 8..len]);
        for step in [1, 3, 7, 8, 9, 64] {
            let mut script = valve::Script::new(&key, Way::Encrypt)?;
            let mut out: Vec<u8> = Vec::new();
            for piece in plain[..len].chunks(step) {
                let mut room = vec![0; script.output_len(piece.len())];
                let n = script.update(piece, &mut room)?;
                out.extend(&room[..n]);
            }
            let mut room = vec![0; script.output_len(0)];
            let n = script.finish(&mut room)?;
            out.extend(&room[..n]);
            assert_eq!(out, whole, "{len} by {step}");
        }
    }
    Ok(())
}

#[test]
fn levels_and_keys() {
    assert!(valve::key(9, &[0; 72], Backend::best()).is_err());
    assert!(valve::key(0, &[0; 16], Backend::best()).is_err());
    assert!(valve::key(2, &[0; 8], Backend::best()).is_err());
    for level in 0..=valve::MAX_LEVEL {
        assert!(valve::key(level, &vec![0; 8 * level.max(1)], Backend::best()).is_ok());
    }
}

#[test]
fn messages_come_back() -> Result<(), Error> {
    let key = key(2, CASES[2].2, Backend::best());
    for len in 0..100 {
        let payload: Vec<u8> = (0..len).map(|i| i as u8).collect();
        for choice in 0..=255 {
            let count = valve_net::random_len(len, choice);
            assert!((17..=80).contains(&count), "{count}");
            let message = valve_net::seal(&key, &payload, &vec![0xa5; count])?;
            assert!(message.len().is_multiple_of(8));
            assert_eq!(*valve_net::open(&key, &message)?, payload);
        }
    }
    // Other programs may choose fewer, or none.
    let message = valve_net::seal(&key, b"abc", &[])?;
    assert_eq!(message.len(), 8);
    assert_eq!(*valve_net::open(&key, &message)?, b"abc");
    Ok(())
}

/// The message as its format describes it, put together by hand.
#[test]
fn messages_are_what_the_format_says() -> Result<(), Error> {
    let key = key(2, CASES[2].2, Backend::best());
    let mut expected = vec![3, 0x11, 0x22, 0x33, 0, 0, 0, 8];
    expected.extend(*b"payload!");
    valve::crypt_in_place(&key, Way::Encrypt, &mut expected)?;
    assert_eq!(valve_net::seal(&key, b"payload!", &[0x11, 0x22, 0x33])?, expected);
    Ok(())
}

#[test]
fn what_is_not_a_message_is_an_error() -> Result<(), Error> {
    let right = key(2, CASES[2].2, Backend::best());
    let wrong = key(2, "00000000000000000000000000000001", Backend::best());
    let message = valve_net::seal(&right, b"payload", &[0; 20])?;
    assert!(matches!(valve_net::open(&wrong, &message), Err(Error::NotAMessage)));
    for len in 0..message.len() {
        assert!(valve_net::open(&right, &message[..len]).is_err(), "{len}");
    }
    // Lengths that lie, up to the largest: nothing of that size is allocated.
    for (random, len) in [(255, 0), (3, u32::MAX), (3, 9), (3, 7), (12, 8), (8, u32::MAX), (11, 0)]
    {
        let mut plain = vec![random, 0, 0, 0];
        plain.extend(len.to_be_bytes());
        plain.extend([0; 8]);
        valve::crypt_in_place(&right, Way::Encrypt, &mut plain)?;
        let opened = valve_net::open(&right, &plain);
        match (random, len) {
            (11, 0) => assert!(opened?.is_empty()),
            _ => assert!(matches!(opened, Err(Error::NotAMessage)), "{random} {len}"),
        }
    }
    assert!(valve_net::seal(&right, b"payload", &[0; 19]).is_err());
    assert!(valve_net::seal(&right, b"payload", &[0; 300]).is_err());
    Ok(())
}
