//! Operations on values, in the engine's statements.

use ivy_backend_jit::ir::{Builder, Code, Id, Type};
use ivy_backend_jit::lower::{Parts, lower, memory};
use ivy_backend_jit::trace::Kind;
use ivy_core::{BinaryOp as CoreBinary, Dtype, UnaryOp as CoreUnary};
use ivy_taichi_types::{AtomicOp, BinaryOp, PrimitiveType, UnaryOp};

/// The engine's type for values of a type; f16 is its bits.
pub fn engine_type(ty: PrimitiveType) -> Type {
    memory(ty.dtype()).map_or(Type::I64, |(ty, _)| ty)
}

fn apply(b: &mut Builder, kind: Kind, to: Dtype, operands: &[(Dtype, Id)]) -> Option<Id> {
    let parts: Vec<Parts> = operands.iter().map(|&(_, x)| Parts::from_slice(&[x])).collect();
    let given: Vec<(Dtype, &Parts)> =
        operands.iter().zip(&parts).map(|(&(dtype, _), parts)| (dtype, parts)).collect();
    lower(b, kind, to, &given)?.first().copied()
}

/// A value in another type.
pub fn cast(b: &mut Builder, from: PrimitiveType, x: Id, to: PrimitiveType) -> Option<Id> {
    if from == to { Some(x) } else { apply(b, Kind::Cast, to.dtype(), &[(from.dtype(), x)]) }
}

/// Whether a value is not zero.
pub fn truth(b: &mut Builder, ty: PrimitiveType, x: Id) -> Option<Id> {
    cast(b, ty, x, PrimitiveType::U1)
}

/// The core's operation, where it has it.
const fn core_unary(op: UnaryOp) -> Option<CoreUnary> {
    Some(match op {
        UnaryOp::Neg => CoreUnary::Negative,
        UnaryOp::Sqrt => CoreUnary::Sqrt,
        UnaryOp::Round => CoreUnary::Round,
        UnaryOp::Floor => CoreUnary::Floor,
        UnaryOp::Ceil => CoreUnary::Ceil,
        UnaryOp::Abs => CoreUnary::Abs,
        UnaryOp::Sgn => CoreUnary::Sign,
        UnaryOp::Sin => CoreUnary::Sin,
        UnaryOp::Asin => CoreUnary::Asin,
        UnaryOp::Cos => CoreUnary::Cos,
        UnaryOp::Acos => CoreUnary::Acos,
        UnaryOp::Tan => CoreUnary::Tan,
        UnaryOp::Tanh => CoreUnary::Tanh,
        UnaryOp::Inv | UnaryOp::Rcp => CoreUnary::Reciprocal,
        UnaryOp::Exp => CoreUnary::Exp,
        UnaryOp::Log => CoreUnary::Log,
        UnaryOp::BitNot => CoreUnary::BitwiseInvert,
        UnaryOp::Rsqrt | UnaryOp::Popcnt | UnaryOp::Clz | UnaryOp::Frexp | UnaryOp::LogicNot => return None,
    })
}

/// The core's operation, where it has it.
const fn core_binary(op: BinaryOp) -> Option<CoreBinary> {
    Some(match op {
        BinaryOp::Add => CoreBinary::Add,
        BinaryOp::Sub => CoreBinary::Subtract,
        BinaryOp::Mul => CoreBinary::Multiply,
        BinaryOp::TrueDiv => CoreBinary::Divide,
        BinaryOp::FloorDiv => CoreBinary::FloorDivide,
        BinaryOp::Mod => CoreBinary::Remainder,
        BinaryOp::Max => CoreBinary::Maximum,
        BinaryOp::Min => CoreBinary::Minimum,
        BinaryOp::BitAnd => CoreBinary::BitwiseAnd,
        BinaryOp::BitOr => CoreBinary::BitwiseOr,
        BinaryOp::BitXor => CoreBinary::BitwiseXor,
        BinaryOp::BitShl => CoreBinary::BitwiseLeftShift,
        BinaryOp::BitSar => CoreBinary::BitwiseRightShift,
        BinaryOp::CmpLt => CoreBinary::Less,
        BinaryOp::CmpLe => CoreBinary::LessEqual,
        BinaryOp::CmpGt => CoreBinary::Greater,
        BinaryOp::CmpGe => CoreBinary::GreaterEqual,
        BinaryOp::CmpEq => CoreBinary::Equal,
        BinaryOp::CmpNe => CoreBinary::NotEqual,
        BinaryOp::Atan2 => CoreBinary::Atan2,
        BinaryOp::Pow => CoreBinary::Pow,
        BinaryOp::Div | BinaryOp::RawMod | BinaryOp::BitShr => return None,
        BinaryOp::LogicalOr | BinaryOp::LogicalAnd => return None,
    })
}

