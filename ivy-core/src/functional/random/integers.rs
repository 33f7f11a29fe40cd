//! Uniform integers, shuffles and permutations.

use super::Seed;
use super::bits::{Draw, sample_shape};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{
    ArgSort, Take, add, any, argsort, astype, bitwise_and, bitwise_right_shift, full, greater_equal, less,
    multiply, subtract, take,
};
use crate::promotion::check_scalar;
use crate::{Array, Device, Dtype, ErrorKind, Result, Scalar, Shape, params, shape};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`randint`].
    pub struct RandInt {
        /// The shape; if not given, that to which the bounds broadcast.
        shape: Option<Shape> = None,
        /// An integer dtype; if not given, the default one, or the next wider one that holds both bounds.
        dtype: Option<Dtype> = None,
        /// The device.
        device: Option<Device> = None,
        /// Makes the call reproducible.
        seed: Option<Seed> = None,
    }
}

describe! {
    RANDINT = "randint", Random, Compositional, (low: End, high: End), Infer -> [Compute],
    Bound::Exact, params: RandInt::new(), example: [], Body::Compose(compose_randint)
}

fn compose_randint(call: &Composition<'_>) -> Result<Outputs> {
    let (params, function, dtype) = (call.params::<RandInt>(), call.function.name, call.compute);
    if call.arrays.iter().any(Option::is_some) {
        return compose_array_bounds(call);
    }
    let shape = params.shape.clone().unwrap_or_default();
    let bound = |i: usize, default: i128| call.scalar(i).map_or(default, |s| s.to_i128());
    let (low, high) = (bound(0, 0), bound(1, 2));
    let refuse = |argument, value: String, rule| -> Result<Outputs> {
        Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into())
    };
    let Some((least, greatest)) = dtype.int_range() else {
        return refuse("dtype", dtype.to_string(), "an integer dtype");
    };
    if low >= high {
        return refuse("low, high", format!("{low}, {high}"), "low is below high");
    }
    if low < least || high - 1 > greatest {
        return refuse(
            "low, high",
            format!("{low}, {high}"),
            "all numbers from low to below high fit the dtype",
        );
    }
    shape.checked_size(function, Dtype::UINT64)?;
    let mut draw = Draw::new(call, params.seed)?;
    let x = astype(below(&mut draw, (high - low) as u128, &shape)?, dtype)?;
    // What is beyond the dtype's range wraps around, and back.
    Ok(smallvec![if low == 0 { x } else { add(x, Scalar::Int(low))? }])
}

/// Integers between the elements of arrays: `low + floor((high - low) R / 2^128)`.
fn compose_array_bounds(call: &Composition<'_>) -> Result<Outputs> {
    let (params, function, dtype) = (call.params::<RandInt>(), call.function.name, call.compute);
    if !dtype.is_int() {
        let (argument, value, rule) = ("dtype", dtype.to_string(), "an integer dtype");
        return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
    }
    let bound = |i: usize| match (call.scalar(i), &call.arrays[i]) {
        (Some(scalar), _) => {
            check_scalar(function, scalar, dtype)?;
            full((), scalar, dtype)
        }
        (None, Some(array)) => astype(array, dtype),
        (None, None) => full((), i as i64 * 2, dtype),
    };
    let (low, high) = (bound(0)?, bound(1)?);
    check_order(function, &low, &high)?;
    let shape = sample_shape(call, params.shape.as_ref())?;
    shape.checked_size(function, Dtype::UINT64)?;
    let count = subtract(astype(&high, Dtype::UINT64), astype(&low, Dtype::UINT64))?;
    let halves = [bitwise_right_shift(&count, 32)?, bitwise_and(&count, LOW_HALF)?];
    let mut draw = Draw::new(call, params.seed)?;
    let words = draw.bits(&shape, Dtype::UINT64)?;
    let rest = multiply_high(&draw.bits(&shape, Dtype::UINT64)?, [&halves[0], &halves[1]])?;
    let product = multiply(&words, &count)?;
    let carry = astype(less(add(&product, rest), &product), Dtype::UINT64);
    let number = add(multiply_high(&words, [&halves[0], &halves[1]])?, carry)?;
    Ok(smallvec![add(astype(number, dtype)?, low)?])
}

