//! Conversions between tensors, flat arrays and nested arrays, and other changes of form.

use crate::ad::{Kernel, run};
use crate::array::{AnyArray, Arg, IntoArg, Leaf};
use crate::ops::array;
use crate::types::{ArrayType, Kind, Size};
use crate::{Error, Result};
use ivy_core::functional as f;
use ivy_core::{Array, Index, Shape};

/// In which order the elements of nested arrays stand in a flat one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// The elements of a thread beside each other (column-major): `F` of nested arrays, `C` of tensors.
    #[default]
    Auto,
    /// The last axis, that of the threads, runs fastest.
    C,
    /// The first axis runs fastest.
    F,
}

fn leaf_of<'a>(function: &'static str, x: &'a AnyArray) -> Result<&'a Leaf> {
    x.leaf().ok_or(Error::NotSupported { function, ty: x.ty() })
}

fn reshaped(leaf: &Leaf, shape: Vec<usize>) -> Result<Leaf> {
    let kernel = Kernel::one(move |x| f::reshape(&x[0], Shape::from(&shape[..]), ()));
    run("reshape", &kernel, &[leaf])
}

/// A tensor of a flat array and a shape.
pub(crate) fn tensor(ty: ArrayType, elements: &AnyArray, shape: &[usize]) -> Result<AnyArray> {
    let leaf = leaf_of("tensor", elements)?;
    let expected = shape.iter().product();
    let got = leaf.array.size();
    match got == expected {
        true => Ok(AnyArray::from_leaf(ty.with_kind(Kind::Tensor), reshaped(leaf, shape.to_vec())?)),
        false => Err(Error::WrongEntries { ty, expected, got }),
    }
}

/// A tensor's elements as another type, whose levels are its first axes.
pub(crate) fn from_tensor(ty: ArrayType, x: &AnyArray) -> Result<AnyArray> {
    let leaf = leaf_of("tensor", x)?;
    let same = ty.tensor_t();
    let axes = ty.depth() + usize::from(ty.is_jit_v());
    if leaf.array.ndim() > axes || leaf.array.ndim() < ty.depth() {
        return Err(Error::MismatchedShape {
            ty,
            axis: leaf.array.ndim().min(axes),
            expected: axes,
            got: leaf.array.ndim(),
        });
    }
    let x = x.cast_to(same)?;
    taken_apart(ty, leaf_of("tensor", &x)?, 0)
}

fn taken_apart(ty: ArrayType, leaf: &Leaf, axis: usize) -> Result<AnyArray> {
    let Some((entry, size)) = ty.entry().zip(ty.size()) else {
        return Ok(AnyArray::from_leaf(ty, reshaped(leaf, vec![leaf.array.size()])?));
    };
    let got = leaf.array.shape().first().copied().unwrap_or(1);
    if let Size::Fixed(n) = size
        && got != usize::from(n)
    {
        return Err(Error::MismatchedShape { ty, axis, expected: n.into(), got });
    }
    let part = |i: usize| {
        let kernel = Kernel::one(move |x| x[0].get([Index::from(i as i64)]));
        taken_apart(entry, &run("slice", &kernel, &[leaf])?, axis + 1)
    };
    Ok(AnyArray::from_entries(ty, (0..got).map(part).collect::<Result<_>>()?))
}

/// Vectors as long as the others beside them.
pub(crate) fn broadcast_vectors(function: &'static str, x: &AnyArray) -> Result<(AnyArray, usize)> {
    let ragged = || Error::Ragged { function, ty: x.ty() };
    let width = x.width().ok_or_else(ragged)?;
    let wide = x.map_leaves(&mut |leaf| match leaf.array.size() == width {
        true => Ok(leaf.clone()),
        false => run(function, &Kernel::one(move |x| f::broadcast_to(&x[0], [width])), &[leaf]),
    })?;
    Ok((wide, width))
}

/// An array's elements as a tensor, whose first axes are its levels.
pub(crate) fn to_tensor(ty: ArrayType, x: &AnyArray) -> Result<AnyArray> {
    let shape = x.shape().ok_or(Error::Ragged { function: "tensor", ty: x.ty() })?;
    let flat = ravel(x.clone(), Order::C)?.cast_to(ty.leaf())?;
    let shape = if x.ty().depth() == 0 { vec![flat.len()] } else { shape };
    tensor(ty, &flat, &shape)
}

