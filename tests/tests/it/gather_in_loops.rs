//! Elements at indices in loops and conditionals: what Rust's own loops give, recorded or step by step,
//! and the same errors everywhere.

use ivy_tests::engines;
use ivy_tests::places;

use engines::engines;
use ivy::jit::engine::Settings;
use ivy::prelude::*;
use ivy::{ErrorKind, s};
use proptest::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

type Done = ivy::Result<()>;

/// Where it runs: every backend, and the engine also without recording, and with all switches off.
/// `kernels` says how many launches a recorded program may take, if it is recorded.
fn everywhere(kernels: Option<usize>, f: impl Fn() -> Done) {
    places::on_each(&["ndarray", "candle"], &f);
    let no_loops = Settings { loops: false, ..Settings::default() };
    for (backend, engine) in engines() {
        for settings in [Settings::default(), no_loops, Settings::of(0), Settings::of(u64::MAX)] {
            engine.set_settings(settings);
            ivy::with(&Context::new().backend(backend.clone()), || {
                f().unwrap_or_else(|e| panic!("{settings:?}: {e}"))
            });
            let history = engine.take_history();
            if let (Some(kernels), true) = (kernels, settings == Settings::default()) {
                assert!(history.len() <= kernels, "{} launches", history.len());
            }
        }
        assert_eq!(engine.counters().live, 0);
    }
}

fn ints(values: impl IntoIterator<Item = i64>) -> ivy::Result<Array> {
    let values: Vec<i64> = values.into_iter().collect();
    let n = values.len();
    Array::from_vec(values, n)
}

/// How many elements of a sorted table are below each value.
fn search(table: &Array, x: &Array) -> ivy::Result<Array> {
    let low = ivy::zeros_like(x, Dtype::INT64)?;
    let high = ivy::full_like(x, table.size() as i64, Dtype::INT64)?;
    let [low, _] = ivy::while_loop(
        |[low, high]| ivy::less(low, high),
        |[low, high]| {
            let middle = ivy::floor_divide(ivy::add(low, high)?, 2)?;
            let below = ivy::less(ivy::gather(table, &middle, ())?, x)?;
            let up = ivy::where_(&below, ivy::add(&middle, 1)?, low)?;
            Ok([up, ivy::where_(&below, high, &middle)?])
        },
        [low, high],
    )?;
    Ok(low)
}

#[test]
fn a_binary_search() {
    for n in [1usize, 7, 64, 1000, 40_000] {
        let table: Vec<f32> = (0..500).map(|i| i as f32 * 0.5).collect();
        let values: Vec<f32> = (0..n).map(|i| (i as f32 * 7.77) % 300.0 - 20.0).collect();
        let want: Vec<i64> = values.iter().map(|x| table.partition_point(|t| t < x) as i64).collect();
        everywhere(Some(1), || {
            let table = Array::from_vec(table.clone(), 500)?;
            let x = Array::from_vec(values.clone(), n)?;
            assert_eq!(search(&table, &x)?.to_vec::<i64>()?, want);
            Ok(())
        });
        if n > 100 {
            // Of two axes; and a sum of what comes out.
            // Many are found before they are summed: those that go on are put together.
            everywhere(Some(3), || {
                let table = Array::from_vec(table.clone(), 500)?;
                let x = Array::from_vec(values.clone(), [n / 8, 8])?;
                let found = search(&table, &x)?;
                assert_eq!(found.to_vec::<i64>()?, want);
                let total = ivy::sum(search(&table, &x)?, ())?.item::<i64>()?;
                assert_eq!(total, want.iter().sum::<i64>());
                Ok(())
            });
        }
    }
}

/// Follows a list until its end; how far that was, and what was met.
fn chase(next: &Array, weights: &Array, start: &Array) -> ivy::Result<[Array; 3]> {
    ivy::while_loop(
        |[at, ..]| ivy::greater_equal(at, 0),
        |[at, steps, sum]| {
            let weight = ivy::take(weights, at, ())?;
            Ok([ivy::take(next, at, ())?, ivy::add(steps, 1)?, ivy::add(sum, weight)?])
        },
        [start.clone(), ivy::zeros_like(start, Dtype::INT32)?, ivy::zeros_like(start, Dtype::FLOAT64)?],
    )
}

