//! Vectors of words: lanes, which act independently or change places, and rows.

use super::Sink;
use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

/// `N` words of type `W` that act independently, on the instruction set `S`.
///
/// Arithmetic is modulo 2^32 or 2^64. The number of lanes is a power of two.
///
/// [`Lanes::of`], [`Lanes::pick`], [`Lanes::swap`] and [`Lanes::rotl_each`] are for one large block in a few vectors, whose words
/// change places. All but the first take vectors of at most eight lanes. The defaults go through memory: correct and slow. A set that
/// uses its vectors for single blocks overrides them.
///
/// ```
/// use icefish::Backend;
/// use icefish::isa::{Isa, Lanes, Task};
///
/// struct Example;
/// impl Task for Example {
///     type Out = u8;
///     #[inline(always)]
///     fn call<S: Isa>(self, isa: S) -> u8 {
///         // Three times every word, on as many words as fill a register.
///         let x = S::U32::splat(isa, 5);
///         let mut words = [0; 64];
///         (x + x + x).store(&mut words[..4 * S::U32::N]);
///         words[0]
///     }
/// }
///
/// assert_eq!(Backend::best().run(Example), 15);
/// ```
pub trait Lanes<S, W>:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + BitXor<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
{
    /// Number of lanes.
    const N: usize;
    /// Whether [`Lanes::ternary`] is one instruction.
    const TERNARY: bool = false;
    /// `w` in every lane.
    fn splat(isa: S, w: W) -> Self;
    /// Lane `j` holds `j`.
    fn index(isa: S) -> Self;
    /// Lane `j` is word `j` of `bytes`, little-endian.
    ///
    /// # Panics
    /// If `bytes` is shorter than a vector.
    fn load(isa: S, bytes: &[u8]) -> Self;
    /// Writes the lanes as a row, XORed with the sink's bytes if it has some.
    ///
    /// # Panics
    /// If the length of `sink` is not that of a vector.
    fn put(self, sink: Sink<'_>);
    /// Writes lane `j` to word `j` of the first bytes of `bytes`, little-endian.
    ///
    /// # Panics
    /// If `bytes` is shorter than a vector.
    fn store(self, bytes: &mut [u8]);
    /// Transposing load of `N` consecutive blocks of `K` little-endian words: lane `j` of vector `i` is word `i` of block `j`.
    /// `K` is even (a multiple of 4 for `u32`).
    ///
    /// # Panics
    /// If `blocks` is shorter than `N` blocks.
    fn gather<const K: usize>(isa: S, blocks: &[u8]) -> [Self; K];
    /// The same for blocks that do not lie one after the other: that of lane `j` begins at byte `at` of `rows[j]`. It saves the
    /// caller a copy of the blocks to one buffer.
    ///
    /// # Panics
    /// If there are fewer rows than lanes, or a row ends before its block does; if `K` is more than 16.
    #[inline(always)]
    fn gather_at<const K: usize>(isa: S, rows: &[&[u8]], at: usize) -> [Self; K] {
        let mut blocks = [0; 1024];
        let size = K * size_of::<W>();
        for j in 0..Self::N {
            blocks[size * j..][..size].copy_from_slice(&rows[j][at..][..size]);
        }
        Self::gather(isa, &blocks)
    }
    /// The inverse of [`Lanes::gather`]. Writes from the last byte of `sink` to the first.
    ///
    /// # Panics
    /// If `sink` is not `N` blocks long.
    fn scatter<const K: usize>(words: [Self; K], sink: Sink<'_>);
    /// Rotates every lane left by `r` bits; `r` must be less than the width of a word.
    fn rotl(self, r: u32) -> Self;
    /// Rotates every lane right by `r` bits; `r` must be between 1 and the width of a word less one.
    fn rotr(self, r: u32) -> Self;
    /// Shifts every lane left by `r` bits; `r` must be less than the width of a word.
    fn shl(self, r: u32) -> Self;
    /// Shifts every lane right by `r` bits; `r` must be less than the width of a word.
    fn shr(self, r: u32) -> Self;
    /// Reverses the bytes of every lane.
    fn swap_bytes(self) -> Self;
    /// For each bit of `a`, `b` and `c`: bit `4 a + 2 b + c` of `TABLE` (0 to 255).
    #[inline(always)]
    fn ternary<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        ternary_by_mux::<TABLE, Self>(a, b, c)
    }
    /// In every `2 step` bits, exchanges the high field of `a` with the low field of `b`. `low` has the bits of the low fields
    /// set.
    #[inline(always)]
    fn exchange(low: Self, a: Self, b: Self, step: u32) -> (Self, Self) {
        let t = (a.shr(step) ^ b) & low;
        (a ^ t.shl(step), b ^ t)
    }
    /// In every lane of eight bytes, exchanges byte `k` of vector `j` with byte `j` of vector `k`. `low` has the low fields of
    /// [`Lanes::exchange`] for steps of 32, 16 and 8 bits.
    #[inline(always)]
    fn exchange_bytes(mut x: [Self; 8], low: [Self; 3]) -> [Self; 8] {
        for i in 0..4 {
            (x[i], x[i + 4]) = Self::exchange(low[0], x[i], x[i + 4], 32);
        }
        for i in [0, 1, 4, 5] {
            (x[i], x[i + 2]) = Self::exchange(low[1], x[i], x[i + 2], 16);
        }
        for i in [0, 2, 4, 6] {
            (x[i], x[i + 1]) = Self::exchange(low[2], x[i], x[i + 1], 8);
        }
        x
    }
    /// The same value, behind an optimisation barrier where kernels of the set need one: the compiler neither re-associates nor
    /// vectorises across it. It emits no instruction.
    #[inline(always)]
    fn opaque(self) -> Self {
        self
    }
    /// For words in general registers of x86-64: the same value, behind an optimisation barrier that emits no instruction. The
    /// compiler keeps these barriers in the order of the program.
    #[inline(always)]
    fn in_order(self) -> Self {
        self
    }
    /// `self ^ b ^ c`: one instruction on some CPUs. From operators, the compiler often makes two: it computes `b ^ c` once for
    /// several sums.
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self ^ (b ^ c)
    }
    /// `!self & other`.
    #[inline(always)]
    fn andnot(self, other: Self) -> Self {
        !self & other
    }
    /// Lane `j` is `words[j]`.
    ///
    /// # Panics
    /// If there are fewer words than lanes.
    #[inline(always)]
    fn of(isa: S, words: &[W]) -> Self
    where
        W: Copy + Into<u64>,
    {
        let (size, mut row) = (size_of::<W>(), [0; 64]);
        for j in 0..Self::N {
            let word: u64 = words[j].into();
            row[size * j..][..size].copy_from_slice(&word.to_le_bytes()[..size]);
        }
        Self::load(isa, &row)
    }
    /// Lane `j` is lane `from[j]` of the concatenation of `low` and `high`.
    ///
    /// # Panics
    /// If `from` has the number of a lane that does not exist, or if there are more than eight lanes.
    #[inline(always)]
    fn pick(isa: S, low: Self, high: Self, from: &[usize; 8]) -> Self {
        let (size, mut both, mut row) = (size_of::<W>(), [0; 128], [0; 64]);
        low.store(&mut both[..size * Self::N]);
        high.store(&mut both[size * Self::N..2 * size * Self::N]);
        for j in 0..Self::N {
            let word = &both[..2 * size * Self::N][size * from[j]..][..size];
            row[size * j..][..size].copy_from_slice(word);
        }
        Self::load(isa, &row)
    }
    /// Lane `j` is lane `j ^ mask`; `mask` must be less than the number of lanes.
    ///
    /// # Panics
    /// If there are more than eight lanes.
    #[inline(always)]
    fn swap(self, isa: S, mask: usize) -> Self {
        let mut from = [0; 8];
        for j in 0..8 {
            from[j] = j ^ mask;
        }
        Self::pick(isa, self, self, &from)
    }
    /// Rotates lane `j` left by `bits[j]`, which must be less than the width of a word.
    ///
    /// # Panics
    /// If there are more than eight lanes.
    #[inline(always)]
    fn rotl_each(self, isa: S, bits: &[u32; 8]) -> Self {
        let (size, mut row) = (size_of::<W>(), [0; 64]);
        self.store(&mut row[..size * Self::N]);
        for j in 0..Self::N {
            let word = &mut row[size * j..][..size];
            let mut wide = [0; 8];
            wide[..size].copy_from_slice(word);
            let wide = u64::from_le_bytes(wide);
            let turned = if size == 8 {
                wide.rotate_left(bits[j])
            } else {
                u64::from((wide as u32).rotate_left(bits[j]))
            };
            word.copy_from_slice(&turned.to_le_bytes()[..size]);
        }
        Self::load(isa, &row)
    }
}

