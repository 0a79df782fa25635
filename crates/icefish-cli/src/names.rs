//! Names of ciphers, modes, paddings and permutations, and what to say of one that is unknown.

use crate::errors::{Failure, usage};
use icefish::Backend;
use icefish::ciphers::Ice;
use icefish::modes::Padding;
use icefish::permutations::{Xoodoo, Xoodoo64};
use icefish::suite::{
    AEADS, AeadSuite, AnyMode, CHUNKED, CIPHERS, ChunkedSuite, CipherInfo, Suite,
};
use icefish_files::formats::KeyStream;

/// What encrypts messages.
pub(crate) enum Encrypts {
    /// It encrypts and no more.
    Plain(Suite),
    /// Xoofff as a stream cipher, which encrypts and no more.
    KeyStream,
    /// It authenticates too.
    Sealed(AeadSuite),
    /// The same in chunks.
    Chunked(ChunkedSuite),
}

/// A state of either permutation.
pub(crate) type State = [u8; 48];

/// A permutation as a value.
pub(crate) struct Permutation {
    /// Its name.
    pub(crate) name: &'static str,
    /// So many rounds on states.
    pub(crate) many: fn(Backend, usize, &mut [State]) -> Result<(), icefish::Error>,
}

/// Every permutation.
pub(crate) const PERMUTATIONS: &[Permutation] = &[
    Permutation { name: "xoodoo", many: Xoodoo::permute_many },
    Permutation { name: "xoodoo64", many: Xoodoo64::permute_many },
];

/// The cipher of that name, without a mode.
pub(crate) fn cipher(name: &str) -> Result<&'static CipherInfo, Failure> {
    let lower = name.to_lowercase();
    CipherInfo::by_name(&lower).map_err(|_| match lower.parse::<Suite>() {
        Ok(suite) => usage(format!(
            "{lower} is a cipher and a mode; a block takes the cipher alone, {}",
            suite.cipher.name
        )),
        Err(_) => unknown_cipher(&lower),
    })
}

/// What encrypts messages by that name.
pub(crate) fn encrypts(name: &str) -> Result<Encrypts, Failure> {
    let lower = name.to_lowercase();
    let modes = format!("{}, and for some ciphers {}", modes().join(", "), sealing().join(", "));
    if lower == KeyStream::NAME {
        return Ok(Encrypts::KeyStream);
    }
    // Not `Named`, which has what this program has no use for, and all its code.
    if let Ok(suite) = lower.parse() {
        return Ok(Encrypts::Chunked(suite));
    }
    if let Ok(suite) = lower.parse() {
        return Ok(Encrypts::Sealed(suite));
    }
    let wrong = match lower.parse() {
        Ok(suite) => return Ok(Encrypts::Plain(suite)),
        Err(e) => e,
    };
    if CipherInfo::by_name(&lower).is_ok() {
        return Err(usage(format!(
            "{lower} is a cipher without a mode; add one of {modes}, as in {lower}-cbc"
        )));
    }
    if wrong == icefish::Error::UnknownMode {
        let near = nearest(&lower, suites());
        return Err(usage(format!(
            "{lower} has an unknown mode; the nearest names are {near}, and the modes are {modes}"
        )));
    }
    Err(unknown_cipher(&lower))
}

/// The names of all authenticated modes.
fn sealing() -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    for suite in AEADS {
        let mode = suite.cipher.and_then(|c| suite.name.strip_prefix(c)?.strip_prefix('-'));
        names.extend(mode.filter(|mode| !names.contains(mode)));
    }
    names
}

/// The padding of that name.
pub(crate) fn padding(name: &str) -> Result<Padding, Failure> {
    name.to_lowercase().parse().map_err(|_| {
        let all = Padding::ALL.map(Padding::name).join(", ");
        usage(format!("no padding is called {name}; the paddings are {all}"))
    })
}

fn unknown_cipher(name: &str) -> Failure {
    let level = name.strip_prefix("ice-").and_then(|rest| rest.split('-').next());
    if level.and_then(|level| level.parse().ok()).is_some_and(|level: usize| level > Ice::MAX_LEVEL)
    {
        return usage(format!(
            "no cipher is called {name}; ICE has levels 0 to {}",
            Ice::MAX_LEVEL
        ));
    }
    let ciphers = CIPHERS.iter().map(|c| c.name);
    let near = match name.rsplit_once('-') {
        Some((_, mode)) if modes().contains(&mode) || sealing().contains(&mode) => {
            nearest(name, suites())
        }
        _ => {
            let whole = AEADS.iter().filter(|suite| suite.cipher.is_none()).map(|suite| suite.name);
            let whole = whole.chain(CHUNKED.iter().map(|suite| suite.name));
            let whole = whole.chain([KeyStream::NAME]);
            nearest(name, ciphers.clone().chain(whole).map(str::to_owned))
        }
    };
    let all = ciphers.collect::<Vec<_>>().join(", ");
    usage(format!(
        "no cipher is called {name}; the nearest names are {near}, and the ciphers are {all}"
    ))
}

/// The names of all modes.
pub(crate) fn modes() -> Vec<&'static str> {
    AnyMode::ALL.iter().map(|(name, _)| *name).collect()
}

fn suites() -> impl Iterator<Item = String> {
    let plain =
        CIPHERS.iter().flat_map(|c| modes().into_iter().map(move |m| format!("{}-{m}", c.name)));
    plain.chain(AEADS.iter().map(|suite| suite.name.to_owned()))
}

/// Those of `names` that are likest to `name`.
fn nearest(name: &str, names: impl Iterator<Item = String>) -> String {
    let mut scored: Vec<(usize, String)> =
        names.map(|n| (strsim::damerau_levenshtein(name, &n), n)).collect();
    scored.sort();
    let near: Vec<String> = scored.into_iter().take(3).map(|(_, n)| n).collect();
    near.join(", ")
}
