//! Functions of float32 computed in float32 alone, within one unit of the last place, for those
//! whose time counts most: half the width is twice the elements in a vector. No fused
//! multiply-add, so that the bits are the same everywhere.

use std::f32::consts::LOG2_E;

include!("tanh_table.rs");

/// Adding it to a number of less than 22 bits rounds that to an integer, which then stands in
/// the last bits.
const ROUND: f32 = 12582912.0;
/// ln 2 to 15 bits, so that products with exponents are exact, and the rest.
const LN2_HIGH: f32 = f32::from_bits(0x3f31_7200);
const LN2_LOW: f32 = 1.4286068e-06;

/// Within 0.87 units of the last place.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    // Beyond, there are 0 and infinity only.
    let x = if x < -104.0 { -104.0 } else { x };
    let x = if x > 89.0 { 89.0 } else { x };
    let shifted = x * LOG2_E + ROUND;
    let n = shifted - ROUND;
    // x - n ln 2 as `r`, and what its rounding left out.
    let (high, low) = (x - n * LN2_HIGH, n * LN2_LOW);
    let r = high - low;
    let rest = (high - r) - low;
    // Chebyshev approximation of (exp(r) - 1 - r) / r^2.
    let mut tail = 0.0001989108;
    for c in [0.0013933731, 0.0083333105, 0.041666463, 0.16666667, 0.5] {
        tail = tail * r + c;
    }
    let y = 1.0 + (r + (rest + r * r * tail));
    // By 2^n in two steps, as it may be out of range where the result is not; the first is exact.
    let n = shifted.to_bits() as i32 - ROUND.to_bits() as i32;
    let power = |n: i32| f32::from_bits(((n + 127) << 23) as u32);
    y * power(n >> 1) * power(n - (n >> 1))
}

/// From here on the result is 1.
pub(crate) const TANH_ONE: f32 = 12.0;
/// Below, a polynomial takes over from the table.
pub(crate) const TANH_SMALL: f32 = 0.0625;
/// tanh(x) = x + x^3 (a + b x^2) for small `x`.
pub(crate) const TANH_CUBIC: [f32; 2] = [-0.33333322, 0.13312282];

/// A row of the table for vectors: the rows in the order of [`tanh`].
#[cfg(target_arch = "x86_64")]
pub(crate) fn tanh_row(row: usize) -> &'static [u32; 32] {
    &TABLE[row]
}

/// Within 0.76 units of the last place: from a near point where the result is almost a float32,
/// by a polynomial of the distance.
#[inline(always)]
pub(crate) fn tanh(x: f32) -> f32 {
    let size = x.abs();
    let size = if size > TANH_ONE { TANH_ONE } else { size };
    let column = (size.to_bits() >> 21) as usize % 32;
    let row = |row: usize| f32::from_bits(TABLE[row][column]);
    let r = size - row(0);
    let mut rest = row(7);
    for i in (2..7).rev() {
        rest = rest * r + row(i);
    }
    let large = row(1) + rest * r;
    let square = size * size;
    let small = size + size * square * (TANH_CUBIC[0] + TANH_CUBIC[1] * square);
    let y = if size < TANH_SMALL { small } else { large };
    f32::from_bits(y.to_bits() | x.to_bits() & 1 << 31)
}
