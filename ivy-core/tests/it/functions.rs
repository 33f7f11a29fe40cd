//! Statistical, searching, sorting, set, utility and data type functions: by their descriptions
//! on every dtype of their domains, and what the decisions say of their values.

use half::f16;
use ivy::linalg;
use ivy::prelude::*;
use ivy_core::backend::{BackendRef, backend};
use ivy_core::context::with;
use ivy_core::function::{Category, ParamValue, Role, functions};
use ivy_core::{Defaults, ErrorKind, Operand, Scalar, call, plan_call};
use num_complex::Complex32;

const CHAPTERS: [Category; 6] = [
    Category::Statistical,
    Category::Searching,
    Category::Sorting,
    Category::Set,
    Category::Utility,
    Category::DataType,
];

fn ones(backend: &BackendRef, shape: &[usize], dtype: Dtype) -> Array {
    with(&Context::new().backend(backend), || ivy::ones(shape, dtype)).expect("ones")
}

#[test]
fn every_function_by_its_description_on_every_dtype() {
    let real = backend("ndarray").unwrap();
    let mut names = Vec::new();
    for function in functions().into_iter().filter(|f| CHAPTERS.contains(&f.category)) {
        names.push(function.name);
        for dtype in function.domain_of(0).iter() {
            let mut results = Vec::new();
            for backend in [&real.to_abstract(), &real] {
                let operands: Vec<Operand<'_>> = (function.operands.iter().zip(function.example).enumerate())
                    .map(|(i, (info, shape))| match info.role {
                        _ if info.optional => Operand::Absent,
                        Role::Condition => ones(backend, shape, Dtype::BOOL).into_operand(),
                        Role::Index => ones(backend, shape, Dtype::INT64).into_operand(),
                        // As the probabilities of a quantile, which are real whatever the numbers are.
                        _ if !function.domain_of(i).contains(dtype) => {
                            ones(backend, shape, Dtype::FLOAT32).into_operand()
                        }
                        _ => ones(backend, shape, dtype).into_operand(),
                    })
                    .collect();
                let mut params = (function.params)();
                if function.name == "astype" {
                    params.set("astype", "dtype", ParamValue::Dtype(dtype)).unwrap();
                }
                let outputs = call(function, &operands, &*params)
                    .unwrap_or_else(|e| panic!("{} on {dtype}: {e}", function.name));
                let plan = plan_call(function, &operands, &*params).unwrap();
                for (i, output) in outputs.iter().enumerate() {
                    let planned = plan.outputs[i.min(plan.outputs.len() - 1)];
                    assert_eq!(output.dtype(), planned, "{} on {dtype}", function.name);
                }
                results.push(outputs);
            }
            let [bounds, found] = &results[..] else { unreachable!() };
            assert_eq!(bounds.len(), found.len());
            for (bound, found) in bounds.iter().zip(found) {
                let data_dependent =
                    function.category == Category::Set || matches!(function.name, "nonzero" | "bincount");
                let exact = bound.shape() == found.shape();
                // As many as the greatest number says, which no shape bounds.
                let counts = function.name == "bincount";
                let fits = bound.ndim() == found.ndim() && (counts || bound.size() >= found.size());
                assert!(exact || data_dependent && fits, "{} on {dtype}", function.name);
            }
        }
    }
    let chapters = [
        "all",
        "any",
        "argmax",
        "argmin",
        "argsort",
        "astype",
        "count_nonzero",
        "cumulative_prod",
        "cumulative_sum",
        "diff",
        "isin",
        "max",
        "mean",
        "min",
        "nonzero",
        "prod",
        "promote_types_of_inputs",
        "searchsorted",
        "sort",
        "std",
        "sum",
        "type_promote_arrays",
        "unique_all",
        "unique_counts",
        "unique_inverse",
        "unique_values",
        "var",
        "where",
    ];
    assert!(chapters.iter().all(|name| names.contains(name)), "{names:?}");
}

