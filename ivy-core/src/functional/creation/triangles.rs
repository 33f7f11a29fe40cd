//! Indices of the triangles of a matrix.

use crate::array::Operand;
use crate::call::call;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{
    Arange, SearchSorted, Side, arange, clip, cumulative_sum, searchsorted, subtract, take, zeros,
};
use crate::{Array, Device, Dtype, ErrorKind, Result, Shape, params};
use smallvec::smallvec;

params! {
    /// Arguments of [`tril_indices`] and [`triu_indices`].
    pub struct TriangleIndices {
        /// How many rows the matrix has.
        n_rows: usize = 2usize,
        /// How many columns; as many as rows if not given.
        n_cols: Option<usize> = None,
        /// The diagonal that bounds the triangle, which is part of it: positive is above the main one, negative below.
        k: i64 = 0,
        /// The device.
        device: Option<Device> = None,
    }
}

/// How many elements of a matrix lie on diagonal `k` or below it, where `-rows <= k <= cols`.
fn below(rows: u128, cols: u128, k: i128) -> u128 {
    let (rows, cols) = (rows as i128, cols as i128);
    // Rows before `first` have none, those from `full` on have all their elements.
    let first = (-k).clamp(0, rows);
    let full = (cols - k - 1).clamp(first, rows);
    let ends = (first + k + 1) + (full + k);
    ((full - first) * ends / 2 + (rows - full) * cols) as u128
}

fn compose_indices(call: &Composition<'_>, lower: bool) -> Result<Outputs> {
    let (function, params) = (call.function.name, call.params::<TriangleIndices>());
    let (rows, cols) = (params.n_rows, params.n_cols.unwrap_or(params.n_rows));
    let overflow = |n: usize| -> crate::Error {
        let (shape, dtype) = (Shape::from([n]), Some(Dtype::INT64));
        ErrorKind::SizeOverflow { function, shape, dtype }.into()
    };
    let (signed_rows, signed_cols) = match (i64::try_from(rows), i64::try_from(cols)) {
        (Ok(rows), Ok(cols)) if rows < i64::MAX / 4 && cols < i64::MAX / 4 => (rows, cols),
        _ => return Err(overflow(rows.max(cols))),
    };
    // Beyond the corners nothing changes any more, and within them no sum overflows.
    let k = params.k.clamp(-signed_rows, signed_cols);
    let (all, of) = (rows as u128 * cols as u128, |k: i64| below(rows as u128, cols as u128, k.into()));
    let count = if lower { of(k) } else { all - of((k - 1).max(-signed_rows)) };
    let count = usize::try_from(count).map_err(|_| overflow(usize::MAX))?;
    Shape::from([count]).checked_size(function, Dtype::INT64)?;
    Shape::from([rows]).checked_size(function, Dtype::INT64)?;
    if count == 0 {
        return Ok(smallvec![zeros(0, Dtype::INT64)?, zeros(0, Dtype::INT64)?]);
    }
    let int64 = Arange::new().dtype(Dtype::INT64);
    // The columns that each row begins and ends with, and how many places there are up to its end.
    let diagonal = |k: i64| clip(arange((k, k + signed_rows), int64.clone())?, 0, signed_cols);
    let (first, len) = match lower {
        true => (None, diagonal(k + 1)?),
        false => {
            let first = diagonal(k)?;
            let len = subtract(signed_cols, &first)?;
            (Some(first), len)
        }
    };
    let ends = cumulative_sum(&len, ())?;
    let numbers = arange(count, int64.clone())?;
    let row = searchsorted(&ends, &numbers, SearchSorted::new().side(Side::Right))?;
    // What is added to a row's columns to give the places' numbers.
    let mut before = subtract(&ends, &len)?;
    if let Some(first) = first {
        before = subtract(before, first)?;
    }
    let column = subtract(&numbers, take(&before, &row, ())?)?;
    Ok(smallvec![row, column])
}

macro_rules! indices {
    ($($(#[$doc:meta])* $name:ident = $lower:literal;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`SizeOverflow`](crate::ErrorKind::SizeOverflow), [`MemoryLimit`](crate::ErrorKind::MemoryLimit).
            pub fn $name(n_rows: usize, params: impl Into<TriangleIndices>) -> Result<(Array, Array)> {
                describe! {
                    FUNCTION = stringify!($name), Creation, Compositional, (), Default -> [Index, Index],
                    Bound::Exact, params: TriangleIndices::new(), example: [],
                    Body::Compose(|call| compose_indices(call, $lower))
                }
                let params = params.into().n_rows(n_rows);
                let mut outputs = call(&FUNCTION, &[] as &[Operand<'_>], &params)?.into_iter();
                let mut next = || outputs.next().expect("the function has two results");
                Ok((next(), next()))
            }
        )*
    };
}
indices! {
    /// The rows and the columns of the elements of a matrix that lie on diagonal `k` or below it, row by row; int64.
    ///
    /// ```
    /// use ivy::{TriangleIndices, prelude::*};
    /// let (rows, columns) = ivy::tril_indices(3, TriangleIndices::new().k(-1))?;
    /// assert_eq!(rows.to_vec::<i64>()?, [1, 2, 2]);
    /// assert_eq!(columns.to_vec::<i64>()?, [0, 0, 1]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    tril_indices = true;
    /// The rows and the columns of the elements of a matrix that lie on diagonal `k` or above it, row by row; int64.
    ///
    /// ```
    /// use ivy::{TriangleIndices, prelude::*};
    /// let (rows, columns) = ivy::triu_indices(2, TriangleIndices::new().n_cols(3usize))?;
    /// assert_eq!(rows.to_vec::<i64>()?, [0, 0, 0, 1, 1]);
    /// assert_eq!(columns.to_vec::<i64>()?, [0, 1, 2, 1, 2]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    triu_indices = false;
}
