//! Hexadecimal arguments. What they say is never repeated in a message: it may be a key.

use crate::errors::{Failure, usage};
use zeroize::Zeroizing;

/// An argument that is wiped when it is dropped. (The copies of the operating system and of the parser
/// stay: a key file is the better way.)
#[derive(Clone)]
pub(crate) struct Text(Zeroizing<String>);

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self(Zeroizing::new(text))
    }
}

impl Text {
    /// The bytes of the text itself.
    pub(crate) fn bytes(&self) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(self.0.as_bytes().to_vec())
    }

    /// The bytes that it stands for; `what` is its name in messages, such as `--key`.
    pub(crate) fn decode(&self, what: &str) -> Result<Zeroizing<Vec<u8>>, Failure> {
        decode(self.0.as_bytes(), what)
    }
}

/// The bytes that hexadecimal `digits` stand for.
pub(crate) fn decode(digits: &[u8], what: &str) -> Result<Zeroizing<Vec<u8>>, Failure> {
    use hex::FromHexError as E;
    // A vector that grows would leave the beginning of a key behind.
    let mut bytes = Zeroizing::new(vec![0; digits.len() / 2]);
    hex::decode_to_slice(digits, &mut bytes).map_err(|e| {
        usage(match e {
            E::OddLength => format!(
                "{what} has {} hex digits, an odd number; a byte is two of them",
                digits.len()
            ),
            E::InvalidHexCharacter { index, .. } => {
                format!("{what} is not hex: character {} is not one of 0-9, a-f, A-F", index + 1)
            }
            E::InvalidStringLength => format!("{what} is not hex"),
        })
    })?;
    Ok(bytes)
}

/// `bytes` of something else than a key must be `need`.
pub(crate) fn check_len(got: usize, need: usize, what: &str, of: &str) -> Result<(), Failure> {
    if got == need {
        return Ok(());
    }
    Err(usage(match need {
        0 => format!("{what} has {got} bytes, and {of} takes none; leave it out"),
        _ => format!("{what} has {got} bytes, {of} takes {need} ({} hex digits)", 2 * need),
    }))
}
