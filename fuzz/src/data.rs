//! What a target reads from its data. Data that has ended goes on with zeros, so that every input is a case.

use arbitrary::Unstructured;
use icefish::Backend;
use std::sync::OnceLock;

/// The data of one execution.
pub(crate) struct Data<'a>(Unstructured<'a>);

/// The backends to run: all of this CPU, or the one that `ICEFISH_BACKEND` names.
pub(crate) fn backends() -> &'static [Backend] {
    static BACKENDS: OnceLock<Vec<Backend>> = OnceLock::new();
    BACKENDS.get_or_init(|| match std::env::var("ICEFISH_BACKEND") {
        Ok(name) if !name.is_empty() => {
            vec![Backend::by_name(&name).expect("ICEFISH_BACKEND names a backend of this CPU")]
        }
        _ => Backend::available().collect(),
    })
}

impl<'a> Data<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(Unstructured::new(bytes))
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.0.arbitrary().unwrap_or(0)
    }

    pub(crate) fn bit(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0.arbitrary().unwrap_or(0)
    }

    /// A number below `n`, which is not 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0.int_in_range(0..=n - 1).unwrap_or(0)
    }

    pub(crate) fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }

    pub(crate) fn backend(&mut self) -> Backend {
        *self.pick(backends())
    }

    pub(crate) fn ended(&self) -> bool {
        self.0.is_empty()
    }

    /// Up to `most` bytes of the data itself.
    pub(crate) fn raw(&mut self, most: usize) -> Vec<u8> {
        let len = self.below(most + 1).min(self.0.len());
        self.0.bytes(len).unwrap_or_default().to_vec()
    }

    /// All that is left of the data.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        let len = self.0.len();
        self.0.bytes(len).unwrap_or_default().to_vec()
    }

    /// `len` bytes that look random, so that long messages need little data (SplitMix64, from a seed of two bytes).
    pub(crate) fn text(&mut self, len: usize) -> Vec<u8> {
        let mut state: u64 = self.0.arbitrary::<u16>().unwrap_or(0).into();
        let mut word = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (z ^ (z >> 31)).to_le_bytes()
        };
        let mut bytes = Vec::with_capacity(len + 8);
        while bytes.len() < len {
            bytes.extend(word());
        }
        bytes.truncate(len);
        bytes
    }

    /// A length up to `most`: in half of the cases up to `few`.
    pub(crate) fn len(&mut self, few: usize, most: usize) -> usize {
        let most = if self.bit() { few } else { most };
        self.below(most + 1)
    }

    /// `bytes` in pieces, up to eight.
    pub(crate) fn pieces<'b>(&mut self, mut bytes: &'b [u8]) -> Vec<&'b [u8]> {
        let mut pieces = Vec::new();
        for _ in 0..self.below(8) {
            let (now, rest) = bytes.split_at(self.below(bytes.len() + 1));
            pieces.push(now);
            bytes = rest;
        }
        pieces.push(bytes);
        pieces
    }

    /// Changes `bytes`, or leaves them as they are; whether they are others now.
    pub(crate) fn change(&mut self, bytes: &mut Vec<u8>) -> bool {
        let before = bytes.clone();
        match self.below(6) {
            1 if !bytes.is_empty() => {
                let at = self.below(bytes.len());
                bytes[at] ^= self.byte();
            }
            2 => bytes.truncate(self.below(before.len() + 1)),
            3 => bytes.extend(self.raw(40)),
            4 => {
                bytes.drain(..self.below(before.len() + 1));
            }
            5 if !bytes.is_empty() => {
                let (a, b) = (self.below(bytes.len()), self.below(bytes.len()));
                bytes.swap(a, b);
            }
            _ => {}
        }
        *bytes != before
    }
}

/// A buffer with guard bytes around the place that is used.
pub(crate) struct Guarded {
    bytes: Vec<u8>,
    at: usize,
    len: usize,
}

impl Guarded {
    const GUARD: u8 = 0xa5;
    const AFTER: usize = 70;

    /// `inside`, at an offset of up to 63.
    pub(crate) fn new(data: &mut Data<'_>, inside: &[u8]) -> Self {
        let (at, len) = (data.below(64), inside.len());
        let mut bytes = vec![Self::GUARD; at + len + Self::AFTER];
        bytes[at..at + len].copy_from_slice(inside);
        Self { bytes, at, len }
    }

    pub(crate) fn inside(&mut self) -> &mut [u8] {
        &mut self.bytes[self.at..self.at + self.len]
    }

    /// What is inside, if nothing was written around it.
    pub(crate) fn into_inside(mut self) -> Vec<u8> {
        let (before, rest) = self.bytes.split_at(self.at);
        let around = before.iter().chain(&rest[self.len..]);
        assert!(
            around.into_iter().all(|&byte| byte == Self::GUARD),
            "written outside of the buffer"
        );
        self.bytes.drain(..self.at);
        self.bytes.truncate(self.len);
        self.bytes
    }
}
