//! Promotion against the tables of Ivy and of the Array API, and the rules for several dtypes
//! and for scalars.

use ivy::prelude::*;
use ivy_core::context::with;
use ivy_core::promotion::{promote, promote_all, promote_scalar};
use ivy_core::{Defaults, ErrorKind, ScalarKind};
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::BTreeSet;

fn fixture(name: &str) -> Value {
    let path = format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(&path).expect("the fixture is there")).expect("it is JSON")
}

fn dtypes(value: &Value) -> Vec<Dtype> {
    value.as_array().unwrap().iter().map(|d| d.as_str().unwrap().parse().unwrap()).collect()
}

/// The sets that stand by themselves; those of the frameworks are in `recorded_rules`.
const IVY: [Rules; 3] = [Rules::Precise, Rules::NonPrecise, Rules::ArrayApi];

/// The 15 dtypes of the tables, whatever rows a build adds.
fn listed() -> Vec<Dtype> {
    dtypes(&fixture("ivy_promotion.json")["dtypes"])
}

#[test]
fn both_tables_are_ivys() {
    let ivy = fixture("ivy_promotion.json");
    let all = dtypes(&ivy["dtypes"]);
    assert_eq!(all.len(), 15);
    for (rules, key) in [(Rules::Precise, "precise"), (Rules::NonPrecise, "non_precise")] {
        for (i, &a) in all.iter().enumerate() {
            for (j, &b) in all.iter().enumerate() {
                let expected: Dtype = ivy[key][i][j].as_str().expect("Ivy has every pair").parse().unwrap();
                assert_eq!(promote(rules, a, b).unwrap(), expected, "{rules}: {a}, {b}");
                assert_eq!(rules.lookup(b, a), Some(expected), "{rules}: {b}, {a}");
                let castable = ivy[format!("can_cast_{key}")][i][j] == 1;
                let context = Context::new().rules(rules);
                assert_eq!(with(&context, || ivy::can_cast(a, b)).unwrap(), castable, "{rules}: {a} to {b}");
            }
        }
    }
}

#[test]
fn the_array_api_table_is_the_standards_with_the_float16_pairs_of_ivy() {
    let strict = fixture("array_api_strict.json");
    let mut expected: BTreeSet<[String; 3]> = strict["promotion_table_entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| [0, 1, 2].map(|i| e[i].as_str().unwrap().to_string()))
        .collect();
    let float16 = Dtype::FLOAT16.name().to_string();
    let ivy = fixture("ivy_promotion.json");
    let all = listed();
    for (i, a) in all.iter().enumerate() {
        for (j, b) in all.iter().enumerate() {
            if let (true, Some(common)) =
                ([a.name(), b.name()].contains(&&*float16), ivy["array_api"][i][j].as_str())
            {
                expected.insert([a.name().into(), b.name().into(), common.into()]);
            }
        }
    }
    expected.insert(["bfloat16"; 3].map(String::from));
    let mut found = BTreeSet::new();
    for &a in &all {
        for &b in &all {
            match promote(Rules::ArrayApi, a, b) {
                Ok(common) => {
                    found.insert([a, b, common].map(|d| d.name().to_string()));
                }
                Err(error) => {
                    let ErrorKind::NoPromotion { left, right, rules, .. } = error.kind() else {
                        panic!("{error}")
                    };
                    assert_eq!((*left, *right, *rules), (a, b, Rules::ArrayApi));
                }
            }
        }
    }
    assert_eq!(found, expected);
    let standard = dtypes(&strict["dtypes"]);
    let context = Context::new().rules(Rules::ArrayApi);
    for (i, &from) in standard.iter().enumerate() {
        for (j, &to) in standard.iter().enumerate() {
            let castable = with(&context, || ivy::can_cast(from, to)).unwrap();
            assert_eq!(castable, strict["can_cast"][i][j] == 1, "{from} to {to}");
        }
    }
}

/// The results that a left fold of the pair table gives in the six orders of three dtypes.
fn folds(rules: Rules, [a, b, c]: [Dtype; 3]) -> BTreeSet<&'static str> {
    [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]]
        .into_iter()
        .map(|[x, y, z]| rules.lookup(rules.lookup(x, y).unwrap(), z).unwrap().name())
        .collect()
}

