//! Calls of the core's functions: values as operands and parameters, arrays as values.

use crate::signatures::{CoreResults, CoreSignature, core_signature};
use crate::{ArrayLikes, Entry, Fault, Value, arrays, dtypes, refuse};
use ivy_core::function::{ComputeRule, Function, ParamValue, Params, Role};
use ivy_core::{Array, Error, ErrorKind, Operand, Result, Scalar, call_weak};
use ivy_frontend_rows::{Expr, Given};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::sync::PoisonError;

/// Calls a function: arguments by position in the order of its signature, operands and parameters by name.
pub(crate) fn call_core(
    entry: &'static Entry,
    name: &str,
    positional: &[Value<'_>],
    named: &[(&str, Value<'_>)],
) -> Result<Value<'static>> {
    let unknown = || Error::from(ErrorKind::UnknownFunction { name: name.into(), hint: None });
    let core = core_signature(name).ok_or_else(unknown)?;
    if let Some(host) = core.host {
        return host(entry, positional, named);
    }
    let function = core.function.ok_or_else(unknown)?;
    let typed = entry.frontend.version().rules.weak_types();
    let operands = SmallVec::new();
    let mut given = Assembly { entry, function, operands, weak: 0, typed, params: (function.params)() };
    given.take(core, positional, named)?;
    let (outputs, weak) = call_weak(function, &given.operands, given.params.as_ref(), given.weak)?;
    let single = outputs.len() == 1;
    let weak = |i: usize| if keeps(function) { given.weak >> i.min(63) & 1 == 1 } else { weak && typed };
    let each = |(i, array): (usize, Array)| arrays::typed_like(array, weak(i));
    let mut values = outputs.into_iter().enumerate().map(each);
    Ok(match core.results {
        CoreResults::One => values.next().unwrap_or(Value::None),
        CoreResults::OneOrTuple if single => values.next().unwrap_or(Value::None),
        _ => Value::Tuple(values.collect()),
    })
}

/// Whether a function gives a list of arrays, each of the dtype of one of those that it takes.
fn keeps(function: &Function) -> bool {
    function.variadic && function.operand(0).role == Role::Kept
}

/// What is given to a function, as it is put together.
struct Assembly<'a> {
    entry: &'static Entry,
    function: &'static Function,
    operands: SmallVec<[Operand<'a>; 4]>,
    /// Which operands are weakly typed, by bits.
    weak: u64,
    /// Whether the frontend's rules know weakly typed arrays.
    typed: bool,
    params: Box<dyn Params>,
}

impl<'a> Assembly<'a> {
    fn take(
        &mut self,
        core: &CoreSignature,
        positional: &'a [Value<'_>],
        named: &'a [(&str, Value<'_>)],
    ) -> Result<()> {
        let function = self.function;
        if !function.variadic {
            self.operands.resize_with(function.operands.len(), || Operand::Absent);
        }
        let mut places = core.signature.parameters.iter().filter(|p| p.given != Given::RestByName);
        let mut list_taken = false;
        for value in positional {
            if function.variadic && !list_taken {
                // A list of arrays, or all the positions that are left.
                let rest = core.signature.parameters.iter().any(|p| p.given == Given::Rest);
                match value.items() {
                    Some(items) => self.extend(items)?,
                    None => self.extend(std::slice::from_ref(value))?,
                }
                if !rest {
                    list_taken = true;
                    places.next();
                }
                continue;
            }
            let Some(place) = places.next() else {
                let rule = format!("{} takes {}", core.name, core.signature.text);
                return Err(refuse(self.entry, Fault::Type, "", None, rule));
            };
            if !place.ignored {
                self.put(&place.name, value)?;
            }
        }
        let ignored = |name: &str| core.signature.parameters.iter().any(|p| p.ignored && p.name == name);
        named
            .iter()
            .filter(|(name, _)| !ignored(name))
            .try_for_each(|(name, value)| self.put(name, value))?;
        Ok(())
    }

    fn extend(&mut self, items: &'a [Value<'_>]) -> Result<()> {
        for item in items {
            let at = self.operands.len();
            let operand = self.operand(at, self.function.operands[0].name, item)?;
            self.operands.push(operand);
        }
        Ok(())
    }

    /// The operand of place `at`.
    fn operand(&mut self, at: usize, name: &'static str, value: &'a Value<'_>) -> Result<Operand<'a>> {
        // Where a result is like the operand, a host number is what it becomes: a weakly typed array.
        let like = at == 0 && self.function.compute == ComputeRule::LikeOperand || keeps(self.function);
        let weak = matches!(value, Value::Weak(_))
            || self.typed && like && arrays::is_weak(self.entry.frontend, value);
        self.weak |= u64::from(weak) << at.min(63);
        let is_value = self.function.operands[at.min(self.function.operands.len() - 1)].role.keeps_scalars();
        Ok(match value {
            // Where a host scalar is needed, an array without axes is its number.
            Value::Array(array) | Value::Weak(array) if is_value && array.ndim() == 0 => {
                Operand::Scalar(array.to_scalar()?)
            }
            Value::Array(array) | Value::Weak(array) => Operand::Array(Cow::Borrowed(array)),
            Value::None => Operand::Absent,
            other => match other.as_scalar() {
                Some(scalar) if !weak => Operand::Scalar(scalar),
                Some(_) => {
                    let likes = ArrayLikes::Numbers;
                    Operand::Array(Cow::Owned(arrays::array(self.entry, name, other, None, likes)?))
                }
                None => {
                    let likes = self.entry.frontend.array_likes();
                    Operand::Array(Cow::Owned(arrays::array(self.entry, name, other, None, likes)?))
                }
            },
        })
    }

    fn put(&mut self, name: &str, value: &'a Value<'_>) -> Result<()> {
        let function = self.function;
        if let Some(at) = function.operands.iter().position(|o| o.name == name) {
            if function.variadic {
                return match value.items() {
                    Some(items) => self.extend(items),
                    None => self.extend(std::slice::from_ref(value)),
                };
            }
            self.operands[at] = self.operand(at, function.operands[at].name, value)?;
            return Ok(());
        }
        let given = match parameter(self.entry, name, value)? {
            // What is not given has its default.
            ParamValue::None => return Ok(()),
            given => given,
        };
        let Err(error) = self.params.set(function.name, name, given.clone()) else { return Ok(()) };
        // A number where any host scalar is taken.
        let scalar = match given {
            ParamValue::Int(i) => Some(Scalar::Int(i.into())),
            ParamValue::Float(x) => Some(x.into()),
            // A text may be none of those that are known.
            ParamValue::Text(_) => return Err(error),
            _ => None,
        };
        match scalar.map(|scalar| self.params.set(function.name, name, ParamValue::Scalar(scalar))) {
            Some(Ok(())) => Ok(()),
            _ => Err(wrong_type(self.entry, value, error)),
        }
    }
}

