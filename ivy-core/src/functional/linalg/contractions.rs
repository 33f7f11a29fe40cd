//! Matrix products and tensor contractions.

use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Composition, Outputs, ParamField, ParamValue, Request};
use crate::functional::manipulation::adjoint;
use crate::functional::{conj, expand_dims, matrix_transpose, moveaxis, permute_dims, reshape, squeeze};
use crate::{Array, Dims, ErrorKind, Op, Result, Shape, params, shape};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`matmul_with`].
    pub struct MatmulParams {
        /// Whether each matrix of `x1` is transposed first.
        extended flag transpose_a,
        /// Whether each matrix of `x2` is transposed first.
        extended flag transpose_b,
        /// Whether each matrix of `x1` is transposed and conjugated first.
        extended flag adjoint_a,
        /// Whether each matrix of `x2` is transposed and conjugated first.
        extended flag adjoint_b,
    }
}

describe! {
    MATMUL = "matmul", LinearAlgebra, Primary, (x1: Promoted, x2: Promoted), Promote -> [Compute],
    Bound::Matmul, params: MatmulParams::new(), example: [&[2, 2], &[2, 2]], Body::Op(lower_matmul),
    extended: matmul_of_transposed
}

fn matmul_of_transposed(call: &Composition<'_>) -> Result<Outputs> {
    let (function, params) = (call.function.name, call.params::<MatmulParams>());
    let taken = |i: usize, transpose: bool, conjugate: bool| {
        let x = call.array(i);
        if transpose && conjugate {
            return Err(ErrorKind::InvalidArgument {
                function,
                argument: ["adjoint_a", "adjoint_b"][i],
                value: "true".into(),
                rule: "a matrix is transposed or its adjoint is taken, not both",
            }
            .into());
        }
        if (transpose || conjugate) && x.ndim() < 2 {
            let (argument, expected) = (["x1", "x2"][i], "at least two axes".into());
            let actual = x.shape().clone();
            return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
        }
        match (transpose, conjugate) {
            (true, _) => matrix_transpose(x),
            (_, true) => adjoint(x),
            _ => Ok(x.clone()),
        }
    };
    let x1 = taken(0, params.transpose_a, params.adjoint_a)?;
    let x2 = taken(1, params.transpose_b, params.adjoint_b)?;
    Ok(smallvec![matmul(x1, x2)?])
}

fn lower_matmul(request: &Request<'_>) -> Result<Op> {
    let (a, b) = (request.shape(0), request.shape(1));
    let function = request.function.name;
    for (argument, x) in [("x1", a), ("x2", b)] {
        if x.is_empty() {
            let (expected, actual) = ("at least one axis".into(), x.into());
            return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
        }
    }
    let (k, rows) = (a[a.len() - 1], if b.len() == 1 { b[0] } else { b[b.len() - 2] });
    if k != rows {
        let expected = format!("one of {k} rows, as the first operand has columns,");
        return Err(ErrorKind::ShapeMismatch { function, argument: "x2", expected, actual: b.into() }.into());
    }
    if a.len() > 1 && b.len() > 1 {
        shape::broadcast(function, &[Shape::from(&a[..a.len() - 2]), Shape::from(&b[..b.len() - 2])])?;
    }
    Ok(Op::Matmul)
}

/// Matrix product. Leading axes broadcast; a one-dimensional operand is a row (`x1`) or a
/// column (`x2`), and its axis is absent from the result. float16 and bfloat16 accumulate in
/// float32, integers wrap.
///
/// ```
/// use ivy::prelude::*;
/// let a = Array::try_from([[1i32, 2], [3, 4]])?;
/// assert_eq!(ivy::matmul(&a, &Array::try_from([1i32, 1])?)?.to_vec::<i32>()?, [3, 7]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch),
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes) of the leading axes,
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool.
pub fn matmul<'a, 'b>(x1: impl IntoOperand<'a>, x2: impl IntoOperand<'b>) -> Result<Array> {
    call_one(&MATMUL, &[x1.into_operand(), x2.into_operand()], &())
}

/// [`matmul`] with keyword arguments.
///
/// ```
/// use ivy::prelude::*;
/// let a = Array::try_from([[1i32, 2], [3, 4]])?;
/// let product = ivy::matmul_with(&a, &a, ivy::MatmulParams::new().transpose_b())?;
/// assert_eq!(product.to_vec::<i32>()?, [5, 11, 11, 25]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`matmul`]; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for an operand of one axis that is to be transposed,
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) where one operand is to be both transposed and
/// its adjoint.
pub fn matmul_with<'a, 'b>(
    x1: impl IntoOperand<'a>,
    x2: impl IntoOperand<'b>,
    params: impl Into<MatmulParams>,
) -> Result<Array> {
    call_one(&MATMUL, &[x1.into_operand(), x2.into_operand()], &params.into())
}

