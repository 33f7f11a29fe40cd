//! The element-wise operations, under the Array API's names.

use crate::{Dtype, DtypeSet};

macro_rules! named_ops {
    ($(#[$meta:meta])* $enum:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $enum { $($(#[$doc])* $variant,)* }

        impl $enum {
            /// Every operation.
            pub const ALL: &'static [$enum] = &[$($enum::$variant,)*];

            /// The name, as the Array API gives it.
            pub const fn name(self) -> &'static str {
                match self { $($enum::$variant => $name,)* }
            }
        }
    };
}

named_ops! {
    /// An operation on each element. Float functions take float and complex operands only:
    /// the plan casts integers before.
    UnaryOp {
        /// Absolute value; the magnitude (a real) of complex. `abs` of the least integer wraps.
        Abs = "abs",
        /// Inverse cosine.
        Acos = "acos",
        /// Inverse hyperbolic cosine.
        Acosh = "acosh",
        /// Inverse sine.
        Asin = "asin",
        /// Inverse hyperbolic sine.
        Asinh = "asinh",
        /// Inverse tangent.
        Atan = "atan",
        /// Inverse hyperbolic tangent.
        Atanh = "atanh",
        /// Each bit inverted; logical not of bool.
        BitwiseInvert = "bitwise_invert",
        /// Round up; integers stay.
        Ceil = "ceil",
        /// Complex conjugate; reals stay.
        Conj = "conj",
        /// Cosine.
        Cos = "cos",
        /// Hyperbolic cosine.
        Cosh = "cosh",
        /// Derivative of the logarithm of the gamma function; floats.
        Digamma = "digamma",
        /// Error function; floats.
        Erf = "erf",
        /// One minus the error function; floats.
        Erfc = "erfc",
        /// Exponential.
        Exp = "exp",
        /// Exponential minus one.
        Expm1 = "expm1",
        /// Round down; integers stay.
        Floor = "floor",
        /// Imaginary part, a real.
        Imag = "imag",
        /// Neither infinite nor NaN (each part of complex); result bool.
        IsFinite = "isfinite",
        /// Infinite (either part of complex); result bool.
        IsInf = "isinf",
        /// NaN (either part of complex); result bool.
        IsNan = "isnan",
        /// Logarithm of the magnitude of the gamma function; floats.
        Lgamma = "lgamma",
        /// Natural logarithm.
        Log = "log",
        /// Logarithm of one plus x.
        Log1p = "log1p",
        /// Binary logarithm.
        Log2 = "log2",
        /// Decimal logarithm.
        Log10 = "log10",
        /// Logical not of bool.
        LogicalNot = "logical_not",
        /// Negation; integers wrap.
        Negative = "negative",
        /// Real part; reals stay.
        Real = "real",
        /// One divided by x.
        Reciprocal = "reciprocal",
        /// Round half to even (each part of complex); integers stay.
        Round = "round",
        /// Sign: -1, 0, 1 or NaN; x / |x| of complex, 0 at 0.
        Sign = "sign",
        /// True if the sign bit is set, of zeros and NaN as well; result bool.
        Signbit = "signbit",
        /// Sine.
        Sin = "sin",
        /// Hyperbolic sine.
        Sinh = "sinh",
        /// x times x.
        Square = "square",
        /// Square root.
        Sqrt = "sqrt",
        /// Tangent.
        Tan = "tan",
        /// Hyperbolic tangent.
        Tanh = "tanh",
        /// Round towards zero; integers stay.
        Trunc = "trunc",
    }
}

