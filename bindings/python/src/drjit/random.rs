//! Generators of random numbers.

use super::convert::{arg, array, here, object};
use super::error::failure;
use super::types::DrjitType;
use crate::error::{Fallible, value_error};
use ivy_drjit::{Arg, ArrayType, Draw, Generator, Package, Pcg32, Philox4x32, Step, VarType};
use pyo3::IntoPyObjectExt;
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

    /// The next numbers of a kind, or those before, such as `next_float16` and `prev_float64_normal`, for the threads of a mask.
    fn draw(&mut self, py: Python<'_>, name: &str, active: &Bound<'_, PyAny>) -> Object {
        let (direction, kind) = name.split_once('_').unwrap_or_default();
        let step = if direction == "prev" { Step::Previous } else { Step::Next };
        let kind = match kind {
            "uint32" => Draw::Bits(VarType::UInt32),
            "uint64" => Draw::Bits(VarType::UInt64),
            "float16" => Draw::Uniform(VarType::Float16),
            "float32" => Draw::Uniform(VarType::Float32),
            "float64" => Draw::Uniform(VarType::Float64),
            "float16_normal" => Draw::Normal(VarType::Float16),
            "float32_normal" => Draw::Normal(VarType::Float32),
            "float64_normal" => Draw::Normal(VarType::Float64),
            _ => return value_error(format!("PCG32 has no numbers of the kind `{name}`")),
        };
        object(py, self.rng.draw(step, kind, arg(active)?).map_err(failure)?)
    }

    /// The next integers below a bound, of 32 or 64 bits.
    fn draw_bounded(&mut self, py: Python<'_>, bits: u32, bound: u64, active: &Bound<'_, PyAny>) -> Object {
        let dtype = if bits == 32 { VarType::UInt32 } else { VarType::UInt64 };
        let active = arg(active)?;
        object(py, here(py, || self.rng.draw_bounded(bound, dtype, active))?)
    }

    fn advance(&mut self, steps: &Bound<'_, PyAny>) -> Fallible<()> {
        self.rng.advance(arg(steps)?).map_err(failure)
    }

    /// How many steps lead from another generator to this one.
    fn distance(&self, py: Python<'_>, from: &DrjitPcg32) -> Object {
        object(py, self.rng.distance(&from.rng).map_err(failure)?)
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

    #[setter]
    fn set_iterations(&mut self, iterations: u32) -> Fallible<()> {
        self.rng.set_iterations(iterations).map_err(failure)
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
            "float16x4" => rng.next_float16x4(),
            "float32x4" => rng.next_float32x4(),
            "float64x2" => rng.next_float64x2(),
            "float16x4_normal" => rng.next_float16x4_normal(),
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
    symbolic: bool,
}

/// A part of a generator's state as Python has it.
fn part(py: Python<'_>, part: Arg) -> Fallible<Py<PyAny>> {
    match part {
        Arg::Array(x) => object(py, x),
        Arg::Scalar(x) => Ok(x.to_i128().into_py_any(py)?),
        _ => value_error("a generator's state is made of numbers or of arrays"),
    }
}

#[pymethods]
impl DrjitGenerator {
    #[new]
    fn new(py: Python<'_>, seed: &Bound<'_, PyAny>, symbolic: bool) -> Fallible<DrjitGenerator> {
        let seed = arg(seed)?;
        let rng = here(py, || ivy_drjit::rng(seed))?;
        Ok(DrjitGenerator { rng: if symbolic { rng.symbolic() } else { rng }, symbolic })
    }

    fn clone(&self) -> DrjitGenerator {
        DrjitGenerator { rng: self.rng.clone(), symbolic: self.symbolic }
    }

    /// The seed and the counter, numbers or arrays.
    fn parts(&self, py: Python<'_>) -> Fallible<(Py<PyAny>, Py<PyAny>)> {
        Ok((part(py, self.rng.seed())?, part(py, self.rng.counter())?))
    }

    fn set_parts(
        &mut self,
        py: Python<'_>,
        seed: &Bound<'_, PyAny>,
        counter: &Bound<'_, PyAny>,
    ) -> Fallible<()> {
        let (seed, counter) = (arg(seed)?, arg(counter)?);
        let rng = here(py, || Generator::new(seed, counter))?;
        self.rng = if self.symbolic { rng.symbolic() } else { rng };
        Ok(())
    }

    fn uniform(
        &mut self,
        py: Python<'_>,
        ty: &DrjitType,
        shape: Vec<usize>,
        low: &Bound<'_, PyAny>,
        high: &Bound<'_, PyAny>,
    ) -> Object {
        let (low, high) = (arg(low)?, arg(high)?);
        object(py, here(py, || self.rng.uniform(ty.0, &shape, low, high))?)
    }

    fn random(&mut self, py: Python<'_>, ty: &DrjitType, shape: Vec<usize>) -> Object {
        object(py, here(py, || self.rng.random(ty.0, &shape))?)
    }

    fn normal(
        &mut self,
        py: Python<'_>,
        ty: &DrjitType,
        shape: Vec<usize>,
        mean: &Bound<'_, PyAny>,
        scale: &Bound<'_, PyAny>,
    ) -> Object {
        let (mean, scale) = (arg(mean)?, arg(scale)?);
        object(py, here(py, || self.rng.normal(ty.0, &shape, mean, scale))?)
    }

    fn integers(
        &mut self,
        py: Python<'_>,
        ty: &DrjitType,
        shape: Vec<usize>,
        low: &Bound<'_, PyAny>,
        high: &Bound<'_, PyAny>,
    ) -> Object {
        let (low, high) = (arg(low)?, arg(high)?);
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
