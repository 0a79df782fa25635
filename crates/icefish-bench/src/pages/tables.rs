//! The tables of one machine: a line a primitive, and the ratio to the best peer in each column. What is behind is bold,
//! and says behind whom.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::duel::{Duel, duels, figure};
use crate::format::{NOTHING, number, percent, size};
use crate::goals::{Against, Goal, Verdict, goals};
use crate::identity::{Direction, Kind};
use crate::results::Results;
use crate::row::Row;

/// Lengths of a message that have a column.
const LENGTHS: [u64; 9] = [16, 64, 256, 1024, 4096, 8192, 16_384, 65_536, 1 << 20];

/// The machine, what is to be said about its runs, and its tables.
pub(super) fn section(results: &Results) -> String {
    let mut goals = goals(&results.runs);
    let has_picture = super::picture(results).is_some();
    goals.retain(|goal| goal.against == Against::Peer);
    let Some(rows) = results.runs.first() else { return String::new() };
    let Some(row) = rows.first() else { return String::new() };
    let mut text = format!("### {}\n\n{}\n", cell(&row.machine.cpu), facts(row));
    if !results.note.trim().is_empty() {
        let _ = write!(text, "{}\n\n", results.note.trim());
    }
    let _ = write!(text, "{}\n\n", verdict(&goals, results.runs.len()));
    if has_picture {
        let (folder, file) = (super::PICTURES, super::picture_name(results));
        let _ = write!(text, "![Speed relative to the best peer]({folder}/{file})\n\n");
    }
    let ratios = Ratios(goals.iter().map(|goal| (goal.contest.as_str(), goal)).collect());
    let duels = duels(rows);
    text.push_str(&lengths(rows, &duels, &ratios));
    for table in [many(&duels, &ratios), besides(&duels, &ratios)].into_iter().flatten() {
        let _ = write!(text, "\n{table}");
    }
    text
}

fn facts(row: &Row) -> String {
    let m = &row.machine;
    format!(
        "{} cores, {} GHz measured; {}; {}; {}; `{}`\n",
        m.cores,
        number(m.clock_ghz),
        m.os,
        m.compiler,
        m.date,
        m.command
    )
}

/// How many rows are where.
fn verdict(goals: &[Goal], runs: usize) -> String {
    let count = |verdict| goals.iter().filter(|goal| goal.verdict() == verdict).count();
    let (behind, noise) = (count(Verdict::Missed), count(Verdict::WithinNoise));
    let all = goals.len();
    let least = match runs {
        1 => String::new(),
        runs => format!(" Of {runs} runs, the least ratio of each row is shown."),
    };
    format!(
        "{all} rows have a peer. In {} of them icefish is as fast as the best peer or faster, in {noise} it is behind by no more \
         than noise (a ratio of 0.98 or more), and in {behind} it is behind, in bold.{least}",
        all - behind - noise,
    )
}

/// Goals by contest.
struct Ratios<'a>(BTreeMap<&'a str, &'a Goal>);

impl Ratios<'_> {
    fn of(&self, duel: &Duel<'_>) -> String {
        let Some(goal) = self.0.get(duel.to_string().as_str()) else { return NOTHING.to_owned() };
        let ratio = format!("{}x", number(goal.worst()));
        match goal.verdict() {
            Verdict::Missed => format!("**{ratio} {}**", cell(&goal.rival())),
            _ => ratio,
        }
    }
}

/// One message at a time, by its length: the first table.
fn lengths(rows: &[Row], duels: &[Duel<'_>], ratios: &Ratios<'_>) -> String {
    let kinds = [Kind::Latency, Kind::Throughput, Kind::Sizes];
    let mut names: Vec<(&str, Option<Direction>)> = Vec::new();
    for duel in duels.iter().filter(|duel| kinds.contains(&duel.kind)) {
        if !names.contains(&(duel.primitive, duel.direction)) {
            names.push((duel.primitive, duel.direction));
        }
    }
    // As the run has them, not by kind; both directions together.
    names.sort_by_key(|(primitive, direction)| {
        (rows.iter().position(|row| row.id.primitive == *primitive), *direction)
    });
    let mut heading: Vec<String> =
        ["", "in cache", "of floor", "ratio", "one block", "ratio"].map(str::to_owned).to_vec();
    heading.extend(LENGTHS.map(size));
    let mut lines = vec![heading];
    for name in names {
        let find = |kind: Kind, bytes: Option<u64>| {
            duels.iter().find(|duel| {
                (duel.kind, (duel.primitive, duel.direction)) == (kind, name)
                    && bytes.is_none_or(|bytes| duel.bytes() == bytes)
            })
        };
        let (bulk, one) = (find(Kind::Throughput, None), find(Kind::Latency, None));
        let ours = |duel: Option<&Duel<'_>>| {
            let ours = duel.and_then(|duel| Some(figure(duel.kind, duel.ours?)));
            ours.unwrap_or_else(|| NOTHING.to_owned())
        };
        let ratio = |duel: Option<&Duel<'_>>| {
            duel.map_or_else(|| NOTHING.to_owned(), |duel| ratios.of(duel))
        };
        let floor = bulk.and_then(|duel| duel.ours?.percent_of_floor());
        let mut line = vec![label(name.0, name.1), ours(bulk), percent(floor), ratio(bulk)];
        line.extend([ours(one), ratio(one)]);
        line.extend(LENGTHS.map(|bytes| ratio(find(Kind::Sizes, Some(bytes)))));
        lines.push(line);
    }
    table(lines)
}

