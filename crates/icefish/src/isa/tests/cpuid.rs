//! The instruction sets that follow from the words of CPUs and operating systems.

use super::super::*;
use core::arch::x86_64::CpuidResult;
use std::collections::BTreeMap;
use std::string::String;
use std::vec::Vec;

/// A CPU, and an operating system that saves the registers of `xcr0` if OSXSAVE is set in `leaf1_ecx`.
#[derive(Clone, Debug)]
struct Row {
    dump: String,
    max_leaf: u32,
    signature: u32,
    leaf1_ecx: u32,
    leaf7_ebx: u32,
    leaf7_ecx: u32,
    xcr0: u32,
}

const OSXSAVE: u32 = 1 << 27;

/// All kinds of CPUs, each under an operating system that saves all registers.
fn table() -> Vec<Row> {
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/cpuid/x86_64.csv");
    let text = std::fs::read_to_string(path).expect("the table of CPUs");
    let row = |line: &str| {
        // The name in front contains commas in some rows.
        let words: Vec<&str> = line.rsplitn(10, ',').collect();
        let word = |i: usize| u32::from_str_radix(words[i], 16).expect("a word in hex");
        let xsave = word(6) >> 26 & 1 == 1;
        Row {
            dump: words[9].split(',').next().expect("a name").into(),
            max_leaf: word(8),
            signature: word(7),
            leaf1_ecx: if xsave { word(6) | OSXSAVE } else { word(6) & !OSXSAVE },
            leaf7_ebx: word(3),
            leaf7_ecx: word(2),
            xcr0: word(0),
        }
    };
    let rows: Vec<Row> = text.lines().skip(1).map(row).collect();
    assert_eq!(rows.len(), 241);
    rows
}

fn bit(word: u32, bit: u32) -> bool {
    word >> bit & 1 == 1
}

impl Row {
    /// The row whose name contains `dump`, which must be unique.
    fn of(dump: &str) -> Self {
        let mut rows: Vec<Row> = table().into_iter().filter(|r| r.dump.contains(dump)).collect();
        assert_eq!(rows.len(), 1, "{dump}");
        rows.remove(0)
    }

    /// This CPU. It panics if a leaf is read that it does not have.
    fn cpu(&self) -> Cpu {
        let cpuid = |leaf: u32, subleaf: u32| {
            assert!(leaf <= self.max_leaf, "{}: there is no leaf {leaf}", self.dump);
            match (leaf, subleaf) {
                (0, 0) => CpuidResult { eax: self.max_leaf, ebx: 0, ecx: 0, edx: 0 },
                (1, 0) => CpuidResult { eax: self.signature, ebx: 0, ecx: self.leaf1_ecx, edx: 0 },
                (7, 0) => CpuidResult { eax: 0, ebx: self.leaf7_ebx, ecx: self.leaf7_ecx, edx: 0 },
                _ => panic!("no backend is chosen by leaf {leaf}, subleaf {subleaf}"),
            }
        };
        let xgetbv = || {
            assert!(bit(self.leaf1_ecx, 27), "{}: there is no XGETBV", self.dump);
            self.xcr0.into()
        };
        Cpu::told_by(cpuid, xgetbv)
    }

