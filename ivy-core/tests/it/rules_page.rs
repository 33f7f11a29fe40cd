//! The comparison of the sets of rules in `docs/rules.md` is what the tables say. `IVY_UPDATE_PAGES=1` writes it anew.

use ivy::prelude::*;
use ivy_core::function::find_function;
use ivy_core::promotion::promote_all;
use ivy_core::{Operand, Scalar, context};
use num_complex::Complex64;
use std::borrow::Cow;
use std::fmt::Write;

const BEGIN: &str = "<!-- comparison: written by ivy-core/tests/it/rules_page.rs -->\n";
const END: &str = "<!-- end of the comparison -->\n";

/// An operand of a question.
#[derive(Clone, Copy)]
enum Of {
    Array(Dtype),
    Number(Scalar),
}
use Of::{Array as A, Number as N};

/// The questions: what is called, as a user would write it, and its operands.
const QUESTIONS: [(&str, &str, &[Of]); 14] = [
    ("int64 + float16", "add", &[A(Dtype::INT64), A(Dtype::FLOAT16)]),
    ("int32 + float32", "add", &[A(Dtype::INT32), A(Dtype::FLOAT32)]),
    ("uint8 + int8", "add", &[A(Dtype::UINT8), A(Dtype::INT8)]),
    ("uint64 + int64", "add", &[A(Dtype::UINT64), A(Dtype::INT64)]),
    ("bool + bool", "add", &[A(Dtype::BOOL), A(Dtype::BOOL)]),
    ("float16 + bfloat16", "add", &[A(Dtype::FLOAT16), A(Dtype::BFLOAT16)]),
    ("int32 / int32", "divide", &[A(Dtype::INT32), A(Dtype::INT32)]),
    ("int8 + 1.5", "add", &[A(Dtype::INT8), N(Scalar::Float(1.5))]),
    ("float16 + 1.5", "add", &[A(Dtype::FLOAT16), N(Scalar::Float(1.5))]),
    ("float32 + 1j", "add", &[A(Dtype::FLOAT32), N(Scalar::Complex(Complex64::new(0.0, 1.0)))]),
    ("sum(int8)", "sum", &[A(Dtype::INT8)]),
    ("mean(int32)", "mean", &[A(Dtype::INT32)]),
    ("sin(int8)", "sin", &[A(Dtype::INT8)]),
    ("int8 < int8", "less", &[A(Dtype::INT8), A(Dtype::INT8)]),
];

fn answer(rules: Rules, name: &str, operands: &[Of]) -> String {
    let backend = ivy::backend::backend("ndarray").expect("the reference");
    context::with(&Context::new().rules(rules).backend(backend), || {
        let operand = |of: &Of| match *of {
            A(dtype) => Operand::Array(Cow::Owned(ivy::ones([2], rules.canonical(dtype)).unwrap())),
            N(number) => Operand::Scalar(number),
        };
        let operands: Vec<Operand<'_>> = operands.iter().map(operand).collect();
        let function = find_function(name).unwrap();
        let plan = ivy_core::plan_call(function, &operands, &*(function.params)());
        plan.map_or("-".into(), |plan| plan.outputs[0].to_string())
    })
}

/// Pairs of the dtypes that arrays may have in which a set differs from another.
fn differing(a: Rules, b: Rules) -> usize {
    let all = || Dtype::all();
    all().flat_map(|x| all().map(move |y| (x, y))).filter(|&(x, y)| a.lookup(x, y) != b.lookup(x, y)).count()
}

/// Sets of three dtypes that arrays may have, whose order decides what all of them have in common.
fn ordered(rules: Rules) -> usize {
    let dtypes: Vec<Dtype> = Dtype::all().filter(|&d| rules.dtypes().any(|known| known == d)).collect();
    let mut count = 0;
    for (i, &a) in dtypes.iter().enumerate() {
        for (j, &b) in dtypes.iter().enumerate().skip(i + 1) {
            for &c in &dtypes[j + 1..] {
                let orders = [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]];
                let of = |order: [Dtype; 3]| promote_all("result_type", rules, &order).ok();
                count += usize::from(orders.iter().any(|&order| of(order) != of(orders[0])));
            }
        }
    }
    count
}

fn comparison() -> String {
    let mut text = String::from("| set |");
    QUESTIONS.iter().for_each(|(shown, _, _)| write!(text, " `{shown}` |").unwrap());
    text += " pairs unlike `numpy` | threes whose order counts |\n|---";
    text += &"|---".repeat(QUESTIONS.len() + 2);
    text += "|\n";
    for rules in Rules::ALL {
        write!(text, "| `{rules}` |").unwrap();
        QUESTIONS.iter().for_each(|(_, name, of)| write!(text, " {} |", answer(rules, name, of)).unwrap());
        writeln!(text, " {} | {} |", differing(rules, Rules::Numpy), ordered(rules)).unwrap();
    }
    text
}

#[test]
fn the_page_compares_the_sets_as_the_tables_do() {
    let path = format!("{}/../docs/rules.md", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(&path).unwrap();
    let (head, rest) = page.split_once(BEGIN).expect("the page has the comparison");
    let (found, tail) = rest.split_once(END).expect("the comparison has an end");
    let wanted = comparison();
    if std::env::var_os("IVY_UPDATE_PAGES").is_some() {
        std::fs::write(&path, format!("{head}{BEGIN}{wanted}{END}{tail}")).unwrap();
    } else {
        assert!(
            found == wanted,
            "docs/rules.md is not what the tables say; IVY_UPDATE_PAGES=1 writes it anew:\n{wanted}"
        );
    }
}
