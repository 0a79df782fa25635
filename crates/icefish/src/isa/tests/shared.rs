//! Types that several tokens share: a method that takes no token uses only what each of those tokens proves.
//!
//! Values are made with the token that proves least, and methods are called as those of a token that proves more. An instruction
//! that only the latter proves faults on a CPU without it; the scripts in `tools` have such CPUs.

use super::{Word, random};
use crate::isa::{AesRounds, Isa, Lanes, Polynomials, Rows, Sink};
#[cfg(target_arch = "x86_64")]
use crate::isa::{Avx2, Avx2Gfni, Avx2NoAes, Avx2Vaes, Avx512, Avx512NoAes, Avx512Vaes};
#[cfg(target_arch = "aarch64")]
use crate::isa::{Neon, NeonNoAes, NeonSha3};
use std::vec::Vec;

/// Vectors in memory.
fn stored<S, T: Word, V: Lanes<S, T>>(vectors: &[V]) -> Vec<u8> {
    let size = V::N * T::BITS as usize / 8;
    let mut bytes = std::vec![0; size * vectors.len()];
    for (row, vector) in bytes.chunks_exact_mut(size).zip(vectors) {
        vector.store(row);
    }
    bytes
}

/// The results of the methods of `S` without a token on eight vectors.
fn lanes<S: Isa, T: Word, V: Lanes<S, T>>(x: [V; 8]) -> Vec<u8> {
    let [a, b, c, d, ..] = x;
    let mut out = std::vec![a.rotl(7), a.rotl(8), a.rotr(5), a.rotr(16), a.shl(3), a.shr(9)];
    out.extend([a.swap_bytes(), a.opaque(), a.andnot(b), a.xor3(b, c), a + b, a - b, !(a | b & d)]);
    out.extend([
        V::ternary::<0x96>(a, b, c),
        V::ternary::<0xca>(a, b, c),
        V::ternary::<0x1e>(a, b, c),
    ]);
    for step in [1, 2, 4, 8, 16] {
        let (low, high) = V::exchange(c, a, b, step);
        out.extend([low, high]);
    }
    if T::BITS == 64 {
        let (low, high) = V::exchange(c, a, b, 32);
        out.extend([low, high]);
        out.extend(V::exchange_bytes(x, [b, c, d]));
    }
    let mut bytes = stored::<S, T, V>(&out);
    let mut blocks = std::vec![0; V::N * T::BITS as usize];
    V::scatter::<8>(x, Sink::new(&mut blocks).xor(&random(5, V::N * T::BITS as usize)));
    bytes.append(&mut blocks);
    let mut row = std::vec![0; V::N * T::BITS as usize / 8];
    a.put(Sink::new(&mut row));
    bytes.append(&mut row);
    bytes
}

/// The same for four rows.
fn rows<S: Isa, T: Word, R: Rows<S, T>>([a, b, c, d]: [R; 4]) -> Vec<u8> {
    let mut out =
        std::vec![a.shl(9), a.turn(1, 5), a.turn(2, 8), a.turn(0, 11), a.andnot(b), a.opaque()];
    out.extend([R::ternary::<0x96>(a, b, c), R::ternary::<0xd2>(a, b, c), !(a ^ b | c & d)]);
    let mut bytes = std::vec![0; 16 * R::N * out.len()];
    for (i, row) in bytes.chunks_exact_mut(16 * R::N).enumerate() {
        R::scatter::<1>([out[i]], Sink::new(row));
    }
    bytes
}

/// The same for two AES states.
fn aes<S: Isa, A: AesRounds<S>>([a, b]: [A; 2]) -> Vec<u8> {
    let out = [
        a.xor(b),
        a.and(b),
        a.round(b),
        a.enc(b),
        a.enc_last(b),
        a.dec(b),
        a.dec_last(b),
        a.last(b),
    ];
    let mut bytes = std::vec![0; 16 * (A::N + 1) * out.len()];
    for (i, row) in bytes.chunks_exact_mut(16 * (A::N + 1)).enumerate() {
        let mut sink = Sink::new(row);
        out[i].store(&mut sink, 0);
        out[i].store_one(&mut sink, 16 * A::N);
    }
    bytes.extend(a.enc(b).column().to_le_bytes());
    bytes
}

