//! A bar on the terminal for runs that take their time.

use crate::stdio;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

/// Runs shorter than this show nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// How far the work is.
pub(crate) struct Progress {
    started: Instant,
    len: Option<u64>,
    bar: Option<ProgressBar>,
    wanted: bool,
}

impl Progress {
    /// Work on `len` bytes, if that is known. Where the output goes to a terminal, a bar would be in
    /// its way.
    pub(crate) fn new(len: Option<u64>, to_stdout: bool) -> Self {
        let wanted = Self::is_wanted(to_stdout);
        Self { started: Instant::now(), len, bar: None, wanted }
    }

    /// Whether somebody sees it.
    pub(crate) fn is_wanted(to_stdout: bool) -> bool {
        stdio::stderr_is_terminal() && !(to_stdout && stdio::stdout_is_terminal())
    }

    /// What shows nothing.
    pub(crate) fn none() -> Self {
        Self { started: Instant::now(), len: None, bar: None, wanted: false }
    }

    /// `done` bytes are done.
    pub(crate) fn at(&mut self, done: u64) {
        if !self.wanted || self.started.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| bar(self.len, self.started));
        bar.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(len: Option<u64>, started: Instant) -> ProgressBar {
    let (bar, template) = match len {
        Some(len) => (
            ProgressBar::with_draw_target(Some(len), ProgressDrawTarget::stderr()),
            "{bar:30} {binary_bytes} of {binary_total_bytes}, {binary_bytes_per_sec}, {eta} left",
        ),
        None => (
            ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()),
            "{spinner} {binary_bytes}, {binary_bytes_per_sec}",
        ),
    };
    let style = ProgressStyle::with_template(template);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_elapsed(started.elapsed())
}
