//! Numbers of about 106 bits, as the sum of two float64, and elementary functions of them.
//! They judge float64 where no golden is at hand; the tests hold them against the goldens.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// `hi + lo`, where `lo` is at most half a unit in the last place of `hi`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dd {
    /// The value rounded to float64.
    pub hi: f64,
    /// What is left.
    pub lo: f64,
}

fn two_sum(a: f64, b: f64) -> Dd {
    let s = a + b;
    if !s.is_finite() {
        return Dd { hi: s, lo: 0.0 };
    }
    let t = s - a;
    Dd { hi: s, lo: (a - (s - t)) + (b - t) }
}

fn two_prod(a: f64, b: f64) -> Dd {
    let p = a * b;
    if !p.is_finite() || p == 0.0 {
        return Dd { hi: p, lo: 0.0 };
    }
    Dd { hi: p, lo: a.mul_add(b, -p) }
}

impl From<f64> for Dd {
    fn from(x: f64) -> Dd {
        Dd { hi: x, lo: 0.0 }
    }
}

impl Neg for Dd {
    type Output = Dd;
    fn neg(self) -> Dd {
        Dd { hi: -self.hi, lo: -self.lo }
    }
}

impl Add for Dd {
    type Output = Dd;
    fn add(self, o: Dd) -> Dd {
        let s = two_sum(self.hi, o.hi);
        // A plain zero keeps the sign that the machine's addition gives it.
        if !s.hi.is_finite() || s.hi == 0.0 && s.lo == 0.0 && self.lo == 0.0 && o.lo == 0.0 {
            return Dd { hi: s.hi, lo: 0.0 };
        }
        let t = two_sum(self.lo, o.lo);
        let s = two_sum(s.hi, s.lo + t.hi);
        two_sum(s.hi, s.lo + t.lo)
    }
}

impl Sub for Dd {
    type Output = Dd;
    fn sub(self, o: Dd) -> Dd {
        self + -o
    }
}

impl Mul for Dd {
    type Output = Dd;
    fn mul(self, o: Dd) -> Dd {
        let p = two_prod(self.hi, o.hi);
        if !p.hi.is_finite() || p.hi == 0.0 {
            return p;
        }
        two_sum(p.hi, p.lo + (self.hi * o.lo + self.lo * o.hi))
    }
}

impl Div for Dd {
    type Output = Dd;
    fn div(self, o: Dd) -> Dd {
        let q = self.hi / o.hi;
        if !q.is_finite() || q == 0.0 || !o.hi.is_finite() {
            return q.into();
        }
        if self.hi.abs() > 1e300 {
            // The product below may not overflow.
            return (self.scale(-60) / o).scale(60);
        }
        let r = self - o * q.into();
        let q2 = r.hi / o.hi;
        let r = r - o * q2.into();
        Dd::from(q) + q2.into() + (r.hi / o.hi).into()
    }
}

/// π.
pub const PI: Dd = Dd { hi: std::f64::consts::PI, lo: 1.224_646_799_147_353_2e-16 };
/// The natural logarithm of 2.
pub const LN_2: Dd = Dd { hi: std::f64::consts::LN_2, lo: 2.319_046_813_846_299_6e-17 };
/// What [`PI`] leaves of π.
const PI_REST: f64 = -2.994_769_809_718_339_7e-33;

impl Dd {
    /// Times a power of two, without rounding (but in the subnormal range).
    pub fn scale(self, power: i32) -> Dd {
        let (a, b) = (power / 2, power - power / 2);
        let f = |x: f64| x * 2f64.powi(a) * 2f64.powi(b);
        Dd { hi: f(self.hi), lo: f(self.lo) }
    }

    /// The magnitude.
    pub fn abs(self) -> Dd {
        if self.hi < 0.0 || self.hi == 0.0 && self.hi.is_sign_negative() { -self } else { self }
    }

