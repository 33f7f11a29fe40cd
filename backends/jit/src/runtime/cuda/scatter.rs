//! Updates put at indices on a device: their places are computed and checked, the updates are put in the
//! order of their places, and those of a place are joined one after the other. So the order within a place is
//! that of the updates, whatever they are, and no two threads write one place.
//!
//! # The promise
//! As in [`super::launch`]. Places are within the axes that are indexed: what is not is told by the flag
//! before anything reads or writes there.

use super::array::DeviceArray;
use super::failure::Failure;
use super::launch::{THREADS, WAVES, launch};
use super::order::order;
use super::own::Own;
use super::pool::Memory;
use super::space::{Input, Space};
use super::uses::Uses;
use crate::codegen::ptx::put::Numbers;
use crate::ir::{Access, Builder, Code, Kernel, Param, Steps, Type};
use crate::lower;
use crate::runtime::Reading;
use ivy_core::{Dims, Dtype, ErrorKind, Op, Result, ScatterOp, Shape, shape};
use std::sync::Arc;

/// `x` with updates put at indices, as [`Op::Scatter`] has it; `x` and the updates are in row-major order.
///
/// # Errors
/// [`ErrorKind::IndexOutOfRange`], without more, for an index that is; shapes that do not fit; no memory, and
/// what a launch before ended with.
pub fn scatter(
    kept: &Uses<'_>,
    op: ScatterOp,
    x: &DeviceArray,
    updates: &DeviceArray,
    indices: &[DeviceArray],
) -> Result<DeviceArray> {
    let function = Op::Scatter { axes: 0, op }.name();
    let joint = shape::broadcast(function, &indices.iter().map(|i| &**i.shape()).collect::<Vec<_>>())?;
    let (axes, block) = x.shape().split_at(indices.len().min(x.shape().len()));
    let gathered: Shape = joint.iter().chain(block).copied().collect();
    if indices.len() > x.shape().len() || gathered != *updates.shape() {
        let (argument, expected) = ("updates", gathered.to_string());
        let actual = updates.shape().clone();
        return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
    }
    let (count, each) = (joint.size(), block.iter().product::<usize>());
    // Places and their updates are counted by 32 bits.
    let room = axes.iter().try_fold(1usize, |n, &l| n.checked_mul(l)).filter(|&n| n <= u32::MAX as usize);
    let fits = x.dtype() == updates.dtype()
        && indices.iter().all(|i| i.dtype() == Dtype::INT64)
        && x.is_contiguous()
        && updates.is_contiguous();
    let (Some(room), true, true) = (room, fits, count <= i32::MAX as usize) else {
        return Err(unfit(updates.shape()));
    };
    let device = kept.device();
    let bytes = x.shape().size() * x.dtype().bytes();
    let to = Memory::new(device, bytes)?;
    let first = x.offset() * x.dtype().bytes();
    if bytes > 0 {
        device.copy_from(x.memory(), first, &to, bytes)?;
    }
    if count > 0 {
        let places = places(kept, &joint, axes, indices)?;
        let bits = usize::BITS - room.saturating_sub(1).leading_zeros();
        if each > 0 {
            let [places, numbers] = order(kept, &places, None, bits)?;
            let updates = taken(kept, updates, &numbers, each)?;
            let numbers = Numbers {
                count,
                each,
                places: places.address(),
                updates: updates.address(),
                to: to.address(),
            };
            let kernel = kept.own(Own::Put(op, x.dtype()))?;
            let blocks = (count * each).div_ceil(THREADS as usize).min(device.processors as usize * WAVES);
            device.start(&kernel, blocks as u32, (THREADS, 1), &numbers.words())?;
        }
    }
    let array = DeviceArray::new(to, x.dtype(), x.shape().clone());
    array.ok_or_else(|| Failure::Memory { bytes, free: device.free_memory() }.into())
}

fn unfit(updates: &[usize]) -> ivy_core::Error {
    ErrorKind::InvalidArgument {
        function: "scatter",
        argument: "updates",
        value: format!("{updates:?}"),
        rule: "a device takes fewer than 2^31 updates, in row-major order, for fewer than 2^32 places",
    }
    .into()
}

