//! Scatters whose updates are sorted by ranges of places: the bits of one update after the other.

use crate::support::{array, floats, pool, reversed, seeds};
use ivy_core::host::{Element, HostArray};
use ivy_core::{ErrorKind, ScatterOp, interrupt};
use ivy_kernels::{scatter, scatter_in_place, to_contiguous};
use num_complex::Complex32;
use std::ops::Add;

/// Sums of updates of rows of a length, by their definition.
fn one_after_the_other<T: Copy + Add<Output = T>>(
    x: &[T],
    updates: &[T],
    places: &[usize],
    row: usize,
) -> Vec<T> {
    let mut sums = x.to_vec();
    for (&place, update) in places.iter().zip(updates.chunks(row)) {
        let to = &mut sums[place * row..][..row];
        to.iter_mut().zip(update).for_each(|(to, &update)| *to = *to + update);
    }
    sums
}

fn check<T: Element + Add<Output = T> + PartialEq>(
    of: impl Fn(f64) -> T,
    [length, count, row]: [usize; 3],
    at: impl Fn(u64) -> u64,
) {
    let numbers =
        |count: usize, seed| floats(count, seed).into_iter().map(|x| of(x - 0.5)).collect::<Vec<T>>();
    let (x, updates) = (numbers(length * row, 1), numbers(count * row, 2));
    let places: Vec<usize> = seeds(count, 3).into_iter().map(|s| at(s) as usize % length).collect();
    let expected = one_after_the_other(&x, &updates, &places, row);
    let (own, given): (&[usize], &[usize]) =
        if row == 1 { (&[length], &[count]) } else { (&[length, row], &[count, row]) };
    let (x, updates) = (array(&x, own), array(&updates, given));
    // Every third counts from the end.
    let from_end = |(i, &place): (usize, &usize)| place as i64 - if i % 3 == 0 { length as i64 } else { 0 };
    let signed: Vec<i64> = places.iter().enumerate().map(from_end).collect();
    let indices = [
        array(&signed, &[count]),
        array(&signed.iter().map(|&i| i as i32).collect::<Vec<_>>(), &[count]),
        array(&places.iter().map(|&i| i as u32).collect::<Vec<_>>(), &[count]),
    ];
    // What has its elements in the opposite order in memory.
    let opposite = |x: &HostArray| reversed(&to_contiguous(reversed(x).view()).unwrap());
    let backwards = opposite(&updates);
    for threads in [1, 2, 5] {
        for (index, updates) in indices.iter().zip([&updates, &backwards, &updates]) {
            let what = || format!("{length} {count} {row} on {threads}, {}", index.dtype());
            let add = || scatter(ScatterOp::Add, x.view(), updates.view(), &[index.view()]).unwrap();
            assert!(pool(threads).install(add).to_vec::<T>().unwrap() == expected, "{}", what());
            let mut own = opposite(&x);
            let add = || scatter_in_place(ScatterOp::Add, &mut own, updates.view(), &[index.view()]);
            pool(threads).install(add).unwrap();
            assert!(own.to_vec::<T>().unwrap() == expected, "in place, {}", what());
        }
    }
}

#[test]
fn sums_at_random_places() {
    for length in [3, 1000, 70_000, 600_000] {
        check(|x| x as f32, [length, 150_000, 1], |s| s);
    }
    check(|x| x, [70_000, 70_000, 1], |s| s);
    check(|x| Complex32::new(x as f32, 1.0), [70_000, 70_000, 1], |s| s);
    check(|x| (x * 99.0) as i32, [300_000, 70_001, 1], |s| s);
    // Rows.
    check(|x| x as f32, [5000, 70_000, 3], |s| s);
    // More than caches have, for one thread as well, and several windows.
    check(|x| x as f32, [2_200_000, 600_000, 1], |s| s);
}

#[test]
fn sums_at_few_places_and_near_ones() {
    // All at one place, most of them in one range, and two clusters.
    check(|x| x as f32, [70_000, 70_000, 1], |_| 7);
    check(|x| x as f32, [400_000, 70_000, 1], |s| if s % 4 == 0 { s >> 3 } else { 399_999 });
    check(|x| x as f32, [400_000, 300_000, 1], |s| s % 500 + s % 2 * 300_000);
}

/// Two index arrays, one of which is broadcast; of several updates of a place the last stays.
#[test]
fn the_last_update_of_two_axes_stays() {
    let (rows, columns, count) = (300, 700, 400);
    let places = |count, below: usize, seed| {
        seeds(count, seed).into_iter().map(|s| (s % below as u64) as i64).collect::<Vec<_>>()
    };
    let (first, second) = (places(count * count, rows, 5), places(count, columns, 6));
    let updates: Vec<i32> = (0..(count * count) as i32).collect();
    let mut expected = vec![-1; rows * columns];
    for (i, &update) in updates.iter().enumerate() {
        expected[first[i] as usize * columns + second[i % count] as usize] = update;
    }
    let x = array(&vec![-1i32; rows * columns], &[rows, columns]);
    let indices = [array(&first, &[count, count]), array(&second, &[count])];
    let updates = array(&updates, &[count, count]);
    for threads in [1, 2, 5] {
        let set =
            || scatter(ScatterOp::Set, x.view(), updates.view(), &[indices[0].view(), indices[1].view()]);
        assert!(pool(threads).install(set).unwrap().to_vec::<i32>().unwrap() == expected, "{threads}");
    }
}

/// An index out of range among many is found by whichever thread, and the first one is told.
#[test]
fn the_first_index_out_of_range_is_told() {
    let mut places = vec![3u32; 200_000];
    (places[150_001], places[190_000]) = (70_000, 80_000);
    let (x, updates) = (array(&vec![1f32; 70_000], &[70_000]), array(&vec![1f32; 200_000], &[200_000]));
    let index = array(&places, &[200_000]);
    for threads in [1, 5] {
        let mut own = to_contiguous(x.view()).unwrap();
        let add = || scatter_in_place(ScatterOp::Add, &mut own, updates.view(), &[index.view()]);
        let error = pool(threads).install(add).unwrap_err();
        let first = matches!(
            error.kind(),
            ErrorKind::IndexOutOfRange { index: 70_000, position: Some(150_001), length: 70_000, .. }
        );
        assert!(first, "{error}");
        assert!(own.to_vec::<f32>().unwrap() == x.to_vec::<f32>().unwrap());
    }
    let narrow = array(&[0i16], &[1]);
    let error = scatter(ScatterOp::Add, x.view(), array(&[1f32], &[1]).view(), &[narrow.view()]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::DtypeMismatch { argument: "indices", .. }), "{error}");
}

#[test]
fn an_interrupt_is_an_error() {
    let (x, updates) = (array(&vec![1f32; 3_000_000], &[3_000_000]), array(&vec![1f32; 300_000], &[300_000]));
    let index = array(&(0..300_000u32).map(|i| i * 7 % 3_000_000).collect::<Vec<_>>(), &[300_000]);
    for threads in [1, 3] {
        let interrupted: ivy_core::Result<HostArray> = pool(threads).install(|| {
            interrupt::watching(|| {
                interrupt::request();
                scatter(ScatterOp::Add, x.view(), updates.view(), &[index.view()])
            })
        });
        assert!(matches!(interrupted.unwrap_err().kind(), ErrorKind::Interrupted { .. }));
    }
}
