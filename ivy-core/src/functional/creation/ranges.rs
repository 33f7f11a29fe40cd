//! Arithmetic sequences, and the identity matrix.

use crate::array::Operand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs, Request};
use crate::functional::broadcast_to;
use crate::promotion::check_scalar;
use crate::{Array, Device, Dtype, ErrorKind, Op, Result, Scalar, Shape, params};
use smallvec::smallvec;
use std::ops::Range;

/// What [`arange`] takes for its bounds: a stop, a range or pair of start and stop, or a triple
/// with the step. Numbers of one call may be of different kinds.
pub trait ArangeBounds {
    /// Start, stop and step; a lone first one is the stop.
    fn bounds(self) -> [Option<Scalar>; 3];
}

macro_rules! stops {
    ($($t:ty),*) => {
        $(impl ArangeBounds for $t {
            fn bounds(self) -> [Option<Scalar>; 3] {
                [Some(self.into()), None, None]
            }
        })*
    };
}
stops!(Scalar, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, usize, f32, f64);

impl<A: Into<Scalar>, B: Into<Scalar>> ArangeBounds for (A, B) {
    fn bounds(self) -> [Option<Scalar>; 3] {
        [Some(self.0.into()), Some(self.1.into()), None]
    }
}

impl<A: Into<Scalar>, B: Into<Scalar>, C: Into<Scalar>> ArangeBounds for (A, B, C) {
    fn bounds(self) -> [Option<Scalar>; 3] {
        [Some(self.0.into()), Some(self.1.into()), Some(self.2.into())]
    }
}

impl<T: Into<Scalar>> ArangeBounds for Range<T> {
    fn bounds(self) -> [Option<Scalar>; 3] {
        (self.start, self.end).bounds()
    }
}

params! {
    /// Keyword arguments of [`arange`].
    pub struct Arange {
        /// The dtype; the default dtype of the numbers if not given.
        dtype: Option<Dtype> = None,
        /// The device.
        device: Option<Device> = None,
    }
}

describe! {
    ARANGE = "arange", Creation, Primary, (start: Value, stop: Value optional, step: Value optional),
    Infer -> [Compute], Bound::Exact, params: Arange::new(), example: [], Body::Op(lower_arange)
}

fn lower_arange(request: &Request<'_>) -> Result<Op> {
    let (function, dtype) = (request.function.name, request.compute);
    let first = request.scalar(0).unwrap_or(Scalar::Int(0));
    let (start, stop) = match request.scalar(1) {
        Some(stop) => (first, stop),
        None => (Scalar::Int(0), first),
    };
    let step = request.scalar(2).unwrap_or(Scalar::Int(1));
    let len = match (start, stop, step) {
        (Scalar::Int(start), Scalar::Int(stop), Scalar::Int(step)) if step != 0 => {
            let len = whole_len(start, stop, step);
            if let (Some(len), true) = (len, dtype.is_int()) {
                let last = len.checked_sub(1).and_then(|n| step.checked_mul(n as i128)?.checked_add(start));
                let ends = [(len > 0).then_some(start), last];
                ends.into_iter().flatten().try_for_each(|i| check_scalar(function, Scalar::Int(i), dtype))?;
            }
            len
        }
        _ => {
            let (from, to, by) = (start.to_f64(), stop.to_f64(), step.to_f64());
            let count = ((to - from) / by).ceil();
            if by == 0.0 || !count.is_finite() {
                return Err(ErrorKind::InvalidArgument {
                    function,
                    argument: "start, stop, step",
                    value: format!("{start}, {stop}, {step}"),
                    rule: "the step is not 0, and the number of steps is finite",
                }
                .into());
            }
            // 2^63 is exact as a float, and more than any array has.
            (count < 9_223_372_036_854_775_808.0).then_some(count.max(0.0) as usize)
        }
    };
    let overflow = || ErrorKind::SizeOverflow { function, shape: [usize::MAX].into(), dtype: Some(dtype) };
    let len = len.ok_or_else(overflow)?;
    Shape::from([len]).checked_size(function, dtype)?;
    Ok(Op::Arange { start, step, len, dtype })
}

