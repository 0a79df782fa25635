//! The crate `cobblestone`, as a program: from file to file.

use std::path::PathBuf;
use std::process::ExitCode;

use icefish_bench::Error;

/// Seals or opens a file with the crate cobblestone.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// `seal`, `open` or `version`
    #[cfg_attr(not(feature = "peer-cobblestone"), allow(dead_code))]
    way: String,
    /// A file with the key as hex, the input and the output
    #[cfg_attr(not(feature = "peer-cobblestone"), allow(dead_code))]
    files: Vec<PathBuf>,
}

#[cfg(feature = "peer-cobblestone")]
pub(crate) fn run(args: &Args) -> Result<ExitCode, Error> {
    use cobblestone::{DecryptReader, EncryptWriter, Key, Key256};
    use std::fs::{self, File};
    use std::io::{self, Write};

    /// Read at a time; both sides of the crate have buffers of a chunk.
    const PIECE: usize = 1 << 20;

    fn copy(mut from: impl io::Read, to: &mut impl Write) -> io::Result<()> {
        let mut piece = vec![0; PIECE];
        loop {
            match from.read(&mut piece)? {
                0 => return Ok(()),
                n => to.write_all(&piece[..n])?,
            }
        }
    }

    fn take(
        key: &impl cobblestone::CobblestoneKey,
        way: &str,
        from: File,
        mut to: File,
    ) -> io::Result<()> {
        if way == "open" {
            return copy(DecryptReader::new(key, b"", from), &mut to);
        }
        let mut sealed = EncryptWriter::new(key, b"", to);
        copy(from, &mut sealed)?;
        sealed.finish().map(drop)
    }

    let [key, from, to] = &args.files[..] else {
        println!("cobblestone 0.2.0");
        return Ok(ExitCode::SUCCESS);
    };
    let hex = fs::read_to_string(key).map_err(Error::io(key))?;
    let bytes: Option<Vec<u8>> = (0..hex.len() / 2)
        .map(|i| hex.get(2 * i..2 * i + 2).and_then(|byte| u8::from_str_radix(byte, 16).ok()))
        .collect();
    let bytes = bytes.unwrap_or_default();
    let input = File::open(from).map_err(Error::io(from))?;
    let output = File::create_new(to).map_err(Error::io(to))?;
    let done = match (<&[u8; 16]>::try_from(&bytes[..]), <&[u8; 32]>::try_from(&bytes[..])) {
        (Ok(bytes), _) => take(&Key::from_bytes(bytes), &args.way, input, output),
        (_, Ok(bytes)) => take(&Key256::from_bytes(bytes), &args.way, input, output),
        _ => Err(io::ErrorKind::InvalidData.into()),
    };
    done.map_err(Error::io(from))?;
    Ok(ExitCode::SUCCESS)
}

/// Without the crate.
#[cfg(not(feature = "peer-cobblestone"))]
pub(crate) fn run(_: &Args) -> Result<ExitCode, Error> {
    Err(Error::NoFeature { what: "crate cobblestone", feature: "peer-cobblestone" })
}
