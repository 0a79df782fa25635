//! The fuzzer: libFuzzer with the target that `ICEFISH_FUZZ` names. `targets` and `backends` list what there is.
#![no_main]

use icefish_fuzz::{TARGETS, Target};
use std::sync::OnceLock;

static TARGET: OnceLock<Target> = OnceLock::new();

fn choose() {
    let name = std::env::var("ICEFISH_FUZZ").unwrap_or_default();
    match name.as_str() {
        "targets" => TARGETS.iter().for_each(|(name, _)| println!("{name}")),
        "backends" => icefish::Backend::available().for_each(|b| println!("{}", b.name())),
        _ => {
            let found = TARGETS.iter().find(|(target, _)| *target == name);
            let (_, target) = found.expect("ICEFISH_FUZZ is the name of a target");
            let _ = TARGET.set(*target);
            return;
        }
    }
    std::process::exit(0);
}

libfuzzer_sys::fuzz_target!(init: choose(), |data: &[u8]| {
    if let Some(target) = TARGET.get() {
        target(data);
    }
});
