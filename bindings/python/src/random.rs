//! Generators of random numbers as Python objects.

use crate::error::{Fallible, type_error};
use ivy::{Generator, Seed};
use pyo3::prelude::*;
use pyo3::types::PyInt;
use std::sync::{Mutex, PoisonError};

/// Generator(seed=None, *, counter=0)
/// --
///
/// A source of random numbers: a key, and the number of the next draw. As ``seed=`` of a call it gives its next draw, so
/// that no two calls have the same numbers. Without a seed the key is another one each time.
#[pyclass(name = "Generator", module = "ivyrs", frozen)]
pub(crate) struct PyGenerator(Mutex<Generator>);

impl PyGenerator {
    fn of(generator: Generator) -> PyGenerator {
        PyGenerator(Mutex::new(generator))
    }

    /// Does something with it, alone. A generator is whole whatever became of who held it.
    fn with<T>(&self, f: impl FnOnce(&mut Generator) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The next draw.
    pub(crate) fn draw(&self) -> Seed {
        self.with(Generator::draw)
    }
}

/// The 64 bits of a whole number; of a negative one, those of its complement.
fn word(value: &Bound<'_, PyAny>, name: &str) -> Fallible<u64> {
    if !value.is_instance_of::<PyInt>() {
        return type_error(format!("Generator: {name} is a whole number, not {}", value.get_type().name()?));
    }
    match value.extract::<i64>() {
        Ok(number) => Ok(number as u64),
        Err(_) => Ok(value.extract::<u64>()?),
    }
}

#[pymethods]
impl PyGenerator {
    #[new]
    #[pyo3(signature = (seed=None, *, counter=0))]
    fn new(seed: Option<&Bound<'_, PyAny>>, counter: u64) -> Fallible<PyGenerator> {
        let mut generator = match seed {
            Some(seed) => Generator::new(word(seed, "seed")?),
            None => Generator::from_entropy(),
        };
        generator.counter = counter;
        Ok(PyGenerator::of(generator))
    }

    /// The key of all draws.
    #[getter]
    fn key(&self) -> u64 {
        self.with(|generator| generator.key)
    }

    /// The number of the next draw.
    #[getter]
    fn counter(&self) -> u64 {
        self.with(|generator| generator.counter)
    }

    /// split(n=2)
    /// --
    ///
    /// Generators of keys of their own; takes one draw.
    #[pyo3(signature = (n=2))]
    fn split(&self, n: usize) -> Vec<PyGenerator> {
        self.with(|generator| generator.split(n)).into_iter().map(PyGenerator::of).collect()
    }

    /// fold_in(data, /)
    /// --
    ///
    /// The generator of a key that is made of this one as it is now and of a number, such as that of a step.
    fn fold_in(&self, data: &Bound<'_, PyAny>) -> Fallible<PyGenerator> {
        let data = word(data, "data")?;
        Ok(PyGenerator::of(self.with(|generator| generator.fold_in(data))))
    }

    /// jumped(draws=1, /)
    /// --
    ///
    /// The same generator so many draws further, without drawing.
    #[pyo3(signature = (draws=1, /))]
    fn jumped(&self, draws: u64) -> PyGenerator {
        let Generator { key, counter } = self.with(|generator| generator.clone());
        PyGenerator::of(Generator { key, counter: counter.wrapping_add(draws) })
    }

    fn __copy__(&self) -> PyGenerator {
        self.jumped(0)
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyGenerator {
        self.jumped(0)
    }

    fn __eq__(&self, other: &PyGenerator) -> bool {
        let other = other.with(|generator| generator.clone());
        self.with(|generator| *generator == other)
    }

    fn __repr__(&self) -> String {
        let Generator { key, counter } = self.with(|generator| generator.clone());
        format!("Generator({key}, counter={counter})")
    }

    /// What pickle makes it of again.
    fn __getnewargs_ex__(&self) -> ((u64,), std::collections::HashMap<&'static str, u64>) {
        let Generator { key, counter } = self.with(|generator| generator.clone());
        ((key,), [("counter", counter)].into())
    }
}
