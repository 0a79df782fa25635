//! GCM, EAX and GCM-SIV: Wycheproof, the specification, lengths, forgeries; long messages, and messages in pieces.

#![cfg(feature = "aes")]

mod counters;
#[cfg(all(feature = "threefish", feature = "alloc"))]
mod pieces;

use crate::common::{Random, Wycheproof, backends, wycheproof};
use crate::spec;
use icefish::aead::{Aead, Eax, Gcm, GcmSiv};
use icefish::cipher::NewCipher;
use icefish::ciphers::*;
use icefish::{Backend, Error};

fn check<A: Aead>(aead: &A, test: &Wycheproof, what: &str) {
    let (nonce, associated) = (test.hex("iv"), test.hex("aad"));
    let (message, sealed, tag) = (test.hex("msg"), test.hex("ct"), test.hex("tag"));
    let mut data = sealed.clone();
    let opened = aead.open_in_place(&nonce, &associated, &mut data, &tag);
    if test.valid {
        assert_eq!(opened, Ok(()), "{what}");
        assert_eq!(data, message, "{what}");
        let full = aead.seal_in_place(&nonce, &associated, &mut data).expect(what);
        assert_eq!((&data, full.as_ref()), (&sealed, &tag[..]), "{what}");
    } else if let Err(Error::IvLength { .. }) = opened {
        assert_eq!(data, sealed, "{what}");
    } else {
        assert_eq!(opened, Err(Error::Forged), "{what}");
        assert!(data.iter().all(|&b| b == 0), "{what} released something");
    }
}

fn every<A: Aead>(name: &str, key: usize, make: impl Fn(Backend, &[u8]) -> A) -> usize {
    let mut run = 0;
    for test in wycheproof(name).iter().filter(|t| t.hex("key").len() == key) {
        for backend in backends() {
            let what = format!("{name}, test {} on {backend}", test.id);
            check(&make(backend, &test.hex("key")), test, &what);
        }
        run += 1;
    }
    run
}

#[test]
fn wycheproof_gcm() {
    let run = every("aes_gcm", 16, |b, k| Gcm::<Aes128>::on(b, k).unwrap())
        + every("aes_gcm", 24, |b, k| Gcm::<Aes192>::on(b, k).unwrap())
        + every("aes_gcm", 32, |b, k| Gcm::<Aes256>::on(b, k).unwrap());
    assert_eq!(run, wycheproof("aes_gcm").len());
}

#[test]
fn wycheproof_eax() {
    let run = every("aes_eax", 16, |b, k| Eax::<Aes128>::on(b, k).unwrap())
        + every("aes_eax", 24, |b, k| Eax::<Aes192>::on(b, k).unwrap())
        + every("aes_eax", 32, |b, k| Eax::<Aes256>::on(b, k).unwrap());
    assert_eq!(run, wycheproof("aes_eax").len());
}

#[test]
fn wycheproof_gcm_siv() {
    let run = every("aes_gcm_siv", 16, |b, k| GcmSiv::<Aes128>::on(b, k).unwrap())
        + every("aes_gcm_siv", 32, |b, k| GcmSiv::<Aes256>::on(b, k).unwrap());
    assert_eq!(run, wycheproof("aes_gcm_siv").len());
}

