//! AEGISMAC (RFC 10032, section 8).

use crate::constructions::aegis::{
    AegisProgress, Begin, End, KeyNonce, STRIP, Saved, Tags, Variant, bits, checked_tag_len,
    finalize, longest,
};
use crate::verdict::{has_len, verify};
use crate::{Backend, Error};
use core::fmt;
use zeroize::ZeroizeOnDrop;

/// Bytes of the tags of four states.
const TAGS: usize = 32 * 4;

/// AEGISMAC-128L (section 8.1). See [`AegisMac`].
///
/// ```
/// use icefish::mac::AegisMac128L;
/// let mac = AegisMac128L::new(&[7; 16], &[0; 16])?;
/// mac.verify(b"a message", &mac.tag(b"a message"))?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub type AegisMac128L = AegisMac<128, 1>;
/// AEGISMAC-128X2 (section 8.3). See [`AegisMac`].
///
/// ```
/// use icefish::mac::AegisMac128X2;
/// let mac = AegisMac128X2::new(&[7; 16], &[0; 16])?;
/// mac.verify(b"a message", &mac.tag(b"a message"))?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub type AegisMac128X2 = AegisMac<128, 2>;
/// AEGISMAC-128X4 (section 8.3). See [`AegisMac`].
///
/// ```
/// use icefish::mac::AegisMac128X4;
/// let mac = AegisMac128X4::new(&[7; 16], &[0; 16])?;
/// mac.verify(b"a message", &mac.tag(b"a message"))?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub type AegisMac128X4 = AegisMac<128, 4>;
/// AEGISMAC-256 (section 8.2). See [`AegisMac`].
///
/// ```
/// use icefish::mac::AegisMac256;
/// let mac = AegisMac256::new(&[7; 32], &[0; 32])?;
/// mac.verify(b"a message", &mac.tag(b"a message"))?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub type AegisMac256 = AegisMac<256, 1>;
/// AEGISMAC-256X2 (section 8.4). See [`AegisMac`].
///
/// ```
/// use icefish::mac::AegisMac256X2;
/// let mac = AegisMac256X2::new(&[7; 32], &[0; 32])?;
/// mac.verify(b"a message", &mac.tag(b"a message"))?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub type AegisMac256X2 = AegisMac<256, 2>;
/// AEGISMAC-256X4 (section 8.4). See [`AegisMac`].
///
/// ```
/// use icefish::mac::AegisMac256X4;
/// let mac = AegisMac256X4::new(&[7; 32], &[0; 32])?;
/// mac.verify(b"a message", &mac.tag(b"a message"))?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub type AegisMac256X4 = AegisMac<256, 4>;

/// A tag of 32 or 16 bytes for data of any length, under a key of `BITS` bits and a nonce of the same length.
///
/// Any number of messages may have tags under one pair of key and nonce: the nonce may as well be zero, if the key is used for
/// nothing else. [`Aegis`](crate::aead::Aegis) must not use that pair. Do not use a tag as a hash or as a key: with the key,
/// data with the same tag can be found.
///
/// The length of tags is a property of the pair: [`AegisMac::verify`] accepts tags of 32 bytes, unless [`AegisMac::set_tag_len`]
/// sets 16. Tags of different lengths are unrelated.
///
/// ```
/// use icefish::mac::AegisMac128X2;
/// let mac = AegisMac128X2::new(&[7; 16], &[0; 16])?;
/// let tag = mac.tag(b"in one piece");
/// let mut message = mac.start();
/// message.update(b"in one ");
/// message.update(b"piece");
/// message.verify(&tag)?;
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct AegisMac<const BITS: usize, const DEGREE: usize> {
    /// The message before its first byte.
    begun: AegisProgress,
    /// Length of the tags that this pair makes and accepts.
    tag_len: usize,
}

