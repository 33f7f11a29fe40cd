//! How many steps lead from this processor's estimates of inverse square roots to roots of float32.
//!
//! An estimate with a relative error of at most 1.5 / 4096, as a processor gives one, becomes the root and its half
//! inverse, both nearer in each step, and in the end the root of what is left: [`stepped`]. Before the last rounding
//! that is at most 2.5e-6 of a last place from the root, or 3e-7 after two steps, so that the rounding goes wrong only
//! where a root is as close to the middle of two numbers. Numbers of other exponents have the same digits as those in
//! 1..4, if what is left of them is not below float32's exponents. So few numbers remain, and the test
//! `every_number_by_every_estimate` tries them with all estimates: after two steps one number is wrong, by two of these,
//! and after one step [`MISSED`] are, by up to a third of them. A processor has one estimate for each number: whether it
//! is one of those is looked at once.

use super::roots::RANGE;

/// How square roots of float32 are multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roots {
    /// The elements of vectors that the processor's divider takes one after the other.
    pub wide: usize,
    /// How many steps lead from its estimates to roots: one or two.
    pub steps: usize,
}

/// The bits of the numbers in 1..4 that one step misses from some estimates.
pub const MISSED: [u32; 17] = [
    0x3f92_5859,
    0x3fa9_7bef,
    0x3fbb_61f7,
    0x3fcd_aeb2,
    0x3fd4_6581,
    0x3ff0_28ab,
    0x3ff0_d9ce,
    0x3ffc_114a,
    0x402a_177f,
    0x4033_02be,
    0x403b_8bcc,
    0x404d_142a,
    0x404d_91ec,
    0x4051_5a77,
    0x405a_e03b,
    0x405f_5fa5,
    0x406e_9372,
];

/// The root of a number from an estimate of its inverse.
#[inline]
pub fn stepped(x: f32, inverse: f32, steps: usize) -> f32 {
    let (mut g, mut h) = (x * inverse, 0.5 * inverse);
    for _ in 0..steps {
        let off = (-h).mul_add(g, 0.5);
        (g, h) = (g.mul_add(off, g), h.mul_add(off, h));
    }
    (-g).mul_add(g, x).mul_add(h, g)
}

/// The numbers of all exponents that have the digits of one in 1..4, and roots by multiplications.
pub fn of_all_exponents(bits: u32) -> impl Iterator<Item = f32> {
    let two = 2 << 23;
    let [least, beyond] = RANGE;
    let first = least + (bits - least) % two;
    (first..beyond).step_by(two as usize).map(f32::from_bits)
}

/// Whether so many steps lead from this processor's estimates to the roots of all of these numbers.
#[cfg(target_arch = "x86_64")]
pub fn settles(numbers: impl Iterator<Item = f32>, steps: usize) -> bool {
    use std::arch::x86_64::{_mm256_cvtss_f32, _mm256_rsqrt_ps, _mm256_set1_ps};

    #[target_feature(enable = "avx,fma")]
    fn all(mut numbers: impl Iterator<Item = f32>, steps: usize) -> bool {
        let estimate = |x: f32| _mm256_cvtss_f32(_mm256_rsqrt_ps(_mm256_set1_ps(x)));
        numbers.all(|x| stepped(x, estimate(x), steps) == x.sqrt())
    }

    let is_able = is_x86_feature_detected!("avx") && is_x86_feature_detected!("fma");
    // SAFETY: the processor has these instructions.
    is_able && unsafe { all(numbers, steps) }
}

/// The steps that this processor's estimates need.
#[cfg(target_arch = "x86_64")]
pub fn steps() -> usize {
    // Of processors of two kinds in one machine, the other one may estimate otherwise.
    // SAFETY: every processor of this kind has the instruction; newer compilers know that.
    #[allow(unused_unsafe)]
    let extended = unsafe { std::arch::x86_64::__cpuid_count(7, 0) };
    let is_mixed = extended.edx & 1 << 15 != 0;
    if !is_mixed && settles(MISSED.into_iter().flat_map(of_all_exponents), 1) { 1 } else { 2 }
}

/// No other processor's estimates are used.
#[cfg(not(target_arch = "x86_64"))]
pub fn steps() -> usize {
    2
}
