//! The linter: each kind of finding on a small table.

use ivy_dtype_tables::support::{FindingKind, Level, known_function, lint_embedded, lint_file};
use std::collections::BTreeSet;

const HEADER: &str = "functions\tform\tdevices\tversions\tdtypes\toverride\n";

/// The findings about rows of `DEVICES VERSIONS` of the function `f`, unsupported float16.
fn rows(rows: &[(&str, &str)], installed: Option<&str>) -> Vec<(FindingKind, String)> {
    let rows: String = rows.iter().map(|(d, v)| format!("f\tunsupported\t{d}\t{v}\tfloat16\t-\n")).collect();
    findings(&rows, installed)
}

fn findings(rows: &str, installed: Option<&str>) -> Vec<(FindingKind, String)> {
    let installed = installed.map(|v| v.parse().unwrap());
    let text = format!("{HEADER}{rows}");
    let found = lint_file("t.tsv", &text, &|name| "fgh".contains(name), &|_| installed.clone());
    found.into_iter().map(|f| (f.kind, f.to_string())).collect()
}

fn check(found: Vec<(FindingKind, String)>, expected: &[(FindingKind, &str)]) {
    let expected: Vec<_> = expected.iter().map(|(k, t)| (*k, t.to_string())).collect();
    assert_eq!(found, expected);
}

#[test]
fn what_is_well_has_no_finding() {
    check(rows(&[("all", "0 and above")], Some("99")), &[]);
    check(
        rows(&[("cpu", "2.2 and below"), ("gpu", "2.2 and below"), ("all", "2.3 and above")], Some("2.2")),
        &[],
    );
    check(rows(&[("all", "1.12.1"), ("all", "2.2 and below"), ("all", "2.3 and above")], None), &[]);
    // Between 2.4.2 and 2.4.3 are pre-releases only.
    check(rows(&[("all", "2.4.2 and below"), ("all", "2.4.3 and above")], None), &[]);
}

#[test]
fn overlap() {
    let text = "t.tsv:3: warning: 1.12.1 and above: overlaps `1.12.1 and below` of line 2 on gpu; the first is taken";
    check(
        rows(&[("gpu", "1.12.1 and below"), ("all", "1.12.1 and above")], None),
        &[(FindingKind::Overlap, text)],
    );
    // Different devices do not overlap, though the version is chosen first.
    check(rows(&[("cpu", "1.2 and below"), ("gpu", "1.2 and above")], None), &[]);
}

#[test]
fn unreachable() {
    let found = rows(&[("all", "2.6 and below"), ("all", "2.4 and below"), ("all", "2.7 and above")], None);
    check(
        found,
        &[
            (
                FindingKind::Overlap,
                "t.tsv:3: warning: 2.4 and below: overlaps `2.6 and below` of line 2 on all; the first is taken",
            ),
            (
                FindingKind::Unreachable,
                "t.tsv:3: warning: 2.4 and below: the keys that speak before it hold all its versions",
            ),
        ],
    );
    let kinds = |keys: &[(&str, &str)]| rows(keys, None).into_iter().map(|f| f.0).collect::<BTreeSet<_>>();
    // Two keys together hold what a third does; an exact key speaks first wherever it stands.
    let together = [("all", "1.0 and below"), ("all", "1.1 and above"), ("all", "0.5 to 3.0")];
    assert!(kinds(&together).contains(&FindingKind::Unreachable));
    let part = [("all", "1.0 and below"), ("all", "0.5 to 3.0"), ("all", "3.1 and above")];
    assert_eq!(kinds(&part), [FindingKind::Overlap].into());
    let prerelease = [("all", "2.1rc1 to 2.1rc2"), ("all", "2.1rc1"), ("all", "0 and above")];
    assert!(!kinds(&prerelease).contains(&FindingKind::Unreachable));
}

#[test]
fn gaps_and_falls() {
    check(
        rows(&[("all", "1.0 to 1.4"), ("all", "1.6 to 1.9")], None),
        &[
            (
                FindingKind::Gap,
                "t.tsv:3: warning: 1.6 to 1.9: no key of f holds versions below `1.0 to 1.4`; they take this, the last key",
            ),
            (
                FindingKind::Gap,
                "t.tsv:3: warning: 1.6 to 1.9: no key of f holds versions above `1.0 to 1.4` and below `1.6 to 1.9`; they take this, the last key",
            ),
            (
                FindingKind::FallAbove,
                "t.tsv:3: note: 1.6 to 1.9: no key of f holds versions above `1.6 to 1.9`; they take this, the last key",
            ),
        ],
    );
    check(
        rows(&[("all", "2.2 and below")], Some("2.13.0")),
        &[
            (
                FindingKind::FallAbove,
                "t.tsv:2: note: 2.2 and below: no key of f holds versions above `2.2 and below`; they take this, the last key",
            ),
            (
                FindingKind::OlderThanInstalled,
                "t.tsv:2: note: 2.2 and below: the last key is older than the backend, which is 2.13.0",
            ),
        ],
    );
    // A version between the keys is not newer than all of them.
    let kinds: Vec<_> =
        rows(&[("all", "1.0"), ("all", "2.0")], Some("1.5")).into_iter().map(|f| f.0).collect();
    assert_eq!(kinds, [FindingKind::Gap, FindingKind::Gap, FindingKind::FallAbove]);
}

