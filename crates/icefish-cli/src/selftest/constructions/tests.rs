use super::{Answer, answers};
use icefish::Backend;
use icefish::suite::{AEADS, CHUNKED};
use std::path::Path;

fn all() -> Vec<Answer<'static>> {
    answers().unwrap_or_else(|wrong| panic!("{}", wrong.0))
}

#[test]
fn every_construction_is_asked() {
    let answers = all();
    let asked = |name: &str| answers.iter().any(|answer| answer.construction == name);
    for suite in AEADS {
        // Nobody has published answers of EAX over Threefish.
        assert_eq!(asked(suite.name), !suite.name.starts_with("threefish"), "{suite}");
    }
    for bits in [128, 192, 256] {
        assert!(asked(&format!("aes-{bits}-xts")) && asked(&format!("aes-{bits}-cmac")), "{bits}");
    }
    assert!(CHUNKED.iter().all(|suite| asked(suite.name)));
    assert!(asked("xoodyak-hash"));
    for name in ["skein-256", "skein-512", "skein-1024"] {
        let keys: Vec<bool> =
            answers.iter().filter(|a| a.construction == name).map(|a| a.key.is_empty()).collect();
        assert!(keys.contains(&true) && keys.contains(&false), "{name} with a key and without");
    }
    for name in ["", "-short", "-sane", "-sanse", "-wbc", "-wbc-ae"] {
        assert!(asked(&format!("xoofff{name}")), "{name}");
    }
}

/// A question that cannot be answered wrongly asks nothing.
#[test]
fn wrong_answers_are_found() {
    for backend in Backend::available() {
        for mut answer in all() {
            let what = format!("{} of {} on {backend}", answer.construction, answer.source);
            assert!(matches!(answer.check(backend), Ok(true)), "{what}");
            for i in 0..answer.outputs.len() {
                for end in [0, answer.outputs[i].len() - 1] {
                    answer.outputs[i][end] ^= 1;
                    assert!(!matches!(answer.check(backend), Ok(true)), "{what}");
                    answer.outputs[i][end] ^= 1;
                }
            }
        }
    }
}

/// All text below `folder`, in lower case.
fn text(folder: &Path) -> String {
    let mut all = String::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            all += &text(&path);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            all += &text.to_lowercase();
        }
    }
    all
}

/// The answers are those of the library's vectors, and not of the code that gives them.
#[test]
fn the_answers_are_the_vectors() {
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../icefish/tests/vectors");
    let vectors = text(&vectors);
    for answer in all() {
        let what = format!("{} of {}", answer.construction, answer.source);
        for output in &answer.outputs {
            // In some files the tag, of 16 or 32 bytes, stands alone.
            let output = hex::encode(output);
            let found = [0, 32, 64].into_iter().filter(|tag| *tag <= output.len()).any(|tag| {
                let (crypted, tag) = output.split_at(output.len() - tag);
                vectors.contains(crypted) && vectors.contains(tag)
            });
            assert!(found, "{what}");
        }
        assert!(vectors.contains(&hex::encode(&answer.key)), "{what}");
        assert!(answer.messages.iter().all(|m| vectors.contains(&hex::encode(m))), "{what}");
    }
}
