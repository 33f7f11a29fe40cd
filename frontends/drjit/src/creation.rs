//! Creation of arrays.

use crate::array::{AnyArray, IntoArg, Leaf};
use crate::types::{ArrayType, Kind};
use crate::{Error, Result};
use ivy_core::functional as f;
use ivy_core::{Scalar, Shape};

impl ArrayType {
    /// An array whose vectors have a value in each of so many elements; of matrices, complex numbers and quaternions each entry has it.
    ///
    /// # Errors
    /// [`Error::CannotInitialize`] for a value that is no element.
    pub fn full(self, value: impl Into<Scalar>, size: usize) -> Result<AnyArray> {
        let value = value.into();
        let one = self.plain().leaf().filled([size], value)?;
        match self.kind() {
            Kind::Tensor => one.cast_to(self),
            _ => one.cast_to(self.plain())?.retyped(self),
        }
    }

    /// Zeros in vectors of so many elements.
    ///
    /// # Errors
    /// No memory.
    pub fn zeros(self, size: usize) -> Result<AnyArray> {
        self.full(0, size)
    }

    /// Ones in vectors of so many elements; a complex number or a quaternion is 1, all entries of a matrix are.
    ///
    /// # Errors
    /// No memory.
    pub fn ones(self, size: usize) -> Result<AnyArray> {
        match self.kind() {
            Kind::Complex | Kind::Quaternion => self.leaf().filled([size], Scalar::Int(1))?.cast_to(self),
            _ => self.full(1, size),
        }
    }

    /// A tensor with one value everywhere.
    ///
    /// # Errors
    /// [`Error::NotSupported`] for other types.
    pub fn full_tensor(self, value: impl Into<Scalar>, shape: &[usize]) -> Result<AnyArray> {
        match self.kind() {
            Kind::Tensor => self.filled(Shape::from(shape), value.into()),
            _ => Err(Error::NotSupported { function: "full", ty: self }),
        }
    }

    /// The numbers from `start` on in steps, as many as stand before `stop`: of a flat array or tensor.
    ///
    /// # Errors
    /// [`Error::NotSupported`] for other types and masks; [`Error::InvalidArgument`] for a step of 0.
    pub fn arange(self, start: f64, stop: f64, step: f64) -> Result<AnyArray> {
        if self.depth() > 0 || self.is_mask_v() {
            return Err(Error::NotSupported { function: "arange", ty: self });
        }
        if step == 0.0 || !step.is_finite() {
            let (argument, rule) = ("step", "a number other than 0");
            return Err(Error::InvalidArgument {
                function: "arange",
                argument,
                value: step.to_string(),
                rule,
            });
        }
        let count = ((stop - start) / step).ceil().max(0.0);
        let numbers = self.counter(count as usize)?;
        let (start, step) = (self.leaf().make(start)?, self.leaf().make(step)?);
        crate::add(crate::multiply(numbers, step)?, start)?.cast_to(self)
    }

    /// The numbers from 0 on, so many.
    pub(crate) fn counter(self, count: usize) -> Result<AnyArray> {
        let dtype = self.dtype().dtype();
        let array = self.on(|| f::arange(count as i64, f::Arange::new().dtype(dtype)))?;
        Ok(AnyArray::from_leaf(self.leaf(), Leaf::new(array)))
    }

    /// So many numbers at equal distances, from `start` to `stop`, with it or without: of a flat array.
    ///
    /// # Errors
    /// [`Error::NotSupported`] for what are no flat arrays of floats.
    pub fn linspace(self, start: f64, stop: f64, count: usize, endpoint: bool) -> Result<AnyArray> {
        if self.kind() != Kind::Flat || !self.is_float_v() {
            return Err(Error::NotSupported { function: "linspace", ty: self });
        }
        let parts = if endpoint { count.saturating_sub(1) } else { count };
        let step = (stop - start) / parts.max(1) as f64;
        let ascending = crate::multiply(self.counter(count)?, step)?;
        crate::add(ascending, start)
    }
}

/// Zeros like an array.
///
/// # Errors
/// No memory.
pub fn zeros_like(x: impl IntoArg) -> Result<AnyArray> {
    full_like(x, 0)
}

/// Ones like an array; a complex number or a quaternion is 1, all entries of a matrix are.
///
/// # Errors
/// No memory.
pub fn ones_like(x: impl IntoArg) -> Result<AnyArray> {
    let x = crate::ops::array("ones_like", x.into_arg())?;
    match x.ty().kind() {
        Kind::Complex | Kind::Quaternion => like(&x, &x.ty().literal(Scalar::Int(1))?),
        _ => full_like(&x, 1),
    }
}

/// A value for every element of an array.
///
/// # Errors
/// [`Error::CannotInitialize`] for a value that is no element.
pub fn full_like(x: impl IntoArg, value: impl Into<Scalar>) -> Result<AnyArray> {
    let x = crate::ops::array("full_like", x.into_arg())?;
    let one = x.ty().leaf().literal(value.into())?;
    like(&x, &one)
}

/// The multiple of the identity that a value is, like an array.
pub(crate) fn identity_like(x: &AnyArray) -> Result<AnyArray> {
    like(x, &x.ty().literal(Scalar::Int(1))?)
}

/// The elements of single values, interleaved, in vectors as long as those of an array.
fn like(x: &AnyArray, values: &AnyArray) -> Result<AnyArray> {
    let mut own = Vec::new();
    values.for_each_leaf(&mut |leaf| own.push(leaf.array.clone()));
    // A level of any size has one entry in a single value.
    let mut own = own.into_iter().cycle();
    x.map_leaves(&mut |leaf| {
        let value = own.next().ok_or(Error::NotSupported { function: "full_like", ty: x.ty() })?;
        Ok(Leaf::new(f::broadcast_to(&value, leaf.array.shape().clone())?))
    })
}

/// The value with its literals as constants that are compiled into the kernels they get into, each value of which is another
/// kernel; literals are what kernels are given else, so that `x + 1` and `x + 2` are one.
///
/// ```
/// use ivy_drjit::{Jit, Package, llvm::Float, make_literal};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// let (x, two) = (Float::new([1, 2])?, make_literal(&Float::new(2)?)?);
/// assert_eq!((&x * &two).ok()?.to_string(), "[2, 4]");
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
///
/// # Errors
/// [`Error::InvalidArgument`] for arrays of an engine that are no literals. Single values, which no engine computes, stay.
pub fn make_literal<T: crate::Traverse>(value: &T) -> Result<T> {
    value.map(&mut |x| x.map_leaves(&mut crate::engine::as_constant))
}

/// The value with its arrays as data: what is pending is evaluated, and literals are no constants of what is computed with them.
///
/// # Errors
/// Those of the evaluation.
pub fn make_opaque<T: crate::Traverse>(value: &T) -> Result<T> {
    crate::eval(value)?;
    value.map(&mut |x| x.map_leaves(&mut crate::engine::as_data))
}
