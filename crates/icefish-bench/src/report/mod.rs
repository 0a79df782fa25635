//! One self-contained HTML page: a picture of all ratios, what is behind, plots, all rows. No script, no font, no picture is loaded.
//!
//! The plots are SVG written here instead of by a library, because their colours come from the page's style
//! sheet (so that they follow the reader's light or dark setting) and their text must stay readable when a
//! phone scales them down.

mod bars;
mod html;
mod lines;
pub(crate) mod picture;
mod scale;
mod tables;

use std::fmt::Write as _;

use crate::duel::duels;
use crate::goals::goals;
use crate::identity::{Direction, Kind};
use crate::row::Row;
use html::escape;

/// What the page shows.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// Heading and title.
    pub title: &'a str,
    /// The results, in the order in which primitives shall appear.
    pub rows: &'a [Row],
}

impl Page<'_> {
    /// The page as one string.
    #[must_use]
    pub fn to_html(&self) -> String {
        let primitives = primitives(self.rows);
        let mut page = String::new();
        let title = escape(self.title);
        let _ = write!(
            page,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
             <style>\n{}{}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n",
            include_str!("picture.css"),
            include_str!("style.css")
        );
        let goals = goals(&[self.rows.to_vec()]);
        page.push_str(&picture::figure(&goals).unwrap_or_default());
        page.push_str(&tables::machine(self.rows));
        page.push_str(READING);
        push_section(&mut page, "goals", "Goals that are not reached", tables::unmet(&goals));
        page.push_str(&contents(&primitives, self.rows));
        for (i, primitive) in primitives.iter().enumerate() {
            section(&mut page, i, primitive, self.rows);
        }
        push_section(&mut page, "openssl-speed", "A second opinion", tables::opinions(self.rows));
        push_section(&mut page, "code", "Machine code", tables::code(self.rows));
        if !self.rows.is_empty() {
            let _ = write!(
                page,
                "<h2 id=\"rows\">All rows</h2>\n<details>\n<summary>{} rows</summary>\n{}</details>\n",
                self.rows.iter().filter(|row| row.id.kind.is_contest()).count(),
                tables::all(self.rows)
            );
        }
        page.push_str("</main>\n</body>\n</html>\n");
        page
    }
}

const READING: &str = "<p class=\"note\">Times and cycles are lower quartiles of many samples of about 150 µs; \
    the core clock is measured before and after each. <em>Latency</em> is one operation that waits for the \
    one before; <em>throughput</em> is many side by side. GB/s is 10⁹ bytes a second, cpb core cycles a byte. \
    The <em>floor</em> is what this core's ports or latencies allow at best. Ratios are of wall time at the usual clock. \
    A run is several processes, of which the best counts.</p>\n";

fn push_section(page: &mut String, id: &str, heading: &str, text: Option<String>) {
    if let Some(text) = text {
        let _ = writeln!(page, "<h2 id=\"{id}\">{heading}</h2>\n{text}");
    }
}

fn primitives(rows: &[Row]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for row in rows.iter().filter(|row| row.id.kind.is_contest()) {
        if !names.contains(&row.id.primitive.as_str()) {
            names.push(&row.id.primitive);
        }
    }
    names
}

fn contents(primitives: &[&str], rows: &[Row]) -> String {
    if primitives.len() < 2 {
        return String::new();
    }
    let mut text = String::from("<nav>");
    for (i, primitive) in primitives.iter().enumerate() {
        let _ = write!(text, "<a href=\"#p{i}\">{}</a> ", escape(primitive));
    }
    for (kind, link) in [
        (Kind::Check, "<a href=\"#openssl-speed\">a second opinion</a> "),
        (Kind::Code, "<a href=\"#code\">machine code</a> "),
    ] {
        if rows.iter().any(|row| row.id.kind == kind) {
            text.push_str(link);
        }
    }
    text.push_str("<a href=\"#rows\">all rows</a></nav>\n");
    text
}

fn section(page: &mut String, index: usize, primitive: &str, rows: &[Row]) {
    let rows: Vec<Row> = rows.iter().filter(|row| row.id.primitive == primitive).cloned().collect();
    let _ = writeln!(page, "<section>\n<h2 id=\"p{index}\">{}</h2>", escape(primitive));
    let (sizes, other): (Vec<_>, Vec<_>) =
        duels(&rows).into_iter().partition(|duel| duel.kind == Kind::Sizes);
    if !other.is_empty() {
        page.push_str(&tables::duels(&other));
    }
    page.push_str("<div class=\"figures\">\n");
    for kind in Kind::ALL {
        for direction in [None, Some(Direction::Encrypt), Some(Direction::Decrypt)] {
            let rows: Vec<&Row> = rows.iter().filter(|row| row.id.direction == direction).collect();
            let plot =
                if kind == Kind::Sizes { lines::plot(&rows) } else { bars::plot(kind, &rows) };
            if let Some(plot) = plot {
                let direction = direction.map(|d| format!(", {d}")).unwrap_or_default();
                let caption = format!("{primitive}{direction}: {}", lower_first(kind.title()));
                let _ = writeln!(
                    page,
                    "<figure>\n<figcaption>{}</figcaption>\n{plot}</figure>",
                    escape(&caption)
                );
            }
        }
    }
    page.push_str("</div>\n");
    if !sizes.is_empty() {
        let table = tables::sizes(&sizes);
        let _ = write!(
            page,
            "<details>\n<summary>Figures for each message size</summary>\n{table}</details>\n"
        );
    }
    page.push_str("</section>\n");
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

/// Whose code a mark stands for: `icefish avx512 x8`, `OpenSSL 4.0`.
fn label(row: &Row) -> String {
    let id = &row.id;
    let mut text = if id.is_ours() { format!("{} {}", id.peer, id.backend) } else { id.whose() };
    text.truncate(text.trim_end().len());
    if id.parallelism > 1 {
        let _ = write!(text, " x{}", id.parallelism);
    }
    text
}

#[cfg(test)]
mod tests;
