//! Sources of random numbers, as the frameworks have them.

use super::NAMESPACES;
use super::array::{ArrayClass, PyTorchTensor};
use crate::array::PyArray;
use crate::context;
use crate::error::{Fallible, value_error};
use ivy::{Array, Dtype, Generator};
use ivy_frontend::SharedGenerator;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// A source of random numbers of a framework; its methods are put into the class by the framework's module.
#[pyclass(name = "Generator", module = "ivyrs.frontends", frozen, skip_from_py_object)]
pub(crate) struct PyFrontendGenerator {
    pub(crate) generator: SharedGenerator,
}

#[pymethods]
impl PyFrontendGenerator {
    fn __repr__(&self) -> &'static str {
        "Generator(Philox)"
    }
}

/// The seed of a generator that was given none, as PyTorch's documentation has it.
const DEFAULT_SEED: u64 = 67_280_421_310_721;

/// Generator(device='cpu')
/// --
///
/// A source of random numbers: what draws from it takes it as `generator`.
#[pyclass(name = "Generator", module = "ivyrs.frontends.torch", frozen, skip_from_py_object)]
pub(crate) struct PyTorchGenerator {
    /// Its own state; `None` of that which calls without a generator draw from.
    pub(crate) generator: Option<SharedGenerator>,
}

impl PyTorchGenerator {
    /// That which calls without a generator draw from.
    pub(crate) const DEFAULT: PyTorchGenerator = PyTorchGenerator { generator: None };

    fn state(&self) -> Generator {
        match &self.generator {
            Some(own) => own.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            None => ivy::generator_state(),
        }
    }

    fn set(&self, mut state: Generator) {
        match &self.generator {
            Some(own) => *own.lock().unwrap_or_else(PoisonError::into_inner) = state,
            None => ivy::seed(state.draw()),
        }
    }
}

#[pymethods]
impl PyTorchGenerator {
    #[new]
    #[pyo3(signature = (device="cpu"))]
    fn new(device: &str) -> Fallible<PyTorchGenerator> {
        if device != "cpu" {
            return value_error(format!("Generator: device = '{device}': generators are on the 'cpu'"));
        }
        Ok(PyTorchGenerator { generator: Some(Arc::new(Mutex::new(Generator::new(DEFAULT_SEED)))) })
    }

    /// Begins again, from a seed; gives the generator.
    fn manual_seed<'py>(slf: &Bound<'py, Self>, seed: i128) -> Fallible<Bound<'py, Self>> {
        let bounds = i128::from(i64::MIN)..=i128::from(u64::MAX);
        if !bounds.contains(&seed) {
            return value_error(format!("manual_seed: seed = {seed}: a seed has 64 bits"));
        }
        slf.get().set(Generator::new(seed as u64));
        Ok(slf.clone())
    }

    /// Begins again, from a seed that the system gives; gives that seed.
    fn seed(&self) -> u64 {
        let state = Generator::from_entropy();
        let key = state.key;
        self.set(state);
        key
    }

    /// The seed of all that is drawn.
    fn initial_seed(&self) -> u64 {
        self.state().key
    }

    /// The state, as a tensor of bytes: the seed, and the number of the next draw.
    fn get_state(&self, py: Python<'_>) -> Fallible<Py<PyAny>> {
        let state = self.state();
        let bytes = [state.key.to_le_bytes(), state.counter.to_le_bytes()].concat();
        let _scope = context::enter(py, None)?;
        let array = Array::from_vec(bytes, [16])?;
        (NAMESPACES[PyTorchTensor::PLACE].wrap)(py, array, false)
    }

    /// Sets the state to one that `get_state` gave.
    fn set_state<'py>(slf: &Bound<'py, Self>, new_state: &Bound<'_, PyArray>) -> Fallible<Bound<'py, Self>> {
        let bytes = new_state.borrow().array()?.clone();
        if bytes.dtype() != Dtype::UINT8 || bytes.shape()[..] != [16] {
            let (dtype, shape) = (bytes.dtype(), bytes.shape());
            return value_error(format!(
                "set_state: new_state is a tensor of 16 bytes, of get_state, not of dtype {dtype} and shape {shape}"
            ));
        }
        let bytes = bytes.to_vec::<u8>()?;
        let word =
            |at: usize| bytes[at..at + 8].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        slf.get().set(Generator { key: word(0), counter: word(8) });
        Ok(slf.clone())
    }
}
