//! What holds for every cipher, mode and backend.

#![cfg(all(feature = "alloc", any(feature = "aes", feature = "threefish", feature = "ice")))]

use crate::common::{Random, backends};
use crate::spec;
use icefish::modes::{Granularity, Mode, Padding};
use icefish::suite::{AnyKey, AnyMode, CIPHERS, CipherInfo};
use icefish::{Backend, Error};

/// A cipher of every block size and kind; more levels of ICE would only be slower.
fn ciphers() -> impl Iterator<Item = &'static CipherInfo> {
    let slow = ["ice-0", "ice-3", "ice-4", "ice-5", "ice-6", "ice-7", "ice-8"];
    CIPHERS.iter().filter(move |c| !slow.contains(&c.name))
}

/// The others are about what is there.
#[test]
fn every_family_is_there() {
    let of = |family: &str| CIPHERS.iter().filter(|c| c.name.contains(family)).count();
    assert_eq!(of("aes"), if cfg!(feature = "aes") { 3 } else { 0 });
    assert_eq!(of("threefish"), if cfg!(feature = "threefish") { 3 } else { 0 });
    assert_eq!(of("ice-"), if cfg!(feature = "ice") { 9 } else { 0 });
    assert_eq!(of("thin-ice"), usize::from(cfg!(feature = "ice")));
    let slow = if cfg!(feature = "ice") { 7 } else { 0 };
    assert_eq!(ciphers().count(), CIPHERS.len() - slow);
}

/// A key and a tweak, the same every time.
fn key_bytes(info: &CipherInfo) -> (Vec<u8>, Vec<u8>) {
    let mut random = Random(1);
    (random.bytes(info.key), random.bytes(info.tweak))
}

fn key(info: &'static CipherInfo, backend: Backend) -> AnyKey {
    let (key, tweak) = key_bytes(info);
    info.key(backend, &key, &tweak).unwrap()
}

fn iv_len(info: &CipherInfo, mode: AnyMode) -> usize {
    mode.iv_len(info.block)
}

/// The message as the specification encrypts it under [`key`].
fn encrypted(info: &CipherInfo, mode: AnyMode, iv: &[u8], message: &[u8]) -> Vec<u8> {
    let (key, tweak) = key_bytes(info);
    spec::modes::encrypt(&*spec::cipher(info.name, &key, &tweak), mode.name(), iv, message)
}

/// Lengths in bytes: around nothing, a block, and batches of every backend, and some in between.
fn lengths(block: usize, random: &mut Random) -> Vec<usize> {
    let mut lengths: Vec<usize> = (0..=2 * block + 1).step_by(1.max(block / 16)).collect();
    for blocks in [3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 128, 129] {
        lengths.extend([blocks * block - 1, blocks * block, blocks * block + 1]);
    }
    lengths.extend((0..6).map(|_| random.below(132 * block)));
    lengths
}

fn whole(mode: AnyMode, len: usize, block: usize) -> usize {
    match mode.granularity() {
        Granularity::Block => len / block * block,
        Granularity::Stream | Granularity::Byte => len,
    }
}

