//! Compiled functions: the same results as the functions on every backend, replayed where the backend
//! records, called where what they do cannot be recorded.

use ivy::backend::{Backend, BackendRef};
use ivy::jit::JitBackend;
use ivy::jit::cache::Generator;
use ivy::jit::codegen::llvm::llvm;
use ivy::jit::engine::{Counters, Engine, Settings};
use ivy::jit::runtime::cuda::Kept;
use ivy::prelude::*;
use ivy::{ErrorKind, Expr, s};
use proptest::prelude::*;
use std::cell::Cell;
use std::sync::Arc;

fn engine() -> Arc<Engine> {
    let backend = ivy::context::current_backend().unwrap();
    let jit = Backend::as_any(&*backend).downcast_ref::<JitBackend>().expect("a place of the engine");
    jit.engine().clone()
}

/// On an engine of its own, by each generator; on a device where `IVY_CUDA` names a driver.
fn recorded(f: impl Fn() -> ivy::Result<()>) {
    let llvm = llvm().unwrap_or_else(|missing| panic!("these tests need a libLLVM: {missing}"));
    for generator in [Generator::Interp, Generator::Llvm(llvm)] {
        let own = Context::new().backend(BackendRef::new(JitBackend::new(generator)));
        ivy::with(&own, || f().unwrap_or_else(|error| panic!("{}: {error}", generator.name())));
    }
    if let Ok(place) = ivy::backend::backend("jit:cuda") {
        let jit = Backend::as_any(&*place).downcast_ref::<JitBackend>().expect("a place of the engine");
        let device = jit.engine().device().expect("a device").clone();
        let own = JitBackend::on_device(Arc::new(Kept::new(device)));
        let own = Context::new().backend(BackendRef::new(own));
        ivy::with(&own, || f().unwrap_or_else(|error| panic!("jit:cuda: {error}")));
    }
}

fn floats(n: usize, seed: usize) -> ivy::Result<Array> {
    Array::from_vec((0..n).map(|i| ((i * 7 + seed * 3) % 41) as f32 * 0.25 - 4.0).collect::<Vec<f32>>(), n)
}

fn root(x: &Array, y: &Array) -> ivy::Result<Array> {
    ivy::sqrt(&ivy::add(&ivy::multiply(x, y)?, 20.0)?)
}

fn bits(x: &Array) -> Vec<u32> {
    x.to_vec::<f32>().unwrap().into_iter().map(f32::to_bits).collect()
}

/// What was done since.
fn since(before: Counters) -> (u64, u64, u64) {
    let now = engine().counters();
    (now.nodes - before.nodes, now.launches - before.launches, now.compiled - before.compiled)
}

#[test]
fn every_backend_gives_the_functions_results() {
    for place in ["ndarray", "candle", "jit:interp", "jit:llvm"] {
        ivy::with_backend(place, || {
            let f = ivy::compile(|[x, y]: &[Array; 2]| root(x, y));
            for seed in 0..4 {
                let [x, y] = [floats(50, seed)?, floats(50, seed + 1)?];
                assert_eq!(bits(&f.call(&[x.clone(), y.clone()])?), bits(&root(&x, &y)?), "{place}");
            }
            assert_eq!(f.recordings(), usize::from(place.starts_with("jit")), "{place}");
            Ok::<_, ivy::Error>(())
        })
        .unwrap()
        .unwrap();
    }
}

#[test]
fn a_second_call_notes_nothing_and_another_size_is_recorded_anew() {
    recorded(|| {
        let calls = Cell::new(0);
        let f = ivy::compile(|[x, y]: &[Array; 2]| {
            calls.set(calls.get() + 1);
            root(x, y)
        });
        for (n, seed) in [(64, 0), (64, 1), (64, 2), (100, 0), (64, 3), (100, 4)] {
            let arguments = [floats(n, seed)?, floats(n, seed + 5)?];
            let want = bits(&root(&arguments[0], &arguments[1])?);
            let (before, known) = (engine().counters(), calls.get());
            let result = f.call(&arguments)?;
            let (nodes, launches, compiled) = since(before);
            if calls.get() == known {
                assert_eq!((nodes, launches, compiled), (0, 1, 0));
            }
            assert_eq!(bits(&result), want);
            // Reading is no launch: it is computed.
            assert_eq!(since(before).1, 1);
        }
        assert_eq!((calls.get(), f.recordings()), (2, 2));
        // Another dtype, another order in memory.
        let doubles = [floats(64, 0)?, floats(64, 1)?].map(|x| ivy::astype(&x, Dtype::FLOAT64).unwrap());
        f.call(&doubles)?;
        let reversed = [floats(64, 0)?.get(s![..;-1])?, floats(64, 1)?];
        assert_eq!(bits(&f.call(&reversed)?), bits(&root(&reversed[0], &reversed[1])?));
        assert_eq!((calls.get(), f.recordings()), (4, 4));
        Ok(())
    });
}

