//! Skein: the known answers of the submission, in one call, in pieces, and side by side, on every backend.

#![cfg(all(feature = "threefish", feature = "std"))]

use crate::common;
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
    assert_eq!(rows.len(), 392);
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
    let count = |which: fn(&&Row) -> bool| rows.iter().filter(which).count();
    let of_bits = count(|row| !row.bits.is_multiple_of(8));
    let codes = count(|row| !row.key.is_empty());
    let trees = count(|row| row.tree.is_some());
    let counts = match W {
        4 => [130, 55, 24, 9],
        8 => [132, 54, 22, 10],
        _ => [130, 53, 23, 9],
    };
    assert_eq!([rows.len(), of_bits, codes, trees], counts);
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
    for count in [1, 3, 5, 8, 13, 20, rows.len()] {
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

/// Pseudo-random bytes.
fn bytes(random: &mut Random, len: usize) -> Vec<u8> {
    (0..len).map(|_| random.below(256) as u8).collect()
}

/// Lengths, keys and lanes that the known answers do not have: against the crate `skein`.
#[test]
fn a_second_opinion() {
    use icefish::constructions::skein::Skein512;
    use skein::digest::Digest;
    let mut random = Random(7);
    for backend in Backend::available() {
        let skein = Skein512::on(backend, 512, &Arguments::default());
        for count in [1, 2, 3, 8, 9, 50] {
            let messages: Vec<Vec<u8>> = (0..count)
                .map(|_| {
                    let len = random.below(2000);
                    bytes(&mut random, len)
                })
                .collect();
            let messages: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
            let mut digests = vec![0; 64 * count];
            skein.hash_many(&messages, &mut digests).expect("the length fits");
            for (message, digest) in messages.iter().zip(digests.chunks_exact(64)) {
                let theirs = skein::Skein512_512::digest(message);
                assert_eq!(
                    theirs[..],
                    *digest,
                    "{} bytes, one of {count}, {backend}",
                    message.len()
                );
            }
        }
    }
}

/// A long output is the blocks that its beginning has, whatever the pieces.
#[test]
fn long_outputs() {
    use icefish::constructions::skein::Skein256;
    for backend in Backend::available() {
        let mut hasher = Skein256::on(backend, Skein256::ENDLESS, &Arguments::default()).hasher();
        hasher.update(b"seed");
        let mut whole = vec![0; 2000];
        hasher.clone().output().fill(&mut whole);
        let (mut pieces, mut output) = (vec![0; 2000], hasher.output());
        for piece in pieces.chunks_mut(31) {
            output.fill(piece);
        }
        assert!(whole == pieces && whole[..32] != whole[32..64], "{backend}");
    }
}

/// Trees that threads and lanes share are those that one lane makes.
#[test]
fn trees_of_any_shape() {
    use icefish::constructions::skein::Skein512;
    let mut random = Random(9);
    let message = bytes(&mut random, 700_000);
    for (leaf, node, height) in
        [(1, 1, 255), (1, 2, 3), (6, 6, 255), (9, 1, 2), (60, 3, 4), (255, 255, 255)]
    {
        let tree = Some(Tree::new(leaf, node, height).expect("a shape"));
        let arguments = Arguments { tree, key: b"a key", ..Arguments::default() };
        for len in [0, 1, 64, 127, 128, 129, 4096, 50_000, message.len()] {
            let mut expected = None;
            for backend in Backend::available() {
                let skein = Skein512::on(backend, 512, &arguments);
                #[cfg(feature = "parallel")]
                let skein = skein.on_all_cores();
                let mut digest = [0; 64];
                skein.hash(&message[..len], &mut digest).expect("the length fits");
                let mut hasher = skein.hasher();
                // No piece is a whole leaf: nothing is side by side.
                message[..len].chunks(100).for_each(|piece| hasher.update(piece));
                hasher.verify(&digest).expect("the same in pieces");
                assert_eq!(
                    *expected.get_or_insert(digest),
                    digest,
                    "{len} bytes, {tree:?}, {backend}"
                );
            }
        }
    }
    assert!(
        Tree::new(0, 1, 2).is_err() && Tree::new(1, 0, 2).is_err() && Tree::new(1, 1, 1).is_err()
    );
}

#[test]
fn arguments_and_errors() {
    use icefish::Error;
    use icefish::constructions::skein::Skein512;
    let digest = |arguments: &Arguments<'_>| {
        let mut digest = [0; 64];
        Skein512::with(512, arguments).hash(b"message", &mut digest).expect("the length fits");
        digest
    };
    let none = Arguments::default();
    let some = Some(&b"x"[..]);
    let all = [
        none,
        Arguments { key: b"x", ..none },
        Arguments { personalisation: some, ..none },
        Arguments { public_key: some, ..none },
        Arguments { key_identifier: some, ..none },
        Arguments { nonce: some, ..none },
        Arguments { nonce: Some(b""), ..none },
        Arguments { tree: Some(Tree::USUAL), ..none },
    ];
    for (i, one) in all.iter().enumerate() {
        for other in &all[..i] {
            assert_ne!(digest(one), digest(other));
        }
    }
    let skein = Skein512::new(509);
    let mut digest = [0; 64];
    skein.hash(b"message", &mut digest).expect("the length fits");
    assert_eq!(digest[63] & 7, 0, "unused bits");
    skein.verify(b"message", &digest).expect("it is right");
    digest[63] ^= 8;
    assert_eq!(skein.verify(b"message", &digest), Err(Error::Forged));
    let wrong = Err(Error::BufferLength { got: 63, need: 64 });
    assert_eq!(skein.hash(b"message", &mut digest[..63]), wrong);
    assert_eq!(skein.hash_many(&[b"message"], &mut digest[..63]), wrong);
    assert_eq!(skein.hash_bits(b"m", 9, &mut digest), Err(Error::TooShort { got: 1, least: 2 }));
    let secret = Skein512::with(512, &Arguments { key: &[0xab; 16], ..none });
    assert!(!format!("{secret:?} {:?}", Arguments { key: &[0xab; 16], ..none }).contains("171"));
}

