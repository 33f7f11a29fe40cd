//! Random numbers: the same for a seed, and with the mean and the deviation that their distribution has.

use ivy_core::{Array, Dtype, functional as f};
use ivy_frontend_numpy::{NUMPY, Value, kw};

const DRAWS: usize = 20_000;

fn generator(seed: i64) -> Value<'static> {
    NUMPY.call("random.default_rng", &[seed.into()], ().into()).expect("a seed makes a generator")
}

fn draw(generator: &Value<'_>, name: &str, parameters: &[f64], size: usize) -> Array {
    let parameters = parameters.iter().map(|&p| Value::Float(p));
    let arguments: Vec<Value<'_>> = std::iter::once(generator.borrowed()).chain(parameters).collect();
    let path = format!("random.Generator.{name}");
    match NUMPY.call(&path, &arguments, kw! { size: size }) {
        Ok(Value::Array(drawn)) => drawn.into_owned(),
        other => panic!("{path}: {other:?}"),
    }
}

/// Distributions, their parameters, means and deviations.
fn moments() -> Vec<(&'static str, Vec<f64>, f64, f64)> {
    let pi = std::f64::consts::PI;
    vec![
        ("random", vec![], 0.5, (1.0 / 12.0f64).sqrt()),
        ("uniform", vec![-1.0, 3.0], 1.0, (16.0 / 12.0f64).sqrt()),
        ("normal", vec![2.0, 0.5], 2.0, 0.5),
        ("exponential", vec![2.0], 2.0, 2.0),
        ("gamma", vec![3.0, 2.0], 6.0, 12f64.sqrt()),
        ("beta", vec![2.0, 3.0], 0.4, 0.2),
        ("binomial", vec![10.0, 0.3], 3.0, 2.1f64.sqrt()),
        ("binomial", vec![1000.0, 0.25], 250.0, 187.5f64.sqrt()),
        ("chisquare", vec![4.0], 4.0, 8f64.sqrt()),
        ("geometric", vec![0.25], 4.0, 12f64.sqrt()),
        ("gumbel", vec![1.0, 2.0], 1.0 + 2.0 * 0.577_215_664_9, 2.0 * pi / 6f64.sqrt()),
        ("laplace", vec![1.0, 2.0], 1.0, 8f64.sqrt()),
        ("logistic", vec![1.0, 2.0], 1.0, 2.0 * pi / 3f64.sqrt()),
        ("lognormal", vec![0.0, 0.5], 0.125f64.exp(), ((0.25f64.exp() - 1.0) * 0.25f64.exp()).sqrt()),
        ("negative_binomial", vec![3.0, 0.5], 3.0, 6f64.sqrt()),
        ("noncentral_chisquare", vec![3.0, 2.0], 5.0, 14f64.sqrt()),
        ("noncentral_chisquare", vec![0.5, 0.0], 0.5, 1.0),
        (
            "noncentral_f",
            vec![4.0, 12.0, 2.0],
            1.8,
            (144.0 * (36.0 + 80.0) / (8.0 * 100.0 * 16.0) * 2.0f64).sqrt(),
        ),
        ("logseries", vec![0.5], 1.0 / 2f64.ln(), ((0.5 * (2f64.ln() - 0.5) / 0.25).sqrt()) / 2f64.ln()),
        ("pareto", vec![5.0], 0.25, (5.0 / (16.0 * 3.0f64)).sqrt()),
        ("poisson", vec![4.0], 4.0, 2.0),
        ("power", vec![2.0], 2.0 / 3.0, (1.0 / 18.0f64).sqrt()),
        ("rayleigh", vec![2.0], 2.0 * (pi / 2.0).sqrt(), 2.0 * (2.0 - pi / 2.0).sqrt()),
        ("triangular", vec![0.0, 1.0, 3.0], 4.0 / 3.0, (7.0 / 18.0f64).sqrt()),
        ("wald", vec![1.0, 2.0], 1.0, 0.5f64.sqrt()),
        ("weibull", vec![2.0], pi.sqrt() / 2.0, (1.0 - pi / 4.0).sqrt()),
    ]
}

#[test]
fn means_and_deviations() {
    let generator = generator(20);
    for (name, parameters, mean, deviation) in moments() {
        let drawn = f::astype(draw(&generator, name, &parameters, DRAWS), Dtype::FLOAT64).expect("numbers");
        let number = |x: ivy_core::Result<Array>| x.and_then(|x| x.to_scalar()).expect("a number").to_f64();
        let (m, s) = (number(f::mean(&drawn, ())), number(f::std(&drawn, ())));
        // Six deviations of a mean of so many draws, and a tenth of the deviation, whose own one depends on the tails.
        let apart = 6.0 * deviation / (DRAWS as f64).sqrt();
        assert!((m - mean).abs() < apart, "{name}: the mean is {m}, not {mean}");
        assert!((s - deviation).abs() < 0.1 * deviation, "{name}: the deviation is {s}, not {deviation}");
    }
}

#[test]
fn seeds_repeat() {
    let bits = |seed: i64| draw(&generator(seed), "normal", &[], 8).to_vec::<f64>().expect("float64");
    assert_eq!(bits(3), bits(3));
    assert_ne!(bits(3), bits(4));
    let one = generator(3);
    assert_ne!(
        draw(&one, "random", &[], 4).to_vec::<f64>().ok(),
        draw(&one, "random", &[], 4).to_vec::<f64>().ok()
    );
}

#[test]
fn draws_without_replacement_are_different() {
    let chosen =
        NUMPY.call("random.Generator.choice", &[generator(5), 9.into(), 9.into()], kw! { replace: false });
    let Ok(Value::Array(chosen)) = chosen else { panic!("an array is drawn") };
    let mut places = chosen.to_vec::<i64>().expect("int64");
    places.sort_unstable();
    assert_eq!(places, (0..9).collect::<Vec<i64>>());
}
