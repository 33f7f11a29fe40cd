//! Textures.

use super::convert::{arg, array, here, object, vector};
use super::error::failure;
use super::types::DrjitType;
use crate::error::{Fallible, value_error};
use ivy_drjit::{AnyArray, AnyTexture, ArrayType, FilterMode, Kind, Size, WrapMode};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

type Object = Fallible<Py<PyAny>>;

/// A texture of a flat type, whose elements are those of an object that Python holds.
#[pyclass(module = "ivyrs._ivyrs", frozen)]
pub(crate) struct DrjitTexture {
    texture: AnyTexture,
}

/// Channels as one array, as Dr.Jit gives them.
fn joined(channels: Vec<AnyArray>) -> Fallible<AnyArray> {
    let Some(first) = channels.first() else { return value_error("a texture without channels") };
    let size = if channels.len() <= 4 { Size::Fixed(channels.len() as u8) } else { Size::Dynamic };
    let ty = first.ty();
    let whole = ArrayType::nested(ty.package(), Kind::Array, &[size], ty.dtype());
    let refuse = || failure(ivy_drjit::Error::NotSupported { function: "Texture", ty });
    AnyArray::from_parts(whole.ok_or_else(refuse)?, channels).map_err(failure)
}

/// An array for each channel as a list; rows of numbers are matrices.
fn listed<'py>(py: Python<'py>, channels: Vec<AnyArray>) -> Fallible<Bound<'py, PyList>> {
    let matrix = |x: AnyArray| {
        let ty = x.ty();
        let own = ArrayType::nested(ty.package(), Kind::Matrix, ty.sizes(), ty.dtype());
        match own.filter(|_| ty.depth() == 2 && ty.sizes() != [Size::Fixed(1); 2]) {
            Some(own) => x.cast_to(own).map_err(failure),
            None => Ok(x),
        }
    };
    let objects = channels.into_iter().map(|x| object(py, matrix(x)?)).collect::<Fallible<Vec<_>>>()?;
    Ok(PyList::new(py, objects)?)
}

impl DrjitTexture {
    fn found(
        &self,
        py: Python<'_>,
        place: &Bound<'_, PyAny>,
        active: &Bound<'_, PyAny>,
        lookup: fn(&AnyTexture, ivy_drjit::Arg, ivy_drjit::Arg) -> ivy_drjit::Result<Vec<AnyArray>>,
    ) -> Object {
        let (place, active) = (arg(place)?, arg(active)?);
        object(py, joined(here(py, || lookup(&self.texture, place, active))?)?)
    }
}

#[pymethods]
impl DrjitTexture {
    /// A texture with elements, or of zeros; modes by their names.
    #[new]
    fn new(
        py: Python<'_>,
        ty: &DrjitType,
        axes: Vec<usize>,
        channels: usize,
        value: Option<&Bound<'_, PyAny>>,
        filter: &str,
        wrap: &str,
    ) -> Fallible<DrjitTexture> {
        let filter = match filter {
            "Nearest" => FilterMode::Nearest,
            "Linear" => FilterMode::Linear,
            _ => return value_error(format!("there is no filter `{filter}`")),
        };
        let wrap = match wrap {
            "Repeat" => WrapMode::Repeat,
            "Clamp" => WrapMode::Clamp,
            "Mirror" => WrapMode::Mirror,
            _ => return value_error(format!("there is no way to wrap `{wrap}`")),
        };
        let mut texture = here(py, || AnyTexture::new(ty.0, &axes, channels))?;
        if let Some(value) = value {
            texture.set_value(vector(array(value)?)?).map_err(failure)?;
        }
        Ok(DrjitTexture { texture: texture.with_filter(filter).with_wrap(wrap) })
    }

    /// The elements as a flat array.
    fn value(&self, py: Python<'_>) -> Object {
        object(py, self.texture.value().clone())
    }

    fn eval(&self, py: Python<'_>, place: &Bound<'_, PyAny>, active: &Bound<'_, PyAny>) -> Object {
        self.found(py, place, active, |texture, place, active| texture.eval(place, active))
    }

    fn eval_cubic(&self, py: Python<'_>, place: &Bound<'_, PyAny>, active: &Bound<'_, PyAny>) -> Object {
        self.found(py, place, active, |texture, place, active| texture.eval_cubic(place, active))
    }

    fn eval_fetch(&self, py: Python<'_>, place: &Bound<'_, PyAny>, active: &Bound<'_, PyAny>) -> Object {
        let (place, active) = (arg(place)?, arg(active)?);
        let corners = here(py, || self.texture.eval_fetch(place, active))?;
        let objects = corners.into_iter().map(|channels| object(py, joined(channels)?));
        Ok(PyTuple::new(py, objects.collect::<Fallible<Vec<_>>>()?)?.into_any().unbind())
    }

    fn eval_cubic_grad<'py>(
        &self,
        py: Python<'py>,
        place: &Bound<'py, PyAny>,
        active: &Bound<'py, PyAny>,
    ) -> Fallible<(Py<PyAny>, Bound<'py, PyList>)> {
        let (place, active) = (arg(place)?, arg(active)?);
        let (value, slopes) = here(py, || self.texture.eval_cubic_grad(place, active))?;
        Ok((object(py, joined(value)?)?, listed(py, slopes)?))
    }

    fn eval_cubic_hessian<'py>(
        &self,
        py: Python<'py>,
        place: &Bound<'py, PyAny>,
        active: &Bound<'py, PyAny>,
    ) -> Fallible<(Py<PyAny>, Bound<'py, PyList>, Bound<'py, PyList>)> {
        let (place, active) = (arg(place)?, arg(active)?);
        let (value, slopes, curves) = here(py, || self.texture.eval_cubic_hessian(place, active))?;
        Ok((object(py, joined(value)?)?, listed(py, slopes)?, listed(py, curves)?))
    }
}