/// Refuses a lower bound that is not below the upper one, where there are elements to compare.
fn check_order(function: &'static str, low: &Array, high: &Array) -> Result<()> {
    if low.backend().is_abstract() || low.backend().level() > 0 || high.backend().level() > 0 {
        return Ok(());
    }
    match any(greater_equal(low, high)?, ())?.item::<bool>()? {
        false => Ok(()),
        true => {
            let (argument, value) = ("low, high", "an element of low that is not below that of high".into());
            Err(ErrorKind::InvalidArgument { function, argument, value, rule: "low is below high" }.into())
        }
    }
}

const LOW_HALF: u32 = u32::MAX;

/// The upper half of the product of words and a number, whose upper and lower half are given.
fn multiply_high<'a, T: IntoOperand<'a> + Copy>(x: &Array, [high, low]: [T; 2]) -> Result<Array> {
    let (x1, x0) = (bitwise_right_shift(x, 32)?, bitwise_and(x, LOW_HALF)?);
    let middle = add(multiply(&x1, low), bitwise_right_shift(multiply(&x0, low), 32))?;
    let lower = add(multiply(&x0, high), bitwise_and(&middle, LOW_HALF))?;
    add(add(multiply(&x1, high), bitwise_right_shift(&middle, 32)), bitwise_right_shift(lower, 32))
}

/// Numbers from 0 to below `n` (at most 2^64), as uint64: `floor(n R / 2^b)` of random numbers `R` of `b` bits, three
/// words of 32 bits up to `n` of 2^32 and two of 64 bits above.
///
/// Each number comes of `floor(2^b / n)` or one more of the values of `R`: all probabilities together are less than
/// `n / 2^b`, at most 2^-64, from those of numbers that are exactly equally likely, and not at all for powers of two.
pub(super) fn below(draw: &mut Draw, n: u128, shape: &Shape) -> Result<Array> {
    if n > 1 << 32 {
        let high = draw.bits(shape, Dtype::UINT64)?;
        let Ok(n) = u64::try_from(n) else { return Ok(high) };
        let halves = [n >> 32, n & u64::from(LOW_HALF)];
        let rest = multiply_high(&draw.bits(shape, Dtype::UINT64)?, halves)?;
        let product = multiply(&high, n)?;
        let carry = astype(less(add(&product, rest), &product), Dtype::UINT64);
        return add(multiply_high(&high, halves), carry);
    }
    let n = n as u64;
    let first = draw.bits(shape, Dtype::UINT32)?;
    if n.is_power_of_two() {
        // The other words change nothing.
        let shift = 32 - n.trailing_zeros() as i32;
        return bitwise_right_shift(astype(first, Dtype::UINT64), shift);
    }
    let (second, third) = (draw.bits(shape, Dtype::UINT32)?, draw.bits(shape, Dtype::UINT32)?);
    let times = |word: &Array| multiply(astype(word, Dtype::UINT64), n);
    let carried = bitwise_right_shift(times(&third), 32);
    let carried = bitwise_right_shift(add(times(&second), carried), 32);
    bitwise_right_shift(add(times(&first), carried), 32)
}

/// Uniform integer draws: integers from `low` to below `high`, all equally likely: of each, the probability is that but
/// for less than 2^-64 in all (exact where there are a power of two of them). A seed gives the same numbers on every
/// backend.
///
/// With `n = high - low` and a random `R` of 96 bits (128 bits for `n` above 2^32), the number is
/// `low + floor(n R / 2^96)`: no number is drawn again, so that a draw takes a fixed count of words.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::randint(-2, 3, ivy::RandInt::new().shape([100]).seed(9))?;
/// assert_eq!(x.dtype(), Dtype::INT32);
/// assert_eq!(ivy::min(&x, ())?.item::<i32>()?, -2);
/// assert_eq!(ivy::max(&x, ())?.item::<i32>()?, 2);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// The bounds may be arrays, which broadcast to the shape: each number lies between its own, and is of 128 bits.
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if `low` is not below `high`, and if the dtype is no integer or
/// does not hold the numbers; [`OutsideDomain`](crate::ErrorKind::OutsideDomain)
/// for a bound that is no integer; [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
pub fn randint<'a, 'b>(
    low: impl IntoOperand<'a>,
    high: impl IntoOperand<'b>,
    params: impl Into<RandInt>,
) -> Result<Array> {
    call_one(&RANDINT, &[low.into_operand(), high.into_operand()], &params.into())
}

