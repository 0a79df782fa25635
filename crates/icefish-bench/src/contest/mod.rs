//! Ours and the peers at the same work: what is measured, and the rows that come out.
//!
//! A [`Contest`] becomes a group whose entries take turns: ours on every backend, and every peer of the
//! operation. All of them are the same kind of closure over a buffer of the same bytes, and all outputs are
//! compared before the clock runs.

mod buffer;
mod builds;
mod list;
#[cfg(feature = "ours")]
mod ours;
mod outputs;
mod plan;
mod summary;
mod turns;

pub use builds::add_build;
pub use list::{SIZES, contests};
#[cfg(feature = "ours")]
pub use ours::group;
pub use outputs::Outputs;
pub use plan::Contest;
pub use summary::summary;

use std::hint::black_box;

use crate::clock::Timebase;
use crate::floor::Core;
use crate::identity::{Identity, Kind};
use crate::machine::Machine;
use crate::measure::{Entry, Group, Metric, Progress, Settings, measure};
use crate::peers::{self, Dispatch, Operation, Peer, Setup, Work};
use crate::primitives::{direction, primitive};
use crate::row::Row;
use turns::turns;

/// Of data in memory this much is compared: the rest takes the same path.
const MOST_CHECKED: usize = 16 << 20;

/// Behind the name of a primitive: its kernel alone.
const KERNEL: &str = " kernel";

/// How often the verified chain of a [`Kind::Latency`] runs.
const LINKS: usize = 3;

/// Key, IV and tweak of every contest; the bytes count up, because XTS refuses two equal keys.
struct Material(Vec<u8>);

impl Material {
    fn new() -> Self {
        Self((0..=255).collect())
    }

    fn setup(&self, operation: Operation) -> Setup<'_> {
        let lengths = operation.lengths();
        Setup {
            key: &self.0[..lengths.key],
            iv: &self.0[..lengths.iv],
            tweak: &self.0[..lengths.tweak.unwrap_or(0)],
        }
    }
}

/// The entries of a contest: ours on every backend, and every peer of this build.
#[must_use]
pub fn full_group(contest: &Contest) -> Group<'static> {
    #[cfg(feature = "ours")]
    return group(contest, &ours::backends(), &peers::peers());
    #[cfg(not(feature = "ours"))]
    group_of_peers(contest, &peers::peers())
}

/// The same, but of ours the best backend alone, as in a program. Where a process has used several, the CPU predicts the jumps to their
/// functions later, and a block of AES takes 2 cycles more (Zen 5).
#[must_use]
pub fn usual_group(contest: &Contest) -> Group<'static> {
    #[cfg(feature = "ours")]
    return ours::best(contest, &peers::peers());
    #[cfg(not(feature = "ours"))]
    group_of_peers(contest, &peers::peers())
}

/// Those of the peers that choose their instructions when they are compiled, and ours, if this build has it.
#[must_use]
pub fn compiled_group(contest: &Contest) -> Group<'static> {
    let peers = compiled(peers::peers());
    #[cfg(feature = "ours")]
    return ours::best(contest, &peers);
    #[cfg(not(feature = "ours"))]
    group_of_peers(contest, &peers)
}

#[cfg(not(feature = "ours"))]
fn group_of_peers(contest: &Contest, peers: &[Peer]) -> Group<'static> {
    let shared = buffer::Shared::new(contest.room());
    with_peers(Group::new(contest.to_string()), contest, &shared, peers)
}

fn with_peers(
    mut group: Group<'static>,
    contest: &Contest,
    shared: &buffer::Shared,
    peers: &[Peer],
) -> Group<'static> {
    let material = Material::new();
    let setup = material.setup(contest.operation);
    for peer in peers.iter().filter(|peer| contest.admits(peer)) {
        let make = || match contest.kind {
            Kind::Many => peer.make_many(&setup, &contest.messages),
            _ => peer.make(&setup),
        };
        if let (Some(work), Some(check)) = (make(), make()) {
            let (id, place) = (peer_identity(contest, peer), group.entries.len());
            group = group.with(entry(id, contest, shared, place, work, check));
        }
    }
    group
}

