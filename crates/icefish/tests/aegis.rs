//! AEGIS: the vectors of RFC 10032, lengths, pieces, forgeries.

#![cfg(feature = "aes")]

mod common;

use common::{backends, hex, text};
use icefish::aead::{
    Aead, Aegis, Aegis128L, Aegis128X2, Aegis128X4, Aegis256, Aegis256X2, Aegis256X4,
};
use icefish::{Backend, Error};
use serde_json::Value;

fn field(test: &Value, name: &str) -> Vec<u8> {
    hex(test[name].as_str().unwrap_or_else(|| panic!("a field {name}")))
}

/// The tests of a file that have a key and a tag.
fn vectors(name: &str) -> Vec<Value> {
    let text = text(&format!("aegis/{name}-test-vectors.json"));
    let tests: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    tests.into_iter().filter(|test| test.get("tag256").is_some()).collect()
}

/// One vector, with tags of both lengths.
fn check<const BITS: usize, const DEGREE: usize>(backend: Backend, test: &Value, what: &str) {
    let [key, nonce, ad, sealed] = ["key", "nonce", "ad", "ct"].map(|name| field(test, name));
    let mut aegis = Aegis::<BITS, DEGREE>::on(backend, &key).unwrap();
    for name in ["tag128", "tag256"] {
        let tag = field(test, name);
        aegis.set_tag_len(tag.len()).unwrap();
        let mut data = sealed.clone();
        let opened = aegis.open_in_place(&nonce, &ad, &mut data, &tag);
        if test.get("error").is_some() {
            assert_eq!(opened, Err(Error::Forged), "{what}");
            assert!(data.iter().all(|&b| b == 0), "{what} released something");
            continue;
        }
        assert_eq!(opened, Ok(()), "{what}, {name}");
        assert_eq!(data, field(test, "msg"), "{what}, {name}");
        let made = aegis.seal_in_place(&nonce, &ad, &mut data).unwrap();
        assert_eq!((&data, &made[..tag.len()]), (&sealed, &tag[..]), "{what}, {name}");
    }
}

fn every<const BITS: usize, const DEGREE: usize>(name: &str, count: usize) {
    let tests = vectors(name);
    assert_eq!(tests.len(), count, "{name}");
    for test in &tests {
        for backend in backends() {
            let what = format!("{name}, {} on {backend}", test["name"]);
            check::<BITS, DEGREE>(backend, test, &what);
        }
    }
}

#[test]
fn vectors_of_the_rfc() {
    every::<128, 1>("aegis-128l", 9);
    every::<128, 2>("aegis-128x2", 2);
    every::<128, 4>("aegis-128x4", 2);
    every::<256, 1>("aegis-256", 9);
    every::<256, 2>("aegis-256x2", 2);
    every::<256, 4>("aegis-256x4", 2);
}
