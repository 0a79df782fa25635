//! A side, and how long it took in each round.

use std::fs;
use std::path::Path;
use std::time::Instant;

use icefish_bench::identity::{Direction, Identity, Kind};
use icefish_bench::machine::Machine;
use icefish_bench::measure::Metric;
use icefish_bench::row::Row;
use icefish_bench::stats::{self, Spread};

use super::folder::{Folder, same};
use super::sides::{Data, Side};
use super::{MANY, SHORT};

/// A side that takes part.
pub(super) struct Runner {
    pub(super) side: &'static Side,
    version: String,
    /// In ns.
    seal: Vec<f64>,
    open: Vec<f64>,
}

impl Runner {
    pub(super) fn new(side: &'static Side, version: String) -> Self {
        Self { side, version, seal: Vec::new(), open: Vec::new() }
    }

    /// One round; in the first, `compare`, what was sealed must come back.
    pub(super) fn round(&mut self, folder: &Folder, compare: bool) -> Result<(), String> {
        let done = match self.side.data {
            Data::Large => self.large(folder, compare),
            Data::Length => self.large(folder, false),
            Data::Many => self.many(folder, compare),
            Data::LargeRead | Data::ManyRead => self.read(folder),
        };
        for name in ["sealed", "opened"] {
            // It need not be there.
            let _ = fs::remove_file(folder.path(name));
        }
        for path in folder.many() {
            let _ = fs::remove_file(path.with_extension("enc"));
        }
        done
    }

    fn large(&mut self, folder: &Folder, compare: bool) -> Result<(), String> {
        let [plain, sealed, opened] = ["plain", "sealed", "opened"].map(|name| folder.path(name));
        folder.warm()?;
        self.seal.push(timed(folder, self.side.seal, Some((&plain, &sealed)))?);
        let back = if self.side.open.is_empty() {
            sealed
        } else {
            folder.warm()?;
            self.open.push(timed(folder, self.side.open, Some((&sealed, &opened)))?);
            opened
        };
        if compare { must_be_same(&plain, &back) } else { Ok(()) }
    }

    fn many(&mut self, folder: &Folder, compare: bool) -> Result<(), String> {
        self.seal.push(timed(folder, self.side.seal, None)?);
        let opened = folder.path("opened");
        for plain in folder.many().iter().filter(|_| compare) {
            folder.run(self.side.open, Some((&plain.with_extension("enc"), &opened)))?;
            must_be_same(plain, &opened)?;
            fs::remove_file(&opened).map_err(|e| e.to_string())?;
        }
        Ok(())
    }

    /// Nothing is written, so there is no memory to warm.
    fn read(&mut self, folder: &Folder) -> Result<(), String> {
        let (plain, nothing) = (folder.path("plain"), folder.path("nothing"));
        self.seal.push(timed(folder, self.side.seal, Some((&plain, &nothing)))?);
        Ok(())
    }

    /// A row for each direction.
    pub(super) fn rows(mut self, size: u64, machine: &Machine) -> Vec<Row> {
        let (bytes, count) = if self.side.data.is_many() { (SHORT, MANY) } else { (size, 1) };
        let directions = match self.side.open {
            "" => [None, None],
            _ => [Some(Direction::Encrypt), Some(Direction::Decrypt)],
        };
        let mut rows = Vec::new();
        for (direction, times) in directions.into_iter().zip([&mut self.seal, &mut self.open]) {
            let Some(median) = stats::median(times) else {
                continue;
            };
            // The best round: there are few, and nothing but their time is measured.
            let ns = Spread { low: times[0], median }.per(count as f64);
            let ghz = machine.clock_ghz;
            let cycles = Spread { low: ns.low * ghz, median: ns.median * ghz };
            let kept = times.len() as u32;
            let metric = Metric { ns, cycles, clock_ghz: ghz, kept, dropped: 0 };
            let id = Identity {
                name: format!("{} of a file by {}", self.side.what, self.side.by),
                primitive: self.side.what.to_owned(),
                backend: String::new(),
                direction,
                bytes,
                parallelism: count as u32,
                peer: self.side.by.to_owned(),
                version: self.version.clone(),
                kind: Kind::Files,
            };
            rows.push(Row::new(id, machine.clone()).with_throughput(Some(metric)));
        }
        rows
    }
}

/// How long a line takes, in ns.
fn timed(folder: &Folder, line: &str, files: Option<(&Path, &Path)>) -> Result<f64, String> {
    let started = Instant::now();
    folder.run(line, files)?;
    Ok(started.elapsed().as_nanos() as f64)
}

fn must_be_same(plain: &Path, back: &Path) -> Result<(), String> {
    match same(plain, back) {
        Ok(true) => Ok(()),
        Ok(false) => Err("what it sealed does not come back".to_owned()),
        Err(e) => Err(format!("{}: {e}", back.display())),
    }
}
