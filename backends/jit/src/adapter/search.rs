//! Where the greatest or least element stands, the first of equal ones and the first NaN: as folds.

use crate::engine::{Engine, Variable};
use crate::ir::Join;
use crate::lower;
use crate::trace::Kind;
use ivy_core::{BinaryOp, Dtype, Result, Scalar, Shape, UnaryOp};
use std::sync::Arc;

/// What is looked for, and among what.
pub(crate) struct Search<'a> {
    pub(crate) engine: &'a Arc<Engine>,
    pub(crate) max: bool,
    /// The axes that it is looked for along, as bits.
    pub(crate) axes: u64,
    pub(crate) keepdims: bool,
    /// The shape of the operand, that of the result, and that with the axes at length 1.
    pub(crate) whole: &'a Shape,
    pub(crate) shape: &'a Shape,
    pub(crate) kept: &'a Shape,
}

impl Search<'_> {
    /// Notes it. `numbers` are the indices, of uint32, in a shape that the operand's broadcasts with.
    ///
    /// # Errors
    /// Those of evaluation, where it takes place.
    pub(crate) fn of(&self, x: &Variable, dtype: Dtype, numbers: &Variable) -> Result<Variable> {
        let index = match lower::ranks(dtype) {
            true => self.by_rank(x, numbers),
            false => self.by_equality(x, dtype, numbers),
        }?;
        self.engine.apply(Kind::Cast, Dtype::INT64, self.shape.clone(), &[&index])
    }

    /// The index stands below the element in one number, inverted.
    fn by_rank(&self, x: &Variable, numbers: &Variable) -> Result<Variable> {
        let (engine, word) = (self.engine, Dtype::UINT64);
        let ranks = engine.apply(Kind::Rank(self.max), word, self.whole.clone(), &[x, numbers])?;
        let greatest = engine.reduce(Join::Max, self.axes, self.keepdims, self.shape.clone(), &ranks)?;
        let apply = |op, operands: &[&Variable]| engine.apply(op, word, self.shape.clone(), operands);
        let inverted = apply(Kind::Unary(UnaryOp::BitwiseInvert), &[&greatest])?;
        let below = engine.literal(word, Shape::default(), Scalar::Int(u32::MAX.into()))?;
        apply(Kind::Binary(BinaryOp::BitwiseAnd), &[&inverted, &below])
    }

    /// Wide elements leave no room for an index: the least index of those that equal the greatest.
    fn by_equality(&self, x: &Variable, dtype: Dtype, numbers: &Variable) -> Result<Variable> {
        let (engine, word) = (self.engine, Dtype::UINT32);
        let join = if self.max { Join::Max } else { Join::Min };
        let found = engine.reduce(join, self.axes, true, self.kept.clone(), x)?;
        let truth =
            |kind, operands: &[&Variable]| engine.apply(kind, Dtype::BOOL, self.whole.clone(), operands);
        let mut here = truth(Kind::Binary(BinaryOp::Equal), &[x, &found])?;
        if dtype.is_float() {
            // NaN, which nothing equals, is what was found if there is one.
            let none = truth(Kind::Unary(UnaryOp::IsNan), &[x])?;
            here = truth(Kind::Binary(BinaryOp::LogicalOr), &[&here, &none])?;
        }
        let most = engine.literal(word, Shape::default(), Scalar::Int(u32::MAX.into()))?;
        let indices = engine.apply(Kind::Where, word, self.whole.clone(), &[&here, numbers, &most])?;
        engine.reduce(Join::Min, self.axes, self.keepdims, self.shape.clone(), &indices)
    }
}
