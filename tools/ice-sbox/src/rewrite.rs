//! Improves a network by rewriting one gate at a time.
//!
//! A gate may compute any function that leaves all outputs as they are; where no output depends on it, its value
//! is free. `Rewriter::step` finds every set of up to three signals from which such a function can be computed and
//! moves the gate to one of them. Gates that are no longer used vanish; most moves only change the network,
//! and a long walk over networks of equal size meets smaller ones.

use crate::network::{Gate, Network, Truth, plane};
use crate::resub::{Resubstitution, Search};
use crate::signals::{Random, Set, contains, insert};

/// Ways to choose from in one step.
const MOST: usize = 24;

/// A network in a form that is quick to change.
#[derive(Clone)]
pub struct Rewriter<const W: usize> {
    pub(crate) inputs: usize,
    arity: usize,
    output_arity: usize,
    /// Indexed by signal; input planes have arity 0. Dead signals are unused places.
    pub(crate) gates: Vec<Gate>,
    outputs: Vec<Gate>,
    targets: Vec<Truth>,
    pub(crate) order: Vec<u16>,
    pub(crate) truth: Vec<Truth>,
    /// `rows[x]` has the signals that are 1 on input x.
    pub(crate) rows: Vec<Set<W>>,
    uses: Vec<u16>,
    pub random: Random,
}

impl<const W: usize> Rewriter<W> {
    /// Gates of at most `arity` operands, output functions of at most `output_arity`.
    #[must_use]
    pub fn new(network: &Network, arity: usize, output_arity: usize, seed: u64) -> Self {
        let places = W * 64;
        assert!(network.inputs + network.gates.len() <= places, "too many gates");
        let mut gates = vec![Gate::new(&[], 0); network.inputs];
        gates.extend(&network.gates);
        gates.resize(places, Gate::new(&[], 0));
        let mut truth = vec![[0; 16]; places];
        let mut rows = vec![[0; W]; 1024];
        for (input, truth) in truth[..network.inputs].iter_mut().enumerate() {
            *truth = plane(network.inputs - 1 - input);
            update_rows(&mut rows, input, &[0; 16], truth);
        }
        let mut rewriter = Self {
            inputs: network.inputs,
            arity,
            output_arity,
            gates,
            outputs: network.outputs.clone(),
            targets: network.output_truth(),
            order: Vec::new(),
            truth,
            rows,
            uses: Vec::new(),
            random: Random::new(seed),
        };
        rewriter.refresh();
        rewriter
    }

    /// The number of gates, outputs not counted.
    #[must_use]
    pub fn size(&self) -> usize {
        self.order.len()
    }

    /// How many gates follow one another on the way to each output, the output's own function included.
    #[must_use]
    pub fn levels(&self) -> Vec<usize> {
        let mut level = vec![0; self.gates.len()];
        let above = |gate: &Gate, level: &[usize]| {
            let deepest = gate.operands().iter().map(|&o| level[usize::from(o)]).max();
            deepest.map_or(0, |deepest| deepest + 1)
        };
        for &signal in &self.order {
            level[usize::from(signal)] = above(&self.gates[usize::from(signal)], &level);
        }
        self.outputs.iter().map(|output| above(output, &level)).collect()
    }

    /// Signals for which there is a place but no gate.
    fn free_place(&self) -> usize {
        (self.inputs..self.gates.len())
            .find(|&signal| self.uses[signal] == 0)
            .expect("a free place")
    }

    /// Recomputes order, uses and values after a change.
    fn refresh(&mut self) {
        self.uses = vec![0; self.gates.len()];
        self.order.clear();
        for output in &self.outputs {
            for &operand in output.operands() {
                visit(&self.gates, self.inputs, operand, &mut self.uses, &mut self.order);
            }
        }
        for &signal in &self.order {
            let signal = usize::from(signal);
            let value = self.gates[signal].evaluate(&self.truth);
            if value != self.truth[signal] {
                update_rows(&mut self.rows, signal, &self.truth[signal], &value);
                self.truth[signal] = value;
            }
        }
    }

