//! What instructions do with bits, as the PTX manual says. Registers are 64 bits wide here; of
//! narrower values, those above are zeros. What the manual leaves open is a fault.

use crate::parse::{Compare, Fault, Op, Round, Ty, fault};
use crate::warp::{Lanes, WARP, lanes};

/// NaN as float32 instructions make it.
const NAN32: u64 = 0x7fff_ffff;
const NAN64: u64 = 0xfff8_0000_0000_0000;

fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn bits32(x: f32) -> u64 {
    if x.is_nan() { NAN32 } else { u64::from(x.to_bits()) }
}

fn bits64(x: f64) -> u64 {
    if x.is_nan() { NAN64 } else { x.to_bits() }
}

/// The bits that a type's registers have.
fn cut(ty: Ty, bits: u64) -> u64 {
    match ty {
        Ty::Pred => bits & 1,
        _ if ty.bytes() == 8 => bits,
        _ => bits & 0xffff_ffff,
    }
}

/// What a type's registers hold: all bits of it are ones.
fn ones(ty: Ty) -> u64 {
    cut(ty, u64::MAX)
}

/// The number that bits are, of a signed type.
fn signed(ty: Ty, bits: u64) -> i64 {
    if ty.bytes() == 8 { bits as i64 } else { i64::from(bits as u32 as i32) }
}

/// The number that bits are, of an unsigned type.
fn unsigned(ty: Ty, bits: u64) -> u64 {
    if ty.bytes() == 8 { bits } else { u64::from(bits as u32) }
}

fn each(f: impl Fn(usize) -> u64) -> Lanes {
    std::array::from_fn(f)
}

/// Of some lanes alone, where there may be faults.
fn each_of(mask: u32, f: impl Fn(usize) -> Result<u64, Fault>) -> Result<Lanes, Fault> {
    let mut values = [0; WARP];
    for lane in lanes(mask) {
        values[lane] = f(lane)?;
    }
    Ok(values)
}

