//! Which arguments are tried.

use crate::rng::Rng;
use ivy_core::Dtype;

/// Where a function is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// 2^16 arguments spread over all bit patterns, as many where the function does most, and
    /// the edges.
    Samples {
        /// What the samples depend on.
        seed: u64,
    },
    /// Every float32; of functions of two operands, 2^28 pairs.
    All,
}

/// Arguments that are computed at a time.
pub(super) const BATCH: usize = 1 << 16;

const EDGES: &[f64] = &[
    0.0,
    1.0,
    0.5,
    2.0,
    3.0,
    0.25,
    1.5,
    10.0,
    100.0,
    1000.0,
    std::f64::consts::PI,
    std::f64::consts::FRAC_PI_2,
    std::f64::consts::FRAC_PI_4,
    std::f64::consts::LN_2,
    std::f64::consts::E,
    std::f64::consts::SQRT_2,
    std::f64::consts::FRAC_1_SQRT_2,
    65536.0,
    268435456.0,
    8388608.0,
    16777216.0,
    16777217.0,
    4503599627370496.0,
    9007199254740993.0,
    88.72284,
    103.97208,
    709.782712893384,
    745.1332191019412,
    1e-3,
    1e-10,
    1e-20,
    1e-38,
    1e-45,
    1e-300,
    5e-324,
    1e10,
    1e20,
    1e38,
    3.4028234663852886e38,
    1.1754943508222875e-38,
    1e300,
    f64::MAX,
    f64::MIN_POSITIVE,
    f64::INFINITY,
    f64::NAN,
];

/// Where functions of every float32 were found to be beyond their bounds, or nearest to them.
const FOUND: &[f64] = &[1.4122077226638794, 1.0173877477645874, 0.24943387508392334, 6.277592409169423e28];

/// A float of a dtype by its bits.
fn of_bits(bits: u64, dtype: Dtype) -> f64 {
    match dtype {
        Dtype::FLOAT32 => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(bits),
    }
}

fn rounded(x: f64, dtype: Dtype) -> f64 {
    if dtype == Dtype::FLOAT32 { (x as f32).into() } else { x }
}

/// The edges and their neighbours, of both signs.
fn edges(all: &[f64], dtype: Dtype) -> Vec<f64> {
    let near = |x: f64| -> [f64; 3] {
        match dtype {
            Dtype::FLOAT32 => [(x as f32).next_down(), x as f32, (x as f32).next_up()].map(f64::from),
            _ => [x.next_down(), x, x.next_up()],
        }
    };
    all.iter().flat_map(|&x| near(x)).flat_map(|x| [x, -x]).collect()
}

impl Arguments {
    /// How many batches there are.
    pub(super) fn batches(self, operands: usize) -> usize {
        match (self, operands) {
            (Arguments::Samples { .. }, _) => 3,
            (Arguments::All, 1) => 1 << 16,
            (Arguments::All, _) => 1 << 12,
        }
    }

    /// The arguments of a batch, a list for each operand.
    pub(super) fn batch(self, number: usize, name: &str, operands: usize, dtype: Dtype) -> Vec<Vec<f64>> {
        if (self, operands) == (Arguments::All, 1) {
            let first = (number as u64) << 16;
            return vec![(0..1 << 16).map(|i| of_bits(first | i, dtype)).collect()];
        }
        let seed = if let Arguments::Samples { seed } = self { seed } else { 1 };
        let mut rng = Rng::new(seed, &[name, dtype.name(), &number.to_string()]);
        // One from each piece of the bit patterns: every sign and exponent.
        let spread = |i: usize, rng: &mut Rng| match dtype {
            Dtype::FLOAT32 => of_bits((i as u64) << 16 | rng.bits() & 0xffff, dtype),
            _ => of_bits((i as u64) << 48 | rng.bits() >> 16, dtype),
        };
        // Where results are neither constant nor out of range.
        let busy = |rng: &mut Rng| {
            let scale = [1.0, 2.0, 10.0, 100.0][rng.below(4)];
            let scale = if dtype == Dtype::FLOAT32 { scale } else { scale * [1.0, 7.0][rng.below(2)] };
            rounded((2.0 * rng.unit() - 1.0) * scale, dtype)
        };
        match (number, operands) {
            (0, 1) => vec![edges(&[EDGES, FOUND].concat(), dtype)],
            (0, _) => {
                let all = edges(EDGES, dtype);
                let first = all.iter().flat_map(|&x| vec![x; all.len()]).collect();
                vec![first, all.iter().flat_map(|_| all.iter().copied()).collect()]
            }
            (1, 1) => vec![(0..BATCH).map(|i| spread(i, &mut rng)).collect()],
            (_, 1) => vec![(0..BATCH).map(|_| busy(&mut rng)).collect()],
            _ => {
                let pair = |i: usize| {
                    let x = match rng.below(3) {
                        0 => busy(&mut rng),
                        _ => spread(i, &mut rng),
                    };
                    let y = match (name, rng.below(4)) {
                        (_, 0) => spread(rng.below(BATCH), &mut rng),
                        ("pow", 1) => busy(&mut rng).round(),
                        // A result within the range.
                        ("pow", _) => {
                            let most = if dtype == Dtype::FLOAT32 { 105.0 } else { 746.0 };
                            rounded((2.0 * rng.unit() - 1.0) * most / x.abs().ln(), dtype)
                        }
                        ("logaddexp", _) => rounded(x + busy(&mut rng), dtype),
                        // About as large, and of either sign.
                        (_, 1 | 2) => rounded(x * busy(&mut rng), dtype),
                        _ => busy(&mut rng),
                    };
                    (x, y)
                };
                let (x, y) = (0..BATCH).map(pair).unzip();
                vec![x, y]
            }
        }
    }
}
