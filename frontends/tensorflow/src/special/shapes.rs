//! Parts of tensors that are put elsewhere.

use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Index, Result};
use ivy_frontend::specials::{Out, axis, lengths, pairs, tuple, wrong};
use ivy_frontend::{Call, Fault, Value, compute};

/// `ones_of(x)`: the axes of length 1.
pub(crate) fn ones_of(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let ones = x.shape().iter().enumerate().filter(|(_, length)| **length == 1);
    Ok(Value::Tuple(ones.map(|(place, _)| Value::from(place)).collect()))
}

/// `of_one_dtype(list)`: the tensors, or the refusal of those of several dtypes.
pub(crate) fn of_one_dtype(call: &mut Call<'_>) -> Out {
    let tensors = call.arrays(0)?;
    if tensors.windows(2).any(|pair| pair[0].dtype() != pair[1].dtype()) {
        let rule = "tensors of one dtype are needed";
        return Err(call.refuse(Fault::Dtype, "args", Some(call.value(0)), rule));
    }
    Ok(tuple(tensors))
}

/// `pad(x, paddings, mode, constant_values)`
pub(crate) fn pad(call: &mut Call<'_>) -> Out {
    let (x, widths) = (call.array(0)?, pairs(call, 1)?);
    if widths.len() != x.ndim() {
        return Err(wrong(call, "paddings", format!("a pair for each of {} axes is needed", x.ndim())));
    }
    let listed: Vec<Vec<i64>> = widths.iter().map(|pair| pair.to_vec()).collect();
    let mode = call.text(2)?.to_ascii_uppercase();
    // As far as there are elements to mirror.
    let reach = match &*mode {
        "CONSTANT" => {
            return Ok(
                compute!(call, "constant_pad", [&x], pad_width = listed, value = call.value(3))?.into()
            );
        }
        "REFLECT" => 1,
        "SYMMETRIC" => 0,
        _ => return Err(wrong(call, "mode", "one of CONSTANT, REFLECT and SYMMETRIC")),
    };
    let fits =
        |(pair, &length): (&[i64; 2], &usize)| pair.iter().all(|&width| width <= length as i64 - reach);
    if !widths.iter().zip(x.shape().iter()).all(fits) {
        return Err(wrong(call, "paddings", "no more than there are elements to mirror"));
    }
    Ok(compute!(call, "pad", [&x], pad_width = listed, mode = mode.to_ascii_lowercase())?.into())
}

/// `reverse_sequence(x, seq_lengths, seq_axis, batch_axis)`: of each entry of the batch the first elements turned round.
pub(crate) fn reverse_sequence(call: &mut Call<'_>) -> Out {
    let (x, counts) = (call.array(0)?, call.array(1)?);
    let along = axis(call, if call.value(2).is_none() { 0 } else { call.int(2)? }, x.ndim())?;
    let batch = axis(call, if call.value(3).is_none() { 0 } else { call.int(3)? }, x.ndim())?;
    if along == batch || counts.ndim() != 1 || counts.size() != x.shape()[batch] {
        return Err(wrong(
            call,
            "seq_lengths",
            "a number for each entry of the batch, whose axis is another one",
        ));
    }
    let shaped = |array: &Array, place: usize| {
        let mut shape = vec![1i64; x.ndim()];
        shape[place] = -1;
        compute!(call, "reshape", [array], shape = shape)
    };
    let counts = shaped(&f::astype(&counts, Dtype::INT64)?, batch)?;
    let places =
        shaped(&compute!(call, "arange", [0, x.shape()[along] as i64, 1], dtype = Dtype::INT64)?, along)?;
    let turned = compute!(call, "subtract", [&compute!(call, "subtract", [&counts, 1])?, &places])?;
    let first = compute!(call, "less", [&places, &counts])?;
    let index = compute!(call, "where", [&first, &turned, &places])?;
    let index = compute!(call, "broadcast_to", [&index], shape = lengths(&x))?;
    Ok(compute!(call, "take_along_axis", [&x, &index], axis = along as i64)?.into())
}

/// `dynamic_partition(data, partitions, num_partitions)`
pub(crate) fn dynamic_partition(call: &mut Call<'_>) -> Out {
    let (data, partitions, count) = (call.array(0)?, call.array(1)?, call.int(2)?);
    let part = |number: i64| -> Result<Value<'static>> {
        let mask = compute!(call, "equal", [&partitions, number])?;
        Ok(data.get([Index::Array(mask)])?.into())
    };
    (0..count).map(part).collect::<Result<_>>().map(Value::List)
}

/// `dynamic_stitch(indices, data)`: where an index occurs twice, what comes last stays.
pub(crate) fn dynamic_stitch(call: &mut Call<'_>) -> Out {
    let (indices, data) = (call.arrays(0)?, call.arrays(1)?);
    let (Some(first), true) = (data.first(), indices.len() == data.len()) else {
        return Err(wrong(call, "data", "tensors, as many as of indices"));
    };
    let Some(inner) = lengths(first).get(indices[0].ndim()..).map(<[i64]>::to_vec) else {
        return Err(wrong(call, "data", "the axes of the indices come first"));
    };
    let mut flat = (Vec::new(), Vec::new());
    for (index, part) in indices.iter().zip(&data) {
        flat.0.push(compute!(call, "reshape", [index], shape = vec![-1i64, 1])?);
        let shape = [&[index.size() as i64][..], &inner].concat();
        flat.1.push(compute!(call, "reshape", [part], shape = shape)?);
    }
    let indices = compute!(call, "concat", [flat.0], axis = 0)?;
    let numbers = f::astype(&indices, Dtype::INT64)?.to_vec::<i64>()?;
    let shape = [&[numbers.iter().max().map_or(0, |most| most + 1)][..], &inner].concat();
    let data = compute!(call, "concat", [flat.1], axis = 0)?;
    Ok(compute!(call, "scatter_nd", [&indices, &data], shape = shape, reduction = "replace")?.into())
}
