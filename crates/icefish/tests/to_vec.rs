//! Calls that return a new vector: what they return is what the calls with buffers of the caller write.

#![cfg(feature = "alloc")]

use crate::common::{Random, backends};
use icefish::Error;
#[cfg(any(feature = "aes", feature = "threefish", feature = "ice"))]
use icefish::modes::Padding;
use icefish::suite::AEADS;
#[cfg(any(feature = "aes", feature = "threefish", feature = "ice"))]
use icefish::suite::CIPHERS;

const LENGTHS: [usize; 8] = [0, 1, 15, 16, 17, 64, 129, 2000];

/// A vector has as much room as it needs: no byte of a plaintext was copied to a larger one.
fn fits(made: &Vec<u8>) {
    assert_eq!(made.capacity(), made.len());
}

#[test]
fn authenticated() {
    let mut random = Random(1);
    for (suite, backend) in AEADS.iter().flat_map(|s| backends().into_iter().map(move |b| (s, b))) {
        let mut key = suite.key(backend, &random.bytes(suite.key)).unwrap();
        for tag_len in [suite.tag, suite.shortest_tag] {
            key.set_tag_len(tag_len).unwrap();
            for len in LENGTHS {
                let what = format!("{suite}, {len} bytes, tag of {tag_len}, on {backend}");
                let (nonce, data) = (random.bytes(suite.nonce), random.bytes(len));
                let (mut ciphertext, mut tag) = (data.clone(), vec![0; tag_len]);
                key.seal_in_place(&nonce, b"to: all", &mut ciphertext, &mut tag).unwrap();
                let mut sealed = key.seal_to_vec(&nonce, b"to: all", &data).expect(&what);
                assert_eq!((&sealed[..len], &sealed[len..]), (&ciphertext[..], &tag[..]), "{what}");
                fits(&sealed);
                let opened = key.open_to_vec(&nonce, b"to: all", &sealed).expect(&what);
                assert_eq!(opened, data, "{what}");
                fits(&opened);

                let forged = Err(Error::Forged);
                assert_eq!(key.open_to_vec(&nonce, b"to: one", &sealed), forged, "{what}");
                assert!(key.open_to_vec(&nonce, b"to: all", &sealed[1..]).is_err(), "{what}");
                for at in [0, len / 2, sealed.len() - 1] {
                    sealed[at] ^= 1;
                    assert_eq!(key.open_to_vec(&nonce, b"to: all", &sealed), forged, "{what}");
                    sealed[at] ^= 1;
                }
            }
            let short = Error::TooShort { got: tag_len - 1, least: tag_len };
            assert_eq!(key.open_to_vec(&[1; 16], b"", &vec![0; tag_len - 1]), Err(short));
        }
    }
}

/// The calls of the trait are those by name.
#[cfg(feature = "aes")]
#[test]
fn authenticated_by_type() {
    use icefish::aead::{Aead, Aegis128X2, Gcm};
    use icefish::ciphers::Aes256;
    fn same<A: Aead>(mut typed: A, name: &str, key: &[u8]) {
        let suite: icefish::suite::AeadSuite = name.parse().unwrap();
        let mut by_name = suite.key(icefish::Backend::best(), key).unwrap();
        for tag_len in [suite.tag, suite.shortest_tag] {
            typed.set_tag_len(tag_len).unwrap();
            by_name.set_tag_len(tag_len).unwrap();
            let nonce = &[1; 16][..A::NONCE];
            let sealed = typed.seal_to_vec(nonce, b"to: all", b"attack at dawn").unwrap();
            fits(&sealed);
            let expected = by_name.seal_to_vec(nonce, b"to: all", b"attack at dawn");
            assert_eq!(Ok(&sealed), expected.as_ref());
            assert_eq!(typed.open_to_vec(nonce, b"to: all", &sealed).unwrap(), b"attack at dawn");
            assert_eq!(typed.open_to_vec(nonce, b"to: al", &sealed), Err(Error::Forged));
            let short = Error::TooShort { got: 3, least: tag_len };
            assert_eq!(typed.open_to_vec(nonce, b"", &sealed[..3]), Err(short));
            let wrong = Error::IvLength { got: 17, need: A::NONCE };
            if A::NONCE == 16 {
                assert_eq!(typed.seal_to_vec(&[1; 17], b"", b"attack"), Err(wrong));
            }
        }
    }
    same(Gcm::<Aes256>::new(&[7; 32]).unwrap(), "aes-256-gcm", &[7; 32]);
    same(Aegis128X2::new(&[7; 16]).unwrap(), "aegis-128x2", &[7; 16]);
}

