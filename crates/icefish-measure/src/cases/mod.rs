//! What there is of icefish to measure: every primitive, mode and backend of this CPU.
//!
//! Ciphers and modes are called by name: their code is compiled in the library, and not again here.

mod constructions;
mod modes;
mod permutations;

use icefish::Backend;
use icefish::isa::{Extension, Isa, Task};
use std::any::TypeId;

use crate::clock::Timebase;
use crate::identity::{Direction, Identity, Kind, OURS};
use crate::machine::Machine;
use crate::measure::{Entry, Group, Progress, Settings, Unsteady, measure};
use crate::row::Row;

/// Which code a backend runs, if it is compiled for what gains from an extension: the type of the instruction set. `EXTENSION` is a
/// number, because a type has no room for more.
struct Code<const EXTENSION: usize>;

const EXTENSIONS: [Extension; 4] =
    [Extension::None, Extension::Rounds, Extension::Gf256, Extension::Aes];

impl<const EXTENSION: usize> Task for Code<EXTENSION> {
    type Out = TypeId;
    const EXTENSION: Extension = EXTENSIONS[EXTENSION];
    #[inline(always)]
    fn call<S: Isa>(self, _: S) -> TypeId {
        TypeId::of::<S>()
    }
}

fn code(backend: Backend, gain: Extension) -> TypeId {
    match gain {
        Extension::None => backend.run(Code::<0>),
        Extension::Rounds => backend.run(Code::<1>),
        Extension::Gf256 => backend.run(Code::<2>),
        Extension::Aes => backend.run(Code::<3>),
    }
}

/// Whether `backend` does something that another of this CPU does not. Of the backends that run the same code, it is the narrowest
/// that has AES instructions, or the narrowest.
#[must_use]
pub fn gains(backend: Backend, gain: Extension) -> bool {
    let this = code(backend, gain);
    let same = || Backend::available().filter(|other| code(*other, gain) == this);
    let with_aes = same().find(|other| other.instructions().aes);
    with_aes.or_else(|| same().next()) == Some(backend)
}

/// Bytes of a message where nothing else is asked for: fits the first cache.
pub const MESSAGE: usize = 16 * 1024;

/// A closure that runs `n` iterations, each of some operations.
pub(crate) struct Part {
    operations: u64,
    work: Box<dyn FnMut(u64)>,
}

impl Part {
    pub(crate) fn new(operations: usize, work: impl FnMut(u64) + 'static) -> Self {
        Self { operations: operations as u64, work: Box::new(work) }
    }
}

/// Something of icefish that can be measured, in both views.
pub struct Case {
    /// What it is.
    pub id: Identity,
    latency: Option<Part>,
    throughput: Option<Part>,
}

/// What to measure.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Names, or parts of names, of what is wanted; nothing for all. Case, `-` and `_` do not matter.
    pub filters: Vec<String>,
    /// The only backend to measure, or all of this CPU.
    pub backend: Option<Backend>,
    /// Bytes of a message.
    pub message: usize,
    /// Messages of zeros instead of bytes that look random.
    pub zero: bool,
}

impl Choice {
    /// Everything, with messages of [`MESSAGE`] bytes.
    #[must_use]
    pub fn all() -> Self {
        Self { filters: Vec::new(), backend: None, message: MESSAGE, zero: false }
    }

    fn backends(&self) -> Vec<Backend> {
        self.backend.map_or_else(|| Backend::available().collect(), |b| vec![b])
    }

    /// Whether what has this name is wanted.
    fn wants(&self, name: &str) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|f| plain(name).contains(&plain(f)))
    }

    /// Whether this very name is wanted.
    fn names(&self, name: &str) -> bool {
        self.filters.iter().any(|filter| plain(name) == plain(filter))
    }

    fn data(&self, len: usize) -> Vec<u8> {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        };
        (0..len).map(|_| if self.zero { 0 } else { next() }).collect()
    }
}

fn plain(name: &str) -> String {
    name.to_lowercase().replace(['-', '_'], "")
}

/// All cases that `choice` wants.
#[must_use]
pub fn cases(choice: &Choice) -> Vec<Case> {
    let mut cases = permutations::cases(choice);
    cases.extend(constructions::cases(choice));
    cases.extend(modes::cases(choice));
    cases
}

/// Measures a case; the views that it does not have, and those whose clock never stood still, are left
/// out of the row.
pub fn run(
    case: Case,
    machine: &Machine,
    time: &mut dyn Timebase,
    settings: &Settings,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Row {
    let mut view = |part: Option<Part>| {
        let Part { operations, work } = part?;
        let entry = Entry::new(case.id.clone(), operations, work);
        let mut group = Group::new(case.id.name.clone()).with(entry);
        let results: Vec<Result<_, Unsteady>> = measure(&mut group, time, settings, progress);
        results.into_iter().next()?.ok()
    };
    let (latency, throughput) = (view(case.latency), view(case.throughput));
    Row::new(case.id, machine.clone()).with_latency(latency).with_throughput(throughput)
}

fn identity(
    name: String,
    primitive: &str,
    backend: Backend,
    direction: Option<Direction>,
    bytes: usize,
    parallelism: usize,
) -> Identity {
    Identity {
        name,
        primitive: primitive.to_owned(),
        backend: backend.name().to_owned(),
        direction,
        bytes: bytes as u64,
        parallelism: parallelism as u32,
        peer: OURS.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        kind: Kind::Core,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(filters: &[&str], backend: &str) -> Vec<String> {
        let filters = filters.iter().map(|&f| f.to_owned()).collect();
        let backend = Some(Backend::by_name(backend).unwrap());
        let choice = Choice { filters, backend, ..Choice::all() };
        cases(&choice).into_iter().map(|case| case.id.name).collect()
    }

    #[test]
    fn names_are_those_of_the_design() {
        let all = names(&[], "scalar");
        for name in ["xoodoo_scalar", "ice0_ecb_enc_scalar", "threefish1024_ecb_dec_scalar"] {
            assert!(all.iter().any(|n| n == name), "{name} is not in {all:?}");
        }
        assert!(all.iter().any(|n| n == "aes256_cbc_enc_scalar"));
        let mut unique = all.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), all.len());
    }

    #[test]
    fn filters_ignore_dashes() {
        let found = names(&["aes-128-cbc"], "scalar");
        assert_eq!(found, ["aes128_cbc_enc_scalar", "aes128_cbc_dec_scalar"]);
        assert!(names(&["no such thing"], "scalar").is_empty());
        // By a name of its own, what is seldom asked for.
        assert!(names(&["ice-3"], "scalar").contains(&"ice3_ecb_enc_scalar".to_owned()));
        assert!(names(&["ice"], "scalar").iter().all(|n| !n.starts_with("ice3")));
        assert!(names(&["aes-128"], "scalar").iter().all(|n| !n.contains("ctr32")));
        assert!(names(&["xoodoo"], "scalar").iter().all(|n| n.starts_with("xoodoo")));
    }

    #[test]
    fn every_case_runs() {
        // Shorter than a block of some ciphers, than a state, and than a digest; and as long as several.
        for message in [16, 1024] {
            for mut case in cases(&Choice { message, ..Choice::all() }) {
                assert!(case.id.bytes > 0, "{}", case.id.name);
                for part in [&mut case.latency, &mut case.throughput].into_iter().flatten() {
                    (part.work)(1);
                    assert!(part.operations > 0);
                }
            }
        }
    }
}
