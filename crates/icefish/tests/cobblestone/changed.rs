//! Messages that somebody changed.

use super::*;

#[test]
fn every_bit_matters() {
    for backend in backends() {
        let (key, plain, mut sealed) = message(backend, 40);
        for bit in 0..8 * sealed.len() {
            sealed[bit / 8] ^= 1 << (bit % 8);
            let expected = match bit / 8 {
                0..HEADER => Error::Commitment,
                _ => Error::ForgedChunk { number: 0 },
            };
            assert_eq!(open(&key, CONTEXT, &sealed), Err(expected), "bit {bit} on {backend}");
            assert_eq!(read(&key, CONTEXT, &sealed), Err(expected), "bit {bit} on {backend}");
            sealed[bit / 8] ^= 1 << (bit % 8);
        }
        assert_eq!(open(&key, CONTEXT, &sealed), Ok(plain));
        assert_eq!(open(&key, b"to: al", &sealed), Err(Error::Commitment));
        let other = Cobblestone128::on(backend, &[8; 16]).unwrap();
        assert_eq!(open(&other, CONTEXT, &sealed), Err(Error::Commitment));
    }
}

#[test]
fn chunks_have_their_places() {
    let forged = |number| Err(Error::ForgedChunk { number });
    for backend in backends() {
        let (key, _, sealed) = message(backend, 4 * CHUNK + 100);
        let chunk = |number: usize| {
            &sealed[HEADER + number * SEALED_CHUNK..]
                [..SEALED_CHUNK.min(sealed.len() - HEADER - number * SEALED_CHUNK)]
        };
        let of = |numbers: &[usize]| {
            let chunks = numbers.iter().flat_map(|&number| chunk(number));
            sealed[..HEADER].iter().chain(chunks).copied().collect::<Vec<u8>>()
        };
        let opened = |numbers: &[usize]| open(&key, CONTEXT, &of(numbers)).map(|_| ());
        assert_eq!(opened(&[0, 1, 2, 3, 4]), Ok(()));
        assert_eq!(opened(&[0, 2, 1, 3, 4]), forged(1));
        assert_eq!(opened(&[1, 0, 2, 3, 4]), forged(0));
        assert_eq!(opened(&[0, 1, 1, 3, 4]), forged(2));
        assert_eq!(opened(&[0, 1, 1, 2, 3, 4]), forged(2));
        assert_eq!(opened(&[0, 1, 3, 4]), forged(2));
        assert_eq!(opened(&[0, 1, 2, 4]), forged(3));
        assert_eq!(opened(&[0, 1, 2, 3, 4, 4]), forged(4));
        assert_eq!(opened(&[0, 1, 2, 3]), Err(Error::Truncated));
        // A reader finds the length wrong before it reads anything.
        for numbers in [&[0, 1, 3, 4][..], &[0, 1, 2, 3, 3, 4], &[4]] {
            let reader = Reader::new(&key, CONTEXT, Cursor::new(of(numbers)));
            assert_eq!(
                error(reader.unwrap_err()),
                Error::ForgedChunk { number: numbers.len() as u64 - 1 }
            );
        }
        // Of another message of the same key.
        let (_, _, other) = message(backend, 4 * CHUNK + 101);
        let mut mixed = sealed.clone();
        mixed[HEADER..][..SEALED_CHUNK].copy_from_slice(&other[HEADER..][..SEALED_CHUNK]);
        assert_eq!(open(&key, CONTEXT, &mixed).map(|_| ()), forged(0));
    }
}

#[test]
fn cut_at_every_length_and_made_longer() {
    for backend in backends() {
        let (key, plain, sealed) = message(backend, CHUNK + 100);
        let step = if backend == Backend::best() { 1 } else { 97 };
        for len in (0..sealed.len()).step_by(step) {
            let failed = read(&key, CONTEXT, &sealed[..len]).unwrap_err();
            let expected = match len.checked_sub(HEADER) {
                None | Some(0..TAG) | Some(SEALED_CHUNK..16_416) => Error::Truncated,
                Some(chunks) => Error::ForgedChunk { number: (chunks / SEALED_CHUNK) as u64 },
            };
            assert_eq!(failed, expected, "{len} on {backend}");
        }
        assert!(read(&key, CONTEXT, &sealed).as_ref() == Ok(&plain));
        for more in (1..40).chain([SEALED_CHUNK - 1, SEALED_CHUNK, SEALED_CHUNK + 1]) {
            let longer = [&sealed[..], &vec![0; more]].concat();
            assert!(open(&key, CONTEXT, &longer).is_err(), "{more} more on {backend}");
            assert!(read(&key, CONTEXT, &longer).is_err(), "{more} more on {backend}");
        }
    }
}

/// The chunks before a forged one are there, and nothing is behind them.
#[test]
fn what_a_forged_chunk_leaves() {
    for backend in backends() {
        let (key, plain, mut sealed) = message(backend, 3 * CHUNK + 10);
        let opener = key.opener(&sealed[..HEADER], CONTEXT).unwrap();
        sealed[chunk_offset(2) as usize] ^= 1;
        let mut room = vec![9; plain.len()];
        let failed = opener.open_between(0, true, &sealed[HEADER..], &mut room);
        assert_eq!(failed, Err(Error::ForgedChunk { number: 2 }), "{backend}");
        assert!(room[..2 * CHUNK] == plain[..2 * CHUNK], "{backend}");
        assert!(room[2 * CHUNK..].iter().all(|&byte| byte == 0), "{backend}");

        let (mut chunk, tag) = (plain[..10].to_vec(), [0; TAG]);
        let failed = opener.open_in_place(3, true, &mut chunk, &tag);
        assert_eq!((failed, chunk), (Err(Error::ForgedChunk { number: 3 }), vec![0; 10]));
    }
}
