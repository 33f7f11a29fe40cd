//! Codes of quantised numbers as statements: what `ivy_taichi_types` computes of values on the host, bit for bit.

use super::edit::Edit;
use crate::ir::{Code, Data, Id};
use ivy_taichi_types::{
    BinaryOp, BitMember, PrimitiveType, QuantFixed, QuantFloat, QuantInt, Type, TypeKind,
};

const U32: PrimitiveType = PrimitiveType::U32;
const I64: PrimitiveType = PrimitiveType::I64;
const F32: PrimitiveType = PrimitiveType::F32;
/// The digits of f32, and what its exponents are greater by than the powers of two.
const F32_DIGITS: u32 = 23;
const F32_BIAS: i32 = 127;
/// The bits of f32 without the sign, and those of its greatest number.
const MAGNITUDE: u64 = 0x7fff_ffff;
const GREATEST: u64 = 0x7f7f_ffff;
const INFINITY: u64 = 0x7f80_0000;

/// The lowest bits.
pub fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

/// Where a number stands in a word: its first bit is known, or a value of the kernel.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// So many bits from the least.
    Bit(u32),
    /// As many bits as a value of the word's type says.
    Late(Id),
}

/// The statements of a word: an unsigned number of 32 or 64 bits.
pub struct Words<'e, 'ir> {
    /// Where statements are written.
    pub edit: &'e mut Edit<'ir>,
    /// The word's type.
    pub word: PrimitiveType,
}

impl Words<'_, '_> {
    fn number(&mut self, bits: u64) -> Id {
        self.edit.constant(self.word, bits)
    }

    fn of_two(&mut self, op: BinaryOp, x: Id, y: Id) -> Id {
        let ty = self.edit.ir.statement(x).ty.unwrap_or(self.word);
        self.edit.binary(op, ty, x, y)
    }

    fn with(&mut self, op: BinaryOp, x: Id, bits: u64) -> Id {
        let ty = self.edit.ir.statement(x).ty.unwrap_or(self.word);
        let y = self.edit.constant(ty, bits);
        self.edit.binary(op, ty, x, y)
    }

    fn asks(&mut self, op: BinaryOp, x: Id, y: Id) -> Id {
        self.edit.binary(op, PrimitiveType::U1, x, y)
    }

    fn choose(&mut self, condition: Id, x: Id, y: Id) -> Id {
        let ty = self.edit.ir.statement(x).ty;
        self.edit.push(Code::Select, ty, &[condition, x, y], Data::None)
    }

    fn shift(&mut self, op: BinaryOp, x: Id, by: Place) -> Id {
        match by {
            Place::Bit(0) => x,
            Place::Bit(bits) => self.with(op, x, u64::from(bits)),
            Place::Late(bits) => self.of_two(op, x, bits),
        }
    }

    /// A real number that is a constant.
    fn real(&mut self, ty: PrimitiveType, value: f64) -> Id {
        match ty {
            PrimitiveType::F64 => self.edit.constant(ty, value.to_bits()),
            _ => {
                let single = self.edit.constant(F32, u64::from((value as f32).to_bits()));
                self.edit.cast(single, ty)
            }
        }
    }

    /// So many bits of a word, at a place.
    pub fn get(&mut self, word: Id, at: Place, bits: u32) -> Id {
        let low = self.shift(BinaryOp::BitShr, word, at);
        if bits == self.word.bits() { low } else { self.with(BinaryOp::BitAnd, low, mask(bits)) }
    }

    /// A word with other bits at a place.
    pub fn put(&mut self, word: Id, at: Place, bits: u32, code: Id) -> Id {
        let (low, code) = (self.number(mask(bits)), self.edit.cast(code, self.word));
        let code = self.of_two(BinaryOp::BitAnd, code, low);
        let code = self.shift(BinaryOp::BitShl, code, at);
        let there = self.shift(BinaryOp::BitShl, low, at);
        let others = self.with(BinaryOp::BitXor, there, mask(self.word.bits()));
        let kept = self.of_two(BinaryOp::BitAnd, word, others);
        self.of_two(BinaryOp::BitOr, kept, code)
    }

    /// The number of a type at a place of a word; a float's exponent has a place of its own, which members of a group share.
    pub fn load(&mut self, word: Id, ty: Type, at: Place, exponent: Option<(u32, bool)>) -> Option<Id> {
        Some(match ty.kind() {
            TypeKind::QuantInt(int) => {
                let code = self.integer(word, *int, at);
                self.edit.cast(code, int.compute())
            }
            TypeKind::QuantFixed(fixed) => self.fixed(word, *fixed, at),
            TypeKind::QuantFloat(float) => {
                let (from, shared) = exponent?;
                let own = self.get(word, Place::Bit(from), float.exponent_bits());
                let digits = self.get(word, at, float.digits().bits());
                let [own, digits] = [own, digits].map(|part| self.edit.cast(part, U32));
                if shared { self.shared(*float, own, digits) } else { self.float(*float, own, digits) }
            }
            _ => return None,
        })
    }

