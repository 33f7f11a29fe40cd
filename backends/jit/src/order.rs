//! What a device does of the ops that the engine has no nodes for: compositions of those that it
//! has, element by element, with elements read at places that are computed.
//!
//! Joins and replaced slices read, for each element of the result, the operand that it is of. The
//! stable order of elements comes of a network: in each of its steps an element is compared with one other,
//! and the two are in order after it; equal ones are told apart by where they were. Running sums
//! of integers come of steps of doubled length, which only regroup them. Places in a sorted array are found
//! by halving, and what is distinct is found in the order of all.
//!
//! What is left: running sums of floats, whose order is one after the other, and updates at indices.

use crate::backend::JitBackend;
use crate::engine::misfit;
use ivy_core::backend::{Backend, Value, Values};
use ivy_core::host::{Element, HostArray};
use ivy_core::{AxisSlice, BinaryOp, Dims, Dtype, Op, ReduceOp, Result, Scalar, ScanOp, Shape, UnaryOp};
use smallvec::{SmallVec, smallvec};

/// True for an op that is such a composition, on operands of these dtypes.
pub(crate) fn composes(op: &Op, operands: &[Dtype]) -> bool {
    let real = operands.first().is_some_and(|d| !d.is_complex());
    match op {
        Op::Concat { .. } | Op::SetSlice { .. } | Op::Nonzero => true,
        Op::Sort { .. } | Op::Argsort { .. } | Op::SearchSorted { .. } | Op::Unique => real,
        Op::Scan { .. } => operands.first().is_some_and(|d| d.is_int()),
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
        (Op::Scan { op, axis, include_initial }, [x]) => one(c.scan(*op, x, *axis, *include_initial)?),
        (Op::Nonzero, [x]) => c.nonzero(x)?,
        (Op::Unique, [x]) => c.unique(x)?,
        _ => return Ok(None),
    }))
}

/// What stands before what.
#[derive(Clone, Copy)]
struct Order {
    descending: bool,
    /// Whether the zero of the lesser sign is the lesser one.
    zeros: bool,
}

