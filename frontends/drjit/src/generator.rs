//! Random arrays of any type and size, draw after draw: `dr.rng`.

use crate::array::{AnyArray, IntoArg};
use crate::random::Philox4x32;
use crate::types::{ArrayType, Kind, Package, Size, VarType};
use crate::{Error, Result};

/// Rounds of mixing, as Dr.Jit's generators have them.
const ROUNDS: u32 = 7;

/// A generator of random arrays: each draw takes the next numbers of the streams of [`Philox4x32`], one for each thread. A clone gives the
/// same numbers again.
#[derive(Clone, Debug)]
pub struct Generator {
    seed: u64,
    counter: u32,
}

/// A generator of a seed (`dr.rng`).
///
/// ```
/// use ivy_drjit::{llvm::Float, rng};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// let mut rng = rng(5);
/// let x = rng.random(Float::TYPE, &[4])?;
/// assert_eq!(x.to_string(), "[0.0853155, 0.94187, 0.835392, 0.313272]");
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
pub fn rng(seed: u64) -> Generator {
    Generator { seed, counter: 0 }
}

/// What is drawn.
#[derive(Clone, Copy)]
enum Draw {
    Bits,
    Uniform,
    Normal,
}

/// The draws of some threads: a counter gives several numbers, of which the last one is taken first.
struct Stream {
    package: Package,
    seed: u64,
    counter: u32,
    lanes: usize,
    draw: Draw,
    dtype: VarType,
    left: Vec<AnyArray>,
}

impl Stream {
    fn take(&mut self) -> Result<AnyArray> {
        if let Some(next) = self.left.pop() {
            return Ok(next);
        }
        let lane = ArrayType::flat(self.package, VarType::UInt32).counter(self.lanes)?;
        let counters = [self.counter.into_arg(), lane.into_arg(), 0.into_arg()];
        let mut source = Philox4x32::new(self.package, self.seed, counters, ROUNDS)?;
        self.counter = self.counter.wrapping_add(1);
        let numbers = match (self.draw, self.dtype) {
            (Draw::Bits, _) => source.next_uint32x4()?,
            (Draw::Uniform, VarType::Float64) => source.next_float64x2()?,
            (Draw::Uniform, _) => source.next_float32x4()?,
            (Draw::Normal, VarType::Float64) => source.next_float64x2_normal()?,
            (Draw::Normal, _) => source.next_float32x4_normal()?,
        };
        let numbers = numbers.cast_to(numbers.ty().with_dtype(self.dtype))?;
        self.left = numbers.entries().to_vec();
        self.take()
    }
}

fn refuse(function: &'static str, argument: &'static str, value: impl ToString, rule: &'static str) -> Error {
    Error::InvalidArgument { function, argument, value: value.to_string(), rule }
}

impl Generator {
    /// Numbers from 0 to below 1: of a flat array of one length, a tensor of any shape, or a nested array, whose last length is that of
    /// its vectors.
    ///
    /// # Errors
    /// [`Error::NotSupported`] for what are no floats; [`Error::InvalidArgument`] for a shape that the type has not.
    pub fn random(&mut self, ty: ArrayType, shape: &[usize]) -> Result<AnyArray> {
        self.floats("random", ty, shape, Draw::Uniform)
    }

    /// Numbers from `low` to below `high`.
    ///
    /// # Errors
    /// As [`random`](Self::random).
    pub fn uniform(&mut self, ty: ArrayType, shape: &[usize], low: f64, high: f64) -> Result<AnyArray> {
        (self.floats("uniform", ty, shape, Draw::Uniform)? * (high - low) + low).ok()
    }

    /// Numbers of a normal distribution.
    ///
    /// # Errors
    /// As [`random`](Self::random).
    pub fn normal(&mut self, ty: ArrayType, shape: &[usize], mean: f64, deviation: f64) -> Result<AnyArray> {
        (self.floats("normal", ty, shape, Draw::Normal)? * deviation + mean).ok()
    }

