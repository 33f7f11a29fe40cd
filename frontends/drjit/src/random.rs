//! Random numbers: PCG32 and Philox4x32, bit for bit those of Dr.Jit on every backend.

use crate::array::{AnyArray, IntoArg};
use crate::types::{ArrayType, Kind, Package, VarType};
use crate::{DrjitStruct, Error, Result};

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

/// Bits of the top of 32 as a number from 0 to below 1.
fn unit(bits: AnyArray, kept: u32, dtype: VarType) -> Result<AnyArray> {
    let top = crate::right_shift(bits, 32 - kept)?;
    let ty = top.ty().with_dtype(dtype);
    crate::multiply(top.cast_to(ty)?, 0.5f64.powi(kept as i32))
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

    fn step(&mut self) -> Result<AnyArray> {
        let next = (&self.state * PCG32_MULTIPLIER + &self.inc).ok()?;
        Ok(std::mem::replace(&mut self.state, next))
    }

    /// The 32 bits of a state.
    fn output(state: &AnyArray) -> Result<AnyArray> {
        let ty = state.ty().with_dtype(VarType::UInt32);
        let mixed = ((((state >> 18) ^ state) >> 27) & 0xffff_ffffu64).ok()?.cast_to(ty)?;
        let turn = (state >> 59).ok()?.cast_to(ty)?;
        let back = ((32 - &turn) & 31).ok()?;
        ((&mixed >> &turn) | (&mixed << &back)).ok()
    }

    /// 32 random bits.
    ///
    /// # Errors
    /// No memory.
    pub fn next_uint32(&mut self) -> Result<AnyArray> {
        let state = self.step()?;
        Pcg32::output(&state)
    }

    /// The bits before, and one step back.
    ///
    /// # Errors
    /// No memory.
    pub fn prev_uint32(&mut self) -> Result<AnyArray> {
        // The multiplier's inverse modulo 2^64.
        const INVERSE: u64 = 0xc097_ef87_329e_28a5;
        self.state = ((&self.state - &self.inc) * INVERSE).ok()?;
        Pcg32::output(&self.state)
    }

    /// 64 random bits: two steps, the lower half first.
    ///
    /// # Errors
    /// No memory.
    pub fn next_uint64(&mut self) -> Result<AnyArray> {
        let wide = |x: AnyArray| x.cast_to(x.ty().with_dtype(VarType::UInt64));
        let low = wide(self.next_uint32()?)?;
        let high = wide(self.next_uint32()?)?;
        (low | (high << 32)).ok()
    }

    /// A single-precision number from 0 to below 1, of 23 bits.
    ///
    /// # Errors
    /// No memory.
    pub fn next_float32(&mut self) -> Result<AnyArray> {
        unit(self.next_uint32()?, 23, VarType::Float32)
    }

    /// A double-precision number from 0 to below 1, of 32 bits.
    ///
    /// # Errors
    /// No memory.
    pub fn next_float64(&mut self) -> Result<AnyArray> {
        unit(self.next_uint32()?, 32, VarType::Float64)
    }

    /// So many steps on, or back, in the time of the logarithm (F. Brown 1994).
    ///
    /// # Errors
    /// No memory.
    pub fn advance(&mut self, steps: i64) -> Result<()> {
        let (mut left, mut multiplier, mut times) = (steps as u64, PCG32_MULTIPLIER, 1u64);
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
}

/// The counter-based generator Philox4x32 (Salmon et al. 2011): the bits of a key, three counters of the caller and one that each draw
/// increments. Key and counters are its state in loops and conditionals.
#[derive(Clone, Debug, DrjitStruct)]
pub struct Philox4x32 {
    /// The key, UInt64.
    pub seed: AnyArray,
    /// The caller's three counters and that of the draws, Array4u.
    pub counter: AnyArray,
    /// How many rounds the bits are mixed.
    #[drjit(skip)]
    pub iterations: u32,
}

/// The two normal numbers of a uniform angle and a uniform length.
fn normal_pair(angle: &AnyArray, length: &AnyArray) -> Result<[AnyArray; 2]> {
    let (sine, cosine) = crate::sincos(angle * std::f64::consts::TAU)?;
    let length = crate::sqrt(-crate::log2(1.0 - length)?)? * (2.0 * std::f64::consts::LN_2).sqrt();
    let length = length.ok()?;
    Ok([(cosine * &length).ok()?, (sine * &length).ok()?])
}

/// An array of four.
fn array_of_four(function: &'static str, x: [AnyArray; 4]) -> Result<AnyArray> {
    let ty = x[0].ty();
    let four = ArrayType::nested(ty.package(), Kind::Array, &[crate::Size::Fixed(4)], ty.dtype());
    four.ok_or(Error::NotSupported { function, ty })?.make(Vec::from(x))
}

impl Philox4x32 {
    /// A generator of a key and counters, of 4 to 10 rounds; 7 by Dr.Jit's default.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for another number of rounds.
    pub fn new(
        package: Package,
        seed: impl IntoArg,
        counters: [crate::Arg; 3],
        iterations: u32,
    ) -> Result<Philox4x32> {
        if !(4..=10).contains(&iterations) {
            let (function, argument, rule) = ("Philox4x32", "iterations", "4 to 10");
            return Err(Error::InvalidArgument { function, argument, value: iterations.to_string(), rule });
        }
        let seed = ArrayType::flat(package, VarType::UInt64).make(seed)?;
        let ty = ArrayType::flat(package, VarType::UInt32);
        let [a, b, c] = counters.map(|x| ty.make(x));
        let counter = array_of_four("Philox4x32", [a?, b?, c?, ty.make(0)?])?;
        Ok(Philox4x32 { seed, counter, iterations })
    }

    /// Four arrays of 32 random bits.
    ///
    /// # Errors
    /// [`Error::NotSupported`] for a counter that has been replaced by what is no Array4u.
    pub fn next_uint32x4(&mut self) -> Result<AnyArray> {
        let [a, b, c, draw] = self.counter.entries() else {
            return Err(Error::NotSupported { function: "next_uint32x4", ty: self.counter.ty() });
        };
        let ty = a.ty();
        let half = |x: crate::Expr| x.ok()?.cast_to(ty);
        // The upper half of the seed is the first half of the key.
        let mut key = [half(&self.seed >> 32)?, half(&self.seed & 0xffff_ffffu64)?];
        let mut x = [a, b, c, draw].map(Clone::clone);
        let next = (draw + 1).ok()?;
        self.counter = array_of_four("next_uint32x4", [a.clone(), b.clone(), c.clone(), next])?;
        let ([first, second], weyl) = ivy_core::PHILOX_CONSTANTS;
        for _ in 0..self.iterations {
            let high = |x: &AnyArray, by: u32| crate::mul_hi(x, ty.make(by)?);
            x = [
                (high(&x[2], second)? ^ &x[1] ^ &key[0]).ok()?,
                (&x[2] * second).ok()?,
                (high(&x[0], first)? ^ &x[3] ^ &key[1]).ok()?,
                (&x[0] * first).ok()?,
            ];
            key = [(&key[0] + weyl[0]).ok()?, (&key[1] + weyl[1]).ok()?];
        }
        array_of_four("next_uint32x4", x)
    }

    /// Four arrays of single-precision numbers from 0 to below 1, of 23 bits.
    ///
    /// # Errors
    /// No memory.
    pub fn next_float32x4(&mut self) -> Result<AnyArray> {
        unit(self.next_uint32x4()?, 23, VarType::Float32)
    }

    /// Two arrays of double-precision numbers from 0 to below 1, of 52 bits.
    ///
    /// # Errors
    /// No memory.
    pub fn next_float64x2(&mut self) -> Result<AnyArray> {
        let top = crate::right_shift(self.next_uint64x2()?, 12)?;
        let ty = top.ty().with_dtype(VarType::Float64);
        crate::multiply(top.cast_to(ty)?, 0.5f64.powi(52))
    }

    /// Four arrays of normal single-precision numbers, by pairs of uniform ones (G. Box and M. Muller 1958).
    ///
    /// # Errors
    /// No memory.
    pub fn next_float32x4_normal(&mut self) -> Result<AnyArray> {
        let x = self.next_float32x4()?;
        let [x, y, z, w] = x.entries() else {
            return Err(Error::NotSupported { function: "next_float32x4_normal", ty: x.ty() });
        };
        let ([a, b], [c, d]) = (normal_pair(x, z)?, normal_pair(y, w)?);
        array_of_four("next_float32x4_normal", [a, b, c, d])
    }

    /// Two arrays of normal double-precision numbers.
    ///
    /// # Errors
    /// No memory.
    pub fn next_float64x2_normal(&mut self) -> Result<AnyArray> {
        let x = self.next_float64x2()?;
        let [length, angle] = x.entries() else {
            return Err(Error::NotSupported { function: "next_float64x2_normal", ty: x.ty() });
        };
        x.ty().make(normal_pair(angle, length)?)
    }

    /// Two arrays of 64 random bits.
    ///
    /// # Errors
    /// No memory.
    pub fn next_uint64x2(&mut self) -> Result<AnyArray> {
        let x = self.next_uint32x4()?;
        let wide = |i: usize| x.entries()[i].cast_to(x.ty().leaf().with_dtype(VarType::UInt64));
        let pair = |low: usize| (wide(low)? | (wide(low + 1)? << 32)).ok();
        let two = ArrayType::nested(x.ty().package(), Kind::Array, &[crate::Size::Fixed(2)], VarType::UInt64);
        two.ok_or(Error::NotSupported { function: "next_uint64x2", ty: x.ty() })?.make((pair(0), pair(2)))
    }
}

/// The elements of a flat array in a random order, the same for one seed on every backend: in that of the bits of [`Philox4x32`], of which equal ones
/// keep their order.
///
/// # Errors
/// [`Error::WrongType`] for what is no flat array.
pub fn shuffle(x: impl IntoArg, seed: u64) -> Result<AnyArray> {
    let x = crate::ops::array("shuffle", x.into_arg())?;
    if x.ty().kind() != Kind::Flat {
        let (function, argument, expected) = ("shuffle", "the array", "a flat array".into());
        return Err(Error::WrongType { function, argument, expected, actual: x.ty() });
    }
    let package = x.ty().package();
    let place = ArrayType::flat(package, VarType::UInt32).counter(x.len())?;
    let mut rng = Philox4x32::new(package, seed, [place.into_arg(), 0.into_arg(), 0.into_arg()], 10)?;
    let bits = rng.next_uint64x2()?;
    let order = crate::argsort(&bits.entries()[0])?;
    crate::gather(x.ty(), &x, order, true)
}