/// The same for two polynomials.
fn polynomials<S: Isa, P: Polynomials<S>>([a, b]: [P; 2]) -> Vec<u8> {
    let out = [a.xor(b), a.reverse_bytes(), a.swap_halves(), a.mul_low(b), a.mul_high(b)];
    let mut bytes = std::vec![0; 16 * P::N * out.len()];
    for (row, polynomial) in bytes.chunks_exact_mut(16 * P::N).zip(&out) {
        polynomial.store(row);
    }
    bytes.extend(a.sum());
    bytes
}

/// Words and rows that `N` makes, by the methods of `M`.
fn words<N: Isa, M: Isa>(narrow: Option<N>)
where
    N::U32: Lanes<M, u32>,
    N::U64: Lanes<M, u64>,
    N::Row32: Rows<M, u32>,
    N::Rows32: Rows<M, u32>,
    N::Rows64: Rows<M, u64>,
{
    let Some(isa) = narrow else { return };
    let data = random(7, 512);
    let x = core::array::from_fn(|i| <N::U32 as Lanes<N, u32>>::load(isa, &data[64 * i..]));
    assert_eq!(lanes::<N, u32, N::U32>(x), lanes::<M, u32, N::U32>(x));
    let x = core::array::from_fn(|i| <N::U64 as Lanes<N, u64>>::load(isa, &data[64 * i..]));
    assert_eq!(lanes::<N, u64, N::U64>(x), lanes::<M, u64, N::U64>(x));
    let x = <N::Row32 as Rows<N, u32>>::gather::<4>(isa, &data);
    assert_eq!(rows::<N, u32, N::Row32>(x), rows::<M, u32, N::Row32>(x));
    let x = <N::Rows32 as Rows<N, u32>>::gather::<4>(isa, &data);
    assert_eq!(rows::<N, u32, N::Rows32>(x), rows::<M, u32, N::Rows32>(x));
    let x = <N::Rows64 as Rows<N, u64>>::gather::<4>(isa, &data);
    assert_eq!(rows::<N, u64, N::Rows64>(x), rows::<M, u64, N::Rows64>(x));
}

/// States and polynomials that `N` makes, by the methods of `M`.
fn alone<N: Isa, M: Isa>(narrow: Option<N>)
where
    N::AesOne: AesRounds<M>,
    N::PolyOne: Polynomials<M>,
{
    let Some(isa) = narrow else { return };
    let data = random(8, 32);
    let x = [0, 16].map(|at| <N::AesOne as AesRounds<N>>::load(isa, &data[at..]));
    assert_eq!(aes::<N, N::AesOne>(x), aes::<M, N::AesOne>(x));
    let x = [0, 16].map(|at| <N::PolyOne as Polynomials<N>>::load(isa, &data[at..]));
    assert_eq!(polynomials::<N, N::PolyOne>(x), polynomials::<M, N::PolyOne>(x));
}

/// The states of two messages that `N` makes, by the methods of `M`.
#[cfg(target_arch = "x86_64")]
fn two<N: Isa, M: Isa>(narrow: Option<N>)
where
    N::AesTwo: AesRounds<M>,
{
    let Some(isa) = narrow else { return };
    let data = random(9, 64);
    let x = [0, 32].map(|at| <N::AesTwo as AesRounds<N>>::load(isa, &data[at..]));
    assert_eq!(aes::<N, N::AesTwo>(x), aes::<M, N::AesTwo>(x));
}

#[cfg(target_arch = "x86_64")]
#[test]
fn what_takes_no_token_needs_none_of_the_wider_sets() {
    words::<_, Avx2>(Avx2NoAes::new());
    words::<_, Avx2Vaes>(Avx2NoAes::new());
    words::<_, Avx2Gfni>(Avx2NoAes::new());
    words::<_, Avx512>(Avx512NoAes::new());
    words::<_, Avx512Vaes>(Avx512NoAes::new());
    alone::<_, Avx2Vaes>(Avx2::new());
    alone::<_, Avx2Gfni>(Avx2::new());
    alone::<_, Avx512>(Avx2::new());
    alone::<_, Avx512Vaes>(Avx2::new());
    two::<_, Avx512Vaes>(Avx2Vaes::new());
}

#[cfg(target_arch = "aarch64")]
#[test]
fn what_takes_no_token_needs_none_of_the_wider_sets() {
    words::<_, Neon>(NeonNoAes::new());
    alone::<_, NeonSha3>(Neon::new());
}