    /// Where some output depends on a gate, and the signals that may not be its operands.
    fn dependence(&self, signal: usize) -> (Truth, Set<W>) {
        let mut after = [0; W];
        insert(&mut after, signal);
        let mut flipped = self.truth.clone();
        flipped[signal].iter_mut().for_each(|word| *word = !*word);
        let depends = |gate: &Gate, after: &Set<W>| {
            gate.operands().iter().any(|&operand| contains(after, usize::from(operand)))
        };
        for &later in &self.order {
            let gate = &self.gates[usize::from(later)];
            if depends(gate, &after) {
                insert(&mut after, usize::from(later));
                flipped[usize::from(later)] = gate.evaluate(&flipped);
            }
        }
        let mut care = [0; 16];
        for (output, target) in self.outputs.iter().zip(&self.targets) {
            if depends(output, &after) {
                let value = output.evaluate(&flipped);
                (0..16).for_each(|i| care[i] |= value[i] ^ target[i]);
            }
        }
        (care, after)
    }

    /// Tries to move one random gate or output function; returns whether anything changed.
    pub fn step(&mut self) -> bool {
        let choice = self.random.below(self.order.len() + self.outputs.len());
        if let Some(&signal) = self.order.get(choice) {
            self.move_gate(usize::from(signal))
        } else {
            self.move_output(choice - self.order.len())
        }
    }

    /// Gives one user of a random gate a copy of its own: a step uphill, since both may then move on.
    pub fn split(&mut self) {
        let signal = usize::from(self.order[self.random.below(self.order.len())]);
        let uses = usize::from(self.uses[signal]);
        if uses < 2 {
            return;
        }
        let place = self.free_place();
        self.gates[place] = self.gates[signal];
        let nth = self.random.below(uses);
        let order = self.order.iter().map(|&user| usize::from(user));
        let live: Vec<usize> = order.collect();
        let mut seen = 0;
        for user in live {
            redirect(&mut self.gates[user], signal, place, nth, &mut seen);
        }
        for output in &mut self.outputs {
            redirect(output, signal, place, nth, &mut seen);
        }
        self.refresh();
    }

    fn allowed(&self, forbidden: &Set<W>) -> Set<W> {
        let mut allowed = [0; W];
        (0..self.inputs).for_each(|signal| insert(&mut allowed, signal));
        self.order.iter().for_each(|&signal| insert(&mut allowed, usize::from(signal)));
        (0..W).for_each(|i| allowed[i] &= !forbidden[i]);
        allowed
    }

    fn move_gate(&mut self, signal: usize) -> bool {
        let (care, after) = self.dependence(signal);
        let on = std::array::from_fn(|i| self.truth[signal][i] & care[i]);
        let off = std::array::from_fn(|i| !self.truth[signal][i] & care[i]);
        let freed = self.freed(&self.gates[signal]);
        // With gates of two operands, two new gates may take the place of this one and a freed one.
        let width = if self.arity == 2 && !freed.is_empty() { 3 } else { self.arity };
        let allowed = self.allowed(&after);
        let found = self.find(Search { on, off, allowed, width, most: MOST }, &freed);
        let Some((gate, inner)) = self.pick(&self.gates[signal].clone(), &freed, &found) else {
            return false;
        };
        self.gates[signal] = gate;
        if let Some(inner) = inner {
            let place = self.free_place();
            self.gates[place] = inner;
            self.gates[signal].inputs[0] = u16::try_from(place).expect("a place");
        }
        if gate.arity == 1 {
            self.bypass(signal);
        }
        self.refresh();
        true
    }

    fn move_output(&mut self, index: usize) -> bool {
        let on = self.targets[index];
        let off = on.map(|word| !word);
        let allowed = self.allowed(&[0; W]);
        let width = self.output_arity;
        let old = self.outputs[index];
        let freed = self.freed(&old);
        let found = self.find(Search { on, off, allowed, width, most: MOST }, &freed);
        let Some((gate, _)) = self.pick(&old, &freed, &found) else {
            return false;
        };
        self.outputs[index] = gate;
        self.refresh();
        true
    }

    /// Looks first for ways to do without the gates that the present way keeps alive.
    fn find(&mut self, mut search: Search<W>, freed: &[u16]) -> Vec<Resubstitution> {
        if !freed.is_empty() {
            let all = search.allowed;
            for &signal in freed {
                search.allowed[usize::from(signal) / 64] &= !(1 << (signal % 64));
            }
            let found = search.run(&self.rows, &self.truth, &mut self.random);
            if !found.is_empty() {
                return found;
            }
            search.allowed = all;
        }
        search.run(&self.rows, &self.truth, &mut self.random)
    }

