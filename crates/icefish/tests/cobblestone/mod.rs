//! Cobblestone: Wycheproof, the crate cobblestone, lengths and names.

#![cfg(all(feature = "cobblestone", feature = "std"))]

mod changed;
mod streams;

use crate::common;
use crate::common::{Random, backends, hex};
use cobblestone::{Key, Key256};
use icefish::storage::cobblestone::{
    CHUNK, ChunkOpener, Cobblestone, HEADER, Instance, MAX_CHUNKS, MAX_PLAIN, Reader, SEALED_CHUNK,
    TAG, chunk_offset, plain_len, sealed_len,
};
use icefish::storage::{Cobblestone128, Cobblestone256};
use icefish::suite::{AnyChunkOpener, ChunkedSuite};
use icefish::{Backend, Error};
use sha2::{Digest, Sha512};
use std::io::{self, Cursor, ErrorKind, Read};
use std::path::Path;

const KEY: [u8; 16] = [7; 16];
const CONTEXT: &[u8] = b"to: all";

/// All of a message in one call.
fn seal<C: Instance>(
    key: &Cobblestone<C>,
    salt: &[u8; 24],
    context: &[u8],
    plain: &[u8],
) -> Vec<u8> {
    let sealer = key.sealer(salt, context);
    let mut sealed = vec![0; sealed_len(plain.len() as u64).unwrap() as usize];
    sealed[..HEADER].copy_from_slice(&sealer.header());
    sealer.seal_between(0, true, plain, &mut sealed[HEADER..]).unwrap();
    sealed
}

/// All of a message in one call.
fn open<C: Instance>(
    key: &Cobblestone<C>,
    context: &[u8],
    sealed: &[u8],
) -> Result<Vec<u8>, Error> {
    let mut plain = vec![0; plain_len(sealed.len() as u64)? as usize];
    let (header, chunks) = sealed.split_at(HEADER);
    key.opener(header, context)?.open_between(0, true, chunks, &mut plain)?;
    Ok(plain)
}

/// The whole of a message by [`Reader`].
fn read<C: Instance>(
    key: &Cobblestone<C>,
    context: &[u8],
    sealed: &[u8],
) -> Result<Vec<u8>, Error> {
    let mut plain = Vec::new();
    let reader = Reader::new(key, context, Cursor::new(sealed));
    match reader.and_then(|mut reader| reader.read_to_end(&mut plain)) {
        Ok(_) => Ok(plain),
        Err(e) => Err(error(e)),
    }
}

/// The error of the library in that of a reader.
fn error(e: io::Error) -> Error {
    assert_eq!(e.kind(), ErrorKind::InvalidData, "{e}");
    *e.into_inner().expect("ours").downcast().expect("ours")
}

/// A message sealed under [`KEY`], and its plaintext.
fn message(backend: Backend, len: usize) -> (Cobblestone128, Vec<u8>, Vec<u8>) {
    let mut random = Random(len as u64);
    let key = Cobblestone128::on(backend, &KEY).unwrap();
    let plain = random.bytes(len);
    let salt = random.bytes(24).try_into().unwrap();
    let sealed = seal(&key, &salt, CONTEXT, &plain);
    (key, plain, sealed)
}

/// Opens a message chunk by chunk, as a stream; also what came out before an error.
fn stream(opener: &AnyChunkOpener, mut rest: &[u8]) -> (Vec<u8>, Result<(), Error>) {
    let mut plain = Vec::new();
    for number in 0.. {
        let last = rest.len() < SEALED_CHUNK;
        let (chunk, after) = rest.split_at(rest.len().min(SEALED_CHUNK));
        let mut room = vec![0; chunk.len().saturating_sub(TAG)];
        if let Err(e) = opener.open_between(number, last, chunk, &mut room) {
            assert!(room.iter().all(|&byte| byte == 0));
            return (plain, Err(e));
        }
        plain.extend(room);
        if last {
            return (plain, Ok(()));
        }
        rest = after;
    }
    unreachable!("a message ends")
}

/// Every file of Wycheproof in the folder; its `algorithm` is a name of `suite`.
#[test]
fn wycheproof() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/cobblestone");
    let mut run = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let text = std::fs::read_to_string(path).unwrap();
        let file: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let name = file["algorithm"].as_str().expect("a name").to_lowercase();
        let suite: ChunkedSuite = name.parse().unwrap();
        let groups = file["testGroups"].as_array().expect("groups").iter();
        let tests = groups.flat_map(|group| group["tests"].as_array().expect("tests"));
        let mut in_file = 0;
        for test in tests {
            for backend in backends() {
                wycheproof_test(suite, backend, test);
            }
            in_file += 1;
        }
        assert_eq!(file["numberOfTests"].as_u64(), Some(in_file));
        run += in_file;
    }
    assert!(run >= 70, "{run}");
}

