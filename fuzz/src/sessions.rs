//! Sessions of Xoofff (SANE and SANSE), and its wide block cipher.

use crate::data::Data;
use crate::{spec, within};
use icefish::Error;
use icefish::constructions::xoofff::{Sane, Sanse, Wbc, Xoofff};

/// The same key at both ends, on two backends, and its bytes.
fn keys(data: &mut Data<'_>) -> ([Xoofff; 2], Vec<u8>) {
    let len = 16 + data.below(32);
    let key = data.text(len);
    let made = [0; 2].map(|_| Xoofff::on(data.backend(), &key).expect("a key of 16 to 47 bytes"));
    (made, key)
}

/// Associated data and messages of a session.
fn messages(data: &mut Data<'_>) -> Vec<(Vec<u8>, Vec<u8>)> {
    let count = 1 + data.below(4);
    let mut message = || {
        let (associated, plain) = (data.len(3, 200), data.len(3, 700));
        (data.text(associated), data.text(plain))
    };
    (0..count).map(|_| message()).collect()
}

/// Opens a message in place: associated data, ciphertext and tag.
type Open<'a> = dyn FnMut(&[u8], &mut [u8], &[u8]) -> Result<(), Error> + 'a;

/// What the other end does with a message that may have been changed: it opens, or gives [`Error::Forged`] and zeros.
fn receive(
    data: &mut Data<'_>,
    mut associated: Vec<u8>,
    mut sealed: Vec<u8>,
    mut tag: Vec<u8>,
    plain: &[u8],
    open: &mut Open<'_>,
) {
    let honest = (associated.clone(), sealed.clone(), tag.clone());
    match data.below(6) {
        0 => data.change(&mut associated),
        1 => data.change(&mut sealed),
        2 => data.change(&mut tag),
        _ => false,
    };
    tag.resize(honest.2.len(), 0);
    let changed = (associated.clone(), sealed.clone(), tag.clone()) != honest;
    let opened = open(&associated, &mut sealed, &tag);
    if changed {
        assert_eq!(opened, Err(Error::Forged));
        assert!(sealed.iter().all(|&byte| byte == 0), "something was released");
        // A forgery leaves the session as it was.
        let (associated, mut sealed, tag) = honest;
        open(&associated, &mut sealed, &tag).expect("the message itself");
        assert!(sealed == plain);
    } else {
        opened.expect("the message itself");
        assert!(sealed == plain);
    }
}

pub(crate) fn sane(data: &mut Data<'_>) {
    let ([one, other], key) = keys(data);
    let len = data.below(60);
    let nonce = data.text(len);
    let messages = messages(data);
    let (first, expected) = spec::xoofff::sane(&key, &nonce, &messages);
    let (mut sender, tag) = Sane::new(&one, &nonce);
    assert_eq!(tag[..], first);
    let mut wrong = tag;
    wrong[data.below(16)] ^= 1 << data.below(8);
    assert_eq!(Sane::accept(&other, &nonce, &wrong).err(), Some(Error::Forged));
    let mut receiver = Sane::accept(&other, &nonce, &tag).expect("the tag of the session");
    for ((associated, plain), expected) in messages.iter().zip(expected) {
        let mut sealed = plain.clone();
        let tag = sender.seal_in_place(associated, &mut sealed);
        assert!((&sealed, &tag[..]) == (&expected.0, &expected.1[..]), "SANE is not as specified");
        let in_place = data.bit();
        let mut open = |associated: &[u8], bytes: &mut [u8], tag: &[u8]| {
            let tag = tag.try_into().expect("16 bytes");
            if in_place {
                return within(0, || receiver.open_in_place(associated, bytes, tag));
            }
            let input = bytes.to_vec();
            within(0, || receiver.open_between(associated, &input, bytes, tag))
        };
        receive(data, associated.clone(), sealed, tag.to_vec(), plain, &mut open);
    }
}

pub(crate) fn sanse(data: &mut Data<'_>) {
    let ([one, other], key) = keys(data);
    let messages = messages(data);
    let expected = spec::xoofff::sanse(&key, &messages);
    let (mut sender, mut receiver) = (Sanse::new(&one), Sanse::new(&other));
    for ((associated, plain), expected) in messages.iter().zip(expected) {
        let mut sealed = plain.clone();
        let tag = sender.seal_in_place(associated, &mut sealed);
        assert!((&sealed, &tag[..]) == (&expected.0, &expected.1[..]), "SANSE is not as specified");
        let in_place = data.bit();
        let mut open = |associated: &[u8], bytes: &mut [u8], tag: &[u8]| {
            let tag = tag.try_into().expect("32 bytes");
            if in_place {
                return within(0, || receiver.open_in_place(associated, bytes, tag));
            }
            let input = bytes.to_vec();
            within(0, || receiver.open_between(associated, &input, bytes, tag))
        };
        receive(data, associated.clone(), sealed, tag.to_vec(), plain, &mut open);
    }
}

/// The wide block cipher, alone and as authenticated encryption.
pub(crate) fn wide_block(data: &mut Data<'_>) {
    let ([one, other], key) = keys(data);
    let (one, other) = (Wbc::new(&one), Wbc::new(&other));
    let (tweak, len) = (data.len(3, 200), data.len(100, 1000));
    let (tweak, message) = (data.text(tweak), data.text(len));
    if data.bit() {
        let mut block = message.clone();
        match within(0, || one.encipher(&tweak, &mut block)) {
            Ok(()) => assert!(block == spec::xoofff::encipher(&key, &tweak, &message)),
            Err(error) => {
                assert!(len < Wbc::SHORTEST && matches!(error, Error::TooShort { .. }));
                assert_eq!(other.decipher(&tweak, &mut block), Err(error));
            }
        }
        let mut back = vec![0; len];
        let done = other.decipher_between(&tweak, &block, &mut back);
        assert!(done.is_err() == (len < Wbc::SHORTEST) && (done.is_err() || back == message));
        return;
    }
    let mut sealed = vec![0; len + Wbc::TAG];
    one.seal_between(&tweak, &message, &mut sealed).expect("room for the tag");
    assert!(sealed == spec::xoofff::seal(&key, &tweak, &message), "WBC-AE is not as specified");
    let (mut given, mut associated) = (sealed, tweak);
    let changed = if data.bit() { data.change(&mut given) } else { data.change(&mut associated) };
    match within(0, || other.open(&associated, &mut given).map(|opened| opened.len())) {
        Ok(len) => assert!(!changed && given[..len] == message),
        Err(Error::Forged) => assert!(changed && given.iter().all(|&byte| byte == 0)),
        Err(_) => assert!(changed && given.len() < Wbc::TAG),
    }
}
