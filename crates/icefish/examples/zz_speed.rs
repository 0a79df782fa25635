use icefish::constructions::skein::*;
use icefish::{Backend, Key, ciphers::*, modes::Ctr};
use std::time::Instant;
fn time(name: &str, bytes: usize, mut f: impl FnMut()) {
    let mut best = f64::MAX;
    let start = Instant::now();
    let mut n = 1;
    while start.elapsed().as_millis() < 60 {
        let t = Instant::now();
        for _ in 0..n {
            f();
        }
        let e = t.elapsed().as_secs_f64();
        if e < 2e-4 {
            n *= 2;
            continue;
        }
        best = best.min(e / n as f64);
    }
    println!("{name:45} {:8.1} ns  {:7.3} GB/s", best * 1e9, bytes as f64 / best / 1e9);
}
fn size<const W: usize, const B: usize>(b: Backend) {
    let n = format!("{b} {}", 8 * B);
    let data = vec![5u8; 16 << 20];
    let s = Skein::<W, B>::on(b, 8 * B as u64, &Arguments::default());
    let mut d = vec![0; B];
    for len in [64, 16384] {
        time(&format!("{n} one {len}"), len, || s.hash(&data[..len], &mut d).unwrap());
    }
    // chained threefish with key setup
    let mut key = vec![7u8; B];
    time(&format!("{n} chained Threefish with key setup 16384"), 16384, || {
        for _ in 0..16384 / B {
            let mut k = Key::<Threefish<W, B>>::on(b, &key).unwrap();
            k.set_tweak(&[1; 16]);
            let mut block: [u8; B] = key[..].try_into().unwrap();
            k.encrypt_block(&mut block);
            key.copy_from_slice(&block);
        }
    });
    for (count, len) in
        [(8usize, 64usize), (8, 1024), (8, 16384), (1000, 64), (1000, 1024), (1000, 16384)]
    {
        let m: Vec<&[u8]> = (0..count).map(|i| &data[(i * len) % (8 << 20)..][..len]).collect();
        let mut d = vec![0; B * count];
        time(&format!("{n} {count} of {len}"), count * len, || s.hash_many(&m, &mut d).unwrap());
    }
    let t = Skein::<W, B>::on(
        b,
        8 * B as u64,
        &Arguments { tree: Some(Tree::new(6, 6, 255).unwrap()), ..Arguments::default() },
    );
    time(&format!("{n} tree 1M"), 1 << 20, || t.hash(&data[..1 << 20], &mut d).unwrap());
    time(&format!("{n} tree 16M"), 16 << 20, || t.hash(&data, &mut d).unwrap());
    let k = Key::<Threefish<W, B>>::on(b, &vec![7; B]).unwrap();
    let mut buf = vec![0u8; 16 << 20];
    time(&format!("{n} bulk ctr 16K"), 16384, || {
        k.encrypt(Ctr::BE, &vec![1; B], &mut buf[..16384]).unwrap()
    });
    time(&format!("{n} bulk sector 16K (tweak a block)"), 16384, || {
        k.encrypt_sector(1, 0, &mut buf[..16384]).unwrap()
    });
    time(&format!("{n} bulk sector 16M (tweak a block)"), 16 << 20, || {
        k.encrypt_sector(1, 0, &mut buf).unwrap()
    });
}
fn main() {
    for b in Backend::available() {
        if !["scalar", "avx2", "avx512_vaes"].contains(&b.name()) {
            continue;
        }
        size::<4, 32>(b);
        size::<8, 64>(b);
        size::<16, 128>(b);
    }
}
