//! The input and output of a mode: one buffer, or two of the same length.
#![allow(unsafe_code)]

mod parts;

use crate::{Block, Error};
use core::marker::PhantomData;

/// Bytes to read and bytes to write: the same memory, or two buffers of the same length.
///
/// Modes read and write through this type, so that each exists once for both cases.
///
/// ```
/// use icefish::isa::InOut;
/// let (input, mut output) = ([1, 2, 3], [0; 3]);
/// InOut::between(&input, &mut output)?.xor_bytes(0, &[4, 4, 4]);
/// assert_eq!(output, [5, 6, 7]);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Debug)]
pub struct InOut<'a> {
    input: *const u8,
    output: *mut u8,
    len: usize,
    lifetime: PhantomData<&'a mut [u8]>,
}

// SAFETY: it represents `&'a mut [u8]`, or that and `&'a [u8]`; both are `Send`.
unsafe impl Send for InOut<'_> {}

impl<'a> InOut<'a> {
    /// Reads from and writes to `buffer`.
    #[inline(always)]
    pub fn in_place(buffer: &'a mut [u8]) -> Self {
        let output = buffer.as_mut_ptr();
        Self { input: output, output, len: buffer.len(), lifetime: PhantomData }
    }

    /// Reads from `input`, writes to `output`.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if the lengths differ.
    #[inline(always)]
    pub fn between(input: &'a [u8], output: &'a mut [u8]) -> Result<Self, Error> {
        if input.len() != output.len() {
            return Err(Error::BufferLength { got: output.len(), need: input.len() });
        }
        let len = input.len();
        Ok(Self { input: input.as_ptr(), output: output.as_mut_ptr(), len, lifetime: PhantomData })
    }

    /// Length in bytes.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether its length is zero.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The part before `mid` and the part from there on.
    ///
    /// # Panics
    /// If `mid` is past the end.
    #[inline(always)]
    pub fn split_at(self, mid: usize) -> (Self, Self) {
        assert!(mid <= self.len, "split past the end of a buffer");
        // SAFETY: mid is at most len, so both parts lie in the buffers; they do not overlap.
        let (input, output) = unsafe { (self.input.add(mid), self.output.add(mid)) };
        let lifetime = PhantomData;
        (Self { len: mid, ..self }, Self { input, output, len: self.len - mid, lifetime })
    }

    /// [`InOut::split_at`], or `None` if `mid` is past the end.
    #[inline(always)]
    #[must_use]
    pub fn split_at_checked(self, mid: usize) -> Option<(Self, Self)> {
        if mid <= self.len { Some(self.split_at(mid)) } else { None }
    }

