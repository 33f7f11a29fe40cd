//! Masks that are keyword arguments.

use super::{ParamField, ParamValue};
use crate::array::Array;
use crate::backend::AbstractBackend;
use crate::{ErrorKind, Result, Scalar, shape};

/// An array of truth values that says which elements of an operand count. It broadcasts to the operand.
#[derive(Clone, Debug)]
pub struct Mask(pub Array);

impl From<&Array> for Mask {
    fn from(mask: &Array) -> Mask {
        Mask(mask.clone())
    }
}

impl From<Array> for Mask {
    fn from(mask: Array) -> Mask {
        Mask(mask)
    }
}

impl ParamField for Mask {
    const TYPE: &'static str = "Array | bool | Sequence[bool]";
    const RULE: &'static str = "an array of truth values is needed";

    fn from_value(value: ParamValue) -> Option<Mask> {
        match value {
            ParamValue::Array(mask) if mask.dtype().is_bool() => Some(Mask(mask)),
            ParamValue::Bool(all) => Array::from_vec(vec![all], ()).ok().map(Mask),
            ParamValue::Scalars(list) => {
                let truth = |scalar: &Scalar| match scalar {
                    Scalar::Bool(truth) => Some(*truth),
                    _ => None,
                };
                let list: Vec<bool> = list.iter().map(truth).collect::<Option<_>>()?;
                let count = list.len();
                Array::from_vec(list, count).ok().map(Mask)
            }
            _ => None,
        }
    }

    fn as_array(&self) -> Option<&Array> {
        Some(&self.0)
    }
}

impl Mask {
    /// The mask of an operand; where that has no elements, as in a plan, it has none either.
    pub(crate) fn of(&self, function: &'static str, argument: &'static str, x: &Array) -> Result<Array> {
        let mask = &self.0;
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
        Ok(mask.clone())
    }
}
