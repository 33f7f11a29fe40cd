//! Updates of elements: `Array.at[index].set(values)` and its like, which give a new array.

use super::searching::{axes_of, check_index};
use super::support::{Out, array, core, dtype, get, ints, raveled, repeated, set, shape};
use ivy_core::Result;
use ivy_frontend::{Call, Fault, Value};

/// `update(name, x, index, values, mode)`: positions beyond the array are left out, or brought into it.
pub(crate) fn update(call: &mut Call<'_>) -> Out {
    let name = call.text(0)?.to_string();
    let x = Value::from(call.array(1)?);
    check_index(call, &x, call.value(2))?;
    let own = dtype(call, &x)?;
    let values = core!(call, "astype", &call.array(3)?, own)?;
    let clips = match call.value(4).as_text() {
        None | Some("drop" | "fill" | "promise_in_bounds") => false,
        Some("clip") => true,
        Some(_) => {
            return Err(call.refuse(
                Fault::Value,
                "mode",
                Some(call.value(4)),
                "clip, drop or fill is needed",
            ));
        }
    };
    let places = positions(call, &x, call.value(2))?;
    let Positions { flat, there, shape } = places.reached(call, clips)?;
    let values = core!(call, "broadcast_to", &values, &shape)?;
    let values = core!(call, "reshape", &values, [-1i64])?;
    let row = core!(call, "reshape", &x, [-1i64])?;
    let size = array(call, &x)?.size() as i64;
    // One more element takes what is beyond the array.
    let spare = core!(call, "concat", vec![row, core!(call, "zeros", ints([1i64]); dtype: own)?])?;
    let flat = core!(call, "where", &there, &flat, size)?;
    let changed = match name.as_str() {
        "set" => set(call, &spare, flat, &values)?,
        "add" => core!(call, "index_add", &spare, 0, &flat, &values)?,
        "subtract" => core!(call, "index_add", &spare, 0, &flat, &core!(call, "negative", &values)?)?,
        "multiply" => core!(call, "scatter_reduce", &spare, 0, &flat, &values, "prod")?,
        "min" => core!(call, "scatter_reduce", &spare, 0, &flat, &values, "amin")?,
        "max" => core!(call, "scatter_reduce", &spare, 0, &flat, &values, "amax")?,
        other => {
            // An index that is there twice counts twice: the values of each place are multiplied first.
            let ones = core!(call, "ones_like", &spare)?;
            let factors = core!(call, "scatter_reduce", &ones, 0, &flat, &values, "prod")?;
            if other == "divide" {
                core!(call, "divide", &spare, &factors)?
            } else {
                core!(call, "pow", &spare, &factors)?
            }
        }
    };
    let kept = super::support::cut(call, &changed, 0, 0, size)?;
    core!(call, "reshape", &kept, &Value::from(array(call, &x)?.shape()))
}

/// The positions that an index expression names, in the flat array.
struct Named {
    flat: Value<'static>,
    beyond: Option<Value<'static>>,
}

struct Positions {
    flat: Value<'static>,
    there: Value<'static>,
    shape: Value<'static>,
}

impl Named {
    fn reached(self, call: &Call<'_>, clips: bool) -> Result<Positions> {
        let shape = Value::from(array(call, &self.flat)?.shape());
        let flat = core!(call, "reshape", &self.flat, [-1i64])?;
        let there = match self.beyond {
            Some(beyond) if !clips => {
                let there = core!(call, "logical_not", &beyond)?;
                core!(call, "reshape", &core!(call, "broadcast_to", &there, &shape)?, [-1i64])?
            }
            _ => core!(call, "ones_like", &flat; dtype: ivy_core::Dtype::BOOL)?,
        };
        Ok(Positions { flat, there, shape })
    }
}

