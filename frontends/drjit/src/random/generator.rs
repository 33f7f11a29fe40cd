//! Random arrays of any type and size, draw after draw: `dr.rng`.

use super::{Draw, Philox4x32};
use crate::array::{AnyArray, Arg, IntoArg, Traverse, common_size};
use crate::types::{ArrayType, Kind, Package, Size, VarType};
use crate::{Error, Result};
use ivy_core::Scalar;

/// Rounds of mixing, as Dr.Jit's generators have them.
const ROUNDS: u32 = 7;

/// A generator of random arrays: each draw takes the next numbers of the streams of [`Philox4x32`], one for each thread. A clone gives the
/// same numbers again.
///
/// Its seed and its counter of draws are numbers of the host, or arrays that are variables of recorded loops and conditionals
/// ([`rng`]). What is recorded runs once: numbers of the host cannot count there, and draws by them are refused.
#[derive(Clone, Debug)]
pub struct Generator {
    state: State,
    symbolic: bool,
}

#[derive(Clone, Debug)]
enum State {
    Host {
        seed: u64,
        counter: u32,
    },
    /// UInt64 and UInt32.
    Arrays {
        seed: AnyArray,
        counter: AnyArray,
    },
}

/// A generator of a seed (`dr.rng`): an integer, or an array of integers, whose package the draws are of then.
///
/// ```
/// use ivy_drjit::{Mode, llvm::{Float, UInt, UInt64}, lt, rng, while_loop};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// let x = rng(5)?.random(Float::TYPE, &[4])?;
/// assert_eq!(x.to_string(), "[0.0853155, 0.94187, 0.835392, 0.313272]");
/// // The sums of three draws, in a loop that is recorded.
/// let begin = (rng(UInt64::new(5)?)?, UInt::new(0)?.into_any(), Float::new([0, 0])?.into_any());
/// let (_, _, sums) = while_loop(
///     begin,
///     |(_, i, _)| lt(i, 3),
///     |(rng, i, sum)| {
///         let mut rng = rng.clone();
///         let drawn = rng.random(Float::TYPE, &[2])?;
///         Ok((rng, (i + 1).ok()?, (sum + drawn).ok()?))
///     },
///     Mode::Symbolic,
/// )?;
/// assert_eq!(sums.to_string(), "[1.21409, 2.19708]");
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
///
/// # Errors
/// [`Error::InvalidArgument`] for a seed that is neither, or no integer of 64 bits without sign.
pub fn rng(seed: impl IntoArg) -> Result<Generator> {
    Generator::new(seed, 0)
}

/// The arrays of the state, where these are arrays.
impl Traverse for Generator {
    fn visit(&self, visit: &mut dyn FnMut(&AnyArray)) {
        if let State::Arrays { seed, counter } = &self.state {
            visit(seed);
            visit(counter);
        }
    }

    fn map(&self, change: &mut dyn FnMut(&AnyArray) -> Result<AnyArray>) -> Result<Generator> {
        let state = match &self.state {
            State::Arrays { seed, counter } => {
                State::Arrays { seed: change(seed)?, counter: change(counter)? }
            }
            host @ State::Host { .. } => host.clone(),
        };
        Ok(Generator { state, symbolic: self.symbolic })
    }

    fn paths(&self, prefix: &str, paths: &mut Vec<String>) {
        if let State::Arrays { .. } = self.state {
            paths.extend(["seed", "counter"].map(|name| format!("{prefix}.{name}")));
        }
    }

    fn host_values(&self, prefix: &str, values: &mut Vec<String>) {
        if let State::Host { seed, counter } = self.state {
            values.extend([format!("{prefix}.seed = {seed}"), format!("{prefix}.counter = {counter}")]);
        }
    }
}

/// The draws of some threads: a counter gives several numbers, of which the last one is taken first.
struct Stream<'a> {
    rng: &'a mut Generator,
    package: Package,
    lanes: usize,
    draw: Draw,
    left: Vec<AnyArray>,
}

impl Stream<'_> {
    fn take(&mut self) -> Result<AnyArray> {
        if let Some(next) = self.left.pop() {
            return Ok(next);
        }
        let lane = ArrayType::flat(self.package, VarType::UInt32).counter(self.lanes)?;
        let (seed, counter) = self.rng.next_block()?;
        let mut source =
            Philox4x32::new(self.package, seed, [counter, lane.into_arg(), 0.into_arg()], ROUNDS)?;
        let numbers = match self.draw {
            Draw::Bits(_) => source.next_uint32x4()?,
            Draw::Uniform(VarType::Float64) => source.next_float64x2()?,
            Draw::Uniform(_) => source.next_float32x4()?,
            Draw::Normal(VarType::Float64) => source.next_float64x2_normal()?,
            Draw::Normal(_) => source.next_float32x4_normal()?,
        };
        let numbers = numbers.cast_to(numbers.ty().with_dtype(self.draw.dtype()))?;
        self.left = numbers.entries().to_vec();
        self.take()
    }
}

