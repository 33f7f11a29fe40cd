//! Quantised numbers: from values to codes, and words of codes.

use super::Constant;
use crate::{
    BitMember, BitStruct, PrimitiveType, QuantArray, QuantFixed, QuantFloat, QuantInt, Type, TypeKind,
};

/// The digits of f32, and what its exponents are greater by than the powers of two.
const F32_DIGITS: u32 = 23;
const F32_BIAS: i32 = 127;

/// The lowest bits.
fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

impl QuantInt {
    /// The code of an integer, which wraps at the ends of the range.
    ///
    /// ```
    /// use ivy_taichi_types::QuantInt;
    /// let five = QuantInt::new(5, true, None)?;
    /// assert_eq!(five.decode(five.encode(17)), -15);
    /// # Ok::<(), ivy_taichi_types::TypeError>(())
    /// ```
    pub fn encode(self, value: i128) -> u64 {
        value as u64 & mask(self.bits())
    }

    /// The integer of a code.
    pub fn decode(self, code: u64) -> i128 {
        let unused = 64 - self.bits();
        match self.is_signed() {
            true => i128::from(((code << unused) as i64) >> unused),
            false => i128::from(code & mask(self.bits())),
        }
    }
}

impl QuantFixed {
    /// The code of a number: the nearest multiple of the scale, halves away from 0, computed in the compute type. Beyond the range the code
    /// wraps, as that of an integer.
    pub fn encode(self, value: f64) -> u64 {
        let in_type = |value: f64| Constant::float(self.compute(), value).to_f64();
        let scaled = in_type(in_type(value) * in_type(1.0 / self.scale()));
        self.digits().encode(i128::from(scaled.round() as i64))
    }

    /// The number of a code, in the compute type.
    pub fn decode(self, code: u64) -> f64 {
        let in_type = |value: f64| Constant::float(self.compute(), value).to_f64();
        in_type(in_type(self.digits().decode(code) as f64) * in_type(self.scale()))
    }
}

/// The parts of a finite number of single precision: a sign, and 24 digits times a power of two.
struct Parts {
    negative: bool,
    digits: u64,
    power: i32,
}

/// `None` for 0 and what is no number.
fn parts(value: f32) -> Option<Parts> {
    let value = value.clamp(f32::MIN, f32::MAX);
    if value == 0.0 || value.is_nan() {
        return None;
    }
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> F32_DIGITS & 0xff) as i32, u64::from(bits) & mask(F32_DIGITS));
    let digits = if exponent == 0 { fraction } else { fraction | 1 << F32_DIGITS };
    Some(Parts { negative: value < 0.0, digits, power: exponent.max(1) - F32_BIAS - F32_DIGITS as i32 })
}

impl Parts {
    /// The exponent of the first digit.
    fn exponent(&self) -> i32 {
        self.power + 63 - self.digits.leading_zeros() as i32
    }

    /// How many times 2 to the power `unit` the number is, to the nearest, halves away from 0.
    fn in_units_of(&self, unit: i32) -> u64 {
        match self.power - unit {
            up @ 0..=39 => self.digits << up,
            40.. => u64::MAX,
            down @ -25..=-1 => (self.digits + (1 << (-down - 1))) >> -down,
            _ => 0,
        }
    }
}

impl QuantFloat {
    /// What codes of exponents are less by than the powers of two.
    pub fn bias(self) -> i32 {
        (1 << (self.exponent_bits() - 1)) - 1
    }

    /// The greatest code of an exponent; that of f32's infinity is none.
    pub fn greatest(self) -> i32 {
        let all = (1 << self.exponent_bits()) - 1;
        all.min(F32_BIAS + self.bias())
    }

    /// The codes of exponent and digits: the nearest number, halves away from 0. What is below the least power of two is 0 (code 0 of the
    /// exponent), what is beyond the greatest number is that number. NaN is 0, and so is a negative number without a sign.
    pub fn encode(self, value: f32) -> (u64, u64) {
        let digit_bits = self.digit_bits();
        let Some(parts) = parts(value).filter(|parts| self.is_signed() || !parts.negative) else {
            return (0, 0);
        };
        // Numbers that are not normal, which no code of an exponent is for, have their digits where the least normal one has.
        let mut exponent = parts.exponent().max(1 - F32_BIAS);
        let mut digits = parts.in_units_of(exponent - digit_bits as i32);
        if digits >> (digit_bits + 1) != 0 {
            (exponent, digits) = (exponent + 1, digits >> 1);
        }
        if digits >> digit_bits == 0 {
            return (0, 0);
        }
        let code = exponent + self.bias();
        let sign = u64::from(parts.negative) << digit_bits;
        match code {
            ..=0 => (0, 0),
            code if code > self.greatest() => (self.greatest() as u64, sign | mask(digit_bits)),
            code => (code as u64, sign | (digits & mask(digit_bits))),
        }
    }

