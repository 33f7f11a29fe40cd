//! The engine in the side-by-side benchmark of array systems: `peers [PLACE]`, by default
//! `jit:llvm`, speaks its protocol (`ivy_benches::peers`).

mod calls;
mod programs;

use ivy::host::{Buffer, Element, HostArray};
use ivy::prelude::*;
use ivy_benches::peers::Bench;

const LONG: usize = 1 << 24;
const SIDE: usize = 4096;

/// A result as numbers.
fn numbers(x: Array) -> Vec<f64> {
    let wide = ivy::astype(&x, ivy::Dtype::FLOAT64).expect("a real dtype");
    wide.to_vec::<f64>().expect("float64")
}

fn main() -> ivy::Result<()> {
    let place = std::env::args().nth(1).unwrap_or_else(|| "jit:llvm".into());
    let threads = std::env::var("PEERS_THREADS").unwrap_or_default();
    if !threads.is_empty() && std::env::var_os("RAYON_NUM_THREADS").is_none() {
        eprintln!("set RAYON_NUM_THREADS as well: the pool takes its size from there");
    }
    let Some(bench) = Bench::new("ours", env!("CARGO_PKG_VERSION")) else {
        eprintln!("no inputs: PEERS_DATA names their folder");
        return Ok(());
    };
    ivy::with_backend(&place, || {
        calls::all(&bench)?;
        all(&bench)?;
        programs::all(&bench)
    })?
}

/// An input, in memory of the library's own, as a result has it or a file that was loaded: a vector's
/// lies in small pages and begins anywhere in a line.
fn input<T: Element>(values: Vec<T>, shape: impl Into<ivy::Shape>) -> ivy::Result<Array> {
    let given = Array::from_vec(values, shape)?;
    let host = given.to_host()?;
    let buffer = Buffer::copy_from(host.view().bytes()).expect("memory for an input");
    let own = HostArray::new(buffer, host.dtype(), host.shape().clone()).expect("as long as before");
    Array::from_host(given.backend(), own)
}

/// Runs a call until its result is there.
fn run(bench: &Bench, id: &str, call: impl Fn() -> ivy::Result<Array>) {
    let whole = || {
        let result = call().expect("the workload is valid");
        result.to_host().expect("the result is computed");
        result
    };
    bench.run(id, whole, numbers);
}

/// `sqrt(a * b + 1)`.
fn root(a: &Array, b: &Array) -> ivy::Result<Array> {
    ivy::sqrt(&ivy::add(&ivy::multiply(a, b)?, 1.0)?)
}

