//! Files for one execution.

use icefish_files::{Input, Output, Target};
use rustix::fs::{FileType, MemfdFlags, Mode, OFlags};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

/// A file in memory with these bytes, open for reading.
pub(crate) fn input(bytes: &[u8]) -> Input {
    let file = rustix::fs::memfd_create("input", MemfdFlags::CLOEXEC).expect("a file in memory");
    let mut file = File::from(file);
    file.write_all(bytes).expect("memory");
    Input::open(format!("/proc/self/fd/{}", file.as_raw_fd()).as_ref()).expect("it is there")
}

/// The file that a process writes to, in the temporary folder, and the pipe.
fn paths() -> [PathBuf; 2] {
    let name = |what| format!("icefish-fuzz-{}-{what}", std::process::id());
    ["file", "pipe"].map(|what| std::env::temp_dir().join(name(what)))
}

/// An output, as a stream or as a file, which is gone afterwards.
pub(crate) struct Scratch {
    output: Option<Output>,
    /// The other end of a pipe.
    pipe: Option<File>,
}

impl Scratch {
    pub(crate) fn output(stream: bool) -> Self {
        let [path, pipe] = paths();
        if !stream {
            let target = Target::file(&path, true).and_then(Target::create);
            return Self { output: Some(target.expect("a new file")), pipe: None };
        }
        let mode = Mode::RUSR | Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, FileType::Fifo, mode, 0).expect("a pipe");
        let mut options = OpenOptions::new();
        options.read(true).write(true).custom_flags(OFlags::NONBLOCK.bits() as i32);
        let end = options.open(&pipe).expect("the pipe");
        // More than any execution writes: nobody reads meanwhile.
        rustix::pipe::fcntl_setpipe_size(&end, 1 << 18).expect("a large pipe");
        let output = Target::file(&pipe, false).and_then(Target::create).expect("the pipe");
        std::fs::remove_file(&pipe).expect("the pipe");
        Self { output: Some(output), pipe: Some(end) }
    }

    pub(crate) fn output_mut(&mut self) -> &mut Output {
        self.output.as_mut().expect("it is still open")
    }

    /// What was written. A file is there only if it is wanted.
    pub(crate) fn written(&mut self, wanted: bool) -> Vec<u8> {
        let output = self.output.take().expect("it is still open");
        let (path, mut bytes) = (&paths()[0], Vec::new());
        if let Some(pipe) = &mut self.pipe {
            drop(output);
            // Without the error that says that there is no more for now.
            let _ = pipe.read_to_end(&mut bytes);
            return bytes;
        }
        if wanted {
            output.commit().expect("the file");
            bytes = std::fs::read(path).expect("the file");
            std::fs::remove_file(path).expect("the file");
        } else {
            drop(output);
            assert!(!path.exists(), "an incomplete file has its name");
        }
        bytes
    }
}
