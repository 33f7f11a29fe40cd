//! Loops and conditionals that are recorded: how many kernels, what is computed with what, and that
//! no switch changes a bit.

use crate::common::arrays;

use arrays::{backends, same, transposed};
use ivy_backend_jit::JitBackend;
use ivy_backend_jit::cache::Generator;
use ivy_backend_jit::engine::{Engine, Settings};
use ivy_backend_jit::log::{self, Level};
use ivy_backend_suite::{edges, share};
use ivy_core::backend::BackendRef;
use ivy_core::functional as f;
use ivy_core::host::HostArray;
use ivy_core::{Array, Dtype, ErrorKind, Result};
use proptest::prelude::*;
use std::sync::{Arc, Mutex};

/// A backend for each generator, with its engine.
fn engines() -> Vec<(BackendRef, Arc<Engine>)> {
    let with_engine = |(_, backend): (&str, JitBackend)| {
        let engine = backend.engine().clone();
        (BackendRef::new(backend), engine)
    };
    backends().into_iter().map(with_engine).collect()
}

fn place(backend: &BackendRef, array: HostArray) -> Array {
    Array::from_value(backend.clone(), backend.from_host(array).unwrap())
}

fn floats(backend: &BackendRef, n: usize) -> Array {
    let values: Vec<f32> = (0..n).map(|i| (i as f32 * 0.618).fract() * 2.0 - 1.0).collect();
    place(backend, HostArray::from_vec(values, [n].into()).unwrap())
}

/// The count of steps until `x * x + c` leaves the circle, and where it does; at most 30.
fn steps(c: &Array) -> Result<[Array; 2]> {
    let zero = f::zeros_like(c, ())?;
    let count = f::full_like(c, 0, Dtype::INT32)?;
    f::while_loop(
        |[n, x]| f::logical_and(f::less(n, 30)?, f::less(f::abs(x)?, 2.0)?),
        |[n, x]| Ok([f::add(n, 1)?, f::add(f::square(x)?, f::multiply(c, 1.5)?)?]),
        [count, zero],
    )
}

fn truth(c: f32) -> (i32, f32) {
    let (mut n, mut x) = (0, 0f32);
    while n < 30 && x.abs() < 2.0 {
        (n, x) = (n + 1, x * x + c * 1.5);
    }
    (n, x)
}

#[test]
fn the_log_says_what_is_recorded() {
    let said: Arc<Mutex<Vec<String>>> = Arc::default();
    let (own, to) = (std::thread::current().id(), said.clone());
    let callback = move |level: Level, text: &str| {
        // Other tests are at work, too.
        if level == Level::Symbolic && std::thread::current().id() == own {
            to.lock().unwrap().push(text.into());
        }
    };
    log::set_callback(Some((Level::Symbolic, Arc::new(callback))));
    let (backend, _) = engines().remove(0);
    steps(&floats(&backend, 5)).unwrap();
    log::set_callback(None);
    assert_eq!(*said.lock().unwrap(), ["a loop is recorded, which gives 2"]);
}

#[test]
fn a_loop_is_one_kernel_with_all_its_results() {
    for (backend, engine) in engines() {
        for n in [1, 5, 100, 1000, 70_000] {
            let c = floats(&backend, n);
            let want: Vec<(i32, f32)> =
                c.to_host().unwrap().to_vec::<f32>().unwrap().into_iter().map(truth).collect();
            let [count, x] = steps(&c).unwrap();
            assert_eq!(engine.take_history().len(), 0, "nothing is done yet");
            let got = count.to_vec::<i32>().unwrap();
            assert!(got.iter().zip(&want).all(|(n, want)| *n == want.0));
            let got = x.to_vec::<f32>().unwrap();
            assert!(got.iter().zip(&want).all(|(x, want)| *x == want.1));
            let history = engine.take_history();
            assert_eq!((history.len(), history[0].outputs), (1, 2));
            // What nobody can ask for is not written, but for the kernel it is the same loop.
            let [count, _] = steps(&c).unwrap();
            let more = f::add(&count, 1).unwrap();
            drop(count);
            assert_eq!(more.to_vec::<i32>().unwrap()[0], want[0].0 + 1);
            let history = engine.take_history();
            assert_eq!((history.len(), history[0].outputs), (1, 1));
            // A sum of what comes out of it is the same kernel, too, if no elements of it are put together.
            let [count, _] = steps(&c).unwrap();
            let sum = f::sum(f::astype(&count, Dtype::INT64).unwrap(), ()).unwrap();
            drop(count);
            assert_eq!(sum.item::<i64>().unwrap(), want.iter().map(|w| i64::from(w.0)).sum::<i64>());
            let apart = n == 70_000 && matches!(engine.generator(), Generator::Llvm(_));
            assert_eq!(engine.take_history().len(), if apart { 2 } else { 1 });
        }
        assert_eq!(engine.counters().live, 0);
    }
}

