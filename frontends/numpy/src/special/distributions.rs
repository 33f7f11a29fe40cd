//! Distributions: what their parameters may be, and how they are drawn of uniform, normal, gamma and Poisson numbers.
//!
//! The ways are those of L. Devroye, "Non-Uniform Random Variate Generation", 1986.

use super::random::{Source, all};
use ivy_core::functional as f;
use ivy_core::functional::{GammaParams, Poisson, RandomNormal, RandomUniform};
use ivy_core::{Array, Dtype, Result, Shape};
use std::f64::consts::PI;

/// What a parameter may be.
pub(super) struct Domain {
    pub(super) name: &'static str,
    pub(super) rule: &'static str,
    check: fn(&Array) -> Result<bool>,
}

impl Domain {
    pub(super) fn holds(&self, parameter: &Array) -> Result<bool> {
        (self.check)(parameter)
    }
}

const fn any(name: &'static str) -> Domain {
    Domain { name, rule: "", check: |_| Ok(true) }
}

const fn from_zero(name: &'static str) -> Domain {
    Domain { name, rule: "it must be 0 or more", check: |x| all(f::greater_equal(x, 0)) }
}

const fn above_zero(name: &'static str) -> Domain {
    Domain { name, rule: "it must be more than 0", check: |x| all(f::greater(x, 0)) }
}

const fn chance(name: &'static str) -> Domain {
    Domain {
        name,
        rule: "it must be from 0 to 1",
        check: |x| all(f::logical_and(f::greater_equal(x, 0), f::less_equal(x, 1))),
    }
}

const fn chance_above_zero(name: &'static str) -> Domain {
    Domain {
        name,
        rule: "it must be above 0, and 1 at most",
        check: |x| all(f::logical_and(f::greater(x, 0), f::less_equal(x, 1))),
    }
}

type Draw = fn(&Source<'_>, &Shape, Dtype, &[Array]) -> Result<Array>;
type Together = fn(&[Array]) -> Result<Option<&'static str>>;

/// A distribution.
pub(super) struct Distribution {
    name: &'static str,
    pub(super) domains: &'static [Domain],
    /// What parameters have to be to each other; the rule that they break.
    pub(super) together: Option<Together>,
    /// Whether the numbers are whole.
    pub(super) whole: bool,
    pub(super) draw: Draw,
}

/// The distribution of a name.
pub(super) fn find(name: &str) -> Option<&'static Distribution> {
    DISTRIBUTIONS.iter().find(|d| d.name == name)
}

/// Uniform numbers from 0 up to 1.
pub(super) fn uniform(source: &Source<'_>, shape: &Shape, dtype: Dtype) -> Result<Array> {
    let mut params = RandomUniform::new().shape(shape.clone()).dtype(dtype);
    params.seed = source.draw();
    f::random_uniform(0.0, 1.0, params)
}

/// Uniform numbers above 0 up to 1, whose logarithm is finite.
fn above(source: &Source<'_>, shape: &Shape, dtype: Dtype) -> Result<Array> {
    f::subtract(1, uniform(source, shape, dtype)?)
}

pub(super) fn normal(source: &Source<'_>, shape: &Shape, dtype: Dtype) -> Result<Array> {
    let mut params = RandomNormal::new().shape(shape.clone()).dtype(dtype);
    params.seed = source.draw();
    f::random_normal(0.0, 1.0, params)
}

fn exponential(source: &Source<'_>, shape: &Shape, dtype: Dtype) -> Result<Array> {
    f::negative(f::log(above(source, shape, dtype)?)?)
}

/// Gamma numbers of a shape parameter, which may be 0.
fn gamma(source: &Source<'_>, shape: &Shape, dtype: Dtype, alpha: &Array) -> Result<Array> {
    let mut params = GammaParams::new().dtype(dtype);
    params.seed = source.draw();
    let alpha = f::broadcast_to(alpha, shape.clone())?;
    let nothing = f::equal(&alpha, 0)?;
    let drawn = f::gamma(f::where_(&nothing, 1.0, alpha)?, 1.0, params)?;
    f::where_(nothing, 0.0, drawn)
}

