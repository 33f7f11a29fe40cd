//! Values with operators, to write functions as formulas.

use crate::ir::{Builder, Code, Id, Type};
use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A polynomial's coefficients, from the constant term on.
pub(super) struct Fit {
    pub(super) single: &'static [f64],
    pub(super) double: &'static [f64],
}

/// A constant as a sum, each part of which has its type's precision.
pub(super) struct Parts3 {
    pub(super) single: [f64; 3],
    pub(super) double: [f64; 3],
}

/// The kernel that formulas go into.
pub(super) struct Formula<'b>(RefCell<&'b mut Builder>);

/// A value in a kernel.
#[derive(Clone, Copy)]
pub(super) struct Value<'f, 'b> {
    formula: &'f Formula<'b>,
    pub(super) id: Id,
}

/// What stands beside a value: another one of its type, or a number.
pub(super) trait Operand<'f, 'b> {
    fn beside(self, value: Value<'f, 'b>) -> Value<'f, 'b>;
}

impl<'f, 'b> Operand<'f, 'b> for Value<'f, 'b> {
    fn beside(self, _: Value<'f, 'b>) -> Value<'f, 'b> {
        self
    }
}

impl<'f, 'b> Operand<'f, 'b> for f64 {
    fn beside(self, value: Value<'f, 'b>) -> Value<'f, 'b> {
        value.number(self)
    }
}

impl<'f, 'b> Operand<'f, 'b> for u64 {
    fn beside(self, value: Value<'f, 'b>) -> Value<'f, 'b> {
        value.formula.bits(value.ty(), self)
    }
}

impl<'b> Formula<'b> {
    pub(super) fn new(b: &'b mut Builder) -> Formula<'b> {
        Formula(RefCell::new(b))
    }

    pub(super) fn value(&self, id: Id) -> Value<'_, 'b> {
        Value { formula: self, id }
    }

    /// A constant by its bits.
    pub(super) fn bits(&self, ty: Type, bits: u64) -> Value<'_, 'b> {
        self.value(self.0.borrow_mut().constant(ty, bits))
    }
}

impl<'f, 'b> Value<'f, 'b> {
    pub(super) fn ty(self) -> Type {
        self.formula.0.borrow().ty(self.id)
    }

    fn with(self, id: Id) -> Self {
        Value { id, ..self }
    }

    /// A float constant of the value's type.
    pub(super) fn number(self, x: f64) -> Self {
        let ty = self.ty();
        let id = self.formula.0.borrow_mut().float(ty, x);
        self.with(id)
    }

    /// A constant of the value's type, by its bits.
    pub(super) fn constant(self, bits: u64) -> Self {
        self.formula.bits(self.ty(), bits)
    }

    /// The parts of a constant in the value's type.
    pub(super) fn parts(self, parts: &Parts3) -> [f64; 3] {
        if self.is_double() { parts.double } else { parts.single }
    }

    pub(super) fn is_double(self) -> bool {
        self.ty() == Type::F64
    }

    /// One of two numbers, by the type: of float32 or of float64.
    pub(super) fn by<T>(self, single: T, double: T) -> T {
        if self.is_double() { double } else { single }
    }

    fn unary(self, code: Code) -> Self {
        let id = self.formula.0.borrow_mut().unary(code, self.id);
        self.with(id)
    }

    fn binary(self, code: Code, other: impl Operand<'f, 'b>) -> Self {
        let other = other.beside(self);
        let id = self.formula.0.borrow_mut().binary(code, self.id, other.id);
        self.with(id)
    }

    pub(super) fn sqrt(self) -> Self {
        self.unary(Code::Sqrt)
    }

    pub(super) fn trunc(self) -> Self {
        self.unary(Code::Trunc)
    }

    pub(super) fn floor(self) -> Self {
        self.unary(Code::Floor)
    }

    pub(super) fn not(self) -> Self {
        self.unary(Code::Not)
    }

    /// `self * b + c`, rounded once.
    pub(super) fn fma(self, b: impl Operand<'f, 'b>, c: impl Operand<'f, 'b>) -> Self {
        let (b, c) = (b.beside(self), c.beside(self));
        let id = self.formula.0.borrow_mut().fma(self.id, b.id, c.id);
        self.with(id)
    }

    /// The polynomial of `self`.
    pub(super) fn polynomial(self, fit: &Fit) -> Self {
        let list = if self.is_double() { fit.double } else { fit.single };
        if list.len() < 6 {
            return self.horner(list);
        }
        // Even and odd powers side by side, as each step waits for the one before; but the first
        // term, which is the greatest, is added last and rounded once.
        let square = self * self;
        let every_second = |from: usize| list[from..].iter().copied().step_by(2).collect::<Vec<_>>();
        let (odd, even) = (square.horner(&every_second(1)), square.horner(&every_second(2)));
        self.fma(self.fma(even, odd), list[0])
    }