#[test]
fn pointers_are_followed() {
    let count = 300i64;
    let next = |i: i64| if i % 7 == 3 { -1 } else { (i * 5 + 1) % count };
    let weight = |i: i64| i as f64 * 0.25 - 9.0;
    let truth = |mut at: i64| {
        let (mut steps, mut sum) = (0, 0.0);
        while at >= 0 {
            (sum, steps, at) = (sum + weight(at), steps + 1, next(at));
        }
        (steps, sum)
    };
    let starts: Vec<i64> = (0..count).filter(|&i| !ends_never(i, next)).chain([-1]).collect();
    let want: Vec<(i32, f64)> = starts.iter().map(|&i| truth(i)).collect();
    everywhere(Some(1), || {
        let table = ints((0..count).map(next))?;
        let weights = Array::from_vec((0..count).map(weight).collect::<Vec<f64>>(), count as usize)?;
        let [at, steps, sum] = chase(&table, &weights, &ints(starts.clone())?)?;
        assert_eq!(steps.to_vec::<i32>()?, want.iter().map(|w| w.0).collect::<Vec<_>>());
        assert_eq!(sum.to_vec::<f64>()?, want.iter().map(|w| w.1).collect::<Vec<_>>());
        assert!(at.to_vec::<i64>()?.iter().all(|&at| at == -1));
        Ok(())
    });
}

fn ends_never(start: i64, next: impl Fn(i64) -> i64) -> bool {
    let mut at = start;
    (0..1000).all(|_| {
        at = if at < 0 { at } else { next(at) };
        at >= 0
    })
}

#[test]
fn a_table_in_between() {
    let table: Vec<f32> = (0..33).map(|i| (i as f32 * 0.4).sin()).collect();
    let at = |x: f32| {
        let i = (x.floor() as usize).min(31);
        table[i] + (table[i + 1] - table[i]) * (x - i as f32)
    };
    let want: Vec<f32> = (0..200)
        .map(|i| {
            let mut x = i as f32 * 0.16;
            for _ in 0..5 {
                x = (x + at(x) + 1.5).min(32.0);
            }
            x
        })
        .collect();
    everywhere(Some(1), || {
        let values = Array::from_vec(table.clone(), 33)?;
        let x = Array::from_vec((0..200).map(|i| i as f32 * 0.16).collect::<Vec<f32>>(), 200)?;
        let y = ivy::for_loop(
            0..5,
            |_, x: &Array| {
                let i = ivy::minimum(ivy::astype(ivy::floor(x)?, Dtype::INT64)?, 31)?;
                let (low, high) = (values.get(s![&i])?, values.get(s![&ivy::add(&i, 1)?])?);
                let part = ivy::subtract(x, ivy::astype(&i, Dtype::FLOAT32)?)?;
                let between = ivy::add(&low, ivy::multiply(ivy::subtract(high, &low)?, part)?)?;
                ivy::minimum(ivy::add(ivy::add(x, between)?, 1.5)?, 32.0)
            },
            x,
        )?;
        assert_eq!(y.to_vec::<f32>()?, want);
        Ok(())
    });
}

/// The error of a program, wherever it comes.
fn fails(r: ivy::Result<Array>) -> ivy::Error {
    match r.and_then(|x| x.to_host()) {
        Ok(_) => panic!("an index is out of range"),
        Err(error) => error,
    }
}

fn is(error: &ivy::Error, want: (i128, usize, usize)) {
    match error.kind() {
        ErrorKind::IndexOutOfRange { index, length, position, .. } => {
            assert_eq!((*index, *length, position.unwrap_or(0)), want, "{error}");
        }
        _ => panic!("{error}"),
    }
}

