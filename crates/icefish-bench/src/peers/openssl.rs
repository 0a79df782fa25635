//! OpenSSL 4, compiled by `icefish-openssl4`: the `EVP_CIPHER` interface, which is the one that its users have.

use super::{Direction, Library, Mode, Operation, Setup, Work};
use icefish_openssl4::{Context, version};

pub(super) const LIBRARY: Library =
    Library { name: "openssl", version: |_| version(), make, ..Library::OF_C };

fn make(operation: Operation, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    match operation {
        Operation::Aes { bits, mode, direction } => aes(bits, mode, direction, setup),
        Operation::AesKeySetup { bits, direction } => {
            let encrypt = direction == Direction::Encrypt;
            let mut context = Context::new(&format!("AES-{bits}-CBC"), setup.key, encrypt)?;
            let (key, iv) = (setup.key.to_vec(), setup.iv.to_vec());
            Some(Box::new(move |buffer: &mut [u8]| {
                context.rekey(&key, &iv);
                context.update(buffer);
            }))
        }
        _ => None,
    }
}

fn aes(bits: u16, mode: Mode, direction: Direction, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    let suffix = match mode {
        Mode::Ecb => "ECB",
        Mode::Cbc => "CBC",
        Mode::Ctr => "CTR",
        Mode::Cfb128 => "CFB",
        Mode::Ofb => "OFB",
        Mode::Gcm => "GCM",
        Mode::Xts => "XTS",
    };
    let encrypt = direction == Direction::Encrypt;
    let mut context = Context::new(&format!("AES-{bits}-{suffix}"), setup.key, encrypt)?;
    let iv = setup.iv.to_vec();
    match mode {
        Mode::Ecb => Some(Box::new(move |buffer: &mut [u8]| context.update(buffer))),
        Mode::Gcm => {
            Some(Box::new(Gcm { context, iv, associated: setup.tweak.to_vec(), tag: [0; 16] }))
        }
        _ => Some(Box::new(move |buffer: &mut [u8]| {
            context.start(&iv);
            context.update(buffer);
        })),
    }
}

struct Gcm {
    context: Context,
    iv: Vec<u8>,
    associated: Vec<u8>,
    tag: [u8; 16],
}

impl Work for Gcm {
    fn run(&mut self, buffer: &mut [u8]) {
        self.context.start(&self.iv);
        if !self.associated.is_empty() {
            self.context.associate(&self.associated);
        }
        self.context.update(buffer);
        self.context.finish(&mut self.tag);
    }

    fn tag(&self) -> &[u8] {
        &self.tag
    }
}
