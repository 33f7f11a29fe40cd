//! Functions of arrays with arguments other than arrays: powers, reductions, forms, creation.

use super::convert::{arg, array, evaluated, here, object, tuple, vector, vector_arg};
use super::elementwise::called;
use super::error::failure;
use super::object::DrjitArray;
use super::types::DrjitType;
use crate::error::{Fallible, type_error, value_error};
use ivy_drjit::{AnyArray, Arg, Axis, Boundary, Convolution, Error, Filter, IntoArg, Order};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyType};

type Object = Fallible<Py<PyAny>>;

/// A number or an array to the power of another one.
pub(super) fn power_of(x: impl IntoArg, y: impl IntoArg) -> ivy_drjit::Result<AnyArray> {
    let (x, y) = (x.into_arg(), y.into_arg());
    match (&x, &y) {
        // The base is of the exponent's type.
        (Arg::Scalar(base), Arg::Array(exponent) | Arg::Foreign(exponent)) => {
            let ty = ivy_drjit::scalar_type("power", exponent.ty(), base.kind())?;
            ivy_drjit::power(ty.make(x)?, y)
        }
        _ => ivy_drjit::power(x, y),
    }
}

#[pyfunction]
fn power(py: Python<'_>, x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> Object {
    object(py, called(py, [arg(x)?, arg(y)?], |[x, y]| power_of(x, y))?)
}

#[pyfunction]
fn sincos(py: Python<'_>, x: &Bound<'_, PyAny>) -> Object {
    let x = arg(x)?;
    let (sin, cos) = here(py, || ivy_drjit::sincos(x))?;
    tuple(py, [sin, cos])
}

#[pyfunction]
fn sincosh(py: Python<'_>, x: &Bound<'_, PyAny>) -> Object {
    let x = arg(x)?;
    let (sinh, cosh) = here(py, || ivy_drjit::sincosh(x))?;
    tuple(py, [sinh, cosh])
}

/// The real part; of real arrays they themselves.
#[pyfunction]
fn real(py: Python<'_>, x: &Bound<'_, PyAny>) -> Object {
    object(py, array(x)?.real().map_err(failure)?)
}

#[pyfunction]
fn imag(py: Python<'_>, x: &Bound<'_, PyAny>) -> Object {
    object(py, array(x)?.imag().map_err(failure)?)
}

/// Whether all elements of two values are close.
#[pyfunction]
fn allclose(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    rtol: f64,
    atol: f64,
) -> Fallible<bool> {
    let (a, b) = (arg(a)?, arg(b)?);
    here(py, || ivy_drjit::allclose(a, b, rtol, atol))
}

/// A reduction by its name. The axes: none for the default, an empty list for all.
#[pyfunction]
fn reduce(
    py: Python<'_>,
    name: &str,
    x: &Bound<'_, PyAny>,
    axes: Option<Vec<i64>>,
    all: bool,
    kept: bool,
) -> Object {
    let x = arg(x)?;
    let axis = match axes {
        None if all => Axis::All,
        None => Axis::Default,
        Some(axes) => Axis::Of(axes),
    };
    let axis = if kept { axis.kept() } else { axis };
    object(
        py,
        here(py, || match name {
            "sum" => ivy_drjit::sum(x, axis),
            "prod" => ivy_drjit::prod(x, axis),
            "max" => ivy_drjit::max(x, axis),
            "min" => ivy_drjit::min(x, axis),
            "all" => ivy_drjit::all(x, axis),
            "any" => ivy_drjit::any(x, axis),
            "none" => ivy_drjit::none(x, axis),
            "count" => ivy_drjit::count(x, axis),
            "mean" => ivy_drjit::mean(x, axis),
            other => Err(Error::InvalidArgument {
                function: "reduce",
                argument: "name",
                value: other.into(),
                rule: "a reduction",
            }),
        })?,
    )
}

/// The type in which values are computed together; Python's numbers among them have none by themselves.
#[pyfunction]
fn expr_t(py: Python<'_>, values: &Bound<'_, PyList>) -> Fallible<Option<Py<PyType>>> {
    let mut ty: Option<ivy_drjit::ArrayType> = None;
    let mut numbers = Vec::new();
    for value in values.iter() {
        if let Ok(own) = value.cast::<DrjitType>() {
            let own = own.get().0;
            ty = Some(match ty {
                Some(ty) => ivy_drjit::expr_t(ty, own).map_err(failure)?,
                None => own,
            });
        } else if let Arg::Scalar(number) = arg(&value)? {
            numbers.push(number.kind());
        }
    }
    let Some(mut ty) = ty else { return Ok(None) };
    for kind in numbers {
        ty = ivy_drjit::scalar_type("expr_t", ty, kind).map_err(failure)?;
    }
    Ok(Some(super::classes::class_of(py, ty)?.unbind()))
}

