//! Functions of two arrays.

use super::{Domain, array, cast_all, check_sizes, plain, promote, zip};
use crate::ad::Kernel;
use crate::array::{AnyArray, Arg, Borrowed, IntoArg, Leaf};
use crate::maths::{complex, matrix, quaternion};
use crate::types::{ArrayType, Kind, VarType, scalar_dtype};
use crate::{Error, Result};
use ivy_core::functional as f;
use ivy_core::{Array, Scalar, ScalarKind};

type OfArrays = fn(&[Array]) -> ivy_core::Result<Array>;

/// Of two arrays, each where it is.
type OfPair = fn(&Array, &Array) -> ivy_core::Result<Array>;

/// Of an array and a host value, which is the first operand or the second.
type OfNumber = fn(&Array, Scalar, bool) -> ivy_core::Result<Array>;

/// A function of the core.
#[derive(Clone, Copy)]
struct Core {
    arrays: OfArrays,
    pair: Option<OfPair>,
    number: Option<OfNumber>,
}

/// A function of the core that takes host values as they are.
macro_rules! core {
    ($name:ident) => {
        Core {
            arrays: |x| f::$name(&x[0], &x[1]),
            pair: Some(|x, y| f::$name(x, y)),
            number: Some(|x, value, first| if first { f::$name(value, x) } else { f::$name(x, value) }),
        }
    };
}

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

fn binary(
    function: &'static str,
    operator: &'static str,
    domain: Domain,
    core: Core,
    left: impl IntoArg,
    right: impl IntoArg,
) -> Result<AnyArray> {
    match by_reference(function, domain, core, left.borrowed(), right.borrowed())? {
        Some(done) => Ok(done),
        None => promoted(function, operator, domain, core, left.into_arg(), right.into_arg()),
    }
}

/// The function of operands that need no promotion: flat arrays or tensors of one type and without gradients, or one of them
/// and a host value that does not change its type.
#[inline(always)]
fn by_reference(
    function: &'static str,
    domain: Domain,
    core: Core,
    left: Borrowed<'_>,
    right: Borrowed<'_>,
) -> Result<Option<AnyArray>> {
    let (x, result) = match (left, right) {
        (Borrowed::Array(x), Borrowed::Array(y)) => {
            let (Some(pair), Some(left), Some(right)) = (core.pair, x.constant(), y.constant()) else {
                return Ok(None);
            };
            if x.ty() != y.ty() || !domain.contains(x.ty().dtype()) {
                return Ok(None);
            }
            check_sizes(function, x.ty(), [left, right].into_iter())?;
            (x, pair(left, right)?)
        }
        (Borrowed::Array(x), Borrowed::Scalar(value)) | (Borrowed::Scalar(value), Borrowed::Array(x)) => {
            let (Some(number), Some(array)) = (core.number, x.constant()) else { return Ok(None) };
            let ty = x.ty();
            let keeps = || scalar_dtype(ty.dtype(), value.kind()) == Some(ty.dtype());
            if !domain.contains(ty.dtype()) || !keeps() {
                return Ok(None);
            }
            (x, number(array, ty.host_value(value)?, matches!(left, Borrowed::Scalar(_)))?)
        }
        _ => return Ok(None),
    };
    Ok(Some(AnyArray::from_leaf(x.ty(), Leaf::new(result))))
}

