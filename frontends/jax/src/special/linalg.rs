//! Products of arrays and linear algebra.

use super::support::{Out, array, axis, core, dtype, inexact, ints, operand, product, shape};
use ivy_core::{Dtype, Result};
use ivy_frontend::{Call, Fault, Value, kw};

/// Two operands as arrays; in another dtype where the product is asked for in it.
fn pair(call: &Call<'_>, i: usize, wanted: usize) -> Result<(Value<'static>, Value<'static>)> {
    let (a, b) = (operand(call, i)?, operand(call, i + 1)?);
    match call.dtype(wanted)? {
        None => Ok((a, b)),
        Some(to) => Ok((core!(call, "astype", &a, to)?, core!(call, "astype", &b, to)?)),
    }
}

/// `products(name, a, b, preferred_element_type)`: of truth values, whether any two are true.
pub(crate) fn products(call: &mut Call<'_>) -> Out {
    let (a, b) = pair(call, 1, 3)?;
    if !dtype(call, &a)?.is_bool() || !dtype(call, &b)?.is_bool() {
        return product_of(call, a, b);
    }
    let count = |x: Value<'static>| core!(call, "astype", &x, Dtype::INT32);
    core!(call, "not_equal", &product_of(call, count(a)?, count(b)?)?, 0)
}

fn product_of(call: &Call<'_>, a: Value<'static>, b: Value<'static>) -> Out {
    let ranks = (shape(call, &a)?.len(), shape(call, &b)?.len());
    let refuse = |rule: &str| Err(call.refuse(Fault::Value, "", None, rule));
    match call.text(0)? {
        "matmul" if ranks.0 == 0 || ranks.1 == 0 => refuse("matmul of arrays without axes is not there"),
        "dot" if ranks.0 == 0 || ranks.1 == 0 => core!(call, "multiply", &a, &b),
        "dot" | "inner" if ranks.0 == 0 || ranks.1 == 0 => core!(call, "multiply", &a, &b),
        "dot" => {
            let second = if ranks.1 == 1 { 0 } else { ranks.1 as i64 - 2 };
            core!(call, "tensordot", &a, &b; axes: ints_lists(ranks.0 as i64 - 1, second))
        }
        "inner" => core!(call, "tensordot", &a, &b; axes: ints_lists(ranks.0 as i64 - 1, ranks.1 as i64 - 1)),
        "vdot" => {
            let (a, b) = (flat(call, &a)?, flat(call, &b)?);
            core!(call, "vecdot", &a, &b)
        }
        "matvec" if ranks.0 < 2 || ranks.1 < 1 => refuse("a matrix and a vector are needed"),
        "matvec" => {
            let column = core!(call, "expand_dims", &b, -1)?;
            core!(call, "squeeze", &core!(call, "matmul", &a, &column)?, -1)
        }
        "vecmat" if ranks.0 < 1 || ranks.1 < 2 => refuse("a vector and a matrix are needed"),
        "vecmat" => {
            let a = if dtype(call, &a)?.is_complex() { core!(call, "conj", &a)? } else { a };
            let row = core!(call, "expand_dims", &a, -2)?;
            core!(call, "squeeze", &core!(call, "matmul", &row, &b)?, -2)
        }
        _ => core!(call, "matmul", &a, &b),
    }
}

fn ints_lists(first: i64, second: i64) -> Value<'static> {
    Value::Tuple(vec![ints([first]), ints([second])])
}

fn flat(call: &Call<'_>, x: &Value<'_>) -> Out {
    core!(call, "reshape", x, [-1i64])
}

/// `vecdot(x1, x2, axis, preferred_element_type)`
pub(crate) fn vecdot(call: &mut Call<'_>) -> Out {
    let (a, b) = pair(call, 0, 3)?;
    core!(call, "vecdot", &a, &b; axis: call.int(2)?)
}

