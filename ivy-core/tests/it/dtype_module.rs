//! Ivy's tests of its data type module, those that make sense here, against its recorded answers.

use crate::common;

use common::backend_without;
use ivy::prelude::*;
use ivy::{DefaultOf, DtypeArg};
use ivy_core::context::with;
use ivy_core::dtype::{ComplexDtype, FloatDtype, IntDtype, UintDtype};
use ivy_core::{Defaults, DtypeSet, ErrorKind, Scalar, ScalarKind, context};
use num_complex::Complex64;
use serde_json::Value;

fn fixture(name: &str) -> Value {
    let path = format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(&path).expect("the fixture is there")).expect("it is JSON")
}

fn parse(value: &Value) -> Dtype {
    value.as_str().expect("a name").parse().expect("a dtype")
}

#[test]
fn dtype_instances() {
    for d in Dtype::all() {
        assert_eq!(d.name().parse::<Dtype>().unwrap(), d);
        assert_eq!(IntDtype::new(d).is_ok(), d.is_int());
        assert_eq!(UintDtype::try_from(d).is_ok(), d.is_uint());
        assert_eq!(d.name().parse::<FloatDtype>().is_ok(), d.is_float());
        assert_eq!(ComplexDtype::new(d).is_ok(), d.is_complex());
    }
    assert_eq!("foo".parse::<Dtype>().unwrap_err().to_string(), "foo is not supported by ivy");
    assert_eq!(FloatDtype::new("int8").unwrap_err().to_string(), "FloatDtype: int8 is not a float dtype");
    let unsigned = UintDtype::new("uint8").unwrap();
    assert_eq!((IntDtype::from(unsigned).get(), Dtype::from(unsigned)), (Dtype::UINT8, Dtype::UINT8));
}

#[test]
fn as_ivy_dtype_and_as_native_dtype() {
    for d in ivy::valid_dtypes().iter() {
        let native = ivy::as_native_dtype(d).unwrap();
        assert_eq!(native.backend, "ndarray");
        assert_eq!(ivy::as_ivy_dtype(&native).unwrap(), d);
        assert_eq!(ivy::as_ivy_dtype(native.name).unwrap(), d);
        assert_eq!(ivy::as_ivy_dtype(d.name()).unwrap(), d);
        assert_eq!(ivy::as_ivy_dtype(d.typestr()).unwrap(), d);
        assert_eq!(ivy::as_ivy_dtype(ivy::ones([1], d).unwrap()).unwrap(), d);
        assert!(ivy::is_native_dtype(native.name) && ivy::is_hashable_dtype(d));
    }
    let kinds = [ScalarKind::Bool, ScalarKind::Int, ScalarKind::Float, ScalarKind::Complex];
    let defaults = [Dtype::BOOL, Dtype::INT32, Dtype::FLOAT32, Dtype::COMPLEX64];
    assert_eq!(kinds.map(|k| ivy::as_ivy_dtype(k).unwrap()), defaults);
    let error = ivy::as_ivy_dtype("foo").unwrap_err().to_string();
    assert!(
        error.starts_with("foo is not supported by ivy, and ndarray ") && error.contains("has no dtype"),
        "{error}"
    );
    assert!(!ivy::is_native_dtype("foo"));
    assert!(!ivy::is_hashable_dtype("foo"));
    // Emulated storage: the native name means the dtype that it is the name of.
    with(&Context::new().backend(backend_without(Dtype::FLOAT64)), || {
        let native = ivy::as_native_dtype(Dtype::BOOL).unwrap();
        assert_eq!((native.name, native.emulated), ("BYTE", Some("0 and 1")));
        assert_eq!(ivy::as_ivy_dtype(&native).unwrap(), Dtype::BOOL);
        assert_eq!(ivy::as_ivy_dtype("BYTE").unwrap(), Dtype::UINT8);
        let error = ivy::as_native_dtype("float64").unwrap_err();
        assert!(error.to_string().contains("partial 1.2.3 has no storage for float64"), "{error}");
    });
}

