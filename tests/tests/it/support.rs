//! Support by version: the declared lists, what code declares, following compositions, and
//! the measured tables against the live backends.

use ivy::backend::{BackendRef, question_backend};
use ivy::context::{CastModes, with};
use ivy::function::Role;
use ivy::plan::{State, explain};
use ivy::prelude::*;
use ivy::support::{self, function_support, function_supported_dtypes, function_unsupported_dtypes, tables};
use ivy::{DtypeSet, ErrorKind};
use ivy_backend_suite::in_part;
use ivy_conformance::probe;
use std::collections::HashSet;

fn at(place: &str) -> BackendRef {
    question_backend(place).unwrap()
}

fn supported(function: &str, place: &str) -> String {
    function_supported_dtypes(function, Some(place)).unwrap().to_string()
}

#[test]
fn other_versions_are_answered_by_the_declared_lists() {
    let old = "int8, int16, int32, int64, uint8, bfloat16, float32, float64, bool";
    assert_eq!(supported("expm1", "torch@2.0.1"), old);
    assert_eq!(supported("lcm", "torch@2.0.1"), "int8, int16, int32, int64, uint8");
    assert_eq!(
        supported("mean", "torch@1.12.1"),
        "bfloat16, float16, float32, float64, complex64, complex128"
    );
    // numpy of that time has no bfloat16.
    assert!(!function_supported_dtypes("add", Some("numpy@1.25")).unwrap().contains(Dtype::BFLOAT16));
    let (yes, no) = (
        function_supported_dtypes("expm1", Some("torch@2.0.1")).unwrap(),
        function_unsupported_dtypes("expm1", Some("torch@2.0.1")).unwrap(),
    );
    assert_eq!((yes | no, yes & no), (DtypeSet::ALL, DtypeSet::EMPTY));
}

/// Every function of ours that a list of torch's is about: valid and listed and in the domain.
#[test]
fn listed_functions_support_what_is_valid_and_listed() {
    let place = "2.0.1".parse().unwrap();
    let (valid, ..) = tables::valid_dtypes("torch", &place).unwrap();
    let table = tables::declared("torch").unwrap();
    let mut compared = 0;
    for function in ivy::function::functions() {
        let Some(answer) = table.lookup(function.name, tables::Device::Cpu, &place) else { continue };
        let promoted = function.operands.first().is_some_and(|o| o.role == Role::Promoted);
        // `astype` is asked about with the dtype as its target too.
        if function.operands.len() != 1 || function.variadic || !promoted || function.name == "astype" {
            continue;
        }
        let plain = |d: &Dtype| explain(function.name, &[d.name()], None, &at("ndarray"));
        let wanted: DtypeSet =
            DtypeSet::from_bits(answer.supported(valid)).iter().filter(|d| plain(d).is_ok()).collect();
        let got = function_supported_dtypes(function.name, Some("torch@2.0.1")).unwrap();
        // A dtype that is cast before the call must be listed as well, so less may be supported.
        assert!((got - wanted).is_empty(), "{}: {got} of {wanted}", function.name);
        compared += 1;
    }
    assert!(compared > 30, "{compared}");
}

#[test]
fn a_list_older_than_the_version_says_so() {
    let plan = explain("mean", &["float16"], None, &at("torch@2.5")).unwrap();
    assert!(plan.notes.iter().any(|n| n.contains("older than torch 2.5")), "{:?}", plan.notes);
    let plan = explain("mean", &["float16"], None, &at("torch@2.0.1")).unwrap();
    assert_eq!(plan.notes.len(), 1, "{:?}", plan.notes);
}

#[test]
fn versions_that_are_not_installed_are_not_run() {
    for place in ["torch@1.12.1", "numpy@1.25", "candle@0.1"] {
        let error = ivy::set_backend(place).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::BackendUnavailable { .. }), "{error}");
    }
    assert!(matches!(question_backend("torch@two").unwrap_err().kind(), ErrorKind::InvalidArgument { .. }));
    assert!(matches!(question_backend("abacus@1").unwrap_err().kind(), ErrorKind::UnknownBackend { .. }));
    let old = at("torch@2.0.1");
    let x = with(&Context::new().backend(&old), || ivy::ones([2], ())).unwrap();
    assert!(matches!(x.to_vec::<f32>().unwrap_err().kind(), ErrorKind::BackendUnavailable { .. }));
}

