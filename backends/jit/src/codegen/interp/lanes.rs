//! Registers of the interpreter: a block of values of one type, and what is done with blocks.

use crate::ir::fold::{self, Join};
use crate::ir::{Code, Type};
use half::f16;

/// How many elements are computed at a time: small enough for a register to stay in the
/// nearest cache, large enough that choosing what to do costs little. A block that is folded is as long.
/// Elements in order are computed one at a time.
pub(super) const BLOCK: usize = fold::BLOCK;

macro_rules! lanes {
    ($($V:ident $t:ty),*) => {
        /// A block of values.
        #[derive(Clone)]
        pub(super) enum Lanes {
            $(
                #[doc = concat!("Values of the type ", stringify!($t), ".")]
                $V(Box<[$t]>),
            )*
            /// In place of a register that is being written.
            Empty,
        }

        impl Lanes {
            /// So many zeros.
            pub(super) fn new(ty: Type, count: usize) -> Lanes {
                match ty { $(Type::$V => Lanes::$V(vec![Default::default(); count].into())),* }
            }

            /// How many there are, and where they are.
            pub(super) fn raw(&mut self) -> (usize, *mut u8) {
                match self {
                    $(Lanes::$V(x) => (x.len(), x.as_mut_ptr().cast()),)*
                    Lanes::Empty => (0, std::ptr::null_mut()),
                }
            }

            /// The bits of one.
            pub(super) fn bits(&self, lane: usize) -> u64 {
                match self { $(Lanes::$V(x) => x[lane].bits64(),)* Lanes::Empty => 0 }
            }

            pub(super) fn set_bits(&mut self, lane: usize, bits: u64) {
                match self { $(Lanes::$V(x) => x[lane] = <$t>::from_bits64(bits),)* Lanes::Empty => {} }
            }

            /// The first truth values are true, the others false.
            pub(super) fn first(&mut self, count: usize) {
                if let Lanes::Bool(x) = self {
                    x.iter_mut().enumerate().for_each(|(i, x)| *x = i < count);
                }
            }

            /// True if one of the first truth values is.
            pub(super) fn any(&self, count: usize) -> bool {
                matches!(self, Lanes::Bool(x) if x[..count].contains(&true))
            }

            pub(super) fn fill(&mut self, bits: u64) {
                match self { $(Lanes::$V(x) => x.fill(<$t>::from_bits64(bits)),)* Lanes::Empty => {} }
            }
        }
    };
}
lanes!(Bool bool, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64, F32 f32, F64 f64);

/// Runs an expression with the block, whatever its type.
macro_rules! with_lanes {
    ($lanes:expr, $x:ident => $body:expr) => {
        with_lanes!(@ $lanes, $x, $body; Bool I8 I16 I32 I64 U8 U16 U32 U64 F32 F64)
    };
    (@ $lanes:expr, $x:ident, $body:expr; $($V:ident)*) => {
        match $lanes { $(Lanes::$V($x) => $body,)* Lanes::Empty => {} }
    };
}

/// A value as its bits, and as other types.
pub(super) trait Lane: Copy + PartialEq + PartialOrd {
    fn bits64(self) -> u64;
    fn from_bits64(bits: u64) -> Self;
    fn to<O: Goal>(self) -> O;
}

/// A goal of conversions.
pub(super) trait Goal: Lane {
    fn from_i64(x: i64) -> Self;
    fn from_u64(x: u64) -> Self;
    fn from_f32(x: f32) -> Self;
    fn from_f64(x: f64) -> Self;
}

macro_rules! goals {
    ($($t:ident)*) => {$(
        impl Goal for $t {
            #[inline(always)]
            fn from_i64(x: i64) -> $t { x as $t }
            #[inline(always)]
            fn from_u64(x: u64) -> $t { x as $t }
            #[inline(always)]
            fn from_f32(x: f32) -> $t { x as $t }
            #[inline(always)]
            fn from_f64(x: f64) -> $t { x as $t }
        }
    )*};
}
goals!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

