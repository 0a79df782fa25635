use super::*;
use crate::samples::row;
use crate::target::Goal;

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

fn rows() -> Vec<Row> {
    let mut peer = row("aes", "a|b", 16, 40.0, 4.0);
    peer.id.version = "4.0".into();
    let mut rows =
        vec![row("aes_avx512", "icefish", 16, 20.0, 2.0), peer, row("x", "icefish", 48, 9.0, 3.0)];
    for row in &mut rows[..2] {
        row.id.primitive = "aes-256-cbc".into();
    }
    rows
}

#[test]
fn a_name_selects_primitives_and_a_kind() {
    let latency = content("aes-latency", &rows(), &[]).unwrap();
    let expected = "\
| primitive | direction | bytes | icefish | backend | best peer | | ratio |
|---|---|--:|--:|---|--:|---|--:|
| aes-256-cbc | - | 16 B | 20.0 ns (60.0 cycles) | avx512 | 40.0 ns (120 cycles) | a\\|b 4.0 | 2.00x |
";
    assert_eq!(latency, expected);
    let throughput = content("aes-256-cbc-throughput", &rows(), &[]).unwrap();
    assert!(
        throughput.contains("| 0.375 cpb (8.00 GB/s) | avx512 | 0.750 cpb (4.00 GB/s) |"),
        "{throughput}"
    );
    let all = content("all-throughput", &rows(), &[]).unwrap();
    assert_eq!(all.lines().count(), 4);
    assert!(
        all.ends_with("| prim | - | 48 B | 0.188 cpb (16.0 GB/s) | avx512 | - | - | - |\n"),
        "{all}"
    );
}

#[test]
fn unknown_or_empty_names_have_no_content() {
    for name in ["aes", "aes-speed", "des-latency", "all-memory", "targets", ""] {
        assert_eq!(content(name, &rows(), &[]), None, "{name}");
    }
    assert_eq!(content("machine", &[], &[]), None);
}

#[test]
fn targets_and_machine() {
    let target = Target::new("t", "AES", "CBC | bulk", "cycles/byte", Goal::AtMost, 0.63)
        .with_reached(Some(0.7));
    let text = content("targets", &[], &[target]).unwrap();
    assert!(
        text.ends_with("| AES | CBC \\| bulk | cycles/byte | ≤ 0.630 | 0.700 | - | no |\n"),
        "{text}"
    );
    let text = content("machine", &rows(), &[]).unwrap();
    assert!(
        text.contains("2 cores, 3.00 GHz measured") && text.contains("`icefish-bench run`"),
        "{text}"
    );
}
