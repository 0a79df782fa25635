//! The core's frequency, measured, never assumed.
//!
//! Virtual machines offer no cycle counter that counts core cycles (the time stamp counter ticks at a
//! fixed rate), and cores change their frequency from one millisecond to the next: boost, heat, 512-bit
//! code. So we time a chain of instructions that can only run at one a cycle, around every sample.
//!
//! # Why the chain takes one cycle a step
//!
//! A step is `x ^ a` or `x + b`, in turns, on 64-bit registers. Each needs the result of the one before,
//! so the chain cannot be spread over ports. Exclusive or and addition of two whole registers have a
//! latency of one cycle on every x86-64 core since the K8 and the Core, and on every AArch64 core from
//! the Cortex-A53 to the Neoverse and Apple designs. It cannot be shortened either:
//!
//! - `a` and `b` come out of [`black_box`], so the compiler knows no value, and no law of arithmetic
//!   merges `^` with `+`. The disassembly of a release build is `xor`, `add`, `xor`, `add`, ... (x86-64)
//!   and `eor`, `add`, ... (AArch64), with only the loop counter beside it, which runs in parallel.
//! - The operands are registers. Cores that finish an addition in the renamer (Golden Cove and later) do
//!   so for small immediate operands only. That is why the chain is not `x + 1`.
//! - No rotations: AArch64 would fold one into the next operation as a shifted operand, of two cycles.
//! - No core fuses `xor` with `add`; x86 fuses an arithmetic operation with a following *jump* only.
//!
//! # Two chains
//!
//! Another thread of the same physical core (of another virtual machine, too) can take an issue slot that
//! a step waited for. The step is then a cycle late. To a chain of additions that is a whole step, to one of
//! multiplications a third of one, and the clock would seem lower, and the code that is measured faster, than
//! it is. In one such state, AES seemed to take 6.6 % fewer cycles than its rounds need (Zen 5). So a second
//! chain squares a number again and again, and if the two chains do not show the same clock, there is no
//! figure. Of 231,000 calibrations on a Zen 5, 1 % differed by more than 0.5 %: in 2,076 the additions were
//! slower, by 2 % in the median, and in 153 the multiplications. A clock that changes would do both alike.
//! How many cycles a multiplication takes, always a whole number, is found at the beginning.
//!
//! In a build without optimisation the steps go through memory and the figure is meaningless:
//! [`Machine::compiler`](crate::machine::Machine) records the optimisation level for that reason.

use std::hint::black_box;
use std::time::Instant;

/// Length of one calibration, in ns. Shorter than the half millisecond or more for which a core stays at
/// the frequency that wide vector code forced on it, so that the frequency *of the sample* is found.
const WINDOW_NS: f64 = 130_000.0;

/// Parts of a calibration for each chain, in turns; the fastest counts, because an interruption can only make
/// a part slower. With more parts, reading the time (some 25 ns) would weigh more than 0.1 % of each.
const PARTS: usize = 3;

/// Pairs of steps in one turn of the loop; and as many squares in one turn of the other.
const PAIRS: u64 = 32;

/// By how much the two chains may differ, as a part of the clock.
const AGREEMENT: f64 = 0.005;

/// A source of time and of the current core frequency. Tests put a made-up one in place of [`Clock`].
pub trait Timebase {
    /// Time since some fixed moment, in ns.
    fn now_ns(&mut self) -> f64;
    /// The frequency of the core right now, in GHz, that is in cycles a ns.
    fn ghz(&mut self) -> f64;
    /// The same, for a sample: `None` if another thread of the core disturbs the measurement.
    fn undisturbed_ghz(&mut self) -> Option<f64> {
        Some(self.ghz())
    }
}

/// The real time, and the frequency of the core that runs the calling thread.
#[derive(Clone, Debug)]
pub struct Clock {
    start: Instant,
    /// Turns of the chain of additions in a part.
    turns: u64,
    /// Cycles of a multiplication.
    multiplication: u64,
}

