//! Builds two-input networks gate by gate, sharing equal gates and carrying complements for free.

use crate::network::{Gate, Network};
use std::collections::HashMap;

/// A signal or its complement; `signal` is `None` for the constant 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire {
    signal: Option<u16>,
    invert: bool,
}

/// The constant 0.
pub const ZERO: Wire = Wire { signal: None, invert: false };

impl Wire {
    /// The complement if `condition`.
    #[must_use]
    pub fn invert_if(self, condition: bool) -> Self {
        Self { invert: self.invert ^ condition, ..self }
    }
}

/// A network under construction.
pub struct Builder {
    inputs: usize,
    gates: Vec<Gate>,
    known: HashMap<Gate, u16>,
}

impl Builder {
    #[must_use]
    pub fn new(inputs: usize) -> Self {
        Self { inputs, gates: Vec::new(), known: HashMap::new() }
    }

    /// Input plane `index`.
    #[must_use]
    pub fn input(&self, index: u16) -> Wire {
        assert!(usize::from(index) < self.inputs);
        Wire { signal: Some(index), invert: false }
    }

    pub fn xor(&mut self, a: Wire, b: Wire) -> Wire {
        let invert = a.invert ^ b.invert;
        match (a.signal, b.signal) {
            (None, _) => b.invert_if(a.invert),
            (_, None) => a.invert_if(b.invert),
            (Some(p), Some(q)) if p == q => ZERO.invert_if(invert),
            (Some(p), Some(q)) => self.gate(p, q, 0b0110).invert_if(invert),
        }
    }

    pub fn and(&mut self, a: Wire, b: Wire) -> Wire {
        match (a.signal, b.signal) {
            (None, _) if a.invert => b,
            (_, None) if b.invert => a,
            (None, _) | (_, None) => ZERO,
            (Some(p), Some(q)) if p == q && a.invert == b.invert => a,
            (Some(p), Some(q)) if p == q => ZERO,
            (Some(p), Some(q)) => {
                let one_at = 3 ^ (u8::from(a.invert) << 1) ^ u8::from(b.invert);
                self.gate(p, q, 1 << one_at)
            }
        }
    }

    pub fn sum(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        wires.into_iter().fold(ZERO, |sum, wire| self.xor(sum, wire))
    }

    fn gate(&mut self, p: u16, q: u16, table: u8) -> Wire {
        let gate = if p < q {
            Gate::new(&[p, q], table)
        } else {
            let swapped = table & 0b1001 | (table & 0b0100) >> 1 | (table & 0b0010) << 1;
            Gate::new(&[q, p], swapped)
        };
        self.add(gate)
    }

    fn add(&mut self, gate: Gate) -> Wire {
        let signal = *self.known.entry(gate).or_insert_with(|| {
            self.gates.push(gate);
            u16::try_from(self.inputs + self.gates.len() - 1).expect("a small network")
        });
        Wire { signal: Some(signal), invert: false }
    }

    /// Adds a network with its inputs connected to wires (no constants); returns its outputs, which are wires too.
    pub fn embed(&mut self, network: &Network, inputs: &[Wire]) -> Vec<Wire> {
        let mut wires = inputs.to_vec();
        let connect = |gate: &Gate, wires: &[Wire]| {
            let mut connected = *gate;
            for (k, &operand) in gate.operands().iter().enumerate() {
                let wire = wires[usize::from(operand)];
                connected.inputs[k] = wire.signal.expect("no constant");
                if wire.invert {
                    connected.complement_operand(k);
                }
            }
            connected
        };
        for gate in &network.gates {
            let connected = connect(gate, &wires);
            wires.push(self.add(connected));
        }
        let output = |gate: &Gate| wires[usize::from(gate.inputs[0])].invert_if(gate.table == 0b01);
        network.outputs.iter().map(output).collect()
    }

    /// The network, with the given wires as its outputs.
    #[must_use]
    pub fn finish(self, outputs: &[Wire]) -> Network {
        let output = |wire: &Wire| {
            let signal = wire.signal.expect("an output is not constant");
            Gate::new(&[signal], if wire.invert { 0b01 } else { 0b10 })
        };
        Network {
            inputs: self.inputs,
            outputs: outputs.iter().map(output).collect(),
            gates: self.gates,
        }
    }
}
