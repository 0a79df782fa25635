//! AEGIS: the vectors of RFC 10032, lengths, pieces, forgeries.

#![cfg(feature = "aes")]

use crate::common::{Random, backends, hex, text};
use crate::spec;
use icefish::aead::{Aead, Aegis, Piecewise};
use icefish::mac::AegisMac;
use icefish::{Backend, Error};
use serde_json::Value;

fn field(test: &Value, name: &str) -> Vec<u8> {
    hex(test[name].as_str().unwrap_or_else(|| panic!("a field {name}")))
}

/// The tests of a file that have a key and a tag.
fn vectors(name: &str) -> Vec<Value> {
    let text = text(&format!("aegis/{name}-test-vectors.json"));
    let tests: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    tests.into_iter().filter(|test| test.get("tag256").is_some()).collect()
}

/// One vector, with tags of both lengths.
fn check<const BITS: usize, const DEGREE: usize>(backend: Backend, test: &Value, what: &str) {
    let [key, nonce, ad, sealed] = ["key", "nonce", "ad", "ct"].map(|name| field(test, name));
    let mut aegis = Aegis::<BITS, DEGREE>::on(backend, &key).unwrap();
    for name in ["tag128", "tag256"] {
        let tag = field(test, name);
        aegis.set_tag_len(tag.len()).unwrap();
        let mut data = sealed.clone();
        let opened = aegis.open_in_place(&nonce, &ad, &mut data, &tag);
        if test.get("error").is_some() {
            assert_eq!(opened, Err(Error::Forged), "{what}");
            assert!(data.iter().all(|&b| b == 0), "{what} released something");
            continue;
        }
        assert_eq!(opened, Ok(()), "{what}, {name}");
        assert_eq!(data, field(test, "msg"), "{what}, {name}");
        let made = aegis.seal_in_place(&nonce, &ad, &mut data).unwrap();
        assert_eq!((&data, &made[..tag.len()]), (&sealed, &tag[..]), "{what}, {name}");
    }
}

fn every<const BITS: usize, const DEGREE: usize>(name: &str, count: usize) {
    let tests = vectors(name);
    assert_eq!(tests.len(), count, "{name}");
    for test in &tests {
        for backend in backends() {
            let what = format!("{name}, {} on {backend}", test["name"]);
            check::<BITS, DEGREE>(backend, test, &what);
        }
    }
}

#[test]
fn vectors_of_the_rfc() {
    every::<128, 1>("aegis-128l", 9);
    every::<128, 2>("aegis-128x2", 2);
    every::<128, 4>("aegis-128x4", 2);
    every::<256, 1>("aegis-256", 9);
    every::<256, 2>("aegis-256x2", 2);
    every::<256, 4>("aegis-256x4", 2);
}

fn code<const BITS: usize, const DEGREE: usize>(test: &Value) {
    let [key, nonce, data] = ["key", "nonce", "data"].map(|name| field(test, name));
    for backend in backends() {
        let what = format!("{} on {backend}", test["name"]);
        let mut mac = AegisMac::<BITS, DEGREE>::on(backend, &key, &nonce).unwrap();
        for name in ["tag128", "tag256"] {
            let tag = field(test, name);
            mac.set_tag_len(tag.len()).unwrap();
            let made = mac.tag(&data);
            assert_eq!(made[..tag.len()], tag, "{what}, {name}");
            assert!(made[tag.len()..].iter().all(|&b| b == 0), "{what}, {name}");
            mac.verify(&data, &tag).unwrap();
            let mut message = mac.start();
            for piece in data.chunks(9) {
                message.update(piece);
            }
            message.verify(&tag).unwrap();
            let mut forged = tag.clone();
            forged[tag.len() - 1] ^= 1;
            assert_eq!(mac.verify(&data, &forged), Err(Error::Forged), "{what}");
            assert_eq!(mac.verify(&data[1..], &tag), Err(Error::Forged), "{what}");
            let (got, len) = (tag.len() - 1, tag.len());
            let refused = mac.verify(&data, &tag[1..]);
            assert_eq!(refused, Err(Error::TagLength { got, least: len, most: len }));
        }
        assert_eq!(mac.set_tag_len(20), Err(Error::TagLengths { got: 20, both: [16, 32] }));
    }
    let need = BITS / 8;
    let refused = AegisMac::<BITS, DEGREE>::new(&key[1..], &nonce).map(|_| ());
    assert_eq!(refused, Err(Error::KeyLength { got: need - 1, need }));
    let refused = AegisMac::<BITS, DEGREE>::new(&key, &nonce[1..]).map(|_| ());
    assert_eq!(refused, Err(Error::IvLength { got: need - 1, need }));
}