#[test]
fn only_active_elements_have_indices() {
    // Elements leave the loop with an index out of range, and others in the other branch have one.
    let want: Vec<i64> = (0..100).map(|i| if i < 50 { i * 2 } else { i }).collect();
    everywhere(None, || {
        let double = ints((0..50).map(|i| i * 2))?;
        let x = ints(0..100)?;
        let once =
            ivy::if_else(|x| ivy::less(x, 50), |x| ivy::take(&double, x, ()), |x| Ok(x.clone()), x.clone())?;
        assert_eq!(once.to_vec::<i64>()?, want);
        let other =
            ivy::if_else(|x| ivy::greater_equal(x, 50), |x| Ok(x.clone()), |x| double.get(s![x]), x.clone())?;
        assert_eq!(other.to_vec::<i64>()?, want);
        let [y, _] = ivy::while_loop(
            |[x, n]| ivy::logical_and(ivy::less(x, 50)?, ivy::less(n, 8)?),
            |[x, n]| Ok([ivy::take(&double, x, ())?, ivy::add(n, 1)?]),
            [x.clone(), ivy::zeros_like(&x, Dtype::INT32)?],
        )?;
        let grown = |mut x: i64| {
            let mut n = 0;
            while x < 50 && n < 8 {
                (x, n) = (x * 2, n + 1);
            }
            x
        };
        assert_eq!(y.to_vec::<i64>()?, (0..100).map(grown).collect::<Vec<_>>());
        // Nobody is at work, and the table is empty.
        let none = ints([])?;
        let same =
            ivy::if_else(|x| ivy::less(x, 0), |x| ivy::take(&none, x, ()), |x| Ok(x.clone()), x.clone())?;
        assert_eq!(same.to_vec::<i64>()?, x.to_vec::<i64>()?);
        Ok(())
    });
}

#[test]
fn others_keep_what_they_read() {
    // In a branch, all elements are there: only what is out of range reads something else.
    everywhere(None, || {
        let (table, x) = (ints((0..10).map(|i| i * i))?, ints(0..10)?);
        let y = ivy::if_else(
            |x| ivy::less(x, 3),
            |x| {
                let all = ivy::sum(ivy::take(&table, x, ())?, ())?;
                ivy::add(x, all)
            },
            |x| Ok(x.clone()),
            x.clone(),
        )?;
        let want: Vec<i64> = (0..10).map(|i| if i < 3 { i + 285 } else { i }).collect();
        assert_eq!(y.to_vec::<i64>()?, want);
        Ok(())
    });
}

#[test]
fn others_keep_what_they_read_for_those_beside_them() {
    // A loop that can be recorded, in a branch and in a loop that cannot: what an element at rest reads
    // there is what another asks for.
    let limit = |i: i64| (9 - i) * 3 % 7;
    everywhere(None, || {
        let (table, x) = (ints((0..10).map(limit))?, ints(0..10)?);
        let count = |x: &Array| -> ivy::Result<Array> {
            let [n] = ivy::while_loop(
                |[n]| ivy::less(n, ivy::flip(ivy::take(&table, x, ())?, ())?),
                |[n]| Ok([ivy::add(n, 1)?]),
                [ivy::zeros_like(x, ())?],
            )?;
            Ok(n)
        };
        let y = ivy::if_else(|x| ivy::less(x, 4), count, |x| Ok(x.clone()), x.clone())?;
        let want: Vec<i64> = (0..10).map(|i| if i < 4 { limit(9 - i) } else { i }).collect();
        assert_eq!(y.to_vec::<i64>()?, want);
        let [_, sum] = ivy::while_loop(
            |[k, _]| ivy::less(k, &x),
            |[k, sum]| {
                // What is not of the same element ends the recording.
                let turned = ivy::flip(sum, ())?;
                let sum = ivy::add(sum, ivy::subtract(&turned, &turned)?)?;
                Ok([ivy::add(k, 1)?, ivy::add(&sum, count(&x)?)?])
            },
            [ivy::zeros_like(&x, ())?, ivy::zeros_like(&x, ())?],
        )?;
        let want: Vec<i64> = (0..10).map(|i| i * limit(9 - i)).collect();
        assert_eq!(sum.to_vec::<i64>()?, want);
        Ok(())
    });
}

