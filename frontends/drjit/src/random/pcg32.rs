//! PCG32.

use super::{Draw, Step, uniform};
use crate::array::{AnyArray, Arg, IntoArg, common_size};
use crate::flow::while_loop;
use crate::types::{ArrayType, Package, VarType};
use crate::{DrjitStruct, Error, Mode, Result};

/// The multiplier of PCG32's state.
const PCG32_MULTIPLIER: u64 = 0x5851_f42d_4c95_7f2d;
/// PCG32's state and sequence if none are given.
pub const PCG32_STATE: u64 = 0x853c_49e6_748f_ea9b;
/// The number of the sequence if none is given.
pub const PCG32_SEQUENCE: u64 = 0xda3e_39cb_94b9_5bdb;

/// M. O'Neill's generator PCG32 (2014), one for each thread: 64 bits of state, of which each step gives 32.
#[derive(Clone, Debug, DrjitStruct)]
pub struct Pcg32 {
    /// The states, UInt64.
    pub state: AnyArray,
    /// The increments, which number the sequences, UInt64.
    pub inc: AnyArray,
}

impl Pcg32 {
    /// Generators for so many threads. The number of a thread is added to state and sequence.
    ///
    /// ```
    /// use ivy_drjit::{Package, Pcg32};
    /// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
    /// let mut rng = Pcg32::new(Package::LLVM, 1)?;
    /// assert_eq!(rng.next_uint32()?.to_string(), "[465482994]");
    /// # Ok::<(), ivy_drjit::Error>(())
    /// ```
    ///
    /// # Errors
    /// No memory, or a backend that does not run.
    pub fn new(package: Package, size: usize) -> Result<Pcg32> {
        Pcg32::with_seed(package, size, PCG32_STATE, PCG32_SEQUENCE)
    }

