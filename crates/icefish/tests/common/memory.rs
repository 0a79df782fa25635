//! Secrets that are left in the memory of this process: Linux shows it as a file.

use std::fs::{File, read_to_string};
use std::os::unix::fs::FileExt;
use std::ptr::from_ref;
use zeroize::Zeroize;

/// A secret of which the test itself keeps no copy: its bytes are masked.
pub(crate) struct Needle(Vec<u8>);

const MASK: u8 = 0xa6;

/// Where a copy lies.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Copy {
    pub(crate) address: usize,
    pub(crate) on_stack: bool,
}

impl Needle {
    /// Of `len` bytes that look random.
    pub(crate) fn new(seed: u64, len: usize) -> Self {
        let mut bytes = super::Random(seed).bytes(len);
        bytes.iter_mut().for_each(|byte| *byte ^= MASK);
        Self(bytes)
    }

    /// Of these bytes, which are erased.
    pub(crate) fn of(bytes: &mut [u8]) -> Self {
        let masked = bytes.iter().map(|byte| byte ^ MASK).collect();
        bytes.zeroize();
        Self(masked)
    }

    /// Calls with the secret itself, which is erased afterwards.
    #[inline(never)]
    pub(crate) fn lend<T>(&self, call: impl FnOnce(&[u8]) -> T) -> T {
        let mut bytes = Box::new([0; 256]);
        let bytes = &mut bytes[..self.0.len()];
        for (byte, masked) in bytes.iter_mut().zip(&self.0) {
            *byte = masked ^ MASK;
        }
        let result = call(bytes);
        bytes.zeroize();
        result
    }

    /// The same with every eight bytes the other way round: as words that are not of this CPU's order.
    pub(crate) fn swapped(&self) -> Self {
        Self(self.0.chunks(8).flat_map(|word| word.iter().rev().copied()).collect())
    }

    /// Whole copies in the memory of this process. Never inlined, so that its own frame is below that of its caller, where
    /// the copies are that its caller's calls have left.
    #[inline(never)]
    pub(crate) fn copies(&self) -> Vec<Copy> {
        let (here, mut copies) = (from_ref(&self).addr(), Vec::new());
        let memory = File::open("/proc/self/mem").expect("Linux");
        let mut room = vec![0; 1 << 18];
        let own = room.as_ptr_range();
        let own = own.start.addr()..own.end.addr();
        for line in read_to_string("/proc/self/maps").expect("Linux").lines() {
            let (range, rest) = line.split_once(' ').expect("a range and more");
            let (start, end) = range.split_once('-').expect("two addresses");
            let address = |digits| usize::from_str_radix(digits, 16).expect("an address");
            let (start, end) = (address(start), address(end));
            if !rest.starts_with("rw") {
                continue;
            }
            let mut at = start;
            while at < end {
                let len = room.len().min(end - at);
                // What cannot be read is no memory of ours, such as that of a device.
                if memory.read_exact_at(&mut room[..len], at as u64).is_err() {
                    break;
                }
                for found in self.find(&room[..len]) {
                    let address = at + found;
                    if !own.contains(&address) {
                        copies.push(Copy { address, on_stack: (start..end).contains(&here) });
                    }
                }
                // What begins at the end of one piece ends in the next.
                at += if at + len == end { len } else { len - self.0.len() };
            }
        }
        copies.sort_by_key(|copy| copy.address);
        copies.dedup();
        copies
    }

    /// Where whole copies begin.
    fn find(&self, memory: &[u8]) -> Vec<usize> {
        let (first, mut found) = (self.0[0] ^ MASK, Vec::new());
        // Most memory is empty, and `contains` is fast without optimization, too.
        for (i, piece) in memory.chunks(64).enumerate().filter(|(_, piece)| piece.contains(&first))
        {
            for at in 64 * i..64 * i + piece.len() {
                if let Some(window) = memory.get(at..at + self.0.len())
                    && window.iter().zip(&self.0).all(|(byte, masked)| byte ^ MASK == *masked)
                {
                    found.push(at);
                }
            }
        }
        found
    }
}
