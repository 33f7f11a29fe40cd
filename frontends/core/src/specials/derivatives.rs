//! Derivatives by the graph of [`autograd`]: what rows of frameworks with `backward` have alike.

use super::{Out, tensor};
use crate::{Call, Fault, Value, autograd};
use ivy_core::functional as f;
use ivy_core::{Array, Error, ErrorKind, Result};

/// The tensors of an argument: a list of them, or one.
///
/// # Errors
/// For what are no tensors.
pub fn listed_tensors(call: &Call<'_>, i: usize) -> Result<Vec<Array>> {
    match call.value(i).items() {
        Some(_) => call.arrays(i),
        None => Ok(vec![tensor(call, i)?]),
    }
}

/// The cotangents of outputs that an argument gives: none, one, or a list in which some are left out.
///
/// # Errors
/// For what is no tensor and not `None`.
pub fn cotangents(call: &Call<'_>, i: usize) -> Result<Vec<Option<Array>>> {
    let one = |value: &Value<'_>| match value {
        Value::None => Ok(None),
        Value::Array(x) => Ok(Some(x.clone().into_owned())),
        other => {
            let rule = format!("a Tensor or None is needed, not {}", other.kind());
            Err(call.refuse(Fault::Type, call.name(i), Some(other), rule))
        }
    };
    match (call.value(i), call.value(i).items()) {
        (Value::None, _) => Ok(Vec::new()),
        (_, Some(items)) => items.iter().map(one).collect(),
        (value, None) => Ok(vec![one(value)?]),
    }
}

/// An error of a walk through the graph, as one of the call.
pub fn refused_walk(call: &Call<'_>, error: Error) -> Error {
    let refuse = |argument, rule| call.refuse(Fault::Runtime, argument, None, rule);
    match error.kind() {
        // What a function or a hook of the program's gave is not to be seen in the call.
        ErrorKind::InvalidArgument { argument: argument @ ("backward" | "hook"), rule, value, .. } => {
            refuse(argument, format!("{rule}: {value}"))
        }
        ErrorKind::InvalidArgument { argument: "saved", rule, value, .. } => {
            refuse("outputs", format!("{rule}: {value}"))
        }
        ErrorKind::InvalidArgument { argument, rule, .. } => refuse(argument, (*rule).to_string()),
        _ => error,
    }
}

/// `is_leaf(x)`: whether no noted op made the tensor.
///
/// # Errors
/// For what is no tensor.
pub fn is_leaf(call: &mut Call<'_>) -> Out {
    Ok(autograd::is_leaf(&tensor(call, 0)?).into())
}

/// `requires_grad(x)`: whether derivatives are taken to the tensor.
///
/// # Errors
/// For what is no tensor.
pub fn requires_grad(call: &mut Call<'_>) -> Out {
    Ok(autograd::requires_grad(&tensor(call, 0)?).into())
}

/// `grad_of(x)`: the gradient that was gathered, or none.
///
/// # Errors
/// For what is no tensor.
pub fn grad_of(call: &mut Call<'_>) -> Out {
    Ok(autograd::grad_of(&tensor(call, 0)?).into())
}

/// `retain_grad(x)`: keeps the gradient of a tensor that is no leaf.
///
/// # Errors
/// For what is no tensor.
pub fn retain_grad(call: &mut Call<'_>) -> Out {
    autograd::retain_grad(&tensor(call, 0)?);
    Ok(Value::None)
}

/// `detach(x)`: the elements without the graph.
///
/// # Errors
/// For what is no tensor.
pub fn detach(call: &mut Call<'_>) -> Out {
    Ok(autograd::detached(&tensor(call, 0)?).into())
}

/// `is_grad_enabled()`: whether ops are noted.
///
/// # Errors
/// None.
pub fn is_grad_enabled(_: &mut Call<'_>) -> Out {
    Ok(autograd::is_grad_enabled().into())
}

/// `set_grad_enabled(enabled)`: sets whether they are.
///
/// # Errors
/// For what is no truth value.
pub fn set_grad_enabled(call: &mut Call<'_>) -> Out {
    autograd::set_grad_enabled(call.flag(0)?);
    Ok(Value::None)
}

/// What an in-place operation leaves of `written(target, result)`: a tensor of the graph stays where it is in it while ops are not
/// noted, and a leaf is refused by the framework's rule while they are.
///
/// # Errors
/// That one, and for what are no tensors.
pub fn written_in_place(call: &Call<'_>, fault: Fault, rule: &str) -> Out {
    let (target, result) = (tensor(call, 0)?, tensor(call, 1)?);
    if !autograd::requires_grad(&target) {
        return Ok(result.into());
    }
    if autograd::is_grad_enabled() {
        return match autograd::is_leaf(&target) {
            true => Err(call.refuse(fault, call.name(0), None, rule)),
            false => Ok(autograd::in_place_of(&target, result)?.into()),
        };
    }
    let is_alike =
        result.dtype().is_complex() == target.dtype().is_complex() && target.shape() == result.shape();
    match is_alike {
        true => Ok(autograd::updated(&target, &f::astype(&result, target.dtype())?)?.into()),
        false => Ok(result.into()),
    }
}
