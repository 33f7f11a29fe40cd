//! A system without memory: every request for much of it that a function makes is refused once, on every
//! backend, and what comes of it is the typed error, or the right result where the function can do without;
//! never the end of the process. Each backend's cases run in a process of their own.

use half::{bf16, f16};
use ivy::ErrorKind;
use ivy::backend::BackendRef;
use ivy::function::Axes;
use ivy::host::HostArray;
use ivy::prelude::*;
use ivy_backend_suite::in_part;
use ivy_tests::counted::{Counted, LIVE, PEAK};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Requests of this many bytes are refused; what is smaller is no array. Where a library below would end
/// the process, what it needs is asked for beforehand from a megabyte on.
static MUCH: AtomicUsize = AtomicUsize::new(32 << 10);

static WATCHED: AtomicBool = AtomicBool::new(false);
/// Requests for much since the watch began, and which of them is refused.
static REQUESTS: AtomicUsize = AtomicUsize::new(0);
static REFUSED: AtomicUsize = AtomicUsize::new(usize::MAX);
/// How many bytes there may be in use.
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// One request for much is refused, or all that go beyond a sum.
fn is_refused(size: usize) -> bool {
    if size < MUCH.load(Relaxed) || !WATCHED.load(Relaxed) {
        return false;
    }
    let refused = REQUESTS.fetch_add(1, Relaxed) == REFUSED.load(Relaxed);
    refused || LIVE.load(Relaxed).saturating_add(size) > LIMIT.load(Relaxed)
}

#[global_allocator]
static SCARCE: Counted = Counted(is_refused);

type Work = Box<dyn Fn() -> ivy::Result<Vec<Vec<u8>>>>;

/// What of a function is refused.
#[derive(Clone, Copy, PartialEq)]
enum Scarcity {
    /// One request after the other.
    Each,
    /// All beyond a part of what it takes: libraries below, which end the process where one is refused, are
    /// called where there is enough.
    Sum,
}
use Scarcity::{Each, Sum};

/// The elements' bytes.
fn bytes(array: &HostArray) -> ivy::Result<Vec<u8>> {
    Ok(ivy_kernels::to_contiguous(array.view())?.buffer().bytes().to_vec())
}

fn read(arrays: impl IntoIterator<Item = Array>) -> ivy::Result<Vec<Vec<u8>>> {
    let hosts = arrays.into_iter().map(|array| array.to_host()).collect::<ivy::Result<Vec<_>>>()?;
    WATCHED.store(false, Relaxed);
    hosts.iter().map(bytes).collect()
}

fn one(array: ivy::Result<Array>) -> ivy::Result<Vec<Vec<u8>>> {
    read([array?])
}

/// Enough for radix sorts, tasks of several threads and parts of long rows.
const LONG: usize = 1_200_000;

/// Numbers without order, small enough for all dtypes.
fn numbers(count: usize) -> impl Iterator<Item = u64> {
    (0..count as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 57)
}

fn floats(count: usize) -> Array {
    Array::from_vec(numbers(count).map(|n| n as f32 / 8.0).collect(), [count]).unwrap()
}

fn doubles(count: usize) -> Array {
    Array::from_vec(numbers(count).map(|n| n as f64 / 8.0 - 7.0).collect(), [count]).unwrap()
}

fn of_dtype(dtype: Dtype, shape: &[usize]) -> Array {
    let count = shape.iter().product();
    let flat = match dtype {
        Dtype::FLOAT16 => Array::from_vec(numbers(count).map(|n| f16::from_f64(n as f64)).collect(), [count]),
        Dtype::BFLOAT16 => {
            Array::from_vec(numbers(count).map(|n| bf16::from_f64(n as f64)).collect(), [count])
        }
        _ => ivy::astype(Array::from_vec(numbers(count).map(|n| n as u8).collect(), [count]).unwrap(), dtype),
    };
    shaped(flat.unwrap(), shape)
}

fn shaped(array: Array, shape: &[usize]) -> Array {
    let axes: Vec<i64> = shape.iter().map(|&len| len as i64).collect();
    ivy::reshape(array, Axes::from(&axes[..]), ()).unwrap()
}

/// A matrix that every decomposition takes: symmetric, its diagonal far greater than the rest.
fn matrix(n: usize) -> Array {
    let at = |i: usize| (i / n, i % n);
    let value =
        |(r, c): (usize, usize)| if r == c { n as f64 + r as f64 } else { ((r * c) % 7) as f64 / 7.0 };
    Array::from_vec((0..n * n).map(|i| value(at(i))).collect(), [n, n]).unwrap()
}