fn all(bench: &Bench) -> ivy::Result<()> {
    let array = |name: &str, count: usize| input(bench.load::<f32>(name, count), count);
    for (id, count) in [("W2.100k", 100_000), ("W2.16M", LONG), ("W2.64M", LONG * 4)] {
        if bench.wants(id) {
            let (a, b) = (array("a.f32", count)?, array("b.f32", count)?);
            run(bench, id, || root(&a, &b));
        }
    }
    elementary(bench)?;
    let (x, y) = (array("x.f32", LONG)?, array("y.f32", LONG)?);
    let square = ivy::reshape(&x, [SIDE as i64, SIDE as i64], ())?;
    run(bench, "W4.sumhypot", || {
        let sum = ivy::add(&ivy::multiply(&x, &x)?, &ivy::multiply(&y, &y)?)?;
        ivy::sum(&ivy::sqrt(&sum)?, ())
    });
    run(bench, "W4.rowsum", || ivy::sum(&square, ivy::Sum::new().axis(1)));
    run(bench, "W4.colsum", || ivy::sum(&square, ivy::Sum::new().axis(0)));
    let halves = bench.load::<u16>("h.f16", LONG).into_iter().map(half::f16::from_bits).collect::<Vec<_>>();
    let halves = input(halves, LONG)?;
    run(bench, "W4.sumf16", || ivy::sum(&halves, ()));
    run(bench, "W5.pairs", || ivy::add(&x.get(ivy::s![..; 2])?, &x.get(ivy::s![1..; 2])?));
    run(bench, "W5.stencil3", || {
        let sum = ivy::add(&x.get(ivy::s![..-2])?, &x.get(ivy::s![1..-1])?)?;
        ivy::divide(&ivy::add(&sum, &x.get(ivy::s![2..])?)?, 3.0)
    });
    run(bench, "W5.transadd", || ivy::add(&square, &ivy::matrix_transpose(&square)?));
    let (a, b) = (array("a.f32", SIDE)?, array("b.f32", SIDE)?);
    run(bench, "W5.outer", || ivy::multiply(&ivy::expand_dims(&a, 1)?, &ivy::expand_dims(&b, 0)?));
    rows(bench, &x)?;
    let points = |name: &str| ivy::reshape(&array(name, 1024 * 1024)?, [1024, 1024], ());
    let (cr, ci) = (points("cr.f32")?, points("ci.f32")?);
    run(bench, "W6.mandel", || mandelbrot(&cr, &ci));
    let field = ivy::reshape(&array("a.f32", 2048 * 2048)?, [2048, 2048], ())?;
    run(bench, "W11.laplace", || {
        let middle = field.get(ivy::s![1..-1, 1..-1])?;
        let sides = [
            field.get(ivy::s![2.., 1..-1])?,
            field.get(ivy::s![1..-1, ..-2])?,
            field.get(ivy::s![1..-1, 2..])?,
        ];
        let mut sum = field.get(ivy::s![..-2, 1..-1])?;
        for side in &sides {
            sum = ivy::add(&sum, side)?;
        }
        ivy::subtract(&sum, &ivy::multiply(&middle, 4.0)?)
    });
    let ints = input(bench.load::<i32>("i.i32", LONG), LONG)?;
    run(bench, "W12.i32f16", || ivy::astype(&ints, ivy::Dtype::FLOAT16));
    run(bench, "W12.f32bf16", || ivy::astype(&x, ivy::Dtype::BFLOAT16));
    let bytes = input(bench.load::<u8>("u.u8", LONG), LONG)?;
    run(bench, "W12.u8f32", || ivy::astype(&bytes, ivy::Dtype::FLOAT32));
    let doubles = input(bench.load::<f64>("d.f64", LONG), LONG)?;
    run(bench, "W12.f64i32", || ivy::astype(&doubles, ivy::Dtype::INT32));
    Ok(())
}

fn elementary(bench: &Bench) -> ivy::Result<()> {
    let array = |name: &str| input(bench.load::<f32>(name, LONG), LONG);
    let (x, y, positive, small, power) =
        (array("x.f32")?, array("y.f32")?, array("pos.f32")?, array("sm.f32")?, array("pw.f32")?);
    run(bench, "W3.fused", || {
        let sum = ivy::add(&ivy::multiply(&x, &x)?, &ivy::multiply(&y, &y)?)?;
        ivy::add(&ivy::multiply(&ivy::sqrt(&sum)?, 0.5)?, &ivy::sin(&x)?)
    });
    run(bench, "W3.exp", || ivy::exp(&small));
    run(bench, "W3.log", || ivy::log(&positive));
    run(bench, "W3.tanh", || ivy::tanh(&small));
    run(bench, "W3.erf", || ivy::erf(&small));
    run(bench, "W3.pow", || ivy::pow(&positive, &power));
    Ok(())
}

/// How many of 256 iterations each point stays within the circle.
fn mandelbrot(cr: &Array, ci: &Array) -> ivy::Result<Array> {
    let zero = ivy::zeros_like(cr, ())?;
    let [count, _, _] = ivy::while_loop(
        |[n, zr, zi]| ivy::logical_and(ivy::less(n, 256)?, ivy::less_equal(zr * zr + zi * zi, 4.0)?),
        |[n, zr, zi]| Ok([(n + 1).ok()?, (zr * zr - zi * zi + cr).ok()?, (zr * 2.0 * zi + ci).ok()?]),
        [ivy::asarray(0i32, ())?, zero.clone(), zero],
    )?;
    Ok(count)
}

/// Rows of 1024: each is normalized.
fn rows(bench: &Bench, x: &Array) -> ivy::Result<()> {
    let rows = ivy::reshape(&x.get(ivy::s![..4096 * 1024])?, [4096, 1024], ())?;
    run(bench, "W9.softmax", || ivy::softmax(&rows, ()));
    run(bench, "W9.layernorm", || {
        let mean = ivy::mean(&rows, ivy::Mean::new().axis(1).keepdims())?;
        let variance = ivy::var(&rows, ivy::Var::new().axis(1).keepdims())?;
        ivy::divide(&ivy::subtract(&rows, &mean)?, &ivy::sqrt(&ivy::add(&variance, 1e-5)?)?)
    });
    Ok(())
}
