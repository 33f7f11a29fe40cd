//! The machine with a frontend of its own: bodies, arguments, the short way, errors and versions.

use ivy_backend_ndarray as _;
use ivy_core::{Array, Dtype, ErrorKind, Result, Rules, context};
use ivy_frontend::{
    ArrayLikes, Call, Definition, Fault, Framework, Frontend, Keywords, Tensor, Value, core_signatures,
    error_class, kw,
};

const ROWS: &str = "\
# Rows of the test.
add\tfunction\tx, y, *, alpha=1, out=None\tadd(x, y) if alpha == 1 else add(x, multiply(y, alpha))\t-
plus\talias\t-\tadd\t-
total\tfunction\tx, dim=None, keep=False, *, name~=None, later=0\tsum(x, axis=dim, keepdims=keep)\t-
largest\tfunction\tx, dim\ttuple(max(x, axis=dim), argmax(x, axis=dim))\tvalues, indices
host\tfunction\tn, m=2\t(n + m * 3) // 2 if n in (1, 3, 5) else [n, -n, 'a' + 'b']\tvalue
lengths\tfunction\t*arrays\ttuple(*shape(arrays[0]), len(arrays))\tvalue
twice\tfunction\tx\tfn.add(x, x, alpha=2)\t-
coded\tfunction\tx, n\tspecial.scaled(x, n)\t-
rows\tfunction\tx, key\tgetitem(x, key)\t-
shaped\tfunction\ta, lengths\treshape(a, shape=lengths)\t-
laid_out\tfunction\tb, lengths\tfn.shaped(b, lengths)\t-
inverse\tfunction\tmatrix\tlinalg.inv(matrix)\t-
ufuncs.add\tufunc\tx1, x2, @ufunc\tadd(x1, x2)\t-
ufuncs.hypot\tufunc\tx1, x2, @ufunc\thypot(x1, x2)\t-
ndarray.__add__\tmethod\tself, other, /\tadd(self, other)\t-
ndarray.__iadd__\tinplace\tself, other, /\tadd(self, other)\t-
ndarray.__neg__\tmethod\tself, /\tnegative(self)\t-
";

fn scaled(call: &mut Call<'_>) -> Result<Value<'static>> {
    let (x, n) = (call.array(0)?, call.int(1)?);
    if n < 0 {
        return Err(call.refuse(Fault::Value, "n", Some(call.value(1)), "it is not negative"));
    }
    call.core("multiply", &[x.into(), n.into()], Keywords::new())
}

static FRONTEND: Frontend = Frontend::new(Definition {
    name: "numpy",
    class: "ndarray",
    array_likes: ArrayLikes::All,
    steps_back: true,
    views: &[],
    views_keep_graph: false,
    saved_results: &[],
    files: &[("rows.tsv", ROWS)],
    specials: &[("scaled", scaled)],
});

struct Own;

impl Framework for Own {
    fn frontend() -> &'static Frontend {
        &FRONTEND
    }
}

fn array(values: &[f64]) -> Array {
    Array::from_vec(values.to_vec(), values.len()).expect("memory for a few numbers")
}

fn floats(value: &Value<'_>) -> Vec<f64> {
    value.as_array().expect("an array").to_vec::<f64>().expect("of float64")
}

fn call(path: &str, arguments: &[Value<'_>], keywords: Keywords<'_>) -> Result<Value<'static>> {
    FRONTEND.call(path, arguments, keywords)
}

#[test]
fn rows_are_evaluated() {
    let (x, y) = (array(&[1.0, 2.0]), array(&[10.0, 20.0]));
    let both = [Value::from(&x), Value::from(&y)];
    assert_eq!(floats(&call("add", &both, ().into()).unwrap()), [11.0, 22.0]);
    assert_eq!(floats(&call("plus", &both, kw! { alpha: 3 }).unwrap()), [31.0, 62.0]);
    assert_eq!(floats(&call("twice", &[(&x).into()], ().into()).unwrap()), [3.0, 6.0]);
    assert_eq!(floats(&call("coded", &[(&x).into(), 3.into()], ().into()).unwrap()), [3.0, 6.0]);
    assert_eq!(floats(&call("total", &[(&x).into()], kw! { keep: true }).unwrap()), [3.0]);
    let list = Value::from([[1, 2], [3, 4]]);
    let total = call("total", &[list.borrowed(), 0.into()], ().into()).unwrap();
    assert_eq!(total.as_array().unwrap().dtype(), Dtype::INT64);
    let Value::Tuple(largest) = call("largest", &[(&y).into(), 0.into()], ().into()).unwrap() else {
        panic!("two results")
    };
    assert_eq!(largest[1].as_array().unwrap().to_scalar().unwrap().to_i128(), 1);
    assert!(call("host", &[3.into()], ().into()).unwrap().equals(&Value::from(4)));
    let listed = call("host", &[2.into()], ().into()).unwrap();
    assert!(listed.equals(&Value::List(vec![2.into(), (-2).into(), "ab".into()])));
    assert!(call("lengths", &both, ().into()).unwrap().equals(&Value::from((2, 2))));
    let part =
        call("rows", &[(&x).into(), Value::Slice { start: None, stop: None, step: Some(-1) }], ().into());
    assert_eq!(floats(&part.unwrap()), [2.0, 1.0]);
}

