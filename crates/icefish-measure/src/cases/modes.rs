//! Ciphers in modes, by name as a user asks for them: a message of one block, and a long one.

use std::hint::black_box;

use icefish::Backend;
use icefish::modes::{Mode, Padding};
use icefish::suite::{AnyMode, CIPHERS, CipherInfo};

use super::{Case, Choice, Part, identity};
use crate::identity::Direction;

/// Names that are another name of the same thing, or the same code with more rounds, unless asked for.
const SELDOM: [&str; 7] = ["ice-0", "ice-3", "ice-4", "ice-5", "ice-6", "ice-7", "ice-8"];

pub(super) fn cases(choice: &Choice) -> Vec<Case> {
    let mut cases = Vec::new();
    for cipher in CIPHERS {
        for &(mode_name, mode) in AnyMode::ALL {
            let suite = format!("{}-{mode_name}", cipher.name);
            // Counters of other shapes cost what the usual one does.
            let seldom = SELDOM.contains(&cipher.name) && !choice.names(cipher.name)
                || mode_name.starts_with("ctr") && mode_name != "ctr";
            if !choice.wants(&suite) || seldom && !choice.names(&suite) {
                continue;
            }
            for backend in choice.backends() {
                for direction in [Direction::Encrypt, Direction::Decrypt] {
                    cases.extend(case(choice, cipher, mode, backend, direction));
                }
            }
        }
    }
    cases
}

fn case(
    choice: &Choice,
    cipher: &'static CipherInfo,
    mode: AnyMode,
    backend: Backend,
    direction: Direction,
) -> Option<Case> {
    let short = if cipher.name == "thin-ice" { "ice-0" } else { cipher.name }.replace('-', "");
    let name = format!("{short}_{}_{}_{backend}", mode.name(), direction.short());
    let message = (choice.message / cipher.block).max(1) * cipher.block;
    let suite = format!("{}-{}", cipher.name, mode.name());
    let id = identity(name, &suite, backend, Some(direction), message, 1);
    let run = |len: usize| {
        let key = cipher.key(backend, &choice.data(cipher.key), &[]).ok()?;
        let iv = choice.data(mode.iv_len(cipher.block));
        let mut data = choice.data(len);
        Some(Part::new(1, move |n| {
            for _ in 0..n {
                let crypt = match direction {
                    Direction::Encrypt => icefish::suite::AnyKey::encrypt_in_place,
                    Direction::Decrypt => icefish::suite::AnyKey::decrypt_in_place,
                };
                let _ = black_box(crypt(&key, mode, &iv, Padding::None, &mut data, len));
            }
            black_box(&data);
        }))
    };
    Some(Case { id, latency: Some(run(cipher.block)?), throughput: Some(run(message)?) })
}
