//! The executable specification (`spec/`) against published vectors. The library is not involved.

use crate::common;
use crate::common::{hex, records, rows, text, wycheproof};
use crate::spec;
use crate::spec::aes::Aes;
use crate::spec::{BlockCipher, cipher};
use serde_json::Value;

fn field(value: &Value, name: &str) -> Vec<u8> {
    hex(value[name].as_str().unwrap_or_else(|| panic!("a field {name}")))
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().unwrap_or_else(|| panic!("a list {name}"))
}

fn both_ways(cipher: &dyn BlockCipher, plain: &[u8], sealed: &[u8], what: &str) {
    assert!(spec::modes::encrypt(cipher, "ecb", &[], plain) == sealed, "{what}");
    assert!(spec::modes::decrypt(cipher, "ecb", &[], sealed) == plain, "{what}, back");
}

#[test]
fn aes_and_its_modes() {
    let mut run = 0;
    for (file, mode) in
        [("ECB", "ecb"), ("CBC", "cbc"), ("CFB8", "cfb8"), ("CFB128", "cfb"), ("OFB", "ofb")]
    {
        for bits in [128, 192, 256] {
            for kind in ["GFSbox", "KeySbox", "VarKey", "VarTxt", "MMT"] {
                for record in records(&format!("aes/nist/{file}{kind}{bits}.rsp")) {
                    let aes = Aes::new(&record.hex("KEY"));
                    let iv = if mode == "ecb" { Vec::new() } else { record.hex("IV") };
                    let (plain, sealed) = (record.hex("PLAINTEXT"), record.hex("CIPHERTEXT"));
                    let got = if record.encrypt {
                        spec::modes::encrypt(&aes, mode, &iv, &plain) == sealed
                    } else {
                        spec::modes::decrypt(&aes, mode, &iv, &sealed) == plain
                    };
                    assert!(got, "{file}{kind}{bits}");
                    run += 1;
                }
            }
        }
    }
    assert_eq!(run, 10690);
    for bits in [128, 192, 256] {
        for record in records(&format!("aes/nist/aes-{bits}-ctr.txt")) {
            let aes = Aes::new(&record.hex("KEY"));
            let (plain, iv) = (record.hex("PLAINTEXT"), record.hex("IV"));
            let sealed = spec::modes::encrypt(&aes, "ctr", &iv, &plain);
            assert_eq!(sealed, record.hex("CIPHERTEXT"));
        }
    }
}

#[test]
fn chaining_modes() {
    for row in rows("aes/ige_pcbc.csv") {
        let [key, iv, plain, sealed] = [1, 2, 3, 4].map(|i| hex(&row[i]));
        let aes = Aes::new(&key);
        if row[0] == "ige" {
            assert_eq!(spec::ige::encrypt(&aes, &iv, &plain), sealed);
        } else {
            assert_eq!(spec::modes::encrypt(&aes, &row[0], &iv, &plain), sealed);
            assert_eq!(spec::modes::decrypt(&aes, &row[0], &iv, &sealed), plain);
        }
    }
    for (len, sealed) in common::RFC_3962 {
        let message = &common::RFC_3962_MESSAGE[..len];
        let aes = Aes::new(b"chicken teriyaki");
        assert_eq!(spec::stealing::encrypt(&aes, 3, &[0; 16], message), hex(sealed));
    }
    let mut padded = 0;
    for test in wycheproof("aes_cbc_pkcs5").iter().filter(|test| test.valid) {
        let message = spec::padding::padded("pkcs7", 16, &test.hex("msg"));
        let aes = Aes::new(&test.hex("key"));
        let sealed = spec::modes::encrypt(&aes, "cbc", &test.hex("iv"), &message);
        assert_eq!(sealed, test.hex("ct"), "test {}", test.id);
        padded += 1;
    }
    assert!(padded > 50);
}

#[test]
fn sectors() {
    for test in wycheproof("aes_xts") {
        let (key, mut unit) = (test.hex("key"), [0; 16]);
        unit[..test.hex("iv").len()].copy_from_slice(&test.hex("iv"));
        let (data, tweak) = key.split_at(key.len() / 2);
        let (data, tweak) = (Aes::new(data), Aes::new(tweak));
        let sealed = spec::xts::encrypt(&data, &tweak, u128::from_le_bytes(unit), &test.hex("msg"));
        assert_eq!(sealed, test.hex("ct"), "test {}", test.id);
    }
}

