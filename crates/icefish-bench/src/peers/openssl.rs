//! OpenSSL 4, compiled by `icefish-openssl4`: the `EVP_CIPHER` interface, which is the one that its users have.

use super::{Direction, Library, Mode, Operation, Setup, Work, sealing};
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
    let context =
        |way| Context::new(&format!("AES-{bits}-{suffix}"), setup.key, way == Direction::Encrypt);
    if mode == Mode::Gcm {
        return Some(gcm(
            context(Direction::Encrypt)?,
            context(Direction::Decrypt)?,
            direction,
            setup,
        ));
    }
    let mut context = context(direction)?;
    let iv = setup.iv.to_vec();
    match mode {
        Mode::Ecb => Some(Box::new(move |buffer: &mut [u8]| context.update(buffer))),
        _ => Some(Box::new(move |buffer: &mut [u8]| {
            context.start(&iv);
            context.update(buffer);
        })),
    }
}

fn gcm(
    mut seals: Context,
    mut opens: Context,
    direction: Direction,
    setup: &Setup<'_>,
) -> Box<dyn Work> {
    let (iv, associated) = (setup.iv.to_vec(), setup.tweak.to_vec());
    sealing(direction, move |sealed: Option<&[u8]>, buffer: &mut [u8], tag: &mut [u8; 16]| {
        let context = if sealed.is_some() { &mut opens } else { &mut seals };
        context.start(&iv);
        if !associated.is_empty() {
            context.associate(&associated);
        }
        match sealed {
            None => {
                context.update(buffer);
                context.finish(tag);
            }
            Some(sealed) => {
                context.update_between(sealed, buffer);
                assert!(context.verify(tag), "sealed here");
            }
        }
    })
}
