//! Features that all code of the program may use: it was compiled with `-C target-cpu`, or all CPUs of its target have them.

/// Whether all of these features are enabled, a list with commas. One that is not known here does not compile.
pub(super) const fn enabled(features: &str) -> bool {
    macro_rules! known {
        ($($name:literal)+) => { &[$(($name, cfg!(target_feature = $name))),+] };
    }
    const KNOWN: &[(&str, bool)] = known! {
        "aes" "avx2" "avx512bw" "avx512dq" "avx512f" "avx512vbmi" "avx512vl" "bmi1" "bmi2" "gfni" "neon" "pclmulqdq" "sha3"
        "vaes" "vpclmulqdq"
    };
    let mut rest = features.as_bytes();
    loop {
        let mut end = 0;
        while end < rest.len() && rest[end] != b',' {
            end += 1;
        }
        let (name, after) = rest.split_at(end);
        let mut i = 0;
        while !same(KNOWN[i].0.as_bytes(), name) {
            i += 1;
        }
        match (KNOWN[i].1, after) {
            (false, _) => return false,
            (true, []) => return true,
            (true, [_, next @ ..]) => rest = next,
        }
    }
}

/// Whether two names are equal, at compile time.
pub(super) const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

#[cfg(test)]
mod tests {
    use super::{enabled, same};

    #[test]
    fn names_are_equal_as_a_whole() {
        assert!(same(b"aes", b"aes") && same(b"", b""));
        assert!(!same(b"aes", b"vaes") && !same(b"aes", b"aes2") && !same(b"avx512bw", b"avx512b"));
    }

    #[test]
    fn all_features_of_a_list_count() {
        let avx2 = cfg!(target_feature = "avx2");
        assert_eq!(enabled("avx2"), avx2);
        assert_eq!(enabled("avx2,vaes"), avx2 && cfg!(target_feature = "vaes"));
        // No target has both.
        assert!(!enabled("avx2,neon") && !enabled("neon,avx2"));
    }
}
