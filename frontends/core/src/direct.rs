//! The short way: rows that are one call of the core for what is known of their arguments.

use crate::core_call::literal_parameter;
use crate::guards::{held, taken};
use crate::signatures::CoreResults;
use crate::specialised::Argument;
use crate::{Entry, Frontend, Value};
use ivy_core::context::enter_layer;
use ivy_core::function::{Body, ComputeRule, Function, OperandInfo, ParamValue, Params};
use ivy_core::{Array, Operand, Scalar, call, call_arrays, call_scalar};
use ivy_frontend_rows::{
    ArgumentKind, Builtin, Call, Callee, Expr, Facts, Given, Kind, Results, Row, Table, fold,
};
use smallvec::SmallVec;
use std::borrow::Cow;

/// What is known of an argument before a call.
#[derive(Clone, Debug)]
pub(crate) enum Known {
    /// The parameter has its default.
    Default,
    /// An argument of this kind.
    Kind(ArgumentKind),
    /// This value.
    Value(Expr),
}

/// Where an operand comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// The argument of this parameter: an array of one of these dtypes, a bit a dtype, or a number.
    Parameter(usize, u64),
    /// The arrays of this parameter.
    Arrays(usize),
    /// A number that the row has, or the call.
    Constant(Scalar),
    Absent,
}

impl Known {
    fn kind(&self) -> Option<ArgumentKind> {
        match self {
            Known::Kind(kind) => Some(*kind),
            _ => None,
        }
    }

    fn is_array(&self) -> bool {
        self.kind() == Some(ArgumentKind::Array)
    }
}

/// What a row comes to for arguments of which so much is known: one call of the core.
#[derive(Debug)]
pub(crate) struct Direct {
    function: &'static Function,
    operands: SmallVec<[Source; 4]>,
    /// One op on the first arguments in their order, without parameters.
    fixed: bool,
    /// One op without parameters.
    plain: bool,
    /// The parameters that the row sets.
    params: Box<dyn Params>,
}

