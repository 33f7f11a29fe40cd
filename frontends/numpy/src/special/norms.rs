//! Norms and what is made of them.

use super::help::{Out, axes, axes_in, flag, flat, floats, sum_over, value_error};
use super::linalg::matrix_error;
use ivy_core::functional as f;
use ivy_core::functional::linalg::VectorNorm;
use ivy_core::functional::{Reduce, Sum};
use ivy_core::{Array, Result, finfo};
use ivy_frontend::{Call, Value};

/// An order of a norm.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    Number(f64),
    Frobenius,
    Nuclear,
}

fn order_of(call: &Call<'_>, i: usize) -> Result<Option<Order>> {
    Ok(match call.value(i) {
        Value::None => None,
        Value::Text(name) if name == "fro" => Some(Order::Frobenius),
        Value::Text(name) if name == "nuc" => Some(Order::Nuclear),
        Value::Text(_) => return Err(value_error(call, "ord", "Invalid norm order for matrices.")),
        _ => Some(Order::Number(call.float(i)?)),
    })
}

/// The norm of vectors along an axis.
fn of_vectors(x: &Array, order: f64, axis: usize, keepdims: bool) -> Result<Array> {
    if order == f64::INFINITY && x.shape()[axis] == 0 {
        return root_of_squares(x, &[axis], keepdims);
    }
    let params = VectorNorm::new().axis(axis as i64).ord(order);
    f::linalg::vector_norm(x, if keepdims { params.keepdims() } else { params })
}

/// The square root of the sum of squares over axes.
fn root_of_squares(x: &Array, places: &[usize], keepdims: bool) -> Result<Array> {
    let squares = if x.dtype().is_complex() {
        f::add(f::square(f::real(x))?, f::square(f::imag(x))?)?
    } else {
        f::square(x)?
    };
    f::sqrt(f::sum(squares, sum_over(Some(axes(places)), None, keepdims))?)
}

/// The norm of matrices, whose axes are the last two.
fn of_matrices(call: &Call<'_>, x: &Array, order: Order) -> Result<Array> {
    let magnitude = || f::abs(x);
    let sums = |axis: i64| f::sum(magnitude()?, Sum::new().axis(axis));
    // Of no numbers the greatest magnitude is 0.
    let greatest = |x: Array| match x.shape().last() {
        Some(0) => f::sum(x, Sum::new().axis(-1)),
        _ => f::max(x, Reduce::new().axis(-1)),
    };
    let least = |x: Array| f::min(x, Reduce::new().axis(-1));
    let singular = || f::linalg::svdvals(x);
    match order {
        Order::Frobenius => root_of_squares(x, &[x.ndim() - 2, x.ndim() - 1], false),
        Order::Nuclear => f::sum(singular()?, Sum::new().axis(-1)),
        Order::Number(p) => match p {
            1.0 => greatest(sums(-2)?),
            -1.0 => least(sums(-2)?),
            2.0 => greatest(singular()?),
            -2.0 => least(singular()?),
            f64::INFINITY => greatest(sums(-1)?),
            f64::NEG_INFINITY => least(sums(-1)?),
            _ => Err(value_error(call, "ord", "Invalid norm order for matrices.")),
        },
    }
}

/// `x ord axis keepdims`
pub fn norm(call: &mut Call<'_>) -> Out {
    let x = floats(call.array(0)?)?;
    let (order, keepdims) = (order_of(call, 1)?, flag(call, 3)?);
    let given = call.ints(2)?;
    let by_default = match order {
        None => true,
        Some(Order::Frobenius) => x.ndim() == 2,
        Some(Order::Number(p)) => p == 2.0 && x.ndim() == 1,
        Some(Order::Nuclear) => false,
    };
    if given.is_none() && by_default {
        let found = root_of_squares(&flat(&x)?, &[0], false)?;
        return Ok(if keepdims { f::reshape(found, vec![1; x.ndim()], ())? } else { found }.into());
    }
    let places = axes_in(call, given, x.ndim())?;
    match (&places[..], order) {
        (&[axis], None) => Ok(root_of_squares(&x, &[axis], keepdims)?.into()),
        (&[axis], Some(Order::Number(p))) => Ok(of_vectors(&x, p, axis, keepdims)?.into()),
        ([_], Some(_)) => Err(value_error(call, "ord", "Invalid norm order for vectors")),
        (&[rows, columns], order) => {
            let moved = f::moveaxis(&x, [rows as i64, columns as i64], [-2, -1])?;
            let mut found = of_matrices(call, &moved, order.unwrap_or(Order::Frobenius))?;
            if keepdims {
                let (low, high) = (rows.min(columns), rows.max(columns));
                found = f::expand_dims(f::expand_dims(found, low as i64)?, high as i64)?;
            }
            Ok(found.into())
        }
        _ => Err(value_error(call, "axis", "Improper number of dimensions to norm.")),
    }
}