impl Goal for bool {
    #[inline(always)]
    fn from_i64(x: i64) -> bool {
        x != 0
    }
    #[inline(always)]
    fn from_u64(x: u64) -> bool {
        x != 0
    }
    #[inline(always)]
    fn from_f32(x: f32) -> bool {
        x != 0.0
    }
    #[inline(always)]
    fn from_f64(x: f64) -> bool {
        x != 0.0
    }
}

macro_rules! sources {
    ($($t:ident $bits:ident $by:ident $via:ident;)*) => {$(
        impl Lane for $t {
            #[inline(always)]
            fn bits64(self) -> u64 { u64::from(self as $bits) }
            #[inline(always)]
            fn from_bits64(bits: u64) -> $t { bits as $bits as $t }
            #[inline(always)]
            fn to<O: Goal>(self) -> O { O::$by(self as $via) }
        }
    )*};
}
sources! {
    i8 u8 from_i64 i64; i16 u16 from_i64 i64; i32 u32 from_i64 i64; i64 u64 from_i64 i64;
    u8 u8 from_u64 u64; u16 u16 from_u64 u64; u32 u32 from_u64 u64; u64 u64 from_u64 u64;
}

impl Lane for bool {
    #[inline(always)]
    fn bits64(self) -> u64 {
        u64::from(self)
    }
    #[inline(always)]
    fn from_bits64(bits: u64) -> bool {
        bits & 1 == 1
    }
    #[inline(always)]
    fn to<O: Goal>(self) -> O {
        O::from_u64(u64::from(self))
    }
}

macro_rules! floats {
    ($($t:ident $bits:ident $by:ident)*) => {$(
        impl Lane for $t {
            #[inline(always)]
            fn bits64(self) -> u64 { u64::from(self.to_bits()) }
            #[inline(always)]
            fn from_bits64(bits: u64) -> $t { $t::from_bits(bits as $bits) }
            #[inline(always)]
            fn to<O: Goal>(self) -> O { O::$by(self) }
        }
    )*};
}
floats!(f32 u32 from_f32 f64 u64 from_f64);

#[inline(always)]
fn map1<A: Copy, O>(a: &[A], out: &mut [O], f: impl Fn(A) -> O) {
    for (o, &a) in out.iter_mut().zip(a) {
        *o = f(a);
    }
}

#[inline(always)]
fn map2<A: Copy, O>(a: &[A], b: &[A], out: &mut [O], f: impl Fn(A, A) -> O) {
    for (o, (&a, &b)) in out.iter_mut().zip(a.iter().zip(b)) {
        *o = f(a, b);
    }
}

/// What a type does with its own blocks. The verifier lets no other code through.
trait Arithmetic: Lane {
    fn unary(code: Code, x: &[Self], out: &mut [Self]);
    fn binary(code: Code, a: &[Self], b: &[Self], out: &mut [Self]);
    fn join(join: Join, a: Self, b: Self) -> Self;
}

// Only a NaN differs from itself.
#[allow(clippy::eq_op)]
#[inline(always)]
fn greater<T: Lane>(a: T, b: T) -> T {
    if a > b || a != a { a } else { b }
}

#[allow(clippy::eq_op)]
#[inline(always)]
fn less<T: Lane>(a: T, b: T) -> T {
    if a < b || a != a { a } else { b }
}

