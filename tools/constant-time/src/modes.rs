//! Modes that have no name in `suite`, paddings, messages in pieces, and many messages in one call.

use crate::watch::secret;
use icefish::cipher::NewCipher;
use icefish::ciphers::{Aes128, Aes256, Threefish256, Threefish512};
use icefish::mac::Cmac;
use icefish::many::Message;
use icefish::modes::{Cbc, CbcCs, Ctr, Mode, Padding};
use icefish::storage::Xts;
use icefish::suite::{AnyKey, AnyMode};
use icefish::{Backend, Block, Error, Key};
use std::hint::black_box;

pub fn all(backend: Backend) -> Result<(), Error> {
    xts(backend)?;
    sectors(backend)?;
    paddings(backend)?;
    for_cipher::<Aes256>(backend)?;
    for_cipher::<Threefish512>(backend)
}

/// A cipher by its name: messages in pieces that end within blocks, and many messages in one call.
pub fn named(key: &AnyKey) -> Result<(), Error> {
    let block = key.cipher().block;
    for (_, mode) in AnyMode::ALL {
        let (iv, none) = (vec![1; mode.iv_len(block)], Padding::None);
        // AES counts in another way in a long piece.
        let counted = block == 16 && matches!(mode, AnyMode::Ctr(_));
        let data = secret(block * if counted { 10_000 } else { 40 });
        let mut room = vec![0; data.len() + block];
        for mut crypter in [key.encryptor(*mode, &iv, none)?, key.decryptor(*mode, &iv, none)?] {
            let mut done = 0;
            for piece in data.chunks(data.len() / 3 + 1) {
                done += crypter.update(piece, &mut room[done..])?;
            }
            crypter.finish(&mut room[done..])?;
        }
        let mut many: Vec<_> = (0..20).map(|i| secret(block * i)).collect();
        let mut many: Vec<_> = many.iter_mut().map(|data| Message { iv: &iv, data }).collect();
        key.encrypt_many(*mode, &mut many)?;
        key.decrypt_many(*mode, &mut many)?;
        black_box(room);
    }
    Ok(())
}

fn xts(backend: Backend) -> Result<(), Error> {
    let keys = [Key::<Aes128>::on(backend, &secret(16))?, Key::on(backend, &secret(16))?];
    let [data, tweak] = keys;
    let xts = Xts::from_keys(data, tweak);
    for len in [16, 50, 512, 1500] {
        let mut data = secret(len);
        xts.encrypt_in_place(7, &mut data)?;
        xts.decrypt_in_place(7, &mut data)?;
        black_box(data);
    }
    let mut units = secret(2000);
    xts.encrypt_units(7, 512, &mut units)?;
    xts.decrypt_units(7, 512, &mut units)?;
    black_box(units);
    Ok(())
}

fn sectors(backend: Backend) -> Result<(), Error> {
    let key = Key::<Threefish256>::on(backend, &secret(32))?;
    let mut data = secret(32 * 40);
    key.encrypt_sector(3, 0, &mut data)?;
    key.decrypt_sector(3, 0, &mut data)?;
    black_box(data);
    Ok(())
}

/// Whether a padding was right is told; nothing else of it.
fn paddings(backend: Backend) -> Result<(), Error> {
    let key = Key::<Aes128>::on(backend, &secret(16))?;
    for padding in Padding::ALL {
        let mut data = secret(64);
        let opened = key.decryptor(Cbc, &[1; 16])?.padding(padding).in_place(&mut data, 64);
        black_box((opened.is_ok(), data));
    }
    Ok(())
}

fn for_cipher<C: NewCipher>(backend: Backend) -> Result<(), Error> {
    let (key, size) = (Key::<C>::on(backend, &secret(C::KEY))?, C::Block::LEN);
    let iv = vec![1; size];
    for cs in [CbcCs::Cs1, CbcCs::Cs2, CbcCs::Cs3] {
        let mut data = secret(5 * size + 3);
        key.encrypt_stealing(cs, &iv, &mut data)?;
        key.decrypt_stealing(cs, &iv, &mut data)?;
        black_box(data);
    }
    let (ivs, mut data) = (vec![1; 2 * size], secret(5 * size));
    key.ige_encryptor(&ivs)?.update_in_place(&mut data)?;
    key.ige_decryptor(&ivs)?.update_in_place(&mut data)?;
    black_box(data);
    many(&key, &iv)?;
    let cmac = Cmac::from_key(key);
    for len in [0, 5, size, 5 * size + 3] {
        let data = secret(len);
        let tag = cmac.tag(&data);
        black_box(cmac.verify(&data, tag.as_ref()).is_ok());
    }
    let data = [secret(5), secret(3 * size), secret(40 * size)];
    let mut tags = vec![C::Block::zero(); 3];
    cmac.tag_many(&[&data[0], &data[1], &data[2]], &mut tags)?;
    black_box(tags);
    Ok(())
}

fn many<C: NewCipher>(key: &Key<C>, iv: &[u8]) -> Result<(), Error> {
    let mut data: Vec<_> = (0..20).map(|i| secret(iv.len() * i)).collect();
    let mut messages: Vec<_> = data.iter_mut().map(|data| Message { iv, data }).collect();
    key.cbc_encrypt_many(&mut messages)?;
    key.cbc_decrypt_many(&mut messages)?;
    key.cfb_encrypt_many(&mut messages)?;
    key.cfb_decrypt_many(&mut messages)?;
    key.ctr_many(Ctr::BE, &mut messages)?;
    Key::cbc_encrypt_each(&[key; 20], &mut messages)?;
    black_box(data);
    Ok(())
}
