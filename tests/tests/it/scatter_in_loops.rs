//! Scatters in loops and conditionals: what Rust's own loops give, as one kernel or step by step, and the same errors
//! everywhere.

use ivy_tests::engines;
use ivy_tests::places;

use engines::engines;
use ivy::jit::engine::{Settings, with_fast_sums};
use ivy::prelude::*;
use ivy::{ErrorKind, Reduction, ScatterFlat, ScatterNd};

type Done = ivy::Result<()>;

/// Where it runs: every backend, and the engine also without recording, and with all switches off; `launches` says how
/// many a recorded program may take.
fn everywhere(launches: Option<usize>, f: impl Fn() -> Done) {
    places::on_each(&["ndarray", "candle"], &f);
    let no_loops = Settings { loops: false, ..Settings::default() };
    let no_passes = Settings { state: false, hoisting: false, ..Settings::default() };
    for (backend, engine) in engines() {
        for settings in [Settings::default(), no_passes, no_loops, Settings::of(0), Settings::of(u64::MAX)] {
            engine.set_settings(settings);
            ivy::with(&Context::new().backend(backend.clone()), || {
                f().unwrap_or_else(|e| panic!("{settings:?}: {e}"))
            });
            let history = engine.take_history();
            if let (Some(launches), true) = (launches, settings == Settings::default()) {
                assert!(history.len() <= launches, "{} launches", history.len());
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

/// The logistic map, and how often its values fall into each of some bins.
#[test]
fn a_histogram_of_orbits() {
    const BINS: usize = 16;
    for n in [1usize, 5, 64, 1000] {
        let begin: Vec<f64> = (0..n).map(|i| 0.1 + 0.8 * i as f64 / n as f64).collect();
        let (mut counts, mut last) = (vec![0i64; BINS], begin.clone());
        for x in &mut last {
            for _ in 0..20 {
                *x = 3.7 * *x * (1.0 - *x);
                counts[(*x * BINS as f64) as usize] += 1;
            }
        }
        everywhere(Some(1), || {
            let x = Array::from_vec(begin.clone(), n)?;
            let [x, found] = ivy::for_loop(
                0..20,
                |_, [x, counts]| {
                    let x = ivy::multiply(ivy::multiply(x, 3.7)?, ivy::subtract(1.0, x)?)?;
                    let bin = ivy::astype(ivy::multiply(&x, BINS as f64)?, Dtype::INT64)?;
                    let one = ivy::ones_like(&bin, ())?;
                    Ok([x, ivy::scatter_flat(bin, one, ScatterFlat::new().out(counts))?])
                },
                [x, ivy::zeros(BINS, Dtype::INT64)?],
            )?;
            assert_eq!(found.to_vec::<i64>()?, counts);
            assert_eq!(x.to_vec::<f64>()?, last);
            Ok(())
        });
    }
}

/// Each element goes its own way, and counts where it has been.
#[test]
fn elements_that_end_scatter_no_more() {
    let collatz = |mut x: i64| {
        std::iter::from_fn(move || {
            let at = x;
            x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
            (at != 1).then_some(at)
        })
    };
    for n in [1i64, 10, 65, 500] {
        let mut residues = vec![0i64; 7];
        let mut greatest = vec![0i32; 7];
        for start in 1..=n {
            for at in collatz(start) {
                residues[(at % 7) as usize] += 1;
                greatest[(at % 7) as usize] = greatest[(at % 7) as usize].max(at as i32);
            }
        }
        everywhere(Some(1), || {
            let [x, counts, most] = ivy::while_loop_with_targets(
                |[x, ..]| ivy::greater(x, 1),
                |[x, counts, most]| {
                    let at = ivy::remainder(x, 7)?;
                    let counts =
                        ivy::scatter_flat(&at, ivy::ones_like(x, ())?, ScatterFlat::new().out(counts))?;
                    let max = ScatterFlat::new().out(most).reduction(Reduction::Max);
                    let most = ivy::scatter_flat(&at, ivy::astype(x, Dtype::INT32)?, max)?;
                    let odd = ivy::equal(ivy::remainder(x, 2)?, 1)?;
                    let up = ivy::add(ivy::multiply(x, 3)?, 1)?;
                    Ok([ivy::where_(odd, up, ivy::floor_divide(x, 2)?)?, counts, most])
                },
                [ints(1..=n)?, ivy::zeros(7, Dtype::INT64)?, ivy::zeros(7, Dtype::INT32)?],
                &[1, 2],
            )?;
            assert_eq!(counts.to_vec::<i64>()?, residues);
            assert_eq!(most.to_vec::<i32>()?, greatest);
            assert!(x.to_vec::<i64>()?.iter().all(|&x| x == 1));
            Ok(())
        });
    }
}

/// A target of the shape of the elements is none of their own.
#[test]
fn a_target_as_long_as_the_elements() {
    everywhere(Some(1), || {
        let [_, counts] = ivy::while_loop_with_targets(
            |[x, _]| ivy::greater(x, 0),
            |[x, counts]| {
                let below = ivy::subtract(x, 1)?;
                let counts =
                    ivy::scatter_flat(&below, ivy::ones_like(x, ())?, ScatterFlat::new().out(counts))?;
                Ok([below, counts])
            },
            [ints([3, 0, 1, 2])?, ivy::zeros(4, Dtype::INT64)?],
            &[1],
        )?;
        assert_eq!(counts.to_vec::<i64>()?, [3, 2, 1, 0]);
        Ok(())
    });
}

/// Updates that a mask leaves out, in a second launch the places that it numbers; negative indices.
#[test]
fn masks_and_negative_indices() {
    let (n, steps) = (40i64, 6i64);
    let mut want = vec![0i32; 15];
    for i in 0..n {
        for k in 0..steps {
            if (i + k) % 3 != 0 {
                want[(((i * k) % 5) * 3 + 2 - (i % 3)) as usize] += (i - k) as i32;
            }
        }
    }
    everywhere(Some(2), || {
        let i = ints(0..n)?;
        let column = ivy::subtract(-1, ivy::remainder(&i, 3)?)?;
        let table = ivy::for_loop(
            0..steps,
            |k, table: &Array| {
                let row = ivy::remainder(ivy::multiply(&i, k)?, 5)?;
                let place = ivy::add(ivy::multiply(row, 3)?, ivy::add(&column, 3)?)?;
                let mask = ivy::not_equal(ivy::remainder(ivy::add(&i, k)?, 3)?, 0)?;
                let update = ivy::astype(ivy::subtract(&i, k)?, Dtype::INT32)?;
                // Counted from the end.
                let place = ivy::subtract(place, 15)?;
                ivy::scatter_flat(place, update, ScatterFlat::new().out(table).mask(&mask))
            },
            ivy::zeros(15, Dtype::INT32)?,
        )?;
        assert_eq!(table.to_vec::<i32>()?, want);
        Ok(())
    });
}

/// Loops in loops, conditionals and switches on what all elements have in common.
#[test]
fn blocks_in_blocks() {
    let n = 33i64;
    let mut want = vec![0i64; 4];
    for i in 0..n {
        for k in 0..5 {
            if k % 2 == 0 {
                want[(i % 4) as usize] += k;
            } else {
                for j in 0..3 {
                    want[((i + j) % 4) as usize] += 10 * j;
                }
            }
            want[((i + k) % 4) as usize] += 100;
        }
    }
    // One that makes the number 100 is a launch too.
    everywhere(Some(2), || {
        let i = ints(0..n)?;
        let add = |to: &Array, place: &Array, update: &Array| {
            let update = ivy::broadcast_to(update, place.shape().clone())?;
            ivy::scatter_flat(ivy::remainder(place, 4)?, update, ScatterFlat::new().out(to))
        };
        let sums = ivy::for_loop(
            0..5,
            |k, sums: &Array| {
                let sums = ivy::if_else(
                    |_| ivy::equal(ivy::remainder(k, 2)?, 0),
                    |sums| add(sums, &i, k),
                    |sums| {
                        ivy::for_loop(
                            0..3,
                            |j, sums: &Array| add(sums, &ivy::add(&i, j)?, &ivy::multiply(j, 10)?),
                            sums.clone(),
                        )
                    },
                    sums.clone(),
                )?;
                add(&sums, &ivy::add(&i, k)?, &ivy::asarray(100i64, ())?)
            },
            ivy::zeros(4, Dtype::INT64)?,
        )?;
        assert_eq!(sums.to_vec::<i64>()?, want);
        Ok(())
    });
}

/// The dtypes that have no atomics, sums of floats, and loops that read what they scatter to: step by step.
#[test]
fn what_no_kernel_does_is_right_all_the_same() {
    let place = || ints((0..50).map(|i| i * i % 6));
    for dtype in Dtype::all().filter(|d| d.is_int() || d.is_float() || d.is_bool()) {
        everywhere(None, || {
            let place = place()?;
            let update = ivy::astype(ivy::remainder(&place, 2)?, dtype)?;
            let step = |_: &Array, to: &Array| ivy::scatter_flat(&place, &update, ScatterFlat::new().out(to));
            let done = ivy::for_loop(0..3, step, ivy::zeros(6, dtype)?)?;
            let mut want = [0i64; 6];
            for i in 0..50 {
                want[i * i % 6] += 3 * (i * i % 6 % 2) as i64;
            }
            let want = if dtype.is_bool() { want.map(|x| x.min(1)) } else { want };
            assert_eq!(ivy::astype(done, Dtype::INT64)?.to_vec::<i64>()?, want, "{dtype}");
            Ok(())
        });
    }
    everywhere(None, || {
        let place = place()?;
        let ones = ivy::ones_like(&place, ())?;
        let grow = |_: &Array, to: &Array| {
            let there = ivy::take(to, &place, ())?;
            ivy::scatter_flat(&place, ivy::add(there, &ones)?, ScatterFlat::new().out(to))
        };
        let done = ivy::for_loop(0..3, grow, ivy::zeros(6, Dtype::INT64)?)?;
        let mut want = [0i64; 6];
        for _ in 0..3 {
            let before = want;
            (0..50usize).for_each(|i| want[i * i % 6] += before[i * i % 6] + 1);
        }
        assert_eq!(done.to_vec::<i64>()?, want);
        Ok(())
    });
}

/// Sums of floats in any order, of numbers whose sums are exact; with the launch that converts them.
#[test]
fn fast_sums_of_floats() {
    for dtype in [Dtype::FLOAT32, Dtype::FLOAT64] {
        everywhere(Some(2), || {
            let place = ints((0..100).map(|i| i % 3))?;
            let halves = ivy::full(100, 0.5, dtype)?;
            let sums = with_fast_sums(|| {
                let step =
                    |_: &Array, to: &Array| ivy::scatter_flat(&place, &halves, ScatterFlat::new().out(to));
                ivy::for_loop(0..8, step, ivy::ones(3, dtype)?)
            })?;
            let sums = ivy::astype(sums, Dtype::FLOAT64)?;
            assert_eq!(sums.to_vec::<f64>()?, [137.0, 133.0, 133.0]);
            Ok(())
        });
    }
}

/// An index out of range is the error of its step, and loses nothing.
#[test]
fn an_index_out_of_range() {
    everywhere(None, || {
        let counts = ivy::zeros(5, Dtype::INT64)?;
        let run = |least: i64| {
            ivy::while_loop_with_targets(
                |[x, _]| ivy::greater(x, least),
                |[x, counts]| {
                    let counts =
                        ivy::scatter_flat(x, ivy::ones_like(x, ())?, ScatterFlat::new().out(counts))?;
                    Ok([ivy::subtract(x, 1)?, counts])
                },
                [ints([2, 4, 3])?, counts.clone()],
                &[1],
            )
        };
        let error = run(-7).and_then(|[_, counts]| counts.to_vec::<i64>()).unwrap_err();
        let ErrorKind::IndexOutOfRange { index, length, axis, .. } = *error.kind() else { panic!("{error}") };
        assert_eq!((index, length, axis), (-6, 5, 0), "{error}");
        assert_eq!(run(0)?[1].to_vec::<i64>()?, [0, 3, 3, 2, 1]);
        assert_eq!(counts.to_vec::<i64>()?, [0; 5]);
        Ok(())
    });
    everywhere(None, || {
        let same = |vars: &[Array; 1]| Ok(vars.clone());
        let error =
            ivy::while_loop_with_targets(|[x]| ivy::less(x, 0), same, [ints([1])?], &[1]).unwrap_err();
        assert!(error.to_string().contains("the position of a variable"), "{error}");
        Ok(())
    });
}

/// Targets without elements, elements without number, a target of one element.
#[test]
fn small_sizes() {
    everywhere(None, || {
        for n in 0..3i64 {
            for length in 1..3usize {
                let place = ivy::remainder(ints(0..n)?, length as i64)?;
                let update = ivy::ones_like(&place, ())?;
                let step =
                    |_: &Array, to: &Array| ivy::scatter_flat(&place, &update, ScatterFlat::new().out(to));
                let done = ivy::for_loop(0..2, step, ivy::zeros(length, Dtype::INT64)?)?.to_vec::<i64>()?;
                assert_eq!(done.iter().sum::<i64>(), 2 * n);
            }
        }
        let none = ivy::scatter_nd(
            ivy::zeros([0, 1], Dtype::INT64)?,
            ivy::zeros(0, Dtype::INT64)?,
            ScatterNd::new().shape(ivy::Shape::from([0])),
        )?;
        assert_eq!(none.size(), 0);
        Ok(())
    });
}

/// Derivatives of sums that elements scatter to while they go on, and of entries by themselves.
#[test]
fn gradients_and_entries() {
    everywhere(None, || {
        let times = ints([1, 3, 2, 0])?;
        let sums = |x: &Array| {
            let [_, _, sums] = ivy::while_loop_with_targets(
                |[iteration, ..]: &[Array; 3]| ivy::less(iteration, &times),
                |[iteration, x, sums]| {
                    let place = ivy::remainder(iteration, 2)?;
                    let sums = ivy::scatter_flat(place, x, ScatterFlat::new().out(sums))?;
                    Ok([ivy::add(iteration, 1)?, ivy::multiply(x, 2.0)?, sums])
                },
                [ivy::zeros_like(&times, ())?, x.clone(), ivy::zeros(2, Dtype::FLOAT64)?],
                &[2],
            )?;
            Ok(sums)
        };
        let x = Array::try_from([1.0, 10.0, 100.0, 1000.0])?;
        // In the first and third step to the first place, in the second one to the other.
        assert_eq!(sums(&x)?.to_vec::<f64>()?, [151.0, 220.0]);
        let weighted = |x: &Array| ivy::sum(ivy::multiply(sums(x)?, Array::try_from([1.0, 0.5])?)?, ());
        assert_eq!(ivy::grad(weighted)(&x)?.to_vec::<f64>()?, [1.0, 6.0, 2.0, 0.0]);
        let both = ivy::stack([&x, &ivy::multiply(&x, 3.0)?], ())?;
        let mapped = ivy::vmap(sums, ())(&both)?;
        assert_eq!(mapped.to_vec::<f64>()?, [151.0, 220.0, 453.0, 660.0]);
        Ok(())
    });
}