impl Order {
    const UP: Order = Order { descending: false, zeros: false };
}

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

    /// The numbers of an axis's elements, with so many axes.
    fn numbers(&self, count: usize, axis: usize, rank: usize) -> Result<Value> {
        self.listed((0..count as i64).collect(), axis, rank)
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

    /// True where the first operand stands before the second, equal ones by `first`; NaN last.
    fn before(&self, x: &Value, y: &Value, how: Order, first: &Value) -> Result<Value> {
        let Order { descending, zeros } = how;
        let less = if descending { BinaryOp::Greater } else { BinaryOp::Less };
        let (and, or, not) = (BinaryOp::LogicalAnd, BinaryOp::LogicalOr, UnaryOp::LogicalNot);
        let mut sooner = self.binary(less, x, y)?;
        let mut later = self.binary(less, y, x)?;
        if x.dtype.is_float() {
            let [nan_x, nan_y] = [x, y].map(|x| self.unary(UnaryOp::IsNan, x));
            let (nan_x, nan_y) = (nan_x?, nan_y?);
            let only_y = self.binary(and, &nan_y, &self.unary(not, &nan_x)?)?;
            let only_x = self.binary(and, &nan_x, &self.unary(not, &nan_y)?)?;
            sooner = self.binary(or, &sooner, &only_y)?;
            later = self.binary(or, &later, &only_x)?;
            if zeros {
                let equal = self.binary(BinaryOp::Equal, x, y)?;
                let [sign_x, sign_y] = [x, y].map(|x| self.unary(UnaryOp::Signbit, x));
                let (less, greater) = if descending { (sign_y?, sign_x?) } else { (sign_x?, sign_y?) };
                let differ = self.binary(BinaryOp::LogicalXor, &less, &greater)?;
                let differ = self.binary(and, &equal, &differ)?;
                sooner = self.binary(or, &sooner, &self.binary(and, &differ, &less)?)?;
                later = self.binary(or, &later, &self.binary(and, &differ, &greater)?)?;
            }
        }
        let equal = self.binary(and, &self.unary(not, &later)?, first)?;
        self.binary(or, &sooner, &equal)
    }

    /// The stable order along an axis.
    fn order(&self, x: &Value, axis: usize, how: Order) -> Result<Value> {
        let (shape, count) = (&x.shape, x.shape.get(axis).copied().unwrap_or(0));
        if count < 2 {
            return self.full(shape, Dtype::INT64, 0);
        }
        let place = self.numbers(count, axis, shape.len())?;
        let mut keys = if x.dtype.is_bool() { self.cast(x, Dtype::UINT8)? } else { x.clone() };
        let mut order = self.run(&Op::BroadcastTo { shape: shape.clone() }, &[&place])?;
        for mask in masks(count) {
            let other = self.with(BinaryOp::BitwiseXor, &place, mask)?;
            // Beyond the end are elements that are last, and stay there.
            let there = self.with(BinaryOp::Less, &other, count as i64)?;
            let other = self.choose(&there, &other, &place)?;
            let [keys_there, order_there] = [&keys, &order].map(|x| self.along(x, &other, axis));
            let (keys_there, order_there) = (keys_there?, order_there?);
            let first = self.binary(BinaryOp::Less, &order, &order_there)?;
            let before = self.before(&keys, &keys_there, how, &first)?;
            let lower = self.binary(BinaryOp::Less, &place, &other)?;
            let moves = self.binary(BinaryOp::LogicalXor, &lower, &before)?;
            keys = self.choose(&moves, &keys_there, &keys)?;
            order = self.choose(&moves, &order_there, &order)?;
            // Both are read twice by the next step.
            self.0.evaluate(&[keys.clone(), order.clone()])?;
        }
        Ok(order)
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
        let never = self.full(&x.shape, Dtype::BOOL, 0)?;
        for _ in 0..=count.ilog2() {
            let middle =
                self.with(BinaryOp::BitwiseRightShift, &self.binary(BinaryOp::Add, &low, &high)?, 1)?;
            let there = self.run(&Op::Gather { axes: 1 }, &[&sorted, &self.within(&middle, count)?])?;
            // Upwards past what is less, to the right also past what is equal.
            let up = match right {
                true => self.unary(UnaryOp::LogicalNot, &self.before(&x, &there, Order::UP, &never)?)?,
                false => self.before(&there, &x, Order::UP, &never)?,
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

    /// Running sums or products of integers, which wrap in any order alike.
    fn scan(&self, op: ScanOp, x: &Value, axis: usize, include_initial: bool) -> Result<Value> {
        let (join, identity) = match op {
            ScanOp::Sum => (BinaryOp::Add, 0),
            ScanOp::Prod => (BinaryOp::Multiply, 1),
        };
        let mut x = x.clone();
        let count = x.shape[axis];
        let place = self.numbers(count, axis, x.shape.len())?;
        let nothing = self.full(&Shape::default(), x.dtype, identity)?;
        let mut distance = 1;
        while distance < count {
            let from = self.with(BinaryOp::Subtract, &place, distance as i64)?;
            let before = self.along(&x, &self.within(&from, count)?, axis)?;
            let there = self.with(BinaryOp::GreaterEqual, &from, 0)?;
            x = self.binary(join, &self.choose(&there, &before, &nothing)?, &x)?;
            self.0.evaluate(std::slice::from_ref(&x))?;
            distance *= 2;
        }
        if !include_initial {
            return Ok(x);
        }
        let mut first = Dims::from_slice(&x.shape);
        first[axis] = 1;
        let first = self.full(&first.into(), x.dtype, identity)?;
        self.concat(&[&first, &x], axis)
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
        let sums = self.scan(ScanOp::Sum, &ones, 0, false)?;
        self.places(&sums, &self.numbers(found, 0, 1)?, true)
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

    /// The distinct values, where each is first, which of them each element is, and how often each is.
    fn unique(&self, x: &Value) -> Result<Values> {
        let count = x.shape.size();
        let flat = self.reshape(x, [count])?;
        let order = self.order(&flat, 0, Order::UP)?;
        let sorted = self.along(&flat, &order, 0)?;
        let sorted = if x.dtype.is_bool() { self.cast(&sorted, Dtype::UINT8)? } else { sorted };
        let part = |start, len| self.slice(&sorted, 0, AxisSlice { start, step: 1, len });
        let differs = self.binary(BinaryOp::NotEqual, &part(1, count - 1)?, &part(0, count - 1)?)?;
        let first = self.full(&Shape::from([1]), Dtype::BOOL, 1)?;
        let begins = self.concat(&[&first, &differs], 0)?;
        self.0.evaluate(std::slice::from_ref(&begins))?;
        let starts = self.wheres(&begins)?;
        let indices = self.along(&order, &starts, 0)?;
        let values = self.along(&flat, &indices, 0)?;
        // Where an element stands in the order is the order of the order.
        let number = self.scan(ScanOp::Sum, &self.cast(&begins, Dtype::INT64)?, 0, false)?;
        let number = self.with(BinaryOp::Subtract, &number, 1)?;
        let inverse = self.along(&number, &self.order(&order, 0, Order::UP)?, 0)?;
        let end = self.full(&Shape::from([1]), Dtype::INT64, count as i64)?;
        let many = starts.shape.size();
        let next = self.slice(&starts, 0, AxisSlice { start: 1, step: 1, len: many - 1 })?;
        let counts = self.binary(BinaryOp::Subtract, &self.concat(&[&next, &end], 0)?, &starts)?;
        Ok(smallvec![values, indices, self.reshape(&inverse, x.shape.clone())?, counts])
    }
}

/// The steps of the network for so many elements: an element is compared with the one whose number
/// differs in these bits. First those that mirror a block, so that all blocks are in one order.
fn masks(count: usize) -> Vec<i64> {
    let mut masks = Vec::new();
    let mut size = 2;
    while size / 2 < count {
        masks.push(size as i64 - 1);
        let mut half = size / 4;
        while half > 0 {
            masks.push(half as i64);
            half /= 2;
        }
        size *= 2;
    }
    masks
}

#[cfg(test)]
mod tests {
    use super::masks;

    #[test]
    fn the_network_orders_all_zeros_and_ones() {
        // What orders these, orders everything.
        for count in 1..=12usize {
            for bits in 0..1u32 << count {
                let mut x: Vec<u32> = (0..count).map(|i| bits >> i & 1).collect();
                for mask in masks(count) {
                    for i in 0..count {
                        let other = i ^ mask as usize;
                        if i < other && other < count && x[i] > x[other] {
                            x.swap(i, other);
                        }
                    }
                }
                assert!(x.is_sorted(), "{count} {bits:b}");
            }
        }
    }
}
