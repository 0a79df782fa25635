//! Reading and writing at places of a file.

use std::fs::File;
use std::io;

#[cfg(unix)]
use std::os::unix::fs::FileExt;

#[cfg(unix)]
pub(crate) fn read(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    file.read_exact_at(buffer, at)
}

#[cfg(unix)]
pub(crate) fn write(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    file.write_all_at(bytes, at)
}

#[cfg(windows)]
use std::os::windows::fs::FileExt;

#[cfg(windows)]
pub(crate) fn read(file: &File, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match file.seek_read(buffer, at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n => (buffer, at) = (&mut buffer[n..], at + n as u64),
        }
    }
    Ok(())
}

#[cfg(windows)]
pub(crate) fn write(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.seek_write(bytes, at)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            n => (bytes, at) = (&bytes[n..], at + n as u64),
        }
    }
    Ok(())
}
