//! Folds: results that put the elements of a row or of a column together.
//!
//! # Order
//!
//! It depends on the number of elements alone, and is that of the reference kernels. Element `i`
//! of a block of [`BLOCK`] belongs to lane `i % LANES`. A lane is folded front to back, then the
//! lanes in halves (lane `j` with `j + 16`, then with `j + 8`, ...), then the blocks in pairs,
//! pairs of pairs and so on. Lanes that a short block lacks have the identity, which changes no
//! bit of what it is joined with.
//!
//! A kernel that folds along rows gives a value for each block of a row; one that folds across
//! rows gives for each column the fold of its rows, which a launch makes a lane of, joined with
//! what an earlier call gave, if it is told where that is. The rest is the launch's work.

use super::Type;

/// Lanes of a block.
pub const LANES: usize = 32;

/// Most columns that code folds at a time.
pub const COLUMNS: usize = 128;
/// Elements of a block.
pub const BLOCK: usize = 256;

/// How two values become one; the first one comes first in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Join {
    /// The sum; integers wrap, and parts are summed apart.
    Add,
    /// The product; integers wrap.
    Mul,
    /// The greater, or the first NaN; the second of equal ones.
    Max,
    /// The less, or the first NaN; the second of equal ones.
    Min,
    /// True if both are.
    And,
    /// True if one is.
    Or,
}

impl Join {
    /// Every one.
    pub const ALL: &'static [Join] = &[Join::Add, Join::Mul, Join::Max, Join::Min, Join::And, Join::Or];

    /// The name in printed kernels, logs and graphs.
    pub const fn name(self) -> &'static str {
        match self {
            Join::Add => "sum",
            Join::Mul => "product",
            Join::Max => "max",
            Join::Min => "min",
            Join::And => "all",
            Join::Or => "any",
        }
    }

    /// True if values of the type, in this number of parts, can be joined.
    pub const fn takes(self, ty: Type, parts: u32) -> bool {
        match self {
            Join::And | Join::Or => matches!(ty, Type::Bool) && parts == 1,
            Join::Add => ty.is_int() || ty.is_float(),
            _ => (ty.is_int() || ty.is_float()) && parts == 1,
        }
    }

    /// The bits of what changes no value that it is joined with.
    pub const fn identity(self, ty: Type) -> u64 {
        let sign = 1 << (ty.bits() - 1);
        let infinity = match ty {
            Type::F32 => 0x7f80_0000,
            _ => 0x7ff0_0000_0000_0000,
        };
        match self {
            // -0: 0 would make 0 of it.
            Join::Add if ty.is_float() => sign,
            Join::Add | Join::Or => 0,
            Join::Mul => match ty {
                Type::F32 => 0x3f80_0000,
                Type::F64 => 0x3ff0_0000_0000_0000,
                _ => 1,
            },
            Join::And => 1,
            Join::Max if ty.is_float() => sign | infinity,
            Join::Max if ty.is_signed() => sign,
            Join::Max => 0,
            Join::Min if ty.is_float() => infinity,
            Join::Min if ty.is_signed() => sign - 1,
            Join::Min => ty.mask(),
        }
    }
}
