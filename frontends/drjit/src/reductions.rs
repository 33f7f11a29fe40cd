//! Reductions along axes.

use crate::ad::{Kernel, run};
use crate::array::{AnyArray, IntoArg, Leaf};
use crate::ops::{Domain, array, zip};
use crate::types::{ArrayType, Kind, VarType};
use crate::{Error, Result};
use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Scalar};

/// Along which axes to reduce.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Axis {
    /// The outermost of nested arrays, the elements of flat arrays, all of tensors.
    #[default]
    Default,
    /// All.
    All,
    /// These, counted from outside, from the end if negative.
    Of(Vec<i64>),
    /// The same, which stay with length 1 (`keepdims`): [`Axis::kept`].
    Kept(Box<Axis>),
}

impl Axis {
    /// The axes, which stay with length 1: those of tensors, and the vectors of other arrays, which do so anyway.
    ///
    /// ```
    /// use ivy_drjit::{Axis, llvm::TensorXf, sum};
    /// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
    /// let x = TensorXf::TYPE.make_tensor([1, 2, 3, 4, 5, 6], &[2, 3])?;
    /// assert_eq!(sum(&x, Axis::from(1).kept())?.shape(), Some(vec![2, 1]));
    /// # Ok::<(), ivy_drjit::Error>(())
    /// ```
    #[must_use]
    pub fn kept(self) -> Axis {
        Axis::Kept(Box::new(self))
    }
}

impl From<()> for Axis {
    fn from((): ()) -> Axis {
        Axis::Default
    }
}

impl From<i64> for Axis {
    fn from(axis: i64) -> Axis {
        Axis::Of(vec![axis])
    }
}

impl<const N: usize> From<[i64; N]> for Axis {
    fn from(axes: [i64; N]) -> Axis {
        Axis::Of(axes.into())
    }
}

type Core = fn(&[Array]) -> ivy_core::Result<Array>;

/// A reduction: of vectors by the core, of entries two at a time.
#[derive(Clone, Copy)]
struct Reduction {
    name: &'static str,
    domain: Domain,
    /// Of a vector of any length but 0, and the axes of a tensor.
    along: fn(&Array, &[i64]) -> ivy_core::Result<Array>,
    join: Core,
    /// What nothing reduces to.
    nothing: fn(VarType) -> Scalar,
}

fn int_end(dtype: VarType, least: bool) -> Scalar {
    match dtype.dtype().int_range() {
        Some((min, max)) => Scalar::Int(if least { min } else { max }),
        None if dtype.is_bool() => Scalar::Bool(!least),
        None => Scalar::Float(if least { f64::NEG_INFINITY } else { f64::INFINITY }),
    }
}

/// The axes of the core's parameters.
fn axes(axes: &[i64]) -> ivy_core::function::Axes {
    ivy_core::function::Axes(axes.iter().copied().collect())
}

const SUM: Reduction = Reduction {
    name: "sum",
    domain: Domain::Numbers,
    along: |x, own| f::sum(x, f::Sum::new().axis(axes(own)).dtype(x.dtype())),
    join: |x| f::add(&x[0], &x[1]),
    nothing: |_| Scalar::Int(0),
};
const PROD: Reduction = Reduction {
    name: "prod",
    domain: Domain::Numbers,
    along: |x, own| f::prod(x, f::Prod::new().axis(axes(own)).dtype(x.dtype())),
    join: |x| f::multiply(&x[0], &x[1]),
    nothing: |_| Scalar::Int(1),
};
const MAX: Reduction = Reduction {
    name: "max",
    domain: Domain::Numbers,
    along: |x, own| f::max(x, f::Max::new().axis(axes(own))),
    join: |x| f::maximum(&x[0], &x[1]),
    nothing: |dtype| int_end(dtype, true),
};
const MIN: Reduction = Reduction {
    name: "min",
    domain: Domain::Numbers,
    along: |x, own| f::min(x, f::Min::new().axis(axes(own))),
    join: |x| f::minimum(&x[0], &x[1]),
    nothing: |dtype| int_end(dtype, false),
};
const ALL: Reduction = Reduction {
    name: "all",
    domain: Domain::Masks,
    along: |x, own| f::all(x, f::All::new().axis(axes(own))),
    join: |x| f::logical_and(&x[0], &x[1]),
    nothing: |_| Scalar::Bool(true),
};
const ANY: Reduction = Reduction {
    name: "any",
    domain: Domain::Masks,
    along: |x, own| f::any(x, f::Any::new().axis(axes(own))),
    join: |x| f::logical_or(&x[0], &x[1]),
    nothing: |_| Scalar::Bool(false),
};

