//! Bars: one for each implementation, ours beside the peers, the best at the top. Each has its name above it, so that long
//! names fit a phone.

use std::fmt::Write as _;

use super::html::escape;
use super::label;
use crate::format::{number, size};
use crate::identity::Kind;
use crate::measure::Metric;
use crate::row::Row;

const WIDTH: f64 = 440.0;
/// Height of a name and its bar.
const STEP: f64 = 34.0;
const BAR: f64 = 10.0;
/// More names than these are for the table of all rows.
const MOST: usize = 16;

struct Bar {
    name: String,
    hint: String,
    value: f64,
    text: String,
    floor: Option<f64>,
    ours: bool,
}

/// The plot; `None` if no row has something of this kind.
pub(super) fn plot(kind: Kind, rows: &[&Row]) -> Option<String> {
    let results =
        rows.iter().flat_map(|row| row.results().map(|(kind, metric)| (*row, kind, metric)));
    let results: Vec<(&Row, &Metric)> =
        results.filter(|(_, k, _)| *k == kind).map(|(row, _, metric)| (row, metric)).collect();
    let several = results.iter().any(|(row, _)| row.id.bytes != results[0].0.id.bytes);
    let latency = kind == Kind::Latency;
    let mut bars: Vec<Bar> = results
        .iter()
        .filter_map(|(row, metric)| {
            if latency { time_bar(row, metric, several) } else { rate_bar(row, metric, several) }
        })
        .collect();
    bars.sort_by(
        |a, b| if latency { a.value.total_cmp(&b.value) } else { b.value.total_cmp(&a.value) },
    );
    bars.truncate(MOST);
    let longest = bars.iter().map(|bar| bar.value).fold(0.0, f64::max);
    (longest > 0.0)
        .then(|| draw(&bars, longest, if latency { "less is better" } else { "more is better" }))
}

fn time_bar(row: &Row, metric: &Metric, several: bool) -> Option<Bar> {
    let bytes = row.id.bytes as f64;
    // With a throughput in the row, the floor is the throughput's.
    let floor = row.floor_cpb.filter(|_| row.throughput.is_none() && metric.clock_ghz > 0.0);
    Some(Bar {
        name: name(row, several),
        hint: row.id.name.clone(),
        value: metric.ns.low,
        text: format!("{} ns \u{b7} {} cycles", number(metric.ns.low), number(metric.cycles.low)),
        floor: floor.map(|cpb| cpb * bytes / metric.clock_ghz),
        ours: row.id.is_ours(),
    })
}

fn rate_bar(row: &Row, metric: &Metric, several: bool) -> Option<Bar> {
    let (rate, cpb) = (row.gb_per_s()?, row.cycles_per_byte()?);
    let floor = row.floor_cpb.filter(|cpb| *cpb > 0.0);
    Some(Bar {
        name: name(row, several),
        hint: row.id.name.clone(),
        value: rate,
        text: format!("{} GB/s \u{b7} {} cpb", number(rate), number(cpb)),
        floor: floor.map(|cpb| metric.clock_ghz / cpb),
        ours: row.id.is_ours(),
    })
}

fn name(row: &Row, several: bool) -> String {
    if several { format!("{}, {}", label(row), size(row.id.bytes)) } else { label(row) }
}

fn draw(bars: &[Bar], longest: f64, better: &str) -> String {
    let floors = bars.iter().filter_map(|bar| bar.floor);
    let end = floors.fold(longest, f64::max);
    let height = STEP * bars.len() as f64 + 4.0;
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"bars, {better}\">\n"
    );
    for (i, bar) in bars.iter().enumerate() {
        let top = STEP * i as f64;
        let (baseline, bar_top) = (top + 15.0, top + 20.0);
        // A bar shorter than its rounding would not be seen.
        let length = (bar.value / end * (WIDTH - 4.0)).max(2.0);
        let class = if bar.ours { "bar ours" } else { "bar" };
        let _ = writeln!(
            svg,
            "<g class=\"{class}\"><title>{}: {}</title>\n\
             <text x=\"0\" y=\"{baseline}\">{}</text><text class=\"end\" x=\"{WIDTH}\" y=\"{baseline}\">{}</text>\n\
             <rect x=\"0\" y=\"{bar_top}\" width=\"{length:.1}\" height=\"{BAR}\" rx=\"2\"/></g>",
            escape(&bar.hint),
            escape(&bar.text),
            escape(&shortened(&bar.name, bar.text.chars().count())),
            escape(&bar.text),
        );
        if let Some(floor) = bar.floor {
            let x = floor / end * (WIDTH - 4.0);
            let _ = writeln!(
                svg,
                "<path class=\"floor\" d=\"M{x:.1} {:.1}v{:.1}\"><title>floor</title></path>",
                bar_top - 2.0,
                BAR + 4.0
            );
        }
    }
    svg.push_str("</svg>\n");
    let floor = if bars.iter().any(|bar| bar.floor.is_some()) {
        "; the upright mark is the floor"
    } else {
        ""
    };
    let _ = writeln!(svg, "<p class=\"note\">{better}{floor}</p>");
    svg
}

/// Cuts a name that would run into the figures beside it; 52 characters fit a line.
fn shortened(name: &str, taken: usize) -> String {
    let most = 52_usize.saturating_sub(taken + 2).max(8);
    if name.chars().count() <= most {
        return name.to_owned();
    }
    let mut short: String = name.chars().take(most - 1).collect();
    short.push('\u{2026}');
    short
}
