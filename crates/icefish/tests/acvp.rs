//! Samples of NIST's Automated Cryptographic Validation Protocol (ACVP), on every backend: in one call, between buffers, and in
//! random pieces. What is invalid is refused, and releases nothing.
//!
//! The samples are not in the repository. `tools/acvp-test` takes them from a folder and runs this.

#![cfg(all(feature = "aes", feature = "alloc"))]

mod common;

use common::ways::{Message, pieces};
use common::{Random, backends, hex};
use icefish::modes::Padding;
use icefish::storage::Xts;
use icefish::suite::{AeadSuite, AnyAead, MACS, StealingSuite, Suite};
use icefish::{Backend, Error, ciphers};
use serde_json::Value;
use std::path::PathBuf;

/// A sample with the fields of its group, and what is expected.
struct Sample<'a> {
    group: &'a Value,
    test: &'a Value,
    expected: &'a Value,
}

impl Sample<'_> {
    fn value(&self, name: &str) -> Option<&Value> {
        [self.test, self.group].into_iter().find_map(|of| of.get(name))
    }

    fn hex(&self, name: &str) -> Vec<u8> {
        hex(self.value(name).and_then(Value::as_str).unwrap_or_else(|| panic!("a field {name}")))
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.value(name).and_then(Value::as_u64).map(|number| number as usize)
    }

    fn is(&self, name: &str, text: &str) -> bool {
        self.value(name).and_then(Value::as_str) == Some(text)
    }

    fn encrypt(&self) -> bool {
        self.is("direction", "encrypt")
    }

    /// What is expected, unless it is that the sample is refused.
    fn result(&self, name: &str) -> Option<Vec<u8>> {
        if self.expected.get("testPassed") == Some(&Value::Bool(false)) {
            return None;
        }
        self.expected.get(name).and_then(Value::as_str).map(hex)
    }

    /// Whether it has whole bytes, which is all that the library takes.
    fn whole_bytes(&self) -> bool {
        let lengths = ["payloadLen", "dataUnitLen", "msgLen", "aadLen", "ivLen"];
        lengths.iter().all(|name| self.number(name).unwrap_or(0).is_multiple_of(8))
    }

    fn names(&self) -> [&'static str; 2] {
        if self.encrypt() { ["pt", "ct"] } else { ["ct", "pt"] }
    }
}

/// Samples of a set that ran, that were to be refused, and that the library does not take.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    ran: usize,
    refused: usize,
    left_out: usize,
}