#[test]
fn codes_of_the_rfc() {
    let tests = vectors("aegismac");
    assert_eq!(tests.len(), 6);
    code::<128, 1>(&tests[0]);
    code::<128, 2>(&tests[1]);
    code::<128, 4>(&tests[2]);
    code::<256, 1>(&tests[3]);
    code::<256, 2>(&tests[4]);
    code::<256, 4>(&tests[5]);
}

/// Lengths round steps and longer than the largest strip, in one call and in pieces, against the specification.
#[test]
fn codes_agree_with_the_specification() {
    fn check<const BITS: usize, const DEGREE: usize>(random: &mut Random) {
        let (key, nonce) = (random.bytes(BITS / 8), random.bytes(BITS / 8));
        for len in (0..20).chain([31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 5000]) {
            let (data, short) = (random.bytes(len), random.below(2) == 0);
            let tag_len = if short { 16 } else { 32 };
            let expected = spec::aegis::mac(DEGREE, tag_len, &key, &nonce, &data);
            for backend in backends() {
                let mut mac = AegisMac::<BITS, DEGREE>::on(backend, &key, &nonce).unwrap();
                mac.set_tag_len(tag_len).unwrap();
                let what = format!("{BITS}, {DEGREE}, {len} bytes on {backend}");
                assert_eq!(mac.tag(&data)[..tag_len], expected, "{what}");
                let mut message = mac.start();
                data.chunks(100).for_each(|piece| message.update(piece));
                assert_eq!(message.finish()[..tag_len], expected, "{what}, in pieces");
            }
        }
    }
    let mut random = Random(6);
    check::<128, 1>(&mut random);
    check::<128, 2>(&mut random);
    check::<128, 4>(&mut random);
    check::<256, 1>(&mut random);
    check::<256, 2>(&mut random);
    check::<256, 4>(&mut random);
}

/// What another implementation makes of key, nonce, associated data and message: the ciphertext, and tags of 16 and 32 bytes.
type Peer = fn([&[u8]; 4]) -> (Vec<u8>, [Vec<u8>; 2]);

/// The six variants of the crate `aegis`.
#[cfg(target_arch = "x86_64")]
mod peer {
    use super::Peer;

