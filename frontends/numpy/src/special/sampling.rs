//! Random integers, choices, orders, and draws of several numbers at once.

use super::distributions::{normal, uniform};
use super::help::{Out, axis_in, flat, floats, lengths, occurs, reals, type_error, value_error};
use super::random::{Source, size_of};
use ivy_core::functional as f;
use ivy_core::functional::{Choice, Dirichlet, Shuffle, Sort, TakeAlongAxis};
use ivy_core::{Array, Dtype, Shape};
use ivy_frontend::{Call, Keywords, Value};

/// A generator, `low high size dtype endpoint`
pub fn integers(call: &mut Call<'_>) -> Out {
    let source = Source::of(call, 0)?;
    let dtype = call.dtype(4)?.unwrap_or(Dtype::INT64);
    let Some((least, most)) = dtype.int_range().or(dtype.is_bool().then_some((0, 1))) else {
        return Err(type_error(call, "dtype", format!("Unsupported dtype {dtype} for integers")));
    };
    let bounds = |i: usize| f::astype(call.array(i)?, Dtype::INT64);
    let (low, high) = match call.value(2).is_none() {
        true => (f::zeros([], f::Filled::new().dtype(Dtype::INT64))?, bounds(1)?),
        false => (bounds(1)?, bounds(2)?),
    };
    let last = if call.flag(5)? { high } else { f::subtract(high, 1)? };
    let outside = |x: &Array| {
        occurs(f::logical_or(f::less(x, least as i64), f::greater(x, most.min(i64::MAX.into()) as i64)))
    };
    if outside(&low)? {
        return Err(value_error(call, "low", format!("low is out of bounds for {dtype}")));
    }
    if outside(&last)? && !occurs(f::greater(&low, &last))? {
        return Err(value_error(call, "high", format!("high is out of bounds for {dtype}")));
    }
    if occurs(f::greater(&low, &last))? {
        return Err(value_error(call, "low", "low >= high"));
    }
    let both = f::broadcast_arrays([&low, &last])?;
    let shape = match size_of(call, 3)? {
        Some(size) => size,
        None => both[0].shape().clone(),
    };
    if both[0].size() == 1 {
        // One interval: the integers of the core, without a bias.
        let (first, last) = (super::help::integers(&low)?[0], super::help::integers(&last)?[0]);
        let mut params = f::RandInt::new().shape(shape).dtype(Dtype::INT64);
        params.seed = source.draw();
        return Ok(f::astype(f::randint(first, last + 1, params)?, dtype)?.into());
    }
    let drawn = uniform(&source, &shape, Dtype::FLOAT64)?;
    let count = f::add(f::subtract(&both[1], &both[0])?, 1)?;
    let drawn = f::floor(f::multiply(drawn, f::astype(&count, Dtype::FLOAT64)?)?)?;
    let within = f::minimum(f::astype(drawn, Dtype::INT64)?, f::subtract(count, 1)?)?;
    Ok(f::astype(f::add(within, &both[0])?, dtype)?.into())
}

/// A generator, `a size replace p axis`
pub fn choice(call: &mut Call<'_>) -> Out {
    let source = Source::of(call, 0)?;
    let given = call.array(1)?;
    let from = match given.ndim() {
        0 => {
            let count = call.int(1)?;
            if count <= 0 && size_of(call, 2)?.is_none_or(|s| s.size() > 0) {
                return Err(value_error(
                    call,
                    "a",
                    "a must be a positive integer unless no samples are taken",
                ));
            }
            f::arange(count.max(0), ())?
        }
        _ => given,
    };
    let axis = axis_in(call, call.int(5)?, from.ndim())?;
    let parts = from.shape()[axis];
    let size = size_of(call, 2)?;
    let shape = size.clone().unwrap_or_default();
    let count = shape.size();
    if parts == 0 && count > 0 {
        return Err(value_error(call, "a", "a cannot be empty unless no samples are taken"));
    }
    let replace = call.flag(3)?;
    let mut params = Choice::new().size(shape).replace(replace).axis(axis as i64);
    params.seed = source.draw();
    if !call.value(4).is_none() {
        let p = f::astype(call.array(4)?, Dtype::FLOAT64)?;
        if p.ndim() != 1 || p.size() != parts {
            return Err(value_error(call, "p", "a and p must have same size"));
        }
        let chances = reals(&p)?;
        if chances.iter().any(|x| x.is_nan() || *x < 0.0) {
            return Err(value_error(call, "p", "probabilities are not non-negative"));
        }
        if (chances.iter().sum::<f64>() - 1.0).abs() > 1e-8 {
            return Err(value_error(call, "p", "probabilities do not sum to 1"));
        }
        if !replace && chances.iter().filter(|x| **x > 0.0).count() < count {
            return Err(value_error(call, "p", "Fewer non-zero entries in p than size"));
        }
        params = params.p(p);
    }
    if !replace && count > parts {
        return Err(value_error(
            call,
            "size",
            "Cannot take a larger sample than population when replace is False",
        ));
    }
    Ok(f::choice(&from, params)?.into())
}

fn shuffled(source: &Source<'_>, axis: i64) -> Shuffle {
    let mut params = Shuffle::new().axis(axis);
    params.seed = source.draw();
    params
}

