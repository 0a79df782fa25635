//! The data of a contest: one buffer for all its entries, so that none has a better place in memory than the others, and
//! at the beginning of a page, so that a place is the same in every run.

use std::cell::RefCell;
use std::rc::Rc;

use crate::paged::{PAGE, paged};

/// Allocated when first used: who only asks what there is to measure pays nothing.
#[derive(Clone)]
pub(super) struct Shared {
    bytes: usize,
    room: Rc<RefCell<Vec<u8>>>,
}

impl Shared {
    pub(super) fn new(bytes: usize) -> Self {
        Self { bytes, room: Rc::default() }
    }

    /// The buffer, with whatever was left in it.
    pub(super) fn with(&self, work: impl FnOnce(&mut [u8])) {
        let mut room = self.room.borrow_mut();
        if room.is_empty() {
            *room = super::painted(self.bytes + PAGE);
        }
        work(paged(&mut room, self.bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_use_the_same_page() {
        let shared = Shared::new(100);
        shared.clone().with(|buffer| {
            assert_eq!((buffer.len(), buffer.as_ptr().addr() % PAGE), (100, 0));
            buffer[99] = 200;
        });
        shared.with(|buffer| assert_eq!(buffer[99], 200));
    }
}
