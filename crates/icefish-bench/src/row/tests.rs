use super::*;
use crate::identity::{Direction, Kind};
use crate::samples::{self, metric};

fn path(name: &str) -> std::path::PathBuf {
    std::env::temp_dir().join(format!("icefish-bench-{}-{name}", std::process::id()))
}

#[test]
fn csv_brings_every_row_back() {
    let path = path("round-trip.csv");
    let mut odd = samples::row("odd, \"quoted\"\nname", "peer, with comma", 1 << 40, 1.5, 0.25);
    odd.id.direction = Some(Direction::Decrypt);
    odd.id.kind = Kind::Memory;
    odd.latency = None;
    let floor = samples::row("b", "icefish", 16, 3.0, 1.5)
        .with_floor(Some(0.5))
        .with_latency(Some(metric(7.0)));
    let empty =
        Row { throughput: None, latency: None, ..samples::row("c", "icefish", 0, 1.0, 1.0) };
    let rows = vec![odd, floor, empty];
    write_csv(&path, &rows).unwrap();
    let back = read_csv(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(back, rows);
}

#[test]
fn csv_errors_name_the_file_and_the_line() {
    let missing = path("missing.csv");
    assert!(read_csv(&missing).unwrap_err().to_string().contains("missing.csv"));
    let broken = path("broken.csv");
    std::fs::write(&broken, "name,bytes\na,many\n").unwrap();
    let message = read_csv(&broken).unwrap_err().to_string();
    std::fs::remove_file(&broken).unwrap();
    assert!(message.contains("broken.csv") && message.contains("line: 2"), "{message}");
}

#[test]
fn of_two_passes_the_faster_figure_stays() {
    let mut rows = vec![samples::row("a", "p", 16, 10.0, 5.0)];
    keep_faster(&mut rows, vec![samples::row("a", "p", 16, 9.0, 6.0)]);
    keep_faster(&mut rows, vec![samples::row("b", "p", 16, 1.0, 1.0).with_latency(None)]);
    keep_faster(&mut rows, vec![samples::row("b", "p", 16, 2.0, 2.0)]);
    let figures: Vec<_> = rows.iter().map(|r| (r.latency_ns(), r.throughput_ns())).collect();
    assert_eq!(figures, [(Some(9.0), Some(5.0)), (Some(2.0), Some(1.0))]);
}
