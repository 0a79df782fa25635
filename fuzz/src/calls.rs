//! Sequences of calls, held against the specification: messages in pieces with seeking, Xoodyak, Xoofff, Skein; and the traits of
//! RustCrypto, held against the same.

use crate::data::Data;
use crate::{spec, traits};
use icefish::constructions::skein::{Arguments, Hasher, Skein, Tree};
use icefish::constructions::xoodyak::{self, Cyclist, Hash, Keyed};
use icefish::constructions::xoofff::Xoofff;
use icefish::modes::Padding;
use icefish::suite::{AnyMode, CIPHERS};
use icefish::{Backend, Error};

pub(crate) fn run(bytes: &[u8]) {
    let data = &mut Data::new(bytes);
    match data.below(8) {
        0 | 1 => stream(data),
        2 => hash_mode(data),
        3 => keyed_mode(data),
        4 => deck(data),
        5 => skein(data),
        6 => xoodyak_hash(data),
        _ => traits::run(data),
    }
}

/// A keystream that is used in pieces and moved about in. Two backends agree where the specification does not reach.
fn stream(data: &mut Data<'_>) {
    let info = data.pick(CIPHERS);
    let takes_blocks = |mode| matches!(mode, AnyMode::Ecb | AnyMode::Cbc | AnyMode::Pcbc);
    let modes = AnyMode::ALL.iter().map(|(_, mode)| *mode);
    let streams: Vec<AnyMode> = modes.filter(|mode| !takes_blocks(*mode)).collect();
    let mode = *data.pick(&streams);
    let (key, tweak, mut iv) = (data.text(info.key), data.text(info.tweak), data.text(info.block));
    if data.bit() {
        let from = data.below(info.block);
        iv[from..].fill(0xff);
    }
    let len = 40 * info.block;
    let zeros = vec![0; len];
    let cipher = spec::cipher(info.name, &key, &tweak);
    let expected = spec::modes::encrypt(&*cipher, mode.name(), &iv, &zeros);
    let keys = [0; 2].map(|_| info.key(data.backend(), &key, &tweak).expect("the right lengths"));
    let [mut one, mut other] =
        [0, 1].map(|i| keys[i].encryptor(mode, &iv, Padding::Pkcs7).expect("the right length"));
    // Modes that feed back can be followed from their start only; counter modes from everywhere.
    let mut at = Some(0);
    while !data.ended() {
        let count = data.below(12 * info.block);
        match data.below(4) {
            0 => {
                let near = data.below(len + 1) as u128;
                let far = u128::from(data.word()) << data.below(65);
                let to = if data.byte() == 1 { far } else { near };
                let moved = one.seek(to);
                assert_eq!(moved, other.seek(to));
                if moved.is_ok() {
                    at = usize::try_from(to).ok();
                } else {
                    assert!(mode.name().starts_with("ctr") == (moved != Err(Error::NotSeekable)));
                }
            }
            choice => {
                let (mut x, mut y) = (vec![0; count], vec![0; count]);
                let done = if choice == 1 {
                    one.update_in_place(&mut x).map(|()| count)
                } else {
                    one.update(&zeros[..count.min(len)], &mut x)
                };
                let taken = if choice == 1 { count } else { count.min(len) };
                assert_eq!(
                    other.update(&vec![0; taken], &mut y),
                    done,
                    "{} {}",
                    info.name,
                    mode.name()
                );
                assert!(done.is_err() || x == y, "{} {}", info.name, mode.name());
                if let (Some(from), Ok(taken)) = (at, done) {
                    let end = from.saturating_add(taken).min(len);
                    let there = expected.get(from..end).unwrap_or(&[]);
                    assert!(x.starts_with(there), "{} {} from {from}", info.name, mode.name());
                    at = from.checked_add(taken);
                }
            }
        }
    }
}

fn hash_mode(data: &mut Data<'_>) {
    let mut pairs = vec![(Cyclist::<Hash>::on(data.backend()), spec::xoodyak::Cyclist::hash())];
    while !data.ended() {
        let i = data.below(pairs.len());
        if data.byte() == 1 && pairs.len() < 4 {
            pairs.push(pairs[i].clone());
        }
        let (ours, model) = &mut pairs[i];
        absorb_or_squeeze(data, ours, model);
    }
}

