//! Opening files of every format that somebody else has written or changed.
//!
//! What is written to a stream is verified, if the format can tell; and there is no more memory than the length of the file warrants.

use crate::chunks::{self, Message};
use crate::data::Data;
use crate::scratch::{self, Scratch};
use crate::within;
use base64ct::{Base64, Encoding};
use icefish::modes::Padding;
use icefish::storage::cobblestone::CHUNK;
use icefish::suite::{AEADS, AnyMode, CIPHERS, Suite};
use icefish_files::formats::openssl::{Digest, Kdf, MAGIC, OpenSsl};
use icefish_files::formats::passphrase::{self, Cost, Header, Limit, WithPassphrase};
use icefish_files::formats::{Chunked, Part, Place, Raw, Sealed};
use icefish_files::{Error, Output};
use std::num::NonZero;
use std::sync::Arc;
use zeroize::Zeroizing;

pub(crate) fn run(bytes: &[u8]) {
    let data = &mut Data::new(bytes);
    match data.below(6) {
        0 => chunked(data),
        1 => with_passphrase(data),
        2 => openssl(data),
        3 => raw(data),
        4 => sealed(data),
        _ => crate::valve::run(data),
    }
}

/// Most that opening a short file may allocate: the buffers of two workers, and one more for the caller.
const MOST: usize = 12 << 20;

fn place(data: &mut Data<'_>) -> Place {
    let at = if data.byte() == 1 { data.word() } else { data.below(3 * CHUNK) as u64 };
    if data.bit() { Place::FromStart(at) } else { Place::FromEnd(at) }
}

fn part(data: &mut Data<'_>) -> Option<Part> {
    data.bit().then(|| Part { start: place(data), end: place(data) })
}

/// The bytes that a part is, if it is one.
fn of(part: Option<Part>, plain: &[u8]) -> Option<&[u8]> {
    let at = |place| match place {
        Place::FromStart(at) => usize::try_from(at).ok(),
        Place::FromEnd(back) => plain.len().checked_sub(usize::try_from(back).ok()?),
    };
    match part {
        Some(Part { start, end }) => plain.get(at(start)?..at(end)?),
        None => Some(plain),
    }
}

/// Calls `open` with an output, and compares what is there with `right`: all of it if that is what `open` says, and nothing else
/// but its beginning if not.
fn released(
    data: &mut Data<'_>,
    right: Option<&[u8]>,
    changed: bool,
    open: impl FnOnce(&mut Output) -> Result<u64, Error>,
) {
    let mut scratch = Scratch::output(data.bit());
    let opened = open(scratch.output_mut());
    let (done, written) = (opened.is_ok(), scratch.written(opened.is_ok()));
    let right = right.unwrap_or(&[]);
    if done {
        assert!(written == right && opened.ok() == Some(written.len() as u64));
    } else {
        assert!(right.starts_with(&written), "bytes that are not the message's");
    }
    assert!(done || changed || right.is_empty(), "it was not changed, and does not open");
}

fn chunked(data: &mut Data<'_>) {
    let message = chunks::message(data);
    let mut given = message.sealed.clone();
    let changed = data.change(&mut given);
    let threads = NonZero::new(1 + data.below(2));
    let key = message.suite.key(data.backend(), &message.key).expect("a key of the right length");
    let chunked = Chunked { key, context: &message.context, threads };
    take(data, &message, changed, |part, output| {
        let input = scratch::input(&given);
        within(MOST, || match part {
            Some(part) => chunked.decrypt_part(input, part, output, &mut |_| {}),
            None => chunked.decrypt(input, output, &mut |_| {}),
        })
    });
}

/// Opens a message or a part of it. A part may be all right though the rest was changed.
fn take(
    data: &mut Data<'_>,
    message: &Message,
    changed: bool,
    open: impl FnOnce(Option<Part>, &mut Output) -> Result<u64, Error>,
) {
    let part = part(data);
    let right = of(part, &message.plain);
    let wrong = right.is_none();
    released(data, right, changed || wrong, |output| open(part, output));
}

fn with_passphrase(data: &mut Data<'_>) {
    let backend = data.backend();
    let threads = NonZero::new(1 + data.below(2));
    let with = WithPassphrase { backend, threads };
    let limit = Limit { memory: 64 };
    let passphrase = data.raw(20);
    let secret = || Zeroizing::new(passphrase.clone());
    if data.bit() {
        // Whatever the header says.
        let (part, mut file) = (part(data), passphrase::MAGIC.to_vec());
        file.extend(data.rest());
        let mut scratch = Scratch::output(true);
        let input = scratch::input(&file);
        let output = scratch.output_mut();
        let opened =
            within(MOST, || with.decrypt(secret(), limit, part, input, output, &mut |_| {}));
        assert!(opened.is_err() && scratch.written(false).is_empty());
        return;
    }
    let cost = Cost {
        memory: 8 + data.below(57) as u32,
        passes: 1 + data.below(2) as u32,
        lanes: 1 + data.below(2) as u32,
    };
    let mut file = passphrase::MAGIC.to_vec();
    file.push(passphrase::VERSION);
    file.extend([cost.memory, cost.passes, cost.lanes].map(u32::to_be_bytes).concat());
    file.extend(data.text(passphrase::SALT));
    let header = match Header::parse(&file, "a file") {
        Ok(header) => header,
        Err(error) => return assert!(cost.check().is_err(), "{error}"),
    };
    assert!(header.bytes()[..] == file && header.cost() == cost);
    let suite: icefish::suite::ChunkedSuite = passphrase::SUITE.parse().expect("a name");
    let key = header.key(&passphrase).expect("enough memory");
    let sealer = suite.key(backend, &*key).expect("32 bytes").sealer(&[7; 24], &file);
    let len = data.len(300, 2 * CHUNK + 200);
    let plain = data.text(len);
    let mut sealed = vec![0; len + 16 * (len / CHUNK + 1)];
    sealer.seal_between(0, true, &plain, &mut sealed).expect("the right lengths");
    file.extend(sealer.header());
    file.extend(sealed);
    let changed = data.change(&mut file);
    let part = part(data);
    let right = of(part, &plain);
    let wrong = right.is_none();
    released(data, right, changed || wrong, |output| {
        let input = scratch::input(&file);
        within(MOST, || with.decrypt(secret(), limit, part, input, output, &mut |_| {}))
    });
}

