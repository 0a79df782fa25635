//! Space on the stack for values, which takes no time to make: it is not initialised until values are pushed.
#![allow(unsafe_code)]

use super::erase::keep;
use super::opaque;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

/// A list of at most `BYTES / size_of::<T>()` values, on the stack, which is erased on drop. Making it writes nothing.
#[repr(C, align(64))]
pub(crate) struct Room<T: Copy, const BYTES: usize> {
    bytes: MaybeUninit<[u8; BYTES]>,
    len: usize,
    values: PhantomData<T>,
}

/// A cache line.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Line {
    _words: [u64; 8],
}

impl<T: Copy, const BYTES: usize> Room<T, BYTES> {
    /// An empty list.
    #[inline(always)]
    pub(crate) fn new() -> Self {
        const { assert!(align_of::<T>() <= 64 && BYTES.is_multiple_of(64)) };
        // If it knew the length, the compiler would set all to zero at once.
        Self { bytes: MaybeUninit::uninit(), len: *opaque(&0), values: PhantomData }
    }

    /// Adds a value.
    ///
    /// # Panics
    /// If the list is full.
    #[inline(always)]
    pub(crate) fn push(&mut self, value: T) {
        assert!(self.len < BYTES / size_of::<T>(), "no room");
        // SAFETY: the place is within `bytes`, and aligned: all have the size of `T`, and the first has the alignment of `Self`.
        unsafe { self.bytes.as_mut_ptr().cast::<T>().add(self.len).write(value) };
        self.len += 1;
    }

    /// Value `i`, if it is there.
    #[inline(always)]
    pub(crate) fn get(&self, i: usize) -> Option<T> {
        // SAFETY: `push` wrote the first `len` values.
        (i < self.len).then(|| unsafe { self.bytes.as_ptr().cast::<T>().add(i).read() })
    }
}

impl<T: Copy, const BYTES: usize> Drop for Room<T, BYTES> {
    #[inline(always)]
    fn drop(&mut self) {
        // The compiler does not know that these are zeros, so it does not call `memset`, which takes as long as 64 blocks.
        let zeros = *opaque(&Line { _words: [0; 8] });
        for i in 0..(self.len * size_of::<T>()).div_ceil(size_of::<Line>()) {
            // SAFETY: `bytes` is aligned for lines and consists of whole ones, and `push` wrote a part of each of these.
            unsafe { self.bytes.as_mut_ptr().cast::<Line>().add(i).write(zeros) };
        }
        keep(&raw const self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_there_until_it_is_dropped() {
        let mut room = Room::<u32, 128>::new();
        (0..17).for_each(|i| room.push(7 + i));
        assert_eq!([room.get(0), room.get(16), room.get(17)], [Some(7), Some(23), None]);
        let mut room = core::mem::ManuallyDrop::new(room);
        // SAFETY: once, and what is read afterwards was written.
        let after = unsafe {
            core::mem::ManuallyDrop::drop(&mut room);
            room.bytes.as_ptr().cast::<[u32; 17]>().read()
        };
        assert_eq!(after, [0; 17]);
    }

    #[test]
    #[should_panic(expected = "no room")]
    fn there_is_no_room_for_more() {
        let mut room = Room::<[u32; 6], 64>::new();
        (0..3).for_each(|i| room.push([i; 6]));
    }
}
