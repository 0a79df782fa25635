//! Several threads give what one gives.
#![cfg(feature = "parallel")]

mod common;

use common::{Random, backends};
use icefish::cipher::Cipher;
use icefish::ciphers::{Aes128, Ice, Threefish1024};
use icefish::modes::{Cbc, Cfb, Cfb8, Ctr, Ecb, Grain, Mode, Ofb, Padding};
use icefish::{Backend, Block, Error, Key, parallel};

/// Around the pieces of 128 KiB, and some of them.
const LENGTHS: [usize; 7] = [0, 128, 131_072 - 128, 131_072, 131_072 + 128, 500_000 - 32, 640_000];

fn check<C: Cipher, M: Mode>(key: &Key<C>, mode: M) {
    let mut random = Random(9);
    let iv = random.bytes(mode.iv_len(C::Block::LEN));
    for len in LENGTHS {
        let len = if mode.grain() == Grain::Block { len } else { len + len % 251 };
        let message = random.bytes(len);
        let mut expected = message.clone();
        let one = key.decryptor(mode, &iv).unwrap().padding(Padding::None);
        one.in_place(&mut expected, len).unwrap();
        let mut data = message.clone();
        parallel::decrypt_in_place(key, mode, &iv, &mut data).unwrap();
        assert!(data == expected, "{len} bytes on {}", key.backend());
        if mode.joint(true).is_some() {
            parallel::encrypt_in_place(key, mode, &iv, &mut data).unwrap();
            assert!(data == message, "{len} bytes on {}, back", key.backend());
        }
    }
}

fn every_mode<C: Cipher>(key: &Key<C>) {
    check(key, Ecb);
    check(key, Cbc);
    check(key, Cfb);
    check(key, Ctr::BE);
    check(key, Ctr::LE64);
}

#[test]
fn pieces_are_the_whole() {
    for backend in backends() {
        every_mode(&Key::<Aes128>::on(backend, &[3; 16]).unwrap());
        every_mode(&Key::<Threefish1024>::on(backend, &[3; 128]).unwrap());
        every_mode(&Key::from_cipher(Ice::new(0, b"8 bytes.").unwrap(), backend));
    }
}

#[test]
fn serial_modes_are_refused() {
    let key = Key::<Aes128>::on(Backend::best(), &[3; 16]).unwrap();
    let (iv, mut data) = ([0; 16], [5; 64]);
    assert_eq!(parallel::encrypt_in_place(&key, Cbc, &iv, &mut data), Err(Error::Serial));
    assert_eq!(parallel::encrypt_in_place(&key, Cfb, &iv, &mut data), Err(Error::Serial));
    assert_eq!(parallel::encrypt_in_place(&key, Ofb, &iv, &mut data), Err(Error::Serial));
    assert_eq!(parallel::decrypt_in_place(&key, Cfb8, &iv, &mut data), Err(Error::Serial));
    let wrong = parallel::encrypt_in_place(&key, Ctr::BE, &iv[1..], &mut data);
    assert_eq!(wrong, Err(Error::IvLength { got: 15, need: 16 }));
    let partial = parallel::encrypt_in_place(&key, Ecb, &[], &mut data[1..]);
    assert_eq!(partial, Err(Error::PartialBlock { got: 63, block: 16 }));
    assert_eq!(data, [5; 64]);
}
