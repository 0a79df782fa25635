//! What is built on Xoodoo: Xoodyak and Xoofff.

use std::hint::black_box;

use icefish::Backend;
use icefish::aead::{Aead, Xoodyak};
use icefish::constructions::xoodyak;
use icefish::constructions::xoofff::{Wbc, Xoofff};
use icefish::isa::Extension;

use super::{Case, Choice, Part, identity};

/// Bytes of what counts as short.
const SHORT: usize = 32;

/// Something done to bytes.
type Job = Box<dyn FnMut(&mut [u8])>;
type MakeJob = fn(Backend) -> Option<Job>;

pub(super) fn cases(choice: &Choice) -> Vec<Case> {
    let mut cases = Vec::new();
    for backend in choice.backends() {
        if !super::gains(backend, Extension::None) && choice.backend.is_none() {
            continue;
        }
        for (primitive, job) in JOBS {
            if choice.wants(primitive) {
                cases.extend(case(choice, primitive, backend, *job));
            }
        }
        if choice.wants("xoodyak_hash") {
            cases.push(many(choice, backend));
        }
    }
    cases
}

const JOBS: &[(&str, MakeJob)] = &[
    ("xoodyak_hash", hash),
    ("xoodyak_seal", seal),
    ("xoofff_compress", compress),
    ("xoofff_expand", expand),
    ("xoofff_wbc", wide_block),
];

/// Latency is that of a short message, throughput of a long one.
fn case(choice: &Choice, primitive: &str, backend: Backend, job: MakeJob) -> Option<Case> {
    let part = |len: usize| {
        let (mut job, mut data) = (job(backend)?, choice.data(len));
        Some(Part::new(1, move |n| {
            for _ in 0..n {
                job(black_box(&mut data));
            }
        }))
    };
    let name = format!("{primitive}_{backend}");
    let id = identity(name, primitive, backend, None, choice.message, 1);
    Some(Case { id, latency: Some(part(SHORT)?), throughput: Some(part(choice.message)?) })
}

fn hash(backend: Backend) -> Option<Job> {
    // Into the message: each hash waits for the one before.
    Some(Box::new(move |data| {
        let mut digest = [0; 32];
        xoodyak::hash(backend, data, &mut digest);
        let len = data.len().min(digest.len());
        data[..len].copy_from_slice(&digest[..len]);
    }))
}

fn seal(backend: Backend) -> Option<Job> {
    let key = Xoodyak::on(backend, &[7; 16]).ok()?;
    Some(Box::new(move |data| {
        let _ = black_box(key.seal_in_place(&[1; 16], &[], data));
    }))
}

fn compress(backend: Backend) -> Option<Job> {
    let mut history = Xoofff::on(backend, &[7; 32]).ok()?.history();
    Some(Box::new(move |data| history.push(data)))
}

fn expand(backend: Backend) -> Option<Job> {
    let mut output = Xoofff::on(backend, &[7; 32]).ok()?.history().output();
    Some(Box::new(move |data| output.fill(data)))
}

fn wide_block(backend: Backend) -> Option<Job> {
    let wbc = Wbc::new(&Xoofff::on(backend, &[7; 32]).ok()?);
    Some(Box::new(move |data| {
        let _ = wbc.encipher(&[1; 16], data);
    }))
}

/// 16 messages at once.
fn many(choice: &Choice, backend: Backend) -> Case {
    const COUNT: usize = 16;
    let primitive = "xoodyak_hash";
    let name = format!("{primitive}_{backend}_many{COUNT}");
    let id = identity(name, primitive, backend, None, choice.message, COUNT);
    let data = choice.data(COUNT * choice.message);
    let mut digests = [[0; 32]; COUNT];
    let throughput = Part::new(COUNT, move |n| {
        for _ in 0..n {
            let messages: Vec<&[u8]> = data.chunks(data.len() / COUNT).take(COUNT).collect();
            let _ = xoodyak::hash_many(backend, &messages, &mut digests);
        }
        black_box(&digests);
    });
    Case { id, latency: None, throughput: Some(throughput) }
}
