//! How each op is run on each combination of dtypes: the one table that planning reads and
//! execution follows. The tests hold every answer against the reference kernels.

use crate::stored::{Form, is_native, stored};
use ivy_core::backend::Support::{self, Emulated, Host, Native, Unsupported};
use ivy_core::{AxisSlice, BinaryOp, Dtype, Op, ReduceOp, UnaryOp};

const AS_STORED: &str = "on the stored form, which has the same order and equality";
const MOVED: &str = "the stored elements are moved";
const ITSELF: &str = "the values stay as they are";
const IN_FLOAT32: &str = "in float32, rounded once";
const EACH_PART: &str = "on each part";

const MISSING: &str = "candle has no such op";
const OVERFLOW: &str = "candle's integer arithmetic panics on overflow where overflow checks are on";
const NAN: &str = "candle's op loses NaN";
const ROUNDING: &str = "candle rounds twice";
const HALF_AWAY: &str = "candle rounds half away from zero";
const UNSIGNED: &str = "the stored bits are signed";
const RANGE: &str = "the result would need to be wrapped or clamped to the stored range";
const COMPLEX: &str = "candle has no complex numbers";
const NOT_COMPARED: &str = "candle's form has not been held against the bounds";
const INEXACT: &str = "candle's op is less accurate than the bound";

/// How candle runs an op on operands of these dtypes.
pub(crate) fn support(op: &Op, operands: &[Dtype]) -> Support {
    if operands.iter().any(|&d| stored(d).is_none()) {
        return Unsupported("candle has no storage for the dtype");
    }
    let Some(&first) = operands.first() else { return creation(op) };
    match op {
        Op::Full { .. } | Op::Arange { .. } | Op::Linspace { .. } | Op::Eye { .. } => creation(op),
        Op::Unary(op) => unary(*op, first),
        Op::Binary(op) => binary(*op, first),
        Op::Where => moved(operands[operands.len() - 1]),
        Op::Cast { dtype } => cast(first, *dtype),
        Op::Reshape { .. } | Op::BroadcastTo { .. } | Op::PermuteDims { .. } => moved(first),
        Op::Slice { axes } if axes.iter().all(is_range) => moved(first),
        Op::Slice { .. } => Emulated("the positions of a stepped axis are selected by index"),
        Op::Pad { .. } => Emulated("filled arrays, joined on"),
        Op::Concat { .. } | Op::Take { .. } | Op::TakeAlongAxis { .. } => moved(first),
        Op::Reduce { op, .. } => reduce(*op, first),
        Op::ArgReduce { .. } => match ordered(first) {
            Host(why) => Host(why),
            _ => Emulated("candle's uint32 indices, widened"),
        },
        Op::Sort { .. } => ordered(first),
        Op::Argsort { .. } => Host("candle promises no stable order"),
        Op::Matmul => matmul(first),
        Op::SetSlice { .. }
        | Op::Gather { .. }
        | Op::Scatter { .. }
        | Op::Exchange { .. }
        | Op::Nonzero
        | Op::Scan { .. }
        | Op::SearchSorted { .. }
        | Op::Unique
        | Op::Conv(_)
        | Op::Fft { .. }
        | Op::Linalg(_)
        | Op::RandomBits { .. } => Host(MISSING),
    }
}

/// True for an axis of a slice that candle's `narrow` gives.
pub(crate) fn is_range(axis: &AxisSlice) -> bool {
    axis.step == 1 || axis.len <= 1
}

fn creation(op: &Op) -> Support {
    let (dtype, native) = match op {
        Op::Full { dtype, .. } => (*dtype, true),
        Op::Arange { dtype, .. } | Op::Linspace { dtype, .. } | Op::Eye { dtype, .. } => (*dtype, false),
        _ => return Unsupported("the op needs operands"),
    };
    match stored(dtype) {
        None => Unsupported("candle has no storage for the dtype"),
        Some(_) if !native => Host("candle adds up the steps, and has square identities only"),
        Some(kept) if kept.form == Form::Native => Native,
        Some(_) => Emulated(MOVED),
    }
}

fn moved(dtype: Dtype) -> Support {
    if is_native(dtype) { Native } else { Emulated(MOVED) }
}

/// Native for candle's own dtypes, else on the stored form.
fn as_stored(dtype: Dtype) -> Support {
    if is_native(dtype) { Native } else { Emulated(AS_STORED) }
}

/// Ops that compare elements: candle's own for integers; floats have NaN.
fn ordered(dtype: Dtype) -> Support {
    match dtype {
        Dtype::UINT64 => Host(UNSIGNED),
        d if d.is_float() => Host(NAN),
        d => as_stored(d),
    }
}

