//! What is left of keys and messages in the memory of this process.

#![cfg(all(
    feature = "aes",
    feature = "threefish",
    feature = "ice",
    feature = "xoodoo",
    feature = "alloc"
))]

mod common;

use icefish::aead::{
    Eax, EaxPieces, FirstPass, Gcm, GcmPieces, GcmSiv, GcmSivPieces, Opener, Sealer, Xoodyak,
};
use icefish::ciphers::{Aes128, Aes256, Ice, Threefish512};
use icefish::constructions::{xoodyak, xoofff};
use icefish::mac::{Cmac, Mac};
use icefish::modes::{Crypter, Ige};
use icefish::storage::Xts;
use icefish::{Key, cipher};
use zeroize::ZeroizeOnDrop;

#[test]
fn what_holds_a_key_erases_it() {
    fn erases<T: ZeroizeOnDrop>() {}
    fn of<C: cipher::NewCipher + ZeroizeOnDrop>() {
        erases::<Key<C>>();
        erases::<Cmac<C>>();
        erases::<Mac<'_, C>>();
        erases::<Eax<C>>();
        erases::<Sealer<EaxPieces<'_, C>>>();
        erases::<Opener<'_, EaxPieces<'_, C>>>();
        erases::<Ige<'_, C, icefish::cipher::Encrypt>>();
        erases::<Crypter<'_, C, icefish::modes::Ctr, cipher::Encrypt>>();
    }
    of::<Aes128>();
    of::<Threefish512>();
    erases::<Key<Ice>>();
    erases::<Gcm<Aes256>>();
    erases::<GcmSiv<Aes256>>();
    erases::<FirstPass<GcmSivPieces<Aes256>>>();
    erases::<Sealer<GcmSivPieces<Aes256>>>();
    erases::<Sealer<GcmPieces<'_, Aes256>>>();
    erases::<Opener<'_, GcmPieces<'_, Aes256>>>();
    erases::<Xts<Aes256>>();
    #[cfg(feature = "cobblestone")]
    {
        use icefish::storage::{Cobblestone256, cobblestone};
        erases::<Cobblestone256>();
        erases::<cobblestone::ChunkSealer<Aes256>>();
        erases::<cobblestone::ChunkOpener<Aes256>>();
    }
    erases::<Xoodyak>();
    erases::<xoodyak::Session>();
    erases::<xoodyak::Hasher>();
    erases::<xoodyak::Output>();
    erases::<xoofff::Xoofff>();
    erases::<xoofff::History>();
    erases::<xoofff::Output>();
    erases::<xoofff::Sane>();
    erases::<xoofff::Sanse>();
    erases::<xoofff::Wbc>();
}

/// The memory of the process, which Linux shows.
#[cfg(target_os = "linux")]
mod memory {
    use crate::common::backends;
    use crate::common::memory::{Copy, Needle};
    use icefish::Error;
    use icefish::modes::Padding;
    use icefish::suite::{AEADS, AnyMode, CIPHERS, CipherInfo, MACS, Named, UNITS};
    use std::sync::{Mutex, PoisonError};
    use zeroize::Zeroize;

    /// One test at a time: the stacks of the others are memory of the process too.
    static ALONE: Mutex<()> = Mutex::new(());

    /// How many whole copies of its key a schedule is made of: the first round key of AES is the beginning of the key, and
    /// with 128 bits the last one of the inverse cipher too; Threefish's schedule has the words of the key over and over.
    fn in_schedule(cipher: &str) -> usize {
        match cipher {
            "aes-128" => 2,
            "aes-192" | "aes-256" => 1,
            "threefish-256" => 15,
            "threefish-512" => 8,
            "threefish-1024" => 4,
            // A message has a key of its own.
            "derived" => 0,
            _ => 1,
        }
    }

    /// Copies, as far as the schedule of `cipher` does not explain them: that is in one place, and not on the stack.
    fn unexplained(copies: Vec<Copy>, cipher: &str) -> Vec<Copy> {
        let near = |copy: &Copy| copy.address - copies[0].address < 4096;
        let scheduled = copies.len() <= in_schedule(cipher)
            && copies.iter().all(|copy| !copy.on_stack && near(copy));
        if scheduled { Vec::new() } else { copies }
    }

    /// Makes something of a key, and finds no copy of that outside of the schedule, and none when it is gone.
    #[inline(never)]
    fn leaves_nothing<T>(cipher: &str, len: usize, what: &str, make: impl FnOnce(&[u8]) -> T) {
        let seed = what.bytes().fold(0u64, |seed, byte| seed.wrapping_mul(257) ^ u64::from(byte));
        let needle = Needle::new(seed, len);
        assert_eq!(needle.copies(), [], "{what}: before");
        let made = needle.lend(make);
        for needle in [&needle, &needle.swapped()] {
            assert_eq!(unexplained(needle.copies(), cipher), [], "{what}");
        }
        drop(made);
        for needle in [&needle, &needle.swapped()] {
            assert_eq!(needle.copies(), [], "{what}: after it was dropped");
        }
    }

