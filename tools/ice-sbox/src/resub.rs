//! From which few signals can a function be computed?
//!
//! A set of signals suffices if for every input where the function must be 1 and every input where it must be 0
//! some signal of the set differs. Each such pair of inputs is a set of signals to be hit; a few well chosen pairs
//! exclude nearly everything, and a set that hits them all but does not suffice yields another pair.

use crate::network::{Gate, Truth, depends_on};
use crate::signals::{Random, Set, contains};
use std::sync::OnceLock;

/// Pairs to begin with.
const PAIRS: usize = 64;
/// Pairs to choose those from.
const SAMPLES: usize = 512;

/// A way to compute the function.
#[derive(Clone, Copy, Debug)]
pub struct Resubstitution {
    signals: [u16; 3],
    arity: u8,
    /// Operand values where the function must be 1, and where it must be 0.
    on: u8,
    off: u8,
}

impl Resubstitution {
    #[must_use]
    pub fn operands(&self) -> &[u16] {
        &self.signals[..usize::from(self.arity)]
    }

    /// As one gate, or as two (the first operand of the outer one to be replaced by the inner one). `noise` settles
    /// what the requirements leave open.
    #[must_use]
    pub fn gates(&self, arity: usize, noise: u8) -> Option<(Gate, Option<Gate>)> {
        let used = if self.arity == 3 { 0xff } else { (1 << (1 << self.arity)) - 1 };
        let table = (self.on | (noise & !self.off)) & used;
        if usize::from(self.arity) <= arity {
            return Some((Gate::new(self.operands(), table).reduced(), None));
        }
        let open = !(self.on | self.off);
        let splits = splits();
        let start = noise;
        (0..=255u8)
            .filter(|extra| extra & !open == 0)
            .find_map(|extra| splits[usize::from(self.on | (extra ^ (start & open)))])
            .map(|split| {
                let [a, b, c] = split.order.map(|i| self.signals[i]);
                let inner = Gate::new(&[b, c], split.inner);
                (Gate::new(&[0, a], split.outer), Some(inner))
            })
    }
}

/// outer(inner(b, c), a), with the operands in the given order (a, b, c).
#[derive(Clone, Copy)]
struct Split {
    order: [usize; 3],
    outer: u8,
    inner: u8,
}

/// For each function of three operands, how it is two functions of two.
fn splits() -> &'static [Option<Split>; 256] {
    static SPLITS: OnceLock<[Option<Split>; 256]> = OnceLock::new();
    SPLITS.get_or_init(|| {
        let mut splits = [None; 256];
        for order in [[0, 1, 2], [1, 0, 2], [2, 0, 1]] {
            for outer in 0..16u8 {
                for inner in 0..16u8 {
                    if depends_on(outer, 2) != 2 || depends_on(inner, 2) != 2 {
                        continue;
                    }
                    let table = (0..8u8).fold(0, |table, index| {
                        let [a, b, c] = order.map(|i| index >> (2 - i) & 1);
                        let value = inner >> (b * 2 + c) & 1;
                        table | (outer >> (value * 2 + a) & 1) << index
                    });
                    splits[usize::from(table)] = Some(Split { order, outer, inner });
                }
            }
        }
        splits
    })
}

/// One search.
pub struct Search<const W: usize> {
    pub on: Truth,
    pub off: Truth,
    pub allowed: Set<W>,
    /// The most signals to use, 1 to 3.
    pub width: usize,
    /// The number of sets after which to stop.
    pub most: usize,
}

/// What a search reads, and what it has found.
struct State<'a, const W: usize> {
    rows: &'a [Set<W>],
    truth: &'a [Truth],
    pairs: Vec<Set<W>>,
    found: Vec<Resubstitution>,
}

impl<const W: usize> Search<W> {
    /// Sufficient sets, in random order.
    #[must_use]
    pub fn run(
        &self,
        rows: &[Set<W>],
        truth: &[Truth],
        random: &mut Random,
    ) -> Vec<Resubstitution> {
        let pairs = self.pairs(rows, random);
        let found = Vec::new();
        let mut state = State { rows, truth, pairs, found };
        if let Some(first) = state.pairs.first() {
            for i in shuffled(first, random) {
                self.extend(i, &mut state, random);
                if state.found.len() >= self.most {
                    break;
                }
            }
        }
        state.found
    }

    /// Sufficient sets with the signal `i`.
    fn extend(&self, i: usize, state: &mut State<W>, random: &mut Random) {
        let mut left: Vec<Set<W>> = Vec::with_capacity(2 * PAIRS);
        left.extend(state.pairs.iter().filter(|pair| !contains(pair, i)));
        if left.is_empty() {
            let Some(pair) = self.check(&[i], state) else {
                return;
            };
            left.push(pair);
        }
        if self.width == 1 {
            return;
        }
        for j in shuffled(&left[0], random) {
            if state.found.len() >= self.most {
                return;
            }
            let rest = match intersection(&left, j) {
                Some(rest) => rest,
                None => match self.check(&[i, j], state) {
                    Some(pair) => {
                        left.push(pair);
                        pair
                    }
                    None => continue,
                },
            };
            if self.width == 3 {
                for k in members(&rest) {
                    left.extend(self.check(&[i, j, k], state));
                }
            }
        }
    }

