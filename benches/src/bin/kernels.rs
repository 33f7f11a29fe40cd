//! Kernels that write beside others of their kind, in turns in one process: `kernels [ELEMENTS]`, by default 16 Mi.
//!
//! - `x[i] = a * x[i] + y[i]` in place, of float32: the traced expression, a Rust loop for the processor's vectors, and kernels
//!   with and without bounds checks. GB/s count two elements read and one written.
//! - A histogram of int32 into 256 places, by atomics. With `TAICHI` set to a Python that has Taichi, its kernel takes turns with ours.
//! - Launches over one element with three arguments, of an empty kernel and of one with bounds checks.
//!
//! `RAYON_NUM_THREADS` says on how many threads.

use ivy::jit::kernel::{ArrayKernel, KernelBuilder};
use ivy::prelude::*;
use ivy_benches::{median, uniform};
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

const ROUNDS: usize = 21;
/// Launches that are timed together.
const LAUNCHES: u32 = 10_000;

/// Taichi's histogram, which runs once for each line that it reads and answers with seconds.
const TAICHI: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/kernels_taichi.py");

type Failure = Box<dyn std::error::Error>;

/// A name, and what is timed.
type Side<'a> = (&'static str, Box<dyn FnMut() + 'a>);

fn axpy(checked: bool) -> Result<ArrayKernel, Failure> {
    let k = KernelBuilder::new("axpy");
    let k = if checked { k } else { k.unchecked() };
    let (x, y) = (k.inout("x", Dtype::FLOAT32), k.input("y", Dtype::FLOAT32));
    let (a, i) = (k.scalar("a", Dtype::FLOAT32), k.element());
    x.store(&i, a * x.load(&i) + y.load(&i));
    Ok(k.build()?)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn wide_loop(a: f32, x: &mut [f32], y: &[f32]) {
    x.iter_mut().zip(y).for_each(|(x, y)| *x = a * *x + y);
}

fn own_loop(a: f32, x: &mut [f32], y: &[f32]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor has these instructions.
        return unsafe { wide_loop(a, x, y) };
    }
    x.iter_mut().zip(y).for_each(|(x, y)| *x = a * *x + y);
}

/// The threads that launches run on.
fn threads() -> usize {
    let chosen = std::env::var("RAYON_NUM_THREADS").ok().and_then(|n| n.parse().ok());
    chosen.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into))
}

/// The loop on as many threads as ours.
fn threaded_loop(a: f32, x: &mut [f32], y: &[f32]) {
    let share = x.len().div_ceil(threads());
    std::thread::scope(|scope| {
        for (x, y) in x.chunks_mut(share).zip(y.chunks(share)) {
            scope.spawn(move || own_loop(a, x, y));
        }
    });
}

