//! Loops and conditionals of each element: the same results on every backend, recorded or not.

use ivy_tests::places;

use ivy::prelude::*;
use ivy::{ErrorKind, s};

/// Where it runs: the engine also with its loops off, and without what it does to them.
fn everywhere(f: impl Fn() -> ivy::Result<()>) {
    places::on_each(&["ndarray", "candle", "jit:interp", "jit:llvm"], f);
}

fn floats(n: usize) -> ivy::Result<Array> {
    Array::from_vec((0..n).map(|i| i as f32 * 0.37 - 4.0).collect::<Vec<f32>>(), n)
}

fn mandelbrot(cr: &Array, ci: &Array) -> ivy::Result<[Array; 3]> {
    let zero = ivy::zeros_like(cr, ())?;
    let count = ivy::asarray(0i32, ())?;
    ivy::while_loop(
        |[n, zr, zi]| ivy::logical_and(ivy::less(n, 50)?, ivy::less_equal(zr * zr + zi * zi, 4.0)?),
        |[n, zr, zi]| Ok([(n + 1).ok()?, (zr * zr - zi * zi + cr).ok()?, (zr * 2.0 * zi + ci).ok()?]),
        [count, zero.clone(), zero],
    )
}

#[test]
fn mandelbrot_is_the_same_everywhere() {
    let (rows, columns) = (31, 45);
    let at = |i: usize, n: usize, from: f32, to: f32| from + (to - from) * i as f32 / (n - 1) as f32;
    let points = |f: &dyn Fn(usize, usize) -> f32| -> Vec<f32> {
        (0..rows * columns).map(|i| f(i / columns, i % columns)).collect()
    };
    let (re, im) = (points(&|_, c| at(c, columns, -2.0, 0.6)), points(&|r, _| at(r, rows, -1.2, 1.2)));
    let want: Vec<(i32, f32, f32)> = (re.iter().zip(&im))
        .map(|(&cr, &ci)| {
            let (mut n, mut x, mut y) = (0, 0f32, 0f32);
            while n < 50 && x * x + y * y <= 4.0 {
                (n, x, y) = (n + 1, x * x - y * y + cr, 2.0 * x * y + ci);
            }
            (n, x, y)
        })
        .collect();
    everywhere(|| {
        let [cr, ci] = [&re, &im].map(|v| Array::from_vec(v.clone(), [rows, columns]).unwrap());
        let [n, x, y] = mandelbrot(&cr, &ci)?;
        assert_eq!((n.shape(), n.dtype()), (cr.shape(), Dtype::INT32));
        let got = n.to_vec::<i32>()?.into_iter().zip(x.to_vec::<f32>()?).zip(y.to_vec::<f32>()?);
        assert!(got.zip(&want).all(|(((n, x), y), want)| (n, x, y) == *want));
        Ok(())
    });
}

/// Numbers beyond the last element, which lanes of vectors may have, would not get there.
#[test]
fn numbered_elements_go_to_the_end() {
    everywhere(|| {
        for n in [1, 3, 17, 100] {
            let last = n - 1;
            let [_, steps] = ivy::while_loop(
                |[i, _]| ivy::not_equal(i, last),
                |[i, steps]| Ok([(i + 1).ok()?, (steps + 1).ok()?]),
                [ivy::arange(n, Dtype::INT64)?, ivy::zeros([n as usize], Dtype::INT64)?],
            )?;
            assert_eq!(steps.to_vec::<i64>()?, (0..n).rev().collect::<Vec<i64>>());
        }
        Ok(())
    });
}

#[test]
fn a_condition_of_one_element_decides_for_all() {
    everywhere(|| {
        let x = floats(10)?;
        let [i, y] = ivy::while_loop(
            |[i, _]| ivy::less(i, 5),
            |[i, y]| Ok([(i + 2).ok()?, (y * 2.0).ok()?]),
            [ivy::asarray(0i32, ())?, x.clone()],
        )?;
        assert_eq!((i.shape().len(), i.item::<i32>()?), (0, 6));
        assert_eq!(y.to_vec::<f32>()?, (&x * 8.0).ok()?.to_vec::<f32>()?);
        // Both are used together; and never once.
        let both = ivy::add(&y, ivy::astype(&i, Dtype::FLOAT32)?)?;
        assert_eq!(both.to_vec::<f32>()?, (&x * 8.0 + 6.0).ok()?.to_vec::<f32>()?);
        let same = ivy::while_loop(|x| ivy::any(ivy::greater(x, 1e9)?, ()), |x| (x * 2.0).ok(), x.clone())?;
        assert_eq!(same.to_vec::<f32>()?, x.to_vec::<f32>()?);
        let powers = ivy::for_loop(2..6, |i, x: &Array| (x * i).ok(), Array::try_from([1i64, 10])?)?;
        assert_eq!(powers.to_vec::<i64>()?, [120, 1200]);
        Ok(())
    });
}

