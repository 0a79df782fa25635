//! The S-box of AES and its inverse as Boolean networks, without the constant 0x63, which the users include in the round keys.
//!
//! After Boyar and Peralta, "A small depth-16 circuit for the AES S-box" (SEC 2012): a linear layer, an inversion in a tower of
//! fields, and a linear layer. The names are theirs: `u` for the input (most significant bit first), `t` for the upper layer, `m`
//! for the inversion, `l` and `p` for the lower layer. The lower layer of the S-box itself is the one of 28 gates in their
//! circuit of 113 with Calik ("SLP_AES_113"), which saves ten gates: 118 gates, 19 deep. The upper layer of that circuit would
//! save four more gates and add four to the depth; it was slower on all CPUs that were measured.

use core::ops::{BitAnd, BitXor};

/// The input of the inversion.
struct Top<V> {
    /// Nine pairs of factors.
    a: [V; 9],
    b: [V; 9],
    t14: V,
    t24: V,
    t25: V,
    t26: V,
}

/// S(x) ^ 0x63; plane `k` is bit `k`.
#[inline(always)]
pub(in crate::isa) fn sub_bytes<V: Copy + BitXor<Output = V> + BitAnd<Output = V>>(
    x: [V; 8],
) -> [V; 8] {
    bottom(products(&top(x)))
}

/// The inverse of S at x ^ 0x63.
#[inline(always)]
pub(in crate::isa) fn inv_sub_bytes<V: Copy + BitXor<Output = V> + BitAnd<Output = V>>(
    x: [V; 8],
) -> [V; 8] {
    inv_bottom(products(&inv_top(x)))
}

/// Figure 5.
#[inline(always)]
fn top<V: Copy + BitXor<Output = V>>(x: [V; 8]) -> Top<V> {
    let [u7, u6, u5, u4, u3, u2, u1, u0] = x;
    let t1 = u0 ^ u3;
    let t2 = u0 ^ u5;
    let t3 = u0 ^ u6;
    let t4 = u3 ^ u5;
    let t5 = u4 ^ u6;
    let t6 = t1 ^ t5;
    let t7 = u1 ^ u2;
    let t8 = u7 ^ t6;
    let t9 = u7 ^ t7;
    let t10 = t6 ^ t7;
    let t11 = u1 ^ u5;
    let t12 = u2 ^ u5;
    let t13 = t3 ^ t4;
    let t14 = t6 ^ t11;
    let t15 = t5 ^ t11;
    let t16 = t5 ^ t12;
    let t17 = t9 ^ t16;
    let t18 = u3 ^ u7;
    let t19 = t7 ^ t18;
    let t20 = t1 ^ t19;
    let t21 = u6 ^ u7;
    let t22 = t7 ^ t21;
    let t23 = t2 ^ t22;
    let t24 = t2 ^ t10;
    let t25 = t20 ^ t17;
    let t26 = t3 ^ t16;
    let t27 = t1 ^ t12;
    let a = [t6, t8, u7, t16, t9, t17, t15, t27, t10];
    Top { a, b: [t13, t23, t19, t3, t22, t20, t1, t4, t2], t14, t24, t25, t26 }
}

/// Figure 6.
#[inline(always)]
fn inv_top<V: Copy + BitXor<Output = V>>(x: [V; 8]) -> Top<V> {
    let [u7, u6, u5, u4, u3, u2, u1, u0] = x;
    let t23 = u0 ^ u3;
    let t22 = u1 ^ u3;
    let t2 = u0 ^ u1;
    let t1 = u3 ^ u4;
    let t24 = u4 ^ u7;
    let r5 = u6 ^ u7;
    let t8 = u1 ^ t23;
    let t19 = t22 ^ r5;
    let t9 = u7 ^ t1;
    let t10 = t2 ^ t24;
    let t13 = t2 ^ r5;
    let t3 = t1 ^ r5;
    let t25 = u2 ^ t1;
    let r13 = u1 ^ u6;
    let t17 = u2 ^ t19;
    let t20 = t24 ^ r13;
    let t4 = u4 ^ t8;
    let r17 = u2 ^ u5;
    let r18 = u5 ^ u6;
    let r19 = u2 ^ u4;
    let y5 = u0 ^ r17;
    let t6 = t22 ^ r17;
    let t16 = r13 ^ r19;
    let t27 = t1 ^ r18;
    let t15 = t10 ^ t27;
    let t14 = t10 ^ r18;
    let t26 = t3 ^ t16;
    let a = [t6, t8, y5, t16, t9, t17, t15, t27, t10];
    Top { a, b: [t13, t23, t19, t3, t22, t20, t1, t4, t2], t14, t24, t25, t26 }
}