/// Whether an argument has integers.
fn is_whole(arg: &Arg) -> bool {
    match arg {
        Arg::Scalar(Scalar::Int(_)) => true,
        Arg::Array(x) | Arg::Foreign(x) => x.ty().is_integral_v(),
        _ => false,
    }
}

fn refuse(function: &'static str, argument: &'static str, value: impl ToString, rule: &'static str) -> Error {
    Error::InvalidArgument { function, argument, value: value.to_string(), rule }
}

impl Generator {
    /// The generator of a seed after so many blocks of draws, an integer, or an array where the seed is one.
    ///
    /// # Errors
    /// As [`rng`]; likewise for the counter, which has 32 bits.
    pub fn new(seed: impl IntoArg, counter: impl IntoArg) -> Result<Generator> {
        let seed_rule = "an integer from 0 to below 2^64, or an array of integers";
        let counter_rule = "an integer from 0 to below 2^32, or an array where the seed is one";
        let refused = |argument, value: String, rule| refuse("rng", argument, value, rule);
        let state = match (seed.into_arg(), counter.into_arg()) {
            (Arg::Failed(error), _) | (_, Arg::Failed(error)) => return Err(error),
            (Arg::Scalar(Scalar::Int(seed)), Arg::Scalar(Scalar::Int(counter))) => State::Host {
                seed: u64::try_from(seed).map_err(|_| refused("seed", seed.to_string(), seed_rule))?,
                counter: u32::try_from(counter)
                    .map_err(|_| refused("counter", counter.to_string(), counter_rule))?,
            },
            (Arg::Array(seed), counter)
                if seed.ty().kind() == Kind::Flat && seed.ty().is_integral_v() && is_whole(&counter) =>
            {
                let ty = seed.ty().with_dtype(VarType::UInt64);
                let counter = ty.with_dtype(VarType::UInt32).make(counter)?;
                State::Arrays { seed: seed.cast_to(ty)?, counter }
            }
            (Arg::Scalar(Scalar::Int(_)), counter) => {
                return Err(refused("counter", counter.type_name(), counter_rule));
            }
            (Arg::Array(seed), counter) if seed.ty().is_integral_v() => {
                return Err(refused("counter", counter.type_name(), counter_rule));
            }
            (seed, _) => return Err(refused("seed", seed.type_name(), seed_rule)),
        };
        Ok(Generator { state, symbolic: false })
    }

    /// The seed.
    pub fn seed(&self) -> Arg {
        match &self.state {
            State::Host { seed, .. } => seed.into_arg(),
            State::Arrays { seed, .. } => seed.into_arg(),
        }
    }

    /// How many blocks of draws were taken.
    pub fn counter(&self) -> Arg {
        match &self.state {
            State::Host { counter, .. } => counter.into_arg(),
            State::Arrays { counter, .. } => counter.into_arg(),
        }
    }

    /// The same generator, whose counter is never evaluated where it is an array: each draw is a part of what is computed from it, and of
    /// the next draws, as it is of recorded loops in any case. Its seed must be an array.
    #[must_use]
    pub fn symbolic(self) -> Generator {
        Generator { symbolic: true, ..self }
    }

    /// Floats uniform in [0, 1): of a flat array of one length, a tensor of any shape, or a nested array, whose last length is that of
    /// its vectors.
    ///
    /// # Errors
    /// [`Error::NotSupported`] for what are no floats; [`Error::InvalidArgument`] for a shape that the type has not, and for a seed of the
    /// host within what is recorded, or of a [`symbolic`](Self::symbolic) generator.
    pub fn random(&mut self, ty: ArrayType, shape: &[usize]) -> Result<AnyArray> {
        self.floats("random", ty, shape, Draw::Uniform(ty.dtype()))
    }

    /// Floats uniform in [`low`, `high`), which may be arrays.
    ///
    /// # Errors
    /// As [`random`](Self::random); [`Error::IncompatibleSizes`] for bounds of another size.
    pub fn uniform(
        &mut self,
        ty: ArrayType,
        shape: &[usize],
        low: impl IntoArg,
        high: impl IntoArg,
    ) -> Result<AnyArray> {
        let (low, high) = (low.into_arg(), high.into_arg());
        let range = match (&low, &high) {
            (Arg::Scalar(low), Arg::Scalar(high)) => (high.to_f64() - low.to_f64()).into_arg(),
            _ => crate::subtract(high, low.clone()).into_arg(),
        };
        crate::fma(self.floats("uniform", ty, shape, Draw::Uniform(ty.dtype()))?, range, low)
    }

    /// Floats of a normal distribution, whose mean and standard deviation may be arrays.
    ///
    /// # Errors
    /// As [`uniform`](Self::uniform).
    pub fn normal(
        &mut self,
        ty: ArrayType,
        shape: &[usize],
        mean: impl IntoArg,
        deviation: impl IntoArg,
    ) -> Result<AnyArray> {
        crate::fma(self.floats("normal", ty, shape, Draw::Normal(ty.dtype()))?, deviation, mean)
    }