impl Direct {
    /// The name of the function that it is.
    pub(crate) fn function(&self) -> &'static str {
        self.function.name
    }

    /// What a row comes to where its first arguments are arrays and all others have their defaults.
    pub(crate) fn of(frontend: &Frontend, table: &Table, row: &Row, body: &Expr) -> Option<Direct> {
        let of = |p| if is_needed(p) { Known::Kind(ArgumentKind::Array) } else { Known::Default };
        let known: SmallVec<[Known; 6]> = row.signature.parameters.iter().map(of).collect();
        let needed = known.iter().filter(|known| known.is_array()).count();
        let first = known[..needed].iter().all(Known::is_array);
        Direct::with(frontend, table, row, body, &known).filter(|direct| {
            // The operands are the arguments.
            let given = direct.operands.iter().take_while(|source| matches!(source, Source::Parameter(..)));
            first && given.count() == needed
        })
    }

    /// What a row comes to for arguments of which so much is known, by parameters.
    pub(crate) fn with(
        frontend: &Frontend,
        table: &Table,
        row: &Row,
        body: &Expr,
        known: &[Known],
    ) -> Option<Direct> {
        if !is_one(row) || !matches!(row.kind, Kind::Function | Kind::Method | Kind::Ufunc) {
            return None;
        }
        let parameters = &row.signature.parameters;
        let mut values = SmallVec::<[Option<Expr>; 6]>::new();
        for (known, parameter) in known.iter().zip(parameters) {
            values.push(match known {
                Known::Default if matches!(parameter.given, Given::Rest | Given::RestByName) => {
                    Some(Expr::Tuple(Vec::new()))
                }
                Known::Default => Some(parameter.default.as_ref()?.value.clone()),
                Known::Kind(_) => None,
                Known::Value(value) => Some(value.clone()),
            });
        }
        let kind = |at: usize| known.get(at).and_then(Known::kind);
        let facts = Facts { value: &|at| values[at].clone(), kind: &kind };
        // Of conditions on dtypes the first branch is taken, for the dtypes for which they hold.
        let (mut folded, mut guards) = (fold(body, facts), SmallVec::<[(usize, u64); 1]>::new());
        while let Expr::If { condition, then, .. } = folded {
            let mut arrays = (0..known.len()).filter(|&at| known[at].is_array());
            guards.push(arrays.find_map(|at| Some((at, held(frontend, &condition, at)?)))?);
            folded = *then;
        }
        let Expr::Call(mut called) = folded else { return None };
        let name = loop {
            called = match &called.callee {
                Callee::Core(name) => break name.clone(),
                Callee::Row(path) => inlined(table, path, &called, &kind)?,
                Callee::Builtin(Builtin::OrElse) => {
                    let Expr::Call(first) = called.positional.into_iter().next()? else { return None };
                    first
                }
                _ => return None,
            };
        };
        let core = crate::signatures::core_signature(&name)?;
        let function = core
            .function
            .filter(|f| f.outputs.len() == 1 && core.host.is_none() && core.results == CoreResults::One)?;
        let mut operands = SmallVec::from_elem(Source::Absent, function.operands.len());
        let mut params = (function.params)();
        let mut plain = true;
        if called.positional.len() > core.signature.parameters.len() {
            return None;
        }
        let by_position = core.signature.parameters.iter().zip(&called.positional);
        let by_position = by_position.map(|(parameter, e)| (parameter.name.as_str(), parameter.ignored, e));
        let by_name = called.named.iter().map(|named| (named.name.as_str(), false, &named.value));
        for (name, ignored, value) in by_position.chain(by_name) {
            if ignored {
                return None;
            }
            if let Some(at) = function.operands.iter().position(|operand| operand.name == name) {
                operands[at] = match value {
                    Expr::Parameter(place) if function.variadic => {
                        let is_list = kind(*place) == Some(ArgumentKind::Arrays);
                        is_list.then_some(Source::Arrays(*place))?
                    }
                    _ if function.variadic => return None,
                    value => source(frontend, function, at, value, known)?,
                };
                continue;
            }
            plain = false;
            match literal_parameter(value)? {
                ParamValue::None => {}
                // A dtype has the framework's names.
                _ if name == "dtype" => return None,
                given => params.set(function.name, name, given).ok()?,
            }
        }
        for (at, dtypes) in guards {
            let own = operands.iter_mut().find_map(|source| match source {
                Source::Parameter(place, known) if *place == at => Some(known),
                _ => None,
            });
            *own? &= dtypes;
        }
        let missing =
            |(info, source): (&OperandInfo, &Source)| !info.optional && matches!(source, Source::Absent);
        if function.operands.iter().zip(&operands).any(missing) {
            return None;
        }
        let in_order = |(i, source): (usize, &Source)| matches!(source, Source::Parameter(at, _) if *at == i && known[i].is_array());
        let plain = plain && matches!(function.body, Body::Fixed(_));
        let fixed = plain && operands.iter().enumerate().all(in_order);
        Some(Direct { function, operands, fixed, plain, params })
    }

    /// The result; `None` where it is to be evaluated, which has the errors. The arguments are those of the parameters, arrays
    /// and numbers.
    pub(crate) fn call<'a>(
        &self,
        entry: &Entry,
        argument: impl Fn(usize) -> Option<Argument<'a>>,
    ) -> Option<Array> {
        let mut operands = SmallVec::<[Operand<'_>; 4]>::new();
        for source in &self.operands {
            operands.push(match *source {
                Source::Absent => Operand::Absent,
                Source::Constant(number) => Operand::Scalar(number),
                Source::Arrays(at) => {
                    let Argument::Arrays(all) = argument(at)? else { return None };
                    operands.extend(all.iter().map(|array| Operand::Array(Cow::Borrowed(*array))));
                    continue;
                }
                Source::Parameter(at, dtypes) => match argument(at)? {
                    Argument::Array(array) if dtypes >> array.dtype().index() & 1 == 0 => return None,
                    Argument::Array(array) => Operand::Array(Cow::Borrowed(array)),
                    Argument::Number(number) => Operand::Scalar(number),
                    Argument::Value(_) | Argument::Arrays(_) => return None,
                },
            });
        }
        let _scope = enter_layer(entry.frontend.layer());
        let result = match &operands[..] {
            [Operand::Array(x), Operand::Scalar(y)] if self.plain => call_scalar(self.function, x, *y, false),
            [Operand::Scalar(x), Operand::Array(y)] if self.plain => call_scalar(self.function, y, *x, true),
            _ => call(self.function, &operands, self.params.as_ref())
                .map(|mut outputs| outputs.pop().expect("a function of one result gave one")),
        };
        result.ok().map(|x| entry.result(x))
    }
}

