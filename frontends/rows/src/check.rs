//! What a row says of other functions: they are there, and take what is given to them.

use crate::core_functions::core_function;
use crate::{Callee, Expr, Fault, Given, Kind, Row, Signature, Table};

/// Tells of every mistake: the row, the cell, and what is wrong in it.
pub(crate) fn check(table: &Table, mut tell: impl FnMut(&Row, usize, Fault)) {
    for row in &table.rows {
        if let Some(target) = &row.target {
            if table.resolve(target).is_none() {
                tell(row, 3, Fault::new(0, format!("no row is called `{target}`{}", near(table, target))));
            }
            continue;
        }
        if let Some(fault) = of_kind(row) {
            tell(row, 2, fault);
        }
        let Some(body) = &row.body else { continue };
        let mut faults = Vec::new();
        body.walk(&mut |e| {
            if let Expr::Call(call) = e {
                faults.extend(of_call(table, call));
            }
        });
        for fault in faults {
            tell(row, 3, fault);
        }
    }
}

/// What the kind demands of the signature.
fn of_kind(row: &Row) -> Option<Fault> {
    let first = row.signature.parameters.first().map(|p| p.name.as_str());
    match row.kind {
        Kind::Method if first != Some("self") => {
            Some(Fault::new(0, "the first argument of a method is `self`"))
        }
        Kind::Property if row.signature.text != "self" => {
            Some(Fault::new(0, "the signature of a property is `self`"))
        }
        Kind::Inplace if first.is_none() => Some(Fault::new(0, "there is no first argument to write to")),
        Kind::Ufunc if row.signature.position("where").is_none() => {
            Some(Fault::new(0, "the signature of a ufunc ends with `@ufunc`"))
        }
        _ => None,
    }
}

fn of_call(table: &Table, call: &crate::Call) -> Vec<Fault> {
    let signature = match &call.callee {
        Callee::Builtin(_) | Callee::Special(_) => return Vec::new(),
        Callee::Core(name) => match core_function(name) {
            Some(function) => &function.signature,
            None => {
                let known = crate::core_functions().iter().map(|f| f.name.as_str());
                let rule = format!("the core has no function `{name}`{}", hint(known, name));
                return vec![Fault::new(call.at, rule)];
            }
        },
        Callee::Row(path) => match table.resolve(path) {
            Some(row) => &row.signature,
            None => {
                let rule = format!("no row is called `{path}`{}", near(table, path));
                return vec![Fault::new(call.at, rule)];
            }
        },
    };
    of_arguments(signature, call, matches!(call.callee, Callee::Core(_)))
}

/// The arguments of a call by a signature; names of the core's functions may also be those of arguments by position.
fn of_arguments(signature: &Signature, call: &crate::Call, of_core: bool) -> Vec<Fault> {
    let mut faults = Vec::new();
    let takes_rest = signature.parameters.iter().any(|p| p.given == Given::Rest);
    let in_order = |p: &&crate::Parameter| {
        matches!(p.given, Given::ByPosition | Given::Either) || of_core && p.given == Given::ByName
    };
    let places: Vec<&str> = signature.parameters.iter().filter(in_order).map(|p| p.name.as_str()).collect();
    let spread = call.positional.iter().any(|e| matches!(e, Expr::Spread(_)));
    if !takes_rest && !spread && call.positional.len() > places.len() {
        let rule = format!("it takes {} arguments by position: {}", places.len(), signature.text);
        faults.push(Fault::new(call.at, rule));
    }
    for named in &call.named {
        let at = signature.parameters.iter().position(|p| p.name == named.name);
        let takes_names = signature.parameters.iter().any(|p| p.given == Given::RestByName);
        let allowed = at.map(|at| signature.parameters[at].given);
        match allowed {
            Some(Given::Either | Given::ByName) => {}
            Some(Given::ByPosition) if of_core => {}
            _ if takes_names => {}
            _ => {
                let known = signature.parameters.iter().map(|p| p.name.as_str());
                let rule = format!("it has no argument `{}` by name{}", named.name, hint(known, &named.name));
                faults.push(Fault::new(named.at, rule));
            }
        }
        let by_position = places.iter().position(|p| *p == named.name);
        if by_position.is_some_and(|at| !takes_rest && !spread && at < call.positional.len()) {
            faults.push(Fault::new(named.at, format!("`{}` is given twice", named.name)));
        }
    }
    let given = |name: &str| {
        spread
            || call.named.iter().any(|n| n.name == name)
            || places.iter().position(|p| *p == name).is_some_and(|at| at < call.positional.len())
    };
    for parameter in &signature.parameters {
        let needed =
            parameter.default.is_none() && !matches!(parameter.given, Given::Rest | Given::RestByName);
        if needed && !given(&parameter.name) {
            faults.push(Fault::new(call.at, format!("it needs the argument `{}`", parameter.name)));
        }
    }
    faults
}

fn near(table: &Table, path: &str) -> String {
    hint(table.rows.iter().map(|row| row.path.as_str()), path)
}

/// A name that is like one, if there is any.
fn hint<'a>(known: impl Iterator<Item = &'a str>, name: &str) -> String {
    let best = known.map(|k| (distance(k, name), k)).min();
    match best {
        Some((d, close)) if d <= 2 && 2 * d <= name.len() => format!("; is `{close}` meant?"),
        _ => String::new(),
    }
}

/// How many characters are to be put in, left out or changed to make one word of the other.
pub fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
