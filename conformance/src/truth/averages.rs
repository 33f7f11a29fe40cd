//! Weighted means, powers of floats, numbers at equal quotients, diagonals and flat indices, by their definitions.

use super::dd::Dd;
use super::num::{Num, cast, round_float, wrap};
use super::numerical::Sum;
use super::reduce::groups;
use super::value::Value;
use super::{Arg, Call, Tensor, Truth, axis, broadcast, elementwise, indices, place, spread};
use ivy_core::Dtype;

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    Some(match call.function {
        "float_power" | "ldexp" => vec![powers(call)?],
        "ptp" => vec![peaks(call)?],
        "average" => vec![average(call)?],
        "geomspace" => vec![geomspace(call)?],
        "tri" => vec![tri(call)?],
        "diagflat" => vec![diagflat(call)?],
        "ravel_multi_index" => vec![flat_places(call)?],
        "unravel_index" => axis_indices(call)?,
        _ => return None,
    })
}

fn powers(call: &Call<'_>) -> Option<Truth> {
    let scales = call.function == "ldexp";
    let (x, y) = (call.operand(0)?, if scales { call.given(1)? } else { call.operand(1)? });
    let shape = broadcast(&[&x.shape, &y.shape])?;
    let (from, by) = (spread(&x.shape, &shape), spread(&y.shape, &shape));
    let value = |p: usize| {
        let (x, y) = (x.data[from[p]], y.data[by[p]]);
        match scales {
            true => Some(Value::Exact(Num::Float(scaled(x.re(), y.int(), call.compute)))),
            false => elementwise::binary("pow", x, y, call.compute),
        }
    };
    let data = (0..shape.iter().product()).map(value).collect::<Option<_>>()?;
    Some(Truth { dtype: call.output(0), shape, data })
}

/// `x * 2^by`, rounded once.
fn scaled(x: f64, by: i128, dtype: Dtype) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    // A magnitude from 1 to below 2, and its exponent.
    let (mut size, mut exponent) = (x.abs(), by.clamp(-9000, 9000));
    while size >= 2.0 {
        (size, exponent) = (size / 2.0, exponent + 1);
    }
    while size < 1.0 {
        (size, exponent) = (size * 2.0, exponent - 1);
    }
    let size = match exponent {
        1024.. => f64::INFINITY,
        // Within the normal numbers the product is exact, and below them it is rounded by the second factor.
        -1022.. => size * 2f64.powi(exponent as i32 / 2) * 2f64.powi(exponent as i32 - exponent as i32 / 2),
        -1080.. => size * 2f64.powi(-1000) * 2f64.powi(exponent as i32 + 1000),
        _ => 0.0,
    };
    round_float(size.copysign(x), dtype)
}

fn peaks(call: &Call<'_>) -> Option<Truth> {
    let (shape, groups) = groups(call, &call.operand(0)?);
    let value = |g: &Vec<Num>| {
        if call.compute.is_int() {
            let all = || g.iter().map(|x| x.int());
            return Value::int(wrap(all().max().unwrap_or(0) - all().min().unwrap_or(0), call.compute));
        }
        if g.iter().any(|x| x.is_nan()) {
            return Value::real(f64::NAN);
        }
        let greatest = g.iter().map(|x| x.re()).fold(f64::NEG_INFINITY, f64::max);
        let least = g.iter().map(|x| x.re()).fold(f64::INFINITY, f64::min);
        match greatest.is_finite() && least.is_finite() {
            true => Value::real(Dd::from(greatest) - least.into()).signs_open(),
            false => Value::real(greatest - least),
        }
    };
    Some(Truth { dtype: call.output(0), data: groups.iter().map(value).collect(), shape })
}

fn average(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0)?;
    let ndim = x.shape.len();
    let axes: Vec<usize> = match call.ints("axis") {
        Some(axes) => axes.iter().map(|&a| axis(a, ndim)).collect(),
        None => (0..ndim).collect(),
    };
    let weights = call.operand(1);
    let weight = |index: &[usize]| match &weights {
        None => Num::Int(1),
        Some(w) if w.shape == x.shape => w.data[place(index, &w.shape)],
        Some(w) => w.data[place(&axes.iter().map(|&a| index[a]).collect::<Vec<_>>(), &w.shape)],
    };
    // Places in the result that stand for the elements of each one.
    let kept: Vec<usize> = (0..ndim).map(|a| if axes.contains(&a) { 1 } else { x.shape[a] }).collect();
    let mut sums = vec![(Sum::zero(), Sum::zero(), 0); kept.iter().product()];
    for (p, index) in indices(&x.shape).enumerate() {
        let own: Vec<usize> = (0..ndim).map(|a| if axes.contains(&a) { 0 } else { index[a] }).collect();
        let (total, whole, count) = &mut sums[place(&own, &kept)];
        let w = Sum::of(weight(&index));
        *total = total.plus(w.times(Sum::of(x.data[p])));
        *whole = whole.plus(w);
        *count += 1;
    }
    let value = |&(total, whole, count): &(Sum, Sum, usize)| {
        let size = whole.re * whole.re + whole.im * whole.im;
        let conj = Sum { im: -whole.im, ..whole };
        let quotient = total.times(conj);
        let length = size.sqrt().hi;
        let mass = total.mass / length * (1.0 + whole.mass / length);
        Value::sum(quotient.re / size, quotient.im / size, mass, count)
    };
    let shape = match call.flag("keepdims") {
        true => kept,
        false => (0..ndim).filter(|a| !axes.contains(a)).map(|a| x.shape[a]).collect(),
    };
    Some(Truth { dtype: call.output(0), shape, data: sums.iter().map(value).collect() })
}

