use super::{Message, PIECE};
use crate::Error;
use crate::formats::Way;
use crate::ordered;
use crate::pipeline::Fault;
use crate::test_streams::{Bits, Full, paint};
use icefish::Backend;
use icefish::modes::{Granularity, Mode, Padding};
use icefish::suite::{AnyMode, CIPHERS, Suite};
use std::io::{self, ErrorKind, Read};
use std::sync::Arc;
use zeroize::Zeroizing;

/// Gives up to so many bytes in a call, fewer now and then.
fn bits(data: &[u8], most: usize) -> Bits<impl FnMut(usize) -> usize + Send + use<>> {
    Bits::new(data, move |call| if call.is_multiple_of(3) { most.div_ceil(7) } else { most })
}

/// A message of `suite`; `None` if its pieces cannot be taken by themselves.
fn message(suite: Suite, way: Way, padding: Padding) -> Option<Message> {
    let Suite { cipher, mode } = suite;
    let needs = mode.depends_on(way)?;
    let key = cipher.key(Backend::best(), &paint(cipher.key), &[]).expect("a key of its length");
    // A counter that wraps.
    let iv = Zeroizing::new(vec![0xff; mode.iv_len(cipher.block)]);
    Some(Message { key: Arc::new(key), mode, padding, iv, way, needs })
}

/// What the library makes of all of it, in one call.
fn whole(message: &Message, input: &[u8]) -> Vec<u8> {
    let Message { key, mode, padding, iv, .. } = message;
    let mut output = vec![0; input.len() + message.block()];
    let len = match message.way {
        Way::Encrypt => key.encrypt_between(*mode, iv, *padding, input, &mut output),
        Way::Decrypt => key.decrypt_between(*mode, iv, *padding, input, &mut output),
    };
    output.truncate(len.expect("a length that the padding allows"));
    output
}

fn run(
    message: Message,
    input: impl Read + Send + 'static,
    threads: usize,
) -> (Result<u64, Fault>, Vec<u8>) {
    let (source, mut output, mut last) = (message.source(input), Vec::new(), 0);
    let done = ordered::run(message, source, threads, &mut output, &mut |at| last = at);
    assert!(done.is_err() || last == output.len() as u64);
    (done, output)
}

/// The same for every way to read, and for every number of threads.
fn same(suite: Suite, lens: &[usize], reads: &[usize], threads: &[usize]) {
    let paddings = match suite.mode.granularity() {
        Granularity::Block => &Padding::ALL[..],
        Granularity::Stream | Granularity::Byte => &[Padding::None],
    };
    let ways = [Way::Encrypt, Way::Decrypt];
    for (way, &padding) in ways.into_iter().flat_map(|way| paddings.iter().map(move |p| (way, p))) {
        for &len in lens {
            let Some(known) = message(suite, way, padding) else { continue };
            let len = match padding {
                // With other lengths it is an error.
                Padding::None => len.next_multiple_of(known.block()),
                _ => len,
            };
            let plain = paint(len);
            let from = match way {
                Way::Encrypt => plain,
                Way::Decrypt => {
                    let (key, iv) = (Arc::clone(&known.key), known.iv.clone());
                    whole(&Message { way: Way::Encrypt, key, iv, ..known }, &plain)
                }
            };
            let to = whole(&known, &from);
            for (&most, &threads) in reads.iter().flat_map(|m| threads.iter().map(move |n| (m, n)))
            {
                let message = message(suite, way, padding).expect("it was one");
                let (done, output) = run(message, bits(&from, most), threads);
                let at = format!("{suite} {way:?} {padding:?} {len} by {most}, {threads} threads");
                assert_eq!(done.expect(&at), to.len() as u64, "{at}");
                assert!(output == to, "{at}");
            }
        }
    }
}

#[test]
fn short_pieces_of_every_cipher_and_mode() {
    for cipher in CIPHERS {
        for &(_, mode) in AnyMode::ALL {
            let block = cipher.block;
            let lens = [0, 1, block, 2 * block, 3 * block - 1];
            same(Suite { cipher, mode }, &lens, &[block - 1, 2 * block + 1], &[2]);
        }
    }
}