/// The numbers of the axes, the innermost first.
fn numbers(op: &Reduction, x: &AnyArray, axis: &Axis) -> Result<Vec<usize>> {
    let tensor = x.ty().kind() == Kind::Tensor;
    let rank = match x.leaf() {
        Some(leaf) if tensor => leaf.array.ndim(),
        _ => x.ty().depth() + usize::from(x.ty().is_jit_v() || x.ty().depth() == 0),
    };
    let mut numbers = match axis {
        Axis::Kept(axis) => return numbers(op, x, axis),
        Axis::Default if !tensor => vec![0],
        Axis::Default | Axis::All => (0..rank).collect(),
        Axis::Of(given) => {
            let place = |&axis: &i64| {
                let place = if axis < 0 { axis + rank as i64 } else { axis };
                usize::try_from(place).ok().filter(|&place| place < rank).ok_or(Error::InvalidArgument {
                    function: op.name,
                    argument: "axis",
                    value: axis.to_string(),
                    rule: "an axis of the array",
                })
            };
            given.iter().map(place).collect::<Result<_>>()?
        }
    };
    numbers.sort_unstable();
    numbers.dedup();
    numbers.reverse();
    Ok(numbers)
}

fn reduce(op: &Reduction, x: AnyArray, axis: Axis) -> Result<AnyArray> {
    op.domain.check(op.name, x.ty())?;
    let numbers = numbers(op, &x, &axis)?;
    let ty = x.ty();
    if matches!(axis, Axis::Kept(_)) {
        if numbers.iter().any(|&axis| axis < ty.depth()) {
            let (function, argument, value) = (op.name, "axis", "kept".into());
            let rule = "only tensors and vectors keep an axis that is reduced";
            return Err(Error::InvalidArgument { function, argument, value, rule });
        }
        let Some(mut shape) = x.shape().filter(|_| ty.kind() == Kind::Tensor) else {
            return along_all(op, x, numbers);
        };
        numbers.iter().for_each(|&axis| shape[axis] = 1);
        let shape: Vec<i64> = shape.into_iter().map(|len| len as i64).collect();
        return crate::reshape(along_all(op, x, numbers)?, &shape);
    }
    along_all(op, x, numbers)
}

/// Reduces along the axes of these numbers, the innermost first.
fn along_all(op: &Reduction, x: AnyArray, numbers: Vec<usize>) -> Result<AnyArray> {
    let ty = x.ty();
    let reduced = match (ty.kind(), x.leaf()) {
        (Kind::Tensor, Some(leaf)) => {
            let own: Vec<i64> = numbers.iter().rev().map(|&axis| axis as i64).collect();
            let along = op.along;
            if own.iter().any(|&axis| leaf.array.shape()[axis as usize] == 0) {
                let kept = |(axis, &len): (usize, &usize)| (!numbers.contains(&axis)).then_some(len);
                let shape: Vec<usize> = leaf.array.shape().iter().enumerate().filter_map(kept).collect();
                return ty.full_tensor((op.nothing)(ty.dtype()), &shape);
            }
            Ok(AnyArray::from_leaf(ty, run(op.name, &Kernel::one(move |x| along(&x[0], &own)), &[leaf])?))
        }
        _ => {
            // Vectors of one element stand for as many as the longest has, of which sums and products count each.
            let vectors = numbers.first() == Some(&ty.depth()) && numbers.len() > 1 && ty.is_jit_v();
            let x =
                if vectors { crate::shape::broadcast_vectors(op.name, &x).map(|(x, _)| x) } else { Ok(x) };
            x.and_then(|x| numbers.into_iter().try_fold(x, |x, axis| along(op, x, axis)))
        }
    };
    reduced.map_err(|error| error.within(op.name, ty))
}

