//! Our side of a contest.

use icefish::Backend;
use icefish::isa::Extension;
use icefish::permutations::{Xoodoo, Xoodoo64};

use super::buffer::Shared;
use super::{Contest, KERNEL, Material, entry, identity, with_peers};
use crate::identity::{Identity, Kind, OURS};
use crate::limits::Limit;
use crate::measure::Group;
use crate::ours;
use crate::peers::{Direction, Mode, Operation, Peer, Setup, Work};

/// How something of ours is called.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    /// With the types in the source.
    Typed,
    /// By the name of its suite.
    Named,
    /// What both end in: no message, no lengths, no errors.
    Kernel,
}

impl Form {
    /// Behind the name of a primitive.
    fn words(self) -> &'static str {
        match self {
            Self::Typed => "",
            Self::Named => " by name",
            Self::Kernel => KERNEL,
        }
    }
}

impl Contest {
    /// Whether this backend does something that the one before does not.
    fn gains_from(&self, backend: Backend) -> bool {
        let gain = match self.operation {
            Operation::Aes { .. } | Operation::AesKeySetup { .. } => Extension::Aes,
            Operation::Aegis { .. } | Operation::AegisMac { .. } => Extension::Rounds,
            Operation::Ice { .. } => Extension::Gf256,
            _ => Extension::None,
        };
        ours::gains(backend, gain)
    }

    /// Our backends that take part, of those that are there: all, or the best where a run takes seconds, or where it is
    /// not about the kernel.
    fn ours(&self, backends: &[Backend]) -> Vec<Backend> {
        let mut gaining = backends.to_vec();
        if backends.len() > 1 {
            gaining.retain(|backend| self.gains_from(*backend));
        }
        if self.software {
            gaining.retain(|backend| !backend.instructions().aes);
        }
        if !matches!(self.kind, Kind::Throughput | Kind::Sizes | Kind::Latency) {
            gaining.drain(..gaining.len().saturating_sub(1));
        }
        gaining
    }

    /// The forms in which ours takes part.
    fn forms(&self) -> Vec<Form> {
        let mut forms = vec![Form::Typed];
        if self.kind == Kind::Calls {
            forms.push(Form::Named);
            forms.extend(self.has_kernel().then_some(Form::Kernel));
        }
        forms
    }

    /// How many entries of a [`group`] are ours, if none is missing.
    #[must_use]
    pub fn entries_of_ours(&self, backends: &[Backend]) -> usize {
        self.ours(backends).len() * self.forms().len()
    }

    /// One block, or blocks that wait for each other: there a kernel is a few lines. Not counters: no message's keystream
    /// waits for another message, so a kernel would seem to cost next to nothing. Not authentication: it is more.
    fn has_kernel(&self) -> bool {
        match self.operation {
            Operation::Aes { mode: Mode::Gcm | Mode::Ctr, .. } | Operation::ThreefishCtr { .. } => {
                false
            }
            Operation::Aes { mode: Mode::Cbc, direction: Direction::Encrypt, .. } => true,
            Operation::Aes { .. } => self.bytes() == 16,
            _ => true,
        }
    }

    fn make(&self, form: Form, backend: Backend, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
        let operation = self.operation;
        match (self.kind, form) {
            (Kind::Many, _) => ours::many(operation, backend, setup, self.messages.clone()),
            (Kind::Threads, _) => ours::threads(operation, backend, setup),
            (_, Form::Typed) => ours::one(operation, backend, setup),
            (_, Form::Named) => ours::named(operation, backend, setup),
            (_, Form::Kernel) => ours::kernel(operation, backend, setup),
        }
    }
}

/// The entries of a contest: ours first, widest backend last, then the peers.
#[must_use]
pub fn group(contest: &Contest, backends: &[Backend], peers: &[Peer]) -> Group<'static> {
    let material = Material::new();
    let setup = material.setup(contest.operation);
    let mut group = Group::new(contest.to_string());
    let shared = Shared::new(contest.room());
    for backend in contest.ours(backends) {
        for form in contest.forms() {
            let make = || contest.make(form, backend, &setup);
            if let (Some(work), Some(check)) = (make(), make()) {
                let (id, place) = (our_identity(contest, form, backend), group.entries.len());
                group = group.with(entry(id, contest, &shared, place, work, check));
            }
        }
    }
    with_peers(group, contest, &shared, peers)
}

/// The same with our best backend alone.
pub(super) fn best(contest: &Contest, peers: &[Peer]) -> Group<'static> {
    group(contest, contest.ours(&backends()).last().map_or(&[], std::slice::from_ref), peers)
}

/// Those of this CPU, or the one that this process is held to.
pub(super) fn backends() -> Vec<Backend> {
    let limit = Limit::current();
    let fits = |backend: &Backend| limit.is_none_or(|limit| limit.name == backend.name());
    Backend::available().filter(fits).collect()
}

fn our_identity(contest: &Contest, form: Form, backend: Backend) -> Identity {
    let parallelism = match contest.operation {
        _ if contest.kind != Kind::Throughput => contest.messages.len(),
        Operation::Xoodoo { .. } | Operation::XoodooSliced { .. } => Xoodoo::batch(backend),
        Operation::Xoodoo64 { .. } | Operation::Xoodoo64Sliced { .. } => Xoodoo64::batch(backend),
        _ => 1,
    };
    let identity = identity(contest, parallelism);
    let words = form.words();
    Identity {
        name: format!("{}{}_{backend}", contest.operation, words.replace(' ', "_")),
        primitive: identity.primitive + words,
        backend: backend.name().to_owned(),
        peer: OURS.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..identity
    }
}