    #[test]
    fn the_search_finds_what_there_is() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let needle = Needle::new(1, 16);
        assert_eq!(needle.copies(), []);
        let heap: Box<[u8; 48]> = needle.lend(|bytes| {
            let mut heap = Box::new([0; 48]);
            heap[7..23].copy_from_slice(bytes);
            heap
        });
        let address = heap.as_ptr().addr() + 7;
        assert_eq!(needle.copies(), [Copy { address, on_stack: false }]);
        let mut stack = [0; 48];
        stack[5..21].copy_from_slice(&heap[7..23]);
        assert_eq!(needle.copies().len(), 2);
        let address = stack.as_ptr().addr() + 5;
        assert!(needle.copies().contains(&Copy { address, on_stack: true }));
        assert_eq!(std::hint::black_box((heap, stack)).1[0], 0);
    }

    #[test]
    fn keys_by_name() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        for backend in backends() {
            for info in CIPHERS {
                let what = format!("{} on {backend}", info.name);
                leaves_nothing(info.name, info.key, &what, |key| {
                    info.key(backend, key, &[]).unwrap()
                });
            }
            for suite in AEADS {
                let cipher = suite.cipher.unwrap_or(suite.name);
                let what = format!("{suite} on {backend}");
                leaves_nothing(cipher, suite.key, &what, |key| suite.key(backend, key).unwrap());
            }
            #[cfg(feature = "cobblestone")]
            for suite in icefish::suite::CHUNKED {
                let what = format!("{suite} on {backend}");
                leaves_nothing(suite.name, suite.key, &what, |key| {
                    suite.key(backend, key).unwrap()
                });
                let what = format!("a message of {suite} on {backend}");
                leaves_nothing("derived", suite.key, &what, |key| {
                    let key = suite.key(backend, key).unwrap();
                    let sealer = key.sealer(&[1; 24], b"context");
                    let opener = key.opener(&sealer.header(), b"context").unwrap();
                    (sealer, opener)
                });
            }
            for suite in MACS {
                let what = format!("{} on {backend}", suite.name);
                leaves_nothing(suite.cipher, suite.key, &what, |key| {
                    suite.key(backend, key).unwrap()
                });
            }
            for suite in UNITS {
                let what = format!("{} on {backend}", suite.name);
                leaves_nothing(suite.cipher, suite.key, &what, |key| {
                    suite.key(backend, key).unwrap()
                });
            }
            for named in Named::all() {
                let Named::Stealing(suite) = named else { continue };
                let what = format!("{named} on {backend}");
                leaves_nothing(suite.cipher(), suite.key_len(), &what, |key| {
                    suite.key(backend, key).unwrap()
                });
            }
        }
    }

    /// A plaintext of `len` bytes with the secret in the middle. The caller erases it.
    fn message(len: usize, secret: &[u8]) -> Vec<u8> {
        let mut plain = vec![0; len];
        plain[len / 2..][..secret.len()].copy_from_slice(secret);
        plain
    }

    /// Calls that return a vector erase it before they return an error instead.
    #[test]
    fn vectors_with_an_error() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        for backend in backends() {
            let needle = Needle::new(77, 64);
            let key = CipherInfo::by_name("aes-256").unwrap().key(backend, &[7; 32], &[]).unwrap();
            // The last block is zeros, which is no padding of PKCS#7.
            let encrypted = needle.lend(|secret| {
                let mut plain = message(4096, secret);
                let encrypted = key.encrypt_to_vec(AnyMode::Cbc, &[1; 16], Padding::None, &plain);
                plain.zeroize();
                encrypted.unwrap()
            });
            assert_eq!(needle.copies(), [], "{backend}: before");
            let decrypted = key.decrypt_to_vec(AnyMode::Cbc, &[1; 16], Padding::None, &encrypted);
            assert_eq!(needle.copies().len(), 1, "{backend}: the plaintext is found");
            decrypted.unwrap().zeroize();
            let padded = key.decrypt_to_vec(AnyMode::Cbc, &[1; 16], Padding::Pkcs7, &encrypted);
            assert_eq!(padded, Err(Error::Padding));
            assert_eq!(needle.copies(), [], "{backend}: after an invalid padding");

            #[cfg(feature = "cobblestone")]
            {
                let suite = icefish::suite::CHUNKED[0];
                let key = suite.key(backend, &[7; 16]).unwrap();
                let mut sealed = needle.lend(|secret| {
                    let mut plain = message(20_000, secret);
                    let sealed = key.seal_to_vec(&[1; 24], b"", &plain);
                    plain.zeroize();
                    sealed.unwrap()
                });
                *sealed.last_mut().unwrap() ^= 1;
                let opened = key.open_to_vec(b"", &sealed);
                assert_eq!(opened, Err(Error::ForgedChunk { number: 1 }));
                assert_eq!(needle.copies(), [], "{backend}: after a forged chunk");
            }
        }
    }
}