    /// A word with another number of a type that has no exponent which others share.
    pub fn store(&mut self, word: Id, ty: Type, at: Place, exponent: Option<u32>, value: Id) -> Option<Id> {
        Some(match ty.kind() {
            TypeKind::QuantInt(int) => self.put(word, at, int.bits(), value),
            TypeKind::QuantFixed(fixed) => {
                let code = self.fixed_code(*fixed, value);
                self.put(word, at, fixed.digits().bits(), code)
            }
            TypeKind::QuantFloat(float) => {
                let (exponent, own) = (exponent?, *float);
                let (code, digits) = self.float_codes(own, value);
                let word = self.put(word, Place::Bit(exponent), own.exponent_bits(), code);
                self.put(word, at, own.digits().bits(), digits)
            }
            _ => return None,
        })
    }

    /// An integer's code, with its sign.
    fn integer(&mut self, word: Id, int: QuantInt, at: Place) -> Id {
        if !int.is_signed() {
            return self.get(word, at, int.bits());
        }
        let low = self.shift(BinaryOp::BitShr, word, at);
        let unused = self.word.bits() - int.bits();
        let signed = if self.word.bits() == 64 { I64 } else { PrimitiveType::I32 };
        let code = self.edit.cast(low, signed);
        let up = self.shift(BinaryOp::BitShl, code, Place::Bit(unused));
        self.shift(BinaryOp::BitSar, up, Place::Bit(unused))
    }

    fn fixed(&mut self, word: Id, fixed: QuantFixed, at: Place) -> Id {
        let code = self.integer(word, fixed.digits(), at);
        // As the host: a code of more bits than a double has is rounded to one first.
        let code = if fixed.digits().bits() > f64::MANTISSA_DIGITS {
            self.edit.cast(code, PrimitiveType::F64)
        } else {
            code
        };
        let number = self.edit.cast(code, fixed.compute());
        let scale = self.real(fixed.compute(), fixed.scale());
        self.of_two(BinaryOp::Mul, number, scale)
    }

    /// The nearest multiple of the scale, halves away from 0.
    fn fixed_code(&mut self, fixed: QuantFixed, value: Id) -> Id {
        let ty = fixed.compute();
        let inverse = self.real(ty, 1.0 / fixed.scale());
        let scaled = self.of_two(BinaryOp::Mul, value, inverse);
        let cut = self.edit.cast(scaled, I64);
        let back = self.edit.cast(cut, ty);
        let rest = self.of_two(BinaryOp::Sub, scaled, back);
        let [none, one, less] = [0, 1, u64::MAX].map(|n| self.edit.constant(I64, n));
        let mut code = cut;
        for (half, whole, most, step) in
            [(0.5, 1.0, BinaryOp::CmpGe, one), (-0.5, -1.0, BinaryOp::CmpLe, less)]
        {
            // What is beyond 64 bits is as far from what was cut as it likes.
            let [half, whole] = [half, whole].map(|n| self.real(ty, n));
            let far = self.asks(most, rest, half);
            let inside = self.asks(
                if most == BinaryOp::CmpGe { BinaryOp::CmpLt } else { BinaryOp::CmpGt },
                rest,
                whole,
            );
            let both = self.asks(BinaryOp::BitAnd, far, inside);
            let step = self.choose(both, step, none);
            code = self.of_two(BinaryOp::Add, code, step);
        }
        code
    }

    /// The number of an exponent's code and digits: f32 with the same bits, but for the bias.
    fn float(&mut self, float: QuantFloat, exponent: Id, digits: Id) -> Id {
        let fraction = self.with(BinaryOp::BitAnd, digits, mask(float.digit_bits()));
        let fraction = self.shift(BinaryOp::BitShl, fraction, Place::Bit(F32_DIGITS - float.digit_bits()));
        let own = self.with(BinaryOp::Add, exponent, (F32_BIAS - float.bias()) as u64);
        let own = self.shift(BinaryOp::BitShl, own, Place::Bit(F32_DIGITS));
        let magnitude = self.of_two(BinaryOp::BitOr, own, fraction);
        self.unless_zero(float, exponent, digits, magnitude)
    }

    /// The bits of a magnitude as a number with the sign of the digits; zero where the exponent's code is.
    fn unless_zero(&mut self, float: QuantFloat, exponent: Id, digits: Id, magnitude: Id) -> Id {
        let zero = self.edit.constant(U32, 0);
        let there = self.asks(BinaryOp::CmpNe, exponent, zero);
        let bits = self.signed(float, digits, magnitude);
        let bits = self.choose(there, bits, zero);
        self.edit.push(Code::BitCast, Some(F32), &[bits], Data::None)
    }

