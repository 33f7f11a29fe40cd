//! Products, decompositions and solutions.

use super::support::{Out, cast, inexact, iota, reshaped, runtime, tensor};
use ivy_core::functional as f;
use ivy_core::{Array, Index, Result};
use ivy_frontend::specials::{several, subgradients, tuple};
use ivy_frontend::{Call, Fault, Value, compute, kw};

/// Products of tensors with so many axes each, or of any; the dtypes are equal.
pub(crate) fn product(call: &mut Call<'_>) -> Out {
    let (a, b) = (tensor(call, 0)?, tensor(call, 1)?);
    for (i, x) in [&a, &b].into_iter().enumerate() {
        if !call.value(i + 2).is_none() && x.ndim() as i64 != call.int(i + 2)? {
            return Err(runtime(
                call,
                "input",
                format!("a tensor of {} dimensions is needed, not {}", call.int(i + 2)?, x.ndim()),
            ));
        }
    }
    if a.dtype() != b.dtype() {
        return Err(runtime(
            call,
            "other",
            format!("expected both to have the same dtype, but got {} and {}", a.dtype(), b.dtype()),
        ));
    }
    if let (3, 3, true) = (a.ndim(), b.ndim(), !call.value(2).is_none())
        && a.shape()[0] != b.shape()[0]
    {
        return Err(runtime(call, "mat2", "batch1 and batch2 must have the same number of matrices"));
    }
    Ok(compute!(call, "matmul", [&a, &b])?.into())
}

/// The logarithm of a determinant; NaN of a negative one.
pub(crate) fn logdet(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    let parts = several(call, call.core("linalg.slogdet", &[(&x).into()], kw! {})?)?;
    Ok(f::where_(f::less(&parts[0], 0.0)?, f64::NAN, &parts[1])?.into())
}

fn transposed(call: &Call<'_>, x: &Array) -> Result<Array> {
    compute!(call, "matrix_transpose", [x])
}

pub(super) fn adjoint(call: &Call<'_>, x: &Array) -> Result<Array> {
    let turned = transposed(call, x)?;
    if x.dtype().is_complex() { f::conj(&turned) } else { Ok(turned) }
}

/// Solutions of equations whose matrix has a factor of Cholesky's.
pub(crate) fn cholesky_solve(call: &mut Call<'_>) -> Out {
    let (b, factor, upper) = (tensor(call, 0)?, tensor(call, 1)?, call.flag(2)?);
    Ok(by_factor(call, &b, &factor, upper)?.into())
}

fn by_factor(call: &Call<'_>, b: &Array, factor: &Array, upper: bool) -> Result<Array> {
    let lower = if upper { adjoint(call, factor)? } else { factor.clone() };
    let half = compute!(call, "solve_triangular", [&lower, b], upper = false)?;
    compute!(call, "solve_triangular", [&adjoint(call, &lower)?, &half], upper = true)
}

/// The inverse of a matrix by its factor of Cholesky's.
pub(crate) fn cholesky_inverse(call: &mut Call<'_>) -> Out {
    let (factor, upper) = (tensor(call, 0)?, call.flag(1)?);
    let [.., side] = factor.shape()[..] else {
        let rule = format!("expected a matrix, or several, got a tensor of {} dimensions", factor.ndim());
        return Err(super::support::runtime(call, "input", rule));
    };
    let side = side as i64;
    let unit = compute!(call, "eye", [side], dtype = factor.dtype())?;
    Ok(by_factor(call, &unit, &factor, upper)?.into())
}

/// `svd` as it was before `linalg.svd`: the third factor is not transposed.
pub(crate) fn svd(call: &mut Call<'_>) -> Out {
    let (x, some) = (tensor(call, 0)?, call.flag(1)?);
    if !call.flag(2)? {
        return Err(call.refuse(
            Fault::Missing,
            "compute_uv",
            Some(&Value::Bool(false)),
            "ask `linalg.svdvals`",
        ));
    }
    let parts = several(call, call.core("linalg.svd", &[(&x).into()], kw! { full_matrices: !some })?)?;
    Ok(tuple([parts[0].clone(), parts[1].clone(), adjoint(call, &parts[2])?]))
}

