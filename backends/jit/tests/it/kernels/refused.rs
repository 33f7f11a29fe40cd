//! Mistakes in kernels, which `build` tells, and arguments that do not fit, which `launch` tells before anything runs.

use super::{array, backends, histogram};
use ivy_backend_jit::kernel::{KernelBuilder, KernelError, KernelValue};
use ivy_core::Dtype;

/// What is wrong with a kernel, without the place in the source, which is this file's.
#[track_caller]
fn mistake(write: impl FnOnce(&KernelBuilder)) -> String {
    let k = KernelBuilder::new("wrong");
    write(&k);
    said(k.build().unwrap_err())
}

#[track_caller]
fn said(error: KernelError) -> String {
    let text = error.to_string();
    match text.split_once("refused.rs:") {
        None => text,
        Some((_, rest)) => {
            let mut parts = rest.splitn(3, ':');
            let numbers = [parts.next(), parts.next()].map(|n| n.unwrap().parse::<u32>().unwrap());
            assert!(numbers.iter().all(|&n| n > 0));
            parts.next().unwrap().trim().to_string()
        }
    }
}

#[test]
fn mistakes_in_kernels() {
    let float = |k: &KernelBuilder| k.constant(Dtype::FLOAT32, 1.0);
    let int = |k: &KernelBuilder| k.constant(Dtype::INT32, 1);
    let cases = [
        (mistake(|k| drop(float(k) + int(k))), "add of float32 and int32; convert one with `cast`"),
        (mistake(|k| drop(int(k) / 2)), "divide does not take int32"),
        (mistake(|k| drop(float(k) & 1.0)), "bitwise_and does not take float32"),
        (mistake(|k| drop(int(k).sqrt())), "sqrt does not take int32"),
        (mistake(|k| drop(int(k) + 1.5)), "the number 1.5 is no int32"),
        (mistake(|k| drop(int(k) + 3_000_000_000i64)), "the number 3000000000 is no int32"),
        (
            mistake(|k| drop(int(k).cast(Dtype::COMPLEX64))),
            "cast to a complex or unknown dtype does not take int32",
        ),
        (mistake(|k| k.if_(&int(k), || {})), "if_ does not take int32"),
        (mistake(|k| k.while_(|| int(k), || {})), "a loop's condition does not take int32"),
        (mistake(|k| k.for_range(0, float(k), |_| {})), "for_range does not take float32"),
        (mistake(|k| k.assert(&int(k), "", &[])), "assert does not take int32"),
        (mistake(|k| drop(int(k).select(&int(k), 1))), "select does not take int32"),
        (mistake(|k| k.print("", &[&k.element(); 7])), "values = 7: a line has at most six values"),
        (
            mistake(|k| drop(k.input("z", Dtype::COMPLEX64))),
            "dtype = `z` of complex64: a real dtype: kernels have no complex numbers",
        ),
        (
            mistake(|k| drop([k.input("x", Dtype::INT8), k.input("x", Dtype::INT8)])),
            "name = `x`: each parameter has a name of its own",
        ),
        (
            mistake(|k| k.input("x", Dtype::INT32).store(0, 1)),
            "`x` is an input; declare it with `inout` to write to it",
        ),
        (
            mistake(|k| drop(k.input("x", Dtype::INT32).atomic_add(0, 1))),
            "`x` is an input; declare it with `inout` to write to it",
        ),
        (
            mistake(|k| k.inout("x", Dtype::INT32).store(0, float(k))),
            "store of int32 and float32; convert one with `cast`",
        ),
        (
            mistake(|k| drop(k.inout("x", Dtype::INT32).load(int(k)))),
            "an index of int64 and int32; convert one with `cast`",
        ),
        (mistake(|k| drop(k.inout("x", Dtype::INT8).atomic_add(0, 1))), "atomic_add does not take int8"),
        (
            mistake(|k| drop(k.inout("x", Dtype::FLOAT32).atomic_xor(0, 1.0))),
            "atomic_xor does not take float32",
        ),
        (
            mistake(|k| drop(k.local_array(Dtype::INT32, 3).atomic_add(0, 1))),
            "atomics are for memory that other elements see, and not for an element's own",
        ),
        (
            mistake(|k| drop(k.local_array(Dtype::INT32, 5000))),
            "elements = 5000: a local array has 1 to 4096 elements",
        ),
        (
            mistake(|k| drop(k.shared(Dtype::FLOAT64, 1 << 20))),
            "elements = 1048576: memory of a block has 1 element to 48 KiB",
        ),
        (
            mistake(|k| {
                let mut inner: Option<KernelValue> = None;
                k.if_(&k.element().less(3), || inner = Some(k.element() + 1));
                drop(inner.unwrap() + 1);
            }),
            "a value of a block that has ended; a `local` carries values out of blocks",
        ),
        (mistake(|k| drop(int(k) + int(&KernelBuilder::new("another")))), "a value of another kernel"),
        (
            mistake(|k| k.if_(&k.element().less(3), || k.barrier())),
            "wrong: a barrier stands where all elements of a block get (rule 20 of `ir::verify`)",
        ),
        (
            mistake(|k| {
                let x = int(k);
                k.function("f", &[], &[Dtype::INT32], |_| vec![x + 1]);
            }),
            "a value from outside of a function, which takes it as an argument",
        ),
        (
            mistake(|k| {
                let x = k.local(&int(k));
                k.function("f", &[], &[Dtype::INT32], |_| vec![x.get()]);
            }),
            "a function has no locals and no shared memory but its own",
        ),
        (
            mistake(|k| drop(k.function("f", &[], &[Dtype::INT32], |_| vec![]))),
            "results = `f` gives (): a function gives what it was declared with",
        ),
        (
            mistake(|k| {
                let f = k.function("f", &[Dtype::INT32], &[], |_| vec![]);
                k.call(&f, &[&k.element()]);
            }),
            "arguments = `f` of (int64): a function is called with the dtypes that it was declared with",
        ),
        (
            mistake(|k| {
                let f = k.declare("f", &[], &[]);
                k.call(&f, &[]);
            }),
            "a function that is declared, and defined nowhere",
        ),
        (
            mistake(|k| {
                let f = k.function("f", &[], &[], |_| vec![]);
                k.define(&f, |_| vec![]);
            }),
            "a function is defined once",
        ),
        (
            mistake(|k| drop([k.declare("f", &[], &[]), k.declare("f", &[], &[])])),
            "name = `f`: a word of letters, digits and `_`, each once",
        ),
        (
            mistake(|k| drop(k.table(&[]))),
            "table = 0 functions: one at least, of this kernel, all of which take and give the same dtypes",
        ),
        (
            mistake(|k| {
                let names = ["even", "odd"].map(|name| k.declare(name, &[Dtype::INT32], &[Dtype::INT32]));
                for (own, other) in [(0, 1), (1, 0)] {
                    k.define(&names[own], |x| k.call(&names[other], &[&(&x[0] - 1)]));
                }
            }),
            "wrong: functions that call each other: even -> odd -> even; functions are not recursive",
        ),
    ];
    for (got, want) in cases {
        assert_eq!(got, want);
    }
    let error = KernelBuilder::new("wrong").block(24).build().unwrap_err();
    assert_eq!(said(error), "block = 24: a power of two, at most 256");
    // Of several, the first.
    let two = mistake(|k| {
        drop(int(k) / 2);
        drop(float(k) + int(k));
    });
    assert_eq!(two, "divide does not take int32");
}

