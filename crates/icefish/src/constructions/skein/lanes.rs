//! Many chains side by side, a block of each at a time.

use crate::ciphers::threefish::fresh::{FIRST, Ring, encrypt};
use crate::isa::{Extension, Isa, Lanes, Sink, Task, aligned_frame, erase, fetch_line, forms};

/// The largest number of lanes of any backend.
pub(super) const LANES: usize = 16;

/// How many blocks ahead messages are fetched.
const AHEAD: usize = 4;

/// The exchange between the lanes and the [`Table`] that feeds them.
pub(super) struct Io<'a> {
    /// Chaining values: initial values in, final values out.
    pub(super) chains: [u8; 1024],
    /// Whether the table changed chains.
    pub(super) changed: bool,
    /// Whether this is the first request.
    pub(super) begins: bool,
    /// The number of whole blocks to process from `rows`, whose tweaks are `position` and `flags`.
    pub(super) plain: usize,
    pub(super) rows: [&'a [u8]; LANES],
    pub(super) position: [u64; LANES],
    pub(super) flags: [u64; LANES],
    /// The block after those, of each lane, with its tweak.
    pub(super) blocks: [u8; 1024],
    pub(super) last_position: [u64; LANES],
    pub(super) last_flags: [u64; LANES],
    /// Whether that block is not in `blocks`, but the next one of `rows`. It is then read when it is needed, and the first blocks of
    /// `ahead`, the rows of the next request, are fetched before that request.
    pub(super) in_rows: bool,
    pub(super) ahead: [&'a [u8]; LANES],
    /// Whether that block ends a string in some lane.
    pub(super) ending: bool,
}

impl Io<'_> {
    #[inline(always)]
    fn new() -> Self {
        Self {
            chains: [0; 1024],
            changed: false,
            begins: true,
            plain: 0,
            rows: [&[]; LANES],
            position: [0; LANES],
            flags: [0; LANES],
            blocks: [0; 1024],
            last_position: [0; LANES],
            last_flags: [0; LANES],
            in_rows: false,
            ahead: [&[]; LANES],
            ending: false,
        }
    }
}

/// What feeds the lanes. It is not compiled for an instruction set.
pub(super) trait Table<'a> {
    /// Collects finished strings and fills `io` with the next blocks. Returns false when too few strings are left to gain from lanes.
    fn next(&mut self, io: &mut Io<'a>) -> bool;
}

/// The numbers of lanes for states of `W` words: for few strings, and for more.
pub(super) struct Count<const W: usize>;

impl<const W: usize> Task for Count<W> {
    type Out = [usize; 2];
    const EXTENSION: Extension = Extension::None;
    #[inline(always)]
    fn call<S: Isa>(self, _: S) -> [usize; 2] {
        let [few, more] = groups(W, S::U64::N);
        let two = (W, S::U64::N) != (8, 8) || forms().skein_512_in_two;
        [S::U64::N * few, S::U64::N * if two { more } else { few }]
    }
}

/// The numbers of groups of lanes, for few strings and for more. A group of small states waits for the latency of its instructions,
/// and a second one takes little more time.
const fn groups(words: usize, lanes: usize) -> [usize; 2] {
    match (words, lanes) {
        (4, 8) => [1, 2],
        (4, 2..) => [2, 2],
        (8, 4..) => [1, 2],
        _ => [1, 1],
    }
}

/// The number of groups that [`SideBySide`] is compiled for; 0 if it never runs.
const fn compiled(words: usize, lanes: usize, wide: bool) -> usize {
    let [few, more] = groups(words, lanes);
    match wide {
        _ if lanes == 1 => 0,
        true if few == more => 0,
        true => more,
        false => few,
    }
}

/// The lanes of a backend, for few strings, or for more if `WIDE`.
pub(super) struct SideBySide<'s, 'a, const W: usize, const WIDE: bool> {
    pub(super) table: &'s mut (dyn Table<'a> + 's),
}

impl<const W: usize, const WIDE: bool> Task for SideBySide<'_, '_, W, WIDE> {
    type Out = ();
    const EXTENSION: Extension = Extension::None;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        match const { compiled(W, <S::U64 as Lanes<S, u64>>::N, WIDE) } {
            1 => self.groups::<S, 1>(isa),
            2 => self.groups::<S, 2>(isa),
            _ => {}
        }
    }
}

impl<const W: usize, const WIDE: bool> SideBySide<'_, '_, W, WIDE> {
    #[inline(always)]
    fn groups<S: Isa, const M: usize>(self, isa: S) {
        aligned_frame::<S::U64>();
        let (n, zero) = (S::U64::N, S::U64::splat(isa, 0));
        let size = 8 * W * n;
        let mut io = Io::new();
        let (mut chain, mut ring) = ([[zero; W]; M], Ring::new(isa));
        while self.table.next(&mut io) {
            if io.changed {
                for m in 0..M {
                    chain[m] = S::U64::gather::<W>(isa, &io.chains[size * m..]);
                }
            }
            let mut tweak = tweaks::<S, M>(isa, &io.position, &io.flags);
            for i in 0..io.plain + 1 {
                let mut x = [[zero; W]; M];
                if i + AHEAD < io.plain || io.in_rows {
                    let (rows, there) = match (i + AHEAD).checked_sub(io.plain + 1) {
                        None => (&io.rows, i + AHEAD),
                        Some(next) => (&io.ahead, next),
                    };
                    for row in &rows[..n * M] {
                        for line in (0..8 * W).step_by(64) {
                            fetch_line(row, 8 * W * there + line);
                        }
                    }
                }
                for m in 0..M {
                    if i < io.plain {
                        tweak[m][0] = tweak[m][0] + S::U64::splat(isa, 8 * W as u64);
                    }
                    if i < io.plain || io.in_rows {
                        x[m] = S::U64::gather_at::<W>(isa, &io.rows[n * m..], 8 * W * i);
                    } else {
                        x[m] = S::U64::gather::<W>(isa, &io.blocks[size * m..]);
                    }
                }
                if i == io.plain {
                    tweak = tweaks::<S, M>(isa, &io.last_position, &io.last_flags);
                }
                let y = encrypt(isa, &mut ring, &chain, &tweak, x);
                for m in 0..M {
                    for i in 0..W {
                        chain[m][i] = y[m][i] ^ x[m][i];
                    }
                    tweak[m][1] = tweak[m][1] & S::U64::splat(isa, !FIRST);
                }
            }
            if io.ending {
                for m in (0..M).rev() {
                    let sink = Sink::new(&mut io.chains[size * m..][..size]);
                    S::U64::scatter::<W>(chain[m], sink);
                }
            }
        }
        erase(&mut io.chains);
        erase(&mut io.blocks);
    }
}

#[inline(always)]
fn tweaks<S: Isa, const M: usize>(
    isa: S,
    position: &[u64; LANES],
    flags: &[u64; LANES],
) -> [[S::U64; 2]; M] {
    let mut tweaks = [[S::U64::splat(isa, 0); 2]; M];
    for m in 0..M {
        let at = S::U64::N * m;
        tweaks[m] = [S::U64::of(isa, &position[at..]), S::U64::of(isa, &flags[at..])];
    }
    tweaks
}
