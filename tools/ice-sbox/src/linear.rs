//! Networks for row-dependent linear forms.
//!
//! With the row bits `lo` and `hi`, a form is base + f1 L1 + f2 L2 + f3 L3: the fs are any three selectors that
//! with 1 span the functions of (lo, hi), the Ls are linear forms of the variables. The base may be exchanged for
//! base + (some of the Ls) by complementing the selectors. A selector term costs one three-input operation
//! (acc ^ (f & L)); what differs among the ways to write a form is how many linear forms it needs that are not
//! there yet. Constants cost nothing: they go into truth tables.

use crate::builder::{Builder, Wire, ZERO};
use crate::muxed::{Form, Forms};

/// Costs of the parts, in operations.
#[derive(Clone, Copy, Debug)]
pub struct Prices {
    /// acc ^ (f & L)
    pub term: u32,
    /// The same if f & L is there already.
    pub repeated_term: u32,
    /// The sum of two operands in the last operation of an output comes free (with the accumulator plane as third).
    pub free_pair: bool,
}

/// Selectors as masks over (lo, hi, lo & hi), modulo constants: every function of the row bits is one of them.
const SELECTORS: usize = 8;

/// How one form is written: three selectors, and the Ls that go into the base.
#[derive(Clone, Copy, Debug, Default)]
struct Writing {
    selectors: [usize; 3],
    terms: [u16; 3],
    complemented: [bool; 3],
    base: u16,
}

/// Three independent selectors and the dual basis: L_k is the sum of the coefficients in `dual[k]`.
struct SelectorBasis {
    selectors: [usize; 3],
    dual: [usize; 3],
}

impl SelectorBasis {
    /// The price of each term, plain and with the selector complemented.
    fn prices(&self, terms: &[u16; 3], uses: &Uses, prices: Prices) -> [[u32; 2]; 3] {
        std::array::from_fn(|k| {
            let (selector, term) = (self.selectors[k], terms[k]);
            if term == 0 {
                return [0; 2];
            }
            let made = terms[..k].iter().any(|earlier| (earlier ^ term) & 255 == 0);
            let form = if made { 0 } else { uses.missing(term) };
            let fresh = prices.term + form + u32::from(uses.selectors[selector] == 0);
            [false, true].map(|complemented| {
                let there = prices.repeated_term < prices.term
                    && uses.products[product(selector, complemented, term)] > 0;
                if there { prices.repeated_term } else { fresh }
            })
        })
    }
}

fn selector_bases() -> Vec<SelectorBasis> {
    let mut bases = Vec::new();
    for a in 1..SELECTORS {
        for b in a + 1..SELECTORS {
            for c in (b + 1..SELECTORS).filter(|&c| c != a ^ b) {
                let g = [a, b, c];
                // dual[k] has an even overlap with each g but g[k].
                let dual = std::array::from_fn(|k| {
                    (1..SELECTORS)
                        .find(|&d| (0..3).all(|j| (d & g[j]).count_ones() % 2 == u32::from(j == k)))
                        .expect("a basis has a dual basis")
                });
                bases.push(SelectorBasis { selectors: g, dual });
            }
        }
    }
    bases
}

/// Chooses the writings of forms.
pub struct Chooser {
    bases: Vec<SelectorBasis>,
    prices: Prices,
}

/// Forms and selectors in use, with the number of uses.
struct Uses {
    forms: [u8; 256],
    selectors: [u8; SELECTORS],
    /// By selector, complement and form.
    products: Vec<u8>,
}

/// The place of a product among the products.
fn product(selector: usize, complemented: bool, form: u16) -> usize {
    (selector * 2 + usize::from(complemented)) * 512 + usize::from(form)
}

impl Uses {
    fn new() -> Self {
        let mut uses = Self {
            forms: [0; 256],
            selectors: [0; SELECTORS],
            products: vec![0; SELECTORS * 2 * 512],
        };
        // Zero and single variables are there from the start; so are lo and hi.
        uses.forms[0] = 1;
        (0..8).for_each(|i| uses.forms[1 << i] = 1);
        uses.selectors[..3].fill(1);
        uses
    }