#[test]
fn promotion_of_several_never_depends_on_their_order() {
    let all = listed();
    let mut folded = [Vec::new(), Vec::new()];
    for (rules, dependent) in [Rules::Precise, Rules::NonPrecise].into_iter().zip(&mut folded) {
        for (i, &a) in all.iter().enumerate() {
            for (j, &b) in all.iter().enumerate() {
                for (k, &c) in all.iter().enumerate() {
                    let several = promote_all("result_type", rules, &[a, b, c]).unwrap();
                    for order in [[a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]] {
                        assert_eq!(promote_all("result_type", rules, &order).unwrap(), several, "{order:?}");
                    }
                    // One twice is the pair.
                    if a == b {
                        assert_eq!(several, rules.lookup(a, c));
                    }
                    let found = folds(rules, [a, b, c]);
                    assert!(found.contains(several.unwrap().name()), "{rules}: {a}, {b}, {c}");
                    if found.len() > 1 && i < j && j < k {
                        let results: Vec<_> = found.into_iter().collect();
                        dependent.push(format!("{a} {b} {c}: {}", results.join(", ")));
                    }
                }
            }
        }
    }
    assert_eq!(
        folded[0],
        [
            "int8 uint8 bfloat16: bfloat16, float32",
            "int8 uint8 float16: float16, float32",
            "int8 uint16 bfloat16: float32, float64",
            "int8 uint16 float16: float32, float64",
            "int8 uint16 float32: float32, float64",
            "int8 uint16 complex64: complex128, complex64",
            "int16 uint16 bfloat16: float32, float64",
            "int16 uint16 float16: float32, float64",
            "int16 uint16 float32: float32, float64",
            "int16 uint16 complex64: complex128, complex64",
        ]
    );
    let mut non_precise = Vec::new();
    for signed in ["int8", "int16", "int32", "int64"] {
        for (float, results) in [
            ("bfloat16", "bfloat16, float64"),
            ("float16", "float16, float64"),
            ("float32", "float32, float64"),
            ("complex64", "complex128, complex64"),
        ] {
            non_precise.push(format!("{signed} uint64 {float}: {results}"));
        }
    }
    assert_eq!(folded[1], non_precise);
}

/// Where the order of several dtypes counts, what they have in common is found from left to right, as in the framework; or it
/// decides no more than whether a pair among them is refused.
#[test]
fn several_dtypes_promote_in_any_order_or_from_left_to_right() {
    let mut ordered = Vec::new();
    for rules in Rules::ALL {
        // Those that arrays may have: of the others no framework has promoted three.
        let dtypes: Vec<Dtype> = Dtype::all().filter(|&d| rules.dtypes().any(|known| known == d)).collect();
        let of = |list: &[Dtype]| promote_all("result_type", rules, list).ok().flatten();
        let (mut any_order, mut left_to_right, mut refusals_alone) = (true, true, true);
        for &a in &dtypes {
            for &b in &dtypes {
                for &c in &dtypes {
                    let found = of(&[a, b, c]);
                    let others = [[a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]];
                    any_order &= others.iter().all(|order| of(order) == found);
                    refusals_alone &=
                        others.iter().filter_map(|order| of(order)).all(|d| found.is_none_or(|f| f == d));
                    left_to_right &= found == rules.lookup(a, b).and_then(|ab| rules.lookup(ab, c));
                }
            }
        }
        assert!(any_order || left_to_right || refusals_alone, "{rules}");
        if !any_order {
            ordered.push((rules.name(), if refusals_alone { "refusals" } else { "dtypes" }));
        }
    }
    let refusals = ["numpy", "numpy-1.26", "torch", "tensorflow", "tensorflow-safe", "tensorflow-numpy"];
    let mut expected: Vec<_> = refusals.into_iter().map(|name| (name, "refusals")).collect();
    expected.push(("jax-x32", "dtypes"));
    expected.sort_unstable();
    ordered.sort_unstable();
    assert_eq!(ordered, expected);
}

