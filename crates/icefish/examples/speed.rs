use icefish::*; use icefish::ciphers::*; use icefish::modes::*; use std::time::Instant;
fn best(mut f: impl FnMut()) -> f64 { let mut b=f64::MAX; for _ in 0..400 { let t=Instant::now(); for _ in 0..4 {f();} let e=t.elapsed().as_nanos() as f64/4.0; if e<b {b=e;} } b }
fn bench<C: cipher::NewCipher>(name:&str) { for b in Backend::available() {
 let k=Key::<C>::build(&vec![1;C::KEY], &vec![2;C::TWEAK], b).unwrap(); let mut d=vec![0u8;16384]; let n=d.len(); let iv=vec![0u8;<C::Block as Block>::LEN];
 let ecb=best(||{k.encryptor(Ecb,&[]).unwrap().padding(Padding::None).in_place(&mut d,n).unwrap();});
 let ecbd=best(||{k.decryptor(Ecb,&[]).unwrap().padding(Padding::None).in_place(&mut d,n).unwrap();});
 let cbc=best(||{k.encryptor(Cbc,&iv).unwrap().padding(Padding::None).in_place(&mut d,n).unwrap();});
 let cbcd=best(||{k.decryptor(Cbc,&iv).unwrap().padding(Padding::None).in_place(&mut d,n).unwrap();});
 let ctr=best(||{k.encryptor(Ctr::BE,&iv).unwrap().in_place(&mut d,n).unwrap();});
 let cfbd=best(||{k.decryptor(Cfb,&iv).unwrap().in_place(&mut d,n).unwrap();});
 let l = <C::Block as Block>::LEN;
 let c1=best(||{k.encryptor(Cbc,&iv).unwrap().padding(Padding::None).in_place(&mut d,l).unwrap();});
 println!("{name:14} {:12} ns/B ecb {:.4} ecbd {:.4} cbc {:.4} cbcd {:.4} ctr {:.4} cfbd {:.4} | cbc 1 block {:.1} ns", b.name(), ecb/n as f64, ecbd/n as f64, cbc/n as f64, cbcd/n as f64, ctr/n as f64, cfbd/n as f64, c1);
}}
fn main(){ bench::<Threefish1024>("tf1024"); bench::<Threefish512>("tf512"); bench::<Threefish256>("tf256"); bench::<Aes128>("aes128"); bench::<Aes256>("aes256"); }