#[test]
fn authentication() {
    for test in
        wycheproof("aes_cmac").iter().filter(|test| [16, 24, 32].contains(&test.hex("key").len()))
    {
        let tag = spec::cmac::tag(&Aes::new(&test.hex("key")), &test.hex("msg"));
        assert_eq!(tag.starts_with(&test.hex("tag")), test.valid, "CMAC, test {}", test.id);
    }
    for name in ["aes_gcm", "aes_gcm_siv", "aes_eax"] {
        for test in wycheproof(name).iter().filter(|test| !test.hex("iv").is_empty()) {
            let [key, nonce, associated] = ["key", "iv", "aad"].map(|f| test.hex(f));
            let [message, sealed, tag] = ["msg", "ct", "tag"].map(|f| test.hex(f));
            let aes = Aes::new(&key);
            let (ours, opened) = match name {
                "aes_gcm" => (
                    spec::gcm::seal(&aes, &nonce, &associated, &message),
                    spec::gcm::open(&aes, &nonce, &associated, &sealed, &tag),
                ),
                "aes_eax" => (
                    spec::eax::seal(&aes, &nonce, &associated, &message),
                    spec::eax::open(&aes, &nonce, &associated, &sealed, &tag),
                ),
                // Nonces of 12 bytes, as RFC 8452 wants.
                _ if nonce.len() != 12 => continue,
                _ => (
                    spec::gcm_siv::seal(&key, &nonce, &associated, &message),
                    spec::gcm_siv::open(&key, &nonce, &associated, &sealed, &tag),
                ),
            };
            let what = format!("{name}, test {}", test.id);
            if test.valid {
                assert_eq!((opened, ours), (Some(message), (sealed, tag)), "{what}");
            } else {
                assert_eq!(opened, None, "{what}");
            }
        }
    }
}

#[test]
fn aegis() {
    let mut run = 0;
    for (name, degree) in
        [("128l", 1), ("128x2", 2), ("128x4", 4), ("256", 1), ("256x2", 2), ("256x4", 4)]
    {
        let text = text(&format!("aegis/aegis-{name}-test-vectors.json"));
        let tests: Vec<Value> = serde_json::from_str(&text).unwrap();
        for test in tests.iter().filter(|test| test.get("tag256").is_some()) {
            let [key, nonce, associated] = ["key", "nonce", "ad"].map(|f| field(test, f));
            for tag in [field(test, "tag128"), field(test, "tag256")] {
                let sealed = field(test, "ct");
                let message = test.get("msg").map(|_| field(test, "msg"));
                let len = tag.len();
                let seal = |m: &[u8]| spec::aegis::seal(degree, len, &key, &nonce, &associated, m);
                let Some(message) = message else { continue };
                assert_eq!(seal(&message), (sealed, tag), "{name}, {}", test["name"]);
                run += 1;
            }
        }
    }
    assert!(run > 20, "{run}");
}

#[test]
fn aegismac() {
    let tests: Vec<Value> =
        serde_json::from_str(&text("aegis/aegismac-test-vectors.json")).unwrap();
    assert_eq!(tests.len(), 6);
    for (test, degree) in tests.iter().zip([1, 2, 4, 1, 2, 4]) {
        let [key, nonce, data] = ["key", "nonce", "data"].map(|f| field(test, f));
        for tag in [field(test, "tag128"), field(test, "tag256")] {
            let made = spec::aegis::mac(degree, tag.len(), &key, &nonce, &data);
            assert_eq!(made, tag, "{}", test["name"]);
        }
    }
}

#[test]
fn skein() {
    let rows = rows("threefish/skein13_golden_kat.csv");
    assert!(rows.len() > 300);
    for row in rows {
        let number = |i: usize| row[i].parse::<usize>().unwrap();
        let (message, key) = (hex(&row[3]), hex(&row[4]));
        let [leaf, node, height] = [5, 6, 7].map(|i| row[i].parse().unwrap());
        let tree = spec::skein::Tree { leaf, node, height };
        let message = spec::skein::Bits(&message, number(2));
        let strings = [(spec::skein::KEY, &key[..])];
        let digest = spec::skein::hash(number(0) / 8, number(1), &strings, tree, message);
        assert_eq!(digest, hex(&row[8]), "{:?}", &row[..3]);
    }
}

#[test]
fn ice() {
    let rows = rows("ice/ice_vectors.csv");
    assert!(rows.len() > 20);
    for row in rows {
        let ice = cipher(&format!("ice-{}", row[0]), &hex(&row[1]), &[]);
        both_ways(&*ice, &hex(&row[2]), &hex(&row[3]), &format!("level {}", row[0]));
    }
}

#[test]
fn threefish() {
    for row in rows("threefish/threefish_random.csv") {
        let [key, tweak, plain, sealed] = [1, 2, 3, 4].map(|i| hex(&row[i]));
        let name = row[0].replace("fish", "fish-");
        both_ways(&*cipher(&name, &key, &tweak), &plain, &sealed, &name);
    }
    for row in rows("threefish/threefish_ctr_be.csv") {
        let [key, tweak, iv, plain, sealed] = [1, 2, 3, 4, 5].map(|i| hex(&row[i]));
        let threefish = cipher(&row[0].replace("fish", "fish-"), &key, &tweak);
        assert_eq!(spec::modes::encrypt(&*threefish, "ctr", &iv, &plain), sealed);
    }
}