fn order(name: &str) -> Fallible<Order> {
    match name {
        "A" => Ok(Order::Auto),
        "C" => Ok(Order::C),
        "F" => Ok(Order::F),
        _ => value_error(format!("order is '{name}': 'A', 'C' or 'F' is needed")),
    }
}

#[pyfunction]
#[pyo3(signature = (array, order = "A"))]
fn ravel(py: Python<'_>, array: &Bound<'_, PyAny>, order: &str) -> Object {
    let (x, order) = (arg(array)?, self::order(order)?);
    object(py, here(py, || ivy_drjit::ravel(x, order))?)
}

#[pyfunction]
fn unravel(py: Python<'_>, ty: &DrjitType, array: &Bound<'_, PyAny>, order: &str) -> Object {
    let (x, order) = (arg(array)?, self::order(order)?);
    object(py, here(py, || ivy_drjit::unravel(ty.0, x, order))?)
}

/// A flat array or tensor as a tensor of a shape.
#[pyfunction]
fn reshaped(py: Python<'_>, x: &Bound<'_, PyAny>, shape: Vec<i64>) -> Object {
    let x = arg(x)?;
    object(py, here(py, || ivy_drjit::reshape(x, &shape))?)
}

#[pyfunction]
fn concatenate(py: Python<'_>, parts: &Bound<'_, PyList>) -> Object {
    let parts = parts.iter().map(|x| vector_arg(&x)).collect::<Fallible<Vec<_>>>()?;
    object(py, here(py, || ivy_drjit::concatenate(parts))?)
}

#[pyfunction]
fn tile_vectors(py: Python<'_>, x: &Bound<'_, PyAny>, count: usize) -> Object {
    object(py, ivy_drjit::tile(vector(array(x)?)?, count).map_err(failure)?)
}

#[pyfunction]
fn repeat_vectors(py: Python<'_>, x: &Bound<'_, PyAny>, count: usize) -> Object {
    object(py, ivy_drjit::repeat(vector(array(x)?)?, count).map_err(failure)?)
}

#[pyfunction]
fn reverse_vectors(py: Python<'_>, x: &Bound<'_, PyAny>) -> Object {
    object(py, ivy_drjit::reverse(vector(array(x)?)?).map_err(failure)?)
}

#[pyfunction]
fn meshgrid(py: Python<'_>, args: &Bound<'_, PyList>, ij: bool) -> Object {
    let args = super::convert::arrays(args)?;
    tuple(py, ivy_drjit::meshgrid(args, ij).map_err(failure)?)
}

#[pyfunction]
fn rotate(py: Python<'_>, axis: &Bound<'_, PyAny>, angle: &Bound<'_, PyAny>) -> Object {
    let (axis, angle) = (arg(axis)?, arg(angle)?);
    object(py, here(py, || ivy_drjit::rotate(axis, angle))?)
}

#[pyfunction]
fn quat_to_matrix(py: Python<'_>, q: &Bound<'_, PyAny>, rows: usize) -> Object {
    object(py, ivy_drjit::quat_to_matrix(array(q)?, rows).map_err(failure)?)
}

#[pyfunction]
fn polar_decomp(py: Python<'_>, m: &Bound<'_, PyAny>) -> Object {
    let (q, p) = ivy_drjit::polar_decomp(array(m)?).map_err(failure)?;
    tuple(py, [q, p])
}

#[pyfunction]
fn transform_decompose(py: Python<'_>, m: &Bound<'_, PyAny>) -> Object {
    let (s, q, t) = ivy_drjit::transform_decompose(array(m)?).map_err(failure)?;
    tuple(py, [s, q, t])
}

#[pyfunction]
fn sh_eval(py: Python<'_>, d: &Bound<'_, PyAny>, order: usize) -> Object {
    let made = ivy_drjit::sh_eval(array(d)?, order).map_err(failure)?;
    let objects = made.into_iter().map(|x| object(py, x)).collect::<Fallible<Vec<_>>>()?;
    Ok(PyList::new(py, objects)?.into_any().unbind())
}

#[pyfunction]
fn morton_decode(py: Python<'_>, ty: &DrjitType, code: &Bound<'_, PyAny>) -> Object {
    object(py, ivy_drjit::morton_decode(ty.0, array(code)?).map_err(failure)?)
}

#[pyfunction]
fn reinterpret_array(py: Python<'_>, ty: &DrjitType, x: &Bound<'_, PyAny>) -> Object {
    let x = array(x)?;
    object(py, evaluated(py, || ivy_drjit::reinterpret_array(ty.0, x))?)
}

