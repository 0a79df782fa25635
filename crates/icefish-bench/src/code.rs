//! How much machine code the program has, and what one more backend, cipher or mode adds to it.
//!
//! Every kernel is compiled for each instruction set, and most once more for each cipher or mode: what that costs is
//! read from the program's symbols, in the mangling that has generic arguments (`-Csymbol-mangling-version=v0`, as in
//! this project's `.cargo/config.toml`). The profile `inspect` leaves them in. A function counts for every
//! backend, cipher and mode in its name, and for those without which it would not be compiled, so that the parts overlap.
//! Functions whose code is equal and was merged count once.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};

use crate::Error;
use crate::identity::{Identity, Kind, OURS};
use crate::machine::Machine;
use crate::row::Row;

/// Everything in the text section.
const PROGRAM: &str = "program";
const BACKEND: &str = "backend";
const CIPHER: &str = "cipher";
const MODE: &str = "mode";
const CONSTRUCTION: &str = "construction";

/// What the name of a function has if it belongs to a part. A serial mode has no function of its own: all of them are
/// arms of one `match` in one function for each cipher and backend.
const PARTS: &[(&str, &str, &[&str])] = &[
    (CIPHER, "aes-128", &["Aes<4, 11>"]),
    (CIPHER, "aes-192", &["Aes<6, 13>"]),
    (CIPHER, "aes-256", &["Aes<8, 15>"]),
    (CIPHER, "threefish-256", &["Threefish<4, 32>"]),
    (CIPHER, "threefish-512", &["Threefish<8, 64>"]),
    (CIPHER, "threefish-1024", &["Threefish<16, 128>"]),
    (CIPHER, "ice, all levels", &["icefish::ciphers::ice::"]),
    (MODE, "ecb", &["icefish::cipher::ecb::"]),
    (MODE, "cbc, decryption", &["icefish::modes::cbc::"]),
    (MODE, "cfb, decryption", &["icefish::modes::cfb::"]),
    (MODE, "ctr", &["icefish::modes::ctr::"]),
    (MODE, "serial modes, all", &["icefish::modes::crypter::bytes::"]),
    (MODE, "gcm", &["icefish::aead::gcm::"]),
    (MODE, "gcm-siv", &["icefish::aead::gcm_siv::"]),
    (MODE, "aegis", &["icefish::aead::aegis::"]),
    (MODE, "eax", &["icefish::aead::eax::", "icefish::mac::cmac::"]),
    (
        CONSTRUCTION,
        "skein",
        &["icefish::constructions::skein::", "icefish::ciphers::threefish::fresh::"],
    ),
    (CONSTRUCTION, "xoodyak", &["icefish::constructions::xoodyak::", "icefish::aead::xoodyak::"]),
    (CONSTRUCTION, "xoofff", &["icefish::constructions::xoofff::"]),
];

/// What a function that is compiled for an instruction set has behind the set's type.
const RUN: &str = ">::compiled";

