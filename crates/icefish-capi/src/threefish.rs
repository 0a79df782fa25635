//! Threefish by itself: blocks under one key and tweak, without a mode.

use crate::border::{Call, In, Io, Out, Text};
use crate::error::{Error, Failure};
use crate::{backend, call, handle, put};
use core::mem::MaybeUninit;
use icefish::Key;
use icefish::cipher::{Cipher, Decrypt, Direction, Encrypt};
use icefish::ciphers::{Threefish256, Threefish512, Threefish1024};
use icefish::modes::{Crypter, Ecb, Padding};

/// A key of Threefish-256, -512 or -1024 with a tweak, expanded. Calls that take it as `const` may be made from several threads.
pub struct Threefish(Sizes);

enum Sizes {
    Of256(Key<Threefish256>),
    Of512(Key<Threefish512>),
    Of1024(Key<Threefish1024>),
}

/// Expands a key of 32, 64 or 128 bytes, whose length says which Threefish it is. `tweak` is 16 bytes; null means zeros.
/// `backend_name` may be null.
///
/// Errors: KEY_LENGTH, UNKNOWN_BACKEND, MISSING_BACKEND.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_threefish_new(
    key: In,
    key_len: usize,
    tweak: In,
    backend_name: Text,
    made: Option<&mut MaybeUninit<Option<Box<Threefish>>>>,
) -> Error {
    call(|c| {
        let place = c.place(made)?.ok_or(Failure::Null)?;
        let key = c.input(key, key_len)?;
        let on = backend(c, backend_name)?;
        // A key of zeros is replaced where it is: a schedule that is moved leaves a copy behind.
        let sizes = match key.len() {
            32 => Sizes::Of256(Key::on(on, &[0; 32])?),
            64 => Sizes::Of512(Key::on(on, &[0; 64])?),
            128 => Sizes::Of1024(Key::on(on, &[0; 128])?),
            got => return Err(icefish::Error::KeyLength { got, need: 128 }.into()),
        };
        let mut made = Box::new(Threefish(sizes));
        match &mut made.0 {
            Sizes::Of256(made) => made.set_key(key)?,
            Sizes::Of512(made) => made.set_key(key)?,
            Sizes::Of1024(made) => made.set_key(key)?,
        }
        if !tweak.is_null() {
            made.set_tweak(tweak_of(c, tweak)?);
        }
        put(place, made)
    })
}

/// Sets another tweak, of 16 bytes, for the same key: some forty additions. No other call may use the key at the same time.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_threefish_set_tweak(key: Option<&mut Threefish>, tweak: In) -> Error {
    call(|c| {
        let tweak = tweak_of(c, tweak)?;
        key.ok_or(Failure::Null)?.set_tweak(tweak);
        Ok(())
    })
}

/// Encrypts blocks, each by itself, from `input` to `output`, which are the same or do not overlap. They need no alignment.
///
/// Errors: PARTIAL_BLOCK, OVERLAP, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_threefish_encrypt(
    key: Option<&Threefish>,
    input: In,
    output: Out,
    len: usize,
) -> Error {
    call(|c| handle(key)?.run::<Encrypt>(c.io(input, len, output, len)?))
}

/// Decrypts what icefish_threefish_encrypt made.
///
/// Errors: PARTIAL_BLOCK, OVERLAP, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_threefish_decrypt(
    key: Option<&Threefish>,
    input: In,
    output: Out,
    len: usize,
) -> Error {
    call(|c| handle(key)?.run::<Decrypt>(c.io(input, len, output, len)?))
}

/// Erases and frees a key. Null is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_threefish_free(key: Option<Box<Threefish>>) {
    crate::free(key);
}

fn tweak_of<'c>(c: &mut Call<'c>, tweak: In) -> Result<&'c [u8; 16], Failure> {
    c.input(tweak, 16)?.try_into().map_err(|_| Failure::Null)
}

impl Threefish {
    fn set_tweak(&mut self, tweak: &[u8; 16]) {
        match &mut self.0 {
            Sizes::Of256(key) => key.set_tweak(tweak),
            Sizes::Of512(key) => key.set_tweak(tweak),
            Sizes::Of1024(key) => key.set_tweak(tweak),
        }
    }

    #[inline(always)]
    fn run<D: Direction>(&self, io: Io<'_>) -> Result<(), Failure> {
        match &self.0 {
            Sizes::Of256(key) => blocks::<_, D>(key, io),
            Sizes::Of512(key) => blocks::<_, D>(key, io),
            Sizes::Of1024(key) => blocks::<_, D>(key, io),
        }
    }
}

#[inline(always)]
fn blocks<C: Cipher, D: Direction>(key: &Key<C>, io: Io<'_>) -> Result<(), Failure> {
    match io {
        Io::InPlace(data) if D::ENCRYPT => key.encrypt(Ecb, &[], data)?,
        Io::InPlace(data) => key.decrypt(Ecb, &[], data)?,
        Io::Between(input, output) => {
            let blocks = Crypter::<C, Ecb, D>::new(key, Ecb, &[])?.padding(Padding::None);
            blocks.between(input, output)?;
        }
    }
    Ok(())
}
