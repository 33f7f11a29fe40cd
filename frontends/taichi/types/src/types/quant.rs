//! Quantised types: numbers of fewer bits than a machine's, and the words that they are packed in.

use super::{PrimitiveType, Type, TypeKind};
use crate::TypeError;
use std::fmt;

/// The widest quantised integer.
const MAX_BITS: u32 = 64;
/// The digits and exponent bits of f32, in which quantised floats are computed with.
const F32_DIGITS: u32 = 23;
const F32_EXPONENT: u32 = 8;

/// An integer of some bits (`ti.types.quant.int`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QuantInt {
    bits: u32,
    signed: bool,
    compute: PrimitiveType,
}

/// A number of fixed point (`ti.types.quant.fixed`): an integer times a scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QuantFixed {
    digits: QuantInt,
    scale: Scale,
    compute: PrimitiveType,
}

/// A number of floating point (`ti.types.quant.float`): its digits, of which one is the sign, and an unsigned exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QuantFloat {
    exponent: u32,
    digits: QuantInt,
    compute: PrimitiveType,
}

/// A positive finite factor; equal where the bits are.
#[derive(Clone, Copy, Debug)]
pub struct Scale(f64);

impl PartialEq for Scale {
    fn eq(&self, other: &Scale) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Eq for Scale {}

impl std::hash::Hash for Scale {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl Scale {
    /// The factor.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl QuantInt {
    /// An integer of 1 to 64 bits. It is computed with in `compute`, else in i32 or u32, or the 64-bit type where it needs more.
    ///
    /// # Errors
    /// [`TypeError::QuantBits`] for other widths, [`TypeError::ComputeType`] for a compute type that is no integer of its bits.
    pub fn new(bits: u32, signed: bool, compute: Option<PrimitiveType>) -> Result<QuantInt, TypeError> {
        if !(1..=MAX_BITS).contains(&bits) {
            return Err(TypeError::QuantBits { what: "integer", bits, max: MAX_BITS });
        }
        let default = match (bits > 32, signed) {
            (false, true) => PrimitiveType::I32,
            (false, false) => PrimitiveType::U32,
            (true, true) => PrimitiveType::I64,
            (true, false) => PrimitiveType::U64,
        };
        let compute = compute.unwrap_or(default);
        if compute.is_real() || compute.bits() < bits {
            return Err(TypeError::ComputeType { compute, rule: "an integer of as many bits or more" });
        }
        Ok(QuantInt { bits, signed, compute })
    }

    /// The number of bits.
    pub fn bits(self) -> u32 {
        self.bits
    }

    /// Whether it has a sign.
    pub fn is_signed(self) -> bool {
        self.signed
    }

    /// The type computed in.
    pub fn compute(self) -> PrimitiveType {
        self.compute
    }

    /// The least and the greatest value.
    pub fn range(self) -> (i128, i128) {
        match self.signed {
            true => (-(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1),
            false => (0, (1 << self.bits) - 1),
        }
    }
}

impl QuantFixed {
    /// A number of fixed point of some bits, whose values reach to about `max_value`: the scale is `max_value` over half the number of
    /// codes where it is signed, over all of them where it is not.
    ///
    /// # Errors
    /// [`TypeError::QuantBits`], [`TypeError::Scale`] for a scale that is not positive and finite, [`TypeError::ComputeType`] for a
    /// compute type that is no float.
    pub fn with_max(
        bits: u32,
        signed: bool,
        max_value: f64,
        compute: Option<PrimitiveType>,
    ) -> Result<QuantFixed, TypeError> {
        let digits = QuantInt::new(bits, signed, None)?;
        let codes = 2f64.powi((bits - u32::from(signed)) as i32);
        QuantFixed::of(digits, max_value / codes, compute)
    }

    /// A number of fixed point of some bits and a scale.
    ///
    /// # Errors
    /// As [`QuantFixed::with_max`].
    pub fn with_scale(
        bits: u32,
        signed: bool,
        scale: f64,
        compute: Option<PrimitiveType>,
    ) -> Result<QuantFixed, TypeError> {
        QuantFixed::of(QuantInt::new(bits, signed, None)?, scale, compute)
    }