#[test]
fn astype() {
    let x = Array::try_from([1.9f32, -1.0, 0.0]).unwrap();
    assert_eq!(ivy::astype(&x, Dtype::UINT8).unwrap().to_vec::<u8>().unwrap(), [1, 0, 0]);
    let same = ivy::astype(&x, Dtype::FLOAT32).unwrap().to_host().unwrap();
    assert_eq!(same.view().as_ptr(), x.to_host().unwrap().view().as_ptr(), "nothing is copied");
    let z = ivy::astype(&x, Dtype::COMPLEX64).unwrap();
    let error = ivy::astype(&z, Dtype::FLOAT32).unwrap_err();
    assert!(matches!(
        error.kind(),
        ErrorKind::CastRefused { from: Dtype::COMPLEX64, to: Dtype::FLOAT32, .. }
    ));
    assert_eq!(ivy::astype(&z, Dtype::BOOL).unwrap().to_vec::<bool>().unwrap(), [true, true, false]);
    // A complex host scalar is refused like an array.
    assert!(ivy::astype(Complex64::new(1.0, 1.0), Dtype::FLOAT32).is_err());
    assert!(ivy::asarray(Complex64::new(1.0, 1.0), Dtype::FLOAT32).is_err());
}

#[test]
fn finfo_and_iinfo() {
    let strict = fixture("array_api_strict.json");
    for (name, row) in strict["finfo"].as_object().unwrap() {
        let info = ivy::finfo(ivy::ones([1], name.parse::<Dtype>().unwrap()).unwrap()).unwrap();
        let found = [info.bits as f64, info.eps, info.max, info.min, info.smallest_normal];
        let number = |key: &str| row[key].as_str().unwrap().parse::<f64>().unwrap();
        assert_eq!(found, ["bits", "eps", "max", "min", "smallest_normal"].map(number), "{name}");
        assert_eq!(info.dtype, parse(&row["dtype"]));
    }
    for (name, row) in strict["iinfo"].as_object().unwrap() {
        let info = ivy::iinfo(name.as_str()).unwrap();
        assert_eq!(info.bits as u64, row[0].as_u64().unwrap());
        assert_eq!([info.min.to_string(), info.max.to_string()], [1, 2].map(|i| row[i].as_str().unwrap()));
    }
    let half = ivy::finfo("float16").unwrap();
    assert_eq!((half.max, half.eps, half.smallest_normal), (65504.0, 2f64.powi(-10), 2f64.powi(-14)));
    assert_eq!(ivy::finfo("bfloat16").unwrap().eps, 2f64.powi(-7));
    for d in Dtype::all() {
        assert_eq!(ivy::finfo(d).is_ok(), d.is_float() || d.is_complex());
        assert_eq!(ivy::iinfo(d).is_ok(), d.is_int());
        assert_eq!(ivy::dtype_bits(d).unwrap(), d.bits());
    }
    assert_eq!((ivy::dtype_bits("bool").unwrap(), ivy::dtype_bits("complex64").unwrap()), (1, 64));
}

#[test]
fn isdtype() {
    let strict = fixture("array_api_strict.json");
    let order: Vec<Dtype> = strict["dtypes"].as_array().unwrap().iter().map(parse).collect();
    for (kind, mask) in strict["isdtype"].as_object().unwrap() {
        for (&d, bit) in order.iter().zip(mask.as_str().unwrap().chars()) {
            assert_eq!(ivy::isdtype(d, kind.as_str()).unwrap(), bit == '1', "{d} {kind}");
        }
        for small in [Dtype::FLOAT16, Dtype::BFLOAT16] {
            let expected = ivy::isdtype(Dtype::FLOAT32, kind.as_str()).unwrap();
            assert_eq!(ivy::isdtype(small, kind.as_str()).unwrap(), expected);
        }
    }
    assert!(ivy::isdtype("int8", ("bool", (Dtype::INT8, Dtype::INT16))).unwrap());
    assert!(!ivy::isdtype("int8", (Dtype::UINT8, "complex floating")).unwrap());
    assert!(ivy::isdtype("int8", DtypeSet::SIGNED).unwrap());
    assert!(matches!(
        ivy::isdtype("int8", "int8").unwrap_err().kind(),
        ErrorKind::InvalidArgument { function: "isdtype", argument: "kind", .. }
    ));
}

