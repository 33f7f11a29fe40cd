//! The primitives that backends run: a closed list of pure operations.
//!
//! An [`Op`] carries everything but its operands, already checked and normalized: axes are
//! counted from the front, shapes are resolved, dtypes promoted. The operands of one op have
//! the dtypes that [`Op::result`] accepts; a plan inserts the casts before.

mod conv;
mod elementwise;
mod fft;
mod linalg;
mod random;
pub(crate) mod result;

pub use conv::{ArrangedConv, ConvOp};
pub use elementwise::{BinaryOp, UnaryOp};
pub use fft::{FftOp, FftScale};
pub use linalg::LinalgOp;
pub use random::{PHILOX_CONSTANTS, PHILOX_ROUNDS, philox};
pub use result::Signature;

use crate::{Dims, Dtype, Scalar, Shape};

/// One axis of a [`Op::Slice`]: `len` elements from `start`, `step` apart (`step` may be
/// negative). Every position lies within the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AxisSlice {
    /// The first position.
    pub start: usize,
    /// The distance between positions; not zero.
    pub step: isize,
    /// How many positions.
    pub len: usize,
}

/// One axis of a [`Op::Pad`]: how many elements are put before and after its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AxisPad {
    /// Before the first one.
    pub before: usize,
    /// After the last one.
    pub after: usize,
}

/// How a [`Op::Reduce`] combines elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReduceOp {
    /// Sum in the operand's dtype (float16 and bfloat16 accumulate in float32); `or` of bools
    /// is not here: the plan casts bool first.
    Sum,
    /// Product, likewise.
    Prod,
    /// Greatest element; NaN propagates. An empty reduction never gets here.
    Max,
    /// Least element; NaN propagates.
    Min,
    /// True if every element is true; operand bool.
    All,
    /// True if any element is true; operand bool.
    Any,
    /// Arithmetic mean of floats or complex numbers; NaN of nothing.
    Mean,
    /// Variance of floats by two passes: the sum of squared deviations from the mean, divided
    /// by `max(n - correction, 0)`.
    Var {
        /// Bits of the float64 correction.
        correction: u64,
    },
}

/// How a [`Op::Scan`] combines elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScanOp {
    /// Running sum.
    Sum,
    /// Running product.
    Prod,
    /// The least so far, the first of equal ones; the first NaN stays. Not of complex numbers.
    Min,
    /// The greatest so far, likewise.
    Max,
    /// The bits that all have so far; integers.
    And,
    /// The bits that one has so far; integers.
    Or,
}

impl ScanOp {
    /// Every one.
    pub const ALL: &'static [ScanOp] = {
        use ScanOp::*;
        &[Sum, Prod, Min, Max, And, Or]
    };

    /// True if elements of a dtype combine so.
    pub fn takes(self, dtype: Dtype) -> bool {
        match self {
            ScanOp::Sum | ScanOp::Prod => !dtype.is_bool(),
            ScanOp::Min | ScanOp::Max => dtype.is_int() || dtype.is_float(),
            ScanOp::And | ScanOp::Or => dtype.is_int(),
        }
    }
}

/// How a [`Op::Scatter`] combines an update with what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScatterOp {
    /// The update replaces; of several for one place, the last in index order stays.
    Set,
    /// The update is added; bool is `or`, as everywhere.
    Add,
    /// They are multiplied; bool is `and`.
    Mul,
    /// The lesser stays; NaN does in any case. Not of complex numbers.
    Min,
    /// The greater stays; NaN does in any case. Not of complex numbers.
    Max,
    /// The bits of both; integers and bool.
    And,
    /// The bits of either; integers and bool.
    Or,
}

