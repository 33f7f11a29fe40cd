//! Statistical functions of the Array API standard.

use crate::array::IntoOperand;
use crate::call::call_one;
use crate::dtype::wrong_kind;
use crate::function::{Axes, Body, Bound, Coefficient, Composition, Outputs, Request};
use crate::functional::precision::{downcast, upcast};
use crate::functional::{CountNonzero, Max, NanProd, astype, divide, maximum, sqrt, square, subtract};
use crate::{Array, Dims, Dtype, ErrorKind, Op, ReduceOp, Result, params, shape};
use smallvec::smallvec;

/// The axes that a reduction names, ascending; all if it names none.
pub(in crate::functional) fn reduced_axes(
    function: &'static str,
    axis: &Option<Axes>,
    ndim: usize,
) -> Result<Dims> {
    match axis {
        None => Ok((0..ndim).collect()),
        Some(axes) => {
            let mut axes = shape::normalize_axes(function, &axes.0, ndim)?;
            axes.sort_unstable();
            Ok(axes)
        }
    }
}

/// Refuses to add or multiply truth values as such: they count, in some numeric dtype.
pub(in crate::functional) fn check_numeric(request: &Request<'_>) -> Result<()> {
    check_numeric_dtype(request.function.name, request.compute)
}

/// Refuses to add or multiply in bool.
pub(in crate::functional) fn check_numeric_dtype(function: &'static str, compute: Dtype) -> Result<()> {
    match compute.is_bool() {
        true => Err(wrong_kind(function, compute, "numeric")),
        false => Ok(()),
    }
}

params! {
    /// The keyword arguments that all reductions have. They stand for those of a reduction that has more.
    pub struct Reduce {
        /// The axes to reduce; all if not given. An empty list reduces nothing.
        axis: Option<Axes> = None,
        /// Keep reduced axes, with length 1.
        flag keepdims,
    }
}

macro_rules! from_reduce {
    ($($name:ident),*) => {
        $(impl From<Reduce> for $name {
            fn from(Reduce { axis, keepdims }: Reduce) -> $name {
                $name { axis, keepdims, ..$name::new() }
            }
        })*
    };
}
from_reduce!(Sum, Max, Mean, CountNonzero, NanProd);

params! {
    /// Keyword arguments of [`sum`] and [`prod`](crate::functional::prod).
    pub struct Sum {
        /// The axes to reduce; all if not given. An empty list reduces nothing.
        axis: Option<Axes> = None,
        /// The dtype to accumulate in and to give.
        dtype: Option<Dtype> = None,
        /// Keep reduced axes, with length 1.
        flag keepdims,
    }
}

/// Keyword arguments of [`prod`], the same as of [`sum`].
pub type Prod = Sum;

describe! {
    SUM = "sum", Statistical, Primary, (x: Promoted), Accumulate -> [Compute],
    Bound::Sum, params: Sum::new(), example: [&[2, 2]], Body::Op(|request| lower_sum(request, ReduceOp::Sum))
}

fn lower_sum(request: &Request<'_>, op: ReduceOp) -> Result<Op> {
    check_numeric(request)?;
    let params = request.params::<Sum>();
    let axes = reduced_axes(request.function.name, &params.axis, request.shape(0).len())?;
    Ok(Op::Reduce { op, axes, keepdims: params.keepdims })
}

/// Sum over axes; 0 of nothing. Integers narrower than the default integer dtype widen to it
/// (unsigned ones to the unsigned dtype of its width), bool counts. float16 and bfloat16
/// accumulate in float32.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1u8, 2], [3, 250]])?;
/// let total = ivy::sum(&x, ())?;
/// assert_eq!((total.dtype(), total.item::<u32>()?), (Dtype::UINT32, 256));
/// let rows = ivy::sum(&x, Sum::new().axis(-1).keepdims())?;
/// assert_eq!(rows.shape().to_string(), "(2, 1)");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis), and
/// [`WrongDtypeKind`](crate::ErrorKind::WrongDtypeKind) for `dtype` bool.
pub fn sum<'a>(x: impl IntoOperand<'a>, params: impl Into<Sum>) -> Result<Array> {
    call_one(&SUM, &[x.into_operand()], &params.into())
}

describe! {
    PROD = "prod", Statistical, Primary, (x: Promoted), Accumulate -> [Compute],
    Bound::Sum, params: Prod::new(), example: [&[2, 2]], Body::Op(|request| lower_sum(request, ReduceOp::Prod))
}

/// Product over axes; 1 of nothing. Dtypes are as for [`sum`], and integers wrap.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i16, 2], [3, 4]])?;
/// assert_eq!(ivy::prod(&x, ())?.item::<i32>()?, 24);
/// assert_eq!(ivy::prod(&x, Prod::new().axis(0).dtype(Dtype::FLOAT64))?.to_vec::<f64>()?, [3.0, 8.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`sum`].
pub fn prod<'a>(x: impl IntoOperand<'a>, params: impl Into<Prod>) -> Result<Array> {
    call_one(&PROD, &[x.into_operand()], &params.into())
}

params! {
    /// Keyword arguments of [`mean`].
    pub struct Mean {
        /// The axes to reduce; all if not given. An empty list reduces nothing.
        axis: Option<Axes> = None,
        /// Keep reduced axes, with length 1.
        flag keepdims,
        /// The dtype to add up in and to give, a float or complex one.
        dtype: Option<Dtype> = None,
    }
}