#[test]
fn the_order_by_promotion_is_partial() {
    for rules in IVY {
        let all = listed();
        let cmp = |a, b| rules.promotion_cmp(a, b);
        for &a in &all {
            assert_eq!(cmp(a, a), Some(Ordering::Equal));
            for &b in &all {
                assert_eq!(cmp(a, b), cmp(b, a).map(Ordering::reverse));
                assert_eq!(cmp(a, b) == Some(Ordering::Equal), a == b);
                for &c in &all {
                    let ascending = [cmp(a, b), cmp(b, c)] == [Some(Ordering::Less); 2];
                    // The standard has no result for float16 and complex numbers.
                    let gap = rules == Rules::ArrayApi && a == Dtype::FLOAT16 && c.is_complex();
                    let expected = if gap { None } else { Some(Ordering::Less) };
                    assert!(!ascending || cmp(a, c) == expected, "{rules}: {a} < {b} < {c}");
                }
            }
        }
        assert_eq!(cmp(Dtype::BFLOAT16, Dtype::FLOAT16), None);
    }
}

const SCALARS: [(ScalarKind, Scalar); 4] = [
    (ScalarKind::Bool, Scalar::Bool(true)),
    (ScalarKind::Int, Scalar::Int(1)),
    (ScalarKind::Float, Scalar::Float(2.5)),
    (ScalarKind::Complex, Scalar::Complex(num_complex::Complex64::new(0.0, 1.0))),
];
use ivy_core::Scalar;

/// Decisions S13 and S14 by the letter, with the defaults as they are at first.
fn with_scalar(rules: Rules, dtype: Dtype, kind: ScalarKind) -> Option<Dtype> {
    use ScalarKind::*;
    let strict = rules == Rules::ArrayApi;
    let (int, float, complex) = (dtype.is_int(), dtype.is_float(), dtype.is_complex());
    match kind {
        Bool if dtype.is_bool() => Some(dtype),
        _ if dtype.is_bool() && strict => None,
        Int if dtype.is_bool() => Some(Dtype::INT32),
        Float if dtype.is_bool() => Some(Dtype::FLOAT32),
        Complex if dtype.is_bool() => Some(Dtype::COMPLEX64),
        Bool => (!strict).then_some(dtype),
        Int => Some(dtype),
        Float if float || complex => Some(dtype),
        Complex if complex => Some(dtype),
        Complex if dtype == Dtype::FLOAT64 => Some(Dtype::COMPLEX128),
        Complex if float => Some(Dtype::COMPLEX64),
        _ => {
            assert!(int);
            match (rules, kind) {
                (Rules::Precise, Float) => Some(Dtype::FLOAT64),
                (Rules::Precise, _) => Some(Dtype::COMPLEX128),
                (Rules::NonPrecise, Float) => Some(Dtype::FLOAT32),
                (Rules::NonPrecise, _) => Some(Dtype::COMPLEX64),
                _ => None,
            }
        }
    }
}

#[test]
fn scalars_beside_arrays() {
    for rules in IVY {
        for dtype in listed() {
            for (kind, scalar) in SCALARS {
                let expected = with_scalar(rules, dtype, kind);
                let found = promote_scalar("add", rules, &Defaults::default(), dtype, kind);
                assert_eq!(found.ok(), expected, "{rules}: {dtype} with {kind}");
                let context = Context::new().rules(rules);
                let question = with(&context, || ivy::result_type((scalar, dtype)));
                assert_eq!(question.ok(), expected, "{rules}: {dtype} with {kind}");
                let x = ivy::ones([2], dtype).unwrap();
                let call = with(&context, || ivy::promote_types_of_inputs(&x, scalar, ()));
                assert_eq!(call.map(|(a, b)| [a.dtype(), b.dtype()]).ok(), expected.map(|d| [d, d]));
            }
        }
    }
}

#[test]
fn scalars_follow_the_defaults_that_are_set() {
    let defaults = Defaults { float: Some(Dtype::FLOAT16), int: Some(Dtype::INT64), ..Defaults::default() };
    let context = Context::new().rules(Rules::NonPrecise).defaults(defaults);
    with(&context, || {
        assert_eq!(ivy::result_type((Dtype::INT8, 2.5)).unwrap(), Dtype::FLOAT16);
        assert_eq!(ivy::result_type((Dtype::BOOL, 2)).unwrap(), Dtype::INT64);
    });
    // Beside bool the scalar's value counts, as by itself.
    assert_eq!(ivy::result_type((Dtype::BOOL, 1i64 << 40)).unwrap(), Dtype::INT64);
    let sum = ivy::add(ivy::ones([1], Dtype::BOOL).unwrap(), 1i64 << 40).unwrap();
    assert_eq!((sum.dtype(), sum.item::<i64>().unwrap()), (Dtype::INT64, (1 << 40) + 1));
}

