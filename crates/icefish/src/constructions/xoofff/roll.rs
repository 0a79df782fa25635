//! The rolling functions (section 3.1 of the paper). Masks and expansion states are windows of a sequence of words.
//!
//! Lane `(x, y)` of state `j` is `s[j + 3 x + y]`, and a roll appends a word to `s`. Lane `(x, y)` of consecutive states is thus
//! a run of words in memory, and a vector of it is one load.

use crate::isa::{Isa, Lanes};
use crate::permutations::xoodoo::plane::Slices;
use core::marker::PhantomData;
use zeroize::Zeroize;

/// A rolling function: computes the word after twelve words from the first three of them.
pub(super) trait Roll {
    fn next(a: u32, b: u32, c: u32) -> u32;
}

/// For the masks of the strings.
pub(super) struct Compression;
/// For the states of the output.
pub(super) struct Expansion;

impl Roll for Compression {
    #[inline(always)]
    fn next(a: u32, b: u32, _: u32) -> u32 {
        a ^ (a << 13) ^ b.rotate_left(3)
    }
}

impl Roll for Expansion {
    #[inline(always)]
    fn next(a: u32, b: u32, c: u32) -> u32 {
        a.rotate_left(5) ^ b.rotate_left(13) ^ (b & c) ^ 7
    }
}

/// One rolling state.
#[derive(Clone, Copy)]
pub(super) struct Window([u32; 12]);

impl Window {
    /// The window that is this state.
    #[inline(always)]
    pub(super) fn of(state: &[u8; 48]) -> Self {
        let mut words = [0; 12];
        for x in 0..4 {
            for y in 0..3 {
                let at = 16 * y + 4 * x;
                let word = [state[at], state[at + 1], state[at + 2], state[at + 3]];
                words[3 * x + y] = u32::from_le_bytes(word);
            }
        }
        Self(words)
    }

    #[inline(always)]
    pub(super) fn state(&self) -> [u8; 48] {
        let mut state = [0; 48];
        for x in 0..4 {
            for y in 0..3 {
                let at = 16 * y + 4 * x;
                state[at..at + 4].copy_from_slice(&self.0[3 * x + y].to_le_bytes());
            }
        }
        state
    }

    /// Moves on by `count` states.
    pub(super) fn skip<R: Roll>(&mut self, count: u64) {
        for _ in 0..count / 12 {
            // Word `i` of the sequence is replaced by word `i + 12`, which depends on words `i` to `i + 2`.
            for i in 0..12 {
                let (b, c) = (self.0[(i + 1) % 12], self.0[(i + 2) % 12]);
                self.0[i] = R::next(self.0[i], b, c);
            }
        }
        for _ in 0..count % 12 {
            self.roll::<R>();
        }
    }

    /// The next state.
    #[inline(always)]
    pub(super) fn roll<R: Roll>(&mut self) {
        let next = R::next(self.0[0], self.0[1], self.0[2]);
        self.0.copy_within(1.., 0);
        self.0[11] = next;
    }
}

impl Zeroize for Window {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

/// Number of words: a window, 6 batches of 16 lanes that are made ahead, and 18 batches between two moves of the words.
const WORDS: usize = 12 + 16 * 24;

/// A part of the sequence, from the window of the next state on. It is made some batches ahead, because a vector load of words
/// that were just stored would stall.
pub(super) struct Sequence<R> {
    /// Little-endian.
    words: [[u8; 4]; WORDS],
    /// The position of the first word of the next state.
    at: usize,
    /// The number of words made.
    made: usize,
    /// The number of words still to be made.
    left: usize,
    roll: PhantomData<R>,
}

impl<R: Roll> Sequence<R> {
    /// The sequence from `window` on, for `states` states in batches of `lanes`.
    #[inline(always)]
    pub(super) fn new(window: &Window, states: usize, lanes: usize) -> Self {
        let mut words = [[0; 4]; WORDS];
        for (word, w) in words.iter_mut().zip(window.0) {
            *word = w.to_le_bytes();
        }
        let left = states.next_multiple_of(lanes);
        let mut sequence = Self { words, at: 0, made: 12, left, roll: PhantomData };
        sequence.extend(6 * lanes);
        sequence
    }

    /// Makes `count` words, or as many as are still needed.
    #[inline(always)]
    fn extend(&mut self, count: usize) {
        let count = count.min(self.left);
        self.left -= count;
        if self.made + count > WORDS {
            self.words.copy_within(self.at..self.made, 0);
            self.made -= self.at;
            self.at = 0;
        }
        let words = &mut self.words[self.made - 12..self.made + count];
        let (mut a, mut b) = (u32::from_le_bytes(words[0]), u32::from_le_bytes(words[1]));
        for i in 0..count {
            let c = u32::from_le_bytes(words[i + 2]);
            words[i + 12] = R::next(a, b, c).to_le_bytes();
            (a, b) = (b, c);
        }
        self.made += count;
    }

    /// The next states, as many as `S` has lanes. Moves past `count` of them.
    #[inline(always)]
    pub(super) fn next<S: Isa>(&mut self, isa: S, count: usize) -> [Slices<S::U32, 4>; 3] {
        let words = self.words[self.at..self.at + 11 + S::U32::N].as_flattened();
        let mut planes = [Slices([S::U32::load(isa, words); 4]); 3];
        for y in 0..3 {
            for x in 0..4 {
                planes[y].0[x] = S::U32::load(isa, &words[4 * (3 * x + y)..]);
            }
        }
        self.at += count;
        self.extend(S::U32::N);
        planes
    }

    /// The next state.
    #[inline(always)]
    pub(super) fn window(&self) -> Window {
        let mut words = [0; 12];
        for (word, w) in words.iter_mut().zip(&self.words[self.at..]) {
            *word = u32::from_le_bytes(*w);
        }
        Window(words)
    }
}
