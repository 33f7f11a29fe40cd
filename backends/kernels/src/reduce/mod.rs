//! Reductions over axes.

mod arg;
mod fold;
mod rows;
mod run;
mod tree;

pub use arg::arg_reduce;

use crate::{
    output::new_array,
    parallel::{PARALLEL, chunks, pays},
    sequence::Sequences,
    small::{Real, Value},
};
use fold::{Fold, Max, Min, Prod, Squares, Sum};
use half::{bf16, f16};
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dims, Dtype, ErrorKind, Op, ReduceOp, Result, Shape};
use num_complex::{Complex, Complex32, Complex64};
use std::marker::PhantomData;

/// The error for a dtype that the op does not take, which no plan lets through.
pub(crate) fn refused(function: &'static str, dtype: Dtype) -> ivy_core::Error {
    ErrorKind::InvalidArgument {
        function,
        argument: "operand dtypes",
        value: format!("[{dtype}]"),
        rule: "not a combination that the primitive takes",
    }
    .into()
}

/// The shape that is left after reducing `axes`.
fn reduced(shape: &[usize], axes: &[usize], keepdims: bool) -> Shape {
    let kept = |(i, &len): (usize, &usize)| match axes.contains(&i) {
        true => keepdims.then_some(1),
        false => Some(len),
    };
    shape.iter().enumerate().filter_map(kept).collect()
}

/// Refuses a reduction without identity over nothing.
fn not_empty(function: &'static str, x: HostView, axes: &[usize]) -> Result<()> {
    match axes.iter().any(|&a| x.shape()[a] == 0) {
        true => Err(ErrorKind::EmptyReduction { function, shape: x.shape().into() }.into()),
        false => Ok(()),
    }
}

/// What every reduction is given.
struct Job<'a> {
    name: &'static str,
    x: HostView<'a>,
    axes: &'a [usize],
    shape: Shape,
}

/// `x` reduced over `axes` (ascending), in `x`'s dtype; with `keepdims` the reduced axes stay
/// with length 1.
///
/// Sums and products are folded in an order that depends on the shape, the axes and the dtype
/// only: in pairs, over blocks. float16 and bfloat16 are accumulated in float32 and rounded
/// once; `Mean` and `Var` of every float narrower than float64 are computed in float64.
///
/// ```
/// use ivy_core::{ReduceOp, host::HostArray};
/// let x = HostArray::from_vec(vec![1i32, 2, 3, 4, 5, 6], [2, 3].into()).unwrap();
/// let sums = ivy_kernels::reduce::reduce(ReduceOp::Sum, &[0], false, x.view())?;
/// assert_eq!(sums.to_vec::<i32>()?, [5, 7, 9]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// A dtype that the op does not take; [`ErrorKind::EmptyReduction`] for `Max` and `Min` over
/// an axis of length 0; no memory.
pub fn reduce(op: ReduceOp, axes: &[usize], keepdims: bool, x: HostView) -> Result<HostArray> {
    let name = Op::Reduce { op, axes: Dims::new(), keepdims }.name();
    let job = Job { name, x, axes, shape: reduced(x.shape(), axes, keepdims) };
    match op {
        ReduceOp::Sum => job.sum(),
        ReduceOp::Prod => job.prod(),
        ReduceOp::Max => {
            not_empty(name, x, axes)?;
            job.max()
        }
        ReduceOp::Min => {
            not_empty(name, x, axes)?;
            job.min()
        }
        // The bytes of bool are 0 and 1, so these are a minimum and a maximum.
        ReduceOp::All if x.dtype().is_bool() => job.fold(Min::<u8, u8>::new(), 1, |a| a),
        ReduceOp::Any if x.dtype().is_bool() => job.fold(Max::<u8, u8>::new(), 0, |a| a),
        ReduceOp::Mean => job.mean(),
        ReduceOp::Var { correction } => job.var(f64::from_bits(correction)),
        ReduceOp::All | ReduceOp::Any => Err(refused(name, x.dtype())),
    }
}

/// A NaN of one kind only: which of several an addition keeps is up to the machine.
#[inline(always)]
fn one_nan(x: f64) -> f64 {
    if x.is_nan() { f64::NAN } else { x }
}

#[inline(always)]
fn one_nan32(x: f32) -> f32 {
    if x.is_nan() { f32::NAN } else { x }
}

/// A complex result of float64 parts.
#[inline(always)]
fn complex(z: Complex64) -> Complex64 {
    Complex::new(one_nan(z.re), one_nan(z.im))
}

#[inline(always)]
fn complex32(z: Complex32) -> Complex32 {
    Complex::new(one_nan32(z.re), one_nan32(z.im))
}

