//! Numbers of a formula that are keyword arguments, and that a derivative can be taken by.

use super::{ParamField, ParamValue};
use crate::array::{Array, Operand};
use crate::backend::AbstractBackend;
use crate::functional::{astype, multiply, subtract};
use crate::{ErrorKind, Result, Scalar, Shape, transform};
use std::borrow::Cow;
use std::fmt;

/// A number that a function computes with: a host number, or an array without axes, by which the function has a
/// derivative as by its operands. An array has no part in the dtype of the result. What a function demands of the
/// number it demands of an array's element, which is read for that: under `vmap` of all entries, and not in a loop
/// that is recorded, where there is none yet.
///
/// ```
/// use ivy::{LeakyRelu, prelude::*};
/// let x = ivy::asarray(-2.0, Dtype::FLOAT64)?;
/// let slope = ivy::asarray(0.5, Dtype::FLOAT64)?;
/// let f = |slope: &Array| ivy::leaky_relu(&x, LeakyRelu::new().alpha(slope));
/// assert_eq!((f(&slope)?.item::<f64>()?, ivy::grad(f)(&slope)?.item::<f64>()?), (-1.0, -2.0));
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone)]
pub enum Coefficient {
    /// A host number.
    Number(f64),
    /// An array of one element.
    Array(Array),
}

/// The number or the array: signatures show defaults so.
impl fmt::Debug for Coefficient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Coefficient::Number(x) => x.fmt(f),
            Coefficient::Array(x) => x.fmt(f),
        }
    }
}

macro_rules! numbers {
    ($($t:ty),*) => {
        $(impl From<$t> for Coefficient {
            fn from(number: $t) -> Coefficient {
                Coefficient::Number(number.into())
            }
        })*
    };
}
numbers!(f64, f32, i32, u32, i16, u16, i8, u8);

impl From<&Array> for Coefficient {
    fn from(array: &Array) -> Coefficient {
        Coefficient::Array(array.clone())
    }
}

impl From<Array> for Coefficient {
    fn from(array: Array) -> Coefficient {
        Coefficient::Array(array)
    }
}

impl ParamField for Coefficient {
    const TYPE: &'static str = "float | Array";
    const RULE: &'static str = "a number is needed, or an array without axes";

    fn from_value(value: ParamValue) -> Option<Coefficient> {
        match value {
            ParamValue::Array(x) if x.ndim() == 0 && !x.dtype().is_complex() => Some(Coefficient::Array(x)),
            value => f64::from_value(value).map(Coefficient::Number),
        }
    }

    fn variant(&self) -> u64 {
        u64::from(matches!(self, Coefficient::Array(_)))
    }

    fn as_array(&self) -> Option<&Array> {
        match self {
            Coefficient::Array(x) => Some(x),
            Coefficient::Number(_) => None,
        }
    }
}

impl Coefficient {
    /// The host number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Coefficient::Number(x) => Some(*x),
            Coefficient::Array(_) => None,
        }
    }

    /// The number: of an array, the element, unless a derivative is taken by it, a function is mapped over it, or it
    /// has no element yet.
    pub(crate) fn constant(&self) -> Option<f64> {
        match self {
            Coefficient::Number(x) => Some(*x),
            Coefficient::Array(x) => plain_scalar(x).map(|scalar| scalar.to_f64()),
        }
    }

    /// As an operand of a formula of `x`, in its dtype.
    pub(crate) fn like(&self, x: &Array) -> Result<Operand<'static>> {
        Ok(match self.as_parameter_with(x) {
            Coefficient::Number(number) => Operand::Scalar(Scalar::Float(number)),
            Coefficient::Array(own) if own.dtype() == x.dtype() => Operand::Array(Cow::Owned(own)),
            Coefficient::Array(own) => Operand::Array(Cow::Owned(astype(own, x.dtype())?)),
        })
    }

    /// As a parameter of a function of `x`: where that has no elements, as in a plan, which is made of dtypes and shapes
    /// alone, an array has none either.
    pub(crate) fn as_parameter_with(&self, x: &Array) -> Coefficient {
        match self {
            Coefficient::Array(_) if x.backend().is_abstract() => {
                let value = AbstractBackend::value(x.dtype(), Shape::default());
                Coefficient::Array(Array::from_value(x.backend().clone(), value))
            }
            other => other.clone(),
        }
    }

    /// Refuses a number that breaks a rule.
    pub(crate) fn check(
        &self,
        function: &'static str,
        argument: &'static str,
        holds: impl Fn(f64) -> bool,
        rule: &'static str,
    ) -> Result<()> {
        let wrong = match self {
            Coefficient::Number(x) => (!holds(*x)).then_some(*x),
            Coefficient::Array(x) => elements(x).into_iter().find(|x| !holds(*x)),
        };
        match wrong {
            Some(x) => {
                Err(ErrorKind::InvalidArgument { function, argument, value: x.to_string(), rule }.into())
            }
            None => Ok(()),
        }
    }

    /// Refuses infinities and NaN.
    pub(crate) fn check_finite(&self, function: &'static str, argument: &'static str) -> Result<()> {
        self.check(function, argument, f64::is_finite, "a finite number is needed")
    }

    /// Refuses what is not above 0.
    pub(crate) fn check_positive(&self, function: &'static str, argument: &'static str) -> Result<()> {
        self.check(function, argument, |x| x.is_finite() && x > 0.0, "a finite number above 0 is needed")
    }

    /// Refuses what is below 0.
    pub(crate) fn check_not_negative(&self, function: &'static str, argument: &'static str) -> Result<()> {
        let rule = "a finite number of 0 or more is needed";
        self.check(function, argument, |x| x.is_finite() && x >= 0.0, rule)
    }

    /// Refuses what is not from 0 to a number.
    pub(crate) fn check_share(
        &self,
        function: &'static str,
        argument: &'static str,
        most: f64,
        rule: &'static str,
    ) -> Result<()> {
        self.check(function, argument, |x| (0.0..=most).contains(&x), rule)
    }

    /// Times a number.
    pub(crate) fn times(&self, factor: f64) -> Result<Coefficient> {
        Ok(match self {
            Coefficient::Number(x) => Coefficient::Number(x * factor),
            Coefficient::Array(x) => Coefficient::Array(multiply(x, factor)?),
        })
    }

    /// What is left of 1.
    pub(crate) fn rest(&self) -> Result<Coefficient> {
        Ok(match self {
            Coefficient::Number(x) => Coefficient::Number(1.0 - x),
            Coefficient::Array(x) => Coefficient::Array(subtract(1.0, x)?),
        })
    }
}

/// Whether an array among parameters is one by which a derivative is taken, or a function mapped.
#[doc(hidden)]
pub fn is_traced(x: &Array) -> bool {
    plain_scalar(x).is_none()
}

/// The element of an array, unless a derivative is taken by it, a function is mapped over it, or it has no element yet.
pub(crate) fn plain_scalar(x: &Array) -> Option<Scalar> {
    let plain = x.backend().level() == 0 && !x.backend().is_abstract();
    plain.then(|| x.to_scalar().ok()).flatten()
}

/// What there is to check: an array of a plan or of a loop that is recorded has no elements.
fn elements(x: &Array) -> Vec<f64> {
    let (shown, _) = transform::shown(x);
    if shown.backend().is_abstract() {
        return Vec::new();
    }
    let Ok(host) = shown.to_host() else { return Vec::new() };
    (0..shown.size()).filter_map(|i| host.scalar_at(i).ok()).map(|scalar| scalar.to_f64()).collect()
}
