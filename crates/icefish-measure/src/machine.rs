//! What a figure means nothing without: the machine, the compiler, the day, the command.

use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::clock::Timebase;

/// Facts that every row carries.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// A short name that can be a folder: `intel-xeon-cascade-lake`; see [`Machine::detect`].
    pub name: String,
    /// The CPU as it names itself, with family and model where the name says little.
    pub cpu: String,
    /// CPUs that this process may use.
    pub cores: u32,
    /// The core's frequency in scalar code at the start, in GHz, measured.
    pub clock_ghz: f64,
    /// Operating system, kernel and architecture.
    pub os: String,
    /// The compiler, its target, optimisation level and target flags.
    pub compiler: String,
    /// The day, as `2026-11-21`, UTC.
    pub date: String,
    /// The command line, without the path of the program and without the files that it wrote.
    pub command: String,
}

impl Machine {
    /// Finds out. The name is the value of `ICEFISH_BENCH_MACHINE` if set, else made from the CPU's and the
    /// system's; host names stay private.
    pub fn detect(time: &mut dyn Timebase) -> Self {
        let info = system::cpu_info();
        let cpu = cpu_name(&info);
        let name = std::env::var("ICEFISH_BENCH_MACHINE").ok().filter(|name| !name.is_empty());
        let name = slug(&name.unwrap_or_else(|| format!("{cpu} {}", std::env::consts::OS)));
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let date = date(now.as_secs() / (24 * 60 * 60));
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self {
            name,
            cpu,
            cores: u32::try_from(cores).unwrap_or(u32::MAX),
            clock_ghz: time.ghz(),
            os: system::os(),
            compiler: compiler(),
            date,
            command: command(std::env::args()),
        }
    }
}

/// The day that is so many days after 1970-01-01.
fn date(mut days: u64) -> String {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", days + 1)
}

/// The name of the CPU from text of the form of Linux's `/proc/cpuinfo`.
fn cpu_name(info: &str) -> String {
    let get = |key: &str| {
        let lines = info.lines().filter_map(|line| line.split_once(':'));
        let mut values = lines.filter(|(k, _)| k.trim() == key).map(|(_, v)| v.trim().to_owned());
        values.next().filter(|value| !value.is_empty())
    };
    if let Some(name) = get("model name").or_else(|| get("Model")) {
        // Clouds rename CPUs ("AMD EPYC"); family, model and stepping tell what it is.
        return match (get("cpu family"), get("model"), get("stepping")) {
            (Some(family), Some(model), Some(stepping)) => {
                format!("{name} (family {family}, model {model}, stepping {stepping})")
            }
            _ => name,
        };
    }
    match (get("CPU implementer"), get("CPU part")) {
        (Some(implementer), Some(part)) => {
            format!("{} CPU, implementer {implementer}, part {part}", std::env::consts::ARCH)
        }
        _ => format!("unknown {} CPU", std::env::consts::ARCH),
    }
}

/// Lower-case letters and digits, with single dashes between them.
fn slug(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' })
        .collect();
    text.split_whitespace().collect::<Vec<_>>().join("-")
}

fn compiler() -> String {
    let flags = env!("ICEFISH_MEASURE_RUSTFLAGS");
    let flags = if flags.is_empty() { String::new() } else { format!(", {flags}") };
    format!(
        "{}, {}, opt-level {}{flags}",
        env!("ICEFISH_MEASURE_RUSTC"),
        env!("ICEFISH_MEASURE_TARGET"),
        env!("ICEFISH_MEASURE_OPT_LEVEL"),
    )
}

/// Options that name a file for the results: where they went says nothing about them.
const FILES: [&str; 3] = ["-o", "--output", "--html"];

fn command(mut args: impl Iterator<Item = String>) -> String {
    let program = args.next().unwrap_or_default();
    let mut words = vec![program.rsplit(['/', '\\']).next().unwrap_or_default().to_owned()];
    while let Some(word) = args.next() {
        let (option, value) = word.split_once('=').map_or((&*word, None), |(o, v)| (o, Some(v)));
        if !FILES.contains(&option) {
            words.push(word);
        } else if value.is_none() {
            args.next();
        }
    }
    words.join(" ")
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs;

    pub(super) fn cpu_info() -> String {
        fs::read_to_string("/proc/cpuinfo").unwrap_or_default()
    }

    pub(super) fn os() -> String {
        let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
        let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
        let name = name.map_or("Linux", |name| name.trim_matches('"'));
        let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        format!("{name}, kernel {}, {}", kernel.trim(), std::env::consts::ARCH)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::process::Command;

    /// macOS knows the name under this key; elsewhere the command is missing and the name unknown.
    pub(super) fn cpu_info() -> String {
        let output = Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).output();
        output
            .map(|o| format!("model name: {}", String::from_utf8_lossy(&o.stdout)))
            .unwrap_or_default()
    }

    pub(super) fn os() -> String {
        format!("{}, {}", std::env::consts::OS, std::env::consts::ARCH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;

    #[test]
    fn every_fact_is_there() {
        let machine = Machine::detect(&mut Clock::new());
        for fact in [&machine.name, &machine.cpu, &machine.os, &machine.compiler, &machine.command]
        {
            assert!(!fact.is_empty(), "{machine:?}");
        }
        assert!(machine.cores >= 1);
        assert!(machine.compiler.starts_with("rustc "));
        assert_eq!(machine.date.len(), 10, "{}", machine.date);
        assert!(machine.date.as_str() > "2026-01-01");
    }

    #[test]
    fn cpu_names_of_several_machines() {
        let x86 = "processor\t: 0\ncpu family\t: 6\nmodel\t\t: 85\nmodel name\t: Intel(R) Xeon(R)\nstepping\t: 7\n";
        assert_eq!(cpu_name(x86), "Intel(R) Xeon(R) (family 6, model 85, stepping 7)");
        assert_eq!(cpu_name("model name: Apple M1\n"), "Apple M1");
        let arm = cpu_name("CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n");
        assert!(arm.ends_with("CPU, implementer 0x41, part 0xd0c"), "{arm}");
        assert!(cpu_name("").starts_with("unknown "));
    }

    /// From GNU date.
    #[test]
    fn days_have_dates() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (364, "1970-12-31"),
            (365, "1971-01-01"),
            (789, "1972-02-29"),
            (790, "1972-03-01"),
            (11_016, "2000-02-29"),
            (20_779, "2026-11-22"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(days), expected);
        }
    }

    #[test]
    fn slugs_are_folder_names() {
        assert_eq!(
            slug("Intel(R) Xeon(R) Gold 6248 @ 2.5GHz linux"),
            "intel-r-xeon-r-gold-6248-2-5ghz-linux"
        );
        assert_eq!(slug("  "), "");
    }

    #[test]
    fn commands_have_no_path() {
        let of = |line: &str| command(line.split(' ').map(String::from));
        let quick = "icefish-bench run --quick";
        assert_eq!(of("/home/me/target/release/icefish-bench run --quick"), quick);
        assert_eq!(
            of("./icefish-bench run -o /home/me/a.csv --quick --html=/home/me/b.html"),
            quick
        );
        assert_eq!(of("icefish-bench run --quick -o"), quick);
        assert_eq!(command(std::iter::empty()), "");
    }
}
