//! What the program can do, a module a command.

pub(crate) mod bench;
pub(crate) mod block;
pub(crate) mod completions;
mod crypt;
pub(crate) mod decrypt;
pub(crate) mod encrypt;
pub(crate) mod hash;
pub(crate) mod info;
pub(crate) mod man;
pub(crate) mod permute;
pub(crate) mod selftest;
