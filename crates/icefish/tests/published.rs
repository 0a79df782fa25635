//! Vectors of Wycheproof and of NIST's validation programs, by name, on every backend: in one call, between buffers, and in
//! random pieces. What is invalid is refused, and releases nothing. NIST's files on AES itself are in `aes.rs`.

#![cfg(all(feature = "aes", feature = "alloc"))]

use crate::common;
use crate::common::ways::{Hidden, Message, pieces};
use crate::common::{Random, backends, hex, rows, text, wycheproof};
use icefish::aead::{OpenError, Sealer};
use icefish::cipher::NewCipher;
use icefish::ciphers::{Aes128, Aes192, Aes256};
use icefish::modes::Padding;
use icefish::storage::Xts;
use icefish::suite::{AeadSuite, AnyAead, AnyPieces, MACS, Suite, UNITS};
use icefish::{Backend, Error};

/// A sealed message, and what it opens to if it is valid.
struct Sealed {
    nonce: Vec<u8>,
    associated: Vec<u8>,
    sealed: Vec<u8>,
    tag: Vec<u8>,
    message: Option<Vec<u8>>,
}

/// Seals and opens a valid message in each of the ways. Another is refused in each, and leaves zeros or what was there before.
fn aead(key: &AnyAead, test: &Sealed, random: &mut Random, what: &str) {
    let Sealed { nonce, associated, sealed, tag, message } = test;
    let open_in_pieces = |random: &mut Random, room: &mut [u8]| {
        let mut opener = key.opener(nonce, room)?;
        pieces(random, associated).into_iter().try_for_each(|piece| opener.associated(piece))?;
        pieces(random, sealed).into_iter().try_for_each(|piece| opener.update(piece))?;
        opener.finish(tag).map(|_| ())
    };
    let to_a_sink = |random: &mut Random, shown: &mut Option<Vec<u8>>| {
        let mut opener = key.opener_with_tag(nonce, tag, Hidden::to(shown))?;
        pieces(random, associated).into_iter().try_for_each(|piece| opener.associated(piece))?;
        pieces(random, sealed).into_iter().try_for_each(|piece| opener.update(piece))?;
        opener.finish(tag)
    };
    let zeros = || vec![0; sealed.len()];
    let (mut one, mut two, mut three) = (sealed.clone(), zeros(), zeros());
    let opened = key.open_in_place(nonce, associated, &mut one, tag);
    let between = key.open_between(nonce, associated, sealed, &mut two, tag);
    let in_pieces = open_in_pieces(random, &mut three);
    assert_eq!(opened, between, "{what}");
    let whole = in_pieces == Err(Error::WholeMessage);
    assert_eq!(whole, key.suite().name.ends_with("-gcm-siv"), "{what}");
    assert!(whole || opened == in_pieces, "{what}: {in_pieces:?}");
    let mut shown = None;
    let sunk = to_a_sink(random, &mut shown);
    assert_eq!(sunk, opened.map_err(OpenError::Message), "{what}");
    assert_eq!(shown, *message, "{what}, to a sink");
    let Some(message) = message else {
        let unchanged = opened != Err(Error::Forged) && one == *sealed;
        assert!(opened.is_err() && (unchanged || one == zeros()), "{what}: {opened:?}");
        return assert!(two == zeros() && three == zeros(), "{what} released something");
    };
    assert_eq!(opened, Ok(()), "{what}");
    assert!(one == *message && two == *message && (whole || three == *message), "{what}");
    seal(key, test, message, random, what);
}

