//! `bench`: which lengths it takes, and what it says. Nothing is said about the figures.

mod common;

use common::Sandbox;

#[test]
fn lengths_are_bytes_with_suffixes() {
    let sandbox = Sandbox::new();
    for (size, cipher, said) in [
        ("16", "aes-128-cbc", "aes-128-cbc, 16 B, "),
        ("4K", "aes-256-ctr", "aes-256-ctr, 4 KiB, "),
        ("80000", "thin-ice-ecb", "thin-ice-ecb, 78.1 KiB, "),
        // A block at least.
        ("16", "threefish-1024-cbc", "threefish-1024-cbc, 128 B, "),
    ] {
        let output = sandbox.run(&format!("bench {cipher} --size {size}")).text();
        assert!(output.starts_with(said), "{output}");
        assert!(output.contains("encryption: ") && output.contains("decryption: "), "{output}");
    }
}

#[test]
fn other_lengths_are_refused() {
    let sandbox = Sandbox::new();
    for size in ["15", "0", "-1", "5G", "4097M", "16KB", "1.5K", "K", "a"] {
        let run = sandbox.run(&format!("bench aes-128-cbc --size={size}"));
        run.fails(2, &["--size", "from 16 to 4G"]);
    }
}