/// Small pads and rolls, which are copied at once where nothing is recorded, are in the kernels of what is.
#[test]
fn small_pads_and_rolls_are_noted() {
    recorded(|| {
        let waited = Cell::new([false; 2]);
        let of = |x: &Array| {
            let [padded, rolled] = [ivy::zero_pad(x, (1, 2))?, ivy::roll(x, 1, ())?];
            waited.set([&padded, &rolled].map(|y| JitBackend::variable(y).is_some_and(|v| v.is_pending())));
            ivy::sqrt(&ivy::add(&padded.get(s![1..-2])?, &ivy::multiply(&rolled, &rolled)?)?)
        };
        let (f, x) = (ivy::compile(of), floats(300, 1)?);
        let plain = bits(&of(&x)?);
        assert_eq!(waited.get(), [engine().device().is_some(); 2]);
        for _ in 0..2 {
            assert_eq!(bits(&f.call(&x)?), plain);
            assert_eq!(waited.get(), [true; 2]);
        }
        assert_eq!(f.recordings(), 1);
        Ok(())
    });
}

#[test]
fn switches_and_contexts_are_part_of_it() {
    recorded(|| {
        let calls = Cell::new(0);
        let f = ivy::compile(|x: &Array| {
            calls.set(calls.get() + 1);
            ivy::multiply(x, &ivy::ones([3], ())?)
        });
        let x = floats(3, 1)?;
        let engine = engine();
        for (i, settings) in [
            Settings::default(),
            Settings { fusion: false, ..Settings::default() },
            Settings { replay: false, ..Settings::default() },
        ]
        .into_iter()
        .enumerate()
        {
            let before = engine.set_settings(settings);
            for _ in 0..3 {
                assert_eq!(bits(&f.call(&x)?), bits(&x));
            }
            engine.set_settings(before);
            // Without the switch it is called each time.
            assert_eq!(calls.get(), [1, 2, 5][i]);
        }
        ivy::with(
            &Context::new().defaults(ivy::Defaults { float: Some(Dtype::FLOAT64), ..Default::default() }),
            || {
                let on = ivy::context::scope(&ivy::context::current().backend(x.backend()));
                assert_eq!(f.call(&x)?.dtype(), Dtype::FLOAT64);
                drop(on);
                Ok::<_, ivy::Error>(())
            },
        )?;
        assert_eq!(f.call(&x)?.dtype(), Dtype::FLOAT32);
        assert_eq!((calls.get(), f.recordings()), (6, 3));
        Ok(())
    });
}

#[test]
fn views_folds_loops_and_several_results_are_replayed() {
    recorded(|| {
        let (weights, row) = (floats(6, 9)?, floats(48, 2)?);
        let f = ivy::compile(|x: &Array| {
            let m = ivy::reshape(x, [4, 6], ())?;
            let soft = ivy::softmax(&m, ())?;
            // Rows long enough for a program over them.
            let wide = ivy::softmax(&ivy::multiply(&ivy::reshape(x, [24, 1], ())?, &row)?, ())?;
            let turned = ivy::permute_dims(&m, [1, 0])?;
            let total = ivy::sum(&ivy::multiply(&m, &weights)?, Sum::new().axis(1))?;
            let [count, _] = ivy::while_loop(
                |[_, v]| ivy::less(v, 30.0),
                |[n, v]| Ok([(n + 1).ok()?, (v * 2.0 + 5.0).ok()?]),
                [ivy::asarray(0i32, ())?, m.clone()],
            )?;
            let ahead = m.get(s![1..;2, ..;-1])?;
            Ok(vec![soft, wide, turned, total, count, ahead, x.clone(), weights.clone(), ivy::ones([2], ())?])
        });
        for seed in 0..4 {
            let x = floats(24, seed)?;
            let (before, got) = (engine().counters(), f.call(&x)?);
            if seed > 0 {
                assert_eq!(since(before).0, 0);
            }
            let plain = ivy::compile(|x: &Array| {
                // Reading it ends the recording: this one is called.
                x.get(s![0])?.item::<f32>()?;
                Ok(x.clone())
            });
            plain.call(&x)?;
            assert_eq!(plain.recordings(), 0);
            let want = {
                let engine = engine();
                let before = engine.set_settings(Settings { replay: false, ..Settings::default() });
                let want = f.call(&x)?;
                engine.set_settings(before);
                want
            };
            for (i, (got, want)) in got.iter().zip(&want).enumerate() {
                assert_eq!((got.dtype(), got.shape()), (want.dtype(), want.shape()), "{i}");
                let [got, want] = [got, want].map(|x| ivy::astype(x, Dtype::FLOAT32).unwrap());
                assert_eq!(bits(&got), bits(&want), "result {i} of {seed}");
            }
        }
        assert_eq!(f.recordings(), 1);
        Ok(())
    });
}

