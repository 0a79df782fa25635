//! Xoofff and its modes against the reference implementation's outputs, on every backend.

#![cfg(feature = "xoodoo")]

use crate::common::{Random, backends, hex, text};
use crate::spec;
use icefish::constructions::xoofff::{Sane, Sanse, Wbc, Xoofff};
use icefish::{Backend, Error};
use serde_json::Value;

/// A row of outputs: the key, the strings, and what comes out, whole or as its SHA-256.
struct Row {
    short: bool,
    key: Vec<u8>,
    strings: Vec<Vec<u8>>,
    len: usize,
    output: String,
}

fn outputs() -> Vec<Row> {
    let text = text("xoodoo/xoofff.csv");
    let string = |s: &str| if s == "-" { Vec::new() } else { hex(s) };
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        Row {
            short: fields[0] == "short",
            key: hex(fields[1]),
            strings: fields[2].split('|').map(string).collect(),
            len: fields[3].parse().unwrap(),
            output: fields[4].to_owned(),
        }
    };
    text.lines()
        .filter(|l| !l.starts_with('#'))
        .filter(|l| !l.starts_with("kind"))
        .map(row)
        .collect()
}

#[test]
fn outputs_of_the_reference() {
    let rows = outputs();
    assert!(rows.len() > 150);
    for backend in backends() {
        for (i, row) in rows.iter().enumerate() {
            let what = format!("row {i} on {backend}");
            let mut history = Xoofff::with_weak_key(backend, &row.key).unwrap().history();
            row.strings.iter().for_each(|s| history.push(s));
            let start = || if row.short { history.short_output() } else { history.output() };
            let mut bytes = vec![0; row.len];
            start().fill(&mut bytes);
            match row.output.strip_prefix("sha256:") {
                Some(digest) => assert!(sha256(&bytes)[..] == hex(digest), "{what}"),
                None => assert!(bytes == hex(&row.output), "{what}"),
            }
            // Any way through the output gives the same bytes.
            let mut random = Random(i as u64);
            let mut output = start();
            for _ in 0..6 {
                let from = random.below(row.len);
                let mut part = vec![0x55; random.below(row.len - from + 1)];
                output.seek(from as u64);
                output.apply(&mut part);
                assert_eq!(output.position(), (from + part.len()) as u64);
                let expected = bytes[from..].iter().map(|b| b ^ 0x55);
                assert!(part.iter().copied().eq(expected.take(part.len())), "{what} from {from}");
            }
        }
    }
}

/// Every length around blocks and batches agrees with the specification, in one call and in pieces.
#[test]
fn every_length() {
    let mut random = Random(1);
    let (key, long) = (random.bytes(32), random.bytes(48 * 70));
    let run = |backend, len: usize| {
        let mut history = Xoofff::on(backend, &key).unwrap().history();
        history.push(&long[..len]);
        history.push(&long[..len % 7]);
        let mut bytes = vec![0; len + 5];
        history.output().fill(&mut bytes[..len]);
        bytes
    };
    let edges = (1..=70).flat_map(|blocks| [48 * blocks - 1, 48 * blocks]);
    for len in (0..100).chain(edges).chain([48 * 16 + 1, 48 * 33 + 1]) {
        let strings = [(&long[..len], &[][..]), (&long[..len % 7], &[][..])];
        let mut expected = spec::xoofff::output(&key, &strings, 0, len);
        expected.resize(len + 5, 0);
        for backend in backends() {
            assert!(run(backend, len) == expected, "{len} bytes on {backend}");
            let mut history = Xoofff::on(backend, &key).unwrap().history();
            let (mut string, mut rest) = (history.pusher(), &long[..len]);
            while !rest.is_empty() {
                let (now, then) = rest.split_at(random.below(900).min(rest.len()));
                string.update(now);
                rest = then;
            }
            string.finish();
            history.push(&long[..len % 7]);
            let mut output = history.output();
            let (mut pieces, mut at) = (vec![0; len], 0);
            while at < len {
                let count = random.below(900).min(len - at);
                let (input, out) = (vec![0; count], &mut pieces[at..at + count]);
                output.apply_between(&input, out).unwrap();
                at += count;
            }
            assert!(pieces == expected[..len], "{len} bytes in pieces on {backend}");
        }
    }
}

