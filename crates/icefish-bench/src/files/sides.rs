//! The programs, and how they are called.

use super::folder::Folder;

/// What is encrypted, or hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Data {
    /// The large file.
    Large,
    /// Many short files, each of which becomes NAME.enc.
    Many,
    /// A file of the length of the large one, whatever is in it.
    Length,
    /// The large file, of which only a digest is printed.
    LargeRead,
    /// Many short files, of which only digests are printed.
    ManyRead,
}

impl Data {
    /// Whether it is the short files.
    pub(super) fn is_many(self) -> bool {
        matches!(self, Self::Many | Self::ManyRead)
    }
}

/// A program, as the lines that call it. [`Folder::command`] says what stands for the words in braces.
pub(super) struct Side {
    /// The format or mode.
    pub(super) what: &'static str,
    /// The program.
    pub(super) by: &'static str,
    pub(super) data: Data,
    /// Prints the version; where it fails, the side is left out.
    version: &'static str,
    /// From the plaintext to what is sealed, or its digest; of many files, from all.
    pub(super) seal: &'static str,
    /// Back; of many files, from one. Empty for a copy and for digests.
    pub(super) open: &'static str,
}

impl Side {
    const OURS: Self = Self {
        what: "",
        by: "icefish",
        data: Data::Large,
        version: "{icefish} --version",
        seal: "",
        open: "",
    };

    pub(super) fn is_wanted(&self, filters: &[String]) -> bool {
        let named = |filter: &String| self.what.contains(&**filter) || self.by.contains(&**filter);
        // Everything is held against it.
        filters.is_empty() || self.by == "cp" || filters.iter().any(named)
    }

    /// The first word of the first line that begins with a digit, or with one after a `v`.
    pub(super) fn version(&self, folder: &Folder) -> Result<String, String> {
        let said = folder.run(self.version, None)?;
        let number = |word: &&str| {
            word.strip_prefix('v').unwrap_or(word).starts_with(|c: char| c.is_ascii_digit())
        };
        let first = said.lines().next().unwrap_or_default();
        // `OpenSSL 3.0.19 27 Jan 2026` has its version first, and no other program says more than one.
        let version = first.split_whitespace().find(number).unwrap_or_default();
        Ok(version.trim_start_matches('v').to_owned())
    }
}

