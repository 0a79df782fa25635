//! A run with no more instructions than one of our backends has: `run --as avx2_vaes` measures that backend alone, and holds the
//! peers to the same, so that a recent CPU can stand for an older one.
//!
//! | peer | is held by |
//! |---|---|
//! | OpenSSL, aws-lc | the environment variable `OPENSSL_ia32cap`, which their constructors read: the run starts itself again with it |
//! | libgcrypt | `GCRYCTL_DISABLE_HWF`, before it is initialised |
//! | intel-ipsec-mb | the manager that it is asked for, and flags |
//! | RustCrypto | a build: `aes_backend="soft"` without AES instructions; with them, `cpufeatures` is told that it runs under Miri, where it knows only what the compiler was told |
//! | other crates | the same build; they know only what the compiler was told |
//! | aegis, Crypto++, Botan | nothing: they take part where they have no more instructions by themselves |

#[cfg(feature = "ours")]
use icefish::{Backend, isa::Instructions};
use std::env;
use std::sync::OnceLock;

/// Set in a process that is held.
const VARIABLE: &str = "ICEFISH_BENCH_AS";

/// What a build is held to, if it is.
const BUILT_FOR: Option<&str> = option_env!("ICEFISH_BENCH_AS");

/// The widest vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(usize)]
pub enum Width {
    /// What every x86-64 has: SSE2.
    Usual = 64,
    /// 256 bits: AVX2.
    Avx2 = 256,
    /// 512 bits: AVX-512 F, BW, DQ and VL.
    Avx512 = 512,
}

/// The instructions of one backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The backend's name.
    pub name: &'static str,
    /// Its vectors.
    pub width: Width,
    /// Whether there are AES-NI and PCLMULQDQ.
    pub aes: bool,
    /// Whether there are VAES and VPCLMULQDQ.
    pub vaes: bool,
    /// Whether there is GFNI.
    pub gfni: bool,
}

// Bits of CPUID: of leaf 1 in ECX, of leaf 7 in EBX and in ECX.
const PCLMULQDQ: u32 = 1 << 1;
const SSSE3: u32 = 1 << 9;
const FMA: u32 = 1 << 12;
const SSE4: u32 = 1 << 19 | 1 << 20;
const AES: u32 = 1 << 25;
const AVX: u32 = 1 << 28;
const AVX2: u32 = 1 << 5;
/// F, DQ, IFMA, CD, BW, VL.
const AVX512: u32 = 1 << 16 | 1 << 17 | 1 << 21 | 1 << 28 | 1 << 30 | 1 << 31;
const SHA: u32 = 1 << 29;
/// VBMI, VBMI2, VNNI, BITALG, VPOPCNTDQ.
const MORE_AVX512: u32 = 1 << 1 | 1 << 6 | 1 << 11 | 1 << 12 | 1 << 14;
const GFNI: u32 = 1 << 8;
const VAES: u32 = 1 << 9 | 1 << 10;

/// The instructions of a [`Limit`], in its order.
const INSTRUCTIONS: [&str; 3] = ["aes", "vaes", "gfni"];

impl Width {
    /// Vectors of so many bits.
    fn of(bits: usize) -> Option<Self> {
        [Self::Usual, Self::Avx2, Self::Avx512].into_iter().find(|width| *width as usize == bits)
    }
}

