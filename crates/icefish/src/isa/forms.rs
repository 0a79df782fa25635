//! Which of several forms of a kernel this CPU runs, where the instruction set does not decide. All such choices are here, each
//! with the measurement that it rests on. A CPU that has not been measured gets `ONE_CYCLE`.
//!
//! `icefish-bench forms` measures both alternatives of each choice on the CPU that it runs on.
#![allow(unsafe_code)]

/// The forms for a kind of CPU. All forms of a kernel compute the same result.
#[derive(Clone, Debug)]
pub struct Forms {
    /// Whether one state of Xoodoo is in words of general registers instead of rows of vector registers.
    pub xoodoo_in_words: bool,
    /// Whether a round of one state of Xoodoo in rows of AVX-512 has a shorter dependency chain and more instructions.
    pub xoodoo_short_chain: bool,
    /// The smallest number of states of Xoodoo64 for which a batch is not slower than one state after the other: `[where the
    /// smallest batch has 4 states, where it has 2]`.
    pub xoodoo64_batch: [usize; 2],
    /// Whether one block of Threefish-1024 is in two vectors of AVX-512 instead of general registers: `[encryption, decryption]`.
    /// Chaining modes keep blocks in vectors in any case.
    pub threefish_1024_in_vectors: [bool; 2],
    /// The number of blocks of Threefish-1024 that take as long one after the other as a batch with AVX-512: `[encryption,
    /// decryption]`.
    pub threefish_1024_batch: [usize; 2],
    /// The same with AVX2.
    pub threefish_1024_batch_256: [usize; 2],
    /// The same for Threefish-256 and -512, in both directions.
    pub threefish_batch: usize,
    /// The smallest number of blocks of ICE that are computed in GF(2^8), and not by tables: `[512 bits, 256 bits]`.
    pub ice_fields: [usize; 2],
    /// The smallest number of blocks of ICE that are bit-sliced in 256 or 512 bits, and not computed by tables.
    pub ice_planes: usize,
    /// Whether more than 8 strings of Skein-512 run in two groups of 8 lanes with AVX-512 instead of one.
    pub skein_512_in_two: bool,
    /// The number of registers of four chains that keep the AES unit of AVX-512 busy, for many messages in a serial mode.
    pub aes_chains_512: usize,
    /// Whether a message of 64 to 127 independent blocks takes one batch of sixteen registers with AVX-512, and not batches of eight.
    pub aes_single_batch_512: bool,
    /// The smallest number of counter blocks for which AES makes a table of two rounds with AVX-512
    /// (`ciphers/aes/counting.rs`).
    pub aes_counting_512: usize,
    /// The same where other work is interleaved with the rounds, as in GCM: `[AES-128, longer keys]`.
    pub aes_counting_beside_512: [usize; 2],
}

