//! The traits of `cipher`, `aead` and `digest`: their modes on our ciphers, ours on theirs, and code that is generic over
//! hashes.

mod common;

use cipher::{
    Block, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, InnerIvInit,
    KeyInit, KeyIvInit, StreamCipherCore,
};
use common::{Random, backends, hex, text};
use icefish::aead::Xoodyak;
use icefish::aead::{Aead, Eax, Gcm};
use icefish::cipher::NewCipher;
use icefish::ciphers::{Aes128, Aes192, Aes256, Ice, Threefish512};
use icefish::constructions::xoodyak::{Hasher, hash};
use icefish::mac::Cmac;
use icefish::modes::{Cbc, Cfb, Ctr, Mode, Padding};
use icefish::rustcrypto::Foreign;
use icefish::storage::Xts;
use icefish::{Backend, Key};

fn ours<C: icefish::cipher::Cipher>(
    key: &Key<C>,
    mode: impl Mode,
    iv: &[u8],
    data: &[u8],
) -> Vec<u8> {
    let mut out = data.to_vec();
    let message = key.encryptor(mode, iv).unwrap().padding(Padding::None);
    message.in_place(&mut out, data.len()).unwrap();
    out
}

/// The crates `cbc` and `ctr` over our key, against our modes and back.
fn their_modes<C>(make: impl Fn(Backend) -> Key<C>, block: usize)
where
    C: icefish::rustcrypto::Sizes,
    ctr::flavors::Ctr64BE: ctr::CtrFlavor<C::BlockSize>,
{
    let mut random = Random(1);
    for backend in backends() {
        let key = make(backend);
        for blocks in [0, 1, 2, 7, 8, 9, 31, 32, 33, 64, 65, 131] {
            let (iv, message) = (random.bytes(block), random.bytes(blocks * block));
            let iv_array = Block::<Key<C>>::try_from(&iv[..]).unwrap();
            let what = format!("{blocks} blocks of {block} on {backend}");

            let mut data = message.clone();
            let (chunks, _) = Block::<Key<C>>::slice_as_chunks_mut(&mut data);
            cbc::Encryptor::inner_iv_init(&key, &iv_array).encrypt_blocks(chunks);
            assert!(data == ours(&key, Cbc, &iv, &message), "CBC, {what}");
            let (chunks, _) = Block::<Key<C>>::slice_as_chunks_mut(&mut data);
            cbc::Decryptor::inner_iv_init(&key, &iv_array).decrypt_blocks(chunks);
            assert!(data == message, "CBC, {what}, back");

            let mut data = message.clone();
            let (chunks, _) = Block::<Key<C>>::slice_as_chunks_mut(&mut data);
            ctr::CtrCore::<_, ctr::flavors::Ctr64BE>::inner_iv_init(&key, &iv_array)
                .apply_keystream_blocks(chunks);
            assert!(data == ours(&key, Ctr::BE64, &iv, &message), "CTR, {what}");

            let mut there = vec![0; message.len()];
            let (input, _) = Block::<Key<C>>::slice_as_chunks(&message);
            let (output, _) = Block::<Key<C>>::slice_as_chunks_mut(&mut there);
            key.encrypt_blocks_b2b(input, output).unwrap();
            key.decrypt_blocks(output);
            assert!(there == message, "blocks, {what}");
        }
    }
}

#[test]
fn their_modes_run_on_our_ciphers() {
    their_modes::<Aes128>(|b| Key::on(b, &[7; 16]).unwrap(), 16);
    their_modes::<Aes256>(|b| Key::on(b, &[7; 32]).unwrap(), 16);
    their_modes::<Threefish512>(|b| Key::on(b, &[7; 64]).unwrap(), 64);
    their_modes::<Ice>(|b| Key::from_cipher(b, Ice::new(1, &[7; 8]).unwrap()), 8);
}

#[test]
fn owned_keys_and_padding() {
    use cipher::block_padding::Pkcs7;
    let message = b"twenty bytes of data";
    let sealed = cbc::Encryptor::<Key<Aes192>>::new(&[3; 24].into(), &[4; 16].into())
        .encrypt_padded_vec::<Pkcs7>(message);
    let key = Key::<Aes192>::new(&[3; 24]).unwrap();
    let mut data = vec![0; 32];
    key.encryptor(Cbc, &[4; 16]).unwrap().between(message, &mut data).unwrap();
    assert_eq!(sealed, data);
    let opened = cbc::Decryptor::<&Key<Aes192>>::inner_iv_init(&key, &[4; 16].into())
        .decrypt_padded_vec::<Pkcs7>(&sealed);
    assert_eq!(opened.unwrap(), message);
    let fresh = <Key<Aes192> as KeyInit>::new_from_slice(&[3; 24]).unwrap();
    let (mut a, mut b) = (cipher::Array::from([9; 16]), [9; 16]);
    BlockCipherEncrypt::encrypt_block(&fresh, &mut a);
    key.encrypt_block(&mut b);
    assert_eq!(a[..], b);
}

