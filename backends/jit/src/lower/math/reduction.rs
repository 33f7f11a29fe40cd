//! Angles as quarters of a turn and a rest.

use super::coefficients::{FRAC_PI_2, TWO_OVER_PI};
use super::expr::{Pair, Value, fast_sum, product};
use crate::ir::Type;

/// `quarter pi / 2 + r`, with `|r|` at most about `pi / 4`.
pub(super) struct Angle<'f, 'b> {
    /// An integer, of which the last two bits matter.
    pub(super) quarter: Value<'f, 'b>,
    pub(super) r: Pair<'f, 'b>,
}

/// The greatest angles of [`moderate`], in float32 and float64.
pub(super) const MODERATE: (f64, f64) = (65_536.0, 268_435_456.0);

/// Of an angle from 0 to [`MODERATE`].
pub(super) fn moderate<'f, 'b>(a: Value<'f, 'b>) -> Angle<'f, 'b> {
    let magic = a.number(a.by(12_582_912.0, 6_755_399_441_055_744.0));
    let shifted = a.fma(std::f64::consts::FRAC_2_PI, magic);
    let n = shifted - magic;
    let [first, second, third] = a.parts(&FRAC_PI_2);
    // Exact: what cancels has no more bits than fit.
    let left = n.fma(-first, a);
    let further = product(n, second);
    let r = fast_sum(left, -further.high);
    let low = n.fma(-third, r.low - further.low);
    Angle { quarter: shifted.int(), r: Pair { high: r.high, low } }
}

/// Of an angle from [`MODERATE`] on: the product with the bits of `2 / pi` that matter, in
/// integers. Whatever is given for infinity and NaN is a number.
pub(super) fn huge<'f, 'b>(a: Value<'f, 'b>) -> Angle<'f, 'b> {
    let (mantissa, least) = a.by((23u64, 150 - 8), (52, 1075 - 24));
    let bits = a.int().cast(a.by(Type::U32, Type::U64));
    let exponent = bits.shr(mantissa);
    // a = m 2^(exponent - ...), and the product of m with bits of weights 2 and less, which
    // begin at this place of the table, is the angle in quarters, but for whole turns.
    let m = bits.and((1u64 << mantissa) - 1).or(1u64 << mantissa).convert(Type::U64);
    let place = (exponent - least).convert(Type::U64);
    let window = window(place, a.by(3, 6), a.is_double());
    let limbs = multiply(m, &window, a.is_double());
    // Two bits of quarters, and a fraction that is taken as signed.
    let top = limbs[0].shl(32u64).or(limbs[1]);
    let fraction = top.shl(2u64).or(limbs[2].shr(30u64)).cast(Type::I64);
    let quarter = (top + (1u64 << 61)).shr(62u64);
    let r = if a.is_double() {
        let below = limbs[2].shl(34u64).or(limbs[3].shl(2u64)).or(limbs[4].shr(30u64));
        double_fraction(fraction, below)
    } else {
        let high = fraction.convert(Type::F32);
        let low = (fraction - high.convert(Type::I64)).convert(Type::F32);
        Pair { high, low }
    };
    // Times pi / 2, in units of the fraction's last place.
    let unit = 2f64.powi(-64);
    let [first, second, _] = r.high.parts(&FRAC_PI_2).map(|p| p * unit);
    let p = product(r.high, first);
    let low = r.high.fma(second, r.low.fma(first, p.low));
    Angle { quarter: quarter.convert(a.by(Type::I32, Type::I64)), r: fast_sum(p.high, low) }
}

/// A signed number of 64 bits before and 64 after the point.
fn double_fraction<'f, 'b>(whole: Value<'f, 'b>, below: Value<'f, 'b>) -> Pair<'f, 'b> {
    let negative = whole.lt(0u64);
    let (a, b) = (whole.cast(Type::U64), below);
    // The magnitude: all bits inverted, and one more.
    let carry = b.eq(0u64).convert(Type::U64);
    let a = negative.choose((-a) - carry.xor(1u64), a);
    let b = negative.choose(-b, b);
    let high = a.convert(Type::F64);
    let rest = (a - high.convert(Type::U64)).cast(Type::I64).convert(Type::F64);
    let low = b.convert(Type::F64).fma(2f64.powi(-64), rest);
    let total = super::expr::fast_sum(high, low);
    Pair { high: negative.choose(-total.high, total.high), low: negative.choose(-total.low, total.low) }
}

/// `count` words of 32 bits of `2 / pi`, from a place in the table on, whose first bit has the
/// weight of the least angle's first whole turns.
fn window<'f, 'b>(place: Value<'f, 'b>, count: usize, double: bool) -> Vec<Value<'f, 'b>> {
    // As many zeros as there are bits from that weight to the point.
    let zeros = if double { 26 } else { 10 };
    let table = |i: usize| {
        let word = |i: usize| TWO_OVER_PI.get(i).map_or(0u64, |&w| u64::from(w));
        let before = if i == 0 { 0 } else { word(i - 1) };
        (before << 32 | word(i)) >> zeros & 0xffff_ffff
    };
    let index = place.shr(5u64);
    let steps: &[usize] = if double { &[16, 8, 4, 2, 1] } else { &[2, 1] };
    // By each bit of the index, the words are as they are, or those further on.
    let needed = count + 1 + steps.iter().sum::<usize>();
    let mut words: Vec<Value<'f, 'b>> = (0..needed).map(|i| place.constant(table(i))).collect();
    for &step in steps {
        let further = index.and(step as u64).ne(0u64);
        words = (0..words.len() - step).map(|i| further.choose(words[i + step], words[i])).collect();
    }
    let shift = place.and(31u64);
    let joined = |i: usize| words[i].shl(32u64).or(words[i + 1]).shl(shift).shr(32u64);
    (0..count).map(joined).collect()
}

/// The product of a mantissa with words, without what is beyond the first; most significant
/// words first.
fn multiply<'f, 'b>(m: Value<'f, 'b>, words: &[Value<'f, 'b>], double: bool) -> Vec<Value<'f, 'b>> {
    let low = |x: Value<'f, 'b>| x.and(0xffff_ffffu64);
    let pass = |m: Value<'f, 'b>, words: &[Value<'f, 'b>], onto: Option<&[Value<'f, 'b>]>| {
        let mut carry: Option<Value<'f, 'b>> = None;
        let mut limbs = Vec::new();
        for (i, &word) in words.iter().enumerate().rev() {
            let mut total = m * word;
            if let Some(carry) = carry {
                total = total + carry;
            }
            if let Some(onto) = onto {
                total = total + onto[i];
            }
            limbs.push(low(total));
            carry = Some(total.shr(32u64));
        }
        limbs.reverse();
        limbs
    };
    if !double {
        return pass(m, words, None);
    }
    let mut limbs = pass(low(m), words, None);
    // The other half counts 2^32: words one place further up.
    let upper = pass(m.shr(32u64), &words[1..], Some(&limbs[..words.len() - 1]));
    limbs[..upper.len()].copy_from_slice(&upper);
    limbs
}