#[test]
fn sums_widen_as_the_array_api_says() {
    let wide = |d: Dtype| match d {
        Dtype::BOOL | Dtype::INT8 | Dtype::INT16 => Dtype::INT32,
        Dtype::UINT8 | Dtype::UINT16 => Dtype::UINT32,
        d => d,
    };
    for d in ivy::valid_dtypes().iter() {
        let x = ivy::ones([3], d).unwrap();
        for result in [
            ivy::sum(&x, ()),
            ivy::prod(&x, ()),
            ivy::cumulative_sum(&x, ()),
            ivy::cumulative_prod(&x, CumulativeProd::new().include_initial()),
        ] {
            assert_eq!(result.unwrap().dtype(), wide(d));
        }
        let narrow = ivy::sum(&x, Sum::new().dtype(Dtype::COMPLEX64)).unwrap();
        assert_eq!(narrow.item::<Complex32>().unwrap(), Complex32::new(3.0, 0.0));
        let refused = ivy::sum(&x, Sum::new().dtype(Dtype::BOOL)).unwrap_err();
        assert!(matches!(refused.kind(), ErrorKind::WrongDtypeKind { dtype: Dtype::BOOL, .. }), "{refused}");
        assert!(ivy::cumulative_sum(&x, CumulativeSum::new().dtype(Dtype::BOOL)).is_err());
    }
    // The sign stays, also where the default integer is unsigned.
    let negative = Array::try_from([-3i8, -4]).unwrap();
    let defaults = Defaults { int: Some(Dtype::UINT16), ..Defaults::default() };
    with(&Context::new().defaults(defaults), || {
        let total = ivy::sum(&negative, ()).unwrap();
        assert_eq!((total.dtype(), total.item::<i16>().unwrap()), (Dtype::INT16, -7));
        assert_eq!(ivy::sum(ivy::ones([2], Dtype::BOOL).unwrap(), ()).unwrap().dtype(), Dtype::UINT16);
    });
    assert_eq!(ivy::sum(Array::try_from([100i8; 3]).unwrap(), ()).unwrap().item::<i32>().unwrap(), 300);
}

#[test]
fn small_floats_lose_nothing_on_the_way() {
    let many = ivy::ones([4096], Dtype::FLOAT16).unwrap();
    assert_eq!(ivy::sum(&many, ()).unwrap().item::<f16>().unwrap().to_f32(), 4096.0);
    // The variance is beyond float16, its root is not.
    let far = Array::try_from([f16::from_f32(-60000.0), f16::from_f32(60000.0)]).unwrap();
    assert_eq!(ivy::std(&far, ()).unwrap().item::<f16>().unwrap().to_f32(), 60000.0);
    assert_eq!(ivy::mean(&far, ()).unwrap().item::<f16>().unwrap().to_f32(), 0.0);
}

#[test]
fn empty_reductions() {
    let empty = ivy::zeros([2, 0], Dtype::FLOAT32).unwrap();
    assert_eq!(ivy::sum(&empty, ()).unwrap().item::<f32>().unwrap(), 0.0);
    assert_eq!(ivy::prod(&empty, Prod::new().axis(1)).unwrap().to_vec::<f32>().unwrap(), [1.0, 1.0]);
    assert!(ivy::all(&empty, ()).unwrap().item::<bool>().unwrap());
    assert!(!ivy::any(&empty, ()).unwrap().item::<bool>().unwrap());
    assert!(ivy::mean(&empty, ()).unwrap().item::<f32>().unwrap().is_nan());
    assert_eq!(ivy::count_nonzero(&empty, ()).unwrap().item::<i64>().unwrap(), 0);
    for refused in [
        ivy::max(&empty, ()),
        ivy::min(&empty, Min::new().axis(1)),
        ivy::argmax(&empty, ()),
        ivy::argmin(&empty, ArgMin::new().axis(1)),
    ] {
        assert!(matches!(refused.unwrap_err().kind(), ErrorKind::EmptyReduction { .. }));
    }
    assert_eq!(ivy::max(&empty, Max::new().axis(0)).unwrap().shape().to_string(), "(0,)");
    // What is composed speaks in its own name, of complex numbers too.
    let complex = ivy::zeros([2, 0], Dtype::COMPLEX64).unwrap();
    let greatest = linalg::VectorNorm::new().ord(f64::INFINITY);
    for (refused, name) in [
        (ivy::softmax(&empty, ()), "softmax"),
        (ivy::softmax(&complex, ()), "softmax"),
        (linalg::vector_norm(&empty, greatest), "vector_norm"),
    ] {
        let error = refused.unwrap_err();
        let own = matches!(error.kind(), ErrorKind::EmptyReduction { function, .. } if *function == name);
        assert!(own, "{error}");
    }
}

