//! Our side of what the peers do, in their form: a key that is kept, and a message in place for each call.
//!
//! These are the public calls with static types, as in a program that knows its cipher; `suite` costs a
//! nanosecond or two more.

use icefish::aead::{Aead, Gcm};
use icefish::cipher::{Cipher, NewCipher};
use icefish::ciphers::{Aes128, Aes192, Aes256, Ice, Threefish256, Threefish512, Threefish1024};
use icefish::constructions::skein::Tree;
use icefish::many::Message;
use icefish::modes::{Cbc, Cfb, Ctr, Ecb, Mode, Ofb};
use icefish::permutations::{Permutation, Word};
use icefish::storage::Xts;
use icefish::{Backend, Block, Error, Key};

use super::constructions;
use crate::peers::{self, Direction, Operation, Setup, Work, sealing};

type Made = Option<Box<dyn Work>>;

/// One message a call. `None` for what icefish does not have, and for a set-up of wrong lengths.
#[must_use]
pub fn one(operation: Operation, backend: Backend, setup: &Setup<'_>) -> Made {
    if !operation.accepts(setup) {
        return None;
    }
    match operation {
        Operation::Aes { bits: 128, mode, direction } => {
            aes::<Aes128>(backend, mode, direction, setup)
        }
        Operation::Aes { bits: 192, mode, direction } => {
            aes::<Aes192>(backend, mode, direction, setup)
        }
        Operation::Aes { bits: 256, mode, direction } => {
            aes::<Aes256>(backend, mode, direction, setup)
        }
        Operation::AesKeySetup { bits: 128, direction } => {
            key_setup::<Aes128>(backend, direction, setup)
        }
        Operation::AesKeySetup { bits: 192, direction } => {
            key_setup::<Aes192>(backend, direction, setup)
        }
        Operation::AesKeySetup { bits: 256, direction } => {
            key_setup::<Aes256>(backend, direction, setup)
        }
        Operation::Ice { level, direction } => Some(blocks(ice(level, backend, setup)?, direction)),
        Operation::IceKeySetup { level } => ice_setup(level, backend, setup),
        Operation::Threefish { bits: 256, direction } => {
            Some(blocks(tweaked::<Threefish256>(backend, setup)?, direction))
        }
        Operation::Threefish { bits: 512, direction } => {
            Some(blocks(tweaked::<Threefish512>(backend, setup)?, direction))
        }
        Operation::Threefish { bits: 1024, direction } => {
            Some(blocks(tweaked::<Threefish1024>(backend, setup)?, direction))
        }
        Operation::ThreefishKeySetup { bits: 256 } => {
            threefish_setup::<_, Threefish256>(backend, setup)
        }
        Operation::ThreefishKeySetup { bits: 512 } => {
            threefish_setup::<_, Threefish512>(backend, setup)
        }
        Operation::ThreefishKeySetup { bits: 1024 } => {
            threefish_setup::<_, Threefish1024>(backend, setup)
        }
        Operation::ThreefishSector { direction } => sector(backend, direction, setup),
        Operation::ThreefishCtr { bits: 256 } => ctr::<Threefish256>(backend, setup),
        Operation::ThreefishCtr { bits: 512 } => ctr::<Threefish512>(backend, setup),
        Operation::ThreefishCtr { bits: 1024 } => ctr::<Threefish1024>(backend, setup),
        Operation::Xoodoo { rounds } => Some(permutation::<u32>(backend, rounds)),
        Operation::Xoodoo64 { rounds } => Some(permutation::<u64>(backend, rounds)),
        Operation::XoodooSliced { rounds } => Some(constructions::sliced::<u32>(backend, rounds)),
        Operation::Xoodoo64Sliced { rounds } => Some(constructions::sliced::<u64>(backend, rounds)),
        Operation::Skein { bits: 256 } => Some(constructions::skein::<4, 32>(backend, None)),
        Operation::Skein { bits: 512 } => Some(constructions::skein::<8, 64>(backend, None)),
        Operation::Skein { bits: 1024 } => Some(constructions::skein::<16, 128>(backend, None)),
        Operation::SkeinTree => Some(constructions::skein::<8, 64>(backend, Some(Tree::USUAL))),
        Operation::XoodyakHash => Some(constructions::hash(backend)),
        Operation::Xoodyak { direction: Direction::Encrypt } => constructions::seal(backend, setup),
        Operation::Aegis { bits, states, direction } => {
            constructions::aegis(bits, states, direction, backend, setup)
        }
        Operation::AegisMac { bits, states } => {
            constructions::aegis_mac(bits, states, backend, setup)
        }
        Operation::XoofffCompress => constructions::compress(backend, setup),
        Operation::XoofffExpand => constructions::expand(backend, setup),
        _ => None,
    }
}

