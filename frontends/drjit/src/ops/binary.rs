//! Functions of two arrays.

use super::{Domain, array, cast_all, plain, promote, zip};
use crate::ad::Kernel;
use crate::array::{AnyArray, Arg, IntoArg};
use crate::maths::{complex, matrix, quaternion};
use crate::types::{ArrayType, Kind, VarType, scalar_type};
use crate::{Error, Result};
use ivy_backend_jit::JitBackend;
use ivy_core::functional as f;
use ivy_core::{Array, Scalar, ScalarKind};

type Core = fn(&[Array]) -> ivy_core::Result<Array>;

/// An operator that a type does not have, in Python's words.
fn unsupported(operator: &'static str, left: &str, right: &str) -> Error {
    Error::UnsupportedOperands { operator, left: left.into(), right: right.into() }
}

/// Both operands in the type to which they promote, which is within the domain.
fn operands(
    function: &'static str,
    operator: &'static str,
    domain: Domain,
    left: Arg,
    right: Arg,
) -> Result<(ArrayType, AnyArray, AnyArray)> {
    let (left, right) = match (left, right) {
        // Nothing to promote.
        (Arg::Array(left), Arg::Array(right))
            if left.ty() == right.ty() && domain.contains(left.ty().dtype()) =>
        {
            return Ok((left.ty(), left, right));
        }
        (Arg::Array(left), Arg::Scalar(value)) => match literal(function, domain, &left, value)? {
            Some(right) => return Ok((left.ty(), left, right)),
            None => (Arg::Array(left), Arg::Scalar(value)),
        },
        (Arg::Scalar(value), Arg::Array(right)) => match literal(function, domain, &right, value)? {
            Some(left) => return Ok((right.ty(), left, right)),
            None => (Arg::Scalar(value), Arg::Array(right)),
        },
        other => other,
    };
    let args = vec![left, right];
    let ty = promote(function, &args)?;
    if !domain.contains(ty.dtype()) {
        return Err(match operator {
            "" => Error::NotSupported { function, ty },
            _ => unsupported(operator, &args[0].type_name(), &args[1].type_name()),
        });
    }
    let mut args = cast_all(ty, args)?.into_iter();
    match (args.next(), args.next()) {
        (Some(left), Some(right)) => Ok((ty, left, right)),
        _ => Err(Error::NotSupported { function, ty }),
    }
}

/// A host value in the type of a vector or tensor of the engine, if the two promote to that.
fn literal(function: &'static str, domain: Domain, x: &AnyArray, value: Scalar) -> Result<Option<AnyArray>> {
    let ty = x.ty();
    match x.leaf() {
        Some(leaf)
            if domain.contains(ty.dtype())
                && JitBackend::variable(&leaf.array).is_some()
                && scalar_type(function, ty, value.kind()).is_ok_and(|own| own == ty) =>
        {
            ty.literal_like(&leaf.array, value).map(Some)
        }
        _ => Ok(None),
    }
}

fn binary(
    function: &'static str,
    operator: &'static str,
    domain: Domain,
    core: Core,
    left: Arg,
    right: Arg,
) -> Result<AnyArray> {
    let (ty, left, right) = operands(function, operator, domain, left, right)?;
    plain(function, ty, core, &[&left, &right])
}

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident $operator:literal $domain:ident $core:expr;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`UnsupportedOperands`](crate::Error::UnsupportedOperands) or [`NotSupported`](crate::Error::NotSupported) for
            /// other element types, [`IncompatibleTypes`](crate::Error::IncompatibleTypes),
            /// [`IncompatibleSizes`](crate::Error::IncompatibleSizes).
            pub fn $name(left: impl IntoArg, right: impl IntoArg) -> Result<AnyArray> {
                binary(stringify!($name), $operator, Domain::$domain, $core, left.into_arg(), right.into_arg())
            }
        )*
    };
}
binary! {
    /// Sum. A single value beside a matrix, a complex number or a quaternion is that multiple of the identity.
    add "+" Numbers |x| f::add(&x[0], &x[1]);
    /// Difference, likewise.
    subtract "-" Numbers |x| f::subtract(&x[0], &x[1]);
    /// Quotient of integers, rounded down (Dr.Jit cuts it towards zero). Divided by 0 it is 0.
    floor_divide "//" Ints |x| f::floor_divide(&x[0], &x[1]);
    /// Remainder of [`floor_divide`], with the divisor's sign.
    remainder "%" Ints |x| f::remainder(&x[0], &x[1]);
    /// Bits shifted left.
    left_shift "<<" Ints |x| f::bitwise_left_shift(&x[0], &x[1]);
    /// Bits shifted right, with the sign of signed integers.
    right_shift ">>" Ints |x| f::bitwise_right_shift(&x[0], &x[1]);
    /// The bits that are set in one; logical or of masks.
    bitwise_or "|" Bits |x| f::bitwise_or(&x[0], &x[1]);
    /// The bits that are set in one only.
    bitwise_xor "^" Bits |x| f::bitwise_xor(&x[0], &x[1]);
    /// The lesser of each two elements.
    minimum "" Numbers |x| f::minimum(&x[0], &x[1]);
    /// The greater of each two elements.
    maximum "" Numbers |x| f::maximum(&x[0], &x[1]);
    /// The lesser of each two elements, the other one of NaN.
    fmin "" Numbers |x| f::fmin(&x[0], &x[1]);
    /// The greater of each two elements, the other one of NaN.
    fmax "" Numbers |x| f::fmax(&x[0], &x[1]);
    /// Angle of the point `(x, y)`, with `y` the first argument.
    atan2 "" Floats |x| f::atan2(&x[0], &x[1]);
    /// The magnitude of the first with the sign of the second.
    copysign "" Floats |x| f::copysign(&x[0], &x[1]);
    /// The upper half of the product of 32-bit integers.
    mul_hi "" Ints32 |x| {
        let signed = !x[0].dtype().is_uint();
        let wide = if signed { ivy_core::Dtype::INT64 } else { ivy_core::Dtype::UINT64 };
        let product = f::multiply(f::astype(&x[0], wide)?, f::astype(&x[1], wide)?)?;
        f::astype(f::bitwise_right_shift(product, 32)?, x[0].dtype())
    };
}

