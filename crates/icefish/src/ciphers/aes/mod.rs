//! AES (FIPS 197) with keys of 128, 192 and 256 bits.
//!
//! Constant-time on every backend: by AES instructions where they exist; elsewhere by bit-slicing for many blocks, and for one by
//! look-ups within vector registers, or by bit-slicing where there are none.

mod chains;
mod counting;
mod held;
mod length;
mod modes;
mod registers;
mod schedule;
mod software;
mod states;

pub use self::length::Length;
#[cfg(feature = "alloc")]
use self::length::Varying;
use self::length::{Fixed, RoundKeys};
use self::registers::InRegisters;
use self::software::{AnyLength, Bound};
use self::states::{One, States};
use crate::cipher::{
    BlockCipher, Cipher, Cursor, Decrypt, Direction, Encrypt, FROM_MEMORY, NewCipher, Pass, STRIP,
};
use crate::isa::{AesRounds, Extension, Isa, Lazy, Task, erase, forms};
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
pub struct Aes<const NK: usize, const KEYS: usize, L = Fixed> {
    /// As many as [`RoundKeys`] counts; the last one is also at the end.
    encrypt: [[u8; 16]; KEYS],
    /// For the equivalent inverse cipher (FIPS 197, section 5.3.5). Most modes never decrypt, so it is made on first use.
    decrypt: Lazy<KEYS>,
    length: L,
}

/// AES with a key of 16 bytes.
///
/// ```
/// use icefish::{aead::{Aead, Gcm}, ciphers::Aes128};
/// let mut data = *b"attack at dawn";
/// let tag = Gcm::<Aes128>::new(&[7; 16])?.seal_in_place(&[1; 12], &[], &mut data)?;
/// # assert_eq!(tag.len(), 16);
/// # Ok::<(), icefish::Error>(())
/// ```
pub type Aes128 = Aes<4, 11>;
/// AES with a key of 24 bytes.
///
/// ```
/// use icefish::{aead::{Aead, Gcm}, ciphers::Aes192};
/// let mut data = *b"attack at dawn";
/// let tag = Gcm::<Aes192>::new(&[7; 24])?.seal_in_place(&[1; 12], &[], &mut data)?;
/// # assert_eq!(tag.len(), 16);
/// # Ok::<(), icefish::Error>(())
/// ```
pub type Aes192 = Aes<6, 13>;
/// AES with a key of 32 bytes.
///
/// ```
/// use icefish::{aead::{Aead, Gcm}, ciphers::Aes256};
/// let mut data = *b"attack at dawn";
/// let tag = Gcm::<Aes256>::new(&[7; 32])?.seal_in_place(&[1; 12], &[], &mut data)?;
/// # assert_eq!(tag.len(), 16);
/// # Ok::<(), icefish::Error>(())
/// ```
pub type Aes256 = Aes<8, 15>;
/// AES with a key of 16, 24 or 32 bytes, as the names of `suite` have it: its modes are compiled once for all lengths.
#[cfg(feature = "alloc")]
pub(crate) type AnyAes = Aes<8, 15, Varying>;

impl<const NK: usize, const KEYS: usize, L> Drop for Aes<NK, KEYS, L> {
    fn drop(&mut self) {
        erase(self.encrypt.as_flattened_mut());
    }
}

/// Makes the round keys of the equivalent inverse cipher.
struct Inverse<'a, const KEYS: usize, L> {
    encrypt: RoundKeys<'a, KEYS, L>,
    keys: &'a mut [[u8; 16]; KEYS],
}

impl<const KEYS: usize, L: Length> Task for Inverse<'_, KEYS, L> {
    type Out = ();
    const EXTENSION: Extension = Extension::Aes;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let count = self.encrypt.count();
        schedule::invert(isa, &self.encrypt.all()[..count], &mut self.keys[..count]);
        self.keys[KEYS - 1] = self.keys[count - 1];
    }
}

impl<const NK: usize, const KEYS: usize, L> ZeroizeOnDrop for Aes<NK, KEYS, L> {}

impl<const NK: usize, const KEYS: usize, L: Length> core::fmt::Debug for Aes<NK, KEYS, L> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Aes{}", 8 * self.key_len())
    }
}

impl<const NK: usize, const KEYS: usize, L: Length> NewCipher for Aes<NK, KEYS, L> {
    const KEY: usize = 4 * NK;

    #[inline(always)]
    fn blank() -> Self {
        Self { encrypt: [[0; 16]; KEYS], decrypt: Lazy::new(), length: L::longest() }
    }

    #[inline(always)]
    fn has_keys_of(len: usize) -> bool {
        len == Self::KEY || L::VARIES && (len == 16 || len == 24)
    }

    #[inline(always)]
    fn key_len(&self) -> usize {
        // A round key for each word of the key, and seven.
        if L::VARIES { 4 * (self.length.count::<KEYS>() - 7) } else { Self::KEY }
    }

