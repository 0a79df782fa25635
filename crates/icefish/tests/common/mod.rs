//! What the tests share: backends to walk, data files, bytes that look random.
#![allow(dead_code, reason = "every test file takes what it needs")]

#[cfg(target_os = "linux")]
pub(crate) mod memory;
#[cfg(feature = "rustcrypto")]
pub(crate) mod toy;
#[cfg(feature = "alloc")]
pub(crate) mod ways;

use icefish::Backend;
use std::path::PathBuf;

/// The backends to test: all of this CPU, or the one that `ICEFISH_BACKEND` names.
pub(crate) fn backends() -> Vec<Backend> {
    match std::env::var_os("ICEFISH_BACKEND") {
        Some(name) if !name.is_empty() => {
            let backend = Backend::by_name(name.to_str().unwrap_or_default());
            vec![backend.expect("ICEFISH_BACKEND names a backend of this CPU")]
        }
        _ => Backend::available().collect(),
    }
}

/// The text of a data file in `tests/vectors`.
pub(crate) fn text(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The bytes of a data file in `tests/vectors`.
pub(crate) fn bytes(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(name);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

pub(crate) fn hex(digits: &str) -> Vec<u8> {
    assert!(digits.len().is_multiple_of(2), "odd hex {digits}");
    let byte = |i| u8::from_str_radix(&digits[i..i + 2], 16).expect("hex");
    (0..digits.len()).step_by(2).map(byte).collect()
}

/// The rows of a comma-separated file without quoted commas, comments and the header left out.
pub(crate) fn rows(name: &str) -> Vec<Vec<String>> {
    let text = text(name);
    let lines = text.lines().filter(|l| !l.starts_with('#') && !l.is_empty());
    lines.skip(1).map(|l| l.split(',').map(str::to_owned).collect()).collect()
}

/// One test of a NIST response file: its section and its fields.
pub(crate) struct Record {
    pub(crate) encrypt: bool,
    fields: Vec<(String, String)>,
}

impl Record {
    pub(crate) fn hex(&self, name: &str) -> Vec<u8> {
        let field = self.fields.iter().find(|(n, _)| n == name);
        hex(&field.unwrap_or_else(|| panic!("a field {name}")).1)
    }
}

/// The tests of a NIST response file.
pub(crate) fn records(name: &str) -> Vec<Record> {
    let mut encrypt = true;
    let mut records: Vec<Record> = Vec::new();
    for line in text(name).lines().map(str::trim) {
        match line.split_once(" =") {
            _ if line.starts_with('[') => encrypt = line == "[ENCRYPT]",
            Some(("COUNT", _)) => records.push(Record { encrypt, fields: Vec::new() }),
            Some((name, value)) if !line.starts_with('#') => {
                let record = records.last_mut().expect("COUNT comes first");
                record.fields.push((name.to_owned(), value.trim().to_owned()));
            }
            _ => {}
        }
    }
    records
}

/// Bytes that look random and are the same every time (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.word() % n as u64) as usize
    }
    pub(crate) fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.word() as u8).collect()
    }
}

/// One test of a Wycheproof file.
pub(crate) struct Wycheproof {
    pub(crate) id: u64,
    pub(crate) valid: bool,
    fields: serde_json::Value,
}

impl Wycheproof {
    pub(crate) fn hex(&self, name: &str) -> Vec<u8> {
        hex(self.fields[name].as_str().unwrap_or_else(|| panic!("a field {name}")))
    }
}

/// The tests of a Wycheproof file, `aes/wycheproof/<name>_test.json`.
pub(crate) fn wycheproof(name: &str) -> Vec<Wycheproof> {
    let text = text(&format!("aes/wycheproof/{name}_test.json"));
    let file: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let groups = file["testGroups"].as_array().expect("groups").iter();
    let tests = groups.flat_map(|g| g["tests"].as_array().expect("tests"));
    let test = |t: &serde_json::Value| Wycheproof {
        id: t["tcId"].as_u64().expect("a number"),
        valid: t["result"] == "valid",
        fields: t.clone(),
    };
    let tests: Vec<_> = tests.map(test).collect();
    assert_eq!(Some(tests.len() as u64), file["numberOfTests"].as_u64());
    tests
}

/// The message of [`RFC_3962`], of which each test takes the beginning.
pub(crate) const RFC_3962_MESSAGE: &[u8; 64] =
    b"I would like the General Gau's Chicken, please, and wonton soup.";

/// RFC 3962, appendix B: lengths and ciphertexts of AES-128-CBC-CS3 with an IV of zeros.
pub(crate) const RFC_3962: [(usize, &str); 6] = [
    (17, "c6353568f2bf8cb4d8a580362da7ff7f97"),
    (31, "fc00783e0efdb2c1d445d4c8eff7ed2297687268d6ecccc0c07b25e25ecfe5"),
    (32, "39312523a78662d5be7fcbcc98ebf5a897687268d6ecccc0c07b25e25ecfe584"),
    (
        47,
        "97687268d6ecccc0c07b25e25ecfe584b3fffd940c16a18c1b5549d2f838029e\
         39312523a78662d5be7fcbcc98ebf5",
    ),
    (
        48,
        "97687268d6ecccc0c07b25e25ecfe5849dad8bbb96c4cdc03bc103e1a194bbd8\
         39312523a78662d5be7fcbcc98ebf5a8",
    ),
    (
        64,
        "97687268d6ecccc0c07b25e25ecfe58439312523a78662d5be7fcbcc98ebf5a8\
         4807efe836ee89a526730dbc2f7bc8409dad8bbb96c4cdc03bc103e1a194bbd8",
    ),
];
