//! First and second derivatives of every element-wise rule at its kinks, zeros and poles, by their closed forms.

use super::{a, close, first, host, second, v};
use ivy::prelude::*;
use ivy::{Result, linalg};
use std::f64::consts::{LN_2, LN_10, PI};

/// Euler's constant, and Apery's, the sum of `1 / n^3`.
const GAMMA: f64 = 0.577_215_664_901_532_9;
const ZETA3: f64 = 1.202_056_903_159_594_2;
const INF: f64 = f64::INFINITY;

type Function = fn(&Array) -> Result<Array>;

/// A function with points, each with the first and the second derivative there.
type Row = (&'static str, Function, &'static [(f64, f64, f64)]);

fn check(rows: &[Row]) {
    for &(name, f, points) in rows {
        for &(x, slope, curvature) in points {
            let found = first(f, &a(x))[0];
            let once = ivy::grad(f);
            let again = host(ivy::grad(&once)(&a(x)).unwrap())[0];
            let along = host(ivy::jvp(&once, &a(x), &a(1.0)).unwrap().1)[0];
            let near = |a: f64, b: f64| {
                a == b || (a - b).abs() <= 1e-12 * (1.0 + b.abs()) || a.is_nan() && b.is_nan()
            };
            assert!(near(found, slope), "{name} at {x}: the slope is {slope}, not {found}");
            for curved in [again, along] {
                assert!(
                    near(curved, curvature),
                    "{name} at {x}: the curvature is {curvature}, not {again} and {along}"
                );
            }
        }
    }
}

