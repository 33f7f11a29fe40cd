//! Norms of vectors and matrices. float16 and bfloat16 are computed in float32 and rounded once.

use super::checks::matrices;
use super::svdvals;
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Coefficient, Composition, Outputs, ParamField, ParamValue};
use crate::functional::precision::{downcast, upcast};
use crate::functional::statistical::{max_min::check_not_empty, standard::reduced_axes};
use crate::functional::{
    Reduce, Sum, abs, add, astype, divide, expand_dims, imag, max, min, moveaxis, not_equal, pow, real, sqrt,
    square, squeeze, sum,
};
use crate::{Array, Dtype, ErrorKind, Result, params, shape};
use smallvec::smallvec;

/// Which norm [`matrix_norm`] is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MatrixOrder {
    /// `"fro"`: the root of the sum of the squares of all elements.
    #[default]
    Frobenius,
    /// `"nuc"`: the sum of the singular values.
    Nuclear,
    /// 1: the greatest sum of magnitudes of a column.
    One,
    /// -1: the least sum of magnitudes of a column.
    MinusOne,
    /// 2: the greatest singular value.
    Two,
    /// -2: the least singular value.
    MinusTwo,
    /// Infinity: the greatest sum of magnitudes of a row.
    Infinity,
    /// Negative infinity: the least sum of magnitudes of a row.
    MinusInfinity,
}

impl ParamField for MatrixOrder {
    const TYPE: &'static str = "float | Literal[\"fro\", \"nuc\"] | None";
    fn from_value(value: ParamValue) -> Option<MatrixOrder> {
        let number = match value {
            ParamValue::None => return Some(MatrixOrder::Frobenius),
            ParamValue::Text(name) if name == "fro" => return Some(MatrixOrder::Frobenius),
            ParamValue::Text(name) if name == "nuc" => return Some(MatrixOrder::Nuclear),
            ParamValue::Int(i) => i as f64,
            ParamValue::Float(x) => x,
            _ => return None,
        };
        const NUMBERS: [(f64, MatrixOrder); 6] = [
            (1.0, MatrixOrder::One),
            (-1.0, MatrixOrder::MinusOne),
            (2.0, MatrixOrder::Two),
            (-2.0, MatrixOrder::MinusTwo),
            (f64::INFINITY, MatrixOrder::Infinity),
            (f64::NEG_INFINITY, MatrixOrder::MinusInfinity),
        ];
        NUMBERS.iter().find(|n| n.0 == number).map(|n| n.1)
    }

    fn variant(&self) -> u64 {
        *self as u64
    }
}

params! {
    /// Keyword arguments of [`matrix_norm`].
    pub struct MatrixNorm {
        /// Whether the last two axes stay with length 1.
        flag keepdims,
        /// Which norm.
        ord: MatrixOrder = MatrixOrder::Frobenius,
        /// The axes of rows and columns.
        axis: Axes = Axes::from([-2, -1]),
        /// The dtype to compute in, whose real part is that of the result; integers and bool stand for the default
        /// float dtype.
        dtype: Option<Dtype> = None,
    }
}

describe! {
    MATRIX_NORM = "matrix_norm", Linalg, Compositional, (x: Promoted), PromoteFloat -> [RealPart],
    Bound::Residual, params: MatrixNorm::new(), example: [&[2, 2]], Body::Compose(compose_matrix_norm)
}

/// The squares of magnitudes, real. They are not made of magnitudes, whose derivative at 0 would take their curvature.
pub(crate) fn squared_magnitude(x: &Array) -> Result<Array> {
    match x.dtype().is_complex() {
        true => add(square(real(x)?)?, square(imag(x)?)?),
        false => square(x),
    }
}

fn compose_matrix_norm(call: &Composition<'_>) -> Result<Outputs> {
    let (function, &MatrixNorm { keepdims, ord, ref axis, .. }) =
        (call.function.name, call.params::<MatrixNorm>());
    matrices(function, "x", call.array(0).shape())?;
    let given = call.array(0);
    let at = shape::normalize_axes(function, &axis.0, given.ndim())?;
    let &[row, column] = &at[..] else {
        let (argument, value) = ("axis", format!("{:?}", axis.0.as_slice()));
        return Err(
            ErrorKind::InvalidArgument { function, argument, value, rule: "two axes are needed" }.into()
        );
    };
    let (row, column) = (row as i64, column as i64);
    let is_last = [row, column] == [given.ndim() as i64 - 2, given.ndim() as i64 - 1];
    let x = upcast(given)?;
    let x = if is_last { x } else { moveaxis(x, [row, column], [-2, -1])? };
    let sums = |axis: i64| sum(abs(&x)?, Sum { axis: Some(axis.into()), keepdims: true, dtype: None });
    const LAST_TWO: [i64; 2] = [-2, -1];
    let both = || Some(Axes::from(LAST_TWO));
    let greatest = |x: Array| max(x, Reduce { axis: both(), keepdims: true });
    let least = |x: Array| min(x, Reduce { axis: both(), keepdims: true });
    let values = || expand_dims(svdvals(&x)?, -1);
    let norm = match ord {
        MatrixOrder::Frobenius => {
            sqrt(sum(squared_magnitude(&x)?, Sum { axis: both(), keepdims: true, dtype: None })?)?
        }
        MatrixOrder::Nuclear => {
            sum(values()?, Sum { axis: Some(Axes::from(-2)), keepdims: true, dtype: None })?
        }
        MatrixOrder::One => greatest(sums(-2)?)?,
        MatrixOrder::MinusOne => least(sums(-2)?)?,
        MatrixOrder::Infinity => greatest(sums(-1)?)?,
        MatrixOrder::MinusInfinity => least(sums(-1)?)?,
        MatrixOrder::Two => greatest(values()?)?,
        MatrixOrder::MinusTwo => least(values()?)?,
    };
    let norm = match (keepdims, is_last) {
        (false, _) => squeeze(norm, LAST_TWO)?,
        (true, true) => norm,
        (true, false) => moveaxis(norm, [-2, -1], [row, column])?,
    };
    Ok(smallvec![downcast(norm, call.compute.real_part())?])
}

