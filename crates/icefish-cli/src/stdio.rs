//! The standard streams.

use crate::errors::Failure;
use std::io::{self, IsTerminal, Write};

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

/// Whether standard output is a terminal.
pub(crate) fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Whether standard error is a terminal.
pub(crate) fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}
