//! Botan 3, compiled by its crate: AES in its modes, and Skein-512.
//!
//! Its interface writes beside the message, so a copy of the message is part of every call (about 0.05 cycles a byte
//! in the cache). Its crate gives Threefish no tweak, so Threefish is not compared.

use super::{Direction, Library, Mode, Operation, Setup, Work, sealing};
use botan::{BlockCipher, Cipher, CipherDirection, HashFunction, Version};
use std::sync::OnceLock;

pub(super) const LIBRARY: Library = Library {
    name: "botan",
    version: |_| version(),
    holds: |limit| limit.is_none(),
    make,
    ..Library::OF_C
};

fn version() -> &'static str {
    static VERSION: OnceLock<String> = OnceLock::new();
    VERSION.get_or_init(|| {
        Version::current().map_or_else(
            |_| "unknown".to_owned(),
            |version| format!("{}.{}.{}", version.major, version.minor, version.patch),
        )
    })
}

fn make(operation: Operation, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    match operation {
        Operation::Aes { bits, mode: Mode::Ecb, direction } => ecb(bits, direction, setup),
        Operation::Aes { bits, mode: Mode::Gcm, direction } => gcm(bits, direction, setup),
        Operation::Aes { bits, mode, direction } => {
            Some(Box::new(Aes::new(bits, mode, direction, setup)?))
        }
        Operation::AesKeySetup { bits, direction } => {
            let mut aes = Aes::new(bits, Mode::Cbc, direction, setup)?;
            let key = setup.key.to_vec();
            Some(Box::new(move |buffer: &mut [u8]| {
                aes.cipher.set_key(&key).expect("the length is an AES key's");
                aes.run(buffer);
            }))
        }
        Operation::Skein { bits: 512 } => {
            let hash = HashFunction::new("Skein-512").ok()?;
            Some(Box::new(Skein { hash, tag: Vec::new() }))
        }
        _ => None,
    }
}

fn ecb(bits: u16, direction: Direction, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    let mut cipher = BlockCipher::new(format!("AES-{bits}")).ok()?;
    cipher.set_key(setup.key).ok()?;
    Some(match direction {
        Direction::Encrypt => Box::new(move |buffer: &mut [u8]| {
            cipher.encrypt_in_place(buffer).expect("whole blocks");
        }),
        Direction::Decrypt => Box::new(move |buffer: &mut [u8]| {
            cipher.decrypt_in_place(buffer).expect("whole blocks");
        }),
    })
}

fn gcm(bits: u16, direction: Direction, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    let name = format!("AES-{bits}/GCM");
    let cipher = |way| {
        let mut cipher = Cipher::new(name.clone(), way).ok()?;
        cipher.set_key(setup.key).ok()?;
        Some(cipher)
    };
    let mut seals = cipher(CipherDirection::Encrypt)?;
    let mut opens = cipher(CipherDirection::Decrypt)?;
    let (iv, associated) = (setup.iv.to_vec(), setup.tweak.to_vec());
    let (mut input, mut output) = (Vec::new(), Vec::new());
    Some(sealing(direction, move |sealed: Option<&[u8]>, buffer: &mut [u8], tag: &mut [u8; 16]| {
        let cipher = if sealed.is_some() { &mut opens } else { &mut seals };
        input.clear();
        input.extend_from_slice(sealed.unwrap_or(buffer));
        if sealed.is_some() {
            input.extend_from_slice(tag);
        }
        if !associated.is_empty() {
            cipher.set_associated_data(&associated).expect("a mode with associated data");
        }
        cipher.start(&iv).expect("the length is the mode's");
        // The message and its tag, or room for as much.
        output.resize(buffer.len() + tag.len(), 0);
        let written = cipher.finish_into(&input, &mut output).expect("sealed here");
        buffer.copy_from_slice(&output[..buffer.len()]);
        if sealed.is_none() {
            tag.copy_from_slice(&output[buffer.len()..written]);
        }
    }))
}

struct Aes {
    cipher: Cipher,
    iv: Vec<u8>,
    input: Vec<u8>,
}

impl Aes {
    fn new(bits: u16, mode: Mode, direction: Direction, setup: &Setup<'_>) -> Option<Aes> {
        let suffix = match mode {
            Mode::Ecb | Mode::Gcm => return None,
            Mode::Cbc => "CBC/NoPadding",
            Mode::Ctr => "CTR-BE",
            Mode::Cfb128 => "CFB",
            Mode::Ofb => "OFB",
            Mode::Xts => "XTS",
        };
        let direction = match direction {
            Direction::Encrypt => CipherDirection::Encrypt,
            Direction::Decrypt => CipherDirection::Decrypt,
        };
        let mut cipher = Cipher::new(format!("AES-{bits}/{suffix}"), direction).ok()?;
        cipher.set_key(setup.key).ok()?;
        Some(Aes { cipher, iv: setup.iv.to_vec(), input: Vec::new() })
    }
}

impl Work for Aes {
    fn run(&mut self, buffer: &mut [u8]) {
        self.input.clear();
        self.input.extend_from_slice(buffer);
        self.cipher.start(&self.iv).expect("the length is the mode's");
        let written = self.cipher.finish_into(&self.input, buffer);
        assert_eq!(written.expect("room for the message"), buffer.len());
    }
}

struct Skein {
    hash: HashFunction,
    tag: Vec<u8>,
}

impl Work for Skein {
    fn run(&mut self, buffer: &mut [u8]) {
        self.hash.update(buffer).expect("any bytes will do");
        self.tag = self.hash.finish().expect("a digest");
    }

    fn tag(&self) -> &[u8] {
        &self.tag
    }
}
