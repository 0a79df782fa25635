//! Our side of a contest.

use icefish::Backend;
use icefish::isa::Gain;
use icefish::permutations::{Xoodoo, Xoodoo64};

use super::buffer::Shared;
use super::{Contest, Material, entry, identity, with_peers};
use crate::identity::{Identity, Kind, OURS};
use crate::measure::Group;
use crate::ours;
use crate::peers::{Mode, Operation, Peer};

impl Contest {
    /// Whether this backend does something that the one before does not.
    fn gains_from(&self, backend: Backend) -> bool {
        let gain = match self.operation {
            Operation::Aes { .. }
            | Operation::AesKeySetup { .. }
            | Operation::AesNamed { .. }
            | Operation::AesKernel { .. } => Gain::Aes,
            Operation::Ice { .. } => Gain::Gf256,
            _ => Gain::Nothing,
        };
        ours::gains(backend, gain)
    }

    /// Our backends that take part, of those that are there. Where a run takes seconds, or where it is about the call
    /// and not the kernel, the best.
    pub(super) fn ours(&self, backends: &[Backend]) -> Vec<Backend> {
        let mut gaining: Vec<Backend> =
            backends.iter().copied().filter(|&b| self.gains_from(b)).collect();
        if matches!(self.kind, Kind::Memory | Kind::Calls) {
            gaining.drain(..gaining.len().saturating_sub(1));
        }
        gaining
    }

    /// What is measured of ours: the operation, and beside it what else costs a call.
    pub(super) fn operations_of_ours(&self) -> Vec<Operation> {
        match (self.kind, self.operation) {
            (Kind::Calls, Operation::Aes { bits, mode, direction }) => {
                let named = Operation::AesNamed { bits, mode, direction };
                // What is called a kernel is CBC's.
                let kernel = (mode == Mode::Cbc).then_some(Operation::AesKernel { bits });
                [self.operation, named].into_iter().chain(kernel).collect()
            }
            _ => vec![self.operation],
        }
    }
}

/// The entries of a contest: ours first, widest backend last, then the peers.
#[must_use]
pub fn group(contest: &Contest, backends: &[Backend], peers: &[Peer]) -> Group<'static> {
    let material = Material::new();
    let setup = material.setup(contest.operation);
    let mut group = Group::new(contest.to_string());
    let shared = Shared::new(contest.buffer());
    let ours = contest.operations_of_ours();
    for (backend, operation) in
        contest.ours(backends).into_iter().flat_map(|b| ours.iter().map(move |&o| (b, o)))
    {
        let make = || match contest.kind {
            Kind::Many => ours::many(operation, backend, &setup, contest.messages.clone()),
            Kind::Threads => ours::threads(operation, backend, &setup),
            _ => ours::one(operation, backend, &setup),
        };
        if let (Some(work), Some(check)) = (make(), make()) {
            let contest = Contest { operation, ..contest.clone() };
            let id = our_identity(&contest, backend);
            group = group.with(entry(id, &contest, &shared, work, check));
        }
    }
    with_peers(group, contest, &shared, peers)
}

/// Our best backend alone.
pub(super) fn best(contest: &Contest) -> Group<'static> {
    let backends: Vec<Backend> = Backend::available().collect();
    group(contest, contest.ours(&backends).last().map_or(&[], std::slice::from_ref), &[])
}

fn our_identity(contest: &Contest, backend: Backend) -> Identity {
    let parallelism = match contest.operation {
        _ if contest.kind != Kind::Throughput => contest.messages.len(),
        Operation::Xoodoo { .. } | Operation::XoodooSliced { .. } => Xoodoo::batch(backend),
        Operation::Xoodoo64 { .. } | Operation::Xoodoo64Sliced { .. } => Xoodoo64::batch(backend),
        _ => 1,
    };
    Identity {
        name: format!("{}_{backend}", contest.operation),
        backend: backend.name().to_owned(),
        peer: OURS.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..identity(contest, parallelism)
    }
}