fn along(op: &Reduction, x: AnyArray, axis: usize) -> Result<AnyArray> {
    let ty = x.ty();
    if let Some(leaf) = x.leaf() {
        return vector(op, ty, leaf);
    }
    if axis > 0 {
        let entries = x.entries().iter().map(|entry| along(op, entry.clone(), axis - 1));
        let entries: Vec<AnyArray> = entries.collect::<Result<_>>()?;
        let plain = ty.plain();
        let entry_ty = entries.first().map(AnyArray::ty);
        // An inner level that is gone makes the type one level less deep.
        let made = match entry_ty {
            Some(entry) if Some(entry) != plain.entry() => {
                let sizes: Vec<_> = plain.sizes()[..1].iter().chain(entry.sizes()).copied().collect();
                ArrayType::nested(plain.package(), Kind::Array, &sizes, plain.dtype())
                    .ok_or(Error::NotSupported { function: op.name, ty })?
            }
            _ => plain,
        };
        return Ok(AnyArray::from_entries(made, entries));
    }
    if !ty.is_jit_v() && ty.dtype() == VarType::Float16 {
        let summed = along(op, x.cast_to(ty.with_dtype(VarType::Float32))?, axis)?;
        return summed.cast_to(summed.ty().with_dtype(ty.dtype()));
    }
    let entry_ty = ty.entry().ok_or(Error::NotSupported { function: op.name, ty })?;
    let mut entries = x.entries().iter();
    let Some(first) = entries.next() else { return entry_ty.full((op.nothing)(ty.dtype()), 1) };
    entries.try_fold(first.clone(), |sum, entry| {
        let both = [&sum, entry];
        zip(op.name, entry_ty, &Kernel::Plain(op.join), &both)
    })
}

fn vector(op: &Reduction, ty: ArrayType, leaf: &Leaf) -> Result<AnyArray> {
    if leaf.array.size() == 0 {
        return ty.filled([1], (op.nothing)(ty.dtype()));
    }
    if leaf.array.size() == 1 {
        return Ok(AnyArray::from_leaf(ty, leaf.clone()));
    }
    let along = op.along;
    let kernel = Kernel::one(move |x| f::reshape(along(&x[0], &[0])?, [1], ()));
    Ok(AnyArray::from_leaf(ty, run(op.name, &kernel, &[leaf])?))
}