    fn count(&mut self, writing: &Writing, base_is_free: bool, change: impl Fn(&mut u8)) {
        for k in (0..3).filter(|&k| writing.terms[k] != 0) {
            let (selector, term) = (writing.selectors[k], writing.terms[k]);
            change(&mut self.selectors[selector]);
            change(&mut self.forms[usize::from(term & 255)]);
            change(&mut self.products[product(selector, writing.complemented[k], term)]);
        }
        if !base_is_free {
            change(&mut self.forms[usize::from(writing.base & 255)]);
        }
    }

    /// What a form costs that may not be there yet.
    fn missing(&self, form: u16) -> u32 {
        u32::from(self.forms[usize::from(form & 255)] == 0)
    }

    fn price(&self, prices: Prices) -> u32 {
        let used = |counts: &[u8]| counts.iter().filter(|&&n| n > 0).count();
        let parts = used(&self.forms) - 9 + used(&self.selectors) - 3;
        let products = if prices.term == prices.repeated_term { 0 } else { used(&self.products) };
        u32::try_from(parts + products).expect("small")
    }
}

/// The coefficients of 1, lo, hi and lo & hi.
fn coefficients(form: &Form) -> [u16; 4] {
    let [t0, t1, t2, t3] = *form;
    [t0, t0 ^ t1, t0 ^ t2, t0 ^ t1 ^ t2 ^ t3]
}

impl Chooser {
    #[must_use]
    pub fn new(prices: Prices) -> Self {
        Self { bases: selector_bases(), prices }
    }

    fn base_is_free(&self, base: u16) -> bool {
        self.prices.free_pair && (base & 255).count_ones() <= 2
    }

    /// The cheapest writing of one form, given what is in use.
    fn best(&self, form: &Form, uses: &Uses) -> (u32, Writing) {
        let [one, lo, hi, both] = coefficients(form);
        let combined = [0, lo, hi, lo ^ hi, both, lo ^ both, hi ^ both, lo ^ hi ^ both];
        let mut best = (u32::MAX, Writing::default());
        for basis in &self.bases {
            let terms = basis.dual.map(|d| combined[d]);
            let price = basis.prices(&terms, uses, self.prices);
            for subset in 0..8 {
                let complemented: [bool; 3] = std::array::from_fn(|k| subset >> k & 1 == 1);
                let base = (0..3).filter(|&k| complemented[k]).fold(one, |sum, k| sum ^ terms[k]);
                let there =
                    self.base_is_free(base) || terms.iter().any(|term| (term ^ base) & 255 == 0);
                let total = (0..3).map(|k| price[k][usize::from(complemented[k])]).sum::<u32>()
                    + if there { 0 } else { uses.missing(base) };
                if total < best.0 {
                    let selectors = basis.selectors;
                    best = (total, Writing { selectors, terms, complemented, base });
                }
            }
        }
        best
    }

    /// Writes eight forms: one after the other, then each again with the others fixed.
    fn writings(&self, forms: &Forms) -> (u32, [Writing; 8]) {
        let mut uses = Uses::new();
        let mut writings = [Writing::default(); 8];
        for pass in 0..3 {
            for (form, writing) in forms.iter().zip(&mut writings) {
                if pass > 0 {
                    uses.count(writing, self.base_is_free(writing.base), |n| *n -= 1);
                }
                *writing = self.best(form, &uses).1;
                uses.count(writing, self.base_is_free(writing.base), |n| *n += 1);
            }
        }
        let terms = writings.iter().flat_map(|w| w.terms).filter(|&term| term != 0);
        let terms = u32::try_from(terms.count()).expect("at most 24");
        (uses.price(self.prices) + self.prices.repeated_term * terms, writings)
    }