fn absorb_or_squeeze<M: xoodyak::CyclistMode>(
    data: &mut Data<'_>,
    ours: &mut Cyclist<M>,
    model: &mut spec::xoodyak::Cyclist,
) {
    let len = data.len(60, 400);
    match data.below(3) {
        0 => {
            let string = data.text(len);
            ours.absorb(&string);
            model.absorb(&string);
        }
        1 => {
            let string = data.text(len);
            let mut absorber = ours.absorber();
            data.pieces(&string).into_iter().for_each(|piece| absorber.update(piece));
            absorber.finish();
            model.absorb(&string);
        }
        _ => {
            let mut out = vec![0x5a; len];
            ours.squeeze(&mut out);
            assert!(out == model.squeeze(len), "Xoodyak squeezed {len} bytes");
        }
    }
}

fn keyed_mode(data: &mut Data<'_>) {
    let [key, identifier, counter] = [40, 20, 20].map(|most| {
        let len = data.below(most);
        data.text(len)
    });
    let Ok(made) = Cyclist::<Keyed>::on(data.backend(), &key, &identifier, &counter) else {
        return assert!(key.len() < 16 || key.len() + identifier.len() > 43);
    };
    let mut pairs = vec![(made, spec::xoodyak::Cyclist::keyed(&key, &identifier, &counter))];
    while !data.ended() {
        let i = data.below(pairs.len());
        if data.byte() == 1 && pairs.len() < 4 {
            pairs.push(pairs[i].clone());
        }
        let (ours, model) = &mut pairs[i];
        let len = data.len(60, 300);
        let text = data.text(len);
        let mut out = text.clone();
        match data.below(7) {
            0 => {
                ours.encrypt(&mut out);
                assert!(out == model.encrypt(&text), "Xoodyak encrypted {len} bytes");
            }
            1 => {
                ours.decrypt(&mut out);
                assert!(out == model.decrypt(&text), "Xoodyak decrypted {len} bytes");
            }
            2 => {
                ours.encrypt_between(&text, &mut out).expect("the same length");
                assert!(out == model.encrypt(&text), "Xoodyak encrypted {len} bytes between");
            }
            3 => {
                ours.decrypt_between(&text, &mut out).expect("the same length");
                assert!(out == model.decrypt(&text), "Xoodyak decrypted {len} bytes between");
            }
            4 => {
                ours.squeeze_key(&mut out);
                assert!(out == model.squeeze_key(len), "a key of {len} bytes");
            }
            5 => {
                ours.ratchet();
                model.ratchet();
            }
            _ => absorb_or_squeeze(data, ours, model),
        }
    }
}

/// Strings that are pushed, and outputs of what was pushed so far.
fn deck(data: &mut Data<'_>) {
    let len = 16 + data.below(32);
    let key = data.text(len);
    let mut ours = Xoofff::on(data.backend(), &key).expect("16 to 47 bytes").history();
    let mut strings: Vec<Vec<u8>> = Vec::new();
    for _ in 0..data.below(5) {
        let len = data.len(100, 1700);
        let string = data.text(len);
        if data.bit() {
            ours.push(&string);
        } else {
            let mut pusher = ours.pusher();
            data.pieces(&string).into_iter().for_each(|piece| pusher.update(piece));
            pusher.finish();
        }
        strings.push(string);
        let copy = ours.clone();
        let strings: Vec<_> = strings.iter().map(|string| (&string[..], &[][..])).collect();
        let short = data.byte() == 1;
        let mut output = if short { copy.short_output() } else { copy.output() };
        let len = 1500;
        let expected = match short {
            true => spec::xoofff::short_output(&key, &strings, len),
            false => spec::xoofff::output(&key, &strings, 0, len),
        };
        for _ in 0..data.below(5) {
            let from = data.below(len + 1);
            let count = data.below(len - from + 1);
            if data.bit() {
                output = output.clone();
            }
            output.seek(from as u64);
            let mut bytes = vec![0; count];
            match data.below(3) {
                0 => output.fill(&mut bytes),
                1 => output.apply(&mut bytes),
                _ => output.apply_between(&vec![0; count], &mut bytes).expect("the same length"),
            }
            assert!(output.position() == (from + count) as u64);
            assert!(bytes == expected[from..from + count], "{count} bytes from {from}");
        }
    }
}

