//! One state: as rows in vector registers or as words in general registers, whichever is faster on this CPU.
//!
//! A round is a dependency chain of six or seven steps on rows, and of nine or more on words. Where the latency of vector
//! instructions is two cycles (Zen 5), words are faster: 206 cycles against 239 with AVX-512 and 352 with AVX2. Where it is one
//! cycle, rows are faster.

use super::plane::Form;
use super::rounds::permute_or_invert;
use super::{STATE, Word};
use crate::isa::{Extension, Isa, Rows, Sink, Task, WordRow, forms};
use core::marker::PhantomData;

/// Work on one state of Xoodoo, whose planes are `PlaneRow<R>`.
pub(crate) trait OnOneState {
    type Out;
    fn call<S: Isa, R: Rows<S, u32>>(self, isa: S) -> Self::Out;
}

/// Whether words are the faster form for Xoodoo. Xoodoo64 uses words on every CPU.
#[inline(always)]
fn in_words<S: Isa>() -> bool {
    S::Row32::REGISTER && forms().xoodoo_in_words
}

/// Does such work in the faster form.
pub(crate) struct Best<T>(pub(crate) T);

impl<T: OnOneState> Task for Best<T> {
    type Out = T::Out;
    const EXTENSION: Extension = Extension::None;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) -> T::Out {
        if in_words::<S>() {
            self.0.call::<S, WordRow<u32, 4>>(isa)
        } else {
            self.0.call::<S, S::Row32>(isa)
        }
    }
}

/// Permutes one state.
pub(super) struct PermuteOne<'a, W, const INVERSE: bool> {
    constants: &'a [u32],
    state: &'a mut [u8; STATE],
    word: PhantomData<W>,
}

impl<'a, W: Word, const INVERSE: bool> PermuteOne<'a, W, INVERSE> {
    pub(super) fn new(constants: &'a [u32], state: &'a mut [u8; STATE]) -> Self {
        Self { constants, state, word: PhantomData }
    }

    #[inline(always)]
    fn with<S: Isa, P: Form<S, W>>(self, isa: S) {
        let mut a = P::gather(isa, self.state);
        permute_or_invert::<S, W, P, INVERSE>(isa, &mut a, self.constants);
        P::scatter(a, Sink::new(self.state));
    }
}

impl<W: Word, const INVERSE: bool> Task for PermuteOne<'_, W, INVERSE> {
    type Out = ();
    const EXTENSION: Extension = Extension::None;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        if W::BITS == 32 && in_words::<S>() {
            self.with::<S, W::Plain<S>>(isa);
        } else {
            self.with::<S, W::One<S>>(isa);
        }
    }
}