    /// The same buffers, for a shorter lifetime.
    #[inline(always)]
    pub fn reborrow(&mut self) -> InOut<'_> {
        InOut { input: self.input, output: self.output, len: self.len, lifetime: PhantomData }
    }

    /// The same buffers, with each pointer loaded separately. A task that was passed in memory calls this first.
    ///
    /// The caller of such a task has just stored its arguments pointer by pointer. The compiler tends to copy both pointers with one
    /// load. Pending stores cannot be forwarded to a wider load: it stalls until they are done, and a short message takes
    /// three times as long.
    #[inline(always)]
    #[must_use]
    // The pointers are values here: the block does not access memory through them.
    #[allow(clippy::pointers_in_nomem_asm_block)]
    pub fn apart(self) -> Self {
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        {
            let Self { mut input, mut output, len, lifetime } = self;
            // SAFETY: no instruction. Neither pointer is null; the compiler has to be told again.
            unsafe {
                core::arch::asm!("/* {0} {1} */", inout(reg) input, inout(reg) output,
                    options(pure, nomem, nostack, preserves_flags));
                core::hint::assert_unchecked(!input.is_null() && !output.is_null());
            }
            Self { input, output, len, lifetime }
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        self
    }

    /// Prefetches `len` bytes of input and of output from `at` on, as far as they exist. A kernel that is slower than memory
    /// then does not stall on memory.
    #[inline(always)]
    pub fn fetch(&self, at: usize, len: usize) {
        for line in (at..self.len.min(at.saturating_add(len))).step_by(LINE) {
            fetch(self.input.wrapping_add(line));
            if self.input != self.output {
                fetch(self.output.wrapping_add(line));
            }
        }
    }

    /// The bytes to read. In place, those already written are the output.
    #[inline(always)]
    pub fn input(&self) -> &[u8] {
        // SAFETY: input is valid for len bytes; writes need `&mut self`, so none happens meanwhile.
        unsafe {
            // Said for the compiler, which would test whether a block is there.
            core::hint::assert_unchecked(!self.input.is_null());
            core::slice::from_raw_parts(self.input, self.len)
        }
    }

    /// The bytes to write.
    #[inline(always)]
    pub fn output(&mut self) -> &mut [u8] {
        // SAFETY: output is valid for len bytes and borrowed mutably for as long as the result lives.
        unsafe { core::slice::from_raw_parts_mut(self.output, self.len) }
    }

    /// The destination `output[at..at + len]`.
    ///
    /// # Panics
    /// If that is past the end.
    #[inline(always)]
    pub fn sink(&mut self, at: usize, len: usize) -> Sink<'_> {
        Sink::new(&mut self.output()[at..at + len])
    }

    /// The destination `output[at..at + len]`, where the bytes written are XORed with `input[from..from + len]`.
    ///
    /// `from` must be at most `at`, for the reason at [`Sink`].
    ///
    /// # Panics
    /// If either is past the end, or `from > at`.
    #[inline(always)]
    pub fn sink_xor_input(&mut self, at: usize, len: usize, from: usize) -> Sink<'_> {
        assert!(from <= at && at <= self.len && len <= self.len - at, "sink outside its buffers");
        // SAFETY: both ranges were just checked against the length of the buffers.
        let (output, xor) = unsafe { (self.output.add(at), self.input.add(from)) };
        Sink { output, xor: Some(xor), ascends: from == at, len, lifetime: PhantomData }
    }

    /// Writes `input ^ pad` for the `pad.len()` bytes from `at` on.
    ///
    /// # Panics
    /// If that is past the end.
    #[inline(always)]
    pub fn xor_bytes(&mut self, at: usize, pad: &[u8]) {
        let len = pad.len();
        if len < 8 {
            for (i, &p) in pad.iter().enumerate() {
                let c = self.input()[at + i] ^ p;
                self.output()[at + i] = c;
            }
            return;
        }
        // The last eight bytes are a word too. It overlaps the one before, so in place it is read before anything is written.
        let end = self.word(at + len - 8) ^ u64::from_ne_bytes(Block::take(&pad[len - 8..]));
        for (i, &pad) in pad.as_chunks::<8>().0.iter().enumerate() {
            let at = at + 8 * i;
            let sum = self.word(at) ^ u64::from_ne_bytes(pad);
            self.output()[at..at + 8].copy_from_slice(&sum.to_ne_bytes());
        }
        self.output()[at + len - 8..at + len].copy_from_slice(&end.to_ne_bytes());
    }

    /// Eight bytes of the input from `at` on.
    #[inline(always)]
    fn word(&self, at: usize) -> u64 {
        u64::from_ne_bytes(Block::take(&self.input()[at..]))
    }
}

/// Length of a cache line in bytes.
const LINE: usize = 64;