    /// Lets the users of a gate of one operand use that operand instead.
    fn bypass(&mut self, signal: usize) {
        let wire = self.gates[signal];
        let inverting = wire.table == 0b01;
        for user in self.gates.iter_mut().chain(&mut self.outputs) {
            for k in 0..usize::from(user.arity) {
                if usize::from(user.inputs[k]) == signal {
                    user.inputs[k] = wire.inputs[0];
                    if inverting {
                        user.complement_operand(k);
                    }
                }
            }
        }
    }

    /// The gates that only this one needs.
    fn freed(&self, gate: &Gate) -> Vec<u16> {
        let mut uses = self.uses.clone();
        let mut freed = Vec::new();
        let mut pending = gate.operands().to_vec();
        while let Some(operand) = pending.pop() {
            let index = usize::from(operand);
            uses[index] -= 1;
            if uses[index] == 0 && index >= self.inputs {
                freed.push(operand);
                pending.extend(self.gates[index].operands());
            }
        }
        freed
    }

    /// How many of the freed gates stay in use after all.
    fn kept(&self, freed: &[u16], operands: &[u16]) -> usize {
        let mut kept = Vec::new();
        let mut pending = operands.to_vec();
        while let Some(operand) = pending.pop() {
            if freed.contains(&operand) && !kept.contains(&operand) {
                kept.push(operand);
                pending.extend(self.gates[usize::from(operand)].operands());
            }
        }
        kept.len()
    }

    /// One of the best moves: the new gate, and an inner gate for its first operand if it needs one.
    fn pick(
        &mut self,
        old: &Gate,
        freed: &[u16],
        found: &[Resubstitution],
    ) -> Option<(Gate, Option<Gate>)> {
        let mut best = None;
        let (mut best_kept, mut ties) = (freed.len(), 0);
        for resubstitution in found {
            let noise = u8::try_from(self.random.below(256)).expect("a byte");
            let inner_first = resubstitution.gates(self.arity, noise);
            let Some((gate, inner)) = inner_first else {
                continue;
            };
            let kept = self.kept(freed, resubstitution.operands()) + usize::from(inner.is_some());
            if kept > best_kept || gate == *old {
                continue;
            }
            ties = if kept < best_kept { 1 } else { ties + 1 };
            best_kept = kept;
            if self.random.below(ties) == 0 {
                best = Some((gate, inner));
            }
        }
        best
    }

    /// The network as it is now, checked against the outputs it started with.
    #[must_use]
    pub fn network(&self) -> Network {
        let mut names = vec![0u16; self.gates.len()];
        (0u16..).zip(&mut names[..self.inputs]).for_each(|(name, place)| *place = name);
        for (position, &signal) in self.order.iter().enumerate() {
            names[usize::from(signal)] = u16::try_from(self.inputs + position).expect("small");
        }
        let rename = |gate: &Gate| {
            let operands: Vec<u16> =
                gate.operands().iter().map(|&s| names[usize::from(s)]).collect();
            Gate::new(&operands, gate.table)
        };
        let network = Network {
            inputs: self.inputs,
            gates: self.order.iter().map(|&s| rename(&self.gates[usize::from(s)])).collect(),
            outputs: self.outputs.iter().map(rename).collect(),
        };
        assert_eq!(network.output_truth(), self.targets);
        network
    }
}

/// Lets the `nth` use of a signal, counted by `seen`, refer to another one.
fn redirect(user: &mut Gate, from: usize, to: usize, nth: usize, seen: &mut usize) {
    for k in 0..usize::from(user.arity) {
        if usize::from(user.inputs[k]) == from {
            if *seen == nth {
                user.inputs[k] = u16::try_from(to).expect("a place");
            }
            *seen += 1;
        }
    }
}

/// Depth-first numbering; also counts uses.
fn visit(gates: &[Gate], inputs: usize, signal: u16, uses: &mut [u16], order: &mut Vec<u16>) {
    let index = usize::from(signal);
    uses[index] += 1;
    if uses[index] == 1 && index >= inputs {
        for &operand in gates[index].operands() {
            visit(gates, inputs, operand, uses, order);
        }
        order.push(signal);
    }
}

fn update_rows<const W: usize>(rows: &mut [Set<W>], signal: usize, old: &Truth, new: &Truth) {
    for word in 0..16 {
        let mut changed = old[word] ^ new[word];
        while changed != 0 {
            let bit = changed.trailing_zeros() as usize;
            rows[word * 64 + bit][signal / 64] ^= 1 << (signal % 64);
            changed &= changed - 1;
        }
    }
}
