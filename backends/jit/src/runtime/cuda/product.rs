//! Products of matrices on a device.
//!
//! # The promise
//! As in [`super::launch`]: the operands' elements are in their memory, which [`DeviceArray`] sees
//! to, the result's memory has the size of the result, and the kernel reads and writes no others.

use super::array::DeviceArray;
use super::kept::Kept;
use super::pool::Memory;
use crate::codegen::ptx::{Numbers, Product, SIDE};
use crate::ir::Type;
use ivy_core::{Dims, Dtype, ErrorKind, Op, Result, Shape, shape};

/// Blocks for each multiprocessor; what is left is done by the same threads.
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
/// [`Op::Matmul`] has it: the bits of the host's fused one. Without `tiles`, a thread computes one
/// element.
///
/// # Errors
/// Shapes that do not fit; no memory, and what a launch before ended with.
pub fn product(kept: &Kept, a: &DeviceArray, b: &DeviceArray, tiles: bool) -> Result<DeviceArray> {
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
        // The largest tiles that give every multiprocessor one.
        let largest: &[u32] = if ty == Type::F32 { &[8, 4] } else { &[4] };
        let made = |each| Product { ty, each, leads: stack.len() };
        let count =
            |p: &Product| stack.iter().product::<usize>() * m.div_ceil(p.tile()) * n.div_ceil(p.tile());
        let enough = |p: &Product| count(p) >= device.processors as usize;
        let found = largest.iter().map(|&each| made(each)).find(enough);
        let kind = if tiles { found.unwrap_or(made(2)) } else { made(1) };
        let address = |x: &DeviceArray| x.memory().address() + (x.offset() * ty.bytes()) as u64;
        let (left, right) = (left.over(&stack), right.over(&stack));
        let operands = [(address(a), &left[..]), (address(b), &right[..])];
        let words = kind.words(&Numbers { stack: &stack, m, n, k, result: memory.address(), operands });
        let blocks = count(&kind).min(device.processors as usize * WAVES) as u32;
        device.start(&*kept.product(kind)?, blocks, (SIDE, SIDE), &words)?;
    }
    let result = DeviceArray::new(memory, a.dtype(), shape);
    result.ok_or_else(|| super::Failure::Memory { bytes, free: device.free_memory() }.into())
}
