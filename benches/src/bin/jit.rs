//! The engine beside the reference: a fused chain on long arrays, the launch of a small kernel
//! that is there, the first call of a new one, and what a node costs.

use ivy::backend::{Backend, BackendRef, backend};
use ivy::jit::JitBackend;
use ivy::jit::engine::{Engine, Settings};
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

fn main() -> ivy::Result<()> {
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
