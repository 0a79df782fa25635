//! Command line of the generator; see the library's documentation.

use ice_sbox::anneal::{Annealing, depth};
use ice_sbox::emit::{file_name, source};
use ice_sbox::network::Network;
use ice_sbox::plan::{committed, parse, path, print};
use ice_sbox::schedule::pressure;
use ice_sbox::search::{Effort, Kind, finish, operations, search, small_power};
use std::path::Path;

const USAGE: &str = "usage: ice-sbox --write DIR | --report | --search [SEED [three|two [SBOX]]] \
                     | --anneal SEED LEVEL HEAT STEPS three|two SBOX";

const EFFORT: Effort = Effort { powers: 8, minima: 100, assembled: 12, steps: 3000, rounds: 40 };

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["--write", directory] => write(Path::new(directory)),
        ["--report"] => {
            report();
            Ok(())
        }
        ["--search", ref rest @ ..] => search_all(rest),
        ["--anneal", seed, level, heat, steps, kind @ ("three" | "two"), sbox] => {
            let price = |text: &str| text.parse().expect("a number");
            let count = |text: &str| text.parse::<usize>().expect("a whole number");
            let annealing =
                Annealing { level: price(level), heat: price(heat), steps: count(steps) };
            let kind = if kind == "three" { Kind::Three } else { Kind::Two };
            anneal(annealing, count(seed) as u64, kind, count(sbox))
        }
        _ => {
            eprintln!("{USAGE}");
            std::process::exit(2);
        }
    }
}

fn write(directory: &Path) -> std::io::Result<()> {
    for kind in [Kind::Three, Kind::Two] {
        std::fs::write(directory.join(file_name(kind)), source(kind, &committed(kind)))?;
    }
    Ok(())
}

fn report() {
    for kind in [Kind::Three, Kind::Two] {
        for (number, found) in committed(kind).iter().enumerate() {
            let pressure = pressure(&found.network, kind.registers());
            println!(
                "{kind:?} sbox {number}: {} operations, {} deep, at most {} live values",
                operations(&found.network),
                depth(&found.network),
                pressure.live
            );
        }
    }
}

/// What makes a network better: fewer operations, and fewer one after the other.
fn price(network: &Network) -> usize {
    operations(network) + depth(network)
}

/// Searches, and keeps what is better than what is committed.
fn search_all(arguments: &[&str]) -> std::io::Result<()> {
    let seed = arguments.first().map_or(1, |seed| seed.parse().expect("a number"));
    let only_kind = arguments.get(1);
    let only_sbox: Option<usize> = arguments.get(2).map(|sbox| sbox.parse().expect("a number"));
    for (kind, word) in [(Kind::Three, "three"), (Kind::Two, "two")] {
        if only_kind.is_some_and(|only| *only != word) {
            continue;
        }
        let power = small_power(kind, seed, &EFFORT);
        eprintln!("{word}: {} operations for the power alone", power.gates.len());
        for sbox in 0..4 {
            if only_sbox.is_some_and(|only| only != sbox) {
                continue;
            }
            let found = search((kind, sbox), &power, seed, &EFFORT, &|line| {
                eprintln!("{word} {sbox}: {line}")
            });
            let mut results = parse(&std::fs::read_to_string(path(kind))?);
            match results.get_mut(sbox) {
                Some(old) if price(&old.network) <= price(&found.network) => continue,
                Some(old) => *old = found,
                None => results.push(found),
            }
            std::fs::write(path(kind), print(&results))?;
        }
    }
    Ok(())
}

/// Anneals what is committed, and keeps it.
fn anneal(annealing: Annealing, seed: u64, kind: Kind, sbox: usize) -> std::io::Result<()> {
    let mut results = parse(&std::fs::read_to_string(path(kind))?);
    let found = results.get_mut(sbox).expect("an S-box");
    let network = annealing.run::<5>(&found.network, kind.arity(), seed);
    found.network = finish(kind, &network, seed);
    eprintln!("{} operations, {} deep", operations(&found.network), depth(&found.network));
    std::fs::write(path(kind), print(&results))
}