/// Sealed, opened, in place and not, at odd addresses; then changed in one bit somewhere.
fn behaves<A: Aead>(
    aead: &A,
    random: &mut Random,
    nonce: usize,
    lengths: impl Iterator<Item = usize>,
    specified: impl Fn(&[u8], &[u8], &[u8]) -> (Vec<u8>, Vec<u8>),
    what: &str,
) {
    for len in lengths {
        let (nonce, associated) = (random.bytes(nonce), random.bytes(random.0 as usize % 70));
        let what = format!("{what}, {len} and {} bytes", associated.len());
        let (message, odd) = (random.bytes(len), 1 + len % 7);
        let mut buffer = vec![0xa5; odd + len + 9];
        buffer[odd..odd + len].copy_from_slice(&message);
        let data = &mut buffer[odd..odd + len];
        let tag = aead.seal_in_place(&nonce, &associated, data).unwrap();
        let (expected, expected_tag) = specified(&nonce, &associated, &message);
        assert!(data == expected, "{what}");
        assert_eq!(tag.as_ref(), expected_tag, "{what}");
        let sealed = data.to_vec();
        aead.open_in_place(&nonce, &associated, data, tag.as_ref()).unwrap();
        assert!(data == message, "{what}, back");
        let around = buffer[..odd].iter().chain(&buffer[odd + len..]);
        assert!(around.into_iter().all(|&b| b == 0xa5), "{what} wrote outside");

        let (mut there, mut back) = (vec![1; len], vec![2; len]);
        let again = aead.seal_between(&nonce, &associated, &message, &mut there).unwrap();
        assert!(again.as_ref() == tag.as_ref() && there == sealed, "{what}, between");
        aead.open_between(&nonce, &associated, &sealed, &mut back, tag.as_ref()).unwrap();
        assert!(back == message, "{what}, between, back");

        let mut forged = [nonce, associated, sealed, tag.as_ref().to_vec()];
        let at = random.below(forged.iter().map(Vec::len).sum());
        let bit = 1 << random.below(8);
        *forged.iter_mut().flatten().nth(at).unwrap() ^= bit;
        let [nonce, associated, mut data, tag] = forged;
        let input = data.clone();
        let opened = aead.open_between(&nonce, &associated, &input, &mut back, &tag);
        assert_eq!(opened, Err(Error::Forged), "{what}");
        assert!(back.iter().all(|&b| b == 0), "{what} released something");
        let opened = aead.open_in_place(&nonce, &associated, &mut data, &tag);
        assert_eq!(opened, Err(Error::Forged), "{what}");
        assert!(data.iter().all(|&b| b == 0), "{what} released something");
    }
}

fn lengths(block: usize, random: &mut Random) -> Vec<usize> {
    let mut lengths: Vec<usize> = (0..=2 * block + 1).step_by(1.max(block / 16)).collect();
    for blocks in [3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40, 64, 65, 100] {
        lengths.extend([blocks * block - 1, blocks * block, blocks * block + 1]);
    }
    lengths.extend((0..20).map(|_| random.below(130 * block)));
    lengths
}

#[test]
fn gcm_agrees_with_the_specification() {
    let mut random = Random(1);
    for backend in backends() {
        let bytes = random.bytes(32);
        let gcm = Gcm::<Aes256>::on(backend, &bytes).unwrap();
        let aes = spec::aes::Aes::new(&bytes);
        for nonce in [12, 1, 16, 65] {
            let lengths = lengths(16, &mut random);
            let specified = |n: &[u8], a: &[u8], m: &[u8]| spec::gcm::seal(&aes, n, a, m);
            let what = format!("GCM on {backend}, nonce of {nonce}");
            behaves(&gcm, &mut random, nonce, lengths.into_iter(), specified, &what);
        }
        let specified = |n: &[u8], a: &[u8], m: &[u8]| spec::gcm::seal(&aes, n, a, m);
        let what = format!("GCM on {backend}, a long message");
        let long = [16 * 1024, 16 * 1333 + 5, 16 * 4501 + 1];
        behaves(&gcm, &mut random, 12, long.into_iter(), specified, &what);
    }
}

#[test]
fn eax_agrees_with_the_specification() {
    fn of<C: NewCipher>(name: &str, block: usize) {
        let mut random = Random(block as u64);
        for backend in backends() {
            let key = random.bytes(C::KEY);
            let eax = Eax::<C>::on(backend, &key).unwrap();
            let cipher = spec::cipher(name, &key, &[]);
            for nonce in [block, 12, 1] {
                let mut lengths = lengths(block, &mut random);
                lengths.retain(|&len| len < 20 * block);
                let specified = |n: &[u8], a: &[u8], m: &[u8]| spec::eax::seal(&*cipher, n, a, m);
                let what = format!("EAX with blocks of {block} on {backend}");
                behaves(&eax, &mut random, nonce, lengths.into_iter(), specified, &what);
            }
        }
    }
    of::<Aes192>("aes-192", 16);
    #[cfg(feature = "threefish")]
    of::<Threefish256>("threefish-256", 32);
    #[cfg(feature = "threefish")]
    of::<Threefish1024>("threefish-1024", 128);
}