#[test]
fn of_one_operand() {
    let bell = 2.0 / PI.sqrt();
    check(&[
        ("negative", |x| ivy::negative(x), &[(0.0, -1.0, 0.0)]),
        ("positive", |x| ivy::positive(x), &[(0.0, 1.0, 0.0)]),
        ("abs", |x| ivy::abs(x), &[(0.0, 0.0, 0.0), (-0.0, 0.0, 0.0), (-2.0, -1.0, 0.0)]),
        ("sign", |x| ivy::sign(x), &[(0.0, 0.0, 0.0), (2.0, 0.0, 0.0)]),
        ("ceil", |x| ivy::ceil(x), &[(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)]),
        ("floor", |x| ivy::floor(x), &[(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)]),
        ("round", |x| ivy::round(x), &[(0.5, 0.0, 0.0), (1.5, 0.0, 0.0)]),
        ("trunc", |x| ivy::trunc(x), &[(0.0, 0.0, 0.0), (-1.0, 0.0, 0.0)]),
        ("exp", |x| ivy::exp(x), &[(0.0, 1.0, 1.0), (-INF, 0.0, 0.0)]),
        ("expm1", |x| ivy::expm1(x), &[(0.0, 1.0, 1.0)]),
        ("exp2", |x| ivy::exp2(x), &[(0.0, LN_2, LN_2 * LN_2)]),
        ("log", |x| ivy::log(x), &[(0.0, INF, -INF), (1.0, 1.0, -1.0), (INF, 0.0, 0.0)]),
        ("log1p", |x| ivy::log1p(x), &[(-1.0, INF, -INF), (0.0, 1.0, -1.0)]),
        ("log2", |x| ivy::log2(x), &[(0.0, INF, -INF), (1.0, 1.0 / LN_2, -1.0 / LN_2)]),
        ("log10", |x| ivy::log10(x), &[(0.0, INF, -INF), (1.0, 1.0 / LN_10, -1.0 / LN_10)]),
        ("sqrt", |x| ivy::sqrt(x), &[(0.0, INF, -INF), (4.0, 0.25, -1.0 / 32.0)]),
        ("reciprocal", |x| ivy::reciprocal(x), &[(0.0, -INF, INF), (2.0, -0.25, 0.25), (-0.0, -INF, -INF)]),
        ("square", |x| ivy::square(x), &[(0.0, 0.0, 2.0)]),
        ("sin", |x| ivy::sin(x), &[(0.0, 1.0, 0.0)]),
        ("cos", |x| ivy::cos(x), &[(0.0, 0.0, -1.0)]),
        ("tan", |x| ivy::tan(x), &[(0.0, 1.0, 0.0)]),
        ("sinh", |x| ivy::sinh(x), &[(0.0, 1.0, 0.0)]),
        ("cosh", |x| ivy::cosh(x), &[(0.0, 0.0, 1.0)]),
        ("tanh", |x| ivy::tanh(x), &[(0.0, 1.0, 0.0), (INF, 0.0, 0.0), (40.0, 0.0, 0.0)]),
        ("asin", |x| ivy::asin(x), &[(0.0, 1.0, 0.0), (0.6, 1.25, 0.6 * 1.25 * 1.25 * 1.25)]),
        ("acos", |x| ivy::acos(x), &[(0.0, -1.0, 0.0), (0.6, -1.25, -0.6 * 1.25 * 1.25 * 1.25)]),
        ("acosh", |x| ivy::acosh(x), &[(1.25, 4.0 / 3.0, -1.25 * 64.0 / 27.0)]),
        ("asinh", |x| ivy::asinh(x), &[(0.0, 1.0, 0.0), (0.75, 0.8, -0.75 * 0.512)]),
        ("atan", |x| ivy::atan(x), &[(0.0, 1.0, 0.0), (1.0, 0.5, -0.5)]),
        ("atanh", |x| ivy::atanh(x), &[(0.0, 1.0, 0.0), (0.5, 4.0 / 3.0, 16.0 / 9.0)]),
        (
            "lgamma",
            |x| ivy::lgamma(x),
            &[(1.0, -GAMMA, PI * PI / 6.0), (2.0, 1.0 - GAMMA, PI * PI / 6.0 - 1.0)],
        ),
        ("digamma", |x| ivy::digamma(x), &[(1.0, PI * PI / 6.0, -2.0 * ZETA3)]),
        ("relu", |x| ivy::relu(x, ()), &[(0.0, 0.0, 0.0), (1.0, 1.0, 0.0)]),
        ("sigmoid", |x| ivy::sigmoid(x, ()), &[(0.0, 0.25, 0.0)]),
        ("logsigmoid", |x| ivy::logsigmoid(x, ()), &[(0.0, 0.5, -0.25)]),
        ("softplus", |x| ivy::softplus(x, ()), &[(0.0, 0.5, 0.25)]),
        ("silu", |x| ivy::silu(x), &[(0.0, 0.5, 0.5)]),
        ("softsign", |x| ivy::softsign(x), &[(0.0, 1.0, 0.0), (1.0, 0.25, -0.25)]),
        ("tanhshrink", |x| ivy::tanhshrink(x), &[(0.0, 0.0, 0.0)]),
    ]);
    // At the ends of their domains, where no second derivative is finite.
    close(first(|x| ivy::asin(x), &v(&[-1.0, 1.0])), &[INF, INF]);
    close(first(|x| ivy::acos(x), &v(&[-1.0, 1.0])), &[-INF, -INF]);
    close(first(|x| ivy::atanh(x), &v(&[-1.0, 1.0])), &[INF, INF]);
    close(first(|x| ivy::acosh(x), &a(1.0)), &[INF]);
    close(first(|x| ivy::erf(x), &v(&[0.0, INF])), &[bell, 0.0]);
    close(second(|x| ivy::erf(x), &v(&[0.0, 1.0])), &[0.0, -2.0 * bell * (-1f64).exp()]);
    close(first(|x| ivy::erfc(x), &v(&[0.0, INF])), &[-bell, 0.0]);
    close(second(|x| ivy::erfc(x), &v(&[0.0, 1.0])), &[0.0, 2.0 * bell * (-1f64).exp()]);
}

