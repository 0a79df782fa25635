//! AEGIS, Skein, Xoodyak and Xoofff, and the permutations in sliced order.

use icefish::Backend;
use icefish::aead::{Aead, Aegis, Xoodyak};
use icefish::constructions::skein::{Arguments, Skein, Tree};
use icefish::constructions::{xoodyak, xoofff::Xoofff};
use icefish::mac::AegisMac;
use icefish::permutations::{Permutation, Word};

use crate::peers::{self, Direction, Setup, Work, sealing};

/// An operation that leaves something beside the buffer.
struct Tagged<F> {
    run: F,
    tag: Vec<u8>,
}

impl<F: FnMut(&mut [u8], &mut Vec<u8>)> Work for Tagged<F> {
    fn run(&mut self, buffer: &mut [u8]) {
        (self.run)(buffer, &mut self.tag);
    }

    fn tag(&self) -> &[u8] {
        &self.tag
    }
}

fn tagged(len: usize, run: impl FnMut(&mut [u8], &mut Vec<u8>) + 'static) -> Box<dyn Work> {
    Box::new(Tagged { run, tag: vec![0; len] })
}

pub(super) fn hash(backend: Backend) -> Box<dyn Work> {
    tagged(32, move |buffer, tag| xoodyak::hash(backend, buffer, tag))
}

pub(super) fn skein<const W: usize, const B: usize>(
    backend: Backend,
    tree: Option<Tree>,
) -> Box<dyn Work> {
    let arguments = Arguments { tree, ..Arguments::default() };
    let skein = Skein::<W, B>::on(backend, 8 * B as u64, &arguments);
    tagged(B, move |buffer, tag| skein.hash(buffer, tag).expect("a whole digest"))
}

/// The same for all messages in one call.
pub(super) fn skein_many<const W: usize, const B: usize>(
    backend: Backend,
    lengths: Vec<usize>,
) -> Box<dyn Work> {
    let skein = Skein::<W, B>::on(backend, 8 * B as u64, &Arguments::default());
    tagged(B * lengths.len(), move |buffer, tag| {
        let mut messages: Vec<&[u8]> = Vec::with_capacity(lengths.len());
        messages.extend(peers::split(buffer, &lengths).map(|message| &*message));
        skein.hash_many(&messages, tag).expect("a digest for each message");
    })
}

/// All messages in one call; the digests lie one after the other.
pub(super) fn hash_many(backend: Backend, lengths: Vec<usize>) -> Box<dyn Work> {
    tagged(32 * lengths.len(), move |buffer, tag| {
        let mut messages: Vec<&[u8]> = Vec::with_capacity(lengths.len());
        messages.extend(peers::split(buffer, &lengths).map(|message| &*message));
        let done = xoodyak::hash_many::<32>(backend, &messages, tag.as_chunks_mut().0);
        done.expect("a digest for each message");
    })
}

pub(super) fn seal(backend: Backend, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    let key = Xoodyak::on(backend, setup.key).ok()?;
    let (nonce, associated) = (setup.iv.to_vec(), setup.tweak.to_vec());
    Some(tagged(16, move |buffer, tag| {
        let sealed = key.seal_in_place(&nonce, &associated, buffer);
        tag.copy_from_slice(&sealed.expect("the nonce's length was checked"));
    }))
}

pub(super) fn compress(backend: Backend, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    let key = Xoofff::on(backend, setup.key).ok()?;
    Some(tagged(32, move |buffer, tag| {
        let mut history = key.history();
        history.push(buffer);
        history.output().fill(tag);
    }))
}

pub(super) fn expand(backend: Backend, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    let (key, iv) = (Xoofff::on(backend, setup.key).ok()?, setup.iv.to_vec());
    Some(Box::new(move |buffer: &mut [u8]| {
        let mut history = key.history();
        history.push(&iv);
        history.output().fill(buffer);
    }))
}

/// States whose equal words lie side by side: nothing is transposed.
pub(super) fn sliced<W: Word>(backend: Backend, rounds: u8) -> Box<dyn Work> {
    Box::new(move |buffer: &mut [u8]| {
        let done = Permutation::<W>::permute_sliced(backend, usize::from(rounds), buffer);
        done.expect("whole states, and no more rounds than there are");
    })
}

/// AEGIS, in one direction.
pub(super) fn aegis(
    bits: u16,
    states: u8,
    direction: Direction,
    backend: Backend,
    setup: &Setup<'_>,
) -> Option<Box<dyn Work>> {
    match (bits, states) {
        (128, 1) => variant(Aegis::<128, 1>::on(backend, setup.key).ok()?, direction, setup),
        (128, 2) => variant(Aegis::<128, 2>::on(backend, setup.key).ok()?, direction, setup),
        (128, 4) => variant(Aegis::<128, 4>::on(backend, setup.key).ok()?, direction, setup),
        (256, 1) => variant(Aegis::<256, 1>::on(backend, setup.key).ok()?, direction, setup),
        (256, 2) => variant(Aegis::<256, 2>::on(backend, setup.key).ok()?, direction, setup),
        (256, 4) => variant(Aegis::<256, 4>::on(backend, setup.key).ok()?, direction, setup),
        _ => None,
    }
}

fn variant<const BITS: usize, const STATES: usize>(
    key: Aegis<BITS, STATES>,
    direction: Direction,
    setup: &Setup<'_>,
) -> Option<Box<dyn Work>> {
    let (nonce, associated) = (setup.iv.to_vec(), setup.tweak.to_vec());
    Some(sealing(direction, move |sealed: Option<&[u8]>, buffer: &mut [u8], tag: &mut [u8; 32]| {
        match sealed {
            None => {
                let made = key.seal_in_place(&nonce, &associated, buffer);
                *tag = made.expect("lengths were checked");
            }
            // As the library beside it, which opens in place only.
            Some(sealed) => {
                buffer.copy_from_slice(sealed);
                key.open_in_place(&nonce, &associated, buffer, tag).expect("sealed here");
            }
        }
    }))
}

/// AEGISMAC.
pub(super) fn aegis_mac(
    bits: u16,
    states: u8,
    backend: Backend,
    setup: &Setup<'_>,
) -> Option<Box<dyn Work>> {
    match (bits, states) {
        (128, 1) => code::<128, 1>(backend, setup),
        (128, 2) => code::<128, 2>(backend, setup),
        (128, 4) => code::<128, 4>(backend, setup),
        (256, 1) => code::<256, 1>(backend, setup),
        (256, 2) => code::<256, 2>(backend, setup),
        (256, 4) => code::<256, 4>(backend, setup),
        _ => None,
    }
}

fn code<const BITS: usize, const STATES: usize>(
    backend: Backend,
    setup: &Setup<'_>,
) -> Option<Box<dyn Work>> {
    let pair = AegisMac::<BITS, STATES>::on(backend, setup.key, setup.iv).ok()?;
    Some(tagged(32, move |buffer, tag| tag.copy_from_slice(&pair.tag(buffer))))
}