#[test]
fn kinds_of_dtypes_arrays_scalars_and_lists() {
    let zero = num_complex::Complex64::new(0.0, 1.0);
    for d in Dtype::all() {
        let x = ivy::ones([1], d);
        let kinds = [d.is_bool(), d.is_int(), d.is_uint(), d.is_float(), d.is_complex()];
        let by_dtype = [
            ivy::is_bool_dtype(d).unwrap(),
            ivy::is_int_dtype(d.name()).unwrap(),
            ivy::is_uint_dtype(d).unwrap(),
            ivy::is_float_dtype(d).unwrap(),
            ivy::is_complex_dtype(d).unwrap(),
        ];
        assert_eq!(by_dtype, kinds, "{d}");
        let Ok(x) = x else { continue };
        assert_eq!(ivy::is_int_dtype(&x).unwrap(), d.is_int());
        assert_eq!(ivy::is_float_dtype((1, [&x])).unwrap(), d.is_float());
    }
    assert!(ivy::is_bool_dtype(true).unwrap() && !ivy::is_int_dtype(true).unwrap());
    assert!(ivy::is_int_dtype((1, 2.0)).unwrap() && ivy::is_float_dtype((1, 2.0)).unwrap());
    assert!(ivy::is_complex_dtype(vec![vec![zero]]).unwrap() && !ivy::is_complex_dtype([1.0]).unwrap());
    assert!(!ivy::is_float_dtype(Vec::<f32>::new()).unwrap());
    assert!(ivy::is_float_dtype("foo").is_err());
    assert!(ivy::check_float(1) && ivy::check_float(1.5) && !ivy::check_float(zero));
}

/// The item that a key of the record stands for, as leaves.
fn item(key: &str) -> Vec<DtypeArg> {
    let inner = key.trim_start_matches('[').trim_end_matches(']');
    let scalar = |text: &str| match text {
        "True" => Scalar::Bool(true),
        "1" => Scalar::Int(1),
        "2**31-1" => Scalar::Int((1 << 31) - 1),
        "2**31" => Scalar::Int(1 << 31),
        "2**40" => Scalar::Int(1 << 40),
        "2**63-1" => Scalar::Int((1 << 63) - 1),
        "2**63" => Scalar::Int(1 << 63),
        "-2**31-1" => Scalar::Int(-(1 << 31) - 1),
        "2**64" => Scalar::Int(1 << 64),
        "1j" => Scalar::Complex(Complex64::new(0.0, 1.0)),
        "1e39+1j" => Scalar::Complex(Complex64::new(1e39, 1.0)),
        "1e39+1e39j" => Scalar::Complex(Complex64::new(1e39, 1e39)),
        float => Scalar::Float(float.parse().expect("a float")),
    };
    inner.split(',').filter(|t| !t.is_empty()).map(|t| DtypeArg::Scalar(scalar(t))).collect()
}

#[test]
fn default_dtype_of_items() {
    let ivy_says = fixture("ivy_defaults.json");
    for (key, recorded) in ivy_says["default_dtype_item"].as_object().unwrap() {
        let expected = match key.as_str() {
            // What I-39 says is right instead, and a part that would become infinite.
            "-2**31-1" => Dtype::INT64,
            "[True]" => Dtype::BOOL,
            "1e39+1j" => Dtype::COMPLEX128,
            _ => parse(recorded),
        };
        let found = ivy::default_dtype(DefaultOf::new().item(item(key)).unwrap()).unwrap();
        assert_eq!(found, expected, "{key}");
    }
    let of = |item: i128| DefaultOf::new().item(item).unwrap();
    assert_eq!(ivy::default_dtype(of(-(1 << 40))).unwrap(), Dtype::INT64);
    assert_eq!(ivy::default_dtype(of(-(1 << 70))).unwrap(), Dtype::INT64);
    assert!(ivy::asarray(1i128 << 64, ()).is_err());
    let x = ivy::ones([2], Dtype::FLOAT16).unwrap();
    assert_eq!(ivy::default_dtype(DefaultOf::new().item(&x).unwrap()).unwrap(), Dtype::FLOAT16);
    let explicit = DefaultOf::new().item(&x).unwrap().dtype("uint8").unwrap();
    assert_eq!(ivy::default_dtype(explicit).unwrap(), Dtype::UINT8);
}

