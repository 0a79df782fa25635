//! Which choices there are. Every call waits for the one before, because its data is what that one wrote, if nothing else is said.

use icefish::aead::{Aead, Gcm};
use icefish::cipher::{Cipher, NewCipher};
use icefish::ciphers::{Aes128, Aes256, Ice, Threefish256, Threefish512, Threefish1024};
use icefish::constructions::skein::{Arguments, Skein512};
use icefish::isa::Extension;
use icefish::isa::forms::Forms;
use icefish::many::Message;
use icefish::modes::{Ctr, Ecb, Padding};
use icefish::permutations::{Xoodoo, Xoodoo64};
use icefish::{Backend, Block, Key};

use super::Choice;
use crate::ours::gains;
use crate::peers::Direction;

const STATE: usize = 48;
const BATCH: [&str; 2] = ["batch", "one by one"];

/// All of this CPU, whose usual forms are these.
pub(super) fn all(usual: &'static Forms) -> Vec<Choice> {
    let mut all = Vec::new();
    for backend in Backend::available() {
        let has = backend.instructions();
        let wide = has.bits == 512;
        if has.bits == 64 {
            continue;
        }
        if gains(backend, Extension::None) {
            all.extend(xoodoo(usual, backend, usize::from(!wide)));
            if wide {
                all.extend(threefish(usual, backend));
                all.push(skein(usual, backend));
            } else {
                all.extend(threefish_1024(usual, backend, |f| &mut f.threefish_1024_batch_256));
            }
        }
        if gains(backend, Extension::Gf256) {
            all.extend(ice(usual, backend, has.gf256.then_some(usize::from(!wide))));
        }
        if wide && has.wide_aes {
            all.extend([1, 16].map(|kib| chains(usual, backend, kib << 10)));
            all.push(single_batch(usual, backend));
            all.extend([512, 1024, 2048, 4096].map(|blocks| counting(usual, backend, blocks)));
            for blocks in [512, 1024, 2048, 4096] {
                all.push(counting_beside::<Aes128>(usual, backend, blocks, 0));
                all.push(counting_beside::<Aes256>(usual, backend, blocks, 1));
            }
        }
    }
    all
}

/// Changed forms, which live as long as the program: some tens.
fn with(usual: &Forms, change: impl Fn(&mut Forms)) -> &'static Forms {
    let mut forms = usual.clone();
    change(&mut forms);
    Box::leak(Box::new(forms))
}