    /// The square root.
    pub fn sqrt(self) -> Dd {
        if self.hi <= 0.0 || !self.hi.is_finite() {
            return self.hi.sqrt().into();
        }
        if self.hi > 1e300 {
            return self.scale(-60).sqrt().scale(30);
        }
        let x = Dd::from(self.hi.sqrt());
        let step = |x: Dd| x + (self - x * x) / (x + x);
        step(step(x))
    }

    /// e to the power.
    pub fn exp(self) -> Dd {
        if self.hi.is_nan() {
            return self;
        }
        if self.hi > 720.0 || self.hi < -800.0 {
            return self.hi.exp().into();
        }
        let k = (self.hi / LN_2.hi).round();
        // Then eight halvings, and a Taylor series for exp - 1, which squaring keeps small.
        let r = (self - LN_2 * k.into()).scale(-8);
        let (mut term, mut sum) = (r, r);
        for i in 2..20 {
            term = term * r / f64::from(i).into();
            sum = sum + term;
        }
        for _ in 0..8 {
            sum = sum.scale(1) + sum * sum;
        }
        (sum + 1.0.into()).scale(k as i32)
    }

    /// e to the power, minus one.
    pub fn exp_m1(self) -> Dd {
        if self.hi.abs() > 0.3 {
            return self.exp() - 1.0.into();
        }
        let (mut term, mut sum) = (self, self);
        for i in 2..40 {
            term = term * self / f64::from(i).into();
            sum = sum + term;
        }
        sum
    }

    /// The natural logarithm.
    pub fn ln(self) -> Dd {
        if self.hi <= 0.0 || !self.hi.is_finite() {
            return self.hi.ln().into();
        }
        // Mantissa and exponent, so that neither end of the range is lost.
        let normal = if self.hi < 1e-290 { 200 } else { 0 };
        let x = self.scale(normal);
        let e = (x.hi.to_bits() >> 52) as i32 - 1023;
        let e = if x.hi.to_bits() & ((1 << 52) - 1) > 0x6_a09e_667f_3bcd { e + 1 } else { e };
        let m = x.scale(-e);
        // 2 atanh((m-1)/(m+1)).
        let t = (m - 1.0.into()) / (m + 1.0.into());
        let t2 = t * t;
        let (mut power, mut sum) = (t, t);
        for i in (3..90).step_by(2) {
            power = power * t2;
            sum = sum + power / f64::from(i).into();
        }
        sum.scale(1) + LN_2 * f64::from(e - normal).into()
    }

    /// The natural logarithm of one plus the number.
    pub fn ln_1p(self) -> Dd {
        if self.hi.abs() > 0.25 {
            return (self + 1.0.into()).ln();
        }
        let t = self / (self + 2.0.into());
        let t2 = t * t;
        let (mut power, mut sum) = (t, t);
        for i in (3..60).step_by(2) {
            power = power * t2;
            sum = sum + power / f64::from(i).into();
        }
        sum.scale(1)
    }

    /// The error function.
    pub fn erf(self) -> Dd {
        if self.hi.abs() > 4.0 {
            let one = Dd::from(1.0);
            return if self.hi < 0.0 { (-self).erfc() - one } else { one - self.erfc() };
        }
        // exp(-x^2) times a series of terms of one sign.
        let twice = (self * self).scale(1);
        let (mut term, mut sum) = (self, self);
        let mut odd = 3.0;
        while term.hi.abs() > sum.hi.abs() * 1e-33 {
            term = term * twice / odd.into();
            sum = sum + term;
            odd += 2.0;
        }
        sum.scale(1) * (-(self * self)).exp() / PI.sqrt()
    }

    /// What the error function lacks of one.
    pub fn erfc(self) -> Dd {
        let one = Dd::from(1.0);
        if self.hi < 4.0 {
            return one - self.erf();
        }
        if self.hi > 30.0 {
            return 0.0.into();
        }
        // x + (1/2) / (x + 1 / (x + (3/2) / ...))
        let below = (1..=120).rev().fold(self, |rest, i| self + Dd::from(f64::from(i) / 2.0) / rest);
        (-(self * self)).exp() / (below * PI.sqrt())
    }

