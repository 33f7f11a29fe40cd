//! What an iteration of a loop costs that runs step by step, since its body reads other places of what changes
//! or folds it: beside its kernels, and with its iterations traced each time or once. And loops that some elements
//! go round longer than others. `loops PLACE iterations` and `loops PLACE lanes` do one of these.

use ivy::backend::{Backend, BackendRef, backend};
use ivy::jit::JitBackend;
use ivy::jit::engine::{Engine, Settings};
use ivy::{Array, Max};
use ivy_benches::{median, uniform};
use std::sync::Arc;
use std::time::Instant;

const RUNS: usize = 7;

fn engine(backend: &BackendRef) -> Arc<Engine> {
    let jit = Backend::as_any(&**backend).downcast_ref::<JitBackend>().expect("a place of the engine");
    jit.engine().clone()
}

/// The mean of each element's neighbours on a ring, so many iterations, or until nothing changes by more than 0.
fn jacobi(x: &Array, iterations: i64) -> ivy::Result<Array> {
    let [x, _, _] = ivy::while_loop(
        |[_, change, iteration]| {
            ivy::logical_and(ivy::greater(change, 0.0)?, ivy::less(iteration, iterations)?)
        },
        |[x, _, iteration]| {
            let next = ivy::multiply(ivy::add(ivy::roll(x, 1, ())?, ivy::roll(x, -1, ())?)?, 0.5)?;
            let change = ivy::max(ivy::abs(ivy::subtract(&next, x)?)?, ())?;
            Ok([next, change, ivy::add(iteration, 1)?])
        },
        [x.clone(), ivy::asarray(1.0f32, ())?, ivy::asarray(0i64, ())?],
    )?;
    Ok(x)
}

/// Inner points of a plate become the mean of their neighbours, so many iterations.
fn plate(x: &Array, iterations: i64) -> ivy::Result<Array> {
    let n = x.shape()[0] as i64 - 2;
    ivy::for_loop(
        0..iterations,
        |_, x: &Array| {
            let part = |i: i64, j: i64| x.get(ivy::s![i..n + i, j..n + j]);
            let sides = ivy::add(ivy::add(part(0, 1)?, part(2, 1)?)?, ivy::add(part(1, 0)?, part(1, 2)?)?)?;
            ivy::constant_pad(&ivy::multiply(sides, 0.25)?, 1, ivy::ConstantPad::new().value(1))
        },
        x.clone(),
    )
}

/// The greatest eigenvector's direction, so many iterations.
fn power(a: &Array, x: &Array, iterations: i64) -> ivy::Result<Array> {
    let [x, _] = ivy::while_loop(
        |[_, iteration]| ivy::less(iteration, iterations),
        |[x, iteration]| {
            let next = ivy::matmul(a, x)?;
            let most = ivy::max(ivy::abs(&next)?, Max::new().axis(0).keepdims())?;
            Ok([ivy::divide(next, most)?, ivy::add(iteration, 1)?])
        },
        [x.clone(), ivy::asarray(0i64, ())?],
    )?;
    Ok(x)
}

/// Rows become their softmax, so many iterations.
fn softmax(x: &Array, iterations: i64) -> ivy::Result<Array> {
    ivy::for_loop(0..iterations, |_, x: &Array| ivy::softmax(x, ()), x.clone())
}

/// Points that stay within the circle for so many iterations at most, from where they are.
fn orbits(state: [Array; 3], c: &[Array; 2], most: i64) -> ivy::Result<[Array; 3]> {
    let goes_on =
        |[n, x, y]: &[Array; 3]| ivy::logical_and(ivy::less(n, most)?, ivy::less_equal(x * x + y * y, 4.0)?);
    let iteration = |[n, x, y]: &[Array; 3]| {
        Ok([(n + 1).ok()?, (x * x - y * y + &c[0]).ok()?, (x * 2.0 * y + &c[1]).ok()?])
    };
    ivy::while_loop(goes_on, iteration, state)
}