/// Square root of the sum of squares, without overflow between; of floats with any numbers.
///
/// # Errors
/// [`NotSupported`](crate::Error::NotSupported) for masks and for integers alone.
pub fn hypot(left: impl IntoArg, right: impl IntoArg) -> Result<AnyArray> {
    let args = [array("hypot", left.into_arg())?, array("hypot", right.into_arg())?];
    for x in &args {
        Domain::Numbers.check("hypot", x.ty())?;
    }
    let [left, right] = args.map(Arg::Array);
    binary("hypot", "", Domain::Floats, |x| f::hypot(&x[0], &x[1]), left, right)
}

/// The first with its sign changed where the second is negative; of the first one's type.
///
/// # Errors
/// [`NotSupported`](crate::Error::NotSupported) for a mask.
pub fn mulsign(left: impl IntoArg, right: impl IntoArg) -> Result<AnyArray> {
    let left = array("mulsign", left.into_arg())?;
    Domain::Numbers.check("mulsign", left.ty())?;
    let right = array("mulsign", right.into_arg())?;
    let negative = match right.ty().is_signed_v() {
        true => crate::lt(&right, 0)?,
        false => right.ty().with_dtype(VarType::Bool).make(false)?,
    };
    crate::select(negative, crate::negative(&left)?, &left)?.cast_to(left.ty())
}

/// The product of 32-bit integers in 64 bits.
///
/// # Errors
/// [`NotSupported`](crate::Error::NotSupported) for other element types.
pub fn mul_wide(left: impl IntoArg, right: impl IntoArg) -> Result<AnyArray> {
    let (ty, left, right) = operands("mul_wide", "", Domain::Ints32, left.into_arg(), right.into_arg())?;
    let wide = if ty.is_signed_v() { VarType::Int64 } else { VarType::UInt64 };
    let kernel: Core = match ty.is_signed_v() {
        true => |x| {
            f::multiply(f::astype(&x[0], ivy_core::Dtype::INT64)?, f::astype(&x[1], ivy_core::Dtype::INT64)?)
        },
        false => |x| {
            f::multiply(
                f::astype(&x[0], ivy_core::Dtype::UINT64)?,
                f::astype(&x[1], ivy_core::Dtype::UINT64)?,
            )
        },
    };
    zip("mul_wide", ty.with_dtype(wide), &Kernel::Plain(kernel), &[&left, &right])
}

