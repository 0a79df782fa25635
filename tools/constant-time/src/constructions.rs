//! Skein, Xoodyak, Xoofff and AEGISMAC.

use crate::watch::secret;
use icefish::aead::{Aead, Xoodyak};
use icefish::constructions::skein::{Arguments, Skein, Tree};
use icefish::constructions::xoodyak::{self, Cyclist, Keyed};
use icefish::constructions::xoofff::{Sane, Sanse, Wbc, Xoofff};
use icefish::mac::AegisMac;
use icefish::{Backend, Error};
use std::hint::black_box;

pub fn all(backend: Backend) -> Result<(), Error> {
    skein::<4, 32>(backend)?;
    skein::<8, 64>(backend)?;
    skein::<16, 128>(backend)?;
    hashes(backend)?;
    sealed(backend)?;
    code::<128, 1>(backend)?;
    code::<128, 2>(backend)?;
    code::<128, 4>(backend)?;
    code::<256, 1>(backend)?;
    code::<256, 2>(backend)?;
    code::<256, 4>(backend)?;
    deck(backend)
}

/// Keys, messages and tags are secret.
fn skein<const W: usize, const B: usize>(backend: Backend) -> Result<(), Error> {
    let key = secret(40);
    for tree in [None, Some(Tree::USUAL)] {
        let arguments = Arguments { key: &key, tree, ..Arguments::default() };
        let skein = Skein::<W, B>::on(backend, 8 * B as u64, &arguments);
        let mut digest = [0; B];
        skein.hash_bits(&secret(300), 2397, &mut digest)?;
        let messages = [secret(5), secret(300), secret(20_000), secret(64), secret(1000)];
        let messages: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
        let mut digests = [[0; B]; 5];
        skein.hash_many(&messages, digests.as_flattened_mut())?;
        // More than lanes for few have.
        let many: Vec<_> = (0..17).map(|i| secret(70 * i)).collect();
        let many: Vec<&[u8]> = many.iter().map(|message| &message[..]).collect();
        let mut of_many = [[0; B]; 17];
        skein.hash_many(&many, of_many.as_flattened_mut())?;
        black_box(of_many);
        skein.verify(messages[2], &digests[2])?;
        digests[1][0] ^= 1;
        black_box(skein.verify(messages[1], &digests[1]).is_err());
        let mut output = [0; 500];
        skein.hasher().output().fill(&mut output);
        black_box((digest, digests, output));
    }
    Ok(())
}

fn hashes(backend: Backend) -> Result<(), Error> {
    let mut digest = [0; 32];
    xoodyak::hash(backend, &secret(100), &mut digest);
    let (a, b) = (secret(5), secret(300));
    let mut digests = [[0; 32]; 2];
    xoodyak::hash_many(backend, &[&a, &b], &mut digests)?;
    black_box((digest, digests));
    Ok(())
}

fn sealed(backend: Backend) -> Result<(), Error> {
    let key = Xoodyak::on(backend, &secret(16))?;
    for len in [0, 24, 200] {
        let (mut data, associated) = (secret(len), secret(50));
        let mut tag = key.seal_in_place(&[1; 16], &associated, &mut data)?;
        key.open_in_place(&[1; 16], &associated, &mut data, &tag)?;
        tag[0] ^= 1;
        black_box(key.open_in_place(&[1; 16], &associated, &mut data, &tag).is_err());
    }
    let mut state = Cyclist::<Keyed>::on(backend, &secret(16), &[1; 4], &[2; 4])?;
    let (mut data, mut out) = (secret(100), [0; 40]);
    state.absorb(&secret(60));
    state.encrypt(&mut data);
    state.decrypt(&mut data);
    state.squeeze_key(&mut out);
    state.ratchet();
    state.squeeze(&mut out);
    black_box((data, out));
    Ok(())
}

/// AEGISMAC with tags of both lengths.
fn code<const BITS: usize, const DEGREE: usize>(backend: Backend) -> Result<(), Error> {
    let mut mac = AegisMac::<BITS, DEGREE>::on(backend, &secret(BITS / 8), &[1; 32][..BITS / 8])?;
    for len in [16, 32] {
        mac.set_tag_len(len)?;
        let mut tag = mac.tag(&secret(200));
        mac.verify(&secret(200), &tag[..len])?;
        tag[0] ^= 1;
        black_box(mac.verify(&secret(200), &tag[..len]).is_err());
    }
    Ok(())
}

fn deck(backend: Backend) -> Result<(), Error> {
    let key = Xoofff::on(backend, &secret(32))?;
    let mut history = key.history();
    history.push(&secret(2000));
    let mut data = secret(3000);
    history.output().apply(&mut data);

    let associated = secret(20);
    let (mut session, first) = Sane::new(&key, &[1; 16]);
    let tag = session.seal_in_place(&associated, &mut data);
    let mut other = Sane::accept(&key, &[1; 16], &first)?;
    other.open_in_place(&associated, &mut data, &tag)?;
    black_box(other.open_in_place(&associated, &mut data, &tag).is_err());

    let tag = Sanse::new(&key).seal_in_place(&associated, &mut data);
    Sanse::new(&key).open_in_place(&associated, &mut data, &tag)?;
    black_box(Sanse::new(&key).open_in_place(&associated, &mut data, &[0; 32]).is_err());

    let wide = Wbc::new(&key);
    wide.encipher(&[1; 8], &mut data)?;
    wide.decipher(&[1; 8], &mut data)?;
    wide.seal(&associated, &mut data)?;
    black_box(wide.open(&associated, &mut data).is_ok());
    Ok(())
}