/// `tensordot(a, b, axes, preferred_element_type)`
pub(crate) fn tensordot(call: &mut Call<'_>) -> Out {
    let (a, b) = pair(call, 0, 3)?;
    let axes = match call.value(2) {
        Value::Int(n) => Value::Int(*n),
        other => match other.items() {
            Some([first, second]) => {
                let list = |v: &Value<'_>| match v.items() {
                    Some(all) => Value::Tuple(all.iter().map(|v| v.clone().into_owned()).collect()),
                    None => Value::Tuple(vec![v.clone().into_owned()]),
                };
                Value::Tuple(vec![list(first), list(second)])
            }
            _ => return Err(call.refuse(Fault::Type, "axes", Some(other), "a number or two lists of axes")),
        },
    };
    core!(call, "tensordot", &a, &b; axes: axes)
}

/// `einsum(subscripts, operands, preferred_element_type)`
pub(crate) fn einsum(call: &mut Call<'_>) -> Out {
    let equation = call.text(0)?.to_string();
    let operands = call.arrays(1)?;
    let to = call.dtype(2)?;
    let cast = |x: &ivy_core::Array| match to {
        Some(to) => core!(call, "astype", x, to),
        None => Ok(Value::from(x.clone())),
    };
    let given = operands.iter().map(cast).collect::<Result<Vec<_>>>()?;
    call.core("einsum", &given, kw! { equation: equation })
}

/// `cross(a, b, axisa, axisb, axisc, axis)`: also of vectors in the plane.
pub(crate) fn cross(call: &mut Call<'_>) -> Out {
    let place = |i: usize| if call.value(5).is_none() { call.int(i) } else { call.int(5) };
    let (from, to, result) = (place(2)?, place(3)?, place(4)?);
    let common = core!(call, "result_type", call.value(0), call.value(1))?;
    let last = |i: usize, along: i64| {
        let x = core!(call, "astype", &call.array(i)?, &common)?;
        core!(call, "moveaxis", &x, along, -1)
    };
    let (a, b) = (last(0, from)?, last(1, to)?);
    let (p, q) = (shape(call, &a)?.last().copied(), shape(call, &b)?.last().copied());
    if !matches!((p, q), (Some(2 | 3), Some(2 | 3))) {
        return Err(call.refuse(Fault::Value, "axis", None, "vectors of two or three elements are needed"));
    }
    let part = |x: &Value<'_>, i: i64, n: Option<i64>| match n {
        Some(2) if i == 2 => core!(call, "multiply", &entry(call, x, 0)?, 0),
        _ => entry(call, x, i),
    };
    let minor = |i: i64, j: i64| {
        let left = core!(call, "multiply", &part(&a, i, p)?, &part(&b, j, q)?)?;
        let right = core!(call, "multiply", &part(&a, j, p)?, &part(&b, i, q)?)?;
        core!(call, "subtract", &left, &right)
    };
    if (p, q) == (Some(2), Some(2)) {
        return minor(0, 1);
    }
    core!(call, "stack", vec![minor(1, 2)?, minor(2, 0)?, minor(0, 1)?]; axis: result)
}

/// Element `i` of the last axis.
fn entry(call: &Call<'_>, x: &Value<'_>, i: i64) -> Out {
    super::support::get(call, x, Value::Tuple(vec![Value::Ellipsis, Value::Int(i.into())]))
}

/// `trace(a, offset, axis1, axis2, dtype)`: short integers become the default ones.
pub(crate) fn trace(call: &mut Call<'_>) -> Out {
    let a = Value::from(call.array(0)?);
    let planes = super::searching::planes(call, &a, 2, 3)?;
    let diagonal = core!(call, "linalg.diagonal", &planes; offset: call.int(1)?)?;
    core!(call, "sum", &diagonal; axis: -1, dtype: call.dtype(4)?)
}

/// The mean of a matrix and its transposed conjugate.
fn symmetrized(call: &Call<'_>, a: &Value<'_>) -> Out {
    core!(call, "divide", &core!(call, "add", a, &adjoint(call, a)?)?, 2)
}

