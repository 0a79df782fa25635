//! Throughput over message size: a line for each code, both axes logarithmic.

use std::fmt::Write as _;

use super::html::escape;
use super::label;
use super::scale::{Log, above, below, ticks};
use crate::format::{number, size};
use crate::identity::Kind;
use crate::row::Row;

/// The drawing is this wide in its own units; a phone shows it slightly smaller, a desk slightly larger.
const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 46.0;
/// Half a label of the last size stands beyond it.
const RIGHT: f64 = WIDTH - 24.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = HEIGHT - 28.0;

/// Colours of the style sheet (`c0` to `c7`); further lines repeat them dashed.
const COLOURS: usize = 8;

struct Series {
    label: String,
    ours: bool,
    class: String,
    /// Bytes of the message, and GB/s.
    points: Vec<(f64, f64)>,
}

/// The plot and its legend; `None` if no row has this kind.
pub(super) fn plot(rows: &[&Row]) -> Option<String> {
    let series = series(rows);
    let points = || series.iter().flat_map(|s| s.points.iter().copied());
    let range = |f: fn((f64, f64)) -> f64| {
        points().map(f).fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)))
    };
    points().next()?;
    let ((x_low, x_high), (y_low, y_high)) = (range(|p| p.0), range(|p| p.1));
    // One size alone, or one rate, still needs an axis of some length.
    let (x_low, x_high) =
        if x_low < x_high { (x_low, x_high) } else { (x_low / 2.0, x_high * 2.0) };
    let (y_low, y_high) = (below(y_low), above(y_high));
    let (y_low, y_high) =
        if y_low < y_high { (y_low, y_high) } else { (y_low / 2.0, y_high * 2.0) };
    let x = Log::new((x_low, x_high), (LEFT + 6.0, RIGHT - 6.0));
    let y = Log::new((y_low, y_high), (BOTTOM, TOP));

    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"GB/s over message size\">\n"
    );
    let _ = writeln!(svg, "<text class=\"unit\" x=\"4\" y=\"14\">GB/s</text>");
    for tick in ticks(y_low, y_high) {
        let place = y.place(tick);
        let _ = writeln!(svg, "<path class=\"grid\" d=\"M{LEFT} {place:.1}H{RIGHT}\"/>");
        let (at, text) = (LEFT - 6.0, trimmed(tick));
        let _ =
            writeln!(svg, "<text class=\"end\" x=\"{at}\" y=\"{:.1}\">{text}</text>", place + 4.0);
    }
    for bytes in sizes(x_low, x_high) {
        let (place, text) = (x.place(bytes), size(bytes as u64));
        let _ = writeln!(svg, "<path class=\"grid\" d=\"M{place:.1} {TOP}V{BOTTOM}\"/>");
        let _ = writeln!(
            svg,
            "<text class=\"mid\" x=\"{place:.1}\" y=\"{:.1}\">{text}</text>",
            BOTTOM + 18.0
        );
    }
    // Peers first: our lines lie on top.
    for series in series.iter().filter(|s| !s.ours).chain(series.iter().filter(|s| s.ours)) {
        draw(&mut svg, series, &x, &y);
    }
    svg.push_str("</svg>\n");
    Some(svg + &legend(&series))
}

fn series(rows: &[&Row]) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    let rows = rows.iter().filter(|row| row.id.kind == Kind::Sizes && row.id.bytes > 0);
    for (row, rate) in rows.filter_map(|row| Some((row, row.gb_per_s()?))) {
        let (label, ours) = (label(row), row.id.is_ours());
        let at = all.iter().position(|s| s.label == label).unwrap_or_else(|| {
            all.push(Series { label, ours, class: String::new(), points: Vec::new() });
            all.len() - 1
        });
        all[at].points.push((row.id.bytes as f64, rate));
    }
    for series in &mut all {
        series.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    // By the rate for the largest message: the legend reads as the lines end.
    all.sort_by(|a, b| {
        b.points.last().map_or(0.0, |p| p.1).total_cmp(&a.points.last().map_or(0.0, |p| p.1))
    });
    all.sort_by_key(|s| !s.ours);
    let ours = all.iter().filter(|s| s.ours).count();
    for (i, series) in all.iter_mut().enumerate() {
        series.class =
            if series.ours { format!("ours c0 d{}", i.min(3)) } else { peer_class(i - ours) };
    }
    all
}

/// The first colour is ours.
fn peer_class(i: usize) -> String {
    format!("c{} d{}", 1 + i % (COLOURS - 1), (i / (COLOURS - 1)).min(3))
}

fn draw(svg: &mut String, series: &Series, x: &Log, y: &Log) {
    let _ = writeln!(svg, "<g class=\"{}\">", series.class);
    let mut path = String::new();
    for (i, (bytes, rate)) in series.points.iter().enumerate() {
        let command = if i == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{command}{:.1} {:.1}", x.place(*bytes), y.place(*rate));
    }
    let _ = writeln!(svg, "<path class=\"line\" d=\"{path}\"/>");
    for (bytes, rate) in &series.points {
        let (cx, cy) = (x.place(*bytes), y.place(*rate));
        let _ = writeln!(
            svg,
            "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"3\"><title>{}, {}: {} GB/s</title></circle>",
            escape(&series.label),
            size(*bytes as u64),
            number(*rate)
        );
    }
    svg.push_str("</g>\n");
}

fn legend(series: &[Series]) -> String {
    let mut text = String::from("<ul class=\"legend\">\n");
    for s in series {
        let _ = writeln!(
            text,
            "<li><svg viewBox=\"0 0 24 10\" aria-hidden=\"true\"><g class=\"{}\"><path class=\"line\" d=\"M1 5H23\"/></g></svg>{}</li>",
            s.class,
            escape(&s.label)
        );
    }
    text.push_str("</ul>\n");
    text
}

/// At most six powers of two within the range, evenly spaced.
fn sizes(low: f64, high: f64) -> Vec<f64> {
    let (first, last) = (low.log2().ceil() as i32, high.log2().floor() as i32);
    let step = (1 + (last - first).max(0) / 6).max(1);
    (first..=last).step_by(step as usize).map(|e| 2_f64.powi(e)).collect()
}

/// A tick without the zeros that [`number`] would give it.
fn trimmed(tick: f64) -> String {
    format!("{:.6}", tick).trim_end_matches('0').trim_end_matches('.').to_owned()
}