#[test]
fn of_two_operands() {
    check(&[
        ("subtract", |x| ivy::subtract(1.0, x), &[(0.0, -1.0, 0.0)]),
        ("multiply", |x| ivy::multiply(x, x), &[(0.0, 0.0, 2.0)]),
        ("multiply by 0", |x| ivy::multiply(x, 0.0), &[(3.0, 0.0, 0.0)]),
        ("divide", |x| ivy::divide(1.0, x), &[(2.0, -0.25, 0.25), (0.0, -INF, INF)]),
        ("divide itself", |x| ivy::divide(x, x), &[(2.0, 0.0, 0.0)]),
        ("divide 0", |x| ivy::divide(0.0, x), &[(2.0, 0.0, 0.0)]),
        ("maximum", |x| ivy::maximum(x, 1.0), &[(1.0, 0.5, 0.0), (2.0, 1.0, 0.0), (0.0, 0.0, 0.0)]),
        ("minimum", |x| ivy::minimum(1.0, x), &[(1.0, 0.5, 0.0), (2.0, 0.0, 0.0), (0.0, 1.0, 0.0)]),
        ("maximum of itself", |x| ivy::maximum(x, x), &[(1.0, 1.0, 0.0)]),
        ("hypot", |x| ivy::hypot(x, 4.0), &[(3.0, 0.6, 16.0 / 125.0), (0.0, 0.0, 0.25)]),
        ("atan2 of the first", |x| ivy::atan2(x, 1.0), &[(0.0, 1.0, 0.0), (1.0, 0.5, -0.5)]),
        ("atan2 of the second", |x| ivy::atan2(1.0, x), &[(0.0, -1.0, 0.0), (1.0, -0.5, 0.5)]),
        ("logaddexp", |x| ivy::logaddexp(x, 0.0), &[(0.0, 0.5, 0.25), (-INF, 0.0, 0.0)]),
        ("logaddexp of itself", |x| ivy::logaddexp(x, x), &[(1.0, 1.0, 0.0)]),
        ("remainder", |x| ivy::remainder(x, 2.0), &[(0.0, 1.0, 0.0), (2.0, 1.0, 0.0), (-1.0, 1.0, 0.0)]),
        ("floor_divide", |x| ivy::floor_divide(x, 2.0), &[(0.0, 0.0, 0.0), (2.0, 0.0, 0.0)]),
        ("copysign", |x| ivy::copysign(x, -1.0), &[(0.0, -1.0, 0.0), (2.0, -1.0, 0.0), (-2.0, 1.0, 0.0)]),
        ("copysign by", |x| ivy::copysign(2.0, x), &[(1.0, 0.0, 0.0), (0.0, 0.0, 0.0)]),
        ("xlogy", |x| ivy::xlogy(x, 2.0), &[(0.0, LN_2, 0.0), (1.0, LN_2, 0.0)]),
        ("xlogy by", |x| ivy::xlogy(0.0, x), &[(0.0, 0.0, 0.0), (2.0, 0.0, 0.0)]),
        ("pow", |x| ivy::pow(x, 3.0), &[(0.0, 0.0, 0.0), (2.0, 12.0, 12.0)]),
        ("pow by", |x| ivy::pow(0.0, x), &[(2.0, 0.0, 0.0)]),
        ("pow of itself", |x| ivy::pow(x, x), &[(1.0, 1.0, 2.0)]),
        ("where", |x| ivy::where_(ivy::greater(x, 0.0)?, x, 0.0), &[(0.0, 0.0, 0.0), (1.0, 1.0, 0.0)]),
    ]);
}

#[test]
fn of_reductions() {
    let hessian = |f: Function, x: &[f64]| host(ivy::hessian(f)(&v(x)).unwrap());
    let prod: Function = |x| ivy::prod(x, ());
    close(first(prod, &v(&[0.0, 0.0, 5.0])), &[0.0, 0.0, 0.0]);
    close(hessian(prod, &[0.0, 0.0, 5.0]), &[0.0, 5.0, 0.0, 5.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let var: Function = |x| ivy::var(x, ());
    close(first(var, &v(&[2.0, 2.0])), &[0.0, 0.0]);
    close(hessian(var, &[2.0, 2.0]), &[0.5, -0.5, -0.5, 0.5]);
    let max: Function = |x| ivy::max(x, ());
    close(first(max, &v(&[1.0, 1.0, 0.0])), &[0.5, 0.5, 0.0]);
    close(hessian(max, &[1.0, 1.0, 0.0]), &[0.0; 9]);
    let norm: Function = |x| linalg::vector_norm(x, linalg::VectorNorm::new().ord(1.0));
    close(first(norm, &v(&[0.0, -2.0])), &[0.0, -1.0]);
    close(hessian(norm, &[0.0, -2.0]), &[0.0; 4]);
    let softmax: Function = |x| ivy::softmax(x, ())?.get(ivy::s![0]);
    close(first(softmax, &v(&[0.0, 0.0])), &[0.25, -0.25]);
    close(hessian(softmax, &[0.0, 0.0]), &[0.0; 4]);
    let matmul: Function = |x| ivy::matmul(x, x);
    close(hessian(matmul, &[0.0, 0.0]), &[2.0, 0.0, 0.0, 2.0]);
}