#[test]
fn aead_traits() {
    use aead::{Aead as _, Payload};
    fn works<A: aead::Aead + aead::AeadInOut + KeyInit>(nonce: usize) {
        let mode = A::new(&Default::default());
        let nonce = vec![5; nonce];
        let nonce = aead::Nonce::<A>::try_from(&nonce[..]).unwrap();
        let mut sealed = mode.encrypt(&nonce, Payload { msg: b"message", aad: b"with" }).unwrap();
        assert_eq!(
            mode.decrypt(&nonce, Payload { msg: &sealed, aad: b"with" }).unwrap(),
            b"message"
        );
        sealed[0] ^= 1;
        assert!(mode.decrypt(&nonce, Payload { msg: &sealed, aad: b"with" }).is_err());
    }
    works::<Gcm<Aes128>>(12);
    works::<icefish::aead::GcmSiv<Aes256>>(12);
    works::<Eax<Threefish512>>(64);
    works::<Xoodyak>(16);
    works::<icefish::aead::Aegis128X2>(16);
    works::<icefish::aead::Aegis256>(32);

    let gcm = Gcm::<Aes256>::new(&[1; 32]).unwrap();
    let theirs = gcm.encrypt(&[2; 12].into(), &b"message"[..]).unwrap();
    let mut data = *b"message";
    let tag = gcm.seal_in_place(&[2; 12], &[], &mut data).unwrap();
    assert_eq!(theirs, [&data[..], &tag].concat());
}

/// Our modes over the crate `aes` are our modes over our AES.
#[test]
fn our_modes_run_on_their_ciphers() {
    fn same<C: NewCipher<Block = [u8; 16]>, F: NewCipher<Block = [u8; 16]>>() {
        assert_eq!(C::KEY, F::KEY);
        let mut random = Random(2);
        for backend in backends() {
            let bytes = random.bytes(2 * C::KEY);
            let key = Key::<C>::on(backend, &bytes[..C::KEY]).unwrap();
            let foreign = Key::<F>::on(backend, &bytes[..C::KEY]).unwrap();
            for len in [0, 1, 16, 17, 500, 512, 513, 1040, 2000] {
                let (iv, message) = (random.bytes(16), random.bytes(len));
                let whole = &message[..len / 16 * 16];
                assert_eq!(ours(&key, Cbc, &iv, whole), ours(&foreign, Cbc, &iv, whole));
                assert_eq!(ours(&key, Cfb, &iv, &message), ours(&foreign, Cfb, &iv, &message));
                for mode in [Ctr::BE, Ctr::LE32] {
                    assert_eq!(
                        ours(&key, mode, &iv, &message),
                        ours(&foreign, mode, &iv, &message)
                    );
                }
                let mut back = ours(&key, Cbc, &iv, whole);
                let decryptor = foreign.decryptor(Cbc, &iv).unwrap().padding(Padding::None);
                decryptor.in_place(&mut back, whole.len()).unwrap();
                assert_eq!(back, whole);

                let (a, b) = (
                    Gcm::<C>::on(backend, &bytes[..C::KEY]),
                    Gcm::<F>::on(backend, &bytes[..C::KEY]),
                );
                let (mut x, mut y) = (message.clone(), message.clone());
                let tag = a.unwrap().seal_in_place(&iv, b"a", &mut x).unwrap();
                assert_eq!(b.unwrap().seal_in_place(&iv, b"a", &mut y), Ok(tag));
                assert_eq!(x, y);
                if len >= 16 {
                    Xts::<C>::on(backend, &bytes).unwrap().encrypt_in_place(1, &mut x).unwrap();
                    Xts::<F>::on(backend, &bytes).unwrap().encrypt_in_place(1, &mut y).unwrap();
                    assert_eq!(x, y);
                }
            }
            let (a, b) = (Cmac::from_key(key), Cmac::from_key(foreign));
            assert_eq!(a.tag(b"data"), b.tag(b"data"));
        }
    }
    same::<Aes128, Foreign<aes::Aes128>>();
    same::<Aes256, Foreign<aes::Aes256>>();
    let key = Key::foreign(aes::Aes128::new(&[1; 16].into()));
    let (mut a, mut b) = ([0; 16], [0; 16]);
    key.encrypt_block(&mut a);
    Key::<Aes128>::new(&[1; 16]).unwrap().encrypt_block(&mut b);
    assert_eq!(a, b);
}

