//! Ciphertext stealing, data units, sectors, infinite garble extension, and message authentication codes.

use crate::data::{Data, Guarded, backends};
use crate::spec;
use icefish::ciphers::{Aes128, Threefish512};
use icefish::suite::{MACS, StealingSuite, UNITS};
use icefish::{Error, Key};

pub(crate) fn stealing(data: &mut Data<'_>) {
    if data.byte() == 1 {
        return ige(data);
    }
    let suites: Vec<StealingSuite> = StealingSuite::all().collect();
    let suite = data.pick(&suites);
    let block = suite.block_len();
    let (key, iv_len) =
        (data.text(suite.key_len()), if data.byte() == 1 { data.below(140) } else { block });
    let (iv, len) = (data.text(iv_len), data.len(3 * block, 70 * block));
    let message = data.text(len);
    let variant = suite.to_string().bytes().next_back().expect("a name") - b'0';
    for &backend in backends() {
        let made = suite.key(backend, &key).expect("a key of the right length");
        let mut buffer = Guarded::new(data, &message);
        match made.encrypt_in_place(&iv, buffer.inside()) {
            Ok(()) => {
                let cipher = spec::cipher(suite.cipher(), &key, &[0; 16]);
                let expected = spec::stealing::encrypt(&*cipher, variant, &iv, &message);
                assert!(buffer.inside() == expected, "{suite} on {backend}, {len} bytes");
                #[cfg(feature = "openssl")]
                crate::libcrypto::agrees_on_stealing(
                    suite.cipher(),
                    variant,
                    (&key, &iv),
                    &message,
                    buffer.inside(),
                );
                made.decrypt_in_place(&iv, buffer.inside()).expect("what was encrypted");
            }
            Err(error) => {
                assert!(iv_len != block || len < block, "{suite}: {error}");
                assert_eq!(made.decrypt_in_place(&iv, buffer.inside()), Err(error));
            }
        }
        assert!(buffer.into_inside() == message, "{suite} back on {backend}, {len} bytes");
    }
}

/// Data units of XTS; sectors of Threefish, of which any blocks can be taken alone.
pub(crate) fn units(data: &mut Data<'_>) {
    if data.bit() {
        return sector(data);
    }
    let suite = data.pick(UNITS);
    let mut key = data.text(suite.key);
    if data.byte() == 1 {
        key.copy_within(..suite.key / 2, suite.key / 2);
    }
    let first = u128::from(data.word()) << data.below(65);
    let (size, len) = (data.below(600), data.len(100, 1500));
    let message = data.text(len);
    for &backend in backends() {
        let made = match suite.key(backend, &key) {
            Ok(made) => made,
            Err(error) => return assert_eq!(error, Error::EqualKeys),
        };
        let mut buffer = Guarded::new(data, &message);
        match made.encrypt_units(first, size, buffer.inside()) {
            Ok(()) => {
                let ciphers =
                    key.chunks(suite.key / 2).map(spec::aes::Aes::new).collect::<Vec<_>>();
                let mut number = first;
                for (unit, got) in
                    message.chunks(size.max(1)).zip(buffer.inside().chunks(size.max(1)))
                {
                    let expected = spec::xts::encrypt(&ciphers[0], &ciphers[1], number, unit);
                    assert!(got == expected, "{suite:?} on {backend}, unit {number} of {size}");
                    #[cfg(feature = "openssl")]
                    crate::libcrypto::agrees_on_unit(suite.name, &key, number, unit, got);
                    number = number.wrapping_add(1);
                }
                made.decrypt_units(first, size, buffer.inside()).expect("what was encrypted");
            }
            Err(error) => {
                let short = size < 16 || (1..16).contains(&(len % size));
                assert!(short, "{suite:?}: {error}");
                assert_eq!(made.decrypt_units(first, size, buffer.inside()), Err(error));
            }
        }
        assert!(buffer.into_inside() == message, "{suite:?} back on {backend}");
    }
}