    #[inline(always)]
    fn schedule<S: Isa>(&mut self, isa: S, key: &[u8], _: &[u8]) {
        self.length = L::of(key.len());
        match key.len() {
            16 if L::VARIES => schedule::expand::<S, 4>(isa, key, &mut self.encrypt[..11]),
            24 if L::VARIES => schedule::expand::<S, 6>(isa, key, &mut self.encrypt[..13]),
            _ => schedule::expand::<S, NK>(isa, key, &mut self.encrypt),
        }
        self.encrypt[KEYS - 1] = self.encrypt[self.encryption().count() - 1];
        self.decrypt.clear();
    }
}

impl<const NK: usize, const KEYS: usize, L: Length> Aes<NK, KEYS, L> {
    #[inline(always)]
    fn encryption(&self) -> RoundKeys<'_, KEYS, L> {
        RoundKeys::new(&self.encrypt, self.length)
    }

    #[inline(always)]
    fn keys<S: Isa, D: Direction>(&self, isa: S) -> RoundKeys<'_, KEYS, L> {
        let encrypt = self.encryption();
        if D::ENCRYPT {
            return encrypt;
        }
        let made = self.decrypt.get(move |keys| isa.run(Inverse { encrypt, keys }));
        RoundKeys::new(made, self.length)
    }

    /// Decrypts one block; `last` takes the place of the last round key.
    #[inline(always)]
    fn decrypt_one<S: Isa>(&self, isa: S, block: S::AesOne, last: S::AesOne) -> S::AesOne {
        match self.decrypt_now(isa, block, last) {
            Some(block) => block,
            None => {
                self.keys::<S, Decrypt>(isa).rounds_to::<S, Decrypt, _, 1>(isa, [block], last)[0]
            }
        }
    }

    /// The same, but `None` if round keys have to be made and stored, which is a call.
    ///
    /// The first message of one block makes the round keys on the way and does not keep them: many keys decrypt no other. Set-up and
    /// such a message take 62 cycles instead of 82 (AES-128 with AVX-512 on a Zen 5).
    #[inline(always)]
    fn decrypt_now<S: Isa>(&self, isa: S, block: S::AesOne, last: S::AesOne) -> Option<S::AesOne> {
        if S::Aes::SLICED {
            return None;
        }
        if let Some(made) = self.decrypt.made() {
            let keys = RoundKeys::new(made, self.length);
            return Some(keys.rounds_to::<S, Decrypt, S::AesOne, 1>(isa, [block], last)[0]);
        }
        if !self.decrypt.needed_first() {
            return None;
        }
        let encrypt = self.encryption();
        let mut x = block.xor(encrypt.last(isa));
        for i in (1..encrypt.count() - 1).rev() {
            let key = S::AesOne::inv_mix_columns(isa, &encrypt.all()[i]);
            x = x.dec(S::AesOne::splat(isa, &key));
        }
        Some(x.dec_last(last))
    }
}

impl<const KEYS: usize, L: Length> RoundKeys<'_, KEYS, L> {
    /// Takes batches of `R` registers, as long as there are enough blocks: or one, if the caller knows that there are not more.
    #[inline(always)]
    fn batches<S: Isa, D: Direction, P: Pass, const R: usize>(
        self,
        isa: S,
        pass: &mut P,
        cursor: &mut Cursor<P>,
        one: bool,
    ) {
        // The compiler takes four registers one after the other, so the next message can begin with the first of them. AES-128-ECB
        // of 256 bytes in place takes 40 cycles, and 48 in the order of the source; CFB decryption takes 78 and 64 (Intel family 6
        // model 167).
        if S::Aes::N == 4 && (R > 4 || P::BACKWARD) {
            self.ordered().take_batches::<S, D, P, R>(isa, pass, cursor, one);
        } else {
            self.take_batches::<S, D, P, R>(isa, pass, cursor, one);
        }
    }
}

impl<const KEYS: usize, L: Length, const ORDERED: bool> RoundKeys<'_, KEYS, L, ORDERED> {
    /// As [`RoundKeys::batches`], with rounds in the order that these keys say.
    #[inline(always)]
    fn take_batches<S: Isa, D: Direction, P: Pass, const R: usize>(
        self,
        isa: S,
        pass: &mut P,
        cursor: &mut Cursor<P>,
        one: bool,
    ) {
        let blocks = R * S::Aes::N;
        if blocks > P::MOST {
            return;
        }
        let (rounds, mut next) = (self.count() - 1, None);
        while let Some(at) = cursor.take(blocks) {
            let mut early = None;
            let x: States<S::Aes, R> = match pass.counters(at) {
                Some(counters) => States::counted::<S>(isa, counters, &mut next),
                None => {
                    // In a small batch, the keys come first, so that a load and the first XOR become one instruction. In a large one,
                    // they would all be loaded first: ECB of 1 KiB takes 82 cycles instead of 80 (Zen 5).
                    if R <= 4 {
                        early = Some(self.again());
                    }
                    pass.enter(isa, at, blocks)
                }
            };
            let keys = match early {
                Some(keys) => keys,
                None => self.again(),
            };
            // Before the branch, so that this XOR and the last one of `enter` become one instruction.
            let x = keys.whitened(isa, x.0);
            let mut x = match pass.beside::<S, States<S::Aes, R>>(isa, at, blocks, rounds) {
                Some(work) => keys.rounds_beside::<S, D, P, R>(isa, 0, x, pass, work),
                None => keys.ending_from::<S, D, S::Aes, R>(isa, 1, x),
            };
            pass.leave(isa, at, blocks, &mut x);
            if one {
                break;
            }
        }
    }
}

