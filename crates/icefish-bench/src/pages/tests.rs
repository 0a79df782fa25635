use super::*;
use crate::identity::{Direction, Kind};
use crate::samples::row;

fn known(name: &str) -> Option<String> {
    (name == "a").then(|| "new\n".to_owned())
}

#[test]
fn what_is_between_markers_is_replaced_and_nothing_else() {
    let text = "# T\n<!-- bench:a -->\nold\nolder\n<!-- /bench -->\nrest";
    let expected = "# T\n<!-- bench:a -->\nnew\n<!-- /bench -->\nrest";
    let once = replace(text, known).unwrap();
    assert_eq!(once, expected);
    assert_eq!(replace(&once, known).unwrap(), expected);
    assert_eq!(replace("no marker\r\n", known).unwrap(), "no marker\r\n");
    assert_eq!(replace("", known).unwrap(), "");
}

#[test]
fn an_empty_place_is_filled_and_two_places_differ() {
    let text = "<!-- bench:x -->\n<!-- /bench -->\n<!-- bench: y -->\n<!-- /bench -->\n";
    let done = replace(text, |name| Some(format!("[{name}]"))).unwrap();
    assert_eq!(
        done,
        "<!-- bench:x -->\n[x]\n<!-- /bench -->\n<!-- bench: y -->\n[y]\n<!-- /bench -->\n"
    );
}

#[test]
fn broken_markers_are_named_with_their_line() {
    let cases = [
        ("a\n<!-- bench:a -->\n", "line 2: \"a\" is not closed by <!-- /bench -->"),
        ("<!-- /bench -->", "line 1: <!-- /bench --> without <!-- bench:NAME -->"),
        (
            "<!-- bench:a -->\n<!-- bench:a -->\n<!-- /bench -->",
            "line 2: the table \"a\" of line 1 is not closed by <!-- /bench -->",
        ),
        ("\n\n<!-- bench:b -->\n<!-- /bench -->", "line 3: no table is called \"b\""),
    ];
    for (text, message) in cases {
        assert_eq!(replace(text, known).unwrap_err().to_string(), message);
    }
}