/// CPUs whose simple vector instructions have a latency of one cycle: Intel's, and AMD's up to Zen 4.
const ONE_CYCLE: Forms = Forms {
    // Intel family 6 model 167, one state after the other: with AVX-512, rows 138 cycles, words 230; with AVX2, rows 222. Cascade
    // Lake: rows are 2 to 3 times as fast.
    xoodoo_in_words: false,
    // The same CPU: the short chain 134 cycles, the long one 122.
    xoodoo_short_chain: false,
    // Intel family 6 model 167. With AVX-512, a batch of 2 takes 59.9 ns, less than one by one. With AVX2, 2 or 3 states take
    // 96.4 or 131.6 ns in a batch, and 84.1 or 122.8 one by one; 4 states are faster in a batch, 119.6. Cascade Lake: a batch of
    // any form takes up to twice as long as one state.
    xoodoo64_batch: [2, 4],
    // Intel family 6 model 167: decryption in vectors 137.7 ns, in general registers 164.2.
    threefish_1024_in_vectors: [true, true],
    // The same CPU: one by one, 2 encryptions take 211 ns and one decryption 138; a batch of 4 takes 343, of 2 or 3 370.
    threefish_1024_batch: [4, 3],
    // The same CPU: one by one, 2 encryptions take 1,242 cycles, and a batch of 4 takes 1,308. Decryption: 1,223 and 1,260.
    threefish_1024_batch_256: [3, 3],
    // The same CPU: two blocks of Threefish-512 take 167 ns one by one, and a batch of 3 takes 175. Two blocks of Threefish-256
    // would be 9 % faster in a batch.
    threefish_batch: 3,
    // Not the fastest on that CPU: there, tables are faster below 20 blocks, and with AVX2 below 142. The documentation claims
    // that ICE is constant-time from these counts on, on every CPU.
    ice_fields: [12, 17],
    ice_planes: 116,
    // AMD family 25 model 17 (Zen 4), 32 messages of 16 KiB: one group 2.93 GB/s, two groups 2.63. A mix of 8 lanes fills the pipes.
    skein_512_in_two: false,
    // Intel family 6 model 167 starts one AES round of 512 bits per cycle, with a latency of three. 32 messages of 16 KiB in CBC:
    // four registers 0.180 cycles per byte, eight 0.193. 1,000 messages of 16 to 1,488 bytes: 0.38 and 0.43.
    aes_chains_512: 4,
    // The same CPU: where each message waits for the one before, a single batch of sixteen has nothing to overlap its end with. CBC
    // decryption of 1 KiB takes 170 cycles with it, and 159 without. Not measured for messages that do not wait.
    aes_single_batch_512: false,
    // As `ZEN_4`, which starts one AES round of 512 bits per cycle, too. Not measured on others.
    aes_counting_512: 3072,
    // Intel family 6 model 167. AES-128-GCM, 16 KiB: sealing takes 3,160 cycles without a table and 3,040 with it, opening 3,270 and
    // 2,900. 8 KiB take as long with it. Not measured on Zen 4.
    aes_counting_beside_512: [1024, 1024],
};

/// AMD family 19h without AVX-512, Zen 3: as [`ONE_CYCLE`], but for what an EPYC measured (family 25 model 1, 2026-11-24).
#[cfg(target_arch = "x86_64")]
const ZEN_3: Forms = Forms {
    // 2 or 3 states take 86.3 or 134.2 ns in a batch, and 114.2 or 162.4 one by one.
    xoodoo64_batch: [2, 2],
    // One by one, 2 encryptions take 1,368 cycles, and a batch of 4 takes 1,048. Decryption: 1,296 and 1,079.
    threefish_1024_batch_256: [2, 2],
    // 96 blocks of ICE at level 1 take 2,714 ns by tables and 2,660 bit-sliced. The documentation claims constant time only from
    // 116 blocks on.
    ice_planes: 96,
    ..ONE_CYCLE
};

/// AMD family 19h with AVX-512, Zen 4: as [`ONE_CYCLE`], but for what an EPYC measured (family 25 model 17, 2026-11-25).
#[cfg(target_arch = "x86_64")]
const ZEN_4: Forms = Forms {
    // One state after the other: the short chain 159 cycles, the long one 185 (2026-11-27).
    xoodoo_short_chain: true,
    // With AVX2, 2 or 3 states take 73.4 or 117.2 ns in a batch, and 103.4 or 144.4 one by one.
    xoodoo64_batch: [2, 2],
    // Encryption takes 160 ns in vectors and 200 in general registers, decryption 204 and 180.
    threefish_1024_in_vectors: [true, false],
    // A batch takes 407 ns, 3 encryptions one by one 446. A batch of decryptions takes 398, 2 one by one 360.
    threefish_1024_batch: [3, 3],
    // With a table, 32 KiB in CTR take 4,680 cycles, 64 KiB 8,900; without one, 5,110 and 10,200. Where data is not aligned to
    // cache lines, 64 KiB take 10,490, and 10,300 without one.
    aes_counting_512: 2048,
    // With 256 bits, 12 blocks of ICE at level 1 take 307 ns by tables and 283 in GF(2^8), 16 blocks 403 and 276; 10 blocks take 283
    // and 296. With 512 bits, fields are faster from 16 blocks on, but the documentation promises constant time from 12.
    ice_fields: [12, 12],
    ..ONE_CYCLE
};