    /// The polynomial of `self` with these coefficients, of which there is one at least.
    fn horner(self, list: &[f64]) -> Self {
        let (rest, last) = list.split_at(list.len() - 1);
        rest.iter().rev().fold(self.number(last[0]), |sum, &c| sum.fma(self, c))
    }

    pub(super) fn lt(self, other: impl Operand<'f, 'b>) -> Self {
        self.binary(Code::Lt, other)
    }

    pub(super) fn le(self, other: impl Operand<'f, 'b>) -> Self {
        self.binary(Code::Le, other)
    }

    pub(super) fn eq(self, other: impl Operand<'f, 'b>) -> Self {
        self.binary(Code::Eq, other)
    }

    pub(super) fn ne(self, other: impl Operand<'f, 'b>) -> Self {
        self.binary(Code::Ne, other)
    }

    pub(super) fn is_nan(self) -> Self {
        self.binary(Code::Ne, self)
    }

    pub(super) fn and(self, other: impl Operand<'f, 'b>) -> Self {
        self.binary(Code::And, other)
    }

    pub(super) fn or(self, other: impl Operand<'f, 'b>) -> Self {
        self.binary(Code::Or, other)
    }

    pub(super) fn xor(self, other: impl Operand<'f, 'b>) -> Self {
        self.binary(Code::Xor, other)
    }

    pub(super) fn shl(self, amount: impl Operand<'f, 'b>) -> Self {
        self.binary(Code::Shl, amount)
    }

    pub(super) fn shr(self, amount: impl Operand<'f, 'b>) -> Self {
        self.binary(Code::Shr, amount)
    }

    /// `yes` where this truth value is true, else `no`, which is of the value's type.
    pub(super) fn choose(self, yes: Self, no: impl Operand<'f, 'b>) -> Self {
        let no = no.beside(yes);
        let id = self.formula.0.borrow_mut().select(self.id, yes.id, no.id);
        self.with(id)
    }

    /// `other` where the condition is true, else `self`.
    pub(super) fn unless(self, condition: Self, other: impl Operand<'f, 'b>) -> Self {
        let other = other.beside(self);
        condition.choose(other, self)
    }

    /// What `seldom` gives where the condition is true, else `self`; made where it is needed.
    pub(super) fn rarely(self, condition: Self, seldom: impl FnOnce() -> Self) -> Self {
        let open = self.formula.0.borrow_mut().open_rare(condition.id);
        let value = seldom();
        let id = self.formula.0.borrow_mut().close_rare(open, condition.id, self.id, value.id);
        self.with(id)
    }

    /// What `seldom` gives where this truth value is true, else what is usual: several values at once.
    pub(super) fn either<const N: usize>(
        self,
        seldom: impl FnOnce() -> [Self; N],
        usual: [Self; N],
    ) -> [Self; N] {
        let mut open = self.formula.0.borrow_mut().open_if(self.id);
        let values = seldom().map(|value| value.id);
        self.formula.0.borrow_mut().otherwise(&mut open, &values);
        let values = self.formula.0.borrow_mut().close_if(open, &usual.map(|value| value.id));
        std::array::from_fn(|i| self.with(values[i]))
    }

    /// What `next` makes of the value, again and again as long as `goes_on` says so.
    pub(super) fn repeat(self, goes_on: impl FnOnce(Self) -> Self, next: impl FnOnce(Self) -> Self) -> Self {
        let (open, carried) = self.formula.0.borrow_mut().open_loop(&[self.id]);
        let value = self.with(carried[0]);
        let condition = goes_on(value);
        self.formula.0.borrow_mut().while_true(condition.id);
        let value = next(value);
        let last = self.formula.0.borrow_mut().close_loop(open, &[value.id]);
        self.with(last[0])
    }

    /// The lesser; NaN stays, if `self` is.
    pub(super) fn at_most(self, bound: f64) -> Self {
        let bound = self.number(bound);
        bound.lt(self).choose(bound, self)
    }

    /// The greater; NaN stays, if `self` is.
    pub(super) fn at_least(self, bound: f64) -> Self {
        let bound = self.number(bound);
        self.lt(bound).choose(bound, self)
    }

    pub(super) fn convert(self, ty: Type) -> Self {
        let id = self.formula.0.borrow_mut().convert(self.id, ty);
        self.with(id)
    }

    pub(super) fn cast(self, ty: Type) -> Self {
        let id = self.formula.0.borrow_mut().bitcast(self.id, ty);
        self.with(id)
    }

    /// The bits as a signed integer.
    pub(super) fn int(self) -> Self {
        self.cast(self.by(Type::I32, Type::I64))
    }

    /// An integer's bits as a float.
    pub(super) fn float(self) -> Self {
        self.cast(if self.ty().bits() == 32 { Type::F32 } else { Type::F64 })
    }

