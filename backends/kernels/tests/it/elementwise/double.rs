//! Double-double arithmetic against values of more digits.

use ivy_kernels::internals::double::{Double, exp, log, sin_cos};
use ivy_kernels::internals::logaddexp;

/// Differences from values with 40 digits, computed by mpmath 1.3.
#[test]
fn hundred_bits_hold() {
    let close = |d: Double, hi: f64, lo: f64| {
        let error = ((d.hi - hi) + (d.lo - lo)).abs();
        // Near a zero of a logarithm the bits count from 1, its argument.
        let hi_or_one = hi.abs().max(1.0);
        assert!(error <= hi_or_one * 1e-30, "{} {:e} instead of {hi} {lo:e}", d.hi, d.lo);
    };
    for (x, hi, lo) in EXP {
        close(exp(Double::from(x)), hi, lo);
    }
    for (x, hi, lo) in LOG {
        close(log(Double::from(x)), hi, lo);
    }
    for (x, sin_hi, sin_lo, cos_hi, cos_lo) in SIN_COS {
        let (sin, cos) = sin_cos(x);
        close(sin, sin_hi, sin_lo);
        close(cos, cos_hi, cos_lo);
    }
}

#[test]
fn cancelling_sums_keep_their_bits() {
    for (a, b, y) in LOGADDEXP {
        let got = logaddexp(a, b);
        // Subnormal results have fewer bits.
        let unit = (y.abs() * f64::EPSILON).max(f64::from_bits(1));
        assert!((got - y).abs() <= unit, "{a} {b}: {got:e} instead of {y:e}");
    }
}

include!("double_goldens.rs");
