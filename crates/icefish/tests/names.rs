//! One list of names: what is made by name does what is made by its type.

#![cfg(feature = "alloc")]

#[cfg(any(feature = "aes", feature = "threefish"))]
use crate::common::Random;
#[cfg(any(feature = "aes", feature = "threefish", feature = "xoodoo"))]
use crate::common::backends;
use icefish::Error;
use icefish::modes::{Mode, Padding};
use icefish::suite::Named;
use std::collections::HashSet;

#[test]
fn every_name_is_one_thing() {
    let mut names = HashSet::new();
    for named in Named::all() {
        let name = named.to_string();
        let again: Named = name.parse().unwrap();
        assert_eq!((again.to_string(), again.cipher()), (name.clone(), named.cipher()));
        assert_eq!(std::mem::discriminant(&again), std::mem::discriminant(&named), "{name}");
        if let Some(cipher) = named.cipher() {
            assert!(name.starts_with(&format!("{cipher}-")), "{name}");
        }
        assert!(names.insert(name), "{named:?}");
    }
    for (family, name) in [
        (cfg!(feature = "aes"), "aes-256-gcm-siv"),
        (cfg!(feature = "aes"), "aes-128-xts"),
        (cfg!(feature = "aes"), "aes-256-cmac"),
        (cfg!(feature = "aes"), "aes-256-cbc-cs3"),
        (cfg!(feature = "aes"), "aes-192-cbc"),
        (cfg!(feature = "cobblestone"), "cobblestone-128"),
        (cfg!(feature = "cobblestone"), "cobblestone-256"),
        (cfg!(feature = "threefish"), "threefish-1024-cmac"),
        (cfg!(feature = "ice"), "thin-ice-ctr"),
        (cfg!(feature = "xoodoo"), "xoodyak"),
    ] {
        assert_eq!(names.contains(name), family, "{name}");
        assert_eq!(name.parse::<Named>().is_ok(), family, "{name}");
    }
}

#[test]
fn what_has_no_name_is_refused() {
    let refused = |name: &str| name.parse::<Named>().unwrap_err();
    for name in ["", "aes", "-", "xoodyak-", "des-cbc", "AES-256-CBC"] {
        assert_eq!(refused(name), Error::UnknownCipher, "{name}");
    }
    #[cfg(feature = "aes")]
    for name in ["aes-256-", "aes-256-cmacs", "aes-256-cbc-cs4", "aes-128-gmc"] {
        assert_eq!(refused(name), Error::UnknownMode, "{name}");
    }
}

#[cfg(feature = "aes")]
#[test]
fn codes_are_their_types() {
    use icefish::mac::Cmac;
    let mut random = Random(3);
    for backend in backends() {
        let (key, message) = (random.bytes(32), random.bytes(77));
        let Ok(Named::Mac(suite)) = "aes-256-cmac".parse() else { panic!("no code") };
        let mut by_name = suite.key(backend, &key).unwrap();
        let typed = Cmac::<icefish::ciphers::Aes256>::on(backend, &key).unwrap().tag(&message);
        let mut tag = [0; 16];
        by_name.tag(&message, &mut tag).unwrap();
        assert_eq!(tag, typed, "{backend}");
        by_name.verify(&message, &tag).unwrap();
        let mut pieces = by_name.start();
        for piece in message.chunks(9) {
            pieces.update(piece);
        }
        let mut copy = pieces.clone();
        copy.update(b"more");
        pieces.verify(&tag).unwrap();
        assert_eq!(copy.verify(&tag), Err(Error::Forged));
        assert_eq!(by_name.verify(&message[1..], &tag), Err(Error::Forged));

        let whole = Err(Error::TagLength { got: 8, least: 16, most: 16 });
        assert_eq!(by_name.verify(&message, &tag[..8]), whole);
        assert_eq!(by_name.tag(&message, &mut [0; 8]), whole);
        by_name.set_tag_len(8).unwrap();
        by_name.verify(&message, &tag[..8]).unwrap();
        let mut short = [0; 8];
        by_name.start().finish(&mut short).unwrap();
        assert!(matches!(by_name.verify(&message, &tag), Err(Error::TagLength { .. })));
        assert!(matches!(by_name.set_tag_len(7), Err(Error::TagLength { .. })));
        let wrong = suite.key(backend, &key[1..]).map(|_| ());
        assert_eq!(wrong, Err(Error::KeyLength { got: 31, need: 32 }));
    }
}

