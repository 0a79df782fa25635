//! Padding: RFC 5652 (section 6.3), ANSI X9.23, ISO/IEC 7816-4, and zeros.

/// The message with the padding that the library calls `name`, for blocks of `size` bytes.
pub fn padded(name: &str, size: usize, message: &[u8]) -> Vec<u8> {
    let mut out = message.to_vec();
    let added = size - message.len() % size;
    let whole = message.len() + added;
    match name {
        "pkcs7" => out.resize(whole, added as u8),
        "x923" => {
            out.resize(whole, 0);
            out[whole - 1] = added as u8;
        }
        "iso7816" => {
            out.push(0x80);
            out.resize(whole, 0);
        }
        "zero" => out.resize(message.len().next_multiple_of(size), 0),
        _ => {}
    }
    out
}
