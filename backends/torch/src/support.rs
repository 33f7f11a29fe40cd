//! How each op is run on each combination of dtypes: the one table that planning reads and
//! execution follows. The tests hold every answer against the reference kernels.

use crate::stored::{kind, signed};
use ivy_core::backend::Support::{self, Emulated, Host, Native, Unsupported};
use ivy_core::{BinaryOp, ConvOp, Dtype, Op, ReduceOp, ScanOp, UnaryOp};
use tch::Device;

const AS_SIGNED: &str = "on the signed integers of the same bits";
const ORDERED: &str = "on the signed integers of the same bits, the top one inverted";
const ITSELF: &str = "the values stay as they are";
const IN_FLOAT32: &str = "in float32, rounded once";
const IN_FLOAT64: &str = "in float64, rounded once";
const EACH_PART: &str = "on each part";
const NEGATED: &str = "the negated values in ascending order, since libtorch puts NaN first";

const SPECIAL: &str = "libtorch differs at signed zeros, subnormals, infinities or overflow";
const MISSING: &str = "libtorch has no such op";
const NO_STORAGE: &str = "torch has no storage for the dtype";
const NOT_COMPARED: &str = "libtorch's form has not been held against the bounds";
const NOT_MEASURED: &str = "not measured on CUDA";

/// libtorch convolves along at most three axes.
const MOST_SPATIAL: usize = 3;

/// How torch runs an op on operands of these dtypes, on a device.
pub(crate) fn support(op: &Op, operands: &[Dtype], device: Device) -> Support {
    if operands.iter().any(|&d| kind(d).is_none()) {
        return Unsupported(NO_STORAGE);
    }
    match (on_cpu(op, operands), device) {
        (Native | Emulated(_), Device::Cuda(_)) if !holds_on_cuda(op) => Host(NOT_MEASURED),
        (answer, _) => answer,
    }
}

/// True for ops that only move elements, and for those that IEEE 754 defines.
fn holds_on_cuda(op: &Op) -> bool {
    use BinaryOp::*;
    match op {
        Op::Full { .. } | Op::Reshape { .. } | Op::BroadcastTo { .. } | Op::PermuteDims { .. } => true,
        Op::Slice { .. }
        | Op::Pad { .. }
        | Op::SetSlice { .. }
        | Op::Concat { .. }
        | Op::Where
        | Op::Matmul => true,
        Op::Take { .. } | Op::TakeAlongAxis { .. } => true,
        Op::Binary(op) => matches!(op, Add | Subtract | Multiply) || op.is_comparison(),
        _ => false,
    }
}

fn on_cpu(op: &Op, operands: &[Dtype]) -> Support {
    let Some(&first) = operands.first() else { return creation(op) };
    match op {
        Op::Full { .. } | Op::Arange { .. } | Op::Linspace { .. } | Op::Eye { .. } => creation(op),
        Op::Unary(op) => unary(*op, first),
        Op::Binary(op) => binary(*op, first),
        Op::Where | Op::Reshape { .. } | Op::BroadcastTo { .. } | Op::PermuteDims { .. } => Native,
        Op::Concat { .. } => Native,
        Op::Cast { dtype } => cast(first, *dtype),
        Op::Slice { axes } if axes.iter().all(|a| a.step > 0 || a.len <= 1) => Native,
        Op::Slice { .. } => Emulated("the forward slice, flipped"),
        Op::Pad { .. } => Emulated("a filled array, written in part"),
        Op::SetSlice { .. } => Emulated("a copy, written in part"),
        Op::Take { .. } | Op::TakeAlongAxis { .. } | Op::Nonzero => as_signed(first),
        Op::Reduce { op, .. } => reduce(*op, first),
        Op::ArgReduce { .. } if first.is_bool() => Emulated("on the bytes 0 and 1"),
        Op::ArgReduce { .. } => ordered(first),
        Op::Scan { op: ScanOp::Prod, .. } if first.is_complex() => Host(SPECIAL),
        Op::Scan { op: ScanOp::Min | ScanOp::Max, .. } => Host(NOT_COMPARED),
        Op::Scan { op: ScanOp::And | ScanOp::Or, .. } => Host(MISSING),
        Op::Scan { .. } => accumulated(first),
        Op::Sort { descending: true, .. } | Op::Argsort { descending: true, .. } if first.is_float() => {
            Emulated(NEGATED)
        }
        Op::Sort { .. } | Op::Argsort { .. } => Native,
        Op::SearchSorted { .. } if signed(first).is_some() => Host(MISSING),
        Op::SearchSorted { .. } if first.is_bool() => Emulated("on the bytes 0 and 1"),
        Op::SearchSorted { .. } => Native,
        Op::Matmul => accumulated(first),
        Op::Gather { .. } | Op::Scatter { .. } | Op::Exchange { .. } | Op::Unique => Host(MISSING),
        Op::RandomBits { .. } => Host(MISSING),
        Op::Conv(op) => conv(op, first),
        Op::Fft { .. } | Op::Linalg(_) => Host(NOT_COMPARED),
    }
}

fn conv(op: &ConvOp, dtype: Dtype) -> Support {
    let own = dtype.is_float() && op.spatial() <= MOST_SPATIAL && op.batch_groups == 1;
    match own && op.input_dilation.iter().all(|&d| d == 1) {
        true => accumulated(dtype),
        false => Host(MISSING),
    }
}