/// The factors `Q` and `R`; of mode "r" the first one is empty.
pub(crate) fn qr(call: &mut Call<'_>) -> Out {
    let (x, mode) = (tensor(call, 0)?, call.text(1)?.to_string());
    let how = match mode.as_str() {
        "reduced" | "complete" => mode.clone(),
        "r" => "reduced".into(),
        _ => return Err(runtime(call, "mode", "one of 'reduced', 'complete' and 'r'")),
    };
    let parts = several(call, call.core("linalg.qr", &[(&x).into()], kw! { mode: how })?)?;
    let q = match mode == "r" {
        true => compute!(call, "zeros", [vec![0i64]], dtype = x.dtype())?,
        false => parts[0].clone(),
    };
    Ok(tuple([q, parts[1].clone()]))
}

/// The matrix that one triangle stands for.
fn hermitian(call: &Call<'_>, i: usize) -> Result<Array> {
    let x = tensor(call, 0)?;
    let strict = match call.text(i)? {
        "L" | "l" => compute!(call, "tril", [&x], k = -1)?,
        "U" | "u" => compute!(call, "triu", [&x], k = 1)?,
        _ => return Err(runtime(call, "UPLO", "Expected UPLO argument to be 'L' or 'U'")),
    };
    let middle = f::subtract(compute!(call, "tril", [&x])?, compute!(call, "tril", [&x], k = -1)?)?;
    f::add(&middle, f::add(&strict, adjoint(call, &strict)?)?)
}

/// Eigenvalues and eigenvectors of a symmetric matrix, of which a triangle is read.
pub(crate) fn eigh(call: &mut Call<'_>) -> Out {
    square(call, &tensor(call, 0)?)?;
    let x = hermitian(call, 1)?;
    Ok(tuple(several(call, call.core("linalg.eigh", &[(&x).into()], kw! {})?)?))
}

/// Its eigenvalues.
pub(crate) fn eigvalsh(call: &mut Call<'_>) -> Out {
    square(call, &tensor(call, 0)?)?;
    Ok(compute!(call, "linalg.eigvalsh", [&hermitian(call, 1)?])?.into())
}

pub(super) fn square(call: &Call<'_>, x: &Array) -> Result<()> {
    let n = x.ndim();
    match n >= 2 && x.shape()[n - 1] == x.shape()[n - 2] {
        true => inexact(call, x),
        false => Err(runtime(call, "A", "must be batches of square matrices")),
    }
}

/// Equations of one matrix with several right-hand sides, from the left or from the right.
pub(crate) fn solve(call: &mut Call<'_>) -> Out {
    let (a, b, left) = (tensor(call, 0)?, tensor(call, 1)?, call.flag(2)?);
    square(call, &a)?;
    match left {
        true => Ok(compute!(call, "linalg.solve", [&a, &b])?.into()),
        false => {
            let x = compute!(call, "linalg.solve", [&transposed(call, &a)?, &transposed(call, &b)?])?;
            Ok(transposed(call, &x)?.into())
        }
    }
}

/// The same of a triangle.
pub(crate) fn solve_triangular(call: &mut Call<'_>) -> Out {
    let (a, b) = (tensor(call, 0)?, tensor(call, 1)?);
    let (upper, left, unit) = (call.flag(2)?, call.flag(3)?, call.flag(4)?);
    match left {
        true => Ok(compute!(call, "solve_triangular", [&a, &b], upper = upper, unit_diagonal = unit)?.into()),
        false => {
            let (a, b) = (transposed(call, &a)?, transposed(call, &b)?);
            let x = compute!(call, "solve_triangular", [&a, &b], upper = !upper, unit_diagonal = unit)?;
            Ok(transposed(call, &x)?.into())
        }
    }
}

/// The least squares solution and the rank; residuals and singular values are empty, as PyTorch's default driver leaves
/// them.
pub(crate) fn lstsq(call: &mut Call<'_>) -> Out {
    let (a, b) = (tensor(call, 0)?, tensor(call, 1)?);
    if a.ndim() != 2 || !a.dtype().is_float() {
        return Err(runtime(call, "A", "a matrix of floats is needed"));
    }
    let solution = compute!(call, "matmul", [&compute!(call, "linalg.pinv", [&a])?, &b])?;
    let rank = compute!(call, "linalg.matrix_rank", [&a])?;
    let none = compute!(call, "zeros", [vec![0i64]], dtype = a.dtype())?;
    Ok(tuple([solution, none.clone(), rank, none]))
}