#[test]
fn shapes_broadcast_at_the_beginning() {
    everywhere(|| {
        // A condition of (3, 1), a variable of (4,) and one of ().
        let limits = Array::try_from([[1i32], [5], [0]])?;
        let [iterations, x] = ivy::while_loop(
            |[n, _]| ivy::less(n, &limits),
            |[n, x]| Ok([(n + 1).ok()?, (x + 10).ok()?]),
            [ivy::asarray(0i32, ())?, Array::try_from([1i32, 2, 3, 4])?],
        )?;
        assert_eq!((&iterations.shape()[..], &x.shape()[..]), (&[3, 1][..], &[3, 4][..]));
        assert_eq!(iterations.to_vec::<i32>()?, [1, 5, 0]);
        assert_eq!(x.to_vec::<i32>()?, [11, 12, 13, 14, 51, 52, 53, 54, 1, 2, 3, 4]);
        assert_eq!((&x + &iterations).ok()?.to_vec::<i32>()?[..5], [12, 13, 14, 15, 56]);
        // Of nothing, nothing.
        let none = ivy::while_loop(|x| ivy::less(x, 3.0), |x| (x + 1.0).ok(), ivy::zeros([2, 0], ())?)?;
        assert_eq!(&none.shape()[..], [2, 0]);
        Ok(())
    });
}

/// Views of one element are that element.
#[test]
fn one_element_is_found_in_every_place() {
    everywhere(|| {
        for shape in [&[1usize][..], &[1, 1]] {
            let x = ivy::full(shape.to_vec(), 3.0, Dtype::FLOAT32)?;
            let [y, n] = ivy::while_loop(
                |[_, n]| ivy::less(n, 4),
                |[x, n]| Ok([(ivy::flip(x, ())? + x.get(s![..;-1])?).ok()?, (n + 1).ok()?]),
                [x, ivy::asarray(0i32, ())?],
            )?;
            assert_eq!((y.to_vec::<f32>()?, n.item::<i32>()?), (vec![48.0], 4));
        }
        Ok(())
    });
}

#[test]
fn all_kinds_of_variables() {
    everywhere(|| {
        let n = 300;
        let small = ivy::astype(&floats(n)?, Dtype::FLOAT16)?;
        let wide = ivy::astype(&floats(n)?, Dtype::FLOAT64)?;
        let bytes = Array::from_vec((0..n).map(|i| (i % 7) as u8).collect::<Vec<u8>>(), n)?;
        let flags = ivy::full([n], true, ())?;
        let step = |v: &[Array]| -> ivy::Result<Vec<Array>> {
            let next = ivy::where_(&v[3], ivy::add(&v[1], 0.25)?, ivy::multiply(&v[1], 0.5)?)?;
            Ok(vec![ivy::add(&v[0], 0.1)?, next, ivy::subtract(&v[2], 1)?, ivy::logical_not(&v[3])?])
        };
        let start = vec![small, wide, bytes.clone(), flags];
        let got = ivy::while_loop(|v: &Vec<Array>| ivy::greater(&v[2], 0), |v| step(v), start.clone())?;
        // The same without a loop: each iteration for those who want it.
        let mut want = start;
        for _ in 0..6 {
            let more = ivy::greater(&want[2], 0)?;
            let next = step(&want)?;
            want = next.iter().zip(&want).map(|(a, b)| ivy::where_(&more, a, b)).collect::<Result<_, _>>()?;
        }
        for (got, want) in got.iter().zip(&want) {
            assert_eq!(got.dtype(), want.dtype());
            assert!(ivy::all(ivy::equal(got, want)?, ())?.item::<bool>()?, "{got} {want}");
        }
        Ok(())
    });
}