fn skein(data: &mut Data<'_>) {
    match data.below(3) {
        0 => skein_of::<4, 32>(data),
        1 => skein_of::<8, 64>(data),
        _ => skein_of::<16, 128>(data),
    }
}

fn skein_of<const W: usize, const B: usize>(data: &mut Data<'_>) {
    let bits = if data.bit() { 8 * B } else { 1 + data.below(4000) };
    let len = data.below(200);
    let key = data.text(len);
    let extra = data.bit().then(|| data.text(20));
    let nonce = data.bit().then(|| data.text(70));
    let tree = data.bit().then(|| (1 + data.below(2), 1 + data.below(2), 2 + data.below(4)));
    let (leaf, node, height) = tree.unwrap_or_default();
    let shape = spec::skein::Tree { leaf: leaf as u8, node: node as u8, height: height as u8 };
    let arguments = Arguments {
        key: &key,
        personalisation: extra.as_deref(),
        nonce: nonce.as_deref(),
        tree: tree.map(|_| Tree::new(shape.leaf, shape.node, shape.height).expect("a tree")),
        ..Arguments::default()
    };
    let mut strings = vec![(0, &key[..])];
    strings.extend(extra.as_deref().map(|extra| (8, extra)));
    strings.extend(nonce.as_deref().map(|nonce| (20, nonce)));
    let ours = Skein::<W, B>::on(data.backend(), bits as u64, &arguments);
    let mut pairs: Vec<(Hasher<W, B>, Vec<u8>)> = vec![(ours.hasher(), Vec::new())];
    for _ in 0..data.below(10) {
        let i = data.below(pairs.len());
        match data.below(6) {
            0 if pairs.len() < 4 => pairs.push(pairs[i].clone()),
            1 => {
                pairs[i].0.reset();
                pairs[i].1.clear();
            }
            _ => {
                let len = data.len(2 * B, 10 * B);
                let piece = data.text(len);
                pairs[i].0.update(&piece);
                pairs[i].1.extend(piece);
            }
        }
    }
    for (hasher, message) in pairs {
        let (rest, len) = (data.text(9), data.below(73));
        let whole = [&message[..], &rest[..len.div_ceil(8)]].concat();
        let all = spec::skein::Bits(&whole, 8 * message.len() + len);
        let expected = spec::skein::hash(B, bits, &strings, shape, all);
        let mut digest = vec![0x5a; expected.len()];
        if data.bit() {
            hasher.finish_bits(&rest, len, &mut digest).expect("a digest of that length");
            assert!(digest == expected, "Skein-{} of {} bytes", 8 * B, message.len());
            continue;
        }
        let mut output = hasher.output_bits(&rest, len).expect("as many bits");
        let expected = &expected[..bits / 8];
        let mut got = Vec::new();
        for piece in data.pieces(expected) {
            let mut part = vec![0; piece.len()];
            output.fill(&mut part);
            got.extend(part);
        }
        assert!(got == expected, "output of Skein-{} of {} bytes", 8 * B, message.len());
    }
}

fn xoodyak_hash(data: &mut Data<'_>) {
    let backend: Backend = data.backend();
    let (len, out) = (data.len(60, 600), data.len(40, 200));
    let message = data.text(len);
    let expected = spec::xoodyak::hash(&message, out);
    let mut one = vec![0; out];
    xoodyak::hash(backend, &message, &mut one);
    let mut hasher = xoodyak::Hasher::on(backend);
    for piece in data.pieces(&message) {
        hasher.update(piece);
        hasher = hasher.clone();
    }
    let (mut output, mut pieces) = (hasher.output(), Vec::new());
    for piece in data.pieces(&expected) {
        let mut part = vec![0; piece.len()];
        output.fill(&mut part);
        pieces.extend(part);
    }
    assert!(one == expected && pieces == expected, "Xoodyak of {len} bytes on {backend}");
}
