//! Other people's implementations, ready to be timed beside ours.
//!
//! None of them is built unless its feature is on: `peers` has all that need nothing but cargo and a C compiler, and the
//! libraries of the machine, which are not missed where it has none. The exception is `two_vectors`, which is ours: the
//! form that another program has, for comparison.
//!
//! One file per library, each behind its feature, all of them at the same three types: an [`Operation`] says what is
//! computed, a [`Setup`] with what key, and a [`Work`] does it, once per call. [`peers`] lists what this build has.
//!
//! A library that chooses its instructions when it is compiled ([`Dispatch::CompileTime`]) shows its best only in one of
//! three builds: the usual one, `RUSTFLAGS="-C target-cpu=x86-64-v3"` and `-C target-cpu=native`. Which one differs by
//! library and machine (512-bit code made from scalar code is often the slower one), so `run --builds` runs all three, each
//! from its own target directory and as a process of its own, and each row's best counts. Nothing here depends on the
//! flags. Libraries that ask the processor ([`Dispatch::RunTime`]), the compiled C ones among them, need none of that, nor
//! does icefish: the extra builds are without them, which makes them short.

#[cfg(feature = "peer-aegis")]
mod aegis;
#[cfg(feature = "peer-aws-lc")]
mod aws_lc;
#[cfg(feature = "peer-botan")]
mod botan;
#[cfg(feature = "peer-cryptopp")]
mod cryptopp;
#[cfg(feature = "peer-icefast")]
mod icefast;
#[cfg(feature = "peer-ipsec-mb")]
mod ipsec_mb;
#[cfg(feature = "peer-libgcrypt")]
mod libgcrypt;
#[cfg(any(feature = "peer-ipsec-mb", feature = "peer-libgcrypt"))]
mod loaded;
#[cfg(feature = "peer-openssl")]
mod openssl;
pub mod openssl_speed;
mod operation;
#[cfg(feature = "peer-rustcrypto")]
mod rustcrypto;
#[cfg(feature = "peer-rustcrypto")]
mod rustcrypto_skein;
#[cfg(feature = "peer-rustcrypto")]
mod rustcrypto_threefish;
#[cfg(test)]
mod tests;
#[cfg(feature = "peer-threefish-cipher")]
mod threefish_cipher;
#[cfg(target_arch = "x86_64")]
pub(crate) mod two_vectors;
#[cfg(feature = "peer-xoodoo")]
mod xoodoo;
#[cfg(feature = "peer-xoodyak")]
mod xoodyak;
#[cfg(feature = "peer-xoofff")]
mod xoofff;

use crate::limits::Limit;
use crate::paged::{PAGE, paged};

pub use crate::identity::Direction;
pub(crate) use operation::{AEGIS, aegis as aegis_name};
pub use operation::{Lengths, Mode, Operation};

/// What a [`Work`] is made from. [`Operation::lengths`] says how long each part is.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// For XTS, the key of the data and that of the tweak.
    pub key: &'a [u8],
    /// The IV, the nonce, the first counter or the number of the data unit.
    pub iv: &'a [u8],
    /// Threefish's tweak, or the associated data of an AEAD.
    pub tweak: &'a [u8],
}

/// A key, kept as that library's users would keep it.
pub trait Work {
    /// One message, in place; a mode with an IV starts from that of the set-up each time.
    fn run(&mut self, buffer: &mut [u8]);

    /// `times` messages, each the output of the one before. Overridden where a library keeps the state itself, so that
    /// no copy in and out is charged to it.
    fn chain(&mut self, buffer: &mut [u8], times: usize) {
        for _ in 0..times {
            self.run(buffer);
        }
    }

    /// The digest or the authentication tag of the last message; empty where there is none.
    fn tag(&self) -> &[u8] {
        &[]
    }
}

/// An operation without a tag is a closure.
impl<F: FnMut(&mut [u8])> Work for F {
    fn run(&mut self, buffer: &mut [u8]) {
        self(buffer);
    }
}

/// An operation with a tag, which is what the closure returns.
#[allow(dead_code, reason = "not every set of features has one")]
struct Tagged<F, const N: usize> {
    work: F,
    tag: [u8; N],
}

#[allow(dead_code, reason = "the same")]
fn tagged<const N: usize>(work: impl FnMut(&mut [u8]) -> [u8; N] + 'static) -> Box<dyn Work> {
    Box::new(Tagged { work, tag: [0; N] })
}

impl<F: FnMut(&mut [u8]) -> [u8; N], const N: usize> Work for Tagged<F, N> {
    fn run(&mut self, buffer: &mut [u8]) {
        self.tag = (self.work)(buffer);
    }