#[test]
fn the_rules_of_the_frontend_are_in_force_inside_only() {
    let n = Array::from_vec(vec![1i64, 2], 2).unwrap();
    let h = ivy_core::functional::astype(array(&[0.5, 1.5]), Dtype::FLOAT16).unwrap();
    let sum = FRONTEND.call("add", &[(&n).into(), (&h).into()], ().into()).unwrap();
    assert_eq!(sum.as_array().unwrap().dtype(), Dtype::FLOAT64);
    assert_eq!(context::current().settings.rules, Rules::Precise);
    let (a, b) = (Tensor::<Own>::from(n), Tensor::<Own>::from(h));
    assert_eq!((&a + &b).ok().unwrap().dtype(), Dtype::FLOAT64);
    assert_eq!((&a + 1).ok().unwrap().dtype(), Dtype::INT64);
    assert_eq!((1.5f64 + &a).ok().unwrap().dtype(), Dtype::FLOAT64);
    assert_eq!((-(&a + &b)).ok().unwrap().to_vec::<f64>().unwrap(), [-1.5, -3.5]);
    assert!((&a - &b).ok().is_err(), "no row has this operator");
}

#[test]
fn a_layer_ends_with_its_guard_whatever_is_entered_within() {
    let layer = FRONTEND.layer();
    let guard = context::enter_layer(layer);
    let inner = context::scope(&ivy_core::Context::new().rules(Rules::ArrayApi));
    assert_eq!(context::current().settings.rules, Rules::ArrayApi);
    drop(inner);
    assert_eq!(context::current().settings.rules, FRONTEND.version().rules);
    let again = context::enter_layer(layer);
    drop(again);
    assert_eq!(context::current().settings.rules, FRONTEND.version().rules);
    // What a composition does between the calls of a row does not end it.
    let x = array(&[1.0, 2.0]);
    ivy_core::functional::softmax(&x, ()).unwrap();
    assert_eq!(context::current().settings.rules, FRONTEND.version().rules);
    drop(guard);
    assert_eq!(context::current().settings.rules, Rules::Precise);
}

#[test]
fn results_go_where_they_are_to_be_written() {
    let (x, whole) = (array(&[1.0, 2.0]), Array::from_vec(vec![1i64, 2], 2).unwrap());
    let narrow = ivy_core::functional::astype(&x, Dtype::FLOAT32).unwrap();
    let given = [Value::from(&x), Value::from(&x)];
    let out = call("add", &given, kw! { out: &narrow }).unwrap();
    assert_eq!(out.as_array().unwrap().dtype(), Dtype::FLOAT32);
    let refused = call("add", &given, kw! { out: &whole }).unwrap_err();
    assert_eq!(error_class("numpy", refused.kind()), "UFuncTypeError");
    assert_eq!(
        refused.to_string(),
        "numpy.add: out: the result is float64, and is not cast to int64 by itself"
    );
    let mut t = Tensor::<Own>::from(whole);
    t.operate_in_place(ivy_frontend::Operator::Add, 1).unwrap();
    assert_eq!(t.to_vec::<i64>().unwrap(), [2, 3]);
    assert!(t.operate_in_place(ivy_frontend::Operator::Add, 0.5).is_err());
    assert_eq!(t.to_vec::<i64>().unwrap(), [2, 3]);
    assert!(t.operate_in_place(ivy_frontend::Operator::Subtract, 1).is_err(), "no row has it");
}

#[test]
fn ufuncs_have_keywords_and_methods() {
    let (x, y) = (array(&[1.0, 2.0, 3.0]), array(&[10.0, 20.0, 30.0]));
    let given = [Value::from(&x), Value::from(&y)];
    let chosen = call("ufuncs.add", &given, kw! { where: [true, false, true], out: &y }).unwrap();
    assert_eq!(floats(&chosen), [11.0, 20.0, 33.0]);
    let narrow = call("ufuncs.add", &given, kw! { dtype: Dtype::FLOAT32 }).unwrap();
    assert_eq!(narrow.as_array().unwrap().dtype(), Dtype::FLOAT32);
    let refused = call("ufuncs.add", &given, kw! { dtype: Dtype::FLOAT32, casting: "safe" }).unwrap_err();
    assert_eq!(error_class("numpy", refused.kind()), "UFuncTypeError");
    assert!(call("ufuncs.add", &given, kw! { casting: "somehow" }).is_err());
    assert_eq!(floats(&call("ufuncs.add.reduce", &[(&x).into()], ().into()).unwrap()), [6.0]);
    assert_eq!(floats(&call("ufuncs.add.accumulate", &[(&x).into()], ().into()).unwrap()), [1.0, 3.0, 6.0]);
    let five = array(&[3.0, 4.0, 12.0]);
    assert_eq!(floats(&call("ufuncs.hypot.reduce", &[(&five).into()], ().into()).unwrap()), [13.0]);
    let table = call("ufuncs.add.outer", &[(&x).into(), (&x).into()], ().into()).unwrap();
    assert_eq!(table.as_array().unwrap().shape()[..], [3, 3]);
    let counted = call("ufuncs.add.at", &[(&x).into(), [0, 0, 2].into(), 1.into()], ().into()).unwrap();
    assert_eq!(floats(&counted), [3.0, 2.0, 4.0]);
}