pub(super) const SIDES: &[Side] = &[
    Side { what: "copy", by: "cp", version: "cp --version", seal: "cp {from} {to}", ..Side::OURS },
    Side {
        what: "copy on all cores",
        by: "icefish-bench",
        seal: "{bench} threads copy {from} {to}",
        ..Side::OURS
    },
    Side {
        what: "nothing but writing",
        by: "icefish-bench",
        data: Data::Length,
        seal: "{bench} threads write {from} {to}",
        ..Side::OURS
    },
    Side {
        what: "cobblestone-256",
        seal: "{icefish} encrypt --key-file {key32} {from} -o {to}",
        open: "{icefish} decrypt --key-file {key32} {from} -o {to}",
        ..Side::OURS
    },
    Side {
        what: "cobblestone-256",
        by: "cobblestone (crate)",
        version: "{bench} cobblestone version",
        seal: "{bench} cobblestone seal {key32} {from} {to}",
        open: "{bench} cobblestone open {key32} {from} {to}",
        ..Side::OURS
    },
    Side {
        what: "cobblestone-256",
        by: "pyca/cryptography",
        version: "{python} {pyca} version",
        seal: "{python} {pyca} Cobblestone256Encryptor {key32} {from} {to}",
        open: "{python} {pyca} Cobblestone256Decryptor {key32} {from} {to}",
        ..Side::OURS
    },
    Side {
        what: "cobblestone-128",
        seal: "{icefish} encrypt --key-file {key16} {from} -o {to}",
        open: "{icefish} decrypt --key-file {key16} {from} -o {to}",
        ..Side::OURS
    },
    Side {
        what: "cobblestone-128",
        by: "cobblestone (crate)",
        version: "{bench} cobblestone version",
        seal: "{bench} cobblestone seal {key16} {from} {to}",
        open: "{bench} cobblestone open {key16} {from} {to}",
        ..Side::OURS
    },
    Side {
        what: "cobblestone-128",
        by: "pyca/cryptography",
        version: "{python} {pyca} version",
        seal: "{python} {pyca} Cobblestone128Encryptor {key16} {from} {to}",
        open: "{python} {pyca} Cobblestone128Decryptor {key16} {from} {to}",
        ..Side::OURS
    },
    Side {
        what: "age",
        by: "age",
        version: "age --version",
        seal: "age -e -i {age} -o {to} {from}",
        open: "age -d -i {age} -o {to} {from}",
        ..Side::OURS
    },
    Side {
        what: "age",
        by: "rage",
        version: "rage --version",
        seal: "rage -e -i {age} -o {to} {from}",
        open: "rage -d -i {age} -o {to} {from}",
        ..Side::OURS
    },
    Side {
        what: "OpenPGP, not compressed",
        by: "gpg --symmetric",
        version: "gpg --version",
        seal: "gpg --homedir {home} --batch --pinentry-mode loopback --passphrase-file {key32} \
               --compress-algo none --symmetric -o {to} {from}",
        open: "gpg --homedir {home} --batch --quiet --pinentry-mode loopback \
               --passphrase-file {key32} --decrypt -o {to} {from}",
        ..Side::OURS
    },
    Side {
        what: "aes-256-gcm",
        seal: "{icefish} encrypt --cipher aes-256-gcm --key-file {key32} {from} -o {to}",
        open: "{icefish} decrypt --cipher aes-256-gcm --key-file {key32} {from} -o {to}",
        ..Side::OURS
    },
    Side {
        what: "aes-256-gcm-siv",
        seal: "{icefish} encrypt --cipher aes-256-gcm-siv --key-file {key32} {from} -o {to}",
        open: "{icefish} decrypt --cipher aes-256-gcm-siv --key-file {key32} {from} -o {to}",
        ..Side::OURS
    },
    Side {
        what: "aes-256-eax",
        seal: "{icefish} encrypt --cipher aes-256-eax --key-file {key32} {from} -o {to}",
        open: "{icefish} decrypt --cipher aes-256-eax --key-file {key32} {from} -o {to}",
        ..Side::OURS
    },
    Side {
        what: "aes-256-ctr",
        seal: "{icefish} encrypt --cipher aes-256-ctr --key-file {key32} {from} -o {to}",
        open: "{icefish} decrypt --cipher aes-256-ctr --key-file {key32} {from} -o {to}",
        ..Side::OURS
    },
    Side {
        what: "aes-256-ctr",
        by: "openssl enc",
        version: "openssl version",
        seal: "openssl enc -aes-256-ctr -K {hex} -iv {iv} -in {from} -out {to}",
        open: "openssl enc -d -aes-256-ctr -K {hex} -iv {iv} -in {from} -out {to}",
        ..Side::OURS
    },
    Side {
        what: "aes-256-cbc",
        seal: "{icefish} encrypt --cipher aes-256-cbc --key-file {key32} {from} -o {to}",
        open: "{icefish} decrypt --cipher aes-256-cbc --key-file {key32} {from} -o {to}",
        ..Side::OURS
    },
    Side {
        what: "aes-256-cbc",
        by: "openssl enc",
        version: "openssl version",
        seal: "openssl enc -aes-256-cbc -K {hex} -iv {iv} -in {from} -out {to}",
        open: "openssl enc -d -aes-256-cbc -K {hex} -iv {iv} -in {from} -out {to}",
        ..Side::OURS
    },
    Side {
        what: "threefish-1024-ctr",
        seal: "{icefish} encrypt --cipher threefish-1024-ctr --key-file {key128} {from} -o {to}",
        open: "{icefish} decrypt --cipher threefish-1024-ctr --key-file {key128} {from} -o {to}",
        ..Side::OURS
    },
    Side {
        what: "thin-ice-ctr",
        seal: "{icefish} encrypt --cipher thin-ice-ctr --key-file {key8} {from} -o {to}",
        open: "{icefish} decrypt --cipher thin-ice-ctr --key-file {key8} {from} -o {to}",
        ..Side::OURS
    },
    Side {
        what: "xoofff",
        seal: "{icefish} encrypt --cipher xoofff --key-file {key32} {from} -o {to}",
        open: "{icefish} decrypt --cipher xoofff --key-file {key32} {from} -o {to}",
        ..Side::OURS
    },
    Side {
        what: "aes-256-cbc",
        data: Data::Many,
        seal: "{icefish} encrypt --cipher aes-256-cbc --key-file {key32} --extension enc {files}",
        open: "{icefish} decrypt --cipher aes-256-cbc --key-file {key32} {from} -o {to}",
        ..Side::OURS
    },
    Side {
        what: "aes-256-cbc",
        by: "a loop over openssl enc",
        data: Data::Many,
        version: "openssl version",
        seal: "sh {loop} {hex} {iv} {files}",
        open: "openssl enc -d -aes-256-cbc -K {hex} -iv {iv} -in {from} -out {to}",
    },
    Side {
        what: "nothing but reading",
        by: "cp to /dev/null",
        data: Data::LargeRead,
        version: "cp --version",
        seal: "cp {from} /dev/null",
        ..Side::OURS
    },
    Side {
        what: "skein-512-tree",
        data: Data::LargeRead,
        seal: "{icefish} hash --algorithm skein-512-tree {from}",
        ..Side::OURS
    },
    Side { what: "skein-512", data: Data::LargeRead, seal: "{icefish} hash {from}", ..Side::OURS },
    Side {
        what: "blake3",
        by: "b3sum",
        data: Data::LargeRead,
        version: "b3sum --version",
        seal: "b3sum {from}",
        ..Side::OURS
    },
    Side {
        what: "blake3",
        by: "b3sum --num-threads 1",
        data: Data::LargeRead,
        version: "b3sum --version",
        seal: "b3sum --num-threads 1 {from}",
        ..Side::OURS
    },
    Side {
        what: "sha-512",
        by: "sha512sum",
        data: Data::LargeRead,
        version: "sha512sum --version",
        seal: "sha512sum {from}",
        ..Side::OURS
    },
    Side { what: "skein-512", data: Data::ManyRead, seal: "{icefish} hash {files}", ..Side::OURS },
    Side {
        what: "skein-512",
        by: "icefish on one core",
        data: Data::ManyRead,
        seal: "taskset --cpu-list 0 {icefish} hash {files}",
        ..Side::OURS
    },
    Side {
        what: "blake3",
        by: "b3sum",
        data: Data::ManyRead,
        version: "b3sum --version",
        seal: "b3sum {files}",
        ..Side::OURS
    },
    Side {
        what: "blake3",
        by: "b3sum --num-threads 1",
        data: Data::ManyRead,
        version: "b3sum --version",
        seal: "b3sum --num-threads 1 {files}",
        ..Side::OURS
    },
    Side {
        what: "sha-512",
        by: "sha512sum",
        data: Data::ManyRead,
        version: "sha512sum --version",
        seal: "sha512sum {files}",
        ..Side::OURS
    },
];
