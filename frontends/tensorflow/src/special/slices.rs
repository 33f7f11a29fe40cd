//! Slices by numbers and masks.

use ivy_core::Index;
use ivy_frontend::specials::{Out, wrong};
use ivy_frontend::{Call, Fault, Value};

/// `selected(x, key)`: the elements at an index expression, in which tensors are no indices but for scalars; of a mask the
/// elements where it is true.
pub(crate) fn selected(call: &mut Call<'_>) -> Out {
    let (x, key) = (call.array(0)?, call.value(1));
    let fits = |entry: &Value<'_>| match entry {
        Value::Array(place) => place.ndim() == 0 && place.dtype().is_int(),
        Value::Int(_) | Value::Slice { .. } | Value::Ellipsis | Value::None => true,
        _ => false,
    };
    let key = match key {
        Value::Array(mask) if mask.dtype().is_bool() && mask.ndim() > 0 => key.borrowed(),
        // A list is as good as a tuple.
        Value::Tuple(entries) | Value::List(entries) if entries.iter().all(fits) => {
            Value::Tuple(entries.clone())
        }
        one if fits(one) => one.borrowed(),
        other => {
            let rule = "only integers, slices (`:`), ellipsis (`...`), None and scalar tensors of integers are valid indices";
            return Err(call.refuse(Fault::Type, "slice_spec", Some(other), rule));
        }
    };
    Ok(x.get(ivy_frontend::indices(call.entry, &key)?)?.into())
}

/// `slice(x, begin, size)`: -1 stands for all that is left.
pub(crate) fn slice(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let (begin, size) = (call.ints(1)?.unwrap_or_default(), call.ints(2)?.unwrap_or_default());
    if begin.len() != x.ndim() || size.len() != x.ndim() {
        return Err(wrong(call, "begin", format!("a number for each of {} axes is needed", x.ndim())));
    }
    let mut key = Vec::with_capacity(x.ndim());
    for ((&start, &count), &length) in begin.iter().zip(&size).zip(x.shape().iter()) {
        let stop = if count == -1 { length as i64 } else { start.saturating_add(count) };
        if start < 0 || stop < start || stop > length as i64 {
            return Err(wrong(
                call,
                "size",
                format!("{start} and {count} are beyond an axis of length {length}"),
            ));
        }
        key.push(Index::Slice { start: Some(start), stop: Some(stop), step: 1 });
    }
    Ok(x.get(key)?.into())
}

/// `strided_slice(x, begin, end, strides, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)`
pub(crate) fn strided_slice(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let (begin, end) = (call.ints(1)?.unwrap_or_default(), call.ints(2)?.unwrap_or_default());
    let strides = call.ints(3)?.unwrap_or_else(|| vec![1; begin.len()]);
    if begin.len() != end.len() || begin.len() != strides.len() {
        return Err(wrong(call, "end", "as many numbers as begin has"));
    }
    if begin.len() > 32 {
        return Err(wrong(call, "begin", "at most 32 numbers, as masks have bits"));
    }
    let mut masks = [0i64; 5];
    for (i, mask) in masks.iter_mut().enumerate() {
        *mask = call.int(4 + i)?;
    }
    let key = (0..begin.len()).map(|i| {
        let [no_begin, no_end, ellipsis, new_axis, shrink] = masks.map(|mask| mask >> i & 1 == 1);
        match () {
            () if ellipsis => Index::Ellipsis,
            () if new_axis => Index::NewAxis,
            () if shrink => Index::Int(begin[i]),
            () => Index::Slice {
                start: (!no_begin).then_some(begin[i]),
                stop: (!no_end).then_some(end[i]),
                step: strides[i],
            },
        }
    });
    Ok(x.get(key.collect::<Vec<_>>())?.into())
}
