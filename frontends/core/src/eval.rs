//! Bodies of rows over values.

use crate::core_call::call_core;
use crate::signatures::core_signature;
use crate::{Call, Entry, Fault, Keywords, Value, builtins, dtypes, names, refuse};
use ivy_core::{ErrorKind, Result, Scalar};
use ivy_frontend_rows::{self as rows, ArithmeticOp, Builtin, Callee, CompareOp, Expr};
use std::cmp::Ordering;

/// The evaluation of one call's body.
pub(crate) struct Evaluation<'v> {
    entry: &'static Entry,
    arguments: &'v [Option<Value<'v>>],
}

impl<'v> Evaluation<'v> {
    pub(crate) fn new(entry: &'static Entry, arguments: &'v [Option<Value<'v>>]) -> Evaluation<'v> {
        Evaluation { entry, arguments }
    }

    /// The value of the row's body.
    pub(crate) fn run(&self) -> Result<Value<'static>> {
        self.eval(&self.entry.body).map(Value::into_owned)
    }

    fn argument(&self, place: usize) -> Value<'v> {
        match (&self.arguments[place], &self.entry.defaults[place]) {
            (Some(value), _) => value.borrowed(),
            (None, Some(default)) => default.borrowed(),
            (None, None) => Value::None,
        }
    }