fn entry(
    id: Identity,
    contest: &Contest,
    shared: &buffer::Shared,
    place: usize,
    mut work: Box<dyn Work>,
    mut check: Box<dyn Work>,
) -> Entry<'static> {
    let (bytes, kind) = (contest.buffer(), contest.kind);
    let (shared, turns) = (shared.clone(), turns(place));
    let timed = move |n: u64| {
        shared.with(|room| {
            match kind {
                Kind::Latency => work.chain(room, n as usize),
                Kind::Calls => (0..n).for_each(|_| {
                    work.run(room);
                    feed_back(room);
                }),
                _ => turns(&mut *work, room, bytes, n as usize),
            }
            black_box(room);
        });
    };
    Entry::new(id, contest.operations(), timed).with_output(move || {
        let mut buffer = painted(bytes.min(MOST_CHECKED));
        check.chain(&mut buffer, if kind == Kind::Latency { LINKS } else { 1 });
        buffer.extend_from_slice(check.tag());
        buffer
    })
}

/// The last block becomes the first of the next message. Otherwise short messages would run side by side, the more the
/// less there is around their kernel, and the kernel would seem to cost next to nothing.
fn feed_back(buffer: &mut [u8]) {
    if let (Some(last), true) = (buffer.last_chunk::<16>().copied(), buffer.len() > 16) {
        buffer[..16].copy_from_slice(&last);
    }
}

/// Bytes with a period that no block length divides.
fn painted(length: usize) -> Vec<u8> {
    (0..251).cycle().take(length).collect()
}

fn peer_identity(contest: &Contest, peer: &Peer) -> Identity {
    Identity {
        peer: peer.peer.to_owned(),
        version: peer.version.to_owned(),
        ..identity(contest, contest.messages.len())
    }
}

fn identity(contest: &Contest, parallelism: usize) -> Identity {
    Identity {
        name: contest.operation.to_string(),
        primitive: primitive(contest.operation),
        backend: String::new(),
        direction: direction(contest.operation),
        bytes: contest.bytes() as u64,
        parallelism: u32::try_from(parallelism.max(1)).unwrap_or(u32::MAX),
        peer: String::new(),
        version: String::new(),
        kind: contest.kind,
    }
}

/// Whether some peer of this build takes part that chooses its instructions when it is compiled.
#[must_use]
pub fn has_compiled_peers(contest: &Contest) -> bool {
    compiled(peers::peers()).iter().any(|peer| contest.admits(peer))
}

/// The same for a build that is held to other instructions than this process.
#[must_use]
pub fn may_have_compiled_peers(contest: &Contest) -> bool {
    compiled(peers::of_any_build()).iter().any(|peer| contest.admits(peer))
}

fn compiled(mut peers: Vec<Peer>) -> Vec<Peer> {
    peers.retain(|peer| peer.dispatch == Dispatch::CompileTime);
    peers
}

/// Measures a group of a contest. Rows are in the order of the entries; entries whose clock never stood still have no
/// figures and no row.
pub fn rows(
    contest: &Contest,
    mut group: Group<'_>,
    machine: &Machine,
    time: &mut dyn Timebase,
    settings: &Settings,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Vec<Row> {
    let results = measure(&mut group, time, &contest.settings(settings), progress);
    let core = Core::of(&machine.cpu);
    let ids = group.entries.into_iter().map(|entry| entry.id);
    let results: Vec<(Identity, Metric)> =
        ids.zip(results).filter_map(|(id, metric)| Some((id, metric.ok()?))).collect();
    let called = (contest.kind == Kind::Calls).then(|| least_cpb(&results)).flatten();
    let rows = results.into_iter().map(|(id, metric)| {
        let floor = core.as_ref().and_then(|core| core.floor(contest.operation, contest.kind, &id));
        let row = Row::new(id, machine.clone()).with_floor(called.or(floor));
        match contest.kind {
            Kind::Latency => row.with_latency(Some(metric)),
            _ => row.with_throughput(Some(metric)),
        }
    });
    rows.collect()
}

/// What the kernel of calls takes, or the call by type if no kernel is written down, in core cycles a byte: the floor of the
/// others.
fn least_cpb(results: &[(Identity, Metric)]) -> Option<f64> {
    let kernel = results.iter().find(|(id, _)| id.primitive.ends_with(KERNEL));
    let (id, metric) = kernel.or(results.first())?;
    Some(metric.cycles.low / id.bytes as f64)
}

/// The peers of this build and their versions, a line each, for the head of a report.
#[must_use]
pub fn versions() -> String {
    let mut lines: Vec<String> = Vec::new();
    for peer in peers::peers() {
        let line = format!("{}: {}", peer.peer, peer.version);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.extend(peers::missing());
    if lines.is_empty() {
        "no peers: built without --features peers".into()
    } else {
        lines.join("\n")
    }
}
