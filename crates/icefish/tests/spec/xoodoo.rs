//! Xoodoo: Daemen, Hoffert, Van Assche and Van Keer, "The design of Xoodoo and Xoofff", ToSC 2018-4, section 2. Xoodoo64 is the
//! same function over two lanes of 64 bits instead of four of 32.

/// The permutation's widths and distances.
pub struct Xoodoo {
    /// Bits in a lane.
    width: u32,
    /// Rotations of the parity of a column in theta.
    theta: [u32; 2],
    /// Rotation of plane 2 in rho west.
    west: u32,
    /// Lanes and bits by which rho east moves plane 2.
    east: (usize, u32),
}

pub const XOODOO: Xoodoo = Xoodoo { width: 32, theta: [5, 14], west: 11, east: (2, 8) };
pub const XOODOO64: Xoodoo = Xoodoo { width: 64, theta: [10, 29], west: 23, east: (1, 16) };

/// Table 2. Fewer rounds than twelve are the last ones.
const ROUND_CONSTANTS: [u64; 12] =
    [0x058, 0x038, 0x3c0, 0x0d0, 0x120, 0x014, 0x060, 0x02c, 0x380, 0x0f0, 0x1a0, 0x012];

impl Xoodoo {
    /// A plane that is moved by lanes, whose bits are rotated.
    fn moved(&self, plane: &[u64], lanes: usize, bits: u32) -> Vec<u64> {
        let n = plane.len();
        let rotated = |lane: u64| {
            if self.width == 32 {
                u64::from((lane as u32).rotate_left(bits))
            } else {
                lane.rotate_left(bits)
            }
        };
        (0..n).map(|x| rotated(plane[(n + x - lanes) % n])).collect()
    }

    fn round(&self, a: &mut [Vec<u64>; 3], constant: u64) {
        let n = a[0].len();
        // Theta.
        let parity: Vec<u64> = (0..n).map(|x| a[0][x] ^ a[1][x] ^ a[2][x]).collect();
        let [e, f] = self.theta.map(|bits| self.moved(&parity, 1, bits));
        for plane in a.iter_mut() {
            for x in 0..n {
                plane[x] ^= e[x] ^ f[x];
            }
        }
        // Rho west.
        a[1] = self.moved(&a[1], 1, 0);
        a[2] = self.moved(&a[2], 0, self.west);
        // Iota.
        a[0][0] ^= constant;
        // Chi.
        let before = a.clone();
        for y in 0..3 {
            for x in 0..n {
                a[y][x] ^= !before[(y + 1) % 3][x] & before[(y + 2) % 3][x];
            }
        }
        // Rho east.
        a[1] = self.moved(&a[1], 0, 1);
        a[2] = self.moved(&a[2], self.east.0, self.east.1);
        if self.width == 32 {
            a.iter_mut().flatten().for_each(|lane| *lane &= 0xffff_ffff);
        }
    }

    /// `rounds` rounds of a state: three planes of 16 bytes.
    pub fn permute(&self, rounds: usize, state: &[u8; 48]) -> [u8; 48] {
        let size = self.width as usize / 8;
        let lane = |bytes: &[u8]| bytes.iter().rev().fold(0, |lane, &b| lane << 8 | u64::from(b));
        let plane = |y: usize| state[16 * y..16 * y + 16].chunks(size).map(lane).collect();
        let mut a: [Vec<u64>; 3] = [plane(0), plane(1), plane(2)];
        for &constant in &ROUND_CONSTANTS[12 - rounds..] {
            self.round(&mut a, constant);
        }
        let bytes: Vec<u8> =
            a.iter().flatten().flat_map(|lane| lane.to_le_bytes()[..size].to_vec()).collect();
        bytes.try_into().unwrap()
    }
}