#[cfg(any(feature = "aes", feature = "threefish", feature = "ice"))]
#[test]
fn raw() {
    use icefish::suite::AnyMode;
    let mut random = Random(2);
    let all = |info| backends().into_iter().map(move |backend| (info, backend));
    for (info, backend) in CIPHERS.iter().flat_map(all) {
        let key = info.key(backend, &random.bytes(info.key), &[]).unwrap();
        let iv = random.bytes(info.block);
        for mode in ["cbc", "ctr", "cfb8"].map(|name| name.parse::<AnyMode>().unwrap()) {
            for (padding, len) in Padding::ALL.iter().flat_map(|&p| LENGTHS.map(|len| (p, len))) {
                let what = format!("{}-{}, {padding:?}, {len}", info.name, mode.name());
                let data = random.bytes(len);
                let mut room = vec![0; len + info.block];
                let expected = key.encrypt_between(mode, &iv, padding, &data, &mut room);
                let encrypted = key.encrypt_to_vec(mode, &iv, padding, &data);
                assert_eq!(encrypted, expected.map(|len| room[..len].to_vec()), "{what}");
                let Ok(encrypted) = encrypted else {
                    let block = info.block;
                    assert_eq!(expected, Err(Error::PartialBlock { got: len, block }), "{what}");
                    continue;
                };
                fits(&encrypted);
                let decrypted = key.decrypt_to_vec(mode, &iv, padding, &encrypted).expect(&what);
                // This padding is removed with the zeros before it.
                let zeros = padding == Padding::Zero && mode.name() == "cbc";
                let end = data.iter().rposition(|&byte| !zeros || byte != 0).map_or(0, |at| at + 1);
                assert_eq!(decrypted, data[..end], "{what}");
            }
            let wrong = Error::IvLength { got: info.block + 1, need: info.block };
            let long = random.bytes(info.block + 1);
            let (encrypted, decrypted) = (
                key.encrypt_to_vec(mode, &long, Padding::Pkcs7, &[5; 256]),
                key.decrypt_to_vec(mode, &long, Padding::Pkcs7, &[5; 256]),
            );
            assert_eq!((encrypted, decrypted), (Err(wrong), Err(wrong)));
        }
    }
}

#[cfg(feature = "threefish")]
#[test]
fn raw_by_type() {
    use icefish::ciphers::Threefish512;
    use icefish::modes::{Cbc, Ctr};
    let (key, iv) = (icefish::Key::<Threefish512>::new(&[7; 64]).unwrap(), [1; 64]);
    let (encryptor, decryptor) = (|| key.encryptor(Cbc, &iv), || key.decryptor(Cbc, &iv));
    for len in LENGTHS {
        let data = Random(3).bytes(len);
        let mut room = vec![0; len + 64];
        let expected = encryptor().unwrap().between(&data, &mut room).unwrap();
        let encrypted = encryptor().unwrap().to_vec(&data).unwrap();
        assert_eq!(encrypted, room[..expected]);
        fits(&encrypted);
        assert_eq!(decryptor().unwrap().to_vec(&encrypted), Ok(data));
        let stream = key.encryptor(Ctr::BE, &iv).unwrap().to_vec(&encrypted).unwrap();
        assert_eq!(key.decryptor(Ctr::BE, &iv).unwrap().to_vec(&stream), Ok(encrypted));
    }
    let partial = Err(Error::PartialBlock { got: 65, block: 64 });
    assert_eq!(decryptor().unwrap().to_vec(&[5; 65]), partial);
    assert_eq!(encryptor().unwrap().padding(Padding::None).to_vec(&[5; 65]), partial);
    assert_eq!(decryptor().unwrap().to_vec(&[]), Err(Error::PartialBlock { got: 0, block: 64 }));
    let unpadded = encryptor().unwrap().padding(Padding::None).to_vec(&[0; 128]).unwrap();
    assert_eq!(decryptor().unwrap().to_vec(&unpadded), Err(Error::Padding));
}

