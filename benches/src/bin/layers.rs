//! Layers and a training step on a backend, which `layers.py` times with PyTorch and JAX as well: `layers PLACE [NAME]`.
//! Prints one JSON line a workload: name and seconds of each run. Threads by RAYON_NUM_THREADS.

use ivy::prelude::*;
use ivy::{Attention, Conv, LayerNorm, SparseCrossEntropy};
use ivy_benches::uniform;
use std::time::Instant;

/// Runs that are not counted, and those that are.
const RUNS: [usize; 2] = [3, 15];

fn data(shape: &[usize], seed: u64) -> ivy::Result<Array> {
    Array::from_vec(uniform(shape.iter().product(), seed), shape)
}

/// A workload: what is computed of arrays that are there.
type Work = Box<dyn Fn() -> ivy::Result<Vec<Array>>>;

fn conv() -> ivy::Result<Work> {
    let (x, w) = (data(&[8, 64, 56, 56], 1)?, data(&[64, 64, 3, 3], 2)?);
    let formats = || {
        Conv::new().data_format(ivy::DataFormat::ChannelFirst).filter_format(ivy::FilterFormat::ChannelFirst)
    };
    Ok(Box::new(move || Ok(vec![ivy::conv2d(&x, &w, 1, ivy::Padding::Same, formats())?])))
}

/// The gradient of a convolution by its filters, as a sum of the results with weights has it.
fn conv_by_filters() -> ivy::Result<Work> {
    let (x, w) = (data(&[8, 16, 32, 32], 1)?, data(&[32, 16, 3, 3], 2)?);
    let weight = data(&[8, 32, 32, 32], 3)?;
    Ok(Box::new(move || {
        let loss = |w: &Array| {
            let formats = Conv::new()
                .data_format(ivy::DataFormat::ChannelFirst)
                .filter_format(ivy::FilterFormat::ChannelFirst);
            ivy::sum(ivy::multiply(ivy::conv2d(&x, w, 1, ivy::Padding::Same, formats)?, &weight)?, ())
        };
        Ok(vec![ivy::grad(loss)(&w)?])
    }))
}

/// A product of 400 x 400 matrices of a dtype.
fn product(dtype: Dtype) -> ivy::Result<Work> {
    let [a, b] = [1, 2].map(|seed| ivy::astype(data(&[400, 400], seed)?, dtype));
    let (a, b) = (a?, b?);
    Ok(Box::new(move || Ok(vec![ivy::matmul(&a, &b)?])))
}

/// A function along the rows of a matrix, or its gradient.
fn along_rows(f: fn(&Array) -> ivy::Result<Array>, gradient: bool) -> ivy::Result<Work> {
    let x = ivy::add(data(&[1000, 1000], 1)?, 1.0)?;
    Ok(Box::new(move || {
        Ok(vec![if gradient { ivy::grad(|x: &Array| ivy::sum(f(x)?, ()))(&x)? } else { f(&x)? }])
    }))
}

fn greatest(x: &Array) -> ivy::Result<Array> {
    ivy::max(x, ivy::Max::new().axis(1))
}

fn running_product(x: &Array) -> ivy::Result<Array> {
    ivy::cumprod(x, ivy::Cumprod::new().axis(1))
}

fn attention() -> ivy::Result<Work> {
    let [q, k, v] = [1, 2, 3].map(|seed| data(&[1, 8, 512, 64], seed));
    let (q, k, v) = (q?, k?, v?);
    Ok(Box::new(move || Ok(vec![ivy::scaled_dot_product_attention(&q, &k, &v, Attention::new())?])))
}

fn batched_product(by_equation: bool) -> ivy::Result<Work> {
    let (a, b) = (data(&[16, 256, 256], 1)?, data(&[16, 256, 256], 2)?);
    Ok(Box::new(move || {
        Ok(vec![if by_equation { ivy::einsum("bij,bjk->bik", [&a, &b])? } else { ivy::matmul(&a, &b)? }])
    }))
}

