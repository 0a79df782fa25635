//! The border: memory that C names by address and length becomes slices. All unsafe code of this crate is here.
//!
//! A pointer from C has a type with a private field ([`In`], [`Out`], [`Text`], [`AeadMessages`], [`Inputs`]), so that only C can
//! make one. Three things are left to the caller, as the header says: the memory has its length; during the call nobody writes an
//! input; and nobody else reads or writes an output. Everything else is checked here: null, lengths, and overlap of all memory of
//! a call. Handles and places for results need no unsafe code: they are `Option<&T>` and `Option<Box<T>>`, which C sees as
//! pointers.
#![allow(unsafe_code)]

use crate::error::Failure;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::Range;
use core::{ptr, slice};
use std::sync::Arc;

/// The first byte of an input.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct In(*const c_void);

impl In {
    /// Whether it is null.
    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }
}

/// The first byte of an output.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Out(*mut c_void);

impl Out {
    /// The same memory, to read.
    pub(crate) fn as_in(self) -> In {
        In(self.0)
    }
}

/// A string that ends with a zero.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Text(*const c_char);

/// An input: an address and a length in bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Bytes {
    /// Its first byte.
    pub data: In,
    /// Its length.
    pub len: usize,
}

/// One of many messages of icefish_aead_seal_many or icefish_aead_open_many.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AeadMessage {
    /// The nonce.
    pub nonce: In,
    /// Length of the nonce.
    pub nonce_len: usize,
    /// The associated data.
    pub associated: In,
    /// Length of the associated data.
    pub associated_len: usize,
    /// What is sealed or opened.
    pub input: In,
    /// The result: the same buffer as the input, or apart from it.
    pub output: Out,
    /// Length of input and output.
    pub len: usize,
    /// The tag, of icefish_aead_tag_len bytes. icefish_aead_open_many reads it.
    pub tag: Out,
    /// Set by the call: the icefish_error of this message.
    pub error: c_int,
}

/// The first of several messages, which get their results.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct AeadMessages(*mut AeadMessage);

/// The first of several inputs.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Inputs(*const Bytes);

/// Where a result goes, such as a length or a handle; null is `None`. What is there before is not read.
pub(crate) type Place<'p, T> = Option<&'p mut MaybeUninit<T>>;

/// An input and an output: the same memory, or apart.
pub(crate) enum Io<'c> {
    /// The output, which begins with the input.
    InPlace(&'c mut [u8]),
    /// The input and the output.
    Between(&'c [u8], &'c mut [u8]),
}

/// Most pieces of memory in a call.
const MOST: usize = 8;

/// The memory of one call. No two outputs overlap, and no output and input.
pub(crate) struct Call<'c> {
    used: [Range<usize>; MOST],
    /// Which of them are outputs, a bit each.
    outputs: u32,
    count: usize,
    memory: PhantomData<&'c mut [u8]>,
}

