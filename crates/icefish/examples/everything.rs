//! Everything that the library does, there and back, on every backend of this CPU: what `tools/check-codegen`
//! reads the object code of. What is not called here is not in it.
//!
//! ```sh
//! cargo run --profile inspect -p icefish --all-features --example everything
//! ```

use icefish::aead::{Aead, Aegis, Eax, Gcm, GcmSiv, Piecewise, Xoodyak};
use icefish::cipher::{Cipher, NewCipher, Wide};
use icefish::ciphers::{
    Aes128, Aes192, Aes256, Ice, Threefish, Threefish256, Threefish512, Threefish1024,
};
use icefish::constructions::{skein, xoodyak, xoofff};
use icefish::isa::Isa;
use icefish::mac::{AegisMac, Cmac};
use icefish::many::Message;
use icefish::modes::{Blocks, CbcCs, Ctr, Ecb, Mode, Padding};
use icefish::permutations::{Permutation, Word};
use icefish::storage::Xts;
use icefish::suite::{AnyMode, CHUNKED, CIPHERS};
use icefish::{Backend, Block, Error, Key, parallel};
use std::hint::black_box;

/// Fifteen blocks of every cipher, two messages of a batch and a part.
const LEN: usize = 1920;
const BYTES: [u8; 256] = [7; 256];

fn main() -> Result<(), Error> {
    for backend in Backend::available() {
        suites(backend)?;
        chunks(backend)?;
        ciphers(backend)?;
        permutation::<u32>(backend)?;
        permutation::<u64>(backend)?;
        constructions(backend)?;
    }
    println!("everything came back, on every backend");
    Ok(())
}

fn message() -> Vec<u8> {
    (0..black_box(LEN)).map(|i| i as u8).collect()
}

/// Every cipher in every mode, by name.
fn suites(backend: Backend) -> Result<(), Error> {
    for info in CIPHERS {
        let key = info.key(backend, &BYTES[..info.key], &BYTES[..info.tweak])?;
        for &(_, mode) in AnyMode::ALL {
            let iv = &BYTES[..mode.iv_len(info.block)];
            let (mut data, len) = (message(), LEN);
            key.encrypt_in_place(mode, iv, Padding::None, &mut data, len)?;
            key.decrypt_in_place(mode, iv, Padding::None, &mut data, len)?;
            assert_eq!(data, message(), "{info:?}");
        }
    }
    Ok(())
}

/// A message in chunks: a whole one and the last.
fn chunks(backend: Backend) -> Result<(), Error> {
    let plain = vec![7; 16_384 + black_box(LEN)];
    let (mut sealed, mut back) = (vec![0; plain.len() + 32], vec![0; plain.len()]);
    for suite in CHUNKED {
        let key = suite.key(backend, &BYTES[..suite.key])?;
        let sealer = key.sealer(&[1; 24], b"context");
        sealer.seal_between(0, true, &plain, &mut sealed)?;
        let opener = key.opener(&sealer.header(), b"context")?;
        opener.open_between(0, true, &sealed, &mut back)?;
        let tag = sealer.seal_in_place(1, true, &mut back[16_384..])?;
        opener.open_in_place(1, true, &mut back[16_384..], &tag)?;
        assert!(back == plain, "{suite}");
    }
    Ok(())
}

