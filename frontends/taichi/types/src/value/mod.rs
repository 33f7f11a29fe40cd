//! Values of primitive types, and their casts.

mod half;
mod quant;

use crate::{PrimitiveType, Type, TypeError};
use std::fmt;

/// A number of a primitive type, held by its bits.
///
/// ```
/// use ivy_taichi_types::{Constant, PrimitiveType};
/// let three = Constant::float(PrimitiveType::F32, 3.99).cast(PrimitiveType::I32);
/// assert_eq!(three, Constant::int(PrimitiveType::I32, 3));
/// assert_eq!(Constant::int(PrimitiveType::I32, 300).cast(PrimitiveType::U8).to_i128(), 44);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Constant {
    ty: PrimitiveType,
    bits: u64,
}

impl Constant {
    /// A number of a type by its bits; those beyond its width are ignored.
    pub fn from_bits(ty: PrimitiveType, bits: u64) -> Constant {
        let mask = u64::MAX >> (64 - ty.bits());
        Constant { ty, bits: bits & mask }
    }

    /// An integer as a number of a type: it wraps in integers, is rounded to floats, and is true in u1 unless it is 0.
    pub fn int(ty: PrimitiveType, value: i128) -> Constant {
        match ty {
            PrimitiveType::U1 => Constant::from_bits(ty, u64::from(value != 0)),
            PrimitiveType::F16 => Constant::from_bits(ty, u64::from(half::from_i128(value))),
            PrimitiveType::F32 => Constant::from_bits(ty, u64::from((value as f32).to_bits())),
            PrimitiveType::F64 => Constant::from_bits(ty, (value as f64).to_bits()),
            _ => Constant::from_bits(ty, value as u64),
        }
    }

    /// A real number as a number of a type: it is rounded to floats, and in integers it loses its fraction and stops at the ends of the
    /// range (decision S17); NaN is 0 there. In u1 it is true unless it is 0.
    pub fn float(ty: PrimitiveType, value: f64) -> Constant {
        match (ty, ty.int_range()) {
            (PrimitiveType::U1, _) => Constant::from_bits(ty, u64::from(value != 0.0)),
            (_, Some((least, greatest))) => {
                // Beyond i128 the conversion stops at its ends, which are beyond every range.
                Constant::int(ty, (value as i128).clamp(least, greatest))
            }
            (PrimitiveType::F16, None) => Constant::from_bits(ty, u64::from(half::from_f64(value))),
            (PrimitiveType::F32, None) => Constant::from_bits(ty, u64::from((value as f32).to_bits())),
            (_, None) => Constant::from_bits(ty, value.to_bits()),
        }
    }

    /// The type.
    pub fn ty(self) -> PrimitiveType {
        self.ty
    }

    /// The bits, in the lower part.
    pub fn bits(self) -> u64 {
        self.bits
    }

    /// The value as a real number; integers of more than 53 bits are rounded.
    pub fn to_f64(self) -> f64 {
        match self.ty {
            PrimitiveType::F16 => half::to_f64(self.bits as u16),
            PrimitiveType::F32 => f64::from(f32::from_bits(self.bits as u32)),
            PrimitiveType::F64 => f64::from_bits(self.bits),
            _ => self.to_i128() as f64,
        }
    }

    /// The value as an integer; floats lose their fraction.
    pub fn to_i128(self) -> i128 {
        match self.ty.is_real() {
            true => self.to_f64() as i128,
            false if self.ty.is_signed() => {
                let unused = 64 - self.ty.bits();
                i128::from(((self.bits << unused) as i64) >> unused)
            }
            false => i128::from(self.bits),
        }
    }

    /// The value in another type (T-15): floats lose their fraction in integers and saturate, integers wrap, and floats are rounded once,
    /// halves to even.
    #[must_use]
    pub fn cast(self, to: PrimitiveType) -> Constant {
        match self.ty.is_real() {
            _ if self.ty == to => self,
            true => Constant::float(to, self.to_f64()),
            false => Constant::int(to, self.to_i128()),
        }
    }

    /// The same bits as another type (T-16).
    ///
    /// # Errors
    /// [`TypeError::Cast`] for types of different widths.
    pub fn bit_cast(self, to: PrimitiveType) -> Result<Constant, TypeError> {
        crate::type_of_bit_cast(self.ty.into(), Type::from(to))?;
        Ok(Constant { ty: to, bits: self.bits })
    }
}

/// The number alone.
impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ty.is_real() {
            // A float of the type's own width has the fewest digits that give it again.
            true if self.ty == PrimitiveType::F64 => write!(f, "{:?}", self.to_f64()),
            true => write!(f, "{:?}", self.to_f64() as f32),
            false => write!(f, "{}", self.to_i128()),
        }
    }
}

impl fmt::Debug for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({self})", self.ty)
    }
}
