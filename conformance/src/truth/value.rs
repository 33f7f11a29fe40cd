//! What a result must be, and how far a number is from it.

use super::dd::Dd;
use super::num::{Num, round_pair, ulp};
use ivy_core::function::Bound;
use ivy_core::{Dtype, Kind, finfo};

/// The true value of one element of a result.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// This number exactly.
    Exact(Num),
    /// A real or complex number, to be rounded to the result's dtype.
    Near {
        /// The real part.
        re: Dd,
        /// The imaginary part.
        im: Dd,
        /// The magnitude that the error is relative to: the sum of the magnitudes that were
        /// added, where several were; else 0, and the value itself counts.
        mass: f64,
        /// How many were added.
        count: f64,
        /// What is left open of the parts.
        open: Open,
    },
    /// One of two numbers: the standard allows both.
    Either(Num, Num),
    /// Whatever it is: the standard leaves it to the implementation.
    Any,
}

/// What the standard leaves open of a complex result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Open {
    /// The sign of the real part.
    pub re_sign: bool,
    /// The sign of the imaginary part.
    pub im_sign: bool,
    /// The real part altogether.
    pub re: bool,
    /// The imaginary part altogether.
    pub im: bool,
}

impl Value {
    /// A real number.
    pub fn real(x: impl Into<Dd>) -> Value {
        Value::complex(x, 0.0)
    }

    /// A complex number.
    pub fn complex(re: impl Into<Dd>, im: impl Into<Dd>) -> Value {
        Value::Near { re: re.into(), im: im.into(), mass: 0.0, count: 1.0, open: Open::default() }
    }

    /// A sum of `count` numbers whose magnitudes add to `mass`.
    pub fn sum(re: Dd, im: Dd, mass: f64, count: usize) -> Value {
        let open = Open { re_sign: true, im_sign: true, ..Open::default() };
        Value::Near { re, im, mass, count: count as f64, open }
    }

    /// The same with the signs of its zeros (and infinities, of complex) left open.
    #[must_use]
    pub fn signs_open(self) -> Value {
        match self {
            Value::Near { re, im, mass, count, open } => {
                let open = Open { re_sign: true, im_sign: true, ..open };
                Value::Near { re, im, mass, count, open }
            }
            other => other,
        }
    }

    /// An integer.
    pub fn int(i: i128) -> Value {
        Value::Exact(Num::Int(i))
    }

    /// A truth value.
    pub fn truth(b: bool) -> Value {
        Value::Exact(Num::Bool(b))
    }
}

/// What decides how far a result may be off.
#[derive(Clone, Copy, Debug)]
pub struct Tolerance {
    /// The function's bound.
    pub bound: Bound,
    /// The dtype computed in.
    pub compute: Dtype,
    /// Whether the backend adds pairwise (or better).
    pub pairwise: bool,
    /// Whether zeros of either sign are equal (sort, max, min).
    pub zeros_equal: bool,
}

impl Tolerance {
    /// The absolute error allowed to a part of a result of `norm`, `mass` and `count`.
    fn allowed(&self, out: Dtype, norm: f64, mass: f64, count: f64) -> f64 {
        let part = out.real_part();
        let eps = finfo(part).expect("a float dtype").eps;
        let unit = ulp(norm, part);
        let complex = self.compute.is_complex();
        match self.bound {
            Bound::Exact if complex => 4.0 * unit,
            Bound::Exact => 0.0,
            Bound::Ulp { .. } if complex => 4.0 * unit,
            Bound::Ulp { float64, .. } if part == Dtype::FLOAT64 => float64 * ulp(mass.max(norm), part),
            Bound::Ulp { float32, .. } => float32 * unit,
            // Complex products and quotients in a sum have errors of their own.
            Bound::Sum => {
                let n = if self.pairwise { 4.0 * (1.0 + count.max(1.0).log2()) } else { count.max(1.0) };
                unit + n * eps * mass.max(norm) * if complex { 2.0 } else { 1.0 }
            }
            Bound::Matmul => unit + count.max(1.0) * eps * mass.max(norm) * if complex { 4.0 } else { 1.0 },
            Bound::Composed(units) => unit + units * eps * mass.max(norm),
            Bound::Residual => unit + 16.0 * count.max(1.0) * eps * mass.max(norm),
        }
    }