#[test]
fn integer_scalars_out_of_range() {
    for dtype in listed().into_iter().filter(|d| d.is_int()) {
        let (min, max) = dtype.int_range().unwrap();
        let x = ivy::asarray([0u8, 1], dtype).unwrap();
        for value in [min - 1, max + 1] {
            let error = ivy::add(&x, value).unwrap_err();
            let ErrorKind::ScalarOutOfRange { value: found, dtype: of, min: low, max: high, .. } =
                error.kind()
            else {
                panic!("{error}")
            };
            assert_eq!((*found, *of, *low, *high), (Scalar::Int(value), dtype, min, max));
            // Comparisons have the mathematical answer.
            let above = value > max;
            for (answer, expected) in [
                (ivy::less(&x, value), above),
                (ivy::less_equal(&x, value), above),
                (ivy::greater(&x, value), !above),
                (ivy::greater_equal(&x, value), !above),
                (ivy::equal(&x, value), false),
                (ivy::not_equal(&x, value), true),
                (ivy::less(value, &x), !above),
                (ivy::greater_equal(value, &x), above),
            ] {
                assert_eq!(answer.unwrap().to_vec::<bool>().unwrap(), [expected; 2], "{dtype} and {value}");
            }
        }
        for value in [min, max] {
            ivy::multiply(&x, value).unwrap();
        }
    }
    // A float scalar rounds to the array's dtype, to infinity if need be.
    let x = ivy::ones([1], Dtype::FLOAT32).unwrap();
    assert_eq!(ivy::multiply(&x, 1e300).unwrap().item::<f32>().unwrap(), f32::INFINITY);
}

#[test]
fn questions_about_dtypes_need_no_backend() {
    assert_eq!(ivy::promote_types("int16", "float16", ()).unwrap(), Dtype::FLOAT32);
    let error =
        ivy::promote_types("bool", "int8", ivy::PromoteTypes::new().array_api_promotion()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "promote_types: bool and int8 have no common dtype under the array-api rules (rules/array-api/pairs.tsv, row bool, column int8). Cast one with `astype`, \
         or use the precise or non-precise rules"
    );
    assert!(
        ivy::result_type(None::<Dtype>).is_err()
            && ivy::promote_types(None::<Dtype>, None::<Dtype>, ()).is_err()
    );
}

#[test]
fn reductions_of_truth_values_follow_the_rules() {
    type Reduce = fn(&ivy::Array) -> ivy::Result<ivy::Array>;
    let reductions: [(&str, Reduce); 3] = [
        ("all", |x| ivy::all(x, ())),
        ("any", |x| ivy::any(x, ())),
        ("count_nonzero", |x| ivy::count_nonzero(x, ())),
    ];
    for rules in Rules::ALL {
        ivy::with(&Context::new().rules(rules), || {
            for dtype in rules.dtypes().filter(|d| d.is_stored()) {
                let x = ivy::ones([2], dtype).unwrap();
                for (name, reduce) in reductions {
                    let function = ivy::function::find_function(name).unwrap();
                    let category = function.rule_category().unwrap();
                    let refused = rules.refused_by(category).contains(dtype);
                    let found = reduce(&x);
                    assert_eq!(found.is_err(), refused, "{name}({dtype}) under the {rules} rules: {found:?}");
                    if let Err(error) = found {
                        let ErrorKind::OutsideDomain { function, dtype: named, allowed, .. } = error.kind()
                        else {
                            panic!("{name}({dtype}) under the {rules} rules: {error}");
                        };
                        assert_eq!((*function, *named, allowed.contains(dtype)), (name, dtype, false));
                    }
                }
            }
        });
    }
    // TensorFlow's `reduce_all` takes bool alone.
    ivy::with(&Context::new().rules(Rules::Tensorflow), || {
        assert!(ivy::all(ivy::ones([2], Dtype::INT8).unwrap(), ()).is_err());
    });
}