    pub(super) const ALL: [Peer; 6] = [
        |[key, nonce, ad, message]| {
            use aegis::aegis128l::Aegis128L as Aegis;
            let (key, nonce) = (key.try_into().unwrap(), nonce.try_into().unwrap());
            let (sealed, short) = Aegis::<16>::new(key, nonce).encrypt(message, ad);
            (sealed, [short.to_vec(), Aegis::<32>::new(key, nonce).encrypt(message, ad).1.to_vec()])
        },
        |[key, nonce, ad, message]| {
            use aegis::aegis128x2::Aegis128X2 as Aegis;
            let (key, nonce) = (key.try_into().unwrap(), nonce.try_into().unwrap());
            let (sealed, short) = Aegis::<16>::new(key, nonce).encrypt(message, ad);
            (sealed, [short.to_vec(), Aegis::<32>::new(key, nonce).encrypt(message, ad).1.to_vec()])
        },
        |[key, nonce, ad, message]| {
            use aegis::aegis128x4::Aegis128X4 as Aegis;
            let (key, nonce) = (key.try_into().unwrap(), nonce.try_into().unwrap());
            let (sealed, short) = Aegis::<16>::new(key, nonce).encrypt(message, ad);
            (sealed, [short.to_vec(), Aegis::<32>::new(key, nonce).encrypt(message, ad).1.to_vec()])
        },
        |[key, nonce, ad, message]| {
            use aegis::aegis256::Aegis256 as Aegis;
            let (key, nonce) = (key.try_into().unwrap(), nonce.try_into().unwrap());
            let (sealed, short) = Aegis::<16>::new(key, nonce).encrypt(message, ad);
            (sealed, [short.to_vec(), Aegis::<32>::new(key, nonce).encrypt(message, ad).1.to_vec()])
        },
        |[key, nonce, ad, message]| {
            use aegis::aegis256x2::Aegis256X2 as Aegis;
            let (key, nonce) = (key.try_into().unwrap(), nonce.try_into().unwrap());
            let (sealed, short) = Aegis::<16>::new(key, nonce).encrypt(message, ad);
            (sealed, [short.to_vec(), Aegis::<32>::new(key, nonce).encrypt(message, ad).1.to_vec()])
        },
        |[key, nonce, ad, message]| {
            use aegis::aegis256x4::Aegis256X4 as Aegis;
            let (key, nonce) = (key.try_into().unwrap(), nonce.try_into().unwrap());
            let (sealed, short) = Aegis::<16>::new(key, nonce).encrypt(message, ad);
            (sealed, [short.to_vec(), Aegis::<32>::new(key, nonce).encrypt(message, ad).1.to_vec()])
        },
    ];
}

/// Elsewhere, the specification.
#[cfg(not(target_arch = "x86_64"))]
mod peer {
    use super::Peer;

    fn specified<const DEGREE: usize>(
        [key, nonce, ad, message]: [&[u8]; 4],
    ) -> (Vec<u8>, [Vec<u8>; 2]) {
        let seal = |len| crate::spec::aegis::seal(DEGREE, len, key, nonce, ad, message);
        let (sealed, short) = seal(16);
        (sealed, [short, seal(32).1])
    }

    pub(super) const ALL: [Peer; 6] = [
        specified::<1>,
        specified::<2>,
        specified::<4>,
        specified::<1>,
        specified::<2>,
        specified::<4>,
    ];
}

/// Around blocks, steps and batches of steps.
fn every_length<const BITS: usize, const DEGREE: usize>() {
    let mut random = Random(DEGREE as u64);
    let (key, nonce) = (random.bytes(BITS / 8), random.bytes(BITS / 8));
    let (ad, message) = (random.bytes(300), random.bytes(700));
    for len in (0..=130).chain([159, 160, 161, 255, 256, 257, 511, 512, 513, 700]) {
        let (ad, message) = (&ad[..len.min(300) / 2], &message[..len]);
        let expected = spec::aegis::seal(DEGREE, 32, &key, &nonce, ad, message);
        for backend in backends() {
            let aegis = Aegis::<BITS, DEGREE>::on(backend, &key).unwrap();
            let mut data = message.to_vec();
            let tag = aegis.seal_in_place(&nonce, ad, &mut data).unwrap();
            let what = format!("AEGIS-{BITS} x{DEGREE} of {len} bytes on {backend}");
            assert!((&data, &tag[..]) == (&expected.0, &expected.1[..]), "{what}");
            aegis.open_in_place(&nonce, ad, &mut data, &tag).unwrap();
            assert!(data == message, "{what}, back");
        }
    }
}

#[test]
fn every_length_agrees_with_the_specification() {
    every_length::<128, 1>();
    every_length::<128, 2>();
    every_length::<128, 4>();
    every_length::<256, 1>();
    every_length::<256, 2>();
    every_length::<256, 4>();
}

/// Zero, one, a few, or up to 4 KiB.
fn length(random: &mut Random) -> usize {
    match random.below(4) {
        0 => random.below(2),
        1 => random.below(140),
        2 => 16 * random.below(20),
        _ => random.below(4097),
    }
}

