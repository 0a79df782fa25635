//! The memory that a call of the C interface gets, some of it wrong.

use crate::data::Data;
use core::ffi::c_void;
use std::ops::Range;

/// What C passes: bytes of the arena from `place` on, or an address that is none of memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    address: usize,
    len: usize,
    place: Option<usize>,
}

impl Memory {
    pub(crate) fn len(self) -> usize {
        self.len
    }

    /// Whether C may pass it: it has no bytes, or those of the arena.
    fn is_legal(self) -> bool {
        self.len == 0 || self.place.is_some()
    }

    /// The bytes of the arena.
    pub(crate) fn range(self) -> Range<usize> {
        if self.len == 0 { 0..0 } else { self.place.map_or(0..0, |at| at..at + self.len) }
    }

    fn overlaps(self, other: Self) -> bool {
        let (a, b) = (self.range(), other.range());
        a.start < b.end && b.start < a.end
    }

    pub(crate) fn input(self) -> *const c_void {
        self.address as _
    }

    pub(crate) fn output(self) -> *mut c_void {
        self.address as _
    }
}

/// Whether inputs and outputs are what the header asks for. `io` is an input and an output that may begin at the same place.
pub(crate) fn legal(inputs: &[Memory], outputs: &[Memory], io: Option<[Memory; 2]>) -> bool {
    let (mut inputs, mut outputs) = (inputs.to_vec(), outputs.to_vec());
    if let Some([input, output]) = io {
        let same = input.address == output.address && input.len != 0 && output.len != 0;
        if same && output.len < input.len {
            return false;
        }
        if !same {
            inputs.push(input);
        } else if !input.is_legal() {
            return false;
        }
        outputs.push(output);
    }
    let apart = outputs.iter().enumerate().all(|(i, &output)| {
        let others = inputs.iter().chain(&outputs[..i]);
        others.into_iter().all(|&other| !output.overlaps(other))
    });
    apart && inputs.iter().chain(&outputs).all(|memory| memory.is_legal())
}

/// All memory that calls get.
pub(crate) struct Arena(Vec<u8>);

impl Arena {
    pub(crate) const LEN: usize = 640;

    pub(crate) fn new(data: &mut Data<'_>) -> Self {
        Self(data.text(Self::LEN))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Anywhere in the arena with `len` bytes, or with a length or at an address that is wrong.
    pub(crate) fn memory(&mut self, data: &mut Data<'_>, len: usize) -> Memory {
        let base = self.0.as_mut_ptr() as usize;
        let len = len.min(Self::LEN);
        match data.below(24) {
            20 => Memory { address: 0, len, place: None },
            21 => Memory { address: 1 + data.word() as usize / 2, len: 0, place: None },
            22 => Memory {
                address: base,
                len: (isize::MAX as usize) + 1 + data.below(1 << 40),
                place: None,
            },
            23 => Memory { address: usize::MAX - data.below(8), len: 9 + len, place: None },
            kind => {
                let len = if kind == 19 { data.below(Self::LEN + 1) } else { len };
                let at = data.below(Self::LEN - len + 1);
                Memory { address: base + at, len, place: Some(at) }
            }
        }
    }

    /// The same bytes with another length, or others.
    pub(crate) fn beside(&mut self, data: &mut Data<'_>, memory: Memory, len: usize) -> Memory {
        match memory.place {
            Some(at) if data.bit() && at + len <= Self::LEN => Memory { len, ..memory },
            _ => self.memory(data, len),
        }
    }
}
