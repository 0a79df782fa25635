//! Lower bounds of the time on a core: the operations of a primitive divided by the operations that the core starts in a cycle, or,
//! where each needs the result of the one before, the sum of their latencies.
//!
//! Operations are those of the specification in their cheapest form for an instruction set, and the tests count them
//! by running the kernels on lanes that count. Loads, stores and transpositions are not among them: a kernel that
//! needs them stays above the floor. Modes that are serial within a message may pass it by some percent, because the
//! end of one message overlaps with the beginning of the next.

mod counts;
#[cfg(all(test, feature = "ours"))]
mod tests;

use crate::identity::{Identity, Kind};
use crate::peers::{Direction, Mode, Operation};
use counts::Count;

/// What the vector unit of a core starts in a cycle, by the width of the registers. Only cores that we know by
/// measurement are listed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Core {
    /// Its name.
    pub name: &'static str,
    /// Additions and logic, of 256 bits and of 512.
    any: [f64; 2],
    /// Of these, rotations, shifts, shuffles and arithmetic in GF(2^8) at most.
    shifts: [f64; 2],
    /// AES rounds of one state, and of a register of 512 bits.
    aes: [f64; 2],
    /// Cycles from an AES round to the next.
    aes_latency: f64,
}

const CORES: &[(&str, Core)] = &[
    (
        "family 26, ",
        Core {
            name: "Zen 5",
            any: [4.0, 4.0],
            shifts: [2.0, 2.0],
            aes: [2.0, 2.0],
            aes_latency: 4.0,
        },
    ),
    (
        "family 6, model 85, ",
        Core {
            name: "Skylake server",
            any: [3.0, 2.0],
            shifts: [2.0, 1.0],
            aes: [1.0, 0.0],
            aes_latency: 4.0,
        },
    ),
];

/// The registers of a backend.
#[derive(Clone, Copy)]
struct Registers {
    bits: usize,
    /// Has rotations, and functions of three operands.
    ternary: bool,
    /// Has arithmetic in GF(2^8).
    fields: bool,
}

impl Registers {
    fn of(backend: &str) -> Option<Self> {
        match backend {
            "avx2" => Some(Self { bits: 256, ternary: false, fields: false }),
            "avx2_gfni" => Some(Self { bits: 256, ternary: false, fields: true }),
            "avx512" => Some(Self { bits: 512, ternary: true, fields: false }),
            "avx512_vaes" => Some(Self { bits: 512, ternary: true, fields: true }),
            _ => None,
        }
    }
}

impl Core {
    /// The core of a CPU, as [`Machine::cpu`](crate::machine::Machine) has it.
    #[must_use]
    pub fn of(cpu: &str) -> Option<Self> {
        CORES.iter().find(|(part, _)| cpu.contains(part)).map(|(_, core)| *core)
    }

    /// The floor of one of our rows, in cycles a byte; none where nothing is known.
    #[must_use]
    pub fn floor(&self, operation: Operation, kind: Kind, id: &Identity) -> Option<f64> {
        let cached = matches!(kind, Kind::Throughput | Kind::Sizes | Kind::Memory);
        if !id.is_ours() || !cached {
            return None;
        }
        match operation {
            Operation::Aes { bits, mode, direction } => {
                self.aes(bits, mode, direction, &id.backend)
            }
            operation => {
                let registers = Registers::of(&id.backend)?;
                let count = counts::of(operation, registers.ternary, registers.fields)?;
                Some(self.cycles(count, registers) / count.bytes(registers.bits))
            }
        }
    }

    fn cycles(&self, count: Count, registers: Registers) -> f64 {
        let width = registers.bits / 512;
        (count.all() / self.any[width]).max(count.shifts / self.shifts[width])
    }

    fn aes(&self, bits: u16, mode: Mode, direction: Direction, backend: &str) -> Option<f64> {
        let rounds = counts::aes_rounds(bits);
        let serial = match mode {
            Mode::Cbc | Mode::Cfb128 => direction == Direction::Encrypt,
            Mode::Ofb => true,
            Mode::Ecb | Mode::Ctr => false,
            Mode::Gcm | Mode::Xts => return None,
        };
        let cycles = match backend {
            "avx2" | "avx512" | "avx512_vaes" if serial => rounds * self.aes_latency,
            "avx2" | "avx512" => rounds / self.aes[0],
            "avx512_vaes" => rounds / self.aes[1] / 4.0,
            _ => return None,
        };
        (cycles.is_finite() && cycles > 0.0).then_some(cycles / 16.0)
    }
}
