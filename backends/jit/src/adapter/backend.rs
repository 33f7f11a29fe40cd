//! The engine as a backend, and how one is made for a place.

use super::order::{compose, composes};
use super::support::{gathers, is_layout, steps_recorded, storage, support, waits, waits_recorded};
use super::{creation, random};
use crate::cache::{Disk, Generator};
use crate::codegen::llvm;
use crate::engine::{Engine, Replay, Variable, is_native};
use crate::log::{Level, say};
use crate::lower;
use crate::runtime::cuda::{self, Kept};
use crate::trace::Kind;
use ivy_core::backend::{
    self, Backend, BackendRef, Data, Device, DeviceKind, Factory, Recorded, Storage, Support, Value, Values,
};
use ivy_core::host::HostArray;
use ivy_core::shape::broadcast;
use ivy_core::{Array, BinaryOp, Dtype, ErrorKind, Op, Result, Scalar, Shape, origin};
use smallvec::{SmallVec, smallvec};
use std::any::Any;
use std::sync::{Arc, Once};

const NAME: &str = "jit";

const ROUND_TRIP: &str = "the reference kernels compute it on the host, on copies that go there and back";
const LONE: &str = "in few long lines the reference kernels compute it on the host, on copies that go there and \
    back; the device computes all others, and these as well where transfers are not allowed";
const SENT: &str = "it is made on the host, and sent to the device";
const NO_TRANSFERS: &str = "it has no kernel on the device, and transfers to the host are not allowed";

/// The engine as a backend: element-wise work is noted and fused, views are index maps, and the
/// rest runs in the reference kernels on the same memory.
pub struct JitBackend {
    pub(super) engine: Arc<Engine>,
}

impl JitBackend {
    /// The bytes that a noted operation takes, besides those of its shape.
    pub const NODE_BYTES: usize = crate::trace::NODE_BYTES;

    /// The backend with an engine of its own.
    pub fn new(generator: Generator) -> JitBackend {
        JitBackend { engine: Engine::new(generator) }
    }

    /// The backend with an engine that keeps object code on disk.
    pub fn with_disk(generator: Generator, disk: Option<Disk>) -> JitBackend {
        JitBackend { engine: Engine::with_disk(generator, disk) }
    }

    /// The backend with an engine whose arrays are on a device.
    pub fn on_device(kept: Arc<Kept>) -> JitBackend {
        JitBackend { engine: Engine::on_device(kept) }
    }

    /// The engine: counters, history, switches.
    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// The engine's variable behind an array, if there is one: for its label, and for the engine's graphs.
    pub fn variable(array: &Array) -> Option<&Variable> {
        array.value().data()
    }

    /// The name, with the device if it is not the processor.
    fn label(&self) -> String {
        self.engine.device().map_or_else(|| NAME.into(), |d| format!("{NAME}:cuda:{}", d.number))
    }

    pub(super) fn value(&self, variable: Variable) -> Value {
        super::value(variable)
    }

    /// Runs an op by the reference kernels, on the operands' memory, or, of a device's arrays, on
    /// copies, if that is allowed; products of matrices with fused multiply-add.
    pub(super) fn on_host(&self, op: &Op, operands: &[&Value]) -> Result<Values> {
        if self.engine.device().is_some() {
            let variables = operands.iter().map(|v| variable(op.name(), v));
            let variables = variables.collect::<Result<SmallVec<[&Variable; 4]>>>()?;
            if let Some(done) = self.engine.native(op, &variables)? {
                return Ok(smallvec![self.value(done)]);
            }
        }
        // Of nothing, nothing is copied.
        if !self.engine.transfers() && operands.iter().any(|v| !v.shape.contains(&0)) {
            return Err(ErrorKind::BackendUnavailable {
                name: self.label(),
                reason: format!("{} has no kernel on the device, and transfers are not allowed", op.name()),
                remedy: "Allow them (`Engine::set_transfers`, `IVY_CUDA_TRANSFERS`), or move the array with \
                    `to_backend`"
                    .into(),
            }
            .into());
        }
        let arrays = operands
            .iter()
            .map(|v| self.engine.evaluate(variable(op.name(), v)?))
            .collect::<Result<SmallVec<[HostArray; 4]>>>()?;
        let results = self.engine.kernel(op, &arrays);
        let results = results.map_err(|error| error.with_function(origin::function(op)))?;
        results.into_iter().map(|array| Ok(self.value(self.engine.data(array)?))).collect()
    }
}

