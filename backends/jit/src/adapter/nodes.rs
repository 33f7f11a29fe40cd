//! Which ops become nodes of the trace, and with what rule.

use super::backend::{JitBackend, operand, value_of, variable};
use super::order::composes;
use super::reduction::{self, Reduction};
use super::search::Search;
use super::support::{traced, waits_recorded};
use crate::engine::{Places, Variable, is_native};
use crate::lower;
use crate::schedule::COLUMNS;
use crate::trace::{Kind, Map};
use ivy_core::backend::{Backend, Value, Values};
use ivy_core::host::HostArray;
use ivy_core::shape::broadcast;
use ivy_core::{BinaryOp, Dims, Dtype, Kind as Class, Op, ReduceOp, Result, Scalar, Shape, origin};
use smallvec::{SmallVec, smallvec};

/// Elements among which a kernel looks for the greatest: it reads the index of each.
const SEARCHED: usize = 1 << 16;

/// Elements that are there, among which a launch is worth its cost.
const WORTH: usize = 1 << 14;

impl JitBackend {
    /// Notes an element-wise op; `None` for ops that the trace has no form of. It is in line, so that the
    /// value is made where it is wanted, and not moved there.
    #[inline(always)]
    pub(super) fn noted(&self, op: &Op, operands: &[&Value]) -> Result<Option<Value>> {
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
    pub(super) fn multiplied(&self, a: &Value, b: &Value) -> Result<Option<Value>> {
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
    pub(super) fn reduced(&self, op: &Op, x: &Value) -> Result<Option<Value>> {
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
    /// it: among few that are there, among wide ones that are there, down long columns, and among more than a near
    /// cache holds indices of; on a device, among 2^32 and more.
    pub(super) fn found(&self, op: &Op, x: &Value) -> Result<Option<Value>> {
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
        // Down columns, the reference kernels are faster; many short ones are folded as rows.
        let short = count <= COLUMNS && x.shape.size() >= WORTH;
        let rows = short || axis.is_none_or(|axis| axis + 1 == x.shape.len());
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
    pub(super) fn gathered(&self, op: &Op, operands: &[&Value]) -> Result<Option<Value>> {
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
    pub(super) fn in_range(
        &self,
        function: &'static str,
        index: &Value,
        axis: usize,
        length: usize,
    ) -> Result<()> {
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
    pub(super) fn padded(&self, op: &Op, x: &Value) -> Result<Option<Value>> {
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
    pub(super) fn joined(&self, op: &Op, operands: &[&Value]) -> Result<Option<Value>> {
        let (&Op::Concat { axis }, &[a, b]) = (op, operands) else { return Ok(None) };
        let both = [(a.dtype, &a.shape), (b.dtype, &b.shape)];
        let Some((dtype, shape)) = op.result(op.name(), &both)?.pop() else { return Ok(None) };
        let size = shape.iter().try_fold(1usize, |n, &length| n.checked_mul(length));
        let fits = size.is_some_and(|n| n <= isize::MAX as usize / 16);
        if !fits || a.shape.contains(&0) || b.shape.contains(&0) {
            return Ok(None);
        }
        let parts = [variable(op.name(), a)?, variable(op.name(), b)?];
        if self.engine.have_in_common(parts)
            && let Some(waiting) = self.postponed(op, operands)?
        {
            return Ok(Some(waiting));
        }
        let result = self.engine.join(axis, shape.clone(), parts)?;
        Ok(result.map(|result| value_of(dtype, shape, result)))
    }

    /// Notes work of the reference kernels that waits until its result is read; `None` for what they
    /// are to do, or to refuse, at once.
    pub(super) fn postponed(&self, op: &Op, operands: &[&Value]) -> Result<Option<Value>> {
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
            if *axes == x.shape.len()
                && let Some(noted) = self.scattered(op, x, updates, indices)?
            {
                return Ok(Some(noted));
            }
        }
        let Some((dtype, shape)) = op.result(op.name(), &shapes)?.pop() else { return Ok(None) };
        let mut variables = SmallVec::<[&Variable; 4]>::new();
        for value in operands {
            variables.push(variable(op.name(), value)?);
        }
        let result = self.engine.deferred(op, dtype, shape.clone(), &variables)?;
        Ok(result.map(|result| value_of(dtype, shape, result)))
    }

    /// Notes a scatter to what a recorded loop carries; `None` for all others.
    fn scattered(&self, op: &Op, x: &Value, updates: &Value, indices: &[&Value]) -> Result<Option<Value>> {
        let Op::Scatter { op: how, .. } = *op else { return Ok(None) };
        let mut places = SmallVec::<[&Variable; 2]>::new();
        for index in indices {
            places.push(variable(op.name(), index)?);
        }
        let [target, updates] = [variable(op.name(), x)?, variable(op.name(), updates)?];
        let result = self.engine.scatter(how, target, updates, &places)?;
        Ok(result.map(|result| value_of(x.dtype, x.shape.clone(), result)))
    }

    /// The numbers of so many elements; `None` if they are to be in memory.
    pub(crate) fn counter(&self, length: usize) -> Result<Option<Value>> {
        let counter = self.engine.counter(length)?;
        Ok(counter.map(|counter| value_of(Dtype::INT64, length.into(), counter)))
    }

    /// Random words of elements' numbers, keys and upper halves of counters, which broadcast to a shape.
    pub(crate) fn random(&self, operands: [&Value; 3], dtype: Dtype, shape: Shape) -> Result<Value> {
        let kind = Kind::Random(None);
        let mut variables = SmallVec::<[&Variable; 3]>::new();
        for value in operands {
            variables.push(variable(kind.name(), value)?);
        }
        let result = self.engine.apply(kind, dtype, shape.clone(), &variables)?;
        Ok(value_of(dtype, shape, result))
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
    pub(super) fn follows(&self, op: &Op, operands: &[&Value]) -> Result<bool> {
        for value in operands {
            if variable(op.name(), value)?.is_given() {
                return Ok(self.engine.is_recording());
            }
        }
        Ok(false)
    }

    /// Ops that only say how elements are found: of what is pending, they are noted; all else
    /// shares the memory of the evaluated operand.
    pub(super) fn layout(&self, op: &Op, x: &Value) -> Result<Values> {
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
