//! Block reductions and block-wise prefix reductions, under Dr.Jit's names.

use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs, ParamField, ParamValue};
use crate::functional::indexing::scatter::Reduction;
use crate::functional::{Concat, astype, concat, reshape};
use crate::{
    AxisSlice, Dims, Dtype, ErrorKind, Op, ReduceOp, Result, ScanOp, Shape, params, primitive, shape,
};
use smallvec::smallvec;
use std::fmt;

/// How the elements of a block are combined: as a [`Reduction`] says, but for [`Reduction::Replace`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BlockReduction(Reduction);

impl From<Reduction> for BlockReduction {
    fn from(reduction: Reduction) -> BlockReduction {
        BlockReduction(reduction)
    }
}

impl fmt::Debug for BlockReduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl ParamField for BlockReduction {
    const TYPE: &'static str = "Literal[\"sum\", \"min\", \"max\", \"mul\", \"and\", \"or\"]";
    const RULE: &'static str = "one of sum, min, max, mul, and, or";

    fn from_value(value: ParamValue) -> Option<BlockReduction> {
        Reduction::from_value(value).filter(|&reduction| reduction != Reduction::Replace).map(BlockReduction)
    }

    fn variant(&self) -> u64 {
        self.0.variant()
    }
}

params! {
    /// Keyword arguments of [`block_reduce`].
    pub struct BlockReduce {
        /// How many elements a block has; an argument of the function.
        block_size: usize = 2usize,
        /// How its elements are combined.
        reduction: BlockReduction = BlockReduction(Reduction::Sum),
        /// The axis along which blocks follow each other.
        axis: i64 = -1,
    }
}

params! {
    /// Keyword arguments of [`block_prefix_reduce`].
    pub struct BlockPrefixReduce {
        /// How many elements a block has; an argument of the function.
        block_size: usize = 2usize,
        /// How its elements are combined.
        reduction: BlockReduction = BlockReduction(Reduction::Sum),
        /// The axis along which blocks follow each other.
        axis: i64 = -1,
        /// Each result is of what stands before its element in its block, which has no part in it.
        exclusive: bool = true,
        /// From the end of each block to its beginning.
        flag reverse,
    }
}

/// What is done with blocks: one after the other along an axis, all but the last of one length.
struct Blocks {
    function: &'static str,
    axis: usize,
    size: usize,
}

impl Blocks {
    fn new(call: &Composition<'_>, axis: i64, size: usize, reduction: BlockReduction) -> Result<Blocks> {
        let function = call.function.name;
        let refused = |argument, value: String, rule| -> Result<Blocks> {
            Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into())
        };
        if size == 0 {
            return refused("block_size", "0".into(), "a block has at least one element");
        }
        if reduction.0 == Reduction::Replace {
            return refused("reduction", "replace".into(), BlockReduction::RULE);
        }
        reduction.0.check(function, call.compute)?;
        Ok(Blocks { function, axis: shape::normalize_axis(function, axis, call.array(0).ndim())?, size })
    }

    fn along(&self, x: &Array, axis: usize, part: AxisSlice) -> Result<Array> {
        let mut axes: Dims<AxisSlice> =
            x.shape().iter().map(|&len| AxisSlice { start: 0, step: 1, len }).collect();
        axes[axis] = part;
        primitive::run(self.function, &Op::Slice { axes }, &[x])
    }

    /// What `of` makes of the blocks, an axis of its own behind that of their number, side by side again along
    /// `axis`. It gives either that axis or none for each block.
    fn each(&self, x: &Array, of: impl Fn(&Array) -> Result<Array>) -> Result<Array> {
        let (axis, length) = (self.axis, x.shape()[self.axis]);
        let part = |start: usize, size: usize, len: usize| -> Result<Array> {
            let part = match len == length {
                true => x.clone(),
                false => self.along(x, axis, AxisSlice { start, step: 1, len })?,
            };
            let mut dims = Dims::from_slice(x.shape());
            dims[axis] = len / size;
            dims.insert(axis + 1, size);
            let blocks = of(&reshape(&part, Shape::from(dims), ())?)?;
            if blocks.ndim() == x.ndim() {
                return Ok(blocks);
            }
            let mut dims = Dims::from_slice(blocks.shape());
            let own = dims.remove(axis + 1);
            dims[axis] *= own;
            reshape(&blocks, Shape::from(dims), ())
        };
        let size = self.size.min(length).max(1);
        let rest = length % size;
        let whole = part(0, size, length - rest)?;
        match rest {
            0 => Ok(whole),
            _ => concat([&whole, &part(length - rest, rest, rest)?], Concat::new().axis(axis as i64)),
        }
    }
}

