//! What must be found: outputs of kernels, made from a secret key and public data, and from a public key and secret data. An output
//! that is not followed means that a secret is lost on its way, and that the check would find nothing behind that place.

use crate::watch::{must_be_found, must_leak, secret};
use icefish::ciphers::{Aes128, Ice};
use icefish::constructions::skein::{Arguments, Skein, Tree};
use icefish::constructions::xoodyak;
use icefish::constructions::xoofff::{Wbc, Xoofff};
use icefish::mac::{AegisMac, Cmac};
use icefish::modes::{Ctr, Ecb, Mode, Padding};
use icefish::storage::Xts;
use icefish::suite::{AEADS, AnyMode, CIPHERS};
use icefish::{Backend, Error, Key};

pub fn all(backend: Backend) -> Result<(), Error> {
    must_leak(|| tables(backend))?;
    for of in [(secret as Bytes, public as Bytes), (public, secret)] {
        ciphers(backend, of)?;
        aeads(backend, of)?;
        ice(backend, of)?;
        constructions(backend, of)?;
    }
    Ok(())
}

/// One block of ICE with its tables: addresses depend on the data.
pub fn tables(backend: Backend) -> Result<(), Error> {
    let (key, mut block) = (Key::from_cipher(backend, Ice::new(0, &secret(8))?), secret(8));
    key.encryptor(Ecb, &[])?.padding(Padding::None).in_place(&mut block, 8).map(drop)
}

/// Bytes that are secret, or public ones.
type Bytes = fn(usize) -> Vec<u8>;

fn public(len: usize) -> Vec<u8> {
    vec![0x3c; len]
}

fn ciphers(backend: Backend, (key, data): (Bytes, Bytes)) -> Result<(), Error> {
    for cipher in CIPHERS.iter().filter(|cipher| cipher.constant_time) {
        let key = cipher.key(backend, &key(cipher.key), &vec![2; cipher.tweak])?;
        for (name, mode) in AnyMode::ALL {
            for blocks in [1, 3, 40] {
                let iv = vec![1; mode.iv_len(cipher.block)];
                let len = blocks * cipher.block;
                let (mut sealed, mut opened) = (data(len), data(len));
                key.encrypt_in_place(*mode, &iv, Padding::None, &mut sealed, len)?;
                must_be_found(format_args!("{backend}, {} in {name}", cipher.name), &sealed);
                key.decrypt_in_place(*mode, &iv, Padding::None, &mut opened, len)?;
                must_be_found(
                    format_args!("{backend}, {} in {name}, backwards", cipher.name),
                    &opened,
                );
            }
        }
    }
    Ok(())
}

fn aeads(backend: Backend, (key, data): (Bytes, Bytes)) -> Result<(), Error> {
    for suite in AEADS {
        let key = suite.key(backend, &key(suite.key))?;
        for len in [16, 1000] {
            let (mut data, mut tag) = (data(len), vec![0; suite.tag]);
            key.seal_in_place(&vec![1; suite.nonce], &[3; 20], &mut data, &mut tag)?;
            must_be_found(format_args!("{backend}, {}", suite.name), &data);
            // One bit of what GCM-SIV encrypts to its tag is always zero, and the sanitizer follows AES instructions bit by bit.
            if !suite.name.ends_with("-gcm-siv") {
                must_be_found(format_args!("{backend}, tag of {}", suite.name), &tag);
            }
        }
    }
    Ok(())
}

/// Bit-sliced, and in GF(2^8).
fn ice(backend: Backend, (key, data): (Bytes, Bytes)) -> Result<(), Error> {
    let ice = Ice::new(1, &key(Ice::key_len(1)))?.constant_time();
    let key = Key::from_cipher(backend, ice);
    for len in [8, 8 * 70, 8 * 600] {
        let mut ecb = data(len);
        key.encryptor(Ecb, &[])?.padding(Padding::None).in_place(&mut ecb, len)?;
        must_be_found(format_args!("{backend}, ICE in ECB"), &ecb);
        key.decryptor(Ecb, &[])?.padding(Padding::None).in_place(&mut ecb, len)?;
        must_be_found(format_args!("{backend}, ICE in ECB, backwards"), &ecb);
        let mut ctr = data(len);
        key.encryptor(Ctr::BE, &[1; 8])?.padding(Padding::None).in_place(&mut ctr, len)?;
        must_be_found(format_args!("{backend}, ICE in CTR"), &ctr);
    }
    Ok(())
}

fn constructions(backend: Backend, of: (Bytes, Bytes)) -> Result<(), Error> {
    let (key, data) = of;
    skein::<4, 32>(backend, of)?;
    skein::<8, 64>(backend, of)?;
    skein::<16, 128>(backend, of)?;
    let mut digests = [[0; 32]; 2];
    xoodyak::hash_many(backend, &[&secret(5), &secret(300)], &mut digests)?;
    must_be_found(format_args!("{backend}, Xoodyak's hashes"), digests.as_flattened());
    let xoofff = Xoofff::on(backend, &key(32))?;
    let mut wide = data(3000);
    Wbc::new(&xoofff).encipher(&[1; 8], &mut wide)?;
    must_be_found(format_args!("{backend}, Xoofff"), &wide);
    let mac = AegisMac::<128, 4>::on(backend, &key(16), &[1; 16])?;
    must_be_found(format_args!("{backend}, AEGISMAC"), &mac.tag(&data(200)));
    let halves = [Key::<Aes128>::on(backend, &key(16))?, Key::on(backend, &key(16))?];
    let [first, second] = halves;
    let mut sector = data(1500);
    Xts::from_keys(first, second).encrypt_in_place(7, &mut sector)?;
    must_be_found(format_args!("{backend}, XTS"), &sector);
    let cmac = Cmac::from_key(Key::<Aes128>::on(backend, &key(16))?);
    must_be_found(format_args!("{backend}, CMAC"), &cmac.tag(&data(50)));
    Ok(())
}

fn skein<const W: usize, const B: usize>(
    backend: Backend,
    (key, data): (Bytes, Bytes),
) -> Result<(), Error> {
    let key = key(40);
    for tree in [None, Some(Tree::USUAL)] {
        let arguments = Arguments { key: &key, tree, ..Arguments::default() };
        let skein = Skein::<W, B>::on(backend, 8 * B as u64, &arguments);
        let messages = [data(5), data(300), data(20_000)];
        let messages: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
        let mut digests = [[0; B]; 3];
        skein.hash_many(&messages, digests.as_flattened_mut())?;
        must_be_found(format_args!("{backend}, Skein"), digests.as_flattened());
    }
    Ok(())
}
