//! NumPy's element-wise functions: their keywords, and their methods.

use crate::bind::Arguments;
use crate::casting::{SAME_KIND, into_target, may_cast};
use crate::core_call::call_core;
use crate::eval::{Evaluation, truth};
use crate::{ArrayLikes, Entry, Fault, Frontend, Keywords, Value, arrays, builtins, dtypes, index, refuse};
use ivy_core::context::enter_layer;
use ivy_core::{Array, Dtype, ErrorKind, Index, Result, Scalar};
use ivy_frontend_rows::{Kind, Signature};

/// NumPy's kinds of casting.
const KINDS: [&str; 5] = ["no", "equiv", "safe", "same_kind", "unsafe"];

/// Calls a ufunc whose arguments are bound: `dtype`, `casting`, `where` and `out` are the machine's.
pub(crate) fn call(entry: &'static Entry, arguments: &mut Arguments<'_>) -> Result<Value<'static>> {
    let taken = |name: &str, arguments: &mut Arguments<'_>| {
        entry.place(name).and_then(|at| arguments[at].take()).map(Value::into_owned).unwrap_or(Value::None)
    };
    let casting = match taken("casting", arguments) {
        Value::Text(kind) if KINDS.contains(&&*kind) => kind,
        Value::None => SAME_KIND.into(),
        other => {
            let rule = format!("one of {}", KINDS.join(", "));
            return Err(refuse(entry, Fault::Value, "casting", Some(&other), rule));
        }
    };
    let given = match taken("dtype", arguments) {
        Value::None => None,
        given => Some(dtypes::dtype_of(entry, "dtype", &given)?),
    };
    let condition = taken("where", arguments);
    let out = taken("out", arguments);
    if matches!(&*casting, "no" | "equiv") {
        of_one_dtype(entry, arguments)?;
    }
    let value = match given {
        Some(dtype) => as_dtype(entry, arguments, dtype, &casting)?,
        None => Evaluation::new(entry, arguments).run()?,
    };
    let value = into_target(entry, &out, value, &casting)?;
    match condition {
        Value::None | Value::Bool(true) => Ok(value),
        condition => chosen(entry, &condition, value, &out),
    }
}

/// The results in a dtype: those of the inputs in it, or of the inputs as they are where the results have it by
/// themselves, as those of comparisons and of magnitudes do.
fn as_dtype(
    entry: &'static Entry,
    arguments: &mut Arguments<'_>,
    dtype: Dtype,
    casting: &str,
) -> Result<Value<'static>> {
    let has_complex =
        |a: &Option<Value<'_>>| a.as_ref().and_then(Value::as_array).is_some_and(|x| x.dtype().is_complex());
    if dtype.is_bool() || dtype.is_float() && arguments.iter().any(has_complex) {
        let value = Evaluation::new(entry, arguments).run()?;
        if value.as_array().is_some_and(|x| x.dtype() == dtype) {
            return Ok(value);
        }
    }
    in_dtype(entry, arguments, dtype, casting)?;
    let value = Evaluation::new(entry, arguments).run()?;
    if value.as_array().is_some_and(|x| x.dtype() != dtype && !x.dtype().is_bool()) {
        let rule = format!("no loop of the function has results of {dtype}");
        return Err(refuse(entry, Fault::Type, "dtype", None, rule));
    }
    Ok(value)
}

/// That no input has to be cast: all are of one dtype.
fn of_one_dtype(entry: &'static Entry, arguments: &Arguments<'_>) -> Result<()> {
    let mut dtypes = arguments.iter().flatten().filter_map(Value::as_array).map(Array::dtype);
    let first = dtypes.next();
    match dtypes.find(|d| Some(*d) != first) {
        Some(other) => {
            let rule = format!("an input of {other} is not cast by this casting");
            Err(refuse(entry, Fault::Casting, "casting", None, rule))
        }
        None => Ok(()),
    }
}

/// The inputs in a dtype, as far as the casting goes.
fn in_dtype(entry: &'static Entry, arguments: &mut Arguments<'_>, dtype: Dtype, casting: &str) -> Result<()> {
    let inputs = entry.out.unwrap_or(arguments.len());
    for (at, argument) in arguments.iter_mut().enumerate().take(inputs) {
        let Some(value) = argument else { continue };
        let array =
            arrays::array(entry, &entry.row.signature.parameters[at].name, value, None, ArrayLikes::All)?;
        let weak = value.as_scalar().is_some();
        if !weak && !may_cast(entry, array.dtype(), dtype, casting)? {
            let rule = format!("its dtype {} is not cast to {dtype} by this casting", array.dtype());
            let name = &entry.row.signature.parameters[at].name;
            return Err(refuse(entry, Fault::Casting, name, Some(value), rule));
        }
        *argument = Some(ivy_core::functional::astype(&array, dtype)?.into());
    }
    Ok(())
}