/// All that is tried, on the backend of the context, with arrays of about so many elements.
fn cases(backend: &BackendRef, n: usize) -> Vec<(String, Scarcity, Work)> {
    let mut all: Vec<(String, Scarcity, Work)> = Vec::new();
    let mut add = |name: &str, how: Scarcity, work: Work| all.push((name.into(), how, work));
    macro_rules! case {
        ($name:expr, $($x:ident = $of:expr),+ => $work:expr) => {{
            $(let $x = $of;)+
            add($name, Each, Box::new(move || one($work)));
        }};
    }
    let stored = |dtype: Dtype| backend.storage(dtype) != ivy::backend::Storage::None;
    for dtype in Dtype::all().filter(|&d| stored(d)) {
        if !dtype.is_bool() {
            case!(&format!("matmul {dtype}"), a = of_dtype(dtype, &[n / 260, 300]), b = of_dtype(dtype, &[300, 130]) =>
                ivy::matmul(&a, &b));
            case!(&format!("cumulative_sum {dtype}"), a = of_dtype(dtype, &[n / 200, 200]) =>
                ivy::cumulative_sum(&a, ivy::CumulativeSum::new().axis(0)));
        }
        if !dtype.is_complex() {
            case!(&format!("sort {dtype}"), a = of_dtype(dtype, &[n]) => ivy::sort(&a, ()));
            case!(&format!("argsort {dtype}"), a = of_dtype(dtype, &[n]) => ivy::argsort(&a, ()));
        }
        let a = of_dtype(dtype, &[n]);
        add(
            &format!("unique {dtype}"),
            Each,
            Box::new(move || {
                let all = ivy::unique_all(&a)?;
                read([all.values, all.indices, all.inverse_indices, all.counts])
            }),
        );
        case!(&format!("{dtype} to others"), a = of_dtype(dtype, &[40, n / 40]) => {
            let to = if dtype.is_complex() { Dtype::COMPLEX64 } else { Dtype::FLOAT32 };
            ivy::astype(ivy::matrix_transpose(&a)?, to)
        });
    }
    case!("products of a stack", a = of_dtype(Dtype::INT16, &[n / 3, 2, 2]), b = of_dtype(Dtype::INT16, &[n / 3, 2, 2]) =>
        ivy::matmul(&a, &b));
    case!("sort down columns", a = shaped(floats(n), &[n / 6, 6]) => ivy::sort(&a, ivy::Sort::new().axis(0)));
    case!("sort of many", a = floats(LONG) => ivy::sort(&a, ()));
    case!("argsort of many", a = floats(LONG) => ivy::argsort(&a, ()));
    case!("sum of all", a = floats(LONG) => ivy::sum(&a, ()));
    case!("row sums", a = shaped(floats(LONG), &[LONG / 50, 50]) => ivy::sum(&a, ivy::Sum::new().axis(1)));
    case!("column sums", a = shaped(floats(LONG), &[300, LONG / 300]) => ivy::sum(&a, ivy::Sum::new().axis(0)));
    case!("long columns", a = shaped(doubles(LONG), &[LONG / 40, 40]) => ivy::sum(&a, ivy::Sum::new().axis(0)));
    case!("transposed sums", a = shaped(doubles(LONG), &[LONG / 40, 40]) =>
        ivy::sum(ivy::matrix_transpose(&a)?, ivy::Sum::new().axis(1)));
    case!("folds of work", a = floats(LONG) => ivy::sum(ivy::exp(ivy::negative(&a)?)?, ()));
    case!("mean", a = floats(LONG) => ivy::mean(&a, ()));
    // The engine writes what is held the second time; without memory for that it is computed where it is needed.
    let a = floats(n);
    add(
        "what is held",
        Each,
        Box::new(move || {
            let held = ivy::sqrt(&a)?;
            ivy::sum(ivy::multiply(&held, 2.0)?, ())?.item::<f32>()?;
            one(ivy::sum(ivy::add(&held, 1.0)?, ()))
        }),
    );
    case!("var", a = shaped(floats(LONG), &[30, LONG / 30]) => ivy::var(&a, ivy::Var::new().axis(1)));
    case!("max", a = floats(LONG) => ivy::max(&a, ()));
    case!("argmax", a = floats(LONG) => ivy::argmax(&a, ()));
    case!("argmax down columns", a = shaped(floats(n), &[n / 60, 60]) => ivy::argmax(&a, ivy::ArgMax::new().axis(0)));
    case!("any", a = of_dtype(Dtype::BOOL, &[LONG]) => ivy::any(&a, ()));
    case!("softmax", a = shaped(floats(LONG), &[30, LONG / 30]) => ivy::softmax(&a, ivy::Softmax::new().axis(1)));
    case!("cumulative_prod", a = shaped(doubles(n), &[60, n / 60]) =>
        ivy::cumulative_prod(&a, ivy::CumulativeProd::new().axis(1)));
    case!("element by element", a = floats(n), b = floats(n) => ivy::add(&a * &b, 1.0));
    case!("where", a = floats(n), b = of_dtype(Dtype::BOOL, &[n]) => ivy::where_(&b, &a, 0.0));
    case!("roll", a = floats(n) => ivy::roll(&a, 7, ()));
    case!("concat", a = floats(n), b = floats(n) => ivy::concat([&a, &b], ()));
    case!("tile", a = floats(n) => ivy::tile(&a, [3]));
    case!("repeat", a = floats(n) => ivy::repeat(&a, 3, ()));
    let places = |count: usize| {
        Array::from_vec((0..count as i64).map(|i| i * 7 % 5000 - 2500).collect(), [count]).unwrap()
    };
    case!("take", a = floats(n), i = places(n) => ivy::take(&a, &i, ()));
    case!("take of rows", a = shaped(floats(n), &[6, n / 6]), i = Array::from_vec((0..n as i64 / 3).map(|i| i % 4000).collect(), [n / 3]).unwrap() =>
        ivy::take(&a, &i, ivy::Take::new().axis(1)));
    case!("scatter", a = floats(n), i = places(n), u = floats(n) =>
        ivy::scatter_flat(&i, &u, ivy::ScatterFlat::new().size(n)).and_then(|s| ivy::add(&a, s)));
    let numbers = |dtype| of_dtype(dtype, &[n]);
    case!("scatter_inc", a = numbers(Dtype::INT32), i = places(n) =>
        ivy::scatter_inc(&a, &i, ()).map(|done| done.old));
    case!("scatter_exch", a = floats(n), u = shaped(floats(n), &[2, n / 2]), i = places(n) =>
        ivy::scatter_exch(&a, ivy::reshape(ivy::matrix_transpose(&u)?, [n as i64], ())?, &i, ()).map(|done| done.old));
    case!("scatter_cas", a = floats(n), i = places(n) =>
        ivy::scatter_cas(&a, 1.0, 2.0, &i, ()).map(|done| done.target));
    case!("searchsorted", a = ivy::sort(floats(n), ()).unwrap(), b = floats(n) => ivy::searchsorted(&a, &b, ()));
    case!("mask", a = floats(n), m = of_dtype(Dtype::BOOL, &[n]) => a.get(ivy::s![&m]));
    let a = shaped(floats(n), &[n / 6, 6]);
    add("nonzero", Each, Box::new(move || read(ivy::nonzero(&a)?)));
    let a = floats(n);
    add(
        "to_vec",
        Each,
        Box::new(move || {
            let values = a.to_vec::<f32>();
            WATCHED.store(false, Relaxed);
            Ok(vec![values?.iter().flat_map(|x| x.to_le_bytes()).collect()])
        }),
    );
    let mut file = Vec::new();
    ivy::io::write_npy(&mut file, &doubles(n).to_host().unwrap()).unwrap();
    let own = backend.clone();
    add(
        "npy",
        Each,
        Box::new(move || {
            let host = ivy::io::read_npy(&file[..], "a file")?;
            one(Array::from_host(&own, host))
        }),
    );
    for n in [200_000, 200_003] {
        let a = doubles(n);
        add(
            &format!("fft of {n}"),
            Sum,
            Box::new(move || one(ivy::fft::fft(ivy::astype(&a, Dtype::COMPLEX128)?, ()))),
        );
        let a = doubles(n);
        add(&format!("rfft of {n}"), Sum, Box::new(move || one(ivy::fft::rfft(&a, ()))));
    }
    let a = matrix(320);
    macro_rules! decomposed {
        ($($name:literal: $work:expr;)*) => {$(
            let x = a.clone();
            let work = $work;
            add($name, Sum, Box::new(move || work(&x)));
        )*};
    }
    decomposed! {
        "svd": |x: &Array| ivy::linalg::svd(x, ()).and_then(|d| read([d.u, d.s, d.vh]));
        "svdvals": |x: &Array| one(ivy::linalg::svdvals(x));
        "qr": |x: &Array| ivy::linalg::qr(x, ()).and_then(|d| read([d.q, d.r]));
        "eigh": |x: &Array| ivy::linalg::eigh(x).and_then(|d| read([d.eigenvalues, d.eigenvectors]));
        "eig": |x: &Array| ivy::linalg::eig(x).and_then(|d| read([d.eigenvalues, d.eigenvectors]));
        "inv": |x: &Array| one(ivy::linalg::inv(x));
        "solve": |x: &Array| one(ivy::linalg::solve(x, x));
        "det": |x: &Array| one(ivy::linalg::det(x));
        "cholesky": |x: &Array| one(ivy::linalg::cholesky(x, ()));
    }
    all
}

