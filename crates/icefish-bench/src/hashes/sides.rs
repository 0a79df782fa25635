//! The hash functions, and whose code computes them.

use icefish::Backend;
use icefish::constructions::skein::{Arguments, Skein, Tree};

/// Hashes the messages of these lengths that lie one after the other; the digests lie one after the other too.
pub(super) type Work = Box<dyn FnMut(&[u8], &[usize]) -> Vec<u8>>;

/// A hash function in one library.
pub(super) struct Side {
    /// The name of its column.
    pub(super) what: &'static str,
    /// Sides of the same function compute the same.
    pub(super) function: &'static str,
    pub(super) by: &'static str,
    pub(super) version: &'static str,
    /// Bytes of the shortest message that it is for; what divides a message is for one alone.
    least: usize,
    pub(super) make: fn() -> Work,
}

/// Shorter messages are no work for a tree, or for several threads.
const TREE: usize = 1 << 20;

impl Side {
    const OURS: Self = Self {
        what: "skein-512",
        function: "skein-512",
        by: "icefish",
        version: env!("CARGO_PKG_VERSION"),
        least: 0,
        make: || skein::<8, 64>(Backend::best(), None, false),
    };

    pub(super) fn is_wanted(&self, filters: &[String]) -> bool {
        let named = |filter: &String| self.what.contains(&**filter) || self.by.contains(&**filter);
        filters.is_empty() || filters.iter().any(named)
    }

    pub(super) fn takes(&self, lengths: &[usize]) -> bool {
        self.least == 0 || (lengths.len() == 1 && lengths[0] >= self.least)
    }
}

/// Those of this build.
pub(super) fn all() -> impl Iterator<Item = Side> {
    let ours = [
        Side::OURS,
        Side {
            what: "skein-512 tree",
            function: "skein-512 tree",
            least: TREE,
            make: || skein::<8, 64>(Backend::best(), Some(Tree::USUAL), false),
            ..Side::OURS
        },
        #[cfg(feature = "parallel")]
        Side {
            what: "skein-512 tree, all cores",
            function: "skein-512 tree",
            least: TREE,
            make: || skein::<8, 64>(Backend::best(), Some(Tree::USUAL), true),
            ..Side::OURS
        },
    ];
    let ours = ours.into_iter();
    let ours = ours.chain(others(512).into_iter().map(|(by, version, make)| Side {
        by,
        version,
        make,
        ..Side::OURS
    }));
    #[cfg(feature = "peer-blake3")]
    let ours = ours.chain(blake3());
    #[cfg(feature = "peer-openssl")]
    let ours = ours.chain(openssl());
    ours
}

/// All messages in one call.
pub(super) fn skein<const W: usize, const B: usize>(
    backend: Backend,
    tree: Option<Tree>,
    threads: bool,
) -> Work {
    let arguments = Arguments { tree, ..Arguments::default() };
    let skein = Skein::<W, B>::on(backend, 8 * B as u64, &arguments);
    #[cfg(feature = "parallel")]
    let skein = if threads { skein.on_all_cores() } else { skein };
    let _ = threads;
    Box::new(move |data, lengths| {
        let mut digests = vec![0; B * lengths.len()];
        match lengths {
            [_] => skein.hash(data, &mut digests),
            _ => skein.hash_many(&messages(data, lengths).collect::<Vec<_>>(), &mut digests),
        }
        .expect("a digest for each message");
        digests
    })
}

/// The name of other code, its version, and what makes its work.
type Other = (&'static str, &'static str, fn() -> Work);

/// Other code for Skein with blocks and digests of `bits` bits.
pub(super) fn others(bits: u16) -> Vec<Other> {
    let mut others: Vec<Other> = Vec::new();
    #[cfg(feature = "peer-rustcrypto")]
    others.push((
        "rustcrypto",
        "skein 0.2.0",
        match bits {
            256 => rustcrypto::<::skein::Skein256_256>,
            512 => rustcrypto::<::skein::Skein512_512>,
            _ => rustcrypto::<::skein::Skein1024_1024>,
        },
    ));
    #[cfg(feature = "peer-botan")]
    if bits == 512 {
        others.push(("botan", botan_version(), botan));
    }
    let _ = (bits, &mut others);
    others
}

#[cfg(feature = "peer-rustcrypto")]
fn rustcrypto<D: ::skein::digest::Digest>() -> Work {
    Box::new(|data, lengths| messages(data, lengths).flat_map(D::digest).collect())
}

