//! Trains a convolutional network on hand-written digits, on every backend that is there, by one program: on the first
//! 1438 images, tested on the other 359. It draws the curve of the losses.
//!
//! `train [BACKEND ...] [--epochs N] [--curve FILE.svg]`

use indicatif::{ProgressBar, ProgressStyle};
use ivy::backend::BackendRef;
use ivy::nn::optim::{Adam, Schedule};
use ivy::nn::{Activation, Conv2d, Dropout, Layer, Linear, Mode, Sequential};
use ivy::prelude::*;
use ivy::{Generator, LossReduction, SparseCrossEntropy, s};
use std::process::ExitCode;
use std::time::Instant;

#[path = "common/curve.rs"]
mod curve;

const TRAIN: i64 = 1438;
const BATCH: i64 = 64;

struct Options {
    backends: Vec<String>,
    epochs: u64,
    curve: Option<String>,
}

fn options() -> Result<Options, String> {
    let mut found = Options { backends: Vec::new(), epochs: 12, curve: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = |of: &str| arguments.next().ok_or(format!("{of} needs a value"));
        match argument.as_str() {
            "--epochs" => {
                let epochs = value("--epochs")?.parse();
                found.epochs = epochs.map_err(|_| "--epochs needs a whole number".to_string())?;
            }
            "--curve" => found.curve = Some(value("--curve")?),
            name if name.starts_with('-') => return Err(format!("there is no option {name}")),
            name => found.backends.push(name.into()),
        }
    }
    Ok(found)
}

struct Digits {
    images: Array,
    labels: Array,
}

/// Images of 8 by 8 numbers from 0 to 1, and the digits that they show.
fn load() -> ivy::Result<Digits> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data");
    let images = ivy::load(format!("{folder}/digits_images.npy"))?;
    let images = ivy::astype(ivy::reshape(&images, [-1, 8, 8, 1], ())?, Dtype::FLOAT32)?;
    let labels = ivy::astype(ivy::load(format!("{folder}/digits_labels.npy"))?, Dtype::INT64)?;
    Ok(Digits { images: ivy::divide(images, 16.0)?, labels })
}

fn network(generator: &mut Generator) -> ivy::Result<Sequential> {
    Ok(Sequential::new([
        Conv2d::new([3, 3], 1, 16, generator)?.into(),
        Activation::Relu.into(),
        Conv2d::new([3, 3], 16, 32, generator)?.into(),
        Activation::Relu.into(),
        Layer::MaxPool2d(2),
        Layer::Flatten,
        Dropout { probability: 0.3 }.into(),
        Linear::new(4 * 4 * 32, 64, generator)?.into(),
        Activation::Relu.into(),
        Linear::new(64, 10, generator)?.into(),
    ]))
}

/// Images moved by a pixel or none along each axis, by the number of a step: writers do not meet the middle.
fn moved(images: &Array, step: u64) -> ivy::Result<Array> {
    let (down, right) = ((step % 3) as i64, (step / 3 % 3) as i64);
    let framed = ivy::constant_pad(images, [(0, 0), (1, 1), (1, 1), (0, 0)], ())?;
    framed.get(s![.., down..down + 8, right..right + 8])
}

struct Outcome {
    backend: String,
    losses: Vec<f64>,
    right: i64,
    of: usize,
    seconds: f64,
}

fn train(backend: &BackendRef, epochs: u64, bar: &ProgressBar) -> ivy::Result<Outcome> {
    ivy::with(&Context::new().backend(backend), || {
        let start = Instant::now();
        let digits = load()?;
        let mut generator = Generator::new(2026);
        let mut model = network(&mut generator)?;
        let adam = Adam::new(0.0);
        let mut state = adam.init(&model)?;
        let batches = TRAIN / BATCH;
        let steps = epochs * batches as u64;
        let rates = Schedule::Cosine { from: 4e-3, to: 1e-4, steps }.after_warmup(10);
        let mut losses = Vec::new();
        for epoch in 0..epochs {
            let order = ivy::permutation(TRAIN as usize, ivy::Permutation::new().seed(&mut generator))?;
            for batch in 0..batches {
                let chosen = order.get(s![batch * BATCH..(batch + 1) * BATCH])?;
                let images = moved(&ivy::take(&digits.images, &chosen, Take::new().axis(0))?, state.steps)?;
                let labels = ivy::take(&digits.labels, &chosen, ())?;
                let draws = generator.fold_in(epoch * batches as u64 + batch as u64);
                let loss = |model: &Sequential| {
                    let logits = model.forward(&images, &mut Mode::Train(draws.clone()))?;
                    let params = SparseCrossEntropy::new().from_logits().reduction(LossReduction::BatchMean);
                    ivy::sparse_cross_entropy(&labels, logits, params)
                };
                let (value, gradient) = ivy::value_and_grad(loss)(&model)?;
                let rate = rates.at(state.steps);
                (model, state) = Adam { rate, ..adam }.update(&model, &gradient, &state)?;
                losses.push(f64::from(value.item::<f32>()?));
                bar.set_message(format!("{}: loss {:.3}", backend.name(), losses[losses.len() - 1]));
                bar.inc(1);
            }
        }
        let logits = model.forward(&digits.images.get(s![TRAIN..])?, &mut Mode::Eval)?;
        let predicted = ivy::argmax(&logits, ArgMax::new().axis(1))?;
        let right = ivy::count_nonzero(ivy::equal(&predicted, digits.labels.get(s![TRAIN..])?)?, ())?;
        Ok(Outcome {
            backend: backend.name().into(),
            losses,
            right: right.item()?,
            of: predicted.size(),
            seconds: start.elapsed().as_secs_f64(),
        })
    })
}

fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let backends: Vec<BackendRef> = match options.backends.is_empty() {
        true => ivy::backend::backends().into_iter().filter_map(|b| b.instance.ok()).collect(),
        false => options.backends.iter().map(|b| ivy::backend::backend(b)).collect::<ivy::Result<_>>()?,
    };
    let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {msg}")?;
    let steps = backends.len() as u64 * options.epochs * (TRAIN / BATCH) as u64;
    let bar = ProgressBar::new(steps).with_style(style);
    let mut outcomes = Vec::new();
    for backend in &backends {
        outcomes.push(train(backend, options.epochs, &bar)?);
    }
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
    if let Some(path) = &options.curve {
        let curves: Vec<(String, &[f64])> =
            outcomes.iter().map(|o| (o.backend.clone(), &o.losses[..])).collect();
        curve::draw(path, "Loss of the digits network", &curves)?;
        println!("the losses are drawn in {path}");
    }
    Ok(())
}

fn main() -> ExitCode {
    let done = options().map_err(Into::into).and_then(|options| run(&options));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("train: {error}");
            ExitCode::from(2)
        }
    }
}