macro_rules! reductions {
    ($($(#[$doc:meta])* $name:ident $op:ident;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`Error::NotSupported`] for other element types; [`Error::InvalidArgument`] for an axis that is not there;
            /// [`Error::Failed`] for entries of several sizes.
            pub fn $name(x: impl IntoArg, axis: impl Into<Axis>) -> Result<AnyArray> {
                reduce(&$op, array($op.name, x.into_arg())?, axis.into())
            }
        )*
    };
}
reductions! {
    /// The sum. Half-precision floats are added in single precision; integers wrap.
    sum SUM;
    /// The product.
    prod PROD;
    /// The greatest element; NaN if one is NaN, the least value of the type of nothing.
    max MAX;
    /// The least element; NaN if one is NaN, the greatest value of the type of nothing.
    min MIN;
    /// Whether all elements of a mask are true.
    all ALL;
    /// Whether one element of a mask is true.
    any ANY;
}

/// Whether no element of a mask is true.
///
/// # Errors
/// As [`any`].
pub fn none(x: impl IntoArg, axis: impl Into<Axis>) -> Result<AnyArray> {
    crate::invert(any(x, axis)?)
}

/// How many elements of a mask are true.
///
/// # Errors
/// As [`any`].
pub fn count(x: impl IntoArg, axis: impl Into<Axis>) -> Result<AnyArray> {
    let x = array("count", x.into_arg())?;
    Domain::Masks.check("count", x.ty())?;
    sum(x.cast_to(x.ty().with_dtype(VarType::UInt32))?, axis)
}

/// The mean of floats; of half-precision floats in single precision.
///
/// # Errors
/// As [`sum`]; [`Error::NotSupported`] for integers.
pub fn mean(x: impl IntoArg, axis: impl Into<Axis>) -> Result<AnyArray> {
    let (x, axis) = (array("mean", x.into_arg())?, axis.into());
    Domain::Floats.check("mean", x.ty())?;
    if x.ty().dtype() == VarType::Float16 {
        let mean = mean(x.cast_to(x.ty().with_dtype(VarType::Float32))?, axis)?;
        return mean.cast_to(mean.ty().with_dtype(VarType::Float16));
    }
    let ones = crate::creation::full_like(x.clone().retyped(x.ty().plain())?, 1)?;
    let total = sum(&x, axis.clone())?;
    crate::divide(total, sum(ones, axis)?)
}

/// The mean square distance from the mean, of flat arrays and tensors.
///
/// # Errors
/// As [`mean`]; [`Error::NotSupported`] for nested arrays.
pub fn var(x: impl IntoArg) -> Result<AnyArray> {
    let x = array("var", x.into_arg())?;
    if x.leaf().is_none() {
        return Err(Error::NotSupported { function: "var", ty: x.ty() });
    }
    let centred = (&x - mean(&x, ())?).ok()?;
    mean(crate::square(centred)?, ())
}

/// The root of [`var`].
///
/// # Errors
/// As [`var`].
pub fn std(x: impl IntoArg) -> Result<AnyArray> {
    crate::sqrt(var(x)?)
}

/// Truth values as numbers, which have an order in the core.
fn ranked(x: &Array) -> ivy_core::Result<Array> {
    if x.dtype().is_bool() { f::astype(x, Dtype::UINT8) } else { Ok(x.clone()) }
}

macro_rules! of_vectors {
    ($($(#[$doc:meta])* $name:ident $dtype:expr, $core:expr;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`Error::NotSupported`] for nested arrays and tensors.
            pub fn $name(x: impl IntoArg) -> Result<AnyArray> {
                let x = array(stringify!($name), x.into_arg())?;
                let (Kind::Flat, Some(leaf)) = (x.ty().kind(), x.leaf()) else {
                    return Err(Error::NotSupported { function: stringify!($name), ty: x.ty() });
                };
                let dtype: fn(VarType) -> VarType = $dtype;
                let ty = x.ty().with_dtype(dtype(x.ty().dtype()));
                Ok(AnyArray::from_leaf(ty, run(stringify!($name), &Kernel::Plain($core), &[leaf])?))
            }
        )*
    };
}
of_vectors! {
    /// The number of the greatest element, the first of several.
    argmax |_| VarType::UInt32, |x| f::astype(f::reshape(f::argmax(ranked(&x[0])?, ())?, [1], ())?, Dtype::UINT32);
    /// The number of the least element, the first of several.
    argmin |_| VarType::UInt32, |x| f::astype(f::reshape(f::argmin(ranked(&x[0])?, ())?, [1], ())?, Dtype::UINT32);
    /// The elements in ascending order.
    sort |own| own, |x| f::sort(&x[0], ());
    /// The numbers of the elements in ascending order of these; equal ones stay in order.
    argsort |_| VarType::UInt32, |x| f::astype(f::argsort(&x[0], ())?, Dtype::UINT32);
    /// The middle element, the lower one of two.
    median |own| own, |x| {
        let middle = (x[0].size() as i64 - 1).max(0) / 2;
        f::sort(&x[0], ())?.get([ivy_core::Index::from(middle..middle + 1)])
    };
}
