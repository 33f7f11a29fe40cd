//! Functions of three arrays.

use super::{Domain, array, cast_all, plain, promote, zip};
use crate::ad::Kernel;
use crate::array::{AnyArray, Arg, IntoArg};
use crate::types::{ArrayType, VarType, scalar_type};
use crate::{Error, Result};
use ivy_core::Dtype;
use ivy_core::functional as f;

/// Elements of one array where a mask is true, of another where it is false.
///
/// # Errors
/// [`Error::WrongType`] for a condition that is no mask; [`Error::IncompatibleTypes`], [`Error::IncompatibleSizes`];
/// [`Error::CannotInitialize`] for a number that its type does not hold.
pub fn select(mask: impl IntoArg, yes: impl IntoArg, no: impl IntoArg) -> Result<AnyArray> {
    let (mask, yes, no) = (mask.into_arg(), yes.into_arg(), no.into_arg());
    if let Arg::Scalar(condition) = mask {
        let args = vec![yes, no];
        let ty = promote("select", &args)?;
        let chosen = usize::from(!condition.to_bool());
        return cast_all(ty, args)?
            .into_iter()
            .nth(chosen)
            .ok_or(Error::NotSupported { function: "select", ty });
    }
    let mask = array("select", mask)?;
    if !mask.ty().is_mask_v() {
        let (function, argument, expected) = ("select", "mask", "a mask".into());
        return Err(Error::WrongType { function, argument, expected, actual: mask.ty() });
    }
    let args = vec![yes, no];
    let ty = match (&args[0], &args[1]) {
        // Host scalars alone are Int32 and Float32, in the form of the mask.
        (Arg::Scalar(yes), Arg::Scalar(no)) => {
            let mut both = [yes.kind(), no.kind()].into_iter();
            both.try_fold(mask.ty(), |ty, kind| scalar_type("select", ty, kind))?
        }
        _ => promote("select", &args)?,
    };
    // The mask decides about the form where the values are flat, and is of one package with them.
    let shaped =
        if ty.is_special_v() { ty } else { crate::types::expr_t(ty, mask.ty().with_dtype(ty.dtype()))? };
    let ty = shaped;
    let mask_ty = ty.mask_t();
    let mask = mask.cast_to(mask_ty)?.retyped(mask_ty)?;
    let args = cast_all(ty, args)?;
    zip("select", ty, &Kernel::Plain(|x| f::where_(&x[0], &x[1], &x[2])), &[&mask, &args[0], &args[1]])
}

/// `a * b + c`, rounded once for floats of 16 and 32 bits (but for a rare double rounding), twice for 64 bits; with the products of
/// matrices, complex numbers and quaternions where these are multiplied.
///
/// # Errors
/// [`Error::NotSupported`] for masks.
pub fn fma(a: impl IntoArg, b: impl IntoArg, c: impl IntoArg) -> Result<AnyArray> {
    let args = vec![a.into_arg(), b.into_arg(), c.into_arg()];
    let special = |arg: &Arg| matches!(arg, Arg::Array(x) if x.ty().is_special_v());
    if args.iter().any(special) {
        let mut args = args.into_iter();
        let mut next = || args.next().unwrap_or(Arg::List(Vec::new()));
        let product = crate::multiply(next(), next())?;
        return crate::add(product, next());
    }
    let ty = promote("fma", &args)?;
    Domain::Numbers.check("fma", ty)?;
    let args = cast_all(ty, args)?;
    let kernel = Kernel::Plain(|x| {
        let dtype = x[0].dtype();
        if !dtype.is_float() || dtype == Dtype::FLOAT64 {
            return f::add(f::multiply(&x[0], &x[1])?, &x[2]);
        }
        let wide = |x| f::astype(x, Dtype::FLOAT64);
        f::astype(f::add(f::multiply(wide(&x[0])?, wide(&x[1])?)?, wide(&x[2])?)?, dtype)
    });
    zip("fma", ty, &kernel, &[&args[0], &args[1], &args[2]])
}

