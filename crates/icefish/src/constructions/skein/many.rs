//! Many digests at once: each message has a lane.

use super::lanes::LANES;
use super::strings::{Run, Supply, Text, side_by_side};
use super::ubi::{Kind, first, to_bytes};
use super::{Skein, split_bits};
use crate::isa::erase;
use crate::{Backend, Error};

/// A message with its hash, for [`hash_many`].
///
/// ```
/// use icefish::{Backend, constructions::skein::{Message, Skein512, hash_many}};
/// let (short, long, mut one, mut other) = (Skein512::new(128), Skein512::new(512), [0; 16], [0; 64]);
/// let messages = [Message::new(&short, b"one"), Message::new(&long, b"another")];
/// hash_many(Backend::best(), &messages, &mut [&mut one, &mut other])?;
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Message<'a, const W: usize, const B: usize> {
    /// The hash: its length and its arguments, such as a key of its own.
    pub skein: &'a Skein<W, B>,
    /// The bytes of the message.
    pub bytes: &'a [u8],
    /// The number of bits of the message. A byte begins with its highest bit.
    pub bits: usize,
}

impl<'a, const W: usize, const B: usize> Message<'a, W, B> {
    /// A message of whole bytes.
    pub fn new(skein: &'a Skein<W, B>, bytes: &'a [u8]) -> Self {
        Self { skein, bytes, bits: 8 * bytes.len() }
    }
}

/// Writes the digests of many messages, which may have hashes of their own, for example keys. The messages are side by side in
/// the lanes of the backend, which takes a fraction of the time that they take one by one. Trees are hashed one after the
/// other, each in all lanes.
///
/// ```
/// use icefish::Backend;
/// use icefish::constructions::skein::{Arguments, Message, Skein512, hash_many};
/// let [a, b] = [[1; 32], [2; 32]].map(|key| {
///     Skein512::with(128, &Arguments { key: &key, ..Arguments::default() })
/// });
/// let (mut one, mut two) = ([0; 16], [0; 16]);
/// let messages = [Message::new(&a, b"to the first"), Message::new(&b, b"to the second")];
/// hash_many(Backend::best(), &messages, &mut [&mut one, &mut two])?;
/// b.verify(b"to the second", &two)?;
/// # Ok::<(), icefish::Error>(())
/// ```
///
/// # Errors
/// [`Error::BufferLength`] if the number of digests is not that of the messages, or a digest has not the length of its hash;
/// [`Error::TooShort`] if a message has fewer bits than it says. Nothing was written.
pub fn hash_many<const W: usize, const B: usize>(
    backend: Backend,
    messages: &[Message<'_, W, B>],
    digests: &mut [&mut [u8]],
) -> Result<(), Error> {
    if digests.len() != messages.len() {
        return Err(Error::BufferLength { got: digests.len(), need: messages.len() });
    }
    for (message, digest) in messages.iter().zip(&*digests) {
        message.skein.check(digest)?;
        split_bits(message.bytes, message.bits)?;
    }
    run(backend, Each { messages, digests });
    for (message, digest) in messages.iter().zip(digests) {
        if message.skein.is_tree() {
            message.skein.hash_bits(message.bytes, message.bits, digest)?;
        }
    }
    Ok(())
}

/// [`Skein::hash_many`].
pub(super) fn same<const W: usize, const B: usize>(
    skein: &Skein<W, B>,
    messages: &[&[u8]],
    digests: &mut [u8],
) -> Result<(), Error> {
    let size = skein.digest_len();
    let need = size.saturating_mul(messages.len());
    if digests.len() != need {
        return Err(Error::BufferLength { got: digests.len(), need });
    }
    if skein.is_tree() && size > 0 {
        for (message, digest) in messages.iter().zip(digests.chunks_exact_mut(size)) {
            skein.hash(message, digest)?;
        }
        return Ok(());
    }
    run(skein.backend(), Same { skein, messages, digests });
    Ok(())
}

fn run<'a, const W: usize, const B: usize>(backend: Backend, jobs: impl Jobs<'a, W, B>) {
    let blank = DigestLane { index: 0, block: None, chain: [0; W] };
    let mut work = Digests::<_, W, B> { jobs, next: 0, lanes: [blank; LANES] };
    side_by_side(backend, &mut work);
    for lane in &mut work.lanes {
        erase(&mut lane.chain);
    }
}