/// Messages of these lengths, one after the other in the buffer, in one call. `None` where there is no such
/// call.
#[must_use]
pub fn many(
    operation: Operation,
    backend: Backend,
    setup: &Setup<'_>,
    lengths: Vec<usize>,
) -> Made {
    type Call<C> = fn(&Key<C>, &mut [Message<'_>]) -> Result<(), Error>;
    fn serial<C: Cipher>(mode: peers::Mode) -> Option<Call<C>> {
        match mode {
            peers::Mode::Cbc => Some(Key::cbc_encrypt_many),
            peers::Mode::Cfb128 => Some(Key::cfb_encrypt_many),
            _ => None,
        }
    }
    fn work<C: Cipher + 'static>(
        key: Key<C>,
        iv: Vec<u8>,
        lengths: Vec<usize>,
        call: Call<C>,
    ) -> Box<dyn Work> {
        let mut room = Vec::with_capacity(lengths.len());
        Box::new(move |buffer: &mut [u8]| {
            let mut messages = emptied(core::mem::take(&mut room));
            let parts = peers::split(buffer, &lengths);
            messages.extend(parts.map(|data| Message { iv: &iv, data }));
            call(&key, &mut messages).expect("whole blocks");
            room = emptied(messages);
        })
    }
    if !operation.accepts(setup) {
        return None;
    }
    let iv = setup.iv.to_vec();
    match operation {
        Operation::Aes { bits: 128, mode, direction: Direction::Encrypt } => {
            let key = Key::<Aes128>::on(backend, setup.key).ok()?;
            Some(work(key, iv, lengths, serial(mode)?))
        }
        Operation::Aes { bits: 256, mode, direction: Direction::Encrypt } => {
            let key = Key::<Aes256>::on(backend, setup.key).ok()?;
            Some(work(key, iv, lengths, serial(mode)?))
        }
        Operation::Ice { level, direction } => {
            let call = match direction {
                Direction::Encrypt => Key::ecb_encrypt_many as Call<Ice>,
                Direction::Decrypt => Key::ecb_decrypt_many,
            };
            Some(work(ice(level, backend, setup)?, iv, lengths, call))
        }
        Operation::Skein { bits: 256 } => {
            Some(constructions::skein_many::<4, 32>(backend, lengths))
        }
        Operation::Skein { bits: 512 } => {
            Some(constructions::skein_many::<8, 64>(backend, lengths))
        }
        Operation::Skein { bits: 1024 } => {
            Some(constructions::skein_many::<16, 128>(backend, lengths))
        }
        Operation::XoodyakHash => Some(constructions::hash_many(backend, lengths)),
        _ => None,
    }
}

/// The memory of a list for messages that live elsewhere: a program that encrypts many lists allocates none for each. A vector
/// that is collected from its own items keeps its memory.
fn emptied<'b>(mut messages: Vec<Message<'_>>) -> Vec<Message<'b>> {
    messages.clear();
    messages.into_iter().map(|_| unreachable!("the list is empty")).collect()
}

/// One message a call, on all cores. `None` where there is no such call, and in a build without `parallel`.
#[must_use]
pub fn threads(operation: Operation, backend: Backend, setup: &Setup<'_>) -> Made {
    #[cfg(feature = "parallel")]
    {
        if !operation.accepts(setup) {
            return None;
        }
        match operation {
            Operation::Ice { level, direction } => {
                Some(parallel(ice(level, backend, setup)?, direction))
            }
            Operation::Threefish { bits: 1024, direction } => {
                Some(parallel(tweaked::<Threefish1024>(backend, setup)?, direction))
            }
            _ => None,
        }
    }
    #[cfg(not(feature = "parallel"))]
    {
        let _ = (operation, backend, setup);
        None
    }
}

#[cfg(feature = "parallel")]
fn parallel<C: Cipher + Sync + 'static>(key: Key<C>, direction: Direction) -> Box<dyn Work> {
    let call = match direction {
        Direction::Encrypt => icefish::parallel::encrypt_in_place::<C, Ecb>,
        Direction::Decrypt => icefish::parallel::decrypt_in_place::<C, Ecb>,
    };
    Box::new(move |buffer: &mut [u8]| call(&key, Ecb, &[], buffer).expect("whole blocks"))
}

pub(super) fn ice(level: u8, backend: Backend, setup: &Setup<'_>) -> Option<Key<Ice>> {
    Some(Key::from_cipher(backend, Ice::new(usize::from(level), setup.key).ok()?))
}

pub(super) fn tweaked<C: NewCipher>(backend: Backend, setup: &Setup<'_>) -> Option<Key<C>> {
    Key::on(backend.with_tweak(setup.tweak), setup.key).ok()
}

