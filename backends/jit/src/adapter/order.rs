//! What a device does of the ops that the engine has no nodes for: compositions of those that it
//! has, element by element, with elements read at places that are computed.
//!
//! Joins and replaced slices read, for each element of the result, the operand that it is of. The stable
//! order of elements is that of their keys by digits ([`crate::runtime::cuda::order`]): of complex ones first
//! by what counts least, of rows last by the row. What is true comes first in the order of one bit, places
//! in a sorted array are found by halving, and what is distinct is found in the order of all. What stood at a
//! place before each of its updates is found in the order of their places.

use super::backend::JitBackend;
use crate::engine::misfit;
use crate::lower;
use crate::trace::{Kind, Order};
use ivy_core::backend::{Backend, Value, Values};
use ivy_core::host::{Element, HostArray};
use ivy_core::{
    AxisSlice, BinaryOp, Dims, Dtype, ExchangeOp, Op, ReduceOp, Result, Scalar, ScanOp, ScatterOp, Shape,
    UnaryOp, origin,
};
use smallvec::{SmallVec, smallvec};

/// True for an op that is such a composition, on operands of these dtypes.
pub(crate) fn composes(op: &Op, operands: &[Dtype]) -> bool {
    let real = operands.first().is_some_and(|d| !d.is_complex());
    match op {
        Op::Concat { .. } | Op::SetSlice { .. } | Op::Nonzero | Op::Unique => true,
        Op::Sort { .. } | Op::Argsort { .. } | Op::SearchSorted { .. } => real,
        // What is compared follows no rule but one update after the other.
        Op::Exchange { op } => *op != ExchangeOp::Compare,
        _ => false,
    }
}

/// Does an op that [`composes`].
///
/// # Errors
/// Those of its parts.
pub(crate) fn compose(backend: &JitBackend, op: &Op, operands: &[&Value]) -> Result<Option<Values>> {
    let dtypes: SmallVec<[Dtype; 4]> = operands.iter().map(|v| v.dtype).collect();
    if !composes(op, &dtypes) {
        return Ok(None);
    }
    let c = Composer(backend);
    let shapes: SmallVec<[(Dtype, &Shape); 4]> = operands.iter().map(|v| (v.dtype, &v.shape)).collect();
    let results = op.result(op.name(), &shapes)?;
    if results.iter().all(|(_, shape)| shape.contains(&0)) {
        let empty = results.iter().map(|(dtype, shape)| c.full(shape, *dtype, 0));
        return empty.collect::<Result<Values>>().map(Some);
    }
    // What it is made of has its name in errors.
    origin::named(origin::function(op), || composed(&c, op, operands))
}

fn composed(c: &Composer<'_>, op: &Op, operands: &[&Value]) -> Result<Option<Values>> {
    let one = |value: Value| -> Values { smallvec![value] };
    Ok(Some(match (op, operands) {
        (Op::Concat { axis }, parts) => one(c.concat(parts, *axis)?),
        (Op::SetSlice { axes }, [x, value]) => one(c.set_slice(x, value, axes)?),
        (Op::Argsort { axis, descending }, [x]) => {
            one(c.order(x, *axis, Order { descending: *descending, zeros: false })?)
        }
        (Op::Sort { axis, descending }, [x]) => {
            let order = c.order(x, *axis, Order { descending: *descending, zeros: true })?;
            one(c.along(x, &order, *axis)?)
        }
        (Op::SearchSorted { right }, [x1, x2]) => one(c.places(x1, x2, *right)?),
        (Op::Nonzero, [x]) => c.nonzero(x)?,
        (Op::Unique, [x]) => c.unique(x)?,
        (Op::Exchange { op }, [x, indices, updates]) => c.exchange(*op, x, indices, updates)?,
        _ => return Ok(None),
    }))
}

/// Ascending.
const UP: Order = Order { descending: false, zeros: false };

struct Composer<'a>(&'a JitBackend);

