//! Threefish against its submission, other libraries and counter-mode vectors, on every backend.

mod common;

use common::{backends, hex, rows};
use icefish::modes::Padding;
use icefish::suite::{CipherInfo, Suite};

fn check(variant: &str, row: &[String]) {
    let digits: String = variant
        .chars()
        .filter(char::is_ascii_digit)
        .take(if variant.contains("1024") { 4 } else { 3 })
        .collect();
    let info = CipherInfo::by_name(&format!("threefish-{digits}")).unwrap();
    let [key, tweak, plain, cipher] = [0, 1, 2, 3].map(|i| hex(&row[i]));
    for backend in backends() {
        let key = info.key(&key, &tweak, backend).unwrap();
        // Alone, and at every place of a batch.
        for count in [1, 2, 3, 9, 17, 40] {
            let mut blocks = plain.repeat(count);
            key.encrypt_blocks(&mut blocks).unwrap();
            assert!(blocks == cipher.repeat(count), "{variant} x{count} on {backend}");
            key.decrypt_blocks(&mut blocks).unwrap();
            assert!(blocks == plain.repeat(count), "{variant} x{count} on {backend}");
        }
    }
}

#[test]
fn official_vectors() {
    let rows = rows("threefish/threefish_official.csv");
    assert!(rows.len() > 6);
    for row in rows {
        // A comment with a comma in quotes stands before the four hex fields.
        check(&row[0], &row[row.len() - 4..]);
    }
}

#[test]
fn random_vectors() {
    let rows = rows("threefish/threefish_random.csv");
    assert!(rows.len() > 100);
    for row in rows {
        check(&row[0], &row[1..]);
    }
}

#[test]
fn counter_mode_with_wraps_and_tails() {
    let rows = rows("threefish/threefish_ctr_be.csv");
    assert!(rows.len() > 30);
    for row in rows {
        let suite: Suite = format!("threefish-{}-ctr", &row[0][9..]).parse().unwrap();
        let [key, tweak, iv, plain, cipher] = [1, 2, 3, 4, 5].map(|i| hex(&row[i]));
        for backend in backends() {
            let key = suite.cipher.key(&key, &tweak, backend).unwrap();
            let mut data = plain.clone();
            let len = data.len();
            key.encrypt_in_place(suite.mode, &iv, Padding::None, &mut data, len).unwrap();
            assert!(data == cipher, "{} on {backend}", row[0]);
        }
    }
}