/// Likewise, by hand: some iterations for all, then the others for those that are left, which are put together before
/// and back after.
fn orbits_in_parts(state: [Array; 3], c: &[Array; 2], most: i64) -> ivy::Result<[Array; 3]> {
    const FIRST: i64 = 32;
    let [mut n, mut x, mut y] = orbits(state, c, FIRST)?;
    ivy::evaluate([&n, &x, &y])?;
    let left = ivy::nonzero(ivy::less_equal(&x * &x + &y * &y, 4.0)?)?.remove(0);
    let take = |x: &Array| ivy::take(x, &left, ());
    let own = orbits([take(&n)?, take(&x)?, take(&y)?], &[take(&c[0])?, take(&c[1])?], most)?;
    for (whole, part) in [&mut n, &mut x, &mut y].into_iter().zip(&own) {
        whole.set(ivy::s![&left], part)?;
    }
    Ok([n, x, y])
}

/// Loops of which few elements go round much more often than the others.
fn lanes(engine: &Engine) -> ivy::Result<()> {
    const N: usize = 1 << 20;
    println!("2^20 points, 3 to 20 iterations; so many of them 2000: ms");
    println!("{:<34}{:>10}{:>14}{:>12}{:>12}", "", "waiting", "put together", "in parts", "evenly");
    for (share, name) in [(0usize, "none"), (1000, "1 in 1000"), (100, "1 in 100"), (10, "1 in 10")] {
        for together in [false, true] {
            let deep = |i: usize| match share {
                0 => false,
                _ if together => i < N / share,
                _ => (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 < (1 << 32) / share as u64,
            };
            let re = (0..N).map(|i| if deep(i) { -0.1 } else { 0.4 + (i % 97) as f32 * 0.004 }).collect();
            let c = [Array::from_vec(re, N)?, Array::from_vec(vec![0.3f32; N], N)?];
            let zero = ivy::zeros_like(&c[0], ())?;
            let state = || [ivy::zeros([N], ivy::Dtype::INT32).expect("valid"), zero.clone(), zero.clone()];
            type Way = fn([Array; 3], &[Array; 2], i64) -> ivy::Result<[Array; 3]>;
            let time = |way: Way| -> ivy::Result<(f64, f64)> {
                let mut times = Vec::new();
                let mut iterations = 0.0;
                for _ in 0..RUNS {
                    let start = Instant::now();
                    let done = way(state(), &c, 2000)?;
                    ivy::wait(&done)?;
                    times.push(start.elapsed().as_secs_f64() * 1e3);
                    iterations = ivy::sum(ivy::astype(&done[0], ivy::Dtype::FLOAT64)?, ())?.item::<f64>()?;
                }
                Ok((median(times), iterations))
            };
            let before = engine.set_settings(Settings { packing: false, ..Settings::default() });
            let (waiting, iterations) = time(orbits)?;
            engine.set_settings(before);
            let (one, same) = time(orbits)?;
            let (parts, likewise) = time(orbits_in_parts)?;
            assert_eq!([same, likewise], [iterations; 2], "all go round as often");
            // As many iterations, the same for all.
            let even = Array::from_vec(vec![-0.1f32; N], N)?;
            let c = [even, c[1].clone()];
            let most = (iterations / N as f64).ceil();
            let start = Instant::now();
            ivy::wait(&orbits(state(), &c, most as i64)?)?;
            let even = start.elapsed().as_secs_f64() * 1e3;
            let where_ = if together { "together" } else { "anywhere" };
            println!(
                "{:<34}{waiting:>10.1}{one:>14.1}{parts:>12.1}{even:>12.1}",
                format!("{name}, {where_}, {:.1} iterations", iterations / N as f64)
            );
        }
    }
    Ok(())
}

/// The points of a plane that stay within the circle, of which neighbours go round about as often.
fn mandelbrot(engine: &Engine) -> ivy::Result<()> {
    const SIDE: usize = 1024;
    let axis = |from: f32, to: f32| -> Vec<f32> {
        (0..SIDE).map(|i| from + (to - from) * i as f32 / (SIDE - 1) as f32).collect()
    };
    let (re, im) = (axis(-2.0, 0.6), axis(-1.3, 1.3));
    let all = |of: &dyn Fn(usize, usize) -> f32| -> Vec<f32> {
        (0..SIDE * SIDE).map(|i| of(i / SIDE, i % SIDE)).collect()
    };
    let c = [
        Array::from_vec(all(&|_, column| re[column]), SIDE * SIDE)?,
        Array::from_vec(all(&|row, _| im[row]), SIDE * SIDE)?,
    ];
    let zero = ivy::zeros_like(&c[0], ())?;
    print!("Mandelbrot set, {SIDE} x {SIDE}, 256 iterations:");
    for (packing, name) in [(false, "waiting"), (true, "put together")] {
        let before = engine.set_settings(Settings { packing, ..Settings::default() });
        let mut times = Vec::new();
        for _ in 0..5 * RUNS {
            let counts = ivy::zeros_like(&zero, ivy::Dtype::INT32)?;
            let start = Instant::now();
            let [counts, ..] = orbits([counts, zero.clone(), zero.clone()], &c, 256)?;
            ivy::wait([&counts])?;
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        engine.set_settings(before);
        print!("  {name} {:.2} ms", median(times));
    }
    println!();
    Ok(())
}

type Work<'a> = &'a dyn Fn(i64) -> ivy::Result<Array>;

/// Time for each iteration, of its launches by their own clock, in microseconds, how many these are, and the nodes that
/// are traced.
fn costs(engine: &Engine, work: Work<'_>, iterations: i64) -> ivy::Result<[f64; 4]> {
    ivy::wait([&work(8)?])?;
    let mut times = Vec::new();
    let mut kernels = Vec::new();
    let (mut launches, mut nodes) = (0, 0);
    for _ in 0..RUNS {
        engine.take_history();
        let before = engine.counters();
        let start = Instant::now();
        ivy::wait([&work(iterations)?])?;
        times.push(start.elapsed().as_secs_f64() * 1e6 / iterations as f64);
        let after = engine.counters();
        (launches, nodes) = (after.launches - before.launches, after.nodes - before.nodes);
        let history = engine.take_history();
        let own: f64 = history.iter().map(|launch| launch.run.as_secs_f64()).sum();
        kernels.push(own * 1e6 / history.len().max(1) as f64 * launches as f64 / iterations as f64);
    }
    let each = |count| count as f64 / iterations as f64;
    Ok([median(times), median(kernels), each(launches), each(nodes)])
}

fn main() -> ivy::Result<()> {
    let place = std::env::args().nth(1).unwrap_or_else(|| "jit:llvm".into());
    let backend = backend(&place)?;
    let engine = engine(&backend);
    let part = std::env::args().nth(2);
    let does = |name: &str| part.as_ref().is_none_or(|part| part == name);
    let array = |shape: &[usize]| Array::from_vec(uniform(shape.iter().product(), 7), shape.to_vec());
    ivy::with_backend(&place, || {
        let lines = [1000usize, 1_000_000].map(|n| array(&[n]).expect("a valid array"));
        let [plate_small, plate_large] = [34usize, 1026].map(|n| array(&[n, n]).expect("a valid array"));
        let [a_small, a_large] = [64usize, 512].map(|n| array(&[n, n]).expect("a valid array"));
        let [x_small, x_large] = [64usize, 512].map(|n| array(&[n, 1]).expect("a valid array"));
        let rows = array(&[32, 64])?;
        let all: [(&str, i64, Work<'_>); 7] = [
            ("Jacobi, 1000", 2000, &|n| jacobi(&lines[0], n)),
            ("Jacobi, 1 000 000", 100, &|n| jacobi(&lines[1], n)),
            ("plate, 34 x 34", 2000, &|n| plate(&plate_small, n)),
            ("plate, 1026 x 1026", 100, &|n| plate(&plate_large, n)),
            ("power, 64 x 64", 2000, &|n| power(&a_small, &x_small, n)),
            ("power, 512 x 512", 500, &|n| power(&a_large, &x_large, n)),
            ("softmax, 32 x 64", 2000, &|n| softmax(&rows, n)),
        ];
        if does("iterations") {
            println!("{place}: us an iteration, of which in launches, launches and nodes an iteration");
            println!("{:<22}{:>34}{:>34}", "", "traced each time", "traced once");
        }
        for (name, count, work) in all.into_iter().filter(|_| does("iterations")) {
            print!("{name:<22}");
            for replay in [false, true] {
                let before = engine.set_settings(Settings { replay, ..Settings::default() });
                let [all, kernels, launches, nodes] = costs(&engine, work, count)?;
                engine.set_settings(before);
                print!("{all:>13.2} {kernels:>8.2} {launches:>5.1} {nodes:>5.1}");
            }
            println!();
        }
        if does("lanes") {
            mandelbrot(&engine)?;
            lanes(&engine)?;
        }
        Ok(())
    })?
}
