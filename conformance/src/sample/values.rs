//! The numbers that calls are tried with.

use crate::rng::Rng;
use crate::truth::golden;
use crate::truth::num::{Num, cast, round_float};
use ivy_core::{Dtype, Kind, finfo};

/// The ends and corners of a dtype.
pub fn edges(dtype: Dtype) -> Vec<Num> {
    match dtype.kind() {
        Kind::Bool => vec![Num::Bool(false), Num::Bool(true)],
        Kind::Int | Kind::Uint => {
            let (min, max) = dtype.int_range().expect("an integer dtype");
            let mut all = vec![min, max, 0, 1, -1, 2, 7, min + 1, max - 1, 3, -5, 100, 31];
            all.retain(|i| (min..=max).contains(i));
            all.dedup();
            all.into_iter().map(Num::Int).collect()
        }
        Kind::Float => {
            let info = finfo(dtype).expect("a float dtype");
            let least = info.smallest_normal * info.eps;
            let plain = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1.5, 3.0, 100.0, info.eps];
            let ends = [info.max, info.min, info.smallest_normal, least, -least];
            let special = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
            plain.into_iter().chain(ends).chain(special).map(Num::Float).collect()
        }
        Kind::Complex => {
            const INF: f64 = f64::INFINITY;
            const NAN: f64 = f64::NAN;
            let finite = [
                (0.0, 0.0),
                (-0.0, 0.0),
                (1.0, 0.0),
                (0.0, 1.0),
                (-1.0, -0.0),
                (1.5, -2.5),
                (3.0, 4.0),
                (-100.0, 0.5),
                (1e-3, -1e3),
            ];
            let special = [
                (INF, 0.0),
                (0.0, INF),
                (-INF, NAN),
                (NAN, NAN),
                (NAN, 0.0),
                (1.0, INF),
                (INF, INF),
                (-INF, 1.0),
                (NAN, -INF),
                (INF, -2.0),
                (-1.0, NAN),
                (0.0, NAN),
            ];
            finite.into_iter().chain(special).map(|(a, b)| cast(Num::Complex(a, b), dtype)).collect()
        }
    }
}

/// Numbers of all magnitudes.
pub fn random(dtype: Dtype, rng: &mut Rng, n: usize) -> Vec<Num> {
    (0..n).map(|_| any(dtype, rng)).collect()
}

fn any(dtype: Dtype, rng: &mut Rng) -> Num {
    match dtype.kind() {
        Kind::Bool => Num::Bool(rng.bits() & 1 == 1),
        Kind::Int | Kind::Uint => {
            // Any width up to the dtype's, so that small numbers are as likely as large ones.
            let width = 1 + rng.below(dtype.bits());
            let bits = i128::from(rng.bits()) & ((1 << width) - 1);
            let sign = dtype.kind() == Kind::Int && rng.bits() & 1 == 1;
            cast(Num::Int(if sign { -bits } else { bits }), dtype)
        }
        Kind::Float => Num::Float(float(dtype, rng)),
        Kind::Complex => Num::Complex(float(dtype.real_part(), rng), float(dtype.real_part(), rng)),
    }
}

fn float(dtype: Dtype, rng: &mut Rng) -> f64 {
    let sign = if rng.bits() & 1 == 1 { -1.0 } else { 1.0 };
    let x = match rng.below(3) {
        0 => rng.unit(),
        1 => rng.unit() * 20.0,
        _ => 2f64.powf(rng.unit() * 30.0 - 15.0),
    };
    round_float(sign * x, dtype)
}

/// Numbers near 1 in magnitude, whose sums and products stay in range and whose order of
/// addition matters little.
pub fn moderate(dtype: Dtype, rng: &mut Rng, n: usize) -> Vec<Num> {
    let part = |rng: &mut Rng| {
        let x = 0.5 + rng.unit() * 1.25;
        if rng.bits() & 1 == 1 { -x } else { x }
    };
    let mut one = || match dtype.kind() {
        Kind::Float => cast(Num::Float(part(rng)), dtype),
        Kind::Complex => {
            // Near 1 in magnitude at any angle.
            let (size, angle) = (0.8 + rng.unit() * 0.45, rng.unit() * std::f64::consts::TAU);
            cast(Num::Complex(size * angle.cos(), size * angle.sin()), dtype)
        }
        _ => any(dtype, rng),
    };
    (0..n).map(|_| one()).collect()
}

/// Few distinct numbers, so that some are equal.
pub fn repeated(dtype: Dtype, rng: &mut Rng, n: usize, nan: bool) -> Vec<Num> {
    let pool: Vec<Num> = edges(dtype).into_iter().filter(|x| !x.is_nan()).take(7).collect();
    let mut values: Vec<Num> = (0..n).map(|_| pool[rng.below(pool.len())]).collect();
    if nan && n > 3 {
        let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        for (i, x) in special.into_iter().enumerate() {
            match dtype.kind() {
                Kind::Float => values[i * (n / 4)] = Num::Float(x),
                // More than one NaN among complex numbers has no order.
                Kind::Complex if i == 0 => values[n / 2] = Num::Complex(x, 0.0),
                _ => {}
            }
        }
    }
    values
}

/// The operands of a function's goldens that are numbers of these dtypes, one list for each operand.
pub fn goldens(function: &str, dtypes: &[Dtype]) -> Vec<Vec<Num>> {
    let complex = dtypes.iter().any(|d| d.is_complex());
    let name = if complex { format!("c_{function}") } else { function.to_string() };
    let mut lists = vec![Vec::new(); dtypes.len()];
    for row in golden::operands(&name) {
        let numbers: Option<Vec<Num>> = match complex {
            true => row.chunks(2).zip(dtypes).map(|(p, &d)| exactly(Num::Complex(p[0], p[1]), d)).collect(),
            false => row.iter().zip(dtypes).map(|(&x, &d)| exactly(Num::Float(x), d)).collect(),
        };
        if let Some(numbers) = numbers {
            lists.iter_mut().zip(numbers).for_each(|(list, x)| list.push(x));
        }
    }
    lists
}

/// The number as one of a dtype, if it is one: nothing is rounded and no sign of zero is lost.
fn exactly(x: Num, dtype: Dtype) -> Option<Num> {
    let y = cast(x, dtype);
    let same = |a: f64, b: f64| a.to_bits() == b.to_bits();
    (same(x.re(), y.re()) && same(x.im(), y.im())).then_some(y)
}
