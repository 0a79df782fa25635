//! Fuzzes the target `headers`.
#![no_main]

libfuzzer_sys::fuzz_target!(init: icefish_fuzz::list(), |data: &[u8]| icefish_fuzz::headers(data));
