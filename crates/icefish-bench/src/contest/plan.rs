//! What a contest is, and what it is called.

use std::fmt;

use crate::format::{messages, size};
use crate::identity::{Direction as Way, Kind};
use crate::measure::Settings;
use crate::peers::{Dispatch, Mode, Operation, Peer, aegis_name};

/// An operation, a kind of measurement, and the lengths of the messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contest {
    /// What is computed.
    pub operation: Operation,
    /// How it is measured.
    pub kind: Kind,
    /// Length of each message; a single one but for [`Kind::Many`].
    pub messages: Vec<usize>,
}

impl Contest {
    pub(super) fn new(operation: Operation, kind: Kind, bytes: usize) -> Self {
        Self { operation, kind, messages: vec![bytes] }
    }

    /// Bytes of the buffer that one call handles.
    #[must_use]
    pub fn buffer(&self) -> usize {
        self.messages.iter().sum()
    }

    /// Operations of one call: the results are divided by it.
    #[must_use]
    pub fn operations(&self) -> u64 {
        (self.buffer() / self.bytes().max(1)) as u64
    }

    /// Bytes of one operation: a state, or a message, the mean of many.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self.operation {
            Operation::Xoodoo { .. }
            | Operation::Xoodoo64 { .. }
            | Operation::XoodooSliced { .. }
            | Operation::Xoodoo64Sliced { .. } => 48,
            _ => self.buffer() / self.messages.len().max(1),
        }
    }

    /// Whether a peer takes part: of the same operation, with threads only where we have ours. Data in memory is for
    /// those that are not much slower than it.
    pub(super) fn admits(&self, peer: &Peer) -> bool {
        let fits = match self.kind {
            Kind::Memory => !self.is_software() && peer.dispatch == Dispatch::RunTime,
            kind => kind != Kind::Calls,
        };
        fits && peer.operation == self.operation && peer.threads == (self.kind == Kind::Threads)
    }

    /// Whether ours does without AES instructions: with them, AES from memory is as fast as memory.
    pub(super) fn is_software(&self) -> bool {
        self.kind == Kind::Memory && matches!(self.operation, Operation::Aes { .. })
    }

    /// How to measure it in a run of these settings: what takes long is run seldom, and where there are many rows of
    /// nearly the same thing, each has less time.
    #[must_use]
    pub fn settings(&self, usual: &Settings) -> Settings {
        match self.kind {
            Kind::Memory => Settings { rounds: 1, enough: 1, ..usual.clone() },
            Kind::Many => usual.clone().with_budget(usual.budget / 3),
            _ => usual.clone(),
        }
    }

    /// Whether one of the filters is a part of the operation's name, the primitive's or the kind's; case,
    /// `-` and `_` do not matter. No filter at all wants everything.
    #[must_use]
    pub fn is_wanted(&self, filters: &[String]) -> bool {
        let plain = |name: &str| name.to_lowercase().replace(['-', '_'], "");
        let names = [self.operation.to_string(), primitive(self.operation), self.kind.to_string()]
            .map(|n| plain(&n));
        filters.is_empty() || filters.iter().any(|f| names.iter().any(|n| n.contains(&plain(f))))
    }
}

impl fmt::Display for Contest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.bytes() as u64;
        let what = match self.kind {
            Kind::Many => messages(self.messages.len() as u64, bytes),
            _ => size(bytes),
        };
        write!(f, "{} ({}, {what})", self.operation, self.kind)
    }
}

/// The algorithm and mode of an operation, as suites are called.
pub(crate) fn primitive(operation: Operation) -> String {
    match operation {
        Operation::Aes { bits, mode: Mode::Cfb128, .. } => format!("aes-{bits}-cfb"),
        Operation::Aes { bits, mode, .. } => format!("aes-{bits}-{mode}"),
        Operation::AesKeySetup { bits, .. } => format!("aes-{bits}-cbc with key setup"),
        Operation::Ice { level: 0, .. } => "thin-ice-ecb".into(),
        Operation::Ice { level, .. } => format!("ice-{level}-ecb"),
        Operation::IceKeySetup { level: 0 } => "thin-ice-ecb with key setup".into(),
        Operation::IceKeySetup { level } => format!("ice-{level}-ecb with key setup"),
        Operation::ThreefishKeySetup { bits } => format!("threefish-{bits}-ecb with key setup"),
        Operation::ThreefishSector { .. } => "threefish-1024 sector".into(),
        Operation::Threefish { bits, .. } => format!("threefish-{bits}-ecb"),
        Operation::ThreefishCtr { bits } => format!("threefish-{bits}-ctr"),
        Operation::Xoodoo { rounds: 12 } => "xoodoo".into(),
        Operation::Xoodoo64 { rounds: 12 } => "xoodoo64".into(),
        Operation::XoodooSliced { .. } => "xoodoo sliced".into(),
        Operation::Xoodoo64Sliced { .. } => "xoodoo64 sliced".into(),
        Operation::Skein { bits } => format!("skein-{bits}"),
        Operation::SkeinTree => "skein-512 tree".into(),
        Operation::XoodyakHash => "xoodyak hash".into(),
        Operation::Xoodyak { .. } => "xoodyak aead".into(),
        Operation::Aegis { bits, states, .. } => aegis_name(bits, states),
        Operation::AegisMac { bits, states } => format!("{} mac", aegis_name(bits, states)),
        Operation::XoofffCompress => "xoofff compress".into(),
        Operation::XoofffExpand => "xoofff expand".into(),
        other => other.to_string(),
    }
}

/// The direction of an operation; none where both ways are the same work.
pub(crate) fn direction(operation: Operation) -> Option<Way> {
    match operation {
        Operation::Aes { mode: Mode::Ctr | Mode::Ofb, .. } => None,
        Operation::Aes { direction, .. }
        | Operation::AesKeySetup { direction, .. }
        | Operation::Ice { direction, .. }
        | Operation::Threefish { direction, .. }
        | Operation::ThreefishSector { direction }
        | Operation::Aegis { direction, .. }
        | Operation::Xoodyak { direction } => Some(direction.into()),
        _ => None,
    }
}
