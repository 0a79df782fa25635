//! Files and streams in chunks: every length, inputs that change, and ranges.

mod common;

use common::Case;
use icefish::Backend;
use icefish::storage::cobblestone::{CHUNK, HEADER, SEALED_CHUNK, sealed_len};
use icefish::suite::{AnyChunked, ChunkedSuite};
use icefish_files::formats::{Chunked, Part, Place};
use icefish_files::{Error, Input, Output, Target};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::num::NonZero;

/// Chunks that a worker takes at a time.
const RUN: usize = 32;

impl Case {
    /// What `work` makes of `bytes`, from file to file.
    fn files(
        &self,
        bytes: &[u8],
        work: impl FnOnce(Input, &mut Output) -> Result<u64, Error>,
    ) -> Result<Vec<u8>, Error> {
        let mut output = self.output();
        let written = work(self.input(bytes), &mut output)?;
        output.commit()?;
        let made = fs::read(self.path("output")).expect("a file");
        assert_eq!(written, made.len() as u64);
        Ok(made)
    }

    /// The same through pipes; also what came out before an error.
    #[cfg(unix)]
    fn pipes(
        &self,
        bytes: &[u8],
        work: impl FnOnce(Input, &mut Output) -> Result<u64, Error>,
    ) -> (Vec<u8>, Result<u64, Error>) {
        let [to, from] = ["to", "from"].map(|name| {
            let path = self.path(name);
            // Always a new one: a worker of an earlier call may have that open for a moment.
            let _ = fs::remove_file(&path);
            let made = std::process::Command::new("mkfifo").arg(&path).status();
            assert!(made.is_ok_and(|status| status.success()));
            path
        });
        std::thread::scope(|scope| {
            let _ = scope.spawn(|| File::options().write(true).open(&to)?.write_all(bytes));
            let reader = scope.spawn(|| {
                let mut made = Vec::new();
                File::open(&from).and_then(|mut pipe| pipe.read_to_end(&mut made)).expect("a pipe");
                made
            });
            let input = Input::open(&to).expect("a pipe");
            let mut output = Target::file(&from, false).and_then(Target::create).expect("a pipe");
            let done = work(input, &mut output);
            drop(output);
            (reader.join().expect("a thread"), done)
        })
    }
}

fn paint(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

fn key() -> AnyChunked {
    let suite: ChunkedSuite = "cobblestone-256".parse().expect("a name");
    suite.key(Backend::best(), &[7; 32]).expect("a key")
}

fn with(threads: usize) -> Chunked<'static> {
    Chunked { key: key(), context: b"context", threads: NonZero::new(threads) }
}

/// The library by itself.
fn sealed(plain: &[u8]) -> Vec<u8> {
    let sealer = key().sealer(&[1; 24], b"context");
    let mut sealed = vec![0; sealed_len(plain.len() as u64).expect("short") as usize];
    sealed[..HEADER].copy_from_slice(&sealer.header());
    sealer.seal_between(0, true, plain, &mut sealed[HEADER..]).expect("room");
    sealed
}

fn opened(sealed: &[u8]) -> Vec<u8> {
    let opener = key().opener(&sealed[..HEADER], b"context").expect("ours");
    let chunks = (sealed.len() - HEADER) / SEALED_CHUNK + 1;
    let mut plain = vec![0; sealed.len() - HEADER - 16 * chunks];
    opener.open_between(0, true, &sealed[HEADER..], &mut plain).expect("ours");
    plain
}

/// Around the borders of chunks and of runs.
fn lengths() -> impl Iterator<Item = usize> {
    let borders = [0, CHUNK, 2 * CHUNK, RUN * CHUNK, 3 * RUN * CHUNK, (2 * RUN + 5) * CHUNK];
    borders.into_iter().flat_map(|border| border.saturating_sub(1)..=border + 1)
}

#[test]
fn files_of_every_length() -> Result<(), Error> {
    let case = Case::new();
    for len in lengths() {
        let plain = paint(len);
        for threads in [1, 2, 5] {
            let made =
                case.files(&plain, |from, to| with(threads).encrypt(from, to, &mut |_| {}))?;
            assert!(opened(&made) == plain, "{len} with {threads}");
            let ours = sealed(&plain);
            let back =
                case.files(&ours, |from, to| with(threads).decrypt(from, to, &mut |_| {}))?;
            assert!(back == plain, "{len} with {threads}");
        }
    }
    Ok(())
}

#[cfg(unix)]
#[test]
fn streams_of_every_length() {
    let case = Case::new();
    for len in lengths() {
        let plain = paint(len);
        for threads in [1, 3] {
            let (made, done) =
                case.pipes(&plain, |from, to| with(threads).encrypt(from, to, &mut |_| {}));
            assert_eq!(done.ok(), Some(made.len() as u64), "{len} with {threads}");
            assert!(opened(&made) == plain, "{len} with {threads}");
            let (back, done) =
                case.pipes(&made, |from, to| with(threads).decrypt(from, to, &mut |_| {}));
            assert_eq!(done.ok(), Some(len as u64), "{len} with {threads}");
            assert!(back == plain, "{len} with {threads}");
        }
    }
}

