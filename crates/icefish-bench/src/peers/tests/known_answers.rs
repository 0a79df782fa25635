//! Published answers: one for each operation at least, so that a peer without company is not its own judge.

use super::super::{Direction, Mode, Operation, Setup};
use super::of;

/// Hexadecimal digits; a tag of no digits is not looked at.
struct Answer {
    operation: Operation,
    key: &'static str,
    iv: &'static str,
    tweak: &'static str,
    input: &'static str,
    /// The first bytes of the output.
    output: &'static str,
    tag: &'static str,
}

fn bytes(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).expect("ASCII"));
    pairs.map(|pair| u8::from_str_radix(pair, 16).expect("hexadecimal digits")).collect()
}

fn check(answers: &[Answer]) {
    for answer in answers {
        let (key, iv, tweak) = (bytes(answer.key), bytes(answer.iv), bytes(answer.tweak));
        let setup = Setup { key: &key, iv: &iv, tweak: &tweak };
        for peer in of(answer.operation) {
            let mut work = peer.make(&setup).expect("the set-up fits");
            let mut buffer = bytes(answer.input);
            work.run(&mut buffer);
            let output = bytes(answer.output);
            assert_eq!(buffer[..output.len()], output, "{} of {}", peer.operation, peer.peer);
            if !answer.tag.is_empty() {
                assert_eq!(
                    work.tag(),
                    bytes(answer.tag),
                    "tag, {} of {}",
                    peer.operation,
                    peer.peer
                );
            }
        }
    }
}

const fn aes(bits: u16, mode: Mode) -> Operation {
    Operation::Aes { bits, mode, direction: Direction::Encrypt }
}

/// NIST SP 800-38A, appendix F: the key, the plaintext's first block, the IV and the counter of its examples.
#[test]
fn aes_modes() {
    const KEY: &str = "2b7e151628aed2a6abf7158809cf4f3c";
    const INPUT: &str = "6bc1bee22e409f96e93d7e117393172a";
    const IV: &str = "000102030405060708090a0b0c0d0e0f";
    const COUNTER: &str = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";
    let f = |mode, iv, output| Answer {
        operation: aes(128, mode),
        key: KEY,
        iv,
        tweak: "",
        input: INPUT,
        output,
        tag: "",
    };
    let ecb = |bits, key, output| Answer {
        operation: aes(bits, Mode::Ecb),
        key,
        ..f(Mode::Ecb, "", output)
    };
    check(&[
        f(Mode::Ecb, "", "3ad77bb40d7a3660a89ecaf32466ef97"),
        f(Mode::Cbc, IV, "7649abac8119b246cee98e9b12e9197d"),
        f(Mode::Cfb128, IV, "3b3fd92eb72dad20333449f8e83cfb4a"),
        f(Mode::Ofb, IV, "3b3fd92eb72dad20333449f8e83cfb4a"),
        f(Mode::Ctr, COUNTER, "874d6191b620e3261bef6864990db6ce"),
        Answer {
            operation: Operation::AesKeySetup { bits: 128, direction: Direction::Encrypt },
            ..f(Mode::Cbc, IV, "7649abac8119b246cee98e9b12e9197d")
        },
        ecb(
            192,
            "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
            "bd334f1d6e45f25ff712a214571fa5cc",
        ),
        ecb(
            256,
            "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
            "f3eed1bdb5d2a03c064b5a7e3db181f8",
        ),
    ]);
}

/// McGrew and Viega's GCM test case 2; IEEE 1619's XTS-AES-128 vector 2.
#[test]
fn aes_gcm_and_xts() {
    check(&[
        Answer {
            operation: aes(128, Mode::Gcm),
            key: "00000000000000000000000000000000",
            iv: "000000000000000000000000",
            tweak: "",
            input: "00000000000000000000000000000000",
            output: "0388dace60b6a392f328c2b971b2fe78",
            tag: "ab6e47d42cec13bdf53a67b21257bddf",
        },
        Answer {
            operation: aes(128, Mode::Xts),
            key: "1111111111111111111111111111111122222222222222222222222222222222",
            iv: "33333333330000000000000000000000",
            tweak: "",
            input: "4444444444444444444444444444444444444444444444444444444444444444",
            output: "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0",
            tag: "",
        },
    ]);
}

