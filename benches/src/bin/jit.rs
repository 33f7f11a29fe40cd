//! The engine beside the reference: a fused chain on long arrays, the launch of a small kernel
//! that is there, the first call of a new one, what a node costs; pads beside the same without; and
//! programs over rows of many lengths. `jit chain`, `jit pads` and `jit rows 64,1000` do one of these;
//! `jit rows 64,1000 overlap` does it without this switch.

use ivy::backend::{Backend, BackendRef, backend};
use ivy::jit::JitBackend;
use ivy::jit::engine::{Engine, Settings};
use ivy::{Array, Dtype, s};
use ivy_benches::chain::{chain, operands};
use ivy_benches::median;
use std::sync::Arc;
use std::time::Instant;

const LONG: usize = 16 << 20;

/// The middle of some runs' times, after one to warm up.
fn median_seconds<T>(runs: usize, mut work: impl FnMut() -> T) -> f64 {
    work();
    let time = |_| {
        let start = Instant::now();
        let result = work();
        let seconds = start.elapsed().as_secs_f64();
        drop(result);
        seconds
    };
    median((0..runs).map(time).collect())
}

fn engine(backend: &BackendRef) -> Arc<Engine> {
    let jit = Backend::as_any(&**backend).downcast_ref::<JitBackend>().expect("a place of the engine");
    jit.engine().clone()
}

/// A number in the place of each element, with elements around them, and a stencil with them; GB/s of
/// what is read and written.
fn pads() -> ivy::Result<()> {
    let side = 4096usize;
    let [line, ..] = operands("jit:llvm", side * side)?;
    let x = ivy::reshape(&line, [side as i64, side as i64], ())?;
    let report = |what: &str, elements: usize, run: &dyn Fn() -> ivy::Result<Array>| {
        let seconds = median_seconds(15, || {
            let result = run().expect("the call is valid");
            ivy::wait([&result]).expect("it is computed");
            result
        });
        let gigabytes = 8.0 * elements as f64 / seconds / 1e9;
        println!("  {what:<36} {:>8.2} ms {gigabytes:>7.1} GB/s", seconds * 1e3);
    };
    println!("pads, {side} x {side} float32");
    let size = side * side;
    report("-x, flat", size, &|| ivy::negative(&line));
    report("zero_pad(x, 1), flat", size, &|| ivy::zero_pad(&line, 1));
    report("-x", size, &|| ivy::negative(&x));
    report("zero_pad(x, 1)", size, &|| ivy::zero_pad(&x, 1));
    for columns in [3usize, 30] {
        let rows = size / columns;
        let short = line.get(s![..(rows * columns) as i64])?;
        let short = ivy::reshape(&short, [rows as i64, columns as i64], ())?;
        let both = (rows * columns + (rows + 2) * (columns + 2)) / 2;
        report(&format!("zero_pad(x, 1), rows of {columns}"), both, &|| ivy::zero_pad(&short, 1));
    }
    let laplace = |x: &Array| -> ivy::Result<Array> {
        let (rows, columns) = (x.shape()[0] as i64 - 2, x.shape()[1] as i64 - 2);
        let part = |i: i64, j: i64| x.get(s![i..rows + i, j..columns + j]);
        let around = ivy::add(ivy::add(part(0, 1)?, part(2, 1)?)?, ivy::add(part(1, 0)?, part(1, 2)?)?)?;
        ivy::subtract(around, ivy::multiply(part(1, 1)?, 4.0)?)
    };
    report("5-point Laplace, inner points", size, &|| laplace(&x));
    report("5-point Laplace, of zero_pad(x, 1)", size, &|| laplace(&ivy::zero_pad(&x, 1)?));
    Ok(())
}

