//! The engine on a CUDA device, by the device's clock: bandwidth beside that of the driver's own copy
//! in the same run, and what a launch costs the host.
//!
//!     cuda [ELEMENTS] [elements] [orders] [rows] [products] [launches]     2^26 float32, and all, if none are given

use ivy::backend::{Backend, BackendRef, backend};
use ivy::jit::JitBackend;
use ivy::jit::engine::{Engine, Variable};
use ivy::jit::runtime::cuda::{Bare, Device, Memory};
use ivy::prelude::*;
use ivy::{CumulativeSum, ScatterFlat, Sum};
use ivy_benches::{median, uniform};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

const RUNS: usize = 9;
/// Launches in a row, of which fewer are made where fewer elements are asked for.
const LAUNCHES: usize = 1000;

fn engine(backend: &BackendRef) -> Arc<Engine> {
    let jit = Backend::as_any(&**backend).downcast_ref::<JitBackend>().expect("a place of the engine");
    jit.engine().clone()
}

/// Computes what is pending, where it is.
fn compute(engine: &Engine, x: &Array) -> ivy::Result<()> {
    let variable = x.value().data::<Variable>().expect("an array of the engine");
    engine.compute(variable).map(drop)
}

/// A device's clock, and what keeps the device busy until the host has called for what is timed: of a kernel of
/// 200 us, what the host takes to trace it would be a tenth.
struct Clock {
    device: Arc<Device>,
    from: Memory,
    to: Memory,
    bytes: usize,
}

impl Clock {
    fn new(device: &Arc<Device>, bytes: usize) -> ivy::Result<Clock> {
        let (from, to) = (Memory::new(device, bytes)?, Memory::new(device, bytes)?);
        Ok(Clock { device: device.clone(), from, to, bytes })
    }

    fn copy(&self) -> ivy::Result<()> {
        Ok(self.device.copy(&self.from, &self.to, self.bytes)?)
    }

    /// The middle of some times on the device, in seconds, after one run that makes the kernel.
    fn seconds(&self, mut work: impl FnMut() -> ivy::Result<()>) -> ivy::Result<f64> {
        work()?;
        let mut times = Vec::new();
        for _ in 0..RUNS {
            self.copy()?;
            let before = self.device.now()?;
            work()?;
            times.push(self.device.now()?.since(&before)?.as_secs_f64());
        }
        Ok(median(times))
    }
}

fn report(name: &str, bytes: usize, seconds: f64, copy: f64) {
    let bandwidth = bytes as f64 / seconds / 1e9;
    println!("{name:<28} {:>9.3} ms {bandwidth:>9.1} GB/s {:>6.2} of copy", seconds * 1e3, bandwidth / copy);
}

type Make = fn(&[Array]) -> ivy::Result<Array>;
type Work<'a> = &'a dyn Fn() -> ivy::Result<Array>;

/// What can be asked for by itself.
const SUBJECTS: [&str; 5] = ["elements", "orders", "rows", "products", "launches"];

fn run(n: usize, wanted: &dyn Fn(&str) -> bool) -> ivy::Result<()> {
    let backend = backend("jit:cuda")?;
    let engine = engine(&backend);
    let device = engine.device().cloned().expect("a place with a device");
    println!(
        "{}\n{n} float32, middle of {RUNS} runs by the device's clock",
        backend.note().unwrap_or_default()
    );
    let clock = Clock::new(&device, n * 4)?;
    let time = clock.seconds(|| clock.copy())?;
    let copy = 8.0 * n as f64 / time / 1e9;
    report("driver's copy", 8 * n, time, copy);
    if wanted("elements") {
        elements(&engine, &clock, n, copy)?;
    }
    if wanted("orders") {
        orders(&engine, &clock, n, copy)?;
    }
    if wanted("rows") {
        rows(&engine, &clock, n, copy)?;
    }
    if wanted("products") {
        products(&engine, &clock, n.isqrt().clamp(1, 4096))?;
    }
    if wanted("launches") {
        launches(&engine, &device, LAUNCHES.min(n.div_ceil(64)))?;
    }
    Ok(())
}