/// Runs a case with `REFUSED` and `LIMIT` as they are; what was asked for, and whether something was refused.
fn attempt(work: &Work) -> (ivy::Result<Vec<Vec<u8>>>, usize, usize) {
    REQUESTS.store(0, Relaxed);
    PEAK.store(LIVE.load(Relaxed), Relaxed);
    WATCHED.store(true, Relaxed);
    let done = work();
    WATCHED.store(false, Relaxed);
    (done, REQUESTS.load(Relaxed), PEAK.load(Relaxed))
}

/// One case with one scarcity after the other.
fn scarce(name: &str, how: Scarcity, work: &Work) {
    REFUSED.store(usize::MAX, Relaxed);
    // Kernels are compiled, and threads begun, before anything is refused.
    let want = work().unwrap_or_else(|error| panic!("{name}: {error}"));
    let before = LIVE.load(Relaxed);
    let (whole, requests, peak) = attempt(work);
    assert!(whole.unwrap() == want, "{name}: once more");
    let times = if how == Each { requests + 2 } else { 8 };
    for time in 0..times {
        match how {
            Each => REFUSED.store(time, Relaxed),
            Sum => {
                LIMIT.store(before + (peak - before) * time / (times - 1), Relaxed);
                MUCH.store(1 << 20, Relaxed);
            }
        }
        let (done, ..) = attempt(work);
        MUCH.store(32 << 10, Relaxed);
        LIMIT.store(usize::MAX, Relaxed);
        REFUSED.store(usize::MAX, Relaxed);
        match done {
            Ok(got) => assert!(got == want, "{name}: {time} of {times} refused, and another result"),
            Err(error) => {
                let memory = matches!(error.kind(), ErrorKind::MemoryLimit { .. });
                assert!(memory, "{name}: {time} of {times} refused: {error}");
            }
        }
    }
    assert!(work().unwrap() == want, "{name}: after all of it");
}

