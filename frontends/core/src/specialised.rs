//! Calls of a row specialised by what their arguments are: the body is folded once for arrays and numbers in these places and
//! these host values in the others, and what it comes to, one call of the core or nothing, is kept for later calls.

use crate::direct::{Direct, Known};
use crate::{Entry, Value};
use ivy_core::{Array, Scalar};
use ivy_frontend_rows::{ArgumentKind, Expr, Given};
use once_cell::sync::OnceCell;
use smallvec::SmallVec;

/// An argument of a call, as bindings give it to [`Frontend::call_specialised`](crate::Frontend::call_specialised).
#[derive(Clone, Debug)]
pub enum Argument<'a> {
    /// An array.
    Array(&'a Array),
    /// An integer, real or complex number of the host.
    Number(Scalar),
    /// A tuple or list of arrays, one at least.
    Arrays(Vec<&'a Array>),
    /// Another value of the host.
    Value(HostValue),
}

/// A value of the host that a call can be specialised by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostValue {
    /// Nothing.
    None,
    /// A truth value.
    Bool(bool),
    /// A tuple of integers.
    Ints(SmallVec<[i64; 4]>),
}

/// An argument in a place, for which a call was specialised.
#[derive(Debug, PartialEq)]
enum Slot {
    Array,
    Arrays,
    /// Any number of a kind: an integer or not.
    Number(bool),
    /// This number.
    Constant(Scalar),
    Value(HostValue),
}

/// The arguments' places and what they are.
type Pattern = SmallVec<[(usize, Slot); 4]>;

/// Calls that a row was specialised for, in the order in which they came. Of others than the first ones nothing is kept.
#[derive(Debug, Default)]
pub(crate) struct Specialised([OnceCell<(Pattern, Option<Direct>)>; 8]);

impl Slot {
    fn takes(&self, argument: &Argument<'_>) -> bool {
        match (self, argument) {
            (Slot::Array, Argument::Array(_)) | (Slot::Arrays, Argument::Arrays(_)) => true,
            (Slot::Number(whole), Argument::Number(number)) => *whole == matches!(number, Scalar::Int(_)),
            // The zeros are two numbers.
            (Slot::Constant(Scalar::Float(x)), Argument::Number(Scalar::Float(y))) => {
                x.to_bits() == y.to_bits()
            }
            (Slot::Constant(known), Argument::Number(number)) => known == number,
            (Slot::Value(known), Argument::Value(value)) => known == value,
            _ => false,
        }
    }

    fn known(&self) -> Option<Known> {
        Some(match self {
            Slot::Array => Known::Kind(ArgumentKind::Array),
            Slot::Arrays => Known::Kind(ArgumentKind::Arrays),
            Slot::Number(true) => Known::Kind(ArgumentKind::Int),
            Slot::Number(false) => Known::Kind(ArgumentKind::Number),
            Slot::Constant(Scalar::Int(i)) => Known::Value(Expr::Int(i64::try_from(*i).ok()?)),
            Slot::Constant(Scalar::Float(x)) => Known::Value(Expr::Float(*x)),
            Slot::Constant(_) => return None,
            Slot::Value(HostValue::None) => Known::Value(Expr::None),
            Slot::Value(HostValue::Bool(b)) => Known::Value(Expr::Bool(*b)),
            Slot::Value(HostValue::Ints(all)) => {
                Known::Value(Expr::Tuple(all.iter().map(|i| Expr::Int(*i)).collect()))
            }
        })
    }
}

