//! Arrays whose type the compiler knows: one generic wrapper, and marks that say the type.

use super::{AnyArray, IntoArg};
use crate::types::{ArrayType, Kind, Package, Size, VarType};
use crate::{Error, Result};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

/// What says an array's type to the compiler.
pub trait Mark {
    /// The type.
    const TYPE: ArrayType;
}

/// Marks a flat array: `B` is 0 for scalar, 1 for llvm, 2 for cuda, `AD` the differentiable package, `T` the number of the
/// [`VarType`].
pub struct FlatOf<const B: u8, const AD: bool, const T: u8>;

/// Marks an array of `N` entries.
pub struct NestedOf<M, const N: u8>(PhantomData<M>);

/// Marks an array of any number of entries.
pub struct NestedXOf<M>(PhantomData<M>);

/// Marks a square matrix of `N` rows.
pub struct MatrixOf<M, const N: u8>(PhantomData<M>);

/// Marks a complex number.
pub struct ComplexOf<M>(PhantomData<M>);

/// Marks a quaternion.
pub struct QuaternionOf<M>(PhantomData<M>);

/// Marks a tensor.
pub struct TensorOf<M>(PhantomData<M>);

impl<const B: u8, const AD: bool, const T: u8> Mark for FlatOf<B, AD, T> {
    const TYPE: ArrayType = {
        let package = match (B, AD) {
            (0, _) => Package::SCALAR,
            (1, false) => Package::LLVM,
            (1, true) => Package::LLVM_AD,
            (_, false) => Package::CUDA,
            (_, true) => Package::CUDA_AD,
        };
        ArrayType::flat(package, VarType::ALL[T as usize])
    };
}

impl<M: Mark, const N: u8> Mark for NestedOf<M, N> {
    const TYPE: ArrayType = M::TYPE.array_of(Size::Fixed(N));
}

impl<M: Mark> Mark for NestedXOf<M> {
    const TYPE: ArrayType = M::TYPE.array_of(Size::Dynamic);
}

impl<M: Mark, const N: u8> Mark for MatrixOf<M, N> {
    const TYPE: ArrayType = M::TYPE.array_of(Size::Fixed(N)).array_of(Size::Fixed(N)).with_kind(Kind::Matrix);
}

impl<M: Mark> Mark for ComplexOf<M> {
    const TYPE: ArrayType = M::TYPE.array_of(Size::Fixed(2)).with_kind(Kind::Complex);
}

impl<M: Mark> Mark for QuaternionOf<M> {
    const TYPE: ArrayType = M::TYPE.array_of(Size::Fixed(4)).with_kind(Kind::Quaternion);
}

impl<M: Mark> Mark for TensorOf<M> {
    const TYPE: ArrayType = M::TYPE.with_kind(Kind::Tensor);
}

/// An array of the type that `M` marks, under names such as [`llvm::Array3f`](crate::llvm::Array3f). It is an [`AnyArray`] with
/// all of its functions; what is computed is one, too, and `try_into()` or [`Expr::get`](crate::Expr::get) make it typed again.
pub struct Typed<M>(AnyArray, PhantomData<fn() -> M>);

impl<M: Mark> Typed<M> {
    /// The type.
    pub const TYPE: ArrayType = M::TYPE;

    /// An array of the type: [`ArrayType::make`].
    ///
    /// # Errors
    /// As [`ArrayType::make`].
    pub fn new(value: impl IntoArg) -> Result<Typed<M>> {
        Ok(Typed(M::TYPE.make(value)?, PhantomData))
    }

    /// The array as one of any type.
    pub fn any(&self) -> &AnyArray {
        &self.0
    }

    /// The array as one of any type.
    pub fn into_any(self) -> AnyArray {
        self.0
    }
}

impl<M> Clone for Typed<M> {
    fn clone(&self) -> Typed<M> {
        Typed(self.0.clone(), PhantomData)
    }
}

impl<M> Deref for Typed<M> {
    type Target = AnyArray;

    fn deref(&self) -> &AnyArray {
        &self.0
    }
}

/// Of the same type only: [`Typed::new`] converts.
impl<M: Mark> TryFrom<AnyArray> for Typed<M> {
    type Error = Error;

    fn try_from(array: AnyArray) -> Result<Typed<M>> {
        match array.ty() == M::TYPE {
            true => Ok(Typed(array, PhantomData)),
            false => {
                let (function, argument, expected) = ("try_from", "the array", M::TYPE.to_string());
                Err(Error::WrongType { function, argument, expected, actual: array.ty() })
            }
        }
    }
}

impl<M> fmt::Display for Typed<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl<M> fmt::Debug for Typed<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}