/// The documented examples (spec I-58), by plan, at the version of the document.
#[test]
fn the_documented_casting_examples_plan_as_documented() {
    let torch = at("torch@2.0.1");
    let plan = |function: &str, operands: &[&str], modes: &str| {
        let modes: CastModes = modes.parse().unwrap();
        with(&Context::new().casting(modes), || explain(function, operands, None, &torch))
    };
    let error = plan("expm1", &["float16"], "none").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::UnsupportedDtype { .. }), "{error}");
    for (modes, result) in [("upcast", "float32"), ("downcast", "bfloat16"), ("all", "float32")] {
        let plan = plan("expm1", &["float16"], modes).unwrap();
        assert_eq!(plan.outputs[0].name(), result, "{modes}");
    }
    let halves = ["float16", "float16"];
    assert!(plan("lcm", &halves, "upcast,downcast").is_err());
    assert_eq!(plan("lcm", &halves, "crosscast").unwrap().outputs[0], Dtype::INT32);
    assert_eq!(plan("mean", &["int8"], "crosscast").unwrap().outputs[0], Dtype::FLOAT32);
}

#[test]
fn compositions_are_followed_to_what_they_call() {
    // Nothing lists `vecdot` of old torch, so it is what its composition calls.
    let plan = explain("vecdot", &["float32", "float32"], None, &at("torch@2.0.1")).unwrap();
    assert!(!plan.steps.is_empty() && plan.state == State::Composed);
    let matmul = function_supported_dtypes("matmul", Some("torch@2.0.1")).unwrap();
    let vecdot = function_supported_dtypes("vecdot", Some("torch@2.0.1")).unwrap();
    assert_eq!(vecdot - matmul, DtypeSet::EMPTY, "{vecdot} of {matmul}");
    let parts = support::function_supported_dtypes_by_part("softmax", Some("candle")).unwrap();
    assert_eq!(parts.compositional, function_supported_dtypes("softmax", Some("candle")).unwrap());
    assert!(parts.primary.contains(Dtype::FLOAT32) && !parts.primary.contains(Dtype::COMPLEX64));
}

#[test]
fn code_declares_support_and_its_errors_name_file_line_and_key() {
    use ivy::support::{register_support, support_block, support_blocks};
    support_blocks! {
        pub static BLOCKS for "slate" = [
            (expm1, log1p; unsupported { "cpu", "1.0 to 1.9": ["float16"]; "all", "2.0 and above": ["complex"]; }),
            (gcd; supported { "all", "1.0 and above": ["int32", "int64"]; }),
        ];
    }
    register_support(BLOCKS).unwrap();
    assert!(!function_supported_dtypes("expm1", Some("slate@1.9.5")).unwrap().contains(Dtype::FLOAT16));
    assert!(function_supported_dtypes("expm1", Some("slate@2.1")).unwrap().contains(Dtype::FLOAT16));
    assert_eq!(supported("gcd", "slate@2.1"), "int32, int64");
    // A list about a composition adds to what it calls; with `override` it replaces that.
    register_support(&[
        support_block!("slate": exp; unsupported { "all", "1.0 and above": ["float16"]; }),
        support_block!("slate": softmax; unsupported { "all", "1.0 and above": ["complex"]; }),
    ])
    .unwrap();
    let softmax = function_supported_dtypes("softmax", Some("slate@2.1")).unwrap();
    assert!(!softmax.contains(Dtype::FLOAT16) && !softmax.contains(Dtype::COMPLEX64), "{softmax}");
    let whole =
        support_block!("easel": softmax; override unsupported { "all", "1.0 and above": ["complex"]; });
    let exp = support_block!("easel": exp; unsupported { "all", "1.0 and above": ["float16"]; });
    register_support(&[whole, exp]).unwrap();
    let softmax = function_supported_dtypes("softmax", Some("easel@2.1")).unwrap();
    assert!(softmax.contains(Dtype::FLOAT16) && !softmax.contains(Dtype::COMPLEX64), "{softmax}");
    // Plans that were made of what was said before are made anew.
    assert!(explain("tan", &["float32"], None, &at("easel@2.1")).is_ok());
    register_support(&[support_block!("easel": tan; unsupported { "all", "1.0 and above": ["float32"]; })])
        .unwrap();
    assert!(explain("tan", &["float32"], None, &at("easel@2.1")).is_err());
    let error = explain("gcd", &["int8", "int8"], None, &at("slate@2.1")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "gcd: slate 2.1 does not support int8: code of slate:2: supported int32,int64 (only for 1.0 and above). \
         It supports int32, int64. Cast with `astype` to a dtype that it supports, or use another backend, \
         or turn on `upcast_data_types` (int32)"
    );
    // Both forms on one function, and what cannot be read, are refused whole.
    let both = support_block!("slate": gcd; unsupported { "all", "1.0 and above": ["int8"]; });
    let error = register_support(&[both]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::MalformedTable { .. }), "{error}");
    let wrong = support_block!("slate": lcm; supported { "all", "1.0 and abve": ["int8"]; });
    let error = register_support(&[wrong]).unwrap_err();
    assert!(error.to_string().starts_with("code of slate:5: 1.0 and abve: "), "{error}");
    assert_eq!(supported("gcd", "slate@2.1"), "int32, int64");
}

