//! The graph of derivatives for the modules of PyTorch, Paddle and TensorFlow, which put their classes over these functions.

use super::Namespace;
use super::array::{ArrayClass, PyPaddleTensor, PyTensorFlowTensor, PyTorchTensor};
use super::error;
use crate::array::PyArray;
use crate::context;
use crate::error::{Failure, Fallible, type_error, value_error};
use ivy::frontends::tensorflow::{GradientTape, Tensor, UnconnectedGradients, is_recording};
use ivy::{Array, ErrorKind};
use ivy_frontend::autograd::{self, HookHandle, Node};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::sync::Arc;

/// Puts another array into an array object.
fn replace(object: &Bound<'_, PyArray>, array: Array) -> Fallible<()> {
    crate::views::put(object, array)
}

/// The framework of a tensor: PyTorch, or Paddle.
fn namespace_of(tensor: &Bound<'_, PyArray>) -> &'static Namespace {
    if tensor.is_instance_of::<PyPaddleTensor>() {
        PyPaddleTensor::namespace()
    } else {
        PyTorchTensor::namespace()
    }
}

/// Sets whether ops of tensors that require gradients are noted in this thread; gives what was set before.
#[pyfunction]
pub(crate) fn set_grad_enabled(enabled: bool) -> bool {
    let before = autograd::is_grad_enabled();
    autograd::set_grad_enabled(enabled);
    before
}

/// Sets the gradient of a leaf of the graph, or clears it with `None`.
#[pyfunction]
pub(crate) fn graph_set_grad(
    tensor: &Bound<'_, PyArray>,
    gradient: Option<&Bound<'_, PyArray>>,
) -> Fallible<()> {
    let own = tensor.borrow().array()?.clone();
    if gradient.is_none() && !autograd::requires_grad(&own) {
        return Ok(());
    }
    let gradient = match gradient {
        Some(gradient) => Some(gradient.borrow().array()?.clone()),
        None => None,
    };
    let frontend = namespace_of(tensor).frontend;
    autograd::set_grad(&own, gradient).map_err(|e| error::failure(tensor.py(), frontend, &e))
}

/// A number that stands for a leaf of PyTorch's graph as long as it is there, and how often its gradient was set; `None` for other
/// tensors.
#[pyfunction]
pub(crate) fn torch_grad_version(tensor: &Bound<'_, PyArray>) -> Fallible<Option<(usize, u64)>> {
    Ok(autograd::grad_version(tensor.borrow().array()?))
}

/// Makes a tensor that of a leaf's gradient, which is given: what is written to it is the leaf's.
#[pyfunction]
pub(crate) fn torch_follow_gradient(
    tensor: &Bound<'_, PyArray>,
    leaf: &Bound<'_, PyArray>,
    gradient: &Bound<'_, PyArray>,
) -> Fallible<()> {
    let (leaf, gradient) = (leaf.borrow().array()?.clone(), gradient.borrow().array()?.clone());
    crate::views::follow_gradient(tensor, &leaf, gradient)
}

/// Gives a view elements of its own, as a leaf of the graph has them.
#[pyfunction]
pub(crate) fn torch_own(tensor: &Bound<'_, PyArray>) -> Fallible<()> {
    crate::views::own(tensor)
}

/// The tensor as an argument of a transformed function, which may use tensors that require gradients.
#[pyfunction]
pub(crate) fn torch_recordable(py: Python<'_>, tensor: &Bound<'_, PyArray>) -> Fallible<Py<PyAny>> {
    let array = autograd::recordable(tensor.borrow().array()?);
    (PyTorchTensor::namespace().wrap)(py, array, false)
}

/// Puts other elements into a tensor, of any dtype, and of any shape where no view reads the ones before; whether it requires gradients
/// stays, and so does a gradient of the shape.
#[pyfunction]
pub(crate) fn torch_set_data(tensor: &Bound<'_, PyArray>, data: &Bound<'_, PyArray>) -> Fallible<()> {
    let own = tensor.borrow().array()?.clone();
    let elements = autograd::detached(data.borrow().array()?);
    let is_reshaped = own.shape() != elements.shape();
    let given = elements.shape().clone();
    let elements = match autograd::requires_grad(&own) {
        false => elements,
        true => {
            let failure = |e| error::failure(tensor.py(), PyTorchTensor::namespace().frontend, &e);
            let leaf = autograd::require_grad(&elements).map_err(failure)?;
            if let Some(gradient) = autograd::grad_of(&own).filter(|_| !is_reshaped) {
                autograd::set_grad(&leaf, Some(ivy::astype(&gradient, leaf.dtype())?)).map_err(failure)?;
            }
            leaf
        }
    };
    if !is_reshaped {
        return replace(tensor, elements);
    }
    match crate::views::replace_whole(tensor, elements)? {
        true => Ok(()),
        false => value_error(format!(
            "Tensor.data: the tensor has shape {}, and is a view or has views, which would not see elements of shape {given}",
            own.shape()
        )),
    }
}

thread_local! {
    /// What a function of the program's raised in a walk that is still to end.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// The exception behind the error of a walk, if it was one.
pub(super) fn raised() -> Option<PyErr> {
    RAISED.take()
}

/// Calls a function of the program's in a walk.
fn in_walk<T>(python: impl FnOnce(Python<'_>) -> Fallible<T>) -> ivy::Result<T> {
    Python::attach(|py| {
        python(py).map_err(|failure| {
            RAISED.set(Some(failure.into()));
            let (function, argument, value) = ("autograd", "backward", "a function".into());
            ErrorKind::InvalidArgument { function, argument, value, rule: "one that raises nothing" }.into()
        })
    })
}

/// A tensor that a function of the program's has given, or none.
fn returned(value: &Bound<'_, PyAny>, what: &str) -> Fallible<Option<Array>> {
    match value.cast::<PyArray>() {
        Ok(tensor) => Ok(Some(tensor.borrow().array()?.clone())),
        Err(_) if value.is_none() => Ok(None),
        Err(_) => type_error(format!("{what} gives a Tensor or None, not {}", value.get_type().name()?)),
    }
}

/// A tensor for a function of the program's.
fn tensor(py: Python<'_>, namespace: &Namespace, array: Array) -> Fallible<Py<PyAny>> {
    (namespace.wrap)(py, array, false)
}

/// Makes a tensor a leaf that requires a gradient, or one that requires none.
#[pyfunction]
pub(crate) fn graph_require(tensor: &Bound<'_, PyArray>, required: bool) -> Fallible<()> {
    let own = tensor.borrow().array()?.clone();
    if autograd::requires_grad(&own) == required {
        return Ok(());
    }
    let failure = |e| error::failure(tensor.py(), namespace_of(tensor).frontend, &e);
    let made = if required {
        autograd::require_grad(&own).map_err(|e| failure(e.with_function("stop_gradient")))?
    } else {
        autograd::detached(&own)
    };
    replace(tensor, made)
}

/// A hook that is registered on a tensor: the frameworks' classes are handles over it.
#[pyclass(name = "GraphHook", module = "ivyrs", frozen)]
pub(crate) struct PyGraphHook(HookHandle);

#[pymethods]
impl PyGraphHook {
    /// Removes the hook.
    fn remove(&self) {
        self.0.remove();
    }
}

/// Registers a function that sees the gradient of a tensor, and may give another one.
#[pyfunction]
pub(crate) fn graph_register_hook(own: &Bound<'_, PyArray>, hook: Py<PyAny>) -> Fallible<PyGraphHook> {
    let namespace = namespace_of(own);
    let call = move |gradient: &Array| {
        in_walk(|py| {
            let found = hook.bind(py).call1((tensor(py, namespace, gradient.clone())?,))?;
            returned(&found, "a hook")
        })
    };
    let array = own.borrow().array()?.clone();
    let failure = |e| error::failure(own.py(), namespace.frontend, &e);
    autograd::register_hook(&array, Arc::new(call)).map(PyGraphHook).map_err(failure)
}

/// A node of the graph: what `grad_fn` gives.
#[pyclass(name = "GraphNode", module = "ivyrs", frozen)]
pub(crate) struct PyGraphNode(Node);

#[pymethods]
impl PyGraphNode {
    /// The name of what it computes.
    fn name(&self) -> String {
        self.0.name()
    }

    /// The nodes that its operands come from, each with the number of its result; `(None, 0)` for a constant.
    #[getter]
    fn next_functions(&self) -> Vec<(Option<PyGraphNode>, usize)> {
        let next =
            |next: Option<(Node, usize)>| next.map_or((None, 0), |(node, at)| (Some(PyGraphNode(node)), at));
        self.0.next().into_iter().map(next).collect()
    }

    /// A result that was saved without its graph, as a part of the graph again.
    fn _output(&self, py: Python<'_>, at: usize, saved: &Bound<'_, PyArray>) -> Fallible<Py<PyAny>> {
        tensor(py, namespace_of(saved), self.0.output(at, &autograd::detached(saved.borrow().array()?)))
    }

    fn __repr__(&self) -> String {
        format!("<{}>", self.0.name())
    }
}

/// The node that made a tensor, or `None`.
#[pyfunction]
pub(crate) fn graph_node(own: &Bound<'_, PyArray>) -> Fallible<Option<PyGraphNode>> {
    Ok(autograd::node_of(own.borrow().array()?).map(PyGraphNode))
}

/// Records the outputs of a function of the program's as one node, whose pullback takes the node and the gradients of the
/// outputs, and gives those of the inputs.
#[pyfunction]
pub(crate) fn graph_custom(
    py: Python<'_>,
    frontend: &str,
    name: &str,
    inputs: Vec<Bound<'_, PyArray>>,
    outputs: Vec<Bound<'_, PyArray>>,
    records: Vec<bool>,
    pullback: Py<PyAny>,
) -> Fallible<Vec<Py<PyAny>>> {
    let namespace = super::named(frontend)?;
    let arrays = |objects: &[Bound<'_, PyArray>]| -> Fallible<Vec<Array>> {
        objects.iter().map(|x| Ok(x.borrow().array()?.clone())).collect()
    };
    let rule = move |node: &Node, gradients: &[Option<Array>]| {
        in_walk(|py| {
            let given = gradients.iter().map(|g| g.clone().map(|g| tensor(py, namespace, g)).transpose());
            let given = given.collect::<Fallible<Vec<_>>>()?;
            let found = pullback.bind(py).call1((PyGraphNode(node.clone()), given))?;
            found.try_iter()?.map(|x| returned(&x?, "backward")).collect::<Fallible<Vec<_>>>()
        })
    };
    let made = autograd::custom(name, &arrays(&inputs)?, arrays(&outputs)?, &records, Arc::new(rule));
    made.into_iter().map(|y| tensor(py, namespace, y)).collect()
}

fn told(py: Python<'_>) -> impl Fn(ivy::Error) -> Failure {
    move |e| error::failure(py, PyTensorFlowTensor::namespace().frontend, &e)
}

/// A tensor of TensorFlow for Python: what is computed while no tape records is noted by none.
pub(super) fn wrap(py: Python<'_>, array: Array, number: bool) -> Fallible<Py<PyAny>> {
    let array = if is_recording() { array } else { autograd::detached(&array) };
    super::array::wrap::<PyTensorFlowTensor>(py, array, number)
}

/// Makes a variable of a tensor: every tape watches it, if it is of floats or complex numbers. Gives whether it is.
#[pyfunction]
pub(crate) fn tensorflow_watched(variable: &Bound<'_, PyArray>) -> Fallible<bool> {
    let own = autograd::detached(variable.borrow().array()?);
    if !own.dtype().is_float() && !own.dtype().is_complex() {
        return Ok(false);
    }
    let leaf = autograd::require_grad(&own).map_err(told(variable.py()))?;
    autograd::make_variable(&leaf);
    replace(variable, leaf)?;
    Ok(true)
}

/// Puts other elements into a variable, of its dtype and shape.
#[pyfunction]
pub(crate) fn tensorflow_assign(variable: &Bound<'_, PyArray>, value: &Bound<'_, PyArray>) -> Fallible<()> {
    let own = variable.borrow().array()?.clone();
    let elements = autograd::detached(value.borrow().array()?);
    let updated = autograd::updated(&own, &elements).map_err(told(variable.py()))?;
    replace(variable, updated)
}

/// A tensor that a tape watches.
struct Watched {
    object: Py<PyArray>,
    /// What is watched.
    leaf: Array,
    /// Whether it was before: by another tape, or as a variable.
    before: bool,
}

/// A tape that records; the class of `ivyrs.frontends.tensorflow` has its `with` block and takes nested sources.
#[pyclass(name = "TensorFlowTape", module = "ivyrs", unsendable)]
pub(crate) struct PyTensorFlowTape {
    tape: GradientTape,
    watched: Vec<Watched>,
}

impl PyTensorFlowTape {
    /// A tensor as this tape has it.
    fn noted(&self, object: &Bound<'_, PyArray>) -> Fallible<Tensor> {
        let known = self.watched.iter().find(|watched| watched.object.as_ptr() == object.as_ptr());
        Ok(match known {
            Some(watched) => watched.leaf.clone().into(),
            None => object.borrow().array()?.clone().into(),
        })
    }
}

/// A gradient for Python, or `None`.
fn given(py: Python<'_>, gradient: Option<Tensor>) -> Fallible<Py<PyAny>> {
    match gradient {
        Some(gradient) => wrap(py, gradient.into_ivy_array(), false),
        None => Ok(py.None()),
    }
}

#[pymethods]
impl PyTensorFlowTape {
    /// A tape that is asked as often as its class allows, of all variables or of what is watched alone.
    #[new]
    fn new(variables: bool) -> PyTensorFlowTape {
        let tape = GradientTape::persistent();
        let tape = if variables { tape } else { tape.without_accessed_variables() };
        PyTensorFlowTape { tape, watched: Vec::new() }
    }

    /// Goes on with the recording after `stop`, of the same tensors.
    fn enter(&self, py: Python<'_>) -> Fallible<()> {
        self.tape.resume();
        for watched in self.watched.iter().filter(|watched| !watched.before) {
            replace(watched.object.bind(py), watched.leaf.clone())?;
        }
        Ok(())
    }

    /// Ends the recording until `resume`; says whether another tape records.
    fn pause(&self) -> bool {
        self.tape.pause();
        is_recording()
    }

    /// Goes on with the recording.
    fn resume(&self) {
        self.tape.resume();
    }

    /// Watches a tensor of floats or complex numbers from here on, until the tape stops.
    fn watch(&mut self, tensor: &Bound<'_, PyArray>) -> Fallible<()> {
        let own = tensor.borrow().array()?.clone();
        let before = autograd::requires_grad(&own);
        let leaf = self.tape.watch(&Tensor::from(own)).map_err(told(tensor.py()))?.into_ivy_array();
        replace(tensor, leaf.clone())?;
        self.watched.push(Watched { object: tensor.clone().unbind(), leaf, before });
        Ok(())
    }

    /// Ends the recording; what this tape alone has watched is watched no more.
    fn stop(&mut self, py: Python<'_>) -> Fallible<()> {
        self.tape.stop();
        for watched in self.watched.iter().filter(|watched| !watched.before) {
            let object = watched.object.bind(py);
            let plain = autograd::detached(object.borrow().array()?);
            replace(object, plain)?;
        }
        Ok(())
    }

    /// The gradients of targets by sources: a tensor or `None` for each.
    fn gradient(
        &self,
        py: Python<'_>,
        targets: Vec<Bound<'_, PyArray>>,
        sources: Vec<Bound<'_, PyArray>>,
        weights: Vec<Option<Bound<'_, PyArray>>>,
        zeros: bool,
    ) -> Fallible<Vec<Py<PyAny>>> {
        let _scope = context::enter(py, None)?;
        let noted = |objects: &[Bound<'_, PyArray>]| -> Fallible<Vec<Tensor>> {
            objects.iter().map(|object| self.noted(object)).collect()
        };
        let objects = (targets, sources);
        let (targets, sources) = (noted(&objects.0)?, noted(&objects.1)?);
        let weights =
            weights.iter().map(|weight| weight.as_ref().map(|object| self.noted(object)).transpose());
        let weights: Vec<Option<Tensor>> = weights.collect::<Fallible<_>>()?;
        let unconnected = if zeros { UnconnectedGradients::Zero } else { UnconnectedGradients::None };
        let (of, by): (Vec<&Tensor>, Vec<&Tensor>) = (targets.iter().collect(), sources.iter().collect());
        let found = self.tape.gradient_of(&of, &by, &weights, unconnected).map_err(told(py))?;
        let gradient = |(i, gradient): (usize, Option<Tensor>)| {
            // What is a target and a source has itself for gradient, also if the tape does not know it.
            let is_source = |target: &Bound<'_, PyArray>| target.is(&objects.1[i]);
            let own = objects.0.iter().zip(&weights).filter(|(target, _)| is_source(target));
            if self.tape.knows(&sources[i]) || own.clone().next().is_none() {
                return given(py, gradient);
            }
            let weight = |weight: &Option<Tensor>| match weight {
                Some(weight) => Ok(weight.ivy_array().clone()),
                None => ivy::ones_like(sources[i].ivy_array(), ()),
            };
            let sum = own.map(|(_, own)| weight(own)).reduce(|a, b| ivy::add(a?, b?)).transpose()?;
            given(py, sum.map(Tensor::from))
        };
        found.into_iter().enumerate().map(gradient).collect()
    }

    /// The derivative of each element of a target by each of a source, or `None`.
    fn jacobian(
        &self,
        py: Python<'_>,
        target: &Bound<'_, PyArray>,
        source: &Bound<'_, PyArray>,
    ) -> Fallible<Py<PyAny>> {
        let _scope = context::enter(py, None)?;
        let found = self.tape.jacobian(&self.noted(target)?, &self.noted(source)?).map_err(told(py))?;
        given(py, found)
    }
}
