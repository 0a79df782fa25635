//! `encrypt` and `decrypt` with authenticated modes: what they write, and that nothing unverified leaves.

mod common;

use common::{KEY, Sandbox, paint};

fn with(name: &str, key: usize) -> String {
    format!("--cipher {name} --key {}", &KEY.repeat(4)[..2 * key])
}

/// Each suite with the lengths of its key, nonce and tag.
const SUITES: [(&str, usize, usize, usize); 8] = [
    ("aes-128-gcm", 16, 12, 16),
    ("aes-256-gcm", 32, 12, 16),
    ("aes-128-gcm-siv", 16, 12, 16),
    ("aes-256-gcm-siv", 32, 12, 16),
    ("aes-256-eax", 32, 16, 16),
    ("threefish-1024-eax", 128, 128, 128),
    ("aegis-128x2", 16, 16, 32),
    ("aegis-256", 32, 32, 32),
];

#[test]
fn there_and_back() {
    let sandbox = Sandbox::new();
    for (name, key, nonce, tag) in SUITES {
        for len in [0, 1, 4000, 200_000] {
            let (with, plain) = (with(name, key), paint(len));
            sandbox.write("plain", &plain);
            sandbox.run(&format!("encrypt {with} plain -o sealed --force")).ok();
            assert_eq!(sandbox.read("sealed").len(), nonce + len + tag, "{name}");
            sandbox.run(&format!("decrypt {with} sealed -o back --force")).ok();
            assert!(sandbox.read("back") == plain, "{name} of {len}");
            let sealed = sandbox.pipe(&format!("encrypt {with}"), &plain).ok();
            assert!(sandbox.pipe(&format!("decrypt {with}"), &sealed).ok() == plain, "{name}");
            // A nonce is not drawn twice.
            assert!(sandbox.read("sealed")[..nonce] != sealed[..nonce], "{name}");
        }
    }
}

/// Test case 16 of McGrew and Viega, "The Galois/Counter Mode of Operation", appendix B.
#[test]
fn a_published_message() {
    let sandbox = Sandbox::new();
    let plain = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72\
                 1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39";
    let sealed = "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa\
                  8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662\
                  76fc6ece0f4e1768cddf8853bb2d551b";
    let key = "feffe9928665731c6d6a8f9467308308";
    let with = format!(
        "--cipher AES-256-GCM --key {key}{key} --iv cafebabefacedbaddecaf888 \
         --associated feedfacedeadbeeffeedfacedeadbeefabaddad2"
    );
    let (plain, sealed) = (hex::decode(plain).unwrap(), hex::decode(sealed).unwrap());
    assert_eq!(sandbox.pipe(&format!("encrypt {with}"), &plain).ok(), sealed);
    assert_eq!(sandbox.pipe(&format!("decrypt {with}"), &sealed).ok(), plain);
}

#[test]
fn short_tags() {
    let sandbox = Sandbox::new();
    let plain = paint(1000);
    for (name, key, nonce, short) in [("aegis-256x4", 32, 32, 16), ("aes-128-gcm", 16, 12, 13)] {
        let whole = with(name, key);
        let with = format!("{whole} --tag-length {short}");
        let sealed = sandbox.pipe(&format!("encrypt {with}"), &plain).ok();
        assert_eq!(sealed.len(), nonce + plain.len() + short, "{name}");
        assert!(sandbox.pipe(&format!("decrypt {with}"), &sealed).ok() == plain, "{name}");
        sandbox.pipe(&format!("decrypt {whole}"), &sealed).fails(1, &["the tag does not match"]);
    }
    let with = with("aegis-128l", 16);
    let wrong = sandbox.pipe(&format!("encrypt {with} --tag-length 20"), &plain);
    wrong.fails(2, &["--tag-length 20", "16 or 32"]);
}

#[test]
fn nothing_unverified_leaves() {
    let sandbox = Sandbox::new();
    for (name, key, nonce, tag) in SUITES {
        let with = with(name, key);
        // Longer than what is read or written at a time.
        let sealed = sandbox.pipe(&format!("encrypt {with}"), &paint(3 << 20)).ok();
        for at in [0, nonce, sealed.len() / 2, sealed.len() - tag, sealed.len() - 1] {
            let mut forged = sealed.clone();
            forged[at] ^= 1;
            let run = sandbox.pipe(&format!("decrypt {with}"), &forged);
            assert!(run.0.stdout.is_empty(), "{name}, byte {at}");
            run.fails(1, &["tag does not match"]);
            sandbox.write("forged", &forged);
            let run = sandbox.run(&format!("decrypt {with} forged -o out"));
            run.fails(1, &["tag does not match"]);
        }
        let run = sandbox.pipe(&format!("decrypt {with}"), &sealed[..sealed.len() - 1]);
        assert!(run.0.stdout.is_empty());
        run.fails(1, &["tag does not match"]);
        let run = sandbox.pipe(&format!("decrypt {with} --associated 00"), &sealed);
        run.fails(1, &["tag does not match"]);
        let short = &sealed[..nonce + tag - 1];
        let got = format!("{} bytes", nonce + tag - 1);
        sandbox.pipe(&format!("decrypt {with}"), short).fails(1, &[&got, "tag"]);
    }
    assert_eq!(sandbox.names(), ["forged"]);
}

