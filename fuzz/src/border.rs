//! The C interface as C calls it: addresses and lengths. All unsafe code of the fuzzer is here.
//!
//! What makes it right is [`Memory`]: its bytes are those of an arena, or it has none, or no memory has its length. The last
//! must be refused before anybody looks at it.
#![allow(unsafe_code)]

use crate::arena::Memory;
use crate::data::Data;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::{null, null_mut};
use icefish_capi as _;
use std::ffi::CString;

type In = *const c_void;
type Out = *mut c_void;
type Handle = *mut c_void;
type Text = *const c_char;

unsafe extern "C" {
    fn icefish_aead_new(
        suite: Text,
        key: In,
        len: usize,
        tag: usize,
        backend: Text,
        made: *mut Handle,
    ) -> c_int;
    fn icefish_aead_seal(
        key: Handle,
        nonce: In,
        nonce_len: usize,
        ad: In,
        ad_len: usize,
        input: In,
        output: Out,
        len: usize,
        tag: Out,
        tag_len: usize,
    ) -> c_int;
    fn icefish_aead_open(
        key: Handle,
        nonce: In,
        nonce_len: usize,
        ad: In,
        ad_len: usize,
        input: In,
        output: Out,
        len: usize,
        tag: In,
        tag_len: usize,
    ) -> c_int;
    fn icefish_aead_free(key: Handle);
    fn icefish_cipher_new(
        suite: Text,
        key: In,
        len: usize,
        tweak: In,
        tweak_len: usize,
        padding: Text,
        backend: Text,
        made: *mut Handle,
    ) -> c_int;
    fn icefish_cipher_encrypt(
        key: Handle,
        iv: In,
        iv_len: usize,
        input: In,
        input_len: usize,
        output: Out,
        output_len: usize,
        written: *mut usize,
    ) -> c_int;
    fn icefish_cipher_decrypt(
        key: Handle,
        iv: In,
        iv_len: usize,
        input: In,
        input_len: usize,
        output: Out,
        output_len: usize,
        written: *mut usize,
    ) -> c_int;
    fn icefish_cipher_free(key: Handle);
    fn icefish_encryptor_new(key: Handle, iv: In, iv_len: usize, made: *mut Handle) -> c_int;
    fn icefish_decryptor_new(key: Handle, iv: In, iv_len: usize, made: *mut Handle) -> c_int;
    fn icefish_message_update(
        message: Handle,
        input: In,
        input_len: usize,
        output: Out,
        output_len: usize,
        written: *mut usize,
    ) -> c_int;
    fn icefish_message_finish(
        message: Handle,
        output: Out,
        output_len: usize,
        written: *mut usize,
    ) -> c_int;
    fn icefish_message_free(message: Handle);
    fn icefish_hash_new(
        suite: Text,
        key: In,
        len: usize,
        bits: u64,
        backend: Text,
        made: *mut Handle,
    ) -> c_int;
    fn icefish_hash_digest(
        hash: Handle,
        data: In,
        len: usize,
        digest: Out,
        digest_len: usize,
    ) -> c_int;
    fn icefish_hash_free(hash: Handle);
    fn icefish_hasher_new(hash: Handle, made: *mut Handle) -> c_int;
    fn icefish_hasher_update(hasher: Handle, data: In, len: usize) -> c_int;
    fn icefish_hasher_finish(hasher: Handle, digest: Out, digest_len: usize) -> c_int;
    fn icefish_hasher_free(hasher: Handle);
    fn icefish_mac_new(
        suite: Text,
        key: In,
        len: usize,
        tag: usize,
        backend: Text,
        made: *mut Handle,
    ) -> c_int;
    fn icefish_mac_tag(mac: Handle, data: In, len: usize, tag: Out, tag_len: usize) -> c_int;
    fn icefish_mac_free(mac: Handle);
    fn icefish_last_message(buffer: Out, size: usize) -> usize;
    fn icefish_error_message(error: c_int) -> Text;
}

/// A string for C, or null.
pub(crate) struct Name(Option<CString>);

impl Name {
    /// Some text, which is changed in a few cases.
    pub(crate) fn new(data: &mut Data<'_>, text: &str) -> Self {
        let mut text = text.as_bytes().to_vec();
        match data.below(32) {
            30 => return Self(None),
            31 => {
                data.change(&mut text);
            }
            _ => {}
        }
        text.retain(|&byte| byte != 0);
        Self(CString::new(text).ok())
    }

    pub(crate) fn text(&self) -> Option<&str> {
        self.0.as_ref().and_then(|text| text.to_str().ok())
    }

    pub(crate) fn is_null(&self) -> bool {
        self.0.is_none()
    }

    fn pointer(&self) -> Text {
        self.0.as_ref().map_or(null(), |text| text.as_ptr())
    }
}

/// What a handle is of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Aead,
    Cipher,
    Message,
    Hash,
    Hasher,
    Mac,
}

/// A handle, which is freed once.
pub(crate) struct Owned {
    handle: Handle,
    kind: Kind,
}

impl Owned {
    /// A null handle.
    pub(crate) fn null(kind: Kind) -> Self {
        Self { handle: null_mut(), kind }
    }

    pub(crate) fn is_null(&self) -> bool {
        self.handle.is_null()
    }

    fn of(&self, kind: Kind) -> Handle {
        assert!(self.kind == kind, "a handle of another kind");
        self.handle
    }