/// `x p`: how much the solution of equations changes with their right side.
pub fn cond(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let found = conditions(call, &x)?;
    // Of numbers a condition that is NaN has no bound: that of zeros.
    let matrix = || Reduce::new().axis([-2, -1]);
    let numbers = f::logical_not(f::any(f::isnan(&x)?, matrix())?)?;
    Ok(f::where_(f::logical_and(f::isnan(&found)?, numbers)?, f64::INFINITY, found)?.into())
}

/// The conditions of matrices, by an order.
fn conditions(call: &Call<'_>, x: &Array) -> Result<Array> {
    if x.ndim() < 2 || x.shape().iter().rev().take(2).any(|&d| d == 0) {
        return Err(matrix_error(call, "x", "cond is not defined on empty arrays, and matrices are needed"));
    }
    let order = order_of(call, 1)?;
    let by_values = matches!(order, None | Some(Order::Number(2.0 | -2.0)));
    let found = if by_values {
        let singular = f::linalg::svdvals(x)?;
        let (most, least) =
            (f::max(&singular, Reduce::new().axis(-1))?, f::min(&singular, Reduce::new().axis(-1))?);
        if order == Some(Order::Number(-2.0)) { f::divide(least, most)? } else { f::divide(most, least)? }
    } else {
        let order = order.unwrap_or(Order::Frobenius);
        match f::linalg::inv(x) {
            Ok(inverse) => f::multiply(of_matrices(call, x, order)?, of_matrices(call, &inverse, order)?)?,
            // Some of several have an inverse: each by itself.
            Err(error) if is_singular(&error) && x.ndim() > 2 => {
                let each =
                    f::unstack(x, ())?.iter().map(|x| conditions(call, x)).collect::<Result<Vec<_>>>()?;
                f::stack(&each, ())?
            }
            // Without an inverse the number has no bound.
            Err(error) if is_singular(&error) => {
                f::add(f::multiply(of_matrices(call, x, order)?, 0.0)?, f64::INFINITY)?
            }
            Err(error) => return Err(error),
        }
    };
    Ok(found)
}

fn is_singular(error: &ivy_core::Error) -> bool {
    matches!(error.kind(), ivy_core::ErrorKind::SingularMatrix { .. })
}

/// `A tol rtol`: how many singular values are above a bound.
pub fn matrix_rank(call: &mut Call<'_>) -> Out {
    let x = floats(call.array(0)?)?;
    if x.ndim() < 2 {
        return Ok(i64::from(super::help::occurs(f::not_equal(x, 0))?).into());
    }
    let singular = f::linalg::svdvals(&x)?;
    if singular.shape().last() == Some(&0) {
        return Ok(f::sum(f::astype(singular, ivy_core::Dtype::INT64)?, Sum::new().axis(-1))?.into());
    }
    let bound = match (call.value(1), call.value(2)) {
        (Value::None, rtol) => {
            let greatest = f::max(&singular, Reduce::new().axis(-1).keepdims())?;
            let share = match rtol {
                Value::None => {
                    let d = x.shape();
                    let most = d[d.len() - 1].max(d[d.len() - 2]) as f64;
                    call.make_array(&Value::Float(most * finfo(x.dtype().real_part())?.eps), None)?
                }
                _ => call.array(2)?,
            };
            let share = if share.ndim() > 0 { f::expand_dims(share, -1)? } else { share };
            f::multiply(greatest, share)?
        }
        (_, Value::None) => {
            let bound = call.array(1)?;
            if bound.ndim() > 0 { f::expand_dims(bound, -1)? } else { bound }
        }
        _ => return Err(value_error(call, "tol", "`tol` and `rtol` can't be both set.")),
    };
    let counts = f::astype(f::greater(singular, bound)?, ivy_core::Dtype::INT64)?;
    Ok(f::sum(counts, Sum::new().axis(-1))?.into())
}
