//! Names to dtypes.

use super::Dtype;
use crate::{Array, Error, ErrorKind, ScalarKind, context};
use std::str::FromStr;

impl FromStr for Dtype {
    type Err = Error;

    /// Parses a dtype's name, an alias of the table, or NumPy's type string.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownDtype`], with the nearest known name as a hint.
    fn from_str(text: &str) -> Result<Dtype, Error> {
        let matches = |d: &Dtype| {
            let row = d.row();
            row.name == text || d.is_stored() && row.typestr == text || row.aliases.contains(&text)
        };
        Dtype::known().find(matches).ok_or_else(|| {
            let hint = Dtype::known()
                .map(|d| (edit_distance(text, d.name()), d))
                .min_by_key(|(distance, _)| *distance)
                .filter(|(distance, _)| *distance <= 2 && 2 * distance < text.len())
                .map(|(_, d)| d);
            ErrorKind::UnknownDtype { name: text.into(), hint, backend: None }.into()
        })
    }
}

/// Anything that has or names a dtype: a [`Dtype`], a name, an array, a kind of host scalar (its
/// default dtype), or a reference to one.
pub trait DtypeLike {
    /// The dtype that is named.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownDtype`] if no dtype has the name.
    fn to_dtype(&self) -> Result<Dtype, Error>;
}

impl DtypeLike for Dtype {
    fn to_dtype(&self) -> Result<Dtype, Error> {
        Ok(*self)
    }
}

/// The default dtype of the kind, as Ivy reads Python's `float` (spec I-02).
impl DtypeLike for ScalarKind {
    fn to_dtype(&self) -> Result<Dtype, Error> {
        Ok(context::settings().settings.defaults.of_scalar(*self))
    }
}

/// The array's dtype.
impl DtypeLike for Array {
    fn to_dtype(&self) -> Result<Dtype, Error> {
        Ok(self.dtype())
    }
}

impl DtypeLike for String {
    fn to_dtype(&self) -> Result<Dtype, Error> {
        self.parse()
    }
}

impl DtypeLike for str {
    fn to_dtype(&self) -> Result<Dtype, Error> {
        self.parse()
    }
}

impl<T: DtypeLike + ?Sized> DtypeLike for &T {
    fn to_dtype(&self) -> Result<Dtype, Error> {
        (**self).to_dtype()
    }
}

/// A dtype, or `None` for "not given".
pub trait MaybeDtype {
    /// The dtype, if there is one.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownDtype`] if no dtype has the name.
    fn maybe_dtype(&self) -> Result<Option<Dtype>, Error>;
}

impl<T: DtypeLike + ?Sized> MaybeDtype for T {
    fn maybe_dtype(&self) -> Result<Option<Dtype>, Error> {
        self.to_dtype().map(Some)
    }
}

impl<T: DtypeLike> MaybeDtype for Option<T> {
    fn maybe_dtype(&self) -> Result<Option<Dtype>, Error> {
        self.as_ref().map(DtypeLike::to_dtype).transpose()
    }
}

/// Levenshtein distance, for the hint in an error.
pub(crate) fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, cb) in b.iter().enumerate() {
            let best = (diagonal + usize::from(ca != *cb)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], best);
        }
    }
    row[b.len()]
}