/// An instruction without memory, in the lanes of a mask; what the others have is of no use.
pub(crate) fn compute(op: Op, [a, b, c]: &[Lanes; 3], mask: u32) -> Result<Lanes, Fault> {
    macro_rules! float {
        ($ty:expr, |$x:ident, $y:ident| $value:expr) => {
            match $ty {
                Ty::F32 => each(|i| {
                    let ($x, $y) = (f32_of(a[i]), f32_of(b[i]));
                    bits32($value)
                }),
                _ => each(|i| {
                    let ($x, $y) = (f64::from_bits(a[i]), f64::from_bits(b[i]));
                    bits64($value)
                }),
            }
        };
    }
    Ok(match op {
        Op::Add(ty @ (Ty::F32 | Ty::F64)) => float!(ty, |x, y| x + y),
        Op::Sub(ty @ (Ty::F32 | Ty::F64)) => float!(ty, |x, y| x - y),
        Op::Mul(ty @ (Ty::F32 | Ty::F64)) => float!(ty, |x, y| x * y),
        Op::Div(ty @ (Ty::F32 | Ty::F64)) => float!(ty, |x, y| x / y),
        Op::Add(ty) => {
            let ones = ones(ty);
            each(|i| a[i].wrapping_add(b[i]) & ones)
        }
        Op::Sub(ty) => {
            let ones = ones(ty);
            each(|i| a[i].wrapping_sub(b[i]) & ones)
        }
        Op::Mul(ty) => {
            let ones = ones(ty);
            each(|i| a[i].wrapping_mul(b[i]) & ones)
        }
        Op::Div(ty) => each_of(mask, |i| quotient(ty, a[i], b[i]))?,
        Op::Min(ty) => each(|i| cut(ty, if compare(Compare::Lt, ty, a[i], b[i]) { a[i] } else { b[i] })),
        Op::Max(ty) => each(|i| cut(ty, if compare(Compare::Lt, ty, a[i], b[i]) { b[i] } else { a[i] })),
        Op::MadLo(ty) => {
            let ones = ones(ty);
            each(|i| a[i].wrapping_mul(b[i]).wrapping_add(c[i]) & ones)
        }
        Op::MadWide(ty) if ty.is_signed() => {
            each(|i| (signed(ty, a[i]).wrapping_mul(signed(ty, b[i])) as u64).wrapping_add(c[i]))
        }
        Op::MadWide(ty) => each(|i| unsigned(ty, a[i]).wrapping_mul(unsigned(ty, b[i])).wrapping_add(c[i])),
        Op::Fma(Ty::F32) => each(|i| bits32(f32_of(a[i]).mul_add(f32_of(b[i]), f32_of(c[i])))),
        Op::Fma(_) => {
            each(|i| bits64(f64::from_bits(a[i]).mul_add(f64::from_bits(b[i]), f64::from_bits(c[i]))))
        }
        Op::Sqrt(Ty::F32) => each(|i| bits32(f32_of(a[i]).sqrt())),
        Op::Sqrt(_) => each(|i| bits64(f64::from_bits(a[i]).sqrt())),
        Op::Neg(Ty::F32) => each(|i| bits32(-f32_of(a[i]))),
        Op::Neg(_) => each(|i| bits64(-f64::from_bits(a[i]))),
        Op::And(ty) => each(|i| cut(ty, a[i] & b[i])),
        Op::Or(ty) => each(|i| cut(ty, a[i] | b[i])),
        Op::Xor(ty) => each(|i| cut(ty, a[i] ^ b[i])),
        Op::Not(ty) => each(|i| cut(ty, !a[i])),
        Op::Shl(ty) => {
            let width = ty.bytes() as u64 * 8;
            let amount = |i: usize| b[i] & 0xffff_ffff;
            each(|i| if amount(i) < width { cut(ty, a[i] << amount(i)) } else { 0 })
        }
        Op::Shr(ty) => {
            // Amounts beyond the register count as its width, and of a signed number its sign is left.
            let width = ty.bytes() as u64 * 8;
            let amount = |i: usize| b[i] & 0xffff_ffff;
            match ty.is_signed() {
                true => each(|i| cut(ty, (signed(ty, a[i]) >> amount(i).min(63)) as u64)),
                false => each(|i| if amount(i) < width { unsigned(ty, a[i]) >> amount(i) } else { 0 }),
            }
        }
        Op::Bfe(Ty::S32) => each_of(mask, |i| {
            let (at, count) = (b[i] & 0xff, c[i] & 0xff);
            if count == 0 || at + count > 32 {
                return fault("a field that is not within the word");
            }
            let up = 32 - at - count;
            Ok(u64::from((((a[i] as u32) << up) as i32 >> (up + at)) as u32))
        })?,
        Op::Popc => each(|i| u64::from((a[i] as u32).count_ones())),
        Op::Brev => each(|i| u64::from((a[i] as u32).reverse_bits())),
        Op::Prmt => each(|i| permuted(a[i], b[i], c[i])),
        Op::Setp(how, ty) => each(|i| u64::from(compare(how, ty, a[i], b[i]))),
        Op::Selp(ty) => each(|i| cut(ty, if c[i] & 1 == 1 { a[i] } else { b[i] })),
        Op::Cvt(round, to, from) => each_of(mask, |i| convert(round, to, from, a[i]))?,
        _ => return fault(format!("{op:?}")),
    })
}

/// Four of the eight bytes of two words, by four bits each: the byte's number, or with the highest bit its
/// sign in all bits.
fn permuted(a: u64, b: u64, selection: u64) -> u64 {
    let bytes = ((b & 0xffff_ffff) << 32 | a & 0xffff_ffff).to_le_bytes();
    (0..4).rev().fold(0, |word, i| {
        let chosen = selection >> (4 * i) & 15;
        let byte = bytes[chosen as usize & 7];
        word << 8 | u64::from(if chosen < 8 { byte } else { (byte as i8 >> 7) as u8 })
    })
}

fn quotient(ty: Ty, a: u64, b: u64) -> Result<u64, Fault> {
    if unsigned(ty, b) == 0 {
        return fault("division by zero is not specified");
    }
    if !ty.is_signed() {
        return Ok(unsigned(ty, a) / unsigned(ty, b));
    }
    let value = signed(ty, a).checked_div(signed(ty, b)).map(|value| cut(ty, value as u64));
    match value.filter(|&bits| signed(ty, b) != -1 || signed(ty, bits) == signed(ty, a).wrapping_neg()) {
        Some(bits) => Ok(bits),
        None => fault("the quotient has too many bits, which is not specified"),
    }
}

fn compare(how: Compare, ty: Ty, a: u64, b: u64) -> bool {
    fn by<T: PartialOrd>(how: Compare, a: T, b: T) -> bool {
        match how {
            Compare::Eq => a == b,
            Compare::Ne => a != b,
            Compare::Lt => a < b,
            Compare::Le => a <= b,
            Compare::Gt => a > b,
            Compare::Ge => a >= b,
            Compare::Neu => a != b,
            Compare::Nan => a.partial_cmp(&b).is_none(),
        }
    }
    match ty {
        Ty::F32 => by(how, f32_of(a), f32_of(b)),
        Ty::F64 => by(how, f64::from_bits(a), f64::from_bits(b)),
        _ if ty.is_signed() => by(how, signed(ty, a), signed(ty, b)),
        _ => by(how, unsigned(ty, a), unsigned(ty, b)),
    }
}

