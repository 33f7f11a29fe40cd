//! Element-wise functions of the Array API standard.

use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::elementwise::keywords::{
    self as keywords, AddParams, IsinfParams, MaximumParams, MinimumParams, RemainderParams, RoundParams,
    SignParams, SubtractParams, TanhParams,
};
use crate::{Array, IntoOperand, Op, Result};
use smallvec::smallvec;

const ONE: Bound = Bound::Ulp { float32: 1.0, float64: 2.0 };
const ONE_AND_A_HALF: Bound = Bound::Ulp { float32: 1.5, float64: 2.5 };
const FOUR: Bound = Bound::Ulp { float32: 4.0, float64: 5.0 };
const ROUNDED: Bound = Bound::Ulp { float32: 0.5, float64: 0.5 };

elementwise_unary! {
    /// Absolute value; the magnitude of complex numbers, a real dtype. The least signed integer
    /// has no positive counterpart and stays as it is.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = Array::try_from([-2i8, 3, i8::MIN])?;
    /// assert_eq!(ivy::abs(&x)?.to_vec::<i8>()?, [2, 3, i8::MIN]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    abs = Abs: Promote -> RealPart, ONE;
    /// Inverse cosine, in radians from 0 to pi; NaN outside -1 to 1 for reals.
    acos = Acos: PromoteFloat -> Compute, ONE;
    /// Inverse hyperbolic cosine; NaN below 1 for reals.
    acosh = Acosh: PromoteFloat -> Compute, ONE;
    /// Inverse sine, in radians from -pi/2 to pi/2; NaN outside -1 to 1 for reals.
    asin = Asin: PromoteFloat -> Compute, ONE;
    /// Inverse hyperbolic sine.
    asinh = Asinh: PromoteFloat -> Compute, ONE;
    /// Inverse tangent, in radians from -pi/2 to pi/2.
    atan = Atan: PromoteFloat -> Compute, ONE;
    /// Inverse hyperbolic tangent; infinite at -1 and 1, NaN beyond for reals.
    atanh = Atanh: PromoteFloat -> Compute, ONE;
    /// Bitwise not: every bit inverted; logical not of bool.
    bitwise_invert = BitwiseInvert: Promote -> Compute, Bound::Exact;
    /// Ceiling: the least integer that is not below each element; integers stay as they are.
    ceil = Ceil: Promote -> Compute, Bound::Exact;
    /// Complex conjugate; real numbers stay as they are.
    conj = Conj: Promote -> Compute, Bound::Exact;
    /// Cosine of radians.
    cos = Cos: PromoteFloat -> Compute, ONE;
    /// Hyperbolic cosine.
    cosh = Cosh: PromoteFloat -> Compute, ONE;
    /// Digamma function: derivative of [`lgamma`]: -infinity at 0, NaN at negative whole numbers.
    ///
    /// In float64 and at negative numbers, errors count in units of the greater of the two numbers
    /// whose difference the result is: next to a zero there is less of it.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let y = ivy::digamma(&Array::try_from([1.0f32, 0.0, -1.0])?)?.to_vec::<f32>()?;
    /// assert!((y[0] + 0.5772157).abs() < 1e-6 && y[1] == f32::NEG_INFINITY && y[2].is_nan());
    /// # Ok::<(), ivy::Error>(())
    /// ```
    digamma = Digamma: PromoteFloat -> Compute, FOUR;
    /// Error function: `2 / sqrt(pi)` times the integral of `exp(-t^2)` from 0 to each element.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let y = ivy::erf(&Array::try_from([0.0f64, 1.0, f64::INFINITY])?)?;
    /// assert_eq!(y.to_vec::<f64>()?, [0.0, 0.8427007929497149, 1.0]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    erf = Erf: PromoteFloat -> Compute, ONE_AND_A_HALF;
    /// Complementary error function: `1 - erf(x)`, exact where that is small.
    erfc = Erfc: PromoteFloat -> Compute, FOUR;
    /// Exponential function, `e` to the power of each element.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let y = ivy::exp(&Array::try_from([0i32, 1])?)?; // integers compute in float32
    /// assert_eq!(y.dtype(), Dtype::FLOAT32);
    /// assert_eq!(y.to_vec::<f32>()?, [1.0, std::f32::consts::E]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    exp = Exp: PromoteFloat -> Compute, ONE;
    /// Exponential less one: `exp(x) - 1`, exact for small `x`.
    expm1 = Expm1: PromoteFloat -> Compute, ONE;
    /// Floor: the greatest integer that is not above each element; integers stay as they are.
    floor = Floor: Promote -> Compute, Bound::Exact;
    /// Imaginary part of complex numbers, a real dtype.
    imag = Imag: Promote -> RealPart, Bound::Exact;
    /// Test for finite numbers: true where an element (each part of a complex one) is neither infinite nor NaN.
    isfinite = IsFinite: Promote -> Bool, Bound::Exact;
    /// Test for infinities: true where an element (either part of a complex one) is infinite.
    isinf = IsInf: Promote -> Bool, Bound::Exact, ISINF: isinf_with(IsinfParams) = keywords::chosen_infinities;
    /// Test for NaN: true where an element (either part of a complex one) is NaN.
    isnan = IsNan: Promote -> Bool, Bound::Exact;
    /// Log-gamma function: logarithm of the gamma function's magnitude; infinite at 0 and at negative whole numbers.
    ///
    /// In float64 and at negative numbers, errors count in units of the greater of the two numbers
    /// whose difference the result is: next to a zero there is less of it.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let y = ivy::lgamma(&Array::try_from([1.0f32, 2.0, 3.0, -1.0])?)?;
    /// assert_eq!(y.to_vec::<f32>()?, [0.0, 0.0, std::f32::consts::LN_2, f32::INFINITY]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    lgamma = Lgamma: PromoteFloat -> Compute, FOUR;
    /// Natural logarithm; -infinity at 0, NaN below 0 for reals.
    log = Log: PromoteFloat -> Compute, ONE;
    /// Logarithm of one plus `x`: `log(1 + x)`, exact for small `x`.
    log1p = Log1p: PromoteFloat -> Compute, ONE;
    /// Logarithm to base 2.
    log2 = Log2: PromoteFloat -> Compute, ONE;
    /// Logarithm to base 10.
    log10 = Log10: PromoteFloat -> Compute, ONE;
    /// Logical not of bool.
    logical_not = LogicalNot: Promote -> Compute, Bound::Exact;
    /// Negation; unsigned integers wrap.
    negative = Negative: Promote -> Compute, Bound::Exact;
    /// Real part; real numbers stay as they are.
    real = Real: Promote -> RealPart, Bound::Exact;
    /// Reciprocal: one divided by each element.
    reciprocal = Reciprocal: PromoteFloat -> Compute, ONE;
    /// Rounding to even: the nearest integer, halves to the even one; each part of a complex number; integers stay as
    /// they are.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = Array::try_from([0.5f32, 1.5, -2.5])?;
    /// assert_eq!(ivy::round(&x)?.to_vec::<f32>()?, [0.0, 2.0, -2.0]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    round = Round: Promote -> Compute, Bound::Exact, ROUND: round_with(RoundParams) = keywords::rounded;
    /// Sign: -1, 0 or 1 by the sign, NaN for NaN; `x / abs(x)` of complex numbers, 0 at 0.
    sign = Sign: Promote -> Compute, ONE, SIGN: sign_with(SignParams) = keywords::sign_of_part;
    /// Sign bit: true where the sign bit is set: of negative numbers, -0.0, and NaN with that bit.
    signbit = Signbit: Promote -> Bool, Bound::Exact;
    /// Sine of radians.
    sin = Sin: PromoteFloat -> Compute, ONE;
    /// Hyperbolic sine.
    sinh = Sinh: PromoteFloat -> Compute, ONE;
    /// Square: each element times itself.
    square = Square: Promote -> Compute, ROUNDED;
    /// Square root; NaN below 0 for reals.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// assert_eq!(ivy::sqrt(&Array::try_from([4.0f64, 2.25])?)?.to_vec::<f64>()?, [2.0, 1.5]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    sqrt = Sqrt: PromoteFloat -> Compute, ROUNDED;
    /// Tangent of radians.
    tan = Tan: PromoteFloat -> Compute, ONE;
    /// Hyperbolic tangent.
    tanh = Tanh: PromoteFloat -> Compute, ONE, TANH: tanh_with(TanhParams) = keywords::tanh_by_mode;
    /// Truncation: the nearest integer towards zero; integers stay as they are.
    trunc = Trunc: Promote -> Compute, Bound::Exact;
}

