//! The traits of `digest` for Skein. A type says the length of its digests, because that length is a part of what is hashed.

use crate::constructions::skein::{Arguments, Hasher, Output, Skein};
use core::marker::PhantomData;
use digest::array::ArraySize;
use digest::common::KeySizeUser;
use digest::consts::{U32, U64, U128};
use digest::{
    ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset, HashMarker,
    InvalidLength, Key, KeyInit, MacMarker, OutputSizeUser, Reset, Update, XofReader,
};

/// Skein with a state of `W` words, `B` bytes, and digests of `N` bytes, as a [`Digest`](digest::Digest).
///
/// ```
/// use digest::Digest;
/// use icefish::constructions::skein::Skein512;
/// use icefish::rustcrypto::Skein512Digest;
/// let mut digest = [0; 64];
/// Skein512::new(512).hash(b"abc", &mut digest)?;
/// assert_eq!(Skein512Digest::<digest::consts::U64>::digest(b"abc")[..], digest);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SkeinDigest<const W: usize, const B: usize, N> {
    hasher: Hasher<W, B>,
    size: PhantomData<N>,
}

/// Skein-256 with digests of `N` bytes.
///
/// ```
/// use digest::Digest;
/// use icefish::rustcrypto::Skein256Digest;
/// let digest = <Skein256Digest>::digest(b"abc");
/// assert_eq!(digest.len(), 32);
/// ```
pub type Skein256Digest<N = U32> = SkeinDigest<4, 32, N>;
/// Skein-512 with digests of `N` bytes.
///
/// ```
/// use digest::Digest;
/// use icefish::rustcrypto::Skein512Digest;
/// let digest = <Skein512Digest>::digest(b"abc");
/// assert_eq!(digest.len(), 64);
/// ```
pub type Skein512Digest<N = U64> = SkeinDigest<8, 64, N>;
/// Skein-1024 with digests of `N` bytes.
///
/// ```
/// use digest::Digest;
/// use icefish::rustcrypto::Skein1024Digest;
/// let digest = <Skein1024Digest>::digest(b"abc");
/// assert_eq!(digest.len(), 128);
/// ```
pub type Skein1024Digest<N = U128> = SkeinDigest<16, 128, N>;

impl<const W: usize, const B: usize, N: ArraySize> Default for SkeinDigest<W, B, N> {
    fn default() -> Self {
        Self { hasher: Skein::new(8 * N::U64).hasher(), size: PhantomData }
    }
}

impl<const W: usize, const B: usize, N> Update for SkeinDigest<W, B, N> {
    fn update(&mut self, data: &[u8]) {
        self.hasher.update(data);
    }
}

impl<const W: usize, const B: usize, N: ArraySize> OutputSizeUser for SkeinDigest<W, B, N> {
    type OutputSize = N;
}

impl<const W: usize, const B: usize, N: ArraySize> FixedOutput for SkeinDigest<W, B, N> {
    fn finalize_into(self, out: &mut digest::Output<Self>) {
        self.hasher.finish(out).expect("the length is that of the type");
    }
}

impl<const W: usize, const B: usize, N> Reset for SkeinDigest<W, B, N> {
    fn reset(&mut self) {
        self.hasher.reset();
    }
}

impl<const W: usize, const B: usize, N: ArraySize> FixedOutputReset for SkeinDigest<W, B, N> {
    fn finalize_into_reset(&mut self, out: &mut digest::Output<Self>) {
        self.hasher.clone().finish(out).expect("the length is that of the type");
        self.hasher.reset();
    }
}

impl<const W: usize, const B: usize, N> HashMarker for SkeinDigest<W, B, N> {}

/// Skein with a key, a state of `W` words, `B` bytes, and tags of `N` bytes, as a [`Mac`](digest::Mac). `new` takes a key as long
/// as the state, `new_from_slice` one of any length but 0.
///
/// ```
/// use digest::{KeyInit, Mac};
/// use icefish::rustcrypto::Skein512Mac;
/// let key = |bytes: &[u8]| <Skein512Mac as KeyInit>::new_from_slice(bytes);
/// let tag = key(b"of any length")?.chain_update(b"abc").finalize();
/// key(b"of any length")?.chain_update(b"abc").verify(&tag.into_bytes())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SkeinMac<const W: usize, const B: usize, N> {
    hasher: Hasher<W, B>,
    size: PhantomData<N>,
}

