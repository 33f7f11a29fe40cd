//! Bodies under arguments that are known: what a call comes to where only the first arguments are given.

use crate::{CompareOp, Expr, Named};

/// The expression with the parameters that are `known` replaced by their values, and the conditions that this decides
/// decided.
pub fn fold(expr: &Expr, known: &dyn Fn(usize) -> Option<Expr>) -> Expr {
    let inner = |e: &Expr| Box::new(fold(e, known));
    let all = |list: &[Expr]| list.iter().map(|e| fold(e, known)).collect();
    match expr {
        Expr::Parameter(place) => known(*place).unwrap_or_else(|| expr.clone()),
        Expr::List(list) => Expr::List(all(list)),
        Expr::Tuple(list) => Expr::Tuple(all(list)),
        Expr::Spread(e) => Expr::Spread(inner(e)),
        Expr::Call(call) => {
            let mut call = call.clone();
            call.positional = all(&call.positional);
            let named = call.named.iter().map(|n| Named { value: fold(&n.value, known), ..n.clone() });
            call.named = named.collect();
            Expr::Call(call)
        }
        Expr::If { condition, then, otherwise } => {
            let condition = fold(condition, known);
            match truth(&condition) {
                Some(true) => fold(then, known),
                Some(false) => fold(otherwise, known),
                None => Expr::If {
                    condition: Box::new(condition),
                    then: inner(then),
                    otherwise: inner(otherwise),
                },
            }
        }
        Expr::IsNone(e, positive) => match fold(e, known) {
            Expr::None => Expr::Bool(*positive),
            e if is_literal(&e) => Expr::Bool(!positive),
            e => Expr::IsNone(Box::new(e), *positive),
        },
        Expr::Compare(op, a, b) => {
            let (a, b) = (fold(a, known), fold(b, known));
            match compare(*op, &a, &b) {
                Some(answer) => Expr::Bool(answer),
                None => Expr::Compare(*op, Box::new(a), Box::new(b)),
            }
        }
        Expr::And(a, b) => match (fold(a, known), fold(b, known)) {
            (a, b) if truth(&a) == Some(true) => b,
            (a, _) if truth(&a) == Some(false) => a,
            (a, b) => Expr::And(Box::new(a), Box::new(b)),
        },
        Expr::Or(a, b) => match (fold(a, known), fold(b, known)) {
            (a, _) if truth(&a) == Some(true) => a,
            (a, b) if truth(&a) == Some(false) => b,
            (a, b) => Expr::Or(Box::new(a), Box::new(b)),
        },
        Expr::Not(e) => {
            let e = fold(e, known);
            truth(&e).map_or_else(|| Expr::Not(Box::new(e)), |b| Expr::Bool(!b))
        }
        Expr::In(a, b, positive) => Expr::In(inner(a), inner(b), *positive),
        Expr::Arithmetic(op, a, b) => Expr::Arithmetic(*op, inner(a), inner(b)),
        Expr::Negate(e) => Expr::Negate(inner(e)),
        Expr::Item(a, b) => Expr::Item(inner(a), inner(b)),
        _ => expr.clone(),
    }
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
