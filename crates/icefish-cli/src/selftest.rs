//! Known answers, on a backend.

mod constructions;
mod vectors;

use crate::names::PERMUTATIONS;
use icefish::Backend;
use icefish::modes::Padding;
use icefish::suite::{CipherInfo, Suite};
use vectors::{BLOCKS, Block, MESSAGES, Message, PLAIN, STATES, State};

/// A prime above twice the blocks that any backend takes at a time, so that every width and every
/// remainder is met.
const COPIES: usize = 1031;

/// What a run found.
#[derive(Default)]
pub(crate) struct Outcome {
    /// How many answers were right.
    pub(crate) right: usize,
    /// Which were not.
    pub(crate) wrong: Vec<String>,
}

impl Outcome {
    /// An answer, of `what`, from `source`.
    fn count(&mut self, what: &str, source: &str, answer: Result<bool, Wrong>) {
        match answer {
            Ok(true) => self.right += 1,
            Ok(false) => self.wrong.push(format!("{what} ({source})")),
            Err(Wrong(e)) => self.wrong.push(format!("{what} ({source}): {e}")),
        }
    }
}

/// An error where there should be an answer.
struct Wrong(String);

impl<E: std::error::Error> From<E> for Wrong {
    fn from(e: E) -> Self {
        Self(e.to_string())
    }
}

/// Asks for every known answer.
pub(crate) fn run(backend: Backend) -> Outcome {
    let mut outcome = Outcome::default();
    for vector in BLOCKS {
        outcome.count(vector.cipher, vector.source, block(vector, backend));
    }
    for vector in MESSAGES {
        outcome.count(vector.suite, vector.source, message(vector, backend));
    }
    for vector in STATES {
        let what = format!("{} of {} rounds", vector.permutation, vector.rounds);
        outcome.count(&what, vector.source, state(vector, backend));
    }
    constructions::run(backend, &mut outcome);
    outcome
}

/// One block and many, both ways.
fn block(vector: &Block, backend: Backend) -> Result<bool, Wrong> {
    let (plain, crypted) = (hex::decode(vector.plain)?, hex::decode(vector.crypted)?);
    let (key, tweak) = (hex::decode(vector.key)?, hex::decode(vector.tweak)?);
    let key = CipherInfo::by_name(vector.cipher)?.key(backend, &key, &tweak)?;
    let mut right = true;
    for copies in [1, COPIES] {
        let (plain, crypted) = (plain.repeat(copies), crypted.repeat(copies));
        let mut blocks = plain.clone();
        key.encrypt_blocks(&mut blocks)?;
        right &= blocks == crypted;
        key.decrypt_blocks(&mut blocks)?;
        right &= blocks == plain;
    }
    Ok(right)
}

/// A message, both ways.
fn message(vector: &Message, backend: Backend) -> Result<bool, Wrong> {
    let (plain, crypted) = (hex::decode(PLAIN)?, hex::decode(vector.crypted)?);
    let (key, iv) = (hex::decode(vector.key)?, hex::decode(vector.iv)?);
    // Some answers are shorter than the plaintext that they share.
    let plain = plain.get(..crypted.len()).unwrap_or_default();
    let suite: Suite = vector.suite.parse()?;
    let key = suite.cipher.key(backend, &key, &[])?;
    let mut buffer = plain.to_vec();
    let len = plain.len();
    key.encrypt_in_place(suite.mode, &iv, Padding::None, &mut buffer, len)?;
    let mut right = buffer == crypted;
    key.decrypt_in_place(suite.mode, &iv, Padding::None, &mut buffer, len)?;
    right &= buffer == plain;
    Ok(right)
}

/// One state and many.
fn state(vector: &State, backend: Backend) -> Result<bool, Wrong> {
    let decode = |digits: &str| -> Result<[u8; 48], Wrong> {
        let mut state = [0; 48];
        hex::decode_to_slice(digits, &mut state)?;
        Ok(state)
    };
    let (before, after) = (decode(vector.before)?, decode(vector.after)?);
    let mut right = false;
    for permutation in PERMUTATIONS.iter().filter(|p| p.name == vector.permutation) {
        let mut one = [before];
        (permutation.many)(backend, vector.rounds, &mut one)?;
        let mut many = [before; 47];
        (permutation.many)(backend, vector.rounds, &mut many)?;
        right = one == [after] && many == [after; 47];
    }
    Ok(right)
}
