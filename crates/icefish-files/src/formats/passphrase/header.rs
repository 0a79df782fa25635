//! The header of a file with a passphrase: costs and a salt, from which the key is derived.

use crate::formats::openssl;
use crate::{Error, random};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use zeroize::Zeroizing;

/// The first bytes of a header; the version follows.
pub const MAGIC: &[u8; 7] = b"icefish";

/// The version of a header.
pub const VERSION: u8 = 1;

/// Length of a salt (RFC 9106, section 3.1).
pub const SALT: usize = 16;

/// Length of a header.
pub const HEADER: usize = MAGIC.len() + 1 + 3 * 4 + SALT;

/// Length of the key that is derived.
pub const KEY: usize = 32;

/// The cost of one try of a passphrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Memory in KiB: 8 or more for each lane.
    pub memory: u32,
    /// Passes over the memory: 1 or more.
    pub passes: u32,
    /// Lanes, of which a guessing machine may compute as many at the same time: 1 to 2^24 - 1.
    pub lanes: u32,
}

impl Cost {
    /// The second recommended choice of RFC 9106, section 4: for where 2 GiB would be too much.
    pub const DEFAULT: Self = Self { memory: 64 << 10, passes: 3, lanes: 4 };

    /// Whether Argon2 takes it.
    ///
    /// # Errors
    /// [`Error::Cost`].
    pub fn check(self) -> Result<(), Error> {
        self.params().map(|_| ())
    }

    /// KiB that are written.
    fn work(self) -> u64 {
        u64::from(self.memory) * u64::from(self.passes)
    }

    /// What Argon2 makes of it.
    fn params(self) -> Result<Params, Error> {
        let Self { memory, passes, lanes } = self;
        let params = Params::new(memory, passes, lanes, Some(KEY));
        params.map_err(|_| Error::Cost { memory, passes, lanes })
    }
}

/// The most that opening a file may cost: a header may come from anybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Memory in KiB.
    pub memory: u64,
}

impl Limit {
    /// 2 GiB: the first recommended choice of RFC 9106, section 4.
    pub const DEFAULT: Self = Self { memory: 2 << 20 };

    /// So many times this much memory may be written, in all passes together.
    pub const PASSES: u64 = 4;

    /// Refuses a cost that is higher, of a file of that name.
    ///
    /// # Errors
    /// [`Error::TooCostly`].
    pub fn check(self, cost: Cost, name: &str) -> Result<(), Error> {
        let most = self.memory;
        let work = most.saturating_mul(Self::PASSES);
        if u64::from(cost.memory) <= most && cost.work() <= work {
            return Ok(());
        }
        let name = name.to_owned();
        // Whole MiB that would be enough.
        let need = u64::from(cost.memory).max(cost.work().div_ceil(Self::PASSES)).div_ceil(1024);
        let (memory, passes) = (cost.memory.div_ceil(1024), cost.passes);
        Err(Error::TooCostly { name, memory, passes, most: most / 1024, need })
    }
}

/// A header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    cost: Cost,
    salt: [u8; SALT],
}

impl Header {
    /// A header with a salt that is drawn from the operating system.
    ///
    /// # Errors
    /// [`Error::Cost`] if Argon2 takes no such parameters, [`Error::Random`].
    pub fn draw(cost: Cost) -> Result<Self, Error> {
        cost.check()?;
        let mut salt = [0; SALT];
        random::fill(&mut salt)?;
        Ok(Self { cost, salt })
    }

    /// Whether a file that begins with `bytes`, 7 at least, begins with a header.
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// The header that a file of that name begins with.
    ///
    /// # Errors
    /// [`Error::NoPassphrase`] if it begins with something else, or ends in its header; [`Error::HeaderVersion`];
    /// [`Error::HeaderCost`] if Argon2 takes no such parameters.
    pub fn parse(bytes: &[u8], name: &str) -> Result<Self, Error> {
        let openssl = bytes.starts_with(openssl::MAGIC);
        let no_header = || Error::NoPassphrase { name: name.to_owned(), openssl };
        match bytes.strip_prefix(MAGIC) {
            None | Some([]) => return Err(no_header()),
            Some([VERSION, ..]) if bytes.len() < HEADER => return Err(no_header()),
            Some([VERSION, ..]) => {}
            Some([got, ..]) => {
                return Err(Error::HeaderVersion { name: name.to_owned(), got: *got });
            }
        }
        let rest = &bytes[MAGIC.len() + 1..];
        let number = |at: usize| {
            rest[4 * at..4 * at + 4].iter().fold(0, |n, &byte| n << 8 | u32::from(byte))
        };
        let cost = Cost { memory: number(0), passes: number(1), lanes: number(2) };
        cost.check().map_err(|_| Error::HeaderCost { name: name.to_owned() })?;
        let mut salt = [0; SALT];
        salt.copy_from_slice(&rest[12..12 + SALT]);
        Ok(Self { cost, salt })
    }

    /// Its bytes, which are also the context of the message.
    pub fn bytes(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let Cost { memory, passes, lanes } = self.cost;
        let numbers = [memory, passes, lanes].map(u32::to_be_bytes).concat();
        let parts = MAGIC.iter().chain(&[VERSION]).chain(&numbers).chain(&self.salt);
        for (to, from) in bytes.iter_mut().zip(parts) {
            *to = *from;
        }
        bytes
    }

    /// The cost of one try of a passphrase.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// The key that a passphrase gives. Ask [`Limit::check`] before, if the header is somebody else's.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn key(&self, passphrase: &[u8]) -> Result<Zeroizing<[u8; KEY]>, Error> {
        let params = self.cost.params()?;
        // The last of these blocks is all that the key is made of: they are erased.
        let mut blocks: Zeroizing<Vec<Block>> = Zeroizing::new(Vec::new());
        let count = params.block_count();
        let no_memory = |_| Error::Memory { need: count.saturating_mul(Block::SIZE) };
        blocks.try_reserve_exact(count).map_err(no_memory)?;
        blocks.resize(count, Block::new());
        let mut key = Zeroizing::new([0; KEY]);
        let Cost { memory, passes, lanes } = self.cost;
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
            .hash_password_into_with_memory(
                passphrase,
                &self.salt,
                &mut *key,
                blocks.as_mut_slice(),
            )
            .map_err(|_| Error::Cost { memory, passes, lanes })?;
        Ok(key)
    }
}

#[cfg(test)]
mod tests;
