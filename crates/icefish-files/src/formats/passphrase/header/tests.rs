use super::*;

const PLAIN: Cost = Cost { memory: 8, passes: 1, lanes: 1 };

fn header(cost: Cost, salt: [u8; SALT]) -> Header {
    Header { cost, salt }
}

/// By hand, as the table describes it.
#[test]
fn layout() {
    let cost = Cost { memory: 0x0102_0304, passes: 0x0506_0708, lanes: 0x0000_0a0b };
    let made = header(cost, *b"sixteen bytes...");
    let mut expected = b"icefish\x01\x01\x02\x03\x04\x05\x06\x07\x08\x00\x00\x0a\x0b".to_vec();
    expected.extend(b"sixteen bytes...");
    assert_eq!(made.bytes().as_slice(), expected);
    assert_eq!(expected.len(), HEADER);
    assert!(matches!(Header::parse(&expected, "x"), Ok(same) if same == made));
    expected.push(0);
    assert!(matches!(Header::parse(&expected, "x"), Ok(same) if same == made));
}

#[test]
fn keys_of_others() {
    let rows = include_str!("../../../../tests/vectors/argon2id.csv");
    let mut keys = 0;
    for row in rows.lines().filter(|row| !row.starts_with('#')) {
        let [passphrase, memory, passes, lanes, salt, key] =
            row.split(',').collect::<Vec<_>>().try_into().expect("six columns");
        let number = |text: &str| text.parse().expect("a number");
        let bytes = |text| hex::decode(text).expect("hex");
        let cost = Cost { memory: number(memory), passes: number(passes), lanes: number(lanes) };
        let made = header(cost, bytes(salt).try_into().expect("16 bytes"));
        let derived = made.key(&bytes(passphrase)).expect("little memory");
        assert_eq!(derived.as_slice(), bytes(key), "{row}");
        keys += 1;
    }
    assert_eq!(keys, 9);
}

#[test]
fn what_is_no_header() {
    let right = header(PLAIN, [7; SALT]).bytes();
    for len in 0..HEADER {
        let cut = Header::parse(&right[..len], "x");
        assert!(matches!(cut, Err(Error::NoPassphrase { .. })), "{len}");
    }
    for at in 0..MAGIC.len() {
        let mut wrong = right;
        wrong[at] ^= 0x20;
        assert!(matches!(Header::parse(&wrong, "x"), Err(Error::NoPassphrase { .. })), "{at}");
        assert!(!Header::begins(&wrong));
    }
    for version in [0, 2, 255] {
        let mut wrong = right;
        wrong[7] = version;
        let e = Header::parse(&wrong, "x");
        assert!(matches!(e, Err(Error::HeaderVersion { got, .. }) if got == version), "{version}");
    }
}

#[test]
fn costs_that_cannot_be() {
    let largest = u32::MAX;
    for (memory, passes, lanes) in [
        (0, 1, 1),
        (7, 1, 1),
        (8, 0, 1),
        (8, 1, 0),
        (8, 1, 2),
        (largest, 1, 1 << 24),
        (largest, 1, 1 << 29),
        (largest, 1, largest),
        (0, largest, largest),
    ] {
        let cost = Cost { memory, passes, lanes };
        assert!(matches!(Header::draw(cost), Err(Error::Cost { .. })), "{cost:?}");
        let bytes = header(cost, [0; SALT]).bytes();
        assert!(matches!(Header::parse(&bytes, "x"), Err(Error::HeaderCost { .. })), "{cost:?}");
    }
}

#[test]
fn limits() {
    let refused = |limit: Limit, memory, passes, enough: u64| {
        let cost = Cost { memory, passes, lanes: 1 };
        match limit.check(cost, "x") {
            Ok(()) => panic!("{cost:?} is too much"),
            Err(Error::TooCostly { need, .. }) => {
                assert_eq!(need, enough, "{cost:?}");
                let raised = Limit { memory: need * 1024 };
                assert!(raised.check(cost, "x").is_ok(), "{cost:?}");
            }
            Err(e) => panic!("{e}"),
        }
    };
    let limit = Limit::DEFAULT;
    for (memory, passes) in [(64 << 10, 3), (2 << 20, 1), (2 << 20, 4), (1 << 20, 8), (8, 1 << 20)]
    {
        assert!(limit.check(Cost { memory, passes, lanes: 4 }, "x").is_ok(), "{memory} {passes}");
    }
    refused(limit, (2 << 20) + 1, 1, 2049);
    refused(limit, 2 << 20, 5, 2560);
    refused(limit, 8, (1 << 20) + 1, 2049);
    refused(limit, 8, u32::MAX, 8 << 20);
    refused(limit, u32::MAX, 1, 4 << 20);
    refused(limit, u32::MAX, u32::MAX, (1 << 52) - (1 << 21) + 1);
    refused(Limit { memory: 8 }, 8, 5, 1);
}

#[test]
fn salts_are_drawn_anew() -> Result<(), Error> {
    let (a, b) = (Header::draw(PLAIN)?, Header::draw(PLAIN)?);
    assert_ne!(a.salt, b.salt);
    assert_ne!(*a.key(b"x")?, *b.key(b"x")?);
    assert_eq!(*a.key(b"x")?, *Header::parse(&a.bytes(), "a")?.key(b"x")?);
    assert_ne!(*a.key(b"x")?, *a.key(b"y")?);
    Ok(())
}
