//! AEGIS: RFC 10032, for one, two or four states side by side. AEGIS-128L and -128X have states of eight blocks, and AEGIS-256
//! and -256X of six.

use super::aes;

type Block = [u8; 16];
/// A state.
type Blocks = Vec<Block>;

/// Section 2: the Fibonacci sequence modulo 256.
const C0: Block = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 121, 98];
const C1: Block = [219, 61, 24, 85, 109, 194, 47, 241, 32, 17, 49, 66, 115, 181, 40, 221];

fn xor(a: Block, b: Block) -> Block {
    std::array::from_fn(|i| a[i] ^ b[i])
}

fn and(a: Block, b: Block) -> Block {
    std::array::from_fn(|i| a[i] & b[i])
}

fn block(bytes: &[u8]) -> Block {
    bytes.try_into().unwrap()
}

/// Update (sections 3.3 and 4.3) of one state: with two blocks of data, or with one.
fn update(s: &mut Blocks, m: &[Block]) {
    let (old, n) = (s.clone(), s.len());
    for i in 0..n {
        let mut key = old[i];
        if i % 4 == 0 && i / 4 < m.len() {
            key = xor(key, m[i / 4]);
        }
        s[i] = xor(aes::round(old[(n + i - 1) % n]), key);
    }
}

/// Init (sections 3.4, 4.4, 5.4.2 and 5.5.2): all states. Keys and nonces have one block or two.
fn begin(degree: usize, key: &[u8], nonce: &[u8]) -> Vec<Blocks> {
    let (one, updates): (Blocks, Vec<Vec<Block>>) = if key.len() == 16 {
        let (k, n) = (block(key), block(nonce));
        let kn = xor(k, n);
        let s = vec![kn, C1, C0, C1, kn, xor(k, C0), xor(k, C1), xor(k, C0)];
        (s, vec![vec![n, k]; 10])
    } else {
        let (k0, k1) = (block(&key[..16]), block(&key[16..]));
        let (kn0, kn1) = (xor(k0, block(&nonce[..16])), xor(k1, block(&nonce[16..])));
        let s = vec![kn0, kn1, C1, C0, xor(k0, C0), xor(k1, C1)];
        (s, [k0, k1, kn0, kn1].repeat(4).into_iter().map(|m| vec![m]).collect())
    };
    let n = one.len();
    let state = |i: usize| {
        let mut s = one.clone();
        let mut context = [0; 16];
        if degree > 1 {
            (context[0], context[1]) = (i as u8, degree as u8 - 1);
        }
        for m in &updates {
            s[3] = xor(s[3], context);
            s[n - 1] = xor(s[n - 1], context);
            update(&mut s, m);
        }
        s
    };
    (0..degree).map(state).collect()
}

/// Blocks of data that a state takes in a step.
fn wide(s: &Blocks) -> usize {
    if s.len() == 8 { 2 } else { 1 }
}

/// The data of each state, from zero-padded bytes of one step: block j of state i is block i + j * degree.
fn split(states: &[Blocks], bytes: &[u8]) -> Vec<Vec<Block>> {
    let (degree, m) = (states.len(), wide(&states[0]));
    let mut padded = bytes.to_vec();
    padded.resize(16 * degree * m, 0);
    let at = |i: usize, j: usize| block(&padded[16 * (i + j * degree)..][..16]);
    (0..degree).map(|i| (0..m).map(|j| at(i, j)).collect()).collect()
}

/// The keystream of one state (sections 3.6 and 4.6).
fn keystream(s: &Blocks) -> Vec<Block> {
    if s.len() == 8 {
        let z0 = xor(xor(s[6], s[1]), and(s[2], s[3]));
        let z1 = xor(xor(s[2], s[5]), and(s[6], s[7]));
        return vec![z0, z1];
    }
    vec![xor(xor(xor(s[1], s[4]), s[5]), and(s[2], s[3]))]
}

/// The update of all states with zero-padded data (Absorb).
fn absorb(states: &mut [Blocks], data: &[u8]) {
    for part in data.chunks(16 * states.len() * wide(&states[0])) {
        let blocks = split(states, part);
        states.iter_mut().zip(&blocks).for_each(|(s, m)| update(s, m));
    }
}

/// Finalize (sections 3.9 and 4.9) with two numbers, of which the first is the length of the associated data in bits: a tag of 16
/// or 32 bytes for each state.
fn tags(states: &mut [Blocks], numbers: [usize; 2], tag_len: usize) -> Vec<Vec<u8>> {
    let numbers = numbers.map(|number| (number as u64).to_le_bytes()).concat();
    let tag = |s: &mut Blocks| {
        let t = xor(s[if s.len() == 8 { 2 } else { 3 }], block(&numbers));
        for _ in 0..7 {
            let m = vec![t; wide(s)];
            update(s, &m);
        }
        let sum = |blocks: &[Block]| blocks.iter().fold([0; 16], |sum, b| xor(sum, *b));
        match (tag_len, s.len()) {
            // The last block of AEGIS-128L is not in a short tag.
            (16, 8) => sum(&s[..7]).to_vec(),
            (16, _) => sum(s).to_vec(),
            (_, n) => [sum(&s[..n / 2]), sum(&s[n / 2..])].concat(),
        }
    };
    states.iter_mut().map(tag).collect()
}

/// Ciphertext and tag. `degree` is 1 for AEGIS-128L and AEGIS-256, 2 and 4 for X2 and X4; keys of 16 bytes are those of
/// AEGIS-128L.
pub fn seal(
    degree: usize,
    tag_len: usize,
    key: &[u8],
    nonce: &[u8],
    associated: &[u8],
    message: &[u8],
) -> (Vec<u8>, Vec<u8>) {
    let mut states = begin(degree, key, nonce);
    let rate = 16 * degree * wide(&states[0]);
    absorb(&mut states, associated);
    let mut sealed = Vec::new();
    for part in message.chunks(rate) {
        let streams: Vec<Vec<Block>> = states.iter().map(keystream).collect();
        let in_order = (0..wide(&states[0])).flat_map(|j| streams.iter().flat_map(move |z| z[j]));
        sealed.extend(super::xor(part, &in_order.collect::<Vec<u8>>()));
        absorb(&mut states, part);
    }
    let tags = tags(&mut states, [8 * associated.len(), 8 * message.len()], tag_len);
    let tag = tags.iter().fold(vec![0; tag_len], |sum, tag| super::xor(&sum, tag));
    (sealed, tag)
}

/// The tag of AEGISMAC (section 8).
pub fn mac(degree: usize, tag_len: usize, key: &[u8], nonce: &[u8], data: &[u8]) -> Vec<u8> {
    let mut states = begin(degree, key, nonce);
    absorb(&mut states, data);
    let of_states = tags(&mut states, [8 * data.len(), 8 * tag_len], tag_len);
    if degree == 1 {
        return of_states.concat();
    }
    // The first state absorbs the tags of the others; in AEGISMAC-128X, its own too if tags are short.
    let own = tag_len == 16 && key.len() == 16;
    absorb(&mut states[..1], &of_states[usize::from(!own)..].concat());
    tags(&mut states[..1], [degree, 8 * tag_len], tag_len).concat()
}