/// The reduction as an op of blocks; `None` for bits, which have none.
fn reduce_op(reduction: Reduction, dtype: Dtype) -> Option<ReduceOp> {
    Some(match reduction {
        Reduction::Sum | Reduction::Max | Reduction::Or if dtype.is_bool() => ReduceOp::Any,
        _ if dtype.is_bool() => ReduceOp::All,
        Reduction::Sum => ReduceOp::Sum,
        Reduction::Mul => ReduceOp::Prod,
        Reduction::Min => ReduceOp::Min,
        Reduction::Max => ReduceOp::Max,
        Reduction::And | Reduction::Or | Reduction::Replace => return None,
    })
}

/// The reduction as a running op; of bool, of the bytes 0 and 1.
fn scan_op(reduction: Reduction, dtype: Dtype) -> ScanOp {
    match reduction {
        Reduction::Sum | Reduction::Max | Reduction::Or if dtype.is_bool() => ScanOp::Max,
        _ if dtype.is_bool() => ScanOp::Min,
        Reduction::Sum | Reduction::Replace => ScanOp::Sum,
        Reduction::Mul => ScanOp::Prod,
        Reduction::Min => ScanOp::Min,
        Reduction::Max => ScanOp::Max,
        Reduction::And => ScanOp::And,
        Reduction::Or => ScanOp::Or,
    }
}

describe! {
    BLOCK_REDUCE = "block_reduce", Statistical, Mixed, (x: Promoted), Promote -> [Compute],
    Bound::Sum, params: BlockReduce::new(), example: [&[3]], Body::Compose(compose_reduce)
}

fn compose_reduce(call: &Composition<'_>) -> Result<Outputs> {
    let &BlockReduce { block_size, reduction, axis } = call.params::<BlockReduce>();
    let blocks = Blocks::new(call, axis, block_size, reduction)?;
    let own = blocks.axis + 1;
    let of = |x: &Array| match reduce_op(reduction.0, call.compute) {
        Some(op) => {
            let reduce = Op::Reduce { op, axes: smallvec![own], keepdims: false };
            primitive::run(blocks.function, &reduce, &[x])
        }
        // What the last element of a running one is.
        None => {
            let scan = Op::Scan { op: scan_op(reduction.0, call.compute), axis: own, include_initial: false };
            let all = primitive::run(blocks.function, &scan, &[x])?;
            let last = x.shape()[own] - 1;
            blocks.along(&all, own, AxisSlice { start: last, step: 1, len: 1 })
        }
    };
    Ok(smallvec![blocks.each(call.array(0), of)?])
}

describe! {
    BLOCK_PREFIX_REDUCE = "block_prefix_reduce", Statistical, Mixed, (x: Promoted), Promote -> [Compute],
    Bound::Sum, params: BlockPrefixReduce::new(), example: [&[3]], Body::Compose(compose_prefix)
}