/// Rows of 16 bytes, of four words of 32 bits or two of 64, on the instruction set `S`. The words of a row can change places, so
/// that one small state fills a register.
///
/// ```
/// use icefish::Backend;
/// use icefish::isa::{Isa, Rows, Sink, Task};
///
/// struct Example;
/// impl Task for Example {
///     type Out = u8;
///     #[inline(always)]
///     fn call<S: Isa>(self, isa: S) -> u8 {
///         let row = S::Row32::first(isa, 5).turn(2, 1); // word 0 moves to word 2, and is doubled
///         let mut bytes = [0; 16];
///         S::Row32::scatter([row], Sink::new(&mut bytes));
///         bytes[8]
///     }
/// }
///
/// assert_eq!(Backend::best().run(Example), 10);
/// ```
pub trait Rows<S, W>:
    Copy + BitXor<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// Number of rows in a vector.
    const N: usize;
    /// Whether a row is a register or a part of one.
    const REGISTER: bool;
    /// Whether one instruction rotates the words of a single row.
    const ROTATES: bool = false;
    /// `w` in word 0 of every row and zero in the others.
    fn first(isa: S, w: W) -> Self;
    /// Load of `N` consecutive blocks of `K` rows: row `j` of vector `i` is row `i` of block `j`. Words are little-endian.
    ///
    /// # Panics
    /// If `blocks` is shorter than `N` blocks.
    fn gather<const K: usize>(isa: S, blocks: &[u8]) -> [Self; K];
    /// The inverse of [`Rows::gather`]. Writes from the last byte of `sink` to the first.
    ///
    /// # Panics
    /// If `sink` is not `N` blocks long.
    fn scatter<const K: usize>(rows: [Self; K], sink: Sink<'_>);
    /// Moves word `x` of every row to word `x + words`, cyclically, and rotates it left by `bits`, which must be less than the
    /// width of a word.
    fn turn(self, words: usize, bits: u32) -> Self;
    /// Shifts every word left by `r` bits; `r` must be less than the width of a word.
    fn shl(self, r: u32) -> Self;
    /// Whether [`Rows::pick`] is one instruction.
    const PICKS: bool = false;
    /// Byte `j` of each row is the byte of it whose number is `from[j]`: 0 to 15. It is zero if the number is 0x80. The default
    /// goes through memory.
    #[inline(always)]
    fn pick(self, isa: S, from: &[u8; 16]) -> Self {
        let (mut rows, mut picked) = ([0; 64], [0; 64]);
        Self::scatter([self], Sink::new(&mut rows[..16 * Self::N]));
        for (row, picked) in rows.chunks_exact(16).zip(picked.chunks_exact_mut(16)) {
            for (byte, &from) in picked.iter_mut().zip(from) {
                *byte = row.get(usize::from(from)).copied().unwrap_or(0);
            }
        }
        let [picked] = Self::gather(isa, &picked[..16 * Self::N]);
        picked
    }
    /// For each bit of `a`, `b` and `c`: bit `4 a + 2 b + c` of `TABLE` (0 to 255).
    #[inline(always)]
    fn ternary<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        ternary_by_mux::<TABLE, Self>(a, b, c)
    }
    /// `!self & other`.
    #[inline(always)]
    fn andnot(self, other: Self) -> Self {
        !self & other
    }
    /// An optimisation barrier: the same row, and no instruction. The compiler does not vectorise across it.
    #[inline(always)]
    fn opaque(self) -> Self {
        self
    }
}

