//! Every set of rules against what its package answered, entry by entry. Where they differ, or the package has no
//! kernel for dtypes that its rules cover, `data/rules/known.tsv` says how often and why.

mod records;

use ivy::prelude::*;
use ivy_core::function::find_function;
use ivy_core::plan::OperandSpec;
use ivy_core::promotion::{promote_all, result_of};
use ivy_core::{Defaults, ErrorKind, Operand, Scalar, context};
use records::{Cell, Line, cell, dtype, read, scalar};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The files, and the sets that they are about.
const FILES: [(&str, Rules); 17] = [
    ("numpy", Rules::Numpy),
    ("numpy-ml_dtypes", Rules::Numpy),
    ("numpy-1.26", Rules::Numpy126),
    ("torch", Rules::Torch),
    ("jax", Rules::Jax),
    ("jax-x32", Rules::JaxX32),
    ("jax-strict", Rules::JaxStrict),
    ("jax-strict-x32", Rules::JaxStrictX32),
    ("tensorflow", Rules::Tensorflow),
    ("tensorflow-safe", Rules::TensorflowSafe),
    ("tensorflow-all", Rules::TensorflowAll),
    ("tensorflow-plain", Rules::TensorflowPlain),
    ("tensorflow-numpy", Rules::TensorflowNumpy),
    ("paddle", Rules::Paddle),
    ("taichi", Rules::Taichi),
    ("taichi-1.7", Rules::Taichi17),
    ("drjit", Rules::Drjit),
];

/// Of one kind of question about one op.
#[derive(Default)]
struct Tally {
    asked: usize,
    /// The package refuses what the rules answer: it has no kernel.
    no_kernel: usize,
    /// The function's domain here is narrower (decision S32).
    domain: usize,
    /// `ROW,COLUMN:recorded/ours`.
    differ: Vec<String>,
}

/// What the rules answer.
enum Ours {
    Cell(Cell),
    OutsideDomain,
}

/// The result of a function on operands, by the rules of its category.
fn by_category(rules: Rules, op: &str, operands: &[OperandSpec]) -> Cell {
    let function = find_function(op).unwrap_or_else(|e| panic!("{op}: {e}"));
    match result_of(function, rules, operands) {
        Ok(Some((dtype, weak))) => Cell::Gives(dtype, weak),
        _ => Cell::Refused,
    }
}

fn lookup(found: Option<Dtype>) -> Cell {
    found.map_or(Cell::Refused, |d| Cell::Gives(d, false))
}

