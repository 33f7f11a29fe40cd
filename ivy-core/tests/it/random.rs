//! Random numbers: streams that do not meet, and the distributions of what is drawn.

use ivy::prelude::*;
use ivy::{ErrorKind, Generator, Multinomial, RandInt, RandomBits, RandomNormal, RandomUniform, Seed};
use std::collections::HashSet;

/// How many numbers a distribution is tried with: 10^5, or as `IVY_RANDOM_DRAWS` says.
fn draws() -> usize {
    std::env::var("IVY_RANDOM_DRAWS").ok().and_then(|n| n.parse().ok()).unwrap_or(100_000)
}

fn uniform(seed: impl Into<Seed>) -> Vec<f32> {
    let params = RandomUniform::new().shape([8]).seed(seed);
    ivy::random_uniform(0.0, 1.0, params).unwrap().to_vec().unwrap()
}

fn drawn() -> Vec<f32> {
    ivy::random_uniform(0.0, 1.0, RandomUniform::new().shape([8])).unwrap().to_vec().unwrap()
}

/// The greatest distance of the share of numbers up to a place from what it should be, times the root of their
/// number: above 2.2 once in 10^4 times.
fn kolmogorov_smirnov(mut x: Vec<f64>, cdf: impl Fn(f64) -> f64) -> f64 {
    x.sort_by(f64::total_cmp);
    let n = x.len() as f64;
    let away = |(i, &x): (usize, &f64)| {
        let p = cdf(x);
        (p - i as f64 / n).abs().max((p - (i + 1) as f64 / n).abs())
    };
    x.iter().enumerate().map(away).fold(0.0, f64::max) * n.sqrt()
}

#[test]
fn draws_and_splits_do_not_meet() {
    let mut generator = Generator::new(1);
    let mut states = HashSet::new();
    for _ in 0..100 {
        let seed = generator.draw();
        assert!((0..=255).all(|part| states.insert(seed.state(part))));
    }
    let mut keys: HashSet<u64> = generator.clone().split(100).iter().map(|g| g.key).collect();
    assert_eq!(generator.clone().split2().map(|g| g.key), [0, 1].map(|i| generator.clone().split(2)[i].key));
    generator.draw();
    keys.extend(generator.split(100).iter().map(|g| g.key));
    keys.extend((0..100).map(|i| generator.fold_in(i).key));
    assert_eq!(keys.len(), 300);
    assert_eq!(generator.fold_in(5), generator.fold_in(5));
}

#[test]
fn seeds_make_calls_again() {
    assert_eq!(uniform(5), uniform(5));
    assert_ne!(uniform(5), uniform(6));
    let mut generator = Generator::new(5);
    assert_eq!(uniform(&mut generator), uniform(5));
    assert_ne!(uniform(&mut generator), uniform(5));
}

#[test]
fn a_seed_is_of_its_frame() {
    let outer = Context::new().generator(Generator::new(1));
    let (a, b) = ivy::with(&outer, || {
        let a = drawn();
        ivy::with(&Context::new(), || {
            ivy::seed(9);
            assert_eq!(drawn(), uniform(9));
        });
        (a, drawn())
    });
    let mut generator = Generator::new(1);
    assert_eq!((a, b), (uniform(&mut generator), uniform(&mut generator)));
    // Nothing was seeded outside: each call has other numbers.
    assert_ne!(drawn(), drawn());
}

#[test]
fn threads_share_a_context_and_no_numbers() {
    let context = Context::new().generator(Generator::new(3));
    let all: Vec<Vec<f32>> = std::thread::scope(|scope| {
        let draw = || ivy::with(&context, || (0..50).map(|_| drawn()).collect::<Vec<_>>());
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(draw)).collect();
        threads.into_iter().flat_map(|t| t.join().unwrap()).collect()
    });
    let bits = |x: &Vec<f32>| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    let mut generator = Generator::new(3);
    let expected: HashSet<_> = (0..200).map(|_| bits(&uniform(&mut generator))).collect();
    assert_eq!(all.iter().map(bits).collect::<HashSet<_>>(), expected);
}

#[test]
fn uniform_numbers_are_uniform_and_below_the_end() {
    for dtype in [Dtype::FLOAT32, Dtype::FLOAT64] {
        let params = RandomUniform::new().shape([draws()]).dtype(dtype).seed(11);
        let x = ivy::random_uniform(-1.0, 3.0, params).unwrap();
        let x: Vec<f64> = ivy::astype(&x, Dtype::FLOAT64).unwrap().to_vec().unwrap();
        assert!(x.iter().all(|x| (-1.0..3.0).contains(x)));
        assert!(kolmogorov_smirnov(x, |x| (x + 1.0) / 4.0) < 2.2);
    }
    // Few numbers between the bounds: rounding leads to the end often.
    for (low, high) in [(1.0, 1.0 + 3.0 * f64::from(f32::EPSILON)), (-2.0, -2.0 + f64::from(f32::EPSILON))] {
        let x = ivy::random_uniform(low, high, RandomUniform::new().shape([1000]).seed(2)).unwrap();
        assert!(x.to_vec::<f32>().unwrap().iter().all(|&x| f64::from(x) >= low && f64::from(x) < high));
    }
}