impl ScatterOp {
    /// Every one.
    pub const ALL: &'static [ScatterOp] = {
        use ScatterOp::*;
        &[Set, Add, Mul, Min, Max, And, Or]
    };

    /// The element-wise op of the old value and the update, of a dtype, that gives the new one; `None`
    /// where the update replaces.
    pub fn binary(self, dtype: Dtype) -> Option<BinaryOp> {
        Some(match self {
            ScatterOp::Set => return None,
            ScatterOp::Min if dtype.is_bool() => BinaryOp::BitwiseAnd,
            ScatterOp::Max if dtype.is_bool() => BinaryOp::BitwiseOr,
            ScatterOp::Add => BinaryOp::Add,
            ScatterOp::Mul => BinaryOp::Multiply,
            ScatterOp::Min => BinaryOp::Minimum,
            ScatterOp::Max => BinaryOp::Maximum,
            ScatterOp::And => BinaryOp::BitwiseAnd,
            ScatterOp::Or => BinaryOp::BitwiseOr,
        })
    }

    /// True if elements of a dtype combine so.
    pub fn takes(self, dtype: Dtype) -> bool {
        match self {
            ScatterOp::Set | ScatterOp::Add | ScatterOp::Mul => true,
            ScatterOp::Min | ScatterOp::Max => !dtype.is_complex(),
            ScatterOp::And | ScatterOp::Or => dtype.is_int() || dtype.is_bool(),
        }
    }
}

/// What a [`Op::Exchange`] makes of what stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExchangeOp {
    /// The update replaces it.
    Set,
    /// The update is added, and wraps; integers.
    Add,
    /// The update replaces what equals a second operand of the updates' shape, and nothing else: as
    /// [`BinaryOp::Equal`], so that zeros are equal and NaN equals nothing.
    Compare,
}

impl ExchangeOp {
    /// Every one.
    pub const ALL: &'static [ExchangeOp] = &[ExchangeOp::Set, ExchangeOp::Add, ExchangeOp::Compare];

    /// The name of the function that does it.
    pub const fn name(self) -> &'static str {
        match self {
            ExchangeOp::Set => "scatter_exch",
            ExchangeOp::Add => "scatter_inc",
            ExchangeOp::Compare => "scatter_cas",
        }
    }

    /// True for elements of such a dtype.
    pub fn takes(self, dtype: Dtype) -> bool {
        self != ExchangeOp::Add || dtype.is_int()
    }
}

