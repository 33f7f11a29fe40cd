//! What functions take: arrays, expressions and host scalars.

use super::{Array, Expr};
use crate::backend::BackendRef;
use crate::plan::OperandSpec;
use crate::scalar::for_each_host_scalar;
use crate::{Defaults, Dtype, Error, Result, Scalar, transform};
use std::borrow::Cow;

/// An operand of a call.
#[derive(Clone, Debug)]
pub enum Operand<'a> {
    /// An array, the caller's or the call's own.
    Array(Cow<'a, Array>),
    /// Nested lists, as an array of the current backend: a call takes it to the backend of its arrays.
    List(Array),
    /// A host scalar.
    Scalar(Scalar),
    /// An optional operand that was left out.
    Absent,
    /// An earlier error, which the call gives back.
    Failed(Error),
}

impl Operand<'_> {
    /// The operand by itself, borrowing nothing. Arrays share their elements.
    pub fn into_owned(self) -> Operand<'static> {
        match self {
            Operand::Array(array) => Operand::Array(Cow::Owned(array.into_owned())),
            Operand::List(array) => Operand::List(array),
            Operand::Scalar(scalar) => Operand::Scalar(scalar),
            Operand::Absent => Operand::Absent,
            Operand::Failed(error) => Operand::Failed(error),
        }
    }

    /// The array, a list's as well.
    #[inline]
    pub(crate) fn array(&self) -> Option<&Array> {
        match self {
            Operand::Array(array) => Some(array),
            Operand::List(array) => Some(array),
            _ => None,
        }
    }

    /// The operand with its lists as arrays of a backend.
    ///
    /// # Errors
    /// [`ErrorKind::DtypeNotStored`](crate::ErrorKind::DtypeNotStored), or no memory.
    pub(crate) fn on(self, backend: &BackendRef) -> Result<Self> {
        match self {
            Operand::List(array) => {
                array.moved_to(&transform::root(backend)).map(|x| Operand::Array(Cow::Owned(x)))
            }
            other => Ok(other),
        }
    }

    /// The host scalar, if it is one.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Operand::Scalar(value) => Some(*value),
            _ => None,
        }
    }

    /// The operand as the plan sees it, under default dtypes and their rules. A failed one has no part in a plan.
    #[inline]
    pub fn spec(&self, defaults: &Defaults) -> OperandSpec {
        match self {
            Operand::List(array) => array.spec(),
            Operand::Array(array) => match array.spec() {
                OperandSpec::ZeroD(own) if defaults.rules.count_values() => {
                    match transform::bottom(array).to_scalar() {
                        Ok(value) => valued(value, own, true),
                        // Without elements to read it is an array like others.
                        Err(_) => OperandSpec::Array(own),
                    }
                }
                spec => spec,
            },
            Operand::Scalar(s) => {
                let fit = defaults.of_values(std::slice::from_ref(s));
                if defaults.rules.count_values() {
                    valued(*s, fit, false)
                } else {
                    OperandSpec::Weak(s.kind(), fit)
                }
            }
            Operand::Absent | Operand::Failed(_) => OperandSpec::Absent,
        }
    }
}

impl From<Scalar> for Operand<'_> {
    fn from(scalar: Scalar) -> Self {
        Operand::Scalar(scalar)
    }
}

/// A value of a dtype, with the least dtypes that hold it.
fn valued(value: Scalar, own: Dtype, is_array: bool) -> OperandSpec {
    let first = |among: &[Dtype], holds: &dyn Fn(Dtype) -> bool| {
        among.iter().copied().find(|&d| holds(d)).unwrap_or(own)
    };
    const SIGNED: [Dtype; 4] = [Dtype::INT8, Dtype::INT16, Dtype::INT32, Dtype::INT64];
    const UNSIGNED: [Dtype; 4] = [Dtype::UINT8, Dtype::UINT16, Dtype::UINT32, Dtype::UINT64];
    // NumPy's limits: what rounds to float16's infinity is not held.
    let within = |x: f64, limit: f64| !x.is_finite() || x.abs() < limit;
    let (signed, least) = match value {
        Scalar::Bool(_) => (Dtype::BOOL, Dtype::BOOL),
        Scalar::Int(i) => {
            let holds = |d: Dtype| Scalar::Int(i).fits(d);
            let signed = first(&SIGNED, &holds);
            (signed, if i < 0 { signed } else { first(&UNSIGNED, &holds) })
        }
        Scalar::Float(x) => {
            let least = match x {
                x if within(x, 65000.0) => Dtype::FLOAT16,
                x if within(x, 3.4e38) => Dtype::FLOAT32,
                _ => Dtype::FLOAT64,
            };
            (least, least)
        }
        Scalar::Complex(z) => {
            let narrow = within(z.re, 3.4e38) && within(z.im, 3.4e38);
            let least = if narrow { Dtype::COMPLEX64 } else { Dtype::COMPLEX128 };
            (least, least)
        }
    };
    OperandSpec::Valued { own, signed, least, is_array }
}