/// All elements in a flat array.
///
/// ```
/// use ivy_drjit::{Order, llvm::Array3f, ravel};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// let x = Array3f::new([[1, 2], [3, 4], [5, 6]])?;
/// assert_eq!(ravel(&x, Order::Auto)?.to_string(), "[1, 3, 5, 2, 4, 6]");
/// assert_eq!(ravel(&x, Order::C)?.to_string(), "[1, 2, 3, 4, 5, 6]");
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
///
/// # Errors
/// [`Error::Ragged`] for vectors of several sizes.
pub fn ravel(x: impl IntoArg, order: Order) -> Result<AnyArray> {
    let x = array("ravel", x.into_arg())?;
    let ty = x.ty().leaf();
    if let Some(leaf) = x.leaf() {
        let columns = order == Order::F && leaf.array.ndim() > 1;
        let kernel = Kernel::one(move |x| {
            let size = x[0].size();
            let axes: Vec<i64> = (0..x[0].ndim() as i64).rev().collect();
            let x = if columns { f::permute_dims(&x[0], axes)? } else { x[0].clone() };
            f::reshape(x, Shape::from([size]), ())
        });
        return Ok(AnyArray::from_leaf(ty, run("ravel", &kernel, &[leaf])?));
    }
    let (x, width) = broadcast_vectors("ravel", &x)?;
    let mut leaves = Vec::new();
    x.for_each_leaf(&mut |leaf| leaves.push(leaf.clone()));
    if leaves.is_empty() {
        return ty.make(());
    }
    let levels: Vec<usize> = x.shape().unwrap_or_default().into_iter().take(x.ty().depth()).collect();
    let kernel = Kernel::one(move |x| {
        let stacked = f::stack(x, ())?;
        let shape: Vec<usize> = levels.iter().copied().chain([width]).collect();
        let size = x.len() * width;
        let stacked = match order {
            Order::C => stacked,
            _ => {
                let axes: Vec<i64> = (0..shape.len() as i64).rev().collect();
                f::permute_dims(f::reshape(stacked, Shape::from(&shape[..]), ())?, axes)?
            }
        };
        f::reshape(stacked, Shape::from([size]), ())
    });
    Ok(AnyArray::from_leaf(ty, run("ravel", &kernel, &leaves.iter().collect::<Vec<_>>())?))
}

/// An array of a type from the elements in a flat array: the inverse of [`ravel`]. A level of any size has as many entries as
/// there are elements.
///
/// # Errors
/// [`Error::WrongEntries`] for elements that do not fill the type.
pub fn unravel(ty: ArrayType, x: impl IntoArg, order: Order) -> Result<AnyArray> {
    let x = array("unravel", x.into_arg())?;
    let x = x.cast_to(ty.leaf().with_dtype(x.ty().dtype()))?.cast_to(ty.leaf())?;
    let got = x.len();
    let fixed: usize =
        ty.sizes().iter().map(|size| if let Size::Fixed(n) = size { usize::from(*n) } else { 1 }).product();
    let dynamic = ty.size() == Some(Size::Dynamic);
    let width = if ty.is_jit_v() && !dynamic { got / fixed.max(1) } else { 1 };
    let levels: Vec<usize> =
        if dynamic { vec![got] } else { ty.sizes().iter().map(|size| size_of(*size)).collect() };
    let expected = levels.iter().product::<usize>() * width;
    if got != expected || ty.kind() == Kind::Tensor {
        return Err(Error::WrongEntries { ty, expected, got });
    }
    let leaf = leaf_of("unravel", &x)?;
    let kernel = Kernel::one(move |x| {
        let shape: Vec<usize> = levels.iter().copied().chain([width]).collect();
        match order {
            Order::C => f::reshape(&x[0], Shape::from(&shape[..]), ()),
            _ => {
                let turned: Vec<usize> = shape.iter().rev().copied().collect();
                let axes: Vec<i64> = (0..shape.len() as i64).rev().collect();
                f::permute_dims(f::reshape(&x[0], Shape::from(&turned[..]), ())?, axes)
            }
        }
    });
    taken_apart(ty, &run("unravel", &kernel, &[leaf])?, 0)
}

fn size_of(size: Size) -> usize {
    match size {
        Size::Fixed(n) => n.into(),
        Size::Dynamic => 1,
    }
}