/// The result where a condition holds, and elsewhere what was in `out`, or zeros where that was not given: NumPy has
/// whatever stood in memory there.
fn chosen(
    entry: &'static Entry,
    condition: &Value<'_>,
    value: Value<'static>,
    out: &Value<'_>,
) -> Result<Value<'static>> {
    if let Value::Tuple(values) = value {
        let outs = |i: usize| out.items().and_then(|items| items.get(i)).unwrap_or(&Value::None);
        let each = values.into_iter().enumerate().map(|(i, value)| chosen(entry, condition, value, outs(i)));
        return Ok(Value::Tuple(each.collect::<Result<_>>()?));
    }
    let out = match out {
        Value::Tuple(only) if only.len() == 1 => &only[0],
        other => other,
    };
    let condition = arrays::array(entry, "where", condition, None, ArrayLikes::All)?;
    if !condition.dtype().is_bool() {
        let rule = "truth values are needed";
        return Err(refuse(entry, Fault::Casting, "where", Some(&condition.into()), rule));
    }
    let elsewhere = match out {
        Value::None => call_core(entry, "zeros_like", &[value.borrowed()], &[])?,
        out => out.borrowed().into_owned(),
    };
    call_core(entry, "where", &[condition.into(), value, elsewhere], &[])
}

/// A method of a ufunc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Reduce,
    Accumulate,
    ReduceAt,
    Outer,
    At,
}

const METHODS: [(Method, &str, &str); 5] = [
    (
        Method::Reduce,
        "reduce",
        "array, /, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True",
    ),
    (Method::Accumulate, "accumulate", "array, /, axis=0, dtype=None, out=None"),
    (Method::ReduceAt, "reduceat", "array, /, indices, axis=0, dtype=None, out=None"),
    (Method::Outer, "outer", "A, B, /, **kwargs"),
    (Method::At, "at", "a, indices, b=None, /"),
];

/// The functions of the core that reduce and accumulate by a ufunc, and what the reduction of nothing is.
const FOLDS: [(&str, &str, &str, Option<i64>); 6] = [
    ("add", "sum", "cumulative_sum", Some(0)),
    ("multiply", "prod", "cumulative_prod", Some(1)),
    ("maximum", "max", "cummax", None),
    ("minimum", "min", "cummin", None),
    ("logical_and", "all", "", Some(1)),
    ("logical_or", "any", "", Some(0)),
];

/// What the reductions of nothing are that no function of the core makes.
const IDENTITIES: [(&str, Scalar); 8] = [
    ("bitwise_and", Scalar::Int(-1)),
    ("bitwise_or", Scalar::Int(0)),
    ("bitwise_xor", Scalar::Int(0)),
    ("gcd", Scalar::Int(0)),
    ("hypot", Scalar::Int(0)),
    ("logaddexp", Scalar::Float(f64::NEG_INFINITY)),
    ("logaddexp2", Scalar::Float(f64::NEG_INFINITY)),
    ("logical_xor", Scalar::Bool(false)),
];

/// What the reduction of nothing by a ufunc is, if it has such: `add.identity`.
pub fn ufunc_identity(entry: &Entry) -> Option<Scalar> {
    let path = entry.row.path.as_str();
    let fold = FOLDS.iter().find(|(name, ..)| *name == path).and_then(|(.., identity)| *identity);
    match fold {
        Some(identity) if path.starts_with("logical") => Some(Scalar::Bool(identity != 0)),
        Some(identity) => Some(Scalar::Int(identity.into())),
        None => IDENTITIES.iter().find(|(name, _)| *name == path).map(|(_, identity)| *identity),
    }
}

/// The identity of a ufunc as an array without axes, if it has one.
fn identity_of(entry: &Entry, dtype: Dtype) -> Option<Result<Array>> {
    let (_, identity) = IDENTITIES.iter().find(|(name, _)| *name == entry.row.path)?;
    let all_ones = dtype.int_range().filter(|_| dtype.is_uint() && *identity == Scalar::Int(-1));
    let value = all_ones.map_or(*identity, |(_, most)| Scalar::Int(most));
    Some(ivy_core::functional::full([], value, ivy_core::functional::Filled::new().dtype(dtype)))
}

