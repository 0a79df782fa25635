//! Xoofff has no published answers that fit here: it is written out once more, slowly, over the permutation of another
//! crate, from the specification ("The design of Xoodoo and Xoofff", section 3).

use super::super::{Operation, Setup};
use super::{of, painted};

type State = [u32; 12];

/// Plane `y` has the lanes `4 y .. 4 y + 4`.
fn permute(state: State) -> State {
    let peer = of(Operation::Xoodoo { rounds: 6 }).into_iter().find(|peer| peer.peer == "xoodoo");
    let setup = Setup { key: &[], iv: &[], tweak: &[] };
    let mut buffer = to_bytes(state);
    peer.and_then(|peer| peer.make(&setup)).expect("compiled in").run(&mut buffer);
    from_bytes(&buffer)
}

fn to_bytes(state: State) -> Vec<u8> {
    state.iter().flat_map(|lane| lane.to_le_bytes()).collect()
}

/// Shorter inputs are padded with a one bit and zeros.
fn from_bytes(bytes: &[u8]) -> State {
    let mut padded = bytes.to_vec();
    if padded.len() < 48 {
        padded.push(1);
        padded.resize(48, 0);
    }
    std::array::from_fn(|i| {
        u32::from_le_bytes(padded[4 * i..4 * i + 4].try_into().expect("four bytes"))
    })
}

fn xor(a: State, b: State) -> State {
    std::array::from_fn(|i| a[i] ^ b[i])
}

/// Plane 0 gets the new lane, then the planes trade places: 1, 2, and plane 0 shifted by one lane.
fn roll(state: State, new: u32) -> State {
    let mut rolled = [0; 12];
    rolled[..8].copy_from_slice(&state[4..]);
    rolled[8..11].copy_from_slice(&state[1..4]);
    rolled[11] = new;
    rolled
}

fn roll_compress(a: State) -> State {
    roll(a, a[0] ^ (a[0] << 13) ^ a[4].rotate_left(3))
}

fn roll_expand(a: State) -> State {
    roll(a, (a[4] & a[8]) ^ a[0].rotate_left(5) ^ a[4].rotate_left(13) ^ 7)
}

fn xoofff(key: &[u8], message: &[u8], length: usize) -> Vec<u8> {
    let mut mask = permute(from_bytes(key));
    let mut sum = [0; 12];
    let (whole, rest) = message.as_chunks::<48>();
    for block in whole.iter().map(|block| &block[..]).chain([rest]) {
        sum = xor(sum, permute(xor(from_bytes(block), mask)));
        mask = roll_compress(mask);
    }
    mask = roll_compress(mask);
    let mut state = permute(sum);
    let mut output = Vec::new();
    while output.len() < length {
        output.extend(to_bytes(xor(permute(state), mask)));
        state = roll_expand(state);
    }
    output.truncate(length);
    output
}

#[test]
fn agrees_with_the_specification_written_out() {
    let (key, iv) = (painted(32, 1), painted(16, 50));
    for length in [1, 47, 48, 49, 95, 96, 97, 1000] {
        let input = painted(length, 7);
        for peer in of(Operation::XoofffExpand) {
            let mut buffer = input.clone();
            peer.make(&Setup { key: &key, iv: &iv, tweak: &[] })
                .expect("the set-up fits")
                .run(&mut buffer);
            assert_eq!(buffer, xoofff(&key, &iv, length), "expand {length}");
        }
        for peer in of(Operation::XoofffCompress) {
            let mut buffer = input.clone();
            let mut work =
                peer.make(&Setup { key: &key, iv: &[], tweak: &[] }).expect("the set-up fits");
            work.run(&mut buffer);
            assert_eq!(work.tag(), xoofff(&key, &input, 32), "compress {length}");
            assert_eq!(buffer, input);
        }
    }
}
