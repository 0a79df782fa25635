//! Files of Source-engine games, many at once.

mod common;

use common::{Sandbox, names};
use std::path::Path;

/// See the README there: a file that the games' own tool agrees on.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../icefish/tests/vectors/ice/ecb_case");
const TEXT: &str = "--format valve --key-text E2NcUkG2";
const NET: &str = "--format valve-net --level 2 --key 4353474f10360000840d000061030000";

fn vector(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(FOLDER).join(name)).expect("a test file")
}

#[test]
fn the_real_file_both_ways() {
    let sandbox = Sandbox::new();
    let (plain, crypted) = (vector("plain.bin"), vector("level0_tf2key.bin"));
    sandbox.write("items.ctx", &crypted);
    sandbox.run(&format!("decrypt {TEXT} items.ctx")).ok();
    assert!(sandbox.read("items.txt") == plain);
    assert_eq!(sandbox.names(), ["items.ctx", "items.txt"]);
    sandbox.run(&format!("encrypt {TEXT} items.txt --extension .nuc")).ok();
    assert!(sandbox.read("items.nuc") == crypted);
    sandbox.run(&format!("encrypt {TEXT} items.txt")).fails(2, &["items.ctx", "exists"]);
    sandbox.run(&format!("encrypt {TEXT} items.txt --force")).ok();
    assert!(sandbox.read("items.ctx") == crypted);
    // A pipe, and a key in hex.
    let hex = "--format valve --key 45324e63556b4732";
    assert!(sandbox.pipe(&format!("decrypt {hex}"), &crypted).ok() == plain);
    assert!(sandbox.pipe(&format!("encrypt {hex} - -o -"), &plain).ok() == crypted);
    sandbox.run(&format!("decrypt {TEXT} items.ctx -o named")).ok();
    assert!(sandbox.read("named") == plain);
    let level = "--format valve --level 2 --key 4353474f10360000840d000061030000";
    assert!(sandbox.pipe(&format!("decrypt {level}"), &vector("level2.bin")).ok() == plain);
}

#[test]
fn files_and_folders() {
    let sandbox = Sandbox::new();
    let (plain, crypted) = (&vector("plain.bin")[..1003], vector("level0_tf2key.bin"));
    let mut crypted = crypted[..1000].to_vec();
    crypted.extend(&plain[1000..]);
    std::fs::create_dir_all(sandbox.path("scripts/deep")).expect("a folder");
    for name in ["a.ctx", "b.CTX", "c.nuc", "d.ekv", "deep/e.ctx", "notes.md"] {
        sandbox.write(&format!("scripts/{name}"), &crypted);
    }
    sandbox.write("alone.bin", &crypted);
    #[cfg(unix)]
    std::os::unix::fs::symlink("..", sandbox.path("scripts/circle")).expect("a link");
    sandbox.run(&format!("decrypt {TEXT} scripts alone.bin")).ok();
    for name in ["a", "b", "c", "d", "deep/e"] {
        assert!(sandbox.read(&format!("scripts/{name}.txt")) == plain, "{name}");
    }
    assert!(sandbox.read("alone.txt") == plain);
    assert!(!sandbox.path("scripts/notes.txt").exists());
    sandbox.run(&format!("encrypt {TEXT} scripts --extension xyz")).ok();
    assert!(sandbox.read("scripts/deep/e.xyz") == crypted);
    sandbox.run(&format!("decrypt {TEXT} scripts --match md,xyz --extension out")).ok();
    assert!(sandbox.read("scripts/notes.out") == plain);
    assert!(sandbox.read("scripts/a.out") == plain);
}

#[test]
fn one_that_fails_does_not_stop_the_others() {
    let sandbox = Sandbox::new();
    for name in ["a.ctx", "b.ctx", "c.ctx", "c.nuc"] {
        sandbox.write(name, name.as_bytes());
    }
    sandbox.write("b.txt", b"precious");
    let run = sandbox.run(&format!("decrypt {TEXT} a.ctx nothing.ctx b.ctx c.ctx c.nuc"));
    let said = run.stderr();
    assert_eq!(run.0.status.code(), Some(1), "{said}");
    assert_eq!(said.lines().count(), 3, "{said}");
    assert!(said.contains("nothing.ctx") && said.contains("b.txt") && said.contains("c.nuc"));
    assert_eq!(sandbox.read("b.txt"), b"precious");
    assert_eq!(names(&sandbox.path(".")).len(), 7, "{:?}", sandbox.names());
    // A file is never its own output.
    sandbox.run(&format!("encrypt {TEXT} a.ctx --force")).fails(2, &["a.ctx", "the input"]);
    assert_eq!(sandbox.read("a.ctx"), b"a.ctx");
}