#[test]
fn what_cannot_be_recorded_is_called() {
    type Body = fn(&Array) -> ivy::Result<Array>;
    let bodies: [(&str, Body); 6] = [
        ("item", |x| if x.get(s![0])?.item::<f32>()? > 0.0 { (x + 1.0).ok() } else { (x - 1.0).ok() }),
        ("of a result", |x| {
            let large = ivy::max(x, ())?.item::<f32>()? > 3.0;
            if large { ivy::negative(x) } else { Ok(x.clone()) }
        }),
        ("shapes by elements", |x| x.get(s![ivy::greater(x, 0.0)?])),
        ("printing", |x| (x + x.to_string().len() as f32).ok()),
        ("another thread", |x| {
            let first = std::thread::scope(|scope| {
                scope.spawn(|| ivy::multiply(x, 2.0)?.get(s![1])?.item::<f32>()).join().expect("no panic")
            })?;
            (x * first).ok()
        }),
        ("another thread's evaluation", |x| {
            let twice = std::thread::scope(|scope| {
                let twice = || {
                    let y = ivy::multiply(x, 2.0)?;
                    y.backend().evaluate(std::slice::from_ref(y.value()))?;
                    Ok::<_, ivy::Error>(y)
                };
                scope.spawn(twice).join().expect("no panic")
            })?;
            (x * &twice).ok()
        }),
    ];
    recorded(|| {
        for (what, body) in bodies {
            let f = ivy::compile(|x: &Array| body(x));
            for seed in [0, 3, 11, 5] {
                let x = floats(20, seed)?;
                assert_eq!(bits(&f.call(&x)?), bits(&body(&x)?), "{what}");
            }
            assert_eq!(f.recordings(), 0, "{what}");
        }
        // Kernels of the host that give as many elements as these say.
        let values = ivy::compile(|x: &Array| ivy::unique_values(x));
        values.call(&floats(16, 1)?)?;
        assert_eq!(values.recordings(), 0);
        // Results on another backend, and none of its own.
        let apart = ivy::compile(|x: &Array| x.to_backend(&ivy::backend::backend("ndarray")?));
        assert_eq!(apart.call(&floats(3, 0)?)?.backend().name(), "ndarray");
        let error = ivy::compile(|x: &Array| ivy::reshape(x, [7], ())).call(&floats(3, 0)?).map(drop);
        assert!(error.unwrap_err().to_string().contains("reshape"));
        Ok(())
    });
}

/// Launches, products of matrices, sorting, scatters and running sums, one after the other.
fn mixed(x: &Array) -> ivy::Result<[Array; 4]> {
    let product = ivy::matmul(&ivy::add(x, 1.0)?, &ivy::matrix_transpose(x)?)?;
    let sorted = ivy::sort(&ivy::negative(&product)?, ())?;
    let order = ivy::argsort(&product, ())?;
    let sums = ivy::cumulative_sum(&ivy::abs(&sorted)?, ivy::CumulativeSum::new().axis(1))?;
    let put = ivy::scatter_nd(
        &ivy::reshape(&order, [-1, 1], ())?,
        &ivy::reshape(&sums, [-1], ())?,
        ivy::ScatterNd::new().shape([6]),
    )?;
    Ok([ivy::multiply(&put, 2.0)?, product, sorted, ivy::max(&sums, ())?])
}