    /// The number of the codes of exponent and digits.
    pub fn decode(self, exponent: u64, digits: u64) -> f32 {
        let digit_bits = self.digit_bits();
        let fraction = digits & mask(digit_bits);
        let own = exponent & mask(self.exponent_bits());
        if own == 0 {
            return 0.0;
        }
        let magnitude = (fraction | 1 << digit_bits) as f64;
        self.signed(magnitude, own, digits)
    }

    /// The code of the exponent that numbers share, and those of their digits, the first of which is not left out here: the exponent is that
    /// of the greatest, and each number the nearest, halves away from 0.
    pub fn encode_shared(self, values: &[f32]) -> (u64, Vec<u64>) {
        let digit_bits = self.digit_bits();
        let own = |&value: &f32| parts(value).filter(|parts| self.is_signed() || !parts.negative);
        let all: Vec<Option<Parts>> = values.iter().map(own).collect();
        let Some(mut exponent) = all.iter().flatten().map(Parts::exponent).max() else {
            return (0, vec![0; values.len()]);
        };
        let unit = |exponent: i32| exponent + 1 - digit_bits as i32;
        if all.iter().flatten().any(|parts| parts.in_units_of(unit(exponent)) > mask(digit_bits)) {
            exponent += 1;
        }
        let code = exponent + self.bias();
        if code <= 0 {
            return (0, vec![0; values.len()]);
        }
        let code = code.min(self.greatest()) as u64;
        (code, values.iter().map(|&value| self.digits_at(code, value)).collect())
    }

    /// The code of a number's digits beside the code of a shared exponent.
    fn digits_at(self, exponent: u64, value: f32) -> u64 {
        let digit_bits = self.digit_bits();
        let own = parts(value).filter(|parts| exponent != 0 && (self.is_signed() || !parts.negative));
        let Some(parts) = own else { return 0 };
        let unit = exponent as i32 - self.bias() + 1 - digit_bits as i32;
        let magnitude = parts.in_units_of(unit).min(mask(digit_bits));
        // Nothing has no sign.
        let sign = u64::from(parts.negative && magnitude != 0) << digit_bits;
        sign | magnitude
    }

    /// The number of the codes of a shared exponent and digits.
    pub fn decode_shared(self, exponent: u64, digits: u64) -> f32 {
        let own = exponent & mask(self.exponent_bits());
        let magnitude = (digits & mask(self.digit_bits())) as f64 * 2.0;
        if own == 0 || magnitude == 0.0 { 0.0 } else { self.signed(magnitude, own, digits) }
    }

    /// A magnitude of which the first digit is worth 2 to the power of the exponent's code, less the bias.
    fn signed(self, magnitude: f64, exponent: u64, digits: u64) -> f32 {
        let negative = self.is_signed() && digits >> self.digit_bits() & 1 == 1;
        let power = exponent as i32 - self.bias() - self.digit_bits() as i32;
        let value = magnitude * 2f64.powi(power);
        (if negative { -value } else { value }) as f32
    }
}

/// A number of a word, as its compute type.
fn decode(ty: Type, digits: u64, exponent: Option<(u64, bool)>) -> Option<Constant> {
    Some(match (ty.kind(), exponent) {
        (TypeKind::QuantInt(int), _) => Constant::int(int.compute(), int.decode(digits)),
        (TypeKind::QuantFixed(fixed), _) => Constant::float(fixed.compute(), fixed.decode(digits)),
        (TypeKind::QuantFloat(float), Some((code, shared))) => {
            let value = if shared { float.decode_shared(code, digits) } else { float.decode(code, digits) };
            Constant::float(float.compute(), f64::from(value))
        }
        _ => return None,
    })
}

/// The code of a number that has no exponent.
fn encode(ty: Type, value: Constant) -> Option<u64> {
    match ty.kind() {
        TypeKind::QuantInt(int) => Some(int.encode(value.cast(int.compute()).to_i128())),
        TypeKind::QuantFixed(fixed) => Some(fixed.encode(value.to_f64())),
        _ => None,
    }
}

fn get(word: u64, offset: u32, bits: u32) -> u64 {
    word >> offset & mask(bits)
}

fn put(word: u64, offset: u32, bits: u32, code: u64) -> u64 {
    word & !(mask(bits) << offset) | (code & mask(bits)) << offset
}

/// The float that a member is, and where its exponent stands.
fn float_of(member: &BitMember) -> Option<(QuantFloat, u32)> {
    match member.ty.kind() {
        TypeKind::QuantFloat(float) => Some((*float, member.exponent?)),
        _ => None,
    }
}