/// Messages and where their digests go.
trait Jobs<'a, const W: usize, const B: usize> {
    fn message(&self, index: usize) -> Option<Message<'a, W, B>>;
    fn digest(&mut self, index: usize) -> &mut [u8];
}

struct Each<'a, 'd, 'e, const W: usize, const B: usize> {
    messages: &'a [Message<'a, W, B>],
    digests: &'d mut [&'e mut [u8]],
}

impl<'a, const W: usize, const B: usize> Jobs<'a, W, B> for Each<'a, '_, '_, W, B> {
    fn message(&self, index: usize) -> Option<Message<'a, W, B>> {
        self.messages.get(index).copied()
    }
    fn digest(&mut self, index: usize) -> &mut [u8] {
        self.digests[index]
    }
}

struct Same<'a, 'd, const W: usize, const B: usize> {
    skein: &'a Skein<W, B>,
    messages: &'a [&'a [u8]],
    digests: &'d mut [u8],
}

impl<'a, const W: usize, const B: usize> Jobs<'a, W, B> for Same<'a, '_, W, B> {
    fn message(&self, index: usize) -> Option<Message<'a, W, B>> {
        self.messages.get(index).map(|bytes| Message::new(self.skein, bytes))
    }
    fn digest(&mut self, index: usize) -> &mut [u8] {
        let size = self.skein.digest_len();
        &mut self.digests[size * index..][..size]
    }
}

#[derive(Clone, Copy)]
struct DigestLane<const W: usize> {
    /// The number of the message.
    index: usize,
    /// The number of the block of its digest that is being made; none while the message itself is hashed.
    block: Option<u64>,
    /// What that block is made from.
    chain: [u64; W],
}

struct Digests<J, const W: usize, const B: usize> {
    jobs: J,
    /// The number of the first message that no lane has taken.
    next: usize,
    lanes: [DigestLane<W>; LANES],
}

impl<'a, J: Jobs<'a, W, B>, const W: usize, const B: usize> Supply<'a, W> for Digests<J, W, B> {
    fn next(&mut self, lane: usize) -> Option<Run<'a, W>> {
        loop {
            let message = self.jobs.message(self.next)?;
            self.next += 1;
            // The bits were checked.
            let Ok((bytes, last)) = split_bits(message.bytes, message.bits) else { continue };
            if message.skein.is_tree() {
                continue;
            }
            self.lanes[lane] = DigestLane { index: self.next - 1, block: None, chain: [0; W] };
            let string = match last {
                Some(last) => Text::Bits(bytes, last),
                None => Text::Bytes(bytes),
            };
            let tweak = [0, first(Kind::Message, 0)];
            return Some(Run { chain: message.skein.chain, tweak, string });
        }
    }

    fn take(&mut self, lane: usize, result: &[u64; W]) -> Option<Run<'a, W>> {
        let lane = &mut self.lanes[lane];
        let digest = self.jobs.digest(lane.index);
        let number = match lane.block {
            None => {
                lane.chain = *result;
                0
            }
            Some(number) => {
                let rest = &mut digest[B * number as usize..];
                let len = rest.len().min(B);
                rest[..len].copy_from_slice(&to_bytes::<W, B>(result)[..len]);
                number + 1
            }
        };
        lane.block = Some(number);
        if B * number as usize >= digest.len() {
            if let Some(message) = self.jobs.message(lane.index) {
                message.skein.trim(self.jobs.digest(lane.index));
            }
            return None;
        }
        let tweak = [0, first(Kind::Output, 0)];
        Some(Run { chain: lane.chain, tweak, string: Text::Number(number) })
    }
}
