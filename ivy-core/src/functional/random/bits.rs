//! Random bits, and the numbers that are made of them by exact operations only.

use super::Seed;
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Request};
use crate::functional::{add, astype, bitwise_right_shift, multiply};
use crate::{Array, Dtype, ErrorKind, Op, Result, Shape, context, params, primitive, shape, transform};

params! {
    /// Keyword arguments of [`random_bits`].
    pub struct RandomBits {
        /// The shape of the draw of each state.
        shape: Shape = Shape::default(),
        /// uint32 (if not given) or uint64.
        dtype: Option<Dtype> = None,
    }
}

describe! {
    RANDOM_BITS = "random_bits", Random, Primary, (state: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: RandomBits::new(), example: [&[4]], Body::Op(lower_bits)
}

fn lower_bits(request: &Request<'_>) -> Result<Op> {
    let (function, dtype) = (request.function.name, request.compute);
    if !matches!(dtype, Dtype::UINT32 | Dtype::UINT64) {
        let (value, rule) = (dtype.to_string(), "uint32 or uint64");
        return Err(ErrorKind::InvalidArgument { function, argument: "dtype", value, rule }.into());
    }
    if request.shape(0).last() != Some(&4) {
        let (expected, actual) = ("a last axis of length 4".into(), request.shape(0).into());
        return Err(ErrorKind::ShapeMismatch { function, argument: "state", expected, actual }.into());
    }
    Ok(Op::RandomBits { shape: request.params::<RandomBits>().shape.clone(), dtype })
}

/// Random words of a state, as an operation on arrays: the same state gives the same words on every backend, and
/// nothing is kept.
///
/// A state is four words, the last axis of the operand: the low and the high half of a key, and the low and the
/// high half of a counter. Each is a draw of the shape; the other axes of the operand come first in the result. Word
/// `e` of a draw is word `e % 4` of block `e / 4` of Philox4x32-10 under the key, where block `i` is that of the counter
/// `(i low, i high, counter low, counter high)`. A uint64 is two words, the low one first.
///
/// ```
/// use ivy::prelude::*;
/// let state = Array::try_from([0u32, 0, 0, 0])?;
/// let words = ivy::random_bits(&state, ivy::RandomBits::new().shape([4]))?;
/// assert_eq!(words.to_vec::<u32>()?, [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for a state of another dtype than uint32,
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for one whose last axis has not length 4,
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for another dtype than uint32 and uint64,
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
pub fn random_bits<'a>(state: impl IntoOperand<'a>, params: impl Into<RandomBits>) -> Result<Array> {
    call_one(&RANDOM_BITS, &[state.into_operand()], &params.into())
}

/// The draw of a call: its parts are handed out one after the other.
pub(in crate::functional) struct Draw {
    pub(in crate::functional) function: &'static str,
    /// One; without a seed, in a function that is mapped over batches, one for each entry.
    seeds: Vec<Seed>,
    around: Vec<transform::Running>,
    part: u8,
}

impl Draw {
    /// The draw of a seed, else the next one of the generator in force: of each entry of the batches that a function
    /// is mapped over its own, as if it was called with one entry after the other.
    pub(in crate::functional) fn new(call: &Composition<'_>, seed: Option<Seed>) -> Result<Draw> {
        let function = call.function.name;
        let backend = transform::root(&context::current_backend()?);
        if let Some(seed) = seed {
            return Ok(Draw { function, seeds: vec![seed], around: Vec::new(), part: 0 });
        }
        // What only asks for dtypes and shapes draws nothing.
        if backend.is_abstract() {
            return Ok(Draw { function, seeds: vec![0.into()], around: Vec::new(), part: 0 });
        }
        let around = transform::batches_around(&backend);
        let count = around.iter().filter_map(|running| running.batch).map(|(_, size)| size).product();
        let generator = context::generator();
        let seeds = (0..count).map(|_| generator.draw()).collect();
        Ok(Draw { function, seeds, around, part: 0 })
    }