/// The error of a value that a parameter cannot be made of.
fn wrong_type(entry: &'static Entry, value: &Value<'_>, error: Error) -> Error {
    match error.kind() {
        ErrorKind::InvalidArgument { argument, rule, .. } => {
            refuse(entry, Fault::Type, argument, Some(value), *rule)
        }
        _ => error,
    }
}

/// A parameter's value.
fn parameter(entry: &'static Entry, name: &str, value: &Value<'_>) -> Result<ParamValue> {
    if matches!(name, "dtype") && !value.is_none() {
        return dtypes::dtype_of(entry, name, value).map(ParamValue::Dtype);
    }
    if let Some(array) = value.as_array() {
        if array.ndim() == 0 {
            return match array.to_scalar() {
                Ok(scalar) => Ok(scalar_parameter(scalar)),
                // One that a derivative is taken by is handed over as it is; the core says which of its parameters take it.
                Err(error) if matches!(error.kind(), ErrorKind::TracedRead { .. }) => {
                    Ok(ParamValue::Array(array.clone()))
                }
                Err(error) => Err(error),
            };
        }
        if let Some(integers) = arrays::integers(value)? {
            return Ok(ParamValue::Ints(integers));
        }
    }
    parameter_of(value).ok_or_else(|| {
        let rule = match value.items() {
            Some(_) => "numbers, or lists of numbers, are needed".into(),
            None => format!("{} is not taken here", value.kind()),
        };
        refuse(entry, Fault::Type, name, Some(value), rule)
    })
}