pub(super) fn value_of(dtype: Dtype, shape: Shape, variable: Variable) -> Value {
    Value { dtype, shape, data: Data::new(variable) }
}

/// The variable behind a value of this backend.
pub(super) fn variable<'a>(function: &'static str, value: &'a Value) -> Result<&'a Variable> {
    operand(|| function, value)
}

/// The variable behind a value of this backend, for a function whose name is asked for in errors only.
#[inline]
pub(super) fn operand(function: impl FnOnce() -> &'static str, value: &Value) -> Result<&Variable> {
    match value.data::<Variable>() {
        Some(variable) => Ok(variable),
        None => Err(elsewhere(function())),
    }
}

#[cold]
pub(super) fn elsewhere(function: &'static str) -> ivy_core::Error {
    ErrorKind::BackendMismatch { function, left: NAME.into(), right: "another backend".into() }.into()
}

pub(super) fn variables(function: &'static str, values: &[Value]) -> Result<Vec<Variable>> {
    values.iter().map(|v| variable(function, v).cloned()).collect()
}

impl Backend for JitBackend {
    fn name(&self) -> &str {
        NAME
    }

    fn version(&self) -> semver::Version {
        semver::Version::parse(env!("CARGO_PKG_VERSION")).unwrap_or(semver::Version::new(0, 0, 0))
    }

    fn devices(&self) -> Vec<Device> {
        let on_device = |d: &Arc<cuda::Device>| Device { kind: DeviceKind::Cuda, index: d.number };
        vec![self.engine.device().map_or(Device::CPU, on_device)]
    }

    fn note(&self) -> Option<String> {
        if let Some(device) = self.engine.device() {
            let ((major, minor), (a, b)) = (device.driver().version, device.capability);
            let path = device.driver().path.display();
            return Some(format!(
                "{}, sm_{a}{b}, by the driver for CUDA {major}.{minor}, {path}",
                device.name
            ));
        }
        Some(match self.engine.generator() {
            Generator::Interp => "the interpreter".into(),
            Generator::Llvm(llvm) => {
                let (major, minor, patch) = llvm.version;
                format!("LLVM {major}.{minor}.{patch} for {}, {}", llvm.cpu, llvm.path.display())
            }
        })
    }

    fn storage(&self, dtype: Dtype) -> Storage {
        storage(dtype)
    }

    fn support(&self, op: &Op, operands: &[Dtype]) -> Support {
        match (support(op, operands), self.engine.device()) {
            (Support::Host(_), Some(_)) if composes(op, operands) => Support::Native,
            (Support::Host(_), Some(_)) if is_native(op, operands) => match op {
                Op::Scan { .. } if self.engine.transfers() && !operands[0].is_int() => Support::Host(LONE),
                _ => Support::Native,
            },
            (Support::Host(_), Some(_)) if operands.is_empty() => Support::Host(SENT),
            (Support::Host(_), Some(_)) if !self.engine.transfers() => Support::Unsupported(NO_TRANSFERS),
            (Support::Host(_), Some(_)) => Support::Host(ROUND_TRIP),
            (support, _) => support,
        }
    }

    fn execute(&self, op: &Op, operands: &[&Value]) -> Result<Values> {
        if let Op::Full { .. } = op {
            return Ok(smallvec![self.execute_one(op, operands)?]);
        }
        if let (true, [x]) = (is_layout(op), operands) {
            return self.layout(op, x);
        }
        let noted = match (op, operands) {
            (Op::Reduce { .. }, [x]) => self.reduced(op, x)?,
            (Op::ArgReduce { .. }, [x]) => self.found(op, x)?,
            (Op::Matmul, [x, y]) if self.engine.device().is_some() => self.multiplied(x, y)?,
            (Op::Pad { .. }, [x]) => self.padded(op, x)?,
            (Op::Concat { .. }, _) => self.joined(op, operands)?,
            (_, []) => creation::counted(self, op)?,
            (Op::RandomBits { .. }, [state]) => random::drawn(self, op, state)?,
            _ if gathers(op) => self.gathered(op, operands)?,
            _ if waits(op) || waits_recorded(op, operands) && self.follows(op, operands)? => {
                self.postponed(op, operands)?
            }
            _ => self.noted(op, operands)?,
        };
        if let Some(value) = noted {
            return Ok(smallvec![value]);
        }
        let composed = if self.engine.device().is_some() { compose(self, op, operands)? } else { None };
        if let Some(values) = composed {
            return Ok(values);
        }
        if steps_recorded(op) && self.follows(op, operands)? && self.engine.transfers() {
            let mut variables = SmallVec::<[&Variable; 4]>::new();
            for value in operands {
                variables.push(variable(op.name(), value)?);
            }
            if let Some(results) = self.engine.call(op, &variables)? {
                return Ok(results.into_iter().map(|result| self.value(result)).collect());
            }
        }
        self.on_host(op, operands)
    }

