//! Random numbers of a seed: a Philox of its own, and what each function makes of the words.

pub(super) mod dropped;
mod gammas;
mod normals;
mod poissons;
mod sampled;

use super::dd::{Dd, PI};
use super::num::{Num, cast, round_float, wrap};
use super::value::Value;
use super::{Call, Truth, broadcast, spread};
use ivy_core::{Dtype, finfo};

/// The words of a draw's parts.
pub(super) struct Words {
    key: u64,
    part: u64,
}

/// The four words of a counter of 128 bits under a key, as Salmon and others write the round down:
/// `(L1, R1, L2, R2)` becomes `(hi(R2) ^ R1 ^ k1, lo(R2), hi(L1) ^ ...)`, ten times.
fn block(low: u64, high: u64, key: u64) -> [u32; 4] {
    let mut c = [low & 0xffff_ffff, low >> 32, high & 0xffff_ffff, high >> 32];
    let mut keys = [key & 0xffff_ffff, key >> 32];
    for _ in 0..10 {
        let (p, q) = (c[0] * 0xD251_1F53, c[2] * 0xCD9E_8D57);
        c = [(q >> 32) ^ c[1] ^ keys[0], q & 0xffff_ffff, (p >> 32) ^ c[3] ^ keys[1], p & 0xffff_ffff];
        keys = [(keys[0] + 0x9E37_79B9) & 0xffff_ffff, (keys[1] + 0xBB67_AE85) & 0xffff_ffff];
    }
    c.map(|word| word as u32)
}

fn words32(key: u64, high: u64, n: usize) -> Vec<u64> {
    (0..n).map(|e| u64::from(block(e as u64 / 4, high, key)[e % 4])).collect()
}

fn words64(key: u64, high: u64, n: usize) -> Vec<u64> {
    let all = words32(key, high, 2 * n);
    all.chunks(2).map(|w| w[0] | w[1] << 32).collect()
}

impl Words {
    /// The parts of draw 0 of a seed.
    pub(super) fn of(call: &Call<'_>) -> Option<Words> {
        Some(Words { key: call.int("seed")? as u64, part: 0 })
    }

    pub(super) fn next(&mut self, n: usize, bits: u32) -> Vec<u64> {
        let high = self.part;
        self.part += 1;
        if bits == 64 { words64(self.key, high, n) } else { words32(self.key, high, n) }
    }

    /// Standard normal numbers, to all digits.
    pub(super) fn normal(&mut self, n: usize, dtype: Dtype) -> Vec<Dd> {
        let bits = width(dtype);
        let half = n.div_ceil(2);
        let (lengths, turns) = (self.next(half, bits), self.next(half, bits));
        let pairs: Vec<(Dd, Dd)> = lengths.iter().zip(&turns).map(|(&a, &b)| polar(a, b, bits)).collect();
        let firsts = pairs.iter().map(|p| p.0);
        firsts.chain(pairs.iter().map(|p| p.1)).take(n).collect()
    }

    /// Numbers in (0, 1] of float64.
    pub(super) fn open(&mut self, n: usize) -> Vec<f64> {
        self.next(n, 64).into_iter().map(|w| open(w, 64)).collect()
    }

    /// Multiples of 2^-53 in [0, 1).
    pub(super) fn unit(&mut self, n: usize) -> Vec<f64> {
        self.next(n, 64).into_iter().map(|w| (w >> 11) as f64 * 0.5f64.powi(53)).collect()
    }

