//! Discrete Fourier transforms by their definition.

use super::dd::Dd;
use super::num::Num;
use super::value::Value;
use super::{Call, Tensor, Truth, axis, indices, place};
use ivy_core::function::ParamValue;

/// A complex number, and the magnitudes that were added to get it.
#[derive(Clone, Copy)]
struct Z {
    re: Dd,
    im: Dd,
    mass: f64,
}

const ZERO: Z = Z { re: Dd { hi: 0.0, lo: 0.0 }, im: Dd { hi: 0.0, lo: 0.0 }, mass: 0.0 };

impl Z {
    fn of(x: Num) -> Z {
        Z { re: x.re().into(), im: x.im().into(), mass: x.magnitude() }
    }
    fn conj(self) -> Z {
        Z { im: -self.im, ..self }
    }
}

struct Grid {
    shape: Vec<usize>,
    data: Vec<Z>,
}

impl Grid {
    /// Each line along an axis replaced by what `f` makes of it.
    fn along(&self, at: usize, f: impl Fn(Vec<Z>) -> Vec<Z>) -> Grid {
        let n = self.shape[at];
        let mut rest = self.shape.clone();
        rest[at] = 1;
        let lines: Vec<(Vec<usize>, Vec<Z>)> = indices(&rest)
            .map(|start| {
                let element = |k: usize| {
                    let mut index = start.clone();
                    index[at] = k;
                    self.data[place(&index, &self.shape)]
                };
                let line = f((0..n).map(element).collect());
                (start, line)
            })
            .collect();
        let mut shape = self.shape.clone();
        shape[at] = lines.first().map_or_else(|| f(vec![ZERO; n]).len(), |l| l.1.len());
        let mut data = vec![ZERO; shape.iter().product()];
        for (mut index, line) in lines {
            for (k, z) in line.into_iter().enumerate() {
                index[at] = k;
                data[place(&index, &shape)] = z;
            }
        }
        Grid { shape, data }
    }
}

/// The sums of the line's elements turned by multiples of `sign / n`, divided by `divisor`.
fn sums(line: &[Z], n: usize, sign: f64, divisor: f64) -> Vec<Z> {
    let turn = |j: usize, k: usize| {
        let (sin, cos) = (std::f64::consts::TAU * ((j * k) % n) as f64 / n as f64).sin_cos();
        (Dd::from(cos), Dd::from(sign * sin))
    };
    let divisor = Dd::from(divisor);
    (0..n)
        .map(|k| {
            let mut sum = ZERO;
            for (j, z) in line.iter().enumerate() {
                let (c, s) = turn(j, k);
                sum.re = sum.re + z.re * c - z.im * s;
                sum.im = sum.im + z.re * s + z.im * c;
                sum.mass += z.mass;
            }
            Z { re: sum.re / divisor, im: sum.im / divisor, mass: sum.mass / divisor.hi }
        })
        .collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Forward,
    Inverse,
    Real,
    RealInverse,
}