/// A stream gets all chunks before the wrong one, and nothing of what follows.
#[cfg(unix)]
#[test]
fn streams_end_where_they_are_wrong() {
    let case = Case::new();
    let plain = paint((3 * RUN + 2) * CHUNK + 100);
    let ours = sealed(&plain);
    for chunk in [0, 1, RUN - 1, RUN, 2 * RUN + 3, 3 * RUN + 2] {
        let mut forged = ours.clone();
        forged[HEADER + chunk * SEALED_CHUNK + 5] ^= 1;
        for threads in [1, 4] {
            let (made, done) =
                case.pipes(&forged, |from, to| with(threads).decrypt(from, to, &mut |_| {}));
            let expected = icefish::Error::ForgedChunk { number: chunk as u64 };
            assert!(matches!(done, Err(Error::Crypt(e)) if e == expected), "{done:?}");
            assert!(made == plain[..chunk * CHUNK], "{chunk}: {} bytes", made.len());
        }
        // Cut where this chunk begins.
        let cut = &ours[..HEADER + chunk * SEALED_CHUNK];
        let (made, done) = case.pipes(cut, |from, to| with(2).decrypt(from, to, &mut |_| {}));
        assert!(matches!(done, Err(Error::Crypt(icefish::Error::Truncated))), "{done:?}");
        assert!(made == plain[..chunk * CHUNK], "{chunk}: {} bytes", made.len());
    }
}

/// What happens to an input while it is read, and how much of it there was then.
type Change = fn(&File);

#[test]
fn inputs_that_change() {
    let case = Case::new();
    let plain = paint(20 * RUN * CHUNK + 77);
    let ours = sealed(&plain);
    let shrink: Change = |file| file.set_len(19 * (RUN * CHUNK) as u64).expect("ours");
    let grow: Change = |mut file| file.write_all(b"more").expect("room");
    for change in [shrink, grow] {
        for (bytes, seals) in [(&plain, true), (&ours, false)] {
            for threads in [1, 2] {
                // A change that comes after the last read is none. On a busy machine that happens.
                let changed = (0..1000).any(|_| {
                    let input = case.input(bytes);
                    let path = case.path("input");
                    let file = File::options().append(true).open(path).expect("a file");
                    let mut once = Some(change);
                    let mut progress = |_| once.take().map_or((), |change| change(&file));
                    let mut output = case.output();
                    let done = match seals {
                        true => with(threads).encrypt(input, &mut output, &mut progress),
                        false => with(threads).decrypt(input, &mut output, &mut progress),
                    };
                    assert!(matches!(done, Ok(_) | Err(Error::Changed { .. })), "{done:?}");
                    done.is_err()
                });
                assert!(changed, "{threads} threads, sealing: {seals}");
                assert!(!case.path("output").exists());
            }
        }
    }
}

/// The same where the output is a stream: an error too.
#[cfg(unix)]
#[test]
fn inputs_that_change_on_their_way_to_a_stream() {
    let case = Case::new();
    let input = case.input(&paint(20 * RUN * CHUNK));
    let mut file = File::options().append(true).open(case.path("input")).expect("a file");
    let mut once = Some(());
    let mut progress = |_| once.take().map_or((), |()| file.write_all(b"more").expect("room"));
    let mut output =
        Target::file("/dev/null".as_ref(), true).and_then(Target::create).expect("a device");
    let done = with(2).encrypt(input, &mut output, &mut progress);
    assert!(matches!(done, Err(Error::Changed { .. })), "{done:?}");
}

#[test]
fn parts_are_slices() {
    let case = Case::new();
    let plain = paint((RUN + 3) * CHUNK + 100);
    let ours = sealed(&plain);
    let len = plain.len() as u64;
    let part = |start, end| {
        let read = |from, to: &mut Output| {
            with(2).decrypt_part(from, Part { start, end }, to, &mut |_| {})
        };
        case.files(&ours, read)
    };
    let chunk = CHUNK as u64;
    let places = [0, 1, chunk - 1, chunk, 5 * chunk + 9, 33 * chunk, len - 100, len - 99, len];
    for start in places {
        for end in places.into_iter().filter(|end| *end >= start) {
            let expected = &plain[start as usize..end as usize];
            let both = [
                part(Place::FromStart(start), Place::FromStart(end)),
                part(Place::FromEnd(len - start), Place::FromEnd(len - end)),
            ];
            assert!(
                both.iter().all(|made| made.as_deref().ok() == Some(expected)),
                "{start} {end}"
            );
        }
    }
    let wrong = part(Place::FromStart(0), Place::FromStart(len + 1));
    assert!(matches!(wrong, Err(Error::Part { len: told }) if told == len));
    let wrong = part(Place::FromEnd(len + 1), Place::FromEnd(0));
    assert!(matches!(wrong, Err(Error::Part { len: told }) if told == len));
    let wrong = part(Place::FromStart(9), Place::FromStart(8));
    assert!(matches!(wrong, Err(Error::Backwards { .. })));
}

