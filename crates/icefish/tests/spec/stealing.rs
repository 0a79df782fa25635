//! CBC with ciphertext stealing: addendum to NIST SP 800-38A (October 2010).

use super::{BlockCipher, modes};

/// A message of at least one block. `variant` is 1, 2 or 3 for CS1, CS2 and CS3.
pub fn encrypt(cipher: &dyn BlockCipher, variant: u8, iv: &[u8], message: &[u8]) -> Vec<u8> {
    let size = cipher.size();
    let mut padded = message.to_vec();
    padded.resize(message.len().next_multiple_of(size), 0);
    let sealed = modes::encrypt(cipher, "cbc", iv, &padded);
    let mut blocks: Vec<Vec<u8>> = sealed.chunks(size).map(<[u8]>::to_vec).collect();
    let n = blocks.len();
    if n > 1 {
        // What the last but one block loses, the last one carries.
        let last = message.len() - (n - 1) * size;
        blocks[n - 2].truncate(last);
        if variant == 3 || variant == 2 && last < size {
            blocks.swap(n - 2, n - 1);
        }
    }
    blocks.concat()
}