impl<'c> Call<'c> {
    /// The memory of a call, before any of it is taken. Only [`call`](crate::call) makes one.
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self { used: [const { 0..0 }; MOST], outputs: 0, count: 0, memory: PhantomData }
    }

    /// Takes memory at `at`, unless it overlaps with what was taken and one of both is an output.
    #[inline(always)]
    fn take(&mut self, at: usize, len: usize, output: bool) -> Result<(), Failure> {
        if at == 0 {
            return Err(Failure::Null);
        }
        let end = at.checked_add(len).filter(|_| len <= isize::MAX as usize);
        let end = end.ok_or(Failure::Length)?;
        let mut overlaps = false;
        for (i, used) in self.used[..self.count].iter().enumerate() {
            let one_is_output = output || self.outputs & (1 << i) != 0;
            overlaps |= one_is_output & (at < used.end) & (used.start < end);
        }
        if overlaps {
            return Err(Failure::Overlap);
        }
        if self.count == MOST {
            return Err(Failure::Internal);
        }
        self.used[self.count] = at..end;
        self.outputs |= u32::from(output) << self.count;
        self.count += 1;
        Ok(())
    }

    /// The same for memory that an earlier call lent to a message.
    pub(crate) fn lent(&mut self, memory: &Range<usize>) -> Result<(), Failure> {
        if memory.is_empty() { Ok(()) } else { self.take(memory.start, memory.len(), true) }
    }

    /// `len` bytes to read. With a length of 0, the pointer may be null or anything else.
    #[inline(always)]
    pub(crate) fn input(&mut self, at: In, len: usize) -> Result<&'c [u8], Failure> {
        if len == 0 {
            return Ok(&[]);
        }
        self.take(at.0.addr(), len, false)?;
        // SAFETY: C passes `len` bytes that nobody writes during the call. It is not null and no longer than a slice may be, and no
        // output of this call overlaps with it.
        Ok(unsafe { slice::from_raw_parts(at.0.cast(), len) })
    }

    /// `len` bytes to write. With a length of 0, the pointer may be null or anything else.
    #[inline(always)]
    pub(crate) fn output(&mut self, at: Out, len: usize) -> Result<&'c mut [u8], Failure> {
        if len == 0 {
            return Ok(&mut []);
        }
        self.take(at.0.addr(), len, true)?;
        // SAFETY: C passes `len` bytes that nobody else reads or writes during the call. It is not null and no longer than a slice may
        // be, and nothing else of this call overlaps with it.
        Ok(unsafe { slice::from_raw_parts_mut(at.0.cast(), len) })
    }

    /// An input and an output. If both are the same address, that is in place, and the output has at least the length of the input.
    #[inline(always)]
    pub(crate) fn io(
        &mut self,
        input: In,
        input_len: usize,
        output: Out,
        output_len: usize,
    ) -> Result<Io<'c>, Failure> {
        if input.0.addr() == output.0.addr() && input_len != 0 && output_len != 0 {
            if output_len < input_len {
                return Err(Failure::room(output_len, input_len));
            }
            return Ok(Io::InPlace(self.output(output, output_len)?));
        }
        Ok(Io::Between(self.input(input, input_len)?, self.output(output, output_len)?))
    }

    /// A string; nothing if it is null.
    pub(crate) fn text(&mut self, at: Text) -> Result<Option<&'c CStr>, Failure> {
        if at.0.is_null() {
            return Ok(None);
        }
        // SAFETY: C passes a string that ends with a zero and that nobody writes during the call.
        let text = unsafe { CStr::from_ptr(at.0) };
        self.take(at.0.addr(), text.count_bytes() + 1, false)?;
        Ok(Some(text))
    }

    /// Where a result goes; nothing if it is null.
    #[inline(always)]
    pub(crate) fn place<'p, T>(&mut self, at: Place<'p, T>) -> Result<Place<'p, T>, Failure> {
        if let Some(place) = &at {
            self.take(ptr::from_ref(&**place).addr(), size_of::<T>(), true)?;
        }
        Ok(at)
    }

    /// `count` inputs, as C names them.
    pub(crate) fn inputs(&mut self, at: Inputs, count: usize) -> Result<&'c [Bytes], Failure> {
        if count == 0 {
            return Ok(&[]);
        }
        self.take_items(at.0, count, false)?;
        // SAFETY: C passes `count` structs that nobody writes during the call. They are aligned and no longer than a slice may be, no
        // output of this call overlaps with them, and every bit pattern of a pointer and a length is valid.
        Ok(unsafe { slice::from_raw_parts(at.0, count) })
    }

    /// Replaces each of `count` messages by what `change` makes of it and of a call for its memory: this must not overlap with what was
    /// taken, and may overlap with that of other messages. No reference to the messages is made.
    pub(crate) fn for_each(
        &mut self,
        at: AeadMessages,
        count: usize,
        mut change: impl FnMut(&mut Self, AeadMessage) -> AeadMessage,
    ) -> Result<(), Failure> {
        self.take_items(at.0, count, true)?;
        let taken = self.count;
        for i in 0..count {
            // SAFETY: `i` is one of the `count` structs that C passed and that nobody else uses during the call. They are aligned, and
            // every bit pattern of pointers and numbers is valid.
            unsafe {
                let message = at.0.add(i);
                message.write(change(self, message.read()));
            }
            self.give_back(taken);
        }
        Ok(())
    }

    /// What `body` takes may overlap with what is taken later.
    pub(crate) fn one<T>(
        &mut self,
        body: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let taken = self.count;
        let made = body(self);
        self.give_back(taken);
        made
    }

    fn take_items<T>(&mut self, at: *const T, count: usize, output: bool) -> Result<(), Failure> {
        let len = count.checked_mul(size_of::<T>()).ok_or(Failure::Length)?;
        if count == 0 {
            return Ok(());
        }
        self.take(at.addr(), len, output)?;
        if at.is_aligned() { Ok(()) } else { Err(Failure::Alignment) }
    }

    /// Forgets what was taken after the first `count`.
    #[inline(always)]
    fn give_back(&mut self, count: usize) {
        self.count = count;
        self.outputs &= (1 << count) - 1;
    }
}

/// What borrows a key, with the key: C may free the key first.
pub(crate) struct Borrowing<M, K: 'static> {
    /// Dropped before the key.
    pub(crate) message: M,
    _key: Arc<K>,
}

impl<M, K: 'static> Borrowing<M, K> {
    /// What `make` makes with the key.
    pub(crate) fn new(
        key: &Arc<K>,
        make: impl FnOnce(&'static K) -> Result<M, Failure>,
    ) -> Result<Self, Failure> {
        let key = Arc::clone(key);
        // SAFETY: what is in an `Arc` does not move, and nobody gets it to change it. It lives as long as the `Arc`, which is dropped
        // after the message, because its field comes after it. Callers keep the reference in the message and nowhere else.
        let borrowed = unsafe { &*Arc::as_ptr(&key) };
        Ok(Self { message: make(borrowed)?, _key: key })
    }

    /// What `end` makes of the message, before the key goes.
    pub(crate) fn finish<T>(self, end: impl FnOnce(M) -> Result<T, Failure>) -> Result<T, Failure> {
        let Self { message, _key } = self;
        end(message)
    }
}