    /// Numbers from 0 to below `n`.
    pub(super) fn below(&mut self, n: u128, count: usize) -> Vec<u128> {
        if n > 1 << 32 {
            let (a, b) = (self.next(count, 64), self.next(count, 64));
            // n (a 2^64 + b) / 2^128, of which the lower product only carries.
            let number = |(a, b): (u64, u64)| (n * u128::from(a) + ((n * u128::from(b)) >> 64)) >> 64;
            return a.into_iter().zip(b).map(|p| if n == 1 << 64 { p.0.into() } else { number(p) }).collect();
        }
        let parts: Vec<Vec<u64>> = (0..3).map(|_| self.next(count, 32)).collect();
        if n.is_power_of_two() {
            self.part -= 2;
        }
        let number = |i: usize| {
            let all = parts.iter().fold(0u128, |all, part| all << 32 | u128::from(part[i]));
            // 96 bits times 33 bits: in two pieces.
            let (high, low) = (all >> 64, all & u128::from(u64::MAX));
            (high * n + ((low * n) >> 64)) >> 32
        };
        (0..count).map(number).collect()
    }
}

/// The bits of the words that numbers of a float dtype are made of.
fn width(dtype: Dtype) -> u32 {
    if dtype == Dtype::FLOAT64 { 64 } else { 32 }
}

/// `(w + 1/2) 2^-bits`, with a rounding of the word and of the sum to the dtype.
fn open(word: u64, bits: u32) -> f64 {
    if bits == 64 {
        return (word as f64 + 0.5) * 0.5f64.powi(64);
    }
    f64::from((word as f32 + 0.5) * 0.5f32.powi(32))
}

/// The two coordinates of a point at the distance and in the direction that two words say.
fn polar(length: u64, turn: u64, bits: u32) -> (Dd, Dd) {
    let quadrant = turn >> (bits - 2);
    let way = match bits {
        64 => (turn << 2) as i64 as f64,
        _ => f64::from(((turn as u32) << 2) as i32 as f32),
    };
    // A whole number of 2^bits parts of two quadrants: exact as it is.
    let quarter = PI.scale(-2);
    let (sine, cosine) = (quarter * Dd::from(way * 0.5f64.powi(bits as i32 - 1))).sin_cos();
    let mut radius = (Dd::from(open(length, bits)).ln() * Dd::from(-2.0)).sqrt();
    if quadrant >= 2 {
        radius = -radius;
    }
    if quadrant % 2 == 1 { (radius * sine, radius * cosine) } else { (radius * cosine, radius * sine) }
}

/// Operand `i` spread over a shape; a number where it was left out.
fn spread_over(call: &Call<'_>, i: usize, shape: &[usize], default: f64) -> Vec<Num> {
    match call.operand(i) {
        Some(x) => spread(&x.shape, shape).into_iter().map(|at| x.data[at]).collect(),
        None => vec![cast(Num::Float(default), call.compute); shape.iter().product()],
    }
}

/// The shape asked for, else that of the operands together.
pub(super) fn sample_shape(call: &Call<'_>, name: &str) -> Option<Vec<usize>> {
    let own: Vec<Vec<usize>> = (0..2).filter_map(|i| call.given(i)).map(|x| x.shape).collect();
    let own: Vec<&[usize]> = own.iter().map(Vec::as_slice).collect();
    call.sizes(name).or_else(|| broadcast(&own))
}

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    let truth = match call.function {
        "random_bits" => raw(call)?,
        "random_uniform" => uniform(call)?,
        "random_normal" => normal(call)?,
        "randint" => integers(call)?,
        "shuffle" => shuffled(call)?,
        "permutation" => {
            let n = call.int("n")? as usize;
            let order = ranked(&Words::of(call)?.next(n, 64));
            call.exact(vec![n], order.into_iter().map(|i| Num::Int(i as i128)).collect())
        }
        _ => {
            return sampled::evaluate(call)
                .or_else(|| dropped::evaluate(call))
                .or_else(|| gammas::evaluate(call))
                .or_else(|| normals::evaluate(call))
                .or_else(|| poissons::evaluate(call));
        }
    };
    Some(vec![truth])
}

