//! Our modes on ciphers of others, with blocks of every kind of length: around words, batches and counters.

mod common;
mod spec;

use cipher::BlockSizeUser;
use cipher::array::ArraySize;
use cipher::consts::{U1, U7, U8, U12, U24, U64, U128, U200, U256, U512};
use common::toy::Toy;
use common::{Random, backends};
use icefish::cipher::{BlockCipher, Cipher, Direction, NewCipher, Pass};
use icefish::isa::Isa;
use icefish::many::Message;
use icefish::modes::{Cbc, CbcCs, Ctr, Decryptor, Ecb, Granularity, Mode, Padding};
use icefish::rustcrypto::{Foreign, ForeignBlock};
use icefish::suite::AnyMode;
use icefish::{Backend, Block, Error, Key};

const KEY: u8 = 0x5b;

fn key<N: ArraySize>(backend: Backend) -> Key<Foreign<Toy<N>>> {
    Key::from_cipher(backend, Foreign::new(Toy::new(KEY)))
}

impl<N: ArraySize> spec::BlockCipher for Toy<N> {
    fn size(&self) -> usize {
        N::USIZE
    }
    fn encrypt(&self, block: &[u8]) -> Vec<u8> {
        let mut out = block.to_vec();
        Toy::encrypt(self, &mut out);
        out
    }
    fn decrypt(&self, block: &[u8]) -> Vec<u8> {
        let mut out = block.to_vec();
        Toy::decrypt(self, &mut out);
        out
    }
}

fn toy<N>() -> Toy<N> {
    Toy::new(KEY)
}

/// Lengths around blocks and batches, as far as the mode's counter goes.
fn lengths(mode: AnyMode, size: usize) -> Vec<usize> {
    let batch = 512 / size * size;
    let mut lengths: Vec<usize> = (0..2 * size + 2).step_by(1.max(size / 12)).collect();
    for end in [3 * size, 5 * size, batch, 2 * batch, 3 * batch + size] {
        lengths.extend([end - 1, end, end + 1]);
    }
    for len in &mut lengths {
        let limit = usize::try_from(mode.limit(size)).unwrap_or(usize::MAX);
        *len = (*len).min(limit.saturating_mul(size));
        if mode.granularity() == Granularity::Block {
            *len -= *len % size;
        }
    }
    lengths
}

/// In place, between buffers and streamed, every mode is that of the specification, and goes back.
fn every_mode<N: ArraySize>()
where
    ForeignBlock<Toy<N>>: Block,
{
    let (size, mut random) = (N::USIZE, Random(3));
    for backend in backends() {
        let key = key::<N>(backend);
        assert_eq!(<<Foreign<Toy<N>> as BlockCipher>::Block as Block>::LEN, size);
        for &(name, mode) in AnyMode::ALL {
            let iv = random.bytes(mode.iv_len(size));
            for len in lengths(mode, size) {
                let what = format!("{name} of {len} bytes in blocks of {size} on {backend}");
                let message = random.bytes(len);
                let expected = spec::modes::encrypt(&toy::<N>(), mode.name(), &iv, &message);
                let encryptor = || key.encryptor(mode, &iv).unwrap().padding(Padding::None);
                let decryptor = || key.decryptor(mode, &iv).unwrap().padding(Padding::None);

                let mut data = message.clone();
                encryptor().in_place(&mut data, len).unwrap();
                assert!(data == expected, "{what}");
                decryptor().in_place(&mut data, len).unwrap();
                assert!(data == message, "{what}, back");

                let (mut there, mut back) = (vec![1; len], vec![2; len]);
                encryptor().between(&message, &mut there).unwrap();
                decryptor().between(&there, &mut back).unwrap();
                assert!(there == expected && back == message, "{what}, between");

                let (mut encryptor, mut decryptor) = (encryptor(), decryptor());
                let (mut there, mut back, mut rest) = (Vec::new(), Vec::new(), &message[..]);
                while !rest.is_empty() {
                    let most = if random.below(2) == 0 { 5 } else { 3 * size + 2 };
                    let (now, later) = rest.split_at(random.below(most).min(rest.len()));
                    let mut room = vec![0; encryptor.output_len(now.len())];
                    let n = encryptor.update(now, &mut room).unwrap();
                    there.extend_from_slice(&room[..n]);
                    let mut again = vec![0; decryptor.output_len(n)];
                    let n = decryptor.update(&room[..n], &mut again).unwrap();
                    back.extend_from_slice(&again[..n]);
                    rest = later;
                }
                assert_eq!(encryptor.finish(&mut []), Ok(0), "{what}");
                assert_eq!(decryptor.finish(&mut []), Ok(0), "{what}");
                assert!(there == expected && back == message, "{what}, in pieces");
            }
        }
    }
}

