//! Operators: on arrays they give an [`Expr`], which keeps the first error.

use super::{Array, IntoOperand};
use crate::functional as f;
use crate::{Error, Result};
use std::ops;

/// The result of operators on arrays: an array, or the first error on the way.
///
/// Operators cannot return a `Result` and still be chained, so they return this; [`Expr::ok`]
/// or `?` on it ends the chain (decision S28).
///
/// ```ignore
/// let z = ((&x - &mean) / &std).ok()?;
/// ```
#[derive(Clone, Debug)]
#[must_use = "an expression holds an array or an error; end it with `.ok()?`"]
pub struct Expr(Result<Array>);

impl Expr {
    /// The array, or the first error.
    ///
    /// # Errors
    /// The first error of the operators that made the expression.
    pub fn ok(self) -> Result<Array> {
        self.0
    }

    /// The array or the error, by reference.
    ///
    /// # Errors
    /// The first error of the operators that made the expression.
    pub fn as_result(&self) -> Result<&Array, &Error> {
        self.0.as_ref()
    }
}

impl From<Array> for Expr {
    fn from(array: Array) -> Expr {
        Expr(Ok(array))
    }
}

impl From<&Array> for Expr {
    fn from(array: &Array) -> Expr {
        Expr(Ok(array.clone()))
    }
}

impl From<Result<Array>> for Expr {
    fn from(result: Result<Array>) -> Expr {
        Expr(result)
    }
}

macro_rules! binary_operators {
    ($($trait:ident $method:ident $assign_trait:ident $assign:ident $function:ident;)*) => {
        $(
            binary_operators!(@impl $trait $method $function; Array, &Array, Expr);
            binary_operators!(@reflected $trait $method $function;
                bool, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64,
                half::f16, half::bf16, num_complex::Complex32, num_complex::Complex64);
            impl<'a, T: IntoOperand<'a>> ops::$assign_trait<T> for Expr {
                fn $assign(&mut self, other: T) {
                    self.0 = f::$function(&*self, other);
                }
            }
        )*
    };
    (@impl $trait:ident $method:ident $function:ident; $($left:ty),*) => {
        $(impl<'a, T: IntoOperand<'a>> ops::$trait<T> for $left {
            type Output = Expr;
            #[inline]
            fn $method(self, other: T) -> Expr {
                Expr(f::$function(self, other))
            }
        })*
    };
    (@reflected $trait:ident $method:ident $function:ident; $($left:ty),*) => {
        $(
            impl ops::$trait<Array> for $left {
                type Output = Expr;
                fn $method(self, other: Array) -> Expr { Expr(f::$function(self, other)) }
            }
            impl ops::$trait<&Array> for $left {
                type Output = Expr;
                fn $method(self, other: &Array) -> Expr { Expr(f::$function(self, other)) }
            }
            impl ops::$trait<Expr> for $left {
                type Output = Expr;
                fn $method(self, other: Expr) -> Expr { Expr(f::$function(self, other)) }
            }
        )*
    };
}
binary_operators! {
    Add add AddAssign add_assign add;
    Sub sub SubAssign sub_assign subtract;
    Mul mul MulAssign mul_assign multiply;
    Div div DivAssign div_assign divide;
    Rem rem RemAssign rem_assign remainder;
    BitAnd bitand BitAndAssign bitand_assign bitwise_and;
    BitOr bitor BitOrAssign bitor_assign bitwise_or;
    BitXor bitxor BitXorAssign bitxor_assign bitwise_xor;
    Shl shl ShlAssign shl_assign bitwise_left_shift;
    Shr shr ShrAssign shr_assign bitwise_right_shift;
}

macro_rules! unary_operators {
    ($($trait:ident $method:ident $function:ident;)*) => {
        $(unary_operators!(@impl $trait $method $function; Array, &Array, Expr, &Expr);)*
    };
    (@impl $trait:ident $method:ident $function:ident; $($t:ty),*) => {
        $(impl ops::$trait for $t {
            type Output = Expr;
            fn $method(self) -> Expr { Expr(f::$function(self)) }
        })*
    };
}
unary_operators! {
    Neg neg negative;
    Not not bitwise_invert;
}
