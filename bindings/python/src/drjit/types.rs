//! Types of arrays as Python objects: what the classes of the packages are made by.

use super::convert::any_size;
use super::error::failure;
use crate::error::{Fallible, value_error};
use ivy_drjit::{ArrayType, JitBackend, Kind, Package, Size, VarType};
use pyo3::prelude::*;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// A type of arrays.
#[pyclass(module = "ivyrs._ivyrs", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct DrjitType(pub(super) ArrayType);

/// Dr.Jit's names of element types, by the names of flat arrays.
pub(super) fn type_name(dtype: VarType) -> String {
    match dtype {
        VarType::Int32 => "Int32".into(),
        VarType::UInt32 => "UInt32".into(),
        VarType::Float32 => "Float32".into(),
        other => other.flat_name().into(),
    }
}

/// The element type of a name.
pub(super) fn var_type(name: &str) -> Fallible<VarType> {
    match VarType::of_flat_name(name) {
        Some(dtype) => Ok(dtype),
        None => value_error(format!("there is no type of elements `{name}`")),
    }
}

const fn backend_name(backend: JitBackend) -> &'static str {
    match backend {
        JitBackend::None => "Invalid",
        JitBackend::Llvm => "LLVM",
        JitBackend::Cuda => "CUDA",
    }
}

#[pymethods]
impl DrjitType {
    /// The type of a full name.
    #[new]
    fn new(name: &str) -> Fallible<DrjitType> {
        Ok(DrjitType(name.parse().map_err(failure)?))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<{}>", self.0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    /// The package's name.
    #[getter]
    fn package(&self) -> &'static str {
        self.0.package().name()
    }

    /// The name within the package.
    #[getter]
    fn short_name(&self) -> String {
        self.0.short_name()
    }

    /// The name of the element type.
    #[getter]
    fn dtype(&self) -> String {
        type_name(self.0.dtype())
    }

