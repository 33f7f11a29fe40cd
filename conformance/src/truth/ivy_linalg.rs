//! Inner and Kronecker products, products of many matrices, triangular equations and exponentials.

use super::dd::Dd;
use super::num::{Num, wrap};
use super::value::Value;
use super::{Call, Tensor, Truth, broadcast, elementwise, indices, place, spread};
use ivy_core::Dtype;

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    let (shape, data) = match call.function {
        "inner" => inner(call)?,
        "kron" => kron(call)?,
        "multi_dot" => multi_dot(call)?,
        "diag" => {
            let (shape, data) = diag(call)?;
            return Some(vec![call.exact(shape, data)]);
        }
        "vander" => vander(call)?,
        "matrix_exp" => exponentials(call)?,
        "solve_triangular" | "lu_solve" => triangular(call)?,
        _ => return None,
    };
    Some(vec![Truth { dtype: call.output(0), shape, data }])
}

type Elements = (Vec<usize>, Vec<Value>);

/// A number and the magnitude that its error is relative to; integers apart.
#[derive(Clone, Copy)]
struct Sum {
    re: Dd,
    im: Dd,
    mass: f64,
    int: i128,
}

impl Sum {
    fn of(x: Num) -> Sum {
        Sum { re: x.re().into(), im: x.im().into(), mass: x.magnitude(), int: x.int() }
    }

    fn number(x: f64) -> Sum {
        Sum { re: x.into(), im: Dd::from(0.0), mass: x.abs(), int: x as i128 }
    }

    fn plus(self, o: Sum, dtype: Dtype) -> Sum {
        let int = if dtype.is_int() { wrap(self.int.wrapping_add(o.int), dtype) } else { 0 };
        Sum { re: self.re + o.re, im: self.im + o.im, mass: self.mass + o.mass, int }
    }

    fn times(self, o: Sum, dtype: Dtype) -> Sum {
        let int = if dtype.is_int() { wrap(self.int.wrapping_mul(o.int), dtype) } else { 0 };
        let re = self.re * o.re - self.im * o.im;
        let im = self.re * o.im + self.im * o.re;
        Sum { re, im, mass: self.mass * o.mass, int }
    }

    fn over(self, o: Sum, dtype: Dtype) -> Sum {
        let norm = o.re * o.re + o.im * o.im;
        let turned = Sum { im: -o.im, ..o };
        let product = self.times(turned, dtype);
        let size = o.re.hi.hypot(o.im.hi);
        Sum { re: product.re / norm, im: product.im / norm, mass: self.mass / size, int: 0 }
    }

    fn value(self, count: usize, dtype: Dtype) -> Value {
        match dtype.is_int() {
            true => Value::int(self.int),
            false => Value::sum(self.re, self.im, self.mass, count),
        }
    }
}

/// A matrix of sums.
type Matrix = Vec<Vec<Sum>>;

fn product(a: &Matrix, b: &Matrix, columns: usize, dtype: Dtype) -> Matrix {
    let entry = |row: &Vec<Sum>, j: usize| {
        row.iter().zip(b).fold(Sum::number(0.0), |s, (x, of)| s.plus(x.times(of[j], dtype), dtype))
    };
    a.iter().map(|row| (0..columns).map(|j| entry(row, j)).collect()).collect()
}

/// The matrices of a stack.
fn matrices(x: &Tensor) -> Vec<Matrix> {
    let (m, n) = (x.shape[x.shape.len() - 2], x.shape[x.shape.len() - 1]);
    let count = x.shape[..x.shape.len() - 2].iter().product();
    let at = |b: usize, i: usize, j: usize| Sum::of(x.data[(b * m + i) * n + j]);
    (0..count).map(|b| (0..m).map(|i| (0..n).map(|j| at(b, i, j)).collect()).collect()).collect()
}

fn inner(call: &Call<'_>) -> Option<Elements> {
    let (a, b) = (call.operand(0)?, call.operand(1)?);
    if a.shape.is_empty() || b.shape.is_empty() {
        let shape = [a.shape, b.shape].concat();
        let pairs = a.data.iter().flat_map(|x| b.data.iter().map(move |y| (*x, *y)));
        let data = pairs.map(|(x, y)| elementwise::binary("multiply", x, y, call.compute));
        return Some((shape, data.collect::<Option<_>>()?));
    }
    let n = *a.shape.last()?;
    let shape = [&a.shape[..a.shape.len() - 1], &b.shape[..b.shape.len() - 1]].concat();
    let rows: usize = b.shape[..b.shape.len() - 1].iter().product();
    let value = |p: usize| {
        let (i, j) = (p / rows.max(1), p % rows.max(1));
        let term = |k: usize| Sum::of(a.data[i * n + k]).times(Sum::of(b.data[j * n + k]), call.compute);
        (0..n).fold(Sum::number(0.0), |s, k| s.plus(term(k), call.compute)).value(n, call.compute)
    };
    let count = shape.iter().product();
    Some((shape, (0..count).map(value).collect()))
}

