//! GCM-SIV in pieces: two passes to seal, and one that begins with the tag to open, against the call for whole messages and the
//! specification.

#![cfg(all(feature = "aes", feature = "alloc"))]

use crate::common::ways::{Hidden, Seen, pieces};
use crate::common::{Random, backends};
use crate::spec;
use icefish::aead::{Aead, FirstPass, GcmSiv, GcmSivPieces, OpenError, Sealer};
use icefish::cipher::NewCipher;
use icefish::ciphers::{Aes128, Aes256};
use icefish::suite::AEADS;
use icefish::{Backend, Error};

/// What a test seals.
struct Case {
    nonce: Vec<u8>,
    associated: Vec<u8>,
    message: Vec<u8>,
    ciphertext: Vec<u8>,
    tag: Vec<u8>,
}

/// Pieces that are mostly long, for messages that are longer than what is hashed and encrypted at a time.
fn cut<'a>(random: &mut Random, bytes: &'a [u8]) -> Vec<&'a [u8]> {
    if bytes.len() < 1000 {
        return pieces(random, bytes);
    }
    let (head, rest) = bytes.split_at(random.below(40));
    let (middle, tail) = rest.split_at(random.below(rest.len()));
    vec![head, &[], middle, tail]
}

fn first<C: NewCipher<Block = [u8; 16]>>(
    key: &GcmSiv<C>,
    random: &mut Random,
    case: &Case,
) -> FirstPass<GcmSivPieces<C>> {
    let mut first = key.first_pass(&case.nonce).unwrap();
    cut(random, &case.associated).into_iter().for_each(|piece| first.associated(piece).unwrap());
    cut(random, &case.message).into_iter().for_each(|piece| first.update(piece).unwrap());
    first
}

fn second<C: NewCipher<Block = [u8; 16]>>(
    sealer: &mut Sealer<GcmSivPieces<C>>,
    random: &mut Random,
    message: &[u8],
) -> Vec<u8> {
    let mut sealed = Vec::new();
    for piece in cut(random, message) {
        let mut output = vec![7; piece.len()];
        if random.below(2) == 0 {
            sealer.update(piece, &mut output).unwrap();
        } else {
            output.copy_from_slice(piece);
            sealer.update_in_place(&mut output).unwrap();
        }
        sealed.extend(output);
    }
    sealed
}

fn works<C: NewCipher<Block = [u8; 16]>>(
    key: &GcmSiv<C>,
    random: &mut Random,
    case: &Case,
    what: &str,
) {
    let Case { nonce, associated, message, ciphertext, tag } = case;
    let mut sealer = first(key, random, case).finish();
    assert_eq!(sealer.associated(b"more"), Err(Error::LateAssociated));
    let mut made = [0; 16];
    assert!(second(&mut sealer, random, message) == *ciphertext, "{what}: sealed");
    sealer.finish_to(&mut made).unwrap();
    assert_eq!(made[..], tag[..], "{what}: tag");

    // Other data in the second pass: a bit, one byte less, one more.
    let mut others = vec![[message, &[0][..]].concat()];
    if !message.is_empty() {
        others.push(message[1..].to_vec());
        let mut other = message.clone();
        other[random.below(message.len())] ^= 1 << random.below(8);
        others.push(other);
    }
    for other in others {
        let mut sealer = first(key, random, case).finish();
        second(&mut sealer, random, &other);
        let mut made = [7; 16];
        assert_eq!(sealer.finish_to(&mut made), Err(Error::Forged), "{what}");
        assert_eq!(made, [7; 16], "{what}");
    }

    // The tag at the beginning, and at the end.
    for forged in [(false, false), (true, false), (false, true), (true, true)] {
        let of = |is_forged| {
            let mut tag = tag.clone();
            tag[3] ^= u8::from(is_forged);
            tag
        };
        let mut shown = None;
        let mut opener = key.opener_with_tag(nonce, &of(forged.0), Hidden::to(&mut shown)).unwrap();
        cut(random, associated).into_iter().for_each(|piece| opener.associated(piece).unwrap());
        cut(random, ciphertext).into_iter().for_each(|piece| opener.update(piece).unwrap());
        let opened = opener.finish(&of(forged.1));
        let right = forged == (false, false);
        let expected = if right { Ok(()) } else { Err(OpenError::Message(Error::Forged)) };
        assert_eq!(opened, expected, "{what}, {forged:?}");
        assert_eq!(shown.as_ref(), right.then_some(message), "{what}, {forged:?}");
    }
}

