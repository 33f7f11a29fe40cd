//! One call on large arrays, to be counted by valgrind: `instructions SIDE BACKEND WORKLOAD N CALLS`,
//! where SIDE is `own` or `ours`. See `instructions.sh`. Of the engine's own calls, `ours` has `root`, which is
//! `sqrt(a*b+1)`, and `trace`, 1000 operations that are noted and never read.

use ivy::prelude::*;
use ivy_benches::uniform;
use std::hint::black_box;

const USAGE: &str = "usage: instructions own|ours BACKEND add|exp|matmul|root|trace N CALLS";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [side, backend, workload, n, calls] = arguments.as_slice() else { return Err(USAGE.into()) };
    let (n, calls): (usize, usize) = (n.parse()?, calls.parse()?);
    let shape = if workload == "matmul" { vec![n, n] } else { vec![n] };
    let size = shape.iter().product();
    let (a, b) = (uniform(size, 1), uniform(size, 2));
    match (side.as_str(), backend.as_str()) {
        ("own", "ndarray") => {
            use ivy::ndarray::ndarray::{ArrayD, Ix2};
            let (a, b) = (ArrayD::from_shape_vec(shape.clone(), a)?, ArrayD::from_shape_vec(shape, b)?);
            for _ in 0..calls {
                drop(black_box(match workload.as_str() {
                    "add" => &a + &b,
                    "exp" => a.mapv(f32::exp),
                    "matmul" => {
                        let [a, b] = [&a, &b].map(|x| x.view().into_dimensionality::<Ix2>());
                        a?.dot(&b?).into_dyn()
                    }
                    _ => return Err(USAGE.into()),
                }));
            }
        }
        #[cfg(feature = "torch")]
        ("own", "torch") => {
            use ivy::torch::tch::{Tensor, set_num_threads};
            set_num_threads(1);
            let lengths: Vec<i64> = shape.iter().map(|&n| n as i64).collect();
            let (a, b) = (
                Tensor::f_from_slice(&a)?.f_reshape(&lengths)?,
                Tensor::f_from_slice(&b)?.f_reshape(&lengths)?,
            );
            for _ in 0..calls {
                drop(black_box(match workload.as_str() {
                    "add" => a.f_add(&b)?,
                    "exp" => a.f_exp()?,
                    "matmul" => a.f_matmul(&b)?,
                    _ => return Err(USAGE.into()),
                }));
            }
        }
        ("own", "candle") => {
            use ivy::candle::candle_core::{Device, Tensor};
            let (a, b) = (
                Tensor::from_vec(a, shape.as_slice(), &Device::Cpu)?,
                Tensor::from_vec(b, shape.as_slice(), &Device::Cpu)?,
            );
            for _ in 0..calls {
                drop(black_box(match workload.as_str() {
                    "add" => a.add(&b)?,
                    "exp" => a.exp()?,
                    "matmul" => a.matmul(&b)?,
                    _ => return Err(USAGE.into()),
                }));
            }
        }
        ("ours", _) => {
            ivy::set_backend(backend)?;
            #[cfg(feature = "torch")]
            ivy::torch::tch::set_num_threads(1);
            let (a, b) = (Array::from_vec(a, shape.as_slice())?, Array::from_vec(b, shape.as_slice())?);
            for _ in 0..calls {
                let result = match workload.as_str() {
                    "add" => ivy::add(&a, &b)?,
                    "exp" => ivy::exp(&a)?,
                    "matmul" => ivy::matmul(&a, &b)?,
                    "root" => ivy::sqrt(&ivy::add(&ivy::multiply(&a, &b)?, 1.0)?)?,
                    "trace" => {
                        drop(black_box(traced(&a, &b)?));
                        continue;
                    }
                    _ => return Err(USAGE.into()),
                };
                black_box(result.to_host()?);
            }
        }
        _ => return Err(USAGE.into()),
    }
    Ok(())
}

/// The operations of the benchmark beside other systems, which are noted and not computed.
fn traced(a: &Array, b: &Array) -> ivy::Result<Array> {
    let mut v = a.clone();
    for i in 0..1000 {
        let c = i as f32;
        v = match i % 5 {
            0 => ivy::multiply(&v, c)?,
            1 => ivy::add(&v, b)?,
            2 => ivy::subtract(&v, c)?,
            3 => ivy::multiply(&v, a)?,
            _ => ivy::maximum(&v, b)?,
        };
    }
    Ok(v)
}
