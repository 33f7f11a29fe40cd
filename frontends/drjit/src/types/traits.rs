//! Questions about types (`is_*_v`) and types made of types (`*_t`).

use super::{ArrayType, JitBackend, Kind, Package, Size, VarType};
use crate::{Error, Result};

impl ArrayType {
    /// True for arrays of truth values.
    pub const fn is_mask_v(&self) -> bool {
        self.dtype.is_bool()
    }

    /// True for floats of any width.
    pub const fn is_float_v(&self) -> bool {
        self.dtype.is_float()
    }

    /// True for half-precision floats.
    pub const fn is_half_v(&self) -> bool {
        matches!(self.dtype, VarType::Float16)
    }

    /// True for integers.
    pub const fn is_integral_v(&self) -> bool {
        self.dtype.is_int()
    }

    /// True for numbers: all but truth values.
    pub const fn is_arithmetic_v(&self) -> bool {
        !self.dtype.is_bool()
    }

    /// True for signed numbers.
    pub const fn is_signed_v(&self) -> bool {
        self.dtype.is_signed()
    }

    /// True for unsigned integers and truth values.
    pub const fn is_unsigned_v(&self) -> bool {
        !self.dtype.is_signed()
    }

    /// True where the number of elements is not part of the type.
    pub fn is_dynamic_v(&self) -> bool {
        self.is_jit_v() || self.kind == Kind::Tensor || self.sizes().contains(&Size::Dynamic)
    }

    /// True where a value stands for many threads.
    pub const fn is_jit_v(&self) -> bool {
        self.package.is_jit()
    }

    /// True where operations are recorded for derivatives.
    pub const fn is_diff_v(&self) -> bool {
        self.package.ad
    }

    /// True for plain arrays, flat or nested: neither numbers with products of their own nor tensors.
    pub const fn is_vector_v(&self) -> bool {
        matches!(self.kind, Kind::Flat | Kind::Array)
    }

    /// True for complex numbers.
    pub const fn is_complex_v(&self) -> bool {
        matches!(self.kind, Kind::Complex)
    }

    /// True for matrices.
    pub const fn is_matrix_v(&self) -> bool {
        matches!(self.kind, Kind::Matrix)
    }

    /// True for quaternions.
    pub const fn is_quaternion_v(&self) -> bool {
        matches!(self.kind, Kind::Quaternion)
    }

    /// True for tensors.
    pub const fn is_tensor_v(&self) -> bool {
        matches!(self.kind, Kind::Tensor)
    }

    /// True for matrices, complex numbers and quaternions.
    pub const fn is_special_v(&self) -> bool {
        self.is_special()
    }

    /// What computes the package's arrays.
    pub const fn backend_v(&self) -> JitBackend {
        self.package.backend
    }

    /// The bytes of an element.
    pub const fn itemsize_v(&self) -> usize {
        self.dtype.bytes()
    }

    /// The size of the outermost dimension: `None` where it is dynamic, 0 for tensors.
    pub fn size_v(&self) -> Option<usize> {
        match (self.kind, self.size()) {
            (Kind::Tensor, _) => Some(0),
            (_, Some(Size::Fixed(n))) => Some(n.into()),
            _ => None,
        }
    }

    /// How many dimensions there are, the vector of elements among them; 0 for tensors.
    pub const fn depth_v(&self) -> usize {
        match self.kind {
            Kind::Tensor => 0,
            _ => self.depth() + self.package.is_jit() as usize,
        }
    }

    /// The type of masks (`mask_t`): comparisons have it. Of matrices, complex numbers and quaternions it is a plain array.
    pub const fn mask_t(&self) -> ArrayType {
        self.plain().with_dtype(VarType::Bool)
    }

    /// The plain array of the same levels.
    pub(crate) const fn plain(self) -> ArrayType {
        if self.is_special() { self.with_kind(Kind::Array) } else { self }
    }

    /// The plain array form (`array_t`): of matrices, complex numbers and quaternions an array of the same levels, of a tensor its
    /// flat array.
    pub const fn array_t(&self) -> ArrayType {
        match self.kind {
            Kind::Tensor => self.leaf(),
            _ => self.plain(),
        }
    }

    /// The tensor with the same elements (`tensor_t`).
    pub const fn tensor_t(&self) -> ArrayType {
        ArrayType::tensor(self.package, self.dtype)
    }

    /// The type without derivatives (`detached_t`).
    pub const fn detached_t(&self) -> ArrayType {
        self.with_package(Package { ad: false, ..self.package })
    }

    /// The differentiable type (`diff_array_t`); single values have none and stay.
    pub const fn diff_array_t(&self) -> ArrayType {
        self.with_package(Package { ad: self.package.is_jit(), ..self.package })
    }

    /// The same with another element type, where there are such (`replace_type_t`): matrices, complex numbers and quaternions are of
    /// floats only.
    ///
    /// # Errors
    /// [`Error::NoSuchType`] for integers in one of these, and for integers of 16 bits in vectors.
    pub fn replace_type_t(&self, dtype: VarType) -> Result<ArrayType> {
        // As Dr.Jit has it, only single values are integers of 16 bits.
        let missing = self.is_jit_v() && matches!(dtype, VarType::Int16 | VarType::UInt16);
        match missing || self.is_special() && !dtype.is_float() {
            true => Err(Error::NoSuchType { function: "replace_type_t", of: *self, dtype }),
            false => Ok(self.with_dtype(dtype)),
        }
    }

    /// Signed integers of the same width (`int_array_t`).
    ///
    /// # Errors
    /// As [`replace_type_t`](Self::replace_type_t).
    pub fn int_array_t(&self) -> Result<ArrayType> {
        self.replace_type_t(VarType::int_of(self.itemsize_v(), true))
    }

    /// Unsigned integers of the same width (`uint_array_t`).
    ///
    /// # Errors
    /// As [`replace_type_t`](Self::replace_type_t).
    pub fn uint_array_t(&self) -> Result<ArrayType> {
        self.replace_type_t(VarType::int_of(self.itemsize_v(), false))
    }

    /// Floats of the same width (`float_array_t`).
    ///
    /// # Errors
    /// [`Error::NoSuchType`] for elements of one byte.
    pub fn float_array_t(&self) -> Result<ArrayType> {
        let dtype = match self.itemsize_v() {
            2 => VarType::Float16,
            4 => VarType::Float32,
            8 => VarType::Float64,
            _ => return Err(Error::NoSuchType { function: "float_array_t", of: *self, dtype: self.dtype }),
        };
        self.replace_type_t(dtype)
    }
}

macro_rules! fixed {
    ($($name:ident $dtype:ident $what:literal;)*) => {
        impl ArrayType {
            $(
                #[doc = concat!("The same with ", $what, " for elements (`", stringify!($name), "`).")]
                ///
                /// # Errors
                /// As [`replace_type_t`](Self::replace_type_t).
                pub fn $name(&self) -> Result<ArrayType> {
                    self.replace_type_t(VarType::$dtype)
                }
            )*
        }
    };
}
fixed! {
    bool_array_t Bool "truth values";
    int32_array_t Int32 "32-bit integers";
    uint32_array_t UInt32 "unsigned 32-bit integers";
    int64_array_t Int64 "64-bit integers";
    uint64_array_t UInt64 "unsigned 64-bit integers";
    float16_array_t Float16 "half-precision floats";
    float32_array_t Float32 "single-precision floats";
    float64_array_t Float64 "double-precision floats";
}