named_ops! {
    /// An operation on pairs of elements of one dtype.
    BinaryOp {
        /// Sum; integers wrap, bool is `or`.
        Add = "add",
        /// Angle of the point (x2, x1); floats.
        Atan2 = "atan2",
        /// Bits in both; logical and of bool.
        BitwiseAnd = "bitwise_and",
        /// Shift left; amounts outside the width give 0 (decision S23).
        BitwiseLeftShift = "bitwise_left_shift",
        /// Bits in either.
        BitwiseOr = "bitwise_or",
        /// Arithmetic shift right of signed, logical of unsigned (decision S23).
        BitwiseRightShift = "bitwise_right_shift",
        /// Bits in one only.
        BitwiseXor = "bitwise_xor",
        /// Magnitude of x1, sign of x2; floats.
        Copysign = "copysign",
        /// Quotient of floats or complex numbers.
        Divide = "divide",
        /// Equality; result bool. NaN equals nothing.
        Equal = "equal",
        /// Quotient rounded down; integers by zero give 0, MIN / -1 wraps (decision S19).
        FloorDivide = "floor_divide",
        /// Greatest common divisor; integers. The least integer's magnitude wraps.
        Gcd = "gcd",
        /// Greater; result bool.
        Greater = "greater",
        /// Greater or equal; result bool.
        GreaterEqual = "greater_equal",
        /// Square root of the sum of squares, without overflow between; floats.
        Hypot = "hypot",
        /// Least common multiple; integers wrap.
        Lcm = "lcm",
        /// Less; result bool.
        Less = "less",
        /// Less or equal; result bool.
        LessEqual = "less_equal",
        /// log(exp(x1) + exp(x2)); floats.
        Logaddexp = "logaddexp",
        /// Both; bool.
        LogicalAnd = "logical_and",
        /// Either; bool.
        LogicalOr = "logical_or",
        /// One only; bool.
        LogicalXor = "logical_xor",
        /// The greater; NaN propagates.
        Maximum = "maximum",
        /// The lesser; NaN propagates.
        Minimum = "minimum",
        /// Product; integers wrap, bool is `and`.
        Multiply = "multiply",
        /// The next float from x1 towards x2.
        Nextafter = "nextafter",
        /// Inequality; result bool. NaN differs from everything.
        NotEqual = "not_equal",
        /// Power; integers wrap, negative exponents by decision S34.
        Pow = "pow",
        /// Remainder with the sign of x2; integers by zero give 0 (decision S19).
        Remainder = "remainder",
        /// Difference; integers wrap.
        Subtract = "subtract",
    }
}

impl UnaryOp {
    /// The result's dtype for an operand of `dtype`; `None` if the op does not take it.
    pub fn result(self, dtype: Dtype) -> Option<Dtype> {
        use UnaryOp::*;
        let (takes, result) = match self {
            Abs => (DtypeSet::NUMERIC, dtype.real_part()),
            Acos | Acosh | Asin | Asinh | Atan | Atanh | Cos | Cosh | Exp | Expm1 | Log | Log1p | Log2
            | Log10 | Reciprocal | Sin | Sinh | Sqrt | Tan | Tanh => {
                (DtypeSet::FLOAT | DtypeSet::COMPLEX, dtype)
            }
            BitwiseInvert => (DtypeSet::INTEGER | DtypeSet::BOOL, dtype),
            Ceil | Floor | Trunc => (DtypeSet::INTEGER | DtypeSet::FLOAT, dtype),
            Conj | Negative | Round | Sign | Square => (DtypeSet::NUMERIC, dtype),
            Real => (DtypeSet::NUMERIC, dtype.real_part()),
            Imag => (DtypeSet::COMPLEX, dtype.real_part()),
            IsFinite | IsInf | IsNan => (DtypeSet::NUMERIC, Dtype::BOOL),
            Digamma | Erf | Erfc | Lgamma => (DtypeSet::FLOAT, dtype),
            Signbit => (DtypeSet::FLOAT, Dtype::BOOL),
            LogicalNot => (DtypeSet::BOOL, dtype),
        };
        takes.contains(dtype).then_some(result)
    }
}

impl BinaryOp {
    /// The result's dtype for operands of `dtype`; `None` if the op does not take it.
    pub fn result(self, dtype: Dtype) -> Option<Dtype> {
        use BinaryOp::*;
        let real = DtypeSet::INTEGER | DtypeSet::FLOAT;
        let (takes, result) = match self {
            Add | Multiply => (DtypeSet::ALL, dtype),
            Subtract | Pow => (DtypeSet::NUMERIC, dtype),
            Divide => (DtypeSet::FLOAT | DtypeSet::COMPLEX, dtype),
            Atan2 | Copysign | Hypot | Logaddexp | Nextafter => (DtypeSet::FLOAT, dtype),
            BitwiseAnd | BitwiseOr | BitwiseXor => (DtypeSet::INTEGER | DtypeSet::BOOL, dtype),
            BitwiseLeftShift | BitwiseRightShift | Gcd | Lcm => (DtypeSet::INTEGER, dtype),
            Equal | NotEqual => (DtypeSet::ALL, Dtype::BOOL),
            Greater | GreaterEqual | Less | LessEqual => (real | DtypeSet::BOOL, Dtype::BOOL),
            FloorDivide | Remainder => (real, dtype),
            Maximum | Minimum => (real, dtype),
            LogicalAnd | LogicalOr | LogicalXor => (DtypeSet::BOOL, dtype),
        };
        takes.contains(dtype).then_some(result)
    }

    /// True if the result is a truth value about two values.
    pub const fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Equal | NotEqual | Greater | GreaterEqual | Less | LessEqual)
    }
}
