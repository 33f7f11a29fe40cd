//! Derivatives: what rows of `torch.autograd` and of tensors' methods call.

use super::support::{Out, cast, runtime, tensor};
use crate::autograd::{self, Graph, Unused};
use ivy_core::{Array, Result};
use ivy_frontend::{Call, Value};

/// A list of tensors, or one.
fn listed(call: &Call<'_>, i: usize) -> Result<Vec<Array>> {
    match call.value(i).items() {
        Some(_) => call.arrays(i),
        None => Ok(vec![tensor(call, i)?]),
    }
}

/// Weights of outputs: none, one, or a list in which some are left out.
fn weights(call: &Call<'_>, i: usize) -> Vec<Option<Array>> {
    match call.value(i) {
        Value::Array(x) => vec![Some(x.clone().into_owned())],
        value => value.items().unwrap_or_default().iter().map(|v| v.as_array().cloned()).collect(),
    }
}

fn told(call: &Call<'_>, error: ivy_core::Error) -> ivy_core::Error {
    match error.kind() {
        // What a function or a hook of the program's gave is not to be seen in the call.
        ivy_core::ErrorKind::InvalidArgument {
            argument: argument @ ("backward" | "hook"),
            rule,
            value,
            ..
        } => runtime(call, argument, format!("{rule}: {value}")),
        ivy_core::ErrorKind::InvalidArgument { argument, rule, .. } => runtime(call, argument, *rule),
        _ => error,
    }
}

/// What a walk leaves of the graph: by default what `create_graph` says.
fn graph(call: &Call<'_>, retain: usize, create: usize) -> Result<Graph> {
    Ok(match (call.flag(create)?, call.value(retain)) {
        (true, _) => Graph::Created,
        (false, Value::Bool(true)) => Graph::Retained,
        _ => Graph::Freed,
    })
}

/// The gradients of outputs by inputs.
pub(crate) fn grad(call: &mut Call<'_>) -> Out {
    let (outputs, inputs) = (listed(call, 0)?, listed(call, 1)?);
    let (graph, materialize) = (graph(call, 3, 4)?, call.flag(6)?);
    let unused = match (materialize, call.value(5)) {
        (true, _) => Unused::Zeros,
        (_, Value::Bool(true)) => Unused::Absent,
        _ => Unused::Refused,
    };
    let found = autograd::grad(&outputs, &inputs, &weights(call, 2), graph, unused);
    let found = found.map_err(|error| told(call, error))?;
    Ok(Value::Tuple(found.into_iter().map(Value::from).collect()))
}

/// Adds the gradients of outputs to those of leaves.
pub(crate) fn backward(call: &mut Call<'_>) -> Out {
    let outputs = listed(call, 0)?;
    let inputs = if call.value(4).is_none() { None } else { Some(listed(call, 4)?) };
    let done = autograd::backward(&outputs, &weights(call, 1), graph(call, 2, 3)?, inputs.as_deref());
    done.map_err(|error| told(call, error))?;
    Ok(Value::None)
}

/// The tensor as a leaf that requires a gradient, or as one that does not.
pub(crate) fn set_requires_grad(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    match call.flag(1)? {
        true => Ok(autograd::require(call, &x)?.into()),
        false if autograd::is_leaf(&x) => Ok(autograd::detached(&x).into()),
        false => {
            Err(runtime(call, "requires_grad", "you can only change requires_grad flags of leaf variables."))
        }
    }
}

/// Whether derivatives are taken to a tensor.
pub(crate) fn requires_grad(call: &mut Call<'_>) -> Out {
    Ok(autograd::requires_grad(&tensor(call, 0)?).into())
}

/// Whether a value to fill with is a tensor without axes that derivatives are taken to: the core's fills take host numbers.
pub(crate) fn is_recorded_number(call: &mut Call<'_>) -> Out {
    let found = call.value(0).as_array().is_some_and(|x| x.ndim() == 0 && autograd::requires_grad(x));
    Ok(found.into())
}

/// Whether no noted op made it.
pub(crate) fn is_leaf(call: &mut Call<'_>) -> Out {
    Ok(autograd::is_leaf(&tensor(call, 0)?).into())
}

/// The gradient that was gathered.
pub(crate) fn grad_of(call: &mut Call<'_>) -> Out {
    Ok(autograd::grad_of(&tensor(call, 0)?).into())
}

/// Keeps the gradient of a tensor that is no leaf.
pub(crate) fn retain_grad(call: &mut Call<'_>) -> Out {
    autograd::retain_grad(&tensor(call, 0)?);
    Ok(Value::None)
}

/// The elements without the graph.
pub(crate) fn detach(call: &mut Call<'_>) -> Out {
    Ok(autograd::detached(&tensor(call, 0)?).into())
}

/// Whether ops are noted.
pub(crate) fn is_grad_enabled(_: &mut Call<'_>) -> Out {
    Ok(autograd::is_grad_enabled().into())
}

/// Sets whether they are.
pub(crate) fn set_grad_enabled(call: &mut Call<'_>) -> Out {
    autograd::set_grad_enabled(call.flag(0)?);
    Ok(Value::None)
}

/// The dtype of numbers without one.
pub(crate) fn get_default_dtype(call: &mut Call<'_>) -> Out {
    Ok(Value::Dtype(call.frontend().layer().defaults().float()))
}

/// Sets it.
pub(crate) fn set_default_dtype(call: &mut Call<'_>) -> Out {
    let dtype = call.dtype(0)?;
    match dtype.is_some_and(|dtype| dtype.is_float()) {
        true => call.frontend().set_default_float(dtype).map(|()| Value::None),
        false => Err(call.refuse(
            ivy_frontend::Fault::Type,
            "d",
            None,
            "only floating-point types are supported as the default type",
        )),
    }
}

/// What an in-place operation leaves: a leaf stays itself where ops are not noted, and may not change where they are.
pub(crate) fn written(call: &mut Call<'_>) -> Out {
    let (target, result) = (tensor(call, 0)?, tensor(call, 1)?);
    if !autograd::requires_grad(&target) || !autograd::is_leaf(&target) {
        return Ok(result.into());
    }
    if autograd::is_grad_enabled() {
        let rule = "a leaf Variable that requires grad is being used in an in-place operation.";
        return Err(runtime(call, "self", rule));
    }
    match result.dtype().is_float() && target.shape() == result.shape() {
        true => Ok(autograd::updated(&target, &cast(&result, Some(target.dtype()))?)?.into()),
        false => Ok(result.into()),
    }
}