fn kron(call: &Call<'_>) -> Option<Elements> {
    let (a, b) = (call.operand(0)?, call.operand(1)?);
    let ndim = a.shape.len().max(b.shape.len());
    let padded = |x: &Tensor| [vec![1; ndim - x.shape.len()], x.shape.clone()].concat();
    let (of_a, of_b) = (padded(&a), padded(&b));
    let shape: Vec<usize> = of_a.iter().zip(&of_b).map(|(n, m)| n * m).collect();
    let value = |index: Vec<usize>| {
        let high: Vec<usize> = index.iter().zip(&of_b).map(|(i, m)| i / m).collect();
        let low: Vec<usize> = index.iter().zip(&of_b).map(|(i, m)| i % m).collect();
        elementwise::binary("multiply", a.data[place(&high, &of_a)], b.data[place(&low, &of_b)], call.compute)
    };
    let data = indices(&shape).map(value).collect::<Option<_>>()?;
    Some((shape, data))
}

fn multi_dot(call: &Call<'_>) -> Option<Elements> {
    let operands: Vec<Tensor> = (0..call.operands.len()).map(|i| call.operand(i)).collect::<Option<_>>()?;
    let last = operands.len() - 1;
    let (row, column) = (operands[0].shape.len() == 1, operands[last].shape.len() == 1);
    let laid = |(i, x): (usize, &Tensor)| {
        let shape = match x.shape[..] {
            [n] if i == 0 => vec![1, n],
            [n] => vec![n, 1],
            _ => x.shape.clone(),
        };
        Tensor { shape, ..x.clone() }
    };
    let laid: Vec<Tensor> = operands.iter().enumerate().map(laid).collect();
    let mut found = matrices(&laid[0]).remove(0);
    let mut count = 1;
    for x in &laid[1..] {
        found = product(&found, &matrices(x)[0], x.shape[1], call.compute);
        count += x.shape[0];
    }
    let mut shape = vec![];
    if !row {
        shape.push(laid[0].shape[0]);
    }
    if !column {
        shape.push(laid[last].shape[1]);
    }
    Some((shape, found.into_iter().flatten().map(|x| x.value(count, call.compute)).collect()))
}

fn diag(call: &Call<'_>) -> Option<(Vec<usize>, Vec<Num>)> {
    let x = call.given(0)?;
    let k = call.int("k").unwrap_or(0);
    let (below, above) = ((-k).max(0) as usize, k.max(0) as usize);
    match x.shape[..] {
        [n] => {
            let side = n + below + above;
            let zero = super::num::cast(Num::Int(0), x.dtype);
            let at = |p: usize| {
                let (i, j) = (p / side, p % side);
                if i >= below && j >= above && i - below == j - above { x.data[i - below] } else { zero }
            };
            Some((vec![side, side], (0..side * side).map(at).collect()))
        }
        [m, n] => {
            let at = |i: usize| x.data.get((i + below) * n + i + above).copied();
            let len = m.saturating_sub(below).min(n.saturating_sub(above));
            Some((vec![len], (0..len).map(at).collect::<Option<_>>()?))
        }
        _ => None,
    }
}

fn vander(call: &Call<'_>) -> Option<Elements> {
    let x = call.operand(0)?;
    let count = call.int("N").map_or(x.data.len(), |n| n as usize);
    let value = |p: usize| {
        let (row, column) = (p / count, p % count);
        let power = if call.flag("increasing") { column } else { count - 1 - column };
        let start = Sum::number(1.0);
        let found = (0..power).fold(start, |s, _| s.times(Sum::of(x.data[row]), call.compute));
        found.value(power.max(1) * 4, call.compute)
    };
    Some((vec![x.data.len(), count], (0..x.data.len() * count).map(value).collect()))
}

