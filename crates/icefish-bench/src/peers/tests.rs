//! Every peer against the others of its operation, and against published answers.

use super::{Mode, Operation, Peer, Setup, Work, peers};

mod known_answers;
#[cfg(all(feature = "peer-xoofff", feature = "peer-xoodoo"))]
mod xoofff;

/// Bytes with a period that no block length divides.
fn painted(length: usize, first: usize) -> Vec<u8> {
    (0..length).map(|i| ((i + first) % 251) as u8).collect()
}

/// Key, IV and tweak for an operation.
struct Painted([Vec<u8>; 3]);

impl Painted {
    /// `associated`: how long the tweak is where any length will do.
    fn new(operation: Operation, associated: usize) -> Painted {
        let lengths = operation.lengths();
        Painted([
            painted(lengths.key, 1),
            painted(lengths.iv, 101),
            painted(lengths.tweak.unwrap_or(associated), 201),
        ])
    }

    fn setup(&self) -> Setup<'_> {
        let [key, iv, tweak] = &self.0;
        Setup { key, iv, tweak }
    }
}

fn of(operation: Operation) -> Vec<Peer> {
    let mut peers = peers();
    peers.retain(|peer| peer.operation == operation);
    peers
}

fn run(work: &mut dyn Work, input: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut buffer = input.to_vec();
    work.run(&mut buffer);
    (buffer, work.tag().to_vec())
}

/// Around the block lengths (8 to 128), the rates of Xoodyak (16, 24, 44) and Xoofff (48), the batches of the peers
/// (icefast: 512 blocks of 8), and `icefast`'s threshold for threads (32 KiB).
fn lengths(granule: usize) -> Vec<usize> {
    let mut lengths: Vec<usize> = match granule {
        1 => vec![1, 8, 15, 16, 17, 24, 25, 44, 47, 48, 49, 63, 64, 65, 127, 128, 129, 1000, 4099],
        _ => [1, 2, 3, 7, 8, 9, 15, 16, 17, 33, 63].map(|n| n * granule).to_vec(),
    };
    lengths.push(40_000_usize.next_multiple_of(granule));
    lengths
}

#[test]
fn peers_agree() {
    for operation in Operation::all() {
        for associated in [0, 20] {
            let painted_setup = Painted::new(operation, associated);
            let setup = painted_setup.setup();
            let mut works: Vec<_> = of(operation)
                .iter()
                .map(|peer| (peer.peer, peer.make(&setup).expect("the set-up fits")))
                .collect();
            for length in lengths(operation.lengths().granule) {
                let input = painted(length, 7);
                let mut first = None;
                for (name, work) in &mut works {
                    let output = run(work.as_mut(), &input);
                    assert_eq!(
                        run(work.as_mut(), &input),
                        output,
                        "{operation}, {name}: a second message"
                    );
                    let (expected, whose) = first.get_or_insert((output.clone(), *name));
                    assert!(
                        output == *expected,
                        "{operation}, {length} bytes: {name} differs from {whose}"
                    );
                }
            }
        }
    }
}

#[test]
fn decryption_inverts_encryption() {
    for peer in peers() {
        let Some(inverse) = inverse(peer.operation) else { continue };
        // What opens AEGIS or GCM seals zeros first, whatever the buffer has: it has no other tag.
        let seals_first = matches!(
            peer.operation,
            Operation::Aegis { .. } | Operation::Aes { mode: Mode::Gcm, .. }
        );
        if peer.peer == ONE_WAY || seals_first {
            continue;
        }
        let Some(inverse) = of(inverse).into_iter().find(|other| other.peer == peer.peer) else {
            panic!("{} of {} has no inverse", peer.operation, peer.peer);
        };
        let painted_setup = Painted::new(peer.operation, 5);
        let setup = painted_setup.setup();
        let mut there = peer.make(&setup).expect("the set-up fits");
        let mut back = inverse.make(&setup).expect("the set-up fits");
        for length in lengths(peer.operation.lengths().granule) {
            let input = painted(length, 3);
            let (output, tag) = run(there.as_mut(), &input);
            assert_ne!(output, input);
            assert!(
                run(back.as_mut(), &output) == (input, tag),
                "{} of {}",
                peer.operation,
                peer.peer
            );
        }
    }
}