macro_rules! integers {
    ($($t:ident $unsigned:ident)*) => {$(
        impl Arithmetic for $t {
            fn unary(code: Code, x: &[$t], out: &mut [$t]) {
                match code {
                    Code::Neg => map1(x, out, $t::wrapping_neg),
                    Code::Not => map1(x, out, |x| !x),
                    _ => {}
                }
            }
            fn binary(code: Code, a: &[$t], b: &[$t], out: &mut [$t]) {
                match code {
                    Code::Add => map2(a, b, out, $t::wrapping_add),
                    Code::Sub => map2(a, b, out, $t::wrapping_sub),
                    Code::Mul => map2(a, b, out, $t::wrapping_mul),
                    Code::Div => map2(a, b, out, |a, b| if b == 0 { 0 } else { a.wrapping_div(b) }),
                    Code::Rem => map2(a, b, out, |a, b| if b == 0 { 0 } else { a.wrapping_rem(b) }),
                    Code::And => map2(a, b, out, |a, b| a & b),
                    Code::Or => map2(a, b, out, |a, b| a | b),
                    Code::Xor => map2(a, b, out, |a, b| a ^ b),
                    Code::Shl => map2(a, b, out, |a, b| {
                        // A negative amount is a large unsigned one.
                        let inside = (b as $unsigned) < $t::BITS as $unsigned;
                        if inside { a.wrapping_shl(b as u32) } else { 0 }
                    }),
                    Code::Shr => map2(a, b, out, |a, b| {
                        let inside = (b as $unsigned) < $t::BITS as $unsigned;
                        // All bits are the sign's, of signed; none are left, of unsigned.
                        let gone = if $t::MIN == 0 { 0 } else { a.wrapping_shr($t::BITS - 1) };
                        if inside { a.wrapping_shr(b as u32) } else { gone }
                    }),
                    _ => {}
                }
            }
            #[inline(always)]
            fn join(join: Join, a: $t, b: $t) -> $t {
                match join {
                    Join::Add => a.wrapping_add(b),
                    Join::Mul => a.wrapping_mul(b),
                    Join::Max => greater(a, b),
                    _ => less(a, b),
                }
            }
        }
    )*};
}
integers!(i8 u8 i16 u16 i32 u32 i64 u64 u8 u8 u16 u16 u32 u32 u64 u64);

macro_rules! float_arithmetic {
    ($($t:ident)*) => {$(
        impl Arithmetic for $t {
            fn unary(code: Code, x: &[$t], out: &mut [$t]) {
                match code {
                    Code::Neg => map1(x, out, |x| -x),
                    Code::Sqrt => map1(x, out, $t::sqrt),
                    Code::Floor => map1(x, out, $t::floor),
                    Code::Ceil => map1(x, out, $t::ceil),
                    Code::Trunc => map1(x, out, $t::trunc),
                    Code::RoundEven => map1(x, out, $t::round_ties_even),
                    _ => {}
                }
            }
            fn binary(code: Code, a: &[$t], b: &[$t], out: &mut [$t]) {
                match code {
                    Code::Add => map2(a, b, out, |a, b| a + b),
                    Code::Sub => map2(a, b, out, |a, b| a - b),
                    Code::Mul => map2(a, b, out, |a, b| a * b),
                    Code::Div => map2(a, b, out, |a, b| a / b),
                    _ => {}
                }
            }
            #[inline(always)]
            fn join(join: Join, a: $t, b: $t) -> $t {
                match join {
                    Join::Add => a + b,
                    Join::Mul => a * b,
                    Join::Max => greater(a, b),
                    _ => less(a, b),
                }
            }
        }
    )*};
}
float_arithmetic!(f32 f64);

impl Arithmetic for bool {
    fn unary(code: Code, x: &[bool], out: &mut [bool]) {
        if code == Code::Not {
            map1(x, out, |x| !x);
        }
    }
    fn binary(code: Code, a: &[bool], b: &[bool], out: &mut [bool]) {
        match code {
            Code::And => map2(a, b, out, |a, b| a & b),
            Code::Or => map2(a, b, out, |a, b| a | b),
            Code::Xor => map2(a, b, out, |a, b| a ^ b),
            _ => {}
        }
    }
    fn join(join: Join, a: bool, b: bool) -> bool {
        if join == Join::And { a & b } else { a | b }
    }
}

