//! What types do not tell of their secrets, and lengths that no buffer has.

#![cfg(feature = "aes")]

use icefish::Key;
use icefish::aead::{Aegis128X2, Eax, Gcm, GcmSiv, Piecewise, Revocable};
use icefish::ciphers::Aes128;
use icefish::mac::{AegisMac128L, Cmac};
use icefish::many::Message;
use icefish::modes::{Cbc, Chain, Mode, Padding};
use icefish::{
    cipher::{Cipher, Direction},
    isa::{InOut, Isa},
};

/// A byte that no length, index or name below has in decimal, as `Debug` writes bytes.
const SECRET: u8 = 217;

#[test]
fn debug_shows_no_secret() {
    let message = Message { iv: &[SECRET; 16], data: &mut [SECRET; 32] };
    let key = Key::<Aes128>::new(&[SECRET; 16]).unwrap();
    let gcm = Gcm::<Aes128>::new(&[SECRET; 16]).unwrap();
    let eax = Eax::<Aes128>::new(&[SECRET; 16]).unwrap();
    let mut room = [SECRET; 16];
    let shown = [
        format!("{:?}", gcm.sealer(&[SECRET; 16]).unwrap()),
        format!("{:?}", eax.sealer(&[SECRET; 16]).unwrap()),
        format!("{:?}", gcm.opener(&[SECRET; 12], &mut room).unwrap()),
        format!("{message:?}"),
        format!("{key:?}"),
        format!("{:?}", key.encryptor(Cbc, &[SECRET; 16]).unwrap()),
        format!("{:?}", Gcm::<Aes128>::new(&[SECRET; 16]).unwrap()),
        format!("{:?}", GcmSiv::<Aes128>::new(&[SECRET; 16]).unwrap()),
        format!("{:?}", Eax::<Aes128>::new(&[SECRET; 16]).unwrap()),
        format!("{:?}", Cmac::<Aes128>::new(&[SECRET; 16]).unwrap()),
    ];
    #[cfg(feature = "cobblestone")]
    let shown = {
        let key = icefish::storage::Cobblestone128::new(&[SECRET; 16]).unwrap();
        let sealer = key.sealer(&[SECRET; 24], &[SECRET]);
        let opener = key.opener(&sealer.header(), &[SECRET]).unwrap();
        shown.into_iter().chain([format!("{key:?}"), format!("{sealer:?}"), format!("{opener:?}")])
    };
    hide(shown);
}

/// A mode that shows what it is given.
#[derive(Clone, Copy)]
struct Shows;

impl Mode for Shows {
    fn blocks<C: Cipher, D: Direction, S: Isa>(
        &self,
        _: S,
        _: &C,
        chain: Chain<'_, C::Block>,
        _: InOut<'_>,
    ) {
        assert_eq!(chain.block().as_ref(), [SECRET; 16]);
        hide([format!("{chain:?}")]);
    }
}

#[test]
fn debug_of_a_chain_shows_no_secret() {
    let key = Key::<Aes128>::new(&[SECRET; 16]).unwrap();
    key.encrypt(Shows, &[SECRET; 16], &mut [0; 16]).unwrap();
    key.encryptor(Shows, &[SECRET; 16]).unwrap().update_in_place(&mut [0; 16]).unwrap();
}

/// No text has the secret byte, and none is empty.
fn hide(shown: impl IntoIterator<Item = String>) {
    for text in shown {
        assert!(!text.contains("217") && !text.contains("d9"), "{text}");
        assert!(text.len() > 3, "{text}");
    }
}

#[test]
fn debug_of_what_is_in_pieces_shows_no_secret() {
    let key = Key::<Aes128>::new(&[SECRET; 16]).unwrap();
    let siv = GcmSiv::<Aes128>::new(&[SECRET; 16]).unwrap();
    let mut first = siv.first_pass(&[SECRET; 12]).unwrap();
    first.update(&[SECRET; 16]).unwrap();
    let cmac = Cmac::<Aes128>::new(&[SECRET; 16]).unwrap();
    let mut mac = cmac.start();
    mac.update(&[SECRET; 5]);
    let gcm = Gcm::<Aes128>::new(&[SECRET; 16]).unwrap();
    let xts = icefish::storage::Xts::<Aes128>::new(&[[SECRET; 16], [7; 16]].concat()).unwrap();
    let aegis = Aegis128X2::new(&[SECRET; 16]).unwrap();
    let pair = AegisMac128L::new(&[SECRET; 16], &[SECRET; 16]).unwrap();
    hide([
        format!("{first:?}"),
        format!("{:?} {:?} {xts:?}", gcm.key(), siv.key()),
        format!("{mac:?}"),
        format!("{:?}", key.ige_encryptor(&[SECRET; 32]).unwrap()),
        format!("{:?}", key.cipher()),
        format!("{aegis:?}"),
        format!("{:?}", aegis.opener_to(&[SECRET; 16], Nowhere).unwrap()),
        format!("{pair:?}"),
        format!("{:?}", pair.start()),
    ]);
}

