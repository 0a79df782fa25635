//! A question on the terminal whose answer is not shown.

pub(super) use system::ask;
pub(crate) use system::show_again;

#[cfg(unix)]
mod system {
    use crate::errors::{Failure, usage};
    use icefish_files::reason;
    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
    use std::fs::File;
    use std::io::{self, ErrorKind, Read, Write};
    use std::sync::{Mutex, PoisonError};
    use zeroize::Zeroizing;

    /// A terminal that does not show what is typed, and how it was before.
    struct Hidden {
        terminal: File,
        before: Termios,
    }

    /// There is one question at a time. A signal that ends the program may come in between.
    static HIDDEN: Mutex<Option<Hidden>> = Mutex::new(None);

    impl Hidden {
        fn begin(terminal: &File) -> io::Result<()> {
            let terminal = terminal.try_clone()?;
            let before = tcgetattr(&terminal)?;
            let mut without = before.clone();
            without.local_modes.remove(LocalModes::ECHO);
            // The newline is shown: the cursor should leave the line.
            without.local_modes.insert(LocalModes::ECHONL | LocalModes::ICANON | LocalModes::ISIG);
            let mut hidden = HIDDEN.lock().unwrap_or_else(PoisonError::into_inner);
            // What was typed before the question may have been shown, and is dropped.
            tcsetattr(&terminal, OptionalActions::Flush, &without)?;
            *hidden = Some(Self { terminal, before });
            Ok(())
        }
    }

    /// Lets the terminal show again what is typed.
    pub(crate) fn show_again() {
        let hidden = HIDDEN.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Hidden { terminal, before }) = hidden {
            // Nothing is left to be done about a failure.
            let _ = tcsetattr(&terminal, OptionalActions::Now, &before);
        }
    }

    /// Asks, and returns what is typed, without the newline.
    pub(in super::super) fn ask(question: &str) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let terminal = File::options().read(true).write(true).open("/dev/tty");
        let mut terminal = terminal.map_err(|_| {
            usage("there is no terminal to ask on; give --passphrase-file, -fd or -env")
        })?;
        let answer = Hidden::begin(&terminal).and_then(|()| {
            terminal.write_all(question.as_bytes())?;
            answer(&mut terminal)
        });
        show_again();
        answer.map_err(|e| Failure::Data(format!("cannot ask on the terminal: {}", reason(&e))))
    }

    /// A line, as the terminal gives it in one read.
    fn answer(terminal: &mut File) -> io::Result<Zeroizing<Vec<u8>>> {
        let mut line = Zeroizing::new(vec![0; 2 * super::super::MOST]);
        let len = loop {
            match terminal.read(&mut line) {
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

/// Elsewhere nothing is asked.
#[cfg(not(unix))]
mod system {
    use crate::errors::{Failure, usage};
    use zeroize::Zeroizing;

    pub(crate) fn show_again() {}

    pub(in super::super) fn ask(_: &str) -> Result<Zeroizing<Vec<u8>>, Failure> {
        Err(usage(
            "on this system the program does not ask on the terminal; give --passphrase-file or --passphrase-env",
        ))
    }
}
