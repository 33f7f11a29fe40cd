//! `tf.GradientTape` and `tf.Variable`.
//!
//! Tensors are values here: [`GradientTape::watch`] gives the tensor that is watched, and what is computed of it is noted.

use crate::Tensor;
use ivy_core::functional as f;
use ivy_core::{Array, ErrorKind, Result};
use ivy_frontend::autograd::{self, Graph, Recording, Unused, Walking};
use std::cell::{Cell, RefCell};

thread_local! {
    /// How many tapes of this thread record: gradients are noted as well where one may want theirs.
    static RECORDING: Cell<usize> = const { Cell::new(0) };
}

/// Whether a tape of this thread records.
pub fn is_recording() -> bool {
    RECORDING.get() > 0
}

/// What the gradient by a source is that the target does not depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnconnectedGradients {
    /// None.
    #[default]
    None,
    /// Zeros.
    Zero,
}

/// Notes what is computed of watched tensors and trainable variables, and gives gradients.
///
/// ```
/// use ivy_frontend_tensorflow::{GradientTape, Tensor};
/// # use ivy_backend_ndarray as _;
/// let tape = GradientTape::new();
/// let x = tape.watch(&Tensor::new([3.0])?)?;
/// let y = (&x * &x).ok()?;
/// let dy_dx = tape.gradient(&y, &[&x])?.swap_remove(0).unwrap();
/// assert_eq!(dy_dx.to_vec::<f32>()?, [6.0]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
#[derive(Debug)]
pub struct GradientTape {
    persistent: bool,
    used: Cell<bool>,
    recording: RefCell<Recording>,
}

impl Default for GradientTape {
    fn default() -> GradientTape {
        GradientTape::made(false)
    }
}

impl Drop for GradientTape {
    fn drop(&mut self) {
        self.stop();
    }
}

impl GradientTape {
    fn made(persistent: bool) -> GradientTape {
        RECORDING.set(RECORDING.get() + 1);
        let recording = RefCell::new(Recording::begin(true));
        GradientTape { persistent, used: Cell::new(false), recording }
    }

    /// A tape that is asked for gradients once: `GradientTape()`.
    pub fn new() -> GradientTape {
        GradientTape::made(false)
    }

    /// A tape that may be asked again: `GradientTape(persistent=True)`. While it records, the gradients that it gives are
    /// noted too, and have gradients.
    pub fn persistent() -> GradientTape {
        GradientTape::made(true)
    }

    /// The tape as one that records what is computed of watched tensors only: `GradientTape(watch_accessed_variables=False)`.
    #[must_use]
    pub fn without_accessed_variables(self) -> GradientTape {
        self.recording.replace(Recording::begin(false));
        self
    }

    /// Ends the recording, as the end of the `with` block does in Python; gradients are given as before.
    pub fn stop(&self) {
        self.pause();
    }

    /// Ends the recording until [`resume`](GradientTape::resume), and says whether it was on.
    pub fn pause(&self) -> bool {
        let mut recording = self.recording.borrow_mut();
        let was_on = recording.is_on();
        if was_on {
            recording.pause();
            let _ = RECORDING.try_with(|tapes| tapes.set(tapes.get().saturating_sub(1)));
        }
        was_on
    }

    /// Goes on with the recording.
    pub fn resume(&self) {
        let mut recording = self.recording.borrow_mut();
        if !recording.is_on() {
            recording.resume();
            RECORDING.set(RECORDING.get() + 1);
        }
    }

    /// Begins to give gradients: whether these are noted. A tape that is asked once ends its recording by it.
    fn begin(&self) -> Result<bool> {
        if self.used.replace(true) && !self.persistent {
            return Err(invalid("tape", "it is not persistent, and has been used"));
        }
        if !self.persistent {
            self.stop();
        }
        Ok(is_recording())
    }

