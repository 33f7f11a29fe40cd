//! What calls, traces and first calls cost, and products of matrices.

use super::{input, numbers, root, run};
use ivy::backend::{Backend, BackendRef};
use ivy::context::Context;
use ivy::jit::JitBackend;
use ivy::prelude::*;
use ivy_benches::peers::Bench;
use std::time::Instant;

/// The expression of many operations: one for each constant.
fn chain(x: &Array, y: &Array, constants: &[f32]) -> ivy::Result<Array> {
    let mut v = x.clone();
    for (i, &c) in constants.iter().enumerate() {
        v = match i % 5 {
            0 => ivy::multiply(&v, c)?,
            1 => ivy::add(&v, y)?,
            2 => ivy::subtract(&v, c)?,
            3 => ivy::multiply(&v, x)?,
            _ => ivy::maximum(&v, y)?,
        };
    }
    Ok(v)
}

pub(super) fn all(bench: &Bench) -> ivy::Result<()> {
    let array = |name: &str, count: usize| input(bench.load::<f32>(name, count), count);
    let (a, b) = (array("a.f32", 1)?, array("b.f32", 1)?);
    run(bench, "W1.add1", || ivy::add(&a, &b));
    let (a, b) = (array("a.f32", 1000)?, array("b.f32", 1000)?);
    run(bench, "W1.add1000", || ivy::add(&a, &b));
    run(bench, "W1.chain10", || {
        let mut sum = ivy::add(&a, &b)?;
        for _ in 1..10 {
            sum = ivy::add(&sum, &b)?;
        }
        Ok(sum)
    });
    let (a, b) = (array("a.f32", 1024)?, array("b.f32", 1024)?);
    let constants = bench.load::<f32>("c97.f32", 97);
    let pair = [a.clone(), b.clone()];
    compiled(bench, "W7.launch3", &pair, |[a, b]| root(a, b));
    compiled(bench, "W7.launch97", &pair, |[a, b]| chain(a, b, &constants));
    for (id, count) in [("W7.first97", 97), ("W7.first1000", 1000), ("W7.node", 1000)] {
        if bench.wants(id) {
            first(bench, id, &constants.iter().copied().cycle().take(count).collect::<Vec<_>>())?;
        }
    }
    for (id, n) in [("W8.512", 512), ("W8.1024", 1024), ("W8.2048", 2048)] {
        if bench.wants(id) {
            let [a, b] = ["ma.f32", "mb.f32"].map(|name| {
                let all = array(name, n * n).expect("the input is there");
                ivy::reshape(&all, [n as i64, n as i64], ()).expect("a square")
            });
            run(bench, id, || ivy::matmul(&a, &b));
        }
    }
    if bench.wants("W8.1024d") {
        let [a, b] = ["ma.f64", "mb.f64"].map(|name| {
            let all = input(bench.load::<f64>(name, 1 << 20), 1 << 20).expect("the input is there");
            ivy::reshape(&all, [1024, 1024], ()).expect("a square")
        });
        run(bench, "W8.1024d", || ivy::matmul(&a, &b));
    }
    Ok(())
}

/// Calls of a compiled function; beside them those of the function itself.
fn compiled(bench: &Bench, id: &str, x: &[Array; 2], f: impl Fn(&[Array; 2]) -> ivy::Result<Array>) {
    let read = |result: ivy::Result<Array>| {
        let result = result.expect("the workload is valid");
        result.to_host().expect("the result is computed");
        result
    };
    let function = ivy::compile(&f);
    bench.run_beside(id, || read(function.call(x)), ("called", || read(f(x))), numbers);
}

/// The first call of an expression, or its trace alone. Constants are inputs of a kernel here, so
/// that others would be no first call: every call has an engine of its own, without a disk.
fn first(bench: &Bench, id: &str, constants: &[f32]) -> ivy::Result<()> {
    let current = ivy::context::current_backend()?;
    let jit = Backend::as_any(&*current).downcast_ref::<JitBackend>();
    let Some(generator) = jit.map(|b| b.engine().generator()) else { return Ok(()) };
    let [x, y] = ["a.f32", "b.f32"].map(|name| bench.load::<f32>(name, 1024));
    let (mut seconds, mut error) = (Vec::new(), 0f64);
    for _ in 0..9 {
        let own = Context::new().backend(BackendRef::new(JitBackend::new(generator)));
        ivy::context::with(&own, || -> ivy::Result<()> {
            let (a, b) = (Array::from_vec(x.clone(), 1024)?, Array::from_vec(y.clone(), 1024)?);
            let start = Instant::now();
            let result = chain(&a, &b, constants)?;
            if id == "W7.node" {
                seconds.push(start.elapsed().as_secs_f64() / constants.len() as f64);
                return Ok(());
            }
            result.to_host()?;
            seconds.push(start.elapsed().as_secs_f64());
            for ((got, &x), &y) in result.to_vec::<f32>()?.into_iter().zip(&x).zip(&y) {
                let want = in_double(x.into(), y.into(), constants);
                error = error.max((f64::from(got) - want).abs() / want.abs().max(1e-4));
            }
            Ok(())
        })?;
    }
    // The first one has the process's own start in it.
    seconds.remove(0);
    bench.once(id, error, seconds);
    Ok(())
}

/// [`chain`] of one element.
fn in_double(x: f64, y: f64, constants: &[f32]) -> f64 {
    constants.iter().enumerate().fold(x, |v, (i, &c)| match i % 5 {
        0 => v * f64::from(c),
        1 => v + y,
        2 => v - f64::from(c),
        3 => v * x,
        _ => v.max(y),
    })
}
