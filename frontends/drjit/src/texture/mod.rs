//! Textures: elements at equal distances, looked up at places between them.

mod cubic;
mod lookup;

use crate::array::{AnyArray, Arg, IntoArg, Mark, Traverse};
use crate::types::{ArrayType, Kind, Size, VarType};
use crate::{Error, Result};
use std::marker::PhantomData;

/// What is made of the elements around a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FilterMode {
    /// The nearest one.
    Nearest,
    /// Those on either side, in the proportion of their distances.
    #[default]
    Linear,
}

/// What stands beyond the ends of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WrapMode {
    /// The elements again from the other end.
    Repeat,
    /// The element at the end.
    #[default]
    Clamp,
    /// The elements in the other direction.
    Mirror,
}

/// The longest axis: twice as much is an index still.
const LONGEST: usize = 1 << 30;

/// A texture of `D` axes, 1 to 3, and channels, under names such as [`llvm::Texture2f`](crate::llvm::Texture2f).
///
/// Its elements are those of a tensor whose last axis is the channels. A place is given in the unit cube, the component `x` along the
/// last axis before the channels: an element stands in the middle of its part of the axis. Lookups give an array for each channel, of
/// the place's float type, and gradients pass to the place and to the elements.
///
/// ```
/// use ivy_drjit::llvm::{Array2f, TensorXf, Texture2f};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// let image = TensorXf::TYPE.make_tensor([0, 1, 2, 3], &[2, 2, 1])?;
/// let texture = Texture2f::from_tensor(&image)?;
/// let colour = texture.eval(&Array2f::new([[0.25, 0.5], [0.25, 0.75]])?, true)?;
/// assert_eq!(colour[0].to_string(), "[0, 2.5]");
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
pub struct Texture<M, const D: usize> {
    value: AnyArray,
    /// The axes and the channels.
    shape: Vec<usize>,
    filter: FilterMode,
    wrap: WrapMode,
    mark: PhantomData<fn() -> M>,
}

impl<M, const D: usize> Clone for Texture<M, D> {
    fn clone(&self) -> Texture<M, D> {
        let Texture { value, shape, filter, wrap, mark } = self;
        Texture { value: value.clone(), shape: shape.clone(), filter: *filter, wrap: *wrap, mark: *mark }
    }
}

fn invalid(shape: &[usize], rule: &'static str) -> Error {
    Error::InvalidArgument { function: "Texture", argument: "shape", value: format!("{shape:?}"), rule }
}

/// The number of elements of a shape that a texture can have.
fn elements(shape: &[usize], axes: usize) -> Result<usize> {
    if !(1..=3).contains(&axes) || shape.len() != axes + 1 {
        return Err(invalid(shape, "one to three axes of the texture, and one of channels"));
    }
    if shape.contains(&0) || shape.iter().any(|&len| len >= LONGEST) {
        return Err(invalid(shape, "axes from 1 to below 2^30"));
    }
    let count = shape.iter().try_fold(1usize, |count, &len| count.checked_mul(len));
    count.filter(|&count| u32::try_from(count).is_ok()).ok_or_else(|| invalid(shape, "below 2^32 elements"))
}

impl<M: Mark, const D: usize> Texture<M, D> {
    /// The type of the elements.
    pub const TYPE: ArrayType = M::TYPE;

    /// A texture of zeros.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an axis of length 0 or above 2^30, and for 2^32 elements or more.
    pub fn new(shape: [usize; D], channels: usize) -> Result<Texture<M, D>> {
        let shape: Vec<usize> = shape.into_iter().chain([channels]).collect();
        let value = M::TYPE.zeros(elements(&shape, D)?)?;
        Ok(Texture { value, shape, filter: FilterMode::Linear, wrap: WrapMode::Clamp, mark: PhantomData })
    }

    /// A texture of a tensor's elements, whose last axis is the channels.
    ///
    /// # Errors
    /// As [`new`](Self::new); [`Error::WrongType`] for what is no tensor.
    pub fn from_tensor(tensor: &AnyArray) -> Result<Texture<M, D>> {
        let (value, shape) = parts::<D>(M::TYPE, tensor)?;
        Ok(Texture { value, shape, filter: FilterMode::Linear, wrap: WrapMode::Clamp, mark: PhantomData })
    }

