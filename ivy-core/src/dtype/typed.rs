//! Dtypes that are known to be of a kind (spec I-03).

use super::{Dtype, DtypeLike, wrong_kind};
use crate::Error;
use std::{fmt, ops::Deref, str::FromStr};

macro_rules! typed_dtypes {
    ($($(#[$doc:meta])* $name:ident $is:ident $kind:literal;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Hash)]
            pub struct $name(Dtype);

            impl $name {
                /// The dtype, checked.
                ///
                /// # Errors
                /// [`WrongDtypeKind`](crate::ErrorKind::WrongDtypeKind),
                /// [`UnknownDtype`](crate::ErrorKind::UnknownDtype).
                pub fn new(dtype: impl DtypeLike) -> Result<$name, Error> {
                    let dtype = dtype.to_dtype()?;
                    match dtype.$is() {
                        true => Ok($name(dtype)),
                        false => Err(wrong_kind(stringify!($name), dtype, $kind)),
                    }
                }

                /// The dtype.
                pub const fn get(self) -> Dtype {
                    self.0
                }
            }

            impl TryFrom<Dtype> for $name {
                type Error = Error;
                fn try_from(dtype: Dtype) -> Result<$name, Error> {
                    $name::new(dtype)
                }
            }

            impl FromStr for $name {
                type Err = Error;
                fn from_str(text: &str) -> Result<$name, Error> {
                    $name::new(text)
                }
            }

            impl From<$name> for Dtype {
                fn from(dtype: $name) -> Dtype {
                    dtype.0
                }
            }

            impl Deref for $name {
                type Target = Dtype;
                fn deref(&self) -> &Dtype {
                    &self.0
                }
            }

            impl DtypeLike for $name {
                fn to_dtype(&self) -> Result<Dtype, Error> {
                    Ok(self.0)
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    self.0.fmt(f)
                }
            }

            impl fmt::Debug for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    self.0.fmt(f)
                }
            }
        )*
    };
}
typed_dtypes! {
    /// A signed or unsigned integer dtype.
    ///
    /// ```
    /// use ivy_core::{Dtype, dtype::{FloatDtype, IntDtype, UintDtype}};
    /// let unsigned = UintDtype::new("uint8")?;
    /// assert_eq!(IntDtype::from(unsigned).bits(), 8);
    /// assert!(FloatDtype::new(Dtype::INT8).is_err());
    /// # Ok::<(), ivy_core::Error>(())
    /// ```
    IntDtype is_int "integer";
    /// An unsigned integer dtype.
    UintDtype is_uint "unsigned";
    /// A real float dtype.
    FloatDtype is_float "float";
    /// A complex dtype.
    ComplexDtype is_complex "complex";
}

impl From<UintDtype> for IntDtype {
    fn from(dtype: UintDtype) -> IntDtype {
        IntDtype(dtype.0)
    }
}