#[cfg(feature = "aes")]
#[test]
fn units_are_their_types() {
    use icefish::storage::Xts;
    let mut random = Random(4);
    for backend in backends() {
        let (key, data) = (random.bytes(32), random.bytes(3 * 512 + 100));
        let Ok(Named::Units(suite)) = "aes-128-xts".parse() else { panic!("no units") };
        let by_name = suite.key(backend, &key).unwrap();
        let typed = Xts::<icefish::ciphers::Aes128>::on(backend, &key).unwrap();
        let (mut one, mut other) = (data.clone(), data.clone());
        by_name.encrypt_units(7, 512, &mut one).unwrap();
        typed.encrypt_units(7, 512, &mut other).unwrap();
        assert!(one == other && one != data, "{backend}");
        by_name.decrypt_units(7, 512, &mut one).unwrap();
        assert!(one == data, "{backend}");
        let short = by_name.encrypt_units(0, 512, &mut [0; 15]);
        assert_eq!(short, Err(Error::TooShort { got: 15, least: 16 }));
        let equal = suite.key(backend, &[1; 32]).map(|_| ());
        assert_eq!(equal, Err(Error::EqualKeys));
    }
}

#[cfg(any(feature = "aes", feature = "threefish"))]
#[test]
fn stealing_is_its_type() {
    use icefish::Key;
    use icefish::cipher::NewCipher;
    fn check<C: NewCipher>(random: &mut Random, cipher: &str) {
        for named in Named::all().filter(|named| named.cipher() == Some(cipher)) {
            let Named::Stealing(suite) = named else { continue };
            for backend in backends() {
                let key = random.bytes(suite.key_len());
                let iv = random.bytes(suite.block_len());
                let data = random.bytes(3 * suite.block_len() + 5);
                let by_name = suite.key(backend, &key).unwrap();
                let typed = Key::<C>::on(backend, &key).unwrap();
                let (mut one, mut other) = (data.clone(), data.clone());
                by_name.encrypt_in_place(&iv, &mut one).unwrap();
                typed.encrypt_stealing(suite.variant(), &iv, &mut other).unwrap();
                assert!(one == other && one != data, "{named} on {backend}");
                by_name.decrypt_in_place(&iv, &mut one).unwrap();
                assert!(one == data, "{named} on {backend}");
                let short = by_name.encrypt_in_place(&iv, &mut [0; 3]);
                assert!(matches!(short, Err(Error::TooShort { got: 3, .. })), "{named}");
            }
        }
    }
    let random = &mut Random(5);
    #[cfg(feature = "aes")]
    check::<icefish::ciphers::Aes192>(random, "aes-192");
    #[cfg(feature = "threefish")]
    check::<icefish::ciphers::Threefish512>(random, "threefish-512");
    let stealing = Named::all().filter(|named| matches!(named, Named::Stealing(_))).count();
    let ciphers = usize::from(cfg!(feature = "aes")) + usize::from(cfg!(feature = "threefish"));
    assert_eq!(stealing, 9 * ciphers);
}

#[cfg(feature = "xoodoo")]
#[test]
fn xoodyak_is_its_type() {
    use icefish::aead::{Aead, Xoodyak};
    for backend in backends() {
        let Ok(Named::Aead(suite)) = "xoodyak".parse() else { panic!("no Xoodyak") };
        assert_eq!((suite.cipher, suite.key, suite.nonce, suite.tag), (None, 16, 16, 16));
        let by_name = suite.key(backend, &[7; 16]).unwrap();
        let (mut one, mut other, mut tag) = ([3; 100], [3; 100], [0; 16]);
        by_name.seal_in_place(&[1; 16], b"to: all", &mut one, &mut tag).unwrap();
        let typed = Xoodyak::on(backend, &[7; 16]).unwrap();
        assert_eq!(typed.seal_in_place(&[1; 16], b"to: all", &mut other), Ok(tag));
        assert_eq!(one, other, "{backend}");
        by_name.open_in_place(&[1; 16], b"to: all", &mut one, &tag).unwrap();
        assert_eq!(one, [3; 100], "{backend}");
    }
}