    /// How far `got` is from the truth, in units of the bound: at most 1 is right; infinite
    /// where no bound helps (another sign of zero, NaN for a number, a wrong integer).
    pub fn error(&self, want: &Value, got: Num, out: Dtype) -> f64 {
        match want {
            Value::Any => 0.0,
            Value::Exact(n) => self.exact(*n, got, Open::default()),
            Value::Either(a, b) => {
                self.exact(*a, got, Open::default()).min(self.exact(*b, got, Open::default()))
            }
            Value::Near { re, im, mass, count, open } => self.near(*re, *im, *mass, *count, *open, got, out),
        }
    }

    fn exact(&self, want: Num, got: Num, open: Open) -> f64 {
        let part = |w: f64, g: f64, sign: bool| {
            w.is_nan() && g.is_nan()
                || w == g
                    && (w != 0.0 || sign || self.zeros_equal || w.is_sign_negative() == g.is_sign_negative())
        };
        let same = match (want, got) {
            (Num::Bool(a), Num::Bool(b)) => a == b,
            (Num::Int(a), Num::Int(b)) => a == b,
            (Num::Float(a), Num::Float(b)) => part(a, b, open.re_sign),
            (Num::Complex(a, b), Num::Complex(c, d)) => part(a, c, open.re_sign) && part(b, d, open.im_sign),
            _ => false,
        };
        if same { 0.0 } else { f64::INFINITY }
    }

    #[allow(clippy::too_many_arguments)]
    fn near(&self, re: Dd, im: Dd, mass: f64, count: f64, open: Open, got: Num, out: Dtype) -> f64 {
        let complex = out.kind() == Kind::Complex;
        if !matches!((got, complex), (Num::Float(_), false) | (Num::Complex(..), true)) {
            return f64::INFINITY;
        }
        let (wr, wi) = (round_pair(re.hi, re.lo, out), round_pair(im.hi, im.lo, out));
        let norm = match complex {
            true if wr.is_finite() && wi.is_finite() => re.hi.hypot(im.hi),
            _ => f64::NAN,
        };
        let part = |w: Dd, rounded: f64, g: f64, free: bool, sign: bool| {
            if free {
                return 0.0;
            }
            let scale = if norm.is_nan() { w.hi.abs() } else { norm };
            self.part(w, rounded, g, sign, self.allowed(out, scale, mass, count), out.real_part())
        };
        let e = part(re, wr, got.re(), open.re, open.re_sign);
        match complex {
            true => e.max(part(im, wi, got.im(), open.im, open.im_sign)),
            false => e,
        }
    }

    fn part(&self, want: Dd, rounded: f64, got: f64, sign: bool, allowed: f64, dtype: Dtype) -> f64 {
        let sign = sign || self.zeros_equal;
        if want.hi.is_nan() || got.is_nan() {
            return if want.hi.is_nan() && got.is_nan() { 0.0 } else { f64::INFINITY };
        }
        if rounded == got {
            let signs = rounded != 0.0 || sign || rounded.is_sign_negative() == got.is_sign_negative();
            return if !signs {
                f64::INFINITY
            } else if got.is_infinite() || allowed == 0.0 {
                0.0
            } else {
                // The nearest number there is can be no error.
                (distance(want, got) / allowed).min(1.0)
            };
        }
        if rounded.is_infinite() && got.is_infinite() {
            return if sign { 0.0 } else { f64::INFINITY };
        }
        if allowed == 0.0 || want.hi.is_infinite() {
            return f64::INFINITY;
        }
        let max = finfo(dtype).expect("a float dtype").max;
        // Across the end of the range: infinity counts as the first value beyond it.
        let got = if got.is_infinite() { got.signum() * (max + ulp(max, dtype)) } else { got };
        distance(want, got) / allowed
    }
}

fn distance(want: Dd, got: f64) -> f64 {
    (Dd { hi: want.hi, lo: want.lo } - got.into()).hi.abs()
}