#[cfg(feature = "cobblestone")]
#[test]
fn in_chunks() {
    use icefish::storage::Cobblestone256;
    use icefish::storage::cobblestone::{CHUNK, sealed_len};
    use icefish::suite::ChunkedSuite;
    let suite: ChunkedSuite = "cobblestone-256".parse().unwrap();
    let mut random = Random(4);
    for backend in backends() {
        let bytes = random.bytes(32);
        let key = suite.key(backend, &bytes).unwrap();
        let typed = Cobblestone256::on(backend, &bytes).unwrap();
        for len in [0, 1, 100, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 7] {
            let data = random.bytes(len);
            let sealer = key.sealer(&[1; 24], b"context");
            let mut expected = vec![0; sealed_len(len as u64).unwrap() as usize];
            let (header, chunks) = expected.split_at_mut(56);
            header.copy_from_slice(&sealer.header());
            sealer.seal_between(0, true, &data, chunks).unwrap();
            let mut sealed = key.seal_to_vec(&[1; 24], b"context", &data).unwrap();
            assert!(sealed == expected, "{len} on {backend}");
            fits(&sealed);
            assert!(typed.seal_to_vec(&[1; 24], b"context", &data).unwrap() == expected);
            let opened = key.open_to_vec(b"context", &sealed).unwrap();
            assert!(opened == data, "{len} on {backend}");
            fits(&opened);
            assert!(typed.open_to_vec(b"context", &sealed).unwrap() == data);

            assert_eq!(key.open_to_vec(b"other", &sealed), Err(Error::Commitment));
            let number = (len / CHUNK) as u64;
            *sealed.last_mut().unwrap() ^= 1;
            assert_eq!(key.open_to_vec(b"context", &sealed), Err(Error::ForgedChunk { number }));
            assert_eq!(typed.open_to_vec(b"context", &sealed), Err(Error::ForgedChunk { number }));
            for cut in [0, 55, 56 + 15] {
                assert_eq!(key.open_to_vec(b"context", &sealed[..cut]), Err(Error::Truncated));
            }
        }
    }
}

#[cfg(feature = "xoodoo")]
#[test]
fn sessions() {
    use icefish::constructions::xoofff::{Sane, Sanse, Xoofff};
    let (key, mut random) = (Xoofff::new(&[7; 32]).unwrap(), Random(5));
    let (mut alice, hello) = Sane::new(&key, &[1; 16]);
    let mut bob = Sane::accept(&key, &[1; 16], &hello).unwrap();
    let (mut carol, mut dave) = (Sanse::new(&key), Sanse::new(&key));
    for len in LENGTHS {
        let data = random.bytes(len);
        let mut expected = data.clone();
        let tag = alice.clone().seal_in_place(b"to: all", &mut expected);
        let mut sealed = alice.seal_to_vec(b"to: all", &data);
        assert_eq!((&sealed[..len], &sealed[len..]), (&expected[..], &tag[..]));
        sealed[len] ^= 1;
        assert_eq!(bob.open_to_vec(b"to: all", &sealed), Err(Error::Forged));
        sealed[len] ^= 1;
        assert_eq!(bob.open_to_vec(b"to: all", &sealed).as_ref(), Ok(&data));
        let short = Error::TooShort { got: 15, least: 16 };
        assert_eq!(bob.open_to_vec(b"to: all", &[0; 15]), Err(short));

        let mut expected = data.clone();
        let tag = carol.clone().seal_in_place(b"to: all", &mut expected);
        let mut sealed = carol.seal_to_vec(b"to: all", &data);
        assert_eq!((&sealed[..len], &sealed[len..]), (&expected[..], &tag[..]));
        sealed[0] ^= 1;
        assert_eq!(dave.open_to_vec(b"to: all", &sealed), Err(Error::Forged));
        sealed[0] ^= 1;
        assert_eq!(dave.open_to_vec(b"to: all", &sealed), Ok(data));
        let short = Error::TooShort { got: 31, least: 32 };
        assert_eq!(dave.open_to_vec(b"to: all", &[0; 31]), Err(short));
    }
}