fn wycheproof_test(suite: ChunkedSuite, backend: Backend, test: &serde_json::Value) {
    let id = format!("{suite}, test {} on {backend}", test["tcId"]);
    let field = |name: &str| hex(test[name].as_str().expect(name));
    let has = |flag: &str| test["flags"].as_array().expect("flags").iter().any(|f| f == flag);
    let valid = test["result"] == "valid";
    let sealed = miniz_oxide::inflate::decompress_to_vec_zlib(&field("ct")).expect("zlib");
    let (key, context) = (field("key"), field("ctx"));
    let opener = suite
        .key(backend, &key)
        .and_then(|key| key.opener(sealed.get(..HEADER).unwrap_or(&sealed), &context));
    let opener = match opener {
        Err(e) => {
            let right = match e {
                Error::KeyLength { .. } => has("InvalidKeySize"),
                Error::Truncated => has("Truncation"),
                _ => e == Error::Commitment,
            };
            assert!(right && has("HeaderFailure") && !valid, "{id}: {e}");
            return;
        }
        Ok(opener) => opener,
    };
    assert!(!has("HeaderFailure"), "{id}");
    let (plain, result) = stream(&opener, &sealed[HEADER..]);
    assert_eq!(result.is_ok(), valid, "{id}: {result:?}");
    if valid || has("PartialPlaintext") {
        assert_eq!(Some(plain.len() as u64), test["msgLength"].as_u64(), "{id}");
        assert_eq!(Sha512::digest(&plain).to_vec(), field("msgSha512"), "{id}");
    } else {
        assert!(plain.is_empty(), "{id}");
    }
    // From its end: only the last chunk is verified.
    let len = plain_len(sealed.len() as u64);
    let last = len.and_then(|len| {
        let number = len / CHUNK as u64;
        let mut room = vec![0; (len % CHUNK as u64) as usize];
        opener.open_between(number, true, &sealed[chunk_offset(number) as usize..], &mut room)
    });
    assert_eq!(last.is_ok(), valid || has("ValidFinalChunk"), "{id}: {last:?}");
}

/// Messages that another library has sealed, and their contexts.
#[test]
fn published_messages() {
    for row in common::rows("cobblestone/messages.csv") {
        let [key, context, plain, sealed] = [1, 2, 3, 4].map(|i| hex(&row[i]));
        let suite: ChunkedSuite = row[0].parse().unwrap();
        for backend in backends() {
            let key = suite.key(backend, &key).unwrap();
            let salt = sealed.first_chunk().unwrap();
            let sealer = key.sealer(salt, &context);
            let mut ours = sealer.header().to_vec();
            ours.extend(&plain);
            let tag = sealer.seal_in_place(0, true, &mut ours[HEADER..]).unwrap();
            ours.extend(tag);
            assert_eq!(ours, sealed, "{row:?} on {backend}");
            let opener = key.opener(&sealed[..HEADER], &context).unwrap();
            assert_eq!(stream(&opener, &sealed[HEADER..]), (plain.clone(), Ok(())));
        }
        let theirs = match key.len() {
            16 => cobblestone::decrypt(&Key::try_from(&key[..]).unwrap(), &context, &sealed),
            _ => cobblestone::decrypt(&Key256::try_from(&key[..]).unwrap(), &context, &sealed),
        };
        assert_eq!(theirs, Ok(plain), "{row:?}");
    }
}

/// A length near the border of a chunk, or anywhere in the first four.
fn length(random: &mut Random) -> usize {
    match random.below(4) {
        0 => random.below(4 * CHUNK),
        1 => random.below(64),
        _ => (CHUNK * random.below(4) + 20).saturating_sub(random.below(41)),
    }
}

/// So many on the best backend; fewer on the others, of which portable code takes a hundred times as long.
fn times(backend: Backend, most: usize) -> usize {
    if backend == Backend::best() { most } else { most / 40 }
}

