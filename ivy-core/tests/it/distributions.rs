//! The distributions of what is made of random numbers, and what is left out at random.

use ivy::prelude::*;
use ivy::{
    Attention, ChannelDropout, Choice, Dirichlet, Dropout, ErrorKind, GammaParams, MultiHeadAttention,
    Poisson,
};

const DRAWS: usize = 20_000;

/// The greatest distance of the share of numbers up to a place from what it should be, times the root of their
/// number: above 2.2 once in 10^4 times.
fn kolmogorov_smirnov(x: &Array, cdf: impl Fn(f64) -> f64) -> f64 {
    let mut x: Vec<f64> = ivy::astype(x, Dtype::FLOAT64).unwrap().to_vec().unwrap();
    x.sort_by(f64::total_cmp);
    let n = x.len() as f64;
    let away = |(i, &x): (usize, &f64)| {
        let p = cdf(x);
        (p - i as f64 / n).abs().max((p - (i + 1) as f64 / n).abs())
    };
    x.iter().enumerate().map(away).fold(0.0, f64::max) * n.sqrt()
}

/// Mean and variance.
fn moments(x: &Array) -> (f64, f64) {
    let x: Vec<f64> = ivy::astype(x, Dtype::FLOAT64).unwrap().to_vec().unwrap();
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    (mean, x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / x.len() as f64)
}

fn drawn(dtype: Dtype, seed: i64) -> GammaParams {
    GammaParams::new().shape([DRAWS]).dtype(dtype).seed(seed)
}

#[test]
fn gamma_numbers_have_their_distribution() {
    // Of whole shapes, with k terms: 1 - exp(-x) (1 + x + ... + x^(k-1) / (k-1)!).
    let erlang = |k: i32| {
        move |x: f64| {
            let (mut term, mut sum) = (1.0, 1.0);
            for i in 1..k {
                term *= x / f64::from(i);
                sum += term;
            }
            1.0 - (-x).exp() * sum
        }
    };
    let half = |x: f64| {
        let root = Array::try_from([x.sqrt()]).unwrap();
        ivy::erf(&root).unwrap().item::<f64>().unwrap()
    };
    for dtype in [Dtype::FLOAT32, Dtype::FLOAT64] {
        for k in [1, 2, 20] {
            let x = ivy::gamma(f64::from(k), 2.0, drawn(dtype, 5)).unwrap();
            assert!(kolmogorov_smirnov(&ivy::multiply(&x, 2.0).unwrap(), erlang(k)) < 2.2, "{k}");
        }
        let params = GammaParams::new().shape([2000]).dtype(dtype).seed(2);
        let x = ivy::gamma(0.5, None::<f64>, params).unwrap();
        assert!(kolmogorov_smirnov(&x, half) < 2.2);
    }
    for alpha in [0.1, 0.9, 1.5, 1000.0] {
        let (mean, variance) = moments(&ivy::gamma(alpha, 1.0, drawn(Dtype::FLOAT64, 3)).unwrap());
        let n = DRAWS as f64;
        assert!((mean - alpha).abs() < 4.5 * (alpha / n).sqrt(), "{alpha}: {mean}");
        // The fourth moment about the mean is 3 alpha^2 + 6 alpha.
        let spread = ((2.0 * alpha * alpha + 6.0 * alpha) / n).sqrt();
        assert!((variance - alpha).abs() < 4.5 * spread, "{alpha}: {variance}");
    }
}

#[test]
fn parts_of_sums_have_their_distributions() {
    let x = ivy::beta(1.0, 3.0, drawn(Dtype::FLOAT32, 1)).unwrap();
    assert!(kolmogorov_smirnov(&x, |x| 1.0 - (1.0 - x).powi(3)) < 2.2);
    let x = ivy::beta(0.5, 1.0, drawn(Dtype::FLOAT64, 1)).unwrap();
    assert!(kolmogorov_smirnov(&x, f64::sqrt) < 2.2);
    // Where both numbers are too small for the dtype their part of the sum is 0 or 1, mostly.
    let tiny = ivy::beta(1e-3, 1e-3, drawn(Dtype::FLOAT32, 1)).unwrap();
    assert!((moments(&tiny).0 - 0.5).abs() < 0.02);
    let alpha = Array::try_from([1.0f64, 2.0, 5.0]).unwrap();
    let x = ivy::dirichlet(&alpha, Dirichlet::new().size([DRAWS]).seed(4)).unwrap();
    let mean = ivy::mean(&x, ivy::Mean::new().axis(0)).unwrap().to_vec::<f64>().unwrap();
    for (mean, a) in mean.iter().zip([1.0, 2.0, 5.0]) {
        let variance = a * (8.0 - a) / (64.0 * 9.0);
        assert!((mean - a / 8.0).abs() < 4.5 * f64::sqrt(variance / DRAWS as f64));
    }
}

