//! What a call is held against: the kernel that it ends in, and the same call by the name of its suite.

use icefish::cipher::{Cipher, Wide};
use icefish::isa::{Gain, Isa, Sink, Task};
use icefish::modes::Padding;
use icefish::suite::{AeadSuite, AnyAead, Suite};
use icefish::{Backend, Block, Key};

use crate::peers::{Direction, Mode, Setup, Work};

/// CBC encryption of whole blocks in place, and nothing else: no message, no lengths, no errors.
struct Cbc<'a, C> {
    cipher: &'a C,
    iv: &'a [u8],
    data: &'a mut [u8],
}

impl<C: Cipher> Task for Cbc<'_, C> {
    type Out = ();
    const GAIN: Gain = C::GAIN;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let len = C::Block::LEN;
        let zero = C::One::<S>::load(isa, C::Block::zero().as_ref());
        let mut chain = C::One::<S>::load(isa, self.iv);
        for block in self.data.chunks_exact_mut(len) {
            let input = C::One::<S>::load(isa, block);
            let state = cipher_input(self.cipher, isa, input, chain);
            chain = self.cipher.finish(isa, self.cipher.middle(isa, state), zero);
            let mut output = chain;
            output.store(isa, Sink::new(block));
        }
    }
}

#[inline(always)]
fn cipher_input<C: Cipher, S: Isa>(
    cipher: &C,
    isa: S,
    input: C::One<S>,
    chain: C::One<S>,
) -> C::One<S> {
    cipher.whiten(isa, input).xor(isa, chain)
}

/// The kernel under a kept key.
pub(super) fn kernel<C: Cipher + 'static>(key: Key<C>, iv: &[u8]) -> Box<dyn Work> {
    let iv = iv.to_vec();
    Box::new(move |data: &mut [u8]| {
        key.backend().run(Cbc { cipher: key.cipher(), iv: &iv, data });
    })
}

/// The call of a program that learns its suite when it runs.
pub(super) fn named(
    backend: Backend,
    (bits, mode): (u16, Mode),
    direction: Direction,
    setup: &Setup<'_>,
) -> Option<Box<dyn Work>> {
    let name = format!("aes-{bits}-{mode}");
    if mode == Mode::Gcm {
        return Some(Box::new(Sealing::new(name.parse().ok()?, backend, setup)?));
    }
    let suite: Suite = name.parse().ok()?;
    let key = suite.cipher.key(setup.key, &[], backend).ok()?;
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

struct Sealing {
    key: AnyAead,
    nonce: Vec<u8>,
    associated: Vec<u8>,
    tag: [u8; 16],
}

impl Sealing {
    fn new(suite: AeadSuite, backend: Backend, setup: &Setup<'_>) -> Option<Self> {
        let key = suite.key(setup.key, backend).ok()?;
        Some(Self { key, nonce: setup.iv.to_vec(), associated: setup.tweak.to_vec(), tag: [0; 16] })
    }
}

impl Work for Sealing {
    fn run(&mut self, buffer: &mut [u8]) {
        let sealed = self.key.seal_in_place(&self.nonce, &self.associated, buffer, &mut self.tag);
        sealed.expect("the message is short enough");
    }

    fn tag(&self) -> &[u8] {
        &self.tag
    }
}