/// Anything that can be an operand: arrays and references to them, [`Expr`], results of calls
/// (an error passes through to the call that uses it), host scalars, nested lists, which become arrays of the current
/// backend, and `Option`s of these where an operand may be left out.
///
/// ```
/// use ivy_core as ivy;
/// # fn main() {}
/// # fn example() -> ivy::Result<()> {
/// let total = ivy::functional::sum([[1, 2], [3, 4]], ())?;
/// let shifted = ivy::functional::add(&total, vec![0.5, 1.5])?;
/// # Ok(())
/// # }
/// ```
pub trait IntoOperand<'a> {
    /// The operand.
    fn into_operand(self) -> Operand<'a>;

    /// The array, if it is one: a call on arrays can then be seen to be one before any operand
    /// is made. `None` is always right.
    fn as_array(&self) -> Option<&Array> {
        None
    }

    /// The host scalar, if it is one, for the same reason. `None` is always right.
    fn as_scalar(&self) -> Option<Scalar> {
        None
    }
}

impl<'a> IntoOperand<'a> for Operand<'a> {
    fn into_operand(self) -> Operand<'a> {
        self
    }

    #[inline]
    fn as_array(&self) -> Option<&Array> {
        match self {
            Operand::Array(array) => Some(array),
            _ => None,
        }
    }

    #[inline]
    fn as_scalar(&self) -> Option<Scalar> {
        self.scalar()
    }
}

impl<'a> IntoOperand<'a> for &'a Array {
    #[inline]
    fn into_operand(self) -> Operand<'a> {
        Operand::Array(Cow::Borrowed(self))
    }

    #[inline]
    fn as_array(&self) -> Option<&Array> {
        Some(self)
    }
}

impl<'a> IntoOperand<'a> for Array {
    fn into_operand(self) -> Operand<'a> {
        Operand::Array(Cow::Owned(self))
    }

    #[inline]
    fn as_array(&self) -> Option<&Array> {
        Some(self)
    }
}

impl<'a> IntoOperand<'a> for crate::Result<Array> {
    fn into_operand(self) -> Operand<'a> {
        match self {
            Ok(array) => array.into_operand(),
            Err(error) => Operand::Failed(error),
        }
    }

    #[inline]
    fn as_array(&self) -> Option<&Array> {
        self.as_ref().ok()
    }
}

impl<'a> IntoOperand<'a> for Expr {
    fn into_operand(self) -> Operand<'a> {
        self.ok().into_operand()
    }

    #[inline]
    fn as_array(&self) -> Option<&Array> {
        self.as_result().ok()
    }
}

impl<'a> IntoOperand<'a> for &'a Expr {
    fn into_operand(self) -> Operand<'a> {
        match self.as_result() {
            Ok(array) => array.into_operand(),
            Err(error) => Operand::Failed(error.clone()),
        }
    }

    #[inline]
    fn as_array(&self) -> Option<&Array> {
        self.as_result().ok()
    }
}

impl<'a, T: IntoOperand<'a>> IntoOperand<'a> for Option<T> {
    fn into_operand(self) -> Operand<'a> {
        self.map_or(Operand::Absent, T::into_operand)
    }
}

macro_rules! scalar_operands {
    ($($t:ty,)*) => {
        $(impl<'a> IntoOperand<'a> for $t {
            fn into_operand(self) -> Operand<'a> {
                Operand::Scalar(self.into())
            }

            #[inline]
            fn as_scalar(&self) -> Option<Scalar> {
                Some((*self).into())
            }
        })*
    };
}
for_each_host_scalar!(scalar_operands);
