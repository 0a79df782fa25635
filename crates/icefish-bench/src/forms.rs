//! `icefish-bench forms`.

use std::process::ExitCode;

use icefish::isa::Cpu;
use icefish_bench::ours::forms;

/// Measures all forms of kernels that the library chooses between by what it knows of the CPU, and warns where its choice is
/// not the fastest on this one.
#[derive(clap::Args)]
#[command(after_help = "Example: icefish-bench forms

The table is crates/icefish/src/isa/forms.rs. Times are the least of many short ones, in turns; the machine should do
nothing else. A choice is behind where the other form takes 3 % less.")]
pub(crate) struct Args {
    /// A look, in a fraction of the time
    #[arg(long)]
    quick: bool,
}

pub(crate) fn run(args: &Args) -> ExitCode {
    let cpu = Cpu::ask();
    println!("{}, family {}, model {}\n", cpu.vendor(), cpu.family(), cpu.model());
    println!("{}", forms::header());
    let measured = forms::measure(if args.quick { 20 } else { 1000 });
    for choice in &measured {
        println!("{choice}");
    }
    let wrong = measured.iter().filter(|choice| choice.is_wrong()).count();
    if wrong > 0 {
        eprintln!("icefish-bench: {wrong} of {} choices are not the fastest here", measured.len());
    }
    ExitCode::SUCCESS
}