fn layer_norm() -> ivy::Result<Work> {
    let operands = vec![data(&[4096, 1024], 1)?, data(&[1024], 2)?, data(&[1024], 3)?];
    let weight = data(&[4096, 1024], 4)?;
    Ok(Box::new(move || {
        let loss = |x: &Vec<Array>| {
            let params = LayerNorm::new().scale(&x[1]).offset(&x[2]);
            ivy::sum(ivy::multiply(ivy::layer_norm(&x[0], -1, params)?, &weight)?, ())
        };
        let (value, mut gradient) = ivy::value_and_grad(loss)(&operands)?;
        gradient.push(value);
        Ok(gradient)
    }))
}

/// The parameters of the digits network of `examples/train.rs`.
fn network() -> ivy::Result<Vec<Array>> {
    let shapes: [&[usize]; 8] =
        [&[3, 3, 1, 16], &[16], &[3, 3, 16, 32], &[32], &[512, 64], &[64], &[64, 10], &[10]];
    shapes.iter().zip(1..).map(|(shape, seed)| ivy::multiply(data(shape, seed)?, 0.1)).collect()
}

fn step(model: &[Array], x: &Array, y: &Array) -> ivy::Result<Vec<Array>> {
    let loss = |m: &Vec<Array>| {
        let mut h = x.clone();
        for layer in [0, 2] {
            let convolved =
                ivy::conv2d(&h, &m[layer], 1, ivy::Padding::Same, Conv::new().bias(&m[layer + 1]))?;
            h = ivy::relu(convolved, ())?;
        }
        let flat = ivy::reshape(ivy::max_pool2d(&h, 2, 2, ivy::Padding::Valid, ())?, [-1, 512], ())?;
        let hidden = ivy::relu(ivy::add(ivy::matmul(flat, &m[4])?, &m[5])?, ())?;
        let logits = ivy::add(ivy::matmul(hidden, &m[6])?, &m[7])?;
        ivy::sparse_cross_entropy(y, logits, SparseCrossEntropy::new().from_logits())
    };
    let (_, gradient) = ivy::value_and_grad(loss)(&model.to_vec())?;
    model.iter().zip(&gradient).map(|(w, g)| ivy::subtract(w, ivy::multiply(g, 0.05)?)).collect()
}

fn training(compiled: bool) -> ivy::Result<Work> {
    let (model, x) = (network()?, data(&[64, 8, 8, 1], 9)?);
    let y = ivy::astype(ivy::remainder(ivy::arange(64, ())?, 10)?, Dtype::INT64)?;
    if !compiled {
        return Ok(Box::new(move || step(&model, &x, &y)));
    }
    let step = ivy::compile(move |m: &Vec<Array>| step(m, &x, &y));
    Ok(Box::new(move || step.call(&model)))
}

fn main() -> ivy::Result<()> {
    let mut arguments = std::env::args().skip(1);
    ivy::set_backend(arguments.next().as_deref().unwrap_or("jit"))?;
    let only = arguments.next();
    let works = [
        ("conv2d 3x3 of 8x64x56x56", conv()?),
        ("conv2d 3x3 of 8x16x32x32, gradient by the filters", conv_by_filters()?),
        ("matmul, 400x400 of float64", product(Dtype::FLOAT64)?),
        ("matmul, 400x400 of complex128", product(Dtype::COMPLEX128)?),
        ("greatest of rows, 1000x1000", along_rows(greatest, false)?),
        ("greatest of rows, 1000x1000, gradient", along_rows(greatest, true)?),
        ("cumprod of rows, 1000x1000", along_rows(running_product, false)?),
        ("cumprod of rows, 1000x1000, gradient", along_rows(running_product, true)?),
        ("attention, 8 heads of 512x64", attention()?),
        ("einsum bij,bjk->bik, 16x256x256", batched_product(true)?),
        ("matmul, 16x256x256", batched_product(false)?),
        ("layer norm forward and backward, 4096x1024", layer_norm()?),
        ("training step of the digits network", training(false)?),
        ("training step of the digits network, compiled", training(true)?),
    ];
    for (name, work) in works {
        if only.as_deref().is_some_and(|o| o != name) {
            continue;
        }
        let time = || -> ivy::Result<f64> {
            let start = Instant::now();
            for result in work()? {
                result.to_host()?;
            }
            Ok(start.elapsed().as_secs_f64())
        };
        let times = (0..RUNS.iter().sum()).map(|_| time()).collect::<ivy::Result<Vec<f64>>>()?;
        println!("{}", serde_json::json!({"name": name, "seconds": times[RUNS[0]..]}));
    }
    Ok(())
}