#[test]
fn axes_are_checked_under_the_functions_own_name() {
    let x = ivy::ones([2, 2], ()).unwrap();
    for (error, name) in [
        (ivy::std(&x, Std::new().axis(2)).unwrap_err(), "std"),
        (ivy::count_nonzero(&x, CountNonzero::new().axis(-3)).unwrap_err(), "count_nonzero"),
        (ivy::diff(&x, Diff::new().axis(5)).unwrap_err(), "diff"),
        (ivy::argsort(&x, ArgSort::new().axis(2)).unwrap_err(), "argsort"),
        (ivy::softmax(&x, Softmax::new().axis(2)).unwrap_err(), "softmax"),
        (linalg::vector_norm(&x, linalg::VectorNorm::new().axis(2)).unwrap_err(), "vector_norm"),
    ] {
        assert!(
            matches!(error.kind(), ErrorKind::AxisOutOfRange { function, .. } if *function == name),
            "{error}"
        );
    }
    assert!(matches!(
        ivy::cumulative_sum(&x, ()).unwrap_err().kind(),
        ErrorKind::InvalidArgument { argument: "axis", .. }
    ));
    let one = ivy::ones((), Dtype::FLOAT32).unwrap();
    assert!(ivy::nonzero(&one).is_err() && ivy::sort(&one, ()).is_err() && ivy::diff(&one, ()).is_err());
    assert_eq!(ivy::argmax(&one, ()).unwrap().item::<i64>().unwrap(), 0);
    let kept = ivy::argmax(&x, ArgMax::new().keepdims()).unwrap();
    assert_eq!(kept.shape().to_string(), "(1, 1)");
}

#[test]
fn isin_is_any_equal_in_every_dtype() {
    let nan = f64::NAN;
    let (re, im) = ([0.0, -0.0, 1.0, 2.0, nan, 3.0, 1.0], [0.0, 0.0, 0.0, 1.0, 0.0, nan, 1.0]);
    for dtype in ivy::valid_dtypes().iter() {
        let values: Vec<num_complex::Complex64> =
            re.iter().zip(im).map(|(&re, im)| num_complex::Complex64::new(re, im)).collect();
        let x = match dtype.is_complex() {
            true => ivy::astype(Array::try_from(values).unwrap(), dtype).unwrap(),
            false => ivy::astype(Array::try_from(re.to_vec()).unwrap(), dtype).unwrap(),
        };
        let column = ivy::reshape(&x, [7, 1], ()).unwrap();
        for part in [vec![], vec![0i64], vec![1, 3], vec![4, 5, 6], vec![0, 1, 2, 3, 4, 5, 6]] {
            let set = ivy::take(&x, Array::try_from(part.clone()).unwrap(), ()).unwrap();
            let expected = ivy::any(ivy::equal(&column, &set), Any::new().axis(1)).unwrap();
            let found = ivy::isin(&column, &set, ()).unwrap();
            assert_eq!(found.shape().to_string(), "(7, 1)");
            let expected = expected.to_vec::<bool>().unwrap();
            assert_eq!(found.to_vec::<bool>().unwrap(), expected, "{dtype} in {part:?}");
            let inverted = ivy::isin(&column, &set, IsIn::new().invert()).unwrap();
            assert_eq!(inverted.to_vec::<bool>().unwrap(), expected.iter().map(|b| !b).collect::<Vec<_>>());
        }
    }
}