fn ciphers(backend: Backend) -> Result<(), Error> {
    aes::<Aes128>(backend)?;
    aes::<Aes192>(backend)?;
    aes::<Aes256>(backend)?;
    aead(&GcmSiv::<Aes128>::on(backend, &BYTES[..16])?)?;
    aead(&GcmSiv::<Aes256>::on(backend, &BYTES[..32])?)?;
    aegis::<128, 1>(backend)?;
    aegis::<128, 2>(backend)?;
    aegis::<128, 4>(backend)?;
    aegis::<256, 1>(backend)?;
    aegis::<256, 2>(backend)?;
    aegis::<256, 4>(backend)?;
    threefish::<4, 32>(backend)?;
    threefish::<8, 64>(backend)?;
    threefish::<16, 128>(backend)?;
    aead(&Eax::<Threefish256>::on(backend, &BYTES[..32])?)?;
    pieces(&Eax::<Threefish256>::on(backend, &BYTES[..32])?)?;
    aead(&Eax::<Threefish512>::on(backend, &BYTES[..64])?)?;
    pieces(&Eax::<Threefish512>::on(backend, &BYTES[..64])?)?;
    aead(&Eax::<Threefish1024>::on(backend, &BYTES[..128])?)?;
    pieces(&Eax::<Threefish1024>::on(backend, &BYTES[..128])?)?;
    numbered(&Key::<Aes128>::on(backend, &BYTES[..16])?)?;
    numbered(&Key::<Threefish512>::on(backend, &BYTES[..64])?)?;
    let ice = Ice::new(0, &BYTES[..8])?;
    any(&Key::from_cipher(backend, ice.clone()))?;
    any(&Key::from_cipher(backend, ice.constant_time()))
}

/// A mode of independent blocks as another crate writes it: the number of each block is XORed before and after the cipher.
#[derive(Clone, Copy)]
struct Numbered;

impl Mode for Numbered {
    #[inline(always)]
    fn enter<S: Isa, W: Wide<S>>(&self, isa: S, blocks: &Blocks<'_>) -> W {
        blocks.load::<S, W>(isa).xor(isa, blocks.counters(isa))
    }
    #[inline(always)]
    fn leave<S: Isa, W: Wide<S>>(&self, isa: S, output: W, blocks: &mut Blocks<'_>) {
        blocks.store(isa, output.xor(isa, blocks.counters(isa)));
    }
}

fn numbered<C: Cipher>(key: &Key<C>) -> Result<(), Error> {
    let mut data = message();
    key.encrypt(Numbered, &BYTES[..C::Block::LEN], &mut data)?;
    key.decrypt(Numbered, &BYTES[..C::Block::LEN], &mut data)?;
    assert_eq!(data, message());
    Ok(())
}

fn aegis<const BITS: usize, const DEGREE: usize>(backend: Backend) -> Result<(), Error> {
    let key = &BYTES[..BITS / 8];
    aead(&Aegis::<BITS, DEGREE>::on(backend, key)?)?;
    pieces(&Aegis::<BITS, DEGREE>::on(backend, key)?)?;
    let mac = AegisMac::<BITS, DEGREE>::on(backend, key, key)?;
    mac.verify(&message(), &mac.tag(&message()))
}

/// What is for blocks of 16 bytes.
fn aes<C: NewCipher<Block = [u8; 16]>>(backend: Backend) -> Result<(), Error> {
    any(&Key::<C>::on(backend, &BYTES[..C::KEY])?)?;
    aead(&Gcm::<C>::on(backend, &BYTES[..C::KEY])?)?;
    pieces(&Gcm::<C>::on(backend, &BYTES[..C::KEY])?)?;
    aead(&Eax::<C>::on(backend, &BYTES[..C::KEY])?)?;
    pieces(&Eax::<C>::on(backend, &BYTES[..C::KEY])?)?;
    let (cmac, whole) = (Cmac::<C>::on(backend, &BYTES[..C::KEY])?, message());
    let (mut many, mut each) = ([[0; 16]; 5], [[1; 16]; 5]);
    cmac.tag_many(&[&whole[..]; 5], &mut many)?;
    Cmac::tag_each(&[&cmac; 5], &[&whole[..]; 5], &mut each)?;
    assert_eq!(many, each);
    let mut keys = BYTES;
    keys[0] = 8; // the two must differ
    let xts = Xts::<C>::on(backend, &keys[..2 * C::KEY])?;
    for len in [LEN, LEN - 3] {
        let mut data = message();
        xts.encrypt_in_place(5, &mut data[..len])?;
        xts.decrypt_in_place(5, &mut data[..len])?;
        xts.encrypt_units(5, 480, &mut data)?;
        xts.decrypt_units(5, 480, &mut data)?;
        assert_eq!(data, message());
    }
    Ok(())
}

