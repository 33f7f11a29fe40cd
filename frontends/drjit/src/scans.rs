//! Running reductions, reductions of blocks, and compression.

use crate::ad::{Kernel, run};
use crate::array::{AnyArray, IntoArg};
use crate::memory::ReduceOp;
use crate::ops::{Domain, array};
use crate::types::{Kind, VarType};
use crate::{Error, Result};
use ivy_core::functional as f;
use ivy_core::{Array, Dtype};

/// Does something with the vectors of an array.
fn of_vectors(
    function: &'static str,
    x: AnyArray,
    kernel: impl Fn(&Array) -> ivy_core::Result<Array> + Clone + Send + Sync + 'static,
) -> Result<AnyArray> {
    Domain::Numbers.check(function, x.ty())?;
    if x.ty().kind() == Kind::Tensor {
        return Err(Error::NotSupported { function, ty: x.ty() });
    }
    x.map_leaves(&mut |leaf| {
        let kernel = kernel.clone();
        run(function, &Kernel::one(move |x| kernel(&x[0])), &[leaf])
    })
}

/// The sums of what stands before each element.
///
/// # Errors
/// [`Error::NotSupported`] for masks and tensors.
pub fn prefix_sum(x: impl IntoArg) -> Result<AnyArray> {
    let x = array("prefix_sum", x.into_arg())?;
    of_vectors("prefix_sum", x, |x| f::cumsum(x, f::Cumsum::new().exclusive().dtype(x.dtype())))
}

/// The sums of all elements up to each.
///
/// # Errors
/// As [`prefix_sum`].
pub fn cumsum(x: impl IntoArg) -> Result<AnyArray> {
    let x = array("cumsum", x.into_arg())?;
    of_vectors("cumsum", x, |x| f::cumsum(x, f::Cumsum::new().dtype(x.dtype())))
}

/// What stands before each element (`exclusive`), or up to it, joined.
///
/// # Errors
/// As [`prefix_sum`]; [`Error::InvalidArgument`] for an operation that joins nothing.
pub fn prefix_reduce(op: ReduceOp, x: impl IntoArg, exclusive: bool, reverse: bool) -> Result<AnyArray> {
    let x = array("prefix_reduce", x.into_arg())?;
    let size = x.width().unwrap_or(1).max(1);
    block_prefix_reduce(op, x, size, exclusive, reverse)
}

fn check_block(function: &'static str, op: ReduceOp, block_size: usize) -> Result<f::Reduction> {
    let wrong = |argument, value: String, rule| Error::InvalidArgument { function, argument, value, rule };
    if block_size == 0 {
        return Err(wrong("block_size", "0".into(), "1 at least"));
    }
    match op {
        ReduceOp::Identity => Err(wrong("op", "Identity".into(), "an operation that joins elements")),
        other => Ok(other.reduction()),
    }
}

/// Each block of so many elements joined to one; a shorter last block is joined as it is.
///
/// # Errors
/// As [`prefix_reduce`]; [`Error::InvalidArgument`] for blocks of no elements.
pub fn block_reduce(op: ReduceOp, x: impl IntoArg, block_size: usize) -> Result<AnyArray> {
    let x = array("block_reduce", x.into_arg())?;
    let reduction = check_block("block_reduce", op, block_size)?;
    of_vectors("block_reduce", x, move |x| {
        f::block_reduce(x, block_size, f::BlockReduce::new().reduction(f::BlockReduction::from(reduction)))
    })
}

/// [`block_reduce`] by sums.
///
/// # Errors
/// As [`block_reduce`].
pub fn block_sum(x: impl IntoArg, block_size: usize) -> Result<AnyArray> {
    block_reduce(ReduceOp::Add, x, block_size)
}

/// What stands before each element in its block of so many (`exclusive`), or up to it, joined; with `reverse` from the end of each
/// block.
///
/// # Errors
/// As [`block_reduce`].
pub fn block_prefix_reduce(
    op: ReduceOp,
    x: impl IntoArg,
    block_size: usize,
    exclusive: bool,
    reverse: bool,
) -> Result<AnyArray> {
    let x = array("block_prefix_reduce", x.into_arg())?;
    let reduction = check_block("block_prefix_reduce", op, block_size)?;
    of_vectors("block_prefix_reduce", x, move |x| {
        let keywords =
            f::BlockPrefixReduce::new().reduction(f::BlockReduction::from(reduction)).exclusive(exclusive);
        f::block_prefix_reduce(x, block_size, if reverse { keywords.reverse() } else { keywords })
    })
}

/// [`block_prefix_reduce`] by sums, of what stands before each element.
///
/// # Errors
/// As [`block_reduce`].
pub fn block_prefix_sum(x: impl IntoArg, block_size: usize) -> Result<AnyArray> {
    block_prefix_reduce(ReduceOp::Add, x, block_size, true, false)
}

/// The numbers of the elements of a mask that are true. The mask is evaluated.
///
/// # Errors
/// [`Error::WrongType`] for what is no flat mask.
pub fn compress(mask: impl IntoArg) -> Result<AnyArray> {
    let mask = array("compress", mask.into_arg())?;
    let (Kind::Flat, true, Some(leaf)) = (mask.ty().kind(), mask.ty().is_mask_v(), mask.leaf()) else {
        let (function, argument, expected) = ("compress", "the array", "a flat mask".into());
        return Err(Error::WrongType { function, argument, expected, actual: mask.ty() });
    };
    let kernel = Kernel::Plain(|x| {
        let mut places = f::nonzero(&x[0])?;
        f::astype(places.swap_remove(0), Dtype::UINT32)
    });
    Ok(AnyArray::from_leaf(mask.ty().with_dtype(VarType::UInt32), run("compress", &kernel, &[leaf])?))
}
