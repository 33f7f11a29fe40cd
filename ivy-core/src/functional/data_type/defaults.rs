//! Default dtypes, and the dtype of values that name none.

use super::args::leaves;
use super::{DtypeArg, DtypeArgs, result_type};
use crate::dtype::{MaybeDtype, wrong_kind};
use crate::{Defaults, Dtype, DtypeLike, Result, Scalar, context};

/// Keyword arguments of [`default_dtype`] and its relatives.
#[derive(Clone, Debug, Default)]
pub struct DefaultOf {
    dtype: Option<Dtype>,
    item: Option<Vec<DtypeArg>>,
}

impl DefaultOf {
    /// Neither a dtype nor an item.
    #[must_use]
    pub fn new() -> DefaultOf {
        DefaultOf::default()
    }

    /// A dtype that wins over the default.
    ///
    /// # Errors
    /// [`UnknownDtype`](crate::ErrorKind::UnknownDtype).
    pub fn dtype(mut self, dtype: impl MaybeDtype) -> Result<DefaultOf> {
        self.dtype = dtype.maybe_dtype()?;
        Ok(self)
    }

    /// What the dtype is for: an array or dtype, host scalars, or nested lists.
    ///
    /// # Errors
    /// [`UnknownDtype`](crate::ErrorKind::UnknownDtype).
    pub fn item(mut self, item: impl DtypeArgs) -> Result<DefaultOf> {
        self.item = Some(leaves(&item)?);
        Ok(self)
    }
}

impl From<()> for DefaultOf {
    fn from((): ()) -> DefaultOf {
        DefaultOf::default()
    }
}

fn defaults() -> Defaults {
    context::current().settings.defaults
}

/// The host scalars among leaves, if all are.
fn scalars(leaves: &[DtypeArg]) -> Option<Vec<Scalar>> {
    let scalar = |leaf: &DtypeArg| match leaf {
        DtypeArg::Scalar(scalar) => Some(*scalar),
        DtypeArg::Dtype(_) | DtypeArg::Array(_) => None,
    };
    leaves.iter().map(scalar).collect()
}

/// The default dtype in force, or that of an item: an array has its own; host values the default
/// of the highest kind among them, wider where a value needs it. No values: the general default.
///
/// ```
/// use ivy::DefaultOf;
/// use ivy::prelude::*;
/// assert_eq!(ivy::default_dtype(())?, Dtype::FLOAT32);
/// assert_eq!(ivy::default_dtype(DefaultOf::new().item((1, 2.5))?)?, Dtype::FLOAT32);
/// assert_eq!(ivy::default_dtype(DefaultOf::new().item(1i64 << 31)?)?, Dtype::INT64);
/// assert_eq!(ivy::default_dtype(DefaultOf::new().item(1)?.dtype("int8")?)?, Dtype::INT8);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`NoPromotion`](crate::ErrorKind::NoPromotion) among the arrays of an item.
pub fn default_dtype(params: impl Into<DefaultOf>) -> Result<Dtype> {
    let DefaultOf { dtype, item } = params.into();
    match (dtype, item) {
        (Some(dtype), _) => Ok(dtype),
        (None, None) => Ok(defaults().dtype()),
        (None, Some(item)) => match scalars(&item) {
            Some(values) => Ok(defaults().of_values(&values)),
            None => result_type(item),
        },
    }
}

/// The default of one kind: an explicit dtype of it, the item's own where it is of the kind, or
/// what `of_values` says of host values.
fn of_kind(
    function: &'static str,
    params: DefaultOf,
    is: fn(Dtype) -> bool,
    kind: &'static str,
    of_values: impl Fn(&Defaults, &[Scalar]) -> Dtype,
) -> Result<Dtype> {
    match (params.dtype, params.item) {
        (Some(dtype), _) if !is(dtype) => Err(wrong_kind(function, dtype, kind)),
        (Some(dtype), _) => Ok(dtype),
        (None, None) => Ok(of_values(&defaults(), &[])),
        (None, Some(item)) => match scalars(&item) {
            Some(values) => Ok(of_values(&defaults(), &values)),
            None => match result_type(item)? {
                own if is(own) => Ok(own),
                _ => Ok(of_values(&defaults(), &[])),
            },
        },
    }
}