#[test]
fn each_element_takes_its_branch() {
    everywhere(|| {
        let x = floats(200)?;
        let [root, side] = ivy::if_else(
            |x| ivy::less(x, 0.0),
            |x| Ok([ivy::negative(x)?, ivy::asarray(-1i32, ())?]),
            |x| Ok([ivy::sqrt(x)?, ivy::asarray(1i32, ())?]),
            x.clone(),
        )?;
        let want: Vec<f32> =
            x.to_vec::<f32>()?.iter().map(|&x| if x < 0.0 { -x } else { x.sqrt() }).collect();
        assert_eq!(root.to_vec::<f32>()?, want);
        assert_eq!(side.to_vec::<i32>()?[..12], [-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1]);
        let one = ivy::if_else(|_| ivy::asarray(true, ()), |x| (x + 1.0).ok(), |x| Ok(x.clone()), x.clone())?;
        assert_eq!(one.to_vec::<f32>()?, (&x + 1.0).ok()?.to_vec::<f32>()?);
        Ok(())
    });
}

#[test]
fn loops_within_are_for_those_who_get_there() {
    everywhere(|| {
        let x = Array::from_vec((0..256).collect::<Vec<i32>>(), 256)?;
        // Odd numbers never come to 0 in steps of 2.
        let halves = |x: &Array| -> ivy::Result<Array> {
            let [_, count] = ivy::while_loop(
                |[x, _]| ivy::not_equal(x, 0),
                |[x, n]| Ok([(x - 2).ok()?, (n + 1).ok()?]),
                [x.clone(), ivy::zeros_like(x, ())?],
            )?;
            Ok(count)
        };
        let even = |x: &Array| ivy::equal(ivy::remainder(x, 2), 0);
        let got = ivy::if_else(even, halves, |x| ivy::negative(x), x.clone())?;
        let want: Vec<i32> = (0..256).map(|x| if x % 2 == 0 { x / 2 } else { -x }).collect();
        assert_eq!(got.to_vec::<i32>()?, want);
        // The same in a loop, which odd numbers leave at once.
        let [_, sum] = ivy::while_loop(
            |[x, _]| ivy::logical_and(even(x)?, ivy::greater(x, 0)?),
            |[x, sum]| Ok([ivy::add(x, 1)?, ivy::add(sum, halves(x)?)?]),
            [x.clone(), ivy::zeros_like(&x, ())?],
        )?;
        let want: Vec<i32> = (0..256).map(|x| if x % 2 == 0 { x / 2 } else { 0 }).collect();
        assert_eq!(sum.to_vec::<i32>()?, want);
        // What is not recorded knows who is there as well.
        let sorted = |x: &Array| ivy::sort(&halves(x)?, ());
        let got = ivy::if_else(even, sorted, |x| Ok(x.clone()), x.clone())?;
        assert_eq!(got.to_vec::<i32>()?[255], 255);
        Ok(())
    });
}

/// Rows that end within a vector: where there are no elements, what is folded has a loop that would not end.
#[test]
fn loops_are_folded_in_rows() {
    everywhere(|| {
        for columns in [5, 20, 45, 77] {
            let values: Vec<f32> = (0..300 * columns).map(|i| (i % 13 + 1) as f32).collect();
            let x = Array::from_vec(values.clone(), [300, columns])?;
            let [y] = ivy::while_loop(|[y]| ivy::less(y, 100.0), |[y]| Ok([(y * 2.0).ok()?]), [x])?;
            let most = ivy::max(&y, ivy::Max::new().axis(1).keepdims())?;
            let got = ivy::sum(&ivy::subtract(&most, &y)?, ivy::Sum::new().axis(1))?;
            let doubled = |&x: &f32| std::iter::successors(Some(x), |x| Some(x * 2.0)).find(|&x| x >= 100.0);
            let rows: Vec<Vec<f32>> =
                values.chunks(columns).map(|row| row.iter().filter_map(doubled).collect()).collect();
            let most: Vec<f32> = rows.iter().map(|row| row.iter().copied().fold(0.0, f32::max)).collect();
            assert_eq!(ivy::max(&y, ivy::Max::new().axis(1))?.to_vec::<f32>()?, most);
            let want: Vec<f32> =
                rows.iter().zip(most).map(|(row, most)| row.iter().map(|x| most - x).sum()).collect();
            assert_eq!(got.to_vec::<f32>()?, want);
        }
        Ok(())
    });
}