#[test]
fn refusals() {
    let sandbox = Sandbox::new();
    sandbox.write("plain", b"some");
    let run = |args: &str| sandbox.run(&format!("encrypt {args} plain -o out"));
    let gcm = with("aes-256-gcm", 32);
    run(&format!("{gcm} --padding pkcs7")).fails(2, &["--padding", "aes-256-gcm", "leave it out"]);
    run(&format!("{gcm} --tweak 00")).fails(2, &["--tweak", "aes-256-gcm", "leave it out"]);
    run(&format!("{gcm} --threads 2")).fails(2, &["--threads", "one piece after the other"]);
    run(&format!("{gcm} --iv 00")).fails(2, &["--iv", "1 bytes", "12"]);
    run(&format!("{gcm} --associated 0")).fails(2, &["--associated", "odd"]);
    run(&with("aes-192-gcm-siv", 24)).fails(2, &["aes-192-gcm-siv", "aes-256-gcm-siv"]);
    run(&with("aes-512-gcm", 24)).fails(2, &["no cipher", "aes-256-gcm"]);
    let plain = [("aes-256-ctr", 32), ("aes-256-cfb", 32), ("threefish-256-ofb", 32)];
    for (name, key) in plain {
        for padding in ["pkcs7", "none"] {
            let padded = format!("{} --padding {padding}", with(name, key));
            run(&padded).fails(2, &["--padding", name, "any length"]);
        }
        let associated = format!("{} --associated 00", with(name, key));
        run(&associated).fails(2, &["--associated", name, "authenticates nothing"]);
    }
    let large = std::fs::File::create(sandbox.path("large")).unwrap();
    large.set_len((1 << 30) + 1).unwrap();
    // To a pipe: a file has no name until all is verified, and takes it in pieces.
    let large = format!("encrypt {} large", with("aes-256-gcm-siv", 32));
    sandbox.run(&large).fails(1, &["large", "1073741824 bytes", "memory", "from a file to a file"]);
    assert_eq!(sandbox.names(), ["large", "plain"]);
}

/// Of a mode that needs a whole message in memory, more than the limit is refused as soon as it has come, while the pipe is open and may give more; and in
/// little more memory than the limit.
#[cfg(target_os = "linux")]
#[test]
fn too_much_from_a_pipe() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let sandbox = Sandbox::new();
    let args = format!("encrypt {} -o out", with("aes-256-gcm-siv", 32));
    let mut command = Command::new("sh");
    // In KiB: the limit, and what a program of several threads has anyway.
    command.args(["-c", "ulimit -v $((1024 * 1024 + 256 * 1024)) && exec \"$@\"", "sh"]);
    command.arg(env!("CARGO_BIN_EXE_icefish")).args(args.split_whitespace());
    command.current_dir(sandbox.path(".")).env_remove("ICEFISH_BACKEND");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let piece = paint(1 << 20);
    let mut written = 0_u64;
    // Two GiB if it takes them, and then it waits for more.
    while written < 2 << 30 && stdin.write_all(&piece).is_ok() {
        written += piece.len() as u64;
    }
    assert!(written <= (1 << 30) + (2 << 20), "it took {written} bytes");
    let run = common::Run(child.wait_with_output().expect("the program ends"));
    drop(stdin);
    run.fails(1, &["standard input", "1073741824 bytes", "memory"]);
    assert!(sandbox.names().is_empty());
}

/// A stream is read in pieces, and what they become is one message.
#[test]
fn streams_of_any_length() {
    let sandbox = Sandbox::new();
    let with = with("aes-256-gcm", 32);
    let ends = [1 << 16, (1 << 16) + (1 << 20), (1 << 16) + (3 << 20)];
    for len in ends.into_iter().flat_map(|end| [end - 1, end, end + 1]) {
        let plain = paint(len);
        let sealed = sandbox.pipe(&format!("encrypt {with}"), &plain).ok();
        assert!(sandbox.pipe(&format!("decrypt {with}"), &sealed).ok() == plain, "{len}");
        // To a file, in one pass: also where the tag is in two pieces.
        sandbox.pipe(&format!("decrypt {with} -o back --force"), &sealed).ok();
        assert!(sandbox.read("back") == plain, "{len}");
    }
}

/// What goes from a file to a file is not in memory as a whole, there and back.
#[cfg(target_os = "linux")]
#[test]
fn files_take_little_memory() {
    let sandbox = Sandbox::new();
    let large = std::fs::File::create(sandbox.path("large")).unwrap();
    large.set_len(600 << 20).unwrap();
    for (name, key) in [("aes-256-gcm", 32), ("aes-128-eax", 16), ("aes-256-gcm-siv", 32)] {
        let with = with(name, key);
        for args in [
            format!("encrypt {with} large -o sealed --force"),
            format!("decrypt {with} sealed -o back --force"),
        ] {
            let mut command = std::process::Command::new("sh");
            command.args(["-c", "ulimit -v $((448 * 1024)) && exec \"$@\"", "sh"]);
            command.arg(env!("CARGO_BIN_EXE_icefish")).current_dir(sandbox.path("."));
            common::Run(command.args(args.split_whitespace()).output().expect("it runs")).ok();
        }
        assert_eq!(std::fs::metadata(sandbox.path("back")).unwrap().len(), 600 << 20, "{name}");
    }
}

/// Less memory than a message needs is an error like any other.
#[cfg(target_os = "linux")]
#[test]
fn too_little_memory() {
    let sandbox = Sandbox::new();
    let large = std::fs::File::create(sandbox.path("large")).unwrap();
    large.set_len(1 << 30).unwrap();
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -v $((768 * 1024)) && exec \"$@\"", "sh"]);
    command.arg(env!("CARGO_BIN_EXE_icefish")).current_dir(sandbox.path("."));
    let args = format!("encrypt {} large", with("aes-256-gcm-siv", 32));
    let run = common::Run(command.args(args.split_whitespace()).output().expect("it runs"));
    run.fails(1, &["1073741825 bytes are needed"]);
    assert_eq!(sandbox.names(), ["large"]);
}