/// A primitive operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// `() -> [shape]`, every element the scalar, which fits the dtype.
    Full {
        /// Shape of the result.
        shape: Shape,
        /// Its dtype.
        dtype: Dtype,
        /// Its value.
        value: Scalar,
    },
    /// `() -> [len]`: `start + i * step`, computed in integers when both are, else in float64,
    /// and converted once.
    Arange {
        /// First element.
        start: Scalar,
        /// Difference of neighbours.
        step: Scalar,
        /// How many.
        len: usize,
        /// Dtype of the result.
        dtype: Dtype,
    },
    /// `() -> [len]`: `start + i * (stop - start) / div` in float64 (complex128 for complex),
    /// where `div` is `len - 1` with the end point, else `len`; with the end point the last
    /// element is `stop` itself.
    Linspace {
        /// First element.
        start: Scalar,
        /// End.
        stop: Scalar,
        /// How many.
        len: usize,
        /// Whether `stop` is the last element.
        endpoint: bool,
        /// Dtype of the result.
        dtype: Dtype,
    },
    /// `() -> [rows, cols]` with ones on diagonal `k`, else zeros.
    Eye {
        /// Rows.
        rows: usize,
        /// Columns.
        cols: usize,
        /// The diagonal; positive is above the main one.
        k: i64,
        /// Dtype of the result.
        dtype: Dtype,
    },
    /// `(x)`, element by element.
    Unary(UnaryOp),
    /// `(x1, x2)` of one dtype, broadcast, element by element.
    Binary(BinaryOp),
    /// `(condition: bool, x1, x2)`, broadcast: `x1` where true, else `x2`.
    Where,
    /// `(x)` converted (decisions S17, S21, S35).
    Cast {
        /// Dtype of the result.
        dtype: Dtype,
    },
    /// `(x)` with the same elements in row-major order under another shape.
    Reshape {
        /// The new shape, of the same size.
        shape: Shape,
    },
    /// `(x)` repeated along axes of length 1 and new leading axes.
    BroadcastTo {
        /// The new shape.
        shape: Shape,
    },
    /// `(x)` with axis `axes[i]` as axis `i`.
    PermuteDims {
        /// A permutation of the axes.
        axes: Dims,
    },
    /// `(x)` restricted on each axis, one entry an axis.
    Slice {
        /// What stays of each axis.
        axes: Dims<AxisSlice>,
    },
    /// `(x)` with a scalar, which fits the dtype, before and after each axis.
    Pad {
        /// How many elements, one entry an axis.
        axes: Dims<AxisPad>,
        /// What they are.
        value: Scalar,
    },
    /// `(x, value)` with the slice of `x` replaced by `value`, which has the slice's shape.
    SetSlice {
        /// The places that are replaced.
        axes: Dims<AxisSlice>,
    },
    /// `(x1, x2, ...)` of one dtype joined along an axis; at least one operand.
    Concat {
        /// The axis.
        axis: usize,
    },
    /// `(x, indices: int64 [m])`: the elements at `indices` along an axis; negative counts from the end.
    Take {
        /// The axis.
        axis: usize,
    },
    /// `(x, indices: int64)` of one rank, broadcast but for the axis: along it, the elements at `indices`.
    TakeAlongAxis {
        /// The axis.
        axis: usize,
    },
    /// `(x, i1, ..., ik: int64)`, the index arrays broadcast to a shape `s`: shape `s` and then
    /// the axes of `x` from `k` on; negative counts from the end.
    Gather {
        /// How many leading axes are indexed.
        axes: usize,
    },
    /// `(x, updates, i1, ..., ik: int64)`: `x` with the places that [`Op::Gather`] reads
    /// combined with `updates`, which has the gathered shape.
    Scatter {
        /// How many leading axes are indexed.
        axes: usize,
        /// How an update combines with the old value.
        op: ScatterOp,
    },
    /// `(x: [n], indices: int64, updates[, expected]) -> (x', old)`: `x` after the updates of the places, one
    /// after the other in the order of the indices, and what stood at the place of each just before it.
    /// Indices, updates and what is expected have one shape; negative indices count from the end.
    Exchange {
        /// What an update does.
        op: ExchangeOp,
    },
    /// `(x) -> ndim(x)` arrays of int64: the indices of the elements that are not zero, row-major.
    Nonzero,
    /// `(x)` reduced over axes.
    Reduce {
        /// How elements combine.
        op: ReduceOp,
        /// The axes, ascending; may be empty.
        axes: Dims,
        /// Whether reduced axes stay with length 1.
        keepdims: bool,
    },
    /// `(x) -> int64`: index of the first greatest (or least) element along an axis, or in the
    /// flat array; the first NaN if there is one.
    ArgReduce {
        /// Greatest or least.
        max: bool,
        /// The axis; `None` for the flat array.
        axis: Option<usize>,
        /// Whether reduced axes stay with length 1.
        keepdims: bool,
    },
    /// `(x)` accumulated along an axis (small floats accumulate in float32).
    Scan {
        /// How elements combine.
        op: ScanOp,
        /// The axis.
        axis: usize,
        /// Whether the identity comes first, which makes the axis one longer.
        include_initial: bool,
    },
    /// `(x)` sorted along an axis; NaN last, also when descending; false before true.
    Sort {
        /// The axis.
        axis: usize,
        /// Greatest first.
        descending: bool,
    },
    /// `(x) -> int64`: the stable order of the elements along an axis.
    Argsort {
        /// The axis.
        axis: usize,
        /// Greatest first; equal elements keep their order.
        descending: bool,
    },
    /// `(x1: sorted [n], x2) -> int64`: where each element of `x2` goes in `x1`; NaN sorts last.
    SearchSorted {
        /// After equal elements instead of before.
        right: bool,
    },
    /// `(x) -> (values, indices, inverse, counts)`: the distinct elements ascending (complex by
    /// real, then imaginary part; each NaN is distinct; the zeros are one), the int64 index of
    /// each one's first occurrence in the flat array, `x`'s shape of indices into `values`, and counts.
    Unique,
    /// `(x1: [..., m, k], x2: [..., k, n])` of one dtype, leading axes broadcast; a
    /// one-dimensional `x1` is a row, `x2` a column, and its axis is absent from the result.
    /// float16 and bfloat16 accumulate in float32, integers wrap.
    Matmul,
    /// `(x, w)` of one dtype, numeric: windows of `x` multiplied by `w` and added.
    Conv(ConvOp),
    /// `(x)`, each line along an axis transformed; float16 and bfloat16 in float32. The line is
    /// first cut to `n` elements, or zeros are put after it; of [`FftOp::RealInverse`] to
    /// `n / 2 + 1`.
    Fft {
        /// Which transform.
        op: FftOp,
        /// The axis.
        axis: usize,
        /// The number of points; not zero.
        n: usize,
        /// What the results are divided by.
        scale: FftScale,
    },
    /// A decomposition of matrices, or what is computed by one.
    Linalg(LinalgOp),
    /// `(state: uint32 [..., 4]) -> [..., shape]`: random words for each state, which is (key 0, key 1,
    /// counter 2, counter 3): those of the blocks ([`philox`]) of the counters `(i low, i high, counter 2, counter 3)`
    /// for `i` from 0. Element `e` of a draw is word `e % 4` of block `e / 4`; of uint64 it is two words, the low
    /// one first.
    RandomBits {
        /// The shape of each draw.
        shape: Shape,
        /// uint32 or uint64.
        dtype: Dtype,
    },
}