#[test]
fn searchsorted_on_both_sides() {
    let x = Array::try_from([1.0f32, 2.0, 2.0, f32::NAN]).unwrap();
    let values = Array::try_from([[0.0f32, 2.0], [f32::NAN, 9.0]]).unwrap();
    let left = ivy::searchsorted(&x, &values, ()).unwrap();
    assert_eq!(left.shape().to_string(), "(2, 2)");
    assert_eq!(left.to_vec::<i64>().unwrap(), [0, 1, 3, 3]);
    let right = ivy::searchsorted(&x, &values, SearchSorted::new().side(Side::Right)).unwrap();
    assert_eq!(right.to_vec::<i64>().unwrap(), [0, 3, 4, 3]);
    assert_eq!(ivy::searchsorted(&x, 1.5, ()).unwrap().item::<i64>().unwrap(), 1);
    let sorter = Array::try_from([0i32, 1]).unwrap();
    for (error, argument) in [
        (ivy::searchsorted(&values, &x, ()).unwrap_err(), "x1"),
        (ivy::searchsorted(&x, &x, SearchSorted::new().sorter(&sorter)).unwrap_err(), "sorter"),
    ] {
        assert!(
            matches!(error.kind(), ErrorKind::ShapeMismatch { argument: a, .. } if *a == argument),
            "{error}"
        );
    }
    let floats = SearchSorted::new().sorter(&x);
    assert!(matches!(ivy::searchsorted(&x, &x, floats).unwrap_err().kind(), ErrorKind::OutsideDomain { .. }));
}

#[test]
fn differences() {
    let x = Array::try_from([[1u8, 3], [0, 255]]).unwrap();
    assert_eq!(ivy::diff(&x, ()).unwrap().to_vec::<u8>().unwrap(), [2, 255]);
    assert_eq!(ivy::diff(&x, Diff::new().axis(0)).unwrap().to_vec::<u8>().unwrap(), [255, 252]);
    assert_eq!(ivy::diff(&x, Diff::new().n(0)).unwrap().to_vec::<u8>().unwrap(), [1, 3, 0, 255]);
    assert_eq!(ivy::diff(&x, Diff::new().n(i64::MAX)).unwrap().shape().to_string(), "(2, 0)");
    let more = Array::try_from([[10u8, 20]]).unwrap();
    let both = Diff::new().axis(0).prepend(&more).append(5);
    assert_eq!(ivy::diff(&x, both).unwrap().to_vec::<u8>().unwrap(), [247, 239, 255, 252, 5, 6]);
    let wider = Diff::new().axis(0).append(ivy::astype(&more, Dtype::INT32).unwrap());
    assert_eq!(ivy::diff(&x, wider).unwrap().to_vec::<i32>().unwrap(), [-1, 252, 10, -235]);
    assert!(ivy::diff(&x, Diff::new().n(-1)).is_err());
    let error = ivy::diff(&x, Diff::new().axis(1).prepend(&more)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::ShapeMismatch { argument: "prepend", .. }), "{error}");
    assert!(ivy::diff(ivy::astype(&x, Dtype::BOOL).unwrap(), ()).is_err());
}

#[test]
fn host_scalars_are_held_to_the_domain() {
    let x = ivy::ones([3], ()).unwrap();
    let error = ivy::take(&x, 1.5, ()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::OutsideDomain { operand: "indices", .. }), "{error}");
    let error = ivy::where_(1, &x, 0).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::OutsideDomain { operand: "condition", .. }), "{error}");
    assert!(ivy::argmax(true, ()).is_err());
    let fill = Scalar::Complex(num_complex::Complex64::new(0.0, 1.0));
    assert!(ivy::full([2], fill, Dtype::FLOAT32).is_err());
}
