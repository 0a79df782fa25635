//! The program, run as a process on made-up results.

#![cfg(feature = "ours")]

mod common;

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
#[cfg(all(unix, feature = "peer-openssl"))]
use std::process::Output;

use common::{folder, metric, program, rows, text};
#[cfg(all(unix, feature = "peer-openssl"))]
use icefish_bench::identity::Kind;
use icefish_bench::row::{self, Row};

#[test]
fn compare_tells_by_its_exit_code() {
    let folder = folder("compare");
    let old = rows();
    let mut new = rows();
    new[2].throughput = Some(metric(9.0));
    row::write_csv(&folder.join("old.csv"), &old).unwrap();
    row::write_csv(&folder.join("new.csv"), &new).unwrap();
    let worse = program(&folder, &["compare", "old.csv", "new.csv"]);
    assert_eq!(worse.status.code(), Some(1));
    assert!(
        text(&worse.stdout).contains("xoodoo_avx512 (core, 48 B) throughput: 20.1 -> 27.0"),
        "{}",
        text(&worse.stdout)
    );
    assert_eq!(program(&folder, &["compare", "new.csv", "old.csv"]).status.code(), Some(0));
    assert_eq!(program(&folder, &["compare", "old.csv", "old.csv"]).status.code(), Some(0));
    assert_eq!(
        program(&folder, &["compare", "old.csv", "new.csv", "--margin", "50"]).status.code(),
        Some(0)
    );
}

