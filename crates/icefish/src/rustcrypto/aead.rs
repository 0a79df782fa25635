//! The traits of the crate `aead` for this library's authenticated modes.

use super::{KeySize, Sizes};
#[cfg(feature = "aes")]
use crate::aead::Aegis;
use crate::aead::{Aead, Eax, Gcm, GcmSiv};
use crate::{Backend, Key, isa};
use aead::array::Array;
use aead::consts::{U12, U16};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Error, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};

pub(super) fn seal<A: Aead + AeadCore>(
    mode: &A,
    nonce: &Nonce<A>,
    associated: &[u8],
    buffer: InOutBuf<'_, '_, u8>,
) -> Result<Tag<A>, Error> {
    let tag = mode.seal(nonce, associated, isa::InOut::from(buffer)).map_err(|_| Error)?;
    Array::try_from(tag.as_ref()).map_err(|_| Error)
}

pub(super) fn open<A: Aead + AeadCore>(
    mode: &A,
    nonce: &Nonce<A>,
    associated: &[u8],
    buffer: InOutBuf<'_, '_, u8>,
    tag: &Tag<A>,
) -> Result<(), Error> {
    mode.open(nonce, associated, isa::InOut::from(buffer), tag).map_err(|_| Error)
}

impl<C: KeySize<Block = [u8; 16]>> KeySizeUser for Gcm<C> {
    type KeySize = C::KeySize;
}

impl<C: KeySize<Block = [u8; 16]>> KeyInit for Gcm<C> {
    fn new(key: &aead::Key<Self>) -> Self {
        Self::from_key(Key::on(Backend::best(), key).expect("KeySize is the cipher's"))
    }
}

impl<C: Sizes<Block = [u8; 16]>> AeadCore for Gcm<C> {
    type NonceSize = U12;
    type TagSize = U16;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

impl<C: Sizes<Block = [u8; 16]>> AeadInOut for Gcm<C> {
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
    ) -> Result<Tag<Self>, Error> {
        seal(self, nonce, associated, buffer)
    }
    fn decrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag: &Tag<Self>,
    ) -> Result<(), Error> {
        open(self, nonce, associated, buffer, tag)
    }
}

impl<C: KeySize<Block = [u8; 16]>> KeySizeUser for GcmSiv<C> {
    type KeySize = C::KeySize;
}

impl<C: KeySize<Block = [u8; 16]>> KeyInit for GcmSiv<C> {
    fn new(key: &aead::Key<Self>) -> Self {
        Self::from_key(Key::on(Backend::best(), key).expect("KeySize is the cipher's"))
    }
}

impl<C: KeySize<Block = [u8; 16]>> AeadCore for GcmSiv<C> {
    type NonceSize = U12;
    type TagSize = U16;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

impl<C: KeySize<Block = [u8; 16]>> AeadInOut for GcmSiv<C> {
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
    ) -> Result<Tag<Self>, Error> {
        seal(self, nonce, associated, buffer)
    }
    fn decrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag: &Tag<Self>,
    ) -> Result<(), Error> {
        open(self, nonce, associated, buffer, tag)
    }
}

impl<C: KeySize> KeySizeUser for Eax<C> {
    type KeySize = C::KeySize;
}

impl<C: KeySize> KeyInit for Eax<C> {
    fn new(key: &aead::Key<Self>) -> Self {
        Self::from_key(Key::on(Backend::best(), key).expect("KeySize is the cipher's"))
    }
}

impl<C: Sizes> AeadCore for Eax<C> {
    type NonceSize = C::BlockSize;
    type TagSize = C::BlockSize;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

impl<C: Sizes> AeadInOut for Eax<C> {
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
    ) -> Result<Tag<Self>, Error> {
        seal(self, nonce, associated, buffer)
    }
    fn decrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag: &Tag<Self>,
    ) -> Result<(), Error> {
        open(self, nonce, associated, buffer, tag)
    }
}

#[cfg(feature = "aes")]
impl<const DEGREE: usize> KeySizeUser for Aegis<128, DEGREE> {
    type KeySize = U16;
}

#[cfg(feature = "aes")]
impl<const DEGREE: usize> AeadCore for Aegis<128, DEGREE> {
    type NonceSize = U16;
    type TagSize = aead::consts::U32;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

#[cfg(feature = "aes")]
impl<const DEGREE: usize> KeySizeUser for Aegis<256, DEGREE> {
    type KeySize = aead::consts::U32;
}

#[cfg(feature = "aes")]
impl<const DEGREE: usize> AeadCore for Aegis<256, DEGREE> {
    type NonceSize = aead::consts::U32;
    type TagSize = aead::consts::U32;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

#[cfg(feature = "aes")]
impl<const BITS: usize, const DEGREE: usize> KeyInit for Aegis<BITS, DEGREE>
where
    Self: KeySizeUser,
{
    fn new(key: &aead::Key<Self>) -> Self {
        Self::on(Backend::best(), key).expect("KeySize is that of the variant")
    }
}

#[cfg(feature = "aes")]
impl<const BITS: usize, const DEGREE: usize> AeadInOut for Aegis<BITS, DEGREE>
where
    Self: AeadCore,
{
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
    ) -> Result<Tag<Self>, Error> {
        seal(self, nonce, associated, buffer)
    }
    fn decrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag: &Tag<Self>,
    ) -> Result<(), Error> {
        open(self, nonce, associated, buffer, tag)
    }
}
