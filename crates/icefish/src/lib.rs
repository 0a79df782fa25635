//! Symmetric cryptography on the widest instruction set that the CPU has: the ciphers AES, Threefish and ICE with raw and
//! authenticated modes, AEGIS, the hash Skein, the permutations Xoodoo and Xoodoo64, and Xoodyak and Xoofff.
//!
//! Each primitive is written once for all register widths, with further versions only where these are faster. A [`Backend`] is the
//! code for one instruction set. It is chosen once, when a key or a hash is made; permutations take it as an argument. Nobody
//! outside the project has audited this library.
//!
//! Authenticated encryption, which detects every change of a message:
//!
//! ```
//! use icefish::{aead::{Aead, GcmSiv}, ciphers::Aes256};
//!
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! let (mut key, mut nonce) = ([0; 32], [0; 12]);
//! getrandom::fill(&mut key)?; // the crate getrandom
//! getrandom::fill(&mut nonce)?; // a new one for every message
//! let key = GcmSiv::<Aes256>::new(&key)?; // on the widest backend of this CPU
//! let mut data = *b"attack at dawn";
//! let tag = key.seal_in_place(&nonce, b"to: all", &mut data)?;
//! data[0] ^= 1;
//! assert!(key.open_in_place(&nonce, b"to: all", &mut data, &tag).is_err());
//! # Ok(())
//! # }
//! ```
//!
//! # Where things are
//!
//! - [`Key`] is a cipher with its key schedule and its [`Backend`]. Messages borrow it, so that a new message needs no key
//!   schedule.
//! - [`aead`] has authenticated encryption: GCM, GCM-SIV, EAX, AEGIS, Xoodyak, and the sessions of Xoofff.
//! - [`ciphers`] has ICE, Threefish and AES. [`permutations`] has Xoodoo and Xoodoo64. [`constructions`] has what is built on
//!   them: Skein (hashes and message authentication codes from Threefish), Xoodyak (a hash and authenticated encryption) and
//!   Xoofff (a deck function: it makes output of any length from a key and a sequence of strings, many blocks in parallel).
//! - [`modes`] has the raw modes (ECB, CBC, CTR, ...), the paddings, and [`modes::Crypter`], a message in progress.
//! - [`storage`] seals files and streams in chunks (`Cobblestone`), and encrypts sectors.
//! - [`mac`] has CMAC and AEGISMAC. [`many`] is about calls of [`Key`] and [`mac::Cmac`] that take many messages.
//! - [`suite`](mod@suite) selects ciphers and modes by name at run time: `"aes-256-cbc"`.
//! - [`isa`] has the instruction sets, and [`cipher`] the interface between ciphers and modes. Most programs do
//!   not need them: they are for adding a cipher or a mode, and for asking what the CPU has.
//!
//! # Keys
//!
//! | | how |
//! |---|---|
//! | on the best backend | `new(key)` of [`Key`], `Xoofff`, `Cyclist<Keyed>`, `Cmac`, `Xts`, `Cobblestone` and each [`aead::Aead`]. Others: `AegisMac::new(key, nonce)`; `Skein::new(bits)`, without a key; `Sanse::new(xoofff)`, `storage::Wbc::new(xoofff)`, `Sane::new(xoofff, nonce)` |
//! | on another | `on(backend, ..)`, with the same arguments after the backend, and more for `Skein` and `Cyclist`. `Sane`, `Sanse` and `Wbc` have no `on`: they use the backend of their `Xoofff` |
//! | with a tweak | `on(backend.with_tweak(tweak), key)` of [`Key`], [`mac::Cmac`] and [`aead::Eax`] |
//! | from a cipher that has its key, such as `Ice` at a level | [`Key::from_cipher`]`(backend, cipher)`; `Cmac`, `Gcm`, `GcmSiv` and `Eax` take such a key by `from_key`, `Xts` takes two by `from_keys` |
//! | another key in the same place | `set_key(key)` of [`Key`], `Cmac`, each [`aead::Aead`], `Xts` and `Cobblestone` |
//! | by name | [`suite::Named`] finds the entry of a name. The entry has `key(backend, key)`; that of a raw mode has `cipher.key(backend, key, tweak)` |
//!
//! # The verbs
//!
//! | | in one call, in place | from one buffer to another | to a new `Vec` | in pieces |
//! |---|---|---|---|---|
//! | [`aead::Aead`] | `seal_in_place`, `open_in_place` | `seal_between`, `open_between` | `seal_to_vec`, `open_to_vec` | [`aead::Piecewise`]: `sealer`, `opener`, `opener_to` |
//! | [`Key`] with a [`modes::Mode`] | `encrypt`, `decrypt` | `encryptor(..)?.between`, `decryptor(..)?.between` | `encryptor(..)?.to_vec`, `decryptor(..)?.to_vec` | `update` and `finish` of [`modes::Crypter`] |
//! | [`Key`] with a [`modes::CbcCs`] | `encrypt_stealing`, `decrypt_stealing` | `encrypt_stealing_between`, `decrypt_stealing_between` | | |
//! | [`Key`] with [`modes::Ige`] | | | | `ige_encryptor`, `ige_decryptor`: `update_in_place`, `update` |
//! | `Cobblestone` of [`storage`]: whole messages | | | `seal_to_vec`, `open_to_vec` | `Writer`, `Reader` |
//! | `ChunkSealer`, `ChunkOpener` of `storage::cobblestone` | `seal_in_place`, `open_in_place`: one chunk | `seal_between`, `open_between`: consecutive chunks | | |
//! | [`mac::Cmac`] | `tag`, `verify` | | | `start`, then `update`, and `finish` or `verify` |
//! | [`storage::Xts`], one data unit | `encrypt_in_place`, `decrypt_in_place` | `encrypt_between`, `decrypt_between` | | |
//! | [`storage::Xts`], consecutive data units | `encrypt_units`, `decrypt_units` | `encrypt_units_between`, `decrypt_units_between` | | |
//! | sectors of Threefish ([`Key`]) | `encrypt_sector`, `decrypt_sector` | `encrypt_sector_between`, `decrypt_sector_between` | | |
//! | `Cyclist`, and Xoofff's `History`: strings | `absorb`, `push` | | | `absorber`, `pusher`: `update` and `finish` |
//! | `Cyclist`: texts | `encrypt`, `decrypt` | `encrypt_between`, `decrypt_between` | | `encryptor`, `decryptor`: `update` and `finish` |
//! | [`many`] | `cbc_encrypt_many`, `ctr_many`, ... | | | |
//!
//! Calls that return a `Vec` need the feature `alloc`. They take input from a slice. After an error they erase what they had
//! written. What `seal_to_vec` of an [`aead::Aead`] returns is the ciphertext and the tag after it. Keys by name have such calls,
//! too: `AnyAead` and `AnyChunked` of [`suite`](mod@suite) have `seal_to_vec` and `open_to_vec`, `AnyKey` has `encrypt_to_vec` and
//! `decrypt_to_vec`. Where there is no such call and the output is as long as the input, copy the input to a `Vec`, and encrypt
//! it in place. Chunks, and `seal` of `Wbc`, have longer outputs.
//!
//! `encrypt` and `decrypt` of a [`Key`] do not pad: their argument is the data, without room for a padding.
//! [`modes::Crypter::in_place`] pads: it takes a buffer with room for the padding, and the length of the data in it. Decryption
//! to another buffer needs room for the data alone. The sessions `Sane` and `Sanse` of Xoofff have the verbs of [`aead::Aead`],
//! and `Sane` those in pieces. The wide block cipher `Wbc` of Xoofff has `encipher`, `decipher`, `encipher_between` and
//! `decipher_between`, and with authentication `seal`, `seal_between` and `open`.
//!
//! GCM-SIV takes its first counter from the tag of the whole message: sealing in pieces takes two passes
//! ([`aead::FirstPass`]), and opening in pieces begins with the tag ([`aead::GcmSiv::opener_with_tag`]). `Sanse` and one data
//! unit of XTS have no calls in pieces.
//!
//! # Raw modes
//!
//! Raw modes do not authenticate. They are for existing formats, and for protocols that have a MAC of their own.
//!
//! ```
//! use icefish::{Key, ciphers::Aes256, modes::Ctr};
//!
//! # fn main() -> Result<(), icefish::Error> {
//! let key = Key::<Aes256>::new(&[7; 32])?;
//! let iv = [1; 16]; // for CTR: never twice with one key
//! let mut data = *b"any number of bytes";
//! key.encrypt(Ctr::BE, &iv, &mut data)?;
//! assert_ne!(&data, b"any number of bytes");
//! key.decrypt(Ctr::BE, &iv, &mut data)?;
//! assert_eq!(&data, b"any number of bytes");
//! # Ok(())
//! # }
//! ```
//!
//! With padding, to a new `Vec`, and from one buffer to another:
//!
//! ```
//! # use icefish::{Key, Error, ciphers::Threefish512, modes::Cbc};
//! # fn main() -> Result<(), Error> {
//! let key = Key::<Threefish512>::new(&[7; 64])?;
//! let (message, iv) = (b"attack at dawn", [1; 64]);
//! # #[cfg(feature = "alloc")]
//! let encrypted = key.encryptor(Cbc, &iv)?.to_vec(message)?; // PKCS#7, one block
//! # #[cfg(not(feature = "alloc"))]
//! # let mut encrypted = [0; 64];
//! # #[cfg(not(feature = "alloc"))]
//! # key.encryptor(Cbc, &iv)?.between(message, &mut encrypted)?;
//! assert_eq!(encrypted.len(), 64);
//! let mut decrypted = [0; 64];
//! let len = key.decryptor(Cbc, &iv)?.between(&encrypted, &mut decrypted)?;
//! assert_eq!(&decrypted[..len], message);
//! # Ok(())
//! # }
//! ```
//!
//! A stream in pieces of any length:
//!
//! ```
//! # use icefish::{Key, Error, ciphers::Aes128, modes::{Cbc, Padding}};
//! # fn main() -> Result<(), Error> {
//! # let pieces = [&b"pieces of "[..], b"any", b" length"];
//! let key = Key::<Aes128>::new(&[7; 16])?;
//! let mut message = key.encryptor(Cbc, &[1; 16])?.padding(Padding::Iso7816);
//! let (mut out, mut len) = ([0; 64], 0);
//! for piece in pieces {
//!     len += message.update(piece, &mut out[len..])?;
//! }
//! len += message.finish(&mut out[len..])?;
//! # assert_eq!(len, 32);
//! # Ok(())
//! # }
//! ```
//!
//! # Permutations
//!
//! `permute_many` permutes any number of states, in parallel where the CPU can:
//!
//! ```
//! use icefish::{Backend, permutations::Xoodoo};
//!
//! let mut states = [[0; 48]; 8];
//! Xoodoo::permute_many(Backend::best(), Xoodoo::ROUNDS, &mut states)?;
//! # assert_eq!(states[0], states[7]);
//! # Ok::<(), icefish::Error>(())
//! ```
//!
//! # What raw modes do not protect against
//!
//! **An attacker who can change a ciphertext can change the plaintext that it decrypts to.** With CBC, an attacker who also
//! learns whether a padding was valid can read the plaintext. ECB shows which blocks are equal.
//!
//! # Constant time
//!
//! Threefish, Xoodoo and AES have no branch and no memory address that depends on a key or on data. Without AES instructions, AES
//! is bit-sliced; on vector registers, few blocks and serial modes use table look-ups within registers. By default, ICE is
//! constant-time only for blocks that are computed in batches. In parallel modes, on every backend but `scalar`, a message of 116
//! or more blocks has such batches. All other blocks (those of shorter messages and of serial modes, those left after the last
//! batch, and all on `scalar`) may be computed by tables in memory, which is **not** constant-time, unless
//! [`Ice::constant_time`](ciphers::Ice::constant_time) is used. Removing a padding and comparing tags are constant-time.
//!
//! # Features
//!
//! | | default | what it adds |
//! |---|---|---|
//! | `aes` | yes | AES and AEGIS; GCM, GCM-SIV and XTS need it, unless the cipher is your own |
//! | `threefish` | yes | Threefish, its sector encryption, and [Skein](constructions::skein) |
//! | `ice` | yes | ICE and Thin-ICE |
//! | `xoodoo` | yes | [`permutations`], and what is built on them: Xoodyak and Xoofff |
//! | `cobblestone` | yes | `storage::cobblestone`: files and streams in chunks. Enables `aes`; needs the crates `hkdf` and `sha2` |
//! | `std` | yes | [`Backend::from_env`], `Reader` and `Writer` of Cobblestone, `std::io::Write` and `Read` for Skein; without it the library is `no_std` |
//! | `alloc` | part of `std` | [`suite`](mod@suite), trees of Skein, and calls that return a `Vec` |
//! | `parallel` | | one large buffer on all cores, the feature `std`, and the crate `rayon` |
//! | `rustcrypto` | | the traits of the crates `cipher`, `aead` and `digest` |
//!
//! A family of algorithms (`aes`, `threefish`, `ice`, `xoodoo`) that is not enabled is not compiled: `default-features = false,
//! features = ["aes"]` is AES in every mode, without `std`. Modes are always compiled. [`suite`](mod@suite) has the names of what
//! is enabled.
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(test, allow(dead_code, unused_imports, reason = "used only by `suite`"))]

