//! Products over axes.

use super::help::{Out, at_least_one, axis_in, lengths, type_error, value_error};
use ivy_core::functional as f;
use ivy_core::functional::Sum;
use ivy_core::functional::linalg::Cross;
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::{Call, Value};

/// Two arguments as arrays, in a dtype if one is given.
fn pair(call: &Call<'_>, dtype: usize) -> Result<(Array, Array)> {
    let (x, y) = (call.array(0)?, call.array(1)?);
    Ok(match call.dtype(dtype)? {
        Some(dtype) => (f::astype(x, dtype)?, f::astype(y, dtype)?),
        None => (x, y),
    })
}

/// The product of matrices; of truth values whether any pair holds.
fn product(x: &Array, y: &Array) -> Result<Array> {
    if x.dtype().is_bool() && y.dtype().is_bool() {
        let count = f::matmul(f::astype(x, Dtype::INT64)?, f::astype(y, Dtype::INT64)?)?;
        return f::not_equal(count, 0);
    }
    f::matmul(x, y)
}

/// `x1 x2 dtype`
pub fn matmul(call: &mut Call<'_>) -> Out {
    let (x, y) = pair(call, 2)?;
    if x.ndim() == 0 || y.ndim() == 0 {
        return Err(value_error(call, "x2", "matmul: Input operand does not have enough dimensions"));
    }
    Ok(product(&x, &y)?.into())
}

/// `x1 x2 dtype axis`
pub fn vecdot(call: &mut Call<'_>) -> Out {
    let (x, y) = pair(call, 2)?;
    if x.ndim() == 0 || y.ndim() == 0 {
        return Err(value_error(call, "x2", "vecdot: Input operand does not have enough dimensions"));
    }
    let axis = call.int(3)?;
    let last = |x: &Array| -> Result<Array> {
        let at = axis_in(call, axis, x.ndim())? as i64;
        f::moveaxis(x, at, -1)
    };
    let (x, y) = (last(&x)?, last(&y)?);
    if x.shape().last() != y.shape().last() {
        return Err(value_error(
            call,
            "x2",
            "vecdot: Input operand 1 has a mismatch in its core dimension 0",
        ));
    }
    let x = if x.dtype().is_complex() { f::conj(x)? } else { x };
    Ok(contracted(&x, &y)?.into())
}

/// The sums of products along the last axis, in the dtype of the products.
fn contracted(x: &Array, y: &Array) -> Result<Array> {
    let row = f::expand_dims(x, -2)?;
    let column = f::expand_dims(y, -1)?;
    let found = product(&row, &column)?;
    f::squeeze(found, [-2, -1])
}

/// `x1 x2 dtype`
pub fn matvec(call: &mut Call<'_>) -> Out {
    let (x, y) = pair(call, 2)?;
    if x.ndim() < 2 || y.ndim() < 1 {
        return Err(value_error(call, "x1", "matvec: Input operand does not have enough dimensions"));
    }
    Ok(f::squeeze(product(&x, &f::expand_dims(&y, -1)?)?, -1)?.into())
}

/// `x1 x2 dtype`
pub fn vecmat(call: &mut Call<'_>) -> Out {
    let (x, y) = pair(call, 2)?;
    if x.ndim() < 1 || y.ndim() < 2 {
        return Err(value_error(call, "x1", "vecmat: Input operand does not have enough dimensions"));
    }
    let x = if x.dtype().is_complex() { f::conj(x)? } else { x };
    Ok(f::squeeze(product(&f::expand_dims(&x, -2)?, &y)?, -2)?.into())
}

/// `a b`: the last axis of one with the last but one of the other.
pub fn dot(call: &mut Call<'_>) -> Out {
    let (x, y) = (call.array(0)?, call.array(1)?);
    if x.ndim() == 0 || y.ndim() == 0 {
        return Ok(f::multiply(&x, &y)?.into());
    }
    if x.ndim() <= 2 && y.ndim() <= 2 {
        return Ok(product(&x, &y)?.into());
    }
    let to = y.ndim().saturating_sub(2);
    Ok(contract(call, &x, &y, &[x.ndim() - 1], &[to])?.into())
}