    /// Integers from `low` to below `high`, all of them equally likely (D. Lemire 2019).
    ///
    /// # Errors
    /// [`Error::NotSupported`] for what are no 32-bit integers; [`Error::InvalidArgument`] for bounds that they cannot hold or between
    /// which none is.
    pub fn integers(&mut self, ty: ArrayType, shape: &[usize], low: i64, high: i64) -> Result<AnyArray> {
        const NAME: &str = "integers";
        if !matches!(ty.dtype(), VarType::Int32 | VarType::UInt32) || ty.depth() > 0 {
            return Err(Error::NotSupported { function: NAME, ty });
        }
        let (least, greatest) = ty.dtype().dtype().int_range().unwrap_or((0, 0));
        let inside = |x: i64| (least..=greatest + 1).contains(&i128::from(x));
        let bound = u32::try_from(high.saturating_sub(low)).ok().filter(|&bound| bound > 0);
        let Some(bound) = bound.filter(|_| inside(low) && inside(high)) else {
            return Err(refuse(NAME, "bounds", format!("{low}, {high}"), "low below high, both of the type"));
        };
        let threshold = bound.wrapping_neg() % bound;
        let bits = ty.with_dtype(VarType::UInt32);
        let product =
            |bits: AnyArray| (bits.cast_to(bits.ty().with_dtype(VarType::UInt64))? * u64::from(bound)).ok();
        let lower = |product: &AnyArray| crate::bitwise_and(product, u64::from(u32::MAX));
        let mut found = product(self.sample(NAME, bits, shape, Draw::Bits)?)?;
        // Few draws are to be done again: those that would make some numbers likelier.
        loop {
            let again = crate::lt(lower(&found)?, u64::from(threshold))?;
            if !crate::any(&again, crate::Axis::All)?.to_bool()? {
                break;
            }
            let other = product(self.sample(NAME, bits, shape, Draw::Bits)?)?;
            found = crate::select(again, other, found)?;
        }
        // Modulo 2^64, of which the conversion takes the lower half.
        (crate::right_shift(found, 32)? + low as u64).ok()?.cast_to(ty)
    }

    /// The numbers from 0 to below `count` in a random order.
    ///
    /// # Errors
    /// [`Error::NotSupported`] for a type that is not flat, or has no 32-bit integers.
    pub fn permutation(&mut self, ty: ArrayType, count: usize) -> Result<AnyArray> {
        if ty.kind() != Kind::Flat || !matches!(ty.dtype(), VarType::Int32 | VarType::UInt32) {
            return Err(Error::NotSupported { function: "permutation", ty });
        }
        let keys = self.random(ty.with_dtype(VarType::Float32), &[count])?;
        crate::argsort(&keys)?.cast_to(ty)
    }

    fn floats(
        &mut self,
        function: &'static str,
        ty: ArrayType,
        shape: &[usize],
        draw: Draw,
    ) -> Result<AnyArray> {
        match ty.is_float_v() {
            true => self.sample(function, ty, shape, draw),
            false => Err(Error::NotSupported { function, ty }),
        }
    }

    fn sample(
        &mut self,
        function: &'static str,
        ty: ArrayType,
        shape: &[usize],
        draw: Draw,
    ) -> Result<AnyArray> {
        let wrong = || {
            refuse(
                function,
                "shape",
                format!("{shape:?}"),
                "the lengths of the type's levels and of its vectors",
            )
        };
        let tensor = ty.kind() == Kind::Tensor;
        let (levels, lanes) = match (tensor, ty.is_jit_v()) {
            (true, _) => {
                let lanes = shape.iter().try_fold(1usize, |size, &len| size.checked_mul(len));
                (&shape[..0], lanes.ok_or_else(wrong)?)
            }
            (false, true) => {
                let (&lanes, levels) = shape.split_last().ok_or_else(wrong)?;
                (levels, lanes)
            }
            (false, false) => (shape, 1),
        };
        let fits = |(size, &len): (&Size, &usize)| match size {
            Size::Fixed(n) => usize::from(*n) == len,
            Size::Dynamic => true,
        };
        if levels.len() != ty.depth() || !ty.sizes().iter().zip(levels).all(fits) {
            return Err(wrong());
        }
        let (package, seed, counter, dtype) = (ty.package(), self.seed, self.counter, ty.dtype());
        let mut stream = Stream { package, seed, counter, lanes, draw, dtype, left: Vec::new() };
        let made = match tensor {
            true => ty.make_tensor(stream.take()?, shape),
            false => filled(ty, levels, &mut stream),
        };
        self.counter = stream.counter;
        made
    }
}

/// The flat arrays of a type, in order, each with its own draw.
fn filled(ty: ArrayType, levels: &[usize], stream: &mut Stream) -> Result<AnyArray> {
    let Some(((&len, inner), entry)) = levels.split_first().zip(ty.entry()) else {
        return stream.take()?.cast_to(ty);
    };
    let entries = (0..len).map(|_| filled(entry, inner, stream)).collect::<Result<_>>()?;
    Ok(AnyArray::from_entries(ty, entries))
}