    fn tag(&self) -> &[u8] {
        &self.tag
    }
}

/// A call of an authenticated mode with tags of `TAG` bytes. Without a ciphertext it seals the buffer in place and writes the tag;
/// with one, it opens that into the buffer.
#[allow(dead_code, reason = "the same")]
pub(crate) trait SealOrOpen<const TAG: usize>:
    FnMut(Option<&[u8]>, &mut [u8], &mut [u8; TAG])
{
}
impl<const TAG: usize, F: FnMut(Option<&[u8]>, &mut [u8], &mut [u8; TAG])> SealOrOpen<TAG> for F {}

/// One direction of such a call. What it opens is zeros, sealed once.
#[allow(dead_code, reason = "the same")]
pub(crate) fn sealing<const TAG: usize>(
    direction: Direction,
    call: impl SealOrOpen<TAG> + 'static,
) -> Box<dyn Work> {
    Box::new(Sealing { direction, call, sealed: Vec::new(), tag: [0; TAG] })
}

#[allow(dead_code, reason = "the same")]
struct Sealing<F, const TAG: usize> {
    direction: Direction,
    call: F,
    /// From the beginning of a page in it on, as the buffer.
    sealed: Vec<u8>,
    tag: [u8; TAG],
}

impl<const TAG: usize, F: SealOrOpen<TAG>> Work for Sealing<F, TAG> {
    fn run(&mut self, buffer: &mut [u8]) {
        if self.direction == Direction::Encrypt {
            return (self.call)(None, buffer, &mut self.tag);
        }
        let len = buffer.len();
        if self.sealed.len() != len + PAGE {
            self.sealed = vec![0; len + PAGE];
            (self.call)(None, paged(&mut self.sealed, len), &mut self.tag);
        }
        (self.call)(Some(paged(&mut self.sealed, len)), buffer, &mut self.tag);
    }

    fn tag(&self) -> &[u8] {
        &self.tag
    }
}

/// When a library chooses its instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dispatch {
    /// By asking the processor: the usual build is its best.
    RunTime,
    /// By the compiler's target: see the note at the top of this module.
    CompileTime,
}

/// A library: what each of these files describes once.
struct Library {
    name: &'static str,
    version: fn(Operation) -> &'static str,
    dispatch: Dispatch,
    threads: bool,
    /// Whether it has no more instructions than this in a process that is held to it.
    holds: fn(&Limit) -> bool,
    /// `None` for an operation that it does not offer. Called only with set-ups that the operation accepts.
    make: Make,
    /// The same for messages of these lengths that lie one after the other, if it has a call for many.
    make_many: Option<MakeMany>,
}

impl Library {
    /// A crate that knows what the compiler was told.
    const CRATE: Self = Self {
        name: "",
        version: |_| "",
        dispatch: Dispatch::CompileTime,
        threads: false,
        holds: Limit::fits_compiler,
        make: |_, _| None,
        make_many: None,
    };

    /// A library that asks the processor, and can be told otherwise.
    #[allow(dead_code, reason = "not every set of features has one")]
    const OF_C: Self = Self { dispatch: Dispatch::RunTime, holds: |_| true, ..Self::CRATE };
}