/// Skein-MAC-256 with tags of `N` bytes.
///
/// ```
/// use digest::{KeyInit, Mac};
/// use icefish::rustcrypto::Skein256Mac;
/// let mac = <Skein256Mac as KeyInit>::new(&[7; 32].into()).chain_update(b"abc");
/// assert_eq!(mac.finalize().into_bytes().len(), 32);
/// ```
pub type Skein256Mac<N = U32> = SkeinMac<4, 32, N>;
/// Skein-MAC-512 with tags of `N` bytes.
///
/// ```
/// use digest::{KeyInit, Mac};
/// use icefish::rustcrypto::Skein512Mac;
/// let mac = <Skein512Mac as KeyInit>::new(&[7; 64].into()).chain_update(b"abc");
/// assert_eq!(mac.finalize().into_bytes().len(), 64);
/// ```
pub type Skein512Mac<N = U64> = SkeinMac<8, 64, N>;
/// Skein-MAC-1024 with tags of `N` bytes.
///
/// ```
/// use digest::{KeyInit, Mac};
/// use icefish::rustcrypto::Skein1024Mac;
/// let mac = <Skein1024Mac as KeyInit>::new(&[7; 128].into()).chain_update(b"abc");
/// assert_eq!(mac.finalize().into_bytes().len(), 128);
/// ```
pub type Skein1024Mac<N = U128> = SkeinMac<16, 128, N>;

impl<N> KeySizeUser for SkeinMac<4, 32, N> {
    type KeySize = U32;
}

impl<N> KeySizeUser for SkeinMac<8, 64, N> {
    type KeySize = U64;
}

impl<N> KeySizeUser for SkeinMac<16, 128, N> {
    type KeySize = U128;
}

impl<const W: usize, const B: usize, N: ArraySize> KeyInit for SkeinMac<W, B, N>
where
    Self: KeySizeUser,
{
    fn new(key: &Key<Self>) -> Self {
        Self::new_from_slice(key).expect("it is not empty")
    }
    fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
        if key.is_empty() {
            return Err(InvalidLength);
        }
        let skein = Skein::with(8 * N::U64, &Arguments { key, ..Arguments::default() });
        Ok(Self { hasher: skein.hasher(), size: PhantomData })
    }
}

impl<const W: usize, const B: usize, N> Update for SkeinMac<W, B, N> {
    fn update(&mut self, data: &[u8]) {
        self.hasher.update(data);
    }
}

impl<const W: usize, const B: usize, N: ArraySize> OutputSizeUser for SkeinMac<W, B, N> {
    type OutputSize = N;
}

impl<const W: usize, const B: usize, N: ArraySize> FixedOutput for SkeinMac<W, B, N> {
    fn finalize_into(self, out: &mut digest::Output<Self>) {
        self.hasher.finish(out).expect("the length is that of the type");
    }
}

impl<const W: usize, const B: usize, N> Reset for SkeinMac<W, B, N> {
    fn reset(&mut self) {
        self.hasher.reset();
    }
}

impl<const W: usize, const B: usize, N: ArraySize> FixedOutputReset for SkeinMac<W, B, N> {
    fn finalize_into_reset(&mut self, out: &mut digest::Output<Self>) {
        self.hasher.clone().finish(out).expect("the length is that of the type");
        self.hasher.reset();
    }
}

impl<const W: usize, const B: usize, N> MacMarker for SkeinMac<W, B, N> {}

/// Skein with a state of `W` words, `B` bytes, and output of any length ([`Skein::ENDLESS`]).
///
/// ```
/// use digest::{ExtendableOutput, Update};
/// use icefish::rustcrypto::SkeinXof;
/// let mut hasher = SkeinXof::<8, 64>::default();
/// hasher.update(b"abc");
/// let mut output = [0; 100];
/// hasher.finalize_xof_into(&mut output);
/// ```
#[derive(Clone, Debug)]
pub struct SkeinXof<const W: usize, const B: usize>(Hasher<W, B>);

impl<const W: usize, const B: usize> Default for SkeinXof<W, B> {
    fn default() -> Self {
        Self(Skein::new(Skein::<W, B>::ENDLESS).hasher())
    }
}

impl<const W: usize, const B: usize> Update for SkeinXof<W, B> {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }
}

impl<const W: usize, const B: usize> Reset for SkeinXof<W, B> {
    fn reset(&mut self) {
        self.0.reset();
    }
}

impl<const W: usize, const B: usize> ExtendableOutput for SkeinXof<W, B> {
    type Reader = Output<W, B>;
    fn finalize_xof(self) -> Output<W, B> {
        self.0.output()
    }
}

impl<const W: usize, const B: usize> ExtendableOutputReset for SkeinXof<W, B> {
    fn finalize_xof_reset(&mut self) -> Output<W, B> {
        let output = self.0.clone().output();
        self.0.reset();
        output
    }
}

impl<const W: usize, const B: usize> XofReader for Output<W, B> {
    fn read(&mut self, buffer: &mut [u8]) {
        self.fill(buffer);
    }
}

impl<const W: usize, const B: usize> HashMarker for SkeinXof<W, B> {}