/// Where an operand of the core comes from, if it is an argument as it is, or a number.
fn source(
    frontend: &Frontend,
    function: &Function,
    operand: usize,
    value: &Expr,
    known: &[Known],
) -> Option<Source> {
    let info = &function.operands[operand];
    // Where the result is like the operand, numbers are weakly typed arrays in some rules.
    let numbers = function.compute != ComputeRule::LikeOperand && !info.role.keeps_scalars();
    match value {
        Expr::None if info.optional => return Some(Source::Absent),
        Expr::Int(i) if numbers => return Some(Source::Constant(Scalar::Int((*i).into()))),
        Expr::Float(x) if numbers => return Some(Source::Constant(Scalar::Float(*x))),
        Expr::Parameter(at)
            if matches!(known[*at].kind(), Some(ArgumentKind::Int | ArgumentKind::Number)) =>
        {
            return numbers.then_some(Source::Parameter(*at, u64::MAX));
        }
        _ => {}
    }
    let arrays = known.iter().enumerate().filter(|(_, known)| known.is_array());
    let found = arrays.filter_map(|(at, _)| Some(Source::Parameter(at, taken(frontend, value, at)?))).next();
    found.filter(|_| !info.role.keeps_scalars())
}

/// Whether an expression may come to one call of the core, whatever is known of the arguments: it has such a branch, whose
/// arguments are no calls.
pub(crate) fn may_be_direct(table: &Table, expr: &Expr) -> bool {
    match expr {
        Expr::If { then, otherwise, .. } => may_be_direct(table, then) || may_be_direct(table, otherwise),
        Expr::Call(call) => match &call.callee {
            Callee::Builtin(Builtin::OrElse) => {
                call.positional.first().is_some_and(|first| may_be_direct(table, first))
            }
            Callee::Core(_) | Callee::Row(_) => {
                let mut arguments = call.positional.iter().chain(call.named.iter().map(|named| &named.value));
                let body = match &call.callee {
                    Callee::Row(path) => table.resolve(path).and_then(|row| row.body.as_ref()),
                    _ => None,
                };
                arguments.all(may_be_plain) && body.is_none_or(|body| may_be_direct(table, body))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether an expression may come to an argument or a value that is written down.
fn may_be_plain(expr: &Expr) -> bool {
    match expr {
        Expr::Call(_) | Expr::Spread(_) | Expr::Item(..) | Expr::Arithmetic(..) => false,
        Expr::If { then, otherwise, .. } => may_be_plain(then) || may_be_plain(otherwise),
        Expr::And(a, b) | Expr::Or(a, b) => may_be_plain(a) || may_be_plain(b),
        Expr::Tuple(all) | Expr::List(all) => all.iter().all(may_be_plain),
        _ => true,
    }
}

/// The call that a row's body comes to for the arguments of a call of it.
fn inlined(
    table: &Table,
    path: &str,
    called: &Call,
    kind: &dyn Fn(usize) -> Option<ArgumentKind>,
) -> Option<Box<Call>> {
    let row = table.resolve(path)?;
    if !is_one(row) || !matches!(row.kind, Kind::Function | Kind::Method | Kind::Ufunc) {
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
    match fold(row.body.as_ref().filter(|_| !missing)?, Facts { value: &|at| values[at].clone(), kind }) {
        Expr::Call(call) => Some(call),
        _ => None,
    }
}

/// Whether a row whose body comes to a call of one result has that result.
pub(crate) fn is_one(row: &Row) -> bool {
    matches!(row.results, Results::One | Results::OneOrTuple)
}

fn is_needed(parameter: &ivy_frontend_rows::Parameter) -> bool {
    parameter.default.is_none() && matches!(parameter.given, Given::ByPosition | Given::Either)
}

/// The result of a call on arrays alone by the short way; `None` for all else.
#[inline]
pub(crate) fn call_direct<const N: usize>(
    entry: &'static Entry,
    arguments: &[Value<'_>; N],
) -> Option<Array> {
    let direct = entry.direct.as_ref()?;
    if !entry.is_there() {
        return None;
    }
    let array = |at: usize| match arguments.get(at) {
        Some(Value::Array(array)) => Some(array.as_ref()),
        _ => None,
    };
    if !direct.fixed {
        let needed = direct.operands.iter().filter(|source| matches!(source, Source::Parameter(..))).count();
        return if needed == N { direct.call(entry, |at| array(at).map(Argument::Array)) } else { None };
    }
    if direct.operands.len() != N {
        return None;
    }
    let mut arrays: [Option<&Array>; N] = [None; N];
    for (at, (to, source)) in arrays.iter_mut().zip(&direct.operands).enumerate() {
        let given = array(at)?;
        let Source::Parameter(_, dtypes) = source else { return None };
        if dtypes >> given.dtype().index() & 1 == 0 {
            return None;
        }
        *to = Some(given);
    }
    let arrays = arrays.map(|array| array.expect("each was an array"));
    let _scope = enter_layer(entry.frontend.layer());
    call_arrays(direct.function, arrays).ok().map(|x| entry.result(x))
}