    fn eval(&self, expr: &'static Expr) -> Result<Value<'v>> {
        Ok(match expr {
            Expr::Parameter(place) => self.argument(*place),
            Expr::List(list) => Value::List(self.all(list)?),
            Expr::Tuple(list) => Value::Tuple(self.all(list)?),
            Expr::Call(call) => return self.call(call),
            Expr::If { condition, then, otherwise } => {
                return self.eval(if self.holds(condition)? { then } else { otherwise });
            }
            Expr::IsNone(e, positive) => Value::Bool(self.eval(e)?.is_none() == *positive),
            Expr::Compare(op, a, b) => {
                Value::Bool(self.compare(*op, [a, b], &self.eval(a)?, &self.eval(b)?)?)
            }
            Expr::In(a, b, positive) => {
                Value::Bool(self.contains(b, &self.eval(b)?, &self.eval(a)?)? == *positive)
            }
            Expr::And(a, b) => {
                let left = self.eval(a)?;
                return if self.truth(a, &left)? { self.eval(b) } else { Ok(left) };
            }
            Expr::Or(a, b) => {
                let left = self.eval(a)?;
                return if self.truth(a, &left)? { Ok(left) } else { self.eval(b) };
            }
            Expr::Not(e) => Value::Bool(!self.holds(e)?),
            Expr::Negate(e) => match self.eval(e)? {
                array @ (Value::Array(_) | Value::Weak(_)) => {
                    call_core(self.entry, "negative", &[array], &[])?
                }
                Value::Bool(b) => Value::Int(-i128::from(b)),
                Value::Int(i) => Value::Int(-i),
                Value::Float(x) => Value::Float(-x),
                Value::Complex(z) => Value::Complex(-z),
                other => return Err(refuse(self.entry, Fault::Type, self.name(e), Some(&other), NUMBER)),
            },
            Expr::Arithmetic(op, a, b) => {
                return self.arithmetic(*op, [a, b], self.eval(a)?, self.eval(b)?);
            }
            Expr::Item(value, index) => {
                return self.item([value, index], self.eval(value)?, self.eval(index)?);
            }
            // Spread entries are taken apart where they stand.
            Expr::Spread(e) => return self.eval(e),
            literal => dtypes::literal(self.entry.frontend, literal),
        })
    }

    fn holds(&self, expr: &'static Expr) -> Result<bool> {
        self.truth(expr, &self.eval(expr)?)
    }

    fn truth(&self, expr: &'static Expr, value: &Value<'_>) -> Result<bool> {
        truth(self.entry, || self.name(expr), value)
    }

    /// The name of the row's parameter that an expression hands on; nothing where it hands on none.
    fn name(&self, expr: &'static Expr) -> &'static str {
        names::of(self.entry, expr).unwrap_or_default()
    }

    /// The values of entries, those of spread ones each by itself.
    fn all(&self, list: &'static [Expr]) -> Result<Vec<Value<'v>>> {
        let mut values = Vec::with_capacity(list.len());
        for expr in list {
            match (expr, self.eval(expr)?) {
                (Expr::Spread(_), Value::Tuple(items) | Value::List(items)) => values.extend(items),
                (Expr::Spread(e), other) => {
                    let rule = "a tuple or list is needed";
                    return Err(refuse(self.entry, Fault::Type, self.name(e), Some(&other), rule));
                }
                (_, value) => values.push(value),
            }
        }
        Ok(values)
    }

    fn call(&self, call: &'static rows::Call) -> Result<Value<'v>> {
        if let (Callee::Builtin(Builtin::OrElse), [first, second]) = (&call.callee, &call.positional[..]) {
            return match self.eval(first) {
                Err(error) if matches!(error.kind(), ErrorKind::OutsideDomain { .. }) => self.eval(second),
                result => result,
            };
        }
        let positional = self.all(&call.positional)?;
        let named = call.named.iter().map(|n| Ok((n.name.as_str(), self.eval(&n.value)?)));
        let named = named.collect::<Result<Vec<_>>>()?;
        match &call.callee {
            Callee::Builtin(builtin) => builtins::run(self.entry, call, *builtin, positional),
            Callee::Core(name) => call_core(self.entry, name, &positional, &named).map_err(|error| {
                let core = core_signature(name).map(|core| &core.signature);
                error.with_argument(|theirs| names::of_callee(self.entry, call, core?, theirs))
            }),
            Callee::Row(path) => {
                let frontend = self.entry.frontend;
                let row = frontend.find(path)?;
                frontend.evaluate(row, positional, Keywords(named)).map_err(|error| {
                    error.with_argument(|theirs| {
                        names::of_callee(self.entry, call, &row.row.signature, theirs)
                    })
                })
            }
            Callee::Special(name) => match self.entry.frontend.special(name) {
                Some(special) => {
                    special(&mut Call::new(self.entry, call, positional, named)).map_err(|error| {
                        names::of_special(self.entry, call, |place| self.argument(place), error)
                    })
                }
                None => Err(self.entry.frontend.unknown(&format!("special.{name}"))),
            },
        }
    }

    fn compare(
        &self,
        op: CompareOp,
        exprs: [&'static Expr; 2],
        a: &Value<'_>,
        b: &Value<'_>,
    ) -> Result<bool> {
        let wrong = |side: usize, value: &Value<'_>| {
            refuse(self.entry, Fault::Type, self.name(exprs[side]), Some(value), "a host value is needed")
        };
        // An array without axes counts as its number.
        let (left, right) = (builtins::host(a)?, builtins::host(b)?);
        let (a, b) = (left.as_ref().unwrap_or(a), right.as_ref().unwrap_or(b));
        if let Some(side) = [a, b].iter().position(|v| v.as_array().is_some()) {
            return Err(wrong(side, [a, b][side]));
        }
        let order = || match (a, b) {
            (Value::Text(x), Value::Text(y)) => Ok(Some(x.cmp(y))),
            (Value::Tuple(x), Value::Tuple(y)) => Ok(self.order(x, y)),
            _ => match (a.as_scalar(), b.as_scalar()) {
                (Some(x), Some(y)) => Ok(number_order(x, y)),
                (None, _) => Err(wrong(0, a)),
                _ => Err(wrong(1, b)),
            },
        };
        Ok(match op {
            CompareOp::Equal => dtypes::equal(self.entry.frontend, a, b),
            CompareOp::NotEqual => !dtypes::equal(self.entry.frontend, a, b),
            CompareOp::Less => order()?.is_some_and(Ordering::is_lt),
            CompareOp::LessEqual => order()?.is_some_and(Ordering::is_le),
            CompareOp::Greater => order()?.is_some_and(Ordering::is_gt),
            CompareOp::GreaterEqual => order()?.is_some_and(Ordering::is_ge),
        })
    }

    fn order(&self, a: &[Value<'_>], b: &[Value<'_>]) -> Option<Ordering> {
        for (x, y) in a.iter().zip(b) {
            match number_order(x.as_scalar()?, y.as_scalar()?)? {
                Ordering::Equal => {}
                other => return Some(other),
            }
        }
        Some(a.len().cmp(&b.len()))
    }

    fn contains(&self, expr: &'static Expr, whole: &Value<'_>, part: &Value<'_>) -> Result<bool> {
        match (whole, part) {
            (Value::Text(whole), Value::Text(part)) => Ok(whole.contains(part.as_ref())),
            (Value::Dict(entries), Value::Text(name)) => Ok(entries.iter().any(|(k, _)| k == name)),
            _ => match whole.items() {
                Some(items) => Ok(items.iter().any(|item| dtypes::equal(self.entry.frontend, item, part))),
                None => {
                    let rule = "a tuple, list or text is needed";
                    Err(refuse(self.entry, Fault::Type, self.name(expr), Some(whole), rule))
                }
            },
        }
    }

    fn arithmetic(
        &self,
        op: ArithmeticOp,
        exprs: [&'static Expr; 2],
        a: Value<'v>,
        b: Value<'v>,
    ) -> Result<Value<'v>> {
        if a.as_array().is_some() || b.as_array().is_some() {
            let function = match op {
                ArithmeticOp::Add => "add",
                ArithmeticOp::Subtract => "subtract",
                ArithmeticOp::Multiply => "multiply",
                ArithmeticOp::Divide => "divide",
                ArithmeticOp::FloorDivide => "floor_divide",
                ArithmeticOp::Remainder => "remainder",
                ArithmeticOp::Power => "pow",
            };
            return call_core(self.entry, function, &[a, b], &[]).map_err(|error| {
                error.with_argument(|theirs| names::of(self.entry, exprs[usize::from(theirs == "x2")]))
            });
        }
        match (op, a, b) {
            (ArithmeticOp::Add, Value::Tuple(a), Value::Tuple(b)) => {
                Ok(Value::Tuple(a.into_iter().chain(b).collect()))
            }
            (ArithmeticOp::Add, Value::List(a), Value::List(b)) => {
                Ok(Value::List(a.into_iter().chain(b).collect()))
            }
            (ArithmeticOp::Add, Value::Text(a), Value::Text(b)) => {
                Ok(Value::Text(std::borrow::Cow::Owned(format!("{a}{b}"))))
            }
            (ArithmeticOp::Multiply, Value::Tuple(a), Value::Int(n)) => Ok(Value::Tuple(repeated(&a, n))),
            (ArithmeticOp::Multiply, Value::List(a), Value::Int(n)) => Ok(Value::List(repeated(&a, n))),
            (op, a, b) => match (a.as_scalar(), b.as_scalar()) {
                (Some(x), Some(y)) => number(op, x, y).ok_or_else(|| {
                    refuse(
                        self.entry,
                        Fault::Value,
                        self.name(exprs[1]),
                        Some(&b),
                        "the number has no result here",
                    )
                }),
                (None, _) => Err(refuse(self.entry, Fault::Type, self.name(exprs[0]), Some(&a), NUMBER)),
                _ => Err(refuse(self.entry, Fault::Type, self.name(exprs[1]), Some(&b), NUMBER)),
            },
        }
    }

    fn item(&self, exprs: [&'static Expr; 2], value: Value<'v>, index: Value<'v>) -> Result<Value<'v>> {
        if let (Value::Dict(entries), Value::Text(name)) = (&value, &index) {
            let found = entries.iter().find(|(k, _)| k == name).map(|(_, v)| v.clone());
            return Ok(found.unwrap_or(Value::None));
        }
        let part = || builtins::get_item(self.entry, exprs.map(|expr| self.name(expr)), &value, &index);
        let Value::Int(at) = index else { return part() };
        let entry = |items: &[Value<'v>]| {
            let length = items.len() as i128;
            let place = usize::try_from(if at < 0 { at + length } else { at });
            place.ok().and_then(|place| items.get(place).cloned()).ok_or_else(|| {
                let rule = format!("there are {length} entries");
                refuse(
                    self.entry,
                    Fault::Index,
                    self.name(exprs[0]),
                    None,
                    format!("entry {at} is needed, {rule}"),
                )
            })
        };
        match &value {
            Value::Tuple(items) | Value::List(items) => entry(items),
            _ => part(),
        }
    }
}

const NUMBER: &str = "a number or an array is needed";

/// Python's truth of an argument's value.
pub(crate) fn truth<'n>(
    entry: &Entry,
    argument: impl FnOnce() -> &'n str,
    value: &Value<'_>,
) -> Result<bool> {
    Ok(match value {
        Value::None => false,
        Value::Text(text) => !text.is_empty(),
        Value::Tuple(items) | Value::List(items) => !items.is_empty(),
        Value::Dict(entries) => !entries.is_empty(),
        Value::Array(array) | Value::Weak(array) if array.size() == 1 => array.to_scalar()?.to_bool(),
        Value::Array(array) | Value::Weak(array) => {
            let rule = format!("the truth of {} elements is ambiguous", array.size());
            return Err(refuse(entry, Fault::Value, argument(), Some(value), rule));
        }
        Value::Dtype(_) | Value::Slice { .. } | Value::Ellipsis | Value::Generator(_) => true,
        other => other.as_scalar().is_some_and(Scalar::to_bool),
    })
}

fn repeated<'v>(items: &[Value<'v>], times: i128) -> Vec<Value<'v>> {
    (0..times.max(0)).flat_map(|_| items.iter().cloned()).collect()
}

pub(crate) fn number_order(a: Scalar, b: Scalar) -> Option<Ordering> {
    match (a, b) {
        (Scalar::Complex(_), _) | (_, Scalar::Complex(_)) => None,
        (Scalar::Float(_), _) | (_, Scalar::Float(_)) => a.to_f64().partial_cmp(&b.to_f64()),
        _ => Some(a.to_i128().cmp(&b.to_i128())),
    }
}

/// Host arithmetic, as Python has it; `None` for a division by zero and what is beyond 128 bits.
fn number(op: ArithmeticOp, a: Scalar, b: Scalar) -> Option<Value<'static>> {
    if let (Scalar::Complex(_), _) | (_, Scalar::Complex(_)) = (a, b) {
        let (x, y) = (a.to_complex(), b.to_complex());
        return Some(Value::Complex(match op {
            ArithmeticOp::Add => x + y,
            ArithmeticOp::Subtract => x - y,
            ArithmeticOp::Multiply => x * y,
            ArithmeticOp::Divide => x / y,
            ArithmeticOp::Power => x.powc(y),
            ArithmeticOp::FloorDivide | ArithmeticOp::Remainder => return None,
        }));
    }
    let real = matches!(a, Scalar::Float(_)) || matches!(b, Scalar::Float(_));
    let (x, y) = (a.to_f64(), b.to_f64());
    if op == ArithmeticOp::Divide {
        return (y != 0.0).then(|| Value::Float(x / y));
    }
    if real {
        let floor = || (y != 0.0).then(|| (x / y).floor());
        return Some(Value::Float(match op {
            ArithmeticOp::Add => x + y,
            ArithmeticOp::Subtract => x - y,
            ArithmeticOp::Multiply => x * y,
            ArithmeticOp::FloorDivide => floor()?,
            ArithmeticOp::Remainder => x - floor()? * y,
            ArithmeticOp::Power | ArithmeticOp::Divide => x.powf(y),
        }));
    }
    let (i, j) = (a.to_i128(), b.to_i128());
    let floor = || {
        let quotient = i.checked_div(j)?;
        Some(if i % j != 0 && (i < 0) != (j < 0) { quotient - 1 } else { quotient })
    };
    Some(match op {
        ArithmeticOp::Add => Value::Int(i.checked_add(j)?),
        ArithmeticOp::Subtract => Value::Int(i.checked_sub(j)?),
        ArithmeticOp::Multiply => Value::Int(i.checked_mul(j)?),
        ArithmeticOp::FloorDivide | ArithmeticOp::Divide => Value::Int(floor()?),
        ArithmeticOp::Remainder => Value::Int(i - floor()? * j),
        ArithmeticOp::Power if j < 0 => Value::Float(x.powf(y)),
        ArithmeticOp::Power => Value::Int(i.checked_pow(u32::try_from(j).ok()?)?),
    })
}
