//! Slices of tensors: what is chosen becomes indices into the flat array.

use crate::ad::{Kernel, run};
use crate::array::{AnyArray, IntoArg, Leaf, common_size};
use crate::types::{ArrayType, Kind, VarType};
use crate::{Error, Result};
use ivy_core::Shape;
use ivy_core::functional as f;

/// What is chosen along an axis.
#[derive(Clone, Debug)]
pub enum Slice {
    /// One entry; the axis goes away. Negative numbers count from the end.
    Entry(i64),
    /// The entries from `start` to before `stop`, in steps; as Python has it.
    Range {
        /// The first; from the beginning, or with negative steps the end, if not given.
        start: Option<i64>,
        /// The one behind the last; to the end if not given.
        stop: Option<i64>,
        /// The distance.
        step: i64,
    },
    /// The entries of these numbers, or where a mask of the axis's length is true.
    Entries(AnyArray),
    /// All axes that nothing else is said of.
    Ellipsis,
    /// A new axis of length 1.
    NewAxis,
}

impl Slice {
    /// All entries.
    pub const ALL: Slice = Slice::Range { start: None, stop: None, step: 1 };

    /// The entries from `start` to before `stop`, in steps.
    pub const fn range(start: i64, stop: i64, step: i64) -> Slice {
        Slice::Range { start: Some(start), stop: Some(stop), step }
    }
}

fn invalid(argument: &'static str, value: impl ToString, rule: &'static str) -> Error {
    Error::InvalidArgument { function: "slice_index", argument, value: value.to_string(), rule }
}

/// The first entry, the step and the count of a range along an axis.
fn bounds(start: Option<i64>, stop: Option<i64>, step: i64, len: usize) -> Result<(i64, usize)> {
    if step == 0 {
        return Err(invalid("step", 0, "a number other than 0"));
    }
    let len = len as i64;
    let (low, high) = if step > 0 { (0, len) } else { (-1, len - 1) };
    let place = |own: Option<i64>, default: i64| {
        own.map_or(default, |i| (if i < 0 { i.saturating_add(len) } else { i }).clamp(low, high))
    };
    let (first, end) = if step > 0 {
        (place(start, low), place(stop, high))
    } else {
        (place(start, high), place(stop, low))
    };
    let count = if step > 0 {
        (end - first).max(0).div_euclid(step) + i64::from((end - first).max(0) % step != 0)
    } else {
        (first - end).max(0).div_euclid(-step) + i64::from((first - end).max(0) % -step != 0)
    };
    Ok((first, count as usize))
}

/// The shape of a slice of a shape, and the place of each of its elements in the flat array (`dr.slice_index`).
///
/// Several arrays of numbers choose together, as NumPy has it: they broadcast, and are one axis of the slice, at the place of the first.
///
/// ```
/// use ivy_drjit::{ArrayType, Package, Slice, VarType, llvm::UInt, slice_index};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// let slices = [Slice::Entries(UInt::new([5, 6])?.into_any()), Slice::range(10, 20, 4), Slice::NewAxis, Slice::Entry(1), Slice::Ellipsis];
/// let (shape, index) = slice_index(ArrayType::flat(Package::LLVM, VarType::UInt32), &[10, 20, 30, 40], &slices)?;
/// assert_eq!((shape, index.len()), (vec![2, 3, 1, 40], 240));
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
///
/// # Errors
/// [`Error::InvalidArgument`] for too many slices, a second ellipsis or a step of 0; [`Error::OutOfBounds`] for an entry that is
/// not there; [`Error::WrongType`] for an index that is none; [`Error::IncompatibleSizes`] for arrays of numbers that do not broadcast.
pub fn slice_index(ty: ArrayType, shape: &[usize], slices: &[Slice]) -> Result<(Vec<usize>, AnyArray)> {
    let ty = ty.leaf();
    if !ty.is_integral_v() {
        let (function, argument, expected) = ("slice_index", "the type", "an integer array".into());
        return Err(Error::WrongType { function, argument, expected, actual: ty });
    }
    let said = slices.iter().filter(|s| !matches!(s, Slice::Ellipsis | Slice::NewAxis)).count();
    let ellipses = slices.iter().filter(|s| matches!(s, Slice::Ellipsis)).count();
    if said > shape.len() || ellipses > 1 {
        return Err(invalid("slices", said, "as many as there are axes at most, and one ellipsis"));
    }
    let mut all: Vec<Slice> = Vec::new();
    for slice in slices {
        match slice {
            Slice::Ellipsis => all.extend(vec![Slice::ALL; shape.len() - said]),
            other => all.push(other.clone()),
        }
    }
    if ellipses == 0 {
        all.extend(vec![Slice::ALL; shape.len() - said]);
    }
    let strides: Vec<usize> = (0..shape.len()).map(|axis| shape[axis + 1..].iter().product()).collect();
    let mut axis = 0;
    let (mut out, mut offset, mut parts) = (Vec::new(), 0i64, Vec::new());
    // The axis that arrays of numbers have in common.
    let mut common = None;
    for slice in &all {
        if matches!(slice, Slice::NewAxis) {
            out.push(1);
            continue;
        }
        let (len, stride) = (shape[axis], strides[axis] as i64);
        axis += 1;
        match slice {
            Slice::Entry(index) => {
                let place = if *index < 0 { index + len as i64 } else { *index };
                if place < 0 || place >= len as i64 {
                    return Err(Error::OutOfBounds { ty, index: *index, size: len });
                }
                offset += place * stride;
            }
            Slice::Range { start, stop, step } => {
                let (first, count) = bounds(*start, *stop, *step, len)?;
                offset += first * stride;
                let numbers = ty.with_dtype(VarType::Int64).counter(count)?;
                parts.push((out.len(), crate::multiply(numbers, step * stride)?));
                out.push(count);
            }
            Slice::Entries(index) => {
                let index = numbers_of(ty, index, len)?;
                let place = *common.get_or_insert(out.len());
                parts.push((place, crate::multiply(&index, stride)?));
                if place == out.len() {
                    out.push(index.len());
                    continue;
                }
                let sizes = vec![out[place], index.len()];
                out[place] =
                    common_size(&sizes).ok_or(Error::IncompatibleSizes { function: "slice_index", sizes })?;
            }
            Slice::Ellipsis | Slice::NewAxis => (),
        }
    }
    let total: usize = out.iter().product();
    let mut sum = ty.with_dtype(VarType::Int64).filled(Shape::default(), offset.into())?;
    let rank = out.len();
    for (place, part) in parts {
        let leaf = part.leaf().ok_or(Error::NotSupported { function: "slice_index", ty: part.ty() })?;
        let mut own = vec![1; rank];
        own[place] = leaf.array.size();
        let laid = f::reshape(&leaf.array, Shape::from(&own[..]), ())?;
        let before = sum.core_of("slice_index")?.clone();
        let package = ty.package();
        sum =
            AnyArray::from_leaf(ArrayType::tensor(package, VarType::Int64), Leaf::new(f::add(before, laid)?));
    }
    let full = f::broadcast_to(sum.core_of("slice_index")?, Shape::from(&out[..]))?;
    let flat = f::reshape(full, Shape::from([total]), ())?;
    let index = AnyArray::from_leaf(ty.with_dtype(VarType::Int64), Leaf::new(flat)).cast_to(ty)?;
    Ok((out, index))
}