impl Limit {
    /// That of the backend of x86-64 with this name.
    #[cfg(feature = "ours")]
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let name = Backend::NAMES.iter().find(|known| **known == name)?;
        let has = Instructions::of(name).filter(|_| cfg!(target_arch = "x86_64"))?;
        let width = Width::of(has.bits)?;
        Some(Self { name, width, aes: has.aes, vaes: has.wide_aes, gfni: has.gf256 })
    }

    /// None: a build without icefish is held by the process that starts it.
    #[cfg(not(feature = "ours"))]
    #[must_use]
    pub fn by_name(_: &str) -> Option<Self> {
        None
    }

    /// Of this process, if it is held to something.
    #[must_use]
    pub fn current() -> Option<Self> {
        static CURRENT: OnceLock<Option<Limit>> = OnceLock::new();
        *CURRENT.get_or_init(|| Self::parse(env::var(VARIABLE).ok()?.leak()))
    }

    /// What [`Limit::text`] wrote.
    fn parse(text: &'static str) -> Option<Self> {
        let mut words = text.split(' ');
        let (name, width) = (words.next()?, Width::of(words.next()?.parse().ok()?)?);
        let mut has = [false; 3];
        for word in words {
            has[INSTRUCTIONS.iter().position(|name| *name == word)?] = true;
        }
        let [aes, vaes, gfni] = has;
        Some(Self { name, width, aes, vaes, gfni })
    }

    /// The limit for a process that may be a build without icefish, which does not know what a backend has.
    fn text(&self) -> String {
        let mut text = format!("{} {}", self.name, self.width as usize);
        for (name, has) in INSTRUCTIONS.iter().zip([self.aes, self.vaes, self.gfni]) {
            if has {
                text.push(' ');
                text.push_str(name);
            }
        }
        text
    }

    /// Environment variables of a process that is held.
    #[must_use]
    pub fn environment(&self) -> [(&'static str, String); 2] {
        let [leaf1, leaf7] = self.masked();
        [(VARIABLE, self.text()), ("OPENSSL_ia32cap", format!("~{leaf1:#x}:~{leaf7:#x}"))]
    }

    /// What the variable of OpenSSL takes away: of leaf 1 EDX and, above, ECX; of leaf 7 EBX and ECX.
    fn masked(&self) -> [u64; 2] {
        let (mut ecx1, mut ebx7, mut ecx7) = (0, 0, 0);
        if self.width < Width::Avx512 {
            (ebx7, ecx7) = (AVX512, MORE_AVX512);
        }
        if self.width < Width::Avx2 {
            ecx1 |= SSSE3 | SSE4 | FMA | AVX;
            ebx7 |= AVX2 | SHA;
        }
        if !self.aes {
            ecx1 |= AES | PCLMULQDQ;
        }
        if !self.vaes {
            ecx7 |= VAES;
        }
        if !self.gfni {
            ecx7 |= GFNI;
        }
        [u64::from(ecx1) << 32, u64::from(ecx7) << 32 | u64::from(ebx7)]
    }

    /// What libgcrypt has to do without, by its names.
    #[must_use]
    pub fn gcrypt(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        if self.width < Width::Avx512 {
            names.push("intel-avx512");
        }
        if self.width < Width::Avx2 {
            names.extend([
                "intel-avx2",
                "intel-avx",
                "intel-sse4.1",
                "intel-ssse3",
                "intel-shaext",
            ]);
        }
        if !self.aes {
            names.extend(["intel-aesni", "intel-pclmul"]);
        }
        if !self.vaes {
            names.push("intel-vaes-vpclmul");
        }
        if !self.gfni {
            names.push("intel-gfni");
        }
        names
    }

    /// The CPU that crates are compiled for.
    #[must_use]
    pub fn cpu(&self) -> &'static str {
        match self.width {
            Width::Usual => "x86-64",
            Width::Avx2 => "x86-64-v3",
            Width::Avx512 => "x86-64-v4",
        }
    }

    /// Flags of the compiler by which crates are held.
    #[must_use]
    pub fn rustflags(&self) -> String {
        let mut flags = format!("-C target-cpu={}", self.cpu());
        if !self.aes {
            return flags + r#" --cfg aes_backend="soft" --cfg polyval_backend="soft""#;
        }
        let features = [
            (self.aes, ",+aes,+pclmulqdq"),
            (self.vaes, ",+vaes,+vpclmulqdq"),
            (self.gfni, ",+gfni"),
        ];
        let features: String =
            features.iter().filter(|(on, _)| *on).map(|(_, name)| *name).collect();
        flags += " -C target-feature=";
        flags += features.trim_start_matches(',');
        flags + " --cfg miri -A explicit_builtin_cfgs_in_flags"
    }

    /// Variables for the compiler: what is built knows what it was built for.
    #[must_use]
    pub fn build_environment(&self) -> [(&'static str, String); 2] {
        [("RUSTFLAGS", self.rustflags()), (VARIABLE, self.name.to_owned())]
    }

    /// Whether everything is allowed that peers have.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.width == Width::Avx512 && self.gfni
    }

    /// Whether what was compiled knows no more than this: for crates that do not ask the CPU.
    #[must_use]
    pub fn fits_compiler(&self) -> bool {
        let width = match () {
            () if cfg!(target_feature = "avx512f") => Width::Avx512,
            () if cfg!(target_feature = "avx") => Width::Avx2,
            () => Width::Usual,
        };
        width <= self.width
    }

    /// Whether this build was made to be held to this: for crates that ask the CPU.
    #[must_use]
    pub fn fits_build(&self) -> bool {
        self.is_none() || BUILT_FOR == Some(self.name)
    }
}

#[cfg(all(test, feature = "ours"))]
mod tests {
    use super::*;