/// An operation on a value of a type, whose result is of another; `None` where there is none.
pub fn unary(b: &mut Builder, op: UnaryOp, ty: PrimitiveType, x: Id, to: PrimitiveType) -> Option<Id> {
    let dtype = ty.dtype();
    if let Some(core) = core_unary(op) {
        return apply(b, Kind::Unary(core), dtype, &[(dtype, x)]);
    }
    match op {
        UnaryOp::Rsqrt => {
            let root = apply(b, Kind::Unary(CoreUnary::Sqrt), dtype, &[(dtype, x)])?;
            apply(b, Kind::Unary(CoreUnary::Reciprocal), dtype, &[(dtype, root)])
        }
        UnaryOp::LogicNot => {
            let truth = truth(b, ty, x)?;
            let not = b.unary(Code::Not, truth);
            cast(b, PrimitiveType::U1, not, to)
        }
        UnaryOp::Popcnt | UnaryOp::Clz if ty.is_integral() && ty != PrimitiveType::U1 => {
            let bits = b.bitcast(x, engine_type(ty).unsigned());
            let mut bits = b.convert(bits, Type::U64);
            if op == UnaryOp::Clz {
                for by in [1, 2, 4, 8, 16, 32] {
                    let by = b.constant(Type::U64, by);
                    let shifted = b.binary(Code::Shr, bits, by);
                    bits = b.binary(Code::Or, bits, shifted);
                }
                let mask = b.constant(Type::U64, engine_type(ty).mask());
                bits = b.binary(Code::Xor, bits, mask);
            }
            let count = ones(b, bits);
            let count = b.convert(count, engine_type(ty));
            cast(b, ty, count, to)
        }
        _ => None,
    }
}

/// How many bits of a u64 are set: sums of neighbouring groups, of 1, 2 and 4 bits, then of all bytes.
fn ones(b: &mut Builder, x: Id) -> Id {
    let u64 = |b: &mut Builder, value: u64| b.constant(Type::U64, value);
    let mut sums = x;
    for (by, mask) in [(1, 0x5555_5555_5555_5555), (2, 0x3333_3333_3333_3333), (4, 0x0f0f_0f0f_0f0f_0f0f)] {
        let (by, mask) = (u64(b, by), u64(b, mask));
        let upper = b.binary(Code::Shr, sums, by);
        let (low, high) = (b.binary(Code::And, sums, mask), b.binary(Code::And, upper, mask));
        sums = b.binary(Code::Add, low, high);
    }
    let (each, top) = (u64(b, 0x0101_0101_0101_0101), u64(b, 56));
    let all = b.binary(Code::Mul, sums, each);
    b.binary(Code::Shr, all, top)
}