impl Job<'_> {
    fn fold<F: Fold, U: Value>(
        &self,
        fold: F,
        empty: U,
        finish: impl Fn(F::Acc) -> U + Copy + Sync,
    ) -> Result<HostArray> {
        let x = Sequences::<F::In>::new(self.x, self.axes);
        let fill = |out: &mut [std::mem::MaybeUninit<U>]| {
            if x.len == 0 {
                out.iter_mut().for_each(|to| _ = to.write(empty));
            } else if !out.is_empty() {
                run::fold_all(fold, &x, out, finish);
            }
        };
        // SAFETY: one element for each sequence is written; bools are folded to bools.
        unsafe { new_array(self.name, self.x.dtype(), &self.shape, fill) }
    }

    /// A sum of nothing, or of negative zeros only, is +0, as if it began there.
    fn sum(&self) -> Result<HostArray> {
        let narrow = |a: f32| one_nan32(a + 0.0);
        match self.x.dtype() {
            Dtype::INT8 | Dtype::UINT8 => self.fold(Sum::<u8, u8>::new(), 0, |a| a),
            Dtype::INT16 | Dtype::UINT16 => self.fold(Sum::<u16, u16>::new(), 0, |a| a),
            Dtype::INT32 | Dtype::UINT32 => self.fold(Sum::<u32, u32>::new(), 0, |a| a),
            Dtype::INT64 | Dtype::UINT64 => self.fold(Sum::<u64, u64>::new(), 0, |a| a),
            Dtype::FLOAT16 => {
                self.fold(Sum::<f16, f32>::new(), f16::ZERO, move |a| f16::nearest32(narrow(a)))
            }
            Dtype::BFLOAT16 => {
                self.fold(Sum::<bf16, f32>::new(), bf16::ZERO, move |a| bf16::nearest32(narrow(a)))
            }
            Dtype::FLOAT32 => self.fold(Sum::<f32, f32>::new(), 0.0, narrow),
            Dtype::FLOAT64 => self.fold(Sum::<f64, f64>::new(), 0.0, |a| one_nan(a + 0.0)),
            Dtype::COMPLEX64 => self.fold(Sum::<Complex32, Complex32>::new(), Complex::new(0.0, 0.0), |a| {
                complex32(Complex::new(a.re + 0.0, a.im + 0.0))
            }),
            Dtype::COMPLEX128 => self.fold(Sum::<Complex64, Complex64>::new(), Complex::new(0.0, 0.0), |a| {
                complex(Complex::new(a.re + 0.0, a.im + 0.0))
            }),
            other => Err(refused(self.name, other)),
        }
    }

    fn prod(&self) -> Result<HostArray> {
        match self.x.dtype() {
            Dtype::INT8 | Dtype::UINT8 => self.fold(Prod::<u8, u8>::new(), 1, |a| a),
            Dtype::INT16 | Dtype::UINT16 => self.fold(Prod::<u16, u16>::new(), 1, |a| a),
            Dtype::INT32 | Dtype::UINT32 => self.fold(Prod::<u32, u32>::new(), 1, |a| a),
            Dtype::INT64 | Dtype::UINT64 => self.fold(Prod::<u64, u64>::new(), 1, |a| a),
            Dtype::FLOAT16 => self.fold(Prod::<f16, f32>::new(), f16::ONE, |a| f16::nearest32(one_nan32(a))),
            Dtype::BFLOAT16 => {
                self.fold(Prod::<bf16, f32>::new(), bf16::ONE, |a| bf16::nearest32(one_nan32(a)))
            }
            Dtype::FLOAT32 => self.fold(Prod::<f32, f32>::new(), 1.0, one_nan32),
            Dtype::FLOAT64 => self.fold(Prod::<f64, f64>::new(), 1.0, one_nan),
            Dtype::COMPLEX64 => {
                self.fold(Prod::<Complex32, Complex32>::new(), Complex::new(1.0, 0.0), complex32)
            }
            Dtype::COMPLEX128 => {
                self.fold(Prod::<Complex64, Complex64>::new(), Complex::new(1.0, 0.0), complex)
            }
            other => Err(refused(self.name, other)),
        }
    }

    fn mean(&self) -> Result<HostArray> {
        let n = self.axes.iter().map(|&a| self.x.shape()[a]).product::<usize>() as f64;
        let mean = move |sum: f64| one_nan((sum + 0.0) / n);
        match self.x.dtype() {
            Dtype::FLOAT16 => self.fold(Sum::<f16, f64>::new(), f16::NAN, move |a| f16::nearest(mean(a))),
            Dtype::BFLOAT16 => self.fold(Sum::<bf16, f64>::new(), bf16::NAN, move |a| bf16::nearest(mean(a))),
            Dtype::FLOAT32 => self.fold(Sum::<f32, f64>::new(), f32::NAN, move |a| mean(a) as f32),
            Dtype::FLOAT64 => self.fold(Sum::<f64, f64>::new(), f64::NAN, mean),
            Dtype::COMPLEX64 => {
                let nan = Complex::new(f32::NAN, f32::NAN);
                self.fold(Sum::<Complex32, Complex64>::new(), nan, move |a| {
                    Complex::new(mean(a.re) as f32, mean(a.im) as f32)
                })
            }
            Dtype::COMPLEX128 => {
                let nan = Complex::new(f64::NAN, f64::NAN);
                self.fold(Sum::<Complex64, Complex64>::new(), nan, move |a| {
                    Complex::new(mean(a.re), mean(a.im))
                })
            }
            other => Err(refused(self.name, other)),
        }
    }

    fn var(&self, correction: f64) -> Result<HostArray> {
        match self.x.dtype() {
            Dtype::FLOAT16 => self.variance::<f16>(correction),
            Dtype::BFLOAT16 => self.variance::<bf16>(correction),
            Dtype::FLOAT32 => self.variance::<f32>(correction),
            Dtype::FLOAT64 => self.variance::<f64>(correction),
            other => Err(refused(self.name, other)),
        }
    }

    fn variance<T: Real + fold::Widen<f64>>(&self, correction: f64) -> Result<HostArray> {
        let x = Sequences::<T>::new(self.x, self.axes);
        let n = x.len as f64;
        // `max` would take the other side of a NaN.
        let divisor = if n - correction < 0.0 { 0.0 } else { n - correction };
        let one = |i: usize, to: &mut std::mem::MaybeUninit<T>| {
            let var = match x.len {
                0 => f64::NAN,
                _ => {
                    let mean = run::fold_one(Sum::<T, f64>::new(), &x, i) / n;
                    run::fold_one(Squares::<T> { mean, of: PhantomData }, &x, i) / divisor
                }
            };
            to.write(T::nearest(one_nan(var)));
        };
        let fill = |out: &mut [std::mem::MaybeUninit<T>]| {
            let parallel = pays(x.count * x.len, PARALLEL);
            let per_task = (PARALLEL / 4 / x.len.max(1)).max(1);
            chunks(parallel, out, per_task, &|task, out| {
                out.iter_mut().enumerate().for_each(|(i, to)| one(task * per_task + i, to));
            });
        };
        // SAFETY: every element is written.
        unsafe { new_array(self.name, self.x.dtype(), &self.shape, fill) }
    }

    fn max(&self) -> Result<HostArray> {
        match self.x.dtype() {
            Dtype::BOOL | Dtype::UINT8 => self.fold(Max::<u8, u8>::new(), 0, |a| a),
            Dtype::UINT16 => self.fold(Max::<u16, u16>::new(), 0, |a| a),
            Dtype::UINT32 => self.fold(Max::<u32, u32>::new(), 0, |a| a),
            Dtype::UINT64 => self.fold(Max::<u64, u64>::new(), 0, |a| a),
            Dtype::INT8 => self.fold(Max::<i8, i8>::new(), 0, |a| a),
            Dtype::INT16 => self.fold(Max::<i16, i16>::new(), 0, |a| a),
            Dtype::INT32 => self.fold(Max::<i32, i32>::new(), 0, |a| a),
            Dtype::INT64 => self.fold(Max::<i64, i64>::new(), 0, |a| a),
            Dtype::FLOAT16 => self.fold(Max::<f16, f32>::new(), f16::NAN, |a| f16::nearest32(one_nan32(a))),
            Dtype::BFLOAT16 => {
                self.fold(Max::<bf16, f32>::new(), bf16::NAN, |a| bf16::nearest32(one_nan32(a)))
            }
            Dtype::FLOAT32 => self.fold(Max::<f32, f32>::new(), f32::NAN, one_nan32),
            Dtype::FLOAT64 => self.fold(Max::<f64, f64>::new(), f64::NAN, one_nan),
            other => Err(refused(self.name, other)),
        }
    }

    fn min(&self) -> Result<HostArray> {
        match self.x.dtype() {
            Dtype::BOOL | Dtype::UINT8 => self.fold(Min::<u8, u8>::new(), 0, |a| a),
            Dtype::UINT16 => self.fold(Min::<u16, u16>::new(), 0, |a| a),
            Dtype::UINT32 => self.fold(Min::<u32, u32>::new(), 0, |a| a),
            Dtype::UINT64 => self.fold(Min::<u64, u64>::new(), 0, |a| a),
            Dtype::INT8 => self.fold(Min::<i8, i8>::new(), 0, |a| a),
            Dtype::INT16 => self.fold(Min::<i16, i16>::new(), 0, |a| a),
            Dtype::INT32 => self.fold(Min::<i32, i32>::new(), 0, |a| a),
            Dtype::INT64 => self.fold(Min::<i64, i64>::new(), 0, |a| a),
            Dtype::FLOAT16 => self.fold(Min::<f16, f32>::new(), f16::NAN, |a| f16::nearest32(one_nan32(a))),
            Dtype::BFLOAT16 => {
                self.fold(Min::<bf16, f32>::new(), bf16::NAN, |a| bf16::nearest32(one_nan32(a)))
            }
            Dtype::FLOAT32 => self.fold(Min::<f32, f32>::new(), f32::NAN, one_nan32),
            Dtype::FLOAT64 => self.fold(Min::<f64, f64>::new(), f64::NAN, one_nan),
            other => Err(refused(self.name, other)),
        }
    }
}
