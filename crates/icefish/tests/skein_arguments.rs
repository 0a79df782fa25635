//! Skein with random arguments, lengths in bits, pieces and trees: against the page of the specification, on every backend.

#![cfg(all(feature = "threefish", feature = "std"))]

use crate::spec;
use icefish::Backend;
use icefish::constructions::skein::{Arguments, Message, Skein, Tree, hash_many};

/// Types of strings that the page has no names for (section 3.5.1, table 6).
const PERSONALISATION: u8 = 8;
const PUBLIC_KEY: u8 = 12;
const KEY_IDENTIFIER: u8 = 16;
const NONCE: u8 = 20;

/// Pseudo-random numbers below a bound (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((z ^ (z >> 27)) % bound as u64) as usize
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.below(256) as u8).collect()
    }

    /// A string of any length, none, or an empty one.
    fn string(&mut self) -> Option<Vec<u8>> {
        match self.below(4) {
            0 => None,
            1 => Some(Vec::new()),
            _ => {
                let len = self.below(300);
                Some(self.bytes(len))
            }
        }
    }
}

/// A message with all that its digest depends on.
struct Case {
    out: usize,
    key: Vec<u8>,
    strings: [Option<Vec<u8>>; 4],
    tree: Option<[u8; 3]>,
    message: Vec<u8>,
    bits: usize,
}

impl Case {
    fn random(random: &mut Random) -> Self {
        let (key, strings) =
            (random.string().unwrap_or_default(), [(); 4].map(|()| random.string()));
        let height = [2, 3, 4, 255][random.below(4)];
        let tree = [1 + random.below(4) as u8, 1 + random.below(3) as u8, height];
        let len = random.below(6000);
        let message = random.bytes(len);
        let bits = (8 * len).saturating_sub(random.below(16));
        let tree = (random.below(3) > 0).then_some(tree);
        Self { out: 1 + random.below(2500), key, strings, tree, message, bits }
    }

    /// The digest by the specification.
    fn expected(&self, size: usize) -> Vec<u8> {
        let kinds = [PERSONALISATION, PUBLIC_KEY, KEY_IDENTIFIER, NONCE];
        let mut strings = vec![(spec::skein::KEY, &self.key[..])];
        strings.extend(
            kinds.iter().zip(&self.strings).filter_map(|(kind, s)| Some((*kind, s.as_deref()?))),
        );
        let tree = self.tree.map_or_else(Default::default, |[leaf, node, height]| {
            spec::skein::Tree { leaf, node, height }
        });
        spec::skein::hash(
            size,
            self.out,
            &strings,
            tree,
            spec::skein::Bits(&self.message, self.bits),
        )
    }

    fn skein<const W: usize, const B: usize>(&self, backend: Backend) -> Skein<W, B> {
        let [personalisation, public_key, key_identifier, nonce] =
            [0, 1, 2, 3].map(|i: usize| self.strings[i].as_deref());
        let tree = self.tree.map(|[a, b, c]| Tree::new(a, b, c).expect("a shape"));
        let key = &self.key[..];
        let arguments = Arguments { key, personalisation, public_key, key_identifier, nonce, tree };
        Skein::on(backend, self.out as u64, &arguments)
    }

    fn name(&self, backend: Backend) -> String {
        let lengths: Vec<_> = self.strings.iter().map(|s| s.as_ref().map(Vec::len)).collect();
        let Self { out, bits, tree, .. } = self;
        format!("{out} of {bits} bits, {lengths:?}, {tree:?}, {backend}")
    }
}

fn all<const W: usize, const B: usize>(seed: u64) {
    let mut random = Random(seed);
    let cases: Vec<Case> = (0..40).map(|_| Case::random(&mut random)).collect();
    let expected: Vec<Vec<u8>> = cases.iter().map(|case| case.expected(B)).collect();
    for backend in Backend::available() {
        let skeins: Vec<Skein<W, B>> = cases.iter().map(|case| case.skein(backend)).collect();
        for ((case, skein), expected) in cases.iter().zip(&skeins).zip(&expected) {
            let mut digest = vec![0; expected.len()];
            skein.hash_bits(&case.message, case.bits, &mut digest).expect("the lengths fit");
            assert_eq!(digest, *expected, "{}", case.name(backend));
            let (mut hasher, mut at) = (skein.hasher(), 0);
            while at < case.bits / 8 && random.below(9) > 0 {
                let now = random.below(case.bits / 8 - at + 1);
                hasher.update(&case.message[at..at + now]);
                at += now;
            }
            let rest = (&case.message[at..], case.bits - 8 * at);
            hasher.finish_bits(rest.0, rest.1, &mut digest).expect("the lengths fit");
            assert_eq!(digest, *expected, "in pieces: {}", case.name(backend));
        }
        let messages: Vec<Message<'_, W, B>> = cases
            .iter()
            .zip(&skeins)
            .map(|(case, skein)| Message { skein, bytes: &case.message, bits: case.bits })
            .collect();
        let mut digests: Vec<Vec<u8>> = expected.iter().map(|e| vec![0; e.len()]).collect();
        let mut places: Vec<&mut [u8]> = digests.iter_mut().map(|digest| &mut digest[..]).collect();
        hash_many(backend, &messages, &mut places).expect("the lengths fit");
        for ((case, digest), expected) in cases.iter().zip(&digests).zip(&expected) {
            assert_eq!(digest, expected, "side by side: {}", case.name(backend));
        }
    }
}

#[test]
fn skein_256() {
    all::<4, 32>(1);
}

#[test]
fn skein_512() {
    all::<8, 64>(2);
}

#[test]
fn skein_1024() {
    all::<16, 128>(3);
}

/// A hash is what is written to, and its output what is read from.
#[test]
fn streams_of_std() {
    use icefish::constructions::skein::Skein512;
    use std::io::{Read, Write};
    let (message, skein) = (Random(4).bytes(3000), Skein512::new(Skein512::ENDLESS));
    let mut hasher = skein.hasher();
    let copied = std::io::copy(&mut &message[..], &mut hasher).expect("it takes any bytes");
    hasher.flush().expect("nothing is left behind");
    assert_eq!(copied, 3000);
    let mut read = Vec::new();
    hasher.output().take(500).read_to_end(&mut read).expect("it never fails");
    let (mut other, mut filled) = (skein.hasher(), vec![0; 500]);
    other.update(&message);
    other.output().fill(&mut filled);
    assert_eq!(read, filled);
}