/// Long and short ones from anywhere, most of them near the border of a chunk.
#[test]
fn ten_thousand_parts_are_slices() {
    let case = Case::new();
    let plain = paint((RUN + 9) * CHUNK + 4321);
    case.input(&sealed(&plain));
    let len = plain.len() as u64;
    // Knuth's multiplier; the high bits are random enough.
    let mut state = 1_u64;
    let mut below = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % n
    };
    for round in 0..10_000 {
        let mut place = || match below(3) {
            0 => below(len + 1),
            _ => (below(len / CHUNK as u64 + 1) * CHUNK as u64 + below(41))
                .saturating_sub(20)
                .min(len),
        };
        let (one, other) = (place(), place());
        // One of eight is long.
        let (start, end) = match round % 8 {
            0 => (one.min(other), one.max(other)),
            _ => (one, (one + below(3 * CHUNK as u64)).min(len)),
        };
        let part = Part {
            start: if below(2) == 0 {
                Place::FromStart(start)
            } else {
                Place::FromEnd(len - start)
            },
            end: if below(2) == 0 { Place::FromStart(end) } else { Place::FromEnd(len - end) },
        };
        let input = Input::open(&case.path("input")).expect("a file");
        let mut made = Vec::new();
        let written = with(2).decrypt_part(input, part, &mut made, &mut |_| {}).expect("a part");
        assert_eq!(written, end - start);
        assert!(made == plain[start as usize..end as usize], "{start} {end}");
    }
}

/// A part needs its own chunks, and the last one, which proves the length.
#[test]
fn parts_need_their_chunks_only() {
    let case = Case::new();
    let plain = paint(10 * CHUNK + 100);
    let mut ours = sealed(&plain);
    let damaged = |ours: &mut [u8], chunk: usize| ours[HEADER + chunk * SEALED_CHUNK] ^= 1;
    damaged(&mut ours, 4);
    let part = |ours: &[u8], start: usize, end: usize| {
        let [start, end] = [start, end].map(|place| Place::FromStart((place * CHUNK) as u64));
        let read = |from, to: &mut Output| {
            with(2).decrypt_part(from, Part { start, end }, to, &mut |_| {})
        };
        case.files(ours, read)
    };
    assert!(part(&ours, 0, 4).is_ok_and(|made| made == plain[..4 * CHUNK]));
    assert!(part(&ours, 5, 10).is_ok_and(|made| made == plain[5 * CHUNK..10 * CHUNK]));
    let forged = |number| icefish::Error::ForgedChunk { number };
    let failed = part(&ours, 3, 5);
    assert!(matches!(failed, Err(Error::Crypt(e)) if e == forged(4)), "{failed:?}");
    damaged(&mut ours, 10);
    let failed = part(&ours, 0, 1);
    assert!(matches!(failed, Err(Error::Crypt(e)) if e == forged(10)), "{failed:?}");
}

/// What goes before a message, such as a header of another format, is neither read nor overwritten.
#[test]
fn a_message_behind_a_header() -> Result<(), Error> {
    let case = Case::new();
    for len in [0, 5, 3 * RUN * CHUNK] {
        let plain = paint(len);
        let mut output = case.output();
        output.write_all(b"header").expect("room");
        with(2).encrypt(case.input(&plain), &mut output, &mut |_| {})?;
        output.commit()?;
        let made = fs::read(case.path("output")).expect("a file");
        assert!(made.starts_with(b"header") && opened(&made[6..]) == plain, "{len}");
        let skipped = || {
            let mut input = case.input(&made);
            input.read_exact(&mut [0; 6]).expect("the header");
            input
        };
        let back = case.files(&made, |_, to| with(2).decrypt(skipped(), to, &mut |_| {}))?;
        assert!(back == plain, "{len}");
        let all = Part { start: Place::FromStart(0), end: Place::FromEnd(0) };
        let part = |_, to: &mut Output| with(2).decrypt_part(skipped(), all, to, &mut |_| {});
        assert!(case.files(&made, part)? == plain, "{len}");
    }
    Ok(())
}

/// Files of the system have no length, and something in them all the same.
#[cfg(target_os = "linux")]
#[test]
fn files_without_a_length() -> Result<(), Error> {
    let case = Case::new();
    let mut output = case.output();
    let input = Input::open("/proc/version".as_ref())?;
    with(2).encrypt(input, &mut output, &mut |_| {})?;
    output.commit()?;
    let made = fs::read(case.path("output")).expect("a file");
    assert_eq!(opened(&made), fs::read("/proc/version").expect("Linux has it"));
    Ok(())
}

#[test]
fn progress_is_what_is_written() -> Result<(), Error> {
    let case = Case::new();
    let (mut seen, plain) = (Vec::new(), paint(5 * RUN * CHUNK));
    let made = case.files(&plain, |from, to| with(2).encrypt(from, to, &mut |at| seen.push(at)))?;
    assert!(seen.is_sorted() && seen.last() == Some(&((made.len() - HEADER) as u64)), "{seen:?}");
    Ok(())
}
