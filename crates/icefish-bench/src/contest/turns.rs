//! Messages one after the other, in places that take turns.

use std::hint::black_box;

use crate::peers::Work;

/// Takes so many messages of so many bytes through the work, one after the other in the room, and from its beginning again.
pub(super) type Turns = fn(&mut dyn Work, room: &mut [u8], bytes: usize, messages: usize);

/// For the side at a place in its group. Each has a loop of its own, where the CPU always finds the same call, as it does in a program.
/// (In a common loop, a block of AES takes 1 cycle more on a Zen 5, but not in a process with one side.)
pub(super) fn turns(place: usize) -> Turns {
    const LOOPS: [Turns; 16] = [
        take::<0>, take::<1>, take::<2>, take::<3>, take::<4>, take::<5>, take::<6>, take::<7>,
        take::<8>, take::<9>, take::<10>, take::<11>, take::<12>, take::<13>, take::<14>,
        take::<15>,
    ];
    LOOPS[place % LOOPS.len()]
}

#[inline(never)]
fn take<const PLACE: usize>(work: &mut dyn Work, room: &mut [u8], bytes: usize, messages: usize) {
    // Otherwise the compiler finds that all are the same.
    black_box(PLACE);
    let (mut left, places) = (messages, room.len() / bytes);
    while left > 0 {
        for message in room.chunks_exact_mut(bytes).take(left) {
            work.run(message);
        }
        left -= left.min(places);
    }
}