/// Values of another kernel, which has more of them, wherever a statement takes one.
#[test]
fn values_of_another_kernel() {
    let other = KernelBuilder::new("another");
    let mut int = other.element();
    (0..1000).for_each(|_| int = &int + 1);
    let truth = int.less(3);
    type Write<'a> = Box<dyn Fn(&KernelBuilder) + 'a>;
    let statements: [Write<'_>; 16] = [
        Box::new(|k| drop(k.element() + &int)),
        Box::new(|k| drop(truth.select(&k.element(), 1))),
        Box::new(|k| drop(k.local(&int))),
        Box::new(|k| k.local(&k.element()).set(&int)),
        Box::new(|k| drop(k.inout("x", Dtype::INT64).load(&int))),
        Box::new(|k| k.inout("x", Dtype::INT64).store(0, &int)),
        Box::new(|k| drop(k.inout("x", Dtype::INT64).atomic_max(&int, 1))),
        Box::new(|k| drop(k.inout("x", Dtype::INT64).compare_exchange(0, &int, &int))),
        Box::new(|k| k.if_(&truth, || k.print("", &[&k.element()]))),
        Box::new(|k| k.while_(|| truth.clone(), || {})),
        Box::new(|k| k.for_range(&int, 3, |_| {})),
        Box::new(|k| k.for_range(0, &int, |_| {})),
        Box::new(|k| k.print("{}", &[&int])),
        Box::new(|k| k.assert(&truth, "", &[])),
        Box::new(|k| {
            let f = k.function("f", &[Dtype::INT64], &[Dtype::INT64], |_| vec![int.clone()]);
            k.call(&f, &[&int]);
        }),
        Box::new(|k| {
            let f = k.function("f", &[Dtype::INT64], &[], |_| vec![]);
            k.call_table(&k.table(&[&f]), &int, &[&int]);
        }),
    ];
    for (n, statement) in statements.iter().enumerate() {
        let k = KernelBuilder::new("wrong").loop_limit(9);
        statement(&k);
        assert_eq!(said(k.build().unwrap_err()), "a value of another kernel", "statement {n}");
    }
    let f = other.function("f", &[], &[], |_| vec![]);
    assert_eq!(mistake(|k| drop(k.call(&f, &[]))), "a function of another kernel");
    assert_eq!(mistake(|k| k.define(&f, |_| vec![])), "a function of another kernel");
}

