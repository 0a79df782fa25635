//! Xoodyak against the final vectors of the NIST competition and sequences of Cyclist calls, on every backend.

#![cfg(feature = "xoodoo")]

use crate::common::{Random, backends, hex, rows, text};
use crate::spec;
use icefish::aead::{Aead, Xoodyak};
use icefish::constructions::xoodyak::{
    Cyclist, CyclistMode, Hash, Hasher, Session, TextCrypter, hash, hash_many,
};
use icefish::{Backend, Error};
use serde_json::Value;

/// The records of a file of known answers: fields by name.
fn known_answers(name: &str) -> Vec<impl Fn(&str) -> Vec<u8>> {
    let text = text(name);
    let records = text.split("\n\n").filter(|r| r.contains("Count"));
    records
        .map(|record| {
            let record = record.to_owned();
            move |field: &str| {
                let line = record.lines().find_map(|l| l.strip_prefix(field)?.strip_prefix(" ="));
                hex(line.unwrap_or_else(|| panic!("a field {field}")).trim())
            }
        })
        .collect()
}

#[test]
fn hashes_of_the_competition() {
    let answers = known_answers("xoodoo/LWC_HASH_KAT_256.txt");
    assert_eq!(answers.len(), 1025);
    let (messages, digests): (Vec<_>, Vec<_>) = answers.iter().map(|a| (a("Msg"), a("MD"))).unzip();
    for backend in backends() {
        for (message, expected) in messages.iter().zip(&digests) {
            let mut digest = [0; 32];
            hash(backend, message, &mut digest);
            assert!(digest == expected[..], "{} bytes on {backend}", message.len());
        }
        // All lengths together, in an order that mixes them, and few of them.
        let mut order: Vec<usize> = (0..messages.len()).collect();
        order.sort_by_key(|i| i * 577 % 1025);
        for count in [0, 1, 2, 3, 8, 15, 16, 17, 33, 1025] {
            let chosen: Vec<&[u8]> = order[..count].iter().map(|&i| &messages[i][..]).collect();
            let mut got = vec![[0; 32]; count];
            hash_many(backend, &chosen, &mut got).unwrap();
            for (digest, &i) in got.iter().zip(&order) {
                assert!(digest == &digests[i][..], "{i} of {count} together on {backend}");
            }
        }
    }
}

/// The message that the file of hashes describes.
fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|i| (13 * i + 7 * (i >> 8) + 13) as u8).collect()
}

#[test]
fn outputs_of_every_length() {
    for row in rows("xoodoo/xoodyak_hash.csv") {
        let (message, expected) = (pattern(row[0].parse().unwrap()), hex(&row[2]));
        for backend in backends() {
            let mut output = vec![0; row[1].parse().unwrap()];
            hash(backend, &message, &mut output);
            assert!(output == expected, "{} to {} bytes on {backend}", row[0], row[1]);
            let mut hasher = Hasher::on(backend);
            let mut random = Random(message.len() as u64);
            let mut rest = &message[..];
            while !rest.is_empty() {
                let (now, later) = rest.split_at(random.below(40).min(rest.len()));
                hasher.update(now);
                rest = later;
            }
            let mut pieces = vec![0; expected.len()];
            hasher.finish(&mut pieces);
            assert!(pieces == expected, "{} bytes in pieces on {backend}", row[0]);
        }
    }
}

#[test]
fn many_long_outputs() {
    let mut random = Random(5);
    let messages: Vec<Vec<u8>> = (0..41)
        .map(|_| {
            let len = random.below(200);
            random.bytes(len)
        })
        .collect();
    let messages: Vec<&[u8]> = messages.iter().map(|m| &m[..]).collect();
    for backend in backends() {
        let mut together = vec![[0; 77]; messages.len()];
        hash_many(backend, &messages, &mut together).unwrap();
        let mut short = vec![[0; 5]; messages.len()];
        hash_many(backend, &messages, &mut short).unwrap();
        hash_many(backend, &messages, &mut vec![[0; 0]; messages.len()]).unwrap();
        for ((message, together), short) in messages.iter().zip(&together).zip(&short) {
            let alone = spec::xoodyak::hash(message, 77);
            assert!(together == &alone[..] && short == &alone[..5], "{backend}");
        }
        let error = hash_many(backend, &messages, &mut [[0; 32]; 40]);
        assert_eq!(error, Err(Error::BufferLength { got: 40 * 32, need: 41 * 32 }));
    }
}