/// Seconds of each side, in turns.
fn in_turns(sides: &mut [Side<'_>]) -> Vec<f64> {
    let mut times = vec![Vec::new(); sides.len()];
    for round in 0..ROUNDS {
        for side in 0..sides.len() {
            let number = (side + round) % sides.len();
            let start = Instant::now();
            (sides[number].1)();
            times[number].push(start.elapsed().as_secs_f64());
        }
    }
    times.into_iter().map(median).collect()
}

fn in_place(n: usize) -> Result<(), Failure> {
    let array = |seed| Array::from_vec(uniform(n, seed), [n]);
    let [checked, unchecked] = [axpy(true)?, axpy(false)?];
    let y = array(1)?;
    let [mut traced, mut first, mut second] = [array(2)?, array(2)?, array(2)?];
    let (mut host, other): (Vec<f32>, Vec<f32>) = (uniform(n, 2), uniform(n, 1));
    let range = 0..n as i64;
    let launch = |kernel: &ArrayKernel, x: &mut Array| {
        kernel.launch(range.clone(), [x.into(), (&y).into(), 0.5f32.into()]).expect("a launch");
    };
    let mut sides: [Side<'_>; 4] = [
        (
            "traced",
            Box::new(|| {
                let next =
                    ivy::multiply(&traced, 0.5f32).and_then(|x| ivy::add(&x, &y)).expect("an expression");
                black_box(next.to_host().expect("it is computed"));
                traced = next;
            }),
        ),
        ("Rust loop", Box::new(|| threaded_loop(0.5, black_box(&mut host), &other))),
        ("kernel", Box::new(|| launch(&checked, &mut first))),
        ("kernel, unchecked", Box::new(|| launch(&unchecked, &mut second))),
    ];
    let seconds = in_turns(&mut sides);
    println!("x[i] = a * x[i] + y[i], {n} elements      ms     GB/s  of traced  of loop");
    for ((name, _), time) in sides.iter().zip(&seconds) {
        let rate = 12e-9 * n as f64 / time;
        let [traced, own] = [seconds[0] / time, seconds[1] / time];
        println!("  {name:<20} {:>24.2} {rate:>8.1} {traced:>10.2} {own:>8.2}", time * 1e3);
    }
    Ok(())
}

/// Taichi in a process of its own.
fn taichi(n: usize) -> Option<Child> {
    let count = threads().to_string();
    let mut command = Command::new(std::env::var_os("TAICHI")?);
    command.args([TAICHI, &n.to_string(), &count]).stdin(Stdio::piped()).stdout(Stdio::piped());
    command.spawn().ok()
}

fn histogram(n: usize) -> Result<(), Failure> {
    let k = KernelBuilder::new("histogram");
    let (x, counts) = (k.input("x", Dtype::INT32), k.inout("counts", Dtype::INT32));
    counts.atomic_add(x.load(k.element()).cast(Dtype::INT64), 1);
    let kernel = k.build()?;
    let values = (0..n as u64).map(|i| ((i * 2_654_435_761 % (1 << 32)) >> 24) as i32).collect();
    let x = Array::from_vec(values, [n])?;
    let mut counts = ivy::zeros([256], Dtype::INT32)?;
    let mut peer = taichi(n);
    let mut lines = peer.as_mut().and_then(|p| p.stdout.take()).map(BufReader::new);
    let mut times = [Vec::new(), Vec::new()];
    // The first round compiles.
    for round in 0..=ROUNDS {
        let start = Instant::now();
        kernel.launch(0..n as i64, [(&x).into(), (&mut counts).into()])?;
        let own = start.elapsed().as_secs_f64();
        let mut line = String::new();
        if let (Some(input), Some(lines)) = (peer.as_mut().and_then(|p| p.stdin.as_mut()), lines.as_mut()) {
            writeln!(input)?;
            // What Taichi says of itself comes first.
            while line.trim().parse::<f64>().is_err() {
                line.clear();
                if lines.read_line(&mut line)? == 0 {
                    return Err("Taichi has ended".into());
                }
            }
        }
        if round > 0 {
            times[0].push(own);
            times[1].extend(line.trim().parse::<f64>());
        }
    }
    let counted: i64 = counts.to_vec::<i32>()?.iter().map(|&x| i64::from(x)).sum();
    assert_eq!(counted, (n * (ROUNDS + 1)) as i64);
    let [own, other] = times;
    let own = median(own);
    println!("histogram of {n} into 256 places: {:.1} ms", own * 1e3);
    if !other.is_empty() {
        let other = median(other);
        println!("  Taichi: {:.1} ms; ours is {:.2} times as fast", other * 1e3, other / own);
    }
    Ok(())
}

/// Microseconds of a launch over one element.
fn small_launch(what: &str, mut launch: impl FnMut()) {
    launch();
    let times = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        (0..LAUNCHES).for_each(|_| launch());
        start.elapsed().as_secs_f64() / f64::from(LAUNCHES)
    });
    println!("a launch of {what} with three arguments: {:.2} us", median(times.collect()) * 1e6);
}

fn small_launches() -> Result<(), Failure> {
    let k = KernelBuilder::new("empty");
    k.inout("x", Dtype::FLOAT32);
    k.input("y", Dtype::FLOAT32);
    k.scalar("a", Dtype::FLOAT32);
    let [empty, checked] = [k.build()?, axpy(true)?];
    let (mut x, y) = (ivy::zeros([4], Dtype::FLOAT32)?, ivy::zeros([4], Dtype::FLOAT32)?);
    for (what, kernel) in [("an empty kernel", &empty), ("one with bounds checks", &checked)] {
        small_launch(what, || {
            let arguments = [(&mut x).into(), (&y).into(), 1.0f32.into()];
            black_box(kernel.launch(0..1, arguments).expect("a launch"));
        });
    }
    Ok(())
}

fn main() -> Result<(), Failure> {
    let n = match std::env::args().nth(1) {
        None => 1 << 24,
        Some(text) => {
            text.parse().map_err(|_| format!("kernels [ELEMENTS]: {text} is no number of elements"))?
        }
    };
    ivy::set_backend("jit:llvm")?;
    println!("on {} threads", threads());
    in_place(n)?;
    histogram(n)?;
    small_launches()
}
