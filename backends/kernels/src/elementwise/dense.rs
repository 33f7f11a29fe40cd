//! The shortest way, for what most calls are: operands of one shape that are whole, dense
//! buffers. No views, no shapes: the bytes say how many elements there are.

use super::drive::PARALLEL;
use super::kernel::Kernel;
use super::{binary, unary};
use crate::isa::{self, Isa};
use ivy_core::host::{Buffer, UniqueBuffer};
use ivy_core::{BinaryOp, Dtype, UnaryOp};
use std::mem::MaybeUninit;

/// Up to this many elements no vector pays the look at what the processor has.
const FEW: usize = 4;

/// An operation on each element of a buffer of a dtype: the result's dtype and elements. `None`
/// for all that is to go the general way ([`super::unary`]): long buffers, and whatever is an error.
#[inline]
pub fn unary_dense(op: UnaryOp, dtype: Dtype, x: &Buffer) -> Option<(Dtype, Buffer)> {
    let (result, kernel) = (op.result(dtype)?, unary::kernel(op, dtype)?);
    // SAFETY: the kernel is that of the dtype.
    unsafe { dense(dtype, result, [x], kernel) }.map(|out| (result, out))
}

/// An operation on pairs of elements of two buffers of a dtype, of one shape: the result's dtype
/// and elements. `None` for all that is to go the general way ([`super::binary`]): buffers that
/// are long or of different lengths, and whatever is an error.
#[inline]
pub fn binary_dense(op: BinaryOp, dtype: Dtype, a: &Buffer, b: &Buffer) -> Option<(Dtype, Buffer)> {
    let (op, a, b) = match op {
        BinaryOp::Greater => (BinaryOp::Less, b, a),
        BinaryOp::GreaterEqual => (BinaryOp::LessEqual, b, a),
        _ => (op, a, b),
    };
    let (result, kernel) = (op.result(dtype)?, binary::kernel(op, dtype)?);
    // SAFETY: the kernel is that of the dtype.
    unsafe { dense(dtype, result, [a, b], kernel) }.map(|out| (result, out))
}

/// # Safety
/// `kernel` takes operands of the dtype `from` and gives elements of `to`.
#[inline]
unsafe fn dense<const N: usize>(
    from: Dtype,
    to: Dtype,
    operands: [&Buffer; N],
    kernel: Kernel<N>,
) -> Option<Buffer> {
    let (width, len) = (from.bytes(), operands[0].len());
    debug_assert!(width.is_power_of_two());
    let n = len >> width.trailing_zeros();
    let fits = |x: &Buffer| x.len() == len && (x.as_ptr() as usize).is_multiple_of(width.min(8));
    if n >= PARALLEL || n * width != len || !operands.iter().all(|x| fits(x)) {
        return None;
    }
    let mut out = UniqueBuffer::allocate(n * to.bytes())?;
    if n > 0 {
        let level = if n <= FEW { Isa::Baseline } else { isa::best() };
        let to: &mut [MaybeUninit<u8>] = out.as_uninit();
        // SAFETY: `n` elements each, aligned (complex128 by its parts), of the kernel's types; the
        // result is fresh, and owned memory is aligned for every element.
        unsafe { kernel(operands.map(Buffer::as_ptr), to.as_mut_ptr().cast(), n, level) };
    }
    // SAFETY: kernels write all results that they are given.
    Some(unsafe { out.assume_init() })
}
