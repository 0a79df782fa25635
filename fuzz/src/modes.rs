//! Every cipher, mode and padding, on every backend, in one call, between buffers, and in pieces, at any offset: as specified.

use crate::data::{Data, Guarded, backends};
use crate::{spec, stored};
use icefish::many::Message;
use icefish::modes::Padding;
use icefish::suite::{AnyKey, AnyMode, CIPHERS, CipherInfo};
use icefish::{Backend, Error};

pub(crate) fn run(bytes: &[u8]) {
    let data = &mut Data::new(bytes);
    match data.below(8) {
        0..=3 => raw(data),
        4 => many(data),
        5 => stored::stealing(data),
        6 => stored::units(data),
        _ => stored::codes(data),
    }
}

/// What a message is encrypted with.
struct Case {
    info: &'static CipherInfo,
    key: Vec<u8>,
    tweak: Vec<u8>,
    mode: AnyMode,
    padding: Padding,
    iv: Vec<u8>,
}

impl Case {
    fn new(data: &mut Data<'_>) -> Self {
        let (info, (_, mode)) = (data.pick(CIPHERS), data.pick(AnyMode::ALL));
        let padding = *data.pick(&Padding::ALL);
        let iv_len = if *mode == AnyMode::Ecb { 0 } else { info.block };
        let [key, tweak, iv_len] = [info.key, info.tweak, iv_len].map(|len| match data.byte() {
            1 => data.below(140),
            _ => len,
        });
        let (key, tweak, mut iv) = (data.text(key), data.text(tweak), data.text(iv_len));
        if data.bit() && !iv.is_empty() {
            // Counters that are about to wrap.
            let (from, len) = (data.below(iv_len), 1 + data.below(16));
            let end = iv_len.min(from + len);
            iv[from..end].fill(0xff);
            iv[end - 1] -= data.below(40) as u8;
        }
        Self { info, key, tweak, mode: *mode, padding, iv }
    }

    fn key(&self, backend: Backend) -> Result<AnyKey, Error> {
        self.info.key(backend, &self.key, &self.tweak)
    }

    fn name(&self) -> String {
        format!("{}-{}, {:?}", self.info.name, self.mode.name(), self.padding)
    }

    fn takes_blocks(&self) -> bool {
        matches!(self.mode, AnyMode::Ecb | AnyMode::Cbc | AnyMode::Pcbc)
    }

    fn spec(&self) -> Box<dyn spec::BlockCipher> {
        let tweak = if self.tweak.is_empty() { &[0; 16][..] } else { &self.tweak };
        spec::cipher(self.info.name, &self.key, tweak)
    }

    /// OpenSSL must have the same ciphertext, if it has the cipher, mode and padding.
    #[cfg_attr(not(feature = "openssl"), allow(unused_variables, reason = "nobody is asked"))]
    fn ask_openssl(&self, plain: &[u8], sealed: &[u8]) {
        #[cfg(feature = "openssl")]
        {
            // Only whole blocks are padded.
            let padding = if self.takes_blocks() { self.padding } else { Padding::None };
            let name = format!("{}-{}", self.info.name, self.mode.name());
            crate::libcrypto::agrees_on_mode(&name, (&self.key, &self.iv), padding, plain, sealed);
        }
    }

    /// The message with its padding.
    fn padded(&self, message: &[u8]) -> Vec<u8> {
        match self.takes_blocks() {
            true => spec::padding::padded(self.padding.name(), self.info.block, message),
            false => message.to_vec(),
        }
    }
}

/// Blocks that fill the registers of every backend, by the length of a block in bytes.
fn most(block: usize) -> usize {
    match block {
        8 => 700 * 8,
        16 => 140 * 16,
        block => 2048 + 5 * block,
    }
}

/// One message, there and back, or a ciphertext that nobody made.
fn raw(data: &mut Data<'_>) {
    let case = Case::new(data);
    let block = case.info.block;
    let len = data.len(3 * block, most(block));
    let mut message = data.text(len);
    let encrypt = data.bit();
    if case.padding == Padding::Zero
        && let Some(last) = message.last_mut()
    {
        *last |= 1;
    }
    let mut first: Option<Result<Vec<u8>, Error>> = None;
    for &backend in backends() {
        let key = match case.key(backend) {
            Ok(key) => key,
            Err(error) => return assert!(wrong_key(&case), "{error}"),
        };
        let got = crypt(data, &case, &key, encrypt, &message);
        let expected = first.get_or_insert_with(|| got.clone());
        assert!(got == *expected, "{} on {backend}, {len} bytes", case.name());
        if let (true, Ok(sealed)) = (encrypt, &got) {
            let back = crypt(data, &case, &key, false, sealed);
            assert!(
                back.as_ref() == Ok(&message),
                "{} back on {backend}, {len} bytes",
                case.name()
            );
        }
    }
    match first {
        Some(Ok(output)) => as_specified(&case, encrypt, &message, &output),
        Some(Err(error)) => refused(&case, encrypt, &message, error),
        None => {}
    }
}

fn wrong_key(case: &Case) -> bool {
    let tweak = case.tweak.len();
    case.key.len() != case.info.key || (tweak != case.info.tweak && tweak != 0)
}