/// One call, in place and not, with guard bytes around and at odd addresses, is what the specification
/// gives; decryption gives the message back.
#[test]
fn every_length_agrees_with_the_specification() {
    for info in ciphers() {
        for &(name, mode) in AnyMode::ALL {
            let mut random = Random(2);
            let iv = random.bytes(iv_len(info, mode));
            let longest = random.bytes(132 * info.block + 2);
            let expected = encrypted(info, mode, &iv, &longest[..130 * info.block]);
            for backend in backends() {
                let key = key(info, backend);
                for len in lengths(info.block, &mut Random(3)) {
                    let len = whole(mode, len.min(expected.len()), info.block);
                    let (message, expected) = (&longest[..len], &expected[..len]);
                    let what = format!("{} {name} of {len} bytes on {backend}", info.name);
                    let odd = 1 + len % 7;
                    let mut buffer = vec![0xa5; odd + len + 9];
                    buffer[odd..odd + len].copy_from_slice(message);
                    let data = &mut buffer[odd..odd + len];
                    key.encrypt_in_place(mode, &iv, Padding::None, data, len).unwrap();
                    assert!(data == expected, "{what}");
                    key.decrypt_in_place(mode, &iv, Padding::None, data, len).unwrap();
                    assert!(data == message, "{what}, back");
                    let around = buffer[..odd].iter().chain(&buffer[odd + len..]);
                    assert!(around.into_iter().all(|&b| b == 0xa5), "{what} wrote outside");

                    let mut output = vec![0x5a; len + 3];
                    let got = key.encrypt_between(mode, &iv, Padding::None, message, &mut output);
                    assert_eq!(got, Ok(len), "{what}");
                    assert!(&output[..len] == expected && output[len..] == [0x5a; 3], "{what}");
                    let mut back = vec![0x33; len];
                    key.decrypt_between(mode, &iv, Padding::None, expected, &mut back).unwrap();
                    assert!(back == message, "{what}, back");
                }
            }
        }
    }
}

/// Any split of the input gives what one call gives, padded or not.
#[test]
fn any_split_is_one_call() {
    let mut random = Random(4);
    for info in ciphers() {
        for &(name, mode) in AnyMode::ALL {
            let iv = random.bytes(iv_len(info, mode));
            for backend in backends() {
                let key = key(info, backend);
                for padding in Padding::ALL {
                    let len = random.below(40 * info.block);
                    let len =
                        if padding == Padding::None { whole(mode, len, info.block) } else { len };
                    let mut message = random.bytes(len);
                    if let Some(last) = message.last_mut() {
                        *last |= 1;
                    }
                    let mut expected = vec![0; len + info.block];
                    let n =
                        key.encrypt_between(mode, &iv, padding, &message, &mut expected).unwrap();
                    expected.truncate(n);
                    let what = format!("{} {name} {padding:?} {len} on {backend}", info.name);
                    let pieces = |encrypt: bool, input: &[u8], random: &mut Random| {
                        let start = if encrypt { AnyKey::encryptor } else { AnyKey::decryptor };
                        let mut crypter = start(&key, mode, &iv, padding).unwrap();
                        let (mut out, mut rest) = (Vec::new(), input);
                        while !rest.is_empty() {
                            let most = if random.below(2) == 0 { 5 } else { 9 * info.block };
                            let (now, later) = rest.split_at(random.below(most).min(rest.len()));
                            let mut room = vec![0; crypter.output_len(now.len())];
                            let n = crypter.update(now, &mut room).unwrap();
                            out.extend_from_slice(&room[..n]);
                            rest = later;
                        }
                        let mut room = vec![0; info.block];
                        let n = crypter.finish(&mut room).unwrap();
                        out.extend_from_slice(&room[..n]);
                        out
                    };
                    assert!(pieces(true, &message, &mut random) == expected, "{what}");
                    assert!(pieces(false, &expected, &mut random) == message, "{what}, back");
                    let mut back = vec![0; len];
                    let n = key.decrypt_between(mode, &iv, padding, &expected, &mut back);
                    assert_eq!(n, Ok(len), "{what}, without room for the padding");
                    assert!(back == message, "{what}, without room for the padding");
                    if len > 0 {
                        let short = &mut back[1..];
                        let n = key.decrypt_between(mode, &iv, padding, &expected, short);
                        assert_eq!(
                            n,
                            Err(Error::BufferLength { got: len - 1, need: len }),
                            "{what}"
                        );
                    }
                }
            }
        }
    }
}

