//! AES (FIPS 197) with keys of 128, 192 and 256 bits.
//!
//! Constant-time on every backend: by AES instructions where they exist; elsewhere by bit-slicing for many blocks, and by look-ups
//! within registers for one.

mod chains;
mod schedule;
mod software;
mod states;

use self::software::{AnyLength, Bound};
use self::states::{One, States};
use crate::cipher::{
    self, Chaining, Cipher, Cursor, Decrypt, Direction, Encrypt, NewCipher, Pass, STRIP, With, Work,
};
use crate::isa::{AesRounds, Gain, InOut, Isa, Lazy, Streams, Task, anew, erase, forms};
use zeroize::ZeroizeOnDrop;

/// AES with a key of `NK` words and `KEYS` round keys (FIPS 197, section 5).
///
/// ```
/// use icefish::{Key, ciphers::Aes256};
/// let key = Key::<Aes256>::new(&[7; 32])?;
/// let mut block = [5; 16];
/// key.encrypt_block(&mut block);
/// key.decrypt_block(&mut block);
/// assert_eq!(block, [5; 16]);
/// # Ok::<(), icefish::Error>(())
/// ```
// Aligned: a round key that crosses a cache line takes two accesses.
#[repr(C, align(16))]
#[derive(Clone)]
pub struct Aes<const NK: usize, const KEYS: usize> {
    encrypt: [[u8; 16]; KEYS],
    /// For the equivalent inverse cipher (FIPS 197, section 5.3.5). Most modes never decrypt, so it is made on first use.
    decrypt: Lazy<[[u8; 16]; KEYS]>,
}

/// AES with a key of 16 bytes.
pub type Aes128 = Aes<4, 11>;
/// AES with a key of 24 bytes.
pub type Aes192 = Aes<6, 13>;
/// AES with a key of 32 bytes.
pub type Aes256 = Aes<8, 15>;

impl<const NK: usize, const KEYS: usize> Drop for Aes<NK, KEYS> {
    fn drop(&mut self) {
        erase(self.encrypt.as_flattened_mut());
        if let Some(keys) = self.decrypt.made() {
            erase(keys.as_flattened_mut());
        }
    }
}

/// Makes the round keys of the equivalent inverse cipher.
struct Inverse<'a, const KEYS: usize> {
    encrypt: &'a [[u8; 16]; KEYS],
    keys: &'a mut [[u8; 16]; KEYS],
}

impl<const KEYS: usize> Task for Inverse<'_, KEYS> {
    type Out = ();
    const GAIN: Gain = Gain::Aes;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        schedule::invert::<S, KEYS>(isa, self.encrypt, self.keys);
    }
}

impl<const NK: usize, const KEYS: usize> ZeroizeOnDrop for Aes<NK, KEYS> {}

impl<const NK: usize, const KEYS: usize> core::fmt::Debug for Aes<NK, KEYS> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Aes{}", 32 * NK)
    }
}

impl<const NK: usize, const KEYS: usize> NewCipher for Aes<NK, KEYS> {
    const KEY: usize = 4 * NK;
    const TWEAK: usize = 0;

    #[inline(always)]
    fn blank() -> Self {
        Self { encrypt: [[0; 16]; KEYS], decrypt: Lazy::new() }
    }

    #[inline(always)]
    fn schedule<S: Isa>(&mut self, isa: S, key: &[u8], _: &[u8]) {
        schedule::expand::<S, NK, KEYS>(isa, key, &mut self.encrypt);
        if let Some(keys) = self.decrypt.made() {
            erase(keys.as_flattened_mut());
            self.decrypt = Lazy::new();
        }
    }
}

impl<const NK: usize, const KEYS: usize> Aes<NK, KEYS> {
    /// All rounds, on `R` registers of states in parallel.
    #[inline(always)]
    fn rounds<S: Isa, D: Direction, A: AesRounds<S>, const R: usize>(
        isa: S,
        keys: &[[u8; 16]; KEYS],
        x: [A; R],
    ) -> [A; R] {
        Self::rounds_to::<S, D, A, R>(isa, keys, x, A::splat(isa, &keys[KEYS - 1]))
    }