    /// An estimate of the operations that eight forms take.
    #[must_use]
    pub fn price(&self, forms: &Forms) -> u32 {
        self.writings(forms).0
    }

    /// Adds a network for eight forms.
    pub fn build(
        &self,
        net: &mut Builder,
        forms: &Forms,
        rows: Rows,
        variables: &[Wire; 8],
    ) -> [Wire; 8] {
        let (_, writings) = self.writings(forms);
        let mut pool = Pool::new(variables);
        for writing in &writings {
            writing.terms.iter().for_each(|&term| pool.want(term));
            if !self.base_is_free(writing.base) {
                pool.want(writing.base);
            }
        }
        pool.fill(net);
        writings.map(|writing| {
            let mut sum = pool.get(net, writing.base);
            for k in 0..3 {
                let form = pool.get(net, writing.terms[k]);
                let selector = rows.selector(net, writing.selectors[k]);
                let term = net.and(selector.invert_if(writing.complemented[k]), form);
                sum = net.xor(sum, term);
            }
            sum
        })
    }
}

/// The row bits.
#[derive(Clone, Copy)]
pub struct Rows {
    pub hi: Wire,
    pub lo: Wire,
}

impl Rows {
    fn selector(self, net: &mut Builder, mask: usize) -> Wire {
        let Self { hi, lo } = self;
        match mask {
            1 => lo,
            2 => hi,
            3 => net.xor(lo, hi),
            4 => net.and(lo, hi),
            5 => net.and(lo, hi.invert_if(true)),
            6 => net.and(lo.invert_if(true), hi),
            _ => net.and(lo.invert_if(true), hi.invert_if(true)).invert_if(true),
        }
    }
}

/// Linear forms that have a wire, and those that still need one.
struct Pool {
    wires: [Option<Wire>; 256],
    known: Vec<usize>,
    wanted: Vec<usize>,
}

impl Pool {
    fn new(variables: &[Wire; 8]) -> Self {
        let mut wires = [None; 256];
        (0..8).for_each(|i| wires[1 << i] = Some(variables[i]));
        Self { wires, known: (0..8).map(|i| 1 << i).collect(), wanted: Vec::new() }
    }

    fn want(&mut self, form: u16) {
        let form = usize::from(form & 255);
        if form != 0 && self.wires[form].is_none() && !self.wanted.contains(&form) {
            self.wanted.push(form);
        }
    }

    /// Makes the wanted forms, always one that is the sum of the fewest forms already made.
    fn fill(&mut self, net: &mut Builder) {
        while let Some((distance, form)) = self.nearest() {
            let parts = self.parts(form, distance).expect("parts at this distance");
            let sum = net.sum(parts.iter().map(|&part| self.wires[part].expect("known")));
            self.wires[form] = Some(sum);
            self.known.push(form);
            self.wanted.retain(|&other| other != form);
        }
    }

    fn nearest(&self) -> Option<(usize, usize)> {
        let distance =
            |&form: &usize| (1..=8).find(|&n| self.parts(form, n).is_some()).expect("units");
        self.wanted.iter().map(|form| (distance(form), *form)).min()
    }

    /// `count` known forms that add up to `form`.
    fn parts(&self, form: usize, count: usize) -> Option<Vec<usize>> {
        if count == 1 {
            return self.wires[form].map(|_| vec![form]);
        }
        self.known.iter().find_map(|&part| {
            let mut parts = self.parts(form ^ part, count - 1)?;
            parts.push(part);
            Some(parts)
        })
    }

    fn get(&self, net: &mut Builder, form: u16) -> Wire {
        let linear = usize::from(form & 255);
        let wire = if linear == 0 {
            ZERO
        } else {
            // A pair that comes free with the output operation may not be in the pool.
            self.wires[linear].unwrap_or_else(|| {
                let units = (0..8).filter(|i| linear >> i & 1 == 1);
                net.sum(units.map(|i| self.wires[1 << i].expect("a variable")))
            })
        };
        wire.invert_if(form >> 8 & 1 == 1)
    }
}
