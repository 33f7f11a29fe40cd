//! Values that a kernel computes for each element, with the operations and dtypes of arrays.

use super::builder::{Body, SharedBody};
use super::{KernelError, SourceLocation};
use crate::ir::Id;
use crate::kind::Kind;
use crate::lower::{Parts, lower};
use ivy_core::{BinaryOp, Dtype, Scalar, UnaryOp};
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Shl, Shr, Sub};
use std::panic::Location;
use std::rc::Rc;

/// A value of each element.
///
/// Operators and methods follow the functions of arrays that have their names, on operands of one dtype. A Rust number
/// takes the dtype of the value beside it. What is wrong is told by
/// [`KernelBuilder::build`](super::KernelBuilder::build), with its place in the source.
#[derive(Clone)]
pub struct KernelValue {
    pub(super) body: SharedBody,
    pub(super) dtype: Dtype,
    pub(super) id: Id,
    /// The block that it is known in.
    pub(super) scope: u32,
}

/// What a value can be computed with: a value, or a number of the same dtype.
pub trait KernelOperand {
    /// As a value of this dtype's, in a kernel.
    #[doc(hidden)]
    fn value(&self, body: &SharedBody, dtype: Dtype, location: SourceLocation) -> KernelValue;
}

impl KernelOperand for KernelValue {
    fn value(&self, _: &SharedBody, _: Dtype, _: SourceLocation) -> KernelValue {
        self.clone()
    }
}

impl<T: KernelOperand + ?Sized> KernelOperand for &T {
    fn value(&self, body: &SharedBody, dtype: Dtype, location: SourceLocation) -> KernelValue {
        (**self).value(body, dtype, location)
    }
}

/// The Rust numbers that are operands and arguments of kernels, for a macro that takes their types.
macro_rules! for_numbers {
    ($macro:ident) => {
        $macro! { bool i8 i16 i32 i64 u8 u16 u32 u64 usize f32 f64 ivy_core::Scalar }
    };
}
pub(super) use for_numbers;

macro_rules! operands {
    ($($t:ty)*) => {$(
        impl KernelOperand for $t {
            fn value(&self, body: &SharedBody, dtype: Dtype, location: SourceLocation) -> KernelValue {
                Body::literal(body, Scalar::from(*self), dtype, location)
            }
        }
    )*};
}
for_numbers!(operands);

/// One id as the parts of an element.
fn parts(id: Id) -> Parts {
    Parts::from_slice(&[id])
}

impl KernelValue {
    /// Its dtype.
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// A value of the same kernel that an operation gives; any, where it has none, which is noted.
    fn made(
        &self,
        name: &'static str,
        kind: Kind,
        to: Option<Dtype>,
        operands: &[&KernelValue],
        location: SourceLocation,
    ) -> KernelValue {
        // Each of the kernels that are mixed up tells of it.
        for other in operands.iter().filter(|x| !x.is_of(&self.body)) {
            other.body.borrow_mut().sees(&other.body, self, location);
        }
        let mut body = self.body.borrow_mut();
        operands.iter().for_each(|x| body.sees(&self.body, x, location));
        let all: Vec<Parts> = operands.iter().map(|x| parts(x.id)).collect();
        let given: Vec<(Dtype, &Parts)> = operands.iter().map(|x| x.dtype).zip(&all).collect();
        let sound = body.error.is_none();
        let id = to.filter(|_| sound).and_then(|to| lower(&mut body.builder, kind, to, &given));
        if id.is_none() {
            body.note(|| KernelError::Domain { operation: name, dtype: self.dtype, location });
        }
        let dtype = to.unwrap_or(self.dtype);
        let id = id.and_then(|parts| parts.first().copied()).unwrap_or_else(|| body.any(dtype));
        let scope = body.scope();
        drop(body);
        KernelValue { body: self.body.clone(), dtype, id, scope }
    }

    /// An operation of arrays on a value.
    #[track_caller]
    pub fn unary(&self, op: UnaryOp) -> KernelValue {
        let location = Location::caller();
        self.made(op.name(), Kind::Unary(op), op.result(self.dtype), &[self], location)
    }

    /// An operation of arrays on two values of one dtype.
    #[track_caller]
    pub fn binary(&self, op: BinaryOp, other: impl KernelOperand) -> KernelValue {
        let location = Location::caller();
        let other = other.value(&self.body, self.dtype, location);
        self.pair(op.name(), &other, location);
        self.made(op.name(), Kind::Binary(op), op.result(self.dtype), &[self, &other], location)
    }

