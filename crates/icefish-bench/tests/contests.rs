//! Every contest: all backends and all peers of this build compute the same. Here and not beside the source: the kernels of all
//! contests would be compiled once more.

#![cfg(feature = "ours")]

use icefish::Backend;
use icefish::isa::Instructions;
use icefish_bench::clock::Clock;
use icefish_bench::code;
use icefish_bench::contest::{Contest, SIZES, contests, group, rows};
use icefish_bench::identity::Kind;
use icefish_bench::measure::Settings;
use icefish_bench::ours;
use icefish_bench::peers::{self, Direction, Mode, Operation, Setup};
use icefish_measure::samples::machine;

fn named(filters: &[&str]) -> Vec<Contest> {
    contests(&filters.iter().map(|&f| f.to_owned()).collect::<Vec<_>>())
}

#[test]
fn no_contest_is_held_twice() {
    let all = contests(&[]);
    for (i, contest) in all.iter().enumerate() {
        assert!(!all[..i].contains(contest), "{contest}");
    }
}

#[test]
fn filters_ignore_dashes_and_know_kinds() {
    assert!(named(&["no such thing"]).is_empty());
    let sizes = named(&["aes-128-ctr"]);
    assert_eq!(sizes, named(&["AES128_CTR"]));
    assert_eq!(sizes.iter().filter(|c| c.kind == Kind::Sizes).count(), SIZES.len());
    assert!(named(&["latency"]).iter().all(|c| c.kind == Kind::Latency));
    assert!(named(&["thin-ice"]).iter().all(|c| c.operation.to_string().starts_with("ice0")));
}

#[test]
fn buffers_are_whole_blocks_and_whole_operations() {
    for contest in contests(&[]) {
        let granule = contest.operation.lengths().granule;
        assert!(contest.messages.iter().all(|bytes| bytes % granule == 0 && *bytes > 0));
        if contest.kind != Kind::Many {
            assert_eq!(
                contest.operations() as usize * contest.bytes(),
                contest.buffer(),
                "{contest}"
            );
        }
    }
    let throughput = named(&["xoodoo12"]).into_iter().find(|c| c.kind == Kind::Throughput);
    assert_eq!(throughput.map(|c| (c.buffer(), c.operations())), Some((16_128, 336)));
}

/// Our entries exist for every contest, on every backend that has something to add.
#[test]
fn we_take_part_in_everything() {
    let backends: Vec<Backend> = Backend::available().collect();
    for contest in contests(&[]) {
        let group = group(&contest, &backends, &[]);
        assert!(!group.entries.is_empty(), "{contest}");
        assert_eq!(group.entries.len(), contest.entries_of_ours(&backends), "{contest}");
        for entry in &group.entries {
            assert!(entry.id.is_ours() && entry.id.bytes == contest.bytes() as u64);
            assert_eq!(entry.id.kind, contest.kind);
        }
    }
}

/// What a run would refuse to measure: all backends and all peers of this build compute the same.
#[test]
fn all_sides_agree() {
    let backends: Vec<Backend> = Backend::available().collect();
    let peers = peers::peers();
    // The long ones take the same paths as shorter ones.
    for contest in contests(&[]).iter().filter(|c| c.buffer() <= 80_000) {
        let mut group = group(contest, &backends, &peers);
        assert_eq!(group.verify().as_ref(), Ok(&group.entries.len()), "{contest}");
    }
}

/// One call for many messages, or on all cores, does what a call for each message does.
#[test]
fn calls_for_many_are_calls_for_one() {
    let bytes: Vec<u8> = (0..=255).collect();
    let painted = |len| bytes[..251].iter().copied().cycle().take(len).collect::<Vec<u8>>();
    let lengths = [16, 160, 32, 4096, 64];
    for operation in [
        Operation::Aes { bits: 128, mode: Mode::Cbc, direction: Direction::Encrypt },
        Operation::Aes { bits: 256, mode: Mode::Cfb128, direction: Direction::Encrypt },
        Operation::Ice { level: 0, direction: Direction::Encrypt },
        Operation::Ice { level: 2, direction: Direction::Decrypt },
    ] {
        let needs = operation.lengths();
        let (key, iv) = (&bytes[..needs.key], &bytes[..needs.iv]);
        let setup = Setup { key, iv, tweak: &[] };
        for backend in Backend::available() {
            let mut one = ours::one(operation, backend, &setup).expect("the set-up fits");
            let mut many =
                ours::many(operation, backend, &setup, lengths.to_vec()).expect("it has");
            let (mut expected, mut got) = (painted(4368), painted(4368));
            let mut rest = &mut expected[..];
            for len in lengths {
                let (message, later) = rest.split_at_mut(len);
                one.run(message);
                rest = later;
            }
            many.run(&mut got);
            assert!(expected == got, "{operation}, {backend}");
            if let Some(mut threads) = ours::threads(operation, backend, &setup) {
                let (mut expected, mut got) = (painted(300_000), painted(300_000));
                one.run(&mut expected);
                threads.run(&mut got);
                assert!(expected == got, "{operation}, {backend}");
            }
        }
    }
}

