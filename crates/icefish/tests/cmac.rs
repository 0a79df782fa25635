//! CMAC: Wycheproof for AES; for other block sizes a naive CMAC from SP 800-38B.

#![cfg(feature = "aes")]

mod common;

use common::{Random, backends, wycheproof};
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
    assert!(run > 250);
}

/// A bit at a time, with the reduction as a list of exponents.
fn naive<C: Cipher>(key: &Key<C>, exponents: &[usize], message: &[u8]) -> Vec<u8> {
    let (size, n) = (C::Block::LEN, 8 * C::Block::LEN);
    let encrypt = |x: &[u8]| {
        let mut block = C::Block::take(x);
        key.encrypt_block(&mut block);
        block.as_ref().to_vec()
    };
    let double = |x: &[u8]| {
        // Bit i of the list is the coefficient of x^i.
        let bits: Vec<bool> = (0..n).map(|i| x[size - 1 - i / 8] >> (i % 8) & 1 == 1).collect();
        let mut twice: Vec<bool> = std::iter::once(false).chain(bits[..n - 1].to_vec()).collect();
        for &e in exponents.iter().filter(|_| bits[n - 1]) {
            twice[e] = !twice[e];
        }
        let byte = |i: usize| (0..8).map(|b| u8::from(twice[8 * (size - 1 - i) + b]) << b).sum();
        (0..size).map(byte).collect::<Vec<u8>>()
    };
    let k1 = double(&encrypt(&vec![0; size]));
    let k2 = double(&k1);
    let mut padded = message.to_vec();
    let whole = !message.is_empty() && message.len().is_multiple_of(size);
    if !whole {
        padded.push(0x80);
        padded.resize(padded.len().next_multiple_of(size), 0);
    }
    let from = padded.len() - size;
    for (byte, k) in padded[from..].iter_mut().zip(if whole { k1 } else { k2 }) {
        *byte ^= k;
    }
    padded.chunks(size).fold(vec![0; size], |chain, block| {
        encrypt(&chain.iter().zip(block).map(|(c, b)| c ^ b).collect::<Vec<_>>())
    })
}

fn agrees<C: Cipher>(make: impl Fn(Backend, &[u8]) -> Key<C>, key: usize, exponents: &[usize]) {
    let mut random = Random(key as u64);
    let size = C::Block::LEN;
    let message = random.bytes(6 * size + 1);
    // Two keys or more, so that the reduction is needed in some and not in others.
    let keys: Vec<_> = (0..6).map(|_| random.bytes(key)).collect();
    for key in keys {
        for backend in backends() {
            let cmac = Cmac::from_key(make(backend, &key));
            for len in (0..=3 * size + 1).step_by(1.max(size / 16)).chain([6 * size, 6 * size + 1])
            {
                let message = &message[..len];
                let expected = naive(&make(backend, &key), exponents, message);
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
fn every_block_size_agrees_with_the_naive_mode() {
    #[cfg(feature = "ice")]
    agrees::<Ice>(|b, k| Key::from_cipher(Ice::new(1, k).unwrap(), b), 8, &[4, 3, 1, 0]);
    agrees::<Aes256>(|b, k| Key::on(b, k).unwrap(), 32, &[7, 2, 1, 0]);
    #[cfg(feature = "threefish")]
    agrees::<Threefish256>(|b, k| Key::on(b, k).unwrap(), 32, &[10, 5, 2, 0]);
    #[cfg(feature = "threefish")]
    agrees::<Threefish512>(|b, k| Key::on(b, k).unwrap(), 64, &[8, 5, 2, 0]);
    #[cfg(feature = "threefish")]
    agrees::<Threefish1024>(|b, k| Key::on(b, k).unwrap(), 128, &[19, 6, 1, 0]);
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
