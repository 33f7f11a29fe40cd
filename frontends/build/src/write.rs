//! The text of the functions.

use crate::Names;
use ivy_frontend_rows::{Callee, Expr, Given, Kind, Parameter, Results, Row, Table};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Words that are no names without a mark.
const KEYWORDS: [&str; 40] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait",
    "true", "try", "type",
];
const MORE_KEYWORDS: [&str; 8] = ["typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield"];

/// Methods that the array type has by itself.
const OWN: [&str; 10] = ["clone", "dtype", "shape", "ndim", "get", "set", "method", "to_vec", "numel", "new"];

fn rust_name(name: &str) -> String {
    match name {
        "self" | "super" | "crate" | "Self" => format!("{name}_"),
        _ if KEYWORDS.contains(&name) || MORE_KEYWORDS.contains(&name) => format!("r#{name}"),
        "keywords" => "keywords_".into(),
        _ => name.into(),
    }
}

/// Functions by module.
#[derive(Default)]
struct Module {
    functions: String,
    modules: BTreeMap<String, Module>,
}

impl Module {
    fn at(&mut self, path: &[&str]) -> &mut Module {
        path.iter().fold(self, |module, part| module.modules.entry((*part).to_string()).or_default())
    }

    fn write(&self, path: &str, out: &mut String) {
        out.push_str(&self.functions);
        for (name, module) in &self.modules {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let _ = writeln!(
                out,
                "/// The functions of `{path}`.\npub mod {} {{\nuse super::*;",
                rust_name(name)
            );
            module.write(&path, out);
            out.push_str("}\n");
        }
    }
}

pub(crate) fn write(table: &Table, files: &[(&str, &str)], names: Names<'_>) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "pub(crate) static FILES: &[(&str, &str)] = &[");
    // The texts themselves: what a build leaves behind names no folder, so that a checkout elsewhere can go on with it.
    for (name, text) in files {
        let _ = writeln!(out, "({name:?}, {text:?}),");
    }
    out.push_str("];\npub(crate) static SPECIALS: &[(&str, ::ivy_frontend::Special)] = &[\n");
    for name in specials(table) {
        let _ = writeln!(out, "({name:?}, crate::special::{name}),");
    }
    out.push_str("];\n");
    let (mut root, mut methods) = (Module::default(), String::new());
    for (place, row) in table.rows.iter().enumerate() {
        let parts: Vec<&str> = row.path.split('.').collect();
        let Some((name, module)) = parts.split_last() else { continue };
        // The target of an alias is there: the tables were checked.
        let resolved = table.resolve(&row.path).unwrap_or(row);
        let is_class = |part: &&str| part.starts_with(char::is_uppercase);
        if name.starts_with("__") {
            continue;
        }
        if *module == [names.class] {
            if !OWN.contains(name) {
                method(&mut methods, place, name, row, resolved, names);
            }
        } else if !module.iter().any(is_class) && !module.contains(&names.class) {
            function(&mut root.at(module).functions, place, name, row, resolved, names);
        }
    }
    root.write("", &mut out);
    let array = names.array;
    let _ = writeln!(
        out,
        "/// The methods of [`{array}`], as the framework names them.\npub trait Methods {{\n\
         #[doc(hidden)]\nfn this(&self) -> &{array};\n#[doc(hidden)]\nfn this_mut(&mut self) -> &mut {array};\n\
         {methods}}}\nimpl Methods for {array} {{\nfn this(&self) -> &{array} {{ self }}\n\
         fn this_mut(&mut self) -> &mut {array} {{ self }}\n}}"
    );
    out
}

/// The names of the code that rows call.
fn specials(table: &Table) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for body in table.rows.iter().filter_map(|row| row.body.as_ref()) {
        body.walk(&mut |e| {
            if let Expr::Call(call) = e
                && let Callee::Special(name) = &call.callee
            {
                names.insert(name.as_str());
            }
        });
    }
    names
}

fn docs(out: &mut String, name: &str, row: &Row, resolved: &Row) {
    let _ = writeln!(out, "/// `{name}({})`\n///", resolved.text[0].replace('~', ""));
    match &row.target {
        Some(target) => {
            let _ = writeln!(out, "/// Another name of `{target}`.");
        }
        None => {
            let _ = writeln!(out, "/// It comes to `{}`.", resolved.text[1]);
        }
    }
    out.push_str("///\n/// # Errors\n/// As [`Frontend::call`](::ivy_frontend::Frontend::call).\n");
}

/// The parameters that a call needs by position, and the one that takes all that is left.
fn needed(row: &Row) -> (Vec<&Parameter>, Option<&Parameter>) {
    let parameters = &row.signature.parameters;
    let by_position =
        |p: &&Parameter| matches!(p.given, Given::ByPosition | Given::Either) && p.default.is_none();
    let rest = parameters.iter().find(|p| p.given == Given::Rest);
    // What follows arguments with defaults cannot be left to a list.
    let optional = parameters
        .iter()
        .any(|p| matches!(p.given, Given::ByPosition | Given::Either) && p.default.is_some());
    (parameters.iter().take_while(by_position).collect(), rest.filter(|_| !optional))
}