fn modes() -> Value {
    serde_json::from_str(&text("xoodoo/xoofff_modes.json")).unwrap()
}

fn field(value: &Value, name: &str) -> Vec<u8> {
    hex(value[name].as_str().unwrap_or_else(|| panic!("a field {name}")))
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().unwrap_or_else(|| panic!("a list {name}"))
}

fn flipped(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let at = random.below(bytes.len());
    bytes[at] ^= 1 << random.below(8);
    bytes
}

#[test]
fn sane_sessions() {
    let (modes, mut random) = (modes(), Random(2));
    assert!(list(&modes, "sane").len() > 40);
    for backend in backends() {
        for session in list(&modes, "sane") {
            let key = Xoofff::on(backend, &field(session, "key")).unwrap();
            let (nonce, first) = (field(session, "nonce"), field(session, "initial_tag"));
            let (mut alice, hello) = Sane::new(&key, &nonce);
            assert!(hello == first[..], "{backend}");
            let mut wrong = hello;
            wrong[15] ^= 0x80;
            assert_eq!(Sane::accept(&key, &nonce, &wrong).err(), Some(Error::Forged));
            let mut bob = Sane::accept(&key, &nonce, &hello).unwrap();
            for message in list(session, "messages") {
                let [ad, pt, ct, tag] = ["ad", "pt", "ct", "tag"].map(|f| field(message, f));
                let mut data = pt.clone();
                let got = alice.seal_in_place(&ad, &mut data);
                assert!(data == ct && got == tag[..], "{backend}");
                let bad: [u8; 16] = flipped(&tag, &mut random).try_into().unwrap();
                let mut back = ct.clone();
                assert_eq!(bob.open_in_place(&ad, &mut back, &bad), Err(Error::Forged));
                assert!(back.iter().all(|&b| b == 0));
                if !ct.is_empty() {
                    let mut bad = flipped(&ct, &mut random);
                    assert_eq!(bob.open_in_place(&ad, &mut bad, &got), Err(Error::Forged));
                    assert!(bad.iter().all(|&b| b == 0));
                }
                let mut back = vec![0; ct.len()];
                bob.open_between(&ad, &ct, &mut back, &got).unwrap();
                assert!(back == pt, "{backend}");
            }
        }
    }
}

/// Runs `call` with random pieces of `bytes`.
fn each<'a>(random: &mut Random, mut bytes: &'a [u8], mut call: impl FnMut(&'a [u8])) {
    while !bytes.is_empty() {
        let len = [0, 1, random.below(60), random.below(2000)][random.below(4)].min(bytes.len());
        let (now, rest) = bytes.split_at(len);
        call(now);
        bytes = rest;
    }
}

#[test]
fn sane_in_pieces() {
    let (modes, mut random) = (modes(), Random(12));
    for backend in backends() {
        for session in list(&modes, "sane") {
            let key = Xoofff::on(backend, &field(session, "key")).unwrap();
            let (mut alice, hello) = Sane::new(&key, &field(session, "nonce"));
            let mut bob = Sane::accept(&key, &field(session, "nonce"), &hello).unwrap();
            for message in list(session, "messages") {
                let [ad, pt, ct, tag] = ["ad", "pt", "ct", "tag"].map(|f| field(message, f));
                // What is dropped before anything is encrypted, or forged, leaves the session as it was.
                alice.sealer().associated(&[1; 70]).unwrap();
                let mut sealer = alice.sealer();
                each(&mut random, &ad, |piece| sealer.associated(piece).unwrap());
                let mut sealed = Vec::new();
                each(&mut random, &pt, |piece| {
                    let mut piece = piece.to_vec();
                    sealer.update_in_place(&mut piece).unwrap();
                    sealed.extend(piece);
                });
                assert!(sealed == ct && sealer.finish() == tag[..], "{backend}");
                let bad = flipped(&tag, &mut random);
                for (tag, right) in [(&bad, false), (&tag, true)] {
                    let mut room = vec![7; ct.len()];
                    let mut opener = bob.opener(&mut room);
                    each(&mut random, &ad, |piece| opener.associated(piece).unwrap());
                    each(&mut random, &ct, |piece| opener.update(piece).unwrap());
                    let opened = opener.finish(tag).map(|plain| plain == pt);
                    assert_eq!(opened, if right { Ok(true) } else { Err(Error::Forged) });
                }
            }
        }
    }
}

