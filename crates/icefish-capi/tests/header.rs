//! The header is what cbindgen makes of the source. `ICEFISH_WRITE_HEADER=1` writes it.

use std::path::Path;
use std::{env, fs};

#[test]
fn is_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_root_or_default(folder);
    let made = cbindgen::Builder::new().with_config(config).with_src(folder.join("src/lib.rs"));
    let mut header = Vec::new();
    made.generate().expect("C").write(&mut header);
    // Types that are renamed to pointers have a space behind the star.
    let header = String::from_utf8(header).expect("text").replace(" * ", " *");
    let place = folder.join("include/icefish.h");
    if env::var_os("ICEFISH_WRITE_HEADER").is_some() {
        fs::write(&place, &header).expect("room");
    }
    assert!(
        fs::read_to_string(&place).is_ok_and(|there| there == header),
        "include/icefish.h is not what the source says: run this test with ICEFISH_WRITE_HEADER=1"
    );
}