elementwise_binary! {
    /// Sum. Integers wrap; the sum of bools is their logical or.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = Array::try_from([1.5f32, 2.0])?;
    /// let y = ivy::add(&x, &Array::try_from([1i32, 2])?)?;
    /// assert_eq!(y.dtype(), Dtype::FLOAT64); // precise promotion loses nothing
    /// assert_eq!(ivy::add(&x, 1)?.to_vec::<f32>()?, [2.5, 3.0]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    add = Add: Promote -> Compute, ROUNDED, ADD: add_with(AddParams) = keywords::scaled_sum;
    /// Four-quadrant inverse tangent: angle of the point `(x2, x1)`, in radians from -pi to pi.
    atan2 = Atan2: PromoteFloat -> Compute, ONE_AND_A_HALF;
    /// Bitwise and: the bits that are set in both; logical and of bools.
    bitwise_and = BitwiseAnd: Promote -> Compute, Bound::Exact;
    /// Left shift: bits shifted left; 0 for a negative amount, or one not below the width.
    bitwise_left_shift = BitwiseLeftShift: Promote -> Compute, Bound::Exact;
    /// Bitwise or: the bits that are set in either; logical or of bools.
    bitwise_or = BitwiseOr: Promote -> Compute, Bound::Exact;
    /// Arithmetic right shift: bits shifted right, with the sign of signed integers; for a negative amount, or one not
    /// below the width, 0, or -1 for negative numbers.
    bitwise_right_shift = BitwiseRightShift: Promote -> Compute, Bound::Exact;
    /// Bitwise exclusive or: the bits that are set in one only; exclusive or of bools.
    bitwise_xor = BitwiseXor: Promote -> Compute, Bound::Exact;
    /// Copy of a sign: the magnitude of `x1` with the sign bit of `x2`.
    copysign = Copysign: PromoteFloat -> Compute, Bound::Exact;
    /// Quotient; integers compute in the default float dtype.
    divide = Divide: PromoteFloat -> Compute, ONE;
    /// Equality: true where equal; NaN equals nothing.
    equal = Equal: Promote -> Bool, Bound::Exact;
    /// Quotient rounded down. Integers divided by 0 give 0, the least one by -1 wraps.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = Array::try_from([7i32, -7, 7])?;
    /// let y = ivy::floor_divide(&x, &Array::try_from([2i32, 2, 0])?)?;
    /// assert_eq!(y.to_vec::<i32>()?, [3, -4, 0]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    floor_divide = FloorDivide: Promote -> Compute, Bound::Exact;
    /// Greatest common divisor of the magnitudes, as Ivy has it; `gcd(0, x)` is `|x|`. Integers only.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = Array::try_from([12i32, -18, 0])?;
    /// assert_eq!(ivy::gcd(&x, 8)?.to_vec::<i32>()?, [4, 2, 8]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    gcd = Gcd: Promote -> Compute, Bound::Exact;
    /// Greater than: true where `x1` is greater.
    greater = Greater: Promote -> Bool, Bound::Exact;
    /// Greater than or equal: true where `x1` is greater or equal.
    greater_equal = GreaterEqual: Promote -> Bool, Bound::Exact;
    /// Hypotenuse: `sqrt(x1^2 + x2^2)` without overflow between.
    hypot = Hypot: PromoteFloat -> Compute, ONE_AND_A_HALF;
    /// Least common multiple of the magnitudes, as Ivy has it; 0 where either is 0. Integers only,
    /// and they wrap.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = Array::try_from([4i32, -6, 0])?;
    /// assert_eq!(ivy::lcm(&x, 10)?.to_vec::<i32>()?, [20, 30, 0]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    lcm = Lcm: Promote -> Compute, Bound::Exact;
    /// Less than: true where `x1` is less. A host integer beyond the array's range compares by its value.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = Array::try_from([1u8, 255])?;
    /// assert_eq!(ivy::less(&x, 300)?.to_vec::<bool>()?, [true, true]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    less = Less: Promote -> Bool, Bound::Exact;
    /// Less than or equal: true where `x1` is less or equal.
    less_equal = LessEqual: Promote -> Bool, Bound::Exact;
    /// Log-add-exp: `log(exp(x1) + exp(x2))` without overflow between.
    logaddexp = Logaddexp: PromoteFloat -> Compute, ONE_AND_A_HALF;
    /// Logical and: true where both are.
    logical_and = LogicalAnd: Promote -> Compute, Bound::Exact;
    /// Logical or: true where either is.
    logical_or = LogicalOr: Promote -> Compute, Bound::Exact;
    /// Logical exclusive or: true where exactly one is.
    logical_xor = LogicalXor: Promote -> Compute, Bound::Exact;
    /// Element-wise maximum: the greater of two elements; NaN if either is.
    maximum = Maximum: Promote -> Compute, Bound::Exact, MAXIMUM: maximum_with(MaximumParams) = keywords::maximum_by_distance;
    /// Element-wise minimum: the lesser of two elements; NaN if either is.
    minimum = Minimum: Promote -> Compute, Bound::Exact, MINIMUM: minimum_with(MinimumParams) = keywords::minimum_by_distance;
    /// Product. Integers wrap; the product of bools is their logical and.
    multiply = Multiply: Promote -> Compute, ROUNDED;
    /// Next representable float: the next float after `x1` towards `x2`.
    nextafter = Nextafter: Promote -> Compute, Bound::Exact;
    /// Inequality: true where different; NaN differs from everything.
    not_equal = NotEqual: Promote -> Bool, Bound::Exact;
    /// Power: `x1` to the power of `x2`. Integers wrap; a negative exponent gives 0 (1 for base 1, 1 or -1 for base
    /// -1), and is an error if it is a host scalar.
    pow = Pow: Promote -> Compute, ONE_AND_A_HALF;
    /// Remainder of [`floor_divide`], with the sign of `x2`; integers by 0 give 0.
    remainder = Remainder: Promote -> Compute, Bound::Exact, REMAINDER: remainder_with(RemainderParams) = keywords::remainder_by_sign;
    /// Difference. Integers wrap.
    subtract = Subtract: Promote -> Compute, ROUNDED, SUBTRACT: subtract_with(SubtractParams) = keywords::scaled_difference;
}

