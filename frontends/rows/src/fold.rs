//! Bodies under arguments that are known: what a call comes to where only the first arguments are given.

use crate::{Builtin, Call, Callee, CompareOp, Expr, Named};

/// What an argument is whose value is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// An array.
    Array,
    /// A host integer.
    Int,
    /// Another host number.
    Number,
    /// A tuple or list of arrays, one at least.
    Arrays,
}

/// What is known of the arguments of a body.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// The values of the body's parameters, those that are known. They may mention other parameters: of the row that calls
    /// the body's one.
    pub value: &'a dyn Fn(usize) -> Option<Expr>,
    /// What parameters are that the result mentions.
    pub kind: &'a dyn Fn(usize) -> Option<ArgumentKind>,
}

/// The expression with the parameters that are known replaced by their values, and the conditions that this decides
/// decided.
pub fn fold(expr: &Expr, facts: Facts<'_>) -> Expr {
    let fold = |e: &Expr| fold(e, facts);
    let inner = |e: &Expr| Box::new(fold(e));
    let all = |list: &[Expr]| list.iter().map(fold).collect();
    match expr {
        Expr::Parameter(place) => (facts.value)(*place).unwrap_or_else(|| expr.clone()),
        Expr::List(list) => Expr::List(all(list)),
        Expr::Tuple(list) => Expr::Tuple(all(list)),
        Expr::Spread(e) => Expr::Spread(inner(e)),
        Expr::Call(call) => {
            let mut call = call.clone();
            call.positional = all(&call.positional);
            let named = call.named.iter().map(|n| Named { value: fold(&n.value), ..n.clone() });
            call.named = named.collect();
            answer(&call, facts).unwrap_or(Expr::Call(call))
        }
        Expr::If { condition, then, otherwise } => {
            let condition = fold(condition);
            match truth(&condition) {
                Some(true) => fold(then),
                Some(false) => fold(otherwise),
                None => Expr::If {
                    condition: Box::new(condition),
                    then: inner(then),
                    otherwise: inner(otherwise),
                },
            }
        }
        Expr::IsNone(e, positive) => match fold(e) {
            Expr::None => Expr::Bool(*positive),
            e if is_literal(&e) || kind(&e, facts).is_some() => Expr::Bool(!positive),
            e => Expr::IsNone(Box::new(e), *positive),
        },
        Expr::Compare(op, a, b) => {
            let (a, b) = (fold(a), fold(b));
            match compare(*op, &a, &b) {
                Some(answer) => Expr::Bool(answer),
                None => Expr::Compare(*op, Box::new(a), Box::new(b)),
            }
        }
        Expr::And(a, b) => match (fold(a), fold(b)) {
            (a, b) if truth(&a) == Some(true) => b,
            (a, _) if truth(&a) == Some(false) => a,
            (a, b) => Expr::And(Box::new(a), Box::new(b)),
        },
        Expr::Or(a, b) => match (fold(a), fold(b)) {
            (a, _) if truth(&a) == Some(true) => a,
            (a, b) if truth(&a) == Some(false) => b,
            (a, b) => Expr::Or(Box::new(a), Box::new(b)),
        },
        Expr::Not(e) => {
            let e = fold(e);
            truth(&e).map_or_else(|| Expr::Not(Box::new(e)), |b| Expr::Bool(!b))
        }
        Expr::In(a, b, positive) => Expr::In(inner(a), inner(b), *positive),
        Expr::Arithmetic(op, a, b) => Expr::Arithmetic(*op, inner(a), inner(b)),
        Expr::Negate(e) => Expr::Negate(inner(e)),
        Expr::Item(a, b) => Expr::Item(inner(a), inner(b)),
        _ => expr.clone(),
    }
}

/// What an argument is.
fn kind(e: &Expr, facts: Facts<'_>) -> Option<ArgumentKind> {
    match e {
        Expr::Parameter(place) => (facts.kind)(*place),
        _ => None,
    }
}

