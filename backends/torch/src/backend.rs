//! The backend's type, and its answers to the trait.

use crate::memory::{self, TensorData};
use crate::{VERSION, error, ops, own, raw, start, stored, support};
use ivy_core::backend::{Backend, Storage, Support, Value, Values};
use ivy_core::function::Params;
use ivy_core::host::HostArray;
use ivy_core::{Device, Dtype, Function, Op, Result};
use smallvec::{SmallVec, smallvec};
use std::any::Any;
use std::sync::Arc;

/// libtorch as a backend; see the crate's documentation.
#[derive(Clone, Debug)]
pub struct TorchBackend {
    device: tch::Device,
}

impl TorchBackend {
    /// The backend on the host's processor.
    ///
    /// # Errors
    /// [`BackendUnavailable`](ivy_core::ErrorKind::BackendUnavailable) where the program finds no libtorch to compute with.
    pub fn new() -> Result<TorchBackend> {
        start::on(Device::CPU, "torch")
    }

    pub(crate) fn on(device: tch::Device) -> TorchBackend {
        TorchBackend { device }
    }

    /// Runs an op by the reference kernels, on the operands' memory.
    fn on_host(&self, op: &Op, operands: &[&Value]) -> Result<Values> {
        let function = op.name();
        let results = memory::with_views(function, operands, |views| ivy_kernels::execute_views(op, views))?;
        results.iter().map(|array| memory::import(function, array, self.device)).collect()
    }
}

fn device_of(device: tch::Device) -> Device {
    match device {
        tch::Device::Cuda(index) => Device { kind: ivy_core::backend::DeviceKind::Cuda, index },
        _ => Device::CPU,
    }
}

impl Backend for TorchBackend {
    fn name(&self) -> &str {
        "torch"
    }

    fn version(&self) -> semver::Version {
        semver::Version::parse(VERSION).expect("the constant is a version, as a test checks")
    }

    fn devices(&self) -> Vec<Device> {
        let own = device_of(self.device);
        let gpus = (0..raw::cuda_devices()).map(|i| device_of(tch::Device::Cuda(i)));
        let others = std::iter::once(Device::CPU).chain(gpus).filter(|&d| d != own);
        std::iter::once(own).chain(others).collect()
    }

    fn storage(&self, dtype: Dtype) -> Storage {
        stored::storage(dtype)
    }

    fn support(&self, op: &Op, operands: &[Dtype]) -> Support {
        support::support(op, operands, self.device)
    }

    fn execute(&self, op: &Op, operands: &[&Value]) -> Result<Values> {
        let dtypes: SmallVec<[Dtype; 4]> = operands.iter().map(|v| v.dtype).collect();
        match support::support(op, &dtypes, self.device) {
            Support::Native | Support::Emulated(_) if ops::fits(operands) => {
                let Some(dtype) = op.result_dtype(&dtypes) else { return Err(refused(op, &dtypes)) };
                if operands.len() > 1 {
                    // Shapes that do not fit have an error of ivy's own, and one of libtorch's costs 2 ms.
                    let shapes: SmallVec<[_; 4]> = operands.iter().map(|v| (v.dtype, &v.shape)).collect();
                    op.result(op.name(), &shapes)?;
                }
                match ops::run(op, dtype, operands, self.device) {
                    Ok(Some(values)) => Ok(values),
                    Ok(None) => self.on_host(op, operands),
                    Err(fail) => Err(fail.into_error(op.name(), &dtypes)),
                }
            }
            Support::Unsupported(_) => Err(refused(op, &dtypes)),
            _ => self.on_host(op, operands),
        }
    }

    fn execute_one(&self, op: &Op, operands: &[&Value]) -> Result<Value> {
        if let Some(value) = ops::arithmetic(op, operands) {
            return Ok(value);
        }
        Ok(self.execute(op, operands)?.pop().expect("the op has one result"))
    }

    fn execute_in_place(&self, op: &Op, target: &mut Value, rest: &[&Value]) -> Result<()> {
        if let (Op::SetSlice { axes }, [value]) = (op, rest) {
            let (dtype, function) = (target.dtype, op.name());
            let new = memory::tensor_of(function, value)?;
            // Without a second reference to the data, nor a second tensor over its memory.
            let data = target.data.get_mut::<Arc<TensorData>>().and_then(Arc::get_mut);
            let alone = data.and_then(|data| data.alone());
            if let Some(tensor) = alone.filter(|_| ops::fits(&[value])) {
                return ops::write_slice(function, dtype, tensor, axes, new)
                    .map_err(|e| e.into_error(function, &[dtype]));
            }
        }
        let result = {
            let operands: SmallVec<[&Value; 4]> =
                std::iter::once(&*target).chain(rest.iter().copied()).collect();
            self.execute(op, &operands)?.pop()
        };
        if let Some(result) = result {
            *target = result;
        }
        Ok(())
    }

    fn support_function(&self, function: &'static Function, operands: &[Dtype]) -> Option<Support> {
        own::support(function, operands)
    }

    fn execute_function(
        &self,
        function: &'static Function,
        params: &dyn Params,
        operands: &[&Value],
    ) -> Result<Option<Values>> {
        Ok(own::run(function, params, operands)?.map(|value| smallvec![value]))
    }

    fn from_host(&self, array: HostArray) -> Result<Value> {
        memory::import("from_host", &array, self.device)
    }

    fn to_host(&self, value: &Value) -> Result<HostArray> {
        memory::export("to_host", value)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Dtypes that no plan lets through.
#[cold]
fn refused(op: &Op, dtypes: &[Dtype]) -> ivy_core::Error {
    error::FAILURES.refused(op, dtypes, |d| stored::kind(d).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ivy_core::AxisSlice;

    #[test]
    fn only_memory_that_nobody_else_holds_is_written() {
        let backend = TorchBackend::new().unwrap();
        let value = |v: Vec<u16>| {
            let shape = [v.len()].into();
            backend.from_host(HostArray::from_vec(v, shape).unwrap()).unwrap()
        };
        let address = |v: &Value| memory::tensor_of("test", v).unwrap().data_ptr();
        let axes = |step, start| [AxisSlice { start, step, len: 2 }].into_iter().collect();
        let write = Op::SetSlice { axes: axes(-1, 1) };
        let stays = |target: &mut Value| {
            let before = address(target);
            backend.execute_in_place(&write, target, &[&value(vec![8, 9])]).unwrap();
            assert_eq!(backend.to_host(target).unwrap().to_vec::<u16>().unwrap(), [9, 8, 3]);
            address(target) == before
        };
        let mut alone = value(vec![1, 2, 3]);
        assert!(stays(&mut alone));
        let mut cloned = value(vec![1, 2, 3]);
        let clone = cloned.clone();
        assert!(!stays(&mut cloned) && stays(&mut cloned));
        drop(clone);
        let mut viewed = value(vec![1, 2, 3]);
        let view = backend.execute(&Op::Slice { axes: axes(1, 0) }, &[&viewed]).unwrap().remove(0);
        assert!(!stays(&mut viewed) && stays(&mut viewed));
        assert_eq!(backend.to_host(&view).unwrap().to_vec::<u16>().unwrap(), [1, 2]);
    }
}
