use std::time::Duration;

use super::{Entry, Group, Metric, Settings, Unsteady};
use crate::clock::Timebase;
use crate::stats::{self, Spread};

/// An entry that lacks good samples goes on until it has used this many times its budget.
const PATIENCE: f64 = 5.0;
/// An entry that takes this many times the time of its side's best is far behind.
const FAR: f64 = 1.25;
/// Work that takes this many times the warm-up is slow.
const SLOW: f64 = 20.0;

/// A run that takes this many times the time of a sample is longer than any interruption.
const LONG: f64 = 100.0;

/// How far the measurement of a group is, told after each slice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress<'a> {
    /// Name of the group.
    pub group: &'a str,
    /// Name of the entry that has just run.
    pub entry: &'a str,
    /// Part of the budget that is used up, from 0 to 1.
    pub fraction: f64,
}

/// Measures the entries of `group` in turns; the results are in the order of the entries.
///
/// An entry that is far behind the best of its side, ours or the peers, has no more than it must have: that it is behind is
/// known by then. All others have the same time.
///
/// `progress` is called after each slice, on this thread, outside the timed parts.
pub fn measure(
    group: &mut Group<'_>,
    time: &mut dyn Timebase,
    settings: &Settings,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Vec<Result<Metric, Unsteady>> {
    let budget = ns(settings.budget);
    let mut tracks: Vec<Track> =
        group.entries.iter_mut().map(|e| Track::new(e, time, settings)).collect();
    loop {
        let best = [false, true].map(|ours| {
            let side = tracks.iter().filter(|track| track.ours == ours);
            side.map(Track::best).fold(f64::INFINITY, f64::min)
        });
        let mut idle = true;
        for i in 0..tracks.len() {
            if !tracks[i].wants_more(best, settings) {
                continue;
            }
            idle = false;
            let entry = &mut group.entries[i];
            tracks[i].slice(entry, time, settings);
            let used: f64 = tracks.iter().map(|track| track.used.min(budget)).sum();
            let all = budget * tracks.len() as f64;
            let fraction = if all > 0.0 { used / all } else { 1.0 };
            progress(&Progress { group: &group.name, entry: &entry.id.name, fraction });
        }
        if idle {
            break;
        }
    }
    tracks.into_iter().map(Track::finish).collect()
}

/// A kept sample: time of one operation in ns, and the clock around it in GHz.
struct Sample {
    ns: f64,
    ghz: f64,
}

/// What is known about one entry so far.
struct Track {
    ours: bool,
    iterations: u64,
    /// How long a sample takes, roughly.
    sample_ns: f64,
    kept: Vec<Sample>,
    dropped: u32,
    slices: u32,
    /// Time that it had, in ns.
    used: f64,
}

impl Track {
    fn new(entry: &mut Entry<'_>, time: &mut dyn Timebase, settings: &Settings) -> Self {
        let start = time.now_ns();
        let (iterations, sample_ns) = iterations(entry, time, ns(settings.sample));
        let (ours, used) = (entry.id.is_ours(), time.now_ns() - start);
        Self { ours, iterations, sample_ns, kept: Vec::new(), dropped: 0, slices: 0, used }
    }

    /// The least time of an iteration's operation, in ns.
    fn best(&self) -> f64 {
        self.kept.iter().map(|sample| sample.ns).fold(f64::INFINITY, f64::min)
    }

    /// `best`: that of the peers, and of ours.
    fn wants_more(&self, best: [f64; 2], settings: &Settings) -> bool {
        let budget = ns(settings.budget);
        if self.slices < settings.rounds {
            return true;
        }
        if self.kept.len() < settings.enough as usize {
            return self.used < PATIENCE * budget;
        }
        self.used < budget && self.best() <= FAR * best[usize::from(self.ours)]
    }

    fn slice(&mut self, entry: &mut Entry<'_>, time: &mut dyn Timebase, settings: &Settings) {
        let operations = (self.iterations * entry.operations) as f64;
        let begin = time.now_ns();
        // What takes many times the warm-up needs none: its own beginning weighs little.
        while self.sample_ns < SLOW * ns(settings.warm_up) {
            (entry.work)(self.iterations);
            if time.now_ns() - begin >= ns(settings.warm_up) {
                break;
            }
        }
        let start = time.now_ns();
        let mut before = time.undisturbed_ghz();
        for _ in 0..settings.slice_samples.max(1) {
            let elapsed = run(entry, self.iterations, time);
            let after = time.undisturbed_ghz();
            self.record(elapsed / operations, before, after, settings.tolerance);
            before = after;
            if time.now_ns() - start >= ns(settings.slice) {
                break;
            }
        }
        self.slices += 1;
        self.used += time.now_ns() - begin;
    }

    /// A sample counts if the clock was found before and after it, and is the same.
    fn record(&mut self, ns: f64, before: Option<f64>, after: Option<f64>, tolerance: f64) {
        match before.zip(after) {
            Some((before, after)) if (before - after).abs() <= tolerance * before.max(after) => {
                // An interrupted calibration looks like a slow clock, never like a fast one.
                self.kept.push(Sample { ns, ghz: before.max(after) });
            }
            _ => self.dropped += 1,
        }
    }

    fn finish(self) -> Result<Metric, Unsteady> {
        let column = |f: fn(&Sample) -> f64| self.kept.iter().map(f).collect::<Vec<f64>>();
        let figures = || {
            Some(Metric {
                ns: Spread::of(&mut column(|s| s.ns))?,
                cycles: Spread::of(&mut column(|s| s.ns * s.ghz))?,
                clock_ghz: stats::median(&mut column(|s| s.ghz))?,
                kept: u32::try_from(self.kept.len()).unwrap_or(u32::MAX),
                dropped: self.dropped,
            })
        };
        figures().ok_or(Unsteady { dropped: self.dropped })
    }
}

/// How many iterations last about `target` ns, at least one; and how long they last.
fn iterations(entry: &mut Entry<'_>, time: &mut dyn Timebase, target: f64) -> (u64, f64) {
    (entry.work)(1); // page faults, lazily built tables
    let mut n = 1_u64;
    loop {
        let elapsed = least(entry, n, time, target);
        if elapsed >= target / 4.0 || n >= 1 << 40 {
            let one = elapsed.max(1.0) / n as f64;
            let n = ((target / one).round() as u64).max(1);
            return (n, n as f64 * one);
        }
        n *= 2;
    }
}

/// The time of `n` iterations: the shortest of three runs if the first one seems to be long enough, because it may have been
/// interrupted, or have waited for code that was not in memory. A sample of few iterations would measure the clock. A very long run
/// counts as it is.
fn least(entry: &mut Entry<'_>, n: u64, time: &mut dyn Timebase, target: f64) -> f64 {
    let first = run(entry, n, time);
    let again = if (target / 4.0..LONG * target).contains(&first) { 2 } else { 0 };
    (0..again).fold(first, |least, _| least.min(run(entry, n, time)))
}

fn run(entry: &mut Entry<'_>, n: u64, time: &mut dyn Timebase) -> f64 {
    let start = time.now_ns();
    (entry.work)(n);
    time.now_ns() - start
}

fn ns(duration: Duration) -> f64 {
    duration.as_nanos() as f64
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