fn poisson(source: &Source<'_>, shape: &Shape, lam: &Array) -> Result<Array> {
    let mut params = Poisson::new().dtype(Dtype::FLOAT64);
    params.seed = source.draw();
    f::poisson(f::broadcast_to(lam, shape.clone())?, params)
}

/// A noncentral chi-squared number: a chi-squared one of two more degrees of freedom for each of a Poisson number of halves
/// of the noncentrality.
fn noncentral_chisquare(
    source: &Source<'_>,
    shape: &Shape,
    dtype: Dtype,
    df: &Array,
    nonc: &Array,
) -> Result<Array> {
    let pairs = poisson(source, shape, &f::divide(nonc, 2.0)?)?;
    let half = f::add(f::divide(df, 2.0)?, pairs)?;
    f::multiply(2.0, gamma(source, shape, dtype, &half)?)
}

/// The share of one gamma number in two.
fn beta(source: &Source<'_>, shape: &Shape, a: &Array, b: &Array) -> Result<Array> {
    let (x, y) = (gamma(source, shape, Dtype::FLOAT64, a)?, gamma(source, shape, Dtype::FLOAT64, b)?);
    f::divide(&x, f::add(&x, y)?)
}

/// How many trials of `n` succeed. The trials are halved at the middle one in order until few are left: its place among
/// 0 and 1 is a beta number, and the trials on one side of `p` are decided by that.
fn binomial(source: &Source<'_>, shape: &Shape, n: &Array, p: &Array) -> Result<Array> {
    const FEW: f64 = 16.0;
    let mut n = f::broadcast_to(n, shape.clone())?;
    let mut p = f::broadcast_to(p, shape.clone())?;
    let mut count = f::zeros(shape.clone(), f::Filled::new().dtype(Dtype::FLOAT64))?;
    let most = if n.size() == 0 { 0.0 } else { f::max(&n, ())?.to_scalar()?.to_f64() };
    let mut left = most;
    while left > FEW {
        let many = f::greater(&n, FEW)?;
        let middle = f::floor_divide(f::add(&n, 2)?, 2)?;
        let after = f::subtract(f::add(&n, 1)?, &middle)?;
        let place = beta(source, shape, &f::maximum(&middle, 1)?, &f::maximum(&after, 1)?)?;
        let before = f::greater(&place, &p)?;
        let rest = f::subtract(1, &place)?;
        let lower = f::divide(&p, &place)?;
        let upper =
            f::divide(f::maximum(f::subtract(&p, &place)?, 0)?, f::where_(f::equal(&rest, 0)?, 1.0, &rest)?)?;
        let below = f::where_(&before, f::subtract(&middle, 1)?, f::subtract(&n, &middle)?)?;
        let gained = f::where_(&before, 0.0, &middle)?;
        count = f::add(count, f::where_(&many, gained, 0.0)?)?;
        let chance = f::where_(&before, lower, upper)?;
        p = f::where_(&many, f::minimum(chance, 1)?, p)?;
        n = f::where_(&many, below, n)?;
        left = f::max(&n, ())?.to_scalar()?.to_f64();
    }
    for trial in 0..left as i64 {
        let counts = f::greater(&n, trial)?;
        let succeeds = f::less(uniform(source, shape, Dtype::FLOAT64)?, &p)?;
        count = f::add(count, f::astype(f::logical_and(counts, succeeds)?, Dtype::FLOAT64)?)?;
    }
    Ok(count)
}

/// Located and scaled numbers.
fn located(x: Array, given: &[Array]) -> Result<Array> {
    f::add(f::multiply(x, &given[1])?, &given[0])
}

