//! Skein beside the Threefish that it is made of.
//!
//! | | beside |
//! |---|---|
//! | one message | other code for Skein, and Skein of our Threefish by its public calls: a key, a tweak and a block at a time |
//! | 8 messages, a tree | our Threefish on as many bytes in place, with a tweak a block |
//!
//! Digests of one function must agree.

use std::hint::black_box;

use icefish::ciphers::Threefish;
use icefish::constructions::skein::Tree;
use icefish::{Backend, Key};
use icefish_bench::Error;
use icefish_bench::clock::Clock;
use icefish_bench::identity::{Identity, Kind, OURS};
use icefish_bench::machine::Machine;
use icefish_bench::measure::{Entry, Group, measure};
use icefish_bench::row::Row;

use super::sides::{self, Work};
use super::{Args, data, settings};

/// Bytes of a message, and of data that stays in the first cache.
const MESSAGE: usize = 16 * 1024;
const TREE: usize = 16 << 20;
const LARGE: usize = 1 << 30;

/// A side.
struct Side {
    what: String,
    by: &'static str,
    version: &'static str,
    work: Work,
}

impl Side {
    fn ours(what: impl Into<String>, work: Work) -> Self {
        Self { what: what.into(), by: OURS, version: env!("CARGO_PKG_VERSION"), work }
    }
}

/// Sides on the same bytes.
struct Contest {
    backend: Backend,
    lengths: Vec<usize>,
    sides: Vec<Side>,
}

/// Measures everything that is wanted and not too long, and adds its rows.
pub(super) fn run(
    args: &Args,
    machine: &Machine,
    clock: &mut Clock,
    rows: &mut Vec<Row>,
) -> Result<(), Error> {
    let wanted = |filter: &String| "bounds".contains(&**filter);
    if !args.filters.is_empty() && !args.filters.iter().any(wanted) {
        return Ok(());
    }
    for contest in contests() {
        if contest.lengths.iter().sum::<usize>() as u64 <= args.most {
            rows.extend(contest.measure(machine, clock)?);
        }
    }
    Ok(())
}

/// On the best backend, and on AVX2 where that is not the best: beside Threefish with the same instructions.
fn contests() -> Vec<Contest> {
    let best = Backend::best();
    let narrow = Backend::by_name("avx2").ok().filter(|_| best.name().starts_with("avx512"));
    let mut all = Vec::new();
    for backend in [Some(best), narrow].into_iter().flatten() {
        all.extend(of_a_size::<4, 32>(backend));
        all.extend(of_a_size::<8, 64>(backend));
        all.extend(of_a_size::<16, 128>(backend));
        let tree = Some(Tree::USUAL);
        let sides = vec![
            Side::ours("skein-512 tree", sides::skein::<8, 64>(backend, tree, false)),
            Side::ours("threefish-512, a tweak a block", bulk::<8, 64>(backend, usize::MAX, 1)),
            Side::ours(
                "threefish-512, a tweak a block, in cache",
                bulk::<8, 64>(backend, MESSAGE, 1),
            ),
        ];
        all.push(Contest { backend, lengths: vec![TREE], sides });
    }
    if cfg!(feature = "parallel") {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let tree = sides::skein::<8, 64>(best, Some(Tree::USUAL), true);
        let sides = vec![
            Side::ours("skein-512 tree, all cores", tree),
            Side::ours(
                "threefish-512, a tweak a block, all cores",
                bulk::<8, 64>(best, usize::MAX, threads),
            ),
            Side::ours(
                "threefish-512, a tweak a block, in cache, all cores",
                bulk::<8, 64>(best, MESSAGE, threads),
            ),
        ];
        all.push(Contest { backend: best, lengths: vec![LARGE], sides });
    }
    all
}

/// One message, and eight.
fn of_a_size<const W: usize, const B: usize>(backend: Backend) -> [Contest; 2] {
    let bits = 8 * B as u16;
    let skein = format!("skein-{bits}");
    let mut one = vec![
        Side::ours(&skein, sides::skein::<W, B>(backend, None, false)),
        Side::ours(format!("threefish-{bits}, a key a block"), chained::<W, B>(backend)),
    ];
    if backend == Backend::best() {
        one.extend(sides::others(bits).into_iter().map(|(by, version, make)| Side {
            what: skein.clone(),
            by,
            version,
            work: make(),
        }));
    }
    let many = vec![
        Side::ours(&skein, sides::skein::<W, B>(backend, None, false)),
        Side::ours(
            format!("threefish-{bits}, a tweak a block"),
            bulk::<W, B>(backend, usize::MAX, 1),
        ),
    ];
    [(vec![MESSAGE], one), (vec![MESSAGE; 8], many)].map(|(lengths, sides)| Contest {
        backend,
        lengths,
        sides,
    })
}