describe! {
    MEAN = "mean", Statistical, Primary, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Sum, params: Mean::new(), example: [&[2, 2]], Body::Op(lower_mean)
}

fn lower_mean(request: &Request<'_>) -> Result<Op> {
    let params = request.params::<Mean>();
    let axes = reduced_axes(request.function.name, &params.axis, request.shape(0).len())?;
    Ok(Op::Reduce { op: ReduceOp::Mean, axes, keepdims: params.keepdims })
}

/// Arithmetic mean over axes; NaN of nothing. Integers and bool give the default float dtype.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 2], [3, 5]])?;
/// assert_eq!(ivy::mean(&x, ())?.item::<f32>()?, 2.75);
/// assert_eq!(ivy::mean(&x, Mean::new().axis(0))?.to_vec::<f32>()?, [2.0, 3.5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis),
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an integer `dtype` or bool.
pub fn mean<'a>(x: impl IntoOperand<'a>, params: impl Into<Mean>) -> Result<Array> {
    call_one(&MEAN, &[x.into_operand()], &params.into())
}

params! {
    /// Keyword arguments of [`var`] and [`std()`].
    pub struct Var {
        /// The axes to reduce; all if not given. An empty list reduces nothing.
        axis: Option<Axes> = None,
        /// What is taken off the number of elements in the divisor: 0 for a whole population,
        /// 1 for a sample of one. By an array without axes the variance has a derivative.
        correction: Coefficient = Coefficient::Number(0.0),
        /// Keep reduced axes, with length 1.
        flag keepdims,
    }
}
/// Keyword arguments of [`std()`], the same as of [`var`].
pub type Std = Var;

describe! {
    VAR = "var", Statistical, Primary, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Sum, params: Var::new(), example: [&[2, 2]], Body::Op(lower_var), extended: variance_by_divisor
}

fn lower_var(request: &Request<'_>) -> Result<Op> {
    let params = request.params::<Var>();
    let axes = reduced_axes(request.function.name, &params.axis, request.shape(0).len())?;
    // An array's variance is composed (`variance_by_divisor`).
    let correction = params.correction.constant().ok_or_else(|| ErrorKind::InvalidArgument {
        function: request.function.name,
        argument: "correction",
        value: format!("{:?}", params.correction),
        rule: "a number is needed",
    })?;
    let op = ReduceOp::Var { correction: correction.to_bits() };
    Ok(Op::Reduce { op, axes, keepdims: params.keepdims })
}

/// A variance whose divisor is an array.
fn variance_by_divisor(call: &Composition<'_>) -> Result<Outputs> {
    let (x, params) = (&upcast(call.array(0))?, call.params::<Var>());
    let axes = reduced_axes(call.function.name, &params.axis, x.ndim())?;
    let (axis, keepdims) = (params.axis.clone(), params.keepdims);
    let count = axes.iter().map(|&axis| x.shape()[axis]).product::<usize>() as f64;
    let mean = mean(x, Mean { axis: axis.clone(), keepdims: true, dtype: None })?;
    let divisor = maximum(subtract(count, params.correction.like(x)?)?, 0.0)?;
    // What is added is divided before, since the sum may be beyond the dtype where the variance is not.
    let parts = divide(square(subtract(x, mean)?)?, count)?;
    let total = sum(parts, Sum { axis, dtype: None, keepdims })?;
    Ok(smallvec![downcast(divide(total, divide(divisor, count)?)?, call.compute)?])
}

/// Variance over axes: the sum of squared deviations from the mean over `n - correction`. A
/// divisor of 0 or less counts as 0, which gives NaN or infinity. Integers and bool give the
/// default float dtype.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1i32, 2, 3, 4])?;
/// assert_eq!(ivy::var(&x, ())?.item::<f32>()?, 1.25);
/// assert_eq!(ivy::var(&x, Var::new().correction(3))?.item::<f32>()?, 5.0);
/// assert_eq!(ivy::std(&Array::try_from([1.0f64, 3.0])?, ())?.item::<f64>()?, 1.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis),
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn var<'a>(x: impl IntoOperand<'a>, params: impl Into<Var>) -> Result<Array> {
    call_one(&VAR, &[x.into_operand()], &params.into())
}

describe! {
    STD = "std", Statistical, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Sum, params: Std::new(), example: [&[2, 2]], Body::Compose(compose_std)
}

fn compose_std(call: &Composition<'_>) -> Result<Outputs> {
    let (x, params) = (call.array(0), call.params::<Std>());
    reduced_axes(call.function.name, &params.axis, x.ndim())?;
    // A variance may overflow a small float whose square root fits it.
    let narrow = call.compute.bits() < 32;
    let upcast = if narrow { astype(x, Dtype::FLOAT32)? } else { x.clone() };
    let correction = params.correction.as_parameter_with(&upcast);
    let deviation = sqrt(var(upcast, Var { correction, ..params.clone() })?)?;
    Ok(smallvec![if narrow { astype(deviation, call.compute)? } else { deviation }])
}

/// Standard deviation over axes: the square root of [`var`].
///
/// # Errors
/// As [`var`].
pub fn std<'a>(x: impl IntoOperand<'a>, params: impl Into<Std>) -> Result<Array> {
    call_one(&STD, &[x.into_operand()], &params.into())
}