    /// The names of the backends whose instruction sets it has.
    fn found(&self) -> Vec<&'static str> {
        let cpu = self.cpu();
        let sets = [
            ("scalar", true),
            ("avx2_noaes", cpu.has(Avx2NoAes::NEEDS)),
            ("avx2", cpu.has(Avx2::NEEDS)),
            ("avx2_vaes", cpu.has(Avx2Vaes::NEEDS)),
            ("avx2_gfni", cpu.has(Avx2Gfni::NEEDS)),
            ("avx512_noaes", cpu.has(Avx512NoAes::NEEDS)),
            ("avx512", cpu.has(Avx512::NEEDS)),
            ("avx512_vaes", cpu.has(Avx512Vaes::NEEDS)),
        ];
        assert!(sets.iter().map(|(name, _)| *name).eq(Backend::NAMES.iter().copied()));
        sets.into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect()
    }

    /// The backends that it must find, by the bits of the manuals (Intel SDM, volume 2, CPUID; AMD APM, volume 3, appendix E).
    fn expected(&self) -> Vec<&'static str> {
        let xcr0 = if bit(self.leaf1_ecx, 27) { self.xcr0 } else { 0 };
        let keeps = |bits: &[u32]| bits.iter().all(|&i| bit(xcr0, i));
        let has = |word: u32, bits: &[u32]| bits.iter().all(|&i| bit(word, i));
        // AVX; AVX2, BMI1 and BMI2; SSE and AVX state.
        let avx2 = has(self.leaf1_ecx, &[28]) && has(self.leaf7_ebx, &[5, 3, 8]) && keeps(&[1, 2]);
        // AVX512F, DQ, BW and VL; opmask, ZMM_Hi256 and Hi16_ZMM state.
        let avx512 = avx2 && has(self.leaf7_ebx, &[16, 17, 30, 31]) && keeps(&[5, 6, 7]);
        // AES and PCLMULQDQ.
        let aes = has(self.leaf1_ecx, &[25, 1]);
        // VAES and VPCLMULQDQ; GFNI; VBMI.
        let vaes = aes && has(self.leaf7_ecx, &[9, 10]);
        let gfni = vaes && has(self.leaf7_ecx, &[8]);
        let whole = gfni && has(self.leaf7_ecx, &[1]);
        let rules = [
            ("scalar", true),
            ("avx2_noaes", avx2),
            ("avx2", avx2 && aes),
            ("avx2_vaes", avx2 && vaes),
            ("avx2_gfni", avx2 && gfni),
            ("avx512_noaes", avx512),
            ("avx512", avx512 && aes),
            ("avx512_vaes", avx512 && whole),
        ];
        rules.into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect()
    }
}

#[test]
fn every_kind_of_cpu_has_the_backends_of_its_features() {
    let mut best = BTreeMap::new();
    for row in table() {
        assert_eq!(row.found(), row.expected(), "{row:x?}");
        *best.entry(*row.found().last().unwrap()).or_insert(0) += 1;
    }
    // Counted in the table by other means than this code.
    let counts = [
        ("avx2", 61),
        ("avx2_noaes", 3),
        ("avx2_gfni", 27),
        ("avx2_vaes", 8),
        ("avx512", 7),
        ("avx512_vaes", 33),
        ("scalar", 102),
    ];
    assert_eq!(best, BTreeMap::from(counts));
}

/// What is known about these CPUs from other sources than their bits.
#[test]
fn well_known_cpus_have_the_backend_of_their_generation() {
    for (dump, best) in [
        ("K17_Matisse_01", "avx2"),
        ("K19_Milan_02", "avx2_vaes"),
        ("K19_Vermeer2", "avx2_vaes"),
        ("K19_Genoa_01", "avx512_vaes"),
        ("K20_GraniteRidge_02", "avx512_vaes"),
        ("0050654_SkylakeX_", "avx512"),
        ("0060663_CannonLake", "avx512"),
        ("0050671_KnightsLanding", "avx2"),
        ("00706E5_IceLakeY", "avx512_vaes"),
        ("00806F8_SapphireRapids", "avx512_vaes"),
        ("AlderLake_01_BC_AVX512", "avx512_vaes"),
        ("AlderLake_01_LC_BC", "avx2_gfni"),
        ("00C0652_ArrowLakeH", "avx2_gfni"),
        ("00B06D1_LunarLake", "avx2_gfni"),
        ("00906C0_JasperLake", "scalar"),
        ("00306F2_HaswellEP_C", "avx2_noaes"),
    ] {
        assert_eq!(Row::of(dump).found().last(), Some(&best), "{dump}");
    }
}

#[test]
fn without_osxsave_there_are_no_vectors() {
    for mut row in table() {
        row.leaf1_ecx &= !OSXSAVE;
        assert_eq!(row.found(), ["scalar"], "{row:x?}");
    }
}

/// A hypervisor or a kernel that reports the features of AVX-512 and does not save its registers.
#[test]
fn registers_that_are_not_kept_are_not_used() {
    let mut row = Row::of("00806F8_SapphireRapids");
    // The upper halves of registers 0 to 15 alone are not enough, and neither is any other part.
    for part in [0, 0x20, 0x40, 0x80, 0x60, 0xa0, 0xc0] {
        row.xcr0 = 7 | part;
        let narrow = ["scalar", "avx2_noaes", "avx2", "avx2_vaes", "avx2_gfni"];
        assert_eq!(row.found(), narrow, "{part:x}");
    }
    for xcr0 in [0, 1, 3, 5, 0xe1, 0xe3, 0xe5] {
        row.xcr0 = xcr0;
        assert_eq!(row.found(), ["scalar"], "{xcr0:x}");
    }
}