fn compose_prefix(call: &Composition<'_>) -> Result<Outputs> {
    let params = call.params::<BlockPrefixReduce>();
    let blocks = Blocks::new(call, params.axis, params.block_size, params.reduction)?;
    let (own, op) = (blocks.axis + 1, scan_op(params.reduction.0, call.compute));
    let reversed = |x: &Array| match x.shape()[own] {
        len @ 2.. if params.reverse => blocks.along(x, own, AxisSlice { start: len - 1, step: -1, len }),
        _ => Ok(x.clone()),
    };
    let of = |x: &Array| {
        let scan = Op::Scan { op, axis: own, include_initial: params.exclusive };
        let mut all = primitive::run(blocks.function, &scan, &[&reversed(x)?])?;
        if params.exclusive {
            all = blocks.along(&all, own, AxisSlice { start: 0, step: 1, len: x.shape()[own] })?;
        }
        reversed(&all)
    };
    let x = call.array(0);
    let result = match call.compute.is_bool() {
        true => astype(blocks.each(&astype(x, Dtype::UINT8)?, of)?, Dtype::BOOL)?,
        false => blocks.each(x, of)?,
    };
    Ok(smallvec![result])
}

/// Block reduction: blocks of `block_size` elements that follow each other along an axis, each reduced to one element;
/// if the last one is shorter it is reduced as it is. The result has the operand's dtype: integers wrap, as in
/// [`scatter_nd`](crate::functional::scatter_nd); sums of float16 and bfloat16 are computed in float32. Reductions of
/// all of an axis, which widen small integers, are [`sum`](crate::functional::sum) and the like.
///
/// ```
/// use ivy::{BlockReduce, Reduction, prelude::*};
/// let x = Array::try_from([1i32, 2, 3, 4, 5])?;
/// assert_eq!(ivy::block_reduce(&x, 2, ())?.to_vec::<i32>()?, [3, 7, 5]);
/// let greatest = BlockReduce::new().reduction(Reduction::Max);
/// assert_eq!(ivy::block_reduce(&x, 3, greatest)?.to_vec::<i32>()?, [3, 5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for blocks of no elements and for
/// [`Reduction::Replace`]; [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange);
/// [`WrongDtypeKind`](crate::ErrorKind::WrongDtypeKind) for a reduction that the dtype does not have.
#[doc(alias = "block_sum")]
pub fn block_reduce<'a>(
    x: impl IntoOperand<'a>,
    block_size: usize,
    params: impl Into<BlockReduce>,
) -> Result<Array> {
    call_one(&BLOCK_REDUCE, &[x.into_operand()], &params.into().block_size(block_size))
}

/// Block-wise prefix reduction: cumulative reductions that begin anew with each block of `block_size` elements along an
/// axis: by default of what stands before each element, from what changes nothing (0 of a sum, 1 of a product, infinity
/// or the greatest integer of a least). Dtypes are as for [`block_reduce`]; of the least and greatest, the first of
/// equal ones stays, and NaN does. [`cumsum`](crate::functional::cumsum) and [`cumprod`](crate::functional::cumprod) go
/// along all of an axis, and widen small integers.
///
/// ```
/// use ivy::{BlockPrefixReduce, Reduction, prelude::*};
/// let x = Array::try_from([1i32, 2, 3, 4, 5])?;
/// assert_eq!(ivy::block_prefix_reduce(&x, 2, ())?.to_vec::<i32>()?, [0, 1, 0, 3, 0]);
/// let up_to = BlockPrefixReduce::new().exclusive(false);
/// assert_eq!(ivy::block_prefix_reduce(&x, 2, up_to)?.to_vec::<i32>()?, [1, 3, 3, 7, 5]);
/// let least = BlockPrefixReduce::new().exclusive(false).reduction(Reduction::Min).reverse();
/// assert_eq!(ivy::block_prefix_reduce(&x, 3, least)?.to_vec::<i32>()?, [1, 2, 3, 4, 5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`block_reduce`].
#[doc(alias = "block_prefix_sum")]
#[doc(alias = "prefix_reduce")]
pub fn block_prefix_reduce<'a>(
    x: impl IntoOperand<'a>,
    block_size: usize,
    params: impl Into<BlockPrefixReduce>,
) -> Result<Array> {
    call_one(&BLOCK_PREFIX_REDUCE, &[x.into_operand()], &params.into().block_size(block_size))
}
