//! Sealed messages and files in chunks (Cobblestone): memory, files, and parts of both.

use crate::border::{Call, In, Out, Text};
use crate::error::{Error, Failure};
use crate::{backend, call, handle, name, put, written};
use core::ffi::CStr;
use core::mem::MaybeUninit;
use icefish::storage::cobblestone::{CHUNK, HEADER, SALT, SEALED_CHUNK, chunk_offset};
use icefish::storage::cobblestone::{plain_len, sealed_len};
use icefish::suite::{AnyChunkOpener, AnyChunked, ChunkedSuite};
use icefish_files::{Error as FileError, Input, Output, Target, formats, random};
use std::borrow::Cow;
use std::fs::File;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use zeroize::Zeroizing;

/// A key of a format of sealed messages in chunks. Calls that take it may be made from several threads.
pub struct Chunked(AnyChunked);

/// Makes a key of "cobblestone-128" or "cobblestone-256" (c2sp.org/chunked-encryption). `backend_name` may be null.
///
/// The context of the calls below is any data that both sides know and that is not secret. It is not part of the message.
///
/// Errors: UNKNOWN_CIPHER, KEY_LENGTH, UNKNOWN_BACKEND, MISSING_BACKEND.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_chunked_new(
    suite: Text,
    key: In,
    key_len: usize,
    backend_name: Text,
    made: Option<&mut MaybeUninit<Option<Box<Chunked>>>>,
) -> Error {
    call(|c| {
        let place = handle(c.place(made)?)?;
        let suite: ChunkedSuite = name(c, suite)?.parse()?;
        let key = c.input(key, key_len)?;
        put(place, Box::new(Chunked(suite.key(backend(c, backend_name)?, key)?)))
    })
}

/// The length of a sealed message with `plain` bytes of plaintext.
///
/// Errors: TOO_LONG, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_chunked_sealed_len(
    plain: u64,
    sealed: Option<&mut MaybeUninit<u64>>,
) -> Error {
    call(|c| {
        handle(c.place(sealed)?)?.write(sealed_len(plain)?);
        Ok(())
    })
}

/// The length of the plaintext of a sealed message of `sealed` bytes. Nothing is verified by that.
///
/// Errors: TRUNCATED, TOO_LONG, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_chunked_plain_len(
    sealed: u64,
    plain: Option<&mut MaybeUninit<u64>>,
) -> Error {
    call(|c| {
        handle(c.place(plain)?)?.write(plain_len(sealed)?);
        Ok(())
    })
}

/// Seals a message from memory to memory, which do not overlap. `output_len` is at least icefish_chunked_sealed_len.
/// `written_len` gets the length of the sealed message, and may be null.
///
/// `salt` is 24 bytes that are never used twice under one key; null draws them from the operating system. This takes memory.
///
/// Errors: BUFFER_LENGTH, TOO_LONG, OVERLAP, NULL; FILE if the operating system has no random bytes.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_chunked_seal(
    key: Option<&Chunked>,
    salt: In,
    context: In,
    context_len: usize,
    input: In,
    input_len: usize,
    output: Out,
    output_len: usize,
    written_len: Option<&mut MaybeUninit<usize>>,
) -> Error {
    call(|c| {
        let (key, place) = (&handle(key)?.0, c.place(written_len)?);
        let mut drawn = [0; SALT];
        if salt.is_null() {
            random::fill(&mut drawn)?;
        } else {
            drawn.copy_from_slice(c.input(salt, SALT)?);
        }
        let (context, input) = (c.input(context, context_len)?, c.input(input, input_len)?);
        let output = c.output(output, output_len)?;
        let need = room(sealed_len(input.len() as u64)?, output.len())?;
        let (header, chunks) = output[..need].split_at_mut(HEADER);
        let sealer = key.sealer(&drawn, context);
        header.copy_from_slice(&sealer.header());
        sealer.seal_between(0, true, input, chunks)?;
        written(place, need)
    })
}

