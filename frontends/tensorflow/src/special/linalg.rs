//! Products, norms and decompositions in TensorFlow's forms.

use ivy_core::functional as f;
use ivy_core::{Array, Result};
use ivy_frontend::specials::{Out, lengths, one, several, subgradients, tuple, wrong};
use ivy_frontend::{Call, Value, compute, kw};

/// A stack of matrices, transposed where that is asked for.
fn turned(call: &Call<'_>, i: usize, transpose: bool, adjoint: bool) -> Result<Array> {
    let x = call.array(i)?;
    if x.ndim() < 2 {
        return Err(wrong(call, if i == 0 { "a" } else { "b" }, "matrices are needed, or stacks of them"));
    }
    match (transpose, adjoint) {
        (true, true) => Err(wrong(call, "adjoint_a", "not together with transpose")),
        (false, false) => Ok(x),
        (_, adjoint) => {
            let x = compute!(call, "matrix_transpose", [&x])?;
            if adjoint { compute!(call, "conj", [&x]) } else { Ok(x) }
        }
    }
}

/// `matmul(a, b, transpose_a, transpose_b, adjoint_a, adjoint_b)`
pub(crate) fn matmul(call: &mut Call<'_>) -> Out {
    let a = turned(call, 0, call.flag(2)?, call.flag(4)?)?;
    let b = turned(call, 1, call.flag(3)?, call.flag(5)?)?;
    Ok(compute!(call, "matmul", [&a, &b])?.into())
}

/// A norm of a tensor: of the vectors along an axis, the matrices along two, or all elements.
fn norm_of(call: &Call<'_>, x: &Array, keepdims: bool) -> Result<Array> {
    let euclidean = matches!(call.value(1).as_text(), Some("euclidean" | "fro"));
    if !euclidean && call.value(1).as_scalar().is_none_or(|ord| ord.to_f64() <= 0.0) {
        return Err(call.refuse(
            ivy_frontend::Fault::Value,
            "ord",
            Some(call.value(1)),
            "'euclidean', 'fro' or a number above 0",
        ));
    }
    let ord = if euclidean { 2.0 } else { call.float(1)? };
    let axes = call.ints(2)?;
    match axes.as_deref() {
        Some(&[_, _]) if !euclidean => {}
        None => {
            let flat = compute!(call, "reshape", [x], shape = vec![-1i64])?;
            let norm = compute!(call, "linalg.vector_norm", [&flat], ord = ord)?;
            let kept = if keepdims { vec![1i64; x.ndim()] } else { Vec::new() };
            return compute!(call, "reshape", [&norm], shape = kept);
        }
        _ => return compute!(call, "linalg.vector_norm", [x], axis = axes, keepdims = keepdims, ord = ord),
    }
    if ![1.0, 2.0, f64::INFINITY].contains(&ord) {
        return Err(call.refuse(
            ivy_frontend::Fault::Value,
            "ord",
            Some(call.value(1)),
            "1, 2 or infinity of matrices",
        ));
    }
    let matrices =
        call.core("moveaxis", &[x.into()], kw! { source: axes.clone(), destination: vec![-2i64, -1] })?;
    let norm = compute!(call, "linalg.matrix_norm", [&one(call, matrices)?], ord = ord)?;
    if !keepdims {
        return Ok(norm);
    }
    // The two axes again, with length 1.
    let mut kept = lengths(x);
    for axis in axes.unwrap_or_default() {
        kept[ivy_frontend::specials::axis(call, axis, x.ndim())?] = 1;
    }
    compute!(call, "reshape", [&norm], shape = kept)
}

/// `norm(tensor, ord, axis, keepdims)`
pub(crate) fn norm(call: &mut Call<'_>) -> Out {
    Ok(norm_of(call, &call.array(0)?, call.flag(3)?)?.into())
}

/// `normalize(tensor, ord, axis)`: the tensor divided by its norm, and the norm.
pub(crate) fn normalize(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let norm = norm_of(call, &x, true)?;
    Ok(tuple([compute!(call, "divide", [&x, &norm])?, norm]))
}

/// `svd(tensor, full_matrices)`: singular values, left and right vectors, both as columns.
pub(crate) fn svd(call: &mut Call<'_>) -> Out {
    let keywords = kw! { full_matrices: call.flag(1)? };
    let parts = several(call, call.core("linalg.svd", &[call.value(0).borrowed()], keywords)?)?;
    let [u, s, vh] = <[Array; 3]>::try_from(parts).map_err(|_| wrong(call, "tensor", "no decomposition"))?;
    let v = compute!(call, "conj", [&compute!(call, "matrix_transpose", [&vh])?])?;
    Ok(tuple([s, u, v]))
}

/// The Euclidean norm of all elements of tensors; `None` among them has none.
fn total(call: &Call<'_>) -> Result<Array> {
    let items = call.value(0).items().unwrap_or_default();
    let mut sum: Option<Array> = None;
    for item in items.iter().filter(|item| !item.is_none()) {
        let x = compute!(call, "abs", [item])?;
        let part = compute!(call, "sum", [&compute!(call, "square", [&x])?])?;
        sum = Some(match sum {
            Some(sum) => compute!(call, "add", [&sum, &part])?,
            None => part,
        });
    }
    let sum = sum.ok_or_else(|| wrong(call, "t_list", "a tensor is needed"))?;
    compute!(call, "sqrt", [&sum])
}

/// `global_norm(t_list)`
pub(crate) fn global_norm(call: &mut Call<'_>) -> Out {
    Ok(total(call)?.into())
}

/// `clip_by_global_norm(t_list, clip_norm, use_norm)`: the tensors, scaled where their norm is above, and the norm.
pub(crate) fn clip_by_global_norm(call: &mut Call<'_>) -> Out {
    let norm = if call.value(2).is_none() { total(call)? } else { call.array(2)? };
    let clip = compute!(call, "maximum", [&norm, call.value(1)])?;
    let scale = compute!(call, "divide", [call.value(1), &clip])?;
    let scaled = |item: &Value<'_>| match item {
        Value::None => Ok(Value::None),
        item => compute!(call, "multiply", [item, &scale]).map(Value::from),
    };
    let list = call.value(0).items().unwrap_or_default().iter().map(scaled).collect::<Result<_>>()?;
    Ok(Value::Tuple(vec![Value::List(list), norm.into()]))
}

/// `tensor_diag_part(x)`: of a tensor whose axes come twice.
pub(crate) fn tensor_diag_part(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let shape = lengths(&x);
    let (half, other) = shape.split_at(shape.len() / 2);
    if half.is_empty() || half != other {
        return Err(wrong(call, "input", format!("the second half of shape {} is not the first", x.shape())));
    }
    let side = half.iter().product::<i64>();
    let matrix = f::reshape(&x, [side, side], ())?;
    Ok(compute!(call, "reshape", [&compute!(call, "linalg.diagonal", [&matrix])?], shape = half.to_vec())?
        .into())
}

/// `vector_norm(x, axes)`: with axes of length 1; the derivative of one of length 0 is 0.
pub(crate) fn vector_norm(call: &mut Call<'_>) -> Out {
    let (x, axes) = (call.array(0)?, call.ints(1)?);
    Ok(subgradients::vector_norm(call, &x, 2.0, axes, true)?.into())
}