/// The type of the result, the frontend's function that gives it, and what is done with that.
fn result(row: &Row, array: &str, fixed: bool) -> (String, &'static str, String) {
    match row.results {
        Results::One => {
            let call = if fixed { "one" } else { "array" };
            (array.into(), call, format!(".map({array}::from)"))
        }
        Results::Tuple | Results::Named(_) | Results::List => {
            let map = format!(".map(|all| all.into_iter().map({array}::from).collect())");
            (format!("::std::vec::Vec<{array}>"), "several", map)
        }
        Results::OneOrTuple | Results::OneOrNamed(_) | Results::Value => {
            ("Value<'static>".into(), "value", String::new())
        }
    }
}

fn function(out: &mut String, place: usize, name: &str, row: &Row, resolved: &Row, names: Names<'_>) {
    let (needed, rest) = needed(resolved);
    docs(out, &row.path, row, resolved);
    let mut parameters: Vec<String> =
        needed.iter().map(|p| format!("{}: impl Into<Value<'a>>", rust_name(&p.name))).collect();
    let mut values: Vec<String> = needed.iter().map(|p| format!("{}.into()", rust_name(&p.name))).collect();
    let frontend = names.frontend;
    if resolved.kind == Kind::Inplace && !values.is_empty() {
        let first = rust_name(&needed[0].name);
        parameters[0] = format!("{first}: &mut {}", names.array);
        values[0] = format!("Value::from({first}.clone())");
        let _ = writeln!(
            out,
            "pub fn {}<'a>({}, keywords: impl Into<Keywords<'a>>) -> Result<()> {{\n\
             let result = crate::{frontend}.value({place}, vec![{}], keywords.into())?;\n{first}.replace(result)\n}}",
            rust_name(name),
            parameters.join(", "),
            values.join(", "),
        );
        return;
    }
    if let Some(rest) = rest {
        parameters.push(format!("{}: impl IntoIterator<Item: Into<Value<'a>>>", rust_name(&rest.name)));
    }
    let (returns, call, map) = result(resolved, names.array, rest.is_none());
    let list = values.join(", ");
    let arguments = match (rest, call) {
        (Some(rest), _) => {
            let rest = rust_name(&rest.name);
            format!("[{list}].into_iter().chain({rest}.into_iter().map(Into::into)).collect()")
        }
        (None, "one") => format!("[{list}]"),
        (None, _) => format!("vec![{list}]"),
    };
    parameters.push("keywords: impl Into<Keywords<'a>>".into());
    let _ = writeln!(
        out,
        "pub fn {}<'a>({}) -> Result<{returns}> {{\ncrate::{frontend}.{call}({place}, {arguments}, keywords.into()){map}\n}}",
        rust_name(name),
        parameters.join(", "),
    );
}

fn method(out: &mut String, place: usize, name: &str, row: &Row, resolved: &Row, names: Names<'_>) {
    let (needed, rest) = needed(resolved);
    let Some((_, others)) = needed.split_first() else { return };
    docs(out, &row.path, row, resolved);
    let mut parameters: Vec<String> =
        others.iter().map(|p| format!("{}: impl Into<Value<'a>>", rust_name(&p.name))).collect();
    let values: Vec<String> = others.iter().map(|p| format!("{}.into()", rust_name(&p.name))).collect();
    let frontend = names.frontend;
    if let Some(rest) = rest {
        parameters.push(format!("{}: impl IntoIterator<Item: Into<Value<'a>>>", rust_name(&rest.name)));
    }
    let tail = match rest {
        Some(rest) => {
            format!(".into_iter().chain({}.into_iter().map(Into::into)).collect()", rust_name(&rest.name))
        }
        None => String::new(),
    };
    if resolved.kind == Kind::Inplace {
        let list: Vec<String> =
            std::iter::once("Value::from(self.this().clone())".into()).chain(values).collect();
        let list = if tail.is_empty() {
            format!("vec![{}]", list.join(", "))
        } else {
            format!("[{}]{tail}", list.join(", "))
        };
        parameters.push("keywords: impl Into<Keywords<'a>>".into());
        let _ = writeln!(
            out,
            "fn {}<'a>(&mut self, {}) -> Result<()> {{\n\
             let result = crate::{frontend}.value({place}, {list}, keywords.into())?;\nself.this_mut().replace(result)\n}}",
            rust_name(name),
            parameters.join(", "),
        );
        return;
    }
    let (returns, call, map) = result(resolved, names.array, rest.is_none());
    let list: Vec<String> = std::iter::once("Value::from(self.this())".into()).chain(values).collect();
    let list = match (rest, call) {
        (Some(_), _) => format!("[{}]{tail}", list.join(", ")),
        (None, "one") => format!("[{}]", list.join(", ")),
        (None, _) => format!("vec![{}]", list.join(", ")),
    };
    if resolved.kind == Kind::Property {
        let _ = writeln!(
            out,
            "fn {}(&self) -> Result<{returns}> {{\ncrate::{frontend}.{call}({place}, {list}, Keywords::new()){map}\n}}",
            rust_name(name),
        );
        return;
    }
    parameters.push("keywords: impl Into<Keywords<'a>>".into());
    let _ = writeln!(
        out,
        "fn {}<'a>(&'a self, {}) -> Result<{returns}> {{\ncrate::{frontend}.{call}({place}, {list}, keywords.into()){map}\n}}",
        rust_name(name),
        parameters.join(", "),
    );
}