fn unary(op: UnaryOp, dtype: Dtype) -> Support {
    use UnaryOp::*;
    let (float, complex) = (dtype.is_float(), dtype.is_complex());
    match op {
        Abs if float => Native,
        Abs if dtype.is_uint() => Emulated(ITSELF),
        Abs if complex => Host(COMPLEX),
        Abs => Host(OVERFLOW),
        BitwiseInvert if dtype.is_bool() => Emulated("equality with zero"),
        BitwiseInvert => Emulated("subtracted from the value with all bits set"),
        Ceil | Floor if float => Native,
        Ceil | Floor | Trunc | Round if dtype.is_int() => Emulated(ITSELF),
        Trunc => Host(MISSING),
        Round if complex => Host(COMPLEX),
        Round => Host(HALF_AWAY),
        Conj | Real if !complex => Emulated(ITSELF),
        Conj => Host(COMPLEX),
        Real | Imag => Emulated("the part, as a view"),
        Exp | Log | Sin | Cos | Reciprocal | Sqrt if float => Native,
        Square if float => Native,
        Square if dtype.is_int() => Host(OVERFLOW),
        Tanh if float && dtype != Dtype::FLOAT64 => Emulated("in float64, rounded once"),
        Tanh if float => Host(INEXACT),
        IsFinite | IsInf | IsNan if dtype.is_int() => Emulated("known for integers"),
        IsNan if float => Emulated("inequality with itself"),
        IsFinite | IsInf if float => Emulated("the magnitude compared with infinity"),
        LogicalNot => Emulated("equality with zero"),
        Negative if float => Native,
        Negative if complex => Emulated(EACH_PART),
        Negative => Host(OVERFLOW),
        Sign if dtype == Dtype::UINT64 => Emulated("inequality with zero"),
        Sign if dtype.is_int() => as_stored(dtype),
        Sign if float => Host(NAN),
        _ if complex => Host(COMPLEX),
        Erf => Host(NOT_COMPARED),
        _ => Host(MISSING),
    }
}

fn binary(op: BinaryOp, dtype: Dtype) -> Support {
    use BinaryOp::*;
    match op {
        // Vectors of bfloat16 lose subnormals on machines with AVX512-BF16.
        Add | Multiply if dtype == Dtype::BFLOAT16 => Emulated(IN_FLOAT32),
        Add | Subtract | Multiply | Divide if dtype.is_float() => Native,
        Add if dtype.is_bool() => Emulated("the greater byte"),
        Multiply if dtype.is_bool() => Emulated("the lesser byte"),
        Add | Subtract if dtype.is_complex() => Emulated(EACH_PART),
        Add | Subtract | Multiply if dtype.is_int() => Host(OVERFLOW),
        Equal | NotEqual if !dtype.is_complex() => as_stored(dtype),
        Greater | GreaterEqual | Less | LessEqual if dtype == Dtype::UINT64 => Host(UNSIGNED),
        Greater | GreaterEqual | Less | LessEqual => as_stored(dtype),
        Maximum | Minimum => ordered(dtype),
        BitwiseAnd | BitwiseOr | BitwiseXor | LogicalAnd | LogicalOr | LogicalXor if dtype.is_bool() => {
            Emulated("the lesser, the greater or unequal bytes")
        }
        Pow if dtype.is_float() => Host(INEXACT),
        _ if dtype.is_complex() => Host(COMPLEX),
        _ => Host(MISSING),
    }
}

fn cast(from: Dtype, to: Dtype) -> Support {
    match (from, to) {
        (_, to) if stored(to).is_none() => Unsupported("candle has no storage for the dtype"),
        (from, to) if from == to => moved(from),
        (from, to) if from.is_complex() && to.is_complex() => Emulated(EACH_PART),
        (from, to) if from.is_complex() || to.is_complex() => Host(COMPLEX),
        (_, Dtype::BOOL) => Emulated("inequality with zero"),
        (Dtype::BOOL, _) => Emulated("from the bytes 0 and 1"),
        (Dtype::UINT8, Dtype::UINT16) => Emulated(MOVED),
        (_, Dtype::INT8 | Dtype::UINT16) => Host(RANGE),
        (from, Dtype::UINT64) if from.is_float() => Host(RANGE),
        (_, Dtype::UINT64) => Emulated("to the signed integer of the same bits"),
        (Dtype::UINT64, to) if to.is_float() => Host(UNSIGNED),
        (Dtype::INT8 | Dtype::UINT16 | Dtype::UINT64, _) => Emulated("from the stored integer"),
        // By way of float32, which is exact below float16's infinity.
        (Dtype::INT32 | Dtype::INT64 | Dtype::UINT32, Dtype::BFLOAT16) => Host(ROUNDING),
        (Dtype::FLOAT64, Dtype::FLOAT16 | Dtype::BFLOAT16) => Host(ROUNDING),
        _ => Native,
    }
}

fn reduce(op: ReduceOp, dtype: Dtype) -> Support {
    match op {
        ReduceOp::Sum if dtype.is_int() => Host(OVERFLOW),
        ReduceOp::Sum if matches!(dtype, Dtype::FLOAT32 | Dtype::FLOAT64) => Native,
        ReduceOp::Sum if dtype.is_float() => Emulated(IN_FLOAT32),
        ReduceOp::Sum => Emulated(EACH_PART),
        ReduceOp::Mean if matches!(dtype, Dtype::FLOAT16 | Dtype::BFLOAT16) => Emulated(IN_FLOAT32),
        ReduceOp::Mean => Emulated("the sum, divided"),
        ReduceOp::Max | ReduceOp::Min => ordered(dtype),
        ReduceOp::All | ReduceOp::Any => Emulated("the least or greatest byte"),
        ReduceOp::Prod | ReduceOp::Var { .. } => Host(MISSING),
    }
}

fn matmul(dtype: Dtype) -> Support {
    match dtype {
        Dtype::FLOAT32 | Dtype::FLOAT64 => Native,
        Dtype::FLOAT16 | Dtype::BFLOAT16 => Emulated(IN_FLOAT32),
        d if d.is_complex() => Host(COMPLEX),
        _ => Host("candle multiplies matrices of floats only"),
    }
}
