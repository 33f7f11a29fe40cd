//! Memory operations: gathers, and scatters as values.
//!
//! A target is not changed: what Dr.Jit writes into it is the result, which replaces it. Updates of one place are done one after the other
//! in the order of the indices. Within [masked](crate::masked) code only active threads have a part.

use crate::ad::{Kernel, run, run_all};
use crate::array::{AnyArray, IntoArg, Leaf};
use crate::flow::{active_mask, threads};
use crate::ops::array;
use crate::types::{ArrayType, Kind, Size, VarType};
use crate::{Error, Result};
use ivy_core::functional as f;
use ivy_core::{Array, Shape};

/// What becomes of an update and of what stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReduceOp {
    /// The update stands there.
    Identity,
    /// Their sum.
    Add,
    /// Their product.
    Mul,
    /// The lesser.
    Min,
    /// The greater.
    Max,
    /// The bits of both.
    And,
    /// The bits of either.
    Or,
}

impl ReduceOp {
    pub(crate) fn reduction(self) -> f::Reduction {
        match self {
            ReduceOp::Identity => f::Reduction::Replace,
            ReduceOp::Add => f::Reduction::Sum,
            ReduceOp::Mul => f::Reduction::Mul,
            ReduceOp::Min => f::Reduction::Min,
            ReduceOp::Max => f::Reduction::Max,
            ReduceOp::And => f::Reduction::And,
            ReduceOp::Or => f::Reduction::Or,
        }
    }
}

/// How updates are put where they go: a hint that changes no result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReduceMode {
    /// The engine chooses.
    #[default]
    Auto,
    /// One after the other.
    Direct,
    /// Those of neighbours are combined before.
    Local,
    /// The caller says that no two updates have one place.
    NoConflicts,
    /// Into copies that are combined at the end.
    Expand,
    /// The caller says that each place has exactly one update.
    Permute,
}

impl ReduceMode {
    /// Every mode.
    pub const ALL: [ReduceMode; 6] = [
        ReduceMode::Auto,
        ReduceMode::Direct,
        ReduceMode::Local,
        ReduceMode::NoConflicts,
        ReduceMode::Expand,
        ReduceMode::Permute,
    ];

    fn hint(self) -> f::ScatterMode {
        match self {
            ReduceMode::Auto => f::ScatterMode::Auto,
            ReduceMode::Direct => f::ScatterMode::Direct,
            ReduceMode::Local => f::ScatterMode::Local,
            ReduceMode::NoConflicts => f::ScatterMode::NoConflicts,
            ReduceMode::Expand => f::ScatterMode::Expand,
            ReduceMode::Permute => f::ScatterMode::Permute,
        }
    }
}

fn wrong(function: &'static str, argument: &'static str, expected: &str, actual: ArrayType) -> Error {
    Error::WrongType { function, argument, expected: expected.into(), actual }
}

fn flat<'a>(function: &'static str, argument: &'static str, x: &'a AnyArray) -> Result<&'a Leaf> {
    match (x.ty().kind(), x.leaf()) {
        (Kind::Flat, Some(leaf)) => Ok(leaf),
        _ => Err(wrong(function, argument, "a flat array", x.ty())),
    }
}

/// Indices as a flat array beside an array, and the mask of all that has a part in it.
struct Places {
    index: Leaf,
    mask: Option<Leaf>,
}

fn places(function: &'static str, ty: ArrayType, index: AnyArray, active: AnyArray) -> Result<Places> {
    if !index.ty().is_integral_v() {
        return Err(wrong(function, "index", "an integer array", index.ty()));
    }
    if !active.ty().is_mask_v() {
        return Err(wrong(function, "active", "a mask", active.ty()));
    }
    let mut index = index.cast_to(ty.leaf().with_dtype(index.ty().dtype()))?;
    let threads = threads(index.len(), active.len());
    if threads != index.len() {
        // One place of many threads is one of each.
        let shape = Shape::from([threads]);
        let kernel = Kernel::one(move |x| f::broadcast_to(&x[0], shape.clone()));
        index = AnyArray::from_leaf(index.ty(), run(function, &kernel, &[flat(function, "index", &index)?])?);
    }
    let mask = match active_mask(index.len())? {
        Some(own) => crate::bitwise_and(own, active)?,
        None => active,
    };
    let trivial = mask.leaf().is_some_and(|leaf| leaf.array.size() == 1)
        && mask.ty().package() == crate::types::Package::SCALAR
        && mask.to_bool()?;
    let mask = match trivial {
        true => None,
        false => Some(flat(function, "active", &mask.cast_to(ty.leaf().with_dtype(VarType::Bool))?)?.clone()),
    };
    Ok(Places { index: flat(function, "index", &index)?.clone(), mask })
}

