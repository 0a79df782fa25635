//! XTS: Wycheproof, the specification, units and lengths.

#![cfg(feature = "aes")]

use crate::common;
use crate::common::{Random, backends, wycheproof};
use crate::spec;
use crate::spec::aes::Aes;
use icefish::cipher::{BlockCipher, ByteBlock, Cipher, Direction, NewCipher, Pass, Wide};
use icefish::ciphers::{Aes128, Aes192, Aes256};
use icefish::isa::{Endian, Isa, Sink};
use icefish::storage::Xts;
use icefish::{Error, Key};

fn wycheproof_of<C: NewCipher<Block = [u8; 16]>>() -> usize {
    let tests = wycheproof("aes_xts");
    let mut run = 0;
    for test in tests.iter().filter(|t| t.hex("key").len() == 2 * C::KEY) {
        assert!(test.valid);
        // The number of the data unit as bytes, the first least significant, without its zeros.
        let mut unit = [0; 16];
        let iv = test.hex("iv");
        unit[..iv.len()].copy_from_slice(&iv);
        let unit = u128::from_le_bytes(unit);
        for backend in backends() {
            let xts = Xts::<C>::on(backend, &test.hex("key")).unwrap();
            let mut data = test.hex("msg");
            xts.encrypt_in_place(unit, &mut data).unwrap();
            assert_eq!(data, test.hex("ct"), "test {} on {backend}", test.id);
            xts.decrypt_in_place(unit, &mut data).unwrap();
            assert_eq!(data, test.hex("msg"), "test {} on {backend}", test.id);
        }
        run += 1;
    }
    run
}

#[test]
fn wycheproof_vectors() {
    let run = [wycheproof_of::<Aes128>(), wycheproof_of::<Aes192>(), wycheproof_of::<Aes256>()];
    assert!(run.iter().all(|&n| n > 0));
    assert_eq!(run.iter().sum::<usize>(), wycheproof("aes_xts").len());
}

/// IEEE Std 1619-2007, annex B, vector 1, whose two keys are the same, and vector 2.
#[test]
fn published_vectors() {
    for backend in backends() {
        let key = |byte| Key::<Aes128>::on(backend, &[byte; 16]).unwrap();
        let mut data = [0; 32];
        Xts::from_keys(key(0), key(0)).encrypt_in_place(0, &mut data).unwrap();
        let expected = "917cf69ebd68b2ec9b9fe9a3eadda692cd43d2f59598ed858c02c2652fbf922e";
        assert_eq!(data.to_vec(), common::hex(expected));
        let mut data = [0x44; 32];
        Xts::from_keys(key(0x11), key(0x22)).encrypt_in_place(0x33_3333_3333, &mut data).unwrap();
        let expected = "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0";
        assert_eq!(data.to_vec(), common::hex(expected));
    }
}

#[test]
fn every_length_agrees_with_the_specification() {
    let mut random = Random(1);
    let (key, message) = (random.bytes(64), random.bytes(16_500));
    let (data, tweak) = (Aes::new(&key[..32]), Aes::new(&key[32..]));
    for backend in backends() {
        let xts = Xts::<Aes256>::on(backend, &key).unwrap();
        let around = [511, 512, 513, 2047, 2048, 2049, 2063, 2064, 4096, 4097, 4111, 4200];
        // Without AES instructions, tweaks go on from one strip of 16 KiB to the next.
        let strips = [16_384, 16_399, 16_400, 16_500];
        for len in (16..=200).chain(around).chain(strips) {
            let unit = u128::from(random.word()) << 64 | u128::from(random.word());
            let (message, odd) = (&message[..len], 1 + len % 7);
            let expected = spec::xts::encrypt(&data, &tweak, unit, message);
            let mut buffer = vec![0xa5; odd + len + 9];
            buffer[odd..odd + len].copy_from_slice(message);
            xts.encrypt_in_place(unit, &mut buffer[odd..odd + len]).unwrap();
            assert!(buffer[odd..odd + len] == expected, "{len} on {backend}");
            xts.decrypt_in_place(unit, &mut buffer[odd..odd + len]).unwrap();
            assert!(&buffer[odd..odd + len] == message, "{len} on {backend}, back");
            let around = buffer[..odd].iter().chain(&buffer[odd + len..]);
            assert!(around.into_iter().all(|&b| b == 0xa5), "{len} on {backend} wrote outside");
            let (mut there, mut back) = (vec![1; len], vec![2; len]);
            xts.encrypt_between(unit, message, &mut there).unwrap();
            xts.decrypt_between(unit, &there, &mut back).unwrap();
            assert!(there == expected && back == message, "{len} on {backend}, between");
        }
    }
}

#[test]
fn many_units_are_one_by_one() {
    let mut random = Random(2);
    let key = random.bytes(32);
    for backend in backends() {
        let xts = Xts::<Aes128>::on(backend, &key).unwrap();
        for (size, total) in [(16, 70 * 16), (17, 340), (512, 512 * 5), (520, 520 * 3 + 16)]
            .into_iter()
            .chain([(100, 100 * 33 + 99), (4096, 4096 * 3), (4100, 5000)])
        {
            let first = u128::MAX - random.below(4) as u128;
            let message = random.bytes(total);
            let (mut many, mut single) = (message.clone(), message.clone());
            xts.encrypt_units(first, size, &mut many).unwrap();
            for (i, unit) in single.chunks_mut(size).enumerate() {
                xts.encrypt_in_place(first.wrapping_add(i as u128), unit).unwrap();
            }
            assert!(many == single, "{size} on {backend}");
            let (mut there, mut back) = (vec![1; total], vec![2; total]);
            xts.encrypt_units_between(first, size, &message, &mut there).unwrap();
            xts.decrypt_units_between(first, size, &there, &mut back).unwrap();
            assert!(there == single && back == message, "{size} on {backend}, between");
            xts.decrypt_units(first, size, &mut many).unwrap();
            assert!(many == message, "{size} on {backend}, back");
        }
    }
}