/// The value of a float16.
fn half_value(bits: u64) -> f32 {
    let (exponent, fraction) = ((bits >> 10 & 31) as i32, (bits & 0x3ff) as f32);
    let size = match exponent {
        0 => fraction * 2f32.powi(-24),
        31 if fraction > 0.0 => f32::NAN,
        31 => f32::INFINITY,
        _ => (1024.0 + fraction) * 2f32.powi(exponent - 25),
    };
    if bits & 0x8000 > 0 { -size } else { size }
}

/// The bits of the nearest float16.
fn half_bits(x: f32) -> u64 {
    if x.is_nan() {
        return 0x7fff;
    }
    let exponent = ((x.to_bits() >> 23 & 0xff) as i32 - 127).max(-14);
    let sign = u64::from(x.is_sign_negative()) << 15;
    // In units of the last place: a carry goes to the exponent.
    let units = (f64::from(x.abs()) * 2f64.powi(10 - exponent)).round_ties_even();
    if exponent > 15 || units * 2f64.powi(exponent - 10) >= 65536.0 {
        return sign | 0x7c00;
    }
    sign | ((((exponent + 14) as u64) << 10) + units as u64)
}

fn convert(round: Option<Round>, to: Ty, from: Ty, x: u64) -> Result<u64, Fault> {
    match (to, from, round) {
        (Ty::F32, Ty::F16, None) => return Ok(bits32(half_value(x))),
        (Ty::F16, Ty::F32, Some(Round::Nearest)) => return Ok(half_bits(f32_of(x))),
        _ => {}
    }
    let float = |ty| matches!(ty, Ty::F32 | Ty::F64);
    let value = if from == Ty::F32 { f64::from(f32_of(x)) } else { f64::from_bits(x) };
    let integral = |x: f64| match round {
        Some(Round::Even) => x.round_ties_even(),
        Some(Round::Zero) => x.trunc(),
        Some(Round::Down) => x.floor(),
        _ => x.ceil(),
    };
    let whole = !matches!(round, None | Some(Round::Nearest));
    Ok(match (float(from), float(to)) {
        (true, true) if from == to && whole && to == Ty::F32 => bits32(integral(value) as f32),
        (true, true) if from == to && whole => bits64(integral(value)),
        (true, true) if (from, to, round) == (Ty::F32, Ty::F64, None) => bits64(value),
        (true, true) if (from, to, round) == (Ty::F64, Ty::F32, Some(Round::Nearest)) => bits32(value as f32),
        (true, false) if whole => {
            let x = integral(value);
            if x.is_nan() {
                // By the manual: 0, but of float64 and for 64 bits the least of signed ones.
                let large = from == Ty::F64 || to.bytes() == 8;
                return Ok(if large { 1 << (to.bytes() * 8 - 1) } else { 0 });
            }
            cut(
                to,
                match to {
                    Ty::S32 => x as i32 as u64,
                    Ty::U32 => x as u32 as u64,
                    Ty::S64 => x as i64 as u64,
                    Ty::U64 => x as u64,
                    _ => return fault("a conversion to that type"),
                },
            )
        }
        (false, true) if round == Some(Round::Nearest) => match (from, to) {
            (Ty::S32, Ty::F32) => bits32(x as u32 as i32 as f32),
            (Ty::U32, Ty::F32) => bits32(x as u32 as f32),
            (Ty::S64, Ty::F32) => bits32(x as i64 as f32),
            (Ty::U64, Ty::F32) => bits32(x as f32),
            (Ty::S32, Ty::F64) => bits64(f64::from(x as u32 as i32)),
            (Ty::U32, Ty::F64) => bits64(f64::from(x as u32)),
            (Ty::S64, Ty::F64) => bits64(x as i64 as f64),
            (Ty::U64, Ty::F64) => bits64(x as f64),
            _ => return fault("a conversion of that type"),
        },
        (false, false) if round.is_none() && from.is_signed() => cut(to, signed(from, x) as u64),
        (false, false) if round.is_none() => cut(to, unsigned(from, x)),
        _ => return fault("a conversion that needs another rounding, or none"),
    })
}
