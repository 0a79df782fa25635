//! What a run must reach, row by row and whatever the CPU: ratios, and nothing that belongs to a clock or a core.
//!
//! | goal | of |
//! |---|---|
//! | as fast as the best peer | every contest with a peer |
//! | two thirds of the floor | contests whose floor is known: loads, stores and transpositions are not in it |
//! | the kernel's time, and 15 % for a block or 5 % for several | calls; those by name, where no kernel is written down, are held against those by type |
//! | 90 % of the rate in cache | data in main memory, for kernels that are slower than it |
//!
//! Measurements differ by 2 % from run to run. So 98 % of a goal are [`Verdict::WithinNoise`], and count as reached if each
//! of three runs has them.

use std::fmt::{self, Write as _};

use crate::duel::{Contestant, Duel, duels};
use crate::format::{number, percent};
use crate::identity::Kind;
use crate::row::Row;

/// This part of a goal may be noise.
const NOISE: f64 = 0.98;
/// Runs in which the same noise is none.
const RUNS: usize = 3;

const FLOOR: f64 = 2.0 / 3.0;
const KERNEL_OF_ONE: f64 = 1.0 / 1.15;
const KERNEL: f64 = 1.0 / 1.05;
const CACHE: f64 = 0.9;

/// What a figure of ours is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// The best peer of the contest.
    Peer,
    /// What the core cannot get below, or the kernel that a call ends in.
    Floor,
    /// The same in cache.
    Cache,
}

impl fmt::Display for Against {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Peer => "the best peer",
            Self::Floor => "the floor",
            Self::Cache => "the rate in cache",
        })
    }
}

/// Whether a goal is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// No.
    Missed,
    /// By less than runs differ.
    WithinNoise,
    /// Yes.
    Met,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missed => "no",
            Self::WithinNoise => "within noise",
            Self::Met => "yes",
        })
    }
}

/// One goal of one contest, and what each run reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// The contest: `aes-128-ctr (sizes, 1 KiB)`.
    pub contest: String,
    /// What the ratio is to.
    pub against: Against,
    /// The least ratio that will do.
    pub least: f64,
    /// Our rate by that of the other side, for each run.
    pub reached: Vec<f64>,
    /// The other side of the last run.
    pub other: String,
}

impl Goal {
    /// The run in which least was reached.
    #[must_use]
    pub fn worst(&self) -> f64 {
        self.reached.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The other side without its version: `rustcrypto`, not its crates.
    #[must_use]
    pub fn rival(&self) -> String {
        let is_name = |word: &&str| !word.starts_with(|c: char| c.is_ascii_digit());
        let mut words: Vec<&str> = self.other.split_whitespace().take_while(is_name).collect();
        if words.first() == Some(&"rustcrypto") {
            words.truncate(1);
        }
        words.join(" ")
    }

    /// The verdict on all runs.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let worst = self.worst() / self.least;
        match () {
            () if worst >= 1.0 => Verdict::Met,
            () if worst < NOISE => Verdict::Missed,
            () if self.reached.len() >= RUNS => Verdict::Met,
            () => Verdict::WithinNoise,
        }
    }
}

/// Whether we are behind the best peer by more than noise.
#[must_use]
pub fn is_behind(duel: &Duel<'_>) -> bool {
    duel.ratio().is_some_and(|ratio| ratio < NOISE)
}

/// The goals that these runs tell something about, by contest.
#[must_use]
pub fn goals(runs: &[Vec<Row>]) -> Vec<Goal> {
    let mut goals: Vec<Goal> = Vec::new();
    for goal in runs.iter().flat_map(|rows| of_a_run(rows)) {
        let same =
            |other: &&mut Goal| (&other.contest, other.against) == (&goal.contest, goal.against);
        match goals.iter_mut().find(same) {
            Some(known) => {
                known.reached.extend(goal.reached);
                known.other = goal.other;
            }
            None => goals.push(goal),
        }
    }
    goals
}