/// The message is sealed to the same in each of the ways.
fn seal(key: &AnyAead, test: &Sealed, message: &[u8], random: &mut Random, what: &str) {
    let Sealed { nonce, associated, sealed, tag, .. } = test;
    let (mut one, mut two, mut three) = (message.to_vec(), vec![0; message.len()], Vec::new());
    let mut made = [(); 3].map(|()| vec![0; tag.len()]);
    key.seal_in_place(nonce, associated, &mut one, &mut made[0]).expect(what);
    key.seal_between(nonce, associated, message, &mut two, &mut made[1]).expect(what);
    assert!(one == *sealed && two == *sealed && made[0] == *tag && made[1] == *tag, "{what}");
    let mut sealer = sealer(key, test, message, random).expect(what);
    for piece in pieces(random, message) {
        let mut piece = piece.to_vec();
        sealer.update_in_place(&mut piece).expect(what);
        three.extend(piece);
    }
    sealer.finish_to(&mut made[2]).expect(what);
    assert!(three == *sealed && made[2] == *tag, "{what}, in pieces");
}

/// What encrypts the message in pieces, after the associated data, and after a first pass if there must be one.
fn sealer<'k>(
    key: &'k AnyAead,
    test: &Sealed,
    message: &[u8],
    random: &mut Random,
) -> Result<Sealer<AnyPieces<'k>>, Error> {
    let associated = pieces(random, &test.associated);
    match key.sealer(&test.nonce) {
        Err(Error::WholeMessage) => {
            let mut first = key.first_pass(&test.nonce)?;
            associated.into_iter().try_for_each(|piece| first.associated(piece))?;
            pieces(random, message).into_iter().try_for_each(|piece| first.update(piece))?;
            Ok(first.finish())
        }
        sealer => {
            let mut sealer = sealer?;
            associated.into_iter().try_for_each(|piece| sealer.associated(piece))?;
            Ok(sealer)
        }
    }
}

/// All tests of a file; `name` gives that of the mode for keys of so many bits. Returns how many are invalid and valid.
fn aeads(file: &str, name: impl Fn(usize) -> String) -> [usize; 2] {
    let (mut random, mut count) = (Random(1), [0; 2]);
    for test in wycheproof(file) {
        let suite: AeadSuite = name(8 * test.hex("key").len()).parse().expect("a name");
        for backend in backends() {
            let mut key = suite.key(backend, &test.hex("key")).expect("a key");
            let what = format!("{file}, test {} on {backend}", test.id);
            if key.set_tag_len(test.hex("tag").len()).is_err() {
                assert!(!test.valid, "{what}");
                continue;
            }
            let [nonce, associated, sealed] = ["iv", "aad", "ct"].map(|name| test.hex(name));
            let message = test.valid.then(|| test.hex("msg"));
            let test = Sealed { nonce, associated, sealed, tag: test.hex("tag"), message };
            aead(&key, &test, &mut random, &what);
        }
        count[usize::from(test.valid)] += 1;
    }
    count
}

#[test]
fn authenticated_modes() {
    assert_eq!(aeads("aes_gcm", |bits| format!("aes-{bits}-gcm")), [87, 229]);
    assert_eq!(aeads("aes_gcm_siv", |bits| format!("aes-{bits}-gcm-siv")), [66, 136]);
    assert_eq!(aeads("aes_eax", |bits| format!("aes-{bits}-eax")), [81, 159]);
    assert_eq!(aeads("aegis128L", |_| "aegis-128l".to_owned()), [112, 367]);
    assert_eq!(aeads("aegis256", |_| "aegis-256".to_owned()), [112, 360]);
}

/// The vectors of RFC 10032, with tags of both lengths.
#[test]
fn aegis_of_the_rfc() {
    let (mut random, mut count) = (Random(6), [0; 2]);
    for name in ["128l", "128x2", "128x4", "256", "256x2", "256x4"] {
        let suite: AeadSuite = format!("aegis-{name}").parse().expect("a name");
        let file: serde_json::Value =
            serde_json::from_str(&text(&format!("aegis/aegis-{name}-test-vectors.json")))
                .expect("JSON");
        let tests = file.as_array().expect("tests").iter();
        for test in tests.filter(|test| test.get("tag256").is_some()) {
            let field = |name: &str| hex(test[name].as_str().expect("a field"));
            let valid = test.get("error").is_none();
            for tag in ["tag128", "tag256"] {
                let [nonce, associated, sealed, tag] = ["nonce", "ad", "ct", tag].map(field);
                let message = valid.then(|| field("msg"));
                let sealed = Sealed { nonce, associated, sealed, tag, message };
                for backend in backends() {
                    let mut key = suite.key(backend, &field("key")).expect("a key");
                    key.set_tag_len(sealed.tag.len()).expect("a length of tags");
                    let what = format!("aegis-{name}, {} on {backend}", test["name"]);
                    aead(&key, &sealed, &mut random, &what);
                }
                count[usize::from(valid)] += 1;
            }
        }
    }
    assert_eq!(count, [16, 36]);
}

