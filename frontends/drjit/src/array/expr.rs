//! Operators: they give an [`Expr`], which keeps the first error.

use super::{AnyArray, IntoArg, Mark, Typed};
use crate::Result;
use crate::ops;
use std::ops as traits;

/// The result of operators on arrays: an array, or the first error on the way.
///
/// ```
/// use ivy_drjit::llvm::{Array3f, Float};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// let (v, t) = (Array3f::new([1, 2, 3])?, Float::new([0.5, 2.0])?);
/// let w: Array3f = (&v * &t + 1).get()?;
/// assert_eq!(w.to_string(), "[[1.5, 2, 2.5],\n [3, 5, 7]]");
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "an expression holds an array or an error; end it with `.ok()?`"]
pub struct Expr(Result<AnyArray>);

impl Expr {
    /// The array, or the first error.
    ///
    /// # Errors
    /// The first error of the operators that made the expression.
    pub fn ok(self) -> Result<AnyArray> {
        self.0
    }

    pub(super) fn as_ref(&self) -> Result<&AnyArray, &crate::Error> {
        self.0.as_ref()
    }

    /// The array of a type that the compiler knows, or the first error.
    ///
    /// # Errors
    /// As [`ok`](Self::ok); [`WrongType`](crate::Error::WrongType) for another type.
    pub fn get<M: Mark>(self) -> Result<Typed<M>> {
        self.0?.try_into()
    }
}

impl From<Result<AnyArray>> for Expr {
    fn from(result: Result<AnyArray>) -> Expr {
        Expr(result)
    }
}

impl From<AnyArray> for Expr {
    fn from(array: AnyArray) -> Expr {
        Expr(Ok(array))
    }
}

macro_rules! binary_operators {
    ($($trait:ident $method:ident $function:ident;)*) => {
        $(
            binary_operators!(@impl $trait $method $function; [] AnyArray);
            binary_operators!(@impl $trait $method $function; [] &AnyArray);
            binary_operators!(@impl $trait $method $function; [] Expr);
            binary_operators!(@impl $trait $method $function; [] &Expr);
            binary_operators!(@impl $trait $method $function; [M: Mark,] Typed<M>);
            binary_operators!(@impl $trait $method $function; [M: Mark,] &Typed<M>);
            binary_operators!(@reflected $trait $method $function; bool, i32, f64);
        )*
    };
    (@impl $trait:ident $method:ident $function:ident; [$($generic:tt)*] $left:ty) => {
        impl<$($generic)* R: IntoArg> traits::$trait<R> for $left {
            type Output = Expr;
            fn $method(self, other: R) -> Expr {
                Expr(ops::$function(self, other))
            }
        }
    };
    (@reflected $trait:ident $method:ident $function:ident; $($left:ty),*) => {
        $(
            binary_operators!(@scalar $trait $method $function; $left; [] AnyArray);
            binary_operators!(@scalar $trait $method $function; $left; [] &AnyArray);
            binary_operators!(@scalar $trait $method $function; $left; [] Expr);
            binary_operators!(@scalar $trait $method $function; $left; [] &Expr);
            binary_operators!(@scalar $trait $method $function; $left; [M: Mark,] Typed<M>);
            binary_operators!(@scalar $trait $method $function; $left; [M: Mark,] &Typed<M>);
        )*
    };
    (@scalar $trait:ident $method:ident $function:ident; $left:ty; [$($generic:tt)*] $right:ty) => {
        impl<$($generic)*> traits::$trait<$right> for $left {
            type Output = Expr;
            fn $method(self, other: $right) -> Expr {
                Expr(ops::$function(self, other))
            }
        }
    };
}
binary_operators! {
    Add add add;
    Sub sub subtract;
    Mul mul multiply;
    Div div divide;
    Rem rem remainder;
    BitAnd bitand bitwise_and;
    BitOr bitor bitwise_or;
    BitXor bitxor bitwise_xor;
    Shl shl left_shift;
    Shr shr right_shift;
}

macro_rules! unary_operators {
    ($($trait:ident $method:ident $function:ident;)*) => {
        $(
            unary_operators!(@impl $trait $method $function; [] AnyArray);
            unary_operators!(@impl $trait $method $function; [] &AnyArray);
            unary_operators!(@impl $trait $method $function; [] Expr);
            unary_operators!(@impl $trait $method $function; [] &Expr);
            unary_operators!(@impl $trait $method $function; [M: Mark,] Typed<M>);
            unary_operators!(@impl $trait $method $function; [M: Mark,] &Typed<M>);
        )*
    };
    (@impl $trait:ident $method:ident $function:ident; [$($generic:tt)*] $t:ty) => {
        impl<$($generic)*> traits::$trait for $t {
            type Output = Expr;
            fn $method(self) -> Expr {
                Expr(crate::$function(self))
            }
        }
    };
}
unary_operators! {
    Neg neg negative;
    Not not invert;
}
