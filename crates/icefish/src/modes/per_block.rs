//! Chaining modes that are three functions of a block.

use super::{Chain, Mode};
use crate::Block;
use crate::cipher::{Cipher, Decrypt, Direction, Encrypt, Wide};
use crate::isa::{InOut, Isa, Sink, erase};

/// A chaining mode that takes one block after the other, as three functions. It is a [`Mode`] with them: messages of whole blocks
/// or with a padding, and an IV of a block, which is the first chaining value.
///
/// Implementations are `#[inline(always)]`.
///
/// ```
/// use icefish::{Key, cipher::Wide, ciphers::Aes128, isa::Isa, modes::PerBlock};
///
/// /// Each plaintext block is XORed with the plaintext block before it. It has no use.
/// #[derive(Clone, Copy)]
/// struct PlaintextFeedback;
///
/// impl PerBlock for PlaintextFeedback {
///     #[inline(always)]
///     fn plaintext<S: Isa, W: Wide<S>>(isa: S, block: W, chain: W) -> W {
///         block.xor(isa, chain)
///     }
///     #[inline(always)]
///     fn next<S: Isa, W: Wide<S>>(_: S, _: W, plaintext: W, _: W) -> W {
///         plaintext
///     }
/// }
///
/// let key = Key::<Aes128>::new(&[7; 16])?;
/// let mut data = [5; 64];
/// key.encrypt(PlaintextFeedback, &[1; 16], &mut data)?;
/// assert_eq!(data[16..32], data[32..48]); // equal plaintext blocks show
/// key.decrypt(PlaintextFeedback, &[1; 16], &mut data)?;
/// assert_eq!(data, [5; 64]);
/// # Ok::<(), icefish::Error>(())
/// ```
pub trait PerBlock: Copy + Send + Sync {
    /// The input of the cipher for a plaintext block. Decryption applies it to the output of the cipher, so it must be its own
    /// inverse: the XOR of a value that depends on `chain` alone.
    fn plaintext<S: Isa, W: Wide<S>>(isa: S, block: W, chain: W) -> W;

    /// The ciphertext block for an output of the cipher. Decryption applies it to the ciphertext block, so it must be its own
    /// inverse too. The default changes nothing.
    #[inline(always)]
    fn ciphertext<S: Isa, W: Wide<S>>(isa: S, block: W, chain: W) -> W {
        let _ = (isa, chain);
        block
    }

    /// The chaining value for the next block.
    fn next<S: Isa, W: Wide<S>>(isa: S, chain: W, plaintext: W, ciphertext: W) -> W;
}

impl<M: PerBlock> Mode for M {
    #[inline(always)]
    fn blocks<C: Cipher, D: Direction, S: Isa>(
        &self,
        isa: S,
        cipher: &C,
        chain: Chain<'_, C::Block>,
        mut io: InOut<'_>,
    ) {
        let mut before = C::One::<S>::load(isa, chain.block().as_ref());
        let len = C::Block::LEN;
        let mut at = 0;
        while at < io.len() {
            let input = C::One::<S>::load(isa, &io.input()[at..at + len]);
            let mut output = if D::ENCRYPT {
                let output = cipher.one::<S, Encrypt>(isa, M::plaintext(isa, input, before));
                M::ciphertext(isa, output, before)
            } else {
                // Where the input of the cipher does not depend on the previous block, the CPU overlaps the blocks.
                let output = cipher.one::<S, Decrypt>(isa, M::ciphertext(isa, input, before));
                M::plaintext(isa, output, before)
            };
            let (plain, sealed) = if D::ENCRYPT { (input, output) } else { (output, input) };
            before = M::next(isa, before, plain, sealed);
            output.store(isa, io.sink(at, len));
            at += len;
        }
        let mut block = C::Block::zero();
        before.store(isa, Sink::new(block.as_mut()));
        chain.set_block(block);
        // It may depend on plaintext.
        erase(block.as_mut());
    }
}
