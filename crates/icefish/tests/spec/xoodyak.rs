//! Xoodyak: Daemen, Hoffert, Mella, Peeters, Van Assche and Van Keer, "Xoodyak, a lightweight cryptographic scheme", 2021:
//! algorithm 1 (Cyclist), hashing and authenticated encryption.

use super::xoodoo::XOODOO;
use super::xor;

/// A state of Cyclist.
#[derive(Clone)]
pub struct Cyclist {
    state: [u8; 48],
    up: bool,
    keyed: bool,
}

impl Cyclist {
    /// The hash mode.
    pub fn hash() -> Self {
        Self { state: [0; 48], up: true, keyed: false }
    }

    /// The keyed mode.
    pub fn keyed(key: &[u8], identifier: &[u8], counter: &[u8]) -> Self {
        let mut cyclist = Self { state: [0; 48], up: true, keyed: true };
        let string = [key, identifier, &[identifier.len() as u8]].concat();
        cyclist.absorb_any(&string, 44, 0x02);
        if !counter.is_empty() {
            cyclist.absorb_any(counter, 1, 0);
        }
        cyclist
    }

    fn down(&mut self, block: &[u8], colour: u8) {
        for (state, byte) in self.state.iter_mut().zip(block) {
            *state ^= byte;
        }
        self.state[block.len()] ^= 0x01;
        self.state[47] ^= if self.keyed { colour } else { colour & 1 };
        self.up = false;
    }

    fn up(&mut self, len: usize, colour: u8) -> Vec<u8> {
        if self.keyed {
            self.state[47] ^= colour;
        }
        self.state = XOODOO.permute(12, &self.state);
        self.up = true;
        self.state[..len].to_vec()
    }

    fn absorb_any(&mut self, string: &[u8], rate: usize, mut colour: u8) {
        for block in split(string, rate) {
            if !self.up {
                self.up(0, 0);
            }
            self.down(block, colour);
            colour = 0;
        }
    }

    fn squeeze_any(&mut self, len: usize, colour: u8) -> Vec<u8> {
        let rate = if self.keyed { 24 } else { 16 };
        let mut out = self.up(len.min(rate), colour);
        while out.len() < len {
            self.down(&[], 0);
            out.extend(self.up((len - out.len()).min(rate), 0));
        }
        out
    }

    fn crypt(&mut self, input: &[u8], decrypts: bool) -> Vec<u8> {
        let (mut out, mut colour) = (Vec::new(), 0x80);
        for block in split(input, 24) {
            let result = xor(block, &self.up(block.len(), colour));
            self.down(if decrypts { &result } else { block }, 0);
            out.extend(result);
            colour = 0;
        }
        out
    }

    pub fn absorb(&mut self, string: &[u8]) {
        self.absorb_any(string, if self.keyed { 44 } else { 16 }, 0x03);
    }

    pub fn squeeze(&mut self, len: usize) -> Vec<u8> {
        self.squeeze_any(len, 0x40)
    }

    pub fn squeeze_key(&mut self, len: usize) -> Vec<u8> {
        self.squeeze_any(len, 0x20)
    }

    pub fn ratchet(&mut self) {
        let string = self.squeeze_any(16, 0x10);
        self.absorb_any(&string, 44, 0);
    }

    pub fn encrypt(&mut self, plain: &[u8]) -> Vec<u8> {
        self.crypt(plain, false)
    }

    pub fn decrypt(&mut self, sealed: &[u8]) -> Vec<u8> {
        self.crypt(sealed, true)
    }
}

/// Blocks of a string. An empty string has one block.
fn split(string: &[u8], rate: usize) -> Vec<&[u8]> {
    if string.is_empty() { vec![string] } else { string.chunks(rate).collect() }
}

/// The hash, of any length.
pub fn hash(message: &[u8], len: usize) -> Vec<u8> {
    let mut cyclist = Cyclist::hash();
    cyclist.absorb(message);
    cyclist.squeeze(len)
}

/// Ciphertext and tag, for a key of 16 bytes.
pub fn seal(key: &[u8], nonce: &[u8], associated: &[u8], message: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut cyclist = Cyclist::keyed(key, nonce, &[]);
    cyclist.absorb(associated);
    let sealed = cyclist.encrypt(message);
    (sealed, cyclist.squeeze(16))
}
