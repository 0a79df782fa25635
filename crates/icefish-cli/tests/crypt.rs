//! `encrypt` and `decrypt` in the raw format: what they write.

mod common;

use common::{IV, KEY, Sandbox, paint};
use std::io::{Read, Write};
use std::process::{Command, Stdio};

#[test]
fn the_first_commands_of_the_readme() {
    let sandbox = Sandbox::new();
    let plain = paint(5000);
    sandbox.write("README.md", &plain);
    let encrypt = "encrypt --cipher aes-256-gcm-siv --generate-key my.key README.md -o README.enc";
    assert!(sandbox.run(encrypt).ok().is_empty());
    let key = String::from_utf8(sandbox.read("my.key")).expect("hex");
    assert_eq!(key.len(), 65);
    assert!(key.trim_end().bytes().all(|b| b.is_ascii_hexdigit()));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = sandbox.path("my.key").metadata().expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    assert_eq!(sandbox.read("README.enc").len(), 12 + 5000 + 16);
    sandbox.run("decrypt --cipher aes-256-gcm-siv --key-file my.key README.enc -o back").ok();
    assert!(sandbox.read("back") == plain);

    // A second time, neither is overwritten.
    let crypted = sandbox.read("README.enc");
    sandbox.run(encrypt).fails(2, &["README.enc", "exists"]);
    let other = encrypt.replace("README.enc", "other.enc");
    sandbox.run(&other).fails(2, &["my.key", "exists"]);
    sandbox.run(&format!("{other} --force")).fails(2, &["my.key", "exists"]);
    assert_eq!(sandbox.read("my.key"), key.as_bytes());
    assert!(sandbox.read("README.enc") == crypted);
    assert_eq!(sandbox.names(), ["README.enc", "README.md", "back", "my.key"]);
}

#[test]
fn every_mode_through_files_and_pipes() {
    let sandbox = Sandbox::new();
    for (cipher, key) in [("aes-256", 32), ("threefish-1024", 128), ("thin-ice", 8), ("ice-2", 16)]
    {
        for mode in ["ecb", "cbc", "cfb", "cfb8", "ofb", "ctr", "ctr-le"] {
            let plain = paint(3001);
            sandbox.write("plain", &plain);
            sandbox.write_key("key", &paint(key));
            let with = format!("--cipher {cipher}-{mode} --key-file key --force");
            sandbox.run(&format!("encrypt {with} plain -o crypted")).ok();
            sandbox.run(&format!("decrypt {with} crypted -o back")).ok();
            assert!(sandbox.read("back") == plain, "{cipher}-{mode}");
            let crypted = sandbox.pipe(&format!("encrypt {with}"), &plain).ok();
            let back = sandbox.pipe(&format!("decrypt {with} - -o -"), &crypted).ok();
            assert!(back == plain, "{cipher}-{mode}");
        }
    }
}

#[test]
fn long_and_empty() {
    let sandbox = Sandbox::new();
    for len in [0, 1 << 20, (5 << 20) + 3] {
        let plain = paint(len);
        sandbox.write("plain", &plain);
        for mode in ["cbc", "ctr", "cfb"] {
            let with = format!("--cipher aes-256-{mode} --key {KEY} --force");
            sandbox.run(&format!("encrypt {with} plain -o crypted")).ok();
            sandbox.run(&format!("decrypt {with} crypted -o back")).ok();
            assert!(sandbox.read("back") == plain, "{mode} {len}");
            let crypted = sandbox.pipe(&format!("encrypt {with}"), &plain).ok();
            let back = sandbox.pipe(&format!("decrypt {with}"), &crypted).ok();
            assert!(back == plain, "{mode} {len}");
        }
    }
}

#[test]
fn the_same_bytes_as_openssl() {
    let present = Command::new("openssl").arg("version").output().is_ok_and(|o| o.status.success());
    if !present {
        println!("NOTE: there is no openssl program here: its output was not compared");
        return;
    }
    let sandbox = Sandbox::new();
    for (bits, digits) in [(128, 32), (192, 48), (256, 64)] {
        let key = &KEY[..digits];
        for mode in ["ecb", "cbc", "cfb", "cfb8", "ofb", "ctr"] {
            for len in [0, 1, 15, 16, 17, 100_000, (2 << 20) + 5] {
                let plain = paint(len);
                sandbox.write("plain", &plain);
                let iv = if mode == "ecb" { String::new() } else { format!(" {IV}") };
                let iv =
                    |flag: &str| if iv.is_empty() { String::new() } else { format!(" {flag}{iv}") };
                let theirs = format!("enc -aes-{bits}-{mode} -K {key}{} -in plain", iv("-iv"));
                let theirs = Command::new("openssl")
                    .args(theirs.split_whitespace())
                    .current_dir(sandbox.path("."))
                    .stderr(Stdio::null())
                    .output()
                    .expect("openssl runs")
                    .stdout;
                let with = format!("--cipher aes-{bits}-{mode} --key {key}{}", iv("--iv"));
                let ours = sandbox.run(&format!("encrypt {with} plain")).ok();
                assert!(ours == theirs, "aes-{bits}-{mode} of {len}");
                let piped = sandbox.pipe(&format!("encrypt {with}"), &plain).ok();
                assert!(piped == theirs, "aes-{bits}-{mode} of {len}, piped");
                let back = sandbox.pipe(&format!("decrypt {with}"), &theirs).ok();
                assert!(back == plain, "aes-{bits}-{mode} of {len}, back");
            }
        }
    }
}