/// Runs an expression with two or three blocks of one type.
macro_rules! alike {
    ($first:expr, $($rest:expr),+; |$x:ident, $($y:ident),+| $body:expr) => {
        alike!(@ ($first, $($rest),+) ($x, $($y),+) $body; Bool I8 I16 I32 I64 U8 U16 U32 U64 F32 F64)
    };
    (@ ($a:expr, $b:expr) ($x:ident, $y:ident) $body:expr; $($V:ident)*) => {
        match ($a, $b) { $((Lanes::$V($x), Lanes::$V($y)) => $body,)* _ => {} }
    };
    (@ ($a:expr, $b:expr, $c:expr) ($x:ident, $y:ident, $z:ident) $body:expr; $($V:ident)*) => {
        match ($a, $b, $c) { $((Lanes::$V($x), Lanes::$V($y), Lanes::$V($z)) => $body,)* _ => {} }
    };
}

/// True if one of the first truth values is false, of those that count.
pub(super) fn any_false(x: &Lanes, within: Option<&Lanes>, count: usize) -> bool {
    match (x, within) {
        (Lanes::Bool(x), Some(Lanes::Bool(within))) => {
            x[..count].iter().zip(&within[..count]).any(|(&x, &counts)| counts && !x)
        }
        (Lanes::Bool(x), _) => x[..count].contains(&false),
        _ => false,
    }
}

pub(super) fn unary(code: Code, x: &Lanes, out: &mut Lanes) {
    alike!(x, out; |x, o| Arithmetic::unary(code, &x[..], &mut o[..]));
}

pub(super) fn binary(code: Code, a: &Lanes, b: &Lanes, out: &mut Lanes) {
    alike!(a, b, out; |a, b, o| Arithmetic::binary(code, &a[..], &b[..], &mut o[..]));
}

// Truth values are in order like numbers: one form for all types.
#[allow(clippy::bool_comparison)]
pub(super) fn compare(code: Code, a: &Lanes, b: &Lanes, out: &mut Lanes) {
    let Lanes::Bool(o) = out else { return };
    alike!(a, b; |a, b| match code {
        Code::Lt => map2(&a[..], &b[..], &mut o[..], |a, b| a < b),
        Code::Le => map2(&a[..], &b[..], &mut o[..], |a, b| a <= b),
        Code::Eq => map2(&a[..], &b[..], &mut o[..], |a, b| a == b),
        _ => map2(&a[..], &b[..], &mut o[..], |a, b| a != b),
    });
}

pub(super) fn select(condition: &Lanes, a: &Lanes, b: &Lanes, out: &mut Lanes) {
    let Lanes::Bool(c) = condition else { return };
    alike!(a, b, out; |a, b, o| {
        for (o, (&c, (&a, &b))) in o.iter_mut().zip(c.iter().zip(a.iter().zip(b.iter()))) {
            *o = if c { a } else { b };
        }
    });
}

/// Which elements are at work: those of `within` for which the condition is `wanted`.
pub(super) fn mask(condition: &Lanes, wanted: bool, within: Option<&Lanes>, out: &mut Lanes) {
    let (Lanes::Bool(c), Lanes::Bool(o)) = (condition, out) else { return };
    map1(&c[..], &mut o[..], |c| c == wanted);
    if let Some(Lanes::Bool(w)) = within {
        o.iter_mut().zip(w.iter()).for_each(|(o, &w)| *o &= w);
    }
}

pub(super) fn copy(x: &Lanes, out: &mut Lanes) {
    alike!(x, out; |x, o| o.copy_from_slice(&x[..]));
}

/// Replaces the elements at work.
pub(super) fn merge(mask: &Lanes, x: &Lanes, out: &mut Lanes) {
    let Lanes::Bool(m) = mask else { return };
    alike!(x, out; |x, o| {
        for (o, (&m, &x)) in o.iter_mut().zip(m.iter().zip(x.iter())) {
            *o = if m { x } else { *o };
        }
    });
}

pub(super) fn fma(a: &Lanes, b: &Lanes, c: &Lanes, out: &mut Lanes) {
    macro_rules! each {
        ($($V:ident)*) => {
            match (a, b, c, out) {
                $((Lanes::$V(a), Lanes::$V(b), Lanes::$V(c), Lanes::$V(o)) => {
                    for (i, o) in o.iter_mut().enumerate() {
                        *o = a[i].mul_add(b[i], c[i]);
                    }
                })*
                _ => {}
            }
        };
    }
    each!(F32 F64);
}

