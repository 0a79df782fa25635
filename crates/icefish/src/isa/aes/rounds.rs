//! What AES needs of an instruction set.

use crate::isa::{Endian, MOST, OpenBlocks, Row, Sink};

/// The function of the key expansion whose result, for the word before a row, is XORed with the first word of the row.
///
/// ```
/// use icefish::Backend;
/// use icefish::isa::{AesRounds, Isa, Left, Task};
///
/// /// The second half of the second round key of AES-256 takes SubWord, and no RotWord.
/// struct Expand;
/// impl Task for Expand {
///     type Out = [u8; 16];
///     #[inline(always)]
///     fn call<S: Isa>(self, isa: S) -> [u8; 16] {
///         S::AesOne::expand(isa, &[0; 16], &[0; 16], 3, Left::Substituted)
///     }
/// }
///
/// assert_eq!(Backend::best().run(Expand), [0x63; 16]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// RotWord, SubWord, and the XOR of Rcon.
    Rotated(u8),
    /// SubWord.
    Substituted,
    /// Nothing.
    Itself,
}

/// AES states (FIPS 197, section 3.4), as many as fill a register, on the instruction set `S`.
///
/// A state is 16 bytes in the order of FIPS 197. The operations are those of AES instructions.
///
/// ```
/// use icefish::Backend;
/// use icefish::isa::{AesRounds, Isa, Sink, Task};
///
/// struct Example;
/// impl Task for Example {
///     type Out = u8;
///     #[inline(always)]
///     fn call<S: Isa>(self, isa: S) -> u8 {
///         let x = S::AesOne::splat(isa, &[5; 16]);
///         let mut state = [0; 16];
///         x.xor(S::AesOne::splat(isa, &[3; 16])).store_one(&mut Sink::new(&mut state), 0);
///         state[0]
///     }
/// }
///
/// assert_eq!(Backend::best().run(Example), 6);
/// ```
pub trait AesRounds<S: Copy>: Copy {
    /// Number of states.
    const N: usize;
    /// Whether a register has several states, bit-sliced. A batch then costs the same however few states it has, and two batches
    /// keep the CPU busy.
    const SLICED: bool;
    /// Registers of a batch in a long message. With AES instructions, two rounds start in a cycle, and each takes four cycles, so
    /// eight registers just fill the units. With more, no unit is idle where a round starts late.
    const LONG: usize = 8;
    /// The same 16 bytes in every state: a round key.
    fn splat(isa: S, state: &[u8; 16]) -> Self;
    /// `N` consecutive states.
    ///
    /// # Panics
    /// If `bytes` is shorter than `N` states.
    fn load(isa: S, bytes: &[u8]) -> Self;
    /// The same column in all four columns of every state; its first byte is the least significant.
    #[inline(always)]
    fn splat_column(isa: S, column: u32) -> Self {
        let c = column.to_le_bytes();
        let mut state = [0; 16];
        for (i, byte) in state.iter_mut().enumerate() {
            *byte = c[i % 4];
        }
        Self::splat(isa, &state)
    }
    /// The first column of the first state.
    #[inline(always)]
    fn column(self) -> u32 {
        let mut state = [0; 16];
        self.store_one(&mut Sink::new(&mut state), 0);
        u32::from_le_bytes([state[0], state[1], state[2], state[3]])
    }
    /// Four words of the key expansion (FIPS 197, section 5.2). Each is the XOR of its counterpart in `before` and the word to
    /// its left. The word to the left of the first is word `at` of `last`, as `left` changes it.
    #[inline(always)]
    fn expand(isa: S, before: &[u8; 16], last: &[u8; 16], at: usize, left: Left) -> [u8; 16] {
        let word = |row: &[u8; 16], i: usize| {
            u32::from_le_bytes([row[4 * i], row[4 * i + 1], row[4 * i + 2], row[4 * i + 3]])
        };
        let mut to_the_left = match left {
            // RotWord moves the first byte to the end: a right rotation of a little-endian word.
            Left::Rotated(rcon) => {
                Self::sub_word(isa, word(last, at).rotate_right(8)) ^ u32::from(rcon)
            }
            Left::Substituted => Self::sub_word(isa, word(last, at)),
            Left::Itself => word(last, at),
        };
        let mut next = *before;
        for column in next.as_chunks_mut::<4>().0 {
            to_the_left ^= u32::from_le_bytes(*column);
            *column = to_the_left.to_le_bytes();
        }
        next
    }
    /// SubWord. With the same word in all four columns, ShiftRows changes nothing, so the last round with a zero key is the S-box
    /// alone.
    #[inline(always)]
    fn sub_word(isa: S, word: u32) -> u32 {
        let zero = Self::splat_column(isa, 0);
        Self::splat_column(isa, word).enc_last(zero).column()
    }
    /// InvMixColumns of one state: a last round of encryption followed by a full round of decryption, both with a zero key.
    #[inline(always)]
    fn inv_mix_columns(isa: S, state: &[u8; 16]) -> [u8; 16] {
        let zero = Self::splat(isa, &[0; 16]);
        let mut out = [0; 16];
        let mixed = Self::splat(isa, state).enc_last(zero).dec(zero);
        mixed.store_one(&mut Sink::new(&mut out), 0);
        out
    }
    /// The XOR of all states.
    #[inline(always)]
    fn sum(self) -> [u8; 16] {
        let mut states = [[0; 16]; MOST];
        self.store(&mut Sink::new(states[..Self::N].as_flattened_mut()), 0);
        let mut sum = u128::from_ne_bytes(states[0]);
        for i in 1..Self::N {
            sum ^= u128::from_ne_bytes(states[i]);
        }
        sum.to_ne_bytes()
    }
    /// Writes the states to `sink`, from byte `at` on.
    ///
    /// # Panics
    /// If `sink` ends before `at + 16 N`.
    fn store(self, sink: &mut Sink<'_>, at: usize);
    /// The last round of an encryption or a decryption, with `key`, and [`AesRounds::store`]. What `sink` XORs may join the
    /// key, which takes it off the chain of rounds.
    #[inline(always)]
    fn end<const ENCRYPT: bool>(self, key: Self, sink: &mut Sink<'_>, at: usize) {
        let x = if ENCRYPT { self.enc_last(key) } else { self.dec_last(key) };
        x.store(sink, at);
    }
    /// Writes state 0 to `sink`, from byte `at` on.
    ///
    /// # Panics
    /// If `sink` ends before `at + 16`.
    fn store_one(self, sink: &mut Sink<'_>, at: usize);
    /// Block `row` of `N` lanes: `lane`, `lane + step` and so on. Chaining values lie in memory in the order of lanes. With a
    /// step, neighbours in memory are not loaded by one wide load, which would stall if they were stored one by one.
    ///
    /// # Panics
    /// As [`OpenBlocks::block`].
    #[inline(always)]
    fn gather(isa: S, from: &OpenBlocks<'_, [u8; 16]>, row: Row, lane: usize, step: usize) -> Self {
        if Self::N == 1 {
            return Self::load(isa, from.block(row, lane));
        }
        let mut room = [0; 16 * MOST];
        for (j, block) in room.chunks_exact_mut(16).take(Self::N).enumerate() {
            block.copy_from_slice(from.block(row, lane + step * j));
        }
        Self::load(isa, &room)
    }
    /// Writes the states to where [`AesRounds::gather`] reads them.
    ///
    /// # Panics
    /// As [`OpenBlocks::block_mut`].
    #[inline(always)]
    fn scatter(self, to: &mut OpenBlocks<'_, [u8; 16]>, row: Row, lane: usize, step: usize) {
        if Self::N == 1 {
            return self.store(&mut Sink::new(to.block_mut(row, lane)), 0);
        }
        let mut room = [0; 16 * MOST];
        self.store(&mut Sink::new(&mut room[..16 * Self::N]), 0);
        for (j, block) in room.chunks_exact(16).take(Self::N).enumerate() {
            to.block_mut(row, lane + step * j).copy_from_slice(block);
        }
    }
    /// State `j` is `template` with its counter word set to `low + j`: the last eight bytes, big-endian, or the first eight,
    /// little-endian.
    fn counters(isa: S, template: &[u8; 16], endian: Endian, low: u64) -> Self;
    /// `R` registers of counter blocks: state `j` of register `i` is the one of [`AesRounds::counters`] for `low + N i + j`.
    /// Not for secret counters: the time may depend on `low`.
    #[inline(always)]
    fn counter_batch<const R: usize>(
        isa: S,
        template: &[u8; 16],
        endian: Endian,
        low: u64,
    ) -> [Self; R] {
        Self::next_counters(isa, template, endian, low, &mut None)
    }
    /// [`AesRounds::counter_batch`] for consecutive batches. `next` is what the batch before left for this one, and `None` at first.
    #[inline(always)]
    fn next_counters<const R: usize>(
        isa: S,
        template: &[u8; 16],
        endian: Endian,
        low: u64,
        next: &mut Option<Self>,
    ) -> [Self; R] {
        let _ = next;
        let mut x = [Self::counters(isa, template, endian, low); R];
        for i in 1..R {
            x[i] = Self::counters(isa, template, endian, low.wrapping_add((Self::N * i) as u64));
        }
        x
    }
    /// XOR with round keys or data.
    fn xor(self, other: Self) -> Self;
    /// AND of all bits.
    fn and(self, other: Self) -> Self;
    /// MixColumns(ShiftRows(SubBytes(state))) ^ key.
    fn enc(self, key: Self) -> Self;
    /// [`AesRounds::enc`] where the key is a state too, and both are used afterwards.
    #[inline(always)]
    fn round(self, key: Self) -> Self {
        self.enc(key)
    }
    /// Whether the rounds of one block of all states keep the AES units busy, so that the number of operations counts more than the
    /// length of a dependency chain.
    const FILLS: bool = false;
    /// Whether [`AesRounds::after`] has an effect.
    const ORDERS: bool = false;
    /// An optimisation barrier: the same value, which the compiler does not use before it has all of `first`. It emits no
    /// instruction. Only AVX-512 has enough registers for it.
    #[inline(always)]
    fn after<const R: usize>(self, first: &[Self; R]) -> Self {
        let _ = first;
        self
    }
    /// An optimisation barrier on x86-64, unless a register has two states: the same value, and no instruction. The compiler keeps
    /// these barriers and those of [`Polynomials::in_order`](crate::isa::Polynomials::in_order) in the order of the program.
    #[inline(always)]
    #[must_use]
    fn in_order(self) -> Self {
        self
    }
    /// ShiftRows(SubBytes(state)) ^ key.
    fn enc_last(self, key: Self) -> Self;
    /// InvMixColumns(InvShiftRows(InvSubBytes(state))) ^ key (FIPS 197, section 5.3.5).
    fn dec(self, key: Self) -> Self;
    /// InvShiftRows(InvSubBytes(state)) ^ key.
    fn dec_last(self, key: Self) -> Self;
    /// The rounds of an encryption between the first round key and the last, for [`AesRounds::last`].
    #[inline(always)]
    fn inner(mut self, isa: S, keys: &[[u8; 16]]) -> Self {
        for key in keys {
            self = self.enc(Self::splat(isa, key));
        }
        self
    }
    /// ShiftRows(SubBytes(state)) ^ key, for the result of [`AesRounds::inner`], which may be in another byte order.
    #[inline(always)]
    fn last(self, key: Self) -> Self {
        self.enc_last(key)
    }
    /// Key `round` of `count`, counted from 0, in the form that [`AesRounds::rounds`] takes.
    #[inline(always)]
    fn round_key<const ENCRYPT: bool>(isa: S, key: &[u8; 16], round: usize, count: usize) -> Self {
        let _ = (round, count);
        Self::splat(isa, key)
    }
    /// The whole cipher, or its equivalent inverse, on `R` registers of states in parallel.
    #[inline(always)]
    fn rounds<const ENCRYPT: bool, const R: usize>(keys: &[Self], mut x: [Self; R]) -> [Self; R] {
        let last = keys.len() - 1;
        for state in &mut x {
            *state = state.xor(keys[0]);
        }
        for key in &keys[1..last] {
            for state in &mut x {
                *state = if ENCRYPT { state.enc(*key) } else { state.dec(*key) };
            }
        }
        for state in &mut x {
            *state = if ENCRYPT { state.enc_last(keys[last]) } else { state.dec_last(keys[last]) };
        }
        x
    }
}
