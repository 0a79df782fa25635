//! AES against the files of NIST and of Wycheproof, on every backend.

#![cfg(all(feature = "aes", feature = "alloc"))]

mod common;

use common::{Record, backends, hex, records, text};
use icefish::Backend;
use icefish::modes::Padding;
use icefish::suite::{AnyCrypter, AnyKey, Suite};

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

fn check(file: &str, bits: usize, mode: &str) -> usize {
    let suite = suite(bits, mode);
    let all = records(file);
    for record in &all {
        let (input, output) = names(record.encrypt);
        for backend in backends() {
            let key = key(suite, &record.hex("KEY"), backend);
            let mut message = record.hex(input);
            let mut crypter = crypter(&key, suite, record.encrypt, &iv(record, mode));
            let data = message.clone();
            let len = crypter.update(&data, &mut message).unwrap();
            assert_eq!(&message[..len], record.hex(output), "{file} on {backend}");
        }
    }
    all.len()
}

#[test]
fn known_answers_and_multi_block_messages() {
    let mut records = 0;
    for (file, mode) in MODES {
        for bits in [128, 192, 256] {
            for kind in ["GFSbox", "KeySbox", "VarKey", "VarTxt", "MMT"] {
                records += check(&format!("aes/nist/{file}{kind}{bits}.rsp"), bits, mode);
            }
        }
    }
    assert_eq!(records, 10690);
}

#[test]
fn counter_mode() {
    for bits in [128, 192, 256] {
        assert!(check(&format!("aes/nist/aes-{bits}-ctr.txt"), bits, "ctr") > 0);
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
    for record in &records(file) {
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

#[test]
fn wycheproof_cbc_pkcs5() {
    let file: serde_json::Value =
        serde_json::from_str(&text("aes/wycheproof/aes_cbc_pkcs5_test.json")).unwrap();
    let (mut valid, mut invalid) = (0, 0);
    for group in file["testGroups"].as_array().unwrap() {
        let suite = suite(group["keySize"].as_u64().unwrap() as usize, "cbc");
        for test in group["tests"].as_array().unwrap() {
            let field = |name: &str| hex(test[name].as_str().unwrap());
            let (message, cipher_text) = (field("msg"), field("ct"));
            for backend in backends() {
                let key = key(suite, &field("key"), backend);
                let mut out = vec![0; cipher_text.len() + 16];
                let back = key.decrypt_between(
                    suite.mode,
                    &field("iv"),
                    Padding::Pkcs7,
                    &cipher_text,
                    &mut out,
                );
                if test["result"] == "valid" {
                    assert_eq!(&out[..back.unwrap()], message, "test {}", test["tcId"]);
                    let len = key
                        .encrypt_between(
                            suite.mode,
                            &field("iv"),
                            Padding::Pkcs7,
                            &message,
                            &mut out,
                        )
                        .unwrap();
                    assert_eq!(&out[..len], cipher_text, "test {}", test["tcId"]);
                    valid += 1;
                } else {
                    assert!(back.is_err(), "test {} on {backend}", test["tcId"]);
                    invalid += 1;
                }
            }
        }
    }
    assert!(valid > 0 && invalid > 0);
}