/// A flat array or tensor with another shape, of which one axis may be -1: a tensor.
///
/// # Errors
/// [`Error::InvalidArgument`] for a shape that the elements do not fill.
pub fn reshape(x: impl IntoArg, shape: &[i64]) -> Result<AnyArray> {
    let x = array("reshape", x.into_arg())?;
    let x = x.cast_to(x.ty().tensor_t())?;
    let leaf = leaf_of("reshape", &x)?;
    let size = leaf.array.size();
    let known: usize = shape.iter().filter(|&&n| n >= 0).map(|&n| n as usize).product();
    let open = shape.iter().filter(|&&n| n < 0).count();
    let fits = match open {
        0 => known == size,
        1 => known > 0 && size.is_multiple_of(known),
        _ => false,
    };
    if !fits {
        let (function, argument, rule) =
            ("reshape", "shape", "one that the elements fill, with -1 once at most");
        return Err(Error::InvalidArgument { function, argument, value: format!("{shape:?}"), rule });
    }
    let shape = shape.iter().map(|&n| if n < 0 { size / known } else { n as usize }).collect();
    Ok(AnyArray::from_leaf(x.ty(), reshaped(leaf, shape)?))
}

/// Flat arrays of a type, one after the other.
pub(crate) fn concat(ty: ArrayType, parts: &[AnyArray]) -> Result<AnyArray> {
    let leaves = parts.iter().map(|x| leaf_of("concat", x)).collect::<Result<Vec<_>>>()?;
    let kernel = Kernel::one(|x: &[Array]| f::concat(x, ()));
    Ok(AnyArray::from_leaf(ty, run("concat", &kernel, &leaves)?))
}

/// Flat arrays, or tensors along their first axis, one after the other.
///
/// # Errors
/// [`Error::IncompatibleTypes`]; [`Error::NotSupported`] for nested arrays.
pub fn concatenate<T: IntoArg>(parts: impl IntoIterator<Item = T>) -> Result<AnyArray> {
    let args: Vec<Arg> = parts.into_iter().map(T::into_arg).collect();
    let ty = crate::ops::promote("concat", &args)?;
    let parts = crate::ops::cast_all(ty, args)?;
    if ty.depth() > 0 {
        return Err(Error::NotSupported { function: "concat", ty });
    }
    concat(ty, &parts)
}

macro_rules! of_vectors {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $t:ty)?) $core:expr;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// No memory.
            pub fn $name(x: impl IntoArg $(, $argument: $t)?) -> Result<AnyArray> {
                let x = array(stringify!($name), x.into_arg())?;
                let core = $core;
                x.map_leaves(&mut |leaf| {
                    run(stringify!($name), &Kernel::one(move |x| core(&x[0] $(, $argument)?)), &[leaf])
                })
            }
        )*
    };
}
of_vectors! {
    /// Each element of the vectors so many times.
    repeat(count: usize) |x: &Array, count: usize| f::repeat(x, count as i64, ());
    /// The vectors so many times, one after the other.
    tile(count: usize) |x: &Array, count: usize| f::tile(x, [count]);
    /// The vectors from the end to the beginning.
    reverse() |x: &Array| f::flip(x, ());
}

/// The flat arrays of all combinations of elements of several: those of the first one run fastest, or with `ij` slowest.
///
/// # Errors
/// [`Error::NotSupported`] for other arrays.
pub fn meshgrid<T: IntoArg>(args: impl IntoIterator<Item = T>, ij: bool) -> Result<Vec<AnyArray>> {
    let args: Vec<AnyArray> =
        args.into_iter().map(|x| array("meshgrid", x.into_arg())).collect::<Result<_>>()?;
    let sizes: Vec<usize> = args.iter().map(AnyArray::len).collect();
    if let Some(x) = args.iter().find(|x| x.ty().kind() != Kind::Flat) {
        return Err(Error::NotSupported { function: "meshgrid", ty: x.ty() });
    }
    let one = |(axis, x): (usize, &AnyArray)| {
        // Axes from the slowest to the fastest.
        let place = if ij { axis } else { sizes.len() - 1 - axis };
        let mut shape: Vec<usize> = if ij { sizes.clone() } else { sizes.iter().rev().copied().collect() };
        let mut own = vec![1; shape.len()];
        own[place] = x.len();
        let total = shape.iter().product::<usize>();
        let full = std::mem::take(&mut shape);
        let kernel = Kernel::one(move |x| {
            let x = f::reshape(&x[0], Shape::from(&own[..]), ())?;
            f::reshape(f::broadcast_to(x, Shape::from(&full[..]))?, Shape::from([total]), ())
        });
        Ok(AnyArray::from_leaf(x.ty(), run("meshgrid", &kernel, &[leaf_of("meshgrid", x)?])?))
    };
    args.iter().enumerate().map(one).collect()
}