#[test]
fn arguments_that_do_not_fit() {
    let kernel = histogram();
    for (name, backend) in backends() {
        let (x, mut counts) = (array(backend, &[0i64, 1]), array(backend, &[5i64, 6]));
        let small = array(backend, &[0i32, 1]);
        let of = |result: Result<Vec<String>, KernelError>| result.unwrap_err().to_string();
        let range = |a, b| std::ops::Range { start: a, end: b };
        let cases = [
            (
                of(kernel.launch(range(2, 1), [(&x).into(), (&mut counts).into()])),
                "histogram: range = 2..1: a range ends where it begins, or later",
            ),
            (
                of(kernel.launch(range(i64::MIN, i64::MAX), [(&x).into(), (&mut counts).into()])),
                "histogram: range = -9223372036854775808..9223372036854775807: a range ends where it begins, or later",
            ),
            (of(kernel.launch(0..2, [(&x).into()])), "histogram: takes 2 (`x`, `counts`), and was given 1"),
            (
                of(kernel.launch(0..2, [(&small).into(), (&mut counts).into()])),
                "histogram: `x` is an array of int64, and was given an array of int32 to read",
            ),
            (
                of(kernel.launch(0..2, [(&x).into(), (&x).into()])),
                "histogram: `counts` is an array of int64 that is written to, `&mut`, and was given an array of int64 to read",
            ),
            (
                of(kernel.launch(0..2, [3.into(), (&mut counts).into()])),
                "histogram: `x` is an array of int64, and was given the number 3",
            ),
        ];
        for (got, want) in cases {
            assert_eq!(got, want, "{name}");
        }
        for (_, elsewhere) in backends().iter().filter(|(other, _)| (*other == "cuda") != (*name == "cuda")) {
            let other = array(elsewhere, &[0i64, 1]);
            let error = of(kernel.launch(0..2, [(&other).into(), (&mut counts).into()]));
            assert!(error.starts_with("kernel: operands of jit:") && error.contains("to_backend"), "{error}");
        }
        assert_eq!(counts.to_vec::<i64>().unwrap(), [5, 6], "{name}");
    }
    let k = KernelBuilder::new("numbers");
    let n = k.scalar("n", Dtype::UINT8);
    k.print("{}", &[&n]);
    let kernel = k.build().unwrap();
    let text = kernel.launch(0..1, [256.into()]).unwrap_err().to_string();
    assert_eq!(text, "numbers: `n` is a number of uint8, and was given the number 256");
    let text = kernel.launch(0..1, [255.into()]).unwrap_err().to_string();
    assert!(text.contains("at least one array, which says where the kernel runs"), "{text}");
}

/// Arrays of other backends, and those that derivatives and maps are made of.
#[test]
fn arrays_that_are_elsewhere() {
    use ivy_core::functional as ivy;
    let kernel = histogram();
    let (_, backend) = &backends()[0];
    let x = array(backend, &[0i64, 1]);
    let launch = |x: &ivy_core::Array| {
        let mut counts = ivy::zeros_like(x, ())?;
        match kernel.launch(0..1, [x.into(), (&mut counts).into()]) {
            Ok(_) => Ok(counts),
            Err(KernelError::Core(error)) => Err(error),
            Err(other) => panic!("{other}"),
        }
    };
    let launched = ivy::vmap(launch, ())(&ivy::reshape(&x, [2, 1], ()).unwrap());
    assert!(launched.unwrap_err().to_string().contains("operands of jit and"));
}