/// Prefetches the memory at `p`, which may be any address, into the first-level cache.
#[inline(always)]
fn fetch(p: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 CPU has SSE; a prefetch returns no data and never faults.
    unsafe {
        core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(p.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: a prefetch returns no data and never faults.
    unsafe {
        core::arch::asm!("prfm pldl1keep, [{}]", in(reg) p, options(nostack, preserves_flags, readonly));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = p;
}

/// As [`InOut::fetch`], for the first `len` bytes of read-only data.
#[inline(always)]
pub(crate) fn fetch_input(bytes: &[u8], len: usize) {
    for line in (0..bytes.len().min(len)).step_by(LINE) {
        fetch(bytes.as_ptr().wrapping_add(line));
    }
}

/// The same for the line of byte `at`, which need not be there.
#[inline(always)]
pub(crate) fn fetch_line(bytes: &[u8], at: usize) {
    fetch(bytes.as_ptr().wrapping_add(at));
}

#[cfg(feature = "rustcrypto")]
impl<'a> From<cipher::InOutBuf<'a, 'a, u8>> for InOut<'a> {
    #[inline(always)]
    fn from(buffer: cipher::InOutBuf<'a, 'a, u8>) -> Self {
        let len = buffer.len();
        // Both types have the same invariant: one buffer, or two that do not overlap.
        let (input, output) = buffer.into_raw();
        Self { input, output, len, lifetime: PhantomData }
    }
}

#[cfg(feature = "rustcrypto")]
impl<'a, N: cipher::array::ArraySize> From<cipher::InOutBuf<'a, 'a, cipher::Array<u8, N>>>
    for InOut<'a>
{
    #[inline(always)]
    fn from(blocks: cipher::InOutBuf<'a, 'a, cipher::Array<u8, N>>) -> Self {
        // An array of N bytes has no padding, so a sequence of them has none.
        let len = blocks.len() * size_of::<cipher::Array<u8, N>>();
        let (input, output) = blocks.into_raw();
        Self { input: input.cast(), output: output.cast(), len, lifetime: PhantomData }
    }
}

/// The destination of a batch of blocks. It may XOR them with other bytes.
///
/// The bytes that a row is XORed with are read before the row is written. Rows may be written from the first to the last if
/// [`Sink::ascends`] says so. Otherwise they are written from the last to the first: the bytes to XOR may then lie before the
/// output in the same memory.
///
/// ```
/// use icefish::isa::Sink;
/// let mut output = [1; 4];
/// Sink::new(&mut output).xor(&[5; 4]).put(0, [7; 4]);
/// assert_eq!(output, [7 ^ 5; 4]);
/// ```
#[derive(Debug)]
pub struct Sink<'a> {
    output: *mut u8,
    xor: Option<*const u8>,
    ascends: bool,
    len: usize,
    lifetime: PhantomData<&'a mut [u8]>,
}

impl<'a> Sink<'a> {
    /// All of `output`.
    #[inline(always)]
    pub fn new(output: &'a mut [u8]) -> Self {
        let len = output.len();
        Self { output: output.as_mut_ptr(), xor: None, ascends: true, len, lifetime: PhantomData }
    }

    /// The same destination, where the bytes written are XORed with `bytes`.
    ///
    /// # Panics
    /// If `bytes` is shorter than the sink.
    #[inline(always)]
    pub fn xor(self, bytes: &'a [u8]) -> Self {
        assert!(bytes.len() >= self.len, "too few bytes to XOR");
        Self { xor: Some(bytes.as_ptr()), ..self }
    }

    /// The same destination, where rows are written from the last to the first.
    #[inline(always)]
    #[must_use]
    pub fn descending(self) -> Self {
        Self { ascends: false, ..self }
    }

    /// Whether rows may be written from the first to the last. CPUs prefetch memory that is accessed in ascending order. Where the
    /// order descends within each batch, counter mode of 128 MiB takes four times as long (Zen 4, VAES at 512 bits).
    #[inline(always)]
    pub fn ascends(&self) -> bool {
        self.ascends
    }

    /// Length in bytes.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether its length is zero.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The `len` bytes from `at` on.
    ///
    /// # Panics
    /// If that is past the end.
    #[inline(always)]
    pub fn part(&mut self, at: usize, len: usize) -> Sink<'_> {
        let (output, xor) = self.pointers(at, len);
        Sink { output, xor, len, ..*self }
    }

    /// Pointers to write to and to XOR with, for `len` bytes from `at` on.
    ///
    /// # Panics
    /// If that is past the end.
    #[inline(always)]
    pub(in crate::isa) fn pointers(
        &mut self,
        at: usize,
        len: usize,
    ) -> (*mut u8, Option<*const u8>) {
        assert!(at <= self.len && len <= self.len - at, "store past the end of a sink");
        // Not by `map`, which is more code to compile: this is inlined at every store of every kernel.
        // SAFETY: `at` is at most the length of both buffers.
        unsafe {
            match self.xor {
                Some(xor) => (self.output.add(at), Some(xor.add(at))),
                None => (self.output.add(at), None),
            }
        }
    }

    /// Stores `bytes` at `at`: they are XORed and written as one row.
    ///
    /// # Panics
    /// If that is past the end.
    #[inline(always)]
    pub fn put<const L: usize>(&mut self, at: usize, mut bytes: [u8; L]) {
        let (output, xor) = self.pointers(at, L);
        if let Some(xor) = xor {
            // SAFETY: `pointers` checked that L bytes can be read there; arrays have no alignment.
            let with = unsafe { xor.cast::<[u8; L]>().read() };
            for (b, w) in bytes.iter_mut().zip(with) {
                *b ^= w;
            }
        }
        // SAFETY: `pointers` checked that L bytes can be written there.
        unsafe { output.cast::<[u8; L]>().write(bytes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_place_and_between_agree() {
        let mut input = [0u8; 40];
        for (i, byte) in input.iter_mut().enumerate() {
            *byte = 3 * i as u8;
        }
        for len in 0..39 {
            let pad = &[0xa7; 39][..len];
            let mut output = [0u8; 40];
            InOut::between(&input, &mut output).unwrap().xor_bytes(1, pad);
            let mut both = input;
            InOut::in_place(&mut both).xor_bytes(1, pad);
            for i in 0..40 {
                let inside = (1..=len).contains(&i);
                assert_eq!(output[i], if inside { input[i] ^ 0xa7 } else { 0 });
                assert_eq!(both[i], if inside { input[i] ^ 0xa7 } else { input[i] });
            }
        }
    }

    #[test]
    fn lengths_must_agree() {
        assert!(InOut::between(&[0; 3], &mut [0; 4]).is_err());
    }

    #[test]
    #[should_panic(expected = "past the end")]
    fn sink_keeps_its_bounds() {
        Sink::new(&mut [0; 8]).put(4, [0u8; 5]);
    }

    #[test]
    fn sink_xors_what_lies_before_in_the_same_memory() {
        let mut data = *b"abcdefgh";
        let mut io = InOut::in_place(&mut data);
        let mut sink = io.sink_xor_input(4, 4, 0);
        sink.put(2, [0u8; 2]);
        sink.put(0, [0u8; 2]);
        assert_eq!(&data, b"abcdabcd");
    }
}