    fn execute_one(&self, op: &Op, operands: &[&Value]) -> Result<Value> {
        if let Op::Full { shape, dtype, value } = op {
            let literal = self.engine.literal(*dtype, shape.clone(), *value)?;
            return Ok(value_of(*dtype, shape.clone(), literal));
        }
        if let Op::Unary(_) | Op::Binary(_) | Op::Where | Op::Cast { .. } = op
            && let Some(value) = self.noted(op, operands)?
        {
            return Ok(value);
        }
        self.execute(op, operands)?.pop().ok_or_else(|| {
            let rule = "an op of one result";
            let value = op.name().to_string();
            ErrorKind::InvalidArgument { function: "execute_one", argument: "op", value, rule }.into()
        })
    }

    fn execute_scalar(&self, op: BinaryOp, x: &Value, scalar: Scalar, first: bool) -> Result<Value> {
        let form = op.result(x.dtype).filter(|&to| lower::supports(Kind::Binary(op), x.dtype, to));
        let Some(dtype) = form else {
            return backend::execute_full(self, op, x, scalar, first);
        };
        let result = self.engine.apply_scalar(op, dtype, operand(|| op.name(), x)?, scalar, first)?;
        Ok(value_of(dtype, x.shape.clone(), result))
    }

    fn record_loop(
        &self,
        vars: &[Value],
        shared: &[usize],
        test: Recorded<'_>,
        body: Recorded<'_>,
    ) -> Result<Option<Values>> {
        const NAME: &str = "while_loop";
        let vars = variables(NAME, vars)?;
        let step = |part: &mut dyn FnMut(&[Value]) -> Result<Values>, carried: &[Variable]| {
            let carried: Vec<Value> = carried.iter().map(|v| self.value(v.clone())).collect();
            variables(NAME, &part(&carried)?)
        };
        let recorded =
            self.engine.repeat(&vars, shared, &mut |carried| step(test, carried), &mut |carried| {
                step(body, carried)
            })?;
        Ok(recorded.map(|results| results.into_iter().map(|v| self.value(v)).collect()))
    }

    fn record_branch(
        &self,
        condition: &Value,
        vars: &[Value],
        then: &[Value],
        otherwise: &[Value],
    ) -> Result<Option<Values>> {
        const NAME: &str = "if_else";
        let outputs = then.iter().map(|v| Ok((v.dtype, broadcast(NAME, &[&condition.shape, &v.shape])?)));
        let outputs: Vec<(Dtype, Shape)> = outputs.collect::<Result<_>>()?;
        let [vars, then, otherwise] = [vars, then, otherwise].map(|list| variables(NAME, list));
        let condition = variable(NAME, condition)?;
        let results = self.engine.choose(condition, &vars?, &then?, &otherwise?, &outputs)?;
        Ok(results.map(|results| results.into_iter().map(|v| self.value(v)).collect()))
    }

    fn records(&self) -> bool {
        self.engine.records()
    }

    fn record(
        &self,
        inputs: &[Value],
        f: Recorded<'_>,
    ) -> Result<(Values, Option<Box<dyn backend::Replay>>)> {
        const NAME: &str = "compile";
        let mut function = |inputs: &[Variable]| {
            let inputs: Vec<Value> = inputs.iter().map(|v| self.value(v.clone())).collect();
            variables(NAME, &f(&inputs)?)
        };
        let (results, replay) = self.engine.record(&variables(NAME, inputs)?, &mut function)?;
        let results = results.into_iter().map(|v| self.value(v)).collect();
        Ok((results, replay.map(|replay| Box::new(replay) as Box<dyn backend::Replay>)))
    }