#[test]
fn default_dtypes_of_kinds() {
    let of = || DefaultOf::new();
    assert_eq!(ivy::default_int_dtype(of().item(1i64 << 31).unwrap()).unwrap(), Dtype::INT64);
    assert_eq!(ivy::default_uint_dtype(of().item(1i64 << 31).unwrap()).unwrap(), Dtype::UINT32);
    assert_eq!(ivy::default_uint_dtype(of().item(1i64 << 32).unwrap()).unwrap(), Dtype::UINT64);
    assert_eq!(ivy::default_float_dtype(of().item(1e-40).unwrap()).unwrap(), Dtype::FLOAT64);
    assert_eq!(ivy::default_float_dtype(of().item(f64::INFINITY).unwrap()).unwrap(), Dtype::FLOAT32);
    assert_eq!(ivy::default_complex_dtype(of().item(1e39).unwrap()).unwrap(), Dtype::COMPLEX128);
    let bytes = ivy::ones([1], Dtype::UINT8).unwrap();
    assert_eq!(ivy::default_int_dtype(of().item(&bytes).unwrap()).unwrap(), Dtype::UINT8);
    assert_eq!(ivy::default_float_dtype(of().item(&bytes).unwrap()).unwrap(), Dtype::FLOAT32);
    assert!(matches!(
        ivy::default_float_dtype(of().dtype("int32").unwrap()).unwrap_err().kind(),
        ErrorKind::WrongDtypeKind { dtype: Dtype::INT32, expected: "float", .. }
    ));
}

#[test]
fn setters_of_defaults() {
    let ivy_says = fixture("ivy_defaults.json");
    for (key, recorded) in ivy_says["stack"].as_object().unwrap() {
        let mut result = Ok(());
        // Setters act on the innermost scope and end with it.
        let found = with(&Context::new(), || {
            for call in key.split('+').filter(|c| *c != "initial") {
                let (setter, dtype) = call.trim_end_matches(')').split_once('(').unwrap();
                result = match setter {
                    "set_default_dtype" => ivy::set_default_dtype(dtype),
                    "set_default_int_dtype" => ivy::set_default_int_dtype(dtype),
                    "set_default_uint_dtype" => ivy::set_default_uint_dtype(dtype),
                    "set_default_float_dtype" => ivy::set_default_float_dtype(dtype),
                    "set_default_complex_dtype" => ivy::set_default_complex_dtype(dtype),
                    other => panic!("{other}"),
                };
            }
            [
                ("default_dtype", ivy::default_dtype(())),
                ("default_int_dtype", ivy::default_int_dtype(())),
                ("default_uint_dtype", ivy::default_uint_dtype(())),
                ("default_float_dtype", ivy::default_float_dtype(())),
                ("default_complex_dtype", ivy::default_complex_dtype(())),
            ]
        });
        if recorded.is_string() {
            assert!(matches!(result.unwrap_err().kind(), ErrorKind::WrongDtypeKind { .. }), "{key}");
            continue;
        }
        result.unwrap();
        for (getter, dtype) in found {
            assert_eq!(dtype.unwrap(), parse(&recorded[getter]), "{key}: {getter}");
        }
    }
    for (name, recorded) in ivy_says["infer_default_dtype"].as_object().unwrap() {
        assert_eq!(ivy::infer_default_dtype(name.as_str()).unwrap(), parse(recorded), "{name}");
    }
}