/// `a b`: the last axis of both.
pub fn inner(call: &mut Call<'_>) -> Out {
    let (x, y) = (call.array(0)?, call.array(1)?);
    if x.ndim() == 0 || y.ndim() == 0 {
        return Ok(f::multiply(&x, &y)?.into());
    }
    Ok(contract(call, &x, &y, &[x.ndim() - 1], &[y.ndim() - 1])?.into())
}

/// Sums of products over pairs of axes; the others of the first come first.
fn contract(call: &Call<'_>, x: &Array, y: &Array, from: &[usize], to: &[usize]) -> Result<Array> {
    let fits = |(&a, &b): (&usize, &usize)| x.shape()[a] == y.shape()[b];
    if from.len() != to.len() || !from.iter().zip(to).all(fits) {
        return Err(value_error(call, "axes", "shape-mismatch for sum"));
    }
    let others = |x: &Array, axes: &[usize]| (0..x.ndim()).filter(|a| !axes.contains(a)).collect::<Vec<_>>();
    let (left, right) = (others(x, from), others(y, to));
    let order = |first: &[usize], second: &[usize]| {
        first.iter().chain(second).map(|&a| a as i64).collect::<Vec<i64>>()
    };
    let size = |x: &Array, axes: &[usize]| axes.iter().map(|&a| x.shape()[a] as i64).product::<i64>();
    let x2 = f::reshape(f::permute_dims(x, order(&left, from))?, [size(x, &left), size(x, from)], ())?;
    let y2 = f::reshape(f::permute_dims(y, order(to, &right))?, [size(y, to), size(y, &right)], ())?;
    let shape = left.iter().map(|&a| x.shape()[a]).chain(right.iter().map(|&a| y.shape()[a]));
    f::reshape(product(&x2, &y2)?, shape.map(|d| d as i64).collect::<Vec<i64>>(), ())
}

/// `a b axes`
pub fn tensordot(call: &mut Call<'_>) -> Out {
    let (x, y) = (call.array(0)?, call.array(1)?);
    let (from, to) = match call.value(2).items() {
        Some([from, to]) => {
            let places = |value: &Value<'_>, x: &Array| -> Result<Vec<usize>> {
                call.to_ints(value)?
                    .unwrap_or_default()
                    .into_iter()
                    .map(|a| axis_in(call, a, x.ndim()))
                    .collect()
            };
            (places(from, &x)?, places(to, &y)?)
        }
        Some(_) => return Err(value_error(call, "axes", "a pair of lists of axes is needed")),
        None => {
            let count = usize::try_from(call.int(2)?).unwrap_or(0);
            if count > x.ndim() || count > y.ndim() {
                return Err(value_error(call, "axes", "shape-mismatch for sum"));
            }
            ((x.ndim() - count..x.ndim()).collect(), (0..count).collect())
        }
    };
    Ok(contract(call, &x, &y, &from, &to)?.into())
}

/// Operands after an equation, or each before the list of its axes; and the keyword arguments.
pub fn einsum(call: &mut Call<'_>) -> Out {
    let items = call.value(0).items().unwrap_or_default();
    let (equation, arrays) = match items.split_first() {
        Some((Value::Text(equation), rest)) => {
            (equation.to_string(), rest.iter().map(|x| call.to_array(x)).collect::<Result<Vec<_>>>()?)
        }
        _ => by_numbers(call, items)?,
    };
    let mut dtype = arrays.iter().skip(1).try_fold(arrays.first().map(Array::dtype), |d, x| {
        d.map(|d| f::result_type([d, x.dtype()])).transpose()
    })?;
    if let Value::Dict(entries) = call.value(1) {
        for (name, value) in entries {
            match name.as_str() {
                "dtype" => {
                    dtype = call.to_dtype(value)?.or(dtype);
                }
                "order" | "casting" => {}
                _ => return Err(type_error(call, name, "it is no argument of the function")),
            }
        }
    }
    let arrays = match dtype {
        Some(dtype) => arrays.iter().map(|x| f::astype(x, dtype)).collect::<Result<Vec<_>>>()?,
        None => arrays,
    };
    Ok(f::einsum(equation, &arrays)?.into())
}