fn sector(data: &mut Data<'_>) {
    let (key, sector, first) = (data.text(64), data.word(), data.word());
    let first = if data.bit() { first } else { first >> 40 };
    let len = data.len(300, 40 * 64);
    let len = if data.byte() == 1 { len } else { len / 64 * 64 };
    let message = data.text(len);
    for &backend in backends() {
        let made = Key::<Threefish512>::on(backend, &key).expect("a key of 64 bytes");
        let mut buffer = Guarded::new(data, &message);
        match made.encrypt_sector(sector, first, buffer.inside()) {
            Ok(()) => {
                for (at, (plain, got)) in
                    message.chunks(64).zip(buffer.inside().chunks(64)).enumerate()
                {
                    let number = first.wrapping_add(at as u64);
                    let tweak = [sector, number].map(u64::to_le_bytes).concat();
                    let cipher = spec::cipher("threefish-512", &key, &tweak);
                    assert!(
                        got == cipher.encrypt(plain),
                        "block {number} of {sector} on {backend}"
                    );
                }
                made.decrypt_sector(sector, first, buffer.inside()).expect("what was encrypted");
            }
            Err(error) => assert!(!message.len().is_multiple_of(64), "{error}"),
        }
        assert!(buffer.into_inside() == message, "a sector back on {backend}");
    }
}

fn ige(data: &mut Data<'_>) {
    let (key, iv, len) = (data.text(16), data.text(32), data.below(40) * 16);
    let message = data.text(len);
    let expected = spec::ige::encrypt(&spec::aes::Aes::new(&key), &iv, &message);
    for &backend in backends() {
        let made = Key::<Aes128>::on(backend, &key).expect("a key of 16 bytes");
        let (mut there, mut back) = (Vec::new(), Vec::new());
        let mut encryptor = made.ige_encryptor(&iv).expect("an IV of two blocks");
        let mut decryptor = made.ige_decryptor(&iv).expect("an IV of two blocks");
        for piece in data.pieces(&message) {
            let mut sealed = Guarded::new(data, piece);
            let whole = piece.len().is_multiple_of(16);
            let done = encryptor.update_in_place(sealed.inside());
            assert_eq!(done.is_ok(), whole);
            let mut opened = vec![0; piece.len()];
            assert_eq!(decryptor.update(sealed.inside(), &mut opened).is_ok(), whole);
            if !whole {
                return;
            }
            there.extend(sealed.into_inside());
            back.extend(opened);
        }
        assert!(there == expected && back == message, "IGE on {backend}");
    }
}

/// Message authentication codes, in one call and in pieces.
pub(crate) fn codes(data: &mut Data<'_>) {
    let suite = data.pick(MACS);
    let key_len = if data.byte() == 1 { data.below(140) } else { suite.key };
    let (key, len) = (data.text(key_len), data.len(300, 2500));
    let message = data.text(len);
    let tag_len = if data.bit() { data.below(140) } else { suite.tag };
    for &backend in backends() {
        let mut made = match suite.key(backend, &key) {
            Ok(made) => made,
            Err(error) => return assert!(key_len != suite.key, "{error}"),
        };
        let set = made.set_tag_len(tag_len);
        assert!(set.is_ok() || tag_len != suite.tag);
        let len = made.tag_len();
        let (mut one, mut other) = (vec![0; len], vec![0; len]);
        made.tag(&message, &mut one).expect("a tag of that length");
        let mut pieces = made.start();
        data.pieces(&message).into_iter().for_each(|piece| pieces.update(piece));
        pieces.finish(&mut other).expect("a tag of that length");
        let cipher = spec::cipher(suite.cipher, &key, &[0; 16]);
        let expected = spec::cmac::tag(&*cipher, &message);
        assert!(one == expected[..len] && other == one, "{} on {backend}", suite.name);
        #[cfg(feature = "openssl")]
        crate::libcrypto::agrees_on_code(suite.cipher, &key, &message, &one);
        assert_eq!(made.verify(&message, &one), Ok(()));
        let changed = data.change(&mut one);
        assert_eq!(made.verify(&message, &one).is_err(), changed, "{} on {backend}", suite.name);
    }
}