/// An operation on two values, whose result is of a type; `None` where there is none.
pub fn binary(
    b: &mut Builder,
    op: BinaryOp,
    (ty, x): (PrimitiveType, Id),
    (other, y): (PrimitiveType, Id),
    to: PrimitiveType,
) -> Option<Id> {
    let y = cast(b, other, y, ty)?;
    let (dtype, engine) = (ty.dtype(), engine_type(ty));
    if let Some(core) = core_binary(op) {
        let gives = core.result(dtype)?;
        let value = apply(b, Kind::Binary(core), gives, &[(dtype, x), (dtype, y)])?;
        return cast(b, PrimitiveType::of_dtype(gives)?, value, to);
    }
    let real = |b: &mut Builder, op, x, y| apply(b, Kind::Binary(op), dtype, &[(dtype, x), (dtype, y)]);
    match op {
        BinaryOp::LogicalAnd | BinaryOp::LogicalOr => {
            let (x, y) = (truth(b, ty, x)?, truth(b, ty, y)?);
            let code = if op == BinaryOp::LogicalAnd { Code::And } else { Code::Or };
            let both = b.binary(code, x, y);
            cast(b, PrimitiveType::U1, both, to)
        }
        _ if ty == PrimitiveType::U1 => None,
        BinaryOp::BitShr if ty.is_integral() => {
            let [bits, amount] = [x, y].map(|x| b.bitcast(x, engine.unsigned()));
            let shifted = b.binary(Code::Shr, bits, amount);
            Some(b.bitcast(shifted, engine))
        }
        BinaryOp::Div if ty.is_integral() => Some(b.binary(Code::Div, x, y)),
        BinaryOp::RawMod if ty.is_integral() => Some(b.binary(Code::Rem, x, y)),
        BinaryOp::Div => real(b, CoreBinary::Divide, x, y),
        BinaryOp::RawMod => {
            let quotient = real(b, CoreBinary::Divide, x, y)?;
            let whole = apply(b, Kind::Unary(CoreUnary::Trunc), dtype, &[(dtype, quotient)])?;
            let taken = real(b, CoreBinary::Multiply, whole, y)?;
            real(b, CoreBinary::Subtract, x, taken)
        }
        _ => None,
    }
}

/// The engine's atomic; products have none.
pub const fn atomic(op: AtomicOp) -> Option<Code> {
    Some(match op {
        AtomicOp::Add => Code::AtomicAdd,
        AtomicOp::Sub => Code::AtomicSub,
        AtomicOp::Min => Code::AtomicMin,
        AtomicOp::Max => Code::AtomicMax,
        AtomicOp::BitAnd => Code::AtomicAnd,
        AtomicOp::BitOr => Code::AtomicOr,
        AtomicOp::BitXor => Code::AtomicXor,
        AtomicOp::Mul => return None,
    })
}

/// The element of a draw as a number of a type: the upper bits of a word, of reals as many as they hold.
pub fn random(b: &mut Builder, ty: PrimitiveType, number: Id, key: Id, high: Id) -> Option<Id> {
    let wide = ty.bits() == 64;
    let word = if wide { Dtype::UINT64 } else { Dtype::UINT32 };
    let given = [(Dtype::INT64, number), (Dtype::UINT64, key), (Dtype::UINT64, high)];
    let bits = apply(b, Kind::Random(None), word, &given)?;
    let word_type = b.ty(bits);
    let kept = match ty {
        PrimitiveType::F64 => 53,
        PrimitiveType::F32 => 24,
        PrimitiveType::F16 => 11,
        _ => {
            let all = if wide { PrimitiveType::U64 } else { PrimitiveType::U32 };
            let by = b.constant(word_type, u64::from(word_type.bits() - ty.bits()));
            let top = b.binary(Code::Shr, bits, by);
            return cast(b, all, top, ty);
        }
    };
    let by = b.constant(word_type, u64::from(word_type.bits() - kept));
    let top = b.binary(Code::Shr, bits, by);
    let real = if wide { PrimitiveType::F64 } else { PrimitiveType::F32 };
    let value = b.convert(top, engine_type(real));
    let unit = b.float(engine_type(real), 0.5f64.powi(kept as i32));
    let value = b.binary(Code::Mul, value, unit);
    cast(b, real, value, ty)
}
