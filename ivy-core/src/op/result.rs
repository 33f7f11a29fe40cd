//! What an op gives for operands of some dtypes and shapes: the whole of abstract evaluation.

use super::{Op, ReduceOp};
use crate::{Dims, Dtype, DtypeSet, ErrorKind, Result, Shape, shape};
use smallvec::{SmallVec, smallvec};

/// Dtypes and shapes of the results of one op.
pub type Signature = SmallVec<[(Dtype, Shape); 1]>;

impl Op {
    /// The dtypes of the results for operands of these dtypes, or `None` if the op does not
    /// take them. `Nonzero` is not answered here: how many results it has depends on a shape.
    pub fn result_dtype(&self, operands: &[Dtype]) -> Option<Dtype> {
        let same = |takes: DtypeSet| {
            let first = *operands.first()?;
            (takes.contains(first) && operands.iter().all(|&d| d == first)).then_some(first)
        };
        let indices = |from: usize| operands[from..].iter().all(|&d| d == Dtype::INT64);
        let real = DtypeSet::INTEGER | DtypeSet::FLOAT | DtypeSet::BOOL;
        match self {
            Op::Full { dtype, .. }
            | Op::Arange { dtype, .. }
            | Op::Linspace { dtype, .. }
            | Op::Eye { dtype, .. } => Some(*dtype),
            Op::Unary(op) => op.result(operands[0]),
            Op::Binary(op) => op.result(same(DtypeSet::ALL)?),
            Op::Where => (operands[0] == Dtype::BOOL && operands[1] == operands[2]).then_some(operands[1]),
            Op::Cast { dtype } => {
                (!operands[0].is_complex() || dtype.is_complex() || dtype.is_bool()).then_some(*dtype)
            }
            Op::Reshape { .. } | Op::BroadcastTo { .. } | Op::PermuteDims { .. } => Some(operands[0]),
            Op::Slice { .. } | Op::Pad { .. } => Some(operands[0]),
            Op::SetSlice { .. } | Op::Concat { .. } => same(DtypeSet::ALL),
            Op::Take { .. } | Op::TakeAlongAxis { .. } | Op::Gather { .. } => {
                indices(1).then_some(operands[0])
            }
            Op::Scatter { op, .. } => {
                (operands[0] == operands[1] && op.takes(operands[0]) && indices(2)).then_some(operands[0])
            }
            Op::Exchange { op } => {
                let x = operands[0];
                let updates = operands[2..].iter().all(|&d| d == x);
                (op.takes(x) && operands[1] == Dtype::INT64 && updates).then_some(x)
            }
            Op::Nonzero => Some(Dtype::INT64),
            Op::Reduce { op, .. } => match op {
                ReduceOp::Sum | ReduceOp::Prod => same(DtypeSet::NUMERIC),
                ReduceOp::Max | ReduceOp::Min => same(real),
                ReduceOp::All | ReduceOp::Any => same(DtypeSet::BOOL),
                ReduceOp::Mean => same(DtypeSet::FLOAT | DtypeSet::COMPLEX),
                ReduceOp::Var { .. } => same(DtypeSet::FLOAT),
            },
            Op::ArgReduce { .. } => same(real).map(|_| Dtype::INT64),
            Op::Scan { op, .. } => same(DtypeSet::NUMERIC).filter(|&d| op.takes(d)),
            Op::Sort { .. } => same(real),
            Op::Argsort { .. } | Op::SearchSorted { .. } => same(real).map(|_| Dtype::INT64),
            Op::Unique => Some(operands[0]),
            Op::Matmul | Op::Conv(_) => same(DtypeSet::NUMERIC),
            Op::Fft { op, .. } => op.result(operands[0]),
            Op::Linalg(op) => op.result(operands),
            Op::RandomBits { dtype, .. } => {
                let whole = matches!(*dtype, Dtype::UINT32 | Dtype::UINT64);
                (operands[0] == Dtype::UINT32 && whole).then_some(*dtype)
            }
        }
    }

