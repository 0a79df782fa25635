//! The traits of RustCrypto over this library.

use crate::data::Data;
use crate::spec;
use aead::{AeadInOut, KeyInit, inout::InOutBuf};
use cipher::{BlockCipherDecrypt, BlockCipherEncrypt, array::Array, consts::U16};
use digest::{Digest, ExtendableOutput, FixedOutputReset, Update, XofReader};
use icefish::Key;
use icefish::aead::{Eax, Gcm};
use icefish::ciphers::{Aes128, Threefish512};
use icefish::constructions::xoodyak;
use icefish::rustcrypto::{Skein512Digest, SkeinXof};

pub(crate) fn run(data: &mut Data<'_>) {
    match data.below(4) {
        0 => blocks(data),
        1 => sealed(data),
        2 => digests(data),
        _ => outputs(data),
    }
}

/// Blocks one by one and in any number are as specified.
fn blocks(data: &mut Data<'_>) {
    let (key, count) = (data.text(16), data.below(140));
    let ours = Key::<Aes128>::on(data.backend(), &key).expect("16 bytes");
    let cipher = spec::aes::Aes::new(&key);
    let message = data.text(16 * count);
    let expected = spec::modes::encrypt(&cipher, "ecb", &[], &message);
    let (mut sealed, mut back) = (message.clone(), expected.clone());
    let (blocks, _) = Array::<u8, U16>::slice_as_chunks_mut(&mut sealed);
    let (others, _) = Array::<u8, U16>::slice_as_chunks_mut(&mut back);
    if data.bit() {
        blocks.iter_mut().for_each(|block| BlockCipherEncrypt::encrypt_block(&ours, block));
        others.iter_mut().for_each(|block| BlockCipherDecrypt::decrypt_block(&ours, block));
    } else {
        BlockCipherEncrypt::encrypt_blocks(&ours, blocks);
        BlockCipherDecrypt::decrypt_blocks(&ours, others);
    }
    assert!(sealed == expected && back == message, "{count} blocks");
}

fn sealed(data: &mut Data<'_>) {
    let len = data.len(40, 600);
    let (nonce, associated, message) = (data.text(64), data.text(20), data.text(len));
    if data.bit() {
        let key = data.text(16);
        let ours = Gcm::<Aes128>::new_from_slice(&key).expect("16 bytes");
        let cipher = spec::aes::Aes::new(&key);
        let expected = spec::gcm::seal(&cipher, &nonce[..12], &associated, &message);
        return there_and_back(data, &ours, (&nonce[..12], &associated, &message), expected);
    }
    let key = data.text(64);
    let ours = Eax::<Threefish512>::new_from_slice(&key).expect("64 bytes");
    let cipher = spec::cipher("threefish-512", &key, &[0; 16]);
    let expected = spec::eax::seal(&*cipher, &nonce, &associated, &message);
    there_and_back(data, &ours, (&nonce, &associated, &message), expected);
}

fn there_and_back<A: AeadInOut>(
    data: &mut Data<'_>,
    ours: &A,
    (nonce, associated, message): (&[u8], &[u8], &[u8]),
    (expected, expected_tag): (Vec<u8>, Vec<u8>),
) {
    let nonce = nonce.try_into().expect("the length of a nonce");
    let mut bytes = message.to_vec();
    let tag = ours.encrypt_inout_detached(nonce, associated, InOutBuf::from(&mut bytes[..]));
    let mut tag = tag.expect("a short message").to_vec();
    assert!(bytes == expected && tag == expected_tag);
    let forged = data.bit();
    if forged {
        let at = data.below(tag.len());
        tag[at] ^= 1 << data.below(8);
    }
    let tag = (&tag[..]).try_into().expect("the length of a tag");
    let mut back = vec![0x5a; message.len()];
    let buffer = InOutBuf::new(&bytes, &mut back).expect("the same length");
    let opened = ours.decrypt_inout_detached(nonce, associated, buffer, tag);
    assert_eq!(opened.is_err(), forged);
    assert!(if forged { back.iter().all(|&byte| byte == 0) } else { back == message });
}

fn digests(data: &mut Data<'_>) {
    let mut hash = Skein512Digest::<digest::consts::U64>::new();
    for _ in 0..1 + data.below(3) {
        let len = data.len(100, 700);
        let message = data.text(len);
        data.pieces(&message).into_iter().for_each(|piece| Digest::update(&mut hash, piece));
        let all = spec::skein::Bits::whole(&message);
        let expected = spec::skein::hash(64, 512, &[], spec::skein::Tree::default(), all);
        let got = match data.bit() {
            true => hash.clone().finalize(),
            false => Digest::finalize_reset(&mut hash.clone()),
        };
        assert!(got[..] == expected, "{len} bytes");
        assert!(hash.finalize_fixed_reset()[..] == expected, "{len} bytes, and reset");
    }
}

fn outputs(data: &mut Data<'_>) {
    let (len, out) = (data.len(100, 500), data.below(300));
    let message = data.text(len);
    if data.bit() {
        let mut hash = SkeinXof::<8, 64>::default();
        data.pieces(&message).into_iter().for_each(|piece| Update::update(&mut hash, piece));
        let (mut reader, mut got) = (hash.finalize_xof(), vec![0; out]);
        let (one, other) = got.split_at_mut(out / 3);
        reader.read(one);
        reader.read(other);
        let all = spec::skein::Bits::whole(&message);
        // The configuration has the largest length there is (section 4.10).
        let whole = spec::skein::hash(64, 512, &[], spec::skein::Tree::default(), all);
        assert!(out < 64 || got[..64] != whole, "a stream is not a digest");
        let mut again = SkeinXof::<8, 64>::default();
        Update::update(&mut again, &message);
        let mut all = vec![0; out];
        again.finalize_xof_into(&mut all);
        assert!(all == got, "{out} bytes of output");
        return;
    }
    let mut hash = xoodyak::Hasher::default();
    data.pieces(&message).into_iter().for_each(|piece| Update::update(&mut hash, piece));
    let (mut reader, mut got) = (hash.finalize_xof(), vec![0; out]);
    let (one, other) = got.split_at_mut(out / 3);
    reader.read(one);
    reader.read(other);
    assert!(got == spec::xoodyak::hash(&message, out), "{out} bytes of output");
}