/// Operands, each before the list of its axes, and the axes of the result, if they are given.
fn by_numbers(call: &Call<'_>, items: &[Value<'_>]) -> Result<(String, Vec<Array>)> {
    let letters = |value: &Value<'_>| -> Result<String> {
        let one = |item: &Value<'_>| match item {
            Value::Ellipsis => Ok("...".to_string()),
            Value::Int(i) if (0..52).contains(i) => {
                let letter = if *i < 26 { b'A' + *i as u8 } else { b'a' + (*i - 26) as u8 };
                Ok(char::from(letter).to_string())
            }
            other => Err(value_error(call, "operands", format!("{} is no axis", other.told()))),
        };
        let list = value.items().ok_or_else(|| value_error(call, "operands", "a list of axes is needed"))?;
        list.iter().map(one).collect()
    };
    let mut arrays = Vec::new();
    let mut parts = Vec::new();
    let mut pairs = items.chunks_exact(2);
    for pair in &mut pairs {
        arrays.push(call.to_array(&pair[0])?);
        parts.push(letters(&pair[1])?);
    }
    let mut equation = parts.join(",");
    if let [result] = pairs.remainder() {
        equation = format!("{equation}->{}", letters(result)?);
    }
    Ok((equation, arrays))
}

/// `a b`: the product of each element with the whole other array.
pub fn kron(call: &mut Call<'_>) -> Out {
    let (x, y) = (call.array(0)?, call.array(1)?);
    let ndim = x.ndim().max(y.ndim());
    let padded = |x: &Array| -> Vec<i64> {
        std::iter::repeat_n(1, ndim - x.ndim()).chain(lengths(x.shape())).collect()
    };
    let (a, b) = (padded(&x), padded(&y));
    let spread = |d: &[i64], first: bool| -> Vec<i64> {
        d.iter().flat_map(|&n| if first { [n, 1] } else { [1, n] }).collect()
    };
    let both = f::multiply(f::reshape(&x, spread(&a, true), ())?, f::reshape(&y, spread(&b, false), ())?)?;
    let shape: Vec<i64> = a.iter().zip(&b).map(|(m, n)| m * n).collect();
    Ok(f::reshape(both, shape, ())?.into())
}

/// `a b axisa axisb axisc axis`: of vectors of three numbers, or of two whose third is 0.
pub fn cross(call: &mut Call<'_>) -> Out {
    let (x, y) = (at_least_one(call.array(0)?)?, at_least_one(call.array(1)?)?);
    let axis = |i: usize| if call.value(5).is_none() { call.int(i) } else { call.int(5) };
    let (x, y) = {
        let (from, to) = (axis_in(call, axis(2)?, x.ndim())?, axis_in(call, axis(3)?, y.ndim())?);
        (f::moveaxis(&x, from as i64, -1)?, f::moveaxis(&y, to as i64, -1)?)
    };
    let length = |x: &Array| x.shape().last().copied().unwrap_or(0);
    if !matches!((length(&x), length(&y)), (2 | 3, 2 | 3)) {
        return Err(value_error(
            call,
            "a",
            "incompatible dimensions for cross product (dimension must be 2 or 3)",
        ));
    }
    let dtype = f::result_type([x.dtype(), y.dtype()])?;
    let third = |x: Array| -> Result<Array> {
        if length(&x) == 3 {
            return f::astype(x, dtype);
        }
        let mut shape: Vec<usize> = x.shape().iter().copied().collect();
        let last = shape.len() - 1;
        shape[last] = 1;
        let nothing = f::zeros(shape, f::Filled::new().dtype(dtype))?;
        f::concat([f::astype(x, dtype)?, nothing], f::Concat::new().axis(-1))
    };
    let flat_result = length(&x) == 2 && length(&y) == 2;
    let both = f::broadcast_arrays([third(x)?, third(y)?])?;
    let found = f::linalg::cross(&both[0], &both[1], Cross::new().axis(-1))?;
    if flat_result {
        return Ok(f::sum(
            super::help::cut(&found, found.ndim() - 1, Some(2), None)?,
            Sum::new().axis(-1).dtype(dtype),
        )?
        .into());
    }
    let to = axis_in(call, axis(4)?, found.ndim())?;
    Ok(f::moveaxis(&found, -1, to as i64)?.into())
}