fn aes<C>(backend: Backend, mode: peers::Mode, direction: Direction, setup: &Setup<'_>) -> Made
where
    C: NewCipher<Block = [u8; 16]> + 'static,
{
    if mode == peers::Mode::Xts {
        return xts::<C>(backend, direction, setup);
    }
    let key = Key::<C>::on(backend, setup.key).ok()?;
    Some(match mode {
        peers::Mode::Ecb => blocks(key, direction),
        peers::Mode::Cbc => in_mode(key, Cbc, direction, setup.iv),
        peers::Mode::Ctr => in_mode(key, Ctr::BE, direction, setup.iv),
        peers::Mode::Cfb128 => in_mode(key, Cfb, direction, setup.iv),
        peers::Mode::Ofb => in_mode(key, Ofb, direction, setup.iv),
        peers::Mode::Gcm => gcm(Gcm::from_key(key), direction, setup),
        peers::Mode::Xts => return None,
    })
}

/// A single block has calls of its own, as with some peers. More blocks are a call from here: the compiler then takes the test for a
/// single block out of a loop.
fn blocks<const N: usize, C: Cipher<Block = [u8; N]> + 'static>(
    key: Key<C>,
    direction: Direction,
) -> Box<dyn Work> {
    match direction {
        Direction::Encrypt => Box::new(Encrypted(key)),
        Direction::Decrypt => Box::new(Decrypted(key)),
    }
}

/// One block a call, or whole blocks. A type and not a closure, because a closure cannot ask to be inlined: a
/// chain is the loop of a program that knows its cipher, so the block has to stay in a register from call to call.
struct Encrypted<C: Cipher>(Key<C>);

/// The same in the other direction.
struct Decrypted<C: Cipher>(Key<C>);

impl<const N: usize, C: Cipher<Block = [u8; N]>> Work for Encrypted<C> {
    #[inline(always)]
    fn run(&mut self, buffer: &mut [u8]) {
        match <&mut [u8; N]>::try_from(&mut *buffer) {
            Ok(block) => self.0.encrypt_block(block),
            Err(_) => encrypt_blocks(&self.0, buffer),
        }
    }
}

impl<const N: usize, C: Cipher<Block = [u8; N]>> Work for Decrypted<C> {
    #[inline(always)]
    fn run(&mut self, buffer: &mut [u8]) {
        match <&mut [u8; N]>::try_from(&mut *buffer) {
            Ok(block) => self.0.decrypt_block(block),
            Err(_) => decrypt_blocks(&self.0, buffer),
        }
    }
}

#[inline(never)]
fn encrypt_blocks<C: Cipher>(key: &Key<C>, buffer: &mut [u8]) {
    encrypt(key, Ecb, &[], buffer);
}

#[inline(never)]
fn decrypt_blocks<C: Cipher>(key: &Key<C>, buffer: &mut [u8]) {
    decrypt(key, Ecb, &[], buffer);
}

fn in_mode<C, M>(key: Key<C>, mode: M, direction: Direction, iv: &[u8]) -> Box<dyn Work>
where
    C: Cipher + 'static,
    M: Mode + Copy + 'static,
{
    // A block, as most programs have it, and as the peers that take types do.
    let iv = C::Block::take(iv);
    match direction {
        Direction::Encrypt => Box::new(EncryptedIn { key, mode, iv }),
        Direction::Decrypt => Box::new(DecryptedIn { key, mode, iv }),
    }
}

/// A message a call. As one function, so that the compiler makes the call of the library a part of it, as in a program with one such
/// call.
struct EncryptedIn<C: Cipher, M> {
    key: Key<C>,
    mode: M,
    iv: C::Block,
}

/// The same in the other direction.
struct DecryptedIn<C: Cipher, M> {
    key: Key<C>,
    mode: M,
    iv: C::Block,
}

impl<C: Cipher, M: Mode> Work for EncryptedIn<C, M> {
    #[inline(never)]
    fn run(&mut self, buffer: &mut [u8]) {
        encrypt(&self.key, self.mode, self.iv.as_ref(), buffer);
    }
}

impl<C: Cipher, M: Mode> Work for DecryptedIn<C, M> {
    #[inline(never)]
    fn run(&mut self, buffer: &mut [u8]) {
        decrypt(&self.key, self.mode, self.iv.as_ref(), buffer);
    }
}

/// Whole blocks. The peers take them by type; here, the compiler learns from the assertion that there is no error.
#[inline]
fn encrypt<C: Cipher, M: Mode>(key: &Key<C>, mode: M, iv: &[u8], buffer: &mut [u8]) {
    assert!(buffer.len().is_multiple_of(C::Block::LEN), "whole blocks");
    key.encrypt(mode, iv, buffer).expect("the IV's length was checked");
}

