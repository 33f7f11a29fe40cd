//! D4 to D12, and the conventions at ties and kinks: the rules of single functions.

use super::{a, close, first, host, second, v};
use ivy::prelude::*;
use ivy::{Reduction, Result, ScatterFlat, linalg, s};
use std::f64::consts::PI;

#[test]
fn d4_what_is_nan_has_no_part_in_a_variance() {
    let x = v(&[1.0, f64::NAN, 3.0]);
    close(first(|x| ivy::nanvar(x, ()), &x), &[-1.0, 0.0, 1.0]);
    close(second(|x| ivy::nanvar(x, ()), &x), &[0.0, 0.0, 0.0]);
    close(first(|x| ivy::nanstd(x, ()), &x), &[-0.5, 0.0, 0.5]);
    let hessian = ivy::hessian(|x: &Array| ivy::nanvar(x, ()))(&x).unwrap();
    close(host(hessian), &[0.5, 0.0, -0.5, 0.0, 0.0, 0.0, -0.5, 0.0, 0.5]);
}

fn scattered(places: &[i64], updates: &Array, out: Option<&Array>, how: Reduction) -> Result<Array> {
    let indices = Array::from_vec(places.to_vec(), places.len())?;
    let keywords = ScatterFlat::new().reduction(how);
    match out {
        Some(out) => ivy::scatter_flat(&indices, updates, keywords.out(out)),
        None => ivy::scatter_flat(&indices, updates, keywords.size(1usize)),
    }
}

#[test]
fn d5_scatters_of_extremes_differentiate_by_one_operand() {
    let greatest = |u: &Array| scattered(&[0, 0], u, None, Reduction::Max);
    close(first(greatest, &v(&[1.0, 2.0])), &[0.0, 1.0]);
    close(second(greatest, &v(&[1.0, 2.0])), &[0.0, 0.0]);
    let into = |x: &Array| scattered(&[0, 0], &v(&[1.0, 2.0]), Some(x), Reduction::Min);
    close(first(into, &v(&[0.5])), &[1.0]);
    close(first(into, &v(&[5.0])), &[0.0]);
    let segments = |x: &Array| ivy::unsorted_segment_min(x, Array::try_from([0i64, 0, 1])?, 2);
    close(first(segments, &v(&[3.0, 1.0, 7.0])), &[0.0, 1.0, 1.0]);
}