/// Matrix norm of each matrix; real.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::linalg::{MatrixNorm, MatrixOrder, matrix_norm};
/// let x = Array::try_from([[3.0f32, 0.0], [0.0, -4.0]])?;
/// assert_eq!(matrix_norm(&x, ())?.item::<f32>()?, 5.0);
/// assert_eq!(matrix_norm(&x, MatrixNorm::new().ord(MatrixOrder::Nuclear))?.item::<f32>()?, 7.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for fewer than two axes,
/// [`EmptyReduction`](crate::ErrorKind::EmptyReduction) for the greatest or least of nothing,
/// [`NotConverged`](crate::ErrorKind::NotConverged) of the singular values.
pub fn matrix_norm<'a>(x: impl IntoOperand<'a>, params: impl Into<MatrixNorm>) -> Result<Array> {
    call_one(&MATRIX_NORM, &[x.into_operand()], &params.into())
}

/// The order of a vector norm; by an array without axes the norm has a derivative, as a power has by its exponent.
#[derive(Clone, Debug)]
pub struct VectorOrder(pub Coefficient);

impl<T: Into<Coefficient>> From<T> for VectorOrder {
    fn from(order: T) -> VectorOrder {
        VectorOrder(order.into())
    }
}

impl ParamField for VectorOrder {
    const TYPE: &'static str = "float | Array";
    const RULE: &'static str = Coefficient::RULE;

    fn from_value(value: ParamValue) -> Option<VectorOrder> {
        Coefficient::from_value(value).map(VectorOrder)
    }

    fn variant(&self) -> u64 {
        const OWN_FORM: [f64; 5] = [0.0, 1.0, 2.0, f64::INFINITY, f64::NEG_INFINITY];
        let Some(order) = self.0.constant() else { return OWN_FORM.len() as u64 + 1 };
        OWN_FORM.iter().position(|&p| p == order).unwrap_or(OWN_FORM.len()) as u64
    }

    fn as_array(&self) -> Option<&Array> {
        self.0.as_array()
    }
}

params! {
    /// Keyword arguments of [`vector_norm`].
    pub struct VectorNorm {
        /// The axes of the vectors; all, as one vector, if not given.
        axis: Option<Axes> = None,
        /// Whether these axes stay with length 1.
        flag keepdims,
        /// The order `p` of the norm, the `p`-th root of the sum of magnitudes to the power `p`;
        /// 0 counts what is not zero, infinity and negative infinity are the greatest and the
        /// least magnitude.
        ord: VectorOrder = VectorOrder(Coefficient::Number(2.0)),
        /// The dtype to compute in, whose real part is that of the result; integers and bool stand for the default
        /// float dtype.
        dtype: Option<Dtype> = None,
    }
}

describe! {
    VECTOR_NORM = "vector_norm", Linalg, Compositional, (x: Promoted), PromoteFloat -> [RealPart],
    Bound::Residual, params: VectorNorm::new(), example: [&[2]], Body::Compose(compose_vector_norm)
}

fn compose_vector_norm(call: &Composition<'_>) -> Result<Outputs> {
    let VectorNorm { axis, keepdims, ord: VectorOrder(order), .. } = call.params::<VectorNorm>().clone();
    let x = upcast(call.array(0))?;
    let function = call.function.name;
    let axes = reduced_axes(function, &axis, x.ndim())?;
    order.check(function, "ord", |p| !p.is_nan(), "a number, not NaN")?;
    let p = order.constant();
    if p.is_some_and(f64::is_infinite) {
        check_not_empty(function, x.shape(), &axes)?;
    }
    let total = |x: Array| sum(x, Sum { axis: axis.clone(), keepdims, dtype: None });
    let norm = match p {
        Some(0.0) => total(astype(not_equal(&x, 0)?, x.dtype().real_part())?)?,
        Some(f64::INFINITY) => max(abs(&x)?, Reduce { axis, keepdims })?,
        Some(f64::NEG_INFINITY) => min(abs(&x)?, Reduce { axis, keepdims })?,
        Some(1.0) => total(abs(&x)?)?,
        Some(2.0) => sqrt(total(squared_magnitude(&x)?)?)?,
        Some(p) => pow(total(pow(abs(&x)?, p)?)?, 1.0 / p)?,
        None => {
            let sizes = abs(&x)?;
            let p = order.like(&sizes)?;
            pow(total(pow(sizes, p.clone())?)?, divide(1.0, p)?)?
        }
    };
    Ok(smallvec![downcast(norm, call.compute.real_part())?])
}

/// Vector norm along axes, or of the whole array as one vector; real.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::linalg::{VectorNorm, vector_norm};
/// let x = Array::try_from([[3.0f32, -4.0], [0.0, 2.0]])?;
/// assert_eq!(vector_norm(&x, VectorNorm::new().axis(1))?.to_vec::<f32>()?, [5.0, 2.0]);
/// assert_eq!(vector_norm(&x, VectorNorm::new().ord(1))?.item::<f32>()?, 9.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis),
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an order that is NaN,
/// [`EmptyReduction`](crate::ErrorKind::EmptyReduction) for the greatest or least of nothing.
pub fn vector_norm<'a>(x: impl IntoOperand<'a>, params: impl Into<VectorNorm>) -> Result<Array> {
    call_one(&VECTOR_NORM, &[x.into_operand()], &params.into())
}