#[test]
fn authenticated_encryption_of_the_competition() {
    let answers = known_answers("xoodoo/LWC_AEAD_KAT_128_128_round3.txt");
    assert_eq!(answers.len(), 1089);
    for backend in backends() {
        for answer in &answers {
            let xoodyak = Xoodyak::on(backend, &answer("Key")).unwrap();
            let (nonce, ad) = (answer("Nonce"), answer("AD"));
            let (plain, sealed) = (answer("PT"), answer("CT"));
            let (cipher, expected) = sealed.split_at(plain.len());
            let mut data = plain.clone();
            let tag = xoodyak.seal_in_place(&nonce, &ad, &mut data).unwrap();
            assert!(data == cipher && tag == *expected, "{backend}");
            let mut back = vec![9; plain.len()];
            xoodyak.open_between(&nonce, &ad, cipher, &mut back, &tag).unwrap();
            assert!(back == plain, "{backend}");
        }
    }
}

#[test]
fn what_is_forged_is_not_opened() {
    let mut random = Random(6);
    for backend in backends() {
        let xoodyak = Xoodyak::on(backend, &random.bytes(16)).unwrap();
        for len in [0, 1, 23, 24, 25, 48, 100] {
            let (nonce, ad, plain) = (random.bytes(16), random.bytes(len / 2), random.bytes(len));
            let mut cipher = plain.clone();
            let tag = xoodyak.seal_in_place(&nonce, &ad, &mut cipher).unwrap();
            let refused = |nonce: &[u8], ad: &[u8], cipher: &[u8], tag: &[u8]| {
                let mut data = cipher.to_vec();
                let error = xoodyak.open_in_place(nonce, ad, &mut data, tag);
                assert_eq!(error, Err(Error::Forged));
                assert!(data.iter().all(|&b| b == 0), "{len} bytes on {backend}");
            };
            let flip = |bytes: &[u8], i: usize| {
                let mut bytes = bytes.to_vec();
                bytes[i / 8] ^= 1 << (i % 8);
                bytes
            };
            (0..128).for_each(|i| refused(&nonce, &ad, &cipher, &flip(&tag, i)));
            (0..128).for_each(|i| refused(&flip(&nonce, i), &ad, &cipher, &tag));
            (0..8 * ad.len()).for_each(|i| refused(&nonce, &flip(&ad, i), &cipher, &tag));
            (0..8 * len).for_each(|i| refused(&nonce, &ad, &flip(&cipher, i), &tag));
            let mut data = cipher.clone();
            let short = xoodyak.open_in_place(&nonce, &ad, &mut data, &tag[..15]);
            assert_eq!(short, Err(Error::TagLength { got: 15, least: 16, most: 16 }));
            assert!(data == cipher);
            xoodyak.open_in_place(&nonce, &ad, &mut data, &tag).unwrap();
            assert!(data == plain);
        }
    }
}

fn field(value: &Value, name: &str) -> Vec<u8> {
    hex(value[name].as_str().unwrap_or_else(|| panic!("a field {name}")))
}

/// Absorbs a string: in one call, or in random pieces.
fn absorb<M: CyclistMode>(
    cyclist: &mut Cyclist<M>,
    mut string: &[u8],
    pieces: Option<&mut Random>,
) {
    let Some(random) = pieces else { return cyclist.absorb(string) };
    let mut absorber = cyclist.absorber();
    while !string.is_empty() {
        let (now, rest) = string.split_at(random.below(60).min(string.len()));
        absorber.update(now);
        string = rest;
    }
    absorber.finish();
}

/// Encrypts or decrypts a text in random pieces, in place and between buffers.
fn crypt<const DECRYPT: bool>(
    mut text: TextCrypter<'_, DECRYPT>,
    data: &mut [u8],
    random: &mut Random,
) {
    let mut rest = data;
    while !rest.is_empty() {
        let len = random.below(60).min(rest.len());
        let (now, after) = rest.split_at_mut(len);
        if random.below(2) == 0 {
            text.update_in_place(now);
        } else {
            let input = now.to_vec();
            text.update(&input, now).unwrap();
        }
        rest = after;
    }
    text.finish();
}