/// Takes a plaintext, and keeps none of it.
struct Nowhere;

impl Revocable for Nowhere {
    type Error = core::fmt::Error;

    fn write(&mut self, _: &[u8]) -> Result<(), core::fmt::Error> {
        Ok(())
    }

    fn keep(self) -> Result<(), core::fmt::Error> {
        Ok(())
    }

    fn discard(self) {}
}

#[cfg(all(feature = "threefish", feature = "alloc"))]
#[test]
fn debug_of_threefish_shows_no_secret() {
    use icefish::ciphers::Threefish256;
    use icefish::constructions::skein::{Arguments, Skein256, Tree};
    let arguments =
        Arguments { key: &[SECRET; 32], tree: Some(Tree::USUAL), ..Arguments::default() };
    let skein = Skein256::with(256, &arguments);
    let mut hasher = skein.hasher();
    hasher.update(&[SECRET; 40]);
    let leaves = skein.leaves(0, &vec![SECRET; skein.leaf_len().unwrap()]).unwrap();
    hide([
        format!("{:?}", Key::<Threefish256>::new(&[SECRET; 32]).unwrap().cipher()),
        format!("{skein:?}"),
        format!("{hasher:?}"),
        format!("{leaves:?}"),
        format!("{:?}", hasher.output()),
    ]);
}

#[cfg(feature = "xoodoo")]
#[test]
fn debug_of_xoodyak_and_xoofff_shows_no_secret() {
    use icefish::constructions::xoodyak::{Cyclist, Hasher, Keyed};
    use icefish::constructions::xoofff::{Sane, Sanse, Wbc, Xoofff};
    let backend = icefish::Backend::best();
    let mut hasher = Hasher::new();
    hasher.update(&[SECRET; 40]);
    let mut cyclist =
        Cyclist::<Keyed>::on(backend, &[SECRET; 16], &[SECRET; 4], &[SECRET; 4]).unwrap();
    let key = Xoofff::new(&[SECRET; 32]).unwrap();
    let mut history = key.history();
    history.push(&[SECRET; 60]);
    let mut session = Sane::new(&key, &[SECRET; 16]).0;
    hide([
        format!("{hasher:?}"),
        format!("{:?}", hasher.output()),
        format!("{cyclist:?}"),
        format!("{:?}", cyclist.absorber()),
        format!("{:?}", cyclist.encryptor()),
        format!("{:?}", icefish::aead::Xoodyak::new(&[SECRET; 16]).unwrap()),
        format!("{key:?}"),
        format!("{history:?}"),
        format!("{:?}", history.output()),
        format!("{:?}", history.pusher()),
        format!("{session:?}"),
        format!("{:?}", session.sealer()),
        format!("{:?}", session.opener_to(Nowhere)),
        format!("{:?}", Sanse::new(&key)),
        format!("{:?}", Wbc::new(&key)),
    ]);
}

/// The message would be longer than any buffer: no sum wraps, none panics.
#[test]
fn lengths_near_the_largest() {
    let key = Key::<Aes128>::new(&[7; 16]).unwrap();
    let mut message = key.encryptor(Cbc, &[1; 16]).unwrap();
    message.update(&[0; 5], &mut []).unwrap();
    assert_eq!(message.output_len(usize::MAX - 3), usize::MAX);
    for padding in [Padding::Pkcs7, Padding::Iso7816, Padding::X923, Padding::Zero] {
        assert!(padding.padded_len(usize::MAX, 16).is_err(), "{padding:?}");
        assert_eq!(padding.padded_len(usize::MAX - 31, 16).unwrap() % 16, 0, "{padding:?}");
    }
}
