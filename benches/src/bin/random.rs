//! Random numbers on a backend, which `layers.py` draws with NumPy as well: `random PLACE [NAME]`. Prints one JSON line a
//! workload: name and seconds of each run. Threads by RAYON_NUM_THREADS.

use ivy::prelude::*;
use ivy::{GammaParams, Generator, RandInt, RandomNormal, RandomUniform};
use std::time::Instant;

const N: usize = 16 << 20;
/// Runs that are not counted, and those that are.
const RUNS: [usize; 2] = [3, 9];

fn main() -> ivy::Result<()> {
    let mut arguments = std::env::args().skip(1);
    ivy::set_backend(arguments.next().as_deref().unwrap_or("jit"))?;
    let only = arguments.next();
    let mut generator = Generator::new(1);
    type Work<'a> = (&'a str, fn(&mut Generator) -> ivy::Result<Array>);
    let works: [Work<'_>; 7] = [
        ("normal float32", |g| ivy::random_normal(0.0, 1.0, RandomNormal::new().shape([N]).seed(g))),
        ("normal float32, scaled", |g| ivy::random_normal(3.0, 2.0, RandomNormal::new().shape([N]).seed(g))),
        ("normal float64", |g| {
            ivy::random_normal(0.0, 1.0, RandomNormal::new().shape([N]).dtype(Dtype::FLOAT64).seed(g))
        }),
        ("uniform float32", |g| ivy::random_uniform(0.0, 1.0, RandomUniform::new().shape([N]).seed(g))),
        ("uniform float32, odd", |g| {
            ivy::random_uniform(0.0, 1.0, RandomUniform::new().shape([N + 1]).seed(g))
        }),
        ("exponential float32", |g| ivy::exponential(1.0, GammaParams::new().shape([N]).seed(g))),
        ("integers below 1000", |g| ivy::randint(0, 1000, RandInt::new().shape([N]).seed(g))),
    ];
    for (name, work) in works {
        if only.as_deref().is_some_and(|o| o != name) {
            continue;
        }
        let mut time = || -> ivy::Result<f64> {
            let start = Instant::now();
            let x = work(&mut generator)?;
            x.to_host()?;
            Ok(start.elapsed().as_secs_f64())
        };
        let times = (0..RUNS.iter().sum()).map(|_| time()).collect::<ivy::Result<Vec<f64>>>()?;
        println!("{}", serde_json::json!({"name": name, "seconds": times[RUNS[0]..]}));
    }
    Ok(())
}