    /// The tensor as one that is watched: what is computed of it from here on is noted.
    ///
    /// # Errors
    /// [`ErrorKind::WrongDtypeKind`] for integers and truth values.
    pub fn watch(&self, tensor: &Tensor) -> Result<Tensor> {
        let watched = autograd::require_grad(tensor.ivy_array())?;
        self.recording.borrow_mut().watch(&watched);
        Ok(watched.into())
    }

    /// Whether the tape knows a tensor: one that it watches, or has recorded the computation of.
    pub fn knows(&self, tensor: &Tensor) -> bool {
        self.recording.borrow().knows(tensor.ivy_array())
    }

    /// The gradients of a target by sources: of the sum of its elements.
    ///
    /// # Errors
    /// As [`GradientTape::gradient_of`].
    pub fn gradient(&self, target: &Tensor, sources: &[&Tensor]) -> Result<Vec<Option<Tensor>>> {
        self.gradient_of(&[target], sources, &[], UnconnectedGradients::None)
    }

    /// The gradients of targets by sources, each target weighted by its own (ones if there is none) and all added.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] for a tape that has been used and is not persistent, for a source that is not
    /// watched, and for a weight that is not as its target; those of the derivatives.
    pub fn gradient_of(
        &self,
        targets: &[&Tensor],
        sources: &[&Tensor],
        output_gradients: &[Option<Tensor>],
        unconnected: UnconnectedGradients,
    ) -> Result<Vec<Option<Tensor>>> {
        let graph = if self.begin()? { Graph::Created } else { Graph::Retained };
        let weight = |i: usize| {
            output_gradients.get(i).and_then(|given| given.as_ref().map(|w| w.ivy_array().clone()))
        };
        // What depends on nothing that is watched has no part in any gradient.
        let noted = targets.iter().enumerate().filter(|(_, y)| autograd::requires_grad(y.ivy_array()));
        let (mut outputs, mut weights) = (Vec::new(), Vec::new());
        for (i, y) in noted {
            weights.push(Some(match weight(i) {
                Some(given) => given,
                None => f::ones_like(autograd::detached(y.ivy_array()), ())?,
            }));
            outputs.push(y.ivy_array().clone());
        }
        let zeros = unconnected == UnconnectedGradients::Zero;
        let recording = self.recording.borrow();
        let known: Vec<bool> = sources.iter().map(|x| recording.knows(x.ivy_array())).collect();
        let inputs: Vec<Array> = sources
            .iter()
            .zip(&known)
            .filter(|(_, known)| **known)
            .map(|(x, _)| x.ivy_array().clone())
            .collect();
        let unused = if zeros { Unused::Zeros } else { Unused::Absent };
        let walking = Walking::new(graph, unused).recorded_by(&recording);
        let found = autograd::grad_with(&outputs, &inputs, &weights, walking)?;
        let mut found = found.into_iter();
        let gradients = sources.iter().zip(&known).map(|(x, known)| match known {
            true => Ok(found.next().flatten()),
            false if zeros => f::zeros_like(x.ivy_array(), ()).map(Some),
            false => Ok(None),
        });
        gradients.map(|gradient| gradient.map(|g| g.map(Tensor::from))).collect()
    }