    /// The dtypes and shapes of all results. A size that depends on values (of `Nonzero` and
    /// `Unique`) is given as its upper bound.
    ///
    /// # Errors
    /// The typed error of `function` where shapes do not fit; [`ErrorKind::InvalidArgument`]
    /// where an operand has a dtype that the op does not take, which no plan lets through.
    pub fn result(&self, function: &'static str, operands: &[(Dtype, &Shape)]) -> Result<Signature> {
        let dtypes: SmallVec<[Dtype; 4]> = operands.iter().map(|o| o.0).collect();
        let Some(dtype) = self.result_dtype(&dtypes) else {
            return Err(ErrorKind::InvalidArgument {
                function,
                argument: "operand dtypes",
                value: format!("{dtypes:?}"),
                rule: "not a combination that the primitive takes",
            }
            .into());
        };
        let one = |shape: Shape| -> Result<Signature> { Ok(smallvec![(dtype, shape)]) };
        let x = |i: usize| operands[i].1;
        match self {
            Op::Full { shape, .. } | Op::Reshape { shape } | Op::BroadcastTo { shape } => one(shape.clone()),
            Op::Arange { len, .. } | Op::Linspace { len, .. } => one([*len].into()),
            Op::Eye { rows, cols, .. } => one([*rows, *cols].into()),
            Op::Unary(_) | Op::Cast { .. } | Op::Sort { .. } | Op::Argsort { .. } => one(x(0).clone()),
            Op::SetSlice { .. } | Op::Scatter { .. } => one(x(0).clone()),
            Op::Exchange { .. } => Ok(smallvec![(dtype, x(0).clone()), (dtype, x(1).clone())]),
            Op::Binary(_) | Op::Where => {
                let shapes: SmallVec<[&Shape; 3]> = operands.iter().map(|o| o.1).collect();
                one(shape::broadcast(function, &shapes)?)
            }
            Op::PermuteDims { axes } => one(axes.iter().map(|&a| x(0)[a]).collect()),
            Op::Slice { axes } => one(axes.iter().map(|a| a.len).collect()),
            Op::Pad { axes, .. } => {
                one(x(0).iter().zip(axes).map(|(len, pad)| pad.before + len + pad.after).collect())
            }
            Op::Concat { axis } => {
                let mut dims = Dims::from_slice(x(0));
                dims[*axis] = operands.iter().map(|o| o.1[*axis]).sum();
                one(dims.into())
            }
            Op::Take { axis } => {
                let mut dims = Dims::from_slice(x(0));
                dims[*axis] = x(1).size();
                one(dims.into())
            }
            Op::TakeAlongAxis { axis } => {
                let mut a = Dims::from_slice(x(0));
                a[*axis] = 1;
                let mut b = Dims::from_slice(x(1));
                let along = std::mem::replace(&mut b[*axis], 1);
                let mut dims = Dims::from_slice(&shape::broadcast(function, &[&a, &b])?);
                dims[*axis] = along;
                one(dims.into())
            }
            Op::Gather { axes } => {
                let shapes: SmallVec<[&Shape; 3]> = operands[1..].iter().map(|o| o.1).collect();
                let lead = shape::broadcast(function, &shapes)?;
                one(lead.iter().chain(&x(0)[*axes..]).copied().collect())
            }
            Op::Nonzero => Ok(x(0).iter().map(|_| (dtype, Shape::from([x(0).size()]))).collect()),
            Op::Reduce { axes, keepdims, .. } => one(reduced(x(0), axes, *keepdims)),
            Op::ArgReduce { axis, keepdims, .. } => {
                let axes: Dims = match axis {
                    Some(a) => smallvec![*a],
                    None => (0..x(0).len()).collect(),
                };
                one(reduced(x(0), &axes, *keepdims))
            }
            Op::Scan { axis, include_initial, .. } => {
                let mut dims = Dims::from_slice(x(0));
                dims[*axis] += usize::from(*include_initial);
                one(dims.into())
            }
            Op::SearchSorted { .. } => one(x(1).clone()),
            Op::Linalg(op) => op.signature(function, operands, dtype),
            Op::Conv(op) => one(op.out_shape(function, x(0), x(1))?),
            Op::RandomBits { shape, .. } => match x(0).split_last() {
                Some((&4, lead)) => one(lead.iter().chain(shape.iter()).copied().collect()),
                _ => {
                    let (expected, actual) = ("a last axis of length 4".into(), x(0).clone());
                    Err(ErrorKind::ShapeMismatch { function, argument: "state", expected, actual }.into())
                }
            },
            Op::Fft { op, axis, n, .. } => {
                let mut dims = Dims::from_slice(x(0));
                dims[*axis] = op.out_len(*n);
                one(dims.into())
            }
            Op::Unique => {
                let n = Shape::from([x(0).size()]);
                Ok(smallvec![
                    (dtype, n.clone()),
                    (Dtype::INT64, n.clone()),
                    (Dtype::INT64, x(0).clone()),
                    (Dtype::INT64, n),
                ])
            }
            Op::Matmul => {
                let (a, b) = (x(0), x(1));
                let lead = |s: &Shape| Dims::from_slice(&s[..s.len().saturating_sub(2)]);
                let mut dims = Dims::from_slice(&shape::broadcast(function, &[lead(a), lead(b)])?);
                if a.len() > 1 {
                    dims.push(a[a.len() - 2]);
                }
                if b.len() > 1 {
                    dims.push(b[b.len() - 1]);
                }
                one(dims.into())
            }
        }
    }
}

/// The shape that is left of `shape` after reducing `axes`.
pub(crate) fn reduced(shape: &[usize], axes: &[usize], keepdims: bool) -> Shape {
    shape
        .iter()
        .enumerate()
        .filter_map(|(i, &d)| match axes.contains(&i) {
            true => keepdims.then_some(1),
            false => Some(d),
        })
        .collect()
}
