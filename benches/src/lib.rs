//! How the benchmarks measure: the two sides of a comparison run alternately, and medians of
//! many short repetitions are compared, since the machines are noisy.

pub mod chain;
pub mod peers;
pub mod programs;

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Medians of a paired run, in nanoseconds a call.
#[derive(Clone, Copy, Debug)]
pub struct Paired {
    /// The other side: the backend's own call.
    pub own: f64,
    /// Ours.
    pub ours: f64,
    /// The median of the differences of the pairs.
    pub difference: f64,
}

/// Calls `f` until about `time` has passed and gives nanoseconds a call.
fn time_per_call<T>(f: &mut impl FnMut() -> T, calls: u64) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        black_box(f());
    }
    start.elapsed().as_nanos() as f64 / calls as f64
}

/// How many calls of `f` last about 10 ms.
fn calibrate<T>(f: &mut impl FnMut() -> T) -> u64 {
    let mut calls = 1;
    loop {
        let start = Instant::now();
        for _ in 0..calls {
            black_box(f());
        }
        if start.elapsed() > Duration::from_millis(10) || calls > 1 << 24 {
            return calls;
        }
        calls *= 2;
    }
}

/// The middle of some numbers.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Runs both sides alternately, `pairs` times.
pub fn compare<A, B>(pairs: usize, mut own: impl FnMut() -> A, mut ours: impl FnMut() -> B) -> Paired {
    let calls = calibrate(&mut own).max(calibrate(&mut ours));
    let (mut a, mut b, mut d) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..pairs {
        let (x, y) = (time_per_call(&mut own, calls), time_per_call(&mut ours, calls));
        a.push(x);
        b.push(y);
        d.push(y - x);
    }
    Paired { own: median(a), ours: median(b), difference: median(d) }
}

/// Numbers that look random and are the same on every run: uniform in [-1, 1).
pub fn uniform(n: usize, seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    (0..n)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        })
        .collect()
}
