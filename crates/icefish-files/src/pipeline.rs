//! A stream through a transformation in bounded memory, with input, work and output at the same time.
//!
//! A thread reads, a thread transforms, and the caller's thread writes. Chunks go round: a reader takes
//! an empty one, fills it and hands it on, and gets it back. Each is wiped when the work is over, well
//! or not.

use crate::Error;
use crate::aligned::Aligned;
use std::io::{self, ErrorKind, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

/// Bytes that are read at a time. For 1 GiB of AES-256 CBC, the kernel took 0.10 s with this length, 0.20 s with a quarter of it
/// and 0.43 s with a sixteenth: each hand-over may wake a thread.
pub const CHUNK: usize = 1024 * 1024;

/// Chunks on each side of the transformation: one is filled, one waits, one is emptied.
const DEPTH: usize = 3;

/// A function of a stream of bytes, in pieces.
pub trait Transform: Send {
    /// Most bytes that the next calls write for `input` bytes more.
    fn output_len(&self, input: usize) -> usize;
    /// Takes the next bytes; returns how many were written.
    ///
    /// # Errors
    /// Errors of the transformation.
    fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Error>;
    /// Ends the stream; returns how many bytes were written.
    ///
    /// # Errors
    /// Errors of the whole stream.
    fn finish(self, output: &mut [u8]) -> Result<usize, Error>;
}

/// The part of the pipeline that failed.
#[derive(Debug)]
pub enum Fault {
    /// Reading.
    Read(io::Error),
    /// Writing.
    Write(io::Error),
    /// The length of the input, while it was read.
    Changed,
    /// Anything between.
    Between(Error),
}

impl Fault {
    /// The same as an error, with the name of the input.
    pub(crate) fn named(self, input: &str) -> Error {
        match self {
            Self::Read(source) => Error::Read { name: input.to_owned(), source },
            Self::Write(source) => Error::Write { name: "the output".to_owned(), source },
            Self::Changed => Error::Changed { name: input.to_owned() },
            Self::Between(error) => error,
        }
    }
}

/// Takes all of `input` through `transform` to `output`; returns how many bytes were written.
///
/// `len` is the length of `input` where it is known, as for a regular file: then a short one is done
/// without threads. It need not be right. `progress` is told how many bytes were written so far.
///
/// When writing fails the reading thread may stay behind in a call that waits for input; it ends with
/// that call.
///
/// # Errors
/// The first fault. Bytes that were written before it stay in the output.
pub fn run<R, T>(
    mut input: R,
    len: Option<u64>,
    mut transform: T,
    output: &mut dyn Write,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Fault>
where
    R: Read + Send + 'static,
    T: Transform,
{
    let mut first = None;
    if let Some(len) = len {
        // One byte more than there should be, to see the end.
        let mut chunk =
            Chunk::new(usize::try_from(len).map_or(CHUNK, |n| n.saturating_add(1).min(CHUNK)));
        chunk.len = fill(&mut input, &mut chunk.bytes).map_err(Fault::Read)?;
        if chunk.len < chunk.bytes.len() {
            return at_once(&chunk, transform, output, progress);
        }
        first = Some(chunk);
    }
    let mut out = Chunk::new(0);
    let mut written = 0;
    if let Some(first) = first {
        out.update(&mut transform, first.data()).map_err(Fault::Between)?;
        output.write_all(out.data()).map_err(Fault::Write)?;
        written = out.len as u64;
    }
    let work = |ends: &Ends| work(transform, ends);
    threaded(Box::new(input), Box::new(work), output, &mut |more| {
        written += more;
        progress(written);
    })?;
    Ok(written)
}

/// Reads until `buffer` is full or the input ends; returns how much was read.
pub(crate) fn fill(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < buffer.len() {
        match input.read(&mut buffer[len..]) {
            Ok(0) => break,
            Ok(n) => len += n,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(len)
}

/// A buffer on its way round, and how much of it is in use.
struct Chunk {
    bytes: Aligned,
    len: usize,
}

impl Chunk {
    fn new(size: usize) -> Self {
        Self { bytes: Aligned::new(size), len: 0 }
    }

    fn data(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Makes room for `size` bytes, without a copy of what was there.
    fn reserve(&mut self, size: usize) {
        if self.bytes.len() < size {
            self.bytes = Aligned::new(size);
        }
    }

    fn update(&mut self, transform: &mut impl Transform, input: &[u8]) -> Result<(), Error> {
        self.reserve(transform.output_len(input.len()));
        self.len = transform.update(input, &mut self.bytes)?;
        Ok(())
    }

    fn finish(&mut self, transform: impl Transform) -> Result<(), Error> {
        self.reserve(transform.output_len(0));
        self.len = transform.finish(&mut self.bytes)?;
        Ok(())
    }
}

/// All of it, which is `input`.
fn at_once(
    input: &Chunk,
    mut transform: impl Transform,
    output: &mut dyn Write,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Fault> {
    let (mut body, mut end) = (Chunk::new(0), Chunk::new(0));
    body.update(&mut transform, input.data()).map_err(Fault::Between)?;
    end.finish(transform).map_err(Fault::Between)?;
    output.write_all(body.data()).map_err(Fault::Write)?;
    output.write_all(end.data()).map_err(Fault::Write)?;
    let written = (body.len + end.len) as u64;
    progress(written);
    Ok(written)
}

/// A message to the worker.
enum Message {
    /// The next bytes.
    Data(Chunk),
    /// There are no more bytes.
    End,
    /// There may be more bytes, but they cannot be read.
    Failed(io::Error),
    /// Nobody wants them any more.
    Stop,
}

/// The ends of the four channels that the worker has.
struct Ends {
    from_reader: Receiver<Message>,
    to_reader: Sender<Chunk>,
    empty: Receiver<Chunk>,
    full: SyncSender<Chunk>,
}

/// What the worker does.
type Worker<'a> = Box<dyn FnOnce(&Ends) -> Result<(), Fault> + Send + 'a>;

/// Compiled once for all inputs and transformations: a read gives up to a chunk, and one more call for that is nothing.
fn threaded(
    input: Box<dyn Read + Send>,
    work: Worker<'_>,
    output: &mut dyn Write,
    progress: &mut dyn FnMut(u64),
) -> Result<(), Fault> {
    let (full_in, from_reader) = sync_channel(DEPTH);
    let (to_reader, empty_in) = ring(CHUNK);
    let (full, from_work) = sync_channel::<Chunk>(DEPTH);
    let (to_work, empty) = ring(0);
    let ends = Ends { from_reader, to_reader, empty, full };
    // Not a scoped thread: it may wait for input for ever after everything else has ended.
    let reader = thread::Builder::new().name("reader".into());
    let stop = full_in.clone();
    reader.spawn(move || read_safely(input, &empty_in, &full_in)).map_err(no_thread)?;
    thread::scope(|scope| {
        let worker = thread::Builder::new().name("worker".into());
        let worker = worker.spawn_scoped(scope, move || work(&ends)).map_err(no_thread)?;
        let written = write(output, &from_work, &to_work, progress);
        if written.is_err() {
            // A worker that waits for input is woken by this; another one finds out when it hands over a chunk.
            let _ = stop.try_send(Message::Stop);
        }
        drop((from_work, to_work));
        let worked = worker
            .join()
            .map_err(|_| Fault::Between(Error::Thread("the transformation panicked".to_owned())))?;
        written.and(worked)
    })
}

/// A channel for empty chunks, with all of them in it.
fn ring(size: usize) -> (Sender<Chunk>, Receiver<Chunk>) {
    let (sender, receiver) = channel();
    for _ in 0..DEPTH {
        // The receiver is alive: it is here.
        let _ = sender.send(Chunk::new(size));
    }
    (sender, receiver)
}

fn no_thread(e: io::Error) -> Fault {
    Fault::Between(Error::Thread(e.to_string()))
}

/// Reads, and says so if that panics: the worker must not take it for an end, nor wait for ever.
fn read_safely(input: impl Read, empty: &Receiver<Chunk>, full: &SyncSender<Message>) {
    let result = catch_unwind(AssertUnwindSafe(|| read(input, empty, full)));
    if result.is_err() {
        let _ = full.send(Message::Failed(io::Error::other("the reading thread panicked")));
    }
}

/// Reads to the end, or until the receiver is gone. The bytes of each read are passed on at once, so that a slow pipe is not held
/// up.
fn read(mut input: impl Read, empty: &Receiver<Chunk>, full: &SyncSender<Message>) {
    while let Ok(mut chunk) = empty.recv() {
        let message = loop {
            match input.read(&mut chunk.bytes) {
                Ok(0) => break Message::End,
                Ok(n) => {
                    chunk.len = n;
                    break Message::Data(chunk);
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => break Message::Failed(e),
            }
        };
        let more = matches!(message, Message::Data(_));
        if full.send(message).is_err() || !more {
            return;
        }
    }
}

/// Transforms to the end, or until nobody listens: then the writer knows why.
fn work(
    mut transform: impl Transform,
    Ends { from_reader, to_reader, empty, full }: &Ends,
) -> Result<(), Fault> {
    loop {
        let message = from_reader.recv();
        let Ok(mut out) = empty.recv() else { return Ok(()) };
        match message {
            Ok(Message::Data(chunk)) => {
                out.update(&mut transform, chunk.data()).map_err(Fault::Between)?;
                // A reader that has ended needs no chunks.
                let _ = to_reader.send(chunk);
                if full.send(out).is_err() {
                    return Ok(());
                }
            }
            Ok(Message::End) => {
                out.finish(transform).map_err(Fault::Between)?;
                let _ = full.send(out);
                return Ok(());
            }
            Ok(Message::Failed(e)) => return Err(Fault::Read(e)),
            Ok(Message::Stop) => return Ok(()),
            Err(_) => return Err(Fault::Between(Error::Thread("reading stopped".to_owned()))),
        }
    }
}

/// Writes until the worker ends.
fn write(
    output: &mut dyn Write,
    full: &Receiver<Chunk>,
    empty: &Sender<Chunk>,
    progress: &mut dyn FnMut(u64),
) -> Result<(), Fault> {
    for chunk in full {
        output.write_all(chunk.data()).map_err(Fault::Write)?;
        progress(chunk.len as u64);
        // A worker that has ended needs no chunks.
        let _ = empty.send(chunk);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