#[test]
fn every_short_length() {
    let sandbox = Sandbox::new();
    for len in 0..=17 {
        let plain = &vector("plain.bin")[..len];
        let crypted = sandbox.pipe(&format!("encrypt {TEXT}"), plain).ok();
        assert_eq!(crypted.len(), len);
        assert_eq!(crypted[len / 8 * 8..], plain[len / 8 * 8..]);
        assert_eq!(sandbox.pipe(&format!("decrypt {TEXT}"), &crypted).ok(), plain);
    }
}

#[test]
fn messages() {
    let sandbox = Sandbox::new();
    for len in [0, 1, 7, 8, 300] {
        let payload = common::paint(len);
        sandbox.write("m.dec", &payload);
        sandbox.run(&format!("encrypt {NET} m.dec --force")).ok();
        let message = sandbox.read("m.enc");
        assert!(message.len().is_multiple_of(8) && message.len() >= len + 5 + 17);
        sandbox.run(&format!("decrypt {NET} m.enc -o back --force")).ok();
        assert_eq!(sandbox.read("back"), payload);
        assert_eq!(sandbox.pipe(&format!("decrypt {NET}"), &message).ok(), payload);
    }
    sandbox.run(&format!("decrypt {NET} m.enc")).fails(2, &["m.dec", "exists"]);
}

#[test]
fn wrong_messages() {
    let sandbox = Sandbox::new();
    sandbox.write("m.dec", b"payload");
    sandbox.run(&format!("encrypt {NET} m.dec")).ok();
    let wrong = NET.replace("4353474f", "00000000");
    let decrypt = |with: &str, file: &str| sandbox.run(&format!("decrypt {with} {file} -o out"));
    decrypt(&wrong, "m.enc").fails(1, &["m.enc", "not an encrypted net message"]);
    for len in [0, 1, 7, 9] {
        sandbox.write("short.enc", &common::paint(len));
        decrypt(NET, "short.enc").fails(1, &["short.enc", "blocks of 8"]);
    }
    for len in [8, 16, 4096] {
        sandbox.write("noise.enc", &common::paint(len));
        decrypt(NET, "noise.enc").fails(1, &["noise.enc", "not an encrypted net message"]);
    }
    let huge = std::fs::File::create(sandbox.path("huge.enc")).expect("room");
    huge.set_len(1 << 40).expect("a sparse file");
    decrypt(NET, "huge.enc").fails(1, &["huge.enc", "16777216"]);
    drop(huge);
    assert!(!sandbox.path("out").exists());
}

#[test]
fn wrong_arguments() {
    let sandbox = Sandbox::new();
    sandbox.write("a.ctx", b"some");
    let run = |args: &str| sandbox.run(&format!("decrypt {args}"));
    run("--format valve --key-text short a.ctx").fails(2, &["--key-text", "5 bytes", "8"]);
    run("--format valve --key 00 a.ctx").fails(2, &["--key", "1 bytes", "8"]);
    run("--format valve a.ctx").fails(2, &["--key"]);
    run(&format!("{TEXT} --level 9 a.ctx")).fails(2, &["level 9", "0 to 8"]);
    run(&format!("{TEXT} --level 2 a.ctx")).fails(2, &["--key-text", "16"]);
    run(&format!("{TEXT} --cipher aes-256-cbc a.ctx")).fails(2, &["--cipher", "valve"]);
    run(&format!("{TEXT} --iv 00 a.ctx")).fails(2, &["--iv", "valve"]);
    run(&format!("{TEXT} --extension a/b a.ctx")).fails(2, &["--extension"]);
    run(&format!("{TEXT} a.ctx a.ctx -o out")).fails(2, &["-o"]);
    run(&format!("{TEXT} . -o out")).fails(2, &["-o"]);
    run(&format!("{TEXT} - a.ctx")).fails(2, &["-"]);
    let generate =
        format!("encrypt {TEXT} --generate-key k a.ctx").replace("--key-text E2NcUkG2", "");
    sandbox.run(&generate).fails(2, &["--generate-key", "valve"]);
    assert_eq!(sandbox.names(), ["a.ctx"]);
    // A key with a NUL byte.
    sandbox.run("decrypt --format valve --key 0000000000000000 a.ctx").ok();
}
