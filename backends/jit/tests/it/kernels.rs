//! Kernels over the memory of arrays: what they compute on every target, what is refused, and whose memory is written to.

mod refused;

use crate::common::device;
use ivy_backend_jit::JitBackend;
use ivy_backend_jit::cache::Generator;
use ivy_backend_jit::codegen::llvm;
use ivy_backend_jit::kernel::{ArrayKernel, KernelBuilder, KernelError, LaunchArgument, Order};
use ivy_backend_jit::runtime::cuda::Kept;
use ivy_core::backend::BackendRef;
use ivy_core::host::{Element, HostArray};
use ivy_core::{Array, Dtype, Shape};
use std::sync::{Arc, OnceLock};

/// The interpreter, LLVM, and the device of tests unless none is wanted.
fn backends() -> &'static [(&'static str, BackendRef)] {
    static ALL: OnceLock<Vec<(&'static str, BackendRef)>> = OnceLock::new();
    ALL.get_or_init(|| {
        let llvm = llvm::llvm().unwrap_or_else(|missing| panic!("these tests need a libLLVM: {missing}"));
        let mut all = vec![
            ("interp", BackendRef::new(JitBackend::new(Generator::Interp))),
            ("llvm", BackendRef::new(JitBackend::new(Generator::Llvm(llvm)))),
        ];
        if !crate::effects::host_only() {
            all.push(("cuda", BackendRef::new(JitBackend::on_device(Arc::new(Kept::new(device::device()))))));
        }
        all
    })
}

fn array<T: Element>(backend: &BackendRef, values: &[T]) -> Array {
    let host = HostArray::from_vec(values.to_vec(), Shape::from([values.len()])).unwrap();
    Array::from_host(backend, host).unwrap()
}

fn histogram() -> ArrayKernel {
    let k = KernelBuilder::new("histogram");
    let (x, counts) = (k.input("x", Dtype::INT64), k.inout("counts", Dtype::INT64));
    counts.atomic_add(x.load(k.element()), 1);
    k.build().unwrap()
}

#[test]
fn a_histogram_by_atomics() {
    let kernel = histogram();
    assert!(!kernel.is_serial());
    let values: Vec<i64> = (0..5000).map(|i| i * i % 37).collect();
    let mut want = [0i64; 40];
    values.iter().for_each(|&x| want[x as usize] += 1);
    for (name, backend) in backends() {
        let (x, mut counts) = (array(backend, &values), array(backend, &[0i64; 40]));
        kernel.launch(0..5000, [(&x).into(), (&mut counts).into()]).unwrap();
        assert_eq!(counts.to_vec::<i64>().unwrap(), want, "{name}");
    }
}

#[test]
fn prefix_sums_in_blocks() {
    let k = KernelBuilder::new("prefix_sums").block(16);
    let (x, sums) = (k.input("x", Dtype::FLOAT32), k.inout("sums", Dtype::FLOAT32));
    let (i, shared) = (k.element(), k.shared(Dtype::FLOAT32, 32));
    let place = &i % 16 + 16;
    shared.store(&place, x.load(&i));
    k.barrier();
    for distance in [1, 2, 4, 8] {
        let sum = shared.load(&place) + shared.load(&place - distance);
        k.barrier();
        shared.store(&place, sum);
        k.barrier();
    }
    sums.store(&i, shared.load(&place));
    let kernel = k.build().unwrap();
    let values: Vec<f32> = (0..96).map(|i| (i % 7) as f32).collect();
    let sum = |block: &[f32]| {
        block
            .iter()
            .scan(0f32, |sum, x| {
                *sum += x;
                Some(*sum)
            })
            .collect::<Vec<_>>()
    };
    let want: Vec<f32> = values.chunks(16).flat_map(sum).collect();
    for (name, backend) in backends() {
        let (x, mut sums) = (array(backend, &values), array(backend, &[0f32; 96]));
        kernel.launch(0..96, [(&x).into(), (&mut sums).into()]).unwrap();
        assert_eq!(sums.to_vec::<f32>().unwrap(), want, "{name}");
        let error = kernel.launch(0..50, [(&x).into(), (&mut sums).into()]).unwrap_err();
        assert_eq!(error.to_string(), "prefix_sums: range = 0..50: a range has whole blocks of elements");
    }
}

#[test]
fn a_gauss_seidel_sweep() {
    let k = KernelBuilder::new("sweep").order(Order::Serial);
    let (x, b) = (k.inout("x", Dtype::FLOAT64), k.input("b", Dtype::FLOAT64));
    let i = k.element();
    x.store(&i, (x.load(&i - 1) + x.load(&i + 1) + b.load(&i)) / 2.0);
    let kernel = k.build().unwrap();
    assert!(kernel.is_serial());
    let mut want = [0f64; 30];
    for _ in 0..20 {
        for i in 1..29 {
            want[i] = (want[i - 1] + want[i + 1] + 1.0) / 2.0;
        }
    }
    for (name, backend) in backends() {
        let (mut x, b) = (array(backend, &[0f64; 30]), array(backend, &[1f64; 30]));
        for _ in 0..20 {
            kernel.launch(1..29, [(&mut x).into(), (&b).into()]).unwrap();
        }
        assert_eq!(x.to_vec::<f64>().unwrap(), want, "{name}");
    }
}

/// Elements at numbers that all of a vector have in common, also where the first of them rests, where they leave a loop at
/// different times, and where there is no element.
#[test]
fn elements_that_all_read() {
    let k = KernelBuilder::new("alike").unchecked();
    let (x, at, out) =
        (k.input("x", Dtype::INT64), k.input("at", Dtype::INT64), k.inout("out", Dtype::INT64));
    let (n, i) = (k.scalar("n", Dtype::INT64), k.element());
    let sum = k.local(&k.constant(Dtype::INT64, 0i64));
    let add = |value: &ivy_backend_jit::kernel::KernelValue| sum.set(sum.get() + value);
    k.for_range(0, &n, |j| add(&x.load(j)));
    k.if_(&(&i % 3).equal(1), || {
        k.for_range(0, &n, |j| add(&(x.load(j * 2 - 3) * 10)));
    });
    k.for_range(0, &i % 5, |j| add(&(x.load(&n - 1) * 100 + x.load(at.load(j)))));
    out.store(&i, sum.get());
    let kernel = k.build().unwrap();
    for length in [0i64, 1, 7, 40] {
        let values: Vec<i64> = (0..length).map(|j| j * j - 5).collect();
        let places: Vec<i64> = (0..length).map(|j| j * 3 % 11).collect();
        let read = |of: &[i64], j: i64| usize::try_from(j).ok().and_then(|j| of.get(j)).copied().unwrap_or(0);
        let want = |i: i64| {
            let mut sum: i64 = (0..20).map(|j| read(&values, j)).sum();
            sum += if i % 3 == 1 { (0..20).map(|j| read(&values, j * 2 - 3) * 10).sum() } else { 0 };
            let rest = (0..i % 5).map(|j| read(&values, 19) * 100 + read(&values, read(&places, j)));
            sum + rest.sum::<i64>()
        };
        for (name, backend) in backends() {
            let (x, at) = (array(backend, &values), array(backend, &places));
            let mut out = array(backend, &[0i64; 50]);
            kernel.launch(0..50, [(&x).into(), (&at).into(), (&mut out).into(), 20i64.into()]).unwrap();
            assert_eq!(
                out.to_vec::<i64>().unwrap(),
                (0..50).map(want).collect::<Vec<_>>(),
                "{name}, {length}"
            );
        }
    }
}

/// Loops, conditionals, locals, local arrays, choices and casts, with a number for an argument.
#[test]
fn control_flow_and_locals() {
    let k = KernelBuilder::new("collatz");
    let (steps, most) = (k.inout("steps", Dtype::INT32), k.scalar("most", Dtype::INT32));
    let i = k.element();
    let (n, count) = (k.local(&(&i + 1)), k.local(&k.constant(Dtype::INT32, 0)));
    let digits = k.local_array(Dtype::INT64, 4);
    k.while_(
        || n.get().greater(1) & count.get().less(&most),
        || {
            k.if_else(&(n.get() % 2).equal(0), || n.set(n.get().floor_divide(2)), || n.set(n.get() * 3 + 1));
            count.set(count.get() + 1);
            let last = count.get().cast(Dtype::INT64) % 4;
            digits.store(&last, digits.load(&last) + 1);
        },
    );
    let sum = k.local(&k.constant(Dtype::INT64, 0));
    k.for_range(0, 4, |j| sum.set(sum.get() + digits.load(j)));
    // What the digits counted is the number of steps.
    let same = sum.get().equal(count.get().cast(Dtype::INT64));
    steps.store(&i, same.select(&count.get(), -1));
    let kernel = k.build().unwrap();
    let want: Vec<i32> = (1..=100u64)
        .map(|n| {
            let step = |&n: &u64| Some(if n % 2 == 0 { n / 2 } else { 3 * n + 1 });
            std::iter::successors(Some(n), step).take_while(|&n| n != 1).take(50).count() as i32
        })
        .collect();
    for (name, backend) in backends() {
        let mut steps = array(backend, &[0i32; 100]);
        kernel.launch(0..100, [(&mut steps).into(), 50.into()]).unwrap();
        assert_eq!(steps.to_vec::<i32>().unwrap(), want, "{name}");
    }
}

/// Functions by name and by their place in a table, which read and write memory, call each other, and are declared in any order.
#[test]
fn functions_and_tables() {
    use ivy_backend_jit::kernel::KernelValue;
    let (int, float) = (Dtype::INT64, Dtype::FLOAT32);
    let k = KernelBuilder::new("shapes");
    let counts = k.inout("counts", int);
    let circle = k.declare("circle", &[float], &[float]);
    let square = k.function("square", &[float], &[float], |x| {
        counts.atomic_add(0, 1);
        vec![&x[0] * &x[0]]
    });
    k.define(&circle, |x| {
        // What a function asks of its element, and an array that was declared behind it.
        counts.atomic_add(1, k.element().minimum(1).maximum(1));
        let area = k.local(&x[0]);
        k.if_(&x[0].greater(0.0), || area.set(&k.call(&square, &[&x[0]])[0] * 3.0));
        vec![area.get()]
    });
    let shapes = k.table(&[&square, &circle, &square]);
    let (kinds, sizes, areas) = (k.input("kinds", int), k.input("sizes", float), k.inout("areas", float));
    let i = k.element();
    let area: Vec<KernelValue> = k.call_table(&shapes, &kinds.load(&i), &[&sizes.load(&i)]);
    areas.store(&i, &area[0] + 1.0);
    let kernel = k.build().unwrap();
    let kinds: Vec<i64> = (0..50).map(|i| i % 4 - i % 20 / 19 * 9).collect();
    let sizes: Vec<f32> = (0..50).map(|i| i as f32 - 10.0).collect();
    let (mut called, mut want) = ([0i64; 2], Vec::new());
    for (&kind, &x) in kinds.iter().zip(&sizes) {
        want.push(
            1.0 + match kind {
                0 | 2 => x * x,
                1 if x > 0.0 => x * x * 3.0,
                1 => x,
                _ => 0.0,
            },
        );
        called[0] += i64::from(matches!(kind, 0 | 2) || kind == 1 && x > 0.0);
        called[1] += i64::from(kind == 1);
    }
    for (name, backend) in backends() {
        let (kinds, sizes) = (array(backend, &kinds), array(backend, &sizes));
        let (mut counts, mut areas) = (array(backend, &[0i64; 2]), array(backend, &[0f32; 50]));
        let arguments = [(&mut counts).into(), (&kinds).into(), (&sizes).into(), (&mut areas).into()];
        kernel.launch(0..50, arguments).unwrap();
        assert_eq!(areas.to_vec::<f32>().unwrap(), want, "{name}");
        assert_eq!(counts.to_vec::<i64>().unwrap(), called, "{name}");
    }
}

/// What only a function writes to is written to as all else: in memory of the handle's own, and in order where that matters.
#[test]
fn functions_write_to_memory_of_their_own() {
    let k = KernelBuilder::new("sums");
    let sums = k.inout("sums", Dtype::FLOAT32);
    let add = k.function("add", &[Dtype::FLOAT32], &[], |x| {
        sums.atomic_add(0, &x[0]);
        vec![]
    });
    k.call(&add, &[&(k.constant(Dtype::FLOAT32, 1.0) / (k.element() + 1).cast(Dtype::FLOAT32))]);
    let kernel = k.build().unwrap();
    assert!(kernel.is_serial());
    let want = (1..=100_000).fold(0f32, |sum, i| sum + 1.0 / i as f32);
    for (name, backend) in backends() {
        let count = if *name == "cuda" { 1000 } else { 100_000 };
        let mut sums = array(backend, &[0f32]);
        kernel.launch(0..0, [(&mut sums).into()]).unwrap();
        let old = sums.clone();
        kernel.launch(0..count, [(&mut sums).into()]).unwrap();
        assert_eq!(old.to_vec::<f32>().unwrap(), [0.0], "{name}: another handle keeps its value");
        if count == 100_000 {
            assert_eq!(sums.to_vec::<f32>().unwrap(), [want], "{name}");
        }
    }
}

/// Elementary functions and small floats are those of arrays.
#[test]
fn values_are_computed_as_arrays_are() {
    for dtype in [Dtype::FLOAT16, Dtype::BFLOAT16, Dtype::FLOAT32, Dtype::FLOAT64] {
        let k = KernelBuilder::new("waves");
        let (x, y) = (k.input("x", dtype), k.inout("y", dtype));
        let at = x.load(k.element());
        y.store(k.element(), (at.sin() * 2.0 + at.abs().sqrt()).maximum(0.25) - at.exp().log());
        let kernel = k.build().unwrap();
        for (name, backend) in backends() {
            let values: Vec<f64> = (0..50).map(|i| f64::from(i) * 0.13 - 3.0).collect();
            let x = array(backend, &values);
            use ivy_core::functional as ivy;
            let x = ivy::astype(&x, dtype).unwrap();
            let mut y = ivy::zeros_like(&x, ()).unwrap();
            kernel.launch(0..50, [(&x).into(), (&mut y).into()]).unwrap();
            let two = ivy::full_like(&x, 2.0, ()).unwrap();
            let want = ivy::multiply(ivy::sin(&x).unwrap(), &two).unwrap();
            let want = ivy::add(&want, ivy::sqrt(ivy::abs(&x).unwrap()).unwrap()).unwrap();
            let want = ivy::maximum(&want, ivy::full_like(&x, 0.25, ()).unwrap()).unwrap();
            let want = ivy::subtract(&want, ivy::log(ivy::exp(&x).unwrap()).unwrap()).unwrap();
            assert_eq!(y.to_string(), want.to_string(), "{name}, {dtype}");
        }
    }
}

/// What is written to is the handle's own: others keep what they have, and nothing is copied where there is no other.
#[test]
fn whose_memory_is_written_to() {
    let kernel = histogram();
    let place = |x: &Array| x.to_host().unwrap().buffer().as_ptr();
    for (name, backend) in backends() {
        let x = array(backend, &[1i64, 1, 2]);
        let mut counts = array(backend, &[0i64; 3]);
        kernel.launch(0..0, [(&x).into(), (&mut counts).into()]).unwrap();
        // What was a vector is memory of the engine's own now.
        let before = place(&counts);
        kernel.launch(0..3, [(&x).into(), (&mut counts).into()]).unwrap();
        assert!(*name == "cuda" || place(&counts) == before, "{name}: in its own memory");
        let old = counts.clone();
        kernel.launch(0..3, [(&x).into(), (&mut counts).into()]).unwrap();
        assert_eq!(old.to_vec::<i64>().unwrap(), [0, 2, 1], "{name}");
        assert_eq!(counts.to_vec::<i64>().unwrap(), [0, 4, 2], "{name}");
        // An array that is read and written: what is read is what it was before.
        let mut twice = array(backend, &[0i64, 1, 1]);
        let read = twice.clone();
        kernel.launch(0..3, [(&read).into(), (&mut twice).into()]).unwrap();
        assert_eq!(twice.to_vec::<i64>().unwrap(), [1, 3, 1], "{name}");
        // Views, pending work and broadcast values: elements in row-major order.
        use ivy_core::functional as ivy;
        let matrix = ivy::reshape(array(backend, &[0i64, 1, 2, 2, 1, 0]), [2, 3], ()).unwrap();
        let transposed = ivy::matrix_transpose(&matrix).unwrap();
        let mut counts = ivy::zeros_like(array(backend, &[0i64; 3]), ()).unwrap();
        kernel
            .launch(0..6, [(&ivy::multiply(&transposed, &transposed).unwrap()).into(), (&mut counts).into()])
            .unwrap_err();
        assert_eq!(counts.to_vec::<i64>().unwrap(), [2, 2, 0], "{name}: 4 is out of range");
        kernel.launch(0..2, [(&transposed).into(), (&mut counts).into()]).unwrap();
        assert_eq!(counts.to_vec::<i64>().unwrap(), [3, 2, 1], "{name}");
    }
}

/// Every real dtype, in arrays without elements, without axes, and of a few.
#[test]
fn every_dtype_and_size() {
    use ivy_core::functional as ivy;
    let dtypes = Dtype::all().filter(|d| !d.is_complex());
    for dtype in dtypes {
        let k = KernelBuilder::new("copies");
        let (x, y) = (k.input("x", dtype), k.inout("y", dtype));
        y.store(k.element(), x.load(k.element()));
        let kernel = k.build().unwrap();
        for (name, backend) in backends() {
            for shape in [vec![0], vec![], vec![2, 9]] {
                let size: usize = shape.iter().product();
                let numbers = array(backend, &(0..size as i64).map(|i| i % 2).collect::<Vec<_>>());
                let axes: Vec<i64> = shape.iter().map(|&n| n as i64).collect();
                let x =
                    ivy::reshape(&numbers, axes.as_slice(), ()).and_then(|x| ivy::astype(&x, dtype)).unwrap();
                let mut y = ivy::zeros_like(&x, ()).unwrap();
                kernel.launch(0..size as i64, [(&x).into(), (&mut y).into()]).unwrap();
                assert_eq!((y.dtype(), y.to_string()), (dtype, x.to_string()), "{name}, {shape:?}");
            }
        }
    }
}

/// Arrays of two generators are of one device (ruling S38): each stays its backend's.
#[test]
fn arrays_of_two_generators() {
    let kernel = histogram();
    let [(_, interp), (_, llvm), ..] = backends() else { panic!("two generators") };
    for (one, other) in [(interp, llvm), (llvm, interp)] {
        let (x, mut counts) = (array(one, &[0i64, 1, 1]), array(other, &[0i64; 2]));
        kernel.launch(0..3, [(&x).into(), (&mut counts).into()]).unwrap();
        assert_eq!(counts.to_vec::<i64>().unwrap(), [1, 2]);
        assert!(counts.backend() == other);
    }
}

/// In a function that is compiled, and of arrays that are constants of one: results are those of plain calls.
#[test]
fn functions_that_are_compiled() {
    use ivy_core::functional as ivy;
    let kernel = histogram();
    let counted = |x: &Array, mut counts: Array| -> ivy_core::Result<Array> {
        match kernel.launch(0..x.size() as i64, [x.into(), (&mut counts).into()]) {
            Ok(_) => Ok(counts),
            Err(KernelError::Core(error)) => Err(error),
            Err(other) => panic!("{other}"),
        }
    };
    for (name, backend) in backends() {
        let mut kept = array(backend, &[5i64, 5, 5]);
        kernel.launch(0..0, [(&array(backend, &[0i64])).into(), (&mut kept).into()]).unwrap();
        let captured = kept.clone();
        let compiled = ivy::compile(|x: &Array| {
            let counts = counted(x, ivy::zeros_like(&captured, ())?)?;
            ivy::add(&counts, &captured)
        });
        for round in 0..4i64 {
            let x = array(backend, &[0, round % 3, 2]);
            let mut want = [6i64, 5, 6];
            want[(round % 3) as usize] += 1;
            assert_eq!(compiled.call(&x).unwrap().to_vec::<i64>().unwrap(), want, "{name}, {round}");
            // A handle on the constant has its own value from here on.
            kernel.launch(0..3, [(&x).into(), (&mut kept).into()]).unwrap();
        }
    }
}

#[test]
fn lines_are_printed_in_the_order_of_elements() {
    let k = KernelBuilder::new("says");
    let x = k.input("x", Dtype::FLOAT32);
    let at = x.load(k.element());
    k.if_(&at.greater(1.5), || k.print("x[{}] = {}", &[&k.element(), &at]));
    let kernel = k.build().unwrap();
    for (name, backend) in backends() {
        let x = array(backend, &[1f32, 2.0, 1.0, 2.5]);
        let lines = kernel.launch(0..4, [(&x).into()]).unwrap();
        assert_eq!(lines, ["x[1] = 2", "x[3] = 2.5"], "{name}");
    }
}

/// The first fault in the order of elements, with its place here.
#[test]
fn faults_say_where() {
    let k = KernelBuilder::new("halves");
    let (x, y) = (k.input("x", Dtype::INT64), k.inout("y", Dtype::INT64));
    let at = x.load(k.element());
    let line = line!() + 1;
    k.assert(&(&at % 2).equal(0), "{} is odd", &[&at]);
    y.store(at.floor_divide(2), 1);
    let kernel = k.build().unwrap();
    for (name, backend) in backends() {
        let mut y = array(backend, &[0i64; 3]);
        let mut launch = |x: &[i64]| {
            let x = array(backend, x);
            let error = kernel.launch(0..x.size() as i64, [(&x).into(), (&mut y).into()]).unwrap_err();
            let KernelError::Fault { fault, .. } = &error else { panic!("{error}") };
            (fault.place.clone(), error.to_string())
        };
        let (place, text) = launch(&[2, 4, 7, 1]);
        assert!(place.contains("kernels.rs:") && place.contains(&format!(":{line}:")), "{name}: {place}");
        assert_eq!(text, format!("halves: {place}: assertion failed: 7 is odd, in element 2"));
        let (place, text) = launch(&[0, 6, 8]);
        assert_eq!(
            text,
            format!("halves: {place}: index out of range: 3 of `y`, which has 3 elements, in element 1")
        );
        // All other elements have run.
        assert_eq!(y.to_vec::<i64>().unwrap(), [1, 1, 1], "{name}");
    }
}

#[test]
fn loops_without_an_end_are_found() {
    let k = KernelBuilder::new("endless").loop_limit(100);
    let x = k.inout("x", Dtype::INT32);
    k.while_(|| x.load(k.element()).less(7), || x.store(k.element(), x.load(k.element()) % 5));
    let kernel = k.build().unwrap();
    for (name, backend) in backends() {
        let mut x = array(backend, &[9, 3, 8]);
        let text = kernel.launch(0..3, [(&mut x).into()]).unwrap_err().to_string();
        assert!(text.contains("a loop was repeated more than 100 times, in element 1"), "{name}: {text}");
    }
}

/// Without bounds checks, what is out of range reads as zero and writes nothing.
#[test]
fn unchecked_indices() {
    let k = KernelBuilder::new("reversed").unchecked();
    let (x, y) = (k.input("x", Dtype::INT16), k.inout("y", Dtype::INT16));
    let i = k.element();
    y.store(&i, x.load(-&i + 4));
    let kernel = k.build().unwrap();
    for (name, backend) in backends() {
        let (x, mut y) = (array(backend, &[1i16, 2, 3]), array(backend, &[9i16; 4]));
        kernel.launch(0..9, [(&x).into(), (&mut y).into()]).unwrap();
        assert_eq!(y.to_vec::<i16>().unwrap(), [0, 0, 3, 2], "{name}");
    }
}

/// An argument by its variant.
#[test]
fn arguments_by_their_variants() {
    let kernel = histogram();
    let (_, backend) = &backends()[0];
    let (x, mut counts) = (array(backend, &[0i64, 0]), array(backend, &[0i64]));
    kernel.launch(0..2, [LaunchArgument::Input(&x), LaunchArgument::InOut(&mut counts)]).unwrap();
    assert_eq!(counts.to_vec::<i64>().unwrap(), [2]);
}
