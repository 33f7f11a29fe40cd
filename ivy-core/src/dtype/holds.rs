//! Which dtypes hold every value of another.

use super::{Dtype, Kind};

impl Dtype {
    /// True if every value of `other` is a value of this dtype, infinities and NaN included.
    ///
    /// ```
    /// use ivy_core::Dtype;
    /// assert!(Dtype::FLOAT32.holds(Dtype::BFLOAT16) && Dtype::INT32.holds(Dtype::UINT16));
    /// assert!(!Dtype::FLOAT16.holds(Dtype::BFLOAT16) && !Dtype::FLOAT32.holds(Dtype::INT32));
    /// ```
    pub fn holds(self, other: Dtype) -> bool {
        if self == other {
            return true;
        }
        let (to, from) = (self.real_part().row(), other.real_part().row());
        // Bits of the greatest magnitude that is not a power of two, which needs a bit less.
        let digits = |d: Dtype| d.bits() as u32 - u32::from(d.kind() == Kind::Int);
        match (other.kind(), self.kind()) {
            (Kind::Bool, _) => true,
            (_, Kind::Bool) | (Kind::Complex, Kind::Int | Kind::Uint | Kind::Float) => false,
            (Kind::Float, Kind::Int | Kind::Uint) => false,
            (Kind::Int | Kind::Uint, Kind::Int | Kind::Uint) => {
                self.int_range().zip(other.int_range()).is_some_and(|(a, b)| a.0 <= b.0 && b.1 <= a.1)
            }
            (Kind::Int | Kind::Uint, Kind::Float | Kind::Complex) => {
                // The greatest exponent of the float is below half of 2 to its exponent bits.
                let exponents = 1u32 << (to.exponent_bits - 1);
                digits(other) <= u32::from(to.mantissa_bits) + 1 && digits(other) < exponents
            }
            (Kind::Float | Kind::Complex, Kind::Float | Kind::Complex) => {
                // The codes of floats that no array has are not all IEEE's, and their fields say little.
                (self.real_part().is_stored()
                    || !other.real_part().is_stored() && to.exponent_bits > from.exponent_bits)
                    && to.exponent_bits >= from.exponent_bits
                    && to.mantissa_bits >= from.mantissa_bits
            }
        }
    }

    /// The narrowest dtype of a set that [holds](Dtype::holds) every value of this one: itself
    /// if it is there, one of its own kind before others, integers before floats.
    pub fn widened_within(self, set: super::DtypeSet) -> Option<Dtype> {
        let foreign = |d: Dtype| match (self.kind(), d.kind()) {
            (a, b) if a == b => 0,
            (_, Kind::Int | Kind::Uint) => 1,
            (_, Kind::Float) => 2,
            _ => 3,
        };
        set.iter().filter(|d| d.holds(self)).min_by_key(|&d| (d != self, foreign(d), d.bits(), d.index()))
    }
}
