//! Runs that are kept: `bench-results/<machine>/<date>.csv`.
//!
//! Runs of the same day on the same machine are `<date>-2.csv` and so on. A file `<date>.md` beside them is a note that
//! belongs to their figures. What `icefish-bench files` and `hashes` measured are `<date>-files.csv` and
//! `<date>-hashes.csv`. Whatever else lies there, such as runs with `--as`, has no tables.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::row::{self, Row};

/// The runs of the newest day on one machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// The name of the machine: that of its folder.
    pub machine: String,
    /// Their rows, the first run first, and each has rows; none if only files or hashes were measured.
    pub runs: Vec<Vec<Row>>,
    /// What has to be said about them, as Markdown; empty if nothing.
    pub note: String,
    /// What was measured of files, on the newest day of those; empty if nothing.
    pub files: Vec<Row>,
    /// The same for hashes.
    pub hashes: Vec<Row>,
}

/// The results of each machine in a folder, by the machine's name.
///
/// # Errors
/// If something cannot be read, or there are no runs at all.
pub fn read(folder: &Path) -> Result<Vec<Results>, Error> {
    let mut machines = entries(folder)?;
    machines.retain(|path| path.is_dir());
    let found = machines.iter().map(|machine| newest(machine));
    let found: Vec<Results> = found.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    if found.is_empty() { Err(Error::NoRuns { folder: folder.to_owned() }) } else { Ok(found) }
}

fn newest(machine: &Path) -> Result<Option<Results>, Error> {
    let all = entries(machine)?;
    // By their names, so by their days.
    let last = |of: &str| {
        let path = all.iter().rfind(|path| is_of(of, path));
        path.map_or_else(|| Ok(Vec::new()), |path| row::read_csv(path))
    };
    let (files, hashes) = (last("files")?, last("hashes")?);
    let mut runs: Vec<(Run, PathBuf)> =
        all.into_iter().filter_map(|path| Some((run(&path)?, path))).collect();
    runs.sort();
    let day = runs.last().map(|(run, _)| run.0.clone()).unwrap_or_default();
    runs.retain(|(run, _)| run.0 == day);
    let rows = runs.iter().map(|(_, path)| row::read_csv(path));
    let mut rows = rows.collect::<Result<Vec<_>, _>>()?;
    rows.retain(|rows| !rows.is_empty());
    let note = machine.join(format!("{day}.md"));
    let note = if note.exists() {
        fs::read_to_string(&note).map_err(Error::io(&note))?
    } else {
        String::new()
    };
    let machine = machine.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_empty = rows.is_empty() && files.is_empty() && hashes.is_empty();
    Ok((!is_empty).then_some(Results { machine, runs: rows, note, files, hashes }))
}

/// Whether it is `<date>-<command>.csv`.
fn is_of(command: &str, path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let day =
        name.and_then(|name| name.strip_suffix(".csv")?.strip_suffix(command)?.strip_suffix('-'));
    day.is_some_and(|day| run(Path::new(&format!("{day}.csv"))).is_some_and(|run| run.0 == day))
}

/// Day and number.
type Run = (String, u32);

/// What a file is by its name, if it is a run.
fn run(path: &Path) -> Option<Run> {
    let name = path.file_name()?.to_str()?.strip_suffix(".csv")?;
    let (day, rest) = name.split_at_checked("2026-11-22".len())?;
    let number = if rest.is_empty() { 1 } else { rest.strip_prefix('-')?.parse().ok()? };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = day.split('-').collect();
    let lengths = parts.iter().map(|part| part.len()).eq([4, 2, 2]);
    (lengths && parts.into_iter().all(digits)).then(|| (day.to_owned(), number))
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(folder).map_err(Error::io(folder))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<Result<Vec<_>, _>>().map_err(Error::io(folder))?;
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn runs_are_days_with_a_number() {
        let named = |name: &str| run(Path::new(name));
        assert_eq!(named("a/2026-11-22.csv"), Some(("2026-11-22".into(), 1)));
        assert_eq!(named("2026-11-22-12.csv"), Some(("2026-11-22".into(), 12)));
        for name in
            ["2026-11-22.md", "2026-11-22-as-avx2.csv", "2026-1-22.csv", "peers.csv", "é.csv"]
        {
            assert_eq!(named(name), None, "{name}");
        }
        for name in
            ["20261-1-22.csv", "2026-11-22x.csv", "2026-11-2x.csv", ".csv", "2026-11-22-.csv"]
        {
            assert_eq!(named(name), None, "{name}");
        }
    }

    #[test]
    fn runs_of_files_are_days() {
        assert!(is_of("files", Path::new("a/2026-11-22-files.csv")));
        assert!(is_of("hashes", Path::new("a/2026-11-22-hashes.csv")));
        for name in [
            "2026-11-22.csv",
            "2026-11-22-2-files.csv",
            "2026-11-22-hashes.csv",
            "files.csv",
            "2026-11-22-files.md",
        ] {
            assert!(!is_of("files", Path::new(name)), "{name}");
        }
    }

    #[test]
    fn of_each_machine_the_newest_day_counts() {
        let folder = std::env::temp_dir().join(format!("icefish-results-{}", std::process::id()));
        let write = |path: &str, ns: f64| {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            row::write_csv(&path, &[samples::row("a", "icefish", 16, 1.0, ns)]).unwrap();
        };
        fs::create_dir_all(folder.join("empty")).unwrap();
        assert!(read(&folder).unwrap_err().to_string().contains("icefish-results-"));
        write("b/2026-11-22.csv", 1.0);
        write("b/2026-12-01-2.csv", 3.0);
        write("b/2026-12-01.csv", 2.0);
        write("b/2026-12-01-as-avx2.csv", 9.0);
        write("b/2026-11-30-files.csv", 6.0);
        write("b/2026-11-29-files.csv", 5.0);
        write("a/2025-01-01.csv", 4.0);
        write("c/2026-11-29-files.csv", 7.0);
        fs::write(folder.join("a/2025-01-01.md"), "old\n").unwrap();
        let results = read(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        let figures: Vec<Vec<f64>> = results
            .iter()
            .map(|r| r.runs.iter().map(|rows| rows[0].throughput_ns().unwrap()).collect())
            .collect();
        assert_eq!(figures, [vec![4.0], vec![2.0, 3.0], vec![]]);
        assert!(results[0].files.is_empty());
        assert_eq!(results[1].files[0].throughput_ns(), Some(6.0));
        // Only files were measured there.
        assert_eq!(results[2].files[0].throughput_ns(), Some(7.0));
        assert_eq!((results[0].machine.as_str(), results[1].machine.as_str()), ("a", "b"));
        assert_eq!((results[0].note.as_str(), results[1].note.as_str()), ("old\n", ""));
    }
}
