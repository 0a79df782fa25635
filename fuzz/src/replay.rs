//! Runs targets on files of a corpus: `replay FOLDER`, where FOLDER has a folder for each target.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: replay FOLDER");
        return ExitCode::from(2);
    };
    for (name, target) in icefish_fuzz::TARGETS {
        let mut files: Vec<PathBuf> = match folder.join(name).read_dir() {
            Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
            Err(e) => {
                eprintln!("{}: {e}", folder.join(name).display());
                return ExitCode::FAILURE;
            }
        };
        files.sort();
        for file in &files {
            match std::fs::read(file) {
                Ok(data) => target(&data),
                Err(e) => {
                    eprintln!("{}: {e}", file.display());
                    return ExitCode::FAILURE;
                }
            }
        }
        println!("{name}: {} inputs", files.len());
    }
    ExitCode::SUCCESS
}
