//! Leaves and nodes of a tree on all cores.

use super::Skein;
use super::lanes::LANES;
use super::units::Units;
use alloc::vec;
use alloc::vec::Vec;
use rayon::prelude::*;

/// Bytes that are worth a hand-over to another thread.
const PIECE: usize = 256 * 1024;

/// The results of whole leaves or nodes, one after the other, if they are enough for several threads.
pub(super) fn units<const W: usize, const B: usize>(
    skein: &Skein<W, B>,
    first: u64,
    level: u64,
    size: usize,
    data: &[u8],
) -> Option<Vec<u8>> {
    if !skein.place.threads || data.len() < 2 * PIECE {
        return None;
    }
    let pieces = rayon::current_num_threads().min(data.len() / PIECE);
    if pieces < 2 {
        return None;
    }
    // Whole batches of lanes.
    let count = (data.len() / size).div_ceil(pieces).next_multiple_of(LANES);
    let mut results = vec![0; data.len() / size * B];
    let work = data.par_chunks(count * size).zip(results.par_chunks_mut(count * B));
    work.enumerate().for_each(|(index, (data, results))| {
        Units { skein, first: first + (count * index) as u64, level, size, data }.run(results);
    });
    Some(results)
}