#[cfg(feature = "ice")]
#[test]
fn eax_of_small_blocks() {
    let mut random = Random(5);
    for backend in backends() {
        let bytes = random.bytes(8);
        let eax = Eax::from_key(icefish::Key::from_cipher(backend, Ice::new(1, &bytes).unwrap()));
        let ice = spec::ice::Ice::new(1, &bytes);
        let lengths = lengths(8, &mut random).into_iter().filter(|&len| len < 30 * 8);
        let specified = |n: &[u8], a: &[u8], m: &[u8]| spec::eax::seal(&ice, n, a, m);
        behaves(&eax, &mut random, 8, lengths, specified, &format!("EAX of ICE on {backend}"));
    }
}

#[test]
fn gcm_siv_agrees_with_the_specification() {
    let key = Random(6).bytes(32);
    for backend in backends() {
        let mut random = Random(7);
        let siv = GcmSiv::<Aes256>::on(backend, &key).unwrap();
        let lengths = lengths(16, &mut random).into_iter();
        let specified = |n: &[u8], a: &[u8], m: &[u8]| spec::gcm_siv::seal(&key, n, a, m);
        behaves(&siv, &mut random, 12, lengths, specified, &format!("GCM-SIV on {backend}"));
    }
}

#[test]
fn wrong_lengths_are_refused() {
    fn refuses<A: Aead>(mut aead: A, nonces: &[usize], shortest: usize) {
        let full = size_of::<A::Tag>();
        assert_eq!((A::SHORTEST_TAG, aead.tag_len()), (shortest, full));
        for &got in nonces {
            let mut data = *b"untouched";
            let expected = Err(Error::IvLength { got, need: A::NONCE });
            assert_eq!(aead.seal_in_place(&vec![0; got], &[], &mut data).map(|_| ()), expected);
            let opened = aead.open_in_place(&vec![0; got], &[], &mut data, &vec![0; full]);
            assert_eq!(opened, expected);
            assert_eq!(&data, b"untouched");
        }
        let mut sealed = *b"some data";
        let tag = aead.seal_in_place(&vec![0; A::NONCE], &[], &mut sealed).unwrap();
        let tag = [tag.as_ref(), &[0]].concat();
        // A key takes tags of its own length, right ones, and of no other; the sender has no say in it.
        for len in (shortest..=full).rev() {
            aead.set_tag_len(len).unwrap();
            assert_eq!(aead.tag_len(), len);
            for got in 0..=full + 1 {
                let mut data = sealed;
                let opened = aead.open_in_place(&vec![0; A::NONCE], &[], &mut data, &tag[..got]);
                if got == len {
                    assert_eq!((opened, &data), (Ok(()), b"some data"));
                } else {
                    assert_eq!(opened, Err(Error::TagLength { got, least: len, most: len }));
                    assert_eq!(data, sealed);
                }
            }
            let (mut data, mut forged) = (sealed, tag[..len].to_vec());
            forged[len - 1] ^= 1;
            let opened = aead.open_in_place(&vec![0; A::NONCE], &[], &mut data, &forged);
            assert_eq!((opened, data), (Err(Error::Forged), [0; 9]));
        }
        for got in [0, shortest - 1, full + 1] {
            let wrong = Err(Error::TagLength { got, least: shortest, most: full });
            assert_eq!(aead.set_tag_len(got), wrong);
        }
    }
    refuses(Gcm::<Aes128>::new(&[1; 16]).unwrap(), &[0], 12);
    refuses(GcmSiv::<Aes128>::new(&[1; 16]).unwrap(), &[0, 11, 13], 16);
    refuses(Eax::<Aes128>::new(&[1; 16]).unwrap(), &[], 8);
    #[cfg(feature = "threefish")]
    refuses(Eax::<Threefish256>::new(&[1; 32]).unwrap(), &[], 8);
    #[cfg(feature = "xoodoo")]
    refuses(icefish::aead::Xoodyak::new(&[1; 16]).unwrap(), &[0, 12, 17], 16);
    assert!(Gcm::<Aes128>::new(&[0; 17]).is_err());
}