#[pyfunction]
fn cast(py: Python<'_>, ty: &DrjitType, x: &Bound<'_, PyAny>) -> Object {
    let x = arg(x)?;
    object(py, here(py, || ty.0.make(x))?)
}

/// The value in vectors of so many elements.
#[pyfunction]
fn full(py: Python<'_>, ty: &DrjitType, value: &Bound<'_, PyAny>, size: usize) -> Object {
    let Arg::Scalar(number) = arg(value)? else {
        return type_error("a number is needed to fill an array with");
    };
    object(py, here(py, || ty.0.full(number, size))?)
}

/// Ones: complex numbers and quaternions are 1.
#[pyfunction]
fn ones(py: Python<'_>, ty: &DrjitType, size: usize) -> Object {
    object(py, here(py, || ty.0.ones(size))?)
}

#[pyfunction]
fn full_tensor(py: Python<'_>, ty: &DrjitType, value: &Bound<'_, PyAny>, shape: Vec<usize>) -> Object {
    let Arg::Scalar(number) = arg(value)? else {
        return type_error("a number is needed to fill a tensor with");
    };
    object(py, here(py, || ty.0.full_tensor(number, &shape))?)
}

#[pyfunction]
fn arange(py: Python<'_>, ty: &DrjitType, start: f64, stop: f64, step: f64) -> Object {
    object(py, here(py, || ty.0.arange(start, stop, step))?)
}

#[pyfunction]
fn linspace(py: Python<'_>, ty: &DrjitType, start: f64, stop: f64, count: usize, endpoint: bool) -> Object {
    object(py, here(py, || ty.0.linspace(start, stop, count, endpoint))?)
}

/// An array of a nested type, of its entries.
#[pyfunction]
fn from_parts(py: Python<'_>, ty: &DrjitType, parts: &Bound<'_, PyList>) -> Object {
    object(py, AnyArray::from_parts(ty.0, super::convert::arrays(parts)?).map_err(failure)?)
}

/// The array of a flat type or a tensor that holds one of ivyrs.
#[pyfunction]
fn from_core(py: Python<'_>, ty: &DrjitType, core: &crate::array::PyArray) -> Object {
    let x = AnyArray::from_core(ivy_drjit::Package::SCALAR, core.array()?.clone()).map_err(failure)?;
    object(py, here(py, || x.cast_to(ty.0))?)
}

/// How many threads arrays stand for together; nothing where their sizes do not go together.
#[pyfunction]
fn width(arrays: &Bound<'_, PyList>) -> Fallible<Option<usize>> {
    let mut common = None;
    for x in super::convert::arrays(arrays)? {
        let Some(width) = x.width() else { return Ok(None) };
        common = match common {
            None | Some(1) => Some(width),
            Some(own) if width == 1 || own == width => Some(own),
            Some(_) => return Ok(None),
        };
    }
    Ok(common)
}

/// The position of an array without elements among others that have some: a variable that was never assigned to.
#[pyfunction]
fn unassigned(list: &Bound<'_, PyList>) -> Fallible<Option<usize>> {
    let arrays = super::convert::arrays(list)?;
    let is_empty = |x: &AnyArray| x.width() == Some(0);
    if arrays.len() < 2 || arrays.iter().all(is_empty) {
        return Ok(None);
    }
    Ok(arrays.iter().position(|x| is_empty(x) && x.ty().is_jit_v()))
}

/// The lengths of an array's levels; nothing for a ragged one.
#[pyfunction]
fn shape(x: &Bound<'_, PyAny>) -> Fallible<Option<Vec<usize>>> {
    Ok(array(x)?.shape())
}

/// The text of an array, with so many entries of a dimension written in full.
#[pyfunction]
fn text(py: Python<'_>, x: &Bound<'_, PyAny>, limit: Option<usize>) -> Fallible<String> {
    let x = array(x)?;
    evaluated(py, || ivy_drjit::format_with_limit("{}", &[("", x.into())], limit))
}

fn boundary(name: &str) -> Fallible<Boundary> {
    Ok(match name {
        "zero" => Boundary::Zero,
        "nearest" => Boundary::Nearest,
        "wrap" => Boundary::Wrap,
        "reflect" => Boundary::Reflect,
        "mirror" => Boundary::Mirror,
        _ => {
            let names = "'zero', 'nearest', 'wrap', 'reflect' or 'mirror'";
            return value_error(format!("boundary is '{name}': {names} is needed"));
        }
    })
}