    /// The same with another filter.
    #[must_use]
    pub fn with_filter(self, filter: FilterMode) -> Texture<M, D> {
        Texture { filter, ..self }
    }

    /// The same with another continuation beyond its ends.
    #[must_use]
    pub fn with_wrap(self, wrap: WrapMode) -> Texture<M, D> {
        Texture { wrap, ..self }
    }

    /// The lengths of the axes, and the number of channels.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// How many channels there are.
    pub fn channels(&self) -> usize {
        self.shape[D]
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
        crate::shape::tensor(M::TYPE.tensor_t(), &self.value, &self.shape)
    }

    /// Replaces the elements by as many others.
    ///
    /// # Errors
    /// [`Error::WrongEntries`] for another number of them; those of the conversion.
    pub fn set_value(&mut self, value: impl IntoArg) -> Result<()> {
        let value = M::TYPE.make(value)?;
        let (expected, got) = (self.shape.iter().product(), value.len());
        if got != expected {
            return Err(Error::WrongEntries { ty: M::TYPE, expected, got });
        }
        self.value = value;
        Ok(())
    }

    /// Replaces the elements by those of a tensor, which may have another shape.
    ///
    /// # Errors
    /// As [`from_tensor`](Self::from_tensor).
    pub fn set_tensor(&mut self, tensor: &AnyArray) -> Result<()> {
        (self.value, self.shape) = parts::<D>(M::TYPE, tensor)?;
        Ok(())
    }

    /// The components of a place, in the float type in which it is computed, and the type of results.
    fn place(&self, function: &'static str, place: Arg) -> Result<(Vec<AnyArray>, ArrayType)> {
        let of =
            |ty: ArrayType| ArrayType::nested(ty.package(), Kind::Array, &[Size::Fixed(D as u8)], ty.dtype());
        let refuse = |actual| {
            let expected = format!("an array of {D} floats");
            Error::WrongType { function, argument: "the place", expected, actual }
        };
        let place = match place {
            Arg::Array(x) => x,
            other => of(M::TYPE).ok_or_else(|| refuse(M::TYPE))?.make(other)?,
        };
        let ty = place.ty();
        let package = ty.package().promote(M::TYPE.package()).ok_or_else(|| refuse(ty))?;
        let components = match (ty.kind(), place.leaf()) {
            (Kind::Flat, Some(_)) if D == 1 => vec![place.clone()],
            (Kind::Array, None) if ty.depth() == 1 => place.entries().to_vec(),
            _ => return Err(refuse(ty)),
        };
        if components.len() != D || !ty.is_float_v() {
            return Err(refuse(ty));
        }
        let result = ArrayType::flat(package, ty.dtype());
        let computed = if ty.is_half_v() { result.with_dtype(VarType::Float32) } else { result };
        Ok((components.iter().map(|x| x.cast_to(computed)).collect::<Result<_>>()?, result))
    }
}

/// The elements and the shape of a tensor.
fn parts<const D: usize>(ty: ArrayType, tensor: &AnyArray) -> Result<(AnyArray, Vec<usize>)> {
    if tensor.ty().kind() != Kind::Tensor {
        let expected = "a tensor".into();
        let (function, argument) = ("Texture", "the elements");
        return Err(Error::WrongType { function, argument, expected, actual: tensor.ty() });
    }
    let shape = tensor.shape().unwrap_or_default();
    elements(&shape, D)?;
    Ok((crate::ravel(tensor.cast_to(ty.tensor_t())?, crate::Order::C)?, shape))
}

/// The elements: what is optimised, and what loops carry.
impl<M: Mark, const D: usize> Traverse for Texture<M, D> {
    fn visit(&self, visit: &mut dyn FnMut(&AnyArray)) {
        visit(&self.value);
    }

    fn map(&self, change: &mut dyn FnMut(&AnyArray) -> Result<AnyArray>) -> Result<Texture<M, D>> {
        let value = change(&self.value)?;
        if value.ty() != M::TYPE {
            let (function, argument, expected) = ("Texture", "the elements", M::TYPE.to_string());
            return Err(Error::WrongType { function, argument, expected, actual: value.ty() });
        }
        Ok(Texture { value, ..self.clone() })
    }

    fn paths(&self, prefix: &str, paths: &mut Vec<String>) {
        paths.push(format!("{prefix}.value"));
    }
}
