//! The AES extension of AArch64, one state.
//!
//! Its instructions XOR with a key *before* the S-box, those of x86 and [`AesRounds`] after the round. A state here is therefore
//! `data ^ key` with the XOR still pending: the next round does it at no cost. In CBC encryption, this takes the XOR with the
//! plaintext and both round keys off the dependency chain.
#![allow(unsafe_code)]
// The intrinsics are inlined nevertheless, once the caller is inlined into a function `compiled` of a set.
#![allow(inline_always_mismatching_target_features)]

use super::memory::{load, put};
use crate::isa::{AesRounds, Endian, Isa, Sink};
use core::arch::aarch64::*;

/// Whether this CPU has the AES extension. Without `std`, this is known only on Linux, Android and Apple's systems.
#[cfg(feature = "std")]
pub(super) fn detected() -> bool {
    std::arch::is_aarch64_feature_detected!("aes")
}

#[cfg(not(feature = "std"))]
pub(super) fn detected() -> bool {
    cpufeatures::new!(cpu, "aes");
    cpu::get()
}

/// Tokens that prove NEON and the AES extension.
///
/// # Safety
/// A value of the type must exist only on a CPU that has them.
pub(super) unsafe trait HasArmAes: Isa {}

/// The AES state `data ^ key`, made with a token of [`HasArmAes`] or from such values.
#[derive(Clone, Copy, Debug)]
pub struct ArmAes {
    data: uint8x16_t,
    key: uint8x16_t,
}

/// A state without a pending XOR. Only called where a token proves NEON.
#[inline(always)]
fn plain(data: uint8x16_t) -> ArmAes {
    // SAFETY: see above.
    ArmAes { data, key: unsafe { vdupq_n_u8(0) } }
}

/// A counter block, as [`AesRounds::counters`].
#[inline(always)]
pub(super) fn counter(template: &[u8; 16], endian: Endian, low: u64) -> uint64x2_t {
    let t = load(template);
    // SAFETY: only called where a token proves NEON.
    unsafe {
        match endian {
            Endian::Big => vsetq_lane_u64::<1>(low.swap_bytes(), t),
            Endian::Little => vsetq_lane_u64::<0>(low, t),
        }
    }
}

impl ArmAes {
    #[inline(always)]
    fn bytes(self) -> uint8x16_t {
        // SAFETY: the value proves NEON.
        unsafe { veorq_u8(self.data, self.key) }
    }
}

impl<S: HasArmAes> AesRounds<S> for ArmAes {
    const N: usize = 1;
    const SLICED: bool = false;

    #[inline(always)]
    fn splat(isa: S, state: &[u8; 16]) -> Self {
        <Self as AesRounds<S>>::load(isa, state)
    }
    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        // SAFETY: the token proves NEON.
        plain(unsafe { vreinterpretq_u8_u64(load(bytes)) })
    }
    #[inline(always)]
    fn store(self, sink: &mut Sink<'_>, at: usize) {
        // SAFETY: the value proves NEON.
        put(sink, at, unsafe { vreinterpretq_u64_u8(self.bytes()) });
    }
    #[inline(always)]
    fn store_one(self, sink: &mut Sink<'_>, at: usize) {
        <Self as AesRounds<S>>::store(self, sink, at);
    }
    #[inline(always)]
    fn counters(_: S, template: &[u8; 16], endian: Endian, low: u64) -> Self {
        // SAFETY: the token proves NEON.
        plain(unsafe { vreinterpretq_u8_u64(counter(template, endian, low)) })
    }
    /// Big-endian counters that differ only in their last byte need one addition each.
    #[inline(always)]
    fn next_counters<const R: usize>(
        _: S,
        template: &[u8; 16],
        endian: Endian,
        low: u64,
        _: &mut Option<Self>,
    ) -> [Self; R] {
        let big = endian == Endian::Big;
        let mut x = [counter(template, endian, low); R];
        // SAFETY: the token proves NEON.
        unsafe {
            let step = if big { [0, 1 << 56] } else { [1, 0] };
            let step = vcombine_u64(vcreate_u64(step[0]), vcreate_u64(step[1]));
            let carries = big && usize::from(low as u8) + R > 256;
            for i in 1..R {
                x[i] = if carries {
                    counter(template, endian, low.wrapping_add(i as u64))
                } else {
                    vaddq_u64(x[i - 1], step)
                };
            }
            x.map(|x| plain(vreinterpretq_u8_u64(x)))
        }
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the values prove NEON.
        Self { data: self.data, key: unsafe { veorq_u8(self.key, other.bytes()) } }
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: the values prove NEON.
        plain(unsafe { vandq_u8(self.bytes(), other.bytes()) })
    }
    /// The XOR is done at once: two registers for each state would be more than there are.
    #[inline(always)]
    fn round(self, key: Self) -> Self {
        // SAFETY: the values prove the AES extension.
        plain(unsafe { veorq_u8(vaesmcq_u8(vaeseq_u8(self.data, self.key)), key.bytes()) })
    }
    #[inline(always)]
    fn enc(self, key: Self) -> Self {
        // SAFETY: the values prove the AES extension.
        let data = unsafe { vaesmcq_u8(vaeseq_u8(self.data, self.key)) };
        Self { data, key: key.bytes() }
    }
    #[inline(always)]
    fn enc_last(self, key: Self) -> Self {
        // SAFETY: the values prove the AES extension.
        Self { data: unsafe { vaeseq_u8(self.data, self.key) }, key: key.bytes() }
    }
    #[inline(always)]
    fn dec(self, key: Self) -> Self {
        // SAFETY: the values prove the AES extension.
        let data = unsafe { vaesimcq_u8(vaesdq_u8(self.data, self.key)) };
        Self { data, key: key.bytes() }
    }
    #[inline(always)]
    fn dec_last(self, key: Self) -> Self {
        // SAFETY: the values prove the AES extension.
        Self { data: unsafe { vaesdq_u8(self.data, self.key) }, key: key.bytes() }
    }
}