params! {
    /// Keyword arguments of [`vecdot`].
    pub struct Vecdot {
        /// The axis of the vectors.
        axis: i64 = -1,
    }
}

describe! {
    VECDOT = "vecdot", LinearAlgebra, Compositional, (x1: Promoted, x2: Promoted), Promote -> [Compute],
    Bound::Matmul, params: Vecdot::new(), example: [&[2], &[2]], Body::Compose(compose_vecdot)
}

fn compose_vecdot(call: &Composition<'_>) -> Result<Outputs> {
    let (x1, x2, function) = (call.array(0), call.array(1), call.function.name);
    let axis = call.params::<Vecdot>().axis;
    shape::check_common_axis(function, axis, [x1.ndim(), x2.ndim()])?;
    let (a, b) = (
        shape::normalize_axis(function, axis, x1.ndim())?,
        shape::normalize_axis(function, axis, x2.ndim())?,
    );
    let len = x1.shape()[a];
    if x2.shape()[b] != len {
        let (expected, actual) = (format!("length {len} on axis {b}"), x2.shape().clone());
        return Err(ErrorKind::ShapeMismatch { function, argument: "x2", expected, actual }.into());
    }
    // Each pair of vectors is a row and a column, so that small floats and integers accumulate
    // as in any matrix product.
    let left = if x1.dtype().is_complex() { conj(x1)? } else { x1.clone() };
    let rows = expand_dims(moveaxis(&left, a as i64, -1)?, -2)?;
    let columns = expand_dims(moveaxis(x2, b as i64, -1)?, -1)?;
    if rows.ndim() > 2 || columns.ndim() > 2 {
        let lead = |x: &Array| Shape::from(&x.shape()[..x.ndim() - 2]);
        shape::broadcast(function, &[lead(&rows), lead(&columns)])?;
    }
    Ok(smallvec![squeeze(matmul(&rows, &columns)?, [-2, -1])?])
}

/// Dot products of vectors along an axis: the sum of `conj(x1) * x2`. The other axes broadcast.
/// float16 and bfloat16 accumulate in float32, integers wrap.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 2], [3, 4]])?;
/// assert_eq!(ivy::vecdot(&x, &Array::try_from([1i32, 10])?, ())?.to_vec::<i32>()?, [21, 43]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for vectors of two lengths,
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes) of the other axes,
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an axis counted from the front where
/// the arrays differ in their number of axes, [`OutsideDomain`](crate::ErrorKind::OutsideDomain)
/// for bool.
pub fn vecdot<'a, 'b>(
    x1: impl IntoOperand<'a>,
    x2: impl IntoOperand<'b>,
    params: impl Into<Vecdot>,
) -> Result<Array> {
    call_one(&VECDOT, &[x1.into_operand(), x2.into_operand()], &params.into())
}

/// Which axes [`tensordot`] sums over.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ContractedAxes {
    /// The last ones of the first array with the first ones of the second, in order.
    Count(usize),
    /// Axes of the first array, and the axis of the second that goes with each.
    Pairs(Axes, Axes),
}

impl From<usize> for ContractedAxes {
    fn from(count: usize) -> ContractedAxes {
        ContractedAxes::Count(count)
    }
}

impl<A: Into<Axes>, B: Into<Axes>> From<(A, B)> for ContractedAxes {
    fn from((x1, x2): (A, B)) -> ContractedAxes {
        ContractedAxes::Pairs(x1.into(), x2.into())
    }
}

impl ParamField for ContractedAxes {
    const TYPE: &'static str = "int | Sequence[Sequence[int]]";
    fn from_value(value: ParamValue) -> Option<ContractedAxes> {
        match value {
            ParamValue::Int(count) => usize::try_from(count).ok().map(ContractedAxes::Count),
            ParamValue::IntLists(lists) => {
                let [x1, x2] = <[Vec<i64>; 2]>::try_from(lists).ok()?;
                Some(ContractedAxes::from((x1, x2)))
            }
            _ => None,
        }
    }
}

params! {
    /// Keyword arguments of [`tensordot`].
    pub struct Tensordot {
        /// The axes to sum over.
        axes: ContractedAxes = ContractedAxes::Count(2),
    }
}