/// Tolerances of `pinv` and `matrix_rank`: what is below `max(atol, rtol largest)` counts as zero.
fn tolerance(call: &Call<'_>, x: &Array, values: &Array) -> Result<Array> {
    let absolute = if call.value(1).is_none() { 0.0 } else { call.float(1)? };
    let eps = ivy_core::finfo(x.dtype())?.eps;
    let sides = x.shape()[x.ndim() - 2..].iter().max().copied().unwrap_or(0) as f64;
    let relative = match (call.value(2).is_none(), call.value(1).is_none()) {
        (false, _) => call.float(2)?,
        (true, true) => sides * eps,
        (true, false) if absolute > 0.0 => 0.0,
        (true, false) => sides * eps,
    };
    let largest = compute!(call, "max", [values], axis = -1, keepdims = true)?;
    f::maximum(f::multiply(&largest, relative)?, absolute)
}

/// How many singular values count.
pub(crate) fn matrix_rank(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    inexact(call, &x)?;
    let values = match call.flag(3)? {
        true => {
            square(call, &x)?;
            f::abs(compute!(call, "linalg.eigvalsh", [&hermitian(call, 4)?])?)?
        }
        false => compute!(call, "linalg.svdvals", [&x])?,
    };
    let counts = f::greater(&values, tolerance(call, &x, &values)?)?;
    Ok(compute!(call, "count_nonzero", [&counts], axis = -1)?.into())
}

/// The inverse of Moore and Penrose.
pub(crate) fn pinv(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    inexact(call, &x)?;
    let parts = several(call, call.core("linalg.svd", &[(&x).into()], kw! { full_matrices: false })?)?;
    let large = f::greater(&parts[1], tolerance(call, &x, &parts[1])?)?;
    let inverse = f::where_(&large, f::divide(1.0, &parts[1])?, 0.0)?;
    let inverse = compute!(call, "expand_dims", [&inverse, -1])?;
    let right = f::multiply(&inverse, adjoint(call, &parts[0])?)?;
    Ok(compute!(call, "matmul", [&adjoint(call, &parts[2])?, &right])?.into())
}

/// The norm of vectors along axes, of an order.
pub(crate) fn vector_norm(call: &mut Call<'_>) -> Out {
    let x = cast(&tensor(call, 0)?, call.dtype(4)?)?;
    inexact(call, &x)?;
    let dims = call.ints(2)?.filter(|d| !d.is_empty());
    Ok(subgradients::vector_norm(call, &x, call.float(1)?, dims, call.flag(3)?)?.into())
}

/// The norm of matrices in two axes, of an order or name.
pub(crate) fn matrix_norm(call: &mut Call<'_>) -> Out {
    let x = cast(&tensor(call, 0)?, call.dtype(4)?)?;
    inexact(call, &x)?;
    let dims = call.ints(2)?.unwrap_or_default();
    Ok(of_matrices(call, &x, call.value(1).borrowed(), &dims, call.flag(3)?)?.into())
}

fn of_matrices(call: &Call<'_>, x: &Array, order: Value<'_>, dims: &[i64], keepdim: bool) -> Result<Array> {
    if matches!(&order, Value::Text(name) if name == "fro") && dims.len() == 2 {
        return subgradients::vector_norm(call, x, 2.0, Some(dims.to_vec()), keepdim);
    }
    let moved = compute!(call, "moveaxis", [x, dims.to_vec(), vec![-2i64, -1]])?;
    let norm = compute!(call, "linalg.matrix_norm", [&moved], ord = order, keepdims = keepdim)?;
    match keepdim {
        true => compute!(call, "moveaxis", [&norm, vec![-2i64, -1], dims.to_vec()]),
        false => Ok(norm),
    }
}

/// `linalg.norm`: of vectors along one axis, of matrices in two, and without an order of all elements.
pub(crate) fn linalg_norm(call: &mut Call<'_>) -> Out {
    let x = cast(&tensor(call, 0)?, call.dtype(4)?)?;
    inexact(call, &x)?;
    let (order, dims, keepdim) = (call.value(1).borrowed(), call.ints(2)?, call.flag(3)?);
    let matrices = matches!(&dims, Some(d) if d.len() == 2) || (dims.is_none() && x.ndim() == 2);
    if matrices && !order.is_none() {
        return Ok(of_matrices(call, &x, order, &dims.unwrap_or(vec![-2, -1]), keepdim)?.into());
    }
    let order = if order.is_none() { 2.0 } else { call.float(1)? };
    Ok(subgradients::vector_norm(call, &x, order, dims, keepdim)?.into())
}

