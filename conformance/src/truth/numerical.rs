//! Points joined by lines, polynomials, differences, convolutions, bins and orders, by their definitions.

use super::dd::Dd;
use super::num::{Num, cast, wrap};
use super::order::order;
use super::value::Value;
use super::{Call, Tensor, Truth, axis, indices, place};
use ivy_core::Dtype;
use std::cmp::Ordering;

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    Some(match call.function {
        "interp" => vec![interp(call)?],
        "digitize" | "bucketize" => vec![bins(call)?],
        "polyval" => vec![polynomial(call)?],
        "gradient" => gradient(call)?,
        "ediff1d" => vec![differences(call)?],
        "unwrap" => vec![unwrap(call)?],
        "convolve" | "correlate" => vec![convolution(call)?],
        "block_diag" => vec![block_diag(call)?],
        "trim_zeros" => vec![trim_zeros(call)?],
        "lexsort" => vec![lexsort(call)?],
        _ => return None,
    })
}

/// A complex number, and the magnitude of what was added to it.
#[derive(Clone, Copy)]
pub(super) struct Sum {
    pub(super) re: Dd,
    pub(super) im: Dd,
    pub(super) mass: f64,
}

impl Sum {
    pub(super) fn of(x: Num) -> Sum {
        Sum { re: x.re().into(), im: x.im().into(), mass: x.magnitude() }
    }

    pub(super) fn zero() -> Sum {
        Sum::of(Num::Float(0.0))
    }

    pub(super) fn plus(self, other: Sum) -> Sum {
        Sum { re: self.re + other.re, im: self.im + other.im, mass: self.mass + other.mass }
    }

    pub(super) fn times(self, other: Sum) -> Sum {
        let (a, b) = (self, other);
        Sum { re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re, mass: a.mass * b.mass }
    }

    pub(super) fn scaled(self, by: Dd) -> Sum {
        Sum { re: self.re * by, im: self.im * by, mass: self.mass * by.hi.abs() }
    }

    pub(super) fn minus(self, other: Sum) -> Sum {
        self.plus(other.scaled(Dd::from(-1.0)))
    }

    pub(super) fn value(self, count: usize) -> Value {
        Value::sum(self.re, self.im, self.mass, count)
    }
}

fn interp(call: &Call<'_>) -> Option<Truth> {
    let (x, xp, fp) = (call.operand(0)?, call.operand(1)?, call.operand(2)?);
    let mut points: Vec<(f64, f64)> = xp.data.iter().zip(&fp.data).map(|(p, f)| (p.re(), f.re())).collect();
    let period = call.number("period").map(f64::abs);
    let (mut left, mut right) = (call.number("left"), call.number("right"));
    if let Some(period) = period {
        // The calls choose numbers whose remainders are exact.
        points.iter_mut().for_each(|p| p.0 = p.0.rem_euclid(period));
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (first, last) = (points[0], points[points.len() - 1]);
        points.insert(0, (last.0 - period, last.1));
        points.push((first.0 + period, first.1));
        (left, right) = (None, None);
    }
    let value = |x: &Num| {
        let x = period.map_or(x.re(), |period| x.re().rem_euclid(period));
        let (first, last) = (points[0], points[points.len() - 1]);
        if x.is_nan() {
            return Value::real(f64::NAN);
        }
        if x < first.0 {
            return Value::real(left.unwrap_or(first.1)).signs_open();
        }
        if x > last.0 {
            return Value::real(right.unwrap_or(last.1)).signs_open();
        }
        let j = points.iter().rposition(|p| p.0 <= x).expect("a point is not above x");
        if points[j].0 == x {
            return Value::real(points[j].1).signs_open();
        }
        let ((x0, y0), (x1, y1)) = (points[j], points[j + 1]);
        if !(y0.is_finite() && y1.is_finite()) {
            return Value::real(y0 + y1);
        }
        let part = (Dd::from(x) - x0.into()) / (Dd::from(x1) - x0.into());
        let line = Dd::from(y0) + part * (Dd::from(y1) - y0.into());
        Value::sum(line, Dd::from(0.0), y0.abs() + y1.abs(), 1)
    };
    Some(Truth { dtype: call.output(0), data: x.data.iter().map(value).collect(), shape: x.shape })
}

fn bins(call: &Call<'_>) -> Option<Truth> {
    let (x, edges) = (call.operand(0)?, call.operand(1)?);
    let descends = call.function == "digitize"
        && matches!(&edges.data[..], [a, .., b] if order(*a, *b) == Ordering::Greater);
    // Whether an element that is an edge is behind it.
    let behind = call.flag("right") == (call.function == "bucketize");
    let passed = |edge: Num, x: Num| match order(edge, x) {
        Ordering::Less => !descends,
        Ordering::Greater => descends,
        Ordering::Equal => behind != descends,
    };
    let value = |&x: &Num| Value::int(edges.data.iter().filter(|&&e| passed(e, x)).count() as i128);
    Some(Truth { dtype: Dtype::INT64, data: x.data.iter().map(value).collect(), shape: x.shape })
}