#[test]
fn what_cannot_be_recorded_runs() {
    everywhere(|| {
        // Sums, other places, elements, sorted ones: of what changes.
        let x = floats(50)?;
        let normal = ivy::while_loop(
            |x| ivy::greater(ivy::max(x, ())?, 1.0),
            |x| ivy::divide(x, ivy::max(ivy::abs(x)?, ())?),
            x.clone(),
        )?;
        assert_eq!(ivy::max(&normal, ())?.item::<f32>()?, 1.0);
        let turned = ivy::for_loop(0..3, |_, x: &Array| ivy::roll(x, 1, ()), x.clone())?;
        assert_eq!(turned.to_vec::<f32>()?, ivy::roll(&x, 3, ())?.to_vec::<f32>()?);
        let mut calls = 0;
        let y = ivy::while_loop(
            |x| ivy::less(x, 3.0),
            |x| {
                calls += 1;
                let least = ivy::min(x, ())?.item::<f32>()?;
                (x + least.abs() + 0.5).ok()
            },
            x.clone(),
        )?;
        assert!(calls > 1 && ivy::min(&y, ())?.item::<f32>()? >= 3.0);
        let sorted = ivy::for_loop(0..2, |_, x: &Array| ivy::sort(&ivy::negative(x)?, ()), x.clone())?;
        assert_eq!(sorted.to_vec::<f32>()?, ivy::sort(&x, ())?.to_vec::<f32>()?);
        // A view of what stays is read in the kernel.
        let reversed = x.get(s![..;-1])?;
        let far =
            ivy::while_loop(|y| ivy::less(y, 20.0), |y| (y + 1.0 + ivy::abs(&reversed)?).ok(), x.clone())?;
        assert!(ivy::min(&far, ())?.item::<f32>()? >= 20.0);
        Ok(())
    });
}

#[test]
fn what_is_wrong_has_its_error() {
    everywhere(|| {
        let x = floats(5)?;
        let error = |r: ivy::Result<[Array; 2]>| r.unwrap_err();
        let vars = || [x.clone(), x.clone()];
        let wide = error(ivy::while_loop(
            |[x, _]| ivy::less(x, 3.0),
            |[x, y]| Ok([x.clone(), ivy::astype(y, Dtype::FLOAT64)?]),
            vars(),
        ));
        assert!(matches!(wide.kind(), ErrorKind::VariableChanged { variable: 1, .. }), "{wide}");
        let text = "while_loop: variable 1 is float32 (5,) and becomes float64 (5,); its dtype and shape stay the same: \
            give it as float32 (`astype`), or begin with float64";
        assert_eq!(wide.to_string(), text);
        let short = error(ivy::while_loop(
            |[x, _]| ivy::less(x, 3.0),
            |[x, y]| Ok([x.get(s![..2])?, y.clone()]),
            vars(),
        ));
        assert!(matches!(short.kind(), ErrorKind::VariableChanged { variable: 0, .. }), "{short}");
        let text = "while_loop: variable 0 is float32 (5,) and becomes float32 (2,); its dtype and shape stay the same: \
            give it with the shape (5,), or begin with (2,)";
        assert_eq!(short.to_string(), text);
        // Where it is not recorded; the counter is no variable of the caller's.
        let sorted =
            ivy::for_loop(0..9, |_, x: &Array| ivy::astype(&ivy::sort(x, ())?, Dtype::FLOAT16), x.clone());
        let text = "for_loop: variable 0 is float32 (5,) and becomes float16 (5,); its dtype and shape stay the same: \
            give it as float32 (`astype`), or begin with float16";
        assert_eq!(sorted.unwrap_err().to_string(), text);
        let number = error(ivy::while_loop(|[x, _]| Ok(x.clone()), |v| Ok(v.clone()), vars()));
        assert!(matches!(number.kind(), ErrorKind::DtypeMismatch { .. }), "{number}");
        let apart = error(ivy::while_loop(|_| ivy::less(floats(3)?, 0.0), |v| Ok(v.clone()), vars()));
        assert!(matches!(apart.kind(), ErrorKind::BroadcastShapes { .. }), "{apart}");
        let fewer =
            ivy::while_loop(|v: &Vec<Array>| ivy::less(&v[0], 3.0), |v| Ok(v[..1].to_vec()), vars().to_vec());
        assert!(matches!(fewer.unwrap_err().kind(), ErrorKind::InvalidArgument { .. }));
        let other = ivy::if_else(
            |x| ivy::less(x, 0.0),
            |x| Ok(x.clone()),
            |x| ivy::astype(x, Dtype::INT32),
            x.clone(),
        );
        let other = other.unwrap_err();
        assert!(matches!(other.kind(), ErrorKind::VariableChanged { variable: 0, .. }), "{other}");
        let text = "if_else: variable 0 is float32 (5,) and becomes int32 (5,); its dtype and shape stay the same: \
            give it as float32 (`astype`), or begin with int32";
        assert_eq!(other.to_string(), text);
        // An error of the body is the loop's.
        let wrong = error(ivy::while_loop(
            |[x, _]| ivy::less(x, 3.0),
            |[x, _]| Ok([x.get(s![9])?, x.clone()]),
            vars(),
        ));
        assert!(matches!(wrong.kind(), ErrorKind::IndexOutOfRange { .. }), "{wrong}");
        Ok(())
    });
}

