//! Numbers of about 106 bits, as the sum of two float64, for the few functions whose result is
//! what is left of a cancellation, or magnifies an error. No fused multiply-add: the products
//! are split by Veltkamp's and Dekker's method, so that the bits are the same everywhere.

use std::sync::LazyLock;

/// `hi + lo`, with `lo` at most half a unit in the last place of `hi`.
#[derive(Clone, Copy)]
pub struct Double {
    /// The nearest float64.
    pub hi: f64,
    /// The rest.
    pub lo: f64,
}

const LN2: Double = Double { hi: std::f64::consts::LN_2, lo: 2.319_046_813_846_299_6e-17 };
const TAU: Double = Double { hi: std::f64::consts::TAU, lo: 2.449_293_598_294_706_4e-16 };
const ONE: Double = Double { hi: 1.0, lo: 0.0 };

/// The exact sum of two float64.
pub(super) fn two_sum(a: f64, b: f64) -> Double {
    let hi = a + b;
    let t = hi - a;
    Double { hi, lo: (a - (hi - t)) + (b - t) }
}

/// Two halves of 26 bits.
fn split(a: f64) -> (f64, f64) {
    let t = a * 134_217_729.0;
    let high = t - (t - a);
    (high, a - high)
}

/// The exact product of two float64, as long as nothing overflows or is subnormal.
fn two_product(a: f64, b: f64) -> Double {
    let hi = a * b;
    let ((a1, a2), (b1, b2)) = (split(a), split(b));
    Double { hi, lo: ((a1 * b1 - hi) + a1 * b2 + a2 * b1) + a2 * b2 }
}

impl Double {
    /// A float64, exactly.
    pub fn from(hi: f64) -> Double {
        Double { hi, lo: 0.0 }
    }

    pub(crate) fn plus(self, other: Double) -> Double {
        let (s, t) = (two_sum(self.hi, other.hi), two_sum(self.lo, other.lo));
        let s = two_sum(s.hi, s.lo + t.hi);
        two_sum(s.hi, s.lo + t.lo)
    }

    pub(crate) fn times(self, other: f64) -> Double {
        let p = two_product(self.hi, other);
        two_sum(p.hi, p.lo + self.lo * other)
    }

    fn times_double(self, other: Double) -> Double {
        let p = two_product(self.hi, other.hi);
        two_sum(p.hi, p.lo + (self.hi * other.lo + self.lo * other.hi))
    }

    fn scaled(self, power_of_two: f64) -> Double {
        Double { hi: self.hi * power_of_two, lo: self.lo * power_of_two }
    }
}

/// `1 / n!` to 106 bits: the coefficients of the series below.
static INVERSE_FACTORIALS: LazyLock<[Double; 13]> = LazyLock::new(|| {
    // 1 / k, corrected by one Newton step.
    let inverse = |k: f64| {
        let q = 1.0 / k;
        let rest = two_product(q, k);
        two_sum(q, ((1.0 - rest.hi) - rest.lo) / k)
    };
    let mut all = [ONE; 13];
    for n in 2..13 {
        all[n] = all[n - 1].times_double(inverse(n as f64));
    }
    all
});

/// `exp(x)` for `|x| < 700`.
pub fn exp(x: Double) -> Double {
    exp_scaled(x, 0)
}

/// `exp(x) * 2^shift`, where that is a normal number.
fn exp_scaled(x: Double, shift: i32) -> Double {
    let k = (x.hi / LN2.hi).round();
    let e = expm1(x.plus(LN2.times(-k)));
    let power = |n: f64| f64::from_bits(((n as i64 + 1023) as u64) << 52);
    let k = k + f64::from(shift);
    let half = (k / 2.0).trunc();
    e.plus(ONE).scaled(power(half)).scaled(power(k - half))
}

/// `exp(x) - 1` for `|x|` of at most about `ln 2`.
fn expm1(x: Double) -> Double {
    // A small argument for the series: 2^-8, squared eight times afterwards.
    let s = x.scaled(1.0 / 256.0);
    let mut sum = INVERSE_FACTORIALS[10];
    for n in (1..10).rev() {
        sum = sum.times_double(s).plus(INVERSE_FACTORIALS[n]);
    }
    let mut e = sum.times_double(s);
    for _ in 0..8 {
        // expm1(2 s) = 2 e + e^2, which keeps the small one exact.
        e = e.scaled(2.0).plus(e.times_double(e));
    }
    e
}

/// `log(m)` for a positive `m` of moderate size, by one Newton step.
pub fn log(m: Double) -> Double {
    let y = libm::log(m.hi);
    let rest = m.times_double(exp(Double::from(-y))).plus(Double::from(-1.0));
    // log(1 + rest) = rest - rest^2 / 2 to 106 bits, since rest is as small as libm's error.
    Double::from(y).plus(rest).plus(Double::from(-0.5 * rest.hi * rest.hi))
}

