use super::{CHUNK, Fault, Transform, run};
use crate::Error;
use crate::test_streams::{Bits, Full, paint};
use std::io::{self, Cursor, ErrorKind, Read};

/// Adds one to every byte, and says how many there were at the end.
#[derive(Default)]
struct Count {
    bytes: u64,
    fail_at: Option<u64>,
}

impl Transform for Count {
    fn output_len(&self, input: usize) -> usize {
        input.max(8)
    }
    fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Error> {
        self.bytes += input.len() as u64;
        if self.fail_at.is_some_and(|at| self.bytes > at) {
            return Err(icefish::Error::CounterExhausted.into());
        }
        for (o, i) in output.iter_mut().zip(input) {
            *o = i.wrapping_add(1);
        }
        Ok(input.len())
    }
    fn finish(self, output: &mut [u8]) -> Result<usize, Error> {
        output[..8].copy_from_slice(&self.bytes.to_le_bytes());
        Ok(8)
    }
}

/// Gives pieces of growing length.
fn bits(data: &[u8]) -> Bits<impl FnMut(usize) -> usize + Send + use<>> {
    Bits::new(data, |call| call * call)
}

/// Takes so many bytes.
fn full(room: usize) -> Full {
    Full(room, ErrorKind::StorageFull)
}

fn counted(plain: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = plain.iter().map(|b| b + 1).collect();
    out.extend((plain.len() as u64).to_le_bytes());
    out
}

#[test]
fn every_way_gives_the_same() {
    for len in [0, 1, 4095, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK, 9 * CHUNK + 17] {
        let plain = paint(len);
        // A stream; a file; a file that is longer, or shorter, than it said.
        for hint in [None, Some(len as u64), Some(0), Some(3), Some(u64::MAX)] {
            let (mut out, mut last) = (Vec::new(), 0);
            let mut progress = |at| last = at;
            let written =
                run(Cursor::new(plain.clone()), hint, Count::default(), &mut out, &mut progress);
            assert_eq!(written.ok(), Some(out.len() as u64));
            assert_eq!(last, out.len() as u64);
            assert!(out == counted(&plain), "{len} {hint:?}");
        }
    }
}

#[test]
fn pieces_and_interruptions() {
    for len in [0, 1, 1000, 3 * CHUNK + 5] {
        for hint in [None, Some(len as u64)] {
            let input = bits(&paint(len));
            let mut out = Vec::new();
            assert!(run(input, hint, Count::default(), &mut out, &mut |_| {}).is_ok());
            assert!(out == counted(&paint(len)), "{len}");
        }
    }
}

#[test]
fn a_failing_reader_is_not_an_end() {
    for hint in [None, Some(0), Some(1000)] {
        let mut input = bits(&paint(1000));
        input.fails = true;
        let result = run(input, hint, Count::default(), &mut Vec::new(), &mut |_| {});
        assert!(matches!(result, Err(Fault::Read(_))), "{result:?}");
    }
}

#[test]
fn a_full_output_ends_the_work() {
    for (len, room) in [(1, 0), (1, 5), (20 * CHUNK, 0), (20 * CHUNK, 3 * CHUNK)] {
        for hint in [None, Some(len as u64)] {
            let input = Cursor::new(paint(len));
            let result = run(input, hint, Count::default(), &mut full(room), &mut |_| {});
            assert!(matches!(result, Err(Fault::Write(_))), "{result:?}");
        }
    }
}

#[test]
fn a_full_output_does_not_wait_for_input() {
    /// Gives a chunk and then nothing, for ever.
    struct Silent(bool);
    impl Read for Silent {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if std::mem::replace(&mut self.0, true) {
                loop {
                    std::thread::park();
                }
            }
            Ok(buffer.len())
        }
    }
    let result = run(Silent(false), None, Count::default(), &mut full(0), &mut |_| {});
    assert!(matches!(result, Err(Fault::Write(_))), "{result:?}");
}

#[test]
fn a_failing_transformation_is_told() {
    for at in [0, 100, 3 * CHUNK as u64] {
        for hint in [None, Some(5 * CHUNK as u64)] {
            let transform = Count { bytes: 0, fail_at: Some(at) };
            let input = Cursor::new(paint(5 * CHUNK));
            let result = run(input, hint, transform, &mut Vec::new(), &mut |_| {});
            assert!(matches!(result, Err(Fault::Between(Error::Crypt(_)))), "{result:?}");
        }
    }
}

#[test]
fn a_panic_is_an_error() {
    struct Panic;
    impl Transform for Panic {
        fn output_len(&self, input: usize) -> usize {
            input
        }
        fn update(&mut self, _: &[u8], _: &mut [u8]) -> Result<usize, Error> {
            panic!("as it must");
        }
        fn finish(self, _: &mut [u8]) -> Result<usize, Error> {
            Ok(0)
        }
    }
    impl Read for Panic {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            panic!("as it must");
        }
    }
    let result = run(Cursor::new(paint(9)), None, Panic, &mut Vec::new(), &mut |_| {});
    assert!(matches!(result, Err(Fault::Between(Error::Thread(_)))), "{result:?}");
    let result = run(Panic, None, Count::default(), &mut Vec::new(), &mut |_| {});
    assert!(matches!(result, Err(Fault::Read(_))), "{result:?}");
}