#[test]
fn a_switch_takes_each_element_to_its_branch() {
    everywhere(|| {
        let x = floats(9)?;
        let values = x.to_vec::<f32>()?;
        type Part<'f> = &'f dyn Fn(&Array) -> ivy::Result<Array>;
        let branches: [Part<'_>; 5] =
            [&|x| ivy::negative(x), &|x| (x + 10.0).ok(), &|x| ivy::square(x), &|x| Ok(x.clone()), &|x| {
                ivy::while_loop(|x| ivy::less(x, 100.0), |x| (x * 2.0 + 50.0).ok(), x.clone())
            }];
        let one = |number: usize, x: f32| match number {
            0 => -x,
            1 => x + 10.0,
            2 => x * x,
            3 => x,
            _ => {
                let mut x = x;
                while x < 100.0 {
                    x = x * 2.0 + 50.0;
                }
                x
            }
        };
        for count in 1..=branches.len() {
            let numbers = (0..9).map(|i| i as usize * 7 % count);
            let want: Vec<f32> = numbers.clone().zip(&values).map(|(n, &x)| one(n, x)).collect();
            // Of several widths, and counted from the end.
            for dtype in [Dtype::INT8, Dtype::UINT64, Dtype::INT32] {
                let from_end = if dtype == Dtype::INT32 { count as i64 } else { 0 };
                let index: Vec<i64> = numbers.clone().map(|n| n as i64 - from_end).collect();
                let index = ivy::astype(&Array::from_vec(index, 9)?, dtype)?;
                let got = ivy::switch(&index, &branches[..count], x.clone())?;
                assert_eq!(got.to_vec::<f32>()?, want, "{count} {dtype}");
            }
            // One for all: an array without axes, and a number.
            let last = ivy::asarray(count as i64 - 1, ())?;
            let want: Vec<f32> = values.iter().map(|&x| one(count - 1, x)).collect();
            assert_eq!(ivy::switch(&last, &branches[..count], x.clone())?.to_vec::<f32>()?, want);
            assert_eq!(ivy::switch(-1, &branches[..count], x.clone())?.to_vec::<f32>()?, want);
        }
        // Of more axes, which broadcast.
        let (rows, columns) = (ivy::reshape(&x, [3, 3], ())?, Array::try_from([[0i32], [2], [1]])?);
        let got = ivy::switch(&columns, &branches[..3], rows)?.to_vec::<f32>()?;
        let want = values.iter().enumerate().map(|(i, &x)| one([0, 2, 1][i / 3], x));
        assert_eq!(got, want.collect::<Vec<f32>>());
        // In a loop, where the index changes.
        let [y, _] = ivy::while_loop(
            |[_, n]| ivy::less(n, 7),
            |[x, n]| Ok([ivy::switch(ivy::remainder(n, 3)?, &branches[..3], x.clone())?, (n + 1).ok()?]),
            [x.clone(), ivy::zeros_like(&x, Dtype::INT32)?],
        )?;
        let seven = |x: f32| (0..7).fold(x, |x, n| one(n % 3, x));
        assert_eq!(y.to_vec::<f32>()?, values.iter().map(|&x| seven(x)).collect::<Vec<f32>>());
        Ok(())
    });
}

#[test]
fn a_switch_refuses_what_is_no_index() {
    everywhere(|| {
        let x = floats(3)?;
        let same = |x: &Array| -> ivy::Result<Array> { Ok(x.clone()) };
        for count in [1, 2, 3] {
            let branches: Vec<ivy::Branch<'_, Array, Array>> = (0..count).map(|_| &same as _).collect();
            let outside = Array::try_from([0i32, -count, count])?;
            let error = ivy::switch(&outside, &branches, x.clone()).and_then(|y| y.to_host()).unwrap_err();
            let length = count as usize;
            match error.kind() {
                ErrorKind::IndexOutOfRange { function, index, length: of, position, .. } => {
                    assert_eq!((*function, *index, *of), ("switch", count.into(), length), "{error}");
                    assert!(position.is_none_or(|at| at == 2), "{error}");
                }
                _ => panic!("{error}"),
            }
            let error = ivy::switch(-count - 1, &branches, x.clone()).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::IndexOutOfRange { function: "switch", .. }), "{error}");
            let real = ivy::switch(&x, &branches, x.clone()).unwrap_err();
            assert_eq!(real.to_string(), "switch: index is float32, int64 is needed");
            let real = ivy::switch(0.5, &branches, x.clone()).unwrap_err();
            assert!(matches!(real.kind(), ErrorKind::DtypeMismatch { .. }), "{real}");
        }
        let none = ivy::switch::<Array, Array>(0, &[], x.clone()).unwrap_err();
        assert!(matches!(none.kind(), ErrorKind::InvalidArgument { argument: "branches", .. }), "{none}");
        let wide = |x: &Array| ivy::astype(x, Dtype::FLOAT64);
        let differ = ivy::switch(ivy::zeros_like(&x, Dtype::INT32)?, &[&same, &wide], x.clone()).unwrap_err();
        assert!(matches!(differ.kind(), ErrorKind::VariableChanged { variable: 0, .. }), "{differ}");
        Ok(())
    });
}

