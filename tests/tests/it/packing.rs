//! Loops that some elements go round much longer than others, whose lanes are put together: what Rust's own loops
//! give, and what engines give that let lanes wait, for all that a loop may carry, read and be followed by.

use ivy_tests::engines;

use engines::engines;
use ivy::jit::engine::Settings;
use ivy::prelude::*;
use ivy::{ErrorKind, s};

type Done = ivy::Result<()>;

/// Runs on engines of each generator, with lanes put together, waiting, and with each other switch off.
fn everywhere(f: impl Fn() -> Done) {
    let waiting = Settings { packing: false, ..Settings::default() };
    let bare = Settings { state: false, hoisting: false, abreast: false, ..Settings::default() };
    let flat = Settings { streams: false, placing: false, quick: false, short: false, ..Settings::default() };
    for (backend, engine) in engines() {
        for settings in [Settings::default(), waiting, bare, flat] {
            engine.set_settings(settings);
            ivy::with(&Context::new().backend(backend.clone()), || {
                f().unwrap_or_else(|e| panic!("{settings:?}: {e}"))
            });
        }
    }
}

/// Iterations of the element of a number: mostly few, of some many, without order.
fn iterations(i: usize) -> i64 {
    match (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40 {
        n if n % 16 == 0 => 900 + (n % 640) as i64,
        n if n % 5 == 0 => 40 + (n % 64) as i64,
        n => (n % 20) as i64,
    }
}

const LENGTHS: [usize; 9] = [1, 15, 16, 63, 64, 65, 130, 1000, 5003];

/// A congruence's steps, and how often it was done.
fn steps(x: &Array, most: &Array) -> ivy::Result<[Array; 2]> {
    ivy::while_loop(
        |[_, n]| ivy::less(n, most),
        |[x, n]| Ok([ivy::add(ivy::multiply(x, 5)?, 3)?, ivy::add(n, 1)?]),
        [x.clone(), ivy::zeros_like(most, ())?],
    )
}

fn congruence(mut x: u32, iterations: i64) -> u32 {
    (0..iterations).for_each(|_| x = x.wrapping_mul(5).wrapping_add(3));
    x
}

#[test]
fn each_element_goes_round_as_often_as_it_likes() {
    for n in LENGTHS {
        let most: Vec<i64> = (0..n).map(iterations).collect();
        let from: Vec<u32> = (0..n as u32).map(|i| i * 77).collect();
        let want: Vec<u32> = from.iter().zip(&most).map(|(&x, &n)| congruence(x, n)).collect();
        everywhere(|| {
            let (x, most_of) = (Array::from_vec(from.clone(), n)?, Array::from_vec(most.clone(), n)?);
            let [y, count] = steps(&x, &most_of)?;
            // What does not depend on the loop is a result of the same kernel.
            let beside = ivy::add(&x, 1)?;
            ivy::evaluate([&y, &count, &beside])?;
            assert_eq!(y.to_vec::<u32>()?, want);
            assert_eq!(count.to_vec::<i64>()?, most);
            assert_eq!(beside.to_vec::<u32>()?, from.iter().map(|x| x + 1).collect::<Vec<_>>());
            Ok(())
        });
    }
}

#[test]
fn of_every_width_and_kind() {
    let n = 700;
    let most: Vec<i64> = (0..n).map(iterations).collect();
    for dtype in Dtype::all().filter(|dtype| !dtype.is_bool()) {
        let number = |x: u64| (x % 7) as i64;
        let values: Vec<i64> = (0..n as u64).map(number).collect();
        let run = || -> ivy::Result<[Array; 2]> {
            let x = ivy::astype(Array::from_vec(values.clone(), n)?, dtype)?;
            let most = Array::from_vec(most.clone(), n)?;
            let [y, even, _] = ivy::while_loop(
                |[_, _, count]| ivy::less(count, &most),
                |[y, even, count]| {
                    let next = ivy::add(ivy::multiply(y, &x)?, 1)?;
                    let small = ivy::where_(ivy::greater(ivy::abs(&next)?, 50)?, &x, &next)?;
                    Ok([small, ivy::logical_not(even)?, ivy::add(count, 1)?])
                },
                [x.clone(), ivy::zeros(n, Dtype::BOOL)?, ivy::zeros_like(&most, ())?],
            )?;
            Ok([ivy::add(&y, &x)?, even])
        };
        let bits = |x: Array| -> ivy::Result<Vec<u8>> { Ok(x.to_host()?.buffer().bytes().to_vec()) };
        let want = ivy::with_backend("ndarray", || -> ivy::Result<[Vec<u8>; 2]> {
            let [y, even] = run()?;
            Ok([bits(y)?, bits(even)?])
        });
        let want = want.unwrap().unwrap();
        everywhere(|| {
            let [y, even] = run()?;
            ivy::evaluate([&y, &even])?;
            assert_eq!([bits(y)?, bits(even)?], want, "{dtype}");
            Ok(())
        });
    }
}

#[test]
fn of_rows_and_columns() {
    // Rows of which each has a number, and columns of which each has one: lanes of several rows together.
    for [rows, columns] in [[1, 700], [3, 64], [7, 65], [40, 130], [300, 17], [700, 1], [90, 5]] {
        let of = |r: usize, c: usize| iterations(r * 31 + c);
        let want: Vec<u32> = (0..rows * columns)
            .map(|i| {
                congruence(i as u32 / columns as u32, of(i / columns, i % columns) + (i % columns) as i64)
            })
            .collect();
        let transposed: Vec<i64> = (0..rows * columns).map(|i| of(i % rows, i / rows)).collect();
        everywhere(|| {
            let down =
                ivy::reshape(Array::from_vec((0..rows as u32).collect(), rows)?, [rows as i64, 1], ())?;
            let along = Array::from_vec((0..columns as i64).collect(), columns)?;
            let most = Array::from_vec(transposed.clone(), [columns, rows])?;
            let most = ivy::add(ivy::permute_dims(&most, [1, 0])?, &along)?;
            let x = ivy::broadcast_to(&down, [rows, columns])?;
            let [y, _] = steps(&x, &most)?;
            assert_eq!(y.to_vec::<u32>()?, want, "{rows} x {columns}");
            Ok(())
        });
    }
}

#[test]
fn what_is_read_in_it_and_after_it() {
    let n = 1500;
    let most: Vec<i64> = (0..n).map(iterations).collect();
    let table: Vec<i32> = (0..97).map(|i| i * i % 89).collect();
    let truth = |i: usize| {
        let (mut at, mut sum) = (i as i64 % 97, 0i32);
        for _ in 0..most[i] {
            sum = sum.wrapping_add(table[at as usize]);
            at = (at * 3 + 1) % 97;
        }
        let other = if sum % 2 == 0 { table[at as usize] } else { (0..sum % 5).sum() };
        (sum, other)
    };
    let want: Vec<(i32, i32)> = (0..n).map(truth).collect();
    everywhere(|| {
        let (table, most) = (Array::from_vec(table.clone(), 97)?, Array::from_vec(most.clone(), n)?);
        let first = ivy::remainder(ivy::arange(n as i64, Arange::new().dtype(Dtype::INT64))?, 97)?;
        let [at, sum, _] = ivy::while_loop(
            |[_, _, count]| ivy::less(count, &most),
            |[at, sum, count]| {
                let next = ivy::remainder(ivy::add(ivy::multiply(at, 3)?, 1)?, 97)?;
                Ok([next, ivy::add(sum, ivy::take(&table, at, ())?)?, ivy::add(count, 1)?])
            },
            [first, ivy::zeros(n, Dtype::INT32)?, ivy::zeros_like(&most, ())?],
        )?;
        // A branch of each, one with a loop of its own.
        let other = ivy::if_else(
            |[sum, _]: &[Array; 2]| ivy::equal(ivy::remainder(sum, 2)?, 0),
            |[_, at]| ivy::take(&table, at, ()),
            |[sum, _]| {
                let most = ivy::remainder(sum, 5)?;
                let [total, _] = ivy::while_loop(
                    |[_, i]| ivy::less(i, &most),
                    |[total, i]| Ok([ivy::add(total, i)?, ivy::add(i, 1)?]),
                    [ivy::zeros_like(sum, ())?, ivy::zeros_like(sum, ())?],
                )?;
                Ok(total)
            },
            [sum.clone(), at.clone()],
        )?;
        ivy::evaluate([&sum, &other])?;
        assert_eq!(sum.to_vec::<i32>()?, want.iter().map(|w| w.0).collect::<Vec<_>>());
        assert_eq!(other.to_vec::<i32>()?, want.iter().map(|w| w.1).collect::<Vec<_>>());
        Ok(())
    });
}

#[test]
fn loops_in_loops() {
    let n = 900;
    let most: Vec<i64> = (0..n).map(|i| iterations(i) % 150).collect();
    let truth = |i: usize| {
        let mut sum = 0i64;
        for k in 0..most[i] {
            let mut j = 0;
            while j * j < k {
                j += 1;
            }
            sum += if k % 3 == 0 { j } else { -1 };
        }
        sum
    };
    let want: Vec<i64> = (0..n).map(truth).collect();
    everywhere(|| {
        let most = Array::from_vec(most.clone(), n)?;
        let [sum, _] = ivy::while_loop(
            |[_, k]| ivy::less(k, &most),
            |[sum, k]| {
                let [j] = ivy::while_loop(
                    |[j]| ivy::less(ivy::multiply(j, j)?, k),
                    |[j]| Ok([ivy::add(j, 1)?]),
                    [ivy::zeros_like(k, ())?],
                )?;
                let more = ivy::where_(ivy::equal(ivy::remainder(k, 3)?, 0)?, j, -1)?;
                Ok([ivy::add(sum, more)?, ivy::add(k, 1)?])
            },
            [ivy::zeros_like(&most, ())?, ivy::zeros_like(&most, ())?],
        )?;
        assert_eq!(sum.to_vec::<i64>()?, want);
        // A fold of it; and what is put into a part of an array.
        assert_eq!(ivy::sum(&sum, ())?.item::<i64>()?, want.iter().sum::<i64>());
        let mut part = ivy::zeros([2, n], Dtype::INT64)?;
        part.set(s![1], &sum)?;
        assert_eq!(part.to_vec::<i64>()?[n..], want);
        Ok(())
    });
}

#[test]
fn folds_of_many() {
    let n = 6000;
    let most: Vec<i64> = (0..n).map(iterations).collect();
    let want: Vec<u32> = (0..n as u32).zip(&most).map(|(x, &n)| congruence(x, n)).collect();
    let sums: Vec<u32> =
        want.chunks(60).map(|row| row.iter().fold(0u32, |a, &b| a.wrapping_add(b))).collect();
    everywhere(|| {
        let x = ivy::reshape(Array::from_vec((0..n as u32).collect(), n)?, [100, 60], ())?;
        let most_of = ivy::reshape(Array::from_vec(most.clone(), n)?, [100, 60], ())?;
        let of = |x: &Array| -> ivy::Result<Array> { Ok(steps(x, &most_of)?[0].clone()) };
        let total = |x| ivy::sum(x, Sum::new().axis(1).dtype(Dtype::UINT32));
        assert_eq!(total(of(&x)?)?.to_vec::<u32>()?, sums);
        assert_eq!(ivy::max(of(&x)?, ())?.item::<u32>()?, *want.iter().max().unwrap());
        let compiled = ivy::compile(|x: &Array| ivy::sum(of(x)?, Sum::new().axis(1).dtype(Dtype::UINT32)));
        for _ in 0..3 {
            assert_eq!(compiled.call(&x)?.to_vec::<u32>()?, sums);
        }
        Ok(())
    });
}

#[test]
fn an_index_that_is_wrong_late() {
    let n = 2000;
    let most: Vec<i64> = (0..n).map(iterations).collect();
    let table: Vec<i64> = (0..800).collect();
    // Those that go round more often than the table is long read beyond it; the first iteration in which one does counts.
    let first = (0..n).find(|&i| most[i] > 800).unwrap();
    everywhere(|| {
        let (table, most) = (Array::from_vec(table.clone(), 800)?, Array::from_vec(most.clone(), n)?);
        let sums = |limit: i64| -> ivy::Result<Vec<i64>> {
            let [sum, _] = ivy::while_loop(
                |[_, k]| ivy::less(k, ivy::minimum(&most, limit)?),
                |[sum, k]| Ok([ivy::add(sum, ivy::take(&table, k, ())?)?, ivy::add(k, 1)?]),
                [ivy::zeros_like(&most, ())?, ivy::zeros_like(&most, ())?],
            )?;
            sum.to_vec::<i64>()
        };
        let error = sums(10_000).expect_err("an index is out of range");
        let ErrorKind::IndexOutOfRange { index: 800, length: 800, position: Some(position), .. } =
            error.kind()
        else {
            panic!("{error}")
        };
        assert_eq!(*position, first, "{error}");
        assert_eq!(sums(800)?[first], (0..800).sum::<i64>());
        Ok(())
    });
}
