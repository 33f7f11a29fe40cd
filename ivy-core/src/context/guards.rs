//! Default dtypes for as long as a guard lives.

use super::{Scope, current, scope};
use crate::dtype::wrong_kind;
use crate::{DtypeLike, DtypeSet, Result};

macro_rules! default_dtype_guards {
    ($($(#[$doc:meta])* $guard:ident $field:ident $set:ident $kind:literal;)*) => {
        $(
            $(#[$doc])*
            #[must_use = "the default is in force until the guard is dropped"]
            pub struct $guard {
                _scope: Scope,
            }

            impl $guard {
                /// Puts the default in force.
                ///
                /// # Errors
                /// [`UnknownDtype`](crate::ErrorKind::UnknownDtype), or
                /// [`WrongDtypeKind`](crate::ErrorKind::WrongDtypeKind) for another kind.
                pub fn new(dtype: impl DtypeLike) -> Result<$guard> {
                    let dtype = dtype.to_dtype()?;
                    if !DtypeSet::$set.contains(dtype) {
                        return Err(wrong_kind(stringify!($guard), dtype, $kind));
                    }
                    let mut context = current();
                    context.settings.defaults.$field = Some(dtype);
                    Ok($guard { _scope: scope(&context) })
                }
            }
        )*
    };
}

default_dtype_guards! {
    /// The general default dtype until the guard is dropped.
    ///
    /// ```
    /// use ivy_core::{Dtype, context::{DefaultDtype, current}};
    /// let guard = DefaultDtype::new("int16")?;
    /// assert_eq!(current().settings.defaults.int(), Dtype::INT16);
    /// drop(guard);
    /// assert_eq!(current().settings.defaults.int(), Dtype::INT32);
    /// # Ok::<(), ivy_core::Error>(())
    /// ```
    DefaultDtype dtype ALL "known";
    /// The default integer dtype until the guard is dropped.
    DefaultIntDtype int INTEGER "integer";
    /// The default unsigned dtype until the guard is dropped.
    DefaultUintDtype uint UNSIGNED "unsigned";
    /// The default float dtype until the guard is dropped.
    DefaultFloatDtype float FLOAT "float";
    /// The default complex dtype until the guard is dropped.
    DefaultComplexDtype complex COMPLEX "complex";
}