impl Contest {
    fn measure(mut self, machine: &Machine, clock: &mut Clock) -> Result<Vec<Row>, Error> {
        let len = self.lengths.iter().sum();
        let data = data(len);
        self.agree(&data)?;
        let mut group = Group::new(self.sides[0].what.clone());
        for Side { what, by, version, mut work } in self.sides {
            let id = Identity {
                name: format!("{what} by {by}"),
                primitive: what,
                backend: self.backend.name().to_owned(),
                direction: None,
                bytes: self.lengths[0] as u64,
                parallelism: self.lengths.len() as u32,
                peer: by.to_owned(),
                version: version.to_owned(),
                kind: Kind::Bounds,
            };
            let (data, lengths) = (&data, &self.lengths);
            group = group.with(Entry::new(id, lengths.len() as u64, move |n| {
                for _ in 0..n {
                    black_box(work(black_box(data), lengths));
                }
            }));
        }
        let metrics = measure(&mut group, clock, &settings(len), &mut |_| {});
        let rows = group.entries.into_iter().zip(metrics).map(|(entry, metric)| {
            Row::new(entry.id, machine.clone()).with_throughput(metric.ok())
        });
        Ok(rows.collect())
    }

    /// Sides with digests have the same ones.
    fn agree(&mut self, data: &[u8]) -> Result<(), Error> {
        let mut first: Option<Vec<u8>> = None;
        for side in &mut self.sides {
            let digests = (side.work)(data, &self.lengths);
            if !digests.is_empty() && *first.get_or_insert_with(|| digests.clone()) != digests {
                return Err(Error::Disagree { what: "skein", by: side.by, function: "skein" });
            }
        }
        Ok(())
    }
}

/// Threefish in place, with a tweak a block and without digests: of as many bytes, `most` at a time, by `threads` threads that
/// have a part each.
fn bulk<const W: usize, const B: usize>(backend: Backend, most: usize, threads: usize) -> Work {
    let key = Key::<Threefish<W, B>>::on(backend, &[7; B]).expect("the key's length");
    let mut buffer = Vec::new();
    Box::new(move |data, _| {
        let part = data.len() / threads;
        buffer.resize(threads * part.min(most), 0);
        let work = |buffer: &mut [u8]| {
            for sector in 0..part / buffer.len() {
                key.encrypt_sector(sector as u64, 0, buffer).expect("whole blocks");
            }
        };
        std::thread::scope(|scope| {
            let mut parts = buffer.chunks_exact_mut(part.min(most));
            let first = parts.next();
            for part in parts {
                scope.spawn(move || work(part));
            }
            if let Some(part) = first {
                work(part);
            }
        });
        Vec::new()
    })
}

/// Strings of Skein (sections 3.4 and 3.5 of its specification) by the public calls of Threefish: each block has a key and a tweak.
struct Chain<const W: usize, const B: usize> {
    key: Key<Threefish<W, B>>,
    value: [u8; B],
}

impl<const W: usize, const B: usize> Chain<W, B> {
    fn add(&mut self, kind: u64, string: &[u8]) {
        let (whole, rest) = string.as_chunks::<B>();
        let mut last = [0; B];
        last[..rest.len()].copy_from_slice(rest);
        let part = !rest.is_empty();
        let count = whole.len() + usize::from(part);
        for (i, block) in whole.iter().chain(part.then_some(&last)).enumerate() {
            let position = string.len().min(B * (i + 1)) as u64;
            let (first, end) = (u64::from(i == 0), u64::from(i + 1 == count));
            let mut tweak = [0; 16];
            tweak[..8].copy_from_slice(&position.to_le_bytes());
            tweak[8..].copy_from_slice(&(kind << 56 | first << 62 | end << 63).to_le_bytes());
            self.key.set_key(&self.value).expect("the key's length");
            self.key.set_tweak(&tweak);
            self.value = *block;
            self.key.encrypt_block(&mut self.value);
            for (byte, plain) in self.value.iter_mut().zip(block) {
                *byte ^= plain;
            }
        }
    }
}

fn chained<const W: usize, const B: usize>(backend: Backend) -> Work {
    let key = Key::<Threefish<W, B>>::on(backend, &[0; B]).expect("the key's length");
    let mut chain = Chain { key, value: [0; B] };
    let mut configuration = [0; 32];
    configuration[..5].copy_from_slice(b"SHA3\x01");
    configuration[8..16].copy_from_slice(&(8 * B as u64).to_le_bytes());
    chain.add(4, &configuration);
    let begin = chain.value;
    Box::new(move |data, _| {
        chain.value = begin;
        chain.add(48, data);
        chain.add(63, &[0; 8]);
        chain.value.to_vec()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_agree() {
        for contest in contests() {
            let lengths: Vec<usize> =
                contest.lengths.iter().map(|len| len.min(&TREE) / 8).collect();
            let data = data(lengths.iter().sum());
            let mut contest = Contest { lengths, ..contest };
            assert!(contest.agree(&data).is_ok(), "{}", contest.sides[0].what);
        }
    }

    /// Threefish on all cores, or in cache, is as many blocks.
    #[test]
    fn bulk_is_every_block() {
        let data = data(1 << 16);
        for (most, threads) in [(usize::MAX, 1), (MESSAGE, 1), (usize::MAX, 2), (MESSAGE, 2)] {
            assert!(bulk::<8, 64>(Backend::best(), most, threads)(&data, &[]).is_empty());
        }
    }
}