/// A part of the program: what it is one of, and its name.
type Part = (&'static str, String);

/// The profile that leaves a program its symbols.
pub const PROFILE: &str = "inspect";

/// The program with its symbols, where cargo puts it, if it is there. This program may be of another profile.
#[must_use]
pub fn program() -> Option<PathBuf> {
    let ours = env::current_exe().ok()?;
    let target = ours.parent()?.parent()?;
    let path = target.join(PROFILE).join(format!("icefish{}", env::consts::EXE_SUFFIX));
    path.is_file().then_some(path)
}

/// A row for the program and for each of its parts, with the bytes of machine code.
///
/// # Errors
/// If the file cannot be read, is no program, or has no names with generic arguments.
pub fn rows(program: &Path, machine: &Machine) -> Result<Vec<Row>, Error> {
    let data = fs::read(program).map_err(Error::io(program))?;
    let failure = |problem: String| Error::Program { path: program.to_owned(), problem };
    let parts = parts(&data).map_err(failure)?;
    Ok(parts.into_iter().map(|(part, bytes)| row(part, bytes, machine)).collect())
}

fn row((what, name): Part, bytes: u64, machine: &Machine) -> Row {
    let id = Identity {
        name: format!("code_{what}_{}", name.replace(", ", "_").replace(' ', "_")),
        primitive: format!("{what} {name}"),
        backend: if what == BACKEND { name } else { String::new() },
        direction: None,
        bytes,
        parallelism: 1,
        peer: OURS.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        kind: Kind::Code,
    };
    Row::new(id, machine.clone())
}

/// The program first, then by kind, the smallest first.
fn parts(data: &[u8]) -> Result<Vec<(Part, u64)>, String> {
    let file = object::File::parse(data).map_err(|error| error.to_string())?;
    let text = [".text", "__text"].iter().find_map(|name| file.section_by_name(name));
    let text = text.ok_or("it has no text section")?;
    let mut sums: BTreeMap<Part, u64> = BTreeMap::new();
    for (name, bytes) in functions(&file, text.address() + text.size()) {
        for part in parts_of(&name) {
            *sums.entry(part).or_default() += bytes;
        }
    }
    if !sums.keys().any(|(what, _)| *what == CIPHER) {
        return Err("its symbols name no cipher: it was stripped (cargo build --profile \
                    inspect keeps them), or built without -Csymbol-mangling-version=v0"
            .to_owned());
    }
    let mut parts = vec![((PROGRAM, "icefish".to_owned()), text.size())];
    for kind in [BACKEND, CIPHER, MODE, CONSTRUCTION] {
        let mut some: Vec<_> = sums
            .iter()
            .filter(|((what, _), _)| *what == kind)
            .map(|(p, b)| (p.clone(), *b))
            .collect();
        some.sort_by_key(|(_, bytes)| *bytes);
        parts.extend(some);
    }
    Ok(parts)
}

/// Names and sizes of the functions before `end`, each address once. Formats without sizes of symbols mean: up to the
/// next.
fn functions(file: &object::File<'_>, end: u64) -> Vec<(String, u64)> {
    let symbols = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text);
    let mut symbols: Vec<_> = symbols
        .filter(|symbol| symbol.is_definition() && symbol.address() < end)
        .filter_map(|symbol| Some((symbol.address(), symbol.size(), symbol.name().ok()?)))
        .collect();
    symbols.sort_by_key(|(address, ..)| *address);
    symbols.dedup_by_key(|(address, ..)| *address);
    let next = symbols.iter().skip(1).map(|(address, ..)| *address).chain([end]);
    let sized = symbols.iter().zip(next).map(|(&(address, size, name), next)| {
        let name = name.strip_prefix('_').filter(|name| name.starts_with("_R")).unwrap_or(name);
        let size = if size == 0 { next - address } else { size };
        (format!("{:#}", rustc_demangle::demangle(name)), size)
    });
    sized.collect()
}

fn parts_of(function: &str) -> Vec<Part> {
    if !function.contains("icefish::") {
        return Vec::new();
    }
    let named = PARTS.iter().filter(|(.., marks)| marks.iter().any(|mark| function.contains(mark)));
    let mut parts: Vec<Part> = named.map(|(what, name, _)| (*what, (*name).to_owned())).collect();
    if let Some((before, _)) = function.split_once(RUN) {
        let token = before.rsplit("::").next().unwrap_or(before);
        parts.push((BACKEND, backend(token)));
    }
    parts
}

/// The name of a backend from that of its type: `avx512_noaes` from `Avx512NoAes`.
fn backend(token: &str) -> String {
    let mut name = String::new();
    for c in token.chars() {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(c.to_ascii_lowercase());
    }
    name.replace("no_aes", "noaes")
}

/// The rows of a run, as kind, name and bytes.
pub(crate) fn of(rows: &[Row]) -> Vec<(&str, &str, u64)> {
    let code = rows.iter().filter(|row| row.id.kind == Kind::Code);
    let parts = code.filter_map(|row| {
        let (what, name) = row.id.primitive.split_once(' ')?;
        Some((what, name, row.id.bytes))
    });
    parts.collect()
}

