//! One call on large arrays, to be counted by valgrind: `instructions SIDE BACKEND N CALLS`,
//! where SIDE is `own` or `ours`. See `instructions.sh`.

use ivy::prelude::*;
use ivy_benches::uniform;
use std::hint::black_box;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [side, backend, n, calls] = arguments.as_slice() else {
        return Err("usage: instructions own|ours ndarray|candle|torch N CALLS".into());
    };
    let (n, calls): (usize, usize) = (n.parse()?, calls.parse()?);
    let (a, b) = (uniform(n, 1), uniform(n, 2));
    match (side.as_str(), backend.as_str()) {
        ("own", "ndarray") => {
            let a = ivy::ndarray::ndarray::ArrayD::from_shape_vec(vec![n], a)?;
            let b = ivy::ndarray::ndarray::ArrayD::from_shape_vec(vec![n], b)?;
            (0..calls).for_each(|_| drop(black_box(&a + &b)));
        }
        #[cfg(feature = "torch")]
        ("own", "torch") => {
            use ivy::torch::tch::{Tensor, set_num_threads};
            set_num_threads(1);
            let (a, b) = (Tensor::f_from_slice(&a)?, Tensor::f_from_slice(&b)?);
            for _ in 0..calls {
                drop(black_box(a.f_add(&b)?));
            }
        }
        ("own", _) => {
            let device = ivy::candle::candle_core::Device::Cpu;
            let a = ivy::candle::candle_core::Tensor::from_vec(a, n, &device)?;
            let b = ivy::candle::candle_core::Tensor::from_vec(b, n, &device)?;
            for _ in 0..calls {
                black_box(a.add(&b)?);
            }
        }
        _ => {
            ivy::set_backend(backend)?;
            #[cfg(feature = "torch")]
            ivy::torch::tch::set_num_threads(1);
            let (a, b) = (Array::from_vec(a, n)?, Array::from_vec(b, n)?);
            for _ in 0..calls {
                black_box(ivy::add(&a, &b)?);
            }
        }
    }
    Ok(())
}
