use crate::identity::Identity;

type Work<'a> = Box<dyn FnMut(u64) + 'a>;
type Output<'a> = Box<dyn FnMut() -> Vec<u8> + 'a>;

/// Something to measure.
pub struct Entry<'a> {
    /// What it is.
    pub id: Identity,
    /// Operations in one iteration of the work: results are divided by it.
    pub operations: u64,
    pub(super) work: Work<'a>,
    output: Option<Output<'a>>,
}

impl<'a> Entry<'a> {
    /// An entry whose `work(n)` runs `n` iterations, each of `operations` operations (1 for a message or a
    /// chained block, 8 for eight states at once). What is being measured must not be optimised away: feed
    /// results through [`std::hint::black_box`].
    pub fn new(id: Identity, operations: u64, work: impl FnMut(u64) + 'a) -> Self {
        Self { id, operations: operations.max(1), work: Box::new(work), output: None }
    }

    /// Adds what the entry computes from the group's common input, for [`Group::verify`].
    #[must_use]
    pub fn with_output(mut self, output: impl FnMut() -> Vec<u8> + 'a) -> Self {
        self.output = Some(Box::new(output));
        self
    }
}

/// Entries that are held against each other: the same work by other code, measured in turns.
pub struct Group<'a> {
    /// Shown as progress.
    pub name: String,
    /// In the order of the results.
    pub entries: Vec<Entry<'a>>,
}

impl<'a> Group<'a> {
    /// An empty group.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), entries: Vec::new() }
    }

    /// Adds an entry.
    #[must_use]
    pub fn with(mut self, entry: Entry<'a>) -> Self {
        self.entries.push(entry);
        self
    }

    /// What the first entry that has an output computes from the common input.
    pub fn output(&mut self) -> Option<Vec<u8>> {
        self.entries.iter_mut().find_map(|entry| entry.output.as_mut()).map(|output| output())
    }

    /// Compares the outputs of all entries that have one. Call it before measuring: code that computes
    /// something else is no peer, however fast. Returns how many outputs were compared.
    ///
    /// # Errors
    /// Names the first entry that differs from the first one.
    pub fn verify(&mut self) -> Result<usize, Mismatch> {
        let mut first: Option<(String, Vec<u8>)> = None;
        let mut compared = 0;
        for entry in &mut self.entries {
            let Some(output) = &mut entry.output else { continue };
            let bytes = output();
            compared += 1;
            match &first {
                None => first = Some((label(&entry.id), bytes)),
                Some((_, expected)) if *expected == bytes => {}
                Some((name, _)) => {
                    return Err(Mismatch {
                        group: self.name.clone(),
                        first: name.clone(),
                        other: label(&entry.id),
                    });
                }
            }
        }
        Ok(compared)
    }
}

fn label(id: &Identity) -> String {
    format!("{} ({})", id.name, id.peer)
}

/// Two entries of a group computed different things.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{group}: {other} computes something else than {first}")]
pub struct Mismatch {
    /// The group.
    pub group: String,
    /// The entry that the others are compared with.
    pub first: String,
    /// The entry that differs.
    pub other: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::identity;

    fn group(outputs: &[Option<&'static [u8]>]) -> Group<'static> {
        let mut group = Group::new("g");
        for (i, output) in outputs.iter().enumerate() {
            let mut entry = Entry::new(identity(&format!("e{i}")), 1, |_| {});
            if let Some(bytes) = *output {
                entry = entry.with_output(|| bytes.to_vec());
            }
            group = group.with(entry);
        }
        group
    }

    #[test]
    fn equal_outputs_pass_and_missing_ones_do_not_count() {
        assert_eq!(group(&[Some(b"x"), None, Some(b"x")]).verify(), Ok(2));
        assert_eq!(group(&[]).verify(), Ok(0));
    }

    #[test]
    fn a_different_output_is_named() {
        let error = group(&[None, Some(b"x"), Some(b"y")]).verify().unwrap_err();
        assert_eq!(error.to_string(), "g: e2 (icefish) computes something else than e1 (icefish)");
    }
}
