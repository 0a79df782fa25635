//! What types do not tell of their secrets, and lengths that no buffer has.

#![cfg(feature = "aes")]

use icefish::Key;
use icefish::aead::{Eax, Gcm, GcmSiv, Piecewise};
use icefish::ciphers::Aes128;
use icefish::mac::Cmac;
use icefish::many::Message;
use icefish::modes::{Cbc, Chain, Mode, Padding};

/// A byte that no length, index or name below has in decimal, as `Debug` writes bytes.
const SECRET: u8 = 217;

#[test]
fn debug_shows_no_secret() {
    let chain: Chain<[u8; 16]> = Cbc.start(&[SECRET; 16]).unwrap();
    let message = Message { iv: &[SECRET; 16], data: &mut [SECRET; 32] };
    let key = Key::<Aes128>::new(&[SECRET; 16]).unwrap();
    let gcm = Gcm::<Aes128>::new(&[SECRET; 16]).unwrap();
    let eax = Eax::<Aes128>::new(&[SECRET; 16]).unwrap();
    let mut room = [SECRET; 16];
    let shown = [
        format!("{:?}", gcm.sealer(&[SECRET; 16]).unwrap()),
        format!("{:?}", eax.sealer(&[SECRET; 16]).unwrap()),
        format!("{:?}", gcm.opener(&[SECRET; 12], &mut room).unwrap()),
        format!("{chain:?}"),
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
    for text in shown {
        assert!(!text.contains("217") && !text.contains("d9"), "{text}");
    }
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