/// `log(1 + y)` for `1 + y` from about the root of 1/2 to that of 2; small numbers keep their bits.
fn log1p(y: Double) -> Double {
    let l = libm::log1p(y.hi);
    // (1 + y) exp(-l) - 1, which is as small as libm's error.
    let e = expm1(Double::from(-l));
    let rest = y.plus(e).plus(y.times_double(e));
    Double::from(l).plus(rest).plus(Double::from(-0.5 * rest.hi * rest.hi))
}

/// `log(2 exp(x))` for a finite `x`: near -ln 2, what is left over of a rounded ln 2 counts.
pub(crate) fn log_twice_exp(x: f64) -> f64 {
    let sum = two_sum(x, LN2.hi);
    sum.hi + (sum.lo + LN2.lo)
}

/// `log(1 + e)` for `0 <= e < 2^-25`, whose bits `1 + e` would lose.
fn log1p_small(e: Double) -> Double {
    let third = 1.0 / 3.0 - e.hi * 0.25;
    let half = Double::from(0.5).plus(e.times(-third));
    e.plus(e.times_double(e).times_double(half).scaled(-1.0))
}

/// `log(exp(high) + exp(low))` for `low <= high`, where the terms cancel.
pub(crate) fn logaddexp(high: f64, low: f64) -> f64 {
    let difference = two_sum(low, -high);
    if difference.hi > -18.0 {
        return log(exp(difference).plus(ONE)).plus(Double::from(high)).hi;
    }
    // What is nothing beside `high` needs no more than float64.
    let e = libm::exp(difference.hi);
    if e == 0.0 || e < high * -2f64.powi(-60) {
        return high + e;
    }
    if difference.hi > -600.0 {
        return log1p_small(exp(difference)).plus(Double::from(high)).hi;
    }
    // Here log(1 + e) is e, and the result may be subnormal: it is rounded to that once.
    const SHIFT: i32 = 600;
    libm::scalbn(exp_scaled(difference, SHIFT).plus(Double::from(libm::scalbn(high, SHIFT))).hi, -SHIFT)
}

/// Sine and cosine of an angle between -pi and pi.
pub fn sin_cos(x: f64) -> (Double, Double) {
    // The series of exp(i s) - 1 for s = x / 256, squared eight times.
    let s = Double::from(x / 256.0);
    let square = s.times_double(s).scaled(-1.0);
    let series = |first: usize| {
        let mut sum = INVERSE_FACTORIALS[first + 10];
        for n in (0..5).rev() {
            sum = sum.times_double(square).plus(INVERSE_FACTORIALS[first + 2 * n]);
        }
        sum
    };
    let mut sin = series(1).times_double(s);
    let mut cos_less_one = series(2).times_double(square);
    for _ in 0..8 {
        // With c = cos - 1: cos 2s - 1 = 2 c (2 + c), sin 2s = 2 sin (1 + c).
        let c = cos_less_one;
        sin = sin.scaled(2.0).times_double(c.plus(ONE));
        cos_less_one = c.scaled(2.0).times_double(c.plus(Double::from(2.0)));
    }
    (sin, cos_less_one.plus(ONE))
}

/// An angle less whole turns; of one of which not even the turn is known, what is known.
pub(crate) fn turned(angle: Double) -> Double {
    if angle.hi.abs() < 2f64.powi(50) {
        angle.plus(TAU.times(-(angle.hi / TAU.hi).round()))
    } else {
        Double::from(angle.hi)
    }
}

/// Logarithm of the magnitude, and the angle, of a finite complex number that is not zero.
pub(crate) fn log_polar(re: f64, im: f64) -> (Double, Double) {
    let high = re.abs().max(im.abs());
    let exponent = libm::ilogb(high);
    let scale = |x: f64| libm::scalbn(x, -exponent);
    let (x, y) = (scale(re), scale(im));
    // The square of the magnitude is 4^exponent 2^k (1 + e), all of whose bits count near the unit circle.
    let (p, q) = (two_product(x, x), two_product(y, y));
    let (total, lower) = (two_sum(p.hi, q.hi), two_sum(p.lo, q.lo));
    let low = two_sum(total.lo, lower.hi);
    let k = libm::ilogb(total.hi * std::f64::consts::SQRT_2);
    let back = libm::scalbn(1.0, -k);
    let e = two_sum(total.hi * back - 1.0, low.hi * back);
    let e = two_sum(e.hi, e.lo + (low.lo + lower.lo) * back);
    let twos = f64::from(exponent) + f64::from(k) * 0.5;
    let size = log1p(e).scaled(0.5).plus(LN2.times(twos));
    let angle = libm::atan2(im, re);
    if im == 0.0 && re > 0.0 {
        return (size, Double::from(angle));
    }
    // One Newton step: the point turned back by the angle lies almost on the real axis.
    let (sin, cos) = sin_cos(angle);
    let across = cos.times(y).plus(sin.times(-x));
    let along = cos.times(x).plus(sin.times(y));
    (size, Double::from(angle).plus(Double::from(across.hi / along.hi)))
}
