//! Lines of a digest and a file's name, in the forms that `sha256sum --check` reads:
//!
//! | form | of |
//! |---|---|
//! | `digits  name`, `digits *name` | `sha256sum` |
//! | `digits name` | `sha256 -r` of FreeBSD |
//! | `Skein-512 (name) = digits` | `--tag`; FreeBSD's `skein512` writes `Skein512` |
//! | `SKEIN-512(name)= digits` | `openssl dgst` |
//!
//! Names are bytes. A line begins with `\` if a backslash or an end of line in its name is escaped.

use std::ffi::{OsStr, OsString};

/// The line of a file: digits and name, or the form of BSD if there is a `tag`. If it ends with a zero byte, no name needs escapes.
pub(super) fn line(digest: &[u8], name: &OsStr, tag: Option<&str>, zero: bool) -> Vec<u8> {
    let (escaped, name) =
        if zero { (false, name.as_encoded_bytes().to_vec()) } else { escape(name) };
    let mut line = Vec::new();
    if escaped {
        line.push(b'\\');
    }
    let digits = ::hex::encode(digest).into_bytes();
    match tag {
        Some(tag) => line.extend([tag.as_bytes(), b" (", &name, b") = ", &digits].concat()),
        None => line.extend([&digits, &b"  "[..], &name].concat()),
    }
    line.push(if zero { 0 } else { b'\n' });
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

/// What the lines of one list are.
pub(super) struct Lines<'a> {
    /// Bytes of a digest.
    length: usize,
    /// The name of the hash.
    tag: &'a str,
    /// Whether one space is before a name, which may then begin with a second one. The first line that says it decides: a file
    /// whose name begins with a space must not stand for another.
    one_space: Option<bool>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(length: usize, tag: &'a str) -> Self {
        Self { length, tag, one_space: None }
    }

    /// What the next line is.
    pub(super) fn parse(&mut self, line: &[u8]) -> Line {
        if line.trim_ascii().is_empty() || line[0] == b'#' {
            return Line::Empty;
        }
        match self.divide(line) {
            Some((digits, _)) if digits.len() != 2 * self.length => Line::Length,
            Some((digits, name)) => match ::hex::decode(digits) {
                Ok(digest) => Line::Digest(digest, name),
                Err(_) => Line::Other,
            },
            None => Line::Other,
        }
    }

    /// The digits of a digest, however many, and the name of the file.
    fn divide<'l>(&mut self, line: &'l [u8]) -> Option<(&'l [u8], OsString)> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        // Of a list that was made on Windows. In a name, it would be escaped.
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = line.trim_ascii_start();
        let (escaped, line) = match line.strip_prefix(b"\\") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let (digits, name) = match tagged(line, self.tag) {
            Some(both) => both,
            None => self.plain(line)?,
        };
        let name = if escaped { unescape(name)? } else { name.to_vec() };
        if name.is_empty() {
            return None;
        }
        Some((digits, from_bytes(name)?))
    }

    /// The digits and the name of a line without a tag.
    fn plain<'l>(&mut self, line: &'l [u8]) -> Option<(&'l [u8], &'l [u8])> {
        let (digits, rest) = line.split_at(line.iter().position(|byte| b" \t".contains(byte))?);
        let (_, rest) = rest.split_first()?;
        if !are_digits(digits) {
            return None;
        }
        // The second character tells text from binary, which is the same here.
        match rest.strip_prefix(b" ").or_else(|| rest.strip_prefix(b"*")) {
            Some(name) if self.one_space != Some(true) => {
                self.one_space = Some(false);
                Some((digits, name))
            }
            None if self.one_space == Some(false) => None,
            _ => {
                self.one_space = Some(true);
                Some((digits, rest))
            }
        }
    }
}

fn are_digits(digits: &[u8]) -> bool {
    !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit)
}

/// The digits and the name of a line such as `Skein-512 (name) = digits`, also without the spaces or the hyphen.
fn tagged<'l>(line: &'l [u8], tag: &str) -> Option<(&'l [u8], &'l [u8])> {
    let (found, rest) = line.split_at(line.iter().position(|&byte| byte == b'(')?);
    let found = found.strip_suffix(b" ").unwrap_or(found);
    let plain = |name: &[u8]| {
        let letters = name.iter().filter(|&&byte| byte != b'-');
        letters.map(u8::to_ascii_lowercase).collect::<Vec<u8>>()
    };
    // A name may contain what follows it, but digits do not.
    let end = rest.iter().rposition(|&byte| byte == b')')?;
    let digits = rest[end + 1..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let fits = plain(found) == plain(tag.as_bytes()) && are_digits(digits);
    fits.then(|| (digits, &rest[1..end]))
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
