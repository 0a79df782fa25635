use super::*;
use crate::isa::Backend;

struct Whole<'a, O>(&'a [u8; 16], &'a [u8], PhantomData<O>);

impl<O: Order> Task for Whole<'_, O> {
    type Out = [u8; 16];
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) -> [u8; 16] {
        let mut powers = Powers::blank();
        if O::REVERSED {
            powers.ghash(isa, self.0);
        } else {
            powers.polyval(isa, self.0, self.1.len() / 16);
        }
        let mut sum = isa.run(Hash::<O>::padded(&powers, [0; 16], self.1));
        if O::REVERSED {
            sum.reverse();
        }
        sum
    }
}

fn bytes(hex: u128) -> [u8; 16] {
    hex.to_be_bytes()
}

/// RFC 8452, appendix A.
#[test]
fn published_example() {
    let h = bytes(0x25629347589242761d31f826ba4b757b);
    let x = [bytes(0x4f4f95668c83dfb6401762bb2d01a262), bytes(0xd1a24ddd2721d006bbe45f20d3c9f362)];
    for backend in Backend::available() {
        let polyval = backend.run(Whole::<Polyval>(&h, x.as_flattened(), PhantomData));
        assert_eq!(polyval, bytes(0xf7a3b47b846119fae5b7866cf5e5b77e), "{backend}");
        let ghash = backend.run(Whole::<Ghash>(&h, x.as_flattened(), PhantomData));
        assert_eq!(ghash, bytes(0xbd9b3997046731fb96251b91f9c99d7a), "{backend}");
    }
}

/// SP 800-38D, algorithms 1 and 2, bit by bit.
fn naive(h: &[u8; 16], data: &[u8]) -> [u8; 16] {
    let h = u128::from_be_bytes(*h);
    let mut y = 0u128;
    for block in data.chunks(16) {
        let mut padded = [0; 16];
        padded[..block.len()].copy_from_slice(block);
        y ^= u128::from_be_bytes(padded);
        let (mut z, mut v) = (0, h);
        for i in (0..128).rev() {
            if y >> i & 1 == 1 {
                z ^= v;
            }
            v = (v >> 1) ^ if v & 1 == 1 { 0xe1 << 120 } else { 0 };
        }
        y = z;
    }
    y.to_be_bytes()
}

#[test]
fn every_number_of_blocks_agrees_with_the_definition() {
    let mut data = [0; 16 * 70 + 15];
    let mut x = 1u64;
    for byte in &mut data {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *byte = (x >> 56) as u8;
    }
    let h = bytes(0x8000_0000_0123_4567_89ab_cdef_0000_ff01);
    for backend in Backend::available() {
        for len in 0..data.len() {
            let got = backend.run(Whole::<Ghash>(&h, &data[..len], PhantomData));
            assert_eq!(got, naive(&h, &data[..len]), "{len} bytes on {backend}");
        }
    }
}
