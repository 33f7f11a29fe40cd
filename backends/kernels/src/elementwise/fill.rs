//! Arrays made from scalars.

use super::drive::PARALLEL;
use crate::output::new_array;
use crate::parallel::chunks;
use crate::saturate::Saturating;
use crate::scalar_math::{Real, i128_to_odd_f64};
use half::{bf16, f16};
use ivy_core::host::{Buffer, HostArray};
use ivy_core::{Dtype, ErrorKind, Result, Scalar, Shape};
use num_complex::{Complex32, Complex64};
use std::mem::MaybeUninit;

/// An element of a dtype, made from a host scalar; bool is [`Truth`].
trait FromScalar: Copy + Send + Sync {
    fn from_scalar(value: Scalar) -> Self;
    /// From a real number, with one rounding.
    fn from_real(x: f64) -> Self {
        Self::from_scalar(Scalar::Float(x))
    }
}

/// A bool as it stands in memory: the byte 0 or 1.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Truth(u8);

impl FromScalar for Truth {
    fn from_scalar(value: Scalar) -> Truth {
        Truth(u8::from(value.to_bool()))
    }
}

macro_rules! from_scalar_int {
    ($($t:ident)*) => {$(
        impl FromScalar for $t {
            fn from_scalar(value: Scalar) -> $t {
                match value {
                    Scalar::Float(x) => x as $t,
                    other => other.to_i128() as $t,
                }
            }
            #[inline(always)]
            fn from_real(x: f64) -> $t { <$t as Saturating>::from_f64(x) }
        }
    )*};
}
from_scalar_int!(i8 i16 i32 i64 u8 u16 u32 u64);

macro_rules! from_scalar_float {
    ($($t:ident)*) => {$(
        impl FromScalar for $t {
            fn from_scalar(value: Scalar) -> $t { real(value) }
            #[inline(always)]
            fn from_real(x: f64) -> $t { <$t as Real>::from_f64(x) }
        }
    )*};
}
from_scalar_float!(bf16 f16 f32 f64);

impl FromScalar for Complex32 {
    fn from_scalar(value: Scalar) -> Complex32 {
        Complex32::new(real(value), value.to_complex().im as f32)
    }
}
impl FromScalar for Complex64 {
    fn from_scalar(value: Scalar) -> Complex64 {
        Complex64::new(real(value), value.to_complex().im)
    }
}

/// The real part, rounded once.
fn real<T: Real>(value: Scalar) -> T {
    match value {
        // float64 is the only float that could not be rounded to from an odd float64.
        Scalar::Int(i) if size_of::<T>() < 8 => T::from_f64(i128_to_odd_f64(i)),
        other => T::from_f64(other.to_f64()),
    }
}

/// Runs an expression with `$T` as the element type of any dtype, bool as [`Truth`].
macro_rules! match_element {
    ($dtype:expr, $T:ident => $body:expr) => {
        crate::types::match_dtype!($dtype, numeric, $T => $body, else => {
            type $T = Truth;
            $body
        })
    };
}

/// True if a scalar is zeros in memory in any dtype; -0.0 is not.
fn is_zero(value: Scalar) -> bool {
    match value {
        Scalar::Bool(x) => !x,
        Scalar::Int(x) => x == 0,
        Scalar::Float(x) => x.to_bits() == 0,
        Scalar::Complex(z) => z.re.to_bits() == 0 && z.im.to_bits() == 0,
    }
}

/// An array of zeros (of bool, false): memory that the system has as zeros is not written.
///
/// # Errors
/// A size that overflows; no memory.
pub fn zeros(shape: &Shape, dtype: Dtype) -> Result<HostArray> {
    let bytes = shape.checked_size("full", dtype)? * dtype.bytes();
    let buffer = Buffer::zeroed(bytes).ok_or_else(|| ErrorKind::no_memory("full", bytes as u128))?;
    Ok(HostArray::new(buffer, dtype, shape.clone()).expect("the buffer was made for this shape"))
}

/// An array of a shape with the same value everywhere.
///
/// # Errors
/// A size that overflows; no memory.
pub fn full(shape: &Shape, dtype: Dtype, value: Scalar) -> Result<HostArray> {
    if is_zero(value) {
        return zeros(shape, dtype);
    }
    match_element!(dtype, T => {
        let element = T::from_scalar(value);
        // SAFETY: every element is written; a truth value is 0 or 1.
        unsafe { new_array::<T>("full", dtype, shape, |out| each(out, |part, _| part.fill(MaybeUninit::new(element)))) }
    })
}