#[test]
fn one_finding_for_a_row_of_many_functions() {
    check(
        findings("f,g\tsupported\tall\t2.2 and below\tfloat16\t-\n", None),
        &[(
            FindingKind::FallAbove,
            "t.tsv:2: note: 2.2 and below: no key of f, g holds versions above `2.2 and below`; they take this, the last key",
        )],
    );
    let many = findings("f,g,h,fg,gh,fgh\tsupported\tall\t2.2 and below\tfloat16\t-\n", None);
    assert_eq!(many.len(), 1);
    assert!(many[0].1.contains("no key of f, fg and 4 more holds"), "{}", many[0].1);
}

#[test]
fn errors() {
    check(
        rows(&[("cpu,gpu", "1 and above"), ("gpu,tpu", "1 and above"), ("all", "0 and below")], None),
        &[(FindingKind::DeviceTwice, "t.tsv:3: error: gpu: line 2 has `1 and above` on gpu already")],
    );
    check(
        findings("expm2\tsupported\tall\t0 and above\tfloat16\t-\n", None),
        &[(FindingKind::UnknownFunction, "t.tsv:2: error: expm2: no function has this name")],
    );
    check(
        findings("f\tsupported\tall\t0 and above\tfloat15\t-\n", None),
        &[(
            FindingKind::UnknownDtype,
            "t.tsv:2: error: float15: is neither a dtype nor one of the classes valid numeric float integer unsigned complex",
        )],
    );
    check(
        findings("f\tsupported\tall\t1.0\tbool\t-\nf\tunsupported\tall\t2.0\tbool\t-\n", None),
        &[(
            FindingKind::BothForms,
            "t.tsv:3: error: f: unsupported here and supported at t.tsv:2; a function has one form",
        )],
    );
    check(
        findings("f\tsupported\tall\t1.0 and up\tbool\t-\n", None),
        &[(
            FindingKind::MalformedRange,
            "t.tsv:2: error: 1.0 and up: expected `X`, `X and above`, `X and below` or `X to Y`",
        )],
    );
    check(
        findings("f\tsometimes\tall\t1.0\tbool\t-\n", None),
        &[(FindingKind::Malformed, "t.tsv:2: error: sometimes: expected `supported` or `unsupported`")],
    );
}

#[test]
fn levels() {
    assert!(Level::Note < Level::Warning && Level::Warning < Level::Error);
    assert_eq!(FindingKind::Gap.level(), Level::Warning);
    assert_eq!(FindingKind::OlderThanInstalled.level(), Level::Note);
    assert_eq!(FindingKind::BothForms.level(), Level::Error);
}

#[test]
fn other_tables() {
    let lint = |text: &str| -> Vec<String> {
        let installed = |backend: &str| (backend == "torch").then(|| "2.13.0".parse().unwrap());
        lint_file("t.tsv", text, &|name| name == "f", &installed).iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        lint("backend\tversions\tdtypes\ntorch\t2.2 and below\tbool\npaddle\t2.4 and above\tbool\n"),
        [
            "t.tsv:2: note: 2.2 and below: no key of torch holds versions above `2.2 and below`; they take this, the last key",
            "t.tsv:2: note: 2.2 and below: the last key is older than the backend, which is 2.13.0",
            "t.tsv:3: warning: 2.4 and above: no key of paddle holds versions below `2.4 and above`; they take this, the last key",
        ]
    );
    let measured = "# backend: b\n# version: 1\n# crate: c\n# cpu: x\nfunction\tdtype\tstate\tresult\thow\n\
                    f\tint8\tnative\tint8\t-\ng\tint8\tnative\tint8\t-\ng\tbool\tnative\tbool\t-\n";
    assert_eq!(lint(measured), ["t.tsv:7: error: g: no function has this name"]);
    assert_eq!(lint(&measured.replace("native", "naive")).len(), 3);
    let bugs =
        "backend\tversion\tfunctions\tdtypes\twhat\treproduction\tupstream\nb\t1\tf,g\tint8\tx\ty\t-\n";
    assert_eq!(lint(bugs), ["t.tsv:2: error: g: no function has this name"]);
    assert_eq!(lint("a\tb\n").len(), 1);
}

#[test]
fn all_embedded_tables() {
    let installed = |backend: &str| (backend == "torch").then(|| "2.13.0".parse().unwrap());
    let found = lint_embedded(&known_function, &installed);
    let count = |kind| found.iter().filter(|f| f.kind == kind).count();
    assert!(found.iter().all(|f| f.level() < Level::Error));
    // The rows of torch that end with 2.2 are older than the backend; those of others are not asked.
    let older: Vec<_> = found.iter().filter(|f| f.kind == FindingKind::OlderThanInstalled).collect();
    assert!(older.len() > 200);
    assert!(older.iter().all(|f| f.file.ends_with("torch.tsv") || f.file.ends_with("valid.tsv")));
    // Two of paddle (bernoulli, valid dtypes), and what tensorflow says from 2.5.0 on only.
    let gaps = |of_frontends: bool| {
        let gaps = found.iter().filter(|f| f.kind == FindingKind::Gap);
        gaps.filter(|f| f.file.contains("/frontends/") == of_frontends).count()
    };
    assert_eq!((gaps(false), count(FindingKind::Unreachable)), (3, 2));
    // torch's bincount; paddle's linalg.bincount, linalg.dist, rot90 and rand.
    assert_eq!(gaps(true), 5);
}