/// The ufunc and method of a path such as `add.reduce`.
pub(crate) fn method(frontend: &'static Frontend, path: &str) -> Option<(&'static Entry, Method)> {
    let (owner, name) = path.rsplit_once('.')?;
    let (method, ..) = METHODS.iter().find(|(_, known, _)| *known == name)?;
    let entry = frontend.entry(frontend.table().position(owner)?);
    (entry.row.kind == Kind::Ufunc).then_some((entry, *method))
}

/// Calls a method of a ufunc.
pub(crate) fn call_method<'a>(
    entry: &'static Entry,
    method: Method,
    positional: Vec<Value<'a>>,
    keywords: Keywords<'a>,
) -> Result<Value<'static>> {
    let _scope = enter_layer(entry.frontend.layer());
    let text = METHODS.iter().find(|(m, ..)| *m == method).map_or("", |(.., text)| text);
    let signature =
        Signature::parse(text).map_err(|fault| refuse(entry, Fault::Type, "", None, fault.rule))?;
    let bound = signature.bind(positional, keywords.0);
    let bound = bound.map_err(|error| refuse(entry, Fault::Type, "", None, error.to_string()))?;
    let given = |i: usize| bound.values[i].as_ref().unwrap_or(&Value::None);
    let array = |i: usize| arrays::array(entry, "array", given(i), None, ArrayLikes::All);
    let own = |error: ivy_core::Error| error.with_function(entry.function);
    if method != Method::At && entry.out != Some(2) {
        let rule = "the method is one of functions of two operands with one result";
        return Err(refuse(entry, Fault::Value, "", None, rule));
    }
    match method {
        Method::Reduce => {
            let folded =
                reduce(entry, array(0)?, bound.values[1].as_ref(), [given(2), given(4), given(5), given(6)]);
            into_target(entry, given(3), folded.map_err(own)?, SAME_KIND)
        }
        Method::Accumulate => {
            let axis = arrays::integer(given(1))?.unwrap_or(0);
            let folded = accumulate(entry, array(0)?, axis, given(2)).map_err(own)?;
            into_target(entry, given(3), folded, SAME_KIND)
        }
        Method::ReduceAt => {
            let axis = arrays::integer(given(2))?.unwrap_or(0);
            let folded = reduce_at(entry, &array(0)?, given(1), axis, given(3)).map_err(own)?;
            into_target(entry, given(4), folded, SAME_KIND)
        }
        Method::Outer => {
            let rest = bound.rest_by_name.iter().map(|(name, value)| (name.as_str(), value.borrowed()));
            outer(entry, &array(0)?, array(1)?, Keywords(rest.collect())).map_err(own)
        }
        Method::At => at(entry, array(0)?, given(1), given(2)).map_err(own),
    }
}

fn apply(entry: &'static Entry, a: Array, b: Array) -> Result<Array> {
    let value = entry.frontend.evaluate(entry, vec![a.into(), b.into()], Keywords::new())?;
    arrays::array(entry, "result", &value, None, ArrayLikes::All)
}

fn fold_of(entry: &Entry) -> Option<&'static (&'static str, &'static str, &'static str, Option<i64>)> {
    FOLDS.iter().find(|(name, ..)| *name == entry.row.path)
}

/// `dtype`, `keepdims`, `initial` and `where` of a reduction.
fn reduce(
    entry: &'static Entry,
    array: Array,
    axis: Option<&Value<'_>>,
    [dtype, keepdims, initial, condition]: [&Value<'_>; 4],
) -> Result<Value<'static>> {
    let zero = Value::Int(0);
    let axis = axis.unwrap_or(&zero);
    let keepdims = truth(entry, || "keepdims", keepdims)?;
    let fold = fold_of(entry);
    let mut array = array;
    if array.size() == 0 && !initial.is_none() && matches!(&*entry.row.path, "maximum" | "minimum") {
        // Of nothing they are what they begin with.
        let named = [("axis", axis.borrowed()), ("keepdims", keepdims.into())];
        let dtype = array.dtype();
        let form = call_core(entry, "any", &[array.into()], &named)?;
        let form = arrays::array(entry, "array", &form, None, ArrayLikes::All)?;
        let first = arrays::array(entry, "initial", initial, Some(dtype), ArrayLikes::All)?;
        return Ok(ivy_core::functional::broadcast_to(first, form.shape().clone())?.into());
    }
    if !matches!(condition, Value::None | Value::Bool(true)) {
        let identity = fold.and_then(|(.., identity)| *identity).map(Value::from);
        let elsewhere = if initial.is_none() { identity } else { Some(initial.borrowed().into_owned()) };
        let Some(elsewhere) = elsewhere else {
            let rule = "a reduction without identity needs `initial` where a condition leaves elements out";
            return Err(refuse(entry, Fault::Value, "where", Some(condition), rule));
        };
        let chosen = call_core(entry, "where", &[condition.borrowed(), array.into(), elsewhere], &[])?;
        array = arrays::array(entry, "array", &chosen, None, ArrayLikes::All)?;
    }
    let folded = match fold {
        Some((_, reduction, ..)) => {
            let mut named = vec![("axis", axis.borrowed()), ("keepdims", keepdims.into())];
            if !dtype.is_none() && matches!(*reduction, "sum" | "prod") {
                named.push(("dtype", dtype.borrowed()));
            }
            call_core(entry, reduction, &[array.into()], &named)?
        }
        None => stepwise(entry, array, axis, keepdims)?,
    };
    match initial {
        Value::None => Ok(folded),
        initial => entry.frontend.evaluate(entry, vec![folded, initial.borrowed()], Keywords::new()),
    }
}

