//! Products of vectors, diagonals, norms, powers and ranks.

use super::dd::Dd;
use super::dense::Dense;
use super::num::{Num, wrap};
use super::value::Value;
use super::{Call, Tensor, Truth, axis, broadcast, elementwise, indices, place, spread};
use ivy_core::function::ParamValue;
use ivy_core::{Dtype, finfo};

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    let (shape, data) = match call.function {
        "outer" => outer(call)?,
        "cross" => cross(call)?,
        "diagonal" => {
            let x = call.given(0)?;
            let (shape, places) = diagonal(call, &x);
            return Some(vec![call.exact(shape, places.iter().flatten().map(|&p| x.data[p]).collect())]);
        }
        "trace" => trace(call)?,
        "matrix_norm" => matrix_norm(call)?,
        "vector_norm" => vector_norm(call)?,
        "matrix_power" => power(call)?,
        "matrix_rank" => rank(call)?,
        _ => return None,
    };
    Some(vec![Truth { dtype: call.output(0), shape, data }])
}

type Elements = (Vec<usize>, Vec<Value>);

fn outer(call: &Call<'_>) -> Option<Elements> {
    let (a, b) = (call.operand(0)?, call.operand(1)?);
    let mut data = Vec::new();
    for &x in &a.data {
        for &y in &b.data {
            data.push(elementwise::binary("multiply", x, y, call.compute)?);
        }
    }
    Some((vec![a.data.len(), b.data.len()], data))
}

fn cross(call: &Call<'_>) -> Option<Elements> {
    let (a, b) = (call.operand(0)?, call.operand(1)?);
    let at = call.int("axis").unwrap_or(-1);
    let from_end = if at < 0 { at } else { at - a.shape.len() as i64 };
    let shape = broadcast(&[&a.shape, &b.shape])?;
    let along = axis(from_end, shape.len());
    let (of_a, of_b) = (spread(&a.shape, &shape), spread(&b.shape, &shape));
    let value = |index: Vec<usize>| {
        let part = |t: &Tensor, of: &[usize], i: usize| {
            let mut index = index.clone();
            index[along] = i % 3;
            t.data[of[place(&index, &shape)]]
        };
        let i = index[along];
        let (x, y) = (|k: usize| part(&a, &of_a, k), |k: usize| part(&b, &of_b, k));
        difference([x(i + 1), y(i + 2), x(i + 2), y(i + 1)], call.compute)
    };
    let data = indices(&shape).map(value).collect();
    Some((shape, data))
}

/// `a b - c d`.
fn difference([a, b, c, d]: [Num; 4], dtype: Dtype) -> Value {
    if dtype.is_int() {
        let product = |x: Num, y: Num| wrap(x.int().wrapping_mul(y.int()), dtype);
        return Value::int(wrap(product(a, b).wrapping_sub(product(c, d)), dtype));
    }
    let product = |x: Num, y: Num| {
        let d = |v: f64| Dd::from(v);
        let re = d(x.re()) * d(y.re()) - d(x.im()) * d(y.im());
        let im = d(x.re()) * d(y.im()) + d(x.im()) * d(y.re());
        (re, im, x.re().hypot(x.im()) * y.re().hypot(y.im()))
    };
    let (p, q) = (product(a, b), product(c, d));
    Value::sum(p.0 - q.0, p.1 - q.1, p.2 + q.2, 2)
}

/// The shape of a stack's diagonals, and where each one's elements stand.
fn diagonal(call: &Call<'_>, x: &Tensor) -> (Vec<usize>, Vec<Vec<usize>>) {
    let offset = call.int("offset").unwrap_or(0);
    let (lead, sides) = x.shape.split_at(x.shape.len() - 2);
    let (m, n) = (sides[0], sides[1]);
    let column = |i: usize| usize::try_from(i as i64 + offset).ok().filter(|&j| j < n);
    let within: Vec<usize> = (0..m).filter_map(|i| Some(i * n + column(i)?)).collect();
    let count: usize = lead.iter().product();
    let shape = [lead, &[within.len()]].concat();
    (shape, (0..count).map(|b| within.iter().map(|p| b * m * n + p).collect()).collect())
}

fn trace(call: &Call<'_>) -> Option<Elements> {
    let x = call.operand(0)?;
    let (mut shape, places) = diagonal(call, &x);
    shape.pop();
    let value = |places: &Vec<usize>| {
        let numbers = places.iter().map(|&p| x.data[p]);
        if call.compute.is_int() {
            return Value::int(numbers.fold(0, |s, v| wrap(s + v.int(), call.compute)));
        }
        let (mut re, mut im, mut mass) = (Dd::from(0.0), Dd::from(0.0), 0.0);
        for v in numbers {
            (re, im, mass) = (re + v.re().into(), im + v.im().into(), mass + v.magnitude());
        }
        Value::sum(re, im, mass, places.len())
    };
    Some((shape, places.iter().map(value).collect()))
}

/// The `ord=` argument, as a number where it is one.
fn order(call: &Call<'_>) -> Option<f64> {
    match call.keyword("ord") {
        Some(ParamValue::Int(i)) => Some(*i as f64),
        Some(ParamValue::Float(p)) => Some(*p),
        _ => None,
    }
}

fn greatest(values: impl Iterator<Item = f64>, largest: bool) -> f64 {
    values.reduce(|a, b| if (a > b) == largest { a } else { b }).unwrap_or(0.0)
}