    /// The logarithm of the gamma function's magnitude; finite, and not at a whole number below 1.
    pub fn lgamma(self) -> Dd {
        if self.hi < 0.0 {
            return gamma_mirrored(self.hi, true).0;
        }
        for root in [1.0, 2.0] {
            let t = self - root.into();
            if t.hi == 0.0 {
                return 0.0.into();
            }
            if t.hi.abs() < 2f64.powi(-20) {
                // Its first terms, and those of ln(1 + t) at 2.
                let third = -ZETA_3 / 3.0.into() + t * ZETA_4.scale(-2);
                let series = t * (t * (ZETA_2.scale(-1) + t * third) - EULER);
                return if root == 1.0 { series } else { series + t.ln_1p() };
            }
        }
        let (x, product, _) = self.beyond();
        let half = Dd::from(0.5);
        let mut sum = (x - half) * x.ln() - x + PI.scale(1).ln().scale(-1);
        let (inverse, mut power) = (Dd::from(1.0) / x, Dd::from(1.0) / x);
        for (k, b) in (1..).zip(BERNOULLI) {
            sum = sum + Dd::from(b.0) / b.1.into() * power / f64::from(2 * k * (2 * k - 1)).into();
            power = power * inverse * inverse;
        }
        sum - product.ln()
    }

    /// The derivative of that.
    pub fn digamma(self) -> Dd {
        if self.hi < 0.0 {
            return gamma_mirrored(self.hi, false).0;
        }
        let (x, _, inverses) = self.beyond();
        let inverse = Dd::from(1.0) / x;
        let mut sum = x.ln() - inverse.scale(-1);
        let mut power = inverse * inverse;
        for (k, b) in (1..).zip(BERNOULLI) {
            sum = sum - Dd::from(b.0) / b.1.into() * power / f64::from(2 * k).into();
            power = power * inverse * inverse;
        }
        sum - inverses
    }

    /// A number from 40 on as far above as a whole number is, the product of those between, and the
    /// sum of their inverses.
    fn beyond(self) -> (Dd, Dd, Dd) {
        let one = Dd::from(1.0);
        let (mut x, mut product, mut inverses) = (self, one, Dd::from(0.0));
        while x.hi < 40.0 {
            product = product * x;
            inverses = inverses + one / x;
            x = x + one;
        }
        (x, product, inverses)
    }

    /// Sine and cosine, for magnitudes up to about 10^5.
    pub fn sin_cos(self) -> (Dd, Dd) {
        let k = (self.hi / PI.hi * 2.0).round();
        let half: Dd = (k / 2.0).into();
        let r = self - PI * half - (PI_REST * k / 2.0).into();
        let r2 = r * r;
        let (mut s, mut c) = (r, Dd::from(1.0));
        let (mut ts, mut tc) = (r, Dd::from(1.0));
        for i in 1..16 {
            let n = f64::from(2 * i);
            ts = -(ts * r2) / (n * (n + 1.0)).into();
            tc = -(tc * r2) / (n * (n - 1.0)).into();
            s = s + ts;
            c = c + tc;
        }
        match (k as i64).rem_euclid(4) {
            0 => (s, c),
            1 => (c, -s),
            2 => (-s, -c),
            _ => (-c, s),
        }
    }

    /// The angle of the point `(x, self)`; both finite, not both zero.
    pub fn atan2(self, x: Dd) -> Dd {
        // Powers of two keep the squares below in range.
        let top = self.hi.abs().max(x.hi.abs());
        let e = (top.to_bits() >> 52) as i32 - 1023;
        let (y, x) = (self.scale(-e), x.scale(-e));
        let r = (y * y + x * x).sqrt();
        let guess = y.hi.atan2(x.hi);
        if guess.abs() < 1e-30 {
            return y / x;
        }
        // One Newton step on the angle between the guess and the point squares the error.
        let (s, c) = Dd::from(guess).sin_cos();
        let off = (y * c - x * s) / r;
        Dd::from(guess) + off + off * off * off / 6.0.into()
    }
}

