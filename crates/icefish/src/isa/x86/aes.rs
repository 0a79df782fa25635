//! AES-NI, one state: for all x86-64 instruction sets with AES instructions.
#![allow(unsafe_code)]

use super::order::{after, in_order};
use crate::isa::{AesRounds, Endian, Isa, Left, Sink};
use core::arch::asm;
use core::arch::x86_64::*;

/// Tokens that prove AES-NI and SSE4.1.
///
/// # Safety
/// A value of the type must exist only on a CPU that has them.
pub(super) unsafe trait HasAesNi: Isa {
    /// Whether [`AesRounds::after`] has an effect, by a barrier on AVX-512 registers. The token must then prove AVX-512, too.
    const EVEX: bool = false;
}

/// One AES state in an XMM register, made with a token of [`HasAesNi`] or from such values.
#[derive(Clone, Copy, Debug)]
pub struct AesNi(__m128i);

impl<S: HasAesNi> AesRounds<S> for AesNi {
    const N: usize = 1;
    const SLICED: bool = false;
    const LONG: usize = 11;

    #[inline(always)]
    fn splat(_: S, state: &[u8; 16]) -> Self {
        // SAFETY: 16 readable bytes.
        Self(unsafe { _mm_loadu_si128(state.as_ptr().cast()) })
    }
    #[inline(always)]
    fn splat_column(_: S, column: u32) -> Self {
        // SAFETY: the token proves AES-NI.
        Self(unsafe { _mm_set1_epi32(column as i32) })
    }
    #[inline(always)]
    fn column(self) -> u32 {
        // SAFETY: the value proves AES-NI.
        unsafe { _mm_cvtsi128_si32(self.0) as u32 }
    }
    #[inline(always)]
    fn expand(_: S, before: &[u8; 16], last: &[u8; 16], at: usize, left: Left) -> [u8; 16] {
        let first = 4 * at as i32;
        let order = match left {
            Left::Rotated(_) => [first + 1, first + 2, first + 3, first],
            Left::Substituted | Left::Itself => [first, first + 1, first + 2, first + 3],
        };
        let order = order[0] | order[1] << 8 | order[2] << 16 | order[3] << 24;
        let mut next = [0; 16];
        // SAFETY: the token proves AES-NI; 16 readable, or writable, bytes each.
        unsafe {
            let last = _mm_loadu_si128(last.as_ptr().cast());
            let word = _mm_shuffle_epi8(last, _mm_set1_epi32(order));
            let left = match left {
                Left::Rotated(rcon) => _mm_aesenclast_si128(word, _mm_set1_epi32(i32::from(rcon))),
                Left::Substituted => _mm_aesenclast_si128(word, _mm_setzero_si128()),
                Left::Itself => word,
            };
            // Each word is XORed with all words to its left: with the one before, then with the pair before.
            let x = _mm_loadu_si128(before.as_ptr().cast());
            let x = _mm_xor_si128(x, _mm_slli_si128::<4>(x));
            let x = _mm_xor_si128(_mm_xor_si128(x, _mm_slli_si128::<8>(x)), left);
            _mm_storeu_si128(next.as_mut_ptr().cast(), x);
        }
        next
    }
    #[inline(always)]
    fn inv_mix_columns(_: S, state: &[u8; 16]) -> [u8; 16] {
        let mut out = [0; 16];
        // SAFETY: the token proves AES-NI; 16 readable, or writable, bytes each.
        unsafe {
            let x = _mm_aesimc_si128(_mm_loadu_si128(state.as_ptr().cast()));
            _mm_storeu_si128(out.as_mut_ptr().cast(), x);
        }
        out
    }
    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        let state = &bytes[..16];
        // SAFETY: 16 readable bytes.
        Self(unsafe { _mm_loadu_si128(state.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, sink: &mut Sink<'_>, at: usize) {
        put(sink, at, self.0);
    }
    #[inline(always)]
    fn end<const ENCRYPT: bool>(self, key: Self, sink: &mut Sink<'_>, at: usize) {
        let key = Self(masked(sink, at, key.0));
        let x = if ENCRYPT {
            AesRounds::<S>::enc_last(self, key)
        } else {
            AesRounds::<S>::dec_last(self, key)
        };
        put_masked(sink, at, x.0);
    }
    #[inline(always)]
    fn store_one(self, sink: &mut Sink<'_>, at: usize) {
        <Self as AesRounds<S>>::store(self, sink, at);
    }
    #[inline(always)]
    fn counters(_: S, template: &[u8; 16], endian: Endian, low: u64) -> Self {
        Self(counter(template, endian, low))
    }
    #[inline(always)]
    fn next_counters<const R: usize>(
        _: S,
        template: &[u8; 16],
        endian: Endian,
        low: u64,
        next: &mut Option<Self>,
    ) -> [Self; R] {
        // `map` is a call, at times: of an option, and of a long array.
        let mut row = None;
        if let Some(next) = next {
            row = Some(next.0);
        }
        let rows = counters::<R>(template, endian, low, &mut row);
        *next = None;
        if let Some(row) = row {
            *next = Some(Self(row));
        }
        let mut x = [Self(rows[0]); R];
        for i in 0..R {
            x[i] = Self(rows[i]);
        }
        x
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the values prove AES-NI.
        Self(unsafe { _mm_xor_si128(self.0, other.0) })
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: the values prove AES-NI.
        Self(unsafe { _mm_and_si128(self.0, other.0) })
    }
    #[inline(always)]
    fn in_order(self) -> Self {
        Self(in_order(self.0))
    }
    const ORDERS: bool = S::EVEX;
    #[inline(always)]
    fn after<const R: usize>(self, first: &[Self; R]) -> Self {
        if !S::EVEX {
            return self;
        }
        // SAFETY: the token proves AVX-512. Neither a cast nor the barrier is an instruction.
        unsafe {
            let mut x = _mm512_castsi128_si512(self.0);
            for four in first.as_chunks::<4>().0 {
                x = after(x, four.map(|y| _mm512_castsi128_si512(y.0)));
            }
            Self(_mm512_castsi512_si128(x))
        }
    }
    #[inline(always)]
    fn enc(self, key: Self) -> Self {
        // SAFETY: the values prove AES-NI.
        Self(unsafe { _mm_aesenc_si128(self.0, key.0) })
    }
    #[inline(always)]
    fn enc_last(self, key: Self) -> Self {
        // SAFETY: the values prove AES-NI.
        Self(unsafe { _mm_aesenclast_si128(self.0, key.0) })
    }
    #[inline(always)]
    fn dec(self, key: Self) -> Self {
        // SAFETY: the values prove AES-NI.
        Self(unsafe { _mm_aesdec_si128(self.0, key.0) })
    }
    #[inline(always)]
    fn dec_last(self, key: Self) -> Self {
        // SAFETY: the values prove AES-NI.
        Self(unsafe { _mm_aesdeclast_si128(self.0, key.0) })
    }
}

/// A counter block, as [`AesRounds::counters`].
#[inline(always)]
pub(super) fn counter(template: &[u8; 16], endian: Endian, low: u64) -> __m128i {
    // SAFETY: only called where a token proves SSE4.1; 16 readable bytes.
    unsafe {
        let t = _mm_loadu_si128(template.as_ptr().cast());
        match endian {
            Endian::Big => _mm_insert_epi64::<1>(t, low.swap_bytes() as i64),
            Endian::Little => _mm_insert_epi64::<0>(t, low as i64),
        }
    }
}

/// An optimisation barrier: the same value, and no instruction.
#[inline(always)]
fn opaque(mut row: __m128i) -> __m128i {
    if cfg!(icefish_msan) {
        return core::hint::black_box(row);
    }
    // SAFETY: no instruction.
    unsafe {
        asm!("/* {0} */", inout(xmm_reg) row, options(pure, nomem, nostack, preserves_flags))
    };
    row
}

/// The bytes of a counter block outside the counter.
///
/// The barriers are against LLVM. It replaces an AND that keeps half of a row by a move, in a form that Valgrind does not know;
/// `tools/constant-time-test` would abort there. It also replaces the load of a row that is then broadcast by a load as wide as the
/// result, if there is memory behind the row; where the row was just stored, that load stalls.
#[inline(always)]
pub(super) fn outside_counter(template: &[u8; 16], endian: Endian) -> __m128i {
    // SAFETY: SSE2, which x86-64 always has; 16 readable bytes behind each pointer.
    unsafe {
        let one = |block: &[u8; 16]| _mm_loadu_si128(block.as_ptr().cast());
        opaque(_mm_and_si128(one(template), opaque(one(endian.rest()))))
    }
}

/// `R` counter blocks, as [`AesRounds::next_counters`].
#[inline(always)]
fn counters<const R: usize>(
    template: &[u8; 16],
    endian: Endian,
    low: u64,
    next: &mut Option<__m128i>,
) -> [__m128i; R] {
    // SAFETY: only called where a value proves SSSE3; 16 readable bytes behind each pointer.
    unsafe {
        let one = |block: &[u8; 16]| _mm_loadu_si128(block.as_ptr().cast());
        let (order, rest) = (one(endian.order()), outside_counter(template, endian));
        let all = _mm_set1_epi64x(low as i64);
        let mut x = [all; R];
        // In a full batch, additions without shuffles: one of two ports that take AES rounds takes shuffles, too. Seven of 256
        // batches have a carry.
        if R == 8 && low as u8 <= u8::MAX - 7 {
            let first = match *next {
                Some(first) => first,
                None => _mm_xor_si128(_mm_shuffle_epi8(all, order), rest),
            };
            for i in 0..R {
                x[i] = _mm_add_epi8(first, one(&endian.steps()[i]));
            }
            let after = _mm_add_epi8(first, one(&endian.steps()[R]));
            *next = if low as u8 <= u8::MAX - 15 { Some(after) } else { None };
            return x;
        }
        *next = None;
        for i in 0..R {
            let count = _mm_add_epi64(all, _mm_set1_epi64x(i as i64));
            x[i] = _mm_xor_si128(_mm_shuffle_epi8(count, order), rest);
        }
        x
    }
}

/// Stores a row of 16 bytes at `at`.
#[inline(always)]
pub(in crate::isa) fn put(sink: &mut Sink<'_>, at: usize, row: __m128i) {
    let row = masked(sink, at, row);
    put_masked(sink, at, row);
}

/// `row`, XORed with what `sink` XORs with the row at `at`.
#[inline(always)]
pub(super) fn masked(sink: &mut Sink<'_>, at: usize, row: __m128i) -> __m128i {
    match sink.pointers(at, 16).1 {
        // SAFETY: `pointers` checked 16 bytes behind each.
        Some(p) => unsafe { _mm_xor_si128(row, _mm_loadu_si128(p.cast())) },
        None => row,
    }
}

/// Stores at `at` what [`masked`] made, or what comes from it.
#[inline(always)]
pub(super) fn put_masked(sink: &mut Sink<'_>, at: usize, row: __m128i) {
    let (output, _) = sink.pointers(at, 16);
    // SAFETY: `pointers` checked 16 bytes behind each.
    unsafe { _mm_storeu_si128(output.cast(), row) }
}