/// The place of each update, in row-major order of the axes that are indexed.
fn places(kept: &Uses<'_>, joint: &[usize], axes: &[usize], indices: &[DeviceArray]) -> Result<DeviceArray> {
    let mut inputs: Vec<Input> = Vec::new();
    for index in indices {
        let missing = joint.len() - index.shape().len();
        let own = index.shape().iter().zip(index.strides()).map(|(&l, &s)| if l == 1 { 0 } else { s });
        let steps = std::iter::repeat_n(0, missing).chain(own).collect();
        inputs.push(Input { address: index.address(), reading: Reading::Walked, steps });
    }
    let lengths = axes.iter().map(|&l| kept.literal([l as u64, 0]));
    let lengths: Vec<Arc<Memory>> = lengths.collect::<std::result::Result<_, _>>()?;
    let same = |m: &Arc<Memory>| one(m.address(), joint.len());
    inputs.extend(lengths.iter().map(same));
    let space = Space::new(joint, &inputs);
    let space = space.ok_or_else(|| unfit(joint))?;
    let kernel = place(axes.len());
    let code = kept.own(Own::Place(axes.len(), space.form(false)))?;
    let memory = launch(&code, &kernel.params, &space)?.pop();
    let array =
        memory.and_then(|m| DeviceArray::new(m, Dtype::UINT32, Shape::from([joint.iter().product()])));
    array.ok_or_else(|| unfit(joint))
}

/// Blocks of updates in another order.
fn taken(kept: &Uses<'_>, updates: &DeviceArray, numbers: &DeviceArray, each: usize) -> Result<Memory> {
    let length = kept.literal([each as u64, 0])?;
    let walk = |x: &DeviceArray, reading, steps: [isize; 2]| Input {
        address: x.address(),
        reading,
        steps: Dims::from_slice(&steps),
    };
    let inputs = [
        walk(numbers, Reading::Walked, [1, 0]),
        one(length.address(), 2),
        walk(updates, Reading::Gathered, [0, 1]),
    ];
    let space = Space::new(&[numbers.shape().size(), each], &inputs);
    let space = space.ok_or_else(|| unfit(updates.shape()))?;
    let dtype = updates.dtype();
    let kernel = take(dtype).ok_or_else(|| unfit(updates.shape()))?;
    let code = kept.own(Own::Take(dtype, space.form(false)))?;
    let memory = launch(&code, &kernel.params, &space)?.pop();
    memory.ok_or_else(|| unfit(updates.shape()))
}

/// One element for all.
fn one(address: u64, axes: usize) -> Input {
    Input { address, reading: Reading::Walked, steps: Dims::from_elem(0, axes) }
}

fn param(ty: Type, access: Access) -> Param {
    Param { ty, parts: 1, access }
}

/// The kernel of [`places`], for so many axes: an index for each, and the length of each.
pub(super) fn place(axes: usize) -> Kernel {
    let number = param(Type::I64, Access::Strided);
    let inputs = std::iter::repeat_n(number, 2 * axes);
    let mut b = Builder::new(inputs.chain([param(Type::U32, Access::Out), Param::FLAG]).collect());
    let zero = b.constant(Type::I64, 0);
    let mut place = zero;
    for axis in 0..axes as u32 {
        let (index, length) = (b.load(axis, 0), b.load(axes as u32 + axis, 0));
        let from_end = b.binary(Code::Lt, index, zero);
        let behind = b.binary(Code::Add, index, length);
        let index = b.select(from_end, behind, index);
        let (low, high) = (b.binary(Code::Le, zero, index), b.binary(Code::Lt, index, length));
        let inside = b.binary(Code::And, low, high);
        b.check(0, inside);
        let before = b.binary(Code::Mul, place, length);
        place = b.binary(Code::Add, before, index);
    }
    let place = b.convert(place, Type::U32);
    b.store(2 * axes as u32, &[place]);
    b.finish()
}

/// The kernel of [`taken`]: the numbers of blocks, the elements of a block, and the blocks.
pub(super) fn take(dtype: Dtype) -> Option<Kernel> {
    let (ty, parts) = lower::memory(dtype)?;
    let element = |access| Param { ty, parts, access };
    let mut b = Builder::new(vec![
        param(Type::U32, Access::Strided),
        param(Type::I64, Access::Strided),
        element(Access::Gather(Steps::Any)),
        element(Access::Out),
    ]);
    let (number, each) = (b.load(0, 0), b.load(1, 0));
    let number = b.convert(number, Type::I64);
    let distance = b.binary(Code::Mul, number, each);
    let values: Vec<_> = (0..parts).map(|part| b.gather(2, part, distance)).collect();
    b.store(3, &values);
    Some(b.finish())
}