#[test]
fn truncated_numbers_are_near_the_mean() {
    let params = ivy::RandomNormal::new().shape([DRAWS]).dtype(Dtype::FLOAT64).seed(1);
    let x = ivy::truncated_normal(1.0, 2.0, params).unwrap();
    assert!(x.to_vec::<f64>().unwrap().iter().all(|x| (-3.0..=5.0).contains(x)));
    let (mean, variance) = moments(&x);
    // The variance of what is left of a standard normal number is 0.774.
    assert!((mean - 1.0).abs() < 4.5 * (4.0 * 0.774 / DRAWS as f64).sqrt());
    assert!((variance - 4.0 * 0.774).abs() < 0.12);
}

#[test]
fn orthogonal_matrices_are_orthogonal_and_of_both_signs() {
    let q = ivy::orthogonal([200, 3, 3], ivy::Orthogonal::new().dtype(Dtype::FLOAT64).seed(1)).unwrap();
    let unit = ivy::matmul(&q, ivy::matrix_transpose(&q).unwrap()).unwrap();
    let away = ivy::subtract(unit, ivy::eye(3, Dtype::FLOAT64).unwrap()).unwrap();
    assert!(ivy::max(ivy::abs(away).unwrap(), ()).unwrap().item::<f64>().unwrap() < 1e-14);
    // Each element has a mean of 0 and a variance of 1/3.
    let (mean, variance) = moments(&q);
    assert!(mean.abs() < 4.5 / 1800f64.sqrt() && (variance - 1.0 / 3.0).abs() < 0.02);
    let wide = ivy::orthogonal([2, 5], ivy::Orthogonal::new().seed(1)).unwrap();
    let unit = ivy::matmul(&wide, ivy::matrix_transpose(&wide).unwrap()).unwrap().to_vec::<f32>().unwrap();
    assert!(unit.iter().zip([1.0, 0.0, 0.0, 1.0]).all(|(x, y)| (x - y).abs() < 1e-5));
    assert!(ivy::orthogonal([3], ()).is_err());
}

#[test]
fn exponential_numbers_have_their_distribution() {
    for dtype in [Dtype::FLOAT32, Dtype::FLOAT64] {
        let x = ivy::exponential(4.0, drawn(dtype, 1)).unwrap();
        assert!(kolmogorov_smirnov(&x, |x| 1.0 - (-x / 4.0).exp()) < 2.2);
    }
}

#[test]
fn poisson_numbers_have_their_distribution() {
    for rate in [0.3, 4.0, 9.9, 10.0, 30.0, 200.0] {
        let x = ivy::poisson(rate, Poisson::new().shape([DRAWS]).seed(6)).unwrap();
        let x = x.to_vec::<f32>().unwrap();
        let most = (rate + 8.0 * f64::sqrt(rate) + 8.0) as usize;
        let mut counts = vec![0.0f64; most + 1];
        x.iter().for_each(|&x| counts[x as usize] += 1.0);
        // Numbers of less than five expected draws are left to the sum of all.
        let (mut p, mut square, mut free) = (f64::exp(-rate), 0.0, -1.0f64);
        let (mut rest, mut rest_count) = (DRAWS as f64, DRAWS as f64);
        for (k, count) in counts.iter().enumerate() {
            let expected = p * DRAWS as f64;
            if expected >= 5.0 {
                square += (count - expected).powi(2) / expected;
                free += 1.0;
                (rest, rest_count) = (rest - expected, rest_count - count);
            }
            p *= rate / (k + 1) as f64;
        }
        if rest >= 1.0 {
            square += (rest_count - rest).powi(2) / rest;
            free += 1.0;
        }
        assert!((square - free) / (2.0 * free).sqrt() < 5.0, "{rate}: {square} of {free}");
    }
    let rates = Array::try_from([-1.0f32, 0.0, 1e6]).unwrap();
    let x = ivy::poisson(&rates, Poisson::new().fill_value(-7.0).seed(1)).unwrap().to_vec::<f32>().unwrap();
    assert!(x[..2] == [-7.0, 0.0] && (x[2] - 1e6).abs() < 6e3);
}

#[test]
fn choices_are_of_what_there_is() {
    let x = Array::try_from([[1i32, 2, 3], [4, 5, 6]]).unwrap();
    let y = ivy::choice(&x, Choice::new().size([2, 2]).axis(1).seed(1)).unwrap();
    assert_eq!(y.shape().to_string(), "(2, 2, 2)");
    let y = y.to_vec::<i32>().unwrap();
    assert!((0..4).all(|i| y[i] + 3 == y[4 + i]));
    let weights = Array::try_from([1.0f64, 3.0]).unwrap();
    let coin = Array::try_from([0.0f64, 1.0]).unwrap();
    let y = ivy::choice(&coin, Choice::new().size([DRAWS]).p(&weights).seed(2)).unwrap();
    assert!((moments(&y).0 - 0.75).abs() < 4.5 * (0.1875 / DRAWS as f64).sqrt());
}