/// The other side cannot know of it.
#[test]
fn no_keystream_of_a_dropped_message_is_used_again() {
    let key = Xoofff::new(&[7; 32]).unwrap();
    let (mut alice, hello) = Sane::new(&key, &[1; 16]);
    let mut bob = Sane::accept(&key, &[1; 16], &hello).unwrap();
    let (mut dropped, mut next) = ([0; 64], [0; 64]);
    alice.sealer().update_in_place(&mut dropped).unwrap();
    let tag = alice.seal_in_place(b"", &mut next);
    assert_ne!(dropped, next);
    assert_eq!(bob.open_in_place(b"", &mut next, &tag), Err(Error::Forged));
}

#[test]
fn sanse_sessions() {
    let (modes, mut random) = (modes(), Random(3));
    assert!(list(&modes, "sanse").len() > 40);
    for backend in backends() {
        for session in list(&modes, "sanse") {
            let key = Xoofff::on(backend, &field(session, "key")).unwrap();
            let (mut alice, mut bob) = (Sanse::new(&key), Sanse::new(&key));
            for message in list(session, "messages") {
                let [ad, pt, ct, tag] = ["ad", "pt", "ct", "tag"].map(|f| field(message, f));
                let mut data = vec![0; pt.len()];
                let short = alice.seal_between(&ad, &pt, &mut vec![0; pt.len() + 1]);
                let (got, need) = (pt.len() + 1, pt.len());
                assert_eq!(short, Err(Error::BufferLength { got, need }));
                let got = alice.seal_between(&ad, &pt, &mut data).unwrap();
                assert!(data == ct && got == tag[..], "{backend}");
                let bad: [u8; 32] = flipped(&tag, &mut random).try_into().unwrap();
                let mut back = ct.clone();
                assert_eq!(bob.open_in_place(&ad, &mut back, &bad), Err(Error::Forged));
                assert!(back.iter().all(|&b| b == 0));
                if !ad.is_empty() {
                    let bad = flipped(&ad, &mut random);
                    let mut back = ct.clone();
                    assert_eq!(bob.open_in_place(&bad, &mut back, &got), Err(Error::Forged));
                    assert!(back.iter().all(|&b| b == 0));
                }
                bob.open_in_place(&ad, &mut data, &got).unwrap();
                assert!(data == pt, "{backend}");
            }
        }
    }
}