    /// The same with another last round key.
    #[inline(always)]
    fn rounds_to<S: Isa, D: Direction, A: AesRounds<S>, const R: usize>(
        isa: S,
        keys: &[[u8; 16]; KEYS],
        x: [A; R],
        last: A,
    ) -> [A; R] {
        let x = Self::whitened(isa, keys, x);
        Self::rounds_after::<S, D, A, R>(isa, keys, x, last)
    }

    /// XORs the first round key.
    #[inline(always)]
    fn whitened<S: Isa, A: AesRounds<S>, const R: usize>(
        isa: S,
        keys: &[[u8; 16]; KEYS],
        mut x: [A; R],
    ) -> [A; R] {
        let whitening = A::splat(isa, &keys[0]);
        for state in &mut x {
            *state = state.xor(whitening);
        }
        x
    }

    /// The rounds after [`Aes::whitened`].
    #[inline(always)]
    fn rounds_after<S: Isa, D: Direction, A: AesRounds<S>, const R: usize>(
        isa: S,
        keys: &[[u8; 16]; KEYS],
        mut x: [A; R],
        last: A,
    ) -> [A; R] {
        for round_key in &keys[1..KEYS - 1] {
            let key = A::splat(isa, round_key);
            for state in &mut x {
                *state = if D::ENCRYPT { state.enc(key) } else { state.dec(key) };
            }
        }
        for state in &mut x {
            *state = if D::ENCRYPT { state.enc_last(last) } else { state.dec_last(last) };
        }
        x
    }

    /// The rounds after [`Aes::whitened`], with a step of other work after each of the first rounds.
    #[inline(always)]
    fn rounds_beside<S: Isa, D: Direction, P: Pass, const R: usize>(
        isa: S,
        keys: &[[u8; 16]; KEYS],
        mut x: [S::Aes; R],
        pass: &mut P,
        mut work: P::Beside<S>,
    ) -> [S::Aes; R] {
        const { assert!(P::STEPS <= KEYS - 2) };
        // The last two steps differ from the others.
        for i in 0..P::STEPS - 2 {
            x = Self::round::<S, D, R>(isa, &keys[i + 1], x);
            pass.step(isa, &mut work, i);
        }
        x = Self::round::<S, D, R>(isa, &keys[P::STEPS - 1], x);
        pass.step(isa, &mut work, P::STEPS - 2);
        x = Self::round::<S, D, R>(isa, &keys[P::STEPS], x);
        pass.step(isa, &mut work, P::STEPS - 1);
        for i in P::STEPS..KEYS - 2 {
            x = Self::round::<S, D, R>(isa, &keys[i + 1], x);
        }
        let last = S::Aes::splat(isa, &keys[KEYS - 1]);
        for state in &mut x {
            *state = if D::ENCRYPT { state.enc_last(last) } else { state.dec_last(last) };
        }
        x
    }

    /// A round between the first and the last.
    #[inline(always)]
    fn round<S: Isa, D: Direction, const R: usize>(
        isa: S,
        key: &[u8; 16],
        mut x: [S::Aes; R],
    ) -> [S::Aes; R] {
        let key = S::Aes::splat(isa, key);
        for state in &mut x {
            *state = if D::ENCRYPT { state.enc(key) } else { state.dec(key) };
        }
        x
    }

    #[inline(always)]
    fn keys<S: Isa, D: Direction>(&self, isa: S) -> &[[u8; 16]; KEYS] {
        if D::ENCRYPT {
            return &self.encrypt;
        }
        let encrypt = &self.encrypt;
        self.decrypt.get([[0; 16]; KEYS], |keys| isa.run(Inverse { encrypt, keys }))
    }