#[test]
fn files_are_beside_a_copy_or_the_slowest() {
    let file = |primitive: &str, peer, ns, direction, count| {
        let mut row = row("x", peer, 1 << 30, 1.0, ns).with_latency(None);
        row.id.kind = Kind::Files;
        row.id.primitive = primitive.into();
        row.id.version = "1".into();
        (row.id.direction, row.id.parallelism) = (direction, count);
        row
    };
    let (there, back) = (Some(Direction::Encrypt), Some(Direction::Decrypt));
    let rows = [
        file("copy", "cp", 5e8, None, 1),
        file("age", "age", 1e9, there, 1),
        file("age", "age", 2e9, back, 1),
        file("cbc", "icefish", 1e8, there, 10),
        file("cbc", "loop", 4e8, there, 10),
        file("skein", "icefish", 2e8, None, 1),
        file("sha", "sha512sum", 8e8, None, 1),
        file("sha", "sha512sum", 8e7, None, 10),
    ];
    let text = super::files(&rows);
    for line in [
        "| 1 GiB | program | seal, s | GB/s | time of cp | open, s | GB/s | time of cp |",
        "| copy | cp 1 | 0.500 | 2.15 | 1.00x | - | - | - |",
        "| age | age 1 | 1.00 | 1.07 | 2.00x | 2.00 | 0.537 | 4.00x |",
        "| cbc | icefish 1 | 1.00 | 10.7 | 0.250x | - | - | - |",
        "| cbc | loop 1 | 4.00 | 2.68 | 1.00x | - | - | - |",
        "| 1 GiB | program | hash, s | GB/s | time of sha512sum |",
        "| skein | icefish 1 | 0.200 | 5.37 | 0.250x |",
        "| sha | sha512sum 1 | 0.800 | 1.34 | 1.00x |",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    assert_eq!(super::files(&[]), "");
    let results = Results { files: rows.to_vec(), ..results() };
    assert_eq!(content("files", &[results]), Some(text));
}

#[test]
fn the_table_of_the_readme_has_a_column_for_each_machine() {
    let file = |primitive: &str, peer, ns, direction, count| {
        let mut row = row("x", peer, 1 << 30, 1.0, ns).with_latency(None);
        row.id.kind = Kind::Files;
        row.id.primitive = primitive.into();
        (row.id.direction, row.id.parallelism) = (direction, count);
        row.machine.cpu = "A|CPU(R) Processor (family 1, stepping 2)".into();
        row
    };
    let (there, back) = (Some(Direction::Encrypt), Some(Direction::Decrypt));
    let rows = vec![
        file("copy", "cp", 5e8, None, 1),
        file("copy on all cores", "icefish-bench", 1e8, None, 1),
        file("nothing but writing", "icefish-bench", 2e8, None, 1),
        file("cobblestone-256", "age", 9e8, there, 1),
        file("cobblestone-256", "icefish", 4e8, there, 1),
        file("cobblestone-256", "icefish", 3e8, back, 1),
        file("aes-256-ctr", "openssl enc", 6e8, there, 1),
        file("xoofff", "icefish", 5e8, there, 1),
        file("aes-256-cbc", "icefish", 1e5, there, 2000),
        file("aes-256-cbc", "a loop", 3e6, there, 2000),
        file("skein-512", "icefish", 1e5, None, 2000),
        file("blake3", "b3sum", 2e5, None, 2000),
        file("sha-512", "sha512sum", 4e5, None, 2000),
    ];
    let hash = |primitive: &str, kind, bytes, count, ns| {
        let mut row = row("x", "icefish", bytes, 1.0, ns).with_latency(None);
        row.id.primitive = primitive.into();
        (row.id.kind, row.id.parallelism) = (kind, count);
        row
    };
    let hashes = vec![
        hash("skein-512", Kind::Hashes, 16_384, 8, 1.0),
        hash("skein-512", Kind::Bounds, 16_384, 1, 1.0),
        hash("skein-512", Kind::Hashes, 1 << 20, 1, 1.0),
        hash("skein-512", Kind::Hashes, 16_384, 1, 32_768.0),
        hash("blake3", Kind::Hashes, 16_384, 1, 4096.0),
        hash("skein-512 tree, all cores", Kind::Hashes, 1 << 30, 1, (1u64 << 28) as f64),
    ];
    let machine = Results { files: rows, hashes, ..results() };
    let text = content("file-goals", &[results(), machine.clone(), machine]).unwrap();
    let expected = "\
| figure | A\\|CPU (family 1) | A\\|CPU (family 1) |
|---|--:|--:|
| Cobblestone-256, sealed; opened | 0.80; 0.60 | 0.80; 0.60 |
| fastest other program: encrypting; decrypting | 1.20 openssl enc; - | 1.20 openssl enc; - |
| AES-256-GCM; AES-256-CTR | -; - | -; - |
| Threefish-1024-CTR; Thin-ICE-CTR; Xoofff | -; -; 1.00 | -; -; 1.00 |
| many files, AES-256-CBC: time of a loop over `openssl enc` / ours | 30.00 | 30.00 |
| many files hashed: time of `sha512sum` / ours | 4.00 | 4.00 |
| GB/s, messages of 16 KiB: Skein-512; SHA-512; BLAKE3 | 0.500; -; 4.00 | 0.500; -; 4.00 |
| GB/s, 1 GiB on all cores: Skein-512 as a tree; BLAKE3 | 4.00; - | 4.00; - |
";
    assert_eq!(text, expected);
    assert_eq!(content("file-goals", &[results()]).unwrap(), "");
    // They are in the table of files, beside the copy.
    let all = super::files(&[
        file("copy", "cp", 5e8, None, 1),
        file("nothing but writing", "icefish-bench", 2e8, None, 1),
    ]);
    assert!(all.contains("| nothing but writing | icefish-bench"), "{all}");
    assert!(all.contains("| 0.400x | - | - | - |"), "{all}");
}

#[test]
fn hashes_have_rates_and_no_ratios() {
    let hash = |primitive: &str, bytes, count, ns| {
        let mut row = row("x", "lib|rary", bytes, 1.0, ns).with_latency(None);
        row.id.kind = Kind::Hashes;
        row.id.primitive = primitive.into();
        (row.id.version, row.id.parallelism) = ("1".into(), count);
        row
    };
    let rows = [
        hash("skein", 1024, 1, 512.0),
        hash("tree", 1 << 20, 1, 1e5),
        hash("skein", 1024, 8, 128.0),
    ];
    let text = super::hashes(&rows);
    for line in [
        "| GB/s | skein, lib\\|rary 1 | tree, lib\\|rary 1 |",
        "| 1 KiB | 2.00 | - |",
        "| 1 MiB | - | 10.5 |",
        "| 8 x 1 KiB | 8.00 | - |",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    assert_eq!(super::hashes(&[]), "");
    let results = Results { hashes: rows.to_vec(), ..results() };
    assert_eq!(content("hashes", std::slice::from_ref(&results)), Some(text));
    // They are no contests.
    assert!(crate::duel::duels(&results.hashes).is_empty());
}

#[test]
fn skein_is_beside_threefish_and_other_code() {
    let side = |primitive: &str, peer, backend: &str, count, ns| {
        let mut row = row("x", peer, 16_384, 1.0, ns).with_latency(None);
        row.id.kind = Kind::Bounds;
        (row.id.primitive, row.id.backend) = (primitive.into(), backend.into());
        (row.id.version, row.id.parallelism) = ("1".into(), count);
        row
    };
    let rows = [
        side("skein-512", "icefish", "avx512", 1, 100.0),
        side("skein-512", "rustcrypto", "avx512", 1, 300.0),
        side("threefish-512, a key a block", "icefish", "avx512", 1, 80.0),
        side("skein-512", "icefish", "avx512", 8, 112.0),
        side("threefish-512, a tweak a block", "icefish", "avx512", 8, 100.0),
        side("skein-512", "icefish", "avx2", 8, 112.0),
        side("threefish-512, a tweak a block", "icefish", "avx2", 8, 100.0),
        side("threefish-1024, a tweak a block", "icefish", "avx2", 8, 100.0),
    ];
    let text = super::hashes(&rows);
    for line in [
        "| skein-512, 16 KiB | `avx512` | 164 | rustcrypto 1 | 54.6 | 0.333x | 0.500x | yes |",
        "| skein-512, 16 KiB | `avx512` | 164 | threefish-512, a key a block | 205 | 1.25x | 1.10x | no |",
        "| skein-512, 8 x 16 KiB | `avx512` | 146 | threefish-512, a tweak a block | 164 | 1.12x | 1.10x | no |",
        "| skein-512, 8 x 16 KiB | `avx2` | 146 | threefish-512, a tweak a block | 164 | 1.12x | 1.15x | yes |",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    assert_eq!(text.lines().filter(|line| line.starts_with("| skein")).count(), 4, "{text}");
    assert!(!text.contains("| GB/s |\n"), "{text}");
    assert_eq!(unmet(&rows), (4, 2));
    assert!(crate::duel::duels(&rows).is_empty());
}

fn results() -> Results {
    let mut peer = row("aes", "a|b c", 16_384, 40.0, 1800.0);
    peer.id.version = "4.0".into();
    let mut rows = vec![row("aes_avx512", "icefish", 16_384, 20.0, 2000.0), peer];
    rows[0].floor_cpb = Some(0.3);
    for kind in [Kind::Sizes, Kind::Many, Kind::Memory] {
        for (peer, ns) in [("icefish", 8000.0), ("rustcrypto", 8100.0)] {
            let mut row = row("aes", peer, 8192, 1.0, ns).with_latency(None);
            row.id.kind = kind;
            rows.push(row);
        }
    }
    for row in &mut rows {
        row.id.primitive = "aes-256-cbc".into();
    }
    Results {
        machine: "test".into(),
        runs: vec![rows],
        note: "What has to be said.\n".into(),
        files: Vec::new(),
        hashes: Vec::new(),
    }
}

#[test]
fn a_machine_has_its_facts_and_tables() {
    let text = content("machines", &[results()]).unwrap();
    let expected = "\
### Test <CPU> & more

2 cores, 3.00 GHz measured; Test OS; rustc 1.95.0; 2026-11-21; `icefish-bench run`

What has to be said.

5 rows have a peer. In 4 of them icefish is as fast as the best peer or faster, in 0 it is behind by no more than noise \
(a ratio of 0.98 or more), and in 1 it is behind, in bold.

![Speed relative to the best peer](pictures/test.svg)

|  | in cache | of floor | ratio | one block | ratio | 8 KiB |
|---|--:|--:|--:|--:|--:|--:|
| aes-256-cbc | 0.366 cpb (8.19 GB/s) | 82 % | **0.900x a\\|b c** | 20.0 ns (60.0 cycles) | 2.00x | 1.01x |

| many messages in one call | number | mixed |
|---|--:|--:|
| aes-256-cbc | 8 | 1.02 GB/s, 1.01x (8 KiB) |

|  | where | bytes | icefish | backend | ratio |
|---|--:|--:|--:|--:|--:|
| aes-256-cbc | from memory | 8 KiB | 2.93 cpb (1.02 GB/s) | avx512 | 1.01x |
";
    assert_eq!(text, expected);
}

/// Of several runs the worst ratio counts.
#[test]
fn what_one_run_loses_is_bold() {
    let mut results = results();
    results.note.clear();
    let mut second = results.runs[0].clone();
    second[5].throughput = second[2].throughput.clone();
    if let Some(metric) = &mut second[2].throughput {
        metric.cycles.low *= 2.0;
    }
    results.runs.push(second);
    let text = content("machines", &[results]).unwrap();
    assert!(text.contains("Of 2 runs, the least ratio of each row is shown."), "{text}");
    assert!(text.contains("| **0.506x rustcrypto** |"), "{text}");
    assert!(!text.contains("What has to be said"));
}

#[test]
fn sections_are_side_by_side_and_names_are_known() {
    let text = content("machines", &[results(), results()]).unwrap();
    assert_eq!(text.matches("### Test").count(), 2);
    assert!(text.contains("1.01x |\n\n### Test"), "{text}");
    for name in ["", "aes-latency", "targets"] {
        assert_eq!(content(name, &[results()]), None, "{name}");
    }
}

#[test]
fn a_picture_is_a_file_with_its_machine_and_colours() {
    let svg = picture(&results()).unwrap();
    assert!(
        svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1128\" height="),
        "{svg}"
    );
    assert!(svg.ends_with("</svg>\n"));
    assert!(svg.contains(">Test &lt;CPU&gt; &amp; more, 2026-11-21</text>"), "{svg}");
    assert!(
        svg.contains("one dot for each row: of 5 rows, 4 at 1 or more, 0 within noise, 1 behind")
    );
    assert_eq!(svg.matches("<circle ").count(), 5);
    assert!(svg.contains("--page: ") && !svg.contains("url("));
    let mut lonely = results();
    lonely.runs[0].retain(|row| row.id.is_ours());
    assert_eq!(picture(&lonely), None);
    assert!(!content("machines", &[lonely]).unwrap().contains("!["));
}