#[test]
fn the_crate_cobblestone_agrees() {
    let mut random = Random(1);
    for backend in backends() {
        for _ in 0..times(backend, 2000) {
            let (len, context_len) = (length(&mut random), random.below(100));
            let (plain, context) = (random.bytes(len), random.bytes(context_len));
            let salt = random.bytes(24).try_into().unwrap();
            let key: [u8; 16] = random.bytes(16).try_into().unwrap();
            let (ours, theirs) = (Cobblestone128::on(backend, &key).unwrap(), Key::from(key));
            let sealed = seal(&ours, &salt, &context, &plain);
            let opened = cobblestone::decrypt(&theirs, &context, &sealed);
            assert!(opened.as_ref() == Ok(&plain), "128, {len} on {backend}");
            let sealed = cobblestone::encrypt(&theirs, &context, &plain).unwrap();
            assert!(
                open(&ours, &context, &sealed).as_ref() == Ok(&plain),
                "128, {len} on {backend}"
            );

            let key: [u8; 32] = random.bytes(32).try_into().unwrap();
            let (ours, theirs) = (Cobblestone256::on(backend, &key).unwrap(), Key256::from(key));
            let sealed = seal(&ours, &salt, &context, &plain);
            let opened = cobblestone::decrypt(&theirs, &context, &sealed);
            assert!(opened.as_ref() == Ok(&plain), "256, {len} on {backend}");
            let sealed = cobblestone::encrypt(&theirs, &context, &plain).unwrap();
            assert!(
                open(&ours, &context, &sealed).as_ref() == Ok(&plain),
                "256, {len} on {backend}"
            );
        }
    }
}

#[test]
fn whole_numbers_of_chunks() {
    for backend in backends() {
        for chunks in 0..6 {
            let (key, plain, sealed) = message(backend, chunks * CHUNK);
            assert_eq!(sealed.len(), HEADER + chunks * SEALED_CHUNK + TAG);
            assert!(open(&key, CONTEXT, &sealed).as_ref() == Ok(&plain), "{chunks} on {backend}");
            assert!(read(&key, CONTEXT, &sealed).as_ref() == Ok(&plain), "{chunks} on {backend}");
            // Without the empty chunk at the end it is cut short.
            let cut = &sealed[..sealed.len() - TAG];
            assert_eq!(open(&key, CONTEXT, cut), Err(Error::Truncated));
            assert_eq!(read(&key, CONTEXT, cut), Err(Error::Truncated));
        }
    }
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "no threads")]
fn in_place_on_threads_is_between() {
    for backend in backends() {
        let (key, plain, sealed) = message(backend, 4 * CHUNK + 33);
        let salt = sealed.first_chunk().unwrap();
        let sealer = key.sealer(salt, CONTEXT);
        assert_eq!(sealer.header(), sealed[..HEADER]);
        let opener = key.opener(&sealed[..HEADER], CONTEXT).unwrap();
        let mut chunks = plain.clone();
        std::thread::scope(|scope| {
            for (number, chunk) in chunks.chunks_mut(CHUNK).enumerate().rev() {
                let (sealer, opener, sealed) = (&sealer, &opener, &sealed);
                scope.spawn(move || {
                    let (last, number) = (number == 4, number as u64);
                    let expected = &sealed[chunk_offset(number) as usize..];
                    let tag = sealer.seal_in_place(number, last, chunk).unwrap();
                    assert!(
                        expected.starts_with(chunk) && expected[chunk.len()..].starts_with(&tag)
                    );
                    opener.open_in_place(number, last, chunk, &tag).unwrap();
                });
            }
        });
        assert!(chunks == plain, "{backend}");
    }
}

