//! Several threads give what one gives.
#![cfg(all(
    feature = "parallel",
    feature = "aes",
    feature = "threefish",
    feature = "ice",
    feature = "xoodoo"
))]

use crate::common::{Random, backends};
use icefish::cipher::Cipher;
use icefish::ciphers::{Aes128, Ice, Threefish, Threefish256, Threefish512, Threefish1024};
use icefish::constructions::xoofff::{Sane, Sanse, Wbc, Xoofff};
use icefish::modes::{Cbc, Cfb, Cfb8, Ctr, Ecb, Granularity, Mode, Ofb, Padding};
use icefish::{Backend, Block, Error, Key, parallel};

/// Around pieces of 128 KiB, which most have with one thread, and some of them; 80,000 bytes are two pieces of ICE with two.
const LENGTHS: [usize; 8] =
    [0, 128, 80_000, 131_072 - 128, 131_072, 131_072 + 128, 500_000 - 32, 640_000];

fn check<C: Cipher, M: Mode>(key: &Key<C>, mode: M) {
    let mut random = Random(9);
    let iv = random.bytes(mode.iv_len(C::Block::LEN));
    for len in LENGTHS {
        let whole = len / C::Block::LEN * C::Block::LEN;
        let len = if mode.granularity() == Granularity::Block { whole } else { len + len % 251 };
        let message = random.bytes(len);
        let mut expected = message.clone();
        let one = key.decryptor(mode, &iv).unwrap().padding(Padding::None);
        one.in_place(&mut expected, len).unwrap();
        let mut data = message.clone();
        parallel::decrypt_in_place(key, mode, &iv, &mut data).unwrap();
        assert!(data == expected, "{len} bytes on {}", key.backend());
        if mode.depends_on(icefish::cipher::Way::Encrypt).is_some() {
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
        every_mode(&Key::from_cipher(backend, Ice::new(0, b"8 bytes.").unwrap()));
    }
}

/// Decrypts `clear` in CBC or CFB on every backend, on one thread and on two.
fn is_decrypted<M: Mode>(mode: M, clear: &[u8]) {
    let two = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    let mut sealed = clear.to_vec();
    Key::<Aes128>::new(&[3; 16]).unwrap().encrypt(mode, &[9; 16], &mut sealed).unwrap();
    for backend in backends() {
        let key = Key::<Aes128>::on(backend, &[3; 16]).unwrap();
        let mut data = sealed.clone();
        key.decrypt(mode, &[9; 16], &mut data).unwrap();
        assert!(data == clear, "{backend}, one thread");
        data.copy_from_slice(&sealed);
        two.install(|| parallel::decrypt_in_place(&key, mode, &[9; 16], &mut data)).unwrap();
        assert!(data == clear, "{backend}, two threads");
    }
}

/// Two pieces of 4 MiB and three blocks: from 4 MiB on, a message does not fit into the caches and is decrypted otherwise.
#[test]
fn messages_from_memory_are_decrypted() {
    let clear: Vec<u8> = (0..(8 << 20) + 48).map(|i| (i / 7 + i / 4099) as u8).collect();
    is_decrypted(Cbc, &clear);
    is_decrypted(Cfb, &clear);
}

/// Blocks of which no power of two is a multiple.
#[cfg(feature = "rustcrypto")]
#[test]
fn pieces_of_any_block() {
    use crate::common::toy::Toy;
    use cipher::consts::{U7, U12, U24, U200, U512};
    use icefish::rustcrypto::Foreign;
    for backend in backends() {
        every_mode(&Key::from_cipher(backend, Foreign::new(Toy::<U7>::new(3))));
        every_mode(&Key::from_cipher(backend, Foreign::new(Toy::<U12>::new(3))));
        every_mode(&Key::from_cipher(backend, Foreign::new(Toy::<U24>::new(3))));
        every_mode(&Key::from_cipher(backend, Foreign::new(Toy::<U200>::new(3))));
        every_mode(&Key::from_cipher(backend, Foreign::new(Toy::<U512>::new(3))));
    }
    // Also where pieces are larger, because the message is in no cache.
    let two = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let key = Key::from_cipher(Backend::best(), Foreign::new(Toy::<U12>::new(3)));
    let message = Random(11).bytes(12 << 20);
    let (mut data, mut expected) = (message.clone(), message);
    key.decrypt(Cbc, &[9; 12], &mut expected).unwrap();
    two.install(|| parallel::decrypt_in_place(&key, Cbc, &[9; 12], &mut data)).unwrap();
    assert!(data == expected, "12 MiB on two threads");
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

/// Lengths around two pieces of 63 KiB, from where on Xoofff uses threads, and more of them.
const STRINGS: [usize; 7] = [0, 1000, 129_023, 129_024, 129_025, 129_072 + 7, 400_001];

#[test]
fn strings_and_outputs_on_all_cores() {
    let mut random = Random(10);
    let string = random.bytes(STRINGS[6]);
    for backend in backends() {
        let one = Xoofff::on(backend, b"sixteen bytes...").unwrap();
        let all = one.clone().on_all_cores();
        let (mut a, mut b) = (one.history(), all.history());
        for len in STRINGS {
            a.push(&string[..len]);
            b.push(&string[..len]);
            let (mut x, mut y) = (vec![0; len], vec![1; len]);
            let (mut from, mut to) = (a.output(), b.output());
            for start in [0, 1, 48, 777] {
                from.seek(start);
                to.seek(start);
                from.fill(&mut x);
                to.fill(&mut y);
                assert!(x == y, "{len} bytes from {start} on {backend}");
                assert_eq!(from.position(), to.position());
                from.apply(&mut x);
                to.apply(&mut y);
                assert!(x == y, "{len} bytes after those from {start} on {backend}");
                to.apply_between(&string[..len], &mut y).unwrap();
                from.apply_between(&string[..len], &mut x).unwrap();
                assert!(x == y, "{len} bytes between buffers on {backend}");
            }
        }
    }
}

#[test]
fn modes_of_xoofff_on_all_cores() {
    let message = Random(11).bytes(300_000);
    for backend in backends() {
        let one = Xoofff::on(backend, b"sixteen bytes...").unwrap();
        let all = one.clone().on_all_cores();
        let (mut x, mut y) = (message.clone(), message.clone());
        let ((mut a, hello), (mut b, _)) = (Sane::new(&one, b"n"), Sane::new(&all, b"n"));
        assert_eq!(a.seal_in_place(b"ad", &mut x), b.seal_in_place(b"ad", &mut y));
        assert!(x == y, "{backend}");
        let mut b = Sane::accept(&all, b"n", &hello).unwrap();
        let wrong = b.open_in_place(b"ad", &mut y, &[0; 16]);
        assert_eq!(wrong, Err(Error::Forged));
        assert!(y.iter().all(|&byte| byte == 0));
        let (mut a, mut b) = (Sanse::new(&one), Sanse::new(&all));
        let mut y = x.clone();
        let tag = a.seal_in_place(b"ad", &mut x);
        assert_eq!(tag, b.seal_in_place(b"ad", &mut y));
        assert!(x == y, "{backend}");
        Wbc::new(&one).encipher(b"tweak", &mut x).unwrap();
        Wbc::new(&all).encipher(b"tweak", &mut y).unwrap();
        assert!(x == y, "{backend}");
        Wbc::new(&all).decipher(b"tweak", &mut x).unwrap();
        Sanse::new(&all).open_in_place(b"ad", &mut x, &tag).unwrap();
    }
}

/// A length that is not of whole blocks is refused, and nothing is written.
#[test]
fn lengths_that_do_not_fit() {
    let key = Key::<Aes128>::new(&[7; 16]).unwrap();
    let mut data = [1; 32];
    let refused = parallel::encrypt_in_place(&key, Ecb, &[], &mut data[..17]);
    assert_eq!(refused, Err(Error::PartialBlock { got: 17, block: 16 }));
    assert!(data.iter().all(|byte| *byte == 1));
}
