//! The state of a mode between two blocks.

use super::Mode;
use crate::cipher::{Cipher, Direction, Many, Pass, Wide};
use crate::isa::{Extension, InOut, Isa, Sink, Task, opaque_option};
use crate::{Block, Error};
use core::fmt;
use core::marker::PhantomData;

/// The state of a mode between two blocks: a chaining block, and the number of blocks before. A mode that continues it writes both.
///
/// In a message that is one call, nothing continues the state after the last block, and what a mode writes may be dropped. The
/// chaining value of a short message is then in registers from beginning to end.
///
/// `Debug` shows no block.
///
/// ```
/// use icefish::{Key, cipher::{Cipher, Direction}, ciphers::Aes128};
/// use icefish::{isa::{InOut, Isa}, modes::{Chain, Mode}};
///
/// /// The chaining block is XORed to the first block, and its complement continues. It has no use.
/// #[derive(Clone, Copy)]
/// struct Turned;
///
/// impl Mode for Turned {
///     fn blocks<C: Cipher, D: Direction, S: Isa>(
///         &self,
///         _: S,
///         _: &C,
///         chain: Chain<'_, C::Block>,
///         mut io: InOut<'_>,
///     ) {
///         let mut block = *chain.block();
///         io.xor_bytes(0, block.as_ref());
///         block.as_mut().iter_mut().for_each(|byte| *byte = !*byte);
///         chain.set_block(block);
///     }
/// }
///
/// let key = Key::<Aes128>::new(&[7; 16])?;
/// let (mut message, mut data) = (key.encryptor(Turned, &[1; 16])?, [[5; 16]; 2]);
/// message.update_in_place(&mut data[0])?;
/// message.update_in_place(&mut data[1])?;
/// assert_eq!(data, [[5 ^ 1; 16], [5 ^ !1; 16]]);
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct Chain<'a, B: Block>(Of<'a, B>);

/// What the state is of.
enum Of<'a, B: Block> {
    /// A message, by its initial chaining block.
    Message(&'a B),
    /// A piece of a message, which begins anywhere.
    Piece(&'a mut Position<B>),
}

/// Where a message in pieces is.
#[derive(Clone)]
#[repr(C)]
pub(crate) struct Position<B: Block> {
    /// The last ciphertext block, the last output block, or the initial counter block.
    pub(crate) block: B,
    /// How many blocks came before, in modes that use the number of a block, and in messages of whole blocks that come in pieces.
    pub(crate) index: u128,
}

impl<B: Block> Position<B> {
    /// The beginning of a message.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    #[inline(always)]
    pub(crate) fn new<M: Mode>(mode: M, iv: &[u8]) -> Result<Self, Error> {
        let mut room = B::zero();
        Ok(Self { block: *initial(mode, iv, &mut room)?, index: 0 })
    }
}

impl<B: Block> Drop for Position<B> {
    fn drop(&mut self) {
        crate::isa::erase(self.block.as_mut());
    }
}

/// The initial chaining block: `iv`, with zeros after it if it is shorter than a block. `room` is zero, and for the latter.
///
/// # Errors
/// [`Error::IvLength`].
#[inline(always)]
pub(super) fn initial<'a, M: Mode, B: Block>(
    mode: M,
    iv: &'a [u8],
    room: &'a mut B,
) -> Result<&'a B, Error> {
    let (got, need) = (iv.len(), mode.iv_len(B::LEN));
    if got != need {
        return Err(Error::IvLength { got, need });
    }
    if let Some(block) = B::view(iv) {
        return Ok(block);
    }
    room.as_mut()[..need].copy_from_slice(iv);
    Ok(room)
}

impl<'a, B: Block> Chain<'a, B> {
    /// At the beginning of a message that is one call.
    #[inline(always)]
    pub(crate) fn message(initial: &'a B) -> Self {
        Self(Of::Message(initial))
    }

    /// At the beginning of a piece.
    #[inline(always)]
    pub(crate) fn piece(position: &'a mut Position<B>) -> Self {
        Self(Of::Piece(position))
    }

    /// The IV, with zeros after it if it is shorter than a block; in a later piece, what [`Chain::set_block`] wrote last.
    #[inline(always)]
    pub fn block(&self) -> &B {
        match &self.0 {
            Of::Message(initial) => initial,
            Of::Piece(position) => &position.block,
        }
    }

    /// How many blocks came before, in modes that use the number of a block.
    #[inline(always)]
    pub fn index(&self) -> u128 {
        match &self.0 {
            Of::Message(_) => 0,
            Of::Piece(position) => position.index,
        }
    }