    /// The derivative of each element of a target by each of a source: the target's axes, then the source's.
    ///
    /// # Errors
    /// As [`GradientTape::gradient_of`].
    pub fn jacobian(&self, target: &Tensor, source: &Tensor) -> Result<Option<Tensor>> {
        let graph = if self.begin()? { Graph::Created } else { Graph::Retained };
        let (y, x) = (target.ivy_array(), source.ivy_array());
        let recording = self.recording.borrow();
        if !autograd::requires_grad(y) || !recording.knows(x) {
            return Ok(None);
        }
        let count = y.size() as i64;
        let units = f::eye(y.size(), f::Eye::new().dtype(y.dtype()))?;
        let mut rows = Vec::with_capacity(y.size());
        for i in 0..count {
            let unit = f::reshape(units.get([ivy_core::Index::Int(i)])?, y.shape().clone(), ())?;
            let walking = Walking::new(graph, Unused::Absent).recorded_by(&recording);
            let row = autograd::grad_with(
                std::slice::from_ref(y),
                std::slice::from_ref(x),
                &[Some(unit)],
                walking,
            )?;
            match row.into_iter().next().flatten() {
                Some(row) => rows.push(row),
                None => return Ok(None),
            }
        }
        let shape: Vec<usize> = y.shape().iter().chain(x.shape().iter()).copied().collect();
        let all = match rows.is_empty() {
            true => f::zeros(shape.clone(), y.dtype())?,
            false => f::stack(&rows, ())?,
        };
        f::reshape(&all, ivy_core::Shape::from(shape), ()).map(|all| Some(Tensor::from(all)))
    }

    /// Calls a function of which this tape records nothing.
    pub fn stop_recording<T>(&self, f: impl FnOnce() -> T) -> T {
        let was_on = self.pause();
        let done = if is_recording() { f() } else { autograd::no_grad(f) };
        if was_on {
            self.resume();
        }
        done
    }
}

fn invalid(argument: &'static str, rule: &'static str) -> ivy_core::Error {
    let (function, value) = ("tensorflow.GradientTape", argument.into());
    ErrorKind::InvalidArgument { function, argument, value, rule }.into()
}

/// A tensor that changes: `tf.Variable`. A trainable one is watched by every tape.
///
/// ```
/// use ivy_frontend_tensorflow::{GradientTape, Tensor, Variable};
/// # use ivy_backend_ndarray as _;
/// let w = Variable::new(Tensor::new(2.0)?)?;
/// let tape = GradientTape::new();
/// let loss = (&w.value() * &w.value()).ok()?;
/// let gradient = tape.gradient(&loss, &[&w.value()])?.swap_remove(0).unwrap();
/// w.assign_sub(&(&gradient * 0.25).ok()?)?;
/// assert_eq!(w.value().to_vec::<f32>()?, [1.0]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Variable {
    value: RefCell<Tensor>,
}

impl Variable {
    /// A trainable variable with a value of floats or complex numbers; others are not trainable.
    ///
    /// # Errors
    /// None of its own; memory may be short.
    pub fn new(initial: impl Into<Tensor>) -> Result<Variable> {
        let initial: Tensor = initial.into();
        let array = initial.ivy_array();
        let watched = match array.dtype().is_float() || array.dtype().is_complex() {
            true => autograd::require_grad(&autograd::detached(array))?,
            false => array.clone(),
        };
        autograd::make_variable(&watched);
        Ok(Variable { value: RefCell::new(watched.into()) })
    }

    /// The value, of which what is computed is noted.
    pub fn value(&self) -> Tensor {
        self.value.borrow().clone()
    }

    /// Another value, of the same dtype and shape.
    ///
    /// # Errors
    /// [`ErrorKind::DtypeMismatch`] and [`ErrorKind::ShapeMismatch`].
    pub fn assign(&self, value: &Tensor) -> Result<()> {
        let own = self.value();
        self.value.replace(autograd::updated(own.ivy_array(), value.ivy_array())?.into());
        Ok(())
    }

    /// `value += delta`
    ///
    /// # Errors
    /// As [`Variable::assign`], and those of the sum.
    pub fn assign_add(&self, delta: &Tensor) -> Result<()> {
        let own = self.value();
        self.assign(&autograd::no_grad(|| (&own + delta).ok())?)
    }

    /// `value -= delta`
    ///
    /// # Errors
    /// As [`Variable::assign`], and those of the difference.
    pub fn assign_sub(&self, delta: &Tensor) -> Result<()> {
        let own = self.value();
        self.assign(&autograd::no_grad(|| (&own - delta).ok())?)
    }
}
