//! The raw format: every cipher and mode, with the initialization vector given and drawn.

mod common;

use common::{Case, paint};
use icefish::modes::{Mode, Padding};
use icefish::suite::{AnyMode, CIPHERS};
use icefish::{Backend, Error as Refusal};
use icefish_files::formats::Raw;
use icefish_files::pipeline::CHUNK;
use icefish_files::{Error, Input};
use std::path::Path;
use std::sync::Arc;

#[test]
fn every_cipher_and_mode_comes_back() -> Result<(), Error> {
    let case = Case::new();
    for cipher in CIPHERS {
        let key = Arc::new(cipher.key(Backend::best(), &paint(cipher.key), &[])?);
        for &(name, mode) in AnyMode::ALL {
            for len in [0, 1, 1000] {
                let plain = paint(len);
                let iv = paint(mode.iv_len(cipher.block));
                for iv in [None, Some(iv.as_slice())] {
                    let raw = Raw { key: &key, mode, padding: Padding::Pkcs7, iv, threads: None };
                    let (mut crypted, mut back) = (Vec::new(), Vec::new());
                    let written = raw.encrypt(case.input(&plain), &mut crypted, &mut |_| {})?;
                    assert_eq!(written, crypted.len() as u64);
                    raw.decrypt(case.input(&crypted), &mut back, &mut |_| {})?;
                    assert!(back == plain, "{} {name} {len}", cipher.name);
                }
            }
        }
    }
    Ok(())
}

#[test]
fn a_stream_is_what_one_call_gives() -> Result<(), Error> {
    let case = Case::new();
    for name in ["aes-256-cbc", "aes-128-ctr", "threefish-512-cfb", "thin-ice-ecb", "aes-128-ofb"] {
        let suite: icefish::suite::Suite = name.parse()?;
        let key = Arc::new(suite.cipher.key(Backend::best(), &paint(suite.cipher.key), &[])?);
        let iv = paint(suite.mode.iv_len(suite.cipher.block));
        let raw = Raw {
            key: &key,
            mode: suite.mode,
            padding: Padding::Pkcs7,
            iv: Some(&iv),
            threads: None,
        };
        for len in [CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 13] {
            let plain = paint(len);
            let mut crypted = Vec::new();
            raw.encrypt(case.input(&plain), &mut crypted, &mut |_| {})?;
            let mut whole = vec![0; len + suite.cipher.block];
            let n = key.encrypt_between(suite.mode, &iv, raw.padding, &plain, &mut whole)?;
            assert!(crypted == whole[..n], "{name} {len}");
            let mut back = Vec::new();
            raw.decrypt(case.input(&crypted), &mut back, &mut |_| {})?;
            assert!(back == plain, "{name} {len}");
        }
    }
    Ok(())
}

#[test]
fn vectors_are_drawn_anew() -> Result<(), Error> {
    let case = Case::new();
    let suite: icefish::suite::Suite = "aes-256-ctr".parse()?;
    let key = Arc::new(suite.cipher.key(Backend::best(), &[1; 32], &[])?);
    let raw = Raw { key: &key, mode: suite.mode, padding: Padding::Pkcs7, iv: None, threads: None };
    let (mut a, mut b) = (Vec::new(), Vec::new());
    raw.encrypt(case.input(b"same"), &mut a, &mut |_| {})?;
    raw.encrypt(case.input(b"same"), &mut b, &mut |_| {})?;
    assert_eq!((a.len(), b.len()), (20, 20));
    assert_ne!(a[..16], b[..16]);
    Ok(())
}

#[test]
fn errors_name_the_whole_length() -> Result<(), Error> {
    let case = Case::new();
    let suite: icefish::suite::Suite = "aes-256-cbc".parse()?;
    let key = Arc::new(suite.cipher.key(Backend::best(), &[1; 32], &[])?);
    let raw = Raw {
        key: &key,
        mode: suite.mode,
        padding: Padding::Pkcs7,
        iv: Some(&[2; 16]),
        threads: None,
    };
    let decrypt = |bytes: &[u8]| raw.decrypt(case.input(bytes), &mut Vec::new(), &mut |_| {});
    let long = 2 * CHUNK + 3;
    for got in [0, 7, 33, long] {
        let e = decrypt(&vec![0; got]);
        let got = got as u64;
        assert!(
            matches!(e, Err(Error::PartialCiphertext { got: g, block: 16 }) if g == got),
            "{e:?}"
        );
    }
    assert!(matches!(decrypt(&[0; 32]), Err(Error::Crypt(Refusal::Padding))));
    let bare = Raw { padding: Padding::None, ..raw };
    let e = bare.encrypt(case.input(&vec![0; long]), &mut Vec::new(), &mut |_| {});
    assert!(matches!(e, Err(Error::PartialPlaintext { got, block: 16 }) if got == long as u64));
    let headed = Raw { iv: None, ..raw };
    let e = headed.decrypt(case.input(&[0; 15]), &mut Vec::new(), &mut |_| {});
    assert!(matches!(e, Err(Error::MissingIv { got: 15, need: 16 })), "{e:?}");
    let e = Input::open(Path::new("/nonexistent/file"));
    assert!(matches!(e, Err(Error::Open { .. })));
    Ok(())
}

