//! Creation, and functions that move elements.

use super::num::{Num, cast};
use super::value::Value;
use super::{Call, Tensor, Truth, axis, broadcast, elementwise, indices, pad, place, spread};
use ivy_core::Dtype;
use ivy_core::function::ParamValue;

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    if let Some(truth) = create(call) {
        return Some(vec![truth]);
    }
    if matches!(call.function, "meshgrid" | "broadcast_arrays" | "concat" | "stack") {
        return joined(call);
    }
    if matches!(call.function, "where" | "clip") {
        return choose(call).map(|t| vec![t]);
    }
    if matches!(call.function, "promote_types_of_inputs" | "type_promote_arrays") {
        let cast = |i: usize| Some(call.exact(call.operand(i)?.shape, call.operand(i)?.data));
        return Some(vec![cast(0)?, cast(1)?]);
    }
    if call.function == "unstack" {
        return unstack(call);
    }
    moved(call).map(|t| vec![t])
}

fn create(call: &Call<'_>) -> Option<Truth> {
    let dtype = call.output(0);
    let filled = |shape: Vec<usize>, x: Num| {
        let n = shape.iter().product();
        call.exact(shape, vec![cast(x, dtype); n])
    };
    Some(match call.function {
        "zeros" => filled(call.sizes("shape")?, Num::Int(0)),
        "ones" => filled(call.sizes("shape")?, Num::Int(1)),
        "full" => filled(call.sizes("shape")?, call.given(0)?.data[0]),
        "zeros_like" => filled(call.given(0)?.shape, Num::Int(0)),
        "ones_like" => filled(call.given(0)?.shape, Num::Int(1)),
        "full_like" => filled(call.given(0)?.shape, call.given(1)?.data[0]),
        "empty" | "empty_like" => {
            let shape = call.sizes("shape").or_else(|| call.given(0).map(|t| t.shape))?;
            let n = shape.iter().product();
            Truth { dtype, shape, data: vec![Value::Any; n] }
        }
        "eye" => {
            let rows = call.int("n_rows")? as usize;
            let cols = call.int("n_cols").map_or(rows, |c| c as usize);
            let k = call.int("k").unwrap_or(0);
            let shape = vec![rows, cols];
            let one = |i: Vec<usize>| cast(Num::Bool(i[1] as i64 - i[0] as i64 == k), dtype);
            call.exact(shape.clone(), indices(&shape).map(one).collect())
        }
        "arange" => arange(call, dtype)?,
        "linspace" => linspace(call, dtype)?,
        _ => return None,
    })
}

fn arange(call: &Call<'_>, dtype: Dtype) -> Option<Truth> {
    let first = call.given(0)?.data[0];
    let (start, stop) = match call.given(1) {
        Some(stop) => (first, stop.data[0]),
        None => (Num::Int(0), first),
    };
    let step = call.given(2).map_or(Num::Int(1), |t| t.data[0]);
    let whole = [start, stop, step].iter().all(|x| matches!(x, Num::Int(_)));
    let len = match whole {
        true => (stop.int() - start.int()) as f64 / step.re(),
        false => (stop.re() - start.re()) / step.re(),
    };
    let len = if len > 0.0 { len.ceil() as usize } else { 0 };
    let at = |i: usize| match whole {
        true => Num::Int(start.int() + i as i128 * step.int()),
        false => Num::Float(start.re() + i as f64 * step.re()),
    };
    Some(call.exact(vec![len], (0..len).map(|i| cast(at(i), dtype)).collect()))
}

fn linspace(call: &Call<'_>, dtype: Dtype) -> Option<Truth> {
    let (start, stop) = (call.given(0)?.data[0], call.given(1)?.data[0]);
    let num = call.int("num")? as usize;
    let endpoint = !matches!(call.keyword("endpoint"), Some(ParamValue::Bool(false)));
    let div = if endpoint { num.saturating_sub(1) } else { num };
    let part = |a: f64, b: f64, i: usize| {
        if endpoint && i + 1 == num && num > 1 {
            return b;
        }
        if div == 0 { a } else { a + i as f64 * ((b - a) / div as f64) }
    };
    let value = |i: usize| {
        let (re, im) = (part(start.re(), stop.re(), i), part(start.im(), stop.im(), i));
        match cast(Num::Complex(re, im), dtype) {
            exact @ (Num::Int(_) | Num::Bool(_)) => Value::Exact(exact),
            _ => Value::complex(re, im).signs_open(),
        }
    };
    Some(Truth { dtype, shape: vec![num], data: (0..num).map(value).collect() })
}

