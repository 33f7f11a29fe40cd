//! What shapes matrices may have.

use crate::{ErrorKind, Result};

/// A stack of matrices: at least two axes.
pub(super) fn matrices(function: &'static str, argument: &'static str, shape: &[usize]) -> Result<()> {
    if shape.len() < 2 {
        let expected = "at least two axes".into();
        return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual: shape.into() }.into());
    }
    Ok(())
}

/// A stack of square matrices, of which the size is given.
pub(super) fn squares(function: &'static str, argument: &'static str, shape: &[usize]) -> Result<usize> {
    matrices(function, argument, shape)?;
    let (m, n) = (shape[shape.len() - 2], shape[shape.len() - 1]);
    if m != n {
        let expected = "a square matrix in the last two axes".into();
        return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual: shape.into() }.into());
    }
    Ok(n)
}
