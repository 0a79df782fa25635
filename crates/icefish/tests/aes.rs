//! AES against the files of NIST, on every backend. Those of Wycheproof are in `published.rs`.

#![cfg(all(feature = "aes", feature = "alloc"))]

use crate::common::ways::Message;
use crate::common::{Random, Record, backends, records};
use icefish::cipher::NewCipher;
use icefish::ciphers::{Aes128, Aes192, Aes256};
use icefish::modes::{Cbc, Ecb, Padding};
use icefish::suite::{AnyCrypter, AnyKey, Suite};
use icefish::{Backend, Key};

const MODES: [(&str, &str); 5] =
    [("ECB", "ecb"), ("CBC", "cbc"), ("CFB8", "cfb8"), ("CFB128", "cfb"), ("OFB", "ofb")];

fn suite(bits: usize, mode: &str) -> Suite {
    format!("aes-{bits}-{mode}").parse().unwrap()
}

fn key(suite: Suite, key: &[u8], backend: Backend) -> AnyKey {
    suite.cipher.key(backend, key, &[]).unwrap()
}

fn crypter<'k>(key: &'k AnyKey, suite: Suite, encrypt: bool, iv: &[u8]) -> AnyCrypter<'k> {
    let start = if encrypt { AnyKey::encryptor } else { AnyKey::decryptor };
    start(key, suite.mode, iv, Padding::None).unwrap()
}

fn iv(record: &Record, mode: &str) -> Vec<u8> {
    if mode == "ecb" { Vec::new() } else { record.hex("IV") }
}

fn names(encrypt: bool) -> (&'static str, &'static str) {
    if encrypt { ("PLAINTEXT", "CIPHERTEXT") } else { ("CIPHERTEXT", "PLAINTEXT") }
}

/// All records of a file, in every way. Returns how many there are.
fn check(file: &str, bits: usize, mode: &str) -> usize {
    let (suite, mut random) = (suite(bits, mode), Random(bits as u64));
    let all = records(file);
    for record in &all {
        let (input, output) = names(record.encrypt);
        let (input, iv) = (record.hex(input), iv(record, mode));
        for backend in backends() {
            let key = key(suite, &record.hex("KEY"), backend);
            let message = Message { key: &key, mode: suite.mode, iv: &iv, padding: Padding::None };
            let out = message.every_way(record.encrypt, &input, &mut random);
            assert_eq!(out, Ok(record.hex(output)), "{file} on {backend}");
        }
    }
    all.len()
}

/// AESAVS: how many of each kind there are for each length of keys, in each direction.
const KINDS: [(&str, [usize; 3]); 5] = [
    ("GFSbox", [7, 6, 5]),
    ("KeySbox", [21, 24, 16]),
    ("VarKey", [128, 192, 256]),
    ("VarTxt", [128; 3]),
    ("MMT", [10; 3]),
];

#[test]
fn known_answers_and_multi_block_messages() {
    let mut records = 0;
    for (file, mode) in MODES {
        for (kind, counts) in KINDS {
            for (bits, count) in [128, 192, 256].into_iter().zip(counts) {
                let name = format!("{file}{kind}{bits}");
                let run = check(&format!("aes/nist/{name}.rsp"), bits, mode);
                assert_eq!(run, 2 * count, "{name}");
                records += run;
            }
        }
    }
    assert_eq!(records, 10690);
}

#[test]
fn counter_mode() {
    for bits in [128, 192, 256] {
        assert_eq!(check(&format!("aes/nist/aes-{bits}-ctr.txt"), bits, "ctr"), 3);
    }
}