fn of_a_run(rows: &[Row]) -> Vec<Goal> {
    let mut goals = Vec::new();
    let duels = duels(rows);
    for duel in &duels {
        let mut push = |against, least, reached: Option<f64>, other: String| {
            let (contest, reached) = (duel.to_string(), reached.map(|ratio| vec![ratio]));
            goals.extend(reached.map(|reached| Goal { contest, against, least, reached, other }));
        };
        let Some(ours) = duel.ours else { continue };
        let peer = duel.peer.map(|peer| peer.row.id.whose()).unwrap_or_default();
        push(Against::Peer, 1.0, duel.ratio(), peer);
        let share = ours.percent_of_floor().map(|percent| percent / 100.0);
        if !is_bound_by_memory(duel) {
            push(Against::Floor, floor(duel), share, String::new());
        }
        if duel.kind == Kind::Memory {
            push(Against::Cache, CACHE, of_cache(ours, rows), String::new());
        }
    }
    goals
}

fn floor(duel: &Duel<'_>) -> f64 {
    let block = |bytes| bytes <= 16 || duel.primitive.starts_with("threefish");
    match duel.kind {
        Kind::Calls if block(duel.bytes()) => KERNEL_OF_ONE,
        Kind::Calls => KERNEL,
        _ => FLOOR,
    }
}

/// Cycles a byte in cache below which a kernel is faster than the memory of one core.
const MEMORY: f64 = 0.4;

/// Whether memory, and not the floor of the kernel, bounds it.
fn is_bound_by_memory(duel: &Duel<'_>) -> bool {
    let floor = duel.ours.and_then(|ours| ours.row.floor_cpb);
    duel.kind == Kind::Memory && floor.is_some_and(|floor| floor < MEMORY)
}

/// The rate of data in memory by that of the same backend in cache, if that is slower than memory.
fn of_cache(memory: Contestant<'_>, rows: &[Row]) -> Option<f64> {
    let id = &memory.row.id;
    let cached = rows.iter().find(|row| {
        let other = &row.id;
        other.kind == Kind::Throughput
            && (&other.primitive, other.direction) == (&id.primitive, id.direction)
            && (&other.peer, &other.backend) == (&id.peer, &id.backend)
    })?;
    let cached = cached.cycles_per_byte().filter(|cycles| *cycles >= MEMORY)?;
    Some(cached / memory.row.cycles_per_byte()?)
}

/// How many goals of each kind are reached, and those that are not, the worst first, as Markdown.
#[must_use]
pub fn markdown(goals: &[Goal]) -> String {
    let mut text = String::new();
    for against in [Against::Peer, Against::Floor, Against::Cache] {
        let these: Vec<&Goal> = goals.iter().filter(|goal| goal.against == against).collect();
        if these.is_empty() {
            continue;
        }
        let count = |verdict| these.iter().filter(|goal| goal.verdict() == verdict).count();
        let mean = these.iter().map(|goal| goal.worst().ln()).sum::<f64>() / these.len() as f64;
        let _ = writeln!(
            text,
            "Against {against}: {} of {} rows reach their goal, {} more within noise; {} do not. The mean of the rows' \
             worst is {}.",
            count(Verdict::Met),
            these.len(),
            count(Verdict::WithinNoise),
            count(Verdict::Missed),
            number(mean.exp()),
        );
    }
    let open = unmet(goals);
    if !open.is_empty() {
        text.push_str(
            "\n| row | against | goal | reached | of the goal | |\n|---|---|--:|--:|--:|---|\n",
        );
    }
    for goal in open {
        let each: Vec<String> = goal.reached.iter().map(|reached| number(*reached)).collect();
        let (share, noise) = (percent(Some(100.0 * goal.worst() / goal.least)), goal.verdict());
        let against =
            if goal.other.is_empty() { goal.against.to_string() } else { goal.other.clone() };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {share} | {} |",
            goal.contest,
            against.replace('|', "\\|"),
            number(goal.least),
            each.join(", "),
            if noise == Verdict::WithinNoise { "within noise" } else { "" },
        );
    }
    text
}

/// Those that are not reached, the worst first.
#[must_use]
pub fn unmet(goals: &[Goal]) -> Vec<&Goal> {
    let mut open: Vec<&Goal> = goals.iter().filter(|goal| goal.verdict() != Verdict::Met).collect();
    open.sort_by(|a, b| (a.worst() / a.least).total_cmp(&(b.worst() / b.least)));
    open
}

#[cfg(test)]
mod tests;
