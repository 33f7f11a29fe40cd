//! Element-wise kernels: unary and binary operations, selection, conversion between dtypes,
//! and arrays made from scalars.
//!
//! Operands may have any strides; results are row-major. Long results are made by several
//! threads; what is computed for an element depends on nothing but that element.

mod binary;
mod cast;
mod complex;
mod dense;
pub(crate) mod drive;
mod fill;
mod float;
mod int;
mod kernel;
pub(crate) mod math;
mod tanh;
mod through;
mod unary;

pub use cast::cast;
pub use dense::{binary_dense, binary_dense_scalar, unary_dense};
pub use fill::{arange, eye, full, linspace, zeros};
pub use math::digamma_fit;

use crate::types::match_width;
use drive::drive;
use ivy_core::host::{HostArray, HostView};
use ivy_core::{BinaryOp, UnaryOp};
use ivy_core::{Dtype, Error, ErrorKind, Result, shape};

/// An operation on each element.
///
/// # Errors
/// [`ErrorKind::InvalidArgument`] if the operation does not take the dtype; no memory.
pub fn unary(op: UnaryOp, x: HostView<'_>) -> Result<HostArray> {
    let found = op.result(x.dtype()).zip(unary::kernel(op, x.dtype()));
    let (dtype, kernel) = found.ok_or_else(|| refused(op.name(), x.dtype()))?;
    // SAFETY: the kernel is that of the operand's dtype.
    unsafe { drive(op.name(), dtype, [x], kernel) }
}

/// An operation on pairs of elements of two arrays of one dtype, broadcast against each other.
///
/// # Errors
/// [`ErrorKind::DtypeMismatch`], [`ErrorKind::BroadcastShapes`], [`ErrorKind::InvalidArgument`]
/// if the operation does not take the dtype; no memory.
pub fn binary(op: BinaryOp, a: HostView<'_>, b: HostView<'_>) -> Result<HostArray> {
    same_dtype(op.name(), a.dtype(), b.dtype())?;
    let turned = match op {
        BinaryOp::Greater => Some(BinaryOp::Less),
        BinaryOp::GreaterEqual => Some(BinaryOp::LessEqual),
        _ => None,
    };
    if let Some(turned) = turned {
        // What does not fit is told as it was given.
        shape::broadcast(op.name(), &[a.shape(), b.shape()])?;
        return binary(turned, b, a);
    }
    let found = op.result(a.dtype()).zip(binary::kernel(op, a.dtype()));
    let (dtype, kernel) = found.ok_or_else(|| refused(op.name(), a.dtype()))?;
    // SAFETY: the kernel is that of the operands' dtype.
    unsafe { drive(op.name(), dtype, [a, b], kernel) }
}

/// The elements of `a` where `condition` is true, else those of `b`; all three broadcast.
///
/// # Errors
/// [`ErrorKind::DtypeMismatch`] if the condition is not bool or `a` and `b` differ,
/// [`ErrorKind::BroadcastShapes`]; no memory.
pub fn select(condition: HostView<'_>, a: HostView<'_>, b: HostView<'_>) -> Result<HostArray> {
    let function = "where";
    if !condition.dtype().is_bool() {
        let (argument, expected, actual) = ("condition", Dtype::BOOL, condition.dtype());
        return Err(ErrorKind::DtypeMismatch { function, argument, expected, actual }.into());
    }
    same_dtype(function, a.dtype(), b.dtype())?;
    let dtype = a.dtype();
    match_width!(dtype.bytes(), T => {
        // SAFETY: a type of the dtype's width.
        unsafe { drive(function, dtype, [condition, a, b], kernel::run_select::<T>) }
    }, else => Err(refused(function, dtype)))
}

fn same_dtype(function: &'static str, expected: Dtype, actual: Dtype) -> Result<()> {
    if expected == actual {
        return Ok(());
    }
    Err(ErrorKind::DtypeMismatch { function, argument: "x2", expected, actual }.into())
}

fn refused(function: &'static str, dtype: Dtype) -> Error {
    let (argument, value) = ("operand dtypes", dtype.to_string());
    ErrorKind::InvalidArgument { function, argument, value, rule: "not a dtype that the primitive takes" }
        .into()
}
