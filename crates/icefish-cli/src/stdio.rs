//! The standard streams.

use crate::errors::Failure;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// Prints `text` as it is.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_bytes(text.as_bytes())
}

/// Prints text that may have names of files in it, which are bytes.
pub(crate) fn print_bytes(text: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text).and_then(|()| out.flush()).map_err(|source| {
        icefish_files::Error::Write { name: "standard output".to_owned(), source }.into()
    })
}

/// Whether a path, such as /dev/stdin, names what standard input is.
#[cfg(unix)]
pub(crate) fn is_stdin(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |path: &Path| path.metadata().ok().map(|m| (m.dev(), m.ino()));
    let stdin = place(Path::new("/dev/stdin"));
    stdin.is_some() && stdin == place(path)
}

/// The same: no path does.
#[cfg(not(unix))]
pub(crate) fn is_stdin(_: &Path) -> bool {
    false
}

/// Whether standard output is a terminal.
pub(crate) fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Whether standard error is a terminal.
pub(crate) fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}