fn geomspace(call: &Call<'_>) -> Option<Truth> {
    // Numbers of the host are exact, whatever the result's dtype is.
    let end = |i: usize| match call.operands[i] {
        Arg::Scalar(_) => call.given(i),
        _ => call.operand(i),
    };
    let (start, stop): (Tensor, Tensor) = (end(0)?, end(1)?);
    let (num, endpoint) = (call.int("num").unwrap_or(50) as usize, call.set("endpoint").unwrap_or(true));
    let lead = broadcast(&[&start.shape, &stop.shape])?;
    let at = axis(call.int("axis").unwrap_or(0), lead.len() + 1);
    let mut shape = lead.clone();
    shape.insert(at, num);
    let (from, to) = (spread(&start.shape, &lead), spread(&stop.shape, &lead));
    let steps = if endpoint { num.saturating_sub(1) } else { num }.max(1);
    let of = |mut index: Vec<usize>| {
        let step = index.remove(at);
        let p = place(&index, &lead);
        let (a, b) = (start.data[from[p]].re(), stop.data[to[p]].re());
        if a * b <= 0.0 {
            return Value::real(f64::NAN);
        }
        let share = Dd::from(step as f64) / Dd::from(steps as f64);
        let logs = (Dd::from(a.abs()).ln(), Dd::from(b.abs()).ln());
        let size = (logs.0 * (Dd::from(1.0) - share) + logs.1 * share).exp();
        // An error of the exponents grows with the logarithms.
        let mass = size.hi * (1.0 + logs.0.hi.abs() + logs.1.hi.abs());
        Value::sum(if a < 0.0 { -size } else { size }, Dd::from(0.0), mass, 1)
    };
    Some(Truth { dtype: call.output(0), shape: shape.clone(), data: indices(&shape).map(of).collect() })
}

fn tri(call: &Call<'_>) -> Option<Truth> {
    let rows = call.int("n_rows")?;
    let (columns, k) = (call.int("n_cols").unwrap_or(rows), call.int("k").unwrap_or(0));
    let one = |index: Vec<usize>| Num::Int(i128::from(index[1] as i64 <= index[0] as i64 + k));
    let shape = vec![rows as usize, columns as usize];
    let data = indices(&shape).map(one).map(|x| cast(x, call.compute)).collect();
    Some(call.exact(shape, data))
}

fn diagflat(call: &Call<'_>) -> Option<Truth> {
    let x = call.given(0)?;
    let offset = call.int("offset").unwrap_or(0);
    let (down, right) = ((-offset).max(0) as usize, offset.max(0) as usize);
    let side = x.data.len() + down + right;
    let given = |name| call.int(name).map_or(side, |n| n as usize);
    let shape = vec![given("num_rows"), given("num_cols")];
    let beside = cast(Num::Float(call.number("padding_value").unwrap_or(0.0)), call.compute);
    let mut data = vec![beside; shape[0] * shape[1]];
    for (i, &value) in x.data.iter().enumerate() {
        data[(i + down) * shape[1] + i + right] = value;
    }
    Some(call.exact(shape, data))
}

fn flat_places(call: &Call<'_>) -> Option<Truth> {
    let dims = call.sizes("dims")?;
    let given: Vec<Tensor> = (0..call.operands.len()).map(|i| call.given(i)).collect::<Option<_>>()?;
    let shapes: Vec<&[usize]> = given.iter().map(|t| t.shape.as_slice()).collect();
    let shape = broadcast(&shapes)?;
    let places: Vec<Vec<usize>> = given.iter().map(|t| spread(&t.shape, &shape)).collect();
    let value = |p: usize| {
        let index = |a: usize| {
            let (i, n) = (given[a].data[places[a][p]].int(), dims[a] as i128);
            let inside = match call.word("mode").unwrap_or("raise") {
                "wrap" => i.rem_euclid(n),
                "clip" => i.clamp(0, n - 1),
                _ if i < 0 => i + n,
                _ => i,
            };
            inside as usize
        };
        let mut own: Vec<usize> = (0..dims.len()).map(index).collect();
        let mut lengths = dims.clone();
        if call.word("order") == Some("F") {
            own.reverse();
            lengths.reverse();
        }
        Value::int(place(&own, &lengths) as i128)
    };
    let data = (0..shape.iter().product()).map(value).collect();
    Some(Truth { dtype: Dtype::INT64, shape, data })
}

fn axis_indices(call: &Call<'_>) -> Option<Vec<Truth>> {
    let (places, shape) = (call.given(0)?, call.sizes("shape")?);
    let columns = call.word("order") == Some("F");
    let turned: Vec<usize> = if columns { shape.iter().rev().copied().collect() } else { shape.clone() };
    let all: Vec<Vec<usize>> = indices(&turned).collect();
    let along = |a: usize| {
        let value = |place: &Num| {
            let p = place.int() + if place.int() < 0 { all.len() as i128 } else { 0 };
            let index = &all[p as usize];
            Value::int(index[if columns { shape.len() - 1 - a } else { a }] as i128)
        };
        let data = places.data.iter().map(value).collect();
        Truth { dtype: Dtype::INT64, shape: places.shape.clone(), data }
    };
    Some((0..shape.len()).map(along).collect())
}