#[test]
fn unsetters_and_guards_of_defaults() {
    with(&Context::new(), || {
        let initial = context::current();
        for unset in [
            ivy::unset_default_dtype,
            ivy::unset_default_int_dtype,
            ivy::unset_default_uint_dtype,
            ivy::unset_default_float_dtype,
            ivy::unset_default_complex_dtype,
        ] {
            unset(); // of an empty stack: nothing
            assert_eq!(context::current(), initial);
        }
        ivy::set_default_float_dtype("float16").unwrap();
        ivy::set_default_float_dtype("float64").unwrap();
        assert_eq!(ivy::default_dtype(()).unwrap(), Dtype::FLOAT64);
        ivy::unset_default_float_dtype();
        assert_eq!(ivy::default_dtype(()).unwrap(), Dtype::FLOAT16);
        ivy::unset_default_float_dtype();
        assert_eq!(context::current(), initial);
        {
            let _general = context::DefaultDtype::new("int16").unwrap();
            let _complex = context::DefaultComplexDtype::new("complex128").unwrap();
            assert_eq!(ivy::default_int_dtype(()).unwrap(), Dtype::INT16);
            assert_eq!(ivy::default_complex_dtype(()).unwrap(), Dtype::COMPLEX128);
            assert_eq!(ivy::zeros([1], ()).unwrap().dtype(), Dtype::INT16);
            assert!(context::DefaultFloatDtype::new("int8").is_err());
        }
        assert_eq!(context::current(), initial);
    });
}

#[test]
fn valid_and_invalid_dtypes() {
    assert_eq!((ivy::valid_dtypes(), ivy::invalid_dtypes()), (ivy::all_dtypes(), DtypeSet::EMPTY));
    let names: Vec<_> = ivy::all_dtypes().iter().map(Dtype::name).collect();
    assert_eq!(
        names[..15],
        [
            "int8",
            "int16",
            "int32",
            "int64",
            "uint8",
            "uint16",
            "uint32",
            "uint64",
            "bfloat16",
            "float16",
            "float32",
            "float64",
            "complex64",
            "complex128",
            "bool",
        ]
    );
    let missing = (DtypeSet::UNSIGNED - Dtype::UINT8) | Dtype::BFLOAT16 | Dtype::COMPLEX64;
    with(&Context::new().backend(backend_without(missing)), || {
        for d in Dtype::all() {
            assert_eq!(ivy::invalid_dtype(d).unwrap(), missing.contains(d));
            assert_eq!(ivy::valid_dtype(d.name()).unwrap(), !missing.contains(d));
        }
        assert_eq!(ivy::invalid_dtypes(), missing);
        assert_eq!(ivy::invalid_numeric_dtypes(), missing);
        assert_eq!(ivy::valid_uint_dtypes().to_string(), "uint8");
        assert_eq!(ivy::invalid_uint_dtypes().to_string(), "uint16, uint32, uint64");
        assert_eq!(ivy::valid_int_dtypes().to_string(), "int8, int16, int32, int64, uint8");
        assert_eq!(ivy::invalid_float_dtypes().to_string(), "bfloat16");
        assert_eq!(ivy::valid_complex_dtypes().to_string(), "complex128");
        let closest = |d: &str| ivy::closest_valid_dtype(d);
        assert_eq!(closest("uint8").unwrap(), Dtype::UINT8);
        assert_eq!(closest("uint16").unwrap(), Dtype::INT32);
        assert_eq!(closest("uint32").unwrap(), Dtype::INT64);
        assert_eq!(closest("bfloat16").unwrap(), Dtype::FLOAT32);
        assert_eq!(closest("complex64").unwrap(), Dtype::COMPLEX128);
        let error = closest("uint64").unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::DtypeNotStored { dtype: Dtype::UINT64, .. }), "{error}");
        assert_eq!(ivy::closest_valid_dtype(None::<Dtype>).unwrap(), Dtype::FLOAT32);
        // Promotion asks no backend; an array of the dtype is the error.
        assert_eq!(ivy::promote_types("bfloat16", "int8", ()).unwrap(), Dtype::BFLOAT16);
        let error = ivy::zeros([1], Dtype::BFLOAT16).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::DtypeNotStored { dtype: Dtype::BFLOAT16, .. }), "{error}");
    });
    assert!(ivy::valid_dtype(None::<Dtype>).unwrap() && !ivy::invalid_dtype(None::<Dtype>).unwrap());
    assert!(ivy::valid_dtype("foo").is_err());
}

