//! Known answers of what is built on the ciphers and permutations.

use super::{Outcome, Wrong};
use icefish::Backend;
use icefish::constructions::xoodyak::{hash, hash_many};
use icefish::constructions::xoofff::{Sane, Sanse, Wbc, Xoofff};
use icefish::storage::cobblestone::HEADER;
use icefish::suite::{
    AeadSuite, CHUNKED, ChunkedSuite, HashSuite, MACS, MacSuite, UNITS, UnitSuite,
};

/// A line an answer.
const ANSWERS: &str = include_str!("constructions.csv");

/// More messages than any backend hashes side by side.
const COPIES: usize = 35;

/// A known answer: what goes in, and what must come out.
struct Answer<'a> {
    construction: &'a str,
    key: Vec<u8>,
    nonce: Vec<u8>,
    associated: Vec<Vec<u8>>,
    messages: Vec<Vec<u8>>,
    outputs: Vec<Vec<u8>>,
    source: &'a str,
}

/// One message of an answer.
#[derive(Clone, Copy)]
struct Message<'a> {
    plain: &'a [u8],
    associated: &'a [u8],
    output: &'a [u8],
}

/// All of them, or why the table cannot be read.
fn answers() -> Result<Vec<Answer<'static>>, Wrong> {
    let lines = ANSWERS.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(answer).collect()
}

fn answer(line: &str) -> Result<Answer<'_>, Wrong> {
    let fields: Vec<&str> = line.split(',').collect();
    let [construction, key, nonce, associated, messages, outputs, source] = fields[..] else {
        return Err(Wrong(format!("a line of {} fields", fields.len())));
    };
    let list = |field: &str| field.split('|').map(hex::decode).collect::<Result<Vec<_>, _>>();
    Ok(Answer {
        construction,
        key: hex::decode(key)?,
        nonce: hex::decode(nonce)?,
        associated: list(associated)?,
        messages: list(messages)?,
        outputs: list(outputs)?,
        source,
    })
}

/// Asks for every one.
pub(super) fn run(backend: Backend, outcome: &mut Outcome) {
    match answers() {
        Ok(answers) => {
            for answer in &answers {
                outcome.count(answer.construction, answer.source, answer.check(backend));
            }
        }
        Err(wrong) => outcome.count("constructions", "their table", Err(wrong)),
    }
}