fn adjoint(call: &Call<'_>, a: &Value<'_>) -> Out {
    let turned = core!(call, "matrix_transpose", a)?;
    if dtype(call, a)?.is_complex() { core!(call, "conj", &turned) } else { Ok(turned) }
}

fn square(call: &Call<'_>, i: usize) -> Result<Value<'static>> {
    let a = inexact(call, &call.array(i)?.into())?;
    match shape(call, &a)?[..] {
        [.., n, m] if n == m => Ok(a),
        _ => Err(call.refuse(Fault::Value, "a", Some(&a), "square matrices are needed")),
    }
}

/// `cholesky(a, upper, symmetrize_input)`: NaN for what is not positive definite.
pub(crate) fn cholesky(call: &mut Call<'_>) -> Out {
    let a = square(call, 0)?;
    let a = if call.flag(2)? { symmetrized(call, &a)? } else { a };
    let upper = call.flag(1)?;
    match core!(call, "linalg.cholesky", &a; upper: upper) {
        Err(error) if matches!(error.kind(), ivy_core::ErrorKind::NotPositiveDefinite { .. }) => {
            let none = core!(call, "full_like", &a, f64::NAN)?;
            if upper { core!(call, "triu", &none) } else { core!(call, "tril", &none) }
        }
        result => result,
    }
}

/// `symmetric(a, UPLO, symmetrize_input)`: the matrix whose eigenvalues are asked for.
pub(crate) fn symmetric(call: &mut Call<'_>) -> Out {
    let a = square(call, 0)?;
    let upper = match call.value(1).as_text() {
        None | Some("L" | "l") => false,
        Some("U" | "u") => true,
        _ => {
            return Err(call.refuse(
                Fault::Value,
                "UPLO",
                Some(call.value(1)),
                "must be one of None, 'L', or 'U'",
            ));
        }
    };
    if call.flag(2)? {
        return symmetrized(call, &a);
    }
    let (kept, rest) = match upper {
        true => (core!(call, "triu", &a)?, core!(call, "triu", &a; k: 1)?),
        false => (core!(call, "tril", &a)?, core!(call, "tril", &a; k: -1)?),
    };
    core!(call, "add", &kept, &adjoint(call, &rest)?)
}

/// `solve(a, b)`: a vector where `b` has one axis.
pub(crate) fn solve(call: &mut Call<'_>) -> Out {
    let a = square(call, 0)?;
    let b = inexact(call, &call.array(1)?.into())?;
    core!(call, "linalg.solve", &a, &b)
}

/// `qr(a, mode)`: both factors, or the second one alone.
pub(crate) fn qr(call: &mut Call<'_>) -> Out {
    let a = inexact(call, &call.array(0)?.into())?;
    match call.text(1)? {
        mode @ ("reduced" | "complete") => core!(call, "linalg.qr", &a; mode: mode),
        "r" => match core!(call, "linalg.qr", &a; mode: "reduced")? {
            Value::Tuple(mut factors) if factors.len() == 2 => Ok(factors.remove(1)),
            other => Ok(other),
        },
        _ => Err(call.refuse(
            Fault::Value,
            "mode",
            Some(call.value(1)),
            "must be 'reduced', 'complete' or 'r'",
        )),
    }
}

/// `cond(x, p)`: the ratio of the norms of a matrix and its inverse.
pub(crate) fn cond(call: &mut Call<'_>) -> Out {
    let x = inexact(call, &call.array(0)?.into())?;
    let by_values = match call.value(1) {
        Value::None => Some(2.0),
        order => order.as_scalar().map(|s| s.to_f64()).filter(|p| p.abs() == 2.0),
    };
    if let Some(p) = by_values {
        let values = core!(call, "linalg.svdvals", &x)?;
        let (first, last) = (entry(call, &values, 0)?, entry(call, &values, -1)?);
        return if p > 0.0 {
            core!(call, "divide", &first, &last)
        } else {
            core!(call, "divide", &last, &first)
        };
    }
    let norm = |x: &Value<'_>| core!(call, "linalg.matrix_norm", x; ord: call.value(1));
    core!(call, "multiply", &norm(&x)?, &norm(&core!(call, "linalg.inv", &x)?)?)
}

/// `norm(x, ord, axis, keepdims)`: of all elements without axes and order, of vectors along one axis, of matrices along
/// two.
pub(crate) fn norm(call: &mut Call<'_>) -> Out {
    let x = inexact(call, &call.array(0)?.into())?;
    let (order, keepdims) = (call.value(1), call.flag(3)?);
    let ndim = shape(call, &x)?.len();
    let along = match (call.ints(2)?, order, ndim) {
        (Some(along), ..) => along,
        (None, Value::None, _) => {
            return core!(call, "linalg.vector_norm", &x; axis: Value::None, keepdims: keepdims);
        }
        (None, _, 1) => vec![0],
        (None, _, 2) => vec![0, 1],
        _ => return Err(call.refuse(Fault::Value, "axis", None, "improper number of axes for norm")),
    };
    match (&along[..], order) {
        ([one], Value::None) => core!(call, "linalg.vector_norm", &x; axis: *one, keepdims: keepdims),
        ([_], Value::Text(_)) => {
            Err(call.refuse(Fault::Value, "ord", Some(order), "invalid order for vector norm"))
        }
        ([one], order) => core!(call, "linalg.vector_norm", &x; axis: *one, keepdims: keepdims, ord: order),
        ([first, second], order) => {
            let (first, second) = (axis(call, *first, ndim)?, axis(call, *second, ndim)?);
            let last = core!(call, "moveaxis", &x, ints([first, second]), ints([-2i64, -1]))?;
            let order = if order.is_none() { Value::from("fro") } else { order.borrowed() };
            let known = order.as_text().is_none_or(|t| matches!(t, "fro" | "nuc"))
                && order.as_scalar().is_none_or(|s| [1.0, 2.0, f64::INFINITY].contains(&s.to_f64().abs()));
            if !known {
                return Err(call.refuse(Fault::Value, "ord", Some(&order), "invalid order for matrix norm"));
            }
            let norm = core!(call, "linalg.matrix_norm", &last; ord: order)?;
            if !keepdims {
                return Ok(norm);
            }
            let kept = shape(call, &x)?.into_iter().enumerate();
            core!(
                call,
                "reshape",
                &norm,
                ints(kept.map(|(a, d)| if a == first || a == second { 1 } else { d }))
            )
        }
        _ => Err(call.refuse(Fault::Value, "axis", Some(call.value(2)), "improper number of axes for norm")),
    }
}

/// `matrix_rank(M, rtol)`
pub(crate) fn matrix_rank(call: &mut Call<'_>) -> Out {
    let m = inexact(call, &call.array(0)?.into())?;
    if shape(call, &m)?.len() < 2 {
        let some = core!(call, "any", &core!(call, "not_equal", &m, 0)?)?;
        return core!(call, "astype", &some, Dtype::INT32);
    }
    let rank = match call.value(1) {
        Value::None => core!(call, "linalg.matrix_rank", &m),
        tolerance => core!(call, "linalg.matrix_rank", &m; rtol: tolerance),
    }?;
    super::support::places(call, rank)
}

/// `lstsq(a, b, rcond, numpy_resid)`: the solution of least squares, residuals, rank, singular values.
pub(crate) fn lstsq(call: &mut Call<'_>) -> Out {
    let a = inexact(call, &call.array(0)?.into())?;
    let b = inexact(call, &call.array(1)?.into())?;
    let (lengths, right) = (shape(call, &a)?, shape(call, &b)?);
    let (&[m, n], Some(&rows)) = (&lengths[..], right.first()) else {
        return Err(call.refuse(Fault::Type, "a", Some(&a), "a matrix is needed"));
    };
    if rows != m {
        return Err(call.refuse(
            Fault::Value,
            "b",
            Some(&b),
            "leading dimensions of input arrays must match",
        ));
    }
    let own = dtype(call, &a)?;
    let vector = right.len() == 1;
    let columns = if vector { core!(call, "expand_dims", &b, -1)? } else { b };
    let parts = core!(call, "linalg.svd", &a; full_matrices: false)?;
    let Some([u, s, vh]) = parts.items() else { return Ok(parts) };
    let tolerance = match call.value(2) {
        Value::None => m.max(n) as f64 * ivy_core::finfo(own)?.eps,
        _ => call.float(2)?,
    };
    let kept = core!(call, "greater", s, &core!(call, "multiply", &core!(call, "max", s)?, tolerance)?)?;
    let rank = super::support::places(call, core!(call, "sum", &kept)?)?;
    let safe = core!(call, "where", &kept, s, 1)?;
    let inverse = core!(call, "where", &kept, &core!(call, "divide", 1, &safe)?, 0)?;
    let turned = core!(call, "matmul", &adjoint(call, u)?, &columns)?;
    let scaled = core!(call, "multiply", &core!(call, "expand_dims", &inverse, -1)?, &turned)?;
    let x = core!(call, "matmul", &adjoint(call, vh)?, &scaled)?;
    let few = array(call, &rank)?.to_scalar()?.to_i128() < i128::from(n) || m <= n;
    let residuals = if call.flag(3)? && few {
        core!(call, "zeros", ints([0i64]); dtype: own)?
    } else {
        let apart = core!(call, "subtract", &columns, &core!(call, "matmul", &a, &x)?)?;
        core!(call, "sum", &core!(call, "square", &core!(call, "abs", &apart)?)?; axis: 0)?
    };
    let x = if vector { core!(call, "squeeze", &x, -1)? } else { x };
    Ok(Value::Tuple(vec![x, residuals, rank, s.clone().into_owned()]))
}

/// `tensorinv(a, ind)`
pub(crate) fn tensorinv(call: &mut Call<'_>) -> Out {
    let a = inexact(call, &call.array(0)?.into())?;
    let lengths = shape(call, &a)?;
    let ind = usize::try_from(call.int(1)?).ok().filter(|&i| i > 0 && i <= lengths.len());
    let ind = ind
        .ok_or_else(|| call.refuse(Fault::Value, "ind", Some(call.value(1)), "must be a positive integer"))?;
    let (first, last) = lengths.split_at(ind);
    if product(first) != product(last) {
        return Err(call.refuse(
            Fault::Value,
            "a",
            Some(&a),
            "the products of both parts of the shape differ",
        ));
    }
    let matrix = core!(call, "reshape", &a, ints([product(first), product(last)]))?;
    let inverse = core!(call, "linalg.inv", &matrix)?;
    core!(call, "reshape", &inverse, ints(last.iter().chain(first).copied()))
}

/// `tensorsolve(a, b)`
pub(crate) fn tensorsolve(call: &mut Call<'_>) -> Out {
    let a = inexact(call, &call.array(0)?.into())?;
    let b = inexact(call, &call.array(1)?.into())?;
    let (lengths, right) = (shape(call, &a)?, shape(call, &b)?);
    let rest = lengths.get(right.len()..).unwrap_or_default().to_vec();
    let count = product(&right);
    let matrix = core!(call, "reshape", &a, ints([count, product(&rest)]))?;
    let vector = core!(call, "reshape", &b, ints([count]))?;
    core!(call, "reshape", &core!(call, "linalg.solve", &matrix, &vector)?, ints(rest))
}

/// `batch_matmul(lhs, rhs)`
pub(crate) fn batch_matmul(call: &mut Call<'_>) -> Out {
    let (a, b) = pair(call, 0, 2)?;
    let ranks = (shape(call, &a)?.len(), shape(call, &b)?.len());
    if ranks.0 < 2 || ranks.0 != ranks.1 {
        return Err(call.refuse(
            Fault::Value,
            "lhs",
            Some(&a),
            "arguments of one rank, at least 2, are needed",
        ));
    }
    core!(call, "matmul", &a, &b)
}

/// `dot(lhs, rhs, dimension_numbers, preferred_element_type)`
pub(crate) fn dot(call: &mut Call<'_>) -> Out {
    if !call.value(2).is_none() {
        return general(call);
    }
    let (a, b) = pair(call, 0, 3)?;
    let (p, q) = (shape(call, &a)?, shape(call, &b)?);
    let fits = (1..=2).contains(&p.len()) && (1..=2).contains(&q.len()) && p.last() == q.first();
    if !fits {
        let rule = "vectors or matrices whose inner lengths agree are needed";
        return Err(call.refuse(Fault::Value, "lhs", Some(&a), rule));
    }
    core!(call, "matmul", &a, &b)
}

/// `dot_general(lhs, rhs, ((contracted, contracted), (batch, batch)), preferred_element_type)`
pub(crate) fn general(call: &mut Call<'_>) -> Out {
    let (a, b) = pair(call, 0, 3)?;
    let ranks = [shape(call, &a)?.len(), shape(call, &b)?.len()];
    let numbers = call.value(2);
    let wrong = || {
        call.refuse(Fault::Type, "dimension_numbers", Some(numbers), "two pairs of lists of axes are needed")
    };
    let list = |pair: usize, side: usize| -> Result<Vec<usize>> {
        let pair = numbers.items().and_then(|all| all.get(pair)).and_then(Value::items).ok_or_else(wrong)?;
        let axes = pair.get(side).and_then(Value::items).ok_or_else(wrong)?;
        let of = |v: &Value<'_>| {
            v.as_scalar().ok_or_else(wrong).and_then(|s| axis(call, s.to_i128() as i64, ranks[side]))
        };
        axes.iter().map(of).collect()
    };
    // A letter an axis: those of batches and those that are summed are shared.
    let contracted = [list(0, 0)?, list(0, 1)?];
    let batch = [list(1, 0)?, list(1, 1)?];
    if contracted[0].len() != contracted[1].len() || batch[0].len() != batch[1].len() {
        return Err(wrong());
    }
    let lengths = [shape(call, &a)?, shape(call, &b)?];
    let alike = |pair: &[Vec<usize>; 2]| {
        let mut places = pair[0].iter().zip(&pair[1]);
        places.all(|(&i, &j)| lengths[0][i] == lengths[1][j])
    };
    if !alike(&contracted) || !alike(&batch) {
        let rule = "contracted axes, and those of batches, have one length in both";
        return Err(call.refuse(Fault::Type, "dimension_numbers", Some(numbers), rule));
    }
    let mut letters = ('a'..='z').chain('A'..='Z');
    let mut name = || letters.next().ok_or_else(wrong);
    let mut names = [vec![None; ranks[0]], vec![None; ranks[1]]];
    let mut result = String::new();
    for (&i, &j) in batch[0].iter().zip(&batch[1]) {
        let letter = name()?;
        (names[0][i], names[1][j]) = (Some(letter), Some(letter));
        result.push(letter);
    }
    for (&i, &j) in contracted[0].iter().zip(&contracted[1]) {
        let letter = name()?;
        (names[0][i], names[1][j]) = (Some(letter), Some(letter));
    }
    for side in &mut names {
        for slot in side.iter_mut().filter(|slot| slot.is_none()) {
            let letter = name()?;
            *slot = Some(letter);
            result.push(letter);
        }
    }
    let text = |side: &[Option<char>]| side.iter().flatten().collect::<String>();
    let equation = format!("{},{}->{result}", text(&names[0]), text(&names[1]));
    // Sums of products keep the dtype that the operands have in common.
    let common = core!(call, "result_type", &a, &b)?;
    core!(call, "astype", &call.core("einsum", &[a, b], kw! { equation: equation })?, &common)
}
