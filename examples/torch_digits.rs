//! A convolutional network that learns hand-written digits in PyTorch's words, on every backend that is there: a module, a data
//! loader, an optimiser with a schedule, and a training loop, as `examples/frontends/torch_digits.py` has them. It draws the curve of
//! the losses.
//!
//! `torch_digits [BACKEND ...] [--epochs N] [--curve FILE.svg]`

use indicatif::{ProgressBar, ProgressStyle};
use ivy::backend::BackendRef;
use ivy::frontends::torch::nn::{
    self, Conv2d, CrossEntropyLoss, Dropout, Forward, Linear, MaxPool2d, Module, functional as F,
};
use ivy::frontends::torch::optim::{AdamW, Optimizer, lr_scheduler};
use ivy::frontends::torch::utils::data::{DataLoader, TensorDataset};
use ivy::frontends::torch::{self, Tensor, autograd, kw};
use ivy::prelude::*;
use ivy::s;
use std::process::ExitCode;
use std::time::Instant;

#[path = "common/curve.rs"]
mod curve;

const TRAIN: i64 = 1438;
const BATCH: usize = 64;
const EPOCHS: u64 = 20;

/// Two convolutions, max pooling, and two linear layers with dropout.
struct Network {
    conv1: Conv2d,
    conv2: Conv2d,
    pool: MaxPool2d,
    dropout: Dropout,
    hidden: Linear,
    out: Linear,
}
nn::module!(Network: conv1, conv2, pool, dropout, hidden, out);

impl Network {
    fn new() -> ivy::Result<Network> {
        Ok(Network {
            conv1: Conv2d::new(1, 16, 3, kw! { padding: 1 })?,
            conv2: Conv2d::new(16, 32, 3, kw! { padding: 1 })?,
            pool: MaxPool2d::new(2, ())?,
            dropout: Dropout::new(0.3, ())?,
            hidden: Linear::new(32 * 4 * 4, 64, ())?,
            out: Linear::new(64, 10, ())?,
        })
    }
}

impl Forward for Network {
    fn forward(&mut self, x: &Tensor) -> ivy::Result<Tensor> {
        let x = F::relu(&self.conv1.forward(x)?, ())?;
        let x = F::relu(&self.conv2.forward(&x)?, ())?;
        let x = self.pool.forward(&x)?;
        let x = self.dropout.forward(&torch::flatten(&x, kw! { start_dim: 1 })?)?;
        self.out.forward(&F::relu(&self.hidden.forward(&x)?, ())?)
    }
}

/// Images of numbers from 0 to 1, and the digits that they show.
fn digits() -> ivy::Result<[Tensor; 2]> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data");
    let images = ivy::load(format!("{folder}/digits_images.npy"))?;
    let images = ivy::astype(ivy::reshape(&images, [-1, 1, 8, 8], ())?, Dtype::FLOAT32)?;
    let labels = ivy::astype(ivy::load(format!("{folder}/digits_labels.npy"))?, Dtype::INT64)?;
    Ok([ivy::divide(images, 16.0)?.into(), labels.into()])
}

/// Images moved by a pixel or none along each axis: writers do not meet the middle.
fn moved(images: &Tensor, step: usize) -> ivy::Result<Tensor> {
    let (down, right) = ((step % 3) as i64, (step / 3 % 3) as i64);
    F::pad(images, (1, 1, 1, 1), ())?.get(s![.., .., down..down + 8, right..right + 8])
}

struct Outcome {
    backend: String,
    losses: Vec<f64>,
    right: usize,
    of: usize,
    seconds: f64,
}

