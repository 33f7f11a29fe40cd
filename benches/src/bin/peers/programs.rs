//! Small programs: a step of training, and one of particles.

use super::{input, numbers};
use ivy::prelude::*;
use ivy_benches::peers::Bench;

const PARTICLES: usize = 1 << 22;
const IMAGES: usize = 1797;
const RATE: f64 = 0.5;

pub(super) fn all(bench: &Bench) -> ivy::Result<()> {
    if bench.wants("W10.step") {
        training(bench)?;
    }
    for (id, columns) in [("W11.aos", false), ("W11.soa", true)] {
        if bench.wants(id) {
            particles(bench, id, columns)?;
        }
    }
    Ok(())
}

/// Runs a call until its results are there.
fn done<const N: usize>(results: ivy::Result<[Array; N]>) -> [Array; N] {
    let results = results.expect("the workload is valid");
    ivy::wait(&results).expect("the results are computed");
    results
}

/// Weights and biases of two layers.
type Layers = [Array; 4];

/// A step of plain gradient descent over all images: the loss before it, and the layers after it.
fn step([w1, b1, w2, b2]: &Layers, x: &Array, truth: &Array) -> ivy::Result<[Array; 5]> {
    let hidden = (ivy::matmul(x, w1)? + b1).ok()?;
    let h = ivy::maximum(&hidden, 0.0)?;
    let z = (ivy::matmul(&h, w2)? + b2).ok()?;
    let shifted = (&z - ivy::max(&z, ivy::Max::new().axis(1).keepdims())?).ok()?;
    let powers = ivy::exp(&shifted)?;
    let sums = ivy::sum(&powers, ivy::Sum::new().axis(1).keepdims())?;
    let right = ivy::sum(&(&shifted * truth).ok()?, ivy::Sum::new().axis(1).keepdims())?;
    let loss = ivy::mean(&ivy::subtract(&ivy::log(&sums)?, &right)?, ())?;
    let error = ivy::divide(&(&powers / &sums - truth).ok()?, IMAGES as f64)?;
    let behind = ivy::matmul(&error, &ivy::matrix_transpose(w2)?)?;
    let behind = ivy::where_(&ivy::greater(&hidden, 0.0)?, &behind, 0.0)?;
    let to = |layer: &Array, slope: &Array| (layer - slope * RATE).ok();
    Ok([
        loss,
        to(w1, &ivy::matmul(&ivy::matrix_transpose(x)?, &behind)?)?,
        to(b1, &ivy::sum(&behind, ivy::Sum::new().axis(0))?)?,
        to(w2, &ivy::matmul(&ivy::matrix_transpose(&h)?, &error)?)?,
        to(b2, &ivy::sum(&error, ivy::Sum::new().axis(0))?)?,
    ])
}

fn training(bench: &Bench) -> ivy::Result<()> {
    let load =
        |name: &str, shape: &[usize]| input(bench.load::<f32>(name, shape.iter().product()), shape.to_vec());
    let x = load("mx.f32", &[IMAGES, 64])?;
    let fresh = [
        load("w1.f32", &[64, 128])?,
        load("b1.f32", &[128])?,
        load("w2.f32", &[128, 10])?,
        load("b2.f32", &[10])?,
    ];
    let labels = input(bench.load::<i32>("my.i32", IMAGES), [IMAGES, 1])?;
    let truth = ivy::equal(&labels, &ivy::arange(10, Dtype::INT32)?)?;
    let truth = ivy::astype(&truth, Dtype::FLOAT32)?;
    let called = |layers: &Layers| step(layers, &x, &truth);
    let compiled = ivy::compile(called);
    let get = |losses: Vec<Array>| losses.into_iter().flat_map(numbers).collect();
    bench.run_beside(
        "W10.step",
        descent(&fresh, |layers| compiled.call(layers)),
        ("called", descent(&fresh, called)),
        get,
    );
    Ok(())
}

/// Calls of a step, each on what the one before has given: the first ten losses, which are what is checked,
/// and then one at a time.
fn descent(fresh: &Layers, step: impl Fn(&Layers) -> ivy::Result<[Array; 5]>) -> impl FnMut() -> Vec<Array> {
    let (mut layers, mut begun) = (fresh.clone(), false);
    move || {
        let many = if std::mem::replace(&mut begun, true) { 1 } else { 10 };
        let next = |_| {
            let [loss, w1, b1, w2, b2] = done(step(&layers));
            layers = [w1, b1, w2, b2];
            loss
        };
        (0..many).map(next).collect()
    }
}

/// Positions and velocities of particles after a step, as rows of three or as three columns.
fn particles(bench: &Bench, id: &str, columns: bool) -> ivy::Result<()> {
    let load = |name: &str| -> ivy::Result<Array> {
        let rows = input(bench.load::<f32>(name, PARTICLES * 3), [PARTICLES, 3])?;
        if !columns {
            return Ok(rows);
        }
        let all = ivy::matrix_transpose(&rows)?.to_vec::<f32>()?;
        input(all, [3, PARTICLES])
    };
    let (p, v) = (load("a.f32")?, load("b.f32")?);
    let call = || {
        done((|| {
            let faster = ivy::multiply(&v, 0.99)?;
            Ok([ivy::add(&p, &ivy::multiply(&faster, 0.01)?)?, faster])
        })())
    };
    bench.run(id, call, |[p, _]| {
        numbers(if columns { ivy::matrix_transpose(&p).expect("a matrix") } else { p })
    });
    Ok(())
}
