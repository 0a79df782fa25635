//! No real time passes in these tests: the work moves the hands of a made-up clock.

use std::cell::{Cell, RefCell};

use super::*;
use crate::samples::identity;

#[derive(Default)]
struct World {
    now: Cell<f64>,
    order: RefCell<Vec<char>>,
}

impl World {
    fn pass(&self, ns: f64) {
        self.now.set(self.now.get() + ns);
    }

    /// Work that takes `ns` an iteration.
    fn entry<'a>(&'a self, name: char, operations: u64, ns: f64) -> Entry<'a> {
        Entry::new(identity(&name.to_string()), operations, move |n| {
            self.pass(n as f64 * ns);
            let mut order = self.order.borrow_mut();
            if order.last() != Some(&name) {
                order.push(name);
            }
        })
    }
}

/// Calibrates in 130 µs of made-up time, to the frequency that a function of the time says. Zero is a disturbed calibration.
struct Fake<'a, F: FnMut(f64) -> f64> {
    world: &'a World,
    ghz: F,
}

impl<F: FnMut(f64) -> f64> Timebase for Fake<'_, F> {
    fn now_ns(&mut self) -> f64 {
        self.world.now.get()
    }

    fn ghz(&mut self) -> f64 {
        self.world.pass(130_000.0);
        (self.ghz)(self.world.now.get())
    }

    fn undisturbed_ghz(&mut self) -> Option<f64> {
        Some(self.ghz()).filter(|ghz| *ghz > 0.0)
    }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9 * b.abs()
}

#[test]
fn figures_are_for_one_operation_at_the_measured_clock() {
    let world = World::default();
    let mut group =
        Group::new("g").with(world.entry('a', 8, 80.0)).with(world.entry('b', 1, 100.0));
    let mut time = Fake { world: &world, ghz: |_| 3.0 };
    let results = measure(&mut group, &mut time, &Settings::quick(), &mut |_| {});
    let [Ok(a), Ok(b)] = &results[..] else { panic!("{results:?}") };
    assert!(close(a.ns.low, 10.0) && close(a.ns.median, 10.0), "{a:?}");
    assert!(close(a.cycles.low, 30.0) && close(a.cycles.median, 30.0), "{a:?}");
    assert!(close(b.ns.low, 100.0) && close(b.cycles.median, 300.0), "{b:?}");
    assert!(close(a.clock_ghz, 3.0));
    assert_eq!((a.dropped, b.dropped), (0, 0));
    assert!(a.kept >= Settings::quick().enough);
}

#[test]
fn entries_take_turns_within_the_budget() {
    let world = World::default();
    let mut group = Group::new("g");
    for name in ['a', 'b', 'c'] {
        group = group.with(world.entry(name, 1, 50.0));
    }
    let settings = Settings::full();
    let mut seen = Vec::new();
    let mut time = Fake { world: &world, ghz: |_| 2.5 };
    let start = world.now.get();
    measure(&mut group, &mut time, &settings, &mut |p| {
        assert_eq!(p.group, "g");
        assert!((0.0..=1.0).contains(&p.fraction));
        seen.push(p.entry.to_owned());
    });
    let order = world.order.borrow();
    assert!(order.len() > 30);
    assert!(order.chunks(3).all(|turn| turn == ['a', 'b', 'c']), "{order:?}");
    // The first turn finds the iteration counts; each later one is a slice with a report.
    assert_eq!(seen.len(), order.len() - 3);
    // So much for each of the three.
    let used = (world.now.get() - start) / 3.0;
    assert!((1e8..1.1e8).contains(&used), "{used}");
}

/// The time of one that is far behind its side's best; the other side's best does not matter.
#[test]
fn who_is_far_behind_has_no_more_than_it_must() {
    let settings = Settings::full();
    let slices = |costs: [f64; 3]| {
        let world = World::default();
        let mut group = Group::new("g");
        for (name, ns) in ['a', 'b', 'p'].into_iter().zip(costs) {
            group = group.with(world.entry(name, 1, ns));
        }
        group.entries[2].id.peer = "peer".into();
        let mut time = Fake { world: &world, ghz: |_| 3.0 };
        let results = measure(&mut group, &mut time, &settings, &mut |_| {});
        results.into_iter().map(|result| result.unwrap().kept / settings.slice_samples).collect()
    };
    let all: Vec<u32> = slices([100.0, 110.0, 900.0]);
    assert!(all.iter().all(|slices| *slices > 20), "{all:?}");
    let one_behind: Vec<u32> = slices([100.0, 150.0, 20.0]);
    assert!(one_behind[0] > 20 && one_behind[2] > 20, "{one_behind:?}");
    assert_eq!(one_behind[1], settings.rounds);
}

