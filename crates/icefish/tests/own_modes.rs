//! A mode of independent blocks from outside of the library, written as two functions, against a loop over single blocks.
#![cfg(all(feature = "aes", feature = "threefish", feature = "ice", feature = "alloc"))]

use crate::common::{Random, backends};
use icefish::cipher::{Cipher, Way, Wide};
use icefish::ciphers::{Aes128, Aes256, Ice, Threefish256, Threefish1024};
use icefish::isa::Isa;
use icefish::modes::{Blocks, DependsOn, Mode, Padding};
use icefish::{Block, Error, Key};

/// The number of each block, counted from the IV on, is XORed before and after the cipher.
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
    fn depends_on(&self, _: Way) -> Option<DependsOn> {
        Some(DependsOn::Index)
    }
    fn seekable(&self) -> bool {
        true
    }
}

/// The same mode, a block at a time.
fn expected<C: Cipher>(key: &Key<C>, iv: &[u8], data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for (number, block) in data.chunks_exact(C::Block::LEN).enumerate() {
        let mut mask = C::Block::take(iv);
        let mut carry = number;
        for byte in mask.as_mut().iter_mut().rev().take(8) {
            carry += usize::from(*byte);
            *byte = carry as u8;
            carry >>= 8;
        }
        let xor = |x: &mut C::Block| {
            for (x, m) in x.as_mut().iter_mut().zip(mask.as_ref()) {
                *x ^= m;
            }
        };
        let mut x = C::Block::take(block);
        xor(&mut x);
        key.encrypt_block(&mut x);
        xor(&mut x);
        out.extend_from_slice(x.as_ref());
    }
    out
}

fn holds<C: Cipher>(key: &Key<C>) -> Result<(), Error> {
    let size = C::Block::LEN;
    let mut iv = Random(1).bytes(size);
    iv[size - 2..].fill(0xff); // carries
    for blocks in (0..4 * key.batch() + 3).filter(|n| *n < 40 || n % 13 == 0) {
        let plain = Random(blocks as u64).bytes(blocks * size);
        let sealed = expected(key, &iv, &plain);
        let name = format!("{blocks} blocks of {size}, {}", key.backend());

        let mut data = plain.clone();
        key.encrypt(Numbered, &iv, &mut data)?;
        assert_eq!(data, sealed, "{name}");
        key.decrypt(Numbered, &iv, &mut data)?;
        assert_eq!(data, plain, "{name}");

        let mut other = vec![0; data.len()];
        key.encryptor(Numbered, &iv)?.padding(Padding::None).between(&plain, &mut other)?;
        assert_eq!(other, sealed, "{name}, between");

        // With a padding, the last block is a call of its own.
        let padded = key.encryptor(Numbered, &iv)?.to_vec(&plain)?;
        assert_eq!(padded[..plain.len()], sealed, "{name}, padded");
        let whole = [&plain[..], &vec![size as u8; size]].concat();
        assert_eq!(padded, expected(key, &iv, &whole), "{name}, padded");
        assert_eq!(key.decryptor(Numbered, &iv)?.to_vec(&padded)?, plain, "{name}, padded");

        let mut message = key.encryptor(Numbered, &iv)?.padding(Padding::None);
        let (mut out, mut len) = (vec![0; plain.len()], 0);
        for piece in plain.chunks(2 * size + 1) {
            len += message.update(piece, &mut out[len..])?;
        }
        len += message.finish(&mut out[len..])?;
        assert_eq!((len, &out), (plain.len(), &sealed), "{name}, in pieces");

        let mut message = key.decryptor(Numbered, &iv)?;
        let from = blocks / 2 * size;
        let mut end = sealed[from..].to_vec();
        message.seek(from as u128)?;
        let mid = end.len() / size / 2 * size;
        let (head, tail) = end.split_at_mut(mid);
        message.update_in_place(head)?;
        message.update_in_place(tail)?;
        assert_eq!(end, plain[from..], "{name}, from the middle");
    }
    let refused = key.decryptor(Numbered, &iv)?.seek(size as u128 + 1);
    assert_eq!(refused, Err(Error::PartialBlock { got: 1, block: size }));
    Ok(())
}

#[test]
fn two_functions_are_a_mode() -> Result<(), Error> {
    for backend in backends() {
        holds(&Key::<Aes128>::on(backend, &[1; 16])?)?;
        holds(&Key::<Aes256>::on(backend, &[2; 32])?)?;
        holds(&Key::<Threefish256>::on(backend, &[3; 32])?)?;
        holds(&Key::<Threefish1024>::on(backend, &[4; 128])?)?;
        holds(&Key::from_cipher(backend, Ice::new(0, &[5; 8])?))?;
    }
    Ok(())
}

#[cfg(feature = "parallel")]
#[test]
fn pieces_of_one_buffer_on_all_cores() -> Result<(), Error> {
    let key = Key::<Threefish256>::new(&[3; 32])?;
    let (iv, plain) = (Random(1).bytes(32), Random(2).bytes(1 << 20));
    let mut data = plain.clone();
    icefish::parallel::encrypt_in_place(&key, Numbered, &iv, &mut data)?;
    assert_eq!(data, expected(&key, &iv, &plain));
    Ok(())
}

/// ECB that asserts what it is told about its blocks.
#[derive(Clone, Copy)]
struct Asserting;

impl Mode for Asserting {
    #[inline(always)]
    fn enter<S: Isa, W: Wide<S>>(&self, isa: S, blocks: &Blocks<'_>) -> W {
        assert_eq!(blocks.iv(), [9; 16]);
        // No data and no IV.
        assert_eq!(format!("{blocks:?}"), format!("Blocks {{ index: {}, .. }}", blocks.index()));
        blocks.load(isa)
    }
    #[inline(always)]
    fn leave<S: Isa, W: Wide<S>>(&self, isa: S, output: W, blocks: &mut Blocks<'_>) {
        assert!(blocks.index() < 70);
        blocks.store(isa, output);
    }
}

#[test]
fn a_mode_is_told_its_iv_and_the_number_of_its_blocks() -> Result<(), Error> {
    for backend in backends() {
        let key = Key::<Aes128>::on(backend, &[3; 16])?;
        let mut data = [5; 70 * 16];
        key.encrypt(Asserting, &[9; 16], &mut data)?;
        let mut block = [5; 16];
        key.encrypt_block(&mut block);
        assert_eq!(data, [block; 70].as_flattened(), "{backend}");
    }
    Ok(())
}
