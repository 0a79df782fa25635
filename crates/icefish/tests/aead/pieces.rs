//! Authenticated messages in pieces: against the call for whole messages, and Wycheproof.

use crate::common::{Random, backends, wycheproof};
use icefish::Error;
#[cfg(feature = "xoodoo")]
use icefish::aead::Xoodyak;
use icefish::aead::{Aead, Eax, Gcm, OpenError, Piecewise, Revocable};
use icefish::ciphers::{Aes128, Aes192, Aes256, Threefish256, Threefish512, Threefish1024};
use icefish::suite::{AEADS, AeadSuite};

/// `bytes` cut at random: pieces of 0, 1 and any other number of bytes.
fn cut(random: &mut Random, mut len: usize) -> Vec<usize> {
    let mut pieces = Vec::new();
    while len > 0 {
        let piece = match random.below(5) {
            0 => 0,
            1 => 1,
            2 => random.below(40),
            3 => random.below(600),
            _ => random.below(len + 1),
        };
        pieces.push(piece.min(len));
        len -= piece.min(len);
    }
    pieces
}

/// Runs `call` with each piece of `bytes`.
fn each<'a>(random: &mut Random, bytes: &'a [u8], mut call: impl FnMut(&'a [u8])) {
    let mut rest = bytes;
    for len in cut(random, bytes.len()) {
        let (now, after) = rest.split_at(len);
        call(now);
        rest = after;
    }
}

/// A sink that records what became of it.
struct Record<'a> {
    written: &'a mut Vec<u8>,
    fate: &'a mut &'static str,
    most: usize,
}

impl Revocable for Record<'_> {
    type Error = &'static str;
    fn write(&mut self, piece: &[u8]) -> Result<(), &'static str> {
        self.written.extend_from_slice(piece);
        if self.written.len() > self.most { Err("full") } else { Ok(()) }
    }
    fn keep(self) -> Result<(), &'static str> {
        *self.fate = "kept";
        Ok(())
    }
    fn discard(self) {
        *self.fate = "discarded";
        self.written.clear();
    }
}

/// What a test seals: nonce, associated data, message, ciphertext and tag.
struct Sealed {
    nonce: Vec<u8>,
    associated: Vec<u8>,
    message: Vec<u8>,
    ciphertext: Vec<u8>,
    tag: Vec<u8>,
}

/// In pieces, by type.
fn typed<A: Piecewise>(aead: &A, random: &mut Random, case: &Sealed, what: &str) {
    let Sealed { nonce, associated, message, ciphertext, tag } = case;
    let mut sealer = aead.sealer(nonce).unwrap();
    each(random, associated, |piece| sealer.associated(piece).unwrap());
    let mut sealed = Vec::new();
    let in_place = random.below(2) == 0;
    each(random, message, |piece| {
        let mut output = piece.to_vec();
        if in_place {
            sealer.update_in_place(&mut output).unwrap();
        } else {
            output = vec![7; piece.len() + 3];
            assert_eq!(sealer.update(piece, &mut output), Ok(piece.len()));
            assert_eq!(output.split_off(piece.len()), [7; 3]);
        }
        sealed.extend(output);
    });
    assert!(sealed == *ciphertext, "{what}: sealed");
    assert_eq!(sealer.finish().as_ref(), tag, "{what}: tag");

    let mut room = vec![0xa5; message.len() + 5];
    for forged in [false, true] {
        let mut tag = tag.clone();
        tag[0] ^= u8::from(forged);
        room.fill(0xa5);
        let mut opener = aead.opener(nonce, &mut room).unwrap();
        each(random, associated, |piece| opener.associated(piece).unwrap());
        each(random, ciphertext, |piece| opener.update(piece).unwrap());
        match opener.finish(&tag) {
            Ok(opened) => assert!(!forged && opened == &message[..], "{what}: opened"),
            Err(error) => assert!(forged && error == Error::Forged, "{what}: {error}"),
        }
        let (plain, after) = room.split_at(message.len());
        assert_eq!(after, [0xa5; 5], "{what}");
        assert!(!forged || plain.iter().all(|&b| b == 0), "{what}: released something");

        let (mut written, mut fate) = (Vec::new(), "");
        let sink = Record { written: &mut written, fate: &mut fate, most: usize::MAX };
        let mut opener = aead.opener_to(nonce, sink).unwrap();
        each(random, associated, |piece| opener.associated(piece).unwrap());
        each(random, ciphertext, |piece| opener.update(piece).unwrap());
        let result = opener.finish(&tag);
        if forged {
            assert_eq!((result, fate), (Err(OpenError::Message(Error::Forged)), "discarded"));
        } else {
            assert_eq!((result, fate), (Ok(()), "kept"));
            assert!(written == *message, "{what}: into a sink");
        }
    }
}

