//! Memory that begins at a page. Loads and stores of 64 bytes take longer across cache lines, and elsewhere it is chance whether
//! they are.

/// Bytes of a page.
pub(crate) const PAGE: usize = 4096;

/// The first `bytes` bytes from the beginning of a page on. The room has [`PAGE`] bytes more than that.
pub(crate) fn paged(room: &mut [u8], bytes: usize) -> &mut [u8] {
    let start = room.as_ptr().align_offset(PAGE).min(PAGE);
    &mut room[start..start + bytes]
}