/// An inverse Gaussian number: J. R. Michael, W. R. Schucany and R. W. Haas, 1976.
fn wald(source: &Source<'_>, shape: &Shape, dtype: Dtype, given: &[Array]) -> Result<Array> {
    let (mean, scale) = (&given[0], &given[1]);
    let y = f::multiply(f::square(normal(source, shape, dtype)?)?, mean)?;
    let root = f::sqrt(f::add(f::multiply(f::multiply(4.0, scale)?, &y)?, f::square(&y)?)?)?;
    let half = f::divide(mean, f::multiply(2.0, scale)?)?;
    let x = f::add(mean, f::multiply(half, f::subtract(y, root)?)?)?;
    let first = f::less_equal(uniform(source, shape, dtype)?, f::divide(mean, f::add(mean, &x)?)?)?;
    f::where_(first, &x, f::divide(f::square(mean)?, &x)?)
}

/// A triangular number by the inverse of its distribution.
fn triangular(source: &Source<'_>, shape: &Shape, dtype: Dtype, given: &[Array]) -> Result<Array> {
    let (left, mode, right) = (&given[0], &given[1], &given[2]);
    let base = f::subtract(right, left)?;
    let rising = f::subtract(mode, left)?;
    let u = uniform(source, shape, dtype)?;
    let below = f::add(left, f::sqrt(f::multiply(f::multiply(&u, &base)?, &rising)?)?)?;
    let falling = f::multiply(f::multiply(f::subtract(1, &u)?, &base)?, f::subtract(right, mode)?)?;
    let above = f::subtract(right, f::sqrt(falling)?)?;
    f::where_(f::less_equal(&u, f::divide(rising, base)?)?, below, above)
}

fn ordered(given: &[Array]) -> Result<Option<&'static str>> {
    let (left, mode, right) = (&given[0], &given[1], &given[2]);
    Ok(match () {
        () if !all(f::less_equal(left, mode))? => Some("left > mode"),
        () if !all(f::less_equal(mode, right))? => Some("mode > right"),
        () if !all(f::not_equal(left, right))? => Some("left == right"),
        () => None,
    })
}

const fn of(name: &'static str, domains: &'static [Domain], draw: Draw) -> Distribution {
    Distribution { name, domains, together: None, whole: false, draw }
}

const fn whole(name: &'static str, domains: &'static [Domain], draw: Draw) -> Distribution {
    Distribution { name, domains, together: None, whole: true, draw }
}