    /// What a call made: a handle if it succeeded, and nothing else.
    fn made(kind: Kind, call: impl FnOnce(*mut Handle) -> c_int) -> (c_int, Self) {
        let mut handle = null_mut();
        let code = call(&raw mut handle);
        assert_eq!(code == 0, !handle.is_null(), "a handle and an error");
        (code, Self { handle, kind })
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the handle is null, or a call for this kind made it and nobody else frees it.
        unsafe {
            match self.kind {
                Kind::Aead => icefish_aead_free(self.handle),
                Kind::Cipher => icefish_cipher_free(self.handle),
                Kind::Message => icefish_message_free(self.handle),
                Kind::Hash => icefish_hash_free(self.handle),
                Kind::Hasher => icefish_hasher_free(self.handle),
                Kind::Mac => icefish_mac_free(self.handle),
            }
        }
    }
}

// SAFETY, of all calls below: a `Memory` has bytes of an arena that lives, or none, or the library must refuse it without
// looking; names end with a zero; handles live, and are of the right kind.

pub(crate) fn new_key(
    kind: Kind,
    suite: &Name,
    key: Memory,
    tag: usize,
    backend: &Name,
) -> (c_int, Owned) {
    let (suite, at, len, backend) = (suite.pointer(), key.input(), key.len(), backend.pointer());
    Owned::made(kind, |made| unsafe {
        match kind {
            Kind::Mac => icefish_mac_new(suite, at, len, tag, backend, made),
            Kind::Hash => icefish_hash_new(suite, at, len, 8 * tag as u64, backend, made),
            Kind::Cipher => {
                icefish_cipher_new(suite, at, len, null(), 0, c"none".as_ptr(), backend, made)
            }
            _ => icefish_aead_new(suite, at, len, tag, backend, made),
        }
    })
}

/// Seals or opens; `io` has one length.
pub(crate) fn aead(
    key: &Owned,
    seal: bool,
    [nonce, ad]: [Memory; 2],
    [input, output]: [Memory; 2],
    tag: Memory,
) -> c_int {
    let (key, n, a) = (key.of(Kind::Aead), nonce.input(), ad.input());
    let (i, o, len) = (input.input(), output.output(), input.len());
    unsafe {
        if seal {
            icefish_aead_seal(key, n, nonce.len(), a, ad.len(), i, o, len, tag.output(), tag.len())
        } else {
            icefish_aead_open(key, n, nonce.len(), a, ad.len(), i, o, len, tag.input(), tag.len())
        }
    }
}

/// The code, and the length that was written.
pub(crate) fn crypt(
    key: &Owned,
    encrypt: bool,
    iv: Memory,
    [input, output]: [Memory; 2],
) -> (c_int, usize) {
    let call = if encrypt { icefish_cipher_encrypt } else { icefish_cipher_decrypt };
    let (key, mut written) = (key.of(Kind::Cipher), usize::MAX);
    let (i, o) = (input.input(), output.output());
    let code = unsafe {
        call(key, iv.input(), iv.len(), i, input.len(), o, output.len(), &raw mut written)
    };
    (code, written)
}

pub(crate) fn message(key: &Owned, encrypt: bool, iv: Memory) -> (c_int, Owned) {
    let call = if encrypt { icefish_encryptor_new } else { icefish_decryptor_new };
    Owned::made(Kind::Message, |made| unsafe {
        call(key.of(Kind::Cipher), iv.input(), iv.len(), made)
    })
}

pub(crate) fn update(message: &Owned, [input, output]: [Memory; 2]) -> (c_int, usize) {
    let (handle, mut written) = (message.of(Kind::Message), usize::MAX);
    let (i, o) = (input.input(), output.output());
    let code = unsafe {
        icefish_message_update(handle, i, input.len(), o, output.len(), &raw mut written)
    };
    (code, written)
}

pub(crate) fn finish(message: &Owned, output: Memory) -> (c_int, usize) {
    let (handle, mut written) = (message.of(Kind::Message), usize::MAX);
    let code =
        unsafe { icefish_message_finish(handle, output.output(), output.len(), &raw mut written) };
    (code, written)
}

pub(crate) fn hasher(hash: &Owned) -> (c_int, Owned) {
    Owned::made(Kind::Hasher, |made| unsafe { icefish_hasher_new(hash.of(Kind::Hash), made) })
}

pub(crate) fn hasher_update(hasher: &Owned, data: Memory) -> c_int {
    unsafe { icefish_hasher_update(hasher.of(Kind::Hasher), data.input(), data.len()) }
}

pub(crate) fn hasher_finish(hasher: &Owned, digest: Memory) -> c_int {
    unsafe { icefish_hasher_finish(hasher.of(Kind::Hasher), digest.output(), digest.len()) }
}

/// A digest or a tag.
pub(crate) fn digest(key: &Owned, data: Memory, digest: Memory) -> c_int {
    let call = if key.kind == Kind::Hash { icefish_hash_digest } else { icefish_mac_tag };
    unsafe { call(key.handle, data.input(), data.len(), digest.output(), digest.len()) }
}

/// The sentence for the last error fits into any room, and that for any number is a sentence.
pub(crate) fn sentences(room: usize, error: c_int) -> (usize, Vec<u8>, usize) {
    let mut buffer = vec![0xa5; room + 1];
    unsafe {
        let len = icefish_last_message(buffer.as_mut_ptr().cast(), room);
        let text = CStr::from_ptr(icefish_error_message(error));
        (len, buffer, text.count_bytes())
    }
}
