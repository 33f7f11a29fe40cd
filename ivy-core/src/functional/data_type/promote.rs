//! Promotion: which dtype several have in common, and arrays cast to it.

use super::args::leaves;
use super::{DtypeArg, DtypeArgs};
use crate::array::{Array, IntoOperand};
use crate::call::call;
use crate::dtype::MaybeDtype;
use crate::function::{Body, Bound};
use crate::plan::OperandSpec;
use crate::promotion::{promote, promote_specs};
use crate::{Dtype, DtypeLike, ErrorKind, Operand, Result, Rules, context, params};

/// Whether a dtype (or an array's) may be cast to another under the rules in force: whether it promotes to it without
/// becoming a third, or, of a framework's rules, what the framework's own function says ([`Rules::can_cast`] asks in
/// each of its kinds of casting).
///
/// ```
/// use ivy::prelude::*;
/// assert!(!ivy::can_cast(Dtype::INT32, Dtype::FLOAT32)?);
/// assert!(ivy::can_cast("int32", "float64")?);
/// let _non_precise = ivy::PreciseMode::new(false);
/// assert!(ivy::can_cast(Dtype::INT32, Dtype::FLOAT32)?);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`UnknownDtype`](ErrorKind::UnknownDtype).
pub fn can_cast(from: impl DtypeLike, to: impl DtypeLike) -> Result<bool> {
    let (from, to) = (from.to_dtype()?, to.to_dtype()?);
    context::rules().can_cast(from, to, None)
}

/// The dtype that arrays, dtypes and host scalars have in common under the rules in force,
/// whatever their order: within each kind first, then across kinds. Scalars are weak, as in
/// any call; by themselves they have the default dtypes of their values.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::zeros([2], Dtype::INT16)?;
/// assert_eq!(ivy::result_type((&x, Dtype::UINT16, Dtype::FLOAT16))?, Dtype::FLOAT64);
/// assert_eq!(ivy::result_type((&x, 1))?, Dtype::INT16);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`NoPromotion`](ErrorKind::NoPromotion), [`UnknownDtype`](ErrorKind::UnknownDtype), and
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for no arguments.
pub fn result_type(arrays_and_dtypes: impl DtypeArgs) -> Result<Dtype> {
    const NAME: &str = "result_type";
    let settings = context::current().settings;
    let spec = |leaf: DtypeArg| match leaf {
        DtypeArg::Dtype(dtype) => OperandSpec::Array(dtype),
        DtypeArg::Array(spec) => spec,
        DtypeArg::Scalar(scalar) => Operand::Scalar(scalar).spec(&settings.defaults),
    };
    let specs: Vec<OperandSpec> = leaves(&arrays_and_dtypes)?.into_iter().map(spec).collect();
    if specs.is_empty() {
        return Err(nothing(NAME, "arrays_and_dtypes"));
    }
    let common = promote_specs(NAME, settings.rules, &settings.defaults, None, specs.into_iter())?;
    Ok(common.dtype)
}

fn nothing(function: &'static str, argument: &'static str) -> crate::Error {
    let (value, rule) = ("nothing".into(), "at least one dtype is needed");
    ErrorKind::InvalidArgument { function, argument, value, rule }.into()
}

params! {
    /// Keyword arguments of [`promote_types`] and [`promote_types_of_inputs`].
    pub struct PromoteTypes {
        /// Use the rules of the Array API standard, whatever rules are in force.
        flag array_api_promotion,
    }
}

impl PromoteTypes {
    fn rules(&self) -> Rules {
        if self.array_api_promotion { Rules::ArrayApi } else { context::rules() }
    }
}

/// The dtype that two dtypes (or arrays') promote to under the rules in force. `None` gives way
/// to the other one.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::promote_types("float32", "int32", ())?, Dtype::FLOAT64);
/// assert_eq!(ivy::promote_types(None::<Dtype>, "int8", ())?, Dtype::INT8);
/// let strict = ivy::PromoteTypes::new().array_api_promotion();
/// assert!(ivy::promote_types("float32", "int32", strict).is_err());
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`NoPromotion`](ErrorKind::NoPromotion) with both dtypes and the rules,
/// [`UnknownDtype`](ErrorKind::UnknownDtype), and
/// [`InvalidArgument`](ErrorKind::InvalidArgument) if both are `None`.
pub fn promote_types(
    type1: impl MaybeDtype,
    type2: impl MaybeDtype,
    params: impl Into<PromoteTypes>,
) -> Result<Dtype> {
    match (type1.maybe_dtype()?, type2.maybe_dtype()?) {
        (Some(a), Some(b)) => promote(params.into().rules(), a, b),
        (Some(a), None) | (None, Some(a)) => Ok(a),
        (None, None) => Err(nothing("promote_types", "type1")),
    }
}

describe! {
    PROMOTE_TYPES_OF_INPUTS = "promote_types_of_inputs", DataType, Compositional, (x1: Promoted, x2: Promoted),
    Promote -> [Compute, Compute], Bound::Exact, params: (), example: [&[2], &[2]],
    Body::Compose(|call| Ok(call.arrays.iter().flatten().cloned().collect()))
}

/// Both operands as arrays of the dtype that a call on them would compute in: host scalars are
/// weak beside an array (decisions S13 to S15).
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::zeros([2], Dtype::INT8)?;
/// let (a, b) = ivy::promote_types_of_inputs(&x, 2.5, ())?;
/// assert_eq!((a.dtype(), b.item::<f64>()?), (Dtype::FLOAT64, 2.5));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`NoPromotion`](ErrorKind::NoPromotion), [`ScalarOutOfRange`](ErrorKind::ScalarOutOfRange).
pub fn promote_types_of_inputs<'a, 'b>(
    x1: impl IntoOperand<'a>,
    x2: impl IntoOperand<'b>,
    params: impl Into<PromoteTypes>,
) -> Result<(Array, Array)> {
    let operands = [x1.into_operand(), x2.into_operand()];
    let strict = context::current().rules(params.into().rules());
    let mut outputs = context::with(&strict, || call(&PROMOTE_TYPES_OF_INPUTS, &operands, &()))?.into_iter();
    let mut next = || outputs.next().expect("both operands come back");
    Ok((next(), next()))
}

describe! {
    TYPE_PROMOTE_ARRAYS = "type_promote_arrays", DataType, Compositional, (x1: Promoted, x2: Promoted),
    Promote -> [Compute, Compute], Bound::Exact, params: (), example: [&[2], &[2]],
    Body::Compose(|call| Ok(call.arrays.iter().flatten().cloned().collect()))
}

/// Two arrays cast to the dtype that theirs promote to.
///
/// ```
/// use ivy::prelude::*;
/// let (x, y) = (ivy::zeros([2], Dtype::INT8)?, ivy::zeros([3], Dtype::FLOAT16)?);
/// let (x, y) = ivy::type_promote_arrays(&x, &y)?;
/// assert_eq!((x.dtype(), y.dtype()), (Dtype::FLOAT16, Dtype::FLOAT16));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`NoPromotion`](ErrorKind::NoPromotion).
pub fn type_promote_arrays(x1: &Array, x2: &Array) -> Result<(Array, Array)> {
    let mut outputs = call(&TYPE_PROMOTE_ARRAYS, &[x1.into_operand(), x2.into_operand()], &())?.into_iter();
    let mut next = || outputs.next().expect("both operands come back");
    Ok((next(), next()))
}
