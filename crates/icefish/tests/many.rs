//! Many messages in one call are what single calls make of them.

#![cfg(feature = "aes")]

use crate::common::{Random, backends};
use icefish::cipher::{Cipher, NewCipher};
use icefish::ciphers::*;
use icefish::many::Message;
use icefish::modes::{Cbc, Cfb, Ctr, Ecb, Mode, Padding};
use icefish::{Backend, Block, Error, Key};

type Call<C> = fn(&Key<C>, &mut [Message<'_>]) -> Result<(), Error>;

/// Calls with messages, each of which is afterwards the same bytes of memory as before.
fn keeping<T>(messages: &mut [Message<'_>], call: impl FnOnce(&mut [Message<'_>]) -> T) -> T {
    let places = |messages: &[Message<'_>]| -> Vec<_> {
        messages.iter().map(|m| (m.iv.as_ptr_range(), m.data.as_ptr_range())).collect()
    };
    let before = places(messages);
    let result = call(messages);
    assert!(places(messages) == before, "a message is not where it was, or not as long");
    result
}

fn check<C: Cipher, M: Mode>(key: &Key<C>, mode: M, encrypt: bool, call: Call<C>, what: &str) {
    let size = C::Block::LEN;
    let mut random = Random(7);
    for count in [0, 1, 2, 7, 33, 150] {
        let mut lens = Vec::new();
        for i in 0..count {
            lens.push(if i % 40 == 3 { 9000 } else { random.below(20 * size) });
        }
        check_lens(key, mode, encrypt, call, what, &lens);
    }
    // Of one length, as many as registers hold, and one more or less; and one that is not like the others.
    for count in [7, 8, 9, 16, 31] {
        for len in [0, size, 4 * size, 8 * size, 16 * size, 17 * size, 2 * size + 1] {
            let mut lens = vec![len; count];
            check_lens(key, mode, encrypt, call, what, &lens);
            lens[count / 2] = size;
            check_lens(key, mode, encrypt, call, what, &lens);
        }
    }
}

fn check_lens<C: Cipher, M: Mode>(
    key: &Key<C>,
    mode: M,
    encrypt: bool,
    call: Call<C>,
    what: &str,
    lens: &[usize],
) {
    let size = C::Block::LEN;
    let mut random = Random(8);
    let whole = mode.granularity() == icefish::modes::Granularity::Block;
    let mut ivs = Vec::new();
    let mut data: Vec<Vec<u8>> = Vec::new();
    for &len in lens {
        data.push(random.bytes(if whole { len / size * size } else { len }));
        ivs.push(random.bytes(mode.iv_len(size)));
    }
    let mut expected = data.clone();
    for (message, iv) in expected.iter_mut().zip(&ivs) {
        let len = message.len();
        if encrypt {
            let one = key.encryptor(mode, iv).unwrap().padding(Padding::None);
            one.in_place(message, len).unwrap();
        } else {
            let one = key.decryptor(mode, iv).unwrap().padding(Padding::None);
            one.in_place(message, len).unwrap();
        }
    }
    let mut messages: Vec<Message<'_>> =
        data.iter_mut().zip(&ivs).map(|(data, iv)| Message { iv, data }).collect();
    keeping(&mut messages, |messages| call(key, messages)).unwrap();
    assert!(data == expected, "{what} of {lens:?} on {}", key.backend());
}

fn every_call<C: Cipher>(key: &Key<C>) {
    check(key, Ecb, true, Key::ecb_encrypt_many, "ECB");
    check(key, Ecb, false, Key::ecb_decrypt_many, "ECB, back");
    check(key, Cbc, true, Key::cbc_encrypt_many, "CBC");
    check(key, Cbc, false, Key::cbc_decrypt_many, "CBC, back");
    check(key, Cfb, true, Key::cfb_encrypt_many, "CFB");
    check(key, Cfb, false, Key::cfb_decrypt_many, "CFB, back");
    check(key, Ctr::BE, true, |key, m| key.ctr_many(Ctr::BE, m), "CTR");
    check(key, Ctr::LE32, false, |key, m| key.ctr_many(Ctr::LE32, m), "CTR, 32 bits");
}

fn new<C: NewCipher>(backend: Backend) -> Key<C> {
    Key::on(backend, &Random(1).bytes(C::KEY)).unwrap()
}

#[test]
fn many_are_as_one_by_one() {
    for backend in backends() {
        every_call(&new::<Aes128>(backend));
        #[cfg(feature = "threefish")]
        every_call(&new::<Threefish512>(backend));
        #[cfg(feature = "ice")]
        for ice in [Ice::new(1, b"8 bytes."), Ice::new(0, b"8 bytes.").map(Ice::constant_time)] {
            every_call(&Key::from_cipher(backend, ice.unwrap()));
        }
    }
}

type EachCall<C> = fn(&[&Key<C>], &mut [Message<'_>]) -> Result<(), Error>;

/// Under keys of their own, messages are what each is alone.
fn check_each<C: NewCipher, M: Mode>(backend: Backend, mode: M, call: EachCall<C>) {
    let (size, whole) = (C::Block::LEN, mode.granularity() == icefish::modes::Granularity::Block);
    let mut random = Random(11);
    for count in [0, 1, 7, 8, 9, 40] {
        let (mut keys, mut ivs, mut data) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..count {
            keys.push(Key::<C>::on(backend, &random.bytes(C::KEY)).unwrap());
            ivs.push(random.bytes(size));
            let len = if i % 10 == 3 { 3000 } else { random.below(9 * size) };
            data.push(random.bytes(if whole { len / size * size } else { len }));
        }
        let mut expected = data.clone();
        for ((message, iv), key) in expected.iter_mut().zip(&ivs).zip(&keys) {
            let (one, len) =
                (key.encryptor(mode, iv).unwrap().padding(Padding::None), message.len());
            one.in_place(message, len).unwrap();
        }
        let mut messages: Vec<Message<'_>> =
            data.iter_mut().zip(&ivs).map(|(data, iv)| Message { iv, data }).collect();
        let keys: Vec<&Key<C>> = keys.iter().collect();
        keeping(&mut messages, |messages| call(&keys, messages)).unwrap();
        if let Some(fewer) = keys.len().checked_sub(1) {
            let wrong = Err(Error::BufferLength { got: fewer, need: count });
            assert_eq!(keeping(&mut messages, |messages| call(&keys[..fewer], messages)), wrong);
        }
        assert!(data == expected, "x{count} on {backend}");
    }
}

#[test]
fn keys_of_their_own() {
    for backend in backends() {
        check_each::<Aes128, _>(backend, Cbc, Key::cbc_encrypt_each);
        check_each::<Aes128, _>(backend, Cfb, Key::cfb_encrypt_each);
        #[cfg(feature = "threefish")]
        check_each::<Threefish512, _>(backend, Cbc, Key::cbc_encrypt_each);
        #[cfg(feature = "threefish")]
        check_each::<Threefish512, _>(backend, Cfb, Key::cfb_encrypt_each);
    }
}

#[test]
fn wrong_messages_leave_all_of_them_alone() {
    let key = new::<Aes128>(Backend::best());
    let (mut first, mut second) = ([1; 16], [2; 15]);
    let mut messages =
        [Message { iv: &[0; 16], data: &mut first }, Message { iv: &[0; 16], data: &mut second }];
    let partial = Err(Error::PartialBlock { got: 15, block: 16 });
    assert_eq!(keeping(&mut messages, |m| key.cbc_encrypt_many(m)), partial);
    let iv = Err(Error::IvLength { got: 16, need: 0 });
    assert_eq!(keeping(&mut messages, |m| key.ecb_decrypt_many(m)), iv);
    assert_eq!((first, second), ([1; 16], [2; 15]));
}
