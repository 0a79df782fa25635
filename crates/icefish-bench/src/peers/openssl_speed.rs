//! The figures of `openssl speed`: a second opinion on what this program measures of OpenSSL.
//!
//! The program is whichever the machine has, seldom the version that is linked here; its lines name its own.

use super::{Direction, Mode, Operation};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// One figure of `openssl speed`.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// As the program spells it: `AES-128-CBC`.
    pub name: String,
    /// A message's length.
    pub bytes: usize,
    /// A mean, by the CPU time that the program took.
    pub bytes_per_second: f64,
}

/// The program's name for an operation; `None` where it has none.
pub fn name(operation: Operation) -> Option<String> {
    let Operation::Aes { bits, mode, .. } = operation else {
        return None;
    };
    let mode = match mode {
        Mode::Ecb => "ecb",
        Mode::Cbc => "cbc",
        Mode::Ctr => "ctr",
        Mode::Cfb128 => "cfb",
        Mode::Ofb => "ofb",
        Mode::Gcm => "gcm",
        Mode::Xts => "xts",
    };
    Some(format!("aes-{bits}-{mode}"))
}

/// The program on `PATH`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    path: PathBuf,
    /// Its own version, such as `3.0.19`.
    pub version: String,
}

impl Program {
    /// That of `PATH`; `None` if there is none, or if it does not say a version of OpenSSL.
    pub fn find() -> Option<Self> {
        Self::at(Path::new("openssl"))
    }

    fn at(path: &Path) -> Option<Self> {
        let output = Command::new(path).arg("version").stdin(Stdio::null()).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        let mut words = text.split_whitespace();
        let version = words.next().filter(|name| *name == "OpenSSL").and(words.next())?;
        Some(Self { path: path.to_owned(), version: version.to_owned() })
    }

    /// One second of `openssl speed` on messages of this length. `None` if the program is too old for these options, or
    /// does not know the operation.
    pub fn run(&self, operation: Operation, bytes: usize) -> Option<Figure> {
        let mut command = Command::new(&self.path);
        command.args(["speed", "-mr", "-seconds", "1", "-bytes"]).arg(bytes.to_string());
        if matches!(operation, Operation::Aes { direction: Direction::Decrypt, .. }) {
            command.arg("-decrypt");
        }
        let output =
            command.args(["-evp", &name(operation)?]).stdin(Stdio::null()).output().ok()?;
        let figures = parse(&String::from_utf8_lossy(&output.stdout));
        figures.into_iter().find(|figure| figure.bytes == bytes && figure.bytes_per_second > 0.0)
    }
}

/// What `openssl speed -mr` says: `+H:` and the lengths, then for each algorithm `+F:`, a number of its own, the
/// algorithm, and the bytes per second at each length.
pub fn parse(text: &str) -> Vec<Figure> {
    let mut lengths: Vec<usize> = Vec::new();
    let mut figures = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("+H:") {
            lengths = rest.split(':').filter_map(|n| n.parse().ok()).collect();
        } else if let Some(rest) = line.strip_prefix("+F:") {
            let mut fields = rest.split(':').skip(1);
            let Some(name) = fields.next() else { continue };
            for (&bytes, field) in lengths.iter().zip(fields) {
                if let Ok(bytes_per_second) = field.parse() {
                    let name = name.to_owned();
                    figures.push(Figure { name, bytes, bytes_per_second });
                }
            }
        }
    }
    figures
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Typed from OpenSSL 3.0.19's answer to `speed -elapsed -evp aes-128-cbc -bytes 16384 -seconds 1 -mr`.
    const ONE: &str = "+DT:AES-128-CBC:1:16384\n+R:84283:AES-128-CBC:1.000000\n+H:16384\n+F:25:AES-128-CBC:1380892672.00\n";

    #[test]
    fn one_length() {
        let figure = Figure {
            name: "AES-128-CBC".to_owned(),
            bytes: 16384,
            bytes_per_second: 1_380_892_672.0,
        };
        assert_eq!(parse(ONE), [figure]);
        // The figure is the count of that run: 84283 messages in one second.
        assert_eq!(84_283 * 16_384, 1_380_892_672);
    }

    /// The last lines of the same without `-bytes`.
    const SIX: &str = "+H:16:64:256:1024:8192:16384\n\
        +F:25:AES-128-CBC:235087843.14:828990336.00:915184896.00:845139968.00:1005404160.00:1010008064.00\n";

    #[test]
    fn six_lengths() {
        let figures = parse(SIX);
        let lengths: Vec<usize> = figures.iter().map(|figure| figure.bytes).collect();
        assert_eq!(lengths, [16, 64, 256, 1024, 8192, 16384]);
        assert_eq!(figures[0].bytes_per_second, 235_087_843.14);
        assert_eq!(figures[5].bytes_per_second, 1_010_008_064.0);
    }

    #[test]
    fn without_figures() {
        assert_eq!(parse(""), []);
        assert_eq!(parse("speed: nope is an unknown cipher or digest\n"), []);
        assert_eq!(parse("+F:25\n+F:25:AES-128-CBC:1.0\n+H:16\n+F:25:AES-128-CBC:none\n"), []);
    }

    #[test]
    fn the_program_if_present() {
        let operation =
            Operation::Aes { bits: 256, mode: Mode::Ctr, direction: Direction::Decrypt };
        if let Some(program) = Program::find() {
            let figure = program.run(operation, 1024).expect("the program knows AES-256-CTR");
            assert_eq!((figure.name.as_str(), figure.bytes), ("AES-256-CTR", 1024));
            assert!(figure.bytes_per_second > 1e6);
        }
    }

    /// Answers as recorded, if the arguments are those of the recording.
    #[cfg(unix)]
    #[test]
    fn a_program_is_asked_for_its_version_and_one_length() {
        use std::os::unix::fs::PermissionsExt;
        let path = std::env::temp_dir().join(format!("icefish-speed-{}", std::process::id()));
        let script = format!(
            "#!/bin/sh\ncase $* in\nversion) echo 'OpenSSL 3.0.19 27 Jan 2026 (Library: OpenSSL 3.0.19)';;\n\
             'speed -mr -seconds 1 -bytes 16384 -evp aes-128-cbc') printf '{}';;\n*) exit 1;;\nesac\n",
            ONE.replace('\n', "\\n")
        );
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let program = Program::at(&path).expect("it says its version");
        let cbc = |direction| Operation::Aes { bits: 128, mode: Mode::Cbc, direction };
        let figure = program.run(cbc(Direction::Encrypt), 16_384);
        let others = [(Direction::Encrypt, 1024), (Direction::Decrypt, 16_384)];
        let others = others.map(|(direction, bytes)| program.run(cbc(direction), bytes));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(program.version, "3.0.19");
        assert_eq!(figure.map(|figure| figure.bytes_per_second), Some(1_380_892_672.0));
        assert_eq!(others, [None, None]);
        assert_eq!(Program::at(&path), None);
    }
}
