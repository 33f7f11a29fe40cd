//! The adapter: values hold host arrays, ops run by the kernels.

use crate::storage::storage;
use ivy_core::backend::{Backend, Data, Device, Storage, Support, Value, Values};
use ivy_core::function::Params;
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dtype, ErrorKind, Function, Op, Result};
use ivy_kernels::elementwise;
use smallvec::{SmallVec, smallvec};
use std::{any::Any, sync::Arc};

pub(crate) const NAME: &str = "ndarray";
/// Of the crate whose arrays these are; a test compares it with the lock file.
const VERSION: semver::Version = semver::Version::new(0, 17, 2);

/// The reference backend: arrays in host memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct NdarrayBackend;

/// The data of an array: strided elements in shared host memory.
#[derive(Debug)]
pub struct HostData(pub HostArray);

impl Data for HostData {
    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn value(array: HostArray) -> Value {
    Value { dtype: array.dtype(), shape: array.shape().clone(), data: Arc::new(HostData(array)) }
}

fn values(arrays: ivy_kernels::Results) -> Values {
    arrays.into_iter().map(value).collect()
}

/// The host array behind a value of this backend.
pub(crate) fn host<'a>(function: &'static str, value: &'a Value) -> Result<&'a HostArray> {
    value.data::<HostData>().map(|data| &data.0).ok_or_else(|| foreign(function))
}

fn foreign(function: &'static str) -> ivy_core::Error {
    ErrorKind::BackendMismatch { function, left: NAME.into(), right: "another backend".into() }.into()
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
        // The smallest calls are the most: no list of operands, no list of results.
        if let (Op::Binary(op), [a, b]) = (op, operands) {
            let (a, b) = (host(op.name(), a)?, host(op.name(), b)?);
            return Ok(smallvec![value(elementwise::binary(*op, a.view(), b.view())?)]);
        }
        if let (Op::Unary(op), [x]) = (op, operands) {
            return Ok(smallvec![value(elementwise::unary(*op, host(op.name(), x)?.view())?)]);
        }
        let arrays: SmallVec<[&HostArray; 4]> =
            operands.iter().map(|value| host(op.name(), value)).collect::<Result<_>>()?;
        Ok(values(ivy_kernels::execute(op, &arrays)?))
    }

    fn execute_in_place(&self, op: &Op, target: &mut Value, rest: &[&Value]) -> Result<()> {
        let views: SmallVec<[HostView<'_>; 4]> =
            rest.iter().map(|value| host(op.name(), value).map(HostArray::view)).collect::<Result<_>>()?;
        let data = Arc::get_mut(&mut target.data).map(|data| data as &mut dyn Any);
        match (data.and_then(|data| data.downcast_mut()), op, views.as_slice()) {
            (Some(HostData(array)), Op::SetSlice { axes }, [value]) => {
                return ivy_kernels::set_slice_in_place(array, axes, *value);
            }
            (Some(HostData(array)), Op::Scatter { axes, op }, [updates, indices @ ..])
                if indices.len() == *axes =>
            {
                return ivy_kernels::scatter_in_place(*op, array, *updates, indices);
            }
            _ => {}
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

    fn execute_function(&self, function: &'static Function, _: &dyn Params, _: &[&Value]) -> Result<Values> {
        // Never asked: `support_function` has the default answer.
        Err(ErrorKind::InvalidArgument {
            function: function.name,
            argument: "backend",
            value: NAME.into(),
            rule: "the backend has no form of its own of this function",
        }
        .into())
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
        host("to_host", value).cloned()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