#[cfg(feature = "alloc")]
extern crate alloc;

pub mod aead;
mod block;
#[cfg_attr(
    not(any(feature = "aes", feature = "threefish", feature = "ice")),
    allow(dead_code, unused_imports, reason = "used only by the library's own ciphers")
)]
pub mod cipher;
pub mod ciphers;
#[cfg(any(feature = "aes", feature = "threefish", feature = "xoodoo"))]
pub mod constructions;
mod error;
#[cfg_attr(
    not(all(feature = "aes", feature = "threefish", feature = "ice", feature = "xoodoo")),
    allow(dead_code, unused_imports, reason = "used only by families that are disabled")
)]
pub mod isa;
pub mod mac;
pub mod many;
pub mod modes;
#[cfg(feature = "parallel")]
pub mod parallel;
#[cfg(feature = "xoodoo")]
pub mod permutations;
#[cfg(feature = "rustcrypto")]
pub mod rustcrypto;
pub mod storage;
// Not in the unit tests, to save compile time: its lists of names are statics, which are always compiled and refer to every kernel.
// Names are tested in `tests/`.
#[cfg(all(feature = "alloc", not(test)))]
#[cfg_attr(
    not(all(feature = "aes", feature = "threefish", feature = "ice")),
    allow(dead_code, reason = "constructors of keys of families that are disabled")
)]
pub mod suite;
#[cfg(feature = "alloc")]
mod to_vec;
mod verdict;
pub use block::Block;
pub use cipher::{Key, KeyOptions};
pub use error::Error;
pub use isa::Backend;

/// The examples of the README, compiled and run with the others.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The same for the page on the library.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct LibraryPage;