/// Lengths round blocks and batches, and longer than four of them.
fn lengths(random: &mut Random, block: usize) -> Vec<usize> {
    let mut lengths = vec![0, 1, block - 1, block, block + 1, 2 * block, 511, 512, 513, 1024];
    lengths.extend([4 * 64 * 16 + 1, 5000 + random.below(100)]);
    lengths
}

fn every_split<A: Piecewise>(aead: &A, nonces: &[usize], block: usize, what: &str) {
    let mut random = Random(block as u64);
    for len in lengths(&mut random, block) {
        for &nonce in nonces {
            let (nonce, associated) = (random.bytes(nonce), {
                let len = random.below(100);
                random.bytes(len)
            });
            let message = random.bytes(len);
            let mut ciphertext = message.clone();
            let tag = aead.seal_in_place(&nonce, &associated, &mut ciphertext).unwrap();
            let tag = tag.as_ref().to_vec();
            let what = format!("{what}, {len} bytes, a nonce of {}", nonce.len());
            let case = Sealed { nonce, associated, message, ciphertext, tag };
            typed(aead, &mut random, &case, &what);
        }
    }
}

#[test]
fn every_split_is_the_whole_message() {
    for b in backends() {
        let key = Random(5).bytes(128);
        let gcm = [12, 1, 16, 33];
        every_split(&Gcm::<Aes128>::on(b, &key[..16]).unwrap(), &gcm, 16, &format!("GCM on {b}"));
        every_split(&Gcm::<Aes192>::on(b, &key[..24]).unwrap(), &gcm, 16, &format!("GCM on {b}"));
        every_split(&Gcm::<Aes256>::on(b, &key[..32]).unwrap(), &gcm, 16, &format!("GCM on {b}"));
        let (any, what) = ([12, 0, 16, 40], format!("EAX on {b}"));
        every_split(&Eax::<Aes128>::on(b, &key[..16]).unwrap(), &any, 16, &what);
        every_split(&Eax::<Aes192>::on(b, &key[..24]).unwrap(), &any, 16, &what);
        every_split(&Eax::<Aes256>::on(b, &key[..32]).unwrap(), &any, 16, &what);
        every_split(&Eax::<Threefish256>::on(b, &key[..32]).unwrap(), &any[..2], 32, &what);
        every_split(&Eax::<Threefish512>::on(b, &key[..64]).unwrap(), &any[..2], 64, &what);
        every_split(&Eax::<Threefish1024>::on(b, &key).unwrap(), &any[..2], 128, &what);
        #[cfg(feature = "xoodoo")]
        {
            let (xoodyak, what) = (Xoodyak::on(b, &key[..16]).unwrap(), format!("Xoodyak on {b}"));
            every_split(&xoodyak, &[16], 24, &what);
        }
    }
}

#[test]
fn by_name() {
    let mut random = Random(9);
    for (suite, b) in AEADS.iter().flat_map(|s| backends().into_iter().map(move |b| (s, b))) {
        let key = suite.key(b, &random.bytes(suite.key)).unwrap();
        let nonce = random.bytes(suite.nonce);
        if suite.name.ends_with("-gcm-siv") {
            assert_eq!(key.sealer(&nonce).err(), Some(Error::WholeMessage));
            assert_eq!(key.opener(&nonce, &mut []).err(), Some(Error::WholeMessage));
            continue;
        }
        let (associated, message) = (random.bytes(50), random.bytes(3000));
        let (mut ciphertext, mut tag) = (message.clone(), vec![0; suite.tag]);
        key.seal_in_place(&nonce, &associated, &mut ciphertext, &mut tag).unwrap();
        let mut sealer = key.sealer(&nonce).unwrap();
        each(&mut random, &associated, |piece| sealer.associated(piece).unwrap());
        let mut sealed = Vec::new();
        each(&mut random, &message, |piece| {
            let mut output = piece.to_vec();
            sealer.update_in_place(&mut output).unwrap();
            sealed.extend(output);
        });
        let mut written = vec![0; suite.tag];
        sealer.finish_to(&mut written).unwrap();
        assert!(sealed == ciphertext && written == tag, "{suite} on {b}");
        let mut room = vec![1; message.len()];
        let mut opener = key.opener(&nonce, &mut room).unwrap();
        opener.associated(&associated).unwrap();
        each(&mut random, &ciphertext, |piece| opener.update(piece).unwrap());
        assert!(opener.finish(&tag).unwrap() == &message[..], "{suite} on {b}");
    }
}

