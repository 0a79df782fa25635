//! Opening what somebody else has sealed or changed: authenticated modes, sessions, wide blocks, chunks.
//!
//! What was not changed opens to the message. What was changed gives an error, and the output has none of the message.

use crate::data::Data;
use crate::{chunks, sessions, spec, within};
use icefish::Error;
use icefish::aead::{OpenError, Revocable};
use icefish::suite::{AEADS, AeadSuite, AnyAead};
use std::convert::Infallible;

pub(crate) fn run(bytes: &[u8]) {
    let data = &mut Data::new(bytes);
    match data.below(6) {
        0 | 1 => aead(data),
        2 => sessions::sane(data),
        3 => sessions::sanse(data),
        4 => sessions::wide_block(data),
        _ => chunks::run(data),
    }
}

/// The parts of a sealed message.
#[derive(Clone, PartialEq)]
struct Sealed {
    nonce: Vec<u8>,
    associated: Vec<u8>,
    data: Vec<u8>,
    tag: Vec<u8>,
}

/// Seals on one backend, changes what was sealed, and opens it on another.
fn aead(data: &mut Data<'_>) {
    let suite = data.pick(AEADS);
    let key = data.text(suite.key);
    let [mut sealer, mut opener] =
        [0; 2].map(|_| suite.key(data.backend(), &key).expect("a key of the right length"));
    let tag_len = if data.bit() { data.below(40) } else { suite.tag };
    let set = sealer.set_tag_len(tag_len);
    assert_eq!(opener.set_tag_len(tag_len), set, "{suite}");
    let tag_len = sealer.tag_len();
    assert!(set.is_err() || tag_len >= suite.shortest_tag);

    let nonce_len = if data.bit() { data.below(80) } else { suite.nonce };
    let (nonce, len) = (data.text(nonce_len), data.len(40, 300));
    let associated = data.text(len);
    let len = data.len(40, 1500);
    let message = data.text(len);
    let (mut sealed, mut tag) = (vec![0x5a; message.len()], vec![0x5a; tag_len]);
    let done = sealer.seal_between(&nonce, &associated, &message, &mut sealed, &mut tag);
    if done.is_err() {
        assert!(sealed.iter().chain(&tag).all(|&byte| byte == 0x5a), "{suite}: {done:?} wrote");
    } else {
        let (expected, whole) = specified(suite, tag_len, &key, &nonce, &associated, &message);
        assert!(sealed == expected && whole.starts_with(&tag), "{suite} is not as specified");
        #[cfg(feature = "openssl")]
        crate::libcrypto::agrees_on_sealing(
            suite.name,
            (&key, &nonce, &associated),
            &message,
            (&sealed, &tag),
        );
    }
    let honest = Sealed { nonce, associated, data: sealed, tag };
    let mut given = honest.clone();
    match data.below(5) {
        0 => data.change(&mut given.nonce),
        1 => data.change(&mut given.associated),
        2 => data.change(&mut given.data),
        3 => data.change(&mut given.tag),
        _ => false,
    };
    // The tag of fewer bytes may be guessed.
    let right = done.is_ok() && given == honest;
    if !right && tag_len < 8 {
        return;
    }
    match data.below(4) {
        0 => in_place(&opener, given, right, &message),
        1 => between(&opener, &given, right, &message),
        2 => in_pieces(data, &opener, &given, right, &message),
        _ => to_a_sink(data, &opener, &given, right, &message),
    }
}

fn in_place(opener: &AnyAead, given: Sealed, right: bool, message: &[u8]) {
    let Sealed { nonce, associated, mut data, tag } = given;
    let before = data.clone();
    let opened = within(0, || opener.open_in_place(&nonce, &associated, &mut data, &tag));
    assert_eq!(opened.is_ok(), right, "{:?}: {opened:?}", opener.suite());
    match opened {
        Ok(()) => assert!(data == message),
        Err(Error::Forged) => assert!(data.iter().all(|&byte| byte == 0), "something was released"),
        Err(_) => assert!(data == before, "it was refused and changed"),
    }
}