fn threefish<const W: usize, const B: usize>(backend: Backend) -> Result<(), Error> {
    let mut key = Key::<Threefish<W, B>>::on(backend, &BYTES[..B])?;
    key.set_tweak(&[9; 16]);
    any(&key)?;
    let mut data = message();
    key.encrypt_sector(1, 2, &mut data)?;
    parallel::decrypt_sector(&key, 1, 2, &mut data)?;
    parallel::encrypt_sector(&key, 1, 2, &mut data)?;
    key.decrypt_sector(1, 2, &mut data)?;
    assert_eq!(data, message());
    Ok(())
}

/// What is for every cipher.
fn any<C: Cipher>(key: &Key<C>) -> Result<(), Error> {
    let len = C::Block::LEN;
    let (iv, mut data) = (&BYTES[..len], message());
    let mut block = C::Block::zero();
    key.encrypt_block(&mut block);
    key.decrypt_block(&mut block);
    assert!(block.as_ref().iter().all(|&b| b == 0));
    for &(_, cts) in CbcCs::ALL {
        for part in [LEN, LEN - 3] {
            key.encrypt_stealing(cts, iv, &mut data[..part])?;
            key.decrypt_stealing(cts, iv, &mut data[..part])?;
        }
    }
    key.ige_encryptor(&BYTES[..2 * len])?.update_in_place(&mut data)?;
    key.ige_decryptor(&BYTES[..2 * len])?.update_in_place(&mut data)?;
    parallel::encrypt_in_place(key, Ecb, &[], &mut data)?;
    parallel::decrypt_in_place(key, Ecb, &[], &mut data)?;
    many(&mut data, iv, |m| key.cbc_encrypt_many(m))?;
    many(&mut data, iv, |m| key.cbc_decrypt_many(m))?;
    many(&mut data, iv, |m| key.cfb_encrypt_many(m))?;
    many(&mut data, iv, |m| key.cfb_decrypt_many(m))?;
    many(&mut data, &[], |m| key.ecb_encrypt_many(m))?;
    many(&mut data, &[], |m| key.ecb_decrypt_many(m))?;
    many(&mut data, iv, |m| key.ctr_many(Ctr::LE64, m))?;
    many(&mut data, iv, |m| key.ctr_many(Ctr::LE64, m))?;
    many(&mut data, iv, |m| Key::cbc_encrypt_each(&vec![key; m.len()], m))?;
    many(&mut data, iv, |m| key.cbc_decrypt_many(m))?;
    many(&mut data, iv, |m| Key::cfb_encrypt_each(&vec![key; m.len()], m))?;
    many(&mut data, iv, |m| key.cfb_decrypt_many(m))?;
    assert_eq!(data, message());
    Ok(())
}

