//! All rows at a glance: the ratio to the best peer, a dot a row, sorted, with a line at 1; the worst have their names.

use std::fmt::Write as _;

use super::html::escape;
use super::scale::{Log, above, below, ticks};
use crate::format::number;
use crate::goals::{Against, Goal, Verdict};

const WIDTH: f64 = 1128.0;
const HEIGHT: f64 = 540.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = WIDTH - 12.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = HEIGHT - 16.0;

const LABEL: &str = "ratio to the best peer, sorted";

/// Names of the worst, and the height of one.
const NAMES: usize = 10;
const STEP: f64 = 17.0;
/// Width of the longest name.
const NAME: f64 = 440.0;

/// Height of the heading and the caption of a picture that is a file.
const HEADING: f64 = 56.0;

/// A figure of an HTML page: the caption and the picture; `None` if no row has a peer.
pub(super) fn figure(goals: &[Goal]) -> Option<String> {
    let goals = sorted(goals)?;
    Some(format!(
        "<figure class=\"wide\">\n<figcaption>{}</figcaption>\n\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{LABEL}\">\n{}</svg>\n</figure>\n",
        caption(&goals),
        drawing(&goals)
    ))
}

/// A file of its own: the heading, the caption and the picture; `None` if no row has a peer.
pub(crate) fn file(goals: &[Goal], heading: &str) -> Option<String> {
    let goals = sorted(goals)?;
    let (top, height) = (-HEADING, HEIGHT + HEADING);
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 {top} {WIDTH} {height}\" role=\"img\" aria-label=\"{LABEL}\">\n\
         <style>\n{}</style>\n<rect class=\"page\" y=\"{top}\" width=\"{WIDTH}\" height=\"{height}\"/>\n\
         <text class=\"heading\" x=\"{LEFT}\" y=\"-32\">{}</text>\n<text x=\"{LEFT}\" y=\"-10\">{}</text>\n{}</svg>\n",
        include_str!("picture.css"),
        escape(heading),
        caption(&goals),
        drawing(&goals)
    ))
}

/// The goals that have a dot, the worst first.
fn sorted(goals: &[Goal]) -> Option<Vec<&Goal>> {
    let mut goals: Vec<&Goal> =
        goals.iter().filter(|goal| goal.against == Against::Peer && goal.worst() > 0.0).collect();
    goals.sort_by(|a, b| a.worst().total_cmp(&b.worst()));
    (!goals.is_empty()).then_some(goals)
}

/// What is within the `svg` element; there is at least one goal.
fn drawing(goals: &[&Goal]) -> String {
    let (worst, best) = (goals[0].worst(), goals[goals.len() - 1].worst());
    let names = NAMES.min(goals.len());
    let high = above(best.max(2.0));
    // Room for the names below the line at 1 and beyond the rows that are behind: no dot is there.
    let share = (STEP * NAMES as f64 + 20.0) / (BOTTOM - TOP);
    let low = below(worst.min(high.powf(-share / (1.0 - share))));
    let ahead = goals.iter().position(|goal| goal.worst() >= 1.0).unwrap_or(goals.len());
    let x = |i: usize| LEFT + 8.0 + (RIGHT - LEFT - 16.0) * i as f64 / goals.len() as f64;
    let y = Log::new((low, high), (BOTTOM, TOP));
    let mut svg = String::new();
    for tick in ticks(low, high).into_iter().filter(|tick| (tick - 1.0).abs() > 0.01) {
        line(&mut svg, "grid", y.place(tick), &number(tick));
    }
    line(&mut svg, "one", y.place(1.0), "1");
    for (i, goal) in goals.iter().enumerate().take(names) {
        // The worst at the bottom: so lines to the names do not cross.
        let text_x = (x(ahead) + 30.0).clamp(x(0) + 120.0, RIGHT - NAME);
        let text_y = BOTTOM - 4.0 - STEP * i as f64;
        let _ = writeln!(
            svg,
            "<path class=\"lead\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/><text x=\"{text_x:.1}\" y=\"{text_y:.1}\">{}</text>",
            x(i),
            y.place(goal.worst()),
            text_x - 4.0,
            text_y - 4.0,
            escape(&name(goal))
        );
    }
    for (i, goal) in goals.iter().enumerate() {
        let class = match goal.verdict() {
            Verdict::Missed => "behind",
            Verdict::WithinNoise => "noise",
            Verdict::Met => "ahead",
        };
        let _ = writeln!(
            svg,
            "<circle class=\"{class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\"><title>{}x {}: {}</title></circle>",
            x(i),
            y.place(goal.worst()),
            number(goal.worst()),
            escape(&goal.contest),
            escape(&goal.other)
        );
    }
    svg
}

fn caption(goals: &[&Goal]) -> String {
    let count = |verdict| goals.iter().filter(|goal| goal.verdict() == verdict).count();
    format!(
        "Speed relative to the best peer, one dot for each row: of {} rows, {} at 1 or more, {} within noise, {} behind",
        goals.len(),
        count(Verdict::Met),
        count(Verdict::WithinNoise),
        count(Verdict::Missed)
    )
}

fn name(goal: &Goal) -> String {
    format!("{}x {}: {}", number(goal.worst()), goal.contest, goal.rival())
}

fn line(svg: &mut String, class: &str, y: f64, text: &str) {
    let _ = writeln!(
        svg,
        "<path class=\"{class}\" d=\"M{LEFT} {y:.1}H{RIGHT}\"/><text class=\"end\" x=\"{}\" y=\"{:.1}\">{text}</text>",
        LEFT - 6.0,
        y + 4.0
    );
}