#[test]
fn normal_numbers_have_their_moments() {
    let n = draws();
    let params = RandomNormal::new().shape([n]).dtype(Dtype::FLOAT64).seed(4);
    let x: Vec<f64> = ivy::random_normal(0.0, 1.0, params).unwrap().to_vec().unwrap();
    let moment = |k: i32| x.iter().map(|x| x.powi(k)).sum::<f64>() / n as f64;
    // Within 4.5 deviations of each: those of powers are the roots of 1, 2, 15 and 96.
    for (k, expected, variance) in [(1, 0.0, 1.0), (2, 1.0, 2.0), (3, 0.0, 15.0), (4, 3.0, 96.0f64)] {
        assert!((moment(k) - expected).abs() < 4.5 * (variance / n as f64).sqrt(), "moment {k}");
    }
    let half = |x: f64| {
        let x = Array::try_from([-x / 2f64.sqrt()]).unwrap();
        ivy::erfc(&x).unwrap().item::<f64>().unwrap() / 2.0
    };
    let few: Vec<f64> = x.into_iter().take(20_000).collect();
    assert!(kolmogorov_smirnov(few, half) < 2.2);
}

#[test]
fn integers_are_equally_likely() {
    for (low, high) in [(0i64, 7), (-50, 50), (5, 21)] {
        let n = draws();
        let x = ivy::randint(low, high, RandInt::new().shape([n]).seed(8)).unwrap();
        let mut counts = vec![0f64; (high - low) as usize];
        x.to_vec::<i32>().unwrap().iter().for_each(|&x| counts[(i64::from(x) - low) as usize] += 1.0);
        let each = n as f64 / counts.len() as f64;
        let square: f64 = counts.iter().map(|c| (c - each).powi(2) / each).sum();
        let free = counts.len() as f64 - 1.0;
        assert!((square - free) / (2.0 * free).sqrt() < 4.5, "{low} to {high}: {square}");
    }
}

#[test]
fn weights_are_kept() {
    let weights = Array::try_from([[1.0f64, 0.0, 3.0], [0.0, 1.0, 1.0]]).unwrap();
    let n = draws() / 2;
    let params = Multinomial::new().probs(&weights).batch_size(2usize).seed(1);
    let x = ivy::multinomial(3, n, params).unwrap().to_vec::<i64>().unwrap();
    let share =
        |line: usize, k: i64| x[line * n..][..n].iter().filter(|&&c| c == k).count() as f64 / n as f64;
    let expected = [[0.25, 0.0, 0.75], [0.0, 0.5, 0.5]];
    for (line, shares) in expected.into_iter().enumerate() {
        for (k, p) in shares.into_iter().enumerate() {
            assert!((share(line, k as i64) - p).abs() <= 4.5 * (p * (1.0 - p) / n as f64).sqrt());
        }
    }
}

#[test]
fn bad_arguments_are_refused() {
    let invalid = |result: ivy::Result<Array>| {
        let error = result.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::InvalidArgument { .. }), "{error}");
    };
    invalid(ivy::random_uniform(2.0, 1.0, ()));
    invalid(ivy::random_uniform(0.0, f64::INFINITY, ()));
    invalid(ivy::random_uniform(0.0, 1.0, RandomUniform::new().dtype(Dtype::INT32)));
    invalid(ivy::random_normal(0.0, -1.0, ()));
    invalid(ivy::randint(3, 3, ()));
    invalid(ivy::randint(0, 300, RandInt::new().dtype(Dtype::UINT8)));
    invalid(ivy::randint(0, 3, RandInt::new().dtype(Dtype::FLOAT32)));
    invalid(ivy::bernoulli(1.5, ()));
    invalid(ivy::bernoulli(None::<f64>, ()));
    invalid(ivy::multinomial(2, 3, Multinomial::new().replace(false)));
    let state = Array::try_from([1u32, 2, 3]).unwrap();
    assert!(matches!(
        ivy::random_bits(&state, RandomBits::new()).unwrap_err().kind(),
        ErrorKind::ShapeMismatch { .. }
    ));
    let huge = RandomNormal::new().shape([usize::MAX / 2, 4]);
    assert!(matches!(ivy::random_normal(0.0, 1.0, huge).unwrap_err().kind(), ErrorKind::SizeOverflow { .. }));
}