#[test]
fn trouble_is_one_sentence_and_code_two() {
    let folder = folder("trouble");
    fs::write(folder.join("page.md"), "<!-- bench:nothing -->\n<!-- /bench -->\n").unwrap();
    keep(&folder);
    row::write_csv(&folder.join("run.csv"), &rows()).unwrap();
    let cases: [(&[&str], &str); 5] = [
        (&["run", "no such cipher"], "nothing to measure has no such cipher in its name"),
        (&["compare", "none.csv", "run.csv"], "none.csv"),
        (&["report", "run.csv", "-o", "no/such/page.html"], "no/such/page.html"),
        (
            &["pages", "runs", "--file", "page.md"],
            "page.md: line 1: no table is called \"nothing\"",
        ),
        (&["goals", "page.md"], "page.md: CSV"),
    ];
    for (args, words) in cases {
        let output = program(&folder, args);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(
            message.starts_with("icefish-bench: ") && message.contains(words),
            "{args:?}: {message}"
        );
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

#[test]
fn run_lists_what_it_would_measure() {
    let folder = folder("list");
    let output = program(&folder, &["run", "aes-128-cbc", "--list"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let list = text(&output.stdout);
    assert!(list.lines().any(|line| line == "aes128_cbc_enc (sizes, 1 KiB)"), "{list}");
    assert!(list.lines().all(|line| line.contains("cbc_")), "{list}");
}

#[test]
fn check_compares_and_measures_nothing() {
    let folder = folder("check");
    let output = program(&folder, &["run", "xoodoo", "threefish1024", "--check"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.ends_with(" contests, no outputs wrong\n") && said.lines().count() == 1, "{said}");
}

#[test]
fn other_builds_are_for_cpus_and_by_cargo() {
    let folder = folder("builds");
    let output = program(&folder, &["run", "xoodoo12", "--builds", "../elsewhere"]);
    assert_eq!(output.status.code(), Some(2));
    if cfg!(feature = "peer-xoodoo") {
        let output = Command::new(env!("CARGO_BIN_EXE_icefish-bench"))
            .args(["run", "xoodoo12", "--builds", "native"])
            .current_dir(&folder)
            .env_remove("CARGO")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("need cargo"), "{}", text(&output.stderr));
    }
}

/// A cargo that builds the same program again, behind a script that first changes what it has to compute, or does not.
#[cfg(all(unix, feature = "peer-xoodoo"))]
#[test]
fn another_build_that_computes_something_else_ends_the_run() {
    use std::os::unix::fs::PermissionsExt;
    let cpu = format!("a-test-{}", std::process::id());
    for (change, wrong) in [("", false), ("s/[0-4]$/8/; t; s/[5-9]$/2/", true)] {
        let folder = folder(if wrong { "builds-wrong" } else { "builds-right" });
        let script = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::write(&path, format!("#!/bin/sh\nset -e\n{text}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            path
        };
        let ours = env!("CARGO_BIN_EXE_icefish-bench");
        let outputs = "for outputs; do case $outputs in */outputs.csv) break;; esac; done";
        let built = script(
            "built",
            &format!("{outputs}\nsed -i '{change}' $outputs\nexec '{ours}' \"$@\""),
        );
        let cargo = format!(
            "mkdir -p $CARGO_TARGET_DIR/release\ncp '{}' $CARGO_TARGET_DIR/release/icefish-bench",
            built.display()
        );
        let output = Command::new(ours)
            .args(["run", "xoodoo12", "--quick", "--builds", &cpu, "-o", "run.csv"])
            .current_dir(&folder)
            .env("CARGO", script("cargo", &cargo))
            .env("CARGO_MANIFEST_DIR", &folder)
            .output()
            .unwrap();
        let said = text(&output.stderr);
        // Which peers there are is up to the features.
        let mismatch = "in this build computes something else than icefish in the first build";
        let end = format!("cannot run the peers in the build {cpu}; what was said above tells why");
        assert_eq!(output.status.code(), Some(if wrong { 2 } else { 0 }), "{said}");
        if wrong {
            let lines: Vec<_> = said.lines().collect();
            assert_eq!(lines.len(), 2, "{said}");
            assert!(lines[0].starts_with("icefish-bench: xoodoo12 (throughput, 48 B): "), "{said}");
            assert!(lines[0].ends_with(mismatch) && lines[1].ends_with(&end), "{said}");
        }
        assert_eq!(folder.join("run.csv").exists(), !wrong);
    }
    let target = Path::new(env!("CARGO_BIN_EXE_icefish-bench")).ancestors().nth(2).unwrap();
    fs::remove_dir_all(target.join(format!("peers-{cpu}"))).unwrap();
}

#[cfg(target_arch = "x86_64")]
#[test]
fn a_run_is_held_to_a_backend() {
    let folder = folder("held");
    let held = |backend: &str| {
        let args = ["run", "threefish512_ctr", "--quick", "-o", "run.csv", "--as", backend];
        program(&folder, &args)
    };
    for backend in ["neon", ""] {
        let output = held(backend);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("a backend of x86-64"), "{}", text(&output.stderr));
    }
    let output = held("scalar");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let rows = row::read_csv(&folder.join("run.csv")).unwrap();
    assert!(!rows.is_empty() && rows.iter().all(|row| row.id.backend == "scalar"));
    assert!(rows[0].machine.command.ends_with("--as scalar"), "{}", rows[0].machine.command);
    let said = text(&output.stdout);
    let absent = "avxfish form: takes no part here, because nothing holds it to scalar";
    assert!(said.lines().any(|line| line == absent), "{said}");
}

/// Nothing is said about the figures: the machine may be busy, and this may be a slow build.
#[test]
fn run_writes_rows_and_a_page() {
    let folder = folder("run");
    let args = ["run", "xoodoo", "--quick", "-o", "run.csv", "--html", "page.html"];
    let output = program(&folder, &args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("icefish: "), "{}", text(&output.stdout));
    let rows = row::read_csv(&folder.join("run.csv")).unwrap();
    assert!(rows.iter().all(|row| row.id.primitive.starts_with("xoodoo")));
    let page = fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(page.contains("<h2 id=\"rows\">"));
}

/// A run of one primitive with this folder as `PATH`.
#[cfg(all(unix, feature = "peer-openssl"))]
fn run_with_path(folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_icefish-bench"))
        .args(["run", "aes128_cbc_enc", "--quick", "-o", "run.csv", "--html", "page.html"])
        .current_dir(folder)
        .env("PATH", folder)
        .output()
        .unwrap()
}

/// As OpenSSL 3.0.19 answers, with a rate that no machine has.
#[cfg(all(unix, feature = "peer-openssl"))]
#[test]
fn openssl_speed_is_asked_where_it_is() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("speed");
    let output = run_with_path(&folder);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stderr);
    assert!(said.contains("no program openssl on PATH") && said.lines().count() == 1, "{said}");

    let script = "#!/bin/sh\ncase $* in\nversion) echo 'OpenSSL 3.0.19 27 Jan 2026';;\n*-bytes*)\n\
        printf '+DT:AES-128-CBC:1:16384\\n+R:84283:AES-128-CBC:1.000000\\n+H:16384\\n+F:25:AES-128-CBC:1.00\\n';;\nesac\n";
    fs::write(folder.join("openssl"), script).unwrap();
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(folder.join("openssl"), executable).unwrap();
    let output = run_with_path(&folder);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "");
    let rows = row::read_csv(&folder.join("run.csv")).unwrap();
    let checks: Vec<&Row> = rows.iter().filter(|row| row.id.kind == Kind::Check).collect();
    assert_eq!(checks.len(), 1);
    assert_eq!((checks[0].id.version.as_str(), checks[0].id.bytes), ("3.0.19", 16_384));
    let said = text(&output.stdout);
    assert!(
        said.contains("More than 15 % apart: aes-128-cbc, encrypt, 16 KiB: OpenSSL 4."),
        "{said}"
    );
    assert!(fs::read_to_string(folder.join("page.html")).unwrap().contains("id=\"openssl-speed\""));
}

/// This program has all that the program has. Whether its names tell of it is up to profile and flags, unless
/// `ICEFISH_EXPECT_NAMES` is set.
#[test]
fn size_adds_up_machine_code() {
    let folder = folder("size");
    let program = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_icefish-bench"));
        command.arg("size").args(args).current_dir(&folder).env_remove("CARGO").output().unwrap()
    };
    let output = program(&[env!("CARGO_BIN_EXE_icefish-bench")]);
    if output.status.success() {
        let table = text(&output.stdout);
        assert!(table.contains("| cipher | aes-256 | ") && table.contains("one more mode costs"));
        let json = text(&program(&[env!("CARGO_BIN_EXE_icefish-bench"), "--json"]).stdout);
        assert!(json.starts_with("[\n  {\"name\":\"code_program_icefish\""), "{json}");
    } else {
        assert!(env::var_os("ICEFISH_EXPECT_NAMES").is_none(), "{output:?}");
        assert!(text(&output.stderr).contains("symbols name no cipher"), "{output:?}");
    }
    for (args, words) in [(&[][..], "need cargo"), (&["no such file"][..], "no such file")] {
        let output = program(args);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
    }
}