#[test]
fn samples_with_a_changing_clock_are_dropped() {
    let world = World::default();
    let mut group = Group::new("g").with(world.entry('a', 1, 100.0));
    // Each calibration in three finds a clock 10 % lower: two samples of three have it on one side.
    let mut calls = 0;
    let ghz = |_| {
        calls += 1;
        if calls % 3 == 0 { 2.7 } else { 3.0 }
    };
    let mut time = Fake { world: &world, ghz };
    let results = measure(&mut group, &mut time, &Settings::quick(), &mut |_| {});
    let metric = results[0].as_ref().unwrap();
    assert!(metric.dropped > metric.kept, "{metric:?}");
    assert!(close(metric.cycles.low, 300.0) && close(metric.cycles.median, 300.0), "{metric:?}");
}

#[test]
fn samples_beside_a_disturbed_calibration_are_dropped() {
    let world = World::default();
    let mut group = Group::new("g").with(world.entry('a', 1, 100.0));
    let mut calls = 0;
    let ghz = |_| {
        calls += 1;
        if calls % 3 == 0 { 0.0 } else { 3.0 }
    };
    let mut time = Fake { world: &world, ghz };
    let results = measure(&mut group, &mut time, &Settings::quick(), &mut |_| {});
    let metric = results[0].as_ref().unwrap();
    assert!(metric.dropped > metric.kept && metric.kept >= 6, "{metric:?}");
    assert!(close(metric.cycles.low, 300.0) && close(metric.clock_ghz, 3.0), "{metric:?}");
}

#[test]
fn a_clock_that_never_holds_gives_no_figure_and_ends() {
    let world = World::default();
    let mut group = Group::new("g").with(world.entry('a', 1, 100.0));
    let mut high = false;
    let ghz = |_| {
        high = !high;
        if high { 3.0 } else { 2.0 }
    };
    let settings = Settings::quick();
    let results = measure(&mut group, &mut Fake { world: &world, ghz }, &settings, &mut |_| {});
    assert!(matches!(results[..], [Err(Unsteady { dropped })] if dropped > 0), "{results:?}");
    // A slice may begin just before the end; it is shorter than the budget.
    assert!(world.now.get() < (PATIENCE + 1.0) * ns(settings.budget));
}

#[test]
fn of_two_clocks_that_agree_the_higher_counts() {
    let world = World::default();
    let mut group = Group::new("g").with(world.entry('a', 1, 100.0));
    let mut high = false;
    let ghz = |_| {
        high = !high;
        if high { 3.03 } else { 3.0 }
    };
    let results =
        measure(&mut group, &mut Fake { world: &world, ghz }, &Settings::quick(), &mut |_| {});
    let metric = results[0].as_ref().unwrap();
    assert_eq!(metric.dropped, 0);
    assert!(close(metric.cycles.low, 303.0), "{metric:?}");
}

#[test]
fn slow_work_runs_once_a_sample_and_still_gets_its_rounds() {
    let world = World::default();
    let mut group = Group::new("g").with(world.entry('a', 1, 4e8)).with(world.entry('b', 1, 10.0));
    let settings = Settings::quick();
    let mut slices = 0;
    let mut time = Fake { world: &world, ghz: |_| 3.0 };
    let results = measure(&mut group, &mut time, &settings, &mut |_| slices += 1);
    let metric = results[0].as_ref().unwrap();
    assert!(close(metric.ns.low, 4e8));
    assert_eq!(metric.kept, settings.rounds);
    // The other one has its time, in slices of some 3 ms.
    assert!((settings.rounds + 3..settings.rounds + 8).contains(&slices), "{slices}");
}

#[test]
fn iterations_fill_a_sample() {
    let world = World::default();
    let mut time = Fake { world: &world, ghz: |_| 3.0 };
    for (cost, expected) in [(1.0, 150_000), (100.0, 1500), (150_000.0, 1), (1e9, 1)] {
        let (n, took) = iterations(&mut world.entry('a', 1, cost), &mut time, 150_000.0);
        assert_eq!(n, expected);
        assert!(close(took, n as f64 * cost));
    }
}

#[test]
fn an_interrupted_run_does_not_count() {
    let world = World::default();
    let mut time = Fake { world: &world, ghz: |_| 3.0 };
    let mut runs = 0;
    let mut entry = Entry::new(identity("a"), 1, |n| {
        runs += 1;
        world.pass(10.0 * n as f64 + if runs == 2 { 50_000.0 } else { 0.0 });
    });
    assert_eq!(iterations(&mut entry, &mut time, 150_000.0).0, 15_000);
}

#[test]
fn work_without_cost_does_not_hang() {
    let world = World::default();
    let mut time = Fake { world: &world, ghz: |_| 3.0 };
    let (n, _) = iterations(&mut world.entry('a', 1, 0.0), &mut time, 150_000.0);
    assert!(n >= 1 << 40);
}

#[test]
fn an_empty_group_has_no_results() {
    let world = World::default();
    let mut time = Fake { world: &world, ghz: |_| 3.0 };
    assert!(measure(&mut Group::new("g"), &mut time, &Settings::quick(), &mut |_| {}).is_empty());
}
