//! Operations on elements: promotion, domains, and the walk through nested arrays.

mod binary;
mod bits;
mod compare;
mod domain;
mod power;
mod ternary;
mod unary;

pub use binary::*;
pub use bits::*;
pub use compare::*;
pub(crate) use domain::Domain;
pub use power::*;
pub use ternary::*;
pub use unary::*;

use crate::ad::{Kernel, run};
use crate::array::{AnyArray, Arg, Leaf, common_size, common_size_of};
use crate::types::{ArrayType, Kind, Package, Size, VarType, expr_t, scalar_type};
use crate::{Error, Result};
use ivy_backend_jit::JitBackend;
use ivy_core::{Array, Scalar, ScalarKind};
use smallvec::SmallVec;

/// The type of a host scalar where nothing beside it says one.
pub(crate) fn host_type(function: &'static str, scalar: Scalar) -> Result<ArrayType> {
    let dtype = match scalar.kind() {
        ScalarKind::Bool => VarType::Bool,
        ScalarKind::Int => VarType::Int64,
        ScalarKind::Float => VarType::Float64,
        ScalarKind::Complex => {
            let ty = ArrayType::flat(Package::SCALAR, VarType::Float64);
            return Err(Error::NotSupported { function, ty });
        }
    };
    Ok(ArrayType::flat(Package::SCALAR, dtype))
}

/// The type to which arguments promote; lists are of the type of the others.
pub(crate) fn promote(function: &'static str, args: &[Arg]) -> Result<ArrayType> {
    let mut ty: Option<ArrayType> = None;
    for arg in args {
        match arg {
            Arg::Failed(error) => return Err(error.clone()),
            Arg::Array(x) => {
                ty = Some(match ty {
                    Some(ty) => expr_t(ty, x.ty()).map_err(|error| named(error, function))?,
                    None => x.ty(),
                });
            }
            Arg::Foreign(_) | Arg::Scalar(_) | Arg::List(_) => (),
        }
    }
    for arg in args {
        if let Arg::Foreign(x) = arg {
            ty = Some(
                match ty {
                    // Its axes are those of the nested type; the elements promote.
                    Some(ty) if ty.depth() > 0 => expr_t(ty, x.ty().leaf()),
                    Some(ty) => expr_t(ty, x.ty()),
                    None => Ok(x.ty()),
                }
                .map_err(|error| named(error, function))?,
            );
        }
    }
    let first_scalar = args.iter().find_map(|arg| if let Arg::Scalar(x) = arg { Some(*x) } else { None });
    let mut ty = match (ty, first_scalar) {
        (Some(ty), _) => ty,
        (None, Some(scalar)) => host_type(function, scalar)?,
        (None, None) => {
            let (argument, rule) = ("arguments", "an array, to say the type");
            return Err(Error::InvalidArgument { function, argument, value: "lists".into(), rule });
        }
    };
    for arg in args {
        if let Arg::Scalar(scalar) = arg {
            ty = scalar_type(function, ty, scalar.kind())?;
        }
    }
    Ok(ty)
}

fn named(error: Error, name: &'static str) -> Error {
    match error {
        Error::IncompatibleTypes { left, right, .. } => {
            Error::IncompatibleTypes { function: name, left, right }
        }
        other => other,
    }
}

/// The arguments in one type. Host scalars are made on the engine of the first array of the type's package.
pub(crate) fn cast_all(ty: ArrayType, args: Vec<Arg>) -> Result<Vec<AnyArray>> {
    let scalar = |arg: &Arg| matches!(arg, Arg::Scalar(_));
    let engine = match args.iter().any(scalar) {
        true => args.iter().find_map(|arg| engine_array(ty, arg)),
        false => None,
    };
    let one = |arg| match (arg, &engine) {
        (Arg::Scalar(value), Some(like)) if ty.size() != Some(Size::Dynamic) => ty.literal_like(like, value),
        // Scalar operands of matrices, complex numbers and quaternions, not their entries.
        (Arg::Foreign(x), _) if ty.is_special_v() && x.ty().kind() == Kind::Flat => x.cast_to(ty),
        (arg, _) => ty.make(arg),
    };
    args.into_iter().map(one).collect()
}