/// The function of the operands in the type to which they promote.
fn promoted(
    function: &'static str,
    operator: &'static str,
    domain: Domain,
    core: Core,
    left: Arg,
    right: Arg,
) -> Result<AnyArray> {
    let (ty, left, right) = operands(function, operator, domain, left, right)?;
    plain(function, ty, core.arrays, &[&left, &right])
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
                binary(stringify!($name), $operator, Domain::$domain, $core, left, right)
            }
        )*
    };
}
binary! {
    /// Sum. A single value beside a matrix, a complex number or a quaternion is that multiple of the identity.
    add "+" Numbers core!(add);
    /// Difference, likewise.
    subtract "-" Numbers core!(subtract);
    /// Quotient of integers, rounded down (Dr.Jit cuts it towards zero). Divided by 0 it is 0.
    floor_divide "//" Ints core!(floor_divide);
    /// Remainder of [`floor_divide`], with the divisor's sign.
    remainder "%" Ints core!(remainder);
    /// Bits shifted left.
    left_shift "<<" Ints core!(bitwise_left_shift);
    /// Bits shifted right, with the sign of signed integers.
    right_shift ">>" Ints core!(bitwise_right_shift);
    /// The bits that are set in one; logical or of masks.
    bitwise_or "|" Bits core!(bitwise_or);
    /// The bits that are set in one only.
    bitwise_xor "^" Bits core!(bitwise_xor);
    /// The lesser of each two elements.
    minimum "" Numbers core!(minimum);
    /// The greater of each two elements.
    maximum "" Numbers core!(maximum);
    /// The lesser of each two elements, the other one of NaN.
    fmin "" Numbers core!(fmin);
    /// The greater of each two elements, the other one of NaN.
    fmax "" Numbers core!(fmax);
    /// Angle of the point `(x, y)`, with `y` the first argument.
    atan2 "" Floats core!(atan2);
    /// The magnitude of the first with the sign of the second.
    copysign "" Floats core!(copysign);
    /// The upper half of the product of 32-bit integers.
    mul_hi "" Ints32 Core { pair: None, number: None, arrays: |x| {
        let signed = !x[0].dtype().is_uint();
        let wide = if signed { ivy_core::Dtype::INT64 } else { ivy_core::Dtype::UINT64 };
        let product = f::multiply(f::astype(&x[0], wide)?, f::astype(&x[1], wide)?)?;
        f::astype(f::bitwise_right_shift(product, 32)?, x[0].dtype())
    } };
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
    binary("hypot", "", Domain::Floats, core!(hypot), left, right)
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
    let kernel: OfArrays = match ty.is_signed_v() {
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
        _ => binary("bitwise_and", "&", Domain::Bits, core!(bitwise_and), left, right),
    }
}

fn kind(arg: &Arg) -> Kind {
    match arg {
        Arg::Array(x) => x.ty().kind(),
        _ => Kind::Flat,
    }
}

/// Whether products with an argument are known to be those of its elements.
fn is_elementwise(arg: &Arg) -> bool {
    match arg {
        Arg::Array(x) => matches!(x.ty().kind(), Kind::Flat | Kind::Array | Kind::Tensor),
        arg => matches!(arg, Arg::Scalar(_)),
    }
}

/// Product: that of the kind of numbers, of matrices with each other and with vectors on either side.
///
/// # Errors
/// As [`add`].
pub fn multiply(left: impl IntoArg, right: impl IntoArg) -> Result<AnyArray> {
    let core = core!(multiply);
    match by_reference("multiply", Domain::Numbers, core, left.borrowed(), right.borrowed())? {
        Some(done) => Ok(done),
        None => product(core, left.into_arg(), right.into_arg()),
    }
}

fn product(core: Core, left: Arg, right: Arg) -> Result<AnyArray> {
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
        _ if is_elementwise(&left) && is_elementwise(&right) => {
            promoted("multiply", "*", Domain::Numbers, core, left, right)
        }
        _ => {
            let (ty, left, right) = operands("multiply", "*", Domain::Numbers, left, right)?;
            match ty.kind() {
                Kind::Complex => complex::product(&left, &right),
                Kind::Quaternion => quaternion::product(&left, &right),
                _ => plain("multiply", ty, core.arrays, &[&left, &right]),
            }
        }
    }
}

/// Quotient of floats; by a matrix, a complex number or a quaternion it is the product with the inverse.
///
/// # Errors
/// [`UnsupportedOperands`](crate::Error::UnsupportedOperands) for integers; as [`add`].
pub fn divide(left: impl IntoArg, right: impl IntoArg) -> Result<AnyArray> {
    let core = core!(divide);
    match by_reference("divide", Domain::Floats, core, left.borrowed(), right.borrowed())? {
        Some(done) => Ok(done),
        None => quotient(core, left.into_arg(), right.into_arg()),
    }
}

fn quotient(core: Core, left: Arg, right: Arg) -> Result<AnyArray> {
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
        _ => promoted("divide", "/", Domain::Floats, core, left, right),
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
    plain(function, ty, core.arrays, &[&number, &value])
}
