//! Philox4x32.

use super::uniform;
use crate::array::{AnyArray, IntoArg};
use crate::types::{ArrayType, Kind, Package, Size, VarType};
use crate::{DrjitStruct, Error, Result};

/// The counter-based generator Philox4x32 (Salmon et al. 2011): the bits of a key, three counters of the caller and one that each draw
/// increments. Key and counters are its state in loops and conditionals.
#[derive(Clone, Debug, DrjitStruct)]
pub struct Philox4x32 {
    /// The key's upper and lower half, Array2u.
    pub seed: AnyArray,
    /// The caller's three counters and that of the draws, Array4u.
    pub counter: AnyArray,
    /// How many rounds the bits are mixed.
    #[drjit(skip)]
    pub iterations: u32,
}

/// The rounds, of which there are 4 to 10: each is traced.
fn check_iterations(iterations: u32) -> Result<u32> {
    let (function, argument, rule) = ("Philox4x32", "iterations", "4 to 10");
    let refused = || Error::InvalidArgument { function, argument, value: iterations.to_string(), rule };
    (4..=10).contains(&iterations).then_some(iterations).ok_or_else(refused)
}

/// The two normal numbers of a uniform angle and a uniform length.
fn normal_pair(angle: &AnyArray, length: &AnyArray) -> Result<[AnyArray; 2]> {
    let (sine, cosine) = crate::sincos(angle * std::f64::consts::TAU)?;
    let length = crate::sqrt(-crate::log2(1.0 - length)?)? * (2.0 * std::f64::consts::LN_2).sqrt();
    let length = length.ok()?;
    Ok([(cosine * &length).ok()?, (sine * &length).ok()?])
}

/// An array of so many entries.
fn nested<const N: usize>(function: &'static str, x: [AnyArray; N]) -> Result<AnyArray> {
    let ty = x[0].ty();
    let size = Size::Fixed(N as u8);
    let nested = ArrayType::nested(ty.package(), Kind::Array, &[size], ty.dtype());
    nested.ok_or(Error::NotSupported { function, ty })?.make(Vec::from(x))
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
        check_iterations(iterations)?;
        let ty = ArrayType::flat(package, VarType::UInt32);
        let seed = ty.with_dtype(VarType::UInt64).make(seed)?;
        let half = |x: crate::Expr| x.ok()?.cast_to(ty);
        let seed = nested("Philox4x32", [half(&seed >> 32)?, half(&seed & 0xffff_ffffu64)?])?;
        let [a, b, c] = counters.map(|x| ty.make(x));
        let counter = nested("Philox4x32", [a?, b?, c?, ty.make(0)?])?;
        Ok(Philox4x32 { seed, counter, iterations })
    }

    /// Sets the number of rounds.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for another number than 4 to 10: the rounds are as before.
    pub fn set_iterations(&mut self, iterations: u32) -> Result<()> {
        self.iterations = check_iterations(iterations)?;
        Ok(())
    }

    /// Four arrays of 32 random bits, Array4u.
    ///
    /// # Errors
    /// [`Error::NotSupported`] for a seed or counter that has been replaced by what is no Array2u or Array4u;
    /// [`Error::InvalidArgument`] for rounds that have been replaced by another number than 4 to 10.
    pub fn next_uint32x4(&mut self) -> Result<AnyArray> {
        const NAME: &str = "next_uint32x4";
        check_iterations(self.iterations)?;
        let [a, b, c, draw] = self.counter.entries() else {
            return Err(Error::NotSupported { function: NAME, ty: self.counter.ty() });
        };
        let [upper, lower] = self.seed.entries() else {
            return Err(Error::NotSupported { function: NAME, ty: self.seed.ty() });
        };
        let ty = a.ty();
        let mut key = [upper.clone(), lower.clone()];
        let mut x = [a, b, c, draw].map(Clone::clone);
        let next = (draw + 1).ok()?;
        self.counter = nested(NAME, [a.clone(), b.clone(), c.clone(), next])?;
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
        nested("next_uint32x4", x)
    }

    /// Four arrays of half-precision floats: those of [`next_float32x4`](Self::next_float32x4), rounded, so that 1 is among them.
    ///
    /// # Errors
    /// As [`next_uint32x4`](Self::next_uint32x4).
    pub fn next_float16x4(&mut self) -> Result<AnyArray> {
        uniform(self.next_uint32x4()?, 23, VarType::Float16)
    }

    /// Four arrays of single-precision floats uniform in [0, 1), of 23 bits.
    ///
    /// # Errors
    /// As [`next_uint32x4`](Self::next_uint32x4).
    pub fn next_float32x4(&mut self) -> Result<AnyArray> {
        uniform(self.next_uint32x4()?, 23, VarType::Float32)
    }

    /// Two arrays of double-precision floats uniform in [0, 1), of 52 bits.
    ///
    /// # Errors
    /// As [`next_uint32x4`](Self::next_uint32x4).
    pub fn next_float64x2(&mut self) -> Result<AnyArray> {
        uniform(self.next_uint64x2()?, 52, VarType::Float64)
    }

    /// Four arrays of half-precision normal numbers: those of [`next_float32x4_normal`](Self::next_float32x4_normal), rounded.
    ///
    /// # Errors
    /// As [`next_uint32x4`](Self::next_uint32x4).
    pub fn next_float16x4_normal(&mut self) -> Result<AnyArray> {
        let x = self.next_float32x4_normal()?;
        x.cast_to(x.ty().with_dtype(VarType::Float16))
    }

    /// Four arrays of normal single-precision numbers, by pairs of uniform ones (G. Box and M. Muller 1958).
    ///
    /// # Errors
    /// As [`next_uint32x4`](Self::next_uint32x4).
    pub fn next_float32x4_normal(&mut self) -> Result<AnyArray> {
        let x = self.next_float32x4()?;
        let [x, y, z, w] = x.entries() else {
            return Err(Error::NotSupported { function: "next_float32x4_normal", ty: x.ty() });
        };
        let ([a, b], [c, d]) = (normal_pair(x, z)?, normal_pair(y, w)?);
        nested("next_float32x4_normal", [a, b, c, d])
    }

    /// Two arrays of normal double-precision numbers.
    ///
    /// # Errors
    /// As [`next_uint32x4`](Self::next_uint32x4).
    pub fn next_float64x2_normal(&mut self) -> Result<AnyArray> {
        let x = self.next_float64x2()?;
        let [length, angle] = x.entries() else {
            return Err(Error::NotSupported { function: "next_float64x2_normal", ty: x.ty() });
        };
        x.ty().make(normal_pair(angle, length)?)
    }

    /// Two arrays of 64 random bits, Array2u64.
    ///
    /// # Errors
    /// As [`next_uint32x4`](Self::next_uint32x4).
    pub fn next_uint64x2(&mut self) -> Result<AnyArray> {
        const NAME: &str = "next_uint64x2";
        let x = self.next_uint32x4()?;
        let [a, b, c, d] = x.entries() else {
            return Err(Error::NotSupported { function: NAME, ty: x.ty() });
        };
        let whole = |x: &AnyArray| x.cast_to(x.ty().with_dtype(VarType::UInt64));
        let pair = |low: &AnyArray, high: &AnyArray| (whole(low)? | (whole(high)? << 32)).ok();
        nested(NAME, [pair(a, b)?, pair(c, d)?])
    }
}