/// `ceil((stop - start) / step)`, at least 0; `None` if no array is as long.
fn whole_len(start: i128, stop: i128, step: i128) -> Option<usize> {
    if start == stop || (start < stop) != (step > 0) {
        return Some(0);
    }
    usize::try_from(stop.abs_diff(start).div_ceil(step.unsigned_abs())).ok()
}

/// Arithmetic sequence: numbers from a start (0 if not given) to before a stop, a step (1 if not given) apart:
/// `ceil((stop - start) / step)` of them, counted exactly for integers. Without `dtype` the result has the default
/// dtype of the numbers' kind, or the next wider one that holds them.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::arange(3, ())?.to_vec::<i32>()?, [0, 1, 2]);
/// assert_eq!(ivy::arange(2..5, Dtype::UINT8)?.to_vec::<u8>()?, [2, 3, 4]);
/// assert_eq!(ivy::arange((1, 0, -0.5), ())?.to_vec::<f32>()?, [1.0, 0.5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a step of 0 or numbers that are not
/// finite; [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers and bool;
/// [`ScalarOutOfRange`](crate::ErrorKind::ScalarOutOfRange) if an integer element does not fit
/// the dtype; [`SizeOverflow`](crate::ErrorKind::SizeOverflow),
/// [`MemoryLimit`](crate::ErrorKind::MemoryLimit).
pub fn arange(bounds: impl ArangeBounds, params: impl Into<Arange>) -> Result<Array> {
    let operands = bounds.bounds().map(|b| b.map_or(Operand::Absent, Operand::Scalar));
    call_one(&ARANGE, &operands, &params.into())
}

params! {
    /// Arguments of [`eye`].
    pub struct Eye {
        /// How many rows.
        n_rows: usize = 2,
        /// How many columns; as many as rows if not given.
        n_cols: Option<usize> = None,
        /// The diagonal of the ones: positive is above the main one, negative below.
        k: i64 = 0,
        /// The lengths of axes before the matrix's, along which it is repeated.
        extended batch_shape: Option<Shape> = None,
        /// The dtype; the default dtype if not given.
        dtype: Option<Dtype> = None,
        /// The device.
        device: Option<Device> = None,
    }
}

describe! {
    EYE = "eye", Creation, Primary, (), Default -> [Compute],
    Bound::Exact, params: Eye::new(), example: [], Body::Op(lower_eye), extended: batch_of_eyes
}

fn batch_of_eyes(call: &Composition<'_>) -> Result<Outputs> {
    let params = Eye { dtype: Some(call.compute), batch_shape: None, ..call.params::<Eye>().clone() };
    let matrix = eye(params.n_rows, params)?;
    let batch = call.params::<Eye>().batch_shape.clone().unwrap_or_default();
    let shape: Shape = batch.iter().chain(matrix.shape().iter()).copied().collect();
    shape.checked_size(call.function.name, call.compute)?;
    Ok(smallvec![broadcast_to(matrix, shape)?])
}

fn lower_eye(request: &Request<'_>) -> Result<Op> {
    let (params, dtype) = (request.params::<Eye>(), request.compute);
    let (rows, cols) = (params.n_rows, params.n_cols.unwrap_or(params.n_rows));
    Shape::from([rows, cols]).checked_size(request.function.name, dtype)?;
    Ok(Op::Eye { rows, cols, k: params.k, dtype })
}

/// A matrix with ones on one diagonal and zeros elsewhere.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::eye(2, Dtype::INT8)?.to_vec::<i8>()?, [1, 0, 0, 1]);
/// let upper = ivy::eye(2, Eye::new().n_cols(3usize).k(1))?;
/// assert_eq!(upper.to_vec::<f32>()?, [0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow), [`MemoryLimit`](crate::ErrorKind::MemoryLimit),
/// [`DtypeNotStored`](crate::ErrorKind::DtypeNotStored).
pub fn eye(n_rows: usize, params: impl Into<Eye>) -> Result<Array> {
    let params = Eye { n_rows, ..params.into() };
    call_one(&EYE, &[] as &[Operand<'_>], &params)
}
