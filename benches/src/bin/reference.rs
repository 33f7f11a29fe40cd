//! The reference backend on the workloads that `side_by_side.py` runs in NumPy as well. Prints
//! one JSON line a workload: name, median and least seconds. Threads by RAYON_NUM_THREADS.

use ivy::prelude::*;
use ivy_benches::{median, uniform};
use std::{hint::black_box, time::Instant};

const N: usize = 16 << 20;

fn main() -> ivy::Result<()> {
    let only = std::env::args().nth(1);
    ivy::set_backend("ndarray")?;
    // Copies by an op, so that they lie where results lie, as those of a program do.
    let result = |values: Vec<f32>, shape: ivy::Shape| ivy::add(Array::from_vec(values, shape)?, 0.0f32);
    let x = result(uniform(N, 1), N.into())?;
    let y = result(uniform(N, 2), N.into())?;
    let matrix = result(uniform(N, 3), [4096, 4096].into())?;
    let scaled = |dtype: Dtype| ivy::astype((&x * 1000.0).ok(), dtype);
    let (i32s, u8s, f64s) = (
        scaled(Dtype::INT32)?,
        ivy::astype((ivy::abs(&x)? * 200.0).ok(), Dtype::UINT8)?,
        scaled(Dtype::FLOAT64)?,
    );
    let wide = ivy::astype((&x * 2e9).ok(), Dtype::INT32)?;
    type Work<'a> = (&'a str, Box<dyn Fn() -> ivy::Result<Array> + 'a>);
    let works: Vec<Work<'_>> = vec![
        ("add", Box::new(|| ivy::add(&x, &y))),
        ("multiply", Box::new(|| ivy::multiply(&x, &y))),
        ("exp", Box::new(|| ivy::exp(&x))),
        ("tanh", Box::new(|| ivy::tanh(&x))),
        ("sum axis 0", Box::new(|| ivy::sum(&matrix, Sum::new().axis(0)))),
        ("sum axis 1", Box::new(|| ivy::sum(&matrix, Sum::new().axis(1)))),
        ("int32 -> float16", Box::new(|| ivy::astype(&i32s, Dtype::FLOAT16))),
        ("uint8 -> float32", Box::new(|| ivy::astype(&u8s, Dtype::FLOAT32))),
        ("float64 -> int32", Box::new(|| ivy::astype(&f64s, Dtype::INT32))),
        ("float32 -> float64", Box::new(|| ivy::astype(&x, Dtype::FLOAT64))),
        ("float32 -> float16", Box::new(|| ivy::astype(&x, Dtype::FLOAT16))),
        ("sort float32", Box::new(|| ivy::sort(&x, ()))),
        ("sort int32", Box::new(|| ivy::sort(&wide, ()))),
        ("sort float64", Box::new(|| ivy::sort(&f64s, ()))),
    ];
    for (name, work) in &works {
        if only.as_deref().is_some_and(|o| o != *name) {
            continue;
        }
        let time = || {
            let start = Instant::now();
            black_box(work().expect("the workload is valid"));
            start.elapsed().as_secs_f64()
        };
        // Two to warm up.
        let times: Vec<f64> = (0..9).map(|_| time()).skip(2).collect();
        let best = times.iter().copied().fold(f64::INFINITY, f64::min);
        println!("{}", serde_json::json!({"name": name, "seconds": median(times), "best": best}));
    }
    Ok(())
}