/// A value as an argument; `None` of one that is neither an array nor a plain host value.
fn argument<'a>(value: &'a Value<'_>) -> Option<Argument<'a>> {
    Some(match value {
        Value::Array(array) => Argument::Array(array),
        Value::None => Argument::Value(HostValue::None),
        Value::Bool(b) => Argument::Value(HostValue::Bool(*b)),
        Value::Int(_) | Value::Float(_) | Value::Complex(_) => Argument::Number(value.as_scalar()?),
        Value::List(all) | Value::Tuple(all) if !all.is_empty() => {
            // Weakly typed ones promote as numbers do.
            let array = |value: &'a Value<'_>| match value {
                Value::Array(array) => Some(&**array),
                _ => None,
            };
            Argument::Arrays(all.iter().map(array).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// Values by position as arguments, if all are such.
pub(crate) fn by_position<'a, const N: usize>(
    values: &'a [Value<'_>; N],
) -> Option<[(usize, Argument<'a>); N]> {
    let mut found = values.each_ref().map(|value| (0, argument(value)));
    for (at, (place, argument)) in found.iter_mut().enumerate() {
        argument.as_ref()?;
        *place = at;
    }
    Some(found.map(|(place, argument)| (place, argument.expect("each is one"))))
}

/// What a row comes to for a pattern.
fn specialised(entry: &Entry, pattern: &Pattern) -> Option<Direct> {
    let mut known: SmallVec<[Known; 6]> =
        SmallVec::from_elem(Known::Default, entry.row.signature.parameters.len());
    for (at, slot) in pattern {
        known[*at] = slot.known()?;
    }
    Direct::with(entry.frontend, entry.frontend.table(), &entry.row, &entry.body, &known)
}

/// The result of a call by its specialised form; `None` where it has none, or has an error. Each argument has the place of its
/// parameter.
pub(crate) fn call(entry: &'static Entry, arguments: &[(usize, Argument<'_>)]) -> Option<Array> {
    let specialised = entry.specialised.as_ref().filter(|_| entry.is_there())?;
    let is_taken = |pattern: &Pattern| {
        let each = || pattern.iter().zip(arguments);
        pattern.len() == arguments.len()
            && each().all(|((p, slot), (at, argument))| p == at && slot.takes(argument))
    };
    let argument =
        |at: usize| arguments.iter().find(|(place, _)| *place == at).map(|(_, given)| given.clone());
    for cell in &specialised.0 {
        let (pattern, direct) = match cell.get() {
            Some(kept) => kept,
            None => {
                let made = make(entry, arguments)?;
                // Another thread may have been here before.
                cell.get_or_init(|| made)
            }
        };
        if is_taken(pattern) {
            return direct.as_ref()?.call(entry, argument);
        }
    }
    None
}

/// The pattern of a call and what the row comes to for it; `None` for a call that is refused, or is none of those here.
fn make(entry: &Entry, arguments: &[(usize, Argument<'_>)]) -> Option<(Pattern, Option<Direct>)> {
    for (i, (at, argument)) in arguments.iter().enumerate() {
        let parameter = entry.row.signature.parameters.get(*at)?;
        let is_given = matches!(parameter.given, Given::ByPosition | Given::Either | Given::ByName);
        // What the body does not mention is for the machine: results to write to, masks of ufuncs.
        let is_default = matches!(argument, Argument::Value(HostValue::None))
            && parameter.default.as_ref().is_some_and(|default| default.value == Expr::None);
        let is_used = entry.row.mentions[*at] || is_default;
        if !is_given || !is_used || arguments[..i].iter().any(|(known, _)| known == at) {
            return None;
        }
    }
    let pattern = |constant: bool| -> Pattern {
        let slot = |argument: &Argument<'_>| match argument {
            Argument::Array(_) => Slot::Array,
            Argument::Arrays(_) => Slot::Arrays,
            Argument::Number(number) if constant => Slot::Constant(*number),
            Argument::Number(number) => Slot::Number(matches!(number, Scalar::Int(_))),
            Argument::Value(value) => Slot::Value(value.clone()),
        };
        arguments.iter().map(|(at, argument)| (*at, slot(argument))).collect()
    };
    // Numbers that are operands may be any; those that say what is done are these.
    let any = pattern(false);
    if let Some(direct) = specialised(entry, &any) {
        return Some((any, Some(direct)));
    }
    let constants = pattern(true);
    let direct = specialised(entry, &constants);
    Some((constants, direct))
}