/// An index expression applied to the numbers of the elements. Integers that are out of range are brought into it, and
/// told of.
fn positions(call: &Call<'_>, x: &Value<'_>, key: &Value<'_>) -> Result<Named> {
    let x = array(call, x)?;
    let numbers = core!(call, "arange", x.size() as i64; dtype: ivy_core::Dtype::INT64)?;
    let numbers = core!(call, "reshape", &numbers, &Value::from(x.shape()))?;
    let entries: &[Value<'_>] = match key {
        Value::Tuple(entries) => entries,
        one => std::slice::from_ref(one),
    };
    let named: usize = entries.iter().map(axes_of).sum();
    let (mut along, mut near, mut beyond) = (0, Vec::new(), None);
    for entry in entries {
        let length = x.shape().get(along).map_or(0, |&d| d as i64);
        near.push(match entry {
            Value::Int(i) => {
                let at = if *i < 0 { i + i128::from(length) } else { *i };
                if !(0..i128::from(length)).contains(&at) {
                    beyond = Some(core!(call, "asarray", true)?);
                }
                Value::Int(at.clamp(0, i128::from((length - 1).max(0))))
            }
            Value::Array(a) | Value::Weak(a) if a.dtype().is_int() => {
                let at = core!(call, "astype", entry, ivy_core::Dtype::INT64)?;
                let at = core!(
                    call,
                    "where",
                    &core!(call, "less", &at, 0)?,
                    &core!(call, "add", &at, length)?,
                    &at
                )?;
                let low = core!(call, "less", &at, 0)?;
                let out = core!(call, "logical_or", &low, &core!(call, "greater_equal", &at, length)?)?;
                beyond = Some(match beyond {
                    None => out,
                    Some(other) => core!(call, "logical_or", &other, &out)?,
                });
                core!(call, "clip", &at, 0, (length - 1).max(0))?
            }
            other => other.clone().into_owned(),
        });
        along = if matches!(entry, Value::Ellipsis) {
            along + x.ndim().saturating_sub(named)
        } else {
            along + axes_of(entry)
        };
    }
    let flat = get(call, &numbers, Value::Tuple(near))?;
    let beyond = beyond.map(|out| spread(call, out, &flat)).transpose()?;
    Ok(Named { flat, beyond })
}

/// What is known of the indices, with axes of length 1 for the slices after them.
fn spread(call: &Call<'_>, out: Value<'static>, flat: &Value<'static>) -> Out {
    let (have, want) = (shape(call, &out)?, shape(call, flat)?);
    let missing = want.len().saturating_sub(have.len());
    core!(call, "reshape", &out, ints(have.into_iter().chain([1i64].repeat(missing))))
}

/// `fill_diagonal(a, val, wrap, inplace)`: the elements of `val` in turn.
pub(crate) fn fill_diagonal(call: &mut Call<'_>) -> Out {
    for (i, name) in [(2, "wrap"), (3, "inplace")] {
        if call.flag(i)? {
            let rule = "arrays are immutable, and their diagonals filled once: False is needed";
            return Err(call.refuse(Fault::Missing, name, Some(call.value(i)), rule));
        }
    }
    let a = Value::from(call.array(0)?);
    let lengths = shape(call, &a)?;
    let even = lengths.len() == 2 || lengths.windows(2).all(|pair| pair[0] == pair[1]);
    let (Some(&count), true) = (lengths.iter().min(), lengths.len() > 1 && even) else {
        let rule = "at least two axes are needed, of one length where there are more";
        return Err(call.refuse(Fault::Value, "a", Some(&a), rule));
    };
    let values = raveled(call, &core!(call, "astype", &call.array(1)?, dtype(call, &a)?)?)?;
    if shape(call, &values)?[0] == 0 && count > 0 {
        return Err(call.refuse(Fault::Value, "val", Some(call.value(1)), "must not be empty"));
    }
    let values = repeated(call, &values, count)?;
    let counted = core!(call, "arange", count; dtype: ivy_core::Dtype::INT64)?;
    set(call, &a, Value::Tuple(vec![counted; lengths.len()]), &values)
}