#[test]
fn xoodoo() {
    for (file, xoodoo) in [
        ("xoodoo/xoodoo_perm.csv", spec::xoodoo::XOODOO),
        ("xoodoo/xoodoo64_perm.csv", spec::xoodoo::XOODOO64),
    ] {
        for row in rows(file) {
            let state = hex(&row[1]).try_into().unwrap();
            let permuted = xoodoo.permute(row[0].parse().unwrap(), &state);
            assert_eq!(permuted.to_vec(), hex(&row[2]), "{file}");
        }
    }
}

#[test]
fn xoodyak() {
    let answers = |name: &str| -> Vec<Vec<Vec<u8>>> {
        let value = |line: &str| hex(line.split_once(" =").unwrap().1.trim());
        let record = |r: &str| r.trim().lines().skip(1).map(value).collect();
        text(name).split("\n\n").filter(|r| r.contains("Count")).map(record).collect()
    };
    for answer in answers("xoodoo/LWC_HASH_KAT_256.txt") {
        let [message, digest] = &answer[..] else { panic!("two fields") };
        assert_eq!(&spec::xoodyak::hash(message, 32), digest);
    }
    for answer in answers("xoodoo/LWC_AEAD_KAT_128_128_round3.txt") {
        let [key, nonce, plain, associated, sealed] = &answer[..] else { panic!("five fields") };
        let (ciphertext, tag) = spec::xoodyak::seal(key, nonce, associated, plain);
        assert_eq!(&[ciphertext, tag].concat(), sealed);
    }
    let sequences: Value = serde_json::from_str(&text("xoodoo/xoodyak_sequences.json")).unwrap();
    for sequence in sequences.as_array().unwrap() {
        let mut cyclist = if sequence["mode"] == "keyed" {
            let [key, id, counter] = ["key", "id", "counter"].map(|f| field(sequence, f));
            spec::xoodyak::Cyclist::keyed(&key, &id, &counter)
        } else {
            spec::xoodyak::Cyclist::hash()
        };
        for op in list(sequence, "ops") {
            let len = op["len"].as_u64().unwrap_or(0) as usize;
            let out = match op["op"].as_str().unwrap() {
                "absorb" => {
                    cyclist.absorb(&field(op, "in"));
                    continue;
                }
                "ratchet" => {
                    cyclist.ratchet();
                    continue;
                }
                "squeeze" => cyclist.squeeze(len),
                "squeeze_key" => cyclist.squeeze_key(len),
                "encrypt" => cyclist.encrypt(&field(op, "in")),
                "decrypt" => cyclist.decrypt(&field(op, "in")),
                other => panic!("{other}"),
            };
            assert_eq!(out, field(op, "out"));
        }
    }
}

#[test]
fn xoofff() {
    let mut run = 0;
    for row in rows("xoodoo/xoofff.csv").iter().filter(|row| !row[4].starts_with("sha256")) {
        let string = |s: &str| if s == "-" { Vec::new() } else { hex(s) };
        let strings: Vec<Vec<u8>> = row[2].split('|').map(string).collect();
        let strings: Vec<(&[u8], &[u8])> = strings.iter().map(|s| (&s[..], &[][..])).collect();
        let (key, len) = (hex(&row[1]), row[3].parse().unwrap());
        let out = if row[0] == "short" {
            spec::xoofff::short_output(&key, &strings, len)
        } else {
            spec::xoofff::output(&key, &strings, 0, len)
        };
        assert_eq!(out, hex(&row[4]));
        run += 1;
    }
    assert!(run > 100, "{run}");
}

#[test]
fn modes_of_xoofff() {
    let modes: Value = serde_json::from_str(&text("xoodoo/xoofff_modes.json")).unwrap();
    let messages = |session: &Value, a: &str, b: &str| -> Vec<(Vec<u8>, Vec<u8>)> {
        let pair = |message: &Value| (field(message, a), field(message, b));
        list(session, "messages").iter().map(pair).collect()
    };
    for session in list(&modes, "sane") {
        let (key, nonce) = (field(session, "key"), field(session, "nonce"));
        let (first, sealed) = spec::xoofff::sane(&key, &nonce, &messages(session, "ad", "pt"));
        assert_eq!(first, field(session, "initial_tag"));
        assert_eq!(sealed, messages(session, "ct", "tag"));
    }
    for session in list(&modes, "sanse") {
        let sealed = spec::xoofff::sanse(&field(session, "key"), &messages(session, "ad", "pt"));
        assert_eq!(sealed, messages(session, "ct", "tag"));
    }
    for case in list(&modes, "wbc") {
        let [key, tweak, plain] = ["key", "tweak", "pt"].map(|f| field(case, f));
        assert_eq!(spec::xoofff::encipher(&key, &tweak, &plain), field(case, "ct"));
    }
    for case in list(&modes, "wbc_ae") {
        let [key, associated, plain] = ["key", "ad", "pt"].map(|f| field(case, f));
        assert_eq!(spec::xoofff::seal(&key, &associated, &plain), field(case, "ct"));
    }
}
