//! Running sums, products and the like along an axis.

use crate::{
    lines::map_lines,
    small::{Real, Value},
    types::match_dtype,
};
use half::{bf16, f16};
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dtype, Error, Op, Result, ScanOp};
use num_complex::{Complex, Complex32, Complex64};
use std::mem::MaybeUninit;

/// The running sum or product of `x` along `axis`, or what else a [`ScanOp`] says, in `x`'s dtype and
/// shape; with `include_initial` the identity comes first and the axis is one longer.
///
/// Integers wrap. Floats other than float64 are accumulated in float64 and each result is
/// rounded once; float64 sums carry the rounding errors along. Of the least and greatest, the first
/// of equal ones stays, and the first NaN.
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
/// A dtype that is not combined so, or no memory.
pub fn scan(op: ScanOp, axis: usize, include_initial: bool, x: HostView) -> Result<HostArray> {
    let name = Op::Scan { op, axis, include_initial }.name();
    let out_len = x.shape()[axis] + usize::from(include_initial);
    if !op.takes(x.dtype()) {
        return Err(crate::reduce::refused(name, x.dtype()));
    }
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
                T::along(op, &mut T::begin(op), Beside(from, to));
            })
        }
    }, else => Err(crate::reduce::refused(name, x.dtype())))
}

/// A running sum or product of elements that are there piece by piece, each in the place of its
/// result: the bits that [`scan`] gives for the whole line.
pub struct Running(Box<dyn Pieces>);

impl Running {
    /// At the beginning of a line.
    ///
    /// # Errors
    /// A dtype that is not combined so.
    pub fn new(op: ScanOp, dtype: Dtype) -> Result<Running> {
        if !op.takes(dtype) {
            return Err(refused(op, dtype));
        }
        match_dtype!(dtype, numeric, T => {
            Ok(Running(Box::new(Line::<T> { op, carry: T::begin(op) })))
        }, else => Err(refused(op, dtype)))
    }

    /// Begins another line.
    pub fn restart(&mut self) {
        self.0.restart();
    }

    /// Writes what stands before a line's first result: the sum or product of nothing.
    ///
    /// # Safety
    /// The address is of an element of the dtype, aligned for it, that nobody else reads or writes.
    pub unsafe fn initial(&self, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { self.0.initial(to) }
    }

    /// Replaces the next elements of the line by their results.
    ///
    /// # Safety
    /// So many elements of the dtype begin at the address, aligned for it and initialized, which
    /// nobody else reads or writes.
    pub unsafe fn advance(&mut self, first: *mut u8, count: usize) {
        // SAFETY: the caller's promise.
        unsafe { self.0.advance(first, count) }
    }
}

fn refused(op: ScanOp, dtype: Dtype) -> Error {
    crate::reduce::refused(Op::Scan { op, axis: 0, include_initial: false }.name(), dtype)
}

/// A line of any dtype.
trait Pieces: Send {
    fn restart(&mut self);

    /// # Safety
    /// As [`Running::initial`].
    unsafe fn initial(&self, to: *mut u8);

    /// # Safety
    /// As [`Running::advance`].
    unsafe fn advance(&mut self, first: *mut u8, count: usize);
}

struct Line<T: Accumulate> {
    op: ScanOp,
    carry: T::Carry,
}

impl<T: Accumulate> Pieces for Line<T> {
    fn restart(&mut self) {
        self.carry = T::begin(self.op);
    }

    unsafe fn initial(&self, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { to.cast::<T>().write(T::identity(self.op)) }
    }

    unsafe fn advance(&mut self, first: *mut u8, count: usize) {
        // SAFETY: the caller's promise.
        let elements = unsafe { std::slice::from_raw_parts_mut(first.cast::<T>(), count) };
        T::along(self.op, &mut self.carry, InPlace(elements));
    }
}

trait Accumulate: Value {
    /// What goes from one element of a line to the next.
    type Carry: Copy + Send;
    fn identity(op: ScanOp) -> Self;
    fn begin(op: ScanOp) -> Self::Carry;
    /// Some elements of a line, after those that have led to the carry.
    fn along(op: ScanOp, carry: &mut Self::Carry, elements: impl Elements<Self>);
}

/// Elements, and where their results go.
trait Elements<T> {
    /// Writes what `step` gives for each element, in order.
    fn each(self, step: impl FnMut(T) -> T);
}

/// The results go elsewhere.
struct Beside<'a, T>(&'a [T], &'a mut [MaybeUninit<T>]);

impl<T: Copy> Elements<T> for Beside<'_, T> {
    fn each(self, mut step: impl FnMut(T) -> T) {
        for (x, y) in self.0.iter().zip(self.1) {
            y.write(step(*x));
        }
    }
}

/// The results take the elements' places.
struct InPlace<'a, T>(&'a mut [T]);

impl<T: Copy> Elements<T> for InPlace<'_, T> {
    fn each(self, mut step: impl FnMut(T) -> T) {
        for x in self.0 {
            *x = step(*x);
        }
    }
}

