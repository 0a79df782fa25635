//! The files: what is encrypted, with which keys, and the commands that name them.

use std::env;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use icefish_bench::Error;

use super::SHORT;

/// What is no real key.
const HEX: &str = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4";
const IV: &str = "000102030405060708090a0b0c0d0e0f";
const PYCA: &str = include_str!("pyca.py");
const LOOP: &str = "key=$1 iv=$2\nshift 2\nfor file; do\n    \
                    openssl enc -aes-256-cbc -K $key -iv $iv -in \"$file\" -out \"${file%.*}.enc\" || exit\ndone\n";

/// A folder of its own, which goes when it is dropped.
pub(super) struct Folder {
    path: PathBuf,
    icefish: PathBuf,
    bench: PathBuf,
    python: String,
    /// The short files.
    many: Vec<PathBuf>,
}

impl Folder {
    /// Makes everything that programs need, in a new folder of `parent`: a file of `size` bytes, and `many` short ones.
    pub(super) fn new(
        parent: &Path,
        size: u64,
        many: usize,
        icefish: Option<&Path>,
    ) -> Result<Self, Error> {
        // Programs run in the folder, by whole paths.
        let parent = parent.canonicalize().map_err(Error::io(parent))?;
        let path = parent.join(format!("icefish-bench-{}", std::process::id()));
        let bench = env::current_exe().map_err(Error::io(&path))?;
        let icefish = icefish.map_or_else(|| bench.with_file_name("icefish"), Path::to_owned);
        if !icefish.is_file() {
            return Err(Error::NoProgram { path: icefish });
        }
        let icefish = icefish.canonicalize().map_err(Error::io(&icefish))?;
        fs::create_dir(&path).map_err(Error::io(&path))?;
        let python = env::var("ICEFISH_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let many = (0..many).map(|i| path.join(format!("short-{i}.txt"))).collect();
        let folder = Self { path, icefish, bench, python, many };
        folder.fill(size).map_err(Error::io(&folder.path))?;
        // Without age-keygen there is no age: what needs the key is left out then.
        let _ = folder.run("age-keygen -o {age}", None);
        Ok(folder)
    }

    fn fill(&self, size: u64) -> io::Result<()> {
        let mut noise = Noise(1);
        noise.write(&self.path("plain"), size)?;
        for path in &self.many {
            noise.write(path, SHORT)?;
        }
        for len in [8, 16, 32, 128] {
            let name = format!("key{len}");
            fs::write(self.path(&name), &HEX.repeat(4)[..2 * len])?;
            private(&self.path(&name), 0o600)?;
        }
        fs::create_dir(self.path("home"))?;
        private(&self.path("home"), 0o700)?;
        fs::write(self.path("pyca"), PYCA)?;
        fs::write(self.path("loop"), LOOP)
    }

    /// Writes as many bytes as the large file has, and removes them: what runs next gets this memory. A hypervisor takes memory
    /// back that has been free for some seconds, and a program that begins after a pause would pay for getting it again.
    pub(super) fn warm(&self) -> Result<(), String> {
        let warm = self.path("warm");
        let done = fs::copy(self.path("plain"), &warm).and_then(|_| fs::remove_file(&warm));
        done.map_err(|e| format!("{}: {e}", warm.display()))
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The short files.
    pub(super) fn many(&self) -> &[PathBuf] {
        &self.many
    }

    /// The command of a line. Its words in braces are programs, the input and the output, all short files, keys as hex, or files of
    /// this folder.
    fn command(&self, line: &str, files: Option<(&Path, &Path)>) -> Command {
        let mut words: Vec<PathBuf> = Vec::new();
        for word in line.split_whitespace() {
            let Some(name) = word.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else {
                words.push(word.into());
                continue;
            };
            match (name, files) {
                ("from", Some((from, _))) => words.push(from.to_owned()),
                ("to", Some((_, to))) => words.push(to.to_owned()),
                ("files", _) => words.extend_from_slice(&self.many),
                ("icefish", _) => words.push(self.icefish.clone()),
                ("bench", _) => words.push(self.bench.clone()),
                ("python", _) => words.push(self.python.clone().into()),
                ("hex", _) => words.push(HEX.into()),
                ("iv", _) => words.push(IV.into()),
                (name, _) => words.push(self.path(name)),
            }
        }
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::null()).current_dir(&self.path);
        command
    }

    /// Runs a line to its end; returns what it printed, or in a sentence why it failed.
    pub(super) fn run(&self, line: &str, files: Option<(&Path, &Path)>) -> Result<String, String> {
        let program = line.split_whitespace().next().unwrap_or_default();
        let output = self.command(line, files).output().map_err(|e| format!("{program}: {e}"))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it failed");
        Err(format!("`{line}`: {last}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing is left to be done about a failure.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Bytes that no program compresses: xorshift64 (Marsaglia, 2003).
struct Noise(u64);

impl Noise {
    fn write(&mut self, path: &Path, len: u64) -> io::Result<()> {
        let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
        let mut left = len as usize;
        while left > 0 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            let n = left.min(8);
            file.write_all(&self.0.to_le_bytes()[..n])?;
            left -= n;
        }
        file.flush()
    }
}

#[cfg(unix)]
fn private(path: &Path, mode: u32) -> io::Result<()> {
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))
}

#[cfg(not(unix))]
fn private(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

/// Whether two files have the same contents.
pub(super) fn same(a: &Path, b: &Path) -> io::Result<bool> {
    let (mut a, mut b) = (File::open(a)?, File::open(b)?);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    loop {
        left.clear();
        right.clear();
        (&mut a).take(1 << 20).read_to_end(&mut left)?;
        (&mut b).take(1 << 20).read_to_end(&mut right)?;
        if left != right || left.is_empty() {
            return Ok(left == right);
        }
    }
}
