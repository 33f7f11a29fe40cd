//! Regions that other threads help with: each number is called once, none after the region, and a panic is the owner's.

use crate::support::pool;
use ivy_core::host::HostArray;
use ivy_core::{ConvOp, ReduceOp, interrupt};
use ivy_kernels::parallel::tasks;
use std::hint::spin_loop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

#[test]
fn every_number_is_called_once_and_within_the_region() {
    for threads in [1, 2, 5] {
        pool(threads).install(|| {
            for round in 0..300 {
                // Helpers come late, early, and after they have slept.
                if round % 100 == 0 {
                    thread::sleep(Duration::from_millis(2));
                }
                let calls: Vec<AtomicUsize> = (0..round % 40).map(|_| AtomicUsize::new(0)).collect();
                let inside = AtomicUsize::new(0);
                tasks(true, calls.len(), &|number| {
                    inside.fetch_add(1, Ordering::Relaxed);
                    (0..number * round % 500).for_each(|_| spin_loop());
                    calls[number].fetch_add(1, Ordering::Relaxed);
                    inside.fetch_sub(1, Ordering::Relaxed);
                });
                assert_eq!(inside.into_inner(), 0);
                assert!(
                    calls.into_iter().all(|calls| calls.into_inner() == 1),
                    "{threads} threads, round {round}"
                );
            }
        });
    }
}

#[test]
fn owners_are_helped_at_once_and_within_each_other() {
    let total = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                pool(3).install(|| {
                    for _ in 0..50 {
                        tasks(true, 6, &|_| tasks(true, 5, &|_| _ = total.fetch_add(1, Ordering::Relaxed)));
                    }
                });
            });
        }
    });
    assert_eq!(total.into_inner(), 3 * 50 * 30);
}

#[test]
fn a_panic_of_any_thread_is_the_owners() {
    pool(3).install(|| {
        for round in 0..90 {
            let count = 30;
            let done = catch_unwind(AssertUnwindSafe(|| {
                tasks(true, count, &|number| {
                    (0..round * 10).for_each(|_| spin_loop());
                    assert_ne!(number, round % count, "as it should");
                });
            }));
            let payload = done.unwrap_err();
            assert!(payload.downcast_ref::<String>().is_some_and(|text| text.contains("as it should")));
            // The helpers are there afterwards.
            let calls = AtomicUsize::new(0);
            tasks(true, count, &|_| _ = calls.fetch_add(1, Ordering::Relaxed));
            assert_eq!(calls.into_inner(), count);
        }
    });
}

#[test]
fn helpers_are_interrupted_as_their_owner_is() {
    pool(3).install(|| {
        let calls = AtomicUsize::new(0);
        let interrupted: Result<(), ivy_core::Error> = interrupt::watching(|| {
            tasks(true, 10_000, &|_| {
                if calls.fetch_add(1, Ordering::Relaxed) == 20 {
                    interrupt::request();
                }
                thread::yield_now();
            });
            Ok(())
        });
        assert!(interrupted.is_err() && calls.into_inner() < 10_000);
    });
}

/// Work that is worth several threads only while helpers look for it gives what one thread gives.
#[test]
fn what_is_shared_with_helpers_that_look_has_the_same_bits() {
    let x = |shape: &[usize], seed: usize| {
        let values = (0..shape.iter().product::<usize>()).map(|i| ((i * 37 + seed) as f32).sin()).collect();
        HostArray::from_vec::<f32>(values, shape.into()).unwrap()
    };
    let (a, b) = (x(&[90, 300], 1), x(&[300, 80], 2));
    let (images, windows) = (x(&[4, 8, 12, 12], 3), x(&[6, 8, 3, 3], 4));
    let compute = || -> Vec<Vec<f32>> {
        let transposed = ivy_kernels::layout::permute_dims(&a, &[1, 0]).unwrap();
        [
            ivy_kernels::matmul::matmul(a.view(), b.view()),
            ivy_kernels::conv::conv(&ConvOp::new(2), images.view(), windows.view()),
            ivy_kernels::reduce::reduce(ReduceOp::Sum, &[0], false, a.view()),
            ivy_kernels::reduce::reduce(ReduceOp::Sum, &[0, 2, 3], false, images.view()),
            ivy_kernels::to_contiguous(transposed.view()),
        ]
        .map(|result| result.unwrap().to_vec::<f32>().unwrap())
        .into()
    };
    let alone = pool(1).install(compute);
    pool(4).install(|| {
        for _ in 0..30 {
            tasks(true, 8, &|_| thread::yield_now());
            assert_eq!(compute(), alone);
        }
    });
}