/// Cuts `len` bytes at random.
fn cuts(random: &mut Random, len: usize) -> Vec<std::ops::Range<usize>> {
    let (mut at, mut cuts) = (0, Vec::new());
    while at < len {
        let end = len.min(at + [0, 1, random.below(40), random.below(700)][random.below(4)]);
        cuts.push(at..end);
        at = end;
    }
    cuts
}

/// In one call and in pieces, in place and between buffers; then changed in one bit somewhere.
fn agrees<const BITS: usize, const DEGREE: usize>(backend: Backend, peer: Peer, seed: u64) {
    let mut random = Random(seed);
    for _ in 0..60 {
        let (key, nonce) = (random.bytes(BITS / 8), random.bytes(BITS / 8));
        let [ad, message] = [(); 2].map(|()| {
            let len = length(&mut random);
            random.bytes(len)
        });
        let (sealed, tags) = peer([&key, &nonce, &ad, &message]);
        let what = format!("{BITS}, {DEGREE}, {} and {} on {backend}", ad.len(), message.len());
        let mut aegis = Aegis::<BITS, DEGREE>::on(backend, &key).unwrap();
        let tag = &tags[random.below(2)];
        aegis.set_tag_len(tag.len()).unwrap();
        let mut data = message.clone();
        let made = aegis.seal_in_place(&nonce, &ad, &mut data).unwrap();
        assert!(data == sealed && made.starts_with(tag), "{what}");
        assert!(made[tag.len()..].iter().all(|&b| b == 0), "{what}");
        aegis.open_in_place(&nonce, &ad, &mut data, tag).unwrap();
        assert!(data == message, "{what}");
        let made = aegis.seal_between(&nonce, &ad, &message, &mut data).unwrap();
        assert!(data == sealed && made.starts_with(tag), "{what}, between");
        aegis.open_between(&nonce, &ad, &sealed, &mut data, tag).unwrap();
        assert!(data == message, "{what}, between");

        let mut sealer = aegis.sealer(&nonce).unwrap();
        for cut in cuts(&mut random, ad.len()) {
            sealer.associated(&ad[cut]).unwrap();
        }
        for cut in cuts(&mut random, message.len()) {
            if random.below(2) == 0 {
                sealer.update_in_place(&mut data[cut]).unwrap();
            } else {
                sealer.update(&message[cut.clone()], &mut data[cut]).unwrap();
            }
        }
        let made = sealer.finish();
        assert!(data == sealed && made.starts_with(tag), "{what}, in pieces");
        let mut room = vec![0xa5; message.len()];
        for forged in [false, true] {
            let mut tag = tag.clone();
            tag[random.below(16)] ^= u8::from(forged) << random.below(8);
            let mut opener = aegis.opener(&nonce, &mut room).unwrap();
            for cut in cuts(&mut random, ad.len()) {
                opener.associated(&ad[cut]).unwrap();
            }
            for cut in cuts(&mut random, message.len()) {
                opener.update(&sealed[cut]).unwrap();
            }
            let opened = opener.finish(&tag).map(|data| data.to_vec());
            let expected = if forged { Err(Error::Forged) } else { Ok(message.clone()) };
            assert!(opened == expected, "{what}, in pieces");
        }
        assert!(room.iter().all(|&b| b == 0), "{what} released something");

        let mut forged = [nonce, ad, sealed, tag.clone()];
        let at = random.below(forged.iter().map(Vec::len).sum());
        *forged.iter_mut().flatten().nth(at).unwrap() ^= 1 << random.below(8);
        let [nonce, ad, mut sealed, tag] = forged;
        let opened = aegis.open_between(&nonce, &ad, &sealed, &mut data, &tag);
        assert_eq!(opened, Err(Error::Forged), "{what}");
        let opened = aegis.open_in_place(&nonce, &ad, &mut sealed, &tag);
        assert_eq!(opened, Err(Error::Forged), "{what}");
        assert!(data.iter().chain(&sealed).all(|&b| b == 0), "{what} released something");
    }
}

