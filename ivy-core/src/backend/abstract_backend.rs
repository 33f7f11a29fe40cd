//! The abstract backend: another backend's answers about support, and arrays that have dtypes
//! and shapes only. A composition is planned by running it here.

use super::handle::WeakBackendRef;
use super::{Backend, BackendRef, Data, Device, Storage, Support, Value, Values};
use crate::host::HostArray;
use crate::{Dtype, ErrorKind, Function, Op, Result, origin};
use smallvec::SmallVec;
use std::any::Any;

/// Wraps a backend: it supports what the other does, and computes dtypes and shapes.
pub struct AbstractBackend {
    name: String,
    version: semver::Version,
    target: WeakBackendRef,
}

/// The handle to no elements.
#[derive(Clone)]
struct NoData;

impl AbstractBackend {
    pub(super) fn new(of: &BackendRef, target: WeakBackendRef) -> AbstractBackend {
        AbstractBackend { name: of.name().into(), version: of.version(), target }
    }

    /// An array of this dtype and shape, without values.
    pub fn value(dtype: Dtype, shape: crate::Shape) -> Value {
        Value { dtype, shape, data: Data::new(NoData) }
    }
}

impl Backend for AbstractBackend {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> semver::Version {
        self.version.clone()
    }

    fn devices(&self) -> Vec<Device> {
        self.target.upgrade().map_or(vec![Device::CPU], |b| b.devices())
    }

    fn storage(&self, dtype: Dtype) -> Storage {
        self.target.upgrade().map_or(Storage::None, |b| b.storage(dtype))
    }

    fn support(&self, op: &Op, operands: &[Dtype]) -> Support {
        let gone = Support::Unsupported("the backend is gone");
        self.target.upgrade().map_or(gone, |b| b.support(op, operands))
    }

    fn support_function(&self, function: &'static Function, operands: &[Dtype]) -> Option<Support> {
        self.target.upgrade()?.support_function(function, operands)
    }

    fn execute(&self, op: &Op, operands: &[&Value]) -> Result<Values> {
        let operands: SmallVec<[_; 4]> = operands.iter().map(|v| (v.dtype, &v.shape)).collect();
        let signature = op.result(origin::function(op), &operands)?;
        Ok(signature.into_iter().map(|(dtype, shape)| AbstractBackend::value(dtype, shape)).collect())
    }

    fn from_host(&self, array: HostArray) -> Result<Value> {
        Ok(AbstractBackend::value(array.dtype(), array.shape().clone()))
    }

    fn to_host(&self, value: &Value) -> Result<HostArray> {
        Err(ErrorKind::InvalidArgument {
            function: "to_host",
            argument: "array",
            value: format!("{} {}", value.dtype, value.shape),
            rule: "an abstract array has no values",
        }
        .into())
    }

    fn is_abstract(&self) -> bool {
        true
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
