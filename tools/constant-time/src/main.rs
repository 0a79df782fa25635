//! Does a branch or an address depend on a secret?
//!
//! Keys and data (not nonces, tweaks and lengths, which are public) are marked as never written. Valgrind, or MemorySanitizer in a
//! build with `--cfg icefish_msan`, follows such bytes through every operation, and complains where one decides on a branch or an
//! address. Valgrind knows no AVX-512: it runs the backends that are left without.
//!
//! `--tables` runs what is known not to be constant-time: a check that finds nothing there is broken.

mod constructions;
mod controls;
mod modes;
mod watch;

use icefish::aead::Revocable;
use icefish::ciphers::Ice;
use icefish::modes::{Cbc, Cfb, Cfb8, Ctr, Ecb, Mode, Ofb, Padding, Pcbc};
use icefish::suite::{AEADS, AnyAead, AnyMode, CIPHERS};
use icefish::{Backend, Error, Key};
use std::convert::Infallible;
use std::hint::black_box;
use watch::secret;

fn main() -> Result<(), Error> {
    if std::env::args().nth(1).as_deref() == Some("--tables") {
        return controls::tables(Backend::best());
    }
    for backend in Backend::available() {
        // Valgrind's control is `--tables`.
        if cfg!(icefish_msan) {
            println!("{backend}: controls");
            controls::all(backend)?;
        }
        println!("{backend}: ICE without tables");
        for level in [0, 1, 2] {
            let ice = Ice::new(level, &secret(Ice::key_len(level)))?.constant_time();
            let key = Key::from_cipher(backend, ice);
            for len in [8, 8 * 70, 8 * 600] {
                message(&key, Ecb, len)?;
                message(&key, Cbc, len)?;
                message(&key, Cfb, len)?;
                message(&key, Ctr::BE, len)?;
            }
            for len in [8, 8 * 9] {
                message(&key, Pcbc, len)?;
                message(&key, Ofb, len)?;
                message(&key, Cfb8, len)?;
            }
        }
        for cipher in CIPHERS.iter().filter(|cipher| cipher.constant_time) {
            println!("{backend}: {}", cipher.name);
            let key = cipher.key(backend, &secret(cipher.key), &vec![2; cipher.tweak])?;
            for (_, mode) in AnyMode::ALL {
                for blocks in [1, 3, 40] {
                    let mut data = secret(blocks * cipher.block);
                    let iv = vec![1; mode.iv_len(cipher.block)];
                    let len = data.len();
                    let (none, mut room) = (Padding::None, vec![0; len + cipher.block]);
                    key.encrypt_between(*mode, &iv, none, &data, &mut room)?;
                    key.decrypt_in_place(*mode, &iv, none, &mut data, len)?;
                    black_box((data, room));
                }
            }
            modes::named(&key)?;
        }
        aeads(backend)?;
        println!("{backend}: other modes");
        modes::all(backend)?;
        println!("{backend}: Skein, Xoodyak and Xoofff");
        constructions::all(backend)?;
    }
    for name in Backend::NAMES.iter().filter(|name| Backend::by_name(name).is_err()) {
        println!("{name}: not run, for this CPU lacks it");
    }
    Ok(())
}

fn aeads(backend: Backend) -> Result<(), Error> {
    for suite in AEADS {
        println!("{backend}: {}", suite.name);
        let key = suite.key(backend, &secret(suite.key))?;
        // Also one that is hashed: counters then begin at a secret.
        let nonces =
            if suite.name.ends_with("-gcm") { vec![suite.nonce, 20] } else { vec![suite.nonce] };
        // AES counts in another way in a long message.
        let long = suite.name.ends_with("-gcm").then_some(70_000);
        let lens = [0, 16, 1000, 5000].into_iter().chain(long);
        for (len, nonce) in lens.flat_map(|len| nonces.iter().map(move |n| (len, *n))) {
            let (mut data, mut tag) = (secret(len), vec![0; suite.tag]);
            let (nonce, associated) = (vec![1; nonce], secret(20));
            key.seal_in_place(&nonce, &associated, &mut data, &mut tag)?;
            key.open_in_place(&nonce, &associated, &mut data, &tag)?;
            tag[0] ^= 1;
            black_box(key.open_in_place(&nonce, &associated, &mut data, &tag).is_err());
            if suite.name.ends_with("-gcm-siv") {
                two_passes(&key, &nonce, len)?;
            } else if suite.name != "xoodyak" {
                pieces(&key, &nonce, len)?;
            }
            black_box((data, tag));
        }
    }
    Ok(())
}

