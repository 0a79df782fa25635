//! Ranges of bytes as arguments.

use icefish_files::formats::{Part, Place};

/// The part that `text` means: `1G..2G`, `1G..`, `..2G`, `-4K..`.
pub(crate) fn parse(text: &str) -> Result<Part, String> {
    let (start, end) = text.split_once("..").ok_or_else(|| wrong(text))?;
    let start = if start.is_empty() { Place::FromStart(0) } else { place(start)? };
    let end = if end.is_empty() { Place::FromEnd(0) } else { place(end)? };
    Ok(Part { start, end })
}

/// A number of bytes, with K, M, G or T; after a minus, counted from the end.
fn place(text: &str) -> Result<Place, String> {
    let (from, number) = match text.strip_prefix('-') {
        Some(number) => (Place::FromEnd as fn(u64) -> Place, number),
        None => (Place::FromStart as fn(u64) -> Place, text),
    };
    let digits = number.trim_end_matches(|c: char| !c.is_ascii_digit());
    let shift = match number[digits.len()..].to_ascii_uppercase().as_str() {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(wrong(text)),
    };
    if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(wrong(text));
    }
    let bytes = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    bytes.map(from).ok_or_else(|| wrong(text))
}

fn wrong(text: &str) -> String {
    format!("{text:?} is not a range of bytes; write it as 1G..2G, 512.., ..16K or -4K..")
}

#[cfg(test)]
mod tests {
    use super::*;
    use Place::{FromEnd, FromStart};

    #[test]
    fn ranges() {
        for (text, start, end) in [
            ("1G..2G", FromStart(1 << 30), FromStart(2 << 30)),
            ("5..", FromStart(5), FromEnd(0)),
            ("..16k", FromStart(0), FromStart(16 << 10)),
            ("..", FromStart(0), FromEnd(0)),
            ("-4K..", FromEnd(4096), FromEnd(0)),
            ("-3M..-1T", FromEnd(3 << 20), FromEnd(1 << 40)),
            ("0..18446744073709551615", FromStart(0), FromStart(u64::MAX)),
        ] {
            assert_eq!(parse(text), Ok(Part { start, end }), "{text}");
        }
        let wrong = ["", "5", "5...6", "a..b", "1KK..2K", "+1..2", "--1..", "K..", "1 ..2", "1..é"];
        for text in wrong.into_iter().chain(["18446744073709551616..", "17179869184G.."]) {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
