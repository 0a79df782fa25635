//! Fuzzes the target `calls`.
#![no_main]

libfuzzer_sys::fuzz_target!(init: icefish_fuzz::list(), |data: &[u8]| icefish_fuzz::calls(data));
