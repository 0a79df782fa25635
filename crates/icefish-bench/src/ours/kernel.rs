//! What a call is compared with: the kernel that it runs, and the same call by the name of its suite.

use std::marker::PhantomData;

use icefish::cipher::{Cipher, Decrypt, Direction as Way, Encrypt, Wide};
use icefish::ciphers::{Aes128, Threefish1024};
use icefish::isa::{Extension, InOut, Isa, Sink, Task};
use icefish::modes::Padding;
use icefish::suite::{AeadSuite, Suite};
use icefish::{Backend, Block, Key};

use super::work::{ice, tweaked};
use crate::peers::{Direction, Mode, Operation, Setup, Work, sealing};

/// A kernel on whole blocks in place.
struct Kernel<'a, C, M> {
    cipher: &'a C,
    iv: &'a [u8],
    data: &'a mut [u8],
    mode: PhantomData<M>,
}

/// What a kernel does.
trait Serial: 'static {
    fn run<C: Cipher, S: Isa>(isa: S, cipher: &C, iv: &[u8], data: &mut [u8]);
}

impl<C: Cipher, M: Serial> Task for Kernel<'_, C, M> {
    type Out = ();
    const EXTENSION: Extension = C::EXTENSION;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        M::run(isa, self.cipher, self.iv, self.data);
    }
}

/// One block.
struct Ecb<D>(PhantomData<D>);

impl<D: Way> Serial for Ecb<D> {
    #[inline(always)]
    fn run<C: Cipher, S: Isa>(isa: S, cipher: &C, _: &[u8], data: &mut [u8]) {
        cipher.block::<S, D>(isa, InOut::in_place(data));
    }
}

/// Any number of blocks.
struct CbcEncryption;

impl Serial for CbcEncryption {
    #[inline(always)]
    fn run<C: Cipher, S: Isa>(isa: S, cipher: &C, iv: &[u8], data: &mut [u8]) {
        let zero = C::One::<S>::load(isa, C::Block::zero().as_ref());
        let mut chain = C::One::<S>::load(isa, iv);
        for block in data.chunks_exact_mut(C::Block::LEN) {
            let input = C::One::<S>::load(isa, block);
            let state = cipher.whiten(isa, input).xor(isa, chain);
            chain = cipher.finish(isa, cipher.middle(isa, state), zero);
            let mut output = chain;
            output.store(isa, Sink::new(block));
        }
    }
}

/// One block.
struct CbcDecryption;

impl Serial for CbcDecryption {
    #[inline(always)]
    fn run<C: Cipher, S: Isa>(isa: S, cipher: &C, iv: &[u8], data: &mut [u8]) {
        let (input, iv) = (C::One::<S>::load(isa, data), C::One::<S>::load(isa, iv));
        cipher.decrypt_xor(isa, input, iv).store(isa, Sink::new(data));
    }
}

/// The kernel of an operation under a kept key. `None` where nobody has written one down.
#[must_use]
pub fn kernel(operation: Operation, backend: Backend, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    match operation {
        Operation::Aes { bits: 128, mode, direction } => {
            let key = Key::<Aes128>::on(backend, setup.key).ok()?;
            match (mode, direction) {
                (Mode::Cbc, Direction::Encrypt) => Some(of::<_, CbcEncryption>(key, setup)),
                (Mode::Cbc, Direction::Decrypt) => Some(of::<_, CbcDecryption>(key, setup)),
                _ => None,
            }
        }
        Operation::Ice { level, direction } => {
            Some(block(ice(level, backend, setup)?, direction, setup))
        }
        Operation::Threefish { bits: 1024, direction } => {
            Some(block(tweaked::<Threefish1024>(backend, setup)?, direction, setup))
        }
        _ => None,
    }
}

fn block<C: Cipher + 'static>(
    key: Key<C>,
    direction: Direction,
    setup: &Setup<'_>,
) -> Box<dyn Work> {
    match direction {
        Direction::Encrypt => of::<_, Ecb<Encrypt>>(key, setup),
        Direction::Decrypt => of::<_, Ecb<Decrypt>>(key, setup),
    }
}

fn of<C: Cipher + 'static, M: Serial>(key: Key<C>, setup: &Setup<'_>) -> Box<dyn Work> {
    let iv = setup.iv.to_vec();
    Box::new(move |data: &mut [u8]| {
        let (cipher, mode) = (key.cipher(), PhantomData::<M>);
        key.backend().run(Kernel { cipher, iv: &iv, data, mode });
    })
}

/// The call of a program that learns its suite when it runs.
#[must_use]
pub fn named(operation: Operation, backend: Backend, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    let name = crate::primitives::primitive(operation);
    let direction = match operation {
        Operation::Aes { mode: Mode::Gcm, direction, .. } => {
            return authenticated(name.parse().ok()?, direction, backend, setup);
        }
        Operation::Aes { direction, .. }
        | Operation::Ice { direction, .. }
        | Operation::Threefish { direction, .. } => direction,
        _ => Direction::Encrypt,
    };
    let suite: Suite = name.parse().ok()?;
    let tweak = if operation.lengths().tweak == Some(16) { setup.tweak } else { &[] };
    let key = suite.cipher.key(backend, setup.key, tweak).ok()?;
    let iv = setup.iv.to_vec();
    Some(Box::new(move |buffer: &mut [u8]| {
        let len = buffer.len();
        let done = match direction {
            Direction::Encrypt => key.encrypt_in_place(suite.mode, &iv, Padding::None, buffer, len),
            Direction::Decrypt => key.decrypt_in_place(suite.mode, &iv, Padding::None, buffer, len),
        };
        done.expect("whole blocks");
    }))
}

fn authenticated(
    suite: AeadSuite,
    direction: Direction,
    backend: Backend,
    setup: &Setup<'_>,
) -> Option<Box<dyn Work>> {
    let key = suite.key(backend, setup.key).ok()?;
    let (nonce, associated) = (setup.iv.to_vec(), setup.tweak.to_vec());
    Some(sealing(direction, move |sealed: Option<&[u8]>, buffer: &mut [u8], tag: &mut [u8; 16]| {
        match sealed {
            None => {
                let made = key.seal_in_place(&nonce, &associated, buffer, tag);
                made.expect("the message is short enough");
            }
            Some(sealed) => {
                let opened = key.open_between(&nonce, &associated, sealed, buffer, tag);
                opened.expect("sealed here");
            }
        }
    }))
}
