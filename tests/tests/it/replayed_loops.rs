//! Loops that read other places of what they change, or fold it: run iteration by iteration, of which the first ones
//! are recorded, and the others replayed where they do the same.

use ivy_tests::engines;
use ivy_tests::places;

use engines::engines;
use ivy::jit::engine::Settings;
use ivy::prelude::*;
use ivy::{ErrorKind, Max};
use std::cell::Cell;

/// Calls of a body that is replayed: once to see whether it is one kernel, and in turns until two are alike, of which
/// the first may have its variables in another order in memory.
const FEW: usize = 4;

/// A body, and the variables that it begins with.
type Work<'f> = &'f dyn Fn() -> ivy::Result<Vec<Array>>;

/// The elements of arrays, as text.
fn told(arrays: &[Array]) -> Vec<String> {
    arrays.iter().map(|x| format!("{} {} {:?}", x.dtype(), x.shape(), x.to_host().unwrap())).collect()
}

/// What it gives is the reference's, on each backend and with each switch off; and `calls` times at most its body is
/// called on the engine with all switches on.
fn everywhere(calls: usize, count: &Cell<usize>, work: Work<'_>) {
    let want = ivy::with_backend("ndarray", || told(&work().unwrap())).unwrap();
    places::on_each(&["candle"], || {
        assert_eq!(told(&work()?), want);
        Ok(())
    });
    for (backend, engine) in engines() {
        let off = (0..64).map(|bit| Settings::of(!(1 << bit))).take_while(|&s| s != Settings::default());
        for settings in [Settings::default(), Settings::of(0)].into_iter().chain(off) {
            engine.set_settings(settings);
            count.set(0);
            ivy::with(&Context::new().backend(backend.clone()), || {
                let got = work().unwrap_or_else(|error| panic!("{settings:?}: {error}"));
                assert!(settings != Settings::default() || count.get() <= calls, "{} calls", count.get());
                assert_eq!(told(&got), want, "{settings:?}");
            });
        }
        assert_eq!(engine.counters().live, 0);
    }
}

fn line(n: usize) -> ivy::Result<Array> {
    Array::from_vec((0..n).map(|i| (i as f32 * 0.618).fract() * 8.0 - 3.0).collect::<Vec<f32>>(), n)
}

#[test]
fn neighbours_until_nothing_changes() {
    let count = Cell::new(0);
    everywhere(FEW, &count, &|| {
        let x = line(100)?;
        let [x, _, iterations] = ivy::while_loop(
            |[_, change, iterations]| {
                ivy::logical_and(ivy::greater(change, 0.125)?, ivy::less(iterations, 60)?)
            },
            |[x, _, iterations]| {
                count.set(count.get() + 1);
                let next = ((ivy::roll(x, 1, ())? + ivy::roll(x, -1, ())?) * 0.5).ok()?;
                let change = ivy::max(ivy::abs(ivy::subtract(&next, x)?)?, ())?;
                Ok([next, change, (iterations + 1).ok()?])
            },
            [x, ivy::asarray(9.0f32, ())?, ivy::asarray(0i32, ())?],
        )?;
        assert!(iterations.item::<i32>()? > 8, "{iterations}");
        Ok(vec![x, iterations])
    });
}

#[test]
fn running_sums_by_doubling() {
    let count = Cell::new(0);
    everywhere(FEW, &count, &|| {
        let numbers = ivy::arange(50, Arange::new().dtype(Dtype::INT64))?;
        let [sums, _] = ivy::while_loop(
            |[_, step]| ivy::less(step, 50),
            |[x, step]| {
                count.set(count.get() + 1);
                let from = ivy::subtract(&numbers, step)?;
                let before = ivy::take(x, ivy::maximum(&from, 0)?, ())?;
                let more = ivy::where_(ivy::greater_equal(&from, 0)?, before, 0)?;
                Ok([ivy::add(x, more)?, (step * 2).ok()?])
            },
            [ivy::square(&numbers)?, ivy::asarray(1i64, ())?],
        )?;
        assert_eq!(sums.get(ivy::s![-1])?.item::<i64>()?, (0..50).map(|i| i * i).sum::<i64>());
        Ok(vec![sums])
    });
}

#[test]
fn products_and_orders_and_rows() {
    let count = Cell::new(0);
    everywhere(FEW, &count, &|| {
        // Integers, whose products are the same everywhere; the first iteration has them in another order.
        let a = ivy::reshape(ivy::remainder(ivy::arange(49 * 49, ())?, 5)?, [49, 49], ())?;
        let x = ivy::matrix_transpose(&ivy::reshape(ivy::arange(98, ())?, [2, 49], ())?)?;
        let [x, _] = ivy::while_loop(
            |[_, iteration]| ivy::less(iteration, 12),
            |[x, iteration]| {
                count.set(count.get() + 1);
                let next = ivy::matmul(&a, ivy::sort(x, ivy::Sort::new().axis(0))?)?;
                let most = ivy::max(&next, Max::new().axis(0).keepdims())?;
                let all = ivy::cumulative_sum(ivy::subtract(most, next)?, ivy::CumulativeSum::new().axis(1))?;
                Ok([ivy::astype(ivy::remainder(all, 97)?, x.dtype())?, (iteration + 1).ok()?])
            },
            [x, ivy::asarray(0i8, ())?],
        )?;
        Ok(vec![x])
    });
}