const CHILD: &str = "IVY_TEST_NO_MEMORY";

/// What a child does: the cases of a backend from a number on.
#[test]
fn child() {
    let Ok(task) = std::env::var(CHILD) else { return };
    let (place, first) = task.split_once(' ').unwrap();
    ivy::host::set_pool_limit(0);
    // candle asks for memory by itself.
    let (n, asks) = if place == "candle" { (600_000, true) } else { (24_000, false) };
    let backend = ivy::backend::backend(place).unwrap();
    ivy::with(&Context::new().backend(backend.clone()), || {
        let all = cases(&backend, n);
        let left = all.iter().enumerate().skip(first.parse().unwrap()).filter(|&(number, _)| in_part(number));
        for (number, (name, how, work)) in left {
            eprintln!("CASE {number} {name}");
            scarce(name, if asks { Sum } else { *how }, work);
        }
        eprintln!("CASES DONE");
    });
}

/// Runs a backend's cases, in as many processes as it takes; gives those that failed, and what was said.
fn failures(place: &str) -> Vec<String> {
    let (mut first, mut failed) = (0, Vec::new());
    loop {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "child", "--nocapture", "--test-threads=1"])
            .env(CHILD, format!("{place} {first}"))
            .env("IVY_JIT_CACHE", "off")
            // Kernels are made before memory is scarce, not when one has run often enough.
            .env("IVY_JIT_TIERED", "off")
            .env("RUST_BACKTRACE", "0")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&child.stderr).into_owned();
        if said.contains("CASES DONE") {
            return failed;
        }
        let last = said.lines().rfind(|line| line.starts_with("CASE ")).unwrap_or_else(|| panic!("{said}"));
        let number: usize = last.split(' ').nth(1).unwrap().parse().unwrap();
        let text: Vec<&str> = said.lines().skip_while(|line| *line != last).collect();
        failed.push(format!("{place}: {}", text.join("\n    ")));
        first = number + 1;
    }
}

fn check(place: &str) {
    let failed = failures(place);
    assert!(failed.is_empty(), "{} cases failed:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn ndarray() {
    check("ndarray");
}

#[test]
fn jit_interp() {
    check("jit:interp");
}

#[test]
fn jit_llvm() {
    check("jit:llvm");
}

#[test]
fn candle() {
    check("candle");
}
