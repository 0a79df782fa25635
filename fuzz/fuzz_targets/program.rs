//! Fuzzes the target `program`.
#![no_main]

libfuzzer_sys::fuzz_target!(init: icefish_fuzz::list(), |data: &[u8]| icefish_fuzz::program(data));
