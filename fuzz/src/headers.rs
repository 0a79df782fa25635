//! The header of a file that is sealed with a passphrase, and what reading one may cost: neither a cipher nor Argon2 runs.

use crate::data::Data;
use crate::within;
use icefish_files::Error;
use icefish_files::formats::openssl;
use icefish_files::formats::passphrase::{Cost, HEADER, Header, Limit, MAGIC, VERSION};
use icefish_files::formats::valve_net;

pub(crate) fn run(bytes: &[u8]) {
    let data = &mut Data::new(bytes);
    match data.below(4) {
        0 => limit(data),
        1 => random(data),
        _ => header(data),
    }
}

/// A number of any size: all sizes are as likely.
fn number(data: &mut Data<'_>) -> u32 {
    let bits = data.below(33);
    (data.word() & ((1 << bits) - 1)) as u32
}

fn cost(data: &mut Data<'_>) -> Cost {
    Cost { memory: number(data), passes: number(data), lanes: number(data) }
}

/// What RFC 9106, section 3.1, allows.
fn allowed(cost: Cost) -> bool {
    let least = 8 * u64::from(cost.lanes);
    (1..1 << 24).contains(&cost.lanes) && cost.passes > 0 && u64::from(cost.memory) >= least
}

/// The first bytes of any file are a header or they are not, and nothing in between.
fn header(data: &mut Data<'_>) {
    let mut bytes = Vec::new();
    match data.below(8) {
        0 => {}
        1 => bytes.extend(openssl::MAGIC),
        2 => bytes.extend(&MAGIC[..data.below(MAGIC.len())]),
        3 => bytes.extend(MAGIC),
        _ => {
            let Cost { memory, passes, lanes } = cost(data);
            bytes.extend(MAGIC);
            bytes.push(VERSION);
            bytes.extend([memory, passes, lanes].map(u32::to_be_bytes).concat());
        }
    }
    bytes.extend(data.rest());
    let known = bytes.starts_with(MAGIC);
    assert_eq!(Header::begins(&bytes), known);
    match within(1000, || Header::parse(&bytes, "name")) {
        Ok(header) => {
            assert!(known && bytes[MAGIC.len()] == VERSION && allowed(header.cost()));
            assert!(header.bytes() == bytes[..HEADER]);
            assert_eq!(header.cost().memory.to_be_bytes(), bytes[8..12]);
            assert_eq!(Header::parse(&header.bytes(), "name").ok(), Some(header));
        }
        Err(Error::NoPassphrase { openssl, .. }) => {
            assert!(!known || bytes.len() < HEADER);
            assert_eq!(openssl, bytes.starts_with(openssl::MAGIC));
        }
        Err(Error::HeaderVersion { got, .. }) => {
            assert!(known && got == bytes[MAGIC.len()] && got != VERSION);
        }
        Err(Error::HeaderCost { .. }) => assert!(known && bytes.len() >= HEADER),
        Err(error) => panic!("{error}"),
    }
}

/// A cost is allowed or not, and a limit refuses it or not. What an error names as enough is enough, and a MiB less is not.
fn limit(data: &mut Data<'_>) {
    let (cost, memory) = (cost(data), u64::from(number(data)) << data.below(20));
    assert_eq!(cost.check().is_ok(), allowed(cost), "{cost:?}");
    let work = u128::from(cost.memory) * u128::from(cost.passes);
    let fits = |memory: u64| {
        u64::from(cost.memory) <= memory && work <= u128::from(memory) * u128::from(Limit::PASSES)
    };
    match (Limit { memory }).check(cost, "name") {
        Ok(()) => assert!(fits(memory), "{cost:?} in {memory}"),
        Err(Error::TooCostly { need, .. }) => {
            assert!(!fits(memory) && fits(need * 1024) && !fits(need * 1024 - 1024), "{cost:?}");
        }
        Err(error) => panic!("{error}"),
    }
}

/// The random bytes before the payload of a game's message fill its last block.
fn random(data: &mut Data<'_>) {
    let (len, choice) = (number(data) as usize, data.byte());
    let random = valve_net::random_len(len, choice);
    assert!((17..=80).contains(&random) && (1 + random + 4 + len).is_multiple_of(8), "{random}");
}