/// Messages of one, two, three ... times 128 bytes.
fn many(
    data: &mut [u8],
    iv: &[u8],
    call: impl FnOnce(&mut [Message<'_>]) -> Result<(), Error>,
) -> Result<(), Error> {
    let (mut messages, mut rest) = (Vec::new(), data);
    for i in 1.. {
        let len = rest.len().min(128 * i);
        let (data, after) = rest.split_at_mut(len);
        messages.push(Message { iv, data });
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    call(&mut messages)
}

fn aead<A: Aead>(key: &A) -> Result<(), Error> {
    let (nonce, mut data) = (&BYTES[..A::NONCE], message());
    let tag = key.seal_in_place(nonce, b"head", &mut data)?;
    key.open_in_place(nonce, b"head", &mut data, tag.as_ref())?;
    assert_eq!(data, message());
    Ok(())
}

/// A message in pieces: a part of a block, whole blocks, and the rest.
fn pieces<A: Piecewise>(key: &A) -> Result<(), Error> {
    let (nonce, mut data, mut room) = (&BYTES[..A::NONCE], message(), message());
    let mut sealer = key.sealer(nonce)?;
    sealer.associated(b"head")?;
    let (head, rest) = data.split_at_mut(LEN / 3);
    sealer.update_in_place(head)?;
    sealer.update_in_place(rest)?;
    let tag = sealer.finish();
    let mut opener = key.opener(nonce, &mut room)?;
    opener.associated(b"head")?;
    opener.update(&data)?;
    assert_eq!(opener.finish(tag.as_ref())?, message());
    Ok(())
}

fn permutation<W: Word>(backend: Backend) -> Result<(), Error> {
    let mut states = [[3; 48]; 33];
    Permutation::<W>::permute(backend, 12, &mut states[0])?;
    Permutation::<W>::invert(backend, 12, &mut states[0])?;
    Permutation::<W>::permute_many(backend, 12, &mut states)?;
    Permutation::<W>::invert_many(backend, 12, &mut states)?;
    let flat = states.as_flattened_mut();
    Permutation::<W>::permute_sliced(backend, 12, flat)?;
    Permutation::<W>::invert_sliced(backend, 12, flat)?;
    assert_eq!(states, [[3; 48]; 33]);
    Ok(())
}

fn hash<const W: usize, const B: usize>(backend: Backend) -> Result<(), Error> {
    let arguments = skein::Arguments { key: &BYTES[..16], ..skein::Arguments::default() };
    let hash = skein::Skein::<W, B>::on(backend, 8 * B as u64, &arguments);
    let (mut digest, mut digests) = ([0; B], [[0; B]; 20]);
    hash.hash(&message(), &mut digest)?;
    hash.hash_many(&[message().as_slice(); 20], digests.as_flattened_mut())?;
    assert_eq!(digests, [digest; 20]);
    let tree = skein::Arguments { tree: Some(skein::Tree::USUAL), ..arguments };
    let mut hasher = skein::Skein::<W, B>::on(backend, 8 * B as u64, &tree).hasher();
    hasher.update(&[0; 100_000]);
    hasher.output().fill(&mut digest);
    Ok(())
}

fn constructions(backend: Backend) -> Result<(), Error> {
    hash::<4, 32>(backend)?;
    hash::<8, 64>(backend)?;
    hash::<16, 128>(backend)?;
    aead(&Xoodyak::on(backend, &BYTES[..16])?)?;
    let (mut digest, mut digests) = ([0; 32], [[0; 32]; 20]);
    xoodyak::hash(backend, &message(), &mut digest);
    xoodyak::hash_many(backend, &[message().as_slice(); 20], &mut digests)?;
    assert_eq!(digests, [digest; 20]);
    let mut hasher = xoodyak::Hasher::on(backend);
    hasher.update(&message());
    hasher.finish(&mut digests[0]);
    assert_eq!(digests[0], digest);
    let mut session = xoodyak::Session::on(backend, &BYTES[..16], &[], &[])?;
    let mut data = message();
    session.absorb(b"head");
    session.encrypt(&mut data);
    session.squeeze(&mut digest);
    session.squeeze_key(&mut digest);
    session.ratchet();

    let key = xoofff::Xoofff::on(backend, &BYTES[..16])?;
    let mut data = message();
    let mut history = key.history();
    history.push(&data);
    history.output().apply(&mut data);
    history.output().apply(&mut data);
    history.short_output().apply(&mut data);
    history.short_output().apply(&mut data);
    let (mut ours, tag) = xoofff::Sane::new(&key, b"nonce");
    let mut theirs = xoofff::Sane::accept(&key, b"nonce", &tag)?;
    let tag = ours.seal_in_place(b"head", &mut data);
    theirs.open_in_place(b"head", &mut data, &tag)?;
    let tag = xoofff::Sanse::new(&key).seal_in_place(b"head", &mut data);
    xoofff::Sanse::new(&key).open_in_place(b"head", &mut data, &tag)?;
    let wide = xoofff::Wbc::new(&key);
    wide.encipher(b"tweak", &mut data)?;
    wide.decipher(b"tweak", &mut data)?;
    assert_eq!(data, message());
    let mac = Cmac::<Aes256>::on(backend, &BYTES[..32])?;
    mac.verify(&data, &mac.tag(&data))
}
