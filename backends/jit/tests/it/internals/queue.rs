//! The queue of launches.

use ivy_backend_jit::internals::{Queue, Task};
use std::sync::Arc;
use std::sync::Weak;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Needs some that were started before; every fifth one fails, every seventh panics.
struct Sum {
    queue: Weak<Queue<Sum>>,
    needs: Vec<u64>,
    done: Arc<Vec<AtomicU64>>,
}

impl Task for Sum {
    type Error = u64;

    fn run(&self, number: u64) -> Result<(), u64> {
        let of = |number: u64| self.done[number as usize].load(Ordering::Relaxed);
        for &before in &self.needs {
            self.queue.upgrade().unwrap().wait(before);
            assert_ne!(of(before), 0);
        }
        let sum = self.needs.iter().map(|&n| of(n)).fold(1, u64::wrapping_add);
        self.done[number as usize].store(sum.max(1), Ordering::Relaxed);
        assert_ne!(number % 7, 0, "on purpose");
        if number.is_multiple_of(5) { Err(number) } else { Ok(()) }
    }

    fn ended(&self, number: u64) {
        // What has panicked before it was done is done now.
        let _ = self.done[number as usize].compare_exchange(0, 1, Ordering::Relaxed, Ordering::Relaxed);
    }
}

fn start(queue: &Arc<Queue<Sum>>, done: &Arc<Vec<AtomicU64>>, choose: u64) -> u64 {
    let mut at = 0;
    queue.start(|number| {
        at = number;
        let far = [1, 2, 9, 17].into_iter().filter(|&far| number > far && !(choose + far).is_multiple_of(3));
        let needs = far.map(|far| number - far).collect();
        Some(Sum { queue: Arc::downgrade(queue), needs, done: done.clone() })
    });
    at
}

#[test]
fn each_is_done_once_after_what_it_needs() {
    const COUNT: u64 = 100;
    for round in 0..10 {
        let queue: Arc<Queue<Sum>> = Arc::default();
        let done: Arc<Vec<AtomicU64>> = Arc::new((0..=3 * COUNT).map(|_| AtomicU64::new(0)).collect());
        let is_done = |number: u64| done[number as usize].load(Ordering::Relaxed) > 0;
        thread::scope(|scope| {
            for t in 0..3 {
                let (queue, done, is_done) = (&queue, &done, &is_done);
                scope.spawn(move || {
                    let mut own = Vec::new();
                    for i in 0..COUNT {
                        own.push(start(queue, done, i + round));
                        let some = own[i as usize * 7 % own.len()];
                        if (i + t) % 4 == 0 {
                            queue.wait(some);
                            assert!(is_done(some));
                        }
                        if i % 31 == 30 {
                            let _ = queue.finish();
                            assert!(own.iter().all(|&number| is_done(number)));
                        }
                    }
                });
            }
        });
        let _ = queue.finish();
        assert!(queue.is_idle() && queue.count() == 3 * COUNT && (1..=3 * COUNT).all(is_done));
        assert_eq!(queue.finish(), Ok(()));
        queue.close();
    }
}

#[test]
fn the_first_error_is_told_once() {
    let queue: Arc<Queue<Sum>> = Arc::default();
    let done: Arc<Vec<AtomicU64>> = Arc::new((0..20).map(|_| AtomicU64::new(0)).collect());
    (0..12).for_each(|i| _ = start(&queue, &done, i));
    assert_eq!((queue.finish(), queue.finish()), (Err(5), Ok(())));
    // What there is none of is not waited for.
    queue.wait(100);
    queue.start(|_| None);
    assert_eq!(queue.count(), 12);
    queue.close();
}