    /// Takes batches of `R` registers, as long as there are enough blocks.
    #[inline(always)]
    fn batches<S: Isa, D: Direction, P: Pass, const R: usize>(
        &self,
        isa: S,
        pass: &mut P,
        cursor: &mut Cursor,
    ) {
        let blocks = R * S::Aes::N;
        // Read before states are in registers: the call that makes the decryption keys would spill them.
        let keys = self.keys::<S, D>(isa);
        while let Some(at) = cursor.take(blocks) {
            let x: States<S::Aes, R> = pass.enter(isa, at, blocks);
            // Round keys that are read before the loop do not fit in the registers, and would be broadcast again in each iteration.
            // A load broadcasts at no cost.
            let keys = anew(keys);
            // Before the branch, so that this XOR and the last one of `enter` become one instruction.
            let x = Self::whitened(isa, keys, x.0);
            let x = match pass.beside::<S, States<S::Aes, R>>(isa, at, blocks) {
                Some(work) => Self::rounds_beside::<S, D, P, R>(isa, keys, x, pass, work),
                None => {
                    let last = S::Aes::splat(isa, &keys[KEYS - 1]);
                    Self::rounds_after::<S, D, S::Aes, R>(isa, keys, x, last)
                }
            };
            pass.leave(isa, at, blocks, &mut States(x));
        }
    }
}

impl<const NK: usize, const KEYS: usize> Cipher for Aes<NK, KEYS> {
    type Block = [u8; 16];
    const GAIN: Gain = Gain::Aes;
    type One<S: Isa> = One<S::AesOne>;

    fn batch<S: Isa>() -> usize {
        if S::Aes::SLICED { STRIP / 16 } else { 8 * S::Aes::N }
    }

    #[inline(always)]
    fn one<S: Isa, D: Direction>(&self, isa: S, block: One<S::AesOne>) -> One<S::AesOne> {
        if D::ENCRYPT {
            let inner = self.middle(isa, self.whiten(isa, block));
            let last = S::AesOne::splat(isa, &self.encrypt[KEYS - 1]);
            return One(AesRounds::<S>::last(inner.0, last));
        }
        One(Self::rounds::<S, D, S::AesOne, 1>(isa, self.keys::<S, D>(isa), [block.0])[0])
    }

    #[inline(always)]
    fn is_short<S: Isa>() -> bool {
        !S::Aes::SLICED
    }
    fn lanes<S: Isa>() -> usize {
        match S::Aes::N {
            _ if S::Aes::SLICED => cipher::batch::<Self, S>(),
            4 => 4 * forms().aes_chains_512,
            n => 8 * n,
        }
    }
    #[inline(always)]
    fn chains<S: Isa, H: Chaining>(ciphers: &[&Self], isa: S, streams: &mut Streams<'_, [u8; 16]>) {
        if S::Aes::SLICED {
            return software::chains::<S, H, NK, KEYS>(ciphers, isa, streams);
        }
        match ciphers {
            [cipher] => cipher.packed::<S, H>(isa, streams),
            _ => cipher::one_by_one::<Self, S, H>(ciphers, isa, streams),
        }
    }
    #[inline(always)]
    fn asks_beside<S: Isa>() -> bool {
        !S::Aes::SLICED
    }
    #[inline(always)]
    fn side_by_side<S: Isa, const M: usize>(
        &self,
        isa: S,
        mut blocks: [One<S::AesOne>; M],
    ) -> [One<S::AesOne>; M] {
        let mut x = [blocks[0].0; M];
        for m in 0..M {
            x[m] = blocks[m].0;
        }
        let x = Self::rounds::<S, Encrypt, S::AesOne, M>(isa, &self.encrypt, x);
        for m in 0..M {
            blocks[m] = One(x[m]);
        }
        blocks
    }
    #[inline(always)]
    fn whiten<S: Isa>(&self, isa: S, block: One<S::AesOne>) -> One<S::AesOne> {
        One(block.0.xor(S::AesOne::splat(isa, &self.encrypt[0])))
    }
    #[inline(always)]
    fn middle<S: Isa>(&self, isa: S, block: One<S::AesOne>) -> One<S::AesOne> {
        One(block.0.inner(isa, &self.encrypt[1..KEYS - 1]))
    }
    #[inline(always)]
    fn finish<S: Isa>(
        &self,
        isa: S,
        block: One<S::AesOne>,
        with: One<S::AesOne>,
    ) -> One<S::AesOne> {
        let key = S::AesOne::splat(isa, &self.encrypt[KEYS - 1]);
        One(block.0.last(key.xor(with.0)))
    }
    /// One last round gives both results. A second one would at times delay the next block, which depends on the first.
    #[inline(always)]
    fn finish_both<S: Isa>(
        &self,
        isa: S,
        block: One<S::AesOne>,
        with: One<S::AesOne>,
    ) -> [One<S::AesOne>; 2] {
        let sum = self.finish(isa, block, with);
        [sum, One(sum.0.xor(with.0))]
    }

