//! Single steps of what goes from element to element in order, as kernels of their own: an update joined
//! with what is there, and running sums and products.

use super::{Parts, lower, memory};
use crate::ir::{Access, Builder, Code, Id, Kernel, Param, Type};
use crate::kind::Kind;
use ivy_core::{BinaryOp, Dtype, Kind as Class, ScanOp, ScatterOp};
use smallvec::smallvec;

/// What is there and an update, of a dtype, as what is there next; `None` for what is not combined so.
pub fn joined(op: ScatterOp, dtype: Dtype) -> Option<Kernel> {
    let (ty, parts) = memory(dtype)?;
    if !op.takes(dtype) {
        return None;
    }
    let param = |access| Param { ty, parts, access };
    let mut b = Builder::new(vec![param(Access::Linear), param(Access::Linear), param(Access::Out)]);
    let [x, update] = [0, 1].map(|n| (0..parts).map(|part| b.load(n, part)).collect::<Parts>());
    let binary = |b: &mut Builder, op, x: &Parts, y: &Parts| {
        lower(b, Kind::Binary(op), dtype, &[(dtype, x), (dtype, y)])
    };
    let next = match op {
        ScatterOp::Set => update,
        ScatterOp::Add | ScatterOp::Max | ScatterOp::Or if dtype.is_bool() => {
            binary(&mut b, BinaryOp::BitwiseOr, &x, &update)?
        }
        _ if dtype.is_bool() => binary(&mut b, BinaryOp::BitwiseAnd, &x, &update)?,
        ScatterOp::Min | ScatterOp::Max => {
            let stays = stays(&mut b, op == ScatterOp::Min, dtype, &x, &update)?;
            x.iter().zip(&update).map(|(&x, &y)| b.select(stays, x, y)).collect()
        }
        _ => binary(&mut b, op.binary(dtype)?, &x, &update)?,
    };
    let next: Vec<Id> = next.to_vec();
    b.store(2, &next);
    Some(b.finish())
}

/// How a running sum or product, or the like, goes on.
pub struct Running {
    /// An element as what is joined, if that is another type.
    pub widen: Option<Kernel>,
    /// A step: its inputs are what is joined, and what is carried, part by part; its results are the
    /// value there, and what is carried next.
    pub step: Kernel,
    /// What the blocks before carry and what a block does, of [`ivy_kernels::scan::BLOCK`] elements, as the value after
    /// both and what is carried next; `None` where it is the same without blocks.
    pub join: Option<Kernel>,
    /// Such a value as an element, if that is another type.
    pub narrow: Option<Kernel>,
    /// What is carried at first, as bits of its types.
    pub begin: Vec<(Type, u64)>,
    /// The bits of the parts of what there is of nothing.
    pub identity: Vec<u64>,
}

/// The bits of what there is of nothing, of a real dtype.
fn neutral(op: ScanOp, dtype: Dtype) -> u64 {
    let float = match op {
        ScanOp::Prod => 1.0f32,
        ScanOp::Min => f32::INFINITY,
        ScanOp::Max => f32::NEG_INFINITY,
        _ => 0.0,
    };
    let (bits, signed) = (8 * dtype.bytes() as u32, dtype.int_range().is_some_and(|range| range.0 < 0));
    let (all, top) = (u64::MAX >> (64 - bits), 1 << (bits - 1));
    match dtype {
        Dtype::FLOAT16 => u64::from(half::f16::from_f32(float).to_bits()),
        Dtype::BFLOAT16 => u64::from(half::bf16::from_f32(float).to_bits()),
        Dtype::FLOAT32 => u64::from(float.to_bits()),
        Dtype::FLOAT64 => f64::from(float).to_bits(),
        _ => match op {
            ScanOp::Sum | ScanOp::Or => 0,
            ScanOp::Prod => 1,
            ScanOp::Min => {
                if signed {
                    all ^ top
                } else {
                    all
                }
            }
            ScanOp::Max => {
                if signed {
                    top
                } else {
                    0
                }
            }
            ScanOp::And => all,
        },
    }
}

