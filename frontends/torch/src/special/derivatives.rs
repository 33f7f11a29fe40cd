//! Derivatives: what rows of `torch.autograd` and of tensors' methods call.

use super::support::{Out, runtime, tensor};
use crate::autograd::{self, Graph, Unused};
use ivy_core::Result;
use ivy_frontend::specials::{cotangents, listed_tensors, refused_walk, written_in_place};
use ivy_frontend::{Call, Fault, Value};

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
    let (outputs, inputs) = (listed_tensors(call, 0)?, listed_tensors(call, 1)?);
    let (graph, materialize) = (graph(call, 3, 4)?, call.flag(6)?);
    let unused = match (materialize, call.value(5)) {
        (true, _) => Unused::Zeros,
        (_, Value::Bool(true)) => Unused::Absent,
        _ => Unused::Refused,
    };
    let found = autograd::grad(&outputs, &inputs, &cotangents(call, 2)?, graph, unused);
    let found = found.map_err(|error| refused_walk(call, error))?;
    Ok(Value::Tuple(found.into_iter().map(Value::from).collect()))
}

/// Adds the gradients of outputs to those of leaves.
pub(crate) fn backward(call: &mut Call<'_>) -> Out {
    let outputs = listed_tensors(call, 0)?;
    let inputs = if call.value(4).is_none() { None } else { Some(listed_tensors(call, 4)?) };
    let done = autograd::backward(&outputs, &cotangents(call, 1)?, graph(call, 2, 3)?, inputs.as_deref());
    done.map_err(|error| refused_walk(call, error))?;
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

/// Whether a value to fill with is a tensor without axes that derivatives are taken to: the core's fills take host numbers.
pub(crate) fn is_recorded_number(call: &mut Call<'_>) -> Out {
    let found = call.value(0).as_array().is_some_and(|x| x.ndim() == 0 && autograd::requires_grad(x));
    Ok(found.into())
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
            Fault::Type,
            "d",
            None,
            "only floating-point types are supported as the default type",
        )),
    }
}

/// What an in-place operation leaves: a leaf stays itself where ops are not noted, and may not change where they are.
pub(crate) fn written(call: &mut Call<'_>) -> Out {
    written_in_place(
        call,
        Fault::Runtime,
        "a leaf Variable that requires grad is being used in an in-place operation.",
    )
}