/// Elements cut to a range; to its upper bound, where that is below the lower one.
///
/// # Errors
/// [`Error::NotSupported`] for masks.
pub fn clip(value: impl IntoArg, min: impl IntoArg, max: impl IntoArg) -> Result<AnyArray> {
    crate::minimum(crate::maximum(value, min)?, max)
}

/// The floats in which several arguments are computed, beside a float.
fn in_floats(function: &'static str, args: &[Arg]) -> Result<ArrayType> {
    let ty = promote(function, args)?;
    Ok(if ty.is_float_v() { ty } else { ty.with_dtype(VarType::Float32) })
}

/// `a + (b - a) * t`: from the one to the other as `t` goes from 0 to 1.
///
/// # Errors
/// [`Error::IncompatibleTypes`], [`Error::IncompatibleSizes`].
pub fn lerp(a: impl IntoArg, b: impl IntoArg, t: impl IntoArg) -> Result<AnyArray> {
    let args = vec![a.into_arg(), b.into_arg(), t.into_arg()];
    // Of `a` and `t`, then of that and `b`: an integer `a` beside a half-precision `b` is in single precision.
    let first = in_floats("lerp", &[args[0].clone(), args[2].clone()])?;
    let ty = in_floats("lerp", &args)?;
    let ty = ty.with_dtype(ty.dtype().max(first.dtype()));
    let args = cast_all(ty.plain(), plain_args(args)?)?;
    let kernel: fn(&[ivy_core::Array]) -> _ =
        |x| f::add(f::multiply(&x[1], &x[2])?, f::subtract(&x[0], f::multiply(&x[0], &x[2])?)?);
    plain("lerp", ty.plain(), kernel, &[&args[0], &args[1], &args[2]])?.retyped(ty)
}

/// Matrices, complex numbers and quaternions as plain arrays, so that single values go to all entries.
fn plain_args(args: Vec<Arg>) -> Result<Vec<Arg>> {
    let one = |arg| match arg {
        Arg::Array(x) if x.ty().is_special_v() => Ok(Arg::Array(x.clone().retyped(x.ty().plain())?)),
        other => Ok(other),
    };
    args.into_iter().map(one).collect()
}

/// 1 where `x` is not less than `edge`, 0 elsewhere; of their type.
///
/// # Errors
/// [`Error::NotSupported`] for masks.
pub fn step(x: impl IntoArg, edge: impl IntoArg) -> Result<AnyArray> {
    let args = vec![x.into_arg(), edge.into_arg()];
    let ty = promote("step", &args)?;
    Domain::Numbers.check("step", ty)?;
    let args = cast_all(ty, args)?;
    crate::select(crate::ge(&args[0], &args[1])?, ty.make(1)?, ty.make(0)?)
}

/// True where two values are close: `|a - b| <= atol + rtol |b|` for all elements.
///
/// # Errors
/// [`Error::IncompatibleTypes`], [`Error::IncompatibleSizes`].
pub fn allclose(a: impl IntoArg, b: impl IntoArg, rtol: f64, atol: f64) -> Result<bool> {
    let args = vec![a.into_arg(), b.into_arg()];
    let ty = promote("allclose", &args)?;
    let wide = ty.with_dtype(VarType::Float64);
    let args = cast_all(if ty.is_special_v() { ty } else { wide }, args)?;
    let kernel = Kernel::one(move |x| {
        let bound = f::add(f::multiply(f::abs(&x[1])?, rtol)?, atol)?;
        let close = f::less_equal(f::abs(f::subtract(&x[0], &x[1])?)?, bound)?;
        f::logical_or(close, f::equal(&x[0], &x[1])?)
    });
    let close = zip("allclose", ty.mask_t(), &kernel, &[&args[0], &args[1]])?;
    let mut all = true;
    let mut failed = None;
    close.for_each_leaf(&mut |leaf| match f::all(&leaf.array, ()).and_then(|x| x.item::<bool>()) {
        Ok(one) => all &= one,
        Err(error) => failed = Some(error),
    });
    failed.map_or(Ok(all), |error| Err(error.into()))
}