/// Element after element along an axis, or along all.
fn stepwise(entry: &'static Entry, array: Array, axis: &Value<'_>, keepdims: bool) -> Result<Value<'static>> {
    let ndim = array.ndim();
    let (rows, kept) = match axis {
        Value::None => {
            let flat = call_core(entry, "reshape", &[array.into(), Value::Int(-1)], &[])?;
            (flat, Value::Tuple(vec![Value::Int(1); ndim]))
        }
        axis => {
            let at = arrays::integer(axis)?
                .ok_or_else(|| refuse(entry, Fault::Type, "axis", Some(axis), "one axis is needed here"))?;
            let moved = call_core(entry, "moveaxis", &[array.into(), at.into(), Value::Int(0)], &[])?;
            (moved, Value::from(at))
        }
    };
    let rows = arrays::array(entry, "array", &rows, None, ArrayLikes::All)?;
    let length = rows.shape().first().copied().unwrap_or(1);
    if let (0, Some(identity)) = (length, identity_of(entry, rows.dtype())) {
        let rest: Vec<usize> = rows.shape()[1..].to_vec();
        return Ok(ivy_core::functional::broadcast_to(identity?, rest)?.into());
    }
    if length == 0 {
        return Err(
            ErrorKind::EmptyReduction { function: entry.function, shape: rows.shape().clone() }.into()
        );
    }
    let mut folded = rows.get([Index::Int(0)])?;
    for i in 1..length {
        folded = apply(entry, folded, rows.get([Index::from(i)])?)?;
    }
    match (keepdims, kept) {
        (false, _) => Ok(folded.into()),
        (true, shape @ Value::Tuple(_)) => call_core(entry, "reshape", &[folded.into(), shape], &[]),
        (true, axis) => call_core(entry, "expand_dims", &[folded.into()], &[("axis", axis)]),
    }
}

fn accumulate(entry: &'static Entry, array: Array, axis: i64, dtype: &Value<'_>) -> Result<Value<'static>> {
    let mut named = vec![("axis", Value::from(axis))];
    match fold_of(entry).map(|(_, _, accumulation, _)| *accumulation) {
        Some(name @ ("cumulative_sum" | "cumulative_prod")) => {
            if !dtype.is_none() {
                named.push(("dtype", dtype.borrowed()));
            }
            call_core(entry, name, &[array.into()], &named)
        }
        Some(name @ ("cummax" | "cummin")) => match call_core(entry, name, &[array.into()], &named)? {
            Value::Tuple(results) => Ok(results.into_iter().next().unwrap_or(Value::None)),
            one => Ok(one),
        },
        _ => {
            let length = array.shape().get(usize::try_from(axis).unwrap_or(0)).copied().unwrap_or(0);
            let moved = call_core(entry, "moveaxis", &[array.into(), axis.into(), Value::Int(0)], &[])?;
            let rows = arrays::array(entry, "array", &moved, None, ArrayLikes::All)?;
            let mut steps: Vec<Array> = Vec::with_capacity(length);
            for i in 0..length {
                let row = rows.get([Index::from(i)])?;
                steps.push(match steps.last() {
                    Some(last) => apply(entry, last.clone(), row)?,
                    None => row,
                });
            }
            let list = Value::List(steps.into_iter().map(Value::from).collect());
            call_core(entry, "stack", &[list], &named)
        }
    }
}

