//! Dispatch: plans are looked up, calls allocate little, handles never see other handles' writes.

use ivy::plan::plan_cache_stats;
use ivy::prelude::*;
use ivy::s;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations<T>(f: impl Fn() -> T) -> u64 {
    drop(f());
    let before = ALLOCATIONS.get();
    let result = f();
    let count = ALLOCATIONS.get() - before;
    drop(result);
    count
}

const BACKENDS: &[&str] =
    if cfg!(feature = "torch") { &["ndarray", "candle", "torch"] } else { &["ndarray", "candle"] };

fn pair(backend: &str, n: usize) -> (Array, Array) {
    ivy::with_backend(backend, || {
        Ok::<_, ivy::Error>((Array::from_vec(vec![1.5f32; n], n)?, Array::from_vec(vec![2.0f32; n], n)?))
    })
    .unwrap()
    .unwrap()
}

/// The second call of a kind goes straight to the backend: with the results and errors of the first.
#[test]
fn calls_with_scalars_are_the_same_by_the_short_way() {
    type Call = fn(&Array) -> ivy::Result<Array>;
    let calls: [Call; 12] = [
        |x| ivy::add(x, 2),
        |x| ivy::subtract(1, x),
        |x| ivy::multiply(x, 2.5),
        |x| ivy::divide(x, 2),
        |x| ivy::less(x, 3),
        |x| ivy::less(300, x),
        |x| ivy::equal(x, -1),
        |x| ivy::pow(x, 2),
        |x| ivy::pow(x, -1),
        |x| ivy::add(x, 1000),
        |x| ivy::maximum(x, 1e30),
        |x| ivy::logical_and(x, true),
    ];
    for backend in BACKENDS.iter().chain(&["jit:interp"]) {
        for dtype in [Dtype::FLOAT32, Dtype::INT8, Dtype::INT32, Dtype::UINT8, Dtype::BOOL, Dtype::FLOAT64] {
            let x = ivy::with_backend(backend, || ivy::asarray(vec![0i32, 1, 1, 0], ())).unwrap().unwrap();
            let x = ivy::astype(&x, dtype).unwrap();
            for (number, call) in calls.iter().enumerate() {
                let text = |r: ivy::Result<Array>| r.map_or_else(|e| e.to_string(), |y| format!("{y:#}"));
                let limited = ivy::Context::new().memory_limit(1 << 40).backend(x.backend());
                // With a limit, every call takes the general way.
                let want = ivy::with(&limited, || text(call(&x)));
                for _ in 0..3 {
                    assert_eq!(text(call(&x)), want, "{backend} {dtype} call {number}");
                }
            }
        }
    }
}

/// A tensor of the tape is an array and its origin in one block; the node that recording adds is a part of it.
#[test]
fn the_tape_allocates_once_an_operation() {
    use ivy::frontends::torch;
    let (x, y) = pair("ndarray", 1);
    let (p, q) = (torch::autograd::require_grad(&x).unwrap(), torch::autograd::require_grad(&y).unwrap());
    type Call = fn(&Array, &Array) -> ivy::Result<torch::Tensor>;
    let calls: [(&str, Call); 3] = [
        ("add", |x, y| torch::add(x, y, ())),
        ("mul", |x, y| torch::mul(x, y, ())),
        ("exp", |x, _| torch::exp(x, ())),
    ];
    for (name, call) in calls {
        let plain = allocations(|| call(&x, &y).unwrap());
        let unrecorded = allocations(|| torch::autograd::no_grad(|| call(&p, &q).unwrap()));
        let recorded = allocations(|| call(&p, &q).unwrap());
        assert_eq!((unrecorded, recorded), (plain + 1, plain + 1), "{name}: {plain} of the plain call");
    }
}

