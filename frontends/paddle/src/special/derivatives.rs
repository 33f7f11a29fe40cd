//! Derivatives: what rows of `paddle.grad`, `paddle.autograd` and of tensors' methods call.

use crate::autograd::{self, Graph, Unused, Walking};
use ivy_core::functional as f;
use ivy_core::{Array, Result};
use ivy_frontend::specials::{
    Out, cotangents, listed_tensors, refused_walk, tensor, written_in_place, wrong,
};
use ivy_frontend::{Call, Fault, Value};

/// `leaf(x, requires_grad)`: a new tensor, which derivatives are taken to or not.
pub(crate) fn leaf(call: &mut Call<'_>) -> Out {
    let x = autograd::detached(&tensor(call, 0)?);
    Ok(if call.flag(1)? { autograd::require(call, &x)? } else { x }.into())
}

/// `stops_gradient(x)`: whether no derivatives are taken to the tensor.
pub(crate) fn stops_gradient(call: &mut Call<'_>) -> Out {
    Ok((!autograd::requires_grad(&tensor(call, 0)?)).into())
}

/// `gradient(x)`: what was gathered, which has gradients itself, as Paddle's.
pub(crate) fn gradient(call: &mut Call<'_>) -> Out {
    match autograd::grad_of(&tensor(call, 0)?) {
        Some(gradient) => Ok(autograd::require_grad(&gradient)?.into()),
        None => Ok(Value::None),
    }
}

/// `clear_gradient(x, set_to_zero)`: puts zeros in the place of a gradient, or nothing.
pub(crate) fn clear_gradient(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    let Some(gradient) = autograd::grad_of(&x).filter(|_| autograd::is_leaf(&x)) else {
        return Ok(Value::None);
    };
    let cleared = if call.flag(1)? { Some(f::zeros_like(autograd::detached(&gradient), ())?) } else { None };
    autograd::set_grad(&x, cleared)?;
    Ok(Value::None)
}

/// The cotangents of outputs: ones where none is given, and in the dtype of the output.
fn weights(call: &Call<'_>, i: usize, outputs: &[Array]) -> Result<Vec<Option<Array>>> {
    let mut given = cotangents(call, i)?;
    if given.is_empty() {
        given = vec![None; outputs.len()];
    }
    if given.len() != outputs.len() {
        let rule = format!(
            "{} are needed, one for each of {}; there are {}",
            outputs.len(),
            call.name(0),
            given.len()
        );
        return Err(wrong(call, call.name(i), rule));
    }
    let weight = |(weight, output): (Option<Array>, &Array)| match weight {
        Some(weight) if weight.shape() != output.shape() => {
            let rule = format!("the shape is {}, that of its tensor is {}", weight.shape(), output.shape());
            Err(wrong(call, call.name(i), rule))
        }
        Some(weight) => f::astype(&weight, output.dtype()).map(Some),
        None => f::ones_like(autograd::detached(output), ()).map(Some),
    };
    given.into_iter().zip(outputs).map(weight).collect()
}

/// `grad(outputs, inputs, grad_outputs, retain_graph, create_graph, allow_unused)`: the gradients of outputs by inputs.
pub(crate) fn grad(call: &mut Call<'_>) -> Out {
    let (outputs, inputs) = (listed_tensors(call, 0)?, listed_tensors(call, 1)?);
    let weights = weights(call, 2, &outputs)?;
    let allow_unused = call.flag(5)?;
    let graph = match (call.flag(4)?, call.value(3)) {
        (true, _) => Graph::Created,
        (false, Value::Bool(true)) => Graph::Retained,
        _ => Graph::Freed,
    };
    // What stops gradients is reached by none.
    let reached = |x: &Array| autograd::requires_grad(x);
    let (outputs, weights): (Vec<_>, Vec<_>) =
        outputs.into_iter().zip(weights).filter(|(output, _)| reached(output)).unzip();
    let wanted: Vec<Array> = inputs.iter().filter(|x| reached(x)).cloned().collect();
    let walking = Walking::new(graph, Unused::Absent).without_leaf_hooks();
    let mut found = match outputs.is_empty() {
        true => vec![None; wanted.len()],
        false => autograd::grad_with(&outputs, &wanted, &weights, walking)
            .map_err(|error| refused_walk(call, error))?,
    }
    .into_iter();
    let gradient = |(place, x): (usize, &Array)| {
        let gradient = if reached(x) { found.next().flatten() } else { None };
        match gradient {
            None if !allow_unused => {
                let rule = format!(
                    "{}[{place}] is not reached from {}; allow_unused=True gives None for it",
                    call.name(1),
                    call.name(0)
                );
                Err(wrong(call, call.name(1), rule))
            }
            gradient => Ok(Value::from(gradient)),
        }
    };
    Ok(Value::List(inputs.iter().enumerate().map(gradient).collect::<Result<_>>()?))
}

/// `backward(tensors, grad_tensors, retain_graph)`: adds the gradients of tensors to those of leaves. Those that stop gradients have none.
pub(crate) fn backward(call: &mut Call<'_>) -> Out {
    let outputs = listed_tensors(call, 0)?;
    if outputs.is_empty() {
        return Err(wrong(call, call.name(0), "at least one tensor is needed"));
    }
    let weights = weights(call, 1, &outputs)?;
    let graph = if call.flag(2)? { Graph::Retained } else { Graph::Freed };
    let (outputs, weights): (Vec<_>, Vec<_>) =
        outputs.into_iter().zip(weights).filter(|(output, _)| autograd::requires_grad(output)).unzip();
    autograd::backward(&outputs, &weights, graph, None).map_err(|error| refused_walk(call, error))?;
    Ok(Value::None)
}

/// `written(target, result)`: what an in-place operation leaves.
pub(crate) fn written(call: &mut Call<'_>) -> Out {
    written_in_place(
        call,
        Fault::Value,
        "a leaf tensor that does not stop gradients can't be written to in place",
    )
}
