//! What a contest is, and what it is called.

use std::fmt;
use std::time::Duration;

use crate::format::{messages, size};
use crate::identity::Kind;
use crate::measure::Settings;
use crate::paged::PAGE;
use crate::peers::{Dispatch, Operation, Peer};
use crate::primitives::primitive;

/// As [`Settings::slice`], for data in memory.
const MEMORY_SLICE: Duration = Duration::from_millis(100);

/// An operation, a kind of measurement, and the lengths of the messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contest {
    /// What is computed.
    pub operation: Operation,
    /// How it is measured.
    pub kind: Kind,
    /// Length of each message; a single one but for [`Kind::Many`].
    pub messages: Vec<usize>,
    /// Whether it is for our backends without AES instructions alone.
    pub software: bool,
}

impl Contest {
    pub(super) fn new(operation: Operation, kind: Kind, bytes: usize) -> Self {
        Self { operation, kind, messages: vec![bytes], software: false }
    }

    /// Bytes of the buffer that one call handles.
    #[must_use]
    pub fn buffer(&self) -> usize {
        self.messages.iter().sum()
    }

    /// Bytes of memory for the messages: where short messages are measured, for as many as fit into a page, which take turns. In the
    /// memory of the message before, a message would wait for it.
    #[must_use]
    pub fn room(&self) -> usize {
        let bytes = self.buffer();
        if self.kind == Kind::Sizes && bytes < PAGE { PAGE / bytes * bytes } else { bytes }
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
            Kind::Memory => !self.software && peer.dispatch == Dispatch::RunTime,
            kind => kind != Kind::Calls,
        };
        fits && peer.operation == self.operation && peer.threads == (self.kind == Kind::Threads)
    }

    /// How to measure it in a run of these settings. Where there are many rows of nearly the same thing, each has less time. Data in memory
    /// takes tens of milliseconds, and the first sample of a side also depends on how much memory the side before used: a slice has
    /// several.
    #[must_use]
    pub fn settings(&self, usual: &Settings) -> Settings {
        match self.kind {
            Kind::Memory => {
                let settings = usual.clone().with_budget(10 * usual.budget);
                Settings { enough: usual.rounds, slice: MEMORY_SLICE, ..settings }
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::Direction;

    #[test]
    fn short_messages_have_a_page_to_themselves() {
        let room = |kind, bytes| {
            Contest::new(Operation::Ice { level: 0, direction: Direction::Encrypt }, kind, bytes)
                .room()
        };
        assert_eq!(
            [16, 48, 4096, 8192].map(|bytes| room(Kind::Sizes, bytes)),
            [4096, 4080, 4096, 8192]
        );
        assert_eq!(room(Kind::Latency, 16), 16);
    }
}