/// Opens a message from memory to memory, which do not overlap. `output_len` is at least icefish_chunked_plain_len.
/// `written_len` gets the length of the plaintext, and may be null. If any chunk is wrong, `output` becomes zeros. This takes
/// memory.
///
/// Errors: COMMITMENT, FORGED_CHUNK, TRUNCATED, BUFFER_LENGTH, OVERLAP, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_chunked_open(
    key: Option<&Chunked>,
    context: In,
    context_len: usize,
    input: In,
    input_len: usize,
    output: Out,
    output_len: usize,
    written_len: Option<&mut MaybeUninit<usize>>,
) -> Error {
    call(|c| {
        let (key, place) = (&handle(key)?.0, c.place(written_len)?);
        let (context, input) = (c.input(context, context_len)?, c.input(input, input_len)?);
        let output = c.output(output, output_len)?;
        let need = room(plain_len(input.len() as u64)?, output.len())?;
        let (header, chunks) = input.split_at(HEADER);
        let opened =
            key.opener(header, context)?.open_between(0, true, chunks, &mut output[..need]);
        if opened.is_err() {
            output[..need].fill(0);
        }
        opened?;
        written(place, need)
    })
}

/// Opens `len` bytes from byte `start` of the plaintext on, of a message in memory. Of its chunks, those of that part are verified, and
/// the last one, which proves its length. If one is wrong, `output` becomes zeros. This takes memory.
///
/// Errors: RANGE; as icefish_chunked_open.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_chunked_open_range(
    key: Option<&Chunked>,
    context: In,
    context_len: usize,
    input: In,
    input_len: usize,
    start: u64,
    output: Out,
    len: usize,
) -> Error {
    call(|c| {
        let key = &handle(key)?.0;
        let (context, input) = (c.input(context, context_len)?, c.input(input, input_len)?);
        let output = c.output(output, len)?;
        range(key, context, Source { inner: Cursor::new(input), name: "memory" }, start, output)
    })
}

/// The same of a file.
///
/// Errors: FILE too.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_chunked_open_file_range(
    key: Option<&Chunked>,
    context: In,
    context_len: usize,
    input: Text,
    start: u64,
    output: Out,
    len: usize,
) -> Error {
    call(|c| {
        let key = &handle(key)?.0;
        let context = c.input(context, context_len)?;
        let input = path(c, input)?;
        let output = c.output(output, len)?;
        let name = &input.to_string_lossy();
        let open = |source| FileError::Open { name: name.to_string(), source };
        range(
            key,
            context,
            Source { inner: File::open(&input).map_err(open)?, name },
            start,
            output,
        )
    })
}

/// Seals a file, on all cores. `output` gets its name when it is complete and on the disk; a file that has that name is replaced if
/// `replace`, and else stays.
///
/// Errors: FILE, FILE_EXISTS, FILE_CHANGED, OVERLAP, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_chunked_seal_file(
    key: Option<&Chunked>,
    context: In,
    context_len: usize,
    input: Text,
    output: Text,
    replace: bool,
) -> Error {
    call(|c| {
        let files = Files::of(c, input, output, replace)?;
        let context = c.input(context, context_len)?;
        let chunked = formats::Chunked { key: handle(key)?.0.clone(), context, threads: None };
        files.run(|input, output| chunked.encrypt(input, output, &mut |_| {}))
    })
}

/// Opens a file, on all cores; as icefish_chunked_seal_file. There is no output if any chunk is wrong.
///
/// Errors: COMMITMENT, FORGED_CHUNK, TRUNCATED too.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_chunked_open_file(
    key: Option<&Chunked>,
    context: In,
    context_len: usize,
    input: Text,
    output: Text,
    replace: bool,
) -> Error {
    call(|c| {
        let files = Files::of(c, input, output, replace)?;
        let context = c.input(context, context_len)?;
        let chunked = formats::Chunked { key: handle(key)?.0.clone(), context, threads: None };
        files.run(|input, output| chunked.decrypt(input, output, &mut |_| {}))
    })
}

/// Erases and frees a key. Null is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_chunked_free(key: Option<Box<Chunked>>) {
    crate::free(key);
}

/// The length of a result, for which there is room.
fn room(need: u64, got: usize) -> Result<usize, Failure> {
    match usize::try_from(need) {
        Ok(need) if need <= got => Ok(need),
        other => Err(Failure::room(got, other.unwrap_or(usize::MAX))),
    }
}

/// A path, as the operating system has it.
fn path<'c>(c: &mut Call<'c>, at: Text) -> Result<Cow<'c, Path>, Failure> {
    of_system(c.text(at)?.ok_or(Failure::Null)?)
}