/// A filter by its name, or a function of the distance that is 0 from a radius on.
fn filter(filter: &Bound<'_, PyAny>, radius: Option<f64>) -> Fallible<Filter> {
    if let Ok(name) = filter.extract::<String>() {
        return Ok(match name.as_str() {
            "box" => Filter::Box,
            "linear" => Filter::Linear,
            "hamming" => Filter::Hamming,
            "cubic" => Filter::Cubic,
            "lanczos" => Filter::Lanczos,
            "gaussian" => Filter::Gaussian,
            _ => {
                let names = "'box', 'linear', 'hamming', 'cubic', 'lanczos', 'gaussian' or a function";
                return value_error(format!("filter is '{name}': {names} is needed"));
            }
        });
    }
    let Some(radius) = radius else {
        return value_error("a filter that is a function needs `filter_radius`");
    };
    let function = filter.clone().unbind();
    // Asked once for each distance, when the weights are made; what is no number counts nothing.
    let at = move |x: f64| {
        Python::attach(|py| function.call1(py, (x,)).and_then(|y| y.extract::<f64>(py)).unwrap_or(f64::NAN))
    };
    Ok(Filter::Custom(std::sync::Arc::new(at), radius))
}

#[pyfunction]
fn resample(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    shape: Vec<usize>,
    kind: &Bound<'_, PyAny>,
    radius: Option<f64>,
    boundary: &str,
) -> Object {
    let (filter, boundary) = (filter(kind, radius)?, self::boundary(boundary)?);
    object(py, ivy_drjit::resample(array(source)?, &shape, &filter, boundary).map_err(failure)?)
}

#[pyfunction]
fn convolve(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    kind: &Bound<'_, PyAny>,
    radius: Option<f64>,
    axes: Option<Vec<i64>>,
    boundary: &str,
    normalize: bool,
) -> Object {
    let discrete =
        (kind.cast::<DrjitArray>().ok().map(|own| own.borrow().value(py)?.to_scalars().map_err(failure)))
            .transpose()?
            .map(|numbers| numbers.iter().map(|number| number.to_f64()).collect::<Vec<f64>>());
    let kernel = match (discrete, kind.extract::<Vec<f64>>()) {
        (Some(numbers), _) | (None, Ok(numbers)) => Convolution::Discrete(numbers),
        (None, Err(_)) => {
            let filter = filter(kind, radius)?;
            let scale = radius.map_or(1.0, |radius| radius / filter.radius());
            Convolution::Filter(filter, scale)
        }
    };
    let boundary = self::boundary(boundary)?;
    let axes = axes.unwrap_or_default();
    object(py, ivy_drjit::convolve(array(source)?, &kernel, &axes, boundary, normalize).map_err(failure)?)
}

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    for function in [
        wrap_pyfunction!(power, module)?,
        wrap_pyfunction!(sincos, module)?,
        wrap_pyfunction!(sincosh, module)?,
        wrap_pyfunction!(real, module)?,
        wrap_pyfunction!(imag, module)?,
        wrap_pyfunction!(allclose, module)?,
        wrap_pyfunction!(reduce, module)?,
        wrap_pyfunction!(expr_t, module)?,
        wrap_pyfunction!(ravel, module)?,
        wrap_pyfunction!(unravel, module)?,
        wrap_pyfunction!(reshaped, module)?,
        wrap_pyfunction!(concatenate, module)?,
        wrap_pyfunction!(tile_vectors, module)?,
        wrap_pyfunction!(repeat_vectors, module)?,
        wrap_pyfunction!(reverse_vectors, module)?,
        wrap_pyfunction!(meshgrid, module)?,
        wrap_pyfunction!(rotate, module)?,
        wrap_pyfunction!(quat_to_matrix, module)?,
        wrap_pyfunction!(polar_decomp, module)?,
        wrap_pyfunction!(transform_decompose, module)?,
        wrap_pyfunction!(sh_eval, module)?,
        wrap_pyfunction!(morton_decode, module)?,
        wrap_pyfunction!(reinterpret_array, module)?,
        wrap_pyfunction!(cast, module)?,
        wrap_pyfunction!(full, module)?,
        wrap_pyfunction!(ones, module)?,
        wrap_pyfunction!(full_tensor, module)?,
        wrap_pyfunction!(arange, module)?,
        wrap_pyfunction!(linspace, module)?,
        wrap_pyfunction!(from_parts, module)?,
        wrap_pyfunction!(from_core, module)?,
        wrap_pyfunction!(width, module)?,
        wrap_pyfunction!(unassigned, module)?,
        wrap_pyfunction!(shape, module)?,
        wrap_pyfunction!(text, module)?,
        wrap_pyfunction!(resample, module)?,
        wrap_pyfunction!(convolve, module)?,
    ] {
        module.add_function(function)?;
    }
    Ok(())
}