#[test]
fn kernels_of_the_host_are_steps_among_launches() {
    recorded(|| {
        let f = ivy::compile(mixed);
        for seed in 0..5 {
            let x = ivy::reshape(&floats(24, seed)?, [6, 4], ())?;
            let before = engine().counters();
            let got = f.call(&x)?;
            // A device sorts by kernels of its own, which look at elements.
            assert!(
                seed == 0 || since(before).0 <= 4 || engine().device().is_some(),
                "only the results are nodes"
            );
            for (got, want) in got.iter().zip(&mixed(&x)?) {
                assert_eq!((bits(got), got.shape()), (bits(want), want.shape()));
            }
        }
        assert_eq!(f.recordings(), usize::from(engine().device().is_none()));
        // What a step refuses, the function does; and what does not fit, at once.
        let put = ivy::compile(|[i, x]: &[Array; 2]| ivy::scatter_nd(i, x, ivy::ScatterNd::new().shape([5])));
        let places = |last: i64| ivy::reshape(&Array::from_vec(vec![0, 3, last], 3)?, [3, 1], ());
        for last in [1, 4] {
            let x = floats(3, 1)?;
            let want = ivy::scatter_nd(&places(last)?, &x, ivy::ScatterNd::new().shape([5]))?;
            assert_eq!(bits(&put.call(&[places(last)?, x])?), bits(&want));
        }
        assert_eq!(put.recordings(), 1);
        let error = put.call(&[places(5)?, floats(3, 1)?]).and_then(|x| x.to_host().map(drop)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::IndexOutOfRange { index: 5, .. }), "{error}");
        let x = ivy::reshape(&floats(6, 1)?, [2, 3], ())?;
        let wrong = ivy::compile(|x: &Array| ivy::matmul(x, x)).call(&x).map(drop).unwrap_err();
        assert_eq!(format!("{:?}", wrong.kind()), format!("{:?}", ivy::matmul(&x, &x).unwrap_err().kind()));
        // Without the switch it is called each time.
        let engine = engine();
        engine.set_settings(Settings { deferred: false, ..Settings::default() });
        let f = ivy::compile(mixed);
        let x = ivy::reshape(&floats(24, 3)?, [6, 4], ())?;
        for _ in 0..2 {
            assert_eq!(bits(&f.call(&x)?[0]), bits(&mixed(&x)?[0]));
        }
        assert_eq!(f.recordings(), 0);
        Ok(())
    });
}

/// A device's products are its own, where nothing may go to the host as well: steps of the recording, and bits.
#[test]
fn products_of_matrices_are_steps_without_transfers() {
    recorded(|| {
        let allowed = engine().set_transfers(false);
        let f = ivy::compile(|x: &Array| ivy::add(&ivy::matmul(x, &ivy::matrix_transpose(x)?)?, 1.0));
        for dtype in [Dtype::FLOAT16, Dtype::FLOAT32, Dtype::FLOAT64] {
            for seed in 0..3 {
                let x = ivy::astype(&ivy::reshape(&floats(24, seed)?, [6, 4], ())?, dtype)?;
                let [got, want] =
                    [f.call(&x)?, ivy::add(&ivy::matmul(&x, &ivy::matrix_transpose(&x)?)?, 1.0)?]
                        .map(|x| ivy::astype(&x, Dtype::FLOAT32).unwrap());
                assert_eq!(bits(&got), bits(&want), "{dtype}");
            }
        }
        assert_eq!(f.recordings(), 3);
        engine().set_transfers(allowed);
        Ok(())
    });
}

/// Joins, replaced parts, decompositions of several results and transforms, among launches.
fn decomposed(x: &Array) -> ivy::Result<Vec<Array>> {
    let gram = ivy::add(&ivy::matmul(&ivy::matrix_transpose(x)?, x)?, &ivy::eye(4, ())?)?;
    let values = ivy::linalg::eigvalsh(&gram)?;
    let qr = ivy::linalg::qr(&ivy::multiply(x, 0.5)?, ())?;
    let svd = ivy::linalg::svd(x, ivy::linalg::SvdParams::new().full_matrices(false))?;
    let root = ivy::linalg::cholesky(&gram, ())?;
    let solved = ivy::linalg::solve(&gram, &ivy::matrix_transpose(&qr.q)?)?;
    let joined = ivy::concat([&ivy::negative(x)?, &svd.u, x], ivy::Concat::new().axis(0))?;
    let stacked = ivy::stack([&values, &ivy::sqrt(&svd.s)?], ())?;
    let waves = ivy::fft::rfft(&ivy::reshape(&joined, [-1], ())?, ())?;
    let mut replaced = ivy::add(x, 1.0)?;
    replaced.set(s![1..3], &ivy::multiply(&x.get(s![3..5])?, 2.0)?)?;
    let found = ivy::searchsorted(&values, &ivy::reshape(x, [-1], ())?, ())?;
    let padded =
        ivy::pad(x, 2, ivy::Pad::new().mode(ivy::PadMode::Reflect).reflect_type(ivy::ReflectType::Odd))?;
    Ok(vec![qr.r, svd.vh, root, solved, joined, stacked, ivy::abs(&waves)?, replaced, found, padded])
}

