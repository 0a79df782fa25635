//! Sequences of calls of the C interface with any arguments: null, lengths that no memory has, memory that overlaps.
//!
//! A call that the header allows does what the library does. Another is refused. Nothing is written outside of its outputs,
//! nor by a call that fails, but where the header says so.

use crate::arena::{Arena, Memory, legal};
use crate::border::{self, Kind, Name, Owned};
use crate::data::Data;
use icefish::Backend;
use icefish::modes::{Mode, Padding};
use icefish::suite::{
    AEADS, AeadSuite, AnyAead, AnyKey, AnyMode, CIPHERS, HASHES, HashSuite, MACS, Suite,
};
use icefish::suite::{AnyHash, AnyHasher, AnyMac};

/// A fault of the library: a panic was caught.
const INTERNAL: i32 = 7;

pub(crate) fn run(bytes: &[u8]) {
    let data = &mut Data::new(bytes);
    let mut arena = Arena::new(data);
    for _ in 0..8 {
        match data.below(5) {
            0 => aead(data, &mut arena),
            1 => cipher(data, &mut arena),
            2 => hash(data, &mut arena),
            3 => mac(data, &mut arena),
            _ => sentences(data),
        }
        if data.ended() {
            break;
        }
    }
}

fn sentences(data: &mut Data<'_>) {
    let (room, error) = (data.below(100), data.word() as i32);
    let (len, buffer, sentence) = border::sentences(room, error);
    assert!(sentence > 5 && buffer[room] == 0xa5);
    assert!(room == 0 || buffer[..room].contains(&0) && len < 300);
}

/// The backend's name for C, and the backend.
fn backend(data: &mut Data<'_>) -> (Name, Option<Backend>) {
    let backend = data.backend();
    let name = Name::new(data, backend.name());
    let found = match name.text() {
        Some(name) => Backend::by_name(name).ok(),
        None if name.is_null() => Backend::from_env().ok(),
        None => None,
    };
    (name, found)
}

/// Bytes of the arena, as they were before a call.
fn bytes(before: &[u8], memory: Memory) -> Vec<u8> {
    before[memory.range()].to_vec()
}

/// Nothing but `outputs` is other than it was.
fn untouched(arena: &Arena, before: &[u8], outputs: &[Memory], what: &str) {
    let inside = |at: usize| outputs.iter().any(|output| output.range().contains(&at));
    let same = |(at, (now, then)): (usize, (&u8, &u8))| now == then || inside(at);
    assert!(arena.bytes().iter().zip(before).enumerate().all(same), "{what} wrote elsewhere");
}

/// A handle of a kind, and the key of the library that is the same.
struct Made<K> {
    handle: Owned,
    key: Option<K>,
}

/// Makes a handle, and the same by `make`.
fn made<K>(
    data: &mut Data<'_>,
    arena: &mut Arena,
    (kind, name, key_len, tag): (Kind, &str, usize, usize),
    make: impl FnOnce(&str, Backend, &[u8]) -> Option<K>,
) -> Made<K> {
    let name = Name::new(data, name);
    let (memory, (backend_name, backend)) = (arena.memory(data, key_len), backend(data));
    let before = arena.bytes().to_vec();
    let (code, handle) = border::new_key(kind, &name, memory, tag, &backend_name);
    assert!(code != INTERNAL && arena.bytes() == before);
    let key = match (name.text(), backend, legal(&[memory], &[], None)) {
        (Some(name), Some(backend), true) => make(name, backend, &bytes(&before, memory)),
        _ => None,
    };
    assert_eq!(key.is_some(), code == 0, "{:?} {memory:?}: {code}", name.text());
    if data.below(32) == 31 {
        return Made { handle: Owned::null(kind), key: None };
    }
    Made { handle, key }
}

