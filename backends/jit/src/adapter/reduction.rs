//! The reductions of the functional API as folds and element-wise operations around them, in the
//! order and with the roundings of the reference kernels.

use crate::engine::{Engine, Variable};
use crate::ir::Join;
use crate::lower;
use crate::trace::Kind;
use ivy_core::{BinaryOp, Dtype, Kind as Class, ReduceOp, Result, Scalar, Shape};
use std::sync::Arc;

/// How a dtype is reduced: in which dtype, and how elements join; `None` if the engine does not.
pub(crate) fn plan(op: ReduceOp, dtype: Dtype) -> Option<(Dtype, Join)> {
    let (bool, complex) = (dtype.is_bool(), dtype.is_complex());
    let small = matches!(dtype, Dtype::FLOAT16 | Dtype::BFLOAT16);
    let wide = if small { Dtype::FLOAT32 } else { dtype };
    let (wide, join) = match op {
        ReduceOp::Sum if !bool => (wide, Join::Add),
        ReduceOp::Prod if !bool => (wide, Join::Mul),
        ReduceOp::All if bool => (wide, Join::And),
        ReduceOp::Any if bool => (wide, Join::Or),
        ReduceOp::Max => (wide, if bool { Join::Or } else { Join::Max }),
        ReduceOp::Min => (wide, if bool { Join::And } else { Join::Min }),
        ReduceOp::Mean | ReduceOp::Var { .. } if dtype.kind() == Class::Float && !complex => {
            (Dtype::FLOAT64, Join::Add)
        }
        _ => return None,
    };
    lower::folds(join, wide).then_some((wide, join))
}

/// What is reduced: an operand, the axes as bits, and what is left.
pub(crate) struct Reduction<'a> {
    pub(crate) engine: &'a Arc<Engine>,
    pub(crate) op: ReduceOp,
    pub(crate) axes: u64,
    pub(crate) keepdims: bool,
    pub(crate) shape: &'a Shape,
    /// The shape that is left with the reduced axes at length 1.
    pub(crate) kept: &'a Shape,
    /// How many elements each result is made of.
    pub(crate) count: usize,
}

impl Reduction<'_> {
    /// Notes it; the result has the operand's dtype.
    ///
    /// # Errors
    /// Those of evaluation, where it takes place.
    pub(crate) fn of(
        &self,
        x: &Variable,
        (wide, join): (Dtype, Join),
        dtype: Dtype,
        whole: &Shape,
    ) -> Result<Variable> {
        let mut value = self.cast(x, dtype, wide, whole)?;
        if let ReduceOp::Var { correction } = self.op {
            let sum = self.engine.reduce(join, self.axes, true, self.kept.clone(), &value)?;
            let mean = self.divided(&sum, self.count as f64, self.kept)?;
            let off = self.binary(BinaryOp::Subtract, whole, &value, &mean)?;
            value = self.binary(BinaryOp::Multiply, whole, &off, &off)?;
            let sum = self.engine.reduce(join, self.axes, self.keepdims, self.shape.clone(), &value)?;
            let divisor = self.count as f64 - f64::from_bits(correction);
            // `max` would take the other side of a NaN.
            let variance = self.divided(&sum, if divisor < 0.0 { 0.0 } else { divisor }, self.shape)?;
            return self.cast(&variance, wide, dtype, self.shape);
        }
        let mut folded = self.engine.reduce(join, self.axes, self.keepdims, self.shape.clone(), &value)?;
        if self.op == ReduceOp::Mean {
            folded = self.divided(&folded, self.count as f64, self.shape)?;
        }
        self.cast(&folded, wide, dtype, self.shape)
    }

    fn cast(&self, x: &Variable, from: Dtype, to: Dtype, shape: &Shape) -> Result<Variable> {
        match from == to {
            true => Ok(x.clone()),
            false => self.engine.apply(Kind::Cast, to, shape.clone(), &[x]),
        }
    }

    fn binary(&self, op: BinaryOp, shape: &Shape, x: &Variable, y: &Variable) -> Result<Variable> {
        self.engine.apply(Kind::Binary(op), Dtype::FLOAT64, shape.clone(), &[x, y])
    }

    fn divided(&self, x: &Variable, by: f64, shape: &Shape) -> Result<Variable> {
        let by = self.engine.literal(Dtype::FLOAT64, Shape::default(), Scalar::Float(by))?;
        self.binary(BinaryOp::Divide, shape, x, &by)
    }
}
