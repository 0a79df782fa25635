//! Names of ciphers, modes, hashes, paddings and formats.

use icefish::modes::Padding;
use icefish::suite::{CHUNKED, HashSuite, Named};
use icefish_files::Format;

/// A name that is known is written as it was read.
pub(crate) fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(named) = text.parse::<Named>() {
        assert_eq!(named.to_string(), text);
    }
    if let Ok(hash) = text.parse::<HashSuite>() {
        assert_eq!(hash.name, text);
    }
    if let Ok(padding) = text.parse::<Padding>() {
        assert_eq!(padding.name(), text);
    }
    if let Ok(format) = text.parse::<Format>() {
        assert_eq!(format.name(), text);
    }
    assert!(!CHUNKED.iter().any(|suite| suite.name == text) || text.parse::<Named>().is_ok());
}
