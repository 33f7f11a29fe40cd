//! Static typing, against the answers of Taichi 1.6.0 and 1.7.4.

use crate::rows;
use ivy_core::Rules;
use ivy_taichi_types::{
    BinaryOp, Literal, PrimitiveType, Result, TernaryOp, Type, Typing, UnaryOp, type_of_binary, type_of_cast,
    type_of_literal, type_of_ternary, type_of_unary,
};
use std::collections::BTreeSet;

/// The recorded answers, and the rules that stand for them.
fn recorded() -> [(&'static str, Typing); 2] {
    let of = |rules| Typing::new(rules, PrimitiveType::I32, PrimitiveType::F32).unwrap();
    [
        (include_str!("../data/types-1.6.0.tsv"), of(Rules::Taichi)),
        (include_str!("../data/types-1.7.4.tsv"), of(Rules::Taichi17)),
    ]
}

fn primitive(name: &str) -> Type {
    name.parse::<PrimitiveType>().unwrap().into()
}

/// `-` for a refusal.
fn answer(result: Result<Type>) -> String {
    result.map_or_else(|_| "-".to_owned(), |ty| ty.to_string())
}

fn binary(symbol: &str, left: Type, right: Type, typing: &Typing) -> Option<String> {
    let op = match symbol {
        "ti.select(a<a,a,b)" => {
            let truth = typing.truth().into();
            let typed = type_of_ternary(TernaryOp::Select, truth, left, right, typing);
            return Some(answer(typed.map(|typed| typed.result)));
        }
        "ti.bit_shr" => BinaryOp::BitShr,
        "ti.raw_div" => BinaryOp::Div,
        "ti.raw_mod" => BinaryOp::RawMod,
        "ti.atan2" => BinaryOp::Atan2,
        "ti.min" => BinaryOp::Min,
        "ti.max" => BinaryOp::Max,
        "ti.pow" => BinaryOp::Pow,
        "ti.lang.ops.logical_and (and)" => BinaryOp::LogicalAnd,
        "ti.lang.ops.logical_or (or)" => BinaryOp::LogicalOr,
        symbol => BinaryOp::ALL.into_iter().find(|op| op.symbol() == symbol)?,
    };
    Some(answer(type_of_binary(op, left, right, typing).map(|typed| typed.result)))
}

/// What is no operation of the IR is composed as the package composes it.
fn unary(symbol: &str, operand: Type, typing: &Typing) -> Option<String> {
    let one = |op| type_of_unary(op, operand, typing).map(|typed| typed.result);
    let both = |op, a, b| type_of_binary(op, a, b, typing).map(|typed| typed.result);
    let float: Type = typing.default_fp().into();
    let result = match symbol {
        "-x" => one(UnaryOp::Neg),
        "~x" => one(UnaryOp::BitNot),
        "ti.lang.ops.logical_not (not)" => one(UnaryOp::LogicNot),
        "ti.math.popcnt" => one(UnaryOp::Popcnt),
        "ti.math.clz" => one(UnaryOp::Clz),
        "ti.floor(x,i32)" => one(UnaryOp::Floor).and_then(|ty| type_of_cast(ty, primitive("i32"))),
        "ti.round(x,i64)" => one(UnaryOp::Round).and_then(|ty| type_of_cast(ty, primitive("i64"))),
        // The sign is a difference of comparisons, cast to the default float type.
        "ti.math.sign" => both(BinaryOp::CmpGt, operand, float).and_then(|ty| type_of_cast(ty, float)),
        "ti.math.fract" => one(UnaryOp::Floor).and_then(|floor| both(BinaryOp::Sub, operand, floor)),
        "ti.math.isnan" | "ti.math.isinf" => both(BinaryOp::CmpNe, operand, operand),
        "ti.math.degrees" => both(BinaryOp::Mul, operand, float),
        symbol => {
            let name = symbol.strip_prefix("ti.")?;
            one(UnaryOp::ALL.into_iter().find(|op| op.name() == name)?)
        }
    };
    Some(answer(result))
}

fn literal(text: &str) -> Literal {
    match text {
        "True" => Literal::Bool(true),
        "1.5" => Literal::Float(1.5),
        "1e300" => Literal::Float(1e300),
        "2**31-1" => Literal::Int((1 << 31) - 1),
        "2**31" => Literal::Int(1 << 31),
        "2**32-1" => Literal::Int((1 << 32) - 1),
        "2**32" => Literal::Int(1 << 32),
        "2**40" => Literal::Int(1 << 40),
        "2**63" => Literal::Int(1 << 63),
        text => Literal::Int(text.parse().unwrap()),
    }
}

/// The differences that have a reason, and which of them were met.
struct Differences {
    known: Vec<Vec<&'static str>>,
    met: BTreeSet<usize>,
    unknown: Vec<String>,
}

impl Differences {
    fn check(&mut self, at: [&str; 5], ours: &str, theirs: &str) {
        if ours == theirs {
            return;
        }
        let logical = at[2].contains("logical_and") || at[2].contains("logical_or");
        let op = match at[2] {
            _ if logical => "logical",
            op if op.contains("logical_not") => "not",
            op => op,
        };
        let is = |cell: &str, own: &str| cell == "*" || cell == own;
        let found = self.known.iter().position(|row| {
            is(row[0], at[0]) && is(row[1], at[1]) && is(row[2], op) && is(row[3], at[3]) && is(row[4], at[4])
        });
        match found {
            Some(row) => drop(self.met.insert(row)),
            None => self.unknown.push(format!("{at:?}: ours {ours}, theirs {theirs}")),
        }
    }
}

/// Compares the recorded rows of a kind; the number of answers compared.
fn compare(kind: &str, answer: impl Fn(&str, &str, &str, &Typing) -> Option<String>) -> usize {
    let known = rows(include_str!("../data/differences.tsv")).filter(|row| row[1] == kind).collect();
    let mut differences = Differences { known, met: BTreeSet::new(), unknown: Vec::new() };
    let mut compared = 0;
    for (text, typing) in recorded() {
        let mut columns = Vec::new();
        for row in rows(text) {
            match row[0] {
                "types" if kind != "literal" => columns = row[3..].to_vec(),
                "literals" if kind == "literal" => columns = row[3..].to_vec(),
                own if own == kind => {
                    for (column, theirs) in columns.iter().zip(&row[3..]) {
                        let Some(ours) = answer(row[1], row[2], column, &typing) else { continue };
                        let at = [typing.rules().name(), kind, row[1], row[2], column];
                        differences.check(at, &ours, theirs);
                        compared += 1;
                    }
                }
                _ => {}
            }
        }
    }
    assert_eq!(differences.unknown, Vec::<String>::new());
    assert_eq!(differences.met.len(), differences.known.len(), "differences that are none");
    compared
}

#[test]
fn t_04_promotion_of_every_pair() {
    let compared =
        compare("binary", |op, left, right, typing| binary(op, primitive(left), primitive(right), typing));
    // 26 operations on 11 types and on 12.
    assert_eq!(compared, 26 * (11 * 11 + 12 * 12));
}

#[test]
fn t_11_operations_of_one_operand() {
    let compared = compare("unary", |op, _, operand, typing| unary(op, primitive(operand), typing));
    // All but the unary plus, which is no operation.
    assert_eq!(compared, 25 * 11 + 26 * 12);
}

#[test]
fn t_03_literals_take_the_default_types() {
    let of = |text: &str, typing: &Typing| type_of_literal(literal(text), typing).map(Type::from);
    let compared = compare("literal", |op, left, text, typing| match of(text, typing) {
        Ok(right) => binary(op, primitive(left), right, typing),
        Err(_) => Some("-".to_owned()),
    });
    assert_eq!(compared, 8 * 11 * (11 + 12));
}
