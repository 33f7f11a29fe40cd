//! The operations of kernels, and the categories of the rules that they belong to.

use ivy_core::promotion::Category;
use std::fmt;

macro_rules! operations {
    ($(#[$docs:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident $word:literal $symbol:literal $category:ident,)* }) => {
        $(#[$docs])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            /// Every operation.
            pub const ALL: [$name; [$($name::$variant),*].len()] = [$($name::$variant),*];

            /// The name in the IR.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }

            /// As it is written in messages.
            pub const fn symbol(self) -> &'static str {
                match self { $($name::$variant => $symbol,)* }
            }

            /// The category of the rules.
            pub const fn category(self) -> Category {
                match self { $($name::$variant => Category::$category,)* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

operations! {
    /// Operations of one operand; casts are [`crate::type_of_cast`] and [`crate::type_of_bit_cast`].
    UnaryOp {
        /// The negative.
        Neg "neg" "-" Negative,
        /// The square root.
        Sqrt "sqrt" "sqrt" Float,
        /// To the nearest integer, halves to the even one.
        Round "round" "round" Round,
        /// To the integer below.
        Floor "floor" "floor" Floor,
        /// To the integer above.
        Ceil "ceil" "ceil" Floor,
        /// Fraction and exponent.
        Frexp "frexp" "frexp" Trigonometric,
        /// The absolute value.
        Abs "abs" "abs" Arithmetic,
        /// The sign.
        Sgn "sgn" "sgn" Arithmetic,
        /// The sine.
        Sin "sin" "sin" Trigonometric,
        /// The arc sine.
        Asin "asin" "asin" Trigonometric,
        /// The cosine.
        Cos "cos" "cos" Trigonometric,
        /// The arc cosine.
        Acos "acos" "acos" Trigonometric,
        /// The tangent.
        Tan "tan" "tan" Trigonometric,
        /// The hyperbolic tangent.
        Tanh "tanh" "tanh" Trigonometric,
        /// The reciprocal.
        Inv "inv" "inv" Reciprocal,
        /// The reciprocal, as fast as the target has it.
        Rcp "rcp" "rcp" Reciprocal,
        /// The exponential function.
        Exp "exp" "exp" Float,
        /// The natural logarithm.
        Log "log" "log" Float,
        /// The number of bits that are set.
        Popcnt "popcnt" "popcnt" Bitwise,
        /// The number of leading bits that are not set.
        Clz "clz" "clz" Bitwise,
        /// The reciprocal of the square root.
        Rsqrt "rsqrt" "rsqrt" Float,
        /// All bits inverted.
        BitNot "bit_not" "~" Bitwise,
        /// The logical negation.
        LogicNot "logic_not" "not" LogicalNot,
    }
}

operations! {
    /// Operations of two operands.
    BinaryOp {
        /// The product.
        Mul "mul" "*" Arithmetic,
        /// The sum.
        Add "add" "+" Arithmetic,
        /// The difference.
        Sub "sub" "-" Subtract,
        /// The quotient.
        TrueDiv "truediv" "/" Divide,
        /// The quotient to the integer below.
        FloorDiv "floordiv" "//" FloorDivide,
        /// The quotient in the type of the operands, of integers without its fraction.
        Div "div" "div" FloorDivide,
        /// The remainder, with the sign of the divisor.
        Mod "mod" "%" FloorDivide,
        /// The remainder, with the sign of the dividend.
        RawMod "raw_mod" "raw_mod" FloorDivide,
        /// The greater.
        Max "max" "max" Extremum,
        /// The less.
        Min "min" "min" Extremum,
        /// Both bits.
        BitAnd "bit_and" "&" Bitwise,
        /// Either bit.
        BitOr "bit_or" "|" Bitwise,
        /// One of both bits.
        BitXor "bit_xor" "^" Bitwise,
        /// To the left.
        BitShl "bit_shl" "<<" Shift,
        /// To the right, with zeros.
        BitShr "bit_shr" "shr" Shift,
        /// To the right, with the sign.
        BitSar "bit_sar" ">>" Shift,
        /// Less.
        CmpLt "cmp_lt" "<" Order,
        /// Less or equal.
        CmpLe "cmp_le" "<=" Order,
        /// Greater.
        CmpGt "cmp_gt" ">" Order,
        /// Greater or equal.
        CmpGe "cmp_ge" ">=" Order,
        /// Equal.
        CmpEq "cmp_eq" "==" Equal,
        /// Not equal.
        CmpNe "cmp_ne" "!=" Equal,
        /// The angle of two coordinates.
        Atan2 "atan2" "atan2" FloatOfTwo,
        /// The power.
        Pow "pow" "**" Power,
        /// Either is true.
        LogicalOr "logical_or" "or" Logical,
        /// Both are true.
        LogicalAnd "logical_and" "and" Logical,
    }
}

operations! {
    /// Operations of three operands: a condition and two values.
    TernaryOp {
        /// One of two values, element by element; both are computed.
        Select "select" "select" Select,
        /// One of two values by a single condition; one is computed.
        IfExpression "ifte" "if-else" Select,
    }
}

operations! {
    /// Operations that change a value in memory as one, and give what was there before.
    AtomicOp {
        /// Adds.
        Add "atomic_add" "atomic_add" Arithmetic,
        /// Subtracts.
        Sub "atomic_sub" "atomic_sub" Arithmetic,
        /// Multiplies.
        Mul "atomic_mul" "atomic_mul" Arithmetic,
        /// The less stays.
        Min "atomic_min" "atomic_min" Extremum,
        /// The greater stays.
        Max "atomic_max" "atomic_max" Extremum,
        /// Both bits.
        BitAnd "atomic_and" "atomic_and" Bitwise,
        /// Either bit.
        BitOr "atomic_or" "atomic_or" Bitwise,
        /// One of both bits.
        BitXor "atomic_xor" "atomic_xor" Bitwise,
    }
}