#[test]
fn d6_a_product_with_an_update_of_zero_has_its_derivatives() {
    let times = |u: &Array| scattered(&[0], u, Some(&v(&[3.0])), Reduction::Mul);
    close(first(times, &v(&[0.0])), &[3.0]);
    let several = |u: &Array| scattered(&[0, 0, 0], u, Some(&v(&[3.0])), Reduction::Mul);
    close(first(several, &v(&[0.0, 2.0, 5.0])), &[30.0, 0.0, 0.0]);
    close(first(several, &v(&[0.0, 0.0, 5.0])), &[0.0, 0.0, 0.0]);
    // 3 u v w: the mixed second derivatives.
    let hessian = |x: &[f64]| host(ivy::hessian(|u: &Array| ivy::sum(several(u)?, ()))(&v(x)).unwrap());
    close(hessian(&[0.0, 2.0, 5.0]), &[0.0, 15.0, 6.0, 15.0, 0.0, 0.0, 6.0, 0.0, 0.0]);
    close(hessian(&[0.0, 0.0, 5.0]), &[0.0, 15.0, 0.0, 15.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    close(hessian(&[1.0, 2.0, 5.0]), &[0.0, 15.0, 6.0, 15.0, 0.0, 3.0, 6.0, 3.0, 0.0]);
    let of_x = |x: &Array| scattered(&[0], &v(&[0.0]), Some(x), Reduction::Mul);
    close(first(of_x, &v(&[3.0])), &[0.0]);
}

#[test]
fn d7_a_power_at_exponent_zero_has_a_symmetric_hessian() {
    let f = |x: &Array| ivy::pow(x.get(s![0])?, x.get(s![1])?);
    let hessian = |base: f64, exponent: f64| host(ivy::hessian(f)(&v(&[base, exponent])).unwrap());
    let l = 2f64.ln();
    close(hessian(2.0, 0.0), &[0.0, 0.5, 0.5, l * l]);
    close(hessian(2.0, 1.0), &[0.0, 1.0 + l, 1.0 + l, 2.0 * l * l]);
    let of_base = |exponent: f64| move |x: &Array| ivy::pow(x, exponent);
    close(first(of_base(0.0), &a(0.0)), &[0.0]);
    close(first(of_base(2.0), &a(0.0)), &[0.0]);
    close(second(of_base(2.0), &a(0.0)), &[2.0]);
    close(first(of_base(0.0), &a(1e-310)), &[0.0]);
}

#[test]
fn d8_a_perfect_fit_has_curvature() {
    let huber = |x: &Array| ivy::huber_loss(a(0.0), x, ());
    close(first(huber, &a(0.0)), &[0.0]);
    close(second(huber, &a(0.0)), &[1.0]);
    close(first(huber, &a(f64::INFINITY)), &[1.0]);
    close(first(huber, &a(-3.0)), &[-1.0]);
    close(second(huber, &a(3.0)), &[0.0]);
    let smooth = |x: &Array| ivy::smooth_l1_loss(x, a(0.0), ivy::SmoothL1Loss::new().beta(0.5));
    close(second(smooth, &a(0.0)), &[2.0]);
    close(first(smooth, &a(0.25)), &[0.5]);
    close(first(smooth, &a(f64::NEG_INFINITY)), &[-1.0]);
    assert_eq!(huber(&a(1e300)).unwrap().item::<f64>().unwrap(), 1e300);
}

#[test]
fn d9_sinc_at_zero() {
    close(first(|x| ivy::sinc(x), &a(0.0)), &[0.0]);
    close(second(|x| ivy::sinc(x), &a(0.0)), &[-PI * PI / 3.0]);
    // Where the series ends both forms agree.
    let edge = 1.0 / 1024.0;
    for x in [edge * (1.0 - 1e-12), edge] {
        let z = PI * x;
        let wanted = (z.cos() - z.sin() / z) / x;
        assert!((first(|x| ivy::sinc(x), &a(x))[0] - wanted).abs() < 1e-10, "{x}");
        assert!((second(|x| ivy::sinc(x), &a(x))[0] + PI * PI / 3.0).abs() < 1e-4, "{x}");
    }
}

#[test]
fn d10_fmod_at_zero() {
    let rest = |x: &Array| ivy::fmod(x, 2.0);
    close(first(rest, &v(&[0.0, -0.0, 1.0, -3.0])), &[1.0, 1.0, 1.0, 1.0]);
    close(second(rest, &a(0.0)), &[0.0]);
    let divisor = |x: &Array| ivy::fmod(a(5.0), x);
    close(first(divisor, &a(2.0)), &[-2.0]);
    let zero = ivy::fmod(v(&[-0.0, 0.0]), 2.0).unwrap().to_vec::<f64>().unwrap();
    assert!(zero[0].is_sign_negative() && zero[1].is_sign_positive());
    assert!(ivy::fmod(a(0.0), 0.0).unwrap().item::<f64>().unwrap().is_nan());
}

#[test]
fn d11_edges() {
    close(first(|x| ivy::logit(x, ()), &v(&[0.0, 0.5, 1.0])), &[f64::INFINITY, 4.0, f64::INFINITY]);
    let values = host(ivy::logit(v(&[0.0, 0.5, 1.0, 2.0]), ()).unwrap());
    close(values, &[f64::NEG_INFINITY, 0.0, f64::INFINITY, f64::NAN]);
    close(first(|x| ivy::softshrink(x, ()), &v(&[0.5, -0.5, 0.0, 0.6])), &[0.0, 0.0, 0.0, 1.0]);
    let by = |x: f64| move |b: &Array| ivy::remainder(a(x), b);
    close(first(by(1.0), &a(f64::NEG_INFINITY)), &[1.0]);
    close(first(by(1.0), &a(f64::INFINITY)), &[0.0]);
    close(first(by(-1.0), &a(f64::INFINITY)), &[1.0]);
    close(first(by(5.0), &a(3.0)), &[-1.0]);
}

#[test]
fn d12_decompositions_of_other_shapes() {
    let wide = Array::try_from([[2.0f64, 1.0, 0.5], [-1.0, 3.0, 4.0]]).unwrap();
    let direction = Array::try_from([[0.3f64, -0.2, 0.1], [0.5, 0.7, -0.4]]).unwrap();
    type Function = fn(&Array) -> Result<Array>;
    let functions: [(&str, Function, &Array); 3] = [
        ("q", |x| Ok(linalg::qr(x, ())?.q), &wide),
        ("r", |x| Ok(linalg::qr(x, ())?.r), &wide),
        (
            "lu",
            |x| {
                let square = ivy::matmul(x, ivy::matrix_transpose(x)?)?;
                Ok(ivy::lu_factor(square)?.lu)
            },
            &wide,
        ),
    ];
    for (name, f, x) in functions {
        let at =
            |step: f64| host(f(&ivy::add(x, ivy::multiply(&direction, step).unwrap()).unwrap()).unwrap());
        let (before, after, step) = (at(-1e-6), at(1e-6), 2e-6);
        let wanted: Vec<f64> = after.iter().zip(&before).map(|(b, a)| (b - a) / step).collect();
        let found = host(ivy::jvp(f, x, &direction).unwrap().1);
        for (x, y) in found.iter().zip(&wanted) {
            assert!((x - y).abs() < 1e-7, "{name}: {found:?}, not {wanted:?}");
        }
        let total = |x: &Array| ivy::sum(ivy::square(f(x)?)?, ());
        let gradient = ivy::grad(total)(x).unwrap();
        let along: f64 = host(ivy::multiply(gradient, &direction).unwrap()).iter().sum();
        let forward = host(ivy::jvp(total, x, &direction).unwrap().1)[0];
        assert!((along - forward).abs() < 1e-9, "{name}");
    }
    let solved = |x: &Array| {
        let b = v(&[1.0, -2.0]);
        let factors = ivy::lu_factor(x)?;
        ivy::sum(ivy::lu_solve(&factors.lu, &factors.p, &b)?, ())
    };
    let square = Array::try_from([[2.0f64, 1.0], [5.0, 3.0]]).unwrap();
    let wanted = ivy::grad(|x: &Array| ivy::sum(linalg::solve(x, v(&[1.0, -2.0]))?, ()))(&square).unwrap();
    close(host(ivy::grad(solved)(&square).unwrap()), &host(wanted));
}

#[test]
fn conventions_are_those_of_the_page() {
    // Gradients of what reads one triangle are Hermitian.
    let definite = Array::try_from([[4.0f64, 1.0], [1.0, 3.0]]).unwrap();
    let of =
        |f: fn(&Array) -> Result<Array>| host(ivy::grad(|x: &Array| ivy::sum(f(x)?, ()))(&definite).unwrap());
    for gradient in [
        of(|x| linalg::cholesky(x, ())),
        of(|x| linalg::eigvalsh(x)),
        of(|x| Ok(linalg::eigh(x)?.eigenvectors)),
    ] {
        assert!((gradient[1] - gradient[2]).abs() < 1e-12, "{gradient:?}");
    }
    // The first of equal elements of a window, in row-major order.
    let zeros = ivy::zeros([1, 2, 2, 1], Dtype::FLOAT64).unwrap();
    for strides in [1, 2] {
        let pooled = |x: &Array| ivy::max_pool2d(x, 2, strides, ivy::Padding::Valid, ());
        close(first(pooled, &zeros), &[1.0, 0.0, 0.0, 0.0]);
    }
    let tied = Array::from_vec(vec![0.0f64, 1.0, 1.0, 0.0], [1, 2, 2, 1]).unwrap();
    close(first(|x| ivy::max_pool2d(x, 2, 1, ivy::Padding::Valid, ()), &tied), &[0.0, 1.0, 0.0, 0.0]);
    // A NaN is the extreme, and the first one of several.
    let nan = f64::NAN;
    for (window, expected) in [
        (vec![1.0, nan], vec![0.0, 1.0]),
        (vec![nan, 1.0], vec![1.0, 0.0]),
        (vec![nan, nan], vec![1.0, 0.0]),
        (vec![2.0, 1.0], vec![1.0, 0.0]),
        (vec![1.0, 2.0, 2.0], vec![0.0, 1.0, 0.0]),
        (vec![1.0, nan, nan], vec![0.0, 1.0, 0.0]),
    ] {
        let len = window.len();
        let x = Array::from_vec(window, [1, len, 1]).unwrap();
        for strides in [1, len] {
            let pooled = |x: &Array| ivy::max_pool1d(x, len, strides, ivy::Padding::Valid, ());
            close(first(pooled, &x), &expected);
        }
    }
    // The first of equal elements so far, which the indices name.
    close(first(|x| Ok(ivy::cummax(x, ())?.values), &v(&[1.0, 1.0, 0.0])), &[3.0, 0.0, 0.0]);
    // A query that sees no key.
    let q = Array::try_from([[1.0f64, 0.0], [0.0, 1.0]]).unwrap();
    let mask = Array::try_from([[false, false], [true, false]]).unwrap();
    let attended =
        |x: &Array| ivy::scaled_dot_product_attention(x, &q, &q, ivy::Attention::new().mask(&mask));
    close(host(attended(&q).unwrap()), &[0.0, 0.0, 1.0, 0.0]);
    close(first(attended, &q), &[0.0; 4]);
    let hidden = ivy::logical_not(&mask).unwrap();
    let heads = |x: &Array| {
        let keywords =
            ivy::MultiHeadAttention::new().num_heads(1usize).key(&q).value(&q).attention_mask(&hidden);
        Ok(ivy::multi_head_attention(x, keywords)?.output)
    };
    close(host(heads(&q).unwrap()), &[0.0, 0.0, 1.0, 0.0]);
    close(first(heads, &q), &[0.0; 4]);
}