#[test]
fn an_index_out_of_range_is_the_first_step_s() {
    everywhere(None, || {
        let next = ints((0..20).map(|i| if i == 17 { 99 } else { i + 1 }))?;
        let go =
            |start: Array| ivy::while_loop(|x| ivy::not_equal(x, -5), |x| ivy::take(&next, x, ()), start);
        // The second gets there first; it would go on without an end.
        is(&fails(go(ints([3, 11, 10, 11])?)), (99, 20, 1));
        is(&fails(go(ints([0, 21, 10, -21])?)), (21, 20, 1));
        is(&fails(go(ints((0..500).map(|i| i % 17))?)), (99, 20, 16));
        // In the test, in a branch, in a loop within, and of two the one that was asked for first.
        let test =
            ivy::while_loop(|x| ivy::less(ivy::take(&next, x, ())?, 1000), |x| ivy::add(x, 1), ints([4, 9])?);
        is(&fails(test), (20, 20, 1));
        let branch = ivy::while_loop(
            |x| ivy::less(x, 40),
            |x| {
                let read = |x: &Array| ivy::take(&next, ivy::add(x, 2)?, ());
                ivy::if_else(|x| ivy::greater(x, 15), read, |x| ivy::add(x, 1), x.clone())
            },
            ints([1, 7, 15])?,
        );
        is(&fails(branch), (21, 20, 2));
        Ok(())
    });
    everywhere(None, || {
        let table = ints(0..20)?;
        let inner = ivy::while_loop(
            |[x, _]| ivy::less(x, 3),
            |[x, y]| {
                let deep = ivy::while_loop(
                    |y| ivy::less(y, 30),
                    |y| ivy::add(ivy::take(&table, y, ())?, 4),
                    y.clone(),
                )?;
                Ok([ivy::add(x, 1)?, deep])
            },
            [ints([5, 0, 4])?, ints([0, 3, 0])?],
        );
        is(&fails(inner.map(|[_, y]| y)), (23, 20, 1));
        let (short, long) = (ints(0..5)?, ints(0..9)?);
        let two = ivy::while_loop(
            |[x, _]| ivy::less(x, 30),
            |[x, y]| {
                let a = ivy::take(&long, ivy::add(x, 4)?, ())?;
                let b = ivy::take(&short, x, ())?;
                Ok([ivy::add(ivy::add(x, b)?, a)?, y.clone()])
            },
            [ints([5, 6])?, ints([0, 0])?],
        );
        is(&fails(two.map(|[x, _]| x)), (9, 9, 0));
        // Asked for by all, needed by few.
        let all = ivy::while_loop(
            |x| ivy::less(x, 30),
            |x| {
                let read = ivy::take(&long, x, ())?;
                ivy::if_else(|x| ivy::less(x, 3), |_| Ok(read), |x| ivy::add(x, 9), x.clone())
            },
            ints([9, 12])?,
        );
        is(&fails(all), (9, 9, 0));
        Ok(())
    });
}

#[test]
fn the_line_is_known_in_debug_mode() {
    for (backend, engine) in engines() {
        engine.set_debug(true);
        let done = ivy::with(&Context::new().backend(backend.clone()), || {
            let table = ints(0..5)?;
            let (read, line) = (|x: &Array| ivy::take(&table, x, ()), line!());
            let y = ivy::while_loop(|x| ivy::less(x, 9), |x| ivy::add(read(x)?, 1), ints([0])?)?;
            let error = y.to_host().unwrap_err();
            let origin = error.origin().unwrap_or_default().to_string();
            assert!(origin.contains("gather_in_loops.rs") && origin.contains(&line.to_string()), "{origin}");
            Ok::<(), ivy::Error>(())
        });
        done.unwrap();
    }
}

