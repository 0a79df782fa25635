//! The features of an x86-64 CPU and its operating system, by CPUID and XCR0, and the instruction sets that follow from them.
#![allow(unsafe_code)]

use crate::isa::enabled::same;
use core::arch::x86_64::{__cpuid_count, _xgetbv, CpuidResult};
use core::sync::atomic::{AtomicU32, Ordering};

/// Whether this program may execute CPUID and use vector registers. An enclave of SGX has no CPUID. Freestanding and UEFI code
/// may use vector registers only if it is compiled for them.
const MAY_ASK: bool = cfg!(not(target_env = "sgx"))
    && (cfg!(not(any(target_os = "none", target_os = "uefi"))) || cfg!(target_feature = "avx2"));

/// A word that decides about instruction sets. Leaf 7, subleaf 1 (AVX-IFMA, AVX-VNNI, SHA-512 and others) does not.
#[derive(Clone, Copy)]
enum Word {
    Leaf1Ecx,
    Leaf7Ebx,
    Leaf7Ecx,
    Xcr0,
}

/// Every feature that decides which backends are available: its name, and its bits in a word. The last two are sets of registers
/// that the operating system must save. `ymm` is the XMM registers and the upper halves of the YMM registers. `zmm` is the mask
/// registers, the upper halves of ZMM0 to ZMM15, and ZMM16 to ZMM31.
///
/// Intel SDM, volume 2, CPUID; volume 1, section 13.3, for XCR0.
const FEATURES: [(&str, Word, u32); 23] = [
    ("sse3", Word::Leaf1Ecx, 1),
    ("ssse3", Word::Leaf1Ecx, 1 << 9),
    ("sse4.1", Word::Leaf1Ecx, 1 << 19),
    ("sse4.2", Word::Leaf1Ecx, 1 << 20),
    ("aes", Word::Leaf1Ecx, 1 << 25),
    ("pclmulqdq", Word::Leaf1Ecx, 1 << 1),
    (OSXSAVE, Word::Leaf1Ecx, 1 << 27),
    ("avx", Word::Leaf1Ecx, 1 << 28),
    ("f16c", Word::Leaf1Ecx, 1 << 29),
    ("fma", Word::Leaf1Ecx, 1 << 12),
    ("avx2", Word::Leaf7Ebx, 1 << 5),
    ("bmi1", Word::Leaf7Ebx, 1 << 3),
    ("bmi2", Word::Leaf7Ebx, 1 << 8),
    ("vaes", Word::Leaf7Ecx, 1 << 9),
    ("vpclmulqdq", Word::Leaf7Ecx, 1 << 10),
    ("gfni", Word::Leaf7Ecx, 1 << 8),
    ("avx512f", Word::Leaf7Ebx, 1 << 16),
    ("avx512bw", Word::Leaf7Ebx, 1 << 30),
    ("avx512dq", Word::Leaf7Ebx, 1 << 17),
    ("avx512vl", Word::Leaf7Ebx, 1 << 31),
    ("avx512vbmi", Word::Leaf7Ecx, 1 << 1),
    ("ymm", Word::Xcr0, 0b110),
    ("zmm", Word::Xcr0, 0b1110_0000),
];

const OSXSAVE: &str = "osxsave";

/// Some of [`FEATURES`], a bit for each.
#[derive(Clone, Copy, Debug)]
pub(in crate::isa) struct Features(u32);

impl Features {
    /// Those with these names. In a constant, as tokens use it, a name that is not in the table does not compile; at run time it
    /// panics.
    pub(super) const fn of(names: &[&str]) -> Self {
        Self(0).and(names)
    }

    /// These, and those with these names.
    pub(super) const fn and(self, names: &[&str]) -> Self {
        let (mut all, mut i) = (self.0, 0);
        while i < names.len() {
            all |= 1 << row(names[i]);
            i += 1;
        }
        Self(all)
    }

    /// The features that are in either.
    pub(super) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn contain(self, others: Self) -> bool {
        self.0 & others.0 == others.0
    }

    /// Whether this CPU and its operating system have them. The result is cached.
    #[inline]
    pub(super) fn are_here(self) -> bool {
        let here = match AVAILABLE.load(Ordering::Relaxed) {
            0 => ask_once(),
            here => here,
        };
        Self(here).contain(self)
    }
}

/// The row of the feature with that name.
const fn row(name: &str) -> usize {
    let mut i = 0;
    while i < FEATURES.len() {
        if same(FEATURES[i].0.as_bytes(), name.as_bytes()) {
            return i;
        }
        i += 1;
    }
    panic!("x86/cpuid.rs: FEATURES has no row with this name");
}

/// The available features with [`ASKED`]; 0 before [`ask_once`].
static AVAILABLE: AtomicU32 = AtomicU32::new(0);
/// Set by [`ask_once`]: the word is then not 0, even if there is no feature.
const ASKED: u32 = 1 << 31;