impl Clock {
    /// Finds how long a chain fills a calibration window; takes well under a millisecond.
    #[must_use]
    pub fn new() -> Self {
        let mut clock = Self { start: Instant::now(), turns: 64, multiplication: 1 };
        let part = WINDOW_NS / (2 * PARTS) as f64;
        for _ in 0..40 {
            let ns = clock.chain_ns();
            if ns >= part / 2.0 {
                clock.turns = ((clock.turns as f64 * part / ns) as u64).max(2);
                break;
            }
            clock.turns *= 2;
        }
        let [additions, multiplications] = clock.both();
        clock.multiplication = (additions / multiplications).round().max(1.0) as u64;
        clock
    }

    /// The frequency that each chain shows, in GHz, over the next 130 µs or so.
    fn both(&self) -> [f64; 2] {
        let squares = self.squares();
        let steps = (self.turns * PAIRS * 2) as f64;
        let products = (squares * PAIRS * self.multiplication) as f64;
        (0..PARTS).fold([0.0, 0.0], |[a, b]: [f64; 2], _| {
            [a.max(steps / self.chain_ns()), b.max(products / squares_ns(squares))]
        })
    }

    /// Turns of the chain of squares that last about as long as those of the other.
    fn squares(&self) -> u64 {
        (2 * self.turns / self.multiplication).max(1)
    }

    fn chain_ns(&self) -> f64 {
        let start = Instant::now();
        black_box(chain(
            self.turns,
            black_box(1),
            black_box(0x9e37_79b9_7f4a_7c15),
            black_box(0x2545_f491_4f6c_dd1d),
        ));
        since(start)
    }
}

fn squares_ns(turns: u64) -> f64 {
    let start = Instant::now();
    black_box(squares(turns, black_box(0x9e37_79b9_7f4a_7c15)));
    since(start)
}

/// A timer coarser than a chain must not divide by zero.
fn since(start: Instant) -> f64 {
    (start.elapsed().as_nanos() as f64).max(1.0)
}

impl Default for Clock {
    fn default() -> Self {
        Self::new()
    }
}

impl Timebase for Clock {
    fn now_ns(&mut self) -> f64 {
        self.start.elapsed().as_nanos() as f64
    }

    fn ghz(&mut self) -> f64 {
        let [a, b] = self.both();
        a.max(b)
    }

    fn undisturbed_ghz(&mut self) -> Option<f64> {
        let [a, b] = self.both();
        let ghz = a.max(b);
        ((a - b).abs() <= AGREEMENT * ghz).then_some(ghz)
    }
}

/// `2 * PAIRS * turns` steps, each waiting for the one before.
#[inline(never)]
fn chain(turns: u64, mut x: u64, a: u64, b: u64) -> u64 {
    for _ in 0..turns {
        for _ in 0..PAIRS {
            x = (x ^ a).wrapping_add(b);
        }
    }
    x
}

/// `PAIRS * turns` multiplications, each waiting for the one before.
#[inline(never)]
fn squares(turns: u64, mut x: u64) -> u64 {
    for _ in 0..turns {
        for _ in 0..PAIRS {
            x = x.wrapping_mul(x);
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chains_do_all_their_steps() {
        let mut x = 5_u64;
        for _ in 0..3 * PAIRS {
            x = (x ^ 0xf0f0).wrapping_add(77);
        }
        assert_eq!(chain(3, 5, 0xf0f0, 77), x);
        assert_eq!(chain(0, 5, 1, 1), 5);
        // The order of 5 is 2^62: each of these squares is another number.
        assert_eq!(squares(1, 5), (0..PAIRS).fold(5, |x: u64, _| x.wrapping_mul(x)));
        assert_eq!(squares(0, 5), 5);
    }

    #[test]
    fn a_frequency_is_a_positive_number() {
        let mut clock = Clock::new();
        let ghz = clock.ghz();
        assert!(ghz.is_finite() && ghz > 0.0, "{ghz}");
    }

    #[test]
    fn time_does_not_run_backwards() {
        let mut clock = Clock::new();
        let first = clock.now_ns();
        assert!(clock.now_ns() >= first);
    }
}