fn aead(data: &mut Data<'_>, arena: &mut Arena) {
    let suite = data.pick(AEADS);
    let tag = if data.bit() { suite.tag } else { data.below(36) };
    let made = made(data, arena, (Kind::Aead, suite.name, suite.key, tag), |name, backend, key| {
        let mut key = name.parse::<AeadSuite>().ok()?.key(backend, key).ok()?;
        (tag == 0 || key.set_tag_len(tag).is_ok()).then_some(key)
    });
    for _ in 0..1 + data.below(4) {
        one_aead(data, arena, &made, suite);
    }
}

/// Seals or opens once; what was sealed is often opened.
fn one_aead(data: &mut Data<'_>, arena: &mut Arena, made: &Made<AnyAead>, suite: &AeadSuite) {
    let few = data.len(70, 300);
    let (nonce, associated) = (arena.memory(data, suite.nonce), arena.memory(data, few % 50));
    let input = arena.memory(data, few);
    let output = arena.beside(data, input, input.len());
    let tag_len = made.key.as_ref().map_or(16, AnyAead::tag_len);
    let tag = arena.memory(data, tag_len);
    // One length is for both.
    if output.len() != input.len() {
        return;
    }
    for seal in [true, false] {
        let before = arena.bytes().to_vec();
        let input = if seal { input } else { output };
        let code = border::aead(&made.handle, seal, [nonce, associated], [input, output], tag);
        assert_ne!(code, INTERNAL, "{}", suite.name);
        let tags: (&[Memory], &[Memory]) =
            if seal { (&[nonce, associated], &[tag]) } else { (&[nonce, associated, tag], &[]) };
        let Some(key) = made.key.as_ref().filter(|_| legal(tags.0, tags.1, Some([input, output])))
        else {
            assert!(code != 0 && arena.bytes() == before, "{}: {code}", suite.name);
            return;
        };
        let [nonce, associated, mut text, mut made] =
            [nonce, associated, input, tag].map(|memory| bytes(&before, memory));
        let done = if seal {
            key.seal_in_place(&nonce, &associated, &mut text, &mut made)
        } else {
            key.open_in_place(&nonce, &associated, &mut text, &made)
        };
        assert_eq!(done.is_ok(), code == 0, "{}: {done:?} {code}", suite.name);
        let forged = done == Err(icefish::Error::Forged);
        let outputs: &[Memory] = if seal { &[output, tag] } else { &[output] };
        untouched(arena, &before, if done.is_ok() || forged { outputs } else { &[] }, suite.name);
        if done.is_ok() || forged {
            assert!(arena.bytes()[output.range()] == text, "{}", suite.name);
        }
        assert!(done.is_err() || arena.bytes()[tag.range()] == made, "{}", suite.name);
    }
}

fn cipher(data: &mut Data<'_>, arena: &mut Arena) {
    let (info, (_, mode)) = (data.pick(CIPHERS), data.pick(AnyMode::ALL));
    let name = Suite { cipher: info, mode: *mode }.to_string();
    let made = made(data, arena, (Kind::Cipher, &name, info.key, 0), |name, backend, key| {
        let suite = name.parse::<Suite>().ok()?;
        Some((suite, suite.cipher.key(backend, key, &[]).ok()?))
    });
    for _ in 0..1 + data.below(4) {
        let iv_len = mode.iv_len(info.block);
        let iv = arena.memory(data, iv_len);
        let len = data.len(3, 8) * info.block + if data.bit() { 0 } else { data.below(info.block) };
        let input = arena.memory(data, len);
        let output = arena.beside(data, input, input.len());
        if data.bit() {
            one_message(data, arena, &made, (iv, input, output), &name);
        } else {
            one_pieces(data, arena, &made, (iv, input, output), &name);
        }
    }
}

type Cipher = Made<(Suite, AnyKey)>;