    /// Notes where two values are of two dtypes.
    pub(super) fn pair(&self, operation: &'static str, other: &KernelValue, location: SourceLocation) {
        let [left, right] = [self.dtype, other.dtype];
        if left != right {
            let error = || KernelError::Operands { operation, left, right, location };
            self.body.borrow_mut().note(error);
        }
    }

    /// The value converted to a dtype, as `astype` does.
    #[track_caller]
    pub fn cast(&self, dtype: Dtype) -> KernelValue {
        let location = Location::caller();
        if dtype == self.dtype {
            return self.clone();
        }
        let to = (!dtype.is_complex()).then_some(dtype);
        let name = "cast to a complex or unknown dtype";
        self.made(name, Kind::Cast, to, &[self], location)
    }

    /// `x` where this truth value is true, else `y`, which have one dtype.
    #[track_caller]
    pub fn select(&self, x: &KernelValue, y: impl KernelOperand) -> KernelValue {
        let location = Location::caller();
        let y = y.value(&self.body, x.dtype, location);
        x.pair("select", &y, location);
        let to = (self.dtype == Dtype::BOOL).then_some(x.dtype);
        self.made("select", Kind::Where, to, &[self, x, &y], location)
    }

    /// True if both are values of one kernel.
    pub(super) fn is_of(&self, body: &SharedBody) -> bool {
        Rc::ptr_eq(&self.body, body)
    }
}

macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident $op:ident;)*) => {
        impl KernelValue {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self) -> KernelValue {
                self.unary(UnaryOp::$op)
            }
        )*}
    };
}

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident $op:ident;)*) => {
        impl KernelValue {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self, other: impl KernelOperand) -> KernelValue {
                self.binary(BinaryOp::$op, other)
            }
        )*}
    };
}

unary! {
    /// Absolute value.
    abs Abs;
    /// Rounded up.
    ceil Ceil;
    /// Cosine of a float.
    cos Cos;
    /// Exponential of a float.
    exp Exp;
    /// Rounded down.
    floor Floor;
    /// Natural logarithm of a float.
    log Log;
    /// Rounded to the nearest integer, of two the even one.
    round Round;
    /// Sine of a float.
    sin Sin;
    /// Square root of a float.
    sqrt Sqrt;
    /// Hyperbolic tangent of a float.
    tanh Tanh;
    /// Rounded towards zero.
    trunc Trunc;
}

binary! {
    /// `self == other`, a truth value.
    equal Equal;
    /// Quotient rounded down; of integers by zero, 0.
    floor_divide FloorDivide;
    /// `self > other`.
    greater Greater;
    /// `self >= other`.
    greater_equal GreaterEqual;
    /// `self < other`.
    less Less;
    /// `self <= other`.
    less_equal LessEqual;
    /// The greater of two; NaN if one is.
    maximum Maximum;
    /// The lesser of two; NaN if one is.
    minimum Minimum;
    /// `self != other`.
    not_equal NotEqual;
    /// `self` to the power of `other`.
    pow Pow;
}

macro_rules! operators {
    ($($trait:ident $method:ident $op:ident;)*) => {$(
        impl<T: KernelOperand> $trait<T> for &KernelValue {
            type Output = KernelValue;
            #[track_caller]
            fn $method(self, other: T) -> KernelValue {
                self.binary(BinaryOp::$op, other)
            }
        }

        impl<T: KernelOperand> $trait<T> for KernelValue {
            type Output = KernelValue;
            #[track_caller]
            fn $method(self, other: T) -> KernelValue {
                self.binary(BinaryOp::$op, other)
            }
        }
    )*};
}

operators! {
    Add add Add;
    Sub sub Subtract;
    Mul mul Multiply;
    Div div Divide;
    Rem rem Remainder;
    BitAnd bitand BitwiseAnd;
    BitOr bitor BitwiseOr;
    BitXor bitxor BitwiseXor;
    Shl shl BitwiseLeftShift;
    Shr shr BitwiseRightShift;
}

macro_rules! signs {
    ($($trait:ident $method:ident $op:ident;)*) => {$(
        impl $trait for &KernelValue {
            type Output = KernelValue;
            #[track_caller]
            fn $method(self) -> KernelValue {
                self.unary(UnaryOp::$op)
            }
        }

        impl $trait for KernelValue {
            type Output = KernelValue;
            #[track_caller]
            fn $method(self) -> KernelValue {
                self.unary(UnaryOp::$op)
            }
        }
    )*};
}

signs! {
    Neg neg Negative;
    Not not BitwiseInvert;
}