/// By the series, of a matrix that is halved until it is small, squared as often.
fn exponentials(call: &Call<'_>) -> Option<Elements> {
    let x = call.operand(0)?;
    let n = *x.shape.last()?;
    const HALVINGS: i32 = 8;
    let exponential = |x: Matrix| {
        let part = Sum::number(2f64.powi(-HALVINGS));
        let small: Matrix =
            x.iter().map(|row| row.iter().map(|v| v.times(part, call.compute)).collect()).collect();
        let one = |i: usize, j: usize| Sum::number(if i == j { 1.0 } else { 0.0 });
        let mut term: Matrix = (0..n).map(|i| (0..n).map(|j| one(i, j)).collect()).collect();
        let mut sum = term.clone();
        for k in 1..24 {
            let divisor = Sum::number(f64::from(k));
            term = product(&term, &small, n, call.compute);
            term.iter_mut().flatten().for_each(|v| *v = v.over(divisor, call.compute));
            for (to, row) in sum.iter_mut().zip(&term) {
                to.iter_mut().zip(row).for_each(|(to, v)| *to = to.plus(*v, call.compute));
            }
        }
        (0..HALVINGS).fold(sum, |y, _| product(&y, &y, n, call.compute))
    };
    let all = matrices(&x).into_iter().map(exponential);
    // The approximant is a quotient of several products, which are squared some times.
    let norm = |y: &Matrix| y.iter().flatten().map(|v| v.mass).fold(0.0, f64::max);
    let value = |y: Matrix| {
        let mass = norm(&y);
        y.into_iter()
            .flatten()
            .map(move |v| Sum { mass, ..v }.value(16 * n, call.compute))
            .collect::<Vec<_>>()
    };
    let data = all.flat_map(value).collect();
    Some((x.shape, data))
}

/// Which triangle is solved with, and how.
#[derive(Clone, Copy)]
struct Triangle {
    upper: bool,
    adjoint: bool,
    unit: bool,
}

fn substituted(a: &Matrix, b: Matrix, triangle: Triangle, dtype: Dtype) -> Matrix {
    let n = a.len();
    let at = |i: usize, j: usize| match triangle.adjoint {
        true => Sum { im: -a[j][i].im, ..a[j][i] },
        false => a[i][j],
    };
    let upper = triangle.upper != triangle.adjoint;
    let mut x = b;
    for step in 0..n {
        let i = if upper { n - 1 - step } else { step };
        let known = if upper { i + 1..n } else { 0..i };
        for k in 0..x[i].len() {
            let minus = Sum { mass: 1.0, ..Sum::number(-1.0) };
            let mut sum = x[i][k];
            for j in known.clone() {
                sum = sum.plus(at(i, j).times(x[j][k], dtype).times(minus, dtype), dtype);
            }
            x[i][k] = if triangle.unit { sum } else { sum.over(at(i, i), dtype) };
        }
    }
    x
}

fn triangular(call: &Call<'_>) -> Option<Elements> {
    let factored = call.function == "lu_solve";
    let (a, b) = (call.operand(0)?, call.operand(if factored { 2 } else { 1 })?);
    let n = *a.shape.last()?;
    let vector = b.shape.len() == 1;
    let columns = if vector { Tensor { shape: vec![n, 1], ..b } } else { b };
    let k = *columns.shape.last()?;
    let own = |x: &Tensor| x.shape[..x.shape.len() - 2].to_vec();
    let lead = broadcast(&[&own(&a), &own(&columns)])?;
    let (of_a, of_b) = (spread(&own(&a), &lead), spread(&own(&columns), &lead));
    let (left, right) = (matrices(&a), matrices(&columns));
    let order = call.given(1).filter(|_| factored);
    let mut data = Vec::new();
    for (&i, &j) in of_a.iter().zip(&of_b) {
        let solve = |b: Matrix, upper: bool, adjoint: bool, unit: bool| {
            substituted(&left[i], b, Triangle { upper, adjoint, unit }, call.compute)
        };
        let found = match &order {
            Some(p) => {
                let rows = (0..n).map(|r| right[j][p.data[i * n + r].int() as usize].clone()).collect();
                solve(solve(rows, false, false, true), true, false, false)
            }
            None => {
                let upper = call.set("upper").unwrap_or(true);
                solve(right[j].clone(), upper, call.flag("adjoint"), call.flag("unit_diagonal"))
            }
        };
        data.extend(found.into_iter().flatten().map(|x| x.value(2 * n, call.compute)));
    }
    let shape = if vector { [lead, vec![n]].concat() } else { [lead, vec![n, k]].concat() };
    Some((shape, data))
}