/// Many messages by name are what each is by itself, and a wrong one keeps all from being changed.
#[cfg(feature = "aes")]
#[test]
fn many_by_name() {
    use icefish::many::Message;
    use icefish::modes::{Granularity, Mode, Padding};
    use icefish::suite::{AnyMode, CIPHERS};
    for backend in backends() {
        for cipher in
            CIPHERS.iter().filter(|c| ["aes-256", "ice-2", "threefish-256"].contains(&c.name))
        {
            let mut random = Random(3);
            let key = cipher.key(backend, &random.bytes(cipher.key), &[]).unwrap();
            for &(name, mode) in AnyMode::ALL {
                let lens = [0, 1, 2, 40, 3, 9, 70].map(|blocks| cipher.block * blocks);
                let odd = usize::from(mode.granularity() != Granularity::Block);
                let mut data: Vec<_> = lens.map(|len| random.bytes(len + odd)).into();
                let before = data.clone();
                let ivs = lens.map(|_| random.bytes(mode.iv_len(cipher.block)));
                let mut expected = data.clone();
                for (one, iv) in expected.iter_mut().zip(&ivs) {
                    let len = one.len();
                    key.encrypt_in_place(mode, iv, Padding::None, one, len).unwrap();
                }
                let mut messages: Vec<_> =
                    data.iter_mut().zip(&ivs).map(|(data, iv)| Message { iv, data }).collect();
                key.encrypt_many(mode, &mut messages).unwrap();
                assert!(
                    messages.iter().map(|m| &*m.data).eq(expected.iter().map(|e| &**e)),
                    "{name} on {backend}"
                );
                key.decrypt_many(mode, &mut messages).unwrap();
                assert!(
                    messages.iter().map(|m| &*m.data).eq(before.iter().map(|e| &**e)),
                    "{name} on {backend}"
                );
                messages[6].iv = &[1, 2, 3];
                assert!(matches!(
                    key.encrypt_many(mode, &mut messages),
                    Err(Error::IvLength { got: 3, .. })
                ));
                messages[6].iv = &ivs[6];
                if mode.granularity() == Granularity::Block {
                    let mut partial = random.bytes(cipher.block + 1);
                    messages[6].data = &mut partial;
                    assert!(matches!(
                        key.decrypt_many(mode, &mut messages),
                        Err(Error::PartialBlock { .. })
                    ));
                }
                assert!(
                    data.iter().zip(&before).all(|(now, before)| now == before),
                    "{name} on {backend}"
                );
            }
        }
    }
}

#[test]
#[cfg(all(feature = "threefish", feature = "xoodoo"))]
fn a_copy_of_a_message_goes_its_own_way() {
    use icefish::suite::HASHES;
    for backend in backends() {
        for suite in HASHES {
            let hash = suite.hash(backend, suite.bits).unwrap();
            let digest = |message: &[u8]| {
                let mut digest = vec![0; hash.digest_len()];
                hash.hash(message, &mut digest).unwrap();
                digest
            };
            let mut message = hash.start();
            message.update(b"attack ");
            let mut copy = message.clone();
            copy.update(b"at dawn");
            copy.verify(&digest(b"attack at dawn")).unwrap();
            message.verify(&digest(b"attack ")).unwrap();
        }
    }
}

/// A byte that no length or name below has, as `Debug` writes bytes.
const SECRET: u8 = 217;