#[test]
fn what_fails_has_something_else_instead() {
    everywhere(|| {
        let x = floats(4)?;
        // At the call, and where the elements are read.
        for at in [4, -5, 3] {
            let index = ivy::add(Array::try_from([0i64, at])?, 0)?;
            let y = ivy::try_except(
                |x: &Array| ivy::take(x, &index, ()),
                |x, error| match error.kind() {
                    ErrorKind::IndexOutOfRange { index, .. } => ivy::full([2], *index as f64, x.dtype()),
                    _ => Err(error),
                },
                x.clone(),
            )?;
            let want = if at == 3 { vec![-4.0, 0.37 * 3.0 - 4.0] } else { vec![at as f32; 2] };
            assert_eq!(y.to_vec::<f32>()?, want);
        }
        let other = ivy::try_except(
            |x: &Array| ivy::reshape(x, [3], ()),
            |x, error| if x.ndim() == 1 { Err(error) } else { Ok(x.clone()) },
            x.clone(),
        );
        assert!(matches!(
            other.unwrap_err().kind(),
            ErrorKind::InvalidArgument { .. } | ErrorKind::ShapeMismatch { .. }
        ));
        // In a loop: it is tried in each iteration.
        let y = ivy::for_loop(
            0..6,
            |i, x: &Array| {
                ivy::try_except(|x: &Array| ivy::add(x, x.get(s![i])?), |x, _| ivy::add(x, 100.0), x.clone())
            },
            x.clone(),
        )?;
        let mut want = x.to_vec::<f32>()?;
        for i in 0..6 {
            let more = want.get(i).copied().unwrap_or(100.0);
            want.iter_mut().for_each(|x| *x += more);
        }
        assert_eq!(y.to_vec::<f32>()?, want);
        Ok(())
    });
}

#[test]
fn a_loop_of_very_many_conditionals() {
    let run = || -> ivy::Result<()> {
        let x = floats(20)?;
        let halve = |x: &Array| -> ivy::Result<Array> {
            let one = |x: Array, _| {
                ivy::if_else(|x| ivy::less(x, 1.0), |x| ivy::add(x, 1.0), |x| ivy::multiply(x, 0.5), x)
            };
            (0..4000).try_fold(x.clone(), one)
        };
        let got = ivy::while_loop(|x| ivy::less(x, 0.0), halve, x)?;
        assert!(got.to_vec::<f32>()?.iter().all(|&x| (0.0..8.0).contains(&x)));
        Ok(())
    };
    for place in ["jit:interp", "jit:llvm"] {
        ivy::with_backend(place, run).unwrap().unwrap();
    }
}
