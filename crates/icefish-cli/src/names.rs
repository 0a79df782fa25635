//! Names of ciphers, modes and paddings, and what to say of one that is unknown.

use crate::errors::{Failure, usage};
use icefish::modes::Padding;
use icefish::suite::{AnyMode, CIPHERS, CipherInfo, Suite};

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

/// The cipher and mode of that name.
pub(crate) fn suite(name: &str) -> Result<Suite, Failure> {
    let lower = name.to_lowercase();
    let wrong = match lower.parse() {
        Ok(suite) => return Ok(suite),
        Err(e) => e,
    };
    let modes = modes().join(", ");
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

/// The padding of that name.
pub(crate) fn padding(name: &str) -> Result<Padding, Failure> {
    name.to_lowercase().parse().map_err(|_| {
        let all = Padding::ALL.map(Padding::name).join(", ");
        usage(format!("no padding is called {name}; the paddings are {all}"))
    })
}

fn unknown_cipher(name: &str) -> Failure {
    let ciphers = CIPHERS.iter().map(|c| c.name);
    let near = match name.rsplit_once('-') {
        Some((_, mode)) if modes().contains(&mode) => nearest(name, suites()),
        _ => nearest(name, ciphers.clone().map(str::to_owned)),
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
    CIPHERS.iter().flat_map(|c| modes().into_iter().map(move |m| format!("{}-{m}", c.name)))
}

/// Those of `names` that are likest to `name`.
fn nearest(name: &str, names: impl Iterator<Item = String>) -> String {
    let mut scored: Vec<(usize, String)> =
        names.map(|n| (strsim::damerau_levenshtein(name, &n), n)).collect();
    scored.sort();
    let near: Vec<String> = scored.into_iter().take(3).map(|(_, n)| n).collect();
    near.join(", ")
}
