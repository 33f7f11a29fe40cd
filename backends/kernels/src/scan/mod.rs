//! Running sums and products along an axis.

#[cfg(test)]
mod tests;

use crate::{
    lines::map_lines,
    small::{Real, Value},
    types::match_dtype,
};
use half::{bf16, f16};
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Op, Result, ScanOp};
use num_complex::{Complex, Complex32, Complex64};
use std::mem::MaybeUninit;

/// The running sum or product of `x` along `axis`, in `x`'s dtype and shape; with
/// `include_initial` the identity comes first and the axis is one longer.
///
/// Integers wrap. Floats other than float64 are accumulated in float64 and each result is
/// rounded once; float64 sums carry the rounding errors along.
///
/// ```
/// use ivy_core::{ScanOp, host::HostArray};
/// let x = HostArray::from_vec(vec![1i32, 2, 3], [3].into()).unwrap();
/// let sums = ivy_kernels::scan::scan(ScanOp::Sum, 0, true, x.view())?;
/// assert_eq!(sums.to_vec::<i32>()?, [0, 1, 3, 6]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// A dtype that is not numeric, or no memory.
pub fn scan(op: ScanOp, axis: usize, include_initial: bool, x: HostView) -> Result<HostArray> {
    let name = Op::Scan { op, axis, include_initial }.name();
    let out_len = x.shape()[axis] + usize::from(include_initial);
    match_dtype!(x.dtype(), numeric, T => {
        // SAFETY: `line` writes every element.
        unsafe {
            map_lines::<T, T>(name, x, axis, out_len, x.dtype(), |from, to| {
                let to = if include_initial {
                    let (initial, rest) = to.split_at_mut(1);
                    initial[0].write(T::identity(op));
                    rest
                } else {
                    to
                };
                T::line(op, from, to);
            })
        }
    }, else => Err(crate::reduce::refused(name, x.dtype())))
}

trait Accumulate: Value {
    fn identity(op: ScanOp) -> Self;
    fn line(op: ScanOp, from: &[Self], to: &mut [MaybeUninit<Self>]);
}

/// Writes what `step` gives for each element.
fn each<T: Copy>(from: &[T], to: &mut [MaybeUninit<T>], mut step: impl FnMut(T) -> T) {
    for (x, y) in from.iter().zip(to) {
        y.write(step(*x));
    }
}

macro_rules! integers {
    ($($t:ty),*) => {$(
        impl Accumulate for $t {
            fn identity(op: ScanOp) -> $t {
                match op { ScanOp::Sum => 0, ScanOp::Prod => 1 }
            }
            fn line(op: ScanOp, from: &[$t], to: &mut [MaybeUninit<$t>]) {
                let mut acc = Self::identity(op);
                match op {
                    ScanOp::Sum => each(from, to, |x| { acc = acc.wrapping_add(x); acc }),
                    ScanOp::Prod => each(from, to, |x| { acc = acc.wrapping_mul(x); acc }),
                }
            }
        }
    )*};
}
integers!(i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! floats {
    ($($t:ty),*) => {$(
        impl Accumulate for $t {
            fn identity(op: ScanOp) -> $t {
                <$t>::nearest(match op { ScanOp::Sum => 0.0, ScanOp::Prod => 1.0 })
            }
            fn line(op: ScanOp, from: &[$t], to: &mut [MaybeUninit<$t>]) {
                match op {
                    ScanOp::Sum => {
                        // The additive identity that keeps the sign of a zero.
                        let mut acc = -0.0;
                        each(from, to, |x| { acc += x.widen(); <$t>::nearest(acc) })
                    }
                    ScanOp::Prod => {
                        let mut acc = 1.0;
                        each(from, to, |x| { acc *= x.widen(); <$t>::nearest(acc) })
                    }
                }
            }
        }
    )*};
}
floats!(bf16, f16, f32);

/// A sum and what rounding has taken from it.
struct Compensated {
    sum: f64,
    lost: f64,
}

impl Compensated {
    fn new() -> Compensated {
        Compensated { sum: -0.0, lost: -0.0 }
    }

    fn add(&mut self, x: f64) -> f64 {
        let sum = self.sum + x;
        let part = sum - self.sum;
        self.lost += (self.sum - (sum - part)) + (x - part);
        self.sum = sum;
        // Infinities leave no meaning in what was lost.
        if sum.is_finite() && self.lost != 0.0 { sum + self.lost } else { sum }
    }
}

impl Accumulate for f64 {
    fn identity(op: ScanOp) -> f64 {
        match op {
            ScanOp::Sum => 0.0,
            ScanOp::Prod => 1.0,
        }
    }
    fn line(op: ScanOp, from: &[f64], to: &mut [MaybeUninit<f64>]) {
        match op {
            ScanOp::Sum => {
                let mut acc = Compensated::new();
                each(from, to, |x| acc.add(x))
            }
            ScanOp::Prod => {
                let mut acc = 1.0;
                each(from, to, |x| {
                    acc *= x;
                    acc
                })
            }
        }
    }
}

impl Accumulate for Complex32 {
    fn identity(op: ScanOp) -> Complex32 {
        Complex32::new(f32::identity(op), 0.0)
    }
    fn line(op: ScanOp, from: &[Complex32], to: &mut [MaybeUninit<Complex32>]) {
        let narrow = |z: Complex64| Complex32::new(z.re as f32, z.im as f32);
        let widen = |z: Complex32| Complex::new(f64::from(z.re), f64::from(z.im));
        match op {
            ScanOp::Sum => {
                let mut acc = Complex64::new(-0.0, -0.0);
                each(from, to, |x| {
                    acc += widen(x);
                    narrow(acc)
                })
            }
            ScanOp::Prod => products(from, to, widen, narrow),
        }
    }
}

impl Accumulate for Complex64 {
    fn identity(op: ScanOp) -> Complex64 {
        Complex64::new(f64::identity(op), 0.0)
    }
    fn line(op: ScanOp, from: &[Complex64], to: &mut [MaybeUninit<Complex64>]) {
        match op {
            ScanOp::Sum => {
                let (mut re, mut im) = (Compensated::new(), Compensated::new());
                each(from, to, |x| Complex64::new(re.add(x.re), im.add(x.im)))
            }
            ScanOp::Prod => products(from, to, |z| z, |z| z),
        }
    }
}

/// Running complex products. The first element stands for itself: a product with 1 + 0i would
/// turn an infinite part into NaN.
fn products<T: Copy>(
    from: &[T],
    to: &mut [MaybeUninit<T>],
    widen: impl Fn(T) -> Complex64,
    narrow: impl Fn(Complex64) -> T,
) {
    let mut acc: Option<Complex64> = None;
    each(from, to, |x| {
        let next = acc.map_or(widen(x), |a| a * widen(x));
        acc = Some(next);
        narrow(next)
    })
}