#[cfg(feature = "peer-botan")]
fn botan_version() -> &'static str {
    static VERSION: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    VERSION.get_or_init(|| {
        let version = ::botan::Version::current();
        version.map_or_else(
            |_| "unknown".to_owned(),
            |v| format!("{}.{}.{}", v.major, v.minor, v.patch),
        )
    })
}

#[cfg(feature = "peer-botan")]
fn botan() -> Work {
    let mut hash = ::botan::HashFunction::new("Skein-512").expect("Botan was compiled with it");
    Box::new(move |data, lengths| {
        let digest = |message| {
            hash.update(message).expect("any bytes will do");
            hash.finish().expect("a digest")
        };
        messages(data, lengths).flat_map(digest).collect()
    })
}

fn messages<'d>(mut data: &'d [u8], lengths: &'d [usize]) -> impl Iterator<Item = &'d [u8]> {
    lengths.iter().map(move |&length| {
        let (message, rest) = data.split_at(length);
        data = rest;
        message
    })
}

#[cfg(feature = "peer-blake3")]
fn blake3() -> [Side; 2] {
    fn work(threads: bool) -> Work {
        Box::new(move |data, lengths| {
            let digest = |message| {
                let mut hasher = blake3::Hasher::new();
                match threads {
                    true => hasher.update_rayon(message),
                    false => hasher.update(message),
                };
                *hasher.finalize().as_bytes()
            };
            messages(data, lengths).flat_map(digest).collect()
        })
    }
    let side = |what, least, make| Side {
        what,
        function: "blake3",
        by: "blake3 (crate)",
        version: "1.8.7",
        least,
        make,
    };
    [side("blake3", 0, || work(false)), side("blake3, all cores", TREE, || work(true))]
}

#[cfg(feature = "peer-openssl")]
fn openssl() -> [Side; 3] {
    use icefish_openssl4::Digest;

    fn work(name: &str) -> Work {
        let mut hash = Digest::new(name).expect("OpenSSL was compiled with it");
        Box::new(move |data, lengths| {
            let mut digests = vec![0; hash.length() * lengths.len()];
            let each = digests.chunks_exact_mut(hash.length());
            for (message, digest) in messages(data, lengths).zip(each) {
                hash.hash(message, digest);
            }
            digests
        })
    }
    let side = |what, make| Side {
        what,
        function: what,
        by: "openssl",
        version: icefish_openssl4::version(),
        least: 0,
        make,
    };
    [
        side("sha-256", || work("SHA2-256")),
        side("sha-512", || work("SHA2-512")),
        side("blake2b-512", || work("BLAKE2B-512")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first bytes of the digests of `abc`: of SHA-2 from FIPS 180-4, of BLAKE2b from RFC 7693, of BLAKE3 from the program b3sum.
    const ABC: [(&str, &str); 4] = [
        ("blake3", "6437b3ac38465133"),
        ("sha-256", "ba7816bf8f01cfea"),
        ("sha-512", "ddaf35a193617aba"),
        ("blake2b-512", "ba80a53f981c4d0d"),
    ];

    #[test]
    fn sides_compute_what_they_are_called() {
        for side in all() {
            let Some((_, known)) = ABC.iter().find(|(name, _)| *name == side.function) else {
                // The library's tests have the vectors of Skein.
                assert_eq!(side.by, "icefish");
                continue;
            };
            let digests = (side.make)()(b"abcabc", &[3, 3]);
            let (first, second) = digests.split_at(digests.len() / 2);
            assert_eq!(first, second, "{}", side.what);
            let digits: String = first[..8].iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(digits, *known, "{} by {}", side.what, side.by);
        }
    }

    #[test]
    fn sides_of_one_function_agree() {
        let (data, all) = (vec![7; 3 << 20], all().collect::<Vec<_>>());
        assert!(super::super::agree(&all, &data, &[data.len()]).is_ok());
        let other = Side {
            what: "other",
            make: || skein::<8, 64>(Backend::best(), None, false),
            ..Side::OURS
        };
        let other = Side { function: "skein-512 tree", ..other };
        let tree = all.into_iter().find(|side| side.what == "skein-512 tree").expect("it is ours");
        let wrong = super::super::agree(&[tree, other], &data, &[data.len()]).unwrap_err();
        assert!(wrong.to_string().contains("skein-512 tree"), "{wrong}");
    }
}
