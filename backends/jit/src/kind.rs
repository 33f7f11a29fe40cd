//! What nodes of the trace are, and what lowering has a form of.

use crate::ir::Join;
use ivy_core::{BinaryOp, Dtype, UnaryOp};

/// What stands before what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Order {
    /// The greatest first; NaN is last in any case.
    pub descending: bool,
    /// Whether the zero of the lesser sign is the lesser one; else they are equal.
    pub zeros: bool,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Evaluated: elements in memory.
    Data,
    /// One value for all elements.
    Literal,
    /// The number of each element, from 0 on; the node's literal has how many there are.
    Counter,
    /// An operation on each element.
    Unary(UnaryOp),
    /// An operation on pairs of elements, broadcast.
    Binary(BinaryOp),
    /// `(condition, x, y)`: a choice for each element, broadcast.
    Where,
    /// Conversion to the node's dtype.
    Cast,
    /// `(x, index: uint32)` as one uint64: of two of them the greater is of the element that comes first
    /// among the greatest (`true`) or least elements, or among NaNs.
    Rank(bool),
    /// A real element as an unsigned number of 32 bits, or of 64, in this order.
    Key(Order),
    /// `(number: int64, key: uint64, high: uint64)`: that element of a draw of random words of the node's dtype, under
    /// the key, of the counters with this upper half; or the one of the block of that number which stands in this place.
    Random(Option<u8>),
    /// The same elements in row-major order under the node's shape.
    Reshape,
    /// The elements that the node's map finds.
    View,
    /// The operand, and the node's literal around it.
    Pad,
    /// The two operands one after the other, along the axis that the node's literal is.
    Concat,
    /// The elements of the operand at places that are computed.
    Gather,
    /// `(target, update)`: what a recorded loop carries, with updates at places that are computed.
    Scatter,
    /// What a reference kernel makes of operands, when it is asked for.
    Deferred,
    /// The operand folded over axes: the node's literal has a bit for each, and then whether they
    /// stay with length 1.
    Fold(Join),
    /// A value of a loop that is being recorded, or was: what the loop carries. It has no elements
    /// outside of the loop.
    Symbol,
    /// A loop of each element, of nodes in the node's flow.
    Loop,
    /// A conditional of each element, of nodes in the node's flow.
    Branch,
    /// What a loop carries at its end, or a conditional gives: the node's literal says which.
    After,
}

impl Kind {
    /// The name in logs and graphs.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Data => "data",
            Kind::Literal => "literal",
            Kind::Counter => "counter",
            Kind::Unary(op) => op.name(),
            Kind::Binary(op) => op.name(),
            Kind::Where => "where",
            Kind::Cast => "cast",
            Kind::Rank(true) => "rank_max",
            Kind::Rank(false) => "rank_min",
            Kind::Key(_) => "key",
            Kind::Random(_) => "random_bits",
            Kind::Reshape => "reshape",
            Kind::View => "view",
            Kind::Pad => "pad",
            Kind::Concat => "concat",
            Kind::Gather => "gather",
            Kind::Scatter => "scatter",
            Kind::Deferred => "deferred",
            Kind::Fold(join) => join.name(),
            Kind::Symbol => "symbol",
            Kind::Loop => "loop",
            Kind::Branch => "if",
            Kind::After => "after",
        }
    }
}

impl Kind {
    /// For how many operations it counts: a random word is worth reading again.
    pub(crate) const fn weight(self) -> u16 {
        match self {
            Kind::Random(_) => 10,
            _ => 1,
        }
    }

    /// About how many statements it is lowered to, with a result of this dtype.
    pub(crate) fn cost(self, dtype: Dtype) -> u16 {
        use BinaryOp as B;
        use UnaryOp as U;
        let long = dtype == Dtype::FLOAT64;
        let real = match self {
            Kind::Data | Kind::Literal | Kind::Counter | Kind::Reshape | Kind::View => 0,
            Kind::Unary(U::Digamma | U::Lgamma) => 900,
            Kind::Unary(U::Cos | U::Sin | U::Tan) => {
                if long {
                    370
                } else {
                    180
                }
            }
            Kind::Unary(U::Acosh | U::Asinh | U::Atanh | U::Erf | U::Erfc | U::Log | U::Log2 | U::Log10) => {
                120
            }
            Kind::Unary(
                U::Acos | U::Asin | U::Atan | U::Cosh | U::Exp | U::Expm1 | U::Log1p | U::Sinh | U::Tanh,
            ) => 80,
            Kind::Binary(B::Logaddexp) => {
                if long {
                    880
                } else {
                    200
                }
            }
            Kind::Binary(B::Pow) => {
                if long {
                    440
                } else {
                    260
                }
            }
            Kind::Binary(B::Atan2) => 100,
            Kind::Binary(B::Remainder | B::Gcd | B::Lcm) => 60,
            Kind::Binary(B::FloorDivide) => 20,
            Kind::Binary(B::Hypot | B::Nextafter) => 30,
            Kind::Random(_) => 100,
            _ => 1,
        };
        if dtype.is_complex() { real * 4 } else { real }
    }
}