fn spread_to(t: &Tensor, shape: &[usize]) -> Vec<Num> {
    spread(&t.shape, shape).into_iter().map(|p| t.data[p]).collect()
}

fn joined(call: &Call<'_>) -> Option<Vec<Truth>> {
    let keeps = matches!(call.function, "meshgrid" | "broadcast_arrays") && call.outputs.len() > 1;
    let arrays: Vec<Tensor> = (0..call.operands.len())
        .map(|i| if keeps { call.given(i) } else { call.operand(i) })
        .collect::<Option<_>>()?;
    let shapes: Vec<&[usize]> = arrays.iter().map(|t| t.shape.as_slice()).collect();
    let truth = |i: usize, shape: Vec<usize>, data: Vec<Num>| Truth {
        dtype: call.output(i),
        shape,
        data: data.into_iter().map(Value::Exact).collect(),
    };
    match call.function {
        "broadcast_arrays" => {
            let shape = broadcast(&shapes)?;
            Some(
                arrays
                    .iter()
                    .enumerate()
                    .map(|(i, t)| truth(i, shape.clone(), spread_to(t, &shape)))
                    .collect(),
            )
        }
        "meshgrid" => {
            let matrix = matches!(call.keyword("indexing"), Some(ParamValue::Text(t)) if t == "ij");
            // With "xy" the first two axes change places, if there are two.
            let order: Vec<usize> = match arrays.len() {
                n if n > 1 && !matrix => [1, 0].into_iter().chain(2..n).collect(),
                n => (0..n).collect(),
            };
            let shape: Vec<usize> = order.iter().map(|&a| arrays[a].data.len()).collect();
            let along = |i: usize| order.iter().position(|&a| a == i).expect("a permutation");
            let grid = |(i, t): (usize, &Tensor)| {
                truth(i, shape.clone(), indices(&shape).map(|index| t.data[index[along(i)]]).collect())
            };
            Some(arrays.iter().enumerate().map(grid).collect())
        }
        "stack" => {
            let own = shapes[0].to_vec();
            let at = axis(call.int("axis").unwrap_or(0), own.len() + 1);
            let mut shape = own.clone();
            shape.insert(at, arrays.len());
            let pick = |mut index: Vec<usize>| {
                let which = index.remove(at);
                arrays[which].data[place(&index, &own)]
            };
            Some(vec![truth(0, shape.clone(), indices(&shape).map(pick).collect())])
        }
        _ => {
            let flat = call.keywords.iter().any(|k| k.0 == "axis" && matches!(k.1, ParamValue::None));
            if flat {
                let data: Vec<Num> = arrays.iter().flat_map(|t| t.data.clone()).collect();
                return Some(vec![truth(0, vec![data.len()], data)]);
            }
            let at = axis(call.int("axis").unwrap_or(0), shapes[0].len());
            let mut shape = shapes[0].to_vec();
            shape[at] = shapes.iter().map(|s| s[at]).sum();
            let pick = |mut index: Vec<usize>| {
                for t in &arrays {
                    if index[at] < t.shape[at] {
                        return t.data[place(&index, &t.shape)];
                    }
                    index[at] -= t.shape[at];
                }
                unreachable!("the lengths add up")
            };
            Some(vec![truth(0, shape.clone(), indices(&shape).map(pick).collect())])
        }
    }
}

fn choose(call: &Call<'_>) -> Option<Truth> {
    let dtype = call.compute;
    let operands: Vec<Option<Tensor>> = match call.function {
        "where" => vec![call.given(0), call.operand(1), call.operand(2)],
        _ => vec![call.operand(0), call.operand(1), call.operand(2)],
    };
    let shapes: Vec<&[usize]> = operands.iter().flatten().map(|t| t.shape.as_slice()).collect();
    let shape = broadcast(&shapes)?;
    let all: Vec<Option<Vec<Num>>> =
        operands.iter().map(|t| t.as_ref().map(|t| spread_to(t, &shape))).collect();
    let at = |k: usize, i: usize| all[k].as_ref().map(|v| v[i]);
    let exact = |v: Option<Value>| match v {
        Some(Value::Exact(x)) => Some(x),
        _ => None,
    };
    let mut data = Vec::new();
    for i in 0..shape.iter().product() {
        if call.function == "where" {
            data.push(if at(0, i)?.truth() { at(1, i)? } else { at(2, i)? });
            continue;
        }
        let mut x = at(0, i)?;
        if let Some(min) = at(1, i) {
            x = exact(elementwise::binary("maximum", x, min, dtype))?;
        }
        if let Some(max) = at(2, i) {
            x = exact(elementwise::binary("minimum", x, max, dtype))?;
        }
        data.push(x);
    }
    Some(call.exact(shape, data))
}