    /// Generators of a state and a sequence.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_seed(package: Package, size: usize, state: u64, sequence: u64) -> Result<Pcg32> {
        Pcg32::seeded(package, size, state, sequence)
    }

    /// Generators of states and sequences that may be arrays, one for each thread.
    ///
    /// # Errors
    /// As [`new`](Self::new); [`Error::IncompatibleSizes`] for arrays of another size.
    pub fn seeded(
        package: Package,
        size: usize,
        state: impl IntoArg,
        sequence: impl IntoArg,
    ) -> Result<Pcg32> {
        let ty = ArrayType::flat(package, VarType::UInt64);
        let thread = ty.counter(size)?;
        let (state, sequence) = (ty.make(state)?, ty.make(sequence)?);
        let inc = (((&thread + sequence) << 1) | 1u64).ok()?;
        let mut rng = Pcg32 { state: ty.zeros(size)?, inc };
        rng.next_uint32()?;
        rng.state = (&rng.state + thread + state).ok()?;
        rng.next_uint32()?;
        Ok(rng)
    }

    /// Numbers of a kind for the threads of a mask; the others keep their state, and get what it gives without a step.
    ///
    /// ```
    /// use ivy_drjit::llvm::Bool;
    /// use ivy_drjit::{Draw, Package, Pcg32, Step, VarType};
    /// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
    /// let mut rng = Pcg32::new(Package::LLVM, 2)?;
    /// let before = rng.state.to_string();
    /// let kind = Draw::Uniform(VarType::Float32);
    /// let drawn = rng.draw(Step::Next, kind, Bool::new([true, false])?)?;
    /// let again = rng.draw(Step::Previous, kind, Bool::new([true, false])?)?;
    /// assert_eq!((drawn.to_string(), before), (again.to_string(), rng.state.to_string()));
    /// # Ok::<(), ivy_drjit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotSupported`] for bits of another type than UInt32 and UInt64, and for other numbers that are no floats.
    pub fn draw(&mut self, step: Step, kind: Draw, active: impl IntoArg) -> Result<AnyArray> {
        let active = self.mask("draw", active.into_arg())?;
        match kind {
            Draw::Bits(VarType::UInt32) => self.bits(step, active),
            Draw::Bits(VarType::UInt64) => {
                let first = self.bits(step, active.clone())?;
                let second = self.bits(step, active)?;
                // Steps back give the upper half first.
                if step == Step::Next { joined(first, second) } else { joined(second, first) }
            }
            Draw::Uniform(VarType::Float16 | VarType::Float32 | VarType::Float64) => {
                floats(self.bits(step, active)?, kind.dtype())
            }
            Draw::Normal(VarType::Float16 | VarType::Float32 | VarType::Float64) => {
                normal(self.bits(step, active)?, kind.dtype())
            }
            _ => Err(Error::NotSupported { function: "draw", ty: self.state.ty().with_dtype(kind.dtype()) }),
        }
    }

    /// A mask of as many threads as there are.
    fn mask(&self, function: &'static str, active: Arg) -> Result<Arg> {
        let rule = "a mask, or a truth value";
        let refused = |value| Error::InvalidArgument { function, argument: "mask", value, rule };
        match &active {
            Arg::Scalar(ivy_core::Scalar::Bool(_)) => Ok(active),
            Arg::Array(mask) | Arg::Foreign(mask) if mask.ty().is_mask_v() => {
                match common_size(&[mask.len(), self.state.len()]) {
                    Some(_) => Ok(active),
                    None => {
                        let sizes = vec![mask.len(), self.state.len()];
                        Err(Error::IncompatibleSizes { function, sizes })
                    }
                }
            }
            Arg::Failed(error) => Err(error.clone()),
            other => Err(refused(other.type_name())),
        }
    }

    /// 32 bits of each thread, and a step of those of a mask.
    fn bits(&mut self, step: Step, active: Arg) -> Result<AnyArray> {
        // The multiplier's inverse modulo 2^64.
        const INVERSE: u64 = 0xc097_ef87_329e_28a5;
        let before = self.state.clone();
        let after = match step {
            Step::Next => (&before * PCG32_MULTIPLIER + &self.inc).ok()?,
            Step::Previous => ((&before - &self.inc) * INVERSE).ok()?,
        };
        // A mask of the host chooses as a whole: as a number, 64 bits of the host would become a float.
        self.state = match active {
            Arg::Scalar(active) if active.to_bool() => after,
            Arg::Scalar(_) => before.clone(),
            active => crate::select(active, after, &before)?,
        };
        Pcg32::output(if step == Step::Next { &before } else { &self.state })
    }

    /// The 32 bits of a state.
    fn output(state: &AnyArray) -> Result<AnyArray> {
        let ty = state.ty().with_dtype(VarType::UInt32);
        let mixed = ((((state >> 18) ^ state) >> 27) & 0xffff_ffffu64).ok()?.cast_to(ty)?;
        let rotation = (state >> 59).ok()?.cast_to(ty)?;
        let back = ((32 - &rotation) & 31).ok()?;
        ((&mixed >> &rotation) | (&mixed << &back)).ok()
    }

    /// 32 random bits, UInt32.
    ///
    /// # Errors
    /// No memory.
    pub fn next_uint32(&mut self) -> Result<AnyArray> {
        self.draw(Step::Next, Draw::Bits(VarType::UInt32), true)
    }

    /// The bits of the step before, and one step back.
    ///
    /// # Errors
    /// No memory.
    pub fn prev_uint32(&mut self) -> Result<AnyArray> {
        self.draw(Step::Previous, Draw::Bits(VarType::UInt32), true)
    }

    /// 64 random bits, UInt64: two steps, the lower half first.
    ///
    /// # Errors
    /// No memory.
    pub fn next_uint64(&mut self) -> Result<AnyArray> {
        self.draw(Step::Next, Draw::Bits(VarType::UInt64), true)
    }

    /// Single-precision floats uniform in [0, 1), of 23 bits.
    ///
    /// # Errors
    /// No memory.
    pub fn next_float32(&mut self) -> Result<AnyArray> {
        self.draw(Step::Next, Draw::Uniform(VarType::Float32), true)
    }

    /// Double-precision floats uniform in [0, 1), of 32 bits.
    ///
    /// # Errors
    /// No memory.
    pub fn next_float64(&mut self) -> Result<AnyArray> {
        self.draw(Step::Next, Draw::Uniform(VarType::Float64), true)
    }

    /// Integers uniform in [0, `bound`), UInt32 or UInt64, for the threads of a mask, by rejection sampling: each of them takes as many steps
    /// as it needs. The others keep their state.
    ///
    /// ```
    /// use ivy_drjit::{Package, Pcg32, VarType};
    /// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
    /// let mut rng = Pcg32::new(Package::LLVM, 4)?;
    /// assert_eq!(rng.draw_bounded(6, VarType::UInt32, true)?.to_string(), "[0, 3, 3, 2]");
    /// # Ok::<(), ivy_drjit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a bound of 0, or of more bits than the type has; [`Error::NotSupported`] for another type.
    pub fn draw_bounded(&mut self, bound: u64, dtype: VarType, active: impl IntoArg) -> Result<AnyArray> {
        const NAME: &str = "draw_bounded";
        let (kind, active) = (Draw::Bits(dtype), self.mask(NAME, active.into_arg())?);
        // 2 to the power of the bits modulo the bound: from there on all remainders are equally likely.
        let threshold = match dtype {
            VarType::UInt32 if bound <= u64::from(u32::MAX) => (1u64 << 32).checked_rem(bound),
            VarType::UInt64 => bound.wrapping_neg().checked_rem(bound),
            VarType::UInt32 => None,
            _ => return Err(Error::NotSupported { function: NAME, ty: self.state.ty().with_dtype(dtype) }),
        };
        let Some(threshold) = threshold else {
            let (argument, rule) = ("bound", "a number of the type, at least 1");
            return Err(Error::InvalidArgument { function: NAME, argument, value: bound.to_string(), rule });
        };
        if bound.is_power_of_two() {
            return crate::bitwise_and(self.draw(Step::Next, kind, active)?, bound - 1);
        }
        let ty = self.state.ty();
        let active = match active {
            Arg::Scalar(active) => ty.with_dtype(VarType::Bool).full(active.to_bool(), self.state.len())?,
            active => ty.with_dtype(VarType::Bool).make(active)?,
        };
        let zeros = ty.with_dtype(dtype).zeros(active.len())?;
        let (_, rng, drawn) = while_loop(
            (active, self.clone(), zeros),
            |(active, _, _)| Ok(active.clone()),
            |(_, rng, _)| {
                let mut rng = rng.clone();
                let drawn = rng.draw(Step::Next, kind, true)?;
                Ok((crate::lt(&drawn, threshold)?, rng, drawn))
            },
            Mode::Auto,
        )?;
        *self = rng;
        crate::remainder(drawn, bound)
    }

    /// Jump-ahead: so many steps on, or back, in the time of the logarithm of their number (F. Brown 1994). An array has a number for each
    /// thread.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for what are no integers.
    pub fn advance(&mut self, steps: impl IntoArg) -> Result<()> {
        match steps.into_arg() {
            Arg::Scalar(ivy_core::Scalar::Int(steps)) => self.advance_all(steps as u64),
            Arg::Array(steps) if steps.ty().is_integral_v() => {
                let steps = self.state.ty().make(steps)?;
                self.advance_each(steps)
            }
            Arg::Failed(error) => Err(error),
            other => {
                let (function, argument, rule) = ("advance", "steps", "an integer, or an array of integers");
                Err(Error::InvalidArgument { function, argument, value: other.type_name(), rule })
            }
        }
    }

    fn advance_all(&mut self, steps: u64) -> Result<()> {
        let (mut left, mut multiplier, mut times) = (steps, PCG32_MULTIPLIER, 1u64);
        // What the increment has been multiplied by, of one step and of all.
        let (mut plus, mut sum) = (1u64, 0u64);
        while left > 0 {
            if left & 1 == 1 {
                times = times.wrapping_mul(multiplier);
                sum = sum.wrapping_mul(multiplier).wrapping_add(plus);
            }
            plus = multiplier.wrapping_add(1).wrapping_mul(plus);
            multiplier = multiplier.wrapping_mul(multiplier);
            left >>= 1;
        }
        self.state = (&self.state * times + &self.inc * sum).ok()?;
        Ok(())
    }

    fn advance_each(&mut self, steps: AnyArray) -> Result<()> {
        let ty = self.state.ty();
        let (_, (_, _), (times, sum)) = while_loop(
            (steps, (ty.make(PCG32_MULTIPLIER)?, ty.make(1)?), (ty.make(1)?, ty.make(0)?)),
            |(left, _, _)| crate::neq(left, 0),
            |(left, (multiplier, plus), (times, sum))| {
                let odd = crate::eq(left & 1, 1)?;
                let moved = ((times * multiplier).ok()?, (sum * multiplier + plus).ok()?);
                let chosen = (crate::select(&odd, moved.0, times)?, crate::select(&odd, moved.1, sum)?);
                let doubled = ((multiplier * multiplier).ok()?, ((multiplier + 1) * plus).ok()?);
                Ok(((left >> 1).ok()?, doubled, chosen))
            },
            Mode::Auto,
        )?;
        self.state = (&self.state * times + &self.inc * sum).ok()?;
        Ok(())
    }

    /// How many steps lead from another generator of the same sequences to this one, Int64: less than 0 where this one is behind.
    ///
    /// ```
    /// use ivy_drjit::{Package, Pcg32};
    /// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
    /// let begin = Pcg32::new(Package::LLVM, 2)?;
    /// let mut rng = begin.clone();
    /// rng.next_uint64()?;
    /// assert_eq!(rng.distance(&begin)?.to_string(), "[2, 2]");
    /// assert_eq!(begin.distance(&rng)?.to_string(), "[-2, -2]");
    /// # Ok::<(), ivy_drjit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a generator of other sequences: no number of steps leads to it.
    pub fn distance(&self, from: &Pcg32) -> Result<AnyArray> {
        const NAME: &str = "distance";
        let known = !crate::ad::is_recording();
        if known && crate::any(crate::neq(&self.inc, &from.inc)?, crate::Axis::All)?.to_bool()? {
            let (value, rule) = ("of other sequences".to_owned(), "of the same increments");
            return Err(Error::InvalidArgument { function: NAME, argument: "from", value, rule });
        }
        let ty = self.state.ty();
        let begin =
            (from.state.clone(), (ty.make(PCG32_MULTIPLIER)?, self.inc.clone()), (ty.make(0)?, ty.make(1)?));
        let (_, _, (distance, _)) = while_loop(
            begin,
            // The bit is 0 after all of them: a state is reached by then, or never.
            |(state, _, (_, bit))| (crate::neq(state, &self.state)? & crate::neq(bit, 0)?).ok(),
            |(state, (multiplier, plus), (distance, bit))| {
                let differs = crate::neq(&self.state & bit, state & bit)?;
                let state = crate::select(&differs, state * multiplier + plus, state)?;
                let distance = crate::select(&differs, distance | bit, distance)?;
                let doubled = ((multiplier * multiplier).ok()?, ((multiplier + 1) * plus).ok()?);
                Ok((state, doubled, (distance, (bit << 1).ok()?)))
            },
            Mode::Auto,
        )?;
        distance.cast_to(ty.with_dtype(VarType::Int64))
    }
}

/// Two halves as 64 bits.
fn joined(low: AnyArray, high: AnyArray) -> Result<AnyArray> {
    let ty = low.ty().with_dtype(VarType::UInt64);
    (low.cast_to(ty)? | (high.cast_to(ty)? << 32)).ok()
}

fn floats(bits: AnyArray, dtype: VarType) -> Result<AnyArray> {
    uniform(bits, if dtype == VarType::Float64 { 32 } else { 23 }, dtype)
}

/// The quantiles of the standard normal distribution at uniform numbers, which are kept off 0 and 1.
fn normal(bits: AnyArray, dtype: VarType) -> Result<AnyArray> {
    // Half the distance from 1 to the next number.
    let (computed, epsilon) = match dtype {
        VarType::Float64 => (VarType::Float64, f64::EPSILON / 2.0),
        _ => (VarType::Float32, f64::from(f32::EPSILON) / 2.0),
    };
    let value = crate::clip(floats(bits, computed)?, epsilon, 1.0 - epsilon)?;
    let made = (crate::erfinv(crate::fma(value, -2.0, 1.0)?)? * -std::f64::consts::SQRT_2).ok()?;
    made.cast_to(made.ty().with_dtype(dtype))
}