    fn signed(&mut self, float: QuantFloat, digits: Id, magnitude: Id) -> Id {
        if !float.is_signed() {
            return magnitude;
        }
        let sign = self.shift(BinaryOp::BitShr, digits, Place::Bit(float.digit_bits()));
        let sign = self.shift(BinaryOp::BitShl, sign, Place::Bit(31));
        self.of_two(BinaryOp::BitOr, magnitude, sign)
    }

    /// The bits of a number's magnitude, at most those of the greatest number; zero for NaN, and of negative numbers where
    /// there is no sign.
    fn magnitude(&mut self, float: QuantFloat, bits: Id) -> Id {
        let own = self.with(BinaryOp::BitAnd, bits, MAGNITUDE);
        let most = self.edit.constant(U32, GREATEST);
        let capped = self.of_two(BinaryOp::Min, own, most);
        let [infinity, zero] = [INFINITY, 0].map(|n| self.edit.constant(U32, n));
        let number = self.asks(BinaryOp::CmpLe, own, infinity);
        let capped = self.choose(number, capped, zero);
        if float.is_signed() {
            return capped;
        }
        let sign = self.shift(BinaryOp::BitShr, bits, Place::Bit(31));
        let positive = self.asks(BinaryOp::CmpEq, sign, zero);
        self.choose(positive, capped, zero)
    }

    /// The codes of exponent and digits: the nearest number, halves away from 0.
    fn float_codes(&mut self, float: QuantFloat, value: Id) -> (Id, Id) {
        let bits = self.edit.push(Code::BitCast, Some(U32), &[value], Data::None);
        let magnitude = self.magnitude(float, bits);
        let dropped = F32_DIGITS - float.digit_bits();
        // What is rounded up beyond all digits is the next power of two, whose bits follow these.
        let rounded = match dropped {
            0 => magnitude,
            _ => {
                let half = self.with(BinaryOp::Add, magnitude, 1 << (dropped - 1));
                self.shift(BinaryOp::BitShr, half, Place::Bit(dropped))
            }
        };
        let own = self.shift(BinaryOp::BitShr, rounded, Place::Bit(float.digit_bits()));
        let fraction = self.with(BinaryOp::BitAnd, rounded, mask(float.digit_bits()));
        let lead = (F32_BIAS - float.bias()) as u64;
        let [least, most] = [lead, lead + float.greatest() as u64].map(|n| self.edit.constant(U32, n));
        let code = self.with(BinaryOp::Sub, own, lead);
        let [last, ones, zero] =
            [float.greatest() as u64, mask(float.digit_bits()), 0].map(|n| self.edit.constant(U32, n));
        let beyond = self.asks(BinaryOp::CmpGt, own, most);
        let code = self.choose(beyond, last, code);
        let fraction = self.choose(beyond, ones, fraction);
        let sign = self.shift(BinaryOp::BitShr, bits, Place::Bit(31));
        let sign = self.shift(BinaryOp::BitShl, sign, Place::Bit(float.digit_bits()));
        let digits = if float.is_signed() { self.of_two(BinaryOp::BitOr, fraction, sign) } else { fraction };
        let there = self.asks(BinaryOp::CmpGt, own, least);
        (self.choose(there, code, zero), self.choose(there, digits, zero))
    }

    /// The number of a shared exponent's code and digits, of which the first is among them: the digits times a power of two.
    fn shared(&mut self, float: QuantFloat, exponent: Id, digits: Id) -> Id {
        let own = self.with(BinaryOp::BitAnd, digits, mask(float.digit_bits()));
        let number = self.edit.cast(own, F32);
        // Powers of two below those of normal numbers are two factors.
        let power = self.edit.cast(exponent, PrimitiveType::I32);
        let power =
            self.with(BinaryOp::Add, power, (1 - float.bias() - float.digit_bits() as i32) as u32 as u64);
        let half = self.with(BinaryOp::BitSar, power, 1);
        let rest = self.of_two(BinaryOp::Sub, power, half);
        let mut number = number;
        for part in [half, rest] {
            let biased = self.with(BinaryOp::Add, part, F32_BIAS as u64);
            let factor = self.with(BinaryOp::BitShl, biased, u64::from(F32_DIGITS));
            let factor = self.edit.push(Code::BitCast, Some(F32), &[factor], Data::None);
            number = self.of_two(BinaryOp::Mul, number, factor);
        }
        let magnitude = self.edit.push(Code::BitCast, Some(U32), &[number], Data::None);
        let zero = self.edit.constant(U32, 0);
        let there = self.asks(BinaryOp::CmpNe, own, zero);
        let exponent = self.choose(there, exponent, zero);
        self.unless_zero(float, exponent, digits, magnitude)
    }