#[test]
fn wycheproof_in_pieces() {
    for (file, mode) in [("aes_gcm", "gcm"), ("aes_eax", "eax")] {
        let mut random = Random(3);
        for test in wycheproof(file) {
            let name = format!("aes-{}-{mode}", 8 * test.hex("key").len());
            let suite: AeadSuite = name.parse().unwrap();
            for b in backends() {
                let key = suite.key(b, &test.hex("key")).unwrap();
                let what = format!("{file}, test {} on {b}", test.id);
                let (nonce, sealed, message) = (test.hex("iv"), test.hex("ct"), test.hex("msg"));
                let mut room = vec![0xa5; sealed.len()];
                let Ok(mut opener) = key.opener(&nonce, &mut room) else {
                    assert!(!test.valid && nonce.is_empty(), "{what}");
                    continue;
                };
                each(&mut random, &test.hex("aad"), |piece| opener.associated(piece).unwrap());
                each(&mut random, &sealed, |piece| opener.update(piece).unwrap());
                let opened = opener.finish(&test.hex("tag")).map(|data| data.to_vec());
                let expected = if test.valid { Ok(message) } else { Err(Error::Forged) };
                assert_eq!(opened, expected, "{what}");
                assert!(test.valid || room.iter().all(|&b| b == 0), "{what}");
            }
        }
    }
}

#[test]
fn order_and_errors() {
    let gcm = Gcm::<Aes128>::new(&[7; 16]).unwrap();
    let mut sealer = gcm.sealer(&[1; 12]).unwrap();
    let short = Error::BufferLength { got: 4, need: 5 };
    assert_eq!(sealer.update(&[1; 5], &mut [0; 4]), Err(short));
    sealer.associated(b"before").unwrap();
    sealer.update(&[1; 5], &mut [0; 5]).unwrap();
    assert_eq!(sealer.associated(b"after"), Err(Error::LateAssociated));
    assert!(matches!(sealer.finish_to(&mut [0; 12]), Err(Error::TagLength { .. })));
    assert!(gcm.sealer(&[]).is_err());

    // Whatever ends an opener before its time, its room is cleared.
    type End = fn(&Gcm<Aes128>, &mut [u8; 16]);
    let ends: [End; 4] = [
        |gcm, room| {
            gcm.opener(&[1; 12], room).unwrap().update(&[1; 9]).unwrap();
        },
        |gcm, room| {
            let mut opener = gcm.opener(&[1; 12], room).unwrap();
            opener.update(&[1; 9]).unwrap();
            assert_eq!(opener.associated(&[]), Err(Error::LateAssociated));
            assert_eq!(opener.finish(&[0; 16]), Err(Error::LateAssociated));
        },
        |gcm, room| {
            let mut opener = gcm.opener(&[1; 12], room).unwrap();
            opener.update(&[1; 9]).unwrap();
            let short = Error::BufferLength { got: 16, need: 17 };
            assert_eq!(opener.update(&[1; 8]), Err(short));
            assert_eq!(opener.update(&[1; 1]), Err(short));
        },
        |gcm, room| {
            let mut opener = gcm.opener(&[1; 12], room).unwrap();
            opener.update(&[1; 9]).unwrap();
            assert!(matches!(opener.finish(&[0; 15]), Err(Error::TagLength { .. })));
        },
    ];
    for end in ends {
        let mut room = [0xa5; 16];
        end(&gcm, &mut room);
        assert_eq!(room, [[0; 9].as_slice(), &[0xa5; 7]].concat()[..]);
    }
}

#[test]
fn sinks_are_discarded() {
    let gcm = Gcm::<Aes128>::new(&[7; 16]).unwrap();
    let (mut written, mut fate) = (Vec::new(), "");
    let sink = Record { written: &mut written, fate: &mut fate, most: 9 };
    let mut opener = gcm.opener_to(&[1; 12], sink).unwrap();
    opener.update(&[1; 9]).unwrap();
    assert_eq!(opener.update(&[1; 1]), Err(OpenError::Sink("full")));
    assert_eq!(opener.update(&[1; 1]), Err(OpenError::Discarded));
    assert_eq!(opener.associated(&[1; 1]), Err(OpenError::Discarded));
    assert_eq!(opener.finish(&[0; 16]), Err(OpenError::Discarded));
    assert_eq!((written.len(), fate), (0, "discarded"));

    let sink = Record { written: &mut written, fate: &mut fate, most: 9 };
    gcm.opener_to(&[1; 12], sink).unwrap().update(&[1; 9]).unwrap();
    assert_eq!((written.len(), fate), (0, "discarded"));

    fate = "";
    let sink = Record { written: &mut written, fate: &mut fate, most: 9 };
    assert!(matches!(gcm.opener_to(&[], sink).err(), Some(Error::IvLength { .. })));
    assert_eq!(fate, "discarded");
}

#[test]
fn shorter_tags() {
    let mut gcm = Gcm::<Aes256>::new(&[7; 32]).unwrap();
    gcm.set_tag_len(12).unwrap();
    let (mut tag, mut room) = ([0; 12], []);
    gcm.sealer(&[1; 12]).unwrap().finish_to(&mut tag).unwrap();
    gcm.opener(&[1; 12], &mut room).unwrap().finish(&tag).unwrap();
    let whole = gcm.seal_in_place(&[1; 12], &[], &mut []).unwrap();
    assert_eq!(tag, whole[..12]);
}