/// Counters that wrap at 2^32, 2^64 and the end of the block, at a batch's edge and inside it.
#[test]
fn counters_wrap() {
    for info in ciphers() {
        for &(name, mode) in AnyMode::ALL.iter().filter(|(name, _)| name.starts_with("ctr")) {
            for width in [4, 8, info.block.min(16), info.block] {
                for before in [0, 1, 3, 4, 7, 8, 30, 33] {
                    let mut iv = vec![0x77; info.block];
                    let field = if name.ends_with("le") {
                        0..width
                    } else {
                        info.block - width..info.block
                    };
                    iv[field.clone()].fill(0xff);
                    let low = if name.ends_with("le") { field.start } else { field.end - 1 };
                    iv[low] -= before;
                    let message = vec![0; 70 * info.block + 5];
                    let expected = encrypted(info, mode, &iv, &message);
                    for backend in backends() {
                        let mut data = message.clone();
                        let len = data.len();
                        key(info, backend)
                            .encrypt_in_place(mode, &iv, Padding::None, &mut data, len)
                            .unwrap();
                        let what = format!("{} {name} {width} {before} on {backend}", info.name);
                        assert!(data == expected, "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn counter_modes_seek() {
    let mut random = Random(5);
    for info in ciphers() {
        for &(name, mode) in AnyMode::ALL.iter().filter(|(name, _)| name.starts_with("ctr")) {
            for backend in backends() {
                let key = key(info, backend);
                let iv = random.bytes(info.block);
                let mut stream = vec![0; 40 * info.block];
                let len = stream.len();
                key.encrypt_in_place(mode, &iv, Padding::None, &mut stream, len).unwrap();
                for _ in 0..20 {
                    let from = random.below(len);
                    let mut crypter = key.encryptor(mode, &iv, Padding::None).unwrap();
                    crypter.seek(from as u128).unwrap();
                    let mut part = vec![0; random.below(len - from)];
                    let zeros = part.clone();
                    crypter.update(&zeros, &mut part).unwrap();
                    assert!(part == stream[from..from + part.len()], "{} {name}", info.name);
                    crypter.seek(from as u128).unwrap();
                    crypter.update_in_place(&mut part).unwrap();
                    assert!(part == zeros, "{} {name}, in place", info.name);
                }
            }
        }
    }
}

#[cfg(feature = "aes")]
#[test]
fn counters_run_out() {
    use icefish::Error::{CounterExhausted, NotSeekable};
    let info = CipherInfo::by_name("aes-128").unwrap();
    let key = key(info, Backend::best());
    let start = |mode: &str, iv: &[u8]| key.encryptor(mode.parse().unwrap(), iv, Padding::None);
    let mut crypter = start("ctr32", &[9; 16]).unwrap();
    let last = (1 << 36) - 16;
    crypter.seek(last).unwrap();
    assert_eq!(crypter.update(&[0; 17], &mut [0; 17]), Err(CounterExhausted));
    assert_eq!(crypter.update(&[0; 16], &mut [0; 16]), Ok(16));
    assert_eq!(crypter.update(&[0; 1], &mut [0; 1]), Err(CounterExhausted));
    assert_eq!(crypter.seek(1 << 36), Err(CounterExhausted));
    assert_eq!(start("cbc", &[9; 16]).unwrap().seek(0), Err(NotSeekable));
}

#[test]
fn wrong_lengths_and_names_are_refused() {
    use icefish::Error::{
        BufferLength, IvLength, KeyLength, PartialBlock, TweakLength, UnknownCipher, UnknownMode,
    };
    use icefish::suite::Suite;
    for info in ciphers() {
        let (k, t) = (vec![0; info.key + 1], vec![0; info.tweak + 1]);
        let make = |k: &[u8], t: &[u8]| info.key(Backend::best(), k, t).map(|_| ());
        assert_eq!(make(&k, &[]), Err(KeyLength { got: info.key + 1, need: info.key }));
        assert_eq!(make(&k[1..], &t), Err(TweakLength { got: info.tweak + 1, need: info.tweak }));
        let key = key(info, Backend::best());
        let crypt = |mode, iv: &[u8], padding, data: &mut [u8]| {
            let len = data.len();
            key.encrypt_in_place(mode, iv, padding, data, len)
        };
        let iv = vec![0; info.block - 1];
        assert_eq!(
            crypt(AnyMode::Cbc, &iv, Padding::None, &mut []),
            Err(IvLength { got: info.block - 1, need: info.block })
        );
        assert_eq!(
            crypt(AnyMode::Ecb, &[], Padding::None, &mut [0; 3]),
            Err(PartialBlock { got: 3, block: info.block })
        );
        assert_eq!(
            crypt(AnyMode::Ecb, &[], Padding::Pkcs7, &mut [0; 3]),
            Err(BufferLength { got: 3, need: info.block })
        );
    }
    let suite = |name: &str| name.parse::<Suite>().map(|s| s.to_string());
    for (name, there) in [
        ("aes-256-cbc", cfg!(feature = "aes")),
        ("ice-2-cfb8", cfg!(feature = "ice")),
        ("thin-ice-ecb", cfg!(feature = "ice")),
        ("threefish-1024-ctr", cfg!(feature = "threefish")),
    ] {
        assert_eq!(suite(name), if there { Ok(name.to_owned()) } else { Err(UnknownCipher) });
        let wrong = if there { UnknownMode } else { UnknownCipher };
        assert_eq!(suite(&format!("{name}x")), Err(wrong));
    }
    assert_eq!(suite("aes-255-cbc"), Err(UnknownCipher));
    assert_eq!(suite("aes-256"), Err(UnknownCipher));
}

/// The backends that emulators and CI say that there are.
#[test]
fn expected_backends_are_there() {
    let available: Vec<_> = Backend::available().map(Backend::name).collect();
    if let Ok(expected) = std::env::var("ICEFISH_EXPECT_BACKENDS") {
        assert_eq!(available.join(","), expected);
    }
    assert_eq!(available[0], "scalar");
    for name in available {
        assert_eq!(Backend::by_name(name).unwrap().name(), name);
    }
    assert!(Backend::by_name("mmx").is_err());
}

/// A message in one call is what a [`Crypter`] makes of it, errors too.
#[cfg(any(feature = "aes", feature = "threefish"))]
#[test]
fn one_call_is_a_message() {
    use icefish::cipher::NewCipher;
    use icefish::ciphers::*;
    use icefish::modes::Mode;
    use icefish::{Block, Key};
    fn check<C: NewCipher>(backend: Backend, random: &mut Random) {
        let key = Key::<C>::on(backend, &random.bytes(C::KEY)).unwrap();
        let block = C::Block::LEN;
        for &(name, mode) in AnyMode::ALL {
            let iv = random.bytes(mode.iv_len(block));
            for len in [0, 1, block - 1, block, block + 3, 4 * block, 33 * block, 33 * block + 5] {
                let message = random.bytes(len);
                let (mut one, mut other) = (message.clone(), message.clone());
                let got = key.encrypt(mode, &iv, &mut one);
                let crypter = key.encryptor(mode, &iv).unwrap().padding(Padding::None);
                assert_eq!(got, crypter.in_place(&mut other, len).map(|_| ()), "{name} {len}");
                if got.is_ok() {
                    assert_eq!(one, other, "{name} {len}");
                    key.decrypt(mode, &iv, &mut one).unwrap();
                    assert_eq!(one, message, "{name} {len}");
                } else {
                    assert_eq!(key.decrypt(mode, &iv, &mut one), got, "{name} {len}");
                }
            }
            let wrong = [0; 7];
            let expected = key.encryptor(mode, &wrong).err();
            assert_eq!(key.encrypt(mode, &wrong, &mut vec![0; block]).err(), expected, "{name}");
        }
    }
    let mut random = Random(9);
    for backend in backends() {
        #[cfg(feature = "aes")]
        check::<Aes128>(backend, &mut random);
        #[cfg(feature = "aes")]
        check::<Aes256>(backend, &mut random);
        #[cfg(feature = "threefish")]
        check::<Threefish256>(backend, &mut random);
    }
}