fn train(backend: &BackendRef, epochs: u64, bar: &ProgressBar) -> ivy::Result<Outcome> {
    ivy::with(&Context::new().backend(backend), || {
        let start = Instant::now();
        torch::manual_seed(2, ())?;
        let [images, labels] = digits()?;
        let data = TensorDataset::new([images.get(s![..TRAIN])?, labels.get(s![..TRAIN])?])?;
        let loader = DataLoader::new(data, BATCH)?.shuffle(true);
        let mut network = Network::new()?;
        let mut optimizer = Optimizer::new(AdamW::default());
        let cycle = lr_scheduler::OneCycle::new(1e-2, epochs * loader.len() as u64 + 1);
        let mut scheduler = lr_scheduler::OneCycleLR(&mut optimizer, cycle)?;
        let criterion = CrossEntropyLoss::new(())?;
        let mut losses = Vec::new();
        for _ in 0..epochs {
            for batch in loader.iter()? {
                let [x, y] = &batch?[..] else { unreachable!("a batch has both tensors of the dataset") };
                network.zero_grad()?;
                let loss = criterion.forward(&network.forward(&moved(x, losses.len())?)?, y)?;
                autograd::backward(&[loss.ivy_array().clone()], &[], autograd::Graph::Freed, None)?;
                optimizer.step(&mut network)?;
                scheduler.step(&mut optimizer)?;
                losses.push(f64::from(loss.ivy_array().item::<f32>()?));
                bar.set_message(format!("{}: loss {:.3}", backend.name(), losses[losses.len() - 1]));
                bar.inc(1);
            }
        }
        network.eval()?;
        let logits = autograd::no_grad(|| network.forward(&images.get(s![TRAIN..])?))?;
        let predicted = torch::argmax(&logits, kw! { dim: 1 })?;
        let right = torch::eq(&predicted, &labels.get(s![TRAIN..])?, ())?;
        Ok(Outcome {
            backend: backend.name().into(),
            losses,
            right: right.to_vec::<bool>()?.into_iter().filter(|&right| right).count(),
            of: predicted.numel(),
            seconds: start.elapsed().as_secs_f64(),
        })
    })
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let (mut names, mut epochs, mut path) = (Vec::new(), EPOCHS, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--epochs" => epochs = value()?.parse().map_err(|_| "--epochs needs a whole number")?,
            "--curve" => path = Some(value()?),
            name if name.starts_with('-') => return Err(format!("there is no option {name}").into()),
            name => names.push(name.to_owned()),
        }
    }
    let backends: Vec<BackendRef> = match names.is_empty() {
        true => ivy::backend::backends().into_iter().filter_map(|b| b.instance.ok()).collect(),
        false => names.iter().map(|b| ivy::backend::backend(b)).collect::<ivy::Result<_>>()?,
    };
    let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {msg}")?;
    let steps = backends.len() as u64 * epochs * (TRAIN as u64).div_ceil(BATCH as u64);
    let bar = ProgressBar::new(steps).with_style(style);
    let outcomes =
        backends.iter().map(|backend| train(backend, epochs, &bar)).collect::<ivy::Result<Vec<_>>>()?;
    bar.finish_and_clear();
    println!("{:<8}  {:>9}  {:>8}  {:>9}  {:>8}", "BACKEND", "RIGHT", "ACCURACY", "LAST LOSS", "TIME");
    for o in &outcomes {
        let accuracy = 100.0 * o.right as f64 / o.of as f64;
        let last = o.losses.last().copied().unwrap_or(f64::NAN);
        println!(
            "{:<8}  {:>3} / {:>3}  {accuracy:>6.2} %  {last:>9.4}  {:>6.1} s",
            o.backend, o.right, o.of, o.seconds
        );
    }
    if let Some(path) = &path {
        let curves: Vec<(String, &[f64])> =
            outcomes.iter().map(|o| (o.backend.clone(), &o.losses[..])).collect();
        curve::draw(path, "Loss of the digits network", &curves)?;
        println!("the losses are drawn in {path}");
    }
    match outcomes.iter().all(|o| o.right * 100 >= o.of * 97) || epochs < EPOCHS {
        true => Ok(()),
        false => Err("fewer than 97 % of the held-out images are read rightly".into()),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("torch_digits: {error}");
            ExitCode::from(2)
        }
    }
}
