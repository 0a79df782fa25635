//! Streams whose pieces can be taken by themselves: workers take them in turn, and the caller's thread writes them in order.
//!
//! A worker reads while it holds the input, and works after it let it go. So reading, work and writing go on at the same time, and
//! there are never two threads that wait to read.

use crate::Error;
use crate::aligned::Aligned;
use crate::pipeline::Fault;
use std::collections::BTreeMap;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use zeroize::Zeroizing;

/// Buffers of a worker: one is written while it fills the other.
const BUFFERS: usize = 2;

type Buffer = Zeroizing<Vec<u8>>;

/// An input that is read in order.
pub(crate) trait Source {
    /// The description of a piece, besides its bytes, that the work needs.
    type Piece;
    /// Fills `buffer` with what the next reads give: a piece, or all that is left. `None` after the end.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<Option<Filled<Self::Piece>>, Fault>;
}

/// The content of a buffer that a [`Source`] has filled.
pub(crate) struct Filled<P> {
    pub(crate) piece: P,
    pub(crate) len: usize,
    /// Nothing comes after it.
    pub(crate) end: bool,
}

/// The work on a piece.
pub(crate) trait Work: Send + Sync + 'static {
    /// As [`Source::Piece`].
    type Piece;
    /// Most bytes of a piece before, and after.
    fn room(&self) -> (usize, usize);
    /// Takes a piece to `output`; returns how many bytes of it may be used, also if there is an error.
    fn take(
        &self,
        piece: Self::Piece,
        input: &[u8],
        output: &mut [u8],
    ) -> (usize, Result<(), Error>);
}

/// The result of a piece.
struct Taken {
    output: Buffer,
    /// How many bytes of it are for the output.
    len: usize,
    /// Why there are no more than these.
    result: Result<(), Fault>,
    /// Nothing comes after it.
    end: bool,
    /// Whose buffer it is.
    worker: usize,
}

/// A message of a worker: the number of a piece and its result, or `None` after a panic.
type Message = Option<(u64, Taken)>;

/// The state that the workers share.
struct Shared<W, S> {
    work: W,
    /// The input, and the place in the order of what is read next.
    source: Mutex<(S, u64)>,
}

/// Takes all of `source` through `workers` to `output`; returns how many bytes were written.
///
/// When writing fails, a worker may stay behind in a call that waits for input; it ends with that call.
pub(crate) fn run<W: Work, S: Source<Piece = W::Piece> + Send + 'static>(
    work: W,
    source: S,
    workers: usize,
    output: &mut dyn Write,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Fault> {
    let room = work.room();
    let shared = Arc::new(Shared { work, source: Mutex::new((source, 0)) });
    let (to_writer, from_workers) = channel();
    let mut homes = Vec::new();
    for worker in 0..workers {
        let (shared, to_writer) = (Arc::clone(&shared), to_writer.clone());
        let (home, empty) = channel();
        for _ in 0..BUFFERS {
            // The receiver is here.
            let _ = home.send(Zeroizing::new(vec![0; room.1]));
        }
        let thread = thread::Builder::new().name("worker".into());
        // Not scoped threads: one may wait for input for ever after everything else has ended.
        // Behind a pointer: a thread is started by one function for all kinds of work.
        let takes: Box<dyn FnOnce() + Send> = Box::new(move || {
            let worked =
                catch_unwind(AssertUnwindSafe(|| take(&shared, worker, &empty, &to_writer)));
            if worked.is_err() {
                let _ = to_writer.send(None);
            }
        });
        match thread.spawn(takes) {
            Ok(_) => homes.push(home),
            Err(e) if worker == 0 => return Err(Fault::Between(Error::Thread(e.to_string()))),
            // Fewer threads take longer and do the same.
            Err(_) => break,
        }
    }
    drop(to_writer);
    write(&from_workers, &homes, output, progress)
}

/// Takes pieces until there are no more, or nobody wants them.
fn take<W: Work, S: Source<Piece = W::Piece>>(
    shared: &Shared<W, S>,
    worker: usize,
    empty: &Receiver<Buffer>,
    to_writer: &Sender<Message>,
) {
    let Shared { work, source } = shared;
    let mut input = Aligned::new(work.room().0);
    while let Ok(mut output) = empty.recv() {
        // It is poisoned if another worker panicked, which says so.
        let Ok(mut guard) = source.lock() else { return };
        let (source, next) = &mut *guard;
        let filled = source.fill(&mut input);
        let order = *next;
        *next += 1;
        drop(guard);
        let (len, result, end) = match filled {
            Ok(None) => return,
            Ok(Some(Filled { piece, len, end })) => {
                let (len, result) = work.take(piece, &input[..len], &mut output);
                (len, result.map_err(Fault::Between), end)
            }
            Err(fault) => (0, Err(fault), true),
        };
        let taken = Taken { output, len, result, end, worker };
        if to_writer.send(Some((order, taken))).is_err() {
            return;
        }
    }
}

/// Writes what the workers made, in order.
fn write(
    from_workers: &Receiver<Message>,
    homes: &[Sender<Buffer>],
    output: &mut dyn Write,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Fault> {
    let (mut early, mut next, mut written) = (BTreeMap::new(), 0, 0);
    for message in from_workers {
        let Some((order, taken)) = message else { break };
        early.insert(order, taken);
        while let Some(Taken { output: made, len, result, end, worker }) = early.remove(&next) {
            output.write_all(&made[..len]).map_err(Fault::Write)?;
            result?;
            written += len as u64;
            progress(written);
            if end {
                return Ok(written);
            }
            next += 1;
            // A worker that has ended needs no buffers.
            let _ = homes[worker].send(made);
        }
    }
    Err(Fault::Between(Error::Thread("a worker panicked".to_owned())))
}