fn as_specified(case: &Case, encrypt: bool, message: &[u8], output: &[u8]) {
    let cipher = case.spec();
    // The beginning is enough: the backends agree on all of it.
    let some = 48 * case.info.block;
    let mode = case.mode.name();
    if encrypt {
        let padded = case.padded(message);
        let some = some.min(padded.len());
        let expected = spec::modes::encrypt(&*cipher, mode, &case.iv, &padded[..some]);
        assert!(output.len() == padded.len() && output[..some] == expected, "{}", case.name());
        case.ask_openssl(message, output);
        return;
    }
    let padded = case.padded(output);
    assert!(padded.len() == message.len(), "{}: a padding of another length", case.name());
    let some = some.min(message.len());
    let expected = spec::modes::decrypt(&*cipher, mode, &case.iv, &message[..some]);
    assert!(padded[..some] == expected, "{} decrypted", case.name());
    case.ask_openssl(output, message);
    if case.padding == Padding::Zero && case.takes_blocks() && padded.len() == some {
        assert!(output.last() != Some(&0), "{}: a padding that is not removed", case.name());
    }
}

/// An error has a reason.
fn refused(case: &Case, encrypt: bool, message: &[u8], error: Error) {
    let (block, name) = (case.info.block, case.name());
    // Padding has a byte at least.
    let whole = message.len().is_multiple_of(block) && (encrypt || !message.is_empty());
    match error {
        Error::IvLength { .. } => {
            assert!(case.iv.len() != if case.mode == AnyMode::Ecb { 0 } else { block }, "{name}")
        }
        Error::PartialBlock { .. } => assert!(case.takes_blocks() && !whole, "{name}"),
        Error::Padding => {
            assert!(case.takes_blocks() && !encrypt, "{name}");
            let plain = spec::modes::decrypt(&*case.spec(), case.mode.name(), &case.iv, message);
            let end = plain.len().saturating_sub(block)..=plain.len();
            let padded = |len| case.padded(&plain[..len]) == plain;
            assert!(!end.into_iter().any(padded), "{name}: a good padding is refused");
        }
        other => panic!("{name}: {other}"),
    }
}

/// A message in one of the ways that there are.
fn crypt(
    data: &mut Data<'_>,
    case: &Case,
    key: &AnyKey,
    encrypt: bool,
    message: &[u8],
) -> Result<Vec<u8>, Error> {
    let (mode, iv, padding) = (case.mode, &case.iv[..], case.padding);
    let room = if encrypt { message.len() + case.info.block } else { message.len() };
    let written = match data.below(3) {
        0 => {
            let mut padded = message.to_vec();
            padded.resize(room, 0);
            let mut buffer = Guarded::new(data, &padded);
            let call = if encrypt { AnyKey::encrypt_in_place } else { AnyKey::decrypt_in_place };
            let len = call(key, mode, iv, padding, buffer.inside(), message.len());
            len.map(|len| (buffer.into_inside(), len))
        }
        1 => {
            let (mut input, mut output) =
                (Guarded::new(data, message), Guarded::new(data, &vec![0; room]));
            let call = if encrypt { AnyKey::encrypt_between } else { AnyKey::decrypt_between };
            let len = call(key, mode, iv, padding, input.inside(), output.inside());
            assert!(input.into_inside() == message, "the input was changed");
            len.map(|len| (output.into_inside(), len))
        }
        _ => return pieces(data, case, key, encrypt, message),
    };
    written.map(|(mut bytes, len)| {
        bytes.truncate(len);
        bytes
    })
}

fn pieces(
    data: &mut Data<'_>,
    case: &Case,
    key: &AnyKey,
    encrypt: bool,
    message: &[u8],
) -> Result<Vec<u8>, Error> {
    let start = if encrypt { AnyKey::encryptor } else { AnyKey::decryptor };
    let mut crypter = start(key, case.mode, &case.iv, case.padding)?;
    let mut out = Vec::new();
    for piece in data.pieces(message) {
        let whole = !case.takes_blocks();
        if whole && data.bit() {
            let mut buffer = Guarded::new(data, piece);
            crypter.update_in_place(buffer.inside())?;
            out.extend(buffer.into_inside());
            continue;
        }
        let mut room = Guarded::new(data, &vec![0; crypter.output_len(piece.len())]);
        let len = crypter.update(piece, room.inside())?;
        out.extend(&room.into_inside()[..len]);
    }
    let mut room = vec![0; case.info.block];
    let len = crypter.finish(&mut room)?;
    out.extend(&room[..len]);
    Ok(out)
}

/// Messages side by side are what they are alone.
fn many(data: &mut Data<'_>) {
    let case = Case::new(data);
    let block = case.info.block;
    let count = data.below(20);
    let mut texts: Vec<Vec<u8>> = (0..count)
        .map(|_| {
            let len = data.len(3 * block, 40 * block);
            let len = if data.byte() == 1 { len } else { len / block * block };
            data.text(len)
        })
        .collect();
    let before = texts.clone();
    let ivs: Vec<Vec<u8>> = texts.iter().map(|_| data.text(case.iv.len())).collect();
    let backend = data.backend();
    let Ok(key) = case.key(backend) else { return };
    let mut messages: Vec<Message<'_>> =
        texts.iter_mut().zip(&ivs).map(|(data, iv)| Message { iv, data }).collect();
    let done = key.encrypt_many(case.mode, &mut messages);
    for ((text, mut alone), iv) in texts.iter().zip(before.clone()).zip(&ivs) {
        let len = alone.len();
        let one = key.encrypt_in_place(case.mode, iv, Padding::None, &mut alone, len);
        match done {
            Ok(()) => assert!(one == Ok(len) && *text == alone, "{} on {backend}", case.name()),
            Err(_) => assert!(before.contains(text), "{}: refused and changed", case.name()),
        }
    }
    if done.is_ok() {
        let mut messages: Vec<Message<'_>> =
            texts.iter_mut().zip(&ivs).map(|(data, iv)| Message { iv, data }).collect();
        key.decrypt_many(case.mode, &mut messages).expect("what was encrypted");
        assert!(texts == before, "{} back on {backend}", case.name());
    }
}
