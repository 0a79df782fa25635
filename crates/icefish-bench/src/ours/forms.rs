//! The forms that the library chooses between by what it knows of the CPU, all of them measured on this one.

mod choices;

use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

use icefish::isa::forms::{Forms, choose, forms};

/// Two forms of a kernel, and the work that tells which is faster.
struct Choice {
    what: String,
    names: [&'static str; 2],
    forms: [&'static Forms; 2],
    /// Which of them the table has for this CPU.
    table: usize,
    work: Box<dyn FnMut()>,
}

/// What a choice came to.
#[derive(Clone, Debug)]
pub struct Measured {
    what: String,
    names: [&'static str; 2],
    table: usize,
    ns: [f64; 2],
}

impl Measured {
    /// How much longer the table's form takes than the other; negative if it is the faster.
    #[must_use]
    pub fn behind(&self) -> f64 {
        self.ns[self.table] / self.ns[1 - self.table] - 1.0
    }

    /// Whether the table has the slower form, beyond noise.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        self.behind() > 0.03
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = |i: usize| format!("{} {:.1} ns", self.names[i], self.ns[i]);
        write!(f, "{:46} {:28} {:28}", self.what, form(self.table), form(1 - self.table))?;
        if self.is_wrong() {
            write!(f, " behind by {:.0} %", 100.0 * self.behind())?;
        }
        Ok(())
    }
}

/// What stands above the columns.
#[must_use]
pub fn header() -> String {
    format!("{:46} {:28} other", "work", "chosen")
}

/// Measures both forms of every choice in turns; the least of `rounds` short samples counts.
#[must_use]
pub fn measure(rounds: u32) -> Vec<Measured> {
    let usual = forms();
    let mut choices = choices::all(usual);
    let measured = choices.iter_mut().map(|choice| choice.measure(rounds)).collect();
    choose(usual);
    measured
}

impl Choice {
    fn measure(&mut self, rounds: u32) -> Measured {
        const SAMPLE: Duration = Duration::from_micros(20);
        let mut times = 1;
        while self.run(times) < SAMPLE {
            times *= 2;
        }
        let mut least = [Duration::MAX; 2];
        for _ in 0..rounds {
            for (forms, least) in self.forms.into_iter().zip(&mut least) {
                choose(forms);
                self.run(1);
                *least = self.run(times).min(*least);
            }
        }
        let ns = least.map(|time| time.as_secs_f64() * 1e9 / f64::from(times));
        Measured { what: self.what.clone(), names: self.names, table: self.table, ns }
    }

    fn run(&mut self, times: u32) -> Duration {
        let start = Instant::now();
        for _ in 0..times {
            black_box(&mut self.work)();
        }
        start.elapsed()
    }
}
