//! The C interface of icefish. What C sees is in `include/icefish.h`, which is made of this source.
//!
//! Every exported function is safe Rust: it takes handles as `Option<&T>`, and memory as types that the border module turns into slices
//! after all checks. The attribute that exports a name counts as unsafe for the compiler, and is why the lint is off here;
//! `.ci/run unsafe` allows that attribute in this folder, and unsafe code in `border.rs` only.
#![allow(unsafe_code, reason = "the attribute of every exported function")]
#![allow(clippy::too_many_arguments, reason = "C has no slices: each is two arguments")]

pub mod about;
pub mod aead;
pub mod border;
pub mod chunked;
pub mod cipher;
pub mod error;
pub mod hash;
pub mod mac;
pub mod many;
pub mod pieces;
pub mod threefish;

use border::{Call, Place, Text};
use core::ffi::CStr;
use core::mem::MaybeUninit;
use error::{Error, Failure};
use icefish::Backend;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the header says about threads.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    const fn sent<T: Send>() {}
    shared::<(aead::Aead, chunked::Chunked, cipher::Cipher, hash::Hash)>();
    shared::<(mac::Mac, threefish::Threefish)>();
    sent::<(cipher::Message, hash::Hasher, mac::MacMessage, pieces::Opener, pieces::Sealer)>();
};

/// The body of every exported function. No panic leaves it.
#[inline(always)]
fn call<'c>(body: impl FnOnce(&mut Call<'c>) -> Result<(), Failure>) -> Error {
    match catch_unwind(AssertUnwindSafe(|| body(&mut Call::new()))) {
        Ok(Ok(())) => Error::None,
        Ok(Err(failure)) => error::failed(failure),
        Err(payload) => {
            // Dropping it runs code that could panic again.
            core::mem::forget(payload);
            error::failed(Failure::Internal)
        }
    }
}

/// What a handle points to.
#[inline(always)]
fn handle<T>(handle: Option<T>) -> Result<T, Failure> {
    handle.ok_or(Failure::Null)
}

/// Gives a new handle to C.
fn put<T>(place: &mut MaybeUninit<Option<Box<T>>>, made: Box<T>) -> Result<(), Failure> {
    place.write(Some(made));
    Ok(())
}

/// Gives a length to C.
#[inline(always)]
fn written(place: Place<'_, usize>, len: usize) -> Result<(), Failure> {
    if let Some(place) = place {
        place.write(len);
    }
    Ok(())
}

/// Drops what C gives back.
fn free<T>(handle: Option<Box<T>>) {
    call(|_| {
        drop(handle);
        Ok(())
    });
}

/// A name that must be there.
fn name<'c>(c: &mut Call<'c>, at: Text) -> Result<&'c str, Failure> {
    utf8(c.text(at)?.ok_or(Failure::Null)?)
}

fn utf8(text: &CStr) -> Result<&str, Failure> {
    text.to_str().map_err(|_| Failure::Text)
}

/// The backend of that name. Without one, that of `ICEFISH_BACKEND`, or the widest of this CPU.
fn backend(c: &mut Call<'_>, at: Text) -> Result<Backend, Failure> {
    let Some(name) = c.text(at)? else { return Ok(Backend::from_env()?) };
    Ok(Backend::by_name(utf8(name)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_panic_reaches_c() {
        std::panic::set_hook(Box::new(|_| {}));
        assert_eq!(call(|_| panic!("a fault")), Error::Internal);
        assert_eq!(call(|_| Ok(())), Error::None);
    }
}
