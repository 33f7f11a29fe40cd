//! Reading and writing by index expressions, as functions under Ivy's names.

use crate::Result;
use crate::array::{Array, Index, IntoOperand};

/// The elements that an index expression selects; see [`Array::get`].
///
/// ```
/// use ivy::prelude::*;
/// use ivy::s;
/// let x = Array::try_from([[1i32, 2], [3, 4]])?;
/// assert_eq!(ivy::get_item(&x, s![.., 0])?.to_vec::<i32>()?, [1, 3]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Those of [`Array::get`].
pub fn get_item(x: &Array, query: impl AsRef<[Index]>) -> Result<Array> {
    x.get(query)
}

/// The array with the elements that an index expression selects replaced by `value`; the
/// operand stays as it is. [`Array::set`] writes into an array that nobody else holds.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::s;
/// let x = Array::try_from([1.0f32, f32::NAN])?;
/// let y = ivy::set_item(&x, s![ivy::isnan(&x)?], 0.0)?;
/// assert_eq!(y.to_vec::<f32>()?, [1.0, 0.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Those of [`Array::set`].
pub fn set_item<'a>(x: &Array, query: impl AsRef<[Index]>, value: impl IntoOperand<'a>) -> Result<Array> {
    let mut result = x.clone();
    result.set(query, value)?;
    Ok(result)
}
