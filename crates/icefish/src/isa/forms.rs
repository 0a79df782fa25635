//! Which of several forms of a kernel this CPU runs, where its instruction set does not decide: all such choices, each with
//! the measurement that it rests on. A CPU that nobody measured has the forms of [`ONE_CYCLE`].

/// The forms for a kind of CPU.
#[derive(Debug)]
pub(crate) struct Forms {
    /// Whether one state of Xoodoo is in words of general registers, not in rows of vector registers.
    pub(crate) xoodoo_in_words: bool,
    /// How many states of Xoodoo64, one after the other, take as long as the smallest batch: `[of 4 lanes or more, of 2]`.
    pub(crate) xoodoo64_batch: [usize; 2],
    /// How many blocks of Threefish-1024, encrypted one after the other in two AVX-512 vectors, take as long as a batch.
    pub(crate) threefish_1024_batch: usize,
    /// How many registers of four chains keep the AES unit of AVX-512 busy: many messages in a serial mode.
    pub(crate) aes_chains_512: usize,
}

/// CPUs whose simple vector instructions take one cycle: Intel's, and AMD's up to Zen 4.
const ONE_CYCLE: Forms = Forms {
    // Intel family 6 model 167 with AVX-512 and VAES, one state after the other: rows 38.1 ns, words (portable code) 84.4.
    // Cascade Lake: rows 2 to 3 times as fast.
    xoodoo_in_words: false,
    // Cascade Lake: a batch of any form takes up to twice as long as one state alone.
    xoodoo64_batch: [2, 2],
    // Intel family 6 model 167: one block 408 cycles, a batch of 2 to 4 blocks 1,255 to 1,296.
    threefish_1024_batch: 4,
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
    // One block 480 cycles, a batch 655.
    threefish_1024_batch: 2,
    // Two such AES rounds start each cycle and end four later. By count, not measured.
    aes_chains_512: 8,
};

/// Those of this CPU.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn forms() -> &'static Forms {
    match KIND.load(Ordering::Relaxed) {
        UNKNOWN => ask_the_cpu(),
        ONE => &ONE_CYCLE,
        _ => &TWO_CYCLES,
    }
}

/// Those of this CPU.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn forms() -> &'static Forms {
    &ONE_CYCLE
}

#[cfg(target_arch = "x86_64")]
use core::sync::atomic::{AtomicU8, Ordering};

#[cfg(target_arch = "x86_64")]
static KIND: AtomicU8 = AtomicU8::new(UNKNOWN);
#[cfg(target_arch = "x86_64")]
const UNKNOWN: u8 = 0;
#[cfg(target_arch = "x86_64")]
const ONE: u8 = 1;
#[cfg(target_arch = "x86_64")]
const TWO: u8 = 2;

#[cfg(target_arch = "x86_64")]
#[cold]
fn ask_the_cpu() -> &'static Forms {
    let cpu = super::Cpu::ask();
    let two = cpu.vendor() == "AuthenticAMD" && cpu.family() == 0x1a;
    KIND.store(if two { TWO } else { ONE }, Ordering::Relaxed);
    if two { &TWO_CYCLES } else { &ONE_CYCLE }
}
