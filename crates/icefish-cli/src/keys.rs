//! Where a key comes from.

use crate::errors::{Failure, usage};
use crate::hex::{self, Text};
use icefish::constructions::xoofff::Xoofff;
use icefish::suite::{AeadSuite, CHUNKED, ChunkedSuite, CipherInfo};
use icefish_files::formats::KeyStream;
use icefish_files::{Error, SecretFile, random, reason};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Much more than a key takes, in hex or not.
const FILE_LIMIT: u64 = 64 * 1024;

/// Where the help shows the arguments that give a key.
pub(crate) const KEYS: &str = "Key, one of";

/// The arguments that give a key.
#[derive(clap::Args)]
pub(crate) struct KeyArgs {
    /// The key as hex digits, which others may see
    ///
    /// They are in the list of processes: for keys that matter, use --key-file.
    #[arg(long, value_name = "HEX", help_heading = KEYS)]
    pub(crate) key: Option<Text>,

    /// A file with the key: hex digits or its bytes
    ///
    /// A file with nothing but hex digits and whitespace is read as hex. Any other file has the bytes of
    /// the key and nothing else.
    #[arg(long, value_name = "FILE", help_heading = KEYS)]
    pub(crate) key_file: Option<PathBuf>,
}

/// What a key is for: the name to tell, and how many bytes it has.
#[derive(Clone, Copy)]
pub(crate) struct KeyOf {
    name: &'static str,
    /// Of a key that is drawn.
    len: usize,
    /// That a key may have as well.
    or: Option<usize>,
}

impl KeyOf {
    /// Either Cobblestone.
    pub(crate) fn cobblestone() -> Self {
        let len = |bits: &str| CHUNKED.iter().find(|s| s.name.ends_with(bits)).map(|s| s.key);
        Self { name: "Cobblestone", len: len("256").unwrap_or(0), or: len("128") }
    }

    /// Xoofff, whose claimed strength is that of the shorter key.
    pub(crate) fn xoofff() -> Self {
        Self { name: KeyStream::NAME, len: 32, or: Some(Xoofff::MIN_KEY) }
    }

    fn takes(self, len: usize) -> bool {
        len == self.len || Some(len) == self.or
    }

    /// The lengths in words, each times `digits`.
    fn lens(self, digits: usize) -> String {
        match self.or {
            Some(or) => format!("{} or {}", digits * or, digits * self.len),
            None => (digits * self.len).to_string(),
        }
    }
}

impl From<ChunkedSuite> for KeyOf {
    fn from(suite: ChunkedSuite) -> Self {
        Self { name: suite.name, len: suite.key, or: None }
    }
}

impl From<&'static CipherInfo> for KeyOf {
    fn from(cipher: &'static CipherInfo) -> Self {
        Self { name: cipher.name, len: cipher.key, or: None }
    }
}

impl From<&AeadSuite> for KeyOf {
    fn from(suite: &AeadSuite) -> Self {
        Self { name: suite.cipher.unwrap_or(suite.name), len: suite.key, or: None }
    }
}

impl KeyArgs {
    /// Whether an argument gives a key.
    pub(crate) fn is_given(&self) -> bool {
        self.key.is_some() || self.key_file.is_some()
    }

    /// The key `of` what it is for; `None` if no argument gives one. The argument is gone then.
    pub(crate) fn take(&mut self, of: KeyOf) -> Result<Option<Zeroizing<Vec<u8>>>, Failure> {
        match (self.key.take(), &self.key_file) {
            (Some(key), _) => checked(key.decode("--key")?, "--key", of).map(Some),
            (None, Some(path)) => from_file(path, of).map(Some),
            (None, None) => Ok(None),
        }
    }
}

/// The key `of` something, whose bytes are the characters of `text`.
pub(crate) fn from_text(text: &Text, of: KeyOf) -> Result<Zeroizing<Vec<u8>>, Failure> {
    checked(text.bytes(), "--key-text", of)
}

fn checked(key: Zeroizing<Vec<u8>>, what: &str, of: KeyOf) -> Result<Zeroizing<Vec<u8>>, Failure> {
    if of.takes(key.len()) {
        return Ok(key);
    }
    let (got, need, name) = (key.len(), of.lens(1), of.name);
    Err(usage(format!(
        "{what} has {got} bytes, {name} takes a key of {need} ({} hex digits)",
        of.lens(2)
    )))
}