fn one_message(
    data: &mut Data<'_>,
    arena: &Arena,
    made: &Cipher,
    (iv, input, output): (Memory, Memory, Memory),
    name: &str,
) {
    let (encrypt, before) = (data.bit(), arena.bytes().to_vec());
    let (code, written) = border::crypt(&made.handle, encrypt, iv, [input, output]);
    assert_ne!(code, INTERNAL, "{name}");
    untouched(arena, &before, &[output], name);
    let Some((suite, key)) = made.key.as_ref().filter(|_| legal(&[iv], &[], Some([input, output])))
    else {
        assert!(code != 0 && arena.bytes() == before, "{name}: {code}");
        return;
    };
    let [iv, text, mut room] = [iv, input, output].map(|memory| bytes(&before, memory));
    let call = if encrypt { AnyKey::encrypt_between } else { AnyKey::decrypt_between };
    let done = call(key, suite.mode, &iv, Padding::None, &text, &mut room);
    assert_eq!(done.is_ok(), code == 0, "{name}: {done:?} {code}");
    if let Ok(len) = done {
        let start = output.range().start;
        assert!(written == len && arena.bytes()[start..start + len] == room[..len], "{name}");
    }
}

/// A message in pieces, of which the key is freed or not.
fn one_pieces(
    data: &mut Data<'_>,
    arena: &mut Arena,
    made: &Cipher,
    (iv, mut input, mut output): (Memory, Memory, Memory),
    name: &str,
) {
    let encrypt = data.bit();
    let (code, message) = border::message(&made.handle, encrypt, iv);
    let start = if encrypt { AnyKey::encryptor } else { AnyKey::decryptor };
    let key = made.key.as_ref().filter(|_| legal(&[iv], &[], None));
    let ours = key.and_then(|(suite, key)| {
        start(key, suite.mode, &bytes(arena.bytes(), iv), Padding::None).ok()
    });
    assert_eq!(ours.is_some(), code == 0, "{name}: {code}");
    let Some(mut ours) = ours else { return };
    for _ in 0..data.below(4) {
        let before = arena.bytes().to_vec();
        let (code, written) = border::update(&message, [input, output]);
        assert_ne!(code, INTERNAL, "{name}");
        if !legal(&[], &[], Some([input, output])) {
            assert!(code != 0 && arena.bytes() == before, "{name}: {code}");
            return;
        }
        untouched(arena, &before, &[output], name);
        let (text, mut room) = (bytes(&before, input), bytes(&before, output));
        let in_place =
            input.range().start == output.range().start && !text.is_empty() && !room.is_empty();
        let done = if in_place {
            room[..text.len()].copy_from_slice(&text);
            ours.update_in_place(&mut room[..text.len()]).map(|()| text.len())
        } else {
            ours.update(&text, &mut room)
        };
        assert_eq!(done.is_ok(), code == 0, "{name}: {done:?} {code}");
        let Ok(len) = done else { return };
        let start = output.range().start;
        assert!(written == len && arena.bytes()[start..start + len] == room[..len], "{name}");
        input = arena.memory(data, input.len());
        output = arena.beside(data, input, input.len());
    }
    end(arena, &message, ours, output, name);
}

fn end(
    arena: &Arena,
    message: &Owned,
    ours: icefish::suite::AnyCrypter<'_>,
    output: Memory,
    name: &str,
) {
    let before = arena.bytes().to_vec();
    let (code, written) = border::finish(message, output);
    assert_ne!(code, INTERNAL, "{name}");
    untouched(arena, &before, &[output], name);
    if !legal(&[], &[output], None) {
        return assert!(code != 0, "{name}");
    }
    let mut room = bytes(&before, output);
    let done = ours.finish(&mut room);
    assert_eq!(done.is_ok(), code == 0, "{name}: {done:?} {code}");
    assert!(done.is_err() || done == Ok(written), "{name}");
    assert_ne!(border::finish(message, output).0, 0, "{name} ended twice");
}