/// The reductions of the segments of an axis that begin at indices: each ends where the next one begins, and has one
/// element where that is not behind it.
fn reduce_at(
    entry: &'static Entry,
    array: &Array,
    indices: &Value<'_>,
    axis: i64,
    dtype: &Value<'_>,
) -> Result<Value<'static>> {
    let refused = |rule: String| Err(refuse(entry, Fault::Index, "indices", Some(indices), rule));
    let Some(starts) = arrays::integers(indices)? else {
        return refused("whole numbers are needed".into());
    };
    let ndim = array.ndim() as i64;
    let Some(at) = Some(if axis < 0 { axis + ndim } else { axis }).filter(|at| (0..ndim).contains(at)) else {
        let rule = format!("axis {axis} is out of bounds for array of dimension {ndim}");
        return Err(refuse(entry, Fault::Axis, "axis", Some(&axis.into()), rule));
    };
    let length = array.shape()[at as usize] as i64;
    if let Some(start) = starts.iter().find(|start| !(0..length).contains(*start)) {
        return refused(format!("index {start} out-of-bounds in {}.reduceat [0, {length})", entry.row.path));
    }
    let segment = |start: i64, stop: i64| {
        let mut index = vec![Index::from(..); at as usize];
        index.push(Index::from(start..stop));
        let kept = Value::Bool(true);
        let options = [dtype, &kept, &Value::None, &Value::None];
        let folded = reduce(entry, array.get(&index)?, Some(&Value::Int(at.into())), options)?;
        arrays::array(entry, "array", &folded, None, ArrayLikes::All)
    };
    let mut segments = Vec::with_capacity(starts.len());
    for (i, &start) in starts.iter().enumerate() {
        let next = starts.get(i + 1).copied().unwrap_or(length);
        segments.push(segment(start, if next > start { next } else { start + 1 })?);
    }
    if segments.is_empty() {
        // None of the segments of nothing, in the dtype that a segment would have.
        let mut shape = array.shape().to_vec();
        shape[at as usize] = 0;
        let like =
            call_core(entry, "ones", &[Value::from(vec![1usize])], &[("dtype", array.dtype().into())])?;
        let like = arrays::array(entry, "array", &like, None, ArrayLikes::All)?;
        let like = reduce(entry, like, None, [dtype, &Value::None, &Value::None, &Value::None])?;
        let like = arrays::array(entry, "array", &like, None, ArrayLikes::All)?;
        return call_core(entry, "zeros", &[Value::from(shape)], &[("dtype", like.dtype().into())]);
    }
    let list = Value::List(segments.into_iter().map(Value::from).collect());
    call_core(entry, "concat", &[list], &[("axis", at.into())])
}

/// Every element of one with every element of the other.
fn outer(entry: &'static Entry, a: &Array, b: Array, keywords: Keywords<'_>) -> Result<Value<'static>> {
    let shape: Vec<usize> = a.shape().iter().copied().chain(std::iter::repeat_n(1, b.ndim())).collect();
    let tall = call_core(entry, "reshape", &[a.into(), Value::from(shape)], &[])?;
    let tall = arrays::array(entry, "A", &tall, None, ArrayLikes::All)?;
    entry.frontend.evaluate(entry, vec![tall.into(), b.into()], keywords)
}

/// An array with elements replaced one after the other, so that a repeated index counts each time.
fn at(entry: &'static Entry, mut array: Array, key: &Value<'_>, other: &Value<'_>) -> Result<Value<'static>> {
    let numbers =
        call_core(entry, "arange", &[Value::from(array.size())], &[("dtype", Dtype::INT64.into())])?;
    let shape = Value::from(array.shape());
    let numbers = call_core(entry, "reshape", &[numbers, shape.clone()], &[])?;
    // The numbers of the elements that the index expression selects, in its order.
    let places = builtins::get_item(entry, ["a", "indices"], &numbers, key)?;
    let places = arrays::array(entry, "indices", &places, None, ArrayLikes::All)?;
    let values = match other {
        Value::None => None,
        other => {
            let values = arrays::array(entry, "b", other, None, ArrayLikes::All)?;
            Some(ivy_core::functional::broadcast_to(&values, places.shape().clone())?)
        }
    };
    let dtype = array.dtype();
    let flat = |x: Array| ivy_core::functional::reshape(&x, [-1], ());
    let (places, values) = (flat(places)?, values.map(flat).transpose()?);
    array = flat(array)?;
    for i in 0..places.size() {
        let place = index::indices(entry, &Value::from(places.get([Index::from(i)])?.to_scalar()?))?;
        let old = array.get(&place)?;
        let new = match &values {
            Some(values) => apply(entry, old, values.get([Index::from(i)])?)?,
            None => {
                let value = entry.frontend.evaluate(entry, vec![old.into()], Keywords::new())?;
                arrays::array(entry, "result", &value, None, ArrayLikes::All)?
            }
        };
        array.set(&place, ivy_core::functional::astype(&new, dtype)?)?;
    }
    call_core(entry, "reshape", &[array.into(), shape], &[])
}