/// A random order of `n` things along the last axis of a shape: that of random words, of which equal ones (with a
/// probability below `n^2 / 2^65`) stay as they are.
pub(super) fn order(draw: &mut Draw, shape: &Shape) -> Result<Array> {
    argsort(draw.bits(shape, Dtype::UINT64)?, ArgSort::new())
}

params! {
    /// Keyword arguments of [`shuffle`].
    pub struct Shuffle {
        /// The axis along which parts change places.
        axis: i64 = 0,
        /// Makes the call reproducible.
        seed: Option<Seed> = None,
    }
}

describe! {
    SHUFFLE = "shuffle", Random, Compositional, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Shuffle::new(), example: [&[2]], Body::Compose(compose_shuffle)
}

fn compose_shuffle(call: &Composition<'_>) -> Result<Outputs> {
    let (x, params) = (call.array(0), call.params::<Shuffle>());
    if x.ndim() == 0 && matches!(params.axis, 0 | -1) {
        return Ok(smallvec![x.clone()]);
    }
    let axis = shape::normalize_axis(call.function.name, params.axis, x.ndim())?;
    let mut draw = Draw::new(call, params.seed)?;
    let order = order(&mut draw, &[x.shape()[axis]].into())?;
    Ok(smallvec![take(x, &order, Take::new().axis(axis as i64))?])
}

/// Shuffle along an axis: the parts of an array along an axis, in a random order, the same for all other axes: each
/// order is equally likely. A number is itself.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::arange(6, ())?;
/// let y = ivy::shuffle(&x, ivy::Shuffle::new().seed(4))?;
/// assert_eq!(ivy::sort(&y, ())?.to_vec::<i32>()?, [0, 1, 2, 3, 4, 5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange).
pub fn shuffle<'a>(x: impl IntoOperand<'a>, params: impl Into<Shuffle>) -> Result<Array> {
    call_one(&SHUFFLE, &[x.into_operand()], &params.into())
}

params! {
    /// Keyword arguments of [`permutation`].
    pub struct Permutation {
        /// How many numbers.
        n: usize = 2,
        /// The device.
        device: Option<Device> = None,
        /// Makes the call reproducible.
        seed: Option<Seed> = None,
    }
}

describe! {
    PERMUTATION = "permutation", Random, Compositional, (), Default -> [Index],
    Bound::Exact, params: Permutation::new(), example: [], Body::Compose(compose_permutation)
}

fn compose_permutation(call: &Composition<'_>) -> Result<Outputs> {
    let params = call.params::<Permutation>();
    let mut draw = Draw::new(call, params.seed)?;
    Ok(smallvec![order(&mut draw, &[params.n].into())?])
}

/// Random permutation: the numbers from 0 to below `n` in a random order, as int64: each order is equally likely.
///
/// ```
/// use ivy::prelude::*;
/// let order = ivy::permutation(4, ivy::Permutation::new().seed(2))?;
/// assert_eq!(ivy::sort(&order, ())?.to_vec::<i64>()?, [0, 1, 2, 3]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow), [`MemoryLimit`](crate::ErrorKind::MemoryLimit).
pub fn permutation(n: usize, params: impl Into<Permutation>) -> Result<Array> {
    let params = Permutation { n, ..params.into() };
    call_one(&PERMUTATION, &[] as &[crate::array::Operand<'_>], &params)
}