/// Numerators and denominators of the Bernoulli numbers with even indices, from the second on.
const BERNOULLI: [(f64, f64); 15] = [
    (1.0, 6.0),
    (-1.0, 30.0),
    (1.0, 42.0),
    (-1.0, 30.0),
    (5.0, 66.0),
    (-691.0, 2730.0),
    (7.0, 6.0),
    (-3617.0, 510.0),
    (43867.0, 798.0),
    (-174_611.0, 330.0),
    (854_513.0, 138.0),
    (-236_364_091.0, 2730.0),
    (8_553_103.0, 6.0),
    (-23_749_461_029.0, 870.0),
    (8_615_841_276_005.0, 14322.0),
];

/// Euler's constant.
const EULER: Dd = Dd { hi: 0.5772156649015329, lo: -4.942915152430645e-18 };
/// The sum of the inverse squares.
const ZETA_2: Dd = Dd { hi: 1.6449340668482264, lo: 3.040672350398476e-17 };
/// The sum of the inverse cubes.
const ZETA_3: Dd = Dd { hi: 1.2020569031595942, lo: 4.875891010379532e-17 };
/// The sum of the inverse fourth powers.
const ZETA_4: Dd = Dd { hi: 1.0823232337111381, lo: 4.748512042855365e-17 };

/// `lgamma` or `digamma` of a negative number that is not whole, and the greater magnitude of the two
/// numbers whose difference it is.
pub fn gamma_mirrored(x: f64, logarithm: bool) -> (Dd, f64) {
    let a = Dd::from(-x);
    if -x < 1e-200 {
        let value = if logarithm { -a.ln() } else { (1.0 / -x).into() };
        return (value, 0.0);
    }
    let beside = a - (-x).round().into();
    let (sin, cos) = (PI * beside).sin_cos();
    let further = a + 1.0.into();
    let (first, second) = if logarithm {
        ((PI / sin.abs()).ln(), -further.lgamma())
    } else {
        (PI * cos / sin, further.digamma())
    };
    (first + second, first.hi.abs().max(second.hi.abs()))
}

/// `|(a, b)|`, without overflow between.
pub fn hypot(a: f64, b: f64) -> Dd {
    if a.is_infinite() || b.is_infinite() {
        return f64::INFINITY.into();
    }
    let top = a.abs().max(b.abs());
    if top.is_nan() || a.is_nan() || b.is_nan() || top == 0.0 {
        return (a.abs() + b.abs()).into();
    }
    let e = (top.to_bits() >> 52).max(1) as i32 - 1023;
    let (a, b) = (Dd::from(a).scale(-e), Dd::from(b).scale(-e));
    (a * a + b * b).sqrt().scale(e)
}

/// `ln(e^a + e^b)`.
pub fn log_add_exp(a: f64, b: f64) -> Dd {
    if a.is_nan() || b.is_nan() {
        return f64::NAN.into();
    }
    let (top, low) = (a.max(b), a.min(b));
    if top.is_infinite() || low == f64::NEG_INFINITY {
        // log(exp(-0.0) + 0) is log(1), which is 0.0.
        return (top + 0.0).into();
    }
    let gap = Dd::from(low) - Dd::from(top);
    if gap.hi < -650.0 && top.abs() < 1.0 {
        // What is left may be subnormal, where a pair has no second part: rounded once, from where it has.
        let sum = Dd::from(top).scale(600) + (gap + LN_2 * 600.0.into()).exp();
        return (sum.hi * 2f64.powi(-300) * 2f64.powi(-300)).into();
    }
    Dd::from(top) + gap.exp().ln_1p()
}

/// `a` to the power `b`, with the standard's special cases.
pub fn pow(a: f64, b: f64) -> Dd {
    let machine = a.powf(b);
    let plain = a.is_finite() && b.is_finite() && a != 0.0 && b != 0.0 && a.abs() != 1.0;
    if !plain || machine.is_nan() {
        return machine.into();
    }
    let magnitude = (Dd::from(b) * Dd::from(a.abs()).ln()).exp();
    if machine < 0.0 || machine == 0.0 && machine.is_sign_negative() { -magnitude } else { magnitude }
}
