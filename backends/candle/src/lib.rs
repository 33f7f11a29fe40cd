//! The candle backend: arrays in [`candle_core::Tensor`]s.
//!
//! What candle computes exactly as ivy's rules demand runs natively; what follows from candle's
//! other ops with the same values is emulated; the rest runs in the reference kernels, on
//! candle's own memory. [`Backend::support`] says which, and the crate's tests hold every
//! answer against the reference, so that an op of candle's with other values at the edges (NaN
//! in a maximum, half-way rounding, integer overflow) is never called native. Sums, matrix
//! products and functions such as the exponential are candle's: within the bounds, but their
//! last bits may differ from the reference's, and from one kind of processor to another.
//!
//! candle lacks six of the fifteen dtypes. They are kept in others: bool as bytes 0 and 1, int8
//! and uint16 in a wider integer, uint64 as the signed integer of the same bits, complex numbers
//! as pairs along a last axis.

mod bytes;
mod convert;
mod error;
mod memory;
mod ops;
mod softmax;
mod stored;
mod support;

pub use candle_core;
pub use convert::{from_candle, to_candle};

use ivy_core::backend::{Backend, BackendRef, Factory, Storage, Support, Value, Values};
use ivy_core::function::Params;
use ivy_core::host::HostArray;
use ivy_core::{Device, Dtype, ErrorKind, Function, Op, Result};
use smallvec::{SmallVec, smallvec};
use std::any::Any;

/// The version of candle-core that the support table was measured with.
pub const VERSION: &str = "0.11.1";

/// candle as a backend; see the crate's documentation.
#[derive(Clone, Debug)]
pub struct CandleBackend {
    device: candle_core::Device,
}

impl CandleBackend {
    /// The backend on the host's processor.
    pub fn new() -> CandleBackend {
        CandleBackend { device: candle_core::Device::Cpu }
    }

    /// Runs an op by the reference kernels, on the operands' memory.
    fn on_host(&self, op: &Op, operands: &[&Value]) -> Result<Values> {
        let function = op.name();
        let results = memory::with_views(function, operands, |views| ivy_kernels::execute_views(op, views))?;
        results.iter().map(|array| memory::import(function, array, &self.device)).collect()
    }
}

impl Default for CandleBackend {
    fn default() -> CandleBackend {
        CandleBackend::new()
    }
}

impl Backend for CandleBackend {
    fn name(&self) -> &str {
        "candle"
    }

    fn version(&self) -> semver::Version {
        semver::Version::parse(VERSION).expect("the constant is a version, as a test checks")
    }

    fn devices(&self) -> Vec<Device> {
        vec![Device::CPU]
    }

    fn storage(&self, dtype: Dtype) -> Storage {
        stored::storage(dtype)
    }

    fn support(&self, op: &Op, operands: &[Dtype]) -> Support {
        support::support(op, operands)
    }

    fn execute(&self, op: &Op, operands: &[&Value]) -> Result<Values> {
        let dtypes: SmallVec<[Dtype; 4]> = operands.iter().map(|v| v.dtype).collect();
        match support::support(op, &dtypes) {
            Support::Native | Support::Emulated(_) if ops::fits(operands) => {
                let Some(dtype) = op.result_dtype(&dtypes) else { return Err(refused(op, &dtypes)) };
                let shapes: SmallVec<[_; 4]> = operands.iter().map(|v| (v.dtype, &v.shape)).collect();
                // Shapes that do not fit have an error of ivy's own.
                let results = op.result(op.name(), &shapes)?;
                let made = results.iter().map(|(dtype, shape)| (*dtype, shape));
                memory::room(op.name(), shapes.iter().copied().chain(made))?;
                match ops::run(op, dtype, operands, &self.device) {
                    Ok(Some(value)) => Ok(smallvec![value]),
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

    fn support_function(&self, function: &'static Function, operands: &[Dtype]) -> Option<Support> {
        softmax::support(function, operands)
    }

    fn execute_function(
        &self,
        function: &'static Function,
        params: &dyn Params,
        operands: &[&Value],
    ) -> Result<Option<Values>> {
        let dtypes: SmallVec<[Dtype; 4]> = operands.iter().map(|v| v.dtype).collect();
        let result = match softmax::support(function, &dtypes) {
            Some(_) => {
                // The operand, and about as much for what is made of it on the way.
                let arrays = operands.iter().chain(operands).map(|v| (v.dtype, &v.shape));
                memory::room(function.name, arrays)?;
                softmax::run(params, operands)?
            }
            None => None,
        };
        result.map(|value| Some(smallvec![value])).ok_or_else(|| error::FAILURES.no_own_form(function))
    }

    fn from_host(&self, array: HostArray) -> Result<Value> {
        memory::import("from_host", &array, &self.device)
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
    error::FAILURES.refused(op, dtypes, |d| stored::stored(d).is_some())
}

/// How the registry makes a candle backend, under the name `candle`.
pub static FACTORY: Factory = Factory { name: "candle", create, priority: 10, places: &[] };

inventory::submit! { Factory { name: "candle", create, priority: 10, places: &[] } }

fn create(place: Option<&str>) -> Result<BackendRef> {
    let device = place.map_or(Ok(Device::CPU), str::parse)?;
    if device != Device::CPU {
        return Err(ErrorKind::BackendUnavailable {
            name: format!("candle:{device}"),
            reason: "this build computes in host memory only".into(),
            remedy: "Use `candle` or `candle:cpu`".into(),
        }
        .into());
    }
    Ok(BackendRef::new(CandleBackend::new()))
}