/// Elements by themselves, and folds of them.
fn elements(engine: &Engine, clock: &Clock, n: usize, copy: f64) -> ivy::Result<()> {
    let side = n.isqrt().max(1);
    let (x, y, square) = ivy::with_backend("jit:cuda", || -> ivy::Result<_> {
        let [x, y] = [1, 2].map(|seed| Array::from_vec(uniform(n, seed), n));
        Ok((x?, y?, Array::from_vec(uniform(side * side, 3), [side, side])?))
    })??;
    let [half, other] = [&x, &y].map(|a| ivy::astype(a, Dtype::FLOAT16));
    let [double, another] = [&x, &y].map(|a| ivy::astype(a, Dtype::FLOAT64));
    let (half, other, double, another) = (half?, other?, double?, another?);
    for pending in [&half, &other, &double, &another] {
        compute(engine, pending)?;
    }
    let row = x.get(ivy::s![..side as i64])?;
    let column = ivy::reshape(&row, [-1, 1], ())?;
    let whole = 4 * side * side;
    // What each reads and writes at least.
    let work: [(&str, usize, Make); 14] = [
        ("x * y + x", 12 * n, |a| ivy::add(&ivy::multiply(&a[0], &a[1])?, &a[0])),
        ("sqrt(x * y + 1) - x", 12 * n, |a| {
            ivy::subtract(&ivy::sqrt(&ivy::add(&ivy::multiply(&a[0], &a[1])?, 1.0)?)?, &a[0])
        }),
        ("exp", 8 * n, |a| ivy::exp(&a[0])),
        ("tanh", 8 * n, |a| ivy::tanh(&a[0])),
        ("exp from the second one on", 8 * n, |a| ivy::exp(&a[0].get(ivy::s![1..])?)),
        ("x + y of float16", 6 * n, |a| ivy::add(&a[3], &a[4])),
        ("x + y of float64", 24 * n, |a| ivy::add(&a[5], &a[6])),
        ("row + column", whole, |a| ivy::add(&a[7], &a[8])),
        ("-x transposed", 2 * whole, |a| ivy::negative(&ivy::matrix_transpose(&a[2])?)),
        ("x + x transposed", 2 * whole, |a| ivy::add(&a[2], &ivy::matrix_transpose(&a[2])?)),
        ("sum of x * y", 8 * n, |a| ivy::sum(&ivy::multiply(&a[0], &a[1])?, ())),
        ("sums of rows", whole, |a| ivy::sum(&a[2], Sum::new().axis(1))),
        ("sums of columns", whole, |a| ivy::sum(&a[2], Sum::new().axis(0))),
        ("softmax of rows", 2 * whole, |a| ivy::softmax(&a[2], ())),
    ];
    let arrays = [x, y, square, half, other, double, another, row, column];
    for (name, bytes, make) in work {
        let time = clock.seconds(|| compute(engine, &make(&arrays)?))?;
        report(name, bytes, time, copy);
    }
    Ok(())
}