/// NIST's test of decryption with GCM (GCMVS): of every combination of lengths one that is valid and one that is not.
#[test]
fn gcm_of_nist() {
    let (mut random, mut valid) = (Random(5), 0);
    let rows = rows("aes/nist/gcm.csv");
    for (number, row) in rows.iter().enumerate() {
        let [key, nonce, associated, sealed, tag] = [0, 1, 2, 3, 4].map(|i| hex(&row[i]));
        let message = (row[5] != "FAIL").then(|| hex(&row[5]));
        valid += usize::from(message.is_some());
        let suite: AeadSuite = format!("aes-{}-gcm", 8 * key.len()).parse().expect("a name");
        let test = Sealed { nonce, associated, sealed, tag, message };
        for backend in backends() {
            let mut key = suite.key(backend, &key).expect("a key");
            key.set_tag_len(test.tag.len()).expect("a length of tags");
            aead(&key, &test, &mut random, &format!("row {number} on {backend}"));
        }
    }
    assert_eq!((rows.len(), valid), (2248, 1123));
}

/// GMAC is GCM of a message without data.
#[test]
fn gmac() {
    let (mut random, mut valid) = (Random(2), 0);
    let tests = wycheproof("aes_gmac");
    assert_eq!(tests.len(), 414);
    for test in tests {
        let name = format!("aes-{}-gcm", 8 * test.hex("key").len());
        let suite: AeadSuite = name.parse().expect("a name");
        let [nonce, message, tag] = ["iv", "msg", "tag"].map(|name| test.hex(name));
        for backend in backends() {
            let what = format!("test {} on {backend}", test.id);
            let key = suite.key(backend, &test.hex("key")).expect("a key");
            let opened = key.open_in_place(&nonce, &message, &mut [], &tag);
            assert_eq!(opened.is_ok(), test.valid, "{what}: {opened:?}");
            let mut opener = key.opener(&nonce, &mut []).expect("a nonce");
            for piece in pieces(&mut random, &message) {
                opener.associated(piece).expect("a piece");
            }
            assert_eq!(opener.finish(&tag).map(|_| ()), opened, "{what}");
            let mut made = vec![0; 16];
            key.seal_in_place(&nonce, &message, &mut [], &mut made).expect("a nonce");
            assert_eq!(made == tag, test.valid, "{what}");
        }
        valid += usize::from(test.valid);
    }
    assert_eq!(valid, 90);
}

#[test]
fn cmac() {
    let (mut random, mut no_key, mut count) = (Random(3), 0, [0; 2]);
    for test in wycheproof("aes_cmac") {
        let [bytes, message, tag] = ["key", "msg", "tag"].map(|name| test.hex(name));
        let name = format!("aes-{}-cmac", 8 * bytes.len());
        let Some(suite) = MACS.iter().find(|suite| suite.name == name) else {
            assert!(!test.valid, "test {}", test.id);
            no_key += 1;
            continue;
        };
        for backend in backends() {
            let what = format!("test {} on {backend}", test.id);
            let key = suite.key(backend, &bytes).expect("a key");
            assert_eq!(key.verify(&message, &tag).is_ok(), test.valid, "{what}");
            let mut state = key.start();
            pieces(&mut random, &message).into_iter().for_each(|piece| state.update(piece));
            assert_eq!(state.verify(&tag).is_ok(), test.valid, "{what}, in pieces");
            let mut made = vec![0; 16];
            key.tag(&message, &mut made).expect("a tag");
            assert_eq!(made == tag, test.valid, "{what}");
        }
        count[usize::from(test.valid)] += 1;
    }
    assert_eq!((no_key, count), (5, [243, 63]));
}