#[test]
fn vectors_drawn_or_given() {
    let sandbox = Sandbox::new();
    let with = format!("--cipher aes-256-ctr --key {KEY}");
    let drawn = || sandbox.pipe(&format!("encrypt {with}"), b"same").ok();
    let (a, b) = (drawn(), drawn());
    assert_eq!((a.len(), b.len()), (20, 20));
    assert_ne!(a[..16], b[..16]);
    let iv: String = a[..16].iter().map(|b| format!("{b:02x}")).collect();
    let given = sandbox.pipe(&format!("encrypt {with} --iv {iv}"), b"same").ok();
    assert_eq!(given, a[16..]);
}

#[test]
fn paddings() {
    let sandbox = Sandbox::new();
    let key = format!("--cipher aes-256-cbc --key {KEY} --iv {IV}");
    for padding in ["pkcs7", "x923", "iso7816", "zero", "none"] {
        for len in [1, 16, 31, 32] {
            let mut plain = paint(len);
            plain.reverse();
            let with = format!("{key} --padding {padding}");
            let crypted = sandbox.pipe(&format!("encrypt {with}"), &plain);
            if padding == "none" && len % 16 > 0 {
                let got = format!("{len} bytes");
                crypted.fails(1, &[&got, "block of 16", "padding"]);
                continue;
            }
            let back = sandbox.pipe(&format!("decrypt {with}"), &crypted.ok()).ok();
            // The last byte of the plaintext is 0, which this padding takes for its own.
            let kept = if padding == "zero" { len - 1 } else { len };
            assert_eq!(back, plain[..kept], "{padding} {len}");
        }
    }
}

#[test]
fn tweaks_matter() {
    let sandbox = Sandbox::new();
    let with = |tweak: &str| {
        let key = "07".repeat(128);
        format!("encrypt --cipher threefish-1024-ctr --key {key} --iv {} {tweak}", "00".repeat(128))
    };
    let a = sandbox.pipe(&with(""), b"same").ok();
    let b = sandbox.pipe(&with(&format!("--tweak {}", "00".repeat(16))), b"same").ok();
    let c = sandbox.pipe(&with(&format!("--tweak {}", "01".repeat(16))), b"same").ok();
    assert_eq!(a, b);
    assert_ne!(a, c);
}

#[test]
fn key_files() {
    let sandbox = Sandbox::new();
    let with = |args: &str| format!("encrypt --cipher aes-256-cbc --iv {IV} {args}");
    let right = sandbox.pipe(&with(&format!("--key {KEY}")), b"some").ok();
    let (upper, spaced) = (KEY.to_uppercase(), format!(" {}\r\n\t{}\n", &KEY[..10], &KEY[10..]));
    let bytes: Vec<u8> =
        (0..32).map(|i| u8::from_str_radix(&KEY[2 * i..2 * i + 2], 16).expect("hex")).collect();
    for contents in [KEY.as_bytes(), upper.as_bytes(), spaced.as_bytes(), &bytes] {
        sandbox.write_key("key", contents);
        assert_eq!(sandbox.pipe(&with("--key-file key"), b"some").ok(), right);
    }
    let refused = |contents: &[u8], words: &[&str]| {
        sandbox.write_key("key", contents);
        sandbox.pipe(&with("--key-file key"), b"some").fails(2, words);
    };
    // A key of 128 bits in hex has as many characters as one of 256 bits has bytes.
    refused(&KEY.as_bytes()[..32], &["key file key", "16 bytes", "32"]);
    refused(&KEY.as_bytes()[..63], &["key file key", "odd"]);
    refused(&bytes[..31], &["key file key", "31 bytes", "32 bytes"]);
    refused(b"", &["key file key", "0 bytes"]);
    refused(&paint(1 << 20), &["key file key", "longer"]);
    sandbox.run(&with("--key-file nothing")).fails(1, &["key file nothing", "No such file"]);
}

