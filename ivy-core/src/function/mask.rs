//! Masks that are keyword arguments.

use super::{ParamField, ParamValue};
use crate::array::Array;
use crate::backend::AbstractBackend;
use crate::{ErrorKind, Result, Scalar, shape};

/// Truth values that say which elements of an operand count. They broadcast to the operand.
#[derive(Clone, Debug)]
pub enum Mask {
    /// An array.
    Array(Array),
    /// Values along the last axis, which become an array where the operand is.
    Values(Vec<bool>),
}

impl From<&Array> for Mask {
    fn from(mask: &Array) -> Mask {
        Mask::Array(mask.clone())
    }
}

impl From<Array> for Mask {
    fn from(mask: Array) -> Mask {
        Mask::Array(mask)
    }
}

impl<const N: usize> From<[bool; N]> for Mask {
    fn from(values: [bool; N]) -> Mask {
        Mask::Values(values.into())
    }
}

impl ParamField for Mask {
    const RULE: &'static str = "an array of truth values is needed";
    const TYPE: &'static str = "Array | bool | Sequence[bool]";

    fn from_value(value: ParamValue) -> Option<Mask> {
        let truth = |scalar: &Scalar| match scalar {
            Scalar::Bool(truth) => Some(*truth),
            _ => None,
        };
        match value {
            ParamValue::Array(mask) if mask.dtype().is_bool() => Some(Mask::Array(mask)),
            ParamValue::Bool(all) => Some(Mask::Values(vec![all])),
            ParamValue::Scalars(list) => list.iter().map(truth).collect::<Option<_>>().map(Mask::Values),
            _ => None,
        }
    }

    fn as_array(&self) -> Option<&Array> {
        match self {
            Mask::Array(mask) => Some(mask),
            Mask::Values(_) => None,
        }
    }
}

impl Mask {
    /// The mask of an operand; where that has no elements, as in a plan, it has none either.
    pub(crate) fn of(&self, function: &'static str, argument: &'static str, x: &Array) -> Result<Array> {
        let mask = match self {
            Mask::Array(mask) => mask.clone(),
            Mask::Values(values) => Array::from_vec(values.clone(), values.len())?,
        };
        if !mask.dtype().is_bool() {
            let (value, rule) =
                (format!("an array of {}", mask.dtype()), "an array of truth values is needed");
            return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
        }
        if shape::broadcast(function, &[x.shape(), mask.shape()])? != *x.shape() {
            let (expected, actual) = (format!("one that broadcasts to {}", x.shape()), mask.shape().clone());
            return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
        }
        if x.backend().is_abstract() {
            let value = AbstractBackend::value(mask.dtype(), mask.shape().clone());
            return Ok(Array::from_value(x.backend().clone(), value));
        }
        Ok(mask)
    }
}
