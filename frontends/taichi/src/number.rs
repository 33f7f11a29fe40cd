//! Values by their bits: how they print, and what operations make of them when all operands are known.

use ivy_taichi_types::{BinaryOp, PrimitiveType, UnaryOp};

/// The bits that a value of a type may set.
fn mask(ty: PrimitiveType) -> u64 {
    if ty.bits() >= 64 { u64::MAX } else { (1 << ty.bits()) - 1 }
}

/// The integer that bits of a type are.
pub fn integer(ty: PrimitiveType, bits: u64) -> i128 {
    let bits = bits & mask(ty);
    let negative = ty.is_signed() && bits >> (ty.bits() - 1) & 1 == 1;
    if negative { i128::from(bits) - (1 << ty.bits()) } else { i128::from(bits) }
}

/// The bits of an integer in a type, wrapped.
pub fn wrapped(ty: PrimitiveType, value: i128) -> u64 {
    value as u64 & mask(ty)
}

/// The real number that bits of f32 or f64 are; `None` of other types.
pub fn real(ty: PrimitiveType, bits: u64) -> Option<f64> {
    match ty {
        PrimitiveType::F32 => Some(f64::from(f32::from_bits(bits as u32))),
        PrimitiveType::F64 => Some(f64::from_bits(bits)),
        _ => None,
    }
}

/// The bits of a real number in f32 or f64, rounded once.
pub fn rounded(ty: PrimitiveType, value: f64) -> Option<u64> {
    match ty {
        PrimitiveType::F32 => Some(u64::from((value as f32).to_bits())),
        PrimitiveType::F64 => Some(value.to_bits()),
        _ => None,
    }
}

/// The printed value.
pub fn shown(ty: PrimitiveType, bits: u64) -> String {
    match ty {
        PrimitiveType::F32 => f32::from_bits(bits as u32).to_string(),
        PrimitiveType::F64 => f64::from_bits(bits).to_string(),
        PrimitiveType::F16 => format!("{:#06x}", bits & 0xffff),
        _ => integer(ty, bits).to_string(),
    }
}

/// What a cast makes of a value: saturated and with NaN as 0 from reals to integers, wrapped between integers, rounded
/// once to reals; `None` for f16.
pub fn cast(from: PrimitiveType, bits: u64, to: PrimitiveType) -> Option<u64> {
    if from == PrimitiveType::F16 || to == PrimitiveType::F16 {
        return None;
    }
    match (real(from, bits), to.is_real()) {
        (Some(x), true) => rounded(to, x),
        (Some(x), false) if to == PrimitiveType::U1 => Some(u64::from(x != 0.0)),
        (Some(x), false) => {
            let (least, most) = range(to);
            Some(wrapped(to, (x as i128).clamp(least, most)))
        }
        (None, true) => {
            let x = integer(from, bits);
            match to {
                PrimitiveType::F32 => Some(u64::from((x as f32).to_bits())),
                _ => Some((x as f64).to_bits()),
            }
        }
        (None, false) if to == PrimitiveType::U1 => Some(u64::from(integer(from, bits) != 0)),
        (None, false) => Some(wrapped(to, integer(from, bits))),
    }
}

fn range(ty: PrimitiveType) -> (i128, i128) {
    match ty.is_signed() {
        true => (-(1 << (ty.bits() - 1)), (1 << (ty.bits() - 1)) - 1),
        false => (0, i128::from(mask(ty))),
    }
}

/// What an operation gives for a value; `None` for what only running code knows.
pub fn unary(op: UnaryOp, ty: PrimitiveType, bits: u64) -> Option<u64> {
    if ty == PrimitiveType::F16 {
        return None;
    }
    if let Some(x) = real(ty, bits) {
        return match op {
            UnaryOp::Neg => rounded(ty, -x),
            UnaryOp::Abs => rounded(ty, x.abs()),
            UnaryOp::Floor => rounded(ty, x.floor()),
            UnaryOp::Ceil => rounded(ty, x.ceil()),
            UnaryOp::Round => rounded(ty, x.round_ties_even()),
            _ => None,
        };
    }
    let x = integer(ty, bits);
    match op {
        UnaryOp::Neg => Some(wrapped(ty, -x)),
        UnaryOp::Abs => Some(wrapped(ty, x.abs())),
        UnaryOp::Sgn => Some(wrapped(ty, x.signum())),
        UnaryOp::BitNot => Some(wrapped(ty, !x)),
        UnaryOp::LogicNot => Some(u64::from(x == 0)),
        _ => None,
    }
}

/// What an operation gives for two values of one type; comparisons give 0 or 1. `None` for what only running code
/// knows.
pub fn binary(op: BinaryOp, ty: PrimitiveType, a: u64, b: u64) -> Option<u64> {
    use BinaryOp::*;
    if ty == PrimitiveType::F16 {
        return None;
    }
    if let (Some(x), Some(y)) = (real(ty, a), real(ty, b)) {
        let truth = |x: bool| Some(u64::from(x));
        return match op {
            // A double has room for the exact sum, difference or product of two singles, or rounds as they do.
            Add => rounded(ty, x + y),
            Sub => rounded(ty, x - y),
            Mul => rounded(ty, x * y),
            TrueDiv => rounded(ty, x / y),
            CmpLt => truth(x < y),
            CmpLe => truth(x <= y),
            CmpGt => truth(x > y),
            CmpGe => truth(x >= y),
            CmpEq => truth(x == y),
            CmpNe => truth(x != y),
            _ => None,
        };
    }
    let (x, y) = (integer(ty, a), integer(ty, b));
    let value = match op {
        Add => x + y,
        Sub => x - y,
        Mul => x.wrapping_mul(y),
        FloorDiv | Mod | Div | RawMod if y == 0 => 0,
        Div => x / y,
        RawMod => x % y,
        FloorDiv => x.div_euclid(y) - i128::from(y < 0 && x.rem_euclid(y) != 0),
        Mod => x - y * (x.div_euclid(y) - i128::from(y < 0 && x.rem_euclid(y) != 0)),
        Max => x.max(y),
        Min => x.min(y),
        BitAnd => x & y,
        BitOr => x | y,
        BitXor => x ^ y,
        CmpLt => return Some(u64::from(x < y)),
        CmpLe => return Some(u64::from(x <= y)),
        CmpGt => return Some(u64::from(x > y)),
        CmpGe => return Some(u64::from(x >= y)),
        CmpEq => return Some(u64::from(x == y)),
        CmpNe => return Some(u64::from(x != y)),
        _ => return None,
    };
    Some(wrapped(ty, value))
}
