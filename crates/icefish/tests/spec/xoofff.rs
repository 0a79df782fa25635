//! Xoofff: "The design of Xoodoo and Xoofff", section 3. Its modes: Daemen, Hoffert, Peeters, Van Assche and Van Keer, "Xoodoo
//! cookbook", IACR ePrint 2018/767.

use super::xoodoo::XOODOO;
use super::xor;

type State = [u8; 48];

/// A string of bytes, and bits after the last byte.
type Bits<'a> = (&'a [u8], &'a [u8]);

/// Six rounds: every permutation of Xoofff.
fn p(state: &State) -> State {
    XOODOO.permute(6, state)
}

/// Bits as bytes, the first in the lowest place, a bit 1, and zeros up to whole blocks.
fn padded((bytes, bits): Bits<'_>) -> Vec<u8> {
    let mut out = bytes.to_vec();
    let ones = bits.iter().enumerate().map(|(i, bit)| bit << i).sum::<u8>();
    out.push(ones | 1 << bits.len());
    out.resize(out.len().next_multiple_of(48), 0);
    out
}

fn lane(state: &State, x: usize, y: usize) -> u32 {
    let at = 16 * y + 4 * x;
    u32::from_le_bytes(state[at..at + 4].try_into().unwrap())
}

/// A rolling function: plane 0 moves down a plane at a time, and a new lane takes the last place.
fn roll(state: &State, new: impl Fn(u32, u32, u32) -> u32) -> State {
    let (a, b, c) = (lane(state, 0, 0), lane(state, 0, 1), lane(state, 0, 2));
    // The lanes in the order (0, 0), (0, 1), (0, 2), (1, 0), ... are a shift register.
    let mut lanes: Vec<u32> = (0..12).map(|i| lane(state, i / 3, i % 3)).collect();
    lanes.remove(0);
    lanes.push(new(a, b, c));
    let mut rolled = [0; 48];
    for (i, lane) in lanes.iter().enumerate() {
        let at = 16 * (i % 3) + 4 * (i / 3);
        rolled[at..at + 4].copy_from_slice(&lane.to_le_bytes());
    }
    rolled
}

fn roll_mask(mask: &State) -> State {
    roll(mask, |a, b, _| a ^ a << 13 ^ b.rotate_left(3))
}

fn roll_state(state: &State) -> State {
    roll(state, |a, b, c| a.rotate_left(5) ^ b.rotate_left(13) ^ b & c ^ 7)
}

/// The first `len` bytes of the output for some strings, from byte `from` on.
pub fn output(key: &[u8], strings: &[Bits<'_>], from: usize, len: usize) -> Vec<u8> {
    expand(key, strings, p, from + len).split_off(from)
}

/// The output of Xoofffie: without the permutation between compression and expansion.
pub fn short_output(key: &[u8], strings: &[Bits<'_>], len: usize) -> Vec<u8> {
    expand(key, strings, |state| *state, len)
}

fn expand(key: &[u8], strings: &[Bits<'_>], p_d: fn(&State) -> State, len: usize) -> Vec<u8> {
    let mut mask = p(&padded((key, &[])).try_into().unwrap());
    let mut sum = [0; 48];
    for string in strings {
        for block in padded(*string).chunks(48) {
            let permuted = p(&xor(block, &mask).try_into().unwrap());
            sum = xor(&sum, &permuted).try_into().unwrap();
            mask = roll_mask(&mask);
        }
        // A step that belongs to no block tells where a string ends.
        mask = roll_mask(&mask);
    }
    let (mut state, mut out) = (p_d(&sum), Vec::new());
    while out.len() < len {
        out.extend(xor(&p(&state), &mask));
        state = roll_state(&state);
    }
    out.truncate(len);
    out
}

/// Two strings: a string and its bits, associated data and plaintext, or ciphertext and tag.
type Pair = (Vec<u8>, Vec<u8>);

/// The strings of a session.
type History = Vec<Pair>;

fn of(key: &[u8], history: &History, from: usize, len: usize) -> Vec<u8> {
    let strings: Vec<Bits<'_>> =
        history.iter().map(|(bytes, bits)| (&bytes[..], &bits[..])).collect();
    output(key, &strings, from, len)
}

/// SANE: the first tag, then ciphertext and tag of each message.
pub fn sane(key: &[u8], nonce: &[u8], messages: &[Pair]) -> (Vec<u8>, Vec<Pair>) {
    let mut history = vec![(nonce.to_vec(), vec![])];
    let first = of(key, &history, 0, 16);
    let seal = |(turn, (associated, plain)): (usize, &Pair)| {
        let turn = turn as u8 % 2;
        let sealed = xor(plain, &of(key, &history, 16, plain.len()));
        if !associated.is_empty() || plain.is_empty() {
            history.push((associated.clone(), vec![0, turn]));
        }
        if !plain.is_empty() {
            history.push((sealed.clone(), vec![1, turn]));
        }
        (sealed, of(key, &history, 0, 16))
    };
    (first, messages.iter().enumerate().map(seal).collect())
}

/// SANSE: ciphertext and tag of each message.
pub fn sanse(key: &[u8], messages: &[Pair]) -> Vec<Pair> {
    let mut history = History::new();
    let seal = |(turn, (associated, plain)): (usize, &Pair)| {
        let turn = turn as u8 % 2;
        if !associated.is_empty() || plain.is_empty() {
            history.push((associated.clone(), vec![0, turn]));
        }
        if plain.is_empty() {
            return (Vec::new(), of(key, &history, 0, 32));
        }
        let mut keystream = history.clone();
        history.push((plain.clone(), vec![0, 1, turn]));
        let tag = of(key, &history, 0, 32);
        keystream.push((tag.clone(), vec![1, 1, turn]));
        (xor(plain, &of(key, &keystream, 0, plain.len())), tag)
    };
    messages.iter().enumerate().map(seal).collect()
}

/// The length of the left half of a wide block ("split" of Farfalle-WBC, in bytes).
fn left_half(len: usize) -> usize {
    if len < 2 * 48 - 1 {
        return len.div_ceil(2);
    }
    let blocks = (len + 1) / 48 + 1;
    let right = 1 << (blocks - 1).ilog2();
    (blocks - right) * 48 - 1
}

/// WBC: a block of at least two bytes.
pub fn encipher(key: &[u8], tweak: &[u8], block: &[u8]) -> Vec<u8> {
    let (left, right) = block.split_at(left_half(block.len()));
    let (mut left, mut right) = (left.to_vec(), right.to_vec());
    // The outer rounds change one block at most.
    let outer = |from: &[u8], bit: u8, to: &mut Vec<u8>| {
        let first = to.len().min(48);
        let changed = xor(&to[..first], &short_output(key, &[(from, &[bit])], first));
        to[..first].copy_from_slice(&changed);
    };
    let inner = |from: &[u8], bit: u8, to: &mut Vec<u8>| {
        *to = xor(to, &output(key, &[(tweak, &[]), (from, &[bit])], 0, to.len()));
    };
    outer(&left, 0, &mut right);
    inner(&right, 1, &mut left);
    inner(&left, 0, &mut right);
    outer(&right, 1, &mut left);
    [left, right].concat()
}

/// WBC-AE: the sealed message is 16 bytes longer.
pub fn seal(key: &[u8], associated: &[u8], message: &[u8]) -> Vec<u8> {
    encipher(key, associated, &[message, &[0; 16]].concat())
}
