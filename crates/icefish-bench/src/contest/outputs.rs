//! What peers of another process must compute, without the data: a digest for each contest.

use std::collections::BTreeMap;
use std::path::Path;

use super::Contest;
use crate::Error;
use crate::measure::{Group, Mismatch};

/// Digests of our outputs, by contest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outputs(BTreeMap<String, u64>);

impl Outputs {
    /// Ours, of the contests in which peers take part that are compiled for a CPU.
    #[cfg(feature = "ours")]
    #[must_use]
    pub fn of(contests: &[Contest]) -> Self {
        let contests = contests.iter().filter(|contest| super::may_have_compiled_peers(contest));
        let digests = contests.filter_map(|contest| {
            Some((contest.to_string(), digest(&super::ours::best(contest, &[]).output()?)))
        });
        Self(digests.collect())
    }

    /// Nothing to hold anybody against.
    #[cfg(not(feature = "ours"))]
    #[must_use]
    pub fn of(_: &[Contest]) -> Self {
        Self::default()
    }

    /// Writes them as CSV.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_csv(&self, path: &Path) -> Result<(), Error> {
        let mut writer = csv::Writer::from_path(path).map_err(Error::csv(path))?;
        for line in &self.0 {
            writer.serialize(line).map_err(Error::csv(path))?;
        }
        writer.flush().map_err(Error::io(path))
    }

    /// Reads what [`Outputs::write_csv`] wrote.
    ///
    /// # Errors
    /// If the file cannot be read or is something else.
    pub fn read_csv(path: &Path) -> Result<Self, Error> {
        let mut reader = csv::ReaderBuilder::new();
        let mut reader = reader.has_headers(false).from_path(path).map_err(Error::csv(path))?;
        reader.deserialize().collect::<Result<_, _>>().map(Self).map_err(Error::csv(path))
    }

    /// Compares what a group computes, whose entries agree, with ours.
    ///
    /// # Errors
    /// If it is something else, or if there is nothing of ours.
    pub fn verify(&self, contest: &Contest, group: &mut Group<'_>) -> Result<(), Mismatch> {
        let ours = self.0.get(&contest.to_string()).copied();
        if ours.is_some() && ours == group.output().as_deref().map(digest) {
            return Ok(());
        }
        let peers: Vec<&str> = group.entries.iter().map(|entry| entry.id.peer.as_str()).collect();
        // They agree with each other.
        let each = if peers.len() > 1 { "each of " } else { "" };
        Err(Mismatch {
            group: contest.to_string(),
            first: "icefish in the first build".to_owned(),
            other: format!("{each}{} in this build", peers.join(", ")),
        })
    }
}

/// FNV-1a of 64 bits: nobody is out to deceive.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |digest, byte| {
        (digest ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Entry;
    use crate::samples;

    /// From the table of Noll's draft on FNV (draft-eastlake-fnv).
    #[test]
    fn the_digest_is_fnv_1a() {
        assert_eq!(digest(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(digest(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(digest(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn another_process_is_held_against_ours() {
        let xoodoo = super::super::contests(&["xoodoo12".to_owned()]).remove(0);
        let group = || {
            let entry = Entry::new(samples::identity("xoodoo"), 1, |_| ());
            Group::new("theirs").with(entry.with_output(|| b"foobar".to_vec()))
        };
        let mut outputs = Outputs::default();
        assert!(outputs.verify(&xoodoo, &mut group()).is_err());
        outputs.0.insert(xoodoo.to_string(), digest(b"foobar"));
        let path =
            std::env::temp_dir().join(format!("icefish-bench-outputs-{}", std::process::id()));
        outputs.write_csv(&path).unwrap();
        let back = Outputs::read_csv(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(back, outputs);
        assert_eq!(back.verify(&xoodoo, &mut group()), Ok(()));
        outputs.0.insert(xoodoo.to_string(), digest(b"foobar") ^ 1);
        assert!(outputs.verify(&xoodoo, &mut group()).is_err());
    }

    #[test]
    fn names_tell_contests_apart() {
        let all = super::super::contests(&[]);
        let names: std::collections::BTreeSet<_> = all.iter().map(ToString::to_string).collect();
        assert_eq!(names.len(), all.len());
    }
}