/// An output needs room for the data, and not for the padding. A byte less is an error.
fn check_short_output<'k, C: Cipher + 'k>(
    decryptor: impl Fn() -> Decryptor<'k, C, AnyMode>,
    sealed: &[u8],
    message: &[u8],
    what: &str,
) {
    let len = message.len();
    let mut output = vec![3; len];
    assert_eq!(decryptor().between(sealed, &mut output), Ok(len), "{what}, without room");
    assert!(output == message, "{what}, without room");
    if len > 0 {
        let short = decryptor().between(sealed, &mut output[1..]);
        assert_eq!(short, Err(Error::BufferLength { got: len - 1, need: len }), "{what}");
    }
}

/// Paddings of every length, and the sector-like modes that have calls of their own.
fn every_padding<N: ArraySize>()
where
    ForeignBlock<Toy<N>>: Block,
{
    let (size, mut random) = (N::USIZE, Random(4));
    for backend in backends() {
        let key = key::<N>(backend);
        let iv = random.bytes(size);
        for padding in Padding::ALL {
            let counted = matches!(padding, Padding::Pkcs7 | Padding::X923);
            for len in (0..=2 * size + 1).step_by(1.max(size / 50)) {
                let mut message = random.bytes(len);
                if let Some(last) = message.last_mut() {
                    *last |= 1;
                }
                let what = format!("{padding:?} of {len} bytes in blocks of {size} on {backend}");
                let mut sealed = vec![0; len + size];
                let encryptor = key.encryptor(AnyMode::Cbc, &iv).unwrap().padding(padding);
                let sealed_len = encryptor.between(&message, &mut sealed);
                let decryptor = || key.decryptor(AnyMode::Cbc, &iv).unwrap().padding(padding);
                if counted && size > 255 {
                    let refused = Err(Error::PaddingBlock { got: size, most: 255 });
                    assert_eq!(sealed_len, refused, "{what}");
                    assert_eq!(decryptor().in_place(&mut vec![0; size], size), refused, "{what}");
                    continue;
                }
                if padding == Padding::None && len % size > 0 {
                    let partial = Err(Error::PartialBlock { got: len, block: size });
                    assert_eq!(sealed_len, partial, "{what}");
                    continue;
                }
                let sealed = &mut sealed[..sealed_len.unwrap()];
                let padded = spec::padding::padded(padding.name(), size, &message);
                let expected = spec::modes::encrypt(&toy::<N>(), "cbc", &iv, &padded);
                assert!(sealed == expected, "{what}");
                check_short_output(decryptor, sealed, &message, &what);
                let whole = sealed.len();
                assert_eq!(decryptor().in_place(sealed, whole), Ok(len), "{what}");
                assert!(sealed[..len] == message, "{what}, back");
            }
        }
        let message = random.bytes(20 * size + 1);
        for &(name, cs) in CbcCs::ALL {
            for len in (size..=4 * size + 1).step_by(1.max(size / 12)).chain([20 * size + 1]) {
                let mut data = message[..len].to_vec();
                key.encrypt_stealing(cs, &iv, &mut data).unwrap();
                let variant = name.as_bytes()[name.len() - 1] - b'0';
                let expected = spec::stealing::encrypt(&toy::<N>(), variant, &iv, &message[..len]);
                assert!(data == expected, "{name} of {len} in blocks of {size} on {backend}");
                key.decrypt_stealing(cs, &iv, &mut data).unwrap();
                assert!(data == message[..len], "{name} of {len} in blocks of {size}");
            }
        }
        let (iv, mut data) = (random.bytes(2 * size), message[..20 * size].to_vec());
        key.ige_encryptor(&iv).unwrap().update_in_place(&mut data).unwrap();
        let expected = spec::ige::encrypt(&toy::<N>(), &iv, &message[..20 * size]);
        assert!(data == expected, "IGE in blocks of {size} on {backend}");
        key.ige_decryptor(&iv).unwrap().update_in_place(&mut data).unwrap();
        assert!(data == message[..20 * size], "IGE in blocks of {size} on {backend}, back");
    }
}

/// A toy with a tweak that is longer than that of any cipher here: its sum is added to the key.
#[derive(Clone)]
struct Tweaked(Foreign<Toy<U24>>);

