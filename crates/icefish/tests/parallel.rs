//! Several threads give what one gives.
#![cfg(feature = "parallel")]

mod common;

use common::{Random, backends};
use icefish::cipher::Cipher;
use icefish::ciphers::{Aes128, Ice, Threefish, Threefish256, Threefish512, Threefish1024};
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
        every_mode(&Key::<Threefish256>::on(backend, &[3; 32]).unwrap());
        every_mode(&Key::<Threefish512>::on(backend, &[3; 64]).unwrap());
        every_mode(&Key::<Threefish1024>::on(backend, &[3; 128]).unwrap());
        every_mode(&Key::from_cipher(Ice::new(0, b"8 bytes.").unwrap(), backend));
    }
}

/// A sector on all cores is a sector on one, also where the numbers of its blocks begin anew.
#[test]
fn sectors_are_the_whole() {
    fn check<const W: usize, const B: usize>(backend: Backend) {
        let mut random = Random(10);
        let key = Key::<Threefish<W, B>>::on(backend, &random.bytes(B)).unwrap();
        for (len, first) in LENGTHS.into_iter().flat_map(|len| [(len, 7), (len, u64::MAX - 2000)]) {
            let message = random.bytes(len);
            let (mut data, mut expected) = (message.clone(), message.clone());
            key.encrypt_sector(5, first, &mut expected).unwrap();
            parallel::encrypt_sector(&key, 5, first, &mut data).unwrap();
            assert!(data == expected, "{len} bytes from block {first} on {backend}, {B} a block");
            parallel::decrypt_sector(&key, 5, first, &mut data).unwrap();
            assert!(
                data == message,
                "{len} bytes from block {first} on {backend}, {B} a block, back"
            );
        }
        let (mut data, got) = ([6; 200], 200 - 1);
        let refused = Err(Error::PartialBlock { got, block: B });
        assert_eq!(parallel::encrypt_sector(&key, 5, 0, &mut data[1..]), refused);
        assert_eq!(parallel::decrypt_sector(&key, 5, 0, &mut data[1..]), refused);
        assert_eq!(data, [6; 200]);
    }
    for backend in backends() {
        check::<4, 32>(backend);
        check::<8, 64>(backend);
        check::<16, 128>(backend);
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