fn raw(call: &Call<'_>) -> Option<Truth> {
    let (state, shape) = (call.given(0)?, call.sizes("shape").unwrap_or_default());
    let dtype = call.output(0);
    let n: usize = shape.iter().product();
    let mut data = Vec::new();
    for words in state.data.chunks(4) {
        let pair = |i: usize| (words[i].int() | words[i + 1].int() << 32) as u64;
        let drawn =
            if dtype == Dtype::UINT64 { words64(pair(0), pair(2), n) } else { words32(pair(0), pair(2), n) };
        data.extend(drawn.into_iter().map(|w| Num::Int(w.into())));
    }
    let lead = &state.shape[..state.shape.len() - 1];
    Some(call.exact(lead.iter().chain(&shape).copied().collect(), data))
}

fn uniform(call: &Call<'_>) -> Option<Truth> {
    let (shape, dtype) = (sample_shape(call, "shape")?, call.compute);
    let n = shape.iter().product();
    let digits = 1 - finfo(dtype).ok()?.eps.log2() as i32;
    let bits = width(dtype);
    let words = Words::of(call)?.next(n, bits);
    let (low, high) = (spread_over(call, 0, &shape, 0.0), spread_over(call, 1, &shape, 1.0));
    let rounded = |x: f64| round_float(x, dtype);
    let element = |i: usize| {
        let unit = (words[i] >> (bits as i32 - digits)) as f64 * 0.5f64.powi(digits);
        let (low, high) = (low[i].re(), high[i].re());
        let x = rounded(rounded(low * (1.0 - unit)) + rounded(high * unit));
        let Num::Float(before) = before(high, low, dtype) else { return Num::Float(f64::NAN) };
        Num::Float(x.min(before).max(low))
    };
    Some(call.exact(shape, (0..n).map(element).collect()))
}

/// The number next to `x` on the way to `to`.
fn before(x: f64, to: f64, dtype: Dtype) -> Num {
    match super::elementwise::binary("nextafter", Num::Float(x), Num::Float(to), dtype) {
        Some(Value::Exact(number)) => number,
        _ => Num::Float(x),
    }
}

fn normal(call: &Call<'_>) -> Option<Truth> {
    let shape = sample_shape(call, "shape")?;
    let (mean, std) = (spread_over(call, 0, &shape, 0.0), spread_over(call, 1, &shape, 1.0));
    let drawn = Words::of(call)?.normal(mean.len(), call.compute);
    let element = |i: usize| {
        let way = drawn[i] * Dd::from(std[i].re());
        let x = way + Dd::from(mean[i].re());
        Value::sum(x, Dd::from(0.0), way.hi.abs() + mean[i].re().abs(), 2)
    };
    Some(Truth { dtype: call.output(0), shape, data: (0..drawn.len()).map(element).collect() })
}

fn integers(call: &Call<'_>) -> Option<Truth> {
    let shape = call.sizes("shape").unwrap_or_default();
    let (low, high) = (call.given(0)?.data[0].int(), call.given(1)?.data[0].int());
    let drawn = Words::of(call)?.below((high - low) as u128, shape.iter().product());
    let number = |x: u128| Num::Int(wrap(low + x as i128, call.compute));
    Some(call.exact(shape, drawn.into_iter().map(number).collect()))
}

/// The order of words; equal ones stay as they are.
pub(super) fn ranked<T: PartialOrd>(keys: &[T]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by(|&a, &b| keys[a].partial_cmp(&keys[b]).expect("no NaN among them"));
    order
}

fn shuffled(call: &Call<'_>) -> Option<Truth> {
    let x = call.given(0)?;
    if x.shape.is_empty() {
        return Some(call.exact(vec![], x.data));
    }
    let along = super::axis(call.int("axis").unwrap_or(0), x.shape.len());
    let order = ranked(&Words::of(call)?.next(x.shape[along], 64));
    let from = |mut index: Vec<usize>| {
        index[along] = order[index[along]];
        x.data[super::place(&index, &x.shape)]
    };
    let data = super::indices(&x.shape).map(from).collect();
    Some(call.exact(x.shape.clone(), data))
}