/// Many messages in one call: a line for each number of them.
fn many(duels: &[Duel<'_>], ratios: &Ratios<'_>) -> Option<String> {
    const LENGTHS: [u64; 6] = [16, 64, 256, 1024, 4096, 16_384];
    let duels: Vec<&Duel<'_>> = duels.iter().filter(|duel| duel.kind == Kind::Many).collect();
    let mut heading = vec!["many messages in one call".to_owned(), "number".to_owned()];
    heading.extend(LENGTHS.map(size));
    heading.push("mixed".to_owned());
    let columns = heading.len();
    let mut lines = vec![heading];
    for duel in &duels {
        let rate = duel.ours.and_then(|ours| ours.row.gb_per_s());
        let rate = rate.map_or_else(|| NOTHING.to_owned(), |rate| format!("{} GB/s", number(rate)));
        let figure = format!("{rate}, {}", ratios.of(duel));
        let name = [label(duel.primitive, duel.direction), duel.messages().to_string()];
        let at = lines.iter().position(|line| line[..2] == name).unwrap_or_else(|| {
            let mut line = name.to_vec();
            line.resize(columns, NOTHING.to_owned());
            lines.push(line);
            lines.len() - 1
        });
        match LENGTHS.iter().position(|bytes| *bytes == duel.bytes()) {
            Some(column) => lines[at][2 + column] = figure,
            None => lines[at][columns - 1] = format!("{figure} ({})", size(duel.bytes())),
        }
    }
    (!duels.is_empty()).then(|| table(lines))
}

/// What is in neither of the others: memory, threads, and lengths that are no column.
fn besides(duels: &[Duel<'_>], ratios: &Ratios<'_>) -> Option<String> {
    let heading = ["", "where", "bytes", "icefish", "backend", "ratio"];
    let mut lines = vec![heading.map(str::to_owned).to_vec()];
    for duel in duels {
        let place = match duel.kind {
            Kind::Threads => "on all cores",
            Kind::Memory => "from memory",
            Kind::Sizes if !LENGTHS.contains(&duel.bytes()) => "one message",
            _ => continue,
        };
        let nothing = || NOTHING.to_owned();
        lines.push(vec![
            label(duel.primitive, duel.direction),
            place.to_owned(),
            size(duel.bytes()),
            duel.ours.map_or_else(nothing, |ours| figure(duel.kind, ours)),
            duel.ours.map_or_else(nothing, |ours| cell(&ours.row.id.backend)),
            ratios.of(duel),
        ]);
    }
    (lines.len() > 1).then(|| table(lines))
}

fn label(primitive: &str, direction: Option<Direction>) -> String {
    let direction = direction.map_or(String::new(), |direction| format!(", {direction}"));
    cell(&format!("{primitive}{direction}"))
}

/// The first line is the heading; all columns but the first hold figures. Those without any are left out.
fn table(mut lines: Vec<Vec<String>>) -> String {
    for column in (1..lines.first().map_or(0, Vec::len)).rev() {
        if lines.iter().skip(1).all(|line| line[column] == NOTHING) {
            lines.iter_mut().for_each(|line| drop(line.remove(column)));
        }
    }
    let mut text = String::new();
    for (i, line) in lines.iter().enumerate() {
        let _ = writeln!(text, "| {} |", line.join(" | "));
        if i == 0 {
            let _ = writeln!(text, "|---{}|", "|--:".repeat(line.len() - 1));
        }
    }
    text
}

/// A bar would end the cell, and a line feed the table.
pub(super) fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