#[test]
fn an_add_allocates_once_more_than_the_backends_own() {
    for n in [1, 1000] {
        let own = ndarray::ArrayD::<f32>::zeros(vec![n]);
        let limit = allocations(|| &own + &own) + 1;
        let (x, y) = pair("ndarray", n);
        let ours = allocations(|| ivy::add(&x, &y));
        assert!(ours <= limit, "ndarray, {n} elements: {ours} allocations, at most {limit}");

        let own = candle_core::Tensor::zeros(n, candle_core::DType::F32, &candle_core::Device::Cpu).unwrap();
        let limit = allocations(|| own.add(&own)) + 1;
        let (x, y) = pair("candle", n);
        let ours = allocations(|| ivy::add(&x, &y));
        assert!(ours <= limit, "candle, {n} elements: {ours} allocations, at most {limit}");

        // libtorch's own are not Rust's; `backends/torch/tests/allocations.rs` counts them, too.
        if BACKENDS.contains(&"torch") {
            let (x, y) = pair("torch", n);
            let ours = allocations(|| ivy::add(&x, &y));
            assert!(ours <= 1, "torch, {n} elements: {ours} allocations, at most 1");
        }
    }
}

#[test]
fn repetition_makes_no_plan_anew() {
    for &backend in BACKENDS {
        let (x, y) = pair(backend, 4);
        let work = || {
            let z = ivy::add(&x, &y).unwrap();
            let z = ivy::softmax((&z * 2 + 1.5).ok(), ()).unwrap();
            ivy::sum(&z, Sum::new().axis(0)).unwrap()
        };
        work();
        let before = plan_cache_stats();
        work();
        let after = plan_cache_stats();
        assert_eq!(after.misses, before.misses, "{backend}");
        assert!(after.hits > before.hits);
    }
}

#[test]
fn no_write_is_seen_through_another_handle() {
    for &backend in BACKENDS {
        let (x, _) = pair(backend, 4);
        let clone = x.clone();
        let view = x.get(s![1..3]).unwrap();
        let mut written = x.clone();
        written.set(s![..], 7).unwrap();
        let mut twice = view.clone();
        twice.set(s![0], 9).unwrap();
        assert_eq!(written.to_vec::<f32>().unwrap(), [7.0; 4], "{backend}");
        assert_eq!(x.to_vec::<f32>().unwrap(), [1.5; 4], "{backend}");
        assert_eq!(clone.to_vec::<f32>().unwrap(), [1.5; 4], "{backend}");
        assert_eq!(view.to_vec::<f32>().unwrap(), [1.5; 2], "{backend}");
        assert_eq!(twice.to_vec::<f32>().unwrap(), [9.0, 1.5], "{backend}");
        let mut e = Expr::from(&x);
        e += 1;
        e *= &x;
        assert_eq!(e.ok().unwrap().to_vec::<f32>().unwrap(), [3.75; 4], "{backend}");
        assert_eq!(x.to_vec::<f32>().unwrap(), [1.5; 4], "{backend}");
    }
}

#[test]
fn a_failed_write_changes_nothing() {
    for &backend in BACKENDS {
        let (mut x, _) = pair(backend, 4);
        let indices = ivy::with_backend(backend, || Array::try_from([0i64, 4])).unwrap().unwrap();
        assert!(x.set(s![&indices], 0).is_err());
        assert!(x.set(s![9], 0).is_err());
        assert!(x.set(s![..], num_complex::Complex64::new(0.0, 1.0)).is_err());
        assert_eq!(x.to_vec::<f32>().unwrap(), [1.5; 4], "{backend}");
        assert!(ivy::out(&mut x, ivy::sum(&indices, ())).is_err());
        assert_eq!(x.to_vec::<f32>().unwrap(), [1.5; 4], "{backend}");
    }
}

#[test]
fn the_first_error_of_an_expression_stays() {
    let (x, y) = pair("ndarray", 2);
    let (z, _) = pair("ndarray", 3);
    let error = ((&x + &z) * &y - 1).ok().unwrap_err();
    assert_eq!(error.to_string(), "add: shapes (2,), (3,) do not broadcast");
}
