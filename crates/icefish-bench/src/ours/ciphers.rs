//! Block ciphers by themselves: one block after the other, and as many as fill the registers.

use std::hint::black_box;
use std::marker::PhantomData;

use icefish::cipher::{Cipher, Decrypt, Direction, Encrypt, NewCipher, Wide};
use icefish::ciphers::{Aes128, Aes192, Aes256, Ice, Threefish256, Threefish512, Threefish1024};
use icefish::isa::{Gain, Isa, Sink, Task};
use icefish::modes::{Crypter, Ecb, Padding};
use icefish::{Backend, Block, Key};

use super::{Case, Choice, Part, identity};
use crate::identity;

pub(super) fn cases(choice: &Choice) -> Vec<Case> {
    let mut cases = Vec::new();
    for backend in choice.backends() {
        for level in [0, 1, 2] {
            let names = (format!("ice{level}"), if level == 0 { "thin-ice" } else { "ice" });
            let key = vec![0x5a; Ice::key_len(level)];
            if !super::gains(backend, Ice::GAIN) && choice.backend.is_none() {
                continue;
            }
            if let Ok(ice) = Ice::new(level, &key) {
                both(choice, names, Key::from_cipher(ice, backend), &mut cases);
            }
        }
        new::<Threefish256>(choice, "threefish256", backend, &mut cases);
        new::<Threefish512>(choice, "threefish512", backend, &mut cases);
        new::<Threefish1024>(choice, "threefish1024", backend, &mut cases);
        new::<Aes128>(choice, "aes128", backend, &mut cases);
        new::<Aes192>(choice, "aes192", backend, &mut cases);
        new::<Aes256>(choice, "aes256", backend, &mut cases);
    }
    cases
}

/// A cipher that needs nothing but a key; skipped where the backend adds nothing to the one before.
fn new<C: NewCipher + Clone + 'static>(
    choice: &Choice,
    name: &str,
    backend: Backend,
    cases: &mut Vec<Case>,
) {
    if !super::gains(backend, C::GAIN) && choice.backend.is_none() {
        return;
    }
    if let Ok(key) = Key::<C>::on(backend, &vec![0x5a; C::KEY]) {
        both(choice, (name.to_owned(), name), key, cases);
    }
}

fn both<C: Cipher + Clone + 'static>(
    choice: &Choice,
    (name, other): (String, &str),
    key: Key<C>,
    cases: &mut Vec<Case>,
) {
    if choice.wants(&[&name, other]) {
        cases.push(case::<C, Encrypt>(choice, &name, key.clone()));
        cases.push(case::<C, Decrypt>(choice, &name, key));
    }
}

fn case<C: Cipher + 'static, D: Direction>(choice: &Choice, name: &str, key: Key<C>) -> Case {
    let (backend, batch) = (key.backend(), key.batch());
    let direction =
        if D::ENCRYPT { identity::Direction::Encrypt } else { identity::Direction::Decrypt };
    let wide = if batch > 1 { format!("_x{batch}") } else { String::new() };
    let back = if D::ENCRYPT { "" } else { "_dec" };
    let size = C::Block::LEN;
    let id = identity(
        format!("{name}_{backend}{wide}{back}"),
        name,
        backend,
        Some(direction),
        size,
        batch,
    );
    let mut block = C::Block::take(&choice.data(size));
    let mut data = choice.data(choice.message.next_multiple_of(size));
    let blocks = data.len() / size;
    // The two parts need a key each, and a key is not always small: they share this one.
    let key = std::rc::Rc::new(key);
    let other = key.clone();
    let latency = Part::new(1, move |n| {
        let direction = PhantomData::<D>;
        backend.run(Chained { cipher: other.cipher(), block: &mut block, n, direction });
        black_box(&block);
    });
    let throughput = Part::new(blocks, move |n| {
        for _ in 0..n {
            let len = data.len();
            let pass = Crypter::<C, Ecb, D>::new(&key, Ecb, &[]).map(|c| c.padding(Padding::None));
            let _ = black_box(pass.and_then(|c| c.in_place(&mut data, len)));
        }
        black_box(&data);
    });
    Case { id, latency: Some(latency), throughput: Some(throughput) }
}

/// Each block is the result of the one before; the block stays in registers.
struct Chained<'a, C: Cipher, D> {
    cipher: &'a C,
    block: &'a mut C::Block,
    n: u64,
    direction: PhantomData<D>,
}

impl<C: Cipher, D: Direction> Task for Chained<'_, C, D> {
    type Out = ();
    const GAIN: Gain = C::GAIN;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let mut x = C::One::<S>::load(isa, self.block.as_ref());
        for _ in 0..self.n {
            x = self.cipher.one::<S, D>(isa, x);
        }
        x.store(isa, Sink::new(self.block.as_mut()));
    }
}