/// The certification vectors in the comments of Kwan's reference code.
#[test]
fn ice() {
    let ice = |level, key, output| Answer {
        operation: Operation::Ice { level, direction: Direction::Encrypt },
        key,
        iv: "",
        tweak: "",
        input: "fedcba9876543210",
        output,
        tag: "",
    };
    check(&[
        ice(0, "deadbeef01234567", "de240d83a00a9cc0"),
        ice(1, "deadbeef01234567", "7d6ef1ef30d47a96"),
        ice(2, "00112233445566778899aabbccddeeff", "f94840d86972f21c"),
    ]);
}

/// The known answers of the Skein submission (version 1.3) to zeros, and its hashes of the byte FF.
#[test]
fn threefish_and_skein() {
    let zeros = "00".repeat(128).leak() as &str;
    let threefish = |bits, output| Answer {
        operation: Operation::Threefish { bits, direction: Direction::Encrypt },
        key: &zeros[..usize::from(bits) / 4],
        iv: "",
        tweak: &zeros[..32],
        input: &zeros[..usize::from(bits) / 4],
        output,
        tag: "",
    };
    let skein = |bits, tag| Answer {
        operation: Operation::Skein { bits },
        key: "",
        iv: "",
        tweak: "",
        input: "ff",
        output: "ff",
        tag,
    };
    check(&[
        threefish(256, "84da2a1f8beaee947066ae3e3103f1ad536db1f4a1192495116b9f3ce6133fd8"),
        threefish(512, "b1a2bbc6ef6025bc40eb3822161f36e375d1bb0aee3186fbd19e47c5d479947b"),
        threefish(1024, "f05c3d0a3d05b304f785ddc7d1e036015c8aa76e2f217b06c6e1544c0bc1a90d"),
        skein(
            512,
            "71b7bce6fe6452227b9ced6014249e5bf9a9754c3ad618ccc4e0aae16b316cc8\
             ca698d864307ed3e80b6ef1570812ac5272dc409b5a012df2a579102f340617a",
        ),
        skein(
            1024,
            "e62c05802ea0152407cdd8787fda9e35703de862a4fbc119cff8590afe79250b\
             ccc8b3faf1bd2422ab5c0d263fb2f8afb3f796f048000381531b6f00d85161bc\
             0fff4bef2486b1ebcd3773fabf50ad4ad5639af9040e3f29c6c931301bf79832\
             e9da09857e831e82ef8b4691c235656515d437d2bda33bcec001c67ffde15ba8",
        ),
    ]);
}

/// Xoodoo of zeros: what Xoodyak's hash squeezes first when nothing was absorbed. Xoodyak: the first hash of NIST's
/// known answers (of nothing), and the self-test of XKCP's round-3 AEAD.
#[test]
fn xoodoo_and_xoodyak() {
    check(&[
        Answer {
            operation: Operation::Xoodoo { rounds: 12 },
            key: "",
            iv: "",
            tweak: "",
            input: "00".repeat(48).leak(),
            output: "8dd8d589bffc63a9192d231b14a0a5ff",
            tag: "",
        },
        Answer {
            operation: Operation::XoodyakHash,
            key: "",
            iv: "",
            tweak: "",
            input: "",
            output: "",
            tag: "ea152f2b47bce24efb66c479d4adf17bd324d806e85ff75ee369ee50dc8f8bd1",
        },
        Answer {
            operation: Operation::Xoodyak { direction: Direction::Encrypt },
            key: "5a4b3c2d1e0f00f1e2d3c4b5a6978879",
            iv: "6b4c2d0eefd0b19272533415f6d7b899",
            tweak: "32f3b47535f6",
            input: "e465e566e667e7",
            output: "6e68081c7eacbf",
            tag: "72e2a677a60e442748d7a86e788eb9d4",
        },
    ]);
}
