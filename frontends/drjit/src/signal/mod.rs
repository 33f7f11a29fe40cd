//! Arrays at another resolution, and arrays beside their neighbours.

mod filters;
mod taps;

pub use filters::{Boundary, Filter};

use crate::array::{AnyArray, IntoArg};
use crate::ops::array;
use crate::types::{ArrayType, Kind};
use crate::{Error, Result};
use taps::Taps;

/// The elements of a flat array or tensor of floats, and its shape.
fn parts(function: &'static str, x: &AnyArray) -> Result<(AnyArray, Vec<usize>)> {
    let ty = x.ty();
    if !matches!(ty.kind(), Kind::Flat | Kind::Tensor) || !ty.is_float_v() {
        return Err(Error::NotSupported { function, ty });
    }
    let shape = x.to_core().map(|array| array.shape().to_vec()).unwrap_or_default();
    let elements = if ty.kind() == Kind::Tensor { crate::ravel(x, crate::Order::C)? } else { x.clone() };
    Ok((elements, shape))
}

fn whole(ty: ArrayType, elements: AnyArray, shape: &[usize]) -> Result<AnyArray> {
    if ty.kind() == Kind::Tensor { crate::shape::tensor(ty, &elements, shape) } else { Ok(elements) }
}

fn refuse(
    function: &'static str,
    argument: &'static str,
    value: impl std::fmt::Debug,
    rule: &'static str,
) -> Error {
    Error::InvalidArgument { function, argument, value: format!("{value:?}"), rule }
}

/// A flat array or tensor with other lengths of its axes, axis by axis through a filter: greater ones interpolate, smaller ones average.
/// Gradients pass through it.
///
/// ```
/// use ivy_drjit::{Boundary, Filter, llvm::Float, resample};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// let x = Float::new([0, 2, 4, 6])?;
/// assert_eq!(resample(&x, &[2], &Filter::Box, Boundary::Zero)?.to_string(), "[1, 5]");
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
///
/// # Errors
/// [`Error::NotSupported`] for nested arrays and what are no floats; [`Error::InvalidArgument`] for another number of axes, or axes
/// without elements.
pub fn resample(
    source: impl IntoArg,
    shape: &[usize],
    filter: &Filter,
    boundary: Boundary,
) -> Result<AnyArray> {
    const NAME: &str = "resample";
    let source = array(NAME, source.into_arg())?;
    let (mut elements, mut own) = parts(NAME, &source)?;
    if own.len() != shape.len() || own.contains(&0) || shape.contains(&0) {
        return Err(refuse(NAME, "shape", shape, "a length of at least 1 for each axis of the array"));
    }
    for axis in
        (0..own.len()).rev().filter(|&axis| source.to_core().is_some_and(|x| x.shape()[axis] != shape[axis]))
    {
        let taps = Taps::resampling(own[axis], shape[axis], filter, boundary);
        elements = taps.apply(NAME, &elements, &own, axis)?;
        own[axis] = shape[axis];
    }
    whole(source.ty(), elements, &own)
}

/// What is convolved with.
#[derive(Clone, Debug)]
pub enum Convolution {
    /// The numbers themselves: the result is the middle of the full convolution, as NumPy's `same`.
    Discrete(Vec<f64>),
    /// A filter at whole distances, so many times as wide.
    Filter(Filter, f64),
}

/// A flat array or tensor of which each element is a weighted sum of its neighbours along some axes, all of them if none are given.
/// `normalize` makes the weights' sum 1, so that what is constant stays. Gradients pass through it.
///
/// ```
/// use ivy_drjit::{Boundary, Convolution, convolve, llvm::Float};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// let x = Float::new([1, 2, 4])?;
/// let y = convolve(&x, &Convolution::Discrete(vec![1.0, 0.0, -1.0]), &[], Boundary::Zero, false)?;
/// assert_eq!(y.to_string(), "[2, 3, -2]");
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
///
/// # Errors
/// [`Error::NotSupported`] for nested arrays and what are no floats; [`Error::InvalidArgument`] for an axis that is not there, no numbers,
/// a width that is not above 0, or weights whose sum is 0 and that are to be normalised.
pub fn convolve(
    source: impl IntoArg,
    kernel: &Convolution,
    axes: &[i64],
    boundary: Boundary,
    normalize: bool,
) -> Result<AnyArray> {
    const NAME: &str = "convolve";
    let source = array(NAME, source.into_arg())?;
    let (mut elements, shape) = parts(NAME, &source)?;
    let rank = shape.len();
    let place = |&axis: &i64| {
        let place = if axis < 0 { axis.saturating_add(rank as i64) } else { axis };
        let inside = usize::try_from(place).ok().filter(|&place| place < rank);
        inside.ok_or_else(|| refuse(NAME, "axis", axis, "an axis of the array"))
    };
    let axes = match axes.is_empty() {
        true => (0..rank).collect(),
        false => axes.iter().map(place).collect::<Result<Vec<_>>>()?,
    };
    if shape.contains(&0) {
        return Ok(source);
    }
    for axis in axes {
        let taps = Taps::convolution(shape[axis], kernel, boundary, normalize)?;
        elements = taps.apply(NAME, &elements, &shape, axis)?;
    }
    whole(source.ty(), elements, &shape)
}