/// What goes in order: running sums, and sorting, sets and scatters of a quarter of the elements. The bytes are
/// those of operands and results.
fn orders(engine: &Engine, clock: &Clock, n: usize, copy: f64) -> ivy::Result<()> {
    let side = n.isqrt().max(1);
    let size = side * side;
    let (x, square) = ivy::with_backend("jit:cuda", || -> ivy::Result<_> {
        Ok((Array::from_vec(uniform(n, 1), n)?, Array::from_vec(uniform(size, 3), [side, side])?))
    })??;
    let few = (n / 4).max(1);
    let places: Vec<i64> =
        (0..few as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as i64).collect();
    let (some, places) = ivy::with_backend("jit:cuda", || -> ivy::Result<_> {
        let places = places.into_iter().map(|i| i % few as i64).collect();
        Ok((Array::from_vec(uniform(few, 6), few)?, Array::from_vec(places, few)?))
    })??;
    let whole = ivy::astype(&ivy::multiply(&x, 1e6)?, Dtype::INT32)?;
    compute(engine, &whole)?;
    let along = |x: &Array, axis| ivy::cumulative_sum(x, CumulativeSum::new().axis(axis));
    let work: [(&str, usize, Work<'_>); 9] = [
        ("running sums of rows", 8 * size, &|| along(&square, 1)),
        ("running sums of columns", 8 * size, &|| along(&square, 0)),
        ("running sum of int32", 8 * n, &|| along(&whole, 0)),
        ("running sum of float32", 8 * n, &|| along(&x, 0)),
        ("the same, on the device", 8 * n, &|| {
            let allowed = engine.set_transfers(false);
            let sums = along(&x, 0)?;
            compute(engine, &sums)?;
            engine.set_transfers(allowed);
            Ok(sums)
        }),
        ("scatter of a quarter, added", 20 * few, &|| {
            ivy::scatter_flat(&places, &some, ScatterFlat::new().size(few))
        }),
        ("sort of a quarter", 8 * few, &|| ivy::sort(&some, ())),
        ("argsort of a quarter", 12 * few, &|| ivy::argsort(&some, ())),
        ("unique of a quarter", 8 * few, &|| ivy::unique_values(&some)),
    ];
    for (name, bytes, make) in work {
        let time = clock.seconds(|| compute(engine, &make()?))?;
        report(name, bytes, time, copy);
    }
    Ok(())
}

/// What is made of rows.
type Normal = fn(&Array) -> ivy::Result<Array>;

/// Programs over rows, of several lengths.
fn rows(engine: &Engine, clock: &Clock, n: usize, copy: f64) -> ivy::Result<()> {
    let work: [(&str, &[usize], Normal); 3] = [
        ("softmax", &[32, 128, 512, 1000, 2048, 4096, 8192, 16384], |x| ivy::softmax(x, ())),
        ("layer norm", &[512, 1000, 4096, 8192, 16384], |x| {
            let mean = ivy::mean(x, ivy::Mean::new().axis(1).keepdims())?;
            let variance = ivy::var(x, ivy::Var::new().axis(1).keepdims())?;
            ivy::divide(&ivy::subtract(x, &mean)?, &ivy::sqrt(&ivy::add(&variance, 1e-5)?)?)
        }),
        ("vector norm", &[8192], |x| {
            ivy::divide(x, &ivy::linalg::vector_norm(x, ivy::linalg::VectorNorm::new().axis(1).keepdims())?)
        }),
    ];
    let all = ivy::with_backend("jit:cuda", || Array::from_vec(uniform(n, 6), n))??;
    for (name, lengths, make) in work {
        for &columns in lengths.iter().filter(|&&columns| columns < n) {
            let count = n / columns;
            let x = ivy::reshape(&all.get(ivy::s![..count * columns])?, [count as i64, columns as i64], ())?;
            let time = clock.seconds(|| compute(engine, &make(&x)?))?;
            report(&format!("{name} of {columns}"), 8 * count * columns, time, copy);
        }
    }
    Ok(())
}

/// Products of square matrices, and of some that are not.
fn products(engine: &Engine, clock: &Clock, largest: usize) -> ivy::Result<()> {
    let squares = (0..4).map(|i| (largest >> i).max(1)).map(|side| [1, side, side, side]);
    let others = [[1, largest, largest, 16], [1, 128, 16 * largest, 128], [largest, 32, 32, 32]];
    for [count, m, k, n] in squares.chain(others) {
        for dtype in [Dtype::FLOAT32, Dtype::FLOAT64] {
            let matrix = |rows: usize, columns: usize| {
                ivy::astype(
                    &Array::from_vec(uniform(count * rows * columns, 5), [count, rows, columns])?,
                    dtype,
                )
            };
            let (a, b) =
                ivy::with_backend("jit:cuda", || Ok::<_, ivy::Error>((matrix(m, k)?, matrix(k, n)?)))??;
            compute(engine, &a)?;
            compute(engine, &b)?;
            let time = clock.seconds(|| compute(engine, &ivy::matmul(&a, &b)?))?;
            let speed = 2.0 * (count * m * k) as f64 * n as f64 / time / 1e9;
            let name = format!("{dtype} {count} x {m} x {k} x {n}");
            println!("{name:<32} {:>9.3} ms {speed:>9.1} GFLOP/s", time * 1e3);
        }
    }
    Ok(())
}

/// What the host pays for a launch of a kernel that is there, and for what it makes of it.
fn launches(engine: &Engine, device: &Arc<Device>, count: usize) -> ivy::Result<()> {
    const N: u32 = 1024;
    let small = ivy::with_backend("jit:cuda", || Array::from_vec(uniform(N as usize, 4), N as usize))??;
    // The middle of some rounds: whatever else the host does comes in between.
    let time = |work: &mut dyn FnMut() -> ivy::Result<()>| -> ivy::Result<f64> {
        work()?;
        let mut times = Vec::new();
        for _ in 0..RUNS {
            device.wait()?;
            let start = Instant::now();
            (0..count).try_for_each(|_| work())?;
            times.push(start.elapsed().as_secs_f64() / count as f64 * 1e6);
        }
        device.wait()?;
        Ok(median(times))
    };
    let bare = Bare::new(device)?;
    let bare = time(&mut || Ok(bare.start(N)?))?;
    println!("launches of {N} elements, on the host, until the driver returns:");
    println!("{:<28} {bare:>9.2} us", "the driver alone");
    let function = |[x]: &[Array; 1]| ivy::add(&ivy::multiply(x, x)?, x);
    let (compiled, small) = (ivy::compile(function), [small]);
    let line = |name: &str, time: f64| println!("{name:<28} {time:>9.2} us, {:.2} us more", time - bare);
    line("x * x + x", time(&mut || compute(engine, &function(&small)?))?);
    line("x * x + x, compiled", time(&mut || compute(engine, &compiled.call(&small)?))?);
    let pending = || ivy::multiply(&small[0], &small[0]);
    let traced = time(&mut || pending().map(drop))?;
    let one = time(&mut || compute(engine, &pending()?))?;
    line("x * x", one);
    println!("{:<28} {traced:>9.2} us of that", "the call, without a launch");
    Ok(())
}

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let count = words.first().and_then(|word| word.parse().ok());
    if count.is_some() {
        words.remove(0);
    }
    if words.iter().any(|word| !SUBJECTS.contains(&word.as_str())) {
        eprintln!("usage: cuda [ELEMENTS] [{}]", SUBJECTS.join("] ["));
        return ExitCode::from(2);
    }
    let wanted = |subject: &str| words.is_empty() || words.iter().any(|word| word == subject);
    match run(count.unwrap_or(1 << 26), &wanted) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