/// A generator, `x axis`: the parts of an array, or the numbers below one, in a random order.
pub fn permutation(call: &mut Call<'_>) -> Out {
    let source = Source::of(call, 0)?;
    let x = match call.value(1) {
        Value::Int(_) => f::arange(call.int(1)?, ())?,
        Value::Float(_) => {
            return Err(type_error(call, "x", "x must be an integer or at least 1-dimensional"));
        }
        _ => call.array(1)?,
    };
    let axis = axis_in(call, call.int(2)?, x.ndim())? as i64;
    Ok(f::shuffle(&x, shuffled(&source, axis))?.into())
}

/// A generator, `x axis`
pub fn shuffle(call: &mut Call<'_>) -> Out {
    permutation(call)
}

/// A generator, `x axis`: each line along the axis in an order of its own; all elements in one for `None`.
pub fn permuted(call: &mut Call<'_>) -> Out {
    let source = Source::of(call, 0)?;
    let x = call.array(1)?;
    if call.value(2).is_none() {
        let turned = f::shuffle(flat(&x)?, shuffled(&source, 0))?;
        return Ok(f::reshape(turned, lengths(x.shape()), ())?.into());
    }
    let axis = axis_in(call, call.int(2)?, x.ndim())? as i64;
    let order = f::argsort(uniform(&source, x.shape(), Dtype::FLOAT64)?, Sort::new().axis(axis))?;
    Ok(f::take_along_axis(&x, order, TakeAlongAxis::new().axis(axis))?.into())
}

/// A generator, `n pvals size`: each count is a binomial one of what the counts before left.
pub fn multinomial(call: &mut Call<'_>) -> Out {
    let n = f::astype(call.array(1)?, Dtype::INT64)?;
    let chances = reals(&call.array(2)?)?;
    if occurs(f::less(&n, 0))? {
        return Err(value_error(call, "n", "n < 0"));
    }
    if chances.iter().any(|p| !(0.0..=1.0).contains(p)) {
        return Err(value_error(call, "pvals", "pvals < 0, pvals > 1 or pvals contains NaNs"));
    }
    let Some((_, before_last)) = chances.split_last() else {
        return Err(value_error(
            call,
            "pvals",
            "pvals must have at least 1 dimension and the last dimension of pvals must be greater than 0.",
        ));
    };
    if before_last.iter().sum::<f64>() > 1.0 + 1e-12 {
        return Err(value_error(call, "pvals", "sum(pvals[:-1]) > 1.0"));
    }
    let shape = match size_of(call, 3)? {
        Some(size) => size,
        None => n.shape().clone(),
    };
    let mut left = f::broadcast_to(&n, shape.clone())?;
    let mut counts = Vec::with_capacity(chances.len());
    let mut rest = 1.0;
    for p in before_last {
        let share = if rest > 0.0 { (p / rest).clamp(0.0, 1.0) } else { 0.0 };
        let given = [call.value(0).borrowed(), Value::from(&left), Value::Float(share)];
        let drawn = call.row("random.Generator.binomial", &given, Keywords::new());
        let drawn = match call.value(0) {
            Value::None => call.row("random.binomial", &given[1..], Keywords::new())?,
            _ => drawn?,
        };
        let count = call.to_array(&drawn)?;
        left = f::subtract(left, &count)?;
        counts.push(count);
        rest -= p;
    }
    counts.push(left);
    Ok(f::stack(&counts, f::Stack::new().axis(-1))?.into())
}

/// A generator, `alpha size`
pub fn dirichlet(call: &mut Call<'_>) -> Out {
    let source = Source::of(call, 0)?;
    let alpha = f::astype(call.array(1)?, Dtype::FLOAT64)?;
    if occurs(f::less(&alpha, 0))? {
        return Err(value_error(call, "alpha", "alpha < 0"));
    }
    let size = size_of(call, 2)?.unwrap_or_default();
    let mut params = Dirichlet::new().size(size).dtype(Dtype::FLOAT64);
    params.seed = source.draw();
    Ok(f::dirichlet(&alpha, params)?.into())
}

/// A generator, `mean cov size`: of the root of the covariances by their eigenvalues, which may be 0.
pub fn multivariate_normal(call: &mut Call<'_>) -> Out {
    let source = Source::of(call, 0)?;
    let (mean, cov) = (floats(call.array(1)?)?, floats(call.array(2)?)?);
    if mean.ndim() != 1 {
        return Err(value_error(call, "mean", "mean must be 1 dimensional"));
    }
    if cov.ndim() != 2 || cov.shape()[0] != cov.shape()[1] {
        return Err(value_error(call, "cov", "cov must be 2 dimensional and square"));
    }
    if mean.size() != cov.shape()[0] {
        return Err(value_error(call, "mean", "mean and cov must have same length"));
    }
    let size = size_of(call, 3)?.unwrap_or_default();
    let shape: Shape = size.iter().copied().chain([mean.size()]).collect();
    let z = normal(&source, &shape, Dtype::FLOAT64)?;
    let parts = f::linalg::eigh(f::astype(&cov, Dtype::FLOAT64)?)?;
    let root = f::multiply(&parts.eigenvectors, f::sqrt(f::maximum(&parts.eigenvalues, 0)?)?)?;
    let apart = f::matmul(z, f::matrix_transpose(root)?)?;
    Ok(f::add(apart, f::astype(mean, Dtype::FLOAT64)?)?.into())
}