    #[inline(always)]
    fn decrypt_xor<S: Isa>(
        &self,
        isa: S,
        block: One<S::AesOne>,
        with: One<S::AesOne>,
    ) -> One<S::AesOne> {
        let keys = self.keys::<S, Decrypt>(isa);
        let last = S::AesOne::splat(isa, &keys[KEYS - 1]).xor(with.0);
        One(Self::rounds_to::<S, Decrypt, S::AesOne, 1>(isa, keys, [block.0], last)[0])
    }

    #[inline(always)]
    fn many<S: Isa, D: Direction, P: Pass>(&self, isa: S, pass: &mut P, blocks: usize) {
        if S::Aes::SLICED {
            return AnyLength::of(&Bound(self, isa)).many::<S, D, P>(isa, pass, blocks);
        }
        let mut cursor = Cursor::new::<P>(blocks);
        // Eight registers just fill the AES units (2 rounds per cycle, latency 4); sixteen are 5 % faster. A single batch of
        // sixteen has nothing to overlap its end with: CBC decryption of 1 KiB takes 170 cycles with it, and 159 without (Intel
        // family 6 model 167).
        if S::Aes::N == 4 && !P::PREFERS_SMALL_BATCHES && blocks >= 2 * 16 * S::Aes::N {
            self.batches::<S, D, P, 16>(isa, pass, &mut cursor);
        }
        self.batches::<S, D, P, 8>(isa, pass, &mut cursor);
        self.batches::<S, D, P, 4>(isa, pass, &mut cursor);
        self.batches::<S, D, P, 1>(isa, pass, &mut cursor);
        while S::Aes::N > 1
            && let Some(at) = cursor.take(1)
        {
            let x: One<S::AesOne> = pass.enter(isa, at, 1);
            let mut x = self.one::<S, D>(isa, x);
            pass.leave(isa, at, 1, &mut x);
        }
    }
    #[inline(always)]
    fn block<S: Isa, D: Direction>(&self, isa: S, io: InOut<'_>) {
        if S::Aes::SLICED {
            return AnyLength::of(&Bound(self, isa)).block::<S, D>(isa, io);
        }
        cipher::block::<Self, S, D>(self, isa, io);
    }
    #[inline(always)]
    fn in_place<S: Isa, D: Direction>(&self, isa: S, blocks: &mut [u8]) {
        if S::Aes::SLICED {
            return AnyLength::of(&Bound(self, isa)).in_place::<S, D>(isa, blocks);
        }
        cipher::in_place::<Self, S, D>(self, isa, blocks);
    }
    /// Bit-sliced AES is one function for all key lengths, and modes are compiled for it once.
    const HANDS_ON: bool = true;
    #[inline(always)]
    fn work<S: Isa, W: Work<[u8; 16]>>(&self, isa: S, work: W) -> W::Out {
        isa.run(With(&AnyLength::of(&Bound(self, isa)), work))
    }
}