#[cfg(unix)]
#[test]
fn files_are_measured() {
    let folder = folder("files");
    let args = ["files", "nothing else", "--size", "100K", "--rounds", "2", "--dir", "."];
    let run = |more: &[&str]| program(&folder, &[&args[..], more].concat());
    let output = run(&["--program", "/bin/true", "-o", "files.csv"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("| copy | cp "), "{}", text(&output.stdout));
    let rows = row::read_csv(&folder.join("files.csv")).unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!((rows[0].id.bytes, rows[0].throughput.as_ref().unwrap().kept), (102_400, 2));
    let output = run(&["--program", "nothing"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("nothing is no program"));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn report_writes_a_page() {
    let folder = folder("report");
    row::write_csv(&folder.join("run.csv"), &rows()).unwrap();
    let args = ["report", "run.csv", "-o", "page.html", "--title", "a < b"];
    let output = program(&folder, &args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let html = fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(html.contains("<title>a &lt; b</title>") && html.contains("id=\"goals\""));
    // One plot for each primitive, direction and kind that has rows, and the picture of all.
    assert_eq!(html.matches("<figure>").count(), 6);
    assert_eq!(html.matches("<figure class=\"wide\">").count(), 1);
}

/// Puts the made-up rows where runs are kept.
fn keep(folder: &Path) {
    let machine = folder.join("runs").join("made-up");
    fs::create_dir_all(&machine).unwrap();
    row::write_csv(&machine.join("2026-11-21.csv"), &rows()).unwrap();
}

#[test]
fn goals_tell_by_their_exit_code() {
    let folder = folder("goals");
    let all = rows();
    row::write_csv(&folder.join("all.csv"), &all).unwrap();
    let output = program(&folder, &["goals", "all.csv", "all.csv", "all.csv"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    assert!(said.starts_with("Against the best peer: "));
    assert!(
        said.contains("| aes-128-ctr (sizes, encrypt, 16 B) | RustCrypto aes 0.9.4 | "),
        "{said}"
    );
    let reached: Vec<Row> = all.into_iter().filter(|row| row.id.primitive == "xoodoo").collect();
    row::write_csv(&folder.join("xoodoo.csv"), &reached).unwrap();
    let output = program(&folder, &["goals", "xoodoo.csv"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
}

#[test]
fn a_page_is_rewritten_once_and_checked() {
    let folder = folder("pages");
    let (page, picture) = (folder.join("docs/benchmarks.md"), "docs/pictures/made-up.svg");
    keep(&folder);
    fs::create_dir(folder.join("docs")).unwrap();
    fs::write(folder.join("README.md"), "no table\n").unwrap();
    fs::write(&page, "before\n<!-- bench:machines -->\nstale\n<!-- /bench -->\nafter\n").unwrap();
    let code = |args: &[&str]| program(&folder, args).status.code();
    assert_eq!(code(&["pages", "runs", "--check"]), Some(1));
    assert_eq!(code(&["pages", "runs"]), Some(0));
    let new = fs::read_to_string(&page).unwrap();
    assert!(
        new.starts_with("before\n<!-- bench:machines -->\n### Made-up CPU")
            && new.ends_with("-->\nafter\n"),
        "{new}"
    );
    assert!(new.contains("| 31.3 ns (93.9 cycles) | 3.29x |"), "{new}");
    assert!(new.contains("](pictures/made-up.svg)"), "{new}");
    assert_eq!(code(&["pages", "runs", "--check"]), Some(0));
    fs::write(folder.join(picture), "stale").unwrap();
    assert_eq!(code(&["pages", "runs", "--check"]), Some(1));
    assert_eq!(code(&["pages", "runs"]), Some(0));
    assert!(fs::read_to_string(folder.join(picture)).unwrap().starts_with("<svg "));
}

/// The page of this project has the tables and pictures of the runs in `bench-results`.
#[test]
fn the_page_of_benchmarks_is_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = program(&root, &["pages", "--check"]);
    assert_eq!(output.status.code(), Some(0), "run `icefish-bench pages`: {output:?}");
}

/// Of every choice a line with both times; the table's form is named once, and what is warned of is marked.
#[cfg(target_arch = "x86_64")]
#[test]
fn forms_are_measured() {
    let output = program(&folder("forms"), &["forms", "--quick"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let (lines, warning) = (text(&output.stdout), text(&output.stderr));
    assert!(lines.contains(", family ") && lines.contains(", model "), "{lines}");
    let lines: Vec<&str> = lines.lines().filter(|line| line.contains(" on ")).collect();
    let wide = icefish::Backend::available().count() > 1;
    assert_eq!(lines.iter().any(|line| line.contains("xoodoo on ")), wide, "{lines:?}");
    assert_eq!(lines.iter().any(|line| line.contains("ice-1 on ")), wide, "{lines:?}");
    assert!(lines.iter().all(|line| line.matches(" ns").count() == 2), "{lines:?}");
    let behind = lines.iter().filter(|line| line.contains("behind by")).count();
    let expected = format!("icefish-bench: {behind} of {} choices are", lines.len());
    assert_eq!(warning.starts_with(&expected), behind > 0, "{warning}");
}
