//! The language of rows: what it reads, and that every mistake is told with its place.

use ivy_frontend_rows::{
    ArgumentKind, BindError, Callee, Expr, Facts, Given, Kind, Results, Signature, Table, core_functions,
    fold, parse_expr,
};

fn mistakes(text: &str) -> Vec<String> {
    Table::parse(&[("functions/x.tsv", text)])
        .map(|_| Vec::new())
        .unwrap_or_else(|all| all.iter().map(ToString::to_string).collect())
}

#[test]
fn a_row_is_read_whole() {
    let text = "# source\nsum\tfunction\ta, axis=None, *, order~='K', out=None\tsum(a, axis=axis)\t-\nadd_all\talias\t-\tsum\t-\n";
    let table = Table::parse(&[("functions/x.tsv", text)]).expect("there is no mistake");
    let row = &table.rows[0];
    assert_eq!((row.kind, &row.results, row.line), (Kind::Function, &Results::One, 2));
    assert_eq!(row.signature.text, "a, axis=None, *, order='K', out=None");
    assert_eq!(row.mentions, [true, true, false, false]);
    assert!(row.signature.parameters[2].ignored && row.signature.parameters[2].given == Given::ByName);
    assert_eq!(table.resolve("add_all").map(|r| r.path.as_str()), Some("sum"));
}

#[test]
fn mistakes_are_told_with_file_line_and_column() {
    let one = |row: &str| mistakes(&format!("# source\n{row}\n")).join("\n");
    assert_eq!(
        one("f\tfunction\tx\tsuum(x)\t-"),
        "functions/x.tsv:2:14: the core has no function `suum`; is `sum` meant?"
    );
    assert_eq!(
        one("f\tfunction\tx\tsum(x, axes=0)\t-"),
        "functions/x.tsv:2:21: it has no argument `axes` by name; is `axis` meant?"
    );
    assert_eq!(
        one("f\tfunction\tx, dim\tsum(x, axis=dims)\t-"),
        "functions/x.tsv:2:31: the signature has no argument `dims`"
    );
    assert_eq!(one("f\talias\t-\tg\t-"), "functions/x.tsv:2:11: no row is called `g`");
    assert_eq!(one("f\tfunction\tx\tfn.g(x)\t-"), "functions/x.tsv:2:14: no row is called `g`");
    assert_eq!(
        one("f\tfunction\tx\tx"),
        "functions/x.tsv:2:1: a row has five cells (path, kind, signature, body, results), this one 4"
    );
    assert_eq!(
        one("f\tfnction\tx\tx\t-"),
        "functions/x.tsv:2:3: `fnction` is none of function, ufunc, method, property, inplace, alias"
    );
    assert_eq!(one("f\tmethod\tx\tx\t-"), "functions/x.tsv:2:10: the first argument of a method is `self`");
    assert_eq!(one("f\tfunction\tx, x\tx\t-"), "functions/x.tsv:2:15: two arguments are called `x`");
    assert_eq!(
        one("f\tfunction\tx=1, y\tx\t-"),
        "functions/x.tsv:2:17: `y` needs a default, as one before it has"
    );
    assert_eq!(one("f\tfunction\tx\tadd(x)\t-"), "functions/x.tsv:2:14: it needs the argument `x2`");
    assert_eq!(one("f\tfunction\tx\tadd(x, x\t-"), "functions/x.tsv:2:22: `)` is missing");
    assert_eq!(
        one("f\tfunction\tx\tshape(x, x)\t-"),
        "functions/x.tsv:2:14: shape() takes 1 to 1 arguments, 2 are given"
    );
    let twice = mistakes("f\tfunction\tx\tx\t-\nf\tfunction\tx\tx\t-\n");
    assert_eq!(twice, ["functions/x.tsv:2:1: `f` stands in functions/x.tsv:1 already"]);
    assert_eq!(mistakes("a\talias\t-\tb\t-\nb\talias\t-\ta\t-\n").len(), 2, "a ring of aliases");
}

#[test]
fn arguments_bind_as_pythons_do() {
    let signature = Signature::parse("a, /, b=1, *rest, c=2, **names").expect("a signature");
    let bound = signature.bind([1, 2, 3, 4], [("c", 5), ("d", 6)]).expect("they fit");
    assert_eq!(bound.values.as_slice(), [Some(1), Some(2), None, Some(5), None]);
    assert_eq!((bound.rest, bound.rest_by_name), (vec![3, 4], vec![("d".to_string(), 6)]));
    let plain = Signature::parse("a, b=1").expect("a signature");
    let refused = |positional: &[i32], named: &[(&str, i32)]| {
        plain.bind(positional.iter().copied(), named.iter().copied()).expect_err("they do not fit")
    };
    assert_eq!(refused(&[1, 2, 3], &[]), BindError::TooMany { takes: 2, given: 3 });
    assert_eq!(refused(&[1], &[("a", 2)]), BindError::Twice("a".into()));
    assert_eq!(refused(&[1], &[("x", 2)]), BindError::Unknown { name: "x".into(), near: None });
    assert_eq!(refused(&[], &[("b", 2)]), BindError::Missing("a".into()));
}