type Make = fn(Operation, &Setup<'_>) -> Option<Box<dyn Work>>;
type MakeMany = fn(Operation, &Setup<'_>, &[usize]) -> Option<Box<dyn Work>>;

/// One implementation of one operation.
#[derive(Clone, Copy)]
pub struct Peer {
    /// The library's name.
    pub peer: &'static str,
    /// Its version, or the crates and versions that this operation takes.
    pub version: &'static str,
    /// What it computes.
    pub operation: Operation,
    /// Does it need a build for this machine to be at its best?
    pub dispatch: Dispatch,
    /// Does it spread a large buffer over all threads?
    pub threads: bool,
    make: Make,
    make_many: Option<MakeMany>,
}

impl Peer {
    /// `None` if a length is not the one that the operation asks for.
    pub fn make(&self, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
        if !self.operation.accepts(setup) {
            return None;
        }
        (self.make)(self.operation, setup)
    }

    /// Messages of these lengths, one after the other in the buffer: in one call if the library has one, else in a call
    /// for each. `None` as for one message.
    pub fn make_many(&self, setup: &Setup<'_>, lengths: &[usize]) -> Option<Box<dyn Work>> {
        if !self.operation.accepts(setup) {
            return None;
        }
        if let Some(make) = self.make_many {
            return make(self.operation, setup, lengths);
        }
        let work = self.make(setup)?;
        Some(Box::new(Each { work, lengths: lengths.to_vec(), tags: Vec::new() }))
    }
}

/// A call for each of many messages; their tags lie one after the other.
struct Each {
    work: Box<dyn Work>,
    lengths: Vec<usize>,
    tags: Vec<u8>,
}

impl Work for Each {
    fn run(&mut self, buffer: &mut [u8]) {
        self.tags.clear();
        for message in split(buffer, &self.lengths) {
            self.work.run(message);
            self.tags.extend_from_slice(self.work.tag());
        }
    }

    fn tag(&self) -> &[u8] {
        &self.tags
    }
}

const LIBRARIES: &[Library] = &[
    #[cfg(feature = "peer-aegis")]
    aegis::LIBRARY,
    #[cfg(feature = "peer-openssl")]
    openssl::LIBRARY,
    #[cfg(feature = "peer-aws-lc")]
    aws_lc::LIBRARY,
    #[cfg(feature = "peer-rustcrypto")]
    rustcrypto::LIBRARY,
    #[cfg(feature = "peer-rustcrypto")]
    rustcrypto_threefish::LIBRARY,
    #[cfg(feature = "peer-rustcrypto")]
    rustcrypto_skein::LIBRARY,
    #[cfg(feature = "peer-botan")]
    botan::LIBRARY,
    #[cfg(feature = "peer-libgcrypt")]
    libgcrypt::LIBRARY,
    #[cfg(feature = "peer-ipsec-mb")]
    ipsec_mb::LIBRARY,
    #[cfg(feature = "peer-cryptopp")]
    cryptopp::LIBRARY,
    #[cfg(feature = "peer-icefast")]
    icefast::LIBRARY,
    #[cfg(feature = "peer-icefast")]
    icefast::THREADED,
    #[cfg(feature = "peer-threefish-cipher")]
    threefish_cipher::LIBRARY,
    #[cfg(target_arch = "x86_64")]
    two_vectors::LIBRARY,
    #[cfg(feature = "peer-xoodyak")]
    xoodyak::LIBRARY,
    #[cfg(feature = "peer-xoodoo")]
    xoodoo::LIBRARY,
    #[cfg(feature = "peer-xoofff")]
    xoofff::LIBRARY,
];

/// Everything that this build has and that is held to the limit of this process, operation by operation.
pub fn peers() -> Vec<Peer> {
    held_to(Limit::current())
}

/// Everything that this build has, whatever this process is held to: another build may be held to less.
pub fn of_any_build() -> Vec<Peer> {
    held_to(None)
}

fn held_to(limit: Option<Limit>) -> Vec<Peer> {
    let held: Vec<&Library> = LIBRARIES
        .iter()
        .filter(|library| limit.is_none_or(|limit| (library.holds)(&limit)))
        .collect();
    let mut peers = Vec::new();
    for operation in Operation::all() {
        let lengths = operation.lengths();
        // XTS refuses two equal halves, so the bytes count up.
        let bytes: Vec<u8> = (0..lengths.key.max(16)).map(|i| i as u8).collect();
        let sample = Setup {
            key: &bytes[..lengths.key],
            iv: &bytes[..lengths.iv],
            tweak: &bytes[..lengths.tweak.unwrap_or(0)],
        };
        let offering = held.iter().filter(|library| (library.make)(operation, &sample).is_some());
        peers.extend(offering.map(|library| Peer {
            peer: library.name,
            version: (library.version)(operation),
            operation,
            dispatch: library.dispatch,
            threads: library.threads,
            make: library.make,
            make_many: library.make_many,
        }));
    }
    peers
}

/// Libraries that this build could measure, but that take no part, and why.
pub fn missing() -> Vec<String> {
    let (present, limit) = (peers(), Limit::current());
    let absent = LIBRARIES.iter().filter(|library| present.iter().all(|p| p.peer != library.name));
    let why = |library: &Library| match limit {
        Some(limit) if !(library.holds)(&limit) => {
            format!(
                "{}: takes no part here, because nothing holds it to {}",
                library.name, limit.name
            )
        }
        _ => format!("{}: not on this machine", library.name),
    };
    absent.map(why).collect()
}

/// The messages of these lengths that lie one after the other in a buffer.
pub(crate) fn split<'a>(
    mut buffer: &'a mut [u8],
    lengths: &'a [usize],
) -> impl Iterator<Item = &'a mut [u8]> {
    lengths.iter().map(move |&length| {
        let (message, rest) = std::mem::take(&mut buffer).split_at_mut(length);
        buffer = rest;
        message
    })
}