fn every_length<C: NewCipher<Block = [u8; 16]>>(backend: Backend, bytes: &[u8]) {
    let (key, mut random) = (GcmSiv::<C>::on(backend, bytes).unwrap(), Random(7));
    let short = (0..=50).chain([511, 512, 513, 1024, 4097]);
    let at_once = 16 * 1024;
    for len in short.chain([at_once - 1, at_once, at_once + 1, 3 * at_once + 17]) {
        let (nonce, associated) = (random.bytes(12), {
            let len = [0, 1, 16, 20, 33, 200][random.below(6)];
            random.bytes(len)
        });
        let message = random.bytes(len);
        let mut ciphertext = message.clone();
        let tag = key.seal_in_place(&nonce, &associated, &mut ciphertext).unwrap().to_vec();
        if len < 2000 {
            let specified = spec::gcm_siv::seal(bytes, &nonce, &associated, &message);
            assert!(specified == (ciphertext.clone(), tag.clone()), "{len} bytes on {backend}");
        }
        let case = Case { nonce, associated, message, ciphertext, tag };
        works(&key, &mut random, &case, &format!("{len} bytes on {backend}"));
    }
}

#[test]
fn every_split_is_the_whole_message() {
    let key = Random(5).bytes(32);
    for backend in backends() {
        every_length::<Aes128>(backend, &key[..16]);
        every_length::<Aes256>(backend, &key);
    }
}

/// The counter wraps where the tag says: in the first block, inside a batch, and inside what is encrypted at a time.
#[test]
fn counters_wrap_at_any_block() {
    let mut random = Random(8);
    let (bytes, nonce) = (random.bytes(32), random.bytes(12));
    for backend in backends() {
        let key = GcmSiv::<Aes256>::on(backend, &bytes).unwrap();
        for left in [1, 2, 17, 100, 1024, 1100] {
            let mut tag = random.bytes(16);
            tag[..4].copy_from_slice(&u32::MAX.wrapping_sub(left - 1).to_le_bytes());
            let data = random.bytes(20_000);
            let mut seen = Vec::new();
            let mut opener = key.opener_with_tag(&nonce, &tag, Seen(&mut seen)).unwrap();
            cut(&mut random, &data).into_iter().for_each(|piece| opener.update(piece).unwrap());
            assert_eq!(opener.finish(&tag), Err(OpenError::Message(Error::Forged)));
            let specified = spec::gcm_siv::decrypted(&bytes, &nonce, &tag, &data);
            assert!(seen == specified, "{left} blocks on {backend}");
        }
    }
}

#[test]
fn errors() {
    let key = GcmSiv::<Aes128>::new(&[7; 16]).unwrap();
    let nonce = Error::IvLength { got: 11, need: 12 };
    assert_eq!(key.first_pass(&[1; 11]).err(), Some(nonce));
    let mut shown = None;
    assert_eq!(key.opener_with_tag(&[1; 11], &[0; 16], Hidden::to(&mut shown)).err(), Some(nonce));
    let short = Error::TagLength { got: 15, least: 16, most: 16 };
    assert_eq!(key.opener_with_tag(&[1; 12], &[0; 15], Hidden::to(&mut shown)).err(), Some(short));
    let mut first = key.first_pass(&[1; 12]).unwrap();
    first.update(b"data").unwrap();
    assert_eq!(first.associated(b"late"), Err(Error::LateAssociated));
    assert!(matches!(first.finish().finish_to(&mut [0; 12]), Err(Error::TagLength { .. })));
    // A message of nothing is the same in both passes.
    let mut tag = [0; 16];
    key.first_pass(&[1; 12]).unwrap().finish().finish_to(&mut tag).unwrap();
    key.open_in_place(&[1; 12], &[], &mut [], &tag).unwrap();
}

/// Every mode opens with a tag that is known before, and only GCM-SIV takes two passes.
#[test]
fn by_name() {
    let mut random = Random(9);
    for (suite, b) in AEADS.iter().flat_map(|s| backends().into_iter().map(move |b| (s, b))) {
        let key = suite.key(b, &random.bytes(suite.key)).unwrap();
        let (nonce, message) = (random.bytes(suite.nonce), random.bytes(70_000));
        let associated = random.bytes(50);
        let (mut ciphertext, mut tag) = (message.clone(), vec![0; suite.tag]);
        key.seal_in_place(&nonce, &associated, &mut ciphertext, &mut tag).unwrap();
        let siv = suite.name.ends_with("-gcm-siv");
        match key.first_pass(&nonce) {
            Err(error) => assert!(!siv && error == Error::OnePass, "{suite}: {error}"),
            Ok(mut first) => {
                assert!(siv, "{suite}");
                first.associated(&associated).unwrap();
                first.update(&message).unwrap();
                let (mut sealer, mut sealed) = (first.finish(), message.clone());
                let mut made = vec![0; suite.tag];
                sealer.update_in_place(&mut sealed).unwrap();
                sealer.finish_to(&mut made).unwrap();
                assert!(sealed == ciphertext && made == tag, "{suite} on {b}");
            }
        }
        let mut shown = None;
        let mut opener = key.opener_with_tag(&nonce, &tag, Hidden::to(&mut shown)).unwrap();
        opener.associated(&associated).unwrap();
        opener.update(&ciphertext).unwrap();
        opener.finish(&tag).unwrap();
        assert!(shown == Some(message), "{suite} on {b}");
        let short = key.opener_with_tag(&nonce, &tag[1..], Hidden::to(&mut shown)).err();
        assert!(matches!(short, Some(Error::TagLength { .. })), "{suite}");
    }
}