fn creation(op: &Op) -> Support {
    let (dtype, native) = match op {
        Op::Full { dtype, .. } => (*dtype, true),
        Op::Arange { dtype, .. } | Op::Linspace { dtype, .. } | Op::Eye { dtype, .. } => (*dtype, false),
        _ => return Unsupported("the op needs operands"),
    };
    match kind(dtype) {
        None => Unsupported(NO_STORAGE),
        Some(_) if native => Native,
        Some(_) => Host("libtorch rounds each step in the result's dtype"),
    }
}

/// Native, but for uint16, uint32 and uint64.
fn as_signed(dtype: Dtype) -> Support {
    if signed(dtype).is_some() { Emulated(AS_SIGNED) } else { Native }
}

/// Likewise, for ops that compare.
fn ordered(dtype: Dtype) -> Support {
    if signed(dtype).is_some() { Emulated(ORDERED) } else { Native }
}

/// Ops that add up.
fn accumulated(dtype: Dtype) -> Support {
    match dtype {
        Dtype::FLOAT16 | Dtype::BFLOAT16 => Emulated(IN_FLOAT32),
        d => as_signed(d),
    }
}

fn unary(op: UnaryOp, dtype: Dtype) -> Support {
    use UnaryOp::*;
    let unsigned = signed(dtype).is_some();
    match op {
        Abs | Ceil | Floor | Trunc | Round if unsigned => Emulated(ITSELF),
        Ceil | Floor | Trunc | Round if dtype.is_int() => Emulated(ITSELF),
        Conj | Real if !dtype.is_complex() => Emulated(ITSELF),
        Round if dtype.is_complex() => Host(MISSING),
        Sign if unsigned => Emulated("inequality with zero"),
        Acos | Acosh | Asin | Asinh | Cos | Cosh | Exp | Expm1 | Log1p | Log10 | Reciprocal | Sign | Sin
        | Sinh | Square | Tan | Tanh
            if dtype.is_complex() =>
        {
            Host(SPECIAL)
        }
        Sign if dtype.is_float() => Host("libtorch gives 0 for NaN"),
        Sqrt if dtype == Dtype::FLOAT64 => Host("libtorch's root is not exactly rounded"),
        Cosh | Sinh if dtype == Dtype::FLOAT64 => Host("libtorch overflows too early"),
        Cosh | Sinh if dtype.is_float() => Emulated(IN_FLOAT64),
        Acosh | Asinh | Atanh | Sqrt if dtype.is_float() && dtype != Dtype::FLOAT64 => Emulated(IN_FLOAT64),
        Negative if dtype.is_complex() => Emulated(EACH_PART),
        BitwiseInvert | Negative | Square => as_signed(dtype),
        Digamma | Erf | Erfc | Lgamma => Host(NOT_COMPARED),
        _ => Native,
    }
}

fn binary(op: BinaryOp, dtype: Dtype) -> Support {
    use BinaryOp::*;
    match op {
        FloorDivide | Remainder if dtype.is_int() => Host("libtorch refuses a divisor of zero"),
        FloorDivide | Remainder => Host("libtorch differs where an operand is infinite or a zero has a sign"),
        Logaddexp => Host("libtorch cancels where the result is near zero"),
        Multiply | Divide if dtype.is_complex() => Host(SPECIAL),
        Pow if dtype.is_complex() => Host("libtorch is less accurate than the bound"),
        Add | Subtract if dtype.is_complex() => Emulated(EACH_PART),
        Equal | NotEqual => Native,
        Greater | GreaterEqual | Less | LessEqual | Maximum | Minimum => ordered(dtype),
        Lcm if dtype.is_int() && !dtype.is_uint() => Host("libtorch dies of the least integer and -1"),
        Gcd if dtype.is_int() && !dtype.is_uint() => {
            Emulated("the magnitude, since libtorch gives a sign where an operand is the least integer")
        }
        Pow | BitwiseRightShift | Gcd | Lcm if signed(dtype).is_some() => Host(MISSING),
        _ => as_signed(dtype),
    }
}

fn cast(from: Dtype, to: Dtype) -> Support {
    let int = |d: Dtype| d.is_int();
    match (from, to) {
        (_, to) if kind(to).is_none() => Unsupported(NO_STORAGE),
        (from, to) if from.is_float() && int(to) => Host("libtorch does not saturate"),
        (Dtype::FLOAT64, Dtype::FLOAT16 | Dtype::BFLOAT16) => Host("libtorch rounds twice"),
        (from, Dtype::FLOAT16 | Dtype::BFLOAT16) if int(from) && from.bits() > 16 => {
            Host("libtorch rounds twice")
        }
        _ => Native,
    }
}

fn reduce(op: ReduceOp, dtype: Dtype) -> Support {
    match op {
        ReduceOp::Prod if dtype.is_complex() => Host(SPECIAL),
        ReduceOp::Mean if dtype.is_complex() => Emulated(EACH_PART),
        ReduceOp::Sum | ReduceOp::Prod | ReduceOp::Mean => accumulated(dtype),
        ReduceOp::Var { .. } if dtype.is_float() => accumulated(dtype),
        ReduceOp::Max | ReduceOp::Min => ordered(dtype),
        ReduceOp::All | ReduceOp::Any | ReduceOp::Var { .. } => Native,
    }
}
