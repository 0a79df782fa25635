//! CBC with ciphertext stealing, IGE and PCBC.

#![cfg(feature = "aes")]

use crate::common::{RFC_3962, RFC_3962_MESSAGE, Random, backends, hex, rows};
use crate::spec;
use icefish::cipher::{Cipher, NewCipher};
use icefish::ciphers::*;
use icefish::modes::{Cbc, CbcCs, Padding, Pcbc};
use icefish::{Backend, Block, Error, Key};

#[test]
fn published_stealing() {
    let message = RFC_3962_MESSAGE;
    for backend in backends() {
        let key = Key::<Aes128>::on(backend, b"chicken teriyaki").unwrap();
        for (len, expected) in RFC_3962 {
            let mut data = message[..len].to_vec();
            key.encrypt_stealing(CbcCs::Cs3, &[0; 16], &mut data).unwrap();
            assert_eq!(data, hex(expected), "{len} on {backend}");
            key.decrypt_stealing(CbcCs::Cs3, &[0; 16], &mut data).unwrap();
            assert_eq!(data, message[..len], "{len} on {backend}");
        }
    }
}

fn steals<C: Cipher>(name: &str, make: impl Fn(Backend, &[u8]) -> Key<C>, key: usize) {
    let mut random = Random(key as u64);
    let size = C::Block::LEN;
    let (bytes, iv, message) = (random.bytes(key), random.bytes(size), random.bytes(36 * size));
    let specified = spec::cipher(name, &bytes, &[]);
    for backend in backends() {
        let key = make(backend, &bytes);
        let steps = (size..=3 * size + 1).step_by(1.max(size / 16));
        for len in steps.chain([9 * size - 1, 33 * size, 35 * size + 1, 36 * size]) {
            for &(name, cs) in CbcCs::ALL {
                let (message, odd) = (&message[..len], 1 + len % 7);
                let what = format!("{name} of {len} bytes in blocks of {size} on {backend}");
                let variant = name.as_bytes()[name.len() - 1] - b'0';
                let expected = spec::stealing::encrypt(&*specified, variant, &iv, message);
                let mut buffer = vec![0xa5; odd + len + 9];
                let data = &mut buffer[odd..odd + len];
                data.copy_from_slice(message);
                key.encrypt_stealing(cs, &iv, data).unwrap();
                assert!(data == expected, "{what}");
                key.decrypt_stealing(cs, &iv, data).unwrap();
                assert!(data == message, "{what}, back");
                let around = buffer[..odd].iter().chain(&buffer[odd + len..]);
                assert!(around.into_iter().all(|&b| b == 0xa5), "{what} wrote outside");
                let (mut there, mut back) = (vec![1; len], vec![2; len]);
                key.encrypt_stealing_between(cs, &iv, message, &mut there).unwrap();
                key.decrypt_stealing_between(cs, &iv, &there, &mut back).unwrap();
                assert!(there == expected && back == message, "{what}, between");
            }
        }
    }
}

#[test]
fn every_length_of_stealing() {
    #[cfg(feature = "ice")]
    steals::<Ice>("ice-2", |b, k| Key::from_cipher(b, Ice::new(2, k).unwrap()), 16);
    steals::<Aes192>("aes-192", |b, k| Key::on(b, k).unwrap(), 24);
    #[cfg(feature = "threefish")]
    steals::<Threefish256>("threefish-256", |b, k| Key::on(b, k).unwrap(), 32);
    #[cfg(feature = "threefish")]
    steals::<Threefish1024>("threefish-1024", |b, k| Key::on(b, k).unwrap(), 128);
}

#[test]
fn stealing_refuses_less_than_a_block() {
    let key = Key::<Aes128>::new(&[1; 16]).unwrap();
    for &(name, cs) in CbcCs::ALL {
        assert_eq!(name.parse(), Ok(cs));
        let short = key.encrypt_stealing(cs, &[0; 16], &mut [0; 15]);
        assert_eq!(short, Err(Error::TooShort { got: 15, least: 16 }));
        let iv = key.decrypt_stealing(cs, &[0; 15], &mut [0; 16]);
        assert_eq!(iv, Err(Error::IvLength { got: 15, need: 16 }));
    }
    assert_eq!("cbc-cs4".parse::<CbcCs>(), Err(Error::UnknownMode));
}

