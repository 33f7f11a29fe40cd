//! Rows that are one call of the core, with and without the path that is taken for them.

use ivy_backend_suite::{in_part, least};
use ivy_core::backend::BackendRef;
use ivy_core::functional::{arange, astype, reshape};
use ivy_core::{Array, Context, Dtype, Scalar};
use ivy_frontend::rows::{Given, Parameter, Row};
use ivy_frontend::{Argument, Entry, Frontend, HostValue, Keywords, Value};

/// The operands of calls: of each dtype, square and of several axes; numbers small enough for every function's table.
fn operands() -> ivy_core::Result<Vec<Array>> {
    let dtypes = [
        Dtype::BOOL,
        Dtype::UINT8,
        Dtype::INT32,
        Dtype::INT64,
        Dtype::FLOAT16,
        Dtype::FLOAT32,
        Dtype::FLOAT64,
        Dtype::COMPLEX64,
    ];
    let shapes: [&[i64]; 3] = [&[2, 2], &[3], &[2, 3, 2]];
    let of = |dtype: Dtype, shape: &[i64]| {
        let numbers = arange(shape.iter().product::<i64>(), ())?;
        reshape(astype(numbers, dtype)?, shape, ())
    };
    dtypes.iter().flat_map(|&dtype| shapes.map(|shape| of(dtype, shape))).collect()
}