fn transformed(grid: &Grid, kind: Kind, at: usize, n: Option<i64>, norm: &str) -> Grid {
    let length = grid.shape[at];
    let n = match n {
        Some(n) if n >= 0 => n as usize,
        _ if kind == Kind::RealInverse => 2 * (length - 1),
        _ => length,
    };
    let forward = matches!(kind, Kind::Forward | Kind::Real);
    let divisor = match (norm, forward) {
        ("ortho", _) => (n as f64).sqrt(),
        ("forward", true) | ("backward", false) => n as f64,
        _ => 1.0,
    };
    let sign = if forward { -1.0 } else { 1.0 };
    grid.along(at, |mut line| match kind {
        Kind::RealInverse => {
            line.resize(n / 2 + 1, ZERO);
            line[0].im = ZERO.im;
            if n % 2 == 0 {
                line[n / 2].im = ZERO.im;
            }
            let whole: Vec<Z> =
                (0..n).map(|k| if k <= n / 2 { line[k] } else { line[n - k].conj() }).collect();
            let real = |z: Z| Z { im: ZERO.im, ..z };
            sums(&whole, n, sign, divisor).into_iter().map(real).collect()
        }
        _ => {
            line.resize(n, ZERO);
            let mut out = sums(&line, n, sign, divisor);
            out.truncate(if kind == Kind::Real { n / 2 + 1 } else { n });
            out
        }
    })
}

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    match call.function {
        "fftshift" | "ifftshift" => return Some(vec![shifted(call)?]),
        "fftfreq" | "rfftfreq" => return Some(vec![frequencies(call)]),
        _ => {}
    }
    let norm = match call.keyword("norm") {
        Some(ParamValue::Text(norm)) => norm.as_str(),
        _ => "backward",
    };
    let reversed = match norm {
        "backward" => "forward",
        "forward" => "backward",
        other => other,
    };
    let x = call.operand(0)?;
    let grid = Grid { shape: x.shape.clone(), data: x.data.iter().map(|&v| Z::of(v)).collect() };
    let ndim = x.shape.len();
    let one = |kind: Kind, norm: &str| {
        let at = axis(call.int("axis").unwrap_or(-1), ndim);
        transformed(&grid, kind, at, call.int("n"), norm)
    };
    let several = |kinds: [Kind; 2]| -> Grid {
        let s = call.ints("s");
        let axes = call.ints("axes").unwrap_or_else(|| match &s {
            Some(s) => (-(s.len() as i64)..0).collect(),
            None => (0..ndim as i64).collect(),
        });
        let mut steps: Vec<(usize, Option<i64>)> = axes
            .iter()
            .enumerate()
            .map(|(i, &a)| (axis(a, ndim), s.as_ref().map(|s| s[i]).filter(|&n| n != -1)))
            .collect();
        let last = steps.pop();
        let start = Grid { shape: grid.shape.clone(), data: grid.data.clone() };
        // The half of a transform is the first step of a forward one, and the last of an inverse one.
        let Some((at, n)) = last else { return start };
        let step = |g: Grid, (at, n): (usize, Option<i64>)| transformed(&g, kinds[0], at, n, norm);
        match kinds[1] {
            Kind::RealInverse => transformed(&steps.into_iter().fold(start, step), kinds[1], at, n, norm),
            first => steps.into_iter().fold(transformed(&start, first, at, n, norm), step),
        }
    };
    let grid = match call.function {
        "fft" => one(Kind::Forward, norm),
        "ifft" => one(Kind::Inverse, norm),
        "rfft" => one(Kind::Real, norm),
        "irfft" => one(Kind::RealInverse, norm),
        "hfft" => {
            let at = axis(call.int("axis").unwrap_or(-1), ndim);
            let data = grid.data.iter().map(|z| z.conj()).collect();
            let conjugate = Grid { shape: grid.shape.clone(), data };
            transformed(&conjugate, Kind::RealInverse, at, call.int("n"), reversed)
        }
        "ihfft" => {
            let mut grid = one(Kind::Real, reversed);
            grid.data.iter_mut().for_each(|z| *z = z.conj());
            grid
        }
        "fftn" => several([Kind::Forward, Kind::Forward]),
        "ifftn" => several([Kind::Inverse, Kind::Inverse]),
        "rfftn" => several([Kind::Forward, Kind::Real]),
        "irfftn" => several([Kind::Inverse, Kind::RealInverse]),
        _ => return None,
    };
    let count = grid.shape.iter().product::<usize>().max(x.data.len());
    let data = grid.data.iter().map(|z| Value::sum(z.re, z.im, z.mass, count)).collect();
    Some(vec![Truth { dtype: call.output(0), shape: grid.shape, data }])
}

fn shifted(call: &Call<'_>) -> Option<Truth> {
    let x: Tensor = call.given(0)?;
    let ndim = x.shape.len();
    let axes = call.ints("axes").unwrap_or_else(|| (0..ndim as i64).collect());
    let axes: Vec<usize> = axes.into_iter().map(|a| axis(a, ndim)).collect();
    let from = |mut index: Vec<usize>| {
        for &a in &axes {
            let n = x.shape[a];
            let by = if call.function == "fftshift" { n / 2 } else { n - n / 2 };
            index[a] = (index[a] + n - by) % n;
        }
        x.data[place(&index, &x.shape)]
    };
    Some(call.exact(x.shape.clone(), indices(&x.shape).map(from).collect()))
}

fn frequencies(call: &Call<'_>) -> Truth {
    let n = call.int("n").unwrap_or(4);
    let d = match call.keyword("d") {
        Some(ParamValue::Float(d)) => *d,
        _ => 1.0,
    };
    let whole: Vec<i64> = match call.function {
        "fftfreq" => (0..(n + 1) / 2).chain(-(n / 2)..0).collect(),
        _ => (0..n / 2 + 1).collect(),
    };
    let value = |&k: &i64| Value::real(Dd::from(k as f64) / (Dd::from(n as f64) * Dd::from(d)));
    Truth { dtype: call.output(0), shape: vec![whole.len()], data: whole.iter().map(value).collect() }
}
