//! Straight-line Boolean networks, and their values on all inputs.

/// The value of a signal on each of the 1024 inputs: bit `x % 64` of word `x / 64`.
pub type Truth = [u64; 16];

/// One operation: any Boolean function of up to three earlier signals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gate {
    /// The operands; those from `arity` on are unused and zero.
    pub inputs: [u16; 3],
    pub arity: u8,
    /// Bit `i` is the value for operands that spell `i`, the first operand being the most significant digit.
    pub table: u8,
}

impl Gate {
    #[must_use]
    pub fn new(inputs: &[u16], table: u8) -> Self {
        let mut padded = [0; 3];
        padded[..inputs.len()].copy_from_slice(inputs);
        let arity = u8::try_from(inputs.len()).expect("at most three operands");
        Self { inputs: padded, arity, table }
    }

    /// The operands in use.
    #[must_use]
    pub fn operands(&self) -> &[u16] {
        &self.inputs[..usize::from(self.arity)]
    }

    /// The same function without the operands that do not matter.
    #[must_use]
    pub fn reduced(&self) -> Self {
        for k in 0..usize::from(self.arity) {
            let digit = usize::from(self.arity) - 1 - k;
            if !matters(self.table, self.arity, digit) {
                let mut operands = self.operands().to_vec();
                operands.remove(k);
                let table = (0..1 << operands.len()).fold(0, |table, index| {
                    let low = index & ((1 << digit) - 1);
                    let spelled = (index ^ low) << 1 | low;
                    table | (self.table >> spelled & 1) << index
                });
                return Self::new(&operands, table).reduced();
            }
        }
        *self
    }

    /// Makes it the same function of the complement of operand `k`.
    pub fn complement_operand(&mut self, k: usize) {
        let digit = usize::from(self.arity) - 1 - k;
        let high = [0b1010_1010, 0b1100_1100, 0b1111_0000][digit];
        let shift = 1 << digit;
        self.table = (self.table & high) >> shift | (self.table & !high) << shift;
        if self.arity < 3 {
            self.table &= (1 << (1 << self.arity)) - 1;
        }
    }

    /// Its value on all inputs, given that of every signal.
    #[must_use]
    pub fn evaluate(&self, truth: &[Truth]) -> Truth {
        let [a, b, c] = self.inputs.map(|signal| &truth[usize::from(signal)]);
        let mut value = [0; 16];
        match self.arity {
            3 => {
                let m: [u64; 8] = std::array::from_fn(|i| mask(self.table, i));
                for (i, value) in value.iter_mut().enumerate() {
                    let low = select(b[i], select(c[i], m[3], m[2]), select(c[i], m[1], m[0]));
                    let high = select(b[i], select(c[i], m[7], m[6]), select(c[i], m[5], m[4]));
                    *value = select(a[i], high, low);
                }
            }
            2 => {
                let m: [u64; 4] = std::array::from_fn(|i| mask(self.table, i));
                for (i, value) in value.iter_mut().enumerate() {
                    *value = select(a[i], select(b[i], m[3], m[2]), select(b[i], m[1], m[0]));
                }
            }
            1 => {
                let m: [u64; 2] = std::array::from_fn(|i| mask(self.table, i));
                for (i, value) in value.iter_mut().enumerate() {
                    *value = select(a[i], m[1], m[0]);
                }
            }
            _ => value = [mask(self.table, 0); 16],
        }
        value
    }
}

/// Whether a function depends on the operand with weight `2^digit`.
fn matters(table: u8, arity: u8, digit: usize) -> bool {
    (0..1u8 << arity).any(|index| (table >> index ^ table >> (index ^ 1 << digit)) & 1 == 1)
}

/// The number of operands on which a function depends.
#[must_use]
pub fn depends_on(table: u8, arity: u8) -> usize {
    (0..usize::from(arity)).filter(|&digit| matters(table, arity, digit)).count()
}

fn mask(table: u8, index: usize) -> u64 {
    0u64.wrapping_sub(u64::from(table >> index & 1))
}

fn select(condition: u64, yes: u64, no: u64) -> u64 {
    no ^ (condition & (yes ^ no))
}

/// Input planes come first, then the gates in order: signal `inputs + i` is gate `i`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    pub inputs: usize,
    pub gates: Vec<Gate>,
    /// One function for each output, of one operand fewer than a gate may have: the operand that is missing
    /// is the accumulator plane into which the output is XORed.
    pub outputs: Vec<Gate>,
}

impl Network {
    /// The values of all signals on all inputs.
    #[must_use]
    pub fn simulate(&self) -> Vec<Truth> {
        let mut truth: Vec<Truth> = (0..self.inputs).map(|i| plane(self.inputs - 1 - i)).collect();
        for gate in &self.gates {
            truth.push(gate.evaluate(&truth));
        }
        truth
    }

    /// The values of the outputs on all inputs.
    #[must_use]
    pub fn output_truth(&self) -> Vec<Truth> {
        let truth = self.simulate();
        self.outputs.iter().map(|gate| gate.evaluate(&truth)).collect()
    }
}

/// Bit `bit` of the input number, as a function of the input number.
#[must_use]
pub fn plane(bit: usize) -> Truth {
    truth_of(|x| x >> bit & 1 == 1)
}

/// The truth vector of a predicate on ten-bit numbers.
#[must_use]
pub fn truth_of(predicate: impl Fn(u16) -> bool) -> Truth {
    let mut truth = [0; 16];
    for x in (0..1024).filter(|&x| predicate(x)) {
        truth[usize::from(x / 64)] |= 1 << (x % 64);
    }
    truth
}
