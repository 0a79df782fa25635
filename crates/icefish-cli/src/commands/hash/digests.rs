//! Digests of many files in bounded memory: short ones side by side, long ones piece by piece, on all cores.

use super::open;
use crate::errors::Failure;
use crate::progress::Progress;
use icefish::suite::AnyHash;
use icefish_files::{Aligned, Error, Input, tree_digest};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{ErrorKind, Read};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::Duration;

/// Bytes of a file that is short.
const SHORT: usize = 128 * 1024;
/// Bytes of short files that are hashed in one call: few enough to stay in the cache of a core until then.
const BATCH: usize = 1 << 20;
/// Files in multiples of this many leave no lane without work, if they have one length: the widest registers have so many lanes.
const LANES: usize = 8;
/// Bytes of a piece of a long file or a stream: enough for a tree on all cores.
const PIECE: usize = 4 << 20;
/// Pieces of a long file that are read ahead.
const AHEAD: usize = 2;
/// How many files a thread takes at a time at most.
const FILES: usize = 64;
/// How often the bar moves.
const TICK: Duration = Duration::from_millis(100);

/// A digest, or why there is none.
type Answer = Result<Vec<u8>, Error>;

/// Calls `tell` for every file in order, with its place and its digest.
pub(super) fn each(
    hash: &AnyHash,
    names: &[OsString],
    tell: &mut impl FnMut(usize, Answer) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(names.len()).max(1);
    let size = (names.len() / (4 * threads)).clamp(1, FILES);
    let (next, done) = (AtomicUsize::new(0), AtomicU64::new(0));
    let (sender, receiver) = channel();
    let work = |sender: Sender<(usize, Vec<Answer>)>| {
        let mut batch = Batch::default();
        loop {
            let group = next.fetch_add(1, Ordering::Relaxed);
            let Some(names) = names.chunks(size).nth(group) else { return };
            // Nobody listens any more after a failure.
            if sender.send((group, some(hash, names, &mut batch, &done))).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..threads {
            let (sender, work) = (sender.clone(), &work);
            let thread = thread::Builder::new().spawn_scoped(scope, move || work(sender));
            started += usize::from(thread.is_ok());
        }
        if started == 0 {
            work(sender);
        } else {
            drop(sender);
        }
        let mut progress = Progress::new(total(names), true);
        in_order(receiver, size, tell, || progress.at(done.load(Ordering::Relaxed)))
    })
}

/// The bytes of all files, if that is known and wanted.
fn total(names: &[OsString]) -> Option<u64> {
    let sizes = || names.iter().map(|name| Some(std::fs::metadata(name).ok()?.len())).sum();
    Progress::is_wanted(true).then(sizes)?
}