fn rows_of<C: NewCipher>(backend: Backend) {
    for row in rows("aes/ige_pcbc.csv") {
        let [mode, key, iv, plain, cipher] = &row[..] else { panic!("five columns") };
        let (key, iv, plain, cipher) = (hex(key), hex(iv), hex(plain), hex(cipher));
        if key.len() != C::KEY {
            continue;
        }
        let key = Key::<C>::on(backend, &key).unwrap();
        let mut data = plain.clone();
        if mode == "ige" {
            key.ige_encryptor(&iv).unwrap().update_in_place(&mut data).unwrap();
            assert_eq!(data, cipher, "{mode} on {backend}");
            key.ige_decryptor(&iv).unwrap().update_in_place(&mut data).unwrap();
        } else {
            let len = data.len();
            let message = key.encryptor(Pcbc, &iv).unwrap().padding(Padding::None);
            message.in_place(&mut data, len).unwrap();
            assert_eq!(data, cipher, "{mode} on {backend}");
            let message = key.decryptor(Pcbc, &iv).unwrap().padding(Padding::None);
            message.in_place(&mut data, len).unwrap();
        }
        assert_eq!(data, plain, "{mode} on {backend}, back");
    }
}

#[test]
fn rows_of_the_data_file() {
    for backend in backends() {
        rows_of::<Aes128>(backend);
        rows_of::<Aes192>(backend);
        rows_of::<Aes256>(backend);
    }
}

/// In pieces as in one, and a garbled block garbles all that follow.
#[test]
fn ige_agrees_with_the_specification_and_continues() {
    fn of<C: NewCipher>(name: &str) {
        let mut random = Random(9);
        let size = C::Block::LEN;
        let key = random.bytes(C::KEY);
        let (iv, message) = (random.bytes(2 * size), random.bytes(20 * size));
        let expected = spec::ige::encrypt(&*spec::cipher(name, &key, &[]), &iv, &message);
        for backend in backends() {
            let key = Key::<C>::on(backend, &key).unwrap();
            let (mut there, mut back) = (vec![0; message.len()], vec![0; message.len()]);
            let (mut encrypt, mut decrypt) =
                (key.ige_encryptor(&iv).unwrap(), key.ige_decryptor(&iv).unwrap());
            for range in [0..0, 0..size, size..7 * size, 7 * size..20 * size] {
                let now = range.clone();
                encrypt.update(&message[now.clone()], &mut there[now]).unwrap();
                decrypt.update(&there[range.clone()], &mut back[range]).unwrap();
            }
            assert!(there == expected && back == message, "{size} on {backend}");
            there[size] ^= 1;
            key.ige_decryptor(&iv).unwrap().update_in_place(&mut there).unwrap();
            assert_eq!(there[..size], message[..size]);
            let pairs = || there.chunks(size).zip(message.chunks(size)).skip(1);
            assert!(pairs().all(|(a, b)| a != b));
        }
    }
    of::<Aes256>("aes-256");
    #[cfg(feature = "threefish")]
    of::<Threefish256>("threefish-256");
    let key = Key::<Aes128>::new(&[0; 16]).unwrap();
    let wrong = key.ige_encryptor(&[0; 16]).map(|_| ());
    assert_eq!(wrong, Err(Error::IvLength { got: 16, need: 32 }));
    let partial = key.ige_encryptor(&[0; 32]).unwrap().update_in_place(&mut [0; 17]);
    assert_eq!(partial, Err(Error::PartialBlock { got: 17, block: 16 }));
}

#[test]
fn a_message_in_pieces_that_is_not_whole_blocks() {
    let key = Key::<Aes128>::new(&[7; 16]).unwrap();
    let mut out = [0; 64];
    let partial = Err(Error::PartialBlock { got: 40, block: 16 });
    let mut message = key.encryptor(Cbc, &[0; 16]).unwrap().padding(Padding::None);
    assert_eq!(message.update(&[0; 21], &mut out), Ok(16));
    assert_eq!(message.update(&[0; 19], &mut out), Ok(16));
    assert_eq!(message.finish(&mut out), partial);
    let mut message = key.decryptor(Cbc, &[0; 16]).unwrap();
    assert_eq!(message.update(&[0; 40], &mut out), Ok(32));
    assert_eq!(message.finish(&mut out), partial);
}