describe! {
    POSITIVE = "positive", Elementwise, Primary, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: (), example: [&[2]], Body::Identity
}

/// Identity: the operand itself.
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool.
pub fn positive<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    crate::call::unary(&POSITIVE, x)
}

describe! {
    WHERE = "where", Searching, Primary, (condition: Condition, x1: Promoted, x2: Promoted),
    Promote -> [Compute], Bound::Exact, params: (), example: [&[2], &[2], &[2]], Body::Fixed(&Op::Where)
}

/// Selection by a condition: elements of `x1` where the condition holds, else of `x2`; all three broadcast, and `x1`
/// and `x2` are promoted. (`where` is a keyword in Rust.)
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([-1.0f32, 2.0])?;
/// let relu = ivy::where_(ivy::greater(&x, 0), &x, 0)?;
/// assert_eq!(relu.to_vec::<f32>()?, [0.0, 2.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) if the condition is not bool, and as for
/// any function of two operands.
pub fn where_<'a, 'b, 'c>(
    condition: impl IntoOperand<'a>,
    x1: impl IntoOperand<'b>,
    x2: impl IntoOperand<'c>,
) -> Result<Array> {
    call_one(&WHERE, &[condition.into_operand(), x1.into_operand(), x2.into_operand()], &())
}

describe! {
    CLIP = "clip", Elementwise, Compositional, (x: Promoted, min: Promoted optional, max: Promoted optional),
    Promote -> [Compute], Bound::Exact, params: (), example: [&[2], &[], &[]], Body::Compose(compose_clip)
}

/// Clamping: each element, but at least `min` and at most `max`; `None::<Array>` leaves a side open. NaN stays, and a
/// NaN bound gives NaN.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([-3i16, 0, 300])?;
/// assert_eq!(ivy::clip(&x, 0, 255)?.to_vec::<i16>()?, [0, 0, 255]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As for any function of several operands.
pub fn clip<'a, 'b, 'c>(
    x: impl IntoOperand<'a>,
    min: impl IntoOperand<'b>,
    max: impl IntoOperand<'c>,
) -> Result<Array> {
    call_one(&CLIP, &[x.into_operand(), min.into_operand(), max.into_operand()], &())
}

fn compose_clip(call: &Composition<'_>) -> Result<Outputs> {
    let mut x = call.array(0).clone();
    if let Some(min) = &call.arrays[1] {
        x = maximum(&x, min)?;
    }
    if let Some(max) = &call.arrays[2] {
        x = minimum(&x, max)?;
    }
    Ok(smallvec![x])
}