macro_rules! integers {
    ($($t:ty),*) => {$(
        impl Accumulate for $t {
            type Carry = $t;
            fn identity(op: ScanOp) -> $t {
                match op {
                    ScanOp::Sum | ScanOp::Or => 0,
                    ScanOp::Prod => 1,
                    ScanOp::Min => <$t>::MAX,
                    ScanOp::Max => <$t>::MIN,
                    ScanOp::And => !0,
                }
            }
            fn begin(op: ScanOp) -> $t {
                Self::identity(op)
            }
            fn along(op: ScanOp, carry: &mut $t, elements: impl Elements<$t>) {
                let mut acc = *carry;
                match op {
                    ScanOp::Sum => elements.each(|x| { acc = acc.wrapping_add(x); acc }),
                    ScanOp::Prod => elements.each(|x| { acc = acc.wrapping_mul(x); acc }),
                    ScanOp::Min => elements.each(|x| { acc = acc.min(x); acc }),
                    ScanOp::Max => elements.each(|x| { acc = acc.max(x); acc }),
                    ScanOp::And => elements.each(|x| { acc &= x; acc }),
                    ScanOp::Or => elements.each(|x| { acc |= x; acc }),
                }
                *carry = acc;
            }
        }
    )*};
}
integers!(i8, i16, i32, i64, u8, u16, u32, u64);

/// The identity of an op of floats.
fn neutral(op: ScanOp) -> f64 {
    match op {
        ScanOp::Prod => 1.0,
        ScanOp::Min => f64::INFINITY,
        ScanOp::Max => f64::NEG_INFINITY,
        _ => 0.0,
    }
}

/// The least or greatest of floats so far and the next one.
fn further(op: ScanOp, acc: f64, x: f64) -> f64 {
    let stays = if op == ScanOp::Min { acc <= x } else { acc >= x };
    if stays || acc.is_nan() { acc } else { x }
}

macro_rules! floats {
    ($($t:ty),*) => {$(
        impl Accumulate for $t {
            type Carry = f64;
            fn identity(op: ScanOp) -> $t {
                <$t>::nearest(neutral(op))
            }
            fn begin(op: ScanOp) -> f64 {
                // The additive identity that keeps the sign of a zero.
                if op == ScanOp::Sum { -0.0 } else { neutral(op) }
            }
            fn along(op: ScanOp, carry: &mut f64, elements: impl Elements<$t>) {
                let mut acc = *carry;
                match op {
                    ScanOp::Sum => elements.each(|x| { acc += x.widen(); <$t>::nearest(acc) }),
                    ScanOp::Prod => elements.each(|x| { acc *= x.widen(); <$t>::nearest(acc) }),
                    _ => elements.each(|x| { acc = further(op, acc, x.widen()); <$t>::nearest(acc) }),
                }
                *carry = acc;
            }
        }
    )*};
}
floats!(bf16, f16, f32);

/// A sum and what rounding has taken from it.
#[derive(Clone, Copy)]
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
    /// Of all but a sum, `sum` is all there is.
    type Carry = Compensated;
    fn identity(op: ScanOp) -> f64 {
        neutral(op)
    }
    fn begin(op: ScanOp) -> Compensated {
        match op {
            ScanOp::Sum => Compensated::new(),
            _ => Compensated { sum: neutral(op), lost: 0.0 },
        }
    }
    fn along(op: ScanOp, carry: &mut Compensated, elements: impl Elements<f64>) {
        let mut acc = *carry;
        match op {
            ScanOp::Sum => elements.each(|x| acc.add(x)),
            ScanOp::Prod => elements.each(|x| {
                acc.sum *= x;
                acc.sum
            }),
            _ => elements.each(|x| {
                acc.sum = further(op, acc.sum, x);
                acc.sum
            }),
        }
        *carry = acc;
    }
}

/// A sum, or a product, which has no first element yet: a product with 1 + 0i would turn an infinite
/// part into NaN.
type Complexes = (Complex64, Option<Complex64>);

impl Accumulate for Complex32 {
    type Carry = Complexes;
    fn identity(op: ScanOp) -> Complex32 {
        Complex32::new(f32::identity(op), 0.0)
    }
    fn begin(_: ScanOp) -> Complexes {
        (Complex64::new(-0.0, -0.0), None)
    }
    fn along(op: ScanOp, carry: &mut Complexes, elements: impl Elements<Complex32>) {
        let narrow = |z: Complex64| Complex32::new(z.re as f32, z.im as f32);
        let widen = |z: Complex32| Complex::new(f64::from(z.re), f64::from(z.im));
        match op {
            ScanOp::Sum => {
                let mut acc = carry.0;
                elements.each(|x| {
                    acc += widen(x);
                    narrow(acc)
                });
                carry.0 = acc;
            }
            // A product: complex numbers have no order and no bits.
            _ => products(&mut carry.1, elements, widen, narrow),
        }
    }
}

impl Accumulate for Complex64 {
    type Carry = (Compensated, Compensated, Option<Complex64>);
    fn identity(op: ScanOp) -> Complex64 {
        Complex64::new(f64::identity(op), 0.0)
    }
    fn begin(_: ScanOp) -> Self::Carry {
        (Compensated::new(), Compensated::new(), None)
    }
    fn along(op: ScanOp, carry: &mut Self::Carry, elements: impl Elements<Complex64>) {
        match op {
            ScanOp::Sum => {
                let (mut re, mut im) = (carry.0, carry.1);
                elements.each(|x| Complex64::new(re.add(x.re), im.add(x.im)));
                (carry.0, carry.1) = (re, im);
            }
            _ => products(&mut carry.2, elements, |z| z, |z| z),
        }
    }
}

/// Running complex products; the first element stands for itself.
fn products<T: Copy>(
    carry: &mut Option<Complex64>,
    elements: impl Elements<T>,
    widen: impl Fn(T) -> Complex64,
    narrow: impl Fn(Complex64) -> T,
) {
    let mut acc = *carry;
    elements.each(|x| {
        let next = acc.map_or(widen(x), |a| a * widen(x));
        acc = Some(next);
        narrow(next)
    });
    *carry = acc;
}
