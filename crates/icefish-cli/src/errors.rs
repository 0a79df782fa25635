//! One sentence on standard error, and an exit code.

/// Why the program ends without having done what was asked.
pub(crate) enum Failure {
    /// The call was wrong.
    Usage(String),
    /// The data was wrong, or the machine failed.
    Data(String),
    /// Who read our output went away. Nothing is said about that.
    BrokenPipe,
    /// Everything has been said; this is the exit code.
    Said(u8),
}

/// A usage error.
pub(crate) fn usage(message: impl Into<String>) -> Failure {
    Failure::Usage(message.into())
}

impl Failure {
    /// Says it; returns its code.
    pub(crate) fn say(self) -> u8 {
        match self {
            Self::Usage(message) => {
                eprint(&message);
                2
            }
            Self::Data(message) => {
                eprint(&message);
                1
            }
            Self::BrokenPipe => 1,
            Self::Said(code) => code,
        }
    }
}

/// Says what does not keep the program from its work.
#[cfg(unix)]
pub(crate) fn warn(message: &str) {
    eprint(&format!("warning: {message}"));
}

/// `eprintln!` would panic if standard error is closed.
fn eprint(message: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "icefish: {}", visible(message));
}

/// A message in one line. Names in it may come from a list that somebody else made, and may have what a terminal obeys.
fn visible(message: &str) -> String {
    let mut line = String::with_capacity(message.len());
    for c in message.chars() {
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line
}

impl From<icefish_files::Error> for Failure {
    fn from(e: icefish_files::Error) -> Self {
        match e {
            e if e.is_broken_pipe() => Self::BrokenPipe,
            e if e.is_usage() => Self::Usage(e.to_string()),
            e => Self::Data(e.to_string()),
        }
    }
}

impl From<icefish::Error> for Failure {
    fn from(e: icefish::Error) -> Self {
        icefish_files::Error::Crypt(e).into()
    }
}
