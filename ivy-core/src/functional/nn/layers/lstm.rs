//! LSTM steps.

use super::{downcast, mismatch, upcast};
use crate::array::{Array, IntoOperand, Operand};
use crate::call::call;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::manipulation::slice_along;
use crate::functional::{
    Stack, add, divide, exp, matmul, moveaxis, multiply, negative, squeeze, stack, tanh, zeros,
};
use crate::{Dims, Result, Shape, params};
use smallvec::smallvec;
use std::mem;

params! {
    /// Keyword arguments of [`lstm_update`].
    pub struct LstmUpdate {
        /// The steps are the first axis of `x` and of the hidden states, and not the last but one.
        flag time_major,
        /// What is added to the product of an input and `kernel`: `[4 o]`.
        operand bias,
        /// What is added to the product of a hidden state and `recurrent_kernel`: `[4 o]`.
        operand recurrent_bias,
    }
}

describe! {
    LSTM_UPDATE = "lstm_update", Layer, Mixed,
    (x: Promoted, init_h: Promoted, init_c: Promoted, kernel: Promoted, recurrent_kernel: Promoted,
        bias: Promoted optional, recurrent_bias: Promoted optional),
    PromoteFloat -> [Compute, Compute],
    Bound::Sum, params: LstmUpdate::new(),
    example: [&[1, 2, 3], &[1, 2], &[1, 2], &[3, 8], &[2, 8], &[8], &[8]], Body::Compose(compose)
}

/// `1 / (1 + exp(-x))`, which is 0 where the exponential is infinite.
fn logistic(x: &Array) -> Result<Array> {
    divide(1.0, add(exp(negative(x)?)?, 1.0)?)
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let function = call.function.name;
    let time_major = call.params::<LstmUpdate>().time_major;
    let operands: Vec<Option<Array>> =
        call.arrays.iter().map(|x| x.as_ref().map(upcast).transpose()).collect::<Result<_>>()?;
    let get = |i: usize| operands[i].as_ref().expect("the plan has checked that required operands are there");
    let (x, h, c, kernel, recurrent) = (get(0), get(1), get(2), get(3), get(4));
    let Some(&outputs) = h.shape().last() else {
        return Err(mismatch(function, "init_h", "at least one axis".into(), h));
    };
    let batch = &h.shape()[..h.ndim() - 1];
    let fits = x.ndim() == h.ndim() + 1
        && match time_major {
            true => x.shape()[1..x.ndim() - 1] == *batch,
            false => x.shape()[..x.ndim() - 2] == *batch,
        };
    if !fits {
        let expected =
            format!("the axes {} of init_h, that of the steps and the features", Shape::from(batch));
        return Err(mismatch(function, "x", expected, x));
    }
    let inputs = x.shape()[x.ndim() - 1];
    let four = outputs.saturating_mul(4);
    let wanted = [
        (2, "init_c", h.shape().clone()),
        (3, "kernel", [inputs, four].into()),
        (4, "recurrent_kernel", [outputs, four].into()),
        (5, "bias", [four].into()),
        (6, "recurrent_bias", [four].into()),
    ];
    for (i, argument, shape) in wanted {
        if let Some(array) = operands[i].as_ref().filter(|a| *a.shape() != shape) {
            return Err(mismatch(function, argument, shape.to_string(), array));
        }
    }
    let x = if time_major { moveaxis(x, 0, -2)? } else { x.clone() };
    // All inputs are multiplied at once; only the states are step by step.
    let mut gates = matmul(&x, kernel)?;
    for bias in operands[5..].iter().flatten() {
        gates = add(&gates, bias)?;
    }
    let steps = x.shape()[x.ndim() - 2];
    let (mut h, mut c) = (h.clone(), c.clone());
    let mut hidden = Vec::with_capacity(steps.min(1 << 16));
    let last = h.ndim() - 1;
    for step in 0..steps {
        let now = slice_along(function, &gates, x.ndim() - 2, step, 1, 1)?;
        let now = add(squeeze(&now, -2)?, matmul(&h, recurrent)?)?;
        let part = |i: usize| slice_along(function, &now, last, i * outputs, 1, outputs);
        let (input, forget) = (logistic(&part(0)?)?, logistic(&part(1)?)?);
        let (cell, output) = (tanh(part(2)?)?, logistic(&part(3)?)?);
        c = add(multiply(&forget, &c)?, multiply(&input, &cell)?)?;
        h = multiply(&output, tanh(&c)?)?;
        hidden.push(h.clone());
    }
    let axis = if time_major { 0 } else { -2 };
    let all = match hidden.is_empty() {
        false => stack(&hidden, Stack::new().axis(axis))?,
        true => {
            let mut shape = Dims::from_slice(h.shape());
            shape.insert(if time_major { 0 } else { last }, 0);
            zeros(Shape::from(shape), h.dtype())?
        }
    };
    Ok(smallvec![downcast(all, call.compute)?, downcast(c, call.compute)?])
}

/// The results of [`lstm_update`].
#[derive(Clone, Debug)]
pub struct Lstm {
    /// The hidden state after each step: `[..., steps, o]`, or `[steps, ..., o]`.
    pub hidden: Array,
    /// The cells' state after the last step: `[..., o]`.
    pub cell: Array,
}

/// LSTM over a sequence (long short-term memory): with `z = x kernel + bias + h recurrent_kernel + recurrent_bias` in
/// four parts `i`, `f`, `g` and `o`, the cells' state becomes `sigmoid(f) c + sigmoid(i) tanh(g)`, and the hidden state
/// `sigmoid(o) tanh(c)`. `x` is `[..., steps, i]`, the states are `[..., o]`, the kernels `[i, 4 o]` and `[o, 4 o]`.
/// float16 and bfloat16 are computed in float32.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::zeros([2, 5, 3], Dtype::FLOAT32)?;
/// let state = ivy::zeros([2, 4], Dtype::FLOAT32)?;
/// let kernels = [ivy::ones([3, 16], Dtype::FLOAT32)?, ivy::ones([4, 16], Dtype::FLOAT32)?];
/// let y = ivy::lstm_update(&x, &state, &state, &kernels[0], &kernels[1], ())?;
/// assert_eq!((y.hidden.shape().to_string(), y.cell.shape().to_string()), ("(2, 5, 4)".into(), "(2, 4)".into()));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch),
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn lstm_update<'a, 'b, 'c, 'd, 'e>(
    x: impl IntoOperand<'a>,
    init_h: impl IntoOperand<'b>,
    init_c: impl IntoOperand<'c>,
    kernel: impl IntoOperand<'d>,
    recurrent_kernel: impl IntoOperand<'e>,
    params: impl Into<LstmUpdate>,
) -> Result<Lstm> {
    let mut params = params.into();
    let bias = mem::replace(&mut params.bias, Operand::Absent);
    let recurrent_bias = mem::replace(&mut params.recurrent_bias, Operand::Absent);
    let operands = [
        x.into_operand(),
        init_h.into_operand(),
        init_c.into_operand(),
        kernel.into_operand(),
        recurrent_kernel.into_operand(),
        bias,
        recurrent_bias,
    ];
    let mut outputs = call(&LSTM_UPDATE, &operands, &params)?.into_iter();
    let mut next = || outputs.next().expect("the function has two results");
    Ok(Lstm { hidden: next(), cell: next() })
}
