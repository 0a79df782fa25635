//! What errors say: one sentence each, with the numbers that it is about. And the defaults that a caller gets without asking.

use icefish::Error;
use icefish::modes::Ctr;
use std::collections::HashSet;

/// Every error, with the numbers and names that its sentence must have.
fn errors() -> Vec<(Error, &'static [&'static str])> {
    vec![
        (Error::KeyLength { got: 15, need: 0 }, &["15", "none"]),
        (Error::KeyLength { got: 15, need: 16 }, &["15", "16"]),
        (Error::WeakKey { got: 11, least: 17 }, &["11", "17"]),
        (Error::TweakLength { got: 15, need: 0 }, &["15", "none"]),
        (Error::TweakLength { got: 15, need: 16 }, &["15", "16"]),
        (Error::IvLength { got: 15, need: 0 }, &["15", "none"]),
        (Error::IvLength { got: 15, need: 16 }, &["15", "16"]),
        (Error::BlockLength { got: 47, need: 48 }, &["47", "48"]),
        (Error::PartialBlock { got: 33, block: 16 }, &["33", "16"]),
        (Error::BufferLength { got: 31, need: 48 }, &["31", "48"]),
        (Error::Padding, &["padding"]),
        (Error::PaddingBlock { got: 256, most: 255 }, &["256", "255"]),
        (Error::CounterExhausted, &["counter"]),
        (Error::TooShort { got: 7, least: 16 }, &["7", "16"]),
        (Error::TooLong { most: 68_719_476_720 }, &["68719476720"]),
        (Error::TagLength { got: 8, least: 16, most: 16 }, &["8", "16"]),
        (Error::TagLength { got: 3, least: 4, most: 16 }, &["3", "4 to 16"]),
        (Error::TagLengths { got: 3, both: [16, 32] }, &["3", "16 or 32"]),
        (Error::LateAssociated, &["associated"]),
        (Error::WholeMessage, &["one call"]),
        (Error::OnePass, &["one pass"]),
        (Error::Forged, &["tag"]),
        (Error::Commitment, &["key"]),
        (Error::ForgedChunk { number: 12 }, &["chunk 12"]),
        (Error::ChunkLength { got: 16_385 }, &["16385", "16384"]),
        (Error::Truncated, &["ends"]),
        (Error::EqualKeys, &["two keys"]),
        (Error::Serial, &["thread"]),
        (Error::NotSeekable, &["seek"]),
        (Error::Rounds { got: 13, most: 12 }, &["13", "12"]),
        (Error::Level { got: 65, most: 64 }, &["65", "64"]),
        (Error::Tree, &["tree"]),
        (Error::Leaves, &["leaves"]),
        (Error::DigestBits, &["8 bits"]),
        (Error::UnknownHash, &["hash"]),
        (Error::UnknownCipher, &["cipher"]),
        (Error::UnknownMode, &["mode"]),
        (Error::UnknownPadding, &["pkcs7", "none"]),
        (Error::UnknownBackend { names: &["a", "b", "c"] }, &["use a, b or c"]),
        (Error::MissingBackend, &["CPU"]),
    ]
}

#[test]
fn every_error_is_one_sentence_with_its_numbers() {
    let mut texts = HashSet::new();
    for (error, words) in errors() {
        let text = error.to_string();
        for word in words {
            assert!(text.contains(word), "{error:?}: '{text}' has no '{word}'");
        }
        assert!(
            text.len() > 20 && !text.contains('\n') && !text.ends_with('.'),
            "{error:?}: '{text}'"
        );
        assert!(texts.insert(text), "{error:?} says what another says");
    }
}

#[test]
fn defaults_are_what_the_documentation_says() {
    assert_eq!(Ctr::default(), Ctr::BE);
    assert_eq!(icefish::Backend::default(), icefish::Backend::best());
}

/// What ended a message in pieces is the sentence of its cause.
#[test]
fn errors_of_a_sink_are_those_of_their_cause() {
    use icefish::aead::OpenError;
    let of = |error: OpenError<&str>| error.to_string();
    assert_eq!(of(OpenError::Message(Error::Forged)), Error::Forged.to_string());
    assert_eq!(of(OpenError::Sink("full")), "full");
    assert!(of(OpenError::Discarded).contains("open it again"));
}