fn unstack(call: &Call<'_>) -> Option<Vec<Truth>> {
    let x = call.operand(0)?;
    let at = axis(call.int("axis").unwrap_or(0), x.shape.len());
    let mut shape = x.shape.clone();
    let n = shape.remove(at);
    let piece = |k: usize| {
        let pick = |mut index: Vec<usize>| {
            index.insert(at, k);
            Value::Exact(x.data[place(&index, &x.shape)])
        };
        Truth { dtype: call.output(0), shape: shape.clone(), data: indices(&shape).map(pick).collect() }
    };
    Some((0..n).map(piece).collect())
}

/// Functions whose result's elements are elements of the first operand, or zeros.
fn moved(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0);
    let function = call.function;
    // The result's shape, and for each of its indices the index in the operand (none: zero).
    let gather = |x: &Tensor, shape: Vec<usize>, from: &dyn Fn(Vec<usize>) -> Option<Vec<usize>>| {
        let zero = cast(Num::Int(0), x.dtype);
        let pick = |index: Vec<usize>| from(index).map_or(zero, |i| x.data[place(&i, &x.shape)]);
        call.exact(shape.clone(), indices(&shape).map(pick).collect())
    };
    let permuted = |x: &Tensor, axes: Vec<usize>| {
        let shape = axes.iter().map(|&a| x.shape[a]).collect();
        gather(x, shape, &|index| {
            let mut own = vec![0; index.len()];
            axes.iter().zip(&index).for_each(|(&a, &i)| own[a] = i);
            Some(own)
        })
    };
    Some(match function {
        "asarray" | "astype" | "positive" => {
            let x = x?;
            call.exact(x.shape, x.data)
        }
        "reshape" => {
            let x = x?;
            let asked = call.ints("shape")?;
            let known: i64 = asked.iter().filter(|&&d| d >= 0).product();
            let free = if known == 0 { 0 } else { x.data.len() as i64 / known };
            let shape = asked.iter().map(|&d| if d < 0 { free } else { d } as usize).collect();
            call.exact(shape, x.data)
        }
        "expand_dims" => {
            let x = x?;
            let axes = call.ints("axis").unwrap_or_else(|| vec![0]);
            let ndim = x.shape.len() + axes.len();
            let mut places: Vec<usize> = axes.iter().map(|&a| axis(a, ndim)).collect();
            places.sort_unstable();
            let mut shape = x.shape.clone();
            places.iter().for_each(|&p| shape.insert(p, 1));
            call.exact(shape, x.data)
        }
        "squeeze" => {
            let x = x?;
            let axes: Vec<usize> = call.ints("axis")?.iter().map(|&a| axis(a, x.shape.len())).collect();
            let kept = |(i, &n): (usize, &usize)| (!axes.contains(&i)).then_some(n);
            call.exact(x.shape.iter().enumerate().filter_map(kept).collect(), x.data)
        }
        "broadcast_to" => {
            let shape = call.sizes("shape")?;
            call.exact(shape.clone(), spread_to(&x?, &shape))
        }
        "flip" => {
            let x = x?;
            let axes: Vec<usize> = match call.ints("axis") {
                Some(axes) => axes.iter().map(|&a| axis(a, x.shape.len())).collect(),
                None => (0..x.shape.len()).collect(),
            };
            gather(&x, x.shape.clone(), &|mut index| {
                axes.iter().for_each(|&a| index[a] = x.shape[a] - 1 - index[a]);
                Some(index)
            })
        }
        "permute_dims" => {
            let x = x?;
            let axes = call.ints("axes")?.iter().map(|&a| axis(a, x.shape.len())).collect();
            permuted(&x, axes)
        }
        "matrix_transpose" => {
            let x = x?;
            let n = x.shape.len();
            permuted(&x, (0..n - 2).chain([n - 1, n - 2]).collect())
        }
        "moveaxis" => {
            let x = x?;
            let n = x.shape.len();
            let norm = |name: &str| Some(call.ints(name)?.iter().map(|&a| axis(a, n)).collect::<Vec<_>>());
            let (source, destination) = (norm("source")?, norm("destination")?);
            let mut axes: Vec<usize> = (0..n).filter(|a| !source.contains(a)).collect();
            let mut pairs: Vec<_> = destination.iter().zip(&source).collect();
            pairs.sort_unstable();
            pairs.iter().for_each(|&(&d, &s)| axes.insert(d, s));
            permuted(&x, axes)
        }
        "roll" => roll(call, &x?),
        "tile" => {
            let x = x?;
            let mut times = call.sizes("repetitions")?;
            let mut own = x.shape.clone();
            while times.len() < own.len() {
                times.insert(0, 1);
            }
            while own.len() < times.len() {
                own.insert(0, 1);
            }
            let shape = own.iter().zip(&times).map(|(&n, &t)| n * t).collect();
            let x = Tensor { shape: own.clone(), ..x };
            gather(&x, shape, &|index| Some(index.iter().zip(&own).map(|(&i, &n)| i % n).collect()))
        }
        "constant_pad" | "zero_pad" | "pad" => pad::padded(call, &x?)?,
        "repeat" => repeat(call, &x?)?,
        "tril" | "triu" => {
            let x = x?;
            let (n, k) = (x.shape.len(), call.int("k").unwrap_or(0));
            gather(&x, x.shape.clone(), &|index| {
                let off = index[n - 1] as i64 - index[n - 2] as i64;
                (if function == "tril" { off <= k } else { off >= k }).then_some(index)
            })
        }
        "take" => take(call, &x?)?,
        "take_along_axis" => take_along(call, &x?)?,
        _ => return None,
    })
}

