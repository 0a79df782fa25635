//! Fuzzes the target `open`.
#![no_main]

libfuzzer_sys::fuzz_target!(init: icefish_fuzz::list(), |data: &[u8]| icefish_fuzz::open(data));