    fn of(digits: QuantInt, scale: f64, compute: Option<PrimitiveType>) -> Result<QuantFixed, TypeError> {
        if !(scale.is_finite() && scale > 0.0) {
            return Err(TypeError::Scale { scale });
        }
        let compute = compute.unwrap_or(PrimitiveType::F32);
        if !compute.is_real() {
            return Err(TypeError::ComputeType { compute, rule: "a float" });
        }
        Ok(QuantFixed { digits, scale: Scale(scale), compute })
    }

    /// The integer that is stored.
    pub fn digits(self) -> QuantInt {
        self.digits
    }

    /// What a step of the integer is worth.
    pub fn scale(self) -> f64 {
        self.scale.get()
    }

    /// The type computed in.
    pub fn compute(self) -> PrimitiveType {
        self.compute
    }
}

impl QuantFloat {
    /// A number of `exponent` bits of exponent and `digits` bits of digits, one of which is the sign where it is signed.
    ///
    /// # Errors
    /// [`TypeError::QuantBits`] for more than 8 bits of exponent or 23 of digits beside the sign, which f32 has, and for none;
    /// [`TypeError::ComputeType`] for a compute type other than f32.
    pub fn new(
        exponent: u32,
        digits: u32,
        signed: bool,
        compute: Option<PrimitiveType>,
    ) -> Result<QuantFloat, TypeError> {
        if !(1..=F32_EXPONENT).contains(&exponent) {
            return Err(TypeError::QuantBits { what: "exponent", bits: exponent, max: F32_EXPONENT });
        }
        let sign = u32::from(signed);
        if !(1 + sign..=F32_DIGITS + sign).contains(&digits) {
            return Err(TypeError::QuantBits { what: "digits", bits: digits, max: F32_DIGITS + sign });
        }
        let compute = compute.unwrap_or(PrimitiveType::F32);
        if compute != PrimitiveType::F32 {
            return Err(TypeError::ComputeType { compute, rule: "f32" });
        }
        Ok(QuantFloat { exponent, digits: QuantInt::new(digits, signed, None)?, compute })
    }

    /// The bits of the exponent.
    pub fn exponent_bits(self) -> u32 {
        self.exponent
    }

    /// The digits as an integer, the sign among them.
    pub fn digits(self) -> QuantInt {
        self.digits
    }

    /// The digits without the sign.
    pub fn digit_bits(self) -> u32 {
        self.digits.bits - u32::from(self.digits.signed)
    }

    /// Whether it has a sign.
    pub fn is_signed(self) -> bool {
        self.digits.signed
    }

    /// The type computed in.
    pub fn compute(self) -> PrimitiveType {
        self.compute
    }
}

/// Where a quantised number stands in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitMember {
    /// Its type.
    pub ty: Type,
    /// The first bit of its digits.
    pub offset: u32,
    /// The first bit of its exponent, for a float; members of a group share one.
    pub exponent: Option<u32>,
    /// The group of floats that share an exponent, if it is in one.
    pub group: Option<u32>,
}

/// Quantised numbers in one word (`ti.BitpackedFields`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BitStruct {
    physical: PrimitiveType,
    members: Vec<BitMember>,
}

/// Quantised numbers of one type in one word (`quant_array`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QuantArray {
    physical: PrimitiveType,
    element: Type,
    len: u32,
}

/// The unsigned type of a word of so many bits.
fn word(bits: u32) -> Result<PrimitiveType, TypeError> {
    match bits {
        8 => Ok(PrimitiveType::U8),
        16 => Ok(PrimitiveType::U16),
        32 => Ok(PrimitiveType::U32),
        64 => Ok(PrimitiveType::U64),
        bits => Err(TypeError::WordBits { bits }),
    }
}

/// The bits of a quantised number's digits; floats have an exponent beside them.
fn digits_of(ty: Type) -> Result<(u32, Option<u32>), TypeError> {
    match ty.kind() {
        TypeKind::QuantInt(int) => Ok((int.bits(), None)),
        TypeKind::QuantFixed(fixed) => Ok((fixed.digits().bits(), None)),
        TypeKind::QuantFloat(float) => Ok((float.digits().bits(), Some(float.exponent_bits()))),
        _ => Err(TypeError::NotQuant { ty }),
    }
}

