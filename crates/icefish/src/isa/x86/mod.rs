//! The instruction sets of x86-64, and the code that they share: AES-NI, PCLMULQDQ, rows of 128 bits.

mod aes;
mod aesni;
mod avx2;
mod avx2_gfni;
mod avx2_vaes;
mod avx512;
mod avx512_gfni;
mod avx512_vaes;
mod clmul;
pub(super) mod cpuid;
mod noaes;
mod order;
mod rows;

#[cfg(target_feature = "sse2")]
pub(in crate::isa) use aes::put;
pub use aesni::{Avx2, Avx512};
pub use avx2_gfni::Avx2Gfni;
pub use avx2_vaes::Avx2Vaes;
pub use avx512_vaes::Avx512Vaes;
pub use cpuid::Cpu;
pub use noaes::{Avx2NoAes, Avx512NoAes};
