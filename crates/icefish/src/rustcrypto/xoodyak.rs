//! The traits of `aead` for Xoodyak, and those of `digest` for its hash.

use super::aead::{open, seal};
use crate::Backend;
use crate::aead::Xoodyak;
use crate::constructions::xoodyak::{Hasher, Output};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Error, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};
use digest::consts::{U16, U32};
use digest::{
    CollisionResistance, ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset,
    HashMarker, OutputSizeUser, Reset, Update, XofReader,
};

impl KeySizeUser for Xoodyak {
    type KeySize = U16;
}

impl KeyInit for Xoodyak {
    fn new(key: &aead::Key<Self>) -> Self {
        Self::on(Backend::best(), key).expect("a key has 16 bytes")
    }
}

impl AeadCore for Xoodyak {
    type NonceSize = U16;
    type TagSize = U16;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

impl AeadInOut for Xoodyak {
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

impl Update for Hasher {
    fn update(&mut self, data: &[u8]) {
        Self::update(self, data);
    }
}

/// The digest of the NIST competition.
impl OutputSizeUser for Hasher {
    type OutputSize = U32;
}

impl FixedOutput for Hasher {
    fn finalize_into(self, out: &mut digest::Output<Self>) {
        self.finish(out);
    }
}

/// The new message is on the same backend.
impl Reset for Hasher {
    fn reset(&mut self) {
        take(self);
    }
}

/// Takes the message so far, and begins another on the same backend.
fn take(hasher: &mut Hasher) -> Hasher {
    let next = Hasher::on(hasher.backend());
    core::mem::replace(hasher, next)
}

impl FixedOutputReset for Hasher {
    fn finalize_into_reset(&mut self, out: &mut digest::Output<Self>) {
        take(self).finish(out);
    }
}

impl ExtendableOutput for Hasher {
    type Reader = Output;
    fn finalize_xof(self) -> Output {
        self.output()
    }
    fn finalize_xof_into(self, out: &mut [u8]) {
        self.finish(out);
    }
}

impl ExtendableOutputReset for Hasher {
    fn finalize_xof_reset(&mut self) -> Output {
        take(self).output()
    }
}

impl XofReader for Output {
    fn read(&mut self, buffer: &mut [u8]) {
        self.fill(buffer);
    }
}

impl HashMarker for Hasher {}

impl CollisionResistance for Hasher {
    type CollisionResistance = U16;
}