#[test]
fn precedence_is_pythons() {
    let signature = Signature::parse("a, b").expect("a signature");
    let tree = |text: &str| format!("{:?}", parse_expr(text, &signature).expect("an expression"));
    assert_eq!(tree("a + b * 2"), tree("a + (b * 2)"));
    assert_eq!(tree("-a ** 2"), tree("-(a ** 2)"));
    assert_eq!(tree("not a == b and b or a"), tree("((not (a == b)) and b) or a"));
    assert_eq!(tree("a if b is None else b if a else 1"), tree("a if (b is None) else (b if a else 1)"));
    assert_eq!(tree("-1"), "Int(-1)");
    assert_eq!(tree("(a,)"), "Tuple([Parameter(0)])");
    assert_ne!(tree("a"), tree("(a,)"));
}

#[test]
fn defaults_decide_what_a_body_comes_to() {
    let signature = Signature::parse("input, other, *, alpha=1").expect("a signature");
    let body = "add(input, other) if alpha == 1 else add(input, multiply(other, alpha))";
    let body = parse_expr(body, &signature).expect("an expression");
    let of_nothing = |_: usize| None;
    let alpha = |at: usize| (at == 2).then_some(Expr::Int(1));
    let folded = fold(&body, Facts { value: &alpha, kind: &of_nothing });
    let Expr::Call(call) = folded else { panic!("{folded:?} is no call") };
    assert_eq!(call.callee, Callee::Core("add".into()));
    assert_eq!(call.positional, [Expr::Parameter(0), Expr::Parameter(1)]);
    let folded = |body: &str, value: &Expr| {
        let body = parse_expr(body, &signature).expect("an expression");
        fold(&body, Facts { value: &|at| (at == 2).then(|| value.clone()), kind: &of_nothing })
    };
    // By Python's truth of the default, which is the result of `and` and `or`.
    assert_eq!(folded("alpha or False", &Expr::None), Expr::Bool(false));
    assert_eq!(folded("alpha and 3", &Expr::Int(0)), Expr::Int(0));
    assert_eq!(folded("alpha or 3", &Expr::Text("a".into())), Expr::Text("a".into()));
    assert_eq!(folded("not alpha", &Expr::Float(0.0)), Expr::Bool(true));
    assert_eq!(folded("1 if alpha else 2", &Expr::None), Expr::Int(2));
    assert_eq!(folded("input or alpha", &Expr::None), Expr::Or(Expr::Parameter(0).into(), Expr::None.into()));
}

#[test]
fn what_arguments_are_decides_conditions() {
    let signature = Signature::parse("a, b, c, d, e").expect("a signature");
    let kinds = [ArgumentKind::Array, ArgumentKind::Int, ArgumentKind::Number, ArgumentKind::Arrays];
    let shape = |at: usize| (at == 4).then(|| Expr::Tuple(vec![Expr::Int(2), Expr::Int(-3)]));
    let facts = Facts { value: &shape, kind: &|at| kinds.get(at).copied() };
    let folded = |body: &str| fold(&parse_expr(body, &signature).expect("an expression"), facts);
    for (function, those) in [
        ("is_array", "a"),
        ("is_int", "b"),
        ("is_number", "bc"),
        ("is_arrays", "d"),
        ("is_list", "de"),
        ("is_ints", "e"),
    ] {
        for argument in ["a", "b", "c", "d", "e"] {
            let found = folded(&format!("{function}({argument})"));
            // Whether entries of a tuple that is written down are arrays is not looked at.
            if (function, argument) == ("is_arrays", "e") {
                assert!(matches!(found, Expr::Call(_)));
                continue;
            }
            assert_eq!(found, Expr::Bool(those.contains(argument)), "{function}({argument})");
        }
    }
    assert_eq!(folded("a is None or d is not None"), Expr::Bool(true));
    assert_eq!(folded("least(0, *e)"), Expr::Int(-3));
    assert_eq!(folded("greatest(0, *e) == 2"), Expr::Bool(true));
    assert!(matches!(folded("least(0, b)"), Expr::Call(_)));
}

#[test]
fn every_function_of_the_core_is_in_the_table() {
    let names: Vec<&str> = core_functions().iter().map(|f| f.name.as_str()).collect();
    assert!(names.len() > 400 && names.is_sorted(), "{} functions", names.len());
    let lines = include_str!("../src/core.tsv").lines().filter(|line| !line.starts_with('#')).count();
    assert_eq!(lines, names.len(), "a signature of the table cannot be read");
}
