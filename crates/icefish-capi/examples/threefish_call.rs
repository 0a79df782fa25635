//! The same measurement as `threefish --time`, of the same call from Rust.

use icefish::Key;
use icefish::ciphers::Threefish1024;
use icefish::modes::Ecb;
use std::hint::black_box;
use std::time::Instant;

fn main() -> Result<(), icefish::Error> {
    const CALLS: u32 = 2000;
    let key: Vec<u8> = (0..128).collect();
    let key = Key::<Threefish1024>::on(icefish::Backend::from_env()?, &key)?;
    let (mut block, mut least) = ([0; 128], f64::MAX);
    for _ in 0..2000 {
        let begin = Instant::now();
        for _ in 0..CALLS {
            black_box(&key).encrypt(Ecb, &[], black_box(&mut block[..]))?;
        }
        least = least.min(begin.elapsed().as_nanos() as f64 / f64::from(CALLS));
    }
    println!("from Rust, one block in place: {least:.1} ns");
    Ok(())
}