impl Tweaked {
    fn toy(key: &[u8], tweak: &[u8]) -> Toy<U24> {
        Toy::new(key.iter().chain(tweak).fold(0, |sum, byte| sum.wrapping_add(*byte)))
    }
}

impl BlockCipher for Tweaked {
    type Block = <Foreign<Toy<U24>> as BlockCipher>::Block;
    type One<S: Isa> = <Foreign<Toy<U24>> as BlockCipher>::One<S>;

    fn batch<S: Isa>() -> usize {
        <Foreign<Toy<U24>> as BlockCipher>::batch::<S>()
    }
    #[inline(always)]
    fn one<S: Isa, D: Direction>(&self, isa: S, block: Self::One<S>) -> Self::One<S> {
        self.0.one::<S, D>(isa, block)
    }
    #[inline(always)]
    fn many<S: Isa, D: Direction, P: Pass>(&self, isa: S, pass: &mut P, blocks: usize) {
        self.0.many::<S, D, P>(isa, pass, blocks);
    }
}

impl Cipher for Tweaked {}

impl NewCipher for Tweaked {
    const KEY: usize = 1;
    const TWEAK: usize = 33;

    fn blank() -> Self {
        Self(Foreign::new(Toy::new(0)))
    }
    #[inline(always)]
    fn schedule<S: Isa>(&mut self, _: S, key: &[u8], tweak: &[u8]) {
        self.0 = Foreign::new(Self::toy(key, tweak));
    }
}

#[test]
fn tweaks_of_more_than_a_block_of_aes() {
    let mut random = Random(7);
    let (tweak, iv, message) = (random.bytes(33), random.bytes(24), random.bytes(24 * 50));
    for backend in backends() {
        let check = |key: &Key<Tweaked>, tweak: &[u8]| {
            let toy = Tweaked::toy(&[KEY], tweak);
            let expected = spec::modes::encrypt(&toy, "cbc", &iv, &message);
            let mut data = message.clone();
            key.encrypt(Cbc, &iv, &mut data).unwrap();
            assert!(data == expected, "{backend}");
        };
        let mut key = Key::<Tweaked>::on(backend.with_tweak(&tweak), &[KEY]).unwrap();
        check(&key, &tweak);
        key.set_key(&[KEY]).unwrap();
        check(&key, &[0; 33]);
        check(&Key::on(backend, &[KEY]).unwrap(), &[0; 33]);
        let short = Key::<Tweaked>::on(backend.with_tweak(&tweak[1..]), &[KEY]).err();
        assert_eq!(short, Some(Error::TweakLength { got: 32, need: 33 }));
    }
}