/// Running sums or products of a dtype, or the like, in the order and with the roundings of the reference
/// kernels; `None` of what has none.
pub fn running(op: ScanOp, dtype: Dtype) -> Option<Running> {
    let (ty, parts) = memory(dtype)?;
    let class = dtype.kind();
    if !op.takes(dtype) {
        return None;
    }
    let sum = op == ScanOp::Sum;
    let identity: Vec<u64> = [neutral(op, dtype.real_part()), 0].into_iter().take(parts as usize).collect();
    // The additive identity that keeps the sign of a zero.
    let double = (Type::F64, if sum { (-0f64).to_bits() } else { neutral(op, Dtype::FLOAT64) });
    let begin = match class {
        Class::Float | Class::Complex if sum => {
            let each = if dtype.real_part() == Dtype::FLOAT64 { 2 } else { 1 };
            vec![double; each * parts as usize]
        }
        // A first element stands for itself.
        Class::Complex => vec![double, double, (Type::U32, 0)],
        Class::Float => vec![double],
        _ => vec![(ty, identity[0])],
    };
    // All floats are joined in float64.
    let joined = if matches!(class, Class::Float | Class::Complex) { Dtype::FLOAT64 } else { dtype };
    let same = dtype.real_part() == joined;
    let rounds = matches!(op, ScanOp::Sum | ScanOp::Prod) && joined == Dtype::FLOAT64;
    let between = |from, to| if same { Some(None) } else { cast(from, to, parts).map(Some) };
    Some(Running {
        widen: between(dtype.real_part(), joined)?,
        step: step(op, dtype, memory(joined)?.0, &begin)?,
        join: if rounds { Some(join(op, dtype, &begin)?) } else { None },
        narrow: between(joined, dtype.real_part())?,
        begin,
        identity,
    })
}

/// Parts of elements in another type.
fn cast(from: Dtype, to: Dtype, parts: u32) -> Option<Kernel> {
    let param = |dtype, access| memory(dtype).map(|(ty, _)| Param { ty, parts, access });
    let mut b = Builder::new(vec![param(from, Access::Linear)?, param(to, Access::Out)?]);
    let mut values = Vec::new();
    for part in 0..parts {
        let x: Parts = smallvec![b.load(0, part)];
        values.extend(lower(&mut b, Kind::Cast, to, &[(from, &x)])?);
    }
    b.store(1, &values);
    Some(b.finish())
}

/// The kernel of a step.
fn step(op: ScanOp, dtype: Dtype, ty: Type, begin: &[(Type, u64)]) -> Option<Kernel> {
    let parts = if dtype.is_complex() { 2 } else { 1 };
    let value = |access| Param { ty, parts, access };
    let carried = |access| begin.iter().map(move |&(ty, _)| Param { ty, parts: 1, access });
    let inputs = std::iter::once(value(Access::Linear)).chain(carried(Access::Linear));
    let results = std::iter::once(value(Access::Out)).chain(carried(Access::Out));
    let mut b = Builder::new(inputs.chain(results).collect());
    let x: Parts = (0..parts).map(|part| b.load(0, part)).collect();
    let before: Vec<Id> = (0..begin.len()).map(|i| b.load(1 + i as u32, 0)).collect();
    let (value, next) = joins(&mut b, op, dtype, &x, &before)?;
    let first = 1 + begin.len() as u32;
    b.store(first, &value);
    next.iter().zip(first + 1..).for_each(|(&id, param)| b.store(param, &[id]));
    Some(b.finish())
}

/// The kernel that joins what is carried by blocks.
fn join(op: ScanOp, dtype: Dtype, begin: &[(Type, u64)]) -> Option<Kernel> {
    let (parts, count) = (if dtype.is_complex() { 2 } else { 1 }, begin.len() as u32);
    let carried = |access| begin.iter().map(move |&(ty, _)| Param { ty, parts: 1, access });
    let inputs = carried(Access::Linear).chain(carried(Access::Linear));
    let value = Param { ty: Type::F64, parts, access: Access::Out };
    let mut b = Builder::new(inputs.chain([value]).chain(carried(Access::Out)).collect());
    let [before, after] =
        [0, count].map(|first| (first..first + count).map(|i| b.load(i, 0)).collect::<Vec<Id>>());
    let (value, mut next) = match (op, dtype.real_part()) {
        (ScanOp::Sum, Dtype::FLOAT64) => {
            let (mut values, mut next) = (Parts::new(), Vec::new());
            for (before, after) in before.chunks(2).zip(after.chunks(2)) {
                let (sum, lost) = both(&mut b, after[0], before[0], before[1]);
                let lost = b.binary(Code::Add, lost, after[1]);
                values.push(told(&mut b, sum, lost));
                next.extend([sum, lost]);
            }
            (values, next)
        }
        // A step is one of a value.
        _ => joins(&mut b, op, dtype, &Parts::from_slice(&after[..parts as usize]), &before)?,
    };
    if let (Some(has_any), Some(&of_before), Some(&of_after)) = (next.get_mut(2), before.get(2), after.get(2))
        && op == ScanOp::Prod
    {
        *has_any = b.binary(Code::Or, of_before, of_after);
    }
    b.store(2 * count, &value);
    next.iter().zip(2 * count + 1..).for_each(|(&id, param)| b.store(param, &[id]));
    Some(b.finish())
}

