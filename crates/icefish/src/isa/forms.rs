//! Which of several forms of a kernel this CPU runs, where its instruction set does not decide: all such choices, each with
//! the measurement that it rests on. A CPU that nobody measured has those of `ONE_CYCLE`.
//!
//! `icefish-bench forms` measures both sides of each choice on the CPU that it runs on.
#![allow(unsafe_code)]

/// The forms for a kind of CPU. All forms of a kernel compute the same.
#[derive(Clone, Debug)]
pub struct Forms {
    /// Whether one state of Xoodoo is in words of general registers, not in rows of vector registers.
    pub xoodoo_in_words: bool,
    /// How many states of Xoodoo64, one after the other, take as long as the smallest batch: `[of 4 lanes or more, of 2]`.
    pub xoodoo64_batch: [usize; 2],
    /// Whether one block of Threefish-1024 alone is in two vectors of AVX-512, not in general registers: `[encryption,
    /// decryption]`. Modes that chain blocks keep them in vectors all the same.
    pub threefish_1024_in_vectors: [bool; 2],
    /// How many blocks of Threefish-1024, one after the other, take as long as a batch with AVX-512: `[encryption, decryption]`.
    pub threefish_1024_batch: [usize; 2],
    /// The same of Threefish-256 and -512, both ways.
    pub threefish_batch: usize,
    /// From how many blocks on ICE in GF(2^8) is faster than by tables: `[512 bits, 256 bits]`.
    pub ice_fields: [usize; 2],
    /// From how many blocks on ICE bit-sliced in 256 or 512 bits is faster than by tables.
    pub ice_planes: usize,
    /// How many registers of four chains keep the AES unit of AVX-512 busy: many messages in a serial mode.
    pub aes_chains_512: usize,
}

/// CPUs whose simple vector instructions take one cycle: Intel's, and AMD's up to Zen 4.
const ONE_CYCLE: Forms = Forms {
    // Intel family 6 model 167, one state after the other: with AVX-512 rows 138 cycles, words 230; with AVX2 rows 222.
    // Cascade Lake: rows 2 to 3 times as fast.
    xoodoo_in_words: false,
    // Intel family 6 model 167: with AVX-512 a batch of 2 takes 59.9 ns, which is less than one by one; with AVX2 a batch of 2 or
    // 3 takes 96.4 or 131.6 ns, and one by one 84.1 or 122.8; of 4 a batch is faster, 119.6. Cascade Lake: a batch of any form takes up to twice as
    // long as one state alone.
    xoodoo64_batch: [2, 4],
    // Intel family 6 model 167: decryption in vectors 137.7 ns, in general registers 164.2.
    threefish_1024_in_vectors: [true, true],
    // The same: 2 blocks one by one take 211 ns of encryption, and one 138 of decryption; a batch of 4 343, one of 2 or 3 370.
    threefish_1024_batch: [4, 3],
    // The same: two blocks of Threefish-512, one by one, 167 ns, and a batch of 3 175. Two of Threefish-256 would be 9 % faster
    // in a batch.
    threefish_batch: 3,
    // Not the fastest of the same, where tables are faster below 20 blocks, and with AVX2 below 142: from these counts on
    // ICE is said to take the same time whatever the data, on every CPU.
    ice_fields: [12, 17],
    ice_planes: 116,
    // Intel family 6 model 167 starts one such AES round a cycle and ends it three later. 32 messages of 16 KiB in CBC: four
    // registers 0.180 cycles a byte, eight 0.193; 1,000 messages of 16 to 1,488 bytes 0.38 and 0.43.
    aes_chains_512: 4,
};

/// CPUs whose simple vector instructions take two cycles before the next can have the result: AMD family 1Ah, Zen 5.
#[cfg(target_arch = "x86_64")]
const TWO_CYCLES: Forms = Forms {
    // One state after the other: words 206 cycles, rows 239 with AVX-512 and 352 with AVX2.
    xoodoo_in_words: true,
    // A batch takes as long as two or three states alone.
    xoodoo64_batch: [3, 4],
    // A vector operation takes 2 cycles, a permutation up to 5 and an operation in general registers 1. Encryption is a
    // chain of two operations a mix, decryption of three: 435 cycles in vectors and 600 without, and 715 and 550.
    threefish_1024_in_vectors: [true, false],
    // One block 480 cycles, a batch 655.
    threefish_1024_batch: [2, 2],
    threefish_batch: 3,
    // As many by tables take as long.
    ice_fields: [12, 17],
    ice_planes: 116,
    // Two such AES rounds start each cycle and end four later. By count, not measured.
    aes_chains_512: 8,
};

/// Those of this CPU.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn forms() -> &'static Forms {
    // SAFETY: null, or what `choose` took a `&'static Forms` for.
    unsafe { CHOSEN.load(Ordering::Acquire).as_ref() }.unwrap_or_else(ask_the_cpu)
}

/// Those of this CPU.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub fn forms() -> &'static Forms {
    &ONE_CYCLE
}

/// Makes these the forms of this process, whatever its CPU, to measure them. What is computed stays the same.
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
    let two = cpu.vendor() == "AuthenticAMD" && cpu.family() == 0x1a;
    let forms = if two { &TWO_CYCLES } else { &ONE_CYCLE };
    choose(forms);
    forms
}