impl BitStruct {
    /// The value of a member in a word, of its compute type; `None` for a member that is not there.
    pub fn load(&self, word: u64, member: usize) -> Option<Constant> {
        let own = self.members().get(member)?;
        let bits = width(own.ty)?;
        let exponent =
            float_of(own).map(|(float, at)| (get(word, at, float.exponent_bits()), own.group.is_some()));
        decode(own.ty, get(word, own.offset, bits), exponent)
    }

    /// The word with another value of a member. The members that share an exponent with it are encoded anew, so that they may lose digits.
    /// `None` for a member that is not there.
    pub fn store(&self, word: u64, member: usize, value: Constant) -> Option<u64> {
        let own = self.members().get(member)?;
        let Some((float, at)) = float_of(own) else {
            return Some(put(word, own.offset, width(own.ty)?, encode(own.ty, value)?));
        };
        let single = value.cast(PrimitiveType::F32).to_f64() as f32;
        if own.group.is_none() {
            let (exponent, digits) = float.encode(single);
            let word = put(word, at, float.exponent_bits(), exponent);
            return Some(put(word, own.offset, float.digits().bits(), digits));
        }
        let group: Vec<usize> =
            (0..self.members().len()).filter(|&other| self.members()[other].group == own.group).collect();
        let values: Option<Vec<f32>> =
            group
                .iter()
                .map(|&other| {
                    if other == member { Some(single) } else { Some(self.load(word, other)?.to_f64() as f32) }
                })
                .collect();
        Some(self.store_group(word, &group, &values?))
    }

    /// The word with other values of all its members, in order; `None` for another number of values. Numbers that share an exponent are
    /// encoded together.
    pub fn store_all(&self, values: &[Constant]) -> Option<u64> {
        if values.len() != self.members().len() {
            return None;
        }
        let mut word = 0;
        for (member, own) in self.members().iter().enumerate() {
            let group: Vec<usize> = match own.group {
                None => {
                    word = self.store(word, member, values[member])?;
                    continue;
                }
                Some(group) => {
                    (0..values.len()).filter(|&m| self.members()[m].group == Some(group)).collect()
                }
            };
            if group.first() == Some(&member) {
                let single = |&m: &usize| values[m].cast(PrimitiveType::F32).to_f64() as f32;
                word = self.store_group(word, &group, &group.iter().map(single).collect::<Vec<_>>());
            }
        }
        Some(word)
    }

    /// The word with other values of a group, whose members have one exponent and digits of their own widths.
    fn store_group(&self, mut word: u64, group: &[usize], values: &[f32]) -> u64 {
        let float = |&m: &usize| Some((self.members()[m].offset, float_of(&self.members()[m])?));
        let members: Vec<_> = group.iter().filter_map(float).collect();
        // A number without a sign asks for no exponent where it is negative.
        let own = |((_, (float, _)), &value): (&(u32, (QuantFloat, u32)), &f32)| {
            if float.is_signed() || value >= 0.0 { value } else { 0.0 }
        };
        let values: &[f32] = &members.iter().zip(values).map(own).collect::<Vec<f32>>();
        // The exponent that every member needs, each for its digits: the greatest serves all.
        let codes = members.iter().map(|(_, (float, _))| float.encode_shared(values).0);
        let Some(exponent) = codes.max() else { return word };
        for ((offset, (float, at)), &value) in members.into_iter().zip(values) {
            let digits = float.digits_at(exponent, value);
            word = put(word, at, float.exponent_bits(), exponent);
            word = put(word, offset, float.digits().bits(), digits);
        }
        word
    }
}

impl QuantArray {
    /// The value of an element in a word, of its compute type; `None` for an element that is not there.
    pub fn load(self, word: u64, element: u32) -> Option<Constant> {
        let bits = width(self.element())?;
        let at = element.checked_mul(bits).filter(|_| element < self.len())?;
        decode(self.element(), get(word, at, bits), None)
    }

    /// The word with another value of an element; `None` for an element that is not there.
    pub fn store(self, word: u64, element: u32, value: Constant) -> Option<u64> {
        let bits = width(self.element())?;
        let at = element.checked_mul(bits).filter(|_| element < self.len())?;
        Some(put(word, at, bits, encode(self.element(), value)?))
    }
}

/// The bits of a number's digits.
fn width(ty: Type) -> Option<u32> {
    match ty.kind() {
        TypeKind::QuantInt(int) => Some(int.bits()),
        TypeKind::QuantFixed(fixed) => Some(fixed.digits().bits()),
        TypeKind::QuantFloat(float) => Some(float.digits().bits()),
        _ => None,
    }
}
