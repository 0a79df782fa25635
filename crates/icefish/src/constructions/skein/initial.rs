//! The chaining value after the configuration string, for the usual digest lengths (appendix B of the specification). It saves
//! a block of Threefish for each hash.

/// The value of the chain before a message without other arguments, if it is one of the table.
pub(super) fn initial<const W: usize>(bits: u64) -> Option<[u64; W]> {
    let words: &[u64] = match (W, bits) {
        (4, 256) => &SKEIN_256_256,
        (8, 256) => &SKEIN_512_256,
        (8, 384) => &SKEIN_512_384,
        (8, 512) => &SKEIN_512_512,
        (16, 512) => &SKEIN_1024_512,
        (16, 1024) => &SKEIN_1024_1024,
        _ => return None,
    };
    words.try_into().ok()
}

const SKEIN_256_256: [u64; 4] =
    [0xfc9d_a860_d048_b449, 0x2fca_6647_9fa7_d833, 0xb33b_c389_6656_840f, 0x6a54_e920_fde8_da69];

const SKEIN_512_256: [u64; 8] = [
    0xccd0_44a1_2fdb_3e13,
    0xe835_9030_1a79_a9eb,
    0x55ae_a061_4f81_6e6f,
    0x2a27_67a4_ae9b_94db,
    0xec06_025e_74dd_7683,
    0xe7a4_36cd_c474_6251,
    0xc36f_baf9_393a_d185,
    0x3eed_ba18_33ed_fc13,
];

const SKEIN_512_384: [u64; 8] = [
    0xa3f6_c6bf_3a75_ef5f,
    0xb0fe_f9cc_fd84_faa4,
    0x9d77_dd66_3d77_0cfe,
    0xd798_cbf3_b468_fdda,
    0x1bc4_a666_8a0e_4465,
    0x7ed7_d434_e580_7407,
    0x548f_c1ac_d4ec_44d6,
    0x266e_1754_6aa1_8ff8,
];

const SKEIN_512_512: [u64; 8] = [
    0x4903_adff_749c_51ce,
    0x0d95_de39_9746_df03,
    0x8fd1_9341_27c7_9bce,
    0x9a25_5629_ff35_2cb1,
    0x5db6_2599_df6c_a7b0,
    0xeabe_394c_a9d5_c3f4,
    0x9911_12c7_1a75_b523,
    0xae18_a40b_660f_cc33,
];

const SKEIN_1024_512: [u64; 16] = [
    0xcaec_0e5d_7c1b_1b18,
    0xa01b_0e04_5f03_e802,
    0x3384_0451_ed91_2885,
    0x374a_fb04_eaec_2e1c,
    0xdf25_a0e2_8135_81f7,
    0xe400_4093_8b12_f9d2,
    0xa662_d539_c2ed_39b6,
    0xfa8b_85cf_45d8_c75a,
    0x8316_ed8e_29ed_e796,
    0x0532_89c0_2e9f_91b8,
    0xc3f8_ef1d_6d51_8b73,
    0xbdce_c3c4_d5ef_332e,
    0x549a_7e52_2297_4487,
    0x6707_0872_5b74_9816,
    0xb9cd_28fb_f058_1bd1,
    0x0e29_40b8_1580_4974,
];

const SKEIN_1024_1024: [u64; 16] = [
    0xd593_da07_41e7_2355,
    0x15b5_e511_ac73_e00c,
    0x5180_e5ae_baf2_c4f0,
    0x03bd_41d3_fcbc_afaf,
    0x1cae_c6fd_1983_a898,
    0x6e51_0b8b_cdd0_589f,
    0x77e2_bdfd_c639_4ada,
    0xc11e_1db5_24dc_b0a3,
    0xd6d1_4af9_c632_9ab5,
    0x6a9b_0bfc_6eb6_7e0d,
    0x9243_c60d_ccff_1332,
    0x1a1f_1dde_743f_02d4,
    0x0996_753c_10ed_0bb8,
    0x6572_dd22_f2b4_969a,
    0x61fd_3062_d00a_579a,
    0x1de0_536e_8682_e539,
];