    /// A word with other numbers of a group, which share the greatest exponent that one of them needs.
    pub fn store_group(&mut self, mut word: Id, members: &[(BitMember, Id)]) -> Option<Id> {
        let float = |member: &BitMember| match member.ty.kind() {
            TypeKind::QuantFloat(float) => Some(*float),
            _ => None,
        };
        let all: Vec<(BitMember, QuantFloat, Id)> = members
            .iter()
            .map(|&(member, value)| Some((member, float(&member)?, value)))
            .collect::<Option<_>>()?;
        let mut exponent: Option<Id> = None;
        let mut magnitudes = Vec::new();
        for &(_, own, value) in &all {
            let bits = self.edit.push(Code::BitCast, Some(U32), &[value], Data::None);
            let magnitude = self.magnitude(own, bits);
            magnitudes.push((bits, magnitude));
        }
        for &(_, own, _) in &all {
            for &(_, magnitude) in &magnitudes {
                let dropped = F32_DIGITS + 1 - own.digit_bits();
                let half = self.with(BinaryOp::Add, magnitude, 1 << (dropped - 1));
                let rounded = self.shift(BinaryOp::BitShr, half, Place::Bit(F32_DIGITS));
                exponent = Some(match exponent {
                    None => rounded,
                    Some(before) => self.of_two(BinaryOp::Max, before, rounded),
                });
            }
        }
        let (first, own, _) = all.first()?;
        let lead = (F32_BIAS - own.bias()) as u64;
        let [least, most, zero] = [lead, lead + own.greatest() as u64, 0].map(|n| self.edit.constant(U32, n));
        let exponent = self.of_two(BinaryOp::Min, exponent?, most);
        let there = self.asks(BinaryOp::CmpGt, exponent, least);
        let code = self.with(BinaryOp::Sub, exponent, lead);
        let code = self.choose(there, code, zero);
        word = self.put(word, Place::Bit(first.exponent?), own.exponent_bits(), code);
        for ((member, own, _), (bits, magnitude)) in all.iter().zip(magnitudes) {
            let digits = self.digits_at(*own, exponent, bits, magnitude);
            let digits = self.choose(there, digits, zero);
            word = self.put(word, Place::Bit(member.offset), own.digits().bits(), digits);
        }
        Some(word)
    }

    /// The digits of a number for a given exponent, biased as f32's are, that is not less than its own needs, but for the greatest.
    fn digits_at(&mut self, float: QuantFloat, exponent: Id, bits: Id, magnitude: Id) -> Id {
        let fraction = self.with(BinaryOp::BitAnd, magnitude, mask(F32_DIGITS));
        let own = self.shift(BinaryOp::BitShr, magnitude, Place::Bit(F32_DIGITS));
        let [zero, one, most] = [0, 1, 31].map(|n| self.edit.constant(U32, n));
        let normal = self.of_two(BinaryOp::Min, own, one);
        let lead = self.shift(BinaryOp::BitShl, normal, Place::Bit(F32_DIGITS));
        let mantissa = self.of_two(BinaryOp::BitOr, fraction, lead);
        let own = self.of_two(BinaryOp::Max, own, one);
        let fits = self.asks(BinaryOp::CmpGe, exponent, own);
        let apart = self.of_two(BinaryOp::Sub, exponent, own);
        let down = self.with(BinaryOp::Add, apart, u64::from(F32_DIGITS + 1 - float.digit_bits()));
        let down = self.of_two(BinaryOp::Min, down, most);
        // Half of the last digit that stays, then the digits: the first shift leaves one bit more.
        let before = self.with(BinaryOp::Sub, down, 1);
        let kept = self.of_two(BinaryOp::BitShr, mantissa, before);
        let kept = self.with(BinaryOp::Add, kept, 1);
        let kept = self.with(BinaryOp::BitShr, kept, 1);
        let ones = self.edit.constant(U32, mask(float.digit_bits()));
        let kept = self.of_two(BinaryOp::Min, kept, ones);
        let some = self.asks(BinaryOp::CmpNe, mantissa, zero);
        let greatest = self.choose(some, ones, zero);
        let kept = self.choose(fits, kept, greatest);
        if !float.is_signed() {
            return kept;
        }
        let sign = self.shift(BinaryOp::BitShr, bits, Place::Bit(31));
        let there = self.asks(BinaryOp::CmpNe, kept, zero);
        let sign = self.choose(there, sign, zero);
        let sign = self.shift(BinaryOp::BitShl, sign, Place::Bit(float.digit_bits()));
        self.of_two(BinaryOp::BitOr, kept, sign)
    }
}