    /// Integers uniform in [`low`, `high`), by the upper half of a product and rejection sampling (D. Lemire 2019). Bounds that are arrays
    /// are not checked; one that is not below the other gives any numbers.
    ///
    /// # Errors
    /// [`Error::NotSupported`] for what are no 32-bit integers; [`Error::InvalidArgument`] for bounds that they cannot hold or between
    /// which none is; those of [`random`](Self::random); that of reading elements within what is recorded, as what is drawn again depends
    /// on all threads.
    pub fn integers(
        &mut self,
        ty: ArrayType,
        shape: &[usize],
        low: impl IntoArg,
        high: impl IntoArg,
    ) -> Result<AnyArray> {
        const NAME: &str = "integers";
        if !matches!(ty.dtype(), VarType::Int32 | VarType::UInt32) || ty.depth() > 0 {
            return Err(Error::NotSupported { function: NAME, ty });
        }
        let (bits, whole) = (ty.with_dtype(VarType::UInt32), ty.with_dtype(VarType::UInt64));
        let (low, high) = (low.into_arg(), high.into_arg());
        for (argument, own) in [("low", &low), ("high", &high)] {
            if !is_whole(own) {
                return Err(refuse(NAME, argument, own.type_name(), "an integer, or an array of integers"));
            }
        }
        let (low, bound) = match (low, high) {
            (Arg::Scalar(low), Arg::Scalar(high)) => {
                let (low, high) = (low.to_i128(), high.to_i128());
                let (least, greatest) = ty.dtype().dtype().int_range().unwrap_or((0, 0));
                if low >= high || low < least || high > greatest + 1 {
                    let value = format!("{low}, {high}");
                    return Err(refuse(NAME, "bounds", value, "low below high, both of the type"));
                }
                (ty.make(low)?, whole.make(high - low)?)
            }
            (low, high) => {
                let (low, high) = (ty.make(low)?, ty.make(high)?);
                let bound = crate::subtract(high, &low)?.cast_to(bits)?.cast_to(whole)?;
                (low, bound)
            }
        };
        // 2^32 modulo the bound.
        let threshold = crate::remainder(1u64 << 32, &bound)?;
        let product = |x: AnyArray| (x.cast_to(whole)? * &bound).ok();
        let mut found = product(self.sample(NAME, bits, shape, Draw::Bits(VarType::UInt32))?)?;
        // Few draws are to be done again: those that would make some numbers likelier.
        loop {
            let lower = crate::bitwise_and(&found, u64::from(u32::MAX))?;
            let again = crate::lt(lower, &threshold)?;
            if !crate::any(&again, crate::Axis::All)?.to_bool()? {
                break;
            }
            let other = product(self.sample(NAME, bits, shape, Draw::Bits(VarType::UInt32))?)?;
            found = crate::select(again, other, found)?;
        }
        crate::add(crate::right_shift(found, 32)?.cast_to(ty)?, low)
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
            let rule = "a length for each axis of the type, those of fixed size with their own";
            refuse(function, "shape", format!("{shape:?} for {ty}"), rule)
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
        if u32::try_from(lanes).is_err() {
            return Err(refuse(
                function,
                "shape",
                format!("{shape:?}"),
                "fewer than 2^32 elements of a vector",
            ));
        }
        if let State::Arrays { seed, .. } = &self.state
            && common_size(&[seed.len(), lanes]).is_none()
        {
            return Err(Error::IncompatibleSizes { function, sizes: vec![seed.len(), lanes] });
        }
        self.check_recorded(function, ty)?;
        let mut stream = Stream { rng: self, package: ty.package(), lanes, draw, left: Vec::new() };
        let made = match tensor {
            true => ty.make_tensor(stream.take()?, shape),
            false => filled(ty, levels, &mut stream),
        }?;
        self.evaluate()?;
        Ok(made)
    }

    /// Refuses a number of the host as counter where one run of a function stands for many.
    fn check_recorded(&self, function: &'static str, ty: ArrayType) -> Result<()> {
        match self.state {
            State::Host { .. } if self.symbolic && ty.is_jit_v() || crate::ad::is_recording() => Err(refuse(
                function,
                "generator",
                "one whose seed is a number",
                "in a recorded loop or conditional, and of a symbolic generator, the seed must be an array, as in rng(UInt64(0))",
            )),
            _ => Ok(()),
        }
    }

    /// Seed and counter of the next block of draws.
    fn next_block(&mut self) -> Result<(Arg, Arg)> {
        match &mut self.state {
            State::Host { seed, counter } => {
                let next = counter.wrapping_add(1);
                Ok((seed.into_arg(), std::mem::replace(counter, next).into_arg()))
            }
            State::Arrays { seed, counter } => {
                let next = (&*counter + 1).ok()?;
                Ok(((&*seed).into_arg(), std::mem::replace(counter, next).into_arg()))
            }
        }
    }

    /// Evaluates the counter: each draw would be a part of all that follow.
    fn evaluate(&self) -> Result<()> {
        match &self.state {
            State::Arrays { counter, .. } if !self.symbolic && !crate::ad::is_recording() => {
                crate::eval(counter)
            }
            _ => Ok(()),
        }
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
