//! Moments of what is drawn, and its distance from its distribution (Kolmogorov and Smirnov), with as many numbers as
//! `IVY_RANDOM_DRAWS` says: `IVY_RANDOM_DRAWS=10000000 cargo test --release -p ivy-core --test it -- random_statistics
//! --nocapture` prints them.

use ivy::prelude::*;
use ivy::{Bernoulli, GammaParams, Poisson, RandomNormal, RandomUniform};

/// 10^5, or as `IVY_RANDOM_DRAWS` says.
fn draws() -> usize {
    std::env::var("IVY_RANDOM_DRAWS").ok().and_then(|n| n.parse().ok()).unwrap_or(100_000)
}

fn host(x: ivy::Result<Array>) -> Vec<f64> {
    ivy::astype(x.unwrap(), Dtype::FLOAT64).unwrap().to_vec().unwrap()
}

/// How far numbers are from moments about 0, of which the second half are those of the squares: in deviations, at most
/// 4.5.
fn moments(name: &str, x: &[f64], expected: [f64; 4]) {
    let n = x.len() as f64;
    for k in [1, 2] {
        let mean = x.iter().map(|x| x.powi(k)).sum::<f64>() / n;
        let (first, second) = (expected[k as usize - 1], expected[2 * k as usize - 1]);
        let away = (mean - first) / ((second - first * first) / n).sqrt();
        println!("{name}, {n} numbers: moment {k} {mean:.6}, expected {first:.6}, {away:+.2} deviations");
        assert!(away.abs() < 4.5, "{name}: moment {k}");
    }
}

/// The greatest distance of the share of numbers up to a place from what it should be, times the root of their
/// number: above 2.2 once in 10^4 times.
fn distance(name: &str, mut x: Vec<f64>, cdf: impl Fn(&[f64]) -> Vec<f64>) {
    x.sort_by(f64::total_cmp);
    let n = x.len() as f64;
    let away = |(i, p): (usize, &f64)| (p - i as f64 / n).abs().max((p - (i + 1) as f64 / n).abs());
    let distance = cdf(&x).iter().enumerate().map(away).fold(0.0, f64::max) * n.sqrt();
    println!("{name}, {n} numbers: Kolmogorov and Smirnov {distance:.3}");
    assert!(distance < 2.2, "{name}");
}

fn half_erfc(x: &[f64]) -> Vec<f64> {
    let x: Vec<f64> = x.iter().map(|x| -x / 2f64.sqrt()).collect();
    let n = x.len();
    let part = ivy::erfc(Array::from_vec(x, [n]).unwrap()).unwrap().to_vec::<f64>().unwrap();
    part.into_iter().map(|p| p / 2.0).collect()
}

#[test]
fn uniform_normal_and_exponential() {
    let shape = [draws()];
    for dtype in [Dtype::FLOAT32, Dtype::FLOAT64] {
        let x = host(ivy::random_uniform(0.0, 1.0, RandomUniform::new().shape(shape).dtype(dtype).seed(21)));
        let name = format!("uniform {dtype}");
        moments(&name, &x, [0.5, 1.0 / 3.0, 0.25, 0.2]);
        distance(&name, x, <[f64]>::to_vec);
        let x = host(ivy::random_normal(0.0, 1.0, RandomNormal::new().shape(shape).dtype(dtype).seed(22)));
        let name = format!("normal {dtype}");
        moments(&name, &x, [0.0, 1.0, 0.0, 3.0]);
        distance(&name, x, half_erfc);
        let x = host(ivy::exponential(1.0, GammaParams::new().shape(shape).dtype(dtype).seed(23)));
        let name = format!("exponential {dtype}");
        moments(&name, &x, [1.0, 2.0, 6.0, 24.0]);
        distance(&name, x, |x| x.iter().map(|x| -(-x).exp_m1()).collect());
    }
}

/// Fewer of what takes longer.
#[test]
fn gamma_beta_poisson_and_bernoulli() {
    let shape = [draws() / 10];
    let gamma = |alpha: f64| GammaParams::new().shape(shape).seed(alpha.to_bits());
    for alpha in [0.5, 3.0] {
        let x = host(ivy::gamma(alpha, 1.0, gamma(alpha).dtype(Dtype::FLOAT64)));
        let rising = |k: i32| (0..k).map(|i| alpha + f64::from(i)).product::<f64>();
        moments(&format!("gamma {alpha}"), &x, [1, 2, 3, 4].map(rising));
    }
    // The sum of three numbers of the exponential distribution.
    let erlang = |x: &[f64]| x.iter().map(|x| 1.0 - (-x).exp() * (1.0 + x + x * x / 2.0)).collect();
    distance("gamma 3", host(ivy::gamma(3.0, 1.0, gamma(3.0))), erlang);
    let x = host(ivy::beta(2.0, 3.0, gamma(2.0)));
    let part = |k: i32| (0..k).map(|i| (2.0 + f64::from(i)) / (5.0 + f64::from(i))).product::<f64>();
    moments("beta 2, 3", &x, [1, 2, 3, 4].map(part));
    distance("beta 2, 3", x, |x| x.iter().map(|x| x * x * (6.0 - 8.0 * x + 3.0 * x * x)).collect());
    for rate in [0.7f64, 4.0, 60.0] {
        let x = host(ivy::poisson(rate, Poisson::new().shape(shape).seed(24)));
        let r = rate;
        let raw = [r, r + r * r, r + 3.0 * r * r + r.powi(3), r + 7.0 * r * r + 6.0 * r.powi(3) + r.powi(4)];
        moments(&format!("poisson {rate}"), &x, raw);
    }
    let x = host(ivy::bernoulli(0.3, Bernoulli::new().shape(shape).seed(25)));
    moments("bernoulli 0.3", &x, [0.3; 4]);
}

/// Numbers of one draw that stand beside each other, and those of neighbouring draws and keys, have nothing in common.
#[test]
fn neighbours_are_independent() {
    let n = draws();
    let draw = |seed: u64| host(ivy::random_normal(0.0, 1.0, RandomNormal::new().shape([n]).seed(seed)));
    let (x, y) = (draw(1), draw(2));
    let together =
        |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>() / (n as f64).sqrt();
    let half = n / 2;
    let all = [
        ("the next one", together(&x, &x[1..])),
        ("the one half of the draw away", 2f64.sqrt() * together(&x[..half], &x[half..])),
        ("that of the next key", together(&x, &y)),
    ];
    for (what, correlation) in all {
        println!("a number and {what}: {correlation:+.2} deviations");
        assert!(correlation.abs() < 4.5, "{what}");
    }
}