#[test]
fn what_is_not_there_is_said() {
    let x = array(&[1.0]);
    let text = |result: Result<Value<'static>>| result.unwrap_err().to_string();
    assert_eq!(
        text(call("ad", &[], ().into())),
        "numpy has no `ad` here; there are: add. `ivy functions --frontend numpy` lists what there is"
    );
    assert_eq!(
        text(call("total", &[(&x).into()], kw! { later: 1 })),
        "numpy.total: later = 1: only the default, 0, is there yet. Leave it out, or call ivy's own functions"
    );
    assert!(call("total", &[(&x).into()], kw! { later: 0, name: "anything" }).is_ok());
    assert_eq!(
        text(call("total", &[(&x).into()], kw! { axis: 1 })),
        "numpy.total: axis: got 'axis', which it does not have"
    );
    assert_eq!(text(call("add", &[(&x).into()], ().into())), "numpy.add: needs the argument 'y'");
    assert_eq!(
        text(call("coded", &[(&x).into(), (-1).into()], ().into())),
        "numpy.coded: n = -1: it is not negative"
    );
    let wrong = call("total", &[(&x).into(), 3.into()], ().into()).unwrap_err();
    assert_eq!(wrong.to_string(), "numpy.total: axis 3 is out of range for 1 dimensions");
    assert_eq!(error_class("numpy", wrong.kind()), "AxisError");
    assert_eq!(error_class("torch", wrong.kind()), "IndexError");
    assert_eq!(error_class("jax", wrong.kind()), "ValueError");
    let version = FRONTEND.set_version("0.1").unwrap_err();
    assert!(matches!(version.kind(), ErrorKind::FrontendVersion { .. }));
    assert_eq!(version.to_string(), "numpy has no version `0.1` here; there are: 2.4, 1.26");
}

#[test]
fn errors_name_the_rows_parameters() {
    let (x, lengths) = (array(&[1.0, 2.0, 3.0]), Value::Tuple(vec![2.into(), 2.into()]));
    let text = |path: &str, given: &[Value<'_>]| call(path, given, ().into()).unwrap_err().to_string();
    let shaped = text("shaped", &[(&x).into(), lengths.clone()]);
    assert!(shaped.starts_with("numpy.shaped: a has shape (3,), "), "{shaped}");
    let nested = text("laid_out", &[(&x).into(), lengths]);
    assert!(nested.starts_with("numpy.laid_out: b has shape (3,), "), "{nested}");
    let inverse = text("inverse", &[(&x).into()]);
    assert!(inverse.starts_with("numpy.inverse: matrix has shape (3,), "), "{inverse}");
    assert!(FRONTEND.call_arrays(FRONTEND.find("inverse").unwrap(), [&x]).is_none());
}

#[test]
fn a_version_is_in_force_while_its_guard_lives() {
    assert_eq!(FRONTEND.version().name, "2.4");
    let guard = FRONTEND.version_scope("1.26").unwrap();
    assert_eq!((FRONTEND.version().name, FRONTEND.version().rules), ("1.26", Rules::Numpy126));
    drop(guard);
    assert_eq!(FRONTEND.version().name, "2.4");
}

#[test]
fn every_frontend_has_versions_whose_rules_are_there() {
    let lines = include_str!("../src/versions.tsv").lines().filter(|line| !line.starts_with('#'));
    for line in lines {
        let rules = line.split('\t').nth(2).expect("three cells");
        assert!(rules.parse::<Rules>().is_ok(), "{line}");
    }
}

/// The table by which builds check rows is that of the functions that are there; `IVY_UPDATE_TABLES=1` writes it.
#[test]
fn the_table_of_the_core_is_the_cores() {
    let mut rows: Vec<(&str, &str)> =
        core_signatures().iter().map(|s| (s.name, s.signature.text.as_str())).collect();
    rows.sort_unstable();
    rows.dedup_by_key(|row| row.0);
    let mut text = String::from(
        "# The core's functions and their arguments: made by `cargo test -p ivy-frontend` from the registry and the tables of\n\
         # signatures (IVY_UPDATE_TABLES=1 writes it).\n",
    );
    for (name, signature) in rows {
        text += &format!("{name}\t{signature}\n");
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../rows/src/core.tsv");
    if std::env::var_os("IVY_UPDATE_TABLES").is_some() {
        std::fs::write(&path, text).expect("the table can be written");
        return;
    }
    let committed = std::fs::read_to_string(&path).expect("the table is there");
    assert!(committed == text, "core.tsv is not of these functions: run it with IVY_UPDATE_TABLES=1");
}
