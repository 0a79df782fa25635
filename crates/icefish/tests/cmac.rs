//! CMAC: Wycheproof for AES, and the specification for every block size.

#![cfg(feature = "aes")]

use crate::common::{Random, backends, wycheproof};
use crate::spec;
use icefish::cipher::{Cipher, NewCipher};
use icefish::ciphers::*;
use icefish::mac::Cmac;
use icefish::{Backend, Block, Error, Key};

fn wycheproof_of<C: NewCipher>() -> usize {
    let tests = wycheproof("aes_cmac");
    let mut run = 0;
    for test in tests.iter().filter(|t| t.hex("key").len() == C::KEY) {
        let (message, tag) = (test.hex("msg"), test.hex("tag"));
        for backend in backends() {
            let cmac = Cmac::<C>::on(backend, &test.hex("key")).unwrap();
            let verified = cmac.verify(&message, &tag);
            assert_eq!(verified.is_ok(), test.valid, "test {} on {backend}", test.id);
            assert_eq!(cmac.tag(&message).as_ref() == tag, test.valid, "test {}", test.id);
        }
        run += 1;
    }
    run
}

#[test]
fn wycheproof_vectors() {
    let run = wycheproof_of::<Aes128>() + wycheproof_of::<Aes192>() + wycheproof_of::<Aes256>();
    for test in wycheproof("aes_cmac") {
        let len = test.hex("key").len();
        if ![16, 24, 32].contains(&len) {
            assert!(!test.valid);
            assert_eq!(
                Cmac::<Aes128>::new(&test.hex("key")).map(|_| ()),
                Err(Error::KeyLength { got: len, need: 16 })
            );
        }
    }
    assert_eq!(run, 306);
}

fn agrees<C: Cipher>(name: &str, make: impl Fn(Backend, &[u8]) -> Key<C>, key: usize) {
    let mut random = Random(key as u64);
    let size = C::Block::LEN;
    let message = random.bytes(6 * size + 1);
    // Two keys or more, so that the reduction is needed in some and not in others.
    let keys: Vec<_> = (0..6).map(|_| random.bytes(key)).collect();
    for key in keys {
        let specified = spec::cipher(name, &key, &[]);
        for backend in backends() {
            let cmac = Cmac::from_key(make(backend, &key));
            for len in (0..=3 * size + 1).step_by(1.max(size / 16)).chain([6 * size, 6 * size + 1])
            {
                let message = &message[..len];
                let expected = spec::cmac::tag(&*specified, message);
                assert!(cmac.tag(message).as_ref() == expected, "{size} {len} on {backend}");
                let mut mac = cmac.start();
                let mut rest = message;
                while !rest.is_empty() {
                    let n = random.below(2 * size).min(rest.len());
                    mac.update(&rest[..n]);
                    rest = &rest[n..];
                }
                assert!(mac.clone().finish().as_ref() == expected, "{size} {len}, pieces");
                assert_eq!(mac.verify(&expected), Ok(()));
                let mut forged = expected;
                forged[random.below(size)] ^= 1 << random.below(8);
                assert_eq!(cmac.verify(message, &forged), Err(Error::Forged));
            }
        }
    }
}

#[test]
fn every_block_size_agrees_with_the_specification() {
    #[cfg(feature = "ice")]
    agrees::<Ice>("ice-1", |b, k| Key::from_cipher(b, Ice::new(1, k).unwrap()), 8);
    agrees::<Aes256>("aes-256", |b, k| Key::on(b, k).unwrap(), 32);
    #[cfg(feature = "threefish")]
    agrees::<Threefish256>("threefish-256", |b, k| Key::on(b, k).unwrap(), 32);
    #[cfg(feature = "threefish")]
    agrees::<Threefish512>("threefish-512", |b, k| Key::on(b, k).unwrap(), 64);
    #[cfg(feature = "threefish")]
    agrees::<Threefish1024>("threefish-1024", |b, k| Key::on(b, k).unwrap(), 128);
}

#[test]
fn tags_of_wrong_length_are_refused() {
    let mut cmac = Cmac::<Aes128>::new(&[1; 16]).unwrap();
    let tag = [&cmac.tag(b"data")[..], &[0]].concat();
    for len in (8..=16).rev() {
        cmac.set_tag_len(len).unwrap();
        for got in 0..=17 {
            let wrong = Err(Error::TagLength { got, least: len, most: len });
            let expected = if got == len { Ok(()) } else { wrong };
            assert_eq!(cmac.verify(b"data", &tag[..got]), expected);
            let mut mac = cmac.start();
            mac.update(b"data");
            assert_eq!(mac.verify(&tag[..got]), expected);
        }
        let mut forged = tag[..len].to_vec();
        forged[len - 1] ^= 1;
        assert_eq!(cmac.verify(b"data", &forged), Err(Error::Forged));
    }
    for got in [0, 1, 7, 17] {
        assert_eq!(cmac.set_tag_len(got), Err(Error::TagLength { got, least: 8, most: 16 }));
    }
}

/// Many in one call, under one key or a key each, are what each is alone.
fn many<C: NewCipher>(backend: Backend) {
    let (size, mut random) = (C::Block::LEN, Random(5));
    for count in [0, 1, 3, 8, 9, 50] {
        let mut messages = Vec::new();
        let mut macs = Vec::new();
        for i in 0..count {
            // Also empty ones, and ends on either side of a whole block.
            let blocks = if i % 12 == 5 { 100 } else { random.below(6) };
            let len = (blocks * size + random.below(3)).saturating_sub(1);
            messages.push(random.bytes(len));
            macs.push(Cmac::<C>::on(backend, &random.bytes(C::KEY)).unwrap());
        }
        let data: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let macs: Vec<&Cmac<C>> = macs.iter().collect();
        let mut tags = vec![C::Block::zero(); count];
        Cmac::tag_each(&macs, &data, &mut tags).unwrap();
        for i in 0..count {
            assert!(tags[i].as_ref() == macs[i].tag(data[i]).as_ref(), "{i} of {count}, {backend}");
        }
        let one = Cmac::<C>::on(backend, &random.bytes(C::KEY)).unwrap();
        one.tag_many(&data, &mut tags).unwrap();
        for i in 0..count {
            assert!(tags[i].as_ref() == one.tag(data[i]).as_ref(), "{i} of {count}, {backend}");
        }
        let wrong = Err(Error::BufferLength { got: count, need: count + 1 });
        let more: Vec<&[u8]> = data.iter().copied().chain([&[][..]]).collect();
        assert_eq!(one.tag_many(&more, &mut tags), wrong);
        assert_eq!(Cmac::tag_each(&macs, &more, &mut tags), wrong);
    }
}

#[test]
fn many_are_as_one_by_one() {
    for backend in backends() {
        many::<Aes128>(backend);
        many::<Aes256>(backend);
        #[cfg(feature = "threefish")]
        many::<Threefish256>(backend);
        #[cfg(feature = "threefish")]
        many::<Threefish1024>(backend);
    }
}
