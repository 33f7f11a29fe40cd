//! Elementary functions of float32 and float64, written in statements: the same bits by every
//! generator. Errors are at most those that the functional API promises, over all arguments;
//! `ivy ulp` measures them.
//!
//! The exact product of two numbers is a product and a fused multiply-add, which every
//! generator has; numbers that need more than their type's precision are pairs of numbers. What
//! only huge or special arguments need stands in blocks for what is rare.

mod coefficients;
pub(super) mod complex;
mod double;
mod error_function;
mod exponential;
mod expr;
mod gamma;
mod hyperbolic;
mod inverse;
mod log_of_sum;
mod logarithm;
mod power;
mod quotient;
mod reduction;
mod trigonometric;

use crate::ir::{Builder, Id};
use expr::Formula;
use ivy_core::{BinaryOp, UnaryOp};

/// A function of a float32 or float64.
pub(super) fn unary(b: &mut Builder, op: UnaryOp, x: Id) -> Option<Id> {
    let formula = Formula::new(b);
    let x = formula.value(x);
    let value = match op {
        UnaryOp::Acos => inverse::acos(x),
        UnaryOp::Acosh => hyperbolic::acosh(x),
        UnaryOp::Asin => inverse::asin(x),
        UnaryOp::Asinh => hyperbolic::asinh(x),
        UnaryOp::Atan => inverse::atan(x),
        UnaryOp::Atanh => hyperbolic::atanh(x),
        UnaryOp::Cos => trigonometric::cos(x),
        UnaryOp::Cosh => hyperbolic::cosh(x),
        UnaryOp::Digamma => gamma::digamma(x),
        UnaryOp::Erf => error_function::erf(x),
        UnaryOp::Erfc => error_function::erfc(x),
        UnaryOp::Exp => exponential::exp(x),
        UnaryOp::Expm1 => exponential::expm1(x),
        UnaryOp::Lgamma => gamma::lgamma(x),
        UnaryOp::Log => logarithm::log(x),
        UnaryOp::Log1p => logarithm::log1p(x),
        UnaryOp::Log2 => logarithm::log2(x),
        UnaryOp::Log10 => logarithm::log10(x),
        UnaryOp::Sin => trigonometric::sin(x),
        UnaryOp::Sinh => hyperbolic::sinh(x),
        UnaryOp::Tan => trigonometric::tan(x),
        UnaryOp::Tanh => hyperbolic::tanh(x),
        _ => return None,
    };
    Some(value.id)
}

/// A function of two.
pub(super) fn binary(b: &mut Builder, op: BinaryOp, x: Id, y: Id) -> Option<Id> {
    let formula = Formula::new(b);
    let (x, y) = (formula.value(x), formula.value(y));
    let value = match op {
        BinaryOp::Atan2 => inverse::atan2(x, y),
        BinaryOp::FloorDivide => quotient::floor_divide(x, y),
        BinaryOp::Hypot => power::hypot(x, y),
        BinaryOp::Logaddexp => log_of_sum::logaddexp(x, y),
        BinaryOp::Pow => power::pow(x, y),
        BinaryOp::Remainder => quotient::remainder(x, y),
        _ => return None,
    };
    Some(value.id)
}