/// The rows that a run takes.
fn taken(frontend: &'static Frontend) -> impl Iterator<Item = &'static Row> {
    frontend.table().rows.iter().enumerate().filter(|&(i, _)| in_part(i)).map(|(_, row)| row)
}

/// How many calls were compared, and those whose results differ.
type Compared = ivy_core::Result<(usize, Vec<String>)>;

/// What a result is, for comparison: dtype, shape and bytes as text; of a failure that it is one.
fn told(result: ivy_core::Result<Array>) -> String {
    let bytes = |array: &Array| -> ivy_core::Result<Option<Vec<u8>>> {
        let host = reshape(array, [-1], ())?.to_host()?;
        Ok(host.view().contiguous_bytes().map(<[u8]>::to_vec))
    };
    match result {
        Ok(array) => {
            format!("{} {} {array} {:x?}", array.dtype(), array.shape(), bytes(&array).ok().flatten())
        }
        Err(error) => error.to_string(),
    }
}

/// Host values that arguments may be, as bindings give them to calls that are specialised, and as values.
fn host_values() -> Vec<(Argument<'static>, Value<'static>)> {
    let number = |scalar: Scalar| (Argument::Number(scalar), Value::from(scalar));
    let ints = |all: &[i64]| {
        let values = all.iter().map(|i| Value::from(*i)).collect();
        (Argument::Value(HostValue::Ints(all.into())), Value::Tuple(values))
    };
    let mut all: Vec<_> = [-1, 0, 1, 2, 300].map(|i| number(Scalar::Int(i))).into();
    all.extend([0.5, -2.0, 0.0, -0.0].map(|x| number(Scalar::Float(x))));
    all.extend([true, false].map(|b| (Argument::Value(HostValue::Bool(b)), Value::Bool(b))));
    all.push((Argument::Value(HostValue::None), Value::None));
    all.extend([ints(&[]), ints(&[0]), ints(&[1, 0])]);
    all
}

/// Results by both paths, beside each other.
struct Comparison {
    frontend: &'static Frontend,
    count: usize,
    different: Vec<String>,
}

impl Comparison {
    /// Compares a result, if there is one, with what is evaluated.
    fn compare(
        &mut self,
        entry: &'static Entry,
        direct: Option<Array>,
        positional: &[Value<'_>],
        keyword: Option<(&str, &Value<'_>)>,
    ) {
        let Some(direct) = direct else { return };
        let evaluated = || {
            let positional = positional.iter().map(Value::borrowed).collect();
            let keywords =
                keyword.iter().fold(Keywords::new(), |all, (name, value)| all.with(name, value.borrowed()));
            match self.frontend.call_entry(entry, positional, keywords) {
                Ok(Value::Array(array)) => told(Ok(array.into_owned())),
                Ok(other) => other.told(),
                Err(error) => told(Err(error)),
            }
        };
        let (got, want) = (told(Ok(direct)), evaluated());
        // What is drawn at random is another one each time.
        if got != want && (0..16).all(|_| want == evaluated()) {
            let given: Vec<_> = positional.iter().chain(keyword.map(|k| k.1)).map(Value::told).collect();
            let name = keyword.map_or("", |keyword| keyword.0);
            self.different.push(format!(
                "{}({}, {name}): {got}, and not {want}",
                entry.path,
                given.join(", ")
            ));
        }
        self.count += 1;
    }
}

/// How many calls of a frontend's rows are one call of the core on one or two arrays, and those whose result is another one
/// when they are evaluated.
///
/// # Errors
/// Where the operands cannot be made.
fn direct_calls(frontend: &'static Frontend, backend: &BackendRef) -> Compared {
    ivy_core::context::with(&Context::new().backend(backend), || {
        let operands = operands()?;
        let mut comparison = Comparison { frontend, count: 0, different: Vec::new() };
        for row in taken(frontend) {
            let entry = frontend.find(&row.path)?;
            for x in &operands {
                comparison.compare(entry, frontend.call_arrays(entry, [x]), &[x.into()], None);
                for y in operands.iter().filter(|y| y.dtype() == x.dtype() || y.shape() == x.shape()) {
                    let direct = frontend.call_arrays(entry, [x, y]);
                    comparison.compare(entry, direct, &[x.into(), y.into()], None);
                }
            }
        }
        Ok((comparison.count, comparison.different))
    })
}

/// Likewise of an array and a host value, or of two arrays and one.
///
/// # Errors
/// Where the operands cannot be made.
fn specialised_calls(frontend: &'static Frontend, backend: &BackendRef) -> Compared {
    ivy_core::context::with(&Context::new().backend(backend), || {
        let (operands, hosts) = (operands()?, host_values());
        let mut comparison = Comparison { frontend, count: 0, different: Vec::new() };
        for row in taken(frontend) {
            let entry = frontend.find(&row.path)?;
            for (at, parameter) in entry.row.signature.parameters.iter().enumerate() {
                // What is kept of calls is little: later values than the first are of rows that have not been called yet.
                let hosts = hosts.iter().cycle().skip(3 * at).take(hosts.len());
                for ((argument, value), x) in
                    hosts.flat_map(|host| operands.iter().step_by(4).map(move |x| (host, x)))
                {
                    // A host value before an array, as operators have it that stand behind a number.
                    if at == 1 && parameter.given != Given::ByName {
                        let arguments = [(0, argument.clone()), (1, Argument::Array(x))];
                        let direct = frontend.call_specialised(entry, &arguments);
                        comparison.compare(entry, direct, &[value.borrowed(), x.into()], None);
                    }
                    for arrays in [vec![x], vec![x, x]].into_iter().filter(|arrays| arrays.len() <= at) {
                        let mut arguments: Vec<_> =
                            arrays.iter().map(|x| Argument::Array(x)).enumerate().collect();
                        arguments.push((at, argument.clone()));
                        let mut positional: Vec<Value<'_>> = arrays.iter().map(|x| Value::from(*x)).collect();
                        let keyword = match parameter.given {
                            Given::Either | Given::ByName => Some((parameter.name.as_str(), value)),
                            _ if at == arrays.len() => {
                                positional.push(value.clone());
                                None
                            }
                            _ => continue,
                        };
                        let direct = frontend.call_specialised(entry, &arguments);
                        comparison.compare(entry, direct, &positional, keyword);
                    }
                }
            }
        }
        Ok((comparison.count, comparison.different))
    })
}

/// Likewise of a list of arrays, alone and with an integer, and of three arrays.
///
/// # Errors
/// Where the operands cannot be made.
fn list_calls(frontend: &'static Frontend, backend: &BackendRef) -> Compared {
    ivy_core::context::with(&Context::new().backend(backend), || {
        let operands = operands()?;
        let mut comparison = Comparison { frontend, count: 0, different: Vec::new() };
        for row in &frontend.table().rows {
            let entry = frontend.find(&row.path)?;
            let pairs = operands.iter().zip(operands.iter().skip(1).chain(&operands)).enumerate();
            for (_, (x, y)) in pairs.filter(|&(i, _)| in_part(i)) {
                let alike = (1..=8).flat_map(|count| [vec![x; count], vec![y; count]]);
                for list in alike.chain([vec![x, y], vec![x, y, x]]) {
                    let value = Value::List(list.iter().map(|x| Value::from(*x)).collect());
                    let arrays = (0, Argument::Arrays(list.into_iter().collect()));
                    let direct = frontend.call_specialised(entry, std::slice::from_ref(&arrays));
                    comparison.compare(entry, direct, &[value.borrowed()], None);
                    for at in [-3, -2, -1, 0, 1, 2] {
                        let arguments = [arrays.clone(), (1, Argument::Number(Scalar::Int(at)))];
                        let direct = frontend.call_specialised(entry, &arguments);
                        comparison.compare(entry, direct, &[value.borrowed(), Value::Int(at)], None);
                    }
                }
                for three in [[x, x, x], [x, x, y], [x, y, x]] {
                    let arguments = [0, 1, 2].map(|at| (at, Argument::Array(three[at])));
                    let direct = frontend.call_specialised(entry, &arguments);
                    comparison.compare(entry, direct, &three.map(Value::from), None);
                }
            }
        }
        Ok((comparison.count, comparison.different))
    })
}

/// Likewise of host values alone.
///
/// # Errors
/// Where the frontend lacks a row of its table.
fn host_calls(frontend: &'static Frontend, backend: &BackendRef) -> Compared {
    ivy_core::context::with(&Context::new().backend(backend), || {
        let mut comparison = Comparison { frontend, count: 0, different: Vec::new() };
        for row in &frontend.table().rows {
            let entry = frontend.find(&row.path)?;
            let by_position = |p: &Parameter| matches!(p.given, Given::ByPosition | Given::Either);
            for count in (1..=2).filter(|&n| {
                entry.row.signature.parameters.iter().take(n).filter(|p| by_position(p)).count() == n
            }) {
                for (argument, value) in host_values() {
                    let arguments: Vec<_> = (0..count).map(|at| (at, argument.clone())).collect();
                    let values: Vec<_> = arguments.iter().map(|_| value.borrowed()).collect();
                    comparison.compare(entry, frontend.call_specialised(entry, &arguments), &values, None);
                }
            }
        }
        Ok((comparison.count, comparison.different))
    })
}

/// Holds the calls of a frontend's rows that are one call of the core to what their evaluation gives: on arrays, and on arrays and
/// host values. Host values alone and lists are another test's ([`check_host_calls`]), since rows keep few specialised forms.
///
/// # Panics
/// Where a result is another one, or there are fewer calls than a frontend has.
pub fn check_direct_calls(frontend: &'static Frontend) {
    check(direct_calls, frontend, 1000);
    check(specialised_calls, frontend, 1000);
}

/// Likewise of calls of host values alone, of lists of arrays and of three arrays.
///
/// # Panics
/// As [`check_direct_calls`].
pub fn check_host_calls(frontend: &'static Frontend) {
    check(list_calls, frontend, 100);
    check(host_calls, frontend, 100);
}

fn check(calls: fn(&'static Frontend, &BackendRef) -> Compared, frontend: &'static Frontend, whole: u32) {
    let backend = ivy_core::backend::backend("ndarray").expect("the reference is there");
    let (count, different) = calls(frontend, &backend).expect("operands and rows are there");
    println!("{count} calls");
    assert!(different.is_empty() && count > least(whole) as usize, "{count} calls\n{}", different.join("\n"));
}
