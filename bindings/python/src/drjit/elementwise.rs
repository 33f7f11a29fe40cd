//! Functions of arrays alone, each as a function of Python's.

use super::convert::{arg as taken, array, formed, here, object, vector_arg};
use super::error::failure;
use super::object::DrjitArray;
use crate::error::Fallible;
use ivy_drjit::{AnyArray, Arg};
use pyo3::prelude::*;

/// What a function gives.
type Made = ivy_drjit::Result<AnyArray>;

/// Calls a function: of arrays as operators do, of host values alone in the scopes that are open in Python, by which arrays are
/// made; integers are floats then where it is one of floats.
pub(super) fn called<const N: usize>(
    py: Python<'_>,
    args: [Arg; N],
    f: impl Fn([Arg; N]) -> Made,
) -> Fallible<AnyArray> {
    if args.iter().any(|arg| matches!(arg, Arg::Array(_))) {
        return f(args).map_err(failure);
    }
    let host = |arg: &Arg| matches!(arg, Arg::Scalar(_));
    if !args.iter().all(host) {
        return here(py, || f(args));
    }
    match here(py, || f(args.clone())) {
        Ok(x) => Ok(x),
        Err(error) => {
            let floats = args.map(|arg| match arg {
                Arg::Scalar(ivy::Scalar::Int(i)) => Arg::Scalar(ivy::Scalar::Float(i as f64)),
                other => other,
            });
            here(py, || f(floats)).map_err(|_| error)
        }
    }
}

/// The object of an array, which is read where it is.
fn held<'py>(x: &Bound<'py, PyAny>) -> Option<PyRef<'py, DrjitArray>> {
    x.cast::<DrjitArray>().ok().map(|x| x.borrow())
}

macro_rules! functions {
    ($($name:ident($($argument:ident)+);)*) => {
        $(
            #[pyfunction]
            #[pyo3(signature = ($($argument),+, /))]
            fn $name(py: Python<'_>, $($argument: &Bound<'_, PyAny>),+) -> Fallible<Py<PyAny>> {
                let of_arrays = match &[$(held($argument)),+] {
                    [$(Some($argument)),+] => Some(ivy_drjit::$name($($argument.operand(py)?),+)),
                    _ => None,
                };
                if let Some(made) = of_arrays {
                    return object(py, made.map_err(failure)?);
                }
                let args = [$(taken($argument)?),+];
                object(py, called(py, args, |[$($argument),+]| ivy_drjit::$name($($argument),+))?)
            }
        )*

        pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_function(wrap_pyfunction!($name, module)?)?;)*
            Ok(())
        }
    };
}
functions! {
    abs(x); sqrt(x); rsqrt(x); cbrt(x); rcp(x); square(x); sign(x);
    sin(x); cos(x); tan(x); asin(x); acos(x); atan(x);
    sinh(x); cosh(x); tanh(x); asinh(x); acosh(x); atanh(x);
    exp(x); exp2(x); log(x); log2(x); floor(x); ceil(x); trunc(x); round(x);
    erf(x); erfinv(x); lgamma(x); safe_sqrt(x); safe_asin(x); safe_acos(x);
    isnan(x); isinf(x); isfinite(x); deg2rad(x); rad2deg(x);
    popcnt(x); lzcnt(x); tzcnt(x); brev(x); log2i(x);
    minimum(x y); maximum(x y); fmin(x y); fmax(x y); atan2(y x); copysign(x y); hypot(x y); mulsign(x y);
    mul_hi(x y); mul_wide(x y); step(x edge); matmul(a b); dot(a b); abs_dot(a b); cross(a b); unit_angle(a b);
    fma(a b c); lerp(a b t); clip(value min max); select(mask yes no); slerp(a b t);
    conj(x); arg(z); transpose(x); trace(x); frob(x); diag(x); det(x);
    matrix_to_quat(m); quat_to_euler(q); euler_to_quat(angles); quat_apply(q v); transform_compose(s q t);
    squared_norm(x); norm(x); normalize(x); zeros_like(x); ones_like(x); morton_encode(x);
}

macro_rules! of_vectors {
    ($($name:ident $formed:literal)*) => {
        $(
            #[pyfunction]
            fn $name(py: Python<'_>, x: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
                let like = array(x).ok().map(|x| x.ty()).filter(|_| $formed);
                let x = vector_arg(x)?;
                let made = here(py, || ivy_drjit::$name(x))?;
                object(py, like.map_or(Ok(made.clone()), |like| formed(like, made))?)
            }
        )*

        pub(super) fn add_vectors_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_function(wrap_pyfunction!($name, module)?)?;)*
            Ok(())
        }
    };
}
// Of vectors; whether the result is one, too.
of_vectors! { sort true argsort true argmax false argmin false median false compress true }