    /// Where the chaining block to continue with is written, if anything continues.
    #[inline(always)]
    pub(crate) fn next_block(self) -> Option<&'a mut B> {
        // Without the barrier, a loop over the blocks is compiled for messages and again for pieces.
        opaque_option(match self.0 {
            Of::Message(_) => None,
            Of::Piece(position) => Some(&mut position.block),
        })
    }

    /// Continues with another chaining block. The caller erases its copy, if that is a secret.
    #[inline(always)]
    pub fn set_block(self, block: B) {
        if let Some(next) = self.next_block() {
            *next = block;
        }
    }

    /// [`Chain::block`] and [`Chain::index`]. Continues `blocks` blocks later, with the same chaining block.
    #[inline(always)]
    pub fn counted(self, blocks: u128) -> (&'a B, u128) {
        match self.0 {
            Of::Message(initial) => (initial, 0),
            Of::Piece(Position { block, index }) => {
                let before = *index;
                *index = before.wrapping_add(blocks);
                (block, before)
            }
        }
    }
}

/// Stores the only block of a message or piece, and `continued`, if anything continues.
#[inline(always)]
pub(super) fn store_only<S: Isa, W: Wide<S>, B: Block>(
    isa: S,
    mut block: W,
    output: Sink<'_>,
    mut continued: W,
    chain: Chain<'_, B>,
) {
    block.store(isa, output);
    if let Of::Piece(position) = chain.0 {
        // A whole message then ends without a jump.
        core::hint::cold_path();
        continued.store(isa, Sink::new(position.block.as_mut()));
    }
}

/// Stores the last block of a message or piece, and once more at `next`, if anything continues.
#[inline(always)]
pub(super) fn store_last<S: Isa, W: Wide<S>, B: Block>(
    isa: S,
    mut block: W,
    output: Sink<'_>,
    next: Option<&mut B>,
) {
    // A copy, because a store leaves the register unspecified. If the chaining value were loaded from the output instead, that load
    // would wait for the store.
    let mut copy = block;
    block.store(isa, output);
    if let Some(next) = next {
        copy.store(isa, Sink::new(next.as_mut()));
    }
}

/// A mode that has other code for one block than for several.
pub(super) trait Chained {
    /// Takes whole blocks: several, or also one, if the cipher has no code for one.
    fn longer<C: Cipher, D: Direction, S: Isa>(
        isa: S,
        cipher: &C,
        chain: Chain<'_, C::Block>,
        io: InOut<'_>,
    );
}

/// [`Chained::longer`]. As a task it is a call, so that the code of one block is without a jump and without a stack frame.
pub(super) struct Longer<'a, C: Cipher, M, D> {
    cipher: &'a C,
    chain: Chain<'a, C::Block>,
    io: InOut<'a>,
    how: PhantomData<(M, D)>,
}

impl<'a, C: Cipher, M: Chained, D: Direction> Longer<'a, C, M, D> {
    #[inline(always)]
    pub(super) fn new(cipher: &'a C, chain: Chain<'a, C::Block>, io: InOut<'a>) -> Self {
        Self { cipher, chain, io, how: PhantomData }
    }

    /// Inlined, if there is no code of one block.
    #[inline(always)]
    pub(super) fn run<S: Isa>(self, isa: S) {
        if C::takes_one::<S>() { isa.run(self) } else { self.call(isa) }
    }
}

impl<C: Cipher, M: Chained, D: Direction> Task for Longer<'_, C, M, D> {
    type Out = ();
    const EXTENSION: Extension = C::EXTENSION;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let Self { cipher, chain, io, .. } = self;
        M::longer::<C, D, S>(isa, cipher, chain, io);
    }
}

/// Takes blocks through the cipher: as a part of the function for longer messages if a message is short, else by a call, because the
/// function of a larger cipher would be too long for the compiler to inline all of it.
#[inline(always)]
pub(super) fn take_blocks<C: Cipher, D: Direction, S: Isa, P: Pass>(
    isa: S,
    cipher: &C,
    mut pass: P,
    blocks: usize,
) {
    if C::is_short::<S>() {
        cipher.many::<S, D, P>(isa, &mut pass, blocks);
    } else {
        isa.run(Many::<_, _, D>::new(cipher, pass, blocks));
    }
}

/// The last of whole blocks.
#[inline(always)]
pub(super) fn last_block<B: Block>(io: &InOut<'_>) -> Option<B> {
    let at = io.len().checked_sub(B::LEN)?;
    Some(B::take(&io.input()[at..]))
}

impl<B: Block> fmt::Debug for Chain<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chain").field("index", &self.index()).finish_non_exhaustive()
    }
}
