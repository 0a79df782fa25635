use super::*;
use crate::samples;

fn sizes_row(peer: &str, bytes: u64, ns: f64) -> Row {
    let mut row = samples::row("a", peer, bytes, 1.0, ns).with_latency(None);
    row.id.kind = Kind::Sizes;
    row
}

fn page(rows: &[Row]) -> String {
    Page { title: "T", rows }.to_html()
}

#[test]
fn an_empty_page_is_a_page() {
    let html = page(&[]);
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"));
    assert!(!html.contains("<svg") && !html.contains("<table"));
}

#[test]
fn it_asks_for_nothing_from_the_network_and_fits_phones() {
    let rows = [samples::row("a", "icefish", 16, 2.0, 1.0), sizes_row("openssl", 16, 3.0)];
    let html = page(&rows);
    for word in ["http://", "https://", "src=", "<script", "<link", "@import", "url("] {
        assert!(!html.contains(word), "{word}");
    }
    assert!(html.contains("name=\"viewport\" content=\"width=device-width"));
    assert!(html.contains("prefers-color-scheme: dark"));
}

#[test]
fn names_from_files_cannot_become_markup() {
    let evil = "<img src=x onerror=\"1\">&'";
    let mut rows = [samples::row(evil, evil, 16, 2.0, 1.0), sizes_row(evil, 16, 1.0)];
    for row in &mut rows {
        row.id.primitive = evil.into();
        row.id.version = evil.into();
        row.id.backend = evil.into();
        row.machine.command = evil.into();
    }
    rows[1].id.kind = Kind::Sizes;
    let html = Page { title: evil, rows: &rows }.to_html();
    assert!(!html.contains("<img"));
    assert!(html.contains("&lt;img src=x onerror=&quot;1&quot;&gt;&amp;&#39;"));
}

#[test]
fn lines_have_a_point_a_size_and_a_legend() {
    let rows = [
        sizes_row("icefish", 16, 16.0),
        sizes_row("icefish", 1 << 20, 1e5),
        sizes_row("openssl", 16, 32.0),
        sizes_row("openssl", 1 << 20, 3e5),
    ];
    let html = page(&rows);
    assert_eq!(html.matches("<circle cx").count(), 4);
    assert!(html.contains("<title>icefish avx512 x8, 16 B: 1.00 GB/s</title>"));
    assert!(
        html.contains("</svg>icefish avx512 x8</li>")
            && html.contains("</svg>openssl 0.1.0 x8</li>")
    );
    assert!(!html.contains("NaN") && !html.contains("inf"));
}

#[test]
fn one_point_alone_is_drawn() {
    let html = page(&[sizes_row("icefish", 16, 16.0)]);
    assert_eq!(html.matches("<circle").count(), 1);
    assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");
}

#[test]
fn bars_are_sorted_and_ours_are_marked() {
    let rows =
        [samples::row("p", "peer", 16, 40.0, 4.0), samples::row("o", "icefish", 16, 20.0, 2.0)];
    let html = page(&rows);
    let place = |text: &str| html.find(text).unwrap_or_else(|| panic!("{text}"));
    assert!(place("<title>o: 20.0 ns · 60.0 cycles") < place("<title>p: 40.0 ns · 120 cycles"));
    assert!(place("<title>o: 8.00 GB/s · 0.375 cpb") < place("<title>p: 4.00 GB/s · 0.750 cpb"));
    assert_eq!(html.matches("class=\"bar ours\"").count(), 2);
    assert_eq!(html.matches("class=\"bar\"").count(), 2);
}

#[test]
fn the_floor_is_marked() {
    let rows = [samples::row("o", "icefish", 16, 20.0, 2.0).with_floor(Some(0.3))];
    let html = page(&rows);
    assert_eq!(html.matches("class=\"floor\"").count(), 1);
    assert!(html.contains(">80 %</td>"), "{html}");
}

#[test]
fn the_page_begins_with_a_dot_for_each_row_with_a_peer() {
    let mut rows = vec![sizes_row("icefish", 16, 16.0), sizes_row("openssl", 16, 8.0)];
    rows.extend([sizes_row("icefish", 64, 10.0), sizes_row("openssl", 64, 9.9)]);
    rows.extend([sizes_row("icefish", 256, 10.0), sizes_row("openssl", 256, 90.0)]);
    rows.push(sizes_row("icefish", 1024, 10.0));
    let html = page(&rows);
    let picture = html.find("<figure class=\"wide\">").unwrap();
    assert!(picture < html.find("class=\"facts\"").unwrap());
    assert!(
        html.contains("one dot for each row: of 3 rows, 1 at 1 or more, 1 within noise, 1 behind"),
        "{html}"
    );
    for (class, ratio) in [("behind", "0.500"), ("noise", "0.990"), ("ahead", "9.00")] {
        assert_eq!(html.matches(&format!("<circle class=\"{class}\"")).count(), 1);
        assert!(html.contains(&format!("<title>{ratio}x prim (sizes, ")), "{html}");
    }
    // The worst are named beside their dots.
    assert!(html.contains(">0.500x prim (sizes, 16 B): openssl</text>"), "{html}");
    assert!(!html.contains("NaN") && !html.contains("inf"));
}

#[test]
fn goals_that_are_not_reached_are_listed() {
    let html = page(&[sizes_row("icefish", 16, 16.0), sizes_row("openssl", 16, 8.0)]);
    assert!(html.contains("<h2 id=\"goals\">"));
    for (heading, value) in [("reached", "0.500"), ("verdict", "behind"), ("goal", "1.00")] {
        let cell = format!("<td class=\"n\" data-h=\"{heading}\">{value}</td>");
        assert!(html.contains(&cell), "{cell}: {html}");
    }
    let html = page(&[sizes_row("icefish", 16, 8.0), sizes_row("openssl", 16, 8.0)]);
    assert!(!html.contains("<h2 id=\"goals\">"));
}
