//! Generators of random numbers.

use super::convert::{arg, array, here, object};
use super::error::failure;
use super::types::DrjitType;
use crate::error::{Fallible, value_error};
use ivy_drjit::{Arg, ArrayType, Generator, Package, Pcg32, Philox4x32, VarType};
use pyo3::prelude::*;

type Object = Fallible<Py<PyAny>>;

fn package(name: &str) -> Fallible<Package> {
    match Package::of_name(name) {
        Some(package) => Ok(package),
        None => value_error(format!("there is no package `{name}`")),
    }
}

/// PCG32 for each thread.
#[pyclass(module = "ivyrs._ivyrs")]
pub(crate) struct DrjitPcg32 {
    rng: Pcg32,
}

#[pymethods]
impl DrjitPcg32 {
    #[new]
    fn new(
        py: Python<'_>,
        package: &str,
        size: usize,
        state: &Bound<'_, PyAny>,
        sequence: &Bound<'_, PyAny>,
    ) -> Fallible<DrjitPcg32> {
        let package = self::package(package)?;
        let (state, sequence) = (arg(state)?, arg(sequence)?);
        let rng = here(py, || Pcg32::seeded(package, size, state, sequence))?;
        Ok(DrjitPcg32 { rng })
    }

    /// The states and the increments.
    fn parts(&self, py: Python<'_>) -> Fallible<(Py<PyAny>, Py<PyAny>)> {
        Ok((object(py, self.rng.state.clone())?, object(py, self.rng.inc.clone())?))
    }

    fn set_parts(
        &mut self,
        py: Python<'_>,
        state: &Bound<'_, PyAny>,
        inc: &Bound<'_, PyAny>,
    ) -> Fallible<()> {
        let (state, inc, ty) = (arg(state)?, arg(inc)?, self.rng.state.ty());
        (self.rng.state, self.rng.inc) = here(py, || Ok((ty.make(state)?, ty.make(inc)?)))?;
        Ok(())
    }

    /// The next number, or the one before, of a type: `uint32`, `uint64`, `float32`, `float64`.
    fn draw(&mut self, py: Python<'_>, name: &str) -> Object {
        let rng = &mut self.rng;
        let made = match name {
            "uint32" => rng.next_uint32(),
            "uint64" => rng.next_uint64(),
            "float32" => rng.next_float32(),
            "float64" => rng.next_float64(),
            "prev_uint32" => rng.prev_uint32(),
            _ => return value_error(format!("PCG32 has no numbers of the type `{name}`")),
        };
        object(py, made.map_err(failure)?)
    }

    fn advance(&mut self, steps: i64) -> Fallible<()> {
        self.rng.advance(steps).map_err(failure)
    }
}

/// Philox4x32 for each thread.
#[pyclass(module = "ivyrs._ivyrs")]
pub(crate) struct DrjitPhilox {
    rng: Philox4x32,
}

#[pymethods]
impl DrjitPhilox {
    #[new]
    fn new(
        py: Python<'_>,
        package: &str,
        seed: &Bound<'_, PyAny>,
        counters: Vec<Bound<'_, PyAny>>,
        iterations: u32,
    ) -> Fallible<DrjitPhilox> {
        let (package, seed) = (self::package(package)?, arg(seed)?);
        let counters = counters.iter().map(arg).collect::<Fallible<Vec<Arg>>>()?;
        let Ok(counters) = <[Arg; 3]>::try_from(counters) else {
            return value_error("Philox4x32 has three counters of the caller's");
        };
        Ok(DrjitPhilox { rng: here(py, || Philox4x32::new(package, seed, counters, iterations))? })
    }

    /// The key and the counters.
    fn parts(&self, py: Python<'_>) -> Fallible<(Py<PyAny>, Py<PyAny>)> {
        Ok((object(py, self.rng.seed.clone())?, object(py, self.rng.counter.clone())?))
    }

    fn set_parts(
        &mut self,
        py: Python<'_>,
        seed: &Bound<'_, PyAny>,
        counter: &Bound<'_, PyAny>,
    ) -> Fallible<()> {
        let (seed, counter) = (arg(seed)?, arg(counter)?);
        let (key, four) = (self.rng.seed.ty(), self.rng.counter.ty());
        (self.rng.seed, self.rng.counter) = here(py, || Ok((key.make(seed)?, four.make(counter)?)))?;
        Ok(())
    }

    #[getter]
    fn iterations(&self) -> u32 {
        self.rng.iterations
    }

    fn clone(&self) -> DrjitPhilox {
        DrjitPhilox { rng: self.rng.clone() }
    }

    /// The next numbers of a kind, such as `uint32x4`.
    fn draw(&mut self, py: Python<'_>, name: &str) -> Object {
        let rng = &mut self.rng;
        let made = match name {
            "uint32x4" => rng.next_uint32x4(),
            "uint64x2" => rng.next_uint64x2(),
            "float32x4" => rng.next_float32x4(),
            "float64x2" => rng.next_float64x2(),
            "float32x4_normal" => rng.next_float32x4_normal(),
            "float64x2_normal" => rng.next_float64x2_normal(),
            _ => return value_error(format!("Philox4x32 has no numbers of the kind `{name}`")),
        };
        object(py, made.map_err(failure)?)
    }
}

/// Random arrays, draw after draw.
#[pyclass(module = "ivyrs._ivyrs")]
pub(crate) struct DrjitGenerator {
    rng: Generator,
}

#[pymethods]
impl DrjitGenerator {
    #[new]
    fn new(seed: u64) -> DrjitGenerator {
        DrjitGenerator { rng: ivy_drjit::rng(seed) }
    }

    fn clone(&self) -> DrjitGenerator {
        DrjitGenerator { rng: self.rng.clone() }
    }

    fn uniform(&mut self, py: Python<'_>, ty: &DrjitType, shape: Vec<usize>, low: f64, high: f64) -> Object {
        object(py, here(py, || self.rng.uniform(ty.0, &shape, low, high))?)
    }

    fn random(&mut self, py: Python<'_>, ty: &DrjitType, shape: Vec<usize>) -> Object {
        object(py, here(py, || self.rng.random(ty.0, &shape))?)
    }

    fn normal(&mut self, py: Python<'_>, ty: &DrjitType, shape: Vec<usize>, mean: f64, scale: f64) -> Object {
        object(py, here(py, || self.rng.normal(ty.0, &shape, mean, scale))?)
    }

    fn integers(&mut self, py: Python<'_>, ty: &DrjitType, shape: Vec<usize>, low: i64, high: i64) -> Object {
        object(py, here(py, || self.rng.integers(ty.0, &shape, low, high))?)
    }

    fn permutation(&mut self, py: Python<'_>, ty: &DrjitType, count: usize) -> Object {
        object(py, here(py, || self.rng.permutation(ty.0, count))?)
    }
}

/// The elements of a flat array in a random order.
#[pyfunction]
fn shuffle(py: Python<'_>, x: &Bound<'_, PyAny>, seed: u64) -> Object {
    object(py, ivy_drjit::shuffle(array(x)?, seed).map_err(failure)?)
}

/// The numbers of the elements of a flat array of a package, from 0 on.
#[pyfunction]
fn counter(py: Python<'_>, ty: &DrjitType, size: usize) -> Object {
    let ty = ArrayType::flat(ty.0.package(), VarType::UInt32);
    object(py, here(py, || ty.arange(0.0, size as f64, 1.0))?)
}

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(shuffle, module)?)?;
    module.add_function(wrap_pyfunction!(counter, module)?)
}