    /// The state of the next part.
    pub(super) fn state(&mut self) -> Result<Array> {
        let words: Vec<u32> = self.seeds.iter().flat_map(|seed| seed.state(self.part)).collect();
        self.part = self.part.wrapping_add(1);
        let batches = self.around.iter().filter_map(|running| running.batch).map(|(_, size)| size);
        let shape: Shape = batches.chain([4]).collect();
        match self.around.first() {
            None => Array::from_vec(words, shape),
            Some(outermost) => {
                let below = transform::root(&outermost.backend);
                let words = context::with(&context::Context::new().backend(&below), || {
                    Array::from_vec(words, shape)
                })?;
                transform::spread_over(words, &self.around)
            }
        }
    }

    /// Bits of the next part.
    pub(in crate::functional) fn bits(&mut self, shape: &Shape, dtype: Dtype) -> Result<Array> {
        bits(self.function, &self.state()?, shape, dtype)
    }
}

/// Bits of a state.
pub(super) fn bits(function: &'static str, state: &Array, shape: &Shape, dtype: Dtype) -> Result<Array> {
    primitive::run(function, &Op::RandomBits { shape: shape.clone(), dtype }, &[state])
}

/// The words that numbers of a float dtype are made of.
pub(super) fn word(dtype: Dtype) -> Dtype {
    if dtype == Dtype::FLOAT64 { Dtype::UINT64 } else { Dtype::UINT32 }
}

/// Multiples of `eps / 2` of a float dtype from 0 to below 1, of words: each as likely as the other, and exact.
pub(super) fn unit(words: &Array, dtype: Dtype) -> Result<Array> {
    let digits = match dtype {
        Dtype::FLOAT64 => 53,
        Dtype::FLOAT32 => 24,
        Dtype::FLOAT16 => 11,
        _ => 8,
    };
    let shift = words.dtype().bits() as i32 - digits;
    multiply(astype(bitwise_right_shift(words, shift), dtype), 0.5f64.powi(digits))
}

/// Numbers above 0 up to 1 with all digits of the dtype also where they are small, for logarithms: `(w + 1/2) 2^-b` of
/// words of `b` bits, where the word and each operation are rounded.
pub(super) fn open_unit(words: &Array, dtype: Dtype) -> Result<Array> {
    let scale = 0.5f64.powi(words.dtype().bits() as i32);
    multiply(add(astype(words, dtype), 0.5), scale)
}

/// The dtype that numbers of a float dtype are computed in, to be rounded once.
pub(super) fn working(dtype: Dtype) -> Dtype {
    if dtype == Dtype::FLOAT64 { dtype } else { Dtype::FLOAT32 }
}

/// Refuses `dtype=` of anything but floats, and shapes that no array has.
pub(super) fn check_result(call: &Composition<'_>, shape: &Shape) -> Result<()> {
    let function = call.function.name;
    if let Some(dtype) = call.params.dtype().filter(|d| !d.is_float()) {
        let (value, rule) = (dtype.to_string(), "a float dtype");
        return Err(ErrorKind::InvalidArgument { function, argument: "dtype", value, rule }.into());
    }
    shape.checked_size(function, call.compute).map(drop)
}

/// The shape of a sample: the one given, which the operands must broadcast to, else that to which these broadcast.
pub(super) fn sample_shape(call: &Composition<'_>, given: Option<&Shape>) -> Result<Shape> {
    let function = call.function.name;
    let shapes: Vec<&Shape> = call.arrays.iter().flatten().map(Array::shape).collect();
    let common = shape::broadcast(function, &shapes)?;
    let Some(given) = given else { return Ok(common) };
    match shape::broadcast(function, &[given, &common]) {
        Ok(both) if both == *given => Ok(both),
        _ => {
            let (expected, actual) = (format!("one to which {common} broadcasts"), given.clone());
            Err(ErrorKind::ShapeMismatch { function, argument: "shape", expected, actual }.into())
        }
    }
}

/// Refuses a host number that a rule excludes.
pub(super) fn check_scalar(
    call: &Composition<'_>,
    operand: usize,
    rule: &'static str,
    holds: impl Fn(f64) -> bool,
) -> Result<()> {
    match call.operands.get(operand).and_then(|o| o.scalar()) {
        Some(value) if !holds(value.to_f64()) => {
            let (function, argument) = (call.function.name, call.function.operand(operand).name);
            Err(ErrorKind::InvalidArgument { function, argument, value: value.to_string(), rule }.into())
        }
        _ => Ok(()),
    }
}