fn matrix_norm(call: &Call<'_>) -> Option<Elements> {
    let x = call.operand(0)?;
    let nuclear = matches!(call.keyword("ord"), Some(ParamValue::Text(name)) if name == "nuc");
    let p = order(call);
    let norm = |a: &Dense| {
        let sums = |by_row: bool| -> Vec<f64> {
            let (outer, inner) = if by_row { (a.m, a.n) } else { (a.n, a.m) };
            let at = |i: usize, j: usize| if by_row { a.at(i, j) } else { a.at(j, i) };
            (0..outer).map(|i| (0..inner).map(|j| at(i, j).norm()).sum()).collect()
        };
        match p {
            None if nuclear => a.singular_values().into_iter().sum(),
            None => a.norm(),
            Some(p) if p.abs() == 2.0 => greatest(a.singular_values().into_iter(), p > 0.0),
            Some(p) => greatest(sums(p.is_infinite()).into_iter(), p > 0.0),
        }
    };
    let value = |a: Dense| Value::sum(Dd::from(norm(&a)), Dd::from(0.0), a.norm(), a.m.max(a.n));
    let mut shape = x.shape[..x.shape.len() - 2].to_vec();
    if call.flag("keepdims") {
        shape.extend([1, 1]);
    }
    Some((shape, Dense::stack(&x).into_iter().map(value).collect()))
}

fn vector_norm(call: &Call<'_>) -> Option<Elements> {
    let x = call.operand(0)?;
    let ndim = x.shape.len();
    let axes: Vec<usize> = match call.ints("axis") {
        Some(axes) => axes.into_iter().map(|a| axis(a, ndim)).collect(),
        None => (0..ndim).collect(),
    };
    let kept: Vec<usize> = (0..ndim).map(|a| if axes.contains(&a) { 1 } else { x.shape[a] }).collect();
    let along: Vec<usize> = (0..ndim).map(|a| if axes.contains(&a) { x.shape[a] } else { 1 }).collect();
    let p = order(call).unwrap_or(2.0);
    let value = |start: Vec<usize>| {
        let magnitude = |offset: Vec<usize>| {
            let index: Vec<usize> = start.iter().zip(&offset).map(|(a, b)| a + b).collect();
            let v = x.data[place(&index, &x.shape)];
            v.re().hypot(v.im())
        };
        let all: Vec<f64> = indices(&along).map(magnitude).collect();
        let norm = match p {
            0.0 => all.iter().filter(|&&v| v != 0.0).count() as f64,
            p if p.is_infinite() => greatest(all.iter().copied(), p > 0.0),
            p => all.iter().map(|v| v.powf(p)).sum::<f64>().powf(1.0 / p),
        };
        Value::sum(Dd::from(norm), Dd::from(0.0), norm, all.len())
    };
    let data = indices(&kept).map(value).collect();
    let shape = match call.flag("keepdims") {
        true => kept,
        false => (0..ndim).filter(|a| !axes.contains(a)).map(|a| x.shape[a]).collect(),
    };
    Some((shape, data))
}

fn power(call: &Call<'_>) -> Option<Elements> {
    let x = call.operand(0)?;
    let [lead @ .., n, _] = &x.shape[..] else { return None };
    let (n, exponent) = (*n, usize::try_from(call.int("n").unwrap_or(1)).ok()?);
    let dtype = call.compute;
    let mut data = Vec::new();
    for b in 0..lead.iter().product::<usize>() {
        let at = |i: usize, j: usize| x.data[(b * n + i) * n + j];
        let mut ints = vec![vec![0i128; n]; n];
        let mut sums = vec![vec![(Dd::from(0.0), Dd::from(0.0), 0.0); n]; n];
        for i in 0..n {
            ints[i][i] = 1;
            sums[i][i] = (Dd::from(1.0), Dd::from(0.0), 1.0);
        }
        for _ in 0..exponent {
            let (before, before_sums) = (ints.clone(), sums.clone());
            for i in 0..n {
                for j in 0..n {
                    if dtype.is_int() {
                        let product = |k: usize| before[i][k].wrapping_mul(at(k, j).int());
                        ints[i][j] =
                            wrap((0..n).fold(0i128, |s, k| wrap(s.wrapping_add(product(k)), dtype)), dtype);
                        continue;
                    }
                    let mut sum = (Dd::from(0.0), Dd::from(0.0), 0.0);
                    for (k, &(re, im, mass)) in before_sums[i].iter().enumerate() {
                        let v = at(k, j);
                        let (a, b) = (Dd::from(v.re()), Dd::from(v.im()));
                        sum.0 = sum.0 + re * a - im * b;
                        sum.1 = sum.1 + re * b + im * a;
                        sum.2 += mass * v.magnitude();
                    }
                    sums[i][j] = sum;
                }
            }
        }
        for i in 0..n {
            for j in 0..n {
                let (re, im, mass) = sums[i][j];
                data.push(match dtype.is_int() {
                    true => Value::int(wrap(ints[i][j], dtype)),
                    false => Value::sum(re, im, mass, n * exponent.max(1)),
                });
            }
        }
    }
    Some((x.shape.clone(), data))
}

fn rank(call: &Call<'_>) -> Option<Elements> {
    let x = call.operand(0)?;
    let rtol = call.given(1);
    let value = |a: Dense| {
        let eps = finfo(call.compute.real_part()).expect("a float dtype").eps;
        let relative = rtol.as_ref().map_or(a.m.max(a.n) as f64 * eps, |t| t.data[0].re());
        let values = a.singular_values();
        let least = values.first().copied().unwrap_or(0.0) * relative;
        Value::int(values.iter().filter(|&&s| s > least).count() as i128)
    };
    let shape = x.shape[..x.shape.len() - 2].to_vec();
    Some((shape, Dense::stack(&x).into_iter().map(value).collect()))
}
