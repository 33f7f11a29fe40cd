//! Norms in Paddle's forms.

use ivy_core::functional as f;
use ivy_core::{Array, Result};
use ivy_frontend::specials::{Out, axis, lengths, one, subgradients, wrong};
use ivy_frontend::{Call, Fault, compute, kw};

/// `axis_of_three(x)`: the first axis of length 3, along which `cross` is if none is given.
pub(crate) fn axis_of_three(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let found = x.shape().iter().position(|&length| length == 3);
    found.map(Into::into).ok_or_else(|| wrong(call, "axis", "no axis has length 3"))
}

/// A norm of the matrices of two axes.
fn of_matrices(call: &Call<'_>, x: &Array, axes: [i64; 2], keepdims: bool) -> Result<Array> {
    let moved =
        call.core("moveaxis", &[x.into()], kw! { source: axes.to_vec(), destination: vec![-2i64, -1] })?;
    let moved = one(call, moved)?;
    let norm = match call.value(1).as_text() {
        Some("fro") | None if call.value(1).as_scalar().is_none() => {
            compute!(call, "linalg.matrix_norm", [&moved])?
        }
        Some("nuc") => compute!(call, "sum", [&compute!(call, "linalg.svdvals", [&moved])?], axis = -1)?,
        Some(_) => {
            return Err(call.refuse(Fault::Value, "p", Some(call.value(1)), "'fro', 'nuc' or a number"));
        }
        None => compute!(call, "linalg.matrix_norm", [&moved], ord = call.float(1)?)?,
    };
    if !keepdims {
        return Ok(norm);
    }
    let mut kept = lengths(x);
    for along in axes {
        kept[axis(call, along, x.ndim())?] = 1;
    }
    compute!(call, "reshape", [&norm], shape = kept)
}

/// `norm(x, p, axis, keepdim)`: of all elements as one vector, of vectors along an axis, or of matrices along two.
pub(crate) fn norm(call: &mut Call<'_>) -> Out {
    let (x, keepdims, axes) = (call.array(0)?, call.flag(3)?, call.ints(2)?);
    let euclidean = call.value(1).is_none() || call.value(1).as_text() == Some("fro");
    if let Some(&[first, second]) = axes.as_deref() {
        return Ok(of_matrices(call, &x, [first, second], keepdims)?.into());
    }
    let ord = if euclidean { 2.0 } else { call.float(1)? };
    let vectors =
        if axes.is_none() { compute!(call, "reshape", [&x], shape = vec![-1i64])? } else { x.clone() };
    let whole = axes.is_none() && keepdims;
    let keep = keepdims && axes.is_some();
    let norm = subgradients::vector_norm(call, &vectors, ord, axes, keep)?;
    Ok(if whole { compute!(call, "reshape", [&norm], shape = vec![1i64; x.ndim()])? } else { norm }.into())
}

/// `matrix_norm(x, p, axis, keepdim)`
pub(crate) fn matrix_norm(call: &mut Call<'_>) -> Out {
    let (x, keepdims) = (call.array(0)?, call.flag(3)?);
    let Some(&[first, second]) = call.ints(2)?.as_deref() else {
        return Err(wrong(call, "axis", "two axes"));
    };
    Ok(of_matrices(call, &x, [first, second], keepdims)?.into())
}

/// `vector_norm(x, p, axis, keepdim)`: of vectors along axes, or of all elements.
pub(crate) fn vector_norm(call: &mut Call<'_>) -> Out {
    let (x, axes, keepdims) = (call.array(0)?, call.ints(2)?, call.flag(3)?);
    Ok(subgradients::vector_norm(call, &x, call.float(1)?, axes, keepdims)?.into())
}

/// `cosine(x, y, axis, epsilon, least)`: the cosines of the angles between vectors along an axis, the squares of whose norms are so much
/// greater, and the product of the norms at least so much.
pub(crate) fn cosine(call: &mut Call<'_>) -> Out {
    let (x, y, along) = (call.array(0)?, call.array(1)?, call.int(2)?);
    let (epsilon, least) = (call.float(3)?, call.float(4)?);
    let product =
        |a: &Array, b: &Array| compute!(call, "sum", [&compute!(call, "multiply", [a, b])?], axis = along);
    let square = |a: &Array| f::add(product(a, a)?, epsilon);
    let norms = f::multiply(square(&x)?, square(&y)?)?;
    Ok(f::divide(product(&x, &y)?, f::sqrt(f::maximum(norms, least * least)?)?)?.into())
}
