//! What is computed once for all lines of a transform.

use crate::small::Value;
use ivy_core::FftOp;
use ivy_core::host::scratch;
use ivy_decompositions::Transform;
use num_complex::Complex;
use realfft::{ComplexToReal, RealToComplex};
use rustfft::Fft;
use std::ops::Div;
use std::sync::Arc;

/// The parts of the numbers that are transformed.
pub(super) trait Part: Transform + Value + Default + Div<Output = Self> {
    /// The nearest one.
    fn of(x: f64) -> Self;
}

impl Part for f32 {
    fn of(x: f64) -> f32 {
        x as f32
    }
}

impl Part for f64 {
    fn of(x: f64) -> f64 {
        x
    }
}

pub(super) enum Plan<P> {
    Complex(Arc<dyn Fft<P>>),
    Real(Arc<dyn RealToComplex<P>>),
    RealInverse(Arc<dyn ComplexToReal<P>>),
}

impl<P: Part> Plan<P> {
    pub fn new(op: FftOp, n: usize) -> Plan<P> {
        match op {
            FftOp::Forward => Plan::Complex(P::forward(n)),
            FftOp::Inverse => Plan::Complex(P::inverse(n)),
            FftOp::Real => Plan::Real(P::real(n)),
            FftOp::RealInverse => Plan::RealInverse(P::real_inverse(n)),
        }
    }

    /// The transform of a line, in its place.
    pub fn complex(&self, line: &mut [Complex<P>]) {
        if let Plan::Complex(plan) = self {
            plan.process(line);
        }
    }

    /// The first half of the transform of a line, whose memory is used up.
    pub fn real(&self, line: &mut [P]) -> Vec<Complex<P>> {
        let mut half = scratch::filled(Complex::default(), line.len() / 2 + 1);
        if let Plan::Real(plan) = self {
            plan.process(line, &mut half).expect("the lines were made for the plan");
        }
        half
    }

    /// The real line behind the first half of a transform, whose memory is used up.
    pub fn real_inverse(&self, half: &mut [Complex<P>]) -> Vec<P> {
        let Plan::RealInverse(plan) = self else { return Vec::new() };
        // What stands for itself in a Hermitian line is real.
        half[0].im = P::default();
        let n = plan.len();
        if n.is_multiple_of(2) {
            half[n / 2].im = P::default();
        }
        let mut line = scratch::filled(P::default(), n);
        plan.process(half, &mut line).expect("the lines were made for the plan");
        line
    }
}