/// The value after a step, and what is carried next.
fn joins(b: &mut Builder, op: ScanOp, dtype: Dtype, x: &Parts, before: &[Id]) -> Option<(Parts, Vec<Id>)> {
    let code = match op {
        ScanOp::Sum => Code::Add,
        ScanOp::Prod => Code::Mul,
        ScanOp::And => Code::And,
        ScanOp::Or => Code::Or,
        ScanOp::Min | ScanOp::Max => return extremes(b, op, dtype, x, before),
    };
    Some(match (op, dtype.real_part(), dtype.is_complex()) {
        (ScanOp::Sum, Dtype::FLOAT64, _) => {
            let (mut values, mut next) = (Parts::new(), Vec::new());
            for (&x, before) in x.iter().zip(before.chunks(2)) {
                let (sum, lost) = both(b, x, before[0], before[1]);
                values.push(told(b, sum, lost));
                next.extend([sum, lost]);
            }
            (values, next)
        }
        (ScanOp::Prod, _, true) => {
            let (all, so_far) = (Dtype::COMPLEX128, Parts::from_slice(&before[..2]));
            let product = lower(b, Kind::Binary(BinaryOp::Multiply), all, &[(all, &so_far), (all, x)])?;
            let (zero, one) = (b.constant(Type::U32, 0), b.constant(Type::U32, 1));
            let first = b.binary(Code::Eq, before[2], zero);
            let next: Parts = x.iter().zip(&product).map(|(&x, &y)| b.select(first, x, y)).collect();
            (next.clone(), vec![next[0], next[1], one])
        }
        _ => {
            let next: Parts = x.iter().zip(before).map(|(&x, &s)| b.binary(code, s, x)).collect();
            (next.clone(), next.to_vec())
        }
    })
}

/// The least or greatest so far: the first of equal ones, and the first NaN, stays.
fn extremes(b: &mut Builder, op: ScanOp, dtype: Dtype, x: &Parts, before: &[Id]) -> Option<(Parts, Vec<Id>)> {
    // Floats are there as float64.
    let all = if dtype.is_float() { Dtype::FLOAT64 } else { dtype };
    let so_far: Parts = Parts::from_slice(before);
    let stays = stays(b, op == ScanOp::Min, all, &so_far, x)?;
    let next: Parts = before.iter().zip(x).map(|(&x, &y)| b.select(stays, x, y)).collect();
    Some((next.clone(), next.to_vec()))
}

/// True if what is there stays beside another one: the first of equal ones does, and NaN.
fn stays(b: &mut Builder, least: bool, dtype: Dtype, x: &Parts, y: &Parts) -> Option<Id> {
    let how = if least { BinaryOp::LessEqual } else { BinaryOp::GreaterEqual };
    let first = lower(b, Kind::Binary(how), dtype, &[(dtype, x), (dtype, y)])?[0];
    let none = lower(b, Kind::Binary(BinaryOp::NotEqual), dtype, &[(dtype, x), (dtype, x)])?[0];
    Some(b.binary(Code::Or, first, none))
}

/// A sum, and what rounding has taken from it.
fn both(b: &mut Builder, x: Id, before: Id, lost: Id) -> (Id, Id) {
    let sum = b.binary(Code::Add, before, x);
    let part = b.binary(Code::Sub, sum, before);
    let old = b.binary(Code::Sub, sum, part);
    let (old, new) = (b.binary(Code::Sub, before, old), b.binary(Code::Sub, x, part));
    let error = b.binary(Code::Add, old, new);
    (sum, b.binary(Code::Add, lost, error))
}

/// The value of both.
fn told(b: &mut Builder, sum: Id, lost: Id) -> Id {
    let value = b.binary(Code::Add, sum, lost);
    // Infinities leave no meaning in what was lost.
    let nothing = b.binary(Code::Sub, sum, sum);
    let zero = b.float(Type::F64, 0.0);
    let finite = b.binary(Code::Eq, nothing, zero);
    let some = b.binary(Code::Ne, lost, zero);
    let counts = b.binary(Code::And, finite, some);
    b.select(counts, value, sum)
}
