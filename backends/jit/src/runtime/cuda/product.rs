//! Products of matrices on a device.
//!
//! # The promise
//! As in [`super::launch`]: the operands' elements are in their memory, which [`DeviceArray`] sees
//! to, the result's memory has the size of the result, and the kernel reads and writes no others.

use super::array::DeviceArray;
use super::pool::Memory;
use super::tiling::{Chip, Sizes, Way, way};
use super::uses::Uses;
use crate::codegen::ptx::{Numbers, Product, Reach, Tile, Tiled};
use crate::ir::Type;
use ivy_core::{Dims, Dtype, ErrorKind, Op, Result, Shape, shape};

/// Threads of a block that adds parts.
const THREADS: u32 = 256;
/// Blocks of those for each multiprocessor; what is left is done by the same threads.
const WAVES: usize = 8;

/// A matrix operand, or a stack of them: its axes, and the steps along them.
struct Stack {
    shape: Dims,
    steps: Dims<isize>,
}

impl Stack {
    /// A vector is a matrix with an axis of length 1: the first one of the left operand, the last
    /// one of the right.
    fn new(x: &DeviceArray, left: bool) -> Stack {
        let (mut shape, mut steps) = (Dims::from_slice(x.shape()), Dims::from_slice(x.strides()));
        if shape.len() == 1 {
            let at = usize::from(!left);
            shape.insert(at, 1);
            steps.insert(at, 0);
        }
        Stack { shape, steps }
    }

    /// The axes of the stack, and the last two.
    fn split(&self) -> (&[usize], &[usize]) {
        self.shape.split_at(self.shape.len() - 2)
    }

    /// The steps over a broadcast stack, and those of the matrix.
    fn over(&self, stack: &[usize]) -> Dims<isize> {
        let own = self.shape.len() - 2;
        let missing = stack.len() - own;
        let lead = (0..stack.len()).map(|axis| match axis.checked_sub(missing) {
            Some(axis) if self.shape[axis] > 1 => self.steps[axis],
            _ => 0,
        });
        lead.chain(self.steps[own..].iter().copied()).collect()
    }
}

fn unfit(expected: String, actual: &[usize]) -> ivy_core::Error {
    let function = Op::Matmul.name();
    ErrorKind::ShapeMismatch { function, argument: "x2", expected, actual: actual.into() }.into()
}

/// The product of two arrays of float32 or of float64 with at least one axis each, as
/// [`Op::Matmul`] has it: the bits of the host's fused one. The way is the one that takes the least
/// time, or the one that is given.
///
/// # Errors
/// Shapes that do not fit; no memory, and what a launch before ended with.
pub fn product(
    kept: &Uses<'_>,
    a: &DeviceArray,
    b: &DeviceArray,
    wanted: Option<Way>,
) -> Result<DeviceArray> {
    let ty = match (a.dtype(), b.dtype()) {
        (Dtype::FLOAT32, Dtype::FLOAT32) => Type::F32,
        (Dtype::FLOAT64, Dtype::FLOAT64) => Type::F64,
        (expected, actual) => {
            let function = Op::Matmul.name();
            return Err(ErrorKind::DtypeMismatch { function, argument: "x2", expected, actual }.into());
        }
    };
    if a.shape().is_empty() || b.shape().is_empty() {
        return Err(unfit("at least one axis".into(), &[]));
    }
    let (left, right) = (Stack::new(a, true), Stack::new(b, false));
    let ((lead_a, &[m, k]), (lead_b, &[also_k, n])) = (left.split(), right.split()) else {
        return Err(unfit("two axes".into(), b.shape()));
    };
    if k != also_k {
        return Err(unfit(format!("(..., {k}, n)"), b.shape()));
    }
    let stack = shape::broadcast(Op::Matmul.name(), &[lead_a, lead_b])?;
    let last = [(a.shape().len() > 1).then_some(m), (b.shape().len() > 1).then_some(n)];
    let shape: Shape = stack.iter().copied().chain(last.into_iter().flatten()).collect();
    let device = kept.device();
    let bytes = shape.checked_size(Op::Matmul.name(), a.dtype())? * ty.bytes();
    let memory = Memory::new(device, bytes)?;
    if bytes > 0 {
        let (left, right) = (left.over(&stack), right.over(&stack));
        let operands = [(a.address(), &left[..]), (b.address(), &right[..])];
        let mut numbers = Numbers { stack: &stack, m, n, k, parts: 1, result: memory.address(), operands };
        let sizes = Sizes { matrices: stack.iter().product(), m, n, k };
        let way = wanted.unwrap_or_else(|| way(ty, sizes, Chip::of(device)));
        let tiled = way.tile.map(|tile| tiled(ty, tile, &numbers));
        let kind = Product { ty, leads: stack.len(), tiled };
        // Where there is no memory for parts, there are none.
        let parts = match way.parts && sizes.blocks() > 1 {
            true => Memory::new(device, bytes.saturating_mul(sizes.blocks())).ok(),
            false => None,
        };
        if let Some(parts) = &parts {
            (numbers.parts, numbers.result) = (sizes.blocks(), parts.address());
        }
        let blocks = kind.blocks(&numbers).min(i32::MAX as usize) as u32;
        device.start(&*kept.product(kind)?, blocks, (kind.threads(), 1), &kind.words(&numbers))?;
        if let Some(parts) = &parts {
            let elements = bytes / ty.bytes();
            let words = [elements as u64, numbers.parts as u64, parts.address(), memory.address()];
            let blocks = elements.div_ceil(THREADS as usize).min(device.processors as usize * WAVES) as u32;
            device.start(&*kept.parts(ty)?, blocks, (THREADS, 1), &words)?;
        }
    }
    let result = DeviceArray::new(memory, a.dtype(), shape);
    result.ok_or_else(|| super::Failure::Memory { bytes, free: device.free_memory() }.into())
}

/// How tiles of a shape find their elements.
fn tiled(ty: Type, tile: Tile, numbers: &Numbers<'_>) -> Tiled {
    let vector = 16 / ty.bytes();
    let reach = [(0, numbers.m), (1, numbers.n)].map(|(side, lines)| {
        let (address, steps) = numbers.operands[side];
        let (line, k) = (numbers.stack.len() + side, numbers.stack.len() + 1 - side);
        let along = lines == 1 || steps[k].unsigned_abs() < steps[line].unsigned_abs();
        let (near, length) = if along { (k, 0) } else { (line, lines) };
        let even = |&step: &isize| step % vector as isize == 0;
        let others = steps[..near].iter().chain(&steps[near + 1..]).all(even);
        let vectors =
            steps[near] == 1 && length.is_multiple_of(vector) && address.is_multiple_of(16) && others;
        Reach { along, vectors }
    });
    Tiled { tile, reach, whole: numbers.n.is_multiple_of(vector) }
}