/// The bits that are set in both; logical and of masks. A mask beside numbers keeps those where it is true, and makes the rest 0.
///
/// # Errors
/// [`UnsupportedOperands`](crate::Error::UnsupportedOperands) for floats beside floats.
pub fn bitwise_and(left: impl IntoArg, right: impl IntoArg) -> Result<AnyArray> {
    let (left, right) = (left.into_arg(), right.into_arg());
    let numbers = |arg: &Arg| matches!(arg, Arg::Array(x) if x.ty().is_arithmetic_v());
    let mask = |arg: &Arg| match arg {
        Arg::Array(mask) | Arg::Foreign(mask) => mask.ty().is_mask_v(),
        Arg::Scalar(mask) => mask.kind() == ScalarKind::Bool,
        Arg::List(list) => {
            let truth = |own: &Arg| matches!(own, Arg::Scalar(x) if x.kind() == ScalarKind::Bool);
            !list.is_empty() && list.iter().all(truth)
        }
        Arg::Failed(_) => false,
    };
    match (&left, &right) {
        (Arg::Array(x), Arg::List(_) | Arg::Foreign(_)) if numbers(&left) && mask(&right) => {
            let own = x.ty().mask_t().make(right)?;
            crate::select(own, left, 0)
        }
        _ if numbers(&left) && mask(&right) => crate::select(right, left, 0),
        (Arg::Scalar(x), Arg::Array(own)) if x.kind() == ScalarKind::Float && own.ty().is_mask_v() => {
            let value = own.ty().with_dtype(VarType::Float32).make(left)?;
            crate::select(own, value, 0)
        }
        _ => binary("bitwise_and", "&", Domain::Bits, |x| f::bitwise_and(&x[0], &x[1]), left, right),
    }
}

fn kind(arg: &Arg) -> Kind {
    match arg {
        Arg::Array(x) => x.ty().kind(),
        _ => Kind::Flat,
    }
}

/// Product: that of the kind of numbers, of matrices with each other and with vectors on either side.
///
/// # Errors
/// As [`add`].
pub fn multiply(left: impl IntoArg, right: impl IntoArg) -> Result<AnyArray> {
    let (left, right) = (left.into_arg(), right.into_arg());
    let core: Core = |x| f::multiply(&x[0], &x[1]);
    match (kind(&left), kind(&right)) {
        (Kind::Matrix, Kind::Matrix | Kind::Array) | (Kind::Array, Kind::Matrix) => {
            matrix::product(&array("multiply", left)?, &array("multiply", right)?)
        }
        (Kind::Complex | Kind::Quaternion | Kind::Matrix, Kind::Flat) => {
            scaled("multiply", "*", core, left, right)
        }
        (Kind::Flat, Kind::Complex | Kind::Quaternion | Kind::Matrix) => {
            scaled("multiply", "*", core, right, left)
        }
        _ => {
            let (ty, left, right) = operands("multiply", "*", Domain::Numbers, left, right)?;
            match ty.kind() {
                Kind::Complex => complex::product(&left, &right),
                Kind::Quaternion => quaternion::product(&left, &right),
                _ => plain("multiply", ty, core, &[&left, &right]),
            }
        }
    }
}

/// Quotient of floats; by a matrix, a complex number or a quaternion it is the product with the inverse.
///
/// # Errors
/// [`UnsupportedOperands`](crate::Error::UnsupportedOperands) for integers; as [`add`].
pub fn divide(left: impl IntoArg, right: impl IntoArg) -> Result<AnyArray> {
    let (left, right) = (left.into_arg(), right.into_arg());
    let core: Core = |x| f::divide(&x[0], &x[1]);
    match (kind(&left), kind(&right)) {
        (Kind::Complex | Kind::Quaternion | Kind::Matrix, Kind::Flat) => {
            scaled("divide", "/", core, left, right)
        }
        (_, Kind::Matrix) | (Kind::Matrix, Kind::Array) => {
            let inverse = match &right {
                Arg::Array(x) if x.ty().kind() == Kind::Matrix => crate::rcp(x)?,
                // A matrix over a vector: over each of its elements, as many as it has rows.
                _ => crate::rcp(array("divide", right)?)?,
            };
            multiply(left, &inverse)
        }
        (_, Kind::Complex | Kind::Quaternion) => multiply(left, crate::rcp(array("divide", right)?)?),
        (Kind::Complex | Kind::Quaternion, Kind::Array) => {
            let (_, left, right) = operands("divide", "/", Domain::Floats, left, right)?;
            multiply(&left, crate::rcp(&right)?)
        }
        _ => binary("divide", "/", Domain::Floats, core, left, right),
    }
}

/// Every element of a number with products of its own, by a single value.
fn scaled(
    function: &'static str,
    operator: &'static str,
    core: Core,
    number: Arg,
    value: Arg,
) -> Result<AnyArray> {
    let args = [number, value];
    let ty = promote(function, &args)?;
    if !ty.is_float_v() {
        return Err(unsupported(operator, &args[0].type_name(), &args[1].type_name()));
    }
    let [number, value] = args;
    let number = ty.make(number)?;
    let value = ty.plain().make(ty.leaf().make(value)?)?;
    plain(function, ty, core, &[&number, &value])
}