#[test]
fn what_loops_need_not_do_is_left_out() {
    for (backend, engine) in engines() {
        let c = floats(&backend, 500);
        let mut statements = Vec::new();
        for (state, hoisting) in [(false, false), (true, false), (true, true)] {
            engine.set_settings(Settings { state, hoisting, ..Settings::default() });
            // Carried in vain; carried unchanged, and a root of it each time.
            let [x, _, _] = f::while_loop(
                |[x, _, _]| f::less(x, 9.0),
                |[x, y, c]| Ok([f::add(x, f::sqrt(f::abs(c)?)?)?, f::multiply(y, x)?, c.clone()]),
                [f::add(&c, 0.5).unwrap(), c.clone(), f::add(&c, 3.0).unwrap()],
            )
            .unwrap();
            let want = c.to_vec::<f32>().unwrap().into_iter().map(|c| {
                let mut x = c + 0.5;
                while x < 9.0 {
                    x += (c + 3.0).abs().sqrt();
                }
                x
            });
            assert_eq!(x.to_vec::<f32>().unwrap(), want.collect::<Vec<f32>>());
            statements.push(engine.take_history()[0].statements);
        }
        // The product, its place and what is only carried go; then nothing more, but its place.
        assert!(statements[1] < statements[0] && statements[2] == statements[1], "{statements:?}");
    }
}

#[test]
fn what_is_recorded_has_no_elements() {
    for (backend, engine) in engines() {
        let leak = Mutex::new(None);
        let x = floats(&backend, 8);
        let y = f::while_loop(
            |x| f::less(x, 4.0),
            |x| {
                *leak.lock().unwrap() = Some(x.clone());
                f::add(x, 1.0)
            },
            x,
        );
        assert_eq!(engine.take_history().len(), 0);
        let error = leak.lock().unwrap().take().unwrap().to_vec::<f32>().unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::InvalidArgument { function: "evaluate", .. }), "{error}");
        assert!(y.unwrap().to_vec::<f32>().unwrap().iter().all(|&x| x >= 4.0));
    }
}

#[test]
fn a_loop_as_text() {
    let (backend, engine) = engines().remove(0);
    let x = floats(&backend, 3);
    let y = f::while_loop(|x| f::less(x, 4.0), |x| f::add(x, x), x).unwrap();
    let variable = y.value().data::<ivy_backend_jit::engine::Variable>().unwrap();
    insta::assert_snapshot!("loop_graph", engine.graphviz(&[variable]));
}

#[test]
fn many_loops_one_after_the_other() {
    for (backend, engine) in engines() {
        let mut x = floats(&backend, 40);
        for i in 0..300 {
            x = f::while_loop(|x| f::less(x, f64::from(i)), |x| f::add(x, 0.75), x).unwrap();
        }
        let got = x.to_vec::<f32>().unwrap();
        assert!(got.iter().all(|&x| (299.0..300.0).contains(&x)), "{got:?}");
        drop(x);
        assert_eq!(engine.counters().live, 0);
    }
}

/// Loops and conditionals in each other, on a dtype, with results that are viewed and reduced.
fn program(x: &Array, iterations: i32) -> Result<Vec<HostArray>> {
    let limit = f::full_like(x, 3, ())?;
    let rows = f::while_loop(
        |v: &Vec<Array>| f::less(&v[0], iterations),
        |v| {
            let [a, b] = f::if_else(
                |[a, b]| f::less(f::multiply(a, 2)?, b),
                |[a, b]| {
                    let [inner, _] = f::while_loop(
                        |[s, k]| f::logical_and(f::less(s, &limit)?, f::less(k, 6)?),
                        |[s, k]| Ok([f::add(s, 1)?, f::add(k, 1)?]),
                        [a.clone(), f::zeros_like(a, ())?],
                    )?;
                    Ok([inner, b.clone()])
                },
                |[a, b]| Ok([f::subtract(a, b)?, f::add(b, 1)?]),
                [v[1].clone(), v[2].clone()],
            )?;
            Ok(vec![f::add(&v[0], 1)?, b, a])
        },
        vec![f::full_like(x, 0, Dtype::INT32)?, x.clone(), f::multiply(x, 3)?],
    )?;
    let transposed = f::matrix_transpose(&rows[1])?;
    let sums = f::sum(&rows[2], f::Sum::new().axis(0))?;
    let most = f::max(f::add(&rows[1], &rows[2])?, f::Max::new().axis(1))?;
    [&transposed, &sums, &most, &rows[0]].into_iter().map(|x| x.to_host()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(share(12)))]
    #[test]
    fn no_switch_changes_a_bit(
        rows in 1usize..5,
        columns in 1usize..70,
        iterations in 0i32..5,
        plain in any::<bool>(),
        switches in prop::collection::vec(any::<u64>(), 4),
    ) {
        for dtype in [Dtype::FLOAT32, Dtype::FLOAT16, Dtype::INT8, Dtype::UINT64] {
            let x = edges(dtype, [rows, columns], 0);
            let x = if plain { x } else { transposed(&x) };
            let mut first: Option<Vec<HostArray>> = None;
            for (backend, engine) in engines() {
                for &bits in &switches {
                    engine.set_settings(Settings::of(bits));
                    let got = program(&place(&backend, x.clone()), iterations).unwrap();
                    let what = || format!("{dtype} {:?}", Settings::of(bits));
                    let want = first.get_or_insert_with(|| got.clone());
                    got.iter().zip(want).for_each(|(got, want)| same(got, want, &what));
                }
            }
        }
    }
}
