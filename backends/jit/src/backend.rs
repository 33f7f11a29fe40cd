//! The adapter: arrays of the functional API are variables of an engine.

use crate::cache::{Disk, Generator};
use crate::codegen::llvm;
use crate::creation;
use crate::engine::{Engine, Places, Replay, Variable, is_native};
use crate::log::{Level, say};
use crate::lower;
use crate::order::{compose, composes};
use crate::reduction::{self, Reduction};
use crate::runtime::cuda::{self, Kept};
use crate::search::Search;
use crate::support::{gathers, is_layout, steps_recorded, storage, support, traced, waits, waits_recorded};
use crate::trace::{Kind, Map};
use ivy_core::backend::{
    self, Backend, BackendRef, Data, Device, DeviceKind, Factory, Recorded, Storage, Support, Value, Values,
};
use ivy_core::host::HostArray;
use ivy_core::shape::broadcast;
use ivy_core::{
    Array, BinaryOp, Dims, Dtype, ErrorKind, Kind as Class, Op, ReduceOp, Result, Scalar, Shape, origin,
};
use smallvec::{SmallVec, smallvec};
use std::any::Any;
use std::sync::{Arc, Once};

const NAME: &str = "jit";

/// Elements among which a kernel looks for the greatest: it reads the index of each.
const SEARCHED: usize = 1 << 16;

/// Elements that are there, among which a launch is worth its cost.
const WORTH: usize = 1 << 14;

const ROUND_TRIP: &str = "the reference kernels compute it on the host, on copies that go there and back";
const LONE: &str = "in few long lines the reference kernels compute it on the host, on copies that go there and \
    back; the device computes all others, and these as well where transfers are not allowed";
const SENT: &str = "it is made on the host, and sent to the device";
const NO_TRANSFERS: &str = "it has no kernel on the device, and transfers to the host are not allowed";

/// The engine as a backend: element-wise work is noted and fused, views are index maps, and the
/// rest runs in the reference kernels on the same memory.
pub struct JitBackend {
    engine: Arc<Engine>,
}

impl JitBackend {
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

    fn value(&self, variable: Variable) -> Value {
        let (dtype, shape) = variable.signature();
        Value { dtype, shape, data: Data::new(variable) }
    }