pub(super) fn convert(x: &Lanes, out: &mut Lanes) {
    with_lanes!(x, x => with_lanes!(out, o => map1(&x[..], &mut o[..], Lane::to)));
}

/// Between float16's bits and float32.
pub(super) fn half(x: &Lanes, out: &mut Lanes) {
    match (x, out) {
        (Lanes::U16(x), Lanes::F32(o)) => map1(&x[..], &mut o[..], |x| f16::from_bits(x).to_f32()),
        (Lanes::F32(x), Lanes::U16(o)) => map1(&x[..], &mut o[..], |x| f16::from_f32(x).to_bits()),
        _ => {}
    }
}

pub(super) fn bitcast(x: &Lanes, out: &mut Lanes) {
    with_lanes!(x, x => with_lanes!(out, o => map1(&x[..], &mut o[..], |x| Lane::from_bits64(x.bits64()))));
}

/// What an atomic leaves of what was there and its operand.
pub(super) fn combine(code: Code, ty: Type, old: u64, x: u64) -> u64 {
    macro_rules! chosen {
        ($t:ident, |$a:ident, $b:ident| $keeps:expr) => {{
            let ($a, $b) = ($t::from_bits64(old), $t::from_bits64(x));
            if $keeps { old } else { x }
        }};
    }
    macro_rules! integer {
        ($t:ident) => {{
            let (a, b) = ($t::from_bits64(old), $t::from_bits64(x));
            match code {
                Code::AtomicAdd => a.wrapping_add(b).bits64(),
                Code::AtomicSub => a.wrapping_sub(b).bits64(),
                Code::AtomicMin => a.min(b).bits64(),
                Code::AtomicMax => a.max(b).bits64(),
                Code::AtomicAnd => (a & b).bits64(),
                Code::AtomicOr => (a | b).bits64(),
                Code::AtomicXor => (a ^ b).bits64(),
                _ => x,
            }
        }};
    }
    macro_rules! float {
        ($t:ident) => {
            match code {
                Code::AtomicAdd => ($t::from_bits64(old) + $t::from_bits64(x)).bits64(),
                Code::AtomicSub => ($t::from_bits64(old) - $t::from_bits64(x)).bits64(),
                // Of equal ones, which are zeros or the same, the sign says which is less.
                Code::AtomicMin => chosen!($t, |a, b| a < b || a.is_nan() || a == b && a.is_sign_negative()),
                Code::AtomicMax => chosen!($t, |a, b| a > b || a.is_nan() || a == b && a.is_sign_positive()),
                _ => x,
            }
        };
    }
    match ty {
        Type::I32 => integer!(i32),
        Type::I64 => integer!(i64),
        Type::U32 => integer!(u32),
        Type::U64 => integer!(u64),
        Type::F32 => float!(f32),
        Type::F64 => float!(f64),
        // The verifier lets no atomics of these through.
        _ => old,
    }
}

/// Joins a block to what is there.
pub(super) fn join(join: Join, to: &mut Lanes, x: &Lanes) {
    alike!(to, x; |to, x| {
        for (to, &x) in to.iter_mut().zip(x.iter()) {
            *to = Arithmetic::join(join, *to, x);
        }
    });
}

/// The first `count` values of a block as one, in the first lane of `to`.
pub(super) fn fold_block(join: Join, x: &Lanes, count: usize, identity: u64, to: &mut Lanes) {
    alike!(x, to; |x, to| {
        let lanes = &mut to[..fold::LANES];
        lanes.fill(Lane::from_bits64(identity));
        for row in x[..count].chunks(fold::LANES) {
            for (lane, &x) in lanes.iter_mut().zip(row) {
                *lane = Arithmetic::join(join, *lane, x);
            }
        }
        let mut half = fold::LANES / 2;
        while half > 0 {
            for j in 0..half {
                lanes[j] = Arithmetic::join(join, lanes[j], lanes[j + half]);
            }
            half /= 2;
        }
    });
}