    fn evaluate(&self, values: &[Value]) -> Result<()> {
        let variables = values.iter().map(|v| variable("evaluate", v));
        self.engine.settle_all(&variables.collect::<Result<Vec<_>>>()?)
    }

    fn wait(&self, values: &[Value]) -> Result<()> {
        let variables = values.iter().map(|v| variable("wait", v));
        self.engine.wait(&variables.collect::<Result<Vec<_>>>()?)
    }

    fn synchronize(&self) -> Result<()> {
        self.engine.synchronize()
    }

    fn from_host(&self, array: HostArray) -> Result<Value> {
        if storage(array.dtype()) == Storage::None {
            return Err(ErrorKind::DtypeNotStored {
                function: "from_host",
                dtype: array.dtype(),
                backend: NAME.into(),
                version: self.version().to_string(),
                remedy: "Convert to one of the dtypes that `ivy dtypes --backend jit` lists",
            }
            .into());
        }
        self.engine.data(array).map(|variable| self.value(variable))
    }

    fn to_host(&self, value: &Value) -> Result<HostArray> {
        self.engine.evaluate(variable("to_host", value)?)
    }

    /// The generators are of one device: the processor.
    fn shares_device(&self, other: &dyn Backend) -> bool {
        let on_processor = |backend: &JitBackend| backend.engine.device().is_none();
        on_processor(self) && other.as_any().downcast_ref().is_some_and(on_processor)
    }

    fn is_lazy(&self) -> bool {
        true
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl backend::Replay for Replay {
    fn replay(&self, inputs: &[Array]) -> Result<Option<Values>> {
        let mut variables = SmallVec::<[&Variable; 4]>::new();
        for input in inputs {
            variables.push(variable("compile", input.value())?);
        }
        let Some(results) = self.run(&variables)? else { return Ok(None) };
        let values = results.into_iter().zip(self.results());
        Ok(Some(values.map(|(result, (dtype, shape))| value_of(dtype, shape.clone(), result)).collect()))
    }

    fn is_like(&self, other: &dyn backend::Replay) -> bool {
        other.as_any().downcast_ref().is_some_and(|other| Replay::is_like(self, other))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// What is listed besides the processor.
const PLACES: &[&str] = &["jit:cuda"];

/// How the registry makes a backend, under the name `jit`: with LLVM where there is one.
pub static FACTORY: Factory = Factory { name: NAME, create, priority: 20, places: PLACES };

inventory::submit! { Factory { name: NAME, create, priority: 20, places: PLACES } }

fn create(place: Option<&str>) -> Result<BackendRef> {
    let unavailable = |reason: String, remedy: &str| {
        let name = place.map_or(NAME.to_string(), |p| format!("{NAME}:{p}"));
        Err(ErrorKind::BackendUnavailable { name, reason, remedy: remedy.into() }.into())
    };
    if let Some(device) = place.and_then(|p| p.parse::<Device>().ok()).filter(|d| d.kind == DeviceKind::Cuda)
    {
        let opened = match cuda::driver() {
            Ok(driver) => cuda::Device::open(driver, device.index),
            Err(absent) => Err(absent.clone()),
        };
        return match opened {
            Ok(device) => Ok(BackendRef::new(JitBackend::on_device(Arc::new(Kept::new(device))))),
            Err(absent) => unavailable(absent.to_string(), cuda::REMEDY),
        };
    }
    let generator = match (place, llvm::llvm) {
        (Some("interp"), _) => Generator::Interp,
        (Some("llvm"), find) => match find() {
            Ok(found) => Generator::Llvm(found),
            Err(missing) => return unavailable(missing.to_string(), llvm::REMEDY),
        },
        (None | Some("cpu" | "cpu:0"), find) => find().map_or_else(
            |missing| {
                static ONCE: Once = Once::new();
                let remedy = llvm::REMEDY;
                ONCE.call_once(|| {
                    say(Level::Warn, format_args!("{missing}; kernels are interpreted. {remedy}"))
                });
                Generator::Interp
            },
            Generator::Llvm,
        ),
        (Some(other), _) => {
            return unavailable(
                format!("there is no place `{other}`"),
                "Use `jit`, `jit:cpu`, `jit:llvm`, `jit:interp` or `jit:cuda`",
            );
        }
    };
    let disk = matches!(generator, Generator::Llvm(_)).then(Disk::of_environment).flatten();
    Ok(BackendRef::new(JitBackend::with_disk(generator, disk)))
}
