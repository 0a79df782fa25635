//! Space on the stack for values. Making it takes no time, because it is initialised only when values are pushed.
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
    /// At least as many as values are not erased.
    live: usize,
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
        Self { bytes: MaybeUninit::uninit(), len: *opaque(&0), live: 0, values: PhantomData }
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
        // Not one more: the compiler would count both in a vector, and each address would wait for it.
        self.live = self.len;
    }

    /// Value `i`, if it is there.
    #[inline(always)]
    pub(crate) fn get(&self, i: usize) -> Option<&T> {
        // SAFETY: `push` wrote the first `len` values.
        (i < self.len).then(|| unsafe { &*self.bytes.as_ptr().cast::<T>().add(i) })
    }

    /// All values.
    #[inline(always)]
    pub(crate) fn all(&self) -> &[T] {
        // SAFETY: `push` wrote the first `len` values.
        unsafe { core::slice::from_raw_parts(self.bytes.as_ptr().cast(), self.len) }
    }

    /// Erases value `i`, if it is there. Must be called at most once for each value: a drop erases nothing once there were as
    /// many calls as values. Beside other work, this takes less time than at the end.
    #[inline(always)]
    pub(crate) fn erase(&mut self, i: usize) {
        const { assert!(size_of::<T>().is_multiple_of(size_of::<Line>())) };
        if i < self.len {
            let lines = size_of::<T>() / size_of::<Line>();
            self.zero(lines * i, lines);
            self.live = self.live.saturating_sub(1);
        }
    }

    /// Overwrites lines of the values.
    #[inline(always)]
    fn zero(&mut self, first: usize, count: usize) {
        // The compiler does not know that these are zeros, so it does not call `memset`, which takes as long as 64 blocks.
        let zeros = *opaque(&Line { _words: [0; 8] });
        for i in first..first + count {
            // SAFETY: `bytes` is aligned for lines and consists of whole ones, and `push` wrote a part of each of these.
            unsafe { self.bytes.as_mut_ptr().cast::<Line>().add(i).write(zeros) };
        }
    }
}

impl<T: Copy, const BYTES: usize> Drop for Room<T, BYTES> {
    #[inline(always)]
    fn drop(&mut self) {
        if self.live > 0 {
            self.zero(0, (self.len * size_of::<T>()).div_ceil(size_of::<Line>()));
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
        assert_eq!([room.get(0), room.get(16), room.get(17)], [Some(&7), Some(&23), None]);
        let mut room = core::mem::ManuallyDrop::new(room);
        // SAFETY: once, and what is read afterwards was written.
        let after = unsafe {
            core::mem::ManuallyDrop::drop(&mut room);
            room.bytes.as_ptr().cast::<[u32; 17]>().read()
        };
        assert_eq!(after, [0; 17]);
    }

    #[test]
    fn a_value_is_erased() {
        let mut room = Room::<[u64; 8], 256>::new();
        (0..3).for_each(|i| room.push([7 + i; 8]));
        room.erase(1);
        room.erase(3);
        assert_eq!([0, 1, 2].map(|i| room.get(i).unwrap()[7]), [7, 0, 9]);
    }

    #[test]
    #[should_panic(expected = "no room")]
    fn there_is_no_room_for_more() {
        let mut room = Room::<[u32; 6], 64>::new();
        (0..3).for_each(|i| room.push([i; 6]));
    }
}
