//! The conformance engine itself: a backend that computes by the truth passes, and each fault
//! that a backend can have is found.

use ivy::backend::BackendRef;
use ivy::function::functions;
use ivy::{Dtype, Rules};
use ivy_backend_suite::in_part;
use ivy_conformance::mirror::{Fault, Mirror};
use ivy_conformance::{Cell, CellState, Options, Report, run};

fn try_mirror(name: &'static str, fault: Option<Fault>, functions: &[&str], fraction: f64) -> Report {
    try_rules(&[Rules::Precise], name, fault, functions, fraction)
}

fn try_rules(
    rules: &[Rules],
    name: &'static str,
    fault: Option<Fault>,
    functions: &[&str],
    fraction: f64,
) -> Report {
    let backend = BackendRef::new(Mirror { name, fault });
    let mut options = Options::full(vec![backend]);
    options.functions = functions.iter().map(ToString::to_string).collect();
    options.fraction = fraction;
    options.rules = rules.to_vec();
    run(&options, &|_| {})
}

fn failed(report: &Report) -> Vec<&Cell> {
    report.failures().collect()
}

#[test]
fn a_backend_that_computes_by_the_truth_passes() {
    let names: Vec<&str> =
        functions().iter().enumerate().filter(|&(number, _)| in_part(number)).map(|(_, f)| f.name).collect();
    let report = try_mirror("mirror", None, &names, 0.03);
    if let Ok(path) = std::env::var("IVY_CONFORMANCE_HTML") {
        std::fs::write(path, ivy_conformance::report::html(&report)).expect("a writable file");
    }
    // Complex elementary functions have goldens and no formula, so the mirror lacks what is composed of them; and a
    // complex 0 / 0, of which the mean of nothing is made, is left open by the standard: it is 0 there.
    let complex = |c: &Cell| c.dtypes.iter().any(|d| d.contains("complex"));
    let lacking = |c: &Cell| {
        complex(c)
            && (c.reason.contains("the mirror has no truth for this call")
                || c.function == "nanmean" && c.reason.contains("0.0+0.0j instead of NaN"))
    };
    let bad: Vec<&Cell> = failed(&report).into_iter().filter(|c| !lacking(c)).collect();
    let bad: Vec<String> =
        bad.iter().take(40).map(|c| format!("{} {:?}: {}", c.function, c.dtypes, c.reason)).collect();
    assert!(bad.is_empty(), "seed {}: {} failed\n{}", report.seed, bad.len(), bad.join("\n"));
    let seen = |name: &str| report.cells.iter().any(|c| c.function == name);
    assert!(names.iter().all(|name| seen(name)), "a function has no cell");
    assert!(report.outside > 0);
}

#[test]
fn wrong_values_are_found() {
    for (name, units) in [("exp", 4), ("add", 1), ("sum", 40)] {
        let report = try_mirror("mirror", Some(Fault::Units(name, units)), &[name], 1.0);
        // The fault leaves bools and complex numbers alone.
        let spoilt = |c: &&Cell| !c.dtypes.iter().any(|d| d.contains("complex") || d.contains("bool"));
        let missed: Vec<_> =
            report.cells.iter().filter(spoilt).filter(|c| c.state != CellState::Failed).collect();
        assert!(missed.is_empty(), "{missed:?}");
        let found = failed(&report)[0];
        assert!(found.error > 1.0 && found.reason.contains("instead of"), "{found:?}");
    }
}

#[test]
fn lost_signs_of_zero_are_found() {
    let report = try_mirror("mirror", Some(Fault::Zeros("negative")), &["negative"], 1.0);
    let bad: Vec<&str> = failed(&report).iter().map(|c| c.dtypes[0].as_str()).collect();
    assert_eq!(bad, ["bfloat16", "float16", "float32", "float64"]);
    // Where equal zeros are one, nobody minds.
    assert!(try_mirror("mirror", Some(Fault::Zeros("sort")), &["sort"], 1.0).passed());
}

#[test]
fn wrong_dtypes_panics_and_errors_are_found() {
    for (fault, word) in [
        (Fault::Dtype("sin"), "dtype float64 instead of"),
        (Fault::Panic("sin"), "panic: a fault that was asked for"),
        (Fault::Error("sin"), "failed on"),
    ] {
        let report = try_mirror("mirror", Some(fault), &["sin"], 1.0);
        assert!(failed(&report).iter().any(|c| c.reason.contains(word)), "{fault:?}: {:?}", report.cells);
    }
}

#[test]
fn what_breaks_the_rules_of_a_set_is_found() {
    let frameworks = [Rules::Torch, Rules::Numpy, Rules::JaxX32];
    let right = try_rules(&frameworks, "mirror", None, &["add", "sin", "sum"], 1.0);
    assert!(right.passed(), "{:?}", failed(&right));
    for (fault, word) in [
        (Fault::Dtype("sin"), "dtype float64 instead of float32"),
        (Fault::Panic("sin"), "panic: a fault that was asked for"),
        (Fault::Error("sin"), "the mirror has no truth for this call"),
    ] {
        let report = try_rules(&frameworks, "mirror", Some(fault), &["sin"], 1.0);
        for rules in frameworks {
            let told =
                |c: &&Cell| c.reason.contains(&format!("under the {rules} rules")) && c.reason.contains(word);
            assert!(failed(&report).iter().any(told), "{rules}, {fault:?}: {:?}", failed(&report));
        }
    }
    // Nothing of another function's cells is told of a fault in one.
    let report = try_rules(&frameworks, "mirror", Some(Fault::Dtype("sin")), &["add", "sin"], 1.0);
    assert!(failed(&report).iter().all(|c| c.function == "sin"));
}

#[test]
fn an_explained_refusal_is_one_but_not_on_the_reference() {
    let fault = Some(Fault::Unsupported("sin", Dtype::FLOAT16));
    let report = try_mirror("mirror", fault, &["sin"], 1.0);
    assert!(report.passed());
    assert_eq!(report.count(None, CellState::Refused), 1);
    let report = try_mirror("ndarray", fault, &["sin"], 1.0);
    assert_eq!(failed(&report).len(), 1);
    assert!(failed(&report)[0].reason.contains("refused inside the domain"));
}
