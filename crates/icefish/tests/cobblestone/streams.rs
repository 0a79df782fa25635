//! Readers and writers.

use super::*;
use icefish::storage::cobblestone::Writer;
use std::io::{Seek, SeekFrom, Write};

#[test]
fn ranges_are_slices() {
    let mut random = Random(6);
    for backend in backends() {
        for (len, ranges) in [(10 * CHUNK + 5000, 10_000), (3 * CHUNK, 1000), (7, 100), (0, 40)] {
            let (key, plain, sealed) = message(backend, len);
            let mut reader = Reader::new(&key, CONTEXT, Cursor::new(sealed)).unwrap();
            assert_eq!(reader.plain_len(), len as u64);
            for _ in 0..times(backend, ranges) {
                let start = random.below(len + 1);
                let most = if random.below(2) == 0 { len - start } else { 300.min(len - start) };
                let mut part = vec![0; random.below(most + 1)];
                reader.read_exact_at(start as u64, &mut part).unwrap();
                assert!(
                    part == plain[start..start + part.len()],
                    "{start}, {} on {backend}",
                    part.len()
                );
            }
            let past = reader.read_exact_at(0, &mut vec![0; len + 1]).unwrap_err();
            assert_eq!(past.kind(), ErrorKind::UnexpectedEof);
        }
    }
}

#[test]
fn a_reader_seeks_and_begins_anywhere() {
    let (key, plain, sealed) = message(Backend::best(), 2 * CHUNK + 10);
    let mut file = Cursor::new([b"before", &sealed[..]].concat());
    file.set_position(6);
    let mut reader = Reader::new(&key, CONTEXT, file).unwrap();
    let mut rest = Vec::new();
    assert_eq!(reader.seek(SeekFrom::End(-20)).unwrap(), plain.len() as u64 - 20);
    reader.read_to_end(&mut rest).unwrap();
    assert_eq!(rest, plain[plain.len() - 20..]);
    assert_eq!(reader.seek(SeekFrom::Current(-30)).unwrap(), plain.len() as u64 - 30);
    assert_eq!(reader.seek(SeekFrom::Start(1 << 60)).unwrap(), 1 << 60);
    assert_eq!(reader.read(&mut [0; 9]).unwrap(), 0);
    assert_eq!(reader.seek(SeekFrom::End(-40_000)).unwrap_err().kind(), ErrorKind::InvalidInput);
    assert_eq!(reader.stream_position().unwrap(), 1 << 60);
}

/// A chunk in the middle is wrong: what is before and behind it can be read, and it never.
#[test]
fn a_reader_verifies_what_it_reads() {
    for backend in backends() {
        let (key, plain, mut sealed) = message(backend, 3 * CHUNK + 10);
        sealed[chunk_offset(1) as usize + 77] ^= 4;
        let mut reader = Reader::new(&key, CONTEXT, Cursor::new(sealed)).unwrap();
        let (mut before, mut behind) = (vec![0; CHUNK], vec![0; CHUNK + 10]);
        for _ in 0..2 {
            reader.read_exact_at(0, &mut before).unwrap();
            reader.read_exact_at(2 * CHUNK as u64, &mut behind).unwrap();
            assert!(before == plain[..CHUNK] && behind == plain[2 * CHUNK..]);
            let mut part = [5; 3];
            let failed = reader.read_exact_at(CHUNK as u64 + 9, &mut part).unwrap_err();
            assert_eq!((error(failed), part), (Error::ForgedChunk { number: 1 }, [5; 3]));
        }
    }
}

#[test]
fn any_pieces_are_one_call() {
    let mut random = Random(7);
    for backend in backends() {
        for _ in 0..40 {
            let len = length(&mut random);
            let (key, plain, sealed) = message(backend, len);
            let salt = sealed.first_chunk().unwrap();
            let mut writer = Writer::new(key.sealer(salt, CONTEXT), Vec::new()).unwrap();
            let mut rest = &plain[..];
            while !rest.is_empty() {
                let (piece, after) = rest.split_at(1 + random.below(rest.len()));
                writer.write_all(piece).unwrap();
                if random.below(2) == 0 {
                    writer.flush().unwrap();
                }
                rest = after;
            }
            assert!(writer.finish().unwrap() == sealed, "{len} on {backend}");
        }
    }
}

#[test]
fn a_writer_that_is_not_finished_is_truncated() {
    for len in [0, 1, CHUNK, CHUNK + 1, 2 * CHUNK] {
        let (key, plain, _) = message(Backend::best(), len);
        let mut sealed = Vec::new();
        let mut writer = Writer::new(key.sealer(&[1; 24], CONTEXT), &mut sealed).unwrap();
        writer.write_all(&plain).unwrap();
        writer.flush().unwrap();
        drop(writer);
        assert_eq!(read(&key, CONTEXT, &sealed), Err(Error::Truncated), "{len}");
    }
}

/// Whoever goes on after an error would leave a gap.
#[test]
fn a_writer_fails_for_good() {
    struct Once(usize);
    impl Write for Once {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += 1;
            if self.0 == 2 { Err(io::Error::other("once")) } else { Ok(bytes.len()) }
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (key, plain, _) = message(Backend::best(), 2 * CHUNK);
    let mut writer = Writer::new(key.sealer(&[1; 24], CONTEXT), Once(0)).unwrap();
    assert!(writer.write_all(&plain).is_err());
    assert!(writer.write_all(&plain).is_err());
    assert!(writer.finish().is_err());
}