#[test]
fn each_element_ends_by_itself() {
    let count = Cell::new(0);
    everywhere(FEW, &count, &|| {
        let x = ivy::reshape(line(60)?, [20, 3], ())?;
        let [x, n] = ivy::while_loop(
            |[x, n]| ivy::logical_and(ivy::less(x, 4.0)?, ivy::less(n, 30)?),
            |[x, n]| {
                count.set(count.get() + 1);
                let most = ivy::max(x, Max::new().axis(1).keepdims())?;
                Ok([ivy::add(x, ivy::multiply(ivy::abs(most)?, 0.125)?)?, (n + 1).ok()?])
            },
            [x, ivy::asarray(0u8, ())?],
        )?;
        Ok(vec![x, n])
    });
}

#[test]
fn a_loop_within_that_is_one_kernel() {
    let count = Cell::new(0);
    everywhere(FEW, &count, &|| {
        let x = ivy::for_loop(
            0..10,
            |i, x: &Array| {
                count.set(count.get() + 1);
                let halved = ivy::while_loop(
                    |x| ivy::greater(ivy::abs(x)?, 1.0),
                    |x| ivy::multiply(x, 0.5),
                    ivy::add(x, i)?,
                )?;
                ivy::astype(ivy::add(halved, ivy::flip(x, ())?)?, x.dtype())
            },
            line(70)?,
        )?;
        Ok(vec![x])
    });
}

#[test]
fn nothing_and_no_turn() {
    let count = Cell::new(0);
    everywhere(FEW, &count, &|| {
        let turned = |range, n| {
            let iteration = |_: &Array, x: &Array| {
                count.set(count.get() + 1);
                ivy::sort(&ivy::negative(x)?, ())
            };
            ivy::for_loop(range, iteration, line(n)?)
        };
        let ends = [0, 1];
        let all = [turned(0..ends[0], 5)?, turned(5..ends[1], 5)?, turned(0..1, 5)?];
        Ok(all.into())
    });
    everywhere(FEW, &count, &|| {
        let iteration = |_: &Array, x: &Array| {
            count.set(count.get() + 1);
            ivy::sort(&ivy::negative(x)?, ())
        };
        Ok(vec![ivy::for_loop(0..9, iteration, line(0)?)?])
    });
}

/// What a body has of its own must be the same in each iteration to be replayed.
#[test]
fn a_body_that_changes_is_called_in_each_turn() {
    for (backend, _) in engines() {
        ivy::with(&Context::new().backend(backend), || {
            let x = line(10).unwrap();
            // A number, an array's elements, and a decision.
            for what in 0..3 {
                let mut calls = 0;
                let iteration = |_: &Array, x: &Array| {
                    calls += 1;
                    let turned = ivy::roll(x, 1, ())?;
                    match what {
                        0 => ivy::add(turned, f64::from(calls)),
                        1 => ivy::add(turned, ivy::full([10], f64::from(calls), Dtype::FLOAT32)?),
                        _ if calls % 2 == 0 => ivy::negative(turned),
                        _ => Ok(turned),
                    }
                };
                let y = ivy::for_loop(0..20, iteration, x.clone()).unwrap();
                assert_eq!(y.shape(), x.shape());
                assert!(calls >= 20, "{what}: {calls} calls");
            }
            // The same array anew in each iteration is the same.
            let mut calls = 0;
            let iteration = |_: &Array, x: &Array| {
                calls += 1;
                ivy::add(ivy::roll(x, 1, ())?, Array::from_vec(vec![0.5f32; 10], 10)?)
            };
            let y = ivy::for_loop(0..20, iteration, x.clone()).unwrap();
            let more = ivy::subtract(&y, &x).unwrap().to_vec::<f32>().unwrap();
            assert!(more.iter().all(|more| (more - 10.0).abs() < 1e-3), "{more:?}");
            assert!(calls <= FEW, "{calls} calls");
        });
    }
}

#[test]
fn an_error_in_a_later_turn_is_the_body_s() {
    places::on_each(&["ndarray", "candle", "jit:interp", "jit:llvm"], || {
        let next = Array::from_vec((1..=40).collect::<Vec<i64>>(), 40)?;
        // It reads what it changes, one further in each iteration.
        let run = |iterations| {
            let iteration = |_: &Array, [x, at]: &[Array; 2]| {
                let more = x.get(ivy::s![at])?;
                Ok([ivy::add(ivy::flip(x, ())?, more)?, next.get(ivy::s![at])?])
            };
            ivy::for_loop(0..iterations, iteration, [line(30)?, ivy::asarray(0, Dtype::INT64)?])
        };
        let [x, at] = run(30)?;
        assert_eq!((at.item::<i64>()?, x.size()), (30, 30));
        let error = run(31).and_then(|[x, _]| x.to_host()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::IndexOutOfRange { index: 30, length: 30, .. }), "{error}");
        Ok(())
    });
}

#[test]
fn turns_trace_nothing_and_leave_nothing() {
    for (backend, engine) in engines() {
        ivy::with(&Context::new().backend(backend), || {
            let run = |iterations| {
                ivy::for_loop(
                    0..iterations,
                    |_, x: &Array| ivy::sort(&ivy::negative(x)?, ()),
                    line(40).unwrap(),
                )
            };
            let nodes = |iterations| {
                let before = engine.counters();
                run(iterations).unwrap();
                let after = engine.counters();
                assert_eq!(after.live, before.live);
                after.nodes - before.nodes
            };
            // The first time, kernels are made.
            nodes(3);
            assert_eq!(nodes(10), nodes(1000));
        });
    }
}
