//! Skein: the known answers of the submission, in one call, in pieces, and side by side, on every backend.

mod common;

use icefish::Backend;
use icefish::constructions::skein::{Arguments, Hasher, Message, Skein, Tree, hash_many};

/// A row of the known answers.
struct Row {
    state: usize,
    out: u64,
    bits: usize,
    message: Vec<u8>,
    key: Vec<u8>,
    tree: Option<Tree>,
    digest: Vec<u8>,
}

fn rows() -> Vec<Row> {
    let text = include_str!("vectors/threefish/skein13_golden_kat.csv");
    let hex = |field: &str| common::hex(field);
    let rows: Vec<Row> = text
        .lines()
        .skip(1)
        .map(|line| {
            let field: Vec<&str> = line.split(',').collect();
            let shape: Vec<u8> = field[5..8].iter().map(|n| n.parse().expect("a number")).collect();
            let tree = (shape[0] > 0)
                .then(|| Tree::new(shape[0], shape[1], shape[2]).expect("a shape of a tree"));
            Row {
                state: field[0].parse().expect("a number"),
                out: field[1].parse().expect("a number"),
                bits: field[2].parse().expect("a number"),
                message: hex(field[3]),
                key: hex(field[4]),
                tree,
                digest: hex(field[8]),
            }
        })
        .collect();
    assert!(rows.len() > 300, "{} rows", rows.len());
    rows
}

impl Row {
    fn skein<const W: usize, const B: usize>(&self, backend: Backend) -> Skein<W, B> {
        let arguments = Arguments { key: &self.key, tree: self.tree, ..Arguments::default() };
        Skein::on(backend, self.out, &arguments)
    }

    fn name(&self, backend: Backend) -> String {
        let key = self.key.len();
        format!(
            "Skein-{}-{} of {} bits, key of {key} bytes, {:?}, {backend}",
            self.state, self.out, self.bits, self.tree
        )
    }
}

/// Pseudo-random numbers below a bound (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((z ^ (z >> 27)) % bound as u64) as usize
    }
}

/// Hashes a row's message in pieces, and reads the digest in pieces.
fn in_pieces<const W: usize, const B: usize>(
    row: &Row,
    hasher: &mut Hasher<W, B>,
    random: &mut Random,
) -> Vec<u8> {
    let mut rest = &row.message[..row.bits / 8];
    while !rest.is_empty() && random.below(4) > 0 {
        let (piece, after) = rest.split_at(random.below(rest.len().min(300) + 1));
        hasher.update(piece);
        rest = after;
    }
    let at = row.bits / 8 - rest.len();
    let mut output = hasher
        .clone()
        .output_bits(&row.message[at..], row.bits - 8 * at)
        .expect("the bits are there");
    let mut digest = vec![0; row.digest.len()];
    let mut rest = &mut digest[..];
    while !rest.is_empty() {
        let (piece, after) = rest.split_at_mut(random.below(rest.len() + 1));
        output.fill(piece);
        rest = after;
    }
    hasher.reset();
    digest
}

fn known_answers<const W: usize, const B: usize>() {
    let rows: Vec<Row> = rows().into_iter().filter(|row| row.state == 8 * B).collect();
    assert!(rows.len() > 100 && rows.iter().any(|row| row.tree.is_some() && row.bits > 8 * B));
    let mut random = Random(B as u64);
    for backend in Backend::available() {
        let skeins: Vec<Skein<W, B>> = rows.iter().map(|row| row.skein(backend)).collect();
        for (row, skein) in rows.iter().zip(&skeins) {
            let mut digest = vec![0; row.digest.len()];
            skein.hash_bits(&row.message, row.bits, &mut digest).expect("the lengths fit");
            assert_eq!(digest, row.digest, "{}", row.name(backend));
            let mut hasher = skein.hasher();
            for _ in 0..4 {
                let digest = in_pieces(row, &mut hasher, &mut random);
                assert_eq!(digest, row.digest, "in pieces: {}", row.name(backend));
            }
        }
        side_by_side(&rows, &skeins, backend, &mut random);
    }
}

/// All rows in calls of several messages.
fn side_by_side<const W: usize, const B: usize>(
    rows: &[Row],
    skeins: &[Skein<W, B>],
    backend: Backend,
    random: &mut Random,
) {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    for i in 1..order.len() {
        order.swap(i, random.below(i + 1));
    }
    for count in [1, 3, 5, 8, 20, rows.len()] {
        for some in order.chunks(count) {
            let messages: Vec<Message<'_, W, B>> = some
                .iter()
                .map(|&i| Message {
                    skein: &skeins[i],
                    bytes: &rows[i].message,
                    bits: rows[i].bits,
                })
                .collect();
            let mut digests: Vec<Vec<u8>> =
                some.iter().map(|&i| vec![0; rows[i].digest.len()]).collect();
            let mut places: Vec<&mut [u8]> =
                digests.iter_mut().map(|digest| &mut digest[..]).collect();
            hash_many(backend, &messages, &mut places).expect("the lengths fit");
            for (&i, digest) in some.iter().zip(&digests) {
                assert_eq!(*digest, rows[i].digest, "one of {count}: {}", rows[i].name(backend));
            }
        }
    }
}

#[test]
fn known_answers_of_skein_256() {
    known_answers::<4, 32>();
}

#[test]
fn known_answers_of_skein_512() {
    known_answers::<8, 64>();
}

#[test]
fn known_answers_of_skein_1024() {
    known_answers::<16, 128>();
}
