//! Complex numbers of two pairs of float64, and activation functions of them by their plain formulas.

use crate::truth::dd::Dd;
use std::ops::{Add, Div, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug)]
pub(super) struct Z {
    pub(super) re: Dd,
    pub(super) im: Dd,
}

impl From<f64> for Z {
    fn from(x: f64) -> Z {
        Z { re: x.into(), im: 0.0.into() }
    }
}

impl Neg for Z {
    type Output = Z;
    fn neg(self) -> Z {
        Z { re: -self.re, im: -self.im }
    }
}

impl Add for Z {
    type Output = Z;
    fn add(self, o: Z) -> Z {
        Z { re: self.re + o.re, im: self.im + o.im }
    }
}

impl Sub for Z {
    type Output = Z;
    fn sub(self, o: Z) -> Z {
        self + -o
    }
}

impl Mul for Z {
    type Output = Z;
    fn mul(self, o: Z) -> Z {
        Z { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
    }
}

impl Div for Z {
    type Output = Z;
    fn div(self, o: Z) -> Z {
        let norm = o.re * o.re + o.im * o.im;
        let up = self * Z { re: o.re, im: -o.im };
        Z { re: up.re / norm, im: up.im / norm }
    }
}

impl Z {
    pub(super) fn exp(self) -> Z {
        let (size, (sin, cos)) = (self.re.exp(), self.im.sin_cos());
        Z { re: size * cos, im: size * sin }
    }

    /// The principal logarithm, but at 0.
    pub(super) fn ln(self) -> Z {
        let norm = (self.re * self.re + self.im * self.im).sqrt();
        Z { re: norm.ln(), im: self.im.atan2(self.re) }
    }

    fn tanh(self) -> Z {
        let e = (self + self).exp();
        (e - 1.0.into()) / (e + 1.0.into())
    }

    /// Whether the number comes after a real one: by the real parts, then by the imaginary ones.
    fn after(self, bound: f64) -> bool {
        self.re.hi > bound || self.re.hi == bound && self.im.hi > 0.0
    }

    pub(super) fn size(self) -> f64 {
        self.re.hi.hypot(self.im.hi)
    }
}

fn sigmoid(z: Z) -> Z {
    Z::from(1.0) / (Z::from(1.0) + (-z).exp())
}

fn softplus(z: Z) -> Z {
    (Z::from(1.0) + z.exp()).ln()
}

fn relu6(z: Z) -> Z {
    let low = if z.after(0.0) { z } else { 0.0.into() };
    if low.after(6.0) { 6.0.into() } else { low }
}

/// An activation function in the mode of JAX; `number` gives its keyword arguments.
pub(super) fn of(name: &str, z: Z, number: impl Fn(&str, f64) -> f64) -> Option<Z> {
    let alpha: Z = number("alpha", if name == "leaky_relu" { 0.2 } else { 1.0 }).into();
    Some(match name {
        "relu" if z.after(0.0) => z,
        "relu" => 0.0.into(),
        "relu6" => relu6(z),
        "leaky_relu" | "celu" if z.after(0.0) => z,
        "leaky_relu" => alpha * z,
        "celu" => alpha * ((z / alpha).exp() - 1.0.into()),
        "gelu" => {
            let c = (Dd::from(2.0) / crate::truth::dd::PI).sqrt();
            let u = Z { re: c, im: 0.0.into() } * (z + Z::from(0.044715) * z * z * z);
            Z::from(0.5) * z * (u.tanh() + 1.0.into())
        }
        "mish" => z * softplus(z).tanh(),
        "sigmoid" => sigmoid(z),
        "logsigmoid" => -softplus(-z),
        "softplus" => {
            let beta: Z = number("beta", 1.0).into();
            let scaled = beta * z;
            if scaled.after(number("threshold", f64::INFINITY)) { z } else { softplus(scaled) / beta }
        }
        "hardswish" => z * relu6(z + 3.0.into()) / 6.0.into(),
        "logit" => (z / (Z::from(1.0) - z)).ln(),
        _ => return None,
    })
}