/// By name, every suite does what its type does, with whole and with short tags.
#[cfg(feature = "alloc")]
#[test]
fn suites_are_their_types() {
    use icefish::suite::{AEADS, AeadSuite};
    let others =
        3 * usize::from(cfg!(feature = "threefish")) + usize::from(cfg!(feature = "xoodoo"));
    assert_eq!(AEADS.len(), 14 + others);
    let mut random = Random(8);
    for suite in AEADS {
        let bytes = random.bytes(suite.key);
        let (nonce, message) = (random.bytes(suite.nonce), random.bytes(100));
        for backend in backends() {
            let what = format!("{suite} on {backend}");
            let key = suite.name.parse::<AeadSuite>().unwrap().key(backend, &bytes).unwrap();
            let (mut data, mut tag) = (message.clone(), vec![0; suite.tag]);
            key.seal_in_place(&nonce, b"with", &mut data, &mut tag).unwrap();
            if suite.name == "aes-256-gcm" {
                let gcm = Gcm::<Aes256>::on(backend, &bytes).unwrap();
                let mut reference = message.clone();
                let full = gcm.seal_in_place(&nonce, b"with", &mut reference).unwrap();
                assert_eq!((&reference, &full[..]), (&data, &tag[..]), "{what}");
            }
            let (mut there, mut short) = (vec![0; 100], vec![0; suite.shortest_tag]);
            let mut key_of_short = suite.key(backend, &bytes).unwrap();
            key_of_short.set_tag_len(suite.shortest_tag).unwrap();
            assert_eq!((key.tag_len(), key_of_short.tag_len()), (suite.tag, suite.shortest_tag));
            key_of_short.seal_between(&nonce, b"with", &message, &mut there, &mut short).unwrap();
            // The short tags of AEGIS are other tags.
            let prefix = !suite.name.starts_with("aegis");
            assert!(there == data && tag.starts_with(&short) == prefix, "{what}");
            let mut back = vec![0; 100];
            key_of_short.open_between(&nonce, b"with", &there, &mut back, &short).unwrap();
            assert_eq!(back, message, "{what}");
            if suite.tag > suite.shortest_tag {
                let (least, most) = (suite.tag, suite.tag);
                let refused = Err(Error::TagLength { got: suite.shortest_tag, least, most });
                let opened = key.open_between(&nonce, b"with", &there, &mut back, &short);
                assert_eq!(opened, refused, "{what}");
                let sealed = key.seal_between(&nonce, b"with", &message, &mut back, &mut short);
                assert_eq!(sealed, refused, "{what}");
            }
            let none = key_of_short.set_tag_len(suite.shortest_tag - 1);
            let refused = matches!(none, Err(Error::TagLength { .. } | Error::TagLengths { .. }));
            assert!(refused, "{what}");
            key.open_in_place(&nonce, b"with", &mut data, &tag).unwrap();
            assert_eq!(data, message, "{what}");
            let refused = key.open_in_place(&nonce, b"without", &mut there, &tag);
            assert_eq!(refused, Err(Error::Forged), "{what}");
            assert_eq!(there, [0; 100], "{what}");
            let refused = key.seal_in_place(&nonce, &[], &mut data, &mut vec![0; suite.tag + 1]);
            assert!(matches!(refused, Err(Error::TagLength { .. })), "{what}");
            assert_eq!(data, message, "{what}");
        }
        let wrong = suite.key(Backend::best(), &bytes[1..]).map(|_| ());
        assert_eq!(wrong, Err(Error::KeyLength { got: suite.key - 1, need: suite.key }));
    }
    let parse = |name: &str| name.parse::<AeadSuite>().map(|suite| suite.to_string());
    assert_eq!(parse("aes-192-gcm-siv"), Err(Error::UnknownMode));
    assert_eq!(parse("aes-256-gcn"), Err(Error::UnknownMode));
    assert_eq!(parse("aes-257-gcm"), Err(Error::UnknownCipher));
}