    /// The sign bit, as an integer.
    pub(super) fn sign(self) -> Self {
        let bits = self.int();
        bits.and(1u64 << (bits.ty().bits() - 1))
    }

    pub(super) fn abs(self) -> Self {
        let bits = self.int();
        bits.and(bits.ty().mask() >> 1).float()
    }

    /// With the sign inverted where the sign bit is set in an integer.
    pub(super) fn flip(self, sign: Self) -> Self {
        self.int().xor(sign).float()
    }

    /// `2^n` of an integer, if that is a normal number.
    pub(super) fn power_of_two(self) -> Self {
        let (bias, mantissa) = if self.ty().bits() == 32 { (127u64, 23u64) } else { (1023, 52) };
        (self + bias).shl(mantissa).float()
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident)*) => {$(
        impl<'f, 'b, T: Operand<'f, 'b>> $trait<T> for Value<'f, 'b> {
            type Output = Self;
            fn $method(self, other: T) -> Self {
                self.binary(Code::$trait, other)
            }
        }
    )*};
}
operators!(Add add Sub sub Mul mul Div div);

impl Neg for Value<'_, '_> {
    type Output = Self;
    fn neg(self) -> Self {
        self.unary(Code::Neg)
    }
}

/// A number as the sum of two, the second small beside the first.
#[derive(Clone, Copy)]
pub(super) struct Pair<'f, 'b> {
    pub(super) high: Value<'f, 'b>,
    pub(super) low: Value<'f, 'b>,
}

/// `a + b`, exactly, if `|a| >= |b|` or `a` is 0.
pub(super) fn fast_sum<'f, 'b>(a: Value<'f, 'b>, b: Value<'f, 'b>) -> Pair<'f, 'b> {
    let high = a + b;
    Pair { high, low: (a - high) + b }
}

/// `a + b`, exactly.
pub(super) fn sum<'f, 'b>(a: Value<'f, 'b>, b: Value<'f, 'b>) -> Pair<'f, 'b> {
    let high = a + b;
    let t = high - a;
    Pair { high, low: (a - (high - t)) + (b - t) }
}

/// `a * b`, exactly, unless the rest is too small for the type.
pub(super) fn product<'f, 'b>(a: Value<'f, 'b>, b: impl Operand<'f, 'b>) -> Pair<'f, 'b> {
    let b = b.beside(a);
    let high = a * b;
    Pair { high, low: a.fma(b, -high) }
}

impl<'f, 'b> Pair<'f, 'b> {
    /// The value, rounded.
    pub(super) fn value(self) -> Value<'f, 'b> {
        self.high + self.low
    }

    /// With a small number added.
    pub(super) fn plus(self, small: Value<'f, 'b>) -> Self {
        Pair { low: self.low + small, ..self }
    }

    /// The same number with the greatest part in front.
    pub(super) fn normal(self) -> Self {
        fast_sum(self.high, self.low)
    }

    pub(super) fn times(self, other: Self) -> Self {
        let p = product(self.high, other.high);
        let low = self.high.fma(other.low, self.low.fma(other.high, p.low));
        fast_sum(p.high, low)
    }
}

/// `a / b`, to about twice the precision.
pub(super) fn quotient<'f, 'b>(a: Pair<'f, 'b>, b: Pair<'f, 'b>) -> Pair<'f, 'b> {
    let high = a.high / b.high;
    // What is left, of which the leading part is exact.
    let rest = (-high).fma(b.high, a.high) + (-high).fma(b.low, a.low);
    Pair { high, low: rest / b.high }
}

/// `x^3` times the polynomial of `x^2`, with the products in full: for functions of which that
/// is a large part.
pub(super) fn cubed<'f, 'b>(x: Value<'f, 'b>, fit: &Fit) -> Value<'f, 'b> {
    let [cube, polynomial, low] = cubed_factors(x, fit);
    cube.fma(polynomial, low)
}

/// The same in two parts, where its rounding counts.
pub(super) fn cubed_pair<'f, 'b>(x: Value<'f, 'b>, fit: &Fit) -> Pair<'f, 'b> {
    let [cube, polynomial, low] = cubed_factors(x, fit);
    product(cube, polynomial).plus(low)
}

/// Two factors, and what is added to their product.
fn cubed_factors<'f, 'b>(x: Value<'f, 'b>, fit: &Fit) -> [Value<'f, 'b>; 3] {
    let square = product(x, x);
    let cube = product(x, square.high);
    // The constant term is the greatest.
    let list = if x.is_double() { fit.double } else { fit.single };
    let further = square.high * square.high.horner(&list[1..]);
    let polynomial = fast_sum(x.number(list[0]), further);
    let low = x.fma(square.low, cube.low) * polynomial.high;
    [cube.high, polynomial.high, cube.high.fma(polynomial.low, low)]
}