    /// Intel's manual, volume 2A, "CPUID": features and their bits; of leaf 7, those above 31 are in ECX.
    const LEAF1_ECX: [(&str, u32); 6] =
        [("pclmul", 1), ("ssse3", 9), ("fma", 12), ("sse4.1", 19), ("aes", 25), ("avx", 28)];
    const LEAF7: [(&str, u32); 9] = [
        ("avx2", 5),
        ("avx512f", 16),
        ("avx512dq", 17),
        ("avx512bw", 30),
        ("avx512vl", 31),
        ("avx512vbmi", 33),
        ("gfni", 40),
        ("vaes", 41),
        ("vpclmulqdq", 42),
    ];

    /// What is left of those features.
    fn left(name: &str) -> String {
        let [leaf1, leaf7] = Limit::by_name(name).unwrap().masked();
        let one = LEAF1_ECX.iter().filter(|(_, bit)| leaf1 >> (32 + bit) & 1 == 0);
        let seven = LEAF7.iter().filter(|(_, bit)| leaf7 >> bit & 1 == 0);
        one.chain(seven).map(|(name, _)| *name).collect::<Vec<_>>().join(" ")
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn openssl_has_what_the_backend_has() {
        let avx2 = "ssse3 fma sse4.1 avx avx2";
        assert_eq!(left("scalar"), "");
        assert_eq!(left("avx2_noaes"), avx2);
        assert_eq!(left("avx2"), "pclmul ssse3 fma sse4.1 aes avx avx2");
        assert_eq!(left("avx2_vaes"), "pclmul ssse3 fma sse4.1 aes avx avx2 vaes vpclmulqdq");
        assert_eq!(left("avx2_gfni"), "pclmul ssse3 fma sse4.1 aes avx avx2 gfni vaes vpclmulqdq");
        let avx512 = "avx512f avx512dq avx512bw avx512vl avx512vbmi";
        assert_eq!(left("avx512_noaes"), format!("{avx2} {avx512}"));
        let all = format!("pclmul ssse3 fma sse4.1 aes avx avx2 {avx512}");
        assert_eq!(left("avx512"), all);
        assert_eq!(left("avx512_vaes"), format!("{all} gfni vaes vpclmulqdq"));
        // Nothing of leaf 1's EDX, where SSE2 is.
        for name in Backend::NAMES {
            assert_eq!(Limit::by_name(name).unwrap().masked()[0] as u32, 0, "{name}");
        }
        let [_, (name, value)] = Limit::by_name("avx512").unwrap().environment();
        assert_eq!((name, value.as_str()), ("OPENSSL_ia32cap", "~0x0:~0x70000000000"));
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn builds_have_what_the_backend_has() {
        let flags = |name| Limit::by_name(name).unwrap().rustflags();
        assert_eq!(
            flags("avx2_noaes"),
            r#"-C target-cpu=x86-64-v3 --cfg aes_backend="soft" --cfg polyval_backend="soft""#
        );
        let miri = "--cfg miri -A explicit_builtin_cfgs_in_flags";
        assert_eq!(
            flags("avx2_vaes"),
            format!(
                "-C target-cpu=x86-64-v3 -C target-feature=+aes,+pclmulqdq,+vaes,+vpclmulqdq {miri}"
            )
        );
        assert!(Limit::by_name("avx512_vaes").unwrap().fits_build());
        assert!(!Limit::by_name("avx2").unwrap().fits_build());
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn libgcrypt_has_what_the_backend_has() {
        let names = |name| Limit::by_name(name).unwrap().gcrypt();
        assert_eq!(names("avx512_vaes"), [""; 0]);
        assert_eq!(names("avx2_vaes"), ["intel-avx512", "intel-gfni"]);
        assert_eq!(names("avx2"), ["intel-avx512", "intel-vaes-vpclmul", "intel-gfni"]);
        assert!(names("avx2_noaes").contains(&"intel-aesni"));
    }

    /// Every backend of this architecture can be asked for, and a process is told all of it.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn every_backend_is_a_limit() {
        for name in Backend::NAMES {
            let limit = Limit::by_name(name).unwrap();
            assert_eq!(Limit::parse(limit.text().leak()), Some(limit), "{name}");
        }
        assert_eq!(Limit::by_name("avx2").unwrap().text(), "avx2 256 aes");
        for wrong in ["", "avx2", "avx2 128", "avx2 256 sse9"] {
            assert_eq!(Limit::parse(wrong), None);
        }
        assert_eq!(Limit::by_name("neon"), None);
    }
}
