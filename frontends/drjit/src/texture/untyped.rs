//! Textures whose type is known when the program runs.

use super::{FilterMode, WrapMode};
use crate::array::{AnyArray, Arg, IntoArg};
use crate::types::{ArrayType, Kind, Size, VarType};
use crate::{Error, Result};

/// The longest axis: twice as much is an index still.
const LONGEST: usize = 1 << 30;

/// A texture of 1 to 3 axes and channels, of a type that is known when the program runs: [`Texture`](crate::Texture) is one whose type the
/// compiler knows, and has an example.
#[derive(Clone)]
pub struct AnyTexture {
    pub(super) ty: ArrayType,
    pub(super) value: AnyArray,
    /// The axes and the channels.
    pub(super) shape: Vec<usize>,
    pub(super) filter: FilterMode,
    pub(super) wrap: WrapMode,
}

fn invalid(shape: &[usize], rule: &'static str) -> Error {
    Error::InvalidArgument { function: "Texture", argument: "shape", value: format!("{shape:?}"), rule }
}

fn floats(ty: ArrayType) -> Result<()> {
    match ty.kind() == Kind::Flat && ty.is_float_v() {
        true => Ok(()),
        false => Err(Error::NotSupported { function: "Texture", ty }),
    }
}

/// The number of elements of a shape that a texture can have.
fn elements(shape: &[usize]) -> Result<usize> {
    if !(2..=4).contains(&shape.len()) {
        return Err(invalid(shape, "one to three axes of the texture, and one of channels"));
    }
    if shape.contains(&0) || shape.iter().any(|&len| len >= LONGEST) {
        return Err(invalid(shape, "axes from 1 to below 2^30"));
    }
    let count = shape.iter().try_fold(1usize, |count, &len| count.checked_mul(len));
    count.filter(|&count| u32::try_from(count).is_ok()).ok_or_else(|| invalid(shape, "below 2^32 elements"))
}

impl AnyTexture {
    /// The type of the elements.
    pub fn ty(&self) -> ArrayType {
        self.ty
    }

    /// How many axes there are.
    pub fn axes(&self) -> usize {
        self.shape.len() - 1
    }

    /// A texture of zeros, of a flat type of floats.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an axis of length 0 or above 2^30, another number of axes than 1 to 3, and for 2^32 elements or more;
    /// [`Error::NotSupported`] for another type.
    pub fn new(ty: ArrayType, axes: &[usize], channels: usize) -> Result<AnyTexture> {
        floats(ty)?;
        let shape: Vec<usize> = axes.iter().copied().chain([channels]).collect();
        let value = ty.zeros(elements(&shape)?)?;
        Ok(AnyTexture { ty, value, shape, filter: FilterMode::Linear, wrap: WrapMode::Clamp })
    }

    /// A texture of a tensor's elements, whose last axis is the channels.
    ///
    /// # Errors
    /// As [`new`](Self::new); [`Error::WrongType`] for what is no tensor.
    pub fn from_tensor(ty: ArrayType, tensor: &AnyArray) -> Result<AnyTexture> {
        floats(ty)?;
        let (value, shape) = parts(ty, tensor)?;
        Ok(AnyTexture { ty, value, shape, filter: FilterMode::Linear, wrap: WrapMode::Clamp })
    }

    /// The same with another filter.
    #[must_use]
    pub fn with_filter(self, filter: FilterMode) -> AnyTexture {
        AnyTexture { filter, ..self }
    }

    /// The same with another continuation beyond its ends.
    #[must_use]
    pub fn with_wrap(self, wrap: WrapMode) -> AnyTexture {
        AnyTexture { wrap, ..self }
    }

    /// The lengths of the axes, and the number of channels.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// How many channels there are.
    pub fn channels(&self) -> usize {
        self.shape[self.axes()]
    }

    /// What is made of the elements around a place.
    pub fn filter_mode(&self) -> FilterMode {
        self.filter
    }

    /// What stands beyond the ends.
    pub fn wrap_mode(&self) -> WrapMode {
        self.wrap
    }

    /// The elements as a flat array.
    pub fn value(&self) -> &AnyArray {
        &self.value
    }

    /// The elements as a tensor.
    ///
    /// # Errors
    /// No memory.
    pub fn tensor(&self) -> Result<AnyArray> {
        crate::shape::tensor(self.ty.tensor_t(), &self.value, &self.shape)
    }

    /// Replaces the elements by as many others.
    ///
    /// # Errors
    /// [`Error::WrongEntries`] for another number of them; those of the conversion.
    pub fn set_value(&mut self, value: impl IntoArg) -> Result<()> {
        let value = self.ty.make(value)?;
        let (expected, got) = (self.shape.iter().product(), value.len());
        if got != expected {
            return Err(Error::WrongEntries { ty: self.ty, expected, got });
        }
        self.value = value;
        Ok(())
    }

    /// Replaces the elements by those of a tensor, which may have another shape.
    ///
    /// # Errors
    /// As [`from_tensor`](Self::from_tensor).
    pub fn set_tensor(&mut self, tensor: &AnyArray) -> Result<()> {
        let (value, shape) = parts(self.ty, tensor)?;
        if shape.len() != self.shape.len() {
            return Err(invalid(&shape, "as many axes as the texture has, and one of channels"));
        }
        (self.value, self.shape) = (value, shape);
        Ok(())
    }

    /// The components of a place, in the float type in which it is computed, and the type of results.
    pub(super) fn place(&self, function: &'static str, place: Arg) -> Result<(Vec<AnyArray>, ArrayType)> {
        let axes = self.axes();
        let size = [Size::Fixed(axes as u8)];
        let of = |ty: ArrayType| ArrayType::nested(ty.package(), Kind::Array, &size, ty.dtype());
        let refuse = |actual| {
            let expected = format!("an array of {axes} floats");
            Error::WrongType { function, argument: "the place", expected, actual }
        };
        let place = match place {
            Arg::Array(x) => x,
            other => of(self.ty).ok_or_else(|| refuse(self.ty))?.make(other)?,
        };
        let ty = place.ty();
        let package = ty.package().promote(self.ty.package()).ok_or_else(|| refuse(ty))?;
        let components = match (ty.kind(), place.leaf()) {
            (Kind::Flat, Some(_)) if axes == 1 => vec![place.clone()],
            (Kind::Array, None) if ty.depth() == 1 => place.entries().to_vec(),
            _ => return Err(refuse(ty)),
        };
        if components.len() != axes || !ty.is_float_v() {
            return Err(refuse(ty));
        }
        let result = ArrayType::flat(package, ty.dtype());
        let computed = if ty.is_half_v() { result.with_dtype(VarType::Float32) } else { result };
        Ok((components.iter().map(|x| x.cast_to(computed)).collect::<Result<_>>()?, result))
    }
}

/// The elements and the shape of a tensor.
fn parts(ty: ArrayType, tensor: &AnyArray) -> Result<(AnyArray, Vec<usize>)> {
    if tensor.ty().kind() != Kind::Tensor {
        let expected = "a tensor".into();
        let (function, argument) = ("Texture", "the elements");
        return Err(Error::WrongType { function, argument, expected, actual: tensor.ty() });
    }
    let shape = tensor.shape().unwrap_or_default();
    elements(&shape)?;
    Ok((crate::ravel(tensor.cast_to(ty.tensor_t())?, crate::Order::C)?, shape))
}