/// A turn as a byte shuffle, for `bits` a multiple of 8: byte `j` of the result is the number of the byte that moves to place
/// `j`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn turn_bytes(width: u32, words: usize, bits: u32) -> u128 {
    // The turn is applied to the byte numbers.
    let order = 0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100_u128.rotate_left(width * words as u32);
    let every_word = u128::MAX / ((1 << width) - 1);
    let low = ((1 << bits) - 1) * every_word;
    (order << bits) & !low | (order >> (width - bits)) & low
}

/// A function of three bits: `a` selects one of two functions of two bits.
#[inline(always)]
pub(super) fn ternary_by_mux<const TABLE: i32, V>(a: V, b: V, c: V) -> V
where
    V: Copy + BitXor<Output = V> + BitAnd<Output = V> + BitOr<Output = V> + Not<Output = V>,
{
    // Tables are constants where they are matched, so that only one arm is compiled.
    let low = binary!(TABLE & 15, b, c);
    let difference = binary!((TABLE & 15) ^ (TABLE >> 4), b, c);
    low ^ (a & difference)
}

/// Bit `2 b + c` of the 4-bit table `$table`: at most two operations.
macro_rules! binary {
    ($table:expr, $b:expr, $c:expr) => {
        match const { $table } {
            0b0000 => $b & !$b,
            0b0001 => !($b | $c),
            0b0010 => !$b & $c,
            0b0011 => !$b,
            0b0100 => $b & !$c,
            0b0101 => !$c,
            0b0110 => $b ^ $c,
            0b0111 => !($b & $c),
            0b1000 => $b & $c,
            0b1001 => !($b ^ $c),
            0b1010 => $c,
            0b1011 => !$b | $c,
            0b1100 => $b,
            0b1101 => $b | !$c,
            0b1110 => $b | $c,
            _ => $b | !$b,
        }
    };
}
use binary;