/// A message that comes too early, twice or to its own sender changes nothing: the one that is due still opens.
#[test]
fn messages_out_of_order() {
    for backend in backends() {
        let key = Xoofff::on(backend, b"sixteen bytes...").unwrap();
        let (mut alice, hello) = Sane::new(&key, b"nonce");
        let mut bob = Sane::accept(&key, b"nonce", &hello).unwrap();
        assert_eq!(Sane::accept(&key, b"other", &hello).err(), Some(Error::Forged));
        let (mut first, mut second) = (*b"one", *b"two");
        let tags = [alice.seal_in_place(b"", &mut first), alice.seal_in_place(b"", &mut second)];
        let refused = |session: &mut Sane, message: [u8; 3], tag| {
            let mut data = message;
            assert_eq!(session.open_in_place(b"", &mut data, tag), Err(Error::Forged), "{backend}");
            assert_eq!(data, [0; 3]);
        };
        refused(&mut bob, second, &tags[1]);
        refused(&mut alice, second, &tags[1]);
        let mut data = first;
        bob.open_in_place(b"", &mut data, &tags[0]).unwrap();
        assert_eq!(&data, b"one");
        refused(&mut bob, first, &tags[0]);
        bob.open_in_place(b"", &mut second, &tags[1]).unwrap();
        assert_eq!(&second, b"two");

        let (mut alice, mut bob) = (Sanse::new(&key), Sanse::new(&key));
        let (mut first, mut second) = (*b"one", *b"two");
        let tags = [alice.seal_in_place(b"", &mut first), alice.seal_in_place(b"", &mut second)];
        let mut early = second;
        assert_eq!(bob.open_in_place(b"", &mut early, &tags[1]), Err(Error::Forged));
        assert_eq!(early, [0; 3]);
        bob.open_in_place(b"", &mut first, &tags[0]).unwrap();
        bob.open_in_place(b"", &mut second, &tags[1]).unwrap();
        assert_eq!((&first, &second), (b"one", b"two"));
    }
}

#[test]
fn wide_blocks() {
    let (modes, mut random) = (modes(), Random(4));
    assert!(list(&modes, "wbc").len() > 50 && list(&modes, "wbc_ae").len() > 50);
    for backend in backends() {
        for case in list(&modes, "wbc") {
            let wbc = Wbc::new(&Xoofff::on(backend, &field(case, "key")).unwrap());
            let [tweak, pt, ct] = ["tweak", "pt", "ct"].map(|f| field(case, f));
            let mut block = pt.clone();
            wbc.encipher(&tweak, &mut block).unwrap();
            assert!(block == ct, "{} bytes on {backend}", pt.len());
            wbc.decipher(&tweak, &mut block).unwrap();
            assert!(block == pt, "{} bytes on {backend}, back", pt.len());
            let (mut there, mut back) = (vec![1; pt.len()], vec![2; pt.len()]);
            wbc.encipher_between(&tweak, &pt, &mut there).unwrap();
            wbc.decipher_between(&tweak, &there, &mut back).unwrap();
            assert!(there == ct && back == pt, "{} bytes on {backend}, between", pt.len());
        }
        for case in list(&modes, "wbc_ae") {
            let wbc = Wbc::new(&Xoofff::on(backend, &field(case, "key")).unwrap());
            let [ad, pt, ct] = ["ad", "pt", "ct"].map(|f| field(case, f));
            let mut buffer = pt.clone();
            buffer.extend([0x77; 16]);
            wbc.seal(&ad, &mut buffer).unwrap();
            assert!(buffer == ct, "{} bytes on {backend}", pt.len());
            let mut sealed = vec![7; pt.len() + 16];
            wbc.seal_between(&ad, &pt, &mut sealed).unwrap();
            assert!(sealed == ct, "{} bytes on {backend}, between", pt.len());
            let wrong = Err(Error::BufferLength { got: pt.len(), need: pt.len() + 16 });
            assert_eq!(wbc.seal_between(&ad, &pt, &mut sealed[..pt.len()]), wrong);
            let mut bad = flipped(&ct, &mut random);
            assert_eq!(wbc.open(&ad, &mut bad), Err(Error::Forged));
            assert!(bad.iter().all(|&b| b == 0));
            assert!(wbc.open(&ad, &mut buffer).unwrap() == pt, "{backend}");
        }
    }
}