/// Code that is generic over hashes, codes and outputs.
#[cfg(feature = "rustcrypto")]
#[test]
fn traits_of_rustcrypto() {
    use digest::{Digest, ExtendableOutputReset, KeyInit, Mac, Update, XofReader};
    use icefish::constructions::skein::Skein512;
    use icefish::rustcrypto::{Skein512Digest, Skein512Mac, SkeinXof};
    fn digest<D: Digest + digest::FixedOutputReset>(message: &[u8]) -> Vec<u8> {
        let mut hash = D::new();
        Digest::update(&mut hash, b"dropped");
        Digest::reset(&mut hash);
        Digest::update(&mut hash, message);
        let digest = hash.finalize_reset();
        Digest::update(&mut hash, message);
        assert_eq!(hash.finalize(), digest);
        digest.to_vec()
    }
    let message = [7; 300];
    let mut expected = [0; 64];
    Skein512::new(512).hash(&message, &mut expected).expect("the length fits");
    assert_eq!(digest::<Skein512Digest>(&message), expected);
    assert_eq!(digest::<skein::Skein512_512>(&message), expected);

    let arguments = Arguments { key: &[3; 64], ..Arguments::default() };
    Skein512::with(512, &arguments).hash(&message, &mut expected).expect("the length fits");
    let mut mac = <Skein512Mac as KeyInit>::new(&[3; 64].into());
    Mac::update(&mut mac, &message);
    mac.verify_slice(&expected).expect("it is right");
    let mut mac = Skein512Mac::<digest::consts::U64>::new_from_slice(&[3; 64]).expect("a key");
    Mac::update(&mut mac, &message[1..]);
    mac.verify_slice(&expected).expect_err("another message");
    assert!(Skein512Mac::<digest::consts::U64>::new_from_slice(&[]).is_err());

    let mut hasher = Skein512::new(Skein512::ENDLESS).hasher();
    hasher.update(&message);
    let (mut expected, mut got) = ([0; 200], [0; 200]);
    hasher.output().fill(&mut expected);
    let mut xof = SkeinXof::<8, 64>::default();
    Update::update(&mut xof, &message);
    xof.finalize_xof_reset().read(&mut got);
    assert_eq!(got, expected);
}

