//! Operators of a frontend's arrays: they give an expression, which keeps the first error.

use crate::{Framework, Operator, Tensor, Value};
use ivy_core::{Error, Result};
use std::fmt;
use std::ops;

/// The result of operators on a frontend's arrays: an array, or the first error on the way; [`TensorExpr::ok`] ends it.
#[must_use = "an expression holds an array or an error; end it with `.ok()?`"]
pub struct TensorExpr<F>(Result<Tensor<F>>);

impl<F> TensorExpr<F> {
    /// The array, or the first error.
    ///
    /// # Errors
    /// The first error of the operators that made the expression.
    pub fn ok(self) -> Result<Tensor<F>> {
        self.0
    }
}

impl<F> From<Result<Tensor<F>>> for TensorExpr<F> {
    fn from(result: Result<Tensor<F>>) -> Self {
        TensorExpr(result)
    }
}

impl<F> fmt::Debug for TensorExpr<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What stands beside an array in an operator: arrays of the same frontend, ivy's, expressions, host numbers.
pub trait TensorOperand<'a, F> {
    /// The value, or the earlier error.
    ///
    /// # Errors
    /// The error of an expression.
    fn operand(self) -> Result<Value<'a>>;
}

macro_rules! plain_operands {
    ($([$($generics:tt)*] $t:ty;)*) => {
        $(impl<'a, F: 'a, $($generics)*> TensorOperand<'a, F> for $t {
            #[inline]
            fn operand(self) -> Result<Value<'a>> {
                Ok(self.into())
            }
        })*
    };
}
plain_operands! {
    [] &'a Tensor<F>;
    [] Tensor<F>;
    [] &'a ivy_core::Array;
    [] ivy_core::Array;
    [] bool;
    [] i32;
    [] i64;
    [] f32;
    [] f64;
    [] num_complex::Complex64;
}

impl<'a, F: 'a> TensorOperand<'a, F> for TensorExpr<F> {
    fn operand(self) -> Result<Value<'a>> {
        self.0.map(Value::from)
    }
}

fn binary<'a, F: Framework>(operator: Operator, a: Result<Value<'a>>, b: Result<Value<'a>>) -> TensorExpr<F> {
    let both = |(a, b): (Value<'a>, Value<'a>)| F::frontend().operate_typed(operator, [a, b]);
    Tensor::of(a.and_then(|a| Ok((a, b?))).and_then(both))
}

macro_rules! binary_operators {
    ($($trait:ident $method:ident $operator:ident;)*) => {
        $(
            binary_operators!(@left $trait $method $operator; [&'a Tensor<F>] [Tensor<F>] [TensorExpr<F>]);
            binary_operators!(@reflected $trait $method $operator; bool, i32, i64, f32, f64, num_complex::Complex64);
        )*
    };
    (@left $trait:ident $method:ident $operator:ident; $([$left:ty])*) => {
        $(impl<'a, F: Framework, T: TensorOperand<'a, F>> ops::$trait<T> for $left {
            type Output = TensorExpr<F>;

            fn $method(self, other: T) -> TensorExpr<F> {
                binary(Operator::$operator, TensorOperand::<'a, F>::operand(self), other.operand())
            }
        })*
    };
    (@reflected $trait:ident $method:ident $operator:ident; $($left:ty),*) => {
        $(
            impl<'a, F: Framework> ops::$trait<&'a Tensor<F>> for $left {
                type Output = TensorExpr<F>;

                fn $method(self, other: &'a Tensor<F>) -> TensorExpr<F> {
                    binary(Operator::$operator, Ok(self.into()), Ok(other.into()))
                }
            }

            impl<F: Framework> ops::$trait<TensorExpr<F>> for $left {
                type Output = TensorExpr<F>;

                fn $method(self, other: TensorExpr<F>) -> TensorExpr<F> {
                    binary(Operator::$operator, Ok(self.into()), other.0.map(Value::from))
                }
            }
        )*
    };
}
binary_operators! {
    Add add Add;
    Sub sub Subtract;
    Mul mul Multiply;
    Div div Divide;
    Rem rem Remainder;
    BitAnd bitand And;
    BitOr bitor Or;
    BitXor bitxor Xor;
    Shl shl LeftShift;
    Shr shr RightShift;
}

macro_rules! unary_operators {
    ($($trait:ident $method:ident $operator:ident;)*) => {
        $(
            unary_operators!(@impl $trait $method $operator; [&Tensor<F>] [Tensor<F>]);

            impl<F: Framework> ops::$trait for TensorExpr<F> {
                type Output = TensorExpr<F>;

                fn $method(self) -> TensorExpr<F> {
                    let one = |x: Tensor<F>| F::frontend().operate_typed(Operator::$operator, [x.into()]);
                    Tensor::of(self.0.and_then(one))
                }
            }
        )*
    };
    (@impl $trait:ident $method:ident $operator:ident; $([$t:ty])*) => {
        $(impl<F: Framework> ops::$trait for $t {
            type Output = TensorExpr<F>;

            fn $method(self) -> TensorExpr<F> {
                Tensor::of(F::frontend().operate_typed(Operator::$operator, [self.into()]))
            }
        })*
    };
}
unary_operators! {
    Neg neg Negate;
    Not not Invert;
}

impl<F> TensorExpr<F> {
    /// The array or the error, by reference.
    ///
    /// # Errors
    /// The first error of the operators that made the expression.
    pub fn as_result(&self) -> Result<&Tensor<F>, &Error> {
        self.0.as_ref()
    }
}