/// An array of the engine that an argument has, if it is of the backend of a type.
fn engine_array(ty: ArrayType, arg: &Arg) -> Option<Array> {
    let Arg::Array(x) = arg else { return None };
    let mut first = x;
    while first.leaf().is_none() {
        first = first.entries().first()?;
    }
    let leaf = first.leaf().filter(|_| x.ty().backend_v() == ty.backend_v())?;
    JitBackend::variable(&leaf.array).map(|_| leaf.array.clone())
}

/// An argument as an array of the type that it has.
pub(crate) fn array(function: &'static str, arg: Arg) -> Result<AnyArray> {
    match arg {
        Arg::Array(x) | Arg::Foreign(x) => Ok(x),
        other => {
            let ty = promote(function, std::slice::from_ref(&other))?;
            ty.make(other)
        }
    }
}

/// Does an operation with the elements of arrays of one form; the result has that form and its own element type.
pub(crate) fn zip<'a>(
    function: &'static str,
    out: ArrayType,
    kernel: &Kernel,
    args: &[&'a AnyArray],
) -> Result<AnyArray> {
    if out.depth() == 0 {
        let mut leaves = SmallVec::<[&Leaf; 3]>::new();
        for x in args {
            leaves.push(x.leaf().ok_or(Error::NotSupported { function, ty: x.ty() })?);
        }
        check_sizes(function, out, leaves.iter().map(|leaf| &leaf.array))?;
        return Ok(AnyArray::from_leaf(out, run(function, kernel, &leaves)?));
    }
    let lengths: SmallVec<[usize; 3]> = args.iter().map(|x| x.len()).collect();
    let refused = || Error::IncompatibleSizes { function, sizes: lengths.to_vec() };
    let count = common_size(&lengths).ok_or_else(refused)?;
    let entry_ty = out.entry().ok_or(Error::NotSupported { function, ty: out })?;
    let one = |index: usize| {
        let entry = |x: &&'a AnyArray| x.entries().get(index).or(x.entries().first());
        let entries = args.iter().map(entry).collect::<Option<SmallVec<[&AnyArray; 3]>>>();
        let entries = entries.ok_or(Error::IncompatibleSizes { function, sizes: vec![0, count] })?;
        zip(function, entry_ty, kernel, &entries)
    };
    Ok(AnyArray::from_entries(out, (0..count).map(one).collect::<Result<_>>()?))
}

/// Vectors have one size or a single element; tensors' shapes broadcast.
fn check_sizes<'a>(
    function: &'static str,
    ty: ArrayType,
    arrays: impl Iterator<Item = &'a Array> + Clone,
) -> Result<()> {
    if ty.kind() != Kind::Tensor {
        return match common_size_of(arrays.clone().map(Array::size)) {
            Some(_) => Ok(()),
            None => Err(Error::IncompatibleSizes { function, sizes: arrays.map(Array::size).collect() }),
        };
    }
    let fits = |a: &[usize], b: &[usize]| {
        a.iter().rev().zip(b.iter().rev()).all(|(&a, &b)| a == b || a == 1 || b == 1)
    };
    for (i, a) in arrays.clone().enumerate() {
        for b in arrays.clone().skip(i + 1) {
            let (left, right) = (a.shape(), b.shape());
            if !fits(left, right) {
                let (left, right) = (left.to_vec(), right.to_vec());
                return Err(Error::IncompatibleShapes { function, left, right });
            }
        }
    }
    Ok(())
}

/// Does an operation of the core with two arrays of one type.
pub(crate) fn plain(
    function: &'static str,
    out: ArrayType,
    f: fn(&[ivy_core::Array]) -> ivy_core::Result<ivy_core::Array>,
    args: &[&AnyArray],
) -> Result<AnyArray> {
    zip(function, out, &Kernel::Plain(f), args)
}