#[test]
fn more_axes_dtypes_and_compiled() {
    everywhere(None, || {
        let table = ivy::reshape(ivy::arange(60, ())?, [5, 12], ())?;
        for dtype in [Dtype::FLOAT16, Dtype::INT8, Dtype::COMPLEX64, Dtype::BOOL] {
            let table = ivy::astype(&table, dtype)?;
            let (row, column) = (ivy::reshape(ints(0..3)?, [3, 1], ())?, ints([0, 11, -4, 7])?);
            let [_, _, got] = ivy::while_loop(
                |[row, ..]| ivy::less(row, 5),
                |[row, column, _]| Ok([ivy::add(row, 1)?, column.clone(), table.get(s![row, column])?]),
                [
                    ivy::add(&row, ivy::zeros_like(&column, ())?)?,
                    ivy::add(&column, ivy::zeros_like(&row, ())?)?,
                    ivy::zeros([3, 4], dtype)?,
                ],
            )?;
            let last = table.get(s![4, &column])?;
            assert!(ivy::all(ivy::equal(&got, &last)?, ())?.item::<bool>()?);
        }
        let table = ints((0..64).map(|i| i * 3))?;
        let compiled = ivy::compile(|x: &Array| search(&table, x));
        for k in 0..4 {
            let x = ivy::add(ints(0..40)?, k)?;
            assert_eq!(compiled.call(&x)?.to_vec::<i64>()?, search(&table, &x)?.to_vec::<i64>()?);
        }
        let step = ivy::compile(|x: &Array| {
            ivy::while_loop(|x| ivy::less(x, 60), |x| ivy::take(&table, x, ()), x.clone())
        });
        assert_eq!(step.call(&ints([1, 40])?)?.to_vec::<i64>()?, [81, 120]);
        is(&fails(step.call(&ints([1, -65])?)), (-65, 64, 1));
        Ok(())
    });
}

/// Rust's own steps: where it ends, or at which step, read and element an index is out of range.
fn walk(table: &[i64], x: &[i64], limit: i64) -> Result<Vec<i64>, (i64, usize)> {
    let (mut x, mut n) = (x.to_vec(), 0);
    let inside = |i: i64| (-(table.len() as i64)..table.len() as i64).contains(&i);
    let read = |i: i64| table[if i < 0 { i + table.len() as i64 } else { i } as usize];
    while n < limit && x.iter().any(|&x| x % 4 != 0) {
        let active = |x: i64| x % 4 != 0;
        if let Some(at) = x.iter().position(|&x| active(x) && !inside(x)) {
            return Err((x[at], at));
        }
        let mut next: Vec<i64> = x.iter().map(|&x| if active(x) { read(x) } else { x }).collect();
        let odd = |i: usize, next: &[i64]| active(x[i]) && next[i] % 2 != 0;
        if let Some(at) = (0..x.len()).find(|&i| odd(i, &next) && !inside(next[i] + 1)) {
            return Err((next[at] + 1, at));
        }
        for i in 0..x.len() {
            if odd(i, &next) {
                next[i] = read(next[i] + 1) + 1;
            }
        }
        (x, n) = (next, n + 1);
    }
    Ok(x)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]
    #[test]
    fn any_walk(
        table in prop::collection::vec(-12i64..12, 1..12),
        x in prop::collection::vec(-12i64..12, 1..70),
    ) {
        let want = walk(&table, &x, 6);
        let run = || -> Done {
            let (table, x) = (ints(table.clone())?, ints(x.clone())?);
            let got = ivy::while_loop(
                |[x, n]| ivy::logical_and(ivy::not_equal(ivy::remainder(x, 4)?, 0)?, ivy::less(n, 6)?),
                |[x, n]| {
                    let next = ivy::take(&table, x, ())?;
                    let next = ivy::if_else(
                        |y| ivy::not_equal(ivy::remainder(y, 2)?, 0),
                        |y| ivy::add(ivy::take(&table, ivy::add(y, 1)?, ())?, 1),
                        |y| Ok(y.clone()),
                        next,
                    )?;
                    Ok([next, ivy::add(n, 1)?])
                },
                [x.clone(), ivy::zeros_like(&x, Dtype::INT32)?],
            );
            match (&want, got) {
                (Ok(want), Ok([x, _])) if x.to_host().is_ok() => assert_eq!(&x.to_vec::<i64>()?, want),
                (Err((index, at)), got) => {
                    is(&fails(got.map(|[x, _]| x)), ((*index).into(), table.size(), *at));
                }
                (Ok(_), got) => panic!("{:?}", got.map(|[x, _]| x.to_host())),
            }
            Ok(())
        };
        everywhere(None, run);
    }
}