/// From file to file the pieces go through workers: what comes out is what one stream gives.
#[test]
fn pieces_on_all_cores_are_one_stream() -> Result<(), Error> {
    let case = Case::new();
    let place = case.path("output");
    for name in [
        "aes-256-ctr",
        "aes-128-ctr32-le",
        "aes-256-ecb",
        "aes-192-cbc",
        "aes-256-cfb",
        "threefish-1024-cbc",
        "threefish-512-ctr",
        "ice-1-cfb",
        "ice-2-ctr64",
        "aes-256-ofb",
    ] {
        let suite: icefish::suite::Suite = name.parse()?;
        let key = Arc::new(suite.cipher.key(Backend::best(), &paint(suite.cipher.key), &[])?);
        let iv = vec![0xff; suite.mode.iv_len(suite.cipher.block)];
        for len in [CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK / 2 + 17, 2 * CHUNK] {
            for (iv, threads) in [(None, 1), (Some(iv.as_slice()), 3)] {
                let threads = std::num::NonZero::new(threads);
                let raw = Raw { key: &key, mode: suite.mode, padding: Padding::Pkcs7, iv, threads };
                let plain = paint(len);
                let mut output = icefish_files::Target::file(&place, true)?.create()?;
                let written = raw.encrypt(case.input(&plain), &mut output, &mut |_| {})?;
                output.commit()?;
                let crypted = std::fs::read(&place).expect("our file");
                assert_eq!(written, crypted.len() as u64);
                // To memory everything goes in order.
                let mut back = Vec::new();
                raw.decrypt(case.input(&crypted), &mut back, &mut |_| {})?;
                assert!(back == plain, "{name} {len}");
                let mut output = icefish_files::Target::file(&place, true)?.create()?;
                raw.decrypt(case.input(&crypted), &mut output, &mut |_| {})?;
                output.commit()?;
                assert!(std::fs::read(&place).expect("our file") == plain, "{name} {len}");
            }
        }
    }
    Ok(())
}

/// Wrong lengths are refused as a stream refuses them, and no output gets its name.
#[test]
fn wrong_lengths_on_all_cores() -> Result<(), Error> {
    let case = Case::new();
    let place = case.path("output");
    let suite: icefish::suite::Suite = "aes-128-cbc".parse()?;
    let key = Arc::new(suite.cipher.key(Backend::best(), &[1; 16], &[])?);
    let raw = Raw { key: &key, mode: suite.mode, padding: Padding::Pkcs7, iv: None, threads: None };
    for len in [2 * CHUNK + 1, 3 * CHUNK - 1] {
        let mut output = icefish_files::Target::file(&place, false)?.create()?;
        let refused = raw.decrypt(case.input(&paint(len)), &mut output, &mut |_| {});
        let got = len as u64 - 16;
        assert!(matches!(refused, Err(Error::PartialCiphertext { got: g, block: 16 }) if g == got));
    }
    let mut output = icefish_files::Target::file(&place, false)?.create()?;
    let refused = raw.decrypt(case.input(&paint(2 * CHUNK)), &mut output, &mut |_| {});
    assert!(matches!(refused, Err(Error::Crypt(Refusal::Padding))), "{refused:?}");
    let ecb = Raw { mode: AnyMode::Ecb, padding: Padding::None, ..raw };
    let mut output = icefish_files::Target::file(&place, false)?.create()?;
    let refused = ecb.encrypt(case.input(&paint(2 * CHUNK + 1)), &mut output, &mut |_| {});
    assert!(matches!(refused, Err(Error::PartialPlaintext { block: 16, .. })), "{refused:?}");
    drop(output);
    assert!(!place.exists());
    Ok(())
}
