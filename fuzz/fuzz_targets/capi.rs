//! Fuzzes the target `capi`.
#![no_main]

libfuzzer_sys::fuzz_target!(init: icefish_fuzz::list(), |data: &[u8]| icefish_fuzz::capi(data));
