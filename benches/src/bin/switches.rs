//! What an optimisation gains: each workload with it and without, in turns, on the same memory:
//! `switches ahead`, or `switches ahead row,column` for workloads whose names begin like that. Medians of the
//! times, and of the pairs' ratios: above 1 the switch gains.

use ivy::backend::{Backend, backend};
use ivy::jit::JitBackend;
use ivy::jit::engine::{Engine, Settings};
use ivy::prelude::*;
use ivy_benches::{chain::operands, median};
use std::time::Instant;

const SIDE: i64 = 4096;
const PAIRS: usize = 41;

type Call<'a> = Box<dyn Fn() -> ivy::Result<Array> + 'a>;

fn seconds(call: &Call<'_>, repeated: usize) -> f64 {
    let start = Instant::now();
    for _ in 0..repeated {
        call().and_then(|x| x.to_host()).expect("the workload is valid");
    }
    start.elapsed().as_secs_f64() / repeated as f64
}

/// Times a workload with and without.
fn compare(engine: &Engine, [with, without]: [Settings; 2], name: &str, call: &Call<'_>) {
    let time = |settings, repeated| {
        engine.set_settings(settings);
        seconds(call, repeated)
    };
    // Each has its kernels by then.
    let longest = [with, without, with, without].map(|s| time(s, 1)).into_iter().fold(0.0, f64::max);
    let repeated = (0.01 / longest) as usize + 1;
    let pairs: Vec<[f64; 2]> = (0..PAIRS)
        .map(|i| match i % 2 {
            0 => [time(with, repeated), time(without, repeated)],
            _ => {
                let last = time(without, repeated);
                [time(with, repeated), last]
            }
        })
        .collect();
    let of = |number: fn(&[f64; 2]) -> f64| median(pairs.iter().map(number).collect());
    let [with, without] = [of(|p| p[0]), of(|p| p[1])].map(|seconds| seconds * 1e6);
    println!("  {name:<24} {with:>10.1} us {without:>10.1} us {:>8.3}", of(|p| p[1] / p[0]));
}

fn main() -> ivy::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let switch = arguments.first().map_or("", |name| name);
    let Some(number) = Settings::NAMES.iter().position(|name| *name == switch) else {
        eprintln!("switches NAME [WORKLOAD,...], where NAME is one of {}", Settings::NAMES.join(", "));
        std::process::exit(2);
    };
    let both = [Settings::default(), Settings::of(!(1 << number))];
    let place = backend("jit:llvm")?;
    let jit = Backend::as_any(&*place).downcast_ref::<JitBackend>().expect("a place of the engine");
    let [x, y, _] = operands("jit:llvm", (SIDE * SIDE) as usize)?;
    let [a, b, _] = operands("jit:llvm", 100_000)?;
    let square = ivy::reshape(&x, [SIDE, SIDE], ())?;
    let rows = ivy::reshape(&x.get(ivy::s![..SIDE * 1024])?, [SIDE, 1024], ())?;
    let halves = ivy::astype(&x, ivy::Dtype::FLOAT16)?;
    ivy::evaluate([&halves])?;
    let root = |a: &Array, b: &Array| ivy::sqrt(&ivy::add(&ivy::multiply(a, b)?, 1.0)?);
    let workloads: [(&str, Call<'_>); 13] = [
        ("small sqrt(a*b+1)", Box::new(|| root(&a, &b))),
        ("sqrt(x*y+1)", Box::new(|| root(&x, &y))),
        ("negative", Box::new(|| ivy::negative(&x))),
        ("row sums", Box::new(|| ivy::sum(&square, ivy::Sum::new().axis(1)))),
        ("column sums", Box::new(|| ivy::sum(&square, ivy::Sum::new().axis(0)))),
        ("sum", Box::new(|| ivy::sum(&x, ()))),
        ("dot", Box::new(|| ivy::sum(&ivy::multiply(&x, &y)?, ()))),
        ("half sum", Box::new(|| ivy::sum(&halves, ()))),
        ("greatest of rows", Box::new(|| ivy::max(&square, ivy::Max::new().axis(1)))),
        ("pairs", Box::new(|| ivy::add(&x.get(ivy::s![..; 2])?, &x.get(ivy::s![1..; 2])?))),
        ("stencil", Box::new(|| ivy::add(&x.get(ivy::s![..-2])?, &x.get(ivy::s![2..])?))),
        ("softmax", Box::new(|| ivy::softmax(&rows, ivy::Softmax::new().axis(1)))),
        ("to float16", Box::new(|| ivy::astype(&x, ivy::Dtype::FLOAT16))),
    ];
    let some = arguments.get(1).map_or("", |some| some);
    let wanted = |name: &str| some.split(',').any(|some| name.starts_with(some));
    let chosen: Vec<_> = workloads.iter().filter(|(name, _)| wanted(name)).collect();
    if chosen.is_empty() {
        let names = workloads.iter().map(|(name, _)| *name).collect::<Vec<_>>();
        eprintln!("no workload begins like {some}; they are {}", names.join(", "));
        std::process::exit(2);
    }
    println!("{switch:<26} {:>13} {:>13} {:>8}", "with", "without", "gains");
    for (name, call) in chosen {
        compare(jit.engine(), both, name, call);
    }
    Ok(())
}