/// A record of the competition's file of hashes: message and digest.
fn competition(count: usize) -> (Vec<u8>, Vec<u8>) {
    let text = text("xoodoo/LWC_HASH_KAT_256.txt");
    let record = text.split("\n\n").find(|r| r.contains(&format!("Count = {count}\n"))).unwrap();
    let field = |name| record.lines().find_map(|l| l.strip_prefix(name)).unwrap().trim();
    (hex(field("Msg = ")), hex(field("MD = ")))
}

#[test]
fn hashes_by_trait() {
    use digest::{Digest, DynDigest, ExtendableOutput, FixedOutputReset, XofReader};
    /// What a program does that takes any hash.
    fn tree<D: Digest + FixedOutputReset>(leaves: &[&[u8]]) -> Vec<u8> {
        let mut leaf = D::new();
        let mut root = D::new();
        for bytes in leaves {
            Digest::update(&mut leaf, bytes);
            Digest::update(&mut root, leaf.finalize_reset());
        }
        root.chain_update(b"end").finalize().to_vec()
    }
    fn stream<X: ExtendableOutput + Default>(message: &[u8], pieces: &[usize]) -> Vec<u8> {
        let mut hasher = X::default();
        message.chunks(7).for_each(|piece| hasher.update(piece));
        let mut reader = hasher.finalize_xof();
        let piece = |&len: &usize| reader.read_boxed(len).into_vec();
        pieces.iter().flat_map(piece).collect()
    }
    let ours = |message: &[u8], len: usize| {
        let mut output = vec![0; len];
        hash(Backend::best(), message, &mut output);
        output
    };
    for count in [1, 2, 17, 18, 1025] {
        let (message, digest) = competition(count);
        assert_eq!(Hasher::digest(&message)[..], digest, "{count}");
        let mut boxed: Box<dyn DynDigest> = Box::new(<Hasher as Digest>::new());
        boxed.update(&message[..message.len() / 2]);
        boxed.update(&message[message.len() / 2..]);
        assert_eq!(boxed.finalize_reset()[..], digest);
        assert_eq!(boxed.finalize()[..], Hasher::digest([])[..]);
        for pieces in [&[200][..], &[1, 15, 16, 17, 0, 32, 33, 5], &[16, 16, 16], &[0, 100]] {
            let expected = ours(&message, pieces.iter().sum());
            assert_eq!(stream::<Hasher>(&message, pieces), expected, "{count} in {pieces:?}");
        }
    }
    let (a, b) = (ours(b"one", 32), ours(b"", 32));
    assert_eq!(tree::<Hasher>(&[b"one", b""]), ours(&[&a[..], &b, b"end"].concat(), 32));
}

#[test]
fn a_hash_begins_again_on_its_backend() {
    use digest::{ExtendableOutputReset, FixedOutputReset, Reset, Update};
    for backend in backends() {
        let mut hasher = Hasher::on(backend);
        Update::update(&mut hasher, b"one");
        Reset::reset(&mut hasher);
        assert_eq!(hasher.backend(), backend);
        Update::update(&mut hasher, b"two");
        let (mut digest, mut expected) = (digest::Output::<Hasher>::default(), [0; 32]);
        hasher.finalize_into_reset(&mut digest);
        hash(backend, b"two", &mut expected);
        assert_eq!((hasher.backend(), &digest[..]), (backend, &expected[..]));
        drop(hasher.finalize_xof_reset());
        assert_eq!(hasher.backend(), backend);
    }
}

/// A code or an endless hash that begins again is a new one.
#[test]
fn skein_begins_again() {
    use digest::{ExtendableOutput, FixedOutput, FixedOutputReset, Reset, Update};
    use icefish::rustcrypto::{Skein512Mac, SkeinXof};
    let new = || <Skein512Mac>::new_from_slice(b"a key of any length").unwrap();
    let code = |mut mac: Skein512Mac, message: &[u8]| {
        mac.update(message);
        mac.finalize_fixed()
    };
    let expected = code(new(), b"abc");
    let mut mac = new();
    mac.update(b"something else");
    Reset::reset(&mut mac);
    assert_eq!(code(mac.clone(), b"abc"), expected);
    mac.update(b"abc");
    assert_eq!(mac.finalize_fixed_reset(), expected);
    assert_eq!(code(mac, b"abc"), expected);

    let (mut hasher, mut again) = (SkeinXof::<8, 64>::default(), SkeinXof::<8, 64>::default());
    hasher.update(b"something else");
    Reset::reset(&mut hasher);
    let [mut output, mut same] = [[0; 100]; 2];
    let mut xoodyak = Hasher::new();
    xoodyak.update(b"abc");
    xoodyak.finalize_xof_into(&mut output);
    hash(Backend::best(), b"abc", &mut same);
    assert_eq!(output, same);
    hasher.update(b"abc");
    again.update(b"abc");
    hasher.finalize_xof_into(&mut output);
    again.finalize_xof_into(&mut same);
    assert_eq!(output, same);
}
