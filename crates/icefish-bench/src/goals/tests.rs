use super::*;
use crate::identity::OURS;
use crate::samples;

/// A row of `kind` with `bytes`, which takes so many ns.
fn row(peer: &str, kind: Kind, bytes: u64, ns: f64) -> Row {
    let mut row = samples::row("a", peer, bytes, ns, ns);
    row.id.kind = kind;
    if kind == Kind::Latency { row.with_throughput(None) } else { row.with_latency(None) }
}

fn pair(kind: Kind, ours: f64, peer: f64) -> Vec<Row> {
    vec![row(OURS, kind, 16, ours), row("peer", kind, 16, peer)]
}

fn named(goals: &[Goal], against: Against) -> Goal {
    let mut found = goals.iter().filter(|goal| goal.against == against);
    let goal = found.next().cloned().unwrap();
    assert_eq!(found.next(), None);
    goal
}

#[test]
fn every_contest_with_a_peer_is_a_goal() {
    let mut rows = pair(Kind::Latency, 10.0, 12.0);
    rows.extend(pair(Kind::Sizes, 10.0, 9.0));
    rows.push(row(OURS, Kind::Throughput, 16, 10.0));
    let goals = goals(&[rows]);
    let told: Vec<_> = goals
        .iter()
        .map(|g| (g.contest.as_str(), g.worst(), g.verdict(), g.other.as_str()))
        .collect();
    let expected = [
        ("prim (latency, 16 B)", 1.2, Verdict::Met, "peer 0.1.0"),
        ("prim (sizes, 16 B)", 0.9, Verdict::Missed, "peer 0.1.0"),
    ];
    assert_eq!(told, expected);
}

/// Two per cent are noise in one run, and nothing in three that all have them.
#[test]
fn noise_is_noise_until_the_third_run() {
    let runs = |ratios: &[f64]| -> Vec<Vec<Row>> {
        ratios.iter().map(|ratio| pair(Kind::Sizes, 100.0, 100.0 * ratio)).collect()
    };
    let verdict = |ratios: &[f64]| named(&goals(&runs(ratios)), Against::Peer).verdict();
    assert_eq!(verdict(&[1.0]), Verdict::Met);
    assert_eq!(verdict(&[0.99]), Verdict::WithinNoise);
    assert_eq!(verdict(&[0.97]), Verdict::Missed);
    assert_eq!(verdict(&[0.99, 1.1]), Verdict::WithinNoise);
    assert_eq!(verdict(&[0.985, 0.985, 0.99]), Verdict::Met);
    assert_eq!(verdict(&[1.1, 0.97, 1.2]), Verdict::Missed);
    assert_eq!(named(&goals(&runs(&[1.1, 0.97, 1.2])), Against::Peer).worst(), 0.97);
}

/// At 3 GHz, 10 ns for 16 bytes are 1.875 cycles a byte.
#[test]
fn floors_are_goals_and_calls_have_sharper_ones() {
    let floored = |kind, bytes, floor: f64| {
        let rows = vec![row(OURS, kind, bytes, 10.0).with_floor(Some(floor * 30.0 / bytes as f64))];
        let goal = named(&goals(&[rows]), Against::Floor);
        (goal.least, goal.verdict())
    };
    assert_eq!(floored(Kind::Throughput, 16, 0.7), (FLOOR, Verdict::Met));
    assert_eq!(floored(Kind::Throughput, 16, 0.6), (FLOOR, Verdict::Missed));
    assert_eq!(floored(Kind::Calls, 16, 0.88), (KERNEL_OF_ONE, Verdict::Met));
    assert_eq!(floored(Kind::Calls, 128, 0.88), (KERNEL, Verdict::Missed));
}

#[test]
fn memory_is_held_against_the_same_backend_in_cache() {
    let mut rows = vec![row(OURS, Kind::Throughput, 16, 8.0), row(OURS, Kind::Throughput, 16, 5.0)];
    rows[1].id.backend = "other".into();
    rows.push(row(OURS, Kind::Memory, 1 << 20, 65_536.0 * 10.0));
    let goal = named(&goals(&[rows.clone()]), Against::Cache);
    assert!((goal.worst() - 0.8).abs() < 1e-9 && goal.verdict() == Verdict::Missed, "{goal:?}");
    assert!(goals(&[rows.split_off(2)]).is_empty());
}

#[test]
fn what_is_not_reached_is_listed_worst_first() {
    let mut rows = pair(Kind::Latency, 10.0, 9.9);
    rows.extend(pair(Kind::Sizes, 10.0, 5.0));
    rows.extend(pair(Kind::Memory, 10.0, 20.0));
    let text = markdown(&goals(&[rows]));
    let expected = "\
Against the best peer: 1 of 3 rows reach their goal, 1 more within noise; 1 do not. The mean of the rows' worst is 0.997.

| row | against | goal | reached | of the goal | |
|---|---|--:|--:|--:|---|
| prim (sizes, 16 B) | peer 0.1.0 | 1.00 | 0.500 | 50 % |  |
| prim (latency, 16 B) | peer 0.1.0 | 1.00 | 0.990 | 99 % | within noise |
";
    assert_eq!(text, expected);
    assert_eq!(markdown(&[]), "");
}