fn polynomial(call: &Call<'_>) -> Option<Truth> {
    let (coeffs, x) = (call.operand(0)?, call.operand(1)?);
    let value = |&x: &Num| {
        if call.compute.is_int() {
            let step = |s: i128, c: &Num| wrap(wrap(s * x.int(), call.compute) + c.int(), call.compute);
            return Value::int(coeffs.data.iter().fold(0, step));
        }
        let step = |s: Sum, &c: &Num| s.times(Sum::of(x)).plus(Sum::of(c));
        coeffs.data.iter().fold(Sum::zero(), step).value(2 * coeffs.data.len())
    };
    Some(Truth { dtype: call.output(0), data: x.data.iter().map(value).collect(), shape: x.shape })
}

fn gradient(call: &Call<'_>) -> Option<Vec<Truth>> {
    let x = call.operand(0)?;
    let spacing = call.operand(1);
    let ndim = x.shape.len();
    let axes: Vec<usize> = match call.ints("axis") {
        Some(axes) => axes.into_iter().map(|a| axis(a, ndim)).collect(),
        None => (0..ndim).collect(),
    };
    let curved = call.int("edge_order") == Some(2);
    let along = |at: usize| {
        let n = x.shape[at];
        // The calls choose real places, also for complex samples.
        let places: Vec<f64> = match &spacing {
            None => (0..n).map(|i| i as f64).collect(),
            Some(s) if s.shape.is_empty() => (0..n).map(|i| i as f64 * s.data[0].re()).collect(),
            Some(s) => s.data.iter().map(|v| v.re()).collect(),
        };
        let value = |index: Vec<usize>| {
            let sample = |i: usize| {
                let mut other = index.clone();
                other[at] = i;
                Sum::of(x.data[place(&other, &x.shape)])
            };
            let width = |i: usize| Dd::from(places[i + 1]) - places[i].into();
            let line = |i: usize| sample(i + 1).minus(sample(i)).scaled(Dd::from(1.0) / width(i));
            let beyond = |end: usize, next: usize| {
                let share = width(end) / (width(end) + width(next));
                line(end).plus(line(end).minus(line(next)).scaled(share))
            };
            let slope = match index[at] {
                0 if curved => beyond(0, 1),
                0 => line(0),
                i if i == n - 1 && curved => beyond(n - 2, n - 3),
                i if i == n - 1 => line(n - 2),
                i => {
                    let (left, right) = (width(i - 1), width(i));
                    let whole = left + right;
                    line(i - 1).scaled(right / whole).plus(line(i).scaled(left / whole))
                }
            };
            slope.value(1)
        };
        let data = indices(&x.shape).map(value).collect();
        Truth { dtype: call.output(0), shape: x.shape.clone(), data }
    };
    Some(axes.into_iter().map(along).collect())
}

fn differences(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0)?;
    let given = |i: usize| call.operand(i).map_or(Vec::new(), |t| t.data);
    let step = |pair: &[Num]| match call.compute.is_int() {
        true => Value::int(wrap(pair[1].int() - pair[0].int(), call.compute)),
        false => {
            let Sum { re, im, .. } = Sum::of(pair[1]).minus(Sum::of(pair[0]));
            Value::complex(re, im).signs_open()
        }
    };
    let mut data: Vec<Value> = given(2).into_iter().map(Value::Exact).collect();
    data.extend(x.data.windows(2).map(step));
    data.extend(given(1).into_iter().map(Value::Exact));
    Some(Truth { dtype: call.output(0), shape: vec![data.len()], data })
}

fn unwrap(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0)?;
    let at = axis(call.int("axis").unwrap_or(-1), x.shape.len());
    let period = call.number("period").unwrap_or(std::f64::consts::TAU);
    let discont = call.number("discont").unwrap_or(0.0);
    let value = |index: Vec<usize>| {
        let element = |i: usize| {
            let mut other = index.clone();
            other[at] = i;
            x.data[place(&other, &x.shape)].re()
        };
        let mut turns = 0.0;
        for i in 1..=index[at] {
            let jump = element(i) - element(i - 1);
            if jump.abs() >= discont {
                turns += (jump.abs() / period - 0.5).ceil() * if jump < 0.0 { -1.0 } else { 1.0 };
            }
        }
        let own = element(index[at]);
        let more = Dd::from(period) * Dd::from(turns);
        Value::sum(Dd::from(own) - more, Dd::from(0.0), own.abs() + more.hi.abs(), 1)
    };
    let data = indices(&x.shape).map(value).collect();
    Some(Truth { dtype: call.output(0), shape: x.shape, data })
}