/// Tells what the threads have found, in the order of the files.
fn in_order(
    receiver: Receiver<(usize, Vec<Answer>)>,
    size: usize,
    tell: &mut impl FnMut(usize, Answer) -> Result<(), Failure>,
    mut tick: impl FnMut(),
) -> Result<(), Failure> {
    let (mut waiting, mut group) = (BTreeMap::new(), 0);
    loop {
        match receiver.recv_timeout(TICK) {
            Ok((group, answers)) => {
                waiting.insert(group, answers);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        tick();
        while let Some(answers) = waiting.remove(&group) {
            for (i, answer) in answers.into_iter().enumerate() {
                tell(group * size + i, answer)?;
            }
            group += 1;
        }
    }
}

/// The digests of some files.
fn some(hash: &AnyHash, names: &[OsString], batch: &mut Batch, done: &AtomicU64) -> Vec<Answer> {
    let mut answers: Vec<Answer> = Vec::with_capacity(names.len());
    for (index, name) in names.iter().enumerate() {
        let answer = open(name).and_then(|mut input| {
            if let Some(digest) = in_places(hash, &mut input, done) {
                return digest;
            }
            match batch.read(index, &mut input)? {
                None => Ok(Vec::new()),
                Some(first) => long(hash, &mut input, first, done),
            }
        });
        answers.push(answer);
        if batch.end >= BATCH && batch.files.len().is_multiple_of(LANES) {
            batch.hash(hash, &mut answers, done);
        }
    }
    batch.hash(hash, &mut answers, done);
    answers
}

/// Short files, one after the other in memory that is used again for the next ones.
#[derive(Default)]
struct Batch {
    bytes: Vec<u8>,
    end: usize,
    /// Their numbers, and where they are.
    files: Vec<(usize, Range<usize>)>,
}

impl Batch {
    /// Reads a file to its end, or returns its beginning if it is long.
    fn read(&mut self, index: usize, input: &mut Input) -> Result<Option<Vec<u8>>, Error> {
        self.bytes.resize(BATCH + LANES * SHORT, 0);
        // One byte more than there should be, to see the end.
        let room = input.len_hint().map_or(SHORT, |len| SHORT.min(len as usize + 1));
        let room = &mut self.bytes[self.end..][..room];
        let len = fill(input, room)?;
        if len == room.len() {
            return Ok(Some(room.to_vec()));
        }
        self.files.push((index, self.end..self.end + len));
        self.end += len;
        Ok(None)
    }

    /// Hashes them side by side, and begins again.
    fn hash(&mut self, hash: &AnyHash, answers: &mut [Answer], done: &AtomicU64) {
        let places = self.files.iter().map(|(_, place)| &self.bytes[place.clone()]);
        let messages: Vec<&[u8]> = places.collect();
        let mut digests = vec![0; messages.len() * hash.digest_len()];
        // The lengths are those of the hash.
        if hash.hash_many(&messages, &mut digests).is_ok() {
            for ((index, _), digest) in
                self.files.iter().zip(digests.chunks_exact(hash.digest_len()))
            {
                answers[*index] = Ok(digest.to_vec());
            }
        }
        done.fetch_add(self.end as u64, Ordering::Relaxed);
        self.files.clear();
        self.end = 0;
    }
}

/// The digest of a large file by a tree, whose leaves all cores read.
fn in_places(hash: &AnyHash, input: &mut Input, done: &AtomicU64) -> Option<Answer> {
    let mut before = 0;
    tree_digest(hash, input, None, &mut |now| {
        done.fetch_add(now - before, Ordering::Relaxed);
        before = now;
    })
}

/// The digest of a file that begins with `first`. It is read ahead.
fn long(hash: &AnyHash, input: &mut Input, first: Vec<u8>, done: &AtomicU64) -> Answer {
    let (mut hasher, name) = (hash.start(), input.name().to_owned());
    let mut add = |bytes: &[u8]| {
        hasher.update(bytes);
        done.fetch_add(bytes.len() as u64, Ordering::Relaxed);
    };
    let (full, pieces) = sync_channel::<Result<(Aligned, usize), Error>>(AHEAD);
    let (give_back, empty) = channel::<Aligned>();
    for _ in 0..=AHEAD {
        let _ = give_back.send(Aligned::new(PIECE));
    }
    thread::scope(|scope| -> Result<(), Error> {
        let read = move || {
            while let Ok(mut buffer) = empty.recv() {
                let read = fill(input, &mut buffer);
                let last = !matches!(read, Ok(len) if len == PIECE);
                if full.send(read.map(|len| (buffer, len))).is_err() || last {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().spawn_scoped(scope, read);
        thread.map_err(|source| Error::Read { name, source })?;
        add(&first);
        while let Ok(piece) = pieces.recv() {
            let (buffer, len) = piece?;
            add(&buffer[..len]);
            let _ = give_back.send(buffer);
        }
        Ok(())
    })?;
    let mut digest = vec![0; hash.digest_len()];
    // The length is that of the hash.
    let _ = hasher.finish(&mut digest);
    Ok(digest)
}

/// Reads until `buffer` is full or the file ends.
fn fill(input: &mut Input, buffer: &mut [u8]) -> Result<usize, Error> {
    let mut len = 0;
    while len < buffer.len() {
        match input.read(&mut buffer[len..]) {
            Ok(0) => break,
            Ok(count) => len += count,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(source) => return Err(Error::Read { name: input.name().to_owned(), source }),
        }
    }
    Ok(len)
}