/// What one more of each kind costs, as a sentence; empty without rows.
#[must_use]
pub fn price(rows: &[Row]) -> String {
    let parts = of(rows);
    let prices = [BACKEND, CIPHER, MODE].iter().filter_map(|kind| {
        let bytes = || parts.iter().filter(|(what, ..)| what == kind).map(|(.., bytes)| *bytes);
        let (least, most) = (bytes().min()?, bytes().max()?);
        Some(format!("one more {kind} costs {} to {}", kilobytes(least), kilobytes(most)))
    });
    let prices: Vec<String> = prices.collect();
    let mut text = prices.join("; ");
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
        text.push_str(". A function counts for all that its name tells of, so the parts overlap.");
    }
    text
}

/// A table in Markdown and the prices; `None` if the run has none.
#[must_use]
pub fn markdown(rows: &[Row]) -> Option<String> {
    let parts = of(rows);
    parts.first()?;
    let mut text = String::from("| machine code | | bytes |\n|---|---|--:|\n");
    for (what, name, bytes) in parts {
        let _ = writeln!(text, "| {what} | {name} | {bytes} |");
    }
    let _ = writeln!(text, "\n{}", price(rows));
    Some(text)
}

fn kilobytes(bytes: u64) -> String {
    format!("{} kB", (bytes + 500) / 1000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    const KERNEL: &str = "<icefish::isa::x86::noaes::Avx512NoAes>::compiled::<\
        icefish::cipher::Many<icefish::ciphers::aes::Aes<8, 15>, icefish::aead::gcm::GcmPass<true>, \
        icefish::cipher::Encrypt>>";

    fn names(function: &str) -> Vec<String> {
        let mut names: Vec<_> = parts_of(function).into_iter().map(|(_, name)| name).collect();
        names.sort();
        names
    }

    #[test]
    fn a_function_counts_for_all_that_its_name_tells_of() {
        assert_eq!(names(KERNEL), ["aes-256", "avx512_noaes", "gcm"]);
        assert_eq!(names("icefish::ciphers::ice::Ice::new"), ["ice, all levels"]);
        assert_eq!(names("core::fmt::write"), [""; 0]);
        assert_eq!(names("icefish_files::pipe"), [""; 0]);
    }

    #[cfg(feature = "ours")]
    #[test]
    fn backends_are_called_as_in_the_library() {
        for token in
            ["Scalar", "Avx2", "Avx2NoAes", "Avx2Vaes", "Avx2Gfni", "Avx512NoAes", "Avx512Vaes"]
        {
            let name = backend(token);
            assert!(
                cfg!(not(target_arch = "x86_64"))
                    || icefish::Backend::NAMES.contains(&name.as_str()),
                "{name}"
            );
        }
        assert_eq!(backend("NeonSha3"), "neon_sha3");
    }

    #[test]
    fn what_is_no_program_is_named() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let error = rows(Path::new(path), &samples::machine()).unwrap_err().to_string();
        assert!(error.contains("Cargo.toml"), "{error}");
        assert!(rows(Path::new("no such file"), &samples::machine()).is_err());
    }

    #[test]
    fn the_table_names_the_price() {
        let machine = samples::machine();
        let row = |what, name: &str, bytes| row((what, name.to_owned()), bytes, &machine);
        let rows = [
            row(PROGRAM, "icefish", 5_000_000),
            row(BACKEND, "avx2", 120_400),
            row(BACKEND, "avx512", 1_000_000),
            row(MODE, "cbc, decryption", 9_000),
        ];
        let text = markdown(&rows).unwrap();
        assert!(text.contains("| mode | cbc, decryption | 9000 |\n"), "{text}");
        assert!(
            text.contains(
                "One more backend costs 120 kB to 1000 kB; one more mode costs 9 kB to 9 kB."
            ),
            "{text}"
        );
        assert_eq!(rows[3].id.name, "code_mode_cbc_decryption");
        assert_eq!((markdown(&[]), price(&[])), (None, String::new()));
        // No kind of contest has them.
        assert!(crate::duel::duels(&rows).is_empty());
        let page = crate::report::Page { title: "T", rows: &rows }.to_html();
        assert!(page.contains("<h2 id=\"code\">"), "{page}");
        assert!(page.contains(">120400</td><td class=\"n\" data-h=\"share\">2 %</td>"));
        assert!(
            page.contains("One more backend costs") && page.contains("<summary>0 rows</summary>")
        );
    }
}
