//! What functions take: arrays, host scalars, lists of these.

use super::{AnyArray, Expr, Mark, Typed};
use crate::Result;
use ivy_core::Scalar;

/// An argument.
#[derive(Clone, Debug)]
pub enum Arg {
    /// An array of any type.
    Array(AnyArray),
    /// An array of another library, of the host: flat or a tensor. As an operand of a nested array its axes are the levels and vectors of that one.
    Foreign(AnyArray),
    /// A host scalar.
    Scalar(Scalar),
    /// Arguments of a constructor.
    List(Vec<Arg>),
    /// An earlier error, which the call gives back.
    Failed(crate::Error),
}

impl Arg {
    /// The name of its type, for errors.
    pub(crate) fn type_name(&self) -> String {
        match self {
            Arg::Array(x) | Arg::Foreign(x) => x.ty().short_name(),
            Arg::Scalar(x) => x.kind().to_string(),
            Arg::List(_) => "list".into(),
            Arg::Failed(_) => "error".into(),
        }
    }
}

/// Anything that can be an argument: arrays and references to them, expressions, results of calls (an error passes through to the
/// call that uses it), host scalars; for constructors also arrays, vectors and tuples of arguments.
pub trait IntoArg {
    /// The argument.
    fn into_arg(self) -> Arg;

    /// The argument without taking it, by which operators read arrays without a clone; they take the rest.
    fn borrowed(&self) -> Borrowed<'_> {
        Borrowed::Other
    }
}

/// An argument that is read where it is.
#[derive(Clone, Copy, Debug)]
pub enum Borrowed<'a> {
    /// [`Arg::Array`].
    Array(&'a AnyArray),
    /// [`Arg::Scalar`].
    Scalar(Scalar),
    /// Any other, which has to be taken.
    Other,
}

impl IntoArg for Arg {
    fn into_arg(self) -> Arg {
        self
    }

    fn borrowed(&self) -> Borrowed<'_> {
        match self {
            Arg::Array(x) => Borrowed::Array(x),
            Arg::Scalar(x) => Borrowed::Scalar(*x),
            Arg::Foreign(_) | Arg::List(_) | Arg::Failed(_) => Borrowed::Other,
        }
    }
}

impl IntoArg for AnyArray {
    fn into_arg(self) -> Arg {
        Arg::Array(self)
    }

    fn borrowed(&self) -> Borrowed<'_> {
        Borrowed::Array(self)
    }
}

impl IntoArg for &AnyArray {
    fn into_arg(self) -> Arg {
        Arg::Array(self.clone())
    }

    fn borrowed(&self) -> Borrowed<'_> {
        Borrowed::Array(self)
    }
}

impl<M: Mark> IntoArg for Typed<M> {
    fn into_arg(self) -> Arg {
        Arg::Array(self.into_any())
    }

    fn borrowed(&self) -> Borrowed<'_> {
        Borrowed::Array(self.any())
    }
}

impl<M: Mark> IntoArg for &Typed<M> {
    fn into_arg(self) -> Arg {
        Arg::Array(self.any().clone())
    }

    fn borrowed(&self) -> Borrowed<'_> {
        Borrowed::Array(self.any())
    }
}

impl IntoArg for Expr {
    fn into_arg(self) -> Arg {
        self.ok().into_arg()
    }

    fn borrowed(&self) -> Borrowed<'_> {
        self.as_ref().map_or(Borrowed::Other, Borrowed::Array)
    }
}

impl IntoArg for &Expr {
    fn into_arg(self) -> Arg {
        self.clone().ok().into_arg()
    }

    fn borrowed(&self) -> Borrowed<'_> {
        self.as_ref().map_or(Borrowed::Other, Borrowed::Array)
    }
}

impl<T: IntoArg> IntoArg for Result<T> {
    fn into_arg(self) -> Arg {
        self.map_or_else(Arg::Failed, T::into_arg)
    }

    fn borrowed(&self) -> Borrowed<'_> {
        self.as_ref().map_or(Borrowed::Other, T::borrowed)
    }
}

/// A reference to a reference, as a variable that is one stands in a condition of [`syntax`](macro@crate::syntax).
impl<T: ?Sized> IntoArg for &&T
where
    for<'a> &'a T: IntoArg,
{
    fn into_arg(self) -> Arg {
        (*self).into_arg()
    }

    fn borrowed(&self) -> Borrowed<'_> {
        (**self).borrowed()
    }
}

macro_rules! scalars {
    ($($t:ty),*) => {
        $(
            impl IntoArg for $t {
                fn into_arg(self) -> Arg {
                    Arg::Scalar(self.into())
                }

                fn borrowed(&self) -> Borrowed<'_> {
                    Borrowed::Scalar((*self).into())
                }
            }

            impl IntoArg for &$t {
                fn into_arg(self) -> Arg {
                    Arg::Scalar((*self).into())
                }

                fn borrowed(&self) -> Borrowed<'_> {
                    Borrowed::Scalar((**self).into())
                }
            }
        )*
    };
}
scalars!(Scalar, bool, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, usize, f32, f64, half::f16);

impl<T: IntoArg, const N: usize> IntoArg for [T; N] {
    fn into_arg(self) -> Arg {
        Arg::List(self.into_iter().map(T::into_arg).collect())
    }
}

impl<T: IntoArg> IntoArg for Vec<T> {
    fn into_arg(self) -> Arg {
        Arg::List(self.into_iter().map(T::into_arg).collect())
    }
}

impl<T: IntoArg + Clone> IntoArg for &[T] {
    fn into_arg(self) -> Arg {
        Arg::List(self.iter().cloned().map(T::into_arg).collect())
    }
}

/// No arguments: an array of zeros, or an empty one where the size is no part of the type.
impl IntoArg for () {
    fn into_arg(self) -> Arg {
        Arg::List(Vec::new())
    }
}

macro_rules! tuples {
    ($(($($t:ident)*))*) => {
        $(impl<$($t: IntoArg),*> IntoArg for ($($t,)*) {
            #[allow(non_snake_case)]
            fn into_arg(self) -> Arg {
                let ($($t,)*) = self;
                Arg::List(vec![$($t.into_arg()),*])
            }
        })*
    };
}
tuples! { (A) (A B) (A B C) (A B C D) }
