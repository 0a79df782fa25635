//! Messages with a tag, from file to file: GCM-SIV in two passes, and inputs that change between these.

mod common;

use common::{Case, paint};
use icefish::Backend;
use icefish::suite::{AeadSuite, AnyAead};
use icefish_files::Error;
use icefish_files::formats::Sealed;
use icefish_files::pipeline::CHUNK;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};

const NONCE: [u8; 12] = [9; 12];

fn key() -> AnyAead {
    let suite: AeadSuite = "aes-256-gcm-siv".parse().expect("a name");
    suite.key(Backend::best(), &[7; 32]).expect("a key")
}

fn sealed(key: &AnyAead) -> Sealed<'_> {
    Sealed { key, nonce: Some(&NONCE), associated: b"to: all" }
}

/// Changes the input.
fn change(case: &Case, change: impl FnOnce(&mut File)) {
    let file = File::options().write(true).open(case.path("input"));
    change(&mut file.expect("our file"));
}

/// Lengths around those that are done in memory, and around what is read at a time.
#[test]
fn both_ways_at_every_length() {
    let (case, key) = (Case::new(), key());
    let around = |len: usize| [len - 17, len - 16, len - 1, len, len + 1, len + 17];
    for len in [0, 1].into_iter().chain([CHUNK, 2 * CHUNK, 5 * CHUNK].into_iter().flat_map(around))
    {
        let plain = paint(len);
        let mut expected = plain.clone();
        let mut tag = [0; 16];
        let whole = key.seal_in_place(&NONCE, b"to: all", &mut expected, &mut tag);
        whole.expect("a message");
        expected.extend(tag);
        for revocable in [true, false] {
            let (mut made, mut last, mut back) = (Vec::new(), 0, Vec::new());
            let mut rising = |at| {
                assert!(at >= last && at <= expected.len() as u64, "{len}: {last} to {at}");
                last = at;
            };
            let input = case.input(&plain);
            let done = sealed(&key).encrypt(input, &mut made, revocable, &mut rising);
            assert_eq!(done.expect("a message"), made.len() as u64);
            assert!(made == expected, "{len}");
            let input = case.input(&expected);
            let done = sealed(&key).decrypt(input, &mut back, revocable, &mut |_| {});
            assert_eq!(done.expect("a message"), len as u64);
            assert!(back == plain, "{len}, back");
        }
    }
}

/// After the first pass has read the beginning, or all, and before the second: that is noticed, whatever it is.
#[test]
fn an_input_that_changes_between_the_passes() {
    let (case, key) = (Case::new(), key());
    let len = 3 * CHUNK;
    let changes: [fn(&mut File); 4] = [
        |file| file.write_all(b"x").expect("room"),
        |file| file.set_len(2 * CHUNK as u64).expect("our file"),
        |file| {
            file.seek(SeekFrom::End(0)).and_then(|_| file.write_all(b"more")).expect("room");
        },
        |file| {
            file.seek(SeekFrom::End(-1)).and_then(|_| file.write_all(b"x")).expect("room");
        },
    ];
    // `progress` is told half of what the first pass has read.
    for (change, read) in changes.into_iter().flat_map(|change| [(change, 1), (change, 3)]) {
        let is_last_byte = change as usize == changes[3] as usize;
        let mut change = Some(change);
        let mut output = case.output();
        let done = sealed(&key).encrypt(case.input(&paint(len)), &mut output, true, &mut |at| {
            if at == (read * CHUNK / 2) as u64
                && let Some(change) = change.take()
            {
                self::change(&case, change);
            }
        });
        if is_last_byte && read == 1 {
            // It changed before it was read.
            done.expect("a message");
            continue;
        }
        assert!(matches!(done, Err(Error::Changed { .. })), "{done:?}");
        drop(output);
        assert!(!case.path("output").exists());
    }
}

/// The tag that was read first must be the one at the end.
#[test]
fn a_ciphertext_that_changes_after_its_tag_was_read() {
    let (case, key) = (Case::new(), key());
    let mut made = Vec::new();
    let plain = case.input(&paint(12 * CHUNK));
    sealed(&key).encrypt(plain, &mut made, true, &mut |_| {}).expect("a message");
    let changes: [fn(&mut File); 3] = [
        |file| {
            file.seek(SeekFrom::End(-1)).and_then(|_| file.write_all(b"x")).expect("room");
        },
        |file| file.set_len(7 * CHUNK as u64).expect("our file"),
        |file| {
            file.seek(SeekFrom::End(0)).and_then(|_| file.write_all(b"more")).expect("room");
        },
    ];
    for change in changes {
        let mut change = Some(change);
        let mut output = case.output();
        // The reader has not come to the end when the first piece is written: there are fewer buffers.
        let done = sealed(&key).decrypt(case.input(&made), &mut output, true, &mut |_| {
            if let Some(change) = change.take() {
                self::change(&case, change);
            }
        });
        assert!(matches!(done, Err(Error::Crypt(icefish::Error::Forged))), "{done:?}");
        drop(output);
        assert!(!case.path("output").exists());
    }
}
