//! The features of an x86-64 CPU and its operating system, by CPUID and XCR0, and the instruction sets that follow from them.
#![allow(unsafe_code)]

use crate::isa::backend::same;
use core::arch::x86_64::{__cpuid_count, _xgetbv, CpuidResult};
use core::sync::atomic::{AtomicU32, Ordering};

/// Whether this program may use vector registers. Freestanding and UEFI code may only if it is compiled for them. An enclave of SGX
/// has no CPUID.
const MAY_ASK: bool = cfg!(not(target_env = "sgx"))
    && (cfg!(not(any(target_os = "none", target_os = "uefi"))) || cfg!(target_feature = "avx2"));

/// Bits of the words that decide about instruction sets: those that a CPU has, or those that a set needs. No set needs a bit of
/// leaf 7, subleaf 1 (AVX-IFMA, AVX-VNNI, SHA-512 and others).
///
/// Intel SDM, volume 2, CPUID; volume 1, section 13.3, for XCR0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Bits {
    leaf1_ecx: u32,
    leaf7_ebx: u32,
    leaf7_ecx: u32,
    xcr0: u32,
}

const NONE: Bits = Bits { leaf1_ecx: 0, leaf7_ebx: 0, leaf7_ecx: 0, xcr0: 0 };

const fn leaf1_ecx(bit: u32) -> Bits {
    Bits { leaf1_ecx: 1 << bit, ..NONE }
}
const fn leaf7_ebx(bit: u32) -> Bits {
    Bits { leaf7_ebx: 1 << bit, ..NONE }
}
const fn leaf7_ecx(bit: u32) -> Bits {
    Bits { leaf7_ecx: 1 << bit, ..NONE }
}

const SSE3: Bits = leaf1_ecx(0);
const PCLMULQDQ: Bits = leaf1_ecx(1);
const SSSE3: Bits = leaf1_ecx(9);
const FMA: Bits = leaf1_ecx(12);
const SSE4_1: Bits = leaf1_ecx(19);
const SSE4_2: Bits = leaf1_ecx(20);
const AES: Bits = leaf1_ecx(25);
const OSXSAVE: Bits = leaf1_ecx(27);
const AVX: Bits = leaf1_ecx(28);
const F16C: Bits = leaf1_ecx(29);
const BMI1: Bits = leaf7_ebx(3);
const AVX2: Bits = leaf7_ebx(5);
const BMI2: Bits = leaf7_ebx(8);
const AVX512F: Bits = leaf7_ebx(16);
const AVX512DQ: Bits = leaf7_ebx(17);
const AVX512BW: Bits = leaf7_ebx(30);
const AVX512VL: Bits = leaf7_ebx(31);
const AVX512VBMI: Bits = leaf7_ecx(1);
const GFNI: Bits = leaf7_ecx(8);
const VAES: Bits = leaf7_ecx(9);
const VPCLMULQDQ: Bits = leaf7_ecx(10);

/// The operating system saves XMM registers and the upper halves of YMM registers.
const YMM: Bits = Bits { xcr0: 0b110, ..NONE };
/// The operating system saves mask registers, the upper halves of ZMM registers, and registers 16 to 31.
const ZMM: Bits = Bits { xcr0: 0b1110_0000, ..NONE };

const FEATURES: [(&str, Bits); 21] = [
    ("sse3", SSE3),
    ("ssse3", SSSE3),
    ("sse4.1", SSE4_1),
    ("sse4.2", SSE4_2),
    ("aes", AES),
    ("pclmulqdq", PCLMULQDQ),
    ("osxsave", OSXSAVE),
    ("avx", AVX),
    ("f16c", F16C),
    ("fma", FMA),
    ("avx2", AVX2),
    ("bmi1", BMI1),
    ("bmi2", BMI2),
    ("vaes", VAES),
    ("vpclmulqdq", VPCLMULQDQ),
    ("gfni", GFNI),
    ("avx512f", AVX512F),
    ("avx512bw", AVX512BW),
    ("avx512dq", AVX512DQ),
    ("avx512vl", AVX512VL),
    ("avx512vbmi", AVX512VBMI),
];

impl Bits {
    const fn with(self, other: Self) -> Self {
        Self {
            leaf1_ecx: self.leaf1_ecx | other.leaf1_ecx,
            leaf7_ebx: self.leaf7_ebx | other.leaf7_ebx,
            leaf7_ecx: self.leaf7_ecx | other.leaf7_ecx,
            xcr0: self.xcr0 | other.xcr0,
        }
    }

    const fn all(parts: &[Self]) -> Self {
        let (mut all, mut i) = (NONE, 0);
        while i < parts.len() {
            all = all.with(parts[i]);
            i += 1;
        }
        all
    }

    fn contains(self, other: Self) -> bool {
        self.with(other) == self
    }
}

const OF_AVX2_NOAES: Bits =
    Bits::all(&[SSE3, SSSE3, SSE4_1, SSE4_2, OSXSAVE, AVX, AVX2, BMI1, BMI2, YMM]);