#[test]
fn a_second_opinion() {
    for (i, backend) in backends().into_iter().enumerate() {
        let seed = 100 * i as u64;
        agrees::<128, 1>(backend, peer::ALL[0], seed);
        agrees::<128, 2>(backend, peer::ALL[1], seed + 1);
        agrees::<128, 4>(backend, peer::ALL[2], seed + 2);
        agrees::<256, 1>(backend, peer::ALL[3], seed + 3);
        agrees::<256, 2>(backend, peer::ALL[4], seed + 4);
        agrees::<256, 4>(backend, peer::ALL[5], seed + 5);
    }
}

#[test]
fn wrong_lengths_are_refused() {
    assert_eq!(
        Aegis::<128, 2>::new(&[0; 15]).map(|_| ()),
        Err(Error::KeyLength { got: 15, need: 16 })
    );
    let mut aegis = Aegis::<256, 2>::new(&[7; 32]).unwrap();
    let mut data = *b"untouched";
    for got in [0, 12, 16, 31, 33] {
        let nonce = vec![0; got];
        let refused = Err(Error::IvLength { got, need: 32 });
        assert_eq!(aegis.seal_in_place(&nonce, &[], &mut data).map(|_| ()), refused);
        assert_eq!(aegis.open_in_place(&nonce, &[], &mut data, &[0; 32]), refused);
        assert_eq!(aegis.sealer(&nonce).map(|_| ()), refused);
    }
    for got in (0..40).filter(|len| *len != 16 && *len != 32) {
        assert_eq!(aegis.set_tag_len(got), Err(Error::TagLengths { got, both: [16, 32] }));
        let refused = Err(Error::TagLength { got, least: 32, most: 32 });
        assert_eq!(aegis.open_in_place(&[0; 32], &[], &mut data, &vec![0; got]), refused);
    }
    aegis.set_tag_len(16).unwrap();
    let refused = Err(Error::TagLength { got: 32, least: 16, most: 16 });
    assert_eq!(aegis.open_in_place(&[0; 32], &[], &mut data, &[0; 32]), refused);
    assert_eq!(&data, b"untouched");
}

/// Longer than the strips in which the states go through data: associated data, messages and codes, in one piece and after a byte.
fn strips<const BITS: usize, const DEGREE: usize>() {
    let mut random = Random(11);
    let (key, nonce) = (random.bytes(BITS / 8), random.bytes(BITS / 8));
    let (ad, message) = (random.bytes(70_000), random.bytes(150_001));
    let expected = spec::aegis::seal(DEGREE, 32, &key, &nonce, &ad, &message);
    let code = spec::aegis::mac(DEGREE, 32, &key, &nonce, &message);
    for backend in backends() {
        let what = format!("AEGIS-{BITS} x{DEGREE} on {backend}");
        let aegis = Aegis::<BITS, DEGREE>::on(backend, &key).unwrap();
        let mac = AegisMac::<BITS, DEGREE>::on(backend, &key, &nonce).unwrap();
        assert!(mac.tag(&message)[..] == code, "{what}");
        assert_eq!(mac.tag_len(), 32);
        for first in [0, 1] {
            let (mut sealer, mut data) = (aegis.sealer(&nonce).unwrap(), message.clone());
            sealer.associated(&ad[..first]).unwrap();
            sealer.associated(&ad[first..]).unwrap();
            let (one, rest) = data.split_at_mut(first);
            sealer.update_in_place(one).unwrap();
            sealer.update_in_place(rest).unwrap();
            assert!(sealer.finish()[..] == expected.1[..], "{what}");
            assert!(data == expected.0, "{what}");
            let mut same = mac.start();
            same.update(&message[..first]);
            same.update(&message[first..]);
            assert!(same.finish()[..] == code, "{what}");
        }
    }
}

#[test]
fn strips_are_the_whole() {
    strips::<128, 1>();
    strips::<128, 2>();
    strips::<128, 4>();
    strips::<256, 1>();
    strips::<256, 2>();
    strips::<256, 4>();
}
