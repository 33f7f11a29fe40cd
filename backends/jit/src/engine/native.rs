//! What a device does itself of the work that waits, and of orders, by kernels that come from no trace.

use super::deferred::{Operand, Work};
use super::device::DeviceState;
use super::{Engine, Launch, Variable, misfit};
use crate::runtime::Elements;
use crate::runtime::cuda::{self, DeviceArray};
use ivy_core::{Dims, Dtype, Error, ErrorKind, Op, Result, Shape, origin};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// True for work of the reference kernels on such operands that a device has kernels of its own for; of running
/// sums and products in few long lines it makes use of them where nothing may go to the host only.
pub(crate) fn is_native(op: &Op, operands: &[Dtype]) -> bool {
    match op {
        Op::Scatter { .. } | Op::Scan { .. } => true,
        Op::Matmul => matches!(operands, [Dtype::FLOAT32, Dtype::FLOAT32] | [Dtype::FLOAT64, Dtype::FLOAT64]),
        _ => false,
    }
}

impl Engine {
    /// Numbers of uint32 or uint64 in the stable order of their lowest bits, and the places of those, or, of
    /// given ones of uint32, what goes with each: on a device.
    ///
    /// # Errors
    /// Those of evaluation; an engine of the processor's, and 2^31 numbers or more.
    pub fn order(
        self: &Arc<Self>,
        keys: &Variable,
        values: Option<&Variable>,
        bits: u32,
    ) -> Result<[Variable; 2]> {
        let Some(on_device) = &self.on_device else { return Err(misfit("argsort")) };
        let laid = |x: &Variable| self.contiguous(on_device, self.compute(x)?);
        let values = values.map(laid).transpose()?;
        let keys = laid(keys)?;
        let arrays = [1 + usize::from(values.is_some()), 2];
        let work = |kept: &cuda::Uses<'_>| cuda::order(kept, &keys, values.as_ref(), bits);
        let ordered = self.told(on_device, arrays, |_| keys.shape().size(), work)?;
        let mut trace = self.trace();
        Ok(ordered.map(|array| {
            let id = trace.data(Elements::Device(array));
            trace.handle(self, id)
        }))
    }

    /// Does work on variables that a device has kernels of its own for, at once; `None` on the processor.
    ///
    /// # Errors
    /// Those of evaluation, of the reference kernels, and no memory.
    pub fn native(self: &Arc<Self>, op: &Op, operands: &[&Variable]) -> Result<Option<Variable>> {
        let Some(on_device) = &self.on_device else { return Ok(None) };
        let signatures: SmallVec<[(Dtype, Shape); 4]> = operands.iter().map(|v| v.signature()).collect();
        if !self.is_done_on_device(op, signatures.iter().map(|(dtype, shape)| (*dtype, shape))) {
            return Ok(None);
        }
        let operands: Vec<Elements> = operands.iter().map(|v| self.compute(v)).collect::<Result<_>>()?;
        let done = self.done_on_device(on_device, op, &operands);
        let done = done.map_err(|error| error.with_function(origin::function(op)))?;
        let mut trace = self.trace();
        let id = trace.data(Elements::Device(done));
        Ok(Some(trace.handle(self, id)))
    }

    /// Does such work that has waited; `None` for other work, and on the processor.
    pub(super) fn work_on_device(&self, work: &Work) -> Result<Option<SmallVec<[Elements; 1]>>> {
        let Some(on_device) = &self.on_device else { return Ok(None) };
        if !self.is_done_on_device(&work.op, work.operands.iter().filter_map(|(_, x)| x.signature())) {
            return Ok(None);
        }
        let mut operands = Vec::new();
        for (_, operand) in &work.operands {
            operands.push(match operand {
                Operand::Array(array) => array.clone(),
                Operand::Literal(dtype, shape, words) => on_device.filled(*dtype, shape, words)?,
                Operand::Left => return Err(misfit("compile")),
            });
        }
        let done = self.done_on_device(on_device, &work.op, &operands).map_err(|error| work.told(error))?;
        Ok(Some(smallvec![Elements::Device(done)]))
    }

