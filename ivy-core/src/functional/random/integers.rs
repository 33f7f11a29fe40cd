//! Random integers, and random orders.

use super::Seed;
use super::bits::Draw;
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{
    ArgSort, Take, add, argsort, astype, bitwise_and, bitwise_right_shift, less, multiply, take,
};
use crate::{Array, Device, Dtype, ErrorKind, Result, Scalar, Shape, params, shape};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`randint`].
    pub struct RandInt {
        /// The shape.
        shape: Shape = Shape::default(),
        /// An integer dtype; if not given, the default one, or the next wider one that holds both bounds.
        dtype: Option<Dtype> = None,
        /// The device.
        device: Option<Device> = None,
        /// Makes the call reproducible.
        seed: Option<Seed> = None,
    }
}

describe! {
    RANDINT = "randint", Random, Compositional, (low: Value, high: Value), Infer -> [Compute],
    Bound::Exact, params: RandInt::new(), example: [], Body::Compose(compose_randint)
}

fn compose_randint(call: &Composition<'_>) -> Result<Outputs> {
    let (params, function, dtype) = (call.params::<RandInt>(), call.function.name, call.compute);
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
    params.shape.checked_size(function, Dtype::UINT64)?;
    let mut draw = Draw::new(call, params.seed)?;
    let x = astype(below(&mut draw, (high - low) as u128, &params.shape)?, dtype)?;
    // What is beyond the dtype's range wraps around, and back.
    Ok(smallvec![if low == 0 { x } else { add(x, Scalar::Int(low))? }])
}

const LOW_HALF: u32 = u32::MAX;

/// The upper half of the product of words and a number.
fn multiply_high(x: &Array, by: u64) -> Result<Array> {
    let (high, low) = (by >> 32, by & u64::from(LOW_HALF));
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
        let rest = multiply_high(&draw.bits(shape, Dtype::UINT64)?, n)?;
        let product = multiply(&high, n)?;
        let carry = astype(less(add(&product, rest), &product), Dtype::UINT64);
        return add(multiply_high(&high, n), carry);
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

/// Integers from `low` to below `high`, all equally likely: of each, the probability is that but for less than 2^-64
/// in all (exact where there are a power of two of them). A seed gives the same numbers on every backend.
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
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if `low` is not below `high`, if the dtype is no integer or
/// does not hold the numbers, and for an array in a bound's place; [`OutsideDomain`](crate::ErrorKind::OutsideDomain)
/// for a bound that is no integer; [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
pub fn randint(low: impl Into<Scalar>, high: impl Into<Scalar>, params: impl Into<RandInt>) -> Result<Array> {
    let operands = [low.into(), high.into()].map(crate::array::Operand::Scalar);
    call_one(&RANDINT, &operands, &params.into())
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

/// The parts of an array along an axis, in a random order, the same for all other axes: each order is equally likely.
/// A number is itself.
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

/// The numbers from 0 to below `n` in a random order, as int64: each order is equally likely.
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