/// Figure 7: the inverse in the tower, multiplied by all of `a` and `b`. The result is m46 to m63.
#[inline(always)]
fn products<V: Copy + BitXor<Output = V> + BitAnd<Output = V>>(top: &Top<V>) -> [V; 18] {
    let Top { a, b, .. } = top;
    let m1 = b[0] & a[0];
    let m2 = b[1] & a[1];
    let m4 = b[2] & a[2];
    let m6 = b[3] & a[3];
    let m7 = b[4] & a[4];
    let m9 = b[5] & a[5];
    let m11 = b[6] & a[6];
    let m12 = b[7] & a[7];
    let m14 = b[8] & a[8];
    let m3 = top.t14 ^ m1;
    let m5 = m4 ^ m1;
    let m8 = top.t26 ^ m6;
    let m10 = m9 ^ m6;
    let m13 = m12 ^ m11;
    let m15 = m14 ^ m11;
    let m16 = m3 ^ m2;
    let m17 = m5 ^ top.t24;
    let m18 = m8 ^ m7;
    let m19 = m10 ^ m15;
    let m20 = m16 ^ m13;
    let m21 = m17 ^ m15;
    let m22 = m18 ^ m13;
    let m23 = m19 ^ top.t25;
    let m24 = m22 ^ m23;
    let m25 = m22 & m20;
    let m26 = m21 ^ m25;
    let m27 = m20 ^ m21;
    let m28 = m23 ^ m25;
    let m29 = m28 & m27;
    let m30 = m26 & m24;
    let m31 = m20 & m23;
    let m32 = m27 & m31;
    let m33 = m27 ^ m25;
    let m34 = m21 & m22;
    let m35 = m24 & m34;
    let m36 = m24 ^ m25;
    let m37 = m21 ^ m29;
    let m38 = m32 ^ m33;
    let m39 = m23 ^ m30;
    let m40 = m35 ^ m36;
    let m41 = m38 ^ m40;
    let m42 = m37 ^ m39;
    let m43 = m37 ^ m38;
    let m44 = m39 ^ m40;
    let m45 = m42 ^ m41;
    let inverse = [m44, m40, m39, m43, m38, m37, m42, m45, m41];
    let mut m = [m1; 18];
    for i in 0..9 {
        (m[i], m[i + 9]) = (inverse[i] & a[i], inverse[i] & b[i]);
    }
    m
}

/// The lower layer of the circuit of 113 gates.
#[inline(always)]
fn bottom<V: Copy + BitXor<Output = V>>(m: [V; 18]) -> [V; 8] {
    let l1 = m[15] ^ m[16];
    let l2 = m[10] ^ l1;
    let l3 = m[9] ^ l2;
    let l4 = m[0] ^ m[2];
    let l5 = m[1] ^ m[0];
    let l6 = m[3] ^ m[4];
    let l7 = m[12] ^ l4;
    let l8 = m[7] ^ l6;
    let l9 = m[8] ^ l7;
    let l10 = l8 ^ l9;
    let l11 = l6 ^ l5;
    let l12 = m[3] ^ m[5];
    let l13 = m[13] ^ l1;
    let l14 = l4 ^ l12;
    let l16 = m[6] ^ l8;
    let l17 = m[14] ^ l10;
    let l18 = l13 ^ l14;
    let l20 = m[15] ^ l16;
    let l21 = l2 ^ m[11];
    let s3 = l3 ^ l11;
    let s0 = l3 ^ l16;
    let s1 = s3 ^ l16;
    let s2 = (l17 ^ l20) ^ m[17];
    let s4 = l14 ^ s3;
    let s5 = l21 ^ l17;
    let s6 = l10 ^ l18;
    let s7 = m[12] ^ l18;
    [s7, s6, s5, s4, s3, s2, s1, s0]
}

/// Figure 9.
#[inline(always)]
fn inv_bottom<V: Copy + BitXor<Output = V>>(m: [V; 18]) -> [V; 8] {
    let p0 = m[6] ^ m[15];
    let p1 = m[12] ^ m[13];
    let p2 = m[8] ^ m[16];
    let p3 = m[1] ^ m[4];
    let p4 = m[2] ^ m[10];
    let p5 = m[0] ^ m[5];
    let p6 = m[3] ^ m[14];
    let p7 = p0 ^ p1;
    let p8 = m[4] ^ m[7];
    let p9 = m[9] ^ m[17];
    let p10 = m[11] ^ p4;
    let p11 = p0 ^ p3;
    let p12 = m[0] ^ m[2];
    let p13 = m[3] ^ m[5];
    let p14 = m[3] ^ m[16];
    let p15 = m[8] ^ m[13];
    let p16 = m[11] ^ m[15];
    let p17 = m[12] ^ p2;
    let p18 = m[17] ^ p5;
    let p19 = p2 ^ p3;
    let p20 = p4 ^ p6;
    let p22 = p2 ^ p7;
    let p23 = p7 ^ p8;
    let p24 = p5 ^ p7;
    let p25 = p6 ^ p10;
    let p26 = p9 ^ p11;
    let p27 = p10 ^ p18;
    let p28 = p11 ^ p25;
    let p29 = p15 ^ p20;
    let w = [p13 ^ p22, p26 ^ p29, p17 ^ p28, p12 ^ p22, p23 ^ p27, p19 ^ p24, p14 ^ p23, p9 ^ p16];
    let [w0, w1, w2, w3, w4, w5, w6, w7] = w;
    [w7, w6, w5, w4, w3, w2, w1, w0]
}
