//! Steps of PyTorch's optimisers, whose rules are those of Rust.

use super::array::ArrayClass;
use super::{PyTorchTensor, error};
use crate::array::PyArray;
use crate::context;
use crate::error::{Failure, Fallible, type_error};
use crate::views;
use ivy::Array;
use ivy::frontends::torch::optim::{Setting, StateEntry, update};
use ivy_frontend::autograd::{self, Began};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use std::cell::RefCell;

/// A setting of a group, of those that rules have; `None` where the group says nothing of it.
fn setting(class: &str, group: &Bound<'_, PyDict>, name: &str) -> Fallible<Option<Setting>> {
    let Some(value) = group.get_item(name)?.filter(|value| !value.is_none()) else { return Ok(None) };
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(Some(Setting::Bool(truth.is_true())));
    }
    if let Ok((a, b)) = value.extract::<(f64, f64)>() {
        return Ok(Some(Setting::Pair(a, b)));
    }
    match value.extract() {
        Ok(number) => Ok(Some(Setting::Number(number))),
        Err(_) => type_error(format!("{class}.step: {name}: a number is needed, not {}", value.repr()?)),
    }
}

/// An entry of a parameter's state: of a tensor without axes, as PyTorch keeps numbers of steps, its number.
fn entry(state: &Bound<'_, PyDict>, name: &str) -> Option<StateEntry> {
    let value = state.get_item(name).ok()??;
    match value.cast::<PyArray>() {
        Ok(tensor) => {
            let array = autograd::detached(tensor.borrow().array().ok()?);
            match array.ndim() {
                0 if matches!(name, "step" | "mu_product" | "eta" | "mu") => {
                    value.extract().ok().map(StateEntry::Number)
                }
                _ => Some(StateEntry::Array(array)),
            }
        }
        Err(_) => value.extract().ok().map(StateEntry::Number),
    }
}

/// Changes parameters by their gradients and writes their states: by the rule of a class of `torch.optim`, with the settings of a
/// group. `states` has a dictionary for each parameter by its `id`, or makes one. Nothing is changed where a step fails.
#[pyfunction]
pub(crate) fn torch_optimizer_update(
    py: Python<'_>,
    class: &str,
    group: &Bound<'_, PyDict>,
    parameters: Vec<Bound<'_, PyTorchTensor>>,
    states: &Bound<'_, PyAny>,
) -> Fallible<()> {
    let frontend = PyTorchTensor::namespace().frontend;
    let told = |e: ivy::Error| -> Failure { error::failure(py, frontend, &e) };
    let _scope = context::enter(py, None)?;
    let began = Began::now();
    let mut steps = Vec::new();
    for parameter in &parameters {
        let object = parameter.as_super();
        let leaf = object.borrow().array()?.clone();
        let Some(gradient) = autograd::grad_of(&leaf) else { continue };
        let state =
            states.get_item(parameter.as_ptr() as usize)?.cast_into::<PyDict>().map_err(PyErr::from)?;
        let (elements, gradient) = (autograd::detached(&leaf), autograd::detached(&gradient));
        let wrong = RefCell::new(None);
        let settings = |name: &str| match setting(class, group, name) {
            Ok(found) => found,
            Err(error) => {
                wrong.replace(Some(error));
                None
            }
        };
        let updated = update(class, &settings, &elements, &gradient, &|name| entry(&state, name));
        if let Some(error) = wrong.take() {
            return Err(error);
        }
        let (next, entries) = updated.map_err(told)?;
        steps.push((object, leaf, state, next, entries));
    }
    // What is computed of equal shapes is one kernel where the backend notes work.
    let arrays = |entries: &[(&str, StateEntry)]| -> Vec<Array> {
        let of = |entry: &StateEntry| match entry {
            StateEntry::Array(array) => Some(array.clone()),
            StateEntry::Number(_) => None,
        };
        entries.iter().filter_map(|(_, entry)| of(entry)).collect()
    };
    let made: Vec<Array> =
        steps.iter().flat_map(|step| [vec![step.3.clone()], arrays(&step.4)].concat()).collect();
    // What has no elements yet, inside of what is recorded, stays pending.
    let _ = ivy::evaluate(&made);
    drop(made);
    for (object, leaf, state, next, entries) in steps {
        let next = autograd::updated(&leaf, &next).map_err(told)?;
        views::in_place(object, began, || views::put(object, next))?;
        for (name, entry) in entries {
            match entry {
                StateEntry::Number(steps) if name == "step" => state.set_item(name, steps as u64)?,
                StateEntry::Number(number) => state.set_item(name, number)?,
                StateEntry::Array(array) => {
                    match state.get_item(name)?.map(|known| known.cast_into::<PyArray>()) {
                        Some(Ok(known)) => views::put(&known, array)?,
                        _ => state.set_item(name, super::array::wrap::<PyTorchTensor>(py, array, false)?)?,
                    }
                }
            }
        }
    }
    Ok(())
}
