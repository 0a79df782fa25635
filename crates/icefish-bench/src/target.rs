//! Goals set beforehand, and what was reached.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Error;

/// Which side of the target is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// Times, cycles: the target or less.
    AtMost,
    /// Rates, ratios: the target or more.
    AtLeast,
}

/// One goal; `target`, `reached` and `best_peer` are in the unit that `metric` names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Target {
    /// Short and unique: `threefish-1024-bulk`.
    pub id: String,
    /// The part of the project: `Threefish`.
    pub issue_area: String,
    /// What is measured, for a reader.
    pub description: String,
    /// The unit: `cycles/byte`, `ns`, `cycles`, `x RustCrypto`.
    pub metric: String,
    /// Which side of the target is good.
    pub goal: Goal,
    /// The goal.
    pub target: f64,
    /// What we measured, if we did.
    pub reached: Option<f64>,
    /// What the best peer reaches, if there is one.
    pub best_peer: Option<f64>,
    /// Which peer that is.
    pub best_peer_name: String,
    /// Whether the goal is reached; `None` if not measured.
    pub met: Option<bool>,
}

impl Target {
    /// A goal that nothing was measured for yet.
    pub fn new(
        id: impl Into<String>,
        issue_area: impl Into<String>,
        description: impl Into<String>,
        metric: impl Into<String>,
        goal: Goal,
        target: f64,
    ) -> Self {
        Self {
            id: id.into(),
            issue_area: issue_area.into(),
            description: description.into(),
            metric: metric.into(),
            goal,
            target,
            reached: None,
            best_peer: None,
            best_peer_name: String::new(),
            met: None,
        }
    }

    /// Records what was measured and decides whether the goal is met.
    #[must_use]
    pub fn with_reached(mut self, reached: Option<f64>) -> Self {
        self.reached = reached;
        self.met = reached.map(|reached| match self.goal {
            Goal::AtMost => reached <= self.target,
            Goal::AtLeast => reached >= self.target,
        });
        self
    }

    /// Records what the best peer reaches.
    #[must_use]
    pub fn with_best_peer(mut self, name: impl Into<String>, value: Option<f64>) -> Self {
        self.best_peer = value;
        self.best_peer_name = name.into();
        self
    }

    /// The target with its side: `<= 1.20`.
    #[must_use]
    pub fn goal_text(&self) -> String {
        let sign = match self.goal {
            Goal::AtMost => "\u{2264}",
            Goal::AtLeast => "\u{2265}",
        };
        format!("{sign} {}", crate::format::number(self.target))
    }

    /// The best peer's value and name, `-` if there is none.
    #[must_use]
    pub fn best_peer_text(&self) -> String {
        match self.best_peer {
            Some(value) => format!("{} {}", crate::format::number(value), self.best_peer_name),
            None => crate::format::NOTHING.into(),
        }
    }

    /// `yes`, `no`, or `-` if not measured.
    #[must_use]
    pub fn met_text(&self) -> &'static str {
        match self.met {
            Some(true) => "yes",
            Some(false) => "no",
            None => crate::format::NOTHING,
        }
    }
}

/// Writes targets as CSV.
///
/// # Errors
/// If the file cannot be written.
pub fn write_csv(path: &Path, targets: &[Target]) -> Result<(), Error> {
    let mut writer = csv::Writer::from_path(path).map_err(Error::csv(path))?;
    for target in targets {
        writer.serialize(target).map_err(Error::csv(path))?;
    }
    writer.flush().map_err(Error::io(path))
}

/// Reads what [`write_csv`] wrote.
///
/// # Errors
/// If the file cannot be read or is something else.
pub fn read_csv(path: &Path) -> Result<Vec<Target>, Error> {
    let mut reader = csv::Reader::from_path(path).map_err(Error::csv(path))?;
    reader.deserialize().collect::<Result<_, _>>().map_err(Error::csv(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(goal: Goal) -> Target {
        Target::new("id", "AES", "what, exactly", "cycles/byte", goal, 1.2)
    }

    #[test]
    fn the_side_of_the_target_decides() {
        let met = |goal, value| target(goal).with_reached(value).met;
        assert_eq!(met(Goal::AtMost, Some(1.2)), Some(true));
        assert_eq!(met(Goal::AtMost, Some(1.21)), Some(false));
        assert_eq!(met(Goal::AtLeast, Some(1.21)), Some(true));
        assert_eq!(met(Goal::AtLeast, Some(1.1)), Some(false));
        assert_eq!(met(Goal::AtLeast, None), None);
    }

    #[test]
    fn texts() {
        let t = target(Goal::AtMost).with_best_peer("crate 1.0", Some(3.4));
        assert_eq!(
            (t.goal_text().as_str(), t.best_peer_text().as_str(), t.met_text()),
            ("≤ 1.20", "3.40 crate 1.0", "-")
        );
        assert_eq!(target(Goal::AtLeast).with_reached(Some(1.0)).met_text(), "no");
    }

    #[test]
    fn csv_brings_targets_back() {
        let path =
            std::env::temp_dir().join(format!("icefish-bench-targets-{}.csv", std::process::id()));
        let targets = [target(Goal::AtMost).with_reached(Some(1.1)), target(Goal::AtLeast)];
        write_csv(&path, &targets).unwrap();
        let back = read_csv(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(back, targets);
    }
}