describe! {
    TENSORDOT = "tensordot", LinearAlgebra, Compositional, (x1: Promoted, x2: Promoted), Promote -> [Compute],
    Bound::Matmul, params: Tensordot::new(), example: [&[2, 2], &[2, 2]], Body::Compose(compose_tensordot)
}

fn compose_tensordot(call: &Composition<'_>) -> Result<Outputs> {
    let (x1, x2, function) = (call.array(0), call.array(1), call.function.name);
    let (left, right) = contracted(function, &call.params::<Tensordot>().axes, x1.ndim(), x2.ndim())?;
    if let Some((&a, &b)) = left.iter().zip(&right).find(|&(&a, &b)| x1.shape()[a] != x2.shape()[b]) {
        let expected = format!("length {} on axis {b}, as the first operand has on axis {a}", x1.shape()[a]);
        let (argument, actual) = ("x2", x2.shape().clone());
        return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
    }
    let free = |x: &Array, taken: &Dims| -> Dims { (0..x.ndim()).filter(|a| !taken.contains(a)).collect() };
    let (free1, free2) = (free(x1, &left), free(x2, &right));
    let result: Shape =
        free1.iter().map(|&a| x1.shape()[a]).chain(free2.iter().map(|&a| x2.shape()[a])).collect();
    result.checked_size(function, call.compute)?;
    // One matrix product: the free axes of x1 are the rows, those of x2 the columns.
    let size = |x: &Array, axes: &Dims| axes.iter().map(|&a| x.shape()[a]).product::<usize>();
    let permuted = |x: &Array, first: &Dims, last: &Dims| {
        let axes: Vec<i64> = first.iter().chain(last).map(|&a| a as i64).collect();
        let shape = Shape::from([size(x, first), size(x, last)]);
        reshape(permute_dims(x, axes)?, shape, ())
    };
    let product = matmul(permuted(x1, &free1, &left)?, permuted(x2, &right, &free2)?)?;
    Ok(smallvec![reshape(product, result, ())?])
}

fn contracted(
    function: &'static str,
    axes: &ContractedAxes,
    ndim1: usize,
    ndim2: usize,
) -> Result<(Dims, Dims)> {
    let invalid = |value: String, rule: &'static str| -> crate::Error {
        ErrorKind::InvalidArgument { function, argument: "axes", value, rule }.into()
    };
    match axes {
        &ContractedAxes::Count(n) if n > ndim1.min(ndim2) => {
            let value = format!("{n} of {ndim1} and {ndim2}");
            Err(invalid(value, "no more axes than each array has"))
        }
        &ContractedAxes::Count(n) => Ok(((ndim1 - n..ndim1).collect(), (0..n).collect())),
        ContractedAxes::Pairs(x1, x2) if x1.0.len() != x2.0.len() => {
            let value = format!("{:?} and {:?}", x1.0.as_slice(), x2.0.as_slice());
            Err(invalid(value, "as many axes of x1 as of x2"))
        }
        ContractedAxes::Pairs(x1, x2) => Ok((
            shape::normalize_axes(function, &x1.0, ndim1)?,
            shape::normalize_axes(function, &x2.0, ndim2)?,
        )),
    }
}

/// Tensor contraction: the sum of products over pairs of axes: the last `axes` of `x1` with the first of `x2`, or the
/// axes that two lists name. The result has the other axes of `x1`, then those of `x2`. float16 and bfloat16 accumulate
/// in float32, integers wrap.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 2], [3, 4]])?;
/// assert_eq!(ivy::tensordot(&x, &x, ())?.item::<i32>()?, 30);
/// let outer = ivy::tensordot(&x, &x, Tensordot::new().axes(0usize))?;
/// assert_eq!(outer.shape().to_string(), "(2, 2, 2, 2)");
/// let gram = ivy::tensordot(&x, &x, Tensordot::new().axes(([1], [1])))?;
/// assert_eq!(gram.to_vec::<i32>()?, [5, 11, 11, 25]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for a pair of axes of two lengths,
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for more axes than an array has or lists
/// of two lengths, [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis),
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow),
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool.
pub fn tensordot<'a, 'b>(
    x1: impl IntoOperand<'a>,
    x2: impl IntoOperand<'b>,
    params: impl Into<Tensordot>,
) -> Result<Array> {
    call_one(&TENSORDOT, &[x1.into_operand(), x2.into_operand()], &params.into())
}