    /// Pairs of inputs to be told apart, as the allowed signals that do so, the smallest sets first.
    fn pairs(&self, rows: &[Set<W>], random: &mut Random) -> Vec<Set<W>> {
        let has = |set: &Truth, x: usize| set[x / 64] >> (x % 64) & 1 == 1;
        let mut sized = Vec::with_capacity(SAMPLES);
        for _ in 0..SAMPLES {
            let p = random.below(1024);
            // Neighbours differ in few signals.
            let q = p ^ 1 << random.below(10);
            if has(&self.on, p) && has(&self.off, q) || has(&self.off, p) && has(&self.on, q) {
                let pair = self.difference(rows, p, q);
                sized.push((pair.iter().map(|word| word.count_ones()).sum::<u32>(), pair));
            }
        }
        if sized.len() > PAIRS {
            sized.select_nth_unstable(PAIRS);
            sized.truncate(PAIRS);
        }
        sized.sort_unstable();
        let mut pairs: Vec<Set<W>> = sized.into_iter().map(|(_, pair)| pair).collect();
        if pairs.is_empty() {
            let any = |set: &Truth| (0..1024).find(|&x| has(set, x));
            if let (Some(p), Some(q)) = (any(&self.on), any(&self.off)) {
                pairs.push(self.difference(rows, p, q));
            }
        }
        pairs
    }

    fn difference(&self, rows: &[Set<W>], p: usize, q: usize) -> Set<W> {
        std::array::from_fn(|i| (rows[p][i] ^ rows[q][i]) & self.allowed[i])
    }

    /// Records a set if it suffices, else returns the pair that it does not tell apart.
    fn check(&self, signals: &[usize], state: &mut State<W>) -> Option<Set<W>> {
        let ones = [!0; 16];
        let plane = |k: usize| signals.get(k).map_or(&ones, |&signal| &state.truth[signal]);
        let (a, b, c) = (plane(0), plane(1), plane(2));
        let (mut seen_on, mut seen_off) = (0, 0);
        // Where a plane is missing, only the values with a one in its place occur.
        let missing = 3 - signals.len();
        for word in 0..16 {
            let (on, off) = (self.on[word], self.off[word]);
            for value in 0..8 {
                let digit = |plane: &Truth, shift: usize| {
                    plane[word] ^ (u64::from(value >> shift & 1 == 1)).wrapping_sub(1)
                };
                let here = digit(a, 2) & digit(b, 1) & digit(c, 0);
                seen_on |= u8::from(here & on != 0) << value;
                seen_off |= u8::from(here & off != 0) << value;
            }
            if seen_on & seen_off != 0 {
                let value = (seen_on & seen_off).trailing_zeros();
                let pair = self.conflict([a, b, c], value);
                state.pairs.push(self.difference(state.rows, pair[0], pair[1]));
                return state.pairs.last().copied();
            }
        }
        let mut padded = [0; 3];
        for (place, &signal) in padded.iter_mut().zip(signals) {
            *place = u16::try_from(signal).expect("small");
        }
        let arity = u8::try_from(signals.len()).expect("at most three");
        let [on, off] = [seen_on, seen_off].map(|seen| squeeze(seen, missing));
        state.found.push(Resubstitution { signals: padded, arity, on, off });
        None
    }

    /// Two inputs with the same operand value, where the function must be 1 and 0.
    fn conflict(&self, planes: [&Truth; 3], value: u32) -> [usize; 2] {
        [&self.on, &self.off].map(|set| {
            (0..1024)
                .find(|x| {
                    let at = |plane: &Truth| plane[x / 64] >> (x % 64) & 1;
                    let spelled = at(planes[0]) * 4 + at(planes[1]) * 2 + at(planes[2]);
                    at(set) == 1 && spelled == u64::from(value)
                })
                .expect("it was seen")
        })
    }
}

/// Drops the least significant digits of the table's index; only odd digits occur.
fn squeeze(seen: u8, missing: usize) -> u8 {
    let step = 1 << missing;
    (0..8 >> missing)
        .fold(0, |table, index| table | (seen >> (index * step + step - 1) & 1) << index)
}

/// The signals that hit every pair that `j` does not hit; `None` if there is no such pair.
fn intersection<const W: usize>(pairs: &[Set<W>], j: usize) -> Option<Set<W>> {
    let mut rest = [!0; W];
    let mut any = false;
    for pair in pairs.iter().filter(|pair| !contains(pair, j)) {
        any = true;
        (0..W).for_each(|w| rest[w] &= pair[w]);
        if rest == [0; W] {
            break;
        }
    }
    any.then_some(rest)
}

fn members<const W: usize>(set: &Set<W>) -> impl Iterator<Item = usize> + use<W> {
    let set = *set;
    (0..W).flat_map(move |word| {
        let mut bits = set[word];
        std::iter::from_fn(move || {
            let bit = bits.trailing_zeros() as usize;
            (bits != 0).then(|| {
                bits &= bits - 1;
                word * 64 + bit
            })
        })
    })
}

fn shuffled<const W: usize>(set: &Set<W>, random: &mut Random) -> Vec<usize> {
    let mut all: Vec<usize> = members(set).collect();
    for last in (1..all.len()).rev() {
        all.swap(last, random.below(last + 1));
    }
    all
}