impl Composer<'_> {
    fn run(&self, op: &Op, operands: &[&Value]) -> Result<Value> {
        self.0.execute_one(op, operands)
    }

    fn unary(&self, op: UnaryOp, x: &Value) -> Result<Value> {
        self.run(&Op::Unary(op), &[x])
    }

    fn binary(&self, op: BinaryOp, x: &Value, y: &Value) -> Result<Value> {
        self.run(&Op::Binary(op), &[x, y])
    }

    /// An operation with a number on the right.
    fn with(&self, op: BinaryOp, x: &Value, number: i64) -> Result<Value> {
        self.0.execute_scalar(op, x, Scalar::Int(number.into()), false)
    }

    fn choose(&self, test: &Value, x: &Value, y: &Value) -> Result<Value> {
        self.run(&Op::Where, &[test, x, y])
    }

    fn cast(&self, x: &Value, dtype: Dtype) -> Result<Value> {
        self.run(&Op::Cast { dtype }, &[x])
    }

    fn reshape(&self, x: &Value, shape: impl Into<Shape>) -> Result<Value> {
        self.run(&Op::Reshape { shape: shape.into() }, &[x])
    }

    fn full(&self, shape: &Shape, dtype: Dtype, number: i64) -> Result<Value> {
        let value = if dtype.is_bool() { Scalar::Bool(number != 0) } else { Scalar::Int(number.into()) };
        self.run(&Op::Full { shape: shape.clone(), dtype, value }, &[])
    }

    /// Values along an axis, with so many axes.
    fn listed<T: Element>(&self, values: Vec<T>, axis: usize, rank: usize) -> Result<Value> {
        let mut shape = Dims::from_elem(1, rank);
        shape[axis] = values.len();
        let array = HostArray::from_vec(values, shape.into()).ok_or_else(|| misfit("from_vec"))?;
        self.0.from_host(array)
    }

    /// The numbers of an axis's elements, with so many axes: counted where they are wanted.
    fn numbers(&self, count: usize, axis: usize, rank: usize) -> Result<Value> {
        let Some(counter) = self.0.counter(count)? else {
            return self.listed((0..count as i64).collect(), axis, rank);
        };
        let mut shape = Dims::from_elem(1, rank);
        shape[axis] = count;
        self.reshape(&counter, Shape::from(shape))
    }

    /// The elements of `x` at places along an axis.
    fn along(&self, x: &Value, places: &Value, axis: usize) -> Result<Value> {
        self.run(&Op::TakeAlongAxis { axis }, &[x, places])
    }

    /// Numbers cut to those of an axis's elements.
    fn within(&self, places: &Value, count: usize) -> Result<Value> {
        self.with(BinaryOp::Minimum, &self.with(BinaryOp::Maximum, places, 0)?, count as i64 - 1)
    }

    /// Some elements along an axis.
    fn slice(&self, x: &Value, axis: usize, part: AxisSlice) -> Result<Value> {
        let whole = x.shape.iter().map(|&len| AxisSlice { start: 0, step: 1, len });
        let mut axes: Dims<AxisSlice> = whole.collect();
        axes[axis] = part;
        self.run(&Op::Slice { axes }, &[x])
    }

    fn concat(&self, parts: &[&Value], axis: usize) -> Result<Value> {
        let parts: SmallVec<[&Value; 4]> = parts.iter().copied().filter(|p| p.shape[axis] > 0).collect();
        let Some((first, rest)) = parts.split_first() else {
            return Err(misfit("concat"));
        };
        if rest.is_empty() {
            return Ok((*first).clone());
        }
        // By halves, so that a kernel has few operands.
        let (left, right) = parts.split_at(parts.len() / 2);
        let [left, right] = [self.concat(left, axis)?, self.concat(right, axis)?];
        let (before, all) = (left.shape[axis], left.shape[axis] + right.shape[axis]);
        let numbers = self.numbers(all, axis, left.shape.len())?;
        let of_left = self.along(&left, &self.within(&numbers, before)?, axis)?;
        let behind = self.with(BinaryOp::Subtract, &numbers, before as i64)?;
        let of_right = self.along(&right, &self.within(&behind, all - before)?, axis)?;
        self.choose(&self.with(BinaryOp::Less, &numbers, before as i64)?, &of_left, &of_right)
    }

    fn set_slice(&self, x: &Value, value: &Value, axes: &[AxisSlice]) -> Result<Value> {
        if value.shape.contains(&0) {
            return Ok(x.clone());
        }
        let rank = x.shape.len();
        let (mut replaced, mut from) = (None, value.clone());
        for (axis, &AxisSlice { start, step, len }) in axes.iter().enumerate() {
            let count = x.shape[axis];
            if (start, step, len) == (0, 1, count) {
                continue;
            }
            // Which of the slice's places each place of the axis is, if any.
            let mut of: Vec<Option<i64>> = vec![None; count];
            (0..len).for_each(|i| of[(start as isize + i as isize * step) as usize] = Some(i as i64));
            let here = self.listed(of.iter().map(Option::is_some).collect(), axis, rank)?;
            let places = self.listed(of.iter().map(|place| place.unwrap_or(0)).collect(), axis, rank)?;
            from = self.along(&from, &places, axis)?;
            replaced = Some(match replaced {
                Some(before) => self.binary(BinaryOp::LogicalAnd, &before, &here)?,
                None => here,
            });
        }
        match replaced {
            Some(replaced) => self.choose(&replaced, &from, x),
            None => Ok(from),
        }
    }

    /// True where the first operand stands before the second, ascending; NaN last.
    fn before(&self, x: &Value, y: &Value) -> Result<Value> {
        let sooner = self.binary(BinaryOp::Less, x, y)?;
        if !x.dtype.is_float() {
            return Ok(sooner);
        }
        let [nan_x, nan_y] = [x, y].map(|x| self.unary(UnaryOp::IsNan, x));
        let number = self.unary(UnaryOp::LogicalNot, &nan_x?)?;
        let only_y = self.binary(BinaryOp::LogicalAnd, &nan_y?, &number)?;
        self.binary(BinaryOp::LogicalOr, &sooner, &only_y)
    }

    /// Real elements as unsigned numbers in an order.
    fn keys(&self, x: &Value, how: Order) -> Result<Value> {
        let dtype = if x.dtype.bytes() == 8 { Dtype::UINT64 } else { Dtype::UINT32 };
        self.0.applied(Kind::Key(how), dtype, x)
    }

    /// The places of a flat array's elements in their stable order, of uint32.
    fn flat_order(&self, flat: &Value, how: Order) -> Result<Value> {
        let part = |op, number: &Value| self.unary(op, number);
        if !flat.dtype.is_complex() {
            return Ok(self.0.ordered(&self.keys(flat, how)?, None, lower::key_bits(flat.dtype))?.1);
        }
        // First by what counts least.
        let [re, im] = [part(UnaryOp::Real, flat)?, part(UnaryOp::Imag, flat)?];
        let nans = [self.unary(UnaryOp::IsNan, &re)?, self.unary(UnaryOp::IsNan, &im)?];
        let mut order: Option<Value> = None;
        for by in [&im, &re, &nans[1], &nans[0]] {
            let keys = self.keys(by, how)?;
            let keys = match &order {
                Some(order) => self.run(&Op::Take { axis: 0 }, &[&keys, &self.cast(order, Dtype::INT64)?])?,
                None => keys,
            };
            order = Some(self.0.ordered(&keys, order.as_ref(), lower::key_bits(by.dtype))?.1);
        }
        order.ok_or_else(|| misfit("unique_all"))
    }

    /// The stable order along an axis.
    fn order(&self, x: &Value, axis: usize, how: Order) -> Result<Value> {
        let (shape, count) = (&x.shape, x.shape.get(axis).copied().unwrap_or(0));
        if count < 2 {
            return self.full(shape, Dtype::INT64, 0);
        }
        let rank = shape.len();
        let last = || (0..rank).filter(|&a| a != axis).chain([axis]).collect::<Dims>();
        let moved = self.run(&Op::PermuteDims { axes: last() }, &[x])?;
        let rows = shape.size() / count;
        let mut order = self.flat_order(&self.reshape(&moved, [shape.size()])?, how)?;
        if rows > 1 {
            // What is in order as a whole is so within each row.
            let row = self.with(BinaryOp::FloorDivide, &order, count as i64)?;
            order = self.0.ordered(&row, Some(&order), usize::BITS - (rows - 1).leading_zeros())?.1;
            order = self.with(BinaryOp::Remainder, &order, count as i64)?;
        }
        let order = self.reshape(&self.cast(&order, Dtype::INT64)?, moved.shape.clone())?;
        let back = (0..rank).map(|a| if a == axis { rank - 1 } else { a - usize::from(a > axis) });
        self.run(&Op::PermuteDims { axes: back.collect() }, &[&order])
    }

    /// Where elements go in a sorted array.
    fn places(&self, sorted: &Value, x: &Value, right: bool) -> Result<Value> {
        let count = sorted.shape.size();
        let mut low = self.full(&x.shape, Dtype::INT64, 0)?;
        if count == 0 || x.shape.contains(&0) {
            return Ok(low);
        }
        let bytes = |x: &Value| if x.dtype.is_bool() { self.cast(x, Dtype::UINT8) } else { Ok(x.clone()) };
        let (sorted, x) = (bytes(sorted)?, bytes(x)?);
        let mut high = self.full(&x.shape, Dtype::INT64, count as i64)?;
        for _ in 0..=count.ilog2() {
            let middle =
                self.with(BinaryOp::BitwiseRightShift, &self.binary(BinaryOp::Add, &low, &high)?, 1)?;
            let there = self.run(&Op::Gather { axes: 1 }, &[&sorted, &self.within(&middle, count)?])?;
            // Upwards past what is less, to the right also past what is equal.
            let up = match right {
                true => self.unary(UnaryOp::LogicalNot, &self.before(&x, &there)?)?,
                false => self.before(&there, &x)?,
            };
            let open = self.binary(BinaryOp::Less, &low, &high)?;
            let up = self.binary(BinaryOp::LogicalAnd, &up, &open)?;
            let down = self.binary(BinaryOp::LogicalXor, &up, &open)?;
            low = self.choose(&up, &self.with(BinaryOp::Add, &middle, 1)?, &low)?;
            high = self.choose(&down, &middle, &high)?;
            self.0.evaluate(&[low.clone(), high.clone()])?;
        }
        Ok(low)
    }

    /// The places of a flat array where it is true.
    fn wheres(&self, flat: &Value) -> Result<Value> {
        let ones = self.cast(flat, Dtype::INT64)?;
        let count = ones.shape.size();
        if count == 0 {
            return self.full(&Shape::from([0]), Dtype::INT64, 0);
        }
        let sum = Op::Reduce { op: ReduceOp::Sum, axes: smallvec![0], keepdims: false };
        let found = self.0.to_host(&self.run(&sum, &[&ones])?)?.to_vec::<i64>()?[0] as usize;
        if found == 0 {
            return self.full(&Shape::from([0]), Dtype::INT64, 0);
        }
        // The order of one bit, which is less where it is true.
        let order = self.flat_order(&self.unary(UnaryOp::LogicalNot, flat)?, UP)?;
        let first = self.slice(&order, 0, AxisSlice { start: 0, step: 1, len: found })?;
        self.cast(&first, Dtype::INT64)
    }

    fn nonzero(&self, x: &Value) -> Result<Values> {
        let flat = self.reshape(x, [x.shape.size()])?;
        let truth = if x.dtype.is_bool() { flat } else { self.cast(&flat, Dtype::BOOL)? };
        let mut left = self.wheres(&truth)?;
        let mut found: Values = SmallVec::new();
        for &count in x.shape.iter().rev() {
            let count = count.max(1) as i64;
            found.push(self.with(BinaryOp::Remainder, &left, count)?);
            left = self.with(BinaryOp::FloorDivide, &left, count)?;
        }
        found.reverse();
        Ok(found)
    }

    /// An array of one axis after updates of places, and what stood at the place of each before it.
    fn exchange(&self, op: ExchangeOp, x: &Value, indices: &Value, updates: &Value) -> Result<Values> {
        let (shape, count, length) = (&indices.shape, indices.shape.size(), x.shape.size());
        if count == 0 {
            return Ok(smallvec![x.clone(), updates.clone()]);
        }
        let flat = |x: &Value| self.reshape(x, [count]);
        let (indices, updates) = (flat(indices)?, flat(updates)?);
        // Counted from the start, and refused where there is none.
        let places = self.run(&Op::Take { axis: 0 }, &[&self.numbers(length, 0, 1)?, &indices])?;
        let wide = length > u32::MAX as usize;
        let keys = self.cast(&places, if wide { Dtype::UINT64 } else { Dtype::UINT32 })?;
        let bits = usize::BITS - length.saturating_sub(1).leading_zeros();
        let (keys, order) = self.0.ordered(&keys, None, bits)?;
        let [keys, order] = [self.cast(&keys, Dtype::INT64)?, self.cast(&order, Dtype::INT64)?];
        let part = |x: &Value, start, len| self.slice(x, 0, AxisSlice { start, step: 1, len });
        let differs =
            self.binary(BinaryOp::NotEqual, &part(&keys, 1, count - 1)?, &part(&keys, 0, count - 1)?)?;
        let first = self.concat(&[&self.full(&Shape::from([1]), Dtype::BOOL, 1)?, &differs], 0)?;
        let there = self.along(x, &keys, 0)?;
        let sorted = self.along(&updates, &order, 0)?;
        let (before, into) = match op {
            ExchangeOp::Add => {
                let sum = Op::Scan { op: ScanOp::Sum, axis: 0, include_initial: true };
                let sums = part(&self.run(&sum, &[&sorted])?, 0, count)?;
                let zero = self.full(&Shape::default(), Dtype::INT64, 0)?;
                let begins = self.choose(&first, &self.numbers(count, 0, 1)?, &zero)?;
                let so_far = Op::Scan { op: ScanOp::Max, axis: 0, include_initial: false };
                let others = self.along(&sums, &self.run(&so_far, &[&begins])?, 0)?;
                // They wrap, so that what belongs to other places is taken away again.
                let own = self.binary(BinaryOp::Subtract, &sums, &others)?;
                (self.binary(BinaryOp::Add, &there, &own)?, ScatterOp::Add)
            }
            _ => {
                let last = self.concat(&[&part(&sorted, 0, 1)?, &part(&sorted, 0, count - 1)?], 0)?;
                (self.choose(&first, &there, &last)?, ScatterOp::Set)
            }
        };
        let put = |op, to: &Value, updates: &Value, places: &Value| {
            self.run(&Op::Scatter { axes: 1, op }, &[to, updates, places])
        };
        let zeros = self.full(&Shape::from([count]), x.dtype, 0)?;
        let old = self.reshape(&put(ScatterOp::Set, &zeros, &before, &order)?, shape.clone())?;
        Ok(smallvec![put(into, x, &updates, &places)?, old])
    }

    /// The distinct values, where each is first, which of them each element is, and how often each is.
    fn unique(&self, x: &Value) -> Result<Values> {
        let count = x.shape.size();
        let flat = self.reshape(x, [count])?;
        let order = self.flat_order(&flat, UP)?;
        let places = self.cast(&order, Dtype::INT64)?;
        let sorted = self.along(&flat, &places, 0)?;
        let sorted = if x.dtype.is_bool() { self.cast(&sorted, Dtype::UINT8)? } else { sorted };
        let part = |start, len| self.slice(&sorted, 0, AxisSlice { start, step: 1, len });
        let differs = self.binary(BinaryOp::NotEqual, &part(1, count - 1)?, &part(0, count - 1)?)?;
        let first = self.full(&Shape::from([1]), Dtype::BOOL, 1)?;
        let begins = self.concat(&[&first, &differs], 0)?;
        self.0.evaluate(std::slice::from_ref(&begins))?;
        let starts = self.wheres(&begins)?;
        let indices = self.along(&places, &starts, 0)?;
        let values = self.along(&flat, &indices, 0)?;
        let sum = Op::Scan { op: ScanOp::Sum, axis: 0, include_initial: false };
        let number = self.run(&sum, &[&self.cast(&begins, Dtype::UINT32)?])?;
        let number = self.with(BinaryOp::Subtract, &number, 1)?;
        // Back where the elements were: in the order of their places.
        let bits = usize::BITS - (count - 1).leading_zeros();
        let inverse = self.cast(&self.0.ordered(&order, Some(&number), bits)?.1, Dtype::INT64)?;
        let end = self.full(&Shape::from([1]), Dtype::INT64, count as i64)?;
        let many = starts.shape.size();
        let next = self.slice(&starts, 0, AxisSlice { start: 1, step: 1, len: many - 1 })?;
        let counts = self.binary(BinaryOp::Subtract, &self.concat(&[&next, &end], 0)?, &starts)?;
        Ok(smallvec![values, indices, self.reshape(&inverse, x.shape.clone())?, counts])
    }
}