/// This one encrypts only.
const ONE_WAY: &str = "avxfish form";

/// The decryption of an encryption, if it is an operation.
fn inverse(operation: Operation) -> Option<Operation> {
    let all = Operation::all();
    let other = operation.to_string().replace("_enc", "_dec");
    all.into_iter().find(|candidate| *candidate != operation && candidate.to_string() == other)
}

#[test]
fn a_chain_is_repeated_runs() {
    for peer in peers() {
        let painted_setup = Painted::new(peer.operation, 0);
        let mut work = peer.make(&painted_setup.setup()).expect("the set-up fits");
        let mut chained = painted(2 * peer.operation.lengths().granule, 9);
        let mut repeated = chained.clone();
        work.chain(&mut chained, 3);
        for _ in 0..3 {
            work.run(&mut repeated);
        }
        assert_eq!(chained, repeated, "{} of {}", peer.operation, peer.peer);
    }
}

/// One call for many messages does what a call for each does; so many that they do not fit any registers.
#[test]
fn many_messages_are_each_message() {
    for peer in peers() {
        let granule = peer.operation.lengths().granule;
        let lengths: Vec<usize> = (0..40).map(|i| (1 + i * 7 % 30) * granule).collect();
        let painted_setup = Painted::new(peer.operation, 5);
        let setup = painted_setup.setup();
        // Not every operation of a library that has such calls has one.
        let Some(mut many) = peer.make_many(&setup, &lengths) else { continue };
        let mut one = peer.make(&setup).expect("the set-up fits");
        let input = painted(lengths.iter().sum(), 5);
        let (output, tags) = run(many.as_mut(), &input);
        let (mut expected, mut expected_tags) = (input, Vec::new());
        for message in super::split(&mut expected, &lengths) {
            one.run(message);
            expected_tags.extend_from_slice(one.tag());
        }
        assert!((output, tags) == (expected, expected_tags), "{} of {}", peer.operation, peer.peer);
    }
}

#[test]
fn lengths_are_checked() {
    for peer in peers() {
        let painted_setup = Painted::new(peer.operation, 0);
        let setup = painted_setup.setup();
        let long = painted(200, 0);
        assert!(peer.make(&Setup { key: &long, ..setup }).is_none());
        assert!(peer.make(&Setup { iv: &long, ..setup }).is_none());
        assert!(peer.make_many(&Setup { key: &long, ..setup }, &[]).is_none());
        let any = peer.operation.lengths().tweak.is_none();
        assert_eq!(peer.make(&Setup { tweak: &long, ..setup }).is_some(), any);
    }
}

#[test]
fn names_are_unique() {
    let mut names: Vec<String> =
        peers().iter().map(|peer| format!("{}_{}", peer.operation, peer.peer)).collect();
    names.sort();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[cfg(feature = "peers")]
#[test]
fn every_operation_has_a_peer() {
    for operation in Operation::all() {
        assert!(!of(operation).is_empty(), "{operation}");
    }
    // The three libraries that every table of AES names.
    let cbc =
        Operation::Aes { bits: 256, mode: super::Mode::Cbc, direction: super::Direction::Decrypt };
    for name in ["openssl", "aws-lc-rs", "rustcrypto"] {
        assert!(of(cbc).iter().any(|peer| peer.peer == name), "{name}");
    }
}

/// What is printed is what is pinned: the versions of crates stand in the manifest, exactly.
#[test]
fn versions_are_the_pinned_ones() {
    let manifest = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .expect("a manifest");
    for peer in peers() {
        match peer.peer {
            // The manifest pins what builds it; it says its own version.
            "openssl" => assert!(peer.version.starts_with("4.0."), "{}", peer.version),
            "botan" => assert!(peer.version.starts_with("3.13."), "{}", peer.version),
            ONE_WAY => assert_eq!(peer.version, "two vectors"),
            // The distribution's.
            "libgcrypt" | "intel-ipsec-mb" | "crypto++" => {
                assert!(peer.version.starts_with(|c: char| c.is_ascii_digit()))
            }
            _ => {
                for crate_version in peer.version.split(", ") {
                    let number = crate_version.rsplit(' ').next().expect("a word");
                    assert!(
                        manifest.contains(&format!("\"={number}\"")),
                        "{}: {number}",
                        peer.peer
                    );
                }
            }
        }
    }
}
