//! Files and messages of Source-engine games.

use crate::data::Data;
use crate::{scratch, spec, within};
use icefish_files::formats::{Contents, Way, valve, valve_net};
use zeroize::Zeroizing;

pub(crate) fn run(data: &mut Data<'_>) {
    let level = data.below(valve::MAX_LEVEL + 2);
    let Ok(cipher) = valve::cipher(level) else { return };
    let len = if data.byte() == 1 { data.below(80) } else { cipher.key };
    let bytes = data.text(len);
    let Ok(key) = valve::key(level, &bytes, data.backend()) else {
        return assert!(bytes.len() != 8 * level.max(1));
    };
    let cipher = spec::ice::Ice::new(level, &bytes);
    if data.bit() { script(data, &key, &cipher) } else { messages(data, &key) }
}

/// A script in one call, as a file and among others is as specified.
fn script(data: &mut Data<'_>, key: &icefish::suite::AnyKey, cipher: &spec::ice::Ice) {
    let script = data.rest();
    let (whole, rest) = script.split_at(script.len() / 8 * 8);
    for way in [Way::Encrypt, Way::Decrypt] {
        let mut expected = match way {
            Way::Encrypt => spec::modes::encrypt(cipher, "ecb", &[], whole),
            Way::Decrypt => spec::modes::decrypt(cipher, "ecb", &[], whole),
        };
        expected.extend(rest);
        let mut one = script.clone();
        valve::crypt_in_place(key, way, &mut one).expect("a key of ICE");
        assert!(one == expected);
        let mut many: Vec<Contents> =
            [&script[..], &[], rest, &script].map(|s| Zeroizing::new(s.to_vec())).into();
        valve::crypt_many(key, way, &mut many).expect("a key of ICE");
        assert!(*many[0] == expected && *many[2] == rest && *many[3] == expected);
        let (mut output, input) = (Vec::new(), scratch::input(&script));
        let len = within(1 << 20, || valve::crypt(key, way, input, &mut output, &mut |_| {}));
        assert!(len.ok() == Some(script.len() as u64) && output == expected);
    }
}

/// The payload of a message whose plaintext is `plain`, if its lengths add up.
fn payload(plain: &[u8]) -> Option<&[u8]> {
    let (random, rest) = plain.split_first()?;
    let rest = rest.get(usize::from(*random)..)?;
    let (len, payload) = rest.split_at_checked(4)?;
    let len = u32::from_be_bytes(len.try_into().ok()?);
    (len as usize == payload.len()).then_some(payload)
}

/// Messages of any plaintext, alone, together and as files.
fn messages(data: &mut Data<'_>, key: &icefish::suite::AnyKey) {
    let count = 1 + data.below(3);
    let mut plain = || {
        let mut plain = data.raw(200);
        if data.bit() {
            // Lengths that add up.
            let payload = plain.split_off(plain.len() / 2);
            let random = plain.len().min(255);
            plain.truncate(random);
            plain.insert(0, random as u8);
            plain.extend((payload.len() as u32).to_be_bytes());
            plain.extend(payload);
        }
        plain
    };
    let plains: Vec<Vec<u8>> = (0..count).map(|_| plain()).collect();
    let seal = |plain: &Vec<u8>| {
        let mut message = Zeroizing::new(plain.clone());
        valve::crypt_in_place(key, Way::Encrypt, &mut message).expect("a key of ICE");
        message
    };
    let sealed: Vec<Contents> = plains.iter().map(seal).collect();
    let together = valve_net::open_many(key, sealed.clone());
    for ((plain, sealed), together) in plains.iter().zip(&sealed).zip(together) {
        let whole = !plain.is_empty() && plain.len().is_multiple_of(8);
        let expected = if whole { payload(plain) } else { None };
        let one = valve_net::open(key, sealed).ok();
        assert_eq!(one.as_ref().map(|p| &p[..]), expected);
        assert_eq!(together.ok(), one);
        let (mut output, input) = (Vec::new(), scratch::input(sealed));
        let len = within(1 << 20, || valve_net::decrypt(key, input, &mut output));
        assert_eq!(len.ok(), expected.map(|p| p.len() as u64));
        assert_eq!(output, expected.unwrap_or(&[]));
    }
}
