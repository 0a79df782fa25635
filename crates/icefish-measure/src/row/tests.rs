use super::*;
use crate::samples;

#[test]
fn figures_follow_from_one_operation() {
    let row = samples::row("a", "icefish", 48, 96.0, 24.0);
    assert_eq!(row.latency_ns(), Some(96.0));
    assert_eq!(row.throughput_ns(), Some(24.0));
    // 24 ns at 3 GHz are 72 cycles.
    assert_eq!(row.cycles_per_byte(), Some(1.5));
    assert_eq!(row.gb_per_s(), Some(2.0));
    assert_eq!(row.with_floor(Some(1.2)).percent_of_floor().map(f64::round), Some(80.0));
}

#[test]
fn what_was_not_measured_is_none() {
    let row = samples::row("a", "icefish", 48, 96.0, 24.0).with_throughput(None);
    assert_eq!(row.cycles_per_byte(), None);
    assert_eq!(row.gb_per_s(), None);
    assert_eq!(row.percent_of_floor(), None);
    // 96 ns at 3 GHz are 288 cycles: 6 a byte.
    assert_eq!(row.clone().with_floor(Some(3.0)).percent_of_floor(), Some(50.0));
    let row = samples::row("a", "icefish", 0, 1.0, 1.0).with_floor(Some(1.0));
    assert_eq!((row.cycles_per_byte(), row.gb_per_s(), row.percent_of_floor()), (None, None, None));
}

#[test]
fn json_has_exactly_the_promised_fields() {
    let mut row = samples::row("xoodoo_avx512_x8", "icefish", 48, 96.0, 24.0);
    row.latency = None;
    let text = to_json(&[row]).unwrap();
    assert_eq!(
        text,
        concat!(
            "[\n  {\"name\":\"xoodoo_avx512_x8\",\"primitive\":\"prim\",\"backend\":\"avx512\",",
            "\"direction\":null,\"bytes\":48,\"parallelism\":8,\"latency_ns\":null,",
            "\"throughput_ns\":24.0,\"cycles_per_byte\":1.5,\"gb_per_s\":2.0}\n]\n"
        )
    );
}

#[test]
fn json_of_no_rows_is_an_empty_array() {
    assert_eq!(to_json(&[]).unwrap(), "[]\n");
}

#[test]
fn json_of_several_rows_is_one_array() {
    let rows = [samples::row("a", "icefish", 16, 2.0, 1.0), samples::row("b", "x", 16, 2.0, 1.0)];
    let value: serde_json::Value = serde_json::from_str(&to_json(&rows).unwrap()).unwrap();
    assert_eq!(value.as_array().unwrap().len(), 2);
    assert_eq!(value[1]["name"], "b");
    assert_eq!(value[0].as_object().unwrap().len(), 10);
}

#[test]
fn a_core_row_takes_part_in_both_views() {
    let kinds = |row: &Row| row.results().map(|(kind, _)| kind).collect::<Vec<_>>();
    let mut row = samples::row("a", "icefish", 16, 2.0, 1.0);
    assert_eq!(kinds(&row), [Kind::Latency, Kind::Throughput]);
    row.latency = None;
    row.id.kind = Kind::Sizes;
    assert_eq!(kinds(&row), [Kind::Sizes]);
}