/// A call that is made, on arrays of ones and host scalars.
fn by_call(op: &str, operands: &[Operand<'_>]) -> Ours {
    let function = find_function(op).unwrap_or_else(|e| panic!("{op}: {e}"));
    match ivy::call(function, operands, &*(function.params)()) {
        Ok(outputs) => Ours::Cell(Cell::Gives(outputs[0].dtype(), false)),
        Err(error) => match error.kind() {
            ErrorKind::OutsideDomain { .. } => Ours::OutsideDomain,
            _ => Ours::Cell(Cell::Refused),
        },
    }
}

fn ones(shape: &[usize], dtype: Dtype) -> Array {
    ivy::ones(shape, dtype).expect("ones of every dtype")
}

/// An array without axes that holds a value.
fn held(value: Scalar, dtype: Dtype) -> Array {
    ivy::full([], value, dtype).expect("a value that the dtype holds")
}

/// What the rules answer to a line's question about one column.
fn answer(rules: Rules, line: &Line, column: &str) -> Ours {
    let op = line.op.as_str();
    let array = |short: &str| OperandSpec::Array(dtype(short));
    Ours::Cell(match line.kind.as_str() {
        "binary" if op == "promote_types" => lookup(rules.lookup(dtype(&line.row), dtype(column))),
        "binary" => by_category(rules, op, &[array(&line.row), array(column)]),
        "unary" => by_category(rules, op, &[array(column)]),
        "several" => {
            let dtypes: Vec<Dtype> = line.row.split(',').chain([column]).map(dtype).collect();
            // Where a mode has no wide dtypes, arrays of these are arrays of narrower ones.
            let dtypes: Vec<Dtype> = dtypes.into_iter().map(|d| rules.canonical(d)).collect();
            let found = promote_all("result_type", rules, &dtypes).ok().flatten();
            lookup(found.map(|d| rules.canonical(d)))
        }
        "zero" if op == "result_type" => lookup(rules.lookup_array_zero(dtype(&line.row), dtype(column))),
        "zeros" if op == "result_type" => lookup(rules.lookup_zero(dtype(&line.row), dtype(column))),
        "zero" | "zeros" => {
            let shape: &[usize] = if line.kind == "zero" { &[2] } else { &[] };
            let (op, value) = op.split_once(' ').map_or((op, None), |(op, value)| (op, Some(value)));
            let value = value.map_or(Scalar::Int(1), scalar);
            let operands = [ones(shape, dtype(&line.row)), held(value, dtype(column))];
            return by_call(op, &operands.each_ref().map(|a| Operand::Array(Cow::Borrowed(a))));
        }
        "scalar" | "scalar-left" if op == "result_type" => {
            let kind = scalar(column).kind();
            lookup(
                ivy_core::promotion::promote_scalar(
                    "result_type",
                    rules,
                    &Defaults::of(rules),
                    dtype(&line.row),
                    kind,
                )
                .ok(),
            )
        }
        "scalar" | "scalar-left" => {
            let x = ones(&[2], dtype(&line.row));
            let mut operands = [Operand::Array(Cow::Owned(x)), Operand::Scalar(scalar(column))];
            if line.kind == "scalar-left" {
                operands.reverse();
            }
            return match by_call(op, &operands) {
                Ours::Cell(Cell::Gives(d, _)) => {
                    // Whether it is weak is the plan's to say, not the array's.
                    let kind = scalar(column).kind();
                    let fit = Defaults::of(rules).of_scalar(kind);
                    let specs = [array(&line.row), OperandSpec::Weak(kind, fit)];
                    let weak = matches!(by_category(rules, op, &specs), Cell::Gives(_, true));
                    Ours::Cell(Cell::Gives(d, weak && d != Dtype::BOOL))
                }
                other => other,
            };
        }
        "weak" => {
            let defaults = Defaults::of(rules);
            let of = |kind: &str| {
                OperandSpec::WeakArray(match kind {
                    "int" => defaults.int(),
                    "float" => defaults.float(),
                    _ => defaults.complex(),
                })
            };
            match line.row.strip_suffix('*') {
                Some(first) => by_category(rules, op, &[of(first), of(column)]),
                None if line.row == "-" => by_category(rules, op, &[of(column)]),
                None => by_category(rules, op, &[array(&line.row), of(column)]),
            }
        }
        "literal" => match ivy::asarray(scalar(&line.row), ()) {
            Ok(x) => Cell::Gives(x.dtype(), false),
            Err(_) => Cell::Refused,
        },
        kind => panic!("no question of the kind {kind}"),
    })
}

/// Whether the function here takes no such dtype (decision S32), so that no rule applies to it.
fn outside(line: &Line, column: &str) -> bool {
    let operands: &[&str] = match line.kind.as_str() {
        "binary" => &[&line.row, column],
        "unary" => &[column],
        _ => return false,
    };
    find_function(&line.op)
        .is_ok_and(|f| operands.iter().enumerate().any(|(i, d)| !f.domain_of(i).contains(dtype(d))))
}

fn compare(rules: Rules, line: &Line, tallies: &mut BTreeMap<(String, String, String), Tally>) {
    let key = (rules.name().to_string(), line.kind.clone(), line.op.clone());
    let tally = tallies.entry(key).or_default();
    for (column, recorded) in &line.cells {
        if line.kind == "cast" {
            let found = rules
                .can_cast(dtype(&line.row), dtype(column), Some(&line.op))
                .expect("the set has the kind");
            tally.asked += 1;
            assert_eq!(found, recorded == "1", "{rules}: {} to {column}, {}", line.row, line.op);
            continue;
        }
        let recorded = cell(recorded);
        if recorded == Cell::NotAsked {
            continue;
        }
        tally.asked += 1;
        let recorded = match recorded {
            // Whether a value is weakly typed is asked of operands, and not of what it is made.
            Cell::Gives(d, _) if line.kind == "literal" => Cell::Gives(d, false),
            other => other,
        };
        match answer(rules, line, column) {
            Ours::Cell(ours) if ours == recorded => {}
            Ours::Cell(_) if recorded == Cell::Refused => tally.no_kernel += 1,
            Ours::Cell(_) if outside(line, column) => tally.domain += 1,
            Ours::Cell(ours) => tally.differ.push(format!("{},{column}:{recorded}/{ours}", line.row)),
            Ours::OutsideDomain if recorded == Cell::Refused => {}
            Ours::OutsideDomain => tally.domain += 1,
        }
    }
}

#[test]
fn every_set_answers_as_its_package_does() {
    let mut tallies = BTreeMap::new();
    for (file, rules) in FILES {
        let context =
            Context::new().rules(rules).backend(ivy::backend::backend("ndarray").expect("the reference"));
        context::with(&context, || {
            for line in read(file) {
                compare(rules, &line, &mut tallies);
            }
        });
    }
    let path = format!("{}/tests/data/rules/known.tsv", env!("CARGO_MANIFEST_DIR"));
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let mut reasons = BTreeMap::new();
    for line in committed.lines().filter(|l| !l.starts_with('#')) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [set, kind, op, no_kernel, domain, differ, reason] = cells[..] else {
            panic!("known.tsv: {line}")
        };
        assert_eq!(
            differ == "-",
            reason == "-",
            "known.tsv: what differs has a reason, and nothing else: {line}"
        );
        let found = format!("{no_kernel}\t{domain}\t{differ}");
        reasons.insert((set.to_string(), kind.to_string(), op.to_string()), (found, reason.to_string()));
    }
    let (mut asked, mut wrong) = (0, String::new());
    for (key, tally) in &tallies {
        asked += tally.asked;
        let differ = if tally.differ.is_empty() { "-".into() } else { tally.differ.join(" ") };
        let found = format!("{}\t{}\t{differ}", tally.no_kernel, tally.domain);
        let known = reasons.remove(key);
        if known.as_ref().map_or("0\t0\t-", |k| &k.0) != found {
            let reason = known.map_or("?".into(), |k| k.1);
            let reason = if differ == "-" { "-" } else { &reason };
            wrong += &format!("{}\t{}\t{}\t{found}\t{reason}\n", key.0, key.1, key.2);
        }
    }
    for ((set, kind, op), _) in reasons {
        wrong += &format!("{set}\t{kind}\t{op}\t(no such question any more)\n");
    }
    assert!(wrong.is_empty(), "known.tsv does not say this:\n{wrong}");
    println!("{asked} recorded answers");
    assert!(asked > 40_000, "{asked} recorded answers");
}