/// A key that everybody may read is used, but not without a word.
#[cfg(unix)]
#[test]
fn key_files_of_everybody() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new();
    sandbox.write_key("key", KEY.as_bytes());
    let encrypt = format!("encrypt --cipher aes-256-ctr --iv {IV} --key-file key");
    let block = format!("block --cipher aes-256 --key-file key {IV}");
    let right = sandbox.pipe(&encrypt, b"some").ok();
    for (mode, may) in [
        (0o600, None),
        (0o400, None),
        (0o660, None),
        (0o601, None),
        (0o644, Some("may read the")),
        (0o602, Some("may change the")),
        (0o666, Some("may read and change the")),
    ] {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(sandbox.path("key"), permissions).expect("our file");
        for run in [sandbox.pipe(&encrypt, b"some"), sandbox.run(&block)] {
            assert_eq!(run.0.status.code(), Some(0));
            match may {
                None => assert_eq!(run.stderr(), ""),
                Some(may) => {
                    let said = run.stderr();
                    assert_eq!(said.lines().count(), 1, "{said}");
                    assert!(said.starts_with("icefish: warning: everybody"), "{said}");
                    assert!(said.contains(may) && said.contains("chmod 600 key"), "{said}");
                }
            }
        }
        assert_eq!(sandbox.pipe(&encrypt, b"some").0.stdout, right);
    }
    // A pipe is nobody's but its readers'.
    let piped = encrypt.replace("--key-file key", "--key-file /dev/stdin");
    sandbox.write("plain", b"some");
    let run = sandbox.pipe(&format!("{piped} plain"), KEY.as_bytes());
    assert_eq!(run.ok(), right);
}

/// A pipe gives what a file gives, on any number of threads.
#[test]
fn pipes_on_any_number_of_threads() {
    let sandbox = Sandbox::new();
    let plain = paint((3 << 20) + 7);
    sandbox.write("plain", &plain);
    for mode in ["ecb", "cbc", "cfb", "ctr", "ctr32-le", "ofb"] {
        let iv = if mode == "ecb" { String::new() } else { format!(" --iv {IV}") };
        let with = format!("--cipher aes-256-{mode} --key {KEY}{iv}");
        sandbox.run(&format!("encrypt {with} plain -o crypted --force")).ok();
        let crypted = sandbox.read("crypted");
        for threads in 1..=3 {
            let with = format!("{with} --threads {threads}");
            let piped = sandbox.pipe(&format!("encrypt {with}"), &plain).ok();
            assert!(piped == crypted, "{mode}, {threads} threads");
            let back = sandbox.pipe(&format!("decrypt {with}"), &crypted).ok();
            assert!(back == plain, "{mode}, {threads} threads, back");
        }
    }
}

/// Bytes flow while more input is awaited.
#[test]
fn slow_pipes_flow() {
    let sandbox = Sandbox::new();
    for mode in ["ctr", "cfb", "cfb8"] {
        let plain = paint(50);
        let with = format!("--cipher aes-256-{mode} --key {KEY} --iv {IV}");
        let crypted = sandbox.pipe(&format!("encrypt {with}"), &plain).ok();
        let mut command = sandbox.command();
        command.args(format!("decrypt {with}").split_whitespace());
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        let mut stdout = child.stdout.take().expect("a pipe");
        for (from, to) in [(0, 1), (1, 5), (5, 21), (21, 32), (32, 50)] {
            stdin.write_all(&crypted[from..to]).expect("it reads");
            let mut some = vec![0; to - from];
            stdout.read_exact(&mut some).expect("it writes");
            assert_eq!(some, plain[from..to], "{mode}");
        }
        drop(stdin);
        assert!(child.wait().expect("the program ends").success());
    }
}

/// The reader goes away, while the input stays open and gives no more.
#[cfg(target_os = "linux")]
#[test]
fn nobody_reads() {
    use std::os::unix::process::ExitStatusExt;

    let sandbox = Sandbox::new();
    for threads in 1..=3 {
        let mut command = sandbox.command();
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let args =
            format!("encrypt --cipher aes-256-ctr --key {KEY} --iv {IV} --threads {threads}");
        command.args(args.split_whitespace()).stdin(Stdio::piped()).stdout(writer);
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the program runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        let _ = stdin.write_all(&paint(3 << 20));
        common::wait_for_end(&mut child);
        let output = child.wait_with_output().expect("it ended");
        assert_eq!(output.status.signal(), Some(signal_hook::consts::SIGPIPE));
        assert!(output.stderr.is_empty());
    }
}
