//! Questions on the terminal whose answers are not shown.

pub(super) use system::Terminal;
pub(crate) use system::show_again;

#[cfg(unix)]
mod system {
    use crate::errors::{Failure, usage};
    use crate::passphrases::MOST;
    use icefish_files::reason;
    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
    use std::fs::File;
    use std::io::{self, ErrorKind, Read, Write};
    use std::sync::{Mutex, PoisonError};
    use zeroize::Zeroizing;

    /// The terminal that does not show what is typed, and how it was before: also for the thread that a signal wakes.
    static HIDDEN: Mutex<Option<(File, Termios)>> = Mutex::new(None);

    /// Lets the terminal show again what is typed.
    pub(crate) fn show_again() {
        let hidden = HIDDEN.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((terminal, before)) = hidden {
            // Nothing is left to be done about a failure.
            let _ = tcsetattr(&terminal, OptionalActions::Now, &before);
        }
    }

    /// The terminal of the program. It does not show what is typed until this is dropped.
    pub(in crate::passphrases) struct Terminal(File);

    impl Terminal {
        pub(in crate::passphrases) fn open() -> Result<Self, Failure> {
            let terminal = File::options().read(true).write(true).open("/dev/tty");
            let terminal = terminal.map_err(|_| {
                usage("there is no terminal to ask on; give --passphrase-file, -fd or -env")
            })?;
            hide(&terminal).map_err(|e| failed(&e))?;
            Ok(Self(terminal))
        }

        /// Asks, and returns what is typed, without the newline.
        pub(in crate::passphrases) fn ask(
            &mut self,
            question: &str,
        ) -> Result<Zeroizing<Vec<u8>>, Failure> {
            let asked = self.0.write_all(question.as_bytes());
            asked.and_then(|()| self.answer()).map_err(|e| failed(&e))
        }

        /// A line, as the terminal gives it in one read.
        fn answer(&mut self) -> io::Result<Zeroizing<Vec<u8>>> {
            let mut line = Zeroizing::new(vec![0; 2 * MOST]);
            let len = loop {
                match self.0.read(&mut line) {
                    Err(e) if e.kind() == ErrorKind::Interrupted => {}
                    read => break read?,
                }
            };
            line.truncate(len);
            if line.last() == Some(&b'\n') {
                line.pop();
            }
            Ok(line)
        }
    }

    impl Drop for Terminal {
        fn drop(&mut self) {
            show_again();
        }
    }

    fn hide(terminal: &File) -> io::Result<()> {
        let terminal = terminal.try_clone()?;
        let before = tcgetattr(&terminal)?;
        let mut without = before.clone();
        without.local_modes.remove(LocalModes::ECHO);
        // The newline is shown: the cursor should leave the line.
        without.local_modes.insert(LocalModes::ECHONL | LocalModes::ICANON | LocalModes::ISIG);
        let mut hidden = HIDDEN.lock().unwrap_or_else(PoisonError::into_inner);
        // What was typed before may have been shown, and is dropped.
        tcsetattr(&terminal, OptionalActions::Flush, &without)?;
        *hidden = Some((terminal, before));
        Ok(())
    }

    fn failed(e: &io::Error) -> Failure {
        Failure::Data(format!("cannot ask on the terminal: {}", reason(e)))
    }
}

/// Elsewhere nothing is asked.
#[cfg(not(unix))]
mod system {
    use crate::errors::{Failure, usage};
    use zeroize::Zeroizing;

    pub(crate) fn show_again() {}

    pub(in crate::passphrases) struct Terminal;

    impl Terminal {
        pub(in crate::passphrases) fn open() -> Result<Self, Failure> {
            Err(usage(
                "on this system the program does not ask on the terminal; give --passphrase-file or --passphrase-env",
            ))
        }

        pub(in crate::passphrases) fn ask(
            &mut self,
            _: &str,
        ) -> Result<Zeroizing<Vec<u8>>, Failure> {
            Ok(Zeroizing::default())
        }
    }
}