const OF_AVX2: Bits = Bits::all(&[OF_AVX2_NOAES, AES, PCLMULQDQ]);
const OF_AVX2_VAES: Bits = Bits::all(&[OF_AVX2, VAES, VPCLMULQDQ]);
const OF_AVX2_GFNI: Bits = Bits::all(&[OF_AVX2_VAES, GFNI]);
const OF_AVX512_NOAES: Bits =
    Bits::all(&[OF_AVX2_NOAES, FMA, F16C, AVX512F, AVX512BW, AVX512DQ, AVX512VL, ZMM]);
const OF_AVX512: Bits = Bits::all(&[OF_AVX512_NOAES, OF_AVX2]);
const OF_AVX512_VAES: Bits = Bits::all(&[OF_AVX512, OF_AVX2_GFNI, AVX512VBMI]);

/// The backends that need a feature, narrowest first, and the features that the code of each may use: those that its function
/// `compiled` enables, those that the compiler assumes with them, and the registers.
const SETS: &[(&str, Bits)] = &[
    ("avx2_noaes", OF_AVX2_NOAES),
    ("avx2", OF_AVX2),
    ("avx2_vaes", OF_AVX2_VAES),
    ("avx2_gfni", OF_AVX2_GFNI),
    ("avx512_noaes", OF_AVX512_NOAES),
    ("avx512", OF_AVX512),
    ("avx512_vaes", OF_AVX512_VAES),
];

/// A row of [`SETS`], as a bit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Set(u32);

impl Set {
    /// The row of the backend with that name. Tokens evaluate it at compile time: without a row, they do not compile.
    pub(super) const fn of(name: &str) -> Self {
        let mut i = 0;
        while i < SETS.len() {
            if same(SETS[i].0, name) {
                return Self(1 << i);
            }
            i += 1;
        }
        panic!("x86/cpuid.rs: SETS has no row with the name of this backend");
    }

    /// Whether this CPU and its operating system have it. The result is cached.
    #[inline]
    pub(super) fn is_here(self) -> bool {
        let sets = match AVAILABLE.load(Ordering::Relaxed) {
            0 => ask_once(),
            sets => sets,
        };
        sets & self.0 != 0
    }
}

/// The bits of the available sets, and [`ASKED`].
static AVAILABLE: AtomicU32 = AtomicU32::new(0);
const ASKED: u32 = 1 << 31;

#[cold]
fn ask_once() -> u32 {
    let sets = Cpu::ask().sets().fold(ASKED, |sets, (bit, _)| sets | bit);
    AVAILABLE.store(sets, Ordering::Relaxed);
    sets
}

/// The words of CPUID and XCR0 that decide about backends.
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
    bits: Bits,
}

impl Cpu {
    /// Reads them. In a program that may not use vector registers, no feature is set.
    #[must_use]
    pub fn ask() -> Self {
        if !MAY_ASK {
            return Self { vendor: *b"unknown     ", signature: 0, bits: NONE };
        }
        // SAFETY: only called if OSXSAVE is set, which says that XGETBV and XCR0 exist.
        Self::told_by(__cpuid_count, || unsafe { _xgetbv(0) })
    }

    /// Reads leaves and subleaves by `cpuid`, and XCR0 by `xgetbv`. A leaf above the highest one returns the data of another leaf,
    /// and XGETBV is only an instruction if OSXSAVE is set: neither is read then.
    pub(in crate::isa) fn told_by(
        cpuid: impl Fn(u32, u32) -> CpuidResult,
        xgetbv: impl Fn() -> u64,
    ) -> Self {
        let (leaf0, leaf1) = (cpuid(0, 0), cpuid(1, 0));
        let mut vendor = [0; 12];
        for (part, word) in vendor.chunks_exact_mut(4).zip([leaf0.ebx, leaf0.edx, leaf0.ecx]) {
            part.copy_from_slice(&word.to_le_bytes());
        }
        let mut bits = Bits { leaf1_ecx: leaf1.ecx, ..NONE };
        if leaf0.eax >= 7 {
            let leaf7 = cpuid(7, 0);
            (bits.leaf7_ebx, bits.leaf7_ecx) = (leaf7.ebx, leaf7.ecx);
        }
        if bits.contains(OSXSAVE) {
            bits.xcr0 = xgetbv() as u32;
        }
        Self { vendor, signature: leaf1.eax, bits }
    }

    /// The available backends that need a feature, narrowest first: each one's bit and its name.
    pub(in crate::isa) fn sets(&self) -> impl Iterator<Item = (u32, &'static str)> {
        let bits = self.bits;
        let rows = SETS.iter().enumerate().filter(move |(_, (_, needs))| bits.contains(*needs));
        rows.map(|(i, (name, _))| (1 << i, *name))
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

    /// Every feature that decides about backends, and whether the CPU has it. A feature is usable only if the operating system
    /// saves its registers.
    pub fn features(&self) -> impl Iterator<Item = (&'static str, bool)> {
        let bits = self.bits;
        FEATURES.into_iter().map(move |(name, feature)| (name, bits.contains(feature)))
    }

    /// The registers that AVX and AVX-512 need, and whether the operating system saves them on a context switch.
    #[must_use]
    pub fn registers(&self) -> [(&'static str, bool); 2] {
        [("ymm", self.bits.contains(YMM)), ("zmm", self.bits.contains(ZMM))]
    }
}
