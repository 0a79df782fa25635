//! Derives ICE's S-boxes as straight-line Boolean networks, for bit-sliced code.
//!
//! # The algebra
//!
//! Two of the ten input bits of an S-box choose a row, the other eight are a column c. In each row the output is
//! (c + offset)^7 in GF(2^8), and each row has its own modulus (`field`). Computing four powers and selecting one
//! would cost four times too much. Instead:
//!
//! 1. *One field.* All fields of 256 elements are isomorphic. Every row is mapped into the same tower field
//!    GF(((2^2)^2)^2) (`tower`), the power is computed there once, and the result is mapped out again (`muxed`).
//!    Only the two linear maps depend on the row.
//! 2. *56 instead of 7.* x -> x^8 is linear, so it may be part of the map out, inverted: (x^56)^32 = x^7 since
//!    56 * 32 = 7 + 7 * 255. With the norm N = x^17, which lies in GF(16), x^56 = N^3 x^5. N and x^5 are quadratic
//!    and share most of their products (`power`).
//! 3. *Freedom.* x may be multiplied by any of 255 factors before the power, and a row's modulus has eight roots
//!    in the tower: 2,040 ways for each row (`muxed`). A local search chooses them so that the maps are
//!    cheap: they are sums of linear forms selected by functions of the two row bits (`linear`).
//! 4. *Mapping.* What results is a network of two-input gates. For machines with arbitrary three-input operations,
//!    gates are merged (`mapping`). Constants, such as the offsets, vanish in truth tables; in the
//!    two-input form a few complements remain (`polarity`).
//! 5. *Rewriting.* A long random walk over equivalent networks, gate by gate, first of the power alone, then of the
//!    whole S-box (`rewrite`, `resub`). A gate only moves to a function that keeps all outputs on all 1024 inputs.
//! 6. *Annealing.* The same moves, now also some that make it worse for a while, and a price on levels: fewer operations
//!    that wait for each other (`anneal`). The networks lost a third of their depth by it, and 2 % of their gates.
//! 7. *Order.* The operations are ordered so that few values are live at a time (`schedule`).
//!
//! # Regeneration
//!
//! The search takes minutes (use a release build); what it found is committed in `plan/` (`plan`): the embeddings, and the operations
//! after rewriting. `--write DIR` prints them as Rust (`emit`). `--search [SEED]` searches again and keeps what is better.
//! `--anneal SEED LEVEL HEAT STEPS KIND SBOX` goes on from what is committed.
//! The tests check each step of the algebra, the networks on all inputs, and the committed source files.
//!
//! `--report` prints the operation counts, the depths and the most values that are live at a time.

pub mod anneal;
pub mod assemble;
pub mod builder;
pub mod emit;
pub mod field;
pub mod linear;
pub mod mapping;
pub mod muxed;
pub mod network;
pub mod plan;
pub mod polarity;
pub mod power;
pub mod resub;
pub mod rewrite;
pub mod schedule;
pub mod search;
pub mod signals;
pub mod tower;
