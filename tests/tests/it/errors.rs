//! Bad input: each call is refused with the typed error, and the message is a snapshot.

use ivy::prelude::*;
use ivy::{ErrorKind, s};
use std::fmt::Write as _;

type Call = (&'static str, &'static str, Box<dyn Fn() -> ivy::Result<()>>);

fn array<T: ivy::Nested>(values: &[T]) -> Array {
    Array::try_from(values).expect("valid data")
}

/// A line of the snapshot: what is tried, the variant that is due, the call.
fn calls() -> Vec<Call> {
    fn call<T>(what: &'static str, kind: &'static str, f: impl Fn() -> ivy::Result<T> + 'static) -> Call {
        (what, kind, Box::new(move || f().map(drop)))
    }
    let (i8s, f32s) = (array(&[1i8, 2]), array(&[1.0f32, 2.0]));
    let f = f32s.clone();
    let bools = array(&[true, false]);
    let complex = array(&[num_complex::Complex32::new(1.0, 2.0)]);
    let empty = ivy::zeros([0, 3], ()).expect("valid shape");
    let square = ivy::zeros([2, 2], ()).expect("valid shape");
    let candle = ivy::with_backend("candle", || ivy::zeros([2], ())).unwrap().expect("candle has float32");
    macro_rules! with {
        ($($x:ident),*; $body:expr) => {{ $(let $x = $x.clone();)* move || $body }};
    }
    vec![
        call("unknown dtype", "UnknownDtype", || "flaot32".parse::<Dtype>()),
        call("unknown backend", "UnknownBackend", || ivy::set_backend("tensorflow")),
        call("another version", "BackendUnavailable", || ivy::set_backend("ndarray@0.1")),
        call("unknown function", "UnknownFunction", || ivy::function::find_function("sotfmax")),
        call("dtype outside the domain", "OutsideDomain", with!(bools; ivy::negative(&bools))),
        call("condition not bool", "OutsideDomain", with!(f; ivy::where_(&f, &f, &f))),
        call(
            "no common dtype",
            "NoPromotion",
            with!(i8s, f32s; {
                ivy::with(&Context::new().rules(Rules::ArrayApi), || ivy::add(&i8s, &f32s))
            }),
        ),
        call("complex to real", "CastRefused", with!(complex; ivy::astype(&complex, Dtype::FLOAT32))),
        call("two backends", "BackendMismatch", with!(f32s, candle; ivy::add(&f32s, &candle))),
        call(
            "shapes do not broadcast",
            "BroadcastShapes",
            with!(f, square; {
                ivy::add(&square, ivy::concat([&f, &f, &f], ()))
            }),
        ),
        call(
            "shapes that do not compare",
            "BroadcastShapes",
            with!(f, square; {
                ivy::greater(&square, ivy::concat([&f, &f, &f], ()))
            }),
        ),
        call("a dtype by name", "UnknownDtype", || {
            let mut params = (ivy::function::find_function("zeros")?.params)();
            params.set("zeros", "dtype", ivy::function::ParamValue::Text("float33".into()))
        }),
        call("a name like none", "UnknownFunction", || ivy::function::find_function("foo")),
        call("axis out of range", "AxisOutOfRange", with!(f; ivy::sum(&f, Sum::new().axis(1)))),
        call("axis twice", "RepeatedAxis", with!(square; ivy::sum(&square, Sum::new().axis([0, -2])))),
        call("scalar out of range", "ScalarOutOfRange", with!(i8s; ivy::add(&i8s, 300))),
        call("fill out of range", "ScalarOutOfRange", || ivy::full([2], -1, Dtype::UINT8)),
        call("negative integer exponent", "InvalidArgument", with!(i8s; ivy::pow(&i8s, -1))),
        call("position out of range", "IndexOutOfRange", with!(f; f.get(s![2]))),
        call("index array out of range", "IndexOutOfRange", with!(f; f.get(s![array(&[0i64, -3])]))),
        call("too many indices", "InvalidArgument", with!(f; f.get(s![0, 0]))),
        call("max of nothing", "EmptyReduction", with!(empty; ivy::max(&empty, Max::new().axis(0)))),
        call("argmin of nothing", "EmptyReduction", with!(empty; ivy::argmin(&empty, ()))),
        call("size overflow", "SizeOverflow", || ivy::zeros([1 << 40, 1 << 40], ())),
        call("memory limit", "MemoryLimit", || {
            ivy::with(&ivy::context::current().memory_limit(1 << 20), || ivy::zeros([1 << 20], ()))
        }),
        call(
            "memory limit of an outer sum",
            "MemoryLimit",
            with!(f; {
                let column = ivy::reshape(&f, [2, 1], ())?;
                ivy::with(&ivy::context::current().memory_limit(8), || ivy::add(&column, &f))
            }),
        ),
        call("reshape to another size", "ShapeMismatch", with!(f; ivy::reshape(&f, [3], ()))),
        call("ragged rows", "InvalidArgument", || Array::try_from(vec![vec![1, 2], vec![3]])),
        call("number of values", "ShapeMismatch", || Array::from_vec(vec![1, 2, 3], [2, 2])),
        call("item of several", "ShapeMismatch", with!(f; f.item::<f32>())),
        call("item of another dtype", "DtypeMismatch", with!(f; f.to_vec::<f64>())),
        call(
            "matrices that do not fit",
            "ShapeMismatch",
            with!(square; {
                ivy::matmul(&square, array(&[1.0f32, 2.0, 3.0]))
            }),
        ),
        call(
            "value that does not promote",
            "CastRefused",
            with!(i8s; i8s.clone().set(s![0], array(&[1.5f32]))),
        ),
        call("missing file", "Io", || ivy::load("no such file.npy")),
        call(
            "emulation off",
            "UnsupportedDtype",
            with!(candle; {
                let x = ivy::astype(&candle, Dtype::INT8)?;
                ivy::with(&ivy::context::current().emulation(false), || ivy::sort(&x, ()))
            }),
        ),
        call("matrix without inverse", "SingularMatrix", with!(square; ivy::linalg::inv(&square))),
        call(
            "matrix of a stack without inverse",
            "SingularMatrix",
            with!(square; {
                let stack = ivy::stack([&ivy::eye(2, ())?, &square], ())?;
                ivy::linalg::inv(ivy::expand_dims(&stack, 1)?)
            }),
        ),
        call(
            "matrix not positive definite",
            "NotPositiveDefinite",
            with!(square; ivy::linalg::cholesky(&square, ())),
        ),
        call(
            "singular values of NaN",
            "NotConverged",
            with!(square; ivy::linalg::svdvals(ivy::add(&square, f64::NAN))),
        ),
        call("matrix not square", "ShapeMismatch", with!(empty; ivy::linalg::det(&empty))),
        call(
            "transform without points",
            "InvalidArgument",
            with!(empty; {
                ivy::fft::fft(&empty, ivy::fft::FftParams::new().axis(0))
            }),
        ),
    ]
}

#[test]
fn bad_input_gives_the_typed_error() {
    let mut text = String::new();
    for (what, kind, call) in calls() {
        let error = match std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)) {
            Ok(Err(error)) => error,
            Ok(Ok(())) => panic!("{what}: accepted"),
            Err(_) => panic!("{what}: panicked"),
        };
        assert_eq!(error.kind().name(), kind, "{what}: {error}");
        writeln!(text, "{what}\n    {error}").unwrap();
    }
    insta::assert_snapshot!(text);
}

#[test]
fn an_error_is_one_pointer_wide_and_tells_its_fields() {
    assert_eq!(size_of::<ivy::Error>(), size_of::<usize>());
    let error = ivy::add(array(&[1i8]), 300).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::ScalarOutOfRange { function: "add", min: -128, max: 127, .. }));
    let fields = error.kind().fields();
    assert!(
        fields.contains(&("value", "300".into())) && fields.contains(&("dtype", "int8".into())),
        "{fields:?}"
    );
    let clone = error.clone();
    assert_eq!(clone.to_string(), error.to_string());
    let io = ivy::load("no such file.npy").unwrap_err();
    assert!(std::error::Error::source(&io).is_some());
}