/// Seals and opens a secret message in pieces that end within blocks.
fn pieces(key: &AnyAead, nonce: &[u8], len: usize) -> Result<(), Error> {
    let (mut data, mut room) = (secret(len), vec![0; len]);
    let mut tag = vec![0; key.tag_len()];
    let mut sealer = key.sealer(nonce)?;
    let (size, associated) = (if len > 1000 { 2345 } else { 333 }, secret(100));
    sealer.associated(&associated)?;
    for piece in data.chunks_mut(size) {
        sealer.update_in_place(piece)?;
    }
    sealer.finish_to(&mut tag)?;
    for forged in [0, 1] {
        tag[0] ^= forged;
        let mut opener = key.opener(nonce, &mut room)?;
        opener.associated(&associated)?;
        for piece in data.chunks(size) {
            opener.update(piece)?;
        }
        black_box(opener.finish(&tag).is_err());
    }
    Ok(())
}

/// Seals a secret message in two passes, in pieces that end within blocks, and opens it.
fn two_passes(key: &AnyAead, nonce: &[u8], len: usize) -> Result<(), Error> {
    let (mut data, associated) = (secret(len), secret(20));
    let mut tag = vec![0; key.tag_len()];
    let mut first = key.first_pass(nonce)?;
    first.associated(&associated)?;
    for piece in data.chunks(333) {
        first.update(piece)?;
    }
    let mut sealer = first.finish();
    for piece in data.chunks_mut(333) {
        sealer.update_in_place(piece)?;
    }
    sealer.finish_to(&mut tag)?;
    for forged in [0, 1] {
        tag[0] ^= forged;
        let mut opener = key.opener_with_tag(nonce, &tag, Nowhere)?;
        black_box(opener.associated(&associated).is_err());
        for piece in data.chunks(333) {
            black_box(opener.update(piece).is_err());
        }
        black_box(opener.finish(&tag).is_err());
    }
    Ok(())
}

/// Takes a plaintext, and shows it to nobody.
struct Nowhere;

impl Revocable for Nowhere {
    type Error = Infallible;

    fn write(&mut self, piece: &[u8]) -> Result<(), Infallible> {
        black_box(piece);
        Ok(())
    }

    fn keep(self) -> Result<(), Infallible> {
        Ok(())
    }

    fn discard(self) {}
}

/// Encrypts and decrypts a secret message, in one call and in pieces, and a block.
fn message(key: &Key<Ice>, mode: impl Mode, len: usize) -> Result<(), Error> {
    let (iv, mut data) = (vec![1; mode.iv_len(8)], secret(len));
    key.encryptor(mode, &iv)?.padding(Padding::None).in_place(&mut data, len)?;
    key.decryptor(mode, &iv)?.padding(Padding::None).in_place(&mut data, len)?;
    let mut room = vec![0; len + 8];
    let (mut crypter, mut done) = (key.encryptor(mode, &iv)?.padding(Padding::None), 0);
    for piece in data.chunks(333) {
        done += crypter.update(piece, &mut room[done..])?;
    }
    crypter.finish(&mut room[done..])?;
    let (mut crypter, mut done) = (key.decryptor(mode, &iv)?.padding(Padding::None), 0);
    for piece in data.chunks(333) {
        done += crypter.update(piece, &mut room[done..])?;
    }
    crypter.finish(&mut room[done..])?;
    let mut block = *data[..8].as_array().expect("a block");
    key.encrypt_block(&mut block);
    key.decrypt_block(&mut block);
    black_box((data, room, block));
    Ok(())
}