/// A batch of `n`, or one after the other: two forms with `n` and `n + 1` as the fewest of a batch.
fn from_on(
    usual: &Forms,
    what: String,
    n: usize,
    names: [&'static str; 2],
    fewest: impl Fn(&mut Forms) -> &mut usize,
    work: Box<dyn FnMut()>,
) -> Choice {
    let table = usize::from(n < *fewest(&mut usual.clone()));
    let forms = [n, n + 1].map(|least| with(usual, |forms| *fewest(forms) = least));
    Choice { what: format!("{what}, {n} at once"), names, forms, table, work }
}

fn xoodoo(usual: &'static Forms, backend: Backend, batch: usize) -> Vec<Choice> {
    let alone = || {
        let mut state = [7; STATE];
        Box::new(move || {
            Xoodoo::permute(backend, Xoodoo::ROUNDS, &mut state).expect("as many as it has");
        })
    };
    let mut all = vec![Choice {
        what: format!("xoodoo on {backend}, a state alone"),
        names: ["rows", "words"],
        forms: [false, true].map(|words| with(usual, |forms| forms.xoodoo_in_words = words)),
        table: usize::from(usual.xoodoo_in_words),
        work: alone(),
    }];
    if backend.instructions().bits == 512 {
        all.push(Choice {
            what: format!("xoodoo on {backend}, a state alone, in rows"),
            names: ["long chain", "short chain"],
            forms: [false, true].map(|short| {
                with(usual, |forms| {
                    (forms.xoodoo_in_words, forms.xoodoo_short_chain) = (false, short);
                })
            }),
            table: usize::from(usual.xoodoo_short_chain),
            work: alone(),
        });
    }
    for n in 2..=5 {
        let mut states = vec![[7; STATE]; n];
        let work = Box::new(move || {
            let done = Xoodoo64::permute_many(backend, Xoodoo64::ROUNDS, &mut states);
            done.expect("as many as it has");
        });
        let what = format!("xoodoo64 on {backend}");
        all.push(from_on(usual, what, n, BATCH, move |f| &mut f.xoodoo64_batch[batch], work));
    }
    all
}

/// As many strings as two groups of lanes hold, twice.
fn skein(usual: &'static Forms, backend: Backend) -> Choice {
    let skein = Skein512::on(backend, 512, &Arguments::default());
    let mut data = vec![7; 32 * 1024];
    Choice {
        what: format!("skein-512 on {backend}, 32 messages of 1 KiB"),
        names: ["one group of lanes", "two groups"],
        forms: [false, true].map(|two| with(usual, |forms| forms.skein_512_in_two = two)),
        table: usize::from(usual.skein_512_in_two),
        work: Box::new(move || {
            let mut digests = [0; 32 * 64];
            let messages: Vec<&[u8]> = data.chunks(1024).collect();
            skein.hash_many(&messages, &mut digests).expect("a digest for each message");
            data[..digests.len()].copy_from_slice(&digests);
        }),
    }
}

fn threefish(usual: &'static Forms, backend: Backend) -> Vec<Choice> {
    let mut all = Vec::new();
    for (at, direction) in [Direction::Encrypt, Direction::Decrypt].into_iter().enumerate() {
        let key = Key::<Threefish1024>::on(backend, &[3; 128]).expect("128 bytes");
        let mut block = [7; 128];
        all.push(Choice {
            what: format!("threefish-1024 on {backend}, {direction}, a block alone"),
            names: ["general registers", "vectors"],
            forms: [false, true]
                .map(|vectors| with(usual, |f| f.threefish_1024_in_vectors[at] = vectors)),
            table: usize::from(usual.threefish_1024_in_vectors[at]),
            work: Box::new(move || match direction {
                Direction::Encrypt => key.encrypt_block(&mut block),
                Direction::Decrypt => key.decrypt_block(&mut block),
            }),
        });
    }
    all.extend(threefish_1024(usual, backend, |f| &mut f.threefish_1024_batch));
    for n in 2..=5 {
        let key = Key::<Threefish512>::on(backend, &[3; 64]).expect("64 bytes");
        let what = format!("threefish-512 on {backend}");
        let work = ecb(key, Direction::Encrypt, n);
        all.push(from_on(usual, what, n, BATCH, |f| &mut f.threefish_batch, work));
        let key = Key::<Threefish256>::on(backend, &[3; 32]).expect("32 bytes");
        let what = format!("threefish-256 on {backend}");
        let work = ecb(key, Direction::Encrypt, n);
        all.push(from_on(usual, what, n, BATCH, |f| &mut f.threefish_batch, work));
    }
    all
}

/// Few blocks of Threefish-1024; `fewest` are the numbers of each direction in the table.
fn threefish_1024(
    usual: &'static Forms,
    backend: Backend,
    fewest: fn(&mut Forms) -> &mut [usize; 2],
) -> Vec<Choice> {
    let choice = |at: usize, n: usize| {
        let key = Key::<Threefish1024>::on(backend, &[3; 128]).expect("128 bytes");
        let direction = [Direction::Encrypt, Direction::Decrypt][at];
        let what = format!("threefish-1024 on {backend}, {direction}");
        from_on(usual, what, n, BATCH, |f| &mut fewest(f)[at], ecb(key, direction, n))
    };
    (0..2).flat_map(|at| (2..=5).map(move |n| (at, n))).map(|(at, n)| choice(at, n)).collect()
}

/// `fields` is the place of a backend with GF(2^8) in the table.
fn ice(usual: &'static Forms, backend: Backend, fields: Option<usize>) -> Vec<Choice> {
    let blocks: &[usize] = match fields {
        Some(_) => &[6, 8, 10, 12, 14, 16, 17, 20, 24],
        None => &[64, 80, 96, 112, 116, 120, 128, 160],
    };
    let names = [if fields.is_some() { "fields" } else { "planes" }, "tables"];
    let choice = |&n: &usize| {
        let key = Key::from_cipher(backend, Ice::new(1, &[3; 8]).expect("8 bytes"));
        let what = format!("ice-1 on {backend}");
        let work = ecb(key, Direction::Encrypt, n);
        match fields {
            Some(at) => from_on(usual, what, n, names, |f| &mut f.ice_fields[at], work),
            None => from_on(usual, what, n, names, |f| &mut f.ice_planes, work),
        }
    };
    blocks.iter().map(choice).collect()
}

/// Many messages of `len` bytes in CBC, in as many registers.
fn chains(usual: &'static Forms, backend: Backend, len: usize) -> Choice {
    const MESSAGES: usize = 32;
    let key = Key::<Aes128>::on(backend, &[3; 16]).expect("16 bytes");
    let mut data = vec![7; MESSAGES * len];
    let work = Box::new(move || {
        let mut messages: Vec<_> =
            data.chunks_mut(len).map(|data| Message { iv: &[1; 16], data }).collect();
        key.cbc_encrypt_many(&mut messages).expect("whole blocks");
    });
    let forms = [4, 8].map(|registers| with(usual, |forms| forms.aes_chains_512 = registers));
    let what = format!("aes-128-cbc on {backend}, {MESSAGES} messages of {} KiB", len >> 10);
    let table = usize::from(usual.aes_chains_512 == 8);
    Choice { what, names: ["4 registers", "8 registers"], forms, table, work }
}

/// ECB of 1 KiB, where no message waits for the one before.
fn single_batch(usual: &'static Forms, backend: Backend) -> Choice {
    let key = Key::<Aes128>::on(backend, &[3; 16]).expect("16 bytes");
    let mut data = vec![7; 4 << 10];
    let work = Box::new(move || {
        for message in data.chunks_exact_mut(1 << 10) {
            key.encrypt(Ecb, &[], message).expect("whole blocks");
        }
    });
    let forms = [true, false].map(|single| with(usual, |f| f.aes_single_batch_512 = single));
    let what = format!("aes-128-ecb on {backend}, 4 messages of 1 KiB");
    let table = usize::from(!usual.aes_single_batch_512);
    Choice { what, names: ["16 registers", "8 registers"], forms, table, work }
}

/// AES in counter mode, from a block on whose number is no multiple of a batch.
fn counting(usual: &'static Forms, backend: Backend, blocks: usize) -> Choice {
    let key = Key::<Aes128>::on(backend, &[3; 16]).expect("16 bytes");
    let mut data = vec![7; 16 * blocks];
    let work = Box::new(move || {
        key.encrypt(Ctr::default(), &[1; 16], &mut data).expect("short enough");
    });
    let what = format!("aes-128-ctr on {backend}, blocks");
    from_on(usual, what, blocks, ["table", "no table"], |f| &mut f.aes_counting_512, work)
}

/// Sealing with GCM. `longer` is the place of the cipher in the table.
fn counting_beside<C>(
    usual: &'static Forms,
    backend: Backend,
    blocks: usize,
    longer: usize,
) -> Choice
where
    C: NewCipher<Block = [u8; 16]> + 'static,
{
    let bits = [128, 256][longer];
    let key = Gcm::<C>::on(backend, &[3; 32][..bits / 8]).expect("the cipher's length");
    let mut data = vec![7; 16 * blocks];
    let work = Box::new(move || {
        key.seal_in_place(&[1; 12], &[], &mut data).expect("a nonce of 12 bytes");
    });
    let what = format!("aes-{bits}-gcm on {backend}, blocks");
    let names = ["table", "no table"];
    from_on(usual, what, blocks, names, move |f| &mut f.aes_counting_beside_512[longer], work)
}

/// So many blocks in one call, in place.
fn ecb<C: Cipher + 'static>(key: Key<C>, direction: Direction, blocks: usize) -> Box<dyn FnMut()> {
    let mut data = vec![7; blocks * C::Block::LEN];
    Box::new(move || {
        let len = data.len();
        let done = match direction {
            Direction::Encrypt => {
                let message = key.encryptor(Ecb, &[]).expect("ECB has no IV");
                message.padding(Padding::None).in_place(&mut data, len)
            }
            Direction::Decrypt => {
                let message = key.decryptor(Ecb, &[]).expect("ECB has no IV");
                message.padding(Padding::None).in_place(&mut data, len)
            }
        };
        done.expect("whole blocks");
    })
}