/// Rows of these lengths, in arrays that are far larger than the caches: normalized, and summed; GB/s of
/// what is read and written.
fn rows(lengths: &[usize]) -> ivy::Result<()> {
    let size = 16usize << 20;
    let [line, ..] = operands("jit:llvm", size)?;
    let half = ivy::astype(&line, Dtype::FLOAT16)?;
    ivy::wait([&half])?;
    println!(
        "rows, {size} elements, GB/s: softmax, of float16 too, layer norm, sums, greatest elements, \
         x + column, exp(x + row)"
    );
    for &columns in lengths {
        let count = size / columns;
        let rows_of = |line: &Array| {
            let part = line.get(s![..(count * columns) as i64])?;
            ivy::reshape(&part, [count as i64, columns as i64], ())
        };
        let (x, half) = (rows_of(&line)?, rows_of(&half)?);
        let (column, row) = (x.get(s![.., 0..1])?, x.get(s![0..1, ..])?);
        let norm = || {
            let mean = ivy::mean(&x, ivy::Mean::new().axis(1).keepdims())?;
            let variance = ivy::var(&x, ivy::Var::new().axis(1).keepdims())?;
            ivy::divide(&ivy::subtract(&x, &mean)?, &ivy::sqrt(&ivy::add(&variance, 1e-5)?)?)
        };
        let rate = |bytes: usize, run: &dyn Fn() -> ivy::Result<Array>| {
            let seconds = median_seconds(15, || {
                let result = run().expect("the call is valid");
                ivy::wait([&result]).expect("it is computed");
                result
            });
            (bytes * count * columns) as f64 / seconds / 1e9
        };
        let rates = [
            rate(8, &|| ivy::softmax(&x, ())),
            rate(4, &|| ivy::softmax(&half, ())),
            rate(8, &norm),
            rate(4, &|| ivy::sum(&x, ivy::Sum::new().axis(1))),
            rate(4, &|| ivy::max(&x, ivy::Max::new().axis(1))),
            rate(8, &|| ivy::add(&x, &column)),
            rate(8, &|| ivy::exp(&ivy::add(&x, &row)?)),
        ];
        println!("  {columns:>6} columns {}", rates.map(|rate| format!("{rate:>7.1}")).concat());
    }
    Ok(())
}

fn main() -> ivy::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (part, lengths, without) = (arguments.next(), arguments.next(), arguments.next());
    let all = Settings::default();
    engine(&backend("jit:llvm")?).set_settings(match without.as_deref() {
        Some("overlap") => Settings { overlap: false, ..all },
        Some("merging") => Settings { merging: false, ..all },
        Some("short") => Settings { short: false, ..all },
        Some("columns") => Settings { columns: false, ..all },
        Some("streams") => Settings { streams: false, ..all },
        Some("pads") => Settings { pads: false, ..all },
        _ => all,
    });
    let lengths: Vec<usize> = match &lengths {
        Some(list) => list.split(',').filter_map(|n| n.parse().ok()).collect(),
        None => vec![2, 3, 8, 10, 16, 32, 50, 64, 65, 100, 128, 250, 1000, 1001, 1024],
    };
    let wanted = |name: &str| part.as_deref().is_none_or(|part| part == name);
    if wanted("chain") {
        fused()?;
    }
    if wanted("pads") {
        pads()?;
    }
    if wanted("rows") {
        rows(&lengths)?;
    }
    Ok(())
}

/// Chains, long ones and small ones.
fn fused() -> ivy::Result<()> {
    println!("sqrt(a*b+c)-a, {LONG} float32: 4 operations, 3 arrays in, 1 out");
    for name in ["ndarray", "jit:llvm", "jit:interp"] {
        let x = operands(name, LONG)?;
        let report = |what: &str, seconds: f64| {
            let gigabytes = 16.0 * LONG as f64 / seconds / 1e9;
            println!("  {what:<24} {:>8.2} ms {gigabytes:>7.1} GB/s", seconds * 1e3);
        };
        let run = || median_seconds(7, || chain(&x).expect("the chain is valid"));
        report(name, run());
        if name != "ndarray" {
            let engine = engine(&backend(name)?);
            let before = engine.set_settings(Settings { fusion: false, ..Settings::default() });
            report(&format!("{name}, unfused"), run());
            engine.set_settings(before);
        }
    }
    for name in ["jit:llvm", "jit:interp"] {
        let x = operands(name, 1024)?;
        let engine = engine(&backend(name)?);
        chain(&x)?;
        engine.take_history();
        let seconds = median_seconds(7, || {
            for _ in 0..1000 {
                chain(&x).expect("the chain is valid");
            }
        });
        let runs: Vec<f64> = engine.take_history().iter().map(|l| l.run.as_secs_f64()).collect();
        let mean = runs.iter().sum::<f64>() / runs.len() as f64;
        println!(
            "{name}: the chain on 1024 float32, cached: {:.2} us a call in all, {:.2} us of it the launch",
            seconds * 1e3,
            mean * 1e6
        );
        for operations in [10, 97, 1000] {
            let start = Instant::now();
            let mut y = x[0].clone();
            for i in 0..operations {
                y = if i % 2 == 0 { ivy::multiply(&y, &x[1])? } else { ivy::add(&y, &x[2])? };
            }
            let traced = start.elapsed().as_secs_f64();
            y.to_host()?;
            println!(
                "{name}: first call of {operations} operations: {:.2} ms, tracing {:.0} ns an operation",
                start.elapsed().as_secs_f64() * 1e3,
                traced * 1e9 / operations as f64
            );
        }
    }
    Ok(())
}