fn convolution(call: &Call<'_>) -> Option<Truth> {
    let (a, v) = (call.operand(0)?, call.operand(1)?);
    let (n, m) = (a.data.len() as i64, v.data.len() as i64);
    let correlates = call.function == "correlate";
    // The pairs of places in sum `k` of the full ones.
    let pairs = |k: i64| {
        (0..n).flat_map(move |i| (0..m).map(move |j| (i, j))).filter(move |&(i, j)| match correlates {
            true => i - j == k - (m - 1),
            false => i + j == k,
        })
    };
    let (long, short) = (n.max(m), n.min(m));
    let mode = call.word("mode").unwrap_or(if correlates { "valid" } else { "full" });
    let (start, len) = match mode {
        "full" => (0, n + m - 1),
        // NumPy exchanges sequences of which the second one is longer, and turns the correlation back.
        "same" if correlates && n < m => (n + m - 1 - (short - 1) / 2 - long, long),
        "same" => ((short - 1) / 2, long),
        _ => (short - 1, long - short + 1),
    };
    let value = |k: i64| {
        let terms = pairs(k).map(|(i, j)| (a.data[i as usize], v.data[j as usize]));
        if call.compute.is_int() {
            let add =
                |s: i128, (x, y): (Num, Num)| wrap(s + wrap(x.int() * y.int(), call.compute), call.compute);
            return Value::int(terms.fold(0, add));
        }
        let conj = |y: Num| match y {
            Num::Complex(re, im) if correlates => Num::Complex(re, -im),
            other => other,
        };
        let count = short as usize;
        terms.fold(Sum::zero(), |s, (x, y)| s.plus(Sum::of(x).times(Sum::of(conj(y))))).value(count)
    };
    let data = (start..start + len).map(value).collect();
    Some(Truth { dtype: call.output(0), shape: vec![len as usize], data })
}

fn block_diag(call: &Call<'_>) -> Option<Truth> {
    let blocks: Vec<Tensor> = (0..call.operands.len()).map(|i| call.operand(i)).collect::<Option<_>>()?;
    let sides = |x: &Tensor| match x.shape[..] {
        [m, n] => (m, n),
        [n] => (1, n),
        _ => (1, 1),
    };
    let rows: usize = blocks.iter().map(|x| sides(x).0).sum();
    let columns: usize = blocks.iter().map(|x| sides(x).1).sum();
    let mut data = vec![cast(Num::Int(0), call.compute); rows * columns];
    let (mut row, mut column) = (0, 0);
    for x in &blocks {
        let (m, n) = sides(x);
        for (p, &value) in x.data.iter().enumerate() {
            data[(row + p / n) * columns + column + p % n] = value;
        }
        (row, column) = (row + m, column + n);
    }
    Some(call.exact(vec![rows, columns], data))
}

fn trim_zeros(call: &Call<'_>) -> Option<Truth> {
    let mut left = call.operand(0)?.data;
    let trim = call.word("trim").unwrap_or("fb").to_lowercase();
    while trim.contains('b') && left.last().is_some_and(|x| !x.truth()) {
        left.pop();
    }
    let zeros = left.iter().take_while(|x| !x.truth()).count();
    // Of zeros only nothing is left, whichever end they are taken from.
    let start = if trim.contains('f') { zeros } else { 0 };
    Some(call.exact(vec![left.len() - start], left.split_off(start)))
}

fn lexsort(call: &Call<'_>) -> Option<Truth> {
    let keys: Vec<Tensor> = (0..call.operands.len()).map(|i| call.operand(i)).collect::<Option<_>>()?;
    let shape = keys[0].shape.clone();
    let at = axis(call.int("axis").unwrap_or(-1), shape.len());
    let value = |index: Vec<usize>| {
        let key = |key: &Tensor, i: usize| {
            let mut other = index.clone();
            other[at] = i;
            key.data[place(&other, &shape)]
        };
        let mut places: Vec<usize> = (0..shape[at]).collect();
        places.sort_by(|&i, &j| {
            let by_key = keys.iter().rev().map(|k| order(key(k, i), key(k, j)));
            by_key.fold(Ordering::Equal, Ordering::then)
        });
        Value::int(places[index[at]] as i128)
    };
    Some(Truth { dtype: Dtype::INT64, data: indices(&shape).map(value).collect(), shape })
}