impl Op {
    /// The op's name, as tables and logs give it.
    pub const fn name(&self) -> &'static str {
        match self {
            Op::Full { .. } => "full",
            Op::Arange { .. } => "arange",
            Op::Linspace { .. } => "linspace",
            Op::Eye { .. } => "eye",
            Op::Unary(op) => op.name(),
            Op::Binary(op) => op.name(),
            Op::Where => "where",
            Op::Cast { .. } => "cast",
            Op::Reshape { .. } => "reshape",
            Op::BroadcastTo { .. } => "broadcast_to",
            Op::PermuteDims { .. } => "permute_dims",
            Op::Slice { .. } => "slice",
            Op::Pad { .. } => "pad",
            Op::SetSlice { .. } => "set_slice",
            Op::Concat { .. } => "concat",
            Op::Take { .. } => "take",
            Op::TakeAlongAxis { .. } => "take_along_axis",
            Op::Gather { .. } => "gather",
            Op::Scatter { .. } => "scatter",
            Op::Exchange { op } => op.name(),
            Op::Nonzero => "nonzero",
            Op::Reduce { op, .. } => match op {
                ReduceOp::Sum => "sum",
                ReduceOp::Prod => "prod",
                ReduceOp::Max => "max",
                ReduceOp::Min => "min",
                ReduceOp::All => "all",
                ReduceOp::Any => "any",
                ReduceOp::Mean => "mean",
                ReduceOp::Var { .. } => "var",
            },
            Op::ArgReduce { max: true, .. } => "argmax",
            Op::ArgReduce { .. } => "argmin",
            Op::Scan { op, .. } => match op {
                ScanOp::Sum => "cumulative_sum",
                ScanOp::Prod => "cumulative_prod",
                ScanOp::Min => "cumulative_min",
                ScanOp::Max => "cumulative_max",
                ScanOp::And => "cumulative_and",
                ScanOp::Or => "cumulative_or",
            },
            Op::Sort { .. } => "sort",
            Op::Argsort { .. } => "argsort",
            Op::SearchSorted { .. } => "searchsorted",
            Op::Unique => "unique_all",
            Op::Matmul => "matmul",
            Op::Conv(_) => "conv",
            Op::Fft { op, .. } => op.name(),
            Op::Linalg(op) => op.name(),
            Op::RandomBits { .. } => "random_bits",
        }
    }
}