/// CPUs whose simple vector instructions have a latency of two cycles: AMD family 1Ah, Zen 5.
#[cfg(target_arch = "x86_64")]
const TWO_CYCLES: Forms = Forms {
    // One state after the other: words 206 cycles, rows 239 with AVX-512 and 352 with AVX2.
    xoodoo_in_words: true,
    // In rows, the short chain takes 53.2 ns, the long one 55.9 (2026-11-30).
    xoodoo_short_chain: true,
    // A batch takes as long as two or three single states.
    xoodoo64_batch: [3, 4],
    // The latency of a vector operation is 2 cycles, of a permutation up to 5, and of an operation in general registers 1. A mix
    // is a chain of two operations in encryption and three in decryption. Encryption takes 435 cycles in vectors and 600 in
    // general registers, decryption 715 and 550.
    threefish_1024_in_vectors: [true, false],
    // One block takes 480 cycles, a batch 655.
    threefish_1024_batch: [2, 2],
    // With AVX2, 2 encryptions take 1,231 cycles one by one, and 3 take 1,111 in a batch. Decryption: 1,234 and 1,246 (2026-11-30).
    threefish_1024_batch_256: [2, 3],
    threefish_batch: 3,
    // At these numbers of blocks, tables take as long.
    ice_fields: [12, 17],
    ice_planes: 116,
    // 16 blocks take 690 cycles in two groups, and 8 take 434 in one.
    skein_512_in_two: true,
    // Two AES rounds of 512 bits start per cycle, with a latency of four. Calculated, not measured.
    aes_chains_512: 8,
    // 1 KiB in ECB takes 80.0 cycles with sixteen registers and 87.3 with eight; where each message waits for the one before, 89.6 and
    // 86.4 (2026-11-30).
    aes_single_batch_512: true,
    // 8 KiB take 697 cycles without a table, and 16 KiB 1,507 without one and 1,360 with it.
    aes_counting_512: 512,
    // Sealing with AES-128: 16 KiB take 2,421 cycles with a table and 2,341 without one, 32 KiB 4,667 and 4,643, 64 KiB 9,160 and
    // 9,310. With AES-256: 8 KiB 1,450 and 1,388, 16 KiB 2,597 and 2,685 (2026-11-30).
    aes_counting_beside_512: [2048, 1024],
};

/// The forms of this CPU.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn forms() -> &'static Forms {
    // SAFETY: null, or a pointer that `choose` made from a `&'static Forms`.
    unsafe { CHOSEN.load(Ordering::Acquire).as_ref() }.unwrap_or_else(ask_the_cpu)
}

/// The forms of this CPU.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub fn forms() -> &'static Forms {
    &ONE_CYCLE
}

/// Sets the forms of this process, whatever its CPU, to measure them. Results do not change.
#[cfg(target_arch = "x86_64")]
pub fn choose(forms: &'static Forms) {
    CHOSEN.store(core::ptr::from_ref(forms).cast_mut(), Ordering::Release);
}

#[cfg(target_arch = "x86_64")]
use core::sync::atomic::{AtomicPtr, Ordering};

#[cfg(target_arch = "x86_64")]
static CHOSEN: AtomicPtr<Forms> = AtomicPtr::new(core::ptr::null_mut());

#[cfg(target_arch = "x86_64")]
#[cold]
fn ask_the_cpu() -> &'static Forms {
    let cpu = super::Cpu::ask();
    let forms = match (cpu.vendor(), cpu.family()) {
        ("AuthenticAMD", 0x19) if cpu.features().any(|has| has == ("avx512f", true)) => &ZEN_4,
        ("AuthenticAMD", 0x19) => &ZEN_3,
        ("AuthenticAMD", 0x1a) => &TWO_CYCLES,
        _ => &ONE_CYCLE,
    };
    choose(forms);
    forms
}
