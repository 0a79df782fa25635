//! A mode as a value.

use crate::Error;
use crate::cipher::{Cipher, Direction, Way};
use crate::isa::{InOut, Isa};
use crate::modes::{
    Cbc, Cfb, Cfb8, Chain, Ctr, DependsOn, Ecb, Granularity, Mode, ModeTask, Ofb, Pcbc,
};
use core::str::FromStr;

/// Any mode. It is matched once per call, not once per block.
///
/// ```
/// use icefish::{Key, ciphers::Aes128, suite::AnyMode};
/// let mode: AnyMode = "ctr".parse()?;
/// Key::<Aes128>::new(&[7; 16])?.encrypt(mode, &[1; 16], &mut [5; 20])?;
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
// An explicit discriminant instead of one in a niche of the fields of `Ctr`: the dispatch of a message by name jumps by it.
#[repr(u8)]
pub enum AnyMode {
    /// Electronic codebook.
    Ecb,
    /// Cipher block chaining.
    Cbc,
    /// Cipher feedback with segments of a block.
    Cfb,
    /// Cipher feedback with segments of a byte.
    Cfb8,
    /// Output feedback.
    Ofb,
    /// Propagating cipher block chaining.
    Pcbc,
    /// Counter mode, with any counter.
    Ctr(Ctr),
}

/// Calls the same function for each of the modes.
macro_rules! each {
    ($mode:expr, $m:ident => $call:expr) => {
        match $mode {
            AnyMode::Ecb => {
                let $m = &Ecb;
                $call
            }
            AnyMode::Cbc => {
                let $m = &Cbc;
                $call
            }
            AnyMode::Cfb => {
                let $m = &Cfb;
                $call
            }
            AnyMode::Cfb8 => {
                let $m = &Cfb8;
                $call
            }
            AnyMode::Ofb => {
                let $m = &Ofb;
                $call
            }
            AnyMode::Pcbc => {
                let $m = &Pcbc;
                $call
            }
            AnyMode::Ctr($m) => $call,
        }
    };
}

impl AnyMode {
    /// All modes, by name.
    pub const ALL: &[(&str, Self)] = &[
        ("ecb", Self::Ecb),
        ("cbc", Self::Cbc),
        ("cfb", Self::Cfb),
        ("cfb8", Self::Cfb8),
        ("ofb", Self::Ofb),
        ("pcbc", Self::Pcbc),
        ("ctr", Self::Ctr(Ctr::BE)),
        ("ctr32", Self::Ctr(Ctr::BE32)),
        ("ctr64", Self::Ctr(Ctr::BE64)),
        ("ctr-le", Self::Ctr(Ctr::LE)),
        ("ctr32-le", Self::Ctr(Ctr::LE32)),
        ("ctr64-le", Self::Ctr(Ctr::LE64)),
    ];

    /// The name: `ecb`, `cbc`, `cfb`, `cfb8`, `ofb`, `pcbc`, `ctr`, `ctr32`, `ctr64`, `ctr-le`, ...
    pub fn name(&self) -> &'static str {
        Self::ALL.iter().find(|(_, mode)| mode == self).map_or("", |(name, _)| name)
    }

    /// [`Mode::run`], inlined: for messages in one call, which may be short.
    #[inline(always)]
    pub(super) fn dispatch<T: ModeTask>(&self, task: T) -> T::Out {
        each!(self, m => task.call(m))
    }
}

impl FromStr for AnyMode {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.iter().find(|(n, _)| *n == name).map(|(_, mode)| *mode).ok_or(Error::UnknownMode)
    }
}

impl Mode for AnyMode {
    /// One function for all calls that a message in pieces makes.
    #[inline(never)]
    fn run<T: ModeTask>(&self, task: T) -> T::Out {
        self.dispatch(task)
    }
    #[inline]
    fn granularity(&self) -> Granularity {
        each!(self, m => m.granularity())
    }
    #[inline]
    fn iv_len(&self, block: usize) -> usize {
        each!(self, m => m.iv_len(block))
    }
    #[inline]
    fn limit(&self, block: usize) -> u128 {
        each!(self, m => m.limit(block))
    }
    #[inline]
    fn feedback(&self) -> bool {
        each!(self, m => m.feedback())
    }
    #[inline]
    fn depends_on(&self, way: Way) -> Option<DependsOn> {
        each!(self, m => m.depends_on(way))
    }
    #[inline]
    fn seekable(&self) -> bool {
        each!(self, m => m.seekable())
    }
    #[inline(always)]
    fn blocks<C: Cipher, D: Direction, S: Isa>(
        &self,
        isa: S,
        cipher: &C,
        chain: Chain<'_, C::Block>,
        io: InOut<'_>,
    ) {
        each!(self, m => m.blocks::<C, D, S>(isa, cipher, chain, io));
    }
    #[inline(always)]
    fn pad<C: Cipher, S: Isa>(&self, isa: S, cipher: &C, chain: Chain<'_, C::Block>) -> C::Block {
        each!(self, m => m.pad::<C, S>(isa, cipher, chain))
    }
}
