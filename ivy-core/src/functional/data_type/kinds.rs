//! Questions about the kind of dtypes.

use super::DtypeArgs;
use super::args::leaves;
use crate::{Dtype, DtypeLike, DtypeSet, ErrorKind, IntoOperand, Operand, Result, Scalar, ScalarKind};

/// What [`isdtype`] compares with: a kind's name of the Array API (`bool`, `signed integer`,
/// `unsigned integer`, `integral`, `real floating`, `complex floating`, `numeric`), a dtype, a
/// [`DtypeSet`], or a tuple or list of these.
pub trait DtypeKinds {
    /// The dtypes that are meant.
    ///
    /// # Errors
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) for a name that no kind has.
    fn set(&self) -> Result<DtypeSet>;
}

impl DtypeKinds for str {
    fn set(&self) -> Result<DtypeSet> {
        Ok(match self {
            "bool" => DtypeSet::BOOL,
            "signed integer" => DtypeSet::SIGNED,
            "unsigned integer" => DtypeSet::UNSIGNED,
            "integral" => DtypeSet::INTEGER,
            "real floating" => DtypeSet::FLOAT,
            "complex floating" => DtypeSet::COMPLEX,
            "numeric" => DtypeSet::NUMERIC,
            _ => {
                return Err(ErrorKind::InvalidArgument {
                    function: "isdtype",
                    argument: "kind",
                    value: self.into(),
                    rule: "one of bool, signed integer, unsigned integer, integral, real floating, complex \
                           floating, numeric, or a dtype",
                }
                .into());
            }
        })
    }
}

impl DtypeKinds for Dtype {
    fn set(&self) -> Result<DtypeSet> {
        Ok(DtypeSet::from(*self))
    }
}

impl DtypeKinds for DtypeSet {
    fn set(&self) -> Result<DtypeSet> {
        Ok(*self)
    }
}

impl<T: DtypeKinds + ?Sized> DtypeKinds for &T {
    fn set(&self) -> Result<DtypeSet> {
        (**self).set()
    }
}

impl<T: DtypeKinds> DtypeKinds for [T] {
    fn set(&self) -> Result<DtypeSet> {
        self.iter().try_fold(DtypeSet::EMPTY, |set, kind| Ok(set | kind.set()?))
    }
}

impl<T: DtypeKinds, const N: usize> DtypeKinds for [T; N] {
    fn set(&self) -> Result<DtypeSet> {
        self[..].set()
    }
}

impl<T: DtypeKinds> DtypeKinds for Vec<T> {
    fn set(&self) -> Result<DtypeSet> {
        self[..].set()
    }
}

/// Whether a dtype is of a kind, or of one of several.
///
/// ```
/// use ivy::prelude::*;
/// assert!(ivy::isdtype(Dtype::UINT8, "integral")?);
/// assert!(ivy::isdtype(Dtype::BOOL, ("real floating", Dtype::BOOL))?);
/// assert!(!ivy::isdtype(Dtype::BOOL, "numeric")?);
/// assert!(ivy::isdtype(Dtype::BOOL, "floating").is_err());
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for a name that no kind has,
/// [`UnknownDtype`](ErrorKind::UnknownDtype).
pub fn isdtype(dtype: impl DtypeLike, kind: impl DtypeKinds) -> Result<bool> {
    Ok(kind.set()?.contains(dtype.to_dtype()?))
}

fn any_leaf(x: &impl DtypeArgs, dtype: fn(Dtype) -> bool, kind: fn(ScalarKind) -> bool) -> Result<bool> {
    Ok(leaves(x)?.into_iter().any(|leaf| leaf.is(dtype, kind)))
}

macro_rules! kind_questions {
    ($($(#[$doc:meta])* $name:ident = $is:ident, $kind:ident;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`UnknownDtype`](ErrorKind::UnknownDtype) for a name that no dtype has.
            pub fn $name(x: impl DtypeArgs) -> Result<bool> {
                any_leaf(&x, Dtype::$is, |kind| kind == ScalarKind::$kind)
            }
        )*
    };
}
kind_questions! {
    /// Whether a dtype is bool, an array's is, or any leaf of a nested list is a truth value.
    is_bool_dtype = is_bool, Bool;
    /// Whether a dtype is a signed or unsigned integer one, an array's is, or any leaf of a
    /// nested list is an integer.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// assert!(ivy::is_int_dtype("uint8")? && ivy::is_int_dtype((1, [2.0]))?);
    /// assert!(ivy::is_float_dtype((1, [2.0]))? && ivy::is_bool_dtype(true)?);
    /// assert!(!ivy::is_uint_dtype(1)?); // a host integer has no sign to miss
    /// # Ok::<(), ivy::Error>(())
    /// ```
    is_int_dtype = is_int, Int;
    /// Whether a dtype is a real float one, an array's is, or any leaf of a nested list is a
    /// real number with a point.
    is_float_dtype = is_float, Float;
    /// Whether a dtype is complex, an array's is, or any leaf of a nested list is a complex
    /// number.
    is_complex_dtype = is_complex, Complex;
}

/// Whether a dtype is an unsigned integer one, an array's is, or any leaf of a nested list is.
/// Host integers are not: they have no width and may be negative.
///
/// # Errors
/// [`UnknownDtype`](ErrorKind::UnknownDtype) for a name that no dtype has.
pub fn is_uint_dtype(x: impl DtypeArgs) -> Result<bool> {
    any_leaf(&x, Dtype::is_uint, |_| false)
}

/// Whether the argument is a host number, an integer or a real one, that can stand for a float.
/// Truth values, complex numbers and arrays are not.
///
/// ```
/// use ivy::prelude::*;
/// assert!(ivy::check_float(2.5) && ivy::check_float(1));
/// assert!(!ivy::check_float(true) && !ivy::check_float(&ivy::zeros([1], ())?));
/// # Ok::<(), ivy::Error>(())
/// ```
pub fn check_float<'a>(x: impl IntoOperand<'a>) -> bool {
    matches!(x.into_operand(), Operand::Scalar(Scalar::Int(_) | Scalar::Float(_)))
}