/// CBC with padding, and what is refused releases no length.
#[test]
fn cbc() {
    let (mut random, mut count) = (Random(4), [0; 2]);
    for test in wycheproof("aes_cbc_pkcs5") {
        let [bytes, iv, message, sealed] = ["key", "iv", "msg", "ct"].map(|name| test.hex(name));
        let suite: Suite = format!("aes-{}-cbc", 8 * bytes.len()).parse().expect("a name");
        for backend in backends() {
            let key = suite.cipher.key(backend, &bytes, &[]).expect("a key");
            let what = format!("test {} on {backend}", test.id);
            let way = Message { key: &key, mode: suite.mode, iv: &iv, padding: Padding::Pkcs7 };
            let opened = way.every_way(false, &sealed, &mut random);
            assert_eq!(opened.is_ok(), test.valid, "{what}: {opened:?}");
            if test.valid {
                assert_eq!(opened.as_ref(), Ok(&message), "{what}");
                assert_eq!(
                    way.every_way(true, &message, &mut random),
                    Ok(sealed.clone()),
                    "{what}"
                );
            }
        }
        count[usize::from(test.valid)] += 1;
    }
    assert_eq!(count, [144, 72]);
}

/// Key, number of the data unit in 16 bytes, plaintext and ciphertext, of Wycheproof and of NIST's test of XTS (XTSVS).
fn units() -> Vec<[Vec<u8>; 4]> {
    let of = |test: &common::Wycheproof| ["key", "iv", "msg", "ct"].map(|name| test.hex(name));
    let mut units: Vec<_> = wycheproof("aes_xts").iter().map(of).collect();
    assert_eq!(units.len(), 123);
    let nist = rows("aes/nist/xts.csv");
    units.extend(nist.iter().map(|row| [0, 1, 2, 3].map(|i| hex(&row[i]))));
    assert_eq!(nist.len(), 1400);
    units
}

/// A data unit there and back, in place and between buffers. A unit has no pieces: it is one call.
fn unit<C: NewCipher<Block = [u8; 16]>>(
    backend: Backend,
    unit: u128,
    [key, message, sealed]: [&[u8]; 3],
    what: &str,
) {
    let key = Xts::<C>::on(backend, key).expect("a key");
    let mut data = message.to_vec();
    key.encrypt_in_place(unit, &mut data).expect("a unit");
    assert!(data == sealed, "{what}");
    key.decrypt_in_place(unit, &mut data).expect("a unit");
    assert!(data == message, "{what}, back");
    let (mut there, mut back) = (vec![1; message.len()], vec![2; message.len()]);
    key.encrypt_between(unit, message, &mut there).expect("a unit");
    key.decrypt_between(unit, sealed, &mut back).expect("a unit");
    assert!(there == sealed && back == message, "{what}, between buffers");
}

/// XTS by type; and by name, which takes units in place.
#[test]
fn xts() {
    let mut keys = [0; 3];
    for (number, [bytes, mut iv, message, sealed]) in units().into_iter().enumerate() {
        let suite = UNITS.iter().find(|suite| suite.key == bytes.len()).expect("a name");
        iv.resize(16, 0);
        let first = u128::from_le_bytes(iv.try_into().expect("16 bytes"));
        for backend in backends() {
            let what = format!("unit {number} on {backend}");
            let key = suite.key(backend, &bytes).expect("a key");
            let mut data = message.clone();
            key.encrypt_units(first, message.len(), &mut data).expect("a unit");
            assert!(data == sealed, "{what}");
            key.decrypt_units(first, message.len(), &mut data).expect("a unit");
            assert!(data == message, "{what}, back");
            let check = [unit::<Aes128>, unit::<Aes192>, unit::<Aes256>][bytes.len() / 16 - 2];
            check(backend, first, [&bytes, &message, &sealed], &what);
        }
        keys[bytes.len() / 16 - 2] += 1;
    }
    assert_eq!(keys, [841, 41, 641]);
}