/// Follows a list from each place until it is left, below 0; gives how often it went on.
fn follow(next: &Array, from: &Array) -> ivy::Result<Array> {
    let [_, count] = ivy::while_loop(
        |[place, _]| ivy::greater_equal(place, 0),
        |[place, count]| Ok([ivy::take(next, place, ())?, ivy::add(count, 1)?]),
        [from.clone(), ivy::zeros_like(from, ())?],
    )?;
    Ok(count)
}

#[test]
fn what_has_no_end_hides_no_index() {
    // The first element goes round for ever; the last one leaves the table after some steps. Far from each
    // other, they are in different vectors and, in the long one, in different tasks.
    for n in [3, 300, 70_000] {
        everywhere(None, || {
            let next = ints([0, 2, 3, 4, 99, -1])?;
            let from = ints((0..n).map(|i| {
                if i == 0 {
                    0
                } else if i == n - 1 {
                    1
                } else {
                    5
                }
            }))?;
            let plain = follow(&next, &from).and_then(|count| count.to_vec::<i64>());
            // In a loop within, where the one around ends.
            let within = ivy::for_loop(0..2, |_, x: &Array| follow(&next, &ivy::add(x, 0)?), from);
            for done in [plain, within.and_then(|count| count.to_vec::<i64>())] {
                let error = done.unwrap_err();
                assert!(
                    matches!(error.kind(), ErrorKind::IndexOutOfRange { index: 99, length: 6, .. }),
                    "{error}"
                );
                assert!(error.to_string().starts_with("take: index 99"), "{error}");
            }
            Ok(())
        });
    }
}

#[test]
fn loops_may_go_round_often() {
    let long = 1_100_000;
    let from: Vec<i64> = (0..200).map(|i| long - 1 - i * 5000).collect();
    let want: Vec<i64> = from.iter().map(|i| i + 1).collect();
    for (backend, engine) in engines().into_iter().skip(1) {
        ivy::with(&Context::new().backend(backend), || -> Done {
            let next = ivy::subtract(ivy::arange(long, Arange::new().dtype(Dtype::INT64))?, 1)?;
            assert_eq!(follow(&next, &ints(from.clone())?)?.to_vec::<i64>()?, want);
            let sum = ivy::sum(follow(&next, &ints(from.clone())?)?, ())?;
            assert_eq!(sum.item::<i64>()?, want.iter().sum::<i64>());
            let sums = ivy::cumulative_sum(follow(&next, &ints(from.clone())?)?, ())?;
            assert_eq!(sums.get(s![-1])?.item::<i64>()?, want.iter().sum::<i64>());
            let calls = AtomicUsize::new(0);
            let compiled = ivy::compile(|x: &Array| {
                calls.fetch_add(1, Ordering::Relaxed);
                follow(&next, x)
            });
            for _ in 0..3 {
                assert_eq!(compiled.call(&ints(from.clone())?)?.to_vec::<i64>()?, want);
            }
            assert_eq!(calls.load(Ordering::Relaxed), 1, "the others are replayed");
            Ok(())
        })
        .unwrap();
        // One kernel for any number of iterations.
        assert!(engine.counters().compiled < 8, "{:?}", engine.counters());
    }
}
