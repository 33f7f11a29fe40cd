//! What reads the elements beside each one, in arrays within the caches and beyond them: rolled arrays and arrays with a
//! border, beside the same work without either; called, and compiled. `borders rolls`, `borders laplace` do one of these;
//! `borders rolls joins` and `borders laplace pads` do it without this switch. `borders small` is both of small arrays,
//! copied at once and not.

use ivy::backend::{Backend, backend};
use ivy::jit::JitBackend;
use ivy::jit::engine::{Engine, Settings};
use ivy::{Array, Vars, s};
use ivy_benches::chain::operands;
use ivy_benches::median;
use std::sync::Arc;
use std::time::Instant;

/// Calls a work until its result is there, so many times; microseconds a call.
fn repeated(count: usize, work: &dyn Fn() -> ivy::Result<Array>) -> ivy::Result<f64> {
    let start = Instant::now();
    for _ in 0..count {
        ivy::wait([&work()?])?;
    }
    Ok(start.elapsed().as_secs_f64() * 1e6 / count as f64)
}

/// How many calls of a work take some microseconds.
fn calls(within: f64, work: &dyn Fn() -> ivy::Result<Array>) -> ivy::Result<usize> {
    repeated(2, work)?;
    Ok((within / repeated(1, work)?).clamp(1.0, 1e5) as usize)
}

/// Calls a work on some arrays, often enough for 10 ms a time; microseconds a call, the middle of 11 times.
fn microseconds(work: impl Fn() -> ivy::Result<Array>) -> ivy::Result<f64> {
    let count = calls(1e4, &work)?;
    let times = (0..11).map(|_| repeated(count, &work)).collect::<ivy::Result<Vec<f64>>>()?;
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

fn more(x: &Array) -> ivy::Result<Array> {
    ivy::add(x, 1.0)
}

/// The sums of the elements beside each one in a ring.
fn around(x: &Array) -> ivy::Result<Array> {
    ivy::add(ivy::roll(x, 1, ())?, ivy::roll(x, -1, ())?)
}

/// Prints what a work takes with the switch `small` off and on, and compiled: in turns, the middle of 41 times.
fn in_turns<V: Vars>(what: &str, of: V, work: fn(&V) -> ivy::Result<Array>) -> ivy::Result<()> {
    let (engine, compiled) = (engine()?, ivy::compile(work));
    let ways: [(bool, &dyn Fn() -> ivy::Result<Array>); 3] =
        [(false, &|| work(&of)), (true, &|| work(&of)), (true, &|| compiled.call(&of))];
    let mut times = [const { Vec::new() }; 3];
    let before = engine.settings();
    for _ in 0..41 {
        for (times, (small, work)) in times.iter_mut().zip(ways) {
            engine.set_settings(Settings { small, ..before });
            times.push(repeated(calls(1e3, work)?, work)?);
        }
    }
    engine.set_settings(before);
    let [off, on, compiled] = times.map(median);
    println!("  {what:<44} {off:>10.1} us {on:>10.1} us copied at once {compiled:>10.1} us compiled");
    Ok(())
}

/// Small arrays with and without a border, by themselves and before and after an operation.
fn small() -> ivy::Result<()> {
    for side in [10i64, 20, 32, 64, 90, 128, 181, 256] {
        let [x, ..] = operands("jit:llvm", (side * side) as usize)?;
        println!("{} float32, and {side} x {side}", side * side);
        in_turns("roll(x, 1)", x.clone(), |x| ivy::roll(x, 1, ()))?;
        in_turns("roll(x, 1) + x", x.clone(), |x| ivy::add(ivy::roll(x, 1, ())?, x))?;
        in_turns("roll(x, 1) + roll(x, -1)", x.clone(), around)?;
        in_turns("roll(x, 1) + roll(x, -1) of x + 1", x.clone(), |x| around(&more(x)?))?;
        in_turns("zero_pad(x, 1)", x.clone(), |x| ivy::zero_pad(x, 1))?;
        in_turns("zero_pad(x, 1) + 1", x.clone(), |x| more(&ivy::zero_pad(x, 1)?))?;
        in_turns("zero_pad(x + 1, 1) + 1", x.clone(), |x| more(&ivy::zero_pad(&more(x)?, 1)?))?;
        let x = ivy::reshape(x, [side, side], ())?;
        in_turns("zero_pad(x, 1), two axes", x.clone(), |x| ivy::zero_pad(x, 1))?;
        in_turns("zero_pad(x, 1) + 1, two axes", x.clone(), |x| more(&ivy::zero_pad(x, 1)?))?;
        in_turns("5-point Laplace of zero_pad(x, 1)", x.clone(), |x| laplace(&ivy::zero_pad(x, 1)?))?;
        in_turns("5-point Laplace of zero_pad(x + 1, 1)", x, |x| laplace(&ivy::zero_pad(&more(x)?, 1)?))?;
    }
    Ok(())
}

fn usage() -> ivy::Result<()> {
    eprintln!("usage: borders [rolls | laplace | small] [joins | pads]");
    std::process::exit(2)
}

/// The engine of `jit:llvm`.
fn engine() -> ivy::Result<Arc<Engine>> {
    let place = backend("jit:llvm")?;
    let jit = Backend::as_any(&*place).downcast_ref::<JitBackend>().expect("a place of the engine");
    Ok(jit.engine().clone())
}

fn main() -> ivy::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (part, without) = (arguments.next(), arguments.next());
    let all = Settings::default();
    engine()?.set_settings(match without.as_deref() {
        Some("joins") => Settings { joins: false, ..all },
        Some("pads") => Settings { pads: false, ..all },
        None => all,
        Some(_) => return usage(),
    });
    if !matches!(part.as_deref(), None | Some("rolls" | "laplace" | "small")) {
        return usage();
    }
    let wanted = |name: &str| part.as_deref().is_none_or(|part| part == name);
    if wanted("rolls") {
        rolls()?;
    }
    if wanted("laplace") {
        bordered()?;
    }
    if wanted("small") {
        small()?;
    }
    Ok(())
}
