//! Descriptions of array types: pure data, on which promotion, construction, printing and errors work.

mod name;
mod package;
mod promote;
mod traits;
mod var_type;

pub use package::{JitBackend, Package, has_backend};
pub(crate) use promote::scalar_dtype;
pub use promote::{expr_t, scalar_type};
pub use var_type::VarType;

use std::fmt;

/// What an array stands for, which decides about broadcasting, products and printing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A vector of elements.
    Flat,
    /// An array of arrays.
    Array,
    /// A square matrix, by rows.
    Matrix,
    /// A complex number.
    Complex,
    /// A quaternion, the real part last.
    Quaternion,
    /// A flat array with a shape of any number of axes.
    Tensor,
}

/// How many entries a level of nesting has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// So many.
    Fixed(u8),
    /// Any number: the `X` in a name.
    Dynamic,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Size::Fixed(n) => write!(f, "{n}"),
            Size::Dynamic => f.write_str("X"),
        }
    }
}

/// The deepest nesting: a matrix of short vectors.
pub const MAX_DEPTH: usize = 3;

/// An array type: its package, what it stands for, the sizes of its levels from outside to inside, and the type of its elements.
/// Vectors of elements are no level.
///
/// ```
/// use ivy_drjit::{ArrayType, VarType};
/// let ty: ArrayType = "drjit.llvm.ad.Array3f".parse()?;
/// assert_eq!((ty.dtype(), ty.depth()), (VarType::Float32, 1));
/// assert_eq!(ty.mask_t().to_string(), "drjit.llvm.ad.Array3b");
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ArrayType {
    package: Package,
    kind: Kind,
    depth: u8,
    sizes: [Size; MAX_DEPTH],
    dtype: VarType,
}

/// What stands in `sizes` beyond the depth, so that equal types are equal.
const UNUSED: Size = Size::Fixed(0);

impl ArrayType {
    /// A flat array.
    pub const fn flat(package: Package, dtype: VarType) -> ArrayType {
        ArrayType { package, kind: Kind::Flat, depth: 0, sizes: [UNUSED; MAX_DEPTH], dtype }
    }

    /// A tensor.
    pub const fn tensor(package: Package, dtype: VarType) -> ArrayType {
        ArrayType { kind: Kind::Tensor, ..ArrayType::flat(package, dtype) }
    }

    /// A type of the given levels; `None` where the kind has not such levels.
    pub fn nested(package: Package, kind: Kind, sizes: &[Size], dtype: VarType) -> Option<ArrayType> {
        let square = |n: Size, m: Size| n == m && matches!(n, Size::Fixed(_));
        let fits = match (kind, sizes) {
            (Kind::Flat | Kind::Tensor, []) => true,
            (Kind::Array, [_, ..]) => sizes.len() <= MAX_DEPTH,
            (Kind::Matrix, [n, m] | [n, m, _]) => square(*n, *m),
            (Kind::Complex, [Size::Fixed(2)]) | (Kind::Quaternion, [Size::Fixed(4)]) => true,
            _ => false,
        };
        let mut own = [UNUSED; MAX_DEPTH];
        own.iter_mut().zip(sizes).for_each(|(own, &size)| *own = size);
        fits.then_some(ArrayType { package, kind, depth: sizes.len() as u8, sizes: own, dtype })
    }

    /// The array of so many of these, by const evaluation for the typed aliases.
    pub(crate) const fn array_of(self, size: Size) -> ArrayType {
        let mut sizes = [UNUSED; MAX_DEPTH];
        sizes[0] = size;
        let mut level = 0;
        while level < self.depth as usize {
            sizes[level + 1] = self.sizes[level];
            level += 1;
        }
        ArrayType { kind: Kind::Array, depth: self.depth + 1, sizes, ..self }
    }

    pub(crate) const fn with_kind(self, kind: Kind) -> ArrayType {
        ArrayType { kind, ..self }
    }

    /// The package.
    pub const fn package(&self) -> Package {
        self.package
    }

    /// What it stands for.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The type of the elements (`type_v`).
    pub const fn dtype(&self) -> VarType {
        self.dtype
    }

    /// How many levels of nesting there are: 0 for flat arrays and tensors.
    pub const fn depth(&self) -> usize {
        self.depth as usize
    }

    /// The sizes of the levels, from outside to inside.
    pub fn sizes(&self) -> &[Size] {
        &self.sizes[..self.depth()]
    }

    /// The size of the outermost level.
    pub fn size(&self) -> Option<Size> {
        self.sizes().first().copied()
    }

    /// The same with another element type.
    pub const fn with_dtype(self, dtype: VarType) -> ArrayType {
        ArrayType { dtype, ..self }
    }

    /// The same in another package.
    pub const fn with_package(self, package: Package) -> ArrayType {
        ArrayType { package, ..self }
    }

    /// The type of the entries of a nested type; a matrix has rows. `None` for flat arrays and tensors.
    pub fn entry(&self) -> Option<ArrayType> {
        let (_, inner) = self.sizes().split_first()?;
        let kind = if inner.is_empty() { Kind::Flat } else { Kind::Array };
        ArrayType::nested(self.package, kind, inner, self.dtype)
    }

    /// The flat type within (`leaf_t`).
    pub const fn leaf(&self) -> ArrayType {
        ArrayType::flat(self.package, self.dtype)
    }

    /// True for matrices, complex numbers and quaternions, to which single values are multiples of the identity.
    pub const fn is_special(&self) -> bool {
        matches!(self.kind, Kind::Matrix | Kind::Complex | Kind::Quaternion)
    }
}

impl fmt::Debug for ArrayType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