type Check = fn(&Sample<'_>, Backend, &mut Random) -> Option<bool>;

/// What checks a sample of an algorithm: whether it was accepted, or nothing if the library has no such case.
fn check(algorithm: &str) -> Option<Check> {
    Some(match algorithm {
        "ACVP-AES-ECB" => |s, b, r| raw("ecb", s, b, r),
        "ACVP-AES-CBC" => |s, b, r| raw("cbc", s, b, r),
        "ACVP-AES-CFB8" => |s, b, r| raw("cfb8", s, b, r),
        "ACVP-AES-CFB128" => |s, b, r| raw("cfb", s, b, r),
        "ACVP-AES-OFB" => |s, b, r| raw("ofb", s, b, r),
        "ACVP-AES-CTR" => |s, b, r| raw("ctr", s, b, r),
        "ACVP-AES-CBC-CS1" => |s, b, _| stealing(1, s, b),
        "ACVP-AES-CBC-CS2" => |s, b, _| stealing(2, s, b),
        "ACVP-AES-CBC-CS3" => |s, b, _| stealing(3, s, b),
        "ACVP-AES-XTS" => |s, b, _| xts(s, b),
        "ACVP-AES-GCM" | "ACVP-AES-GMAC" => |s, b, r| aead("gcm", s, b, r),
        "ACVP-AES-GCM-SIV" => |s, b, r| aead("gcm-siv", s, b, r),
        "CMAC-AES" => cmac,
        _ => return None,
    })
}

fn raw(mode: &str, sample: &Sample<'_>, backend: Backend, random: &mut Random) -> Option<bool> {
    let key = sample.hex("key");
    let suite: Suite = format!("aes-{}-{mode}", 8 * key.len()).parse().expect("a name");
    let iv = if mode == "ecb" { Vec::new() } else { sample.hex("iv") };
    if sample.is("testType", "MCT") {
        return Some(monte_carlo(mode, suite, sample, backend));
    }
    let [input, output] = sample.names();
    // Counter tests leave the counter to the module.
    let (Some(expected), true) =
        (sample.result(output), sample.value("iv").is_some() || mode == "ecb")
    else {
        return None;
    };
    let key = suite.cipher.key(backend, &key, &[]).expect("a key");
    let message = Message { key: &key, mode: suite.mode, iv: &iv, padding: Padding::None };
    assert_eq!(message.every_way(sample.encrypt(), &sample.hex(input), random), Ok(expected));
    Some(true)
}

/// The Monte Carlo test: 100 results, each of 1,000 messages of a block or, with CFB8, of a byte.
fn monte_carlo(mode: &str, suite: Suite, sample: &Sample<'_>, backend: Backend) -> bool {
    let [input_name, output_name] = sample.names();
    let (mut key, mut input) = (sample.hex("key"), sample.hex(input_name));
    let mut iv = if mode == "ecb" { Vec::new() } else { sample.hex("iv") };
    let results = sample.expected["resultsArray"].as_array().expect("results");
    for result in results {
        let field = |name: &str| hex(result[name].as_str().expect("a field"));
        assert!(field("key") == key && field(input_name) == input);
        assert!(mode == "ecb" || field("iv") == iv);
        let made = suite.cipher.key(backend, &key, &[]).expect("a key");
        let start = if sample.encrypt() {
            icefish::suite::AnyKey::encryptor
        } else {
            icefish::suite::AnyKey::decryptor
        };
        let mut crypter = start(&made, suite.mode, &iv, Padding::None).expect("an IV");
        let (size, mut all) = (input.len(), iv.clone());
        for _ in 0..1000 {
            let mut output = vec![0; size];
            crypter.update(&input, &mut output).expect("a block");
            // The next input is the output before this one; the IV counts as output, and comes first.
            all.extend_from_slice(&output);
            let back = if mode == "ecb" { size } else { iv.len() + size };
            input = all[all.len() - back..][..size].to_vec();
        }
        assert_eq!(all[all.len() - size..], field(output_name));
        let from = all.len() - key.len();
        key.iter_mut().zip(&all[from..]).for_each(|(k, o)| *k ^= o);
        iv = all[all.len() - iv.len()..].to_vec();
    }
    assert_eq!(results.len(), 100);
    true
}

fn stealing(variant: u8, sample: &Sample<'_>, backend: Backend) -> Option<bool> {
    if sample.is("testType", "MCT") {
        return None;
    }
    let [input, output] = sample.names();
    let (bytes, iv, message) = (sample.hex("key"), sample.hex("iv"), sample.hex(input));
    let name = format!("aes-{}-cbc-cs{variant}", 8 * bytes.len());
    let suite = StealingSuite::all().find(|suite| suite.to_string() == name).expect("a name");
    let key = suite.key(backend, &bytes).expect("a key");
    let mut data = message;
    let done = if sample.encrypt() {
        key.encrypt_in_place(&iv, &mut data)
    } else {
        key.decrypt_in_place(&iv, &mut data)
    };
    assert_eq!((done, Some(data)), (Ok(()), sample.result(output)));
    Some(true)
}

fn xts(sample: &Sample<'_>, backend: Backend) -> Option<bool> {
    let (key, [input, output]) = (sample.hex("key"), sample.names());
    let unit = if sample.value("tweakValue").is_some() {
        u128::from_le_bytes(sample.hex("tweakValue").try_into().expect("16 bytes"))
    } else {
        sample.number("sequenceNumber")? as u128
    };
    let (mut data, size) = (sample.hex(input), sample.number("dataUnitLen").map(|bits| bits / 8));
    let (message, size) = (data.clone(), size.unwrap_or(data.len()));
    let mut between = vec![0; data.len()];
    match (key.len(), sample.encrypt()) {
        (32, true) => Xts::<ciphers::Aes128>::on(backend, &key).and_then(|key| {
            key.encrypt_units(unit, size, &mut data)?;
            key.encrypt_units_between(unit, size, &message, &mut between)
        }),
        (32, false) => Xts::<ciphers::Aes128>::on(backend, &key).and_then(|key| {
            key.decrypt_units(unit, size, &mut data)?;
            key.decrypt_units_between(unit, size, &message, &mut between)
        }),
        (_, true) => Xts::<ciphers::Aes256>::on(backend, &key).and_then(|key| {
            key.encrypt_units(unit, size, &mut data)?;
            key.encrypt_units_between(unit, size, &message, &mut between)
        }),
        (_, false) => Xts::<ciphers::Aes256>::on(backend, &key).and_then(|key| {
            key.decrypt_units(unit, size, &mut data)?;
            key.decrypt_units_between(unit, size, &message, &mut between)
        }),
    }
    .expect("a unit");
    assert!(data == between && Some(data) == sample.result(output));
    Some(true)
}

fn aead(mode: &str, sample: &Sample<'_>, backend: Backend, random: &mut Random) -> Option<bool> {
    let bytes = sample.hex("key");
    let suite: AeadSuite = format!("aes-{}-{mode}", 8 * bytes.len()).parse().expect("a name");
    let mut key = suite.key(backend, &bytes).expect("a key");
    let tag = sample.number("tagLen").unwrap_or(128) / 8;
    // Some lengths of tags are too short for the library, and an IV may be the module's.
    if key.set_tag_len(tag).is_err() || sample.value("iv").is_none() && sample.encrypt() {
        return None;
    }
    let [nonce, associated] = ["iv", "aad"].map(|name| sample.hex(name));
    let text = |name| sample.value(name).map_or(Vec::new(), |_| sample.hex(name));
    if sample.encrypt() {
        seal(&key, &nonce, &associated, &text("pt"), sample, random);
        return Some(true);
    }
    let (sealed, mut tag) = (text("ct"), text("tag"));
    // GCM-SIV: the tag comes after the ciphertext.
    let (sealed, at) = (&sealed[..], sealed.len().saturating_sub(16));
    let sealed = if tag.is_empty() {
        tag = sealed[at..].to_vec();
        &sealed[..at]
    } else {
        sealed
    };
    open(&key, &nonce, &associated, (sealed, &tag), sample, random)
}

fn seal(
    key: &AnyAead,
    nonce: &[u8],
    associated: &[u8],
    text: &[u8],
    sample: &Sample<'_>,
    random: &mut Random,
) {
    let (mut one, mut two) = (text.to_vec(), vec![0; text.len()]);
    let mut tags = [(); 3].map(|()| vec![0; key.tag_len()]);
    key.seal_in_place(nonce, associated, &mut one, &mut tags[0]).expect("a message");
    key.seal_between(nonce, associated, text, &mut two, &mut tags[1]).expect("a message");
    let mut expected = sample.result("ct").unwrap_or_default();
    let tag = sample.result("tag").unwrap_or_else(|| expected.split_off(text.len()));
    assert!(one == expected && two == expected && tags[0] == tag && tags[1] == tag);
    let Ok(mut sealer) = key.sealer(nonce) else { return };
    pieces(random, associated)
        .into_iter()
        .for_each(|piece| sealer.associated(piece).expect("a piece"));
    let mut three = Vec::new();
    for piece in pieces(random, text) {
        let mut piece = piece.to_vec();
        sealer.update_in_place(&mut piece).expect("a piece");
        three.extend(piece);
    }
    sealer.finish_to(&mut tags[2]).expect("a tag");
    assert!(three == expected && tags[2] == tag, "in pieces");
}

fn open(
    key: &AnyAead,
    nonce: &[u8],
    associated: &[u8],
    (sealed, tag): (&[u8], &[u8]),
    sample: &Sample<'_>,
    random: &mut Random,
) -> Option<bool> {
    let (mut one, mut two, mut three) =
        (sealed.to_vec(), vec![0; sealed.len()], vec![0; sealed.len()]);
    let opened = key.open_in_place(nonce, associated, &mut one, tag);
    assert_eq!(key.open_between(nonce, associated, sealed, &mut two, tag), opened);
    let mut in_pieces = || {
        let mut opener = key.opener(nonce, &mut three)?;
        pieces(random, associated).into_iter().try_for_each(|piece| opener.associated(piece))?;
        pieces(random, sealed).into_iter().try_for_each(|piece| opener.update(piece))?;
        opener.finish(tag).map(|_| ())
    };
    let opened_in_pieces = in_pieces();
    let whole = opened_in_pieces == Err(Error::WholeMessage);
    assert!(whole || opened_in_pieces == opened, "in pieces {opened_in_pieces:?}");
    let passed = sample.expected.get("testPassed") != Some(&Value::Bool(false));
    assert_eq!(opened.is_ok(), passed);
    let right =
        if passed { sample.result("pt").unwrap_or_default() } else { vec![0; sealed.len()] };
    assert!(one == right && two == right && (three == right || whole));
    Some(passed)
}

fn cmac(sample: &Sample<'_>, backend: Backend, random: &mut Random) -> Option<bool> {
    let (bytes, message) = (sample.hex("key"), sample.hex("message"));
    let name = format!("aes-{}-cmac", 8 * bytes.len());
    let suite = MACS.iter().find(|suite| suite.name == name)?;
    let mut key = suite.key(backend, &bytes).expect("a key");
    key.set_tag_len(sample.number("macLen")? / 8).ok()?;
    let mut state = key.start();
    pieces(random, &message).into_iter().for_each(|piece| state.update(piece));
    if sample.is("direction", "gen") {
        let (mut one, mut two) = (vec![0; key.tag_len()], vec![0; key.tag_len()]);
        key.tag(&message, &mut one).expect("a tag");
        state.finish(&mut two).expect("a tag");
        assert_eq!((Some(one), Some(two)), (sample.result("mac"), sample.result("mac")));
        return Some(true);
    }
    let passed = sample.expected["testPassed"] == true;
    assert_eq!(key.verify(&message, &sample.hex("mac")).is_ok(), passed);
    assert_eq!(state.verify(&sample.hex("mac")).is_ok(), passed, "in pieces");
    Some(passed)
}

/// The object of a file that has groups: it is alone, or follows a header.
fn groups(mut file: Value) -> Value {
    if let Some(items) = file.as_array_mut() {
        file = items.pop().expect("an object");
    }
    file
}

fn tests(group: &Value) -> &[Value] {
    group["tests"].as_array().expect("tests")
}

/// The samples of a folder with `prompt.json` and `expected.json`.
fn run(folder: &std::path::Path) -> Option<(String, Count)> {
    let read = |name: &str| {
        let text = std::fs::read_to_string(folder.join(name)).expect("a file");
        groups(serde_json::from_str(&text).expect("JSON"))
    };
    let (prompt, expected) = (read("prompt.json"), read("expected.json"));
    let algorithm = prompt["algorithm"].as_str().expect("a name").to_owned();
    let (check, mut random, mut count) = (check(&algorithm)?, Random(1), Count::default());
    let results: std::collections::HashMap<u64, &Value> = (expected["testGroups"].as_array())
        .expect("groups")
        .iter()
        .flat_map(tests)
        .map(|test| (test["tcId"].as_u64().expect("a number"), test))
        .collect();
    for group in prompt["testGroups"].as_array().expect("groups") {
        for test in tests(group) {
            let id = test["tcId"].as_u64().expect("a number");
            let sample = Sample { group, test, expected: results[&id] };
            let verdicts: Vec<_> = (backends().into_iter())
                .map(|backend| {
                    println!("{algorithm}, test {id} on {backend}"); // shown if it fails
                    if sample.whole_bytes() { check(&sample, backend, &mut random) } else { None }
                })
                .collect();
            assert!(verdicts.windows(2).all(|two| two[0] == two[1]), "backends differ");
            match verdicts[0] {
                Some(accepted) => {
                    count.ran += 1;
                    count.refused += usize::from(!accepted);
                }
                None => count.left_out += 1,
            }
        }
    }
    Some((algorithm, count))
}

#[test]
#[ignore = "tools/acvp-test brings the samples"]
fn samples() {
    let folder = PathBuf::from(std::env::var_os("ICEFISH_ACVP").expect("ICEFISH_ACVP is a folder"));
    let mut sets: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    sets.sort();
    let mut ran = 0;
    for set in sets {
        let Some((algorithm, count)) = run(&set) else { continue };
        let Count { ran: here, refused, left_out } = count;
        eprintln!("{algorithm}: {here} samples, {refused} of them invalid; {left_out} left out");
        ran += here;
    }
    assert!(ran > 0, "no samples");
}
