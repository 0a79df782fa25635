//! The tables and pictures of `docs/benchmarks.md`, and the table of the README. One command writes them, so that no figure is
//! typed.
//!
//! Tables stand between markers:
//!
//! ```text
//! <!-- bench:machines -->
//! ... replaced ...
//! <!-- /bench -->
//! ```
//!
//! The name `machines` stands for the tables of all machines of which runs are kept ([`crate::results`]), and `files` and `hashes` for
//! what the commands of these names measured on them. `file-goals` is what is most of interest of both. A marker is alone on its
//! line. Markers in indented or fenced code count too: do not show them there with a name.
//!
//! Each machine has a picture, a file in the folder [`PICTURES`] beside the page.

mod bounds;
mod file_goals;
mod files;
mod hashes;
mod tables;

pub use bounds::unmet;
pub use file_goals::file_goals;
pub use files::files;
pub use hashes::hashes;

use crate::Error;
use crate::goals::goals;
use crate::report::picture;
use crate::results::Results;

/// The folder of the pictures, beside the page that shows them.
pub const PICTURES: &str = "pictures";

const OPEN: &str = "<!-- bench:";
const CLOSE: &str = "<!-- /bench -->";

/// Replaces what stands between the markers of `text` by what `content` gives for the marker's name.
///
/// # Errors
/// If a marker has no partner, or `content` knows no such name. Nothing is replaced then.
pub fn replace(
    text: &str,
    mut content: impl FnMut(&str) -> Option<String>,
) -> Result<String, Error> {
    let mut output = String::with_capacity(text.len());
    let mut open: Option<(usize, &str)> = None;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let marker = |problem: String| Error::Marker { line: index + 1, problem };
        let trimmed = line.trim();
        let name =
            trimmed.strip_prefix(OPEN).and_then(|rest| rest.strip_suffix("-->")).map(str::trim);
        match (name, open) {
            (Some(name), None) => {
                let content =
                    content(name).ok_or_else(|| marker(format!("no table is called {name:?}")))?;
                open = Some((index + 1, name));
                output.push_str(line);
                output.push_str(content.trim_end());
                output.push('\n');
            }
            (Some(_), Some((at, first))) => {
                return Err(marker(format!(
                    "the table {first:?} of line {at} is not closed by {CLOSE}"
                )));
            }
            (None, None) if trimmed == CLOSE => {
                return Err(marker(format!("{CLOSE} without {OPEN}NAME -->")));
            }
            (None, Some(_)) if trimmed == CLOSE => {
                open = None;
                output.push_str(line);
            }
            (None, None) => output.push_str(line),
            (None, Some(_)) => {}
        }
    }
    match open {
        Some((line, name)) => {
            Err(Error::Marker { line, problem: format!("{name:?} is not closed by {CLOSE}") })
        }
        None => Ok(output),
    }
}

/// The content for a marker's name; `None` if the name means nothing.
#[must_use]
pub fn content(name: &str, results: &[Results]) -> Option<String> {
    let sections: Vec<String> = match name {
        "machines" => results.iter().map(tables::section).collect(),
        "files" => results.iter().map(|results| files(&results.files)).collect(),
        "file-goals" => vec![file_goals(results)],
        "hashes" => results.iter().map(|results| hashes(&results.hashes)).collect(),
        _ => return None,
    };
    let sections = sections.into_iter().filter(|section| !section.is_empty());
    Some(sections.collect::<Vec<_>>().join("\n"))
}

/// The picture of a machine, an SVG file; `None` if no row has a peer.
#[must_use]
pub fn picture(results: &Results) -> Option<String> {
    let machine = &results.runs.first()?.first()?.machine;
    picture::file(&goals(&results.runs), &format!("{}, {}", machine.cpu, machine.date))
}

/// The name of its file.
#[must_use]
pub fn picture_name(results: &Results) -> String {
    format!("{}.svg", results.machine)
}

#[cfg(test)]
mod tests;
