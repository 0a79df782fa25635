//! The standard streams.

use crate::errors::Failure;
use std::io::{self, IsTerminal, Write};

/// Prints `text` as it is.
pub(crate) fn print(text: impl AsRef<[u8]>) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_ref()).and_then(|()| out.flush()).map_err(|source| {
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
