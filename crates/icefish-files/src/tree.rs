//! The digest of a file whose hash is a tree: every worker reads leaves and hashes them, wherever in the file they are. Nothing is
//! handed from one thread to another but the results, a 64th.

use crate::aligned::Aligned;
use crate::pipeline::Fault;
use crate::workers::{self, Runs, read_at};
use crate::{Error, Input};
use icefish::constructions::skein::Leaves;
use icefish::suite::{AnyHash, AnyHasher};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Seek;
use std::num::NonZero;
use std::sync::{Mutex, PoisonError};

/// Bytes that a worker takes at a time: what it has read is in the cache of its core when it is hashed.
const RUN: usize = 512 * 1024;

/// The digest of all of `input`, on as many threads as the machine runs at the same time, or on `threads`. `None` if it is no regular
/// file that is worth that, or if the hash is no tree: it was not read then. `progress` is told how much of it is hashed.
///
/// # Errors
/// [`Error::Changed`] if its length changes meanwhile, [`Error::Read`].
pub fn tree_digest(
    hash: &AnyHash,
    input: &mut Input,
    threads: Option<NonZero<usize>>,
    progress: &mut dyn FnMut(u64),
) -> Option<Result<Vec<u8>, Error>> {
    let leaf = hash.leaf_len().filter(|&leaf| leaf <= RUN)?;
    let len = input.len_hint().filter(|&len| len >= 2 * RUN as u64)?;
    let (name, file) = input.parts();
    let digest = at_places(hash, leaf, file, len, threads, progress);
    Some(digest.map_err(|fault| fault.named(name)))
}

fn at_places(
    hash: &AnyHash,
    leaf: usize,
    mut file: &File,
    len: u64,
    threads: Option<NonZero<usize>>,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<u8>, Fault> {
    let from = file.stream_position().map_err(Fault::Read)?;
    let (hasher, early) = (hash.start(), BTreeMap::new());
    let order = Mutex::new(Order { hasher, next: 0, early });
    let work = Work { hash, leaf, file, from, len, order: &order };
    workers::run(work, workers::count(threads, RUN), progress)?;
    let mut digest = vec![0; hash.digest_len()];
    let order = order.into_inner().unwrap_or_else(PoisonError::into_inner);
    order.hasher.finish(&mut digest).map_err(between)?;
    Ok(digest)
}

fn between(error: icefish::Error) -> Fault {
    Fault::Between(error.into())
}

/// A file, and its hash.
struct Work<'a> {
    hash: &'a AnyHash,
    /// Bytes of a leaf.
    leaf: usize,
    file: &'a File,
    /// Where the message begins.
    from: u64,
    len: u64,
    order: &'a Mutex<Order>,
}

/// The message, and runs that are done before those in front of them: the leaves, and what is no whole leaf.
struct Order {
    hasher: AnyHasher,
    next: u64,
    early: BTreeMap<u64, (Leaves, Vec<u8>)>,
}

impl Work<'_> {
    fn run(&self) -> u64 {
        (RUN / self.leaf * self.leaf) as u64
    }
}

impl Runs for Work<'_> {
    type Buffers = Aligned;

    fn runs(&self) -> u64 {
        self.len.div_ceil(self.run())
    }

    fn buffers(&self) -> Aligned {
        Aligned::new(RUN)
    }

    fn take(&self, number: u64, buffer: &mut Aligned) -> Result<u64, Fault> {
        let at = number * self.run();
        let len = (self.len - at).min(self.run()) as usize;
        let buffer = buffer.at(self.from + at, len);
        read_at(self.file, buffer, self.from + at)?;
        let (whole, rest) = buffer.split_at(len / self.leaf * self.leaf);
        let leaves = self.hash.leaves(at, whole).map_err(between)?;
        let mut order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        let Order { hasher, next, early } = &mut *order;
        early.insert(number, (leaves, rest.to_vec()));
        while let Some((leaves, rest)) = early.remove(next) {
            hasher.append(&leaves).map_err(between)?;
            hasher.update(&rest);
            *next += 1;
        }
        Ok(len as u64)
    }

    fn end(&self) -> (&File, u64) {
        (self.file, self.from + self.len)
    }
}
