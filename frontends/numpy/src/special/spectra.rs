//! Eigenvalues.

use super::help::{Out, holds, value_error};
use super::linalg::matrix_error;
use super::reductions::is_finite;
use ivy_core::functional as f;
use ivy_core::{Array, Result};
use ivy_frontend::Call;

/// Complex numbers, as real ones if all are.
pub(super) fn real_if_all(x: &Array) -> Result<Array> {
    if x.dtype().is_complex() && holds(f::equal(f::imag(x)?, 0))? {
        return f::real(x);
    }
    Ok(x.clone())
}

/// A matrix, and whether the vectors are wanted with the values.
pub fn eig(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let d = x.shape();
    if d.len() < 2 || d[d.len() - 1] != d[d.len() - 2] {
        return Err(matrix_error(call, "a", "Last 2 dimensions of the array must be square"));
    }
    if !is_finite(&x)? {
        return Err(matrix_error(call, "a", "Array must not contain infs or NaNs"));
    }
    // Of a complex matrix they stay complex.
    let narrow = |found: &Array| if x.dtype().is_complex() { Ok(found.clone()) } else { real_if_all(found) };
    if !call.flag(1)? {
        return Ok(narrow(&f::linalg::eigvals(&x)?)?.into());
    }
    let found = f::linalg::eig(&x)?;
    let values = narrow(&found.eigenvalues)?;
    let vectors = if values.dtype().is_complex() { found.eigenvectors } else { narrow(&found.eigenvectors)? };
    Ok((values, vectors).into())
}

/// A matrix, and which triangle of it stands for the whole, which is equal to its conjugate transpose.
pub fn hermitian(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let d = x.shape();
    if d.len() < 2 || d[d.len() - 1] != d[d.len() - 2] {
        return Err(matrix_error(call, "a", "Last 2 dimensions of the array must be square"));
    }
    let lower = match call.text(1)? {
        "L" | "l" => true,
        "U" | "u" => false,
        _ => return Err(value_error(call, "UPLO", "UPLO argument must be 'L' or 'U'")),
    };
    let (own, apart) = match lower {
        true => (f::tril(&x, ())?, f::tril(&x, f::Triangle::new().k(-1))?),
        false => (f::triu(&x, ())?, f::triu(&x, f::Triangle::new().k(1))?),
    };
    let turned = f::matrix_transpose(apart)?;
    let turned = if turned.dtype().is_complex() { f::conj(turned)? } else { turned };
    Ok(f::add(own, turned)?.into())
}