/// The values as a kind of their own, so that the kind's rule of widening applies.
fn as_kind(values: &[Scalar], to: impl Fn(Scalar) -> Scalar) -> Vec<Scalar> {
    values.iter().map(|v| to(*v)).collect()
}

macro_rules! default_of_kind {
    ($($(#[$doc:meta])* $name:ident = $is:ident, $kind:literal, $of_values:expr;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`WrongDtypeKind`](crate::ErrorKind::WrongDtypeKind) for an explicit dtype of another
            /// kind, [`NoPromotion`](crate::ErrorKind::NoPromotion) among the arrays of an item.
            pub fn $name(params: impl Into<DefaultOf>) -> Result<Dtype> {
                of_kind(stringify!($name), params.into(), Dtype::$is, $kind, $of_values)
            }
        )*
    };
}
default_of_kind! {
    /// The default integer dtype, int64 or uint64 where an item's value is above its range.
    ///
    /// ```
    /// use ivy::DefaultOf;
    /// use ivy::prelude::*;
    /// assert_eq!(ivy::default_int_dtype(())?, Dtype::INT32);
    /// assert_eq!(ivy::default_int_dtype(DefaultOf::new().item(u64::MAX)?)?, Dtype::UINT64);
    /// assert_eq!(ivy::default_uint_dtype(DefaultOf::new().item(1u64 << 32)?)?, Dtype::UINT64);
    /// assert_eq!(ivy::default_float_dtype(DefaultOf::new().item(1e39)?)?, Dtype::FLOAT64);
    /// assert!(ivy::default_int_dtype(DefaultOf::new().dtype("float16")?).is_err());
    /// # Ok::<(), ivy::Error>(())
    /// ```
    default_int_dtype = is_int, "integer", |defaults, values| match values {
        [] => defaults.int(),
        _ => defaults.of_values(&as_kind(values, |v| Scalar::Int(v.to_i128()))),
    };
    /// The default unsigned dtype, uint64 where an item's value is above its range.
    default_uint_dtype = is_uint, "unsigned", |defaults, values| defaults.uint_of_values(values);
    /// The default float dtype, float64 where an item's value is beyond float32.
    default_float_dtype = is_float, "float", |defaults, values| match values {
        [] => defaults.float(),
        _ => defaults.of_values(&as_kind(values, |v| Scalar::Float(v.to_f64()))),
    };
    /// The default complex dtype, complex128 where a part of an item's value is beyond float32.
    default_complex_dtype = is_complex, "complex", |defaults, values| match values {
        [] => defaults.complex(),
        _ => defaults.of_values(&as_kind(values, |v| Scalar::Complex(v.to_complex()))),
    };
}

/// The default dtype of the kind of a dtype, an array's or one that is named; bool for bool.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::infer_default_dtype("int8")?, Dtype::INT32);
/// assert_eq!(ivy::infer_default_dtype(Dtype::COMPLEX128)?, Dtype::COMPLEX64);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`UnknownDtype`](crate::ErrorKind::UnknownDtype).
pub fn infer_default_dtype(dtype: impl DtypeLike) -> Result<Dtype> {
    Ok(defaults().of_dtype(dtype.to_dtype()?))
}

/// The dtype of a call that may name one: `dtype`, else that of the first array or dtype among
/// the arguments, else the default dtype (spec I-40b).
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::zeros([2], Dtype::INT8)?;
/// assert_eq!(ivy::infer_dtype(None::<Dtype>, (2.5, &x))?, Dtype::INT8);
/// assert_eq!(ivy::infer_dtype("float16", &x)?, Dtype::FLOAT16);
/// assert_eq!(ivy::infer_dtype(None::<Dtype>, 2)?, Dtype::FLOAT32);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`UnknownDtype`](crate::ErrorKind::UnknownDtype).
pub fn infer_dtype(dtype: impl MaybeDtype, args: impl DtypeArgs) -> Result<Dtype> {
    if let Some(dtype) = dtype.maybe_dtype()? {
        return Ok(dtype);
    }
    let first = leaves(&args)?.into_iter().find_map(DtypeArg::dtype);
    Ok(first.unwrap_or_else(|| defaults().dtype()))
}
