//! A message of a session of SANE in pieces.

use super::pieces::{Opener, Pieces, Revocable, Sealer, SinkOpener, Tagged};
use crate::constructions::xoofff::{ASSOCIATED, CIPHERTEXT, Output, Sane, StringProgress};
use crate::isa::InOut;
use zeroize::ZeroizeOnDrop;

/// The state of a message of [`Sane`] in pieces.
///
/// ```
/// use icefish::aead::{Sane, SanePieces, Sealer};
/// use icefish::constructions::xoofff::Xoofff;
/// let (mut session, _) = Sane::new(&Xoofff::new(&[7; 32])?, &[1; 16]);
/// let mut sealer: Sealer<SanePieces> = session.sealer();
/// sealer.update_in_place(&mut [5; 100])?;
/// let tag = sealer.finish();
/// # let _ = tag;
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct SanePieces<'s> {
    session: &'s mut Sane,
    /// The session after this message, with the part of the message that has been taken.
    next: Sane,
    keystream: Output,
    string: StringProgress,
    has_associated: bool,
    has_data: bool,
    /// Some of it was encrypted, and the session has not moved on.
    unfinished: bool,
}

impl Sane {
    /// The next message, to be sealed in pieces. The session moves on when the sealer finishes. If it is dropped before, but has
    /// encrypted something, the session moves on too, so that no keystream is used twice; the other side never gets that
    /// message, so **it refuses all that follow**, and both need a new session.
    ///
    /// ```
    /// use icefish::constructions::xoofff::{Sane, Xoofff};
    /// let key = Xoofff::new(&[7; 32])?;
    /// let (mut alice, hello) = Sane::new(&key, &[1; 16]);
    /// let mut bob = Sane::accept(&key, &[1; 16], &hello)?;
    /// let mut data = *b"attack at dawn";
    /// let mut sealer = alice.sealer();
    /// sealer.associated(b"to: all")?;
    /// sealer.update_in_place(&mut data[..7])?;
    /// sealer.update_in_place(&mut data[7..])?;
    /// let tag = sealer.finish();
    ///
    /// let mut room = [0; 14];
    /// let mut opener = bob.opener(&mut room);
    /// opener.associated(b"to: all")?;
    /// opener.update(&data[..3])?;
    /// opener.update(&data[3..])?;
    /// assert_eq!(opener.finish(&tag)?, b"attack at dawn");
    /// # Ok::<(), icefish::Error>(())
    /// ```
    pub fn sealer(&mut self) -> Sealer<SanePieces<'_>> {
        Sealer::new(SanePieces::new(self))
    }

    /// The next message, to be opened in pieces into `room`, which has at least its length. Unless its tag is right, the session
    /// is unchanged.
    pub fn opener<'s, 'r>(&'s mut self, room: &'r mut [u8]) -> Opener<'r, SanePieces<'s>> {
        Opener::new(SanePieces::new(self), room)
    }

    /// The next message, to be opened in pieces into a sink that can be revoked. Unless its tag is right and the sink was
    /// kept, the session is unchanged.
    pub fn opener_to<R: Revocable>(&mut self, sink: R) -> SinkOpener<SanePieces<'_>, R> {
        SinkOpener::new(SanePieces::new(self), sink)
    }
}

impl<'s> SanePieces<'s> {
    fn new(session: &'s mut Sane) -> Self {
        let (next, keystream) = (session.clone(), session.keystream());
        let string = StringProgress::NEW;
        Self {
            session,
            next,
            keystream,
            string,
            has_associated: false,
            has_data: false,
            unfinished: false,
        }
    }

    /// Ends the string that has begun.
    fn end(&mut self, kind: u8) {
        let end = self.next.end_of(kind);
        self.string.end(&mut self.next.history, end);
    }

    fn begin_data(&mut self) {
        if !self.has_data && self.has_associated {
            self.end(ASSOCIATED);
        }
        self.has_data = true;
    }
}

impl Pieces for SanePieces<'_> {
    fn max_associated(&self) -> u64 {
        u64::MAX
    }
    fn max_data(&self) -> u64 {
        u64::MAX
    }
    fn tag_len(&self) -> usize {
        Sane::TAG
    }
    fn whole_tag_len(&self) -> usize {
        Sane::TAG
    }
    fn associated(&mut self, bytes: &[u8]) {
        self.has_associated |= !bytes.is_empty();
        self.string.update(&mut self.next.history, bytes);
    }
    fn seal(&mut self, mut io: InOut<'_>) {
        if !io.is_empty() {
            self.begin_data();
            self.unfinished = true;
            self.keystream.run::<true>(io.reborrow());
            self.string.update(&mut self.next.history, io.output());
        }
    }
    fn open(&mut self, io: InOut<'_>) {
        if !io.is_empty() {
            self.begin_data();
            self.string.update(&mut self.next.history, io.input());
            self.keystream.run::<true>(io);
        }
    }
    fn tag(&mut self, tag: &mut [u8]) {
        // A message without data has associated data, if only an empty string.
        self.end(if self.has_data { CIPHERTEXT } else { ASSOCIATED });
        self.next.turn ^= 1;
        tag.copy_from_slice(&self.next.tag());
    }
    fn accepted(&mut self) {
        *self.session = self.next.clone();
        self.unfinished = false;
    }
}

impl Drop for SanePieces<'_> {
    fn drop(&mut self) {
        if self.unfinished {
            self.tag(&mut [0; Sane::TAG]);
            self.accepted();
        }
    }
}

impl Tagged for SanePieces<'_> {
    type Tag = [u8; Sane::TAG];
}

/// The sessions, the keystream and the string erase themselves.
impl ZeroizeOnDrop for SanePieces<'_> {}