#[test]
fn result_type_promotion_and_inference() {
    let (a, b) = (ivy::ones([2], Dtype::INT16).unwrap(), ivy::ones([3], Dtype::UINT16).unwrap());
    let half = ivy::ones([1], Dtype::FLOAT16).unwrap();
    // In any order, as the pair of what the integers are together, and float16.
    for dtype in [
        ivy::result_type((&a, &b, &half)),
        ivy::result_type((&half, &a, &b)),
        ivy::result_type([&b, &half, &a]),
        ivy::result_type((&a, ["uint16", "float16"])),
    ] {
        assert_eq!(dtype.unwrap(), Dtype::FLOAT64);
    }
    assert_eq!(ivy::result_type((1, 2.5)).unwrap(), Dtype::FLOAT64); // as int32 and float32
    assert_eq!(ivy::result_type(true).unwrap(), Dtype::BOOL);
    let (x, y) = ivy::type_promote_arrays(&a, &half).unwrap();
    assert_eq!((x.dtype(), y.dtype()), (Dtype::FLOAT32, Dtype::FLOAT32));
    assert_eq!((x.shape().to_string(), y.shape().to_string()), ("(2,)".into(), "(1,)".into()));
    let strict = || ivy::PromoteTypes::new().array_api_promotion();
    assert!(ivy::promote_types_of_inputs(&a, &half, strict()).is_err());
    assert!(ivy::promote_types_of_inputs(&a, 300i64 << 8, ()).is_err());
    let (x, y) = ivy::promote_types_of_inputs(1, 2.5, ()).unwrap();
    assert_eq!((x.dtype(), y.dtype()), (Dtype::FLOAT64, Dtype::FLOAT64));
    assert_eq!(ivy::infer_dtype(None::<Dtype>, (1.5, &a, &half)).unwrap(), Dtype::INT16);
    assert_eq!(ivy::infer_dtype(None::<Dtype>, 7).unwrap(), Dtype::FLOAT32);
    assert_eq!(ivy::infer_dtype("int8", &half).unwrap(), Dtype::INT8);
    assert_eq!((ivy::dtype(&a), ivy::sum(&a, Sum::new().dtype(Dtype::INT64)).unwrap().dtype()), {
        (Dtype::INT16, Dtype::INT64)
    });
    let defaults = Defaults { float: Some(Dtype::FLOAT64), ..Defaults::default() };
    with(&Context::new().defaults(defaults), || {
        assert_eq!(ivy::cos(&a).unwrap().dtype(), Dtype::FLOAT64);
    });
}

#[test]
fn broadcast() {
    let (x, y) = (ivy::ones([3, 1], ()).unwrap(), ivy::ones([2], Dtype::INT8).unwrap());
    let both = ivy::broadcast_arrays([&x, &y]).unwrap();
    assert!(both.iter().all(|a| a.shape().to_string() == "(3, 2)"));
    assert_eq!(both[1].dtype(), Dtype::INT8);
    let three = ivy::ones([3], ()).unwrap();
    let error = ivy::add(&three, &y).unwrap_err();
    assert_eq!(error.to_string(), "add: shapes (3,), (2,) do not broadcast");
}

/// Of two operands `result_type` says what a function of both that has no rule of its own computes in.
#[test]
fn result_type_sees_arrays_as_calls_do() {
    let operand = |dtype: Dtype, shape: &[usize]| -> ivy::Result<Array> { ivy::ones(shape.to_vec(), dtype) };
    let dtypes = [Dtype::BOOL, Dtype::INT8, Dtype::UINT8, Dtype::INT64, Dtype::FLOAT32, Dtype::FLOAT64];
    let mut count = 0;
    for rules in Rules::ALL {
        ivy::with(&Context::new().rules(rules), || {
            for (a, b) in dtypes.iter().flat_map(|&a| dtypes.map(|b| (a, b))) {
                for (first, second) in [(&[1][..], &[1][..]), (&[1], &[]), (&[], &[1]), (&[], &[])] {
                    let (x, y) = (operand(a, first).unwrap(), operand(b, second).unwrap());
                    // A framework's function may refuse what has a dtype in common.
                    let Ok(called) = ivy::where_(true, &x, &y).map(|z| z.dtype()) else { continue };
                    let what = format!("{a} {first:?} and {b} {second:?} by {}", rules.name());
                    assert_eq!(ivy::result_type((&x, &y)).unwrap(), called, "{what}");
                    count += 1;
                }
            }
        });
    }
    assert!(count > 1000, "{count}");
}
