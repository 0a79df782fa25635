//! `icefish info`: the CPU of this machine, backends, ciphers and modes.

use crate::errors::Failure;
use crate::names::PERMUTATIONS;
use crate::stdio;
use icefish::Backend;
use icefish::modes::{Granularity, Mode, Padding};
use icefish::suite::{AEADS, AnyMode, CHUNKED, CIPHERS};
use icefish_files::Format;
use icefish_files::formats::KeyStream;
use std::fmt::Write;

/// Show the CPU features, backends, ciphers, modes and paddings
#[derive(clap::Args)]
#[command(after_help = "Example:\n  icefish info")]
pub(crate) struct Args {}

/// Prints what there is.
pub(crate) fn run(_: &Args, backend: Backend) -> Result<(), Failure> {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = cpu(&mut text, backend);
    let _ = ciphers(&mut text);
    let _ = modes(&mut text);
    let _ = others(&mut text);
    stdio::print(&text)
}

fn cpu(text: &mut String, in_use: Backend) -> std::fmt::Result {
    writeln!(text, "icefish {} on {}", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH)?;
    what_it_says(text)?;
    writeln!(text, "\nBackends:")?;
    for name in Backend::NAMES {
        let state = match Backend::by_name(name) {
            Ok(b) if b == in_use => "available, in use",
            Ok(_) => "available",
            Err(_) => "not on this CPU",
        };
        writeln!(text, "  {name:<12}  {state}")?;
    }
    Ok(())
}

/// The names of what is there, or of what is not.
fn list(all: &[(&'static str, bool)], there: bool) -> String {
    let names: Vec<&str> =
        all.iter().filter(|(_, is)| *is == there).map(|(name, _)| *name).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn ciphers(text: &mut String) -> std::fmt::Result {
    writeln!(text, "\nCiphers (bytes):  key  block  tweak  constant-time")?;
    for c in CIPHERS {
        let tweak = if c.tweak == 0 { "-".to_owned() } else { c.tweak.to_string() };
        let constant = if c.constant_time { "yes" } else { "bulk only: one block looks up tables" };
        writeln!(text, "  {:<14}  {:>4}  {:>5}  {tweak:>5}  {constant}", c.name, c.key, c.block)?;
    }
    Ok(())
}

fn modes(text: &mut String) -> std::fmt::Result {
    writeln!(text, "\nModes:      length of data           IV")?;
    for (name, mode) in AnyMode::ALL {
        let data = match mode.granularity() {
            Granularity::Block => "whole blocks or padding",
            Granularity::Stream | Granularity::Byte => "any",
        };
        let iv = if mode.iv_len(16) == 0 { "none" } else { "a block" };
        writeln!(text, "  {name:<8}  {data:<23}  {iv}")?;
    }
    writeln!(text, "\nStream ciphers (bytes):  key       nonce")?;
    writeln!(text, "  {:<21}  16 or 32  {:>5}", KeyStream::NAME, KeyStream::NONCE)?;
    writeln!(text, "\nAuthenticated (bytes):  key  nonce  tag")?;
    for suite in AEADS {
        writeln!(
            text,
            "  {:<20}  {:>4}  {:>5}  {:>3}",
            suite.name, suite.key, suite.nonce, suite.tag
        )?;
    }
    writeln!(text, "\nFiles in chunks (bytes):  key")?;
    for suite in CHUNKED {
        writeln!(text, "  {:<22}  {:>4}", suite.name, suite.key)?;
    }
    Ok(())
}

fn others(text: &mut String) -> std::fmt::Result {
    let permutations: Vec<&str> = PERMUTATIONS.iter().map(|p| p.name).collect();
    writeln!(text, "\nPaddings:      {}", Padding::ALL.map(Padding::name).join(", "))?;
    writeln!(text, "Permutations:  {} (constant-time)", permutations.join(", "))?;
    writeln!(text, "File formats:  {}", Format::ALL.map(Format::name).join(", "))
}

/// What the CPU and the operating system say of themselves; the backends follow from that.
#[cfg(target_arch = "x86_64")]
fn what_it_says(text: &mut String) -> std::fmt::Result {
    let cpu = icefish::isa::Cpu::ask();
    let (vendor, family) = (cpu.vendor(), cpu.family());
    let features: Vec<_> = cpu.features().collect();
    writeln!(
        text,
        "CPU: {vendor}, family {family}, model {}, stepping {}",
        cpu.model(),
        cpu.stepping()
    )?;
    writeln!(text, "CPU features: {}", list(&features, true))?;
    writeln!(text, "CPU features that are missing: {}", list(&features, false))?;
    writeln!(text, "Registers that the operating system keeps: {}", list(&cpu.registers(), true))
}

/// What the standard library knows of the CPU; the backends follow from `aes` and `sha3`.
#[cfg(target_arch = "aarch64")]
fn what_it_says(text: &mut String) -> std::fmt::Result {
    use std::arch::is_aarch64_feature_detected as has;
    let features = [
        ("neon", has!("neon")),
        ("aes", has!("aes")),
        ("pmull", has!("pmull")),
        ("sha3", has!("sha3")),
    ];
    writeln!(text, "CPU features: {}", list(&features, true))?;
    writeln!(text, "CPU features that are missing: {}", list(&features, false))
}

/// Nothing is asked for elsewhere.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn what_it_says(text: &mut String) -> std::fmt::Result {
    writeln!(text, "CPU features: {}", list(&[], true))
}