/// Set-ups of other lengths are refused, not measured.
#[test]
fn wrong_lengths_make_nothing() {
    let long = [0; 200];
    for contest in contests(&[]) {
        let setup = Setup { key: &long, iv: &long, tweak: &long };
        let backend = Backend::best();
        assert!(ours::one(contest.operation, backend, &setup).is_none());
        assert!(ours::many(contest.operation, backend, &setup, vec![16]).is_none());
        assert!(ours::threads(contest.operation, backend, &setup).is_none());
    }
}

/// What a call ends in is its floor.
#[test]
fn calls_are_held_against_their_kernel() {
    let settings = Settings::quick().with_budget(std::time::Duration::ZERO);
    let mut clock = Clock::new();
    let contest = named(&["aes128_cbc_enc"]).into_iter().find(|c| c.kind == Kind::Calls).unwrap();
    let group = group(&contest, &[Backend::best()], &[]);
    let rows = rows(&contest, group, &machine(), &mut clock, &settings, &mut |_| {});
    let primitives: Vec<&str> = rows.iter().map(|row| row.id.primitive.as_str()).collect();
    // A clock that never stands still costs a row.
    if let [typed, named, kernel] = &rows[..] {
        assert_eq!(primitives, ["aes-128-cbc", "aes-128-cbc by name", "aes-128-cbc kernel"]);
        for row in [typed, named, kernel] {
            assert_eq!(row.floor_cpb, kernel.cycles_per_byte());
        }
    }
}

/// AES without AES instructions is measured beside nobody who has them.
#[test]
fn software_from_memory_is_alone() {
    let backends: Vec<Backend> = Backend::available().collect();
    let memory = named(&["memory"]);
    let aes = memory.iter().find(|c| c.software).unwrap();
    let group = group(aes, &backends, &peers::peers());
    assert!(!group.entries.is_empty());
    for entry in &group.entries {
        let instructions = Instructions::of(&entry.id.backend);
        assert!(entry.id.is_ours() && instructions.is_some_and(|instructions| !instructions.aes));
    }
    let settings = memory.iter().map(|contest| contest.settings(&Settings::full()));
    assert!(settings.into_iter().all(|s| s.enough == s.rounds));
}

#[test]
fn a_measurement_gives_a_row_for_each_side() {
    let settings = Settings::quick().with_budget(std::time::Duration::ZERO);
    let mut clock = Clock::new();
    let contest = named(&["xoodoo12"]).remove(0);
    let backends = [Backend::best()];
    let machine = machine();
    let group = group(&contest, &backends, &peers::peers());
    let rows = rows(&contest, group, &machine, &mut clock, &settings, &mut |_| {});
    // A clock that never stands still costs a row, not the run.
    for row in rows {
        assert_eq!(row.id.primitive, "xoodoo");
        assert!(row.throughput.is_some() && row.latency.is_none());
    }
}

/// The program of these tests has the kernels of all contests. Without symbols it is refused.
#[test]
fn machine_code_is_added_up() {
    let rows = match code::rows(&std::env::current_exe().unwrap(), &machine()) {
        Ok(rows) => rows,
        Err(error) => {
            return assert!(error.to_string().contains("symbols name no cipher"), "{error}");
        }
    };
    let all = &rows[0].id;
    assert!(all.primitive.starts_with("program"), "{}", all.primitive);
    for kind in ["backend", "cipher", "mode", "construction"] {
        let parts = || rows.iter().map(|row| &row.id).filter(|id| id.primitive.starts_with(kind));
        assert!(parts().count() > 1, "{kind}");
        assert!(parts().all(|id| (1..all.bytes).contains(&id.bytes)), "{kind}");
    }
    for id in rows.iter().map(|row| &row.id).filter(|id| id.primitive.starts_with("backend")) {
        assert!(Backend::NAMES.contains(&id.backend.as_str()), "{}", id.backend);
    }
}
