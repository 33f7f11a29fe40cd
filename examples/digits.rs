//! Recognises hand-written digits on every backend that is there, by one program.
//!
//! Two classifiers, trained on the first 1438 images and tested on the other 359: the nearest
//! neighbour on the raw values, and softmax regression on standardised ones.

use indicatif::{ProgressBar, ProgressStyle};
use ivy::backend::BackendRef;
use ivy::prelude::*;
use ivy::s;
use std::time::Instant;

const TRAIN: i64 = 1438;
const STEPS: u64 = 300;
const RATE: f64 = 0.5;

struct Digits {
    images: Array,
    labels: Array,
}

struct Score {
    classifier: &'static str,
    backend: String,
    dtypes: String,
    right: i64,
    of: usize,
    seconds: f64,
}

fn load() -> ivy::Result<Digits> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data");
    let images = ivy::load(format!("{folder}/digits_images.npy"))?;
    let labels = ivy::load(format!("{folder}/digits_labels.npy"))?;
    let images = ivy::astype(ivy::reshape(&images, [-1, 64], ())?, Dtype::FLOAT32)?;
    Ok(Digits { images, labels })
}

/// The label of the nearest training image: squared distances as |a|^2 + |b|^2 - 2 a.b, exact
/// in float32 since all values are small integers.
fn nearest_neighbour(digits: &Digits) -> ivy::Result<Array> {
    let (train, test) = (digits.images.get(s![..TRAIN])?, digits.images.get(s![TRAIN..])?);
    let norms = |x: &Array| ivy::sum(ivy::square(x), Sum::new().axis(1));
    let products = ivy::matmul(&test, ivy::matrix_transpose(&train))?;
    let distances = (norms(&test)?.get(s![.., New])? + norms(&train)? - 2 * &products).ok()?;
    ivy::take(digits.labels.get(s![..TRAIN])?, ivy::argmin(&distances, ArgMin::new().axis(1)), ())
}

/// Softmax regression by gradient descent on all training images at once.
fn softmax_regression(digits: &Digits, bar: &ProgressBar) -> ivy::Result<Array> {
    let (train, test) = (digits.images.get(s![..TRAIN])?, digits.images.get(s![TRAIN..])?);
    let mean = ivy::mean(&train, Mean::new().axis(0))?;
    let std = ivy::std(&train, Var::new().axis(0))?;
    let std = ivy::where_(ivy::equal(&std, 0), 1, &std)?;
    let standardise = |x: &Array| ((x - &mean) / &std).ok();
    let (x, test) = (standardise(&train)?, standardise(&test)?);
    let classes = ivy::arange(10, Dtype::UINT8)?;
    let truth = ivy::equal(digits.labels.get(s![..TRAIN, New])?, &classes)?;
    let truth = ivy::astype(&truth, Dtype::FLOAT32)?;
    let transposed = ivy::matrix_transpose(&x)?;
    let mut weights = ivy::zeros([64, 10], ())?;
    let mut bias = ivy::zeros([10], ())?;
    for _ in 0..STEPS {
        let error = (ivy::softmax((ivy::matmul(&x, &weights)? + &bias).ok()?, ())? - &truth).ok()?;
        weights = (&weights - ivy::matmul(&transposed, &error)? * (RATE / TRAIN as f64)).ok()?;
        bias = (&bias - ivy::mean(&error, Mean::new().axis(0))? * RATE).ok()?;
        bar.inc(1);
    }
    ivy::argmax((ivy::matmul(&test, &weights)? + &bias).ok()?, ArgMax::new().axis(1))
}

fn count_right(digits: &Digits, predicted: &Array) -> ivy::Result<i64> {
    let truth = digits.labels.get(s![TRAIN..])?;
    ivy::count_nonzero(ivy::equal(predicted, &truth), ())?.item()
}

fn score(backend: &BackendRef, bar: &ProgressBar) -> ivy::Result<Vec<Score>> {
    ivy::with(&Context::new().backend(backend), || {
        let digits = load()?;
        let mut scores = Vec::new();
        type Classifier<'a> = (&'static str, Box<dyn Fn() -> ivy::Result<Array> + 'a>);
        let classifiers: [Classifier<'_>; 2] = [
            ("nearest neighbour", Box::new(|| nearest_neighbour(&digits))),
            ("softmax regression", Box::new(|| softmax_regression(&digits, bar))),
        ];
        for (classifier, predict) in classifiers {
            bar.set_message(format!("{classifier} on {}", backend.name()));
            let start = Instant::now();
            let predicted = predict()?;
            let right = count_right(&digits, &predicted)?;
            scores.push(Score {
                classifier,
                backend: backend.name().into(),
                dtypes: format!("{} -> {}", digits.images.dtype(), predicted.dtype()),
                right,
                of: predicted.size(),
                seconds: start.elapsed().as_secs_f64(),
            });
            bar.inc(1);
        }
        Ok(scores)
    })
}

fn main() -> ivy::Result<()> {
    let backends: Vec<BackendRef> =
        ivy::backend::backends().into_iter().filter_map(|b| b.instance.ok()).collect();
    let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {msg}").expect("a valid template");
    let bar = ProgressBar::new(backends.len() as u64 * (STEPS + 2)).with_style(style);
    let mut scores = Vec::new();
    for backend in &backends {
        scores.extend(score(backend, &bar)?);
    }
    bar.finish_and_clear();
    println!(
        "{:<18}  {:<8}  {:<18}  {:>9}  {:>8}  {:>8}",
        "CLASSIFIER", "BACKEND", "DTYPES", "RIGHT", "ACCURACY", "TIME"
    );
    scores.sort_by_key(|s| s.classifier);
    for s in &scores {
        let accuracy = 100.0 * s.right as f64 / s.of as f64;
        println!(
            "{:<18}  {:<8}  {:<18}  {:>3} / {:>3}  {accuracy:>6.2} %  {:>6.2} s",
            s.classifier, s.backend, s.dtypes, s.right, s.of, s.seconds
        );
    }
    Ok(())
}