#[test]
fn joins_decompositions_and_transforms_are_steps() {
    recorded(|| {
        let f = ivy::compile(decomposed);
        for seed in 0..4 {
            let x = ivy::reshape(&floats(24, seed)?, [6, 4], ())?;
            let before = engine().counters();
            let got = f.call(&x)?;
            assert!(seed == 0 || since(before).0 <= 10, "only the results are nodes");
            for (i, (got, want)) in got.iter().zip(&decomposed(&x)?).enumerate() {
                assert_eq!((got.dtype(), got.shape()), (want.dtype(), want.shape()), "{i}");
                let [got, want] = [got, want].map(|x| ivy::astype(x, Dtype::FLOAT32).unwrap());
                assert_eq!(bits(&got), bits(&want), "result {i} of {seed}");
            }
        }
        assert_eq!(f.recordings(), 1);
        // What one of them refuses, it refuses in the call, where the function may go on without it; for
        // other arguments it is called again.
        let positive = |x: &Array| match ivy::linalg::cholesky(x, ()) {
            Ok(root) => Ok(root),
            Err(_) => ivy::zeros([2, 2], ()),
        };
        let matrix = |v: [f32; 4]| Array::from_vec(v.to_vec(), [2, 2]);
        let (good, bad) = (matrix([4.0, 2.0, 2.0, 3.0])?, matrix([1.0, 2.0, 2.0, 1.0])?);
        for order in [[&good, &bad, &good], [&bad, &good, &bad]] {
            let f = ivy::compile(positive);
            for x in order {
                assert_eq!(bits(&f.call(x)?), bits(&positive(x)?));
            }
        }
        Ok(())
    });
}

#[test]
fn pending_arguments_nesting_and_control_flow() {
    recorded(|| {
        let inner = ivy::compile(|x: &Array| (x * 2.0).ok());
        let outer = ivy::compile(|x: &Array| ivy::add(&inner.call(x)?, 1.0));
        let x = floats(30, 2)?;
        for i in 0..3 {
            let y = ivy::add(&x, i as f32)?;
            assert_eq!(bits(&outer.call(&y)?), bits(&(&y * 2.0 + 1.0).ok()?));
        }
        // The inner one is part of the outer one.
        assert_eq!((inner.recordings(), outer.recordings()), (0, 1));
        inner.call(&x)?;
        assert_eq!(inner.recordings(), 1);
        // In a loop that is recorded, and in a branch.
        let y = ivy::while_loop(|x| ivy::less(x, 100.0), |x| inner.call(&ivy::add(x, 10.0)?), x.clone())?;
        let want = ivy::while_loop(|x| ivy::less(x, 100.0), |x| ((x + 10.0) * 2.0).ok(), x.clone())?;
        assert_eq!(bits(&y), bits(&want));
        let y = ivy::if_else(|x| ivy::less(x, 0.0), |x| inner.call(x), |x| Ok(x.clone()), x.clone())?;
        assert_eq!(bits(&y), bits(&ivy::where_(&ivy::less(&x, 0.0)?, &(&x * 2.0).ok()?, &x)?));
        // Over its own results.
        let (mut got, mut want) = (x.clone(), x.clone());
        for _ in 0..20 {
            got = outer.call(&got)?;
            want = (want * 2.0 + 1.0).ok()?;
        }
        assert_eq!(bits(&got), bits(&want));
        assert_eq!(outer.recordings(), 1);
        Ok(())
    });
}