#[cfg(unix)]
fn of_system(text: &CStr) -> Result<Cow<'_, Path>, Failure> {
    use std::os::unix::ffi::OsStrExt;
    Ok(Path::new(std::ffi::OsStr::from_bytes(text.to_bytes())).into())
}

#[cfg(not(unix))]
fn of_system(text: &CStr) -> Result<Cow<'_, Path>, Failure> {
    Ok(Path::new(crate::utf8(text)?).into())
}

/// From a file to a file.
struct Files {
    input: Input,
    output: Output,
}

impl Files {
    fn of(c: &mut Call<'_>, input: Text, output: Text, replace: bool) -> Result<Self, Failure> {
        let (input, output) = (path(c, input)?, path(c, output)?);
        let input = Input::open(&input)?;
        Ok(Self { input, output: Target::file(&output, replace)?.create()? })
    }

    fn run(
        mut self,
        work: impl FnOnce(Input, &mut Output) -> Result<u64, FileError>,
    ) -> Result<(), Failure> {
        work(self.input, &mut self.output).map_err(|error| self.output.explain(error))?;
        Ok(self.output.commit()?)
    }
}

/// A sealed message that can be read at any place.
struct Source<'s, S> {
    inner: S,
    name: &'s str,
}

impl<S: Read + Seek> Source<'_, S> {
    fn len(&mut self) -> Result<u64, Failure> {
        self.inner.seek(SeekFrom::End(0)).map_err(|error| self.failed(error))
    }

    fn read(&mut self, at: u64, bytes: &mut [u8]) -> Result<(), Failure> {
        let read = self.inner.seek(SeekFrom::Start(at)).and_then(|_| self.inner.read_exact(bytes));
        read.map_err(|error| self.failed(error))
    }

    fn failed(&self, source: std::io::Error) -> Failure {
        FileError::Read { name: self.name.to_owned(), source }.into()
    }
}

/// The part of a plaintext from `start` on that fills `output`.
fn range<S: Read + Seek>(
    key: &AnyChunked,
    context: &[u8],
    mut source: Source<'_, S>,
    start: u64,
    output: &mut [u8],
) -> Result<(), Failure> {
    let len = plain_len(source.len()?)?;
    let mut header = [0; HEADER];
    source.read(0, &mut header)?;
    let mut chunks = Chunks { opener: key.opener(&header, context)?, source, len };
    let end = start.checked_add(output.len() as u64).filter(|end| *end <= len);
    let end = end.ok_or(Failure::Range(len))?;
    let done = chunks.part(start, end, output);
    if done.is_err() {
        output.fill(0);
    }
    done
}

/// The chunks of a message with `len` bytes of plaintext.
struct Chunks<'s, S> {
    opener: AnyChunkOpener,
    source: Source<'s, S>,
    len: u64,
}

impl<S: Read + Seek> Chunks<'_, S> {
    fn part(&mut self, start: u64, end: u64, mut output: &mut [u8]) -> Result<(), Failure> {
        let mut plain = Zeroizing::new([0; CHUNK]);
        // It is the only one that proves the length.
        self.open(self.len / CHUNK as u64, &mut plain)?;
        let mut at = start;
        while at < end {
            let number = at / CHUNK as u64;
            let chunk = self.open(number, &mut plain)?;
            let skip = (at % CHUNK as u64) as usize;
            let (now, later) = output.split_at_mut(output.len().min(chunk.len() - skip));
            now.copy_from_slice(&chunk[skip..skip + now.len()]);
            at += now.len() as u64;
            output = later;
        }
        Ok(())
    }

    /// Verifies and decrypts chunk `number`.
    fn open<'p>(&mut self, number: u64, plain: &'p mut [u8; CHUNK]) -> Result<&'p [u8], Failure> {
        let first = number * CHUNK as u64;
        let last = number == self.len / CHUNK as u64;
        let len = if last { (self.len - first) as usize } else { CHUNK };
        let mut sealed = [0; SEALED_CHUNK];
        let sealed = &mut sealed[..len + SEALED_CHUNK - CHUNK];
        self.source.read(chunk_offset(number), sealed)?;
        self.opener.open_between(number, last, sealed, &mut plain[..len])?;
        Ok(&plain[..len])
    }
}