impl Answer<'_> {
    /// Whether it is right on `backend`, there and back.
    fn check(&self, backend: Backend) -> Result<bool, Wrong> {
        match self.construction {
            "xoodyak-hash" => self.hash(backend),
            "xoofff" | "xoofff-short" => self.xoofff(backend),
            "xoofff-sane" => self.sane(backend),
            "xoofff-sanse" => self.sanse(backend),
            "xoofff-wbc" => self.wide(backend),
            "xoofff-wbc-ae" => self.sealed_wide(backend),
            name => {
                if let Some(suite) = UNITS.iter().find(|suite| suite.name == name) {
                    return self.units(suite, backend);
                }
                if let Some(suite) = MACS.iter().find(|suite| suite.name == name) {
                    return self.mac(suite, backend);
                }
                if let Some(suite) = CHUNKED.iter().find(|suite| suite.name == name) {
                    return self.chunk(suite, backend);
                }
                if let Ok(suite) = name.parse::<HashSuite>()
                    && suite.keyed
                {
                    return self.skein(suite, backend);
                }
                self.sealed(name.parse()?, backend)
            }
        }
    }

    /// The only message.
    fn one(&self) -> Result<Message<'_>, Wrong> {
        match self.messages(&self.outputs)?[..] {
            [message] => Ok(message),
            _ => Err(Wrong("more than one message".to_owned())),
        }
    }

    /// The messages that have these outputs.
    fn messages<'a>(&'a self, outputs: &'a [Vec<u8>]) -> Result<Vec<Message<'a>>, Wrong> {
        if (self.messages.len(), self.associated.len()) != (outputs.len(), outputs.len()) {
            return Err(Wrong("as many outputs as messages are needed".to_owned()));
        }
        let inputs = self.messages.iter().zip(&self.associated);
        let each = inputs.zip(outputs);
        Ok(each
            .map(|((plain, associated), output)| Message { plain, associated, output })
            .collect())
    }

    fn units(&self, suite: &UnitSuite, backend: Backend) -> Result<bool, Wrong> {
        let Message { plain, output, .. } = self.one()?;
        let key = suite.key(backend, &self.key)?;
        let mut unit = [0; 16];
        unit[..self.nonce.len()].copy_from_slice(&self.nonce);
        let (unit, mut data) = (u128::from_le_bytes(unit), plain.to_vec());
        key.encrypt_units(unit, plain.len(), &mut data)?;
        let right = data == output;
        key.decrypt_units(unit, plain.len(), &mut data)?;
        Ok(right && data == plain)
    }

    fn mac(&self, suite: &MacSuite, backend: Backend) -> Result<bool, Wrong> {
        let Message { plain, output, .. } = self.one()?;
        let key = suite.key(backend, &self.key)?;
        let mut tag = vec![0; suite.tag];
        key.tag(plain, &mut tag)?;
        key.verify(plain, output)?;
        Ok(tag == output)
    }

    fn sealed(&self, suite: AeadSuite, backend: Backend) -> Result<bool, Wrong> {
        let Message { plain, associated, output } = self.one()?;
        let key = suite.key(backend, &self.key)?;
        let (mut data, mut tag) = (plain.to_vec(), vec![0; suite.tag]);
        key.seal_in_place(&self.nonce, associated, &mut data, &mut tag)?;
        let right = [&data[..], &tag].concat() == output;
        key.open_in_place(&self.nonce, associated, &mut data, &tag)?;
        tag[0] ^= 1;
        let refused = key.open_in_place(&self.nonce, associated, &mut plain.to_vec(), &tag);
        Ok(right && data == plain && refused.is_err())
    }

    /// A message of one chunk; its output begins with its salt.
    fn chunk(&self, suite: &ChunkedSuite, backend: Backend) -> Result<bool, Wrong> {
        let Message { plain, associated: context, output } = self.one()?;
        let (Some(salt), Some((header, chunk))) =
            (output.first_chunk(), output.split_at_checked(HEADER))
        else {
            return Ok(false);
        };
        let key = suite.key(backend, &self.key)?;
        let sealer = key.sealer(salt, context);
        let (mut data, mut back) = (plain.to_vec(), plain.to_vec());
        let tag = sealer.seal_in_place(0, true, &mut data)?;
        let right = sealer.header() == header && [&data[..], &tag].concat() == chunk;
        key.opener(header, context)?.open_between(0, true, chunk, &mut back)?;
        Ok(right && back == plain)
    }

    /// One and many.
    fn hash(&self, backend: Backend) -> Result<bool, Wrong> {
        let Message { plain, output, .. } = self.one()?;
        let (mut one, mut many) = ([0; 32], [[0; 32]; COPIES]);
        hash(backend, plain, &mut one);
        hash_many(backend, &[plain; COPIES], &mut many)?;
        Ok(one == output && many.iter().all(|digest| digest == output))
    }

    /// One, in two pieces, and many.
    fn skein(&self, suite: HashSuite, backend: Backend) -> Result<bool, Wrong> {
        let Message { plain, output, .. } = self.one()?;
        let bits = 8 * output.len() as u64;
        let hash = if self.key.is_empty() {
            suite.hash(backend, bits)?
        } else {
            suite.mac(backend, &self.key, bits)?
        };
        let mut digests = vec![0; COPIES * output.len()];
        hash.hash_many(&[plain; COPIES], &mut digests)?;
        let (first, rest) = plain.split_at(plain.len() / 3);
        let mut pieces = hash.start();
        pieces.update(first);
        pieces.update(rest);
        let mut digest = vec![0; output.len()];
        pieces.finish(&mut digest)?;
        hash.verify(plain, output)?;
        Ok(digest == output && digests.chunks_exact(output.len()).all(|one| one == output))
    }

    fn xoofff(&self, backend: Backend) -> Result<bool, Wrong> {
        let mut history = Xoofff::on(backend, &self.key)?.history();
        self.messages.iter().for_each(|string| history.push(string));
        let short = self.construction == "xoofff-short";
        let mut stream = if short { history.short_output() } else { history.output() };
        let [output] = &self.outputs[..] else { return Ok(false) };
        let mut bytes = vec![0; output.len()];
        stream.fill(&mut bytes);
        Ok(bytes == *output)
    }

    fn sane(&self, backend: Backend) -> Result<bool, Wrong> {
        let key = Xoofff::on(backend, &self.key)?;
        let (mut here, first) = Sane::new(&key, &self.nonce);
        let mut there = Sane::accept(&key, &self.nonce, &first)?;
        let (expected, outputs) = self.outputs.split_first().ok_or_else(no_tag)?;
        let mut right = first == expected[..];
        for Message { plain, associated, output } in self.messages(outputs)? {
            let (crypted, expected) = output.split_last_chunk().ok_or_else(no_tag)?;
            let mut data = plain.to_vec();
            let tag = here.seal_in_place(associated, &mut data);
            right &= data == crypted && tag == *expected;
            there.open_in_place(associated, &mut data, &tag)?;
            right &= data == plain;
        }
        Ok(right)
    }

    fn sanse(&self, backend: Backend) -> Result<bool, Wrong> {
        let key = Xoofff::on(backend, &self.key)?;
        let (mut here, mut there) = (Sanse::new(&key), Sanse::new(&key));
        let mut right = true;
        for Message { plain, associated, output } in self.messages(&self.outputs)? {
            let (crypted, expected) = output.split_last_chunk().ok_or_else(no_tag)?;
            let mut data = plain.to_vec();
            let tag = here.seal_in_place(associated, &mut data);
            right &= data == crypted && tag == *expected;
            there.open_in_place(associated, &mut data, &tag)?;
            right &= data == plain;
        }
        Ok(right)
    }

    fn wide(&self, backend: Backend) -> Result<bool, Wrong> {
        let Message { plain, associated: tweak, output } = self.one()?;
        let wbc = Wbc::new(&Xoofff::on(backend, &self.key)?);
        let mut block = plain.to_vec();
        wbc.encipher(tweak, &mut block)?;
        let right = block == output;
        wbc.decipher(tweak, &mut block)?;
        Ok(right && block == plain)
    }

    fn sealed_wide(&self, backend: Backend) -> Result<bool, Wrong> {
        let Message { plain, associated, output } = self.one()?;
        let wbc = Wbc::new(&Xoofff::on(backend, &self.key)?);
        let mut buffer = plain.to_vec();
        buffer.resize(plain.len() + Wbc::TAG, 0);
        wbc.seal(associated, &mut buffer)?;
        let right = buffer == output;
        Ok(right && *wbc.open(associated, &mut buffer)? == *plain)
    }
}

fn no_tag() -> Wrong {
    Wrong("an output without a tag".to_owned())
}

#[cfg(test)]
mod tests;
