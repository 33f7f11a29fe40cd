//! How values hold their elements.
//!
//! # Invariants
//!
//! The data of a value is one of two handles:
//!
//! - a [`Buffer`], of exactly the value's elements in row-major order, aligned for its dtype: what
//!   every computed array is. Nothing else is kept; dtype and shape are the value's.
//! - an `Arc<HostArray>` of the value's dtype and shape, for all other strides and offsets.

use crate::backend::NAME;
use ivy_core::backend::{Data, Value};
use ivy_core::host::{Buffer, HostArray};
use ivy_core::{BinaryOp, ErrorKind, Op, Result, Scalar};
use ivy_kernels::elementwise::{binary_dense, binary_dense_scalar, unary_dense};
use std::sync::Arc;

/// An array as a value, without a copy.
pub(crate) fn value(array: HostArray) -> Value {
    let (dtype, shape) = (array.dtype(), array.shape().clone());
    let whole = array.offset() == 0 && array.buffer().len() == shape.size().saturating_mul(dtype.bytes());
    let data = match whole && array.is_contiguous() {
        true => Data::new(array.buffer().clone()),
        false => Data::new(Arc::new(array)),
    };
    Value { dtype, shape, data }
}

/// The array behind a value of this backend: another handle to its memory.
pub(crate) fn host(function: &'static str, value: &Value) -> Result<HostArray> {
    if let Some(buffer) = value.data::<Buffer>() {
        let array = HostArray::new(buffer.clone(), value.dtype, value.shape.clone());
        return array.ok_or_else(|| foreign(function));
    }
    match value.data::<Arc<HostArray>>() {
        Some(array) => Ok(HostArray::clone(array)),
        None => Err(foreign(function)),
    }
}

#[cold]
fn foreign(function: &'static str) -> ivy_core::Error {
    ErrorKind::BackendMismatch { function, left: NAME.into(), right: "another backend".into() }.into()
}

/// The result of an element-wise op on small dense operands of one dtype and shape: what most
/// calls are. `None` for all else, and whatever is an error: the general way has the answer.
#[inline]
pub(crate) fn quick(op: &Op, operands: &[&Value]) -> Option<Value> {
    let (first, (dtype, buffer)) = match (op, operands) {
        (Op::Binary(op), &[a, b]) if a.dtype == b.dtype && a.shape == b.shape => {
            (a, binary_dense(*op, a.dtype, a.data()?, b.data()?)?)
        }
        (Op::Unary(op), &[x]) => (x, unary_dense(*op, x.dtype, x.data()?)?),
        _ => return None,
    };
    Some(Value { dtype, shape: first.shape.clone(), data: Data::new(buffer) })
}

/// Likewise, of a small dense operand and a host scalar, which comes first if `first`.
#[inline]
pub(crate) fn quick_scalar(op: BinaryOp, x: &Value, scalar: Scalar, first: bool) -> Option<Value> {
    let (dtype, buffer) = binary_dense_scalar(op, x.dtype, x.data()?, scalar, first)?;
    Some(Value { dtype, shape: x.shape.clone(), data: Data::new(buffer) })
}

/// Changes a value's array in place: in its own memory, if no other handle has it. After an
/// error the value is as before.
pub(crate) fn change(
    function: &'static str,
    target: &mut Value,
    write: impl FnOnce(&mut HostArray) -> Result<()>,
) -> Result<()> {
    let mut array = host(function, target)?;
    // The value's own handle would keep the memory from being written.
    target.data = Data::new(());
    let result = write(&mut array);
    *target = value(array);
    result
}
