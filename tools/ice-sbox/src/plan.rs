//! What the search found, as text: the embeddings, then the operations in their final order.
//!
//! An operation is `table:operand,operand,...` (the table in hexadecimal; operands 0 to 9 are the inputs); the eight
//! after `=>` are the outputs.

use crate::assemble::Choice;
use crate::muxed::Embedding;
use crate::network::{Gate, Network};
use crate::search::{Found, Kind};
use crate::tower::Tower;
use std::fmt::Write;

/// The committed results.
#[must_use]
pub fn committed(kind: Kind) -> Vec<Found> {
    parse(match kind {
        Kind::Three => include_str!("../plan/three.txt"),
        Kind::Two => include_str!("../plan/two.txt"),
    })
}

/// Where the committed results are.
#[must_use]
pub fn path(kind: Kind) -> std::path::PathBuf {
    let name = match kind {
        Kind::Three => "three.txt",
        Kind::Two => "two.txt",
    };
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("plan").join(name)
}

/// Reads results.
///
/// # Panics
///
/// If the text is not as `print` writes it.
#[must_use]
pub fn parse(text: &str) -> Vec<Found> {
    text.split("sbox").skip(1).map(parse_one).collect()
}

fn parse_one(text: &str) -> Found {
    let (header, body) = text.split_once('\n').expect("a line for the choice");
    let number = |text: &str| u8::from_str_radix(text, 16).expect("a hexadecimal number");
    let words: Vec<&str> = header.split_whitespace().collect();
    let pair =
        |word: &str| word.split_once('/').map(|(a, b)| (number(a), number(b))).expect("a pair");
    let (mu, nu) = pair(words[2]);
    let embeddings = std::array::from_fn(|row| {
        let (root, scale) = pair(words[4 + row]);
        Embedding { root, scale }
    });
    let gate = |word: &str| {
        let (table, operands) = word.split_once(':').expect("table and operands");
        let operands: Vec<u16> =
            operands.split(',').map(|o| o.parse().expect("an operand")).collect();
        Gate::new(&operands, number(table))
    };
    let (gates, outputs) = body.split_once("=>").expect("outputs");
    Found {
        choice: Choice { tower: Tower { mu, nu }, embeddings },
        network: Network {
            inputs: 10,
            gates: gates.split_whitespace().map(gate).collect(),
            outputs: outputs.split_whitespace().map(gate).collect(),
        },
    }
}

/// Writes results.
#[must_use]
pub fn print(results: &[Found]) -> String {
    let mut text = String::new();
    for (number, found) in results.iter().enumerate() {
        let Choice { tower, embeddings } = found.choice;
        write!(text, "sbox {number} tower {:x}/{:x} rows", tower.mu, tower.nu).expect("a string");
        for Embedding { root, scale } in embeddings {
            write!(text, " {root:02x}/{scale:02x}").expect("a string");
        }
        let mut line = String::from("\n");
        let mut push = |word: &str, text: &mut String| {
            if line.len() + word.len() > 110 {
                text.push_str(line.trim_end_matches(' '));
                line = String::from("\n");
            }
            line.push_str(word);
            line.push(' ');
            if word.is_empty() {
                text.push_str(line.trim_end_matches(' '));
            }
        };
        for gate in &found.network.gates {
            push(&word(gate), &mut text);
        }
        push("=>", &mut text);
        for output in &found.network.outputs {
            push(&word(output), &mut text);
        }
        push("", &mut text);
        text.push('\n');
    }
    text
}

fn word(gate: &Gate) -> String {
    let operands: Vec<String> = gate.operands().iter().map(u16::to_string).collect();
    format!("{:x}:{}", gate.table, operands.join(","))
}