#[test]
fn wrong_lengths_and_numbers_are_refused() {
    let (key, _, sealed) = message(Backend::best(), 10);
    let key_len = |len: usize| Cobblestone256::new(&[7; 40][..len]).map(|_| ());
    assert_eq!(key_len(16), Err(Error::KeyLength { got: 16, need: 32 }));
    assert_eq!(key_len(33), Err(Error::KeyLength { got: 33, need: 32 }));
    let header = |len: usize| key.opener(&sealed[..len], CONTEXT).map(|_| ());
    assert_eq!(header(HEADER - 1), Err(Error::Truncated));
    assert_eq!(header(3), Err(Error::Truncated));
    assert_eq!(header(HEADER + 1), Err(Error::BufferLength { got: 57, need: 56 }));

    let sealer = key.sealer(&[1; 24], CONTEXT);
    let opener = key.opener(&sealed[..HEADER], CONTEXT).unwrap();
    let too_long = Error::TooLong { most: MAX_PLAIN };
    for (number, last, len, expected) in [
        (0, true, CHUNK, Error::ChunkLength { got: CHUNK }),
        (0, false, CHUNK - 1, Error::ChunkLength { got: CHUNK - 1 }),
        (0, false, CHUNK + 1, Error::ChunkLength { got: CHUNK + 1 }),
        (0, false, 0, Error::ChunkLength { got: 0 }),
        (MAX_CHUNKS, true, 5, too_long),
        (u64::MAX, true, 5, too_long),
        (MAX_CHUNKS - 1, false, CHUNK, too_long),
        (u64::MAX, false, CHUNK, too_long),
    ] {
        let mut chunk = vec![3; len];
        assert_eq!(sealer.seal_in_place(number, last, &mut chunk), Err(expected));
        assert_eq!(opener.open_in_place(number, last, &mut chunk, &[0; TAG]), Err(expected));
        assert!(chunk.iter().all(|&byte| byte == 3));
    }
    // The last number that there is.
    let mut chunk = [3; 5];
    let tag = sealer.seal_in_place(MAX_CHUNKS - 1, true, &mut chunk).unwrap();
    let back = key.opener(&sealer.header(), CONTEXT).unwrap();
    back.open_in_place(MAX_CHUNKS - 1, true, &mut chunk, &tag).unwrap();
    assert_eq!(chunk, [3; 5]);

    let mut room = vec![3; 3 * SEALED_CHUNK];
    let part = sealer.seal_between(0, false, &[0; CHUNK + 1], &mut room);
    assert_eq!(part, Err(Error::ChunkLength { got: 1 }));
    let short = sealer.seal_between(0, true, &[0; CHUNK], &mut room[..SEALED_CHUNK]);
    assert_eq!(short, Err(Error::BufferLength { got: SEALED_CHUNK, need: SEALED_CHUNK + TAG }));
    assert_eq!(sealer.seal_between(MAX_CHUNKS - 1, true, &[0; CHUNK], &mut room), Err(too_long));
    assert_eq!(sealer.seal_between(0, false, &[], &mut []), Ok(()));
    assert_eq!(opener.open_between(0, true, &[0; SEALED_CHUNK], &mut room), Err(Error::Truncated));
    assert_eq!(opener.open_between(0, true, &[], &mut []), Err(Error::Truncated));
    let part = opener.open_between(0, false, &[0; 7], &mut room);
    assert_eq!(part, Err(Error::ChunkLength { got: 7 }));
    assert!(room.iter().all(|&byte| byte == 3));
}

#[test]
fn lengths() {
    for plain in [0, 1, 16_383, 16_384, 16_385, 32_768, MAX_PLAIN] {
        let sealed = sealed_len(plain).unwrap();
        assert_eq!(plain_len(sealed), Ok(plain));
        let chunks = plain / 16_384;
        assert_eq!(chunk_offset(chunks) + plain % 16_384 + 16, sealed);
    }
    assert_eq!(sealed_len(MAX_PLAIN + 1), Err(Error::TooLong { most: MAX_PLAIN }));
    assert_eq!(plain_len(u64::MAX), Err(Error::TooLong { most: MAX_PLAIN }));
    for impossible in [0, 55, 56, 71, 56 + 16_400, 56 + 16_415] {
        assert_eq!(plain_len(impossible), Err(Error::Truncated), "{impossible}");
    }
}

#[test]
fn a_name_is_its_type() {
    fn check<C: Instance>(name: &str) {
        let suite: ChunkedSuite = name.parse().unwrap();
        let mut random = Random(8);
        for backend in backends() {
            let (key, plain) = (random.bytes(suite.key), random.bytes(2 * CHUNK + 9));
            let typed = Cobblestone::<C>::on(backend, &key).unwrap();
            let by_name = suite.key(backend, &key).unwrap();
            let sealed = seal(&typed, &[1; 24], CONTEXT, &plain);
            let sealer = by_name.sealer(&[1; 24], CONTEXT);
            let mut room = vec![0; sealed.len()];
            room[..HEADER].copy_from_slice(&sealer.header());
            sealer.seal_between(0, true, &plain, &mut room[HEADER..]).unwrap();
            assert!(room == sealed, "{name} on {backend}");
            let mut chunk = plain[2 * CHUNK..].to_vec();
            let tag = sealer.seal_in_place(2, true, &mut chunk).unwrap();
            assert!(sealed.ends_with(&[&chunk[..], &tag].concat()), "{name} on {backend}");
            let opener = by_name.opener(&sealed[..HEADER], CONTEXT).unwrap();
            opener.open_in_place(2, true, &mut chunk, &tag).unwrap();
            assert!(plain.ends_with(&chunk), "{name} on {backend}");
            let (back, result) = stream(&opener, &sealed[HEADER..]);
            assert!(back == plain && result.is_ok(), "{name} on {backend}");
            assert!(by_name.opener(&sealed[..HEADER], b"").is_err());
            assert!(suite.key(backend, &key[1..]).is_err());
        }
    }
    check::<icefish::ciphers::Aes128>("cobblestone-128");
    check::<icefish::ciphers::Aes256>("cobblestone-256");
}

/// Threads share them.
#[test]
fn openers_and_sealers_are_sync() {
    fn shared<T: Send + Sync>() {}
    shared::<Cobblestone256>();
    shared::<ChunkOpener<icefish::ciphers::Aes256>>();
    shared::<AnyChunkOpener>();
}
