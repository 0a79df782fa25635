//! A folder of its own, with an input and an output.

// Each test file is a program of its own, and uses a part of this.
#![allow(dead_code)]

use icefish_files::{Input, Output, Target};
use std::path::PathBuf;

pub(crate) struct Case {
    dir: tempfile::TempDir,
}

impl Case {
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().expect("a folder") }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn input(&self, bytes: &[u8]) -> Input {
        std::fs::write(self.path("input"), bytes).expect("room");
        Input::open(&self.path("input")).expect("a file")
    }

    pub(crate) fn output(&self) -> Output {
        Target::file(&self.path("output"), true).and_then(Target::create).expect("a file")
    }
}

/// Bytes with a period that is no length of anything.
pub(crate) fn paint(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}