    /// True for what the device does of such work: not what the host is faster at, with copies there and back, if
    /// these are allowed.
    fn is_done_on_device<'s>(&self, op: &Op, operands: impl Iterator<Item = (Dtype, &'s Shape)>) -> bool {
        let operands: SmallVec<[(Dtype, &Shape); 4]> = operands.collect();
        let goes_over = match (op, operands.first()) {
            (Op::Scan { axis, .. }, Some((dtype, shape))) => {
                self.transfers() && cuda::is_lone(shape, *dtype, *axis)
            }
            _ => false,
        };
        let dtypes: SmallVec<[Dtype; 4]> = operands.iter().map(|(dtype, _)| *dtype).collect();
        is_native(op, &dtypes) && !goes_over
    }

    /// Starts work that comes from no trace, of so many arrays read and written, and notes what it launched, if
    /// it did, with the elements of what it made.
    fn told<T>(
        &self,
        on_device: &DeviceState,
        [inputs, outputs]: [usize; 2],
        elements: impl FnOnce(&T) -> usize,
        work: impl FnOnce(&cuda::Uses<'_>) -> Result<T>,
    ) -> Result<T> {
        let kept = cuda::Uses::of(&on_device.kept);
        let (done, run) = on_device.timed(|| work(&kept))?;
        let cuda::Used { hash, kernels, instructions, compile } = kept.used();
        if kernels > 0 {
            self.log(Launch {
                hash,
                elements: elements(&done),
                pieces: kernels,
                operations: 1,
                fold: None,
                statements: instructions,
                inputs,
                outputs,
                compile,
                loaded: false,
                run,
            });
        }
        Ok(done)
    }

    fn done_on_device(&self, on_device: &DeviceState, op: &Op, operands: &[Elements]) -> Result<DeviceArray> {
        let arrays = [operands.len(), 1];
        let size = |made: &DeviceArray| made.shape().size();
        match (op, operands) {
            (&Op::Scan { op, axis, include_initial }, [x]) => {
                let last = x.shape().len().saturating_sub(1);
                if !cuda::wants_rows(x.shape(), x.dtype(), axis) {
                    let x = self.contiguous(on_device, x.clone())?;
                    return self.told(on_device, arrays, size, |kept| {
                        cuda::scan(kept, op, &x, axis, include_initial)
                    });
                }
                let x = self.contiguous(on_device, swapped(x, axis, last)?)?;
                let rows = self
                    .told(on_device, arrays, size, |kept| cuda::scan(kept, op, &x, last, include_initial))?;
                match swapped(&Elements::Device(rows), axis, last)? {
                    Elements::Device(array) => Ok(array),
                    Elements::Host(_) => Err(misfit("evaluate")),
                }
            }
            (Op::Scatter { op, .. }, [x, updates, indices @ ..]) => {
                let [x, updates] = [x, updates].map(|x| self.contiguous(on_device, x.clone()));
                let (x, updates) = (x?, updates?);
                let all = indices.iter().map(|index| match index {
                    Elements::Device(array) => Ok(array.clone()),
                    Elements::Host(_) => Err(misfit("scatter")),
                });
                let all = all.collect::<Result<Vec<DeviceArray>>>()?;
                let put = |kept: &cuda::Uses<'_>| cuda::scatter(kept, *op, &x, &updates, &all);
                let scattered = self.told(on_device, arrays, |_| updates.shape().size(), put);
                scattered.map_err(|error| first_outside(error, &x, &all))
            }
            (Op::Matmul, [Elements::Device(a), Elements::Device(b)]) => {
                let way = (!self.settings().products).then_some(cuda::Way::PLAIN);
                self.told(on_device, arrays, size, |kept| cuda::product(kept, a, b, way))
            }
            _ => Err(misfit("evaluate")),
        }
    }
}

/// The same elements with two axes in each other's place.
fn swapped(x: &Elements, a: usize, b: usize) -> Result<Elements> {
    let (mut shape, mut strides) = (Dims::from_slice(x.shape()), Dims::from_slice(x.strides()));
    shape.swap(a, b);
    strides.swap(a, b);
    x.view(shape.into(), strides, x.offset()).ok_or_else(|| misfit("evaluate"))
}

/// Of an index that is out of range, the error of the first one.
fn first_outside(error: Error, x: &DeviceArray, indices: &[DeviceArray]) -> Error {
    if !matches!(error.kind(), ErrorKind::IndexOutOfRange { .. }) {
        return error;
    }
    for (axis, index) in indices.iter().enumerate() {
        let checked = index
            .download()
            .and_then(|index| ivy_kernels::check_indices("scatter", &index.view(), axis, x.shape()[axis]));
        if let Err(error) = checked {
            return error;
        }
    }
    error
}