/// The result of a function of the machine, where that is known: what an argument is, the least and the greatest of integers.
fn answer(call: &Call, facts: Facts<'_>) -> Option<Expr> {
    let Callee::Builtin(function) = call.callee else { return None };
    if matches!(function, Builtin::Least | Builtin::Greatest) {
        let whole = integers(&call.positional)?;
        let found = if function == Builtin::Least { whole.iter().min() } else { whole.iter().max() };
        return found.map(|&i| Expr::Int(i));
    }
    let [x] = &call.positional[..] else { return None };
    let kind = kind(x, facts);
    if kind.is_none() && !is_literal(x) && !matches!(x, Expr::None | Expr::Tuple(_) | Expr::List(_)) {
        return None;
    }
    let is_int = matches!(x, Expr::Int(_)) || kind == Some(ArgumentKind::Int);
    Some(Expr::Bool(match function {
        Builtin::IsArray => kind == Some(ArgumentKind::Array),
        Builtin::IsArrays => match x {
            // Of arrays or not: what they are is known of parameters only.
            Expr::Tuple(_) | Expr::List(_) => return None,
            _ => kind == Some(ArgumentKind::Arrays),
        },
        Builtin::IsInts => match x {
            Expr::Tuple(all) | Expr::List(all) if integers(all).is_some() => true,
            Expr::Tuple(_) | Expr::List(_) => return None,
            _ => false,
        },
        Builtin::IsInt => is_int,
        Builtin::IsNumber => {
            is_int
                || kind == Some(ArgumentKind::Number)
                || matches!(x, Expr::Float(_) | Expr::Imaginary(_) | Expr::Bool(_))
        }
        Builtin::IsList => kind == Some(ArgumentKind::Arrays) || matches!(x, Expr::Tuple(_) | Expr::List(_)),
        _ => return None,
    }))
}

/// Integers that are written down, those of tuples that are spread among them.
fn integers(list: &[Expr]) -> Option<Vec<i64>> {
    let mut found = Vec::new();
    for e in list {
        match e {
            Expr::Int(i) => found.push(*i),
            Expr::Spread(inner) => match &**inner {
                Expr::Tuple(all) | Expr::List(all) => found.extend(integers(all)?),
                _ => return None,
            },
            _ => return None,
        }
    }
    Some(found)
}

/// Whether an expression is a value that is written down, and not nothing.
fn is_literal(e: &Expr) -> bool {
    matches!(
        e,
        Expr::Bool(_) | Expr::Int(_) | Expr::Float(_) | Expr::Imaginary(_) | Expr::Text(_) | Expr::Word(_)
    )
}

/// Python's truth of a value that is written down.
fn truth(e: &Expr) -> Option<bool> {
    Some(match e {
        Expr::None => false,
        Expr::Bool(b) => *b,
        Expr::Int(i) => *i != 0,
        Expr::Float(x) | Expr::Imaginary(x) => *x != 0.0,
        Expr::Text(text) => !text.is_empty(),
        Expr::Tuple(all) | Expr::List(all) if !all.iter().any(|e| matches!(e, Expr::Spread(_))) => {
            !all.is_empty()
        }
        _ => return None,
    })
}

/// A comparison of two literals of a kind.
fn compare(op: CompareOp, a: &Expr, b: &Expr) -> Option<bool> {
    let order = match (a, b) {
        (Expr::Int(a), Expr::Int(b)) => a.partial_cmp(b),
        (Expr::Float(a), Expr::Float(b)) => a.partial_cmp(b),
        (Expr::Text(a), Expr::Text(b)) => a.partial_cmp(b),
        (Expr::Bool(a), Expr::Bool(b)) => a.partial_cmp(b),
        (Expr::None, b) if is_literal(b) => return equality(op, false),
        (a, Expr::None) if is_literal(a) => return equality(op, false),
        (Expr::None, Expr::None) => return equality(op, true),
        _ => None,
    }?;
    Some(match op {
        CompareOp::Equal => order.is_eq(),
        CompareOp::NotEqual => order.is_ne(),
        CompareOp::Less => order.is_lt(),
        CompareOp::LessEqual => order.is_le(),
        CompareOp::Greater => order.is_gt(),
        CompareOp::GreaterEqual => order.is_ge(),
    })
}

fn equality(op: CompareOp, equal: bool) -> Option<bool> {
    match op {
        CompareOp::Equal => Some(equal),
        CompareOp::NotEqual => Some(!equal),
        _ => None,
    }
}
