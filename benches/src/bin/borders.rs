//! What reads the elements beside each one, in arrays within the caches and beyond them: rolled arrays and arrays with a
//! border, beside the same work without either; called, and compiled. `borders rolls`, `borders laplace` do one of these;
//! `borders rolls joins` and `borders laplace pads` do it without this switch.

use ivy::backend::{Backend, backend};
use ivy::jit::JitBackend;
use ivy::jit::engine::Settings;
use ivy::{Array, Vars, s};
use ivy_benches::chain::operands;
use ivy_benches::median;
use std::time::Instant;

/// Calls a work on some arrays, often enough for 10 ms a time; microseconds a call, the middle of 11 times.
fn microseconds(work: impl Fn() -> ivy::Result<Array>) -> ivy::Result<f64> {
    let once = || -> ivy::Result<f64> {
        let start = Instant::now();
        ivy::wait([&work()?])?;
        Ok(start.elapsed().as_secs_f64())
    };
    once()?;
    once()?;
    let count = (0.01 / once()?).clamp(1.0, 1e5) as usize;
    let mut times = Vec::new();
    for _ in 0..11 {
        let start = Instant::now();
        for _ in 0..count {
            once()?;
        }
        times.push(start.elapsed().as_secs_f64() * 1e6 / count as f64);
    }
    Ok(median(times))
}

/// Prints what a work takes when it is called and when it is compiled.
fn report<V: Vars>(what: &str, of: V, work: fn(&V) -> ivy::Result<Array>) -> ivy::Result<()> {
    let compiled = ivy::compile(work);
    let [plain, compiled] = [microseconds(|| work(&of))?, microseconds(|| compiled.call(&of))?];
    println!("  {what:<44} {plain:>10.1} us {compiled:>10.1} us compiled");
    Ok(())
}

/// The mean of the elements beside each one in a ring, and of two arrays.
fn rolls() -> ivy::Result<()> {
    for size in [1000, 100_000, 1_000_000, 1 << 24] {
        let [x, y, _] = operands("jit:llvm", size)?;
        println!("{size} float32");
        report("(x + y) * 0.5", [x.clone(), y], |[x, y]| ivy::multiply(ivy::add(x, y)?, 0.5))?;
        report("(roll(x, 1) + roll(x, -1)) * 0.5", x, |x| {
            ivy::multiply(ivy::add(ivy::roll(x, 1, ())?, ivy::roll(x, -1, ())?)?, 0.5)
        })?;
    }
    for side in [64i64, 2048] {
        let [x, ..] = operands("jit:llvm", (side * side) as usize)?;
        let x = ivy::reshape(x, [side, side], ())?;
        println!("{side} x {side} float32");
        report("a roll along each axis", x, |x| {
            let [down, along] = [0, 1].map(|axis| ivy::roll(x, 1, ivy::Roll::new().axis(axis)));
            ivy::add(down?, along?)
        })?;
    }
    Ok(())
}

/// The 5-point Laplace operator at the inner points.
fn laplace(x: &Array) -> ivy::Result<Array> {
    let (rows, columns) = (x.shape()[0] as i64 - 2, x.shape()[1] as i64 - 2);
    let part = |i: i64, j: i64| x.get(s![i..rows + i, j..columns + j]);
    let around = ivy::add(ivy::add(part(0, 1)?, part(2, 1)?)?, ivy::add(part(1, 0)?, part(1, 2)?)?)?;
    ivy::subtract(around, ivy::multiply(part(1, 1)?, 4.0)?)
}

/// That of arrays with a border, and of the inner points of arrays as large as these with theirs.
fn bordered() -> ivy::Result<()> {
    for side in [32i64, 128, 512, 2048, 4096] {
        let of = |side: i64| {
            let [x, ..] = operands("jit:llvm", (side * side) as usize)?;
            ivy::reshape(x, [side, side], ())
        };
        println!("{side} x {side} results, float32");
        report("5-point Laplace, inner points", of(side + 2)?, laplace)?;
        report("5-point Laplace, of zero_pad(x, 1)", of(side)?, |x| laplace(&ivy::zero_pad(x, 1)?))?;
    }
    Ok(())
}

fn usage() -> ivy::Result<()> {
    eprintln!("usage: borders [rolls [joins] | laplace [pads]]");
    std::process::exit(2)
}

fn main() -> ivy::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (part, without) = (arguments.next(), arguments.next());
    let place = backend("jit:llvm")?;
    let jit = Backend::as_any(&*place).downcast_ref::<JitBackend>().expect("a place of the engine");
    let all = Settings::default();
    jit.engine().set_settings(match without.as_deref() {
        Some("joins") => Settings { joins: false, ..all },
        Some("pads") => Settings { pads: false, ..all },
        None => all,
        Some(_) => return usage(),
    });
    if !matches!(part.as_deref(), None | Some("rolls" | "laplace")) {
        return usage();
    }
    let wanted = |name: &str| part.as_deref().is_none_or(|part| part == name);
    if wanted("rolls") {
        rolls()?;
    }
    if wanted("laplace") {
        bordered()?;
    }
    Ok(())
}