/// AES-128 in batches of five blocks.
#[derive(Clone)]
struct Fives(Aes128);

#[derive(Clone, Copy)]
struct FiveBlocks(ByteBlock<[u8; 80]>);

impl<S: Isa> Wide<S> for FiveBlocks {
    const BLOCKS: usize = 5;
    type Bytes = [u8; 80];
    fn load(isa: S, bytes: &[u8]) -> Self {
        Self(Wide::<S>::load(isa, bytes))
    }
    fn store(&mut self, isa: S, sink: Sink<'_>) {
        self.0.store(isa, sink);
    }
    fn counters(_: S, _: &[u8], _: Endian, _: u64) -> Self {
        unreachable!("XTS has no counters")
    }
    fn xor(self, isa: S, other: Self) -> Self {
        Self(self.0.xor(isa, other.0))
    }
}

impl BlockCipher for Fives {
    type Block = [u8; 16];
    type One<S: Isa> = ByteBlock<[u8; 16]>;
    fn one<S: Isa, D: Direction>(
        &self,
        isa: S,
        mut block: ByteBlock<[u8; 16]>,
    ) -> ByteBlock<[u8; 16]> {
        let input = <Aes128 as BlockCipher>::One::<S>::load(isa, &block.0);
        self.0.one::<S, D>(isa, input).store(isa, Sink::new(&mut block.0));
        block
    }
    fn batch<S: Isa>() -> usize {
        5
    }
    fn many<S: Isa, D: Direction, P: Pass>(&self, isa: S, pass: &mut P, blocks: usize) {
        for at in (0..blocks).step_by(5) {
            let count = (blocks - at).min(5);
            let mut five: FiveBlocks = pass.enter(isa, at, count);
            for block in five.0.0.as_chunks_mut::<16>().0 {
                *block = self.one::<S, D>(isa, ByteBlock(*block)).0;
            }
            pass.leave(isa, at, count, &mut five);
        }
    }
}

impl Cipher for Fives {}

impl NewCipher for Fives {
    const KEY: usize = 16;
    fn blank() -> Self {
        Self(Aes128::blank())
    }
    fn schedule<S: Isa>(&mut self, isa: S, key: &[u8], tweak: &[u8]) {
        self.0.schedule(isa, key, tweak);
    }
}

#[test]
fn a_cipher_may_have_batches_of_any_size() {
    let bytes = Random(8).bytes(32);
    for backend in backends() {
        let (xts, fives) = (Xts::<Aes128>::on(backend, &bytes), Xts::<Fives>::on(backend, &bytes));
        let (xts, fives) = (xts.unwrap(), fives.unwrap());
        for len in (16..400).step_by(24).chain([1000, 1024]) {
            let message = Random(9).bytes(len);
            let (mut data, mut same) = (message.clone(), message.clone());
            xts.encrypt_in_place(5, &mut data).unwrap();
            fives.encrypt_in_place(5, &mut same).unwrap();
            assert!(data == same, "{len} bytes on {backend}");
            fives.decrypt_in_place(5, &mut same).unwrap();
            assert!(message == same, "{len} bytes on {backend}, back");
        }
    }
}

#[test]
fn wrong_lengths_and_equal_keys_are_refused() {
    let new = |key: &[u8]| Xts::<Aes128>::new(key).map(|_| ());
    assert_eq!(new(&[0; 31]), Err(Error::KeyLength { got: 31, need: 32 }));
    assert_eq!(new(&[0; 32]), Err(Error::EqualKeys));
    for backend in backends() {
        let xts = Xts::<Aes128>::on(backend, &Random(3).bytes(32)).unwrap();
        let mut data = vec![9; 100];
        assert_eq!(
            xts.encrypt_in_place(0, &mut data[..15]),
            Err(Error::TooShort { got: 15, least: 16 })
        );
        assert_eq!(
            xts.encrypt_units(0, 17, &mut data[..49]),
            Err(Error::TooShort { got: 15, least: 16 })
        );
        assert_eq!(
            xts.encrypt_units(0, (16 << 20) + 1, &mut data),
            Err(Error::TooLong { most: 16 << 20 })
        );
        assert_eq!(
            xts.encrypt_between(0, &[0; 16], &mut data),
            Err(Error::BufferLength { got: 100, need: 16 })
        );
        assert_eq!(data, [9; 100]);
        assert_eq!(xts.encrypt_units(0, 16, &mut []), Ok(()));

        // A key that is replaced is a new one, and a refused one changes nothing.
        let (mut replaced, bytes) = (
            Xts::<Aes128>::on(backend, &[&[1; 16][..], &[2; 16]].concat()).unwrap(),
            Random(3).bytes(32),
        );
        replaced.set_key(&bytes).unwrap();
        assert_eq!(replaced.set_key(&[0; 32]), Err(Error::EqualKeys));
        assert_eq!(replaced.set_key(&[0; 33]), Err(Error::KeyLength { got: 33, need: 32 }));
        let mut same = data.clone();
        xts.encrypt_in_place(5, &mut data).unwrap();
        replaced.encrypt_in_place(5, &mut same).unwrap();
        assert!(data == same, "{backend}");
    }
}
