//! Values that the engine and the reference kernels both have.
#![allow(dead_code)]

use super::arrays::{reference, same};
use ivy_backend_jit::JitBackend;
use ivy_core::backend::{Backend, Value};
use ivy_core::host::HostArray;
use ivy_core::{AxisSlice, BinaryOp, Op, UnaryOp};

/// A value as both sides have it: pending, and computed at once.
#[derive(Clone)]
pub struct Both {
    pub ours: Value,
    pub theirs: HostArray,
}

/// Makes values, each by both.
pub struct Side<'b>(pub &'b JitBackend);

impl Side<'_> {
    pub fn input(&self, array: HostArray) -> Both {
        Both { ours: self.0.from_host(array.clone()).unwrap(), theirs: array }
    }

    pub fn apply(&self, op: &Op, operands: &[&Both]) -> Both {
        let ours: Vec<&Value> = operands.iter().map(|b| &b.ours).collect();
        let theirs: Vec<&HostArray> = operands.iter().map(|b| &b.theirs).collect();
        Both { ours: self.0.execute(op, &ours).unwrap().remove(0), theirs: reference(op, &theirs).remove(0) }
    }

    pub fn negative(&self, x: &Both) -> Both {
        self.apply(&Op::Unary(UnaryOp::Negative), &[x])
    }

    #[track_caller]
    pub fn check(&self, x: &Both, kernels: usize) {
        let got = self.0.to_host(&x.ours).unwrap();
        same(&got, &x.theirs, &|| "by both".into());
        assert_eq!(self.0.engine().take_history().len(), kernels);
    }
}

/// A slice: start, step and length of each axis.
pub fn slice(axes: &[(usize, isize, usize)]) -> Op {
    Op::Slice { axes: axes.iter().map(|&(start, step, len)| AxisSlice { start, step, len }).collect() }
}

/// The sum of two.
pub const ADD: Op = Op::Binary(BinaryOp::Add);
