//! `sqrt(a * b + 1)` beside the machine's own loops over as many streams of the same length, in turns in one process:
//! `streams [ELEMENTS...]`, by default 100000, of float32. GB/s count each input and each result once. The loops are
//! of Rust, for the processor's vectors where these are of 256 bits and more, and write memory that is there.

use ivy::host::{Buffer, HostArray};
use ivy::prelude::*;
use ivy_benches::{chain::operands, median, uniform};
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 201;

/// A name, and what is timed.
type Side<'a> = (&'static str, Box<dyn FnMut() + 'a>);

/// Loops that are compiled for the processor.
macro_rules! loops {
    ($($(#[$doc:meta])* $name:ident $wide:ident: |$a:ident, $b:ident| $value:expr;)*) => {$(
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma")]
        fn $wide(a: &[f32], b: &[f32], to: &mut [f32]) {
            for ((to, &$a), &$b) in to.iter_mut().zip(a).zip(b) {
                *to = $value;
            }
        }

        $(#[$doc])*
        fn $name(a: &[f32], b: &[f32], to: &mut [f32]) {
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                // SAFETY: the processor has these instructions.
                return unsafe { $wide(a, b, to) };
            }
            for ((to, &$a), &$b) in to.iter_mut().zip(a).zip(b) {
                *to = $value;
            }
        }
    )*};
}
loops! {
    /// What the memory gives.
    triad wide_triad: |a, b| a + 3.0 * b;
    /// The expression, fused by hand.
    root wide_root: |a, b| (a * b + 1.0).sqrt();
}

/// The same in the library's own memory, as a result has it.
fn own(x: &Array) -> ivy::Result<Array> {
    let host = x.to_host()?;
    let buffer = Buffer::copy_from(host.view().bytes()).expect("memory for an input");
    let own = HostArray::new(buffer, host.dtype(), host.shape().clone()).expect("as long as before");
    Array::from_host(x.backend(), own)
}

fn measure(n: usize) -> ivy::Result<()> {
    let [a, b, _] = operands("jit:llvm", n)?;
    let expression = |a: &Array, b: &Array| ivy::sqrt(&ivy::add(&ivy::multiply(a, b)?, 1.0)?);
    let compiled = ivy::compile(|[a, b]: &[Array; 2]| expression(a, b));
    let inputs = [own(&a)?, own(&b)?];
    let [x, y] = [uniform(n, 1), uniform(n, 2)];
    let (mut to, mut other) = (vec![0.0; n], vec![0.0; n]);
    let read = |result: ivy::Result<Array>| {
        black_box(result.and_then(|x| x.to_host()).expect("the expression is valid"));
    };
    let mut sides: [Side<'_>; 4] = [
        ("triad", Box::new(|| triad(&x, black_box(&y), black_box(&mut to)))),
        ("loop", Box::new(|| root(&x, black_box(&y), black_box(&mut other)))),
        ("ours", Box::new(|| read(expression(&inputs[0], &inputs[1])))),
        ("ours, compiled", Box::new(|| read(compiled.call(&inputs)))),
    ];
    let repeated = (1 << 20) / n + 1;
    let mut times = vec![[0.0; 4]; ROUNDS];
    for (round, times) in times.iter_mut().enumerate() {
        for side in 0..4 {
            let number = (side + round) % 4;
            let call = &mut sides[number].1;
            // Its own memory is as near as it can be.
            call();
            let start = Instant::now();
            (0..repeated).for_each(|_| call());
            times[number] = start.elapsed().as_secs_f64() / repeated as f64;
        }
    }
    println!("{n} elements         us     GB/s  of triad  of loop");
    for (number, (name, _)) in sides.iter().enumerate() {
        let of = |number: &dyn Fn(&[f64; 4]) -> f64| median(times.iter().map(number).collect());
        let seconds = of(&|t| t[number]);
        let [triad, own] = [0, 1].map(|side| of(&|t| t[side] / t[number]));
        println!(
            "  {name:<15} {:>8.1} {:>8.1} {triad:>9.2} {own:>8.2}",
            seconds * 1e6,
            12e-9 * n as f64 / seconds
        );
    }
    Ok(())
}

fn main() -> ivy::Result<()> {
    let mut sizes = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.parse() {
            Ok(n @ 1..) => sizes.push(n),
            _ => {
                eprintln!("streams [ELEMENTS...]: {argument} is no number of elements");
                std::process::exit(2);
            }
        }
    }
    let sizes = if sizes.is_empty() { vec![100_000] } else { sizes };
    sizes.into_iter().try_for_each(measure)
}
