//! What instructions do with bits, as the PTX manual says. Registers are 64 bits wide here; of
//! narrower values, those above are zeros. What the manual leaves open is a fault.

use crate::parse::{Compare, Fault, Op, Round, Ty, fault};

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

/// The number that bits are.
fn signed(ty: Ty, bits: u64) -> i128 {
    match (ty.is_signed(), ty.bytes()) {
        (true, 8) => i128::from(bits as i64),
        (true, _) => i128::from(bits as u32 as i32),
        (false, 8) => i128::from(bits),
        _ => i128::from(bits as u32),
    }
}

/// An instruction without memory.
pub(crate) fn compute(op: Op, x: &[u64]) -> Result<u64, Fault> {
    Ok(match op {
        Op::Add(ty) | Op::Sub(ty) | Op::Mul(ty) | Op::Div(ty) => two(op, ty, x[0], x[1])?,
        Op::Min(ty) | Op::Max(ty) => {
            let (a, b) = (signed(ty, x[0]), signed(ty, x[1]));
            if (a < b) == matches!(op, Op::Min(_)) { cut(ty, x[0]) } else { cut(ty, x[1]) }
        }
        Op::MadLo(ty) => cut(ty, x[0].wrapping_mul(x[1]).wrapping_add(x[2])),
        Op::MadWide(ty) => (signed(ty, x[0]) * signed(ty, x[1]) + i128::from(x[2])) as u64,
        Op::Fma(Ty::F32) => bits32(f32_of(x[0]).mul_add(f32_of(x[1]), f32_of(x[2]))),
        Op::Fma(_) => bits64(f64::from_bits(x[0]).mul_add(f64::from_bits(x[1]), f64::from_bits(x[2]))),
        Op::Sqrt(Ty::F32) => bits32(f32_of(x[0]).sqrt()),
        Op::Sqrt(_) => bits64(f64::from_bits(x[0]).sqrt()),
        Op::Neg(Ty::F32) => bits32(-f32_of(x[0])),
        Op::Neg(_) => bits64(-f64::from_bits(x[0])),
        Op::And(ty) => cut(ty, x[0] & x[1]),
        Op::Or(ty) => cut(ty, x[0] | x[1]),
        Op::Xor(ty) => cut(ty, x[0] ^ x[1]),
        Op::Not(ty) => cut(ty, !x[0]),
        Op::Shl(ty) => {
            let (amount, width) = (x[1] & 0xffff_ffff, ty.bytes() as u64 * 8);
            if amount < width { cut(ty, x[0] << amount) } else { 0 }
        }
        Op::Shr(ty) => {
            // Amounts beyond the register count as its width.
            let amount = (x[1] & 0xffff_ffff).min(ty.bytes() as u64 * 8);
            cut(ty, (signed(ty, x[0]) >> amount) as u64)
        }
        Op::Bfe(Ty::S32) => {
            let (at, count) = (x[1] & 0xff, x[2] & 0xff);
            if count == 0 || at + count > 32 {
                return fault("a field that is not within the word");
            }
            let up = 32 - at - count;
            u64::from((((x[0] as u32) << up) as i32 >> (up + at)) as u32)
        }
        Op::Popc => u64::from((x[0] as u32).count_ones()),
        Op::Brev => u64::from((x[0] as u32).reverse_bits()),
        Op::Prmt => permuted(x[0], x[1], x[2]),
        Op::Setp(how, ty) => u64::from(compare(how, ty, x[0], x[1])),
        Op::Selp(ty) => cut(ty, if x[2] & 1 == 1 { x[0] } else { x[1] }),
        Op::Cvt(round, to, from) => convert(round, to, from, x[0])?,
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

fn two(op: Op, ty: Ty, a: u64, b: u64) -> Result<u64, Fault> {
    macro_rules! float {
        ($a:expr, $b:expr) => {
            match op {
                Op::Add(_) => $a + $b,
                Op::Sub(_) => $a - $b,
                Op::Mul(_) => $a * $b,
                _ => $a / $b,
            }
        };
    }
    Ok(match ty {
        Ty::F32 => bits32(float!(f32_of(a), f32_of(b))),
        Ty::F64 => bits64(float!(f64::from_bits(a), f64::from_bits(b))),
        _ => {
            let (x, y) = (signed(ty, a), signed(ty, b));
            let value = match op {
                Op::Add(_) => x + y,
                Op::Sub(_) => x - y,
                Op::Mul(_) => x.wrapping_mul(y),
                _ if y == 0 => return fault("division by zero is not specified"),
                _ if y == -1 && signed(ty, cut(ty, (-x) as u64)) != -x => {
                    return fault("the quotient has too many bits, which is not specified");
                }
                _ => x / y,
            };
            cut(ty, value as u64)
        }
    })
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
        _ => by(how, signed(ty, a), signed(ty, b)),
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
        (false, false) if round.is_none() => cut(to, signed(from, x) as u64),
        _ => return fault("a conversion that needs another rounding, or none"),
    })
}
