//! Comparisons: they give masks.

use super::{cast_all, promote, zip};
use crate::ad::Kernel;
use crate::array::{AnyArray, Arg, Borrowed, IntoArg};
use crate::types::ArrayType;
use crate::{Error, Result};
use ivy_core::Array;
use ivy_core::functional as f;

fn compare(
    function: &'static str,
    ordered: bool,
    core: fn(&[Array]) -> ivy_core::Result<Array>,
    left: impl IntoArg,
    right: impl IntoArg,
) -> Result<AnyArray> {
    match (left.borrowed(), right.borrowed()) {
        // Nothing to promote.
        (Borrowed::Array(x), Borrowed::Array(y)) if x.ty() == y.ty() && is_plain(x.ty(), ordered) => {
            zip(function, x.ty().mask_t(), &Kernel::Plain(core), &[x, y])
        }
        _ => promoted(function, ordered, core, vec![left.into_arg(), right.into_arg()]),
    }
}

/// The comparison of operands in the type to which they promote.
fn promoted(
    function: &'static str,
    ordered: bool,
    core: fn(&[Array]) -> ivy_core::Result<Array>,
    args: Vec<Arg>,
) -> Result<AnyArray> {
    let ty = promote(function, &args)?;
    if ordered && ty.is_special_v() {
        return Err(Error::NoOrder { ty });
    }
    // False is less than true, which the core does not say.
    let computed = if ordered && ty.is_mask_v() { ty.with_dtype(crate::VarType::UInt8) } else { ty };
    let args = cast_all(computed, args)?;
    let args = args.into_iter().map(|x| x.retyped(computed.plain())).collect::<Result<Vec<_>>>()?;
    zip(function, ty.mask_t(), &Kernel::Plain(core), &args.iter().collect::<Vec<_>>())
}

/// Whether arrays of a type are compared as they are.
fn is_plain(ty: ArrayType, ordered: bool) -> bool {
    !(ty.is_special_v() || ordered && ty.is_mask_v())
}

macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident $ordered:literal $core:ident;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`NoOrder`](crate::Error::NoOrder) for matrices, complex numbers and quaternions, unless equality is asked;
            /// [`IncompatibleTypes`](crate::Error::IncompatibleTypes), [`IncompatibleSizes`](crate::Error::IncompatibleSizes).
            pub fn $name(left: impl IntoArg, right: impl IntoArg) -> Result<AnyArray> {
                let core: fn(&[Array]) -> ivy_core::Result<Array> = |x| f::$core(&x[0], &x[1]);
                compare(stringify!($name), $ordered, core, left, right)
            }
        )*
    };
}
comparisons! {
    /// Where elements are equal; NaN equals nothing.
    eq false equal;
    /// Where elements differ.
    neq false not_equal;
    /// Where the first is less.
    lt true less;
    /// Where the first is less or equal.
    le true less_equal;
    /// Where the first is greater.
    gt true greater;
    /// Where the first is greater or equal.
    ge true greater_equal;
}