fn between(opener: &AnyAead, given: &Sealed, right: bool, message: &[u8]) {
    let Sealed { nonce, associated, data, tag } = given;
    let mut output = vec![0x5a; data.len()];
    let opened = within(0, || opener.open_between(nonce, associated, data, &mut output, tag));
    assert_eq!(opened.is_ok(), right, "{:?}: {opened:?}", opener.suite());
    match opened {
        Ok(()) => assert!(output == message),
        Err(Error::Forged) => assert!(output.iter().all(|&b| b == 0), "something was released"),
        Err(_) => assert!(output.iter().all(|&byte| byte == 0x5a), "it was refused and changed"),
    }
}

fn in_pieces(from: &mut Data<'_>, opener: &AnyAead, given: &Sealed, right: bool, message: &[u8]) {
    let mut room = vec![0; given.data.len() + from.below(3)];
    let too_short = from.byte() == 1 && room.pop().is_some() && room.len() < given.data.len();
    let whole = Err(Error::WholeMessage);
    let opened = opener.opener(&given.nonce, &mut room).and_then(|mut opener| {
        let pieces = from.pieces(&given.associated);
        pieces.into_iter().try_for_each(|piece| opener.associated(piece))?;
        let pieces = from.pieces(&given.data);
        pieces.into_iter().try_for_each(|piece| opener.update(piece))?;
        opener.finish(&given.tag).map(|opened| opened.to_vec())
    });
    if opened == whole {
        return;
    }
    assert_eq!(opened.is_ok(), right && !too_short, "{:?}: {opened:?}", opener.suite());
    match opened {
        Ok(opened) => assert!(opened == message),
        Err(_) => assert!(room.iter().all(|&byte| byte == 0), "something was left in the room"),
    }
}

/// Shows what was written only if it is kept.
struct Hidden<'a> {
    shown: &'a mut Option<Vec<u8>>,
    hidden: Vec<u8>,
}

impl Revocable for Hidden<'_> {
    type Error = Infallible;
    fn write(&mut self, piece: &[u8]) -> Result<(), Infallible> {
        self.hidden.extend_from_slice(piece);
        Ok(())
    }
    fn keep(self) -> Result<(), Infallible> {
        *self.shown = Some(self.hidden);
        Ok(())
    }
    fn discard(self) {}
}

fn to_a_sink(from: &mut Data<'_>, opener: &AnyAead, given: &Sealed, right: bool, message: &[u8]) {
    let mut shown = None;
    let sink = Hidden { shown: &mut shown, hidden: Vec::new() };
    // GCM-SIV must know the tag before; the other modes may.
    let opened = match opener.suite().name.ends_with("-gcm-siv") || from.bit() {
        true => opener.opener_with_tag(&given.nonce, &given.tag, sink),
        false => opener.opener_to(&given.nonce, sink),
    };
    let opened = opened.map_err(OpenError::Message);
    let opened = opened.and_then(|mut opener| {
        let pieces = from.pieces(&given.associated);
        pieces.into_iter().try_for_each(|piece| opener.associated(piece))?;
        let pieces = from.pieces(&given.data);
        pieces.into_iter().try_for_each(|piece| opener.update(piece))?;
        opener.finish(&given.tag)
    });
    assert_eq!(opened.is_ok(), right, "{:?}: {opened:?}", opener.suite());
    assert_eq!(shown.as_deref(), right.then_some(message));
}

/// Ciphertext and whole tag, as the specification has them.
fn specified(
    suite: &AeadSuite,
    tag_len: usize,
    key: &[u8],
    nonce: &[u8],
    associated: &[u8],
    message: &[u8],
) -> (Vec<u8>, Vec<u8>) {
    if let Some(variant) = suite.name.strip_prefix("aegis-") {
        let degree = match variant.split_once('x') {
            Some((_, degree)) => degree.parse().expect("a number"),
            None => 1,
        };
        return spec::aegis::seal(degree, tag_len, key, nonce, associated, message);
    }
    let Some(name) = suite.cipher else {
        return spec::xoodyak::seal(key, nonce, associated, message);
    };
    if suite.name.ends_with("-gcm-siv") {
        return spec::gcm_siv::seal(key, nonce, associated, message);
    }
    let cipher = spec::cipher(name, key, &[0; 16]);
    match suite.name.ends_with("-gcm") {
        true => spec::gcm::seal(&*cipher, nonce, associated, message),
        false => spec::eax::seal(&*cipher, nonce, associated, message),
    }
}
