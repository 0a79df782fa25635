//! Leaves and nodes of a tree on all cores.

use super::Skein;
use super::lanes::LANES;
use super::tree::Units;
use alloc::vec;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread;

/// Bytes that are worth a thread of their own: starting it takes as long as hashing a quarter of them.
const PIECE: usize = 256 * 1024;

/// The results of whole leaves or nodes, one after the other, if they are enough for several threads.
pub(super) fn units<const W: usize, const B: usize>(
    skein: &Skein<W, B>,
    first: u64,
    level: u64,
    size: usize,
    data: &[u8],
) -> Option<Vec<u8>> {
    // Asking takes as long as a thread.
    static CORES: OnceLock<usize> = OnceLock::new();
    if !skein.place.threads || data.len() < 2 * PIECE {
        return None;
    }
    let cores = *CORES.get_or_init(|| thread::available_parallelism().map_or(1, usize::from));
    let start = data.as_ptr().addr();
    let pieces = cores.min(data.len() / PIECE);
    if pieces < 2 {
        return None;
    }
    // Whole batches of lanes.
    let count = (data.len() / size).div_ceil(pieces).next_multiple_of(LANES);
    let mut results = vec![0; data.len() / size * B];
    let work: Vec<_> = data.chunks(count * size).zip(results.chunks_mut(count * B)).collect();
    // Each thread takes the next piece, so that all are done also if a thread cannot be started.
    let next = AtomicUsize::new(0);
    let work: Vec<_> = work.into_iter().map(Mutex::new).collect();
    let run = || {
        while let Some(piece) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
            // Nobody else has it.
            let Ok(mut piece) = piece.lock() else { return };
            let (data, results) = &mut *piece;
            let index = (data.as_ptr().addr() - start) / size;
            Units { skein, first: first + index as u64, level, size, data }.run(results);
        }
    };
    thread::scope(|scope| {
        for _ in 1..work.len() {
            let _ = thread::Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
    drop(work);
    Some(results)
}
