//! Running sums, products and the like along an axis.

mod combine;
mod line;

pub use line::{BLOCK, Source};

use crate::{
    lines::map_lines,
    parallel::{PARALLEL, pays},
    small::Value,
    types::match_dtype,
};
use combine::{And, Combine, Max, Min, Or, Prod, Sum};
use half::{bf16, f16};
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dtype, Error, Op, Result, ScanOp};
use line::Along;
use num_complex::{Complex32, Complex64};
use std::marker::PhantomData;
use std::mem::MaybeUninit;

/// The running sum or product of `x` along `axis`, or what else a [`ScanOp`] says, in `x`'s dtype and
/// shape; with `include_initial` the identity comes first and the axis is one longer.
///
/// Integers wrap. Floats other than float64 are accumulated in float64 and each result is
/// rounded once; float64 sums carry the rounding errors along. Elements are combined one after the other within each
/// [`BLOCK`] of a line, and what that gives with the total of the blocks before it. Of the least and greatest, the first
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
    let running = Running::new(op, x.dtype())?;
    match_dtype!(x.dtype(), bits, T => of_lines::<T>(name(op), running, axis, include_initial, x),
        else => Err(refused(op, x.dtype())))
}

/// The results of all lines, whose elements are as wide as these.
fn of_lines<T: Value>(
    function: &'static str,
    running: Running,
    axis: usize,
    include_initial: bool,
    x: HostView,
) -> Result<HostArray> {
    let (before, length) = (usize::from(include_initial), x.shape()[axis]);
    // Of few lines each is several threads' work.
    let all = rayon::current_num_threads();
    let few = x.shape().iter().product::<usize>() < all * length;
    let threads = if few && pays(length, PARALLEL) { all } else { 1 };
    let work = |from: &[T], to: &mut [MaybeUninit<T>]| {
        let to = to.as_mut_ptr().cast::<u8>();
        // SAFETY: the line has room for what is of nothing, and a result of each element.
        unsafe {
            if include_initial {
                running.initial(to);
            }
            let to = to.add(before * size_of::<T>());
            running.line(Source::There(from.as_ptr().cast()), to, length, threads);
        }
    };
    // SAFETY: every element is written: the first, if it is of nothing, by `initial`, all others by `line`.
    unsafe { map_lines::<T, T>(function, x, axis, length + before, x.dtype(), work) }
}

/// Running sums or products, or what else a [`ScanOp`] says, of lines that are there or come part by part: the bits that
/// [`scan`] gives.
#[derive(Clone, Copy)]
pub struct Running(&'static dyn Along);

impl Running {
    /// # Errors
    /// A dtype that is not combined so.
    pub fn new(op: ScanOp, dtype: Dtype) -> Result<Running> {
        along(op, dtype).map(Running).ok_or_else(|| refused(op, dtype))
    }

    /// Writes what stands before a line's first result: the sum or product of nothing.
    ///
    /// # Safety
    /// The address is of an element of the dtype, aligned for it, that nobody else reads or writes.
    pub unsafe fn initial(self, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { self.0.initial(to) }
    }

    /// Writes the results of a line's elements to an address, on so many threads.
    ///
    /// # Safety
    /// The line has so many elements of the dtype. There is room for as many results, which nobody else reads or writes
    /// but [`Source::Written`]; both are aligned for the dtype.
    pub unsafe fn line(self, source: Source<'_>, to: *mut u8, count: usize, threads: usize) {
        // SAFETY: the caller's promise.
        unsafe { self.0.line(source, to, count, threads) }
    }
}

fn name(op: ScanOp) -> &'static str {
    Op::Scan { op, axis: 0, include_initial: false }.name()
}

fn refused(op: ScanOp, dtype: Dtype) -> Error {
    crate::reduce::refused(name(op), dtype)
}

/// How elements of a dtype combine along a line.
fn along(op: ScanOp, dtype: Dtype) -> Option<&'static dyn Along> {
    fn of<C: Combine>(combine: &'static PhantomData<C>) -> &'static dyn Along {
        combine
    }
    macro_rules! of {
        ($op:ident: $($dtype:ident $t:ty),*) => {
            match dtype {
                $(Dtype::$dtype => Some(of(&PhantomData::<$op<$t>>)),)*
                _ => None,
            }
        };
    }
    // Sums, products and bits of signed integers are those of unsigned ones.
    macro_rules! wrapping {
        ($op:ident $(, $dtype:ident $t:ty)*) => {
            of!($op: INT8 u8, INT16 u16, INT32 u32, INT64 u64, UINT8 u8, UINT16 u16, UINT32 u32, UINT64 u64
                $(, $dtype $t)*)
        };
        ($op:ident and inexact) => {
            wrapping!($op, BFLOAT16 bf16, FLOAT16 f16, FLOAT32 f32, FLOAT64 f64, COMPLEX64 Complex32, COMPLEX128 Complex64)
        };
    }
    macro_rules! ordered {
        ($op:ident) => {
            of!($op: INT8 i8, INT16 i16, INT32 i32, INT64 i64, UINT8 u8, UINT16 u16, UINT32 u32, UINT64 u64,
                BFLOAT16 bf16, FLOAT16 f16, FLOAT32 f32, FLOAT64 f64)
        };
    }
    match op {
        ScanOp::Sum => wrapping!(Sum and inexact),
        ScanOp::Prod => wrapping!(Prod and inexact),
        ScanOp::And => wrapping!(And),
        ScanOp::Or => wrapping!(Or),
        ScanOp::Min => ordered!(Min),
        ScanOp::Max => ordered!(Max),
    }
}
