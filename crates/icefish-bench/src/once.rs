//! `icefish-bench once`.

use std::hint::black_box;
use std::process::ExitCode;

use icefish::Backend;
use icefish_bench::ours;
use icefish_bench::peers::{Operation, Setup};

/// Calls one kernel between two calls of a function that a debugger finds by name: for tools/stalled-loads.
#[derive(clap::Args)]
#[command(after_help = "Example: icefish-bench once aes128_ctr_enc avx2 64")]
pub(crate) struct Args {
    /// What to call, as a run's CSV names it before the backend
    #[arg(value_parser = operation)]
    operation: Operation,
    /// A backend of this CPU
    #[arg(value_parser = backend)]
    backend: Backend,
    /// Length of the message
    bytes: usize,
}

fn operation(name: &str) -> Result<Operation, String> {
    let found = Operation::all().into_iter().find(|operation| operation.to_string() == name);
    found.ok_or_else(|| "no operation has this name; aes128_ctr_enc is one".to_owned())
}

fn backend(name: &str) -> Result<Backend, String> {
    Backend::by_name(name).map_err(|error| error.to_string())
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, icefish_bench::Error> {
    let lengths = args.operation.lengths();
    let bytes: Vec<u8> = (0..=255).collect();
    let setup = Setup {
        key: &bytes[..lengths.key],
        iv: &bytes[..lengths.iv],
        tweak: &bytes[..lengths.tweak.unwrap_or(0)],
    };
    let whole = args.bytes > 0 && args.bytes.is_multiple_of(lengths.granule);
    let work = ours::one(args.operation, args.backend, &setup).filter(|_| whole);
    let Some(mut work) = work else {
        return Err(icefish_bench::Error::NotOnce {
            operation: args.operation.to_string(),
            backend: args.backend.to_string(),
            granule: lengths.granule,
        });
    };
    // Aligned as the benchmark's messages are. Earlier calls fill the caches and what is made at the first use.
    let mut room = vec![0; args.bytes + 64];
    let from = room.as_ptr().align_offset(64);
    let message = &mut room[from..from + args.bytes];
    for _ in 0..5 {
        work.run(message);
    }
    mark(message);
    work.run(message);
    mark(message);
    Ok(ExitCode::SUCCESS)
}

/// Where a debugger begins and ends.
#[inline(never)]
fn mark(message: &mut [u8]) {
    black_box(message);
}