fn hash(data: &mut Data<'_>, arena: &mut Arena) {
    let suite = data.pick(HASHES);
    let (key_len, len) = (if data.bit() { 0 } else { data.below(60) }, data.below(80));
    let made = made(data, arena, (Kind::Hash, suite.name, key_len, len), |name, backend, key| {
        let suite = name.parse::<HashSuite>().ok()?;
        let bits = if len == 0 { suite.bits } else { 8 * len as u64 };
        if key.is_empty() {
            suite.hash(backend, bits).ok()
        } else {
            suite.mac(backend, key, bits).ok()
        }
    });
    let size = made.key.as_ref().map_or(32, AnyHash::digest_len);
    let text_len = data.len(70, 500);
    let (text, digest) = (arena.memory(data, text_len), arena.memory(data, size));
    let ours = |bytes: &[u8], room: &mut [u8]| {
        made.key.as_ref().is_some_and(|key| key.hash(bytes, room).is_ok())
    };
    one_digest(arena, &made.handle, made.key.is_some(), [text, digest], ours);
    let (code, hasher) = border::hasher(&made.handle);
    assert_eq!(made.key.is_some(), code == 0);
    let Some(mut ours) = made.key.as_ref().map(AnyHash::start) else { return };
    // The hash may be freed before the message.
    drop(made.handle);
    for _ in 0..data.below(4) {
        let (len, before) = (data.len(70, 500), arena.bytes().to_vec());
        let text = arena.memory(data, len);
        let code = border::hasher_update(&hasher, text);
        let right = legal(&[text], &[], None);
        assert!(right == (code == 0) && arena.bytes() == before, "{code}");
        if right {
            ours.update(&bytes(&before, text));
        }
    }
    hashed(arena, &hasher, ours, digest);
}

fn hashed(arena: &Arena, hasher: &Owned, ours: AnyHasher, digest: Memory) {
    let before = arena.bytes().to_vec();
    let code = border::hasher_finish(hasher, digest);
    untouched(arena, &before, &[digest], "a hash");
    let mut room = bytes(&before, digest);
    let right = legal(&[], &[digest], None) && ours.finish(&mut room).is_ok();
    assert!(right == (code == 0) && code != INTERNAL, "{code}");
    assert!(!right || arena.bytes()[digest.range()] == room);
    assert!(!right || border::hasher_finish(hasher, digest) != 0, "ended twice");
}

fn one_digest(
    arena: &Arena,
    handle: &Owned,
    key: bool,
    [text, digest]: [Memory; 2],
    ours: impl FnOnce(&[u8], &mut [u8]) -> bool,
) {
    let before = arena.bytes().to_vec();
    let code = border::digest(handle, text, digest);
    let mut room = bytes(&before, digest);
    let right = key && legal(&[text], &[digest], None) && ours(&bytes(&before, text), &mut room);
    assert!(right == (code == 0) && code != INTERNAL, "{code}");
    untouched(arena, &before, &[digest][..usize::from(right)], "a digest");
    assert!(!right || arena.bytes()[digest.range()] == room);
}

fn mac(data: &mut Data<'_>, arena: &mut Arena) {
    let suite = data.pick(MACS);
    let tag = if data.bit() { 0 } else { data.below(20) };
    let made = made(data, arena, (Kind::Mac, suite.name, suite.key, tag), |name, backend, key| {
        let suite = MACS.iter().find(|suite| suite.name == name)?;
        let mut key = suite.key(backend, key).ok()?;
        (tag == 0 || key.set_tag_len(tag).is_ok()).then_some(key)
    });
    for _ in 0..1 + data.below(3) {
        let len = data.len(70, 500);
        let text = arena.memory(data, len);
        let tag = arena.memory(data, made.key.as_ref().map_or(16, AnyMac::tag_len));
        let ours = |bytes: &[u8], room: &mut [u8]| {
            made.key.as_ref().is_some_and(|key| key.tag(bytes, room).is_ok())
        };
        one_digest(
            arena,
            &made.handle,
            made.key.is_some() && !made.handle.is_null(),
            [text, tag],
            ours,
        );
    }
}