/// Leaves may be hashed in any order, and are the message once they are added in the right one.
#[test]
fn leaves_ahead() {
    use icefish::Error;
    use icefish::constructions::skein::Skein512;
    let mut random = Random(10);
    let message = bytes(&mut random, 100_000);
    for backend in Backend::available() {
        for (leaf, node, height) in [(1, 1, 255), (6, 6, 255), (3, 1, 2)] {
            let tree = Some(Tree::new(leaf, node, height).expect("a shape"));
            let arguments = Arguments { tree, ..Arguments::default() };
            let skein = Skein512::on(backend, 512, &arguments);
            let size = skein.leaf_len().expect("a tree");
            assert_eq!(size, 64 << leaf);
            for len in [size, 2 * size, 9 * size + 1, message.len()] {
                let (whole, rest) = message[..len].split_at(len / size * size);
                let (first, second) = whole.split_at(whole.len() / size / 2 * size);
                let second = skein.leaves(first.len() as u64, second).expect("whole leaves");
                let first = skein.leaves(0, first).expect("whole leaves");
                let mut hasher = skein.hasher();
                if !whole[..size * (whole.len() / size / 2)].is_empty() {
                    assert_eq!(hasher.append(&second), Err(Error::Leaves));
                }
                hasher.append(&first).expect("the next");
                hasher.append(&second).expect("the next");
                hasher.update(rest);
                let (mut digest, mut expected) = ([0; 64], [0; 64]);
                let after = hasher.clone().append(&skein.leaves(0, &[]).expect("none"));
                assert_eq!(after, Err(Error::Leaves));
                hasher.finish(&mut digest).expect("the length fits");
                skein.hash(&message[..len], &mut expected).expect("the length fits");
                assert_eq!(digest, expected, "{len} bytes, {tree:?}, {backend}");
            }
            assert!(skein.leaves(1, &message[..size]).is_err());
            assert!(skein.leaves(0, &message[..size + 1]).is_err());
        }
        let chain = Skein512::on(backend, 512, &Arguments::default());
        assert!(chain.leaf_len().is_none() && chain.leaves(0, &[]).is_err());
    }
}

/// A hasher tells which hash it belongs to, and a hash how long its digests are.
#[test]
fn hashes_tell_their_lengths() {
    for (bits, bytes) in [(224, 28), (512, 64), (9, 2)] {
        let skein = icefish::constructions::skein::Skein512::new(bits);
        assert_eq!((skein.digest_bits(), skein.digest_len()), (bits, bytes));
        let hasher = skein.hasher();
        assert_eq!(hasher.skein().digest_bits(), bits);
        let (mut digest, mut same) = (vec![0; bytes], vec![0; bytes]);
        hasher.skein().hash(b"abc", &mut digest).unwrap();
        skein.hash(b"abc", &mut same).unwrap();
        assert_eq!(digest, same);
    }
}

/// Leaves are for trees, and every message has a digest.
#[test]
fn what_does_not_fit_is_refused() {
    use icefish::Error;
    use icefish::constructions::skein::{Arguments, Message, Skein512, Tree, hash_many};
    let (chain, backend) = (Skein512::new(512), icefish::Backend::best());
    let tree = Skein512::with(512, &Arguments { tree: Some(Tree::USUAL), ..Arguments::default() });
    let leaves = tree.leaves(0, &vec![7; tree.leaf_len().unwrap()]).unwrap();
    assert_eq!(chain.hasher().append(&leaves), Err(Error::Leaves));
    let refused = hash_many(backend, &[Message::new(&chain, b"abc")], &mut []);
    assert_eq!(refused, Err(Error::BufferLength { got: 0, need: 1 }));
}