    /// What computes: `LLVM`, `CUDA`, `Invalid` for single values.
    #[getter]
    fn backend(&self) -> &'static str {
        backend_name(self.0.backend_v())
    }

    /// Whether it is a flat array, nested, a matrix, a complex number, a quaternion, a tensor.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.0.kind() {
            Kind::Flat => "flat",
            Kind::Array => "array",
            Kind::Matrix => "matrix",
            Kind::Complex => "complex",
            Kind::Quaternion => "quaternion",
            Kind::Tensor => "tensor",
        }
    }

    #[getter]
    fn is_jit(&self) -> bool {
        self.0.is_jit_v()
    }

    #[getter]
    fn is_diff(&self) -> bool {
        self.0.is_diff_v()
    }

    #[getter]
    fn is_float(&self) -> bool {
        self.0.is_float_v()
    }

    #[getter]
    fn is_integral(&self) -> bool {
        self.0.is_integral_v()
    }

    #[getter]
    fn is_mask(&self) -> bool {
        self.0.is_mask_v()
    }

    #[getter]
    fn is_signed(&self) -> bool {
        self.0.is_signed_v()
    }

    #[getter]
    fn is_dynamic(&self) -> bool {
        self.0.is_dynamic_v()
    }

    #[getter]
    fn itemsize(&self) -> usize {
        self.0.itemsize_v()
    }

    /// The sizes of the levels, -1 for any; the vectors of elements are one.
    #[getter]
    fn sizes(&self) -> Vec<i64> {
        let level = |size: &Size| if let Size::Fixed(n) = size { i64::from(*n) } else { -1 };
        let vectors = self.0.is_jit_v() && self.0.kind() != Kind::Tensor;
        self.0.sizes().iter().map(level).chain(vectors.then_some(-1)).collect()
    }

    /// The type of the entries.
    #[getter]
    fn entry(&self) -> Option<DrjitType> {
        self.0.entry().map(DrjitType)
    }

    /// The flat type within; of single values the innermost array.
    #[getter]
    fn leaf(&self) -> DrjitType {
        let ty = self.0;
        if ty.is_jit_v() || ty.kind() == Kind::Flat {
            return DrjitType(ty.leaf());
        }
        let last = ty.sizes().last().copied().unwrap_or(Size::Dynamic);
        let inner = ArrayType::nested(ty.package(), Kind::Array, &[last], ty.dtype());
        DrjitType(inner.unwrap_or_else(|| ty.leaf()))
    }

    /// The type of the elements, without vectors.
    #[getter]
    fn element(&self) -> DrjitType {
        DrjitType(self.0.leaf())
    }

    #[getter]
    fn mask(&self) -> DrjitType {
        DrjitType(self.0.mask_t())
    }

    #[getter]
    fn array(&self) -> DrjitType {
        let own = self.0.array_t();
        let single = self.0.kind() == Kind::Tensor && !own.is_jit_v();
        DrjitType(single.then(|| any_size(own)).flatten().unwrap_or(own))
    }

    #[getter]
    fn tensor(&self) -> DrjitType {
        DrjitType(self.0.tensor_t())
    }

    #[getter]
    fn detached(&self) -> DrjitType {
        DrjitType(self.0.detached_t())
    }

    #[getter]
    fn diff(&self) -> DrjitType {
        DrjitType(self.0.diff_array_t())
    }

    /// The matrix of an array's levels; `None` where there is none.
    #[getter]
    fn matrix(&self) -> Option<DrjitType> {
        let ty = self.0;
        let sizes = match ty.sizes() {
            [size] => vec![*size, *size],
            sizes => sizes.to_vec(),
        };
        let known = ty.is_float_v() && sizes.first().is_some_and(|size| matches!(size, Size::Fixed(2..=4)));
        ArrayType::nested(ty.package(), Kind::Matrix, &sizes, ty.dtype()).filter(|_| known).map(DrjitType)
    }

    /// The same with another element type.
    fn with_dtype(&self, name: &str) -> Fallible<DrjitType> {
        Ok(DrjitType(self.0.replace_type_t(var_type(name)?).map_err(failure)?))
    }

    /// The plain array of these sizes over the same elements, the vectors not counted; of no size the flat one.
    fn with_sizes(&self, sizes: Vec<i64>, kind: &str) -> Fallible<DrjitType> {
        let size = |&n: &i64| match u8::try_from(n) {
            Ok(n) => Size::Fixed(n),
            Err(_) => Size::Dynamic,
        };
        let sizes: Vec<Size> = sizes.iter().map(size).collect();
        let kind = match kind {
            "matrix" => Kind::Matrix,
            "complex" => Kind::Complex,
            "quaternion" => Kind::Quaternion,
            "tensor" => Kind::Tensor,
            _ if sizes.is_empty() => Kind::Flat,
            _ => Kind::Array,
        };
        match ArrayType::nested(self.0.package(), kind, &sizes, self.0.dtype()) {
            Some(ty) => Ok(DrjitType(ty)),
            None => value_error(format!("there is no {kind:?} of the sizes {sizes:?}")),
        }
    }

    /// The type to which it promotes with another one.
    fn promote(&self, other: &DrjitType) -> Fallible<DrjitType> {
        Ok(DrjitType(ivy_drjit::expr_t(self.0, other.0).map_err(failure)?))
    }
}

/// The names of a package's array types.
#[pyfunction]
pub(super) fn type_names(package: &str) -> Fallible<Vec<&'static str>> {
    use ivy_drjit::{cuda, cuda_ad, llvm, llvm_ad, scalar};
    match Package::of_name(package).map(|package| (package.backend, package.ad)) {
        Some((JitBackend::None, _)) => Ok(scalar::NAMES.to_vec()),
        Some((JitBackend::Llvm, false)) => Ok(llvm::NAMES.to_vec()),
        Some((JitBackend::Llvm, true)) => Ok(llvm_ad::NAMES.to_vec()),
        Some((JitBackend::Cuda, false)) => Ok(cuda::NAMES.to_vec()),
        Some((JitBackend::Cuda, true)) => Ok(cuda_ad::NAMES.to_vec()),
        None => value_error(format!("there is no package `{package}`")),
    }
}

/// Whether a backend, `LLVM` or `CUDA`, runs here.
#[pyfunction]
pub(super) fn has_backend(name: &str) -> bool {
    match name {
        "LLVM" => ivy_drjit::has_backend(JitBackend::Llvm),
        "CUDA" => ivy_drjit::has_backend(JitBackend::Cuda),
        _ => false,
    }
}