/// The same in the other direction.
#[inline]
fn decrypt<C: Cipher, M: Mode>(key: &Key<C>, mode: M, iv: &[u8], buffer: &mut [u8]) {
    assert!(buffer.len().is_multiple_of(C::Block::LEN), "whole blocks");
    key.decrypt(mode, iv, buffer).expect("the IV's length was checked");
}

fn ctr<C: NewCipher + 'static>(backend: Backend, setup: &Setup<'_>) -> Made {
    let key = tweaked::<C>(backend, setup)?;
    Some(in_mode(key, Ctr::BE, Direction::Encrypt, setup.iv))
}

/// A key in the place of the one before, as in a protocol with a key for each message.
fn key_setup<C>(backend: Backend, direction: Direction, setup: &Setup<'_>) -> Made
where
    C: NewCipher<Block = [u8; 16]> + 'static,
{
    let (bytes, iv) = (setup.key.to_vec(), C::Block::take(setup.iv));
    let key = Key::<C>::on(backend, &bytes).ok()?;
    Some(match direction {
        Direction::Encrypt => {
            let mut message = EncryptedIn { key, mode: Cbc, iv };
            Box::new(move |buffer: &mut [u8]| {
                message.key.set_key(&bytes).expect("the key's length was checked");
                message.run(buffer);
            })
        }
        Direction::Decrypt => {
            let mut message = DecryptedIn { key, mode: Cbc, iv };
            Box::new(move |buffer: &mut [u8]| {
                message.key.set_key(&bytes).expect("the key's length was checked");
                message.run(buffer);
            })
        }
    })
}

fn ice_setup(level: u8, backend: Backend, setup: &Setup<'_>) -> Made {
    let bytes = setup.key.to_vec();
    let mut key = ice(level, backend, setup)?;
    Some(Box::new(move |buffer: &mut [u8]| {
        key.cipher_mut().set_key(&bytes).expect("the key's length was checked");
        buffer.as_chunks_mut().0.iter_mut().for_each(|block| key.encrypt_block(block));
    }))
}

fn threefish_setup<const N: usize, C>(backend: Backend, setup: &Setup<'_>) -> Made
where
    C: NewCipher<Block = [u8; N]> + 'static,
{
    let (key, tweak) = (setup.key.to_vec(), setup.tweak.to_vec());
    Some(Box::new(move |buffer: &mut [u8]| {
        let key = Key::<C>::on(backend.with_tweak(&tweak), &key).expect("the lengths were checked");
        buffer.as_chunks_mut().0.iter_mut().for_each(|block| key.encrypt_block(block));
    }))
}

fn sector(backend: Backend, direction: Direction, setup: &Setup<'_>) -> Made {
    let key = tweaked::<Threefish1024>(backend, setup)?;
    Some(match direction {
        Direction::Encrypt => Box::new(move |buffer: &mut [u8]| {
            key.encrypt_sector(7, 0, buffer).expect("whole blocks");
        }),
        Direction::Decrypt => Box::new(move |buffer: &mut [u8]| {
            key.decrypt_sector(7, 0, buffer).expect("whole blocks");
        }),
    })
}

fn xts<C>(backend: Backend, direction: Direction, setup: &Setup<'_>) -> Made
where
    C: NewCipher<Block = [u8; 16]> + 'static,
{
    let key = Xts::<C>::on(backend, setup.key).ok()?;
    let unit = u128::from_le_bytes(setup.iv.try_into().ok()?);
    Some(match direction {
        Direction::Encrypt => Box::new(move |buffer: &mut [u8]| {
            key.encrypt_in_place(unit, buffer).expect("at least a block");
        }),
        Direction::Decrypt => Box::new(move |buffer: &mut [u8]| {
            key.decrypt_in_place(unit, buffer).expect("at least a block");
        }),
    })
}

fn permutation<W: Word>(backend: Backend, rounds: u8) -> Box<dyn Work> {
    Box::new(move |buffer: &mut [u8]| {
        let states = buffer.as_chunks_mut::<48>().0;
        let done = Permutation::<W>::permute_many(backend, usize::from(rounds), states);
        done.expect("no more rounds than there are");
    })
}

fn gcm<C: Cipher<Block = [u8; 16]> + 'static>(
    key: Gcm<C>,
    direction: Direction,
    setup: &Setup<'_>,
) -> Box<dyn Work> {
    let (nonce, associated) = (setup.iv.to_vec(), setup.tweak.to_vec());
    sealing(direction, move |sealed: Option<&[u8]>, buffer: &mut [u8], tag: &mut [u8; 16]| {
        match sealed {
            None => {
                let made = key.seal_in_place(&nonce, &associated, buffer);
                *tag = made.expect("the message is short enough");
            }
            Some(sealed) => {
                let opened = key.open_between(&nonce, &associated, sealed, buffer, tag);
                opened.expect("sealed here");
            }
        }
    })
}