const DISTRIBUTIONS: &[Distribution] = &[
    of("random", &[], |s, n, d, _| uniform(s, n, d)),
    of("standard_normal", &[], |s, n, d, _| normal(s, n, d)),
    of("standard_exponential", &[], |s, n, d, _| exponential(s, n, d)),
    of("standard_cauchy", &[], |s, n, d, _| f::tan(f::multiply(PI, f::subtract(uniform(s, n, d)?, 0.5)?)?)),
    of("standard_gamma", &[from_zero("shape")], |s, n, d, p| gamma(s, n, d, &p[0])),
    of("beta", &[above_zero("a"), above_zero("b")], |s, n, _, p| beta(s, n, &p[0], &p[1])),
    whole("binomial", &[from_zero("n"), chance("p")], |s, n, _, p| binomial(s, n, &p[0], &p[1])),
    of("chisquare", &[above_zero("df")], |s, n, d, p| {
        f::multiply(2.0, gamma(s, n, d, &f::divide(&p[0], 2.0)?)?)
    }),
    of("exponential", &[from_zero("scale")], |s, n, d, p| f::multiply(exponential(s, n, d)?, &p[0])),
    of("f", &[above_zero("dfnum"), above_zero("dfden")], |s, n, d, p| {
        let share = |df: &Array| f::divide(gamma(s, n, d, &f::divide(df, 2.0)?)?, df);
        f::divide(share(&p[0])?, share(&p[1])?)
    }),
    of("gamma", &[from_zero("shape"), from_zero("scale")], |s, n, d, p| {
        f::multiply(gamma(s, n, d, &p[0])?, &p[1])
    }),
    whole("geometric", &[chance_above_zero("p")], |s, n, d, p| {
        let tails = f::negative(f::log1p(f::negative(&p[0])?)?)?;
        f::maximum(f::ceil(f::divide(exponential(s, n, d)?, tails)?)?, 1)
    }),
    of("gumbel", &[any("loc"), from_zero("scale")], |s, n, d, p| {
        located(f::negative(f::log(exponential(s, n, d)?)?)?, p)
    }),
    of("laplace", &[any("loc"), from_zero("scale")], |s, n, d, p| {
        located(f::subtract(exponential(s, n, d)?, exponential(s, n, d)?)?, p)
    }),
    of("logistic", &[any("loc"), from_zero("scale")], |s, n, d, p| {
        let u = above(s, n, d)?;
        located(f::subtract(f::log(&u)?, f::log1p(f::negative(f::multiply(&u, 1.0 - f64::EPSILON)?)?)?)?, p)
    }),
    of("lognormal", &[any("mean"), from_zero("sigma")], |s, n, d, p| f::exp(located(normal(s, n, d)?, p)?)),
    whole("negative_binomial", &[above_zero("n"), chance_above_zero("p")], |s, n, d, p| {
        let odds = f::divide(f::subtract(1, &p[1])?, &p[1])?;
        poisson(s, n, &f::multiply(gamma(s, n, d, &p[0])?, odds)?)
    }),
    of("noncentral_chisquare", &[above_zero("df"), from_zero("nonc")], |s, n, d, p| {
        noncentral_chisquare(s, n, d, &p[0], &p[1])
    }),
    of("noncentral_f", &[above_zero("dfnum"), above_zero("dfden"), from_zero("nonc")], |s, n, d, p| {
        let above = f::divide(noncentral_chisquare(s, n, d, &p[0], &p[2])?, &p[0])?;
        let below = f::divide(gamma(s, n, d, &f::divide(&p[1], 2.0)?)?, f::divide(&p[1], 2.0)?)?;
        f::divide(above, below)
    }),
    whole(
        "logseries",
        &[Domain {
            name: "p",
            rule: "it must be from 0 up to 1",
            check: |x| all(f::logical_and(f::greater_equal(x, 0), f::less(x, 1))),
        }],
        |s, n, d, p| {
            // Kemp's second way: a geometric number whose chance is itself drawn.
            let q = f::negative(f::expm1(f::multiply(uniform(s, n, d)?, f::log1p(f::negative(&p[0])?)?)?)?)?;
            let drawn = f::floor(f::divide(f::log(above(s, n, d)?)?, f::log(q)?)?)?;
            f::add(f::where_(f::isfinite(&drawn)?, &drawn, 0.0)?, 1)
        },
    ),
    of("normal", &[any("loc"), from_zero("scale")], |s, n, d, p| located(normal(s, n, d)?, p)),
    of("pareto", &[above_zero("a")], |s, n, d, p| f::expm1(f::divide(exponential(s, n, d)?, &p[0])?)),
    whole("poisson", &[from_zero("lam")], |s, n, _, p| poisson(s, n, &p[0])),
    of("power", &[above_zero("a")], |s, n, d, p| f::pow(above(s, n, d)?, f::divide(1.0, &p[0])?)),
    of("rayleigh", &[from_zero("scale")], |s, n, d, p| {
        f::multiply(f::sqrt(f::multiply(2.0, exponential(s, n, d)?)?)?, &p[0])
    }),
    of("standard_t", &[above_zero("df")], |s, n, d, p| {
        let spread = f::divide(gamma(s, n, d, &f::divide(&p[0], 2.0)?)?, f::divide(&p[0], 2.0)?)?;
        f::divide(normal(s, n, d)?, f::sqrt(spread)?)
    }),
    Distribution {
        name: "triangular",
        domains: &[any("left"), any("mode"), any("right")],
        together: Some(ordered),
        whole: false,
        draw: triangular,
    },
    of("uniform", &[any("low"), any("high")], |s, n, d, p| {
        f::add(f::multiply(uniform(s, n, d)?, f::subtract(&p[1], &p[0])?)?, &p[0])
    }),
    of("wald", &[above_zero("mean"), above_zero("scale")], wald),
    of("weibull", &[from_zero("a")], |s, n, d, p| {
        let drawn = f::pow(exponential(s, n, d)?, f::divide(1.0, &p[0])?)?;
        f::where_(f::equal(&p[0], 0)?, 0.0, drawn)
    }),
];