fn suite(data: &mut Data<'_>) -> Suite {
    let (cipher, (_, mode)) = (data.pick(CIPHERS), data.pick(AnyMode::ALL));
    Suite { cipher, mode: *mode }
}

/// Base64 gives what the bytes give.
fn openssl(data: &mut Data<'_>) {
    let Ok(mut format) = OpenSsl::new(&suite(data), data.backend()) else { return };
    format.padding = *data.pick(&Padding::ALL);
    format.digest = *data.pick(&Digest::ALL);
    format.salted = data.bit();
    let iterations = NonZero::new(data.below(4) as u32);
    format.kdf = iterations.map_or(Kdf::BytesToKey, Kdf::Pbkdf2);
    let passphrase = data.raw(20);
    let text = data.bit();
    let breaks = 1 + data.below(80);
    let mut bytes = if data.bit() { MAGIC.to_vec() } else { Vec::new() };
    bytes.extend(data.rest());
    let decrypt = |format: &OpenSsl, bytes: &[u8]| {
        let (mut output, input) = (Vec::new(), scratch::input(bytes));
        let secret = Zeroizing::new(passphrase.clone());
        let done = within(4 << 20, || format.decrypt(secret, input, &mut output, &mut |_| {}));
        assert!(output.len() <= bytes.len());
        (done.map_err(|error| error.to_string()), output)
    };
    if text {
        // Whatever it is.
        format.base64 = true;
        let _ = decrypt(&format, &bytes);
        return;
    }
    let plain = decrypt(&format, &bytes);
    format.base64 = true;
    let lines = Base64::encode_string(&bytes);
    let lines = lines.as_bytes().chunks(breaks).collect::<Vec<_>>().join(&b"\n "[..]);
    let from_text = decrypt(&format, &lines);
    assert_eq!(plain.0.is_ok(), from_text.0.is_ok(), "{:?} {:?}", plain.0, from_text.0);
    assert!(plain.1 == from_text.1 || plain.0.is_err(), "base64 gives other bytes");
}

/// A raw mode decrypts what the library decrypts.
fn raw(data: &mut Data<'_>) {
    let suite = suite(data);
    let bytes = data.text(suite.cipher.key);
    let key = suite.cipher.key(data.backend(), &bytes, &[]).expect("a key of the right length");
    let key = Arc::new(key);
    let padding = *data.pick(&Padding::ALL);
    let given = data.bit().then(|| data.raw(40));
    let threads = NonZero::new(1 + data.below(2));
    let raw = Raw { key: &key, mode: suite.mode, padding, iv: given.as_deref(), threads };
    let file = data.rest();
    let mut output = Vec::new();
    let input = scratch::input(&file);
    let done = within(4 << 20, || raw.decrypt(input, &mut output, &mut |_| {}));
    let iv_len = if suite.mode == AnyMode::Ecb { 0 } else { suite.cipher.block };
    let (iv, sealed) = match &given {
        Some(iv) => (&iv[..], &file[..]),
        None => file.split_at(iv_len.min(file.len())),
    };
    let mut expected = vec![0; sealed.len()];
    let len = key.decrypt_between(suite.mode, iv, padding, sealed, &mut expected);
    assert_eq!(done.is_ok(), len.is_ok(), "{suite}: {done:?} {len:?}");
    assert!(len.is_err() || output == expected[..len.unwrap_or(0)], "{suite}");
}

/// Of a message with a tag, a stream gets all or nothing.
fn sealed(data: &mut Data<'_>) {
    let suite = data.pick(AEADS);
    let (key, len) = (data.text(suite.key), data.len(100, 9000));
    let key = suite.key(data.backend(), &key).expect("a key of the right length");
    let (nonce, plain) = (data.text(suite.nonce), data.text(len));
    let associated = data.raw(40);
    let (mut body, mut tag) = (vec![0; len], vec![0; suite.tag]);
    key.seal_between(&nonce, &associated, &plain, &mut body, &mut tag).expect("the right lengths");
    let drawn = data.bit();
    let mut file = [if drawn { &nonce[..] } else { &[] }, &body, &tag].concat();
    let changed = data.change(&mut file);
    let sealed = Sealed { key: &key, nonce: (!drawn).then_some(&nonce), associated: &associated };
    let (revocable, mut output) = (data.bit(), Vec::new());
    let input = scratch::input(&file);
    let done = within(4 << 20, || sealed.decrypt(input, &mut output, revocable, &mut |_| {}));
    assert_eq!(done.is_err(), changed, "{suite}: {done:?}");
    assert!(changed || output == plain);
    assert!(!changed || revocable || output.is_empty(), "something was released");
}