/// Plans decide what the rules say, wherever the function takes the dtypes here.
#[test]
fn plans_follow_the_rules() {
    let reference = ivy::backend::backend("ndarray").expect("the reference");
    let mut planned = 0;
    for rules in Rules::ALL {
        let context = Context::new().rules(rules).backend(reference.clone());
        let dtypes: Vec<Dtype> = Dtype::all().filter(|&d| rules.lookup(d, d).is_some()).collect();
        context::with(&context, || {
            let mut check = |op: &str, operands: &[Dtype]| {
                let names: Vec<&str> = operands.iter().map(|d| d.name()).collect();
                let specs: Vec<OperandSpec> = operands.iter().map(|&d| OperandSpec::Array(d)).collect();
                let expected = by_category(rules, op, &specs);
                match ivy::plan::explain(op, &names, None, &reference) {
                    Ok(plan) => {
                        planned += 1;
                        assert_eq!(
                            Cell::Gives(plan.outputs[0], plan.weak),
                            expected,
                            "{rules}: {op}{operands:?}"
                        );
                    }
                    Err(error) => {
                        let domain = matches!(error.kind(), ErrorKind::OutsideDomain { .. });
                        let unstored = matches!(error.kind(), ErrorKind::DtypeNotStored { .. });
                        let explained = expected == Cell::Refused || domain || unstored;
                        assert!(explained, "{rules}: {op}{operands:?}: {error}, {expected}");
                    }
                }
            };
            for &a in &dtypes {
                for op in [
                    "sqrt",
                    "sin",
                    "floor",
                    "sum",
                    "prod",
                    "cumulative_sum",
                    "mean",
                    "std",
                    "argmax",
                    "isnan",
                ] {
                    check(op, &[a]);
                }
                for &b in &dtypes {
                    for op in ["add", "divide", "floor_divide", "pow", "bitwise_left_shift", "less", "atan2"]
                    {
                        check(op, &[a, b]);
                    }
                }
            }
        });
    }
    assert!(planned > 15_000, "{planned} plans");
}
