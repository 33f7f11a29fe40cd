//! What the engine takes beside its inputs: the result, and no array between; and what a program takes that trains on it.

use ivy::backend::BackendRef;
use ivy::frontends::torch::nn::{self, Forward, Linear, Module, functional as F};
use ivy::frontends::torch::optim::{Optimizer, SGD};
use ivy::frontends::torch::{Tensor, autograd};
use ivy::jit::JitBackend;
use ivy::jit::cache::Generator;
use ivy::jit::codegen::llvm::llvm;
use ivy::prelude::*;
use ivy::{Softmax, Sum, Take};
use ivy_tests::counted::{Counted, LIVE, PEAK};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[global_allocator]
static WATCHING: Counted = Counted(|_| false);

const ROWS: usize = 2048;
const COLUMNS: usize = 1024;
const ARRAY: usize = ROWS * COLUMNS * 4;
/// Kernels' texts, lists of what a launch needs, rows that are worked on.
const SLACK: usize = 2 << 20;

/// One test at a time: all threads share the counts.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The engine with either code generator, and its name.
fn engines() -> [(&'static str, Context); 2] {
    let llvm = llvm().unwrap_or_else(|missing| panic!("these tests need a libLLVM: {missing}"));
    [Generator::Interp, Generator::Llvm(llvm)].map(|generator| (generator.name(), engine(generator)))
}

/// The bytes that were live at once while an array was computed, beside those before.
fn peak(make: impl FnOnce() -> ivy::Result<Array>) -> ivy::Result<usize> {
    let before = LIVE.load(Relaxed);
    PEAK.store(before, Relaxed);
    let made = make()?;
    made.to_host()?;
    Ok(PEAK.load(Relaxed) - before)
}

#[test]
fn a_fused_expression_takes_its_result() -> ivy::Result<()> {
    let _alone = alone();
    // What the pool gives again would not be seen.
    ivy::host::set_pool_limit(0);
    let engines = engines();
    for (place, engine) in &engines {
        ivy::with(engine, || -> ivy::Result<()> {
            let values = |seed: usize| (0..ROWS * COLUMNS).map(move |i| ((i * seed) % 1021) as f32 / 100.0);
            let [x, y] = [3, 7].map(|seed| Array::from_vec(values(seed).collect(), [ROWS, COLUMNS]));
            let (x, y) = (x?, y?);
            let holds = |what: &str, taken: usize, result: usize| {
                assert!(taken <= result + SLACK, "{place} {what}: {taken} bytes, the result has {result}");
                // Or the test watches nothing.
                assert!(taken >= result, "{place} {what}: {taken} bytes, the result has {result}");
            };
            let fused = peak(|| ivy::add(ivy::multiply(ivy::sqrt(&x * &x + &y * &y)?, 0.5)?, ivy::sin(&x)?))?;
            holds("element by element", fused, ARRAY);
            let sum = peak(|| ivy::sum(ivy::exp(&x * &y)?, Sum::new().axis(1)))?;
            holds("row sums", sum, ROWS * 4);
            let softmax = peak(|| ivy::softmax(&x - &y, Softmax::new().axis(1)))?;
            holds("softmax", softmax, ARRAY);
            let views = peak(|| ivy::add(&x, ivy::flip(&x, ())?))?;
            holds("views", views, ARRAY);
            let rows = Array::from_vec((0..ROWS as i64).map(|i| i * 7 % 100 - 50).collect(), [ROWS])?;
            let taken = peak(|| ivy::sqrt(ivy::take(&x, &rows, Take::new().axis(0))?))?;
            holds("rows at indices", taken, ARRAY);
            // Iterations one after the other: what one begins with, and what it gives; nothing of those before.
            let iteration = |_: &Array, x: &Array| {
                let wide = ivy::zero_pad(x, (1, 1))?;
                let part = |i| wide.get(ivy::s![i..i + ROWS as i64, 1..-1]);
                ivy::add(ivy::multiply(ivy::add(part(0)?, part(2)?)?, 0.5)?, ivy::max(x, ())?)
            };
            let [few, many] =
                [8, 64].map(|iterations| peak(|| ivy::for_loop(0..iterations, iteration, x.clone())));
            let (few, many) = (few?, many?);
            holds("iterations of a loop", few, 2 * ARRAY + SLACK);
            assert!(many <= few + SLACK / 4, "{place}: {few} bytes in 8 iterations, {many} in 64");
            Ok(())
        })?;
    }
    on_the_same_memory(&engines[1].1)
}

/// An engine that keeps nothing on disk: to tidy a full folder up takes memory as well.
fn engine(generator: Generator) -> Context {
    Context::new().backend(BackendRef::new(JitBackend::new(generator)))
}

/// What has no kernel of its own in the engine: reads an array where it is, and takes no more than the
/// reference does. Of pending work, it takes the array that it makes of it besides, and what waits for
/// that.
fn on_the_same_memory(engine: &Context) -> ivy::Result<()> {
    const N: usize = 1 << 18;
    type Work = fn(&Array) -> ivy::Result<Array>;
    let all: [(&str, Work); 6] = [
        ("sort", |x| ivy::sort(x, ())),
        ("argsort", |x| ivy::argsort(x, ())),
        ("unique", |x| ivy::unique_values(x)),
        ("compaction", |x| x.get(ivy::s![ivy::greater(x, 5.0)?])),
        ("nonzero", |x| Ok(ivy::nonzero(x)?.remove(0))),
        ("running sums", |x| ivy::cumulative_sum(x, ())),
    ];
    let values: Vec<f32> = (0..N).map(|i| ((i * 3) % 1021) as f32 / 100.0).collect();
    let on = |place: &Context, work: Work, pending: bool| {
        ivy::with(place, || -> ivy::Result<usize> {
            let x = Array::from_vec(values.clone(), [N])?;
            peak(|| if pending { work(&ivy::add(&x, &x)?) } else { work(&x) })
        })
    };
    let reference_backend = Context::new().backend(ivy::backend::backend("ndarray")?);
    for (what, work) in all {
        let reference = on(&reference_backend, work, false)?;
        assert!(reference >= N, "{what}: {reference}");
        for (pending, more) in [(false, 0), (true, N * 8)] {
            let taken = on(engine, work, pending)?;
            let most = reference + more + SLACK / 4;
            assert!(taken <= most, "{what}, pending {pending}: {taken} bytes, {reference} by the reference");
        }
    }
    Ok(())
}

struct Network {
    hidden: Linear,
    out: Linear,
}
nn::module!(Network: hidden, out);

impl Forward for Network {
    fn forward(&mut self, x: &Tensor) -> ivy::Result<Tensor> {
        self.out.forward(&F::relu(&self.hidden.forward(x)?, ())?)
    }
}

/// Ten thousand steps, each with other numbers; the loss is read now and then, as programs do.
#[test]
fn training_takes_no_more_with_each_step() -> ivy::Result<()> {
    const SLACK: usize = 16 << 10;
    let _alone = alone();
    let [_, (_, engine)] = engines();
    let live = ivy::with(&engine, || -> ivy::Result<Vec<usize>> {
        let mut network = Network { hidden: Linear::new(4, 8, ())?, out: Linear::new(8, 1, ())? };
        let mut optimizer = Optimizer::new(SGD { lr: 1e-2, momentum: 0.9, ..SGD::default() });
        let mut live = Vec::new();
        for step in 1..=10_000 {
            let numbers =
                |seed: usize| (0..16).map(|i| ((step * seed + i) % 17) as f32 / 8.0 - 1.0).collect();
            let x = Tensor::from(Array::from_vec(numbers(5), [4, 4])?);
            let y = Array::from_vec(numbers(3), [16])?;
            let y = Tensor::from(ivy::reshape(y.get(ivy::s![..4])?, [4, 1], ())?);
            network.zero_grad()?;
            let loss = F::mse_loss(&network.forward(&x)?, &y, ())?.into_ivy_array();
            autograd::backward(std::slice::from_ref(&loss), &[], autograd::Graph::Freed, None)?;
            optimizer.step(&mut network)?;
            if step % 1000 == 0 {
                assert!(loss.item::<f32>()?.is_finite());
                drop(loss);
                live.push(LIVE.load(Relaxed));
            }
        }
        Ok(live)
    })?;
    // What is kept for each kernel and plan is there after the first thousand.
    let (least, most) = (live[1..].iter().min(), live[1..].iter().max());
    assert!(most.zip(least).is_some_and(|(most, least)| most - least < SLACK), "{live:?}");
    Ok(())
}