#[cold]
fn ask_once() -> u32 {
    let here = Cpu::ask().features.0 | ASKED;
    AVAILABLE.store(here, Ordering::Relaxed);
    here
}

/// What CPUID and XCR0 say: the vendor, the model, and the features that decide about backends.
///
/// ```
/// # #[cfg(target_arch = "x86_64")] {
/// use icefish::isa::Cpu;
/// let cpu = Cpu::ask();
/// println!("{}, family {}, model {}", cpu.vendor(), cpu.family(), cpu.model());
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Cpu {
    vendor: [u8; 12],
    /// EAX of leaf 1.
    signature: u32,
    features: Features,
}

impl Cpu {
    /// Reads them. In a program that may not use vector registers, or has no CPUID, no feature is set.
    #[must_use]
    pub fn ask() -> Self {
        if !MAY_ASK {
            return Self { vendor: *b"unknown     ", signature: 0, features: Features(0) };
        }
        // SAFETY: only called if OSXSAVE is set, which says that XGETBV and XCR0 exist.
        Self::told_by(__cpuid_count, || unsafe { _xgetbv(0) })
    }

    /// Reads leaves and subleaves by `cpuid`, and XCR0 by `xgetbv`. Leaf 7 is not read if it is above the highest leaf: CPUID
    /// of Intel would return the data of another leaf. XCR0 is not read if OSXSAVE is not set: XGETBV would raise an
    /// exception.
    pub(in crate::isa) fn told_by(
        cpuid: impl Fn(u32, u32) -> CpuidResult,
        xgetbv: impl Fn() -> u64,
    ) -> Self {
        let (leaf0, leaf1) = (cpuid(0, 0), cpuid(1, 0));
        let mut vendor = [0; 12];
        for (part, word) in vendor.chunks_exact_mut(4).zip([leaf0.ebx, leaf0.edx, leaf0.ecx]) {
            part.copy_from_slice(&word.to_le_bytes());
        }
        let (leaf7_ebx, leaf7_ecx) = if leaf0.eax >= 7 {
            let leaf7 = cpuid(7, 0);
            (leaf7.ebx, leaf7.ecx)
        } else {
            (0, 0)
        };
        let xcr0 = if leaf1.ecx & FEATURES[row(OSXSAVE)].2 != 0 { xgetbv() as u32 } else { 0 };
        let mut features = Features(0);
        for (i, (_, word, bits)) in FEATURES.into_iter().enumerate() {
            let word = match word {
                Word::Leaf1Ecx => leaf1.ecx,
                Word::Leaf7Ebx => leaf7_ebx,
                Word::Leaf7Ecx => leaf7_ecx,
                Word::Xcr0 => xcr0,
            };
            features.0 |= u32::from(word & bits == bits) << i;
        }
        Self { vendor, signature: leaf1.eax, features }
    }

    /// Whether this CPU and its operating system have what an instruction set needs.
    pub(in crate::isa) fn has(&self, needs: Features) -> bool {
        self.features.contain(needs)
    }

    /// `GenuineIntel`, `AuthenticAMD` and so on.
    #[must_use]
    pub fn vendor(&self) -> &str {
        core::str::from_utf8(&self.vendor).map_or("unknown", str::trim_end)
    }

    /// The family, as Intel and AMD count it: for example 6 and 26.
    #[must_use]
    pub fn family(&self) -> u32 {
        // The extended family is added for families above 15; it is zero for others.
        (self.signature >> 8 & 15) + (self.signature >> 20 & 255)
    }

    /// The model within the family.
    #[must_use]
    pub fn model(&self) -> u32 {
        let high =
            if matches!(self.signature >> 8 & 15, 6 | 15) { self.signature >> 16 & 15 } else { 0 };
        high << 4 | self.signature >> 4 & 15
    }

    /// The revision of the model.
    #[must_use]
    pub fn stepping(&self) -> u32 {
        self.signature & 15
    }

    /// Every bit of CPUID that decides about backends, and whether it is set. A feature is usable only if the operating system
    /// saves its registers ([`Cpu::registers`]).
    pub fn features(&self) -> impl Iterator<Item = (&'static str, bool)> {
        let has = self.features;
        let features = FEATURES.into_iter().enumerate();
        features.filter_map(move |(i, (name, word, _))| match word {
            Word::Xcr0 => None,
            _ => Some((name, has.0 >> i & 1 != 0)),
        })
    }

    /// The registers that AVX and AVX-512 need, and whether the operating system saves them on a context switch.
    #[must_use]
    pub fn registers(&self) -> [(&'static str, bool); 2] {
        ["ymm", "zmm"].map(|name| (name, self.has(Features::of(&[name]))))
    }
}