#[test]
fn long_pieces() {
    for name in
        ["aes-256-ctr", "aes-128-ecb", "aes-256-cbc", "threefish-512-cfb", "thin-ice-ctr32-le"]
    {
        let suite: Suite = name.parse().expect("a name");
        let borders = [PIECE - 1, PIECE, PIECE + suite.cipher.block, 3 * PIECE + 17];
        same(suite, &borders, &[PIECE / 8 + 1, 3 * PIECE], &[1, 2, 5]);
    }
}

#[test]
fn what_is_handed_on_without_more() {
    /// Gives some bytes, and is asked for no more.
    struct Once(usize);
    impl Read for Once {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let len = std::mem::replace(&mut self.0, 0);
            assert!(len > 0, "it waits for more");
            buffer[..len].fill(7);
            Ok(len)
        }
    }
    for (name, way, padding, given, ready) in [
        ("aes-256-ctr", Way::Encrypt, Padding::None, 5, 5),
        ("aes-256-cfb", Way::Decrypt, Padding::None, 21, 21),
        ("aes-256-ecb", Way::Encrypt, Padding::Pkcs7, 35, 32),
        ("aes-256-cbc", Way::Decrypt, Padding::None, 32, 32),
        ("aes-256-cbc", Way::Decrypt, Padding::Pkcs7, 48, 32),
    ] {
        let message = message(name.parse().expect("a name"), way, padding).expect("in pieces");
        let mut buffer = vec![0; PIECE];
        let filled = ordered::Source::fill(&mut message.source(Once(given)), &mut buffer);
        let filled = filled.expect("no error").expect("no end");
        assert_eq!((filled.len, filled.end), (ready, false), "{name}");
    }
}

#[test]
fn wrong_lengths_and_paddings() {
    let cbc: Suite = "aes-256-cbc".parse().expect("a name");
    let ecb: Suite = "aes-256-ecb".parse().expect("a name");
    for len in [1, 33, PIECE + 5] {
        let got = len as u64;
        let open = message(cbc, Way::Decrypt, Padding::Pkcs7).expect("in pieces");
        let (done, _) = run(open, bits(&paint(len), PIECE), 2);
        let Err(Fault::Between(Error::PartialCiphertext { got: g, block: 16 })) = done else {
            panic!("{done:?}")
        };
        assert_eq!(g, got);
        let seal = message(ecb, Way::Encrypt, Padding::None).expect("in pieces");
        let (done, output) = run(seal, bits(&paint(len), PIECE), 2);
        let Err(Fault::Between(Error::PartialPlaintext { got: g, block: 16 })) = done else {
            panic!("{done:?}")
        };
        // What is before the last block was written.
        assert_eq!((g, output.len()), (got, len / 16 * 16));
    }
    for len in [0, 2 * PIECE] {
        let open = message(cbc, Way::Decrypt, Padding::Pkcs7).expect("in pieces");
        let (done, _) = run(open, bits(&vec![0; len], PIECE), 2);
        let wrong = matches!(
            done,
            Err(Fault::Between(
                Error::Crypt(icefish::Error::Padding) | Error::PartialCiphertext { got: 0, .. }
            ))
        );
        assert!(wrong, "{done:?}");
    }
}

#[test]
fn a_reader_that_goes_away() {
    let suite: Suite = "aes-256-ctr".parse().expect("a name");
    for room in [0, 5, 3 * PIECE] {
        for threads in [1, 2, 5] {
            let message = message(suite, Way::Encrypt, Padding::None).expect("in pieces");
            let source = message.source(io::repeat(1));
            let done = ordered::run(
                message,
                source,
                threads,
                &mut Full(room, ErrorKind::BrokenPipe),
                &mut |_| {},
            );
            assert!(matches!(done, Err(Fault::Write(_))), "{done:?}");
        }
    }
}

#[test]
fn an_input_that_fails_is_not_an_end() {
    let suite: Suite = "aes-256-cbc".parse().expect("a name");
    for len in [0, 100, 2 * PIECE + 1] {
        let message = message(suite, Way::Decrypt, Padding::Pkcs7).expect("in pieces");
        let mut input = bits(&paint(len), PIECE);
        input.fails = true;
        let (done, _) = run(message, input, 2);
        assert!(matches!(done, Err(Fault::Read(_))), "{done:?}");
    }
}
