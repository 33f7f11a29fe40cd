//! The short way: rows that are one call of the core on their first arguments.

use crate::guards::taken;
use crate::{Entry, Frontend, Value};
use ivy_core::context::enter_layer;
use ivy_core::function::{Body, Function, Params};
use ivy_core::{Array, ErrorKind, Operand, Result, call, call_arrays};
use ivy_frontend_rows::{Builtin, Call, Callee, Default, Expr, Given, Kind, Results, Row, Table, fold};
use smallvec::SmallVec;
use std::borrow::Cow;

/// What a row comes to where its first arguments are arrays and all others have their defaults.
#[derive(Debug)]
pub(crate) struct Direct {
    function: &'static Function,
    /// How many arguments, which are the operands in their order.
    operands: usize,
    /// For each of them the dtypes that the short way is for, a bit a dtype.
    dtypes: SmallVec<[u64; 4]>,
    /// One op, without parameters.
    fixed: bool,
    /// Whether the row says what to do where the function is not defined for a dtype.
    falls_back: bool,
    /// The parameters that the row sets.
    params: Box<dyn Params>,
}

impl Direct {
    /// The name of the function that it is.
    pub(crate) fn function(&self) -> &'static str {
        self.function.name
    }

    /// The short way of a row, if it has one.
    pub(crate) fn of(frontend: &Frontend, table: &Table, row: &Row, body: &Expr) -> Option<Direct> {
        if row.results != Results::One || !matches!(row.kind, Kind::Function | Kind::Method | Kind::Ufunc) {
            return None;
        }
        let parameters = &row.signature.parameters;
        let operands = parameters.iter().take_while(|p| is_needed(p)).count();
        let rest = &parameters[operands..];
        if rest.iter().any(|p| p.default.is_none()) {
            return None;
        }
        let known = |at: usize| parameters[at].default.as_ref().map(|d: &Default| d.value.clone());
        let Expr::Call(mut called) = fold(body, &|at| if at < operands { None } else { known(at) }) else {
            return None;
        };
        let mut falls_back = false;
        let name = loop {
            called = match &called.callee {
                Callee::Core(name) => break name.clone(),
                Callee::Row(path) => inlined(table, path, &called)?,
                Callee::Builtin(Builtin::OrElse) if !falls_back => {
                    falls_back = true;
                    let Expr::Call(first) = called.positional.into_iter().next()? else { return None };
                    first
                }
                _ => return None,
            };
        };
        let core = crate::signatures::core_signature(&name)?;
        let function = core.function?;
        let places = core.signature.parameters.iter().zip(function.operands).take(operands);
        // Parameters may have places among the operands.
        if called.positional.len() != operands || places.filter(|(p, o)| p.name == o.name).count() != operands
        {
            return None;
        }
        let each = called.positional.iter().enumerate();
        let dtypes = each.map(|(at, e)| taken(frontend, e, at)).collect::<Option<_>>()?;
        if function.variadic || function.operands.len() < operands || function.outputs.len() != 1 {
            return None;
        }
        if function.operands[operands..].iter().any(|o| !o.optional) {
            return None;
        }
        let mut params = (function.params)();
        for named in &called.named {
            let value = crate::core_call::literal_parameter(&named.value)?;
            if !matches!(value, ivy_core::function::ParamValue::None) {
                params.set(function.name, &named.name, value).ok()?;
            }
        }
        let fixed = matches!(function.body, Body::Fixed(_))
            && called.named.is_empty()
            && function.operands.len() == operands;
        Some(Direct { function, operands, dtypes, fixed, falls_back, params })
    }
}

/// The call that a row's body comes to for the arguments of a call of it.
fn inlined(table: &Table, path: &str, called: &Call) -> Option<Box<Call>> {
    let row = table.resolve(path)?;
    if row.results != Results::One || !matches!(row.kind, Kind::Function | Kind::Method | Kind::Ufunc) {
        return None;
    }
    let parameters = &row.signature.parameters;
    let mut values: Vec<Option<Expr>> =
        parameters.iter().map(|p| p.default.as_ref().map(|default| default.value.clone())).collect();
    let by_position = called.positional.iter().enumerate();
    let by_name = called.named.iter().map(|named| Some((row.signature.position(&named.name)?, &named.value)));
    for given in by_position.map(Some).chain(by_name) {
        let (at, value) = given?;
        let is_plain =
            !matches!(value, Expr::Spread(_)) && row.mentions.get(at).is_some_and(|mentioned| *mentioned);
        if !is_plain || !matches!(parameters[at].given, Given::ByPosition | Given::Either | Given::ByName) {
            return None;
        }
        values[at] = Some(value.clone());
    }
    let missing = parameters
        .iter()
        .zip(&values)
        .any(|(p, value)| value.is_none() || matches!(p.given, Given::Rest | Given::RestByName));
    match fold(row.body.as_ref().filter(|_| !missing)?, &|at| values[at].clone()) {
        Expr::Call(call) => Some(call),
        _ => None,
    }
}

fn is_needed(parameter: &ivy_frontend_rows::Parameter) -> bool {
    parameter.default.is_none() && matches!(parameter.given, Given::ByPosition | Given::Either)
}

/// The result of a call on arrays alone by the short way; `None` for all else.
#[inline]
pub(crate) fn call_direct<const N: usize>(
    frontend: &'static Frontend,
    entry: &'static Entry,
    arguments: &[Value<'_>; N],
) -> Option<Result<Array>> {
    let direct = entry.direct.as_ref()?;
    if direct.operands != N || !entry.is_there() {
        return None;
    }
    let mut arrays: [Option<&Array>; N] = [None; N];
    for ((array, argument), dtypes) in arrays.iter_mut().zip(arguments).zip(&direct.dtypes) {
        let Value::Array(given) = argument else { return None };
        if dtypes >> given.dtype().index() & 1 == 0 {
            return None;
        }
        *array = Some(given);
    }
    let arrays = arrays.map(|array| array.expect("each was an array"));
    let _scope = enter_layer(frontend.layer());
    let result = match direct.fixed {
        true => call_arrays(direct.function, arrays),
        false => with_parameters(direct, &arrays),
    };
    match result {
        Err(error) if direct.falls_back && matches!(error.kind(), ErrorKind::OutsideDomain { .. }) => None,
        result => Some(result.map_err(|error| error.with_function(entry.function))),
    }
}

fn with_parameters(direct: &Direct, arrays: &[&Array]) -> Result<Array> {
    let given = arrays.iter().map(|array| Operand::Array(Cow::Borrowed(*array)));
    let mut operands: SmallVec<[Operand<'_>; 4]> = given.collect();
    operands.resize_with(direct.function.operands.len(), || Operand::Absent);
    let mut outputs = call(direct.function, &operands, direct.params.as_ref())?;
    Ok(outputs.pop().expect("a function of one result gave one"))
}