#[test]
fn features_that_are_hidden_cost_the_backends_that_need_them() {
    let rapids = Row::of("00806F8_SapphireRapids");
    let without = |leaf1_ecx: &[u32], leaf7_ebx: &[u32], leaf7_ecx: &[u32]| {
        let mut row = rapids.clone();
        let clear = |word: &mut u32, bits: &[u32]| bits.iter().for_each(|i| *word &= !(1 << i));
        clear(&mut row.leaf1_ecx, leaf1_ecx);
        clear(&mut row.leaf7_ebx, leaf7_ebx);
        clear(&mut row.leaf7_ecx, leaf7_ecx);
        row.found().join(" ")
    };
    let [aes, pclmulqdq, vbmi, gfni] = [25, 1, 1, 8];
    assert_eq!(without(&[aes], &[], &[]), "scalar avx2_noaes avx512_noaes");
    assert_eq!(without(&[pclmulqdq], &[], &[]), "scalar avx2_noaes avx512_noaes");
    let without_vbmi = "scalar avx2_noaes avx2 avx2_vaes avx2_gfni avx512_noaes avx512";
    assert_eq!(without(&[], &[], &[vbmi]), without_vbmi);
    let without_gfni = "scalar avx2_noaes avx2 avx2_vaes avx512_noaes avx512";
    assert_eq!(without(&[], &[], &[gfni]), without_gfni);
    // VAES and VPCLMULQDQ.
    for part in [9, 10] {
        let found = without(&[], &[], &[part]);
        assert_eq!(found, "scalar avx2_noaes avx2 avx512_noaes avx512", "{part}");
    }
    let without_avx512 = "scalar avx2_noaes avx2 avx2_vaes avx2_gfni";
    for part in [16, 17, 30, 31] {
        assert_eq!(without(&[], &[part], &[]), without_avx512, "{part}");
    }
    // The features that the compiler assumes with AVX2 and with AVX-512.
    for part in [0, 9, 19, 20, 28] {
        assert_eq!(without(&[part], &[], &[]), "scalar", "{part}");
    }
    for part in [12, 29] {
        assert_eq!(without(&[part], &[], &[]), without_avx512, "{part}");
    }
    for part in [3, 5, 8] {
        assert_eq!(without(&[], &[part], &[]), "scalar", "{part}");
    }
}

#[test]
fn families_and_models_are_those_of_the_manuals() {
    for (dump, family, model, stepping) in [
        ("0000F4A_K8_Clawhammer", 15, 4, 10),
        ("K19_Milan_02", 25, 1, 1),
        ("K20_GraniteRidge_02", 26, 0x44, 0),
        ("0050654_SkylakeX_", 6, 85, 4),
        ("00C0652_ArrowLakeH", 6, 0xc5, 2),
    ] {
        let cpu = Row::of(dump).cpu();
        assert_eq!((cpu.family(), cpu.model(), cpu.stepping()), (family, model, stepping));
    }
}

/// The standard library detects features by its own code.
#[test]
fn tokens_of_this_cpu_are_those_that_the_standard_library_would_give() {
    use std::arch::is_x86_feature_detected as has;
    let avx2 = has!("avx2") && has!("bmi1") && has!("bmi2");
    let aes = has!("aes") && has!("pclmulqdq");
    let avx512 =
        has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl") && avx2;
    let vaes = aes && has!("vaes") && has!("vpclmulqdq");
    let gfni = vaes && has!("gfni");
    let rules = [
        ("scalar", true),
        ("avx2_noaes", avx2),
        ("avx2", avx2 && aes),
        ("avx2_vaes", avx2 && vaes),
        ("avx2_gfni", avx2 && gfni),
        ("avx512_noaes", avx512),
        ("avx512", avx512 && aes),
        ("avx512_vaes", avx512 && gfni && has!("avx512vbmi")),
    ];
    let there = rules.into_iter().filter(|(_, there)| *there).map(|(name, _)| name);
    assert!(there.eq(Backend::available().map(Backend::name)));
}

/// An emulated CPU must not have registers that the real one lacks. `ICEFISH_EXPECT_CPU` names its row of the table.
#[test]
fn registers_of_an_emulated_cpu_are_those_of_the_real_one() {
    if let Ok(dump) = std::env::var("ICEFISH_EXPECT_CPU") {
        assert_eq!(Cpu::ask().registers(), Row::of(&dump).cpu().registers(), "{dump}");
    }
}