/// One inner loop of the Monte Carlo test (AESAVS, section 6.4): all 1,000 outputs, one after the other.
fn inner(mode: &str, mut crypter: AnyCrypter<'_>, iv: &[u8], input: &[u8]) -> Vec<u8> {
    let size = input.len();
    let (mut input, mut outputs) = (input.to_vec(), Vec::new());
    for j in 0..1000 {
        let mut output = vec![0; size];
        crypter.update(&input, &mut output).unwrap();
        outputs.extend_from_slice(&output);
        input = match mode {
            "ecb" => output,
            // The IV's bytes come first, then the outputs from the beginning.
            _ => match (j * size).checked_sub(iv.len() - size) {
                Some(at) if at > 0 || size == iv.len() && j > 0 => outputs[at - size..at].to_vec(),
                _ => iv[j * size..(j + 1) * size].to_vec(),
            },
        };
    }
    outputs
}

fn monte_carlo(file: &str, bits: usize, mode: &str, backend: Backend) {
    let suite = suite(bits, mode);
    let mut expected: Option<([Vec<u8>; 3], bool)> = None;
    let records = records(file);
    assert_eq!(records.len(), 200, "{file}");
    for record in &records {
        let (input_name, output_name) = names(record.encrypt);
        let (mut k, v, input) = (record.hex("KEY"), iv(record, mode), record.hex(input_name));
        if let Some(([next_key, next_iv, next_input], encrypt)) = &expected
            && *encrypt == record.encrypt
        {
            assert_eq!((&k, &v, &input), (next_key, next_iv, next_input), "{file}");
        }
        let key = key(suite, &k, backend);
        let outputs = inner(mode, crypter(&key, suite, record.encrypt, &v), &v, &input);
        let (end, size) = (outputs.len(), input.len());
        assert_eq!(outputs[end - size..], record.hex(output_name), "{file} on {backend}");
        for (k, o) in k.iter_mut().zip(&outputs[end - bits / 8..]) {
            *k ^= o;
        }
        let next_iv = outputs[end - v.len()..].to_vec();
        let back = if mode == "ecb" { size } else { 16 + size };
        let next_input = outputs[end - back..end - back + size].to_vec();
        expected = Some(([k, next_iv, next_input], record.encrypt));
    }
}

#[test]
fn monte_carlo_of_every_mode() {
    for (file, mode) in MODES {
        for bits in [128, 192, 256] {
            for backend in backends() {
                monte_carlo(&format!("aes/nist/{file}MCT{bits}.rsp"), bits, mode, backend);
            }
        }
    }
}

/// One block at a time, as often as a key changes how it decrypts them: it makes the round keys on the way, then stores them, then has
/// them.
fn first_blocks<C: NewCipher<Block = [u8; 16]>>(random: &mut Random) {
    type Call<C> = fn(&Key<C>, &[u8; 16], &mut [u8; 16]);
    let calls: [Call<C>; 3] = [
        |key, iv, block| {
            key.decrypt_block(block);
            (0..16).for_each(|i| block[i] ^= iv[i]);
        },
        |key, iv, block| {
            key.decrypt(Ecb, &[], block).unwrap();
            (0..16).for_each(|i| block[i] ^= iv[i]);
        },
        |key, iv, block| key.decrypt(Cbc, iv, block).unwrap(),
    ];
    let keys = [(); 2].map(|()| random.bytes(C::KEY));
    let iv: [u8; 16] = random.bytes(16).try_into().unwrap();
    for backend in backends() {
        for call in calls {
            let mut key = Key::<C>::on(backend, &keys[0]).unwrap();
            for bytes in [&keys[0], &keys[1]] {
                key.set_key(bytes).unwrap();
                for _ in 0..4 {
                    let plain: [u8; 16] = random.bytes(16).try_into().unwrap();
                    let mut block = plain;
                    key.encrypt(Cbc, &iv, &mut block).unwrap();
                    call(&key, &iv, &mut block);
                    assert_eq!(block, plain, "{backend}");
                }
            }
        }
    }
}

#[test]
fn the_first_blocks_of_a_key() {
    let mut random = Random(3);
    first_blocks::<Aes128>(&mut random);
    first_blocks::<Aes192>(&mut random);
    first_blocks::<Aes256>(&mut random);
}