/// What is made by name says which name, and nothing of its key.
#[test]
fn keys_tell_their_name_and_no_secret() {
    let backend = icefish::Backend::best();
    let key =
        |len: usize| (0..len).map(|i| if i < len / 2 { SECRET } else { 7 }).collect::<Vec<u8>>();
    let mut count = 0;
    for named in Named::all() {
        let (name, shown) = match named {
            Named::Aead(suite) => {
                let made = suite.key(backend, &key(suite.key)).unwrap();
                (made.suite().name.to_owned(), format!("{suite:?} {made:?}"))
            }
            #[cfg(feature = "cobblestone")]
            Named::Chunked(suite) => {
                let made = suite.key(backend, &key(suite.key)).unwrap().clone();
                let sealer = made.sealer(&[SECRET; 24], b"context");
                let opener = made.opener(&sealer.header(), b"context").unwrap();
                (made.suite().name.to_owned(), format!("{suite:?} {made:?} {sealer:?} {opener:?}"))
            }
            Named::Raw(suite) => {
                let cipher = suite.cipher;
                let made =
                    cipher.key(backend, &key(cipher.key), &vec![SECRET; cipher.tweak]).unwrap();
                let iv = vec![SECRET; suite.mode.iv_len(cipher.block)];
                let message = made.encryptor(suite.mode, &iv, Padding::None).unwrap();
                (suite.to_string(), format!("{cipher:?} {made:?} {message:?}"))
            }
            Named::Stealing(suite) => {
                let made = suite.key(backend, &key(suite.key_len())).unwrap();
                (made.suite().to_string(), format!("{suite:?} {made:?}"))
            }
            Named::Units(suite) => {
                let made = suite.key(backend, &key(suite.key)).unwrap();
                (made.suite().name.to_owned(), format!("{suite:?} {made:?}"))
            }
            Named::Mac(suite) => {
                let made = suite.key(backend, &key(suite.key)).unwrap();
                (made.suite().name.to_owned(), format!("{suite:?} {made:?} {:?}", made.start()))
            }
            _ => panic!("{named:?} is of a kind that this test does not know"),
        };
        assert_eq!(name, named.to_string());
        assert!(!shown.contains("217") && !shown.contains("d9"), "{shown}");
        count += 1;
    }
    assert_eq!(count, Named::all().count());
}

/// Hashes by name: on all cores, by leaves, as codes, and compared.
#[test]
fn hashes_are_what_their_name_says() {
    let backend = icefish::Backend::best();
    let message: Vec<u8> = (0..200_000u32).map(|i| (i % 251) as u8).collect();
    for suite in icefish::suite::HASHES {
        let made = suite.hash(backend, 256).unwrap();
        assert_eq!(made.suite().name, suite.name);
        let mut digest = vec![0; made.digest_len()];
        made.hash(&message, &mut digest).unwrap();
        made.verify(&message, &digest).unwrap();
        assert!(made.verify(&message[1..], &digest).is_err(), "{suite:?}");
        #[cfg(feature = "parallel")]
        suite.hash(backend, 256).unwrap().on_all_cores().verify(&message, &digest).unwrap();
        #[cfg(feature = "threefish")]
        match made.leaf_len() {
            Some(len) => {
                let whole = message.len() / len * len;
                let mut hasher = made.start();
                hasher.append(&made.leaves(0, &message[..whole]).unwrap()).unwrap();
                hasher.update(&message[whole..]);
                hasher.verify(&digest).unwrap();
            }
            None => {
                assert_eq!(made.leaves(0, &[]).map(|_| ()), Err(Error::Leaves));
                let tree: icefish::suite::HashSuite = "skein-512-tree".parse().unwrap();
                let tree = tree.hash(backend, 256).unwrap();
                let leaves = tree.leaves(0, &message[..tree.leaf_len().unwrap()]).unwrap();
                assert_eq!(made.start().append(&leaves), Err(Error::Leaves));
            }
        }
        assert!(!format!("{suite:?} {made:?} {:?}", made.start()).is_empty());
        match suite.mac(backend, &[SECRET; 20], 256) {
            Ok(code) => {
                assert!(!format!("{code:?} {:?}", code.start()).contains("217"));
                assert!(suite.mac(backend, &[], 256).is_err());
                assert!(
                    code.verify(&message, &digest).is_err(),
                    "{suite:?}: the key changes nothing"
                );
            }
            Err(error) => assert_eq!(error, Error::KeyLength { got: 20, need: 0 }),
        }
    }
}
