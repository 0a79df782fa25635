//! What the program reads as text: lists of digests, ranges of bytes, sizes and hexadecimal digits. Its command line as a whole is not here.
//!
//! No cipher and no hash is named here: without the counters of their code, an execution takes half the time.

#[path = "../../crates/icefish-cli/src/commands/hash/list.rs"]
mod list;
#[path = "../../crates/icefish-cli/src/ranges.rs"]
mod ranges;

use crate::data::Data;
use crate::errors::Failure;
use crate::within;
use icefish_files::formats::Place;
use icefish_measure::format::parse_size;
use list::{Line, Lines};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

pub(crate) fn run(bytes: &[u8]) {
    let data = &mut Data::new(bytes);
    match data.below(5) {
        0 => written(data),
        1 => read(data),
        2 => size(data),
        3 => digits(data),
        _ => range(data),
    }
}

/// The tag of a hash in a list, in the form that the program gives it.
fn tag(data: &mut Data<'_>) -> String {
    let tag = *data.pick(&["Skein-256", "Skein-512", "Skein-512-tree", "Xoodyak"]);
    if data.bit() { format!("{tag}-{}", 8 * data.below(4096)) } else { tag.to_owned() }
}

/// A line that was written reads as what it was written from.
fn written(data: &mut Data<'_>) {
    let tag = tag(data);
    let len = 1 + data.below(64);
    let digest = data.text(len);
    let name: Vec<u8> = data.rest().into_iter().filter(|&byte| byte != 0).collect();
    if name.is_empty() {
        return;
    }
    for tagged in [None, Some(&tag[..])] {
        let line = list::line(&digest, OsStr::from_bytes(&name), tagged, false);
        assert_eq!(line.iter().filter(|&&byte| byte == b'\n').count(), 1, "one line");
        match Lines::new(len, &tag).parse(&line) {
            Line::Digest(got, to) => {
                assert!(got == digest && to == OsString::from_vec(name.clone()))
            }
            _ => panic!("a line that was written does not read"),
        }
        assert!(matches!(Lines::new(len + 1, &tag).parse(&line), Line::Length));
    }
}

/// Any line. What is a digest and a name is so in the form that is written.
fn read(data: &mut Data<'_>) {
    let tag = tag(data);
    let len = 1 + data.below(64);
    let line = data.rest();
    let most = 4096 + 4 * line.len();
    if let Line::Digest(digest, name) = within(most, || Lines::new(len, &tag).parse(&line)) {
        assert!(digest.len() == len && !name.is_empty());
        let verdict = list::verdict(&name, "OK");
        assert!(verdict.ends_with(b": OK\n"));
        match Lines::new(len, &tag).parse(&list::line(&digest, &name, None, false)) {
            Line::Digest(again, to) => assert!(again == digest && to == name),
            _ => panic!("it does not read again"),
        }
    }
}

fn range(data: &mut Data<'_>) {
    let text = String::from_utf8_lossy(&data.rest()).into_owned();
    let Ok(part) = ranges::parse(&text) else { return };
    let show = |place| match place {
        Place::FromStart(at) => at.to_string(),
        Place::FromEnd(back) => format!("-{back}"),
    };
    let plain = format!("{}..{}", show(part.start), show(part.end));
    assert_eq!(ranges::parse(&plain), Ok(part), "{text:?}");
}

/// A size is read as a number and its unit, or refused.
fn size(data: &mut Data<'_>) {
    let text = String::from_utf8_lossy(&data.rest()).into_owned();
    let Some(size) = parse_size(&text) else { return };
    assert_eq!(parse_size(&size.to_string()), Some(size));
    let digits = text.trim_end_matches(|unit: char| !unit.is_ascii_digit());
    let unit = match &text[digits.len()..] {
        "" => 1,
        "k" | "K" => 1 << 10,
        "m" | "M" => 1 << 20,
        "g" | "G" => 1 << 30,
        unit => panic!("{unit:?} is no unit"),
    };
    assert_eq!(digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit)), Some(size));
}

/// Digits are read as the bytes that they stand for, if there are two for each.
fn digits(data: &mut Data<'_>) {
    let digits = data.rest();
    let all = digits.len().is_multiple_of(2) && digits.iter().all(u8::is_ascii_hexdigit);
    match crate::hex::decode(&digits, "the key") {
        Ok(bytes) => {
            let lower = digits.to_ascii_lowercase();
            assert!(all && lower == ::hex::encode(&*bytes).into_bytes());
        }
        Err(Failure::Usage(said)) => assert!(!all && said.len() < 100, "{said}"),
        Err(_) => panic!("another error"),
    }
}