fn scalar_parameter(scalar: Scalar) -> ParamValue {
    match scalar {
        Scalar::Bool(b) => ParamValue::Bool(b),
        Scalar::Int(i) => i64::try_from(i).map_or(ParamValue::Scalar(scalar), ParamValue::Int),
        Scalar::Float(x) => ParamValue::Float(x),
        other => ParamValue::Scalar(other),
    }
}

/// A host value as a parameter's.
fn parameter_of(value: &Value<'_>) -> Option<ParamValue> {
    Some(match value {
        Value::None => ParamValue::None,
        Value::Text(text) => ParamValue::Text(text.to_string()),
        Value::Dtype(dtype) => ParamValue::Dtype(*dtype),
        Value::Tuple(items) | Value::List(items) => sequence(items)?,
        Value::Generator(generator) => {
            let seed = generator.lock().unwrap_or_else(PoisonError::into_inner).draw();
            ParamValue::Ints(vec![seed.key as i64, seed.counter as i64])
        }
        Value::Dict(entries) => {
            let entry = |(name, value): &(String, Value<'_>)| match value {
                Value::Int(i) => Some((name.clone(), i64::try_from(*i).ok()?)),
                _ => None,
            };
            ParamValue::Named(entries.iter().map(entry).collect::<Option<_>>()?)
        }
        other => scalar_parameter(other.as_scalar()?),
    })
}

/// Numbers, or lists of numbers; arrays without axes are numbers.
fn sequence(items: &[Value<'_>]) -> Option<ParamValue> {
    let number = |item: &Value<'_>| match item {
        Value::Array(array) | Value::Weak(array) if array.ndim() == 0 => array.to_scalar().ok(),
        other => other.as_scalar(),
    };
    let numbers = |items: &[Value<'_>]| items.iter().map(number).collect::<Option<Vec<Scalar>>>();
    // Integers where all are some that fit.
    let integers = |list: &[Scalar]| -> Option<Vec<i64>> {
        let of = |scalar: &Scalar| match scalar {
            Scalar::Int(i) => i64::try_from(*i).ok(),
            _ => None,
        };
        list.iter().map(of).collect()
    };
    if !items.is_empty() && items.iter().all(|item| item.items().is_some()) {
        let lists: Vec<Vec<Scalar>> =
            items.iter().filter_map(Value::items).map(numbers).collect::<Option<_>>()?;
        let whole: Option<_> = lists.iter().map(|list| integers(list)).collect();
        return Some(whole.map_or_else(|| ParamValue::ScalarLists(lists), ParamValue::IntLists));
    }
    let list = numbers(items)?;
    Some(integers(&list).map_or_else(|| ParamValue::Scalars(list), ParamValue::Ints))
}

/// A literal as a parameter's value, where it is one in every frontend.
pub(crate) fn literal_parameter(expr: &Expr) -> Option<ParamValue> {
    let literals = |list: &[Expr]| list.iter().map(host_literal).collect::<Option<Vec<_>>>();
    match expr {
        Expr::List(list) | Expr::Tuple(list) => sequence(&literals(list)?),
        other => parameter_of(&host_literal(other)?),
    }
}

fn host_literal(expr: &Expr) -> Option<Value<'static>> {
    Some(match expr {
        Expr::None => Value::None,
        Expr::Bool(b) => Value::Bool(*b),
        Expr::Int(i) => Value::from(*i),
        Expr::Float(x) => Value::Float(*x),
        Expr::Text(text) => Value::from(text.clone()),
        _ => return None,
    })
}
