//! `--cipher xoofff`: the library gives what is expected, as one output in one call.

mod common;

use common::{Sandbox, paint};
use icefish::constructions::xoofff::Xoofff;

/// The plaintext and the ciphertext for a key and a nonce of zeros and ones.
fn expected(key: &[u8], nonce: &[u8], plain: &[u8]) -> Vec<u8> {
    let mut history = Xoofff::new(key).expect("a length").history();
    history.push(nonce);
    let mut sealed = plain.to_vec();
    history.output().apply(&mut sealed);
    sealed
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write_key("key", "07".repeat(32).as_bytes());
    sandbox.write_key("short", "07".repeat(16).as_bytes());
    sandbox
}

const LENGTHS: [usize; 9] =
    [0, 1, 47, 48, 49, 256 * 1024, 256 * 1024 + 1, (1 << 20) - 1, 3_000_001];

#[test]
fn files_and_pipes() {
    let sandbox = sandbox();
    let iv = "01".repeat(16);
    for len in LENGTHS {
        let plain = paint(len);
        sandbox.write("plain", &plain);
        for (key, bytes) in [("key", 32), ("short", 16)] {
            let sealed = expected(&vec![7; bytes], &[1; 16], &plain);
            for threads in ["", "--threads 1", "--threads 5"] {
                let with = format!("--cipher xoofff --key-file {key} --iv {iv} {threads}");
                sandbox.run(&format!("encrypt {with} plain -o sealed --force")).ok();
                assert!(sandbox.read("sealed") == sealed, "{with}, {len} bytes");
                assert!(
                    sandbox.pipe(&format!("encrypt {with}"), &plain).ok() == sealed,
                    "{with}, {len} bytes"
                );
                assert!(
                    sandbox.run(&format!("decrypt {with} sealed")).ok() == plain,
                    "{with}, {len} bytes"
                );
                assert!(
                    sandbox.pipe(&format!("decrypt {with}"), &sealed).ok() == plain,
                    "{with}, {len} bytes"
                );
            }
        }
    }
}

#[test]
fn a_nonce_that_is_drawn() {
    let sandbox = sandbox();
    let plain = paint(600_000);
    sandbox.write("plain", &plain);
    let with = "--cipher xoofff --key-file key";
    sandbox.run(&format!("encrypt {with} plain -o one")).ok();
    sandbox.run(&format!("encrypt {with} plain -o two")).ok();
    let (one, two) = (sandbox.read("one"), sandbox.read("two"));
    assert_ne!(one[..16], two[..16]);
    assert!(one[16..] == expected(&[7; 32], &one[..16], &plain));
    assert!(sandbox.run(&format!("decrypt {with} one")).ok() == plain);
    assert!(sandbox.pipe(&format!("decrypt {with}"), &two).ok() == plain);
    sandbox.pipe(&format!("decrypt {with}"), &one[..15]).fails(1, &["15", "16"]);
}

#[test]
fn many_files_and_a_new_key() {
    let sandbox = sandbox();
    for (name, len) in [("a.log", 0), ("b.log", 1000), ("c.log", 700_000)] {
        sandbox.write(name, &paint(len));
    }
    sandbox
        .run("encrypt --cipher xoofff --generate-key new --extension enc a.log b.log c.log")
        .ok();
    sandbox.run("decrypt --cipher xoofff --key-file new --extension out a.enc b.enc c.enc").ok();
    for (name, len) in [("a.out", 0), ("b.out", 1000), ("c.out", 700_000)] {
        assert!(sandbox.read(name) == paint(len), "{name}");
    }
}

#[test]
fn what_has_no_meaning() {
    let sandbox = sandbox();
    sandbox.write("plain", b"some");
    sandbox.write_key("odd", &[7; 20]);
    let with = "encrypt --cipher xoofff plain";
    sandbox.run(&format!("{with} --key-file odd")).fails(2, &["xoofff", "16 or 32"]);
    sandbox.run(&format!("{with} --key-file key --iv 00")).fails(2, &["--iv", "16"]);
    for option in
        ["--padding none", "--associated 00", "--tag-length 16", "--context 00", "--tweak 00"]
    {
        sandbox.run(&format!("{with} --key-file key {option}")).fails(2, &["xoofff"]);
    }
    sandbox.run("encrypt --cipher xooff --key-file key plain").fails(2, &["xoofff"]);
}
