//! The shortest way, for what most calls are: operands of one shape that are whole, dense
//! buffers. No views, no shapes: the bytes say how many elements there are.

use super::drive::{BLOCK, PARALLEL, Scratch};
use super::fill::splat;
use super::kernel::Kernel;
use super::{binary, unary};
use crate::isa::{self, Isa};
use ivy_core::host::{Buffer, UniqueBuffer};
use ivy_core::{BinaryOp, Dtype, Scalar, UnaryOp};
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

/// An operation on each element of a buffer of a dtype and a host scalar, which becomes the dtype
/// and comes first if `first`: the result's dtype and elements. `None` as [`binary_dense`].
pub fn binary_dense_scalar(
    op: BinaryOp,
    dtype: Dtype,
    x: &Buffer,
    scalar: Scalar,
    first: bool,
) -> Option<(Dtype, Buffer)> {
    let (op, first) = match op {
        BinaryOp::Greater => (BinaryOp::Less, !first),
        BinaryOp::GreaterEqual => (BinaryOp::LessEqual, !first),
        _ => (op, first),
    };
    let (result, kernel) = (op.result(dtype)?, binary::kernel(op, dtype)?);
    let (from, to) = (dtype.bytes(), result.bytes());
    let n = count(dtype, [x])?;
    let mut out = UniqueBuffer::allocate(n * to)?;
    if n > 0 {
        let mut scratch = Scratch::new();
        let block = n.min(BLOCK / from);
        splat(dtype, scalar, scratch.first(block * from));
        let (scalars, results, mut at) = (scratch.as_ptr(), out.as_uninit::<u8>().as_mut_ptr(), 0);
        while at < n {
            let x = x.as_ptr().wrapping_add(at * from);
            let operands = if first { [scalars, x] } else { [x, scalars] };
            let some = block.min(n - at);
            // SAFETY: `some` elements of the kernel's types stand from each pointer on, aligned
            // (complex128 by its parts); the result is fresh and has room for `n` elements.
            unsafe { kernel(operands, results.add(at * to).cast(), some, level(n)) };
            at += some;
        }
    }
    // SAFETY: kernels write all results that they are given.
    Some((result, unsafe { out.assume_init() }))
}

/// The elements of buffers of a dtype, if they are aligned, alike in length, and not for several threads.
#[inline]
fn count<const N: usize>(dtype: Dtype, operands: [&Buffer; N]) -> Option<usize> {
    let (width, len) = (dtype.bytes(), operands[0].len());
    debug_assert!(width.is_power_of_two());
    let n = len >> width.trailing_zeros();
    let fits = |x: &Buffer| x.len() == len && (x.as_ptr() as usize).is_multiple_of(width.min(8));
    (n < PARALLEL && n * width == len && operands.iter().all(|x| fits(x))).then_some(n)
}

#[inline]
fn level(n: usize) -> Isa {
    if n <= FEW { Isa::Baseline } else { isa::best() }
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
    let n = count(from, operands)?;
    let mut out = UniqueBuffer::allocate(n * to.bytes())?;
    if n > 0 {
        let to: &mut [MaybeUninit<u8>] = out.as_uninit();
        // SAFETY: `n` elements each, aligned (complex128 by its parts), of the kernel's types; the
        // result is fresh, and owned memory is aligned for every element.
        unsafe { kernel(operands.map(Buffer::as_ptr), to.as_mut_ptr().cast(), n, level(n)) };
    }
    // SAFETY: kernels write all results that they are given.
    Some(unsafe { out.assume_init() })
}
