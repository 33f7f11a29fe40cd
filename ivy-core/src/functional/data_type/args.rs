//! What questions about dtypes take: dtypes, arrays, host scalars, and nested lists of these.

use crate::dtype::{ComplexDtype, FloatDtype, IntDtype, UintDtype};
use crate::plan::OperandSpec;
use crate::scalar::for_each_host_scalar;
use crate::{Array, Dtype, DtypeLike, Operand, Result, Scalar, ScalarKind, context};
use std::borrow::Cow;

/// One leaf of a [`DtypeArgs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DtypeArg {
    /// A dtype.
    Dtype(Dtype),
    /// An array, as the rules in force see it: whether it has axes counts in some, and what it holds if it has none.
    Array(OperandSpec),
    /// A host scalar.
    Scalar(Scalar),
}

impl From<&Array> for DtypeArg {
    fn from(array: &Array) -> DtypeArg {
        DtypeArg::Array(Operand::Array(Cow::Borrowed(array)).spec(&context::current().settings.defaults))
    }
}

impl DtypeArg {
    /// The dtype, or that of the array.
    pub(super) fn dtype(self) -> Option<Dtype> {
        match self {
            DtypeArg::Dtype(dtype) => Some(dtype),
            DtypeArg::Array(spec) => spec.dtype(),
            DtypeArg::Scalar(_) => None,
        }
    }

    /// True if the dtype passes the first test, or the scalar's kind the second.
    pub(super) fn is(self, dtype: impl Fn(Dtype) -> bool, kind: impl Fn(ScalarKind) -> bool) -> bool {
        match self {
            DtypeArg::Scalar(s) => kind(s.kind()),
            other => other.dtype().is_some_and(dtype),
        }
    }
}

/// Dtypes and their names, arrays, host scalars, and tuples and lists of these, nested as one
/// likes. `None` is nothing.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::zeros([2], Dtype::INT8)?;
/// assert_eq!(ivy::result_type((&x, "float16", [1.5, 2.0]))?, Dtype::FLOAT16);
/// # Ok::<(), ivy::Error>(())
/// ```
pub trait DtypeArgs {
    /// Appends the leaves.
    ///
    /// # Errors
    /// [`UnknownDtype`](crate::ErrorKind::UnknownDtype) for a name that no dtype has.
    fn leaves(&self, leaves: &mut Vec<DtypeArg>) -> Result<()>;
}

/// The leaves of an argument.
pub(super) fn leaves(args: &(impl DtypeArgs + ?Sized)) -> Result<Vec<DtypeArg>> {
    let mut found = Vec::new();
    args.leaves(&mut found)?;
    Ok(found)
}

impl DtypeArgs for DtypeArg {
    fn leaves(&self, leaves: &mut Vec<DtypeArg>) -> Result<()> {
        leaves.push(*self);
        Ok(())
    }
}

macro_rules! dtype_leaves {
    ($($t:ty),*) => {
        $(impl DtypeArgs for $t {
            fn leaves(&self, leaves: &mut Vec<DtypeArg>) -> Result<()> {
                leaves.push(DtypeArg::Dtype(self.to_dtype()?));
                Ok(())
            }
        })*
    };
}
dtype_leaves!(
    Dtype,
    str,
    String,
    ScalarKind,
    IntDtype,
    UintDtype,
    FloatDtype,
    ComplexDtype,
    super::NativeDtype
);

impl DtypeArgs for Array {
    fn leaves(&self, leaves: &mut Vec<DtypeArg>) -> Result<()> {
        leaves.push(self.into());
        Ok(())
    }
}

macro_rules! scalar_leaves {
    ($($t:ty,)*) => {
        $(impl DtypeArgs for $t {
            fn leaves(&self, leaves: &mut Vec<DtypeArg>) -> Result<()> {
                leaves.push(DtypeArg::Scalar(Scalar::from(*self)));
                Ok(())
            }
        })*
    };
}
for_each_host_scalar!(scalar_leaves);

impl<T: DtypeArgs + ?Sized> DtypeArgs for &T {
    fn leaves(&self, leaves: &mut Vec<DtypeArg>) -> Result<()> {
        (**self).leaves(leaves)
    }
}

impl<T: DtypeArgs> DtypeArgs for Option<T> {
    fn leaves(&self, leaves: &mut Vec<DtypeArg>) -> Result<()> {
        self.as_ref().map_or(Ok(()), |x| x.leaves(leaves))
    }
}

impl<T: DtypeArgs> DtypeArgs for [T] {
    fn leaves(&self, leaves: &mut Vec<DtypeArg>) -> Result<()> {
        self.iter().try_for_each(|x| x.leaves(leaves))
    }
}

impl<T: DtypeArgs, const N: usize> DtypeArgs for [T; N] {
    fn leaves(&self, leaves: &mut Vec<DtypeArg>) -> Result<()> {
        self[..].leaves(leaves)
    }
}

impl<T: DtypeArgs> DtypeArgs for Vec<T> {
    fn leaves(&self, leaves: &mut Vec<DtypeArg>) -> Result<()> {
        self[..].leaves(leaves)
    }
}

macro_rules! tuples {
    ($(($($t:ident $i:tt),+))*) => {
        $(
            impl<$($t: DtypeArgs),+> DtypeArgs for ($($t,)+) {
                fn leaves(&self, leaves: &mut Vec<DtypeArg>) -> Result<()> {
                    $(self.$i.leaves(leaves)?;)+
                    Ok(())
                }
            }

            impl<$($t: super::DtypeKinds),+> super::DtypeKinds for ($($t,)+) {
                fn set(&self) -> Result<crate::DtypeSet> {
                    let mut set = crate::DtypeSet::EMPTY;
                    $(set = set | self.$i.set()?;)+
                    Ok(set)
                }
            }
        )*
    };
}
tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
}