#[test]
fn what_stays_keeps_the_mean_and_has_a_derivative() {
    let x = ivy::ones([DRAWS], ()).unwrap();
    let y = ivy::dropout(&x, 0.3, Dropout::new().seed(1)).unwrap();
    let zeros = y.to_vec::<f32>().unwrap().iter().filter(|&&y| y == 0.0).count() as f64;
    assert!((zeros / DRAWS as f64 - 0.3).abs() < 4.5 * (0.21 / DRAWS as f64).sqrt());
    let loss = |x: &Array| ivy::sum(ivy::dropout(x, 0.3, Dropout::new().seed(1))?, ());
    let slope = ivy::grad(loss)(&x).unwrap();
    assert_eq!(slope.to_vec::<f32>().unwrap(), y.to_vec::<f32>().unwrap());
    // Of one value, each query has a weight of 1 or nothing.
    let (q, v) = (ivy::ones([DRAWS, 1], ()).unwrap(), ivy::ones([1, 1], ()).unwrap());
    let params = || Attention::new().dropout_p(0.5).seed(3);
    let y = ivy::scaled_dot_product_attention(&q, &v, &v, params().training()).unwrap();
    assert!(y.to_vec::<f32>().unwrap().iter().all(|&y| y == 0.0 || y == 2.0));
    assert!((moments(&y).0 - 1.0).abs() < 4.5 / (DRAWS as f64).sqrt());
    let y = ivy::scaled_dot_product_attention(&q, &v, &v, params()).unwrap();
    assert!(y.to_vec::<f32>().unwrap().iter().all(|&y| y == 1.0));
}

#[test]
fn bad_arguments_are_refused() {
    let kind = |result: ivy::Result<Array>| match result.unwrap_err().kind() {
        ErrorKind::InvalidArgument { argument, .. } => format!("invalid {argument}"),
        ErrorKind::ShapeMismatch { argument, .. } => format!("shape {argument}"),
        other => format!("{other:?}"),
    };
    let ones = |n: usize| ivy::ones([n, 2], ()).unwrap();
    assert_eq!(kind(ivy::gamma(0.0, 1.0, ())), "invalid alpha");
    assert_eq!(kind(ivy::gamma(1.0, f64::INFINITY, ())), "invalid beta");
    assert_eq!(kind(ivy::beta(1.0, -1.0, ())), "invalid beta");
    assert_eq!(kind(ivy::beta(1.0, 1.0, GammaParams::new().dtype(Dtype::INT8))), "invalid dtype");
    assert_eq!(kind(ivy::exponential(-1.0, ())), "invalid scale");
    assert_eq!(kind(ivy::poisson(f64::NAN, ())), "invalid lam");
    assert_eq!(kind(ivy::poisson(ones(2), Poisson::new().shape([2]))), "shape shape");
    assert_eq!(kind(ivy::dirichlet(ivy::ones((), ()).unwrap(), ())), "shape alpha");
    assert_eq!(kind(ivy::choice(ones(2), Choice::new().size([3]).replace(false))), "invalid size");
    assert_eq!(kind(ivy::choice(ones(0), Choice::new())), "invalid size");
    assert_eq!(kind(ivy::choice(ones(2), Choice::new().p(ones(2)))), "shape p");
    assert!(kind(ivy::choice(ones(2), Choice::new().axis(2))).starts_with("AxisOutOfRange"));
    assert_eq!(kind(ivy::dropout(ones(2), 1.5, ())), "invalid prob");
    assert_eq!(kind(ivy::dropout(ones(2), 0.5, Dropout::new().noise_shape([3, 2]))), "shape noise_shape");
    assert_eq!(kind(ivy::dropout(ones(2), 0.5, Dropout::new().noise_shape([1, 1, 1]))), "shape noise_shape");
    assert_eq!(kind(ivy::dropout(ones(2), 0.5, Dropout::new().dtype(Dtype::INT32))), "invalid dtype");
    assert_eq!(kind(ivy::dropout2d(ones(2), 0.5, ())), "shape x");
    let format = ChannelDropout::new().data_format(ivy::DataFormat::Nhwc);
    assert_eq!(kind(ivy::dropout1d(ones(2), 0.5, format)), "invalid data_format");
    let heads = MultiHeadAttention::new().num_heads(1usize).dropout(-0.5);
    let refused = ivy::multi_head_attention(ones(2), heads).unwrap_err();
    assert!(matches!(refused.kind(), ErrorKind::InvalidArgument { argument: "dropout", .. }));
}
