//! Textures: elements at equal distances, looked up at places between them.

mod cubic;
mod lookup;
mod untyped;

pub use untyped::AnyTexture;

use crate::array::{AnyArray, IntoArg, Mark, Traverse};
use crate::types::ArrayType;
use crate::{Error, Result};
use std::marker::PhantomData;
use std::ops::Deref;

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
pub struct Texture<M, const D: usize>(AnyTexture, PhantomData<fn() -> M>);

impl<M, const D: usize> Clone for Texture<M, D> {
    fn clone(&self) -> Texture<M, D> {
        Texture(self.0.clone(), PhantomData)
    }
}

impl<M: Mark, const D: usize> Texture<M, D> {
    /// The type of the elements.
    pub const TYPE: ArrayType = M::TYPE;

    /// A texture of zeros.
    ///
    /// # Errors
    /// As [`AnyTexture::new`].
    pub fn new(shape: [usize; D], channels: usize) -> Result<Texture<M, D>> {
        Ok(Texture(AnyTexture::new(M::TYPE, &shape, channels)?, PhantomData))
    }

    /// A texture of a tensor's elements, whose last axis is the channels.
    ///
    /// # Errors
    /// As [`AnyTexture::from_tensor`]; [`Error::InvalidArgument`] for another number of axes.
    pub fn from_tensor(tensor: &AnyArray) -> Result<Texture<M, D>> {
        let texture = AnyTexture::from_tensor(M::TYPE, tensor)?;
        if texture.axes() != D {
            let (function, argument, value) = ("Texture", "shape", format!("{:?}", texture.shape()));
            let rule = "as many axes as the texture has, and one of channels";
            return Err(Error::InvalidArgument { function, argument, value, rule });
        }
        Ok(Texture(texture, PhantomData))
    }

    /// The same with another filter.
    #[must_use]
    pub fn with_filter(self, filter: FilterMode) -> Texture<M, D> {
        Texture(self.0.with_filter(filter), PhantomData)
    }

    /// The same with another continuation beyond its ends.
    #[must_use]
    pub fn with_wrap(self, wrap: WrapMode) -> Texture<M, D> {
        Texture(self.0.with_wrap(wrap), PhantomData)
    }

    /// Replaces the elements by as many others.
    ///
    /// # Errors
    /// As [`AnyTexture::set_value`].
    pub fn set_value(&mut self, value: impl IntoArg) -> Result<()> {
        self.0.set_value(value)
    }

    /// Replaces the elements by those of a tensor, whose axes may have other lengths.
    ///
    /// # Errors
    /// As [`AnyTexture::set_tensor`].
    pub fn set_tensor(&mut self, tensor: &AnyArray) -> Result<()> {
        self.0.set_tensor(tensor)
    }
}

impl<M, const D: usize> Deref for Texture<M, D> {
    type Target = AnyTexture;

    fn deref(&self) -> &AnyTexture {
        &self.0
    }
}

/// The elements: what is optimised, and what loops carry.
impl Traverse for AnyTexture {
    fn visit(&self, visit: &mut dyn FnMut(&AnyArray)) {
        visit(&self.value);
    }

    fn map(&self, change: &mut dyn FnMut(&AnyArray) -> Result<AnyArray>) -> Result<AnyTexture> {
        let value = change(&self.value)?;
        if value.ty() != self.ty {
            let (function, argument, expected) = ("Texture", "the elements", self.ty.to_string());
            return Err(Error::WrongType { function, argument, expected, actual: value.ty() });
        }
        Ok(AnyTexture { value, ..self.clone() })
    }

    fn paths(&self, prefix: &str, paths: &mut Vec<String>) {
        paths.push(format!("{prefix}.value"));
    }
}

/// The elements.
impl<M: Mark, const D: usize> Traverse for Texture<M, D> {
    fn visit(&self, visit: &mut dyn FnMut(&AnyArray)) {
        self.0.visit(visit);
    }

    fn map(&self, change: &mut dyn FnMut(&AnyArray) -> Result<AnyArray>) -> Result<Texture<M, D>> {
        Ok(Texture(self.0.map(change)?, PhantomData))
    }

    fn paths(&self, prefix: &str, paths: &mut Vec<String>) {
        self.0.paths(prefix, paths);
    }
}