/// Writes an element of a dtype again and again, as often as it fits.
///
/// # Panics
/// If the memory is not aligned for the dtype, or not a whole number of elements.
pub(super) fn splat(dtype: Dtype, value: Scalar, out: &mut [MaybeUninit<u8>]) {
    match_element!(dtype, T => {
        let element = T::from_scalar(value);
        // SAFETY: what is not initialized may be so as another type.
        let (before, elements, after) = unsafe { out.align_to_mut::<MaybeUninit<T>>() };
        assert!(before.is_empty() && after.is_empty(), "aligned memory of whole elements");
        elements.fill(MaybeUninit::new(element));
    })
}

/// Fills an array, a long one by several threads: `fill` gets a part and its position.
fn each<T: Send>(out: &mut [MaybeUninit<T>], fill: impl Fn(&mut [MaybeUninit<T>], usize) + Sync) {
    if out.len() < PARALLEL {
        return fill(out, 0);
    }
    let part = PARALLEL / 4;
    chunks(true, out, part, &|i, out| fill(out, i * part));
}

/// Each element by its position.
fn by_position<T: Send>(out: &mut [MaybeUninit<T>], element: impl Fn(usize) -> T + Sync) {
    each(out, |part, start| {
        for (i, o) in part.iter_mut().enumerate() {
            o.write(element(start + i));
        }
    });
}

/// `start + i * step` for `i` below `len`: in integers if both scalars are (or are truth
/// values), else in float64; then converted once.
///
/// # Errors
/// A size that overflows; no memory.
pub fn arange(start: Scalar, step: Scalar, len: usize, dtype: Dtype) -> Result<HostArray> {
    let whole = |s: Scalar| matches!(s, Scalar::Int(_) | Scalar::Bool(_));
    let (integers, shape) = (whole(start) && whole(step), Shape::from(len));
    let (first, by) = (start.to_i128(), step.to_i128());
    let (real_first, real_by) = (start.to_f64(), step.to_f64());
    match_element!(dtype, T => {
        let fill = |out: &mut [MaybeUninit<T>]| {
            if integers {
                let at = |i: usize| first.wrapping_add((i as i128).wrapping_mul(by));
                by_position(out, |i| T::from_scalar(Scalar::Int(at(i))));
            } else {
                by_position(out, |i| T::from_real(real_first + i as f64 * real_by));
            }
        };
        // SAFETY: every element is written; a truth value is 0 or 1.
        unsafe { new_array::<T>("arange", dtype, &shape, fill) }
    })
}

/// `len` numbers from `start` in equal steps to `stop`, which is the last if `endpoint`, else
/// would come next; in float64, each part of complex by itself, and converted once.
///
/// # Errors
/// A size that overflows; no memory.
pub fn linspace(start: Scalar, stop: Scalar, len: usize, endpoint: bool, dtype: Dtype) -> Result<HostArray> {
    let (first, end) = (start.to_complex(), stop.to_complex());
    let div = if endpoint { len.saturating_sub(1) } else { len } as f64;
    let between = move |a: f64, b: f64, i: usize| {
        let (i, whole) = (i as f64, b - a);
        let way = i * whole;
        if i == 0.0 {
            a
        } else if endpoint && i == div {
            b
        } else if way.is_finite() || !a.is_finite() || !b.is_finite() {
            a + way / div
        } else {
            a * (1.0 - i / div) + b * (i / div)
        }
    };
    let shape = Shape::from(len);
    match_element!(dtype, T => {
        let fill = |out: &mut [MaybeUninit<T>]| {
            if dtype.is_complex() {
                by_position(out, |i| {
                    let (re, im) = (between(first.re, end.re, i), between(first.im, end.im, i));
                    T::from_scalar(Scalar::Complex(Complex64::new(re, im)))
                });
            } else {
                by_position(out, |i| T::from_real(between(first.re, end.re, i)));
            }
        };
        // SAFETY: every element is written; a truth value is 0 or 1.
        unsafe { new_array::<T>("linspace", dtype, &shape, fill) }
    })
}

/// A matrix with ones on diagonal `k` (above the main one if positive), else zeros.
///
/// # Errors
/// A size that overflows; no memory.
pub fn eye(rows: usize, cols: usize, k: i64, dtype: Dtype) -> Result<HostArray> {
    let shape = Shape::from([rows, cols]);
    match_element!(dtype, T => {
        let (zero, one) = (T::from_scalar(Scalar::Int(0)), T::from_scalar(Scalar::Int(1)));
        let fill = |out: &mut [MaybeUninit<T>]| {
            out.fill(MaybeUninit::new(zero));
            for (row, line) in out.chunks_mut(cols.max(1)).enumerate() {
                let place = usize::try_from(row as i128 + i128::from(k)).ok();
                if let Some(o) = place.and_then(|p| line.get_mut(p)) {
                    o.write(one);
                }
            }
        };
        // SAFETY: every element is written; a truth value is 0 or 1.
        unsafe { new_array::<T>("eye", dtype, &shape, fill) }
    })
}