type Call<C> = fn(&Key<C>, &mut [Message<'_>]) -> Result<(), Error>;

/// A mode, whether it encrypts, and the call for many messages.
type Case<N> = (AnyMode, bool, Call<Foreign<Toy<N>>>);

/// Messages in one call, which together are longer than the room that they go through.
fn many<N: ArraySize>()
where
    ForeignBlock<Toy<N>>: Block,
{
    let (size, mut random) = (N::USIZE, Random(5));
    let calls: [Case<N>; 7] = [
        (AnyMode::Ecb, true, Key::ecb_encrypt_many),
        (AnyMode::Ecb, false, Key::ecb_decrypt_many),
        (AnyMode::Cbc, true, Key::cbc_encrypt_many),
        (AnyMode::Cbc, false, Key::cbc_decrypt_many),
        (AnyMode::Cfb, true, Key::cfb_encrypt_many),
        (AnyMode::Cfb, false, Key::cfb_decrypt_many),
        (AnyMode::Ctr(Ctr::BE), true, |key, messages| key.ctr_many(Ctr::BE, messages)),
    ];
    for backend in backends() {
        let key = key::<N>(backend);
        for (mode, encrypts, call) in calls {
            let what = format!("{} in blocks of {size} on {backend}", mode.name());
            let limit = usize::try_from(mode.limit(size)).unwrap_or(usize::MAX);
            let (mut ivs, mut plain) = (Vec::new(), Vec::new());
            for i in 0..40 {
                let len = if i % 15 == 3 { 9000 } else { random.below(20 * size) };
                let len = len.min(limit.saturating_mul(size));
                let whole = mode.granularity() == Granularity::Block;
                plain.push(random.bytes(if whole { len / size * size } else { len }));
                ivs.push(random.bytes(mode.iv_len(size)));
            }
            let pairs = plain.iter().zip(&ivs);
            let sealed: Vec<Vec<u8>> = pairs
                .map(|(data, iv)| spec::modes::encrypt(&toy::<N>(), mode.name(), iv, data))
                .collect();
            let (mut data, expected) = if encrypts { (plain, sealed) } else { (sealed, plain) };
            let mut messages: Vec<Message<'_>> =
                data.iter_mut().zip(&ivs).map(|(data, iv)| Message { iv, data }).collect();
            call(&key, &mut messages).unwrap();
            assert!(data == expected, "{what}");
        }
    }
}

fn all<N: ArraySize>()
where
    ForeignBlock<Toy<N>>: Block,
{
    every_mode::<N>();
    every_padding::<N>();
    many::<N>();
}

#[test]
fn blocks_of_less_than_a_word() {
    all::<U1>();
    all::<U7>();
}

#[test]
fn blocks_that_are_no_power_of_two() {
    all::<U12>();
    all::<U24>();
    all::<U200>();
}

/// Shorter powers of two are the blocks of our own ciphers.
#[test]
fn blocks_of_whole_batches() {
    all::<U256>();
    all::<U512>();
}

/// Counters of a few bytes are those of the block, and run out with it.
#[test]
fn short_counters() {
    let key = key::<U1>(Backend::best());
    assert_eq!(Ctr::BE.limit(1), 256);
    assert_eq!(Ctr::LE32.limit(7), 1 << 32);
    let mut data = vec![0; 257];
    let long = key.encryptor(Ctr::BE, &[9]).unwrap().in_place(&mut data, 257);
    assert_eq!(long, Err(Error::CounterExhausted));
    for backend in backends() {
        let key = self::key::<U7>(backend);
        for &(name, mode) in AnyMode::ALL.iter().filter(|(name, _)| name.starts_with("ctr")) {
            for iv in
                [[0xff; 7], [0xff, 0xff, 0xff, 0xff, 5, 6, 7], [1, 2, 3, 0xff, 0xff, 0xff, 0xff]]
            {
                let message = vec![0; 7 * 150 + 3];
                let expected = spec::modes::encrypt(&toy::<U7>(), mode.name(), &iv, &message);
                let mut data = message.clone();
                let encryptor = key.encryptor(mode, &iv).unwrap();
                encryptor.in_place(&mut data, message.len()).unwrap();
                assert!(data == expected, "{name} from {iv:02x?} on {backend}");
                let mut part = vec![0; 100];
                let mut seeking = key.encryptor(mode, &iv).unwrap();
                seeking.seek(500).unwrap();
                seeking.update_in_place(&mut part).unwrap();
                assert!(part == expected[500..600], "{name} from {iv:02x?} on {backend}");
            }
        }
    }
}

/// The toy that the others are compared with encrypts, and goes back.
#[test]
fn the_toy_is_a_cipher() {
    let size = <Toy<U24> as BlockSizeUser>::block_size();
    let (key, mut data) = (key::<U24>(Backend::best()), Random(6).bytes(size));
    let before = data.clone();
    let expected = spec::BlockCipher::encrypt(&toy::<U24>(), &data);
    key.encryptor(Ecb, &[]).unwrap().padding(Padding::None).in_place(&mut data, size).unwrap();
    assert!(data == expected && data != before);
    key.decryptor(Ecb, &[]).unwrap().padding(Padding::None).in_place(&mut data, size).unwrap();
    assert_eq!(data, before);
}

/// A tag of EAX is as long as a block, which CMAC wants to be 8, 16, 32, 64 or 128 bytes.
#[test]
fn authenticated_in_pieces() {
    use icefish::aead::{Eax, Piecewise};
    fn check<N: ArraySize>()
    where
        ForeignBlock<Toy<N>>: Block,
    {
        for backend in backends() {
            let eax = Eax::from_key(key::<N>(backend));
            let (mut data, mut tag, mut room) = (*b"attack at dawn", vec![0; N::USIZE], [0; 14]);
            let mut sealer = eax.sealer(&[1; 16]).unwrap();
            sealer.update_in_place(&mut data).unwrap();
            sealer.finish_to(&mut tag).unwrap();
            let mut opener = eax.opener(&[1; 16], &mut room).unwrap();
            opener.update(&data).unwrap();
            let opened = opener.finish(&tag).unwrap();
            assert_eq!(opened, b"attack at dawn", "blocks of {} on {backend}", N::USIZE);
        }
    }
    check::<U8>();
    check::<U64>();
    check::<U128>();
}
