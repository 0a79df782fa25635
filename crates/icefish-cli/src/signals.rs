//! What happens when somebody ends the program.

/// From now on a signal that ends the program removes what is unfinished before, and then ends it as it
/// would have: a shell sees the signal (130 for SIGINT), and stops its loop. Faults of the program itself
/// (SIGSEGV and the like) end it at once.
///
/// SIGXFSZ does nothing: writing says that the file is too large.
#[cfg(unix)]
pub(crate) fn clean_up_when_ended() {
    use signal_hook::consts::{
        SIGABRT, SIGALRM, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP,
        SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
    };
    use signal_hook::{flag, iterator::Signals, low_level};
    use std::sync::atomic::AtomicBool;
    // Nobody asks the flag: that there is a handler keeps the signal from ending the program.
    static TOO_LARGE: AtomicBool = AtomicBool::new(false);
    let _ = flag::register(SIGXFSZ, &TOO_LARGE);
    let ending = [
        SIGABRT, SIGALRM, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP,
        SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
    ];
    let ignored = ignored();
    // What is ignored stays ignored, as `nohup` and background jobs have it.
    let wanted = ending.into_iter().filter(|s| ignored >> (s - 1) & 1 == 0);
    let Ok(mut signals) = Signals::new(wanted) else { return };
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            crate::passphrases::show_again();
            icefish_files::output::abandon_all();
            let _ = low_level::emulate_default_handler(signal);
            low_level::exit(128 + signal);
        }
    };
    // Without the thread the signals would be lost; but a system that cannot start it will hardly
    // start the pipeline, and that says so.
    let _ = std::thread::Builder::new().name("signals".into()).spawn(wait);
}

/// The signals that were ignored when the program started, a bit each, where the system tells.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Ends as other programs do whose output nobody reads.
#[cfg(unix)]
pub(crate) fn die_of_broken_pipe() {
    let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGPIPE);
}

/// Elsewhere temporary files stay when the program is ended.
#[cfg(not(unix))]
pub(crate) fn clean_up_when_ended() {}

/// Elsewhere there is no such signal.
#[cfg(not(unix))]
pub(crate) fn die_of_broken_pipe() {}
