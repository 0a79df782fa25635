//! Skein: "The Skein Hash Function Family", version 1.3.

use super::threefish::Threefish;
use super::{BlockCipher, xor};

/// Types of strings (table 6), in the order in which they are hashed.
pub const KEY: u8 = 0;
pub const CONFIGURATION: u8 = 4;
pub const MESSAGE: u8 = 48;
pub const OUTPUT: u8 = 63;

/// A string of bits; a byte begins with its highest bit.
#[derive(Clone, Copy)]
pub struct Bits<'a>(pub &'a [u8], pub usize);

impl<'a> Bits<'a> {
    pub fn whole(bytes: &'a [u8]) -> Self {
        Self(bytes, 8 * bytes.len())
    }

    /// The bytes, of which the last is padded, and whether it is (section 3.4).
    fn padded(self) -> (Vec<u8>, bool) {
        let mut bytes = self.0[..self.1.div_ceil(8)].to_vec();
        if self.1.is_multiple_of(8) {
            return (bytes, false);
        }
        let one = 0x80 >> (self.1 % 8);
        let last = bytes.last_mut().unwrap();
        *last = *last & !(2 * one - 1) | one;
        (bytes, true)
    }
}

/// Unique Block Iteration (section 3.4) from the chaining value `g`, over a string that begins at byte `position` of its message,
/// at a level of a tree.
fn ubi(g: &[u8], string: Bits<'_>, kind: u8, level: u8, position: u64) -> Vec<u8> {
    let (mut bytes, padded) = string.padded();
    let (size, len) = (g.len(), bytes.len());
    bytes.resize(len.next_multiple_of(size).max(size), 0);
    let (mut g, blocks) = (g.to_vec(), bytes.len() / size);
    for (i, block) in bytes.chunks(size).enumerate() {
        let (first, last) = (i == 0, i + 1 == blocks);
        let done = if last { len } else { (i + 1) * size };
        let mut tweak = [0; 16];
        tweak[..8].copy_from_slice(&(position + done as u64).to_le_bytes());
        tweak[14] = level | u8::from(last && padded) << 7;
        tweak[15] = kind | u8::from(first) << 6 | u8::from(last) << 7;
        g = xor(&Threefish::new(&g, &tweak).encrypt(block), block);
    }
    g
}

/// The shape of a tree (section 3.5.6): leaves of 2^`leaf` blocks, nodes of 2^`node`, at most `height` levels.
#[derive(Clone, Copy, Default)]
pub struct Tree {
    pub leaf: u8,
    pub node: u8,
    pub height: u8,
}

/// The first `out` bits of the digest. `size` is the length of the state in bytes. `strings` are the other arguments with their
/// types, in order; a key among them comes first.
pub fn hash(
    size: usize,
    out: usize,
    strings: &[(u8, &[u8])],
    tree: Tree,
    message: Bits<'_>,
) -> Vec<u8> {
    let mut g = vec![0; size];
    for &(_, key) in strings.iter().filter(|(kind, key)| *kind == KEY && !key.is_empty()) {
        g = ubi(&g, Bits::whole(key), KEY, 0, 0);
    }
    let mut configuration = [0; 32];
    configuration[..4].copy_from_slice(b"SHA3");
    configuration[4] = 1;
    configuration[8..16].copy_from_slice(&(out as u64).to_le_bytes());
    configuration[16..19].copy_from_slice(&[tree.leaf, tree.node, tree.height]);
    g = ubi(&g, Bits::whole(&configuration), CONFIGURATION, 0, 0);
    for &(kind, string) in strings.iter().filter(|(kind, _)| *kind != KEY) {
        g = ubi(&g, Bits::whole(string), kind, 0, 0);
    }
    g = if tree.height == 0 { ubi(&g, message, MESSAGE, 0, 0) } else { root(&g, tree, message) };
    let blocks = (0..out.div_ceil(8 * size) as u64).map(|i| {
        let number = i.to_le_bytes();
        ubi(&g, Bits::whole(&number), OUTPUT, 0, 0)
    });
    let mut digest = blocks.collect::<Vec<_>>().concat();
    digest.truncate(out.div_ceil(8));
    if !out.is_multiple_of(8) {
        *digest.last_mut().unwrap() &= !(0xff >> (out % 8));
    }
    digest
}

/// The root of a tree.
fn root(g: &[u8], tree: Tree, message: Bits<'_>) -> Vec<u8> {
    let mut level = 1;
    let mut nodes = units(g, message, g.len() << tree.leaf, level);
    while nodes.len() > g.len() {
        level += 1;
        if level == tree.height {
            return ubi(g, Bits::whole(&nodes), MESSAGE, level, 0);
        }
        nodes = units(g, Bits::whole(&nodes), g.len() << tree.node, level);
    }
    nodes
}

/// The chaining values of the units of a level, each of `len` bytes and the last perhaps shorter.
fn units(g: &[u8], data: Bits<'_>, len: usize, level: u8) -> Vec<u8> {
    let bytes = &data.0[..data.1.div_ceil(8)];
    let mut out = Vec::new();
    for i in 0..bytes.len().div_ceil(len).max(1) {
        let unit = &bytes[i * len..bytes.len().min((i + 1) * len)];
        let bits = (8 * unit.len()).min(data.1 - 8 * i * len);
        out.extend(ubi(g, Bits(unit, bits), MESSAGE, level, (i * len) as u64));
    }
    out
}
