//! Vectors of Wycheproof and of NIST's validation programs, by name, on every backend: in one call, between buffers, and in random
//! pieces. What is invalid is refused, and releases nothing. NIST's files on AES itself are in `aes.rs`.

#![cfg(all(feature = "aes", feature = "alloc"))]

mod common;

use common::{Random, backends, hex, rows, wycheproof};
use icefish::Error;
use icefish::modes::Padding;
use icefish::suite::{AeadSuite, AnyAead, AnyKey, MACS, Suite, UNITS};

/// The pieces of some bytes.
fn pieces<'a>(random: &mut Random, mut bytes: &'a [u8]) -> Vec<&'a [u8]> {
    let mut pieces = Vec::new();
    while !bytes.is_empty() {
        let (now, rest) = bytes.split_at(random.below(bytes.len().min(40) + 1));
        pieces.push(now);
        bytes = rest;
    }
    pieces
}

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
    let zeros = || vec![0; sealed.len()];
    let (mut one, mut two, mut three) = (sealed.clone(), zeros(), zeros());
    let opened = key.open_in_place(nonce, associated, &mut one, tag);
    let between = key.open_between(nonce, associated, sealed, &mut two, tag);
    let in_pieces = open_in_pieces(random, &mut three);
    assert_eq!(opened, between, "{what}");
    let whole = in_pieces == Err(Error::WholeMessage);
    assert_eq!(whole, key.suite().name.ends_with("-gcm-siv"), "{what}");
    assert!(whole || opened == in_pieces, "{what}: {in_pieces:?}");
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
    let Ok(mut sealer) = key.sealer(nonce) else { return };
    pieces(random, associated).into_iter().for_each(|piece| sealer.associated(piece).expect(what));
    for piece in pieces(random, message) {
        let mut piece = piece.to_vec();
        sealer.update_in_place(&mut piece).expect(what);
        three.extend(piece);
    }
    sealer.finish_to(&mut made[2]).expect(what);
    assert!(three == *sealed && made[2] == *tag, "{what}, in pieces");
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
    let (mut random, mut refused) = (Random(3), [0; 2]);
    for test in wycheproof("aes_cmac") {
        let [bytes, message, tag] = ["key", "msg", "tag"].map(|name| test.hex(name));
        let name = format!("aes-{}-cmac", 8 * bytes.len());
        let Some(suite) = MACS.iter().find(|suite| suite.name == name) else {
            assert!(!test.valid, "test {}", test.id);
            refused[0] += 1;
            continue;
        };
        for backend in backends() {
            let what = format!("test {} on {backend}", test.id);
            let key = suite.key(backend, &bytes).expect("a key");
            assert_eq!(key.verify(&message, &tag).is_ok(), test.valid, "{what}");
            let mut state = key.start();
            pieces(&mut random, &message).into_iter().for_each(|piece| state.update(piece));
            assert_eq!(state.verify(&tag).is_ok(), test.valid, "{what}, in pieces");
        }
        refused[1] += usize::from(!test.valid);
    }
    assert!(refused[0] > 0 && refused[1] > 100, "{refused:?}");
}

/// CBC with padding, and what is refused releases no length.
#[test]
fn cbc() {
    let mut random = Random(4);
    for test in wycheproof("aes_cbc_pkcs5") {
        let [bytes, iv, message, sealed] = ["key", "iv", "msg", "ct"].map(|name| test.hex(name));
        let suite: Suite = format!("aes-{}-cbc", 8 * bytes.len()).parse().expect("a name");
        for backend in backends() {
            let key = suite.cipher.key(backend, &bytes, &[]).expect("a key");
            let what = format!("test {} on {backend}", test.id);
            let mut in_pieces = |encrypt: bool, input: &[u8]| {
                let start = if encrypt { AnyKey::encryptor } else { AnyKey::decryptor };
                let mut crypter = start(&key, suite.mode, &iv, Padding::Pkcs7)?;
                let mut out = Vec::new();
                for piece in pieces(&mut random, input) {
                    let mut room = vec![0; crypter.output_len(piece.len())];
                    let len = crypter.update(piece, &mut room)?;
                    out.extend_from_slice(&room[..len]);
                }
                let mut room = [0; 16];
                let len = crypter.finish(&mut room)?;
                out.extend_from_slice(&room[..len]);
                Ok::<_, Error>(out)
            };
            let (mut one, mut two) = (sealed.clone(), vec![0; sealed.len()]);
            let len = sealed.len();
            let opened = key.decrypt_in_place(suite.mode, &iv, Padding::Pkcs7, &mut one, len);
            let between = key.decrypt_between(suite.mode, &iv, Padding::Pkcs7, &sealed, &mut two);
            assert_eq!(opened, between, "{what}");
            assert_eq!(opened.is_ok(), test.valid, "{what}: {opened:?}");
            let opened_in_pieces = in_pieces(false, &sealed);
            if !test.valid {
                assert!(opened_in_pieces.is_err(), "{what}, in pieces");
                continue;
            }
            let len = message.len();
            assert!(one[..len] == message && two[..len] == message, "{what}");
            assert_eq!(opened_in_pieces.as_ref(), Ok(&message), "{what}");
            assert_eq!(in_pieces(true, &message).as_ref(), Ok(&sealed), "{what}");
            let done = key.encrypt_in_place(suite.mode, &iv, Padding::Pkcs7, &mut one, len);
            assert!(done == Ok(sealed.len()) && one == sealed, "{what}");
        }
    }
}

/// Key, number of the data unit in 16 bytes, plaintext and ciphertext, of Wycheproof and of NIST's test of XTS (XTSVS).
fn units() -> Vec<[Vec<u8>; 4]> {
    let of = |test: &common::Wycheproof| ["key", "iv", "msg", "ct"].map(|name| test.hex(name));
    let mut units: Vec<_> = wycheproof("aes_xts").iter().map(of).collect();
    let nist = rows("aes/nist/xts.csv");
    units.extend(nist.iter().map(|row| [0, 1, 2, 3].map(|i| hex(&row[i]))));
    assert_eq!(nist.len(), 1400);
    units
}

/// XTS by name takes units in place.
#[test]
fn xts() {
    for (number, [bytes, mut unit, message, sealed]) in units().into_iter().enumerate() {
        let suite = UNITS.iter().find(|suite| suite.key == bytes.len()).expect("a name");
        unit.resize(16, 0);
        let unit = u128::from_le_bytes(unit.try_into().expect("16 bytes"));
        for backend in backends() {
            let key = suite.key(backend, &bytes).expect("a key");
            let mut data = message.clone();
            key.encrypt_units(unit, message.len(), &mut data).expect("a unit");
            assert!(data == sealed, "unit {number} on {backend}");
            key.decrypt_units(unit, message.len(), &mut data).expect("a unit");
            assert!(data == message, "unit {number} on {backend}");
        }
    }
}
