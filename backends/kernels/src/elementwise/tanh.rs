//! The hyperbolic tangent of float32 numbers: [`single::tanh`] with its table in vector
//! registers, where the instruction set has permutations to look up with. The operations are the
//! same, one for one.

use super::kernel::{Map1, run1};
use super::math::single;
use crate::isa::Isa;

/// The function of one element.
struct Tanh;
impl Map1 for Tanh {
    type In = f32;
    type Out = f32;
    const TOP: Isa = Isa::Baseline;
    #[inline(always)]
    fn apply(x: f32) -> f32 {
        single::tanh(x)
    }
}

/// The [`Kernel`](super::kernel::Kernel) of the function.
///
/// # Safety
/// That of [`Kernel`](super::kernel::Kernel).
pub(super) unsafe fn run([x]: [*const u8; 1], out: *mut u8, n: usize, isa: Isa) {
    // SAFETY: the caller's promise.
    unsafe {
        match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => vectors::run_avx512(x.cast(), out.cast(), n),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => {
                let whole = vectors::run_avx2(x.cast(), out.cast(), n);
                run1::<Tanh>([x.add(whole * 4)], out.add(whole * 4), n - whole, isa);
            }
            _ => run1::<Tanh>([x], out, n, isa),
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod vectors {
    use super::single::{TANH_CUBIC, TANH_ONE, TANH_SMALL, tanh_row};
    use std::arch::x86_64::*;

    /// All elements.
    ///
    /// # Safety
    /// `n` elements each, and AVX-512F.
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn run_avx512(x: *const f32, out: *mut f32, n: usize) {
        let row = |i: usize| {
            let row = tanh_row(i).as_ptr().cast::<f32>();
            // SAFETY: a row has two vectors.
            unsafe { [_mm512_loadu_ps(row), _mm512_loadu_ps(row.add(16))] }
        };
        let table = [row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)];
        let mut at = 0;
        while at + 32 <= n {
            // SAFETY: two vectors within the elements.
            unsafe {
                let a = tanh16(_mm512_loadu_ps(x.add(at)), &table);
                let b = tanh16(_mm512_loadu_ps(x.add(at + 16)), &table);
                _mm512_storeu_ps(out.add(at), a);
                _mm512_storeu_ps(out.add(at + 16), b);
            }
            at += 32;
        }
        while at < n {
            let here = if n - at < 16 { (1u16 << (n - at)) - 1 } else { u16::MAX };
            // SAFETY: the mask leaves out what lies beyond the elements.
            unsafe {
                let a = tanh16(_mm512_maskz_loadu_ps(here, x.add(at)), &table);
                _mm512_mask_storeu_ps(out.add(at), here, a);
            }
            at += 16;
        }
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn tanh16(x: __m512, table: &[[__m512; 2]; 8]) -> __m512 {
        let all = _mm512_set1_ps;
        // Of a NaN the minimum gives the second operand.
        let size = _mm512_min_ps(all(TANH_ONE), _mm512_abs_ps(x));
        // Permutations look at the last five bits only.
        let column = _mm512_srli_epi32::<21>(_mm512_castps_si512(size));
        let row = |i: usize| _mm512_permutex2var_ps(table[i][0], column, table[i][1]);
        let r = _mm512_sub_ps(size, row(0));
        let mut rest = row(7);
        for i in (2..7).rev() {
            rest = _mm512_add_ps(_mm512_mul_ps(rest, r), row(i));
        }
        let large = _mm512_add_ps(row(1), _mm512_mul_ps(rest, r));
        let square = _mm512_mul_ps(size, size);
        let cubic = _mm512_add_ps(all(TANH_CUBIC[0]), _mm512_mul_ps(all(TANH_CUBIC[1]), square));
        let small = _mm512_add_ps(size, _mm512_mul_ps(_mm512_mul_ps(size, square), cubic));
        let is_small = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(size, all(TANH_SMALL));
        let y = _mm512_castps_si512(_mm512_mask_mov_ps(large, is_small, small));
        let sign = _mm512_and_si512(_mm512_castps_si512(x), _mm512_set1_epi32(i32::MIN));
        _mm512_castsi512_ps(_mm512_or_si512(y, sign))
    }

    /// All whole vectors; gives how many elements these are.
    ///
    /// # Safety
    /// `n` elements each, and AVX2.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn run_avx2(x: *const f32, out: *mut f32, n: usize) -> usize {
        let whole = n / 8 * 8;
        for at in (0..whole).step_by(8) {
            // SAFETY: a vector within the elements.
            unsafe { _mm256_storeu_ps(out.add(at), tanh8(_mm256_loadu_ps(x.add(at)))) };
        }
        whole
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn tanh8(x: __m256) -> __m256 {
        let all = _mm256_set1_ps;
        let size = _mm256_min_ps(all(TANH_ONE), _mm256_andnot_ps(all(-0.0), x));
        let column = _mm256_srli_epi32::<21>(_mm256_castps_si256(size));
        // Permutations look at the last three bits; the two before choose between four.
        let second = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(column));
        let last_two = _mm256_castsi256_ps(_mm256_slli_epi32::<27>(column));
        let row = |i: usize| {
            let part = |j: usize| {
                // SAFETY: a row has four vectors.
                let part = unsafe { _mm256_loadu_ps(tanh_row(i).as_ptr().cast::<f32>().add(8 * j)) };
                _mm256_permutevar8x32_ps(part, column)
            };
            let (low, high) =
                (_mm256_blendv_ps(part(0), part(1), second), _mm256_blendv_ps(part(2), part(3), second));
            _mm256_blendv_ps(low, high, last_two)
        };
        let r = _mm256_sub_ps(size, row(0));
        let mut rest = row(7);
        for i in (2..7).rev() {
            rest = _mm256_add_ps(_mm256_mul_ps(rest, r), row(i));
        }
        let large = _mm256_add_ps(row(1), _mm256_mul_ps(rest, r));
        let square = _mm256_mul_ps(size, size);
        let cubic = _mm256_add_ps(all(TANH_CUBIC[0]), _mm256_mul_ps(all(TANH_CUBIC[1]), square));
        let small = _mm256_add_ps(size, _mm256_mul_ps(_mm256_mul_ps(size, square), cubic));
        let is_small = _mm256_cmp_ps::<_CMP_LT_OQ>(size, all(TANH_SMALL));
        let y = _mm256_blendv_ps(large, small, is_small);
        _mm256_or_ps(y, _mm256_and_ps(x, all(-0.0)))
    }
}
