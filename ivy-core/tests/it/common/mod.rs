//! A backend for tests: dtypes and shapes only, without storage for some dtypes.

use ivy_core::backend::{AbstractBackend, Backend, BackendRef, Storage, Support, Value, Values};
use ivy_core::host::HostArray;
use ivy_core::{Device, Dtype, DtypeSet, ErrorKind, Op, Result};
use std::any::Any;
use std::cell::RefCell;

thread_local! {
    static RUN: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// The names of the ops that such backends have run on this thread since the last time.
pub fn ops_run() -> Vec<&'static str> {
    RUN.take()
}

pub struct Partial {
    missing: DtypeSet,
}

/// A backend without storage for the dtypes of a set.
pub fn backend_without(missing: impl Into<DtypeSet>) -> BackendRef {
    BackendRef::new(Partial { missing: missing.into() })
}

fn no_values(function: &'static str) -> ivy_core::Error {
    let (value, rule) = ("partial".into(), "the backend of this test has no values");
    ErrorKind::InvalidArgument { function, argument: "backend", value, rule }.into()
}

impl Backend for Partial {
    fn name(&self) -> &str {
        "partial"
    }

    fn version(&self) -> semver::Version {
        semver::Version::new(1, 2, 3)
    }

    fn devices(&self) -> Vec<Device> {
        vec![Device::CPU]
    }

    fn storage(&self, dtype: Dtype) -> Storage {
        match dtype {
            d if self.missing.contains(d) => Storage::None,
            Dtype::BOOL => Storage::Emulated { name: "BYTE", how: "0 and 1" },
            Dtype::UINT8 => Storage::Native { name: "BYTE" },
            d => Storage::Native { name: d.typestr() },
        }
    }

    fn support(&self, op: &Op, operands: &[Dtype]) -> Support {
        match op.result_dtype(operands) {
            Some(_) => Support::Native,
            None => Support::Unsupported("not a combination of the op"),
        }
    }

    fn execute(&self, op: &Op, operands: &[&Value]) -> Result<Values> {
        let operands: Vec<_> = operands.iter().map(|v| (v.dtype, &v.shape)).collect();
        let signature = op.result(op.name(), &operands)?;
        RUN.with_borrow_mut(|run| run.push(op.name()));
        Ok(signature.into_iter().map(|(dtype, shape)| AbstractBackend::value(dtype, shape)).collect())
    }

    fn from_host(&self, array: HostArray) -> Result<Value> {
        Ok(AbstractBackend::value(array.dtype(), array.shape().clone()))
    }

    fn to_host(&self, _: &Value) -> Result<HostArray> {
        Err(no_values("to_host"))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