impl BitStruct {
    /// Packs numbers into a word of 8, 16, 32 or 64 bits, one behind the other from the least bit: of a float its exponent first. `groups`
    /// has the numbers of one call of `place` each, and whether they share an exponent.
    ///
    /// # Errors
    /// [`TypeError::WordBits`], [`TypeError::NotQuant`], [`TypeError::WordFull`] where they need more bits, and
    /// [`TypeError::SharedExponent`] for a group that is not of at least two floats of one exponent.
    pub fn pack(bits: u32, groups: &[(&[Type], bool)]) -> Result<BitStruct, TypeError> {
        let physical = word(bits)?;
        let (mut members, mut next) = (Vec::new(), 0u32);
        for (number, &(types, shared)) in groups.iter().enumerate() {
            let mut exponent = None;
            if shared {
                let width = shared_exponent(types)?;
                exponent = Some(next);
                next += width;
            }
            for &ty in types {
                let (digits, own) = digits_of(ty)?;
                let exponent = match (shared, own) {
                    (false, Some(width)) => {
                        next += width;
                        Some(next - width)
                    }
                    _ => exponent,
                };
                let group = shared.then_some(number as u32);
                members.push(BitMember { ty, offset: next, exponent, group });
                next += digits;
                if next > bits {
                    return Err(TypeError::WordFull { needed: next, bits });
                }
            }
        }
        Ok(BitStruct { physical, members })
    }

    /// The word.
    pub fn physical(&self) -> PrimitiveType {
        self.physical
    }

    /// The members, in the order of their bits.
    pub fn members(&self) -> &[BitMember] {
        &self.members
    }
}

/// The bits of the exponent that all of a group have.
fn shared_exponent(types: &[Type]) -> Result<u32, TypeError> {
    let width = |ty: &Type| digits_of(*ty).map(|(_, exponent)| exponent);
    let refuse = || TypeError::SharedExponent { types: types.to_vec() };
    let [first, _, ..] = types else { return Err(refuse()) };
    let own = width(first)?.ok_or_else(refuse)?;
    for ty in types {
        if width(ty)? != Some(own) {
            return Err(refuse());
        }
    }
    Ok(own)
}

impl QuantArray {
    /// As many numbers as `len` in a word of 8, 16, 32 or 64 bits.
    ///
    /// # Errors
    /// [`TypeError::WordBits`], [`TypeError::NotQuant`] for an element that is no quantised integer or number of fixed point,
    /// [`TypeError::WordFull`].
    pub fn new(bits: u32, element: Type, len: u32) -> Result<QuantArray, TypeError> {
        let physical = word(bits)?;
        let (digits, None) = digits_of(element)? else { return Err(TypeError::NotQuant { ty: element }) };
        let needed = digits.saturating_mul(len);
        if needed > bits {
            return Err(TypeError::WordFull { needed, bits });
        }
        Ok(QuantArray { physical, element, len })
    }

    /// The word.
    pub fn physical(self) -> PrimitiveType {
        self.physical
    }

    /// The type of the elements.
    pub fn element(self) -> Type {
        self.element
    }

    /// How many elements there are.
    pub fn len(self) -> u32 {
        self.len
    }

    /// Whether it has no elements.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

macro_rules! into_type {
    ($($name:ident)*) => {
        $(impl From<$name> for Type {
            fn from(value: $name) -> Type {
                Type::of(TypeKind::$name(value))
            }
        })*
    };
}
into_type!(QuantInt QuantFixed QuantFloat BitStruct QuantArray);

impl fmt::Display for QuantInt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "q{}{}", if self.signed { 'i' } else { 'u' }, self.bits)
    }
}

impl fmt::Display for QuantFixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "qfx(d={} c={} s={})", self.digits, self.compute, self.scale.get())
    }
}

impl fmt::Display for QuantFloat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "qfl(d={} e=qu{} c={})", self.digits, self.exponent, self.compute)
    }
}

impl fmt::Display for BitStruct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = |m: &BitMember| match m.exponent {
            Some(exponent) => format!("{}@{} exponent @{exponent}", m.ty, m.offset),
            None => format!("{}@{}", m.ty, m.offset),
        };
        let members: Vec<String> = self.members.iter().map(one).collect();
        write!(f, "bit_struct {}{{{}}}", self.physical, members.join(", "))
    }
}

impl fmt::Display for QuantArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "quant_array {}[{} x {}]", self.physical, self.len, self.element)
    }
}