/// Every call of a live backend does what was measured and committed.
fn does_what_was_measured(name: &str) {
    for known in ivy::backend::backends() {
        let Some(backend) = known.instance.ok().filter(|backend| backend.name() == name) else { continue };
        let mut rows = Vec::new();
        let mut taken = HashSet::new();
        for (_, function) in ivy::function::functions().into_iter().enumerate().filter(|&(i, _)| in_part(i)) {
            taken.insert(function.name);
            probe::measure(function, &backend, 0, &mut |_, row| rows.extend(row));
        }
        let committed = tables::measured(backend.name(), &backend.version_text())
            .unwrap_or_else(|| panic!("no measured table of {} {}", backend.name(), backend.version()));
        let found = committed.compare(&probe::table(&backend, rows));
        let found = found.iter().filter(|difference| taken.contains(&*difference.function));
        let lines: Vec<_> = found.map(ToString::to_string).collect();
        assert!(lines.is_empty(), "{}: {}", committed.file, lines.join("\n"));
    }
}

/// A test for each backend, so that they run side by side.
macro_rules! live_backends_do_what_was_measured {
    ($($name:ident)*) => {
        mod live_backends_do_what_was_measured {
            $(
                #[test]
                fn $name() {
                    super::does_what_was_measured(stringify!($name));
                }
            )*
        }

        #[test]
        fn every_live_backend_is_measured() {
            for known in ivy::backend::backends() {
                let Ok(backend) = known.instance else { continue };
                assert!([$(stringify!($name)),*].contains(&backend.name()), "{}", backend.name());
            }
        }
    };
}
live_backends_do_what_was_measured!(ndarray candle torch jit);

/// What a live backend says of itself is what was measured: its plans, row by row.
#[test]
fn plans_agree_with_the_measured_tables() {
    let mut compared = 0;
    for known in ivy::backend::backends() {
        let Ok(backend) = known.instance else { continue };
        let table = tables::measured(backend.name(), &backend.version_text())
            .unwrap_or_else(|| panic!("no measured table of {} {}", backend.name(), backend.version()));
        for function in ivy::function::functions() {
            let support = function_support(function.name, &backend).unwrap();
            for entry in &support.dtypes {
                let row = table.lookup(function.name, entry.dtype.name());
                let row = row
                    .unwrap_or_else(|| panic!("{}: no row of {} {}", table.file, function.name, entry.dtype));
                let (measured, planned) = (row.state.name(), entry.state().map_or("refused", State::name));
                assert_eq!(
                    measured, planned,
                    "{}:{}: {} {}",
                    table.file, row.line, function.name, entry.dtype
                );
                // One rule also stands for results whose number depends on the shape.
                let planned = entry.plan.iter().flat_map(|plan| &plan.outputs).map(|d| d.name());
                let planned: Vec<_> = match function.outputs.len() {
                    1 => planned.cycle().take(row.result.len()).collect(),
                    // The last ones of some functions are given where they are asked for.
                    _ => planned.take(row.result.len()).collect(),
                };
                assert_eq!(
                    row.result, planned,
                    "{}:{}: {} {}",
                    table.file, row.line, function.name, entry.dtype
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}