#[test]
fn kinds_are_limited_and_threads_share() {
    recorded(|| {
        let f = ivy::compile(|x: &Array| (x + 1.0).ok());
        for n in 1..40 {
            assert_eq!(bits(&f.call(&floats(n, n)?)?), bits(&(floats(n, n)? + 1.0).ok()?));
        }
        assert_eq!(f.recordings(), 32);
        let backend = ivy::context::current_backend()?;
        let g = ivy::compile(|[x, y]: &[Array; 2]| root(x, y));
        std::thread::scope(|scope| {
            for seed in 0..4 {
                let (g, backend) = (&g, &backend);
                scope.spawn(move || {
                    ivy::with(&Context::new().backend(backend), || {
                        for i in 0..50 {
                            let [x, y] = [floats(33, seed + i).unwrap(), floats(33, seed).unwrap()];
                            let got = g.call(&[x.clone(), y.clone()]).unwrap();
                            assert_eq!(bits(&got), bits(&root(&x, &y).unwrap()));
                        }
                    })
                });
            }
        });
        assert!(g.recordings() >= 1);
        Ok(())
    });
}

/// An expression of two arrays, by what its steps are.
fn expression(steps: &[(u8, u8)], x: &Array, y: &Array) -> ivy::Result<Array> {
    let mut made = vec![x.clone(), y.clone()];
    for &(what, which) in steps {
        let a = made[usize::from(which) % made.len()].clone();
        let b = made[made.len() - 1].clone();
        let next: Expr = match what % 10 {
            0 => &a + &b,
            1 => &a * &b,
            2 => &a - 0.5,
            3 => 2.0 - &b,
            4 => ivy::maximum(&a, &b).into(),
            5 => ivy::exp(&(&b * 0.01).ok()?).into(),
            6 => b.get(s![..;-1]).into(),
            7 => ivy::add(&a, &ivy::sum(&b, Sum::new().axis(-1).keepdims())?).into(),
            8 => ivy::where_(&ivy::less(&a, &b)?, &a, &b).into(),
            _ => ivy::roll(&b, 1, ()).into(),
        };
        made.push(next.ok()?);
    }
    Ok(made.pop().unwrap_or_else(|| x.clone()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn replays_have_the_functions_bits(
        steps in prop::collection::vec((any::<u8>(), any::<u8>()), 1..12),
        n in 1usize..70,
        on in any::<u64>(),
    ) {
        recorded(|| {
            let engine = engine();
            let before = engine.set_settings(Settings { replay: true, ..Settings::of(on) });
            let f = ivy::compile(|[x, y]: &[Array; 2]| expression(&steps, x, y));
            for seed in 0..3 {
                let (x, y) = (floats(n, seed)?, floats(n, seed + 7)?);
                let got = f.call(&[x.clone(), y.clone()])?;
                assert_eq!(bits(&got), bits(&expression(&steps, &x, &y)?));
            }
            engine.set_settings(before);
            Ok(())
        });
    }
}

#[test]
fn indices_are_checked_in_replays_too() {
    recorded(|| {
        let f = ivy::compile(|[x, i]: &[Array; 2]| ivy::multiply(&ivy::take(x, i, ())?, 2.0));
        let x = floats(10, 1)?;
        let places = |values: [i64; 3]| Array::try_from(values);
        for values in [[0, 9, -10], [3, 3, 3]] {
            let i = places(values)?;
            let want = bits(&ivy::multiply(&ivy::take(&x, &i, ())?, 2.0)?);
            assert_eq!(bits(&f.call(&[x.clone(), i])?), want);
        }
        assert_eq!(f.recordings(), 1);
        let error = f.call(&[x.clone(), places([0, 12, 10])?]).unwrap_err();
        let found = matches!(
            error.kind(),
            ErrorKind::IndexOutOfRange { index: 12, length: 10, position: Some(1), .. }
        );
        assert!(found, "{error}");
        // That was no recording, and spoils none.
        assert!(f.call(&[x, places([1, 2, 3])?]).is_ok());
        assert_eq!(f.recordings(), 1);
        Ok(())
    });
}

#[test]
fn an_index_out_of_range_names_the_line_that_had_it() {
    recorded(|| {
        let x = floats(10, 1)?;
        let i = Array::try_from([0i64, 10])?;
        for on in [false, true] {
            engine().set_debug(on);
            let line = line!() + 1;
            let taken = ivy::take(&x, &i, ())?;
            let error = ivy::exp(&taken)?.to_host().unwrap_err();
            let place = format!("compiled.rs:{line}");
            assert_eq!(error.origin().is_some_and(|origin| origin.ends_with(&place)), on, "{error}");
            assert_eq!(error.to_string().ends_with(&place), on, "{error}");
        }
        Ok(())
    });
}