impl<const BITS: usize, const DEGREE: usize> AegisMac<BITS, DEGREE> {
    /// A pair of key and nonce on the best backend.
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::IvLength`].
    pub fn new(key: &[u8], nonce: &[u8]) -> Result<Self, Error> {
        Self::on(Backend::best(), key, nonce)
    }

    /// A pair of key and nonce on the given backend.
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::IvLength`].
    pub fn on(backend: Backend, key: &[u8], nonce: &[u8]) -> Result<Self, Error> {
        let variant = Variant::of::<BITS, DEGREE>();
        let begun = AegisProgress::begin(backend, variant, KeyNonce::of(variant, key, nonce)?);
        Ok(Self { begun, tag_len: 32 })
    }

    /// Length in bytes of the tags that this pair accepts. The default is 32.
    pub fn tag_len(&self) -> usize {
        self.tag_len
    }

    /// Makes this pair make and accept only tags of `len` bytes.
    ///
    /// # Errors
    /// [`Error::TagLengths`] if `len` is neither 16 nor 32: nothing is changed.
    pub fn set_tag_len(&mut self, len: usize) -> Result<(), Error> {
        self.tag_len = checked_tag_len(len)?;
        Ok(())
    }

    /// Begins a message in pieces.
    pub fn start(&self) -> AegisMacMessage<'_, BITS, DEGREE> {
        AegisMacMessage { mac: self, progress: self.begun.clone(), len: 0 }
    }

    /// The tag of `data`. If tags have 16 bytes, zeros follow them.
    pub fn tag(&self, data: &[u8]) -> [u8; 32] {
        let mut tag = [0; 32];
        if DEGREE == 1 {
            self.tags(data, None, Tags::Sum(&mut tag));
            return tag;
        }
        if DEGREE == 2 { self.combined::<256, 64>(data) } else { self.combined::<512, TAGS>(data) }
    }

    /// The tag of a variant with several states. The states have at most `ALL` bytes, and their tags have `EACH`.
    #[inline(always)]
    fn combined<const ALL: usize, const EACH: usize>(&self, data: &[u8]) -> [u8; 32] {
        let (mut ended, mut tags) = (Saved::<ALL>::NEW, [0; EACH]);
        self.tags(data, Some(ended.bytes_mut()), Tags::Each(&mut tags));
        self.combine(ended.bytes(), &tags)
    }

    /// The tags of all states, and the states afterwards.
    #[inline(always)]
    fn tags(&self, data: &[u8], ended: Option<&mut [u8]>, tags: Tags<'_>) {
        let (backend, begun) = self.begun.saved();
        if data.len() <= STRIP || data.len() <= longest(backend, DEGREE) {
            let (begin, end) = (Self::first(begun), self.end(data.len() as u64, tags));
            return finalize::<BITS, DEGREE>(backend, begin, ended, data, end);
        }
        let mut progress = self.begun.clone();
        progress.end_with(data, self.end(data.len() as u64, tags));
        if let Some(ended) = ended {
            ended.copy_from_slice(&progress.saved().1[..ended.len()]);
        }
    }

    /// The states at the beginning of `saved`.
    #[inline(always)]
    fn first(saved: &[u8]) -> Begin<'_> {
        Begin::First(&saved[..const { Variant::of::<BITS, DEGREE>().states_len() }])
    }

    /// The end of a message of `len` bytes.
    #[inline(always)]
    fn end<'t>(&self, len: u64, tags: Tags<'t>) -> End<'t> {
        let short = self.tag_len == 16;
        End { lengths: bits(len, self.tag_len as u64), short, tags }
    }

    /// The rest of FinalizeMac (sections 8.3.2 and 8.4.2): the first state absorbs the tags of the others, and in AEGISMAC-128X
    /// its own if tags are short.
    #[inline(always)]
    fn combine<const EACH: usize>(&self, ended: &[u8], tags: &[u8; EACH]) -> [u8; 32] {
        let (len, short) = (self.tag_len, self.tag_len == 16);
        let (own, mut list, mut end) = (short && BITS == 128, [0; EACH], 0);
        for i in usize::from(!own)..DEGREE {
            for half in 0..if short { 1 } else { 2 } {
                let at = 16 * (DEGREE * half + i);
                list[end..end + 16].copy_from_slice(&tags[at..at + 16]);
                end += 16;
            }
        }
        let lengths = [DEGREE as u64, 8 * len as u64];
        let (backend, first) = (self.begun.saved().0, Self::first(ended));
        let mut tag = [0; 32];
        let last = End { lengths, short, tags: Tags::Sum(&mut tag) };
        finalize::<BITS, 1>(backend, first, None, &list[..end], last);
        tag
    }

    /// Compares `tag` with the tag of `data` in constant time.
    ///
    /// # Errors
    /// [`Error::Forged`]; [`Error::TagLength`] if `tag` does not have [`AegisMac::tag_len`] bytes.
    pub fn verify(&self, data: &[u8], tag: &[u8]) -> Result<(), Error> {
        has_len(tag, self.tag_len)?;
        verify(&self.tag(data)[..self.tag_len], tag)
    }
}

impl<const BITS: usize, const DEGREE: usize> ZeroizeOnDrop for AegisMac<BITS, DEGREE> {}

impl<const BITS: usize, const DEGREE: usize> fmt::Debug for AegisMac<BITS, DEGREE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AegisMac").field("tag_len", &self.tag_len).finish_non_exhaustive()
    }
}

/// A message in pieces; see [`AegisMac::start`].
///
/// ```
/// use icefish::mac::AegisMac128L;
/// let mac = AegisMac128L::new(&[7; 16], &[0; 16])?;
/// let mut message = mac.start();
/// message.update(b"in pieces");
/// assert_eq!(message.finish(), mac.tag(b"in pieces"));
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct AegisMacMessage<'k, const BITS: usize, const DEGREE: usize> {
    mac: &'k AegisMac<BITS, DEGREE>,
    progress: AegisProgress,
    /// Bytes so far.
    len: u64,
}

impl<const BITS: usize, const DEGREE: usize> AegisMacMessage<'_, BITS, DEGREE> {
    /// Takes the next bytes of the message.
    pub fn update(&mut self, data: &[u8]) {
        self.len += data.len() as u64;
        self.progress.absorb(data);
    }

    /// The tag. If tags have 16 bytes, zeros follow them.
    pub fn finish(mut self) -> [u8; 32] {
        if DEGREE == 1 {
            let mut tag = [0; 32];
            self.progress.end(self.mac.end(self.len, Tags::Sum(&mut tag)));
            return tag;
        }
        let mut tags = [0; TAGS];
        self.progress.end(self.mac.end(self.len, Tags::Each(&mut tags)));
        self.mac.combine(self.progress.saved().1, &tags)
    }

    /// Compares `tag` with the tag of the message in constant time.
    ///
    /// # Errors
    /// [`Error::Forged`]; [`Error::TagLength`] if `tag` does not have [`AegisMac::tag_len`] bytes.
    pub fn verify(self, tag: &[u8]) -> Result<(), Error> {
        let len = self.mac.tag_len;
        has_len(tag, len)?;
        verify(&self.finish()[..len], tag)
    }
}

impl<const BITS: usize, const DEGREE: usize> ZeroizeOnDrop for AegisMacMessage<'_, BITS, DEGREE> {}

impl<const BITS: usize, const DEGREE: usize> fmt::Debug for AegisMacMessage<'_, BITS, DEGREE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AegisMacMessage").field("len", &self.len).finish_non_exhaustive()
    }
}