#[test]
fn lengths_that_do_not_fit() {
    assert_eq!(Xoofff::new(&[0; 48]).err(), Some(Error::TooLong { most: 47 }));
    assert_eq!(Xoofff::with_weak_key(Backend::best(), &[0; 48]).err(), Xoofff::new(&[0; 48]).err());
    for got in [0, 1, 15] {
        let weak = Some(Error::WeakKey { got, least: 16 });
        assert_eq!(Xoofff::new(&[0; 16][..got]).err(), weak);
        assert_eq!(Xoofff::on(Backend::best(), &[0; 16][..got]).err(), weak);
        assert!(Xoofff::with_weak_key(Backend::best(), &[0; 16][..got]).is_ok());
    }
    let key = Xoofff::new(&[0; 47]).unwrap();
    let wbc = Wbc::new(&key);
    let error = wbc.encipher(b"", &mut [1]);
    assert_eq!(error, Err(Error::TooShort { got: 1, least: 2 }));
    let error = wbc.open(b"", &mut [1; 15]).err();
    assert_eq!(error, Some(Error::TooShort { got: 15, least: 16 }));
    let error = key.history().output().apply_between(&[0; 3], &mut [0; 2]);
    assert_eq!(error, Err(Error::BufferLength { got: 2, need: 3 }));
}

/// SHA-256 (FIPS 180-4), which the file uses to name long outputs.
fn sha256(message: &[u8]) -> [u8; 32] {
    // Its constants are the first 32 bits of the fractional parts of roots of primes.
    let primes = (2u64..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0));
    let primes: Vec<f64> = primes.take(64).map(|p| p as f64).collect();
    let fraction = |x: f64| (x.fract() * 4_294_967_296.0) as u32;
    let k: Vec<u32> = primes.iter().map(|p| fraction(p.cbrt())).collect();
    let mut h: Vec<u32> = primes[..8].iter().map(|p| fraction(p.sqrt())).collect();
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize((message.len() + 9).next_multiple_of(64) - 8, 0);
    padded.extend((8 * message.len() as u64).to_be_bytes());
    for block in padded.chunks(64) {
        let mut w: Vec<u32> =
            block.chunks(4).map(|b| u32::from_be_bytes(b.try_into().unwrap())).collect();
        for i in 16..64 {
            let (a, b) = (w[i - 15], w[i - 2]);
            let s0 = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
            let s1 = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
            w.push(w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1));
        }
        let mut s = h.clone();
        for i in 0..64 {
            let (a, e) = (s[0], s[4]);
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = (e & s[5]) ^ (!e & s[6]);
            let t = [s1, choice, k[i], w[i]].iter().fold(s[7], |t, x| t.wrapping_add(*x));
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let majority = (a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]);
            s.rotate_right(1);
            s[4] = s[4].wrapping_add(t);
            s[0] = t.wrapping_add(s0).wrapping_add(majority);
        }
        h.iter_mut().zip(s).for_each(|(h, s)| *h = h.wrapping_add(s));
    }
    let bytes: Vec<u8> = h.iter().flat_map(|h| h.to_be_bytes()).collect();
    bytes.try_into().unwrap()
}

/// A session seals between buffers what it seals in place, and a wrong length leaves it as it was.
#[test]
fn sane_between_buffers() {
    for backend in backends() {
        let key = Xoofff::on(backend, &[7; 32]).unwrap();
        let (mut alice, mut carol) = (Sane::new(&key, &[1; 16]).0, Sane::new(&key, &[1; 16]).0);
        let data = Random(3).bytes(700);
        for len in [0, 1, 48, 700] {
            let wrong = alice.seal_between(b"ad", &data[..len], &mut vec![0; len + 1]);
            assert_eq!(wrong, Err(Error::BufferLength { got: len + 1, need: len }));
            let (mut sealed, mut same) = (vec![0; len], data[..len].to_vec());
            let tag = alice.seal_between(b"ad", &data[..len], &mut sealed).unwrap();
            assert_eq!(tag, carol.seal_in_place(b"ad", &mut same), "{backend}, {len} bytes");
            assert_eq!(sealed, same, "{backend}, {len} bytes");
        }
    }
}