impl<const NK: usize, const KEYS: usize, L: Length> BlockCipher for Aes<NK, KEYS, L> {
    type Block = [u8; 16];
    const EXTENSION: Extension = Extension::Aes;
    const CONSTANT_TIME: bool = true;
    type One<S: Isa> = One<S::AesOne>;

    fn batch<S: Isa>() -> usize {
        if S::Aes::SLICED { STRIP / 16 } else { 8 * S::Aes::N }
    }

    #[inline(always)]
    fn one<S: Isa, D: Direction>(&self, isa: S, block: One<S::AesOne>) -> One<S::AesOne> {
        if D::ENCRYPT {
            let inner = self.middle(isa, self.whiten(isa, block));
            return One(AesRounds::<S>::last(inner.0, self.encryption().last(isa)));
        }
        let last = self.encryption().first(isa);
        One(self.decrypt_one(isa, block.0, last))
    }

    #[inline(always)]
    fn many<S: Isa, D: Direction, P: Pass>(&self, isa: S, pass: &mut P, blocks: usize) {
        if S::Aes::SLICED {
            return AnyLength::of(&Bound(self, isa)).many::<S, D, P>(isa, pass, blocks);
        }
        // Read before states are in registers: the call that makes the decryption keys would spill them.
        let keys = self.keys::<S, D>(isa);
        let mut cursor = Cursor::<P>::new(blocks);
        // One jump for short messages, where there are several tests.
        if P::VECTORS < 16 || blocks >= 8 * S::Aes::N {
            // Sixteen registers are 5 % faster than eight, and twelve, where there are sixteen in all, 3 % (Zen 5).
            // Batches of eleven leave single blocks at the end: CBC decryption of 512 bytes takes 164 cycles with them, and 160
            // without (AES-NI, Intel family 6 model 167).
            let large = S::Aes::LONG * S::Aes::N;
            let least = match S::Aes::N {
                1 => 4 * large,
                4 if !P::BACKWARD && blocks >= large && forms().aes_single_batch_512 => large,
                _ => 2 * large,
            };
            // From memory, larger batches than 256 bytes are not prefetched if they descend: CBC decryption of 64 MiB takes 1.2 to
            // 2.8 times as long with twelve registers of 256 bits or sixteen of 512 (Zen 4). From a cache, small ones take 2 to 4 %
            // longer.
            let descends = P::BACKWARD && 16 * blocks >= FROM_MEMORY;
            let most = if descends { P::VECTORS.min(16 / S::Aes::N) } else { P::VECTORS };
            if most >= 16 && blocks >= least {
                match S::Aes::LONG {
                    // A single batch loads each key where it is used. With all loads before the rounds, 1 KiB takes 82 cycles
                    // instead of 80 (ECB, AES-128, Zen 5).
                    16 if blocks >= 2 * large => {
                        let held = InRegisters::<S::Aes, KEYS, L>::new(isa, keys);
                        held.take_batches::<S, D, P, 16>(isa, pass, &mut cursor);
                    }
                    16 => keys.batches::<S, D, P, 16>(isa, pass, &mut cursor, false),
                    12 => keys.batches::<S, D, P, 12>(isa, pass, &mut cursor, false),
                    11 => keys.batches::<S, D, P, 11>(isa, pass, &mut cursor, false),
                    _ => {}
                }
            }
            if most >= 8 {
                keys.batches::<S, D, P, 8>(isa, pass, &mut cursor, false);
            }
        }
        // After batches of twice as many registers, if the pass allows these, one batch at most is left.
        let eight = 8 * S::Aes::N <= P::MOST && P::VECTORS >= 8 && !(P::BACKWARD && S::Aes::N == 4);
        keys.batches::<S, D, P, 4>(isa, pass, &mut cursor, eight);
        // Four blocks are a batch with registers of any width. CBC decryption of four takes 40 cycles with two registers at once,
        // and 44 with one after the other (Intel family 6 model 167).
        if S::Aes::N == 2 {
            keys.batches::<S, D, P, 2>(isa, pass, &mut cursor, 4 * S::Aes::N <= P::MOST);
        }
        let two = S::Aes::N == 2 && 2 * S::Aes::N <= P::MOST;
        keys.batches::<S, D, P, 1>(isa, pass, &mut cursor, two);
        while S::Aes::N > 1
            && let Some(at) = cursor.take(1)
        {
            let x: One<S::AesOne> = pass.enter(isa, at, 1);
            let [x] = keys.rounds::<S, D, S::AesOne, 1>(isa, [x.0]);
            pass.leave(isa, at, 1, &mut One(x));
        }
    }
}