    /// Runs an op by the reference kernels, on the operands' memory, or, of a device's arrays, on
    /// copies, if that is allowed; products of matrices with fused multiply-add.
    fn on_host(&self, op: &Op, operands: &[&Value]) -> Result<Values> {
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

    /// Notes an element-wise op; `None` for ops that the trace has no form of. It is in line, so that the
    /// value is made where it is wanted, and not moved there.
    #[inline(always)]
    fn noted(&self, op: &Op, operands: &[&Value]) -> Result<Option<Value>> {
        // Operands of one shape, or without axes, and of one dtype where there are two, need no
        // other rule.
        let alike = match (op, operands) {
            (Op::Unary(op), [x]) => op.result(x.dtype).map(|to| (Kind::Unary(*op), x.dtype, to, &x.shape)),
            (Op::Binary(op), [x, y]) if x.dtype == y.dtype => {
                let shape = match () {
                    () if x.shape == y.shape || y.shape.is_empty() => Some(&x.shape),
                    () if x.shape.is_empty() => Some(&y.shape),
                    () => None,
                };
                shape.and_then(|shape| Some((Kind::Binary(*op), x.dtype, op.result(x.dtype)?, shape)))
            }
            _ => None,
        };
        let (kind, from, dtype, shape) = match alike {
            Some((kind, from, to, shape)) => (kind, from, to, shape.clone()),
            None => {
                let dtypes: SmallVec<[Dtype; 4]> = operands.iter().map(|v| v.dtype).collect();
                let Some((kind, from)) = traced(op, &dtypes) else { return Ok(None) };
                let shapes: SmallVec<[(Dtype, &Shape); 4]> =
                    operands.iter().map(|v| (v.dtype, &v.shape)).collect();
                let Some((dtype, shape)) = op.result(op.name(), &shapes)?.pop() else { return Ok(None) };
                (kind, from, dtype, shape)
            }
        };
        if !lower::supports(kind, from, dtype) {
            return Ok(None);
        }
        let mut variables = SmallVec::<[&Variable; 3]>::new();
        for value in operands {
            variables.push(operand(|| op.name(), value)?);
        }
        let result = self.engine.apply(kind, dtype, shape.clone(), &variables)?;
        Ok(Some(value_of(dtype, shape, result)))
    }

    /// Multiplies matrices of real floats on a device; `None` for all else. Those of 16 bits are
    /// computed in float32.
    fn multiplied(&self, a: &Value, b: &Value) -> Result<Option<Value>> {
        if self.engine.device().is_none() || a.dtype != b.dtype || a.dtype.kind() != Class::Float {
            return Ok(None);
        }
        let cast = |x: &Value, dtype| self.execute_one(&Op::Cast { dtype }, &[x]);
        if a.dtype.bytes() < Dtype::FLOAT32.bytes() {
            let product = self.multiplied(&cast(a, Dtype::FLOAT32)?, &cast(b, Dtype::FLOAT32)?)?;
            return product.map(|product| cast(&product, a.dtype)).transpose();
        }
        // A step of a function that is recorded waits.
        let (op, name) = (&Op::Matmul, Op::Matmul.name());
        if waits_recorded(op, &[a, b])
            && self.follows(op, &[a, b])?
            && let Some(product) = self.postponed(op, &[a, b])?
        {
            return Ok(Some(product));
        }
        let product = self.engine.native(op, &[variable(name, a)?, variable(name, b)?])?;
        Ok(product.map(|product| self.value(product)))
    }

    /// Notes a reduction; `None` for what the engine does not reduce, or that has nothing to.
    fn reduced(&self, op: &Op, x: &Value) -> Result<Option<Value>> {
        let Op::Reduce { op: how, axes, keepdims } = op else { return Ok(None) };
        if axes.is_empty() && (self.engine.device().is_some() || variable(op.name(), x)?.is_given()) {
            // Each element is a row of one.
            let (rank, shape) = (x.shape.len(), x.shape.iter().copied().chain([1]).collect());
            let rows = self.execute_one(&Op::Reshape { shape }, &[x])?;
            return self.reduced(&Op::Reduce { op: *how, axes: smallvec![rank], keepdims: false }, &rows);
        }
        let (Some(plan), false) = (reduction::plan(*how, x.dtype), axes.is_empty() || x.shape.len() > 64)
        else {
            return Ok(None);
        };
        if x.shape.contains(&0) {
            return Ok(None);
        }
        let Some((dtype, shape)) = op.result(op.name(), &[(x.dtype, &x.shape)])?.pop() else {
            return Ok(None);
        };
        let mut kept = Dims::from_slice(&x.shape);
        axes.iter().for_each(|&a| kept[a] = 1);
        let reduction = Reduction {
            engine: &self.engine,
            op: *how,
            axes: axes.iter().fold(0, |bits, &a| bits | 1 << a),
            keepdims: *keepdims,
            shape: &shape,
            kept: &kept.into(),
            count: axes.iter().map(|&a| x.shape[a]).product(),
        };
        let result = reduction.of(variable(op.name(), x)?, plan, dtype, &x.shape)?;
        Ok(Some(value_of(dtype, shape, result)))
    }

    /// Notes where the greatest or least element stands, as folds; `None` where the reference kernels look for
    /// it: among few that are there, among wide ones that are there, down columns, and among more than a near
    /// cache holds indices of; on a device, among 2^32 and more.
    fn found(&self, op: &Op, x: &Value) -> Result<Option<Value>> {
        let Op::ArgReduce { max, axis, keepdims } = *op else { return Ok(None) };
        let of = variable(op.name(), x)?;
        let Some((dtype, shape)) = op.result(op.name(), &[(x.dtype, &x.shape)])?.pop() else {
            return Ok(None);
        };
        if self.engine.device().is_some() && x.shape.is_empty() {
            return self.execute_one(&Op::Full { shape, dtype, value: Scalar::Int(0) }, &[]).map(Some);
        }
        // The shape of the indices: along the axis, or of all elements.
        let (indices, axes): (Shape, u64) = match axis {
            Some(axis) => {
                let behind = std::iter::repeat_n(1, x.shape.len() - axis - 1);
                (std::iter::once(x.shape[axis]).chain(behind).collect(), 1 << (axis % 64))
            }
            None => (x.shape.clone(), (0..x.shape.len()).fold(0, |bits, a| bits | 1 << (a % 64))),
        };
        let count = indices.size();
        // Down columns, the reference kernels are faster.
        let rows = axis.is_none_or(|axis| axis + 1 == x.shape.len());
        // Wide elements are folded twice.
        let many = x.shape.size() >= WORTH && lower::ranks(x.dtype);
        let noted = rows && (of.is_pending() || many) || of.is_given() || self.engine.device().is_some();
        let most = if self.engine.device().is_some() { u32::MAX as usize } else { SEARCHED };
        let few = (1..=most).contains(&count) && !x.shape.contains(&0);
        if !(noted && few && axes != 0 && x.shape.len() <= 64) {
            return Ok(None);
        }
        let counter = if count > SEARCHED { self.counter(count)? } else { None };
        let numbers = match counter {
            Some(counter) => {
                let counter = self.execute_one(&Op::Cast { dtype: Dtype::UINT32 }, &[&counter])?;
                let laid = self.execute_one(&Op::Reshape { shape: indices }, &[&counter])?;
                variable(op.name(), &laid)?.clone()
            }
            None => {
                let numbers = HostArray::from_vec((0..count as u32).collect(), indices);
                let Some(numbers) = numbers else { return Ok(None) };
                self.engine.data(numbers)?
            }
        };
        let kept = x.shape.iter().enumerate().map(|(a, &n)| if axes >> a & 1 == 1 { 1 } else { n }).collect();
        let search =
            Search { engine: &self.engine, max, axes, keepdims, whole: &x.shape, shape: &shape, kept: &kept };
        let index = search.of(of, x.dtype, &numbers)?;
        Ok(Some(value_of(dtype, shape, index)))
    }

    /// Notes a read of elements at indices; `None` where there are none to read, or it is not to be
    /// noted.
    fn gathered(&self, op: &Op, operands: &[&Value]) -> Result<Option<Value>> {
        let [x, indices @ ..] = operands else { return Ok(None) };
        let shapes: SmallVec<[(Dtype, &Shape); 4]> = operands.iter().map(|v| (v.dtype, &v.shape)).collect();
        let Some((dtype, shape)) = op.result(op.name(), &shapes)?.pop() else { return Ok(None) };
        let (axes, rank) = (x.shape.len(), shape.len());
        // The first axis that is indexed, and where the axes of each index stand in the result: so many
        // are behind them.
        let (first, behind) = match op {
            Op::Take { axis } => (*axis, axes - axis - 1),
            Op::TakeAlongAxis { axis } => (*axis, 0),
            _ => (0, axes - indices.len()),
        };
        let indexed = first..first + indices.len();
        if self.engine.device().is_some() && indices.iter().all(|index| index.shape.contains(&0)) {
            // Nothing is read, and no index is out of range.
            let value = if dtype.is_bool() { Scalar::Bool(false) } else { Scalar::Int(0) };
            return self.execute_one(&Op::Full { shape, dtype, value }, &[]).map(Some);
        }
        if shape.contains(&0) || x.shape[indexed.clone()].contains(&0) {
            if self.engine.device().is_none() {
                return Ok(None);
            }
            for (axis, index) in indexed.zip(indices) {
                self.in_range(origin::function(op), index, axis, x.shape[axis])?;
            }
            let value = if dtype.is_bool() { Scalar::Bool(false) } else { Scalar::Int(0) };
            return self.execute_one(&Op::Full { shape, dtype, value }, &[]).map(Some);
        }
        let mut laid: SmallVec<[Value; 2]> = SmallVec::new();
        for &index in indices {
            if behind == 0 {
                laid.push(index.clone());
                continue;
            }
            let ones = std::iter::repeat_n(1, behind);
            let shape = index.shape.iter().copied().chain(ones).collect();
            laid.extend(self.layout(&Op::Reshape { shape }, index)?);
        }
        let along = |a: usize| match op {
            _ if indexed.contains(&a) => None,
            Op::TakeAlongAxis { .. } => Some(a).filter(|&a| x.shape[a] != 1),
            Op::Take { .. } => Some(a),
            _ => Some(a + rank - axes),
        };
        let mut variables = SmallVec::new();
        for (axis, index) in indexed.clone().zip(&laid) {
            variables.push((axis, variable(op.name(), index)?));
        }
        let map = Map::pick(rank, (0..axes).map(along));
        let places = Places { function: origin::function(op), indices: variables, map };
        let source = variable(op.name(), x)?;
        let result = self.engine.gather(source, places, shape.clone())?;
        Ok(result.map(|result| value_of(dtype, shape, result)))
    }

    /// Looks on a device at indices with which nothing is read: they come to the host only where one of them is
    /// out of range, which is then told.
    fn in_range(&self, function: &'static str, index: &Value, axis: usize, length: usize) -> Result<()> {
        let beyond = |op, bound: i128| self.execute_scalar(op, index, Scalar::Int(bound), false);
        let (low, high) =
            (beyond(BinaryOp::Less, -(length as i128))?, beyond(BinaryOp::GreaterEqual, length as i128)?);
        let either = self.execute_one(&Op::Binary(BinaryOp::LogicalOr), &[&low, &high])?;
        let any = Op::Reduce { op: ReduceOp::Any, axes: (0..index.shape.len()).collect(), keepdims: false };
        let any = self.execute_one(&any, &[&either])?;
        if self.to_host(&any)?.scalar_at(0)? == Scalar::Bool(true) {
            ivy_kernels::check_indices(function, &self.to_host(index)?.view(), axis, length)?;
        }
        Ok(())
    }

    /// Notes elements with others around them; `None` for what has too many, or is not to be noted.
    fn padded(&self, op: &Op, x: &Value) -> Result<Option<Value>> {
        let Some((dtype, shape)) = op.result(op.name(), &[(x.dtype, &x.shape)])?.pop() else {
            return Ok(None);
        };
        let size = shape.iter().try_fold(1usize, |n, &length| n.checked_mul(length));
        if size.is_none_or(|n| n > isize::MAX as usize / 16) {
            return Ok(None);
        }
        let result = self.engine.pad(op, shape.clone(), variable(op.name(), x)?)?;
        Ok(result.map(|result| value_of(dtype, shape, result)))
    }

    /// Notes two arrays one after the other; `None` for more or fewer, and where one has no elements.
    fn joined(&self, op: &Op, operands: &[&Value]) -> Result<Option<Value>> {
        let (&Op::Concat { axis }, &[a, b]) = (op, operands) else { return Ok(None) };
        let both = [(a.dtype, &a.shape), (b.dtype, &b.shape)];
        let Some((dtype, shape)) = op.result(op.name(), &both)?.pop() else { return Ok(None) };
        let size = shape.iter().try_fold(1usize, |n, &length| n.checked_mul(length));
        let fits = size.is_some_and(|n| n <= isize::MAX as usize / 16);
        if !fits || a.shape.contains(&0) || b.shape.contains(&0) {
            return Ok(None);
        }
        let parts = [variable(op.name(), a)?, variable(op.name(), b)?];
        let result = self.engine.join(axis, shape.clone(), parts)?;
        Ok(result.map(|result| value_of(dtype, shape, result)))
    }

    /// Notes work of the reference kernels that waits until its result is read; `None` for what they
    /// are to do, or to refuse, at once.
    fn postponed(&self, op: &Op, operands: &[&Value]) -> Result<Option<Value>> {
        let dtypes: SmallVec<[Dtype; 4]> = operands.iter().map(|v| v.dtype).collect();
        let on_device = self.engine.device().is_some() && composes(op, &dtypes);
        let allowed = self.engine.transfers() || self.engine.device().is_some() && is_native(op, &dtypes);
        if op.result_dtype(&dtypes).is_none() || !allowed || on_device {
            return Ok(None);
        }
        let shapes: SmallVec<[(Dtype, &Shape); 4]> = operands.iter().map(|v| (v.dtype, &v.shape)).collect();
        if let (Op::Scatter { axes, .. }, [x, updates, indices @ ..]) = (op, operands) {
            let places = broadcast(op.name(), &indices.iter().map(|v| &v.shape).collect::<Vec<_>>())?;
            let fits = *axes > 0
                && indices.len() == *axes
                && *axes <= x.shape.len()
                && places.iter().chain(&x.shape[*axes..]).eq(updates.shape.iter());
            if !fits {
                return Ok(None);
            }
        }
        let Some((dtype, shape)) = op.result(op.name(), &shapes)?.pop() else { return Ok(None) };
        let mut variables = SmallVec::<[&Variable; 4]>::new();
        for value in operands {
            variables.push(variable(op.name(), value)?);
        }
        let result = self.engine.later(op, dtype, shape.clone(), &variables)?;
        Ok(result.map(|result| value_of(dtype, shape, result)))
    }

    /// The numbers of so many elements; `None` if they are to be in memory.
    pub(crate) fn counter(&self, length: usize) -> Result<Option<Value>> {
        let counter = self.engine.counter(length)?;
        Ok(counter.map(|counter| value_of(Dtype::INT64, length.into(), counter)))
    }

    /// An operation of one operand that no op of the API is.
    pub(crate) fn applied(&self, kind: Kind, dtype: Dtype, x: &Value) -> Result<Value> {
        let result = self.engine.apply(kind, dtype, x.shape.clone(), &[variable(kind.name(), x)?])?;
        Ok(value_of(dtype, x.shape.clone(), result))
    }

    /// Numbers in their order on a device, and what goes with each.
    pub(crate) fn ordered(&self, keys: &Value, with: Option<&Value>, bits: u32) -> Result<(Value, Value)> {
        let name = "argsort";
        let with = with.map(|x| variable(name, x)).transpose()?;
        let [keys, with] = self.engine.order(variable(name, keys)?, with, bits)?;
        Ok((self.value(keys), self.value(with)))
    }

    /// True if a function that is recorded on this thread has made an operand.
    fn follows(&self, op: &Op, operands: &[&Value]) -> Result<bool> {
        for value in operands {
            if variable(op.name(), value)?.is_given() {
                return Ok(self.engine.is_recording());
            }
        }
        Ok(false)
    }

    /// Ops that only say how elements are found: of what is pending, they are noted; all else
    /// shares the memory of the evaluated operand.
    fn layout(&self, op: &Op, x: &Value) -> Result<Values> {
        let of = variable(op.name(), x)?;
        match (self.engine.device(), self.engine.settings().views) {
            // A device's arrays are looked at in another way without the host.
            (Some(_), true) => {}
            (Some(_), false) => self.engine.settle(of)?,
            (None, false) => return self.on_host(op, &[x]),
            // What is recorded is looked at in the kernels.
            (None, true) if of.is_evaluated() && !of.is_given() => return self.on_host(op, &[x]),
            _ => {}
        }
        let Some((dtype, shape)) = op.result(op.name(), &[(x.dtype, &x.shape)])?.pop() else {
            return self.on_host(op, &[x]);
        };
        let map = match op {
            Op::Slice { axes } => Map::slice(axes),
            Op::PermuteDims { axes } => Map::permute(axes),
            Op::BroadcastTo { .. } => Map::broadcast(&x.shape, &shape),
            _ => {
                let result = self.engine.apply(Kind::Reshape, dtype, shape.clone(), &[of])?;
                return Ok(smallvec![value_of(dtype, shape, result)]);
            }
        };
        let result = self.engine.view(map, shape.clone(), of)?;
        Ok(smallvec![value_of(dtype, shape, result)])
    }
}

fn value_of(dtype: Dtype, shape: Shape, variable: Variable) -> Value {
    Value { dtype, shape, data: Data::new(variable) }
}

/// The variable behind a value of this backend.
fn variable<'a>(function: &'static str, value: &'a Value) -> Result<&'a Variable> {
    operand(|| function, value)
}

/// Likewise, for a function whose name is asked for in errors only.
#[inline]
fn operand(function: impl FnOnce() -> &'static str, value: &Value) -> Result<&Variable> {
    match value.data::<Variable>() {
        Some(variable) => Ok(variable),
        None => Err(elsewhere(function())),
    }
}

#[cold]
fn elsewhere(function: &'static str) -> ivy_core::Error {
    ErrorKind::BackendMismatch { function, left: NAME.into(), right: "another backend".into() }.into()
}

fn variables(function: &'static str, values: &[Value]) -> Result<Vec<Variable>> {
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
            let scalar = Op::Full { shape: Shape::default(), dtype: x.dtype, value: scalar };
            let scalar = self.execute_one(&scalar, &[])?;
            return self.execute_one(&Op::Binary(op), &if first { [&scalar, x] } else { [x, &scalar] });
        };
        let result = self.engine.apply_scalar(op, dtype, operand(|| op.name(), x)?, scalar, first)?;
        Ok(value_of(dtype, x.shape.clone(), result))
    }

    fn record_loop(&self, vars: &[Value], test: Recorded<'_>, body: Recorded<'_>) -> Result<Option<Values>> {
        const NAME: &str = "while_loop";
        let vars = variables(NAME, vars)?;
        let step = |part: &mut dyn FnMut(&[Value]) -> Result<Values>, carried: &[Variable]| {
            let carried: Vec<Value> = carried.iter().map(|v| self.value(v.clone())).collect();
            variables(NAME, &part(&carried)?)
        };
        let recorded = self
            .engine
            .repeat(&vars, &mut |carried| step(test, carried), &mut |carried| step(body, carried))?;
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