/// A key in hex or as it is. A file of hex digits and whitespace alone is always hex. So 32 digits are a key of 16 bytes
/// where keys have 16 or 32 bytes, and an error where they have 32 only: likelier a key of another length.
fn from_file(path: &Path, of: KeyOf) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let name = path.display();
    let contents = read_file(path)?;
    let mut digits = Zeroizing::new(Vec::with_capacity(contents.len()));
    digits.extend(contents.iter().copied().filter(|b| !b.is_ascii_whitespace()));
    let is_hex = !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    if is_hex {
        let key = hex::decode(&digits, &format!("the key file {name}"))?;
        return checked(key, &format!("the key file {name}"), of);
    }
    if of.takes(contents.len()) {
        return Ok(contents);
    }
    Err(usage(format!(
        "the key file {name} has {} bytes that are not hex; {} takes {} hex digits or exactly {} bytes",
        contents.len(),
        of.name,
        of.lens(2),
        of.lens(1)
    )))
}

/// A key of any length, not 0: hex digits, whitespace ignored, or else the bytes of the file.
pub(crate) fn of_any_length(path: &Path) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let contents = read_file(path)?;
    let mut digits = Zeroizing::new(Vec::with_capacity(contents.len()));
    digits.extend(contents.iter().copied().filter(|b| !b.is_ascii_whitespace()));
    if digits.is_empty() {
        return Err(usage(format!("the key file {} has no key", path.display())));
    }
    if digits.iter().all(u8::is_ascii_hexdigit) {
        return hex::decode(&digits, &format!("the key file {}", path.display()));
    }
    Ok(contents)
}

fn read_file(path: &Path) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let name = path.display();
    let unreadable = |e: std::io::Error| {
        Failure::Data(format!("cannot read the key file {name}: {}", reason(&e)))
    };
    let file = File::open(path).map_err(unreadable)?;
    warn_of_everybody(&file, "key file", path);
    // Room for all of it at once: a vector that grows leaves copies behind.
    let mut contents = Zeroizing::new(Vec::with_capacity(FILE_LIMIT as usize + 1));
    file.take(FILE_LIMIT + 1).read_to_end(&mut contents).map_err(unreadable)?;
    if contents.len() as u64 > FILE_LIMIT {
        return Err(usage(format!("the key file {name} is longer than any key in hex")));
    }
    Ok(contents)
}

/// Says so if a secret is everybody's; `what` it is, such as `"key file"`.
#[cfg(unix)]
pub(crate) fn warn_of_everybody(file: &File, what: &str, path: &Path) {
    use std::os::unix::fs::MetadataExt;
    let Ok(metadata) = file.metadata() else { return };
    let may = match metadata.mode() & 0o006 {
        _ if !metadata.is_file() => return,
        0o004 => "read",
        0o002 => "change",
        0o006 => "read and change",
        _ => return,
    };
    let name = path.display();
    crate::errors::warn(&format!(
        "everybody may {may} the {what} {name}; `chmod 600 {name}` lets only you"
    ));
}

/// Elsewhere a mode does not say it.
#[cfg(not(unix))]
pub(crate) fn warn_of_everybody(_: &File, _: &str, _: &Path) {}

/// Draws a key `of` something and writes it to a new file at `path`, which is removed unless it is kept.
pub(crate) fn generate(
    path: &Path,
    of: KeyOf,
) -> Result<(Zeroizing<Vec<u8>>, SecretFile), Failure> {
    let mut key = Zeroizing::new(vec![0; of.len]);
    random::fill(&mut key)?;
    let mut line = Zeroizing::new(vec![0; 2 * of.len + 1]);
    ::hex::encode_to_slice(&*key, &mut line[..2 * of.len]).map_err(|e| usage(e.to_string()))?;
    line[2 * of.len] = b'\n';
    let file = SecretFile::create(path, &line).map_err(|e| match e {
        Error::Exists { name } => usage(format!(
            "{name} exists already and is left as it is; --generate-key makes a new file, --key-file uses a key that is there"
        )),
        e => e.into(),
    })?;
    Ok((key, file))
}