/// The condition number: of a norm, or the quotient of the singular values at the ends.
pub(crate) fn cond(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    inexact(call, &x)?;
    let order = call.value(1).borrowed();
    let by_values = order.is_none() || order.as_scalar().is_some_and(|p| p.to_f64().abs() == 2.0);
    if by_values {
        let values = compute!(call, "linalg.svdvals", [&x])?;
        let (most, least) =
            (compute!(call, "max", [&values], axis = -1)?, compute!(call, "min", [&values], axis = -1)?);
        let turned = order.as_scalar().is_some_and(|p| p.to_f64() < 0.0);
        return Ok(if turned { f::divide(&least, &most)? } else { f::divide(&most, &least)? }.into());
    }
    let inverse = compute!(call, "linalg.inv", [&x])?;
    let own = compute!(call, "linalg.matrix_norm", [&x], ord = order.borrowed())?;
    Ok(f::multiply(&own, compute!(call, "linalg.matrix_norm", [&inverse], ord = order)?)?.into())
}

fn sized(shape: &[usize]) -> usize {
    shape.iter().product()
}

/// The inverse of a tensor as a map of tensors.
pub(crate) fn tensorinv(call: &mut Call<'_>) -> Out {
    let (x, ind) = (tensor(call, 0)?, call.int(1)?);
    let ind = usize::try_from(ind).ok().filter(|&i| i > 0 && i <= x.ndim());
    let Some((rows, columns)) = ind.map(|i| x.shape().split_at(i)).filter(|(a, b)| sized(a) == sized(b))
    else {
        return Err(runtime(
            call,
            "A",
            "Expected self to satisfy the requirement prod(A.shape[ind:]) == prod(A.shape[:ind])",
        ));
    };
    let inverse = compute!(call, "linalg.inv", [&reshaped(&x, [sized(rows), sized(columns)])?])?;
    Ok(reshaped(&inverse, [columns, rows].concat())?.into())
}

/// The solution of equations of tensors.
pub(crate) fn tensorsolve(call: &mut Call<'_>) -> Out {
    let (mut a, b) = (tensor(call, 0)?, tensor(call, 1)?);
    if let Some(dims) = call.ints(2)? {
        let last: Vec<i64> = (-(dims.len() as i64)..0).collect();
        a = compute!(call, "moveaxis", [&a, dims, last])?;
    }
    let shape = a.shape().get(b.ndim()..).unwrap_or_default().to_vec();
    if sized(&shape) != b.size() {
        return Err(runtime(call, "B", "Expected self to satisfy prod(A.shape[B.ndim:]) == prod(B.shape)"));
    }
    let matrix = reshaped(&a, [b.size(), b.size()])?;
    let x = compute!(call, "linalg.solve", [&matrix, &reshaped(&b, [b.size()])?])?;
    Ok(reshaped(&x, shape)?.into())
}

/// The first columns of a product of reflections `1 - tau v v^H`, each `v` below the diagonal of its column.
pub(crate) fn householder_product(call: &mut Call<'_>) -> Out {
    let (a, tau) = (tensor(call, 0)?, tensor(call, 1)?);
    let (rows, columns) = match a.shape()[..] {
        [rows, columns] if rows >= columns && tau.size() <= columns => (rows, columns),
        _ => return Err(runtime(call, "A", "a matrix with no more columns than rows is needed")),
    };
    let place = iota(call, rows)?;
    let mut product = compute!(call, "eye", [rows as i64, columns as i64], dtype = a.dtype())?;
    for k in (0..tau.size()).rev() {
        let column = a.get([Index::Slice { start: None, stop: None, step: 1 }, Index::Int(k as i64)])?;
        let below = f::where_(f::greater(&place, k as i64)?, &column, 0.0)?;
        let vector = cast(&f::where_(f::equal(&place, k as i64)?, 1.0, &below)?, Some(a.dtype()))?;
        let own = reshaped(&vector, [rows, 1])?;
        let share = compute!(call, "matmul", [&adjoint(call, &own)?, &product])?;
        let step = f::multiply(f::multiply(&own, &share)?, tau.get([Index::Int(k as i64)])?)?;
        product = f::subtract(&product, &step)?;
    }
    Ok(product.into())
}
