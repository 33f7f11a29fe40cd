//! The adapter: values hold host arrays, ops run by the kernels.

use crate::data::{change, host, quick, quick_scalar, value};
use crate::storage::storage;
use ivy_core::backend::{self, Backend, Device, Storage, Support, Value, Values};
use ivy_core::host::{HostArray, HostView};
use ivy_core::{BinaryOp, Dtype, ErrorKind, Op, Result, Scalar};
use smallvec::{SmallVec, smallvec};
use std::any::Any;

pub(crate) const NAME: &str = "ndarray";
/// Of the crate whose arrays these are; a test compares it with the lock file.
const VERSION: semver::Version = semver::Version::new(0, 17, 2);

/// The reference backend: arrays in host memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct NdarrayBackend;

/// Any op, by the kernels.
fn general(op: &Op, operands: &[&Value]) -> Result<Values> {
    let arrays: SmallVec<[HostArray; 4]> =
        operands.iter().map(|value| host(op.name(), value)).collect::<Result<_>>()?;
    Ok(ivy_kernels::execute(op, &arrays)?.into_iter().map(value).collect())
}

impl Backend for NdarrayBackend {
    fn name(&self) -> &str {
        NAME
    }

    fn version(&self) -> semver::Version {
        VERSION
    }

    fn devices(&self) -> Vec<Device> {
        vec![Device::CPU]
    }

    fn storage(&self, dtype: Dtype) -> Storage {
        storage(dtype)
    }

    fn support(&self, op: &Op, operands: &[Dtype]) -> Support {
        let unknown = |&dtype: &Dtype| storage(dtype) == Storage::None;
        match op.result_dtype(operands) {
            None => Support::Unsupported("the primitive does not take these dtypes"),
            Some(result) if operands.iter().chain([&result]).any(unknown) => {
                Support::Unsupported("there is no storage for the dtype")
            }
            Some(_) => Support::Native,
        }
    }

    fn execute(&self, op: &Op, operands: &[&Value]) -> Result<Values> {
        match quick(op, operands) {
            Some(value) => Ok(smallvec![value]),
            None => general(op, operands),
        }
    }

    fn execute_one(&self, op: &Op, operands: &[&Value]) -> Result<Value> {
        match quick(op, operands) {
            Some(value) => Ok(value),
            None => Ok(general(op, operands)?.pop().expect("the op has one result")),
        }
    }

    fn execute_scalar(&self, op: BinaryOp, x: &Value, scalar: Scalar, first: bool) -> Result<Value> {
        match quick_scalar(op, x, scalar, first) {
            Some(value) => Ok(value),
            None => backend::execute_full(self, op, x, scalar, first),
        }
    }

    fn execute_in_place(&self, op: &Op, target: &mut Value, rest: &[&Value]) -> Result<()> {
        let arrays: SmallVec<[HostArray; 4]> =
            rest.iter().map(|value| host(op.name(), value)).collect::<Result<_>>()?;
        let views: SmallVec<[HostView<'_>; 4]> = arrays.iter().map(HostArray::view).collect();
        match (op, views.as_slice()) {
            (Op::SetSlice { axes }, [value]) => {
                change(op.name(), target, |array| ivy_kernels::set_slice_in_place(array, axes, *value))
            }
            (Op::Scatter { axes, op: how }, [updates, indices @ ..]) if indices.len() == *axes => {
                change(op.name(), target, |array| {
                    ivy_kernels::scatter_in_place(*how, array, *updates, indices)
                })
            }
            _ => {
                let result = {
                    let operands: SmallVec<[&Value; 4]> =
                        std::iter::once(&*target).chain(rest.iter().copied()).collect();
                    self.execute_one(op, &operands)?
                };
                *target = result;
                Ok(())
            }
        }
    }

    fn from_host(&self, array: HostArray) -> Result<Value> {
        if storage(array.dtype()) == Storage::None {
            return Err(ErrorKind::DtypeNotStored {
                function: "from_host",
                dtype: array.dtype(),
                backend: NAME.into(),
                version: VERSION.to_string(),
                remedy: "Convert to one of the dtypes that `ivy dtypes --backend ndarray` lists",
            }
            .into());
        }
        Ok(value(array))
    }

    fn to_host(&self, value: &Value) -> Result<HostArray> {
        host("to_host", value)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