impl Places {
    /// The arrays of a call: those given, then indices and mask.
    fn with<'a>(&'a self, first: &[&'a Leaf]) -> Vec<&'a Leaf> {
        first.iter().copied().chain([&self.index]).chain(&self.mask).collect()
    }
}

/// The mask of a call's arrays, behind so many others.
fn mask_of(x: &[Array], before: usize) -> Option<&Array> {
    x.get(before)
}

/// The elements of a flat array, or groups of them as entries of a nested type, at indices; zero where `active` is false, where the index is
/// not looked at.
///
/// ```
/// use ivy_drjit::{gather, llvm::{Bool, Float, UInt}};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// let x = Float::new([1, 2, 3])?;
/// let y = gather(Float::TYPE, &x, &UInt::new([2, 9])?, &Bool::new([true, false])?)?;
/// assert_eq!(y.to_string(), "[3, 0]");
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
///
/// # Errors
/// [`Error::WrongType`] for a source that is not flat, an index that is none; the core's error with the position of an index out of range, at the
/// latest when the result is read.
pub fn gather(
    ty: ArrayType,
    source: impl IntoArg,
    index: impl IntoArg,
    active: impl IntoArg,
) -> Result<AnyArray> {
    let source = array("gather", source.into_arg())?;
    let (index, active) = (array("gather", index.into_arg())?, array("gather", active.into_arg())?);
    gather_at(ty, &source, index, active)
}

fn gather_at(ty: ArrayType, source: &AnyArray, index: AnyArray, active: AnyArray) -> Result<AnyArray> {
    if source.ty().depth() > 0 {
        // Each of the arrays within.
        let entry_ty = ty.entry().filter(|_| ty.sizes() == source.ty().sizes());
        let entry_ty = entry_ty
            .ok_or_else(|| wrong("gather", "source", "a flat array, or one of the type", source.ty()))?;
        let one = |entry: &AnyArray| gather_at(entry_ty, entry, index.clone(), active.clone());
        let entries = source.entries().iter().map(one).collect::<Result<_>>()?;
        return Ok(AnyArray::from_entries(ty, entries));
    }
    if let (Some(entry), Some(size)) = (ty.entry(), ty.size()) {
        let Size::Fixed(n) = size else { return Err(wrong("gather", "the type", "one of fixed size", ty)) };
        let one =
            |i: u8| gather_at(entry, source, (&index * u32::from(n) + u32::from(i)).ok()?, active.clone());
        return Ok(AnyArray::from_entries(ty, (0..n).map(one).collect::<Result<_>>()?));
    }
    let package = source.ty().package().promote(ty.package()).unwrap_or(ty.package());
    let source = source.cast_to(source.ty().with_package(package))?;
    let places = places("gather", source.ty(), index, active)?;
    let kernel = Kernel::one(|x: &[Array]| f::gather(&x[0], &x[1], f::Gather::new().mask(mask_of(x, 2))));
    let leaf = run("gather", &kernel, &places.with(&[flat("gather", "source", &source)?]))?;
    AnyArray::from_leaf(source.ty(), leaf).cast_to(ty)
}

/// The target with values put at indices (of nested values each entry behind the other), where `active` is true; the last one, of several
/// of one place.
///
/// # Errors
/// As [`scatter_reduce`].
pub fn scatter(
    target: impl IntoArg,
    value: impl IntoArg,
    index: impl IntoArg,
    active: impl IntoArg,
) -> Result<AnyArray> {
    scatter_reduce(ReduceOp::Identity, target, value, index, active, ReduceMode::Auto)
}

/// The target with values added at indices.
///
/// # Errors
/// As [`scatter_reduce`].
pub fn scatter_add(
    target: impl IntoArg,
    value: impl IntoArg,
    index: impl IntoArg,
    active: impl IntoArg,
) -> Result<AnyArray> {
    scatter_reduce(ReduceOp::Add, target, value, index, active, ReduceMode::Auto)
}

/// The target with what stands at indices joined with values, where `active` is true. `mode` is a hint.
///
/// ```
/// use ivy_drjit::{ReduceMode, ReduceOp, llvm::{Int, UInt}, scatter_reduce};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// let (value, index) = (Int::new([3, 5, 4])?, UInt::new([0, 0, 1])?);
/// let y = scatter_reduce(ReduceOp::Max, &Int::new([0, 0])?, &value, &index, true, ReduceMode::Auto)?;
/// assert_eq!(y.to_string(), "[5, 4]");
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
///
/// # Errors
/// [`Error::WrongType`] for a target that is not flat, an index that is none; the core's error with the position of an index out of range, at the
/// latest when the result is read.
pub fn scatter_reduce(
    op: ReduceOp,
    target: impl IntoArg,
    value: impl IntoArg,
    index: impl IntoArg,
    active: impl IntoArg,
    mode: ReduceMode,
) -> Result<AnyArray> {
    let target = array("scatter_reduce", target.into_arg())?;
    let ty = target.ty();
    let value = match value.into_arg() {
        crate::Arg::Array(value) => value,
        foreign @ crate::Arg::Foreign(_) => ty.make(foreign)?,
        other => ty.leaf().make(other)?,
    };
    let (index, active) =
        (array("scatter_reduce", index.into_arg())?, array("scatter_reduce", active.into_arg())?);
    scatter_at(op, target, &value, index, active, mode)
}

fn scatter_at(
    op: ReduceOp,
    target: AnyArray,
    value: &AnyArray,
    index: AnyArray,
    active: AnyArray,
    mode: ReduceMode,
) -> Result<AnyArray> {
    let ty = target.ty();
    if ty.depth() > 0 {
        if value.ty().sizes() != ty.sizes() {
            return Err(wrong("scatter_reduce", "value", "an array of the target's form", value.ty()));
        }
        let one = |(target, value): (&AnyArray, &AnyArray)| {
            scatter_at(op, target.clone(), value, index.clone(), active.clone(), mode)
        };
        let entries = target.entries().iter().zip(value.entries()).map(one).collect::<Result<_>>()?;
        return Ok(AnyArray::from_entries(ty, entries));
    }
    if value.ty().depth() > 0 {
        let n = value.len() as u32;
        let entries = (0u32..).zip(value.entries());
        return entries.into_iter().try_fold(target, |target, (i, entry)| {
            scatter_at(op, target, entry, (&index * n + i).ok()?, active.clone(), mode)
        });
    }
    let value = value.cast_to(ty)?;
    let places = places("scatter_reduce", ty, index, active)?;
    let (target, value) =
        (flat("scatter_reduce", "target", &target)?, flat("scatter_reduce", "value", &value)?);
    let (reduction, mode) = (op.reduction(), mode.hint());
    let kernel = Kernel::one(move |x| {
        let places = match x[1].size() {
            1 => x[2].clone(),
            size => f::broadcast_to(&x[2], [x[2].size().max(size)])?,
        };
        let keywords = f::ScatterFlat::new().out(&x[0]).reduction(reduction).mode(mode).mask(mask_of(x, 3));
        f::scatter_flat(places, &x[1], keywords)
    });
    Ok(AnyArray::from_leaf(ty, run("scatter_reduce", &kernel, &places.with(&[target, value]))?))
}

/// What an exchange gives.
#[derive(Clone, Debug)]
pub struct Exchanged {
    /// What stood at the place of each update just before it; 0 where `active` is false.
    pub old: AnyArray,
    /// The target after all updates.
    pub target: AnyArray,
}

/// What a compare-and-swap gives.
#[derive(Clone, Debug)]
pub struct Swapped {
    /// What stood at the place of each update just before it; 0 where `active` is false.
    pub old: AnyArray,
    /// Whether it was what was expected, and so was replaced.
    pub swapped: AnyArray,
    /// The target after all updates.
    pub target: AnyArray,
}

fn next(function: &'static str, ty: ArrayType, results: &mut impl Iterator<Item = Leaf>) -> Result<AnyArray> {
    let leaf = results.next().ok_or(Error::NotSupported { function, ty })?;
    Ok(AnyArray::from_leaf(ty, leaf))
}

/// Adds 1 at each index, and says what stood there: a number for each of several of one place.
///
/// # Errors
/// As [`scatter_reduce`]; the core's error for what are no integers.
pub fn scatter_inc(target: impl IntoArg, index: impl IntoArg, active: impl IntoArg) -> Result<Exchanged> {
    const NAME: &str = "scatter_inc";
    let target = array(NAME, target.into_arg())?;
    let ty = target.ty();
    let places = places(NAME, ty, array(NAME, index.into_arg())?, array(NAME, active.into_arg())?)?;
    let kernel = Kernel::Shared(std::sync::Arc::new(|x: &[Array]| {
        let done = f::scatter_inc(&x[0], &x[1], f::ScatterInc::new().mask(mask_of(x, 2)))?;
        Ok(vec![done.old, done.target])
    }));
    let mut results = run_all(NAME, &kernel, &places.with(&[flat(NAME, "target", &target)?]))?.into_iter();
    Ok(Exchanged { old: next(NAME, ty, &mut results)?, target: next(NAME, ty, &mut results)? })
}

/// Puts values at indices, and says what stood there.
///
/// # Errors
/// As [`scatter_reduce`].
pub fn scatter_exch(
    target: impl IntoArg,
    value: impl IntoArg,
    index: impl IntoArg,
    active: impl IntoArg,
) -> Result<Exchanged> {
    const NAME: &str = "scatter_exch";
    let target = array(NAME, target.into_arg())?;
    let ty = target.ty();
    let value = ty.make(value)?;
    let places = places(NAME, ty, array(NAME, index.into_arg())?, array(NAME, active.into_arg())?)?;
    let kernel = Kernel::Shared(std::sync::Arc::new(|x: &[Array]| {
        let done = f::scatter_exch(&x[0], &x[1], &x[2], f::ScatterExch::new().mask(mask_of(x, 3)))?;
        Ok(vec![done.old, done.target])
    }));
    let leaves = [flat(NAME, "target", &target)?, flat(NAME, "value", &value)?];
    let mut results = run_all(NAME, &kernel, &places.with(&leaves))?.into_iter();
    Ok(Exchanged { old: next(NAME, ty, &mut results)?, target: next(NAME, ty, &mut results)? })
}

/// Puts values at indices where what is expected stands, one update after the other.
///
/// # Errors
/// As [`scatter_reduce`].
pub fn scatter_cas(
    target: impl IntoArg,
    compare: impl IntoArg,
    value: impl IntoArg,
    index: impl IntoArg,
    active: impl IntoArg,
) -> Result<Swapped> {
    const NAME: &str = "scatter_cas";
    let target = array(NAME, target.into_arg())?;
    let ty = target.ty();
    let (compare, value) = (ty.make(compare)?, ty.make(value)?);
    let places = places(NAME, ty, array(NAME, index.into_arg())?, array(NAME, active.into_arg())?)?;
    let kernel = Kernel::Shared(std::sync::Arc::new(|x: &[Array]| {
        let done = f::scatter_cas(&x[0], &x[1], &x[2], &x[3], f::ScatterCas::new().mask(mask_of(x, 4)))?;
        Ok(vec![done.old, done.swapped, done.target])
    }));
    let leaves =
        [flat(NAME, "target", &target)?, flat(NAME, "compare", &compare)?, flat(NAME, "value", &value)?];
    let mut results = run_all(NAME, &kernel, &places.with(&leaves))?.into_iter();
    let old = next(NAME, ty, &mut results)?;
    let swapped = next(NAME, ty.with_dtype(VarType::Bool), &mut results)?;
    Ok(Swapped { old, swapped, target: next(NAME, ty, &mut results)? })
}