fn roll(call: &Call<'_>, x: &Tensor) -> Truth {
    let shifts = call.ints("shift").unwrap_or_else(|| vec![0]);
    let n = x.data.len();
    let Some(axes) = call.ints("axis") else {
        let from = |i: usize| x.data[(i as i64 - shifts[0]).rem_euclid(n.max(1) as i64) as usize];
        return call.exact(x.shape.clone(), (0..n).map(from).collect());
    };
    let pick = |mut index: Vec<usize>| {
        for (k, &a) in axes.iter().enumerate() {
            let a = axis(a, x.shape.len());
            let shift = shifts[k.min(shifts.len() - 1)];
            index[a] = (index[a] as i64 - shift).rem_euclid(x.shape[a] as i64) as usize;
        }
        x.data[place(&index, &x.shape)]
    };
    call.exact(x.shape.clone(), indices(&x.shape).map(pick).collect())
}

fn repeat(call: &Call<'_>, x: &Tensor) -> Option<Truth> {
    let (x, at) = match call.int("axis") {
        Some(a) => (x.clone(), axis(a, x.shape.len())),
        None => (Tensor { shape: vec![x.data.len()], ..x.clone() }, 0),
    };
    let counts = match call.given(1) {
        Some(t) => t.data.iter().map(|c| c.int() as usize).collect(),
        None => call.sizes("repeats")?,
    };
    let source: Vec<usize> = (0..x.shape[at])
        .flat_map(|i| std::iter::repeat_n(i, counts[if counts.len() == 1 { 0 } else { i }]))
        .collect();
    let mut shape = x.shape.clone();
    shape[at] = source.len();
    let pick = |mut index: Vec<usize>| {
        index[at] = source[index[at]];
        x.data[place(&index, &x.shape)]
    };
    Some(call.exact(shape.clone(), indices(&shape).map(pick).collect()))
}

fn from_end(i: i128, n: usize) -> usize {
    (if i < 0 { i + n as i128 } else { i }) as usize
}

fn take(call: &Call<'_>, x: &Tensor) -> Option<Truth> {
    let at = axis(call.int("axis").unwrap_or(0), x.shape.len());
    let which = call.given(1)?;
    let mut shape = x.shape.clone();
    shape[at] = which.data.len();
    let pick = |mut index: Vec<usize>| {
        index[at] = from_end(which.data[index[at]].int(), x.shape[at]);
        x.data[place(&index, &x.shape)]
    };
    Some(call.exact(shape.clone(), indices(&shape).map(pick).collect()))
}

fn take_along(call: &Call<'_>, x: &Tensor) -> Option<Truth> {
    let at = axis(call.int("axis").unwrap_or(-1), x.shape.len());
    let which = call.given(1)?;
    let (mut a, mut b) = (x.shape.clone(), which.shape.clone());
    let along = b[at];
    (a[at], b[at]) = (1, 1);
    let mut shape = broadcast(&[&a, &b])?;
    shape[at] = along;
    let mut all = shape.clone();
    all[at] = along;
    let source = spread(&which.shape, &all);
    let pick = |(p, mut index): (usize, Vec<usize>)| {
        let i = from_end(which.data[source[p]].int(), x.shape[at]);
        for (k, n) in x.shape.iter().enumerate() {
            if *n == 1 {
                index[k] = 0;
            }
        }
        index[at] = i;
        x.data[place(&index, &x.shape)]
    };
    Some(call.exact(shape.clone(), indices(&shape).enumerate().map(pick).collect()))
}