/// Numbers of entries, as 64-bit integers; those of a mask where it is true.
fn numbers_of(ty: ArrayType, index: &AnyArray, len: usize) -> Result<AnyArray> {
    let own = index.ty();
    if own.kind() != Kind::Flat || own.is_float_v() {
        let (function, argument, expected) =
            ("slice_index", "an index", "a flat array of integers or a mask".into());
        return Err(Error::WrongType { function, argument, expected, actual: own });
    }
    let wide = ty.with_dtype(VarType::Int64);
    if !own.is_mask_v() {
        let index = index.cast_to(wide)?;
        return crate::select(crate::lt(&index, 0)?, (&index + len as i64).ok()?, &index);
    }
    if index.len() != len {
        return Err(Error::IncompatibleSizes { function: "slice_index", sizes: vec![len, index.len()] });
    }
    crate::compress(index)?.cast_to(wide)
}

/// A slice of a tensor.
///
/// # Errors
/// As [`slice_index`]; [`Error::WrongType`] for what is no tensor.
pub fn slice(x: &AnyArray, slices: &[Slice]) -> Result<AnyArray> {
    let (leaf, shape, index) = indexed(x, slices)?;
    let kernel = Kernel::one(move |x| {
        let flat = f::reshape(&x[0], Shape::from([x[0].size()]), ())?;
        f::reshape(f::gather(flat, &x[1], ())?, Shape::from(&shape[..]), ())
    });
    Ok(AnyArray::from_leaf(x.ty(), run("slice", &kernel, &[&leaf, &index])?))
}

/// Replaces a slice of a tensor by a value, which broadcasts.
///
/// # Errors
/// As [`slice()`]; [`Error::IncompatibleShapes`] for a value that does not broadcast.
pub fn set_slice(x: &mut AnyArray, slices: &[Slice], value: impl IntoArg) -> Result<()> {
    let (leaf, shape, index) = indexed(x, slices)?;
    let value = x.ty().make(value)?;
    let value_leaf = value.leaf().ok_or(Error::NotSupported { function: "set_slice", ty: value.ty() })?;
    let own = value_leaf.array.shape();
    let fits =
        own.len() <= shape.len() && own.iter().rev().zip(shape.iter().rev()).all(|(&a, &b)| a == b || a == 1);
    if !fits {
        let (left, right) = (shape, own.to_vec());
        return Err(Error::IncompatibleShapes { function: "set_slice", left, right });
    }
    let kernel = Kernel::one(move |x| {
        let whole = x[0].shape().clone();
        let flat = f::reshape(&x[0], Shape::from([x[0].size()]), ())?;
        let value = f::broadcast_to(&x[1], Shape::from(&shape[..]))?;
        let value = f::reshape(value, Shape::from([x[2].size()]), ())?;
        let keywords = f::ScatterFlat::new().out(&flat).reduction(f::Reduction::Replace);
        f::reshape(f::scatter_flat(&x[2], value, keywords)?, whole, ())
    });
    *x = AnyArray::from_leaf(x.ty(), run("set_slice", &kernel, &[&leaf, value_leaf, &index])?);
    Ok(())
}

fn indexed(x: &AnyArray, slices: &[Slice]) -> Result<(Leaf, Vec<usize>, Leaf)> {
    let (Kind::Tensor, Some(leaf)) = (x.ty().kind(), x.leaf()) else {
        let (function, argument, expected) = ("slice", "the array", "a tensor".into());
        return Err(Error::WrongType { function, argument, expected, actual: x.ty() });
    };
    let ty = ArrayType::flat(x.ty().package(), VarType::Int64);
    let (shape, index) = slice_index(ty, leaf.array.shape(), slices)?;
    let index = index.leaf().cloned().ok_or(Error::NotSupported { function: "slice", ty })?;
    Ok((leaf.clone(), shape, index))
}