/// One operation of a keyed state.
fn step(session: &mut Session, op: &Value, pieces: Option<&mut Random>, what: &str) {
    let len = op["len"].as_u64().unwrap_or(0) as usize;
    let mut output = vec![0; len];
    match op["op"].as_str().unwrap() {
        "absorb" => absorb(session, &field(op, "in"), pieces),
        "ratchet" => session.ratchet(),
        "squeeze" => {
            session.squeeze(&mut output);
            assert!(output == field(op, "out"), "{what}");
        }
        "squeeze_key" => {
            session.squeeze_key(&mut output);
            assert!(output == field(op, "out"), "{what}");
        }
        "encrypt" => {
            let mut data = field(op, "in");
            match pieces {
                Some(random) => crypt(session.encryptor(), &mut data, random),
                None => session.encrypt(&mut data),
            }
            assert!(data == field(op, "out"), "{what}");
        }
        "decrypt" => {
            let input = field(op, "in");
            let mut output = input.clone();
            match pieces {
                Some(random) => crypt(session.decryptor(), &mut output, random),
                None => session.decrypt_between(&input, &mut output).unwrap(),
            }
            assert!(output == field(op, "out"), "{what}");
        }
        other => panic!("{other}"),
    }
}

#[test]
fn sequences_of_calls() {
    let sequences: Value = serde_json::from_str(&text("xoodoo/xoodyak_sequences.json")).unwrap();
    let sequences = sequences.as_array().unwrap();
    assert!(sequences.len() > 100);
    let mut random = Random(8);
    let both = backends().into_iter().flat_map(|backend| [(backend, true), (backend, false)]);
    for (backend, whole) in both {
        for (i, sequence) in sequences.iter().enumerate() {
            let ops = sequence["ops"].as_array().unwrap();
            let what = format!("sequence {i} on {backend}");
            if sequence["mode"] == "keyed" {
                let [key, id, counter] = ["key", "id", "counter"].map(|f| field(sequence, f));
                let mut session = Session::with_weak_key(backend, &key, &id, &counter).unwrap();
                for op in ops {
                    step(&mut session, op, (!whole).then_some(&mut random), &what);
                }
                continue;
            }
            let mut cyclist = Cyclist::<Hash>::on(backend);
            for op in ops {
                if op["op"] == "absorb" {
                    absorb(&mut cyclist, &field(op, "in"), (!whole).then_some(&mut random));
                    continue;
                }
                let mut output = vec![0; op["len"].as_u64().unwrap() as usize];
                cyclist.squeeze(&mut output);
                assert!(output == field(op, "out"), "{what}");
            }
        }
    }
}

#[test]
fn lengths_that_do_not_fit() {
    assert_eq!(Session::new(&[0; 44]).err(), Some(Error::TooLong { most: 43 }));
    for got in [0, 1, 15] {
        let weak = Some(Error::WeakKey { got, least: 16 });
        assert_eq!(Session::new(&[0; 16][..got]).err(), weak);
        // An identifier is no part of the key.
        assert_eq!(Session::on(Backend::best(), &[0; 16][..got], &[0; 16], &[]).err(), weak);
    }
    let none = Session::with_weak_key(Backend::best(), &[], &[], &[]).err();
    assert_eq!(none, Some(Error::WeakKey { got: 0, least: 1 }));
    assert!(Session::with_weak_key(Backend::best(), &[0], &[], &[]).is_ok());
    for backend in backends() {
        let long = Session::on(backend, &[0; 16], &[0; 28], &[]);
        assert_eq!(long.err(), Some(Error::TooLong { most: 43 }));
        assert!(Session::on(backend, &[0; 16], &[0; 27], &[]).is_ok());
        let mut session = Session::on(backend, &[0; 16], &[], &[1, 2]).unwrap();
        let mut output = [0; 3];
        let error = session.encrypt_between(&[0; 4], &mut output);
        assert_eq!(error, Err(Error::BufferLength { got: 3, need: 4 }));
        assert_eq!(
            Xoodyak::on(backend, &[0; 15]).err(),
            Some(Error::KeyLength { got: 15, need: 16 })
        );
        let xoodyak = Xoodyak::on(backend, &[0; 16]).unwrap();
        let error = xoodyak.seal_in_place(&[0; 12], &[], &mut []);
        assert_eq!(error, Err(Error::IvLength { got: 12, need: 16 }));
    }
}

/// A state that is made without a backend is the one of the best.
#[test]
fn the_usual_backend_is_the_best() {
    let outputs =
        [Cyclist::<Hash>::new(), Cyclist::<Hash>::on(Backend::best())].map(|mut state| {
            let mut output = [0; 40];
            state.absorb(b"abc");
            state.squeeze(&mut output);
            output
        });
    assert_eq!(outputs[0], outputs[1]);
    let mut digest = [0; 40];
    hash(Backend::best(), b"abc", &mut digest);
    assert_eq!(outputs[0], digest);
}
