//! Lines of a digest and a file's name, as those of `sha256sum`.
//!
//! Names are bytes. A line begins with `\` if a backslash or an end of line in its name is escaped.

use std::ffi::{OsStr, OsString};

/// The line of a file: digits and name, or the form of BSD if there is a `tag`.
pub(super) fn line(digest: &[u8], name: &OsStr, tag: Option<&str>) -> Vec<u8> {
    let (escaped, name) = escape(name);
    let mut line = Vec::new();
    if escaped {
        line.push(b'\\');
    }
    let digits = ::hex::encode(digest).into_bytes();
    match tag {
        Some(tag) => line.extend([tag.as_bytes(), b" (", &name, b") = ", &digits].concat()),
        None => line.extend([&digits, &b"  "[..], &name].concat()),
    }
    line.push(b'\n');
    line
}

/// The line that says what came of a file's check.
pub(super) fn verdict(name: &OsStr, word: &str) -> Vec<u8> {
    let (escaped, name) = escape(name);
    let mut line = Vec::new();
    if escaped {
        line.push(b'\\');
    }
    line.extend(name);
    line.extend(format!(": {word}\n").into_bytes());
    line
}

/// What a line of a list is.
pub(super) enum Line {
    /// A digest and the name of its file.
    Digest(Vec<u8>, OsString),
    /// The same, but the digest has another length.
    Length,
    /// Nothing.
    Empty,
    /// Something else.
    Other,
}

/// What a line is, in a list of digests of `length` bytes; `tag` is that of the hash.
pub(super) fn parse(line: &[u8], length: usize, tag: &str) -> Line {
    if line.trim_ascii().is_empty() || line[0] == b'#' {
        return Line::Empty;
    }
    match divide(line, tag) {
        Some((digits, _)) if digits.len() != 2 * length => Line::Length,
        Some((digits, name)) => match ::hex::decode(digits) {
            Ok(digest) => Line::Digest(digest, name),
            Err(_) => Line::Other,
        },
        None => Line::Other,
    }
}

/// The digits of a digest, however many, and the name of the file.
fn divide<'a>(line: &'a [u8], tag: &str) -> Option<(&'a [u8], OsString)> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    // Of a list that was made on Windows. In a name, it would be escaped.
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let (escaped, line) = match line.strip_prefix(b"\\") {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    let (digits, name) = match tagged(line, tag) {
        Some(both) => both,
        None => {
            let (digits, rest) = line.split_at(line.iter().position(|&byte| byte == b' ')?);
            // The second character tells text from binary, which is the same here.
            (digits, rest.strip_prefix(b"  ").or_else(|| rest.strip_prefix(b" *"))?)
        }
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let name = if escaped { unescape(name)? } else { name.to_vec() };
    if name.is_empty() {
        return None;
    }
    Some((digits, from_bytes(name)?))
}

/// The digits and the name of a line such as `Skein-512 (name) = digits`.
fn tagged<'a>(line: &'a [u8], tag: &str) -> Option<(&'a [u8], &'a [u8])> {
    let (found, rest) = line.split_at_checked(tag.len())?;
    let rest = rest.strip_prefix(b" (")?;
    // A name may contain what follows it.
    let end = rest.windows(4).rposition(|four| four == b") = ")?;
    found.eq_ignore_ascii_case(tag.as_bytes()).then(|| (&rest[end + 4..], &rest[..end]))
}

fn escape(name: &OsStr) -> (bool, Vec<u8>) {
    let bytes = name.as_encoded_bytes();
    let mut escaped = Vec::with_capacity(bytes.len());
    for &byte in bytes {
        match byte {
            b'\\' => escaped.extend(b"\\\\"),
            b'\n' => escaped.extend(b"\\n"),
            b'\r' => escaped.extend(b"\\r"),
            byte => escaped.push(byte),
        }
    }
    (escaped != bytes, escaped)
}

fn unescape(name: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.iter();
    while let Some(&byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next()? {
                b'\\' => b'\\',
                b'n' => b'\n',
                b'r' => b'\r',
                _ => return None,
            },
            byte => byte,
        });
    }
    Some(bytes)
}

#[cfg(unix)]
fn from_bytes(name: Vec<u8>) -> Option<OsString> {
    Some(std::os::unix::ffi::OsStringExt::from_vec(name))
}

#[cfg(not(unix))]
fn from_bytes(name: Vec<u8>) -> Option<OsString> {
    String::from_utf8(name).ok().map(OsString::from)
}
