//! Functions of complex numbers, by those of their parts: the formulas of the reference kernels,
//! with the special values of C's Annex G and the Array API, none of which overflows between.
//!
//! Some lose more than a few units of the last place on their way: complex64 goes through them in
//! float64, as the products of complex64 do.

mod exponential;
mod hyperbolic;
mod inverse;
mod power;
mod quotient;

use super::expr::{Formula, Value};
use crate::ir::{Builder, Id, Type};
use ivy_core::{BinaryOp, UnaryOp};

/// A complex number.
#[derive(Clone, Copy)]
pub(super) struct Point<'f, 'b> {
    re: Value<'f, 'b>,
    im: Value<'f, 'b>,
}

fn point<'f, 'b>(re: Value<'f, 'b>, im: Value<'f, 'b>) -> Point<'f, 'b> {
    Point { re, im }
}

impl<'f, 'b> Point<'f, 'b> {
    /// `other` where the condition is true, else `self`.
    fn unless(self, condition: Value<'f, 'b>, other: Self) -> Self {
        point(self.re.unless(condition, other.re), self.im.unless(condition, other.im))
    }

    /// What `seldom` gives where the condition is true, else `self`; made where it is needed.
    fn rarely(self, condition: Value<'f, 'b>, seldom: impl FnOnce() -> Self) -> Self {
        let [re, im] = condition.either(
            || {
                let Point { re, im } = seldom();
                [re, im]
            },
            [self.re, self.im],
        );
        point(re, im)
    }

    /// `i` times the conjugate: circular functions are hyperbolic ones between two such turns, which, unlike
    /// factors of `i`, invert no sign.
    fn turned(self) -> Self {
        point(self.im, self.re)
    }

    /// Both parts multiplied.
    fn scaled(self, factor: Value<'f, 'b>) -> Self {
        point(self.re * factor, self.im * factor)
    }

    fn is_zero(self) -> Value<'f, 'b> {
        self.re.eq(0.0).and(self.im.eq(0.0))
    }

    fn is_finite(self) -> Value<'f, 'b> {
        is_finite(self.re).and(is_finite(self.im))
    }

    /// The greater part's magnitude, and the other one's; NaN may be either.
    fn sizes(self) -> (Value<'f, 'b>, Value<'f, 'b>) {
        let (a, b) = (self.re.abs(), self.im.abs());
        let swap = a.lt(b);
        (swap.choose(b, a), swap.choose(a, b))
    }
}

fn is_finite<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    x.abs().lt(f64::INFINITY)
}

fn is_infinite<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    x.abs().eq(f64::INFINITY)
}

/// A number's magnitude, with the sign of another one; that of NaN, which targets do not agree
/// about, is positive.
fn with_sign<'f, 'b>(x: Value<'f, 'b>, sign: Value<'f, 'b>) -> Value<'f, 'b> {
    x.abs().flip(sign.unless(sign.is_nan(), 0.0).sign())
}

/// True for functions that complex64 goes through in float64.
fn is_wide(op: UnaryOp) -> bool {
    use UnaryOp as U;
    matches!(
        op,
        U::Acos | U::Acosh | U::Asin | U::Asinh | U::Atan | U::Atanh | U::Reciprocal | U::Tan | U::Tanh
    )
}

/// A function of a complex number.
pub(in super::super) fn unary(b: &mut Builder, op: UnaryOp, [re, im]: [Id; 2]) -> Option<[Id; 2]> {
    let ty = b.ty(re);
    let formula = Formula::new(b);
    let wide = |id| if is_wide(op) { formula.value(id).convert(Type::F64) } else { formula.value(id) };
    let z = point(wide(re), wide(im));
    let value = match op {
        UnaryOp::Acos => inverse::acos(z),
        UnaryOp::Acosh => inverse::acosh(z),
        UnaryOp::Asin => inverse::asin(z),
        UnaryOp::Asinh => inverse::asinh(z),
        UnaryOp::Atan => inverse::atan(z),
        UnaryOp::Atanh => inverse::atanh(z),
        UnaryOp::Cos => hyperbolic::cos(z),
        UnaryOp::Cosh => hyperbolic::cosh(z),
        UnaryOp::Exp => exponential::exp(z),
        UnaryOp::Expm1 => exponential::expm1(z),
        UnaryOp::Log => exponential::log(z),
        UnaryOp::Log1p => exponential::log1p(z),
        UnaryOp::Log2 => exponential::log2(z),
        UnaryOp::Log10 => exponential::log10(z),
        UnaryOp::Reciprocal => quotient::divide(point(z.re.number(1.0), z.re.number(0.0)), z, ty),
        UnaryOp::Sign => quotient::sign(z),
        UnaryOp::Sin => hyperbolic::sin(z),
        UnaryOp::Sinh => hyperbolic::sinh(z),
        UnaryOp::Sqrt => exponential::sqrt(z),
        UnaryOp::Tan => hyperbolic::tan(z),
        UnaryOp::Tanh => hyperbolic::tanh(z),
        _ => return None,
    };
    Some([value.re.convert(ty).id, value.im.convert(ty).id])
}

/// A function of two.
pub(in super::super) fn binary(b: &mut Builder, op: BinaryOp, x: [Id; 2], y: [Id; 2]) -> Option<[Id; 2]> {
    let ty = b.ty(x[0]);
    let formula = Formula::new(b);
    let wide = |id| formula.value(id).convert(Type::F64);
    let (x, y) = (point(wide(x[0]), wide(x[1])), point(wide(y[0]), wide(y[1])));
    let value = match op {
        BinaryOp::Divide => quotient::divide(x, y, ty),
        BinaryOp::Pow => power::pow(x, y, ty),
        _ => return None,
    };
    Some([value.re.convert(ty).id, value.im.convert(ty).id])
}
